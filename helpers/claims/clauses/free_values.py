"""Find the typed values of a clause, each with the slot of its type; the slot of a tool is what it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from ...language.lexicon import (
    ADDITIVE,
    BAND_WORDS,
    CONJUNCTIONS,
    DEFINITE,
    DETERMINERS,
    FIRST_PERSON,
    NEUTRAL,
    PREPOSITIONS,
    PURPOSES,
    SERVING,
    further_families,
    singular,
    tools,
)
from ...language.tables import read_classes, read_table
from ...language.token import low_at, text_of
from ...language.verbs import inflection_of, is_verb
from ...language.words import stem
from ...texts import regex
from ..model import Value, ValueKind
from ..values.dates import parse_clock, parse_date, parse_frequency, parse_hours
from ..values.names import (
    parse_address,
    parse_email,
    parse_host,
    parse_path,
    parse_phone,
    parse_term,
    parse_timezone,
    parse_url,
)
from ..values.numbers import Parsed, parse_money, parse_number, parse_version
from . import ending_phrases
from .predicates import CONTRASTS, Predicate, Tokens

_WORDS: Final = read_classes(__file__)
AUXILIARY: Final = ending_phrases.AUXILIARY | {"can", "may"}
_BEFORE_VALUE: Final = NEUTRAL | _WORDS["before_value"]
#: Words behind which a number at the end of a clause counts something.
_BEFORE_LAST: Final = AUXILIARY | _BEFORE_VALUE | {"", ":", "=", "not", "than"}
#: A version that cannot be a plain number: "v2", "1.4.0".
_VERSION: Final = regex(r"v\d{1,4}(?:\.\d{1,4}){0,3}|\d{1,4}\.\d{1,4}\.\d{1,4}")
#: Words after a value that do not continue its noun phrase.
_AFTER_VALUE: Final = (
    PREPOSITIONS | NEUTRAL | CONJUNCTIONS | ADDITIVE | AUXILIARY | ending_phrases.CONTRASTING | {"any", "these"}
)
_SLOT_OF: Final = {"time": "duration", "months": "duration", "data": "size", "percent": "percentage"}
_YEAR: Final = regex(r"(?:19|20)\d{2}")
_HIGHEST_PORT: Final = 65535
#: The most words of the name of a tool.
_LONGEST_TOOL: Final = 4
_FILLING: Final = _BEFORE_VALUE - {"of", "from"}
_SLOT: Final = "for "
_ARTICLES: Final = DETERMINERS | {"only"}
#: Slots of which a thing may use several: "the API uses REST".
_USED_BESIDE: Final = frozenset(f"{_SLOT}{family}" for family in ("protocol", "way of working", "support desk"))
_OF_ONE: Final = DEFINITE | FIRST_PERSON | {"us", "we"}
_TABLE: Final = read_table(__file__, "word_classes")["free_values"]
_BESIDE_EACH_OTHER: Final = frozenset(f"{_SLOT}{family.strip()}" for family in _TABLE["beside_each_other"].split("|"))


class FoundValue(NamedTuple):
    """A value at `begin` of the clause, its slot, and whether the words before it rule it out."""

    begin: int
    parsed: Parsed
    slot: str
    denied: bool


def parse_values(tokens: Tokens) -> Iterator[FoundValue]:
    """Yield the values of a clause, once for each slot that they may fill."""
    for index, parsed, slot in parse_tools(tokens):
        yield FoundValue(index, parsed, slot, _is_denied(tokens, index))
    index = 0
    while index < len(tokens):
        read = _value_at(_up_to_new(tokens, index), index)
        if read is None:
            index += 1
            continue
        parsed, slot = read
        if index and tokens[index - 1].low in BAND_WORDS and parsed.value.kind in (ValueKind.NUMBER, ValueKind.MONEY):
            slot = f"{slot} or so"
        is_denied = _is_denied(tokens, index)
        yield FoundValue(index, parsed, slot, is_denied)
        for family in further_families(parsed.value.norm) if parsed.value.kind is ValueKind.TERM else ():
            if family == slot:
                continue
            value = replace(parsed.value, norm=(family, *parsed.value.norm[1:]))
            yield FoundValue(index, parsed._replace(value=value), family, is_denied)
        index = parsed.end


def _up_to_new(tokens: Tokens, index: int) -> Tokens:
    """Return the tokens up to a new value: in "from 6 to 12" the old value is no range."""
    if index and tokens[index - 1].low == "from" and tokens[index].low[0].isdigit():
        end = next((i for i in range(index + 1, min(index + 4, len(tokens))) if tokens[i].low == "to"), 0)
        return tokens[:end] if end else tokens
    return tokens


def _value_at(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """Return the value that begins at `index`, with the slot that its type gives."""
    low = tokens[index].low
    if low[0] == "#" and low[1:2].isalpha():
        return Parsed(Value(ValueKind.CODE, tokens[index].text, (low[1:],)), index + 1), "channel"
    if "://" in low:
        return _typed(parse_url(tokens, index), "url")
    if "@" in low[1:]:
        return _typed(parse_email(tokens, index), "e-mail")
    frequency = parse_frequency(tokens, index)
    if frequency:
        return frequency, "frequency"
    hours = parse_hours(tokens, index)
    if hours:
        return hours, "days" if hours.value.norm[0] == "weekday" else "hours"
    if _VERSION.fullmatch(low):
        return _typed(parse_version(tokens, index), "version")
    if low[0].isdigit() or low[0] in "$€£+" or low in ("noon", "midnight"):
        return _numeric(tokens, index)
    if low[0] in "/~." or any(mark in low for mark in "/.-") or low.startswith("localhost:"):
        return _addressed(tokens, index)
    return _dated(tokens, index) or _number(tokens, index) or _zone(tokens, index) or _term(tokens, index)


def _numeric(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    phone = parse_phone(tokens, index)
    if phone and phone.end > index + 1:
        return phone, "phone"
    return (
        _typed(parse_money(tokens, index), "price")
        or _typed(parse_clock(tokens, index), "time")
        or _dated(tokens, index)
        or _number(tokens, index)
        or _host(tokens, index)
    )


def _addressed(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    is_path = tokens[index].low[0] in "/~." or "/" in tokens[index].low
    return (
        _typed(parse_address(tokens, index), "url")
        or _typed(parse_path(tokens, index), "path")
        or (None if is_path else _host(tokens, index))
        or _term(tokens, index)
        or (_zone(tokens, index) if is_path else None)
    )


def _host(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """Return a machine; not a word with a number in front of a noun ("the team-3 parser")."""
    parsed = parse_host(tokens, index)
    return (parsed, "host") if parsed and not _is_noun(low_at(tokens, parsed.end)) else None


def _is_noun(low: str) -> bool:
    """Whether the word after a value goes on with its noun phrase."""
    return low[:1].isalpha() and low not in _AFTER_VALUE


def _typed(parsed: Parsed | None, slot: str) -> tuple[Parsed, str] | None:
    return (parsed, slot) if parsed else None


def _dated(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    if tokens[index].low in PREPOSITIONS:
        return None
    parsed = parse_date(tokens, index)
    is_day = parsed is not None and parsed.value.norm[0] == "day" and 0.0 not in parsed.value.norm[2:]
    if parsed is not None and parsed.value.norm[0] == "weekday" and tokens[index].low.endswith("days"):
        return (parsed, "weekday")  # what happens on one Monday may happen on Friday as well
    return (parsed, "date") if parsed and is_day else None


def _zone(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    return _typed(parse_timezone(tokens, index), "timezone") if tokens[index].low != "the" else None


def _term(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    parsed = parse_term(tokens, index, SERVING)
    if parsed is None or _is_noun(low_at(tokens, parsed.end)):
        return None  # "a Greek organisation" is not in Greek
    return parsed, str(parsed.value.norm[0])


def _number(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """Return a number with its unit, or one that counts what follows; behind a noun it is a name ("room 204")."""
    parsed = parse_number(tokens, index)
    if parsed is None or _opens_name(tokens, index, is_amount=bool(parsed.value.norm[0])):
        return None
    dimension = str(parsed.value.norm[0])
    if not dimension and _is_port(tokens, index, parsed.end):
        return parsed, "port"
    if dimension:
        return parsed, _SLOT_OF.get(dimension, "rate" if "/" in dimension else dimension)
    before, after = low_at(tokens, index - 1) if index else "", low_at(tokens, parsed.end)
    if after == "of" or before in _WORDS["not_counted"] or _is_marked(tokens, index):
        return None  # it is near 5, and has not so many
    is_counting = after.isalpha() and after not in AUXILIARY and after not in PREPOSITIONS and after not in NEUTRAL
    return (parsed, "count") if is_counting or before in _BEFORE_LAST else None


def _is_marked(tokens: Tokens, index: int) -> bool:
    """Whether a number has a mark of its own, such as a port that stands alone: ":11440"."""
    *_, before, mark = (None, None, *tokens[:index])
    is_glued = mark is not None and mark.low == ":" and mark.end == tokens[index].start
    return is_glued and (before is None or before.end != mark.start)


def _opens_name(tokens: Tokens, index: int, *, is_amount: bool) -> bool:
    """Whether a number opens a name and counts nothing: "737 MAX", "24 Hours", "the 2022 tax return"."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is None or not _is_noun(after.low):
        return False
    before = low_at(tokens, index - 1) if index else ""
    is_first = not before or before in DETERMINERS or before.endswith("'s")
    is_many = singular(after.low) != after.low
    if is_amount:
        return is_first and after.text.istitle() and is_many
    if after.text[0].isupper():
        return is_first or not is_many
    return is_first and bool(_YEAR.fullmatch(tokens[index].low)) and not (is_many and not before)


