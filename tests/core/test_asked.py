"""Requests and answers as rows: read as they were written, last decisions kept, what is unknown left alone (T-70)."""

from datetime import timedelta

import pytest
from core_tools import NOW, json_of
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger import inbox
from memory_ledger.inbox import (
    AnswerOutcome,
    BringBack,
    ConflictDecision,
    Erase,
    InboxAnswer,
    Refresh,
    new_request,
    read_row,
)
from memory_ledger.quality.relationships import RelationshipType
from memory_ledger.records import Source

ids = st.lists(st.text(min_size=1), max_size=3).map(tuple)
pairs = st.tuples(st.text(min_size=1), st.text(min_size=1))
unequal = pairs.filter(lambda pair: pair[0] != pair[1])
PLAIN = (inbox.ArchiveStale, inbox.Retire, inbox.ProtectMemories, inbox.Readmit)
ASKED = {
    **{one.kind: st.builds(one, memories=ids) for one in PLAIN},
    "refresh": st.builds(Refresh, memories=ids, verified=st.booleans(), confidence=st.none() | st.floats(0, 1)),
    "link": st.builds(
        inbox.LinkMemories, memories=unequal, type=st.sampled_from(RelationshipType), reason=st.none() | st.text()
    ),
    "unlink": st.builds(inbox.UnlinkMemories, memories=pairs, type=st.sampled_from(RelationshipType)),
    "standing-rule": st.builds(inbox.SwitchRule, memories=st.tuples(st.text(min_size=1)), is_on=st.booleans()),
    "no-secret": st.builds(inbox.NotSecret, memories=st.tuples(st.text(min_size=1))),
    "write": st.builds(inbox.WriteMemory, memories=ids, text=st.text()),
    "correct-source": st.builds(inbox.CorrectSource, memories=ids, source=st.sampled_from(Source)),
    "take-back": st.builds(inbox.TakeBack, act=st.text(min_size=1), memories=st.none() | ids),
    "adopt": st.builds(inbox.Adopt, memories=ids, excluded=ids),
    "decision": pairs.map(lambda pair: ConflictDecision(action="keep", memories=pair, keep=pair[0]))
    | pairs.map(lambda pair: ConflictDecision(action="decide", memories=pair, strategy="newer-wins"))
    | pairs.map(lambda pair: ConflictDecision(action="dismiss", memories=pair, by="agent")),
    "sign-anew": st.builds(inbox.SignAnew, reason=st.text()),
    "restore": st.builds(BringBack, memories=ids),
    "repair": st.just(inbox.Repair()),
    "erase": st.builds(Erase, memories=ids, also=ids),
    "arrive": st.builds(inbox.Arrive, archive=st.text()),
    "leave": st.builds(inbox.Leave, target=st.text(), archive=st.text(), memories=ids),
}
asked = st.one_of(*ASKED.values())
moments = st.integers(0, 10**6).map(lambda number: NOW + timedelta(seconds=number))
answers = st.builds(
    InboxAnswer,
    at=moments,
    outcome=st.sampled_from(AnswerOutcome),
    words=st.text(),
    problems=st.lists(st.text()).map(tuple),
)
json_values = json_of(st.none() | st.booleans() | st.integers() | st.text(), max_leaves=6)
KEYS = ["id", "kind", "at", "by", "arguments", "answer", "memories", "outcome"]


def test_every_kind_is_tried_here() -> None:
    assert ASKED.keys() == inbox.KINDS.keys()


@given(asked, moments, st.none() | st.text(), st.none() | answers)
def test_what_is_written_is_read(one, at, by, answer) -> None:
    request = new_request(one, at=at, by=by)
    assert read_row(request.to_row()) == request == new_request(one, at=at, by=by)
    [row] = inbox.answered_rows([request.to_row()], {} if answer is None else {request.id: answer})
    found = read_row(row)
    assert found is not None and found.answer == answer
    assert (found.asked is None) == (answer is not None and one.about is None)


@given(st.dictionaries(st.sampled_from(KEYS), json_values | st.sampled_from([*inbox.KINDS, "keep", NOW.isoformat()])))
def test_nothing_that_a_line_can_hold_raises(row) -> None:
    request = read_row(row)
    assert request is None or read_row(request.to_row()) == request
    if request is None:
        assert inbox.answered_rows([row], {}) == [row]


def test_the_last_decision_about_a_conflict_counts() -> None:
    """T-70: whichever of the two is named first; another conflict is another one."""
    said = [("a", "b"), ("c", "d"), ("b", "a")]
    made = [new_request(ConflictDecision(action="dismiss", memories=pair), at=NOW, by=None) for pair in said]
    assert inbox.in_force([*made, made[1]]) == made[1:]


@pytest.mark.parametrize(
    ("one", "left"),
    [
        pytest.param(Refresh(memories=("a", "gone")), Refresh(memories=("a",)), id="others are still asked about"),
        pytest.param(Refresh(memories=("gone",)), None, id="nothing is left"),
        pytest.param(BringBack(memories=("gone",)), None, id="to bring back one is not to bring back all"),
        pytest.param(ConflictDecision(action="dismiss", memories=("a", "gone")), None, id="half a pair"),
        pytest.param(inbox.Adopt(memories=("a",), excluded=("gone",)), inbox.Adopt(memories=("a",)), id="excluded"),
    ],
)
def test_a_request_without_an_erased_memory(one, left) -> None:

    def clean(arguments):
        return {key: [one for one in value if one != "gone"] for key, value in arguments.items() if key != "action"}

    row = inbox.without(new_request(one, at=NOW, by=None).to_row(), clean)
    assert (None if row is None else read_row(row).asked) == left


def test_the_latest_answers_stay() -> None:
    made = [new_request(BringBack(), at=NOW + timedelta(seconds=number), by=None) for number in range(25)]
    said = {
        one.id: InboxAnswer(at=NOW - timedelta(seconds=number), outcome=AnswerOutcome.DONE, words="")
        for number, one in enumerate(made)
    }
    rows = inbox.answered_rows([one.to_row() for one in made], said)
    assert [row["id"] for row in rows] == [one.id for one in made[: inbox.KEPT_ANSWERS]]
