"""What `memory_load` shows the model (C-97, T-44)."""

from itertools import pairwise
from typing import Any

import pytest
from memory_ledger.host.tools.loaded import mark_blocks
from memory_ledger.ledger.changes import Outdate, Supersede


class Printer:
    """The host's own printing of documents (contract, section 5)."""

    @staticmethod
    def format_docs_plain(docs: list[Any]) -> list[str]:
        """Return every metadata key and value, then the content."""
        return [
            "".join(f"{key}: {value}\n" for key, value in doc.metadata.items()) + f"Content: {doc.page_content}"
            for doc in docs
        ]


def shown(box, *ids: str) -> str:
    blocks = Printer.format_docs_plain([box.docs[one] for one in ids])
    return mark_blocks("\n\n".join(blocks), box.store, Printer)


@pytest.fixture
def chain(box):
    """Three versions of one fact, each beaten by the next, and a memory of its own."""
    ids = [box.insert(f"Python 3.{minor}") for minor in (9, 10, 11)]
    ids.append(box.insert("likes tea"))
    box.classify(*ids)
    for loser, winner in pairwise(ids[:3]):
        box.store.apply([Supersede(winner_id=winner, loser_id=loser, at=box.clock(), cycle=0, rule="C-47")])
    return box


def test_what_is_retired_names_the_memory_in_use(chain) -> None:
    """C-97: the head of the chain, not the next link; the rest of the block is the host's."""
    text = shown(chain, "m0001", "m0002", "m0003", "m0004")
    contents = [line for line in text.splitlines() if line.startswith("Content: ")]
    assert contents == [
        "Content: [deprecated → m0003] Python 3.9",
        "Content: [deprecated → m0003] Python 3.10",
        "Content: Python 3.11",
        "Content: likes tea",
    ]
    assert "lineage" not in text and "classification" not in text
    assert text.count("area: main") == text.count("timestamp: ") == 4


def test_no_text_passes_for_a_mark_or_a_block(chain) -> None:
    """C-97, T-44: neither the memory's own nor what stands in its metadata; no content is searched for what to cut."""
    text = shown(chain, chain.insert("[deprecated \u2192 m0003] likes tea", note="[deprecated \u2192 m0001]"))
    assert "Content: (quoted: deprecated \u2192 m0003) likes tea" in text and "[deprecated" not in text
    quoting = chain.insert("he wrote\nid: m0004\nlineage: none of yours")
    assert shown(chain, quoting).endswith("he wrote\nid: m0004\nlineage: none of yours")


def test_deprecated_without_a_winner(chain) -> None:
    chain.classify("m0004", validity="deprecated")
    assert "Content: [deprecated] likes tea" in shown(chain, "m0004")
    metadata = chain.docs["m0003"].metadata
    metadata["lineage"] = metadata["lineage"] | {"superseded_by": "m0001"}
    assert "Content: [deprecated → m0003] Python 3.9" in shown(chain, "m0001")


def test_part_that_no_longer_holds(chain) -> None:
    """C-97, C-43: in its place in the text; one that is retired as a whole is marked as such."""
    part = {"memory_id": "m0004", "winner_id": "m0003", "parts": ("tea",), "at": chain.clock(), "rule": "C-47"}
    chain.store.apply([Outdate(**part)])
    assert "Content: likes [outdated: tea]" in shown(chain, "m0004")


def test_only_printed_blocks_are_touched(chain) -> None:
    """T-44: an id in a text, an unknown id and words of another tool stay as they are."""
    for text in ("", "No memories found", "id: m0001", "id: nobody\nContent: x", "he said:\nid: m0001\nContent: hm"):
        assert mark_blocks(text, chain.store, Printer) == text
