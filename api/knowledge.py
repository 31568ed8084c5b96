"""POST /api/plugins/memory_ledger/knowledge: what agents have learned together, and what a person decides about it."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerKnowledge(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.KNOWLEDGE, input)
