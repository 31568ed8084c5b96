"""A note, its pieces, and what `notes_meta.json` says of the index beside it (V-04, V-06, V-09, V-11). Pure.

`config/faiss_schema.json` is written from here and from the settings, so that no second list of keys exists.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

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


def embedded_text(title: str, section_path: str, text: str) -> str:
    """Return what is embedded of a piece."""
    return "\n".join(one for one in (title, section_path, text) if one)


def digest_of(text: str) -> str:
    """Return by what an embedding of the same text is found again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Chunking(_Part):
    """How the notes were cut."""

    min_chars: int = Field(ge=0, description="characters below which a piece goes with its neighbour")
    max_chars: int = Field(ge=1, description="characters that no piece exceeds")


class NoteEntry(_Part):
    """One note: where it came from, and which rows of the index are its pieces."""

    title: str
    file: str = Field(description="its file, seen from the folder of the notes")
    stamp: tuple[int, int, int] = Field(description="time in nanoseconds, size and number of that file")
    first: int = Field(ge=0, description="row of its first piece")
    count: int = Field(ge=1, description="pieces")


class Chunk(_Part):
    """One piece of a note, in the order of the rows; it begins on `start_line` of the note's file."""

    digest: str = Field(description="SHA-256 of what was embedded")
    section_title: str
    section_path: str
    start_line: int = Field(ge=1)
    text: str

    def embedded_text(self, title: str) -> str:
        """Return what is embedded: a piece from the middle of a section says where it stands as well."""
        return embedded_text(title, self.section_path, self.text)


class Skipped(_Part):
    """A file that is no readable note, with what was found in it."""

    file: str
    stamp: tuple[int, int, int] | None
    found: str
    allowed: str


class NotesMeta(_Part):
    """The file itself."""

    format: Literal[1] = Field(description="form of this file")
    model: str = Field(description="embedding model; the index is rebuilt for another one")
    dimension: int = Field(ge=0, description="length of a vector; 0 without any")
    index_type: Literal["IndexFlatIP"] = Field(description="inner products of unit vectors, which are cosines")
    is_normalized: Literal[True] = Field(description="every vector has the length 1")
    index_sha256: str = Field(description="digest of `notes_index.faiss`: both files are of one build")
    built_at: str = Field(description="ISO 8601")
    chunking: Chunking
    notes: dict[str, NoteEntry] = Field(description="by id")
    chunks: list[Chunk]
    skipped: list[Skipped]

    def has_all_rows(self) -> bool:
        """Whether the notes name every row once, in order."""
        ends = 0
        for note in self.notes.values():
            if note.first != ends:
                return False
            ends += note.count
        return ends == len(self.chunks)


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A piece of a note and its cosine to what was asked."""

    note_id: str
    title: str
    chunk: Chunk
    similarity: float
