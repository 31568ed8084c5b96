"""A folder without a host has one writer at a time; a second one is told who that is (T-17, T-48)."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ...errors import StoreError, refusal_of
from .files import WRITER_FILE, hold_folder, read_object, write_atomically


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder against everybody else until this one ends, however it ends; raises StoreError where it is held.

    The lock is the folder's; the file in it only says whose that is.
    """
    path = folder / WRITER_FILE
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_held = stack.enter_context(hold_folder(folder))
            if is_held:
                write_atomically(path, json.dumps({"process": os.getpid(), "machine": socket.gethostname()}) + "\n")
                stack.callback(path.unlink, missing_ok=True)
        except OSError as exc:
            raise StoreError(refusal_of(exc, folder)) from exc
        if not is_held:
            raise StoreError(
                f"{folder} is open in {_holder(path)}; allowed: one writer at a time: end that one, or wait for it"
            )
        yield


def _holder(path: Path) -> str:
    found = read_object(path) or {}
    process, machine = found.get("process"), found.get("machine")
    if process is None:
        return "another process"
    here = " (this process)" if (process, machine) == (os.getpid(), socket.gethostname()) else ""
    return f"process {process} on {machine}{here}"
