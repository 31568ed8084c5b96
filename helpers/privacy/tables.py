"""Passwords and PINs in the columns of a table: Markdown, tab or comma separated (V-39)."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.wordings import read_patterns
from ..patterns import regex
from .findings import Kind, RawFinding
from .page import Page
from .values import is_mixed, is_strong

_SAID = read_patterns("prose", __file__)
_MARKS = ("|", "\t", ";", ",")
_RULE = regex(r"[-:|+= \t]{3,300}")
_PIN_CELL = regex(r"\d{4,8}")
_LONGEST_LINE = 400
_MOST_ROWS = 60


def find_tables(page: Page) -> Iterator[RawFinding]:
    """Yield the cells below a heading that names a password; a line is read as one of one table only."""
    end = 0
    for heading in page.find(_SAID["heading"], "pass", "pwd", "pw", "pin", "kennwort", "contraseña"):
        if heading.start() < end:
            continue
        start = heading.start() - len(page.before(heading.start(), _LONGEST_LINE))
        line = page.after(start, _LONGEST_LINE).split("\n", 1)[0]
        mark = next((mark for mark in _MARKS if mark in line), None)
        end = start + len(line) + 1
        if mark is None:
            continue
        kinds = [_kind_of(cell) for cell in line.split(mark)]
        for _ in range(_MOST_ROWS):
            row = page.after(end, _LONGEST_LINE).split("\n", 1)[0]
            if row.count(mark) != len(kinds) - 1:
                break
            if not _RULE.fullmatch(row):
                yield from _cells(row, end, mark, kinds)
            end += len(row) + 1


def _kind_of(cell: str) -> Kind | None:
    name = _SAID["cell"].fullmatch(cell)
    if name is None:
        return None
    return Kind.PIN if name["name"].lower().startswith("pin") else Kind.PASSWORD


def _cells(row: str, at: int, mark: str, kinds: list[Kind | None]) -> Iterator[RawFinding]:
    """Yield what stands in the named columns of a row; commas are also in sentences, so more is asked there."""
    is_password = is_strong if mark in (";", ",") else is_mixed
    for cell, kind in zip(row.split(mark), kinds, strict=True):
        value = cell.strip(" \"'*`\t\r")
        start = at + cell.find(value)
        if (kind is Kind.PASSWORD and is_password(value)) or (kind is Kind.PIN and _PIN_CELL.fullmatch(value)):
            yield RawFinding(kind, start, start + len(value))
        at += len(cell) + 1
