"""The closed table of slots: what can be said of a subject, in which words, with which type of value.

`SLOTS` are single-valued: two different values of one of them contradict each other; what is multi-valued stands in
`multi_valued`. Adding a slot is adding a row to `rows.toml`. Everything outside the table is never a value that
differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...language.tables import read_table
from ..values.readers import SCALARS, Reads


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


_TABLE: Final = read_table(__file__, "rows")
SLOTS: Final = tuple(map(_slot, _TABLE["slots"]))

#: Adjectives that make any noun a slot of its own: "default branch", "preferred editor", "favourite colour".
CHOICES: Final[dict[str, str]] = _TABLE["choices"]
CHOICE_READS: Final = SCALARS
#: Adjectives that distinguish two slots of one noun ("max size", "min size").
DISTINGUISHING: Final[dict[str, str]] = _TABLE["distinguishing"]
