"""Deduplication over a memory folder: every near pair found, few acted on, nothing lost, nothing done twice."""

import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from memory_ledger.host.maintenance import near_pairs as near_pairs_module
from memory_ledger.host.maintenance.duplicates import DuplicateReport, deduplicate
from memory_ledger.inbox import Adopt
from memory_ledger.ledger.changes import Contest
from memory_ledger.setting_groups import Deduplication
from memory_ledger.settings import Settings
from memory_ledger.store.deadline import Throttle
from memory_ledger.store.proposals import choose_proposals, read_proposals
from test_maintenance import make_job

AGENTS = {"source": "agent_inferred", "validity": "inferred"}
DIMENSIONS = 64


def unit(*parts: float) -> list[float]:
    """Return a unit vector that begins with `parts`."""
    vector = np.zeros(DIMENSIONS)
    vector[: len(parts)] = parts
    return (vector / np.linalg.norm(vector)).tolist()


def near(cosine: float, axis: int = 1) -> list[float]:
    """Return a vector of which the cosine to `unit(1)` is `cosine`."""
    vector = np.zeros(DIMENSIONS)
    vector[0], vector[axis] = cosine, np.sqrt(1 - cosine**2)
    return vector.tolist()


def put(box: Any, text: str, vector: list[float], **axes: str) -> str:
    """Store a memory, a day after the last one, with a given vector and status."""
    box.clock.advance(days=1)
    memory_id = box.memory.insert(text, {}, vector=vector)
    box.store.sweep()
    box.classify(memory_id, **(AGENTS | axes))
    return memory_id


def run(box: Any, stop: threading.Event | None = None, **rules: Any) -> DuplicateReport:
    settings = Settings(deduplication=Deduplication(**rules))
    return deduplicate(make_job(box, settings, stop=stop, cycle=3))


def between_products(monkeypatch: Any, happen: Callable[[], object]) -> None:
    """Let something happen where the run rests between two products of vectors."""

    class Eventful(Throttle):
        def rest(self) -> None:
            happen()

    monkeypatch.setattr(near_pairs_module, "Throttle", Eventful)


def outcomes(box: Any) -> list[tuple[str, str, str]]:
    return box.rows("SELECT a, b, outcome FROM duplicate ORDER BY number")


def pairs_of(box: Any) -> list[tuple[str, str]]:
    return [(one.loser, one.winner) for one in read_proposals(box.store.database)]


def in_use(box: Any) -> set[str]:
    return {one for one in box.docs if box.validity(one) != "deprecated"}


BERLIN = ("The user lives in Berlin.", "User lives in Berlin", "the user lives in Berlin!")


def put_two(box: Any) -> tuple[str, str]:
    """Store the same in other words, a day later; return the older and the newer one."""
    return put(box, BERLIN[0], unit(1)), put(box, BERLIN[1], near(0.95))


def accept(box, *, at, excluded=()) -> int:
    """Accept what is proposed, as a person does, and return how many memories that were."""
    asked = Adopt(memories=tuple(choose_proposals(box.store.database, excluded=excluded)), excluded=excluded)
    box.store.requests.inbox.append(asked, at=at, by=None)
    box.adopt()
    return int(box.store.requests.look()[-1].answer.words.split()[0])


def test_the_older_of_two_that_the_agent_inferred_goes(known):
    """E-39, E-46, E-72, E-73: above 0.90 the older one is deprecated, `superseded_by` the newer, journalled, kept."""
    older, newer = put_two(known)
    report = run(known)
    assert (report.candidates, report.retired, report.waiting, report.is_done) == (1, 1, 0, True)
    lineage = known.read(older).lineage
    assert known.validity(older) == "deprecated" and known.validity(newer) == "inferred"
    assert (lineage.superseded_by, lineage.deprecated_reason, lineage.deprecated_at_cycle) == (newer, "E-39", 3)
    assert known.read(newer).lineage.supersedes == older
    (row,) = known.journal()
    assert (row["action"], row["memory"], row["winner"], row["rule"]) == ("supersede", older, newer, "E-39")
    assert outcomes(known) == [(newer, older, "retire"), (newer, older, "retired")]
    assert known.rows("SELECT cosine FROM duplicate")[0] == (pytest.approx(0.95, abs=1e-6),)
    assert (known.store.outcomes.duplicates_retired, known.store.outcomes.conflicts_resolved) == (1, 0)
    assert len(known.docs) == 2


