"""What was believed about something, and when: memories in the order in which they held (C-51). Pure.

A memory is believed from the moment it was written down until the moment what replaces it was, or until it went out of
use: an import, or the first look at an old folder, compares both long after they were said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..claims import POLAR, extract_claims, is_ending, is_saying
from ..clock import parse_time
from ..errors import MemoryLedgerError, shorten
from ..language.wordings import read_patterns
from ..language.words import content_words
from ..records import Lineage, Memory, Source, Validity

_SAID = read_patterns("utterances")

#: What gives the names in a text under its memory's id.
ReadNames = Callable[[str, str], frozenset[str]]


class QuestionError(MemoryLedgerError):
    """A question about the past cannot be understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One memory about one thing, and the time in which it was believed (aware, UTC; `until` is None for: still).

    `about` is the subject and the slot, or both empty where the grammar reads none. `part` is the piece of the text
    that this is about if only that piece is retired.
    """

    memory_id: str
    text: str
    about: tuple[str, str]
    since: datetime
    until: datetime | None
    source: Source
    validity: Validity
    replaced_by: str | None
    rule: str | None
    part: str | None = None

    def holds_at(self, at: datetime) -> bool:
        """Whether it was believed at the moment `at`."""
        return self.since <= at and (self.until is None or at < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryIndex:
    """Where a question is looked up: every text under its memory's id, a memory by its id, and who replaced whom.

    `winners` maps what is retired to what replaced it. `names` gives the words that the claims of a memory's text
    name; whoever asks often remembers them.
    """

    texts: Iterable[tuple[str, str]]
    read: Callable[[str], Memory | None]
    winners: Mapping[str, str]
    names: ReadNames


def parse_names(memory_id: str, text: str) -> frozenset[str]:
    """Return the words of what the claims of a text are about: "uses Python 3.9" names a version."""
    return content_words(" ".join(name for claim in extract_claims(text) for name in claim.key))


class NameBook:
    """The names in many texts, each read once: that costs far more than to look for words in it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, frozenset[str]]] = {}
        self._shared: dict[frozenset[str], frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def names(self, memory_id: str, text: str) -> frozenset[str]:
        """Return the words of `parse_names` that the text has not itself; these few are the same in many texts."""
        known = self._known.get(memory_id)
        if known is not None and known[0] == text:
            return known[1]
        found = parse_names(memory_id, text) - content_words(text)
        found = self._shared.setdefault(found, found)
        self._known[memory_id] = (text, found)
        return found

    def forget_others(self, present: Collection[str]) -> None:
        """Drop what is not `present` any more, once that is worth the while."""
        if len(self._known) > 2 * len(present):
            self._known = {one: self._known[one] for one in present if one in self._known}


def parse_winners(memories: Iterable[Memory], known: Container[str]) -> dict[str, str]:
    """Return which of the `known` memories replaced which, by the id of the one that is retired."""
    pairs = ((memory.id, memory.lineage.superseded_by) for memory in memories if memory.lineage is not None)
    return {loser: winner for loser, winner in pairs if winner is not None and winner in known}


def find_beliefs(archive: HistoryIndex, query: str, *, memory_id: str = "") -> list[Belief]:
    """Return what was ever believed about `query`, thing by thing, each in the order of time.

    A memory is about the query if its words, and the names of what it claims, hold all words of the query. What
    replaced such a memory, or was replaced by it, belongs to the line too, however it is worded. With `memory_id` it is
    the line of that one memory, whatever its words.
    """
    wanted = content_words(_SAID["asks_past"].sub(" ", query))
    found = {memory_id} if memory_id else set()
    if wanted and not memory_id:
        found = {one for one, text in archive.texts if _is_about(wanted, one, text, archive)}
    line = [archive.read(chain) for chain in _with_chains(found, archive.winners)]
    beliefs = [belief for one in line if one is not None for belief in _beliefs_of(one, wanted, archive)]
    return sorted(beliefs, key=lambda one: (one.about, one.since, one.memory_id))


def believed_at(beliefs: Sequence[Belief], at: datetime) -> list[Belief]:
    """Return those of `beliefs` that held at the moment `at`, in their order."""
    return [belief for belief in beliefs if belief.holds_at(at)]


def parse_moment(value: object, *, where: str) -> datetime:
    """Return the moment that a person or the agent asks for; raises QuestionError."""
    moment = parse_time(value)
    if moment is None:
        raise QuestionError(f"{where} is {shorten(value)}; allowed: ISO 8601, such as 2026-03-01T12:00:00+01:00")
    return moment


def _is_about(wanted: frozenset[str], memory_id: str, text: str, archive: HistoryIndex) -> bool:
    missing = wanted - content_words(text)
    return not missing or missing <= archive.names(memory_id, text)


def _with_chains(found: set[str], winners: Mapping[str, str]) -> list[str]:
    """Return `found` with everything that is linked to it by having been replaced."""
    links: dict[str, set[str]] = {}
    for loser, winner in winners.items():
        links.setdefault(loser, set()).add(winner)
        links.setdefault(winner, set()).add(loser)
    seen, waiting = set(found), list(found)
    while waiting:
        more = links.get(waiting.pop(), set()) - seen
        seen |= more
        waiting.extend(more)
    return sorted(seen)


def _end_of(
    since: datetime, retired_at: datetime | None, winner_id: str | None, archive: HistoryIndex
) -> datetime | None:
    winner = archive.read(winner_id) if retired_at is not None and winner_id is not None else None
    ends = [retired_at, None if winner is None or winner.lineage is None else _begin_of(winner.lineage)]
    return None if retired_at is None else min((end for end in ends if end and end > since), default=since)


def _begin_of(lineage: Lineage) -> datetime:
    """Return since when a memory is believed; where the clock has gone back, the order of what was said counts."""
    return lineage.ordered_at or lineage.created_at


def _beliefs_of(memory: Memory, wanted: frozenset[str], archive: HistoryIndex) -> list[Belief]:
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None:
        return []
    since = _begin_of(lineage)
    whole = Belief(
        memory_id=memory.id,
        text=memory.text,
        about=_about(memory.text, wanted),
        since=since,
        until=_end_of(since, lineage.deprecated_at if memory.is_deprecated else None, lineage.superseded_by, archive),
        source=axes.source,
        validity=axes.validity,
        replaced_by=lineage.superseded_by,
        rule=lineage.deprecated_reason,
    )
    parts = [
        Belief(
            memory_id=memory.id,
            text=memory.text,
            about=_about(part.text, wanted),
            since=since,
            until=_end_of(since, part.at, part.by, archive),
            source=axes.source,
            validity=axes.validity,
            replaced_by=part.by,
            rule=None,
            part=part.text,
        )
        for part in lineage.outdated_parts
        if wanted <= content_words(part.text) | parse_names(memory.id, part.text)
    ]
    return parts or [whole]


def _about(text: str, wanted: frozenset[str]) -> tuple[str, str]:
    """Return what the claim with most of the words asked for speaks of, and its slot; the first of several."""
    claims = [claim for claim in extract_claims(text) if not (is_ending(claim) or is_saying(claim))]
    if not claims:
        return "", ""
    found = max(claims, key=lambda claim: len(wanted & content_words(" ".join((*claim.key, claim.value.text)))))
    return found.subject, found.slot.removeprefix(POLAR)
