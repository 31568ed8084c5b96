"""`stats`: how many memories of which kind there are, what waits for somebody, and how large the files are."""

from __future__ import annotations

import json
import sys
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..store.catalogue import PLACES, read_entries
from ..store.conflicts import ConflictFile
from ..store.database import Database
from ..store.docstore_file import read_documents
from ..store.files import file_stamp, files_below
from ..store.proposals import count_proposals
from ..store.requests import Inbox
from ..store.tables import find_state
from ..store.vault_file import VaultFile
from .declaring import DONE, Options, declare
from .options import FOLDER, JSON
from .output import Column, is_for_person, show_rows

_COUNTED = ("validity", "source", "utility", "relevance", "area")
_NOT_YET = "not classified yet"
_MEGABYTE = 1_000_000


def _run_stats(options: Options) -> int:
    found = read_stats(options.folder)
    if not is_for_person(options):
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        return DONE
    rows = [(name, kind, count) for name in _COUNTED for kind, count in found[name].items()]
    rows += [(name.replace("_", " "), "", value) for name, value in found.items() if name not in (*_COUNTED, "bytes")]
    rows += [("size on disk", "", f"{found['bytes'] / _MEGABYTE:,.1f} MB")]
    show_rows(options, [dict(zip(("what", "kind", "count"), row, strict=True)) for row in rows], _COLUMNS)
    return DONE


def read_stats(folder: Path) -> dict[str, Any]:
    """Return the counts of a folder as it is on disk."""
    rows = read_entries(*read_documents(folder))
    counts = {name: Counter(map(itemgetter(PLACES[name]), rows)) for name in _COUNTED}
    unresolved = ConflictFile(folder).get_conflicts(unresolved=True)
    state = find_state(folder)
    return {
        "memories": len(rows),
        **{name: {kind or _NOT_YET: one for kind, one in found.most_common()} for name, found in counts.items()},
        "conflicts": sum(not one.is_possible for one in unresolved),
        "possible_conflicts": sum(one.is_possible for one in unresolved),
        "proposals": count_proposals(Database(folder)),
        "waiting_requests": sum(one.answer is None for one in Inbox(folder).read()),
        "vault_records": len(VaultFile(folder).read().active),
        "turns": state.loop_count,
        "turns_since_maintenance": max(0, state.loop_count - state.maintained_at_loop),
        "bytes": sum(stamp[1] for path in files_below(folder) if (stamp := file_stamp(path))),
    }


_COLUMNS = (
    Column("what", lambda row: row["what"], "bold"),
    Column("", lambda row: row["kind"]),
    Column("", lambda row: f"{row['count']:,}" if isinstance(row["count"], int) else row["count"]),
)

COMMANDS = (declare("stats", _run_stats, FOLDER, JSON, examples=("memory-ledger stats",), only_looks=True),)
