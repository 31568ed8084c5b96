"""The one writer of a conflict: what is on record, both memories side by side, why, and where they differ. Pure.

Places in a text are counted as a browser counts them, in UTF-16 code units.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from ..language.segment import tokenise
from ..language.token import Token
from ..ledger.resolve import decide_memories
from ..quality.conflict_record import Conflict, write_conflict
from ..records import Memory
from .rows import MOST_OF_A_LINE, Result, memory_row

#: Of longer texts only the beginning is compared: the time grows with the square of the words.
_MOST_CHARACTERS = 2_000
_POSSIBLE = "their wording may be contradictory, but no rule is sure"

Spans = list[list[int]]


def conflict_row(conflict: Conflict, older: Memory | None, newer: Memory | None) -> Result:
    """Return a conflict as it is on record, then what is known of both memories; None stands for one that is gone."""
    both = {"older": older, "newer": newer}
    spans = ([], []) if older is None or newer is None else differing_spans(older.text, newer.text)
    return {
        **write_conflict(conflict),
        **{side: one and memory_row(one, MOST_OF_A_LINE) for side, one in both.items()},
        "reasons": reasons_of(conflict, older, newer),
        "differs": dict(zip(both, spans, strict=True)),
    }


def reasons_of(conflict: Conflict, older: Memory | None, newer: Memory | None) -> list[str]:
    """Return why two memories are at odds: as the rules say now, or else as it was put on record."""
    if conflict.is_possible:
        return [_POSSIBLE]
    if older is None or newer is None or older.classification is None or newer.classification is None:
        return [conflict.description]
    decision = decide_memories(older, newer)[2]
    return [*decision.reasons] if decision.is_contradiction else [conflict.description]


def differing_spans(older: str, newer: str) -> tuple[Spans, Spans]:
    """Return the stretches of words of each text that the other one has not in that place."""
    sides = [older[:_MOST_CHARACTERS], newer[:_MOST_CHARACTERS]]
    words = [tokenise(one) for one in sides]
    plain = [[one.low for one in found] for found in words]
    blocks = SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_opcodes()
    changed = [one for one in blocks if one[0] != "equal"]
    return (
        [_span(sides[0], words[0], begin, end) for _, begin, end, _, _ in changed if begin < end],
        [_span(sides[1], words[1], begin, end) for _, _, _, begin, end in changed if begin < end],
    )


def _span(text: str, words: Sequence[Token], begin: int, end: int) -> list[int]:
    return [_units(text[: words[begin].start]), _units(text[: words[end - 1].end])]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
