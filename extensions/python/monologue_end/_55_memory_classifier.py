"""monologue_end, 55: give every new memory a source, a status and a history (C-04 ... C-06)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryClassifier(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.classify(self.agent, loop_data)
