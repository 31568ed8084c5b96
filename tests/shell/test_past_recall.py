"""What a question about the past brings of a whole store, and that no other question brings any of it (C-51)."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import memory_ledger
import numpy as np
import pytest
from memory_ledger.host.recall.injection import make_contents
from memory_ledger.host.recall.search import EVERYBODY, IN_PROMPT, REFUSED, Audience, recall, search_ids
from memory_ledger.ledger.changes import Forget, Supersede, Withdraw
from memory_ledger.recall.plan import RecallLimits, RecallPlan, make_plan
from memory_ledger.recall.selection import Selection, explain, join_texts
from memory_ledger.settings import Settings
from memory_ledger.store.index import no_vectors
from rows import every_row

TABLE = tomllib.loads((Path(memory_ledger.__file__).parent / "recall/past.toml").read_text("utf-8"))
HAMBURG, LISBON, TEA = "User lives in Hamburg", "User lives in Lisbon", "User likes tea"
BEFORE, NOW = "Where did I live before?", "Where do I live?"
FACTS = {
    HAMBURG: LISBON,
    "The project uses MongoDB": "The project uses Postgres",
    "The old address of the server is db-1": "The address of the server is db-2",
    "The port before the release is 8080": "The port before the release is 8443",
    "User's son is 7 years old": "User's son is 8 years old",
}


def keep(box, *texts: str, domain: str | None = None) -> list[str]:
    """Store memories that the user said, a day apart, as the pack takes them in."""
    ids = []
    for text in texts:
        box.say(f"{text}.", domain=domain)
        ids.append(box.insert(text))
        box.adopt()
        box.clock.advance(days=1)
    return ids


def retire(box, loser: str, winner: str, rule: str = "C-47") -> None:
    """Let one memory replace another by a rule, if it has not yet."""
    if not box.read(loser).is_deprecated:
        box.store.apply([Supersede(winner_id=winner, loser_id=loser, at=box.clock(), cycle=1, rule=rule)])
    assert box.read(loser).lineage.superseded_by == winner


def plan_of(box, question: str, settings: Settings | None = None, **options: Any) -> RecallPlan:
    limits = RecallLimits(**options.pop("limits", {}))
    return make_plan(question, settings or Settings(), box.clock(), limits=limits, **options)


def ask(box, plan: RecallPlan, audience: Audience = EVERYBODY) -> Selection:
    vectors = np.asarray([box.embedder.vector(one.text) for one in plan.variants], dtype=np.float32)
    return recall(box.store, vectors, plan, audience)


def texts(selection: Selection) -> list[str]:
    """Return what the prompt says, without what has nothing to do with where somebody lives."""
    return [one for one in join_texts(selection.memories, selection).split("\n\n") if " lives " in one]


@pytest.fixture
def moved(known) -> tuple[Any, str, str]:
    """Somebody who lived in one city, and lives in another."""
    old, new = keep(known, HAMBURG, LISBON)
    retire(known, old, new)
    keep(known, TEA)
    return known, old, new


PAST = f"[past, 2026-03-01 to 2026-03-02] {HAMBURG}"


@pytest.fixture(scope="module")
def stores(new_box) -> tuple[Any, Any, Any, set[str]]:
    """Stores where what is retired was replaced, was withdrawn, and was never there; and the ids of it."""
    boxes, gone = [new_box(), new_box(), new_box()], set()
    for box in boxes:
        box.adopt()
        for old, new in FACTS.items():
            first, second = keep(box, old, new)
            if box.read(first).is_deprecated:
                box.classify(first)
            gone.add(first)
            change = Supersede(winner_id=second, loser_id=first, at=box.clock(), cycle=1, rule="C-47")
            withdrawn = Withdraw(memory_id=first, at=box.clock(), cycle=1)
            assert box.store.apply([change if box is boxes[0] else withdrawn]) == 1
    boxes[2].delete(*gone)
    return boxes[0], boxes[1], boxes[2], gone


@every_row((one,) for one in [*TABLE["counterexamples"][::8], *FACTS, *FACTS.values()])
def test_a_message_that_does_not_ask_for_the_past_is_answered_as_before(message: str, stores) -> None:
    """C-50, C-55: nothing of it is even looked at, to the digit, whatever gate there is."""
    replaced, withdrawn, without, gone = stores
    for settings in (Settings(), Settings.model_validate({"noise_gate": {"enabled": False}})):
        plan = plan_of(replaced, message, settings)
        found = ask(replaced, plan)
        assert explain(plan, found) == explain(plan, ask(withdrawn, plan))
        assert gone.isdisjoint(one.memory.id for one in found.considered) and not found.past
    plan = plan_of(replaced, message, Settings.model_validate({"lexical": {"enabled": False}}))
    # With words, what is found is weighed against all that is there.
    assert ask(replaced, plan).ids == ask(without, plan).ids


@every_row((one,) for one in [BEFORE, "What did the project use before?", "Tea? And where did I live before?"])
def test_what_was_withdrawn_is_not_brought(message: str, stores) -> None:
    """T-70: it was never so; and what holds is what it is without the past."""
    replaced, withdrawn, _, gone = stores
    plan = plan_of(replaced, message)
    found, other = ask(replaced, plan), ask(withdrawn, plan)
    assert plan.past and found.past and not other.past and gone.isdisjoint(other.ids)
    assert [one for one in found.ids if one not in gone and one in other.ids] == list(other.ids)


def test_quality_is_asked_of_what_holds(moved) -> None:
    """Q-51: for what somebody looks up by its quality no message asks."""
    box, old, _ = moved
    plan = plan_of(box, BEFORE, limits={"threshold": 0.0})
    vectors = np.asarray([box.embedder.vector(one.text) for one in plan.variants], dtype=np.float32)
    assert old not in search_ids(box.store, vectors, plan, EVERYBODY)


def test_both_come_the_past_one_marked_and_first(moved) -> None:
    """C-51, C-47: with its dates; the explanation says that it is in the prompt, and when it held."""
    box, old, new = moved
    assert texts(ask(box, plan_of(box, NOW))) == [LISBON]
    plan = plan_of(box, BEFORE)
    found = ask(box, plan)
    assert texts(found) == [PAST, LISBON]
    rows = {one["id"]: one for one in explain(plan, found)["candidates"]}
    assert (rows[old]["outcome"], rows[old]["past"]) == ("injected", "2026-03-01 to 2026-03-02")
    assert rows[new]["outcome"] == "injected" and "past" not in rows[new]


@pytest.mark.parametrize(
    ("settings", "is_enhanced", "has_vectors"),
    [
        pytest.param({}, False, True, id="C-94 the classification's own ranking"),
        pytest.param({}, True, False, id="words alone"),
        pytest.param({"lexical": {"enabled": False}}, True, True, id="E-80 meaning alone"),
        pytest.param({"query_expansion": {"enabled": False}}, True, True, id="E-16 the message alone"),
    ],
)
def test_however_memories_are_searched(settings: dict[str, Any], is_enhanced: bool, has_vectors: bool, moved) -> None:
    box, old, _ = moved
    for question, expected in ((BEFORE, [PAST, LISBON]), (NOW, [LISBON])):
        plan = plan_of(
            box, question, Settings.model_validate(settings), is_enhanced=is_enhanced, limits={"threshold": 0.5}
        )
        found = ask(box, plan) if has_vectors else recall(box.store, no_vectors(box.memory.db), plan)
        assert texts(found) == expected
        assert (old in [one.memory.id for one in found.considered]) is (question == BEFORE)


def test_what_holds_comes_along_though_no_search_finds_it(known) -> None:
    old, new = keep(known, HAMBURG, "Lisbon it is, since the spring")
    retire(known, old, new)
    keep(known, *(f"The cat {number} did live before in the barn" for number in range(5)))
    settings = Settings.model_validate({"query_expansion": {"retrieval_k_per_variant": 1}})
    plan = plan_of(known, BEFORE, settings, limits={"injected": 2})
    found = ask(known, plan)
    assert found.ids == (old, new) and found.past.keys() == {old}
    assert [one["is_found"] for one in explain(plan, found)["candidates"]][:2] == [True, False]


def test_what_holds_may_be_written_twice(moved) -> None:
    """T-67: of copies of one text one is shown, which is not always the one that replaced something."""
    box, old, new = moved
    again = box.insert(LISBON)
    box.store.refresh_positions()
    box.classify(again)
    found = ask(box, plan_of(box, BEFORE))
    assert new not in ask(box, plan_of(box, NOW)).ids
    assert texts(found) == [PAST, LISBON] and {old, again} <= set(found.ids)


def test_of_a_long_chain_all_that_is_found_comes_the_oldest_first(known) -> None:
    """C-51, C-58: within what may be injected; what holds is never pushed out by what does not."""
    cities = ["Hamburg", "Bremen", "Berlin", "Paris", "Lyon", "Porto", "Faro", "Lisbon"]
    ids = keep(known, *(f"User lives in {one}" for one in cities))
    for loser, winner in pairwise(ids):
        retire(known, loser, winner)
    assert ask(known, plan_of(known, BEFORE, limits={"injected": 8})).ids == tuple(ids)
    few = ask(known, plan_of(known, BEFORE, limits={"injected": 3})).ids
    assert len(few) == 3 and few[-1] == ids[-1] and few == tuple(sorted(few))
    open_gate = Settings.model_validate({"noise_gate": {"enabled": False}})
    assert ask(known, plan_of(known, BEFORE, open_gate, limits={"injected": 1})).ids == (ids[-1],)


@pytest.mark.parametrize("rule", ["T-67", "T-68", "E-39", "E-40", "E-42", "E-43"])
def test_what_only_said_the_same_does_not_come(rule: str, known) -> None:
    old, new = keep(known, "User lives in Lisbon, Portugal", LISBON)
    retire(known, old, new, rule)
    assert texts(ask(known, plan_of(known, BEFORE))) == [LISBON]


def test_what_was_said_later_than_what_stands_never_held(known) -> None:
    """C-44: the user's word stands against a newer guess."""
    new, old = keep(known, LISBON, "User lives in Porto")
    known.classify(new, old)
    retire(known, old, new)
    assert texts(ask(known, plan_of(known, BEFORE))) == [LISBON]


