"""The chain and the signatures on disk: tampering, crashes, keys (Q-31, T-30)."""

import json
import os
import random
import stat
import threading
from pathlib import Path

import pytest
from fake_host import FixedClock
from memory_ledger.errors import StoreError
from memory_ledger.host.quality import chain
from memory_ledger.host.quality.chain import ChainFile, ChainKeeper, KeyRing
from memory_ledger.inbox import SignAnew
from memory_ledger.setting_groups import SignatureAlgorithm
from memory_ledger.store import files

HMAC, ED25519 = SignatureAlgorithm.HMAC, SignatureAlgorithm.ED25519


def keeper_of(box, algorithm=HMAC) -> ChainKeeper:
    return ChainKeeper(box.store, algorithm)


def watching(box, algorithm=HMAC) -> ChainKeeper:
    """Return a keeper for which what comes now is new."""
    box.adopt()
    keeper = keeper_of(box, algorithm)
    assert keeper.catch_up() == 0
    return keeper


def started(box) -> ChainKeeper:
    """Return the keeper of a new process."""
    box.restart(is_saved=True)
    box.adopt()
    return keeper_of(box)


def verify(box, algorithm=HMAC):
    return ChainFile(box.folder, algorithm, box.clock).verify(box.store.read_as_found)


def first_of(report):
    return next(iter(report.in_order), None)


def filled(box, count: int = 4, algorithm=HMAC) -> tuple[ChainKeeper, list[str]]:
    """Chain some memories that came while the keeper was watching."""
    keeper = watching(box, algorithm)
    ids = [box.insert(f"User has {number} cats in town {number}") for number in range(count)]
    box.adopt()
    assert keeper.catch_up() == count
    return keeper, ids


def test_each_memory_is_chained_once(box) -> None:
    keeper, ids = filled(box)
    before = (box.folder / files.CHAIN_FILE).read_bytes()
    assert [line["id"] for line in box.lines(files.CHAIN_FILE)] == ids
    assert keeper.catch_up() == 0
    box.store.count_recall(ids)
    box.learn("User lives in Oslo")
    assert keeper.catch_up() == 1
    assert (box.folder / files.CHAIN_FILE).read_bytes().startswith(before)
    assert verify(box).is_intact


def test_a_line_is_on_the_disk_before_its_head_says_so(box, monkeypatch) -> None:
    """Q-31, T-30: else a crash of the machine left a chain that seems cut off."""
    keeper, _ = filled(box, 1)
    synced: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "fsync", lambda one: synced.append((os.fstat(one).st_ino, os.fstat(one).st_size)))
    box.learn("User lives in Oslo")
    assert keeper.catch_up() == 1
    chained, head = ((box.folder / name).stat() for name in (files.CHAIN_FILE, files.CHAIN_HEAD_FILE))
    places = [synced.index((one.st_ino, one.st_size)) for one in (chained, head)]
    assert places == sorted(places)


def test_what_waits_to_be_classified_is_chained_when_it_is(box) -> None:
    """T-30: a memory without a status has no source yet."""
    keeper = watching(box)
    first, second = box.insert("User has a cat"), box.insert("User has a dog")
    box.adopt(limit=1)
    assert keeper.catch_up() == 1
    box.adopt()
    assert keeper.catch_up() == 1
    assert [line["id"] for line in box.lines(files.CHAIN_FILE)] == [first, second]


def test_a_host_deletion_is_a_tombstone(box) -> None:
    keeper, ids = filled(box)
    box.delete(ids[1])
    keeper.catch_up()
    box.delete(ids[2])
    started(box).catch_up()
    assert [line["id"] for line in box.lines(files.CHAIN_FILE) if line.get("tombstone")] == [ids[1], ids[2]]
    assert verify(box).is_intact


