"""The vault's file and its store: versions, tombstones, several writers, what a crash leaves (V-02, V-16 ... V-58)."""

import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memory_ledger.host.vault.vault_store import VaultError, VaultStore
from memory_ledger.setting_groups import Vault
from memory_ledger.vault.taxonomy import Origin, Tier

BEGAN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PROJECTS = "Projects: dashboard, memory upgrade"
#: Of which no two are near-duplicates (V-41).
NAMES = "alpha,beta river,gamma stone hill,delta orange boat lake,epsilon,zeta quiet moon,eta violin,theta".split(",")


class Ticking:
    """A clock that is a minute later at every look."""

    def __init__(self) -> None:
        self.now = BEGAN

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def vault(tmp_path: Path) -> VaultStore:
    return VaultStore(tmp_path, scopes=("astraea",), clock=Ticking())


def lines(vault: VaultStore) -> list[dict[str, Any]]:
    """Return the lines of the file as they stand."""
    return [json.loads(line) for line in vault.file.path.read_text("utf-8").splitlines()]


def test_every_change_appends_one_line(vault: VaultStore) -> None:
    """V-16, V-17, V-18, V-28, V-30, V-31: same id, next version, nothing before it is touched."""
    added = vault.add_memory("Answer in German", "shared", "preference", tags=["tone"], source="operator").record
    assert len(added.id) == 12 and int(added.id, 16) >= 0
    first = vault.file.path.read_bytes()
    updated = vault.update_memory(added.id, text="Answer in German, briefly").record
    gone = vault.delete_memory(added.id)
    assert vault.file.path.name == "vault.jsonl" and vault.file.path.read_bytes().startswith(first)
    assert [(one["id"], one["version"], one["text"]) for one in lines(vault)] == [
        (added.id, 1, "Answer in German"),
        (added.id, 2, "Answer in German, briefly"),
        (added.id, 3, "Answer in German, briefly"),
    ]
    assert (added.tier, added.tags, added.source, added.updated_at) == (Tier.CANON, ("tone",), Origin.OPERATOR, None)
    assert (updated.created_at, updated.tags, updated.source) == (added.created_at, ("tone",), Origin.OPERATOR)
    assert updated.updated_at is not None and gone.deleted_at is not None
    assert vault.get(added.id) is None and vault.list_active() == []
    with pytest.raises(VaultError, match="no active record"):
        vault.update_memory(added.id, text="again")
    with pytest.raises(VaultError, match="no active record"):
        vault.delete_memory(added.id)


def test_update_by_topic_creates_or_updates(vault: VaultStore) -> None:
    """V-14, V-40, V-44, V-45: in each scope one active record, whose id stays, as does what is not given."""
    assert (
        vault.update_by_topic("mood", "shared", "calm and curious", category="self_state", tags=["m"]).action == "added"
    )
    found = vault.update_by_topic("mood", "shared", "tired of meetings", source="operator").record
    assert (found.version, found.category, found.tags, found.source) == (2, "self_state", ("m",), Origin.OPERATOR)
    assert vault.update_by_topic(None, "shared", "nothing").rejection.step == 4
    topic = {"tier": "register", "topic_id": "mood"}
    again = vault.add_memory("rested", "shared", "other", **topic)
    assert (again.action, again.record.id, again.record.version) == ("updated", found.id, 3)
    assert [one.text for one in vault.list_active()] == ["rested"]
    assert vault.add_memory(PROJECTS, "astraea", "project", **topic).action == "added"


def test_an_update_passes_the_gate(vault: VaultStore) -> None:
    """T-24: steps 1 to 5, and 7 against the others; a record is no duplicate of itself, a full vault no obstacle."""
    vault.settings = Vault(max_active=2)
    one = vault.add_memory("The blog runs on hugo", "shared", "project").record
    vault.add_memory("Whales sing at night in June", "shared", "other")
    assert vault.update_memory(one.id, text="The blog runs on hugo and nginx")
    assert vault.update_memory(one.id, text="heartbeat").rejection.step == 1
    assert vault.update_memory(one.id, text="whales sing at night").rejection.step == 7
    assert vault.update_memory(one.id, text="the pin is hidden: password: Kj38sLq-x9").rejection.step == 5


