"""Which memories an agent does not see: the records of the vault that are another agent's (V-52, V-62)."""

from __future__ import annotations

from collections.abc import Collection

from .store import Store


def hidden_from(store: Store, scopes: Collection[str] | None) -> frozenset[str]:
    """Return the vault's records that are of none of these scopes; None stands for all of them."""
    if scopes is None:
        return frozenset()
    return frozenset(one for one, scope in store.mirrored.items() if scope not in scopes)
