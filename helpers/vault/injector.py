"""The vault in a prompt: the snapshot that always stands there, the block of what fits a query (V-08, V-49 ... V-51).

Pure. Every text is on one line and neutralised, so that it can neither open a template's directive nor a heading of the
prompt (T-62).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..marks import neutralize
from ..setting_groups import Vault
from ..texts import estimate_tokens
from .curation import SearchHit
from .record import VaultRecord
from .taxonomy import OWN_SCOPE, SHARED_SCOPE, STORED_TIERS, Tier

_SNAPSHOT_HEAD = "# Vault: what always holds"
_MEMORY_HEAD = "# Vault: what fits the message"
_TITLES = {Tier.CANON: "## Canon", Tier.REGISTER: "## Registers"}


class VaultReader(Protocol):
    """What the blocks need of a vault."""

    settings: Vault

    def list_active(self, scopes: str | Collection[str] | None = None) -> list[VaultRecord]:
        """Return the active records of some scopes."""

    def search(self, query: str, scopes: str | Collection[str] | None = None, *, limit: int) -> list[SearchHit]:
        """Return what answers a query, the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultSnapshot:
    """The always-injected text, and the records that it shows; `trimmed` registers were left out by the cap (V-61)."""

    text: str = ""
    records: tuple[VaultRecord, ...] = ()
    trimmed: tuple[VaultRecord, ...] = ()
    canon_tokens: int = 0
    is_over: bool = False


def parse_scopes(scopes: str | Collection[str]) -> tuple[str, ...]:
    """Return one scope or several as several (V-52a)."""
    return (scopes,) if isinstance(scopes, str) else tuple(scopes)


def scopes_of(configured: Iterable[str], agent_name: str) -> tuple[str, ...]:
    """Return the scopes that an agent sees: `<agent>` is its own name; without one only what is shared (V-52)."""
    named = (agent_name if one == OWN_SCOPE else one for one in configured)
    return tuple(dict.fromkeys(one for one in named if one))


def build_snapshot(records: Iterable[VaultRecord], most_tokens: int) -> VaultSnapshot:
    """Return compact Markdown of all canon and of the registers that have a topic (V-49).

    The cap leaves out registers only, an agent's first, then those that were not written for longest (V-61). What an
    agent has entered as canon takes no room from the registers of a person.
    """
    found = list(records)
    canon = [record for record in found if record.is_canon]
    topics = sorted((one for one in found if one.is_topic), key=lambda one: (one.touched_at, one.id), reverse=True)
    topics.sort(key=lambda topic: topic.is_agents)
    canon_tokens, own_tokens = (
        estimate_tokens(_render(_SNAPSHOT_HEAD, one)) for one in (canon, [one for one in canon if not one.is_agents])
    )
    kept, used = list(topics), 0
    for number, one in enumerate(topics):
        used += estimate_tokens(f"{_line(one)}\n") + (0 if number else estimate_tokens(_TITLES[Tier.REGISTER]))
        if used > most_tokens - (canon_tokens if one.is_agents else own_tokens):
            kept = topics[:number]
            break
    shown = (*canon, *sorted(kept, key=lambda record: (record.topic_id or "", record.scope, record.id)))
    return VaultSnapshot(
        text=_render(_SNAPSHOT_HEAD, shown) if shown else "",
        records=shown,
        trimmed=tuple(topics[len(kept) :]),
        canon_tokens=canon_tokens if canon else 0,
        is_over=bool(canon) and canon_tokens > most_tokens,
    )


def build_snapshot_block(vault: VaultReader, scopes: str | Collection[str]) -> str:
    """Return the text that always stands in the prompt; empty where there is none, or the vault is off (V-50, V-63)."""
    if not vault.settings.enabled:
        return ""
    return build_snapshot(vault.list_active(parse_scopes(scopes)), vault.settings.snapshot_tokens).text


def build_memory_block(
    vault: VaultReader,
    scopes: str | Collection[str],
    query: str | None = None,
    *,
    similarities: Mapping[str, float] = {},
) -> str:
    """Return what fits a query, grouped by tier, canon first; without one what was written last (V-51, V-63)."""
    found = find_fitting(vault, scopes, query, similarities)
    return _render(_MEMORY_HEAD, found) if found else ""


def find_fitting(
    vault: VaultReader, scopes: str | Collection[str], query: str | None, similarities: Mapping[str, float]
) -> list[VaultRecord]:
    """Return at most `max_items` records: those with a cosine in `similarities`, the nearest first, then by words."""
    if not vault.settings.enabled:
        return []
    limit, active = vault.settings.max_items, vault.list_active(parse_scopes(scopes))
    if query is None:
        return sorted(active, key=lambda one: (not one.is_canon, -one.touched_at.timestamp(), one.id))[:limit]
    meant = sorted((one for one in active if one.id in similarities), key=lambda one: -similarities[one.id])
    worded = (one.record for one in vault.search(query, parse_scopes(scopes), limit=limit))
    return list({one.id: one for one in (*meant, *worded)}.values())[:limit]


def _render(head: str, records: Sequence[VaultRecord]) -> str:
    lines = [head]
    for tier in STORED_TIERS:
        of_tier = [_line(record) for record in records if record.tier is tier]
        lines += [_TITLES[tier], *of_tier] if of_tier else []
    return "\n".join(lines)


def _line(record: VaultRecord) -> str:
    name = record.category if record.topic_id is None else f"{record.category}, {record.topic_id}"
    scope = "" if record.scope == SHARED_SCOPE else f", only {record.scope}"
    scope += ", agent" if record.is_agents else ""
    return neutralize(f"- [{_on_one_line(name + scope)}] {_on_one_line(record.text)}")


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
