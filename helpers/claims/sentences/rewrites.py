"""Rewrite a sentence as the plain one that it stands for: without asides, and without a modal that states a limit.

"The launch was put back by two weeks to 17 May" says that it is on 17 May, "it may be up to 5 MB" that it is, and "the
app that we use is free" that the app is. How that is worded is data: `rows` in `word_classes.toml`, each what is said
and what it is read like. A part of a row is a word ("by/until" one of two, "#" a number, "@events" one of a class,
"[,]" one that may be missing), "+a" some words or "*a" any or none, of which "+a:3" has three at most; "+a:3^" is a
name, "+a~" has no verb, "+a!" begins with one, "+a%" with one in the present. What the plain sentence takes over bears
its name: "+a", "to=to/until"; "a's" is whose it is, "a.ed" its past, "a.ing" its gerund.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.numerals import NUMBER_WORDS
from ...language.segment import JOINING, PLURAL_PRONOUNS, is_finite
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, BE_PRESENT, HAVE_FORMS, forms, letters_of, participles
from ...texts import regex
from ..clauses.predicates import Tokens
from ..clauses.states import STATES
from ..grammar.subjects import KIN, USER
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..values.dates import parse_frequency
from ..values.numbers import parse_number

_WORDS: Final = read_classes(__file__)
_ROWS: Final = read_table(__file__, "word_classes")["rewrites"]["rows"]
_PART: Final = regex(r"(?P<hole>[+*])(?P<name>\w+)(?::(?P<most>\d+))?(?P<kind>[~^!%]?)|(?:(?P<of>\w+)=)?(?P<words>\S+)")
_MOST_WORDS: Final = 80
_MODALS: Final = _WORDS["possible"] | _WORDS["needed"]
SPEAKERS: Final = frozenset(("i", "you", "we", USER))
#: Words after which a number is a limit.
_BOUNDS: Final = frozenset(split_wordings(read_table(__file__, "word_classes")["rewrites"]["bounds"].split("|")))


class _Part(NamedTuple):
    """Some words of a sentence: of these `words`, or of a `kind`."""

    name: str
    least: int = 1
    most: int = 1
    words: frozenset[str] = frozenset()
    kind: str = ""


class _Row(NamedTuple):
    parts: tuple[_Part, ...]
    result: tuple[str, ...]
    needs: frozenset[str]


def rewrite(tokens: Tokens, group: str) -> Tokens:
    """Return the sentence rewritten by each row of a group in turn; the same tokens if none applies."""
    lows = {token.low for token in tokens}
    for row in _rows(group):
        runs = None if row.needs.isdisjoint(lows) else _match(row.parts, tokens, 0)
        if runs is not None:
            tokens = _in_span(tuple(_written(row.result, runs, tokens[0])))
    return tokens


def _in_span(tokens: Tokens) -> Tokens:
    """Return tokens whose first and last one bear the start and the end of the sentence, even in another order."""
    if not tokens or tokens[0].start < tokens[-1].end:
        return tokens
    start, end = min(token.start for token in tokens), max(token.end for token in tokens)
    return (tokens[0]._replace(start=start), *tokens[1:-1], tokens[-1]._replace(end=end))


@cache
def _rows(group: str) -> tuple[_Row, ...]:
    return tuple(_row(wording, plain) for wording, plain in _ROWS[group])


def _row(wording: str, plain: str) -> _Row:
    parts = tuple(_part(part) for part in wording.split())
    needs = min((part.words for part in parts if part.words and part.least), key=len)
    return _Row(parts, tuple(plain.split()), needs)


def _part(written: str) -> _Part:
    is_missable = len(written) > 1 and written.startswith("[")
    match = _PART.fullmatch(written.strip("[]") if is_missable else written)
    if match is None:
        raise ValueError(f"a part of a row is {written!r}; allowed: a word, a class or a hole")
    if match["hole"]:
        most = int(match["most"] or _MOST_WORDS)
        return _Part(match["name"], int(match["hole"] == "+"), most, kind=match["kind"])
    words = (_classes()[word[1:]] if word[0] == "@" else {word} for word in match["words"].split("/"))
    return _Part(match["of"] or "", int(not is_missable), words=frozenset[str]().union(*words))


@cache
def _classes() -> dict[str, frozenset[str]]:
    changes = {word for word, (lemma, letters) in forms().items() if lemma in CHANGE_LEMMAS and "d" in letters}
    return _WORDS | {
        "past": lexicon.PAST_WORDS | BE_PAST | {"since"} | changes,
        "led": lexicon.DEFINITE | {"user's"},
        "kin": KIN,
        "jobs": frozenset(lexicon.jobs()),
        "states": frozenset(STATES),
        "wrong": lexicon.WRONG,
        "holders": lexicon.SUBJECT_PRONOUNS | {USER},
        "is": BE_PRESENT | HAVE_FORMS,
        "prepositions": lexicon.PREPOSITIONS,
        "particles": lexicon.PARTICLES,
        "numbers": frozenset(NUMBER_WORDS),
        "months": frozenset(lexicon.MONTHS),
        "days": frozenset(lexicon.WEEKDAYS),
        "bases": frozenset(_gerunds()) - {"be"},
        "participles": frozenset(word for word, (_, letters) in forms().items() if "n" in letters),
    }


def _match(parts: tuple[_Part, ...], tokens: Tokens, begin: int) -> dict[str, Tokens] | None:
    """Return the tokens of each part, by its name, the first parts as short as possible; None if there is no match."""
    if not parts:
        return {} if begin == len(tokens) else None
    part = parts[0]
    ends = range(begin + part.least, min(begin + part.most, len(tokens)) + 1)
    for end in reversed(ends) if part.words else ends:
        if _fits(part, tokens, begin, end):
            rest = _match(parts[1:], tokens, end)
            if rest is not None:
                return {part.name: tokens[begin:end], **rest}
    return None


def _fits(part: _Part, tokens: Tokens, begin: int, end: int) -> bool:
    run = tokens[begin:end]
    if part.words or not run:
        return all(token.low in part.words or (token.low[0].isdigit() and "#" in part.words) for token in run)
    if part.kind == "^":
        return (
            all(token.text[0].isupper() for token in run) and run[0].low not in lexicon.ENGLISH | lexicon.PREPOSITIONS
        )
    if part.kind in ("!", "%"):
        is_past = "d" in letters_of(run[0].low)
        return run[0].low in BE_PRESENT or (is_finite(tokens, begin) and (part.kind == "!" or not is_past))
    if part.kind == "~":
        return run[-1].low not in lexicon.PRONOUNS and not any(
            token.low in JOINING or is_finite(tokens, index) for index, token in enumerate(run, begin)
        )
    return True


def _written(result: tuple[str, ...], runs: dict[str, Tokens], last: Token) -> Iterator[Token]:
    """Yield the tokens of the plain sentence; an added word gets the place of the one before it."""
    for part in result:
        name, mark, ending = part.partition("'" if "'" in part else ".")
        run = runs.get(name, (last._replace(text=part, low=part),))
        run = whose(run) if mark == "'" else run
        if mark == ".":
            form = participles()[run[0].low][0] if ending == "ed" else _gerunds()[run[0].low]
            run = (run[0]._replace(text=form, low=form),)
        yield from run
        last = run[-1] if run else last


@cache
def _gerunds() -> dict[str, str]:
    """Return for each lemma its form with -ing."""
    return {lemma: word for word, (lemma, letters) in forms().items() if "g" in letters}


def whose(subject: Tokens) -> Tokens:
    """Return the possessive form of a subject: "my", "Ann's"."""
    last = subject[-1]
    word = {"i": "my", "we": "our"}.get(last.low)
    if word is not None:
        return (*subject[:-1], last._replace(text=word, low=word))
    return (*subject[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"))


def without_limiting_modal(tokens: Tokens) -> Tokens:
    """Return the sentence with its modal in the indicative, if it states a limit or a deadline; else as it is."""
    tokens = rewrite(tokens, "limits")
    index = next((i for i, token in enumerate(tokens) if token.low in _MODALS and i), 0)
    is_to = index and tokens[index].low in _WORDS["needed"] and tokens[index].low != "must"
    start = index + 1 + bool(is_to)
    if not index or (is_to and low_at(tokens, start - 1) != "to") or not _tells_limit(tokens, index):
        return tokens
    if "b" not in letters_of(low_at(tokens, start)):
        return tokens
    return (*tokens[:index], _indicative(tokens[start], tokens[index - 1].low), *tokens[start + 1 :])


def _indicative(verb: Token, subject: str) -> Token:
    """Return the verb in the present tense, in agreement with the word before it."""
    word = {"be": "is", "have": "has"}.get(verb.low, verb.low)
    if word == verb.low and subject not in PLURAL_PRONOUNS and lexicon.singular(subject) == subject:
        word += "es" if word.endswith(("s", "x", "z", "ch", "sh", "o")) else "s"
    return verb._replace(text=word, low=word)


def _tells_limit(tokens: Tokens, index: int) -> bool:
    """Whether a modal states a bound or a deadline, demands an amount, or says when something takes place."""
    modal, rest = tokens[index].low, tokens[index + 1 :]
    is_of_thing = tokens[index - 1].low not in SPEAKERS
    if low_at(rest, 0) == "not":
        return False
    if modal == "will":
        months = (token.low in lexicon.CALENDAR and token.low[-3:] != "day" for token in rest[1:])
        is_dated = any(months) and any(token.low[0].isdigit() for token in rest[1:])
        return is_of_thing and low_at(rest, 0) in _WORDS["taking_place"] and is_dated
    pairs = pairwise(tokens)
    bounds = _WORDS["bound_words"]
    if is_of_thing and any(token.low in bounds or (token.low, following.low) in _BOUNDS for token, following in pairs):
        return True
    return modal in _WORDS["needed"] and any(
        (token.low == "by" and any(low_at(rest, j) in lexicon.CALENDAR for j in range(index + 1, index + 4)))
        or (is_of_thing and index and (parse_frequency(rest, index) or _is_amount(rest, index)))
        for index, token in enumerate(rest)
    )


def _is_amount(tokens: Tokens, index: int) -> bool:
    parsed = parse_number(tokens, index)
    return parsed is not None and bool(parsed.value.norm[0])
