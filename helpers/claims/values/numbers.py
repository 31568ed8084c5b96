"""Read numbers, units, money, versions and ports; a form that is not fully understood (a range, a list) is not read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from ...language import lexicon, numerals
from ...language.numerals import BIG, CURRENCIES, MAGNITUDES, NUMBER_WORDS, PERIODS, SIZES, without_commas
from ...language.tables import read_table, word_sets
from ...language.token import Token, low_at, spelled, text_of
from ...language.verbs import letters_of
from ...language.vocabulary import one_of
from ...texts import regex
from ..model import Norm, Value, ValueKind

_NUMBER: Final = regex(
    r"([$€£])?(\d{1,15}|\d{1,3}(?:,\d{3})+)(\.\d{1,9}|,\d\d?)?(e-?\d{1,3})?([a-zµ°]{0,6}%?)((?:/[a-z]{1,8})?)"
)
_GLUED: Final = regex(r"([a-z]{2,20})-?(\d{1,4}(?:\.\d{1,4}){1,3})")
_DAY: Final = 86400.0
_OLDEST: Final = 130
_LONGEST_NAME: Final = 3
_LONGEST_PORT: Final = 4
_PORTS: Final = 65_536
_DONE: Final = regex(
    r"(?:(\w+)\s+)?(?<![\w./-])(\d[\d,]*)(?:\s+(?:out\s+)?of\s+(?:the\s+)?|\s?/\s?)(\d[\d,]*)(?![\w./-])"
)
_LONGEST_TEXT: Final = 400
_WORDS: Final = word_sets(read_table(__file__, "names")["words"])
EACH: Final = _WORDS["each"]
_VERSION: Final = regex(rf"v?(\d{{1,6}}(?:\.\d{{1,6}}){{0,4}})(?:-?({one_of(_WORDS['prereleases'])})\.?(\d{{0,4}}))?")
_PORT_AT: Final = regex(rf"(?:(?:{one_of(_WORDS['port'])}) )*(?:localhost|0\.0\.0\.0)?:*(\d[\d,]{{0,5}}) ")
_RANGE_WORDS: Final = _WORDS["ranges"] | frozenset("- – — .. + > < → -> ± /".split())
_NEVER_NAMES: Final = (
    lexicon.DETERMINERS
    | lexicon.PREPOSITIONS
    | lexicon.CONJUNCTIONS
    | lexicon.NEUTRAL
    | lexicon.ADDITIVE
    | lexicon.DEICTIC_DAYS
    | _WORDS["port"]
    | {"not", "no", "version", ","}
)


class Parsed(NamedTuple):
    """A value, the index of the first token after it, and the name that completes the slot ("python")."""

    value: Value
    end: int
    name: str = ""

    @classmethod
    def of(cls, kind: ValueKind, tokens: Sequence[Token], begin: int, end: int, norm: Norm) -> Parsed:
        """Return what the tokens from `begin` to `end` say."""
        return cls(Value(kind, text_of(tokens[begin:end]), norm), end)

    @classmethod
    def word(cls, kind: ValueKind, tokens: Sequence[Token], index: int, *norm: str | float) -> Parsed:
        """Return what the one token at `index` says."""
        return cls.of(kind, tokens, index, index + 1, norm)


def is_range(tokens: Sequence[Token], index: int) -> bool:
    """Whether what follows a value opens it ("or newer", "to 5", "+")."""
    return low_at(tokens, index) in _RANGE_WORDS


class _Amount(NamedTuple):
    """A number with its `unit` and the `period` of a rate, as they are written; both may be empty."""

    size: float
    decimals: int
    unit: str
    period: str
    end: int


def _amount(tokens: Sequence[Token], index: int) -> _Amount | None:
    """Return the number at `index` with what is glued to it."""
    low, following = low_at(tokens, index), low_at(tokens, index + 1)
    if low in NUMBER_WORDS:
        size = BIG.get(following, 1)
        end = index + 1 + (size > 1)
        is_whole = size == 1 or not (low_at(tokens, end) == "and" or low_at(tokens, end) in NUMBER_WORDS)
        return _Amount(float(NUMBER_WORDS[low] * size), 0, "", "", end) if is_whole else None
    match = _NUMBER.fullmatch(low)
    if match is None:
        return None
    sign, whole, fraction, exponent, unit, per = match.groups("")
    amount = float(without_commas(whole + fraction) + exponent)
    decimals = max(0, len(fraction) - 1)
    if unit in MAGNITUDES and (unit != "m" or sign or tokens[index].text.endswith("M")):
        return _Amount(amount * MAGNITUDES[unit], decimals, sign, per[1:], index + 1)
    if not unit and following in numerals.LARGE:
        return _Amount(amount * numerals.LARGE[following], decimals, sign, per[1:], index + 2)
    return None if sign and unit else _Amount(amount, decimals, sign or unit, per[1:], index + 1)


def _period(tokens: Sequence[Token], index: int, glued: str) -> tuple[str, int] | None:
    """Return a period and where it ends: "/month", "a month", "monthly"; ("", index) without one, None if unknown."""
    if glued:
        return (PERIODS[glued], index) if glued in PERIODS else None
    low = low_at(tokens, index)
    if low in numerals.ADVERB_PERIODS:
        return numerals.ADVERB_PERIODS[low], index + 1
    if low in EACH or low == "/":
        name = low_at(tokens, index + 1)
        return (PERIODS[name], index + 2) if name in PERIODS else None
    return "", index


def _quantity(tokens: Sequence[Token], index: int, units: Mapping[str, object]) -> _Amount | None:
    """Return the number at `index` with its unit, which is one of `units`, and its period."""
    read = _amount(tokens, index)
    if read is None or (read.unit and read.unit not in units):
        return None
    word, _, per = low_at(tokens, read.end).partition("/")
    if word in units and units[read.unit or word] == units[word]:
        read = read._replace(unit=word, period=per or read.period, end=read.end + 1)
    period = _period(tokens, read.end, read.period)
    if period is None or is_range(tokens, period[1]):
        return None
    return read._replace(period=period[0], end=period[1])


def parse_money(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "$5,000", "5k USD", "99 EUR per month"; norm: (currency and period, amount)."""
    read = _quantity(tokens, index, CURRENCIES)
    if read is None or not read.unit:
        return None
    label = "/".join(filter(None, (CURRENCIES[read.unit], read.period)))
    return Parsed.of(ValueKind.MONEY, tokens, index, read.end, (label, read.size))