def test_a_rewrite_by_the_host_is_another_line(box) -> None:
    keeper, ids = filled(box)
    for content in (SIZE, {**SIZE, "value": 44}):
        box.update(ids[0], "User has a parrot", content=dict(content))
        box.adopt()
        assert keeper.catch_up() == 1 and verify(box).is_intact
    assert keeper.catch_up() == 0
    box.docs[ids[1]].page_content = "User has 99 cats"
    started(box).catch_up()
    report = verify(box)
    assert [(one.memory_id, one.reason[:15]) for one in report.breaks] == [(ids[1], "text or content")]


@pytest.mark.parametrize("torn", [b'{"at":"2026', b"{"])
def test_a_line_that_a_crash_tore_is_written_again(box, torn) -> None:
    filled(box)
    path = box.folder / files.CHAIN_FILE
    path.write_bytes(path.read_bytes() + torn)
    box.insert("User lives in Oslo")
    assert started(box).catch_up() == 1
    assert verify(box).is_intact


def test_a_line_that_was_whole_is_never_taken_away(box) -> None:
    """Q-31: a last line whose end was altered is a break, not a crash."""
    _, ids = filled(box)
    path = box.folder / files.CHAIN_FILE
    path.write_bytes(path.read_bytes()[:-1])
    assert verify(box).is_intact
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()
    box.insert("User lives in Oslo")
    started(box).catch_up()
    assert path.read_bytes().startswith(before)
    first = first_of(verify(box))
    assert first is not None and first.seq == len(ids)


@pytest.mark.parametrize(
    ("algorithm", "count"), [(HMAC, 200), (ED25519, 100), pytest.param(HMAC, 5_000, marks=pytest.mark.long)]
)
def test_alterations_of_one_byte(box, algorithm, count) -> None:
    """Q-31, T-30: in a text, in the chain, in a signature; none is missed, and each is named."""
    keeper, ids = filled(box, 6, algorithm)
    box.delete(ids.pop())
    keeper.catch_up()
    file, chance = keeper.file, random.Random(20260301)
    whole = file.path.read_bytes()
    signatures = [json.loads(line)["signature"]["value"] for line in whole.splitlines()]
    for number in range(count):
        kind = number % 3
        if kind == 0:
            memory_id = chance.choice(ids)
            document = box.docs[memory_id]
            text = document.page_content
            place = chance.randrange(len(text))
            document.page_content = (
                text[:place] + chr(ord(text[place]) ^ (1 << chance.randrange(7))) + text[place + 1 :]
            )
            report = file.verify(box.store.read_as_found)
            document.page_content = text
            assert [one.memory_id for one in report.breaks] == [memory_id]
            continue
        place = chance.randrange(len(whole))
        if kind == 2:
            place = whole.index(chance.choice(signatures).encode()) + chance.randrange(len(signatures[0]))
        altered = whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :]
        file.path.write_bytes(altered)
        first = first_of(file.verify(box.store.read_as_found))
        file.path.write_bytes(whole)
        assert first is not None and first.seq == whole[:place].count(b"\n") + 1, (kind, place)
    assert file.verify(box.store.read_as_found).is_intact


def test_a_chain_that_was_cut_off_does_not_heal_by_itself(box) -> None:
    """Q-31: a new process goes on behind the gap; until a person agrees to a new chain, it is there to be seen."""
    _, ids = filled(box)
    path = box.folder / files.CHAIN_FILE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    first = first_of(verify(box))
    assert first is not None and first.seq == 3 and "there were 4 lines" in first.reason
    box.docs[ids[3]].page_content = "User has 99 cats"
    for _ in range(2):
        box.restart(is_saved=True)
        box.learn("User lives in Oslo")
        keeper_of(box).catch_up()
    assert [(one.seq, one.memory_id) for one in verify(box).breaks] == [(3, ids[2])]
    path.unlink()
    assert not verify(box).is_intact


def test_a_head_that_is_gone_is_named(box) -> None:
    """Q-31: nobody could tell whether lines were cut off."""
    filled(box)
    for damage in (None, "x", "[]", '{"count":"4"}'):
        (box.folder / files.CHAIN_HEAD_FILE).unlink() if damage is None else (
            box.folder / files.CHAIN_HEAD_FILE
        ).write_text(damage)
        [found] = verify(box).breaks
        assert found.seq == 4 and files.CHAIN_HEAD_FILE in found.reason


