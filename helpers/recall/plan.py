"""A message becomes the queries of one recall, with its limits, before anything is searched. Pure.

A message holds a question behind chat, a letter, a log. Judged as a whole nothing is near it; so each sentence that
speaks to the agent is a query of its own, beside those of the specification, and a memory is judged by the sentence
that it fits best. Pasted text is left out as far as it can be told from speech.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from ..language.sentences import LONGEST_TEXT
from ..language.tables import read_table, word_sets
from ..language.vocabulary import read_patterns
from ..language.words import extract_keywords
from ..ledger.passages import own_sentences
from ..setting_groups import QueryExpansion
from ..settings import Settings
from ..texts import regex

ORIGINAL, KEYWORDS, DOMAIN, SENTENCE = "original", "keywords", "domain", "sentence"
#: The host's own least similarity, (1 + cosine) / 2.
HOSTS_THRESHOLD: Final = 0.7
#: The number of sentences of a message that are searched.
MOST_SENTENCES: Final = 16
_WORDS: Final = word_sets(read_table(__file__, "message"))
_ASKS_PAST: Final = read_patterns("past", __file__)
#: The number of candidates by words for each wanted memory: they are all scored anyway.
_WORDED_FACTOR: Final = 3
#: The number of characters of a sentence that are read.
_LONGEST: Final = 400
#: With more sentences between the first and the last paragraph, the text between is pasted if one of these asks.
_MOST_BETWEEN: Final = 4
#: Lines of one shape that occur so often in a message are pasted.
_PASTED: Final = 3
_LEAST_LETTERS: Final = 0.75
_WORD = regex(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PARAGRAPH = regex(r"\n\s*\n")
_FENCE = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_SAYS = regex(r"\w")
_DIGITS = regex(r"\d+")
_LETTER_OR_BLANK = regex(r"[^\W\d_]|[ '’,.?!]")
#: The beginning of a sentence without a mark at the end of the last one: "what is its url It rained so hard".
_UNMARKED = regex(rf"(?<=[a-z0-9]) (?=(?:{'|'.join(map(str.title, sorted(_WORDS['opens'])))}) [a-z])")
_CLAUSE = regex(r"[,;:–—]\s+|\s-+\s")


class MessageSentence(NamedTuple):
    """A sentence of a message: whether it `asks` or orders, and whether it is about something of the user's own."""

    text: str
    asks: bool
    is_own: bool


class Variant(NamedTuple):
    """A query: the `name` of its explanation, its words, and the `sentence` of the message that it is, if any."""

    name: str
    text: str
    sentence: MessageSentence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLimits:
    """The limits of a recall; the defaults are the host's own.

    `threshold` is on the host's scale, (1 + cosine) / 2, in 0..1. `injected` is the total over memories and solutions,
    `solutions` the maximum of solutions among them. The limits of each area count only for the classification's own
    ranking; the enhancement searches for as many by each variant of the query.
    """

    threshold: float = HOSTS_THRESHOLD
    searched_memories: int = 12
    searched_solutions: int = 8
    injected: int = 8
    solutions: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPlan:
    """A recall: `per_variant` memories are searched by each of `variants`, `worded` by the words of the message.

    The variants numbered in `past` ask for the past. `is_past`: retired memories are searched as well. Not
    `is_enhanced`: the classification's own ranking, without the stages of the enhancement. Not `uses_words`: no search
    by words. Not `uses_meaning`: no search by meaning, the words alone decide.
    """

    query: str
    variants: tuple[Variant, ...]
    now: datetime
    limits: RecallLimits
    per_variant: int
    worded: int
    settings: Settings
    domain: str | None = None
    is_enhanced: bool = True
    uses_words: bool = True
    uses_meaning: bool = True
    past: tuple[int, ...] = ()
    is_past: bool = False

    @property
    def sentences(self) -> dict[int, MessageSentence]:
        """The sentences of the message, by the number of their variants."""
        sentences = enumerate(variant.sentence for variant in self.variants)
        return {number: sentence for number, sentence in sentences if sentence is not None}

    def of_past(self) -> RecallPlan:
        """Return the plan for the past alone: its variants are those numbered in `past`, in that order."""
        variants = tuple(self.variants[number] for number in self.past)
        query = " ".join(variant.text for variant in variants)
        return replace(self, query=query, variants=variants, past=(), is_past=True)


def make_plan(
    query: str,
    settings: Settings,
    now: datetime,
    *,
    limits: RecallLimits,
    domain: str | None = None,
    is_enhanced: bool = True,
    message: str = "",
) -> RecallPlan:
    """Return the plan for the message `query`; more injected memories take a wider search.

    Where a model has made the query of a `message`, the message's own sentences are queries as well, and the message
    decides whether the past is asked for.
    """
    expansion, uses_words = settings.query_expansion, is_enhanced and settings.lexical.enabled
    variants = make_variants(query, domain, expansion) if is_enhanced else (Variant(ORIGINAL, query),)
    if uses_words and not expansion.enabled:  # E-16: nothing but the message is asked
        variants = (Variant(ORIGINAL, query, read_sentence(query)),)
    elif uses_words:
        variants = _add_sentences(query, variants, "" if message == query else message)
    past = [sentence for sentence in split_message(message or query) if asks_past(sentence)]
    numbers = tuple(number for number, variant in enumerate(variants) if variant.sentence in past)
    return RecallPlan(
        query=query,
        variants=variants,
        now=now,
        limits=limits,
        per_variant=max(expansion.retrieval_k_per_variant, limits.injected),
        worded=max(settings.lexical.candidates, _WORDED_FACTOR * limits.injected),
        settings=settings,
        domain=domain,
        is_enhanced=is_enhanced,
        uses_words=uses_words,
        past=numbers or (0,) if past else (),
    )


