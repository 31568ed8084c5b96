"""A file of JSON Lines that is stored line by line, and can be gone on with after a stop, a kill, or when it has grown.

How far it is stored stands nowhere but with the memories themselves: each one names its line, so it is saved together
with that line or not at all, and no kill comes between the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...records import Source

MARK_KEY = "ingested"

_DIGEST_BYTES = 8
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """What an operator says: a text, where it comes from and when it was stated (aware, UTC), as far as known."""

    text: str
    source: Source | None = None
    stated_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineMark:
    """Line `number` (from 1) of one file.

    `file` names the content of the whole file, wherever it lies; `through` names the path and all up to this line,
    which stays the same while the file grows.
    """

    file: str
    number: int
    through: str

    def to_metadata(self) -> dict[str, Any]:
        """Return what is stored with the memory."""
        return {"file": self.file, "line": self.number, "through": self.through}

    def memory_id(self) -> str:
        """Return the id of the memory: the same line of the same file has the same one in every store."""
        return blake2b(f"{self.file}\0{self.number}".encode(), digest_size=_DIGEST_BYTES).hexdigest()


class LineFile:
    """The lines of one file, read as a whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        data = path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
        self._lines = [line.rstrip(b"\r") for line in data.removesuffix(b"\n").split(b"\n")] if data else []
        self._digest = blake2b(b"\n".join(self._lines), digest_size=_DIGEST_BYTES).hexdigest()

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[tuple[LineMark, bytes]]:
        through = blake2b(f"{self._path.resolve()}\0".encode("utf-8", "surrogateescape"), digest_size=_DIGEST_BYTES)
        for number, line in enumerate(self._lines, start=1):
            through.update(line + b"\n")
            yield LineMark(file=self._digest, number=number, through=through.hexdigest()), line

    def stored_count(self, marks: list[Mapping[str, Any]]) -> int:
        """Return the number of the last line that is stored, given what the stored memories name; 0 if none is."""
        known = {mark.get("through") for mark in marks}
        last = max((mark.number for mark, _ in self if mark.through in known), default=0)
        same = (mark.get("line") for mark in marks if mark.get("file") == self._digest)
        return max([last, *(line for line in same if isinstance(line, int))])