SIZE = {"subject": "Adam", "property": "shoe size", "value": 43, "since": "May", "scope": ["summer"]}


@pytest.mark.parametrize(
    "altered",
    [
        *({**SIZE, "value": 44}, {**SIZE, "value": "43"}, {**SIZE, "subject": "adam"}),
        *({**SIZE, "since": "June"}, {**SIZE, "scope": []}),
        {key: value for key, value in SIZE.items() if key != "scope"},
        json.dumps(SIZE),
        None,
    ],
)
def test_altered_content_is_found(box, altered) -> None:
    """Q-01, Q-31, T-30: whatever of it, also where no property is read from it, and where it is gone."""
    keeper = watching(box)
    one, other = box.insert("About Adam's feet", content=dict(SIZE)), box.learn("User has a dog")
    assert keeper.catch_up() == 2 and verify(box).is_intact
    box.docs[one].metadata["content"] = dict(reversed(SIZE.items()))
    assert verify(box).is_intact  # the same content, stored in another order
    box.docs[one].metadata["content"] = altered
    assert [(found.memory_id, found.reason) for found in verify(box).breaks] == [(one, "text or content changed since")]
    box.docs[one].metadata["content"] = dict(SIZE)
    box.docs[other].metadata["content"] = dict(SIZE)
    assert [found.memory_id for found in verify(box).breaks] == [other]


def spoil(box, kind: str, ids: list[str]) -> list[int]:
    """Break the chain in one way; return the lines that are broken then."""
    path = box.folder / files.CHAIN_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    if kind == "text":
        box.docs[ids[1]].page_content = "User has 99 cats"
    elif kind == "line":
        path.write_bytes(b"".join(lines).replace(b'"seq":2,', b'"seq":7,'))
    elif kind == "cut":
        path.write_bytes(b"".join(lines[:2]))
    elif kind == "gap":
        path.write_bytes(b"".join([lines[0], *lines[2:]]))
    elif kind == "keys":
        (box.folder / files.SIGNING_KEYS_FILE).unlink()
    else:
        (box.folder / files.CHAIN_HEAD_FILE).unlink()
    return [one.seq for one in verify(box).in_order]


@pytest.mark.parametrize("kind", ["text", "line", "cut", "gap", "keys", "head"])
@pytest.mark.parametrize("is_running", [True, False])
def test_a_break_is_healed_by_signing_anew(box, kind, is_running) -> None:
    """Q-31: as a person agrees, every memory as it is now, with another key; the break is on record, the next shows."""
    keeper, ids = filled(box)
    broken, old = spoil(box, kind, ids), keeper.file.keys.active
    assert broken
    if not is_running or kind == "keys":
        keeper = started(box)
    found = keeper.sign_anew(SignAnew(reason="the disk was repaired"))
    report = verify(box)
    assert found and report.is_intact and not report.signature_errors and {*report.lines} == {*ids}
    assert keeper.sign_anew(SignAnew(reason="again")) == [] and keeper.file.keys.active != old
    rows = [row for row in box.lines(files.JOURNAL_FILE) if row["action"] == "sign-anew"]
    assert [row["line"] for row in rows] == [one.seq for one in found]
    assert {(row["rule"], *row["reasons"]) for row in rows} == {("Q-31", "the disk was repaired")}
    box.learn("User lives in Oslo")
    assert keeper.catch_up() == 1 and verify(box).is_intact
    box.docs[ids[0]].page_content = "User has 77 cats"
    assert [one.memory_id for one in verify(box).breaks] == [ids[0]]


