"""POST /api/plugins/memory_ledger/conflicts: the pairs of memories that are at odds, and which of two holds."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerConflicts(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.CONFLICTS, input)