def test_promotion_keeps_the_id(vault: VaultStore) -> None:
    """V-48, V-65, T-24: register to canon under the same id, version + 1, source `promotion`; its own text will do."""
    one = vault.update_by_topic("goal", "shared", "Ship the release in May").record
    two = vault.promote_to_canon(one.id).record
    assert (two.id, two.version, two.tier, two.source, two.text) == (one.id, 2, Tier.CANON, Origin.PROMOTION, one.text)
    other = vault.update_by_topic("stack", "shared", "We are on python 3.11 for now").record
    assert (
        vault.promote_to_canon(other.id, "Python 3.11 is the only runtime").record.text
        == "Python 3.11 is the only runtime"
    )
    with pytest.raises(VaultError, match="canon already"):
        vault.promote_to_canon(one.id)
    assert (
        vault.promote_to_canon(vault.update_by_topic("x", "shared", "Bees dance").record.id, "heartbeat").rejection.step
        == 1
    )


def test_a_rejected_write_appends_nothing(vault: VaultStore) -> None:
    """V-43, V-56, V-57: neither a line nor a file; the secret is nowhere in the folder."""
    for text in ("heartbeat", "password: Kj38sLq-x9", "x" * 1201):
        assert not vault.add_memory(text, "shared", "other")
    assert list(vault.file.path.parent.iterdir()) == []
    vault.add_memory("Answer in German", "shared", "preference")
    before = vault.file.path.read_bytes()
    assert vault.add_memory("Answer in german!", "shared", "preference").rejection.step == 7
    assert vault.add_memory("Log everything", "shared", "other", tier="log").rejection.step == 2
    assert vault.file.path.read_bytes() == before


def test_bulk_add_validates_each_by_itself(vault: VaultStore) -> None:
    """V-33, V-65: a bad item stops no other; upsert, duplicate and capacity see the items before."""
    vault.settings = Vault(max_active=3)
    found = vault.bulk_add(
        [
            {"text": "Answer in German", "scope": "shared", "category": "preference"},
            {"text": "password: Kj38sLq-x9", "scope": "shared", "category": "other"},
            {"text": "answer in german", "scope": "shared", "category": "other"},
            {"text": "First state", "scope": "shared", "category": "plan", "tier": "register", "topic_id": "t"},
            {"text": "Second one", "scope": "shared", "category": "plan", "tier": "register", "topic_id": "t"},
            "no object",
            {"text": "Whales sing", "scope": "astraea", "category": "other", "unknown": 1},
            {"text": "Bees dance", "scope": "astraea", "category": "other"},
        ]
    )
    said = [one.action if one else one.rejection.step for one in found]
    assert said == ["added", 5, 7, "added", "updated", 3, "added", 8]
    assert found[4].record.version == 2 and len(vault.list_active()) == 3
    assert vault.bulk_add([]) == []


def test_bulk_delete_in_one_pass(vault: VaultStore) -> None:
    """V-32: a tombstone for each valid id, the others are named; nothing valid, nothing written."""
    assert vault.bulk_delete(["x"]).unknown == ("x",)
    ids = [vault.add_memory(text, "shared", "other").record.id for text in ("Bees dance", "Whales sing")]
    before = len(lines(vault))
    done = vault.bulk_delete([*ids, ids[0], "nobody"])
    assert [one.id for one in done.records] == ids and done.unknown == ("nobody",)
    assert len(lines(vault)) == before + 2 and vault.list_active() == []
    assert vault.bulk_delete(ids).records == () and len(lines(vault)) == before + 2


def test_compact_keeps_active_latest_versions_only(vault: VaultStore) -> None:
    assert vault.compact().removed == 0
    for text in ("one thing", "another one", "a third"):
        vault.update_by_topic("t", "shared", text)
    gone = vault.add_memory("Bees dance", "shared", "other").record
    vault.delete_memory(gone.id)
    done = vault.compact()
    assert (done.lines_before, done.lines_after, done.removed) == (5, 1, 4)
    assert [(one["version"], one["text"]) for one in lines(vault)] == [(3, "a third")]
    assert vault.update_by_topic("t", "shared", "a fourth").record.version == 4
    assert vault.vault_stats()["raw_lines"] == 2


