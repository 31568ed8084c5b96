"""What a memory folder is like at a glance, and what in it needs a person (C-61 ... C-65)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from ...clock import parse_time
from ...duplicates.policy import DUPLICATE_RULES
from ...errors import StoreError
from ...ledger.changes import Supersede, Withdraw
from ...quality.staleness import days_since
from ...records import Relevance
from ..session import Folder
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..storage.proposals import Proposal, read_proposals
from ..tools.conflicts import open_conflicts

_MONTHS = 12
_AGES = {"this week": 7, "this month": 30, "this year": 365}
_OLDER = "older"
_RETIRING = {Supersede.action, Withdraw.action}
#: Where each thing that needs a person is settled; nowhere yet for what is empty.
_PAGES = {"conflicts": "conflicts", "possible_conflicts": "conflicts"}

Row = dict[str, Any]


def read_overview(folder: Folder) -> Row:
    """Return the figures of a folder; blocking, as long as reading its journal takes."""
    store, now = folder.store, folder.store.clock()
    unresolved = [one for one, _ in open_conflicts(store)]
    counts = {
        "conflicts": sum(not one.is_possible for one in unresolved),
        "possible_conflicts": sum(one.is_possible for one in unresolved),
        **count_proposals(_proposals(folder)),
        "secrets": sum(one in store for one in list(folder.adopter.secrets.found)),
    }
    retired = [
        at
        for row in read_lines_if_any(store.folder / JOURNAL_FILE)
        if row.get("action") in _RETIRING and (at := parse_time(row.get("at"))) is not None
    ]
    contested = [one.detected for one in store.conflicts.get_conflicts()]
    return {
        "total": len(store),
        **_count(folder, now),
        "over_time": by_month({"retired": retired, "contested": contested}, now),
        "needs": [
            {"kind": kind, "count": count, "page": _PAGES.get(kind, "")} for kind, count in counts.items() if count
        ],
    }


def count_proposals(proposals: Iterable[Proposal]) -> dict[str, int]:
    """Return how many are proposed as contradicted, and as duplicates."""
    found = Counter("duplicates" if one.rule in DUPLICATE_RULES else "proposals" for one in proposals)
    return {kind: found[kind] for kind in ("proposals", "duplicates")}


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


def by_age(days: Sequence[float]) -> dict[str, int]:
    """Return how many are how many days old."""
    found = Counter(next((name for name, most in _AGES.items() if one <= most), _OLDER) for one in days)
    return {name: found[name] for name in (*_AGES, _OLDER)}


def _proposals(folder: Folder) -> list[Proposal]:
    try:
        return [one for one in read_proposals(folder.store.folder) if one.loser in folder.store]
    except StoreError:  # no first look yet, or a report that a person has damaged, of which the terminal tells
        return []


def _count(folder: Folder, now: datetime) -> Row:
    """Return how many memories are of which status and age, and how good they are."""
    store, settings = folder.store, folder.settings
    with store.lock:
        store.refresh_positions()
        columns, size = store.columns, len(store.columns)
        statuses = columns.count()
        known = columns.is_known()
        dormant = int((columns.flags("is_dormant") & known).sum())
        days = days_since(columns.created[:size], now.timestamp()).tolist()
        measured = columns.quality.measure(size, now, settings.staleness_config)
        counted = columns.quality.flag("is_known", size) & ~columns.quality.flag("is_forgotten", size)
        scores, staleness = measured.score[counted], measured.staleness[counted]
    axes: dict[str, Counter[str]] = {name: Counter() for name in ("validity", "utility", "source")}
    for status, count in statuses.items():
        for name, value in zip(axes, status, strict=True):
            axes[name][value.value] += count
    is_measured = bool(len(scores))
    return {
        "by": {
            **{name: dict(found) for name, found in axes.items()},
            "relevance": {Relevance.ACTIVE.value: int(known.sum()) - dormant, Relevance.DORMANT.value: dormant},
            "age": by_age(days),
        },
        "unread": size - int(known.sum()),
        "quality": {
            "average": round(float(scores.mean()), 4) if is_measured else None,
            "stale": int(np.count_nonzero(staleness >= settings.quality.stale_from)) if is_measured else None,
        },
    }
