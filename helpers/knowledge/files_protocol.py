"""What distillation asks of a place that keeps knowledge files (M-19, T-32); no backend is named here.

A name is relative to `context/memory/`, with `/` between its parts: `domain_knowledge.md`,
`staging/error_prevention.md`. A backend refuses any name that would leave that folder (M-53).
"""

from collections.abc import Callable, Sequence
from typing import Protocol


class KnowledgeFiles(Protocol):
    """The files under `context/memory/`: whole texts in, whole texts out; a reader never sees half of one."""

    def read(self, name: str) -> str | None:
        """Return the text of a file, byte for byte as it was written; None if there is no such file."""
        ...

    def write(self, name: str, text: str) -> None:
        """Put `text` in the place of what the file held, in one step; folders are made as needed."""
        ...

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Write what `merge` makes of the file's text; return what now stands there.

        `merge` gets None for a file that is not there, and may be called again when another writer was faster,
        so it must not have effects of its own. Where it returns None, or the text it was given, nothing is written.
        """
        ...

    def list(self, prefix: str = "") -> Sequence[str]:
        """Return the names of all files that begin with `prefix`, those in folders too, sorted."""
        ...

    def delete(self, name: str) -> None:
        """Take a file away; one that is not there is already gone."""
        ...

    def move(self, name: str, to: str) -> None:
        """Give a file another name; `KeyError` if there is no such file. What stood under `to` is replaced."""
        ...
