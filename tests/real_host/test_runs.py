"""The helper that plays the scripts: what it reads from the environment and from a driver's report."""

from __future__ import annotations

import importlib
import json
import os
import re
from pathlib import Path

import long_chat
import pytest
from real_host_runs import (
    DRIVER,
    HOSTS,
    PYTHON,
    SCRIPTS,
    MisconfiguredError,
    Run,
    Shown,
    Stored,
    Turn,
    read_hosts,
    read_release,
    read_shown,
)


def test_hosts_are_read_from_the_environment(tmp_path: Path) -> None:
    """An entry with a tag is for this tag, the one without for all others."""
    for name in ("a", "b", "driver.py", "other.py", "python"):
        (tmp_path / name).touch()
    old, new = read_hosts(
        {
            HOSTS: f"v0.9.7={tmp_path / 'a'}{os.pathsep}v2.4={tmp_path / 'b'}",
            DRIVER: f"{tmp_path / 'driver.py'}{os.pathsep}v0.9.7={tmp_path / 'other.py'}",
            PYTHON: str(tmp_path / "python"),
        }
    )
    assert (old.tag, old.checkout.name, old.driver.name, old.python.name) == ("v0.9.7", "a", "other.py", "python")
    assert (new.tag, new.checkout.name, new.driver.name, new.python.name) == ("v2.4", "b", "driver.py", "python")


def test_no_hosts_are_no_error() -> None:
    """An empty environment names nothing to play on."""
    assert read_hosts({}) == []


@pytest.mark.parametrize("environment", [{HOSTS: "v1.7=/nowhere"}, {HOSTS: "/a/folder/without/a/tag"}])
def test_a_wrong_environment_is_an_error(environment: dict[str, str]) -> None:
    """What was asked for and cannot be played on is not skipped in silence."""
    with pytest.raises(MisconfiguredError, match=HOSTS):
        read_hosts(environment)


def test_releases_are_compared_as_numbers() -> None:
    """v1.14 is later than v1.7, and v0.9.8.2 later than v0.9.8."""
    releases = [read_release(tag) for tag in ("v0.9.7", "v0.9.8", "v0.9.8.2", "v1.7", "v1.14", "v2.4")]
    assert releases == sorted(releases)


def test_a_disturbed_run_is_not_sound() -> None:
    """An exception in the host, a hook that did not run and shared metadata each fail the run."""
    hooks = [{"ext": f"x/{name}.py"} for name in ("_55_memory_relevance_filter", "_55_memory_classifier")]
    turn = {"kind": "chat", "name": "a", "ok": True, "response": "b", "extensions": hooks}
    data = {"exit_code": 0, "note": "", "host_exceptions": [], "pack_hook": [{"rc": 0}], "turns": [turn]}
    Run(data, has_pack=True).assert_sound()
    for broken in (
        {"host_exceptions": [{"where": "x"}]},
        {"turns": [{**turn, "extensions": hooks[:1]}]},
        {"turns": [{**turn, "extensions": [*hooks, {"ext": "y", "error": "z"}]}]},
        {"turns": [{**turn, "shared_meta": [["a", "b", "lineage"]], "docs_added": ["c"]}]},
        {"turns": [{**turn, "response": None}]},
        {"turns": [{**turn, "log_problems": [{"heading": "Memory Ledger: recall failed"}]}]},
    ):
        with pytest.raises(AssertionError):
            Run(data | broken, has_pack=True).assert_sound()


@pytest.mark.parametrize(
    ("errors", "is_met"),
    [
        ([], False),
        (["FileNotFoundError: [Errno 2] No such file or directory: '/a/.ledger_turns.json.1.tmp'\n"], True),
        (["FileNotFoundError: [Errno 2] No such file or directory: '/a/index.pkl'"], False),
        (["FileNotFoundError: '/a/.x.1.tmp'", "KeyError: 'x'"], False),
    ],
)
def test_only_a_file_on_the_move_excuses_a_run(errors: list[str], is_met: bool) -> None:
    """A run is played again for nothing else."""
    data = {"turns": [], "host_exceptions": [{"error": error} for error in errors]}
    assert Run(data, has_pack=True).met_a_moving_file is is_met


