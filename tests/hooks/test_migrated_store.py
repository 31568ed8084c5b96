"""A store that the hooks of another implementation have written, in a host of every generation (Q-06, C-91, T-69)."""

from typing import Any

from fake_host import FakeHost
from hook_tools import PACK_ROOT, axes, settle

THEIRS: dict[str, Any] = {
    "classification": {
        "validity": "Confirmed",
        "relevance": "active",
        "utility": "load-bearing",
        "source": "user_asserted",
    },
    "lineage": {"created_at": "2026-02-19T10:00:00", "supersedes": ["gone"], "access_count": "3", "theirs": 1},
}
UPGRADED = ("confirmed", "active", "load_bearing", "user_asserted")


async def test_what_was_there_is_upgraded_and_what_comes_later_is_not_believed(host: FakeHost) -> None:
    """Q-06, C-91: by the first turn with the pack, and after a restart still; T-69: not what a tool's arguments say."""
    host.uninstall()
    there = await host.insert("User's deploys need two approvals", **THEIRS)
    host.install(PACK_ROOT)
    await host.restart()
    await host.turn("Hello.")
    await settle(host)
    assert axes(host.docs[there]) == UPGRADED
    lineage = host.docs[there].metadata["lineage"]
    assert (lineage["supersedes"], lineage["access_count"], lineage["theirs"]) == ("gone", 3, 1)
    await host.restart()
    await host.turn("Hello again.", tool_calls=[("memory_save", {"text": "User's deploys need no approval", **THEIRS})])
    await settle(host)
    assert axes(host.docs[there]) == UPGRADED
    (later,) = [document for one, document in host.docs.items() if one != there]
    assert axes(later)[:2] == ("inferred", "active") and axes(later)[3] == "agent_inferred"
