"""The readers that a slot can name: each returns the value that starts at an index, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from ...language.lexicon import FAMILIES
from ...language.token import Token
from . import dates, marks, names, numbers
from .marks import choice, parse_licence
from .names import parse_term
from .numbers import Parsed

Reader = Callable[[Sequence[Token], int], Parsed | None]
#: Readers in the order in which they are tried: names of `READERS`, or one that a row of `slots.rows` brings along.
Reads = tuple[str | Reader, ...]

SCALARS: Final = ("email", "url", "path", "timezone", "money", "clock", "number", "version", "term", "name")
#: Each `parse_*` of these modules is a reader: `parse_first_name` is "first name".
_OF_MODULES: Final[dict[str, Reader]] = {
    name.removeprefix("parse_").replace("_", " "): reader
    for module in (dates, marks, names, numbers)
    for name, reader in vars(module).items()
    if name.startswith("parse_")
}
READERS: Final[dict[str, Reader]] = {
    **_OF_MODULES,
    **{f"term:{family}": partial(parse_term, families=frozenset((family,))) for family in FAMILIES},
    "term:licence": parse_licence,
    "plan": choice("plan", " ".join(names.WORDS["plans"])),
}


def parse_value(reads: Iterable[str | Reader], tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return the value that the first fitting reader finds at `index`."""
    for name in reads:
        parsed = (READERS[name] if isinstance(name, str) else name)(tokens, index)
        if parsed is not None:
            return parsed
    return None