def _is_port(tokens: Tokens, index: int, end: int) -> bool:
    """Whether a bare number is that of a port: "on port 80", "the port of the API is 80"."""
    low = tokens[index].low
    if not low.isdecimal() or not 0 < int(low) <= _HIGHEST_PORT or low_at(tokens, index - 1) in ("a", "an"):
        return False
    if _is_noun(low_at(tokens, end)) or all(token.low != "port" for token in tokens[:index]):
        return False
    return all(token.low not in ("a", "an", "another") for token in tokens)


def _is_denied(tokens: Tokens, index: int) -> bool:
    """Whether the words in front rule the value out: "from 5", "not 5", "instead of 5", "rather than 5"."""
    index -= 1
    while index >= 0 and tokens[index].low in _FILLING:
        index -= 1
    if index < 0:
        return False
    low, before = tokens[index].low, tokens[index - 1].low if index else ""
    return low in ("from", "not") or (before, low) in CONTRASTS


class Words(NamedTuple):
    """The stems that tell a purpose, each with the one it is compared as, and those that say no more; see `Purpose`."""

    tells: dict[str, str]
    beside: frozenset[str]
    weak: frozenset[str]


NO_WORDS: Final = Words({}, frozenset(), frozenset())


@cache
def purpose_words(slot: str) -> Words:
    """Return the words by which the purpose of a slot is told; none if it has no purpose."""
    purpose = PURPOSES.get(slot.removeprefix(_SLOT)) if slot.startswith(_SLOT) else None
    if purpose is None:
        return NO_WORDS
    tells: dict[str, str] = {}
    weak: set[str] = set()
    for group in purpose.tells.split():
        words = group.removeprefix("?").split("=")
        stems = {stem(word): f"for-{words[0]}" for word in words if stem(word) not in tells}
        tells |= stems
        weak |= set(stems) if group[0] == "?" else set()
    beside = frozenset(stem(word) for word in purpose.beside.split()) - set(tells)
    return Words(tells, beside, frozenset(weak))


