"""`restore` and `erase`: a memory is brought back from the backup, or made to be gone for good."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..clock import format_time, system_clock
from ..errors import StoreError
from ..host.backup.backup_file import BackupFile, Contents
from ..host.backup.erase import OUTSIDE, left_in
from ..host.backup.mentions import Trace
from ..host.backup.orders import Action, Order, OrderFile
from ..host.backup.rows import deleted_row, id_digest
from ..host.backup.versions import Versions, find_versions
from ..host.docstore.docstore_file import check_index, read_docstore
from ..host.docstore.imports import KnowledgeImports
from ..texts import counted
from .lines import DONE

#: On whose behalf a person takes what is missing for deleted.
_BY_PERSON = "person"


def add_commands(commands: Any) -> None:
    """Add the commands to the parser's subcommands."""
    restore = commands.add_parser("restore", help="bring back what the backup holds and the store has lost")
    restore.add_argument("folder", type=Path, metavar="FOLDER", help="a memory folder, such as usr/memory/default")
    restore.add_argument("--dry-run", action="store_true", help="list what would come back, and do nothing")
    restore.add_argument("--id", nargs="+", default=[], metavar="ID", help="only these, also if they were deleted")
    restore.add_argument("--deleted", action="store_true", help="list the deleted memories that can be brought back")
    restore.add_argument("--dismiss", action="store_true", help="take what is missing for deleted")
    restore.add_argument(
        "--set-aside", action="store_true", help="move an index that cannot be loaded out of the way first"
    )
    restore.set_defaults(run=_run_restore)

    erase = commands.add_parser("erase", help="make a memory gone for good, from every file that is kept of it")
    erase.add_argument("folder", type=Path, metavar="FOLDER", help="a memory folder, such as usr/memory/default")
    erase.add_argument("id", metavar="ID", help="the memory, also one that was deleted before")
    erase.add_argument("--dry-run", action="store_true", help="say where it is, and do nothing")
    erase.set_defaults(run=_run_erase)


def _run_restore(options: argparse.Namespace) -> int:
    folder: Path = options.folder
    file = BackupFile(folder)
    contents = file.read()
    if contents is None:
        raise StoreError(f"{file.path} is missing; allowed: a memory folder with a backup")
    if contents.unreadable:
        _say(f"{file.path}: {counted(contents.unreadable, 'damaged line', 'damaged lines')} left out")
    if options.deleted:
        return _list_deleted(file, contents)
    present = _read_present(options)
    missing = _missing(folder, contents, present)
    ids = list(dict.fromkeys(options.id))
    unknown = [one for one in ids if one not in present and one not in contents.places]
    if unknown:
        erased = " (erased)" if any(id_digest(one) in contents.erased for one in unknown) else ""
        raise StoreError(f"{file.path}: no memory {', '.join(unknown)}{erased}; allowed: one that the backup holds")
    wanted = [one for one in ids if one not in present] if ids else missing
    if options.dismiss:
        return _dismiss(options, file, wanted)
    if options.dry_run:
        _list(file, contents, wanted)
        _say(f"{_memories(len(wanted))} would be brought back")
    else:
        _order(folder, Order(at=system_clock(), action=Action.RESTORE, ids=tuple(ids)), len(wanted))
    _say_outcomes(folder)
    return DONE


def _run_erase(options: argparse.Namespace) -> int:
    """Say which files hold a memory, and order that it be erased; when that was done, say what is left of it."""
    folder: Path = options.folder
    if not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; allowed: a memory folder, such as usr/memory/default")
    orders = OrderFile(folder)
    memory = _find_versions(folder, options.id)
    found = left_in(folder, Trace(memory.ids, memory.texts))
    is_waiting = any(options.id in one.ids for one in orders.read()[0] if one.action is Action.ERASE)
    if not found:
        _say(f"{options.id}: no file of {folder} holds it; {OUTSIDE}")
    elif is_waiting:
        _say(f"{options.id}: waits for the host's next turn; now in {', '.join(found)}")
    else:
        if not options.dry_run:
            orders.append(Order(at=system_clock(), action=Action.ERASE, ids=(options.id,)))
        done = "would" if options.dry_run else "will"
        _say(f"{options.id}: {done} be erased at the host's next turn; now in {', '.join(found)}")
        if len(memory.ids) > 1:
            _say(f"with its earlier versions and copies {', '.join(memory.ids[1:])}")
    _say_outcomes(folder)
    return DONE


