"""Fetch what the tests of the pages need from npm, into a cache outside the repository: none of it is committed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "memory-ledger-tests"


class Script(NamedTuple):
    """A file of a package of npm."""

    package: str
    version: str
    file: str

    @property
    def kept(self) -> Path:
        """Where it lies once it has been fetched."""
        return _CACHE / f"{self.package}-{self.version}.js"


#: The one that Agent Zero v1.7 to v2.6 ship.
ALPINE = Script("alpinejs", "3.14.9", "package/dist/cdn.min.js")
#: Checks a page for what keeps people from using it.
AXE = Script("axe-core", "4.14.1", "package/axe.min.js")


def main() -> None:
    """Fetch what is not there yet; say so where that cannot be."""
    npm = shutil.which("npm")
    for script in (ALPINE, AXE) if npm is not None else ():
        if not script.kept.is_file():
            _fetch(str(npm), script)


def _fetch(npm: str, script: Script) -> None:
    _CACHE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_CACHE) as folder:
        try:
            command = [npm, "pack", "--silent", f"{script.package}@{script.version}"]
            subprocess.run(command, cwd=folder, check=True, timeout=60, capture_output=True)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                archive.extract(script.file, folder, filter="data")
            (Path(folder) / script.file).replace(script.kept)
        except (OSError, subprocess.SubprocessError, StopIteration, KeyError) as exc:
            sys.stderr.write(f"{script.package} could not be fetched ({exc}); the tests that need it are left out\n")


if __name__ == "__main__":
    main()
