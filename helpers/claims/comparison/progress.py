"""Two counts of one piece of work, of which the second replaces the first: "12 of 40 files", "25 of 40" (C-43). Pure.

No claim is needed for that: where all else that the texts say is the same, only the count has moved on. What numbers a
part is no count: chapter 3 of 12 may be read although chapter 4 is as well.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ...language.lexicon import NEUTRAL, PASSING
from ...language.numerals import without_commas
from ...language.verbs import forms
from ...language.vocabulary import CHANGED
from ...language.words import content_words
from ...patterns import regex
from ..model import Comparison, Relation

#: The name of the rule.
PROGRESS: Final = "progress"
_COUNT: Final = regex(r"(?<![\w./-])(\d[\d,]*)(?:\s+(?:out\s+)?of\s+(?:the\s+)?|\s?/\s?)(\d[\d,]*)(?![\w./-])")
#: Longer texts say more than one count.
_LONGEST: Final = 400
_LAST_WORD: Final = regex(r"(\w+)\s*$")
#: What a text may say more without another meaning.
_IDLE: Final = frozenset(NEUTRAL) | PASSING | frozenset(CHANGED.split())


class _Count(NamedTuple):
    """How much of how much, what the text says beside it, and where it stands."""

    done: str
    whole: str
    rest: frozenset[str]
    span: tuple[int, int]


def find_progress(older: str, newer: str) -> Comparison | None:
    """Return that the newer text has another count of the same work; None where anything else differs."""
    before, after = _read(older), _read(newer)
    if before is None or after is None or before.done == after.done:
        return None
    if before.whole != after.whole or before.rest != after.rest:
        return None
    counts = (f"{one.done} of {one.whole}" for one in (before, after))
    reasons = (f"the count was {next(counts)} and is {next(counts)}", "all else that they say is the same")
    return Comparison(Relation.CONTRADICTS, PROGRESS, reasons, older_spans=(before.span,), newer_spans=(after.span,))


def has_count(text: str) -> bool:
    """Whether a text tells how much of some work is done."""
    return _read(text) is not None


@lru_cache(maxsize=4_096)
def _read(text: str) -> _Count | None:
    if len(text) > _LONGEST:
        return None
    found = list(_COUNT.finditer(text))
    if len(found) != 1:
        return None
    (count,) = found
    before = _LAST_WORD.search(text[: count.start()])
    if before is not None and forms().get(before[1].casefold(), ("", "b"))[1] == "b":  # "step 3 of 5"
        return None
    done, whole = without_commas(count[1]), without_commas(count[2])
    if not (done.isdecimal() and whole.isdecimal()) or int(done) > int(whole):
        return None
    rest = content_words(text[: count.start()] + " " + text[count.end() :]) - _IDLE
    return _Count(done, whole, rest, count.span()) if rest else None
