"""Corrections in passing: whether what the user said puts a new value in the place of an older memory's value.

Such a correction names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each other.
Each must have one value of a kind that the other lacks, the user must give the new value as a change, and nothing that
the user said may be about something else. That both memories speak of one thing is known by the words that they share,
or by the judgement of two texts (`similar.at_odds`). Only the old value is marked. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from ..claims import is_correction
from ..language.keys import parse_tokens, words_of
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
#: The modalities in which the user gives the value that holds.
_TOLD: Final = frozenset((Modality.FACT, Modality.PLAN))
#: The least weight (see `mentions`) of what two memories must share beside the values.
_LEAST_SHARED: Final = 2.0
#: A letter that tells things of a kind apart: "Team A".
_LABEL: Final = regex(r"(?<=\w )(?!I\b)[A-Z](?![\w.'])")


def _one_of(words: str) -> str:
    """Return a pattern that finds one of `words`, written as in `vocabulary.toml`."""
    return "|".join(rf"\b{_with_endings(word)}\b" for word in words.split())


def _with_endings(word: str) -> str:
    plain = re.escape(word).replace("_", r"\s+").replace(re.escape("~"), r"\w*")
    return plain.replace(r"\*", rf"{word[-2:-1]}?(?:e|es|ed|d|ing|s)?")


_CHANGED: Final = regex(_one_of(CHANGED) + r"|\bnot\s+\w+\s+but\b", re.IGNORECASE)
#: A word that puts what follows it into a place, and at most two words after it.
_SWAPPED: Final = regex(rf"(?:{_one_of(SWAPS)})[^\w.!?]+(?:\w+[^\w.!?]+){{0,2}}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A saying of the user: the sentence, the user's messages before it in the chat, oldest first, and the message.

    `message` is empty if the sentence is all of it. `is_order`: the user orders it, or takes up an offer. `replaces`
    is the older memory of which it is known to give another value.
    """

    sentence: str
    before: tuple[str, ...] = ()
    message: str = ""
    is_order: bool = False
    replaces: str = ""

    def narrowed(self, items: Sequence[Item]) -> Spoken:
        """Return it with only those sentences of the message that mention one of `items` and correct nothing else."""
        weighty = [item for item in items if item.is_weighty]
        near = [passage for passage in parse_passages(self.message) if any(map(passage.has, weighty))]
        kept = dict.fromkeys(passage.sentence for passage in near if not is_correction(passage.sentence))
        return replace(self, message=" ".join(kept))

    @property
    def everything(self) -> str:
        """All that the user said up to then."""
        return " ".join((self.told, *self.before))

    @property
    def told(self) -> str:
        """The statements of the message: the sentence, and the assertions beside it."""
        beside = (passage.sentence for passage in parse_passages(self.message) if passage.modality is Modality.FACT)
        return " ".join(dict.fromkeys((self.sentence, *beside)))

    @property
    def heard(self) -> str:
        """All that the message mentions, even what it asks or denies."""
        return f"{self.sentence} {self.message}"

    @property
    def has_change(self) -> bool:
        """Whether it states something with a word of change: "switched", "now", "no longer"."""
        return _CHANGED.search(self.told) is not None

    @property
    def is_change(self) -> bool:
        """Whether the user says it as a change or correction, or of something mentioned before."""
        return self.has_change or (
            self.sentence.isascii()
            and not is_foreign(self.sentence)
            and any(passage.points for passage in parse_passages(self.sentence))
        )

    def is_addition(self, items: Sequence[Item] = ()) -> bool:
        """Whether the user adds `items`, or the whole sentence, to what holds: "also", "as well", "another"."""
        passages = parse_passages(self.sentence) if items else ()
        holders = [passage.text for passage in passages if any(map(passage.has, items))]
        return any(_SAID["in_addition"].search(holder) for holder in holders or [self.sentence])

    def puts_in_place(self, item: Item) -> bool:
        """Whether `item` stands right after a word that puts it in the place of another: "switched to soy"."""
        place = re.search(rf"\b{re.escape(item.text)}", self.told, re.IGNORECASE)
        return place is not None and _SWAPPED.search(self.told[: place.start()]) is not None