def _find_versions(folder: Path, memory_id: str) -> Versions:
    """Return a memory with all that goes with it, as far as store, backup and vault know that."""
    documents: dict[str, Any] = {}
    with contextlib.suppress(StoreError):  # without a store that can be read the files are looked through all the same
        documents = read_docstore(folder)[2]
    return find_versions(folder, documents, [memory_id])


def _read_present(options: argparse.Namespace) -> dict[str, Any]:
    """Return what the host saved last; nothing where it has no index, or where that was set aside."""
    folder: Path = options.folder
    index = [folder / name for name in ("index.faiss", "index.pkl", "index.faiss.sha256")]
    try:
        if not (folder / "index.pkl").exists() and not (folder / "index.faiss").exists():
            return {}
        present = read_docstore(folder)[2]
        check_index(folder)
        return present
    except StoreError as exc:
        if not options.set_aside:
            raise StoreError(
                f"{exc}. If Agent Zero cannot load it either, stop Agent Zero and run this again with --set-aside: the "
                "index is moved into a folder beside it, Agent Zero begins an empty one, and everything comes back"
            ) from exc
        if not options.dry_run:
            _set_aside([path for path in index if path.exists()], folder)
        return {}


def _set_aside(index: Iterable[Path], folder: Path) -> None:
    target = folder / f"damaged-{system_clock():%Y%m%d-%H%M%S-%f}"
    target.mkdir()
    for path in index:
        path.replace(target / path.name)
    _say(f"the index was moved to {target}")


def _missing(folder: Path, contents: Contents, present: dict[str, Any]) -> list[str]:
    imports = KnowledgeImports(folder)
    imports.refresh()
    return [one for one in contents.missing(present) if one not in contents.knowledge or imports.lists(one)]


def _list(file: BackupFile, contents: Contents, ids: Iterable[str]) -> None:
    for one in file.take(contents, ids):
        print(json.dumps({"id": one.id, "text": one.text}, ensure_ascii=False))


def _list_deleted(file: BackupFile, contents: Contents) -> int:
    ids = [one for one in contents.deleted if one in contents.places]
    for one in file.take(contents, ids):
        deleted = contents.deleted[one.id]
        row = {"id": one.id, "text": one.text, "deleted_at": format_time(deleted.at), "by": deleted.by}
        print(json.dumps(row, ensure_ascii=False))
    _say(f"{_memories(len(ids))} deleted; `--id ID` brings one back")
    return DONE


def _dismiss(options: argparse.Namespace, file: BackupFile, ids: list[str]) -> int:
    if not options.dry_run:
        now = system_clock()
        file.append(deleted_row(one, at=now, by=_BY_PERSON) for one in ids)
    done = "would be" if options.dry_run else "are"
    _say(f"{_memories(len(ids))} {done} taken for deleted; `--id ID` still brings one back")
    return DONE


def _order(folder: Path, order: Order, count: int) -> None:
    OrderFile(folder).append(order)
    _say(f"{_memories(count)} will be brought back at the host's next turn")


def _say_outcomes(folder: Path) -> None:
    """Say what became of earlier orders, the latest of each kind."""
    for one in {outcome.action: outcome for outcome in OrderFile(folder).read()[1]}.values():
        _say(f"last {one.action.value}, {format_time(one.at)}: {one.words}")


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def _say(line: str) -> None:
    print(line, file=sys.stderr)
