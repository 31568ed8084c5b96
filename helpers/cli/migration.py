"""`migrate`: what the pack makes of a store that others, or an older version of it, have written (Q-06)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..clock import EPOCH, system_clock
from ..ledger.adopt import describe_adoption
from ..records import parse_memory
from ..store.docstore_file import is_of_host, read_docstore
from ..store.files import read_key
from ..store.tables import Sealing, find_state
from ..texts import counted
from .declaring import DONE, Options, declare
from .lines import read_folder_settings
from .options import WRITING
from .progress import progress, watched


def run_migrate(options: Options) -> int:
    """Say what changes; in a store that stands alone, do it. Agent Zero does it in its own folders, unasked."""
    folder: Path = options.folder
    changes = _describe(folder)
    for memory_id, lines in changes.items():
        for line in lines or ():
            print(f"{memory_id}: {line}")
    count = Counter("as" if lines is None else "upgraded" if lines else "sealed" for lines in changes.values())
    is_waiting = is_of_host(folder)
    if not is_waiting and not options.dry_run and count["as"] < len(changes):
        from ..host.adoption.ingest import open_ingest

        settings, embedder = read_folder_settings(folder, options.config), options.load()
        with (
            progress("upgrading") as advance,
            open_ingest(folder, embedder, settings, clock=system_clock, tell_read=advance),
        ):
            pass
    will = "would be" if options.dry_run else "will be" if is_waiting else "were"
    when = " at Agent Zero's next turn there" if is_waiting and count["as"] < len(changes) else ""
    memories = counted(len(changes), "memory", "memories")
    print(f"{memories}: {count['upgraded']} {will} upgraded, {count['sealed']} only sealed{when}; the rest stay")
    return DONE


def _describe(folder: Path) -> dict[str, list[str] | None]:
    """Return what an adoption changes in each memory, in their order; None where nothing."""
    documents = read_docstore(folder)[1]
    key = read_key(folder)
    sealing = Sealing(find_state(folder), has_key=key is not None, now=system_clock())
    sealing.note_sweep(list(documents), documents)
    found: dict[str, list[str] | None] = {}
    for memory_id, one in watched(documents.items(), "reading the memories", len(documents)):
        memory, _ = parse_memory(memory_id, one.page_content, one.metadata, inserted_at=EPOCH)
        honours = sealing.honours(memory_id)
        found[memory_id] = describe_adoption(memory, one.metadata, key or b"", honours_unsealed=honours)
    return found


COMMANDS = (declare("migrate", run_migrate, *WRITING, examples=("memory-ledger migrate --dry-run",)),)
