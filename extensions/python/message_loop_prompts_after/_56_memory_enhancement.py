"""message_loop_prompts_after, 56: recall with several queries, ranked by relevance and age (E-06)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryEnhancement(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.enhance_recall(self.agent, loop_data)
