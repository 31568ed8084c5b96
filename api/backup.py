"""POST /api/plugins/memory_ledger/backup: how old it is, what it can bring back, and what is wrong with the store."""

from helpers.api import ApiHandler
from usr.plugins.memory_ledger.helpers.host.extension import load_pack


class MemoryLedgerBackup(ApiHandler):
    async def process(self, input, request) -> dict:
        await load_pack()
        from usr.plugins.memory_ledger.helpers.host.page import answers

        return await answers.answer(answers.BACKUP, input)
