"""Regular expressions that are compiled when they are first used: half of the time of an import went to them."""

from __future__ import annotations

import re
from typing import AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class Regex:
    """Stands for a compiled pattern, and answers as it does."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        """Called for what is not there yet; from then on the methods of the compiled pattern are."""
        compiled = re.compile(self.pattern, self.flags)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` returns, to whoever uses it; a pattern with a mistake fails at its first use."""
    return cast("re.Pattern[AnyStr]", Regex(pattern, flags))
