"""Extract claims from a text, and compare what two texts claim; rules decide, never a model. Pure."""

from ..language.segment import MAX_CHARACTERS
from .clauses.states import STATES
from .comparison.compare import compare_claims, compare_texts
from .comparison.conflicts import IMPLICATION
from .model import Claim, Comparison, Modality, Relation, Tense, Value, ValueKind
from .polarity.polar_claims import POLAR
from .sentences.extract import MAX_CLAIMS, extract_claims, is_correction, is_question, takes_back
from .slots.rows import RELATIONS, SLOTS, Slot
from .values.numbers import has_count

__all__ = [
    "IMPLICATION",
    "MAX_CHARACTERS",
    "MAX_CLAIMS",
    "POLAR",
    "RELATIONS",
    "SLOTS",
    "STATES",
    "Claim",
    "Comparison",
    "Modality",
    "Relation",
    "Slot",
    "Tense",
    "Value",
    "ValueKind",
    "compare_claims",
    "compare_texts",
    "extract_claims",
    "has_count",
    "is_correction",
    "is_question",
    "takes_back",
]
