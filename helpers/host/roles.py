"""Roles and domains of an Organization Kernel and a belief-state tracker, where there are any (C-36, C-52, T-41, T-63).

Both are read and never written (C-67). They are set after this hook point, so on the first iteration of a turn they are
those of the turn before (T-41).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .host_agent import HostAgent
from .storage.files import read_hosts_object
from .view import Look

_BELIEF_STATE = "__bst_belief_state__"


class RoleBook:
    """The role profiles in one folder, read anew when a file in it changes; one look serves a whole prompt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: tuple[tuple[str, int], ...] = ()
        self._domains: dict[str, frozenset[str]] = {}
        self._looked: Look | None = None

    def domains_of(self, role_id: str) -> frozenset[str]:
        """Return the domains that a role handles; none for an unknown role."""
        return self._domains.get(role_id, frozenset())

    def refresh(self, look: Look | None = None) -> None:
        """Read the profiles again if one of them has changed; one stat call for each if not, none at the same look."""
        if look is not None and look == self._looked:
            return
        self._looked = look
        try:
            with os.scandir(self._folder) as entries:
                stamp = tuple(sorted((entry.name, entry.stat().st_mtime_ns) for entry in entries))
        except OSError:
            stamp = ()
        if stamp != self._stamp:
            self._stamp = stamp
            self._domains = dict(_read_profiles(self._folder))

    def read_role_id(self, agent: HostAgent) -> str | None:
        """Return the id of the active role, or None without an organization (C-59)."""
        role = getattr(agent, "_org_active_role", None)
        return _text(role.get("role_id") or role.get("id")) if isinstance(role, Mapping) else None

    def read_domain(self, agent: HostAgent) -> str | None:
        """Return the domain of the belief state, or None without a tracker (T-41)."""
        state = getattr(agent, "_bst_store", None)
        if not isinstance(state, Mapping):
            return None
        belief = state.get(_BELIEF_STATE)
        return _text(belief.get("domain") if isinstance(belief, Mapping) else None) or _text(state.get("domain"))

    def allowed_domains(
        self, agent: HostAgent, profile_domains: Mapping[str, tuple[str, ...]], look: Look | None = None
    ) -> frozenset[str] | None:
        """Return the domains that may be seen now; None where nothing restricts them (C-59, T-63)."""
        role = getattr(agent, "_org_active_role", None)
        mapped = profile_domains.get(str(getattr(agent.config, "profile", "") or ""))
        if not isinstance(role, Mapping) and not mapped:
            return None
        self.refresh(look)
        if isinstance(role, Mapping):
            domains = role_domains(role)
            if not domains:
                role_id = self.read_role_id(agent)
                domains = self.domains_of(role_id) if role_id else frozenset()
            return domains or None
        return frozenset(mapped) if mapped else None


def role_domains(profile: Mapping[str, Any]) -> frozenset[str]:
    """Return the domains in a role profile: `capabilities.bst_domains` or `bst_domains` (T-41)."""
    capabilities = profile.get("capabilities")
    found = capabilities.get("bst_domains") if isinstance(capabilities, Mapping) else None
    domains = found or profile.get("bst_domains") or ()
    return frozenset(str(domain) for domain in domains) if isinstance(domains, list | tuple) else frozenset()


def _read_profiles(folder: Path) -> list[tuple[str, frozenset[str]]]:
    profiles: list[tuple[str, frozenset[str]]] = []
    for path in sorted(folder.glob("*.json")):
        profile = read_hosts_object(path)
        if profile is not None:
            role_id = _text(profile.get("role_id") or profile.get("id")) or path.stem
            profiles.append((role_id, role_domains(profile)))
    return profiles


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
