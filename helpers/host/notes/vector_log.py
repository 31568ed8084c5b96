"""The vectors of a build that is under way, so that one that is stopped or killed embeds nothing twice (V-11).

One line says of which model they are, then each record holds the digest of a text, its vector and a check sum. A record
that a kill has torn, and what stands after it, does not count.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from ..storage.damage import open_to_read

Vectors = npt.NDArray[np.float32]

_DIGEST_BYTES = 32
_SUM_BYTES = 4
_LONGEST_HEAD = 4_096


class VectorLog:
    """The vectors of one model, in a file that exists only between the first embedding and the finished index."""

    def __init__(self, path: Path, model: str) -> None:
        self.path = path
        self._model = model

    def read(self, dimension: int | None) -> dict[str, Vectors]:
        """Return what was embedded by the same model, by digest; with `dimension` only vectors of that length."""
        try:
            with open_to_read(self.path) as stream:
                found = self._read_head(stream)
                if found is None or dimension not in (None, found):
                    return {}
                return dict(_read_records(stream, found))
        except OSError:
            return {}

    def _read_head(self, stream: IO[bytes]) -> int | None:
        try:
            head = json.loads(stream.readline(_LONGEST_HEAD))
            model, dimension = head["model"], head["dimension"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        return dimension if model == self._model and isinstance(dimension, int) and dimension > 0 else None

    def append(self, records: Iterable[tuple[str, Vectors]], dimension: int) -> None:
        """Add vectors of one length; a file of another model, or of other vectors, is begun anew."""
        size = self._good_size(dimension)
        with self.path.open("r+b" if size else "wb") as stream:
            if not size:
                head = {"model": self._model, "dimension": dimension}
                stream.write(json.dumps(head).encode() + b"\n")
            else:
                stream.truncate(size)
                stream.seek(0, os.SEEK_END)
            stream.write(b"".join(_to_record(*one) for one in records))

    def _good_size(self, dimension: int) -> int:
        """Return up to where the file can be gone on with; 0 where it has to be begun anew."""
        try:
            with open_to_read(self.path) as stream:
                if self._read_head(stream) != dimension:
                    return 0
                begin = stream.tell()
                length = _record_length(dimension)
                return begin + (os.fstat(stream.fileno()).st_size - begin) // length * length
        except OSError:
            return 0

    def remove(self) -> None:
        """Forget it: the index holds everything."""
        self.path.unlink(missing_ok=True)


def _record_length(dimension: int) -> int:
    return _DIGEST_BYTES + dimension * np.dtype(np.float32).itemsize + _SUM_BYTES


def _to_record(digest: str, vector: Vectors) -> bytes:
    data = bytes.fromhex(digest) + vector.astype("<f4").tobytes()
    return data + zlib.crc32(data).to_bytes(_SUM_BYTES, "little")


def _read_records(stream: IO[bytes], dimension: int) -> Iterator[tuple[str, Vectors]]:
    length = _record_length(dimension)
    while len(record := stream.read(length)) == length:
        data = record[:-_SUM_BYTES]
        if zlib.crc32(data).to_bytes(_SUM_BYTES, "little") != record[-_SUM_BYTES:]:
            return
        yield data[:_DIGEST_BYTES].hex(), np.frombuffer(data[_DIGEST_BYTES:], dtype="<f4").astype(np.float32)
