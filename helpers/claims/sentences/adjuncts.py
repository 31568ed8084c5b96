"""Leave out what a sentence says beside its point: notes about the past, reasons, and since when it holds (C-43)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...language.lexicon import DEFINITE, ENGLISH, PAST_WORDS, PREPOSITIONS, PRONOUNS, RELATIVES, SUBJECT_PRONOUNS
from ...language.segment import JOINING, is_finite
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import BE_PAST, BE_PRESENT, HAVE_FORMS, forms
from ..clauses.predicates import Tokens
from ..grammar.subjects import KIN, USER
from ..grammar.verb_groups import CHANGE_LEMMAS

_WORDS: Final = read_classes(__file__)

_EVENTS: Final = _WORDS["events"]
_AFTER: Final = frozenset(("after", "since", "following"))
_MAX_EVENT: Final = 4
#: Who has what the memory speaks of, and by what verbs.
_HOLDERS: Final = SUBJECT_PRONOUNS | {USER}
_HOLDING: Final = _WORDS["holding"]
_MAX_SUBJECT: Final = 10


def without_adjuncts(tokens: Tokens) -> Tokens:
    """The sentence without its asides."""
    lows = {token.low for token in tokens}
    for marks, without in _ASIDES:
        if not marks.isdisjoint(lows):
            tokens = without(tokens)
    return tokens


_LED: Final = DEFINITE | {"user's"}


def _without_apposition(tokens: Tokens) -> Tokens:
    """Read "Ana, my sister, lives here" like "my sister Ana lives here"; of a thing only its name is left."""
    comma = next((i for i, token in enumerate(tokens[:_MAX_EVENT]) if token.low == ","), 0)
    end = next((i for i in range(comma + 2, min(comma + 8, len(tokens) - 1)) if tokens[i].low == ","), 0)
    if not comma or not end or low_at(tokens, comma + 1) not in _LED or not is_finite(tokens, end + 1):
        return tokens
    name, beside = tokens[:comma], tokens[comma + 1 : end]
    is_name = all(token.text[0].isupper() for token in name) and name[0].low not in ENGLISH | PREPOSITIONS
    if not is_name or any(is_finite(beside, i) for i in range(len(beside))):
        return tokens
    kin = beside if beside[-1].low in KIN else beside[:0]
    return (*kin, *name, *tokens[end + 1 :])


_SOMEBODY: Final = _WORDS["somebody"]
_NAMING: Final = frozenset(("called", "named"))
_MAX_NAMING: Final = 5


def _without_naming(tokens: Tokens) -> Tokens:
    """Read "it is taught by a woman called Ana" like "it is taught by Ana"."""
    for index in range(2, len(tokens) - 1):
        if tokens[index].low not in _NAMING or tokens[index - 1].low not in _SOMEBODY:
            continue
        begin = next(
            (i for i in range(index - 2, max(index - _MAX_NAMING, -1), -1) if tokens[i].low in ("a", "an")), -1
        )
        is_led = begin == 0 or (begin > 0 and (tokens[begin - 1].low in PREPOSITIONS | BE_PRESENT))
        if is_led and tokens[index + 1].text[0].isupper():
            return (*tokens[:begin], *tokens[index + 1 :])
    return tokens


def _without_use(tokens: Tokens) -> Tokens:
    """Read "the component (that) we use is free" like "our component is free"."""
    for index in range(1, min(_MAX_SUBJECT, len(tokens) - 3)):
        is_used = tokens[index].low in _HOLDERS and tokens[index + 1].low in _HOLDING
        if is_used and (tokens[index + 2].low in BE_PRESENT or tokens[index + 2].low in HAVE_FORMS):
            begin = index - 1 if tokens[index - 1].low in ("that", "which") else index
            return (*tokens[:begin], *tokens[index + 2 :])
    return tokens


def _without_notes(tokens: Tokens) -> Tokens:
    """A sentence without what it says in brackets about the past: "(was 80 before)", "(changed in May)", "(not 80)"."""
    begin = next((i for i, token in enumerate(tokens) if token.low == "("), 0)
    end = next((i for i in range(begin, len(tokens)) if tokens[i].low == ")"), 0) if begin else 0
    told = tokens[begin:end]
    if not end or not (low_at(told, 1) == "not" or any(_is_of_the_past(token.low) for token in told)):
        return tokens
    return (*tokens[:begin], *tokens[end + 1 :])


def _without_reason(tokens: Tokens) -> Tokens:
    """A sentence without a reason at its end that changes nothing: "now that I've moved", "so keep that in mind"."""
    for index in range(2, len(tokens) - 1):
        pair = (tokens[index].low, tokens[index + 1].low)
        if pair in (("now", "that"), ("so", "keep")):
            end = index - 1 if tokens[index - 1].low == "," else index
            return tokens[:end] if all(token.low != "," for token in tokens[index:]) else tokens
    return tokens


def _without_events(tokens: Tokens) -> Tokens:
    """A sentence without "after the merger" at either end."""
    if tokens and tokens[0].low in _AFTER:
        end = next((i for i in range(1, min(_MAX_EVENT + 1, len(tokens))) if tokens[i].low in _EVENTS), 0)
        if end and end + 2 < len(tokens):
            return tokens[end + 1 + (low_at(tokens, end + 1) == ",") :]
    if tokens and tokens[-1].low in _EVENTS:
        begin = next((i for i in range(len(tokens) - 2, 2, -1) if tokens[i].low in _AFTER), 0)
        return tokens[:begin] if len(tokens) - begin <= _MAX_EVENT + 1 and begin else tokens
    return tokens


_WHICH: Final = _WORDS["which"]


def _with_owner(tokens: Tokens) -> Tokens:
    """Read "the database used by the app is X" like "the database of the app is X"."""
    for index in range(1, len(tokens) - 3):
        if is_finite(tokens, index) and tokens[index].low not in _WHICH:
            return tokens
        if tokens[index].low not in _WHICH or tokens[index + 1].low not in PREPOSITIONS:
            continue
        before = tokens[index - 1].low
        is_verb = before in BE_PRESENT or before in BE_PAST or before in HAVE_FORMS or before in ("be", USER)
        if is_verb or before in PRONOUNS or not _has_present_verb(tokens, index + 3):
            return tokens
        link = tokens[index + 1]
        link = link._replace(text="of", low="of") if link.low == "by" else link
        return (*tokens[:index], link, *tokens[index + 2 :])
    return tokens


def _with_wish(tokens: Tokens) -> Tokens:
    """Read "the user asked to be called Bob" like "the user wants to be called Bob"."""
    for index in range(1, min(4, len(tokens) - 3)):
        if tokens[index].low in ("asked", "requested") and [t.low for t in tokens[index + 1 : index + 3]] == [
            "to",
            "be",
        ]:
            return (*tokens[:index], tokens[index]._replace(text="wants", low="wants"), *tokens[index + 1 :])
    return tokens


def _has_present_verb(tokens: Tokens, begin: int) -> bool:
    """Whether the noun phrase that reaches to `begin` or further is followed by a verb of its own."""
    for index in range(begin, len(tokens)):
        if tokens[index].low in JOINING or tokens[index].low in RELATIVES:
            return False
        if tokens[index].low in BE_PRESENT or is_finite(tokens, index):
            letters = forms().get(tokens[index].low, ("", ""))[1]
            return "d" not in letters or tokens[index].low in BE_PRESENT
    return False


def _is_of_the_past(low: str) -> bool:
    lemma, letters = forms().get(low, ("", ""))
    return low in PAST_WORDS or low in BE_PAST or low == "since" or (lemma in CHANGE_LEMMAS and "d" in letters)


#: Words without one of which a sentence has no such aside, and what leaves it out.
_ASIDES: Final[tuple[tuple[frozenset[str], Callable[[Tokens], Tokens]], ...]] = (
    (frozenset("("), _without_notes),
    (_NAMING, _without_naming),
    (frozenset(","), _without_apposition),
    (_HOLDING, _without_use),
    (frozenset(("now", "so")), _without_reason),
    (_EVENTS, _without_events),
    (_WHICH, _with_owner),
    (frozenset(("asked", "requested")), _with_wish),
)
