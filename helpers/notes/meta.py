"""What `notes_meta.json` says of the index beside it, checked when it is read (V-09, V-11). Pure.

`config/faiss_schema.json` is written from here and from the settings, so that no second list of keys exists.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


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


class ChunkEntry(_Part):
    """One piece, in the order of the rows."""

    digest: str = Field(description="SHA-256 of what was embedded")
    section_title: str
    section_path: str
    start_line: int = Field(ge=1)
    text: str


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
    chunks: list[ChunkEntry]
    skipped: list[Skipped]

    def has_all_rows(self) -> bool:
        """Whether the notes name every row once, in order."""
        ends = 0
        for one in self.notes.values():
            if one.first != ends:
                return False
            ends += one.count
        return ends == len(self.chunks)
