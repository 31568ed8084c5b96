"""Cases as data: JSON Lines, a row of texts on each line; an object tells what the rows after it are about."""

import json
from pathlib import Path

Row = tuple[str, ...]


def read_rows(*paths: Path) -> tuple[Row, ...]:
    """Return the rows of all files, without what tells about them."""
    lines = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return tuple(tuple(line) for line in lines if isinstance(line, list))
