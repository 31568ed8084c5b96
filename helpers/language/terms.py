"""Families of named alternatives: two different members of one family can exclude each other.

Only a single-valued slot, an explicit correction or a state change makes them do so: "uses Redis" and "uses Memcached"
coexist (T-46). They are data: `terms.toml`. A name that is in no family is free text and never differs from anything.

Tools stand by the purpose that one of them serves, with the words by which such a purpose is told: "tickets are tracked
in Jira", "our issue tracker is Linear" and "Linear: issue tracking" tell one thing. Two tools of one purpose exclude
each other only where the purpose is told in words; "uses Sentry" tells none. The rows are data: `tools_running.toml`
says what one is.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from .tables import read_table, split_members

_TABLE: Final = read_table(__file__, "terms")

#: family -> members; `a=b` writes the same member in several ways, `_` stands for a space.
FAMILIES: Final[dict[str, str]] = _TABLE["families"]
#: Families of which one member serves one purpose ("files are encrypted with AES-256").
SERVING: Final = frozenset(family.strip() for family in _TABLE["serving"].split("|"))
#: Member -> members that it is the wider word for: they agree, one more precise.
WIDER: Final[dict[str, frozenset[str]]] = {
    name: frozenset(member for (member,) in split_members(members)) for name, members in _TABLE["wider"].items()
}
#: Head nouns of jobs; what stands before the head is a detail ("backend developer", "software engineer").
JOBS: Final[str] = _TABLE["jobs"]
#: Names that may carry a bare whole number as their version ("Node 18"); others need a dot, a "v" or "version".
VERSIONED: Final[str] = _TABLE["versioned"]


def _members(text: str) -> dict[tuple[str, ...], str]:
    """Written form as a word sequence -> canonical name."""
    return {tuple(way.split()): ways[0] for ways in split_members(text) for way in ways}


@cache
def terms() -> dict[tuple[str, ...], tuple[str, str]]:
    """Word sequence -> (family, canonical name)."""
    table: dict[tuple[str, ...], tuple[str, str]] = {}
    for family, members in FAMILIES.items():
        table |= {words: (family, name) for words, name in _members(members).items()}
    licensed = {words: term for words, term in table.items() if term[0] == "licence" and len(words) == 1}
    return table | {(f"{words[0]}-licensed",): term for words, term in licensed.items()}


@cache
def first_words() -> frozenset[str]:
    """The words that a member of a family begins with."""
    return frozenset(words[0] for words in terms())


#: Canonical name of a member -> the families that it belongs to beside its own.
ALSO: Final[dict[str, tuple[str, ...]]] = {name: tuple(also.split("|")) for name, also in _TABLE["also"].items()}


#: Families of which one member does the work that a member of the other could.
_WIDER_FAMILY: Final[dict[str, tuple[str, ...]]] = {
    family: tuple(wider.split("|")) for family, wider in _TABLE["wider_family"].items()
}


def further_families(norm: tuple[str | float, ...]) -> tuple[str, ...]:
    """The families that a member belongs to beside its own."""
    wider = _WIDER_FAMILY.get(str(norm[0]), ()) if norm else ()
    return (*wider, *(ALSO.get(str(norm[1]), ()) if len(norm) > 1 else ()))


@cache
def jobs() -> dict[str, str]:
    """Head noun of a job -> its class."""
    return {words[0]: name for words, name in _members(JOBS).items()}


@cache
def versioned_names() -> dict[str, str]:
    """Name of something that has versions -> canonical name."""
    return {words[0]: name for words, name in _members(VERSIONED).items() if len(words) == 1}


class Purpose(NamedTuple):
    """`tells`: words of which one must stand beside a member; `a=b` are two of one meaning, each other is its own.

    Those that begin with `?` count only if no other tells. `beside`: words that say no more.
    """

    members: str
    tells: str
    beside: str = ""


PURPOSES: Final[dict[str, Purpose]] = {
    family: Purpose(**row)
    for name in ("tools_running", "tools_code", "tools_office", "tools_styles")
    for family, row in read_table(__file__, name).items()
}
_FORMS: Final = read_table(__file__, "tools")
_PLAIN_WORDS: Final = frozenset(_FORMS["plain_words"].split())
_OF_PLAIN_WORDS: Final = frozenset(_FORMS["of_plain_words"].split("|"))


class Tool(NamedTuple):
    """One written form: its families with its name in each, and whether it counts only with a capital letter."""

    names: tuple[tuple[str, str], ...]
    is_plain: bool


@cache
def tools() -> dict[tuple[str, ...], Tool]:
    """Word sequence -> the tool."""
    table: dict[tuple[str, ...], Tool] = {}
    for family, purpose in PURPOSES.items():
        for written in split_members(purpose.members):
            if family == "naming":  # "snake_case" is one word
                written += [name.replace(" ", "_") for name in written if " " in name]
            for form in written:
                words = tuple(form.split())
                is_plain = form in _PLAIN_WORDS and family not in _OF_PLAIN_WORDS
                names = table[words].names if words in table else ()
                table[words] = Tool((*names, (family, written[0])), is_plain)
    return table


@cache
def first_words_of_tools() -> dict[str, int]:
    """The words that a tool begins with, each with the most words that such a tool has."""
    longest: dict[str, int] = {}
    for words in tools():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest
