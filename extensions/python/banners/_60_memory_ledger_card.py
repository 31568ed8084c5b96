"""banners, 60: a card on the welcome screen; it runs without an agent, to which a failure could be reported."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension


class MemoryLedgerCard(Extension):
    async def execute(self, banners=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import installation

        installation.add_card(banners)
