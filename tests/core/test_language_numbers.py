"""Every name of a month, a weekday, a number and a unit is read as what its row says (T-03, C-39).

What is expected is spelled out from the rows here, and not by the code that loads them. A few members of each table are
written out as well, so that a row which lost a member is no longer what it was.
"""

import tomllib
from pathlib import Path

import memory_ledger
import pytest
from case_tables import read_cases
from memory_ledger.claims.values.readers import parse_value
from memory_ledger.language.keys import parse_tokens
from memory_ledger.language.segment import tokenise
from memory_ledger.ledger.spoken_values import find_spoken, is_among

CASES = read_cases(__file__)

ROOM = Path(memory_ledger.__file__).parent / "language"
NUMERALS, UNITS = (tomllib.loads((ROOM / f"{name}.toml").read_text("utf-8")) for name in ("numerals", "units"))

#: How many names a language has of each kind; French goes on in two words after sixteen, and after seventy.
COUNTS = {"months": 12, "weekdays": 7, "numbers": 19, "tens": 8, "numbers french": 16, "tens french": 5}
#: The same place in every language, so that no list has moved.
ANCHORS = {
    "months": (6, "juni juin junio giugno junho juni"),
    "weekdays": (4, "thu donnerstag jeudi jueves giovedì quinta donderdag"),
    "numbers": (10, "ten zehn dix diez dieci dez tien"),
    "tens": (50, "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig"),
}
#: In speech these seldom count anything.
SELDOM = frozenset(("one", "first", "second"))
NAMED = [(kind, language, row) for kind in COUNTS if " " not in kind for language, row in NUMERALS[kind].items()]


def _spoken(text):
    return [(value.dimension, amount) for value in find_spoken(text) for amount in sorted(value.amounts)]


def _norm(reader, text):
    parsed = parse_value((reader,), tokenise(text), 0)
    return parsed and parsed.value.norm


def _said_as(kind, name, number):
    """What a name is read as where it is said, and what it stands for."""
    if kind in ("months", "weekdays"):
        return _spoken(name), [(kind.removesuffix("s"), float(number))]
    return _spoken(f"{name} min"), [("time", 60.0 * number)] if name not in SELDOM else []


