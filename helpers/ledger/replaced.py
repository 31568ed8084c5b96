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

from ..claims import is_correction, is_verb
from .force import Force
from .mentions import SOFT, Item, Mentions, join, read_items, read_mentions
from .objections import contradicting
from .passages import read_passages, read_qualifiers
from .reports import denies
from .statements import is_foreign
from .tokens import keys_of, read_tokens, words_of
from .vocabulary import CHANGED, MANY_AT_ONCE, SWAPS

#: What two memories must have in common beside the values, weighed as in `mentions`.
_LEAST_SHARED: Final = 2.0
#: Who says "moved to" of somebody who "lives in" says the same of another place.
_LIVING: Final = keys_of(("live",))
#: A value has at most so many words, with so many characters between two of them.
_MOST_WORDS: Final = 3
_BETWEEN: Final = 4

#: A letter that tells things of a kind apart: "Team A".
_LABEL: Final = re.compile(r"(?<=\w )(?!I\b)[A-Z](?![\w.'])")
_DETERMINERS: Final = frozenset("a an the my our your his her its their user s new".split())
#: Words before a value that say the same: where, by what, where to.
_LITTLE_WORDS: Final = tuple(
    frozenset(row.split()) for row in ("in at on under", "with via through by per", "to into", "from off")
)
_ANY_LITTLE_WORD: Final = frozenset("for of till until".split()).union(*_LITTLE_WORDS)
#: A memory that says what went and what came.
_NAMES_BOTH: Final = re.compile(r"\b(?:from\b.*\b(?:to|into)|instead\s+of|in\s+place\s+of|replac\w+)\b", re.IGNORECASE)


def _one_of(*rows: str) -> str:
    """Return a pattern for the words of `rows`, written as in `vocabulary`."""
    return "|".join(rf"\b{_with_endings(one)}\b" for row in rows for one in row.split())


def _with_endings(word: str) -> str:
    plain = re.escape(word).replace("_", r"\s+").replace(re.escape("~"), r"\w*")
    return plain.replace(r"\*", rf"{word[-2]}?(?:e|es|ed|d|ing|s)?") if word.endswith("*") else plain


_CHANGED: Final = re.compile(_one_of(*CHANGED) + r"|\bnot\s+\w+\s+but\b", re.IGNORECASE)
#: A word that puts what follows it into a place, and at most two words after it.
_SWAPPED: Final = re.compile(rf"(?:{_one_of(SWAPS)})\W+(?:\w+\W+){{0,2}}$", re.IGNORECASE)
_IN_ADDITION: Final = re.compile(
    r"(?<!and )(?<!, )(?<!^)\balso\b|\b(?:too|as\s+well|another|additional(?:ly)?|added|besides|on\s+top|"
    r"auch|zusätzlich|aussi|también|además|anche|también|ook)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"\b(?:was|were|used\s+to|had|formerly|previously|until|in\s+(?:19|20)\d\d|last\s+(?:year|month|week))\b", re.I
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the user said something: the sentence, the user's own messages before it in the chat, oldest first, and the
    whole message, where it says more.
    """

    sentence: str
    before: tuple[str, ...] = ()
    message: str = ""

    def narrowed(self, items: Sequence[Item]) -> Spoken:
        """Return it without the sentences beside it that mention none of `items`, or correct something themselves."""
        near = [
            one
            for one in read_passages(self.message)
            if any(one.has(item) for item in items if item.weight >= SOFT) and not is_correction(one.sentence)
        ]
        return Spoken(self.sentence, self.before, " ".join(dict.fromkeys(one.sentence for one in near)))

    @property
    def everything(self) -> str:
        """What the user told up to then."""
        return " ".join((self.told, *self.before))

    @property
    def told(self) -> str:
        """What the message tells: the sentence, and what else is asserted beside it."""
        told = [self.sentence, *(one.sentence for one in read_passages(self.message) if one.force is Force.ASSERTED)]
        return " ".join(dict.fromkeys(told))


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

    @property
    def differing(self) -> list[Item]:
        """What only one of them says."""
        return [*self.gone, *self.come]


def find_replacement(older: str, newer: str, spoken: Spoken) -> Replacement | None:
    """Return what of `older` the user's `newer` word replaces; None where that is not certain."""
    sides = _Sides.of(older, newer)
    spoken = spoken.narrowed(sides.differing)
    if not is_change(spoken) or _PAST.search(older) or denies(newer):
        return None
    said = read_mentions(spoken.told)
    pairs = _pair(sides, older, newer, spoken.everything) or _pair_told(sides, older, newer, said, spoken)
    spans = sorted({span for first, _ in pairs for span in _places(first, older)})
    if not pairs or len(spans) < len({first.text for first, _ in pairs}) or not all(said.has(two) for _, two in pairs):
        return None
    paired = {one for pair in pairs for one in pair}
    if _are_apart(older, newer, frozenset().union(*(one.keys for one in paired))) or not _may_go(pairs, older, spoken):
        return None
    answered = _find_answered(pairs, spoken)
    shared = sum(SOFT if one.keys & _LIVING else one.weight for one in sides.kept)
    if shared < (SOFT if answered else _LEAST_SHARED):
        return None
    left, added = (
        [one for one in side if one not in paired and one.weight >= SOFT] for side in (sides.gone, sides.come)
    )
    if any(one.is_hard for one in (*left, *added)) or _is_another_matter(
        left, added, said, answered, older, spans[0][0]
    ):
        return None
    heard = read_mentions(spoken.everything)
    subject = [one for one in added if one.keys & _read_subject(newer)]
    if any(heard.has(one) and not (answered and answered.has(one)) for one in subject):
        return None  # the newer one is about something else
    old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in zip(*pairs, strict=True))
    return Replacement(_joined(spans), not left, old, new)


