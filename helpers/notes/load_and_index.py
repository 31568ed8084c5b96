"""Index the notes of a memory folder, under the specification's name of the builder.

    python -m memory_ledger.notes.load_and_index --folder usr/memory/default

is the command `memory-ledger notes index`, with the same options.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 when done, 1 with problems, 2 on misuse."""
    from ..cli import main as run

    return run(["notes", "index", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    sys.exit(main())
