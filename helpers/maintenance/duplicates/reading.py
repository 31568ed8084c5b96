"""A sentence as the words that it says, in one spelling: numbers, times, dates and names as they are, the rest by its
dictionary form (T-67). Pure.

Whatever is no plain word has to be the same to the letter; nothing that could tell two texts apart gets lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...language.numerals import MONTH_NAMES, SHORT_NAMES
from ...language.vocabulary import UNITS
from ...patterns import regex
from ...texts import normalize_token
from .synonyms import SYNONYMS
from .words import (
    BE,
    IRREGULAR_FORMS,
    IRREGULAR_PAST,
    NOT_INFLECTED,
    PHRASE_LENGTHS,
    PHRASES,
    PRONOUNS,
)


class Word(NamedTuple):
    """One word: as it is compared, as it was written in lower case, and whether it has to be the same to the letter.

    `opens` marks what begins a sentence with a capital letter: a name or not.
    """

    key: str
    low: str
    is_exact: bool = False
    is_past: bool = False
    opens: bool = False


#: What the key of a past form ends with.
PAST = "~past"

_MONTH = "|".join((*MONTH_NAMES, *(short for short, name in SHORT_NAMES.items() if name in MONTH_NAMES)))
_YEAR = r"(?:,?\s+(?P<y{0}>\d{{4}}))?"
_DATE = regex(
    rf"\b(?:(?P<m1>{_MONTH})\.?\s+(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:){_YEAR.format(1)}"
    rf"|(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{_MONTH})\b\.?{_YEAR.format(2)})(?![\w-])",
    re.IGNORECASE,
)
_CLOCK = regex(r"(?<![\w.:])(\d{1,2})(?::([0-5]\d))?\s?([ap])\.?m\b\.?", re.IGNORECASE)
_TIME = regex(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")
_NOT = regex(r"(?<=[a-z])n't\b", re.IGNORECASE)
_ENDINGS = regex(r"'(re|ve|ll|m|d|s)\b", re.IGNORECASE)
_FULL_ENDINGS = {"re": " are", "ve": " have", "ll": " will", "m": " am", "d": " would"}
_NOT_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_BARE_NOT = regex(r"\b(do|does|did|is|are|was|were|could|should|would|has|have|had)nt\b", re.IGNORECASE)
_SUBJECTS_OF_IS = PRONOUNS | frozenset("that this there here where how let's let everything everyone".split())
_OPENING, _CLOSING = "\"'([{“”‘’«`", "\"'“”‘’»`"
_ENDS = "".join((_CLOSING, ")]}.,;:!?…。！？"))
_PAUSES = frozenset(",;:()[]{}")
_AMOUNT = regex(r"(?P<sign>[-+~<>≤≥]*)(?P<money>[$€£¥]?)(?P<number>\d[\d,]*(?:\.\d+)?)(?P<unit>%|[A-Za-zµ°]+)?")
_THOUSANDS = regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_MONEY = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_ORDINALS = dict(enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1))
_TENS = frozenset(("20", "30", "40", "50", "60", "70", "80", "90"))
_MORE_NUMBERS = {"seventy": "70", "eighty": "80", "one": "1", "half": "half"}
# The case of these letters tells bits from bytes.
_BITS = {"Kb": "kbit", "Mb": "mbit", "Gb": "gbit", "Tb": "tbit"}
# Pounds of weight and pounds of money share one name in the table of units.
_POUNDS = frozenset(("lb", "lbs", "pound", "pounds", "gbp"))
_VERSION = regex(r"v(?=\d)", re.IGNORECASE)
_VOWELS = frozenset("aeiouy")
_BULLET = regex(r"^\s*(?:[-*•–]|\d+[.)])\s+(?=\S)")


def read_words(sentence: str, plain: frozenset[str] = frozenset()) -> list[Word]:
    """Return the words of one sentence in order; a pause is the word ",", a question ends with "?".

    Of a word among `plain`, in lower case, a capital letter says nothing.
    """
    return list(_with_phrases(_to_words(list(_split(_spell_out(sentence))), plain)))


def _spell_out(sentence: str) -> str:
    """Return the sentence with plain apostrophes, full forms, times as 15:00 and dates as 2026-03-14."""
    text = sentence.replace("’", "'").replace("**", "").replace("`", "")
    text = _BULLET.sub("", text) if text[:1] in "-*•–" else text
    text = _NOT.sub(" not", _BARE_NOT.sub(r"\1 not", text).replace("cannot", "can not").replace("Cannot", "can not"))
    text = _CLOCK.sub(_spell_clock, text)
    return _DATE.sub(_spell_date, text)


def _spell_clock(match: re.Match[str]) -> str:
    hour = int(match[1])
    if not 1 <= hour <= 12:
        return match[0]
    return f"{hour % 12 + (12 if match[3] in 'pP' else 0):02d}:{match[2] or '00'}"


def _spell_date(match: re.Match[str]) -> str:
    name = (match["m1"] or match["m2"]).lower()
    month = MONTH_NAMES.index(SHORT_NAMES.get(name, name)) + 1
    return f"{match['y1'] or match['y2'] or '-'}-{month:02d}-{int(match['d1'] or match['d2']):02d}"


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words and pauses, each with whether a sentence or a list item begins with it."""
    is_first = True
    for chunk in text.split():
        core = chunk.lstrip(_OPENING)
        if "(" in chunk[: len(chunk) - len(core)]:
            yield ",", False
        core = core if core.strip(_ENDS) else ""
        stripped = core.rstrip(_ENDS)
        marks = core[len(stripped) :] if core else chunk
        if stripped:
            for part in _parts(stripped):
                yield part, is_first
                is_first = False
        if not _PAUSES.isdisjoint(marks):
            yield ",", False
            is_first = is_first or ":" in marks
        if not {"?", "？"}.isdisjoint(marks):
            yield "?", False


