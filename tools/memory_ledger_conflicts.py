"""The tool `memory_ledger_conflicts`: which memories are at odds, and what the user said about them (C-96)."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedgerConflicts(Tool):
    @answering
    async def execute(self, conflict="all", keep="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import conflicts

        return await conflicts.tell_conflicts(self.agent, conflict, keep)
