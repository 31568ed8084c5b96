"""What holds for any text at all (C-38, C-42, C-43)."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from memory_ledger.claims import Relation, compare_texts, extract_claims, is_question

_WORDS = (
    "the The a my My our I we user User User's Alice Alice's Bob it API's API api project port deadline name is are was"
    " does do not n't never no longer uses use used using runs run on in at for to from of with by instead than rather"
    " 8080 8443 3.11 3.9 Python Redis Postgres MySQL REST GraphQL v2 $5 5 MB May March 3 2026-10-15 Friday Denver Rome"
    " tabs spaces dark mode enabled disabled switched moved renamed replaced upgraded stopped dropped will should might"
    " if when said says that think Actually actually No Correction Sorry meant also too both and or but , . : ; ? ! ( )"
    ' " = -> staging production staging: has have had been lives works as owned due until since last year'
).split()
_texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(_WORDS), max_size=30).map(" ".join))


@given(_texts)
@example("used to")
@example("The API will")
@example("Alice's 's 's")
@example('0%0:"NEVER"RUNS)')
@example('S"S:"NEVER"RUNS)')
@example("Verify the build passes branding checks and deploys to Cloud Run.")
def test_no_text_crashes_and_reading_is_deterministic(text):
    claims = extract_claims(text)
    assert claims == extract_claims(text)
    assert all(0 <= claim.start < claim.end <= len(text) for claim in claims)
    assert all(claim.scope == tuple(sorted(set(claim.scope))) for claim in claims)
    assert is_question(text) in (True, False)


@given(_texts)
def test_no_text_contradicts_itself(text):
    """The same text is a duplicate, with or without a space at its end."""
    assert compare_texts(text, text).relation is Relation.DUPLICATES
    assert compare_texts(text, text + " ").relation is Relation.DUPLICATES


@given(_texts, _texts)
@settings(max_examples=100)
def test_the_order_matters_only_to_corrections(first, second):
    """C-43: swapped texts contradict each other too, unless one corrects or ends what the other says."""
    forward, backward = compare_texts(first, second), compare_texts(second, first)
    if forward.elliptical or backward.elliptical or any(c.slot == "ends" for c in extract_claims(f"{first}\n{second}")):
        return
    assert (forward.relation is Relation.CONTRADICTS) is (backward.relation is Relation.CONTRADICTS)
    if forward.relation is Relation.CONTRADICTS:
        other = {"older": "newer", "newer": "older", None: None}
        assert backward.corrects == other[forward.corrects]
        assert (forward.partial, forward.newer_partial) == (backward.newer_partial, backward.partial)
