"""The pairs by which `helpers/disagreement` is trained and measured, by source."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from contradictions_data import Pair, Utterance, read_blind, read_conversations
from memory_ledger.host.docstore.minilm import MiniLM, load_minilm
from pair_tables import CONTRADICTIONS, DUPLICATES, HARMLESS, REFINED

#: Whose conversations are trained on; the others are only counted.
TRAINED_CONVERSATIONS = frozenset((0, 1, 2))
NEAREST = 5
#: Of the many natural neighbours and harmless rows of our own, one of so many; where the blind tables change writers.
EACH_NEIGHBOUR, EACH_STRANGER, EACH_HARMLESS = 6, 2, 3
_WRITERS = (0, 540, 1620, 2320, 2790, 3330, 3780, 4050)
_BATCH = 256
NATURAL = "natural neighbours"


class Labelled(NamedTuple):
    """A pair of texts, older first, what it is labelled, and who wrote it."""

    older: str
    newer: str
    is_contradiction: bool
    source: str


def read_training(folder: Path) -> list[Labelled]:
    """Return what is trained on: the open blind tables by writer, tables of our own, and conversations 0 to 2."""
    blind = [
        _labelled(one, f"blind {sum(one.number > first for first in _WRITERS)}") for one in read_blind("development")
    ]
    kinds = [_labelled(one, "six kinds of text") for one in read_blind("kinds_development")]
    harmless = [*HARMLESS, *REFINED, *DUPLICATES][::EACH_HARMLESS]
    own = [Labelled(*row[-2:], True, "own tables") for row in CONTRADICTIONS]
    own += [Labelled(*row[-2:], False, "own tables") for row in harmless]
    natural = [*neighbours(folder, is_trained=True)[::EACH_NEIGHBOUR], *strangers(folder)[::EACH_STRANGER]]
    return [*blind, *kinds, *own, *natural]


def strangers(folder: Path) -> list[Labelled]:
    """Return every memory of the trained conversations with one of the same speaker of another time, near or not.

    In a small store the nearest memories have nothing to do with each other.
    """
    groups = _by_speaker(folder, is_trained=True)
    pairs = [(one, other) for group in groups for one, other in zip(group, group[len(group) // 2 :], strict=False)]
    return [Labelled(one.text, other.text, False, NATURAL) for one, other in pairs]


def neighbours(folder: Path, *, is_trained: bool) -> list[Labelled]:
    """Return every memory of the open conversations with its nearest of the same speaker, each pair once."""
    found: dict[tuple[str, str], Labelled] = {}
    for group in _by_speaker(folder, is_trained=is_trained):
        matrix = _embed([one.text for one in group])
        similar = matrix @ matrix.T
        np.fill_diagonal(similar, -1.0)
        for row, nearest in enumerate(np.argsort(-similar, axis=1, kind="stable")[:, :NEAREST]):
            for other in nearest:
                older, newer = (group[place] for place in sorted((row, int(other))))
                found.setdefault((older.key, newer.key), Labelled(older.text, newer.text, False, NATURAL))
    return [found[key] for key in sorted(found)]


def _by_speaker(folder: Path, *, is_trained: bool) -> list[list[Utterance]]:
    groups: dict[tuple[int, str, str], list[Utterance]] = {}
    for one in read_conversations(folder):
        if (one.conversation in TRAINED_CONVERSATIONS) is is_trained:
            groups.setdefault((one.conversation, one.speaker, one.kind), []).append(one)
    return list(groups.values())


@cache
def _minilm() -> MiniLM:
    return load_minilm(threads=1)


def _embed(texts: Sequence[str]) -> np.ndarray:
    """Return unit vectors by all-MiniLM-L6-v2; one thread, so that they are always the same."""
    model, found = _minilm(), []
    for begin in range(0, len(texts), _BATCH):
        found += model.embed_documents(list(texts[begin : begin + _BATCH]))
        print(f"{len(found):,} of {len(texts):,} texts embedded", file=sys.stderr, flush=True)
    return np.array(found)


def _labelled(one: Pair, source: str) -> Labelled:
    return Labelled(one.older, one.newer, one.is_contradiction, source)
