"""Every verb, concept, term and plain word of the tables is read as what its row says (T-03, C-39).

What is expected is spelled out from the rows here, and not by the code that loads them. A few members of each table are
written out as well, so that a row which lost a member is no longer what it was.
"""

import re
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from case_tables import read_cases
from memory_ledger.claims import extract_claims
from memory_ledger.claims.clauses.free_values import parse_tools, parse_values
from memory_ledger.claims.values.agreement import Agreement, compare_values
from memory_ledger.claims.values.names import parse_term
from memory_ledger.language import tables
from memory_ledger.language.lexicon import PURPOSES
from memory_ledger.language.segment import tokenise
from memory_ledger.language.verbs import forms
from memory_ledger.language.words import stem

ROOM = Path(memory_ledger.__file__).parent / "language"
VERBS, FAMILIES, CONCEPTS, TERMS, TOOLS = (
    tomllib.loads((ROOM / f"{name}.toml").read_text("utf-8"))
    for name in ("verbs", "word_families", "concepts", "terms", "tools")
)

# Verbs and their families.

#: Forms that belong to another verb: the past of "lie", the past of "find", and an article in German.
OTHERS = {"lay": "lie", "found": "find", "die": ""}
#: A few forms that no rule of spelling is needed for.
KNOWN_FORMS = {"studied": "study", "stopping": "stop", "watches": "watch", "cancelled": "cancel", "written": "write"}


def _spelled(verb):
    """(third person, past, participle, -ing) of a verb without forms of its own, as English spells them."""
    doubled = verb + verb[-1] if verb in VERBS["doubling"].split() else verb
    soft = re.sub(r"(?<=[^aeiou])y$", "i", doubled)
    third = re.sub(r"(?<=[^aeiou])y$|(?<=s|x|z|o)$|(?<=sh|ch)$", lambda end: "ie" if end[0] else "e", verb)
    past = f"{soft.removesuffix('e')}ed"
    return f"{third}s", past, past, f"{doubled.removesuffix('e')}ing"


def _of_other_lemma(rows):
    return [
        word
        for lemma, *words in rows
        for word, letter in zip(words, "bsdng"[-len(words) :], strict=True)
        if (known := forms().get(word, ("", "")))[0] != OTHERS.get(word, lemma)
        or (word not in OTHERS and letter not in known[1])
    ]


def test_every_form_of_a_verb_is_read_as_its_lemma():
    irregular = [row.split() for row in VERBS["irregular"].split("|")]
    assert [row for row in irregular if len(row) != 5 or not (row[1][-1] == "s" and row[4].endswith("ing"))] == []
    assert _of_other_lemma((row[0], *row) for row in irregular) == []
    assert _of_other_lemma((verb, verb, *_spelled(verb)) for verb in VERBS["regular"].split()) == []
    assert _of_other_lemma((verb, *_spelled(verb)[1:]) for verb in VERBS["past_only"].split()) == []
    assert [verb for verb in VERBS["past_only"].split() if verb in forms()] == []
    british = VERBS["british"].split()
    assert _of_other_lemma((verb, f"{verb}led", f"{verb}led", f"{verb}ling") for verb in british) == []
    assert {form: forms()[form][0] for form in KNOWN_FORMS} == KNOWN_FORMS
    assert set(VERBS["doubling"].split()) <= set(f"{VERBS['regular']} {VERBS['past_only']}".split())


def test_every_word_of_a_family_counts_as_its_verb():
    members = [member.split("=") for member in FAMILIES["families"].split()]
    assert [word for verb, *words in members for word in (verb, *words) if stem(word) != verb] == []
    assert (stem("delivery"), stem("departures")) == ("deliver", "depart")


# Concepts.

#: A value of each slot that a value alone opens; of all others the first member of their family is one.
VALUES = {slot: value for slot, value in read_cases(__file__)["values"]}
OF_CONCEPTS = (
    "The gizmo {stem} is {value}",
    "The gizmo is {stem} on {value}",
    "The gizmo {stem}s {value}",
    "The gizmo {stem}s on {value}",
    "The gizmo is {stem} {value}",
    "The gizmo has {value} {stem}",
)


#: Beside a value these are read as something else: prepositions, a season, an age, a frequency, what names a thing.
NOT_BESIDE = {"date": "fall until through till", "duration": "interval old", "count": "number", "version": "most"}


