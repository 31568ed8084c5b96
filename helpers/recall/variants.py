"""One message becomes up to three questions, and one for each of its sentences (E-09 ... E-17, E-86). Pure."""

from __future__ import annotations

from typing import NamedTuple

from ..language.words import extract_keywords
from ..setting_groups import QueryExpansion
from .message import MessageSentence, read_sentence, split_message

ORIGINAL, KEYWORDS, DOMAIN, SENTENCE = "original", "keywords", "domain", "sentence"


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


def place_sentences(
    query: str, variants: tuple[Variant, ...], message: str = ""
) -> tuple[tuple[Variant, ...], dict[int, MessageSentence]]:
    """Return `variants` with those for the sentences of the message behind them, and which of them a sentence is.

    Where a message is one sentence, it is the original. The query that a model has made of a `message` asks as well.
    """
    found: dict[int, MessageSentence] = {0: read_sentence(query)._replace(asks=True)} if message else {}
    for sentence in split_message(message or query):
        if sentence.text == query.strip():
            found[0] = sentence
        else:
            found[len(variants)] = sentence
            variants = (*variants, Variant(SENTENCE, sentence.text))
    return variants, found
