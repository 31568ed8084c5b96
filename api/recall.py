"""POST /api/plugins/memory_ledger/recall: what the last prompts were given and why, and what a question would be."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerRecall(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.RECALL, input)
