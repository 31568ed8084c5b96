"""What became of one memory, line by line, and the words that it comes from (C-51, T-70). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...clock import format_time
from ...ledger.attribution import Conversation, attribute
from ...ledger.changes import Archive, Confirm, Protect, Reattribute, Revert, Unarchive, Withdraw
from ...ledger.history import Belief
from ...quality.upkeep import VERIFIED
from ...records import Memory, Source

MOST_OF_A_LINE = 2_000
_SOURCES = {
    Source.USER_ASSERTED: "you said so",
    Source.AGENT_INFERRED: "the agent concluded it",
    Source.BOOKSHELF_DOCUMENT: "a document says so",
    Source.EXTERNAL_RETRIEVED: "from a tool",
}
_DONE = {
    Withdraw.action: "retired by a person",
    Archive.action: "archived",
    Unarchive.action: "reactivated after it was archived",
    Confirm.action: "confirmed",
    Protect.action: "protected by a person",
    Reattribute.action: "its source was corrected by a person",
    Revert.action: "a change was undone",
    "restore": "brought back into use",
    "forget": "forgotten",
    "suspend": "made dormant",
    "rouse": "woken",
}

Row = dict[str, Any]


def timeline(
    beliefs: Iterable[Belief], journal: Iterable[Mapping[str, Any]], reason: Callable[[str, str], str | None]
) -> list[Row]:
    """Return what was believed and what became of it, oldest first; `journal` are the lines about the memory itself."""
    lines = [_lines_of(one, reason) for one in beliefs]
    found = [begin for begin, *_ in lines]  # what is said ends the other at the same moment, and stands before that
    found += [
        {"date": str(row.get("at")), "what": _DONE[action], "text": "", "id": str(row.get("memory"))}
        for row in journal
        if (action := str(row.get("action"))) in _DONE
    ]
    found += [end for _, *ends in lines for end in ends]
    return sorted(found, key=lambda row: str(row["date"]))


def _lines_of(one: Belief, reason: Callable[[str, str], str | None]) -> list[Row]:
    begin = {
        "date": format_time(one.since),
        "what": _SOURCES[one.source],
        "text": one.text[:MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    if one.until is None or one.replaced_by is None:
        return [begin]
    why = reason(one.memory_id, one.replaced_by)
    what = "no longer valid" if one.part is not None else "retired"
    end = {
        "date": format_time(one.until),
        "what": f"{what}: {why}" if why else what,
        "text": (one.part or one.text)[:MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    return [begin, end]


def find_proof(memory: Memory, journal: Iterable[Mapping[str, Any]], spoken: Callable[[], Any]) -> str:
    """Return the words that show where a memory comes from: what the user said of late, or what confirmed it."""
    if memory.classification is not None and memory.classification.source is Source.USER_ASSERTED:
        said = Conversation(spoken()[0])
        found = attribute(memory.text, said)
        if found.is_user and found.index is not None:
            return said[found.index].text
    confirmed = [row.get("reasons") for row in journal if row.get("action") == Confirm.action]
    words = confirmed[-1][0] if confirmed and isinstance(confirmed[-1], list) and confirmed[-1] else ""
    return "" if words == VERIFIED else str(words)
