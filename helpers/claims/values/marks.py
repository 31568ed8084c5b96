"""Read names known by a mark, a number or a list: codes, streets, branches, plans, regions, free words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter
from typing import Final

from ...language.lexicon import ARTICLES, CONJUNCTIONS, DETERMINERS, ENVIRONMENTS, INDEFINITE, PREPOSITIONS, PRONOUNS
from ...language.tables import split_members
from ...language.token import Token, low_at
from ...language.verbs import is_verb
from ...language.vocabulary import one_of
from ...texts import regex
from ..model import ValueKind
from .names import NOT_NAMES, WORDS, parse_address, parse_term, parse_url, without_accents
from .numbers import Parsed, is_range, parse_version

_MAX_GROUPS: Final = 6
_MAX_STREET: Final = 5
_MAX_WORDS: Final = 6
_NO_START: Final = PRONOUNS | INDEFINITE | DETERMINERS
_ENDS: Final = PREPOSITIONS | CONJUNCTIONS | {"not", "instead", "rather"}
#: Families of which a person prefers one member; the slot is "preferred <family>".
_PREFERENCES: Final = frozenset(family.replace("_", " ") for family in WORDS["preferences"])
_REGION: Final = regex(rf"[a-z]{{2,12}}-(?:gov-)?(?:{one_of(WORDS['directions'])})-?\d[a-f]?")
_TRUTHS: Final = {**dict.fromkeys(("true", "yes", "on"), 1.0), **dict.fromkeys(("false", "no", "off"), 0.0)}


@dataclass(frozen=True, slots=True)
class Choice:
    """A reader of one of a list; `family` tells two lists apart. `names`: words, and the name of the member."""

    family: str
    names: tuple[tuple[tuple[str, ...], str], ...]

    def __call__(self, tokens: Sequence[Token], index: int) -> Parsed | None:
        """Return the longest member at `index`; norm: (family, member)."""
        ahead = tuple([token.low for token in tokens[index : index + _MAX_WORDS]])
        members = [(len(words), name) for words, name in self.names if ahead[: len(words)] == words]
        size, member = max(members, key=itemgetter(0), default=(0, ""))
        return Parsed.of(ValueKind.TERM, tokens, index, index + size, (self.family, member)) if size else None


def choice(family: str, members: str) -> Choice:
    """Return the reader of a list of members; `a=b` writes one in several ways, `_` stands for a space."""
    return Choice(family, tuple((tuple(form.split()), ways[0]) for ways in split_members(members) for form in ways))


def parse_phrase(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return words up to the next preposition, conjunction or mark; norm: the words without an article."""
    index += low_at(tokens, index) in ARTICLES
    if low_at(tokens, index) in _NO_START:
        return None
    lows = (token.low for token in tokens[index:])
    words = tuple(takewhile(lambda low: low not in _ENDS and low[0].isalnum(), lows))
    is_short = 0 < len(words) <= _MAX_WORDS
    return Parsed.of(ValueKind.PHRASE, tokens, index, index + len(words), words) if is_short else None


def parse_code(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a number that names a thing ("4471", "DE-2231", "12 34 56"); norm: its letters and digits."""
    words = [*takewhile(_has_digit, (token.low for token in tokens[index : index + _MAX_GROUPS]))]
    end = index + len(words)
    following = low_at(tokens, end)
    if not words or is_range(tokens, end) or (following.isalpha() and following not in PREPOSITIONS):
        return None
    return Parsed.of(ValueKind.CODE, tokens, index, end, ("".join(filter(str.isalnum, "".join(words))),))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def parse_handle(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return the one word that somebody or something is called by ("kirti-codes", "@ana"); norm: its letters."""
    low = low_at(tokens, index)
    word = low.lstrip("@#")
    if low_at(tokens, index + 1).isalpha() or not word[:1].isalnum() or "/" in word:
        return None
    is_name = not low.isalpha() or tokens[index].text[0].isupper()
    return Parsed.word(ValueKind.CODE, tokens, index, word) if is_name else None


def parse_street(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "14 Elm Street, Graz", "Lindengasse 14"; norm: (house number, words of the street)."""
    parts = [*takewhile(_is_of_address, tokens[index:])]
    street = [token.low for token in takewhile(lambda token: token.low != ",", parts[:_MAX_STREET])]
    number = next((low for low in street if low[0].isdigit()), "")
    words = [without_accents(low) for low in street if not low[0].isdigit()]
    named = [word for word in words if word not in WORDS["streets"]] or words
    if not number or not named or sum(map(str.isdigit, number)) > _MAX_STREET:
        return None
    return Parsed.of(ValueKind.STREET, tokens, index, index + len(parts), (number, *named))


def _is_of_address(token: Token) -> bool:
    return token.low == "," or token.text[0].isupper() or token.low[0].isdigit()


def parse_explicit_version(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a version that says so: "version 3", "v2.1"."""
    low = low_at(tokens, index)
    says_so = low in ("version", "release") or (low[:1] == "v" and low[1:2].isdigit())
    return parse_version(tokens, index) if says_so else None


def parse_branch(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a known branch name, or a word that can only be a name ("release/2.1")."""
    low = low_at(tokens, index)
    is_branch = low in WORDS["branches"] or (low[:1].isalpha() and any(mark in low for mark in "/-_"))
    return Parsed.word(ValueKind.NAME, tokens, index, low) if is_branch else None


def parse_preference(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a member of a family of which a person prefers one; the family is the name."""
    parsed = parse_term(tokens, index, _PREFERENCES)
    return parsed._replace(name=str(parsed.value.norm[0])) if parsed else None


def parse_licence(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "MIT", "the MIT licence"."""
    index += low_at(tokens, index) == "the"
    parsed = parse_term(tokens, index, frozenset(("licence",)))
    is_named = parsed is not None and low_at(tokens, parsed.end) in ("licence", "license")
    return parsed._replace(end=parsed.end + 1) if parsed and is_named else parsed


def parse_region(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a region of a cloud: "eu-west-1", "europe-west4", "Sweden Central"."""
    for length in (3, 2, 1):
        words = [token.low for token in tokens[index : index + length]]
        if "_".join(words) in WORDS["regions"] or (length == 1 and _REGION.fullmatch("".join(words))):
            return Parsed.of(ValueKind.TERM, tokens, index, index + length, ("region", "-".join(words)))
    return None


def parse_truth(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return the value of a switch."""
    low = low_at(tokens, index)
    return Parsed.word(ValueKind.FLAG, tokens, index, _TRUTHS[low]) if low in _TRUTHS else None


def parse_web_address(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a web address, with or without its scheme."""
    return parse_url(tokens, index) or parse_address(tokens, index)


def parse_word(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return one word at the end of a phrase, whatever it is: the value of a setting."""
    low = low_at(tokens, index)
    following = low_at(tokens, index + 1)
    if not low.isalpha() or low in NOT_NAMES or is_verb(low) or (following.isalpha() and following not in PREPOSITIONS):
        return None
    return Parsed.word(ValueKind.NAME, tokens, index, ENVIRONMENTS.get(low, low))