@pytest.mark.parametrize(("kind", "language", "row"), NAMED, ids=[f"{kind}-{language}" for kind, language, _ in NAMED])
def test_a_name_is_read_as_its_place_in_the_list_of_its_language(kind, language, row):
    places = row.split()
    assert len(places) == COUNTS.get(f"{kind} {language}", COUNTS[kind])
    for place, names in enumerate(places):
        number = 10 * (place + 2) if kind == "tens" else place + 1
        for name in names.split("/") if names != "_" else ():
            read, meant = _said_as(kind, name, number)
            assert read == meant, name
    anchor, names = ANCHORS[kind]
    own = names.split()[list(NUMERALS[kind]).index(language)]
    assert own in places[anchor // 10 - 2 if kind == "tens" else anchor - 1].split("/")


def _in_one_word(row):
    """The numbers that a row of compounds writes in one word."""
    tens, ones = row.get("tens", NUMERALS["tens"][row["language"]]).split(), row["ones"].split()
    assert (len(tens), len(ones)) == (8, 9)
    for number in (number for number in range(21, 100) if number % 10):
        for one in ones[number % 10 - 1].split("/"):
            if one != "_":
                yield row["pattern"].replace("{ten}", tens[number // 10 - 2]).replace("{one}", one), number


@pytest.mark.parametrize("language", sorted({row["language"] for row in NUMERALS["compound"]}))
def test_a_number_in_one_word_is_read_as_its_ten_and_its_one(language):
    written = dict(pair for row in NUMERALS["compound"] if row["language"] == language for pair in _in_one_word(row))
    assert {word: _spoken(f"{word} min") for word in written} == {
        word: [("time", 60.0 * number)] for word, number in written.items()
    }
    assert len(set(written.values())) == 72


@pytest.mark.parametrize(("word", "number"), CASES["a_number_in_one_word_is_the_one_that_people_know"])
def test_a_number_in_one_word_is_the_one_that_people_know(word, number):
    assert _spoken(f"{word} min") == [("time", 60.0 * number)]


def test_a_magnitude_multiplies_and_an_ordinal_counts():
    words = NUMERALS["words"]
    for size, *ways in (member.split("=") for member in words["magnitudes"].split()):
        for way in ways:
            text = f"3{way.upper()}" if len(way) < 3 else f"3 {way}"
            assert _norm("number", text) == ("", 3 * float(size), 0), text
    for number, name in enumerate(words["ordinals"].split(), 1):
        assert _norm("frequency", f"every {name} day") == ("s", number * 86400.0), name
        assert _said_as("numbers", name, number)[0] == _said_as("numbers", name, number)[1], name
    assert _norm("frequency", "every twentieth day") == ("s", 20 * 86400.0)
    assert [parse_tokens(f"3{ending}")[0].unit for ending in words["ordinal_endings"].split()] == [""] * 4


def test_a_dozen_is_twelve_and_a_half_thirty_minutes():
    words = NUMERALS["words"]
    for name in words["dozens"].split():
        assert [set(value.figures) for value in find_spoken(f"3 {name}")] == [{36.0}], name
    for name in words["halves_after"].split():
        assert _spoken(f"nueve y {name}") == [("clock", 570.0), ("clock", 1290.0)], name
    for name in words["halves_before"].split():
        assert _spoken(f"{name} drei") == [("clock", 150.0), ("clock", 870.0)], name


UNIT_ROWS = [
    (dimension, float(size), ways)
    for dimension, row in UNITS["units"].items()
    for size, *ways in (member.split("=") for member in row.split())
]
#: A time of day where it is said.
TIMES_OF_DAY = frozenset(("h", "am", "pm"))
#: Said of a thing, they count no amount.
NEVER_SPOKEN = frozenset(("hertz",))
#: A few sizes, whatever the rows say.
SIZES = {"weeks": 604800.0, "gib": 1024.0**3, "miles": 1609.344, "gallons": 3.785411784, "tonne": 1e3, "µg": 1e-9}


def _unit(text):
    """The unit of a number where the author of a memory is looked for."""
    return parse_tokens(text)[-1].unit


@pytest.mark.parametrize(("dimension", "size", "ways"), UNIT_ROWS, ids=[ways[0] for _, _, ways in UNIT_ROWS])
def test_an_amount_is_read_with_its_unit(dimension, size, ways):
    amount = (dimension, 5.0) if dimension.isupper() else (dimension, 5 * size, 0)
    for way in ways:
        text = f"5 {way.lstrip('/?')}"
        if way[0] != "?":
            assert SIZES.get(text[2:], size) == size
            assert _norm("money" if dimension.isupper() else "number", text) == amount, text
            is_spoken = text[2:] not in TIMES_OF_DAY and dimension not in NEVER_SPOKEN
            assert not is_spoken or _spoken(text) == [(dimension, 5 * size)], text
        if way[0] != "/":
            assert _unit(text) == ways[0].lstrip("?/"), text


def test_what_is_counted_and_paid_with_is_a_dimension_of_its_own():
    words = UNITS["words"]
    for name, *others in (member.split("=") for member in words["counted"].split()):
        assert {_norm("number", f"5 {way}") for way in (name, *others)} == {(name, 5.0, 0)}
    for code in words["currencies"].split():
        assert _norm("money", f"5 {code}") == (code.upper(), 5.0)
    for name, *others in (member.split("=") for member in words["plain"].split()):
        assert {_unit(f"5 {way}") for way in (name, *others)} == {name if name not in TIMES_OF_DAY else ""}


def _may_be_one(said, memory):
    return all(is_among(one, find_spoken(said)) for one in find_spoken(memory))


def test_a_factor_must_be_on_both_sides_and_an_imperial_unit_may_be_rounded():
    for text in ("-5 kg", "5 thousand kg", "5 million kg", "5 billion kg"):
        assert _may_be_one(text, text)
        assert not (_may_be_one(text, "5 kg") or _may_be_one("5 kg", text)), text
    assert _may_be_one("5", "5 kg")
    assert not _may_be_one("5 cm", "5 kg")
    imperial = UNITS["words"]["imperial"].split()
    told = {way.lstrip("/"): ways for _, _, ways in UNIT_ROWS for way in ways if way[0] != "?"}
    assert [name for name in imperial if name not in told] == ["f"]
    assert [value.is_imperial for value in find_spoken("5 degrees f")] == [True]
    for way, ways in told.items():
        is_imperial = ways[0].lstrip("/") in imperial
        assert all(value.is_imperial == is_imperial for value in find_spoken(f"5 {way}")), way


#: "Every second" is every other one.
NO_SPANS = frozenset(("second",))


def test_a_price_is_for_a_period_and_a_frequency_for_a_span():
    words = UNITS["words"]
    for name, *others in (member.split("=") for member in words["periods"].split()):
        for way in (name, *others):
            assert _norm("money", f"5 usd per {way}") == _norm("money", f"5 usd/{way}") == (f"USD/{name}", 5.0), way
    for name, *adverbs in (member.split("=") for member in words["adverb_periods"].split()):
        assert {_norm("money", f"5 usd {adverb}") for adverb in adverbs} == {(f"USD/{name}", 5.0)}
    for section, text in (("spans", "every {}"), ("adverbs", "{}")):
        rows = ((dimension, member.split("=")) for dimension, row in UNITS[section].items() for member in row.split())
        for dimension, (size, *ways) in rows:
            for way in (way for way in ways if way not in NO_SPANS):
                assert _norm("frequency", text.format(way)) == (dimension, float(size)), way
    assert _norm("frequency", "quarterly") == _norm("frequency", "every 3 months") == ("months", 3.0)
