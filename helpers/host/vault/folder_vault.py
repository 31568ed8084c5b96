"""The vault in a running host: its mirror in the host's docstore, and its snapshot in prompts."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import takewhile
from typing import Any

import numpy as np

from ...clock import format_time
from ...errors import Problem, shorten
from ...ledger.adopt import sealed
from ...ledger.lifecycle import to_metadata
from ...records import CLASSIFICATION_KEY, LINEAGE_KEY, QUALITY_KEY, Classification, Lineage, Memory
from ...setting_groups import Vault
from ...store.backup import deleting_for, terminal_command
from ...store.damage import ProblemKind
from ...store.docstore import Store
from ...store.order import change_lock
from ...store.query_vectors import remember_queries
from ...store.vault_file import VaultFile
from ...texts import counted
from ...vault.gate import find_secret
from ...vault.reading import VaultSnapshot, build_snapshot, find_fitting, parse_scopes
from ...vault.record import AREA, VaultContents, VaultRecord, axes_of, lineage_of
from .vault_store import VaultStore, Written

ID_KEY, VERSION_KEY, SCOPE_KEY, MARK_KEY = "vault_id", "vault_version", "vault_scope", "vault_mark"

_PLACE = ("area", ID_KEY, VERSION_KEY, SCOPE_KEY, MARK_KEY)
_AXES = ("validity", "relevance", "utility", "source")
_BY_VAULT = "vault"
#: A scope that no agent has, for deleted records whose documents are still there.
_NOBODYS = ""


@dataclass(slots=True)
class Differences:
    """The records to embed, to restate, and the ids to remove, so that the store agrees with the file."""

    embed: list[VaultRecord] = field(default_factory=list)
    restate: list[VaultRecord] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.embed or self.restate or self.remove)


def _plain(metadata: Mapping[str, Any], key: str) -> str | int | None:
    """Return a value of metadata if it is a text or a number, which can be compared safely; else None."""
    value = metadata.get(key)
    return value if type(value) in (str, int) else None


def _stated(metadata: Mapping[str, Any]) -> dict[str, str | int | None]:
    """Return the values of a document's metadata that the vault determines; None for values of another form."""
    lineage, axes = metadata.get(LINEAGE_KEY), metadata.get(CLASSIFICATION_KEY)
    parts = ((metadata, _PLACE), (axes, _AXES), (lineage, ("seal",)))
    return {name: _plain(part, name) if isinstance(part, dict) else None for part, names in parts for name in names}


