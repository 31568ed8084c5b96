"""The root of all commands, in the sections of the help; and the demo and the completion."""

from __future__ import annotations

import sys
from typing import Final

import click
from click.shell_completion import CompletionItem

from .. import __version__
from .declaring import DONE, PROBLEMS, SECTIONS, Options, Suggesting, help_of, make_command
from .output import unguarded

_NAMES: Final = [name for names in SECTIONS.values() for name in names]


class _Root(Suggesting):
    """All commands, by their sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return _NAMES

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if none has this name."""
        return make_command(cmd_name) if cmd_name in _NAMES else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`."""
        items = [CompletionItem(name, help=help_of(name)) for name in _NAMES if name.startswith(incomplete)]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, help_of(name)) for name in names])


ROOT: Final = _Root(
    "memory-ledger",
    help="Show, query and change what Memory Ledger keeps and decides.",
    epilog="`memory-ledger COMMAND --help` shows the options of a command, and examples.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[],
)
click.version_option(__version__, message="memory-ledger %(version)s")(ROOT)


def _run_demo(options: Options) -> int:
    from ..demo.show import run_demo

    return DONE if run_demo(unguarded(sys.stdout), options.folder, is_whole=options.all) else PROBLEMS


def _run_completion(options: Options) -> None:
    from click.shell_completion import get_completion_class

    name, made = "memory-ledger", get_completion_class(options.shell)
    assert made is not None, options.shell
    print(made(ROOT, {}, name, "_MEMORY_LEDGER_COMPLETE").source())
