"""Read what was so before, where a text says that it is not so now: "used to be A", "was A, now B" (C-40, C-41)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import PAST_WORDS, PRONOUNS, SUBJECT_PRONOUNS
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import BE_PAST, BE_PRESENT, HAVE_FORMS
from ..clauses.clause_grammar import parse_group
from ..clauses.predicates import Tokens
from ..grammar.subjects import USER
from ..grammar.verb_groups import VerbGroup
from .phrases import Given, noun_phrases, shape

_WORDS: Final = read_classes(__file__)
_BEFORE: Final = PAST_WORDS | {"before", "once"}
_SINCE: Final = _WORDS["since"]
#: What somebody used to do at such a time says nothing of now.
_THEN: Final = _WORDS["then"]
_UNTIL: Final = frozenset(("until", "till"))


def may_be_before(lows: Sequence[str]) -> bool:
    """Whether a text may tell of what was so before; a quick look, before it is read."""
    return "used" in lows or not (BE_PAST.isdisjoint(lows) and HAVE_FORMS.isdisjoint(lows) and _UNTIL.isdisjoint(lows))


def without_until(tokens: Tokens) -> Tokens:
    """A sentence without when something ended, if it says what holds since: "was A until May, B since"."""
    if _UNTIL.isdisjoint([token.low for token in tokens]):
        return tokens
    begin = next((i for i, token in enumerate(tokens) if token.low in _UNTIL), -1)
    end = next((i for i in range(begin + 1, len(tokens)) if tokens[i].low in (",", ";", "and")), 0)
    if begin < 1 or not end or not any(token.low in _SINCE for token in tokens[end:]):
        return tokens
    return (*tokens[:begin], *tokens[end:])


def parse_before(clause: Tokens, group: VerbGroup, after: Sequence[Tokens]) -> Given | None:
    """Read "S used to be A", and "S was A" in front of "now it's B" and "it has been B since"."""
    if group.negated or not group.is_past or not group.subject_end:
        return None
    lows = {token.low for token in clause}
    if not lows.isdisjoint(_THEN):
        return None
    is_habit = low_at(clause, group.rest - 2) == "to" and low_at(clause, group.rest - 3) == "used"
    subject, rest = clause[: group.subject_end], clause[group.rest :]
    gone = _value(tuple(token for token in rest if token.low not in _BEFORE))
    if not gone or any(token.low in ("and", "or", ",") for token in rest):
        return None
    new = next((value for one in after if (value := _since(one, gone))), ())
    if not new and not is_habit:
        return None
    spans = {token.start for token in gone}
    about = (token for token in rest if token.start not in spans and token.low not in _BEFORE)
    return Given(gone, (*_holder(subject), *about), new)


def _holder(subject: Tokens) -> Tokens:
    return () if len(subject) == 1 and (subject[0].low in SUBJECT_PRONOUNS or subject[0].low == USER) else subject


def _value(rest: Tokens) -> Tokens:
    """The one phrase that may be the value: the only one, or the only one with a name or a number."""
    runs = noun_phrases(rest)
    told = [run for run in runs if shape(run) != "word"] or runs
    return told[0] if len(told) == 1 else ()


def _since(clause: Tokens, gone: Tokens) -> Tokens:
    """The value that a clause says to hold now, of the same shape."""
    if not any(token.low in _SINCE for token in clause):
        return ()
    group = parse_group(clause)
    subject = clause[: group.subject_end] if group is not None else ()
    is_open = not subject or any(token.low in PRONOUNS for token in subject)
    if group is not None and (group.negated or group.is_past or not is_open):
        return ()
    words = tuple(token for token in clause[group.rest if group else 0 :] if token.low not in _SINCE)
    alike = [run for run in noun_phrases(words) if shape(run) == shape(gone) and run[0].low not in BE_PRESENT]
    return alike[0] if alike else ()
