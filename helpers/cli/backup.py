"""`restore`, `repair` and `erase`: bring memories back from the backup, embed them anew, or delete them for good."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ..clock import EPOCH, format_time, system_clock
from ..errors import StoreError, shorten
from ..host.checks import BackupGap, find_gap
from ..inbox import Arguments, BringBack, Erase, Repair
from ..records import Memory, parse_memory
from ..store.backup_file import BackupFile, Contents, deleted_row, id_digest
from ..store.docstore_file import (
    DOCSTORE_FILE,
    SAVED_FILES,
    count_vectors,
    find_disagreement,
    is_of_host,
    new_folder_aside,
    read_docstore,
)
from ..store.erase import OUTSIDE, Trace, left_in
from ..store.requests import Inbox
from ..store.vault_file import VaultFile
from ..store.versions import find_versions
from ..texts import count_memories, counted
from ..vault.record import VaultRecord
from .declaring import DONE, PROBLEMS, Options
from .looking import complete, find_id
from .options import NEXT_TURN, checked, order, waiting_requests, when
from .output import ID, TEXT, Column, note, show_rows

#: The actor of a deletion that `restore --dismiss` records.
_BY_PERSON = "person"


def _run_restore(options: Options) -> int:
    """Bring back memories by a request to the host, and the vault's records at once, as their file needs no host."""
    folder: Path = options.folder
    file, vault = BackupFile(folder), VaultFile(folder)
    contents = file.read()
    if contents is None and not vault.kept().latest:
        raise StoreError(
            f"{file.path} is missing, so nothing can come back and nothing was changed; allowed: a folder with a backup"
        )
    known = contents or Contents()
    if known.unreadable:
        note(f"{file.path}: {counted(known.unreadable, 'damaged line', 'damaged lines')} left out")
        for fault in known.faults:
            note(f"{file.path}, {fault}")
    if options.deleted:
        return _list_deleted(options, file, known)
    gap = find_gap(folder, known, _read_present(options))
    named = {*gap.present, *known.lines, *(record.id for record in gap.lost_records)}
    ids, lost = gap.choose([complete(prefix, named) for prefix in options.id])
    _refuse_unknown(file, known, [memory_id for memory_id in ids if memory_id not in named])
    wanted = [memory_id for memory_id in ids if memory_id not in gap.present]
    if options.dismiss:
        return _dismiss(options, file, wanted, vault, lost)
    if lost:
        _restore_vault(options, vault, lost)
    _say_replaced(options, gap, wanted)
    status = DONE
    if options.dry_run:
        taken = known.take(wanted)
        show_rows(options, ({"id": memory.id, "text": memory.text} for memory in taken), (ID, TEXT))
    if options.dry_run or (contents is not None and (wanted or not lost)):
        sentence = f"{count_memories(len(wanted))} {{}} be brought back"
        status = order(options, BringBack(memories=tuple(ids) if options.id else ()), sentence, say=note)
    _say_outcomes(folder, BringBack, Erase)
    return status


def _run_repair(options: Options) -> int:
    """Print where vectors and texts disagree, as last saved; the host, which has the model, repairs them."""
    folder: Path = options.folder
    backup = BackupFile(folder).read()
    try:
        positions, documents = read_docstore(folder)
        disagreement = find_disagreement(positions, documents, count_vectors(folder))
    except StoreError as exc:
        raise (exc if backup is None else _to_set_aside(folder, exc)) from exc
    backup = backup or Contents()
    kept = {*backup.missing(documents)}
    texts = (
        {"id": memory_id, "lacks": "vector", "text": documents[memory_id].page_content}
        for memory_id in disagreement.without_vector
    )
    vectors = (
        {"id": memory_id, "lacks": "text", "in_backup": memory_id in kept} for memory_id in disagreement.without_text
    )
    show_rows(options, chain(texts, vectors), (ID, Column("lacks", "lacks"), TEXT))
    unread = counted(len(disagreement.without_vector), "text lacks", "texts lack")
    unnamed = counted(len(disagreement.without_text), "vector lacks", "vectors lack")
    note(f"{unread} a vector of their own; {unnamed} a text, {disagreement.without_id} an id")
    if kept.intersection(disagreement.without_text):
        note(f"`memory-ledger restore --folder {folder}` also brings back the texts that the backup has")
    status = DONE
    if is_of_host(folder) and is_repair_ordered(folder):
        note(f"a repair waits for {NEXT_TURN.removeprefix('at ')}")
    elif not options.dry_run:
        after = f"{when(folder)}, which looks whether the other vectors fit their texts as well"
        status = order(options, Repair(), "it {} be repaired", after=after, say=note)
    _say_outcomes(folder, Repair)
    return status


def is_repair_ordered(folder: Path) -> bool:
    """Whether a repair of a folder waits for Agent Zero's next turn."""
    return any(isinstance(request.asked, Repair) for request in waiting_requests(folder))


def _refuse_unknown(file: BackupFile, contents: Contents, unknown: list[str]) -> None:
    if unknown:
        erased = " (erased)" if any(id_digest(memory_id) in contents.erased for memory_id in unknown) else ""
        raise StoreError(f"{file.path}: no memory {', '.join(unknown)}{erased}; allowed: one that the backup holds")


def _restore_vault(options: Options, vault: VaultFile, lost: list[VaultRecord]) -> None:
    if options.dry_run:
        kinds = (record.tier.value if record.is_active else "deleted" for record in lost)
        rows = ({"id": record.id, "text": record.text, "vault": kind} for record, kind in zip(lost, kinds, strict=True))
        show_rows(options, rows, (ID, Column("vault", "vault"), TEXT))
    else:
        vault.restore(lost)
    records = counted(len(lost), "record", "records")
    note(f"{records} of the vault {'would be ' if options.dry_run else ''}brought back")


