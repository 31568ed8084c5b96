"""One message becomes up to three questions (E-09 ... E-17, E-86). Pure."""

from __future__ import annotations

from typing import NamedTuple

from ..language.words import extract_keywords
from ..setting_groups import QueryExpansion

ORIGINAL, KEYWORDS, DOMAIN = "original", "keywords", "domain"


class Variant(NamedTuple):
    """A question to the store: under which `name` it is explained, and its words."""

    name: str
    text: str


def make_variants(query: str, domain: str | None, settings: QueryExpansion) -> tuple[Variant, ...]:
    """Return what is asked for the message `query` in `domain`, the message itself first.

    A message without keywords has no other variant, and one without a domain no domain variant.
    """
    variants = [Variant(ORIGINAL, query)]
    keywords = " ".join(extract_keywords(query, settings.max_keywords)) if settings.enabled else ""
    if keywords and settings.use_keyword_extraction:
        variants.append(Variant(KEYWORDS, keywords))
    if keywords and domain and settings.use_domain_scoping:
        variants.append(Variant(DOMAIN, f"{domain}: {keywords}"))
    return tuple(variants)
