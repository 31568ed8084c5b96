"""Decide which of two contradicting memories survives.

Pure: no clock, no store, no log. The tables below are the specification. Whether two memories contradict each other at
all is decided in `claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from ..claims import (
    MAX_CHARACTERS,
    MAX_CLAIMS,
    Claim,
    Comparison,
    Relation,
    Value,
    ValueKind,
    extract_claims,
)
from ..claims.comparison.keys import same_mark
from ..clock import HOST_RESOLUTION
from ..contents import Content
from ..records import Memory, Source, Utility, Validity, is_only_written, order_of
from ..similar.changes import compare_claims_or_words
from .lifecycle import status_of
from .replaced import Spoken, find_replacement

Side = Literal["older", "newer"]

_FORGOTTEN = ("one of them is forgotten",)
_RETIRED = ("one of them is already retired",)
_IN_ADDITION = ("the older one corrects what was said before it; the newer one may come in addition",)
_ONE_MORE = ("the user said the newer one in addition",)
_OPEN = {
    "structured": ("Q-62", "structured content alone retires nothing"),
    "implication": ("Q-16", "what is said to follow from something else retires nothing, and nothing retires it"),
    "in doubt": ("C-96", "no rule says whether, or how much of, the older one still holds"),
}
_EXAMPLE = ("what the steps of a solution set is an example; only the user's word says that it no longer holds",)
_NOT_READ = ("the one that would survive is too long to be read whole, and may take back what it says",)
_NOT_ANSWERED = ("the newer one does not say of what it speaks, and answers nothing that was said just before",)
# What reasons call the two sides if neither is older.
_UNORDERED = {"older: ": "one: ", "newer: ": "the other: "}
# A correction that names no subject must follow what it answers within this time.
_ANSWERED_WITHIN = timedelta(hours=1)
# Rules that order two memories of equal authority; a correction is not undone by what merely came later.
_WEAK_RULES = ("C-46", "C-47")

_VALIDITY_RANK = {Validity.DEPRECATED: 0, Validity.INFERRED: 1, Validity.CONFIRMED: 2}
_UTILITY_RANK = {Utility.ARCHIVED: 0, Utility.TACTICAL: 1, Utility.LOAD_BEARING: 2}


class Outcome(StrEnum):
    """The outcome for two memories that were compared."""

    SUPERSEDE = "supersede"
    CONTEST = "contest"
    PARTIAL = "partial"
    REFINE = "refine"
    DUPLICATE = "duplicate"
    COEXIST = "coexist"


_OUTCOMES = {
    Relation.REFINES: Outcome.REFINE,
    Relation.DUPLICATES: Outcome.DUPLICATE,
    Relation.COEXISTS: Outcome.COEXIST,
}


@dataclass(frozen=True, slots=True)
class Party:
    """The status of one side of a contradiction.

    `at` (aware, UTC) is when it was said; with `since`, it was said at some time between the two. `is_written`: `at` is
    when it was written, by the host's clock of whole seconds, so it may have been up to a second later.
    `is_told_by_others`: the agent, a tool or a document is known to have said it, and the user did not.
    """

    source: Source
    validity: Validity
    utility: Utility
    at: datetime
    since: datetime | None = None
    is_told_by_others: bool = False
    is_written: bool = False

    @classmethod
    def of(cls, memory: Memory) -> Party:
        """Return the status of a classified memory."""
        axes, lineage = status_of(memory)
        return cls(
            axes.source,
            axes.validity,
            axes.utility,
            order_of(memory),
            lineage.stated_from,
            is_told_by_others=lineage.stated_by is not None,
            is_written=is_only_written(memory),
        )

    def is_before(self, other: Party) -> bool:
        """Whether all of it was said before any of the other."""
        return self._latest(other) < (other.since or other.at)

    def is_older(self, other: Party) -> bool:
        """Whether it counts as the older one, though the two may overlap."""
        return self._latest(other) < other.at

    def _latest(self, other: Party) -> datetime:
        """Return when it was said at the latest, as precisely as the time of `other` is known."""
        return self.at + HOST_RESOLUTION if self.is_written and not other.is_written else self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The outcome for two memories, the survivor where there is one, the rule that decided, and why in words.

    `basis` names what the comparison of the claims rests on: a value, a negation, a correction. `is_elliptical` marks
    a correction that does not say what it corrects ("Actually it's 8443"). `spans` are, for a partial contradiction,
    the parts of the loser that no longer hold.
    """

    outcome: Outcome
    winner: Side | None
    rule: str
    basis: str
    reasons: tuple[str, ...]
    is_elliptical: bool = False
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def is_contradiction(self) -> bool:
        """Whether both memories cannot hold at once."""
        return self.outcome in (Outcome.SUPERSEDE, Outcome.CONTEST, Outcome.PARTIAL)


