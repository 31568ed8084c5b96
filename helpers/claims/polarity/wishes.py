"""Read how somebody wants things done, and what he likes or cannot stand (C-40).

How answers are to look is a standing wish whoever it is told by: "prefers short replies", "keep replies brief", "asked
for brief replies". What somebody wants to have or to do some day is a plan, and none of these.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.tables import read_classes, read_table, split_members, word_sets
from ...language.terms import FAMILIES
from ...language.verbs import forms
from ..clauses.clause_grammar import parse_group
from ..clauses.predicates import Tokens
from .plain_words import PlainClause, PolarValue, find, phrases, topic_of

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
_LIKES: Final = phrases(_TABLE["words"]["likes"])
_DISLIKES: Final = phrases(_TABLE["words"]["dislikes"])
_PLANS: Final = _WORDS["plans"]
_OF_WAYS: Final = frozenset(word for values in _WAYS.values() for told in values.values() for word in told)
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
    for value, table in (("no", _DISLIKES), ("yes", _LIKES)):
        begin, end = find(words, table)
        if not end or end >= len(words):
            continue
        is_output = not _OUTPUTS.isdisjoint(words[end:])
        is_wish = not is_output and forms().get(words[end - 1], (words[end - 1],))[0] in ("want", "prefer", "for")
        if (is_wish and words[end] in _PLANS) or "was" in words[:begin]:
            return []
        if begin != 1 and "b" in forms().get(words[begin], ("", ""))[1]:
            return []
        if "over" in words or "than" in words or ("not" in words and value == "yes"):
            return []
        object_ = tuple(token for token in said.tokens[end:] if token.low not in _ANSWERS)
        who, what = topic_of(said, said.tokens[:begin]), topic_of(said, object_)
        return [PolarValue("taste", value, what if who in ("", "user") else f"{who} > {what}")] if what else []
    return _wanted(said)


_OUTPUTS: Final = _WORDS["outputs"]
_ANSWERS: Final = _WORDS["answers"]
_USING: Final = _WORDS["using"]
_LEAVING_OUT: Final = _WORDS["leaving_out"]
_WELCOME: Final = {word: value for value, told in _TABLE["welcome"].items() for word in told.split()}


def _wanted(said: PlainClause) -> list[PolarValue]:
    """Read "never use emojis", "no emojis please", "emojis are welcome"."""
    words, tokens = said.words, said.tokens
    value = ""
    about: tuple[Tokens, ...] = ()
    denied = words[0] == "not"
    if len(words) > 1 + denied and words[int(denied)] in _USING:
        value, about = "no" if denied else "yes", (tokens[1 + denied :],)
    elif words[0] == "no" and len(words) > 1 and parse_group(tokens) is None:
        value, about = "no", (tokens[1:],)
    elif words[0] in _LEAVING_OUT and len(words) > 1:
        value, about = "no", (tokens[1 + (words[1] in ("using", "adding", "including")) :],)
    else:
        for index in range(2, 2 if _WELCOME.keys().isdisjoint(words) else len(words)):
            is_not = words[index - 1] == "not"
            if (
                words[index] in _WELCOME
                and words[index + 1 : index + 2] != ("to",)
                and words[index - 1 - is_not] == "is"
            ):
                value = _WELCOME[words[index]]
                value = {"yes": "no", "no": "yes"}[value] if is_not else value
                about = (tokens[: index - 1 - is_not], tokens[index + 1 :])
                break
    if not value or words[0] in ("it", "there"):
        return []
    kept = tuple(tuple(token for token in part if token.low not in _ANSWERS) for part in about)
    return [PolarValue("taste", value, topic_of(said, *kept))]


def parse_order(said: PlainClause) -> list[PolarValue]:
    """Read standing orders: "commit to main", "don't commit to main", "the assistant should never commit to main"."""
    words, tokens = said.words, said.tokens
    begin = 0
    denied = False
    if words[0] == "the" and words[1:2] == ("assistant",):
        words, tokens = words[1:], tokens[1:]
    if words[0] in ("assistant", "you") and words[1:2] in (("should",), ("must",)):
        begin = 2
    if begin < len(words) and words[begin] == "not":
        denied, begin = True, begin + 1
    end = find(("", *words), _NO_NEED)[1]
    if end:
        denied, begin = True, end - 1
    if begin + 1 >= len(words) or "b" not in forms().get(words[begin], ("", ""))[1] or words[begin] in _NO_ORDERS:
        return []
    if not begin and not _is_imperative(said):
        return []
    topic = topic_of(said, tokens[begin:])
    if len(topic.split()) <= 1:
        return []
    denial = [PolarValue("permission", "no", topic)] if denied and not end else []
    return [PolarValue("order", "no" if denied else "yes", topic), *denial]


_NO_ORDERS: Final = _WORDS["no_orders"]
_NO_NEED: Final = phrases(_TABLE["words"]["no_need"])


def _is_imperative(said: PlainClause) -> bool:
    """Whether a clause begins with its verb, and has no other one."""
    return parse_group(said.tokens[1:]) is None and said.tokens[0].text[0].isupper() and "no" not in said.words
