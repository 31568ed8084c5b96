"""Faults, as data and as exceptions.

A `Problem` is one unreadable thing among many readable ones: it is returned and reported, and the work goes on. An
exception is raised only for what stops the call.
"""

from __future__ import annotations

import errno
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError

_LONG_INTEGER_BITS = 1_000
_LONGEST_REASON, _LONGEST_NAME = 120, 60
# The requirements of pydantic's errors, by their names or the first word of these, and by their limits.
_REQUIREMENTS = {
    "missing": "a value",
    "bool": "true or false",
    "datetime": "a time in ISO 8601",
    "dict": "an object",
    "finite": "a finite number",
    "float": "a number",
    "int": "a whole number",
    "model": "an object",
    "string_type": "a text",
    "timezone": "a time with its offset from UTC",
    "tuple": "a list",
}
# The allowed state where the system refuses a file or a folder.
_OWN_PLACE = "a place where you may write: run this as its owner, or change its mode"
_ROOM = "a disk with room: free some, and run this again"
_REMEDIES = {
    errno.EACCES: _OWN_PLACE,
    errno.EPERM: _OWN_PLACE,
    errno.EROFS: "a place that is mounted writable: mount it so, or work on a copy",
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
}
_LIMITS = {
    "error": "{}",
    "expected": "{}",
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "min_length": "a length of at least {}",
    "max_length": "a length of at most {}",
}


class MemoryLedgerError(Exception):
    """Base of every exception that this pack raises on purpose."""


class HostError(MemoryLedgerError):
    """The surrounding Agent Zero lacks something that the pack needs."""


class StoreError(MemoryLedgerError):
    """A memory store or a file beside it cannot be used."""


class EmbeddingError(MemoryLedgerError):
    """An embedder returned something that cannot be searched with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The value `found` at `where` cannot be used; `allowed` describes the values that can."""

    where: str
    found: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.where} is {self.found}; allowed: {self.allowed}"


class RequestError(ValueError):
    """A request cannot be carried out, now or later; `problem` is the reason."""

    def __init__(self, where: str, found: str, allowed: str) -> None:
        self.problem = Problem(where=where, found=found, allowed=allowed)
        super().__init__(str(self.problem))


def reason_of(exc: Exception) -> str:
    """Return why an operation failed, in a line for brackets: the system's words, or the exception's."""
    return _cut(" ".join((getattr(exc, "strerror", None) or str(exc) or type(exc).__name__).split()), _LONGEST_REASON)


def refusal_of(exc: OSError, place: object = None) -> str:
    """Return the refusal of the system: the file (`place` by default), the reason, and the allowed state."""
    remedy = _REMEDIES.get(exc.errno or 0)
    allowed = f"; allowed: {remedy}" if remedy else ""
    return f"{exc.filename or place or 'a file or the output'} cannot be used: {reason_of(exc)}{allowed}"


def requirement_of(fault: Mapping[str, Any]) -> str:
    """Return the requirement of a pydantic error, in words that stand after "allowed:"."""
    name, limits = str(fault["type"]), fault.get("ctx", {})
    known = _REQUIREMENTS.get(name) or _REQUIREMENTS.get(name.partition("_")[0])
    stated = (words.format(str(limits[key]).removesuffix(".0")) for key, words in _LIMITS.items() if key in limits)
    return known or next(stated, str(fault["msg"]))


def fault_in_words(exc: ValidationError) -> str:
    """Return the first fault that a model has found: where, the value, and what is allowed."""
    fault = exc.errors(include_url=False)[0]
    where = " ".join(".".join(map(str, fault["loc"])).split())
    value = "missing" if fault["type"] == "missing" else shorten(fault.get("input"))
    allowed = "what this version knows" if fault["type"] == "extra_forbidden" else requirement_of(fault)
    return f"{where[:_LONGEST_NAME]} is {value}; allowed: {allowed}"


def shorten(value: object, limit: int = 80) -> str:
    """Return a short text of `value`, cut to `limit` characters, for messages about foreign data; never raises.

    Of a large or deep value only the beginning is read, and no method of an unknown object is called: it is named.
    """
    return _cut(_Brief(limit).repr(value), limit)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


class _Brief(reprlib.Repr):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = self.maxdeque = 6
        self.maxstring = self.maxlong = 2 * limit

    def repr_int(self, value: int, level: int) -> str:
        return repr(value) if value.bit_length() < _LONG_INTEGER_BITS else f"a number of {value.bit_length()} bits"

    def repr_instance(self, value: object, level: int) -> str:
        if isinstance(value, Enum):
            return f"{type(value).__name__}.{value.name}"
        if isinstance(value, bytes | bytearray):
            return repr(value[: self.maxstring])
        if value is None or isinstance(value, bool | float | complex | date | time):
            return repr(value)
        return f"<{type(value).__name__}>"
