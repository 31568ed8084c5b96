"""Where a memory is spoken of: by its id, by all that it says, or both; and what is left without that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...language.words import content_words, shares_half
from ..storage import files
from ..storage.database import Database

#: A shorter text is looked for by its id alone: "yes" stands in too many places.
_SHORTEST_TEXT = 8
_ERASING = b'"kind":"erase"'
#: What nobody looks at, told with every erasure.
OUTSIDE = "exports and notes elsewhere, copies of the folder and Agent Zero's chats are not ours to erase"


@dataclass(frozen=True, slots=True)
class Trace:
    """What gives a memory away: its ids and, where they are known and long enough, the texts that it had."""

    ids: tuple[str, ...]
    texts: tuple[str, ...] = ()

    @property
    def _telling(self) -> tuple[str, ...]:
        return tuple(text for text in self.texts if len(text) >= _SHORTEST_TEXT)

    def is_in_text(self, text: str) -> bool:
        """Whether a text names an id, alone, in a list or at the end of an item of it, or says what the memory says."""
        if any(memory_id in text for memory_id in self.ids):
            named = {one.rstrip().rpartition(" ")[2].removeprefix("m:") for one in text.split(",")}
            if not named.isdisjoint(self.ids):
                return True
        return any(one in text for one in self._telling)

    def is_talked_of(self, text: str) -> bool:
        """Whether something said in a chat may be about the memory: much of its words, little else, or its figures."""
        said = content_words(text)
        for words in map(content_words, self.texts):
            if shares_half(words, said) or shares_half(said, words) or any(map(str.isdigit, "".join(words & said))):
                return True
        return False

    def is_in(self, value: Any) -> bool:
        """Whether a JSON value speaks of the memory, at whatever depth."""
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                if self.is_in_text(one):
                    return True
            elif isinstance(one, dict):
                waiting += [*one.keys(), *one.values()]
            elif isinstance(one, list | tuple):
                waiting += one
        return False

    def without(self, value: Any) -> Any:
        """Return metadata of another memory that names this one nowhere; freshly built where anything changes."""
        if not self.is_in(value):
            return value
        if isinstance(value, str):
            left = [one for one in value.split(",") if not self.is_in_text(one)]
            return ",".join(left) or None
        if isinstance(value, dict):
            return {key: self.without(one) for key, one in value.items() if not self.is_in(key)}
        kept = [one if isinstance(one, dict) else self.without(one) for one in value if not self._is_member(one)]
        return [self.without(one) for one in kept if one is not None]

    def _is_member(self, value: Any) -> bool:
        """Whether a member of a list is about the memory as a whole: its id, or an object that points to it."""
        if isinstance(value, str):
            return self.is_in_text(value)
        return isinstance(value, dict) and any(isinstance(one, str) and self.is_in_text(one) for one in value.values())

    def is_in_bytes(self, data: bytes) -> bool:
        """Whether a file gives the memory away, whatever form it has."""
        return any(
            one in data for one in (*(one.encode("utf-8", "surrogatepass") for one in self.ids), *self._passages())
        )

    def cut_from(self, data: bytes) -> bytes:
        """Return a file without the passages that say what the memory says."""
        for passage in sorted(self._passages(), key=len, reverse=True):
            data = data.replace(passage, b"")
        return data

    def _passages(self) -> Iterator[bytes]:
        """Yield the texts as a file may hold them: as they are, or in JSON of either kind."""
        for text in self._telling:
            yield files.to_bytes(text)
            yield files.to_bytes(json.dumps(text, ensure_ascii=False)[1:-1])
            yield json.dumps(text)[1:-1].encode("ascii")


def files_with(trace: Trace, folder: Path, beside: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Yield every file in a memory folder, and of those beside it, that gives a memory away."""
    for path in (*files.files_below(folder), *(one for one in beside if one.is_file())):
        try:
            data = Database(path.parent).read_bytes() if path.name == files.DATABASE_FILE else path.read_bytes()
        except FileNotFoundError:  # a running host puts a new file in place; that one is looked at by its own name
            continue
        if trace.is_in_bytes(data):
            yield path


def _asks(inbox: Path, trace: Trace) -> bool:
    """Whether a request gives a memory away, but for those to erase something."""
    lines = inbox.read_bytes().split(b"\n")
    return any(trace.is_in_bytes(line) for line in lines if _ERASING not in line)


def left_in(folder: Path, trace: Trace) -> list[str]:
    """Return the files of a memory folder, and beside it, that give a memory away; not the order to erase it."""
    beside = tuple(folder.parent / one for one in (files.CO_RETRIEVAL_FILE, files.CO_RETRIEVAL_LINES_FILE))
    found = [path for path in files_with(trace, folder, beside) if path.name != files.INBOX_FILE or _asks(path, trace)]
    return [str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name for path in found]
