"""A text as a whole: when two are the same, and how one is shown. Pure."""

from __future__ import annotations

import unicodedata


def normalize_text(text: str) -> str:
    """Return `text` in NFC with runs of white space folded: what "the same text" means."""
    return " ".join(unicodedata.normalize("NFC", text).split())


#: What joins letters and pictures, and is no danger to a terminal.
_JOINERS = "\u200c\u200d"
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def printable(text: str, keep: str = "") -> str:
    """Return `text` with what a terminal would obey or hide written out: controls and directions, but for `keep`."""
    if text.isascii() and text.isprintable():
        return text
    kept = _JOINERS + keep
    return "".join(
        one.encode("unicode_escape").decode() if unicodedata.category(one) in _UNSEEN and one not in kept else one
        for one in text
    )


def counted(number: int, singular: str, plural: str) -> str:
    """Return a number with the noun that fits it."""
    return f"{number} {singular if number == 1 else plural}"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a model makes of `text`: one of four characters (T-40)."""
    return -(-len(text) // 4)
