"""Cards, accounts and social security numbers, in all spellings, with their check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..language.numerals import NUMBER_WORDS
from ..language.tables import read_table
from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import Kind, Page, RawFinding

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)

_TABLE = read_table(__file__, "numbers")
# The first four digits of an issuer, and the lengths of its numbers.
_ISSUERS = [(range(*row["first"]), frozenset(row["lengths"])) for row in _TABLE["issuers"]]
#: The length of an account number with its country code and check digits.
IBAN_LENGTHS = {country: int(length) for length, row in _TABLE["ibans"].items() for country in row.split()}
_TEST_CARDS = frozenset(_TABLE["test_cards"].split())
_CARD_SHAPES = [tuple(shape) for shape in _TABLE["card_shapes"]]

_NEVER_ISSUED_AREAS = frozenset({"000", "666"})
_ADVERTISED = frozenset({"078051120", "219099999"})  # printed in advertisements, and void since then


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the right check digit."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total += _DOUBLED[int(digit)] if place % 2 else int(digit)
    return total % 10 == 0


def is_card_number(digits: str) -> bool:
    """Whether an issuer has numbers of this beginning and length, and the check digit is right."""
    if not 13 <= len(digits) <= 19:
        return False
    first = int(digits[:4])
    issued = any(first in numbers and len(digits) in lengths for numbers, lengths in _ISSUERS)
    return issued and passes_luhn(digits)


def is_iban(compact: str) -> bool:
    """Whether an upper-case text without spaces has its country's length and the right check digits."""
    if IBAN_LENGTHS.get(compact[:2]) != len(compact) or not compact[2:4].isdigit():
        return False
    return int("".join(str(int(character, 36)) for character in compact[4:] + compact[:4])) % 97 == 1


def is_ssn(digits: str) -> bool:
    """Whether nine digits can be a social security number: every area, group and serial is issued."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    is_area = area not in _NEVER_ISSUED_AREAS and area[0] != "9"
    return len(digits) == 9 and is_area and group != "00" and serial != "0000" and digits not in _ADVERTISED


def is_routing_number(digits: str) -> bool:
    """Whether nine digits are the number of a bank of the United States."""
    if len(digits) != 9 or digits == "000000000":
        return False
    return sum(int(digit) * weight for digit, weight in zip(digits, (3, 7, 1) * 3, strict=True)) % 10 == 0


# Groups of digits with a mark between them; the shapes check that the marks within a card are equal.
_RUN = regex(r"(?<![\w.,/#-])\d{1,19}(?:[ \u00a0\u202f.\-–]{1,2}\d{1,19}){0,40}+")
_GROUP = regex(r"\d{1,19}")
_WORDINGS = read_patterns("numbers", __file__)
_CARD_END = regex(
    r"(?i)[^\S\n]{0,3}[,;|]?[^\S\n]{0,3}(?:exp\w{0,6}\.?:?\s)?\d\d ?/ ?\d\d(?:\d\d)?[,;|]?\s{1,3}"
    r"(\d{3,4})(?![\w/]|[.,-]\d)"
)
_SSN_SHAPE = regex(r"(?<![\w.,/#+-])(?<!\d )(\d{3})([-–])(\d\d)\2(\d{4})(?![\w]|[-–./]\d)")
_ITIN_GROUPS = {*range(50, 66), *range(70, 89), *range(90, 93), *range(94, 100)}
_DIGITS = {word: str(number) for word, number in NUMBER_WORDS.items() if number < 10} | {"oh": "0", "o": "0"}
_WORD = regex(r"[a-z]{1,6}")
# A text without any of these is not searched for the word.
_OF_ACCOUNTS = ("acc", "a/c", "checking", "savings", "konto", "compte", "cuenta", "routing", "aba", "sort")

_IBAN = regex(r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?:[ \u00a0-]?[A-Z0-9]{1,4}){3,8}+[A-Z0-9]{0,31}+")


def _digits_in(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def find_numbers(page: Page) -> Iterator[RawFinding]:
    """Yield cards, their codes, accounts and social security numbers."""
    yield from _find_cards(page)
    yield from _find_social_security(page)
    yield from _find_spelled(page)
    yield from _find_accounts(page)


def _find_cards(page: Page) -> Iterator[RawFinding]:
    for run in page.find(_RUN):
        if len(run[0]) < 13:
            continue
        groups = [group.span() for group in _GROUP.finditer(page.text, *run.span())]
        index = 0
        while index < len(groups):
            taken = _card_length(page, groups, index)
            if taken and not _is_other_number(page, groups[index][0], groups[index + taken - 1][1]):
                yield RawFinding(Kind.CREDIT_CARD, groups[index][0], groups[index + taken - 1][1])
                code = page.match(_CARD_END, groups[index + taken - 1][1], 40)
                if code is not None:
                    yield RawFinding(Kind.CARD_CODE, *code.span(1))
            index += taken or 1


def _card_length(page: Page, groups: list[tuple[int, int]], index: int) -> int:
    """Return the number of groups from `index` on that make up a card number; 0 if they are none."""
    start, end = groups[index]
    if end - start >= 13 and is_card_number(page.text[start:end]):
        is_decimal = page.text[start - 1 : start] == "." if index else re.match(r"\.\d", page.text[end : end + 2])
        return 0 if is_decimal or page.text[end : end + 1].isalnum() else 1
    sizes = [end - start for start, end in groups[index : index + 5]]
    for shape in _CARD_SHAPES:
        if tuple(sizes[: len(shape)]) == shape:
            chosen = groups[index : index + len(shape)]
            digits = "".join(page.text[start:end] for start, end in chosen)
            marks = {page.text[group[1] : following[0]] for group, following in pairwise(chosen)}
            if len(marks) == 1 and is_card_number(digits) and not page.text[chosen[-1][1] :][:1].isalnum():
                return len(shape)
    if index == 0 and 13 <= len(groups) <= 19 and all(size == 1 for size in sizes):
        digits = "".join(page.text[start:end] for start, end in groups)
        return len(groups) if is_card_number(digits) else 0
    return 0


def _is_other_number(page: Page, start: int, end: int) -> bool:
    """Whether the words around a card's number say that it is another number, or a well-known test number."""
    before = page.before(start, 80)
    around = before + " " + page.after(end, 60)
    if _WORDINGS["other_number"].search(before) and not _WORDINGS["card_word"].search(around):
        return True
    digits = _digits_in(page.text[start:end])
    return digits in _TEST_CARDS and _WORDINGS["test_word"].search(around) is not None


