"""Stores that others, or older versions of the pack, have written: read, upgraded once, and no more believed (Q-06)."""

import json
from typing import Any

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.store.damage import ProblemKind

AXES = {"validity": "Confirmed", "relevance": "ACTIVE", "utility": "load-bearing", "source": "user asserted"}
LINEAGE = {
    "created_at": "2026-02-19T10:00:00",
    "created_by_role": "",
    "supersedes": ["m0002", "m0003"],
    "access_count": "12",
    "last_accessed": "",
    "dormancy_candidate": True,
}


@pytest.fixture
def box(new_box: Any) -> Any:
    """A store that stands alone."""
    return new_box(is_alone=True)


def insert_theirs(box: Any) -> str:
    """Store memories as the hooks of another implementation leave them; return the one with everything."""
    first = box.insert("User's deploys need two approvals", classification=dict(AXES), lineage=dict(LINEAGE))
    for text, winner in (("User's deploys need one approval", first), ("Deploys need a ticket", first)):
        axes = {**AXES, "validity": "deprecated", "utility": "tactical", "note": "kept"}
        box.insert(text, classification=json.dumps(axes), lineage={"superseded_by": winner, "supersedes": ""})
    box.insert("The cat sleeps")
    return str(first)


def ledger(box: Any) -> dict[str, Any]:
    """Return the ledger's metadata of every memory."""
    return json.loads(json.dumps({one: document.metadata for one, document in box.docs.items()}))


def test_a_store_of_another_implementation_is_read_and_upgraded_once(box) -> None:
    """Q-06, C-91, C-30: the status is honoured, the specification's spelling is written, unknown keys stay."""
    first = insert_theirs(box)
    adoption = box.adopt()
    assert [one.memory_id for one in adoption.classified] == ["m0004"]
    assert box.store.problems.take(ProblemKind.METADATA) == []
    stored = box.docs[first].metadata
    assert stored["classification"] == {
        "validity": "confirmed",
        "relevance": "active",
        "utility": "load_bearing",
        "source": "user_asserted",
    }
    lineage = stored["lineage"]
    assert (lineage["supersedes"], lineage["supersedes_ids"]) == ("m0003", ["m0002", "m0003"])
    assert (lineage["access_count"], lineage["last_accessed"], lineage["created_by_role"]) == (12, None, None)
    assert lineage["created_at"].endswith("Z") and lineage["dormancy_candidate"] is True
    assert box.docs["m0002"].metadata["classification"]["note"] == "kept"
    assert box.read("m0002").lineage.superseded_by == first
    assert all(is_sealed(box.store.key, box.read(one)) for one in box.docs)
    before = ledger(box)
    box.restart(is_saved=True)
    assert box.adopt().classified == []
    assert ledger(box) == before


def test_later_the_same_metadata_is_not_believed(known) -> None:
    """T-69: what appears once the pack is there is derived anew, however it is spelled."""
    first = insert_theirs(known)
    adoption = known.adopt()
    assert len(adoption.classified) == 4
    axes = known.read(first).classification
    assert (axes.validity, axes.source) == ("inferred", "agent_inferred")
    assert known.validity("m0002") == "inferred" and known.read("m0002").lineage.superseded_by is None


def test_a_store_that_stands_alone_is_upgraded_by_the_next_command_that_writes(box) -> None:
    first = insert_theirs(box)
    box.memory.save()
    box.memory.close()
    words = ["add", "The tea is in the pantry", "--folder", str(box.folder)]
    assert cli.main(words, load=lambda: HashingEmbedder(64)) == 0
    box.open()
    assert box.docs[first].metadata["classification"]["utility"] == "load_bearing"