def test_what_was_there_before_the_pack_is_proposed(known):
    """design.md (Storage), E-39: the report names it, once; the next turn after an acceptance carries it out."""
    older, newer = put_two(known)
    known.store.state.first_seen = known.clock().isoformat()
    later = put(known, "The cat is called Minka.", unit(0, 0, 1)), put(known, "the cat is called Minka", unit(0, 0, 1))
    report = run(known)
    assert (report.proposed, report.retired, report.waiting) == (1, 1, 0)
    assert in_use(known) == {older, newer, later[1]}
    (proposal,) = read_proposals(known.store.database)
    assert (proposal.loser, proposal.winner, proposal.rule) == (older, newer, "E-39")
    assert (proposal.loser_text, proposal.winner_text) == BERLIN[:2]
    assert run(known).proposed == 0
    assert accept(known, at=known.clock()) == 1
    assert read_proposals(known.store.database) == []
    known.adopt()
    assert in_use(known) == {newer, later[1]}


def test_the_setting_asks_nobody(known):
    older, newer = put_two(known)
    known.store.state.first_seen = known.clock().isoformat()
    assert run(known).proposed == 1
    settings = Settings(retire_existing=True)
    assert deduplicate(make_job(known, settings, cycle=4)).retired == 1
    assert in_use(known) == {newer}
    assert known.validity(older) == "deprecated"


@pytest.mark.parametrize(
    ("cosine", "length", "threshold", "count"),
    [(0.89999, 3, 0.9, 0), (0.90001, 3, 0.9, 1), (1.0, 1, 1.0, 0)],
)
def test_the_threshold_is_a_true_cosine_and_strict(known, cosine, length, threshold, count):
    """E-38, T-07, T-15: strictly above the threshold, whatever the length of the vectors."""
    put(known, BERLIN[0], unit(1))
    put(known, "The user lives in Oslo.", (np.array(near(cosine)) * length).tolist())
    assert run(known, similarity_threshold=threshold).candidates == count


@pytest.mark.parametrize(
    ("text", "cosine", "count"), [(BERLIN[1], 0.76, 1), (BERLIN[1], 0.74, 0), ("The user lives in Rome.", 0.76, 0)]
)
def test_what_says_the_same_is_found_below_the_threshold(known, text, cosine, count):
    """T-67: a normalised-equal text is a duplicate at any time; of the others below the threshold nothing is said."""
    put(known, BERLIN[0], unit(1))
    put(known, text, near(cosine))
    assert run(known).retired == count
    assert len(outcomes(known)) == 2 * count


PORTS = ("The API listens on port 8080.", "The API listens on port 8081.")
HOOKS = ("The spare key hangs on hook 4.", "The spare key hangs on hook 5.")


@pytest.mark.parametrize(
    ("texts", "cosine", "axes", "counted", "stays", "why"),
    [
        pytest.param(
            BERLIN[:2], 0.95, {"utility": "load_bearing"}, {"kept": 1}, (0, 1), None, id="E-44, E-76 load-bearing"
        ),
        pytest.param(HOOKS, 0.9999, {}, {"divergent": 1}, (0, 1), "a number: ", id="T-67, E-78 differs in a value"),
        pytest.param(
            BERLIN[:2], 0.95, {"source": "user_asserted"}, {"retired": 1}, (0,), None, id="E-40, E-74 the user's word"
        ),
        pytest.param(PORTS, 0.98, {}, {"resolved": 1}, (1,), None, id="T-67 a contradiction is settled as one"),
    ],
)
def test_which_of_two_stays(known, texts, cosine, axes, counted, stays, why):
    ids = [put(known, texts[0], unit(1), **axes), put(known, texts[1], near(cosine))]
    report = run(known)
    counts = {"kept": 0, "divergent": 0, "retired": 0, "resolved": 0} | counted
    assert {name: getattr(report, name) for name in counts} == counts and report.candidates == 1
    assert in_use(known) == {ids[one] for one in stays}
    assert known.store.outcomes.conflicts_resolved == counts["resolved"]
    if report.resolved:
        assert known.read(ids[0]).lineage.deprecated_reason == "C-47"
    if why:
        [(outcome, found)] = known.rows("SELECT outcome, why FROM duplicate")
        assert outcome == "divergent" and f"divergent: {why}" in found


