"""The host's deletes stop at what was asked for, whatever links the ledger keeps, with the pack and after it (T-61)."""

import importlib.util
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import settle

VICTIM = "The old gate opens at six"
PART = {"text": "at six", "at": "2026-03-01T00:00:00+00:00"}
#: Every place where the ledger keeps the id of another memory.
LINKS = {
    "supersedes": ("lineage", lambda one: {"supersedes": one}),
    "superseded_by": ("lineage", lambda one: {"superseded_by": one}),
    "supersedes_ids": ("lineage", lambda one: {"supersedes_ids": [one, "other"]}),
    "related_memory_ids": ("lineage", lambda one: {"related_memory_ids": ["other", one]}),
    "outdated_parts": ("lineage", lambda one: {"outdated_parts": [{**PART, "by": one}]}),
    "citedBy": ("quality", lambda one: {"citedBy": [one]}),
    "relationships": ("quality", lambda one: {"relationships": [{"type": "supports", "target": one}]}),
}


async def link_all(host: FakeHost) -> str:
    """Store one memory for each link to another one, and that one; return its id."""
    victim = await host.insert(VICTIM)
    for name in LINKS:
        await host.insert(f"Keeper of {name}")
    await host.turn("Hello.")
    await settle(host)
    for name, (key, link) in LINKS.items():
        document = next(one for one in host.docs.values() if one.page_content == f"Keeper of {name}")
        document.metadata[key] = {**document.metadata.get(key, {}), **link(victim)}
    (await host.memory())._save_db()
    return victim


def keepers(host: FakeHost) -> set[str]:
    """Return the links whose holders are still there."""
    return {one.page_content.removeprefix("Keeper of ") for one in host.docs.values() if "Keeper" in one.page_content}


def follows_links(host: FakeHost) -> bool:
    """Whether this host deletes what refers to a deleted memory (v1.14 and later)."""
    return bool(host.machine.traits.deletes_derived)


async def delete(host: FakeHost, how: str, victim: str) -> None:
    """Let the model delete one memory, by its id or by its words."""
    call: dict[str, Any] = {"ids": victim} if how == "memory_delete" else {"query": VICTIM, "threshold": 0.99}
    await host.turn("Delete it.", tool_calls=[(how, call)])
    assert victim not in host.docs


def unlink(host: FakeHost) -> str:
    """Undo the installation as the host asks for it; return what was said."""
    path = host.root / "usr/plugins/memory_ledger/hooks.py"
    spec = importlib.util.spec_from_file_location("pack_hooks", path)
    assert spec is not None and spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    said: str = hooks._unlink()
    return said


TOOLS = pytest.mark.parametrize("how", ["memory_delete", "memory_forget"])


@TOOLS
async def test_without_the_pack_every_one_would_be(host: FakeHost, how: str) -> None:
    """T-61: what the guard is for; older hosts follow no link at all."""
    victim = await link_all(host)
    host.uninstall()
    await host.restart()
    await delete(host, how, victim)
    assert keepers(host) == (set() if follows_links(host) else set(LINKS))


async def test_links_of_the_hosts_own_are_followed_as_ever(host: FakeHost) -> None:
    """T-61: matching on content and on the host's metadata stays as the host has it."""
    victim = await link_all(host)
    merged = await host.insert("The gates open at six and at seven", consolidated_from=[victim, "other"])
    listed = await host.insert("The gate and the door", updated_from=f"other,{victim}")
    await delete(host, "memory_delete", victim)
    assert keepers(host) == set(LINKS)
    assert {merged, listed} & set(host.docs) == (set() if follows_links(host) else {merged, listed})


@TOOLS
@pytest.mark.parametrize("happens", ["", "reload", "reload of the host's own", "uninstall"])
async def test_no_link_of_the_ledgers_is_followed(host: FakeHost, how: str, happens: str) -> None:
    """T-61, E-03: in lineage and in quality, as a value, in a list, and in an object in a list.

    Nor with a new copy of the pack, with a new and bare class of the host's (contract section 1), or when the pack is
    gone, and its guard too.
    """
    victim = await link_all(host)
    if "reload" in happens:
        host.purge_plugins(built_in=happens != "reload")
    elif happens == "uninstall":
        assert f"{len(LINKS)} memories unlinked from others" in unlink(host)
        host.uninstall()
        await host.restart()
    await delete(host, how, victim)
    assert keepers(host) == set(LINKS)


async def test_a_later_installation_finds_the_links_again(host: FakeHost) -> None:
    """T-61: they are hidden from the host, not lost; and guarded again."""
    victim = await link_all(host)
    unlink(host)
    memory = next(one for one in host.docs.values() if one.page_content == "Keeper of superseded_by")
    assert memory.metadata["lineage"]["superseded_by"] != victim
    await host.turn("Hello again.")
    await settle(host)
    ledger = next(vars(one) for one in vars((await host.memory()).db).values() if hasattr(one, "adopter"))["store"]
    assert ledger.read(memory.metadata["id"]).lineage.superseded_by == victim
    await delete(host, "memory_delete", victim)
    assert keepers(host) == set(LINKS)
