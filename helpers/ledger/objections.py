"""Objections: why a sentence of a memory is not the user's word, though the user said its words.

Each objection reads the sentence beside the message that seems to say it, and returns its reason in words, or an empty
text. One objection is enough: to miss a word of the user's costs less than to put one into the user's mouth. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ..language.keys import FRAME_KEYS, KeyedToken, keys_of, parse_tokens, words_of
from ..language.sentences import is_foreign
from ..language.verbs import inflection_of, is_verb
from ..language.vocabulary import OPPOSITE_PREPOSITIONS, PEOPLE, REVERSERS, WORDS, read_patterns
from .conversation import Testimony, items_in
from .memory_sentence import MemorySentence
from .mentions import (
    GENERAL_KEYS,
    LIGHT_KEYS,
    NAME_KEYS,
    Item,
    are_contrary,
    are_forms,
    are_rivals,
    denies,
    in_first_person,
    is_about_user,
    is_negative,
    parse_clause,
    parse_items,
    parse_mentions,
)
from .passages import AUXILIARIES, BEFORE_SUBJECT, TIME_KEYS, Passage, parse_passages
from .spoken_values import find_spoken, is_among

_SAID: Final = read_patterns("utterances")
_PAIRS: Final = tuple(preposition.split() for preposition in OPPOSITE_PREPOSITIONS)
_OPPOSITES: Final = {preposition: opposite for preposition, opposite in (*_PAIRS, *(pair[::-1] for pair in _PAIRS))}
USER_KEYS: Final = keys_of(("user",))
_ENDS: Final = keys_of(REVERSERS) - keys_of(("like",))
#: Who speaks, as the subject of a clause; and who is spoken of.
_SPEAKER: Final = WORDS["speaking"] | {"my", "our"}
_THIRD: Final = WORDS["spoken_of"]
_SOMEBODY: Final = PEOPLE | WORDS["strangers"]


def is_made_up(testimony: Testimony) -> str:
    """Object if nobody said a word of a kind that memorizers make up: a count, a name, the end of the sentence.

    In a memory that rewrites others every noun counts: its writer has heard nothing else.
    """
    memory, heard = testimony.memory, testimony.conversation.heard
    if _SAID["own_name"].search(testimony.text) and not (testimony.is_foreign or memory.is_variant):
        is_told = any(not passage.mentions.words.isdisjoint(NAME_KEYS) for passage in testimony.proof)
        return "" if is_told else "the user told no name"
    unsaid = [item for item in memory.items if item.is_weighty and not heard.has(item)]
    nouns = [item for item in unsaid if not is_verb(item.text)]
    name = _SAID["naming"].search(testimony.text)
    if testimony.conversation[testimony.index].is_memory:
        made_up = nouns
    elif testimony.is_foreign:
        made_up = []
    else:
        made_up = [item for item in unsaid if item.number is not None and not item.is_hard]
        made_up += [item for item in unsaid if name is not None and name["name"].casefold().startswith(item.text)]
        made_up += _find_embroidery(testimony, unsaid, nouns)
    return f"the user never said {made_up[0].text}" if made_up else ""


def _find_embroidery(testimony: Testimony, unsaid: Sequence[Item], nouns: Sequence[Item]) -> list[Item]:
    """Return the words at the end of a memory if nobody said those, and only those: "passed at the first attempt"."""
    ending = _SAID["ending"].search(testimony.text)
    words = [] if ending is None else re.findall(r"[\w-]+", ending[0].casefold())
    end = [item for item in testimony.memory.items if item.is_weighty and item.text in words]
    is_unsaid = all(item in unsaid for item in end) and all(noun in end for noun in nouns)
    return end if is_unsaid and not any(map(testimony.memory.earlier.has, end)) else []


def is_denial_kept(testimony: Testimony) -> str:
    """Object if the user denies what the memory affirms, or does not deny what the memory denies."""
    is_turned = any(token.has_polarity for token in parse_tokens(testimony.text))
    for item in () if is_turned else testimony.own:
        if all(is_denied(item, passage) for passage in testimony.proof if passage.has(item)):
            return f"the user denied {item.text}"
    items = [item for item in testimony.memory.items if item.is_weighty]
    for item in (item for item in items if item.is_aside):
        if any(passage.mentions.has(item) for passage in testimony.heard) and not items_in([item], testimony.heard):
            return f"the user did not deny {item.text}"
    if not denies(testimony.text):
        return ""
    if not any(denies(passage.sentence) or passage.is_other_language or _ends(passage) for passage in testimony.heard):
        return "the user denied nothing"
    for item in (item for item in items if item.is_denied):
        holders = [passage for passage in testimony.heard if passage.has(item)]
        if holders and not any(_denies(item, holder) for holder in holders):
            return f"the user did not deny {item.text}"
    return ""


def _denies(item: Item, passage: Passage) -> bool:
    """Whether a passage may deny `item`: by a word of denial, a verb of an end, or in another language."""
    is_ended = not passage.clause.words.isdisjoint(_ENDS) and not item.keys <= passage.clause.affirmed
    is_denied_there = is_ended or not item.keys.isdisjoint(passage.clause.denied)
    return is_denied_there or is_negative(passage.text) or passage.is_other_language


def is_denied(item: Item, passage: Passage) -> bool:
    """Whether a passage denies `item`; up to a limit it does not: "no more than 40"."""
    if is_negative(passage.text) and _SAID["limited"].search(passage.text):
        return False
    is_number_denied = item.number is not None and denies(_SAID["opening_no"].sub("", passage.text))
    return is_number_denied or not item.keys.isdisjoint(passage.clause.denied)


def _ends(passage: Passage) -> bool:
    """Whether a passage denies by a verb of an end: "we dropped Redis"."""
    return not passage.clause.words.isdisjoint(_ENDS) or bool(passage.clause.denied)


def is_turned_round(testimony: Testimony) -> str:
    """Object if the clause that says most of the memory denies it: "No one uses it", "I didn't quit"."""
    memory = parse_clause(testimony.text)
    ends = memory.words & _ENDS
    if denies(testimony.text) or (memory.denied and not ends):
        return ""
    verbs = words_of(token for token in parse_tokens(testimony.text) if is_verb(token.low))
    clauses = [(passage.text, passage.clause, passage.clause.words & memory.words) for passage in testimony.proof]
    most = max((len(shared) for _, _, shared in clauses), default=0)
    for text, clause, shared in clauses:
        is_opposite = clause.is_elliptical
        if len(shared) == most and (clause.is_negated or clause.denied):
            if ends & clause.words:
                is_opposite |= denies(text)
            elif not ends:
                is_opposite |= bool(verbs & clause.denied) or not (clause.affirmed or clause.denied)
        if is_opposite:
            return "the user said the opposite"
    return ""


def is_reversed(testimony: Testimony) -> str:
    """Object if subject and object of the verb have changed places: "Maria reports to Anna"."""
    tokens = parse_tokens(testimony.text)
    for index, token in enumerate(tokens):
        is_order = token.low in WORDS["orders"]
        is_passive = any(following.low == "by" for following in tokens[index + 1 : index + 2])
        if is_passive or (not is_order and not (token.keys and is_verb(token.low) and token.low != "is")):
            continue
        key = token.keys[0] if token.keys else token.low
        before, after = _sides(tokens[:index], "user"), _sides(tokens[index + 1 :], "user")
        for sentence in dict.fromkeys(passage.sentence for passage in testimony.proof):
            spoken = parse_tokens(sentence)
            places = [place for place, other in enumerate(spoken) if key in (other.low, *other.keys)]
            if len(places) != 1:
                continue
            first, second = _sides(spoken[: places[0]], ""), _sides(spoken[places[0] + 1 :], "")
            if is_order:
                first, second = first - USER_KEYS, second - USER_KEYS
            if before & second and after & first and (is_order or not before & first):
                return "the user said it the other way round"
    return ""


def _sides(tokens: Sequence[KeyedToken], user: str) -> frozenset[str]:
    """Return the keys of some words, with "user" where they name who speaks."""
    names = {user} if user else WORDS["who_speaks"] - {"my", "our"}
    is_user = any(token.low in names for token in tokens)
    return (words_of(tokens) - FRAME_KEYS) | (frozenset(("user",)) if is_user else frozenset())


def is_exchanged(testimony: Testimony) -> str:
    """Object if another word of the same kind stands in a word's place: "weekly" for "daily"."""
    said_words = frozenset().union(*(passage.mentions.words for passage in testimony.proof)) - TIME_KEYS
    words = testimony.memory.mentions.words - TIME_KEYS
    if are_contrary(words, said_words - words):
        return "the user said another thing"
    is_english = testimony.text.isascii() and not testimony.is_foreign
    order = parse_clause(testimony.text).order if is_english else ()
    for clause in (passage.clause for passage in testimony.proof if len(passage.clause.order) == len(order)):
        other = [pair for pair in zip(order, clause.order, strict=True) if pair[0] != pair[1]]
        is_one = len(other) == 1 and order[0] == clause.order[0] and other[0][0] not in said_words
        if is_one and GENERAL_KEYS.isdisjoint(other[0]) and not are_forms(*other[0]):
            return "the user used another word in its place"
    return ""


