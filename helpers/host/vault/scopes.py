"""Which agents a memory folder belongs to: the profiles beside it, whose names are valid scopes (V-52, V-64)."""

from __future__ import annotations

import os
from pathlib import Path

_PROFILES = "agents"
#: `usr/projects/<name>/.a0proj/memory` is the deepest memory folder below Agent Zero's own.
_MOST_LEVELS = 6


def configured_agents(folder: Path) -> frozenset[str]:
    """Return the profiles in the `agents` folders above a memory folder: Agent Zero's, the user's, a project's."""
    found: set[str] = set()
    for above in list(folder.absolute().parents)[:_MOST_LEVELS]:
        try:
            with os.scandir(above / _PROFILES) as entries:
                found |= {one.name for one in entries if one.is_dir() and one.name[0] not in "._"}
        except OSError:  # most folders have none
            continue
    return frozenset(found)
