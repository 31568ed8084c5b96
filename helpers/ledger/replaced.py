"""Whether the user's new word puts another value in the place of one that an older memory holds (C-41, T-03).

A correction in passing names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each
other: both speak of the same things, each has one value of a kind that the other lacks, what the user said gives the
new one as a change, and nothing of what the user said is of something else. Only the old value is marked. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from ..language.keys import keys_of, parse_tokens, words_of
from ..language.modality import Modality
from ..language.sentences import is_foreign
from ..language.verbs import is_verb
from ..language.vocabulary import WORDS
from ..language.wordings import read_patterns
from ..patterns import regex
from .conversation import Spoken, is_change
from .mentions import (
    LIGHT_KEYS,
    PEOPLE_KEYS,
    SOFT,
    Item,
    Mentions,
    are_contrary,
    denies,
    find_places,
    join,
    parse_items,
    parse_mentions,
    without_rejected,
)
from .pairing import BEFORE_NOUNS, Pair, Phrase, Sides, all_keys, nouns, pair_values
from .passages import AUXILIARIES, TIME_KEYS, Passage, parse_passages
from .spoken_values import POINTS_IN_TIME

_SAID: Final = read_patterns("utterances")

#: The cosines of one text to each of several, as many as there are; none where nothing can tell.
Likeness = Callable[[str, Sequence[str]], Sequence[float]]

#: Words that only say what a number of years is.
_AGE_KEYS: Final = TIME_KEYS | keys_of(("old", "aged"))
#: How the user gives the value that holds.
_TOLD: Final = frozenset((Modality.FACT, Modality.PLAN))
#: What two memories must have in common beside the values, weighed as in `mentions`.
_LEAST_SHARED: Final = 2.0
#: So like must two memories be without their values, where the words differ (cosine).
_LEAST_ALIKE: Final = 0.65
#: Who says "moved to" of somebody who "lives in" says the same of another place.
_LIVING: Final = keys_of(("live",))
#: A letter that tells things of a kind apart: "Team A".
_LABEL: Final = regex(r"(?<=\w )(?!I\b)[A-Z](?![\w.'])")


class Replacement(NamedTuple):
    """The spans of the old value in the older text, whether the newer one says all the rest of it, and both values."""

    spans: tuple[tuple[int, int], ...]
    is_whole: bool
    older: str
    newer: str
    come: tuple[Item, ...]

    @classmethod
    def of(cls, gone: Phrase, come: Phrase, *, is_whole: bool) -> Replacement:
        """Return `come` in the place of `gone`; spans that stand side by side are one."""
        found = gone.spans[:1]
        for start, end in gone.spans[1:]:
            found[-1:] = [(found[-1][0], end)] if start - found[-1][1] <= 1 else [found[-1], (start, end)]
        return cls(tuple(found), is_whole, gone.name, come.name, come.words)


def find_replacement(
    older: str, newer: str, spoken: Spoken, likeness: Likeness | None = None, *, is_known: bool = False
) -> Replacement | None:
    """Return what of `older` the user's `newer` word replaces; None where that is not certain.

    Where they share too few words, `likeness` says whether they are of one thing, unless that `is_known`.
    """
    own, newer = parse_passages(newer), without_rejected(newer)
    if _SAID["was"].search(older) or denies(newer):
        return None
    sides = Sides.of(older, newer, spoken.everything)
    rejected = _find_rejected(sides, spoken, own)
    if rejected is not None:
        return rejected
    if (_weigh_shared(sides) < SOFT and not is_known) or not all(sides.values):
        return None
    spoken = spoken.narrowed([*sides.gone, *sides.come])
    is_plain = spoken.is_change or spoken.is_order
    pair = pair_values(sides, spoken.told_mentions, parse_mentions(spoken.heard), is_named_only=not is_plain)
    if pair is None or not (pair.gone.spans and pair.come.spans):
        return None
    change = _Change(sides, pair, spoken)
    if not change.is_given or change.is_of_another_kind or not change.may_go:
        return None
    if not (change.shares_enough or is_known or change.is_like(likeness)) or change.says_more:
        return None
    return Replacement.of(pair.gone, pair.come, is_whole=not change.left)


def _find_rejected(sides: Sides, spoken: Spoken, own: Sequence[Passage]) -> Replacement | None:
    """Return what the user sets aside in so many words, where another value of the kind holds: "8181, not 8080".

    Or what the newer memory sets aside in its `own` words, though the user names it of something else as well.
    """
    passages = parse_passages(spoken.message or spoken.sentence)
    differing, arrived, shared = (nouns(items) for items in (sides.gone, sides.come, sides.kept))
    rejected = [one for one in differing if any(two.rejects(one) for two in passages)]
    rejected = [one for one in rejected if not any(two.has(one) for two in passages)]
    gone = [one for one in differing if any(two.rejects(one) for two in own)] or rejected
    if spoken.is_addition(arrived):
        return None
    come = [one for one in arrived if any(two.has(one) and two.modality in _TOLD for two in passages)]
    come = [one for one in come if one.is_hard] or come
    come = [one for one in come if any(_are_alike(two, one) for two in gone)]
    value, other = Phrase(tuple(gone), sides.older), Phrase(tuple(come), sides.newer)
    if not (come and value.spans and shared) or _are_apart(sides.older, sides.newer, all_keys([*gone, *come])):
        return None
    added = [one for one in arrived if one not in come and not one.keys <= _AGE_KEYS]
    if added and sum(one.weight for one in shared) <= sum(one.weight for one in added):
        return None
    return Replacement.of(value, other, is_whole=all(one in gone for one in differing))


def _are_alike(one: Item, other: Item) -> bool:
    """Whether two may be two values of one thing: numbers of a kind, or none of them a number."""
    if one.number is not None and other.number is not None:
        return one.number.is_rival(other.number)
    return one.number is None and other.number is None


def _weigh_shared(sides: Sides) -> float:
    return sum(SOFT if one.keys & _LIVING else one.weight for one in sides.kept)


@dataclass(frozen=True, eq=False)
class _Change:
    """A pair of values of two memories, as the user spoke; each of its properties is one reason for or against it."""

    sides: Sides
    pair: Pair
    spoken: Spoken

    @cached_property
    def left(self) -> list[Item]:
        """What else only the older memory says."""
        return [one for one in self.sides.gone if one not in self.pair.gone.words and one.weight >= SOFT]

    @cached_property
    def added(self) -> list[Item]:
        """What else only the newer memory says."""
        return [one for one in self.sides.come if one not in self.pair.come.words and one.weight >= SOFT]

    @cached_property
    def answered(self) -> Mentions | None:
        """What the user's own words that gave the old value mention, where they are known."""
        heard = [parse_mentions(one) for one in reversed(self.spoken.before)]
        answered = next((one for one in heard if all(map(one.has, self.pair.gone))), None)
        if answered is None and any(map(is_foreign, self.spoken.before)):
            return join(heard)  # in another language the words differ, and so may the value
        return answered

    @property
    def is_given(self) -> bool:
        """Whether the user gives the new value as a change: in such words, of what was spoken of, beside the old one.

        The old one must have been said before: who says both at once may mean both. Common words are a value only where
        the old ones were said before and the new ones only now, in words of change.
        """
        pair, spoken = self.pair, self.spoken
        if spoken.is_addition(pair.come.words):
            return False
        before = join(map(parse_mentions, spoken.before))
        is_known = all(map(before.has, pair.gone))
        if pair.has_words and not self.sides.is_one_sentence:
            is_new = is_known and not all(map(before.has, pair.come))
            return (is_new or pair.is_named) and spoken.has_change
        return spoken.is_change or spoken.is_order or (pair.is_named and is_known)

    @property
    def is_of_another_kind(self) -> bool:
        """Whether the two speak of two things, their values and what kind these are of apart."""
        sides, pair = self.sides, self.pair
        kinds = [*filter(pair.gone.is_right_after, sides.gone), *filter(pair.come.is_right_after, sides.come)]
        return _are_apart(sides.older, sides.newer, all_keys([*pair.gone, *pair.come, *kinds]))

    @property
    def may_go(self) -> bool:
        """Whether values may change: who or what the older memory is about goes only where the user names both for it.

        One of several that may hold at once goes only where the user names it in words of change, or puts the new one
        into its place; an amount is never one of several.
        """
        sides, pair, spoken = self.sides, self.pair, self.spoken
        numbers = [one for one in pair.gone if one.number is not None]
        is_one_of_many = any(token.low in WORDS["many_at_once"] for token in parse_tokens(sides.older))
        is_measure = pair.is_number and all(
            one.number is not None and one.number.dimension not in POINTS_IN_TIME for one in (*pair.gone, *pair.come)
        )
        is_put = (pair.is_named and spoken.has_change) or all(map(spoken.puts_in_place, pair.come))
        if is_one_of_many and not is_measure and not is_put:
            return False
        if any(_names_by_number(one, sides.older) for one in numbers):
            return False
        is_subject = not parse_opening(sides.older).isdisjoint(_keys(pair.gone.words))
        if is_subject and are_contrary(_keys(pair.gone.words), _keys(pair.come.words)):
            return False
        is_role = sides.is_one_sentence and spoken.is_change and _SAID["role"].search(sides.older) is not None
        return pair.is_number or pair.is_named or is_role or not is_subject

    @property
    def shares_enough(self) -> bool:
        """Whether they share as much as they differ in, and more than whom they are of where they differ in more.

        Common words are a value only in what is nearly one sentence.
        """
        sides, pair = self.sides, self.pair
        if not (pair.is_in_place or pair.is_named or pair.is_number):
            return False
        rest = [one for one in self.left if not pair.gone.is_right_after(one)]
        rest += [one for one in self.added if not pair.come.is_right_after(one)]
        differing = sum(one.weight for one in rest if not (pair.is_named and not pair.has_words and is_verb(one.text)))
        if pair.has_words and differing:
            return False
        shared, opening = _weigh_shared(sides), parse_opening(sides.older)
        is_known = self.answered is not None or pair.is_named
        is_about_it = pair.is_number or sides.is_one_sentence or any(not one.keys & opening for one in sides.kept)
        if not is_about_it:
            is_plain = not (pair.has_words or any(map(pair.gone.is_after, self.left)))
            is_about_it = shared > SOFT if pair.is_named else is_plain
        return shared >= max(SOFT if is_known else _LEAST_SHARED, differing) and is_about_it

    def is_like(self, likeness: Likeness | None) -> bool:
        """Whether the user says that it changed, and the two mean the same but for their names or numbers.

        They must share a thing beside whom they are of.
        """
        sides, pair, spoken = self.sides, self.pair, self.spoken
        things = [one for one in nouns(sides.kept) if not one.keys & PEOPLE_KEYS]
        things = [one for one in things if not sides.older.casefold().startswith(one.text)]
        is_plain = spoken.has_change or spoken.is_order or pair.is_named
        is_value = pair.is_number or (pair.is_in_place and not pair.has_words)
        if likeness is None or not (is_plain and is_value and things):
            return False
        cosines = likeness(pair.gone.rest, [pair.come.rest])
        return bool(cosines) and cosines[0] >= _LEAST_ALIKE

    @property
    def says_more(self) -> bool:
        """Whether one of the two says of whom, of what, of which kind or when, and the other does not."""
        is_else = not self.pair.is_named and (self._names_a_kind or self._is_another_relation)
        return is_else or self._is_of_another or self._narrows

    @property
    def _names_a_kind(self) -> bool:
        """Whether the word right after a name went as well: "the MPL licence" has a licence, no tool, of that name."""
        places = (place for one in self.left for place in find_places(one, self.sides.older))
        return not self.pair.is_number and any(start == self.pair.gone.end + 1 for start, _ in places)

    @property
    def _is_another_relation(self) -> bool:
        """Whether the user says another verb with the new value than with the old one: "lives in", "studies in"."""
        main, told = _SAID["aside"].split(self.sides.newer, 1)[0].casefold(), self.spoken.told_mentions
        come = [one for one in self.added if is_verb(one.text) and one.text in main]
        come = [one for one in come if told.has(one) and not is_change(one.text)]
        if self.answered is None or not all(map(self.answered.has, come)):
            return bool(come)
        return bool(come) and any(is_verb(one.text) and self.answered.has(one) for one in self.left)

    @property
    def _is_of_another(self) -> bool:
        """Whether only the older memory says of whom or of what its value is.

        Where the user's words that gave it are known, only what the user said counts; else every word left does.
        """
        before, told = [*filter(self.pair.gone.is_after, self.left)], self.spoken.told_mentions
        if self.answered is None:
            return bool(before) or any(one.is_hard for one in self.left)
        before = [one for one in before if one.is_hard or not is_verb(one.text)]
        return any(self.answered.has(one) and not told.has(one) for one in before)

    @property
    def _narrows(self) -> bool:
        """Whether the newer memory says more than a summary supplies: of whom, of what, or when its value holds.

        Of what it is about, what the user has said at any time counts; in another language every word does that tells
        what kind something is of.
        """
        told, everything = self.spoken.told_mentions, parse_mentions(self.spoken.everything)
        if any(one.is_hard and not told.has(one) for one in self.added):
            return True
        newer, come = self.sides.newer, self.pair.come
        opening = parse_opening(newer) or _words(newer)
        since, aside = _SAID["since"].match(newer), _SAID["aside"].search(newer, come.end)
        limit = aside.start() if aside else len(newer)
        read = None if is_foreign(self.spoken.sentence) else self.answered
        for one in self.added:
            start, after = next(iter(find_places(one, newer)), (0, 0))
            if after == come.begin - 1 or (since is not None and after <= since.end()):
                continue  # what kind the value is of, or since when it holds
            is_another = read is None or (not read.has(one) if everything.has(one) else self._tells_kind(after))
            if (is_another and all_keys([one]) & opening) or (come.end <= start < limit and not is_verb(one.text)):
                return True
        return False

    def _tells_kind(self, after: int) -> bool:
        """Whether a word that both have stands right after a place of the newer one: "return flight"."""
        return any(start == after + 1 for one in self.sides.kept for start, _ in find_places(one, self.sides.newer))


