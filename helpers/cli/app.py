"""The commands, in groups; a command's module is imported only when it is called, so that the help is fast."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import click
from click.shell_completion import CompletionItem

from .. import __version__
from .declaring import DONE, PROBLEMS, Argument, Options, Suggesting, command, flag, option
from .output import unguarded


class _Entry(NamedTuple):
    """The module that declares a command, and its help text."""

    module: str
    help: str


#: In the order of the help.
SECTIONS: Final = {
    "Ask and look": {
        "ask": _Entry("asking", "show what would be recalled for a question, and why"),
        "list": _Entry("looking", "list memories, the newest first; by words, status, source, area and time"),
        "rules": _Entry("looking", "list what you want always or never, in every prompt; take a rule out or put it in"),
        "show": _Entry("looking", "show one memory: text, status, evidence, timeline, and how to undo its last change"),
        "history": _Entry("looking", "list everything that was ever believed about something, or at a given time"),
        "conflicts": _Entry("deciding", "list the memories that contradict each other"),
        "stats": _Entry("upkeep", "count the memories by status, source, utility and area; and the size on disk"),
        "status": _Entry("upkeep", "show pending requests, and the outcome of the latest ones"),
        "doctor": _Entry("upkeep", "check a memory folder and the installation, and suggest fixes"),
        "recall": _Entry("asking", "answer a file of queries from a store, or from a file of memories"),
    },
    "Decide": {
        "review": _Entry("deciding", "list what needs you (conflicts, proposals, secrets, ...), and answer"),
        "resolve": _Entry("deciding", "resolve a conflict; no rule decides it again"),
        "undo": _Entry("deciding", "bring back a retired memory, or a retired part of one"),
        "adopt": _Entry("upkeep", "show or accept what would be retired among the memories from before the pack"),
        "erase": _Entry("backup", "permanently delete a memory, from every file that contains it"),
    },
    "Quality": {
        "quality": _Entry("quality", "report how good the memories of a folder are"),
        "validate": _Entry("quality", "check every memory, or one, the chain and the signatures"),
        "link": _Entry("quality", "say how one memory relates to another: it supports it, causes it, is part of it"),
        "unlink": _Entry("quality", "remove a link that was made with `link`"),
        "refresh": _Entry("quality", "confirm that a memory is still valid, and reset its staleness"),
        "archive-stale": _Entry("quality", "archive memories that are stale and old; nothing is deleted"),
        "sign-anew": _Entry("quality", "sign all memories anew after a break of the chain, which stays on record"),
    },
    "Backup and upkeep": {
        "restore": _Entry("backup", "restore memories that the backup has and the store has lost"),
        "repair": _Entry("backup", "re-embed texts that have no vector of their own"),
        "maintain": _Entry("upkeep", "archive, link, flag and repair the memories of a store now"),
        "strip": _Entry("upkeep", "remove the ledger's metadata from a store while Agent Zero is stopped"),
    },
    "Import and export": {
        "ingest": _Entry("transfers", "import your own data into a store; can be interrupted and resumed"),
        "add": _Entry("transfers", "store one memory"),
        "export": _Entry("transfers", "write every memory of a folder as JSON Lines"),
        "import": _Entry("transfers", "import an export into another folder"),
        "copy": _Entry("transfers", "copy memories into another folder, or into a project's"),
        "move": _Entry("transfers", "move memories; they leave the old folder once the new one has them"),
    },
    "Vault, notes and knowledge": {
        "vault": _Entry("vault", "manage the small, curated store of permanent facts"),
        "notes": _Entry("notes", "index and search the notes you keep for the agent"),
        "knowledge": _Entry("knowledge", "manage what agents have learned together from their audit logs"),
    },
    "Filters: JSON Lines in, JSON Lines out": {
        "classify": _Entry("filters", "find the source and the status of memories"),
        "contradict": _Entry("filters", "compare two memories and show the outcome"),
        "duplicate": _Entry("filters", "check whether two texts are the same memory in other words"),
        "scan": _Entry("filters", "find passwords, keys, card numbers and the like in texts or in a store"),
    },
    "About": {
        "demo": _Entry("app", "replay a scripted conversation and show what the pack does"),
        "completion": _Entry("app", "print a shell completion script"),
    },
}
_ENTRIES: Final = {name: entry for section in SECTIONS.values() for name, entry in section.items()}


class _Root(Suggesting):
    """All commands, by their sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_ENTRIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command with its help; None if no command has this name."""
        entry = _ENTRIES.get(cmd_name)
        if entry is None:
            return None
        declared = vars(import_module(f".{entry.module}", __package__)).values()
        command = next(value for value in declared if isinstance(value, click.Command) and value.name == cmd_name)
        command.help = entry.help
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`; no command is loaded."""
        named = [(name, entry) for name, entry in _ENTRIES.items() if name.startswith(incomplete)]
        items = [CompletionItem(name, help=entry.help) for name, entry in named]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections; no command is loaded for that."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in section.items()])


ROOT: Final = _Root(
    "memory-ledger",
    help="Show, query and change what Memory Ledger keeps and decides.",
    epilog="`memory-ledger COMMAND --help` shows the options of a command, and examples.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[],
)
click.version_option(__version__, message="memory-ledger %(version)s")(ROOT)

_SHELLS = ("bash", "zsh", "fish")


@command(
    flag("--all", "show the conversation turn by turn"),
    option(
        "--folder",
        "DIR",
        "keep the memory folder of the conversation in this new folder",
        type=click.Path(path_type=Path),
    ),
    examples="--all",
)
def _run_demo(options: Options) -> int:
    from ..demo.show import run_demo

    return DONE if run_demo(unguarded(sys.stdout), options.folder, is_whole=options.all) else PROBLEMS


@command(
    Argument(
        "shell", type=click.Choice(_SHELLS), metavar="SHELL", help=f"the shell that you use: {', '.join(_SHELLS)}"
    ),
    examples="bash",
)
def _run_completion(options: Options) -> None:
    from click.shell_completion import get_completion_class

    name, made = "memory-ledger", get_completion_class(options.shell)
    assert made is not None, options.shell
    print(made(ROOT, {}, name, "_MEMORY_LEDGER_COMPLETE").source())