def test_compact_keeps_what_cannot_be_read(vault: VaultStore) -> None:
    """V-34, V-59: a damaged line may be a record that a person can mend; it is counted, and stays byte for byte."""
    one = vault.add_memory("Answer in German", "shared", "preference").record
    two = vault.add_memory("Whales sing at night", "shared", "other").record
    vault.update_memory(one.id, text="Answer in English")
    path = vault.file.path
    damaged = path.read_bytes().replace(b'"text":"Whales', b'"text":\xffWhales')
    path.write_bytes(damaged + b'[7]\n{"id":"aaaaaaaaaaaa","text":"x","tier":"log"}\n')
    done = VaultStore(path.parent).compact()
    assert (done.lines_before, done.lines_after, done.unreadable) == (5, 4, 3)
    kept = path.read_bytes().splitlines()
    assert kept[1:] == [damaged.splitlines()[1], b"[7]", b'{"id":"aaaaaaaaaaaa","text":"x","tier":"log"}']
    assert [record.id for record in vault.list_active()] == [one.id]
    path.write_bytes(path.read_bytes().replace(b"\xff", b'"').replace(b'""', b'"'))
    assert vault.get(two.id) == two


def test_reading_proposing_and_figures(vault: VaultStore) -> None:
    """V-46, V-47, V-49, V-53, V-54, V-59: what only looks leaves every byte as it is."""
    vault.update_by_topic("a", "shared", "the blog runs on hugo and nginx")
    vault.update_by_topic("b", "shared", "whales sing at night in june")
    vault.update_by_topic("b", "shared", "the blog runs on hugo and caddy")
    before = vault.file.path.read_bytes()
    assert len(vault.find_consolidation_candidates("shared")) == 1
    assert vault.find_consolidation_candidates("shared", 0.99) == []
    assert [one.reasons for one in vault.propose_deletions()] != []
    assert [one.record.topic_id for one in vault.search("caddy blog", "shared")] == ["b", "a"]
    assert vault.build_snapshot("shared").count("\n- ") == 2 and vault.build_snapshot("astraea") == ""
    assert vault.vault_stats()["register_topics"] == 2
    assert vault.file.path.read_bytes() == before


def test_ids_are_unique(tmp_path: Path) -> None:
    ids = iter(["a" * 12, "a" * 12, "a" * 12, "b" * 12])
    vault = VaultStore(tmp_path, make_id=lambda: next(ids))
    vault.delete_memory(vault.add_memory("Bees dance", "shared", "other").record.id)
    assert vault.add_memory("Whales sing", "shared", "other").record.id == "b" * 12


def test_another_writers_lines_are_seen(vault: VaultStore, tmp_path: Path) -> None:
    """V-29, T-17: what was appended, compacted, erased or written over meanwhile counts at the next look."""
    other = VaultStore(tmp_path, scopes=("astraea",), clock=Ticking())
    one = vault.add_memory("Answer in German", "shared", "preference").record
    assert other.get(one.id) == one
    other.update_memory(one.id, text="Answer in English")
    assert vault.get(one.id).version == 2
    other.compact()
    assert vault.update_memory(one.id, text="Answer in French").record.version == 3
    path = vault.file.path
    path.write_bytes(path.read_bytes().replace(b"French", b"Polish"))
    assert other.get(one.id).text == "Answer in Polish"
    path.unlink()
    assert vault.list_active() == [] and not vault.file.exists()


