"""Memories that repeat another one: echoes of what was in a prompt, and copies of what is retired. Pure.

A memory retired by mistake is lost to recall, while an echo that stays is only clutter. So an echo must say nothing
that the original does not say, by the judgement that maintenance uses. A copy says a replaced value again in other
words, and is retired with it: it has the replaced value and not the new one, speaks of the same thing, and the value
stands in it as it did before ("18" is not said again by "18 tests"). What a copy says besides stays.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ..language.keys import FRAME_KEYS, keys_of, parse_tokens, words_of
from ..language.lexicon import WORDS
from ..language.verbs import is_verb, letters_of
from ..records import Memory, Source, Utility, Validity, order_of
from ..similar.copies import adds_nothing, covers
from .authority import is_users_word
from .changes import Outdate, Supersede
from .lifecycle import is_classified, status_of
from .mentions import LIGHT_KEYS, Item, Mentions, find_places, parse_items, parse_mentions, without_rejected
from .pairing import Sides
from .passages import TIME_KEYS
from .replaced import parse_opening

#: The rules under which an echo, and a copy, are retired; and those under which maintenance retires a duplicate.
ECHO_RULE, COPY_RULE = "T-68", "T-67"
BOTH_INFERRED, ONE_USERS, ONE_CONFIRMED, NEWER = "E-39", "E-40", "E-42", "E-43"
DUPLICATE_RULES: Final = frozenset((BOTH_INFERRED, ONE_USERS, ONE_CONFIRMED, NEWER))
#: Adverbs before a verb, which name no subject.
_ADVERBS: Final = keys_of(WORDS["adverbs"])
#: A copy says at least this share of what the retired memory and its winner have in common.
_LEAST_SHARED: Final = 0.5


def find_echo(new: Memory, original: Memory) -> str | None:
    """Return in words why `new` is an echo of `original`, both being classified; None for any other memory.

    Only what the agent inferred can be an echo, and what is traced to the user if the user confirmed the original. An
    echo has no status that the original lacks: weight, structured content, a role or a domain. All of the original
    must hold, and it must have been there first.
    """
    if not (is_classified(new) and is_classified(original) and _stands_for(original, new)):
        return None
    judged = covers(original.text, new.text)
    is_echo = judged.is_copy and adds_nothing(new.text, original.text)
    return f"it is {judged.why}" if is_echo and new.text.strip() else None


def _stands_for(original: Memory, new: Memory) -> bool:
    """Whether `original` is in use wherever `new` would be, and with no less weight."""
    (before, past), (after, now) = status_of(original), status_of(new)
    is_inferred = after.source in (Source.AGENT_INFERRED, Source.USER_ASSERTED) and not now.is_correction
    if not is_inferred or new.is_deprecated or new.is_knowledge:
        return False
    came_later = past.created_at > now.created_at and order_of(original) > order_of(new)
    if original.id == new.id or original.is_deprecated or past.outdated_parts or came_later:
        return False
    if original.is_solution is not new.is_solution:
        return False
    if is_users_word(new) and not (is_users_word(original) and before.validity is Validity.CONFIRMED):
        return False
    if after.utility is Utility.LOAD_BEARING and before.utility is not Utility.LOAD_BEARING:
        return False
    place = (past.bst_domain, past.created_by_role)
    is_visible = place == (None, None) or place == (now.bst_domain, now.created_by_role)
    return is_visible and new.content in (None, original.content)


def find_copy(memory: Memory, retired: Memory, winner: Memory) -> tuple[tuple[int, int], ...]:
    """Return the spans where `memory` says again what `winner` has replaced in `retired`; none if it does not.

    What the user says after the winner is a change back, and no copy; nor is what others say after others.
    """
    if memory.id in (retired.id, winner.id) or memory.is_deprecated or memory.is_knowledge or memory.is_solution:
        return ()
    if order_of(memory) > order_of(winner) and (is_users_word(memory) or not is_users_word(winner)):
        return ()
    mentions = parse_mentions(memory.text)
    sides = Sides.of(retired.text, without_rejected(winner.text))
    core, others = _values(_outdated(retired, winner) or sides.gone), _values(sides.come)
    if not core or not others or not all(map(mentions.has, core)) or all(map(mentions.has, others)):
        return ()
    if not all(_stands_alike(value, memory.text, retired.text) for value in core):
        return ()
    known = parse_mentions(f"{retired.text}\n{winner.text}")
    extra = [item for item in _values(parse_items(memory.text)) if not known.has(item)]
    if not _are_one_saying(memory, retired):
        words = [item for item in sides.kept if item.is_weighty and not item.keys <= TIME_KEYS]
        shared = [item for item in words if "b" in (letters_of(item.text) or "b")]  # it may be a noun: "a rent of 740"
        if _is_of_another(memory.text, retired.text, winner.text) or not _speaks_of(mentions, shared):
            return ()
        # Of a former subject, such as who led a team, much else may be true.
        opening = parse_opening(retired.text)
        is_subject = any(not item.keys.isdisjoint(opening) for item in core)
        rest = [item for item in parse_items(retired.text) if item not in core]
        is_all_said = all(mentions.has(item) for item in rest if item.is_weighty or is_verb(item.text))
        if (extra or is_subject) and not is_all_said:
            return ()
    return tuple(sorted({span for value in core for span in _spans(value, memory.text)}))


def retire_copy(
    memory: Memory, retired: Memory, winner: Memory, *, at: datetime, cycle: int
) -> Supersede | Outdate | None:
    """Return the change that retires a copy, or marks the value in it; None for no copy or a marked one."""
    parts = tuple(memory.text[begin:end] for begin, end in find_copy(memory, retired, winner))
    if not parts:
        return None
    known = parse_mentions(f"{retired.text}\n{winner.text}")
    items = [item for item in parse_items(memory.text) if item.is_weighty and not is_verb(item.text)]
    is_whole = all(map(known.has, items))
    marked = memory.lineage.outdated_parts if memory.lineage is not None else ()
    if not is_whole and all(any(part in outdated.text for outdated in marked) for part in parts):
        return None
    reasons = (f'it repeats what was replaced: "{retired.text}"', f'which gave way to: "{winner.text}"')
    if not is_whole:
        return Outdate(memory_id=memory.id, winner_id=winner.id, parts=parts, at=at, rule=COPY_RULE, reasons=reasons)
    return Supersede(winner_id=winner.id, loser_id=memory.id, at=at, cycle=cycle, rule=COPY_RULE, reasons=reasons)


def winners_of(retired: Memory) -> list[str]:
    """Return the ids of what replaced a memory, or a part of it."""
    lineage = retired.lineage
    names = [] if lineage is None else [lineage.superseded_by, *(part.by for part in lineage.outdated_parts)]
    return [name for name in dict.fromkeys(names) if name]


def _are_one_saying(*memories: Memory) -> bool:
    """Whether all memories report one sentence of the user's."""
    are_said = all(is_users_word(memory) and memory.lineage and memory.lineage.stated_at for memory in memories)
    return are_said and len(set(map(order_of, memories))) == 1


