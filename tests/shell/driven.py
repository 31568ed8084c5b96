"""A command as somebody types it: on a terminal of 80 columns and 24 lines, or in a pipe; in this process, to be fast.

The three streams are real ones: a pseudo-terminal, or files.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from memory_ledger import cli
from rich.cells import cell_len

COLUMNS, LINES = 80, 24
#: What rich sends to a terminal for styles and progress.
STYLES = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)")
#: What turns a terminal's text over, or hides it: the directions of Unicode, and what a terminal obeys.
_OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


class Ended(NamedTuple):
    """How a command ended, and what it said; on a terminal all of that in `out`."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Return all that it said."""
        return self.out + self.err

    def obeyed(self) -> list[str]:
        """Return what a terminal would obey or hide, other than styles."""
        return _OBEYED.findall(STYLES.sub("", self.said).replace("\r", ""))

    def too_wide(self) -> list[str]:
        """Return the lines that do not fit."""
        lines = re.split(r"[\r\n]+", STYLES.sub("", self.said))
        return [one for one in lines if cell_len(one) > COLUMNS]


def drive(
    words: Sequence[str],
    folder: Path,
    *,
    on_terminal: bool,
    out_is_piped: bool = False,
    given: bytes = b"",
    environment: dict[str, str] | None = None,
    load: Callable[[], Any] | None = None,
) -> Ended:
    """Run a command in `folder`; `given` is its standard input, which nobody types where it is long.

    With `out_is_piped`, what is on the terminal is what it says beside its answers.
    """
    with _in(folder, environment or {}), tempfile.TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        if on_terminal:
            return _at_terminal(words, source.fileno(), load, out_is_piped)
        return _in_pipe(words, source.fileno(), load)


def _at_terminal(words: Sequence[str], source: int, load: Callable[[], Any] | None, out_is_piped: bool) -> Ended:
    master, slave = open_terminal()
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.extend(read_all(master)))
    reader.start()
    with tempfile.TemporaryFile() as out:
        try:
            with _streams(source, out.fileno() if out_is_piped else slave, slave):
                code = _run(words, load)
        finally:
            os.close(slave)
            reader.join()
            os.close(master)
        shown = b"".join(seen).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
        out.seek(0)
        return Ended(code, out.read().decode("utf-8"), shown) if out_is_piped else Ended(code, shown, "")


def _in_pipe(words: Sequence[str], source: int, load: Callable[[], Any] | None) -> Ended:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with _streams(source, out.fileno(), err.fileno()):
            code = _run(words, load)
        said = []
        for one in (out, err):
            one.seek(0)
            said.append(one.read().decode("utf-8"))
    return Ended(code, *said)


def _run(words: Sequence[str], load: Callable[[], Any] | None) -> int:
    try:
        return cli.main(list(words), load=load)
    except SystemExit as exc:
        return int(exc.code or 0)


def open_terminal() -> tuple[int, int]:
    """Return both ends of a terminal that shows nothing of what is typed."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    modes = termios.tcgetattr(slave)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    return master, slave


def read_all(master: int) -> Iterator[bytes]:
    """Yield what appears on a terminal until nobody has it open."""
    with suppress(OSError):  # EIO: the other end is closed
        while found := os.read(master, 1 << 16):
            yield found


@contextmanager
def _in(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    before, place = dict(os.environ), Path.cwd()
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "MEMORY_LEDGER_FOLDER"):
        os.environ.pop(name, None)
    os.environ.update({"TERM": "xterm-256color", **environment})
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _streams(*ends: int) -> Iterator[None]:
    """Let the three standard streams, and Python's, be others."""
    kept = [os.dup(number) for number in range(3)]
    before = sys.stdin, sys.stdout, sys.stderr
    for number, end in enumerate(ends):
        os.dup2(end, number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.BufferedWriter(io.FileIO(number, "w", closefd=False)), encoding="utf-8")
        for number in (1, 2)
    )
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr, *ours):
            with suppress(ValueError, OSError):
                stream.flush()
        sys.stdin, sys.stdout, sys.stderr = before
        for number, end in enumerate(kept):
            os.dup2(end, number)
            os.close(end)
