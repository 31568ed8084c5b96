"""A sentence as the words that it says, in one spelling: numbers, times, dates and names as they are, the rest by its
dictionary form (T-67). Pure.

Whatever is no plain word has to be the same to the letter; nothing that could tell two texts apart gets lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...claims.values.dates import parse_clock, parse_date
from ...language.lexicon import MONTHS
from ...language.nouns import singular
from ...language.numerals import NUMBER_WORDS, ORDINAL_ENDINGS, ORDINALS, SHORT_NAMES, without_commas
from ...language.segment import tokenise
from ...language.token import Token
from ...language.units import COUNTED, unit_of
from ...language.verbs import BE_PAST, forms
from ...language.words import split_compound
from ...patterns import regex
from .words import CLASSES, PHRASE_LENGTHS, PHRASES, PLURALS, SYNONYMS


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
    """What one word is read from; `opens`: a sentence or an item begins with it, `is_exact`: a mark is joined to it."""

    text: str
    opens: bool = False
    is_exact: bool = False


#: What the key of a past form ends with.
PAST = "~past"

_BULLET = regex(r"^\s*(?:[-*•–]|\d+[.)])\s+(?=\S)")
_HALF_OF_DAY = regex(r"(?<=\d)\s?([ap])\.m\b\.?", re.IGNORECASE)
#: Marks between two letters without a space: "key=value", "f(x)".
_JOINTS = regex(r"(?<=\w)[^\w\s]+(?=\w)")
_PAUSES = frozenset(",;:()[]{}")
_CLOSERS = frozenset(",;:)]}!")
_DASHES = frozenset("-–—|")
_IGNORED = frozenset("\"'“”‘’«»„.!…。！")
_ENDS = "".join((" \t?？", *_PAUSES, *_IGNORED))
_IN_DATES = frozenset(MONTHS) | {",", "of", "am", "pm"}
_SUBJECTS_OF_IS = CLASSES["pronouns"] | CLASSES["subjects_of_is"]
_AMOUNT = regex(r"(?P<sign>[-+~<>≤≥]*)(?P<money>[$€£]?)(?P<number>\d[\d,]*(?:\.\d+)?)(?P<unit>%|[A-Za-zµ]+)?")
_MONEY = frozenset("$€£")
_ORDINALS = {number: name for name, number in ORDINALS.items()}
# The case of these letters tells bits from bytes.
_BITS = frozenset(("Kb", "Mb", "Gb", "Tb"))
_VERSION = regex(r"v(?=\d)", re.IGNORECASE)
_VOWELS = frozenset("aeiouy")


def parse_words(sentence: str, plain: frozenset[str] = frozenset()) -> list[Word]:
    """Return the words of one sentence in order; a pause is the word ",", a question ends with "?".

    Of a word among `plain`, in lower case, a capital letter says nothing.
    """
    text = sentence.replace("’", "'").replace("**", "").replace("`", "")
    pieces = list(_split(_HALF_OF_DAY.sub(r" \1m", _BULLET.sub("", text))))
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
    tokens = [token for token in tokenise(text) if token.low != "." or token.start in joints]
    place, begin, opens = 0, -1, True
    while place < len(tokens):
        token = tokens[place]
        low = token.low
        if begin < 0 and (low[0].isdigit() or low in MONTHS):
            moment, end = _parse_moment(tokens, place)
            if moment:
                yield RawWord(moment, is_exact=True)
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
            yield RawWord(",")
            opens = opens or low == ":"
        elif not is_inner and low in ("?", "？"):
            yield RawWord("?")
        elif low == "&":
            yield RawWord("and")
        elif is_inner or low not in _IGNORED:
            begin = token.start if begin < 0 else begin
            if not behind.strip(_ENDS):
                yield RawWord(text[begin : token.end], is_exact=True)
                begin = -1


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
    if piece in (",", "?"):
        if last is None or last.key != piece:
            yield Word(piece, piece)
    elif piece in _MONEY:
        yield Word(_unit(piece), low, is_exact=True)
    elif low == "'s":
        yield Word("be" if last is not None and last.low in _SUBJECTS_OF_IS else "'s", low)
    elif not piece.isalpha() and (amount := _AMOUNT.fullmatch(piece)) is not None:
        yield from _parse_amount(amount)
    elif low in NUMBER_WORDS:
        if last is not None and f"{last.low}-{low}" in NUMBER_WORDS:
            low = f"{before.pop().low}-{low}"
        yield Word(str(NUMBER_WORDS[low]), low, is_exact=True)
    elif last is not None and last.is_exact and last.key.lstrip("-+~<>≤≥")[:1].isdecimal() and (unit := _unit(piece)):
        yield Word(unit, low, is_exact=True)
    elif low in ("version", "release") and (following[:1].isdecimal() or _VERSION.match(following)):
        return
    elif not piece.isalpha():
        plain = _VERSION.sub("", piece, count=1) if _VERSION.match(piece) else piece
        yield Word(plain, plain.casefold(), is_exact=True)
    elif read.is_exact or (piece[0].islower() and piece != low):
        yield Word(piece, low, is_exact=True)
    elif piece[0].isupper() and not read.opens and low not in ("i", "a", "the"):
        yield Word(_full_name(low, last), low, is_exact=True)
    else:
        yield _inflected(low, last, is_first=read.opens and piece[0].isupper())


def _parse_amount(amount: re.Match[str]) -> Iterator[Word]:
    number, unit = without_commas(amount["number"].rstrip(",")), amount["unit"] or ""
    if unit in ORDINAL_ENDINGS and number.isdecimal():
        ordinal = _ORDINALS.get(int(number), number + unit)
        yield Word(ordinal, ordinal, is_exact=True)
        return
    yield Word(amount["sign"] + number, number, is_exact=True)
    if amount["money"]:
        yield Word(_unit(amount["money"]), amount["money"], is_exact=True)
    if unit:
        yield Word(_unit(unit) or SYNONYMS.get(unit, unit), unit.casefold(), is_exact=True)


def _unit(piece: str) -> str:
    """Return the one name of a unit; nothing where a word is none, or its case counts."""
    if piece in _BITS or (len(piece) == 1 and piece.isupper()):
        return ""
    low = piece.casefold()
    found = unit_of(low) or unit_of(SYNONYMS.get(low, low))
    return f"{found[0]}*{found[1]:g}" if found is not None and found[0] not in COUNTED else ""


def _full_name(low: str, last: Word | None) -> str:
    """Return a day or month in full where one can be meant: "on Sun", but not "ask Jan"."""
    return SHORT_NAMES.get(low, low) if last is not None and last.low in CLASSES["before_dates"] else low


def _inflected(low: str, last: Word | None, *, is_first: bool) -> Word:
    """Return a plain word by its dictionary form; what opens a sentence may be a name, and keeps its ending."""
    lemma, letters = forms().get(low, ("", ""))
    if lemma == "be":
        return Word("was" if low in BE_PAST else "be", low)
    if _full_name(low, last) != low:
        return Word(_full_name(low, last), low)
    base = PLURALS.get(low) or (lemma if lemma in ("do", "have", "go") and letters == "s" else low)
    if is_first or base != low or low in CLASSES["not_inflected"]:
        return Word(SYNONYMS.get(base, base), low, opens=is_first)
    if not letters.strip("dn") and (letters or _ends_like_verb(low, "ed")):
        base = lemma or (f"{low[:-3]}y" if low.endswith("ied") else _without_ending(low[:-2]))
        return Word(SYNONYMS.get(base, base) + PAST, low, is_past=True)
    if last is not None and last.key in ("be", "was") and (letters == "g" or _ends_like_verb(low, "ing")):
        base = lemma or _without_ending(low[:-3])
    elif low.isascii() and not letters.startswith("b"):
        base = lemma if letters == "s" else low[:-2] if low.endswith(("ches", "oes")) else singular(low)
    return Word(SYNONYMS.get(base, base), low)


def _ends_like_verb(low: str, ending: str) -> bool:
    """Whether an ending can be one of a verb that no table has: "zapped", but neither "red" nor "need"."""
    stem = low.removesuffix(ending)
    return stem != low and len(stem) > 2 and stem[-1] != "e" and not _VOWELS.isdisjoint(stem)


#: What "-ed" and "-ing" leave of a verb that ends with "e".
_LACKS_E = regex(
    r"[^aeiouy]*[aeiouy][^aeiouywx]|.*(?:[cgvuz]|(?<!s)s|[bpdtcg]l|[iue]at)"
    r"|.*(?:[rldncgtv]at|rit|let|[bflm]in|sum)|.*(?<![aeiouy])(?:[iua]r|[iuo]d|ut)"
)


def _without_ending(found: str) -> str:
    """Return the verb of which "-ed" or "-ing" leave this: "runn" is of "run", "us" of "use"."""
    if (
        len(found) > 2
        and found[-1] == found[-2]
        and found[-1] not in "aeious"
        and (found[-1] != "l" or sum(one in _VOWELS for one in found) > 1)
    ):
        return found[:-1]
    return f"{found}e" if not found.endswith("ng") and _LACKS_E.fullmatch(found) else found


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
