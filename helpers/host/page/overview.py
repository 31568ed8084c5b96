"""What a memory folder holds at a glance, in the memories' own words, and what in it needs a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice

from ...clock import format_time, parse_time
from ...ledger.changes import Supersede, Withdraw
from ...ledger.mentions import in_first_person
from ...records import Utility, Validity
from ...service.arguments import Question
from ...service.inbox import TITLES, ItemKind, find_items
from ...service.live import LivePlace
from ...service.memories import order
from ...service.rows import Result, memory_row
from ...store.catalogue import PLACES, find_unused, without_content
from ...store.catalogue import Row as Entry
from ...store.files import JOURNAL_FILE, file_stamp, read_lines_if_any
from ..session import Folder
from .breaks import find_breaks
from .lately import list_lately

_MONTHS = 12
#: So many memories are shown in their own words of each kind, half of them because they are used most.
_MOST_SHOWN = 6
_RETIRING = {Supersede.action, Withdraw.action}


def read_overview(folder: Folder, _: Question) -> Result:
    """Return the figures of a folder; blocking, as long as reading its journal takes."""
    store, now, place = folder.store, folder.store.clock(), LivePlace(folder)
    entries = folder.catalogue.rows()
    backup_at = _backup_time(folder)
    no_backup = [{"kind": "no_backup", "words": "memories without a backup", "count": len(entries)}]
    no_backup = no_backup if backup_at is None and entries else []
    secrets = place.with_secrets()
    journal = read_lines_if_any(store.folder / JOURNAL_FILE)
    retired = [
        at for row in journal if row.get("action") in _RETIRING and (at := parse_time(row.get("at"))) is not None
    ]
    contested = [conflict.detected for conflict in store.conflicts.get_conflicts()]
    in_use = [entry for entry in entries if entry[PLACES["validity"]] not in ("", Validity.DEPRECATED)]
    return {
        "total": len(entries),
        "empty": len(without_content(place.documents())),
        "unused": len(find_unused(in_use, now)),
        "unread": sum(not entry[PLACES["validity"]] for entry in entries),
        "by": {
            "validity": _count(entries, "validity"),
            **{name: _count(in_use, name) for name in ("utility", "source")},
        },
        "is_reading": folder.background is not None and folder.background.is_alive(),
        "known": _tell_known(folder, [one for one in in_use if one[PLACES["id"]] not in secrets]),
        "over_time": by_month({"retired": retired, "contested": contested}, now),
        "backup_at": None if backup_at is None else format_time(backup_at),
        "needs": [*_needs(Counter(item.kind for item in find_items(place))), *no_backup],
        "rules": _list_rules(folder),
        "lately": list_lately(folder, journal),
    }


def _count(entries: Sequence[Entry], name: str) -> dict[str, int]:
    return dict(Counter([entry[PLACES[name]] for entry in entries if entry[PLACES[name]]]))


def _tell_known(folder: Folder, entries: Sequence[Entry]) -> dict[str, list[Result]]:
    """Return the most used and the newest of what is known of the person, of anything else, and of what is unsure."""
    validity, utility, text = PLACES["validity"], PLACES["utility"], PLACES["text"]
    entries = [entry for entry in entries if entry[utility] != Utility.ARCHIVED]
    newest, most_used = (order(entries, sort, dict) for sort in ("newest", "shown"))

    def pick(is_wanted: Callable[[Entry], bool]) -> list[Result]:
        used = islice((one for one in most_used if one[PLACES["shown"]] and is_wanted(one)), _MOST_SHOWN // 2)
        ids = dict.fromkeys(one[PLACES["id"]] for one in used)
        ids |= dict.fromkeys(one[PLACES["id"]] for one in islice(filter(is_wanted, newest), _MOST_SHOWN))
        found = map(folder.store.read, islice(ids, _MOST_SHOWN))
        return [memory_row(one) for one in found if one is not None]

    def is_of_person(one: Entry) -> bool:
        return in_first_person(one[text]).startswith(("I ", "My "))

    def is_unsure(one: Entry) -> bool:
        return bool(one[validity] == Validity.INFERRED)

    return {
        "person": pick(lambda one: is_of_person(one) and not is_unsure(one)),
        "other": pick(lambda one: not is_of_person(one) and not is_unsure(one)),
        "unsure": pick(is_unsure),
    }


def _list_rules(folder: Folder) -> list[Result]:
    """Return the standing rules, the newest first, and which of them a person has left out."""
    left_out = folder.rules.left_out()
    return [{**memory_row(one), "is_on": one.id not in left_out} for one in folder.rules.read()]


def check_folder(folder: Folder, _: Question) -> Result:
    """Return what takes longer to find out: whether the chain holds; blocking."""
    return {"needs": _needs({ItemKind.CHAIN: len(find_breaks(folder))})}


def _needs(counts: Mapping[ItemKind, int]) -> list[Result]:
    """Return how much needs a person, of each kind in the order of the list that shows it."""
    return [{"kind": one.value, "words": TITLES[one][1], "count": counts[one]} for one in ItemKind if counts.get(one)]


def _backup_time(folder: Folder) -> datetime | None:
    """Return when the backup was written last; None where there is none, or none any more."""
    stamp = file_stamp(folder.backup.file.path) if folder.backup.settings.enabled else None
    return None if stamp is None else datetime.fromtimestamp(stamp[0] / 1e9, UTC)


def by_month(moments: Mapping[str, Sequence[datetime]], now: datetime) -> list[Result]:
    """Return how many moments of each kind fall into each of the last twelve months, the oldest first."""
    counts = {kind: Counter(f"{one.astimezone(UTC):%Y-%m}" for one in found) for kind, found in moments.items()}
    last = now.astimezone(UTC).year * 12 + now.astimezone(UTC).month
    months = [f"{one // 12:04}-{one % 12 + 1:02}" for one in range(last - _MONTHS, last)]
    return [{"month": month, **{kind: found[month] for kind, found in counts.items()}} for month in months]
