"""The card on the welcome screen of newer hosts, which shows what plugins offer until the user dismisses it."""

from __future__ import annotations

from typing import Any

_PLUGIN = "memory_ledger"
#: A host lets a card do three things; only this one leads to a plugin.
_OPENS_SETTINGS = f"open-plugin-config:{_PLUGIN}"


def add_card(banners: Any) -> None:
    """Put the card behind what is there; what is no list is left alone, since no agent is there to be told."""
    if isinstance(banners, list):
        banners.append(
            {
                "id": "memory-ledger",
                "type": "feature",
                "title": "Memory Ledger",
                "description": "See what your agent remembers and why, and correct what is wrong.",
                "thumbnail": f"/plugins/{_PLUGIN}/webui/thumbnail.png",
                "icon": "fact_check",
                "cta_text": "Set up",
                "cta_action": _OPENS_SETTINGS,
                "dismissible": True,
                "priority": 45,
            }
        )
