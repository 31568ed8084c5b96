"""monologue_end, 59: what a chain has left in the audit log is distilled, off the event loop (M-24, M-25)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class KnowledgeTriggers(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.distil(self.agent)
