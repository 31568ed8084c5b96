"""Cut a note at its headers into pieces that are neither tiny nor large. Pure, and linear in its length.

A piece begins at a header of the first three levels; a shorter piece than the minimum is joined to its neighbour. A
section that is too long is cut between paragraphs, a paragraph between sentences, a sentence between words, and any
other text at the maximum. A `###` in a block of code is no header.

The host's default model, all-MiniLM-L6-v2, sees the first 256 tokens of a text: the default maximum is about that.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ..texts import regex
from .model import Chunk, Note

MIN_CHARS = 100
MAX_CHARS = 1_200

_DEEPEST_SPLIT = 3
_FENCE = regex(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADER = regex(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_CLOSING_HASHES = regex(r"(?:^|(?<=[ \t]))#+$")
_SENTENCE_END = regex(r"[.!?…]['\")\]]*\s|[。！？]|\n")
_MOST_MARKS = 32


class _Span(NamedTuple):
    """A piece of the text, and the headers above it; `level` is that of the last one, 0 before the first."""

    start: int
    end: int
    level: int
    path: tuple[str, ...]


class SemanticChunker:
    """Cuts notes; no chunk exceeds `max_chars`, and none below `min_chars` has a neighbour with room.

    Raises ValueError where no text could be cut so.
    """

    def __init__(self, *, min_chars: int = MIN_CHARS, max_chars: int = MAX_CHARS) -> None:
        if not 0 <= min_chars <= max_chars or max_chars < 1:
            raise ValueError(f"min_chars is {min_chars}, max_chars {max_chars}; allowed: 0 <= min_chars <= max_chars")
        self.min_chars = min_chars
        self.max_chars = max_chars

    def chunk(self, note: Note) -> tuple[Chunk, ...]:
        """Return the pieces of a note in their order; every word of it is in exactly one of them."""
        text = note.text.replace("\r\n", "\n").replace("\r", "\n")
        sections, blocks = _scan(text)
        parts = [part for span in self._merge(sections) for part in self._split(span, text, blocks)]
        lines = [0, *(newline.end() for newline in re.finditer("\n", text))]
        chunks = []
        for span in self._merge(parts):
            piece = text[span.start : span.end]
            start = span.start + len(piece) - len(piece.lstrip())
            line = note.first_line + bisect_right(lines, start) - 1
            if piece.strip():
                chunks.append(Chunk.of(note.title, " > ".join(span.path), line, piece.strip()))
        return tuple(chunks)

    def _merge(self, spans: list[_Span]) -> list[_Span]:
        """Join short spans to the next one, or else to the one before, where both fit into one piece."""
        for place in (0, 1):
            merged: list[_Span] = []
            for span in spans:
                pair = (*merged[-1:], span)
                is_short = len(pair) == 2 and pair[place].end - pair[place].start < self.min_chars
                if is_short and span.end - pair[0].start <= self.max_chars:
                    named = max(pair, key=lambda side: side.level)  # the deeper header, of equals the first
                    merged[-1] = named._replace(start=pair[0].start, end=span.end)
                else:
                    merged.append(span)
            spans = merged
        return spans

    def _split(self, span: _Span, text: str, blocks: list[int]) -> Iterator[_Span]:
        """Cut a span that is too long: at the last block that still fits, else inside of the block."""
        start = span.start
        while span.end - start > self.max_chars:
            last_block = blocks[bisect_right(blocks, start + self.max_chars) - 1]
            end = last_block if last_block > start else self._cut(text, start)
            yield span._replace(start=start, end=end)
            start = end
        yield span._replace(start=start)

    def _cut(self, text: str, start: int) -> int:
        """Return the end of a piece of a block: after a sentence or line, else after a word, else anywhere."""
        limit = start + self.max_chars
        half = start + self.max_chars // 2
        ends = [span.end() for span in _SENTENCE_END.finditer(text, half, limit)]
        if ends:
            return ends[-1]
        word = max(text.rfind(" ", half, limit), text.rfind("\t", half, limit))
        if word > start:
            return word + 1
        for cut in range(limit, max(start, limit - _MOST_MARKS), -1):  # an accent stays with its letter
            if not unicodedata.combining(text[cut]):
                return cut
        return limit


def find_title(text: str) -> str:
    """Return the first header of the first level; empty without one."""
    return next((section.path[0] for section in _scan(text)[0] if section.level == 1 and section.path), "")


def _scan(text: str) -> tuple[list[_Span], list[int]]:
    """Return the sections of a text and the starts of its blocks: paragraphs, and each block of code as a whole."""
    sections = [_Span(0, len(text), 0, ())]
    blocks = [0]
    path: list[str] = [""] * _DEEPEST_SPLIT
    fence = ""
    is_after_blank = False
    offset = 0
    for line in text.split("\n"):
        marked = _FENCE.fullmatch(line)
        if fence:
            if marked is not None and marked[1].startswith(fence) and not marked[2].strip():
                fence, is_after_blank = "", True
        elif marked is not None and not (marked[1][0] == "`" and "`" in marked[2]):
            fence = marked[1]
            blocks.append(offset)
        elif not line.strip():
            is_after_blank = True
        else:
            header = _HEADER.fullmatch(line)
            if header is not None or is_after_blank:
                blocks.append(offset)
            if header is not None and len(header[1]) <= _DEEPEST_SPLIT:
                sections[-1] = sections[-1]._replace(end=offset)
                level, title = len(header[1]), _CLOSING_HASHES.sub("", (header[2] or "").strip()).strip()
                path[level - 1 :] = [title, *[""] * (_DEEPEST_SPLIT - level)]
                sections.append(_Span(offset, len(text), level, tuple(filter(None, path))))
            is_after_blank = False
        offset += len(line) + 1
    return sections, blocks
