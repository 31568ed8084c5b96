"""Read what is allowed and what is needed, who has access to what, and what is done without asking (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import ARTICLES, PREPOSITIONS
from ...language.nouns import singular
from ...language.tables import read_classes, read_table
from ...language.verbs import forms
from ..clauses.predicates import Tokens
from .plain_words import ACCESS, PlainClause, PolarValue, find, phrases, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["permissions"]
_WORDS: Final = read_classes(__file__)

_MAY: Final = [(value, phrases(told)) for value, told in _TABLE["may"].items()]
_IS_ALLOWED: Final = {word: value for value, told in _TABLE["is_allowed"].items() for word in told.split()}
_NOBODY: Final = frozenset(("nobody", "noone"))
_HAPPENING: Final = _WORDS["happening"]
_MUST: Final = [(value, phrases(told)) for value, told in _TABLE["must"].items()]
_NO_NEED: Final = phrases(_TABLE["words"]["no_need"])
_NEEDED: Final = {word: value for value, told in _TABLE["needed"].items() for word in told.split()}
_BEING: Final = _WORDS["being"]
_NEEDS: Final = _WORDS["needs"]
_IN: Final = _WORDS["in"]

_GIVEN: Final = _WORDS["given"]
_TAKEN: Final = _WORDS["taken"]

_WITHOUT_LEAVE: Final = _WORDS["leave"] | _WORDS["without_leave"]
_LEAVES: Final = _WORDS["leave"] | _WORDS["leaves"]
#: How it is said that somebody may.
_FREELY: Final = _WORDS["freely"]
_BESIDE_ACCESS: Final = frozenset(("was", "is")) | _WORDS["beside_access"]
_CONSENT_MARKS: Final = frozenset(("without", "before", "until"))
_ASKING: Final = _WORDS["asking"]
_CONSENTING: Final = _WORDS["consenting"]
_GENERIC: Final = _WORDS["generic"]


def parse_permission(said: PlainClause) -> list[PolarValue]:
    """Read "interns may deploy to production", "pushing to main is forbidden", "the team permits force pushes"."""
    words = said.words
    if words[0] in ("it",) or "only" in words or "just" in words:
        return []
    for value, table in _MAY:
        begin, end = find(words, table)
        if not end or end >= len(words):
            continue
        if words[begin:end] in (("may",), ("can",)) and not _is_person(said, begin):
            continue
        if words[end] in _HAPPENING or "should" in words or "was" in words[:begin]:
            return []
        none = words[0] in _NOBODY or words[:2] == ("no", "one")
        value = "no" if none else value
        subject = said.tokens[1 + (words[0] == "no") : begin] if none else said.tokens[:begin]
        return [PolarValue("permission", value, topic_of(said, subject, said.tokens[end:]))]
    if _IS_ALLOWED.keys().isdisjoint(words):
        return []
    for index in range(2, len(words)):
        value_of = _IS_ALLOWED.get(words[index])
        denied = words[index - 1] == "not"
        at = index - 1 - denied
        if value_of is None or words[at] not in _BEING:
            continue
        following = words[index + 1] if index + 1 < len(words) else ""
        if following and following not in PREPOSITIONS and following != ",":
            return []
        if words[index] == "blocked" and (following == "by" or not words[0].endswith("ing")):
            return []
        if words[at] == "was" and value_of == "yes" and words[index] not in ("allowed", "permitted", "authorised"):
            return []
        if words[0] == "no":
            denied, about = not denied, said.tokens[1:at]
        else:
            about = said.tokens[:at]
        return [PolarValue("permission", value_of, topic_of(said, about, said.tokens[index + 1 :]), denied)]
    return []


_PERSONS: Final = _WORDS["persons"]


def _is_person(said: PlainClause, end: int) -> bool:
    """Whether the subject before `end` is somebody, who may do something, and nothing that may happen."""
    subject = said.tokens[:end]
    cut = next((i for i, token in enumerate(subject) if i and token.low in PREPOSITIONS), end)
    head = subject[cut - 1]
    is_name = head.text[0].isupper() and head.text[1:].islower() and (cut == 1 or subject[0].text[0].isupper())
    return singular(head.low) in _PERSONS or head.low in _PERSONS or (is_name and not head.low.endswith("s"))


def parse_need(said: PlainClause) -> list[PolarValue]:
    """Read "Docker is required to run it", "the setup needs no Docker", "nobody gets in without a badge"."""
    words = said.words
    if "should" in words or "was" in words:
        return []
    without = words.index("without") if "without" in words else 0
    if words[0] in _NOBODY and without and words[1] in _IN:
        return [PolarValue("need", "yes", topic_of(said, said.tokens[2:without], said.tokens[without + 1 :]))]
    if words[0] == "you" and without and words[1] == "can":
        return [PolarValue("need", "no", topic_of(said, said.tokens[2:without], said.tokens[without + 1 :]))]
    for value, table in _MUST:
        begin, end = find(words, table)
        if not end or end >= len(words) or words[end] == "not":
            continue
        if words[0] in _NOBODY or words[:2] == ("no", "one") or (value == "yes" and not _is_person(said, begin)):
            return []
        return [PolarValue("need", value, topic_of(said, said.tokens[:begin], said.tokens[end:]))]
    end = find(words, _NO_NEED)[1] if words[0] == "there" else 0
    if end:
        return [PolarValue("need", "no", topic_of(said, said.tokens[end:]))]
    return _needed(said) or _needing(said)


def _needed(said: PlainClause) -> list[PolarValue]:
    words = said.words
    if _NEEDED.keys().isdisjoint(words):
        return []
    for index in range(2, len(words)):
        value = _NEEDED.get(words[index])
        at = index - 1
        while at > 0 and (words[at] in ARTICLES or words[at] in ("not", "absolute")):
            at -= 1
        if value is None or (words[at] not in _BEING and words[at] != "made"):
            continue
        following = words[index + 1] if index + 1 < len(words) else ""
        if following and following not in PREPOSITIONS and following != ",":
            return []
        denied = "not" in words[at:index] or words[0] == "no"
        about = said.tokens[int(words[0] == "no") : at]
        return [PolarValue("need", value, topic_of(said, about, said.tokens[index + 1 :]), denied)]
    return []


def _needing(said: PlainClause) -> list[PolarValue]:
    words = said.words
    if _NEEDS.isdisjoint(words):
        return []
    index = next((i for i in range(1, len(words)) if words[i] in _NEEDS and words[i] != "wants"), 0)
    if not index or index + 1 >= len(words):
        return []
    denied = words[index - 1] == "not"
    none = words[index + 1] == "no"
    subject = said.tokens[: index - denied]
    return [PolarValue("need", "yes", topic_of(said, subject, said.tokens[index + 1 + none :]), denied or none)]


def parse_access(said: PlainClause) -> list[PolarValue]:
    """Read "contractors have read access to X", "access to X was revoked for contractors"."""
    words = said.words
    if ACCESS.isdisjoint(words) or "only" in words:
        return []
    around = set(words)
    taken, given = around & _TAKEN, around & _GIVEN
    if not (taken or given) or ("was" in words and not taken | (given - {"has"})):
        return []
    told = tuple(
        token
        for word, token in zip(words, said.tokens, strict=True)
        if word not in _TAKEN and word not in _GIVEN and word not in _BESIDE_ACCESS
    )
    topic = topic_of(said, told)
    return (
        [PolarValue("access", "no" if taken else "yes", topic, change="was" in words)] if len(topic.split()) > 1 else []
    )


def parse_consent(said: PlainClause) -> list[PolarValue]:
    """Read "may commit without asking" and "ask before committing"."""
    words = said.words
    value, kept = _consent(said)
    if not value:
        return []
    told = tuple(token for token in kept if token.low not in _GENERIC)
    topic = topic_of(said, told)
    return [PolarValue("asking first", value, topic)] if topic and words[0][:1].isalpha() else []


def _consent(said: PlainClause) -> tuple[str, Tokens]:
    words, tokens = said.words, said.tokens
    if _CONSENT_MARKS.isdisjoint(words):
        return "", ()
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if word == "without" and (following in _WITHOUT_LEAVE or (words[index + 2 : index + 3] or ("",))[0] in _LEAVES):
            is_denied = not {"not", "nothing", "no"}.isdisjoint(words[:index])
            is_order = "b" in forms().get(words[0], ("", ""))[1] and said.tokens[0].text[0].isupper()
            if not is_denied and not is_order and _FREELY.isdisjoint(words[:index]):
                return "", ()
            return ("ask" if is_denied else "free"), tokens[:index]
        if word in ("before", "until") and _asks(words, index):
            if word == "until" or not _ASKING & set(words[:index]):
                return "ask", tokens[:index]
            if {"not", "no"} & set(words[:index]):
                return "free", tokens[index + 1 :]
            return "ask", (*tokens[:index], *tokens[index + 1 :])
    return "", ()


def _asks(words: tuple[str, ...], index: int) -> bool:
    """Whether somebody is asked before, or nothing is done until somebody has agreed."""
    before, after = set(words[:index]), set(words[index + 1 :])
    if words[index] == "until":
        return bool(before & {"not", "nothing"}) and bool(after & (_CONSENTING | {"approves", "agrees", "confirms"}))
    return bool(before & _ASKING) and not before & {"to", "asked"} - {"to"}
