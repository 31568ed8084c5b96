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
    needs: str = Needs.HOST
    inverse: str = ""
    fixed: str = ""
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


def _read_row(name: str, *, run: str, **row: str) -> ActRow:
    return ActRow(name, run, **row)


_ROWS: Final = {
    f"{group}.{act}": row for group, rows in read_table(__file__, "acts").items() for act, row in rows.items()
}
ACTS: Final = {name: _read_row(name, **row) for name, row in _ROWS.items()}
