"""From what the searches found to what enters the prompt: age, evidence and each other stage, and each switched off."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import AGENT, ARCHIVED, CONFIRMED, INFERRED, LOAD_BEARING, NOW, TACTICAL, USER, memory
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.quality.scores import measure_memory
from memory_ledger.recall.plan import RecallLimits, RecallPlan, make_plan
from memory_ledger.recall.rank import NO_EVIDENCE, TOO_LITTLE, blend, measure_recency, rank, split_by_evidence
from memory_ledger.recall.selection import Candidate, Selection, explain
from memory_ledger.records import Memory, Quality, Relationship, Source, Utility, Validity
from memory_ledger.setting_groups import NoiseGate, TemporalDecay
from memory_ledger.settings import Settings

CASES = read_cases(__file__)

QUERY = "which port has the staging server"
# The specification's own reading: meaning, age and links; no words, no gate but the threshold.
SPECIFIED: dict[str, Any] = {"lexical": {"enabled": False}, "noise_gate": {"enabled": True}}
NO_LINKS: dict[str, Any] = {"related_memories": {"enabled": False}}


def plan(settings: dict[str, Any] | None = None, *, is_enhanced: bool = True, **limits: Any) -> RecallPlan:
    return make_plan(
        QUERY,
        Settings.model_validate(SPECIFIED if settings is None else settings),
        NOW,
        limits=RecallLimits(**{"threshold": 0.0} | limits),
        is_enhanced=is_enhanced,
    )


def guess(memory_id: str, similarity: float = 0.8, *, days: float = 0.0, **fields: Any) -> Candidate:
    """Return a candidate that no rule exempts from ageing; `links` are its related memories."""
    links, rest = fields.pop("links", ()), {"source": AGENT, "validity": INFERRED} | fields
    lineage = {"related_memory_ids": list(links)} | rest.pop("lineage", {})
    found = memory(memory_id, at=NOW - timedelta(days=days), lineage=lineage, **rest)
    return Candidate(memory=found, similarity=similarity)


def scores(selection: Selection) -> dict[str, float]:
    found = (*selection.chosen, *(one for one, _ in selection.left_out))
    return {one.memory.id: one.score for one in found}


def boosts(selection: Selection) -> dict[str, float]:
    found = (*selection.chosen, *(one for one, _ in selection.left_out))
    return {one.memory.id: one.boost for one in found if one.boost}


@pytest.mark.parametrize(
    ("stage", "found"),
    [
        pytest.param("temporal_decay", [guess("a", 0.8, days=400), guess("b", 0.7)], id="E-83 decay"),
        pytest.param("related_memories", [guess("a", 0.8, links=["b"]), guess("b", 0.7)], id="E-83 links"),
    ],
)
def test_a_stage_that_is_switched_off_changes_nothing(stage: str, found: list[Candidate]) -> None:
    """E-83: with both off the final score is the similarity; with one off the other one still acts."""
    off = {key: {"enabled": False} for key in ("temporal_decay", "related_memories")}
    neither = rank(found, plan(SPECIFIED | off, injected=1))
    assert scores(neither) == {"a": 0.8, "b": 0.7}
    acting = rank(found, plan(SPECIFIED | {key: value for key, value in off.items() if key != stage}, injected=1))
    assert scores(acting) != scores(neither)
    assert neither.ids == ("a",)


#: Two of which the first is linked to the second, and only one enters.
LINKED, ONE = [guess("a", links=["b"]), guess("b", 0.7)], {"injected": 1}


@pytest.mark.parametrize(
    ("found", "limits", "settings"),
    [
        pytest.param(LINKED, {"injected": 2}, {}, id="E-34 selected anyway"),
        pytest.param([guess("a", links=["z"]), guess("b", 0.7)], ONE, {}, id="E-34 not in the pool"),
        pytest.param([guess("a"), guess("b", 0.7, links=["a"])], ONE, {}, id="E-34 linked from below"),
        pytest.param(LINKED, ONE | {"threshold": 0.75}, {}, id="T-66 cut by the gate"),
        pytest.param(LINKED, ONE, {"related_memories": {"max_related_per_memory": 0}}, id="E-36 no link counts"),
        pytest.param(LINKED, ONE, {"related_memories": {"related_boost": 0.0}}, id="E-36 no boost"),
    ],
)
def test_no_boost(found: list[Candidate], limits: dict[str, Any], settings: dict[str, Any]) -> None:
    """E-34, E-36, E-70: only what a selected memory is linked to, in the pool, and below the cut."""
    assert boosts(rank(found, plan(SPECIFIED | settings, **limits))) == {}


def test_classification_alone_neither_ages_nor_boosts() -> None:
    """C-57, C-94: tier, then access count, of what is near enough; the figures are those of the search."""
    found = [
        guess("old", 0.9, days=400, links=["much"]),
        guess("much", 0.7, lineage={"access_count": 9}),
        guess("bearing", 0.71, utility=LOAD_BEARING),
        guess("archived", 0.99, utility=ARCHIVED, lineage={"access_count": 99}),
        guess("far", 0.69, utility=LOAD_BEARING),
    ]
    selection = rank(found, plan({}, is_enhanced=False, threshold=0.7))
    assert selection.ids == ("bearing", "much", "old", "archived")
    assert scores(selection) == {one.memory.id: one.similarity for one in found}
    assert explain(plan({}, is_enhanced=False), selection)["ranking"] == "classification"


def plain_score(found: Candidate) -> float:
    """Return E-19, written down once more."""
    axes, lineage = found.memory.classification, found.memory.lineage
    assert axes is not None and lineage is not None
    hours = max(0.0, (NOW - (lineage.last_accessed or lineage.created_at)).total_seconds() / 3600)
    is_exempt = axes.utility is LOAD_BEARING or axes.source is USER or axes.validity is CONFIRMED
    recency = 1.0 if is_exempt else max(0.1, 0.5 ** (hours / 168))
    return 0.85 * found.similarity + 0.15 * recency


share = st.floats(0, 1)
guesses = st.builds(
    guess,
    st.sampled_from("abcdefghij"),
    share,
    days=st.floats(-1, 99),
    utility=st.sampled_from(Utility),
    source=st.sampled_from(Source),
    validity=st.sampled_from(Validity),
    area=st.sampled_from(["main", "solutions"]),
    links=st.lists(st.sampled_from("abcdefghij"), max_size=3, unique=True),
    lineage=st.fixed_dictionaries(
        {"last_accessed": st.none() | st.floats(-1, 99).map(lambda days: NOW - timedelta(days=days))}
    ),
)
candidates = st.lists(
    st.builds(
        lambda found, fit: replace(found, likely=fit, relevance=fit, share=fit),
        guesses,
        st.sampled_from([0.0, 0.0, 0.25, 1.0]),
    ),
    max_size=10,
    unique_by=lambda one: one.memory.id,
)


@given(candidates, share, st.integers(1, 5))
def test_without_words_the_score_is_the_specifications(found: list[Candidate], threshold: float, most: int) -> None:
    """E-19, E-21, E-23, E-34, E-56 ... E-58, E-80, E-86, T-50: to 1e-6, plus 0.08 once where linked."""
    selection = rank(found, plan(threshold=threshold, injected=most, solutions=most))
    measured, lent = scores(selection), boosts(selection)
    for one in found:
        expected = plain_score(one) + lent.get(one.memory.id, 0.0)
        assert measured[one.memory.id] == pytest.approx(expected, abs=1e-6)
    assert set(lent.values()) <= {0.08}
    gated = {one.memory.id for one, reason in selection.left_out if "cap" not in reason}
    assert gated == {one.memory.id for one in found if one.similarity < threshold}
    first = sorted((one for one in found if one.similarity >= threshold), key=lambda one: -plain_score(one))[:most]
    assert set(lent) <= {link for one in first for link in _links(one)}


def _links(one: Candidate) -> list[str]:
    assert one.memory.lineage is not None
    return list(one.memory.lineage.related_memory_ids)


@given(
    candidates,
    st.sampled_from(["select_by_score", "tiered", "score"]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 6),
    st.integers(0, 4),
    st.randoms(),
)
def test_ranking_is_bounded_and_independent_of_order(
    found: list[Candidate], mode: str, words: bool, is_enhanced: bool, most: int, solutions: int, random: Any
) -> None:
    """C-58, T-04, T-53: the caps hold, nothing is lost or doubled, equal input gives equal output."""
    chosen = plan(
        {"ranking_mode": mode, "lexical": {"enabled": words}},
        is_enhanced=is_enhanced,
        injected=most,
        solutions=solutions,
        threshold=0.4,
    )
    selection = rank(found, chosen)
    assert len(selection.ids) <= most
    assert len(selection.solutions) <= solutions
    everything = [*selection.ids, *(one.memory.id for one, _ in selection.left_out)]
    assert sorted(everything) == sorted(one.memory.id for one in found)
    shuffled = list(found)
    random.shuffle(shuffled)
    assert rank(shuffled, chosen) == selection


def aged(hours: float, **fields: Any) -> Memory:
    """Return a memory of so many hours."""
    return guess("m", days=hours / 24, **fields).memory


def recency(found: Memory, **settings: Any) -> float:
    return measure_recency(found, NOW, TemporalDecay.model_validate(settings))


def test_what_exempts_is_a_setting() -> None:
    nobody: dict[str, Any] = {"exempt_utilities": [], "exempt_sources": [], "exempt_validities": []}
    pinned = aged(168, utility=LOAD_BEARING, source=USER, validity=CONFIRMED)
    assert recency(pinned, **nobody) == pytest.approx(0.5)
    assert recency(aged(168), **nobody | {"exempt_sources": ["agent_inferred"]}) == 1.0
    assert recency(aged(168), **nobody | {"exempt_validities": ["inferred"]}) == 1.0
    assert recency(aged(168), **nobody | {"exempt_utilities": ["tactical"]}) == 1.0


ages = st.floats(-1e4, 1e5, allow_nan=False)


@example(0.0, 0.0, 5e-324, 0.1)
@given(ages, ages, st.floats(0, 1e6, exclude_min=True), st.floats(0, 1))
def test_recency_is_the_formula_between_the_floor_and_one(one: float, other: float, half: float, floor: float) -> None:
    """E-19, E-22, E-59: never more for what is older, and exactly the floor or the exponential."""
    settings = {"half_life_hours": half, "min_recency_score": floor}
    older, newer = sorted((one, other), reverse=True)
    assert floor <= recency(aged(older), **settings) <= recency(aged(newer), **settings) <= 1.0
    age = max(0.0, (NOW - aged(one).created_at).total_seconds() / 3600)
    expected = 1.0 if age == 0.0 else max(floor, 2.0 ** (-age / half))
    assert recency(aged(one), **settings) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("settings", "expected"), CASES["final_score"])
def test_final_score(settings: dict[str, Any], expected: float) -> None:
    """E-19, E-83: final = (1 - decay_weight) * similarity + decay_weight * recency."""
    assert blend(0.8, 0.3, TemporalDecay.model_validate(settings)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(
            {"lineage": {"last_accessed": NOW}}, {"lineage": {"last_accessed": NOW - timedelta(30)}}, id="E-55"
        ),
        pytest.param({}, {"days": 30}, id="E-62 never shown"),
        pytest.param({"days": 30, "utility": LOAD_BEARING}, {"days": 30}, id="E-56 load_bearing"),
        pytest.param({"days": 30, "source": USER}, {"days": 30}, id="E-57 user_asserted"),
        pytest.param({"days": 30, "validity": CONFIRMED}, {"days": 30}, id="E-58 confirmed"),
    ],
)
def test_age_lowers_a_score(better: dict[str, Any], worse: dict[str, Any]) -> None:
    """E-14, E-55 ... E-58, E-62: equal but for what the rule names."""
    found = [guess("z", **better), guess("a", **worse)]
    for mode in ("select_by_score", "score"):
        assert rank(found, plan(SPECIFIED | {"ranking_mode": mode}, injected=1)).ids == ("z",)


# By score a, b, c; only c is linked to what is selected first.
TIGHT = [guess("a", 0.80, links=["c"]), guess("b", 0.79), guess("c", 0.75)]


@pytest.mark.parametrize("mode", ["score", "select_by_score", "tiered"])
def test_boost_lifts_over_the_cut(mode: str) -> None:
    """E-34, E-69, E-81: in every mode, within one tier in `tiered`; the explanation shows it."""
    settings = SPECIFIED | {"ranking_mode": mode}
    assert rank(TIGHT, plan(settings | NO_LINKS, injected=2)).ids == ("a", "b")
    selection = rank(TIGHT, plan(settings, injected=2))
    assert set(selection.ids) == {"a", "c"}
    told = {one["id"]: one for one in explain(plan(settings, injected=2), selection)["candidates"]}
    assert {one: row["boost"] for one, row in told.items()} == {"a": 0.0, "b": 0.0, "c": 0.08}
    assert told["c"]["score"] == pytest.approx(0.85 * 0.75 + 0.15 + 0.08)
    assert told["b"]["outcome"] == "over the cap of 2"
    assert {row["outcome"] for one, row in told.items() if one != "b"} == {"injected"}


def test_boost_stays_within_its_tier() -> None:
    """E-81, T-04: in `tiered` no boost lifts a memory over a higher tier; where the score selects it does."""
    found = [
        guess("a", 0.80, links=["c"], utility=LOAD_BEARING),
        guess("b", 0.79, utility=LOAD_BEARING, days=0),
        guess("c", 0.78),
    ]
    assert rank(found, plan(SPECIFIED | {"ranking_mode": "tiered"}, injected=2)).ids == ("a", "b")
    assert rank(found, plan(SPECIFIED, injected=2)).ids == ("a", "c")


@pytest.mark.parametrize(("kind", "is_raised"), [("part-of", True), ("related-to", True), ("causes", False)])
def test_what_somebody_linked_is_raised_as_well(kind: str, is_raised: bool) -> None:
    """E-34, Q-38: a neighbour by a link that was stated, as by one that maintenance has found."""
    first, linked = guess("a"), guess("c", 0.6)
    stated = Quality(relationships=(Relationship(type=kind, target="c", created=NOW),))
    first = replace(first, memory=replace(first.memory, quality=stated))
    assert boosts(rank([first, linked], plan(injected=1))) == ({"c": 0.08} if is_raised else {})


def test_of_a_long_list_the_first_ten_count() -> None:
    names = [f"n{number:02d}" for number in range(15)]
    found = [guess("a", 0.9, links=names), *(guess(one, 0.6) for one in names)]
    assert boosts(rank(found, plan(injected=1))) == dict.fromkeys(names[:10], 0.08)


def test_a_solution_over_its_own_cap_can_be_lifted() -> None:
    found = [guess("a", 0.9, links=["t"]), guess("s", 0.8, area="solutions"), guess("t", 0.79, area="solutions")]
    selection = rank(found, plan(injected=3, solutions=1))
    assert (boosts(selection), selection.ids) == ({"t": 0.08}, ("a", "t"))
    assert [(one.memory.id, reason) for one, reason in selection.left_out] == [("s", "over the cap of 1 solutions")]


def test_nothing_is_a_good_answer() -> None:
    """T-66: the best of what has nothing to do with it stays out, and the explanation says why."""
    found = [guess("a", 0.74), guess("b", 0.7, utility=LOAD_BEARING)]
    selection = rank(found, plan({}, threshold=0.7), 0.1)
    assert selection.ids == ()
    told = explain(plan({}, threshold=0.7), selection)["candidates"]
    assert {one["outcome"] for one in told} == {NO_EVIDENCE}
    assert rank(found, plan({"noise_gate": {"enabled": False}}, threshold=0.7), 0.1).ids == ("b", "a")


def test_the_gate_comes_before_the_boost() -> None:
    """E-07, E-34, T-66: what the gate refuses is not selected, so what it is linked to is not raised for it."""
    found = [guess("x", 0.69, utility=LOAD_BEARING, links=["c"]), guess("a", 0.8), guess("b", 0.79), guess("c", 0.78)]
    for mode in ("tiered", "select_by_score"):
        selection = rank(found, plan(SPECIFIED | {"ranking_mode": mode}, threshold=0.7, injected=2))
        assert (boosts(selection), selection.ids) == ({}, ("a", "b"))


def test_explanation_has_every_candidate_and_every_figure() -> None:
    selection = rank([*TIGHT, guess("d", 0.2)], plan(injected=2, threshold=0.5))
    told = explain(plan(injected=2, threshold=0.5), selection)
    assert (told["query"], told["threshold"], told["limit"], told["solution_limit"]) == (QUERY, 0.5, 2, 3)
    assert told["ranking"] == "select_by_score"
    assert [one["outcome"] == "injected" for one in told["candidates"]] == [True, True, False, False]
    assert {one["id"] for one in told["candidates"]} == {"a", "b", "c", "d"}
    figures = {"score", "similarity", "likely", "coverage", "relevance", "share", "recency"}
    figures |= {"boost", "is_found", "lender", "quality"}
    assert all(one.keys() == {"id", "outcome"} | figures for one in told["candidates"])


def test_a_memory_that_is_not_classified_yet_takes_part() -> None:
    bare = Candidate(memory=Memory(id="m", text="t", created_at=NOW - timedelta(days=7)), similarity=0.8)
    assert scores(rank([bare], plan())) == pytest.approx({"m": 0.85 * 0.8 + 0.15 * 0.5})


@pytest.mark.parametrize(
    ("relevances", "expected"),
    [
        pytest.param({"old": 0.9, "new": 0.85}, {"old", "new"}, id="the best of all is archived"),
        pytest.param({"old": 0.3, "new": 0.9}, {"new"}, id="another answers better"),
        pytest.param({"old": 0.3}, {"old"}, id="nothing else answers"),
    ],
)
def test_what_is_archived_loses_in_selection(relevances: dict[str, float], expected: set[str]) -> None:
    found = [
        replace(guess(one, utility=ARCHIVED if one == "old" else TACTICAL), likely=fit, share=fit, relevance=fit)
        for one, fit in relevances.items()
    ]
    selection = rank(found, plan({}, threshold=0.7))
    assert set(selection.ids) == expected


def test_quality_counts_as_far_as_the_setting_says() -> None:
    """Q-51: off by default; then the score is times 1 - weight * (1 - quality score), and the explanation says so."""
    found = [guess("a", 0.80), guess("b", 0.78, source=USER, validity=CONFIRMED)]
    plain = rank(found, plan())
    found = [replace(one, quality=measure_memory(one.memory, NOW).score) for one in found]
    assert plain.ids == rank(found, plan()).ids == ("a", "b")
    for weight, ids in ((0.05, ("a", "b")), (0.5, ("b", "a")), (1.0, ("b", "a"))):
        asked = plan(SPECIFIED | {"quality": {"ranking_weight": weight}})
        selection = rank(found, asked)
        assert selection.ids == ids
        for one in selection.chosen:
            quality = measure_memory(one.memory, NOW).score
            assert one.score == pytest.approx(scores(plain)[one.memory.id] * (1 - weight * (1 - quality)))
        assert {each["quality"] for each in explain(asked, selection)["candidates"]} == {0.59 + 0.2, 0.95}


GATE = NoiseGate()
HOSTS = 0.7
LIKELY, UNLIKELY, LITTLE = GATE.least_likely, GATE.least_likely - 0.001, GATE.least_share - 0.001


def scored(
    memory_id: str, share: float = 0.5, similarity: float = 0.6, likely: float = 0.5, kinship: float = 0.0
) -> Candidate:
    return Candidate(memory=memory(memory_id), similarity=similarity, likely=likely, kinship=kinship, share=share)


def passing(
    *found: Candidate, likely: float = LIKELY, gate: NoiseGate = GATE, threshold: float = HOSTS, uses_words: bool = True
) -> list[str]:
    kept, refused = split_by_evidence(found, likely, gate, threshold, uses_words=uses_words)
    assert [one.memory.id for one in found if one in kept] == [one.memory.id for one in kept], "in the order given"
    assert len(kept) + len(refused) == len(found)
    return [one.memory.id for one in kept]


@pytest.mark.parametrize(
    ("found", "options"),
    [
        pytest.param([], {}, id="no candidate"),
        pytest.param([scored("a"), scored("b", similarity=1.0)], {"likely": UNLIKELY}, id="the best of nothing"),
        pytest.param([scored("a", similarity=0.8)], {"threshold": 0.81}, id="E-04 a stricter threshold"),
        pytest.param([scored("a")], {"likely": 1.0, "uses_words": False}, id="E-80 by meaning alone too far"),
    ],
)
def test_nothing_without_evidence(found: list[Candidate], options: dict[str, Any]) -> None:
    """T-66: injecting nothing is a good answer, however many there are; the reason is given."""
    assert passing(*found, **options) == []


def test_the_reason_is_given() -> None:
    assert split_by_evidence([scored("a")], UNLIKELY, GATE, HOSTS, uses_words=True)[1] == [(scored("a"), NO_EVIDENCE)]
    found = [scored("a"), scored("b", LITTLE)]
    assert split_by_evidence(found, LIKELY, GATE, HOSTS, uses_words=True)[1] == [(found[1], TOO_LITTLE)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([scored("a", 1.0)], "a", id="one alone"),
        pytest.param([scored("a"), scored("b", GATE.least_share)], "ab", id="with it what has a share"),
        pytest.param([scored("a"), scored("b", LITTLE)], "a", id="and not what has less"),
        pytest.param([scored("a", LITTLE), scored("b", LITTLE - 0.01)], "a", id="the best of many alike"),
        pytest.param([scored("a", likely=0.8), scored("b", 0.3, likely=0.19)], "a", id="and not what shares by chance"),
        pytest.param([scored("a"), scored("b", LITTLE, likely=0.9)], "ab", id="the answer to a second question"),
        pytest.param([scored("a"), scored("b", LITTLE, kinship=0.8)], "ab", id="what says nearly the same"),
        pytest.param([scored("a"), scored("b", LITTLE, likely=0.14, kinship=1.0)], "a", id="unless by chance"),
    ],
)
def test_what_comes_with_evidence(found: list[Candidate], expected: str) -> None:
    """T-66: the best by itself; the others as far as they may be what the message asks for."""
    assert "".join(passing(*found)) == expected


def test_switched_off_it_lets_everything_in() -> None:
    assert passing(scored("a", 0.0), scored("b", 0.0), likely=0.0, gate=NoiseGate(enabled=False)) == ["a", "b"]


def test_by_meaning_alone_it_is_the_threshold() -> None:
    found = [scored("a", 0.0, 0.7), scored("b", 1.0, 0.69999), scored("c", 0.0, 1.0)]
    assert passing(*found, likely=0.0, uses_words=False) == ["a", "c"]


many = st.lists(
    st.builds(scored, st.sampled_from("abcdefgh"), share, share, share), max_size=8, unique_by=lambda one: one.memory.id
)


@given(many, share, share, st.booleans(), st.builds(NoiseGate, least_likely=share, least_share=share))
def test_no_memory_enters_without_evidence(
    found: list[Candidate], likely: float, threshold: float, uses_words: bool, gate: NoiseGate
) -> None:
    """T-66: nothing is lost or doubled; what enters is near, or the message is likely and it has its share."""
    kept = passing(*found, likely=likely, gate=gate, threshold=threshold, uses_words=uses_words)
    for one in (each for each in found if each.memory.id in kept):
        if not uses_words or threshold > HOSTS:
            assert one.similarity >= threshold
        if uses_words:
            assert likely >= gate.least_likely
            has_share = one.share >= min(gate.least_share, max(other.share for other in found if other.likely))
            assert one.likely
            assert has_share or one.likely >= 0.9
