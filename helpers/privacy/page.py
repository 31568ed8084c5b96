"""The text under the guard, read through windows of a fixed size, and its findings."""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

#: The number of characters that a rule reads after a match.
REACH = 160
_LONGEST_NAME = 80
_NAME_CHARACTERS = frozenset("_.-:/$@" + string.ascii_letters + string.digits)
# Characters of full width, as a Chinese or Japanese keyboard writes them, and the stops there: one for one.
_NARROW = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | str.maketrans("\u3000。、", " .,")


class Page:
    """A text under the guard, with a count of the characters that were read."""

    __slots__ = ("_folded", "characters_read", "text")

    def __init__(self, text: str) -> None:
        self.text = text.translate(_NARROW)
        self._folded = self.text.lower()
        self.characters_read = 0

    def find(self, pattern: re.Pattern[str], *needles: str) -> Iterator[re.Match[str]]:
        """Yield the matches in the whole text, if at least one of the needles (in lower case) is in it."""
        if needles and not any(needle in self._folded for needle in needles):
            return iter(())
        self.characters_read += len(self.text)
        return pattern.finditer(self.text)

    def find_around(self, core: re.Pattern[str], pattern: re.Pattern[str], *needles: str) -> Iterator[re.Match[str]]:
        """Yield the matches around each core: from the beginning of the name with the core, within a short window."""
        last = 0
        for hit in self.find(core, *needles):
            if hit.start() < last:
                continue
            start = hit.start()
            while start > last and hit.start() - start < _LONGEST_NAME and self.text[start - 1] in _NAME_CHARACTERS:
                start -= 1
            end = hit.end() + _LONGEST_NAME
            self.characters_read += end - start
            match = pattern.search(self.text, start, end)
            if match is not None and match.end() > hit.start():
                last = match.end()
                yield match

    def within(self, pattern: re.Pattern[str], start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the matches within a part of the text."""
        self.characters_read += end - start
        return pattern.finditer(self.text, start, end)

    def match(self, pattern: re.Pattern[str], position: int, reach: int = REACH) -> re.Match[str] | None:
        """Return the match at a position, on `reach` characters at most; None without one."""
        self.characters_read += min(reach, len(self.text) - position)
        return pattern.match(self.text, position, position + reach)

    def before(self, position: int, reach: int = REACH) -> str:
        """Return the text before a position, at most `reach` characters of the same line."""
        start = max(0, position - reach)
        self.characters_read += position - start
        line = self.text.rfind("\n", start, position)
        return self.text[start if line < 0 else line + 1 : position]

    def behind(self, pattern: re.Pattern[str], position: int, reach: int = REACH) -> re.Match[str] | None:
        """Return the match that ends at a position, within `reach` characters of the same line; None without one."""
        return pattern.search(self.text, position - len(self.before(position, reach)), position)

    def after(self, position: int, reach: int = REACH) -> str:
        """Return the text from a position on, at most `reach` characters."""
        self.characters_read += min(reach, len(self.text) - position)
        return self.text[position : position + reach]


class Level(StrEnum):
    """The level of privacy: secrets alone, or personal data as well."""

    SECRETS = "secrets"
    STRICT = "strict"


class Kind(StrEnum):
    """The kinds of findings, the most specific first; a vendor's token has the name of its vendor."""

    PRESIGNED_URL = "presigned_url"
    PRIVATE_KEY = "private_key"
    TOKEN = "token"
    JWT = "jwt"
    CONNECTION_STRING = "connection_string"
    CREDIT_CARD = "credit_card"
    IBAN = "iban"
    SSN = "ssn"
    SEED_PHRASE = "seed_phrase"
    RECOVERY_CODE = "recovery_code"
    CARD_CODE = "card_code"
    BANK_ACCOUNT = "bank_account"
    IDENTITY_DOCUMENT = "identity_document"
    SESSION = "session"
    SECRET = "secret"
    PIN = "pin"
    PASSWORD = "password"
    EMAIL = "email"
    PHONE = "phone"
    PERSON_NAME = "person_name"
    USER_PATH = "user_path"
    URL_QUERY = "url_query"


#: The kinds that are only looked for at the level `strict`.
PERSONAL = frozenset((Kind.EMAIL, Kind.PHONE, Kind.PERSON_NAME, Kind.USER_PATH, Kind.URL_QUERY))
_RANK = {kind: rank for rank, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Finding:
    """A private part of a text, from `start` up to `end`; `type` is a kind, or the name of a vendor's token."""

    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RawFinding:
    """A finding before overlaps are settled; `name` is more specific than the kind, if it is known."""

    kind: Kind
    start: int
    end: int
    name: str | None = None


def settle(candidates: Iterable[RawFinding]) -> tuple[Finding, ...]:
    """Return the findings without overlaps, in the order of the text; of two, the more specific one stays."""
    ordered = sorted(
        set(candidates), key=lambda finding: (_RANK[finding.kind], finding.start, -finding.end, finding.name or "")
    )
    starts: list[int] = []
    kept: list[RawFinding] = []
    for finding in ordered:
        index = bisect_left(starts, finding.start)
        touches_next = index < len(kept) and kept[index].start < finding.end
        touches_last = index > 0 and kept[index - 1].end > finding.start
        if finding.start < finding.end and not touches_next and not touches_last:
            starts.insert(index, finding.start)
            kept.insert(index, finding)
    return tuple(Finding(finding.name or finding.kind.value, finding.start, finding.end) for finding in kept)
