"""Make the commands of `commands.toml`; the module that runs a command is imported only when it is called."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import click
from click.core import ParameterSource

from ..language.tables import read_table
from .output import tell as tell
from .output import waiting

DONE, PROBLEMS, MISUSE = 0, 1, 2

#: The values of a command's parameters by their names; and `load`, which returns the embedding model.
Options: TypeAlias = SimpleNamespace

_PACK = __package__.rpartition(".")[0]
_TABLE: Final = read_table(__file__, "commands")
#: The names of the commands by the titles of the help, in its order.
SECTIONS: Final = {title: names.split() for title, names in _TABLE["sections"].items()}
FOLDER_VARIABLE: Final = "MEMORY_LEDGER_FOLDER"
#: Where Agent Zero keeps its memories: from v0.9.8 on, and before.
_OF_AGENT_ZERO: Final = (Path("usr/memory/default"), Path("memory/default"))
#: Files that only a store has.
_OF_STORE: Final = ("index.pkl", "index.faiss")


class _Share(click.FloatRange):
    """A number from 0 to 1; click's own range lets `nan` pass."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        share = super().convert(value, param, ctx)
        if math.isnan(share):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return share


_PATH = click.Path(path_type=Path)
#: A count; and a number of days, a century at most.
_TYPES: Mapping[str, Any] = {
    "path": _PATH,
    "folder": _PATH,
    "near_folder": _PATH,
    "share": _Share(0, 1),
    "count": click.IntRange(min=1, max=1_000_000),
    "days": click.IntRange(min=1, max=36_525),
}


def _read_moment(ctx: click.Context, parameter: click.Parameter, text: str | None) -> datetime | None:
    """Return the time that an option names; raises BadParameter."""
    from ..clock import parse_time

    moment = None if text is None else parse_time(text)
    if text is not None and moment is None:
        raise click.BadParameter(f"{text!r} is not an ISO 8601 time", ctx, parameter)
    return moment


def _read_age(ctx: click.Context, parameter: click.Parameter, text: str) -> timedelta:
    """Return the age that an option names, such as 90d; raises BadParameter."""
    from ..quality.objects import QualityError, parse_duration

    try:
        return parse_duration(text, "it")
    except QualityError as exc:
        raise click.BadParameter(str(exc), ctx, parameter) from exc


def _or_nearest(ctx: click.Context, parameter: click.Parameter, folder: Path | None) -> Path | None:
    """Return `folder`, or the one that the working folder lies in; raises UsageError where there is none."""
    if folder is not None or ctx.resilient_parsing:
        return folder
    return find_here(
        "memory folder", f"--folder DIR, {FOLDER_VARIABLE}=DIR, or a working folder inside of Agent Zero's"
    )


_CALLBACKS: Mapping[str, Any] = {"moment": _read_moment, "age": _read_age, "near_folder": _or_nearest}


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


def help_of(name: str) -> str:
    """Return the help text of a command."""
    return str(_TABLE[name]["help"])


def make_command(name: str) -> click.Command:
    """Return a command of the table, or a group with its commands, which begin with its name."""
    row = _TABLE[name]
    inner = [other for other in _TABLE if other.startswith(f"{name} ")]
    if inner:
        return Suggesting(name, help=row["help"], commands=[make_command(command) for command in inner])
    group, _, own_name = name.rpartition(" ")
    run = partial(_run, _TABLE[group or name]["module"], own_name, only_looks=row.get("only_looks", False))
    params = [
        _make_parameter(_TABLE["shared"].get(taken, taken) if isinstance(taken, str) else taken)
        for taken in row["takes"]
    ]
    made = Command(own_name, callback=run, params=params, help=row["help"], epilog=row.get("note"))
    made.examples = "\n".join(row.get("typed", ()))
    return made


def _run(module: str, name: str, *, only_looks: bool, **arguments: Any) -> int | None:
    """Run the function of a command; a damaged file stays in place if it only looks, or with `--dry-run`."""
    from ..store.damage import only_looking

    run: Callable[[Options], int | None] = vars(import_module(f".{module}", __package__))[
        f"_run_{name.replace('-', '_')}"
    ]
    with only_looking() if only_looks or arguments.get("dry_run") else nullcontext():
        return run(SimpleNamespace(**arguments, load=click.get_current_context().obj or load_embedder))


def _make_parameter(row: Mapping[str, Any]) -> click.Parameter:
    """Return the option or the argument of a row of the table."""
    choices = [*_list_choices(row.get("choices", ()))]
    kind = row.get("type", "")
    settings: dict[str, Any] = {
        "metavar": row.get("value"),
        "type": click.Choice(choices) if choices else _TYPES.get(kind),
        "callback": _CALLBACKS.get(kind),
        "help": row["help"].format(choices=", ".join(choices)) if choices else row["help"],
        **({"default": row["default"]} if "default" in row else {}),
    }
    if "name" in row:
        many = -1 if row.get("many") else 1
        return Argument(row["name"], nargs=many, required=row.get("required", True), **settings)
    names = [*row["names"].split(), *([row["called"]] if "called" in row else [])]
    if kind.endswith("folder"):
        names, settings = [*names, "folder"], {**settings, "envvar": FOLDER_VARIABLE}
    settings |= {"multiple": row.get("many", False), **({"is_flag": True} if row.get("flag") else {})}
    return click.Option(names, required=row.get("required", False), **settings)


def _list_choices(rows: list[str]) -> Iterator[str]:
    """Yield the values of choices, of which one such as "records:Source" stands for the members of an enumeration."""
    for choice in rows:
        module, _, enumeration = choice.partition(":")
        yield from map(str, vars(import_module(f"{_PACK}.{module}"))[enumeration]) if enumeration else (choice,)


def load_embedder() -> Any:
    """Load the host's default embedding model; it brings torch with it, so most commands do without."""
    with waiting("loading the embedding model"):
        from ..store.embedding import load_minilm

        return load_minilm()


def find_here(noun: str, allowed: str) -> Path:
    """Return the memory folder that the working folder lies in: itself, one above it, or Agent Zero's default one.

    A folder below the working folder is returned as a relative path. Raises UsageError where there is none.
    """
    place = Path.cwd()
    for parent in (place, *place.parents):
        if any((parent / name).exists() for name in _OF_STORE):
            return parent
        for below in _OF_AGENT_ZERO:
            if (parent / below).is_dir():
                return below if parent == place else parent / below
    raise click.UsageError(f"no {noun} is in {place} or above it; allowed: {allowed}")


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
