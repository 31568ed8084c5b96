"""Why two texts contradict each other, or agree, in words that a person understands (C-39 ... C-43)."""

import re
import sys
from pathlib import Path

import pytest
from memory_ledger.claims import compare_claims, compare_texts, extract_claims
from memory_ledger.claims.slots.rows import SLOTS

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from contradictions_pairs import own_pairs

ONE = "only one of the two can be true at a time"
CHANGED = "the newer one says that this has changed"
DENIED = "one denies what the other says"
ENDED = "the newer one says that it is no longer so, or that it is not"
DOUBTED = "the newer one ends or changes something, which need not be all that the older one says, or the same"

#: One row per family of slots: the two texts, of what both speak, what each says, and the rule.
SAID = {
    "a row by its verb": (
        ("The server listens on port 8080", "The server listens on port 8443"),
        ('both fill in "The server listens on …"', '"port 8080"', '"port 8443"', ONE),
    ),
    "a row by its noun": (
        ("My phone number is 0176 5550 1834", "My phone number is 0151 5550 7729"),
        ('both fill in "My phone number is …"', '"0176 5550 1834"', '"0151 5550 7729"', ONE),
    ),
    "a noun beside what it is said of": (
        ("Our data warehouse is Snowflake", "The data warehouse is Redshift"),
        ('both fill in "Our data warehouse is …"', '"Snowflake"', '"Redshift"', ONE),
    ),
    "a relation with a preposition": (
        ("Alice lives in Denver", "Alice does not live in Denver any more"),
        ('both fill in "Alice lives in …"', '"Denver"', 'not "Denver"', CHANGED),
    ),
    "a version": (
        ("My project uses Python 3.9", "My project uses Python 3.11"),
        ('both fill in "My project uses Python …"', '"3.9"', '"3.11"', ONE),
    ),
    "a count": (
        ("The team has 5 members", "The team has 7 members"),
        ('both fill in "The team has … members"', '"5"', '"7"', ONE),
    ),
    "several values": (
        ("In staging the API uses Redis", "The API does not use Redis in staging"),
        ('both fill in "In staging the API uses …"', '"Redis"', 'not "Redis"', DENIED),
    ),
    "a purpose": (
        ("Users sign in through Azure AD", "Users sign in through Okta"),
        ('both fill in "Users sign in through …"', '"Azure AD"', '"Okta"', ONE),
    ),
    "an open value": (
        ("The course is held in Hall B", "The course is held in Hall C now"),
        ('both fill in "The course is held in …"', '"Hall B"', '"Hall C"', CHANGED),
    ),
    "a part of a sentence": (
        ("The API runs on FastAPI and is deployed on Fly.io.", "The API is no longer deployed on Fly.io."),
        ('both fill in "is deployed on …" for "API"', '"Fly.io"', 'not "Fly.io"', CHANGED),
    ),
    "a state": (
        ("The backup disk is encrypted.", "The backup disk isn't encrypted."),
        (
            'both speak of "backup disk"',
            '"The backup disk is encrypted"',
            '"The backup disk isn\'t encrypted"',
            ONE,
        ),
    ),
    "a state in other words": (
        ("The Ghent depot is full.", "The depot in Ghent stands empty."),
        (
            'both speak of "Ghent depot"',
            '"The Ghent depot is full"',
            '"The depot in Ghent stands empty"',
            ONE,
        ),
    ),
    "any at all": (
        ("User has a cat named Biscuit.", "The user has no pets."),
        ("both speak of the user", '"User has a cat named Biscuit"', '"The user has no pets"', DENIED),
    ),
    "what stands": (
        ("The Bluefin redesign is on hold.", "Work on the Bluefin redesign is in full swing."),
        (
            'both speak of "Bluefin redesign"',
            '"The Bluefin redesign is on hold"',
            '"Work on the Bluefin redesign is in full swing"',
            ONE,
        ),
    ),
    "a wish": (
        ("User wants replies as bullet lists.", "The user asked for prose in replies."),
        (
            "both speak of the user",
            '"User wants replies as bullet lists"',
            '"user asked for prose in replies"',
            ONE,
        ),
    ),
    "a wish for something": (
        ("The user prefers aisle seats on trains.", "Always book a window seat on trains for the user."),
        (
            'both speak of "trains"',
            '"user prefers aisle seats on trains"',
            '"Always book a window seat on trains for the user"',
            ONE,
        ),
    ),
    "a statement": (
        ("The build caches node_modules", "The build does not cache node_modules"),
        (
            'both speak of "caches node_modules"',
            '"The build caches node_modules"',
            '"The build does not cache node_modules"',
            ENDED,
        ),
    ),
    "what is given up": (
        ("The website runs on WordPress.", "The website was moved from WordPress to Hugo."),
        (
            'both speak of "WordPress"',
            '"The website runs on WordPress"',
            '"The website was moved from WordPress to Hugo"',
            ENDED,
        ),
    ),
    "what may be given up": (
        ("User drives a red Fiat Panda.", "User sold the Panda."),
        ('both speak of "Panda"', '"User drives a red Fiat Panda"', '"User sold the Panda"', DOUBTED),
    ),
    "a correction of no subject": (
        ("The server listens on port 8080", "Actually it's 8443"),
        (
            'both fill in "The server listens on …"',
            '"port 8080"',
            '"8443"',
            "the newer one is an explicit correction; it does not say of what, and its value fits this alone",
        ),
    ),
}


@pytest.mark.parametrize(("texts", "reasons"), SAID.values(), ids=[f"C-39 {family}" for family in SAID])
def test_reasons_can_be_checked_by_a_person(texts, reasons):
    """C-39, C-40, C-41: subject and attribute as they are written, both values, and why they exclude each other."""
    about, older, newer, rule = reasons
    assert compare_texts(*texts).reasons == (about, f"older: {older}", f"newer: {newer}", rule)


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("Cache TTL: 24h", "The cache TTL is 1 day", 'both fill in "Cache TTL: …": "24h" and "1 day" say the same'),
        (
            "Ravi works as an engineer.",
            "Ravi works as a backend engineer.",
            'both fill in "Ravi works as an …": "engineer" and "backend engineer" agree, one more precise',
        ),
    ],
)
def test_what_agrees_is_said_in_the_same_way(older, newer, reason):
    """C-43."""
    assert compare_texts(older, newer).reasons == (reason,)


def test_claims_alone_name_what_they_hold():
    """C-39: where the texts are not at hand."""
    older, newer = map(extract_claims, ("The server listens on port 80", "The server listens on port 81"))
    assert compare_claims(older, newer).reasons[:2] == ('both speak of "server"', 'older: "port 80"')


#: The words of their own that reasons have, beside those of the texts and the nouns of rows.
OWN = """
    both speak of the same thing fill in for say how it stands with what user wishes whether is has any property older
    newer not and agree one more precise""".split()
KNOWN = {word for row in SLOTS for word in f"{row.name} {row.nouns}".replace("|", " ").split()} | set(OWN)


@pytest.mark.parametrize("step", [pytest.param(3, id="a third"), pytest.param(1, id="all", marks=pytest.mark.long)])
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