def test_a_line_is_on_the_disk_when_a_write_returns(vault: VaultStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-58, T-17: a crash of the machine loses nothing that was said to be stored; what was rejected waits for none."""
    fsync, synced = os.fsync, []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino) or fsync(descriptor))
    one = vault.add_memory("Answer in French", "shared", "preference").record
    inode = vault.file.path.stat().st_ino
    assert synced == [inode]
    synced.clear()
    vault.delete_memory(one.id)
    assert synced == [inode]
    assert not vault.add_memory("heartbeat", "shared", "other")
    assert len(synced) == 1


def test_a_last_line_that_lacks_only_its_end_counts(vault: VaultStore) -> None:
    one = vault.add_memory("Answer in German", "shared", "preference").record
    path = vault.file.path
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert VaultStore(path.parent).get(one.id) == one
    assert vault.get(one.id) == one
    two = vault.add_memory("Whales sing", "shared", "other").record
    assert [record.id for record in VaultStore(path.parent).list_active()] == [one.id, two.id]
    assert vault.vault_stats()["raw_lines"] == 2


def test_a_record_of_a_scope_that_is_no_longer_configured(vault: VaultStore) -> None:
    """V-30, V-64: nothing new is written there; what is there can be tidied up."""
    one = vault.add_memory("Otters hold hands", "astraea", "other").record
    later = VaultStore(vault.file.path.parent)
    assert later.add_memory("Bees dance", "astraea", "other").rejection.step == 4
    assert later.update_memory(one.id, text="Otters float").record.version == 2
    assert later.delete_memory(one.id).version == 3


def _run_all(work: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=one) for one in work]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def test_threads_of_one_store_and_of_several(vault: VaultStore, tmp_path: Path) -> None:
    stores = [vault, vault, VaultStore(tmp_path), VaultStore(tmp_path)]

    def write(store: VaultStore) -> None:
        for number in range(50):
            assert store.update_by_topic("shared topic", "shared", f"state {number}")

    _run_all([lambda store=store: write(store) for store in stores])
    rows = lines(vault)
    assert [one["version"] for one in rows] == list(range(1, 201))
    assert len({one["id"] for one in rows}) == 1


def test_the_last_place_is_taken_once(tmp_path: Path) -> None:
    """T-17: the gate and the append are one step, so two writers cannot both find room."""
    stores = [VaultStore(tmp_path, Vault(max_active=1)) for _ in range(4)]
    found: list[bool] = []
    _run_all([lambda n=n: found.append(bool(stores[n].add_memory(NAMES[n], "shared", "other"))) for n in range(4)])
    assert sorted(found) == [False, False, False, True]
    assert len(lines(stores[0])) == 1


def upsert(folder: Path, number: int, count: int) -> None:
    """Write a register of its own, again and again."""
    store = VaultStore(folder)
    for step in range(count):
        assert store.update_by_topic(f"topic {number}", "shared", f"{NAMES[number]} {step}")


def version_of(topic: str, store: VaultStore) -> int:
    return next((one.version for one in store.list_active() if one.topic_id == topic), 0)


@pytest.mark.parametrize("count", [60, pytest.param(1_000, marks=pytest.mark.long)])
def test_eight_processes_lose_no_version(count: int, tmp_path: Path) -> None:
    """V-58, T-17: a register each, again and again, at once; a ninth writer is killed in the midst of it."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=upsert, args=(tmp_path, number, count)) for number in range(7)]
    victim = context.Process(target=upsert, args=(tmp_path, 7, 1_000_000))
    for one in (*workers, victim):
        one.start()
    store, deadline = VaultStore(tmp_path), time.monotonic() + 60
    while version_of("topic 7", store) < count // 4 and time.monotonic() < deadline:
        os.sched_yield()
    os.kill(victim.pid or 0, signal.SIGKILL)
    victim.join()
    at_kill = version_of("topic 7", store)
    again = context.Process(target=upsert, args=(tmp_path, 7, count))
    again.start()
    for one in (*workers, again):
        one.join(60)
        assert one.exitcode == 0
    versions: dict[str, list[int]] = {}
    for line in store.file.path.read_bytes().split(b"\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        versions.setdefault(row["topic_id"], []).append(row["version"])
    last = versions.pop("topic 7")
    assert last == list(range(1, len(last) + 1)) and len(last) >= at_kill + count
    assert versions == {f"topic {number}": list(range(1, count + 1)) for number in range(7)}


@pytest.mark.parametrize(
    ("written", "unreadable"),
    [
        *((torn, 1) for torn in (b'{"id":"aaaaaaaaaaaa","version":7,"te', b'{"id":', b"\xff\xfe")),
        (b'{"id":"bbbbbbbbbbbb","version":1,"text":"a"},{"id":"cccccccccccc","version":1,"text":"b"}\n', 1),
        (b'{"id":"x","text":"a"},{"id":"y","text":"b"}\n[\n', 2),
    ],
)
def test_what_is_no_record_is_left_out(vault: VaultStore, written: bytes, unreadable: int) -> None:
    """V-16, V-58, T-17: what a crash has torn, or nobody can read, harms neither the lines before nor those after."""
    one = vault.add_memory("Answer in German", "shared", "preference").record
    with vault.file.path.open("ab") as stream:
        stream.write(written)
    for store in (vault, VaultStore(vault.file.path.parent)):
        assert [record.id for record in store.list_active()] == [one.id]
    two = vault.add_memory("Whales sing", "shared", "other").record
    for store in (vault, VaultStore(vault.file.path.parent)):
        assert [record.id for record in store.list_active()] == [one.id, two.id]
        assert store.vault_stats()["unreadable_lines"] == unreadable
