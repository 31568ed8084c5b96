"""`restore`, `repair` and `erase`: a memory comes back from the backup, gets its vector back, or is deleted."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from ..clock import EPOCH, format_time, system_clock
from ..errors import StoreError, shorten
from ..inbox import Arguments, BringBack, Erase, Repair
from ..records import Memory, parse_memory
from ..store.backup_file import BackupFile, Contents, deleted_row, id_digest
from ..store.consistency import find_disagreement
from ..store.docstore_file import (
    DOCSTORE_FILE,
    SAVED_FILES,
    KnowledgeImports,
    count_vectors,
    is_of_host,
    new_folder_aside,
    read_docstore,
)
from ..store.erase import OUTSIDE, Trace, left_in
from ..store.requests import Inbox
from ..store.restore import find_heir
from ..store.vault_file import VaultFile
from ..store.versions import find_versions
from ..texts import counted
from ..vault.record import VaultRecord
from .declaring import DONE, PROBLEMS, Argument, Options, declare, flag
from .looking import complete, find_id
from .options import DRY_RUN, FOLDER, JSON, NEXT_TURN, checked, order, when
from .output import ID, TEXT, Column, show_rows

#: On whose behalf a person takes what is missing for deleted.
_BY_PERSON = "person"


def _run_restore(options: Options) -> int:
    """Bring back memories by an order to the running host, and the vault's records at once: its file needs no host."""
    folder: Path = options.folder
    file, vault = BackupFile(folder), VaultFile(folder)
    contents = file.read()
    if contents is None and not vault.backup.path.exists():
        raise StoreError(
            f"{file.path} is missing, so nothing can come back and nothing was changed; allowed: a folder with a backup"
        )
    known = contents or Contents()
    if known.unreadable:
        _say(f"{file.path}: {counted(known.unreadable, 'damaged line', 'damaged lines')} left out")
        for fault in known.faults:
            _say(f"{file.path}, {fault}")
    if options.deleted:
        return _list_deleted(options, file, known)
    present = _read_present(options)
    lost = [vault_record for vault_record in vault.lost() if id_digest(vault_record.id) not in known.erased]
    missing = _missing(folder, known, {**present, **dict.fromkeys(vault_record.id for vault_record in lost)})
    named = {*present, *known.places, *(vault_record.id for vault_record in lost)}
    ids = list(dict.fromkeys(complete(one, named) for one in options.id))
    if ids:
        lost = [vault_record for vault_record in lost if vault_record.id in ids]
        ids = [memory_id for memory_id in ids if memory_id not in {record.id for record in lost}]
        _refuse_unknown(file, known, [one for one in ids if one not in present and one not in known.places])
    wanted = [memory_id for memory_id in ids if memory_id not in present] if options.id else missing
    if options.dismiss:
        return _dismiss(options, file, wanted, vault, lost)
    if lost:
        _restore_vault(options, vault, lost)
    _say_replaced(options, known, wanted, present)
    status = DONE
    if options.dry_run:
        taken = file.take(known, wanted) if wanted else ()
        show_rows(options, ({"id": one.id, "text": one.text} for one in taken), (ID, TEXT))
    if options.dry_run or (contents is not None and (wanted or not lost)):
        what = f"{_memories(len(wanted))} {{}} be brought back"
        status = order(options, BringBack(memories=tuple(ids)), what, say=_say)
    _say_outcomes(folder, BringBack, Erase)
    return status


def _run_repair(options: Options) -> int:
    """Name where vectors and texts disagree, as saved last; the running host, which has the model, mends it."""
    folder: Path = options.folder
    backup = BackupFile(folder).read()
    try:
        positions, documents = read_docstore(folder)
        found = find_disagreement(positions, documents, count_vectors(folder))
    except StoreError as exc:
        raise (exc if backup is None else _to_set_aside(folder, exc)) from exc
    backup = backup or Contents()
    kept = {*backup.missing(documents)}
    texts = ({"id": one, "lacks": "vector", "text": documents[one].page_content} for one in found.without_vector)
    vectors = ({"id": one, "lacks": "text", "in_backup": one in kept} for one in found.without_text)
    show_rows(options, chain(texts, vectors), (ID, Column("lacks", itemgetter("lacks")), TEXT))
    unread = counted(len(found.without_vector), "text lacks", "texts lack")
    unnamed = counted(len(found.without_text), "vector lacks", "vectors lack")
    _say(f"{unread} a vector of their own; {unnamed} a text, {found.without_id} an id")
    if kept.intersection(found.without_text):
        _say(f"`memory-ledger restore --folder {folder}` also brings back the texts that the backup has")
    status = DONE
    if is_of_host(folder) and is_repair_ordered(folder):
        _say(f"a repair waits for {NEXT_TURN.removeprefix('at ')}")
    elif not options.dry_run:
        after = f"{when(folder)}, which looks whether the other vectors fit their texts as well"
        status = order(options, Repair(), "it {} be repaired", after=after, say=_say)
    _say_outcomes(folder, Repair)
    return status


