"""monologue_start, 06: log the message of the user, or of a superior, in the audit log (T-56)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditStart(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_start(self.agent, loop_data)
