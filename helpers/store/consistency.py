"""Where the vectors and the texts of a store disagree: a save that was cut off leaves those of two (contract, 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .docstore import Store


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Which texts have no vector of their own, which ids have a vector and no text, how many vectors have no id."""

    without_vector: tuple[str, ...] = ()
    without_text: tuple[str, ...] = ()
    without_id: int = 0

    def __bool__(self) -> bool:
        return bool(self.without_vector or self.without_text or self.without_id)


def find_disagreement(positions: Mapping[int, str], texts: Collection[str], vectors: int) -> Disagreement:
    """Compare which id stands at which position, the ids that have a text, and how many vectors there are.

    Of a text that stands at two positions nobody can say which vector is its own.
    """
    places = place_of(positions, vectors)
    return Disagreement(
        tuple(text for text in texts if places.get(text) is None),
        tuple(position for position in dict.fromkeys(positions.values()) if position not in texts),
        vectors - sum(place < vectors for place in positions),
    )


def place_of(positions: Mapping[int, str], vectors: int) -> dict[str, int | None]:
    """Return where the vector of each id stands; None where it has none, or more than one."""
    places: dict[str, int | None] = {}
    for place, memory_id in positions.items():
        places[memory_id] = None if memory_id in places or place >= vectors else place
    return places


def disagreement_of(store: Store) -> Disagreement:
    """Return what disagrees in an open store; its lock is held for as long as a copy takes."""
    db = store.db
    with store.lock:
        positions, texts, vectors = dict(db.index_to_docstore_id), dict(db.get_all_docs()), int(db.index.ntotal)
    return find_disagreement(positions, texts, vectors)
