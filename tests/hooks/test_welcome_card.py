"""banners/_60_memory_ledger_card: a card for who has not seen the page."""

import json

from fake_host import FakeHost
from hook_tools import PACK_ROOT

#: What the host's discovery cards are made of (v1.7 to v2.6); it shows those of a type that it knows.
FIELDS = {
    "id", "type", "title", "description", "thumbnail", "icon", "cta_text", "cta_action", "dismissible", "priority",
}  # fmt: skip


async def show_banners(host: FakeHost, banners: object) -> object:
    await host.fire("banners", agent=None, banners=banners, frontend_context={})
    return banners


async def test_the_card_leads_to_the_settings(host: FakeHost) -> None:
    """It stands behind the host's own, can be dismissed for good, and points to what is there."""
    (own, card) = await show_banners(host, [{"id": "own"}])
    assert own == {"id": "own"}
    assert set(card) == FIELDS
    assert (card["id"], card["type"], card["dismissible"]) == ("memory-ledger", "feature", True)
    assert card["cta_action"] == "open-plugin-config:memory_ledger"
    assert (PACK_ROOT / card["thumbnail"].removeprefix("/plugins/memory_ledger/")).is_file()
    assert (PACK_ROOT / "webui/config.html").is_file()
    assert json.loads(json.dumps(card)) == card


async def test_banners_of_another_form_are_left_alone(host: FakeHost) -> None:
    """A hook's exception never reaches the host."""
    assert await show_banners(host, None) is None
