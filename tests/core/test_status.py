"""Status in a store that others have written to: pointers, chains, reviews."""

from dataclasses import replace

import pytest
from core_tools import (
    AGENT,
    ARCHIVED,
    CONFIRMED,
    DEPRECATED,
    EXTERNAL,
    INFERRED,
    LATER,
    LOAD_BEARING,
    NOW,
    TACTICAL,
    USER,
    axes,
    memory,
    propose_retirements,
    retire,
)
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.claims import extract_claims
from memory_ledger.ledger import lifecycle
from memory_ledger.ledger.adopt import fingerprint, make_seal
from memory_ledger.ledger.changes import Classify
from memory_ledger.ledger.lifecycle import summarize_status
from memory_ledger.ledger.resolve import Outcome, Party, decide, decide_memories, name_winner
from memory_ledger.ledger.settle import Review, propose
from memory_ledger.records import Lineage, Memory, Source, Utility, Validity


def lineage_of(one: Memory) -> Lineage:
    return lifecycle.status_of(one)[1]


def test_winner_of_several_keeps_them_all() -> None:
    """C-49, T-09: `supersedes` names the most recent loser; the others are not forgotten."""
    _, winner = retire(memory("a"), memory("z"))
    assert lineage_of(winner).supersedes_ids == ()
    _, winner = retire(memory("b"), winner)
    _, winner = retire(memory("c"), winner)
    assert (lineage_of(winner).supersedes, lineage_of(winner).supersedes_ids) == ("c", ("a", "b", "c"))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10),
    st.lists(st.none() | st.integers(0, 4), min_size=5, max_size=5),
)
def test_foreign_pointers_never_close_a_ring(pairs: list[tuple[int, int]], pointers: list[int | None]) -> None:
    """T-09: whatever pointers memories in use came with, what the rules retire never points in a circle."""
    store = {
        str(number): memory(str(number), lineage={"superseded_by": None if to is None else str(to)})
        for number, to in enumerate(pointers)
    }
    for a, b in pairs:
        try:
            retired, kept = retire(store[str(a)], store[str(b)])
        except lifecycle.LifecycleError:
            continue
        store |= {retired.id: retired, kept.id: kept}
    for one in [one for one in store.values() if one.is_deprecated]:
        winner = one
        while winner.is_deprecated:
            winner = store[lineage_of(winner).superseded_by or ""]
        assert lineage_of(winner).superseded_by is None
        assert lifecycle.follow_to_head(one.id, lambda name: lineage_of(store[name]).superseded_by) == winner.id


def test_classification_replaces_both_records() -> None:
    """C-30."""
    change = Classify(memory_id="m1", classification=axes(INFERRED), lineage=Lineage(created_at=LATER))
    done = change.apply_to(replace(memory(), classification=None, lineage=None))
    assert (done.classification, done.lineage) == (axes(INFERRED), Lineage(created_at=LATER))


@pytest.mark.parametrize("missing", ["classification", "lineage"])
def test_memory_without_status_moves_nowhere(missing: str) -> None:
    """C-32: first classified, then anything else."""
    bare = replace(memory(), **{missing: None})  # type: ignore[arg-type]
    for move in (
        lambda: lifecycle.access(bare, at=NOW, cycle=1),
        lambda: lifecycle.with_utility(bare, ARCHIVED),
        lambda: Party.of(bare),
    ):
        with pytest.raises(lifecycle.LifecycleError, match="not classified"):
            move()


RANKS = {"validity": [INFERRED, CONFIRMED], "utility": [ARCHIVED, TACTICAL, LOAD_BEARING]}
parties = st.builds(
    Party,
    st.sampled_from(Source),
    st.sampled_from(RANKS["validity"]),
    st.sampled_from(Utility),
    st.just(NOW),
    is_told_by_others=st.booleans(),
)


@given(parties, parties, st.sampled_from(["older", "newer", None]))
def test_same_winner_from_both_sides_with_a_correction(a: Party, b: Party, corrects: str | None) -> None:
    """C-41, C-44 ... C-47, C-96: at one time the order of telling decides nothing; the same memory wins."""
    swap = {"older": "newer", "newer": "older", None: None}
    winner, rule, _ = name_winner(a, b, corrects=corrects)  # type: ignore[arg-type]
    other, other_rule, _ = name_winner(b, a, corrects=swap[corrects])  # type: ignore[arg-type]
    assert (swap[winner], rule) == (other, other_rule)