def test_a_large_store_is_chained_a_piece_at_a_time(box) -> None:
    old = [box.insert(f"User has {number} cats") for number in range(5)]
    box.adopt()
    keeper = keeper_of(box)
    assert keeper.catch_up(limit=2) == 2
    box.restart(is_saved=True)
    box.adopt()
    box.clock.advance(days=1)
    box.learn("User lives in Oslo")
    keeper = keeper_of(box)
    assert [keeper.catch_up(limit=2) for _ in range(4)] == [2, 2, 0, 0]
    assert [line.get("unsigned", False) for line in box.lines(files.CHAIN_FILE)] == [True] * len(old) + [False]
    assert verify(box).is_intact


def test_two_threads_write_one_chain(box) -> None:
    """T-30: the end of a turn and somebody who remembers something come at the same time."""
    box.adopt()
    keeper = keeper_of(box)
    for number in range(40):
        box.insert(f"User has {number} cats in town {number}")
    box.adopt(limit=100)
    threads = [threading.Thread(target=keeper.catch_up, kwargs={"limit": 20}) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    keeper.catch_up()
    assert len(box.lines(files.CHAIN_FILE)) == 40
    assert verify(box).is_intact


def ring(tmp_path: Path, algorithm=HMAC) -> KeyRing:
    return KeyRing(tmp_path, algorithm, FixedClock())


@pytest.mark.parametrize("algorithm", [HMAC, ED25519])
def test_a_signature_holds_for_what_was_signed(tmp_path, algorithm) -> None:
    keys = ring(tmp_path, algorithm)
    assert keys.active is None
    signature = keys.sign(b"data")
    assert signature["type"] == algorithm.value and signature["key"] == keys.active
    for one in (keys, ring(tmp_path, algorithm)):
        assert one.check(b"data", signature) is None
        assert one.check(b"date", signature) == "does not fit"
    assert stat.S_IMODE((tmp_path / files.SIGNING_KEYS_FILE).stat().st_mode) == 0o600
    assert "secret" not in keys.describe() and keys.describe()["algorithm"] == algorithm.value


@pytest.mark.parametrize("damage", ["{", '{"keys": 5}', '{"keys": {"a": 5}, "active": "a"}', '{"digests": "zz"}'])
def test_damaged_keys_stop_nothing(box, damage) -> None:
    """Q-31: what they signed cannot be checked, which is said; what comes is signed with new ones."""
    _, ids = filled(box)
    (box.folder / files.SIGNING_KEYS_FILE).write_text(damage)
    assert {one.memory_id for one in verify(box).breaks} == {*ids}
    box.insert("User lives in Oslo")
    assert started(box).catch_up() == 1
    assert {one.memory_id for one in verify(box).breaks} == {*ids}


def test_without_cryptography(tmp_path, monkeypatch) -> None:
    """T-30, P-02: HMAC signs; Ed25519 cannot be asked for, and what it signed cannot be checked."""
    signature = ring(tmp_path, ED25519).sign(b"data")
    assert ring(tmp_path / "a", SignatureAlgorithm.AUTO).sign(b"data")["type"] == "ed25519"
    monkeypatch.setattr(chain, "HAS_ED25519", False)
    assert ring(tmp_path / "b", SignatureAlgorithm.AUTO).sign(b"data")["type"] == "hmac-sha256"
    with pytest.raises(StoreError, match="cryptography"):
        ring(tmp_path / "c", ED25519).sign(b"data")
    assert "cryptography" in (ring(tmp_path).check(b"data", signature) or "")
    with pytest.raises(StoreError, match="cryptography"):
        ring(tmp_path).sign(b"data")


WRONG = {
    "value": [lambda value: "00", lambda value: "zz", lambda value: "", str.upper],
    "key": [lambda key: "other"],
    "type": [lambda kind: "none"],
}


@pytest.mark.parametrize("algorithm", [HMAC, ED25519])
def test_a_wrong_signature(tmp_path, algorithm) -> None:
    keys = ring(tmp_path, algorithm)
    signature = dict(keys.sign(b"data"))
    for key, changes in WRONG.items():
        for change in changes:
            assert keys.check(b"data", {**signature, key: change(signature[key])}) is not None
    assert keys.check(b"data", {**signature, "more": "x"}) is not None