class Replacement(NamedTuple):
    """A value and what replaces it: `spans` are where the older text has it, `come` the items of the new one.

    `is_whole`: the newer text says all the rest of the older one. `older` and `newer` are both values in words.
    """

    spans: tuple[tuple[int, int], ...]
    is_whole: bool
    older: str
    newer: str
    come: tuple[Item, ...]

    @classmethod
    def of(cls, gone: Sequence[Item], come: Sequence[Item], left: Sequence[Item], older: str) -> Replacement:
        """Return that `come` replaces `gone` in the text `older`, of which the newer text leaves `left` unsaid."""
        old, new = (" ".join(dict.fromkeys(item.text for item in side)) for side in (gone, come))
        spans: list[tuple[int, int]] = []
        for start, end in _spans(gone, older):
            is_beside = bool(spans) and start - spans[-1][1] <= 1
            spans[-1:] = [(spans[-1][0], end)] if is_beside else [*spans[-1:], (start, end)]
        return cls(tuple(spans), not left, old, new, tuple(come))


def find_replacement(older: str, newer: str, spoken: Spoken, *, is_known: bool = False) -> Replacement | None:
    """Return the value of the memory `older` that the user's word replaces in `newer`; None if that is not certain.

    `is_known`: both are known to be of one thing, and so need share no more than a word.
    """
    own, newer = parse_passages(newer), without_rejected(newer)
    if _SAID["was"].search(older) or denies(newer):
        return None
    sides = Sides.of(older, newer, spoken.everything)
    rejected = _find_rejected(sides, spoken, own)
    if rejected is not None:
        return rejected
    if sides.shared < SOFT or not all(sides.values):
        return None
    spoken = spoken.narrowed([*sides.gone, *sides.come])
    stated = parse_mentions(spoken.told)
    is_told = spoken.is_change or spoken.is_order
    pair = pair_values(sides, stated, parse_mentions(spoken.heard), is_named_only=not is_told)
    if pair is None or not _spans(pair.gone, older) or not _is_change(pair, sides, spoken):
        return None
    kinds = [item for item in sides.gone if not _stands_apart(item, pair.gone, older)]
    kinds += [item for item in sides.come if not _stands_apart(item, pair.come, newer)]
    if _are_apart(older, newer, keys_in([*pair.gone, *pair.come, *kinds])) or not _may_go(pair, sides, spoken):
        return None
    left = [item for item in sides.gone if item not in pair.gone and item.is_weighty]
    added = [item for item in sides.come if item not in pair.come and item.is_weighty]
    # What the user mentioned in giving the old value, if that is known.
    before = map(parse_mentions, reversed(spoken.before))
    answered = next((mentions for mentions in before if all(map(mentions.has, pair.gone))), None)
    is_placed = pair.is_in_place or pair.is_named or pair.is_number
    is_one = is_placed and _share_enough(sides, pair, left, added, is_answered=answered is not None)
    # The user explicitly says that a number or a name has changed.
    is_plain = spoken.has_change or spoken.is_order or pair.is_named
    is_plain = is_plain and (pair.is_number or (pair.is_in_place and not pair.has_words))
    if not (is_one or is_known or (is_plain and is_at_odds(older, newer))):
        return None
    if _is_of_another(left, answered, stated, sides, pair) or _narrows(added, answered, sides, pair, spoken):
        return None
    if not (is_one and pair.is_named) and _tells_another_verb(left, added, answered, stated, newer):
        return None
    return Replacement.of(pair.gone, pair.come, left, older)


def _find_rejected(sides: Sides, spoken: Spoken, own: Sequence[Passage]) -> Replacement | None:
    """Return the value that the user explicitly sets aside while another one of its kind holds: "8181, not 8080"."""
    passages = parse_passages(spoken.message or spoken.sentence)
    gone, come, kept = (
        [item for item in side if item.is_weighty and not is_verb(item.text)]
        for side in (sides.gone, sides.come, sides.kept)
    )
    rejected = [item for item in gone if any(passage.rejects(item) for passage in own)]
    rejected = rejected or [item for item in gone if any(passage.rejects(item) for passage in passages)]
    stated = [item for item in come if any(passage.has(item) and passage.modality in _TOLD for passage in passages)]
    stated = [item for item in stated if item.is_hard] or stated
    pairs = [(old, new) for old in rejected for new in stated if _are_alike(old, new)]
    if not pairs or not kept or spoken.is_addition(come) or not _spans(rejected, sides.older):
        return None
    added = [item for item in come if item not in stated]
    if _are_apart(sides.older, sides.newer, keys_in([*rejected, *stated])):
        return None
    if added and sum(item.weight for item in kept) <= sum(item.weight for item in added):
        return None
    left = [item for item in gone if item not in rejected]
    return Replacement.of(rejected, [other for _, other in pairs], left, sides.older)


