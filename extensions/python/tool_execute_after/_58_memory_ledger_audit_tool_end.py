"""tool_execute_after, 58: log a tool's answer in the audit log (T-56)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditToolEnd(Extension):
    @guarded
    async def execute(self, response=None, tool_name="", **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_tool_end(self.agent, tool_name, response)
