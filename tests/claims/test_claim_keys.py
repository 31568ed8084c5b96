"""By their keys, claims find whatever `compare` calls a contradiction, in the labelled tables (C-37, C-39)."""

from collections import Counter

from crossing import contradictions
from memory_ledger.claims import Relation, compare_claims, extract_claims, is_ending
from memory_ledger.ledger.claim_index import ClaimIndex
from pair_tables import CONTRADICTIONS

_ROWS = (*CONTRADICTIONS, *contradictions())


def _found(known, asked):
    index = ClaimIndex()
    index.add("known", known)
    return index.may_contradict("known", asked), index.candidates(asked) == ["known"]


def test_every_labelled_contradiction_is_found_by_its_keys():
    """In either order; of a correction that names no subject nobody can say what it contradicts, so anything may be.

    What a stored text ended is found by the vectors alone, if it comes once more.
    """
    counts = Counter()
    for *_, older, newer in _ROWS:
        before, after = extract_claims(older), extract_claims(newer)
        comparison = compare_claims(before, after, older_text=older, newer_text=newer)
        assert comparison.relation is Relation.CONTRADICTS
        for known, asked in ((before, after), (after, before)):
            may_contradict, is_candidate = _found(known, asked)
            assert may_contradict, (older, newer)
            assert is_candidate or comparison.elliptical or any(map(is_ending, known)), (older, newer)
            counts[is_candidate] += 1
    assert counts[True] > 700
