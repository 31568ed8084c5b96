"""The vault in a running host: its mirror in the host's docstore, and its snapshot in prompts."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from ...clock import format_time
from ...errors import Problem, shorten
from ...ledger.adopt import sealed
from ...ledger.lifecycle import to_metadata
from ...records import CLASSIFICATION_KEY, LINEAGE_KEY, Lineage
from ...setting_groups import Vault
from ...store.backup import deleting_for, terminal_command
from ...store.damage import ProblemKind
from ...store.docstore import Store
from ...store.order import change_lock
from ...store.query_vectors import remember_queries
from ...store.vault_file import VaultFile
from ...texts import counted
from ...vault.gate import find_secret
from ...vault.reading import VaultSnapshot, build_snapshot, parse_scopes
from ...vault.record import AREA, VaultContents, VaultRecord, axes_of, lineage_of
from .vault_store import VaultStore, Written

ID_KEY, VERSION_KEY, SCOPE_KEY, MARK_KEY = "vault_id", "vault_version", "vault_scope", "vault_mark"

_PLACE = ("area", ID_KEY, VERSION_KEY, SCOPE_KEY, MARK_KEY)
_AXES = ("validity", "relevance", "utility", "source")
#: A scope that no agent has, for deleted records whose documents are still there.
_NOBODYS = ""


class Differences(NamedTuple):
    """The records to embed, and the ids to remove, so that the store agrees with the file."""

    embed: list[VaultRecord]
    remove: list[str]

    def __bool__(self) -> bool:
        return bool(self.embed or self.remove)


def _stated(metadata: Mapping[str, Any]) -> dict[str, str | int | None]:
    """Return the values of a document's metadata that the vault determines; None for values of another form."""
    lineage, axes = metadata.get(LINEAGE_KEY), metadata.get(CLASSIFICATION_KEY)
    parts = ((metadata, _PLACE), (axes, _AXES), (lineage, ("seal",)))
    stated = {name: part.get(name) if isinstance(part, dict) else None for part, names in parts for name in names}
    return {name: value if type(value) in (str, int) else None for name, value in stated.items()}


