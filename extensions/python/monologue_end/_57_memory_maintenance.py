"""monologue_end, 57: every so many message loops the memories are looked after, off the event loop (C-68, E-33)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryMaintenance(Extension):
    @guarded
    async def execute(self, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.maintain(self.agent)
