"""What an agent's own profile says about the vault: `memory` in `usr/agents/<profile>/agent.yaml` (V-55, V-63).

    memory:
      enabled: true
      scopes: [shared, codex_animus]
      max_items: 20
      similarity_threshold: 0.85

Agent Zero itself reads other keys of that file, in releases before v1.0 of `agent.json`. It has nothing to do with the
profile of a model (T-13).
"""

from __future__ import annotations

from pathlib import Path

from ..errors import Problem, reason_of

FILES = ("agent.yaml", "agent.json")
_KEY = "memory"


def read_memory_block(folder: Path, problems: list[Problem]) -> object | None:
    """Return what a profile's folder says about memory; None where it says nothing."""
    for name in FILES:
        path = folder / name
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as exc:
            problems.append(_problem(path, exc))
            continue
        import yaml

        try:
            profile = yaml.safe_load(text)  # JSON is YAML
        except (yaml.YAMLError, ValueError, RecursionError) as exc:
            problems.append(_problem(path, exc))
            continue
        if isinstance(profile, dict) and profile.get(_KEY) is not None:
            found: object = profile[_KEY]
            return found
    return None


def _problem(path: Path, exc: Exception) -> Problem:
    return Problem(where=str(path), found=f"not readable ({reason_of(exc)})", allowed="an agent profile in YAML")
