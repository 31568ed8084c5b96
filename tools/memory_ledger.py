"""The tool `memory_ledger`: what memory holds and held and why, the vault, the notes, what agents have learned."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedger(Tool):
    @answering
    async def execute(self, verb="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import verbs

        return await verbs.answer(self.agent, verb or getattr(self, "method", ""), kwargs)
