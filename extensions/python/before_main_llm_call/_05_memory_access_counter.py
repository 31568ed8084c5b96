"""before_main_llm_call, 05: count the memories in the prompt that now goes to the model (C-60)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryAccessCounter(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.count_accesses(self.agent, loop_data)