def decide_memories(
    memory: Memory, other: Memory, *, claims_of: Callable[[Memory], tuple[Claim, ...]] | None = None
) -> tuple[Memory, Memory, Decision]:
    """Return two classified memories, older first, and the decision; if both are of one time, `other` is the newer.

    The one that was said first is the older, whenever it was written: memorizers overtake each other, and read old
    messages again. `claims_of` replaces `parse_claims` for a caller that caches claims.
    """
    claims_of = claims_of or parse_claims
    older, newer = in_order(memory, other)
    if older.is_forgotten or newer.is_forgotten:
        decision = Decision(outcome=Outcome.COEXIST, winner=None, rule="Q-55", basis="forgotten", reasons=_FORGOTTEN)
        return older, newer, decision
    sides = Party.of(older), Party.of(newer), claims_of(older), claims_of(newer)
    decision = decide(*sides, older_text=older.text, newer_text=newer.text)
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    is_users = Party.of(winner).source is Source.USER_ASSERTED
    if decision.outcome is Outcome.PARTIAL and loser.is_solution and not is_users:
        decision = Decision(outcome=Outcome.COEXIST, winner=None, rule="C-43", basis=decision.basis, reasons=_EXAMPLE)
    return older, newer, decision


def in_order(memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Return two classified memories, older first; if both are of one time, `other` is the newer."""
    return (other, memory) if Party.of(other).is_older(Party.of(memory)) else (memory, other)


def decide_as_said(
    older: Memory, newer: Memory, decision: Decision, spoken: Spoken | None, rejected: Spoken | None = None
) -> Decision:
    """Return `decision`, or the one that follows from how the user said the newer memory if their claims leave it open.

    What the user says in addition ends nothing. `rejected` is how the user rejected the older one, which was written
    again all the same.
    """
    if rejected is not None and decision.winner is None:
        return decide_spoken(older, newer, rejected) or decision
    if spoken is None:
        return decision
    if decision.winner == "newer" and spoken.is_addition():
        return Decision(outcome=Outcome.COEXIST, winner=None, rule="C-43", basis=decision.basis, reasons=_ONE_MORE)
    return decision if decision.winner is not None else decide_spoken(older, newer, spoken) or decision


def decide_spoken(older: Memory, newer: Memory, spoken: Spoken) -> Decision | None:
    """Return the decision if the user gave the newer memory as a change of the older one; None if it replaces nothing.

    Only the replaced value is marked in the older memory, unless the newer one says all the rest too.
    """
    is_open = not (older.is_deprecated or older.is_knowledge or older.is_forgotten)
    if not is_open or not Party.of(older).is_before(Party.of(newer)):
        return None
    replacement = find_replacement(older.text, newer.text, spoken, is_known=spoken.replaces == older.text)
    if replacement is None:
        return None
    return Decision(
        outcome=Outcome.SUPERSEDE if replacement.is_whole else Outcome.PARTIAL,
        winner="newer",
        rule="C-41",
        basis="replacement",
        reasons=(
            "both say the same of one thing but for a value",
            f'older: "{replacement.older}"',
            f'newer: "{replacement.newer}"',
            f'the user gave it as a change: "{spoken.sentence}"',
        ),
        spans=() if replacement.is_whole else replacement.spans,
    )


def parse_claims(memory: Memory) -> tuple[Claim, ...]:
    """Return the claims of a memory that are not outdated: those of its text, then that of its structured content."""
    claims, content = _claims_in_text(memory), memory.content
    if content is None:
        return claims
    value = Value(ValueKind.SCALAR, content.value, (content.value,))
    return (*claims, Claim(content.subject, content.property, value, scope=content.scope, structured=True))


def speak_of_the_same(older: Memory, newer: Memory) -> bool:
    """Whether two memories have claims of one subject and slot, with the same value or with another one."""
    before, after = (parse_claims(memory) for memory in (older, newer))
    comparison = compare_claims_or_words(before, after, older_text=older.text, newer_text=newer.text)
    is_said_again = bool(({*map(same_mark, before)} & {*map(same_mark, after)}) - {None})
    return not comparison.elliptical and (comparison.relation is not Relation.COEXISTS or is_said_again)


def parse_worded_claims(content: Content) -> tuple[Claim, ...]:
    """Return the claims of sentences for structured content, to compare what one memory says twice."""
    where = f"In {', '.join(content.scope)}, " if content.scope else ""
    subject, name, value = content.subject, content.property, content.value
    worded = (f"{where}{subject}'s {name} is {value}.", f"{where}{subject} {name} {value}.")
    claims = dict.fromkeys(claim for sentence in worded for claim in extract_claims(sentence))
    return tuple(claim for claim in claims if claim.value.kind is not ValueKind.STATEMENT)


def _claims_in_text(memory: Memory) -> tuple[Claim, ...]:
    """Return the claims of the text that are not outdated; none if parts are, and it is too long to be read whole."""
    lineage = memory.lineage
    if lineage is None:
        return extract_claims(memory.text)
    claims = extract_claims(memory.text, corrects=lineage.is_correction)
    outdated = {part.text for part in lineage.outdated_parts}
    if outdated and not _is_read_whole(memory.text, claims):
        return ()
    return tuple(claim for claim in claims if memory.text[claim.start : claim.end] not in outdated)


def _is_read_whole(text: str, claims: Sequence[Claim]) -> bool:
    """Whether a text is within the limits of the claims engine, so that all that it says is read."""
    return len(text) <= MAX_CHARACTERS and len(claims) < MAX_CLAIMS


def decide(
    older: Party,
    newer: Party,
    older_claims: Sequence[Claim],
    newer_claims: Sequence[Claim],
    *,
    older_text: str,
    newer_text: str,
) -> Decision:
    """Compare two memories claim by claim; one that is not read whole retires nothing."""
    if Validity.DEPRECATED in (older.validity, newer.validity):
        return Decision(outcome=Outcome.COEXIST, winner=None, rule="C-50", basis="deprecated", reasons=_RETIRED)
    comparison = compare_claims_or_words(older_claims, newer_claims, older_text=older_text, newer_text=newer_text)
    if comparison.elliptical and newer.at - older.at > _ANSWERED_WITHIN:
        return Decision(outcome=Outcome.COEXIST, winner=None, rule="C-43", basis=comparison.rule, reasons=_NOT_ANSWERED)
    decision = _judge(comparison, older, newer)
    text, claims = (newer_text, newer_claims) if decision.winner == "newer" else (older_text, older_claims)
    if decision.winner is not None and not _is_read_whole(text, claims):
        return Decision(outcome=Outcome.COEXIST, winner=None, rule="C-43", basis=comparison.rule, reasons=_NOT_READ)
    return decision


def _judge(comparison: Comparison, older: Party, newer: Party) -> Decision:
    if comparison.relation in _OUTCOMES:
        outcome, reasons = _OUTCOMES[comparison.relation], comparison.reasons
        return Decision(outcome=outcome, winner=None, rule="C-43", basis=comparison.rule, reasons=reasons)
    if comparison.is_open:
        rule, reason = _OPEN[comparison.rule]
        reasons = (*comparison.reasons, reason)
        return Decision(outcome=Outcome.CONTEST, winner=None, rule=rule, basis=comparison.rule, reasons=reasons)
    winner, rule, reason = name_winner(older, newer, corrects=comparison.corrects)
    reasons = (*comparison.reasons, reason)
    if comparison.addable and winner == "newer" and rule in _WEAK_RULES:
        return Decision(outcome=Outcome.COEXIST, winner=None, rule="C-43", basis=comparison.rule, reasons=_IN_ADDITION)
    if winner is None:
        outcome = Outcome.CONTEST
        if older.at == newer.at:
            reasons = tuple(_UNORDERED.get(reason[:7], reason[:7]) + reason[7:] for reason in reasons)
    else:
        loser_says_more = comparison.partial if winner == "newer" else comparison.newer_partial
        outcome = Outcome.PARTIAL if loser_says_more else Outcome.SUPERSEDE
    spans = comparison.older_spans if winner == "newer" else comparison.newer_spans
    return Decision(
        outcome=outcome,
        winner=winner,
        rule=rule,
        basis=comparison.rule,
        reasons=reasons,
        is_elliptical=comparison.elliptical,
        spans=spans if outcome is Outcome.PARTIAL else (),
    )


def name_winner(older: Party, newer: Party, *, corrects: Side | None = None) -> tuple[Side | None, str, str]:
    """Return the survivor of a confirmed contradiction, the rule and the reason; None where no rule orders them.

    `corrects` names the side that says in words that it corrects or replaces the other. What was said later than a
    correction is not corrected by it.
    """
    by_user = _larger(older.source is Source.USER_ASSERTED, newer.source is Source.USER_ASSERTED)
    if by_user is not None:
        user, other = (older, newer) if by_user == "older" else (newer, older)
        if not (other.is_told_by_others or other.is_before(user)):
            return None, "C-44", "nobody is known to have said the other one against the user's word"
        return by_user, "C-44", "the user's word beats every other source"
    is_in_force = corrects == "newer" or older.at == newer.at
    if corrects is not None and is_in_force and older.source is newer.source:
        return corrects, "C-41", "an explicit correction supersedes what it corrects"
    by_time: Side | None = "newer" if older.is_before(newer) else "older" if newer.is_before(older) else None
    if older.source is newer.source is Source.USER_ASSERTED and by_time is not None:
        return by_time, "C-47", "both are the user's, and the latest word counts"
    by_validity = _larger(_VALIDITY_RANK[older.validity], _VALIDITY_RANK[newer.validity])
    if by_validity is not None:
        return by_validity, "C-45", "confirmed beats inferred"
    by_utility = _larger(_UTILITY_RANK[older.utility], _UTILITY_RANK[newer.utility])
    if by_utility is not None:
        return by_utility, "C-46", "load_bearing beats tactical beats archived"
    if older.source is not newer.source:
        return None, "C-96", f"{older.source} and {newer.source} are not ordered by any rule"
    first, last = (newer, older) if by_time == "older" else (older, newer)
    if by_time is not None and last.is_told_by_others and not first.is_told_by_others:
        return None, "C-96", "nobody is known to have said the older one, so it may be the user's word"
    if by_time is not None:
        return by_time, "C-47", "all else is equal, and it is the more recent"
    return None, "C-96", "all axes are equal, and neither was said before the other"


def _larger(older: int, newer: int) -> Side | None:
    if older == newer:
        return None
    return "newer" if older < newer else "older"