def test_two_of_the_users_are_flagged(known):
    """E-41, E-75: flagged for review, no action, once."""
    for text, vector in zip(BERLIN, (unit(1), near(0.95), near(0.96, 2)), strict=True):
        put(known, text, vector, source="user_asserted", validity="confirmed")
    report = run(known)
    assert (report.review, report.retired) == (3, 0)
    assert {one[2] for one in outcomes(known)} == {"review"}
    assert len(in_use(known)) == 3
    assert run(known).candidates == 0


@pytest.mark.parametrize("cap", [0, 1, 2])
def test_the_cap_holds_and_what_is_left_waits(known, cap):
    """E-45, E-77: at most so many actions in one cycle; the scan goes on, and the rest is done in the next one."""
    for number in range(3):
        for text in BERLIN[:2]:
            put(known, text.replace("Berlin", f"Berlin {number}"), unit(*[0.0] * number, 1.0))
    first = run(known, max_pairs_per_cycle=cap)
    assert (first.candidates, first.retired, first.waiting) == (3, cap, 3 - cap)
    known.restart(is_saved=True)
    second = run(known, max_pairs_per_cycle=20)
    assert (second.candidates, second.compared, second.retired, second.waiting) == (0, 0, 3 - cap, 0)
    assert len(in_use(known)) == 3


def test_what_waited_and_would_have_to_be_proposed_now_is_not_carried_out(known):
    """design.md (Storage), E-45: of what was there before the pack nothing goes unasked, whatever was found before."""
    older = put(known, BERLIN[0], unit(1), validity="confirmed")
    known.clock.advance(days=1)
    known.store.state.first_seen = known.clock().isoformat()
    newer = put(known, BERLIN[1], near(0.95))
    assert run(known, max_pairs_per_cycle=0).waiting == 1  # the newer one, which is inferred only
    known.classify(newer, source="agent_inferred", validity="confirmed")
    assert run(known).retired == 0
    assert in_use(known) == {older, newer}


def test_a_great_many_copies_are_compared_with_the_one_that_stays(known):
    """E-45, E-72: copies without end do not make pairs without end; all of them go, as many a run as the cap says."""
    others = [put(known, BERLIN[0], unit(1)) for _ in range(30)]
    known.classify(kept := others.pop(7), validity="confirmed", source="agent_inferred")
    assert [(one.candidates, one.retired) for one in (run(known), run(known), run(known))] == [(29, 20), (0, 9), (0, 0)]
    assert in_use(known) == {kept}
    assert {known.read(one).lineage.superseded_by for one in others} == {kept}


@pytest.mark.parametrize("count", [5, 30])
def test_each_copy_from_before_the_pack_is_proposed_once(known, count):
    """design.md (Storage): a person reads one line for each, and what they accept goes, whatever the order."""
    ids = [put(known, BERLIN[0], unit(1)) for _ in range(count)]
    known.clock.advance(days=1)
    known.store.state.first_seen = known.clock().isoformat()
    assert run(known).proposed == count - 1
    assert pairs_of(known) == [(one, ids[-1]) for one in ids[:-1]]
    accept(known, at=known.clock())
    known.adopt()
    assert in_use(known) == {ids[-1]}


