"""What the searches found, and what the stages of a recall make of it (E-07). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from ..records import Memory
from .evidence import NO_EVIDENCE, Evidence
from .surroundings import ALONE, Neighbourhood


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that may enter the prompt, with the evidence for it.

    `similarity` is that of its best variant on the host's scale, (1 + cosine) / 2, in 0..1 (T-15); `kinship` the cosine
    between it and the one with most evidence. `place` is where it stands in the order in which memories were written.
    `is_found`: a search found it, and not only that it stands beside one. `quality` is its score at that time.
    """

    memory: Memory
    similarity: float
    evidence: Evidence = NO_EVIDENCE
    neighbourhood: Neighbourhood = ALONE
    kinship: float = 0.0
    place: int = -1
    is_found: bool = True
    quality: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate with what the stages made of it, each in 0..1: `score` is the final one of E-19, with the `boost`.

    `share` is its part of the relevance of all: how likely it is what the message asks for, if anything is; `lender` is
    the id of the memory beside it whose relevance it shares most of, if any.
    """

    candidate: Candidate
    relevance: float = 0.0
    recency: float = 0.0
    score: float = 0.0
    boost: float = 0.0
    share: float = 0.0
    lender: str | None = None

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.candidate.memory
