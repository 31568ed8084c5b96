"""Profiles: limits of recall by chat model, and the domains of roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictFloat, StrictInt, StringConstraints, TypeAdapter, ValidationError

from ..errors import Problem, requirement_of, shorten
from ..store.damage import ProblemLog, fault_of, parse
from ..store.files import FileStamp, file_stamp, read_hosts_object
from ..texts import regex
from .agent_zero import ChatModel
from .host_agent import HostAgent

_ALLOWED = "a JSON object"
_DEFAULT = "default"
_NAME_KEYS = ("model", "name")
_DOMAINS = "disabled_domains"
_BETWEEN_PARTS = regex(r"[/\\:_\s-]+")

_OBJECT: TypeAdapter[Any] = TypeAdapter(dict[str, Any] | None)
_COUNT: TypeAdapter[Any] = TypeAdapter(Annotated[StrictInt, Field(ge=1, le=100)] | None)
_SIMILARITY: TypeAdapter[Any] = TypeAdapter(Annotated[StrictFloat, Field(ge=0.0, le=1.0)] | None)
_LIST: TypeAdapter[Any] = TypeAdapter(list[Any] | None)
_DOMAIN: TypeAdapter[Any] = TypeAdapter(Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] | None)


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


class _ProfileFolder:
    """A folder of JSON files, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[Path, FileStamp | None] = {}

    def _changed(self) -> list[Path] | None:
        """Return the files in their order if any of them has changed since the last call; else None."""
        stamps = {path: file_stamp(path) for path in sorted(self._folder.glob("*.json"))}
        if stamps == self._stamps:
            return None
        self._stamps = stamps
        return list(stamps)


class ModelProfiles(_ProfileFolder):
    """The profiles in one folder, read again when a file in it changes; unusable values are reported to `problems`."""

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        super().__init__(folder)
        self._problems = problems
        self._profiles: list[_Profile] = []

    def limits(self, model: ChatModel | None) -> ProfileLimits:
        """Return the limits for `model`."""
        paths = self._changed()
        if paths is not None:
            self._profiles = [profile for profile in map(self._read, paths) if profile is not None]
        profile = self._find(model)
        if profile is None:
            return NO_LIMITS
        self._problems.update(profile.path, profile.problems)
        return profile.limits

    def _find(self, model: ChatModel | None) -> _Profile | None:
        for wanted in _names_of(model) if model is not None else ():
            matching = [profile for profile in self._profiles if wanted in profile.names]
            if matching:  # the first of several, by file name
                return min(matching, key=lambda profile: profile.names.index(wanted))
        return next((profile for profile in self._profiles if profile.names[-1] == _DEFAULT), None)

    def _read(self, path: Path) -> _Profile | None:
        profile, unusable = None, []
        try:
            profile = _read_profile(path)
        except (OSError, ValueError) as exc:
            unusable = [Problem(where=str(path), found=fault_of(exc), allowed=_ALLOWED)]
        self._problems.update((path, _ALLOWED), unusable)
        return profile


def _names_of(model: ChatModel) -> Iterator[str]:
    """Yield the names of a model, the longest first."""
    parts = [part for part in (model.provider, *model.name.split("/")) if part.strip()]
    for begin in range(len(parts)):
        yield _plain("/".join(parts[begin:]))


def _plain(name: str) -> str:
    return _BETWEEN_PARTS.sub("-", name.strip().casefold())


def _read_profile(path: Path) -> _Profile:
    """Return the profile in a file, without the values that cannot be used."""
    value, problems = parse(path.read_bytes()), list[Problem]()
    if not isinstance(value, Mapping):
        raise ValueError(f"a {type(value).__name__}")

    def valid(kind: TypeAdapter[Any], key: str, given: object) -> Any:
        try:
            return kind.validate_python(given)
        except ValidationError as exc:
            allowed = requirement_of(exc.errors(include_url=False)[0])
            problems.append(Problem(where=f"{path}: {key}", found=shorten(given), allowed=allowed))
            return None

    memory = valid(_OBJECT, "memory", value.get("memory")) or {}
    places = ((_DOMAINS, value.get(_DOMAINS)), (f"memory.{_DOMAINS}", memory.get(_DOMAINS)))
    domains = [
        valid(_DOMAIN, f"{place}[{number}]", domain)
        for place, given in places
        for number, domain in enumerate(valid(_LIST, place, given) or ())
    ]
    limits = ProfileLimits(
        max_injected=valid(_COUNT, "memory.max_injected", memory.get("max_injected")),
        similarity_threshold=valid(_SIMILARITY, "memory.similarity_threshold", memory.get("similarity_threshold")),
        disabled_domains=frozenset(filter(None, domains)),
    )
    names = [_plain(name) if isinstance(name := value.get(key), str) else "" for key in _NAME_KEYS]
    return _Profile(path, (*names, _plain(path.stem)), limits, tuple(problems))


_BELIEF_STATE = "__bst_belief_state__"


class RoleBook(_ProfileFolder):
    """The role profiles in one folder, read anew when a file in it changes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._domains: dict[str, frozenset[str]] = {}

    def domains_of(self, role_id: str) -> frozenset[str]:
        """Return the domains that a role handles; none for an unknown role."""
        return self._domains.get(role_id, frozenset())

    def refresh(self) -> None:
        """Read the profiles again if one has changed."""
        paths = self._changed()
        if paths is not None:
            read = ((path, read_hosts_object(path)) for path in paths)
            profiles = [(path, profile) for path, profile in read if profile is not None]
            self._domains = {_role_id(profile) or path.stem: role_domains(profile) for path, profile in profiles}

    def read_role_id(self, agent: HostAgent) -> str | None:
        """Return the id of the active role, or None without an organization."""
        role = getattr(agent, "_org_active_role", None)
        return _role_id(role) if isinstance(role, Mapping) else None

    def read_domain(self, agent: HostAgent) -> str | None:
        """Return the domain of the belief state, or None without a tracker."""
        state = getattr(agent, "_bst_store", None)
        if not isinstance(state, Mapping):
            return None
        belief = state.get(_BELIEF_STATE)
        return _text(belief.get("domain") if isinstance(belief, Mapping) else None) or _text(state.get("domain"))

    def allowed_domains(
        self, agent: HostAgent, profile_domains: Mapping[str, tuple[str, ...]]
    ) -> frozenset[str] | None:
        """Return the domains that an agent may see now; None if nothing restricts them."""
        role = getattr(agent, "_org_active_role", None)
        mapped = profile_domains.get(str(getattr(agent.config, "profile", "") or ""))
        if not isinstance(role, Mapping) and not mapped:
            return None
        self.refresh()
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


def _role_id(profile: Mapping[str, Any]) -> str | None:
    return _text(profile.get("role_id") or profile.get("id"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
