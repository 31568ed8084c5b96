"""The tags of a memory: where it belongs and what it is about (T-11, E-37, E-82). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.wordings import read_patterns
from ..language.words import extract_keywords
from ..records import Utility

_TOPIC_LIMIT = 8
_SAID = read_patterns("utterances")
_UTILITY = "utility:"


def make_tags(text: str, *, utility: Utility, area: str, domain: str | None, role_id: str | None) -> tuple[str, ...]:
    """Return `domain:`, `utility:`, `area:` and `role:` tags, then at most eight topic words of `text`."""
    tags = [f"{_UTILITY}{utility}", f"area:{area}"]
    if domain:
        tags.insert(0, f"domain:{domain}")
    if role_id:
        tags.append(f"role:{role_id}")
    topics = [word for word in extract_keywords(text, limit=2 * _TOPIC_LIMIT) if not _SAID["no_topic"].fullmatch(word)]
    tags.extend(list(dict.fromkeys(topics))[:_TOPIC_LIMIT])
    return tuple(tags)


def with_utility_tag(tags: Iterable[str], utility: Utility) -> tuple[str, ...]:
    """Return `tags` with their utility tag replaced."""
    return tuple(f"{_UTILITY}{utility}" if tag.startswith(_UTILITY) else tag for tag in tags)
