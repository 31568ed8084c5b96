"""By their keys, claims find whatever `compare` calls a contradiction, in the labelled tables (C-37, C-39)."""

import json
import os
import subprocess
import sys
from collections import Counter

from crossing import contradictions
from memory_ledger.claims import Relation, compare_claims, extract_claims
from memory_ledger.claims.comparison.keys import is_ending, is_saying
from memory_ledger.claims.comparison.narrow import ended_words, ends, told_words
from memory_ledger.ledger.claim_index import ClaimIndex
from pair_tables import CONTRADICTIONS

_ROWS = (*CONTRADICTIONS, *contradictions())[::2]


def _found(known, asked):
    index = ClaimIndex()
    index.add("known", known)
    return index.contradictable(["known"], asked) == ["known"], index.candidates(asked) == ["known"]


def test_every_labelled_contradiction_is_found_by_its_keys():
    """In either order; of a correction that names no subject nobody can say what it contradicts, so anything may be.

    What a stored text ended is found by the vectors alone, if it comes once more."""
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
    assert counts[True] > 350


def test_what_ends_something_has_its_words_in_it():
    """The comparison looks no further where the words of an ending are missing: what it would find there is nothing.

    Every ending of the labelled contradictions against every saying of them with which it shares a word.
    """
    claims = dict.fromkeys(
        claim for *_, older, newer in CONTRADICTIONS for text in (older, newer) for claim in extract_claims(text)
    )
    endings = [claim for claim in claims if is_ending(claim)]
    sayings = [(claim, told_words(claim)) for claim in claims if is_saying(claim)]
    counts = Counter()
    for end in endings:
        named = {*map(str, end.value.norm), *end.subject.split()}
        for said, told in sayings:
            if not named.isdisjoint(told):
                is_ended = ends(end, said)
                assert not is_ended or ended_words(end) <= told, (end, said)
                counts[end.slot, is_ended] += 1
    assert min(counts.values()) > 90, counts


def test_what_narrows_a_topic_is_the_same_in_every_process():
    """The same store gives the same candidates: Python's own hash of a text is another one in each process."""
    code = (
        "from memory_ledger.claims import extract_claims\n"
        "from memory_ledger.claims.comparison.keys import narrow_bits\n"
        "print([narrow_bits(one) for one in extract_claims('The unit-7 library backend runs on port 81.')])"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(shown) == 1
    assert any(bits for bits in json.loads(shown.pop()))
