"""How the user said something, and whether it puts another value in the place of what an older memory holds.

A correction in passing names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each
other: each has one value of a kind that the other lacks, what the user said gives the new one as a change, and nothing
of what the user said is of something else. That both speak of one thing tell the words that they share, or the one
judgement of two texts (`similar.at_odds`). Only the old value is marked. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from ..claims import is_correction
from ..language.keys import keys_of, parse_tokens, words_of
from ..language.modality import Modality
from ..language.sentences import is_foreign
from ..language.verbs import is_verb
from ..language.vocabulary import CHANGED, SWAPS, WORDS, read_patterns
from ..similar.at_odds import is_at_odds
from ..texts import regex
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
    keys_in,
    parse_items,
    parse_mentions,
    without_rejected,
)
from .pairing import BEFORE_NOUNS, Pair, Sides, pair_values
from .passages import AUXILIARIES, Passage, parse_passages

_SAID: Final = read_patterns("utterances")
#: How the user gives the value that holds.
_TOLD: Final = frozenset((Modality.FACT, Modality.PLAN))
#: What two memories must have in common beside the values, weighed as in `mentions`.
_LEAST_SHARED: Final = 2.0
#: Who says "moved to" of somebody who "lives in" says the same of another place.
_LIVING: Final = keys_of(("live",))
#: A letter that tells things of a kind apart: "Team A".
_LABEL: Final = regex(r"(?<=\w )(?!I\b)[A-Z](?![\w.'])")
#: What was said last is looked at again for each memory that it may be about.
_LATEST: Final = 512


def _one_of(words: str) -> str:
    """Return a pattern for `words`, written as in `vocabulary`."""
    return "|".join(rf"\b{_with_endings(word)}\b" for word in words.split())


def _with_endings(word: str) -> str:
    plain = re.escape(word).replace("_", r"\s+").replace(re.escape("~"), r"\w*")
    return plain.replace(r"\*", rf"{word[-2]}?(?:e|es|ed|d|ing|s)?")


_CHANGED: Final = regex(_one_of(CHANGED) + r"|\bnot\s+\w+\s+but\b", re.IGNORECASE)
#: A word that puts what follows it into a place, and at most two words after it.
_SWAPPED: Final = regex(rf"(?:{_one_of(SWAPS)})[^\w.!?]+(?:\w+[^\w.!?]+){{0,2}}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the user said something: the sentence, the user's own messages before it in the chat, oldest first, and the
    whole message, where it says more; `is_order` where the user orders it, or takes up what was offered; `replaces` is
    the older memory of which it is known to give another value.
    """

    sentence: str
    before: tuple[str, ...] = ()
    message: str = ""
    is_order: bool = False
    replaces: str = ""

    def narrowed(self, items: Sequence[Item]) -> Spoken:
        """Return it without the sentences beside it that mention none of `items`, or correct something themselves."""
        weighty = [item for item in items if item.weight >= SOFT]
        near = [passage for passage in parse_passages(self.message) if any(map(passage.has, weighty))]
        kept = dict.fromkeys(passage.sentence for passage in near if not is_correction(passage.sentence))
        return replace(self, message=" ".join(kept))

    @property
    def everything(self) -> str:
        """What the user told up to then."""
        return " ".join((self.told, *self.before))

    @property
    def told(self) -> str:
        """What the message tells: the sentence, and what else is asserted beside it."""
        return _told(self.sentence, self.message)

    @property
    def heard(self) -> str:
        """What the message mentions, whatever is meant by it."""
        return f"{self.sentence} {self.message}"

    @property
    def has_change(self) -> bool:
        """Whether a word of change is in what it tells: "switched", "now", "no longer"."""
        return _has_change(self.told)

    @property
    def is_change(self) -> bool:
        """Whether the user says it as a change or correction, or of what was spoken of before."""
        return self.has_change or (
            self.sentence.isascii()
            and not is_foreign(self.sentence)
            and any(passage.points for passage in parse_passages(self.sentence))
        )

    def is_addition(self, items: Sequence[Item] = ()) -> bool:
        """Whether the user says `items`, or all of it, as one more: "also", "as well", "another"."""
        passages = parse_passages(self.sentence) if items else ()
        holders = [passage.text for passage in passages if any(map(passage.has, items))]
        return any(_SAID["in_addition"].search(holder) for holder in holders or [self.sentence])

    def puts_in_place(self, item: Item) -> bool:
        """Whether a value stands right after a word that puts it into a place: "switched to soy"."""
        place = re.search(rf"\b{re.escape(item.text)}", self.told, re.IGNORECASE)
        return place is not None and _SWAPPED.search(self.told[: place.start()]) is not None


@lru_cache(maxsize=_LATEST)
def _has_change(text: str) -> bool:
    return _CHANGED.search(text) is not None


