"""Contradictions as changes to carry out, and those that were there before the pack, for a person to decide. Pure.

The rules decide about two memories; what only looks like a contradiction stays, and is marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container
from datetime import datetime
from itertools import chain

from ..claims import asked_keys, entered_keys, is_ending, is_name_key, same_mark, shared_keys
from ..language.verbs import is_verb
from ..records import Memory
from ..similar.at_odds import is_at_odds
from .authority import is_users_word
from .changes import Contest, Outdate, Supersede
from .mentions import SOFT, parse_mentions
from .pairing import Sides, pair_values
from .resolve import Decision, Outcome, Party, decide_memories, in_order, parse_claims, speak_of_the_same

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
    """Return `change`; where it would retire a record of the vault, which only the vault changes, both stay."""
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
    """Return two memories, older first, and why they may be at odds by their words, though no rule says so.

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


# More live memories than this under one subject and slot are compared only with the newest ones.
_MOST_HEADS = 20


class Review:
    """A search for contradictions among many memories, some at a time.

    Memories are compared where they speak of the same slot of the same subject, so the work grows with the number
    of claims, not of pairs.
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        self._open: set[tuple[str, str]] = set()
        self._found: dict[tuple[str, str], list[Supersede]] = {}

    def add(self, memory: Memory) -> None:
        """Take in a memory; one that is retired, or has no status, contradicts nothing."""
        if memory.classification is None or memory.is_deprecated:
            return
        for key in dict.fromkeys(key for claim in parse_claims(memory) for key in shared_keys(claim)):
            group = self._groups[key]
            group.append(memory)
            if len(group) > 1:
                self._open.add(key)

    @property
    def remaining(self) -> int:
        """How many memories are still to be compared with others, counted once for each thing that they speak of."""
        return sum(len(self._groups[key]) for key in self._open)

    def advance(self, limit: int, *, at: datetime, cycle: int) -> None:
        """Compare groups of together at least `limit` memories, or all that are left."""
        for key in sorted(self._open):
            if limit <= 0:
                return
            group = sorted(self._groups[key], key=lambda one: (Party.of(one).at, one.id))
            self._found[key] = _review_group(group, key, at=at, cycle=cycle)
            self._open.remove(key)
            limit -= len(group)

    def proposals(self) -> list[Supersede]:
        """Return what was found so far, in the order of the losers' ids."""
        found: dict[str, Supersede] = {}
        for key in sorted(self._found):
            for proposal in self._found[key]:
                found.setdefault(proposal.loser_id, proposal)
        return [found[loser_id] for loser_id in sorted(found)]


def _review_group(group: list[Memory], key: tuple[str, str], *, at: datetime, cycle: int) -> list[Supersede]:
    """Compare each memory of a group with the latest that stand."""
    heads: list[Memory] = []
    found: list[Supersede] = []
    may_differ = _pairs_to_compare(group, key)
    for newer in group:
        survives = True
        for older in list(heads[-_MOST_HEADS:]):
            proposal = propose(older, newer, at=at, cycle=cycle) if may_differ(older.id, newer.id) else None
            if proposal is None:
                continue
            found.append(proposal)
            if proposal.loser_id == newer.id:
                survives = False
                break
            heads.remove(older)
        if survives:
            heads.append(newer)
    return found


def _pairs_to_compare(group: list[Memory], key: tuple[str, str]) -> Callable[[str, str], bool]:
    """Which two of a group may contradict each other under its key, as the claim index would say.

    Where they only share a name, one must end something.
    """
    claims = {memory.id: [claim for claim in parse_claims(memory) if key in shared_keys(claim)] for memory in group}
    if is_name_key(key):
        endings = {one_id for one_id, read in claims.items() if any(map(is_ending, read))}
        return lambda one, other: one in endings or other in endings
    entered = {one: {*chain.from_iterable(map(entered_keys, read))} for one, read in claims.items()}
    marks = {one: {mark for mark in map(same_mark, read) if mark is not None} for one, read in claims.items()}
    asked = {one: [*chain.from_iterable(map(asked_keys, read))] for one, read in claims.items()}

    def speaks_against(one: str, other: str) -> bool:
        return any(not entered[other].isdisjoint(ask.keys) and ask.same not in marks[other] for ask in asked[one])

    return lambda one, other: speaks_against(one, other) or speaks_against(other, one)


def propose(one: Memory, other: Memory, *, at: datetime, cycle: int) -> Supersede | None:
    """Return the retirement that the rules name for two memories, if they name one."""
    older, newer, decision = decide_memories(one, other)
    if decision.outcome is not Outcome.SUPERSEDE:
        return None
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )
