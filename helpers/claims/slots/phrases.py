"""What fills a slot, in whole clauses: "S has a home in V", "V is home to S", "S is in charge of V" (C-39, C-43).

The rows are data: what the clauses are written in is said in `phrases.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ...language.tables import read_table
from ..values.marks import Choice, choice
from ..values.readers import Reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrased:
    """One row; `{}` in a slot is the noun of `P`, `nouns` are the nouns, `a=b` two of one meaning.

    `wish`: what is wished for is so. `thing`: of no person. `plain`: "of Tarrant & Lowe", "at Moorfields" only say
    where the one named is to be found. `household`: the house, the family and the user are one. `scheduled`: what will
    be so is so. `known`: of "the shop", "our shop" or "Ann's shop", and of no name alone. `left`: of which the
    value is no longer so. `one`: a noun of which somebody has one; what is told of all such nouns stands in a row of
    its own.
    """

    slots: tuple[str, ...]
    reads: Reads
    clauses: tuple[str, ...]
    person: bool = False
    nouns: str = ""
    wish: bool = False
    thing: bool = False
    plain: bool = False
    household: bool = False
    scheduled: bool = False
    one: bool = False
    known: bool = False
    left: bool = False


def _clauses(written: str, words: dict[str, str]) -> tuple[str, ...]:
    return tuple(clause.strip().format_map(words) for clause in written.split("|")) if written else ()


def _row(row: dict[str, str], words: dict[str, str], choices: dict[str, Choice], field: str) -> Phrased:
    clauses = _clauses(row.get("clauses", ""), words)
    if "field" in row:
        clauses = (*_clauses(field, {**words, "field": row["field"].format_map(words)}), *clauses)
    names = row.get("reads", "person").split("|")
    reads = tuple(choices[name.removeprefix("choice:")] if name.startswith("choice:") else name for name in names)
    flags = dict.fromkeys(row.get("is", "").split(), True)
    if "one" in row:
        flags |= {"one": True, "plain": True, "person": not flags.pop("nobody", False)}
    slots = tuple(row.get("slots", "{}").split("|"))
    return Phrased(slots=slots, reads=reads, clauses=clauses, nouns=row.get("one", row.get("nouns", "")), **flags)


def _rows(name: str) -> tuple[Phrased, ...]:
    table = read_table(__file__, name)
    choices = {key: choice(**row) for key, row in table.get("choices", {}).items()}
    field = table.get("shared", {}).get("field", "")
    return tuple(_row(row, table.get("words", {}), choices, field) for row in table["phrased"]["rows"])


def _in_one(rows: Iterable[Phrased]) -> tuple[Phrased, ...]:
    """One row for the nouns of all rows with `one` that are read alike, with the clauses that they share."""
    clauses = _clauses(read_table(__file__, "phrases_served")["shared"]["one"], {})
    alike: dict[tuple[object, ...], list[Phrased]] = {}
    for row in rows:
        if row.one:
            alike.setdefault((row.reads, row.person, row.household, row.scheduled), []).append(row)
    return tuple(
        replace(group[0], nouns=" ".join(row.nouns for row in group), clauses=clauses) for group in alike.values()
    )


_SERVED: Final = (*_rows("phrases_served"), *_rows("phrases_daily"), *_rows("phrases_self"))
PHRASED: Final = (*_rows("phrases_people"), *_SERVED, *_in_one(_SERVED), *_rows("phrases"))
