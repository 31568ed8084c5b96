"""`conflicts` with texts; `settle` and `review`: one conflict, or proposal, after the other, decided by a key."""

import fcntl
import io
import json
import os
import pty
import select
import subprocess
import sys
import termios
from datetime import timedelta
from functools import partial

import pytest
from conflict_tools import NEW, OLD, contested, decided, run
from driven import drive
from memory_ledger import cli
from memory_ledger.cli import deciding
from memory_ledger.ledger.changes import Contest
from memory_ledger.store import files
from memory_ledger.store.requests import Inbox
from memory_ledger.store.tables import note_pairs

GYM = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."
PORTS = "The API listens on port 8080", "The API listens on port 8443"
WHY = (
    'both fill in "The API listens on …"; one: "port 8080"; the other: "port 8443"; '
    "only one of the two can be true at a time; all axes are equal, and neither was said before the other"
)


@pytest.fixture
def two(known):
    """Two open conflicts, and before them one that is only possible."""
    gym = [known.insert(text) for text in GYM]
    known.adopt()
    known.store.apply([Contest(older_id=gym[0], newer_id=gym[1], at=known.clock(), rule="possible")])
    known.insert(PORTS[0]), known.insert(PORTS[1])
    contested(known)
    return known


@pytest.fixture
def ask(monkeypatch, capsys):
    """Answer the questions of a command with lines of a pipe; return the exit code and what it printed."""

    def ask(command: str, box, lines: str, *argv: str) -> tuple[int, str, str]:
        stream = io.TextIOWrapper(io.BytesIO(lines.encode("utf-8", "surrogateescape")), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", stream)
        return run(box, capsys, command, *argv)

    return ask


@pytest.fixture
def answer(ask):
    return partial(ask, "settle")


@pytest.fixture
def review(ask):
    return partial(ask, "review")


def asked(box) -> list[tuple[str, str | None]]:
    """Return what waits in the inbox: what is to be done, and the text of the memory to keep."""
    waiting = [one.asked for one in Inbox(box.folder).read() if one.answer is None]
    return [(one.action.value, one.keep and box.read(one.keep).text) for one in waiting]


def contents(box) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in box.folder.iterdir()}


@pytest.mark.parametrize(
    ("lines", "wanted", "status", "last"),
    [
        pytest.param("", [], 0, "0 decided, 3 left", id="the end of the input stops"),
        pytest.param("q\nn\n", [], 0, "0 decided, 3 left", id="q stops"),
        pytest.param("l\nl\nl\n", [], 0, "0 decided, 3 left", id="later"),
        pytest.param("?\nq\n", [], 0, "0 decided, 3 left", id="help asks again"),
        pytest.param("u\nq\n", [], 0, "0 decided, 3 left", id="nothing to undo"),
        pytest.param("n\nu\nq\n", [], 0, "0 decided, 3 left", id="undo takes the request back"),
        pytest.param("m\n", [], 1, "0 decided, 3 left", id="these cannot be merged"),
        pytest.param("x\nb\n", [("dismiss", None)], 1, "1 decided, 2 left", id="a bad line shifts no answer"),
        pytest.param("\udcff\nb\n", [("dismiss", None)], 1, "1 decided, 2 left", id="neither does one that is no text"),
        pytest.param("o\n", [("keep", PORTS[0])], 0, "1 decided, 2 left", id="the older"),
        pytest.param("n\n", [("keep", PORTS[1])], 0, "1 decided, 2 left", id="the newer"),
        pytest.param("b\n", [("dismiss", None)], 0, "1 decided, 2 left", id="both hold"),
        pytest.param("l\nl\nm\n", [("merge", None)], 0, "1 decided, 2 left", id="what no rule forbids is merged"),
        pytest.param("o\nu\nn\n\n l \nb\n", [("keep", PORTS[1]), ("dismiss", None)], 0, "2 decided, 1 left", id="all"),
    ],
)
def test_each_key_does_what_it_says(two, answer, lines: str, wanted: list, status: int, last: str) -> None:
    """Issue 22: keys; a line of input is one where standard input is a pipe; what was decided stays decided."""
    found, out, _ = answer(two, lines)
    assert (found, asked(two)) == (status, wanted)
    goes_on = f"`memory-ledger settle --folder {two.folder}` goes on"
    assert out.splitlines()[-1] == f"{last}; {goes_on}"


