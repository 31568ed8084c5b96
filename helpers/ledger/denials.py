"""What the user denies, says the other way round, or says with another word (T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..language.keys import FRAME_KEYS, KeyedToken, keys_of, parse_tokens, words_of
from ..language.verbs import is_verb
from ..language.vocabulary import OPPOSITE_PREPOSITIONS, REVERSERS, WORDS
from ..language.wordings import read_patterns
from .clause_contents import are_forms, parse_clause
from .mentions import GENERAL_KEYS, SOFT, Item, find_places
from .misplacements import split_parts
from .passages import TIME_KEYS, Passage
from .reports import DENIAL, SentenceReport, denies, is_negative
from .testimony import Testimony, are_contrary

_SAID: Final = read_patterns("utterances")
#: What has so much of a memory's words is compared with it word by word.
_CLOSE: Final = 0.6
_PAIRS: Final = tuple(one.split() for one in OPPOSITE_PREPOSITIONS)
_OPPOSITES: Final = {one: other for one, other in (*_PAIRS, *(pair[::-1] for pair in _PAIRS))}
_USER_KEYS: Final = keys_of(("user",))
_NEVER_IN_PLACE: Final = keys_of(WORDS["never_in_place"])
_ENDS: Final = keys_of(REVERSERS) - keys_of(("like",))


def is_denial_kept(testimony: Testimony) -> str:
    """The user denies what the memory affirms, or denies nothing where it denies."""
    memory, proof = testimony.memory, testimony.proof
    text = memory.sentence.text
    is_denial, is_turned = denies(text), any(token.has_polarity for token in parse_tokens(text))
    for item in testimony.own:
        holders = [one for one in proof if one.has(item)]
        denied = [one for one in holders if is_denied(item, one)]
        if not is_turned and len(denied) == len(holders) and not memory.earlier.has(item):
            return f"the user denied {item.text}"
    for item in memory.items:
        is_affirmed = any(one.mentions.has(item) for one in testimony.heard)
        is_aside = any(one.has(item) or one.is_other_language for one in testimony.heard)
        if item.is_aside and item.weight >= SOFT and is_affirmed and not is_aside:
            return f"the user did not deny {item.text}"
    if not is_denial:
        return ""
    negates = is_negative if is_negative(text) and not _SAID["exception"].search(text) else denies
    if not any(negates(one.sentence) or one.is_other_language or _ends(one) for one in testimony.heard):
        return "the user denied nothing"
    for place, item in enumerate(_find_denied(memory)):
        holders = [one for one in testimony.heard if one.has(item)]
        is_unsaid = not holders and place == 0 and not is_verb(item.text) and not testimony.is_foreign
        is_affirmed = not any(denies(one.text) or one.is_other_language or _ends(one) for one in holders)
        if place == 0 and not any(item.keys & one.clause.denied or is_negative(one.text) for one in holders):
            is_affirmed |= any(item.keys and item.keys <= one.clause.affirmed for one in holders)
        if is_unsaid or (holders and is_affirmed):
            return f"the user did not deny {item.text}"
    return ""


def is_denied(item: Item, passage: Passage) -> bool:
    """Whether a passage denies `item`; up to a limit it does not: "no more than 40"."""
    is_number_denied = item.number is not None and denies(_SAID["opening_no"].sub("", passage.text))
    return (is_number_denied or not item.keys.isdisjoint(passage.clause.denied)) and not _is_limited(passage)


def _is_limited(passage: Passage) -> bool:
    return _SAID["limited"].search(passage.text) is not None and DENIAL.search(passage.text) is not None


def _ends(passage: Passage) -> bool:
    """Whether a passage denies by a verb of an end: "we dropped Redis"."""
    return not passage.clause.words.isdisjoint(_ENDS) or bool(passage.clause.denied)


def _find_denied(memory: SentenceReport) -> list[Item]:
    """Return what a memory denies, in order: the words after its denial, up to the next part."""
    denial = DENIAL.search(memory.sentence.text)
    rest = split_parts(memory.sentence.text[denial.end() :]) if denial else []
    text = rest[0].casefold() if rest else ""
    found = [one for one in memory.items if one.weight >= SOFT and one.number is None and find_places(one, text)]
    return sorted(found, key=lambda one: find_places(one, text))


def is_turned_round(testimony: Testimony) -> str:
    """What says most of the memory is denied, and the memory is not: "No one uses it", "I didn't quit"."""
    memory = parse_clause(testimony.text)
    is_plain = not memory.is_negated and not memory.denied
    ends = memory.words & _ENDS
    verbs = words_of(one for one in parse_tokens(testimony.text) if is_verb(one.low))
    if not (is_plain or ends) or denies(testimony.text):
        return ""
    affirmed = frozenset().union(*(one.clause.affirmed for one in testimony.proof))
    if is_plain and any(
        one.clause.is_elliptical and not one.clause.words & memory.words <= affirmed for one in testimony.proof
    ):
        return "the user said the opposite"
    said = [one for one in testimony.proof if (one.clause.is_negated or one.clause.denied) and not _is_limited(one)]
    most = max((len(one.clause.words & memory.words) for one in testimony.proof), default=0)
    for one in said:
        shared = one.clause.words & memory.words
        if len(shared) < most or shared <= GENERAL_KEYS:
            continue
        if ends & one.clause.words:
            is_opposite = denies(one.text)
        else:
            is_done = bool(verbs & one.clause.denied)
            is_opposite = not ends and (
                is_done
                or not (one.clause.affirmed or one.clause.denied)
                or (bool(shared & one.clause.denied) and shared.isdisjoint(one.clause.affirmed))
            )
        if is_opposite:
            return "the user said the opposite"
    return ""


def is_reversed(testimony: Testimony) -> str:
    """Who or what stands on the other side of the verb between them: "Maria reports to Anna"."""
    if testimony.is_foreign:
        return ""
    tokens = parse_tokens(testimony.text)
    names = frozenset().union(
        ("user",), *(one.keys for one in testimony.memory.items if _is_capital(one, testimony.text))
    )
    for at, token in enumerate(tokens):
        key = token.keys[0] if token.keys else token.low
        is_between = token.low in WORDS["orders"] or (token.keys and is_verb(token.low) and token.low != "is")
        is_passive = at + 1 < len(tokens) and tokens[at + 1].low == "by"
        if not is_between or is_passive:
            continue
        before, after = _sides(tokens[:at], "user"), _sides(tokens[at + 1 :], "user")
        for sentence in dict.fromkeys(one.sentence for one in testimony.proof):
            if _SAID["cleft"].search(sentence):
                continue
            said = parse_tokens(sentence)
            places = [place for place, one in enumerate(said) if key in (one.low, *one.keys)]
            if len(places) != 1:
                continue
            first, second = _sides(said[: places[0]], ""), _sides(said[places[0] + 1 :], "")
            is_swapped = before & second and after & first
            if token.low in WORDS["orders"]:
                first, second = first - _USER_KEYS, second - _USER_KEYS
            if is_swapped and _is_none_fixed(before & first, names) and _is_none_fixed(after & second, names):
                return "the user said it the other way round"
    return ""


def _is_capital(item: Item, text: str) -> bool:
    """Whether a memory writes a word with a capital, be it only because it opens the sentence."""
    return bool(item.name) or any(one.casefold() == item.text and one[0].isupper() for one in re.findall(r"\w+", text))


def _is_none_fixed(words: frozenset[str], names: frozenset[str]) -> bool:
    """Whether none of the names, or of the words where there are no names, stays on its side."""
    return words.isdisjoint(names) if len(names) > 1 else not words


def _sides(tokens: Sequence[KeyedToken], user: str) -> frozenset[str]:
    """Return the keys of some words, and the user as one of them."""
    is_user = any(one.low == user or (not user and one.low in WORDS["who_speaks"]) for one in tokens)
    return (words_of(tokens) - FRAME_KEYS) | (frozenset(("user",)) if is_user else frozenset())


def is_exchanged(testimony: Testimony) -> str:
    """Another word of a kind, or any other word in the same place: "weekly" for "daily", "builds" for "sells"."""
    memory, proof = testimony.memory, testimony.proof
    said = frozenset().union(*(one.mentions.words for one in proof))
    words = memory.words.words - TIME_KEYS
    if are_contrary(words, said - words - TIME_KEYS):
        return "the user said another thing"
    extra, others = words - said - GENERAL_KEYS, said - memory.words.words - GENERAL_KEYS - _NEVER_IN_PLACE
    if testimony.is_foreign or not testimony.text.isascii():
        return ""
    order = tuple(key for token in parse_tokens(testimony.text) for key in token.keys if key not in FRAME_KEYS)
    places = {(left, right): word for left, word, right in _neighbours(order) if word in extra}
    close = [one for one in proof if len(one.clause.words & memory.words.words) >= _CLOSE * len(memory.sentence.words)]
    for one in close if places else ():
        for left, word, right in _neighbours(one.clause.order):
            is_other = word in others and word.isalpha() and (left, right) in places
            if is_other and not are_forms(places[left, right], word):
                return "the user used another word in its place"
    return ""


def _neighbours(order: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    return zip(order, order[1:], (*order[2:], ""), strict=False)


def is_another_period(testimony: Testimony) -> str:
    """Both say how often, and not of the same period: "twice a week", "twice a month"."""
    texts = (testimony.text, " ".join(one.text for one in testimony.proof))
    one, two = ({_period(match) for match in _SAID["each_time"].finditer(each)} for each in texts)
    return "the user said another period" if one and two and one.isdisjoint(two) else ""


def _period(match: re.Match[str]) -> str:
    word = (match[1] or match[2]).casefold()
    return "day" if word == "daily" else word.removesuffix("ly")


def is_opposed(testimony: Testimony) -> str:
    """The same word stands behind the opposite one: "from Barnaby", "to Barnaby"."""
    told = {match["word"].casefold(): match["before"].casefold() for match in _SAID["opposed"].finditer(testimony.text)}
    for sentence in dict.fromkeys(one.sentence for one in testimony.proof):
        said: dict[str, set[str]] = {}
        for match in _SAID["opposed"].finditer(sentence):
            said.setdefault(match["word"].casefold(), set()).add(match["before"].casefold())
        for word, before in told.items():
            if said.get(word) == {_OPPOSITES[before]} and denies(sentence) == denies(testimony.text):
                return f"the user said {_OPPOSITES[before]} {word}"
    return ""
