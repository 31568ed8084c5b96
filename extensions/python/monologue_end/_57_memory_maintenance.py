"""monologue_end, 57: maintain the memories off the event loop, every so many message loops (C-68, E-33)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryMaintenance(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.maintain(self.agent)
