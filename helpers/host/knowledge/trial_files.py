"""Knowledge files for a dry run: what would be written is kept here, and read back from here (M-21)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...knowledge.files_protocol import KnowledgeFiles


class TrialFiles:
    """`KnowledgeFiles` over others that are only read."""

    def __init__(self, files: KnowledgeFiles) -> None:
        self._files = files
        self._texts: dict[str, str | None] = {}

    def read(self, name: str) -> str | None:
        """Return what a file would hold."""
        return self._texts[name] if name in self._texts else self._files.read(name)

    def write(self, name: str, text: str) -> None:
        """Remember what would be written."""
        self._texts[name] = text

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Remember what `merge` makes of a file."""
        before = self.read(name)
        after = merge(before)
        if after is None or after == before:
            return before
        self.write(name, after)
        return after

    def list(self, prefix: str = "") -> Sequence[str]:
        """Return the names that there would be."""
        there = {name for name in self._files.list(prefix) if name not in self._texts}
        new = {name for name, text in self._texts.items() if text is not None and name.startswith(prefix)}
        return sorted(there | new)

    def delete(self, name: str) -> None:
        """Remember that a file would be gone."""
        self._texts[name] = None

    def move(self, name: str, to: str) -> None:
        """Remember that a file would have another name; KeyError if there is no such file."""
        text = self.read(name)
        if text is None:
            raise KeyError(name)
        if name != to:
            self._texts |= {to: text, name: None}
