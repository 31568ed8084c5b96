"""A browser, and the Alpine that hosts ship: where one of them cannot be had, the tests that need it are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: The version of Agent Zero v1.7 to v2.6.
_ALPINE = "3.14.9"
_NOT_STARTED = "the pages in a browser could not be started"


def find_browser() -> str:
    """Return the command of a browser; skips where there is none, or nothing to drive it."""
    pytest.importorskip("playwright.async_api", reason=f"{_NOT_STARTED}: Playwright is missing")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip(f"{_NOT_STARTED}: no {' or '.join(_BROWSERS)}")
    return found


def find_alpine() -> Path:
    """Return Alpine's script, from a checkout of a host or else from its registry, kept outside the repository."""
    hosts = [Path(one.partition("=")[2]) for one in os.environ.get("MEMORY_LEDGER_HOSTS", "").split(":") if one]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "memory-ledger-tests"
    kept = cache / f"alpine-{_ALPINE}.js"
    for path in (*(host / "webui/vendor/alpine/alpine.min.js" for host in hosts), kept):
        if path.is_file():
            return path
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"{_NOT_STARTED}: no Alpine, and no npm to fetch it")
    cache.mkdir(parents=True, exist_ok=True)
    own = cache / f"fetching-{os.getpid()}"
    own.mkdir(exist_ok=True)
    try:
        subprocess.run(
            [npm, "pack", "--silent", f"alpinejs@{_ALPINE}"], cwd=own, check=True, timeout=60, capture_output=True
        )
        with tarfile.open(next(own.glob("*.tgz"))) as archive:
            script = archive.extractfile("package/dist/cdn.min.js")
            content = script.read() if script else b""
        (own / "alpine.js").write_bytes(content)
        (own / "alpine.js").replace(kept)
    except (OSError, subprocess.SubprocessError, StopIteration, KeyError) as exc:
        pytest.skip(f"{_NOT_STARTED}: Alpine could not be fetched ({type(exc).__name__})")
    finally:
        shutil.rmtree(own, ignore_errors=True)
    return kept
