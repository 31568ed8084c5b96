"""The settings page asks what can be set, and what is wrong with values; it is the host that saves them."""

import json

from fake_host import FakeHost
from hook_tools import configure_pack
from memory_ledger.setting_form import list_sections
from memory_ledger.settings import default_values
from page_tools import ask, every_page

pytestmark = every_page


async def test_what_can_be_set_is_told_with_what_the_users_file_says(host: FakeHost) -> None:
    """T-16: where the dialog says nothing, the user's own file holds."""
    found = await ask(host, "settings", "read")
    assert found["sections"] == json.loads(json.dumps(list_sections()))
    assert (found["file"], found["in_file"]) == ("classification_config.json", {})
    configure_pack(host, conflict_top_k=9, noise_gate={"least_likely": "x"})
    assert (await ask(host, "settings", "read"))["in_file"] == {"conflict_top_k": 9}
    for broken in ("{", "[1]", "7"):
        (host.memory_folder().parent / "classification_config.json").write_text(broken)
        assert (await ask(host, "settings", "read"))["in_file"] == {}


async def test_it_is_answered_while_the_pack_is_switched_off(host: FakeHost) -> None:
    """Or nobody could switch it on again; nothing is opened or written for it."""
    configure_pack(host, enabled=False)
    before = sorted(one.name for one in host.memory_folder().parent.rglob("*"))
    assert (await ask(host, "settings", "read"))["in_file"] == {"enabled": False}
    assert (await ask(host, "settings", "check", settings=default_values()))["faults"] == []
    assert sorted(one.name for one in host.memory_folder().parent.rglob("*")) == before
