"""JSON Lines in and out: one answer for each line, as soon as it is read."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, TypeVar

from ..door import parse_line
from ..errors import MemoryLedgerError, Problem
from ..settings import Settings, load_settings
from ..store.files import CONFIG_FILE, read_settings_file
from .declaring import DONE, PROBLEMS, tell
from .progress import watched

_Option = TypeVar("_Option", bound=StrEnum)
Answer = Callable[[dict[str, Any]], dict[str, Any]]


class InputError(MemoryLedgerError):
    """A line, or a field of it, is not of the documented form."""


def answer_words(row: dict[str, Any], answer: Answer) -> int:
    """Answer what was given as arguments, as a line of a file would be; raises InputError."""
    print(json.dumps(answer(row), ensure_ascii=False))
    return DONE


def is_text(argument: str) -> bool:
    """Whether an argument is a text and names no file: it has words, and nothing bears that name."""
    return " " in argument and not Path(argument).exists()


def answer_lines(file: str, answer: Answer) -> int:
    """Answer every line of `file` on a line of its own, as soon as it is read.

    A bad line gets an error that names it, a blank one a blank one, and the rest go on.
    """
    failed = False
    with open_input(file) as stream:
        for number, line in enumerate(_watched_lines(file, stream), 1):
            try:
                reply = json.dumps(answer(read_row(line)), ensure_ascii=False) if line.strip() else ""
            except InputError as exc:
                failed = True
                reply = json.dumps({"error": f"line {number}: {exc}"}, ensure_ascii=False)
            sys.stdout.write(f"{reply}\n")
            sys.stdout.flush()
    return PROBLEMS if failed else DONE


def _watched_lines(file: str, stream: IO[str]) -> Iterable[str]:
    """Return the lines, and show how many are answered; where the answers themselves do not show it."""
    if sys.stdout.isatty() or (file == "-" and sys.stdin.isatty()):
        return stream
    if not Path(file).is_file():
        return watched(stream, "lines")
    with Path(file).open("rb") as lines:
        return watched(stream, "lines", sum(1 for _ in lines))


@contextmanager
def open_input(file: str) -> Iterator[IO[str]]:
    """Open a file, a pipe or standard input, to read it line by line; what is not UTF-8 is for `read_row` to refuse."""
    if file == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield sys.stdin
        return
    if not (Path(file).is_file() or Path(file).is_fifo()):
        raise InputError(f"{file} is not a file; allowed: a JSON Lines file, a pipe, or - for standard input")
    with Path(file).open(encoding="utf-8", errors="surrogateescape") as stream:
        yield stream


def check_text(line: str) -> str:
    """Return a line that was UTF-8; raises InputError for any other."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError as exc:
        byte = ord(line[exc.start]) - 0xDC00
        raise InputError(f"not UTF-8: byte {byte:#04x} at character {exc.start + 1}; allowed: UTF-8 text") from exc
    return line


def read_row(line: str, number: int = 1) -> dict[str, Any]:
    """Return the object that a line of a file of input is; raises InputError for what the door refuses."""
    found = parse_line(check_text(line), number)
    if isinstance(found, Problem):
        raise InputError(str(found))
    return found


_MISSING: Any = object()


def read_field(row: Mapping[str, Any], key: str, kind: type, default: Any = _MISSING) -> Any:
    """Return `row[key]` if it is of `kind`; the default where the key is absent or null."""
    value = row.get(key)
    if value is None and default is not _MISSING:
        return default
    if not isinstance(value, kind):
        found = "missing" if key not in row else repr(value)[:80]
        raise InputError(f"{key} is {found}; allowed: {_KIND_NAMES.get(kind, kind.__name__)}")
    return value


_KIND_NAMES: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


def read_objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = read_field(row, key, list, [])
    for one in found:
        if not isinstance(one, dict):
            raise InputError(f"{key} holds {one!r}; allowed: objects")
    return list(found)


def read_choice(options: type[_Option], value: object, where: str) -> _Option:
    try:
        return options(str(value))
    except ValueError:
        allowed = ", ".join(option.value for option in options)
        raise InputError(f"{where} is {value!r}; allowed: {allowed}") from None


def read_folder_settings(folder: Path, path: Path | None) -> Settings:
    """Return the settings of the file at `path`, or of the host's own beside `folder` where there is one."""
    beside = folder.absolute().parent / CONFIG_FILE
    return read_settings(path or (beside if beside.is_file() else None))


def read_settings(path: Path | None) -> Settings:
    """Return the defaults, or the defaults with a settings file over them; what cannot be applied is named."""
    problems: list[Problem] = []
    layers = []
    if path is not None:
        found = read_settings_file(path, problems)
        if found is None and not problems:
            raise InputError(f"{path} is missing; allowed: a settings file")
        layers = [(str(path), found)] if found is not None else []
    settings, more = load_settings(layers)
    for problem in [*problems, *more]:
        tell(problem)
    return settings
