"""The tool `memory_ledger`: present and past memories with reasons, the vault, notes, and institutional knowledge."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedger(Tool):
    @answering
    async def execute(self, verb="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import verbs

        return await verbs.answer(self.agent, verb or getattr(self, "method", ""), kwargs)
