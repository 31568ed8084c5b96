"""`doctor`: whether an installation and a memory folder are as they should be, and which command mends what is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..clock import system_clock
from ..store.docstore_file import is_of_host
from ..texts import counted
from .declaring import DONE, PROBLEMS, Options, declare, tell
from .lines import read_folder_settings
from .options import LISTING
from .output import Row, is_for_person, say, show_rows

_LEVELS = {"ok": "fine", "warn": "look", "fail": "WRONG"}


def _run_doctor(options: Options) -> int:
    from ..host.checks import FAIL, WARN, check_folder

    folder: Path = options.folder
    found = [*check_folder(folder, read_folder_settings(folder, options.config), system_clock)]
    rows: list[Row] = [{"about": "folder", **one._asdict()} for one in found]
    if is_of_host(folder):
        rows += _installation(folder)
    if is_for_person(options):
        _tell_all(rows)
    else:
        show_rows(options, rows, ())
    wrong, odd = (sum(row["level"] == level for row in rows) for level in (FAIL, WARN))
    worth_a_look = f"; {counted(odd, 'thing is', 'things are')} worth a look" if odd else ""
    tell(f"{folder}: {counted(wrong, 'thing is', 'things are') if wrong else 'nothing is'} wrong{worth_a_look}")
    return PROBLEMS if wrong else DONE


def _installation(folder: Path) -> Iterator[Row]:
    """Yield what the installer says of the Agent Zero that the folder belongs to, where both are there."""
    from ..host.installation import load_installer

    installer = load_installer()
    if installer is None:
        tell("the installation is not looked at: `python3 install.py doctor` in the plugin's folder does it")
        return
    for root in folder.absolute().parents:
        try:
            findings = installer.diagnose(installer.find_host(root))
        except installer.InstallError:
            continue
        yield from (
            {"about": "installation", "level": one.level, "text": one.text, "command": None} for one in findings
        )
        return
    tell(f"no Agent Zero is above {folder}: no installation is looked at")


def _tell_all(rows: Iterable[Row]) -> None:
    for row in rows:
        say(f"{_LEVELS[row['level']]:<6} {row['text']}", hang=7)
        if row["command"]:
            print(f"{'':6} {row['command']}")  # as it is typed, however long


COMMANDS = (declare("doctor", _run_doctor, *LISTING, examples=("memory-ledger doctor",), only_looks=True),)