def _find_social_security(page: Page) -> Iterator[RawFinding]:
    for word in page.find(_WORDINGS["ssn_word"], "ssn", "s.s.n", "ss", "social", "itin", "taxpayer"):
        value = page.match(_WORDINGS["ssn_after"], word.end(), 80)
        is_close = value is not None and _WORDINGS["close"].match(page.text[word.end() : value.start(1)]) is not None
        if value is not None and (is_close or word[0].lower() != "social"):
            digits = _digits_in(value[1])
            is_itin = digits[0] == "9" and int(digits[3:5]) in _ITIN_GROUPS and "social" not in word[0].lower()
            if is_ssn(digits) or (is_itin and word[0].lower() not in ("ssn", "s.s.n.")):
                yield RawFinding(Kind.SSN, *value.span(1))
        earlier = page.behind(_WORDINGS["ssn_before"], word.start(), 60)
        if earlier is not None and is_ssn(_digits_in(earlier[1])):
            yield RawFinding(Kind.SSN, *earlier.span(1))
    for shape in page.find(_SSN_SHAPE):
        if is_ssn(shape[1] + shape[3] + shape[4]) and not _WORDINGS["other_number"].search(
            page.before(shape.start(), 60)
        ):
            yield RawFinding(Kind.SSN, *shape.span())


def _find_spelled(page: Page) -> Iterator[RawFinding]:
    """Yield numbers that are spelled digit by digit, after a word that names them."""
    for spelled in page.find(_WORDINGS["spelled"], "zero", "one", "two", "three", "four"):
        digits = "".join(_DIGITS[word] for word in _WORD.findall(spelled[0].lower()))
        before = page.before(spelled.start(), 60)
        if is_ssn(digits) and _WORDINGS["ssn_word"].search(before):
            yield RawFinding(Kind.SSN, *spelled.span())
        elif is_card_number(digits):
            yield RawFinding(Kind.CREDIT_CARD, *spelled.span())


def _find_accounts(page: Page) -> Iterator[RawFinding]:
    for match in page.find(_IBAN):
        yield from _iban_at(page, *match.span())
    for match in page.find(_WORDINGS["iban"], "iban"):
        yield from _iban_at(page, *match.span(1))
    for word in page.find(_WORDINGS["account_word"], *_OF_ACCOUNTS):
        value = page.match(_WORDINGS["account_value"], word.end(), 60)
        if value is None:
            continue
        digits = _digits_in(value[1])
        if re.match(r"(?i)routing|aba", word[0]):
            is_account = is_routing_number(digits)
        elif re.match(r"(?i)sort", word[0]):
            is_account = len(digits) == 6
        else:
            around = page.before(word.start(), 80) + word[0] + page.after(value.end(), 80)
            is_account = 6 <= len(digits) <= 17 and _WORDINGS["bank_word"].search(around) is not None
        if is_account:
            yield RawFinding(Kind.BANK_ACCOUNT, *value.span(1))


def _iban_at(page: Page, start: int, end: int) -> Iterator[RawFinding]:
    """Yield the account number that begins at `start`; its country determines the length."""
    wanted = IBAN_LENGTHS.get(page.text[start : start + 2].upper())
    compact = ""
    for position in range(start, end):
        if page.text[position].isalnum():
            compact += page.text[position].upper()
            if len(compact) == wanted:
                if is_iban(compact) and not page.text[position + 1 : position + 2].isalnum():
                    yield RawFinding(Kind.IBAN, start, position + 1)
                return