def is_another_period(testimony: Testimony) -> str:
    """Object if both say how often, but of different periods: "twice a week", "twice a month"."""
    texts = (testimony.text, " ".join(passage.text for passage in testimony.proof))
    periods, said_periods = (
        {"".join(groups).casefold()[:2] for groups in _SAID["each_time"].findall(text)} for text in texts
    )
    return "the user said another period" if periods and said_periods and periods.isdisjoint(said_periods) else ""


def is_opposed(testimony: Testimony) -> str:
    """Object if a word stands behind the opposite preposition: "from Barnaby", "to Barnaby"."""
    placed = _placed(testimony.text)
    for sentence in dict.fromkeys(passage.sentence for passage in testimony.proof):
        said_placed = _placed(sentence)
        for before, word in placed - said_placed:
            if (_OPPOSITES[before], word) in said_placed:
                return f"the user said {_OPPOSITES[before]} {word}"
    return ""


def _placed(text: str) -> set[tuple[str, str]]:
    """Return each preposition of a text that has an opposite, with the word behind it."""
    return {(before.casefold(), word.casefold()) for before, word in _SAID["opposed"].findall(text)}


def is_misplaced(testimony: Testimony) -> str:
    """Object if a value stands beside other words than in the memory: "Vienna 12, Hamburg 31"."""
    pieces = [piece for passage in testimony.heard for piece in _SAID["parting"].split(passage.kept)]
    spoken = [([item for item in parse_items(piece) if item.is_weighty], parse_mentions(piece)) for piece in pieces]
    for part in _SAID["parting"].split(testimony.text):
        items, within = [item for item in parse_items(part) if item.is_weighty], parse_mentions(part)
        for value in (item for item in items if item.is_hard or item.number is not None):
            homes = [index for index, (_, mentions) in enumerate(spoken) if mentions.has(value)]
            for anchor in (item for item in items if item != value and item.number is None) if homes else ():
                places = [index for index, (_, mentions) in enumerate(spoken) if mentions.has(anchor)]
                if not places or any(index in homes for index in places):
                    continue
                others = [item for item in items if item not in (value, anchor)]
                said_beside = (spoken[index][1].has(item) for index in homes for item in others)
                is_topic = max(places) < min(homes) and any(said_beside)
                rivals = (
                    any(are_rivals(value, item) and not within.has(item) for item in spoken[i][0]) for i in places
                )
                if not is_topic and all(rivals):
                    return f"the user said {value.text} of something else"
    return ""


