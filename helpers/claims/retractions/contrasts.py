"""Read what one value is set against, or was before it, phrase by phrase (C-40, C-41)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ...language.lexicon import (
    AUXILIARIES,
    CALENDAR,
    DETERMINERS,
    NEUTRAL,
    PAST_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SUBJECT_PRONOUNS,
)
from ...language.segment import JOINING
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, BE_PRESENT, HAVE_FORMS, forms
from ..clauses.clause_grammar import parse_group
from ..clauses.ending_phrases import is_origin
from ..clauses.predicates import Tokens
from ..grammar.subjects import USER
from ..grammar.verb_groups import CHANGE_LEMMAS, SWAP_LEMMAS, VerbGroup

_WORDS: Final = read_classes(__file__)
BREAKS: Final = JOINING | RELATIVES | {"whose", "instead", "not"} | frozenset(";()")
COPULAS: Final = AUXILIARIES | {"be", "been", "being"}
#: What sets one value against another.
_CONTRASTS: Final = split_wordings(read_table(__file__, "word_classes")["contrasts"]["marks"].split("|"))
#: What is done once and holds since; whatever else was done instead of something was so then.
_SETTING: Final = CHANGE_LEMMAS | SWAP_LEMMAS | _WORDS["setting"]
_CONTRAST_STARTS: Final = frozenset(words[0] for words in _CONTRASTS)
_KNOWN: Final = _WORDS["known"]
_ARROWS: Final = frozenset(("->", "→", "=>", "⇒", "-->"))
#: An arrow beside one of these tells of a change, whatever stands beside it; beside none it may be a way.
_CHANGED: Final = _WORDS["changed"]
#: The words without one of which nothing is set against another thing, or was before it.
TELLING: Final = (
    frozenset(max(words, key=len) for words in _CONTRASTS) | _ARROWS | BE_PAST | HAVE_FORMS | {"not", "used"}
)


_BEFORE: Final = PAST_WORDS | {"before", "once"}
_SINCE: Final = _WORDS["since"]
#: What somebody used to do at such a time says nothing of now.
_THEN: Final = _WORDS["then"]


class Given(NamedTuple):
    """What is given up, what comes instead (if it is told), and the other words of the clause.

    `renamed`: it is the name alone that is given up.
    """

    gone: Tokens
    about: Tokens
    new: Tokens = ()
    renamed: bool = False


def phrase_end(tokens: Tokens, index: int) -> int:
    """The end of a noun phrase: where something else begins."""
    start = index
    while index < len(tokens):
        low = tokens[index].low
        is_end = (low in PREPOSITIONS and low != "of") or low in BREAKS or low in COPULAS or low in NEUTRAL
        if is_end or (low == "no" and index > start):
            break
        index += 1
    return index


def starts(tokens: Tokens, index: int, words: tuple[str, ...]) -> bool:
    return all(low_at(tokens, index + offset) == word for offset, word in enumerate(words))


def noun_phrases(tokens: Tokens) -> list[Tokens]:
    """The noun phrases of a stretch, in their order."""
    runs: list[Tokens] = []
    index = 0
    while index < len(tokens):
        low = tokens[index].low
        if low in DETERMINERS or not (low[0].isalnum() or low[0] in "#@/~.$€£"):
            index += 1
            continue
        end = phrase_end(tokens, index)
        if end > index:
            runs.append(tokens[index:end])
        index = max(end, index + 1)
    return runs


def shape(tokens: Iterable[Token]) -> str:
    """What a phrase is at first sight: a number, an address, a name or a word."""
    for token in tokens:
        text = token.text
        if text[0].isdigit() or text[0] in "$€£":
            return "number"
        if any(mark in text.strip(".") for mark in "/@_#."):
            return "address"
        if text[0].isupper():
            return "name"
    return "word"


def parse_contrast(clause: Tokens, group: VerbGroup | None) -> Given | None:
    """Read "B instead of A", "B rather than A", "B, not A", "B, replacing A"."""
    if group is not None and (group.negated or (group.is_past and group.lemma not in _SETTING)):
        return None
    for index, token in enumerate(clause):
        if token.low not in _CONTRAST_STARTS:
            continue
        mark = next((words for words in _CONTRASTS if starts(clause, index, words)), None)
        if mark is None:
            continue
        start = index + len(mark)
        if low_at(clause, start) in _KNOWN or (group is not None and is_origin(clause, start, group.lemma)):
            continue
        while low_at(clause, start) in PREPOSITIONS or low_at(clause, start) in DETERMINERS:
            start += 1
        end = phrase_end(clause, start)
        gone = clause[start:end]
        if not gone:
            continue
        before, after = clause[:index], clause[end:]
        cut = group.rest if group is not None and group.rest < index else 0
        subject = before[: group.subject_end] if group is not None and cut else ()
        runs = [*noun_phrases(subject), *noun_phrases(before[cut:])] if index else noun_phrases(after)
        alike = [run for run in runs if shape(run) == shape(gone)] or runs
        new = alike[-1] if alike else ()  # the nearest of the same shape, else the nearest
        return Given(gone, _about((*before, *after), new, group), new)
    return None


def parse_lead(tokens: Tokens) -> Given | None:
    """Read "S: A -> B"."""
    arrows = [index for index, token in enumerate(tokens) if token.low in _ARROWS]
    if len(arrows) != 1:
        return None
    begin, end = arrows[0], phrase_end(tokens, arrows[0] + 1)
    while begin > 0 and tokens[begin - 1].low not in BREAKS:
        begin -= 1
    gone, new = tokens[begin : arrows[0]], tokens[arrows[0] + 1 : end]
    rest = (*tokens[:begin], *tokens[end:])
    is_change = any(token.low in _CHANGED for token in rest) or _is_plain_number(gone)
    is_alike = shape(gone) == shape(new) != "word"
    about = tuple(token for token in rest if token.low not in _CHANGED)
    return Given(gone, about, new) if is_change and is_alike and about else None


def _is_plain_number(tokens: Tokens) -> bool:
    """Whether a phrase is a number alone or with its unit, and neither a time nor a day."""
    is_number = bool(tokens) and tokens[0].low.replace(".", "").isdecimal() and len(tokens) < 3
    return is_number and all(token.low not in CALENDAR for token in tokens)


def _about(tokens: Iterable[Token], new: Tokens, group: VerbGroup | None) -> Tokens:
    """The words of a clause that say what it is about: without its verbs and what comes instead."""
    spans = {(token.start, token.text) for token in new}
    return tuple(
        token
        for token in tokens
        if (token.start, token.text) not in spans
        and not (group is not None and forms().get(token.low, ("", ""))[0] == group.lemma != "")
    )


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
    is_person = len(subject) == 1 and (subject[0].low in SUBJECT_PRONOUNS or subject[0].low == USER)
    return Given(gone, (*(() if is_person else subject), *about), new)


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