class FAISSMemory:
    """The mirror of one vault file in one store, and its search; thread-safe, and blocking where it embeds."""

    def __init__(self, store: Store, file: VaultFile, memory_class: Any) -> None:
        self._store = store
        self._file = file
        self._memory_class = memory_class
        self._lock = threading.Lock()
        self._contents: VaultContents | None = None
        self._generation = -1
        #: The records to mirror by id, each with the values that its document's metadata has to have.
        self._expected: dict[str, tuple[VaultRecord, dict[str, str | int | None]]] = {}
        self._is_swept = False
        self._newest = ""

    def add(self, vault: VaultStore, text: str, scope: str, category: str, **fields: Any) -> Written:
        """Store a text in the vault, if the gate permits, and mirror it."""
        return self._mirrored(vault.add_memory(text, scope, category, **fields))

    def update(self, vault: VaultStore, memory_id: str, **fields: Any) -> Written:
        """Write the next version of a record."""
        return self._mirrored(vault.update_memory(memory_id, **fields))

    def delete(self, vault: VaultStore, memory_id: str) -> VaultRecord:
        """Write a tombstone."""
        tombstone = vault.delete_memory(memory_id)
        self.run()
        return tombstone

    def _mirrored(self, written: Written) -> Written:
        if written:
            self.run()
        return written

    def search(
        self, query: str, scopes: str | Collection[str], *, least: float, limit: int = 20, seconds: float | None = None
    ) -> dict[str, float]:
        """Return the cosines of the nearest records by id, without those below `least`; raises the model's errors."""
        wanted, db = parse_scopes(scopes), self._store.db
        embed = partial(db.embedding_function.embed_query, query)
        vector = np.asarray(embed() if seconds is None else remember_queries(db).ask(embed, seconds), dtype=np.float32)
        with self._store.lock:
            self._store.refresh_positions()
            eligible = np.zeros(len(self._store.index), dtype=np.bool_)
            for memory_id, scope in self._store.mirrored.items():
                place = self._store.index.position(memory_id)
                if place is not None and scope in wanted:
                    eligible[place] = True
            hits = self._store.index.search(vector, limit, eligible)
        cosines = ((memory_id, 2.0 * similarity - 1.0) for memory_id, similarity in hits)
        return {memory_id: cosine for memory_id, cosine in cosines if cosine >= least}

    def note(self) -> VaultContents:
        """Read the file, by one stat call if it has not changed, and set the mirrored memories of the store."""
        contents = self._file.read()
        if contents is not self._contents or contents.generation != self._generation:
            self._contents, self._generation = contents, contents.generation
            withheld: list[Problem] = []
            active = [record for record in contents.active if not self._is_taken(record, withheld)]
            shown = [record for record in active if not self._is_secret(record, withheld)]
            self._expected = {record.id: (record, self._expect(record)) for record in shown}
            self._store.problems.update((self._file.path, "withheld"), withheld, ProblemKind.VAULT)
            self._store.mirrored = {**self._left_over(contents), **{record.id: record.scope for record in active}}
            self._is_swept = False
        return contents

    def differences(self) -> Differences:
        """Return the differences of store and file; documents are compared only after a change of the file."""
        documents = self._store.db.get_all_docs()
        if self._has_come_back(documents):
            self._generation = -1
        contents = self.note()
        differences = Differences()
        for record, expected in self._expected.values():
            document = documents.get(record.id)
            if document is None or document.page_content != record.text:
                differences.embed.append(record)
            elif _stated(document.metadata) != expected:
                differences.restate.append(record)
        if not self._is_swept:
            differences.remove = self._find_removed(contents, dict(documents))
            self._is_swept = not differences.remove
        return differences

    def _has_come_back(self, documents: dict[str, Any]) -> bool:
        """Whether a new document belongs to a removed record, restored from a backup, say."""
        if next(reversed(documents), "") == self._newest:  # nothing has come since the last look
            return False
        ids = list(documents)
        new = list(takewhile(lambda memory_id: memory_id != self._newest, reversed(ids)))
        self._newest = ids[-1] if ids else ""
        new_documents = ((memory_id, documents.get(memory_id)) for memory_id in new if memory_id not in self._expected)
        return any(
            document is not None and self._is_own(memory_id, document.metadata) for memory_id, document in new_documents
        )

    def run(self, seconds: float | None = None) -> int:
        """Bring the store in step and return how many memories changed; blocking, for it embeds.

        Raises the embedder's errors, and EmbeddingError where it takes longer than `seconds`.
        """
        with self._lock:
            differences = self.differences()
            if not differences:
                self._is_swept = True
                return 0
            self._file.back_up()
            self._insert(differences.embed, seconds)
            for record in differences.restate:
                self._restate(record)
            self._remove(differences.remove)
            self._is_swept = True
            self._store.is_dirty = True
            return len(differences.embed) + len(differences.restate) + len(differences.remove)

    @property
    def generation(self) -> int:
        """The version of the file that `shown` belongs to."""
        return self._generation

    @property
    def shown(self) -> list[VaultRecord]:
        """The active records without secrets, as of the last look at the file."""
        return [record for record, _ in self._expected.values()]

    def presentable(self) -> list[VaultRecord]:
        """Return the records that `shown` would have after the next look at the file."""
        active = self._file.read().active
        return [record for record in active if not self._is_taken(record, []) and not self._is_secret(record, [])]

    def _expect(self, record: VaultRecord) -> dict[str, str | int | None]:
        metadata = self._metadata_of(record, axes_of(record), Lineage(created_at=record.created_at))
        return _stated(metadata)

    def _mark_of(self, record_id: str, scope: str) -> str:
        """Return the mark of a document that this folder's mirror wrote, made with the seal key."""
        text = f"vault\0{record_id}\0{scope}"
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._store.key, digest_size=12).hexdigest()

    def _is_own(self, memory_id: str, metadata: Mapping[str, Any]) -> bool:
        """Whether this folder's mirror wrote a document."""
        if _plain(metadata, ID_KEY) != memory_id:
            return False
        scope = metadata.get(SCOPE_KEY)
        return isinstance(scope, str) and _plain(metadata, MARK_KEY) == self._mark_of(memory_id, scope)

    def _left_over(self, contents: VaultContents) -> dict[str, str]:
        """Return the scopes of all documents of the mirror by id; removed records have the scope of nobody."""
        documents = dict(self._store.db.get_all_docs())
        own = (
            (memory_id, document.metadata)
            for memory_id, document in documents.items()
            if self._is_own(memory_id, document.metadata)
        )
        return {
            memory_id: _NOBODYS if self._is_gone(memory_id, contents) else metadata[SCOPE_KEY]
            for memory_id, metadata in own
        }

    def _is_gone(self, memory_id: str, contents: VaultContents) -> bool:
        """Whether a record without an active version was removed, not lost with a damaged file."""
        return memory_id in contents or (self._file.exists() and not contents.unreadable)

    def _is_secret(self, record: VaultRecord, withheld: list[Problem]) -> bool:
        """Whether a record written by hand holds a secret, which keeps it out of index and prompts."""
        secret = find_secret(record)
        if secret is not None:
            withheld.append(self._problem(record.id, f"withheld: {secret}", "a record without a secret"))
        return secret is not None

    def _is_taken(self, record: VaultRecord, withheld: list[Problem]) -> bool:
        """Whether a record written by hand has the id of another memory, which would be lost."""
        document = None if record.has_own_id else self._store.db.get_all_docs().get(record.id)
        is_taken = document is not None and not self._is_own(record.id, document.metadata)
        if is_taken:
            fault = "withheld: another memory has this id"
            withheld.append(self._problem(record.id, fault, "12 hexadecimal characters"))
        return is_taken

    def _problem(self, record_id: str, fault: str, allowed: str) -> Problem:
        """Return the problem of a record that is not shown, or whose memory is not removed."""
        return Problem(where=f"{self._file.path}: {record_id}", found=fault, allowed=allowed)

    def _find_removed(self, contents: VaultContents, documents: Mapping[str, Any]) -> list[str]:
        """Return the ids of documents to remove; documents of lost records stay, which is reported."""
        removed, kept = [], []
        for memory_id, document in documents.items():
            if memory_id in self._expected or not self._is_own(memory_id, document.metadata):
                continue
            if self._is_gone(memory_id, contents):
                removed.append(memory_id)
            else:
                fault = "not in the file, which is missing or damaged; its memory stays"
                kept.append(self._problem(memory_id, fault, "a whole file, which then decides"))
        self._store.problems.update((self._file.path, "left"), kept, ProblemKind.VAULT)
        return removed

    def _insert(self, records: list[VaultRecord], seconds: float | None) -> None:
        """Embed the records first, so that a failing model changes nothing; then replace their documents."""
        if not records:
            return
        db = self._store.db
        embed = partial(db.embedding_function.embed_documents, [record.text for record in records])
        vectors = embed() if seconds is None else remember_queries(db).ask(embed, seconds)
        with change_lock(self._memory_class):
            metadata = [self._metadata_of(record, axes_of(record), self._lineage_of(record)) for record in records]
            present = [record.id for record in records if record.id in db.get_all_docs()]
            if present:
                with deleting_for(self._store, _BY_VAULT):
                    db.delete(present)
            pairs = [(record.text, vector) for record, vector in zip(records, vectors, strict=True)]
            db.add_embeddings(pairs, metadatas=metadata, ids=[record.id for record in records])

    def _metadata_of(self, record: VaultRecord, axes: Classification, lineage: Lineage) -> dict[str, Any]:
        """Return the metadata of a record's document; the seal covers id, text and axes."""
        return {
            "id": record.id,
            "timestamp": format_time(record.touched_at),
            **self._place_of(record),
            **to_metadata(axes, sealed(self._store.key, record.id, record.text, axes, lineage)),
        }

    def _place_of(self, record: VaultRecord) -> dict[str, Any]:
        mark = self._mark_of(record.id, record.scope)
        return {"area": AREA, ID_KEY: record.id, VERSION_KEY: record.version, SCOPE_KEY: record.scope, MARK_KEY: mark}

    def _lineage_of(self, record: VaultRecord) -> Lineage:
        known = self._store.read(record.id)
        return lineage_of(record, None if known is None else known.lineage, cycle=self._store.state.recall_cycle)

    def _restate(self, record: VaultRecord) -> None:
        """Update status and version of a document with the right text; embeds nothing."""
        with change_lock(self._memory_class):
            document = self._store.db.get_all_docs().get(record.id)
            if document is None:
                return
            document.metadata.pop(QUALITY_KEY, None)
            document.metadata.update(self._place_of(record))
            axes, lineage, moment = axes_of(record), self._lineage_of(record), record.touched_at
            self._store.put(
                Memory(id=record.id, text=record.text, created_at=moment, classification=axes, lineage=lineage)
            )

    def _remove(self, memory_ids: list[str]) -> None:
        if memory_ids:
            with change_lock(self._memory_class), deleting_for(self._store, _BY_VAULT):
                present = [memory_id for memory_id in memory_ids if memory_id in self._store.db.get_all_docs()]
                if present:
                    self._store.db.delete(present)


