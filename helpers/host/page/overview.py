"""What a memory folder is like at a glance, and what in it needs a person (C-61 ... C-65)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from ...clock import format_time, parse_time
from ...ledger.changes import Supersede, Withdraw
from ...maintenance.duplicates import DUPLICATE_RULES
from ...quality.staleness import days_since
from ...records import Relevance
from ...service.arguments import Question
from ...service.live import LivePlace
from ...service.rows import memory_row
from ..docstore.catalogue import read_rows
from ..docstore.entries import PLACES, without_content
from ..docstore.entries import Row as Entry
from ..session import Folder
from ..storage.files import JOURNAL_FILE, file_stamp, read_lines_if_any
from ..tools.conflicts import open_conflicts
from .breaks import find_breaks
from .lately import list_lately
from .proposals import open_proposals

_MONTHS = 12
_AGES = {"this week": 7, "this month": 30, "this year": 365}
_OLDER = "older"
_RETIRING = {Supersede.action, Withdraw.action}
#: Where each thing that needs a person is settled: a page, if need be with the list narrowed to what it is about.
_PAGES: Mapping[str, Mapping[str, str]] = {
    "conflicts": {"page": "conflicts"},
    "possible_conflicts": {"page": "conflicts"},
    "secrets": {"page": "memories", "about": "secrets"},
    "proposals": {"page": "maintenance"},
    "duplicates": {"page": "maintenance"},
    "chain_breaks": {"page": "backup"},
    "no_backup": {"page": "backup"},
}

Row = dict[str, Any]


def read_overview(folder: Folder, _: Question) -> Row:
    """Return the figures of a folder; blocking, as long as reading its journal takes."""
    store, now, place = folder.store, folder.store.clock(), LivePlace(folder)
    entries = folder.catalogue.rows()
    unresolved = [one for one, _ in open_conflicts(store)]
    backup_at = _backup_time(folder)
    counts = {
        "conflicts": sum(not one.is_possible for one in unresolved),
        "possible_conflicts": sum(one.is_possible for one in unresolved),
        **_count_proposals(folder),
        "secrets": len(place.with_secrets()),
        "no_backup": len(entries) if backup_at is None else 0,
    }
    journal = read_lines_if_any(store.folder / JOURNAL_FILE)
    retired = [
        at for row in journal if row.get("action") in _RETIRING and (at := parse_time(row.get("at"))) is not None
    ]
    contested = [one.detected for one in store.conflicts.get_conflicts()]
    return {
        "total": len(entries),
        "empty": len(without_content(place.documents())),
        **count_entries(entries, now),
        "over_time": by_month({"retired": retired, "contested": contested}, now),
        "backup_at": None if backup_at is None else format_time(backup_at),
        "needs": _needs(counts),
        "rules": _list_rules(folder),
        "lately": list_lately(folder, journal),
    }


def _list_rules(folder: Folder) -> list[Row]:
    """Return the standing rules, the newest first, and which of them a person has left out."""
    left_out = folder.rules.left_out()
    return [{**memory_row(one), "is_on": one.id not in left_out} for one in folder.rules.read()]


def check_folder(folder: Folder, _: Question) -> Row:
    """Return what takes longer to find out: how good the memories are, and whether the chain holds; blocking."""
    return {"quality": _measure(folder), "needs": _needs({"chain_breaks": len(find_breaks(folder))})}


def _needs(counts: Mapping[str, int]) -> list[Row]:
    return [{"kind": kind, "count": count, "about": "", **_PAGES[kind]} for kind, count in counts.items() if count]


def _backup_time(folder: Folder) -> datetime | None:
    """Return when the backup was written last; None where there is none, or none any more."""
    stamp = file_stamp(folder.backup.file.path) if folder.backup.settings.enabled else None
    return None if stamp is None else datetime.fromtimestamp(stamp[0] / 1e9, UTC)


def _count_proposals(folder: Folder) -> dict[str, int]:
    """Return how many are proposed as contradicted, and as duplicates."""
    found, refused = open_proposals(folder)
    rules = Counter(one.rule in DUPLICATE_RULES for one, _ in found if one.loser not in refused)
    return {"proposals": rules[False], "duplicates": rules[True]}


def by_month(moments: Mapping[str, Sequence[datetime]], now: datetime) -> list[Row]:
    """Return how many moments of each kind fall into each of the last twelve months, the oldest first."""
    last = now.astimezone(UTC).year * 12 + now.astimezone(UTC).month - 1
    counts = {kind: Counter(map(_month, found)) for kind, found in moments.items()}
    return [
        {"month": f"{one // 12:04}-{one % 12 + 1:02}", **{kind: found[one] for kind, found in counts.items()}}
        for one in range(last - _MONTHS + 1, last + 1)
    ]


def _month(moment: datetime) -> int:
    in_utc = moment.astimezone(UTC)
    return in_utc.year * 12 + in_utc.month - 1


def by_age(days: npt.NDArray[np.float64]) -> dict[str, int]:
    """Return how many are how many days old."""
    until = np.searchsorted(np.sort(days), [*_AGES.values()], side="right").tolist()
    counts = np.diff([0, *until, len(days)]).tolist()
    return dict(zip((*_AGES, _OLDER), counts, strict=True))


def count_entries(entries: Sequence[Entry], now: datetime) -> Row:
    """Return how many memories are of which status and age."""
    known = [one for one in entries if one[PLACES["validity"]]]
    counts = {name: Counter([one[PLACES[name]] for one in known]) for name in ("validity", "utility", "source")}
    dormant = Counter([one[PLACES["relevance"]] for one in known])[Relevance.DORMANT]
    said = np.array([one[PLACES["at"]] for one in entries], dtype=np.float64)
    return {
        "by": {
            **{name: dict(found) for name, found in counts.items()},
            "relevance": {Relevance.ACTIVE.value: len(known) - dormant, Relevance.DORMANT.value: dormant},
            "age": by_age(days_since(said, now.timestamp())),
        },
        "unread": len(entries) - len(known),
    }


def _measure(folder: Folder) -> Row:
    store, settings = folder.store, folder.settings
    read_rows(store)
    with store.lock:
        store.refresh_positions()
        columns, size = store.columns.quality, len(store.columns)
        measured = columns.measure(size, store.clock(), settings.staleness_config)
        counted = columns.flag("is_known", size) & ~columns.flag("is_forgotten", size)
        stale = columns.find_stale(measured, settings.quality.stale_from).stale
    scores = measured.score[counted]
    is_measured = bool(len(scores))
    return {
        "average": round(float(scores.mean()), 4) if is_measured else None,
        "stale": int(stale.sum()) if is_measured else None,
    }
