"""A note, and a piece of one (V-04, V-06). Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ..errors import MemoryLedgerError


class NoteError(MemoryLedgerError):
    """A note cannot be read: what was found, and what is allowed."""

    def __init__(self, found: str, allowed: str) -> None:
        super().__init__(f"{found}; allowed: {allowed}")
        self.found = found
        self.allowed = allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The text of one note; `first_line` is the line of its file on which the text begins, counted from 1."""

    id: str
    title: str
    text: str
    first_line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Piece `index` of `total` of a note; it begins on `start_line` of the note's file."""

    note_id: str
    title: str
    section_title: str
    section_path: str
    text: str
    start_line: int
    index: int
    total: int

    @property
    def embedded_text(self) -> str:
        """What is embedded: a piece from the middle of a section says where it stands as well."""
        return embedded_text(self.title, self.section_path, self.text)

    @property
    def digest(self) -> str:
        """By which an embedding of the same text is found again."""
        return hashlib.sha256(self.embedded_text.encode("utf-8", "surrogatepass")).hexdigest()


def embedded_text(title: str, section_path: str, text: str) -> str:
    """Return what is embedded of a piece."""
    return "\n".join(one for one in (title, section_path, text) if one)
