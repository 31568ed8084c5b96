"""A memory that was erased is in no file any more, and nothing brings it back (T-64)."""

import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from full_disk import full_disk
from memory_ledger import cli
from memory_ledger.host.quality.chain import ChainKeeper
from memory_ledger.inbox import Arrive, ConflictDecision, Erase, Refresh
from memory_ledger.ledger.changes import Qualify
from memory_ledger.records import Relationship
from memory_ledger.setting_groups import SignatureAlgorithm
from memory_ledger.store import files
from memory_ledger.store.backup_file import BackupFile, id_digest
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.erase import Trace, files_with
from memory_ledger.store.requests import Inbox
from memory_ledger.store.restore import OrderHandler
from memory_ledger.store.tables import put_archive
from test_backup import Life, fill, life, recorded, status_of  # noqa: F401 - fixtures

pytestmark = pytest.mark.usefixtures("recorded")


def erase(one: Life, memory_id: str) -> str:
    """Order it, and let it be carried out; return what was said."""
    one.order(memory_id, kind=Erase)
    [words] = one.carry_out()
    return words


def pick(one: Life) -> tuple[dict[str, str], str]:
    """Fill a folder; return the texts, and the id of the memory that is to be erased."""
    texts, _ = fill(one)
    return texts, list(texts)[4]


def test_nothing_of_it_is_left(life) -> None:  # noqa: F811
    """T-64: the store, the backup, the journal, the access counts, and the pointers of others."""
    texts, _ = fill(life)
    old, new = list(texts)[:2]
    life.box.store.count_recall([old, new])
    assert json.loads(status_of(life.box)[old])[1]["superseded_by"] == new
    (life.box.folder / ".saving.4711.1").mkdir()
    (life.box.folder / ".saving.4711.1" / "index.pkl").write_text(texts[new])  # as a host leaves it that dies saving
    words = erase(life, new)
    assert words.startswith("a memory was erased (store 1, pointers of others 1, ") and "ledger_backup.jsonl 2" in words
    assert "what was set aside 1" in words
    assert "no file of the folder holds it any more" in words
    assert f"{files.JOURNAL_FILE} 1" in words and f"{files.CONFLICTS_FILE} 1" in words
    assert list(files_with(Trace((new,), (texts[new],)), life.box.folder)) == []
    assert life.texts() == {one: text for one, text in texts.items() if one != new}
    lineage = json.loads(status_of(life.box)[old])[1]
    assert (lineage["superseded_by"], lineage["deprecated_reason"]) == (None, None)
    assert life.box.store.conflicts.get_conflicts() == []
    assert life.box.adopt().classified == []
    assert life.box.validity(old) == "deprecated"


def test_it_does_not_come_with_what_waits_to_be_brought_in(life, capsys) -> None:  # noqa: F811
    """T-64: an archive that was asked for and has not come yet is one of the pack's files."""
    texts, gone = pick(life)
    life.box.memory.save()
    assert cli.main(["export", "--folder", str(life.box.folder)]) == 0
    lines = capsys.readouterr().out
    assert texts[gone] in lines
    archive = put_archive(life.box.folder, lines)
    Inbox(life.box.folder).append(Arrive(archive=archive), at=life.box.clock(), by=None)
    words = erase(life, gone)
    assert "no file of the folder holds it any more" in words
    life.box.adopt()
    assert gone not in life.texts() and len(life.texts()) == len(texts) - 1


@pytest.mark.parametrize("is_running", [True, False])
def test_the_chain_holds_for_the_others(life, monkeypatch, is_running) -> None:  # noqa: F811
    """T-64, Q-31: of an erased memory it keeps neither id nor digest, in a running host or in a new process."""
    texts, gone = pick(life)
    keeper = ChainKeeper(life.box.store, SignatureAlgorithm.HMAC)
    keeper.catch_up()
    [before] = [line for line in keeper.file.path.read_bytes().splitlines() if gone.encode() in line]
    if not is_running:
        keeper = ChainKeeper(life.box.store, SignatureAlgorithm.HMAC)
    monkeypatch.setattr(
        life.orders, "_forget", lambda trace: {files.CHAIN_FILE: sum(map(keeper.erase, trace.ids))}, raising=True
    )
    words = erase(life, gone)
    assert "chain.jsonl 1" in words and "no file of the folder holds it any more" in words
    keeper.catch_up()
    life.box.insert("User lives in Oslo")
    life.box.adopt()
    keeper.catch_up()
    data = keeper.file.path.read_bytes()
    assert gone.encode() not in data and json.loads(before)["hash"].encode() not in data
    report = keeper.file.verify(life.box.store.read_as_found)
    assert report.is_intact and len(report.lines) == len(texts)


