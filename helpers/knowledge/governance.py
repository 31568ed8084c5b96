"""Whether an entry would be at odds with governance (M-54, M-55). Pure: the texts of the governance files come in.

A sentence of a governance file that forbids something, and names everything that an entry recommends to go on with,
keeps that entry out; it is reported as a governance concern instead. When in doubt the entry stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..patterns import regex
from .patterns import Family, Key, Tally
from .words import word_family

_FORBIDS = regex(
    r"\b(?:must\s+not|may\s+not|shall\s+not|should\s+not|cannot|can't|do\s+not|don't|never|prohibit\w*|forbid\w*|forbidden"
    r"|disallow\w*|not\s+(?:allowed|permitted|supported|acceptable)|refuse|reject)\b",
    re.IGNORECASE,
)
_SENTENCE = regex(r"(?<=[.!?])\s+|\n")
_WORD = regex(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_SMALL = frozenset("a all and at from kind of on once or request several the thing to unknown".split())


def forbidding_sentences(texts: Mapping[str, str]) -> list[tuple[str, frozenset[str]]]:
    """Return the words of every sentence that forbids something, with the file that it stands in."""
    return [
        (name, frozenset(_stems(sentence)))
        for name, text in sorted(texts.items())
        for sentence in _SENTENCE.split(text)
        if _FORBIDS.search(sentence)
    ]


def contradicted_by(key: Key, forbidding: Iterable[tuple[str, frozenset[str]]]) -> str | None:
    """Return the governance file that forbids what a pattern is about; None if there is none."""
    named = frozenset(_stems(key[1])) - _SMALL
    if not named:
        return None
    return next((name for name, words in forbidding if named <= words), None)


def concerns_in(tally: Tally, *, min_transactions: int) -> list[str]:
    """Return which violations have become common: to be looked at, never to be learnt from (M-55)."""
    return [
        f"policy rejected instructions of {agent} in {counts.total} transactions."
        for agent, counts in sorted(tally.get(Family.GOVERNANCE, {}).items())
        if counts.total >= min_transactions
    ]


def _stems(text: str) -> Iterable[str]:
    """Yield the words of a text without the ending of a plural, and what they stand for in the tables."""
    for word in _WORD.findall(text.lower()):
        for one in word_family(word):
            yield one.removesuffix("s") if len(one) > 3 else one
