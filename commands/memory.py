"""The slash command `/memory` of hosts that have slash commands (the plugin `_commands`): it opens the page."""


def run(_payload: dict[str, object]) -> dict[str, object]:
    """Return the effect that opens the page."""
    return {"text": "", "effects": [{"type": "open_modal", "path": "/plugins/memory_ledger/webui/main.html"}]}
