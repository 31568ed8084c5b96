"""The pack's only privacy guard: it finds the secrets in a text.

Pure, and linear in the length of the text. A finding names the kind and the place of a secret; the value itself is in
no result, message or log.
"""

from __future__ import annotations

from itertools import chain

from .codes import find_codes
from .logins import find_logins
from .numbers import find_numbers
from .page import Finding, Kind, Level, Page, settle
from .phrases import find_phrases
from .rows import find_keys, find_rows, find_tokens

__all__ = ["Finding", "Kind", "Level", "Page", "mask", "scan", "scan_page"]

_READERS = (find_keys, find_tokens, find_numbers, find_codes, find_phrases, find_logins)


def scan(text: str, level: Level = Level.SECRETS) -> tuple[Finding, ...]:
    """Return the private parts of `text`, in their order; no two findings overlap."""
    return scan_page(Page(text), level)


def scan_page(page: Page, level: Level = Level.SECRETS) -> tuple[Finding, ...]:
    """Return the findings of a page, which counts afterwards how much of it was read."""
    return settle(chain(find_rows(page, level), *(read(page) for read in _READERS)))


def mask(text: str, level: Level = Level.SECRETS) -> str:
    """Return `text` with each private part replaced by its kind: `the password is [password]`."""
    for finding in reversed(scan(text, level)):
        text = f"{text[: finding.start]}[{finding.type}]{text[finding.end :]}"
    return text
