"""What kind of thing a memory states, and how fast that kind goes out of date (Q-15, Q-60, T-26). Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from ..records import Memory


class MemoryType(StrEnum):
    """The types that are told apart by rules (Q-60)."""

    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    EVENT = "event"
    LESSON = "lesson"
    FACT = "fact"


#: Days after which half of a memory's freshness is gone; an event does not age (Q-15).
HALF_LIFE_DAYS: dict[MemoryType, float | None] = {
    MemoryType.FACT: 90.0,
    MemoryType.PREFERENCE: 14.0,
    MemoryType.LESSON: 60.0,
    MemoryType.RELATIONSHIP: 30.0,
    MemoryType.EVENT: None,
}

_PREFERENCE = re.compile(
    r"\b(?:prefer(?:s|red|ence)?|likes?|loves?|hates?|dislikes?|favou?rites?|enjoys?|would rather)\b", re.IGNORECASE
)
_RELATIONSHIP = re.compile(
    r"\b(?:(?:reports|married|related|engaged) to|(?:works|lives|collaborates) with|"
    r"(?:manager|boss|colleague|friend|partner|wife|husband|spouse|mother|father|parent|sister|brother|daughter|son|"
    r"cousin|neighbou?r|mentor|teammate)s? of|"
    r"(?:is|are|was|were) (?:\w+'s|s?his|her|their|my|our|the user's) (?:\w+ )?"
    r"(?:manager|boss|colleague|friend|partner|wife|husband|spouse|mother|father|parent|sister|brother|daughter|son|"
    r"cousin|neighbou?r|mentor|teammate)s?)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|met|went|began|left|took|made|sent|got|came|(?<!\bis )(?<!\bare )(?<!\bbe )\w{2,}ed)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|yesterday|last (?:night|week|month|year|\w+day)|\d+ (?:days|weeks|months|years) ago|"
    r"(?:on|in|since) (?:\d{1,2}(?:st|nd|rd|th)? )?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)|in \d{4})\b",
    re.IGNORECASE,
)
_LESSON = re.compile(r"\b(?:learn(?:ed|t)|lessons?|avoid(?:s|ed)?|fix(?:es|ed)?|workaround)\b", re.IGNORECASE)


def memory_type(memory: Memory) -> MemoryType:
    """Return the first type whose rule fits (T-26)."""
    text = memory.text
    if _PREFERENCE.search(text):
        return MemoryType.PREFERENCE
    if _RELATIONSHIP.search(text):
        return MemoryType.RELATIONSHIP
    if _DATE.search(text) and _PAST.search(text):
        return MemoryType.EVENT
    if memory.is_solution or _LESSON.search(text):
        return MemoryType.LESSON
    return MemoryType.FACT
