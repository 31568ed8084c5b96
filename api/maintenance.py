"""POST /api/plugins/memory_ledger/maintenance: what a run would do, does and did, and what it proposes."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerMaintenance(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.MAINTENANCE, input)
