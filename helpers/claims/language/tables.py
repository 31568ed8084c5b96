"""The tables of wordings that the readers lean on: TOML beside the code, each row with examples, read once.

The one place of the core that reads a file: it belongs to the package as its modules do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return the table `name`.toml of a package."""
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def split_wordings(wordings: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the words of each wording."""
    return tuple(tuple(wording.split()) for wording in wordings)