def _is_of_another(text: str, retired: str, winner: str) -> bool:
    """Whether neither of the other memories names anything that a memory opens with: "the office", "the project"."""
    known = words_of(parse_tokens(f"{retired}\n{winner}"))
    subject = parse_opening(text) - FRAME_KEYS - LIGHT_KEYS - _ADVERBS
    return bool(subject) and subject.isdisjoint(known)


def _outdated(retired: Memory, winner: Memory) -> tuple[Item, ...]:
    """Return the items of the parts of a memory that the winner has marked as outdated."""
    parts = retired.lineage.outdated_parts if retired.lineage is not None else ()
    return tuple(item for part in parts if part.by == winner.id for item in parse_items(part.text))


def _values(items: tuple[Item, ...]) -> list[Item]:
    """Return the names and numbers of some items, or the nouns where there are none."""
    weighty = [item for item in items if item.is_weighty and not is_verb(item.text)]
    return [item for item in weighty if item.is_hard] or weighty


def _speaks_of(mentions: Mentions, shared: list[Item]) -> bool:
    """Whether a memory mentions all shared names, and enough of the other shared items."""
    held = [item for item in shared if mentions.has(item)]
    is_named = all(item in held for item in shared if item.name)
    weights = [sum(item.weight for item in items) for items in (held, shared)]
    return bool(held) and is_named and weights[0] >= _LEAST_SHARED * weights[1]


def _stands_alike(value: Item, text: str, retired: str) -> bool:
    """Whether a number stands beside nouns of the retired memory only: "18 tests" is not "Node 18"."""
    if value.number is None:
        return True
    known = parse_mentions(retired)
    for begin, end in _spans(value, text):
        before, after = parse_tokens(text[:begin])[-1:], parse_tokens(text[end:])[:1]
        beside = [token for token in (*before, *after) if token.keys and not token.unit and not is_verb(token.low)]
        strange = [item for item in beside if not any(map(known.knows, item.keys))]
        if any(LIGHT_KEYS.isdisjoint(item.keys) and FRAME_KEYS.isdisjoint(item.keys) for item in strange):
            return False
    return True


def _spans(item: Item, text: str) -> list[tuple[int, int]]:
    """Return the spans where a text has an item, in whatever spelling."""
    if (places := find_places(item.text, text)) or item.number is None:
        return list(places)
    numbers = (other for other in parse_items(text) if other.number is not None and other.number.is_same(item.number))
    other = next(numbers, None)
    return [] if other is None else list(find_places(other.text, text))
