"""Sentences that say a wording of a slot: for the documentation, and for its tests; `ways.toml` holds more."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from memory_ledger.claims import SLOTS, Slot
from memory_ledger.language.verbs import forms
from table_files import read_source

#: Who a sentence is about: somebody, or something; and another of each.
PERSON: Final = "Ann"
OTHER_PERSON: Final = "Ruth"
THING: Final = "Heron"
OTHER_THING: Final = "Osprey"


def say_noun(noun: str, subject: str, value: str) -> str:
    """Return "The <noun> of <subject> is <value>"."""
    return f"The {noun} of {subject} is {value}"


def say_verb(verb: str, subject: str, value: str, *, past: bool = False) -> str:
    """Return "<subject> <verb> <value>" with the verb in its third person, or in the past."""
    lemma, *rest = verb.split()
    return " ".join((subject, inflected(lemma, past=past), *rest, value))


def say_state(state: str) -> str:
    """Return "<subject> is <state>"."""
    return f"{THING} is {state}"


@cache
def _inflections() -> dict[tuple[str, str], str]:
    table: dict[tuple[str, str], str] = {}
    for word, (lemma, letters) in forms().items():
        for letter in letters:
            table.setdefault((lemma, letter), word)
    return table | {("be", "s"): "is", ("be", "d"): "was"}


def inflected(lemma: str, *, past: bool = False) -> str:
    """Return the third person of a verb that the grammar knows, or its past; raises KeyError for another verb."""
    return _inflections().get((lemma, "d"), f"{lemma}d") if past else _inflections()[lemma, "s"]


def is_known_verb(verb: str) -> bool:
    """Whether `say_verb` can inflect a verb."""
    return (verb.split()[0], "s") in _inflections()


@cache
def _personal_names() -> frozenset[str]:
    return frozenset(row.name for row in SLOTS if row.person) - {"*"}


def is_personal(row: Slot) -> bool:
    """Whether a row is about people."""
    return row.person or row.name in _personal_names()


def wordings(row: Slot) -> tuple[list[str], list[str]]:
    """Return the nouns and the verbs of a row."""
    return [one for one in row.nouns.split("|") if one], [one for one in row.verbs.split("|") if one]


def say(row: Slot, wording: str, value: str, *, other: bool = False) -> str:
    """Return a sentence that gives `value` to the slot of `row` by one of its wordings; with `other`, of another."""
    personal, thing = (OTHER_PERSON, OTHER_THING) if other else (PERSON, THING)
    subject = f"the {thing} archive" if row.thing else personal if is_personal(row) else thing
    if wording in wordings(row)[0]:
        return say_noun(wording, subject, value)
    return say_verb(wording, subject, value, past=row.past)


class Amount(NamedTuple):
    """A sentence with one amount in it, `{}`; two amounts of its kind; and a word of it with another in its place."""

    said: str
    first: str
    second: str
    word: str = THING
    other: str = OTHER_THING


class EndingExample(NamedTuple):
    """What a text says, what ends it, and what ends something else."""

    said: str
    ends: str
    other: str


class SlotExample(NamedTuple):
    """What a text says, what retires it, and what is of something else; both fill `slot`."""

    slot: str
    said: str
    newer: str
    other: str


class Way(NamedTuple):
    """A way of reading that is no wording of a row: what it is called, what it takes, and texts that it reads."""

    title: str
    what: str
    readings: tuple[SlotExample, ...]


def _ways(name: str) -> tuple[Way, ...]:
    rows = _TABLE[name]
    return tuple(Way(row["title"], row["what"], tuple(SlotExample(*one) for one in row["readings"])) for row in rows)


_TABLE: Final = read_source(Path(__file__).with_name("ways.toml"))
#: Slot that the kind of an amount gives (see `free_order`) -> how it is said.
AMOUNTS: Final = {kind: Amount(*row) for kind, row in _TABLE["amounts"].items()}
ENDINGS: Final = tuple(EndingExample(*row) for row in _TABLE["ends"]["endings"])
#: Ways that give a slot of their own, to what no row names.
OWN_WAYS: Final = _ways("own_ways")
#: Ways that say in other words what a row says.
OTHER_WORDS: Final = _ways("other_words")