def test_questions_show_both_texts_with_date_and_source_and_why(two, answer) -> None:
    _, out, _ = answer(two, "l\nl\nl\n")
    lines = out.splitlines()
    assert f"  first:  2026-03-01, agent: {PORTS[0]}" in lines and f"  second: 2026-03-01, agent: {PORTS[1]}" in lines
    assert f"  why:    {WHY}" in lines, "\n".join(lines)
    titles = [line for line in lines if " of 3: conflict_" in line]
    assert [title.endswith("two memories that may be at odds") for title in titles] == [False, False, True]


@pytest.mark.parametrize(("days", "names"), [((2, 2), ("first", "second")), ((2, 3), ("older", "newer"))])
def test_facts_of_one_moment_are_neither_older_nor_newer(days, names, workspace, monkeypatch, capsys) -> None:
    facts = [f"The office printer is on floor {floor}" for floor in (3, 5)]
    told = zip(facts, days, strict=True)
    rows = ({"text": one, "source": "user_asserted", "timestamp": f"2026-03-0{day}T09:00:00Z"} for one, day in told)
    workspace.ingest(*rows)
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"l\n")))
    cli.main(["settle", "--folder", str(workspace.store)])
    lines = [line.split(":")[0].strip() for line in capsys.readouterr().out.splitlines()[1:3]]
    assert lines == [*names]


def test_what_was_stopped_goes_on_and_nothing_is_asked_twice(two, answer) -> None:
    """Issue 22: what waits for the host is decided; when all is, there is nothing to settle."""
    assert "1 of 3" in answer(two, "n\nq\n")[1]
    assert "1 of 2" in answer(two, "o\n")[1]
    assert answer(two, "b\n")[1].splitlines()[-1] == "1 decided, 0 left"
    assert answer(two, "n\n")[:2] == (0, "nothing to settle\n")
    two.adopt()
    assert answer(two, "n\n")[:2] == (0, "nothing to settle\n")
    assert [two.store.conflicts.get(one.about).resolution.resolved_by for one in
            (each.asked for each in Inbox(two.folder).read())] == ["operator"] * 3  # fmt: skip


def test_a_dry_run_shows_what_would_change_and_writes_nothing(two, answer) -> None:
    before = contents(two)
    status, out, _ = answer(two, "n\nn\nn\n", "--dry-run")
    assert (status, contents(two)) == (0, before)
    assert out.count("o keep the first one: ") == 3 and " is replaced by " in out and "m merge: one memory says" in out
    assert out.splitlines()[-1] == "3 conflicts to settle; nothing was changed"


