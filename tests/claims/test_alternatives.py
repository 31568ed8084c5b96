"""Every member of a family of tools, terms and jobs, and every word that tells a purpose, decides (T-03, C-39).

The tables of families are their own examples: two members beside one word exclude each other, and alone they do not.
"""

import tomllib
from pathlib import Path

import memory_ledger
import pytest
from memory_ledger.claims import Relation, compare_texts
from memory_ledger.language.lexicon import FAMILIES, JOBS, PURPOSES, VERSIONED, WIDER
from memory_ledger.language.tables import split_members

#: Alone these are read as something else: a plan, a duration, the end of a name, what happened.
READ_OTHERWISE = frozenset(("todo", "12h", "24h", ".net", "just", "delayed job"))
#: Whatever stands beside a member, it is compared with so many before it: some are wider words for others.
NEIGHBOURS = 3
OF_TERMS = (
    "The {family} is {member}",
    "User's {family} is {member}",
    "The theme {family} is {member}",
    "{family}: {member}",
    "The user's favourite {family} is {member}",
    "User's {family} is the {member}",
)
OF_JOBS = ("User works as a {member}",)


def _exclude(older, newer):
    return compare_texts(older, newer).relation is Relation.CONTRADICTS


def _capital(name):
    return " ".join(word[:1].upper() + word[1:] for word in name.split())


def _undecided(members, templates, family=""):
    """Return the ways of writing a member of which no template tells that it excludes a neighbour."""
    return [
        way
        for number, ways in enumerate(members)
        for way in ways
        if way not in READ_OTHERWISE | WIDER.keys()
        and not any(
            _exclude(*(text.format(family=family, member=written(name)) for name in (members[number - back][0], way)))
            for back in range(1, min(NEIGHBOURS, len(members) - 1) + 1)
            for text in templates
            for written in (_capital, str)
        )
    ]


@pytest.mark.parametrize("family", PURPOSES)
def test_tools_of_one_purpose_exclude_each_other_where_it_is_told(family):
    members = split_members(PURPOSES[family].members)
    told = [word for group in PURPOSES[family].tells.split() for word in group.removeprefix("?").split("=")]
    first, second = (_capital(ways[0]) for ways in members[:2])
    assert _undecided(members, [f"Our {word} tool is {{member}}" for word in told if word not in READ_OTHERWISE]) == []
    texts = [(f"Our {word} tool is {first}", f"Our {word} tool is {second}") for word in told]
    assert [pair[0] for word, pair in zip(told, texts, strict=True) if not _exclude(*pair)] == [
        pair[0] for word, pair in zip(told, texts, strict=True) if word in READ_OTHERWISE
    ]
    assert not _exclude(f"We use {first}", f"We use {second}")


@pytest.mark.parametrize("family", FAMILIES)
def test_members_of_a_family_exclude_each_other_as_its_value(family):
    members = split_members(FAMILIES[family])
    assert _undecided(members, OF_TERMS, family) == []
    assert not _exclude(f"Ann spoke of {members[0][0]}", f"Ann spoke of {members[1][0]}")


def test_jobs_exclude_each_other():
    assert _undecided(split_members(JOBS), OF_JOBS) == []
    assert not _exclude("User met a nurse", "User met a lawyer")


@pytest.mark.parametrize("name", [way for ways in split_members(VERSIONED) for way in ways])
def test_a_name_with_versions_has_one_at_a_time(name):
    older, newer = (f"The project uses {_capital(name)} {version}" for version in ("3.1", "4.2"))
    assert _exclude(older, newer) is (name not in READ_OTHERWISE)
    assert not _exclude(older, f"The project names {_capital(name)}")


CLAIMS = Path(memory_ledger.__file__).parent / "claims"
ZONES = tomllib.loads((CLAIMS / "values" / "names.toml").read_text("utf-8"))["zones"]
PLACES = tomllib.loads((CLAIMS / "values" / "places.toml").read_text("utf-8"))
LEVELS = PLACES["levels"] | {"city": PLACES["places"]["cities"]}
KINDS_OF = tomllib.loads((CLAIMS / "slots" / "frames.toml").read_text("utf-8"))["kinds_of"]
#: Names of one place, of which only one is told in the pairs below.
ONE_PLACE = {"uk", "united kingdom", "us", "united states", "america", "south korea"}
#: Two values of the slots that no name of a person fills.
FILLED = {"default branch": ("main", "master"), "licence": ("MIT", "Apache-2.0"), "registrar": ("Gandi", "Namecheap")}


def test_every_name_of_a_zone_excludes_another_zone_and_no_name_of_its_own():
    text = "User's timezone is {}"
    for minutes, _, *names in map(str.split, ZONES.values()):
        first, *told = (text.format(name.upper()) for name in names)
        other = text.format("PST" if minutes == "540" else "JST")
        assert [newer for newer in (first, *told) if not _exclude(other, newer)] == []
        assert [newer for newer in told if _exclude(first, newer)] == []


@pytest.mark.parametrize("level", LEVELS)
def test_every_place_excludes_another_of_its_level_and_no_city(level):
    names = [name for (name,) in split_members(LEVELS[level])]
    homes = [f"User lives in {_capital(name)}" for name in names]
    pairs = zip(names, homes, (homes[-1], *homes), strict=False)
    assert {name for name, home, other in pairs if not _exclude(other, home)} <= ONE_PLACE
    if level != "city":
        assert [home for home in homes if _exclude("User lives in Porto", home)] == []
        assert [home for home in homes if _exclude(home, "User lives in Porto")] == []


def test_names_of_places_that_share_a_word_may_be_one_place_unless_both_are_known():
    assert not _exclude("User lives in Frankfurt", "User lives in Frankfurt am Main")
    assert not _exclude("User lives in Heron Bay", "User lives in Heron Harbour")
    assert _exclude("User lives in San Jose", "User lives in San Diego")


@pytest.mark.parametrize("slots", KINDS_OF)
def test_what_kind_of_thing_has_a_slot_tells_no_two_apart(slots):
    told = [
        (slot, kind, *FILLED.get(slot, ("Ann", "Ben"))) for slot in slots.split("|") for kind in KINDS_OF[slots].split()
    ]
    pairs = [
        (f"The {slot} of the Heron {kind} is {one}", f"The {slot} of Heron is {two}") for slot, kind, one, two in told
    ]
    assert [older for older, newer in pairs if not _exclude(older, newer)] == []
