"""Find the tools of a clause, and whether it says what for: "tickets are tracked in Jira" (C-39, C-43)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from ...language.lexicon import DEFINITE, DETERMINERS, FIRST_PERSON
from ...language.stems import stem
from ...language.tables import read_classes, read_table
from ...language.token import low_at, text_of
from ...language.tools import PURPOSES, first_words_of_tools, tools
from ...language.verbs import forms
from ..model import Value, ValueKind
from ..values.numbers import Parsed
from .predicates import Predicate, Tokens

_TABLE: Final = read_table(__file__, "word_classes")["purposes"]
_WORDS: Final = read_classes(__file__)

_SLOT: Final = "for "
_SERVES: Final = _WORDS["serves"]
#: What is done with one thing as often as one likes.
_COPYING: Final = _WORDS["copying"]
_BLOCKING: Final = _WORDS["blocking"]
_ARTICLES: Final = DETERMINERS | {"only"}
_OF_TOOLS: Final = _WORDS["of_tools"]
_AFTER: Final = _WORDS["after"]
_BESIDE_EACH_OTHER: Final = frozenset(f"{_SLOT}{one.strip()}" for one in _TABLE["beside_each_other"].split("|"))
#: What uses, or works with, one of these may use another one as well: "the API uses REST".
_USED_BESIDE: Final = frozenset(f"{_SLOT}{family}" for family in ("protocol", "way of working", "support desk"))
#: Words for any tool beside the word for what it does: "our payment provider".
_KINDS: Final = _WORDS["kinds"]
_OF_ONE: Final = DEFINITE | FIRST_PERSON | {"us", "we"}


class Words(NamedTuple):
    """The stems by which a purpose is told, each with the one it is compared as, and those that say no more.

    `weak` count only if no other tells.
    """

    tells: dict[str, str]
    beside: frozenset[str]
    weak: frozenset[str]


NO_WORDS: Final = Words({}, frozenset(), frozenset())


@cache
def purpose_words(slot: str) -> Words:
    """The words of the purpose that a slot is for; none if it is for none."""
    purpose = PURPOSES.get(slot.removeprefix(_SLOT)) if slot.startswith(_SLOT) else None
    if purpose is None:
        return NO_WORDS
    tells: dict[str, str] = {}
    weak: set[str] = set()
    for group in purpose.tells.split():
        words = group.removeprefix("?").split("=")
        found = {stem(word): f"for-{words[0]}" for word in words if stem(word) not in tells}
        tells |= found
        weak |= set(found) if group[0] == "?" else set()
    beside = frozenset(stem(word) for word in purpose.beside.split()) - set(tells)
    return Words(tells, beside, frozenset(weak))


def is_purpose(slot: str) -> bool:
    """Whether a slot is for a purpose."""
    return bool(purpose_words(slot).tells)


def parse_tools(tokens: Tokens) -> Iterator[tuple[int, Parsed, str]]:
    """Where a tool stands, the tool, and the slot of each purpose that it may serve here."""
    stems: set[str] = set()
    first_words = first_words_of_tools()
    index = 0 if not first_words.keys().isdisjoint([token.low for token in tokens]) else len(tokens)
    while index < len(tokens):
        length = first_words.get(tokens[index].low, 0)
        end, names = _tool_at(tokens, index, length) if length else (index + 1, ())
        if names and not stems:
            stems = {stem(token.low) for token in tokens}
        for family, name in names:
            slot = f"{_SLOT}{family}"
            words = purpose_words(slot)
            if stems.isdisjoint(words.tells) or not _is_free(tokens, index, end, words):
                continue
            text = text_of(tokens[index:end])
            yield index, Parsed(Value(ValueKind.TERM, text, (slot, name)), end), slot
        index = end


def _tool_at(tokens: Tokens, index: int, length: int) -> tuple[int, tuple[tuple[str, str], ...]]:
    for count in range(min(length, len(tokens) - index), 0, -1):
        found = tools().get(tuple(token.low for token in tokens[index : index + count]))
        if found and not (found.is_plain and tokens[index].text[0].islower()):
            return index + count, found.names
    return index + 1, ()


def _is_free(tokens: Tokens, index: int, end: int, words: Words) -> bool:
    """Whether a tool stands for itself, and is no word of another thing: "the Sentry SDK", "like Jira"."""
    after = low_at(tokens, end)
    is_end = not after[:1].isalpha() or after in _ENDS or not after.isalpha()
    if not is_end and after not in _AFTER and stem(after) not in words.beside | set(words.tells):
        return bool(forms().get(after)) and index == 0
    if after in ("and", "or", "&", "/"):
        return False
    index -= 1
    while index >= 0 and (tokens[index].low in _ARTICLES or tokens[index].low in _OF_TOOLS):
        index -= 1
    return index < 0 or tokens[index].low not in _BLOCKING


_ENDS: Final = _WORDS["ends"]


def is_served(at: Predicate, slot: str, begin: int) -> bool:
    """Whether the verb of a clause says that the tool at `begin` serves what stands beside it."""
    words = purpose_words(slot)
    known = words.beside | set(words.tells)
    first = low_at(at.rest, 0)
    lemma, letters = forms().get(first, ("", ""))
    if at.group.lemma == "be" and ("n" in letters and lemma not in _SERVES and stem(first) not in known):
        return False
    if at.group.lemma and at.group.lemma not in _SERVES and stem(at.group.lemma) not in known:
        return False
    if at.group.lemma in _COPYING and begin and at.tokens[begin - 1].low in _WORDS["targets"]:
        return any(token.low in ("we", "i") for token in at.subject)  # a job may push to several
    if at.group.lemma in ("use", "work", "support") and slot in _USED_BESIDE:
        return any(stem(token.low) in words.tells for token in at.rest)
    if at.group.lemma == "use" and slot in _BESIDE_EACH_OTHER and any(token.low == "for" for token in at.rest):
        return False
    if at.group.lemma == "have" and all(token.low != "as" for token in at.rest):
        return False
    if begin >= len(at.subject) or first == "used":
        return True
    is_definite = any(token.low in _OF_ONE or token.low.endswith("'s") for token in at.rest)
    return is_definite and not (at.group.lemma == "be" and first in ("a", "an"))


def is_whole_subject(subject: Tokens, begin: int, end: int) -> bool:
    """Whether a tool is the subject: "Linear is our issue tracker"."""
    return begin == 0 and end == len(subject)


def says_nothing(tokens: Tokens, index: int, words: Words, inside: frozenset[int]) -> bool:
    """Whether a word beside a tool says neither what for nor of what."""
    low = tokens[index].low
    if stem(low) in words.beside:
        return True
    after = low_at(tokens, index + 1)
    if low == "not":
        return index + 1 in inside or index + 2 in inside or index + 3 in inside
    if low in ("longer", "more") or (low == "any" and after in ("longer", "more")):
        return low == "any" or low_at(tokens, index - 1) == "any"
    if low in _OF_TOOLS:
        return index + 1 in inside or after in _OF_TOOLS
    before = low_at(tokens, index - 1) if index else ""
    if low in _AFTER and index - 1 in inside:
        return True
    if low in _KINDS and (stem(before) in words.tells or before in ("a", "an")):
        return True
    if low in ("team", "everyone", "everybody") and (not index or before in ("the", "our", "my")):
        return after not in ("of", "for")
    return low in ("use", "choice") or low in FIRST_PERSON
