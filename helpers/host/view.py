"""The host's configuration and an agent's profile, remembered between hooks."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from ..errors import Problem, reason_of
from ..settings import Settings, load_settings, without_defaults
from ..store.files import CONFIG_FILE, FileStamp, file_stamp, read_settings_file
from . import agent_zero
from .host_agent import HostAgent

FILES = ("agent.yaml", "agent.json")


def read_memory_block(folder: Path, problems: list[Problem]) -> object | None:
    """Return the block about memory in a profile's folder; None where there is none."""
    for path in (folder / name for name in FILES):
        try:
            profile = yaml.safe_load(path.read_text("utf-8"))  # JSON is YAML
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError, yaml.YAMLError) as exc:
            fault = f"not readable ({reason_of(exc)})"
            problems.append(Problem(where=str(path), found=fault, allowed="an agent profile in YAML"))
            continue
        block: object = profile.get("memory") if isinstance(profile, dict) else None
        if block is not None:
            return block
    return None


_VIEW_KEY = "_memory_ledger_view"

#: Readings of the configuration in the order in which they began; held while a view is remembered.
_numbers = count()
_remembering = threading.Lock()

Stamp = FileStamp | None


@dataclass(frozen=True, slots=True)
class View:
    """The pack's settings, the host's memory settings, the folder and the model of an agent, as read at one moment.

    It holds as long as `key` and the stamps of `files` stay the same; `number` is the place of its reading among all.
    `source` identifies the settings' files; `problems` are settings that could not be applied, `lost` are missing parts
    of the host. The model is read only if there are profiles of models.
    """

    number: int
    key: tuple[str, ...]
    files: Mapping[str, Stamp]
    source: tuple[Stamp, str]
    settings: Settings
    memory_settings: Mapping[str, Any]
    memory_subdir: str
    chat_model: agent_zero.ChatModel | None
    problems: tuple[Problem, ...]
    lost: tuple[Problem, ...]


def current_view(agent: HostAgent) -> View:
    """Return the remembered view of `agent`, or a new one if one of its files has changed; some stat calls."""
    view = agent.data.get(_VIEW_KEY)
    if type(view) is View and view.key == _key(agent) and view.files == _stamps(view.files):
        return view
    return refresh_view(agent)


def refresh_view(agent: HostAgent) -> View:
    """Read the host's configuration, and remember it; settings are validated only when a layer has changed.

    The end of a turn reads it in a worker thread: a reading never takes the place of one that began after it.
    """
    number = next(_numbers)
    path = agent_zero.memories_root() / CONFIG_FILE
    profiles = agent_zero.model_profiles_folder()
    own = agent_zero.profile_folder(agent)
    own_files = () if own is None else tuple(own / name for name in FILES)
    key = _key(agent)
    # Before anything is read, so that a change meanwhile is noticed at the next look.
    stamps = _stamps(map(str, (path, profiles, *agent_zero.settings_files(agent), *own_files)))
    config = agent_zero.pack_config(agent)
    source = (stamps[str(path)], f"{config!r} {tuple(stamps[str(file)] for file in own_files)}")
    old = agent.data.get(_VIEW_KEY)
    if type(old) is View and old.source == source:
        settings, problems = old.settings, old.problems
    else:
        settings, problems = _load(path, config, own)
    view = View(
        number=number,
        key=key,
        files=stamps,
        source=source,
        settings=settings,
        memory_settings=agent_zero.memory_settings(agent),
        memory_subdir=agent_zero.memory_subdir(agent),
        chat_model=agent_zero.chat_model(agent) if stamps[str(profiles)] is not None else None,
        problems=problems,
        lost=tuple(agent_zero.lost_parts()),
    )
    with _remembering:
        present = agent.data.get(_VIEW_KEY)
        if type(present) is not View or present.number < number:
            agent.data[_VIEW_KEY] = view
    return view


def common_settings() -> Settings:
    """Return the settings for all agents, read from the files at every call."""
    return _load(agent_zero.memories_root() / CONFIG_FILE, agent_zero.pack_config(None), None)[0]


def _load(path: Path, config: object, own: Path | None) -> tuple[Settings, tuple[Problem, ...]]:
    """Apply the user's file, then the host's plugin configuration without defaults, then the profile's vault block.

    Without a `config.json` the host answers with the packaged defaults, and its settings dialog saves every key; a
    default there is no decision of the user, so it does not override the user's file.
    """
    problems: list[Problem] = []
    file_values = read_settings_file(path, problems)
    layers: list[tuple[str, object]] = [] if file_values is None else [(CONFIG_FILE, file_values)]
    if isinstance(config, Mapping):
        layers.append(("plugin configuration", without_defaults(config)))
    block = None if own is None else read_memory_block(own, problems)
    if block is not None:
        layers.append((f"memory of {own}", {"vault": block}))
    settings, setting_problems = load_settings(layers)
    return settings, (*problems, *setting_problems)


def _key(agent: HostAgent) -> tuple[str, ...]:
    return (
        agent_zero.project_name(agent),
        agent_zero.profile_name(agent),
        agent_zero.chat_memory_subdir(agent),
        agent_zero.chat_model_choice(agent),
    )


def _stamps(files: Iterable[str]) -> dict[str, Stamp]:
    return {path: file_stamp(path) for path in files}