class FAISSMemory:
    """The vault of a folder, mirrored in its store, for all agents; thread-safe, and blocking where it embeds.

    Each agent sees its own scopes.
    """

    def __init__(self, store: Store, file: VaultFile, memory_class: Any) -> None:
        self._store = store
        self._file = file
        self._memory_class = memory_class
        self._lock = threading.Lock()
        #: The state of file and documents at the last look.
        self._seen: tuple[object, ...] = ()
        #: The records to mirror by id, each with the values that its document's metadata has to have.
        self._expected: dict[str, tuple[VaultRecord, dict[str, str | int | None]]] = {}
        self._scopes: dict[str, str] = {}
        self._removed: list[str] = []
        self._checked_for_losses: tuple[VaultContents, int] | None = None
        self.look()

    def add(self, vault: VaultStore, text: str, scope: str, category: str, **fields: Any) -> Written:
        """Store a text in the vault, if the gate permits, and mirror it."""
        written = vault.add_memory(text, scope, category, **fields)
        self.run()
        return written

    def update(self, vault: VaultStore, memory_id: str, **fields: Any) -> Written:
        """Write the next version of a record."""
        written = vault.update_memory(memory_id, **fields)
        self.run()
        return written

    def delete(self, vault: VaultStore, memory_id: str) -> VaultRecord:
        """Write a tombstone."""
        tombstone = vault.delete_memory(memory_id)
        self.run()
        return tombstone

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

    def look(self) -> None:
        """Read the file and the documents if either has changed, and set the mirrored memories of the store."""
        contents, documents = self._file.read(), self._store.db.get_all_docs()
        seen = (contents, contents.generation, len(documents), next(reversed(documents), ""))
        if seen[:2] != self._seen[:2]:
            self._take(contents)
        if seen != self._seen:
            self._sweep(contents, dict(documents))
            self._seen = seen

    def _take(self, contents: VaultContents) -> None:
        """Take over the records of the file; one with a secret, or with the id of another memory, is withheld."""
        taken = [record.id for record in contents.active if self._is_taken(record)]
        mirrored = [record for record in contents.active if record.id not in taken]
        secrets = {record.id: secret for record in mirrored if (secret := find_secret(record)) is not None}
        self._scopes = {record.id: record.scope for record in mirrored}
        self._expected = {record.id: (record, self._expect(record)) for record in mirrored if record.id not in secrets}
        fault, allowed = "withheld: another memory has this id", "12 hexadecimal characters"
        withheld = [self._problem(memory_id, fault, allowed) for memory_id in taken]
        for memory_id, secret in secrets.items():
            withheld.append(self._problem(memory_id, f"withheld: {secret}", "a record without a secret"))
        self._store.problems.update((self._file.path, "withheld"), withheld, ProblemKind.VAULT)

    def _is_taken(self, record: VaultRecord) -> bool:
        """Whether a record written by hand has the id of another memory, which would be lost."""
        document = None if record.has_own_id else self._store.db.get_all_docs().get(record.id)
        return document is not None and not self._is_own(record.id, document.metadata)

    def _sweep(self, contents: VaultContents, documents: dict[str, Any]) -> None:
        """Find the documents of the mirror that the file does not ask for."""
        left = {
            memory_id: document.metadata[SCOPE_KEY]
            for memory_id, document in documents.items()
            if memory_id not in self._expected and self._is_own(memory_id, document.metadata)
        }
        # A record without an active version was removed, unless it was lost with a damaged file.
        is_whole = self._file.exists() and not contents.unreadable
        removed = [memory_id for memory_id in left if is_whole or memory_id in contents]
        fault, allowed = "not in the file, which is missing or damaged; its memory stays", "a whole file, which decides"
        kept = [self._problem(memory_id, fault, allowed) for memory_id in left if memory_id not in removed]
        self._store.problems.update((self._file.path, "left"), kept, ProblemKind.VAULT)
        self._store.mirrored = left | dict.fromkeys(removed, _NOBODYS) | self._scopes
        self._removed = removed

    def differences(self) -> Differences:
        """Return the differences of store and file."""
        self.look()
        documents = self._store.db.get_all_docs()
        pairs = [(documents.get(record.id), record, expected) for record, expected in self._expected.values()]
        return Differences(
            [
                record
                for document, record, expected in pairs
                if document is None or document.page_content != record.text or _stated(document.metadata) != expected
            ],
            self._removed,
        )

    def run(self, seconds: float | None = None) -> int:
        """Bring the store in step and return how many memories changed; blocking, for it embeds.

        Raises the embedder's errors, and EmbeddingError where it takes longer than `seconds`.
        """
        with self._lock:
            differences = self.differences()
            if not differences:
                return 0
            self._file.keep_all()
            self._remove(differences.remove)  # first: a model that does not answer holds up no removal
            self._insert(differences.embed, seconds)
            self._store.is_dirty = True
            return len(differences.embed) + len(differences.remove)

    def shown(self) -> list[VaultRecord]:
        """Return the active records without secrets."""
        self.look()
        return [record for record, _ in self._expected.values()]

    def _expect(self, record: VaultRecord) -> dict[str, str | int | None]:
        return _stated(self._metadata_of(record, Lineage(created_at=record.created_at)))

    def _mark_of(self, record_id: str, scope: str) -> str:
        """Return the mark of a document that this folder's mirror wrote, made with the seal key."""
        text = f"vault\0{record_id}\0{scope}"
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._store.key, digest_size=12).hexdigest()

    def _is_own(self, memory_id: str, metadata: Mapping[str, Any]) -> bool:
        """Whether this folder's mirror wrote a document."""
        scope, mark = metadata.get(SCOPE_KEY), metadata.get(MARK_KEY)
        is_named = isinstance(stated := metadata.get(ID_KEY), str) and stated == memory_id
        return is_named and isinstance(scope, str) and isinstance(mark, str) and mark == self._mark_of(memory_id, scope)

    def _problem(self, record_id: str, fault: str, allowed: str) -> Problem:
        """Return the problem of a record that is not shown, or whose memory is not removed."""
        return Problem(where=f"{self._file.path}: {record_id}", found=fault, allowed=allowed)

    def _insert(self, records: list[VaultRecord], seconds: float | None) -> None:
        """Embed the records first, so that a failing model changes nothing; then replace their documents."""
        if not records:
            return
        db = self._store.db
        embed = partial(db.embedding_function.embed_documents, [record.text for record in records])
        vectors = embed() if seconds is None else remember_queries(db).ask(embed, seconds)
        with change_lock(self._memory_class):
            metadata = [self._metadata_of(record, self._lineage_of(record)) for record in records]
            self._remove([record.id for record in records])
            pairs = [(record.text, vector) for record, vector in zip(records, vectors, strict=True)]
            db.add_embeddings(pairs, metadatas=metadata, ids=[record.id for record in records])

    def _metadata_of(self, record: VaultRecord, lineage: Lineage) -> dict[str, Any]:
        """Return the metadata of a record's document; the seal covers id, text and axes."""
        axes = axes_of(record)
        return {
            "id": record.id,
            "timestamp": format_time(record.touched_at),
            "area": AREA,
            ID_KEY: record.id,
            VERSION_KEY: record.version,
            SCOPE_KEY: record.scope,
            MARK_KEY: self._mark_of(record.id, record.scope),
            **to_metadata(axes, sealed(self._store.key, record.id, record.text, axes, lineage)),
        }

    def _lineage_of(self, record: VaultRecord) -> Lineage:
        known = self._store.read(record.id)
        return lineage_of(record, None if known is None else known.lineage, cycle=self._store.state.recall_cycle)

    def _remove(self, memory_ids: list[str]) -> None:
        with change_lock(self._memory_class), deleting_for(self._store, "vault"):
            present = [memory_id for memory_id in memory_ids if memory_id in self._store.db.get_all_docs()]
            if present:
                self._store.db.delete(present)

    def open_for(self, settings: Vault, scopes: Iterable[str], *, is_agent: bool = True) -> VaultStore:
        """Return the vault for an agent, which writes in its own scopes and the shared one, or for a person."""
        settings = settings.model_copy(update={"agents": ()}) if is_agent else settings
        return VaultStore(self._store.folder, settings, scopes=scopes, clock=self._store.clock, file=self._file)

    def find(self, vault: VaultStore, query: str, scopes: tuple[str, ...], seconds: float) -> list[VaultRecord]:
        """Return the records that fit a query, canon first, by meaning and words, or by words if no model answers."""
        near = dict[str, float]()
        with suppress(Exception):  # whatever the model raises: the words answer
            near = self.search(query, scopes, least=vault.settings.similarity_threshold, seconds=seconds)
        return sorted(vault.find_fitting(scopes, query, near), key=lambda record: not record.is_canon)

    def records(self) -> tuple[VaultRecord, ...]:
        """Return the latest version of every record, tombstones too; blocking."""
        return self._file.read().latest

    def keep_mirror(self, seconds: float) -> None:
        """Bring the mirror in step; a failure is reported once, and the next prompt tries again."""
        about, problems = (FAISSMemory.keep_mirror, self._file.path), self._store.problems
        try:
            self.run(seconds)
        except Exception as exc:  # noqa: BLE001 - whatever the model raises
            if problems.note(about, "not mirrored"):
                fault = f"not found by its meaning in every part ({type(exc).__name__}: {shorten(str(exc))})"
                self._tell(str(self._file.path), fault, "an embedding model that answers; prompts show it all the same")
        else:
            problems.settle(about)

    def snapshot(self, settings: Vault, scopes: tuple[str, ...]) -> VaultSnapshot:
        """Return the snapshot for a prompt; one over its cap is reported once."""
        visible = [record for record in self.shown() if record.scope in scopes]
        snapshot = build_snapshot(visible, settings.snapshot_tokens)
        about = (FAISSMemory.snapshot, scopes, settings.snapshot_tokens)
        for _ in self._store.problems.settle(about, [True] * snapshot.is_over):
            self._tell(
                "the vault's snapshot",
                f"over its cap: canon alone has about {counted(snapshot.canon_tokens, 'token', 'tokens')}",
                f"vault.snapshot_tokens, {settings.snapshot_tokens}; canon is shown in full, without any register",
            )
        return snapshot

    def _tell(self, place: str, fault: str, allowed: str) -> None:
        self._store.problems.tell(Problem(where=place, found=fault, allowed=allowed), ProblemKind.VAULT, is_news=True)

    def look_for_lost(self) -> None:
        """Report, once, the records that only `ledger.db` holds; blocking after a change of the file."""
        contents = self._file.read()
        if self._checked_for_losses == (contents, contents.generation):
            return
        self._checked_for_losses = contents, contents.generation
        lost = {record.id for record in self._file.lost()}
        if self._store.problems.settle((self._file.path, "lost"), lost):
            command = terminal_command("restore", self._store.folder)
            self._tell(
                str(self._file.path),
                f"without {counted(len(lost), 'record', 'records')} that ledger.db holds",
                f"what you took out yourself; this command brings them back:\n{command}",
            )
