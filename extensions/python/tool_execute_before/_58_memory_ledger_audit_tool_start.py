"""tool_execute_before, 58: log the call of a tool in the audit log (T-56)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditToolStart(Extension):
    @guarded
    async def execute(self, tool_args=None, tool_name="", **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_tool_start(self.agent, tool_name, tool_args)