def _words(text, slot):
    """The words that stand beside the value of a text in its slot, in each of its claims."""
    return [
        {*claim.topic.split(), *claim.light, *claim.firm}
        for claim in extract_claims(text)
        if claim.slot == slot and claim.loose
    ]


def _as_its_concept(slot):
    """The words of a slot, and the sentences in which they say what their concept says."""
    value = VALUES.get(slot) or tables.split_members(TERMS["families"][slot])[0][0]
    return {
        (word, text)
        for concept, stems in CONCEPTS[slot].items()
        for word in stems.split()
        for text in OF_CONCEPTS
        if {"gizmo", stem(concept)} - {stem("nothing")} in _words(text.format(stem=word, value=value), slot)
    }


@pytest.mark.parametrize("slot", CONCEPTS)
def test_a_word_beside_a_value_says_the_same_as_its_concept(slot):
    read = _as_its_concept(slot)
    missing = {word for stems in CONCEPTS[slot].values() for word in stems.split()} - {word for word, _ in read}
    assert missing == set(NOT_BESIDE.get(slot, "").split())


# Terms and tools.

TERM_MEMBERS = {family: tables.split_members(row) for family, row in TERMS["families"].items()}
SERVING = [" ".join(family.split()) for family in TERMS["serving"].split("|")]
#: Alone they are a path, a host or a number to who reads.
READ_OTHERWISE = frozenset(
    "react.js vue.js fly.io 1password 3des apache-2.0 gpl-3.0 agpl-3.0 lgpl-3.0 gpl-2.0 bsd-3-clause mpl-2.0".split()
)


def _term(name, *families):
    parsed = parse_term(tokenise(name), 0, frozenset(families))
    return parsed.value if parsed else None


@pytest.mark.parametrize("family", TERM_MEMBERS)
def test_only_a_member_of_a_serving_family_says_what_it_is_for(family):
    ways = [way for member in TERM_MEMBERS[family] for way in member if way not in READ_OTHERWISE]
    told = [
        way
        for way in ways
        if any(
            found.slot == family
            for written in (str, str.upper)
            for found in parse_values(tuple(tokenise(f"It is in {written(way)}")))
        )
    ]
    assert told == (ways if family in SERVING else [])


@pytest.mark.parametrize("wide", TERMS["wider"])
def test_a_wider_word_agrees_with_what_it_is_wider_than(wide):
    for narrow in TERMS["wider"][wide].split():
        assert compare_values(_term(wide), _term(narrow.replace("_", " "))) is Agreement.COMPATIBLE, narrow
    assert compare_values(_term(wide), _term("python" if wide == "go" else "go")) is not Agreement.COMPATIBLE


def test_a_member_is_read_in_its_further_families():
    assert set(SERVING) <= TERM_MEMBERS.keys()
    for name, families in TERMS["also"].items():
        for family in families.split("|"):
            assert family in TERM_MEMBERS
            assert _term(name, family).norm == (family, name)
    for family, wider in TERMS["wider_family"].items():
        for name, *_ in TERM_MEMBERS[family]:
            assert _term(name, wider).norm == (wider, name)
    assert _term("redis", "dns") is None


def _is_tool(name, family):
    told = [word for group in PURPOSES[family].tells.split() for word in group.removeprefix("?").split("=")]
    texts = (f"Our {word} tool is {name}" for word in told)
    return any(slot == f"for {family}" for text in texts for _, _, slot in parse_tools(tokenise(text)))


def _families_of(word):
    return [
        family
        for family, purpose in PURPOSES.items()
        if any(word in ways for ways in tables.split_members(purpose.members))
    ]


@pytest.mark.parametrize("word", TOOLS["plain_words"].split())
def test_a_plain_word_is_a_tool_with_a_capital_letter_only(word):
    assert _families_of(word)
    for family in _families_of(word):
        assert _is_tool(word.capitalize(), family), family
        assert _is_tool(word, family) is (family in TOOLS["of_plain_words"].split("|")), family


def test_a_member_of_a_family_of_plain_words_needs_no_capital_letter():
    found = {family for word in TOOLS["plain_words"].split() for family in _families_of(word)}
    assert set(TOOLS["of_plain_words"].split("|")) <= found
    assert _is_tool("trace", "log level")