def is_purpose(slot: str) -> bool:
    """Whether a slot is for a purpose."""
    return bool(purpose_words(slot).tells)


def parse_tools(tokens: Tokens) -> Iterator[tuple[int, Parsed, str]]:
    """Yield each tool with its index and the slot of each purpose that it may serve here."""
    stems = {stem(token.low) for token in tokens}
    index = 0
    while index < len(tokens):
        end, names = _tool_at(tokens, index)
        for family, name in names:
            slot = f"{_SLOT}{family}"
            words = purpose_words(slot)
            if stems.isdisjoint(words.tells) or not _is_free(tokens, index, end, words):
                continue
            text = text_of(tokens[index:end])
            yield index, Parsed(Value(ValueKind.TERM, text, (slot, name)), end), slot
        index = end


def _tool_at(tokens: Tokens, index: int) -> tuple[int, tuple[tuple[str, str], ...]]:
    for count in range(min(_LONGEST_TOOL, len(tokens) - index), 0, -1):
        tool = tools().get(tuple(token.low for token in tokens[index : index + count]))
        if tool and not (tool.is_plain and tokens[index].text[0].islower()):
            return index + count, tool.names
    return index + 1, ()


def _is_free(tokens: Tokens, index: int, end: int, words: Words) -> bool:
    """Whether a tool stands for itself, and is no word of another thing: "the Sentry SDK", "like Jira"."""
    after = low_at(tokens, end)
    is_end = not after[:1].isalpha() or after in _WORDS["ends"] or not after.isalpha()
    if not is_end and after not in _WORDS["after"] and stem(after) not in words.beside | words.tells.keys():
        return is_verb(after) and index == 0
    if after in ("and", "or", "&", "/"):
        return False
    index -= 1
    while index >= 0 and (tokens[index].low in _ARTICLES or tokens[index].low in _WORDS["of_tools"]):
        index -= 1
    return index < 0 or tokens[index].low not in _WORDS["blocking"]


