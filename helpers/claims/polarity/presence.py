"""Read what there is and what is missing, who has a thing and who has it no more (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DEFINITE, EPHEMERAL, QUANTITIES
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes, read_table
from .plain_words import PlainClause, PolarValue, find, find_each, phrases, told_after, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["presence"]
_WORDS: Final = read_classes(__file__)

_HAS: Final = (("no", phrases(_TABLE["has_not"])), ("yes", phrases(_TABLE["has"])))
_THERE: Final = dict.fromkeys(_WORDS["is_there"], "yes") | dict.fromkeys(_WORDS["is_gone"], "no")
_OVER: Final = phrases(_TABLE["over"])
_NUMBERS: Final = QUANTITIES.union(NUMBER_WORDS)


def parse_presence(said: PlainClause) -> list[PolarValue]:
    """Read "the site has no banner", "a banner is shown on the site", "the contract with X ended"."""
    if "only" in said.words or not _NUMBERS.isdisjoint(said.words):
        return []
    values = [one for one in _told(said) if not _says_nothing(set(one.topic.split()))]
    return [] if values and any(word[0].isdigit() for word in said.words) else values


def _says_nothing(topic: set[str]) -> bool:
    return topic <= EPHEMERAL or not topic.isdisjoint(_WORDS["no_thing"])


def _told(said: PlainClause) -> list[PolarValue]:
    words = said.words
    if words[0] == "there" and len(words) > 2 and words[1] in ("is", "was"):
        value = "no" if words[2] in ("no", "not") else "yes" if words[2] in ("a", "an") else ""
        is_now = value and words[1] == "is"
        return [PolarValue("presence", value, topic_of(said, said.tokens[3:]))] if is_now else []
    begin, end = find(words, _OVER)
    if end == len(words) and words[0] in DEFINITE:
        return [PolarValue("presence", "no", topic_of(said, said.tokens[:begin]), change=True)]
    return told_after(said, "presence", _THERE, ("is",), is_open=True) or _of_having(said)


def _of_having(said: PlainClause) -> list[PolarValue]:
    words = said.words
    for value, begin, end in find_each(words, _HAS):
        is_losing = value == "no" and words[begin] in _WORDS["losing"]
        if value == "no" and not topic_of(said, said.tokens[end:]):
            return []  # "the phone has no case": what it has not, a topic does not tell
        if is_losing and (words[end] not in DEFINITE or "not" in words[:begin]):
            return []
        if value == "yes" and ("not" in words or "no" in words or words[end] in ("to", "has", "been")):
            return []
        topic = topic_of(said, said.tokens[:begin], said.tokens[end:])
        return [PolarValue("presence", value, topic, change=is_losing)]
    return []
