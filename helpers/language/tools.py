"""Tools by the purpose that one of them serves, and the words by which such a purpose is told (C-39, C-43).

"Tickets are tracked in Jira", "our issue tracker is Linear" and "Linear: issue tracking" tell one thing. Two tools of
one purpose exclude each other only where the purpose is told in words; "uses Sentry" tells none. Members are written
as in `terms.FAMILIES`. The rows are data: `tools_running.toml` says what one is.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from .tables import read_table, split_members


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
