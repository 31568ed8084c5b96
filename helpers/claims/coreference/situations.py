"""Decide whether two texts speak of other circumstances: elsewhere, for somebody else, for a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...language.lexicon import CALENDAR, DETERMINERS, ENVIRONMENTS, NEUTRAL, PERIODS, PREPOSITIONS, singular
from ...language.segment import is_finite, parse_sentences
from ...language.tables import read_classes, read_table
from ...language.token import Token, low_at, place_of, spelled
from ...language.verbs import is_verb
from ...language.vocabulary import one_of
from ...language.words import stem
from ...texts import regex
from ..grammar.verb_groups import SWAP_LEMMAS

_WORDS: Final = read_classes(__file__)
Tokens = Sequence[Token]
_LONGEST_OPENING: Final = 10
_QUOTES: Final = frozenset("\"'“„‘`«")
_NO_CIRCUMSTANCE: Final = DETERMINERS | NEUTRAL | PERIODS | CALENDAR
_NO_TOPIC: Final = DETERMINERS | PREPOSITIONS | NEUTRAL
_ALWAYS_TELLING: Final = frozenset(ENVIRONMENTS) - {"live", "stage"}
_UMBRELLAS: Final = {"weekday": "monday tuesday wednesday thursday friday", "weekend": "saturday sunday"}
_DENYING: Final = frozenset(("not", "never", "no"))
#: Words after which stands all that a denial denies: "is not running as root".
_NARROWING: Final = frozenset(("as", "because"))
_WHILE: Final = 6
#: Recurring times by kind: what holds at one of a kind need not hold at the others.
_RECURRING: Final = tuple(
    {form: word for word in words.split() for form in (word, f"{word}s")}
    for words in read_table(__file__, "word_classes")["situations"]["times"].split("|")
)
#: The seasons, which stand after "in", and all recurring times.
SEASONS: Final = frozenset(_RECURRING[0])
RECURRING: Final = frozenset[str]().union(*_RECURRING)
#: Patterns of a sentence in lower case with a blank around each word.
_BESIDE: Final = regex(
    rf" (?:shifts?|days? (?:a|per) (?:{one_of(PERIODS)})|(?:as (?:a|an|the) (?:{one_of(_WORDS['beside'])}))"
    rf"|in (?:the )?(?:{one_of(SEASONS)})) "
)
_ON_ONE_DAY: Final = regex(rf" on (?:\d|(?:{one_of(CALENDAR)}) )")
_PASSING: Final = regex(
    r" (?:(?:during|temporarily|meanwhile) |(?:until|till) (?!\d|(?:now|noon|midnight) )"
    rf"|(?:{one_of(_WORDS['before_year'])}) (?:19|20)\d\ds? )"
)


def are_elsewhere(first: Tokens, second: Tokens, spans: Sequence[tuple[int, int]], *, is_read: bool) -> bool:
    """Whether two sentences differ by an environment, or a phrase; `is_read`: those inside `spans` are compared."""
    if _environments(first) != _environments(second):
        return True
    inside = (spans[1], spans[0]) if is_read else ((0, 0), (0, 0))
    return any(
        words.isdisjoint({stem(token.low.lstrip("#@")) for token in known})
        for sentence, known, (begin, end) in ((second, first, inside[0]), (first, second, inside[1]))
        for place, words in _phrases(sentence)
        if not begin <= place < end
    )


def are_of_two_topics(older: str, newer: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether both clauses follow an opening that names a thing of its own: "Host ibis is full; the disk has 1 GB".

    So do two labels of which each names what the other text only mentions: "Cron job: look", "Looks: by cron".
    """
    if not all(begin for begin, _ in spans):
        labels = [_label_of(text) for text in (older, newer)]
        return all(
            own.isdisjoint(other) and not own.isdisjoint(map(stem, text.casefold().split()))
            for own, other, text in zip(labels, reversed(labels), (newer, older), strict=True)
        )
    first, second = map(_opened_with, (older, newer))
    return bool(first - second and second - first)


def _label_of(text: str) -> set[str]:
    """Return the words of the label that a text begins with."""
    tokens = parse_sentences(text)[0].tokens[:_LONGEST_OPENING]
    label = next((i for i, token in enumerate(tokens) if token.low == ":"), 0)
    return {stem(token.low) for token in tokens[:label] if token.low.isalnum() and token.low not in _NO_TOPIC}


def _opened_with(text: str) -> set[str]:
    """Return the names that stand before the first verb of a text, or all words of a heading."""
    label = _label_of(text)
    if label:
        return label
    tokens = parse_sentences(text)[0].tokens[:_LONGEST_OPENING]
    end = next((i for i in range(1, len(tokens)) if is_finite(tokens, i)), len(tokens))
    return {
        token.low
        for token in tokens[1:end]
        if token.text[0].isupper() or text[token.start - 1] in _QUOTES or any(map(str.isdigit, token.low))
    }


