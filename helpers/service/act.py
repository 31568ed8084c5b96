"""One row of the table of acts: what is asked for by which name, and which function of which arguments answers it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

from .arguments import Question

_PACKAGE = __package__.rpartition(".")[0]


class Needs(Enum):
    """What an act is done with: nothing, a memory folder as it is held or saved, or a running host's."""

    NOTHING = auto()
    FOLDER = auto()
    HOST = auto()


class ActRow(NamedTuple):
    """An act or a question; `place` names its function ("host.page.vault:add_record"), loaded when it is asked for.

    `inverse` is the act that takes it back, where there is one; `fixed` goes to the function before the arguments.
    """

    name: str
    place: str
    needs: Needs = Needs.HOST
    inverse: str = ""
    fixed: tuple[Any, ...] = ()

    @property
    def run(self) -> Callable[..., dict[str, Any]]:
        """The function that answers."""
        module, name = self.place.split(":")
        found: Callable[..., dict[str, Any]] = getattr(import_module(f"{_PACKAGE}.{module}"), name)
        return found

    @property
    def arguments(self) -> type[Question]:
        """What it is asked with: the type of the last parameter of its function."""
        *_, last = (one for name, one in get_type_hints(self.run).items() if name != "return")
        kind: type[Question] = last
        return kind
