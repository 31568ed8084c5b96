"""Every command where nothing can be written, and where Ctrl-C is typed (issue 22): said in a line, nothing lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_desk import COMMANDS, Desk, tried
from command_table import TABLE
from driven import STYLES
from interrupting import interrupted
from memory_ledger.store.docstore_file import read_docstore
from read_only import read_only

#: What a message names: where, and what would do.
_REFUSAL = re.compile(r"memory-ledger: (?P<place>\S+?):? .*Permission denied; allowed: .+")


@pytest.mark.parametrize("name", tried())
def test_where_nothing_can_be_written_that_is_said(name: str, desk: Desk) -> None:
    """Issue 22: a mount of another user. What only looks answers; what writes says where it cannot, and why."""
    case = TABLE[name]
    desk.clear(case)
    before, acting = desk.files(), case.acting()
    with read_only(desk.home):
        if not case.writes and name != "demo":  # which makes a folder of its own elsewhere
            desk.check(desk.run(name, case.good, on_terminal=True), 0, on_terminal=True)
        if acting is not None:
            ended = desk.run(name, acting, on_terminal=True)
            desk.check(ended, 1, on_terminal=True)
            found = _REFUSAL.fullmatch(STYLES.sub("", ended.said).splitlines()[-1])
            assert found and not found["place"].endswith(".tmp"), ended
        if acting is not None and any(one.name == "dry_run" for one in COMMANDS[name].params):
            desk.check(desk.run(name, f"{acting} --dry-run", on_terminal=False), 0, on_terminal=False)
    assert desk.files() == before


#: So many moments of each command are tried, the first and others spread over its writing.
_MOMENTS = 3
#: How it ends: in a sentence, which may say how to go on.
_STOPPED = re.compile(r"memory-ledger: .*stopped.*")


@pytest.mark.parametrize("name", [one for one in TABLE if one not in ("completion", "demo")])  # open no file there
def test_ctrl_c_ends_every_command_in_order(name: str, desk: Desk) -> None:
    """Issue 22: exit code 1, one sentence, no half of a file; then the same command does it, and no memory is lost."""
    case = TABLE[name]
    acting = case.acting()
    arguments = case.good if acting is None else acting
    desk.clear(case)
    with interrupted(desk.home) as moments:
        assert desk.run(name, arguments, on_terminal=False).code == 0
    for number, at in enumerate(sorted({len(moments) * part // _MOMENTS for part in range(_MOMENTS)})):
        desk.clear(case)
        before = memories(desk.home)
        with interrupted(desk.home, at):
            ended = desk.run(name, arguments, on_terminal=number % 2 == 0)
        desk.check(ended, 1, on_terminal=number % 2 == 0)
        assert _STOPPED.fullmatch(ended.said.splitlines()[-1]), (moments[at], ended)
        assert torn(desk.files()) == [], moments[at]
        again = desk.run(name, arguments, on_terminal=False)
        assert again.code in (0, 1) and "Traceback" not in again.said, (moments[at], again)
        assert name == "erase" or before - memories(desk.home) == set(), moments[at]


def memories(home: Path) -> set[str]:
    return {one for path in home.rglob("index.pkl") for one in read_docstore(path.parent)[1]}


def torn(files: dict[str, bytes]) -> list[str]:
    """Return the files that were not written to their ends, and what such a writing left."""
    found = [name for name in files if name.endswith(".tmp")]
    for name, content in files.items():
        if name.endswith((".json", ".jsonl")):
            lines = content.splitlines() if name.endswith("l") else [content]
            is_whole = content.endswith(b"\n") or not name.endswith("l") or not content
            try:
                is_whole = is_whole and all(json.loads(one) is not None for one in lines)
            except ValueError:
                is_whole = False
            found += [] if is_whole else [name]
    return found
