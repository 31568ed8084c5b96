"""Find the condition and the consequence of a sentence: "if A, B". The wordings are data: `conditionals.toml`."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...language.lexicon import DETERMINERS
from ...language.modality import says
from ...language.segment import JOINING
from ...language.tables import expand_wordings, read_table
from ..clauses.clause_grammar import is_reporting, parse_group
from ..clauses.predicates import Tokens

_TABLE: Final = read_table(__file__, "conditionals")
_NARROWING: Final = frozenset(_TABLE["after"]["narrowing"].split())
#: The most words of a condition without a verb: "when idle", "if in doubt".
_MOST_VERBLESS: Final = 2


def _wordings(row: str) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(expand_wordings(_TABLE[row]["opens"]), key=lambda words: (-len(words), words)))


_FIRST, _AFTER, _VERB, _GIVEN = map(_wordings, ("first", "after", "verb", "given"))
_MARKS: Final = frozenset(words[0] for words in (*_FIRST, *_AFTER, *_VERB, *_GIVEN))


class Conditional(NamedTuple):
    """A condition and its consequence; `is_given`: both are told as facts."""

    condition: Tokens
    consequence: Tokens
    is_given: bool = False


def parse_conditional(tokens: Tokens) -> Conditional | None:
    """Return the condition and the consequence of a sentence; None if it has none."""
    if _MARKS.isdisjoint([token.low for token in tokens]):
        return None
    begin = 0
    while begin < len(tokens) and not _opens(tokens, begin, _FIRST) and tokens[begin].low in JOINING:
        begin += 1
    opener = _opens(tokens, begin, _FIRST)
    if opener:
        return _condition_first(tokens, begin + opener)
    for index in range(begin + 1, len(tokens)):
        conditional = _joined(tokens, index)
        if conditional is not None:
            return conditional
    return None


def _condition_first(tokens: Tokens, begin: int) -> Conditional | None:
    for index in range(begin + 1, len(tokens) - 1):
        condition = tokens[begin:index]
        is_end = tokens[index].low == "then" or (tokens[index].low == "," and _is_condition(condition))
        start = index + 1 + (tokens[index].low == "," and tokens[index + 1].low == "then")
        if is_end and _is_clause(tokens[start:]):
            return Conditional(_trimmed(condition), tokens[start:])
    return None


def _joined(tokens: Tokens, index: int) -> Conditional | None:
    """Return the conditional that the words at `index` join: a condition or a consequence follows them."""
    before = _trimmed(tokens[:index])
    after = tokens[index + _opens(tokens, index, _AFTER) :]
    if after and len(after) < len(tokens) - index and tokens[index - 1].low not in _NARROWING:
        group = parse_group(before)
        is_told = group is not None and not is_reporting(group, before[group.rest :])
        if is_told and not says("embedded_question", " ".join(token.low for token in tokens)):
            return Conditional(after, before)
    for wordings, is_given in ((_VERB, False), (_GIVEN, True)):
        size = _opens(tokens, index, wordings)
        if size and _is_clause(tokens[index + size :]) and (parse_group(before) is not None or not is_given):
            return Conditional(before, tokens[index + size :], is_given)
    return None


def _opens(tokens: Tokens, index: int, wordings: tuple[tuple[str, ...], ...]) -> int:
    """Return the length of the wording that stands at `index`; 0 if none does."""
    for wording in wordings:
        if tuple(token.low for token in tokens[index : index + len(wording)]) == wording:
            return len(wording)
    return 0


def _is_condition(tokens: Tokens) -> bool:
    """Whether words can be a condition: a clause, or a word or two that name nothing."""
    return parse_group(tokens) is not None or (
        len(tokens) <= _MOST_VERBLESS and tokens[0].low not in DETERMINERS | {"of"}
    )


def _is_clause(tokens: Tokens) -> bool:
    group = parse_group(tokens)
    return group is not None and group.subject_end > 0


def _trimmed(tokens: Tokens) -> Tokens:
    """Return words without the conjunctions and marks at their end."""
    end = next((index for index in range(len(tokens), 0, -1) if tokens[index - 1].low not in JOINING), 0)
    return tokens[:end]
