"""The streams of a command: UTF-8 in a pipe, and on a terminal nothing that it would obey or hide."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ..texts import printable

#: The control characters that do no harm on a terminal.
LAID_OUT = "\n\r\t"


class _Guarded(io.TextIOWrapper):
    """A terminal that escapes the control characters of a text; `plain` is the terminal itself, for styles."""

    def __init__(self, plain: io.TextIOWrapper) -> None:
        super().__init__(plain.buffer, encoding=plain.encoding, errors="backslashreplace", line_buffering=True)
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped."""
        return super().write(printable(text, keep=LAID_OUT))


def tell(message: object) -> None:
    """Print a message about the work on standard error; the answers go to standard output."""
    print(f"memory-ledger: {printable(str(message), keep=LAID_OUT)}", file=sys.stderr, flush=True)


@contextmanager
def settled_streams() -> Iterator[None]:
    """Write UTF-8 into pipes and files, whatever the locale is; a terminal keeps its own encoding."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_settle, before)
    try:
        yield
    finally:
        for stream, old in zip((sys.stdout, sys.stderr), before, strict=True):
            _end(stream)
            if isinstance(stream, _Guarded):
                stream.detach()
            elif stream is not old:  # click has put another one there
                _end(old)
        sys.stdout, sys.stderr = before


def _settle(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if stream.isatty():
        return _Guarded(stream)
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def _end(stream: TextIO) -> None:
    """Flush a stream; where the pipe is closed, discard the rest, so that Python does not complain at its exit."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream behind a guarded terminal, for text with styles that is escaped already."""
    return stream.plain if isinstance(stream, _Guarded) else stream