def _may_go(pairs: Sequence[tuple[Item, Item]], older: str, spoken: Spoken) -> bool:
    """Whether values may change: who or what the older memory is about goes only where the user names both for it.

    One of several that may hold at once goes only where the user names it, or puts the new one into its place.
    """
    subject, told = _read_subject(older), read_mentions(spoken.told)
    is_one_of_many = not MANY_AT_ONCE.isdisjoint(token.low for token in read_tokens(older))
    if is_one_of_many and not all(told.has(one) or _is_swapped(two, spoken.told) for one, two in pairs):
        return False
    if any(one.number and _names_by_number(one, older) for one, _ in pairs):
        return False
    if all(one.number or not one.keys & subject for one, _ in pairs):
        return True
    return _CHANGED.search(spoken.told) is not None and all(
        told.has(one) and _is_name(one, older, spoken.everything) for one, _ in pairs
    )


def _names_by_number(item: Item, text: str) -> bool:
    """Whether a number names what a memory is about, and counts nothing: "Invoice 1042 is paid"."""
    place = next(iter(_places(item, text)), (0, 0))
    before, after = read_tokens(text[: place[0]]), read_tokens(text[place[1] :])
    is_subject = bool(before) and not any(is_verb(token.low) for token in before[1:])
    return is_subject and bool(after) and is_verb(after[0].low)


def _is_swapped(item: Item, told: str) -> bool:
    """Whether a value stands right after a word that puts it into a place: "switched to soy", "swapped it for soy"."""
    place = re.search(rf"\b{re.escape(item.text)}", told, re.IGNORECASE)
    return place is not None and _SWAPPED.search(told[: place.start()]) is not None


def _read_subject(text: str) -> frozenset[str]:
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


def _is_another_matter(
    left: Sequence[Item],
    added: Sequence[Item],
    said: Mentions,
    answered: Mentions | None,
    older: str,
    value: int,
) -> bool:
    """Whether the two memories say more of the value, which is at `value` in the older one, than a summary supplies.

    Where the user's words that gave the old value are known, only what the user said counts: of whom or of what the
    older one is, before its value, or anything that the newer one adds. Else every word does.
    """
    if answered is None:
        return bool(left or added)
    own_left = [one for one in left if answered.has(one) and not said.has(one)]
    own_added = [one for one in added if said.has(one) and not answered.has(one)]
    of_what = [one for one in own_left if one.is_hard or not is_verb(one.text)]
    is_of_another = any(end < value - 1 for one in of_what for _, end in _places(one, older))
    return is_of_another or bool(own_added)


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


