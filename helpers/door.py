"""The door for data from outside: the limits of a line of JSON, and the faults of its values. Pure.

Import, ingest, copy, move, restore, the page and every file of input go through it. A value over a limit is a problem
with its place; the limits are far above any memory, and far below what the host's own save cannot write.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import repeat
from typing import IO, Any, Never

from .errors import Problem, reason_of, shorten
from .foreign import LONGEST_INTEGER_BITS, SURROGATE
from .texts import regex

#: The depth of lists and objects, of which the whole line is the first.
MOST_LEVELS = 41
#: Keys of all objects and members of all lists, together.
MOST_PARTS = 100_000
#: Characters of one text, and of the id of a memory.
LONGEST_TEXT = 2_000_000
LONGEST_ID = 200
#: Bytes of one line, and lines of one file.
MOST_BYTES = 16_000_000
MOST_LINES = 1_000_000

#: Characters of a file that is one JSON document: an export of many years of chats.
LARGEST_DOCUMENT = 500_000_000

_MOST_NAMED = 3
_CONTAINERS = (dict, list, tuple)
_TEXTS, _BEGUN = regex(r'"[^"\\]*(?:\\.[^"\\]*)*"'), regex(r"[\[{]")


def read_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, from 1; a line that is too long is cut behind the limit."""
    number = 0
    while line := stream.readline(MOST_BYTES + 1):
        number, rest = number + 1, line
        while not rest.endswith(b"\n") and (rest := stream.readline(MOST_BYTES)):
            pass
        yield number, line


def parse_line(line: bytes | str, number: int = 1) -> dict[str, Any] | Problem:
    """Return the JSON object of a line; a problem for any other line, and for one over a limit."""
    if number > MOST_LINES:
        return Problem(where="the line", found="one too many", allowed=f"at most {MOST_LINES:,} lines in a file")
    if len(line) > MOST_BYTES:
        return Problem(where="the line", found="too long", allowed=f"at most {MOST_BYTES:,} bytes")
    row = _parse(line, object_pairs_hook=_to_object)
    return row if isinstance(row, Problem) else find_fault(row) or row


def parse_own_line(line: bytes) -> dict[str, Any] | Problem:
    """Return the JSON object of a line that this pack wrote, whose texts are as the host had them.

    A problem for any other line, and for one that is deeper or larger than the lines of this pack.
    """
    row = _parse(line)
    if isinstance(row, Problem):
        return row
    if line.count(b"{") + line.count(b"[") <= MOST_LEVELS and line.count(b",") < MOST_PARTS:
        return row  # whatever it says, as nearly every line
    return find_fault(row, is_own=True) or row


def _parse(line: bytes | str, **options: Any) -> dict[str, Any] | Problem:
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
        begun = text.count("[") + text.count("{")
        if begun > MOST_PARTS and len(_BEGUN.findall(_TEXTS.sub("", text))) > MOST_PARTS:
            return _too_many("the line")  # before they take a hundred times the room of the line
        row = json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse, parse_float=_to_float, **options)
    except RecursionError:
        return _too_deep("the line")
    except UnicodeDecodeError as exc:
        description = f"not UTF-8: byte {exc.object[exc.start]:#04x} at place {exc.start + 1}"
        return Problem(where="the line", found=description, allowed="UTF-8 text")
    except ValueError as exc:
        return Problem(where="the line", found=f"not JSON: {reason_of(exc)}", allowed="a JSON object")
    if not isinstance(row, dict):
        return Problem(where="the line", found=type(row).__name__, allowed="a JSON object")
    return row


def _refuse(constant: str) -> Never:
    raise ValueError(f"{constant} is no number")


def _to_float(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refuse(digits)


def _to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict[str, Any]()
    for name, value in pairs:
        if name in members:
            raise ValueError(f"it has the key {shorten(name)} twice")
        members[name] = value
    return members


def parse_document(text: str) -> Any | Problem:
    """Return the JSON value of a whole file; a problem for any other text, and for one that is too large or deep.

    `find_fault` checks each of its entries.
    """
    if len(text) > LARGEST_DOCUMENT:
        return Problem(where="the file", found="too large", allowed=f"at most {LARGEST_DOCUMENT:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_to_float)
    except RecursionError:
        return _too_deep("the file")
    except ValueError as exc:
        return Problem(where="the file", found=f"not JSON: {reason_of(exc)}", allowed="one JSON document")


def find_fault(value: object, where: str = "", *, is_own: bool = False) -> Problem | None:
    """Return the first value that is over a limit or no JSON, with its place; None without one.

    A value without a JSON form, such as a time, is not looked into. Neither depth nor a cycle stops it. With `is_own`,
    only depth and number count.
    """
    parts = 0
    waiting: list[tuple[Any, tuple[object, ...], int]] = [((value,), (), 0)]
    while waiting:
        container, names, level = waiting.pop()
        parts += len(container)
        if level > MOST_LEVELS:
            return _too_deep(_place(where, names))
        if parts > MOST_PARTS:
            return _too_many(where or "the line")
        named = container.items() if isinstance(container, dict) else zip(repeat(None), container)
        for name, inner in named:
            below = names if name is None else (*names, name)
            if isinstance(inner, _CONTAINERS):
                waiting.append((inner, below, level + 1))
            elif not is_own and (fault := _fault_of(inner)):
                return Problem(where=_place(where, below), found=fault[0], allowed=fault[1])
            if name is not None and not is_own and (fault := _fault_of(name)):
                return Problem(where=_place(where, below), found=fault[0], allowed=fault[1])
    return None


def _place(where: str, names: tuple[object, ...]) -> str:
    path = ".".join(shorten(name, 40).strip("'") for name in names[:_MOST_NAMED])
    return f"{where}: {path}" if where and path else where or path or "the line"


def _fault_of(value: object) -> tuple[str, str] | None:
    """Return the fault of a single value, and the allowed values; None without a fault."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            return f"a text of {len(value):,} characters", f"at most {LONGEST_TEXT:,} characters"
        if not value.isascii() and SURROGATE.search(value):
            return f"not Unicode text: {shorten(value, 40)} has half of a character", "Unicode text"
    elif isinstance(value, float) and not math.isfinite(value):
        return str(value), "a finite number"
    elif isinstance(value, int) and value.bit_length() > LONGEST_INTEGER_BITS:
        return f"a number of {value.bit_length():,} bits", f"at most {LONGEST_INTEGER_BITS:,} bits"
    return None


def _too_many(where: str) -> Problem:
    allowed = f"at most {MOST_PARTS:,} keys and members in all"
    return Problem(where=where, found=f"of more than {MOST_PARTS:,} parts", allowed=allowed)


def _too_deep(where: str) -> Problem:
    return Problem(
        where=where, found="nested too deeply", allowed=f"at most {MOST_LEVELS} lists and objects in each other"
    )
