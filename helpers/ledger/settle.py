"""What is to be done about two memories that contradict each other, as a change to carry out (C-43 ... C-50). Pure."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime

from ..language.verbs import is_verb
from ..records import Memory
from ..similar.at_odds import is_at_odds
from .changes import Contest, Outdate, Supersede
from .echo import is_users_word
from .mentions import SOFT, parse_mentions
from .pairing import Sides, pair_values
from .resolve import Decision, Outcome, decide_memories, in_order, speak_of_the_same

#: Stands in the journal for "no rule says so": two memories only look as if they contradicted each other.
POSSIBLE_RULE = "possible"
#: Longer texts say several things, and the detector has not learnt to tell which of them is at odds.
_MOST_CHARACTERS = 320


def to_change(
    older: Memory, newer: Memory, decision: Decision, *, at: datetime, cycle: int
) -> Supersede | Outdate | Contest:
    """Return the change that carries out `decision`, which is a contradiction, at that moment and recall cycle."""
    if decision.winner is None:
        return Contest(older_id=older.id, newer_id=newer.id, at=at, rule=decision.rule, reasons=decision.reasons)
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    if decision.outcome is Outcome.PARTIAL:
        return Outdate(
            memory_id=loser.id,
            winner_id=winner.id,
            parts=tuple(loser.text[start:end] for start, end in decision.spans),
            at=at,
            rule=decision.rule,
            reasons=decision.reasons,
        )
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )


def leave_to_the_vault(
    change: Supersede | Outdate | Contest, older: Memory, newer: Memory, mirrored: Container[str]
) -> Supersede | Outdate | Contest:
    """Return `change`; where it would retire a record of the vault, which only the vault changes, both stay (T-18)."""
    if isinstance(change, Contest):
        return change
    loser_id = change.loser_id if isinstance(change, Supersede) else change.memory_id
    if loser_id not in mirrored:
        return change
    reasons = (*change.reasons, "what the vault holds is changed in the vault alone")
    return Contest(older_id=older.id, newer_id=newer.id, at=change.at, rule=change.rule, reasons=reasons)


def speak_of_one_thing(older: Memory, newer: Memory) -> bool:
    """Whether two memories speak of one subject and one relation, as their claims or else their words tell.

    Who holds one of them for outdated by the other has chosen between the two; of what they speak, that does not tell.
    """
    return speak_of_the_same(older, newer) or find_possible(older, newer) is not None


def find_possible(one: Memory, other: Memory) -> tuple[Memory, Memory, tuple[str, ...]] | None:
    """Return two memories, older first, and why they may be at odds by their words, though no rule says so (C-96).

    Takes up to a millisecond. Not asked about what rules settle, nor about what has lost a part already.
    """
    older, newer = in_order(one, other)
    if not (_is_statement(older) and _is_statement(newer) and _look_at_odds(older.text, newer.text)):
        return None
    if decide_memories(one, other)[2].outcome is not Outcome.COEXIST:
        return None
    why = "their wording may be contradictory, but no rule is sure"
    return older, newer, (f'older: "{older.text}"', f'newer: "{newer.text}"', why)


def find_claim_against(one: Memory, other: Memory) -> tuple[Memory, Memory, tuple[str, ...]] | None:
    """Return two memories, older first, of which only others said one, and it gives another value than the user's word.

    Both speak of the same things, as much as they differ in, and each has one value of a kind that the other lacks.
    """
    users = [each for each in (one, other) if is_users_word(each)]
    if len(users) != 1 or not (_is_statement(one) and _is_statement(other)):
        return None
    claim = other if users[0] is one else one
    sides = Sides.of(users[0].text, claim.text)
    pair = pair_values(sides, parse_mentions(claim.text), parse_mentions("")) if all(sides.values) else None
    if pair is None or pair.has_words or not (pair.is_in_place or pair.is_number):
        return None
    paired = {*pair.gone, *pair.come}
    shared = sum(item.weight for item in sides.kept if item.weight >= SOFT and not is_verb(item.text))
    left = sum(
        item.weight for item in sides.come if item.weight >= SOFT and item not in paired and not is_verb(item.text)
    )
    if shared < max(SOFT, left):
        return None
    older, newer = in_order(one, other)
    values = [" ".join(dict.fromkeys(item.text for item in side)) for side in (pair.gone, pair.come)]
    why = f"the user said {values[0]}, and only others {values[1]}"
    return older, newer, (f'older: "{older.text}"', f'newer: "{newer.text}"', why)


def may_be_at_odds(older: str, newer: str, decision: Decision) -> bool:
    """Whether two short texts look like a contradiction of which the rules say that both can hold."""
    return decision.outcome is Outcome.COEXIST and _look_at_odds(older, newer)


def _look_at_odds(older: str, newer: str) -> bool:
    return max(len(older), len(newer)) <= _MOST_CHARACTERS and is_at_odds(older, newer)


def _is_statement(memory: Memory) -> bool:
    if memory.is_forgotten:
        return False
    is_whole = memory.lineage is None or not memory.lineage.outdated_parts
    return is_whole and not memory.is_solution and not memory.is_knowledge and memory.content is None
