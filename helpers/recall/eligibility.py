"""The memories that take part in a recall, as the past, or as a standing rule; decided before any search. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from ..language.modality import is_question
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.vocabulary import read_patterns
from ..ledger.copies import COPY_RULE, DUPLICATE_RULES, ECHO_RULE
from ..records import Memory, Relevance, Source, Utility, order_of
from ..setting_groups import StandingRules
from ..texts import estimate_tokens, normalize_text, without_directives
from .lexical import parse_terms
from .selection import mark_outdated

# Returns the domains of a role by its id; empty for an unknown role.
RoleDomains = Callable[[str], frozenset[str]]

_WORDINGS = read_patterns("standing")
_STRICT, _LENIENT = ([_WORDINGS[key] for key in _WORDINGS if key.startswith(form)] for form in ("strict", "lenient"))

#: The rules that retire a memory for another one that says the same.
_SAME_AGAIN = DUPLICATE_RULES | {COPY_RULE, ECHO_RULE}


def memory_domains(domain: str | None, role_id: str | None, role_domains: RoleDomains) -> frozenset[str]:
    """Return the domains of a memory: that of its turn, and those of the role that wrote it."""
    return frozenset({domain} if domain else ()) | (role_domains(role_id) if role_id else frozenset())


def fits_role(domains: frozenset[str], allowed: Collection[str] | None) -> bool:
    """Whether a memory of `domains` may be seen by a role that handles `allowed`.

    `allowed` is None where no role is active; a memory without a domain fits every role.
    """
    return allowed is None or not domains or not domains.isdisjoint(allowed)


def suppression(memory: Memory, allowed: Collection[str] | None, role_domains: RoleDomains) -> str | None:
    """Return why `memory` stays out of recall under the present role; None if it may take part.

    Its effective relevance is `dormant` then, which is not stored.
    """
    return "deprecated" if memory.is_deprecated else hiding(memory, allowed, role_domains)


def hiding(memory: Memory, allowed: Collection[str] | None, role_domains: RoleDomains) -> str | None:
    """Return why the present role does not see `memory`, whether or not it still holds; None if it does."""
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None:
        return None
    if axes.relevance is Relevance.DORMANT:
        return "put to sleep"
    if axes.utility is Utility.LOAD_BEARING:
        return None
    domains = memory_domains(lineage.bst_domain, lineage.created_by_role, role_domains)
    return None if fits_role(domains, allowed) else "another role's domain"


def was_replaced(memory: Memory) -> bool:
    """Whether a newer fact replaced a memory: it was not withdrawn, and does not say the same as another memory."""
    lineage = memory.lineage
    if lineage is None or lineage.superseded_by is None or memory.is_solution:
        return False
    return memory.is_deprecated and lineage.deprecated_reason not in _SAME_AGAIN


def held_when(memory: Memory, winner: Memory | None) -> str | None:
    """Return in words the time in which a replaced memory held; None for any other memory."""
    retired_at = memory.lineage.deprecated_at if memory.lineage is not None else None
    since, until = order_of(memory), order_of(winner) if winner is not None else retired_at
    if until is None or until < since or not was_replaced(memory):
        return None
    is_one_day = since.date() == until.date()
    return f"{since:%Y-%m-%d %H:%M} to {until:%H:%M}" if is_one_day else f"{since:%Y-%m-%d} to {until:%Y-%m-%d}"


def is_standing_rule(memory: Memory) -> bool:
    """Whether a memory in use is the user's own order of how work is to be done, always or never."""
    axes = memory.classification
    if axes is None or memory.area not in ("main", "fragments") or memory.is_deprecated or memory.is_forgotten:
        return False
    is_active = axes.relevance is Relevance.ACTIVE and axes.utility is not Utility.ARCHIVED
    return is_active and axes.source is Source.USER_ASSERTED and states_rule(memory.text)


@lru_cache(maxsize=1 << 20)  # a store is read in its order: one text more than fits, and none is found
def states_rule(text: str) -> bool:
    """Whether a sentence of `text` is a lasting order: no fact, no wish for once, and nobody else's rule."""
    return any(map(_orders, split_sentences(text[:LONGEST_TEXT])))


def _orders(sentence: str) -> bool:
    begin = before.end() if (before := _WORDINGS["before"].match(sentence)) else 0
    is_single = _WORDINGS["single"].search(sentence, begin) is not None
    is_lenient = not is_single and any(pattern.match(sentence, begin) for pattern in _LENIENT)
    is_order = is_lenient or any(pattern.match(sentence, begin) for pattern in _STRICT)
    return is_order and not is_question(sentence) and _WORDINGS["void"].search(sentence) is None


def find_rules(memories: Iterable[Memory]) -> list[Memory]:
    """Return the standing rules among `memories`, the newest first; of equal texts the oldest."""
    rules = sorted(filter(is_standing_rule, memories), key=lambda memory: (order_of(memory), memory.id), reverse=True)
    return list({normalize_text(rule.text): rule for rule in rules}.values())


def choose_rules(rules: Sequence[Memory], message: str, limits: StandingRules) -> list[Memory]:
    """Return the `rules` that a prompt has room for, in their order: those with most words of `message`."""
    words, chosen = frozenset(parse_terms(message[:LONGEST_TEXT])), list[Memory]()
    for memory in sorted(rules, key=lambda rule: -len(words.intersection(parse_terms(rule.text)))):
        if len(chosen) < limits.max_rules and estimate_tokens(render_rules([*chosen, memory])) <= limits.max_tokens:
            chosen.append(memory)
    return [rule for rule in rules if rule in chosen]


def render_rules(rules: Sequence[Memory]) -> str:
    """Return the block of a prompt, a rule on each line."""
    lines = (without_directives(normalize_text(mark_outdated(rule))) for rule in rules)
    return "\n- ".join(("# Standing rules of the user", *lines))