class FolderVault:
    """One file and one mirror for all agents of a folder; each agent sees its own scopes."""

    def __init__(self, store: Store, memory_class: Any) -> None:
        self._store = store
        self._file = VaultFile(store.folder)
        self.mirror = FAISSMemory(store, self._file, memory_class)
        self.mirror.note()
        self._snapshots: dict[tuple[object, ...], VaultSnapshot] = {}
        self._looked_at: tuple[VaultContents, int] | None = None

    def open_for(self, settings: Vault, scopes: tuple[str, ...]) -> VaultStore:
        """Return the vault as an agent may write it: in its own scopes and the shared one."""
        own = settings.model_copy(update={"agents": ()})
        return VaultStore(self._store.folder, own, scopes=scopes, clock=self._store.clock, file=self._file)

    def open_for_person(self, settings: Vault, scopes: Iterable[str]) -> VaultStore:
        """Return the vault as a person at a terminal may write it: in every scope."""
        return VaultStore(self._store.folder, settings, scopes=scopes, clock=self._store.clock, file=self._file)

    def find(self, vault: VaultStore, query: str, scopes: tuple[str, ...], seconds: float) -> list[VaultRecord]:
        """Return the records that fit a query, canon first, by meaning and words, or by words if no model answers."""
        near = dict[str, float]()
        with suppress(Exception):  # whatever the model raises: the words answer
            near = self.mirror.search(query, scopes, least=vault.settings.similarity_threshold, seconds=seconds)
        return sorted(find_fitting(vault, scopes, query, near), key=lambda record: not record.is_canon)

    def preview(self, settings: Vault, scopes: tuple[str, ...]) -> VaultSnapshot:
        """Return the snapshot for the next prompt of an agent with these scopes."""
        visible = [record for record in self.mirror.presentable() if record.scope in scopes]
        return build_snapshot(visible, settings.snapshot_tokens)

    def records(self) -> tuple[VaultRecord, ...]:
        """Return the latest version of every record, tombstones too; blocking."""
        return self._file.read().latest

    def keep_mirror(self, seconds: float) -> None:
        """Bring the mirror in step; a failure is reported once, and the next prompt tries again."""
        about = (FolderVault.keep_mirror, self._file.path)
        problems = self._store.problems
        try:
            self.mirror.run(seconds)
        except Exception as exc:  # noqa: BLE001 - whatever the model raises
            if problems.note(about, "not mirrored"):
                fault = f"not found by its meaning in every part ({type(exc).__name__}: {shorten(str(exc))})"
                self._tell(str(self._file.path), fault, "an embedding model that answers; prompts show it all the same")
        else:
            problems.settle(about)

    def snapshot(self, settings: Vault, scopes: tuple[str, ...]) -> VaultSnapshot:
        """Return the snapshot for a prompt, as of the mirror's last look at the file; made anew only after a change.

        A snapshot over its cap is reported once.
        """
        generation = self.mirror.generation
        key = (scopes, settings.snapshot_tokens)
        made = (generation, *key)
        snapshot = self._snapshots.get(made)
        if snapshot is None:
            visible = [record for record in self.mirror.shown if record.scope in scopes]
            self._snapshots = {
                cache_key: cached for cache_key, cached in self._snapshots.items() if cache_key[0] == generation
            }
            snapshot = self._snapshots[made] = build_snapshot(visible, settings.snapshot_tokens)
            self._tell_over(key, snapshot, settings.snapshot_tokens)
        return snapshot

    def _tell_over(self, key: tuple[object, ...], snapshot: VaultSnapshot, most: int) -> None:
        for _ in self._store.problems.settle((FolderVault, *key), [True] * snapshot.is_over):
            self._tell(
                "the vault's snapshot",
                f"over its cap: canon alone has about {counted(snapshot.canon_tokens, 'token', 'tokens')}",
                f"vault.snapshot_tokens, {most}; canon is shown in full, without any register",
            )

    def _tell(self, place: str, fault: str, allowed: str) -> None:
        self._store.problems.tell(Problem(where=place, found=fault, allowed=allowed), ProblemKind.VAULT, is_news=True)

    def has_changed(self) -> bool:
        """Whether the file has changed since `look_for_lost`."""
        contents, known = self._file.read(), self._looked_at
        return known is None or known[0] is not contents or known[1] != contents.generation

    def look_for_lost(self) -> None:
        """Report, once, the records that only the backup of the vault holds; blocking."""
        contents = self._file.read()
        self._looked_at = contents, contents.generation
        lost = {record.id for record in self._file.lost()}
        if self._store.problems.settle((self._file.path, "lost"), lost):
            command = terminal_command("restore", self._store.folder)
            self._tell(
                str(self._file.path),
                f"without {counted(len(lost), 'record', 'records')} that its backup holds",
                f"what you took out yourself; this command brings them back:\n{command}",
            )
