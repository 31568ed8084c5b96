"""The closed table of slots: what can be said of a subject, in which words, with which type of value.

`SLOTS` are single-valued: two different values of one of them contradict each other. Adding a slot is adding a row to
`rows.toml`; `multi_valued.toml` tells of what somebody may have several, so that one more contradicts nothing.
`PHRASED` tells in whole clauses what fills a slot: "S has a home in V", "S is in charge of V" (`phrases.toml`).
Everything outside the tables is never a value that differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ...language.tables import read_table, split_members, word_sets
from ..values.marks import Choice, choice
from ..values.readers import READERS, SCALARS, Reads

CHOICE_READS: Final = SCALARS
_TABLE: Final = read_table(__file__, "rows")
#: Adjectives that make any noun a slot of its own: "default branch", "preferred editor", "favourite colour".
CHOICES: Final[dict[str, str]] = _TABLE["choices"]
#: Adjectives that distinguish two slots of one noun ("max size", "min size").
DISTINGUISHING: Final[dict[str, str]] = _TABLE["distinguishing"]
_FRAMES: Final = read_table(__file__, "frames")
#: The verbs by which somebody fills a slot: "is the lead of X", "serves as lead of X".
FRAME_WORDS: Final = word_sets(_FRAMES["words"])
_KINDS_OF: Final = {slot: words for slots, words in word_sets(_FRAMES["kinds_of"]).items() for slot in slots.split("|")}
_SEVERAL: Final = read_table(__file__, "multi_valued")
#: Verbs of which several objects go on side by side, and so tell no slot; those of `USING` one thing may be alone with.
USING, _RELATIONS = (frozenset(verb for (verb,) in split_members(_SEVERAL[name])) for name in ("using", "relations"))
RELATIONS: Final = USING | _RELATIONS
#: Slots of which one often has two, and those of which most have one and some have two.
OFTEN_SEVERAL: Final = frozenset(_SEVERAL["often_several"].split("|"))
MOSTLY_ONE: Final = frozenset(_SEVERAL["mostly_one"].split("|"))
#: Families of which one member serves one purpose: "uses Redis for caching".
PURPOSE_FAMILIES: Final = frozenset(_SEVERAL["purpose_families"].split("|"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One row: a single-valued slot and its wordings.

    `name`: `{}` is filled with what the reader names ("Python"), `*` with the noun itself. `reads`: readers, tried
    in order. `nouns`: "the <noun> of X is V", "X's <noun> is V", "X <noun>: V". `verbs`: "X <verb> V". Both are
    separated by `|`. `person`: "my <noun>" is the user's own (else "my" only means "the"). `things`: modifiers name
    the owner even after "my" ("my project name"). `bare`: "the <noun> is V" needs no owner. `past`: the past tense
    still holds ("was born"). `named`: the subject must be a name: what "the module" was created by, others may have
    helped to create. `typed`: "plays the <noun> of V" says the same as "X's <noun> is V". `each`: of a bare plural
    ("services run on ...") it says nothing of any one of them. `thing`: of a person it says only where they are now.
    """

    name: str
    reads: Reads
    nouns: str = ""
    verbs: str = ""
    person: bool = False
    things: bool = False
    bare: bool = False
    past: bool = False
    named: bool = False
    typed: bool = False
    each: bool = False
    thing: bool = False


def _slot(row: dict[str, str]) -> Slot:
    reads = [SCALARS if name == "scalars" else (name,) for name in row["reads"].split("|")]
    nouns, verbs = (row.get(key, "").replace(" | ", "|") for key in ("nouns", "verbs"))
    flags = dict.fromkeys(row.get("is", "").split(), True)
    return Slot(name=row["name"], reads=sum(reads, ()), nouns=nouns, verbs=verbs, **flags)


SLOTS: Final = tuple(map(_slot, _TABLE["slots"]))


@dataclass(frozen=True, eq=False)
class SlotTable:
    """Rows by wording: noun phrase -> rows, verb phrase -> rows."""

    nouns: Mapping[str, tuple[Slot, ...]]
    verbs: Mapping[str, tuple[Slot, ...]]

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        words: dict[str, set[str]] = {}
        for noun, rows in self.nouns.items():
            for reader in ("", *(reader for row in rows for reader in row.reads if isinstance(reader, str))):
                words.setdefault(reader, set()).add(noun.split()[-1])
        return {reader: frozenset(nouns) for reader, nouns in words.items()}

    def words_for(self, readers: tuple[str, ...] | None = None) -> frozenset[str]:
        """Return the last words of the nouns with such values, or of all nouns: alone, none of them names a subject."""
        kinds = [self._words.get(reader, frozenset()) for reader in readers or ("",)]
        return kinds[0] if len(kinds) == 1 else frozenset().union(*kinds)


def build_table(rows: Iterable[Slot]) -> SlotTable:
    """Index the rows by their wordings; an earlier row is tried first.

    Raises ValueError if a row names a reader that does not exist.
    """
    nouns: dict[str, tuple[Slot, ...]] = {}
    verbs: dict[str, tuple[Slot, ...]] = {}
    for row in rows:
        unknown = [reader for reader in row.reads if isinstance(reader, str) and reader not in READERS]
        if unknown:
            raise ValueError(f"slot {row.name!r}: reads is {unknown[0]!r}; allowed: {', '.join(sorted(READERS))}")
        for index, wordings in ((nouns, row.nouns), (verbs, row.verbs)):
            for wording in filter(None, wordings.split("|")):
                index[wording] = (*index.get(wording, ()), row)
    return SlotTable(nouns, verbs)


TABLE: Final = build_table(SLOTS)


def plain_owner(slot: str, topic: str) -> str:
    """Return a topic without the words that say nothing beside such a slot, unless no other is left."""
    dropped = _KINDS_OF.get(slot, frozenset())
    return " ".join(word for word in topic.split() if word not in dropped) or topic


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


def _phrased(row: dict[str, str], words: dict[str, str], choices: dict[str, Choice], field: str) -> Phrased:
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
    return tuple(_phrased(row, table.get("words", {}), choices, field) for row in table["phrased"]["rows"])


def _in_one(rows: Iterable[Phrased]) -> tuple[Phrased, ...]:
    """Return one row for the nouns of all rows with `one` that are read alike, with the clauses that they share."""
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