def is_repair_ordered(folder: Path) -> bool:
    """Whether a repair of a folder waits for Agent Zero's next turn."""
    return any(isinstance(one.asked, Repair) for one in Inbox(folder).read() if one.answer is None)


def _refuse_unknown(file: BackupFile, contents: Contents, unknown: list[str]) -> None:
    if unknown:
        erased = " (erased)" if any(id_digest(one) in contents.erased for one in unknown) else ""
        raise StoreError(f"{file.path}: no memory {', '.join(unknown)}{erased}; allowed: one that the backup holds")


def _restore_vault(options: Options, vault: VaultFile, lost: list[VaultRecord]) -> None:
    if options.dry_run:
        kinds = (record.tier.value if record.is_active else "deleted" for record in lost)
        rows = ({"id": one.id, "text": one.text, "vault": kind} for one, kind in zip(lost, kinds, strict=True))
        show_rows(options, rows, (ID, Column("vault", itemgetter("vault")), TEXT))
    else:
        vault.restore(lost)
    done = "would be" if options.dry_run else "were"
    _say(f"{counted(len(lost), 'record', 'records')} of the vault {done} brought back")


def _run_erase(options: Options) -> int:
    """Say which files hold memories, and order that they be erased; a person at a terminal is asked before."""
    folder = checked(options.folder)
    documents = _read_documents(folder)
    ids = tuple(dict.fromkeys(_find_erasable(folder, documents, one) for one in options.id))
    memory, names = find_versions(folder, documents, [*ids]), ", ".join(ids)
    found = left_in(folder, Trace(memory.ids, memory.texts))
    orders = [one.asked for one in Inbox(folder).read() if one.answer is None]
    status, asked = DONE, f"{names}: {'; '.join(map(shorten, memory.texts))}\nThis cannot be undone. Erase?"
    if not found:
        _say(f"{names}: no file of {folder} holds it; {OUTSIDE}")
    elif is_of_host(folder) and any(isinstance(one, Erase) and {*ids} <= {*one.memories} for one in orders):
        _say(f"{names}: waits for {NEXT_TURN.removeprefix('at ')}; now in {', '.join(found)}")
    elif options.yes or options.dry_run or not sys.stdin.isatty() or click.confirm(asked, err=True):
        after = f"{when(folder)}; now in {', '.join(found)}"
        status = order(options, Erase(memories=ids), f"{names}: {{}} be erased", after=after, say=_say)
        if others := [one for one in memory.ids if one not in ids]:
            _say(f"with its earlier versions and copies {', '.join(others)}")
    else:
        return PROBLEMS
    _say_outcomes(folder, BringBack, Erase)
    return status


def _find_erasable(folder: Path, documents: Mapping[str, Any], asked: str) -> str:
    """Return the id that `asked` is, or begins, in the store or its backup; raises StoreError where nothing has it.

    What was erased before, or is in a file alone, is taken as it is.
    """
    contents = BackupFile(folder).read() or Contents()
    known = [*documents, *contents.places]
    if asked in known or id_digest(asked) in contents.erased:
        return asked
    if not any(one.startswith(asked) for one in known) and left_in(folder, Trace((asked,))):
        return asked
    return find_id(folder, dict.fromkeys(known), asked)


def _read_documents(folder: Path) -> Mapping[str, Any]:
    """Return what the host saved last; nothing, and why, where that cannot be read."""
    try:
        return read_docstore(folder)[1] if (folder / DOCSTORE_FILE).exists() else {}
    except StoreError as exc:  # the files are looked through all the same
        _say(str(exc))
        return {}


def _read_present(options: Options) -> dict[str, Any]:
    """Return what the host saved last; nothing where it has no index, or where that was set aside."""
    folder: Path = options.folder
    index = [folder / name for name in SAVED_FILES]
    try:
        if not any(path.exists() for path in index):
            return {}
        present = read_docstore(folder)[1]
        count_vectors(folder)
        return present
    except StoreError as exc:
        if not options.set_aside:
            raise _to_set_aside(folder, exc) from exc
        if not options.dry_run:
            _set_aside([path for path in index if path.exists()], folder)
        return {}


