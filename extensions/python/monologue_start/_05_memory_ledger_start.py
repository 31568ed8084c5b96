"""monologue_start, 05: load the pack's code before the first recall needs it, off the event loop."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded, load_pack


class MemoryLedgerStart(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        await load_pack()
