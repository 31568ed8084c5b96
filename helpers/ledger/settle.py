"""Contradictions as changes to carry out, what only looks like one, and a review of many memories. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Container
from datetime import datetime
from typing import Final

from ..language.verbs import BE_PAST, is_verb, letters_of
from ..language.vocabulary import AUXILIARY_FORMS, DENIERS
from ..records import Memory
from ..similar.alignment import CHANGE_WORDS, WordKind, align, read
from ..similar.at_odds import is_at_odds
from ..texts import regex
from .authority import is_users_word
from .changes import Contest, Outdate, Supersede
from .claim_index import ClaimIndex
from .mentions import SOFT, parse_mentions
from .pairing import Sides, pair_values
from .resolve import Decision, Outcome, Party, decide_memories, in_order, parse_claims, speak_of_the_same

#: The rule that the journal names where two memories only look as if they contradicted each other.
POSSIBLE_RULE = "possible"
#: Longer texts say several things, and the detector cannot tell which of them is at odds.
_MOST_CHARACTERS = 320
#: The longest heading of an item of notes: "Morning batch (09:00): four posts selected".
_LONGEST_HEADING: Final = 80
_CLOCK: Final = regex(r"\b\d{1,2}:\d\d(?::\d\d)?\b")
#: A title has this many words at least; one word, such as "Update", may stand above anything.
_FEWEST_OF_TITLE: Final = 2
#: Words of a text that says more than what was done.
_PRESENT: Final = (AUXILIARY_FORMS - BE_PAST) | DENIERS


def to_change(
    older: Memory, newer: Memory, decision: Decision, *, at: datetime, cycle: int, mirrored: Container[str] = ()
) -> Supersede | Outdate | Contest:
    """Return the change that carries out `decision`, which is a contradiction, at that moment and recall cycle.

    It is a contest that keeps both if it would change a record of the vault (`mirrored` ids).
    """
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    rule, reasons = decision.rule, decision.reasons
    if decision.winner is None or loser.id in mirrored:
        if decision.winner is not None:
            reasons = (*reasons, "what the vault holds is changed in the vault alone")
        return Contest(older_id=older.id, newer_id=newer.id, at=at, rule=rule, reasons=reasons)
    if decision.outcome is not Outcome.PARTIAL:
        return Supersede(winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=rule, reasons=reasons)
    parts = tuple(loser.text[start:end] for start, end in decision.spans)
    return Outdate(memory_id=loser.id, winner_id=winner.id, parts=parts, at=at, rule=rule, reasons=reasons)


def speak_of_one_thing(older: Memory, newer: Memory) -> bool:
    """Whether two memories speak of one subject and one relation, by their claims or else by their words."""
    return speak_of_the_same(older, newer) or find_possible(older, newer) is not None


def find_possible(memory: Memory, other: Memory) -> tuple[Memory, Memory, tuple[str, ...]] | None:
    """Return two memories, older first, with reasons, if only their words look contradictory; else None.

    What was written at once under one heading was meant side by side.
    """
    older, newer = in_order(memory, other)
    heading = _heading_of(older.text)
    if heading and heading == _heading_of(newer.text) and Party.of(older).at == Party.of(newer).at:
        return None
    if not (_is_statement(older) and _is_statement(newer) and _look_at_odds(older.text, newer.text)):
        return None
    if decide_memories(memory, other)[2].outcome is not Outcome.COEXIST:
        return None
    why = "their wording may be contradictory, but no rule is sure"
    return older, newer, (f'older: "{older.text}"', f'newer: "{newer.text}"', why)


def find_claim_against(memory: Memory, other: Memory) -> tuple[Memory, Memory, tuple[str, ...]] | None:
    """Return two memories, older first, with reasons, if one that only others said contradicts the user's; else None.

    They must share as much as they differ in, and each must have one value of a kind that the other lacks.
    """
    users = [each for each in (memory, other) if is_users_word(each)]
    if len(users) != 1 or not (_is_statement(memory) and _is_statement(other)):
        return None
    claim = other if users[0] is memory else memory
    sides = Sides.of(users[0].text, claim.text)
    pair = pair_values(sides, parse_mentions(claim.text), parse_mentions("")) if all(sides.values) else None
    if pair is None or pair.has_words or not (pair.is_in_place or pair.is_number):
        return None
    paired = {*pair.gone, *pair.come}
    shared, added = (
        sum(item.weight for item in side if item.is_weighty and item not in paired and not is_verb(item.text))
        for side in (sides.kept, sides.come)
    )
    if shared < max(SOFT, added):
        return None
    older, newer = in_order(memory, other)
    values = [" ".join(dict.fromkeys(item.text for item in side)) for side in (pair.gone, pair.come)]
    why = f"the user said {values[0]}, and only others {values[1]}"
    return older, newer, (f'older: "{older.text}"', f'newer: "{newer.text}"', why)


def may_be_at_odds(older: str, newer: str, decision: Decision) -> bool:
    """Whether two short texts look like a contradiction although `decision` says that both can hold."""
    return decision.outcome is Outcome.COEXIST and _look_at_odds(older, newer)


def _look_at_odds(older: str, newer: str) -> bool:
    is_short = max(len(older), len(newer)) <= _MOST_CHARACTERS
    return is_short and not _are_entries_apart(older, newer) and is_at_odds(older, newer)


def _heading_of(text: str) -> str:
    """Return the heading of an item of notes, without the times of day in it; empty if there is none."""
    heading, colon, _ = text.partition(": ")
    is_title = colon and len(heading) <= _LONGEST_HEADING and "\n" not in heading
    return _CLOCK.sub("", heading) if is_title and AUXILIARY_FORMS.isdisjoint(read(heading).lows) else ""


def _are_entries_apart(older: str, newer: str) -> bool:
    """Whether two items of notes are of two things, by their headings, or report like events: "sent 4", "sent 2".

    They are of two things if neither says anything of what the other's heading names.
    """
    headings = _heading_of(older), _heading_of(newer)
    if not all(headings):
        return False
    if headings[0] == headings[1]:
        titles, items = zip(*(text.split(": ", 1) for text in (older, newer)), strict=True)
        return titles[0] != titles[1] or (all(map(_reports_event, items)) and _differ_in_counts(*items))
    named, mentioned = [read(heading).keys for heading in headings], [read(text).keys for text in (older, newer)]
    are_titles = min(map(len, named)) >= _FEWEST_OF_TITLE
    return are_titles and named[0].isdisjoint(mentioned[1]) and named[1].isdisjoint(mentioned[0])


def _reports_event(text: str) -> bool:
    """Whether a text only tells what was done: "four posts selected", "checked the replies"."""
    lows = read(text).lows
    is_done = any(not {"d", "n"}.isdisjoint(letters) and "b" not in letters for letters in map(letters_of, lows))
    return is_done and CHANGE_WORDS.isdisjoint(lows) and _PRESENT.isdisjoint(lows)


def _differ_in_counts(older: str, newer: str) -> bool:
    """Whether two texts differ in numbers alone."""
    alignment = align(older, newer)
    alone = [word for side in (alignment.older, alignment.newer) for word in side.alone]
    return all(word.kind is WordKind.NUMBER for word in alone)


def _is_statement(memory: Memory) -> bool:
    if memory.is_forgotten:
        return False
    is_whole = memory.lineage is None or not memory.lineage.outdated_parts
    return is_whole and not memory.is_solution and not memory.is_knowledge and memory.content is None


class Review:
    """A search for contradictions among many memories, step by step from the oldest, by the index of claims."""

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}
        self._waiting: deque[Memory] | None = None
        self._index = ClaimIndex()
        self._proposals: dict[str, Supersede] = {}

    def add(self, memory: Memory) -> None:
        """Add a memory, and begin anew; one that is retired or not classified is ignored."""
        if memory.classification is not None and not memory.is_deprecated:
            self._memories[memory.id] = memory
            self._waiting = None

    @property
    def remaining(self) -> int:
        """The number of memories that are still to be compared."""
        return len(self._memories if self._waiting is None else self._waiting)

    def advance(self, limit: int, *, at: datetime, cycle: int) -> None:
        """Compare `limit` more memories, or all that are left."""
        if self._waiting is None:
            self._waiting = deque(sorted(self._memories.values(), key=lambda memory: (Party.of(memory).at, memory.id)))
            self._index, self._proposals = ClaimIndex(), {}
        for _ in range(min(limit, len(self._waiting))):
            self._compare(self._waiting.popleft(), at, cycle)

    def _compare(self, newer: Memory, at: datetime, cycle: int) -> None:
        """Compare a memory with the older ones that no proposal retires."""
        claims = parse_claims(newer)
        for older_id in self._index.candidates(claims):
            proposal = propose(self._memories[older_id], newer, at=at, cycle=cycle)
            if proposal is None:
                continue
            self._proposals[proposal.loser_id] = proposal
            if proposal.loser_id == newer.id:
                return
            self._index.remove(older_id)
        self._index.add(newer.id, claims)

    def proposals(self) -> list[Supersede]:
        """Return the proposals so far, one for each loser, ordered by the losers' ids."""
        return [self._proposals[loser_id] for loser_id in sorted(self._proposals)]


def propose(memory: Memory, other: Memory, *, at: datetime, cycle: int) -> Supersede | None:
    """Return the retirement that the rules name for two memories, if they name one."""
    older, newer, decision = decide_memories(memory, other)
    change = to_change(older, newer, decision, at=at, cycle=cycle) if decision.winner is not None else None
    return change if isinstance(change, Supersede) else None
