"""Read what is allowed and what is needed, who has access to what, and what is done without asking (C-40)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import ARTICLES, PREPOSITIONS
from ...language.nouns import singular
from ...language.tables import read_classes, read_table
from ...language.verbs import forms
from ..clauses.predicates import Tokens
from .plain_words import ACCESS, PlainClause, PolarValue, find, find_each, phrases, told_after, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["permissions"]
_WORDS: Final = read_classes(__file__)
_MAY: Final = [(value, phrases(told)) for value, told in _TABLE["may"].items()]
_MUST: Final = [(value, phrases(told)) for value, told in _TABLE["must"].items()]
_NO_NEED: Final = phrases(_TABLE["words"]["no_need"])
_IS_ALLOWED, _NEEDED = (
    {word: value for value, told in _TABLE[name].items() for word in told.split()} for name in ("is_allowed", "needed")
)
#: What was so once holds no more, if it is no leave that was given.
_WAS_ALLOWED: Final = {
    word: value
    for word, value in _IS_ALLOWED.items()
    if value == "no" or word in ("allowed", "permitted", "authorised")
}
_NOBODY: Final = frozenset(("nobody", "noone"))
_IS: Final = _WORDS["being"] - {"was"}
_MADE: Final = _WORDS["being"] | {"made"}
_BETWEEN: Final = ARTICLES | {"not", "absolute"}
_PERSONS: Final = _WORDS["persons"]
_WITHOUT_LEAVE: Final = _WORDS["leave"] | _WORDS["without_leave"]
_LEAVES: Final = _WORDS["leave"] | _WORDS["leaves"]
_BESIDE_ACCESS: Final = _WORDS["beside_access"] | _WORDS["taken"] | _WORDS["given"] | {"was", "is"}
_CONSENT_MARKS: Final = frozenset(("without", "before", "until"))
_AGREEING: Final = _WORDS["consenting"] | {"approves", "agrees", "confirms"}


def parse_permission(said: PlainClause) -> list[PolarValue]:
    """Read "interns may deploy to production", "pushing to main is forbidden", "the team permits force pushes"."""
    words = said.words
    if words[0] == "it" or "only" in words or "just" in words:
        return []
    for value, begin, end in find_each(words, _MAY):
        if words[begin:end] in (("may",), ("can",)) and not _is_person(said, begin):
            continue
        if words[end] in _WORDS["happening"] or "should" in words or "was" in words[:begin]:
            return []
        none = _is_nobody(words)
        subject = said.tokens[1 + (words[0] == "no") if none else 0 : begin]
        return [PolarValue("permission", "no" if none else value, topic_of(said, subject, said.tokens[end:]))]
    is_agent = ("blocked", "by") in pairwise(words) or not words[0].endswith("ing")
    leave, was_leave = (
        {word: value for word, value in table.items() if word != "blocked"} if is_agent else table
        for table in (_IS_ALLOWED, _WAS_ALLOWED)
    )
    return told_after(said, "permission", leave, _IS) or told_after(said, "permission", was_leave, ("was",))


def _is_nobody(words: tuple[str, ...]) -> bool:
    return words[0] in _NOBODY or words[:2] == ("no", "one")


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
    is_barred = words[0] in _NOBODY and words[1:2] and words[1] in _WORDS["in"]
    if without and (is_barred or words[:2] == ("you", "can")):
        topic = topic_of(said, said.tokens[2:without], said.tokens[without + 1 :])
        return [PolarValue("need", "yes" if is_barred else "no", topic)]
    for value, begin, end in find_each(words, _MUST):
        if words[end] == "not":
            continue
        if _is_nobody(words) or (value == "yes" and not _is_person(said, begin)):
            return []
        return [PolarValue("need", value, topic_of(said, said.tokens[:begin], said.tokens[end:]))]
    end = find(words, _NO_NEED)[1] if words[0] == "there" else 0
    if end:
        return [PolarValue("need", "no", topic_of(said, said.tokens[end:]))]
    return told_after(said, "need", _NEEDED, _MADE, between=_BETWEEN) or _needing(said)


def _needing(said: PlainClause) -> list[PolarValue]:
    words, needs = said.words, _WORDS["needs"] - {"wants"}
    index = next((i for i in range(1, len(words) - 1) if words[i] in needs), 0)
    if not index:
        return []
    denied, none = words[index - 1] == "not", words[index + 1] == "no"
    subject = said.tokens[: index - denied]
    return [PolarValue("need", "yes", topic_of(said, subject, said.tokens[index + 1 + none :]), denied or none)]


def parse_access(said: PlainClause) -> list[PolarValue]:
    """Read "contractors have read access to X", "access to X was revoked for contractors"."""
    words = said.words
    if ACCESS.isdisjoint(words) or "only" in words:
        return []
    taken, given = _WORDS["taken"].intersection(words), _WORDS["given"].intersection(words)
    if not (taken or given) or ("was" in words and not taken | (given - {"has"})):
        return []
    told = tuple(token for word, token in zip(words, said.tokens, strict=True) if word not in _BESIDE_ACCESS)
    topic = topic_of(said, told)
    value = PolarValue("access", "no" if taken else "yes", topic, change="was" in words)
    return [value] if len(topic.split()) > 1 else []


def parse_consent(said: PlainClause) -> list[PolarValue]:
    """Read "may commit without asking" and "ask before committing"."""
    value, kept = _consent(said)
    topic = topic_of(said, tuple(token for token in kept if token.low not in _WORDS["generic"])) if value else ""
    return [PolarValue("asking first", value, topic)] if topic and said.words[0][:1].isalpha() else []


def _consent(said: PlainClause) -> tuple[str, Tokens]:
    words, tokens = said.words, said.tokens
    for index, word in enumerate(words) if not _CONSENT_MARKS.isdisjoint(words) else ():
        before = set(words[:index])
        if word == "without" and _is_leave(*words[index + 1 : index + 3]):
            is_denied = not before.isdisjoint(("not", "nothing", "no"))
            is_order = "b" in forms().get(words[0], ("", ""))[1] and tokens[0].text[0].isupper()
            if not is_denied and not is_order and _WORDS["freely"].isdisjoint(before):
                return "", ()
            return ("ask" if is_denied else "free"), tokens[:index]
        if word == "until" and before & {"not", "nothing"} and not _AGREEING.isdisjoint(words[index + 1 :]):
            return "ask", tokens[:index]
        if word == "before" and before & _WORDS["asking"] and "asked" not in before:
            if before & {"not", "no"}:
                return "free", tokens[index + 1 :]
            return "ask", (*tokens[:index], *tokens[index + 1 :])
    return "", ()


def _is_leave(first: str = "", second: str = "") -> bool:
    return first in _WITHOUT_LEAVE or second in _LEAVES
