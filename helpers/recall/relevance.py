"""How relevant each candidate is: meaning and words fused, then what stands around it (T-66, E-80). Pure.

With the search by words switched off, the relevance is the similarity, to the digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..language.keys import iter_tokens, parse_tokens
from ..setting_groups import Context, Lexical
from .candidates import Candidate

#: So far apart two memories still lend to each other; each further one has two thirds of the share of the one before.
REACH = 2
_NEXT_SHARE = 2 / 3
#: The similarity, (1 + cosine) / 2, of texts that have nothing to do with each other.
_STRANGE = 0.6
_SECONDS_PER_MINUTE = 60.0
_LONGEST_OPENING = 200
_SELF = frozenset("i me my mine we our ours us".split())
_USER = "user"
_LEADING_WORDS = frozenset("the a an".split())


class RelevanceScore(NamedTuple):
    """How relevant a candidate is, in 0..1, and the id of the one beside it that lent it most."""

    value: float
    lender: str | None = None


def measure_relevance(
    candidates: Sequence[Candidate], query: str, lexical: Lexical, context: Context
) -> list[RelevanceScore]:
    """Return the relevance of each candidate, in their order."""
    if not lexical.enabled:
        return [RelevanceScore(one.similarity) for one in candidates]
    fused = _fuse(candidates, lexical.weight)
    if not context.enabled:
        return [RelevanceScore(value) for value in fused]
    by_place = {one.place: number for number, one in enumerate(candidates)}
    offers = (_offers(one, by_place, candidates, fused, context) for one in candidates)
    lent = [max(found, key=lambda offer: (offer[0], offer[1] or "")) for found in offers]
    is_about = _find_about(query, candidates)
    raw = [
        value
        + share
        + (context.subject_boost if number in is_about else 0.0)
        - (context.question_penalty if asks(one.memory.text) else 0.0)
        for number, (one, value, (share, _)) in enumerate(zip(candidates, fused, lent, strict=True))
    ]
    top = max(raw, default=0.0)
    scale = top if top > 0.0 else 1.0
    return [RelevanceScore(max(0.0, value / scale), lender) for value, (_, lender) in zip(raw, lent, strict=True)]


def _fuse(candidates: Sequence[Candidate], weight: float) -> list[float]:
    """Return the two searches as one: each in 0..1 over what was found, then weighted (T-66).

    Where little was found, the farthest of it may be near: the least similarity is then that of strangers.
    """
    found = [one for one in candidates if one.is_found]
    least = min([_STRANGE, *(one.similarity for one in found)])
    span = max((one.similarity for one in found), default=0.0) - least
    most = max((one.lexical for one in found), default=0.0)
    return [
        (1.0 - weight) * _share(one.similarity - least, span) + weight * _share(one.lexical, most) for one in candidates
    ]


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole)) if whole > 0.0 else 0.0


def _offers(
    one: Candidate,
    by_place: Mapping[int, int],
    candidates: Sequence[Candidate],
    fused: Sequence[float],
    context: Context,
) -> list[tuple[float, str | None]]:
    """Return what a candidate gets from each of those that were written beside it on one occasion, and from which."""
    offers: list[tuple[float, str | None]] = [(0.0, None)]
    for step in range(1, REACH + 1):
        for place in (one.place - step, one.place + step):
            number = by_place.get(place)
            if number is None:
                continue
            lender = candidates[number]
            apart = abs((lender.memory.created_at - one.memory.created_at).total_seconds())
            if apart > context.neighbour_minutes * _SECONDS_PER_MINUTE:
                continue
            share = context.neighbour_share * _NEXT_SHARE ** (step - 1)
            if place == one.place - 1 and asks(lender.memory.text):
                share = context.answer_share
            offers.append((share * fused[number], lender.memory.id))
    return offers


def asks(text: str) -> bool:
    """Whether a text ends as a question."""
    return text.rstrip().endswith("?")


def leading_word(text: str) -> str | None:
    """Return the key of the word that a text begins with: who speaks, or whom or what it is about."""
    return _leading_word(text[:_LONGEST_OPENING])


@lru_cache(maxsize=1_024)
def _leading_word(opening: str) -> str | None:
    """Return the same of the opening of a text; what one turn recalls, the next one often recalls too."""
    for token in iter_tokens(opening):
        if token.low not in _LEADING_WORDS and token.keys:
            return token.keys[0]
    return None


def _find_about(query: str, candidates: Sequence[Candidate]) -> frozenset[int]:
    """Return which candidates are about the one person or thing that the message names; none if it names several.

    A name that no memory is about does not count.
    """
    tokens = parse_tokens(query)
    names = {key for token in tokens if token.is_name for key in token.keys}
    if not names and any(token.low in _SELF for token in tokens):
        names = {_USER}
    about: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, one in enumerate(candidates if names else ()):
        about[leading_word(one.memory.text)].append(number)
    named = names & about.keys()
    return frozenset(about[named.pop()]) if len(named) == 1 else frozenset()
