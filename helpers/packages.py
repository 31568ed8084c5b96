"""How to install what is missing: for the Python that misses it, which needs no name of a plugin or of a folder."""

from __future__ import annotations

import shlex
import sys


def install_command(*names: str) -> str:
    """Return what to type so that this Python has the packages of PyPI with these names."""
    return shlex.join([sys.executable, "-m", "pip", "install", *names])
