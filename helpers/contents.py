"""Structured content: one subject, one property and one value, as another writer of memories states it.

It lies in a document's metadata under `content`, as an object or as its JSON text; or it is the memory's whole text,
the object itself or one that holds it under `content`. Anybody can write it, also a model, so only short and flat
content is read, and it retires no memory. Pure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from .foreign import SURROGATE, is_plain
from .texts import normalize_text

CONTENT_KEY = "content"

#: Stands for content of no known form: no JSON, or too deep or large. No property is read from it.
FORMLESS = "content without one form"

_LONGEST_JSON = 10_000
_LONGEST_NAME = 200
_LONGEST_VALUE = 1_000
_LARGEST_INTEGER = 10**100
_MOST_QUALIFIERS = 10
_LONGEST_INDENT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """`subject` has `value` as its `property`, within `scope`; names without case, all of it as text."""

    subject: str
    property: str
    value: str
    scope: tuple[str, ...] = ()


def parse_json(text: str) -> object:
    """Return the value of a JSON text, or the text itself if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def write_content(metadata: Mapping[str, Any]) -> str | None:
    """Return the canonical text of the content in `metadata`, of any shape; None without content.

    The same content has the same text after a save, and after a backup was restored.
    """
    stated = metadata.get(CONTENT_KEY)
    if stated is None:
        return None
    if not isinstance(stated, str) and not is_plain(stated):
        return FORMLESS
    try:
        return json.dumps(stated, sort_keys=True, separators=(",", ":"), default=_to_json)
    except TypeError:  # its keys are of several types, or of one that JSON does not have
        return FORMLESS


def _to_json(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    assert isinstance(value, datetime)  # nothing else is plain, and no JSON
    return value.isoformat()


def parse_content(text: str, metadata: Mapping[str, Any]) -> Content | None:
    """Return the structured content of a memory; None without one that can be compared."""
    stated = metadata.get(CONTENT_KEY)
    if stated is not None:
        return _to_content(_to_object(stated))
    whole = _to_object(text) if text[:_LONGEST_INDENT].lstrip()[:1] == "{" else None
    if whole is None:
        return None
    return _to_content(_to_object(whole[CONTENT_KEY]) if CONTENT_KEY in whole else whole)


def stated_content(shown: Mapping[str, Any], text: str, compared: Content | None) -> dict[str, Any] | None:
    """Return the structured content of a memory in its shown form; None where it has only a text.

    Content in the text itself is returned as it is compared.
    """
    if shown != {"text": text}:
        return dict(shown)
    if compared is None:
        return None
    return {"subject": compared.subject, "property": compared.property, "value": compared.value}


def content_in_words(content: Mapping[str, Any]) -> str:
    """Return structured content on one line."""
    return ", ".join(f"{key} {value_in_words(value)}" for key, value in content.items())


def value_in_words(value: object) -> str:
    """Return a value of structured content as a person reads it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _to_object(value: object) -> Mapping[str, Any] | None:
    if isinstance(value, str):
        value = parse_json(value) if len(value) <= _LONGEST_JSON else None
    return value if isinstance(value, dict) else None


def _to_content(value: Mapping[str, Any] | None) -> Content | None:
    if value is None:
        return None
    subject, name = (_scalar(value.get(key), _LONGEST_NAME) for key in ("subject", "property"))
    stated, scope = _scalar(value.get("value"), _LONGEST_VALUE), _scope(value.get("scope"))
    if not subject or not name or stated is None or scope is None:
        return None
    return Content(subject=subject.casefold(), property=name.casefold(), value=stated, scope=scope)


def _scope(value: object) -> tuple[str, ...] | None:
    """Return the qualifiers, a text or a list of texts, in a fixed order; None where they cannot be read."""
    if value is None:
        return ()
    qualifiers = value if isinstance(value, list | tuple) else [value]
    if len(qualifiers) > _MOST_QUALIFIERS:
        return None
    scalars = [_scalar(qualifier, _LONGEST_NAME) for qualifier in qualifiers]
    known = [scalar.casefold() for scalar in scalars if scalar]
    return tuple(sorted(known)) if len(known) == len(scalars) else None


def _scalar(value: object, limit: int) -> str | None:
    """Return the text of a scalar, a number as in JSON; None for any other value, and for one that is too long.

    Null is no value of the property, so it contradicts nothing.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return str(value) if abs(value) < _LARGEST_INTEGER else None
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else None
    if isinstance(value, str) and len(value) <= limit and not SURROGATE.search(value):
        return normalize_text(value)
    return None
