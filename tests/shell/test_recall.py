"""One recall over one store, read or just opened: who takes part, what each question finds (T-15, T-52, E-07)."""

import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fake_host import HashingEmbedder
from memory_ledger.host.recall.search import Audience, recall
from memory_ledger.quality.scores import measure_memory
from memory_ledger.recall.lexical import parse_terms
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.selection import Selection, explain
from memory_ledger.records import Lineage
from memory_ledger.setting_groups import NoiseGate
from memory_ledger.settings import Settings
from memory_ledger.store.index import Index, no_vectors

BY_MEANING: dict[str, Any] = {"lexical": {"enabled": False}, "noise_gate": {"enabled": False}}
DEPRECATED = {
    "classification": {
        "validity": "deprecated",
        "relevance": "active",
        "utility": "tactical",
        "source": "user_asserted",
    },
    "lineage": {"created_at": "2026-01-01T00:00:00Z", "superseded_by": "live"},
}


def add(box, memory_id: str, text: str, vector: Any = None, **metadata: Any) -> str:
    """Store a memory under an id of its own."""
    found = box.embedder.vector(text) if vector is None else vector
    box.store.lexical.add(memory_id, parse_terms(text))
    return box.memory.insert(text, metadata, memory_id=memory_id, vector=found)


def ask(box, query: str, settings: dict[str, Any] | None = None, *, domain: str | None = None, **limits: Any):
    """Return what a question brings, by meaning alone unless `settings` are given."""
    given = RecallLimits(**({"threshold": 0.0} | limits))
    wanted = Settings.model_validate(BY_MEANING if settings is None else settings)
    plan = make_plan(query, wanted, box.clock(), limits=given, domain=domain)
    vectors = np.asarray([box.embedder.vector(one.text) for one in plan.variants], dtype=np.float32)
    return recall(box.store, vectors, plan)


def everyone(selection) -> dict[str, float]:
    """Return the similarity of every candidate, by id."""
    found = (*selection.chosen, *(one for one, _ in selection.left_out))
    return {one.memory.id: one.similarity for one in found}


