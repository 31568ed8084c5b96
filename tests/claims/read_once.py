"""Comparing many pairs that share their texts."""

from functools import cache

from memory_ledger.claims import Claim, Comparison, Relation, compare_claims, extract_claims


@cache
def _claims_of(text: str) -> tuple[Claim, ...]:
    return extract_claims(text)


def compare_read(older: str, newer: str) -> Comparison:
    """As `compare_texts` of two texts that differ; each is read once, however many pairs it stands in."""
    return compare_claims(_claims_of(older), _claims_of(newer), older_text=older, newer_text=newer)


def would_retire(comparison: Comparison) -> bool:
    """Whether one of the two would be retired; what is left open only marks both."""
    return comparison.relation is Relation.CONTRADICTS and not comparison.is_open
