"""banners, 60: a card on the welcome screen; without an agent there is nobody to report a failure to."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension


class MemoryLedgerCard(Extension):
    async def execute(self, banners=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import installation

        installation.add_card(banners)
