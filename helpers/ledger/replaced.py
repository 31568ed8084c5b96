"""Whether the user's new word puts another value in the place of one that an older memory holds (C-41, T-03).

A correction in passing names no slot: "it got pushed, we ship on the 9th". So the two memories are laid beside each
other: both speak of the same things, each has one value of a kind that the other lacks, what the user said gives the
new one as a change, and nothing of what the user said is of something else. Only the old value is marked. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ..language.keys import keys_of, parse_tokens, words_of
from ..language.modality import Modality
from ..language.sentences import is_foreign
from ..language.verbs import is_verb
from ..language.vocabulary import WORDS
from ..language.wordings import read_patterns
from ..patterns import regex
from .clause_contents import without_rejected
from .mentions import LIGHT_KEYS, PEOPLE_KEYS, SOFT, Item, Mentions, find_places, join, parse_items, parse_mentions
from .pairing import BEFORE_NOUNS, Pair, Sides, pair_values
from .passages import AUXILIARIES, TIME_KEYS, Passage, parse_passages
from .spoken import Spoken, is_change
from .spoken_values import POINTS_IN_TIME
from .testimony import are_contrary, denies

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
    told = parse_mentions(spoken.told)
    is_plain = spoken.is_change or spoken.is_order
    pair = pair_values(sides, told, parse_mentions(spoken.heard), is_named_only=not is_plain)
    if (
        pair is None
        or not _is_change(pair, sides, spoken)
        or not (_spans(pair.gone, older) and _spans(pair.come, newer))
    ):
        return None
    paired = {*pair.gone, *pair.come}
    kinds = [one for one in sides.gone if not _stands_apart(one, pair.gone, older)]
    kinds += [one for one in sides.come if not _stands_apart(one, pair.come, newer)]
    if _are_apart(older, newer, _keys_of([*paired, *kinds])) or not _may_go(pair, sides, spoken):
        return None
    left = [one for one in sides.gone if one not in paired and one.weight >= SOFT]
    added = [one for one in sides.come if one not in paired and one.weight >= SOFT]
    answered = _find_answered(pair, spoken)
    is_one = (pair.is_in_place or pair.is_named or pair.is_number) and _share_enough(
        sides, pair, left, added, is_known=answered is not None or pair.is_named
    )
    if not (is_one or is_known or (_is_plain(pair, spoken) and _is_alike(sides, pair, likeness))):
        return None
    if not pair.is_named and (
        _names_a_kind(pair, left, older) or _is_another_relation(left, added, answered, sides, spoken)
    ):
        return None
    if _is_of_another(left, answered, told, sides, pair) or _narrows(added, answered, sides, pair, spoken):
        return None
    spans = _joined(_spans(pair.gone, older))
    old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in (pair.gone, pair.come))
    return Replacement(spans, not left, old, new, pair.come)


def _find_rejected(sides: Sides, spoken: Spoken, own: Sequence[Passage]) -> Replacement | None:
    """Return what the user sets aside in so many words, where another value of the kind holds: "8181, not 8080".

    Or what the newer memory sets aside in its `own` words, though the user names it of something else as well.
    """
    passages = parse_passages(spoken.message or spoken.sentence)
    differing = [one for one in sides.gone if one.weight >= SOFT and not is_verb(one.text)]
    rejected = [one for one in differing if any(two.rejects(one) for two in passages)]
    rejected = [one for one in rejected if not any(two.has(one) for two in passages)]
    gone = [one for one in differing if any(two.rejects(one) for two in own)] or rejected
    come = [one for one in sides.come if one.weight >= SOFT and not is_verb(one.text)]
    if spoken.is_addition(come):
        return None
    come = [one for one in come if any(two.has(one) and two.modality in _TOLD for two in passages)]
    come = [one for one in come if one.is_hard] or come
    pairs = [(one, other) for one in gone for other in come if _are_alike(one, other)]
    spans = _spans(gone, sides.older)
    shared = [one for one in sides.kept if one.weight >= SOFT and not is_verb(one.text)]
    if not pairs or not spans or not shared or _are_apart(sides.older, sides.newer, _keys_of([*gone, *come])):
        return None
    left = [one for one in differing if one not in gone]
    added = [one for one in sides.come if one.weight >= SOFT and one not in come and not is_verb(one.text)]
    added = [one for one in added if not one.keys <= _AGE_KEYS]
    if added and sum(one.weight for one in shared) <= sum(one.weight for one in added):
        return None
    old, new = (" ".join(dict.fromkeys(one.text for one in side)) for side in (gone, come))
    return Replacement(_joined(spans), not left, old, new, tuple(other for _, other in pairs))


def _are_alike(one: Item, other: Item) -> bool:
    """Whether two may be two values of one thing: numbers of a kind, or none of them a number."""
    if one.number is not None and other.number is not None:
        return one.number.is_rival(other.number)
    return one.number is None and other.number is None


def _is_change(pair: Pair, sides: Sides, spoken: Spoken) -> bool:
    """Whether the user gives the new value as a change: in such words, of what was spoken of, or beside the old one.

    The old one must have been said before: who says both at once may mean both. Common words are a value only where
    the old ones were said before and the new ones only now, in words of change.
    """
    if spoken.is_addition(pair.come):
        return False
    before = join(map(parse_mentions, spoken.before))
    is_known = all(map(before.has, pair.gone))
    if pair.has_words and not sides.is_one_sentence:
        is_new = is_known and not all(map(before.has, pair.come))
        return (is_new or pair.is_named) and spoken.has_change
    return spoken.is_change or spoken.is_order or (pair.is_named and is_known)


def _is_measure(pair: Pair) -> bool:
    """Whether the values are two amounts, of which one thing has one."""
    numbers = [one.number for side in (pair.gone, pair.come) for one in side if one.number is not None]
    return pair.is_number and all(one.dimension not in POINTS_IN_TIME for one in numbers)


def _share_enough(sides: Sides, pair: Pair, left: Sequence[Item], added: Sequence[Item], *, is_known: bool) -> bool:
    """Whether two memories share as much as they differ in, and more than whom they are of where they differ in more.

    Common words are a value only in what is nearly one sentence.
    """
    rest = [one for one in left if _stands_apart(one, pair.gone, sides.older)]
    rest += [one for one in added if _stands_apart(one, pair.come, sides.newer)]
    shared = _weigh_shared(sides)
    differing = sum(one.weight for one in rest if not (pair.is_named and not pair.has_words and is_verb(one.text)))
    if pair.has_words and differing:
        return False
    is_more_shared = sides.is_one_sentence or any(not one.keys & parse_opening(sides.older) for one in sides.kept)
    is_about_it = is_more_shared or (
        shared > SOFT
        if pair.is_named
        else not (pair.has_words or any(_stands_before(one, pair, sides.older) for one in left))
    )
    return shared >= max(SOFT if is_known else _LEAST_SHARED, differing) and (pair.is_number or is_about_it)


def _weigh_shared(sides: Sides) -> float:
    return sum(SOFT if one.keys & _LIVING else one.weight for one in sides.kept)


def _is_plain(pair: Pair, spoken: Spoken) -> bool:
    """Whether the user says in so many words that it has changed, not only of what was spoken of before."""
    return spoken.has_change or spoken.is_order or pair.is_named


def _is_alike(sides: Sides, pair: Pair, likeness: Likeness | None) -> bool:
    """Whether two memories that share a thing beside whom they are of mean the same but for their names or numbers."""
    things = [
        one
        for one in sides.kept
        if one.weight >= SOFT
        and not is_verb(one.text)
        and not one.keys & PEOPLE_KEYS
        and not sides.older.casefold().startswith(one.text)
    ]
    if likeness is None or not (pair.is_number or (pair.is_in_place and not pair.has_words)) or not things:
        return False
    texts = (_without(pair.gone, sides.older), _without(pair.come, sides.newer))
    cosines = likeness(texts[0], [texts[1]])
    return bool(cosines) and cosines[0] >= _LEAST_ALIKE


def _without(items: Sequence[Item], text: str) -> str:
    for begin, end in sorted((span for one in items for span in find_places(one, text)), reverse=True):
        text = f"{text[:begin]}{text[end:]}"
    return " ".join(text.split())


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
    if not WORDS["many_at_once"].isdisjoint(token.low for token in parse_tokens(sides.older)) and not _is_measure(pair):
        is_put = all(spoken.puts_in_place(one) for one in pair.come)
        if not is_put and not (pair.is_named and spoken.has_change):
            return False
    if any(one.number is not None and _names_by_number(one, sides.older) for one in pair.gone):
        return False
    subject = parse_opening(sides.older)
    if any(one.keys & subject for one in pair.gone) and _are_rivals(pair):
        return False
    is_role = sides.is_one_sentence and spoken.is_change and _SAID["role"].search(sides.older) is not None
    return pair.is_number or pair.is_named or is_role or all(not one.keys & subject for one in pair.gone)


def _are_rivals(pair: Pair) -> bool:
    """Whether the values are two of a kind that are side by side: "staging" and "production"."""
    gone, come = (frozenset().union(*(one.keys for one in side)) for side in (pair.gone, pair.come))
    return are_contrary(gone, come)


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


def _spans(items: Iterable[Item], text: str) -> list[tuple[int, int]]:
    """Return where a text has some items; one that is spelled otherwise there has no place."""
    return sorted({span for one in items for span in find_places(one, text)})


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans with those that stand side by side as one."""
    found = [spans[0]]
    for start, end in spans[1:]:
        found[-1:] = [(found[-1][0], end)] if start - found[-1][1] <= 1 else [found[-1], (start, end)]
    return tuple(found)


