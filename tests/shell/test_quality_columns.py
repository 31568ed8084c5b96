"""What filters, report and health read in one go is what the single memories say (Q-51, Q-54, Q-56, Q-59)."""

from datetime import timedelta

import numpy as np
from memory_ledger.ledger.changes import Qualify, Supersede
from memory_ledger.ledger.lifecycle import QualityHealth
from memory_ledger.quality.kinds import STALENESS_RATES
from memory_ledger.quality.scores import measure_memory
from memory_ledger.store.quality_columns import QualityColumns


def filled(box) -> list[str]:
    """Return memories of several types and ages."""
    ids = []
    for text in ("The cellar is wet", "User prefers tea", "Lesson: avoid the stairs", "We met on 2026-01-03"):
        ids.append(box.insert(text))
        box.adopt()
        box.clock.advance(days=20)
    return ids


def measured(box):
    columns = box.store.columns
    return columns.quality.measure(len(columns), box.clock(), STALENESS_RATES)


def check(box) -> None:
    """Hold every row against its memory."""
    found = measured(box)
    for position, memory_id in enumerate(box.store.index.ids):
        one = measure_memory(box.read(memory_id), box.clock())
        assert (found.staleness[position], found.score[position]) == one


def test_rows_follow_the_memories(known) -> None:
    ids = filled(known)
    check(known)
    before = measured(known).staleness[0]
    known.store.count_recall(ids[:1])
    assert measured(known).staleness[0] < before
    check(known)
    known.store.apply([Qualify(memory_id=ids[1], stated={"confidence": 0.1, "validated_at": known.clock()})])
    known.store.apply([Supersede(winner_id=ids[2], loser_id=ids[3], at=known.clock(), cycle=0, rule="Q-52")])
    check(known)
    known.delete(ids[0])
    known.insert("The kitchen is warm")
    known.adopt()
    check(known)
    known.restart(is_saved=True)
    known.adopt()
    check(known)


def test_what_is_not_classified_yet_counts_as_fresh(known) -> None:
    known.insert("The cellar is wet")
    known.store.refresh_positions()
    known.clock.advance(days=400)
    assert measured(known).staleness.tolist() == [0.0] and measured(known).score.tolist() == [0.6]


def test_health_says_how_good_the_memories_are(known) -> None:
    """Q-56, C-61: averages, conflicts, errors, echoes and duplicates, from the rows alone."""
    empty = QualityColumns().summarize(0, known.clock(), STALENESS_RATES, unresolved_conflicts=2)
    assert empty == QualityHealth(unresolved_conflicts=2)
    ids = filled(known)
    known.store.apply([Qualify(memory_id=ids[1], stated={"validation_errors": ("a: b",)})])
    for loser, rule in ((ids[2], "T-68"), (ids[3], "E-39")):
        change = Supersede(winner_id=ids[0], loser_id=loser, at=known.clock(), cycle=0, rule=rule)
        known.store.apply([change])
    found, columns = measured(known), known.store.columns
    health = columns.quality.summarize(4, known.clock(), STALENESS_RATES, unresolved_conflicts=0)
    assert health == QualityHealth(
        average_quality=round(float(np.mean(found.score)), 4),
        average_staleness=round(float(np.mean(found.staleness)), 4),
        unresolved_conflicts=0,
        validation_error_rate=0.25,
        echoes=1,
        duplicates=1,
    )


def test_the_gravity_of_a_conflict_follows_the_configured_rates(known) -> None:
    """Q-15, T-28: how fast a type goes out of date says how far apart two memories are."""
    rates = {"fact": {"halfLifeDays": 1, "accessDecayDays": 1}}
    texts = ("Adam's mood is green", "Adam's mood is amber")
    risks = []
    for settings in ({}, {"staleness_config": rates}):
        first, second = (
            known.insert(text, content={"subject": f"adam {len(risks)}", "property": "mood", "value": text})
            for text in texts
        )
        known.docs[first].metadata["timestamp"] = (known.clock() - timedelta(days=10)).isoformat()
        known.adopt(**settings)
        risks.append(known.read(second).quality.conflict_risk)
    assert risks[0] > risks[1] > 0
