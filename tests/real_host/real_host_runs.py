"""Play a script on a real Agent Zero and read what the driver saw.

Which checkouts, which driver and which Python is told by the environment, so nothing here knows a machine; `README.md`
beside this file says how. A run ends in one JSON file, which `Run`, `Turn` and `Stored` only put into words.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

HOSTS = "MEMORY_LEDGER_HOSTS"
DRIVER = "MEMORY_LEDGER_HOST_DRIVER"
PYTHON = "MEMORY_LEDGER_HOST_PYTHON"

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "scripts"
LEDGER_KEYS = ("classification", "lineage", "quality", "ledger")

_RUN_SECONDS = 1_200
_ATTEMPTS = 4
_HOOKS = ("_55_memory_relevance_filter.py", "_55_memory_classifier.py")
_REPORT = "Memory Ledger: "
_CONTESTED = re.compile(r"\A\[(?:contested,|at odds\?) [^\]]*\] ")
_OUTDATED = re.compile(r"\[outdated: ([^\]]*)\]")


class MisconfiguredError(ValueError):
    """The environment names something that is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealHost:
    """One checkout of Agent Zero, the driver that plays on it, and the Python that has its requirements."""

    tag: str
    checkout: Path
    driver: Path
    python: Path

    @property
    def release(self) -> tuple[int, ...]:
        """The numbers of the tag, for comparisons: v0.9.8.2 is (0, 9, 8, 2)."""
        return read_release(self.tag)

    @property
    def deletes_related(self) -> bool:
        """Whether the host deletes, with a memory, those whose metadata names it (v1.14 and later)."""
        return self.release >= (1, 14)

    @property
    def hands_over_recall(self) -> bool:
        """Whether a recall's result goes into one prompt only, and a failing one costs no turn (after v2.6)."""
        return self.release > (2, 6)

    @property
    def has_pages(self) -> bool:
        """Whether the host shows pages of plugins (v0.9.9 and later)."""
        return self.release >= (0, 9, 9)


def read_release(tag: str) -> tuple[int, ...]:
    """Return the numbers of a tag."""
    return tuple(int(part) for part in tag.removeprefix("v").split("."))


def read_hosts(environment: Mapping[str, str]) -> list[RealHost]:
    """Return the hosts that `environment` names; none if it names none. Raises MisconfiguredError."""
    checkouts = _by_tag(environment.get(HOSTS, ""))
    drivers = _by_tag(environment.get(DRIVER, ""))
    pythons = _by_tag(environment.get(PYTHON, ""))
    if "" in checkouts:
        raise MisconfiguredError(f"{HOSTS}: {checkouts['']} has no tag; allowed: v1.7=FOLDER{os.pathsep}v2.4=FOLDER")
    return [
        RealHost(
            tag=tag,
            checkout=_existing(HOSTS, checkout),
            driver=_existing(DRIVER, drivers.get(tag) or drivers.get("")),
            python=_existing(PYTHON, pythons.get(tag) or pythons.get("")),
        )
        for tag, checkout in checkouts.items()
    ]


def _by_tag(text: str) -> dict[str, str]:
    """Read `TAG=PATH` entries; the one without a tag, kept under the empty one, is for all other tags."""
    entries = [entry.rpartition("=") for entry in text.split(os.pathsep) if entry]
    return {tag: path for tag, _, path in entries}


def _existing(variable: str, path: str | None) -> Path:
    if path is None or not Path(path).exists():
        raise MisconfiguredError(f"{variable}: {path or 'nothing'} found; allowed: a path that exists")
    return Path(path)


@dataclass(frozen=True, slots=True)
class Stored:
    """One memory as it lay in the host's docstore after a turn."""

    id: str
    text: str
    metadata: dict[str, Any]

    @property
    def is_classified(self) -> bool:
        """Whether the ledger has given it a status."""
        return "classification" in self.metadata

    @property
    def status(self) -> tuple[str, str]:
        """Source and validity."""
        axes = self.metadata["classification"]
        return axes["source"], axes["validity"]

    @property
    def utility(self) -> str:
        """The utility class."""
        return str(self.metadata["classification"]["utility"])

    @property
    def lineage(self) -> dict[str, Any]:
        """The lineage record."""
        return dict(self.metadata["lineage"])

    @property
    def is_deprecated(self) -> bool:
        """Whether it is retired."""
        return self.is_classified and self.status[1] == "deprecated"