def _find_answered(pair: Pair, spoken: Spoken) -> Mentions | None:
    """Return what the user's own words that gave the old value mention, where they are known."""
    heard = [parse_mentions(one) for one in reversed(spoken.before)]
    answered = next((one for one in heard if all(map(one.has, pair.gone))), None)
    if answered is None and any(map(is_foreign, spoken.before)):
        return join(heard)  # in another language the words differ, and so may the value
    return answered


def _is_of_another(left: Sequence[Item], answered: Mentions | None, told: Mentions, sides: Sides, pair: Pair) -> bool:
    """Whether only the older memory says of whom or of what its value is.

    Where the user's words that gave it are known, only what the user said counts; else every word that is `left` does.
    """
    before = [one for one in left if _stands_before(one, pair, sides.older)]
    if answered is None:
        return bool(before) or any(one.is_hard for one in left)
    return any(answered.has(one) and not told.has(one) and (one.is_hard or not is_verb(one.text)) for one in before)


def _names_a_kind(pair: Pair, left: Sequence[Item], text: str) -> bool:
    """Whether the word right after a name went as well: "the MPL licence" has a licence, and no tool, of that name."""
    end = max(place[1] for one in pair.gone for place in find_places(one, text))
    return not pair.is_number and any(start == end + 1 for one in left for start, _ in find_places(one, text))


