"""The tool `memory_ledger_history`: what was believed about something, when, and what replaced it (C-51)."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedgerHistory(Tool):
    @answering
    async def execute(self, query="", time="", memory_id="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import beliefs

        return await beliefs.tell_beliefs(self.agent, query, time, memory_id)
