"""Whether the user's new word puts another value in the place of one that an older memory holds (C-41, T-03).

A correction in passing names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each
other: both speak of the same things, each has one value of a kind that the other lacks, what the user said gives the
new one as a change, and nothing of what the user said is of something else. Only the old value is marked. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..claims import is_verb
from .mentions import SOFT, Item, Mentions, join, read_items, read_mentions
from .objections import contradicting
from .pairing import LEAST_SHARED, Sides, find_places, is_name, pair_values
from .passages import read_qualifiers
from .reports import denies
from .spoken import Spoken
from .statements import is_foreign
from .tokens import keys_of, read_tokens, words_of
from .vocabulary import MANY_AT_ONCE

#: Who says "moved to" of somebody who "lives in" says the same of another place.
_LIVING: Final = keys_of(("live",))
#: A letter that tells things of a kind apart: "Team A".
_LABEL: Final = re.compile(r"(?<=\w )(?!I\b)[A-Z](?![\w.'])")
_PAST: Final = re.compile(
    r"\b(?:was|were|used\s+to|had|formerly|previously|until|in\s+(?:19|20)\d\d|last\s+(?:year|month|week))\b", re.I
)


class Replacement(NamedTuple):
    """The spans of the old value in the older text, whether the newer one says all the rest of it, and both values."""

    spans: tuple[tuple[int, int], ...]
    is_whole: bool
    older: str
    newer: str


def find_replacement(older: str, newer: str, spoken: Spoken) -> Replacement | None:
    """Return what of `older` the user's `newer` word replaces; None where that is not certain."""
    sides = Sides.of(older, newer)
    spoken = spoken.narrowed(sides.differing)
    if not spoken.is_change or _PAST.search(older) or denies(newer):
        return None
    pairs, said = pair_values(sides, older, newer, spoken), read_mentions(spoken.told)
    spans = sorted({span for first, _ in pairs for span in find_places(first, older)})
    if not pairs or len(spans) < len({first.text for first, _ in pairs}) or not all(said.has(two) for _, two in pairs):
        return None
    paired = {one for pair in pairs for one in pair}
    if _are_apart(older, newer, frozenset().union(*(one.keys for one in paired))) or not _may_go(pairs, older, spoken):
        return None
    left, added = (
        [one for one in side if one not in paired and one.weight >= SOFT] for side in (sides.gone, sides.come)
    )
    answered = _find_answered(pairs, spoken)
    if not _share_enough(sides.kept, pairs, left, older, SOFT if answered else LEAST_SHARED) or any(
        one.is_hard for one in (*left, *added)
    ):
        return None
    if _is_of_another(left, answered, said, older, pairs[0][0]) or _adds(added, answered, newer, spoken):
        return None
    old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in zip(*pairs, strict=True))
    return Replacement(_joined(spans), not left, old, new)


def _share_enough(
    kept: Sequence[Item], pairs: Sequence[tuple[Item, Item]], left: Sequence[Item], older: str, least: float
) -> bool:
    """Whether two memories share `least`, and names more than whom they are of, where the older one says more."""
    shared = sum(SOFT if one.keys & _LIVING else one.weight for one in kept)
    is_counted = any(one.number for one, _ in pairs)
    says_more = any(_stands_before(one, pairs[0][0], older) for one in left)
    return shared >= least and (is_counted or not says_more or any(not one.keys & _read_opening(older) for one in kept))


def _stands_before(one: Item, value: Item, text: str) -> bool:
    """Whether a word stands before a value, and not as what kind it is of: "went to the restaurant La Encina"."""
    begin = min(start for start, _ in find_places(value, text))
    return any(end < begin - 1 for _, end in find_places(one, text))


def _may_go(pairs: Sequence[tuple[Item, Item]], older: str, spoken: Spoken) -> bool:
    """Whether values may change: who or what the older memory is about goes only where the user names both for it.

    One of several that may hold at once goes only where the user names it, or puts the new one into its place.
    """
    subject, told = _read_opening(older), read_mentions(spoken.told)
    is_one_of_many = not MANY_AT_ONCE.isdisjoint(token.low for token in read_tokens(older))
    if is_one_of_many and not all(told.has(one) or spoken.puts_in_place(two) for one, two in pairs):
        return False
    if any(one.number and _names_by_number(one, older) for one, _ in pairs):
        return False
    if all(one.number or not one.keys & subject for one, _ in pairs):
        return True
    return spoken.has_change and all(told.has(one) and is_name(one, older, spoken.everything) for one, _ in pairs)


def _names_by_number(item: Item, text: str) -> bool:
    """Whether a number names what a memory is about, and counts nothing: "Invoice 1042 is paid"."""
    place = next(iter(find_places(item, text)), (0, 0))
    before, after = read_tokens(text[: place[0]]), read_tokens(text[place[1] :])
    is_subject = bool(before) and not any(is_verb(token.low) for token in before[1:])
    return is_subject and bool(after) and is_verb(after[0].low)


def _read_opening(text: str) -> frozenset[str]:
    """Return the keys of the words before the first verb of a memory."""
    tokens = read_tokens(text)
    verb = next((at for at, token in enumerate(tokens) if at and is_verb(token.low)), 0)
    return words_of(tokens[:verb])


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


def _is_of_another(left: Sequence[Item], answered: Mentions | None, said: Mentions, older: str, value: Item) -> bool:
    """Whether only the older memory says of whom or of what its `value` is.

    Where the user's words that gave it are known, only what the user said counts; else every word that is `left` does.
    """
    if answered is None:
        return bool(left)
    own = [one for one in left if answered.has(one) and not said.has(one) and (one.is_hard or not is_verb(one.text))]
    return any(_stands_before(one, value, older) for one in own)


def _adds(added: Sequence[Item], answered: Mentions | None, newer: str, spoken: Spoken) -> bool:
    """Whether the newer memory says more than a summary supplies: what the user said and had not said of the old value.

    Of what it is about, what the user has said at any time counts.
    """
    said, heard = read_mentions(spoken.told), read_mentions(spoken.everything)
    subject = _read_opening(newer)
    if answered is None:
        return bool(added)
    return any((heard if one.keys & subject else said).has(one) and not answered.has(one) for one in added)


def _are_apart(older: str, newer: str, paired: frozenset[str]) -> bool:
    """Whether the two speak of two things of a kind: "staging" and "production", "invoice" and "booking database".

    What is `paired` is the value that changes: "oat milk" and "soy milk".
    """
    words, others = _words(older) - paired, _words(newer) - paired
    if contradicting(words - others, others - words) or set(_LABEL.findall(older)) != set(_LABEL.findall(newer)):
        return True
    told, said = read_qualifiers(older), read_qualifiers(newer)
    return any(
        key in said and told[key] in words - others and said[key] in others - words and key in words & others
        for key in told
    )


def _words(text: str) -> frozenset[str]:
    return frozenset().union(*(one.keys for one in read_items(text)))