def test_a_chain_from_before_the_pack_is_proposed_from_its_beginning(known):
    """design.md (Storage): who goes in favour of one that goes as well goes first."""
    angles = [0.0, 0.4, 0.8]  # each near the next one only
    ids = [put(known, text, unit(np.cos(one), np.sin(one))) for text, one in zip(BERLIN, angles, strict=True)]
    known.clock.advance(days=1)
    known.store.state.first_seen = known.clock().isoformat()
    run(known)
    assert pairs_of(known) == [(ids[0], ids[1]), (ids[1], ids[2])]


def test_what_is_settled_is_left_alone(known, monkeypatch):
    """T-46, T-70: pairs with an open conflict, and those that a person has decided about."""
    older, newer = put_two(known)
    known.store.apply([Contest(older_id=older, newer_id=newer, at=known.clock(), rule="C-96", reasons=())])
    report = run(known)
    assert (report.skipped, report.retired) == (1, 0)
    third = put(known, BERLIN[2], near(0.97, 2))
    monkeypatch.setattr(known.store.conflicts, "is_decided_by_person", lambda one, other: third in (one, other))
    report = run(known)
    assert (report.candidates, report.skipped, report.retired) == (2, 2, 0)


def test_only_what_is_new_is_looked_at_after_a_restart(known):
    """E-38: already processed pairs are skipped, also by the next process; a new memory meets all of the old ones."""
    put(known, "The cellar is damp.", unit(0, 0, 1))
    put(known, BERLIN[0], unit(1))
    assert (run(known).compared, run(known).compared) == (2, 0)
    known.restart(is_saved=True)
    put(known, BERLIN[1], near(0.95))
    report = run(known)
    assert (report.compared, report.candidates, report.retired) == (1, 1, 1)


@pytest.mark.parametrize("damage", [None, "{", '{"key": 1}', "replace"])
def test_losing_the_notes_costs_time_only(known, damage):
    put(known, BERLIN[0], unit(1), source="user_asserted")
    put(known, BERLIN[1], near(0.95), source="user_asserted")
    run(known)
    [(value,)] = known.rows("SELECT value FROM state WHERE name = 'duplicates'")
    changed = json.dumps(json.loads(value) | {"seen": "?"}) if damage == "replace" else damage
    if damage is None:
        statement, values = "DELETE FROM state", ()
    else:
        statement, values = "UPDATE state SET value = ? WHERE name = 'duplicates'", (changed,)
    known.store.database.change(lambda db: db.execute(statement, values))
    report = run(known)
    assert (report.compared, report.review) == (2, 1)


def test_other_settings_look_at_everything_again(known):
    put(known, BERLIN[0], unit(1))
    put(known, "The user lives in Oslo.", near(0.8))
    assert run(known).candidates == 0
    assert run(known, similarity_threshold=0.7).candidates == 1


def test_a_rewritten_text_is_new(known):
    put(known, BERLIN[0], unit(1))
    other = put(known, "The cellar is damp.", near(0.95))
    assert run(known).divergent == 1
    known.update(other, BERLIN[1])
    known.store.sweep()
    known.classify(other, **AGENTS)
    assert run(known).compared == 1


