"""`conflicts` with texts; `review`: the list of what needs a person, and the answers to it."""

import io
import json
from datetime import timedelta

import pytest
from conflict_tools import NEW, OLD, contested, decided, run
from driven import drive
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
TEXTS = ("User's project uses Python 3.9", "User's project uses Python 3.11", *PORTS)


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
def full(box):
    """A store from before the pack: two contradictions, of which m0001 and m0003 would be retired."""
    for number, text in enumerate(TEXTS):
        box.insert(text, timestamp=(box.clock() - timedelta(days=9 - number)).isoformat())
    box.adopt()
    box.store.save()
    return box


def listed(box, capsys) -> list[dict]:
    """Return the rows of `review`."""
    status, out, err = run(box, capsys, "review")
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and err == f"{len(rows)} thing{'s need' if len(rows) != 1 else ' needs'} you\n"
    return rows


def waiting(box) -> list:
    """Return what waits in the inbox."""
    return [one.asked for one in Inbox(box.folder).read() if one.answer is None]


def contents(box) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in box.folder.iterdir()}


def retired(box) -> list[str]:
    return [one for one in box.docs if box.read(one).is_deprecated]


def test_both_texts_are_listed_with_date_source_and_why(two, capsys) -> None:
    """The list of the page: facts of one moment are neither older nor newer, and what is only possible stands last."""
    first, second, last = listed(two, capsys)
    assert [one["name"] for one in first["texts"]] == ["first", "second"]
    assert [one["text"] for one in first["texts"]] == [*PORTS] and first["texts"][0]["said_at"].startswith("2026-03-01")
    assert "; ".join(first["why"]) == WHY and [*first["choices"]] == ["this", "that", "both", "merge"]
    assert (first["choices"]["this"], second["kind"], last["kind"]) == ("keep the first one", "conflict", "possible")


@pytest.mark.parametrize(
    ("name", "wanted"), [("this", ("keep", PORTS[0])), ("that", ("keep", PORTS[1])), ("both", ("dismiss", None))]
)
def test_each_answer_does_what_it_says(two, capsys, name: str, wanted: tuple) -> None:
    """At Agent Zero's next turn; what waits is not listed again, and a dry run writes nothing."""
    first, *others = listed(two, capsys)
    before = contents(two)
    status, out, _ = run(two, capsys, "review", first["id"], name, "--dry-run")
    assert status == 0 and out.startswith(f"{first['id']} would be resolved") and contents(two) == before
    assert run(two, capsys, "review", first["id"], name)[0] == 0
    (asked,) = waiting(two)
    assert (asked.action.value, asked.keep and two.read(asked.keep).text) == wanted
    assert [one["id"] for one in listed(two, capsys)] == [one["id"] for one in others]
    two.adopt()
    assert two.store.conflicts.get(first["id"]).resolution.resolved_by == "operator"


def test_what_cannot_be_answered_is_refused(two, capsys) -> None:
    """The message names what is allowed; two values that cannot both be true are not merged."""
    first = listed(two, capsys)[0]["id"]
    before = contents(two)
    for words, told in (
        ((first, "x"), "allowed: this, that, both, merge"),
        ((first,), f"the answer to {first} is missing; allowed: this, that, both, merge"),
        (("gone", "this"), "allowed: an id that `memory-ledger review` lists"),
        ((first, "merge"), "allowed: "),
    ):
        status, out, err = run(two, capsys, "review", *words)
        assert (status, out) == (1, "") and told in err
    assert contents(two) == before


def test_an_answer_is_taken_back_until_it_is_carried_out(two, capsys) -> None:
    """T-70: `undo` withdraws what waits, and the list asks again; a dry run leaves it."""
    first = listed(two, capsys)[0]["id"]
    run(two, capsys, "review", first, "that")
    assert "would be taken back" in run(two, capsys, "undo", first, "--dry-run")[2] and len(waiting(two)) == 1
    assert "is taken back" in run(two, capsys, "undo", first)[2] and waiting(two) == []
    assert listed(two, capsys)[0]["id"] == first


def test_what_another_answer_settles_is_not_listed(known, capsys) -> None:
    """Issue 22: of three that contradict each other, the one that is retired is asked about no more."""
    for text in (*PORTS, "The API listens on port 9090"):
        known.insert(text)
    known.adopt()
    known.store.save()
    first, *_ = listed(known, capsys)
    run(known, capsys, "review", first["id"], "this")
    (left,) = listed(known, capsys)
    run(known, capsys, "review", left["id"], "that")
    known.adopt()
    assert known.store.conflicts.get_conflicts(unresolved=True) == [] and listed(known, capsys) == []


