"""Memories and settings for the tests of the core."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from memory_ledger.knowledge.documents import Category, Entry, entry_id, rendered
from memory_ledger.ledger.changes import Supersede
from memory_ledger.ledger.settle import Review
from memory_ledger.records import Classification, Lineage, Memory, Relevance, Source, Utility, Validity

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)

USER, AGENT = Source.USER_ASSERTED, Source.AGENT_INFERRED
EXTERNAL = Source.EXTERNAL_RETRIEVED
CONFIRMED, INFERRED, DEPRECATED = Validity.CONFIRMED, Validity.INFERRED, Validity.DEPRECATED
LOAD_BEARING, TACTICAL, ARCHIVED = Utility.LOAD_BEARING, Utility.TACTICAL, Utility.ARCHIVED


def axes(
    validity: Validity = CONFIRMED,
    utility: Utility = TACTICAL,
    source: Source = USER,
    relevance: Relevance = Relevance.ACTIVE,
    tags: tuple[str, ...] = (),
) -> Classification:
    """Return four axes."""
    return Classification(validity=validity, relevance=relevance, utility=utility, source=source, tags=tags)


def memory(
    memory_id: str = "m1",
    text: str = "User's project uses Python 3.11",
    *,
    at: datetime = NOW,
    area: str = "fragments",
    lineage: dict[str, Any] | None = None,
    **status: Any,
) -> Memory:
    """Return a classified memory; `status` goes to the axes, `lineage` over the defaults."""
    return Memory(
        id=memory_id,
        text=text,
        created_at=at,
        area=area,
        is_solution=area == "solutions",
        classification=axes(**status),
        lineage=Lineage.model_validate({"created_at": at, **(lineage or {})}),
    )


def retire(loser: Memory, winner: Memory) -> tuple[Memory, Memory]:
    """Return both after the winner has beaten the loser."""
    change = Supersede(winner_id=winner.id, loser_id=loser.id, at=LATER, cycle=3, rule="C-47")
    retired, kept = change.apply(loser, winner)
    return retired, kept


def knowledge_entry(number: int, title: str, insight: str, confidence: float = 0.85) -> str:
    """Return the text of an entry of a knowledge file."""
    entry = Entry(
        id=entry_id(number),
        title=title,
        confidence=confidence,
        transactions=23,
        first_observed=date(2026, 1, 1),
        last_confirmed=date(2026, 2, 1),
        sources=("txn_1",),
        category=Category.ERROR_PREVENTION,
        insight=insight,
        action="Wait.",
        applicability="All",
    )
    return rendered(entry).text


def json_of(scalars: st.SearchStrategy[Any], *, max_leaves: int = 8) -> st.SearchStrategy[Any]:
    """Return a strategy of JSON values that hold these scalars."""

    def hold(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)

    return st.recursive(scalars, hold, max_leaves=max_leaves)


def propose_retirements(memories: Iterable[Memory], *, at: datetime, cycle: int) -> list[Supersede]:
    """Return what a review of all `memories` at once proposes."""
    review = Review()
    for one in memories:
        review.add(one)
    review.advance(review.remaining, at=at, cycle=cycle)
    return review.proposals()