def is_served(clause: Predicate, slot: str, begin: int) -> bool:
    """Whether the verb of a clause says that the tool at `begin` serves what stands beside it."""
    words, verb, first = purpose_words(slot), clause.group.lemma, low_at(clause.rest, 0)
    known = words.beside | words.tells.keys()
    lemma, letters = inflection_of(first)
    if verb == "be" and "n" in letters and lemma not in _WORDS["serves"] and stem(first) not in known:
        return False
    if verb and verb not in _WORDS["serves"] and stem(verb) not in known:
        return False
    if verb in _WORDS["copying"] and begin and clause.tokens[begin - 1].low in _WORDS["targets"]:
        return any(token.low in ("we", "i") for token in clause.subject)  # a job may push to several
    if verb in ("use", "work", "support") and slot in _USED_BESIDE:
        return any(stem(token.low) in words.tells for token in clause.rest)
    if verb == "use" and slot in _BESIDE_EACH_OTHER and any(token.low == "for" for token in clause.rest):
        return False
    if verb == "have" and all(token.low != "as" for token in clause.rest):
        return False
    if begin >= len(clause.subject) or first == "used":
        return True
    is_definite = any(token.low in _OF_ONE or token.low.endswith("'s") for token in clause.rest)
    return is_definite and not (verb == "be" and first in ("a", "an"))


def says_nothing(tokens: Tokens, index: int, words: Words, inside: frozenset[int]) -> bool:
    """Whether a word beside a tool says neither what it is for nor what of."""
    low, after = tokens[index].low, low_at(tokens, index + 1)
    before = low_at(tokens, index - 1) if index else ""
    if stem(low) in words.beside:
        return True
    if low == "not":
        return not inside.isdisjoint(range(index + 1, index + 4))
    if low in _WORDS["of_tools"]:
        return index + 1 in inside or after in _WORDS["of_tools"]
    if low in _WORDS["after"] and index - 1 in inside:
        return True
    if low in _WORDS["kinds"] and (stem(before) in words.tells or before in ("a", "an")):
        return True
    if low in ("team", "everyone", "everybody") and (not index or before in ("the", "our", "my")):
        return after not in ("of", "for")
    return low in ("use", "choice") or low in FIRST_PERSON
