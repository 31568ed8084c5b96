"""The standing rules of one memory folder: found anew after a change only, without what a person has left out."""

from __future__ import annotations

import numpy as np

from ...inbox import rules_left_out
from ...quality.staleness import has_expired
from ...recall.eligibility import choose_rules, find_rules, fits_role, memory_domains, states_rule
from ...records import Lineage, Memory
from ...setting_groups import StandingRules
from ..docstore.store import Store
from .search import Audience


class RuleBook:
    """Every call blocks: it reads what is new in the store, or in the inbox."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[int, int, list[Memory]] = (-1, 0, [])
        self._plain = np.zeros(0, dtype=np.int64)

    def read(self) -> list[Memory]:
        """Return the standing rules, the newest first."""
        stamp = self._store.version, len(self._store)
        if self._known[:2] != stamp:
            self._known = *stamp, find_rules(self._stating())
        return self._known[2]

    def _stating(self) -> list[Memory]:
        """Return what of the user's word states a rule; of a text that was found to state none, the number is kept."""
        store, found, plain = self._store, [], []
        with store.lock:
            store.refresh_positions()
            columns, ids = store.rows.so_far, store.index.ids
            places = np.flatnonzero(columns.of_user())
            for place in places[~np.isin(columns.text[places], self._plain)].tolist():
                memory = store.read(ids[place])
                if memory is not None and states_rule(memory.text):
                    found.append(memory)
                elif columns.text[place]:
                    plain.append(columns.text[place])
        self._plain = np.union1d(self._plain, np.array(plain, dtype=np.int64))
        return found

    def left_out(self) -> frozenset[str]:
        """Return the memories that a person wants to be no standing rules."""
        return rules_left_out(self._store.requests.look())

    def choose(self, audience: Audience, message: str, limits: StandingRules) -> list[Memory]:
        """Return which of them stand in a prompt that says nothing of them yet, those of another role left out."""
        hidden = self._store.hidden_from(audience.scopes) | self.left_out() | audience.said.ids
        valid = (one for one in self.read() if not has_expired(one, self._store.clock()))
        seen = [one for one in valid if one.id not in hidden and not audience.said.says(one.text)]
        return choose_rules([one for one in seen if _fits(one.lineage, audience)], message, limits)


def _fits(lineage: Lineage | None, audience: Audience) -> bool:
    """Whether a rule is not another role's, however much load it bears."""
    found = () if lineage is None else (lineage.bst_domain, lineage.created_by_role)
    return not found or fits_role(memory_domains(*found, audience.role_domains), audience.allowed)
