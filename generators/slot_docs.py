"""The page about slots for people, written from the table so that it never says anything else (C-39, C-43).

    python generators/slot_docs.py FOLDER

writes `docs/slots.md` into FOLDER, and `build/slots_in_full.md`, which has every wording and an example of each row.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from textwrap import fill
from typing import Final, NamedTuple

from generating import write_files
from memory_ledger.claims import SLOTS, STATES, Relation, Slot, compare_texts, extract_claims
from memory_ledger.claims.slots.rows import CHOICES, DISTINGUISHING, RELATIONS
from memory_ledger.language.lexicon import SERVING
from slot_examples import (
    AMOUNTS,
    ENDINGS,
    OTHER_THING,
    OTHER_WORDS,
    OWN_WAYS,
    THING,
    Way,
    inflected,
    is_known_verb,
    say,
    say_state,
    wordings,
)
from slot_lists import render_lists
from value_types import VALUE_TYPES, Undescribed, ValueType, value_type

PAGE, IN_FULL = "docs/slots.md", "build/slots_in_full.md"
#: So many nouns and verbs of a row the short page names, and so many rows of a table that goes on alike.
_SHOWN_WORDINGS, _SHOWN_ROWS = 5, 12

_INTRODUCTION = """\
# Slots: what has one value at a time

A slot is a property that has one value at a time, such as a port or a home town. Two memories contradict each other
only if they give the same thing different values in one of the slots of the table, or in one of the ways that need no
row there: an amount in the same words, something that a newer text explicitly ends, a state, a permission, a duty or a
wish. Everything else may have several values, and all of them stay.

This page is generated from the code and shows the beginning of long lists. `make docs` also writes
`build/slots_in_full.md`: every wording, and of each row and each other way a pair of texts that it retires and a pair
that it does not; a test runs all of them.

Two values are compared only if both memories are about the same subject, slot, scope (staging, a project, a file) and
time, and both state a fact. A question, a plan, a guess, a condition or somebody else's words retires nothing. A memory
that gives one slot two values at once ("Otto and Frieda") has no single value, and "also" adds one.

Of two texts the first is the older one. "Retires it" is the outcome if nothing else favours the older one: the rules of
precedence (who said it, how certain, how important) are applied first.
"""
_VALUES = """\
## Types of value

| Type | What it is | Two differ if |
|---|---|---|
"""
_TABLE = """\
## The table

If a noun names the slot, "the NOUN of X is V", "X's NOUN is V" and "X NOUN: V" mean the same. Verbs are given in the
third person. If there are several types, the first one that fits applies.
"""
_AMOUNTS = """\
## Amounts said in the same words

A sentence that contains one amount, and otherwise only words, needs no row in the table: the other words say what the
amount is about. The same words, in any order, with a different amount of the same kind are a different value; with one
word more or less, it is a different thing. The sentence must say how things are ("are kept for", "costs") or have
become ("was raised to"), not what happened. An amount is one of the kinds below; members of a list count only if the
list is named here, and only with a verb that says what they are used for ("is hashed with"):
"""
_ENDINGS = """\
## What a newer text ends by name

A newer text that explicitly says that something is over contradicts an older one that states it, whatever it is: "no
longer", "stopped", "removed", "replaced A with B", "from A to B", "took over from A", "B, not A", a plain denial.
Everything that ends must be in the older text, and the older text must mention everything that the newer one is about.
"""
_STATES = """\
## States

"X is WORD" or "X became WORD", and the verb ("we disabled X"): words in one row exclude each other if they are
separated by a slash.

| Slot | Words |
|---|---|
"""


_OTHER_WORDS = """\
## The table in other words

These sentences fill a slot of the table, or of the sections below, in wording that is not listed there.
"""
_OWN_WAYS = """\
## What no row names

