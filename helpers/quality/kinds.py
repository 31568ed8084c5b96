"""The type of a memory, and how fast a type goes out of date. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ..records import Memory
from ..texts import regex


class MemoryType(StrEnum):
    """The types that rules find, and the two that only a person or an agent can state."""

    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    EVENT = "event"
    LESSON = "lesson"
    FACT = "fact"
    DECISION = "decision"
    SKILL = "skill"


Days = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class StalenessRates(BaseModel):
    """The decay of a type: days to half its age factor, and days to a whole access decay; None for never."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    half_life_days: Days | None = Field(alias="halfLifeDays")
    access_decay_days: Days | None = Field(alias="accessDecayDays")


Rates = Mapping[MemoryType, StalenessRates]

_LESSON_RATES = StalenessRates(half_life_days=60, access_decay_days=14)

#: The default rates; a decision and a skill age as a lesson does.
STALENESS_RATES: Rates = {
    MemoryType.FACT: StalenessRates(half_life_days=90, access_decay_days=30),
    MemoryType.PREFERENCE: StalenessRates(half_life_days=14, access_decay_days=7),
    MemoryType.LESSON: _LESSON_RATES,
    MemoryType.RELATIONSHIP: StalenessRates(half_life_days=30, access_decay_days=14),
    MemoryType.EVENT: StalenessRates(half_life_days=None, access_decay_days=None),
    MemoryType.DECISION: _LESSON_RATES,
    MemoryType.SKILL: _LESSON_RATES,
}

_PREFERENCE = regex(
    r"\b(?:prefer(?:s|red|ence)?|likes?|loves?|hates?|dislikes?|favou?rites?|enjoys?|would rather)\b", re.IGNORECASE
)
_KIN = (
    "manager boss colleague friend partner wife husband spouse mother father parent sister brother daughter son cousin "
    "neighbor neighbour mentor teammate".split()
)
_RELATIONSHIP = regex(
    r"\b(?:(?:reports|married|related|engaged) to|(?:works|lives|collaborates) with|"
    rf"(?:{'|'.join(_KIN)})s? of|"
    rf"(?:is|are|was|were) (?:\w+'s|s?his|her|their|my|our|the user's) (?:\w+ )?(?:{'|'.join(_KIN)})s?)\b",
    re.IGNORECASE,
)
_PAST = regex(
    r"\b(?:was|were|had|did|met|went|began|left|took|made|sent|got|came|(?<!\bis )(?<!\bare )(?<!\bbe )\w{2,}ed)\b",
    re.IGNORECASE,
)
_DATE = regex(
    r"\b(?:\d{4}-\d{2}-\d{2}|yesterday|last (?:night|week|month|year|\w+day)|\d+ (?:days|weeks|months|years) ago|"
    r"(?:on|in|since) (?:\d{1,2}(?:st|nd|rd|th)? )?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)|in \d{4})\b",
    re.IGNORECASE,
)
_LESSON = regex(r"\b(?:learn(?:ed|t)|lessons?|avoid(?:s|ed)?|fix(?:es|ed)?|workaround)\b", re.IGNORECASE)

_STATED = {kind.value: kind for kind in MemoryType}


def memory_type(memory: Memory) -> MemoryType:
    """Return the stated type of a memory, or else the type of its text."""
    stated = _STATED.get(memory.quality.type or "") if memory.quality is not None else None
    return stated or text_type(memory.text, is_solution=memory.is_solution)


def text_type(text: str, *, is_solution: bool = False) -> MemoryType:
    """Return the first type whose rule fits a text."""
    if _PREFERENCE.search(text):
        return MemoryType.PREFERENCE
    if _RELATIONSHIP.search(text):
        return MemoryType.RELATIONSHIP
    if _DATE.search(text) and _PAST.search(text):
        return MemoryType.EVENT
    if is_solution or _LESSON.search(text):
        return MemoryType.LESSON
    return MemoryType.FACT
