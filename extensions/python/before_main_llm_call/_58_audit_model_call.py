"""before_main_llm_call, 58: the model is asked again; the audit log has what its last message came to (T-35)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class AuditModelCall(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.audit_model_call(self.agent, loop_data)
