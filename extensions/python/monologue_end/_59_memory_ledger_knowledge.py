"""monologue_end, 59: distil the audit log of the chain, off the event loop (M-24, M-25)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class KnowledgeTriggers(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.distil(self.agent)
