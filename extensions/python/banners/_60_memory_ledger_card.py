"""banners, 60: a card on the welcome screen, until the user dismisses it. There is no agent to report a failure to."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension

CARD = {
    "id": "memory-ledger",
    "type": "feature",
    "title": "Memory Ledger",
    "description": "See what your agent remembers and why, and put right what is wrong.",
    "thumbnail": "/plugins/memory_ledger/webui/thumbnail.png",
    "icon": "fact_check",
    "cta_text": "Set up",
    "cta_action": "open-plugin-config:memory_ledger",
    "dismissible": True,
    "priority": 45,
}


class MemoryLedgerCard(Extension):
    async def execute(self, banners=None, **kwargs) -> None:
        if isinstance(banners, list):
            banners.append(dict(CARD))
