"""A browser, the Alpine that hosts ship, and what checks a page.

Where one of them cannot be had, the tests that need it are skipped.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from .fetch_scripts import ALPINE, AXE

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_NOT_STARTED = "the pages in a browser could not be started"


def find_browser() -> str:
    """Return the command of a browser; skips where there is none, or nothing to drive it."""
    pytest.importorskip("playwright.async_api", reason=f"{_NOT_STARTED}: Playwright is missing")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip(f"{_NOT_STARTED}: no {' or '.join(_BROWSERS)}")
    return found


def find_alpine() -> Path:
    """Return Alpine's script, from a checkout of a host or where `fetch_scripts` has put it; skips where it is not."""
    hosts = [Path(one.partition("=")[2]) for one in os.environ.get("MEMORY_LEDGER_HOSTS", "").split(":") if one]
    for path in (*(host / "webui/vendor/alpine/alpine.min.js" for host in hosts), ALPINE.kept):
        if path.is_file():
            return path
    pytest.skip(f"{_NOT_STARTED}: no Alpine; `make test` fetches it where npm is")


def read_axe() -> str:
    """Return the script that checks a page for barriers; skips where it is not."""
    if not AXE.kept.is_file():
        pytest.skip("the pages were not checked for barriers: no axe-core; `make test` fetches it where npm is")
    return AXE.kept.read_text("utf-8")
