"""The man page, written from the same text as `--help`, so that neither says what the other does not.

    python generators/man_page.py FOLDER

writes `docs/memory-ledger.1` into FOLDER.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

import click
from generating import write_files
from memory_ledger import __version__
from memory_ledger.cli.app import ROOT, SECTIONS
from memory_ledger.cli.declaring import Argument, Command
from memory_ledger.cli.options import FOLDER, FOLDER_VARIABLE

PAGE = "docs/memory-ledger.1"
_NAME = "memory-ledger"
_OVER_THE_PAGE = r""".\" Written by generators/man_page.py; do not edit."""
_STATUS = (
    ("0", "done"),
    ("1", "there were problems, which are told; what could be done is done"),
    ("2", "the command was not understood, and nothing was done"),
)
_ENVIRONMENT = (
    (FOLDER_VARIABLE, FOLDER.help or ""),
    ("NO_COLOR", "if it is set, nothing is coloured"),
)
_CODE = re.compile(r"`([^`]+)`")
#: What roff would take for something else than the character.
_ESCAPED = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}


def render_page() -> str:
    """Return the page in the language of man pages."""
    context = click.Context(ROOT, info_name=_NAME)
    purpose = (ROOT.help or "").rstrip(".")
    lines = [
        _OVER_THE_PAGE,
        f'.TH {escape(_NAME.upper())} 1 "" "Memory Ledger {escape(__version__)}" "User Commands"',
        ".SH NAME",
        f"{escape(_NAME)} \\- {_text(purpose[:1].lower() + purpose[1:])}",
        ".SH SYNOPSIS",
        *_paragraph(f"`{_NAME}` {' '.join(ROOT.collect_usage_pieces(context))}"),
        ".SH DESCRIPTION",
        *_paragraph(ROOT.epilog or ""),
        *_records(_options(ROOT, context)),
    ]
    for title, section in SECTIONS.items():
        lines.append(f'.SH "{escape(title.upper())}"')
        for name in section:
            command = ROOT.get_command(context, name)
            assert command is not None, name
            lines += _command(command, click.Context(command, context, name))
    for title, records in (("ENVIRONMENT", _ENVIRONMENT), ("EXIT STATUS", _STATUS)):
        lines += [f'.SH "{title}"', *_records(records)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return a text that roff shows as it is."""
    shown = "".join(_ESCAPED.get(one, one if one.isascii() else f"\\[u{ord(one):04X}]") for one in text)
    return f"\\&{shown}" if shown.startswith(".") else shown


def _text(text: str) -> str:
    """Return a text of the help, with what stands between backquotes in bold."""
    pieces = _CODE.split(" ".join(text.split()))
    return "".join(f"\\fB{escape(one)}\\fR" if place % 2 else escape(one) for place, one in enumerate(pieces))


def _paragraph(text: str) -> list[str]:
    return [".PP", _text(text)] if text else []


def _records(records: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, told in records:
        yield from (".TP", f"\\fB{escape(name)}\\fR", _text(told))


def _options(command: click.Command, context: click.Context) -> list[tuple[str, str]]:
    """Return how each option is written and what it does, but for the one that shows the help."""
    found = (one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option))
    return [record for record in found if record is not None and "--help" not in record[0]]


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the part on a command, and after it those on the verbs of a group."""
    path = context.command_path.removeprefix(f"{_NAME} ")
    yield f'.SS "{escape(path)}"'
    yield from _paragraph(command.help or "")
    yield from _paragraph(f"`{_NAME} {path}` {' '.join(command.collect_usage_pieces(context))}")
    yield from _records([one.help_record() for one in command.params if isinstance(one, Argument)])
    yield from _records(_options(command, context))
    yield from _paragraph(command.epilog or "")
    if isinstance(command, Command):
        yield from (".PP", "Examples:", ".PP", ".RS", ".nf", *map(escape, command.examples), ".fi", ".RE")
    if isinstance(command, click.Group):
        for name, verb in sorted(command.commands.items()):
            yield from _command(verb, click.Context(verb, context, name))


def main(argv: Sequence[str]) -> int:
    """Write the page into the folder named by `argv`; 0 when done, 2 on misuse."""
    return write_files(argv, __doc__, lambda _: {PAGE: render_page()})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
