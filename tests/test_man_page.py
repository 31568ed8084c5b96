"""Issue 22: a man page from the same text as the help, current, and read by groff without a warning."""

import re
import shutil
import subprocess
from pathlib import Path

import click
import man_page
import pytest
from documents import ROOT as FOLDER
from memory_ledger import __version__
from memory_ledger.cli.app import ROOT, SECTIONS

NAME = "memory-ledger"
needs_groff = pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")


def _commands() -> list[tuple[str, click.Command]]:
    """Return every command and every verb, by what is typed for it."""
    context = click.Context(ROOT, info_name=NAME)
    found = []
    for section in SECTIONS.values():
        for name in section:
            command = ROOT.get_command(context, name)
            verbs = command.commands.items() if isinstance(command, click.Group) else ()
            found += [(name, command), *((f"{name} {verb}", one) for verb, one in verbs)]
    return found


@pytest.fixture(scope="module")
def shown() -> str:
    """The page as a reader sees it, in lines that are long enough for everything."""
    text = _read((FOLDER / man_page.PAGE).read_text("utf-8"), "-rLL=400n")
    return " ".join(text.split())


def _read(page: str, *options: str) -> str:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-c", *options],
        input=page,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    return re.sub(r".\x08", "", done.stdout)


def test_the_page_is_current(tmp_path: Path) -> None:
    """Issue 22: a changed help needs `make docs`."""
    assert man_page.main([str(tmp_path)]) == 0
    assert (tmp_path / man_page.PAGE).read_text("utf-8") == (FOLDER / man_page.PAGE).read_text("utf-8")
    assert man_page.main([]) == 2


@needs_groff
def test_every_command_stands_in_the_page_with_all_its_help(shown: str) -> None:
    """Issue 22: sections, commands, arguments, options and examples, as `--help` has them."""
    assert len(_commands()) > len(SECTIONS)
    for title in SECTIONS:
        assert title.upper() in shown
    context = click.Context(ROOT, info_name=NAME)
    for path, command in _commands():
        assert f"{NAME} {path} [OPTIONS]" in shown
        records = [one.help_record() for one in command.params if isinstance(one, click.Argument)]
        records += [
            one.get_help_record(context) for one in command.params if isinstance(one, click.Option) and not one.hidden
        ]
        for written, told in records:
            assert " ".join(f"{written} {told}".split()).replace("`", "") in shown, (path, written)
        for part in (command.help, command.epilog, *getattr(command, "examples", ())):
            assert " ".join((part or "").split()).replace("`", "") in shown, path


@needs_groff
def test_the_page_says_which_version_it_is_of_and_how_a_command_ends(shown: str) -> None:
    assert f"Memory Ledger {__version__}" in shown
    for part in ("memory-ledger - show, query", "MEMORY_LEDGER_FOLDER", "EXIT STATUS 0 done 1 there were problems"):
        assert part in shown


@needs_groff
@pytest.mark.parametrize(
    "text",
    ["plain", "--dry-run", r"C:\new", ".dot", "'quoted'", '"double"', "a`b^c~d", "caf\u00e9 \u2026", "'", ".TH x"],
)
def test_roff_shows_a_text_as_it_is(text: str) -> None:
    """No character of a text is a command of the page's own language."""
    page = f'.TH X 1\n.SH "{man_page.escape(text)}"\n.PP\n{man_page.escape(text)}\n'
    assert _read(page).splitlines().count(text) >= 1
    assert f"       {text}" in _read(page).splitlines()
