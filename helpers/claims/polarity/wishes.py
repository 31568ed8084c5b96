"""Read how somebody wants things done, and what he likes or cannot stand (C-40).

How answers are to look is a standing wish whoever it is told by: "prefers short replies", "keep replies brief", "asked
for brief replies". What somebody wants to have or to do some day is a plan, and none of these.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.tables import read_classes, read_table, split_members, word_sets
from ...language.terms import FAMILIES
from ...language.verbs import forms
from ..clauses.clause_grammar import parse_group
from ..clauses.predicates import Tokens
from .plain_words import PlainClause, PolarValue, find, find_each, phrases, told_after, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["wishes"]
_WORDS: Final = read_classes(__file__)


_REPLIES: Final = _WORDS["replies"]
#: Slot -> words of which one must stand beside its values.
_BESIDE: Final = {"length": _REPLIES} | word_sets(_TABLE["beside"])
#: Slot -> values that exclude each other -> their words.
_WAYS: Final = {
    slot: {words[0]: frozenset(words) for words in split_members(told)}
    for slot, told in (*_TABLE["ways"].items(), ("language", FAMILIES["human language"]))
}
_WISHING: Final = _WORDS["wishing"]
_WISHERS: Final = _WORDS["wishers"]
#: What tells nothing in a wish about replies.
_PLAIN: Final = _WISHING | _REPLIES | _WORDS["plain"]
_TASTES: Final = (("no", phrases(_TABLE["words"]["dislikes"])), ("yes", phrases(_TABLE["words"]["likes"])))
_OF_WAYS: Final = frozenset(word for values in _WAYS.values() for told in values.values() for word in told)
_WELCOME: Final = {word: value for value, told in _TABLE["welcome"].items() for word in told.split()}
_NO_NEED: Final = phrases(_TABLE["words"]["no_need"])
_FIRST: Final = _WISHERS | _WISHING | {"not"}
_FIRST_OF_ORDERS: Final = _WISHING | {"not", "the", "when"}
_PARTIES: Final = _WISHERS - {"the", "when"}


def parse_wish(said: PlainClause) -> list[PolarValue]:
    """Read "wants bullet points", "keep replies short", "light mode is what the user prefers"."""
    words = set(said.words)
    if said.words[0] not in _FIRST or words.isdisjoint(_WISHING) or words.isdisjoint(_OF_WAYS):
        return []
    if words.isdisjoint(_PARTIES) and said.words[0] not in _FIRST_OF_ORDERS:
        return []
    wishes = []
    for slot, values in _WAYS.items():
        found = {value: words & forms for value, forms in values.items() if words & forms}
        if len(found) != 1 or (slot in _BESIDE and words.isdisjoint(_BESIDE[slot])):
            continue
        value, told = next(iter(found.items()))
        rest = tuple(
            token
            for word, token in zip(said.words, said.tokens, strict=True)
            if word not in told and word not in _PLAIN and token.low not in _PLAIN and word not in _OF_WAYS
        )
        topic = topic_of(said, rest) if rest else ""
        if slot == "seat" and "long" in words:
            topic = f"{topic} long".strip()  # "on long flights", which is no more than a part of them
        denied = "not" in words or "no" in words or "complained" in words or "without" in words
        span = _span(said, told)
        wishes.append(PolarValue(f"wish {slot}", value, topic or "user", denied and slot != "degrees", span=span))
    return wishes if len(wishes) > 1 else [polar._replace(span=None) for polar in wishes]


def _span(said: PlainClause, told: frozenset[str] | set[str]) -> tuple[int, int]:
    """Where a clause tells a wish, with the preposition before it: "in Dutch"."""
    places = [index for index, word in enumerate(said.words) if word in told]
    first = places[0] - (said.words[places[0] - 1] in PREPOSITIONS)
    return said.tokens[max(first, 0)].start, said.tokens[places[-1]].end


def parse_taste(said: PlainClause) -> list[PolarValue]:
    """Read "enjoys horror films", "can't stand horror films", "doesn't want comments in code"."""
    words = said.words
    for value, begin, end in find_each(words, _TASTES):
        is_wish = forms().get(words[end - 1], (words[end - 1],))[0] in ("want", "prefer", "for")
        is_plan = is_wish and _WORDS["outputs"].isdisjoint(words[end:]) and words[end] in _WORDS["plans"]
        is_order = begin != 1 and "b" in forms().get(words[begin], ("", ""))[1]
        if is_plan or is_order or "was" in words[:begin] or "over" in words or "than" in words:
            return []
        if "not" in words and value == "yes":
            return []
        who, what = topic_of(said, said.tokens[:begin]), topic_of(said, _without_answers(said.tokens[end:]))
        return [PolarValue("taste", value, what if who in ("", "user") else f"{who} > {what}")] if what else []
    return _wanted(said)


def _without_answers(tokens: Tokens) -> Tokens:
    return tuple(token for token in tokens if token.low not in _WORDS["answers"])


def _wanted(said: PlainClause) -> list[PolarValue]:
    """Read "never use emojis", "no emojis please", "emojis are welcome"."""
    words, denied = said.words, said.words[0] == "not"
    if words[0] in ("it", "there") or len(words) < 2:
        return []
    if words[int(denied)] in _WORDS["using"]:
        value, begin = "no" if denied else "yes", 1 + denied
    elif words[0] in _WORDS["leaving_out"]:
        value, begin = "no", 1 + (words[1] in ("using", "adding", "including"))
    elif words[0] == "no" and parse_group(said.tokens) is None:
        value, begin = "no", 1
    elif any(word in _WELCOME and following == "to" for word, following in pairwise(words)):
        return []  # "guests are welcome to stay"
    else:
        told = [i for i, token in enumerate(said.tokens) if token.low not in _WORDS["answers"]]
        plain = said._replace(words=tuple(words[i] for i in told), tokens=tuple(said.tokens[i] for i in told))
        return told_after(plain, "taste", _WELCOME, ("is",)) if told else []
    return [PolarValue("taste", value, topic_of(said, _without_answers(said.tokens[begin:])))]


def parse_order(said: PlainClause) -> list[PolarValue]:
    """Read standing orders: "commit to main", "don't commit to main", "the assistant should never commit to main"."""
    words, tokens = said.words, said.tokens
    if words[:2] == ("the", "assistant"):
        words, tokens = words[1:], tokens[1:]
    begin = 2 if words[0] in ("assistant", "you") and words[1:2] in (("should",), ("must",)) else 0
    denied = begin < len(words) and words[begin] == "not"
    begin += denied
    end = find(("", *words), _NO_NEED)[1]
    if end:
        denied, begin = True, end - 1
    if begin + 1 >= len(words) or "b" not in forms().get(words[begin], ("", ""))[1]:
        return []
    # A bare order begins with its verb, and has no other one.
    is_bare = parse_group(said.tokens[1:]) is None and said.tokens[0].text[0].isupper() and "no" not in said.words
    if words[begin] in _WORDS["no_orders"] or not (begin or is_bare):
        return []
    topic = topic_of(said, tokens[begin:])
    if len(topic.split()) <= 1:
        return []
    denial = [PolarValue("permission", "no", topic)] if denied and not end else []
    return [PolarValue("order", "no" if denied else "yes", topic), *denial]
