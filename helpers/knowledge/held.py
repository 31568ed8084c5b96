"""What a run of filing has in its hands: the entries on their way, and what there is to tell of it. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from .confidence import Place
from .documents import Block, EntryChange
from .entries import Entry


@dataclass(slots=True)
class FileReport:
    """What was done to one file (M-35)."""

    added: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    changes: list[EntryChange] = field(default_factory=list)


@dataclass(slots=True)
class Filing:
    """What a run makes of the files: new texts by name, and what there is to tell."""

    texts: dict[str, str] = field(default_factory=dict)
    reports: dict[str, FileReport] = field(default_factory=dict)
    #: Patterns that contradict an entry (M-61), and what is at odds with governance (M-55).
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
