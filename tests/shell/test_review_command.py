"""`review`: what the first look and maintenance propose to retire, one after the other, decided by a key."""

import io
from datetime import timedelta

import pytest
from conflict_tools import run
from memory_ledger.store import files
from memory_ledger.store.requests import Inbox
from memory_ledger.store.tables import note_pairs
from test_settle_command import contents

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


@pytest.fixture
def answer(monkeypatch, capsys):
    """Answer the questions of `review` with lines of a pipe; return the exit code and what it printed."""

    def review(box, lines: str, *argv: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), encoding="utf-8"))
        return run(box, capsys, "review", *argv)

    return review


def asked(box) -> list[tuple]:
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
def test_each_key_does_what_it_says(full, answer, lines: str, wanted: list, status: int, left: int) -> None:
    """Issue 22: proposals of the first look, by the requests that the page makes of them."""
    found, out, _ = answer(full, lines)
    assert (found, asked(full)) == (status, wanted)
    goes_on = f"; `memory-ledger review --folder {full.folder}` goes on" if left else ""
    assert out.splitlines()[-1] == f"{2 - left} decided, {left} left{goes_on}" or len(wanted) == 0
    assert f", {left} left{goes_on}" in out


def test_a_question_shows_both_texts_and_why(full, answer) -> None:
    _, out, _ = answer(full, "q\n")
    assert f"  retire: 2026-02-20, agent: {TEXTS[0]}\n  keep:   2026-02-21, agent: {TEXTS[1]}\n  why:    both " in out


def test_what_was_answered_happens_and_is_not_proposed_again(full, answer, capsys) -> None:
    """Issue 22: at Agent Zero's next turn; neither `review` nor `adopt` asks about what a person keeps."""
    answer(full, "k\nr\n")
    assert answer(full, "r\n")[:2] == (0, "nothing to review\n")
    full.adopt()
    assert retired(full) == ["m0003"]
    full.store.save()
    assert answer(full, "r\n")[:2] == (0, "nothing to review\n")
    assert run(full, capsys, "adopt", "--report")[1] == ""
    run(full, capsys, "adopt", "--accept")
    full.adopt()
    assert retired(full) == ["m0003"]


def test_what_was_stopped_goes_on(full, answer) -> None:
    assert "1 of 2: m0001" in answer(full, "r\nq\n")[1]
    assert "1 of 1: m0003" in answer(full, "r\n")[1]
    full.adopt()
    assert retired(full) == ["m0001", "m0003"]


def test_an_answer_that_was_carried_out_is_not_taken_back(full, answer, monkeypatch) -> None:
    from memory_ledger.cli import deciding

    def order_and_carry_out(*given, **more):
        order(*given, **more)
        full.adopt()

    order = deciding.order
    monkeypatch.setattr(deciding, "order", order_and_carry_out)
    status, _, err = answer(full, "r\nu\n")
    assert status == 1 and "carried out already; allowed: `memory-ledger undo m0001" in err


@pytest.mark.parametrize(("key", "lost"), [("k", []), ("r", ["m0001"])])
def test_duplicates_that_only_a_person_may_decide(known, answer, key: str, lost: list[str]) -> None:
    """E-41, issue 22: the user said both; by default the older one goes, and nothing is asked twice."""
    for text in ("User likes tea", "User really likes tea"):
        known.insert(text)
        known.clock.advance(days=1)
    known.adopt()
    known.store.save()
    row = {"a": "m0002", "b": "m0001", "cosine": 0.9, "outcome": "review", "why": "E-41: ...", "at": "", "cycle": 0}
    known.store.database.change(lambda db: note_pairs(db, [row]))
    assert "1 of 1: m0001, a duplicate" in answer(known, f"{key}\n")[1]
    assert answer(known, "r\n")[1] == "nothing to review\n"
    known.adopt()
    assert retired(known) == lost
    known.store.save()
    assert answer(known, "r\n")[1] == "nothing to review\n"


def test_a_dry_run_writes_nothing(full, answer) -> None:
    """Issue 22: it shows what would change, and asks nothing."""
    before = contents(full)
    status, out, _ = answer(full, "r\nr\n", "--dry-run")
    assert (status, contents(full)) == (0, before)
    assert "m0001 is replaced by m0002" in out and out.endswith("2 things to review; nothing was changed\n")


def test_an_empty_folder_has_nothing_to_review(box, capsys) -> None:
    box.folder = box.folder.parent / "empty"
    box.folder.mkdir()
    assert run(box, capsys, "review") == (0, "nothing to review\n", "")
    assert contents(box) == {}


@pytest.mark.parametrize(
    ("lines", "wanted"), [("e\n", 0), ("e\nl\n", 0), ("e\nx\ne\n", 0), ("e\ne\n", 1), ("e\nyes\n", 1)]
)
def test_a_secret_is_erased_by_the_second_key(box, answer, lines: str, wanted: int) -> None:
    """It cannot be undone; whatever is pressed in between leaves it."""
    box.insert("The staging password is Kite&2211")
    box.adopt()
    box.store.save()
    assert "this cannot be undone: e again, or yes, does it" in answer(box, lines)[1]
    assert len([one for one in Inbox(box.folder).read() if one.kind == "erase"]) == wanted


@pytest.mark.parametrize("mode", [("--accept", "--dry-run"), ("--accept",), ("--report",)])
def test_adopt_refuses_an_unknown_id_in_every_mode(full, capsys, mode: tuple[str, ...]) -> None:
    """Issue 22: the dry run and the real run agree; the message names what is allowed, and nothing is written."""
    before = contents(full)
    status, out, err = run(full, capsys, "adopt", *mode, "--except", "nobody")
    assert (status, out) == (1, "") and "nobody not proposed; allowed: ['m0001', 'm0003']" in err
    assert contents(full) == before and not (full.folder / files.INBOX_FILE).exists()
