"""A knowledge file: header, entries, log of changes (M-22, M-43 ... M-48, M-73, T-38). Pure.

A file is kept in the pieces that it is made of, each as it was written, so that reading and rendering it gives the
same bytes, whatever a person did to it; only what changes is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from ..clock import format_time
from ..patterns import regex
from .categories import SHELVES, Category
from .entries import Entry, number_of, parse_entry, with_bullets

_ENTRY = regex(r"^## Entry:", re.MULTILINE)
_CHANGES = regex(r"^## \[CHANGE_LOG\]", re.MULTILINE)
_RULE_OF_TABLE = regex(r"^\|[ \-:|]+\|[ \t]*\r?\n", re.MULTILINE)
_ROW = regex(r"^\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|(.*)\|[ \t]*\r?$", re.MULTILINE)
_NAMED = regex(r"\bMEM-\d{3,}\b")
_TABLE = "## [CHANGE_LOG]\n\n| Date | Action | Entry ID | Description |\n|------|--------|----------|-------------|\n"


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One row of the log of changes (M-47)."""

    day: str
    action: str
    entry_id: str
    description: str

    def row(self) -> str:
        """Return the row as it is written."""
        description = " ".join(self.description.replace("|", "/").split())  # a person's title may hold anything
        return f"| {self.day} | {self.action} | {self.entry_id} | {description} |\n"


@dataclass(frozen=True, slots=True)
class Block:
    """The text of one entry, up to the next one; `entry` is None where it cannot be read."""

    text: str
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Document:
    """A knowledge file in its pieces."""

    head: str
    blocks: tuple[Block, ...]
    tail: str

    def render(self) -> str:
        """Return the text of the file."""
        return self.head + "".join(block.text for block in self.blocks) + self.tail

    def numbers(self) -> set[int]:
        """Return the numbers of all ids that the file names, those of its log of changes too (M-49)."""
        return {number for one in _NAMED.findall(self.render()) if (number := number_of(one)) is not None}


def parse_document(text: str) -> Document:
    """Take a file apart; `parse_document(text).render() == text` for every text (M-48)."""
    changes = _CHANGES.search(text)
    body, tail = (text, "") if changes is None else (text[: changes.start()], text[changes.start() :])
    starts = [one.start() for one in _ENTRY.finditer(body)]
    pieces = [body[start:end] for start, end in zip(starts, [*starts[1:], len(body)], strict=False)]
    head = body[: starts[0]] if starts else body
    return Document(head, tuple(Block(piece, parse_entry(piece)) for piece in pieces), tail)


def log_of(text: str) -> list[EntryChange]:
    """Return the log of changes of a file, the latest first; a row that names no entry is left out."""
    rows = [[cell.strip() for cell in row] for row in _ROW.findall(parse_document(text).tail)]
    return [EntryChange(*row) for row in rows if number_of(row[2]) is not None]


def new_document(category: Category, *, threshold: float) -> Document:
    """Return the file of a category before anything is in it (M-43, T-38)."""
    shelf = SHELVES[category]
    head = (
        f"# {shelf.title}\n\n[LAST_UPDATED]: never\n[ENTRY_COUNT]: 0\n[CONFIDENCE_THRESHOLD]: {threshold:g}\n\n"
        f"## Description\n{shelf.description}\n\n---\n\n"
    )
    return Document(head, (), _TABLE)


def revise(
    document: Document, blocks: Iterable[Block], changes: Iterable[EntryChange], *, now: datetime, threshold: float
) -> Document:
    """Return a file with these entries, and what became of them at the top of its log (M-22, M-48, M-73)."""
    kept = tuple(blocks)
    head = document.head
    values = {
        "LAST_UPDATED": format_time(now.replace(microsecond=0)).replace("+00:00", "Z"),
        "ENTRY_COUNT": str(len(kept)),
        "CONFIDENCE_THRESHOLD": f"{threshold:g}",
    }
    for name, value in values.items():
        head = re.sub(rf"^\[{name}\]:[^\r\n]*", f"[{name}]: {value}", head, count=1, flags=re.MULTILINE)
    rows = "".join(change.row() for change in changes)
    tail = document.tail or _TABLE
    rule = _RULE_OF_TABLE.search(tail)
    tail = tail + rows if rule is None else tail[: rule.end()] + rows + tail[rule.end() :]
    return replace(document, head=head, blocks=kept, tail=tail)


def marked(block: Block, bullets: dict[str, str]) -> Block:
    """Return a block with other values in its bullets and every word of its sections as it is."""
    text = with_bullets(block.text, bullets)
    return Block(text, parse_entry(text))


def prompt_text(document: Document) -> str:
    """Return what a prompt shows of a file: its title, and of each entry what to know and do (T-40, M-47)."""
    told = []
    for block in document.blocks:
        one = block.entry
        if one is not None:
            parts = (one.insight, one.action, f"({one.applicability})" if one.applicability else "")
            said = " ".join(" ".join(part.split()) for part in parts if part)
            told.append(f"- {one.title} ({one.id}, confidence {one.confidence:.2f}): {said}")
    title = document.head.split("\n", 1)[0].strip()
    return "\n".join([title, *told]) + "\n" if told else ""
