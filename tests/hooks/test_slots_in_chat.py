"""A slot that a person adds in the configuration, on five generations of the host."""

from fake_host import FakeHost
from hook_tools import axes, configure_pack, find, remember, settle

OLD = "The investor of the team is Otto"
NEW = "The investor of the team is Frieda"
INVESTOR = {"name": "investor", "nouns": ["investor"], "value": "name"}


async def test_without_the_slot_both_facts_stay(host: FakeHost) -> None:
    """C-43: what is not in the table holds several values."""
    await remember(host, f"{OLD}.", OLD)
    await remember(host, f"{NEW}.", NEW)
    assert [axes(find(host, text))[0] for text in (OLD, NEW)] == ["confirmed", "confirmed"]


async def test_an_added_slot_retires_the_older_fact(host: FakeHost) -> None:
    """C-37, C-39, C-48, C-72: as a built-in one, and it is on disk."""
    configure_pack(host, added_slots=[INVESTOR])
    await remember(host, f"{OLD}.", OLD)
    await remember(host, f"{NEW}.", NEW)
    await settle(host)
    await host.restart()
    assert [axes(find(host, text))[0] for text in (OLD, NEW)] == ["deprecated", "confirmed"]
    assert find(host, OLD).metadata["lineage"]["superseded_by"] == find(host, NEW).metadata["id"]


async def test_a_slot_added_in_mid_chat_holds_for_what_was_read_before(host: FakeHost) -> None:
    """T-06, C-37: no restart, and the older fact is not among the nearest neighbours."""
    await remember(host, f"{OLD}.", OLD)
    await remember(host, "Is the investor of the team Frieda?", "Is the investor of the team Frieda?")
    configure_pack(host, added_slots=[INVESTOR], conflict_top_k=1)
    await remember(host, f"{NEW}.", NEW)
    assert [axes(find(host, text))[0] for text in (OLD, NEW)] == ["deprecated", "confirmed"]


async def test_a_slot_that_cannot_be_used_is_named_once_and_the_rest_works(host: FakeHost) -> None:
    """C-72, C-73: one warning, with the built-in slot that already has the wording."""
    configure_pack(host, added_slots=[{"name": "gate", "nouns": ["port"], "value": "port"}, INVESTOR])
    host.expected_warnings = 1
    await remember(host, f"{OLD}.", OLD)
    await remember(host, f"{NEW}.", NEW)
    assert [axes(find(host, text))[0] for text in (OLD, NEW)] == ["deprecated", "confirmed"]
    (warning,) = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    assert warning.content == (
        "classification_config.json: setting added_slots, slot 1, nouns, 1 is 'port'; "
        "allowed: a noun that no slot has; this one means the built-in slot 'port'"
    )
