"""Who may take part in a recall, decided before the search (C-50, C-54 ... C-56, C-59, C-95, C-99). Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..records import Memory, Relevance, Utility

# Where a role's domains can be looked up by its id; an unknown role has none.
RoleDomains = Callable[[str], frozenset[str]]


def memory_domains(domain: str | None, role_id: str | None, role_domains: RoleDomains) -> frozenset[str]:
    """Return the domains that a memory belongs to: that of the turn and those of the role that wrote it (C-56)."""
    return frozenset({domain} if domain else ()) | (role_domains(role_id) if role_id else frozenset())


def fits_role(domains: frozenset[str], allowed: Collection[str] | None) -> bool:
    """Whether a memory of `domains` may be seen by a role that handles `allowed`.

    `allowed` is None where no role is active; a memory without a domain fits every role (C-59, C-99).
    """
    return allowed is None or not domains or not domains.isdisjoint(allowed)


def suppression(memory: Memory, allowed: Collection[str] | None, role_domains: RoleDomains) -> str | None:
    """Return why `memory` stays out of recall under the present role, or None if it may take part.

    With a reason its effective relevance is `dormant`, which nobody stores (C-18, C-95, T-12).
    """
    return "deprecated" if memory.is_deprecated else hiding(memory, allowed, role_domains)


def hiding(memory: Memory, allowed: Collection[str] | None, role_domains: RoleDomains) -> str | None:
    """Return why the present role does not see `memory`, whether or not it still holds; None where it does."""
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None:
        return None
    if axes.relevance is Relevance.DORMANT:
        return "put to sleep"
    if axes.utility is Utility.LOAD_BEARING:
        return None
    domains = memory_domains(lineage.bst_domain, lineage.created_by_role, role_domains)
    return None if fits_role(domains, allowed) else "another role's domain"