These have a slot of their own.
"""


#: What a newer text does to an older one.
_RETIRES: Final = "retires it"
_CONTESTS: Final = "leaves both, contested"
_KEEPS: Final = "does not"


class Example(NamedTuple):
    """Two texts, the older one first, and what the newer one does to it."""

    older: str
    newer: str
    effect: str


class ExampleError(LookupError):
    """No example can be derived that is true: it says of what, and what to add."""


def examples_of(row: Slot) -> tuple[Example, Example]:
    """Return for one row of the table two texts that contradict each other and two that do not; raises ExampleError."""
    nouns, verbs = wordings(row)
    for verb in verbs:
        if not is_known_verb(verb):
            raise ExampleError(
                f"slot {row.name!r} (rows.toml): verb {verb!r} is not in verbs.toml; add it, or drop {verb!r}"
            )
    kinds = [_described(row, str(reader)) for reader in row.reads]
    for wording, kind in product((*nouns, *verbs), kinds):
        older, newer = say(row, wording, kind.first), say(row, wording, kind.second)
        effect = _effect(older, newer)
        if not reads_row(row, wording, older) or effect == _KEEPS:
            continue
        others = say(row, wording, kind.agrees or kind.first), say(row, wording, kind.second, other=True)
        kept = next((one for one in others if one != older and _effect(older, one) == _KEEPS), None)
        if kept is not None:
            return Example(older, newer, effect), Example(older, kept, _KEEPS)
    shown = say(row, (nouns or verbs)[0], kinds[0].first), say(row, (nouns or verbs)[0], kinds[0].second)
    raise ExampleError(
        f"slot {row.name!r} (rows.toml): no pair of texts is clear, not even {shown[0]!r}, then {shown[1]!r}; give"
        f" {' or '.join(map(str, row.reads))} two values in value_types.toml that fit it, or drop wordings"
    )


def reads_row(row: Slot, wording: str, text: str) -> bool:
    """Whether a text fills the slot of a row, and not only another one by its words alone."""
    begin, _, end = row.name.replace("*", wording).partition("{}")
    slots = {claim.slot for claim in extract_claims(text) if not claim.loose}
    return any(slot.startswith(begin) and slot.endswith(end) for slot in slots)


def _described(row: Slot, reader: str) -> ValueType:
    try:
        return value_type(reader)
    except Undescribed as exc:
        raise ExampleError(f"slot {row.name!r} (rows.toml): {exc}") from exc


def _effect(older: str, newer: str) -> str:
    found = compare_texts(older, newer)
    if found.relation is not Relation.CONTRADICTS or found.partial:
        return _KEEPS
    return _CONTESTS if found.is_open else _RETIRES


def amount_examples() -> Iterator[Example]:
    """Yield two texts for each kind of amount, and two of which the other speaks of something else."""
    for amount in AMOUNTS.values():
        older, newer = amount.said.format(amount.first), amount.said.format(amount.second)
        yield Example(older, newer, _RETIRES)
        yield Example(older, newer.replace(amount.word, amount.other, 1), _KEEPS)


def ending_examples() -> Iterator[Example]:
    """Yield what ends something, and what ends another thing."""
    for ending in ENDINGS:
        yield Example(ending.said, ending.ends, _RETIRES)
        yield Example(ending.said, ending.other, _KEEPS)


def way_examples(way: Way) -> Iterator[Example]:
    """Yield two texts for each reading of a way, and two of which the newer one is of something else."""
    for reading in way.readings:
        yield Example(reading.said, reading.newer, _RETIRES)
        yield Example(reading.said, reading.other, _KEEPS)


def state_examples() -> Iterator[Example]:
    """Yield two texts for each slot of a state, and two that are of two things; raises ExampleError."""
    for slot, values in _states().items():
        for one, other in pairwise(values.values()):
            pairs = (Example(say_state(a), say_state(b), _RETIRES) for a, b in product(one, other))
            found = next((pair for pair in pairs if _effect(pair.older, pair.newer) == _RETIRES), None)
            if found is None:
                raise ExampleError(f"state {slot!r} (states.py): no two words exclude each other after 'is'; add one")
            yield found
            yield Example(found.older, found.newer.replace(THING, OTHER_THING), _KEEPS)


def _states() -> dict[str, dict[str, list[str]]]:
    """Return slot -> value -> its words that are read after "is"."""
    found: dict[str, dict[str, list[str]]] = {}
    for word, states in STATES.items():
        read = {(claim.slot, claim.value.norm) for claim in extract_claims(say_state(word))}
        for slot, value in states:
            if (slot, (value,)) in read:
                found.setdefault(slot, {}).setdefault(value, []).append(word)
    return found


def render_page() -> str:
    """Return the page for people: the table with some wordings of each row, and an example of each other way."""
    rows = "".join(f"| {_title(row)} | {_wordings(row)} | {_values(row)} |\n" for row in SLOTS)
    table = f"{_TABLE}\n| Slot | Nouns; verbs | Value |\n|---|---|---|\n{rows}"
    amounts = f"{_AMOUNTS}{fill(f'{_quoted(sorted(SERVING))}.', 120)}\n\n{_listed([*amount_examples()][:_SHOWN_ROWS])}"
    states = f"{_STATES}{''.join([*_state_rows()][:_SHOWN_ROWS])}\n... and {len(_states()) - _SHOWN_ROWS} more.\n"
    parts = [_INTRODUCTION, table, _any_noun(), amounts, f"{_ENDINGS}\n{_listed([*ending_examples()][:_SHOWN_ROWS])}"]
    return "\n".join([*parts, states, _VALUES + "".join(_value_rows()), _several()])


def _wordings(row: Slot) -> str:
    nouns, verbs = wordings(row)
    told = [", ".join(nouns[:_SHOWN_WORDINGS]), ", ".join(_said(one, past=row.past) for one in verbs[:_SHOWN_WORDINGS])]
    hidden = max(0, len(nouns) - _SHOWN_WORDINGS) + max(0, len(verbs) - _SHOWN_WORDINGS)
    return "; ".join(filter(None, told)) + (f" ... ({hidden} more)" if hidden else "")


def _values(row: Slot) -> str:
    return ", ".join(_type_name(str(reader)) for reader in row.reads)


def _title(row: Slot) -> str:
    return "the noun itself" if row.name == "*" else row.name.replace("{}", "...")


def render_in_full() -> str:
    """Return the page with every wording and an example of every row."""
    parts = [_INTRODUCTION, _TABLE + "\n" + "\n".join(map(_entry, SLOTS)), _any_noun()]
    parts.append(f"{_OTHER_WORDS}\n{_ways(OTHER_WORDS)}")
    amounts = f"{_AMOUNTS}{fill(f'{_quoted(sorted(SERVING))}.', 120)}\n\n{_listed(amount_examples())}"
    states = f"{_STATES}{''.join(_state_rows())}\n{_listed(state_examples())}"
    parts += [amounts, f"{_ENDINGS}\n{_listed(ending_examples())}", states]
    parts.append(f"{_OWN_WAYS}\n{_ways(OWN_WAYS)}")
    parts.append(render_lists())
    return "\n".join([*parts, _VALUES + "".join(_value_rows()), _several()])


def _entry(row: Slot) -> str:
    examples = _listed(examples_of(row))
    nouns, verbs = wordings(row)
    lines = [f"### {_title(row)}\n"]
    if nouns:
        lines.append(f"- nouns: {_quoted(nouns)}")
    if verbs:
        lines.append(f"- verbs: {_quoted(_said(verb, past=row.past) for verb in verbs)}")
    lines.append(f"- value: {_values(row)}")
    if row.person:
        lines.append('- "my NOUN" is the user\'s own')
    if row.bare:
        lines.append("- needs no owner")
    if row.typed:
        lines.append('- "X plays the NOUN of V" means the same')
    if row.named:
        lines.append("- only for a value that is a name or a title, not a description")
    if row.thing:
        lines.append('- only for things ("the archive ..."): a person is here today and there tomorrow')
    if row.each:
        lines.append('- not for several things at once ("services ...")')
    return "\n".join(lines) + "\n" + examples


def _said(verb: str, *, past: bool) -> str:
    lemma, *rest = verb.split()
    return " ".join((inflected(lemma, past=past), *rest))


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _listed(examples: Iterable[Example]) -> str:
    return "".join(f'- {one.effect}: "{one.older}", then "{one.newer}"\n' for one in examples)


def _type_name(reader: str) -> str:
    family = reader.removeprefix("term:")
    return reader if family == reader else f'one of the list "{family}"'


def _ways(ways: Iterable[Way]) -> str:
    return "\n".join(f"### {way.title}\n\n{fill(way.what, 120)}\n\n{_listed(way_examples(way))}" for way in ways)


def _any_noun() -> str:
    choices, marks = _quoted(dict.fromkeys(CHOICES)), _quoted(dict.fromkeys(DISTINGUISHING))
    return (
        f'## Words that go with any noun\n\n{choices} make a slot of any noun: "the default branch of X is main".\n\n'
        f"{marks} before a noun of the table make it a different slot: the min size is not the max size.\n"
    )


def _state_rows() -> Iterator[str]:
    for slot, values in _states().items():
        yield f"| {slot} | {' / '.join(map(_quoted, values.values()))} |\n"


def _value_rows() -> Iterator[str]:
    for name in sorted({str(reader) for row in SLOTS for reader in row.reads} | set(VALUE_TYPES)):
        if not name.startswith("term:"):
            yield f"| {name} | {VALUE_TYPES[name].what} | {VALUE_TYPES[name].differ} |\n"
    example = value_type("term:progress")
    yield f"| one of a list | a member of a list in `helpers/language/terms.toml` | {example.differ} |\n"


def _several() -> str:
    return (
        "## What may have several values\n\nOf what these verbs tell, one more contradicts nothing; only what denies,"
        f" ends or corrects it does: {_quoted(sorted(RELATIONS))}.\n"
    )


def main(argv: Sequence[str]) -> int:
    """Write both pages into the folder named by `argv`; 0 when done, 2 on misuse."""
    return write_files(argv, __doc__, lambda _: {PAGE: render_page(), IN_FULL: render_in_full()})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
