"""The one way from a terminal to a host: what is kept, named, carried over and done once (T-64, T-70, Q-27, Q-31)."""

import shutil
from pathlib import Path

import pytest
from full_disk import full_disk
from memory_ledger.errors import StoreError
from memory_ledger.host.storage import damage, files
from memory_ledger.host.storage.inbox import OLD_FILES, Inbox, InboxHandler
from memory_ledger.inbox import AcceptBreaks, ArchiveStale, BringBack, ConflictDecision, Erase, Refresh, RotateKey

#: What the version before the inbox wrote, by its own functions: each kind of request to a file of its own.
OLD = Path(__file__).resolve().parents[1] / "data/old_requests"
ASKED = [
    ConflictDecision(action="decide", memories=("m0003", "m0004"), strategy="newer-wins"),
    ConflictDecision(action="dismiss", memories=("m0001", "m0002")),
    Refresh(memories=("m0001",), verified=True, confidence=0.9),
    ArchiveStale(memories=("m0002", "m0005")),
    AcceptBreaks(reason="the disk was repaired", lines=(2,)),
    RotateKey(reason="a person asked for it"),
    BringBack(memories=("m0006",)),
    Erase(memories=("m0005",), also=("m0007",)),
]
#: What one order had come to.
WORDS = "3 memories brought back"


class Host:
    """A host that does what it is asked to, and remembers that."""

    def __init__(self, box) -> None:
        self.done: list = []
        self.refused: list[str] = []
        handlers = dict.fromkeys({type(one) for one in ASKED}, self.do)
        self.desk = InboxHandler(box.folder, handlers, clock=box.clock, refuse=self.refuse)

    def do(self, asked, request) -> list[str]:
        self.done.append(asked)
        return ["done"]

    def refuse(self, problem, *, is_news: bool = False) -> None:
        self.refused.append(str(problem))


def kinds(requests) -> list[str]:
    return sorted(one.kind for one in requests)


@pytest.fixture
def old(box) -> Path:
    """A folder in which the version before has left its files."""
    for name in OLD_FILES:
        shutil.copy(OLD / name, box.folder / name)
    return box.folder


def expect_carried_over(folder: Path, host: Host) -> None:
    host.desk.run()
    assert sorted(map(repr, host.done)) == sorted(map(repr, ASKED))
    assert not host_files(folder)
    done = [one.answer for one in Inbox(folder).read() if one.kind == "restore"]
    assert {(one.words, one.problems) for one in done} == {(WORDS, ("m9: odd",)), ("done", ())}


def test_what_earlier_versions_left_is_carried_over_once(box, old) -> None:
    """T-70: a terminal lists it before, a host does it; of two decisions about a conflict the last."""
    before = Inbox(old).read()
    assert kinds(before) == sorted([*(one.kind for one in ASKED), "restore"]) and host_files(old) == list(OLD_FILES)
    assert Host(box).desk.requests() == before and not host_files(old)
    expect_carried_over(old, Host(box))
    host = Host(box)
    assert host.desk.run() == [] and host.done == [] and not host.desk.has_requests()


def host_files(folder: Path) -> list[str]:
    return [name for name in OLD_FILES if (folder / name).exists()]


def test_a_carrying_over_that_is_cut_off_goes_on(box, old, monkeypatch) -> None:
    """T-70: killed between the new file and the end of the old ones, it brings nothing twice."""
    with monkeypatch.context() as context:
        context.setattr(Path, "unlink", stop)
        with pytest.raises(KeyboardInterrupt):
            Host(box).desk.run()
    assert host_files(old) == list(OLD_FILES)
    expect_carried_over(old, Host(box))


def stop(*_args, **_options) -> None:
    """Stand for the end of the process."""
    raise KeyboardInterrupt


def test_old_lines_that_are_none_are_kept(box, old) -> None:
    """C-75: a torn line with its file, under another name; what a later version asked for in the inbox."""
    with (old / OLD_FILES[0]).open("a") as stream:
        stream.write('{"at":"2026-03-01T00:00:00Z","action":"love","memories":["m1"]}\n{"torn')
    expect_carried_over(old, Host(box))
    assert (old / f"{OLD_FILES[0]}{damage.SUFFIX}").read_text().endswith('{"torn')
    assert [row["action"] for row in box.lines(files.INBOX_FILE) if "action" in row] == ["love"]


def test_what_was_done_is_not_done_again_where_nothing_can_be_written(box) -> None:
    """C-74: the answer is owed, and written when that is possible."""
    host, inbox = Host(box), Inbox(box.folder)
    inbox.append(ASKED[5], at=box.clock(), by="rosa")
    with full_disk(inbox.path):
        for _ in range(3):
            host.desk.run()
    assert len(host.done) == 1 and inbox.read()[0].answer is None and host.desk.has_requests()
    host.desk.run()
    [request] = inbox.read()
    assert (request.by, request.asked, request.answer.words, len(host.done)) == ("rosa", None, "done", 1)
    assert not host.desk.has_requests()


def test_what_fails_waits_and_what_is_asked_twice_is_done_once(box) -> None:
    """T-64: told once, tried at each look; the same at the same moment is one request."""
    host, inbox, at = Host(box), Inbox(box.folder), box.clock()
    for _ in range(2):
        inbox.append(ASKED[2], at=at, by=None)
    failing = InboxHandler(box.folder, {Refresh: fail}, clock=box.clock, refuse=host.refuse)
    assert failing.run() == [] and failing.run() == [] and failing.has_requests()
    assert set(host.refused) == {"`refresh` is 'the disk went'; allowed: it is tried again at the next turn"}
    host = Host(box)
    assert len(host.desk.run()) == 1 and len(host.done) == 1


def fail(*_args) -> list[str]:
    raise OSError("the disk went")


def test_a_file_of_a_later_format_is_left_alone(box) -> None:
    """T-70: no request is done or written by a version that cannot read it; that is named, at a terminal too."""
    inbox = Inbox(box.folder)
    inbox.append(ASKED[2], at=box.clock(), by=None)
    assert box.lines(files.INBOX_FILE)[0] == {"format": 1}
    later = inbox.path.read_bytes().replace(b'{"format":1}', b'{"format":2}')
    inbox.path.write_bytes(later)
    host = Host(box)
    assert host.desk.run() == [] and not host.desk.has_requests()
    with pytest.raises(StoreError, match="of format 2; allowed: up to 1"):
        inbox.append(ASKED[2], at=box.clock(), by=None)
    assert inbox.path.read_bytes() == later
    assert [one for one in damage.notices.take() if "of format 2" in one.found]
