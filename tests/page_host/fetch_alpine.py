"""Fetch the Alpine that hosts ship, for the tests of the pages: with npm, into a cache outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

#: The version of Agent Zero v1.7 to v2.6.
_VERSION = "3.14.9"
_CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "memory-ledger-tests"
#: Where it lies once it has been fetched.
KEPT = _CACHE / f"alpine-{_VERSION}.js"


def main() -> None:
    """Fetch it, unless it is there; say so where that cannot be."""
    npm = shutil.which("npm")
    if KEPT.is_file() or npm is None:
        return
    _CACHE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_CACHE) as folder:
        try:
            command = [npm, "pack", "--silent", f"alpinejs@{_VERSION}"]
            subprocess.run(command, cwd=folder, check=True, timeout=60, capture_output=True)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                archive.extract("package/dist/cdn.min.js", folder, filter="data")
            (Path(folder) / "package/dist/cdn.min.js").replace(KEPT)
        except (OSError, subprocess.SubprocessError, StopIteration, KeyError) as exc:
            sys.stderr.write(f"Alpine could not be fetched ({exc}); the tests of the pages are left out\n")


if __name__ == "__main__":
    main()
