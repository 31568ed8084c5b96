"""The types of value by the reader that takes them: in words, when two differ, and values to show it with.

`docs/slots.md` is written from here, and each pair is run by a test. The types are data: `value_types.toml`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from memory_ledger.claims.values.agreement import Agreement, compare_values
from memory_ledger.claims.values.numbers import Parsed
from memory_ledger.claims.values.readers import parse_value
from memory_ledger.language.lexicon import FAMILIES
from memory_ledger.language.segment import tokenise
from memory_ledger.language.tables import split_members
from table_files import read_source


class ValueType(NamedTuple):
    """`first` and `second` differ; `agrees` says the same as `first` in another way, or is empty."""

    what: str
    differ: str
    first: str
    second: str
    agrees: str = ""


def _parse_type(row: dict[str, str]) -> ValueType:
    differ = _TABLE["differences"].get(row["differ"], row["differ"])
    return ValueType(row["is"], differ, row["a"], row["b"], row.get("agrees", ""))


_TABLE: Final = read_source(Path(__file__).with_name("value_types.toml"))
VALUE_TYPES: Final[dict[str, ValueType]] = {name: _parse_type(row) for name, row in _TABLE["types"].items()}


class Undescribed(LookupError):
    """A reader that no example can be given of."""


@cache
def value_type(reader: str) -> ValueType:
    """The type of a reader; of a list, with the first two members that differ. Raises Undescribed."""
    family = reader.removeprefix("term:")
    if family == reader:
        if reader not in VALUE_TYPES:
            raise Undescribed(f"reader {reader!r} is not in value_types.toml; add its words and two values")
        return VALUE_TYPES[reader]
    members = (group for group in split_members(FAMILIES[family]) if not group[0].startswith("not "))  # after "is"
    pairs = combinations(members, 2)
    found = next((pair for pair in pairs if _differ(reader, pair[0][0], pair[1][0])), None)
    if found is None:
        raise Undescribed(f"list {family!r} (terms.toml) has no two members that differ and are read as of it; add one")
    (first, *spellings), (second, *_) = found
    what, differ = f'one of the list "{family}"', "both are on it, and neither is the wider word for the other"
    return ValueType(what, differ, first, second, "".join(spellings[:1]))


def _differ(reader: str, one: str, other: str) -> bool:
    a, b = (_read(reader, text) for text in (one, other))
    return a is not None and b is not None and compare_values(a.value, b.value) is Agreement.DIFFERENT


def _read(reader: str, text: str) -> Parsed | None:
    return parse_value((reader,), tokenise(text), 0)