def test_memories_are_read_with_and_without_a_status() -> None:
    """A memory that the ledger has not seen yet is neither classified nor deprecated."""
    axes = {"validity": "deprecated", "source": "user_asserted", "utility": "tactical", "relevance": "active"}
    assert Stored("a", "text", {"classification": axes, "lineage": {}}).is_deprecated
    assert not Stored("a", "text", {}).is_deprecated


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("The port is 8080.", Shown("The port is 8080.")),
        ("[contested, 2026-03-01] The port is 8080.", Shown("The port is 8080.", is_contested=True)),
        ("[contested, 2026-03-01 10:00] It is up.", Shown("It is up.", is_contested=True)),
        ("[at odds? 2026-03-01 user] It is up.", Shown("It is up.", is_contested=True)),
        ("Eva has a [outdated: cat] and a [outdated: dog].", Shown("Eva has a cat and a dog.", ("cat", "dog"))),
    ],
)
def test_marks_are_read_from_a_prompt(entry: str, shown: Shown) -> None:
    """The stored text is found again, and what it was marked with."""
    assert read_shown(entry) == shown


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ([], long_chat.NONE),
        (["new"], long_chat.CURRENT),
        (["old"], long_chat.STALE_ALONE),
        (["[outdated: new]", "old"], long_chat.STALE_ALONE),
        (["[outdated: old]"], long_chat.STALE_MARKED),
        (["[outdated: old]", "new"], long_chat.CURRENT_MARKED),
        (["old", "new"], long_chat.BOTH_LAST),
        (["new", "older", "[outdated: old]"], long_chat.BOTH_FIRST),
        (["[contested, 2026-03-01] old", "[contested, 2026-03-02] new"], long_chat.BOTH_CONTESTED),
    ],
)
def test_what_a_prompt_tells_is_read(lines: list[str], what: str) -> None:
    """What holds, what does not, both in their order, or none."""
    docs = [{"id": text, "page_content": text, "metadata": {}} for text in ("old", "older", "new")]
    prompts = [{"extras_persistent": {"memories": "\n\n".join(["# Memories", *lines])}}]
    turn = Turn({"docs": docs, "prompts": prompts})
    assert long_chat.told_of(turn, long_chat.Fact("ask", ("new",), ("old", "older"))) == what


def test_the_facts_of_the_long_chat_are_memorized_in_it() -> None:
    """25 facts of which 15 change; each of their memories is in the script once, and each question as well."""
    turns = json.loads((SCRIPTS / "long_chat.json").read_text("utf-8"))["turns"]
    memorized = [text for turn in turns for text in turn.get("fragments", [])]
    facts = (*long_chat.CHANGED, *long_chat.UNCHANGED)
    told = {text for fact in (*facts, *long_chat.OF_OTHERS) for text in (*fact.current, *fact.stale)}
    assert (len(facts), len(long_chat.CHANGED)) == (25, 15)
    assert told == set(memorized) and len(told) == len(memorized)
    assert {fact.question for fact in long_chat.ASKED} <= {turn.get("name") for turn in turns}


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.json")), ids=lambda path: path.stem)
def test_scripts_are_well_formed(path: Path) -> None:
    """Every script is JSON, names each turn once and is played by some test."""
    names = [turn["name"] for turn in json.loads(path.read_text("utf-8"))["turns"] if "name" in turn]
    assert len(names) == len(set(names))
    assert f'"{path.stem}"' in Path(__file__).with_name("test_real_host.py").read_text("utf-8")


def test_what_the_scripts_import_of_the_pack_is_there() -> None:
    """They are played only where there is a real host, so nothing else here sees that a name has changed."""
    found = re.compile(r"from usr\.plugins\.memory_ledger\.helpers\.([\w.]+) import (\w+)")
    named = {pair for path in SCRIPTS.glob("*.json") for pair in found.findall(path.read_text("utf-8"))}
    assert named
    for module, name in sorted(named):
        assert hasattr(importlib.import_module(f"memory_ledger.{module}"), name), f"{module}.{name}"
