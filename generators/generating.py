"""How every generator is called: `python generators/NAME.py FOLDER` writes what it makes into FOLDER."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def write_files(argv: Sequence[str], usage: str | None, make: Callable[[Path], Mapping[str, str | bytes]]) -> int:
    """Write what `make` returns for the folder named by `argv`, by its place there; 0 when done, 2 on misuse."""
    if len(argv) != 1:
        sys.stderr.write(f"{usage}")
        return 2
    folder = Path(argv[0])
    for name, content in make(folder).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return 0
