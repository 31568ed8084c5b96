"""What a memory folder holds at a glance, in the memories' own words, and what in it needs a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice

from ...clock import format_time, parse_time
from ...ledger.changes import Supersede, Withdraw
from ...ledger.mentions import in_first_person
from ...maintenance.duplicates import DUPLICATE_RULES
from ...records import Utility, Validity
from ...service.arguments import Question
from ...service.live import LivePlace
from ...service.memories import order
from ...service.rows import Result, memory_row
from ..docstore.entries import PLACES, find_unused, without_content
from ..docstore.entries import Row as Entry
from ..session import Folder
from ..storage.files import JOURNAL_FILE, file_stamp, read_lines_if_any
from ..tools.conflicts import open_conflicts
from .breaks import find_breaks
from .lately import list_lately
from .proposals import open_proposals

_MONTHS = 12
#: So many memories are shown in their own words of each kind, half of them because they are used most.
_MOST_SHOWN = 6
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


def read_overview(folder: Folder, _: Question) -> Result:
    """Return the figures of a folder; blocking, as long as reading its journal takes."""
    store, now, place = folder.store, folder.store.clock(), LivePlace(folder)
    entries = folder.catalogue.rows()
    unresolved = [one for one, _ in open_conflicts(store)]
    backup_at = _backup_time(folder)
    secrets = place.with_secrets()
    counts = {
        "conflicts": sum(not one.is_possible for one in unresolved),
        "possible_conflicts": sum(one.is_possible for one in unresolved),
        **_count_proposals(folder),
        "secrets": len(secrets),
        "no_backup": len(entries) if backup_at is None and entries else 0,
    }
    journal = read_lines_if_any(store.folder / JOURNAL_FILE)
    retired = [
        at for row in journal if row.get("action") in _RETIRING and (at := parse_time(row.get("at"))) is not None
    ]
    contested = [one.detected for one in store.conflicts.get_conflicts()]
    in_use = [one for one in entries if one[PLACES["validity"]] not in ("", Validity.DEPRECATED)]
    return {
        "total": len(entries),
        "empty": len(without_content(place.documents())),
        "unused": len(find_unused(in_use, now)),
        "unread": sum(not one[PLACES["validity"]] for one in entries),
        "by": {name: _count(entries, name) for name in ("validity", "utility", "source")},
        "is_reading": folder.background is not None and folder.background.is_alive(),
        "known": _tell_known(folder, [one for one in in_use if one[PLACES["id"]] not in secrets]),
        "over_time": by_month({"retired": retired, "contested": contested}, now),
        "backup_at": None if backup_at is None else format_time(backup_at),
        "needs": _needs(counts),
        "rules": _list_rules(folder),
        "lately": list_lately(folder, journal),
    }


def _count(entries: Sequence[Entry], name: str) -> dict[str, int]:
    return dict(Counter([one[PLACES[name]] for one in entries if one[PLACES[name]]]))


def _tell_known(folder: Folder, entries: Sequence[Entry]) -> dict[str, list[Result]]:
    """Return the most used and the newest of what is known of the person, of anything else, and of what is unsure."""
    validity, utility, text = PLACES["validity"], PLACES["utility"], PLACES["text"]
    entries = [one for one in entries if one[utility] != Utility.ARCHIVED]
    newest, most_used = (order(entries, sort, dict) for sort in ("newest", "shown"))

    def pick(is_wanted: Callable[[Entry], bool]) -> list[Result]:
        used = islice((one for one in most_used if one[PLACES["shown"]] and is_wanted(one)), _MOST_SHOWN // 2)
        ids = dict.fromkeys(one[PLACES["id"]] for one in used)
        ids |= dict.fromkeys(one[PLACES["id"]] for one in islice(filter(is_wanted, newest), _MOST_SHOWN))
        found = map(folder.store.read, islice(ids, _MOST_SHOWN))
        return [memory_row(one) for one in found if one is not None]

    def is_of_person(one: Entry) -> bool:
        return in_first_person(one[text]).startswith(("I ", "My "))

    return {
        "person": pick(is_of_person),
        "other": pick(lambda one: not is_of_person(one)),
        "unsure": pick(lambda one: one[validity] == Validity.INFERRED),
    }


def _list_rules(folder: Folder) -> list[Result]:
    """Return the standing rules, the newest first, and which of them a person has left out."""
    left_out = folder.rules.left_out()
    return [{**memory_row(one), "is_on": one.id not in left_out} for one in folder.rules.read()]


def check_folder(folder: Folder, _: Question) -> Result:
    """Return what takes longer to find out: whether the chain holds; blocking."""
    return {"needs": _needs({"chain_breaks": len(find_breaks(folder))})}


def _needs(counts: Mapping[str, int]) -> list[Result]:
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


def by_month(moments: Mapping[str, Sequence[datetime]], now: datetime) -> list[Result]:
    """Return how many moments of each kind fall into each of the last twelve months, the oldest first."""
    counts = {kind: Counter(f"{one.astimezone(UTC):%Y-%m}" for one in found) for kind, found in moments.items()}
    last = now.astimezone(UTC).year * 12 + now.astimezone(UTC).month
    months = [f"{one // 12:04}-{one % 12 + 1:02}" for one in range(last - _MONTHS, last)]
    return [{"month": one, **{kind: found[one] for kind, found in counts.items()}} for one in months]
