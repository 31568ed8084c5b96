"""Tables of cases beside the tests that read them: a line of TOML for each row, or of JSON where a row has a null.

`tests/core/cases/statements.toml` is what `tests/core/test_statements.py` reads. A table is a list of rows, or, where
each row says what it is there for, an object of rows by these words, which are the names of the tests.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest


def read_cases(test_file: str) -> dict[str, list[Any]]:
    """Return the rows of each table of a test file, ready for `pytest.mark.parametrize`."""
    path = Path(test_file).with_name("cases") / Path(test_file).stem.removeprefix("test_")
    found: dict[str, Any] = {}
    for end, parse in ((".toml", tomllib.loads), (".rows.json", json.loads)):
        if (file := path.with_name(path.name + end)).exists():
            found |= parse(file.read_text("utf-8"))
    assert found, path
    return {name: _rows(table) for name, table in found.items()}


def read_case(test_file: str, name: str) -> str:
    """Return the text of a file of `cases` beside a test file."""
    return Path(test_file).with_name("cases").joinpath(name).read_text("utf-8")


def _rows(table: Any) -> list[Any]:
    if isinstance(table, dict):
        return [pytest.param(*_frozen(row if isinstance(row, list) else [row]), id=why) for why, row in table.items()]
    return list(_frozen(table))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
