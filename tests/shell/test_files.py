"""The files beside the store, how lines are kept in them, and the way back: strip on a saved store."""

import errno
import fcntl
import os
import stat
import threading
from copy import deepcopy
from pathlib import Path

import pytest
from fake_host.matching import refers_to
from full_disk import full_disk
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_ledger.errors import Problem, StoreError
from memory_ledger.host.installation import strip_metadata
from memory_ledger.ledger.adopt import KEY_BYTES
from memory_ledger.ledger.changes import Supersede
from memory_ledger.records import LEDGER_KEYS
from memory_ledger.store import damage, files, lines
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.lines import LineStore, RetryingLines
from memory_ledger.store.saving import drop_leftovers, staging
from told import Told


def test_no_flipped_bit_is_another_key(tmp_path: Path) -> None:
    """T-69: else nothing that is sealed would count any more; a key without a check is read as well, and gets one."""
    key, path = files.new_key(), tmp_path / files.KEY_FILE
    path.write_text(key.hex())
    assert files.read_key(tmp_path) == key
    files.write_key(tmp_path, key)
    data = path.read_bytes()
    flipped = [bytes([*data[:at], data[at] ^ 1 << bit, *data[at + 1 :]]) for at in range(len(data)) for bit in range(8)]
    assert {files.parse_key(one) for one in flipped} <= {key, None}
    assert sum(files.parse_key(one) is None for one in flipped) > 8 * 72 - 30  # one letter in two cases is one digit


