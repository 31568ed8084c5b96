"""The tool `memory_ledger_knowledge`: what agents here have learned from their audit logs (M-26, M-29)."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedgerKnowledge(Tool):
    @answering
    async def execute(self, query="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import context

        return await context.tell_context(self.agent, query)
