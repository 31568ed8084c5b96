"""Whole texts: patterns that are compiled at first use, equality of two texts, and their display."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import AnyStr, Final, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class Regex:
    """A compiled pattern that is compiled at its first use."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        """Compile the pattern at the first use of a method, and keep its methods."""
        compiled = re.compile(self.pattern, self.flags)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`; a mistake in it is found at its first use."""
    return cast("re.Pattern[AnyStr]", Regex(pattern, flags))


def normalize_text(text: str) -> str:
    """Return `text` in NFC with runs of white space folded: two texts are the same if these are equal."""
    return " ".join(unicodedata.normalize("NFC", text).split())


#: Joiners of letters and pictures, which are harmless on a terminal.
_JOINERS = "\u200c\u200d"
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def printable(text: str, keep: str = "") -> str:
    """Return `text` with the characters escaped that a terminal obeys or hides, but for those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    kept = _JOINERS + keep
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in _UNSEEN and sign not in kept else sign
        for sign in text
    )


def counted(number: int, singular: str, plural: str) -> str:
    """Return a number with the noun that fits it."""
    return f"{number} {singular if number == 1 else plural}"


def count_memories(number: int) -> str:
    """Return a number of memories in words: "1 memory", "2 memories"."""
    return counted(number, "memory", "memories")


def estimate_tokens(text: str) -> int:
    """Return the approximate number of tokens of `text`: one for four characters."""
    return -(-len(text) // 4)


class Mark(StrEnum):
    """The first word of a mark: "[contested, 2026-03-01 user] ..."."""

    CONTESTED = "contested"
    POSSIBLE = "at odds?"
    PAST = "past"
    OUTDATED = "outdated"
    DEPRECATED = "deprecated"


# Square brackets and their look-alikes, by their code points.
_OPENING: Final = (
    r"\[\uff3b\u3010\u3014\u3016\u3018\u301a\u27e6\u27ec\u2045\u2772\u2308\u230a\u300c\u300e\ufe47\ufe5d\uff62"
)
_CLOSING: Final = (
    r"\]\uff3d\u3011\u3015\u3017\u3019\u301b\u27e7\u27ed\u2046\u2773\u2309\u230b\u300d\u300f\ufe48\ufe5e\uff63"
)
_BRACKET: Final = regex(f"[{_OPENING}]([^{_OPENING}{_CLOSING}]*)([{_CLOSING}]?)")
# A mark's word is followed by its end, a sign or a date; the text of a link or a list by another word.
_ENDS: Final = r"\s*(?:\Z|\d|=>|(?![-'._/]\w)[^\w\s(=])"
_WORDS: Final = regex(rf"\W*(?:past\W{{0,3}}\d{{4}}|(?:contested|at\s*odds|outdated|deprecated){_ENDS})", re.IGNORECASE)
_ATTRIBUTE: Final = regex(r"\W*deprecated\W*\Z", re.IGNORECASE)
# Cyrillic, Greek and Armenian look-alikes of the letters of the words.
_ALIKE: Final = str.maketrans(
    "\u0430\u03b1\u0251\u0441\u03f2\u0501\u0435\u043e\u03bf\u0585\u043f\u0578\u0440\u03c1\u0455\u0442\u03c4\u03c5\u057d",
    "aaaccdeooonnppsttuu",
    "\u115f\u1160",  # two letters of Hangul that are not seen
)
_UNSEEN_IN_MARKS: Final = frozenset(("Cf", "Mn", "Me", "Cc"))
# The host expands "{{ ... }}" alone; "{% ... %}" is for other template engines.
_INSIDE_DIRECTIVE: Final = regex(r"(?<=\{)(?=[{%])|(?<=[}%])(?=\})")


def neutralize(text: str) -> str:
    """Return a foreign `text` for a prompt: without directives and marks, and the same for a reader."""
    return without_directives(without_marks(text))


def without_directives(text: str) -> str:
    """Return `text` so that no template directive survives in it.

    A zero-width space goes into every mark of a directive, however long a run of braces is.
    """
    return _INSIDE_DIRECTIVE.sub("\u200b", text)


def without_marks(text: str) -> str:
    """Return `text` with look-alikes of the pack's marks in round brackets: "(quoted: contested, 2026-03-01)".

    Other brackets stay: a box that is ticked, the number of a note, a link, code.
    """
    return _BRACKET.sub(_quote_mark, text)


def _quote_mark(match: re.Match[str]) -> str:
    inside, closing = match.groups()
    plain = _fold(inside)
    if _WORDS.match(plain) is None or (_ATTRIBUTE.match(plain) and not _begins_line(match)):
        return match[0]
    return f"(quoted: {inside.lstrip()}{')' if closing else ''}"


def _begins_line(match: re.Match[str]) -> bool:
    """Whether the mark begins its line, but for blanks: "#[deprecated]" is code."""
    before = match.string[max(0, match.start() - 50) : match.start()]
    return not _fold(before.rpartition("\n")[2]).strip()


def _fold(text: str) -> str:
    """Return `text` as it looks: letters in one form, without invisible characters."""
    spelled = unicodedata.normalize("NFKD", text).lower().translate(_ALIKE)
    return "".join(sign for sign in spelled if sign.isspace() or unicodedata.category(sign) not in _UNSEEN_IN_MARKS)
