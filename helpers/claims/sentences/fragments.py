"""Read a clause without a verb: "API port: 8443", "Angular: 17", "always rebase before merging" (C-39)."""

from __future__ import annotations

from typing import Final

from ...language.terms import versioned_names
from ..clauses.endings import read_endings, read_says
from ..clauses.free_order import read_free
from ..clauses.open_values import read_open_value
from ..clauses.possession import read_belonging
from ..clauses.predicates import Frame, Predicate, Tokens, read_slot_value
from ..clauses.statements import read_statement
from ..clauses.states import read_states
from ..grammar.subjects import Subject
from ..grammar.verb_groups import VerbGroup
from ..model import Claim, Modality
from ..slots.rows import Slot
from .labels import LABEL_MARKS, labelled_attribute, modality_of_label

_VERSION: Final = Slot(name="version", reads=("version",))
_NO_VERB: Final = VerbGroup("be", 0, 0)


def read_fragment(tokens: Tokens, frame: Frame) -> list[Claim]:
    """A clause without a verb: "API port: 8443", "always rebase before merging"."""
    cut = next((i for i, token in enumerate(tokens) if token.low in LABEL_MARKS), 0)
    if cut and cut + 1 < len(tokens):
        attribute = labelled_attribute(tokens[:cut], frame)
        if attribute is not None:
            at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
            for row in attribute.rows:
                claims = read_slot_value(at, attribute.subject, attribute.slot, row, 0, change=attribute.updated)
                if claims:
                    return [*claims, *read_states(at), *read_free(at), *read_says(at), *read_open_value(at)]
    if cut and modality_of_label(tokens[:cut]) not in (None, Modality.FACT):
        return []  # "Error: ...", "TODO: ..."
    version = _read_version_label(tokens, cut, frame) if cut else []
    if version:
        return version
    if cut == 1 and any(mark in tokens[0].text for mark in "_."):
        at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
        for row in frame.table.verbs.get("equal", ()):
            claims = read_slot_value(at, Subject(tokens[0].low), row.name, row, 0)
            if claims:
                return [*claims, *read_free(at), *read_says(at)]
    if cut and cut + 1 < len(tokens):
        at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
        free = [
            *read_belonging(at),
            *read_states(at),
            *read_free(at),
            *read_says(at),
            *read_open_value(at),
        ]
        if free:
            return free
    at = Predicate(tokens, (), _NO_VERB, tokens, frame)
    ended = read_endings(at) if frame.correction else []
    return [*ended, *read_statement(tokens, None, frame.modality, frame.me, correction=frame.correction)]


def _read_version_label(tokens: Tokens, cut: int, frame: Frame) -> list[Claim]:
    """Read "Angular: 17"."""
    name = versioned_names().get(" ".join(token.low for token in tokens[:cut]))
    at = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
    return read_slot_value(at, Subject(""), f"version of {name}", _VERSION, 0) if name else []
