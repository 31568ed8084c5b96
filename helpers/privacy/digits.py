"""Check digits and number ranges: what makes a run of digits a card, an account or a social security number."""

from __future__ import annotations

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)

# First digits of an issuer -> the lengths of its numbers.
_ISSUERS: tuple[tuple[range, frozenset[int]], ...] = (
    (range(4000, 5000), frozenset({13, 16, 19})),  # Visa
    (range(5100, 5600), frozenset({16})),  # Mastercard
    (range(2221, 2721), frozenset({16})),
    (range(3400, 3500), frozenset({15})),  # American Express
    (range(3700, 3800), frozenset({15})),
    (range(3000, 3060), frozenset({14, 16})),  # Diners Club
    (range(3095, 3096), frozenset({14, 16})),
    (range(3600, 3700), frozenset({14, 16})),
    (range(3800, 4000), frozenset({14, 16})),
    (range(6011, 6012), frozenset({16, 19})),  # Discover
    (range(6440, 6600), frozenset({16, 19})),
    (range(3528, 3590), frozenset({16, 19})),  # JCB
    (range(6200, 6300), frozenset({16, 17, 18, 19})),  # UnionPay
    (range(5018, 5019), frozenset({13, 14, 15, 16, 17, 18, 19})),  # Maestro
    (range(5020, 5021), frozenset({16, 17, 18, 19})),
    (range(5038, 5039), frozenset({16, 17, 18, 19})),
    (range(6304, 6305), frozenset({16, 17, 18, 19})),
    (range(6759, 6764), frozenset({16, 17, 18, 19})),
    (range(2200, 2205), frozenset({16, 17, 18, 19})),  # Mir
)

#: Length of an account number with its country code and check digits.
IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FO FI GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}

_NEVER_ISSUED_AREAS = frozenset({"000", "666"})
_ADVERTISED = frozenset({"078051120", "219099999"})  # printed in advertisements, and void since then


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the one that the others call for."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total += _DOUBLED[int(digit)] if place % 2 else int(digit)
    return total % 10 == 0


def is_card_number(digits: str) -> bool:
    """Whether an issuer gives out numbers that begin so and are so long, and the check digit is right."""
    if not 13 <= len(digits) <= 19:
        return False
    first = int(digits[:4])
    issued = any(first in numbers and len(digits) in lengths for numbers, lengths in _ISSUERS)
    return issued and passes_luhn(digits)


def is_iban(compact: str) -> bool:
    """Whether an upper-case text without spaces has its country's length and the right check digits."""
    if IBAN_LENGTHS.get(compact[:2]) != len(compact) or not compact[2:4].isdigit():
        return False
    return int("".join(str(int(one, 36)) for one in compact[4:] + compact[:4])) % 97 == 1


def is_ssn(digits: str) -> bool:
    """Whether nine digits can be a social security number: no area, group or serial that is never issued."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    is_area = area not in _NEVER_ISSUED_AREAS and area[0] != "9"
    return len(digits) == 9 and is_area and group != "00" and serial != "0000" and digits not in _ADVERTISED


def is_routing_number(digits: str) -> bool:
    """Whether nine digits are the number of a bank of the United States."""
    if len(digits) != 9 or digits == "000000000":
        return False
    return sum(int(digit) * weight for digit, weight in zip(digits, (3, 7, 1) * 3, strict=True)) % 10 == 0
