"""tool_execute_after, 55: mark retired memories in the output of `memory_load` (C-97)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryLoadMarks(Extension):
    @guarded
    async def execute(self, response=None, tool_name="", **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.mark_loaded(self.agent, response, tool_name)
