"""The rules that check a memory: the six built-in ones, and the answers of custom ones.

Pure. A rule sees a memory as the interface shows it. Its message is stored as "<rule>: <message>".
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations, product
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictStr, StringConstraints, ValidationError

from ..claims import Claim, Modality, Relation, compare_claims
from ..clock import parse_time
from ..errors import MemoryLedgerError, requirement_of, shorten
from ..ledger.resolve import parse_claims, parse_worded_claims
from ..records import Memory, Share
from .kinds import MemoryType
from .relationships import RelationshipType
from .scores import SourceClass

#: A memory under the specification's keys, as plain JSON values.
MemoryObject = dict[str, Any]

#: The allowed difference between the clocks of two machines.
_TOLERANCE = timedelta(minutes=5)
_TRIPLE = ("subject", "property", "value")
_REQUIRED = ("id", "type", "content", "confidence", "source", "created")


#: A text that is not blank.
_Said = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]


class ValidatorError(MemoryLedgerError):
    """A value is no validator."""


class Validator(BaseModel):
    """A custom rule for memories of `types`, or for all where that is None."""

    model_config = ConfigDict(frozen=True)

    name: _Said
    rule: Callable[[MemoryObject], object] = Field(alias="validate")
    types: frozenset[MemoryType] | None = None

    def applies_to(self, memory: Mapping[str, Any]) -> bool:
        """Whether the rule is for memories of this type."""
        return self.types is None or memory.get("type") in self.types

    def find_objection(self, shown: MemoryObject) -> str | None:
        """Return the objection to a copy of a memory, None for a valid one; an exception counts as an objection."""
        try:
            return parse_verdict(self.rule(copy.deepcopy(shown)))
        except (Exception, SystemExit) as exc:  # noqa: BLE001 - somebody else's code: whatever it raises is its answer
            return f"raised {type(exc).__name__}: {shorten(str(exc))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A memory to check, at `now`: as the interface shows it, and as the store holds it, or would.

    `proof` holds the errors of the rules `signature` and `chain`.
    """

    shown: MemoryObject
    now: datetime
    memory: Memory | None = None
    proof: Mapping[str, str] = field(default_factory=dict)


def parse_validator(value: object) -> Validator:
    """Return somebody's validator: `name`, `validate` and perhaps `types`; raises ValidatorError."""
    try:
        validator = Validator.model_validate(value)
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
        where = ".".join(map(str, ("a validator", *fault["loc"])))
        raise ValidatorError(f"{where} is {shorten(fault['input'])}; allowed: {requirement_of(fault)}") from None
    if validator.name in BUILT_IN:
        raise ValidatorError(f"a validator is called {validator.name}; allowed: a name of no built-in rule")
    return validator


def parse_verdict(answer: object) -> str | None:
    """Return the message of a custom rule's answer, None for a valid memory; an answer of unknown form is a message."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("valid"), bool):
        return f"answered {shorten(answer)}; allowed: an object with valid, true or false, and error"
    if answer["valid"]:
        return None
    error = answer.get("error")
    return error if isinstance(error, str) and error.strip() else "not valid"


def check_built_in(checked: Checked) -> list[str]:
    """Return the errors of the six built-in rules, each as "<rule>: <message>"."""
    return [f"{name}: {message}" for name, rule in BUILT_IN.items() for message in rule(checked)]


class _ShownContent(BaseModel):
    text: _Said = ""
    subject: _Said = ""
    property: _Said = ""


class _ShownLink(BaseModel):
    type: RelationshipType
    target: StrictStr


class _Schema(BaseModel):
    """The types of the fields of a memory."""

    type: MemoryType = MemoryType.FACT
    source: SourceClass = SourceClass.TOLD
    confidence: Annotated[Share, Field(strict=True)] | None = None
    tags: list[StrictStr] = []
    content: _ShownContent = _ShownContent()
    relationships: list[_ShownLink] = []


def _faults(shown: Mapping[str, Any]) -> list[Any]:
    try:
        _Schema.model_validate(shown)
    except ValidationError as exc:
        return [*exc.errors(include_url=False)]
    return []


def find_invalid(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stated values that `schema` refuses, and without which a memory can be stored."""
    checked = {key: stated[key] for key in ("type", "source", "confidence") if stated.get(key) is not None}
    return {key: checked[key] for key in dict.fromkeys(str(fault["loc"][0]) for fault in _faults(checked))}