@pytest.mark.parametrize("text", [None, "", "zz", "ab", "ab" * 31, "ab" * 33, "\u00e9" * 64, "a" * 63])
def test_a_missing_or_damaged_key_is_replaced(text: str | None, tmp_path: Path) -> None:
    """T-69: it counts as lost; the new one is private, and the same one ever after."""
    folder = tmp_path / "new" / "default"
    path = folder / files.KEY_FILE
    if text is not None:
        folder.mkdir(parents=True)
        path.write_text(text, "utf-8")
        path.chmod(0o644)
    assert files.read_key(folder) is None
    key = files.new_key()
    files.write_key(folder, key)
    assert len(key) == KEY_BYTES and files.new_key() != key
    assert files.read_key(folder) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_replaced_in_one_step_once_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """design.md (Storage), T-64: a crash of the machine leaves the old content or the new one, never an empty file."""
    path, synced = tmp_path / "state.json", list[tuple[str, int]]()
    files.write_atomically(path, "old")
    monkeypatch.setattr(os, "fsync", lambda one: synced.append((path.read_text(), os.fstat(one).st_size)))
    inode = path.stat().st_ino
    files.write_atomically(path, "newer")
    assert synced == [("old", len("newer"))]
    assert path.read_text() == "newer" and path.stat().st_ino != inode
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_waited_while_the_file_was_replaced_writes_into_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-74, T-17: a line that another writer appends to what is no longer the file would be lost."""
    path, flock, waited = tmp_path / "lines.jsonl", fcntl.flock, list[int]()
    LineStore(path).append([{"n": 1}])

    def lock_late(descriptor: int, how: int) -> None:
        if not waited:
            waited.append(descriptor)
            files.write_atomically(path, '{"n":2}\n')
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    LineStore(path).append([{"n": 3}])
    assert LineStore(path).read() == [{"n": 2}, {"n": 3}]


OWNER = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o640])
def test_owner_and_mode_stay(mode: int, tmp_path: Path) -> None:
    """design.md (Storage): a host that runs as somebody else reads its files as before; a secret stays one."""
    path = tmp_path / "state.json"
    files.write_atomically(path, "old")
    path.chmod(mode)
    os.chown(path, *OWNER)
    files.write_atomically(path, "new")
    found = path.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (mode, *OWNER)
    files.write_atomically(path, "secret", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_file_that_cannot_be_given_away_is_written_all_the_same(tmp_path: Path, monkeypatch) -> None:

    def refuse(*_: int) -> None:
        raise PermissionError

    path = tmp_path / "state.json"
    path.write_text("old")
    path.chmod(0o664)
    monkeypatch.setattr(os, "fchown", refuse)
    files.write_atomically(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o664)


def test_a_folder_in_the_way_of_a_write_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.mkdir()
    (path / "inside").write_text("kept")
    files.write_atomically(path, "new")
    assert path.read_text() == "new"
    assert (tmp_path / "state.json.damaged/inside").read_text() == "kept"


def test_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    files.write_atomically(path, "old")
    with full_disk(path), pytest.raises(OSError, match=r"state\.json"):
        files.write_atomically(path, "new")
    assert path.read_text() == "old"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None, exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def test_what_a_crash_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    """T-64: a rewriting that was killed leaves no copy of the memories behind; one that goes on is let be."""
    left = [tmp_path / name for name in (".ledger_backup.jsonl.4711.1.tmp", ".somebody.tmp")]
    for path in left:
        path.write_text("what a memory says")
    left.append(tmp_path / f"{files.STAGING}.4711.1")
    left[-1].mkdir()
    for path in left:
        os.utime(path, (0, 0))
    with files.replacing(tmp_path / "state.json") as (_, put_in_place), staging(tmp_path) as written:
        assert drop_leftovers(tmp_path) == 2 and written.is_dir()
        put_in_place()
    assert {path.name for path in tmp_path.iterdir()} == {".somebody.tmp", "state.json"}


def test_a_folder_that_a_host_takes_away_meanwhile_is_not_in_the_way(tmp_path: Path) -> None:
    """T-64: it saves its index into one that is gone a moment later, whoever reads the files beside it."""
    (tmp_path / "kept").write_bytes(b"")
    stopped = threading.Event()

    def save() -> None:
        while not stopped.is_set():
            with staging(tmp_path):
                pass

    host = threading.Thread(target=save)
    host.start()
    try:
        assert {tuple(files.files_below(tmp_path)) for _ in range(500)} == {(tmp_path / "kept",)}
    finally:
        stopped.set()
        host.join()


@settings(max_examples=60)
@given(rows=st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), max_size=5))
def test_lines_come_back_as_they_were_written(tmp_path_factory, rows) -> None:
    """T-70: any text at all, line separators and halves of surrogate pairs included."""
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    for row in rows:
        LineStore(path).append([row])
    LineStore(path).append(rows)
    assert list(files.read_lines(path)) == rows + rows


@pytest.mark.parametrize("torn", [b'{"a": 1}\n{"torn": ', b'{"torn": ', b'{"a": 1}\n\xe2\x82', b"\n"])
def test_line_that_a_crash_tore_takes_no_other_with_it(torn: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(torn)
    before = list(files.read_lines(path))
    LineStore(path).append([{"b": 2}, {"c": 3}])
    LineStore(path).append([{"d": 4}])
    assert list(files.read_lines(path)) == [*before, {"b": 2}, {"c": 3}, {"d": 4}]
    assert path.read_bytes().count(b"\n") == torn.count(b"\n") + 3 + (not torn.endswith(b"\n"))


def test_torn_and_foreign_lines_are_left_out_and_counted(tmp_path: Path, caplog) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1}\n\n[1]\n7\n\xff\xfe\n{"b": 2}\n{"torn": ')
    assert list(files.read_lines(path)) == [{"a": 1}, {"b": 2}]
    [told] = [record.getMessage() for record in caplog.records]
    assert told.startswith(f"{path} is not readable in 4 lines; allowed: ") and told.endswith("these are kept")


@pytest.mark.parametrize("data", [b"{", b"[1]", b"7", b"\xff", b""])
def test_damaged_object_is_none_and_logged(data: bytes, tmp_path: Path, caplog) -> None:
    """C-75: damage is never raised; a file that is not there is nothing to speak of."""
    path = tmp_path / "object.json"
    assert files.read_object(path) is None
    assert caplog.records == []
    path.write_bytes(data)
    assert files.read_object(path) is None
    assert len(caplog.records) == 1


@pytest.fixture
def saved(box):
    """A saved store with four memories: one beaten by another, one alone, one that was never classified."""
    ids = [box.insert(text, tool="x", nested={"a": [1]}) for text in ("Python 3.9", "Python 3.11", "likes tea")]
    box.store.sweep()
    box.classify(*ids)
    box.store.apply([Supersede(winner_id=ids[1], loser_id=ids[0], at=box.clock(), cycle=0, rule="C-47")])
    winner = box.read(ids[1])
    box.insert("never looked at")
    lineage = winner.lineage.model_copy(update={"supersedes_ids": (ids[0], ids[2])})
    box.docs[ids[1]].metadata["lineage"] = lineage.model_dump(mode="json")
    relationships = ({"type": "supports", "target": ids[0], "note": "kept"},)  # a tuple, as a process may hold it
    box.docs[ids[2]].metadata["quality"] = {"score": 0.5, "citedBy": [ids[0], ids[1]], "relationships": relationships}
    box.memory.save()
    return box


def snapshot(box) -> dict[str, tuple[str, dict]]:
    """Return text and metadata of every document."""
    return {one: (document.page_content, deepcopy(document.metadata)) for one, document in box.docs.items()}


def vectors(box) -> list[list[float]]:
    return [box.memory.db.index.reconstruct(position).tolist() for position in range(box.memory.db.index.ntotal)]


def test_strip_takes_the_ledgers_keys_and_nothing_else(saved) -> None:
    """P-05, T-61: text, other metadata, order, positions and vectors are what they were; a second run finds nothing."""
    before, stored, faiss_file = snapshot(saved), vectors(saved), (saved.folder / "index.faiss").read_bytes()
    docstore = saved.folder / "index.pkl"
    docstore.chmod(0o660)
    os.chown(docstore, *OWNER)
    assert strip_metadata(saved.folder) == (3, 4)
    found = docstore.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o660, *OWNER)
    assert (saved.folder / "index.faiss").read_bytes() == faiss_file
    assert strip_metadata(saved.folder) == (0, 4)
    saved.restart()
    assert snapshot(saved) == {
        one: (text, {key: value for key, value in metadata.items() if key not in LEDGER_KEYS})
        for one, (text, metadata) in before.items()
    }
    assert list(saved.docs) == list(before)
    assert vectors(saved) == stored
    assert not [path for path in saved.folder.iterdir() if path.name.endswith(".tmp")]


@pytest.mark.parametrize("only_pointers", [False, True])
def test_dry_run_says_the_same_and_writes_nothing(only_pointers: bool, saved) -> None:
    before = {path.name: path.read_bytes() for path in saved.folder.iterdir()}
    said = strip_metadata(saved.folder, only_pointers=only_pointers, is_dry_run=True)
    assert {path.name: path.read_bytes() for path in saved.folder.iterdir()} == before
    assert strip_metadata(saved.folder, only_pointers=only_pointers) == said


def test_hidden_pointers_are_no_ids_to_the_host_and_read_the_same(saved) -> None:
    """T-61: the host's own matcher finds none of the ids; a later installation finds all of them."""
    ids = set(saved.docs)
    before, memories = snapshot(saved), {one: saved.read(one) for one in saved.docs}
    linked = [one for one in ids if refers_to({**before[one][1], "id": None}, ids)]
    assert len(linked) == 3
    assert strip_metadata(saved.folder, only_pointers=True) == (3, 4)
    assert strip_metadata(saved.folder, only_pointers=True) == (0, 4)
    saved.restart()
    for one, document in saved.docs.items():
        assert not refers_to({**document.metadata, "id": None}, ids)
        assert saved.read(one) == memories[one]
        linking = {"lineage": None, "quality": None}
        assert {**document.metadata, **linking} == {**before[one][1], **linking}
    assert saved.adopt().classified[0].memory_id == "m0004"
    assert len(saved.journal()) == 1


