"""The obvious ways that the pack is compared with: what one would write first, kept as fast as it can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from memory_ledger.ledger.attribution import Speaker, Utterance


def classify(text: str, utterances: Sequence[Utterance], keywords: Sequence[str]) -> tuple[str, str]:
    """Return source and utility by shared words and by substrings, as the first specification sketches it."""
    words = set(text.lower().split())
    source = "agent_inferred"
    for one in utterances:
        if one.speaker is Speaker.USER and len(words & set(one.text.lower().split())) >= 0.6 * len(words):
            source = "user_asserted"
            break
    lowered = text.lower()
    return source, "load_bearing" if any(word in lowered for word in keywords) else "tactical"


def look_for_news(documents: dict[str, Any]) -> list[str]:
    """Return the ids without a classification, by looking at every document."""
    return [memory_id for memory_id, one in documents.items() if "classification" not in one.metadata]


def count_status(documents: dict[str, Any]) -> Counter[tuple[str, str, str]]:
    """Return how many memories have which status, by looking at the metadata of every document."""
    found: Counter[tuple[str, str, str]] = Counter()
    for one in documents.values():
        axes = one.metadata.get("classification")
        if axes is not None:
            found[axes["validity"], axes["utility"], axes["source"]] += 1
    return found