def test_each_variant_is_one_vector_searched_for_eight(box, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-12, E-18, E-50, E-79: three vectors, one search each, k eligible results of each; nothing else is asked."""
    for number in range(40):
        box.insert(f"heron note {number}", area="main" if number % 4 else "elsewhere")
    searched: list[tuple[tuple[float, ...], int, int]] = []
    nearest = Index._nearest

    def count(self: Index, query: Any, k: int, eligible: Any) -> Any:
        found = nearest(self, query, k, eligible)
        searched.append((tuple(query.tolist()), k, len(found)))
        return found

    monkeypatch.setattr(Index, "_nearest", count)
    ask(box, "Where is the heron note?", domain="birds")
    assert [(k, found) for _, k, found in searched] == [(8, 8)] * 3
    texts = ["Where is the heron note?", "heron note", "birds: heron note"]
    for text, (vector, _, _) in zip(texts, searched, strict=True):
        assert vector == pytest.approx(box.embedder.vector(text), abs=1e-6)


def test_identical_text_takes_one_place(known) -> None:
    """T-67: thirty copies leave seven of eight places to what else there is, by meaning as well as by words."""
    copies = [known.insert("The heron nests by the weir") for _ in range(30)]
    others = [known.insert(f"The heron nests by the weir, note {number}") for number in range(7)]
    known.adopt()
    for settings in (BY_MEANING, {"noise_gate": {"enabled": False}}):
        selection = ask(known, "The heron nests by the weir", settings)
        assert set(selection.ids) - set(copies) == set(others)
        assert len(everyone(selection).keys() & set(copies)) == 1


def test_what_is_at_odds_is_recalled_together(known) -> None:
    """C-96: though one of the two alone answers the question, the user's word last; until somebody has settled it."""
    known.say("The port of the shop is 8443.")
    old = known.learn("The port of the shop is 8443")
    known.clock.advance(days=1)
    new = known.learn("The port of the shop is 9000")
    selection = ask(known, "The port of the shop is 9000", {"noise_gate": {"enabled": False}})
    assert [one.memory.id for one in selection.memories] == [new, old]
    assert selection.contested == {old, new}
    known.classify(old, validity="deprecated")
    selection = ask(known, "The port of the shop is 9000", {"noise_gate": {"enabled": False}})
    assert (selection.ids, selection.contested) == ((new,), frozenset())


def test_what_the_hosts_own_recall_refused_does_not_come_beside_another(known) -> None:
    """C-96, T-02: what is at odds with what was found is shown only where it may be shown by itself."""
    old, new = known.insert("The port of the shop is 8080"), known.learn("The port of the shop is 9090")
    limits, settings = RecallLimits(threshold=0.0), Settings.model_validate(BY_MEANING)
    plan = make_plan("port of the shop", settings, known.clock(), limits=limits)
    vectors = np.asarray([known.embedder.vector(one.text) for one in plan.variants], dtype=np.float32)
    assert recall(known.store, vectors, plan).contested == {old, new}
    selection = recall(known.store, vectors, plan, Audience(is_admitted=lambda one: one.id != old))
    assert (selection.ids, selection.contested) == ((new,), frozenset())


def test_a_part_that_is_marked_as_outdated_puts_nothing_in_doubt(known) -> None:
    """C-43, C-96: the conflict stays on record for a person; the prompt says which part no longer holds."""
    both = known.learn("The shop is in Bergen. The port of the shop is 8080.")
    known.clock.advance(days=1)
    new = known.learn("The port of the shop is 8443")
    assert known.read(both).lineage.outdated_parts and known.store.conflicts.of_pair(both, new).is_open
    selection = ask(known, "port of the shop")
    assert (set(selection.ids), selection.contested) == ({both, new}, frozenset())


def test_the_copy_that_weighs_most_stands_for_the_others(known) -> None:
    """C-54, E-43, C-43: and only among those that may be shown; where it goes, another one takes its place."""
    ids = []
    for _ in range(3):
        ids.append(known.insert("The heron nests by the weir"))
        known.clock.advance(days=1)
    other, outdated, newest = ids
    known.adopt()
    part = {"text": "by the weir", "by": "x", "at": "2026-01-01T00:00:00Z"}
    known.classify(other, validity="confirmed")
    assert ask(known, "heron").ids == (other,)
    known.classify(other, validity="deprecated")
    assert ask(known, "heron").ids == (newest,)
    memory = known.read(outdated)
    lineage = Lineage.model_validate({"created_at": memory.created_at, "outdated_parts": [part]})
    known.store.put(replace(memory, lineage=lineage))
    assert set(ask(known, "heron").ids) == {outdated, newest}  # it reads otherwise
    known.delete(newest)
    assert ask(known, "heron").ids == (outdated,)
    again = known.insert("The heron  nests by the weir\n")
    assert set(ask(known, "heron").ids) == {outdated, again}


def test_variants_are_merged_by_the_highest_similarity(box) -> None:
    """E-13, E-51, E-80: before anything is fused; every memory once."""
    texts = {"asked": "where is it that the heron is", "words": "heron", "domain": "birds heron", "both": "is heron"}
    for memory_id, text in texts.items():
        add(box, memory_id, text)
    found = everyone(ask(box, "where is it that the heron is", domain="birds"))
    questions = [box.embedder.vector(one) for one in ("where is it that the heron is", "heron", "birds: heron")]
    for memory_id, text in texts.items():
        best = max(float(np.dot(box.embedder.vector(text), one)) for one in questions)
        assert found[memory_id] == pytest.approx((1 + best) / 2, abs=1e-6)


def test_the_pool_is_larger_than_what_one_question_brings(box) -> None:
    """E-54: where the variants differ; with the expansion off it is what the message brings."""
    for number in range(10):  # other texts, since copies of one take one place
        for text in ("where is it that this is", "heron", "birds birds birds"):
            add(box, f"{text}{number}", f"{text} {number}", box.embedder.vector(text))
    question = "where is it that this heron is"
    assert len(everyone(ask(box, question, domain="birds"))) > 8
    off = BY_MEANING | {"query_expansion": {"enabled": False}}
    assert len(everyone(ask(box, question, off, domain="birds"))) == 8


@pytest.mark.parametrize(("entered", "uses_words"), [(8, False), (9, True)])
def test_words_take_part_once_most_memories_are_entered(entered: int, uses_words: bool, box) -> None:
    """T-66: while a store that was just opened is being read, words would be about some of the memories only."""
    for number in range(10):
        text = f"heron note {number}"
        box.memory.insert(text, {}, memory_id=f"m{number}", vector=box.embedder.vector(text))
        if number < entered:
            box.store.lexical.add(f"m{number}", parse_terms(text))
    selection = ask(box, "heron note", {"noise_gate": {"enabled": False}})
    assert selection.uses_words is uses_words
    assert any(one.lexical for one in selection.chosen) is uses_words
    plan = make_plan("heron note", Settings(), box.clock(), limits=RecallLimits())
    assert explain(plan, selection)["uses_words"] is uses_words


# Without the vectors of a message: which of FOX and OWL it brings.
FOX, OWL = "The red fox sleeps under the shed", "The grey owl hunts at night"
BY_WORDS = [
    pytest.param("Where does the red fox sleep?", {}, 0.7, [FOX], id="what shares most words"),
    pytest.param("Where does the red fox sleep?", {}, 0.9, [FOX], id="whatever similarity is asked for"),
    pytest.param("Where does the red fox sleep?", {}, 0.0, [FOX], id="nothing passes for being near"),
    pytest.param("What about the grey weather in the mountains?", {}, 0.7, [], id="too few words"),
    pytest.param("Quarterly revenue", {}, 0.0, [], id="no word"),
    pytest.param("Where does the red fox sleep?", {"lexical": {"enabled": False}}, 0.7, [], id="words are off"),
]


@pytest.mark.parametrize(("query", "settings", "threshold", "texts"), BY_WORDS)
def test_without_the_vectors_of_a_message_its_words_decide(
    box, query: str, settings: dict[str, Any], threshold: float, texts: list[str]
) -> None:
    """C-74, T-66: with the gate, and while much of the store is not entered into the search by words."""
    for number in range(20):
        box.insert(f"unrelated note {number}")
    add(box, "fox", FOX)
    add(box, "owl", OWL)
    plan = make_plan(query, Settings.model_validate(settings), box.clock(), limits=RecallLimits(threshold=threshold))
    selection = recall(box.store, no_vectors(box.memory.db), plan)
    assert [one.memory.text for one in selection.chosen] == texts
    assert not selection.uses_meaning and not explain(plan, selection)["uses_meaning"]


def test_with_its_vectors_words_are_no_evidence_where_more_similarity_is_asked_for(box) -> None:
    """T-66, must not change: a threshold above the host's own holds for meaning and words."""
    add(box, "fox", FOX)
    assert ask(box, "Where does the red fox sleep?", {}, threshold=0.95).chosen == ()


def test_the_gate_leaves_a_dozen_alike_to_the_cap(box) -> None:
    """E-04, T-66: where fourteen memories say as much, the cap decides how many enter, not what sets them apart."""
    for number in range(14):
        add(box, f"m{number:02d}", f"person {number} is on call for the billing service")
    for number in range(4):
        add(box, f"other{number}", f"tabs are preferred in file {number}")
    selection = ask(box, "Who is on call for the billing service?", {}, threshold=0.7, injected=12)
    assert len(selection.ids) == 12
    assert {one.memory.id[0] for one in selection.chosen} == {"m"}


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_deprecated_neighbours_do_not_starve_a_query(count: int, words: bool, box) -> None:
    """T-52, C-50, C-55: what may not take part is out before the search, whichever search it is."""
    vector = box.embedder.vector("the port is 8080")
    for number in range(count):
        add(box, f"old{number}", "the port is 8080", vector, **DEPRECATED)
    add(box, "live", "the port was moved to 8443")
    settings = {"lexical": {"enabled": words}, "noise_gate": {"enabled": False}}
    assert list(everyone(ask(box, "the port is 8080", settings))) == ["live"]


def test_a_recall_changes_nothing(box) -> None:
    """C-60, E-02, T-51: scores are computed before anything is counted; no axis changes; asking twice says the same."""
    for number in range(5):
        box.insert(f"heron note {number}")
    before = json.dumps({one: document.metadata for one, document in box.docs.items()})
    assert ask(box, "heron note") == ask(box, "heron note")
    assert json.dumps({one: document.metadata for one, document in box.docs.items()}) == before


def test_an_embedder_without_unit_vectors_in_a_whole_recall(new_box) -> None:
    """T-15: raw counts, as many local models give them; the longer text is not the nearer one."""
    box = new_box()
    box.memory.db.embedding_function = box.embedder = HashingEmbedder(64, unit_norm=False)
    add(box, "near", "heron note")
    add(box, "long", "heron note " * 20 + "cat dog bird fish tea milk gate")
    found = everyone(ask(box, "heron note"))
    assert found["near"] == pytest.approx(1.0, abs=1e-6)
    assert found["long"] < 0.999


def test_quality_that_counts_is_that_of_the_moment(box) -> None:
    """Issue 23, Q-51: each has the score that its memory has then, as told and as stale; off, it weighs nothing."""
    ids = [
        box.insert("heron likes tea"),
        box.insert("The API of heron runs on port 8443"),
        box.insert("heron was sold"),
    ]
    box.classify(ids[0])
    box.classify(ids[1], validity="inferred", source="agent_inferred")
    box.classify(ids[2], validity="inferred", source="external_retrieved")
    box.clock.advance(days=40)
    found = {one.memory.id: one for one in ask(box, "heron").chosen}
    assert {*found} == {*ids}
    weighed = {
        one.memory.id: one for one in ask(box, "heron", BY_MEANING | {"quality": {"ranking_weight": 0.4}}).chosen
    }
    wanted = {one: measure_memory(box.read(one), box.clock()).score for one in ids}
    assert {one: weighed[one].quality for one in ids} == wanted and len({*wanted.values()}) == 3
    for one in ids:
        assert weighed[one].score == pytest.approx(found[one].score * (1 - 0.4 * (1 - wanted[one])))


WORDS = "port worker queue cache owl fern budget release printer kiln ferry harbour".split()
STATUSES = (
    {},
    {"validity": "deprecated"},
    {"relevance": "dormant"},
    {"utility": "load_bearing"},
    {"source": "agent_inferred", "validity": "inferred"},
)
ASKED = [f"Which {one} and {other}?" for one, other in zip(WORDS, WORDS[3:], strict=False)]


@pytest.fixture
def settled(box):
    """A folder of 300 memories: about the same things, in every status, every area, many of them twice."""
    choose = random.Random(11)
    for number in range(300):
        text = f"the {choose.choice(WORDS)} and the {choose.choice(WORDS)} of {choose.randrange(20)}"
        one = box.insert(text, area=choose.choice(("main", "fragments", "solutions", "elsewhere")))
        if number % 10:
            box.classify(one, **choose.choice(STATUSES))
    box.store.sweep()
    box.store.end_first_look()
    box.store.note_all_adopted()
    box.restart(is_saved=True)
    return box


def brought(found: Selection) -> tuple[list[str], list[str]]:
    return tuple([one.memory.id for one in chosen] for chosen in (found.memories, found.solutions))


def bring(box, question: str, *, is_enhanced: bool) -> tuple[list[str], list[str]]:
    """Return what a question brings, asked from several angles or as the host asks."""
    limits = RecallLimits(threshold=0.0)
    settings = Settings(noise_gate=NoiseGate(enabled=False))
    plan = make_plan(question, settings, box.clock(), limits=limits, is_enhanced=is_enhanced)
    return brought(recall(box.store, np.asarray([box.embedder.vector(one.text) for one in plan.variants]), plan))


@pytest.mark.parametrize("is_enhanced", [True, False], ids=["enhanced", "plain"])
def test_what_a_recall_brings_is_the_same(is_enhanced: bool, settled) -> None:
    asked = {question: bring(settled, question, is_enhanced=is_enhanced) for question in ASKED}
    assert any(solutions for _, solutions in asked.values())
    assert 0 < settled.store.rows.unread() < 300
    settled.restart()
    settled.store.refresh_positions()
    assert settled.store.columns.count().total() > 200 and not settled.store.rows.unread()
    assert {question: bring(settled, question, is_enhanced=is_enhanced) for question in ASKED} == asked


def test_who_asks_for_all_rows_has_them(settled) -> None:
    """T-48, C-62: read in slices, one by one for a recall, or at once: the rows are the same."""
    for question in ASKED[:3]:
        bring(settled, question, is_enhanced=True)
    slices = 0
    while settled.store.rows.read(limit=50):
        slices += 1
    assert slices > 2
    counted = settled.store.columns.count()
    settled.restart()
    settled.store.refresh_positions()
    assert settled.store.rows.unread() == 300
    assert settled.store.columns.count() == counted


def test_a_row_that_changes_before_it_is_read(settled) -> None:
    settled.store.refresh_positions()
    one, other, third = [memory_id for memory_id in settled.docs if settled.docs[memory_id].metadata["area"] == "main"][
        :3
    ]
    settled.classify(one, validity="deprecated")
    settled.update(other, "written anew")
    settled.delete(third)
    settled.store.sweep()
    in_use = settled.store.columns.in_use()
    assert not settled.store.rows.unread()
    assert not in_use[settled.store.index.position(one)] and in_use[settled.store.index.position(other)]
    assert settled.store.index.position(third) is None
