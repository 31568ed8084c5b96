"""The types of value by the reader that takes them: in words, when two differ, and values to show it with.

A person names one of `ADDABLE` for a slot of their own; `docs/slots.md` is written from here.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from ...language.segment import tokenise
from ...language.terms import FAMILIES
from .agreement import Agreement, compare_values
from .numbers import Parsed
from .readers import Reads, read_value


class ValueType(NamedTuple):
    """`first` and `second` differ; `agrees` says the same as `first` in another way, or is empty."""

    what: str
    differ: str
    first: str
    second: str
    agrees: str = ""


_OTHER: Final = "they are not the same"
_NAMES: Final = "no word but the last is in both, and neither is a short form or the initials of the other"
_PERSONS: Final = f"{_NAMES}; or the first names are the same and the last names are not alike"
_CODES: Final = "the letters and digits are not the same; what ends like the other agrees with it"
_WORD: Final = "one word that ends the sentence"
_PORT: Final = ("a port, 1 to 65535", _OTHER)
_VERSION: Final = "the parts that both give are not the same; 3.11 agrees with 3.11.4"
_NUMBERS: Final = "they are of one unit, and not equal when the finer one is rounded; 5 GB agrees with 5000 MB"

VALUE_TYPES: Final[dict[str, ValueType]] = {
    "age": ValueType("an age in years", _OTHER, "30", "45"),
    "branch": ValueType("a branch of a repository", _NAMES, "main", "develop"),
    "clock": ValueType("a time of day", _OTHER, "09:30", "17:45"),
    "count": ValueType("how many there are of something", _NUMBERS, "three replicas", "five replicas"),
    "code": ValueType("a number that names something", _CODES, "INV-5561", "INV-7204", "5561"),
    "country": ValueType("a country", _OTHER, "France", "Italy"),
    "date": ValueType(
        "a date, as exact as it is given",
        "a part that both give, such as the month, is not the same; 5 March agrees with 5 March 2026",
        "5 March 2026",
        "9 April 2026",
        "5 March",
    ),
    "email": ValueType("an e-mail address", _OTHER, "ann@example.org", "meier@example.net"),
    "explicit version": ValueType('a version that says so ("version 3", "v3")', _VERSION, "version 2", "version 3"),
    "first name": ValueType(f"a name, or {_WORD}", _NAMES, "Otto", "Frieda"),
    "frequency": ValueType(
        "how often something happens",
        "they are not the same; every second Monday may be every two weeks",
        "every hour",
        "every 5 minutes",
        "hourly",
    ),
    "full name": ValueType(f"a name, or {_WORD}", _PERSONS, "Otto Weber", "Frieda Blum", "Otto"),
    "handle": ValueType("one word by which somebody or something is called", _CODES, "@otto-w", "@frieda-b", "otto-w"),
    "home country": ValueType("a country", _OTHER, "France", "Italy"),
    "host": ValueType(
        "a domain, an IP address or a machine",
        "neither is the short form of the other; an address and a name are never told apart",
        "db-01.example.org",
        "db-02.example.org",
        "db-01",
    ),
    "hours": ValueType(
        "from when to when, of a day or of a week",
        "a begin or an end is not the same; which half of the day is meant may be left out",
        "from 8:00 to 16:00",
        "from 9:00 to 17:00",
        "8:00-16:00",
    ),
    "job": ValueType(
        "a job from a list of professions",
        "the professions are not the same; details before them are not told apart",
        "a nurse",
        "a lawyer",
        "a school nurse",
    ),
    "language name": ValueType("a human language", _OTHER, "German", "French"),
    "money": ValueType("an amount of money", "they are of one currency and not equal", "40 euros", "55 euros"),
    "name": ValueType("words with capitals, or an identifier", _NAMES, "Otto Weber", "Frieda Blum", "Otto"),
    "named port": ValueType(*_PORT, "port 8080", "port 8443"),
    "named version": ValueType("a name with its version", _VERSION, "Python 3.9", "Python 3.12", "Python 3.9.7"),
    "number": ValueType("a number, with or without a unit", _NUMBERS, "30", "45"),
    "path": ValueType(
        "a file or a folder",
        "neither is the end of the other; what is relative to home is not told apart from a full path",
        "/srv/heron",
        "/opt/heron",
    ),
    "person": ValueType("a person or a team by name", _PERSONS, "Otto Weber", "Frieda Blum", "Otto"),
    "phone": ValueType(
        "a phone number", "the digits are not the same, the country code aside", "+49 30 1234567", "+49 40 7654321"
    ),
    "phrase": ValueType(
        "words up to the next preposition or comma",
        "no word but the last is in both, and one text says that it corrects the other or that something has changed",
        "the red fox",
        "the blue whale",
    ),
    "place": ValueType(
        "a place, as exact as it is given",
        "on the most exact level that both give (city, country ...) the names are not the same",
        "Oslo",
        "Lisbon",
        "Oslo, Norway",
    ),
    "port": ValueType(*_PORT, "8080", "8443"),
    "preference": ValueType("one of several known alternatives", "both are alternatives", "dark mode", "light mode"),
    "plan": ValueType("what a plan or tier is called", _OTHER, "Basic", "Enterprise"),
    "region": ValueType("a region of a cloud", _OTHER, "eu-west-1", "us-east-2"),
    "street": ValueType(
        "a street with a house number",
        "the streets share no word, or they do and the house numbers are not the same",
        "14 Elm Street",
        "9 Oak Lane",
        "14 Elm Street, Graz",
    ),
    "term": ValueType("one of any list", "both are on one list", "dark mode", "light mode", "dark theme"),
    "timezone": ValueType("a time zone", "their standard times are not the same", "America/Denver", "Europe/Berlin"),
    "tool": ValueType("a product, from any list or by name", _NAMES, "Jira", "Linear"),
    "truth": ValueType("true or false, yes or no, on or off", _OTHER, "true", "false"),
    "url": ValueType(
        "a web address",
        "they are not the same, the scheme and www. aside",
        "https://heron.example.org",
        "https://osprey.example.org",
    ),
    "version": ValueType("a version", _VERSION, "3.9", "3.12", "3.9.7"),
    "web address": ValueType(
        "a web address, with or without its scheme",
        "they are not the same, the scheme and www. aside",
        "heron.example.org/docs",
        "osprey.example.org/docs",
        "https://heron.example.org/docs",
    ),
    "word": ValueType(_WORD, _NAMES, "high", "low"),
    "years old": ValueType("an age in years", _OTHER, "30 years old", "45 years old"),
}

#: What the values of a slot that a person adds can be -> its readers; a list of their own aside.
ADDABLE: Final[dict[str, Reads]] = {
    "text": ("name", "phrase"),
    **{
        name: (name,)
        for name in (
            *("name", "number", "money", "date", "clock", "version", "port", "host", "url", "path"),
            *("email", "phone", "timezone", "place", "country", "truth"),
        )
    },
}


class Undescribed(LookupError):
    """A reader that no example can be given of."""


@cache
def value_type(reader: str) -> ValueType:
    """The type of a reader; of a list, with the first two members that differ. Raises Undescribed."""
    family = reader.removeprefix("term:")
    if family == reader:
        if reader not in VALUE_TYPES:
            raise Undescribed(f"reader {reader!r} is not in VALUE_TYPES (value_types.py); add its words and two values")
        return VALUE_TYPES[reader]
    members = [group.replace("_", " ").split("=") for group in FAMILIES[family].split()]
    pairs = combinations((group for group in members if not group[0].startswith("not ")), 2)  # a denial, after "is"
    found = next((pair for pair in pairs if _differ(reader, pair[0][0], pair[1][0])), None)
    if found is None:
        raise Undescribed(f"list {family!r} (terms.py) has no two members that differ and are read as of it; add one")
    (first, *spellings), (second, *_) = found
    what, differ = f'one of the list "{family}"', "both are on it, and neither is the wider word for the other"
    return ValueType(what, differ, first, second, "".join(spellings[:1]))


def _differ(reader: str, one: str, other: str) -> bool:
    a, b = (_read(reader, text) for text in (one, other))
    return a is not None and b is not None and compare_values(a.value, b.value) is Agreement.DIFFERENT


def _read(reader: str, text: str) -> Parsed | None:
    return read_value((reader,), tokenise(text), 0)
