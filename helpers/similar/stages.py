"""How far a piece of work is, by what a text says of it: open, going on, done or failed (C-40). Pure."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from ..language.tables import read_table
from ..patterns import regex

_TABLE: Final[dict[str, str]] = read_table(__file__, "stages")["stages"]
#: The names of the stages.
STAGES: Final = tuple(_TABLE)
_MARKS: Final = regex(r"✅|☑|✔|🔄|🚧|⏳|❌|\[x\]|\[ \]", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def read_stages(text: str) -> frozenset[str]:
    """Return the stages that a text has words or marks for."""
    low = text.casefold()
    return frozenset(name for name, wordings in _patterns() if wordings.search(low))


def find_marks(text: str) -> list[str]:
    """Return the marks that tell of an item how far it is: "✅", "[ ]"."""
    return _MARKS.findall(text)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, regex("|".join(map(_spelled, "".join(row.split("\n")).split("|"))))) for name, row in _TABLE.items()
    )


def _spelled(wording: str) -> str:
    before, after = (r"\b" if wording[place].isalnum() else "" for place in (0, -1))
    return f"{before}{re.escape(wording)}{after}"
