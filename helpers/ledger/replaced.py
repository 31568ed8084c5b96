"""Whether the user's new word puts another value in the place of one that an older memory holds (C-41, T-03).

A correction in passing names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each
other: both speak of the same things, each has one value of a kind that the other lacks, what the user said gives the
new one as a change, and nothing of what the user said is of something else. Only the old value is marked. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from .mentions import SOFT, Item, Mentions, join, read_items, read_mentions
from .objections import contradicting
from .passages import TIME_KEYS, read_passages, read_qualifiers
from .statements import is_foreign
from .tokens import keys_of, read_tokens, words_of

#: What two memories must have in common beside the values, weighed as in `mentions`.
_LEAST_SHARED: Final = 2.0
#: Who says "moved to" of somebody who "lives in" says the same of another place.
_LIVING: Final = keys_of(("live",))
#: A common value has at most so many words.
_MOST_WORDS: Final = 2
#: A name that stands so early is what a memory is about.
_OPENING: Final = 5

_DENIAL: Final = re.compile(r"\b(?:no\s+longer|not|never|stopped|any\s?more)\b|n't\b", re.IGNORECASE)

_CHANGED: Final = re.compile(
    r"\b(?:now|instead|no\s+longer|any\s?more|from\s+(?:now|here|today|next|this)|these\s+days|since|as\s+of|"
    r"swapp?ed|switch(?:ed|ing)?|mov(?:ed|ing)|chang(?:ed?|ing)|bump(?:ed)?|cut|rais(?:ed?|ing)|lower(?:ed|ing)?|"
    r"push(?:ed)?|postponed|delayed|upp?ed|slashed|trimmed|increased|reduced|replac(?:ed?|ing)|ditch(?:ed|ing)?|"
    r"dropp?(?:ed|ing)?|binned|scrapped|renam(?:ed?|ing)|went\s+(?:up|down)|make\s+(?:it|that|those)|sorry|oops|actually|"
    r"turns\s+out|correction|wait|not\s+\w+\s+but|rather|extend(?:ed)?|new|update[ds]?|"
    r"jetzt|jetz|ab\s+sofort|nicht\s+mehr|statt|stattdessen|lieber|doch|maintenant|désormais|finalement|en\s+fait|fini|"
    r"ahora|ya\s+no|al\s+final|mejor|cambi\w+|adesso|ora|ormai|invece|agora|nu|voortaan|nou)\b",
    re.IGNORECASE,
)
_IN_ADDITION: Final = re.compile(
    r"(?<!and )(?<!, )(?<!^)\balso\b|\b(?:too|as\s+well|another|additional(?:ly)?|besides|"
    r"auch|zusätzlich|aussi|también|además|anche|también|ook)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"\b(?:was|were|used\s+to|had|formerly|previously|until|in\s+(?:19|20)\d\d|last\s+(?:year|month|week))\b", re.I
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the user said something: the sentence, and the user's own messages before it in the chat, oldest first."""

    sentence: str
    before: tuple[str, ...] = ()


class Replacement(NamedTuple):
    """The spans of the old value in the older text, whether the newer one says all the rest of it, and both values."""

    spans: tuple[tuple[int, int], ...]
    is_whole: bool
    older: str
    newer: str


class _Sides(NamedTuple):
    """What two memories share, and what only the older and only the newer one says."""

    kept: list[Item]
    gone: list[Item]
    come: list[Item]

    @classmethod
    def of(cls, older: str, newer: str) -> _Sides:
        before, after = read_items(older), read_items(newer)
        in_older, in_newer = read_mentions(older), read_mentions(newer)
        gone = [one for one in before if not in_newer.has(one)]
        kept = [one for one in before if one not in gone]
        return cls(kept, gone, [one for one in after if not in_older.has(one)])


