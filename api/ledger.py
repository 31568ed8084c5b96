"""POST /api/plugins/memory_ledger/ledger: the page's one address, for whatever the table of acts names."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedger(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers import page

        return await page.answer(input)
