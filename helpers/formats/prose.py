"""Notes and plain text: a memory for each item of a list, and for each paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..texts import regex
from .new_memory import FileReading, NewMemory

_HEADING: Final = regex(r"(#{1,6})\s+(.*?)\s*#*\s*")
_ITEM: Final = regex(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_FENCE: Final = regex(r"\s*(?:```|~~~)")
_CATEGORY: Final = regex(r"\[([\w -]{1,40})\]\s+(.*)")
_TAGS: Final = regex(r"(?:\s#[\w/-]{1,60})+\s*$")
_LINK: Final = regex(r"\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{1,200})\]\]")
_RELATION: Final = regex(r"([\w ]{1,60}?)\s+\[\[[^\[\]]{1,200}\]\]")
_TITLE: Final = regex(r"title:\s*[\"']?(.*?)[\"']?\s*")
#: Headings that say nothing of what stands below them.
_EMPTY_HEADINGS: Final = frozenset(("observations", "relations", "notes", "memory", "memories", "facts"))
_RULE: Final = "---"


def split_paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, each on one line; the lines, where no blank one separates them."""
    body = [line.strip() for line in text.strip().splitlines()]
    if "" not in body:
        yield from body
        return
    paragraph: list[str] = []
    for line in [*body, ""]:
        if line:
            paragraph.append(line)
        elif paragraph:
            yield " ".join(paragraph)
            paragraph = []


def read_text(text: str, reading: FileReading) -> None:
    """Read plain text: a memory for each paragraph, or for each line where there are no paragraphs."""
    reading.memories += [NewMemory(text=paragraph) for paragraph in split_paragraphs(text)]


def read_markdown(text: str, reading: FileReading) -> None:
    """Read notes: a memory for each item and paragraph, with the heading above it; code is left out."""
    title, lines = _without_front_matter(text.splitlines())
    heading, parts, is_code = "", list[str](), False
    for line in [*lines, ""]:
        item, head = _ITEM.fullmatch(line), _HEADING.fullmatch(line)
        if _FENCE.match(line):
            reading.left_out["blocks of code"] += not is_code
            is_code = not is_code
        elif is_code:
            continue
        elif head or not line.strip() or line.strip() == _RULE or (item and not item[1]):
            _take(" ".join(parts), heading or title, title, reading)
            parts = [item[2]] if item and not head else []
            if head:
                title, heading = (head[2], "") if len(head[1]) == 1 else (title, head[2])
        else:
            parts.append(item[2] if item else line.strip())


def _take(said: str, heading: str, title: str, reading: FileReading) -> None:
    if not said.strip():
        return
    category, relation = _CATEGORY.fullmatch(said), _RELATION.fullmatch(said.strip())
    text = _TAGS.sub("", category[2] if category else said)
    text = _LINK.sub(r"\1", text).strip()
    if relation and title:
        text = f"{title} {text.replace('_', ' ')}"
    else:
        about = title if heading.casefold() in _EMPTY_HEADINGS else heading
        is_empty = about.casefold() in {"", *_EMPTY_HEADINGS} or about.casefold().endswith(".md")
        is_said = is_empty or about.casefold() in text.casefold()
        text = text if is_said else f"{about}: {text}"
    metadata = {"heading": heading} if heading else {}
    reading.memories.append(NewMemory(text=text, metadata=metadata | ({"category": category[1]} if category else {})))


def _without_front_matter(lines: list[str]) -> tuple[str, list[str]]:
    """Return the title that the front matter of a note gives, and the lines behind it."""
    if not lines or lines[0].strip("\ufeff ") != _RULE or _RULE not in (line.strip() for line in lines[1:]):
        return "", lines
    end = next(n for n, line in enumerate(lines[1:], 1) if line.strip() == _RULE)
    titles = (found[1] for line in lines[1:end] if (found := _TITLE.fullmatch(line)))
    return next(titles, ""), lines[end + 1 :]