@lru_cache(maxsize=_LATEST)
def _told(sentence: str, message: str) -> str:
    beside = (passage.sentence for passage in parse_passages(message) if passage.modality is Modality.FACT)
    return " ".join(dict.fromkeys((sentence, *beside)))


class Replacement(NamedTuple):
    """The spans of the old value in the older text, whether the newer one says all the rest of it, and both values."""

    spans: tuple[tuple[int, int], ...]
    is_whole: bool
    older: str
    newer: str
    come: tuple[Item, ...]

    @classmethod
    def of(cls, gone: Sequence[Item], come: Sequence[Item], left: Sequence[Item], older: str) -> Replacement:
        """Return that `come` takes the place of `gone` in the older text, of which `left` is not said again."""
        old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in (gone, come))
        return cls(_joined(_spans(gone, older)), not left, old, new, tuple(come))


def find_replacement(older: str, newer: str, spoken: Spoken, *, is_known: bool = False) -> Replacement | None:
    """Return what of `older` the user's `newer` word replaces; None where that is not certain.

    That both are of one thing may be known: then they need not share more than a word.
    """
    own, newer = parse_passages(newer), without_rejected(newer)
    if _SAID["was"].search(older) or denies(newer):
        return None
    sides = Sides.of(older, newer, spoken.everything)
    rejected = _find_rejected(sides, spoken, own)
    if rejected is not None:
        return rejected
    if _weigh_shared(sides) < SOFT or not all(sides.values):
        return None
    spoken = spoken.narrowed([*sides.gone, *sides.come])
    told = parse_mentions(spoken.told)
    is_plain = spoken.is_change or spoken.is_order
    pair = pair_values(sides, told, parse_mentions(spoken.heard), is_named_only=not is_plain)
    if pair is None or not _spans(pair.gone, older) or not _is_change(pair, sides, spoken):
        return None
    kinds = [one for one in sides.gone if not _stands_apart(one, pair.gone, older)]
    kinds += [one for one in sides.come if not _stands_apart(one, pair.come, newer)]
    if _are_apart(older, newer, keys_in([*pair.gone, *pair.come, *kinds])) or not _may_go(pair, sides, spoken):
        return None
    left = [item for item in sides.gone if item not in pair.gone and item.weight >= SOFT]
    added = [item for item in sides.come if item not in pair.come and item.weight >= SOFT]
    answered = _find_answered(pair, spoken)
    is_placed = pair.is_in_place or pair.is_named or pair.is_number
    is_one = is_placed and _share_enough(sides, pair, left, added, is_answered=answered is not None)
    if not (is_one or is_known or (_is_plain(pair, spoken) and is_at_odds(older, newer))):
        return None
    if _is_of_another(left, answered, told, sides, pair) or _narrows(added, answered, sides, pair, spoken):
        return None
    if not (is_one and pair.is_named) and _tells_another_verb(left, added, answered, told, newer):
        return None
    return Replacement.of(pair.gone, pair.come, left, older)


def _find_rejected(sides: Sides, spoken: Spoken, own: Sequence[Passage]) -> Replacement | None:
    """Return what the user sets aside in so many words, where another value of the kind holds: "8181, not 8080".

    Or what the newer memory sets aside in its `own` words, though the user names it of something else as well.
    """
    passages = parse_passages(spoken.message or spoken.sentence)
    gone, come, kept = ([one for one in side if _is_noun(one)] for side in (sides.gone, sides.come, sides.kept))
    rejected = [item for item in gone if any(two.rejects(item) for two in own)]
    rejected = rejected or [item for item in gone if any(two.rejects(item) for two in passages)]
    told = [item for item in come if any(two.has(item) and two.modality in _TOLD for two in passages)]
    told = [item for item in told if item.is_hard] or told
    pairs = [(one, other) for one in rejected for other in told if _are_alike(one, other)]
    if not pairs or not kept or spoken.is_addition(come) or not _spans(rejected, sides.older):
        return None
    added = [one for one in come if one not in told]
    if _are_apart(sides.older, sides.newer, keys_in([*rejected, *told])):
        return None
    if added and sum(item.weight for item in kept) <= sum(item.weight for item in added):
        return None
    left = [one for one in gone if one not in rejected]
    return Replacement.of(rejected, [other for _, other in pairs], left, sides.older)


def _is_noun(item: Item) -> bool:
    return item.weight >= SOFT and not is_verb(item.text)


def _are_alike(one: Item, other: Item) -> bool:
    """Whether two may be two values of one thing: numbers of a kind, or none of them a number."""
    if one.number is not None and other.number is not None:
        return one.number.is_rival(other.number)
    return one.number is None and other.number is None


