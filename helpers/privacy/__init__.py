"""The one privacy guard of the pack: where a text holds what nobody should store.

Pure, and linear in the length of the text. A finding says what kind of secret stands where; the value itself is in no
result, message or log.
"""

from __future__ import annotations

from .blocks import find_blocks
from .codes import find_codes
from .contacts import find_contacts
from .logins import find_logins
from .numbers import find_numbers
from .page import Finding, Kind, Level, Page, settle
from .phrases import find_phrases
from .tokens import find_tokens

__all__ = ["Finding", "Kind", "Level", "Page", "mask", "scan", "scan_page"]

_SECRETS = (find_blocks, find_tokens, find_numbers, find_codes, find_phrases, find_logins)


def scan(text: str, level: Level = Level.SECRETS) -> tuple[Finding, ...]:
    """Return what is private in `text`, in its order; no two findings overlap."""
    return scan_page(Page(text), level)


def scan_page(page: Page, level: Level = Level.SECRETS) -> tuple[Finding, ...]:
    """Scan a page, which afterwards says how much of it was read."""
    rules = (*_SECRETS, find_contacts) if level is Level.STRICT else _SECRETS
    return settle(candidate for rule in rules for candidate in rule(page))


def mask(text: str, level: Level = Level.SECRETS) -> str:
    """Return `text` with everything private in it replaced by its kind: `the password is [password]`."""
    for finding in reversed(scan(text, level)):
        text = f"{text[: finding.start]}[{finding.type}]{text[finding.end :]}"
    return text