def find_replacement(older: str, newer: str, spoken: Spoken) -> Replacement | None:
    """Return what of `older` the user's `newer` word replaces; None where that is not certain."""
    if not is_change(spoken) or _PAST.search(older) or _DENIAL.search(newer) or _are_apart(older, newer):
        return None
    sides, said = _Sides.of(older, newer), read_mentions(spoken.sentence)
    pairs = _pair(sides, older, newer, " ".join((spoken.sentence, *spoken.before))) or _pair_words(
        sides, older, newer, said, spoken
    )
    spans = sorted({span for first, _ in pairs for span in _places(first, older)})
    if not pairs or len(spans) < len({first.text for first, _ in pairs}) or not all(said.has(two) for _, two in pairs):
        return None
    answered = _find_answered(pairs, spoken)
    shared = sum(SOFT if one.keys & _LIVING else one.weight for one in sides.kept)
    if shared < (SOFT if answered else _LEAST_SHARED):
        return None
    paired = {one for pair in pairs for one in pair}
    left, added = (
        [one for one in side if one not in paired and one.weight >= SOFT] for side in (sides.gone, sides.come)
    )
    value, is_number = spans[0][0], all(one.number for one, _ in pairs)
    if any(one.is_hard for one in (*left, *added)) or _is_another_matter(
        left, added, said, answered, older, value, is_number=is_number
    ):
        return None
    if any(not one.number and _opens(one, older) and not said.has(one) for one, _ in pairs):
        return None  # who or what the older one is about
    old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in zip(*pairs, strict=True))
    return Replacement(_joined(spans), not left, old, new)


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans with those that stand side by side as one."""
    found = [spans[0]]
    for start, end in spans[1:]:
        found[-1:] = [(found[-1][0], end)] if start - found[-1][1] <= 1 else [found[-1], (start, end)]
    return tuple(found)


def _find_answered(pairs: Sequence[tuple[Item, Item]], spoken: Spoken) -> Mentions | None:
    """Return what the user's own words that gave the old value mention, where they are known."""
    heard = [read_mentions(one) for one in reversed(spoken.before)]
    answered = next((one for one in heard if all(one.has(first) for first, _ in pairs)), None)
    if answered is None and any(map(is_foreign, spoken.before)):
        return join(heard)  # in another language the words differ, and so may the value
    return answered


def _is_another_matter(
    left: Sequence[Item],
    added: Sequence[Item],
    said: Mentions,
    answered: Mentions | None,
    older: str,
    value: int,
    *,
    is_number: bool,
) -> bool:
    """Whether the two memories say more of the value, which is at `value` in the older one, than a summary supplies.

    Where the user's words that gave the old value are known, only what the user said counts: of whom or of what the
    older one is, before its value, or something else on either side; of a name anything else. Else every word does.
    """
    if answered is None:
        return bool(left or added)
    own_left = [one for one in left if answered.has(one) and not said.has(one)]
    own_added = [one for one in added if said.has(one) and not answered.has(one)]
    is_of_another = any(end < value - 1 for one in own_left for _, end in _places(one, older))
    return is_of_another or bool(own_added and (left or not is_number))


def _are_apart(older: str, newer: str) -> bool:
    """Whether the two speak of two things of a kind: "staging" and "production", "invoice" and "booking database"."""
    words, others = _words(older), _words(newer)
    if contradicting(words - others, others - words):
        return True
    told, said = read_qualifiers(older), read_qualifiers(newer)
    return any(
        key in said and told[key] in words - others and said[key] in others - words and key in words & others
        for key in told
    )


def _words(text: str) -> frozenset[str]:
    return frozenset().union(*(one.keys for one in read_items(text))) - TIME_KEYS


def is_change(spoken: Spoken) -> bool:
    """Whether the user says it as a change or correction, or of what was spoken of before."""
    if _IN_ADDITION.search(spoken.sentence):
        return False
    if _CHANGED.search(spoken.sentence) is not None:
        return True
    return (
        spoken.sentence.isascii()
        and not is_foreign(spoken.sentence)
        and any(one.points for one in read_passages(spoken.sentence))
    )


