"""The write-gate: which step stops what, in which order, and what it says (V-35 ... V-43, T-22, T-24, T-55)."""

from typing import Any

import pytest
from case_tables import read_cases
from memory_ledger.vault.gate import STEPS, Draft, Rejection, Rules, check_rewrite, find_signal
from memory_ledger.vault.similarity import near_duplicates
from memory_ledger.vault.taxonomy import JOURNAL_SIGNALS, MAX_TEXT_LENGTH
from vault_tools import MISSION, contents_of, judge, record, register

CASES = read_cases(__file__)

SECRET = "hunter2-Kj38sLq"
LONG = "word " * 300

PASSES = [
    pytest.param({}, id="a plain canon"),
    pytest.param({"text": "The container opens ephemerally"}, id="T-55 a signal inside a longer word"),
    pytest.param({"text": "Heartbeats are counted per minute"}, id="T-55 another word than the signal"),
    pytest.param({"text": "x" * MAX_TEXT_LENGTH}, id="V-19 as long as allowed"),
    pytest.param({"scope": "astraea"}, id="V-20 the scope of an agent"),
    pytest.param({"category": "kitchen"}, id="V-64 any category"),
    pytest.param({"tier": "register"}, id="V-22 a register without a topic"),
    pytest.param({"tags": ["a", "b"], "source": "operator"}, id="V-24, V-26 tags and source"),
    pytest.param({"text": "The password is kept in the safe of the office"}, id="V-39 a password without its value"),
]

REJECTED = [
    *(pytest.param({"text": f"Noted: {one.upper()} again"}, 1, one, id=f"V-35 {one}") for one in JOURNAL_SIGNALS),
    pytest.param({"text": "all fine, nothing  to\nreport"}, 1, "nothing to report", id="V-35 over a line"),
    pytest.param({"text": "heartbeat", "tier": "log"}, 1, "heartbeat", id="V-35 before V-36"),
    pytest.param({"tier": "log"}, 2, "log", id="V-36"),
    pytest.param({"tier": " Log "}, 2, "log", id="V-36 however it is written"),
    pytest.param({"tier": "log", "text": LONG}, 2, "log", id="V-36 before V-37"),
    pytest.param({"text": LONG}, 3, "1500 characters", id="V-37"),
    pytest.param({"text": LONG[:1201]}, 3, "1201 characters", id="V-37 one too many"),
    pytest.param({"text": LONG, "scope": "nobody"}, 3, "1500 characters", id="V-37 before V-38"),
    pytest.param({"text": "  "}, 3, "empty", id="V-37 nothing"),
    pytest.param({"text": 7}, 3, "int", id="V-37 no text"),
    pytest.param({"scope": "nobody"}, 4, "'nobody'", id="V-38, V-64 scope"),
    pytest.param({"scope": ["shared"]}, 4, "['shared']", id="V-38 no name of a scope"),
    pytest.param({"tier": "gold"}, 4, "'gold'", id="V-38 tier"),
    pytest.param({"source": "rumour"}, 4, "'rumour'", id="V-38 source"),
    pytest.param({"category": ""}, 4, "category", id="V-38 category"),
    pytest.param({"topic_id": 5}, 4, "topic_id", id="V-38 topic"),
    pytest.param({"tags": "a, b"}, 4, "tags", id="V-38 tags"),
    pytest.param({"tags": [f"t{number}" for number in range(21)]}, 4, "tags", id="V-38 too many tags"),
    pytest.param({"scope": "nobody", "text": f"password: {SECRET}"}, 4, "scope", id="V-38 before V-39"),
    pytest.param({"text": f"The password is {SECRET}"}, 5, "password", id="V-39 password"),
    pytest.param({"text": "Her SSN is 536-90-4399"}, 5, "ssn", id="V-39 social security number"),
    pytest.param({"text": "Pay with 4111 1111 1111 1111"}, 5, "credit_card", id="V-39 card"),
    pytest.param(
        {"text": "aws_secret_access_key = kR7vQ2mZ9tXb4LwN8sHd3JfY6pGcE1uAoTiB5nVx"}, 5, "secret", id="V-39 key"
    ),
    pytest.param({"tags": ["ops", f"password: {SECRET}"]}, 5, "tag 2", id="V-56 in a tag"),
    pytest.param({"topic_id": f"password: {SECRET}"}, 5, "topic_id", id="V-56 in a topic"),
]


@pytest.mark.parametrize("fields", PASSES)
def test_what_passes(fields: dict[str, Any]) -> None:
    assert judge(**fields) == "added"