def _run_erase(options: Options) -> int:
    """Print the files that hold memories, and request their erasure; a person at a terminal confirms it."""
    folder = checked(options.folder)
    documents = _read_documents(folder)
    ids = tuple(dict.fromkeys(_find_erasable(folder, documents, prefix) for prefix in options.id))
    memory, names = find_versions(folder, documents, [*ids]), ", ".join(ids)
    files = left_in(folder, Trace(memory.ids, memory.texts))
    orders = [request.asked for request in waiting_requests(folder)]
    status, asked = DONE, f"{names}: {'; '.join(map(shorten, memory.texts))}\nThis cannot be undone. Erase?"
    if not files:
        note(f"{names}: no file of {folder} holds it; {OUTSIDE}")
    elif is_of_host(folder) and any(isinstance(waiting, Erase) and {*ids} <= {*waiting.memories} for waiting in orders):
        note(f"{names}: waits for {NEXT_TURN.removeprefix('at ')}; now in {', '.join(files)}")
    elif options.yes or options.dry_run or not sys.stdin.isatty() or click.confirm(asked, err=True):
        after = f"{when(folder)}; now in {', '.join(files)}"
        status = order(options, Erase(memories=ids), f"{names}: {{}} be erased", after=after, say=note)
        if others := [memory_id for memory_id in memory.ids if memory_id not in ids]:
            note(f"with its earlier versions and copies {', '.join(others)}")
    else:
        return PROBLEMS
    _say_outcomes(folder, BringBack, Erase)
    return status


def _find_erasable(folder: Path, documents: Mapping[str, Any], asked: str) -> str:
    """Return the id in the store or its backup that begins with `asked`; raises StoreError if there is none.

    The id of an erased memory, or of one that only another file holds, is returned unchanged.
    """
    contents = BackupFile(folder).read() or Contents()
    known = [*documents, *contents.lines]
    if asked in known or id_digest(asked) in contents.erased:
        return asked
    if not any(memory_id.startswith(asked) for memory_id in known) and left_in(folder, Trace((asked,))):
        return asked
    return find_id(folder, dict.fromkeys(known), asked)


def _read_documents(folder: Path) -> Mapping[str, Any]:
    """Return the documents that the host last saved; say why, and return none, where they cannot be read."""
    try:
        return read_docstore(folder)[1] if (folder / DOCSTORE_FILE).exists() else {}
    except StoreError as exc:  # the files are looked through all the same
        note(str(exc))
        return {}


def _read_present(options: Options) -> dict[str, Any]:
    """Return the documents that the host last saved; none where the index is missing or was set aside."""
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
    """Return an error that tells how to set aside an index that cannot be loaded and has a backup."""
    command = shlex.join(["memory-ledger", "restore", "--set-aside", "--folder", str(folder)])
    return StoreError(
        f"{exc}. If Agent Zero cannot load it either, stop Agent Zero and run `{command}`: the index is moved into a "
        "folder beside it, Agent Zero begins an empty one, and everything comes back"
    )


def _set_aside(index: Iterable[Path], folder: Path) -> None:
    target = new_folder_aside(folder, system_clock())
    for path in index:
        path.replace(target / path.name)
    note(f"the index was moved to {target}")


def _say_replaced(options: Options, gap: BackupGap, ids: Sequence[str]) -> None:
    """Print which memories replaced those that come back, and how to bring both into use."""

    def read(memory_id: str) -> Memory | None:
        document = gap.present.get(memory_id)
        return document and parse_memory(memory_id, document.page_content, document.metadata, inserted_at=EPOCH)[0]

    for memory_id, heir in gap.find_heirs(ids, read).items():
        note(f"{memory_id} was replaced by {heir.id}, which stays in use: {shorten(heir.text)}")
        undo = shlex.join(["memory-ledger", "undo", memory_id, "--folder", str(options.folder)])
        note(f"{memory_id} comes back as a retired memory; `{undo}` then brings it back into use")


def _list_deleted(options: Options, file: BackupFile, contents: Contents) -> int:
    ids = contents.gone(())
    rows = []
    for memory in contents.take(ids):
        deletion = contents.deleted[memory.id]
        row = {"id": memory.id, "text": memory.text, "deleted_at": format_time(deletion.at)}
        rows.append({**row, "by": deletion.by, "replaced_by": deletion.replaced_by})
    show_rows(options, rows, (ID, TEXT, Column("deleted", lambda row: f"{row['deleted_at'][:10]}, by {row['by']}")))
    note(f"{count_memories(len(ids))} deleted; `--id ID` brings one back")
    return DONE


def _dismiss(options: Options, file: BackupFile, ids: list[str], vault: VaultFile, lost: list[VaultRecord]) -> int:
    if not options.dry_run:
        now = system_clock()
        file.append(deleted_row(memory_id, at=now, by=_BY_PERSON) for memory_id in ids)
        vault.forget([record.id for record in lost])
    done = "would be" if options.dry_run else "are"
    note(f"{count_memories(len(ids))} {done} taken for deleted; `--id ID` still brings one back")
    if lost:
        note(f"{counted(len(lost), 'record', 'records')} of the vault {done} forgotten")
    return DONE


def _say_outcomes(folder: Path, *kinds: type[Arguments]) -> None:
    """Print the outcome of the latest request of each of `kinds`; a store that stands alone has printed it already."""
    if not is_of_host(folder):
        return
    answers = [(request.kind, request.answer) for request in Inbox(folder).read() if request.answer is not None]
    latest = dict(sorted(answers, key=lambda answer: answer[1].at))
    for kind in sorted({arguments.kind for arguments in kinds} & latest.keys()):
        note(f"last {kind}, {format_time(latest[kind].at)}: {latest[kind].words}")
