"""The table of every act and every question, as `acts.toml` declares them. No function is loaded here."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import Any, Final, NamedTuple, get_type_hints

from ..language.tables import read_table
from . import arguments
from .arguments import Question

_PACKAGE = __package__.rpartition(".")[0]


class Needs(StrEnum):
    """The first argument of an act's function: nothing, a folder as it is held or saved, or a running host's folder."""

    NOTHING = "nothing"
    FOLDER = "folder"
    HOST = "host"


class ActRow(NamedTuple):
    """An act or a question; `place` names its function ("host.page.notes:show_note"), loaded when it is asked for.

    `inverse` is the act that takes it back, where there is one; `fixed` is passed to the function before the arguments,
    whose `model` is named where the last parameter of the function does not do it.
    """

    name: str
    place: str
    needs: Needs = Needs.HOST
    inverse: str = ""
    fixed: tuple[str, ...] = ()
    model: str = ""

    @property
    def run(self) -> Callable[..., dict[str, Any]]:
        """The function of the act."""
        module, name = self.place.split(":")
        function: Callable[..., dict[str, Any]] = getattr(import_module(f"{_PACKAGE}.{module}"), name)
        return function

    @property
    def arguments(self) -> type[Question]:
        """The model of the arguments."""
        *_, last = (hint for name, hint in get_type_hints(self.run).items() if name != "return")
        kind: type[Question] = getattr(arguments, self.model) if self.model else last
        return kind


def _read_rows(group: str, rows: dict[str, dict[str, str]]) -> list[ActRow]:
    return [
        ActRow(
            f"{group}.{name}",
            row["run"],
            Needs(row.get("needs", Needs.HOST)),
            row.get("inverse", ""),
            (row["fixed"],) if "fixed" in row else (),
            row.get("model", ""),
        )
        for name, row in rows.items()
    ]


_GROUPS: Final = read_table(__file__, "acts")
ACTS: Final = {act.name: act for group, rows in _GROUPS.items() for act in _read_rows(group, rows)}
