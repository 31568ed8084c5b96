"""What became of one memory, line by line, and the words that it comes from (C-51, T-70). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..clock import format_time
from ..ledger.attribution import Conversation, Utterance, attribute
from ..ledger.authority import retirements, tell
from ..ledger.changes import Confirm, Supersede
from ..ledger.history import Belief
from ..quality.requests import VERIFIED
from ..records import Memory, Source
from .rows import MOST_OF_A_LINE

_SOURCES = {
    Source.USER_ASSERTED: "you said so",
    Source.AGENT_INFERRED: "the agent concluded it",
    Source.BOOKSHELF_DOCUMENT: "a document says so",
    Source.EXTERNAL_RETRIEVED: "from a tool",
}
#: What the beliefs tell, or the conflicts.
_TOLD_ELSEWHERE = frozenset(("supersede", "partial", "contest", "replace"))

Row = dict[str, Any]


def timeline(
    memory_id: str,
    beliefs: Sequence[Belief],
    journal: Sequence[Mapping[str, Any]],
    reason: Callable[[str, str], str | None],
    read: Callable[[str], Memory | None],
) -> list[Row]:
    """Return what was believed, what became of it, and who did what to the memory itself and why, oldest first.

    What had retired it until it was brought back is among them, with its text.
    """
    retired = retirements(journal)
    lines = [_lines_of(one, retired, reason) for one in beliefs]
    found = [begin for begin, *_ in lines]  # what is said ends the other at the same moment, and stands before that
    own = [row for row in journal if row.get("memory") == memory_id]
    found += [
        {"date": str(row.get("at")), "what": what, "text": "", "id": memory_id}
        for row in own
        if row.get("action") not in _TOLD_ELSEWHERE and (what := tell(row))
    ]
    shown = {one.replaced_by for one in beliefs}
    past = [row for row in own if row.get("action") == Supersede.action and row.get("winner") not in shown]
    found += [_past_line(row, read(str(row.get("winner")))) for row in past]
    found += [end for _, *ends in lines for end in ends]
    return sorted(found, key=lambda row: str(row["date"]))


def _past_line(row: Mapping[str, Any], winner: Memory | None) -> Row:
    text = "" if winner is None else winner.text[:MOST_OF_A_LINE]
    return {"date": str(row.get("at")), "what": tell(row), "text": text, "id": str(row.get("winner"))}


def _lines_of(
    one: Belief, retired: Mapping[tuple[str, str], Mapping[str, Any]], reason: Callable[[str, str], str | None]
) -> list[Row]:
    begin = {
        "date": format_time(one.since),
        "what": _SOURCES[one.source],
        "text": one.text[:MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    if one.until is None or one.replaced_by is None:
        return [begin]
    lost = {"action": "supersede" if one.part is None else "partial"}
    line = retired.get((one.memory_id, one.replaced_by), lost)
    end = {
        "date": format_time(one.until),
        "what": tell(line, reason(one.memory_id, one.replaced_by)),
        "text": (one.part or one.text)[:MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    return [begin, end]


def find_proof(memory: Memory, journal: Iterable[Mapping[str, Any]], spoken: Callable[[], list[Utterance]]) -> str:
    """Return the words that show where a memory comes from: what the user said of late, or what confirmed it."""
    if memory.classification is not None and memory.classification.source is Source.USER_ASSERTED:
        said = Conversation(spoken())
        found = attribute(memory.text, said)
        if found.is_user and found.index is not None:
            return said[found.index].text
    confirmed = [row.get("reasons") for row in journal if row.get("action") == Confirm.action]
    words = confirmed[-1][0] if confirmed and isinstance(confirmed[-1], list) and confirmed[-1] else ""
    return "" if words == VERIFIED else str(words)
