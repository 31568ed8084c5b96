"""Memories that were recalled together: the entries of the log, and the pairs in many of them. Pure.

One log serves every memory folder of a host. Entries of the folder `default` have exactly the keys of the
specification; those of another folder name it besides. `max_entries` holds for each folder, so that a busy folder does
not displace the entries of another one.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from ..clock import parse_time

Row = dict[str, Any]

DEFAULT_SUBDIR = "default"

_MAX_ENTRIES = "max_entries"
_ENTRIES = "entries"
_CANDIDATES = "cluster_candidates"
_FOLDER = "memory_subdir"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoRetrievalEntry:
    """A recall: the memories that it put into the prompt of a turn about `query_domain`, if that is known."""

    at: datetime
    memory_ids: tuple[str, ...]
    cycle: int
    query_domain: str | None = None
    memory_subdir: str = DEFAULT_SUBDIR

    def to_row(self) -> dict[str, Any]:
        """Return the stored row."""
        return {
            "timestamp": _to_text(self.at),
            "query_domain": self.query_domain,
            "memory_ids": list(self.memory_ids),
            "cycle": self.cycle,
            **_name_folder(self.memory_subdir),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CoRetrievals:
    """The whole log: the entries of all folders, in the order of their recalls.

    `candidates` are the pairs that many entries name together, as they are stored.
    """

    max_entries: int
    entries: tuple[CoRetrievalEntry, ...] = ()
    candidates: tuple[Row, ...] = ()


def without_memory(log: CoRetrievals, memory_id: str) -> CoRetrievals:
    """Return the log as if no recall had found a memory: the entries stay, without it."""
    entries = (
        replace(entry, memory_ids=tuple(other for other in entry.memory_ids if other != memory_id))
        for entry in log.entries
    )
    candidates = (candidate for candidate in log.candidates if memory_id not in candidate["memory_ids"])
    return replace(log, entries=tuple(entries), candidates=tuple(candidates))


def append_entries(log: CoRetrievals, entries: Sequence[CoRetrievalEntry]) -> CoRetrievals:
    """Return `log` with `entries` at its end; of each folder the oldest beyond `max_entries` go."""
    everything = (*log.entries, *entries)
    counts = Counter(entry.memory_subdir for entry in everything)
    kept: list[CoRetrievalEntry] = []
    for entry in everything:
        if counts[entry.memory_subdir] > log.max_entries:
            counts[entry.memory_subdir] -= 1
        else:
            kept.append(entry)
    return replace(log, entries=tuple(kept))


def find_clusters(entries: Iterable[CoRetrievalEntry], threshold: int) -> list[Row]:
    """Return the pairs that more than `threshold` entries of a folder name together, the most frequent first."""
    seen: defaultdict[tuple[str, ...], list[CoRetrievalEntry]] = defaultdict(list)
    for entry in entries:
        for pair in combinations(sorted(set(entry.memory_ids)), 2):
            seen[pair].append(entry)
    candidates = [
        {
            "memory_ids": [*pair],
            "co_retrieval_count": len(together),
            "first_seen": _to_text(min(entry.at for entry in together)),
            "last_seen": _to_text(max(entry.at for entry in together)),
            **_name_folder(together[0].memory_subdir),
        }
        for pair, together in seen.items()
        if len(together) > threshold
    ]
    return sorted(candidates, key=lambda candidate: (-candidate["co_retrieval_count"], candidate["memory_ids"]))


def promote_clusters(log: CoRetrievals, memory_subdir: str, threshold: int) -> CoRetrievals:
    """Return `log` with the candidates of the present entries of one folder; nothing else changes.

    A pair that is named too rarely, because its entries have been evicted, is no candidate any more. A pair that stays
    a candidate keeps its earliest `first_seen`.
    """
    seen = {tuple(row["memory_ids"]): row["first_seen"] for row in candidates_of(log, memory_subdir)}
    clusters = find_clusters((entry for entry in log.entries if entry.memory_subdir == memory_subdir), threshold)
    for row in clusters:
        row["first_seen"] = min(row["first_seen"], seen.get(tuple(row["memory_ids"]), row["first_seen"]))
    others = [row for row in log.candidates if row.get(_FOLDER, DEFAULT_SUBDIR) != memory_subdir]
    return replace(log, candidates=(*others, *clusters))


def candidates_of(log: CoRetrievals, memory_subdir: str) -> list[Row]:
    """Return the candidates of a folder."""
    return [row for row in log.candidates if row.get(_FOLDER, DEFAULT_SUBDIR) == memory_subdir]


def read_log(value: Any, *, max_entries: int) -> CoRetrievals:
    """Return the log of a JSON value; raises ValueError for anything but a log as specified.

    `max_entries` is the default; the value's own one is kept.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"a {type(value).__name__}")
    stated, rows, candidates = value.get(_MAX_ENTRIES, max_entries), value.get(_ENTRIES, []), value.get(_CANDIDATES, [])
    if type(stated) is not int or stated < 1:
        raise ValueError(f"{_MAX_ENTRIES} is not a whole number from 1 on")
    if not isinstance(rows, list) or None in (entries := [parse_pair_entry(row) for row in rows]):
        raise ValueError(f"{_ENTRIES} are not rows of timestamp, query_domain, ids and cycle")
    if not isinstance(candidates, list) or not all(map(_is_candidate, candidates)):
        raise ValueError(f"{_CANDIDATES} are not pairs of ids with a moment")
    log = CoRetrievals(max_entries=stated, candidates=tuple(candidates))
    return append_entries(log, [entry for entry in entries if entry is not None])


def parse_pair_entry(row: object) -> CoRetrievalEntry | None:
    """Return the entry of a stored row; None if it is none."""
    if not isinstance(row, Mapping) or not _is_ids(row.get("memory_ids")):
        return None
    time, domain, cycle = parse_time(row.get("timestamp")), row.get("query_domain"), row.get("cycle")
    subdir = row.get(_FOLDER, DEFAULT_SUBDIR)
    if time is None or type(cycle) is not int or cycle < 0:
        return None
    if not isinstance(subdir, str) or not isinstance(domain, str | None):
        return None
    ids = tuple(row["memory_ids"])
    return CoRetrievalEntry(at=time, memory_ids=ids, cycle=cycle, query_domain=domain, memory_subdir=subdir)


def _is_candidate(row: object) -> bool:
    if not isinstance(row, Mapping) or parse_time(row.get("first_seen")) is None:
        return False
    ids: Any = row.get("memory_ids")
    return _is_ids(ids) and len(ids) == 2 and isinstance(row.get(_FOLDER, DEFAULT_SUBDIR), str)


def _is_ids(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(memory_id, str) for memory_id in value)


def write_log(log: CoRetrievals) -> str:
    """Return the text of the file: a JSON object, each entry and each candidate on a line of its own."""
    values = {
        _MAX_ENTRIES: str(log.max_entries),
        _ENTRIES: _to_block(entry.to_row() for entry in log.entries),
        _CANDIDATES: _to_block(log.candidates),
    }
    return "{\n" + ",\n".join(f'  "{key}": {value}' for key, value in values.items()) + "\n}\n"


def _name_folder(memory_subdir: str) -> dict[str, str]:
    return {} if memory_subdir == DEFAULT_SUBDIR else {_FOLDER: memory_subdir}


def _to_text(moment: datetime) -> str:
    """Return a moment in the specification's form: whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _to_block(rows: Iterable[Row]) -> str:
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f"[\n{lines}\n  ]" if lines else "[]"
