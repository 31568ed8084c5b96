"""The tables of wordings that the readers lean on: TOML beside the code, each row with examples, read once.

The one place of the core that reads a file: it belongs to the package as its modules do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read_table(module: str, name: str) -> dict[str, Any]:
    """Return the table `name`.toml that lies beside the module with the file name `module`.

    By place and not by the package's name: a host may have put another copy of the pack under the name meanwhile.
    """
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def split_wordings(wordings: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the words of each wording."""
    return tuple(tuple(wording.split()) for wording in wordings)
