"""Knowledge files over any backend: the guard, the merging of two writers, and the signal after each writing (T-32)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...errors import StoreError
from .backend import KnowledgeAwayError, KnowledgeBackend, Stored
from .names import check_name

# Each lost race means that somebody else has written: a writer that loses this often meets one that never rests.
_MOST_ROUNDS = 50


class StoredFiles:
    """`KnowledgeFiles` (files_protocol); `announce` is called after whatever has changed."""

    def __init__(self, backend: KnowledgeBackend, announce: Callable[[], None]) -> None:
        self._backend = backend
        self._announce = announce

    def read(self, name: str) -> str | None:
        """Return the text of a file as it stands, None if there is none."""
        found = self._backend.read(check_name(name))
        return None if found is None else to_text(found.data)

    def write(self, name: str, text: str) -> None:
        """Replace what a file held, in one step."""
        self._backend.put(check_name(name), to_data(name, text))
        self._announce()

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Write what `merge` makes of the text that stands there, and again if somebody was faster (M-21)."""
        check_name(name)
        for _ in range(_MOST_ROUNDS):
            found = self._backend.read(name)
            before = None if found is None else to_text(found.data)
            after = merge(before)
            if after is None or after == before:
                return before
            if self._backend.swap(name, to_data(name, after), _version(found)):
                self._announce()
                return after
        raise KnowledgeAwayError(f"{self._backend}: {name} was changed by others {_MOST_ROUNDS} times in a row")

    def list(self, prefix: str = "") -> Sequence[str]:
        """Return all names that begin with `prefix`, sorted."""
        return sorted(name for name in self._backend.versions() if name.startswith(prefix))

    def versions(self) -> Mapping[str, str]:
        """Return every name with what changes when its file does."""
        return self._backend.versions()

    def delete(self, name: str) -> None:
        """Take a file away."""
        self._backend.remove(check_name(name))
        self._announce()

    def move(self, name: str, to: str) -> None:
        """Write the text under its other name, then take the first away: whatever ends this, it stands somewhere."""
        found = self._backend.read(check_name(name))
        if found is None:
            raise KeyError(name)
        if check_name(to) == name:
            return
        self._backend.put(to, found.data)
        self._backend.remove(name)
        self._announce()


def to_text(data: bytes) -> str:
    """Return bytes as text; what is not UTF-8 is kept so that writing it again gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def to_data(name: str, text: str) -> bytes:
    """Return text as the bytes it is kept as."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as exc:
        raise StoreError(f"knowledge file {name}: character {exc.start} is no text; allowed: Unicode text") from exc


def _version(found: Stored | None) -> str | None:
    return None if found is None else found.version
