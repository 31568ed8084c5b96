"""What a list goes by: read fast where this pack has written it, and as every memory is read where it has not."""

import pytest
from memory_ledger.store.catalogue import PLACES, Catalogue, read_row, to_entry

SHAPES = {
    "as written": {},
    "without a seal": {"lineage": {"seal": None}},
    "with a forged seal": {"lineage": {"seal": "0" * 24}},
    "with a forged axis": {"classification": {"validity": "deprecated"}},
    "with an axis of a list": {"classification": {"validity": ["confirmed"]}},
    "with tags": {"classification": {"tags": ["a", "b"]}},
    "with a tag that is no text": {"classification": {"tags": ["a", 3]}},
    "with tags that are a text": {"classification": {"tags": "ab"}},
    "stated later": {"lineage": {"stated_at": "2026-05-01T10:00:00+02:00"}},
    "stated at no time": {"lineage": {"stated_at": "soon"}},
    "stated at an empty time": {"lineage": {"stated_at": ""}},
    "with a time without an offset": {"lineage": {"created_at": "2026-05-01T10:00:00"}},
    "with no time": {"lineage": {"created_at": None}},
    "shown often": {"lineage": {"access_count": 7}},
    "shown less than never": {"lineage": {"access_count": -1}},
    "shown for true": {"lineage": {"access_count": True}},
    "of a domain and a role": {"lineage": {"bst_domain": "law", "created_by_role": "clerk"}},
    "of a domain that is a number": {"lineage": {"bst_domain": 4}},
    "of another area": {"area": "fragments"},
    "of an area that is none": {"area": 3},
    "with JSON in the place of records": {"classification": '{"validity": "confirmed"}'},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_is_read_fast_is_what_the_memory_says(box, shape) -> None:
    """C-30, T-69: a row of the list and the memory behind it are one; no forged status is believed."""
    memory_id = box.insert("The boiler was built in 1987.")
    box.store.sweep()
    box.classify(memory_id)
    box.store.note_all_adopted()  # from now on nothing is believed that is not sealed
    metadata = box.docs[memory_id].metadata
    for key, value in shape.items():
        metadata[key] = {**metadata[key], **value} if isinstance(value, dict) else value
    expected = to_entry(box.store.read(memory_id))
    assert Catalogue(box.store).rows() == [tuple(expected)]
    assert read_row(box.store.key, memory_id, box.docs[memory_id]) in (None, tuple(expected))


def test_what_this_pack_has_written_is_not_read_twice(box, monkeypatch) -> None:
    """A list over many thousands opens at once after a start, and at the next look only what is new is read."""
    ids = [box.insert(f"Shelf {number} holds paint.") for number in range(30)]
    box.store.sweep()
    box.classify(*ids[:20])
    monkeypatch.setattr(box.store, "read", lambda _: pytest.fail("read as a memory"))
    catalogue = Catalogue(box.store)
    rows = catalogue.rows()
    assert [one[PLACES["validity"]] for one in rows] == ["confirmed"] * 20 + [""] * 10
    monkeypatch.setattr("memory_ledger.store.catalogue.read_row", lambda *_: pytest.fail("read again"))
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
