"""Whatever is asked for is taken back byte for byte, and done again (T-70): drawn acts on a small store."""

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_ledger import inbox
from memory_ledger.host.storage import files
from memory_ledger.host.storage.conflict_file import ConflictFile
from memory_ledger.host.storage.proposals import Proposal, write_proposals
from memory_ledger.ledger.changes import Contest, Outdate, Supersede
from memory_ledger.ledger.undoing import Steps
from memory_ledger.quality.conflict_record import RANKING, RequestKind, Resolver, write_conflict
from memory_ledger.quality.relationships import RelationshipType

#: So many acts of one draw are done, taken back and done again one after the other.
EACH = 10
COUNTS = [pytest.param(2_000, id="2,000"), pytest.param(100_000, id="100,000", marks=pytest.mark.long)]
TEXTS = {
    "User lives in Hamburg.": {"source": "user_asserted"},
    "User lives in Lisbon.": {"source": "agent_inferred", "validity": "inferred"},
    "Billing uses Postgres 15.": {"source": "external_retrieved", "validity": "inferred", "utility": "archived"},
    "Billing uses Postgres 16.": {"source": "agent_inferred", "validity": "inferred"},
    "Always answer in German.": {"source": "user_asserted", "utility": "load_bearing"},
    "The printer stands on the second floor.": {"source": "user_asserted"},
    "The shop opens on Monday and on Friday.": {"source": "agent_inferred"},
}
IDS = [f"m{number:04d}" for number in range(1, len(TEXTS) + 1)]
one, some = st.sampled_from(IDS), st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True).map(tuple)
two = st.lists(one, min_size=2, max_size=2, unique=True).map(tuple)
by = st.sampled_from([Resolver.OPERATOR, Resolver.AGENT])


def deciding(action: RequestKind, **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(inbox.ConflictDecision, action=st.just(action), memories=two, by=by, **more)


ACTS = st.one_of(
    st.builds(inbox.Retire, memories=some),
    st.builds(inbox.Readmit, memories=some),
    st.builds(inbox.ProtectMemories, memories=some),
    st.builds(inbox.ArchiveStale, memories=some),
    st.builds(inbox.Refresh, memories=some, verified=st.booleans(), confidence=st.sampled_from([None, 0.25])),
    st.builds(inbox.CorrectSource, memories=some, source=st.sampled_from(["user_asserted", "external_retrieved"])),
    st.builds(inbox.SwitchRule, memories=one.map(lambda id_: (id_,)), is_on=st.booleans()),
    st.builds(inbox.Adopt, memories=some, excluded=st.just(())),
    st.builds(inbox.Adopt, memories=st.just(()), excluded=some),
    two.map(lambda pair: inbox.ConflictDecision(action=RequestKind.KEEP, memories=pair, keep=pair[0])),
    deciding(RequestKind.DECIDE, strategy=st.sampled_from(RANKING)),
    deciding(RequestKind.MERGE, text=st.just("One text for both.")),
    st.just(inbox.ConflictDecision(action=RequestKind.MERGE, memories=(IDS[4], IDS[5]))),
    deciding(RequestKind.DISMISS),
    deciding(RequestKind.UNDO),
    deciding(RequestKind.READMIT),
    st.builds(inbox.LinkMemories, memories=two, type=st.sampled_from(RelationshipType), by=by),
    st.builds(inbox.UnlinkMemories, memories=two, type=st.sampled_from(RelationshipType)),
)


def build(box: Any) -> None:
    """Seven memories: one retired by a rule, one outdated in part, two at odds, two proposals."""
    for text, axes in TEXTS.items():
        box.classify(box.insert(text), **axes)
    box.adopt()
    at = box.clock()
    box.store.apply(
        [
            Supersede(winner_id=IDS[3], loser_id=IDS[2], at=at, cycle=0, rule="C-47", reasons=("newer",)),
            Outdate(memory_id=IDS[6], winner_id=IDS[5], parts=("on Friday",), at=at, rule="C-47"),
            Contest(older_id=IDS[0], newer_id=IDS[1], at=at, rule="C-96", reasons=("both",)),
        ]
    )
    pairs = [(IDS[1], IDS[0]), (IDS[5], IDS[4])]
    proposals = [Proposal(loser=a, loser_text="", winner=b, winner_text="", rule="E-41", reasons=()) for a, b in pairs]
    write_proposals(box.folder, proposals, at=at)


def do(box: Any, asked: inbox.Arguments) -> tuple[str, inbox.InboxAnswer]:
    """Have something done as the page and the terminal do; return the act, and what became of it."""
    box.clock.advance(seconds=1)
    request = inbox.new_request(asked, at=box.clock(), by="operator")
    box.store.requests.inbox.append(asked, at=request.at, by="operator")
    box.adopt()
    (answer,) = (row.answer for row in box.store.requests.look() if row.id == request.id)
    return request.id, answer


def state(box: Any, known: set[str]) -> Any:
    """Everything that an act may change, as it is stored: only what came with one is left out."""
    held = {row.id: write_conflict(row) for row in box.store.conflicts.get_conflicts()}
    assert held == {row.id: write_conflict(row) for row in ConflictFile(box.folder).get_conflicts()}
    return (
        json.dumps({name: doc.metadata for name, doc in box.docs.items() if name in known}),
        json.dumps({name: row for name, row in sorted(held.items()) if known.issuperset(row["memories"])}),
        (box.folder / files.PROPOSALS_FILE).read_bytes(),
        {row.asked.about: row.id for row in box.store.requests.look() if row.asked and row.asked.about},
    )


def check(box: Any, asked: inbox.Arguments) -> None:
    """Do something, take it back, do it again; and once more, or leave it so."""
    known = set(box.docs)
    before = state(box, known)
    act, answer = do(box, asked)
    box.adopt()  # the rules have their say about a text that came with it
    after, came = state(box, known), {name: box.validity(name) for name in set(box.docs) - known}
    if not Steps(box.journal()).of_act(act):
        assert after[:3] == before[:3], (asked, answer)
        return
    for expected in (before, after):
        act, answer = do(box, inbox.TakeBack(act=act))
        assert (answer.outcome, answer.problems) == ("done", ())
        assert state(box, known) == expected, asked
        now = dict.fromkeys(came, "deprecated") if expected is before else came
        assert {name: box.validity(name) for name in came} == now, asked


@pytest.mark.parametrize("count", COUNTS)
def test_every_act_is_taken_back_and_done_again(new_box, monkeypatch, count: int) -> None:
    """T-70: memories, conflicts, proposals and last words stand as before, byte for byte; then as after."""
    monkeypatch.setattr(os, "fsync", bool)  # nothing here is to outlive the machine

    @settings(max_examples=count // EACH, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(ACTS, min_size=EACH, max_size=EACH))
    def play(acts: list[inbox.Arguments]) -> None:
        box = new_box()
        try:
            build(box)
            for asked in acts:
                check(box, asked)
        finally:
            box.memory.close()

    play()
