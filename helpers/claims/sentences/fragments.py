"""Read a clause without a verb: "API port: 8443", "Angular: 17", "always rebase before merging" (C-39)."""

from __future__ import annotations

from typing import Final

from ..clauses.endings import parse_endings, parse_says
from ..clauses.free_order import parse_free
from ..clauses.open_values import parse_open_value
from ..clauses.possession import parse_belonging
from ..clauses.predicates import Frame, Predicate, Tokens, parse_slot_value
from ..clauses.statements import parse_statement
from ..clauses.states import parse_states
from ..grammar.subjects import Subject
from ..grammar.verb_groups import VerbGroup
from ..model import Claim, Modality
from ..slots.rows import TABLE
from .labels import LABEL_MARKS, labelled_attribute, modality_of_label

_NO_VERB: Final = VerbGroup("be", 0, 0)


def parse_fragment(tokens: Tokens, frame: Frame) -> list[Claim]:
    """A clause without a verb: "API port: 8443", "always rebase before merging"."""
    cut = next((i for i, token in enumerate(tokens) if token.low in LABEL_MARKS), 0)
    if cut and cut + 1 < len(tokens):
        attribute = labelled_attribute(tokens[:cut], frame)
        if attribute is not None:
            at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
            for row in attribute.rows:
                claims = parse_slot_value(at, attribute.subject, attribute.slot, row, 0, change=attribute.updated)
                if claims:
                    return [*claims, *parse_states(at), *parse_free(at), *parse_says(at), *parse_open_value(at)]
    if cut and modality_of_label(tokens[:cut]) not in (None, Modality.FACT):
        return []  # "Error: ...", "TODO: ..."
    if cut == 1 and any(mark in tokens[0].text for mark in "_."):
        at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
        for row in TABLE.verbs.get("equal", ()):
            claims = parse_slot_value(at, Subject(tokens[0].low), row.name, row, 0)
            if claims:
                return [*claims, *parse_free(at), *parse_says(at)]
    if cut and cut + 1 < len(tokens):
        at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
        free = [
            *parse_belonging(at),
            *parse_states(at),
            *parse_free(at),
            *parse_says(at),
            *parse_open_value(at),
        ]
        if free:
            return free
    at = Predicate(tokens, (), _NO_VERB, tokens, frame)
    ended = parse_endings(at) if frame.correction else []
    return [*ended, *parse_statement(tokens, None, frame.modality, frame.me, correction=frame.correction)]