def _pair(sides: _Sides, older: str, newer: str, heard: str) -> list[tuple[Item, Item]]:
    """Pair the values that went with those that came, if they are as many and of the same kinds."""
    numbers = [one for one in sides.gone if one.number], [one for one in sides.come if one.number]
    names = (
        [one for one in sides.gone if _is_name(one, older, heard)],
        [one for one in sides.come if _is_name(one, newer, heard)],
    )
    if len(numbers[0]) != len(numbers[1]) or bool(names[0]) != bool(names[1]):
        return []
    if numbers[0]:
        pairs = list(zip(*numbers, strict=True))
        return pairs if not names[0] and all(_counts_alike(one, two, older, newer) for one, two in pairs) else []
    is_one = names[0] and _is_one_phrase(names[0], older) and _is_one_phrase(names[1], newer)
    return _zip(*names) if is_one and not _names_a_kind(names[0], sides.gone, older) else []


def _is_one_phrase(items: Sequence[Item], text: str) -> bool:
    """Whether words stand side by side."""
    places = sorted(place for one in items for place in _places(one, text))
    return len(places) == len(items) and all(two[0] - one[1] <= 1 for one, two in pairwise(places))


def _names_a_kind(names: Sequence[Item], gone: Sequence[Item], text: str) -> bool:
    """Whether the word right after a name went as well: "the MPL licence" has a licence, and no tool, of that name."""
    end = max(place[1] for one in names for place in _places(one, text))
    return any(start == end + 1 for one in gone if one not in names for start, _ in _places(one, text))


def _zip(one: Sequence[Item], other: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Pair words that together are a value; the last word of the shorter one goes with the rest of the longer."""
    size = max(len(one), len(other))
    return [(one[min(at, len(one) - 1)], other[min(at, len(other) - 1)]) for at in range(size)]


def _pair_words(sides: _Sides, older: str, newer: str, said: Mentions, spoken: Spoken) -> list[tuple[Item, Item]]:
    """Pair common words, where two others stay, nothing else differs, and the user says both in words of change."""
    words = [[one for one in side if one.weight >= SOFT] for side in (sides.gone, sides.come)]
    if not all(1 <= len(side) <= _MOST_WORDS and not any(one.is_hard for one in side) for side in words):
        return []
    if sum(one.weight >= SOFT for one in sides.kept) < 2 or not _CHANGED.search(spoken.sentence):
        return []
    heard = join(map(read_mentions, spoken.before))
    is_told = all(map(heard.has, words[0])) and all(map(said.has, words[1])) and not any(map(heard.has, words[1]))
    return _zip(*words) if is_told and _is_one_phrase(words[0], older) and _is_one_phrase(words[1], newer) else []


def _is_name(item: Item, text: str, heard: str) -> bool:
    """Whether it is a name; what opens a memory is one if the user wrote it so inside a sentence."""
    if item.name is not None:
        return True
    return item.number is None and text.casefold().startswith(item.text) and f" {item.text.capitalize()}" in heard


def _counts_alike(one: Item, two: Item, older: str, newer: str) -> bool:
    """Whether two numbers have one unit, or count the same."""
    if one.number is None or two.number is None or one.number.dimension != two.number.dimension:
        return False
    heads = [_head(item.text, text) for item, text in ((one, older), (two, newer))]
    return not all(heads) or bool(heads[0] & heads[1]) or one.number.dimension in ("month", "weekday", "clock")


def _head(number: str, text: str) -> frozenset[str]:
    """Return the keys of the word right after a number."""
    rest = text.casefold().partition(number)[2].split()
    return words_of(read_tokens(rest[0])) if rest else frozenset()


def _opens(item: Item, text: str) -> bool:
    return bool(_places(item, text)) and _places(item, text)[0][0] < _OPENING


def _places(item: Item, text: str) -> list[tuple[int, int]]:
    """Return where the text has `item` as a word of its own."""
    found = re.search(rf"(?<!\w){re.escape(item.text)}(?!\w)", text.casefold())
    return [found.span()] if found else []
