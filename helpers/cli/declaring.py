"""How a command is declared: its options, its arguments and its examples; what it does is a function beside it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from .streams import tell as tell

DONE, PROBLEMS, MISUSE = 0, 1, 2

#: What was given to a command, by the names of its parameters; and `load`, which returns the embedding model.
Options: TypeAlias = SimpleNamespace
Run = Callable[[Options], int]


class Argument(click.Argument):
    """An argument that its command's help explains, which click itself does only from 8.5 on."""

    def __init__(self, name: str, *, help: str, **how: Any) -> None:
        super().__init__([name], **how)
        self.told = help

    def help_record(self) -> tuple[str, str]:
        """Return how it is written, and what it is."""
        return (self.metavar or (self.name or "").upper()).strip("[].").rstrip("]"), self.told


class Command(click.Command):
    """A command whose help ends with examples."""

    def __init__(self, name: str, *, examples: Sequence[str], **how: Any) -> None:
        super().__init__(name, **how)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, then the options."""
        if records := [param.help_record() for param in self.params if isinstance(param, Argument)]:
            with formatter.section("Arguments"):
                formatter.write_dl(records)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what is to be noted, and the examples as they are typed."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Suggesting(click.Group):
    """A group that names the nearest command where there is none of a name."""

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
        """Write each command with all of its help, which click would cut."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.help or "") for name, one in sorted(self.commands.items())])


def declare(
    name: str,
    run: Run,
    *params: click.Parameter,
    examples: Sequence[str],
    help: str = "",
    note: str = "",
    only_looks: bool = False,
) -> Command:
    """Return a command that calls `run`; where it only looks, or with `--dry-run`, no damaged file is set aside."""

    def call(**given: Any) -> int:
        from ..store.damage import only_looking

        with only_looking() if only_looks or given.get("dry_run") else nullcontext():
            return run(SimpleNamespace(**given, load=click.get_current_context().obj or load_embedder))

    return Command(name, callback=call, params=list(params), help=help, epilog=note, examples=examples)


def load_embedder() -> Any:
    """Load the host's default embedding model; it brings torch with it, so most commands do without."""
    from .progress import waiting

    with waiting("loading the embedding model"):
        from ..store.embedding import load_minilm

        return load_minilm()


def group(name: str, *commands: Command) -> Suggesting:
    """Return a group of commands, such as `vault`."""
    return Suggesting(name, commands=list(commands))


def flag(name: str, help: str, *, called: str | None = None) -> click.Option:
    """Return an option that is given or not."""
    return click.Option([name, *([called] if called else [])], is_flag=True, help=help)


def drop_default_folder(options: Options, beside: object) -> None:
    """Forget a folder that only the environment names, where what the command is about is given otherwise."""
    if beside is not None and click.get_current_context().get_parameter_source("folder") is ParameterSource.ENVIRONMENT:
        options.folder = None


def only_one(given: dict[str, object], *, is_required: bool = True) -> None:
    """Refuse, as misuse, all but one of some options, by how they are written; or none, where one is required."""
    count = sum(one not in (None, False, ()) for one in given.values())
    if count > 1 or (is_required and not count):
        found = "more than one is given" if count else "nothing is given"
        raise click.UsageError(f"{found}; allowed: {'one' if is_required else 'at most one'} of {', '.join(given)}")
