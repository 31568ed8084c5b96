"""Standing rules: what the user wants always or never, and what of it a prompt has room for. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..language.modality import is_question
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.wordings import read_patterns
from ..marks import without_directives
from ..records import Memory, Relevance, Source, Utility, order_of
from ..setting_groups import StandingRules
from ..texts import estimate_tokens, normalize_text
from .select import mark_outdated
from .text_words import parse_terms

_SAID = read_patterns("standing")
_STRICT, _LENIENT = ([_SAID[name] for name in _SAID if name.startswith(how)] for how in ("strict", "lenient"))


def is_standing_rule(memory: Memory) -> bool:
    """Whether a memory in use is the user's own order of how work is to be done, always or never."""
    axes = memory.classification
    if axes is None or memory.area not in ("main", "fragments") or memory.is_deprecated or memory.is_forgotten:
        return False
    is_active = axes.relevance is Relevance.ACTIVE and axes.utility is not Utility.ARCHIVED
    return is_active and axes.source is Source.USER_ASSERTED and states_rule(memory.text)


@lru_cache(maxsize=65_536)
def states_rule(text: str) -> bool:
    """Whether a sentence of `text` is an order for good: no fact, no wish for once, and nobody else's rule."""
    return any(map(_orders, split_sentences(text[:LONGEST_TEXT])))


def _orders(sentence: str) -> bool:
    begin = before.end() if (before := _SAID["before"].match(sentence)) else 0
    is_lenient = any(one.match(sentence, begin) for one in _LENIENT) and not _SAID["single"].search(sentence, begin)
    is_order = is_lenient or any(one.match(sentence, begin) for one in _STRICT)
    return is_order and not is_question(sentence) and _SAID["void"].search(sentence) is None


def find_rules(memories: Iterable[Memory]) -> list[Memory]:
    """Return the standing rules among `memories`, the newest first, and of one text the oldest."""
    found = sorted(filter(is_standing_rule, memories), key=lambda one: (order_of(one), one.id), reverse=True)
    return list({normalize_text(one.text): one for one in found}.values())


def choose_rules(rules: Sequence[Memory], message: str, limits: StandingRules) -> list[Memory]:
    """Return the `rules` that a prompt has room for, in their order: first what has most words of `message`."""
    words, chosen = frozenset(parse_terms(message[:LONGEST_TEXT])), list[Memory]()
    for one in sorted(rules, key=lambda one: -len(words.intersection(parse_terms(one.text)))):
        if len(chosen) < limits.max_rules and estimate_tokens(render_rules([*chosen, one])) <= limits.max_tokens:
            chosen.append(one)
    return [one for one in rules if one in chosen]


def render_rules(rules: Sequence[Memory]) -> str:
    """Return the block of a prompt, a rule on each line."""
    lines = (without_directives(normalize_text(mark_outdated(one))) for one in rules)
    return "\n- ".join(("# Standing rules of the user", *lines))