def test_missing_store_says_what_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"index\.pkl is missing; allowed: a memory folder"):
        strip_metadata(tmp_path)


def test_store_that_a_host_is_writing_is_read_when_it_is_whole(saved, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host writes in place: a command that comes at that moment waits for it."""
    path = saved.folder / "index.pkl"
    whole = path.read_bytes()
    path.write_bytes(whole[:9])
    monkeypatch.setattr("time.sleep", lambda seconds: path.write_bytes(whole))
    assert list(read_docstore(saved.folder)[1]) == list(saved.docs)


def test_every_truncation_of_a_store_is_refused(saved, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    path = saved.folder / "index.pkl"
    whole = path.read_bytes()
    for length in range(0, len(whole), 31):
        path.write_bytes(whole[:length])
        with pytest.raises(StoreError):
            strip_metadata(saved.folder)
        assert path.stat().st_size == length


DAMAGED = b'{"torn": \n\xff\xfe\n[7]\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def rows(*numbers: int) -> list[dict[str, int]]:
    return [{"n": one} for one in numbers]


def keep_last(found: list[dict]) -> list[dict]:
    return found[-1:]


def test_a_long_file_is_shortened_and_what_cannot_be_read_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70, C-75: once it has doubled, to what counts; damaged lines are named, and kept byte for byte."""
    path.write_bytes(DAMAGED)
    kept_lines = LineStore(path, is_durable=False, keep=keep_last)
    kept_lines.append(rows(1, 2))
    assert kept_lines.read() == rows(1, 2)
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    kept_lines.append(rows(3))
    assert path.read_bytes() == b'{"n":3}\n' + DAMAGED
    short = kept_lines.size
    kept_lines.append(rows(4))
    assert kept_lines.read() == rows(3, 4)
    while kept_lines.size >= short + 8:
        kept_lines.append(rows(5))
    assert kept_lines.read() == rows(5)
    assert any("not readable in 3 lines" in one.found and "these are kept" in one.allowed for one in taken(path))


def taken(path: Path) -> list[Problem]:
    return [one for one in damage.notices.take() if one.where == str(path)]


def test_a_private_file_stays_private(path: Path) -> None:
    """V-17: when it is made, and when it is rewritten, whatever the host's index allows."""
    path.with_name("index.pkl").touch(0o664)
    kept_lines = LineStore(path, mode=0o600)
    for _ in range(2):
        kept_lines.append(rows(1, 2))
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        kept_lines.rewrite(keep_last)
        assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_owed_comes_later_in_order_and_however_much_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74: the oldest go where nothing can be written; where it can, all of it is."""
    monkeypatch.setattr(lines, "MOST_OWED", 3)
    told = Told()
    kept_lines = RetryingLines(LineStore(path), told)
    assert kept_lines.append(rows(1, 2, 3, 4, 5))
    with full_disk(path):
        assert not kept_lines.append(rows(6, 7)) and not kept_lines.append(rows(8, 9))
    assert kept_lines.append()
    assert files.read_lines(path) == rows(1, 2, 3, 4, 5, 7, 8, 9)
    assert {one.found for one in told.heard} == {f"not written ({os.strerror(errno.ENOSPC)})"}


def test_a_file_that_cannot_be_shortened_loses_and_doubles_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70, C-74: the rows are written; it is told, and tried again once the file has doubled."""
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    told = Told()
    kept_lines = RetryingLines(LineStore(path, keep=keep_last), told)

    def refuse(*_args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(Path, "replace", refuse)
        assert kept_lines.append(rows(1, 2)) and kept_lines.append(rows(3))
    assert files.read_lines(path) == rows(1, 2, 3) and not told.heard
    assert [one.found for one in taken(path)] == [f"not shortened ({os.strerror(errno.ENOSPC)})"]
    assert kept_lines.append(rows(4, 5))
    assert files.read_lines(path) == rows(5)
