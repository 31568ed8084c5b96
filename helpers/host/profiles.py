"""Profiles: limits of recall by chat model, and the domains of roles."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import Problem, shorten
from ..store.damage import ProblemLog, fault_of, parse
from ..store.files import FileStamp, file_stamp, read_hosts_object
from ..texts import regex
from .agent_zero import ChatModel
from .host_agent import HostAgent
from .view import Look

MOST_INJECTED = 100

_ALLOWED = "a JSON object"
_DEFAULT = "default"
_NAME_KEYS = ("model", "name")
_DOMAINS = "disabled_domains"
_BETWEEN_PARTS = regex(r"[/\\:_\s-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLimits:
    """The limits in a profile; None keeps the configured value. The threshold is on the host's scale, 0..1."""

    max_injected: int | None = None
    similarity_threshold: float | None = None
    disabled_domains: frozenset[str] = frozenset()

    def switches_off(self, domain: str | None) -> bool:
        """Whether nothing is injected in a turn about `domain`; never for an unknown domain."""
        return domain in self.disabled_domains


@dataclass(frozen=True, slots=True)
class _Profile:
    """One profile: the names of its models, the strongest first, its limits, and the problems in its file."""

    path: Path
    names: tuple[str, ...]
    limits: ProfileLimits
    problems: tuple[Problem, ...]


NO_LIMITS = ProfileLimits()


class ModelProfiles:
    """The profiles in one folder, read again when a file in it changes; unusable values are reported to `problems`.

    One look serves a whole prompt.
    """

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        self._folder = folder
        self._problems = problems
        self._stamps: tuple[tuple[Path, FileStamp | None], ...] = ()
        self._profiles: list[_Profile] = []
        self._looked: Look | None = None

    def limits(self, model: ChatModel | None, look: Look | None = None) -> ProfileLimits:
        """Return the limits for `model`; one stat call for the folder and for each file, none at the same look."""
        if look is None or look != self._looked:
            self._looked = look
            self._refresh()
        profile = self._find(model)
        if profile is None:
            return NO_LIMITS
        self._problems.update(profile.path, profile.problems)
        return profile.limits

    def _find(self, model: ChatModel | None) -> _Profile | None:
        for wanted in _names_of(model) if model is not None else ():
            matching = [profile for profile in self._profiles if wanted in profile.names]
            if matching:
                return min(
                    matching, key=lambda profile: profile.names.index(wanted)
                )  # the first of several, by file name
        return next((profile for profile in self._profiles if profile.names[-1] == _DEFAULT), None)

    def _refresh(self) -> None:
        stamps = tuple((path, file_stamp(path)) for path in sorted(self._folder.glob("*.json")))
        if stamps == self._stamps:
            return
        self._stamps = stamps
        self._profiles = []
        for path, _ in stamps:
            unusable = []
            try:
                self._profiles.append(_read_profile(path))
            except (OSError, ValueError) as exc:
                unusable = [Problem(where=str(path), found=fault_of(exc), allowed=_ALLOWED)]
            self._problems.update((path, _ALLOWED), unusable)


def _names_of(model: ChatModel) -> Iterator[str]:
    """Yield the names of a model, the longest first."""
    parts = [part for part in (model.provider, *model.name.split("/")) if part.strip()]
    for begin in range(len(parts)):
        yield _plain("/".join(parts[begin:]))


def _plain(name: str) -> str:
    return _BETWEEN_PARTS.sub("-", name.strip().casefold())


def _read_profile(path: Path) -> _Profile:
    value = parse(path.read_bytes())
    if not isinstance(value, Mapping):
        raise ValueError(f"a {type(value).__name__}")
    names = [value.get(key) for key in _NAME_KEYS]
    plain = [_plain(name) if isinstance(name, str) else "" for name in names]
    problems: list[Problem] = []
    limits = _read_limits(str(path), value, problems)
    return _Profile(path, (*plain, _plain(path.stem)), limits, tuple(problems))


def _read_limits(place: str, value: Mapping[str, Any], problems: list[Problem]) -> ProfileLimits:
    memory = value.get("memory")
    if not isinstance(memory, Mapping):
        if memory is not None:
            problems.append(Problem(where=f"{place}: memory", found=shorten(memory), allowed="an object"))
        memory = {}
    prefix = f"{place}: memory."
    count, threshold = memory.get("max_injected"), memory.get("similarity_threshold")
    if count is not None and not (_is_number(count) and isinstance(count, int) and 1 <= count <= MOST_INJECTED):
        allowed = f"a whole number in 1..{MOST_INJECTED}"
        problems.append(Problem(where=f"{prefix}max_injected", found=shorten(count), allowed=allowed))
        count = None
    if threshold is not None and not (_is_number(threshold) and 0 <= threshold <= 1):
        problems.append(Problem(where=f"{prefix}similarity_threshold", found=shorten(threshold), allowed="0..1"))
        threshold = None
    return ProfileLimits(
        max_injected=count,
        similarity_threshold=None if threshold is None else float(threshold),
        disabled_domains=frozenset(
            (*_read_domains(f"{place}: ", value, problems), *_read_domains(prefix, memory, problems))
        ),
    )


def _read_domains(place: str, value: Mapping[str, Any], problems: list[Problem]) -> Iterator[str]:
    domains = value.get(_DOMAINS)
    if domains is not None and not isinstance(domains, list):
        problems.append(Problem(where=f"{place}{_DOMAINS}", found=shorten(domains), allowed="a list of domains"))
        return
    for number, domain in enumerate(domains or ()):
        if isinstance(domain, str) and domain.strip():
            yield domain.strip()
        else:
            problems.append(
                Problem(where=f"{place}{_DOMAINS}[{number}]", found=shorten(domain), allowed="the name of a domain")
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
        """Read the profiles again if one has changed; one stat call for each, none at the same look."""
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
        """Return the id of the active role, or None without an organization."""
        role = getattr(agent, "_org_active_role", None)
        return _text(role.get("role_id") or role.get("id")) if isinstance(role, Mapping) else None

    def read_domain(self, agent: HostAgent) -> str | None:
        """Return the domain of the belief state, or None without a tracker."""
        state = getattr(agent, "_bst_store", None)
        if not isinstance(state, Mapping):
            return None
        belief = state.get(_BELIEF_STATE)
        return _text(belief.get("domain") if isinstance(belief, Mapping) else None) or _text(state.get("domain"))

    def allowed_domains(
        self, agent: HostAgent, profile_domains: Mapping[str, tuple[str, ...]], look: Look | None = None
    ) -> frozenset[str] | None:
        """Return the domains that an agent may see now; None if nothing restricts them."""
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
    """Return the domains in a role profile: `capabilities.bst_domains` or `bst_domains`."""
    capabilities = profile.get("capabilities")
    own_domains = capabilities.get("bst_domains") if isinstance(capabilities, Mapping) else None
    domains = own_domains or profile.get("bst_domains") or ()
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
