"""Read what there is and what is missing, who has a thing and who has it no more (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DEFINITE, EPHEMERAL, QUANTITIES
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes, read_table
from .plain_words import PlainClause, PolarValue, find, phrases, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["presence"]
_WORDS: Final = read_classes(__file__)

_HAS: Final = phrases(_TABLE["has"])
_HAS_NOT: Final = phrases(_TABLE["has_not"])
#: Of a thing that is known already.
_LOSING: Final = _WORDS["losing"]
_IS_THERE: Final = _WORDS["is_there"]
_IS_GONE: Final = _WORDS["is_gone"]
_IS_THERE_OR_GONE: Final = _IS_THERE | _IS_GONE
_OVER: Final = phrases(_TABLE["over"])
_NUMBERS: Final = QUANTITIES.union(NUMBER_WORDS)
_NO_THING: Final = _WORDS["no_thing"]


def parse_presence(said: PlainClause) -> list[PolarValue]:
    """Read "the site has no banner", "a banner is shown on the site", "the contract with X ended"."""
    words = said.words
    if "only" in words or not _NUMBERS.isdisjoint(words):
        return []
    values = _told(said)
    return [] if values and any(word[0].isdigit() for word in words) else values


def _told(said: PlainClause) -> list[PolarValue]:
    words = said.words
    if words[0] == "there" and len(words) > 2 and words[1] in ("is", "was"):
        if words[1] == "was":
            return []
        value = "no" if words[2] in ("no", "not") else "yes" if words[2] in ("a", "an") else ""
        return _presence(value, topic_of(said, said.tokens[3:]))
    return _of_being(said) or _of_having(said)


def _presence(value: str, topic: str, *, change: bool = False) -> list[PolarValue]:
    kept = set(topic.split())
    if not value or not kept or kept <= EPHEMERAL or kept & _NO_THING:
        return []
    return [PolarValue("presence", value, topic, change=change)]


def _of_having(said: PlainClause) -> list[PolarValue]:
    words = said.words
    begin, end = find(words, _HAS_NOT)
    if end and end < len(words):
        if not topic_of(said, said.tokens[end:]):
            return []  # "the phone has no case": what it has not, a topic does not tell
        if words[begin] in _LOSING and (words[end] not in DEFINITE or "not" in words[:begin]):
            return []
        return _presence("no", topic_of(said, said.tokens[:begin], said.tokens[end:]), change=words[begin] in _LOSING)
    begin, end = find(words, _HAS)
    if not end or end >= len(words) or "not" in words or "no" in words or "to" in words[end : end + 1]:
        return []
    if words[end] in ("has", "been"):
        return []
    return _presence("yes", topic_of(said, said.tokens[:begin], said.tokens[end:]))


def _of_being(said: PlainClause) -> list[PolarValue]:
    words = said.words
    begin, end = find(words, _OVER)
    if end and words[0] in DEFINITE and end == len(words):
        return _presence("no", topic_of(said, said.tokens[:begin]), change=True)
    for index in range(2, len(words)):
        denied = words[index - 1] == "not"
        if words[index - 1 - denied] != "is" or words[index] not in _IS_THERE_OR_GONE:
            continue
        is_there = (words[index] in _IS_THERE) is not denied
        start = index - 1 - denied
        none = words[0] == "no"
        about = said.tokens[int(none) : start]
        return _presence("yes" if is_there and not none else "no", topic_of(said, about, said.tokens[index + 1 :]))
    return []
