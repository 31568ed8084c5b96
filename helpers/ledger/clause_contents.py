"""One clause: its words, its parts, its values with their units, and what it denies (T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..language.keys import FRAME_KEYS, KeyedToken, is_same_word, parse_date, parse_tokens, words_of
from ..language.units import FACTORS
from ..language.vocabulary import JOINERS, NAME_ENDINGS, NOUN_ENDINGS, WORDS
from ..language.wordings import read_patterns
from ..patterns import regex
from .polarity import parse_polarity

_SAID = read_patterns("utterances")

_YEAR = regex(r"(?:19|20)\d\d")


class SuppliedValue(NamedTuple):
    """A number, an identifier or a name, which nobody may have supplied but the author.

    `head` is the word that a number counts. Where not `is_certain`, a capital may only open the sentence, and a number
    in words may have been counted by who wrote the memory.
    """

    form: str
    is_number: bool
    is_certain: bool = True
    keys: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    head: str = ""


class Part(NamedTuple):
    """What stands between two joining words."""

    words: frozenset[str]
    forms: frozenset[str]
    values: tuple[SuppliedValue, ...]


class ClauseContents(NamedTuple):
    """The words of a clause as a set and in order, its parts, and which words it affirms and denies.

    It is elliptical where it denies of its subject what was said just before: "the oral isn't".
    """

    words: frozenset[str]
    keys: tuple[str, ...]
    parts: tuple[Part, ...]
    affirmed: frozenset[str]
    denied: frozenset[str]
    is_negated: bool
    is_elliptical: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The words in order, without those that a summary supplies."""
        return tuple([key for key in self.keys if key not in FRAME_KEYS])


@lru_cache(maxsize=2_048)
def parse_clause(text: str, *, opens_sentence: bool) -> ClauseContents:
    """Read `text`, in which apostrophes are plain."""
    tokens = parse_tokens(text)
    keys = tuple([key for token in tokens for key in token.keys])
    words = frozenset(keys)
    parts = tuple(_parse_parts(tokens, words, opens_sentence=opens_sentence))
    return ClauseContents(
        words, keys, parts, *parse_polarity(text, tokens, words), _SAID["ends_denied"].search(text) is not None
    )


def covers(part: Part, value: SuppliedValue) -> bool:
    """Whether `value` of a memory stands in `part` of somebody's words, in the same or another spelling."""
    if value.is_number:
        return any([one.is_number and one.form == value.form and _fits(one.units, value.units) for one in part.values])
    return value.form in part.forms or (value.form.isascii() and _covers_spelling(part, value))


def are_forms(one: str, other: str) -> bool:
    """Whether two keys look like forms of one word: "wohnt" and "wohne", "mag" and "magazi", "일한다" and "일해요"."""
    head = _shared_head(one, other)
    if not one.isascii():
        return head > 0
    shorter, longer = sorted((len(one), len(other)))
    return (head >= 3 and head == shorter) or (head >= 4 and longer - head <= 2)


def _covers_spelling(part: Part, value: SuppliedValue) -> bool:
    date = parse_date(value.form)
    if date:
        year, month, day = date
        years = {form for form in part.forms if _YEAR.fullmatch(form)}
        return {month, day} <= part.forms and years <= {year}
    if not value.form.isalpha():
        return False
    if is_same_word(value.form, part.words):
        return True
    root = value.form[:4]
    return any([one.startswith(root) and _is_inflection(value.form, one) for one in part.forms])


def _is_inflection(one: str, other: str) -> bool:
    head = _shared_head(one, other)
    return head >= 4 and one[head:] in NAME_ENDINGS and other[head:] in NAME_ENDINGS


def _shared_head(one: str, other: str) -> int:
    """Return how many characters two words have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _fits(said: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether two numbers can be one amount: a unit may be left out, but not be another one."""
    if said == wanted:
        return True
    if said & FACTORS != wanted & FACTORS:
        return False
    plain_said, plain_wanted = said - FACTORS, wanted - FACTORS
    return not plain_said or not plain_wanted or not plain_said.isdisjoint(plain_wanted)


def _parse_parts(tokens: Sequence[KeyedToken], words: frozenset[str], *, opens_sentence: bool) -> Iterator[Part]:
    joints = [position for position, token in enumerate(tokens) if token.low in JOINERS]
    if not joints:
        yield _parse_part(tokens, words, opens_sentence=opens_sentence)
        return
    for begin, end in zip((0, *(position + 1 for position in joints)), (*joints, len(tokens)), strict=True):
        part = tokens[begin:end]
        if part:
            yield _parse_part(part, words_of(part), opens_sentence=opens_sentence and begin == 0)


def _parse_part(tokens: Sequence[KeyedToken], words: frozenset[str], *, opens_sentence: bool) -> Part:
    forms = {form for token in tokens for form in token.forms}
    values: list[SuppliedValue] = []
    for position, token in enumerate(tokens):
        if token.number:
            values.append(_parse_amount(tokens, position))
            if position and tokens[position - 1].low.isalpha():
                # "node 2" is also "node-2".
                forms.add(tokens[position - 1].low + token.number)
        elif token.is_identifier:
            values.append(SuppliedValue(token.forms[-1], is_number=False, keys=frozenset(token.keys)))
        elif token.is_name:
            is_certain = position > 0 or not opens_sentence
            if is_certain or _may_be_name(token.low):
                values.append(SuppliedValue(token.forms[-1], False, is_certain, frozenset(token.keys)))
    return Part(words, frozenset(forms), tuple(values))


def _may_be_name(opening: str) -> bool:
    """Whether the word that opens a sentence may be a name; adverbs and nouns of action are none."""
    return opening not in WORDS["openers"] and not opening.endswith(("ly", *NOUN_ENDINGS))


def _parse_amount(tokens: Sequence[KeyedToken], position: int) -> SuppliedValue:
    """Return the number at `position` with the units around it and the word that it counts."""
    token = tokens[position]
    units = {token.unit}
    if position and tokens[position - 1].unit == "minus":
        units.add("minus")
    end = position + 1
    while end < len(tokens) and (tokens[end].unit or tokens[end].low.startswith("degree")) and not tokens[end].number:
        units.add(tokens[end].unit)
        end += 1
    keys = tokens[end].keys if end < len(tokens) else ()
    return SuppliedValue(
        token.number,
        is_number=True,
        is_certain=any(character.isdecimal() for character in token.low),
        keys=frozenset(token.keys[:1]),
        units=frozenset(units - {""}),
        head=keys[0] if keys else "",
    )