def _is_plain(pair: Pair, spoken: Spoken) -> bool:
    """Whether the user says in so many words that a number or a name has changed."""
    is_said = spoken.has_change or spoken.is_order or pair.is_named
    return is_said and (pair.is_number or (pair.is_in_place and not pair.has_words))


def _is_change(pair: Pair, sides: Sides, spoken: Spoken) -> bool:
    """Whether the user gives the new value as a change: in such words, of what was spoken of, or beside the old one.

    The old one must have been said before: who says both at once may mean both. Common words are a value only where
    the old ones were said before, in words of change.
    """
    if spoken.is_addition(pair.come):
        return False
    is_known = all(map(join(map(parse_mentions, spoken.before)).has, pair.gone))
    if pair.has_words and not sides.is_one_sentence:
        return (is_known or pair.is_named) and spoken.has_change
    return spoken.is_change or spoken.is_order or (pair.is_named and is_known)


def _share_enough(sides: Sides, pair: Pair, left: Sequence[Item], added: Sequence[Item], *, is_answered: bool) -> bool:
    """Whether two memories share as much as they differ in, and more than whom they are of where they differ in more.

    Common words are a value only in what is nearly one sentence.
    """
    rest = [item for item in left if _stands_apart(item, pair.gone, sides.older)]
    rest += [item for item in added if _stands_apart(item, pair.come, sides.newer)]
    differing = sum(item.weight for item in rest if not (pair.is_named and is_verb(item.text)))
    if pair.has_words and rest:
        return False
    shared = _weigh_shared(sides)
    is_more_shared = sides.is_one_sentence or any(not one.keys & parse_opening(sides.older) for one in sides.kept)
    is_about_it = is_more_shared or (
        shared > SOFT if pair.is_named else not any(_stands_before(item, pair, sides.older) for item in left)
    )
    least = SOFT if is_answered or pair.is_named else _LEAST_SHARED
    return shared >= max(least, differing) and (pair.is_number or is_about_it)


def _weigh_shared(sides: Sides) -> float:
    return sum(SOFT if item.keys & _LIVING else item.weight for item in sides.kept)


def _stands_apart(one: Item, value: Sequence[Item], text: str) -> bool:
    """Whether a word does not stand right before a value, as what kind it is of: "the restaurant La Encina"."""
    begin = min((start for item in value for start, _ in find_places(item, text)), default=0)
    return all(end != begin - 1 for _, end in find_places(one, text))


def _stands_before(one: Item, pair: Pair, text: str) -> bool:
    """Whether a word stands before a value, and not as what kind it is of: "went to the restaurant La Encina"."""
    begin = min(start for value in pair.gone for start, _ in find_places(value, text))
    return any(end < begin for _, end in find_places(one, text)) and _stands_apart(one, pair.gone, text)


def _may_go(pair: Pair, sides: Sides, spoken: Spoken) -> bool:
    """Whether values may change: who or what the older memory is about goes only where the user names both for it.

    One of several that may hold at once goes only where the user names it in words of change, or puts the new one into
    its place; an amount is never one of several.
    """
    is_of_several = not WORDS["many_at_once"].isdisjoint(token.low for token in parse_tokens(sides.older))
    is_put = (pair.is_named and spoken.has_change) or all(map(spoken.puts_in_place, pair.come))
    if is_of_several and not pair.is_number and not is_put:
        return False
    if any(item.number is not None and _names_by_number(item, sides.older) for item in pair.gone):
        return False
    is_subject = bool(keys_in(pair.gone) & parse_opening(sides.older))
    if is_subject and are_contrary(keys_in(pair.gone), keys_in(pair.come)):
        return False  # "staging" and "production" are side by side
    return pair.is_number or pair.is_named or not is_subject


def _names_by_number(item: Item, text: str) -> bool:
    """Whether a number names what a memory is about, and counts nothing: "Invoice 1042 is paid"."""
    place = next(iter(find_places(item, text)), (0, 0))
    before, after = parse_tokens(text[: place[0]]), parse_tokens(text[place[1] :])
    is_subject = bool(before) and not any(is_verb(token.low) for token in before[1:])
    return is_subject and bool(after) and is_verb(after[0].low)


def parse_opening(text: str) -> frozenset[str]:
    """Return the keys of the words before the first verb of a memory."""
    tokens = parse_tokens(text)
    lows = [token.low for token in tokens]
    verb = next((at for at in range(1, len(lows)) if _is_predicate(*lows[at - 1 : at + 2])), 0)
    return words_of(tokens[:verb])


def _is_predicate(before: str, word: str, after: str = "") -> bool:
    """Whether a word is a verb where it stands: not "return" in "the user's return flight", nor in "the return is"."""
    is_one = word in AUXILIARIES or (is_verb(word) and after not in AUXILIARIES)
    return word != "s" and is_one and before not in BEFORE_NOUNS


