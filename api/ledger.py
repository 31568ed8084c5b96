"""POST /api/plugins/memory_ledger/ledger: the page's only address, for all acts and questions of the table."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedger(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers import page

        return await page.answer(input)
