"""Check memories: the built-in rules, what the chain says, and the validators of others (Q-29 ... Q-37, Q-49, Q-50)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, Protocol

from ...clock import Clock
from ...errors import Problem, reason_of, shorten
from ...quality.chain import ChainReport
from ...quality.validators import (
    NO_PROOF,
    Checked,
    MemoryObject,
    Proof,
    Validator,
    ValidatorError,
    check_built_in,
    parse_validator,
)
from ...records import Memory
from ...settings import Settings
from ..storage.damage import notices
from .chain_file import ChainFile
from .timebox import TimeBox

#: Where another distribution names its validators: an entry point is one, a list of them, or a function that makes one.
ENTRY_POINT_GROUP = "memory_ledger.validators"
_NEVER_SIGNED = "unsigned: it was there before memories were signed"
_NOT_CHAINED = "not in the chain yet"


class Checkable(Protocol):
    """What is needed of memories to check them."""

    clock: Clock

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory as its metadata says; None where there is none."""


class Checker:
    """Checks the memories of one store, or of a folder on disk."""

    def __init__(self, store: Checkable, settings: Settings, file: ChainFile) -> None:
        self._store = store
        self._settings = settings
        self._file = file
        self._box = TimeBox(settings.quality.validator_seconds)
        self._validators: dict[str, Validator] = {}
        for validator in find_validators():
            self.add(validator)

    def add(self, value: object) -> None:
        """Register a validator; one of the same name is replaced. Raises ValidatorError (Q-33, Q-50)."""
        validator = parse_validator(value)
        self._validators[validator.name] = validator

    def verify_chain(self) -> ChainReport:
        """Verify the whole chain now."""
        return self._file.verify(self._store.read_as_found)

    def check(self, shown: MemoryObject, memory: Memory | None = None, proof: Proof = NO_PROOF) -> list[str]:
        """Return what the rules and the validators find, each as "<rule>: <message>" (Q-34)."""
        errors = check_built_in(Checked(shown=shown, now=self._store.clock(), memory=memory, proof=proof))
        for validator in self._validators.values():
            if validator.applies_to(shown):
                message = self._box.ask(validator, shown)
                errors += [] if message is None else [f"{validator.name}: {message}"]
        return errors

    def proof(self, memory_id: str, report: ChainReport) -> Proof:
        """Return what the chain says of a stored memory: what nobody ever signed is valid, unless it must be signed."""
        line = report.lines.get(memory_id)
        signature_error, notes = report.signature_errors.get(memory_id), []
        if signature_error is None and (line is None or line.get("unsigned")):
            note = _NOT_CHAINED if line is None else _NEVER_SIGNED
            if self._settings.quality.require_signature:
                signature_error = note
            else:
                notes.append(note)
        return Proof(chain_error=report.error_of(memory_id), signature_error=signature_error, notes=tuple(notes))


def find_validators() -> list[Validator]:
    """Return the validators that other distributions bring; one that cannot be loaded is told of and no more."""
    found: list[Validator] = []
    for one in entry_points(group=ENTRY_POINT_GROUP):
        try:
            found += [parse_validator(value) for value in _load(one)]
        except Exception as exc:  # noqa: BLE001 - somebody else's code
            where = f"entry point {one.name} of {ENTRY_POINT_GROUP}"
            reason = f"not loaded ({type(exc).__name__}: {reason_of(exc)})"
            notices.tell(Problem(where=where, found=reason, allowed="a validator, or a list"))
    return found


def _load(entry_point: Any) -> Iterable[object]:
    value = entry_point.load()
    if callable(value) and not isinstance(value, Validator):
        value = value()
    if isinstance(value, Validator | Mapping):
        return [value]
    if not isinstance(value, list | tuple):
        raise ValidatorError(f"{shorten(value)} is no validator; allowed: one, or a list of them")
    return value