def is_one_of_several(testimony: Testimony) -> str:
    """Object if words in another language give two values of a kind, of which the memory has one."""
    if not testimony.is_foreign or testimony.memory.is_variant or is_foreign(testimony.text):
        return ""
    known, passages = testimony.memory.numbers, testimony.heard
    others = [value for passage in passages for value in passage.mentions.values if not is_among(value, known)]
    for item in testimony.own:
        if item.number is not None and any(map(item.number.is_rival, others)):
            return f"the user may have said {item.text} of something else"
    return ""


def is_of_another(testimony: Testimony) -> str:
    """Object if the memory is about the user, and the user said most of it of somebody else."""
    if not is_about_user(testimony.text):
        return ""
    weighty = [item for item in testimony.own if item.is_weighty]
    if testimony.is_foreign:
        holders = [passage for passage in testimony.proof if items_in(weighty, [passage])]
        strange = weighty if all(_SAID["foreign_other"].match(holder.sentence) for holder in holders) else []
    else:
        held = [(item, [passage for passage in testimony.heard if passage.has(item)]) for item in weighty]
        memory = testimony.memory
        strange = [item for item, holders in held if all(_is_of_another(item, other, memory) for other in holders)]
    is_most = sum(item.weight for item in strange) > sum(item.weight for item in weighty) / 2
    return "the user said it of somebody else" if is_most else ""


