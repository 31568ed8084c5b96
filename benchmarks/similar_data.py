"""The pairs by which `helpers/similar` is trained and measured, by source."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from contradictions_data import Pair, Utterance, read_blind, read_conversations
from memory_ledger.store.embedding import MiniLM, load_minilm
from pair_tables import CONTRADICTIONS, DUPLICATES, HARMLESS, REFINED
from rows import SAYS_MORE

_TABLES = Path(__file__).resolve().parents[1] / "tests" / "data"
#: Whose conversations are trained on; the others are only counted.
TRAINED_CONVERSATIONS = frozenset((0, 1, 2))
NEAREST = 5
#: Of the many natural neighbours and harmless rows of our own, one of so many; where the blind tables change writers.
EACH_NEIGHBOUR, EACH_STRANGER, EACH_HARMLESS = 6, 2, 3
_WRITERS = (0, 540, 1620, 2320, 2790, 3330, 3780, 4050)
_BATCH = 256
NATURAL = "natural neighbours"
REAL = "real shapes"
PLAIN = "plain"
MEMORIZED = "memorized"
REPORTED = "reported"

#: How a text is told as the user's own, and what tells that it denies something.
_FRAMES = ('The user said: "{}"', 'User wrote: "{}"', "The user mentioned: {}", 'In the chat the user told me: "{}"')
_OWN_WORDS = [
    (re.compile(rf"\b(?:[Tt]he )?[Uu]ser{old}"), f"I{new}")
    for old, new in ((" is", " am"), (" has", " have"), (" does", " do"), (" was", " was"), ("(?= can| will)", ""))
] + [(re.compile(r"\b(?:[Tt]he )?[Uu]ser's"), "my")]
_DENIES = re.compile(r"\b(?:not|no|never|none|nothing|without)\b|n't\b")


class Labelled(NamedTuple):
    """A pair of texts, older first, what it is labelled, and who wrote it.

    The label is whether they contradict each other, or, of copies, whether the newer says everything of the older.
    """

    older: str
    newer: str
    label: bool
    source: str


def read_contradictions(folder: Path, parts: Sequence[str] = ("training", "development")) -> list[Labelled]:
    """Return what the marks are trained on: the open blind tables by writer, real shapes, our own, conversations."""
    blind = [
        _labelled(one, f"blind {sum(one.number > first for first in _WRITERS)}") for one in read_blind("development")
    ]
    kinds = [_labelled(one, "six kinds of text") for one in read_blind("kinds_development")]
    harmless = [*HARMLESS, *REFINED, *DUPLICATES][::EACH_HARMLESS]
    own = [Labelled(*row[-2:], True, "own tables") for row in CONTRADICTIONS]
    own += [Labelled(*row[-2:], False, "own tables") for row in harmless]
    natural = [*neighbours(folder, is_trained=True)[::EACH_NEIGHBOUR], *strangers(folder)[::EACH_STRANGER]]
    written = [row for read in (read_changes, read_plain) for part in parts for row in read(part)]
    told = [*blind, *written]
    return [*blind, *kinds, *own, *natural, *written, *read_memorized("training"), *_reported(told)]


def read_plain(part: str) -> list[Labelled]:
    """Return the pairs as people say them, by writer."""
    rows = read_rows(part, PLAIN)
    return [Labelled(r["older"], r["newer"], r["contradiction"], f"{PLAIN} {r.get('writer', part)}") for r in rows]


def read_memorized(part: str) -> list[Labelled]:
    """Return pairs as the hosts' memorizer writes them, by writer: changes, look-alikes, and the same said again."""
    rows = read_rows(part, MEMORIZED)
    return [Labelled(r["older"], r["newer"], r["kind"] == "change", f"{MEMORIZED} {r['writer']}") for r in rows]