def on_terminal(box, steps: list[tuple[str, str]]) -> tuple[int, str]:
    """Type each key when its words have appeared; return the exit code and all that was shown."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memory_ledger", "settle", "--folder", str(box.folder)],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "COLUMNS": "200", "TERM": "xterm", "NO_COLOR": "1"},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(follower)
    shown, read = "", 0
    for words, key in steps:
        while words not in shown[read:] or not _is_read_by_key(leader):
            if words not in shown[read:] or select.select([leader], [], [], 0.01)[0]:
                more = _read(leader)
                assert more, shown
                shown += more
        read = shown.index(words, read) + len(words)
        os.write(leader, key.encode())
    while more := _read(leader):
        shown += more
    os.close(leader)
    return process.wait(60), shown


def _is_read_by_key(leader: int) -> bool:
    """Whether a key is waited for; what is typed before that is thrown away."""
    return not termios.tcgetattr(leader)[3] & termios.ICANON


def _read(leader: int) -> str:
    assert select.select([leader], [], [], 60)[0], "nothing more was shown"
    try:
        return os.read(leader, 65_536).decode()
    except OSError:  # the other end is closed
        return ""


def test_conflicts_tell_the_texts_after_what_they_told_before(known, capsys) -> None:
    decided(known)
    recorded = known.lines(files.CONFLICTS_FILE)[-1]
    row = json.loads(run(known, capsys, "conflicts")[1])
    assert [*row][: len(recorded)] == [*recorded] and {key: row[key] for key in recorded} == recorded
    sides = [(row[side]["text"], row[side]["said_at"], row[side]["source"]) for side in ("older", "newer")]
    assert sides == [
        (OLD, "2026-03-01T12:00:00+00:00", "agent_inferred"),
        (NEW, "2026-03-02T12:00:00+00:00", "agent_inferred"),
    ]
    assert "; ".join(row["reasons"]) == row["description"] and 'newer: "3.11"' in row["description"]
    assert [NEW[start:end] for start, end in row["differs"]["newer"]] == ["3.11"]


def test_conflicts_of_what_is_gone_or_only_possible(two, capsys) -> None:
    found = [json.loads(line) for line in run(two, capsys, "conflicts")[1].splitlines()]
    assert found[0]["reasons"] == ["their wording may be contradictory, but no rule is sure"]
    assert found[0]["older"]["text"] == GYM[0]
    two.delete(found[1]["memories"][0])
    two.memory.save()
    found = [json.loads(line) for line in run(two, capsys, "conflicts")[1].splitlines()]
    assert (found[1]["older"], found[1]["newer"]["text"]) == (None, PORTS[1])
    assert found[1]["reasons"] == [found[1]["description"]]


def test_what_another_answer_settles_is_not_asked(known, answer) -> None:
    """Issue 22: of three that contradict each other, the one that is retired is asked about no more."""
    for text in (*PORTS, "The API listens on port 9090"):
        known.insert(text)
    known.adopt()
    known.store.save()
    for keys, count in (("o\nu\nl\nl\nl\n", 5), ("o\n", 2)):  # taken back, it is asked about again
        assert answer(known, keys)[1].count(" of 3: conflict_") == count
    assert "1 of 1: conflict_" in answer(known, "q\n")[1]
    assert "1 decided, 0 left" in answer(known, "n\n")[1]
    known.adopt()
    assert known.store.conflicts.get_conflicts(unresolved=True) == []


def test_one_key_without_enter_decides_on_a_terminal_and_ctrl_c_stops(two) -> None:
    """Issue 22: an unknown key names the keys; what was decided stays, and the exit code says that it was stopped."""
    status, shown = on_terminal(two, [("1 of 3", "x"), ("allowed: o, n", "n"), ("2 of 3", "\x03")])
    assert status == 1 and "1 decided, 2 left; `memory-ledger settle --folder" in " ".join(shown.split())
    assert "Traceback" not in shown and asked(two) == [("keep", PORTS[1])]


def test_conflicts_on_a_terminal_are_a_table_of_both_texts(two) -> None:
    shown = drive(["conflicts", "--folder", str(two.folder)], two.folder, on_terminal=True)
    assert shown.code == 0
    for words in ("first", "second", "why", "2026-03-01", "open", "possible"):
        assert words in shown.said


TEXTS = (
    *("User's project uses Python 3.9", "User's project uses Python 3.11"),
    *("The API listens on port 8080", "The API listens on port 8443"),
)


@pytest.fixture
def full(box):
    """A store from before the pack: two contradictions, of which m0001 and m0003 would be retired."""
    for number, text in enumerate(TEXTS):
        box.insert(text, timestamp=(box.clock() - timedelta(days=9 - number)).isoformat())
    box.adopt()
    box.store.save()
    return box


def asked_of_review(box) -> list[tuple]:
    return [(one.asked.memories, one.asked.excluded) for one in Inbox(box.folder).read() if one.answer is None]


def retired(box) -> list[str]:
    return [one for one in box.docs if box.read(one).is_deprecated]


@pytest.mark.parametrize(
    ("lines", "wanted", "status", "left"),
    [
        pytest.param("", [], 0, 2, id="the end of the input stops"),
        pytest.param("q\nr\n", [], 0, 2, id="q stops"),
        pytest.param("l\nl\n", [], 0, 2, id="later"),
        pytest.param("?\nu\nq\n", [], 0, 2, id="help, and nothing to undo"),
        pytest.param("r\nu\nq\n", [], 0, 2, id="undo takes the request back"),
        pytest.param("x\n", [], 1, 2, id="no answer"),
        pytest.param("r\n", [(("m0001",), ())], 0, 1, id="retire"),
        pytest.param("k\n", [((), ("m0001",))], 0, 1, id="keep"),
        pytest.param("k\nr\n", [((), ("m0001",)), (("m0003",), ("m0001",))], 0, 0, id="what is kept stays kept"),
        pytest.param("r\nu\nk\nr\n", [((), ("m0001",)), (("m0003",), ("m0001",))], 0, 0, id="only the last is undone"),
    ],
)
def test_each_key_of_a_review_does_what_it_says(full, review, lines: str, wanted: list, status: int, left: int) -> None:
    """Issue 22: proposals of the first look, by the requests that the page makes of them."""
    found, out, _ = review(full, lines)
    assert (found, asked_of_review(full)) == (status, wanted)
    goes_on = f"; `memory-ledger review --folder {full.folder}` goes on" if left else ""
    assert out.splitlines()[-1] == f"{2 - left} decided, {left} left{goes_on}" or len(wanted) == 0
    assert f", {left} left{goes_on}" in out


def test_a_question_shows_both_texts_and_why(full, review) -> None:
    _, out, _ = review(full, "q\n")
    assert f"  retire: 2026-02-20, agent: {TEXTS[0]}\n  keep:   2026-02-21, agent: {TEXTS[1]}\n  why:    both " in out


def test_what_was_answered_happens_and_is_not_proposed_again(full, review, capsys) -> None:
    """Issue 22: at Agent Zero's next turn; neither `review` nor `adopt` asks about what a person keeps."""
    review(full, "k\nr\n")
    assert review(full, "r\n")[:2] == (0, "nothing to review\n")
    full.adopt()
    assert retired(full) == ["m0003"]
    full.store.save()
    assert review(full, "r\n")[:2] == (0, "nothing to review\n")
    assert run(full, capsys, "adopt", "--report")[1] == ""
    run(full, capsys, "adopt", "--accept")
    full.adopt()
    assert retired(full) == ["m0003"]