def test_it_stops_at_once_and_goes_on_later(known, monkeypatch):
    """T-48: once told to stop it compares, judges and retires nothing more; the next run does it."""
    monkeypatch.setattr(near_pairs_module, "_ROWS", 2)
    for number in range(4):
        put(known, BERLIN[number % 2].replace("Berlin", f"Berlin {number // 2}"), unit(*[0.0] * (number // 2), 1.0))
    stop = threading.Event()
    stop.set()
    report = run(known, stop)
    assert (report.is_done, report.compared, report.retired) == (False, 0, 0)
    calls: list[int] = []
    between_products(monkeypatch, lambda: calls.append(1) or stop.set())
    stop.clear()
    report = run(known, stop)
    assert (report.is_done, report.compared, report.retired, len(calls)) == (False, 2, 0, 1)
    between_products(monkeypatch, lambda: None)
    report = run(known)
    assert (report.is_done, report.compared, report.retired) == (True, 2, 2)


def test_a_delete_of_the_host_in_the_midst_ends_the_look(known, monkeypatch):
    """T-48: positions move under the run; the next one takes them anew, and nothing is paired wrongly."""
    monkeypatch.setattr(near_pairs_module, "_ROWS", 2)
    gone = put(known, "The cellar is damp.", unit(0, 0, 1))
    texts = ("A cat sleeps.", *BERLIN[:2], "Rain falls.")
    ids = [put(known, text, unit(*[0.0] * place, 1.0)) for text, place in zip(texts, (4, 0, 0, 6), strict=True)]
    deleted: list[str] = []

    def delete_once() -> None:
        if not deleted:
            deleted.append(gone)
            known.delete(gone)

    between_products(monkeypatch, delete_once)
    assert run(known).is_done is False
    report = run(known)
    assert (report.is_done, report.retired) == (True, 1)
    assert in_use(known) == {ids[0], ids[2], ids[3]}


def test_a_crash_before_the_save_undoes_the_action_and_its_note(known):
    """C-37: what was not saved at the end of the maintenance is done again; what was saved is not."""
    put_two(known)
    known.memory.save()
    known.store.save_state()
    report = run(known)
    assert (report.retired, report.waiting, known.store.is_dirty) == (1, 0, True)
    known.restart()
    assert run(known).retired == 1
    assert known.store.save()
    known.restart()
    assert run(known).retired == 0
    [(value,)] = known.rows("SELECT value FROM state WHERE name = 'duplicates'")
    assert json.loads(value)["waiting"] == []


def test_switched_off_it_does_nothing(known):
    """E-83: `enabled: false` skips the stage; `log_all_candidates: false` writes no line, actions stay journalled."""
    put_two(known)
    assert run(known, enabled=False) == DuplicateReport()
    assert run(known, log_all_candidates=False).retired == 1
    assert outcomes(known) == [] and len(known.journal()) == 1


def test_nothing_is_embedded_and_nothing_deleted(known, monkeypatch):
    """T-08, T-67: neither the embedder nor any delete is called."""

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("called")

    put_two(known)
    monkeypatch.setattr(known.embedder, "embed_query", refuse)
    monkeypatch.setattr(known.embedder, "embed_documents", refuse)
    monkeypatch.setattr(known.memory.db, "delete", refuse)
    assert run(known).retired == 1
    assert len(known.docs) == 2


def test_blocks_find_what_one_product_finds(known, monkeypatch):
    """E-72: slices of any size find every pair that the whole product finds, each once."""
    monkeypatch.setattr(near_pairs_module, "_ROWS", 3)
    monkeypatch.setattr(near_pairs_module, "_COLUMNS", 2)
    draw = np.random.default_rng(7)
    vectors = draw.standard_normal((6, DIMENSIONS)).repeat(3, axis=0) + 0.15 * draw.standard_normal((18, DIMENSIONS))
    ids = [put(known, f"note {number}", vector.tolist()) for number, vector in enumerate(vectors[:11])]
    run(known)
    ids += [put(known, f"note {number}", vector.tolist()) for number, vector in enumerate(vectors[11:], 11)]
    run(known)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    wanted = {
        frozenset((ids[one], ids[other]))
        for one in range(18)
        for other in range(one)
        if vectors[one] @ vectors[other] > 0.9
    }
    found = [frozenset(one[:2]) for one in outcomes(known)]
    assert wanted and sorted(map(sorted, found)) == sorted(map(sorted, wanted))


def test_a_store_that_has_lost_a_vector_is_looked_at_once(box: Any) -> None:
    """Contract 4, T-64: after a crash there may be fewer vectors than positions; no run goes on for good."""
    ids = [put(box, "The team meets in room 4.", unit(1)), put(box, "The team meets in room 4", near(0.99))]
    last = put(box, "The boiler was built in 1987.", unit(0, 1))
    box.memory.db.index.remove_ids(np.array([2]))
    stop = threading.Event()
    watch = threading.Timer(20, stop.set)
    watch.start()
    report = run(box, stop)
    watch.cancel()
    assert report.is_done and len({*report.retired_ids, *report.proposed_ids} & {*ids}) == 1, report
    assert last in box.docs