def _check_schema(checked: Checked) -> Iterable[str]:
    """Yield the fields whose value is not of their type."""
    for fault in _faults(checked.shown):
        value = "missing" if fault["type"] == "missing" else shorten(fault["input"])
        yield f"{'.'.join(map(str, fault['loc']))} is {value}; allowed: {requirement_of(fault)}"


def _check_required(checked: Checked) -> Iterable[str]:
    """Yield the missing fields of the memory and the missing parts of its content."""
    for key in _REQUIRED:
        if checked.shown.get(key) is None:
            yield f"{key} is missing"
    content = checked.shown.get("content")
    if not isinstance(content, Mapping):
        return
    if not content:
        yield "content is empty"
    if any(key in content for key in _TRIPLE):
        yield from (f"content.{key} is missing" for key in _TRIPLE if content.get(key) is None)


def _check_self_conflict(checked: Checked) -> Iterable[str]:
    """Yield two statements of the memory that contradict each other, and a link to itself."""
    for claim, other_claim, text in _said_twice(checked):
        comparison = compare_claims(
            [claim], [other_claim], older_text=checked.memory.text if checked.memory else "", newer_text=text
        )
        if comparison.relation is Relation.CONTRADICTS:
            yield f"it contradicts itself: {_in_words(comparison.reasons)}"
            break
    links = checked.shown.get("relationships", [])
    for link in links if isinstance(links, list | tuple) else ():
        if isinstance(link, Mapping) and link.get("target") == checked.shown.get("id") is not None:
            yield f"{link.get('type')} names the memory itself"


def _in_words(reasons: Iterable[str]) -> str:
    """Return the two sides of a contradiction within a text, which are neither older nor newer."""
    about, *sides = reasons
    sides_in_words = [side.split(": ", 1)[1] for side in sides if side.startswith(("older: ", "newer: "))]
    where = about.replace("both speak of", "of", 1).replace("both fill in", "in", 1)
    return f"{where} it says {' and '.join(sides_in_words)}"


def _said_twice(checked: Checked) -> Iterable[tuple[Claim, Claim, str]]:
    """Yield two claims of a memory, the second from its text or its structured content, with the text of the second."""
    if checked.memory is None:
        return
    claims = [claim for claim in parse_claims(checked.memory) if claim.modality is Modality.FACT]
    yield from ((*pair, checked.memory.text) for pair in combinations(claims, 2))
    content = checked.memory.content
    if content is not None:
        yield from ((*pair, "") for pair in product(claims, parse_worded_claims(content)))


def _check_times(checked: Checked) -> Iterable[str]:
    """Yield the times that cannot be read, lie in the future without reason, or come before the creation."""
    created = parse_time(checked.shown.get("created"))
    for where, value, may_come in _times(checked.shown):
        moment = parse_time(value)
        if moment is None:
            yield f"{where} is {shorten(value)}; allowed: an ISO 8601 time"
        elif not may_come and moment > checked.now + _TOLERANCE:
            yield f"{where} is {value}, after now ({checked.now.isoformat()})"
        elif created is not None and moment < created - (timedelta(0) if may_come else _TOLERANCE):
            yield f"{where} is {value}, before it was created ({created.isoformat()})"


def _times(shown: Mapping[str, Any]) -> Iterable[tuple[str, object, bool]]:
    """Yield the place and the value of a time, and whether it may lie in the future."""
    times: list[tuple[str, object, bool]] = [
        (key, shown.get(key), key == "expires") for key in ("created", "updated", "deletedAt", "expires")
    ]
    for group, key in (("quality", "validatedAt"), ("metadata", "lastAccessed")):
        inner = shown.get(group)
        if isinstance(inner, Mapping):
            times.append((f"{group}.{key}", inner.get(key), False))
    return [time for time in times if time[1] is not None]


Rule = Callable[[Checked], Iterable[str]]

#: The built-in rules, in the specification's order.
BUILT_IN: Mapping[str, Rule] = {
    "schema": _check_schema,
    "required-fields": _check_required,
    "signature": lambda checked: [checked.proof["signature"]] if "signature" in checked.proof else [],
    "chain": lambda checked: [checked.proof["chain"]] if "chain" in checked.proof else [],
    "no-self-conflict": _check_self_conflict,
    "temporal-consistency": _check_times,
}
