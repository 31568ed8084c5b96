"""Of what else the user said it: another value beside the same words, another person, another thing (T-03).

"Vienna 12, Hamburg 31" has every word of "Hamburg has 12", and "the friend lives in Lisbon" every word of "User lives
in Lisbon": a value counts for what it stands beside, and for what its own clause is about. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..language.keys import FRAME_KEYS, KeyedToken, keys_of, parse_tokens, words_of
from ..language.sentences import is_foreign
from ..language.verbs import forms, is_verb
from ..language.vocabulary import PEOPLE, WORDS
from ..language.wordings import read_patterns
from .mentions import LIGHT_KEYS, SOFT, Item, Mentions, parse_items, parse_mentions
from .passages import AUXILIARIES, BEFORE_SUBJECT, Passage, parse_passages
from .reports import SentenceReport, said_in
from .spoken_values import POINTS_IN_TIME, find_spoken, is_among
from .statements import in_first_person, is_about_user
from .testimony import Testimony, are_rivals

_SAID: Final = read_patterns("utterances")
#: Who speaks, as the subject of a clause; and who is spoken of.
_SPEAKER: Final = WORDS["speaking"]
_OWN: Final = frozenset(("my", "our"))
_THIRD: Final = WORDS["spoken_of"]
_SOMEBODY: Final = PEOPLE | WORDS["strangers"]
#: The user, as an item of a memory and of what the user says.
_USER: Final = Item("user", SOFT, keys_of(("user",)))


def is_misplaced(testimony: Testimony) -> str:
    """A value stands beside other words than in the memory: "Vienna 12, Hamburg 31", "Joel drives, Marta bakes"."""
    if testimony.is_foreign:
        return ""
    pieces = [piece for one in testimony.heard for piece in split_parts(one.kept)]
    if len(pieces) < 2:
        return ""
    said = [(parse_items(one), _mentions_with_user(one)) for one in pieces]
    parts = [(part, _items_with_user(part)) for part in split_parts(testimony.text)]
    for part, items in parts:
        within = parse_mentions(part)
        for value in (one for one in items if one.is_hard or one.number is not None):
            homes = _homes(value, said)
            for anchor in (one for one in items if one not in (value, _USER) and one.number is None) if homes else ():
                places = _homes(anchor, said)
                if not places or not places.isdisjoint(homes):
                    continue
                is_topic = max(places) < min(homes) and any(
                    not _homes(one, said).isdisjoint(homes) for one in items if one not in (value, anchor, _USER)
                )
                if not is_topic and all(_has_rival(value, said[at][0], within) for at in places):
                    return f"the user said {value.text} of something else"
    return _is_crossed([[(one, _homes(one, said)) for one in items] for _, items in parts])


def is_one_of_several(testimony: Testimony) -> str:
    """Words in another language give two values of a kind, of which the memory has one."""
    known = [one.number for one in testimony.memory.items if one.number is not None]
    if not testimony.is_foreign or testimony.memory.is_variant or is_foreign(testimony.text):
        return ""
    others = [one for passage in testimony.heard for one in passage.mentions.values if not is_among(one, known)]
    for item in testimony.own:
        if item.number is not None and any(map(item.number.is_rival, others)):
            return f"the user may have said {item.text} of something else"
    return ""


def split_parts(text: str) -> list[str]:
    """Return the parts of a text that each say something of their own."""
    return [one for one in _SAID["parting"].split(text) if one.strip()]


def _items_with_user(part: str) -> list[Item]:
    """Return what a part of a memory says, and the user as one of it."""
    items = [one for one in parse_items(part) if one.weight >= SOFT]
    return [*items, _USER] if _SAID["user"].search(part) else items


def _mentions_with_user(piece: str) -> Mentions:
    return parse_mentions(f"{piece} {_USER.text}" if _SAID["speaker"].search(piece) else piece)


def _homes(item: Item, said: Sequence[tuple[Sequence[Item], Mentions]]) -> frozenset[int]:
    return frozenset(at for at, (_, mentions) in enumerate(said) if mentions.has(item))


def _has_rival(value: Item, items: Sequence[Item], within: Mentions) -> bool:
    """Whether one of `items` is of the kind of `value`, and not in the same part of the memory."""
    return any(one.weight >= SOFT and are_rivals(value, one) and not within.has(one) for one in items)


def _is_crossed(parts: Sequence[Sequence[tuple[Item, frozenset[int]]]]) -> str:
    """Two parts of a memory have exchanged what two pieces of the message say."""
    single = [{item: homes for item, homes in part if len(homes) == 1} for part in parts]
    for at, part in enumerate(single):
        for other in (*single[:at], *single[at + 1 :]):
            for one, home in part.items():
                away = next((two for two, there in part.items() if there != home and there in other.values()), None)
                if away is not None and home in other.values():
                    return f"the user said {one.text} and {away.text} of different things"
    return ""


def is_of_another(testimony: Testimony) -> str:
    """The memory is about the user, and the user said it of somebody else."""
    if not is_about_user(testimony.text):
        return ""
    weighty = [one for one in testimony.own if one.weight >= SOFT]
    if testimony.is_foreign:
        holders = [one for one in testimony.proof if said_in(weighty, [one])]
        strange = weighty if holders and all(_SAID["foreign_other"].match(one.sentence) for one in holders) else []
    else:
        strange = [
            one
            for one in weighty
            if (held := [two for two in testimony.heard if two.has(one)])
            and all(_subject_before(one, two, testimony.memory) == "other" for two in held)
        ]
    is_most = sum(one.weight for one in strange) > sum(one.weight for one in weighty) / 2
    return "the user said it of somebody else" if strange and is_most else ""


def _subject_before(item: Item, passage: Passage, memory: SentenceReport) -> str:
    """Return whether the nearest subject before `item` in its sentence is the "speaker" or an "other"; or nothing."""
    begin = max(passage.sentence.find(passage.text), 0)
    before = passage.sentence[: begin + len(passage.text)]
    place = before.casefold().rfind(item.text[:5])
    words = [one.casefold() for one in re.findall(r"[\w']+", before[:place] if place >= 0 else before)]
    is_first = is_about_user(memory.sentence.text)
    for at in reversed(range(len(words))):
        word, stem = words[at], words[at].partition("'")[0]
        if word in _SPEAKER:
            return "speaker"
        if word in _THIRD or _is_stranger(stem, memory) or (is_first and _is_of_a_thing(words[: at + 1], memory)):
            return "other"
        if word in _OWN:
            following = [one.partition("'")[0] for one in words[at + 1 : at + 4]]
            return "other" if any(_is_stranger(one, memory) for one in following) else "speaker"
    return ""


def _is_of_a_thing(words: Sequence[str], memory: SentenceReport) -> bool:
    """Whether some words end with a verb in the third person whose subject the memory lacks: "a friend lives"."""
    *before, verb = words
    lemma, letters = forms().get(verb, ("", ""))
    is_third = letters == "s" and lemma != "be"
    if not is_third or not before or before[-1] in ("it", "that", "the", "a"):
        return False
    return not any(map(memory.words.knows, keys_of(before)))


def _is_stranger(word: str, memory: SentenceReport) -> bool:
    """Whether a word is for somebody whom the memory does not name."""
    return word in _SOMEBODY and not any(map(memory.words.knows, keys_of((word,))))


def is_of_the_last_named(testimony: Testimony) -> str:
    """A relative clause says it of what stands right before, which the memory does not name: "the box, which runs"."""
    for one in testimony.proof:
        before = [token for token in parse_tokens(one.sentence[: max(one.sentence.find(one.text), 0)]) if token.keys]
        if before and _SAID["relative"].match(one.text) and not any(map(testimony.memory.words.knows, before[-1].keys)):
            elsewhere = [two for two in testimony.heard if two is not one]
            only = [
                two for two in said_in(testimony.own, [one]) if two.weight >= SOFT and not said_in([two], elsewhere)
            ]
            if only:
                return f"the user said {only[0].text} of something else"
    return ""


def is_unbound(testimony: Testimony) -> str:
    """What the memory says is in the message only of another subject than its own."""
    memory, passages = testimony.memory, testimony.proof
    if memory.is_variant or testimony.is_foreign:
        return ""
    items = [one for one in memory.items if one.weight >= SOFT]
    if is_about_user(memory.sentence.text):
        return ""
    subject = _parse_subject(memory.sentence.text)
    values = [one for one in items if not one.keys & subject]
    pieces = [piece for one in passages for part in _SAID["joint"].split(one.text) for piece in parse_passages(part)]
    own = [one for one in pieces if any(map(one.mentions.knows, subject)) and " there" not in one.text]
    held = said_in(values, own)
    strange = [one for one in said_in(values, pieces) if one not in held]
    is_strange = bool(own) and any(
        all(_has_stranger_before(one, piece, memory) for piece in pieces if piece.has(one)) for one in strange
    )
    return "the user said it of something else" if is_strange else ""


def _parse_subject(text: str) -> frozenset[str]:
    """Return the keys of what a memory is about: the words before its verb."""
    tokens = parse_tokens(in_first_person(text))
    end = next((at for at, one in enumerate(tokens) if one.low in AUXILIARIES), 0)
    end = end or next((at for at, one in enumerate(tokens) if at and is_verb(one.low)), 0)
    return words_of(tokens[:end]) - FRAME_KEYS - LIGHT_KEYS


def _has_stranger_before(value: Item, piece: Passage, memory: SentenceReport) -> bool:
    """Whether a thing that `memory` does not name stands before `value`."""
    tokens = parse_tokens(piece.text)
    end = next((at for at, one in enumerate(tokens) if parse_mentions(one.low).has(value)), 0)
    return any(
        token.keys
        and not (token.has_polarity or is_verb(token.low) or token.low in BEFORE_SUBJECT)
        and LIGHT_KEYS.isdisjoint(token.keys)
        and FRAME_KEYS.isdisjoint(token.keys)
        and not any(map(memory.words.knows, token.keys))
        for token in tokens[:end]
    )


def is_of_another_number(testimony: Testimony) -> str:
    """A number of the message counts something else than the memory's, or stands nearer to what it lacks."""
    for item in testimony.own:
        holders = [one for one in testimony.proof if one.has(item)]
        if holders and all(is_of_the_clock(item, one.text, testimony.text) for one in holders):
            return f"the user said {item.text} of the time of day"
        is_number = item.is_hard and item.number is not None and not item.is_aside
        if is_number and not any(_is_value_of_it(item, one, testimony.memory) for one in holders):
            return f"the user said {item.text} of something else"
    return ""


def is_of_the_clock(item: Item, said: str, text: str) -> bool:
    """Whether a bare number of a memory's `text` is `said` as a time of day: "back at 7" is not "7 raised beds"."""
    is_bare = item.number is not None and not item.number.dimension
    return is_bare and all(bool(_clock(item).search(one)) is is_time for one, is_time in ((said, True), (text, False)))


def _clock(item: Item) -> re.Pattern[str]:
    return re.compile(rf"\b(?:at|by|until|till) {re.escape(item.text)}(?!\w|[/.:-]\d)")


def _is_value_of_it(item: Item, passage: Passage, memory: SentenceReport) -> bool:
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
