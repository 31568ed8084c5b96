"""POST /api/plugins/memory_ledger/settings: what can be set, and which values cannot be; the host saves them."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerSettings(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.SETTINGS, input)
