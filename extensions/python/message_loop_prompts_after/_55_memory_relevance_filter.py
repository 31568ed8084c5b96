"""message_loop_prompts_after, 55: only memories that hold and fit the present role reach the prompt (C-07)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryRelevanceFilter(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.filter_relevance(self.agent, loop_data)