def test_what_was_asked_of_others_is_still_asked(life) -> None:  # noqa: F811
    """T-64, Q-28: the memory goes out of a request about several, and a request about it alone goes."""
    texts, _ = fill(life)
    other, gone = list(texts)[3:5]
    inbox = Inbox(life.box.folder)
    for memories in ((other, gone), (gone,)):
        inbox.append(Refresh(memories=memories), at=life.box.clock(), by=None)
    inbox.append(ConflictDecision(action="dismiss", memories=(other, gone)), at=life.box.clock(), by=None)
    with inbox.path.open("a") as stream:
        stream.write(f'{{"kind": "love", "arguments": ["{gone}"]}}\n{{"torn": "{gone}\n{{"torn": "other\n')
    assert f"{files.INBOX_FILE} 4" in erase(life, gone)
    assert [one.asked for one in inbox.read()] == [Refresh(memories=(other,)), None]  # the erasing itself is done
    assert inbox.path.read_bytes().endswith(b'}\n{"torn": "other\n')


def test_what_could_not_be_written_before_does_not_come_after(life) -> None:  # noqa: F811
    """T-64, C-74: lines that are owed when it is erased speak of it in no file later."""
    texts, _ = fill(life)
    store, gone = life.box.store, list(texts)[3]
    paths = [store.folder / name for name in (files.JOURNAL_FILE, files.DATABASE_FILE)]
    with full_disk(paths[0]), full_disk(paths[1]):
        store.record([{"action": "note", "memory": gone}])
        store.count_recall([gone])
    assert "no file of the folder holds it any more" in erase(life, gone)
    store.record([{"action": "note", "memory": "other"}])
    store.count_recall([list(texts)[2]])
    assert list(files_with(Trace((gone,)), store.folder)) == []
    assert {"action": "note", "memory": "other"} in files.read_lines(paths[0]) and paths[1].exists()


@pytest.mark.parametrize("name", ["append", "rewrite", "first rewrite"])
def test_whoever_writes_the_backup_meanwhile_brings_nothing_of_it(life, monkeypatch, name: str) -> None:  # noqa: F811
    """T-64: not at the end of a turn, nor in maintenance, whose lines are made when it is ordered and not written."""
    texts, gone = pick(life)
    life.order(gone, kind=Erase)
    eraser, method = threading.Thread(target=life.carry_out), name.split()[-1]
    write = getattr(BackupFile, method)

    def write_late(file: BackupFile, made: Iterable[Any], *more: Any, **named: Any) -> Any:
        made = [*made]
        monkeypatch.setattr(BackupFile, method, write)
        eraser.start()
        eraser.join(0.3)
        return write(file, made, *more, **named)

    monkeypatch.setattr(BackupFile, method, write_late)
    if name == "append":
        life.backup.owe([gone])
        life.backup.end_turn()
    else:
        if name == "first rewrite":
            life.backup.file.path.unlink()
        life.backup.write()
    eraser.join()
    assert gone not in life.texts()
    assert list(files_with(Trace((gone,), (texts[gone],)), life.box.folder)) == []


def test_a_deletion_that_is_owed_is_not_noted_after_it(life) -> None:  # noqa: F811
    _, gone = pick(life)
    with full_disk(life.backup.file.path):
        life.box.delete(gone)
        life.turn()
    erase(life, gone)
    life.turn()
    assert list(files_with(Trace((gone,)), life.box.folder)) == []


def test_no_link_of_another_names_it(life) -> None:  # noqa: F811
    """T-64, Q-57: links and citations lie in the metadata of other memories."""
    texts, _ = fill(life)
    other, gone = list(texts)[3:5]
    link = Relationship(type="related_to", target=gone)
    life.box.store.apply([Qualify(memory_id=other, relationship=link), Qualify(memory_id=other, cited_by=gone)])
    quality = life.box.store.read(other).quality
    assert quality.relationships == (link,) and quality.cited_by == (gone,)
    assert "pointers of others 1" in erase(life, gone)
    quality = life.box.store.read(other).quality
    assert quality.relationships == () and quality.cited_by == ()


def test_an_erasure_that_is_tried_again_still_knows_what_was_said(life) -> None:  # noqa: F811
    """T-64: what was said of late is forgotten before the store is; a full disk there costs another try, no more."""
    texts, gone = pick(life)
    asked: list[tuple[str, ...]] = []

    def forget(trace: Trace) -> dict[str, int]:
        asked.append(trace.texts)
        if len(asked) == 1:
            assert gone in life.box.docs
            raise OSError(28, "No space left on device")
        return {}

    life.orders = OrderHandler(life.backup, forget)
    life.order(gone, kind=Erase)
    assert life.carry_out() == [] and len(life.box.store.problems.take(ProblemKind.DECISIONS)) == 1
    [words] = life.carry_out()
    assert "no file of the folder holds it any more" in words
    assert asked == [(texts[gone],)] * 3


@pytest.mark.parametrize("is_rewritten", [False, True])
def test_nothing_brings_it_back(life, is_rewritten) -> None:  # noqa: F811
    """T-64: the tombstone holds a digest alone, and restoring honours it, also against an older backup put in later."""
    texts, gone = pick(life)
    path = life.box.folder / files.BACKUP_FILE
    older = path.read_bytes()
    erase(life, gone)
    [row] = [row for row in life.lines() if "erased" in row]
    assert row["erased"] == id_digest(gone) and gone not in json.dumps(row)
    if is_rewritten:
        assert life.backup.write().is_written
    with path.open("ab") as stream:
        stream.write(older)
    life.wipe()
    life.order()
    life.carry_out()
    assert life.texts().keys() == texts.keys() - {gone}
    assert life.backup.write().is_written
    assert gone not in path.read_text()


