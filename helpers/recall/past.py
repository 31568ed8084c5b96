"""A question about the past brings what no longer holds, with its dates, beside what does (C-51). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..language.wordings import read_patterns
from ..ledger.copies import COPY_RULE
from ..ledger.echo import ECHO_RULE
from ..maintenance.duplicates import DUPLICATE_RULES
from ..records import Memory, order_of
from ..setting_groups import NoiseGate
from .candidates import Scored
from .gate import TOO_LITTLE
from .message import MessageSentence
from .select import Selection

_ASKS = read_patterns("past", __file__)
#: What is retired by these rules says the same as another memory.
_SAME_AGAIN = DUPLICATE_RULES | {COPY_RULE, ECHO_RULE}
#: Half as likely as anything must be, and nearly as relevant as the best.
_HALF, _NEARLY = 0.5, 0.8


class Past(NamedTuple):
    """What no longer holds, when it did, in words, and what holds now, where that may be shown."""

    scored: Scored
    held: str
    present: Scored | None = None


def asks_past(sentence: MessageSentence) -> bool:
    """Whether a sentence of a message asks for what was so before; in doubt it does not."""
    if not sentence.asks or _ASKS["void"].search(sentence.text):
        return False
    return any(finds.search(sentence.text) for name, finds in _ASKS.items() if name != "void")


def was_replaced(memory: Memory) -> bool:
    """Whether something else holds in place of a memory: it was not withdrawn, nor does it say the same as another."""
    lineage = memory.lineage
    if lineage is None or lineage.superseded_by is None or memory.is_solution:
        return False
    return memory.is_deprecated and lineage.deprecated_reason not in _SAME_AGAIN


def held_when(memory: Memory, winner: Memory | None) -> str | None:
    """Return from when to when a memory held that something newer has replaced, in words; None for any other."""
    retired_at = memory.lineage.deprecated_at if memory.lineage is not None else None
    since, until = order_of(memory), order_of(winner) if winner is not None else retired_at
    if until is None or until < since or not was_replaced(memory):
        return None
    is_one_day = since.date() == until.date()
    return f"{since:%Y-%m-%d %H:%M} to {until:%H:%M}" if is_one_day else f"{since:%Y-%m-%d} to {until:%Y-%m-%d}"


def keep_meant(asked: Selection, gate: NoiseGate) -> Selection:
    """Return what of the past is likely to be meant by itself, and not far behind the best: what holds may be, too."""
    if not (asked.uses_words and gate.enabled):
        return asked
    least = _HALF * gate.least_likely
    kept = [one for one in asked.memories if one.candidate.evidence.likely >= least and one.relevance >= _NEARLY]
    others = [(one, TOO_LITTLE) for one in asked.memories if one not in kept]
    return replace(asked, memories=tuple(kept), left_out=(*asked.left_out, *others))


def put_past_beside(selection: Selection, found: Sequence[Past], *, limit: int) -> Selection:
    """Return `selection` with what was `found`, the best first, before what holds now, the oldest first.

    As much of it as `limit` has room for. It pushes out what nothing of it belongs to, the last first, but never what
    holds now, nor what is at odds with something.
    """
    room, needed, kept = limit - len(selection.solutions), set(selection.contested), list[Past]()
    for one in found:
        both = {each.memory.id for each in (one.scored, one.present) if each is not None}
        if len(needed | both) <= room:
            needed |= both
            kept.append(one)
    others = [one.memory.id for one in selection.memories if one.memory.id not in needed]
    needed.update(others[: max(0, room - len(needed))])
    groups = {one.memory.id: [one] for one in selection.memories if one.memory.id in needed}
    for one in sorted(kept, key=lambda each: (order_of(each.scored.memory), each.scored.memory.id)):
        last = [one.present] if one.present is not None else []
        group = groups.setdefault((one.present or one.scored).memory.id, last)
        group.insert(len(group) - len(last), one.scored)
    memories = [one for group in groups.values() for one in group]
    past = {one.scored.memory.id: one.held for one in kept}
    return selection.holding(memories, limit, more=[one.scored for one in found], past=past)
