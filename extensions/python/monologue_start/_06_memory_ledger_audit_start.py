"""monologue_start, 06: the user's message, or a superior's, reaches an agent; the audit log has it (T-56)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditStart(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_start(self.agent, loop_data)
