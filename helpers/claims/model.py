"""The records of claims: the extractor fills them, and the comparison reads them.

Pure data. Nothing here reads text, a clock or a store.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from ..language.modality import Modality as Modality

Norm = tuple[str | float, ...]


class Tense(StrEnum):
    """When a claim holds: now, in the past, or at a date that the text names."""

    NOW = "now"
    PAST = "past"
    DATED = "dated"


class ValueKind(StrEnum):
    """The type of a value; values of different kinds are never compared."""

    VERSION = "version"
    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    CLOCK = "clock"
    FREQUENCY = "frequency"
    PORT = "port"
    HOST = "host"
    URL = "url"
    PATH = "path"
    EMAIL = "email"
    PHONE = "phone"
    TIMEZONE = "timezone"
    FLAG = "flag"
    NAME = "name"
    PERSON = "person"
    PLACE = "place"
    TERM = "term"
    TEXT = "text"
    PHRASE = "phrase"
    STATEMENT = "statement"
    SCALAR = "scalar"
    CODE = "code"
    STREET = "street"
    HOURS = "hours"


class Relation(StrEnum):
    """The relation of two texts; `COEXISTS` is the default."""

    CONTRADICTS = "contradicts"
    REFINES = "refines"
    DUPLICATES = "duplicates"
    COEXISTS = "coexists"


@dataclass(frozen=True, slots=True)
class Value:
    """A typed value: `text` as written, `norm` in the form that its kind is compared in (see `values.agreement`)."""

    kind: ValueKind
    text: str
    norm: Norm = ()


@dataclass(frozen=True, slots=True)
class ClaimTime:
    """`date` is the text of the date for `DATED`, else empty."""

    tense: Tense
    date: str = ""


NOW: Final = ClaimTime(Tense.NOW)
PAST: Final = ClaimTime(Tense.PAST)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a text says: `subject` has `value` in `slot`.

    `polarity` False is a denial. `scope` holds every qualifier that the grammar read but does not interpret
    (environment, region, file, condition): claims of different scope are never compared. `single` says that the
    slot holds one value at a time. `change` marks a state change ("switched to", "no longer"), `correction` an
    explicit correction. An elliptical correction ("Actually it's 8443") has an empty subject, and an empty
    slot unless it names one. `topic` is subject and scope in the form that is compared (see `topics`). `loose`: read
    from the words alone, whatever their order. `structured`: not from the text but from structured content, of any
    property. `light` and `firm` narrow the topic: a firm word must be among those of the other claim, and only
    one side may have light ones more. `implied`: the text says that it follows from something else. `start` and
    `end` are the span of the clause (of the list item) in the text.
    """

    subject: str
    slot: str
    value: Value
    polarity: bool = True
    modality: Modality = Modality.FACT
    time: ClaimTime = NOW
    scope: tuple[str, ...] = ()
    correction: bool = False
    start: int = 0
    end: int = 0
    single: bool = True
    change: bool = False
    elliptical: bool = False
    topic: str | None = None
    loose: bool = False
    structured: bool = False
    light: tuple[str, ...] = ()
    firm: tuple[str, ...] = ()
    implied: bool = False

    @property
    def is_only_implied(self) -> bool:
        """Whether it holds only under a condition that the text does not state as a fact."""
        return self.implied and self.modality is Modality.HYPOTHESIS

    @property
    def is_marked(self) -> bool:
        """Whether it is marked as a correction or a change."""
        return self.correction or self.change

    @property
    def key(self) -> tuple[str, str]:
        """(topic, slot): what two claims must share, and what the claim index is keyed by."""
        return (self.subject if self.topic is None else self.topic, self.slot)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The relation of a newer text to an older one, and its reasons.

    `rule` names the rule that decided. `reasons` are words that a person can check. `partial`: something else that
    the older text says still holds; `newer_partial`: the same of the newer text, for a caller that retires the newer
    one. `addable`: the slot holds several values, and only the older text corrects or changes anything, so the newer
    one may say what came in addition. `older_spans` and `newer_spans` are where each text says what the other
    contradicts. `corrects` names the text that *is* the correction or state change, and so wins whatever its age.
    `elliptical`: the correction names no subject, so the caller must make sure that only one memory fits it.
    `is_open`: neither is retired, for only their structured contents contradict each other, or the newer one
    ends or changes something of which the older one says more.
    """

    relation: Relation
    rule: str = "none"
    reasons: tuple[str, ...] = ()
    partial: bool = False
    corrects: Literal["older", "newer"] | None = None
    elliptical: bool = False
    newer_partial: bool = False
    addable: bool = False
    older_spans: tuple[tuple[int, int], ...] = ()
    newer_spans: tuple[tuple[int, int], ...] = ()
    is_open: bool = False
