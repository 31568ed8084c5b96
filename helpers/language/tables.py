"""Load the tables of words and wordings: TOML beside the code, compiled to JSON by `make tables`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

#: The tables of a folder, by name.
COMPILED = "tables.json"


def read_table(module: str, name: str, compiled: str = COMPILED) -> dict[str, Any]:
    """Return the table `name`.toml that lies beside the module with the file name `module`, or the part of `compiled`.

    By place and not by the package's name: a host may have put another copy of the pack under the name meanwhile.
    """
    table: dict[str, Any] = _tables(Path(module).with_name(compiled))[name]
    return table


@cache
def _tables(path: Path) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(path.read_bytes())
    return tables


def split_wordings(wordings: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the words of each wording."""
    return tuple(tuple(wording.split()) for wording in wordings)


def split_members(text: str) -> list[list[str]]:
    """Return the ways in which each member of a list is written, the first one its name: "a=b"; `_` is a blank."""
    return [[form.replace("_", " ") for form in member.split("=")] for member in text.split()]


def word_sets(table: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the words of each row of a table of lists; other rows are left out."""
    return {name: frozenset(words.split()) for name, words in table.items() if isinstance(words, str)}


def read_classes(module: str) -> dict[str, frozenset[str]]:
    """Return the word classes of a module: its section in the `word_classes.toml` beside it."""
    section = read_table(module, "word_classes")[Path(module).stem]
    return word_sets(section.get("words", section))


def expand_wordings(text: str) -> frozenset[tuple[str, ...]]:
    """Return the words of every wording of a list: "|" parts rows, "a/b" the words of one place; `_` is a blank."""
    return frozenset(
        tuple(" ".join(words).replace("_", " ").split())
        for row in text.split("|")
        for words in product(*(place.split("/") for place in row.split()))
    )
