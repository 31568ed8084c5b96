"""Notes and plain text: a memory for each item of a list, each row of a table, and each paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ..texts import regex
from .memories import FileReading, NewMemory

_MARKDOWN: Final = regex(r"(?m)^(?:#{1,6} |[-*+] |\d{1,3}[.)] |---\s*$)")
_HEADING: Final = regex(r"(#{1,6})\s+(.*?)[\s#:]*")
_ITEM: Final = regex(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_FENCE: Final = regex(r"```|~~~")
_QUOTE: Final = regex(r"^(?:> ?)+")
#: Lines without content: rules, a tag alone, a comment.
_SILENT: Final = regex(r"(?:([-*_=] ?){3,}|</?[\w-]+>|<!--[^>]*-->)?\s*")
_CATEGORY: Final = regex(r"\[([\w -]{1,40})\]\s+(.*)")
_TAGS: Final = regex(r"(?:\s#[\w/-]{1,60})+\s*$")
_LINK: Final = regex(r"\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{1,200})\]\]")
_RELATION: Final = regex(r"([\w ]{1,60}?)\s+\[\[[^\[\]]{1,200}\]\]")
_FRONT: Final = regex(r"(?s)\ufeff? *---\s*\n(.*?\n)??---\s*(?:\n|$)")
_TITLE: Final = regex(r"(?m)^title:\s*[\"']?(.*?)[\"']?\s*$")
#: Headings that say nothing about the text below them.
_EMPTY_HEADINGS: Final = frozenset(("", "observations", "relations", "notes", "memory", "memories", "facts"))


def is_markdown(text: str, name: str) -> bool:
    """Whether a text has the marks of Markdown, or a file of its name has."""
    return name.casefold().endswith((".md", ".markdown", ".mdc")) or _MARKDOWN.search(text[:20_000]) is not None


def read_text(text: str, reading: FileReading) -> None:
    """Read plain text: a memory for each paragraph, or for each line where no blank line separates them."""
    lines = [line.strip() for line in text.strip().splitlines()]
    paragraphs = "\n".join(lines).split("\n\n") if "" in lines else lines
    reading.memories += [NewMemory(text=" ".join(part.split("\n")).strip()) for part in paragraphs if part.strip()]


def read_notes(text: str, reading: FileReading, metadata: Mapping[str, str] | None = None) -> None:
    """Read a text of another file as Markdown or plain text; each memory gets the `metadata`."""
    start = len(reading.memories)
    (read_markdown if is_markdown(text, "") else read_text)(text, reading)
    if metadata:
        added = (replace(memory, metadata={**metadata, **memory.metadata}) for memory in reading.memories[start:])
        reading.memories[start:] = [*added]


def read_markdown(text: str, reading: FileReading) -> None:
    """Read notes: a memory for each item, row and paragraph, with the heading above it; code is left out."""
    front = _FRONT.match(text)
    titled = _TITLE.search(front[1]) if front else None
    title, heading, parts, is_code = titled[1] if titled else "", "", list[str](), False
    for line in (*_as_items(text[front.end() if front else 0 :].splitlines()), ""):
        item, head = _ITEM.fullmatch(line), _HEADING.fullmatch(line)
        if _FENCE.match(line):
            reading.left_out["blocks of code"] += not is_code
            is_code = not is_code
        elif is_code:
            continue
        elif head or _SILENT.fullmatch(line) or (item and not item[1]):
            _take(" ".join(parts), heading or title, title, reading)
            parts = [item[2]] if item and not head else []
            if head:
                title, heading = (head[2], "") if len(head[1]) == 1 else (title, head[2])
        else:
            parts.append(item[2] if item else line.strip())


def _as_items(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a note without the marks of a quotation, and each row of a table as an item of a list."""
    names: list[str] = []
    for line in (_QUOTE.sub("", line) for line in lines):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            yield line
        elif len(names) == len(cells) == 2:
            yield f"- {': '.join(filter(None, cells))}" if any(cell.strip("-: ") for cell in cells) else ""
        elif names and any(cell.strip("-: ") for cell in cells):
            named = [f"{name} {cell}" for name, cell in zip(names[1:], cells[1:], strict=False) if cell]
            yield f"- {'; '.join([cells[0], *named])}"
        names = cells and (names or cells)


def _take(item: str, heading: str, title: str, reading: FileReading) -> None:
    if not item.strip():
        return
    category, relation = _CATEGORY.fullmatch(item), _RELATION.fullmatch(item.strip())
    text = _LINK.sub(r"\1", _TAGS.sub("", category[2] if category else item)).strip()
    if category and text.count(" ") < 2:  # too few words to say what they are about
        text = f"{category[1]} {text}"
    about = title if heading.casefold() in _EMPTY_HEADINGS else heading
    if relation and title:
        text = f"{title} {text.replace('_', ' ')}"
    elif about.casefold() not in _EMPTY_HEADINGS and ".md" not in about.casefold():
        text = text if about.casefold() in text.casefold() else f"{about}: {text}"
    metadata = {"heading": heading} if heading else {}
    reading.memories.append(NewMemory(text=text, metadata=metadata | ({"category": category[1]} if category else {})))
