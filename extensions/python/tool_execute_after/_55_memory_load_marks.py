"""tool_execute_after, 55: what `memory_load` shows says which memories are retired (C-97)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryLoadMarks(Extension):
    @guarded
    async def execute(self, response=None, tool_name="", **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        await hooks.mark_loaded(self.agent, response, tool_name)