def is_change(spoken: Spoken) -> bool:
    """Whether the user says it as a change or correction, or of what was spoken of before."""
    if _IN_ADDITION.search(spoken.sentence):
        return False
    if _CHANGED.search(spoken.told) is not None:
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
    is_one = is_one and _stand_alike(*names, older, newer)
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


def _pair_told(sides: _Sides, older: str, newer: str, said: Mentions, spoken: Spoken) -> list[tuple[Item, Item]]:
    """Pair what the user told then and tells no more with what the user tells now: one phrase each, in words of change.

    What only the summaries word in two ways is no value.
    """
    if not _CHANGED.search(spoken.told) or _NAMES_BOTH.search(newer):
        return []
    heard = join(map(read_mentions, spoken.before))
    gone = _phrases([one for one in sides.gone if one.weight >= SOFT and heard.has(one)], older)
    come = _phrases([one for one in sides.come if one.weight >= SOFT and said.has(one) and not heard.has(one)], newer)
    if len(gone) != 1 or len(come) != 1 or sum(one.weight for one in sides.kept) < _LEAST_SHARED:
        return []
    is_value = all(len(side[0]) <= _MOST_WORDS and not _is_no_value(side[0]) for side in (gone, come))
    return _zip(gone[0], come[0]) if is_value and _stand_alike(gone[0], come[0], older, newer) else []


def _is_no_value(phrase: Sequence[Item]) -> bool:
    return any(one.number is not None for one in phrase) or is_verb(phrase[0].text)


def _phrases(items: Sequence[Item], text: str) -> list[list[Item]]:
    """Return words in groups that stand side by side, or with a little word between them."""
    placed = sorted((place, one) for one in items for place in _places(one, text)[:1])
    found: list[list[Item]] = []
    end = -_BETWEEN - 1
    for (begin, after), one in placed:
        found[-1:] = [[*found[-1], one]] if begin - end <= _BETWEEN else [*found[-1:], [one]]
        end = after
    return found


def _stand_alike(gone: Sequence[Item], come: Sequence[Item], older: str, newer: str) -> bool:
    """Whether two phrases stand after or before the same word, or after little words that say the same."""
    one, two = _beside(gone, older), _beside(come, newer)
    if one[0] & two[0] or one[1] & two[1] or (one[0] & _ANY_LITTLE_WORD and two[0] & _ANY_LITTLE_WORD):
        return True
    differ = frozenset().union(*(one.keys for one in _Sides.of(older, newer).differing))
    one, two = _beside(gone, older, differ), _beside(come, newer, differ)
    return any(one[0] & kind and two[0] & kind for kind in _LITTLE_WORDS)


def _beside(
    items: Sequence[Item], text: str, differ: frozenset[str] = frozenset()
) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands before and after a phrase, and both memories have: as keys or, of a little word, as it is."""
    places = [place for one in items for place in _places(one, text)[:1]]
    before = read_tokens(text[: min(place[0] for place in places)])
    after = read_tokens(text[max(place[1] for place in places) :])
    near = (
        next((one for one in side if one.low not in _DETERMINERS and differ.isdisjoint(one.keys)), None)
        for side in (reversed(before), iter(after))
    )
    one, two = (frozenset[str]() if token is None else frozenset((token.low, *token.keys)) for token in near)
    return one, two


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


def _places(item: Item, text: str) -> list[tuple[int, int]]:
    """Return where the text has `item` as a word of its own."""
    found = re.search(rf"(?<!\w){re.escape(item.text)}(?!\w)", text.casefold())
    return [found.span()] if found else []
