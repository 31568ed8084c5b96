"""What a run has in its hands: the entries on their way, and what there is to tell of it. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from .categories import Category, file_of
from .confidence import Place
from .documents import Block, EntryChange
from .entries import Entry

#: The file that governance concerns are told under: what is known to go wrong.
ERRORS = file_of(Category.ERROR_PREVENTION, Place.ACTIVE)


@dataclass(slots=True)
class FileReport:
    """What was done to one file (M-35)."""

    added: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    changes: list[EntryChange] = field(default_factory=list)


@dataclass(slots=True)
class RunReport:
    """What a run did (M-35, M-36); of a dry run what it would have done."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    #: Messages that belong to no chain, and chains that have not ended.
    stray: int = 0
    unfinished: int = 0
    #: Logs that are gone, replaced or unreadable.
    notices: list[str] = field(default_factory=list)
    #: The first and the last day of the window in which new patterns are looked for, and whether anything ended in it.
    days: tuple[str, str] = ("", "")
    has_window: bool = False
    #: The governance files that were there to be read (M-54).
    consulted: tuple[str, ...] = ()
    #: New texts of all files by name, the summaries too, and what stood there before.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: What was done to which file, and what is flagged there: conflicts (M-61) and governance concerns (M-55).
    reports: dict[str, FileReport] = field(default_factory=dict)
    flagged: dict[str, list[str]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    concerns: list[str] = field(default_factory=list)
    #: What could not be read or may not be written.
    problems: list[str] = field(default_factory=list)
    patterns: int = 0

    def tell(self, name: str, change: EntryChange) -> None:
        """Note a change of an entry for the log of the file with this name (M-47)."""
        report = self.reports.setdefault(name, FileReport())
        report.changes.append(change)
        if change.action == "ADDED":
            report.added.append(change.entry_id)
        elif change.action == "REVISED":
            report.revised.append(change.entry_id)

    def flag_conflict(self, name: str, told: str) -> None:
        """Note that transactions contradict an entry of this file (M-61, M-70)."""
        self.conflicts.append(told)
        self.flagged.setdefault(name, []).append(told)

    def flag_concern(self, told: str) -> None:
        """Note what is at odds with governance (M-55, M-70)."""
        self.concerns.append(f"Governance concern: {told}")
        self.flagged.setdefault(ERRORS, []).append(self.concerns[-1])


@dataclass(slots=True)
class Held:
    """An entry on its way through a run: where it was found, and where it will stand."""

    block: Block
    entry: Entry
    found_in: str
    place: Place
    is_new: bool = False
    #: The text that was found.
    original: str = ""
    #: The governance file that forbids what the entry recommends; empty if none does (M-55).
    forbidden_by: str = ""
    #: Whether what it rests on is enough for advice; what a person wrote always is.
    is_ripe: bool = True


def digest_of(text: str) -> str:
    """Return what tells whether somebody has changed an entry; how its lines are spaced and end is not its text."""
    words = " ".join(text.split())
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
