"""Carry out what was ordered at a terminal, in the running host: bring back memories, erase or repair (T-64).

The answer is written after the host has saved: a crash in between repeats an order, and repeating one changes nothing.
"""

from __future__ import annotations

from ...inbox import BringBack, Erase, InboxAnswer, InboxRequest, Repair
from .backup import BackupWriter
from .erase import Forget, erase
from .repair import Tell, repair, repaired_words
from .restore import restore, restored_words
from .versions import Versions, find_versions

#: What may take long, and is done in a thread of its own.
KINDS = (BringBack, Erase, Repair)


class OrderHandler:
    """Carries out the orders of one memory folder."""

    def __init__(self, backup: BackupWriter, forget: Forget) -> None:
        self._backup = backup
        self._forget = forget
        self._tell: Tell = lambda done, total: None
        backup.store.requests.handlers |= {BringBack: self._restore, Erase: self._erase, Repair: self._repair}

    def carry_out(self, tell: Tell) -> list[InboxAnswer]:
        """Do what was ordered and not done yet, one after the other; what fails waits for the next look."""
        self._tell = tell
        self._forget_what_was_erased_elsewhere()
        return self._backup.store.requests.run(*KINDS)

    def is_due(self) -> bool:
        """Whether there is something to do; no file is looked at."""
        return bool(self._backup.elsewhere.texts or self._backup.store.requests.due(*KINDS))

    def _forget_what_was_erased_elsewhere(self) -> None:
        """Erase it here as well: what this host has said of it since, in its files and in what it remembers."""
        texts = self._backup.elsewhere.texts
        while found := dict(texts):
            erase(self._backup, Versions(tuple(found), tuple(found.values())), self._forget)
            for one in found:
                del texts[one]

    def _restore(self, asked: BringBack, _: InboxRequest) -> list[str]:
        done = restore(self._backup, asked.memories, self._tell)
        return [restored_words(done), *(f"{one}: {why}" for one, why in done.failed.items())]

    def _repair(self, asked: Repair, _: InboxRequest) -> list[str]:
        done = repair(self._backup, self._tell)
        return [repaired_words(done), *(f"{one}: {why}" for one, why in done.failed.items())]

    def _erase(self, asked: Erase, request: InboxRequest) -> list[str]:
        """Erase memories with all that goes with them, which is on record first: what a kill leaves is known still."""
        store = self._backup.store
        found = find_versions(store.folder, dict(store.db.get_all_docs()), asked.memories, asked.also)
        also = tuple(memory_id for memory_id in found.ids if memory_id not in asked.memories)
        if also != asked.also:
            store.requests.inbox.widen(request, asked.model_copy(update={"also": also}))
        return [erase(self._backup, found, self._forget).words()]
