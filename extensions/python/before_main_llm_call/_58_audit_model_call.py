"""before_main_llm_call, 58: log the outcome of the model's last message in the audit log (T-35)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditModelCall(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_model_call(self.agent, loop_data)
