"""The README and the pages of `docs/` as the tests read them: blocks, tables, links and headings."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = "README.md"
ARCHITECTURE = "ARCHITECTURE.md"
CONTRIBUTING = "CONTRIBUTING.md"
#: What people read: how to begin, how it is built, and one page for each thing that they may look for.
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*(ROOT / one for one in (README, ARCHITECTURE, CONTRIBUTING)), *sorted((ROOT / "docs").glob("*.md")))
}
_BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def tracked() -> list[str]:
    """Return the files of the project, as git knows them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]


def blocks(page: str, language: str | None = None) -> list[tuple[str, str]]:
    """Return (language, text) of the fenced blocks of a page, in order; of one language, if it is given."""
    return [found for found in _BLOCK.findall(PAGES[page]) if language in (None, found[0])]


def pages_with(language: str) -> list[str]:
    """Return the pages that have a block of a language; a language that no page has is a mistake of the test."""
    found = [page for page in PAGES if blocks(page, language)]
    assert found, language
    return found


def table_rows(page: str, header: str) -> list[list[str]]:
    """Return the cells of the tables of a page whose header line is `header`, row by row."""
    rows = []
    is_inside = False
    for line in PAGES[page].splitlines():
        is_inside = line == header or (is_inside and line.startswith("|"))
        if is_inside and line != header and not line.startswith("|---"):
            rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    assert rows, (page, header)
    return rows


def links(text: str) -> Iterator[tuple[str, str]]:
    """Yield (place, anchor) of every link of a page that leads to no other site; either may be empty."""
    for target in re.findall(r"\]\(([^)\s]+)\)", _CODE.sub("", text)):
        if "://" not in target:
            place, _, anchor = target.partition("#")
            yield place, anchor


def anchors(text: str) -> list[str]:
    """Return what the headings of a page are reached by: lower case, no punctuation, `-` for a blank."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def snippets(page: str, language: str) -> list[tuple[str, str]]:
    """Return each command of a page's blocks of a language with what is shown after it."""
    found = []
    for _, block in blocks(page, language):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    assert found, (page, language)
    return found


def documented_files() -> list[str]:
    """Return the names in the table of all files, as they stand between backquotes, in its order."""
    rows = table_rows("docs/files.md", "| File | What | How to undo it |")
    return [name for row in rows for name in re.findall(r"`([^`]+)`", f"{row[0]} {row[1]}")]
