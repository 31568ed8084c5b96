"""What a list goes by: each memory is read once, and again only after a change."""

import pytest
from memory_ledger.store.catalogue import PLACES, Catalogue, to_entry


def test_each_memory_is_read_once(box, monkeypatch) -> None:
    """C-30, T-69: a row of the list is what the memory says; no forged status is believed, and no row read again."""
    ids = [box.insert(f"Shelf {number} holds paint.") for number in range(30)]
    box.store.sweep()
    box.classify(*ids[:20])
    box.store.note_all_adopted()  # from now on nothing is believed that is not sealed
    axes = box.docs[ids[0]].metadata["classification"]
    box.docs[ids[0]].metadata["classification"] = {**axes, "validity": "deprecated"}
    catalogue = Catalogue(box.store)
    rows = catalogue.rows()
    assert [one[PLACES["validity"]] for one in rows] == ["", *["confirmed"] * 19, *[""] * 10]
    assert rows == [tuple(to_entry(box.store.read(memory_id))) for memory_id in ids]
    monkeypatch.setattr(box.store, "read", lambda _: pytest.fail("read again"))
    assert catalogue.rows() == rows
    box.delete(ids[0], ids[25])
    assert catalogue.rows() == [*rows[1:25], *rows[26:]]


def test_every_change_is_seen_at_the_next_look(box) -> None:
    one, other = box.insert("The boiler was built in 1987."), box.insert("The key hangs in the hall.")
    box.store.sweep()
    box.classify(one, other)
    catalogue = Catalogue(box.store)

    def look() -> list[tuple[str, str, int]]:
        names = ("text", "validity", "shown")
        return [tuple(row[PLACES[name]] for name in names) for row in catalogue.rows()]

    assert look() == [("The boiler was built in 1987.", "confirmed", 0), ("The key hangs in the hall.", "confirmed", 0)]
    box.classify(one, validity="inferred")
    assert look()[0] == ("The boiler was built in 1987.", "inferred", 0)
    box.store.count_recall([one])
    assert look()[0] == ("The boiler was built in 1987.", "inferred", 1)
    box.update(one, "The boiler was built in 1988.")
    box.delete(other)
    assert look() == [("The boiler was built in 1988.", "", 0)]
