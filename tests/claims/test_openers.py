"""What opens a sentence changes nothing of what it states (C-41): the table, its examples, and pairs with openers."""

import tomllib
from importlib.resources import files

import memory_ledger.language as room
import pytest
from core.case_tables import read_cases
from memory_ledger.claims import Relation, compare_texts, extract_claims, is_correction
from memory_ledger.language.segment import parse_sentences
from pair_tables import CONTRADICTIONS, HARMLESS

CASES = read_cases(__file__)

TABLE = tomllib.loads(files(room).joinpath("openers.toml").read_text("utf-8"))
ROWS = [(kind, row) for kind, rows in TABLE.items() if isinstance(rows, list) for row in rows]
EXAMPLES = [(row.get("means", "nothing"), *pair) for _, row in ROWS for pair in row["examples"]]
COUNTEREXAMPLES = [text for _, row in ROWS for text in row["counterexamples"]]


def _stated(text):
    (sentence,) = parse_sentences(text)
    return " ".join(token.text for token in sentence.tokens)


@pytest.mark.parametrize("text", COUNTEREXAMPLES)
def test_what_only_looks_like_an_opener_stays(text):
    words = text.split()
    assert _stated(text).split()[0] == words[0].strip(",:")
    assert [word for word in _stated(text).split() if word[0].isalnum()][-1] == words[-1].strip(".,()")


@pytest.mark.parametrize(("means", "text", "left"), EXAMPLES)
def test_an_opener_is_taken_away(means, text, left):
    assert _stated(text) == left
    assert is_correction(text) is (means in ("correction", "soft"))


def test_every_row_has_examples():
    """A row that nothing tries is a row that nobody knows to be right."""
    assert all(row["counterexamples"] and (row["examples"] or not row.get("is_whole", True)) for _, row in ROWS)
    assert {row.get("means", "nothing") for _, row in ROWS} == {"nothing", "correction", "soft", "link", "now"}


PLAIN = ["FYI, ", "Quick update: ", "Note: ", "BTW, ", "As of May, ", "Since yesterday, ", "[2026-05-03] "]
PLAIN += ["As discussed, ", "It is worth noting that "]
#: What may stand in small letters behind an opener.
_WORDS = frozenset(("The", "User", "User's", "My", "We", "Our", "A", "There", "All"))


def _opened(opener, text):
    is_plain = text.split()[0] in _WORDS and opener.endswith((", ", "that "))
    return opener + (text[0].lower() + text[1:] if is_plain else text)


@pytest.mark.parametrize("opener", [*PLAIN, "User said that "])
def test_harmless_pairs_stay_harmless(opener):
    pairs = [row[-2:] for row in HARMLESS[::17] if row[-1].split()[0] not in ("He", "She", "They")]
    assert [pair for pair in pairs if _is_at_odds(pair[0], _opened(opener, pair[1])) and not _is_at_odds(*pair)] == []


def _closed(closer, text):
    return text.rstrip(".") + closer


FRAMES = [(_opened, opener) for opener in (*PLAIN, "Correction: ", "User said that ")]
FRAMES += [(_closed, closer) for closer in (", by the way", " FYI", " as of May 3")]


@pytest.mark.parametrize(("frame", "words"), FRAMES)
def test_contradictions_stay_found_whichever_bears_the_opener_or_closer(frame, words):
    pairs = [pair for row in CONTRADICTIONS[::17] if len(parse_sentences((pair := row[-2:])[1])) == 1]
    pairs = [(a, b) for a, b in pairs if not is_correction(a) and not is_correction(b)]
    assert len(pairs) > 25
    framed = [((a, frame(words, b)), (frame(words, a), b)) for a, b in pairs]
    lost = [both for both in framed if not all(_is_at_odds(*pair) for pair in both)]
    assert len(lost) <= len(pairs) // 20, lost


def _is_at_odds(older, newer):
    return compare_texts(older, newer).relation is Relation.CONTRADICTS


NOW = [
    *(f"{opener}the pump runs at 50 Hz" for opener in ("As of May, ", "Effective June 1, ", "Since yesterday, ")),
    "From next week on, the pump runs at 50 Hz",
    "The pump runs at 50 Hz as of May 3",
]


@pytest.mark.parametrize("newer", NOW)
def test_a_time_from_which_on_it_holds_is_a_change(newer):
    found = compare_texts("The pump runs at 40 Hz", newer)
    assert (found.rule, found.corrects, found.partial) == ("state_change", "newer", False)


@pytest.mark.parametrize("hearsay", CASES["hearsay_retires_nothing"])
def test_hearsay_retires_nothing(hearsay):
    assert not _is_at_odds("The office is in Rome", f"{hearsay}the office is in Oslo")


@pytest.mark.parametrize(("older", "newer"), CASES["a_label_with_a_value_is_no_opener"])
def test_a_label_with_a_value_is_no_opener(older, newer):
    assert _is_at_odds(older, newer)


def test_a_claim_shows_its_opener():
    text = "Update: the office is in Rome."
    assert {text[one.start : one.end] for one in extract_claims(text)} == {"Update: the office is in Rome"}
