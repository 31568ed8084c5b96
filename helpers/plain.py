"""What of foreign metadata can be stored: plain data, neither deep nor large (T-69). Pure."""

from __future__ import annotations

import itertools
import math
import re
from datetime import datetime
from enum import Enum
from typing import Any

#: What is allowed, in words.
PLAIN = "plain data, neither deep nor large"

#: Half of a character: JSON text can hold it, a file cannot.
SURROGATE = re.compile("[\ud800-\udfff]")

_DEEPEST = 20
_MOST_PARTS = 10_000
_LONGEST_INTEGER_BITS = 4_096


def is_plain(value: object) -> bool:
    """Whether `value` can be written as JSON: Unicode text, numbers, times, and not too many or too deep of these.

    Every path through it is counted: what holds one list in many places is as large as it looks.
    """
    if not isinstance(value, dict | list | tuple):
        return _is_plain_scalar(value)
    waiting: list[tuple[dict[Any, Any] | list[Any] | tuple[Any, ...], int]] = [(value, 1)]
    count = 0
    while waiting:
        one, depth = waiting.pop()
        count += len(one)
        if depth > _DEEPEST or count > _MOST_PARTS:
            return False
        for inner in itertools.chain(one.keys(), one.values()) if isinstance(one, dict) else one:
            if isinstance(inner, dict | list | tuple):
                waiting.append((inner, depth + 1))
            elif not _is_plain_scalar(inner):
                return False
    return True


def _is_plain_scalar(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() or not SURROGATE.search(value)
    if isinstance(value, Enum):
        return isinstance(value.value, str | int | float) and _is_plain_scalar(value.value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return value.bit_length() <= _LONGEST_INTEGER_BITS
    return value is None or isinstance(value, datetime)