def _are_alike(item: Item, other: Item) -> bool:
    """Whether two items may be two values of one thing: numbers of one kind, or no numbers."""
    if item.number is None or other.number is None:
        return item.number is other.number
    return item.number.is_rival(other.number)


def _is_change(pair: Pair, sides: Sides, spoken: Spoken) -> bool:
    """Whether the user gives the new value as a change: in words of change, of something mentioned, or beside the old.

    Beside the old value it counts only if that was said before: who says both at once may mean both. Common words count
    only with a word of change.
    """
    if spoken.is_addition(pair.come):
        return False
    is_known = all(map(join(map(parse_mentions, spoken.before)).has, pair.gone))
    if pair.has_words and not sides.is_one_sentence:
        return (is_known or pair.is_named) and spoken.has_change
    return spoken.is_change or spoken.is_order or (pair.is_named and is_known)


def _share_enough(sides: Sides, pair: Pair, left: Sequence[Item], added: Sequence[Item], *, is_answered: bool) -> bool:
    """Whether two memories share as much as they differ in, and more than the subject if anything else differs."""
    rest = [item for item in left if _stands_apart(item, pair.gone, sides.older)]
    rest += [item for item in added if _stands_apart(item, pair.come, sides.newer)]
    differing = sum(item.weight for item in rest if not (pair.is_named and is_verb(item.text)))
    if pair.has_words and rest:
        return False
    shared = sides.shared
    is_more_shared = sides.is_one_sentence or any(not item.keys & parse_opening(sides.older) for item in sides.kept)
    is_about_it = is_more_shared or (
        shared > SOFT if pair.is_named else not any(_stands_before(item, pair, sides.older) for item in left)
    )
    least = SOFT if is_answered or pair.is_named else _LEAST_SHARED
    return shared >= max(least, differing) and (pair.is_number or is_about_it)


def _stands_apart(word: Item, value: Sequence[Item], text: str) -> bool:
    """Whether a word does not stand right before a value and name its kind: "the restaurant La Encina"."""
    begin = min((start for item in value for start, _ in find_places(item.text, text)), default=0)
    return all(end != begin - 1 for _, end in find_places(word.text, text))


def _stands_before(item: Item, pair: Pair, text: str) -> bool:
    """Whether a word stands before a value, and does not name its kind: "went to the restaurant La Encina"."""
    begin = min(start for value in pair.gone for start, _ in find_places(value.text, text))
    return any(end < begin for _, end in find_places(item.text, text)) and _stands_apart(item, pair.gone, text)


def _may_go(pair: Pair, sides: Sides, spoken: Spoken) -> bool:
    """Whether the old value may be replaced at all: a subject of the older memory only if the user names both values.

    Of several values that may hold at once, one is replaced only if the user names it with a word of change, or puts
    the new one in its place. An amount is never one of several.
    """
    is_of_several = not WORDS["many_at_once"].isdisjoint(token.low for token in parse_tokens(sides.older))
    is_put = (pair.is_named and spoken.has_change) or all(map(spoken.puts_in_place, pair.come))
    if is_of_several and not pair.is_number and not is_put:
        return False
    if any(item.number is not None and _names_by_number(item, sides.older) for item in pair.gone):
        return False
    is_subject = bool(keys_in(pair.gone) & parse_opening(sides.older))
    if is_subject and are_contrary(keys_in(pair.gone), keys_in(pair.come)):
        return False  # "staging" and "production" exist side by side
    return pair.is_number or pair.is_named or not is_subject


def _names_by_number(item: Item, text: str) -> bool:
    """Whether a number belongs to the name of the subject, and counts nothing: "Invoice 1042 is paid"."""
    place = next(iter(find_places(item.text, text)), (0, 0))
    before, after = parse_tokens(text[: place[0]]), parse_tokens(text[place[1] :])
    is_subject = bool(before) and not any(is_verb(token.low) for token in before[1:])
    return is_subject and bool(after) and is_verb(after[0].low)


def parse_opening(text: str) -> frozenset[str]:
    """Return the keys of the words before the first verb of a memory."""
    tokens = parse_tokens(text)
    lows = [token.low for token in tokens]
    verb = next((i for i in range(1, len(lows)) if _is_predicate(*lows[i - 1 : i + 2])), 0)
    return words_of(tokens[:verb])