def _parts(chunk: str) -> Iterator[str]:
    """Yield the words of what stands between two spaces: "user's" and "two-week" are two, "node-2" is one."""
    if chunk in ("-", "–", "—", "|"):
        yield ","
        return
    if chunk == "&":
        yield "and"
        return
    ending = _ENDINGS.search(chunk)
    if ending is not None and ending.end() == len(chunk):
        yield from _parts(chunk[: ending.start()])
        kind = ending[1].lower()
        yield "'s" if kind == "s" else _FULL_ENDINGS[kind].strip()
        return
    pieces = chunk.split("-")
    if len(pieces) > 1 and all(one.isalpha() for one in pieces[1:]) and (pieces[0].isalpha() or pieces[0].isdecimal()):
        yield from pieces
    else:
        yield chunk


def _to_words(pieces: list[tuple[str, bool]], plain: frozenset[str]) -> list[Word]:
    words: list[Word] = []
    for place, (piece, is_first) in enumerate(pieces):
        if plain and piece.isalpha() and piece.casefold() in plain:
            piece, is_first = piece.casefold(), False
        following = pieces[place + 1][0] if place + 1 < len(pieces) else ""
        words.extend(_read(piece, words, following, is_first=is_first))
    return words


def _read(piece: str, before: list[Word], following: str, *, is_first: bool) -> Iterator[Word]:
    """Yield what one piece of a sentence says, after the words `before` it."""
    low = piece.casefold()
    last = before[-1] if before else None
    if piece in (",", "?"):
        if last is None or last.key != piece:
            yield Word(piece, piece)
    elif low == "'s":
        yield Word("be" if last is not None and last.low in _SUBJECTS_OF_IS else "'s", low)
    elif (amount := _AMOUNT.fullmatch(piece)) is not None:
        yield from _read_amount(amount)
    elif low in _MORE_NUMBERS or (normalize_token(low).isdecimal() and low.isalpha()):
        yield from _read_number_word(low, before)
    elif _follows_number(before) and (unit := _unit(piece)):
        yield Word(unit, low, is_exact=True)
    elif low in ("version", "release") and (following[:1].isdecimal() or _VERSION.match(following)):
        return
    elif low in _NOT_STEMS and following == "not":
        yield Word(_NOT_STEMS[low], low)
    elif (time := _TIME.fullmatch(piece)) is not None:
        yield Word(f"{int(time[1]):02d}:{time[2]}" + (f":{time[3]}" if time[3] else ""), low, is_exact=True)
    elif not piece.isalpha():
        plain = _VERSION.sub("", piece, count=1) if _VERSION.match(piece) else piece
        yield Word(plain, plain.casefold(), is_exact=True)
    elif piece[0].islower() and piece != low:
        yield Word(piece, low, is_exact=True)
    elif piece[0].isupper() and not is_first and low not in _NEVER_NAMES:
        yield Word(_full_name(low, last), low, is_exact=True)
    else:
        yield _inflected(low, last, is_first=is_first and piece[0].isupper())


def _read_amount(amount: re.Match[str]) -> Iterator[Word]:
    number, unit = amount["number"].rstrip(","), amount["unit"] or ""
    number = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
    if unit in _ORDINAL_ENDINGS and number.isdecimal():
        ordinal = _ORDINALS.get(int(number), number + unit)
        yield Word(ordinal, ordinal, is_exact=True)
        return
    yield Word(amount["sign"] + number, number, is_exact=True)
    if amount["money"]:
        yield Word(_MONEY[amount["money"]], amount["money"], is_exact=True)
    if unit:
        yield Word(_unit(unit) or unit, unit.casefold(), is_exact=True)


def _read_number_word(low: str, before: list[Word]) -> Iterator[Word]:
    number = _MORE_NUMBERS.get(low) or normalize_token(low)
    if before and before[-1].key in _TENS and len(number) == 1 and before[-1].low.isalpha():
        tens = before.pop()
        number = str(int(tens.key) + int(number))
    yield Word(number, low, is_exact=True)


def _follows_number(before: list[Word]) -> bool:
    return bool(before) and before[-1].is_exact and before[-1].key.lstrip("-+~<>≤≥")[:1].isdecimal()


