"""The six built-in rules, and how custom ones are read (Q-29 ... Q-34, Q-37, T-30)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from case_tables import read_cases
from core_tools import NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.contents import Content
from memory_ledger.quality.validators import (
    BUILT_IN,
    Checked,
    ValidatorError,
    check_built_in,
    parse_validator,
    parse_verdict,
)

CASES = read_cases(__file__)

GOOD = {
    "id": "m1",
    "type": "fact",
    "content": {"subject": "Adam", "property": "timezone", "value": "MST"},
    "created": NOW.isoformat(),
    "tags": ["a"],
    "confidence": 0.95,
    "source": "told",
    "quality": {"validatedAt": NOW.isoformat()},
    "relationships": [{"type": "supports", "target": "m2"}],
    "metadata": {"lastAccessed": NOW.isoformat()},
}


def errors(one=None, proof: dict[str, str] | None = None, **shown) -> list[str]:
    changed = {key: value for key, value in {**GOOD, **shown}.items() if value is not ...}
    return check_built_in(Checked(shown=changed, now=NOW, memory=one, proof=proof or {}))


def test_the_built_in_rules_are_those_of_the_specification() -> None:
    assert [*BUILT_IN] == [
        "schema",
        "required-fields",
        "signature",
        "chain",
        "no-self-conflict",
        "temporal-consistency",
    ]
    assert errors() == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("type", "mood"),
        ("type", 3),
        ("source", "rumour"),
        ("confidence", 1.1),
        ("confidence", -0.1),
        ("confidence", True),
        ("confidence", "high"),
        ("confidence", float("nan")),
        ("tags", "a"),
        ("tags", [1]),
        ("content", "text"),
        ("content", {"text": ""}),
        ("content", {"text": 3}),
        ("content", {"subject": " ", "property": "p", "value": 1}),
        ("content", {"subject": "s", "property": 1, "value": 1}),
        ("relationships", [{"type": "hates", "target": "m2"}]),
        ("relationships", [{"type": "supports"}]),
        ("relationships", ["m2"]),
        ("relationships", {"type": "supports", "target": "m2"}),
    ],
)
def test_schema(key, value) -> None:
    (error,) = errors(**{key: value})
    assert error.startswith("schema: ") and "; allowed: " in error


@pytest.mark.parametrize("key", ["id", "type", "content", "confidence", "source", "created"])
@pytest.mark.parametrize("value", [..., None])
def test_required_fields(key, value) -> None:
    found = [one for one in errors(**{key: value}) if one.startswith("required-fields")]
    assert found == [f"required-fields: {key} is missing"]


@pytest.mark.parametrize("key", ["subject", "property", "value"])
def test_required_parts_of_the_content(key) -> None:
    """Q-30: a triple is whole; content of another kind needs only to say something."""
    content = {one: value for one, value in GOOD["content"].items() if one != key}
    assert errors(content=content) == [f"required-fields: content.{key} is missing"]
    assert errors(content={}) == ["required-fields: content is empty"]
    assert errors(content={"text": "anything"}) == []


@pytest.mark.parametrize(("text", "is_valid"), CASES["no_self_conflict"])
def test_no_self_conflict(text, is_valid) -> None:
    """Q-32: what says two things that cannot both hold is rejected, and why is said."""
    found = errors(memory(text=text))
    assert bool(found) is not is_valid
    assert all(one.startswith("no-self-conflict: it contradicts itself: ") for one in found)


@pytest.mark.parametrize(("text", "stated", "is_valid"), CASES["text_and_content_may_not_contradict_each_other"])
def test_text_and_content_may_not_contradict_each_other(text, stated, is_valid) -> None:
    """Q-32, Q-62: the text says one thing of a property, the structured content another of the same one."""
    subject, name, value, *scope = stated
    content = Content(subject=subject, property=name, value=value, scope=tuple(scope))
    found = errors(replace(memory(text=text), content=content))
    assert [one.startswith("no-self-conflict: it contradicts itself: ") for one in found] == [True] * (not is_valid)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The server is up and the server is down.", 'of "server" it says "The server is up" and "the server is down"'),
        ("The API runs on port 80. The API runs on port 90.", 'in "The API runs on …" it says "port 80" and "port 90"'),
    ],
)
def test_a_contradiction_within_one_memory_is_told_in_its_own_words(text: str, said: str) -> None:
    """Both places are quoted; of one memory no part is older or newer."""
    assert errors(memory(text=text)) == [f"no-self-conflict: it contradicts itself: {said}"]


def test_no_memory_is_linked_to_itself() -> None:
    (error,) = errors(relationships=[{"type": "supersedes", "target": "m1"}])
    assert error == "no-self-conflict: supersedes names the memory itself"


def test_one_contradiction_is_enough_and_a_guess_is_none() -> None:
    says = "User's project uses Python {}."
    assert len(errors(memory(text=" ".join(map(says.format, ("3.11", "3.9", "3.8")))))) == 1
    for other in ("Maybe User's project uses Python 3.11.", "If User's project uses Python 3.11, it breaks."):
        assert errors(memory(text=f"{says.format('3.9')} {other}")) == []


@pytest.mark.parametrize(("minutes", "count"), [(4, 0), (6, 1)])
def test_clocks_may_differ_by_minutes(minutes, count) -> None:
    """Q-32: five of them, for what lies in the future and what comes before the creation."""
    assert bool(errors(created=(NOW + timedelta(minutes=minutes)).isoformat())) is (count > 0)
    assert len(errors(created=NOW.isoformat(), updated=(NOW - timedelta(minutes=minutes)).isoformat())) == count


LATER, EARLIER = (NOW + timedelta(hours=1)).isoformat(), (NOW - timedelta(hours=1)).isoformat()


@pytest.mark.parametrize(
    "shown",
    [
        *({"created": LATER}, {"created": "yesterday"}, {"created": 3}, {"updated": LATER}),
        *({"updated": EARLIER}, {"deletedAt": EARLIER}, {"expires": EARLIER}),
        *({"quality": {"validatedAt": LATER}}, {"quality": {"validatedAt": EARLIER}}),
        *({"metadata": {"lastAccessed": LATER}}, {"metadata": {"lastAccessed": EARLIER}}),
        {"metadata": {"lastAccessed": "often"}},
    ],
)
def test_temporal_consistency(shown) -> None:
    """Q-32: a time that cannot be read, lies in the future, or before the creation."""
    found = errors(**shown)
    assert found and all(one.startswith("temporal-consistency: ") for one in found)


def test_times_that_are_right() -> None:
    """Q-32: an expiry lies in the future; clocks differ by minutes; what is not said is not checked."""
    close = (NOW + timedelta(minutes=4)).isoformat()
    assert errors(expires=LATER, updated=close, quality=..., metadata=...) == []


def test_a_custom_rule_is_for_its_types_only() -> None:
    """Q-33: `{name, types, validate}`; without types it is for all."""
    rule = parse_validator({"name": "n", "types": ["fact"], "validate": lambda mem: {"valid": True}})
    assert rule.applies_to({"type": "fact"}) and not rule.applies_to({"type": "event"}) and not rule.applies_to({})
    assert parse_validator({"name": "n", "validate": print}).applies_to({"type": "event"})


@pytest.mark.parametrize(
    "value",
    [
        *(None, 3, {}, {"name": "n"}, {"name": "", "validate": print}),
        *({"name": "schema", "validate": print}, {"name": "n", "validate": "print"}),
        {"name": "n", "validate": print, "types": "fact"},
        *({"name": "n", "validate": print, "types": ["mood"]}, {"name": "n", "validate": print, "types": 3}),
    ],
)
def test_what_is_no_validator_is_refused(value) -> None:
    with pytest.raises(ValidatorError, match="allowed"):
        parse_validator(value)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"valid": True}, None),
        ({"valid": True, "error": None}, None),
        ({"valid": False, "error": "Invalid timezone format"}, "Invalid timezone format"),
        ({"valid": False}, "not valid"),
        ({"valid": False, "error": 3}, "not valid"),
        ({"valid": False, "error": " "}, "not valid"),
    ],
)
def test_verdicts(answer, error) -> None:
    assert parse_verdict(answer) == error


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.lists(st.text()), st.just({"valid": 1})))
def test_nonsense_is_an_error(answer) -> None:
    assert "allowed: an object with valid" in (parse_verdict(answer) or "")
