"""monologue_end, 58: write the finished chain to the audit log of the day (T-56)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditEnd(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_end(self.agent)
