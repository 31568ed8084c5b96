"""The vault of one memory folder in a running host: its records, their mirror, and what a prompt shows of them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ...errors import Problem, shorten
from ...setting_groups import Vault
from ...texts import counted
from ...vault.contents import VaultContents
from ...vault.injector import VaultSnapshot, build_snapshot, find_fitting
from ...vault.record import VaultRecord
from ..backup.backup import terminal_command
from ..docstore.store import Store
from ..storage.problem_log import ProblemKind
from ..storage.vault_file import VaultFile
from .faiss_memory import FAISSMemory
from .vault_store import VaultStore


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
        """Return the store as an agent writes it: in its own scopes and the shared one, in no other (V-52)."""
        own = settings.model_copy(update={"agents": ()})
        return VaultStore(self._store.folder, own, scopes=scopes, clock=self._store.clock, file=self._file)

    def open_for_person(self, settings: Vault, scopes: Iterable[str]) -> VaultStore:
        """Return the store as a terminal has it: every scope is open to who sits there."""
        return VaultStore(self._store.folder, settings, scopes=scopes, clock=self._store.clock, file=self._file)

    def find(self, vault: VaultStore, query: str, scopes: tuple[str, ...], seconds: float) -> list[VaultRecord]:
        """Return what fits a query, canon first, by meaning and by words; by words alone if no model answers."""
        near = dict[str, float]()
        with suppress(Exception):  # whatever the model raises: the words answer
            near = self.mirror.search(query, scopes, least=vault.settings.similarity_threshold, seconds=seconds)
        return sorted(find_fitting(vault, scopes, query, near), key=lambda record: not record.is_canon)

    def preview(self, settings: Vault, scopes: tuple[str, ...]) -> VaultSnapshot:
        """Return what would stand in the next prompt of who sees these scopes."""
        seen = [record for record in self.mirror.presentable() if record.scope in scopes]
        return build_snapshot(seen, settings.snapshot_tokens)

    def records(self) -> tuple[VaultRecord, ...]:
        """Return the latest version of every record, tombstones too; blocking."""
        return self._file.read().latest

    def keep_mirror(self, seconds: float) -> None:
        """Bring the mirror in step, which the next prompt tries again where it fails: the file holds what was written.

        That is told once, and takes nothing from the prompt (V-10).
        """
        about = (FolderVault.keep_mirror, self._file.path)
        problems = self._store.problems
        try:
            self.mirror.run(seconds)
        except Exception as exc:  # noqa: BLE001 - whatever the model raises
            if problems.note(about, "not mirrored"):
                found = f"not found by its meaning in every part ({type(exc).__name__}: {shorten(str(exc))})"
                self._tell(str(self._file.path), found, "an embedding model that answers; prompts show it all the same")
        else:
            problems.settle(about)

    def snapshot(self, settings: Vault, scopes: tuple[str, ...]) -> VaultSnapshot:
        """Return what always stands in a prompt, as the mirror last looked at the file (V-61, T-21).

        It is made anew only after a change; over the cap is told once.
        """
        generation = self.mirror.generation
        key = (scopes, settings.snapshot_tokens)
        made = (generation, *key)
        found = self._snapshots.get(made)
        if found is None:
            seen = [one for one in self.mirror.shown if one.scope in scopes]
            self._snapshots = {one: kept for one, kept in self._snapshots.items() if one[0] == generation}
            found = self._snapshots[made] = build_snapshot(seen, settings.snapshot_tokens)
            self._tell_over(key, found, settings.snapshot_tokens)
        return found

    def _tell_over(self, key: tuple[object, ...], found: VaultSnapshot, most: int) -> None:
        for _ in self._store.problems.settle((FolderVault, *key), [True] * found.is_over):
            self._tell(
                "the vault's snapshot",
                f"over its cap: canon alone has about {counted(found.canon_tokens, 'token', 'tokens')}",
                f"vault.snapshot_tokens, {most}; canon is shown in full, without any register",
            )

    def _tell(self, where: str, found: str, allowed: str) -> None:
        self._store.problems.tell(Problem(where=where, found=found, allowed=allowed), ProblemKind.VAULT, is_news=True)

    def has_changed(self) -> bool:
        """Whether the file has changed since `look_for_lost`."""
        contents, known = self._file.read(), self._looked_at
        return known is None or known[0] is not contents or known[1] != contents.generation

    def look_for_lost(self) -> None:
        """Name what only the backup of the vault still says, once; blocking."""
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
