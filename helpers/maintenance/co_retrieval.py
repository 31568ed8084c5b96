"""Memories that were recalled together: the entries of the log, and the pairs in many of them. Pure.

One log serves every memory folder of a host. Entries of the folder `default` have exactly the keys of the
specification; those of another folder name it besides. `max_entries` holds for each folder, so that a busy folder does
not displace the entries of another one. Unknown keys are kept.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, TypeGuard, TypeVar

from ..clock import parse_time
from ..errors import Problem, shorten

Row = dict[str, Any]
_Row = TypeVar("_Row")

DEFAULT_SUBDIR = "default"

_MAX_ENTRIES = "max_entries"
_ENTRIES = "entries"
_CANDIDATES = "cluster_candidates"
_LOG_KEYS = frozenset((_MAX_ENTRIES, _ENTRIES, _CANDIDATES))
_FOLDER = "memory_subdir"
_ENTRY_KEYS = frozenset(("timestamp", "query_domain", "memory_ids", "cycle", _FOLDER))


@dataclass(frozen=True, slots=True, kw_only=True)
class CoRetrievalEntry:
    """A recall: the memories that it put into the prompt of a turn about `query_domain`, if that is known."""

    at: datetime
    memory_ids: tuple[str, ...]
    cycle: int
    query_domain: str | None = None
    memory_subdir: str = DEFAULT_SUBDIR
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_row(self) -> dict[str, Any]:
        """Return the stored row."""
        return {
            "timestamp": _to_text(self.at),
            "query_domain": self.query_domain,
            "memory_ids": list(self.memory_ids),
            "cycle": self.cycle,
            **_name_folder(self.memory_subdir),
            **self.extra,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CoRetrievals:
    """The whole log: the entries of all folders, in the order of their recalls.

    `candidates` are the pairs that many entries name together, as they are stored.
    """

    max_entries: int
    entries: tuple[CoRetrievalEntry, ...] = ()
    candidates: tuple[Row, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


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
    ids_by_entry = [(entry, sorted(set(entry.memory_ids))) for entry in entries]
    appearances = Counter(memory_id for _, ids in ids_by_entry for memory_id in ids)
    seen: defaultdict[tuple[str, str], list[CoRetrievalEntry]] = defaultdict(list)
    for entry, ids in ids_by_entry:
        # Most memories are recalled too seldom to be part of such a pair.
        for pair in combinations([memory_id for memory_id in ids if appearances[memory_id] > threshold], 2):
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
    a candidate keeps its earliest `first_seen`, and other keys that somebody has added.
    """
    before = {tuple(candidate["memory_ids"]): candidate for candidate in candidates_of(log, memory_subdir)}
    candidates = []
    for cluster in find_clusters((entry for entry in log.entries if entry.memory_subdir == memory_subdir), threshold):
        known = before.get(tuple(cluster["memory_ids"]), cluster)
        candidates.append({**known, **cluster, "first_seen": min(known["first_seen"], cluster["first_seen"])})
    others = [candidate for candidate in log.candidates if _folder_of(candidate) != memory_subdir]
    return replace(log, candidates=(*others, *candidates))


def candidates_of(log: CoRetrievals, memory_subdir: str) -> list[Row]:
    """Return the candidates of a folder."""
    return [candidate for candidate in log.candidates if _folder_of(candidate) == memory_subdir]


def read_log(value: object, *, max_entries: int) -> tuple[CoRetrievals, list[Problem]]:
    """Return the log of a JSON value, and a problem for each part that was left out.

    `max_entries` is the default; the value's own one is kept.
    """
    log = CoRetrievals(max_entries=max_entries)
    if not isinstance(value, Mapping):
        return log, [Problem(where="the log", found=shorten(value), allowed="a JSON object")]
    problems: list[Problem] = []
    stated = value.get(_MAX_ENTRIES, max_entries)
    if not _is_count(stated) or stated < 1:
        problems.append(Problem(where=_MAX_ENTRIES, found=shorten(stated), allowed="a whole number from 1 on"))
        stated = max_entries
    entries = _parse_all(value, _ENTRIES, parse_pair_entry, "timestamp, query_domain, ids and cycle", problems)
    candidates = _parse_all(value, _CANDIDATES, _parse_candidate, "a pair of ids and a moment", problems)
    read = replace(log, max_entries=stated, candidates=tuple(candidates), extra=_others(value, _LOG_KEYS))
    return append_entries(read, entries), problems


def parse_pair_entry(row: object) -> CoRetrievalEntry | None:
    """Return the entry of a stored row; None if it is none."""
    if not isinstance(row, Mapping):
        return None
    time, ids = parse_time(row.get("timestamp")), _parse_ids(row)
    domain, cycle, subdir = row.get("query_domain"), row.get("cycle"), row.get(_FOLDER, DEFAULT_SUBDIR)
    if time is None or ids is None or not isinstance(subdir, str) or not _is_count(cycle):
        return None
    if domain is not None and not isinstance(domain, str):
        return None
    return CoRetrievalEntry(
        at=time, memory_ids=ids, cycle=cycle, query_domain=domain, memory_subdir=subdir, extra=_others(row, _ENTRY_KEYS)
    )


def _parse_candidate(row: object) -> Row | None:
    if not isinstance(row, Mapping) or parse_time(row.get("first_seen")) is None:
        return None
    ids = _parse_ids(row)
    return dict(row) if ids is not None and len(ids) == 2 and isinstance(_folder_of(row), str) else None


def write_log(log: CoRetrievals) -> str:
    """Return the text of the file: a JSON object, each entry and each candidate on a line of its own."""
    values = {
        _MAX_ENTRIES: _to_json(log.max_entries),
        _ENTRIES: _to_block(entry.to_row() for entry in log.entries),
        _CANDIDATES: _to_block(log.candidates),
        **{key: _to_json(value) for key, value in log.extra.items()},
    }
    return "{\n" + ",\n".join(f"  {_to_json(key)}: {value}" for key, value in values.items()) + "\n}\n"


def _parse_all(
    value: Mapping[str, Any], key: str, parse: Callable[[object], _Row | None], allowed: str, problems: list[Problem]
) -> list[_Row]:
    """Return the rows under a key, and add a problem for each value that is none."""
    stored_rows = value.get(key, [])
    if not isinstance(stored_rows, list):
        problems.append(Problem(where=key, found=shorten(stored_rows), allowed="a list"))
        return []
    rows: list[_Row] = []
    for number, stored in enumerate(stored_rows):
        row = parse(stored)
        if row is None:
            problems.append(Problem(where=f"{key}[{number}]", found=shorten(stored), allowed=allowed))
        else:
            rows.append(row)
    return rows


def _parse_ids(row: Mapping[str, Any]) -> tuple[str, ...] | None:
    ids = row.get("memory_ids")
    return tuple(ids) if isinstance(ids, list) and all(isinstance(memory_id, str) for memory_id in ids) else None


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _others(row: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in known}


def _folder_of(row: Mapping[str, Any]) -> object:
    return row.get(_FOLDER, DEFAULT_SUBDIR)


def _name_folder(memory_subdir: str) -> dict[str, str]:
    return {} if memory_subdir == DEFAULT_SUBDIR else {_FOLDER: memory_subdir}


def _to_text(moment: datetime) -> str:
    """Return a moment in the specification's form: whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _to_block(rows: Iterable[Row]) -> str:
    lines = ",\n".join(f"    {_to_json(row)}" for row in rows)
    return f"[\n{lines}\n  ]" if lines else "[]"


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