def _to_set_aside(folder: Path, exc: StoreError) -> StoreError:
    """Return what to do about an index that cannot be loaded and has a backup."""
    command = shlex.join(["memory-ledger", "restore", "--set-aside", "--folder", str(folder)])
    return StoreError(
        f"{exc}. If Agent Zero cannot load it either, stop Agent Zero and run `{command}`: the index is moved into a "
        "folder beside it, Agent Zero begins an empty one, and everything comes back"
    )


def _set_aside(index: Iterable[Path], folder: Path) -> None:
    target = new_folder_aside(folder, system_clock())
    for path in index:
        path.replace(target / path.name)
    _say(f"the index was moved to {target}")


def _missing(folder: Path, contents: Contents, present: dict[str, Any]) -> list[str]:
    imports = KnowledgeImports(folder)
    imports.refresh()
    return [one for one in contents.missing(present) if one not in contents.knowledge or imports.lists(one)]


def _say_replaced(options: Options, contents: Contents, ids: Iterable[str], present: Mapping[str, Any]) -> None:
    """Say of what the agent had replaced what stands for it, which goes on to hold, and how both can."""

    def read(memory_id: str) -> Memory | None:
        found = present.get(memory_id)
        return found and parse_memory(memory_id, found.page_content, found.metadata, inserted_at=EPOCH)[0]

    for one in ids:
        heir = find_heir(contents, one, read)
        if heir is not None and not heir.is_deprecated:
            undo = shlex.join(["memory-ledger", "undo", one, "--folder", str(options.folder)])
            _say(f"{one} was replaced by {heir.id}, which stays in use: {shorten(heir.text)}")
            _say(f"{one} comes back as a retired memory; `{undo}` then brings it back into use")


def _list_deleted(options: Options, file: BackupFile, contents: Contents) -> int:
    ids = [one for one in contents.deleted if one in contents.places]
    rows = (
        {"id": one.id, "text": one.text, "deleted_at": at, "by": was.by, "replaced_by": was.replaced_by}
        for one in (file.take(contents, ids) if ids else ())
        for was, at in ((contents.deleted[one.id], format_time(contents.deleted[one.id].at)),)
    )
    show_rows(options, rows, (ID, TEXT, Column("deleted", lambda row: f"{row['deleted_at'][:10]}, by {row['by']}")))
    _say(f"{_memories(len(ids))} deleted; `--id ID` brings one back")
    return DONE


def _dismiss(options: Options, file: BackupFile, ids: list[str], vault: VaultFile, lost: list[VaultRecord]) -> int:
    if not options.dry_run:
        now = system_clock()
        file.append(deleted_row(memory_id, at=now, by=_BY_PERSON) for memory_id in ids)
        gone = {record.id for record in lost}
        vault.backup.drop(lambda line, row: isinstance(row, dict) and row.get("id") in gone)
    done = "would be" if options.dry_run else "are"
    _say(f"{_memories(len(ids))} {done} taken for deleted; `--id ID` still brings one back")
    if lost:
        _say(f"{counted(len(lost), 'record', 'records')} of the vault {done} forgotten")
    return DONE


def _say_outcomes(folder: Path, *kinds: type[Arguments]) -> None:
    """Say what became of earlier orders, the latest of each of `kinds`; a store that stands alone has said it."""
    if not is_of_host(folder):
        return
    answers = [(one.kind, one.answer) for one in Inbox(folder).read() if one.answer is not None]
    latest = dict(sorted(answers, key=lambda answer: answer[1].at))
    for kind in sorted({one.kind for one in kinds} & latest.keys()):
        _say(f"last {kind}, {format_time(latest[kind].at)}: {latest[kind].words}")


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def _say(line: str) -> None:
    print(line, file=sys.stderr)


_MEMORY = Argument("id", nargs=-1, required=True, help="memories, or how their ids begin; deleted ones too")
_YES = flag("--yes", "do not ask at a terminal")

COMMANDS = (
    declare(
        "restore",
        _run_restore,
        click.Option(["--id"], multiple=True, metavar="ID", help="only this, even if it was deleted; can be repeated"),
        flag("--deleted", "list the deleted memories that can be restored"),
        flag("--dismiss", "mark what is missing as deleted"),
        flag("--set-aside", "move an index that cannot be loaded out of the way first"),
        FOLDER,
        JSON,
        DRY_RUN,
        examples=("memory-ledger restore --dry-run", "memory-ledger restore --id MEMORY"),
    ),
    declare("repair", _run_repair, FOLDER, JSON, DRY_RUN, examples=("memory-ledger repair --dry-run",)),
    declare("erase", _run_erase, _MEMORY, FOLDER, _YES, DRY_RUN, examples=("memory-ledger erase MEMORY --dry-run",)),
)
