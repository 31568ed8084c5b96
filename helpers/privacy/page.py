"""The text that is scanned, read through windows of a fixed size, so that the work stays linear (V-39).

A rule may run over the whole text once (`find`), with a pattern whose every repetition is bounded or cannot be given back;
from what that finds it looks around through `match` and `before`, a few hundred characters at a time. `characters_read`
adds up what was looked at, which a test holds against the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: How far a rule looks on from what it has found.
REACH = 160


class Page:
    """A text under the guard's eyes."""

    __slots__ = ("characters_read", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.characters_read = 0

    def __len__(self) -> int:
        return len(self.text)

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Run a pattern over the whole text."""
        self.characters_read += len(self.text)
        return pattern.finditer(self.text)

    def match(self, pattern: re.Pattern[str], at: int, reach: int = REACH) -> re.Match[str] | None:
        """Match a pattern at one place, on `reach` characters at most."""
        self.characters_read += min(reach, len(self.text) - at)
        return pattern.match(self.text, at, at + reach)

    def before(self, at: int, reach: int = REACH) -> str:
        """Return what stands before a place, at most `reach` characters of the same line."""
        start = max(0, at - reach)
        self.characters_read += at - start
        line = self.text.rfind("\n", start, at)
        return self.text[start if line < 0 else line + 1 : at]

    def after(self, at: int, reach: int = REACH) -> str:
        """Return what stands from a place on, at most `reach` characters."""
        self.characters_read += min(reach, len(self.text) - at)
        return self.text[at : at + reach]
