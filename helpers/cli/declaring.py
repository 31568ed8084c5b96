"""Declare a command: its options, its arguments and its examples stand above the function that runs it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from .output import tell as tell

DONE, PROBLEMS, MISUSE = 0, 1, 2

#: The values of a command's parameters by their names; and `load`, which returns the embedding model.
Options: TypeAlias = SimpleNamespace
#: Runs a command; returns its exit code, None when all is done.
Run = Callable[[Options], int | None]


class Argument(click.Argument):
    """An argument with a help text, which click itself has only from 8.5 on."""

    def __init__(self, name: str, *, help: str, **settings: Any) -> None:
        super().__init__([name], **settings)
        self.description = help

    def help_record(self) -> tuple[str, str]:
        """Return the argument as it is typed, and its help text."""
        return (self.metavar or (self.name or "").upper()).strip("[].").rstrip("]"), self.description


class Command(click.Command):
    """A command whose help ends with examples: lines of what is typed after its name."""

    examples = ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, then the options."""
        if records := [param.help_record() for param in self.params if isinstance(param, Argument)]:
            with formatter.section("Arguments"):
                formatter.write_dl(records)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the note, and the examples as they are typed."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples.split("\n"):
                line = f"{ctx.command_path} {example}".rstrip()
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


class Suggesting(click.Group):
    """A group that suggests the nearest command for an unknown name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` begin with; raises UsageError where there is none."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            known = self.list_commands(ctx)
            near = difflib.get_close_matches(args[0], known, n=2)
            meant = f"did you mean {' or '.join(near)}?" if near else f"allowed: {', '.join(known)}"
            raise click.UsageError(f"no command {args[0]!r}; {meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its whole help text, which click would truncate."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help or "") for name, command in sorted(self.commands.items())])


def command(
    *params: click.Parameter, examples: str = "", note: str = "", only_looks: bool = False
) -> Callable[[Run], Command]:
    """Make a command of a function `_run_NAME`; its docstring is the help of a command in a group.

    A damaged file stays in place if the command `only_looks`, or with `--dry-run`.
    """

    def make(run: Run) -> Command:
        def call(**arguments: Any) -> int | None:
            from ..store.damage import only_looking

            with only_looking() if only_looks or arguments.get("dry_run") else nullcontext():
                return run(SimpleNamespace(**arguments, load=click.get_current_context().obj or load_embedder))

        name = run.__name__.removeprefix("_run_").replace("_", "-")
        made = Command(name, callback=call, params=list(params), help=run.__doc__, epilog=note)
        made.examples = examples
        return made

    return make


def load_embedder() -> Any:
    """Load the host's default embedding model; it brings torch with it, so most commands do without."""
    from .output import waiting

    with waiting("loading the embedding model"):
        from ..store.embedding import load_minilm

        return load_minilm()


def group(name: str, *commands: Command) -> Suggesting:
    """Return a group of commands, such as `vault`."""
    return Suggesting(name, commands=list(commands))


def flag(name: str, help: str, *, called: str | None = None) -> click.Option:
    """Return an option without a value; `called` names its parameter."""
    return click.Option([name, *([called] if called else [])], is_flag=True, help=help)


def option(names: str | tuple[str, ...], metavar: str, help: str, **settings: Any) -> click.Option:
    """Return an option with a value, which its help shows as `metavar`; `names` as click takes them."""
    return click.Option([names] if isinstance(names, str) else list(names), metavar=metavar, help=help, **settings)


def choice(names: str | tuple[str, ...], allowed: Iterable[str], help: str, **settings: Any) -> click.Option:
    """Return an option whose value is one of `allowed`; a member of a StrEnum stands for its value."""
    return option(names, settings.pop("metavar", None), help, type=click.Choice([*map(str, allowed)]), **settings)


def drop_default_folder(options: Options, beside: object) -> None:
    """Ignore the folder that the environment names where an argument names other input (`beside`)."""
    if beside is not None and click.get_current_context().get_parameter_source("folder") is ParameterSource.ENVIRONMENT:
        options.folder = None


def only_one(choices: dict[str, object], *, is_required: bool = True) -> None:
    """Raise UsageError unless exactly one of the options has a value; with `is_required` false, at most one.

    `choices` maps each option, as it is typed, to its value.
    """
    count = sum(value not in (None, False, ()) for value in choices.values())
    if count > 1 or (is_required and not count):
        count_in_words = "more than one is given" if count else "nothing is given"
        raise click.UsageError(
            f"{count_in_words}; allowed: {'one' if is_required else 'at most one'} of {', '.join(choices)}"
        )
