"""Who said what a memory says: the person, the agent or a tool (C-25, C-26, T-03).

The host's memorizers write in the third person, later, from the whole history, so the author is looked for in what
was really said, sentence by sentence. Words alone are too weak: every value must stand where its words stand, nothing
may be denied that was affirmed, a question or a guess asserts nothing, and what the agent added is the agent's. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from .agreement import agreed_statements, confirms
from .objections import GENERAL_KEYS, find_objection
from .statements import Sentence, Statement, read_memory_text, read_statements, read_words

__all__ = ["COVERAGE_FLOOR", "Attribution", "Speaker", "Utterance", "attribute", "confirms"]

# The share of a memory's meaningful words that its author must have said (T-03).
COVERAGE_FLOOR = 0.6

_TOO_FEW = "too few of its words are the user's"


class Speaker(StrEnum):
    """Who produced an utterance. A superior agent's message is the agent's, not the person's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, or printed by a tool."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the person said it; where (index of the utterance, None if nobody did), how much of it, and why."""

    is_user: bool
    index: int | None
    coverage: float
    reason: str


class _Cover(NamedTuple):
    """Where the person's words cover a sentence best: the latest message needed, the words and the clauses."""

    latest: int
    words: frozenset[str]
    used: tuple[Statement, ...]


def attribute(text: str, utterances: Sequence[Utterance]) -> Attribution:
    """Decide whether the memory `text` is the person's own statement; `utterances` are oldest first.

    It is, if every sentence of it is.
    """
    sentences = read_memory_text(text)
    if not sentences:
        return Attribution(is_user=False, index=None, coverage=0.0, reason="no words to look for")
    spoken = _read_person(utterances)
    index = covered = total = 0
    for sentence in sentences:
        cover = _best_cover(sentence.words, _accepted(sentence, spoken))
        objection = _objection(sentence, cover, utterances)
        if objection is not None:
            share = len(cover.words) / len(sentence.words)
            other, _ = _best_other(sentence.words, utterances)
            return Attribution(is_user=False, index=other, coverage=round(share, 3), reason=objection)
        index = max(index, cover.latest)
        covered, total = covered + len(cover.words), total + len(sentence.words)
    reason = f"the user said it: {_quote(utterances[index].text)}"
    return Attribution(is_user=True, index=index, coverage=round(covered / total, 3), reason=reason)


def _read_person(utterances: Sequence[Utterance]) -> list[tuple[int, Statement]]:
    """Return what the person says and where: own words, and the agent's words that these agree with (C-16)."""
    spoken: list[tuple[int, Statement]] = []
    before: Utterance | None = None
    for index, one in enumerate(utterances):
        if one.speaker is Speaker.USER:
            spoken.extend([(index, statement) for statement in read_statements(one.text)])
            if before is not None and before.speaker is Speaker.AGENT:
                spoken.extend([(index, statement) for statement in agreed_statements(before.text, one.text)])
        if one.speaker is not Speaker.TOOL:
            before = one
    return spoken


def _accepted(sentence: Sentence, spoken: Iterable[tuple[int, Statement]]) -> dict[int, list[Statement]]:
    """Return, by message, what of the person's words can be what `sentence` reports."""
    found: dict[int, list[Statement]] = {}
    for index, one in spoken:
        if not one.clause.words.isdisjoint(sentence.words) and sentence.accepts(one):
            found.setdefault(index, []).append(one)
    return found


def _best_cover(words: frozenset[str], said: dict[int, list[Statement]]) -> _Cover:
    """Return how one message of the person's covers `words` best, or two of them together."""
    covers = [
        _Cover(index, words & frozenset().union(*[one.clause.words for one in used]), tuple(used))
        for index, used in said.items()
    ]
    if not covers:
        return _Cover(0, frozenset(), ())
    best = max(covers, key=lambda one: (len(one.words), one.latest))
    if len(best.words) < len(words) and len(covers) > 1:
        other = max(covers, key=lambda one: (len(one.words - best.words), one.latest))
        if len(other.words - best.words) >= 2:
            return _Cover(max(best.latest, other.latest), best.words | other.words, best.used + other.used)
    return best


def _objection(sentence: Sentence, cover: _Cover, utterances: Sequence[Utterance]) -> str | None:
    """Return why the words that cover `sentence` do not make it the person's, or None."""
    if len(cover.words) < COVERAGE_FLOOR * len(sentence.words):
        return _TOO_FEW
    objection = find_objection(sentence.read_clauses(), sentence.words, cover.used, floor=COVERAGE_FLOOR)
    if objection is not None:
        return objection
    extra = sentence.words - cover.words - GENERAL_KEYS
    if extra:
        _, other = _best_other(sentence.words, utterances)
        if len(other) > len(cover.words) and not other.isdisjoint(extra):
            return "the agent said more of it"
    return None


def _best_other(words: frozenset[str], utterances: Sequence[Utterance]) -> tuple[int | None, frozenset[str]]:
    """Return the first utterance not the person's that covers `words` best, and what of them it covers."""
    best: tuple[int | None, frozenset[str]] = (None, frozenset())
    for index, one in enumerate(utterances):
        if one.speaker is not Speaker.USER:
            said = words & read_words(one.text)
            if len(said) > len(best[1]):
                best = (index, said)
    return best


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'