def parse_number(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a number; norm: (dimension, amount in the base unit, decimals as written, the period of a rate)."""
    read = _quantity(tokens, index, SIZES)
    if read is None:
        return None
    dimension, factor = SIZES.get(read.unit, ("", 1.0))
    norm: Norm = (dimension, read.size * factor, read.decimals)
    if read.period:
        if dimension == "time" and factor >= _DAY:
            dimension = "day"  # of work, or of opening: no 24 hours
        per, seconds = SIZES.get(read.period, ("", 1.0))
        factor, per = (factor / seconds, "s") if per == "time" else (factor, read.period)
        norm = (f"{dimension}/{per}", read.size * factor, read.decimals, read.period)
    return Parsed.of(ValueKind.NUMBER, tokens, index, read.end, norm)


def parse_age(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "34 years old", "34"; norm as a number of years."""
    read = _amount(tokens, index)
    if read is None or read.decimals or read.unit or not 0 < read.size < _OLDEST:
        return None
    is_told = low_at(tokens, read.end) in ("years", "year", "yrs")
    end = read.end + 2 * is_told
    if is_range(tokens, end) or (is_told and low_at(tokens, end - 1) != "old"):
        return None
    return Parsed.of(ValueKind.NUMBER, tokens, index, end, ("age", read.size, 0))


def parse_years_old(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return an age that says so: "34 years old"."""
    parsed = parse_age(tokens, index)
    return parsed if parsed and tokens[parsed.end - 1].low == "old" else None


def parse_count(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "5 members", "three large nodes"; the name is the singular of the thing counted."""
    read = _amount(tokens, index)
    if read is None or read.decimals or read.unit:
        return None
    words = _words_ahead(tokens, read.end, _may_be_counted)
    end = read.end + len(words)
    if not words or is_range(tokens, end):
        return None
    name = " ".join([*words[:-1], lexicon.singular(words[-1])])
    return Parsed(Value(ValueKind.NUMBER, tokens[index].text, ("", read.size, 0)), end, name)


def _words_ahead(tokens: Sequence[Token], index: int, fits: Callable[[str], bool]) -> list[str]:
    """Return the words of a name of at most three words from `index` on."""
    return [*takewhile(fits, (token.low for token in tokens[index : index + _LONGEST_NAME]))]


def _may_be_counted(low: str) -> bool:
    is_unit = SIZES.get(low, ("",))[0] in ("time", "data", "months", "percent")
    return low.isalpha() and low not in _NEVER_NAMES and not is_unit


def _may_have_version(low: str) -> bool:
    return low[0].isalpha() and low not in _NEVER_NAMES and _version_norm(low) is None


def _version_norm(low: str) -> Norm | None:
    match = _VERSION.fullmatch(low)
    if match is None:
        return None
    numbers = map(float, match[1].split("."))
    return (*numbers, match[2] + match[3]) if match[2] not in (None, "lts", "x") else tuple(numbers)


def parse_version(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "2.1", "v3", "version 3"; norm: its numbers, with a pre-release mark last."""
    begin, index = index, index + (low_at(tokens, index) in ("version", "release"))
    norm, following = _version_norm(low_at(tokens, index)), low_at(tokens, index + 1)
    if norm is None or following in SIZES or is_range(tokens, index + 1):
        return None
    end = index + 1 + (following in ("lts", "beta", "alpha"))
    return Parsed.of(ValueKind.VERSION, tokens, begin, end, norm)


def parse_named_version(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "Python 3.11", "Node.js v20", "Spring Boot 3.2"; the name is the canonical name of the software."""
    known = lexicon.versioned_names()
    glued = _GLUED.fullmatch(low_at(tokens, index))
    if glued and glued[1] in known and not is_range(tokens, index + 1):
        return Parsed(Value(ValueKind.VERSION, glued[2], _version_norm(glued[2]) or ()), index + 1, known[glued[1]])
    words = _words_ahead(tokens, index, _may_have_version)
    version = parse_version(tokens, index + len(words)) if words else None
    if version is None:
        return None
    mark, name = low_at(tokens, index + len(words)), known.get(words[-1])
    if mark == "version" or "." in mark or (mark[0] == "v" and mark[1:2].isdigit()):
        return version._replace(name=" ".join([*words[:-1], name or words[-1]]))
    return version._replace(name=name) if name else None


def parse_port(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a port number, with or without the word "port"."""
    match = _PORT_AT.match(spelled(tokens[index : index + _LONGEST_PORT]))
    end = index + match[0].count(" ") if match else index
    port = int(match[1].replace(",", "")) if match else 0
    if not 0 < port < _PORTS or is_range(tokens, end):
        return None
    return Parsed.of(ValueKind.PORT, tokens, index, end, (float(port),))


def parse_named_port(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a port that says so ("port 8080"), or a bare number that is hardly anything else ("runs on 8080")."""
    low = low_at(tokens, index)
    says_so = low in ("port", "tcp", "udp") or low.startswith(("localhost:", "0.0.0.0:"))
    return parse_port(tokens, index) if says_so or (low.isdecimal() and 4 <= len(low) <= 5) else None


def has_count(text: str) -> bool:
    """Return whether a short text tells how much of some work is done: "12 of 40"; "chapter 3 of 12" numbers a part."""
    matches = list(_DONE.finditer(text)) if len(text) <= _LONGEST_TEXT else []
    if len(matches) != 1 or letters_of((matches[0][1] or "is").casefold()) in ("", "b"):
        return False
    done, whole = map(without_commas, matches[0].group(2, 3))
    return done.isdecimal() and whole.isdecimal() and int(done) <= int(whole)