def _is_of_another(item: Item, passage: Passage, memory: MemorySentence) -> bool:
    """Whether the nearest subject before `item` in its sentence is not the speaker."""
    begin = max(passage.sentence.find(passage.text), 0)
    before = passage.sentence[: begin + len(passage.text)]
    place = before.casefold().rfind(item.text[:5])
    words = [word.casefold() for word in re.findall(r"[\w']+", before[:place] if place >= 0 else before)]
    for position in reversed(range(len(words))):
        if words[position] in _SPEAKER:
            return False
        if _is_stranger(words[position], memory) or _is_of_a_thing(words[: position + 1], memory):
            return True
    return False


def _is_of_a_thing(words: Sequence[str], memory: MemorySentence) -> bool:
    """Whether words end with a verb in the third person whose subject the memory does not name: "a friend lives"."""
    *before, verb = words
    lemma, letters = inflection_of(verb)
    if letters != "s" or lemma == "be" or not before or before[-1] in ("it", "that", "the", "a"):
        return False
    return not any(map(memory.mentions.knows, keys_of(before[-1:])))


def _is_stranger(word: str, memory: MemorySentence) -> bool:
    """Whether a word stands for somebody whom the memory does not name."""
    stem = word.partition("'")[0]
    return word in _THIRD or (stem in _SOMEBODY and not any(map(memory.mentions.knows, keys_of((stem,)))))


def is_of_the_last_named(testimony: Testimony) -> str:
    """Object if a relative clause says it of a noun that the memory does not name: "the box, which runs"."""
    for passage in testimony.proof:
        opening = passage.sentence[: max(passage.sentence.find(passage.text), 0)]
        before = [token for token in parse_tokens(opening) if token.keys]
        is_known = bool(before) and any(map(testimony.memory.mentions.knows, before[-1].keys))
        if before and not is_known and _SAID["relative"].match(passage.text):
            elsewhere = [other for other in testimony.heard if other is not passage]
            only = [item for item in items_in(testimony.own, [passage]) if not items_in([item], elsewhere)]
            if only:
                return f"the user said {only[0].text} of something else"
    return ""


def is_unbound(testimony: Testimony) -> str:
    """Object if the message says a value of the memory only of another subject."""
    memory = testimony.memory
    if memory.is_variant or testimony.is_foreign or is_about_user(testimony.text):
        return ""
    subject = _parse_topic(testimony.text)
    parts = [part for passage in testimony.proof for part in _SAID["joint"].split(passage.text)]
    pieces = [piece for part in parts for piece in parse_passages(part)]
    own = [passage for passage in pieces if any(map(passage.mentions.knows, subject)) and " there" not in passage.text]
    unnamed = [item for item in memory.items if item.is_weighty and not item.keys & subject]
    values = [item for item in unnamed if not items_in([item], own)]
    is_strange = bool(own) and any(
        all(_has_stranger_before(item, piece, memory) for piece in pieces if piece.has(item))
        for item in items_in(values, pieces)
    )
    return "the user said it of something else" if is_strange else ""


