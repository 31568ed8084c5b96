"""What the profile of the chat model says about memory: `usr/model_profiles/*.json` (E-04, E-04a, T-13).

A profile is a JSON object; of it only this is read::

    {"model": "qwen/qwen3-14b",
     "memory": {"max_injected": 4, "similarity_threshold": 0.75, "disabled_domains": ["codegen"]},
     "disabled_domains": ["smalltalk"]}

It belongs to a model if its `model`, its `name` or the name of the file (without `.json`) names that model. Two names
are the same if they differ only in case, and in which of `/ \\ : _ -` and blanks stands between their parts, since no
file name can hold all of them: `Qwen3:14B` is `qwen3-14b.json`. The provider, and what else stands before the last `/`
of the host's name, may be left out; the profile with the longer name wins, then `model` before `name` before the file's
name. A model without a profile has `default.json`; without that file nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import Problem, shorten
from ..patterns import regex
from .agent_zero import ChatModel
from .storage.damage import fault_of, parse
from .storage.files import FileStamp, file_stamp
from .storage.problem_log import ProblemLog
from .view import Look

MOST_INJECTED = 100

_ALLOWED = "a JSON object"
_DEFAULT = "default"
_NAME_KEYS = ("model", "name")
_DOMAINS = "disabled_domains"
_BETWEEN_PARTS = regex(r"[/\\:_\s-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLimits:
    """What a profile says; None where it leaves the configured value. The threshold is on the host's scale, 0..1."""

    max_injected: int | None = None
    similarity_threshold: float | None = None
    disabled_domains: frozenset[str] = frozenset()

    def switches_off(self, domain: str | None) -> bool:
        """Whether nothing is injected in a turn about `domain`; a turn about no known domain is no such turn."""
        return domain in self.disabled_domains


@dataclass(frozen=True, slots=True)
class _Profile:
    """One file: the names that it goes by, the strongest first; what it says, and what of that cannot be used."""

    path: Path
    names: tuple[str, ...]
    limits: ProfileLimits
    problems: tuple[Problem, ...]


NO_LIMITS = ProfileLimits()


class ModelProfiles:
    """The profiles in one folder, read anew when a file in it changes; `problems` are told of what cannot be used.

    One look at them serves a whole prompt.
    """

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        self._folder = folder
        self._problems = problems
        self._stamps: tuple[tuple[Path, FileStamp | None], ...] = ()
        self._profiles: list[_Profile] = []
        self._looked: Look | None = None

    def limits(self, model: ChatModel | None, look: Look | None = None) -> ProfileLimits:
        """Return what holds for `model`; a stat call for the folder and for each file in it, none at the same look."""
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
            found = [profile for profile in self._profiles if wanted in profile.names]
            if found:
                return min(found, key=lambda profile: profile.names.index(wanted))  # the first of several, by file name
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
    """Yield what a model may be called, the longest first."""
    parts = [one for one in (model.provider, *model.name.split("/")) if one.strip()]
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


def _read_limits(where: str, value: Mapping[str, Any], problems: list[Problem]) -> ProfileLimits:
    memory = value.get("memory")
    if not isinstance(memory, Mapping):
        if memory is not None:
            problems.append(Problem(where=f"{where}: memory", found=shorten(memory), allowed="an object"))
        memory = {}
    here = f"{where}: memory."
    count, threshold = memory.get("max_injected"), memory.get("similarity_threshold")
    if count is not None and not (_is_number(count) and isinstance(count, int) and 1 <= count <= MOST_INJECTED):
        allowed = f"a whole number in 1..{MOST_INJECTED}"
        problems.append(Problem(where=f"{here}max_injected", found=shorten(count), allowed=allowed))
        count = None
    if threshold is not None and not (_is_number(threshold) and 0 <= threshold <= 1):
        problems.append(Problem(where=f"{here}similarity_threshold", found=shorten(threshold), allowed="0..1"))
        threshold = None
    return ProfileLimits(
        max_injected=count,
        similarity_threshold=None if threshold is None else float(threshold),
        disabled_domains=frozenset(
            (*_read_domains(f"{where}: ", value, problems), *_read_domains(here, memory, problems))
        ),
    )


def _read_domains(where: str, value: Mapping[str, Any], problems: list[Problem]) -> Iterator[str]:
    found = value.get(_DOMAINS)
    if found is not None and not isinstance(found, list):
        problems.append(Problem(where=f"{where}{_DOMAINS}", found=shorten(found), allowed="a list of domains"))
        return
    for number, one in enumerate(found or ()):
        if isinstance(one, str) and one.strip():
            yield one.strip()
        else:
            problems.append(
                Problem(where=f"{where}{_DOMAINS}[{number}]", found=shorten(one), allowed="the name of a domain")
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
