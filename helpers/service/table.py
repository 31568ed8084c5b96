"""The table of every act and every question that a person can ask a running host for. No function is loaded here."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from importlib import import_module
from typing import Any, Final, NamedTuple, get_type_hints

from ..knowledge.shelving import CurationVerb
from .arguments import AddRecord, OneRecord, Question, RevertRecord, UpdateRecord

_PACKAGE = __package__.rpartition(".")[0]


class Needs(Enum):
    """The first argument of an act's function: nothing, a folder as it is held or saved, or a running host's folder."""

    NOTHING = auto()
    FOLDER = auto()
    HOST = auto()


class ActRow(NamedTuple):
    """An act or a question; `place` names its function ("host.page.notes:show_note"), loaded when it is asked for.

    `inverse` is the act that takes it back, where there is one; `fixed` is passed to the function before the arguments,
    whose `model` is given where the last parameter of the function does not name it.
    """

    name: str
    place: str
    needs: Needs = Needs.HOST
    inverse: str = ""
    fixed: tuple[Any, ...] = ()
    model: type[Question] | None = None

    @property
    def run(self) -> Callable[..., dict[str, Any]]:
        """The function of the act."""
        module, name = self.place.split(":")
        function: Callable[..., dict[str, Any]] = getattr(import_module(f"{_PACKAGE}.{module}"), name)
        return function

    @property
    def arguments(self) -> type[Question]:
        """The model of the arguments."""
        if self.model is not None:
            return self.model
        *_, last = (hint for name, hint in get_type_hints(self.run).items() if name != "return")
        kind: type[Question] = last
        return kind


_TAKE_BACK: Final = "memories.take_back"
_UNDO_ENTRY: Final = "knowledge.undo"
_DECIDE_ENTRY: Final = "host.page.knowledge:decide_entry"
_REVERT: Final = "vault.revert"


def _changing(action: str, inverse: str = _TAKE_BACK) -> ActRow:
    return ActRow(f"memories.{action}", "host.page.acting:change_memories", inverse=inverse, fixed=(action,))


def _writing(name: str, method: str, model: type[Question], inverse: str = _REVERT) -> ActRow:
    return ActRow(name, "host.page.vault:write_record", inverse=inverse, fixed=(method,), model=model)


_ALL: Final = (
    ActRow("overview.read", "host.page.overview:read_overview"),
    ActRow("overview.check", "host.page.overview:check_folder"),
    ActRow("inbox.list", "service.inbox:list_inbox", Needs.FOLDER),
    ActRow("inbox.decide", "host.page.acting:decide_item", inverse=_TAKE_BACK),
    ActRow("inbox.accept", "host.page.acting:accept_proposals", inverse=_TAKE_BACK),
    ActRow("memories.list", "service.rows:list_memories", Needs.FOLDER),
    ActRow("memories.stamps", "host.page.acting:list_stamps"),
    ActRow("memories.show", "service.detail:show_memory", Needs.FOLDER),
    *map(_changing, ("retire", "restore", "confirm", "archive", "protect", "leave_out", "put_in", "undo")),
    _changing("erase", inverse=""),
    ActRow("memories.correct", "host.page.acting:correct_memories", inverse=_TAKE_BACK),
    ActRow("memories.write", "host.page.acting:write_memory", inverse=_TAKE_BACK),
    ActRow("memories.import", "host.page.carrying:import_file"),
    ActRow("memories.move", "host.page.carrying:move_memories", inverse="memories.move"),
    ActRow("memories.export", "host.page.carrying:export_memories"),
    ActRow(_TAKE_BACK, "host.page.acting:take_back_acts", inverse=_TAKE_BACK),
    ActRow("maintenance.read", "host.page.maintenance:read_maintenance"),
    ActRow("maintenance.state", "host.page.maintenance:read_state"),
    ActRow("maintenance.try", "host.page.maintenance:begin_run", fixed=("trial",)),
    ActRow("maintenance.run", "host.page.maintenance:begin_run", fixed=("real",)),
    ActRow("maintenance.stop", "host.page.maintenance:stop_run"),
    ActRow("backup.read", "host.page.backup:read_backup"),
    ActRow("backup.state", "host.page.backup:read_order"),
    ActRow("backup.list", "host.page.backup:list_backup"),
    ActRow("backup.try", "host.page.backup:try_restore"),
    ActRow("backup.restore", "host.page.backup:restore"),
    ActRow("backup.repair", "host.page.backup:repair"),
    ActRow("backup.doctor", "host.page.backup:read_doctor"),
    ActRow("recall.list", "host.page.recall:list_recalls"),
    ActRow("recall.show", "host.page.recall:show_recall"),
    ActRow("recall.ask", "host.page.recall:ask_recall"),
    ActRow("vault.list", "host.page.vault:list_records"),
    ActRow("vault.show", "host.page.vault:show_record"),
    ActRow("vault.preview", "host.page.vault:preview_vault"),
    _writing("vault.add", "add_memory", AddRecord, "vault.retire"),
    _writing("vault.update", "update_memory", UpdateRecord),
    _writing("vault.promote", "promote_to_canon", OneRecord),
    _writing("vault.retire", "delete_memory", OneRecord),
    _writing(_REVERT, "revert_memory", RevertRecord),
    ActRow("notes.list", "host.page.notes:list_notes"),
    ActRow("notes.show", "host.page.notes:show_note"),
    ActRow("notes.preview", "host.page.notes:preview_notes"),
    ActRow("notes.search", "host.page.notes:find_pieces"),
    ActRow("knowledge.list", "host.page.knowledge:list_entries"),
    ActRow("knowledge.show", "host.page.knowledge:show_entry"),
    *(ActRow(f"knowledge.{verb.value}", _DECIDE_ENTRY, inverse=_UNDO_ENTRY, fixed=(verb,)) for verb in CurationVerb),
    ActRow("knowledge.edit", "host.page.knowledge:edit_entry", inverse=_UNDO_ENTRY),
    ActRow(_UNDO_ENTRY, "host.page.knowledge:undo_decision"),
    ActRow("settings.read", "host.page.settings:read_settings", Needs.NOTHING),
    ActRow("settings.check", "host.page.settings:check_settings", Needs.NOTHING),
)
ACTS: Final = {act.name: act for act in _ALL}
