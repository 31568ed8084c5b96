"""Why a memory is not what the user said in a passage that has its words: a denial, another value (T-03). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..language.keys import KeyedToken, parse_tokens
from ..language.sentences import is_foreign
from ..language.wordings import read_patterns
from .attribution_rejections import contradicting
from .mentions import LIGHT_KEYS, SOFT, Item
from .passages import TIME_KEYS, Passage
from .reports import DENIAL, SentenceReport, denies
from .spoken_values import POINTS_IN_TIME, SpokenValue, find_spoken

_SAID: Final = read_patterns("utterances")


def find_fault(memory: SentenceReport, own: Sequence[Item], proof: Sequence[Passage]) -> str | None:
    tokens = parse_tokens(memory.sentence.text)
    is_denial, is_turned = denies(memory.sentence.text), any(token.has_polarity for token in tokens)
    for item in own:
        holders = [one for one in proof if one.has(item)]
        denied = [one for one in holders if is_denied(item, one)]
        if not is_turned and len(denied) == len(holders) and not memory.earlier.has(item):
            return f"the user denied {item.text}"
        if item.number is not None and item.is_hard and not any(_is_value_of_it(item, one, memory) for one in holders):
            return f"the user said {item.text} of something else"
    if _is_another_period(memory.sentence.text, " ".join(one.text for one in proof)):
        return "the user said another period"
    denied_first = _denied_first(memory) if is_denial else None
    if is_denial and not any(denies(one.sentence) or is_foreign(one.sentence) for one in proof):
        return "the user denied nothing"
    if denied_first is not None and denied_first not in own and not any(is_foreign(one.sentence) for one in proof):
        return f"the user did not deny {denied_first.text}"
    said = frozenset().union(*(one.mentions.words for one in proof))
    words = memory.words.words - TIME_KEYS
    return "the user said another thing" if contradicting(words, said - words - TIME_KEYS) else None


def _is_another_period(text: str, said: str) -> bool:
    """Whether both say how often, and not of the same period: "twice a week", "twice a month"."""
    one, two = (set(_SAID["each_time"].findall(each.casefold())) for each in (text, said))
    return bool(one and two) and one.isdisjoint(two)


def _is_value_of_it(item: Item, passage: Passage, memory: SentenceReport) -> bool:
    """Whether the number of a passage is the memory's: it counts nothing else, and stands nearest to what both say."""
    if item.number is None or item.number.dimension in POINTS_IN_TIME:
        return True
    tokens = parse_tokens(passage.text)
    shared = [at for at, token in enumerate(tokens) if any(memory.words.knows(key) for key in token.keys)]
    shared = [at for at in shared if not tokens[at].number]
    values = [(at, find_spoken(token.low)) for at, token in enumerate(tokens) if token.number]
    own = [at for at, found in values if any(map(item.number.is_same, found))]
    if not shared and not passage.points and not passage.subject:
        return not any(_is_counted(tokens, at) for at in own)
    known = [one.number for one in memory.items if one.number is not None]
    rivals = [at for at, found in values if found and not any(one.is_same(two) for one in known for two in found)]
    if not own or not rivals or not shared:
        return True
    return min(abs(at - one) for at in own for one in shared) <= min(abs(at - one) for at in rivals for one in shared)


def _is_counted(tokens: Sequence[KeyedToken], at: int) -> bool:
    """Whether the number at `at` counts what stands right after it."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and not after.unit and not after.number and bool(set(after.keys) - LIGHT_KEYS)


def names_rival(number: SpokenValue, proof: Sequence[Passage], memory: SentenceReport) -> bool:
    """Whether the user names another number of the kind, which the memory has not."""
    known = [one.number for one in memory.items if one.number is not None]
    return any(
        number.is_rival(one) and not any(one.is_same(other) for other in known)
        for passage in proof
        for one in passage.mentions.values
    )


def is_denied(item: Item, passage: Passage) -> bool:
    """Whether a passage denies `item`; up to a limit it does not: "no more than 40"."""
    is_number_denied = item.number is not None and denies(passage.text)
    return (is_number_denied or not item.keys.isdisjoint(passage.clause.denied)) and not _is_limited(passage.text)


def _is_limited(text: str) -> bool:
    return _SAID["limited"].search(text) is not None and DENIAL.search(text) is not None


def _denied_first(memory: SentenceReport) -> Item | None:
    """Return the first word that a memory denies."""
    denial = DENIAL.search(memory.sentence.text)
    rest = memory.sentence.text[denial.end() :].casefold() if denial else ""
    found = [one for one in memory.items if one.weight >= SOFT and one.number is None and one.text in rest]
    return min(found, key=lambda one: rest.index(one.text), default=None)