def test_what_somebody_wanted_forgotten_does_not_come(moved) -> None:
    box, old, _ = moved
    assert box.store.apply([Forget(memory_id=old, at=box.clock())]) == 1
    assert texts(ask(box, plan_of(box, BEFORE))) == [LISBON]


def test_what_may_not_be_shown_does_not_come(moved) -> None:
    """T-02, T-21, V-62: refused by the host's model, said already, another agent's; of what holds the same is true."""
    box, old, new = moved
    plan = plan_of(box, BEFORE)
    for hidden, expected in ((old, [LISBON]), (new, [PAST])):
        refused = ask(box, plan, Audience(is_admitted=lambda one, name=hidden: one.id != name))
        said = ask(box, plan, Audience(contents=make_contents([(hidden, box.read(hidden).text)])))
        box.store.mirrored = {hidden: "other"}
        assert [texts(one) for one in (refused, said, ask(box, plan, Audience(scopes=("mine",))))] == [expected] * 3
        assert [{why for one, why in each.left_out if one.memory.id == hidden} for each in (refused, said)] == [
            {REFUSED},
            {IN_PROMPT},
        ]
        box.store.mirrored = {}


def test_another_roles_past_does_not_come(known) -> None:
    old, new = keep(known, "The gate code is 1111", "The gate code is 2222", domain="garden")
    retire(known, old, new)
    plan = plan_of(known, "What was the gate code before?")
    assert ask(known, plan, Audience(allowed=frozenset({"garden"}))).ids == (old, new)
    assert ask(known, plan, Audience(allowed=frozenset({"office"}))).ids == ()
