"""What Agent Zero runs when somebody presses Execute on the card of Memory Ledger: it is looked over, or mended.

    python3 execute.py [--repair]

First what `install.py doctor` says, then for each memory folder what `memory-ledger repair --dry-run` does; nothing is
changed. Where an index can be repaired, pressing Execute once more within ten minutes, or `--repair`, orders that.
Agent Zero gives no argument, shows what is printed at the end, and stops waiting after two minutes.
"""

import importlib
import io
import json
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

WELL, PROBLEMS, MISUSE, REPAIRABLE = 0, 1, 2, 3
MOST_SECONDS = 90
ASKED_WITHIN_SECONDS = 600
_HERE = Path(__file__).absolute().parent
#: What Agent Zero notes after each run.
_LAST_RUN = _HERE / "execute_record.json"


def main(argv=None):
    """Look Memory Ledger over; 0 all is well, 1 problems found, 2 misuse, 3 something can be repaired if asked for."""
    options = sys.argv[1:] if argv is None else argv
    if options not in ([], ["--repair"]):
        _say(__doc__)
        return MISUSE
    began = time.monotonic()
    is_asked = bool(options) or _is_pressed_again()
    root = _HERE.parents[2]
    _say(f"Memory Ledger in {root}: possible problems")
    installer = importlib.import_module("install").load_installer()
    has_problems = installer.run(["doctor", str(root)], source=_HERE, say=_say) != WELL
    try:
        host = installer.find_host(root)
        folders = [str(host.path(place)) for place in host.memory_folders()]
    except installer.InstallError:  # which the doctor has said
        return PROBLEMS
    offered = []
    for number, folder in enumerate(folders, start=1):
        _say(f"\nIndex {number} of {len(folders)}: {folder}")
        if time.monotonic() - began > MOST_SECONDS:
            command = f"memory-ledger repair --folder {folder} --dry-run"
            _say(f"      not looked at: there is no time left; `{command}` does it")
            has_problems = True
            continue
        status, lacking = _repair(folder, "--dry-run")
        is_open = lacking and not _load_ours("backup").is_repair_ordered(Path(folder))
        if is_open and is_asked:
            status = _repair(folder)[0]
        elif is_open:
            offered.append(folder)
        has_problems |= status != WELL
    return _conclude(has_problems, offered)


def _conclude(has_problems, offered):
    if offered:
        _say("\nTo have that repaired, press Execute once more within ten minutes. No text is changed or removed.")
        return REPAIRABLE
    _say("\nDone: problems were found, named above." if has_problems else "\nDone: all is well.")
    return PROBLEMS if has_problems else WELL


def _repair(folder, *options):
    """Run `memory-ledger repair` for a folder, and say its words; return its status and how many places disagree."""
    rows, words = io.StringIO(), io.StringIO()
    with redirect_stdout(rows), redirect_stderr(words):
        status = _load_ours().main(["repair", "--folder", folder, *options])
    for line in words.getvalue().splitlines():
        _say(f"      {line}")
    return status, len(rows.getvalue().splitlines())


def _is_pressed_again():
    """Whether the run before this one has offered a repair, not long ago."""
    try:
        last = json.loads(_LAST_RUN.read_text(encoding="utf-8"))
        is_recent = time.time() - _LAST_RUN.stat().st_mtime < ASKED_WITHIN_SECONDS
    except (OSError, ValueError):
        return False
    return is_recent and isinstance(last, dict) and last.get("exit_code") == REPAIRABLE


def _load_ours(*names):
    """Return a module of the command; to a script in the pack's own folder, `helpers` is the pack's."""
    return importlib.import_module(".".join(("helpers", "cli", *names)))


def _say(line):
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
