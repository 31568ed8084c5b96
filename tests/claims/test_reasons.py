"""Why two texts contradict each other, or agree, in words that a person understands (C-39 ... C-43)."""

import re
import sys
from pathlib import Path

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import compare_claims, compare_texts, extract_claims
from memory_ledger.claims.slots.rows import SLOTS

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from contradictions_pairs import own_pairs

CASES = read_cases(__file__)
RULES = {
    "one": "only one of the two can be true at a time",
    "changed": "the newer one says that this has changed",
    "denied": "one denies what the other says",
    "ended": "the newer one says that it is no longer so, or that it is not",
    "doubted": "the newer one ends or changes something, which need not be all that the older one says, or the same",
    "fits alone": "the newer one is an explicit correction; it does not say of what, and its value fits this alone",
}


@pytest.mark.parametrize(("older", "newer", "about", "first", "second", "rule"), CASES["said"])
def test_reasons_can_be_checked_by_a_person(older, newer, about, first, second, rule):
    """C-39, C-40, C-41: subject and attribute as they are written, both values, and why they exclude each other."""
    assert compare_texts(older, newer).reasons == (about, f"older: {first}", f"newer: {second}", RULES[rule])


@pytest.mark.parametrize(("older", "newer", "reason"), CASES["what_agrees_is_said_in_the_same_way"])
def test_what_agrees_is_said_in_the_same_way(older, newer, reason):
    assert compare_texts(older, newer).reasons == (reason,)


def test_claims_alone_name_what_they_hold():
    older, newer = map(extract_claims, ("The server listens on port 80", "The server listens on port 81"))
    assert compare_claims(older, newer).reasons[:2] == ('both speak of "server"', 'older: "port 80"')


#: The words of their own that reasons have, beside those of the texts and the nouns of rows.
OWN = """
    both speak of the same thing fill in for say how it stands with what user wishes whether is has any property older
    newer not and agree one more precise""".split()
KNOWN = {word for row in SLOTS for word in f"{row.name} {row.nouns}".replace("|", " ").split()} | set(OWN)


@pytest.mark.parametrize("step", [pytest.param(9, id="a ninth"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_reasons_quote_the_texts_and_name_nothing_of_the_inside(step):
    """C-39, C-40, C-41: whatever is quoted, of any pair and in both orders, is written in one of the texts."""
    pairs = [(one.older.replace('"', "'"), one.newer.replace('"', "'")) for one in list(own_pairs())[::step]]
    compared = [(texts, compare_texts(*texts).reasons) for pair in pairs for texts in (pair, pair[::-1])]
    told = [(texts, reason) for texts, reasons in compared for reason in reasons if '"' in reason]
    assert len(told) > 5000 / step
    assert [reason for texts, reason in told if not _is_of(texts, reason)] == []


def _is_of(texts, reason):
    """Whether each quotation is in one of the texts, and what stands around them is plain."""
    own, quoted = reason.split('"')[::2], reason.split('"')[1::2]
    words = set(re.findall(r"[^\s:,]+", " ".join(own).lower())) - set(re.findall(r"\w+", " ".join(texts).lower()))
    return words <= KNOWN and all(any(piece in text for text in texts) for part in quoted for piece in part.split("…"))
