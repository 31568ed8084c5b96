"""Read a note from a file: Markdown, or the JSON notes of the specification's own project. Pure.

In that project `index.json` lists the notes, and each `ID.json` holds `title` and `content_html`; a note in the trash
is left out. Loose JSON notes without an index are read as well, and plain text in `content` or `text`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import unescape
from typing import Any

from ..errors import shorten
from ..texts import regex
from .chunker import find_title
from .model import Note, NoteError

_FRONT_LINE = regex(r"([A-Za-z_][\w-]*)\s*:\s*(.*)")
_LONGEST_FRONT_LINES = 200
_LONGEST_TITLE = 200
_PLAIN_KEYS = ("content", "text", "markdown")
_TAG = regex(r"<(/?)([A-Za-z][A-Za-z0-9]*)(?:[\s/][^<>]*)?>")
_SPACE = regex(r"\s+")
_BLANK_LINES = regex(r"\n(?:[ \t]*\n){2,}")
_HIDING = frozenset({"script", "style", "template", "head"})
_BLOCKS = frozenset("p div section article ul ol table tr blockquote hr".split())
_HEADERS = frozenset("h1 h2 h3 h4 h5 h6".split())
_INLINE_MARKS = {"li": "\n- ", "br": "\n", "td": " ", "th": " "}
_YES = frozenset({"true", "yes", "1"})


def decode_text(data: bytes) -> str:
    """Return the text of a file; raises NoteError if it is no text."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    if encoding != "utf-16" and b"\0" in data:
        raise NoteError("binary data", "a text in UTF-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as exc:
        raise NoteError(f"no {exc.encoding} at byte {exc.start}", "a text in UTF-8") from None


def parse_markdown(text: str, note_id: str, name: str) -> Note | None:
    """Return a Markdown note without its front matter; None for one in the trash.

    Its title is that of the front matter, else its first header of the first level, else `name`.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, count = _parse_front_matter(lines)
    if front.get("trashed", "").lower() in _YES:
        return None
    body = "\n".join(lines[count:])
    if not body.strip():
        raise NoteError("an empty note", "a text")
    title = front.get("title") or find_title(body) or name
    return Note(id=note_id, title=_one_line(title), text=body, first_line=1 + count)


def _parse_front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the plain `key: value` lines of the front matter, and its number of lines; empty and 0 without one."""
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    for end, line in enumerate(lines[1:_LONGEST_FRONT_LINES], 1):
        if line.rstrip() in ("---", "..."):
            fields = (_FRONT_LINE.fullmatch(line_of_front.rstrip()) for line_of_front in lines[1:end])
            return {field[1].lower(): field[2].strip("\"' ") for field in fields if field is not None}, end + 1
    return {}, 0


def parse_listed(data: str) -> tuple[str, ...]:
    """Return the ids in an `index.json`, in its order and without those in the trash; raises NoteError."""
    document = _parse_json(data)
    entries = document.get("notes") if isinstance(document, Mapping) else document
    if not isinstance(entries, list):
        raise NoteError(shorten(document), "a list of notes with an id each")
    ids = (entry.get("id") for entry in entries if isinstance(entry, Mapping) and not entry.get("trashed"))
    return tuple(dict.fromkeys(memory_id for memory_id in ids if isinstance(memory_id, str) and memory_id))


def parse_json_note(data: str, note_id: str, name: str) -> Note | None:
    """Return a JSON note; None for one in the trash; raises NoteError for another object."""
    fields = _parse_json(data)
    if not isinstance(fields, Mapping):
        raise NoteError(shorten(fields), "a JSON object with title and content_html")
    if fields.get("trashed"):
        return None
    text = _whole(_text_of(fields))
    if not text.strip():
        raise NoteError("a note without text", "text in content_html, content, text or markdown")
    title = fields.get("title")
    return Note(id=note_id, title=_one_line(_whole(title) if isinstance(title, str) else "") or name, text=text)


def _parse_json(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise NoteError(f"not JSON ({exc})", "JSON") from None


def _text_of(fields: Mapping[str, Any]) -> str:
    html = fields.get("content_html")
    if isinstance(html, str) and html.strip():
        return strip_html(html)
    return next((fields[key] for key in _PLAIN_KEYS if isinstance(fields.get(key), str)), "")


def _whole(text: str) -> str:
    """Return a text that can be encoded: JSON can hold half a surrogate pair, which is completed or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _one_line(title: str) -> str:
    return " ".join(title.split())[:_LONGEST_TITLE]


def strip_html(html: str) -> str:
    """Return the text of an HTML note: headers as in Markdown, blocks on lines of their own, code fenced.

    A tag without a `>` is text, and an open comment, script or style hides the rest.
    """
    parts: list[str] = []
    hidden = ""
    is_code = False
    position = 0
    html = _without_comments(html)
    for tag in _TAG.finditer(html):
        name, is_end = tag[2].lower(), bool(tag[1])
        if not hidden:
            parts.append(_plain(html[position : tag.start()], is_code=is_code))
            hidden = name if name in _HIDING and not is_end else ""
            is_code = not is_end if name == "pre" else is_code
            parts.append(_mark(name, is_end=is_end))
        elif is_end and name == hidden:
            hidden = ""
        position = tag.end()
    if not hidden:
        parts.append(_plain(html[position:], is_code=is_code))
    return _BLANK_LINES.sub("\n\n", "".join(parts)).strip()


def _without_comments(html: str) -> str:
    head, *rest = html.split("<!--")
    return head + "".join(part.partition("-->")[2] for part in rest)


def _plain(text: str, *, is_code: bool) -> str:
    plain = unescape(text)
    return plain if is_code else _SPACE.sub(" ", plain)


def _mark(name: str, *, is_end: bool) -> str:
    """Return the text in the place of a tag."""
    if name == "pre":
        return "\n```\n\n" if is_end else "\n\n```\n"
    if name in _HEADERS:
        return "\n\n" if is_end else f"\n\n{'#' * int(name[1])} "
    if name in _BLOCKS:
        return "\n\n"
    return "" if is_end else _INLINE_MARKS.get(name, "")