@given(parties, parties)
def test_user_always_wins(a: Party, b: Party) -> None:
    """C-44: before validity, utility and correction, and never loses; where nobody knows who said it, both stay."""
    if (a.source is USER) == (b.source is USER):
        return
    other = b if a.source is USER else a
    winner = ("older" if a.source is USER else "newer") if other.is_told_by_others else None
    for corrects in ("older", "newer", None):
        assert name_winner(a, b, corrects=corrects)[0] == winner  # type: ignore[arg-type]


@given(st.sampled_from(Source), st.sampled_from(Utility), st.sampled_from(Utility))
def test_rank_before_rank(source: Source, a: Utility, b: Utility) -> None:
    """C-45, C-46, C-96: within one source validity decides before utility, utility before time."""
    confirmed, inferred = Party(source, CONFIRMED, a, NOW), Party(source, INFERRED, b, LATER)
    if source is USER:
        assert name_winner(confirmed, inferred)[:2] == ("newer", "C-47")
        return
    assert name_winner(confirmed, inferred)[:2] == ("older", "C-45")
    if a is not b:
        older, newer = Party(source, CONFIRMED, a, NOW), Party(source, CONFIRMED, b, LATER)
        better = "older" if RANKS["utility"].index(a) > RANKS["utility"].index(b) else "newer"
        assert name_winner(older, newer)[:2] == (better, "C-46")


def test_contradiction_that_no_rule_orders_stays_open() -> None:
    """C-96, T-46: both stay, with the reasons."""
    agent = Party(AGENT, INFERRED, TACTICAL, NOW)
    other = Party(EXTERNAL, INFERRED, TACTICAL, LATER)
    texts = ("project uses Python 3.9", "project uses Python 3.11")
    decision = decide(agent, other, *map(extract_claims, texts), older_text=texts[0], newer_text=texts[1])
    assert (decision.outcome, decision.winner, decision.rule) == (Outcome.CONTEST, None, "C-96")
    assert decision.is_contradiction
    assert decision.reasons


def dated(memory_id: str, text: str, day: int, **status: object) -> Memory:
    moment = NOW.replace(day=day)
    return memory(memory_id, text, at=moment, **status)  # type: ignore[arg-type]


def told_by_agent(one: Memory) -> Memory:
    assert one.lineage is not None
    return replace(one, lineage=one.lineage.model_copy(update={"stated_by": "agent"}))


def test_review_lets_the_older_one_win_where_the_rules_say_so() -> None:
    """C-44, C-80: the agent's newer memory is the loser, and what comes after it is compared with the survivor."""
    store = [
        dated("u", "project uses Python 3.11", 1),
        told_by_agent(dated("a", "project uses Python 3.9", 2, source=AGENT, validity=INFERRED)),
        dated("v", "project uses Python 3.12", 3),
    ]
    found = propose_retirements(store, at=LATER, cycle=2)
    assert [(one.loser_id, one.winner_id, one.rule) for one in found] == [("a", "u", "C-44"), ("u", "v", "C-47")]
    assert {one.cycle for one in found} == {2}


AGENTS = {"source": AGENT, "validity": INFERRED}


@pytest.mark.parametrize(
    ("older", "newer", "status", "outcome"),
    [
        ("Actually the API uses GraphQL", "The API uses REST", {}, Outcome.COEXIST),
        ("Actually the API uses GraphQL", "The API uses REST", {"utility": LOAD_BEARING}, Outcome.COEXIST),
        ("We switched the API from SOAP to GraphQL", "The API uses REST", {}, Outcome.COEXIST),
        ("Actually the API uses GraphQL", "The API uses REST", AGENTS, Outcome.CONTEST),
        ("Actually the API uses GraphQL", "Actually the API uses REST", {}, Outcome.SUPERSEDE),
        ("The API uses GraphQL", "Actually the API uses REST", {}, Outcome.SUPERSEDE),
        ("Actually the port of the API is 8080", "The port of the API is 8443", {}, Outcome.SUPERSEDE),
        ("I moved to Denver", "I live in Boston", {}, Outcome.SUPERSEDE),
    ],
)
def test_correction_excludes_what_was_before_it(older: str, newer: str, status: dict, outcome: Outcome) -> None:
    """C-41, C-43, C-44, C-80: what the person says later may come in addition; what nobody said stays open."""
    _, _, decision = decide_memories(dated("a", older, 1), dated("b", newer, 2, **status))
    assert decision.outcome is outcome
    assert decision.winner == ("newer" if outcome is Outcome.SUPERSEDE else None)