def _is_another_relation(
    left: Sequence[Item], added: Sequence[Item], answered: Mentions | None, sides: Sides, spoken: Spoken
) -> bool:
    """Whether the user says another verb with the new value than with the old one: "lives in", "studies in"."""
    told = parse_mentions(spoken.told)
    aside = _SAID["aside"].search(sides.newer)
    main = sides.newer[: aside.start()].casefold() if aside else sides.newer.casefold()
    verbs = [one for one in added if is_verb(one.text) and one.text in main]
    come = [one for one in verbs if told.has(one) and not is_change(one.text)]
    gone = [one for one in left if is_verb(one.text) and answered is not None and answered.has(one)]
    return any(answered is None or not answered.has(one) for one in come) or bool(gone and come)


def _narrows(added: Sequence[Item], answered: Mentions | None, sides: Sides, pair: Pair, spoken: Spoken) -> bool:
    """Whether the newer memory says more than a summary supplies: of whom, of what, or when its value holds.

    Of what it is about, what the user has said at any time counts; in another language every word does that tells what
    kind something is of.
    """
    told, everything = parse_mentions(spoken.told), parse_mentions(spoken.everything)
    if any(one.is_hard and not told.has(one) for one in added):
        return True
    opening = parse_opening(sides.newer) or _words(sides.newer)
    begin, end = (
        bound((place[at] for one in pair.come for place in find_places(one, sides.newer)), default=0)
        for at, bound in enumerate((min, max))
    )
    since = _SAID["since"].match(sides.newer)
    aside = _SAID["aside"].search(sides.newer, end)
    limit = aside.start() if aside else len(sides.newer)
    read = None if is_foreign(spoken.sentence) else answered
    for one in added:
        start, after = next(iter(find_places(one, sides.newer)), (0, 0))
        if after == begin - 1 or (since is not None and after <= since.end()):
            continue  # what kind the value is of, or since when it holds
        is_another = read is None or (not read.has(one) if everything.has(one) else _tells_kind(after, sides))
        if (is_another and _keys_of([one]) & opening) or (end <= start < limit and not is_verb(one.text)):
            return True
    return False


def _tells_kind(after: int, sides: Sides) -> bool:
    """Whether a word that both memories have stands right after a place of the newer one: "return flight"."""
    return any(start == after + 1 for one in sides.kept for start, _ in find_places(one, sides.newer))


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


def _keys_of(items: Iterable[Item]) -> frozenset[str]:
    return frozenset().union(*(one.keys | words_of(parse_tokens(one.text)) for one in items))


def _words(text: str) -> frozenset[str]:
    return frozenset().union(*(one.keys for one in parse_items(text)))
