"""What stays true when something changes is not retired by the change (C-39 ... C-43).

The rows were written without sight of the rules: every change of a group is crossed with every memory of the group that
stays true after it, for every pair of values.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from memory_ledger.claims import extract_claims
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity

_FILES = sorted((Path(__file__).resolve().parents[1] / "data" / "bystanders").glob("*.json"))
_OLDER, _NEWER = (
    Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, datetime(2026, 5, day, tzinfo=UTC))
    for day in (1, 2)
)


def _filled(template, values):
    return template.replace("{old}", values["old"]).replace("{new}", values["new"])


def _rows():
    for path in _FILES:
        for group in json.loads(path.read_text(encoding="utf-8"))["groups"]:
            for values in group["values"]:
                yield pytest.param(group, values, id=f"{path.stem}: {group['name']}, {values['old']}")


def _read(texts, corrects=False):
    return {text: extract_claims(text, corrects=corrects) for text in texts}


def _decide(older, newer, before, after):
    return decide(_OLDER, _NEWER, before[older], after[newer], older_text=older, newer_text=newer)


@pytest.mark.parametrize("is_correction", [False, True])
@pytest.mark.parametrize(("group", "values"), list(_rows()))
def test_no_change_retires_a_bystander(group, values, is_correction):
    """C-43: in either order, whether the change is told as a correction or not."""
    stays = _read(_filled(one["text"], values) for one in group["bystanders"])
    changes = _read((_filled(one, values) for one in group["changes"]), is_correction)
    assert [
        (bystander, change, decision.reasons)
        for bystander in stays
        for change in changes
        for decision, winner in (
            (_decide(bystander, change, stays, changes), "newer"),
            (_decide(change, bystander, changes, stays), "older"),
        )
        if decision.winner == winner and decision.outcome in (Outcome.SUPERSEDE, Outcome.PARTIAL)
    ] == []


def test_changes_still_retire_what_they_end():
    found = 0
    for row in _rows():
        group, values = row.values
        before = _read(_filled(one, values) for one in group["before"])
        changes = _read(_filled(one, values) for one in group["changes"])
        found += sum(_decide(older, newer, before, changes).winner == "newer" for older in before for newer in changes)
    assert found > 150
