"""Read what one value is set against, and what was said by mistake (C-40, C-41)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...language.lexicon import CALENDAR, DETERMINERS, PREPOSITIONS, TOLD, WRONG
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, forms
from ..clauses.ending_phrases import is_origin
from ..clauses.predicates import Tokens
from ..grammar.verb_groups import CHANGE_LEMMAS, SWAP_LEMMAS, VerbGroup
from .phrases import BREAKS, Given, noun_phrases, phrase_end, shape, starts

_WORDS: Final = read_classes(__file__)
#: What sets one value against another.
_CONTRASTS: Final = split_wordings(read_table(__file__, "word_classes")["contrasts"]["marks"].split("|"))
#: What is done once and holds since; whatever else was done instead of something was so then.
_SETTING: Final = CHANGE_LEMMAS | SWAP_LEMMAS | _WORDS["setting"]
_CONTRAST_STARTS: Final = frozenset(words[0] for words in _CONTRASTS)
_KNOWN: Final = _WORDS["known"]
_ARROWS: Final = frozenset(("->", "→", "=>", "⇒", "-->"))
#: An arrow beside one of these tells of a change, whatever stands beside it; beside none it may be a way.
_CHANGED: Final = _WORDS["changed"]
_TELLING: Final = (frozenset(max(words, key=len) for words in _CONTRASTS) | TOLD | WRONG | _ARROWS | {"not"}) - {"and"}


def may_contrast(lows: Iterable[str]) -> bool:
    """Whether a text may set one value against another, or take one back; a quick look, before it is read."""
    return not _TELLING.isdisjoint(lows)


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
        runs = (
            (*noun_phrases(before[: group.subject_end if group and cut else 0]), *noun_phrases(before[cut:]))
            if index
            else noun_phrases(after)
        )
        new = _set_against(runs, gone)
        rest = (*before, *after)
        return Given(gone, _about(rest, new, group), new)
    return None


def parse_lead(tokens: Tokens) -> Given | None:
    """Read "not A but B is S" and "S: A -> B"."""
    if low_at(tokens, 0) == "not":
        end = phrase_end(tokens, 1)
        after = phrase_end(tokens, end + 1)
        if low_at(tokens, end) != "but" or end < 2 or after == end + 1:
            return None
        return Given(tokens[1:end], tokens[after:], tokens[end + 1 : after], corrects=True)
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


def parse_slip(tokens: Tokens) -> Given | None:
    """Read "43 was wrong, ...", "I said Tuesday, but ...", "... when I said Siemens", "... what I said about main"."""
    for index, token in enumerate(tokens):
        if token.low in WRONG and index > 1 and tokens[index - 1].low in BE_PAST:
            begin = index - 1
            while begin > 0 and tokens[begin - 1].low not in BREAKS:
                begin -= 1
            gone = tokens[begin : index - 1]
            return Given(gone, (), corrects=True) if _is_wrong_value(gone, tokens[index + 1 :]) else None
        if token.low in TOLD and index and tokens[index - 1].low == "i":
            start = index + 1 + (low_at(tokens, index + 1) == "you")
            start += low_at(tokens, start) in ("about", "for", "of")
            end = phrase_end(tokens, start)
            is_slip = index == 1 and low_at(tokens, end + (low_at(tokens, end) == ",")) == "but"
            is_slip = is_slip or low_at(tokens, index - 2) in ("when", "what")
            if is_slip and end > start and not any(one.low in ("will", "would") for one in tokens):
                return Given(tokens[start:end], (), corrects=True)
    return None


def _is_wrong_value(gone: Tokens, after: Tokens) -> bool:
    """Whether what is said to be wrong is a value, and neither somebody nor what has a value."""
    is_value = shape(gone) in ("number", "address") or (len(gone) <= 2 and shape(gone, begins=True) == "name")
    return is_value and low_at(after, 0) not in PREPOSITIONS


def without_source(tokens: Tokens) -> Tokens:
    """A sentence without the words that only say when it was told otherwise: "... when I told you the version"."""
    for index, token in enumerate(tokens[:-2]):
        if token.low in ("when", "as") and tokens[index + 1].low == "i" and tokens[index + 2].low in TOLD:
            return tokens[:index]
    return tokens


def _set_against(runs: Sequence[Tokens], gone: Tokens) -> Tokens:
    """What comes instead: the nearest phrase of the same shape, else the nearest one."""
    if not runs:
        return ()
    alike = [run for run in runs if shape(run) == shape(gone)]
    return (alike or runs)[-1]


def _about(tokens: Iterable[Token], new: Tokens, group: VerbGroup | None) -> Tokens:
    """The words of a clause that say what it is about: without its verbs and what comes instead."""
    spans = {(token.start, token.text) for token in new}
    return tuple(
        token
        for token in tokens
        if (token.start, token.text) not in spans
        and not (group is not None and forms().get(token.low, ("", ""))[0] == group.lemma != "")
    )
