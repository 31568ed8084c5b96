"""The files of the web interface, against what a host's loader can read and what a memory's text must never meet."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from rows import every_row

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((*(ROOT / "webui").glob("*.[hj]*"), *(ROOT / "extensions" / "webui").rglob("*.html")))
PAGES = [path for path in FILES if path.suffix == ".html"]
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
#: What would make markup or code of a text.
RISKY = r"x-html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"


class Elements(HTMLParser):
    """Every element of a page, with its attributes and the one that it stands in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], str]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}, self._open[-1] if self._open else ""))
        if tag not in ("input", "rect", "meta"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass


@every_row((path,) for path in FILES)
def test_nothing_makes_markup_of_a_text_or_comes_from_elsewhere(path: Path) -> None:
    """Texts are bound as texts; nothing is loaded from another machine."""
    text = path.read_text("utf-8")
    assert not re.search(RISKY, text)
    assert "http:" not in text and "https:" not in text and not re.search(r"""["'(]//""", text)


@every_row((path,) for path in PAGES)
def test_a_page_imports_in_the_one_form_that_a_host_rewrites(path: Path) -> None:
    """An inline module becomes a blob, in which only `import NAMES from` an absolute path is found."""
    modules = re.findall(r"<script[^>]*>(.*?)</script>", path.read_text("utf-8"), re.S)
    lines = [line.strip() for one in modules for line in one.splitlines() if line.strip()]
    assert all(re.fullmatch(r'import \{ \w+ \} from "/plugins/memory_ledger/webui/[\w-]+\.js";', one) for one in lines)


@every_row((path,) for path in SCRIPTS)
def test_a_script_imports_what_every_host_has(path: Path) -> None:
    """The host's files by absolute path, our own beside it."""
    known = {"/js/AlpineStore.js", "/js/api.js", "/js/modals.js", "/index.js"}
    imported = set(re.findall(r'from "([^"]+)"', path.read_text("utf-8")))
    assert all(one in known or (one.startswith("./") and (path.parent / one).is_file()) for one in imported)


@every_row((path,) for path in PAGES)
def test_controls_have_names_and_styles_keep_to_the_page(path: Path) -> None:
    """A button says what it does and submits nothing; a style lies in the root element, below the page's class."""
    text = path.read_text("utf-8")
    for tag, attributes, parent in Elements(text).found:
        if tag == "button":
            assert attributes.get("type") in ("button", "submit")
        if tag in ("input", "select", "textarea"):
            assert (
                {"aria-label", ":aria-labelledby"} & {*attributes}
                or parent == "label"
                or f'for="{attributes.get("id")}"' in text
            )
        assert tag != "style" or parent == "div"
    for style in re.findall(r"<style>(.*?)</style>", text, re.S):
        selectors = re.findall(r"(?:^|[}{])\s*([^@{}]+)\{", style)
        assert selectors and all(one.strip().startswith(".memory-ledger") for one in selectors)
        assert not re.search(r"#[0-9a-f]{3,8}\b|: (?:white|black)\b", style)


def test_the_title_of_a_page_is_constant() -> None:
    """A host sets it as HTML."""
    for path in PAGES:
        titles = re.findall(r"<title>(.*?)</title>", path.read_text("utf-8"))
        assert all(re.fullmatch(r"[\w :]+", one) for one in titles)