def _spans(items: Iterable[Item], text: str) -> list[tuple[int, int]]:
    """Return where a text has some items; one that is spelled otherwise there has no place."""
    return sorted({span for item in items for span in find_places(item, text)})


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans with those that stand side by side as one."""
    found = [spans[0]]
    for start, end in spans[1:]:
        found[-1:] = [(found[-1][0], end)] if start - found[-1][1] <= 1 else [found[-1], (start, end)]
    return tuple(found)


def _find_answered(pair: Pair, spoken: Spoken) -> Mentions | None:
    """Return what the user's own words that gave the old value mention, where they are known."""
    heard = map(parse_mentions, reversed(spoken.before))
    return next((one for one in heard if all(map(one.has, pair.gone))), None)


def _is_of_another(left: Sequence[Item], answered: Mentions | None, told: Mentions, sides: Sides, pair: Pair) -> bool:
    """Whether only the older memory says of whom or of what its value is.

    Where the user's words that gave it are known, only what the user said counts; else every word that is `left` does.
    """
    before = [item for item in left if _stands_before(item, pair, sides.older)]
    if answered is None:
        return bool(before)
    return any(answered.has(item) and not told.has(item) and not is_verb(item.text) for item in before)


def _tells_another_verb(
    left: Sequence[Item], added: Sequence[Item], answered: Mentions | None, told: Mentions, newer: str
) -> bool:
    """Whether the user says another verb with the new value than with the old one: "lives in", "studies in"."""
    aside = _SAID["aside"].search(newer)
    main = newer[: aside.start() if aside else None].casefold()
    verbs = [item for item in added if is_verb(item.text) and item.text in main]
    verbs = [verb for verb in verbs if told.has(verb) and not _has_change(verb.text)]
    if answered is None:
        return bool(verbs)
    is_left = any(is_verb(item.text) and answered.has(item) for item in left)
    return any(is_left or not answered.has(verb) for verb in verbs)


def _narrows(added: Sequence[Item], answered: Mentions | None, sides: Sides, pair: Pair, spoken: Spoken) -> bool:
    """Whether the newer memory says more than a summary supplies: of whom, of what, or when its value holds.

    Of what it is about, what the user has said at any time counts; in another language every word does that tells what
    kind something is of.
    """
    everything = parse_mentions(spoken.everything)
    opening = parse_opening(sides.newer) or keys_in(parse_items(sides.newer))
    places = [place for one in pair.come for place in find_places(one, sides.newer)]
    begin, end = (bound((place[at] for place in places), default=0) for at, bound in enumerate((min, max)))
    since, aside = _SAID["since"].match(sides.newer), _SAID["aside"].search(sides.newer, end)
    limit = aside.start() if aside else len(sides.newer)
    read = None if is_foreign(spoken.sentence) else answered
    for item in added:
        start, after = next(iter(find_places(item, sides.newer)), (0, 0))
        if after == begin - 1 or (since is not None and after <= since.end()):
            continue  # what kind the value is of, or since when it holds
        is_another = read is None or (not read.has(item) if everything.has(item) else _tells_kind(after, sides))
        if (is_another and keys_in([item]) & opening) or (end <= start < limit and not is_verb(item.text)):
            return True
    return False


def _tells_kind(after: int, sides: Sides) -> bool:
    """Whether a word that both memories have stands right after a place of the newer one: "return flight"."""
    return any(start == after + 1 for item in sides.kept for start, _ in find_places(item, sides.newer))


def _are_apart(older: str, newer: str, paired: frozenset[str]) -> bool:
    """Whether the two speak of two things of a kind: "staging" and "production", "invoice" and "booking database".

    Or of two people's. What is `paired` is the value that changes: "oat milk" and "soy milk".
    """
    words, others = (keys_in(parse_items(text)) - paired for text in (older, newer))
    if PEOPLE_KEYS & (words ^ others):
        return True
    if are_contrary(words - others, others - words) or set(_LABEL.findall(older)) != set(_LABEL.findall(newer)):
        return True
    told, said = _parse_kinds(older), _parse_kinds(newer)
    return any(key in said and told[key] in words - others and said[key] in others - words for key in told)


def _parse_kinds(text: str) -> dict[str, str]:
    """Return the word right before each word, verbs apart: "ships parcels" tells no kind of parcels."""
    tokens = [token for token in parse_tokens(text) if not (token.low.endswith(("s", "ed")) and is_verb(token.low))]
    pairs = ((one.keys, two.keys) for one, two in pairwise(tokens))
    return {two[0]: one[-1] for one, two in pairs if one and two and one[-1] not in LIGHT_KEYS and one[-1].isalpha()}