def widen(limits: RecallLimits, count: int) -> RecallLimits:
    """Return limits for up to `count` memories, whatever their area."""
    return replace(limits, searched_memories=count, searched_solutions=count, injected=count, solutions=count)


def make_variants(query: str, domain: str | None, settings: QueryExpansion) -> tuple[Variant, ...]:
    """Return the variants of the message `query` in `domain`, the message itself first.

    A message without keywords has no other variant, and one without a domain no domain variant.
    """
    variants = [Variant(ORIGINAL, query)]
    keywords = " ".join(extract_keywords(query, settings.max_keywords)) if settings.enabled else ""
    if keywords and settings.use_keyword_extraction:
        variants.append(Variant(KEYWORDS, keywords))
    if keywords and domain and settings.use_domain_scoping:
        variants.append(Variant(DOMAIN, f"{domain}: {keywords}"))
    return tuple(variants)


def _add_sentences(query: str, variants: tuple[Variant, ...], message: str) -> tuple[Variant, ...]:
    """Return `variants` and those of the message's sentences; a sentence that is the whole message is the original.

    The query that a model has made of a `message` is a variant as well.
    """
    original, *others = variants
    if message:
        original = original._replace(sentence=read_sentence(query)._replace(asks=True))
    for sentence in split_message(message or query):
        if sentence.text == query.strip():
            original = original._replace(sentence=sentence)
        else:
            others.append(Variant(SENTENCE, sentence.text, sentence))
    return original, *others


@lru_cache(maxsize=256)
def split_message(text: str) -> tuple[MessageSentence, ...]:
    """Return the sentences of a message that speak to the agent, in their order, 16 at most.

    Of more, the asking ones come first, then those near the beginning or the end. The text of several paragraphs
    between a first and a last one that asks does not speak to the agent.
    """
    paragraphs = _PARAGRAPH.split(_FENCE.sub("\n\n", text).strip())
    ends = [sentence for end in dict.fromkeys((paragraphs[0], paragraphs[-1])) for sentence in own_sentences(end)]
    sentences = list(dict.fromkeys(chain(*map(_UNMARKED.split, [*own_sentences(text), *ends]))))
    pasted = _pasted_lines(text)
    is_line = "\n" not in text.strip()
    spoken = [sentence for sentence in sentences if is_line or (sentence not in pasted and _is_prose(sentence))]
    if len(spoken) - len(ends) > _MOST_BETWEEN and any(map(_asks, ends)):
        spoken = [sentence for sentence in spoken if sentence in ends]
    read = [read_sentence(sentence) for sentence in spoken if _SAYS.search(sentence)]
    if len(read) > MOST_SENTENCES:
        last = len(read) - 1
        ranked = sorted(range(len(read)), key=lambda place: (not read[place].asks, min(place, last - place), place))
        read = [read[number] for number in sorted(ranked[:MOST_SENTENCES])]
    return tuple(read)


def read_sentence(text: str) -> MessageSentence:
    """Return a sentence, or a message that is asked as a whole."""
    return MessageSentence(text[:_LONGEST], _asks(text), not _WORDS["own"].isdisjoint(_words(text)))


def asks_past(sentence: MessageSentence) -> bool:
    """Whether a sentence of a message asks for the past; in doubt it does not."""
    if not sentence.asks or _ASKS_PAST["void"].search(sentence.text):
        return False
    return any(finds.search(sentence.text) for name, finds in _ASKS_PAST.items() if name != "void")


def _pasted_lines(text: str) -> frozenset[str]:
    """Return the lines of a message with the same beginning: those of a log, of a listing."""
    lines = [line.strip() for line in text[:LONGEST_TEXT].splitlines()]
    beginnings = [_DIGITS.sub("0", line.partition(" ")[0]) for line in lines]
    counts = Counter(beginnings)
    return frozenset(line for line, begins in zip(lines, beginnings, strict=True) if counts[begins] >= _PASTED)


def _is_prose(sentence: str) -> bool:
    """Whether a sentence is written in words; a single path, name or number is not."""
    if sentence.rstrip().endswith(("?", "？")):
        return True
    letters = len(_LETTER_OR_BLANK.findall(sentence))
    return letters >= _LEAST_LETTERS * len(sentence) and (" " in sentence or letters == len(sentence))


def _asks(sentence: str) -> bool:
    """Whether a sentence asks or orders: by its mark, or by the first word of it or of a clause."""
    if sentence.rstrip(" \"')”*_").endswith(("?", "？", "؟")):
        return True
    clauses = map(_words, _CLAUSE.split(sentence))
    begins = (next((word for word in words if word not in _WORDS["before"] - _WORDS["asks"]), "") for words in clauses)
    return any(word in _WORDS["asks"] for word in begins)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