@dataclass(frozen=True, slots=True)
class Shown:
    """One memory as it stood in a prompt: its stored text, and the marks that were put into it (C-43, C-96)."""

    text: str
    outdated: tuple[str, ...] = ()
    is_contested: bool = False


def read_shown(entry: str) -> Shown:
    """Read a memory of a prompt without its marks."""
    text = _CONTESTED.sub("", entry)
    marked = tuple(_OUTDATED.findall(text))
    return Shown(_OUTDATED.sub(r"\1", text), marked, text != entry)


class Turn:
    """What the driver wrote down about one turn of a script."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        stored = (Stored(one["id"], one["page_content"], one["metadata"]) for one in data.get("docs", []))
        # v0.9.7 imports descriptions of its instruments, whatever a script says about knowledge.
        self.memories = [one for one in stored if one.metadata.get("area") != "instruments"]

    def memory(self, text: str) -> Stored:
        """Return the one memory with exactly this text."""
        (found,) = [one for one in self.memories if one.text == text]
        return found

    def statuses(self, text: str) -> set[tuple[str, str]]:
        """Return source and validity of all memories with exactly this text."""
        return {one.status for one in self.memories if one.text == text}

    @property
    def texts(self) -> set[str]:
        """The texts of all memories."""
        return {one.text for one in self.memories}

    @property
    def prompt_count(self) -> int:
        """How many prompts went to the main model."""
        return len(self.data["prompts"])

    def sections(self, iteration: int = 0) -> str:
        """Return what stood under `memories` and `solutions` in one prompt."""
        extras = self.data["prompts"][iteration]["extras_persistent"]
        return "\n".join(extras.get(key, "") for key in ("memories", "solutions"))

    def recalled(self, iteration: int = 0) -> list[str]:
        """Return the texts of stored memories that stood in one prompt, in their order there."""
        sections = self.sections(iteration)
        positions = {text: sections.find(text) for text in self.texts}
        return sorted((text for text in positions if positions[text] >= 0), key=lambda text: positions[text])

    def shown(self, iteration: int = 0) -> list[Shown]:
        """Return the stored memories of one line that stood in one prompt, marked or not, in their order there."""
        entries = [read_shown(line) for line in self.sections(iteration).splitlines()]
        return [one for one in entries if one.text in self.texts]

    def rules(self, iteration: int = 0) -> list[str]:
        """Return the standing rules of the user that stood in one prompt, which no recall brings a second time."""
        _, _, rest = self.data["prompts"][iteration]["system_text"].partition("# Standing rules of the user\n")
        return [line[2:] for line in takewhile(lambda line: line.startswith("- "), rest.splitlines())]

    def whole_prompt(self, iteration: int = 0) -> str:
        """Return everything that one prompt held: system text, history and extras."""
        prompt = self.data["prompts"][iteration]
        return "\n".join([prompt["system_text"], *(str(one["content"]) for one in prompt["history"])])

    @property
    def health(self) -> dict[str, Any]:
        """The published figures."""
        return dict(self.data["pack_attrs"]["_memory_health"])

    @property
    def conflict_log(self) -> list[dict[str, Any]]:
        """The published conflict log."""
        return list(self.data["pack_attrs"]["_memory_conflict_log"])

    @property
    def recall_reports(self) -> str:
        """Return what the chat's log says that recall has found."""
        found = [one["kvps"].get("memories", "") for one in self.data["log"] if one["type"] == "util"]
        return "\n".join(map(str, found))

    @property
    def result(self) -> Any:
        """What an `exec`, `insert` or `shell` turn gave back."""
        return self.data["result"]

    @property
    def hooks(self) -> set[str]:
        """The names of the pack's hook files that ran."""
        return {name for one in self.data.get("extensions", []) if (name := Path(one["ext"]).name) in _HOOKS}

    @property
    def reports(self) -> list[str]:
        """The headings of the pack's warnings in the chat's log."""
        headings = [one["heading"] for one in self.data.get("log_problems", [])]
        return [heading.removeprefix(_REPORT) for heading in headings if heading.startswith(_REPORT)]