def _unit(piece: str) -> str:
    """Return the one name of a unit; nothing where a word is none, or its case counts."""
    if piece == "%":
        return "percent"
    if piece in _BITS:
        return _BITS[piece]
    low = piece.casefold()
    if low in _POUNDS:
        return low.removesuffix("s")
    if len(piece) == 1 and piece.isupper():
        return ""
    return UNITS.get(low, "")


_BEFORE_DATES = frozenset("on in every each until next last since".split())
_NEVER_NAMES = frozenset("i a the".split())


def _full_name(low: str, last: Word | None) -> str:
    """Return a day or month in full where one can be meant: "on Sun", but not "ask Jan"."""
    return SHORT_NAMES.get(low, low) if last is not None and last.low in _BEFORE_DATES else low


def _inflected(low: str, last: Word | None, *, is_first: bool) -> Word:
    """Return a plain word by its dictionary form; what opens a sentence may be a name, and keeps its ending."""
    if low in BE:
        return Word(BE[low], low)
    if _full_name(low, last) != low:
        return Word(_full_name(low, last), low)
    if is_first:
        base = IRREGULAR_FORMS.get(low, low)
        return Word(SYNONYMS.get(base, base), low, opens=True)
    if low in NOT_INFLECTED and low not in IRREGULAR_FORMS:
        return Word(SYNONYMS.get(low, low), low)
    if low in IRREGULAR_PAST or _is_past(low):
        base = IRREGULAR_PAST.get(low) or _without_ed(low)
        return Word(SYNONYMS.get(base, base) + PAST, low, is_past=True)
    is_progressive = last is not None and last.key in ("be", "was")
    base = _base(low, is_progressive=is_progressive)
    return Word(SYNONYMS.get(base, base), low)


def _is_past(low: str) -> bool:
    return low.endswith("ed") and len(low) > 4 and not low.endswith("eed") and not _VOWELS.isdisjoint(low[:-2])


def _without_ed(low: str) -> str:
    return f"{low[:-3]}y" if low.endswith("ied") else _stem(low[:-2])


def _base(low: str, *, is_progressive: bool) -> str:
    """Return the dictionary form of a word that is no past form."""
    if low in IRREGULAR_FORMS:
        return IRREGULAR_FORMS[low]
    if not low.isascii() or len(low) < 4:
        return low
    if low.endswith("ing") and is_progressive and len(low) > 5 and not _VOWELS.isdisjoint(low[:-3]):
        return _stem(low[:-3])
    if not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return low
    if low.endswith("ies"):
        return f"{low[:-3]}y" if len(low) > 5 else low[:-1]
    if low.endswith(("sses", "xes", "ches", "shes", "oes")):
        return low[:-2]
    return low[:-1]


def _stem(found: str) -> str:
    """Return the verb of which `found` is what "-ed" or "-ing" leaves: "runn" is of "run", "us" of "use"."""
    if len(found) > 2 and found[-1] == found[-2] and found[-1] not in "aeiouls":
        return found[:-1]
    if found.endswith("ll") and sum(one in _VOWELS for one in found) > 1:
        return found[:-1]  # cancelled, travelled
    if found.endswith(("ss", "ng", "ow", "ay", "oy", "ey", "ix", "ax")):
        return found
    is_short = sum(one in _VOWELS for one in found) == 1
    if is_short and len(found) >= 2 and found[-1] not in _VOWELS | {"w", "x"} and found[-2] in _VOWELS:
        return f"{found}e"  # file, use, hope: "hop" would be doubled
    if found.endswith(("c", "g", "v", "u", "z", "s", "bl", "pl", "tl", "dl", "cl", "gl")):
        return f"{found}e"
    ends_with_e = ("iat", "uat", "eat", "rat", "lat", "dat", "nat", "cat", "gat", "tat", "vat", "rit", "let", "plet",
                   "ir", "ur", "ar", "id", "ud", "od", "bin", "fin", "lin", "min", "sum", "ut")  # fmt: skip
    has_pair = len(found) > 2 and found[-2] in _VOWELS and found[-3] in _VOWELS
    return (
        f"{found}e"
        if found.endswith(ends_with_e) and (not has_pair or found.endswith(("iat", "uat", "eat")))
        else found
    )


def _with_phrases(words: list[Word]) -> Iterator[Word]:
    """Yield the words with phrases replaced by what they stand for; "'s" of a phrase counts as "is"."""
    place = 0
    while place < len(words):
        for length in PHRASE_LENGTHS.get(words[place].low, ()):
            found = tuple(one.low for one in words[place : place + length])
            meant = PHRASES.get(found)
            if meant is not None:
                last = None
                for one in meant:
                    if one.isdecimal():
                        last = Word(one, one, is_exact=True)
                    elif one == PAST:
                        last = Word(PAST, one)
                    else:
                        last = _inflected(one, last, is_first=False)
                    yield last
                place += length
                break
        else:
            yield words[place]
            place += 1
