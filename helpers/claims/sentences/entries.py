"""Lines of a document and entries of a diary, which do not say of what they are true (C-39). Pure.

"- Word count: 5,751 words" is said of what the heading names, and "Status: March 14, 2025: tests failed" of that day.
Read alone, they would contradict every other document and every other day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...language.lexicon import MONTHS, WEEKDAYS
from ...language.vocabulary import one_of
from ...patterns import regex

#: A label, a day and another mark: what follows is told of that day.
_DAY: Final = rf"(?:(?:{one_of(frozenset(MONTHS) | frozenset(WEEKDAYS))})\b\.?|\d{{4}}-\d\d-\d\d|\d{{1,2}}\.?\s)"
_DIARY: Final = regex(rf"[^:\n]{{1,40}}:\s*(?:as of\s+)?{_DAY}[^:\n]{{0,16}}:\s", re.IGNORECASE)
#: A text of several lines that opens with a heading.
_HEADED: Final = regex(r"\s*(?:#|\*\*|[^\n]{1,200}:\s*\n)")
_ITEM: Final = regex(r"^[ \t]*(?:[-*•]\s+)?\**[^:=\n]{1,40}\**\s?[:=]\s[^\n]*", re.MULTILINE)


def find_entries(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text that are told of a day or of what a heading names."""
    return list(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    entry = _DIARY.match(text)
    if entry is not None:
        yield entry.span()
    if "\n" in text.strip() and _HEADED.match(text):
        yield from (item.span() for item in _ITEM.finditer(text))