def _parse_topic(text: str) -> frozenset[str]:
    """Return the keys of the words before the verb of a memory."""
    tokens = parse_tokens(in_first_person(text))
    end = next((i for i, token in enumerate(tokens) if token.low in AUXILIARIES), 0)
    end = end or next((i for i, token in enumerate(tokens) if i and is_verb(token.low)), 0)
    return words_of(tokens[:end]) - FRAME_KEYS - LIGHT_KEYS


def _has_stranger_before(value: Item, piece: Passage, memory: MemorySentence) -> bool:
    """Whether a noun that `memory` does not name stands before `value`."""
    tokens = parse_tokens(piece.text)
    end = next((i for i, token in enumerate(tokens) if parse_mentions(token.low).has(value)), 0)
    return any(
        token.keys
        and not (token.low in BEFORE_SUBJECT or is_verb(token.low))
        and LIGHT_KEYS.isdisjoint(token.keys)
        and FRAME_KEYS.isdisjoint(token.keys)
        and not any(map(memory.mentions.knows, token.keys))
        for token in tokens[:end]
    )


def is_of_another_number(testimony: Testimony) -> str:
    """Object if a number of the message is a time of day, or stands nearer to words that the memory lacks."""
    for item in testimony.own:
        holders = [passage for passage in testimony.proof if passage.has(item)]
        if holders and all(is_of_the_clock(item, holder.text, testimony.text) for holder in holders):
            return f"the user said {item.text} of the time of day"
        is_number = item.is_hard and item.number is not None
        if is_number and not any(_is_value_of_it(item, holder, testimony.memory) for holder in holders):
            return f"the user said {item.text} of something else"
    return ""


def is_of_the_clock(item: Item, spoken: str, text: str) -> bool:
    """Whether a bare number of a memory's `text` is a time of day in `spoken`: "back at 7" is not "7 raised beds"."""
    clock = rf"\b(?:at|by|until|till) {re.escape(item.text)}(?!\w|[/.:-]\d)"
    is_bare = item.number is not None and not item.number.dimension
    return is_bare and re.search(clock, spoken) is not None and not re.search(clock, text)


def _is_value_of_it(item: Item, passage: Passage, memory: MemorySentence) -> bool:
    """Whether the number `item` stands as near to words of `memory` as any number that the memory lacks."""
    tokens = parse_tokens(passage.text)
    shared = [i for i, token in enumerate(tokens) if any(map(memory.mentions.knows, token.keys)) and not token.number]
    values = [(i, find_spoken(token.low)) for i, token in enumerate(tokens) if token.number]
    own = [i for i, numbers in values if item.number and any(map(item.number.is_same, numbers))]
    rivals = [i for i, numbers in values if not any(is_among(number, memory.numbers) for number in numbers)]
    if not (shared or passage.points):
        following = [token for i in own for token in tokens[i + 1 : i + 2]]
        return all(LIGHT_KEYS.issuperset(token.keys) or token.unit for token in following)
    if not own or not rivals or not shared:
        return True
    nearest, nearest_rival = (min(abs(i - word) for i in places for word in shared) for places in (own, rivals))
    return nearest <= nearest_rival


_OBJECTIONS: Final[tuple[Callable[[Testimony], str], ...]] = (
    is_made_up,
    is_denial_kept,
    is_turned_round,
    is_reversed,
    is_misplaced,
    is_one_of_several,
    is_of_another,
    is_of_the_last_named,
    is_unbound,
    is_of_another_number,
    is_exchanged,
    is_another_period,
    is_opposed,
)


def find_objection(testimony: Testimony) -> str:
    """Return the reason of the first objection that holds; empty if none does."""
    return next(filter(None, (objection(testimony) for objection in _OBJECTIONS)), "")