def _names_by_number(item: Item, text: str) -> bool:
    """Whether a number names what a memory is about, and counts nothing: "Invoice 1042 is paid"."""
    place = next(iter(find_places(item, text)), (0, 0))
    before, after = parse_tokens(text[: place[0]]), parse_tokens(text[place[1] :])
    is_subject = bool(before) and not any(is_verb(token.low) for token in before[1:])
    return is_subject and bool(after) and is_verb(after[0].low)


def parse_opening(text: str) -> frozenset[str]:
    """Return the keys of the words before the first verb of a memory."""
    tokens = parse_tokens(text)
    lows = [one.low for one in tokens]
    verb = next((at for at in range(1, len(lows)) if _is_predicate(*lows[at - 1 : at + 2])), 0)
    return words_of(tokens[:verb])


def _is_predicate(before: str, word: str, after: str = "") -> bool:
    """Whether a word is a verb where it stands: not "return" in "the user's return flight", nor in "the return is"."""
    is_one = word in AUXILIARIES or (is_verb(word) and after not in AUXILIARIES)
    return word != "s" and is_one and before not in BEFORE_NOUNS


def _are_apart(older: str, newer: str, paired: frozenset[str] = frozenset()) -> bool:
    """Whether the two speak of two things of a kind: "staging" and "production", "invoice" and "booking database".

    Or of two people's. What is `paired` is the value that changes: "oat milk" and "soy milk".
    """
    words, others = _words(older) - paired, _words(newer) - paired
    if PEOPLE_KEYS & (words ^ others):
        return True
    if are_contrary(words - others, others - words) or set(_LABEL.findall(older)) != set(_LABEL.findall(newer)):
        return True
    told, said = _parse_kinds(older), _parse_kinds(newer)
    return any(
        key in said and told[key] in words - others and said[key] in others - words and key in words & others
        for key in told
    )


def _parse_kinds(text: str) -> dict[str, str]:
    """Return the word right before each word, verbs apart: "ships parcels" tells no kind of parcels."""
    tokens = [one for one in parse_tokens(text) if not (one.low.endswith(("s", "ed")) and is_verb(one.low))]
    pairs = ((one.keys, two.keys) for one, two in pairwise(tokens))
    return {two[0]: one[-1] for one, two in pairs if one and two and one[-1] not in LIGHT_KEYS and one[-1].isalpha()}


def _words(text: str) -> frozenset[str]:
    return _keys(parse_items(text))


def _keys(items: Sequence[Item]) -> frozenset[str]:
    return frozenset().union(*(one.keys for one in items))