@pytest.mark.parametrize(("fields", "step", "said"), REJECTED)
def test_what_is_rejected(fields: dict[str, Any], step: int, said: str) -> None:
    """V-07, V-35 ... V-39, V-43: the first step that objects names itself, the reason and a way out."""
    found = judge(**fields)
    assert isinstance(found, Rejection)
    assert found.step == step and said in found.why and found.advice
    assert str(found) == f"rejected at step {step} ({STEPS[step]}): {found.why}. {found.advice}"
    assert found.to_row() == {"step": step, "gate": STEPS[step], "why": found.why, "advice": found.advice}


@pytest.mark.parametrize("field", ["text", "scope", "tier", "source", "category", "topic_id"])
def test_no_rejection_repeats_a_secret(field: str) -> None:
    """V-39, T-22: the message says what kind of secret stands where; the value is in no field of it."""
    found = judge(**{field: f"password: {SECRET}"})
    assert isinstance(found, Rejection)
    assert SECRET not in repr(found) and SECRET not in str(found)


def test_an_upsert_skips_duplicate_and_capacity_but_not_the_first_five() -> None:
    """V-40, T-24: step 6 finds the register of the same topic and scope, and no other."""
    contents = contents_of(
        [register("r1", "Projects: dashboard, memory upgrade", "projects"), record("c1", MISSION, topic_id="mission")]
    )
    topic = {"tier": "register", "topic_id": "projects"}
    assert judge(contents, most_active=1, text="Projects: dashboard, memory upgrade, mail", **topic) == "r1"
    assert judge(contents, most_active=1, text="heartbeat", **topic).step == 1
    assert judge(contents, text=f"password: {SECRET}", **topic).step == 5
    assert judge(contents, text="Something of its own entirely", scope="astraea", **topic) == "added"
    assert judge(contents, text="Something of its own entirely", tier="canon", topic_id="projects") == "added"
    # A canon record is no register, whatever topic it once had (V-13).
    assert judge(contents, text="Something of its own entirely", tier="register", topic_id="mission") == "added"


@pytest.mark.parametrize(("text", "is_rejected"), CASES["near_duplicates_of_the_same_scope"])
def test_near_duplicates_of_the_same_scope(text: str, is_rejected: bool) -> None:
    """V-41, T-24: 60 % of the shorter one's words, or a ratio of 70 %; another scope is another vault."""
    contents = contents_of([record("c1", MISSION)])
    found = judge(contents, text=text)
    assert (found != "added") == is_rejected
    if is_rejected:
        assert found.step == 7 and "c1" in found.why and "Update c1" in found.advice
    assert judge(contents, text=text, scope="astraea") == "added"


@pytest.mark.parametrize(("known", "text", "is_near"), CASES["the_limits_of_near_duplicates_are_inside"])
def test_the_limits_of_near_duplicates_are_inside(known: str, text: str, is_near: bool) -> None:
    """V-41: exactly 60 % of the words are enough, and so is a ratio of exactly 70 %."""
    assert bool(near_duplicates(known, [text])[0]) is is_near


def test_capacity_counts_active_records() -> None:
    """V-42: the vault is full with the maximum of active ones; a tombstone makes room; step 7 comes first."""
    records = [record("c1", "Alpha is the first letter"), record("c2", "Blue whales sing at night")]
    found = judge(contents_of(records), most_active=2)
    assert isinstance(found, Rejection)
    assert found.step == 8 and "2 active records of 2" in found.why
    assert judge(contents_of(records), most_active=2, text="Alpha is the first letter").step == 7
    gone = record("c2", "Blue whales sing at night", version=2, deleted_at=records[0].created_at)
    assert judge(contents_of([*records, gone]), most_active=2) == "added"


@pytest.mark.parametrize(("is_deleted", "most_active", "step"), [(True, 1, 8), (True, 2, None), (False, 1, None)])
def test_what_was_deleted_takes_a_place_when_it_comes_back(
    is_deleted: bool, most_active: int, step: int | None
) -> None:
    """V-42, T-24: in a full vault a record can be changed, and a deleted one cannot come back."""
    kept = record("c1", "Alpha is the first letter")
    known = record("c2", "Blue whales sing at night", version=2, deleted_at=kept.created_at if is_deleted else None)
    draft = Draft(text="Otters hold hands", scope="shared", category="other")
    rules = Rules(frozenset(("shared",)), (), most_active)
    found = check_rewrite(draft, known, contents_of([kept, known]), rules)
    assert (None if found is None else found.step) == step


def test_the_list_of_signals_is_a_setting() -> None:
    """T-55: with an empty list nothing is noise; with another one that is."""
    assert find_signal("heartbeat", ()) is None
    assert find_signal("Stand-up   notes of today", ("stand-up notes",)) == "stand-up notes"
