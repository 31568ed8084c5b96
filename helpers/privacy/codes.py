"""PINs, door codes, recovery codes, seed phrases and the numbers of identity documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.vocabulary import read_patterns
from ..language.words import STOPWORDS
from ..texts import regex
from .links import links_after, renewed_after
from .page import Kind, Page, RawFinding
from .values import is_placeholder

_CALLED = read_patterns("keywords", __file__)
_WORDINGS = read_patterns("codes", __file__)
_DATE_LIKE = regex(r"(?:19|20)\d\d-?[01]\d-?[0-3]\d|(?:19|20)\d\d-\d{4}")
_DOCUMENT_VALUE = regex(r"(?P<value>(?=(?:[A-Z]{0,4}[ .-]{0,1}\d){4})[A-Z0-9](?:[ .-]?[A-Z0-9]){5,17})(?![\w])")

_SEED_RUN = regex(
    r"(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}(?:[\s,;|\"']{1,4}"
    r"(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}(?![A-Za-z'’])){11,23}+"
)
_SEED_ALONE = regex(r"(?m)^[ \t]{0,8}(?P<words>[a-z]{3,8}(?: [a-z]{3,8}){11,23})[ \t]{0,8}$")
_SEED_SIZES = frozenset((12, 15, 18, 21, 24))
# One of so many words of a seed phrase may be a stop word.
_MOST_PLAIN = 6


def find_codes(page: Page) -> Iterator[RawFinding]:
    """Yield the codes of phones, doors, accounts and wallets, and the numbers of identity documents."""
    for word in page.find(_CALLED["pin"], "pin", "geheimzahl", "code"):
        yield from _pin_at(page, word)
    for word in page.find(
        _CALLED["code"], "code", "código", "pin", "combo", "combination", "otp", "number lock", "keypad", "panel"
    ):
        yield from _value_at(page, word.end(), Kind.PIN, _WORDINGS["code_value"])
        yield from _digits_before(page, word.start())
    for word in page.find(_CALLED["recovery"], "code", "key"):
        yield from _recovery_codes(page, word.end())
    for word in page.find(_CALLED["document"]):
        yield from _document_at(page, word)
    yield from _find_seeds(page)


def _pin_at(page: Page, word: re.Match[str]) -> Iterator[RawFinding]:
    before = page.before(word.start(), 30)
    if _CALLED["pin_denied"].search(before):
        return
    yield from _digits_before(page, word.start())
    for position in renewed_after(page, word.end()):
        renewed = page.match(_WORDINGS["pin_value"], position, 24)
        if renewed is not None:
            yield RawFinding(Kind.PIN, *renewed.span("value"))
    is_plain = word[0] not in ("PIN", "PINs") and len(word[0]) == 3
    for link in links_after(page, word.end()):
        if link.verb == "bare" and is_plain and not _CALLED["pin_before"].search(before):
            continue
        value = page.match(_WORDINGS["pin_value"], link.end, 24)
        if value is not None:
            yield RawFinding(Kind.PIN, *value.span("value"))
            return


def _digits_before(page: Page, position: int) -> Iterator[RawFinding]:
    """Yield the digits before "is my PIN", "is the code of the door"."""
    digits = page.behind(_WORDINGS["digits_before"], position, 60)
    if digits is not None:
        yield RawFinding(Kind.PIN, *digits.span("value"))


def _value_at(page: Page, position: int, kind: Kind, pattern: re.Pattern[str]) -> Iterator[RawFinding]:
    for link in links_after(page, position):
        value = page.match(pattern, link.end, 40)
        if value is not None:
            yield RawFinding(kind, *value.span("value"))
            return


def _recovery_codes(page: Page, position: int) -> Iterator[RawFinding]:
    start = page.match(_WORDINGS["recovery_list"], position, 60)
    position = position if start is None else start.end()
    for _ in range(24):
        value = page.match(_WORDINGS["recovery_value"], position, 100)
        if value is None or not _is_recovery_code(value["value"]):
            return
        yield RawFinding(Kind.RECOVERY_CODE, *value.span("value"))
        gap = page.match(_WORDINGS["recovery_next"], value.end(), 16)
        if gap is None:
            return
        position = gap.end()


def _is_recovery_code(text: str) -> bool:
    parts = text.split("-")
    is_word = all(part.isalpha() and part.islower() for part in parts)
    return not is_word and _DATE_LIKE.fullmatch(text) is None and not is_placeholder(text)


def _document_at(page: Page, word: re.Match[str]) -> Iterator[RawFinding]:
    link = page.match(_WORDINGS["document_link"], word.end(), 60)
    if link is None or link.end() == word.end():
        return
    value = page.match(_DOCUMENT_VALUE, link.end(), 40)
    is_short_word = len(word[0]) < 5 and (not word[0].isupper() or link[0].isspace())
    if value is not None and not is_short_word and len(set(value["value"])) > 3:
        yield RawFinding(Kind.IDENTITY_DOCUMENT, *value.span("value"))


def _find_seeds(page: Page) -> Iterator[RawFinding]:
    """Yield seed phrases: after a word that names one, with hardly a stop word; or on a line of their own."""
    named = {word.end() for word in page.find(_WORDINGS["seed_word"], "seed", "phrase", "mnemonic", "words", "semilla")}
    starts = set()
    for position in named:
        start = page.match(_WORDINGS["seed_start"], position, 60)
        starts.add(position if start is None else start.end())
    for position in sorted(starts):
        run = page.match(_SEED_RUN, position, 360)
        words = re.findall(r"[a-z]{3,8}", run[0]) if run is not None else []
        if run is not None and _MOST_PLAIN * sum(part_of_run in STOPWORDS for part_of_run in words) <= len(words):
            yield RawFinding(Kind.SEED_PHRASE, *run.span())
    for line in page.find(_SEED_ALONE):
        words = line["words"].split()
        if len(words) in _SEED_SIZES and len(set(words)) == len(words) and STOPWORDS.isdisjoint(words):
            yield RawFinding(Kind.SEED_PHRASE, *line.span("words"))