def _is_predicate(before: str, word: str, after: str = "") -> bool:
    """Whether a word is a verb where it stands: not "return" in "the user's return flight", nor in "the return is"."""
    is_one = word in AUXILIARIES or (is_verb(word) and after not in AUXILIARIES)
    return word != "s" and is_one and before not in BEFORE_NOUNS


def _spans(items: Iterable[Item], text: str) -> list[tuple[int, int]]:
    """Return the sorted spans where a text has some items; none for an item in another spelling."""
    return sorted({span for item in items for span in find_places(item.text, text)})


def _is_of_another(left: Sequence[Item], answered: Mentions | None, stated: Mentions, sides: Sides, pair: Pair) -> bool:
    """Whether only the older memory says of whom or of what its value is.

    If the user's words that gave the value are known (`answered`), only what the user said counts; else all of `left`.
    """
    before = [item for item in left if _stands_before(item, pair, sides.older)]
    if answered is None:
        return bool(before)
    return any(answered.has(item) and not stated.has(item) and not is_verb(item.text) for item in before)


def _tells_another_verb(
    left: Sequence[Item], added: Sequence[Item], answered: Mentions | None, stated: Mentions, newer: str
) -> bool:
    """Whether the user uses another verb for the new value than for the old one: "lives in", "studies in"."""
    aside = _SAID["aside"].search(newer)
    main = newer[: aside.start() if aside else None].casefold()
    verbs = [item for item in added if is_verb(item.text) and item.text in main]
    verbs = [verb for verb in verbs if stated.has(verb) and not _CHANGED.search(verb.text)]
    if answered is None:
        return bool(verbs)
    is_left = any(is_verb(item.text) and answered.has(item) for item in left)
    return any(is_left or not answered.has(verb) for verb in verbs)


def _narrows(added: Sequence[Item], answered: Mentions | None, sides: Sides, pair: Pair, spoken: Spoken) -> bool:
    """Whether the newer memory adds of whom, of what or when its value holds, which a summary would not supply.

    A word of its subject that the user has said at any time adds nothing if the user also said it with the old value. A
    word that the user never said counts if it names a kind.
    """
    everything = parse_mentions(spoken.everything)
    opening = parse_opening(sides.newer) or keys_in(parse_items(sides.newer))
    places = [place for item in pair.come for place in find_places(item.text, sides.newer)]
    begin, end = min((start for start, _ in places), default=0), max((stop for _, stop in places), default=0)
    since, aside = _SAID["since"].match(sides.newer), _SAID["aside"].search(sides.newer, end)
    limit = aside.start() if aside else len(sides.newer)
    read = None if is_foreign(spoken.sentence) else answered
    for item in added:
        start, after = next(iter(find_places(item.text, sides.newer)), (0, 0))
        if after == begin - 1 or (since is not None and after <= since.end()):
            continue  # what kind the value is of, or since when it holds
        is_another = read is None or (not read.has(item) if everything.has(item) else _tells_kind(after, sides))
        if (is_another and keys_in([item]) & opening) or (end <= start < limit and not is_verb(item.text)):
            return True
    return False


def _tells_kind(after: int, sides: Sides) -> bool:
    """Whether a word that both memories have starts right after the position `after` of the newer: "return flight"."""
    return any(start == after + 1 for item in sides.kept for start, _ in find_places(item.text, sides.newer))


def _are_apart(older: str, newer: str, paired: frozenset[str]) -> bool:
    """Whether the two speak of two things of one kind ("staging" and "production"), or of two people's things.

    The keys of the values that change are `paired`: "oat milk" and "soy milk" are not told apart by them.
    """
    words, others = (keys_in(parse_items(text)) - paired for text in (older, newer))
    if PEOPLE_KEYS & (words ^ others):
        return True
    if are_contrary(words - others, others - words) or set(_LABEL.findall(older)) != set(_LABEL.findall(newer)):
        return True
    kinds, other_kinds = _parse_kinds(older), _parse_kinds(newer)
    shared = kinds.keys() & other_kinds
    return any(kinds[key] in words - others and other_kinds[key] in others - words for key in shared)


def _parse_kinds(text: str) -> dict[str, str]:
    """Return for each key the key right before it, without verbs: "ships parcels" names no kind of parcels."""
    tokens = [token for token in parse_tokens(text) if not (token.low.endswith(("s", "ed")) and is_verb(token.low))]
    keyed = [(token.keys, following.keys) for token, following in pairwise(tokens)]
    pairs = ((before[-1], after[0]) for before, after in keyed if before and after)
    return {key: kind for kind, key in pairs if kind not in LIGHT_KEYS and kind.isalpha()}
