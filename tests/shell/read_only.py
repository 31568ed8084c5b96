"""A folder in which nothing can be written, such as a mount that belongs to somebody else; also for an administrator.

The system lets root write whatever the mode of a file says. That is a privilege of a thread, which it can lay down.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION = 0x20080522  # of the two structures; Linux' third
_OVERRIDE = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    """Take everybody the right to write in a folder and all that is in it."""
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (place, *place.rglob("*"))}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        with _as_anybody():
            yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@contextmanager
def _as_anybody() -> Iterator[None]:
    """Let the modes of files hold for this thread."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may write everywhere, and only Linux can take that from a thread")
    system, header, sets = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert system.capget(header, sets) == 0
    held = sets[0]
    sets[0] = held & ~_OVERRIDE
    assert system.capset(header, sets) == 0
    try:
        yield
    finally:
        sets[0] = held
        assert system.capset(header, sets) == 0
