"""The one way from a terminal to a host: what is kept, named and done once (T-64, T-70, Q-27, Q-31)."""

import os

import pytest
from full_disk import full_disk
from memory_ledger.inbox import (
    ArchiveStale,
    BringBack,
    ConflictDecision,
    Erase,
    InboxAnswer,
    Refresh,
    SignAnew,
)
from memory_ledger.store import files
from memory_ledger.store.requests import Awaited, Inbox, InboxHandler
from memory_ledger.store.tables import put_archive

ASKED = [
    ConflictDecision(action="decide", memories=("m0003", "m0004"), strategy="newer-wins"),
    ConflictDecision(action="dismiss", memories=("m0001", "m0002")),
    Refresh(memories=("m0001",), verified=True, confidence=0.9),
    ArchiveStale(memories=("m0002", "m0005")),
    SignAnew(reason="the disk was repaired"),
    BringBack(memories=("m0006",)),
    Erase(memories=("m0005",), also=("m0007",)),
]
KINDS = tuple({type(one) for one in ASKED})


class Host:
    """A host that does what it is asked to, and remembers that."""

    def __init__(self, box) -> None:
        self.done: list = []
        self.refused: list[str] = []
        self.requests = InboxHandler(box.folder, clock=box.clock, refuse=self.refuse)
        self.requests.handlers |= dict.fromkeys(KINDS, self.do)

    def run(self) -> list[InboxAnswer]:
        return self.requests.run(*KINDS)

    def do(self, asked, request) -> list[str]:
        self.done.append(asked)
        return ["done"]

    def refuse(self, problem, *, is_news: bool = False) -> None:
        self.refused.append(str(problem))


def kinds(requests) -> list[str]:
    return sorted(one.kind for one in requests)


def test_nothing_is_answered_before_it_is_saved(box) -> None:
    """T-64, T-70: what could not be saved is lost with the process; it is done again, in one process once."""
    Inbox(box.folder).append(Refresh(memories=("m0001",)), at=box.clock(), by=None)
    for host in (Host(box), Host(box)):
        for _ in range(2):
            assert host.requests.run(*KINDS, save=lambda: False) == []
        assert [one.answer for one in Inbox(box.folder).read()] == [None]
    assert host.requests.has_requests(Refresh) and host.requests.run(ArchiveStale) == []
    assert len(host.requests.run(*KINDS, save=lambda: True)) == 1
    assert host.run() == [] and len(host.done) == 1


def test_what_was_done_is_not_done_again_where_nothing_can_be_written(box) -> None:
    """C-74: the answer is owed, and written when that is possible."""
    host, inbox = Host(box), Inbox(box.folder)
    inbox.append(ASKED[4], at=box.clock(), by="rosa")
    with full_disk(inbox.path):
        for _ in range(3):
            host.run()
    assert len(host.done) == 1 and inbox.read()[0].answer is None and host.requests.has_requests(*KINDS)
    host.run()
    [request] = inbox.read()
    assert (request.by, request.asked, request.answer.words, len(host.done)) == ("rosa", None, "done", 1)
    assert host.requests.look() == [request] and not host.requests.has_requests(*KINDS)


def test_what_fails_waits_and_what_is_asked_twice_is_done_once(box) -> None:
    host, inbox, at = Host(box), Inbox(box.folder), box.clock()
    for _ in range(2):
        inbox.append(ASKED[2], at=at, by=None)
    host.requests.handlers[Refresh] = fail
    assert host.run() == [] and host.run() == [] and host.requests.has_requests(Refresh)
    assert set(host.refused) == {"`refresh` is 'the disk went'; allowed: it is tried again at the next turn"}
    host = Host(box)
    assert len(host.run()) == 1 and len(host.done) == 1


def fail(*_args) -> list[str]:
    raise OSError("the disk went")


def test_what_a_later_version_asks_for_stays(box) -> None:
    inbox = Inbox(box.folder)
    inbox.append(ASKED[2], at=box.clock(), by=None)
    inbox.rewrite(lambda rows: [*rows, {"id": "l", "kind": "love", "at": "2026-03-01T00:00:00Z", "arguments": {}}])
    assert len(Host(box).run()) == 1
    assert [row["kind"] for row in box.lines(files.INBOX_FILE)] == ["love", "refresh"]


@pytest.mark.parametrize("user", [0, 1000])
def test_what_root_asks_for_belongs_to_the_owner_of_the_folder(box, monkeypatch, user: int) -> None:
    """T-64: root may sit at the terminal; a host that is somebody else reads and answers it all the same."""
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "chown", lambda _, owner, group: given.append((owner, group)))
    found = box.folder.stat()
    Inbox(box.folder).append(ASKED[2], at=box.clock(), by=None)
    box.store.database.path.unlink()
    put_archive(box.folder, "an archive")
    assert given == ([] if user else [(found.st_uid, found.st_gid)] * 2)  # the inbox, and the database with the archive


def test_kinds_are_done_apart_and_what_waits_costs_one_look(box, tmp_path) -> None:
    """T-64: one table, of which each step does its own; what waits for a file is tried when that has changed."""
    host, inbox, awaited = Host(box), Inbox(box.folder), tmp_path / "awaited"
    host.requests.handlers[Refresh] = lambda asked, request: (
        Awaited(awaited) if not awaited.exists() else host.do(asked, request)
    )
    for one in (ASKED[2], ASKED[4]):
        inbox.append(one, at=box.clock(), by=None)
    assert host.requests.is_changed() and host.requests.due(*KINDS) == []
    host.requests.look()
    assert kinds(host.requests.due(*KINDS)) == ["refresh", "sign-anew"]
    assert [one.words for one in host.requests.run(SignAnew)] == ["done"] and host.done == [ASKED[4]]
    assert host.requests.run(Refresh) == []
    host.requests.look()
    assert not host.requests.has_requests(*KINDS)
    awaited.touch()
    assert host.requests.has_requests(Refresh) and not host.requests.due(SignAnew)
    assert len(host.run()) == 1 and host.done == [ASKED[4], ASKED[2]]
    assert Awaited(awaited).is_over()  # within one tick of the file system it may be written again unseen
    os.utime(awaited, (0, 0))
    assert not Awaited(awaited).is_over()
