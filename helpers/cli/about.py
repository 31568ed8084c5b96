"""`demo` and `completion`: show the pack at work, and complete its commands in a shell; neither needs a store."""

from __future__ import annotations

import sys

import click

from .declaring import DONE, PROBLEMS, Argument, Options, declare, flag, option
from .options import PATH
from .streams import unguarded

_SHELLS = ("bash", "zsh", "fish")


def _run_demo(options: Options) -> int:
    from ..demo.command import run_demo

    return DONE if run_demo(unguarded(sys.stdout), options.folder, is_whole=options.all) else PROBLEMS


def _run_completion(options: Options) -> None:
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root()
    name = root.info_name or ""
    made = get_completion_class(options.shell)
    assert made is not None, options.shell
    print(made(root.command, {}, name, f"_{name.replace('-', '_').upper()}_COMPLETE").source())


_KEPT = option("--folder", "DIR", "keep the memory folder of the conversation in this new folder", type=PATH)
_SHELL = Argument(
    "shell", type=click.Choice(_SHELLS), metavar="SHELL", help=f"the shell that you use: {', '.join(_SHELLS)}"
)
COMMANDS = (
    declare(
        "demo",
        _run_demo,
        flag("--all", "show the conversation turn by turn"),
        _KEPT,
        examples=("memory-ledger demo --all",),
    ),
    declare("completion", _run_completion, _SHELL, examples=('eval "$(memory-ledger completion bash)"',)),
)