@pytest.mark.parametrize(("key", "lost"), [("k", []), ("r", ["m0001"])])
def test_duplicates_that_only_a_person_may_decide(known, review, key: str, lost: list[str]) -> None:
    """E-41, issue 22: the user said both; by default the older one goes, and nothing is asked twice."""
    for text in ("User likes tea", "User really likes tea"):
        known.insert(text)
        known.clock.advance(days=1)
    known.adopt()
    known.store.save()
    row = {"a": "m0002", "b": "m0001", "cosine": 0.9, "outcome": "review", "why": "E-41: ...", "at": "", "cycle": 0}
    known.store.database.change(lambda db: note_pairs(db, [row]))
    assert "1 of 1: m0001, a duplicate" in review(known, f"{key}\n")[1]
    assert review(known, "r\n")[1] == "nothing to review\n"
    known.adopt()
    assert retired(known) == lost
    known.store.save()
    assert review(known, "r\n")[1] == "nothing to review\n"


@pytest.mark.parametrize(
    ("lines", "wanted"), [("e\n", 0), ("e\nl\n", 0), ("e\nx\ne\n", 0), ("e\ne\n", 1), ("e\nyes\n", 1)]
)
def test_a_secret_is_erased_by_the_second_key(box, review, lines: str, wanted: int) -> None:
    """It cannot be undone; whatever is pressed in between leaves it."""
    box.learn("The staging password is Kite&2211")
    box.store.save()
    assert "this cannot be undone: e again, or yes, does it" in review(box, lines)[1]
    assert len([one for one in Inbox(box.folder).read() if one.kind == "erase"]) == wanted


@pytest.mark.parametrize("mode", [("--accept", "--dry-run"), ("--accept",), ("--report",)])
def test_adopt_refuses_an_unknown_id_in_every_mode(full, capsys, mode: tuple[str, ...]) -> None:
    """Issue 22: the dry run and the real run agree; the message names what is allowed, and nothing is written."""
    before = contents(full)
    status, out, err = run(full, capsys, "adopt", *mode, "--except", "nobody")
    assert (status, out) == (1, "") and "nobody not proposed; allowed: ['m0001', 'm0003']" in err
    assert contents(full) == before and not (full.folder / files.INBOX_FILE).exists()


@pytest.mark.parametrize(
    ("command", "stored", "function", "key"),
    [("settle", "two", "put_decision", "n"), ("review", "full", "order", "r")],
)
def test_an_answer_that_was_carried_out_is_not_taken_back(
    command: str, stored: str, function: str, key: str, ask, monkeypatch, request
) -> None:
    """Issue 22: the message names the command that reverses it."""

    def put_and_carry_out(*given, **more):
        put(*given, **more)
        box.adopt()

    box, put = request.getfixturevalue(stored), getattr(deciding, function)
    monkeypatch.setattr(deciding, function, put_and_carry_out)
    status, out, err = ask(command, box, f"{key}\nu\n")
    assert status == 1 and "1 decided" in out
    assert "line 2: " in err and " carried out already; allowed: `memory-ledger undo " in err
