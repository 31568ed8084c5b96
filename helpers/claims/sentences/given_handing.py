"""Read who or what follows whom: "A made way for B", "A passed S on to B", "B is A's successor" (C-40, C-41)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DETERMINERS
from ...language.token import low_at
from ...language.verbs import BE_PRESENT
from ..clauses.predicates import Tokens
from ..grammar.verb_groups import VerbGroup
from .given_words import Given, phrase_end, shape, starts

#: Verb -> what follows it where the subject leaves its place to something else.
_CEDING: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "make": (("way", "for"), ("room", "for")),
    "give": (("way", "to"), ("place", "to")),
    "yield": (("to",), ("place", "to")),
    "lose": (("out", "to"),),
    "be": (("superseded", "by"), ("succeeded", "by"), ("overtaken", "by"), ("followed", "as")),
}
#: Verbs by which somebody gives a task to somebody else.
_HANDING: Final = frozenset("hand pass give transfer turn relinquish cede sign yield leave surrender".split())
_PARTICLES: Final = frozenset(("over", "on", "off"))
_TASKS: Final = frozenset(
    "ownership lead leadership responsibility duty duties role post position maintenance management reins helm baton"
    " chair task job command control stewardship maintainership".split()
)
#: Verb -> what follows it where the subject comes into somebody's place.
_FOLLOWING: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "step": (("in", "for"), ("into", "the", "shoes", "of"), ("into", "the", "role", "of")),
    "take": (("the", "place", "of"), ("the", "role", "of"), ("the", "seat", "of"), ("over", "for")),
    "fill": (("in", "for"), ("the", "shoes", "of"), ("the", "place", "of")),
    "come": (("in", "for"), ("in", "place", "of")),
    "follow": (("in", "the", "footsteps", "of"),),
    "inherit": (),
}
#: These may be for once; with "as" it is told for which post.
_FOR_ONCE: Final = frozenset((("in", "for"), ("over", "for")))
_PLACES: Final = frozenset(("place", "role", "seat", "position", "post", "spot", "job", "shoes"))
SUCCESSORS: Final = frozenset(("successor", "replacement"))
#: Verbs of which a clause tells who follows whom; and nouns.
MAY_FOLLOW: Final = (frozenset(_CEDING) | _HANDING | frozenset(_FOLLOWING)) - {"be"}


def read_handing(group: VerbGroup, subject: Tokens, rest: Tokens) -> Given | None:
    """Read a clause by which one takes the place of another."""
    if group.negated or not subject:
        return None
    lemma = group.lemma
    if lemma == "be" and not group.is_past:
        return _successor(subject, rest)
    if not (group.is_past or group.perfect):
        return None
    for words in _CEDING.get(lemma, ()):
        if starts(rest, 0, words):
            end = phrase_end(rest, len(words))
            return Given(subject, rest[end:], rest[len(words) : end]) if end > len(words) else None
    if lemma in _HANDING and shape(subject[:1]) == "name":
        return _handed(subject, rest)
    return _followed(subject, rest, lemma) if lemma in _FOLLOWING else None


def as_handed(clause: Tokens) -> Tokens:
    """A clause with "passed S on to B" like "handed S on to B"; whatever else passes is no task."""
    place = next((i for i, token in enumerate(clause) if token.low == "passed"), -1)
    to = next((i for i in range(place + 1, len(clause)) if clause[i].low == "to"), 0) if place > 0 else 0
    if not to or low_at(clause, to - 1) not in _PARTICLES:
        return clause
    return (*clause[:place], clause[place]._replace(low="handed"), *clause[place + 1 :])


def _handed(subject: Tokens, rest: Tokens) -> Given | None:
    """Read "A passed S on to B", "A handed over S to B"."""
    to = next((i for i, token in enumerate(rest) if token.low == "to"), 0)
    end = phrase_end(rest, to + 1) if to else 0
    new = rest[to + 1 : end]
    about = tuple(token for token in rest[:to] if token.low not in _PARTICLES)
    is_task = len(about) < to or any(token.low in _TASKS for token in about)
    if not new or not about or not is_task or shape(new) != "name" or "'" in subject[-1].low:
        return None
    return Given(subject, tuple(token for token in (*about, *rest[end:]) if token.low not in _TASKS), new)


def _followed(subject: Tokens, rest: Tokens, lemma: str) -> Given | None:
    """Read "B stepped in for A as S", "B took the place of A", "B took A's place"."""
    for words in _FOLLOWING[lemma]:
        if not starts(rest, 0, words):
            continue
        end = phrase_end(rest, len(words))
        if words in _FOR_ONCE and low_at(rest, end) != "as":
            return None
        return Given(rest[len(words) : end], rest[end:], subject) if end > len(words) else None
    start = int(low_at(rest, 0) in ("over", "into"))
    mark = next((i for i, token in enumerate(rest) if token.low.endswith("'s") or token.low.endswith("s'")), -1)
    if lemma in ("take", "step", "fill") and start <= mark < 4 and low_at(rest, mark + 1) in _PLACES:
        return Given(rest[start : mark + 1], rest[mark + 2 :], subject)
    return None


def _successor(subject: Tokens, rest: Tokens) -> Given | None:
    """Read "B is A's successor as S", "B is the successor of A", "A's successor is B"."""
    place = next((i for i, token in enumerate(subject) if token.low in SUCCESSORS), -1)
    if place > 0:
        end = phrase_end(rest, 0)
        return _succeeded(subject[: place + 1], rest[:end], (*subject[place + 1 :], *rest[end:]))
    place = next((i for i, token in enumerate(rest) if token.low in SUCCESSORS), -1)
    if place < 0:
        return None
    if low_at(rest, place + 1) in ("of", "to", "for"):
        end = phrase_end(rest, place + 2)
        return Given(rest[place + 2 : end], rest[end:], subject) if end > place + 2 else None
    return _succeeded(rest[: place + 1], subject, rest[place + 1 :])


def _succeeded(named: Tokens, new: Tokens, around: Tokens) -> Given | None:
    """Of "A's successor": A."""
    gone = tuple(token for token in named[:-1] if token.low not in DETERMINERS)
    if not gone or "'" not in gone[-1].low or not new or new[0].low in BE_PRESENT:
        return None
    return Given(gone, around, new)
