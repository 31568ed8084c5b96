"""What distillation asks of a place that keeps knowledge files (M-19, T-32); no place is named here.

A name is relative to `context/memory/`, with `/` between its parts: `domain_knowledge.md`,
`staging/error_prevention.md`. A place refuses any name that would leave that folder (M-53).
"""

from collections.abc import Callable
from typing import Protocol


class KnowledgeFiles(Protocol):
    """The files under `context/memory/`: whole texts in, whole texts out; a reader never sees half of one."""

    def read(self, name: str) -> str | None:
        """Return the text of a file, byte for byte as it was written; None if there is no such file."""
        ...

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Write what `merge` makes of the file's text; return what now stands there.

        `merge` gets None for a file that is not there, and may be called again when another writer was faster,
        so it must not have effects of its own. Where it returns None, or the text it was given, nothing is written.
        """
        ...