def recur_apart(first: Tokens, second: Tokens) -> bool:
    """Whether the sentences name different seasons, times of day, weekdays or months ("in winter")."""
    return any(
        (times := _recurring(first, kind))
        and (other_times := _recurring(second, kind))
        and times.isdisjoint(other_times)
        for kind in _RECURRING
    )


def _recurring(tokens: Tokens, kind: dict[str, str]) -> set[str]:
    """Return the times of one kind that a sentence names."""
    named = {kind[token.low] for token in tokens if token.low in kind}
    return named.union(*(_UMBRELLAS[name].split() for name in named if name in _UMBRELLAS))


def denies_in_part(tokens: Tokens, other: Tokens) -> bool:
    """Whether the first sentence denies only a role or a reason that the other one does not have."""
    known = {stem(token.low) for token in other}
    mark = place_of(tokens, _NARROWING, place_of(tokens, _DENYING))
    lows = tuple(token.low for token in tokens[mark + 1 :] if token.low[0].isalpha() and token.low not in DETERMINERS)
    is_phrase = bool(lows) and (tokens[mark].low == "because" or not any(is_verb(low) for low in lows))
    return is_phrase and known.isdisjoint(map(stem, lows))


def is_beside(lows: Sequence[str]) -> bool:
    """Whether it holds on some days, or beside something else: "one day a week", "as a hobby", "on night shifts"."""
    return _BESIDE.search(f" {' '.join(lows)} ") is not None


def are_beside(first: Tokens, second: Tokens) -> bool:
    """Whether only one of two sentences speaks of something beside the rest, or while somebody is away."""
    beside = [is_beside([token.low for token in tokens]) for tokens in (first, second)]
    return beside[0] is not beside[1] or stands_in(first) is not stands_in(second)


def stands_in(tokens: Tokens) -> bool:
    """Whether somebody does it only while another one is away: "while Tom is on holiday"."""
    lows = [token.low for token in tokens]
    marks = (index for index, low in enumerate(lows) if low in ("while", "whenever", "whilst"))
    return any(_WORDS["away"] & set(lows[index : index + _WHILE]) for index in marks)


def is_of_one_day(tokens: Tokens) -> bool:
    """Whether a phrase names the day of the one event that it is about: "the call on 3 May"."""
    return _ON_ONE_DAY.search(f" {spelled(tokens)}") is not None


def tells_when(phrase: Tokens) -> bool:
    """Whether what opens a sentence says when or for whom it holds: "on weekends", "at night", "with children"."""
    first, second = phrase[0].low, phrase[1].low
    if first == "on":
        is_day = second in CALENDAR or singular(second) in CALENDAR
        return second == "weekends" or (singular(second) != second if is_day else phrase[1].text[0].isupper())
    if first in ("with", "without"):
        return len(phrase) == 2 and phrase[1].text.islower()
    return first == "per" or (first == "as" and second in ("a", "an"))


def passes(tokens: Tokens) -> bool:
    """Whether a sentence speaks of a while, or of a year: "until Friday", "during the migration", "in 2015"."""
    return _PASSING.search(f" {spelled(tokens)}") is not None


def sentence_tokens(text: str, span: tuple[int, int]) -> tuple[Token, ...]:
    """Return the tokens of the sentences that a span lies in."""
    return tuple(
        token
        for sentence in parse_sentences(text)
        if sentence.tokens[0].start < span[1] and sentence.tokens[-1].end > span[0]
        for token in sentence.tokens
    )


def _environments(tokens: Tokens) -> frozenset[str]:
    return frozenset(
        ENVIRONMENTS[token.low]
        for index, token in enumerate(tokens)
        if token.low in _ALWAYS_TELLING and not (token.low == "local" and low_at(tokens, index + 1) == "time")
    )


def _phrases(tokens: Tokens) -> Iterator[tuple[int, set[str]]]:
    """Yield the index and the words of each phrase of place, purpose or time that completes no verb."""
    for index, token in enumerate(tokens):
        if token.low not in _WORDS["scoping"] or (index and _is_verb(tokens, index - 1)):
            continue
        # "Swapped A for B" tells what for what, and no purpose.
        if token.low == "for" and any(stem(other.low) in SWAP_LEMMAS for other in tokens[:index]):
            continue
        words: set[str] = set()
        for low in (following.low for following in tokens[index + 1 :]):
            if low in PREPOSITIONS or not (low[0].isalnum() or low[0] in "#@/~.") or (is_verb(low) and words):
                break
            words |= set() if low in _NO_CIRCUMSTANCE else {stem(low)}
        if words and words.isdisjoint(_WORDS["plain"]) and not all(word[0].isdigit() for word in words):
            yield token.start, words


def _is_verb(tokens: Tokens, index: int) -> bool:
    low = tokens[index].low
    while index and (low in NEUTRAL or low in ("not", "instead")):
        index -= 1
        low = tokens[index].low
    return is_verb(low) or low.endswith("ed") or low in (":", "=")
