"""What one recall asks and how much it may bring, decided before anything is searched (T-02, T-04, T-53). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..settings import Settings
from .evidence import HOSTS_THRESHOLD
from .message import MessageSentence, read_sentence, split_message
from .past import asks_past
from .variants import ORIGINAL, Variant, make_variants, place_sentences

#: The words of a message bring so many candidates for each memory that is wanted: they are scored in one go anyway.
_WORDED_FACTOR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLimits:
    """How much one recall looks at and lets through; the defaults are the host's own (contract, section 7).

    `threshold` is on the host's scale, (1 + cosine) / 2, in 0..1. `injected` is the total over memories and solutions,
    `solutions` how many of them may be solutions (T-53). What is searched by area counts for the classification's own
    ranking alone; the enhancement looks for so many by each variant of the query.
    """

    threshold: float = HOSTS_THRESHOLD
    searched_memories: int = 12
    searched_solutions: int = 8
    injected: int = 8
    solutions: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPlan:
    """One recall: `per_variant` memories are looked for by each of `variants`, `worded` by the words of the message.

    `sentences` are those of the message, by the number of the variant that asks for each; the variants numbered in
    `past` ask for what was so before. `is_past`: what no longer holds is looked for as well.

    Not `is_enhanced`: the classification's own ranking, without the stages of the enhancement (C-94). Not
    `uses_meaning`: nothing is known of what is near, and the words alone decide.
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
    uses_meaning: bool = True
    sentences: Mapping[int, MessageSentence] = field(default_factory=dict)
    past: tuple[int, ...] = ()
    is_past: bool = False

    @property
    def uses_words(self) -> bool:
        """Whether the search by words takes part."""
        return self.is_enhanced and self.settings.lexical.enabled

    def of_past(self) -> RecallPlan:
        """Return the plan that asks for the past alone: its variants are those numbered in `past`, in that order."""
        variants = tuple(self.variants[one] for one in self.past)
        sentences = {at: self.sentences[one] for at, one in enumerate(self.past) if one in self.sentences}
        query = " ".join(one.text for one in variants)
        return replace(self, query=query, variants=variants, sentences=sentences, past=(), is_past=True)

    def without_words(self) -> RecallPlan:
        """Return the same plan with the search by words switched off."""
        lexical = self.settings.lexical.model_copy(update={"enabled": False})
        return replace(self, settings=self.settings.model_copy(update={"lexical": lexical}))


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
    """Return the plan for the message `query`; more that may be injected is looked for more widely.

    Where a model has made the query of a `message`, the message's own sentences are asked as well, and it is that which
    asks for the past, or does not.
    """
    expansion = settings.query_expansion
    variants = make_variants(query, domain, expansion) if is_enhanced else (Variant(ORIGINAL, query),)
    sentences: Mapping[int, MessageSentence] = {}
    if is_enhanced and settings.lexical.enabled:
        sentences = {0: read_sentence(query)}  # E-16: nothing but the message is asked
        if expansion.enabled:
            variants, sentences = place_sentences(query, variants, "" if message == query else message)
    past = [one for one in split_message(message or query) if asks_past(one)]
    numbers = tuple(number for number, one in sentences.items() if one in past)
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
        sentences=sentences,
        past=numbers or (0,) if past else (),
    )


def widen(limits: RecallLimits, count: int) -> RecallLimits:
    """Return limits under which up to `count` memories are brought, whatever their area."""
    return replace(limits, searched_memories=count, searched_solutions=count, injected=count, solutions=count)
