"""The lists of the page about slots that have no row in its table: relations, purposes of tools, what stands (C-39)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import fill

from memory_ledger.claims.polarity.plain_words import BEING
from memory_ledger.claims.slots.rows import PHRASED, Phrased
from memory_ledger.language.lexicon import PURPOSES

_RELATIONS = """\
## Relations told in whole clauses

These are read from the whole clause, in any word order, active or passive. X is the owner, V is the value; a verb
stands for all its forms.
"""
_PURPOSES = """\
## Tools and what they are for

Two tools exclude each other only if both texts explicitly say that they serve this purpose, for the same thing; "uses
Redis" and "uses Postgres" do not. Only a few members of each list are shown.
"""
_POLAR = """\
## States, permissions, duties and wishes

Only one of these can be true of a thing at a time, whatever the order of the words: apart from states, what is allowed
or forbidden, needed or optional, liked or disliked, preferred or not, how replies should be, and what somebody has or
does not have.
"""
_SHOWN = 6


def render_lists() -> str:
    """Return the sections, with what the code holds."""
    relations = "".join(sorted(dict.fromkeys(_relations())))
    nouns = fill(f"With a noun of their own: {', '.join(sorted(dict.fromkeys(_nouns())))}.", 120)
    tools = "".join(f"| {purpose} | {_members(row.members)} |\n" for purpose, row in sorted(PURPOSES.items()))
    stands = "".join(f"| {slot} | {' / '.join(values)} |\n" for slot, values in sorted(_polar().items()))
    return "\n".join(
        (
            f"{_RELATIONS}\n| Slot | Told |\n|---|---|\n{relations}\n{nouns}\n",
            f"{_PURPOSES}\n| Purpose | Members |\n|---|---|\n{tools}",
            f"{_POLAR}\n| What | Words |\n|---|---|\n{stands}",
        )
    )


def _relations() -> Iterator[str]:
    for row in PHRASED:
        if not row.nouns:
            told = "; ".join(f'"{_plain(one)}"' for one in row.clauses[:2])
            yield f"| {' / '.join(row.slots)} | {told} |\n"


def _nouns() -> Iterator[str]:
    for row in PHRASED:
        yield from (_first(noun).replace("_", " ") for noun in row.nouns.split()) if _has_one(row) else ()


def _has_one(row: Phrased) -> bool:
    return bool(row.nouns) and row.one


def _first(words: str) -> str:
    return words.partition("=")[0]


def _plain(clause: str) -> str:
    """A clause in its first words: "S live/reside [there] in V" is "X live in V"."""
    words = (word.partition("/")[0] for word in clause.removeprefix("!").split() if not word.startswith(("[", "~")))
    said = " ".join("X" if word == "S" else word.replace("_", " ") for word in words if not word.endswith("]"))
    return said.replace(" 's", "'s")


def _members(members: str) -> str:
    names = [_first(one).replace("_", " ") for one in members.split()]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


def _polar() -> dict[str, list[str]]:
    """Return slot -> the words of each of its values."""
    found: dict[str, dict[str, list[str]]] = {}
    for words, states in BEING.items():
        for slot, value in states:
            found.setdefault(slot, {}).setdefault(value, []).append(words)
    return {slot: [_few(words) for words in values.values()] for slot, values in found.items() if len(values) > 1}


def _few(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in list(words)[:_SHOWN])
