"""A sentence as the words that it says, in one spelling: numbers, times, dates and names as they are, the rest by its
dictionary form (T-67). Pure.

Whatever is no plain word has to be the same to the letter; nothing that could tell two texts apart gets lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ..claims.values.dates import parse_clock, parse_date
from ..claims.values.numbers import parse_money, parse_number
from ..language.closers import without_closer
from ..language.lexicon import CALENDAR, MONTHS, WEEKDAYS
from ..language.numerals import NUMBER_WORDS, ORDINAL_ENDINGS, ORDINALS, SHORT_NAMES, without_commas
from ..language.openers import count_idle
from ..language.remarks import without_remarks
from ..language.segment import tokenise
from ..language.stems import parse_form
from ..language.token import Token
from ..language.units import CURRENCIES, OFTEN, SPANS
from ..language.words import split_compound
from ..patterns import regex
from .words import BEGIN_PHRASES, CLASSES, LONGEST_PHRASE, PHRASES, SYNONYMS


class Word(NamedTuple):
    """One word: as it is compared, as it was written in lower case, and whether it has to be the same to the letter.

    `opens` marks what begins a sentence with a capital letter: a name or not.
    """

    key: str
    low: str
    is_exact: bool = False
    is_past: bool = False
    opens: bool = False


class RawWord(NamedTuple):
    """What one word is read from; `opens`: a sentence or an item begins with it, `is_exact`: a mark is joined to it.

    Of a value in its one spelling, `written` is how the text has it.
    """

    text: str
    opens: bool = False
    is_exact: bool = False
    written: str = ""


#: What the key of a past form ends with.
PAST = "~past"

_BULLET = regex(r"^\s*(?:[-*•–]|\d+[.)])\s+(?=\S)")
_HALF_OF_DAY = regex(r"(?<=\d)(?:\s?([ap])\.m\b\.?| in the (?:morning|(afternoon|evening))\b)", re.IGNORECASE)
#: Marks between two letters without a space: "key=value", "f(x)".
_JOINTS = regex(r"(?<=\w)[^\w\s]+(?=\w)")
_PAUSES = frozenset(",;:()[]{}")
_CLOSERS = frozenset(",;:)]}!")
_DASHES = frozenset("-–—|")
_SPELT_OUT = {"&": "and", "+": "and", "=": "is"}
_IGNORED = frozenset("\"'“”‘’«»„.!…。！")
_ENDS = "".join((" \t?？", *_PAUSES, *_IGNORED))
_IN_DATES = CALENDAR | {",", "of", "am", "pm"}
_MONEY = frozenset("$€£")
_ORDINALS = {number: name for name, number in ORDINALS.items()}
# The case of these letters tells bits from bytes, and "5G" from five grams.
_BITS = frozenset(("Kb", "Mb", "Gb", "Tb"))
_CASE_COUNTS = regex(r"[KMGT]b\b|\d ?[A-Z]$")
#: Units that are other things as often; behind a number they are these.
_LETTERS = {"m": "metre", "l": "litre"}
_FIGURES = regex(r"[\d.,]+")
#: An amount with what follows it, which may open it ("or more"), with its unit, or alone.
_VALUE_LENGTHS = (6, 3, 2, 1)
_ADVERBS = {span: adverb for adverb, span in reversed(OFTEN.items()) if "night" not in adverb and "bi" not in adverb}
_BEGIN_VALUES = NUMBER_WORDS.keys() | frozenset(MONTHS) | CURRENCIES.keys()
_VERSION = regex(r"v(?=\d)", re.IGNORECASE)


def parse_words(sentence: str, plain: frozenset[str] = frozenset()) -> list[Word]:
    """Return the words of one sentence in order; a pause is the word ",", a question ends with "?".

    Of a word among `plain`, in lower case, a capital letter says nothing.
    """
    text = sentence.replace("’", "'").replace("**", "").replace("`", "")
    text = _HALF_OF_DAY.sub(lambda half: f" {half[1] or ('p' if half[2] else 'a')}m", _BULLET.sub("", text))
    pieces = list(_split(text))
    words: list[Word] = []
    for place, piece in enumerate(pieces):
        if plain and piece.text.isalpha() and piece.text.casefold() in plain:
            piece = RawWord(piece.text.casefold(), is_exact=piece.is_exact)
        following = pieces[place + 1].text if place + 1 < len(pieces) else ""
        words.extend(_read(piece, words, following))
    return list(_with_phrases(words))


def _split(text: str) -> Iterator[RawWord]:
    """Yield the words, pauses, dates and times; "user's" and "two-week" are two words, "node-2" is one."""
    joints = {place for match in _JOINTS.finditer(text) for place in range(*match.span())}
    told = [token for token in tokenise(text) if token.low != "." or token.start in joints]
    tokens = without_closer(tuple(without_remarks(told[count_idle(told) :], also_weak=True)))
    place, begin, opens = 0, -1, True
    while place < len(tokens):
        token = tokens[place]
        low = token.low
        if begin < 0 and (low[0].isdigit() or low in _BEGIN_VALUES or low[0] in _MONEY):
            found, end = _parse_value(tokens, place)
            if found and tokens[end - 1].end not in joints:
                written = text[token.start : tokens[end - 1].end].casefold()
                yield from (RawWord(one, is_exact=True, written=one if one.isalpha() else written) for one in found)
                place, opens = end, False
                continue
        place += 1
        if low[0].isalnum() or low[-1].isalnum() or len(low) > 2:
            is_exact = begin >= 0 or token.end in joints
            whole = text[begin : token.end] if begin >= 0 else token.text
            for part in (whole,) if is_exact or whole.isalpha() else _parts(whole):
                yield RawWord(part, opens, is_exact)
                opens = False
            begin = -1
            continue
        behind = text[token.end : token.end + 1]
        is_inner = token.start in joints or (low in _CLOSERS and behind.isalnum())
        if not is_inner and (low in _PAUSES or (low in _DASHES and not behind.strip())):
            yield RawWord(":" if low == ":" else ",")
            opens = opens or low == ":"
        elif not is_inner and low in ("?", "？"):
            yield RawWord("?")
        elif low in _SPELT_OUT and not is_inner and not behind.strip():
            yield RawWord(_SPELT_OUT[low])
        elif is_inner or low not in _IGNORED:
            begin = token.start if begin < 0 else begin
            if not behind.strip(_ENDS):
                yield RawWord(text[begin : token.end], is_exact=True)
                begin = -1


def _parse_value(tokens: Sequence[Token], place: int) -> tuple[list[str], int]:
    """Return the value that may begin here in the one spelling of the claims engine, and where it ends."""
    low = tokens[place].low
    if low[0].isdigit() or low in CALENDAR:
        moment, end = _parse_moment(tokens, place)
        if moment:
            return [moment], end
    for length in _VALUE_LENGTHS:
        window = [
            one._replace(low=_LETTERS[one.text]) if one.text in _LETTERS else one
            for one in tokens[place : place + length]
        ]
        found = parse_money(window, 0) or parse_number(window, 0)
        if found is None or _CASE_COUNTS.search(found.value.text):
            continue
        dimension, _, period = str(found.value.norm[0]).partition("/")
        if not dimension and found.end == 1 and _FIGURES.fullmatch(low):
            continue
        adverb = [_ADVERBS[SPANS[period]]] if period in SPANS and period != "s" else []
        amount = f"{found.value.norm[1]:.10g}{dimension}{'/' * (period == 's')}{period * (not adverb)}"
        return [amount, *adverb], place + found.end
    return [], place


def _parse_moment(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    """Return the date or time of day that may begin here as 2026-03-14 or 15:00, and where it ends."""
    low = tokens[place].low
    window: list[Token] = []
    for token in tokens[place : place + 5]:
        if not token.low[0].isdigit() and token.low not in _IN_DATES:
            break
        window.append(token)
    date = parse_date(window, 0) if "t" not in low or low.endswith(ORDINAL_ENDINGS) or low in MONTHS else None
    if date is not None and date.value.norm[0] == "day" and (date.end > 1 or low[0].isdigit()) and date.value.norm[2]:
        return "-".join(f"{int(one):02d}" if one else "-" for one in date.value.norm[1:]), place + date.end
    clock = parse_clock(window, 0)
    if clock is not None:
        hour, minute = divmod(int(clock.value.norm[0]), 60)
        return f"{hour:02d}:{minute:02d}", place + clock.end
    return "", place


def _parts(word: str) -> Iterator[str]:
    if word.endswith(("'s", "'S")):
        yield from _parts(word[:-2])
        yield "'s"
        return
    yield from split_compound(word)


def _read(read: RawWord, before: list[Word], following: str) -> Iterator[Word]:
    """Yield what one piece of a sentence says, after the words `before` it."""
    piece, low = read.text, read.text.casefold()
    last = before[-1] if before else None
    if read.written:
        yield Word(piece, read.written, is_exact=not piece.isalpha())
    elif piece in (",", "?", ":"):
        if last is None or last.key != piece:
            yield Word(piece, piece)
    elif low == "'s":
        yield Word("be" if last is not None and last.low in CLASSES["subjects_of_is"] else "'s", low)
    elif piece[:-2].isdecimal() and low.endswith(ORDINAL_ENDINGS):
        yield Word(_ORDINALS.get(int(piece[:-2]), low), low, is_exact=True)
    elif low in ("version", "release") and (following[:1].isdecimal() or _VERSION.match(following)):
        return
    elif not piece.isalpha():
        plain = without_commas(_VERSION.sub("", piece, count=1) if _VERSION.match(piece) else piece)
        yield Word(SYNONYMS.get(plain, plain), plain.casefold(), is_exact=True)
    elif read.is_exact or piece in _BITS or (piece[0].islower() and piece != low):
        yield Word(piece, low, is_exact=True)
    elif len(piece) > 2 and piece[-1] == "s" and piece[:-1].isupper():  # "VMs"
        yield Word(SYNONYMS.get(low, low[:-1]), low, is_exact=True)
    elif piece[0].isupper() and not read.opens and low not in ("i", "a", "the"):
        day = SHORT_NAMES.get(low, low)
        full = day if day in WEEKDAYS else low  # but "Jan" is somebody as often
        yield Word(SYNONYMS.get(low, full) if piece.isupper() else full, low, is_exact=True)
    else:
        yield _inflected(low, last, is_first=read.opens and piece[0].isupper())


def _inflected(low: str, last: Word | None, *, is_first: bool) -> Word:
    """Return a plain word by its dictionary form; what opens a sentence may be a name, and keeps its ending."""
    form = parse_form(low, behind_be=last is not None and last.key in ("be", "was"))
    if form.base == "be":
        return Word("was" if form.is_past else "be", low)
    if is_first and not form.is_irregular:
        return Word(SYNONYMS.get(low, low), low, opens=True)
    return Word(SYNONYMS.get(form.base, form.base) + PAST * form.is_past, low, is_past=form.is_past, opens=is_first)


def _with_phrases(words: list[Word]) -> Iterator[Word]:
    """Yield the words with phrases replaced by what they stand for; a verb in front may have any of its forms."""
    place = 0
    while place < len(words):
        first = words[place]
        base = "be" if first.key == "was" else first.key.removesuffix(PAST)
        openers = [one for one in dict.fromkeys((first.low, base)) if one in BEGIN_PHRASES]
        rest = tuple(one.low for one in words[place + 1 : place + LONGEST_PHRASE]) if openers else ()
        for length, opener in product(range(len(rest), -1, -1), openers):
            meant = PHRASES.get((opener, *rest[:length]))
            if meant is not None:
                yield from _meant(meant, is_past=opener != first.low and (first.is_past or first.key == "was"))
                place += length + 1
                break
        else:
            yield first
            place += 1


def _meant(words: Sequence[str], *, is_past: bool) -> Iterator[Word]:
    """Yield the words that a phrase stands for, the first in the tense of the phrase."""
    found: list[Word] = []
    for piece in _split(" ".join(words)) if words and words[0][0].isdigit() else map(RawWord, words):
        found.extend([Word(PAST, PAST)] if piece.text == PAST else _read(piece, found, ""))
    if is_past and found:
        was = found[0].key == "be"
        yield Word("was" if was else found[0].key + PAST, found[0].low, is_past=not was)
        found = found[1:]
    yield from found