@pytest.mark.parametrize(("status", "outcome"), [(AGENTS, Outcome.COEXIST), ({}, Outcome.PARTIAL)])
def test_only_the_user_ends_what_the_steps_of_a_solution_set(status: dict, outcome: Outcome) -> None:
    """C-43: a recipe shows how something is done, with the values of the day; another setting elsewhere ends none."""
    text = "# Problem\nThe login fails.\n# Solution\n```\nAUTH_URL=http://localhost:5173\n```\nRestart it."
    newer = dated("b", "The server is set up anew.\n\nAUTH_URL=http://10.0.0.7:3000", 2, **status)
    assert decide_memories(dated("a", text, 1, **AGENTS, area="solutions"), newer)[2].outcome is outcome


def test_review_leaves_alone_what_says_something_else() -> None:
    """C-42, C-43: nothing comparable, nothing proposed."""
    one, other = dated("a", "User likes tea", 1), dated("b", "User likes coffee", 2)
    assert propose(one, other, at=LATER, cycle=1) is None
    same = [dated("a", "project uses Python 3.11", 1), dated("b", "project uses Python 3.11", 2)]
    assert propose_retirements(same, at=LATER, cycle=1) == []


def test_review_reads_only_what_is_in_use() -> None:
    """C-50: an unclassified or deprecated memory takes no part."""
    store = [
        replace(dated("a", "project uses Python 3.9", 1), classification=None),
        dated("b", "project uses Python 3.10", 2, validity=DEPRECATED),
        dated("c", "project uses Python 3.11", 3),
    ]
    assert propose_retirements(store, at=LATER, cycle=1) == []


@given(st.permutations(range(8)), st.lists(st.integers(0, 3), max_size=12), st.integers(1, 5))
def test_review_finds_the_same_in_any_steps(order: list[int], pauses: list[int], limit: int) -> None:
    """C-91, T-01: however the memories come, and whatever is compared in between."""
    texts = [f"{subject} uses Python 3.{number}" for number in range(9, 13) for subject in ("project", "service")]
    store = [dated(f"m{number}", text, number + 1) for number, text in enumerate(texts)]
    review = Review()
    for number, pause in zip(order, [*pauses, *[0] * len(order)], strict=False):
        review.add(store[number])
        if pause:
            review.advance(pause, at=LATER, cycle=1)
    while review.remaining:
        before = review.remaining
        review.advance(limit, at=LATER, cycle=1)
        assert review.remaining < before
    assert review.proposals() == propose_retirements(store, at=LATER, cycle=1)
    assert len(review.proposals()) == 6


def test_review_counts_only_what_has_something_to_be_compared_with() -> None:
    """C-91: what one memory alone speaks of takes no step of a first look."""
    review = Review()
    review.add(dated("a", "project uses Python 3.9", 1))
    assert review.remaining == 0
    review.add(dated("b", "project uses Python 3.10", 2))
    assert review.remaining > 0
    review.advance(review.remaining, at=LATER, cycle=1)
    assert (review.remaining, len(review.proposals())) == (0, 1)


@given(st.text(max_size=30), st.text(max_size=30))
def test_fingerprint_names_the_text(a: str, b: str) -> None:
    """T-43: equal for the same words, whatever the white space."""
    assert (fingerprint(a) == fingerprint(b)) is (" ".join(a.split()) == " ".join(b.split())) or a != b
    assert fingerprint(f" {a}\n") == fingerprint(a)


keys = st.binary(min_size=32, max_size=32)
ids = st.text("abc-019\ud800", min_size=1, max_size=8)


@given(keys, keys, ids, ids)
def test_seal_depends_on_its_key(key: bytes, other_key: bytes, one: str, other: str) -> None:
    """T-69: nobody without the key writes a seal, and the parts of one cannot be shifted."""
    seal = make_seal(key, one, other, axes())
    assert (seal == make_seal(other_key, one, other, axes())) is (key == other_key)
    assert seal != make_seal(key, one[:-1], one[-1] + other, axes())


statuses = st.tuples(st.sampled_from(Validity), st.sampled_from(Utility), st.sampled_from(Source))


@given(st.dictionaries(statuses, st.integers(0, 50)))
def test_health_adds_up(counts: dict[tuple[Validity, Utility, Source], int]) -> None:
    """C-61, C-62, C-64: every memory is in each of the three tables, once."""
    health = summarize_status(counts, conflicts_resolved=0, at=NOW)
    total = sum(counts.values())
    assert health["total_memories"] == total
    assert [sum(health[key].values()) for key in ("by_validity", "by_utility", "by_source")] == [total] * 3
    assert set(health["by_validity"]) == {one.value for one in Validity}