def test_proposals_are_answered_as_on_the_page(full, capsys) -> None:
    """Issue 22: what is kept stays kept; neither `review` nor `adopt` asks about it again."""
    one, other = listed(full, capsys)
    assert ([text["name"] for text in one["texts"]], one["title"]) == (["retire", "keep"], "contradicted")
    assert run(full, capsys, "review", one["id"], "both")[0] == 0
    assert run(full, capsys, "review", other["id"], "that")[0] == 0
    assert [(asked.memories, asked.excluded) for asked in waiting(full)] == [((), ("m0001",)), (("m0003",), ("m0001",))]
    assert listed(full, capsys) == []
    full.adopt()
    full.store.save()
    assert retired(full) == ["m0003"] and listed(full, capsys) == []
    assert run(full, capsys, "adopt", "--report")[1] == ""
    run(full, capsys, "adopt", "--accept")
    full.adopt()
    assert retired(full) == ["m0003"]


@pytest.mark.parametrize(("name", "lost"), [("both", []), ("that", ["m0001"])])
def test_duplicates_that_only_a_person_may_decide(known, capsys, name: str, lost: list[str]) -> None:
    """E-41, issue 22: the user said both; by default the older one goes, and nothing is asked twice."""
    for text in ("User likes tea", "User really likes tea"):
        known.insert(text)
        known.clock.advance(days=1)
    known.adopt()
    known.store.save()
    row = {"a": "m0002", "b": "m0001", "cosine": 0.9, "outcome": "review", "why": "E-41: ...", "at": "", "cycle": 0}
    known.store.database.change(lambda db: note_pairs(db, [row]))
    (item,) = listed(known, capsys)
    assert (item["id"], item["title"]) == ("m0001", "a duplicate")
    run(known, capsys, "review", "m0001", name)
    assert listed(known, capsys) == []
    known.adopt()
    assert retired(known) == lost
    known.store.save()
    assert listed(known, capsys) == []


@pytest.mark.parametrize(("typed", "wanted"), [("n\n", 0), ("y\n", 1)])
def test_an_erase_is_confirmed_at_a_terminal(box, monkeypatch, capsys, typed: str, wanted: int) -> None:
    """It cannot be undone; the secret itself is not shown."""
    secret = box.learn("The staging password is Kite&2211")
    box.store.save()
    monkeypatch.setattr("sys.stdin", keyboard := io.StringIO(typed))
    keyboard.isatty = lambda: True
    status, _, err = run(box, capsys, "review", secret, "erase")
    assert "cannot be undone" in err and status == 1 - wanted
    assert [one.kind for one in waiting(box)] == ["erase"] * wanted
    assert "2211" not in str(listed(box, capsys))


def test_conflicts_tell_the_texts_after_what_they_told_before(known, capsys) -> None:
    decided(known)
    recorded = known.lines(files.CONFLICTS_FILE)[-1]
    row = json.loads(run(known, capsys, "conflicts")[1])
    assert [*row][: len(recorded)] == [*recorded] and {key: row[key] for key in recorded} == recorded
    sides = [(side["name"], side["text"], side["said_at"], side["source"]) for side in row["texts"]]
    assert sides == [
        ("older", OLD, "2026-03-01T12:00:00+00:00", "agent_inferred"),
        ("newer", NEW, "2026-03-02T12:00:00+00:00", "agent_inferred"),
    ]
    assert "; ".join(row["why"]) == row["description"] and 'newer: "3.11"' in row["description"]
    assert [NEW[start:end] for start, end in row["differs"][1]] == ["3.11"]


def test_conflicts_of_what_is_gone_or_only_possible(two, capsys) -> None:
    found = [json.loads(line) for line in run(two, capsys, "conflicts")[1].splitlines()]
    assert found[0]["why"] == ["their wording may be contradictory, but no rule is sure"]
    assert found[0]["texts"][0]["text"] == GYM[0]
    two.delete(found[1]["memories"][0])
    two.memory.save()
    found = [json.loads(line) for line in run(two, capsys, "conflicts")[1].splitlines()]
    assert [side["text"] for side in found[1]["texts"]] == ["", PORTS[1]] and found[1]["differs"] == [[], []]
    assert found[1]["why"] == [found[1]["description"]]


@pytest.mark.parametrize("command", ["conflicts", "review"])
def test_on_a_terminal_they_are_a_table_of_both_texts(two, command: str) -> None:
    shown = drive([command, "--folder", str(two.folder)], two.folder, on_terminal=True)
    assert shown.code == 0
    for words in ("first", "second", "why", "2026-03-01", *(("open", "possible") if command == "conflicts" else ())):
        assert words in shown.said


@pytest.mark.parametrize("mode", [("--accept", "--dry-run"), ("--accept",), ("--report",)])
def test_adopt_refuses_an_unknown_id_in_every_mode(full, capsys, mode: tuple[str, ...]) -> None:
    """Issue 22: the dry run and the real run agree; the message names what is allowed, and nothing is written."""
    before = contents(full)
    status, out, err = run(full, capsys, "adopt", *mode, "--except", "nobody")
    assert (status, out) == (1, "") and "nobody not proposed; allowed: ['m0001', 'm0003']" in err
    assert contents(full) == before and not (full.folder / files.INBOX_FILE).exists()
