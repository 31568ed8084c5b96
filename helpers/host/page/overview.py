"""The overview of a memory folder: figures, some memories in their own words, and what needs a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from ...clock import format_time
from ...ledger.authority import WHO, actor_of, tell
from ...ledger.mentions import in_first_person
from ...privacy import mask
from ...records import Utility, Validity
from ...service.arguments import Question
from ...service.inbox import TITLES, ItemKind, find_items
from ...service.live import LivePlace
from ...service.rows import Result, memory_row, order
from ...store.catalogue import PLACES, find_unused, without_content
from ...store.catalogue import Row as Entry
from ...store.files import JOURNAL_FILE, file_stamp, read_lines_if_any
from ...vault.record import VaultRecord, writer_of
from ..session import Folder
from ..upkeep import begin_first_look
from .acting import ONE_AT_A_TIME
from .backup import find_breaks

_MOST_LATELY = 30
_COUNTED = ("validity", "utility", "source")
_MOST_OF_A_LINE = 200
#: How many memories of each kind are shown in their own words; half of them are the most used ones.
_MOST_SHOWN = 6


def read_overview(folder: Folder, _: Question) -> Result:
    """Return the overview of a folder, and begin its first look; blocking, for it reads the journal."""
    store, now, place = folder.store, folder.store.clock(), LivePlace(folder)
    entries = folder.catalogue.rows()
    _begin_first_look(folder, entries)
    backup_at = _backup_time(folder)
    no_backup = [{"kind": "no_backup", "words": "memories without a backup", "count": len(entries)}]
    no_backup = no_backup if backup_at is None and entries else []
    secrets = place.open_secrets()
    journal = read_lines_if_any(store.folder / JOURNAL_FILE)
    in_use = [entry for entry in entries if entry[PLACES["validity"]] not in ("", Validity.DEPRECATED)]
    return {
        "now": format_time(now),
        "total": len(entries),
        "empty": len(without_content(place.documents())),
        "unused": len(find_unused(in_use, now)),
        "unread": sum(not entry[PLACES["validity"]] for entry in entries),
        "by": {name: _count(entries if name == "validity" else in_use, name) for name in _COUNTED},
        "is_reading": folder.background is not None and folder.background.is_alive(),
        "known": _tell_known(folder, [entry for entry in in_use if entry[PLACES["id"]] not in secrets]),
        "backup_at": None if backup_at is None else format_time(backup_at),
        "needs": [*_needs(Counter(item.kind for item in find_items(place))), *no_backup],
        "rules": _list_rules(folder),
        "lately": _list_lately(folder, journal),
    }


def _begin_first_look(folder: Folder, entries: Sequence[Entry]) -> None:
    """Start the first look at a folder with older memories, unless it goes on already."""
    with ONE_AT_A_TIME:
        is_reading = folder.background is not None and folder.background.is_alive()
        if entries and folder.store.is_first_look and not is_reading:
            begin_first_look(folder)


def _count(entries: Sequence[Entry], name: str) -> dict[str, int]:
    return dict(Counter([entry[PLACES[name]] for entry in entries if entry[PLACES[name]]]))


def _tell_known(folder: Folder, entries: Sequence[Entry]) -> dict[str, list[Result]]:
    """Return the most used and the newest memories about the person, about anything else, and the unsure ones."""
    validity, utility, text = PLACES["validity"], PLACES["utility"], PLACES["text"]
    entries = [entry for entry in entries if entry[utility] != Utility.ARCHIVED]
    newest, most_used = (order(entries, sort, dict) for sort in ("newest", "shown"))

    def pick(is_wanted: Callable[[Entry], bool]) -> list[Result]:
        used = islice((entry for entry in most_used if entry[PLACES["shown"]] and is_wanted(entry)), _MOST_SHOWN // 2)
        ids = dict.fromkeys(entry[PLACES["id"]] for entry in used)
        ids |= dict.fromkeys(entry[PLACES["id"]] for entry in islice(filter(is_wanted, newest), _MOST_SHOWN))
        memories = map(folder.store.read, islice(ids, _MOST_SHOWN))
        return [memory_row(memory) for memory in memories if memory is not None]

    def is_of_person(entry: Entry) -> bool:
        return in_first_person(entry[text]).startswith(("I ", "My "))

    def is_unsure(entry: Entry) -> bool:
        return bool(entry[validity] == Validity.INFERRED)

    return {
        "person": pick(lambda entry: is_of_person(entry) and not is_unsure(entry)),
        "other": pick(lambda entry: not is_of_person(entry) and not is_unsure(entry)),
        "unsure": pick(is_unsure),
    }


def _list_rules(folder: Folder) -> list[Result]:
    """Return the standing rules, the newest first, each with whether it is switched on."""
    left_out = folder.rules.left_out()
    return [{**memory_row(rule), "is_on": rule.id not in left_out} for rule in folder.rules.read()]


def check_folder(folder: Folder, _: Question) -> Result:
    """Return whether the chain needs a person; blocking, for that takes longer than the overview."""
    return {"needs": _needs({ItemKind.CHAIN: len(find_breaks(folder))})}


def _needs(counts: Mapping[ItemKind, int]) -> list[Result]:
    """Return the numbers of items that need a person, by kind, in the order of their list."""
    return [
        {"kind": kind.value, "words": TITLES[kind][1], "count": counts[kind]} for kind in ItemKind if counts.get(kind)
    ]


def _backup_time(folder: Folder) -> datetime | None:
    """Return the time of the last backup; None without a backup, or while it is switched off."""
    stamp = file_stamp(folder.backup.file.path) if folder.backup.settings.enabled else None
    return None if stamp is None else datetime.fromtimestamp(stamp[0] / 1e9, UTC)


def _list_lately(folder: Folder, journal: Sequence[Mapping[str, Any]]) -> list[Result]:
    """Return the latest acts, the newest first; `journal` are the lines of the folder's journal."""
    rows = [_lately_row(folder, line) for line in islice(filter(tell, reversed(journal)), _MOST_LATELY)]
    records = sorted(folder.vault.records(), key=lambda record: record.written_at)[-_MOST_LATELY:]
    rows += [_of_record(record) for record in records]
    return sorted(rows, key=lambda row: str(row["at"]), reverse=True)[:_MOST_LATELY]


def _lately_row(folder: Folder, line: Mapping[str, Any]) -> Result:
    memory_id = str(line.get("memory"))
    memory = folder.store.read(memory_id)
    text = "" if memory is None else mask(memory.text)[:_MOST_OF_A_LINE]
    return {"at": str(line.get("at")), "by": actor_of(line).value, "what": tell(line), "id": memory_id, "text": text}


def _of_record(record: VaultRecord) -> Result:
    """Return the latest version of a record as an act of its author."""
    did = "deleted" if not record.is_active else "added" if record.version == 1 else "changed"
    by, text = writer_of(record.source), mask(record.text)[:_MOST_OF_A_LINE]
    what = f"{WHO[by]} {did} this record of the vault"
    return {"at": format_time(record.written_at), "by": by.value, "what": what, "id": record.id, "text": text}