def _reported(rows: Sequence[Labelled]) -> list[Labelled]:
    """Return pairs of which one text denies something, with the newer one in the user's mouth: rules read no quotes."""
    denied = [one for one in rows if bool(_DENIES.search(one.older)) is not bool(_DENIES.search(one.newer))]
    found = []
    for number, one in enumerate(denied):
        text = one.newer
        for pattern, own in _OWN_WORDS:
            text = pattern.sub(own, text)
        told = _FRAMES[number % len(_FRAMES)].format(text)
        found.append(Labelled(one.older, told, one.label, REPORTED))
    return found


def read_changes(part: str) -> list[Labelled]:
    """Return the pairs in the shapes of real stores: what is out of date, and what only looks alike or is a copy."""
    source = f"{REAL}, {part}"
    changes = [Labelled(row["older"], row["newer"], True, source) for row in read_rows(f"changes_{part}")]
    apart = [Labelled(row["first"], row["second"], False, source) for row in read_rows(f"apart_{part}")]
    copies = [Labelled(row["older"], row["newer"], False, source) for row in read_rows(f"copies_{part}")]
    return [*changes, *apart, *copies]


def read_copies(parts: Sequence[str] = ("training", "development")) -> list[Labelled]:
    """Return what the copies are trained on: every pair in both directions, where it is known what covers what."""
    found = [row for part in parts for row in read_covered(part)]
    found += cover_memorized("training")
    for part in ("development", "blind_development", "roles"):
        rows = [row for row in read_rows(f"apart_{part}", "duplicates") if row["kind"] not in SAYS_MORE]
        found += _both("apart by a word", [(row["a"], row["b"]) for row in rows], is_covered=False)
    blind = [(one.older, one.newer) for one in read_blind("development") if one.is_contradiction]
    return found + _both("blind contradictions", blind[::3], is_covered=False)


def read_covered(part: str) -> list[Labelled]:
    """Return copies and look-alikes in the shapes of real stores, in both directions."""
    source = f"{REAL}, {part}"
    found = []
    for row in read_rows(f"copies_{part}"):
        if row["keeps"] in ("newer", "either"):
            found.append(Labelled(row["older"], row["newer"], True, source))
        if row["keeps"] in ("older", "either"):
            found.append(Labelled(row["newer"], row["older"], True, source))
    apart = [(row["first"], row["second"]) for row in read_rows(f"apart_{part}")]
    changes = [(row["older"], row["newer"]) for row in read_rows(f"changes_{part}")]
    return [*found, *_both(source, [*apart, *changes], is_covered=False)]


def cover_memorized(part: str) -> list[Labelled]:
    """Return the pairs as the hosts' memorizer writes them, in both directions, where it is known what covers what."""
    found = []
    for row in read_rows(part, MEMORIZED):
        pair, source = (row["older"], row["newer"]), f"{MEMORIZED} {row['writer']}"
        if row["kind"] != "copy":
            found += _both(source, [pair], is_covered=False)
        if row.get("keeps") in ("newer", "either"):
            found.append(Labelled(*pair, True, source))
        if row.get("keeps") in ("older", "either"):
            found.append(Labelled(*reversed(pair), True, source))
    return found


def _both(source: str, pairs: Sequence[tuple[str, str]], *, is_covered: bool) -> list[Labelled]:
    return [Labelled(*each, is_covered, source) for one, other in pairs for each in ((one, other), (other, one))]


def read_rows(name: str, folder: str = "real") -> Iterator[dict[str, Any]]:
    """Yield the rows of a labelled table of the tests."""
    yield from map(json.loads, (_TABLES / folder / f"{name}.jsonl").read_text("utf-8").splitlines())


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
        matrix = embed([one.text for one in group])
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


def embed(texts: Sequence[str]) -> np.ndarray:
    """Return unit vectors by all-MiniLM-L6-v2; one thread, so that they are always the same."""
    model, found = _minilm(), []
    for begin in range(0, len(texts), _BATCH):
        found += model.embed_documents(list(texts[begin : begin + _BATCH]))
        print(f"{len(found):,} of {len(texts):,} texts embedded", file=sys.stderr, flush=True)
    return np.array(found)


def _labelled(one: Pair, source: str) -> Labelled:
    return Labelled(one.older, one.newer, one.is_contradiction, source)
