"""JSON Lines in and out: an answer for each line, as soon as it is read."""

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
    """A line of input, or a field of it, has another form than the documented one."""


def answer_words(row: dict[str, Any], answer: Answer) -> int:
    """Answer the arguments of a command as a line of a file; raises InputError."""
    print(json.dumps(answer(row), ensure_ascii=False))
    return DONE


def is_text(argument: str) -> bool:
    """Whether an argument is a text: it has several words, and no file has that name."""
    return " " in argument and not Path(argument).exists()


def answer_lines(file: str, answer: Answer) -> int:
    """Answer every line of `file` on a line of its own, as soon as it is read; return the exit code.

    The answer of a bad line is an error with its number, that of a blank line is blank.
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
    """Return the lines; show how many are answered, unless the answers themselves are on a terminal."""
    if sys.stdout.isatty() or (file == "-" and sys.stdin.isatty()):
        return stream
    if not Path(file).is_file():
        return watched(stream, "lines")
    with Path(file).open("rb") as lines:
        return watched(stream, "lines", sum(1 for _ in lines))


@contextmanager
def open_input(file: str) -> Iterator[IO[str]]:
    """Open a file, a pipe or standard input, to read it line by line; `read_row` refuses what is not UTF-8."""
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
    """Return `line`; raises InputError if its bytes were not UTF-8."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError as exc:
        byte = ord(line[exc.start]) - 0xDC00
        raise InputError(f"not UTF-8: byte {byte:#04x} at character {exc.start + 1}; allowed: UTF-8 text") from exc
    return line


def read_row(line: str, number: int = 1) -> dict[str, Any]:
    """Return the JSON object of a line of input; raises InputError."""
    row = parse_line(check_text(line), number)
    if isinstance(row, Problem):
        raise InputError(str(row))
    return row


_MISSING: Any = object()


def read_field(row: Mapping[str, Any], key: str, kind: type, default: Any = _MISSING) -> Any:
    """Return `row[key]`; the default if the key is absent or null. Raises InputError for another kind of value."""
    value = row.get(key)
    if value is None and default is not _MISSING:
        return default
    if not isinstance(value, kind):
        description = "missing" if key not in row else repr(value)[:80]
        raise InputError(f"{key} is {description}; allowed: {_KIND_NAMES.get(kind, kind.__name__)}")
    return value


_KIND_NAMES: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


def read_objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    objects = read_field(row, key, list, [])
    for item in objects:
        if not isinstance(item, dict):
            raise InputError(f"{key} holds {item!r}; allowed: objects")
    return list(objects)


def read_choice(options: type[_Option], value: object, where: str) -> _Option:
    try:
        return options(str(value))
    except ValueError:
        allowed = ", ".join(option.value for option in options)
        raise InputError(f"{where} is {value!r}; allowed: {allowed}") from None


def read_folder_settings(folder: Path, path: Path | None) -> Settings:
    """Return the settings of the file at `path`; without one, of the host's own file beside `folder`, if any."""
    beside = folder.absolute().parent / CONFIG_FILE
    return read_settings(path or (beside if beside.is_file() else None))


def read_settings(path: Path | None) -> Settings:
    """Return the defaults with the values of a settings file, if any; say which values cannot be applied."""
    problems: list[Problem] = []
    layers = []
    if path is not None:
        values = read_settings_file(path, problems)
        if values is None and not problems:
            raise InputError(f"{path} is missing; allowed: a settings file")
        layers = [(str(path), values)] if values is not None else []
    settings, more = load_settings(layers)
    for problem in [*problems, *more]:
        tell(problem)
    return settings
