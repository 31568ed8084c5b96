"""What was believed about something, and when: memories in the order in which they held (C-51). Pure.

A memory is believed from the moment it was written down until the moment another one put it out of use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..claims import extract_claims
from ..records import Memory, Source, Validity
from ..texts import STOPWORDS, normalize_token, split_tokens

# Words of a question about the past; they are about nothing.
_ASKING = frozenset(
    normalize_token(word)
    for word in "previously believe believed think thought know knew say said remember now".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One memory about one thing, and the time in which it was believed (aware, UTC; `until` is None for: still).

    `about` is the subject and the slot, or both empty where the grammar reads none. `part` is the piece of the text
    that this is about if only that piece is out of use.
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


def find_beliefs(memories: Iterable[Memory], query: str) -> list[Belief]:
    """Return what was ever believed about `query`, thing by thing, each in the order of time.

    A memory is about the query if its words, and the names of what it claims, hold all words of the query. What
    replaced such a memory, or was replaced by it, belongs to the line too, however it is worded.
    """
    known = {one.id: one for one in memories if one.classification is not None and one.lineage is not None}
    wanted = _words(query) - _ASKING
    if not wanted:
        return []
    found = {one.id for one in known.values() if wanted <= _all_words(one.text)}
    beliefs = [belief for one in _with_chains(found, known) for belief in _beliefs_of(known[one], wanted)]
    return sorted(beliefs, key=lambda one: (one.about, one.since, one.memory_id))


def _with_chains(found: set[str], known: dict[str, Memory]) -> list[str]:
    """Return `found` with everything that is linked to it by having been replaced."""
    links: dict[str, set[str]] = {}
    for one in known.values():
        winner = one.lineage.superseded_by if one.lineage is not None else None
        if winner in known:
            links.setdefault(one.id, set()).add(winner)
            links.setdefault(winner, set()).add(one.id)
    seen, waiting = set(found), list(found)
    while waiting:
        more = links.get(waiting.pop(), set()) - seen
        seen |= more
        waiting.extend(more)
    return sorted(seen)


def _beliefs_of(memory: Memory, wanted: frozenset[str]) -> list[Belief]:
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None:
        return []
    whole = Belief(
        memory_id=memory.id,
        text=memory.text,
        about=_about(memory.text, wanted),
        since=lineage.created_at,
        until=lineage.deprecated_at if memory.is_deprecated else None,
        source=axes.source,
        validity=axes.validity,
        replaced_by=lineage.superseded_by,
        rule=lineage.deprecated_reason,
    )
    parts = [
        Belief(
            memory_id=memory.id,
            text=memory.text,
            about=_about(one.text, wanted),
            since=lineage.created_at,
            until=one.at,
            source=axes.source,
            validity=axes.validity,
            replaced_by=one.by,
            rule=None,
            part=one.text,
        )
        for one in lineage.outdated_parts
        if wanted <= _all_words(one.text)
    ]
    return parts or [whole]


def _about(text: str, wanted: frozenset[str]) -> tuple[str, str]:
    """Return subject and slot of the claim that has most of the words asked for, the first of several."""
    claims = extract_claims(text)
    if not claims:
        return "", ""
    return max(claims, key=lambda one: len(wanted & _words(" ".join((*one.key, one.value.text))))).key


def _all_words(text: str) -> frozenset[str]:
    return _words(" ".join([text, *(name for claim in extract_claims(text) for name in claim.key)]))


def _words(text: str) -> frozenset[str]:
    return frozenset(normalize_token(one) for one in split_tokens(text) if one.casefold() not in STOPWORDS)


def believed_at(beliefs: Sequence[Belief], at: datetime) -> list[Belief]:
    """Return those of `beliefs` that held at the moment `at`, in their order."""
    return [one for one in beliefs if one.holds_at(at)]
