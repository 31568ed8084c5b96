"""The keys and spellings of tokens, by which two texts are compared, and whether a token is a value. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ..texts import regex
from .numerals import MONTH_NAMES, ORDINAL_ENDINGS, SHORT_NAMES, SYMBOLS, UNITS
from .token import TRAILING
from .vocabulary import NAMES_LIKE_STOPWORDS, NO_IDENTIFIERS, POLARITY_WORDS, SAME_WORDS, WORDS
from .words import LONGEST_TOKEN, STOPWORDS, normalize_token, root, split_compound, split_tokens

# Of a longer word only so much is compared, so that derivations count as one word.
_KEY_LENGTH = 6

_UNIT_NUMBER = regex(r"v?(\d[\d.,]*)([a-z]{1,5})?")
_NAME_AND_NUMBER = regex(r"([a-z]{2,})-?(\d[\d.]*)")
_ISO_DATE = regex(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)")
_PADDED_TIME = regex(r"^0(?=\d:\d\d$)")
# It begins with a set of characters, so that a search skips what holds none of them.
_CLOCK = regex(r"[0-9](?<![\w.:][0-9])([0-9]?)(?::([0-5]\d))?\s?([ap])\.?m\b", re.IGNORECASE)
_SYMBOL = regex(r"([$€£¥])\s?(\d[\d.,]*\d|\d)|([%°])|(\w{1,6})([²³])|(?<![\w.)\]])[-−](?=\d)")
# All of that which plain ASCII may hold, beside a dollar and a percent sign.
_MINUS = regex(r"-(?<![\w.)\]]-)(?=\d)")
_JOINTS = frozenset("./@_:#+")
_SAME_WORD = {root(word): root(group[0]) for group in SAME_WORDS for word in group}
_OFTEN_SUPPLIED = frozenset(normalize_token(word) for word in WORDS["frame"])


class KeyedToken(NamedTuple):
    """The properties of a token in any context; `number` and `unit` may be empty."""

    low: str
    keys: tuple[str, ...]
    forms: tuple[str, ...]
    number: str
    unit: str
    is_identifier: bool
    is_name: bool
    has_polarity: bool


@lru_cache(maxsize=512)
def parse_tokens(text: str) -> tuple[KeyedToken, ...]:
    """Return the tokens of `text`, in which apostrophes are plain."""
    return tuple(iter_tokens(text))


def iter_tokens(text: str) -> Iterator[KeyedToken]:
    """Yield the tokens of `text` one by one, for a caller that needs only the first ones."""
    text = spell_out(text)
    return map(_inspect, _split_hyphens(text) if "-" in text else split_tokens(text))


@lru_cache(maxsize=32_768)
def chunk_keys(chunk: str) -> tuple[str, ...]:
    """Return the keys of the tokens of a piece between blanks, in order; a text has the keys of its pieces."""
    word = chunk.rstrip(TRAILING)
    if word.isascii() and word.isalpha() and len(word) <= LONGEST_TOKEN:
        return _keys(word)
    return tuple([key for token in _split_hyphens(chunk) for key in _inspect(token).keys])


def words_of(tokens: Iterable[KeyedToken]) -> frozenset[str]:
    """Return the keys under which `tokens` count as said."""
    return frozenset([key for token in tokens for key in token.keys])


def keys_of(words: Iterable[str]) -> frozenset[str]:
    """Return the keys under which `words` count as said."""
    return frozenset(key for word in words for key in _keys(word))


def is_same_word(word: str, keys: frozenset[str]) -> bool:
    """Whether `word` has another name that is among `keys`: "kubernetes" and "k8s"."""
    return normalize_token(word) in _SAME_WORD and not keys.isdisjoint(_keys(word))


@lru_cache(maxsize=4_096)
def parse_date(form: str) -> tuple[str, str, str] | None:
    """Return year, name of the month and day of an ISO date; None of another text."""
    date = _ISO_DATE.fullmatch(form)
    return (date[1], MONTH_NAMES[int(date[2]) - 1], str(int(date[3]))) if date else None


def spell_out(text: str) -> str:
    """Return `text` with symbols in words and one form of times: "€5" is "5 eur", "m²" "square m", "3 pm" "15:00"."""
    return _CLOCK.sub(_spell_time, _SYMBOL.sub(_spell_symbol, text) if _may_have_symbols(text) else text)


def is_spelled_out(text: str) -> bool:
    """Whether `spell_out` surely leaves a text as it is; also of many texts that are joined by more than a blank."""
    return not _may_have_symbols(text) and _CLOCK.search(text) is None


def _may_have_symbols(text: str) -> bool:
    return not text.isascii() or "$" in text or "%" in text or _MINUS.search(text) is not None


def _spell_symbol(match: re.Match[str]) -> str:
    currency, amount, sign, base, power = match.groups()
    if currency:
        return f"{amount}{SYMBOLS[currency]}"
    if sign:
        return SYMBOLS[sign]
    if power:
        return f"{'square' if power == '²' else 'cubic'} {base}"
    return "minus "


def _spell_time(match: re.Match[str]) -> str:
    second, minute, half = match.groups()
    hour = int(match[0][0] + second)
    return f"{hour % 12 + (12 if half in 'pP' else 0)}:{minute or '00'}" if 1 <= hour <= 12 else match[0]


def _split_hyphens(text: str) -> Iterator[str]:
    """Yield the tokens of `text` and the words of compounds; "3-9" is two numbers."""
    for token in split_tokens(text):
        first, _, last = token.partition("-")
        is_range = first.isdecimal() and last.isdecimal() and int(first) < int(last)
        yield from (first, last) if is_range else split_compound(token)


@lru_cache(maxsize=16_384)
def _inspect(token: str) -> KeyedToken:
    low = _PADDED_TIME.sub("", token.casefold())
    number, unit = _parse_number(low)
    is_stopword = low in STOPWORDS and token not in NAMES_LIKE_STOPWORDS
    has_joint = not is_stopword and not _JOINTS.isdisjoint(low)
    has_digit = any(character.isdecimal() for character in low)
    has_capital = len(token) > 1 and token[0].isalpha() and any(character.isupper() for character in token)
    return KeyedToken(
        low=low,
        keys=_keys(low if low[0].isdecimal() else token),
        forms=_forms(low, number),
        number=number,
        unit=unit,
        is_identifier=not number and (has_digit or has_joint) and low not in NO_IDENTIFIERS,
        is_name=has_capital and not is_stopword and not unit and normalize_token(token) not in _OFTEN_SUPPLIED,
        has_polarity=low in POLARITY_WORDS,
    )


def _parse_number(low: str) -> tuple[str, str]:
    """Return the digits of a number, in figures or in words, and the unit glued to it; or the unit that a word is."""
    match = _UNIT_NUMBER.fullmatch(low)
    if match:
        unit = "" if match[2] in (None, *ORDINAL_ENDINGS) else UNITS.get(match[2], match[2])
        return normalize_token(match[1].rstrip(".,")), unit
    normal = normalize_token(low)
    if normal.isdecimal() and low != "one":
        return normal, ""
    return "", UNITS.get(low, "")


def _keys(token: str) -> tuple[str, ...]:
    """Return the keys under which `token` counts as said; inflections and long derivations share one."""
    folded = token.casefold().removesuffix(".js")
    if (folded in STOPWORDS and token not in NAMES_LIKE_STOPWORDS) or (
        len(folded) == 1 and folded.isascii() and not folded.isdecimal()
    ):
        return ()
    date = parse_date(folded)
    if date:
        return (date[2], *_keys(date[1]))
    unit = _UNIT_NUMBER.fullmatch(folded)
    if unit and unit[2]:
        return (unit[1], *_keys(unit[2]))
    normal = normalize_token(folded) if _JOINTS.isdisjoint(folded) else folded
    normal = _SAME_WORD.get(normal, normal)
    return (normal[:_KEY_LENGTH] if normal.isalpha() else normal,)


def _forms(low: str, number: str) -> tuple[str, ...]:
    """Return the spellings under which a value can be found; the last one is what it is looked for by."""
    forms = [low]
    if number and number != low:
        forms.append(number)
    compound = _NAME_AND_NUMBER.fullmatch(low)
    if compound:
        forms.append(compound[1] + compound[2])
    if low.endswith(".js"):
        forms.append(low.removesuffix(".js"))
    if low in SHORT_NAMES:
        forms.append(SHORT_NAMES[low])
    return tuple(forms)


FRAME_KEYS = keys_of(WORDS["frame"])