def test_a_deleted_memory_can_be_erased(life) -> None:  # noqa: F811
    texts, gone = pick(life)
    life.box.delete(gone)
    life.turn()
    assert "ledger_backup.jsonl 1" in erase(life, gone)
    assert list(files_with(Trace((gone,), (texts[gone],)), life.box.folder)) == []
    assert "it was nowhere" in erase(life, gone)


def test_what_still_holds_it_is_named(life) -> None:  # noqa: F811
    """T-64: a file that is not the pack's is not touched, but nobody is told that it is clean."""
    texts, _ = fill(life)
    (life.box.folder / "notes.txt").write_text(f"I know that {next(iter(texts))} is there")
    assert erase(life, next(iter(texts))).count("; still in notes.txt; ") == 1


def test_what_was_set_aside_goes_with_it(life) -> None:  # noqa: F811
    """T-64: nobody can load it, be it an index or a file of ours; what is without the memory stays."""
    _, gone = pick(life)
    places = ("damaged-1/index.pkl", "vault.jsonl.damaged", "faiss/notes_meta.json.damaged-2", "chain.jsonl.damaged/x")
    for place in places:
        path = life.box.folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"about {gone}")
        path.with_name(f"{path.name}.damaged-3").write_text("other things")
    assert "what was set aside 4" in erase(life, gone)
    assert not [place for place in places if (life.box.folder / place).exists()]
    assert len(list(life.box.folder.rglob("*.damaged-3"))) == 4


def test_the_terminal_orders_it_and_says_what_waits(life, capsys) -> None:  # noqa: F811
    _, gone = pick(life)

    def run(*options: str) -> str:
        assert cli.main(["erase", "--folder", str(life.box.folder), gone, *options]) == 0
        return capsys.readouterr().err

    assert "would be erased" in run("--dry-run") and not life.is_ordered()
    said = run()
    assert "will be erased at Agent Zero's next turn; now in" in said and files.BACKUP_FILE in said
    assert "waits for Agent Zero's next turn" in run()
    life.carry_out()
    said = run()
    assert "no file of" in said and "last erase" in said
    assert gone not in (life.box.folder / files.INBOX_FILE).read_text()


def test_what_only_claims_to_be_replaced_stays(life) -> None:  # noqa: F811
    """T-43, T-69: a model may have written what this one replaced; what is in use is no earlier version."""
    texts, _ = fill(life)
    other, lost = list(texts)[3:5]
    life.box.delete(lost)
    liar = life.box.insert("The owl sleeps at noon", updated_from=other, consolidated_from=[lost, 7, None])
    life.turn()
    assert "earlier versions and copies 1," in erase(life, liar)
    assert life.texts().keys() == texts.keys() - {lost}
    assert lost not in life.backup.file.read().lines


def replace_one(life) -> tuple[str, str]:  # noqa: F811
    """Let the host put one memory into the place of another; return both ids."""
    fill(life)
    first = life.box.insert("Whales sleep upright")
    life.box.delete(first)
    return first, life.box.insert("Whales sleep on one side", updated_from=first)


def test_what_is_said_again_is_another_memory(life) -> None:  # noqa: F811
    """T-64: who says once more what an earlier version said keeps that; the answer names where it is."""
    _, second = replace_one(life)
    again = life.box.insert("Whales sleep upright")
    life.turn()
    assert "; still in index.pkl, ledger_backup.jsonl; " in erase(life, second)
    assert again in life.box.docs


def test_a_version_that_was_brought_back_is_a_memory_of_its_own(life) -> None:  # noqa: F811
    first, second = replace_one(life)
    life.order(first)
    life.carry_out()
    erase(life, second)
    assert first in life.box.docs and second not in life.box.docs


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("m1", None),
        ("m10", "m10"),
        ("a,m1,b", "a,b"),
        (["a", "m1"], ["a"]),
        ({"supersedes": "m1", "n": 1}, {"supersedes": None, "n": 1}),
        ({"parts": [{"by": "m1", "text": "x"}, {"by": "a"}]}, {"parts": [{"by": "a"}]}),
        ({"m1": 1, "a": {"deep": ["m1"]}}, {"a": {"deep": []}}),
        ({"supersedes": "m:m1"}, {"supersedes": None}),
    ],
)
def test_metadata_without_a_memory(value: Any, expected: Any) -> None:
    """T-64: the pointers of others, wherever they stand; what only looks like the id stays."""
    assert Trace(("m1",)).without(value) == expected


@pytest.mark.parametrize("write", [str, json.dumps, lambda text: json.dumps(text, ensure_ascii=False)])
def test_what_was_said_is_found_in_whatever_form_it_was_written(write: Callable[[str], str]) -> None:
    """T-64: a file of somebody else's may escape letters and quotation marks; it is named all the same."""
    text = 'Zoë said: "the pump is off"'
    assert Trace(("m1",), (text,)).is_in_bytes(f"x {write(text)} y".encode())
