"""Read a correction that leaves out what it corrects: "it's 8443", "it runs at 50 Hz now", "8443" (C-41)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import NEUTRAL, PREPOSITIONS
from ...language.tables import read_classes
from ...language.token import low_at
from ..clauses.predicates import Frame, Tokens
from ..grammar.verb_groups import VerbGroup
from ..model import Claim, Modality, Value, ValueKind
from ..values.readers import parse_value

_WORDS: Final = read_classes(__file__)
#: What an elliptical correction can give; names and places are left to sentences that say whose they are.
_ELLIPTIC_READS: Final = (
    *("email", "url", "path", "named version", "money", "date", "clock", "named port", "number", "timezone", "term"),
    "version",
)
_ELLIPTIC_SUBJECTS: Final = frozenset(("it", "that", "this"))
_ANSWER_NOUNS: Final = _WORDS["answer_nouns"]


def parse_elliptic(tokens: Tokens, group: VerbGroup | None, frame: Frame, corrects: bool) -> list[Claim] | None:
    """Read "it's 8443", "the correct answer is GraphQL", "8443": a correction that leaves out what it corrects.

    Its scope is the verb by which the value is told, if that is another than "is". None if the clause is no such thing.
    """
    index, lemma, changes = 0, "", False
    if group is not None:
        subject = [token.low for token in tokens[: group.subject_end]]
        is_pronoun = len(subject) == 1 and subject[0] in _ELLIPTIC_SUBJECTS
        is_answer = len(subject) == 3 and subject[1] in ("correct", "right", "actual") and subject[2] in _ANSWER_NOUNS
        if group.negated or group.is_past or not (is_pronoun or is_answer):
            return None
        corrects, index = corrects or is_answer, group.rest
        if group.lemma != "be":
            lemma, index = group.lemma, index + (low_at(tokens, index) in PREPOSITIONS)
            changes = not corrects and any(token.low == "now" for token in tokens)
    while index < len(tokens) and tokens[index].low in NEUTRAL:
        index += 1
    if not (corrects or changes) or frame.modality is not Modality.FACT:
        return None
    parsed = parse_value(_ELLIPTIC_READS, tokens, index)
    value = parsed.value if parsed else _whole_name(tokens, index)
    end = parsed.end if parsed else len(tokens)
    if value is None or any(token.low not in NEUTRAL for token in tokens[end:]):
        return None
    slot = f"version of {parsed.name}" if parsed and parsed.name else ""
    scope, start, end = (lemma,) if lemma else (), tokens[0].start, tokens[-1].end
    return [
        Claim(
            subject="",
            slot=slot,
            value=value,
            scope=scope,
            correction=corrects,
            change=changes,
            elliptical=True,
            start=start,
            end=end,
        )
    ]


def _whole_name(tokens: Tokens, index: int) -> Value | None:
    """A name that is all there is: "I meant Alicia"."""
    parsed = parse_value(("name",), tokens, index)
    return parsed.value if parsed and parsed.end == len(tokens) and parsed.value.kind is ValueKind.NAME else None