class Run:
    """What the driver wrote down about one script."""

    def __init__(self, data: dict[str, Any], *, has_pack: bool) -> None:
        self.data = data
        self.has_pack = has_pack
        self.turns = [Turn(one) for one in data["turns"]]

    def __getitem__(self, name: str) -> Turn:
        """Return the turn of this name."""
        (found,) = [one for one in self.turns if one.data["name"] == name]
        return found

    @property
    def met_a_moving_file(self) -> bool:
        """Whether all that went wrong is that the driver listed the memory folder while the pack replaced a file there.

        The pack writes at the end of a turn, when the chat has returned; the driver does not wait for it.
        """
        errors = [one["error"].rstrip() for one in self.data["host_exceptions"]]
        return bool(errors) and all("FileNotFoundError" in one and one.endswith(".tmp'") for one in errors)

    def file(self, name: str) -> str | None:
        """Return what the pack kept in a small JSON file of this name, beside the memories, after the last turn."""
        found = [text for path, text in self.turns[-1].data["usr_json"].items() if Path(path).name == name]
        return found[0] if found else None

    def assert_sound(self, reports: Iterable[str] | None = ()) -> None:
        """Assert that the host went on undisturbed and that the store is in order (C-74, P-07, T-43).

        `reports` are the warnings that the pack was to give, in order; None leaves them to the caller.
        """
        data = self.data
        assert (data["exit_code"], data["note"], data["host_exceptions"]) == (0, "", [])
        assert [one["rc"] for one in data["pack_hook"]] == ([0] if self.has_pack else [])
        assert reports is None or self.reports == list(reports)
        for turn in self.turns:
            self._assert_turn_sound(turn)

    @property
    def reports(self) -> list[str]:
        """The headings of all warnings that the pack gave, in order."""
        return [one for turn in self.turns for one in turn.reports]

    def _assert_turn_sound(self, turn: Turn) -> None:
        data, name = turn.data, turn.data["name"]
        for key in ("json_bad", "meta_id_bad", "inconsistent"):
            assert not data.get(key), (name, key, data[key])
        # What the host has just written may share its metadata until the next hook adopts it.
        fresh = set(data.get("docs_added", []))
        assert [pair for pair in data.get("shared_meta", []) if fresh.isdisjoint(pair[:2])] == [], name
        assert [one for one in data.get("extensions", []) if "error" in one] == [], name
        if data["kind"] == "chat":
            assert data["ok"] and data["response"], name
            missed = set(_HOOKS if self.has_pack else ()) ^ turn.hooks
            assert not missed, (name, sorted(missed))


class Player:
    """Plays scripts on one host, one at a time; the same run is played once."""

    def __init__(self, host: RealHost, folder: Path) -> None:
        self.host = host
        self._folder = folder
        self._runs: dict[tuple[str, bool], Run] = {}

    def play(self, script: str, *, has_pack: bool = True, reports: Iterable[str] | None = ()) -> Run:
        """Play a script on a fresh copy of the host, with the pack or without, and check what holds for every run."""
        key = (script, has_pack)
        if key not in self._runs:
            self._runs[key] = self._run(script, has_pack)
        self._runs[key].assert_sound(reports)
        return self._runs[key]

    def play_bare_unsound(self, script: str) -> Run:
        """Play a script without the pack where the bare host is expected to go wrong."""
        return self._run(script, False)

    def play_in_sequence(self, *scripts: tuple[str, bool]) -> list[Run]:
        """Play scripts one after the other on the same copy, each with the pack installed before or not."""
        for _ in range(_ATTEMPTS):
            copy = self._folder / f"sequence-{len(list(self._folder.iterdir()))}"
            runs: list[Run] = []
            for script, has_pack in scripts:
                place = ["--root", str(copy), "--in-place"] if runs else ["--work", str(copy)]
                runs.append(self._run_once(script, has_pack, place))
            if not any(run.met_a_moving_file for run in runs):
                break
        for run in runs:
            run.assert_sound()
        return runs

    def _run(self, script: str, has_pack: bool) -> Run:
        for _ in range(_ATTEMPTS):
            run = self._run_once(script, has_pack, [])
            if not run.met_a_moving_file:
                break
        return run

    def _run_once(self, script: str, has_pack: bool, place: list[str]) -> Run:
        out = self._folder / f"{script}-{'pack' if has_pack else 'bare'}.json"
        command = [str(self.host.python), str(self.host.driver), "--script", str(SCRIPTS / f"{script}.json")]
        command += ["--out", str(out), "--timeout", str(_RUN_SECONDS)]
        command += place if "--root" in place else ["--root", str(self.host.checkout), *place]
        if has_pack:
            command += ["--pack-hook", f'"$A0_PYTHON" {shlex.quote(str(REPOSITORY / "install.py"))} .']
        environment = {"REAL_HOST_RUNS": str(self._folder), **os.environ}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_RUN_SECONDS + 60, check=False
        )
        assert out.is_file(), done.stdout + done.stderr
        return Run(json.loads(out.read_text("utf-8")), has_pack=has_pack)
