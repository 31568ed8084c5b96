"""Profiles of models: which one holds, what it says, and what of that cannot be used."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from memory_ledger.host.agent_zero import ChatModel
from memory_ledger.host.profiles import NO_LIMITS, ModelProfiles, ProfileLimits
from told import Told

QWEN = ChatModel("openrouter", "qwen/qwen3-14b")
LOCAL = ChatModel("ollama", "Qwen3:14B")
OTHER = ChatModel("openai", "gpt-5")


class Shelf:
    """A folder of profiles, and what was said about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        problems = Told()
        self.told = problems.heard
        self.profiles = ModelProfiles(folder, problems)

    def write(self, name: str, value: object, second: int = 1_000) -> Path:
        """Write a profile at a certain second."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / f"{name}.json"
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        os.utime(path, (second, second))
        return path

    def injected(self, model: ChatModel | None) -> int | None:
        """Return by its `max_injected` which profile holds for a model."""
        return self.profiles.limits(model).max_injected


def profile(count: object, **values: Any) -> dict[str, Any]:
    """Return a profile with this `max_injected`."""
    return {"memory": {"max_injected": count}, **values}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A folder that is not there yet."""
    return Shelf(tmp_path / "model_profiles")


def test_the_longer_name_wins_then_the_key_then_the_file(shelf: Shelf) -> None:
    shelf.write("z", profile(1, model="openrouter/qwen/qwen3-14b"))
    shelf.write("y", profile(2, model="qwen3-14b"))
    shelf.write("b", profile(3, name="qwen3-14b"))
    shelf.write("qwen3-14b", profile(4))
    for expected, name in ((1, "z"), (2, "y"), (3, "b"), (4, "qwen3-14b")):
        assert shelf.injected(QWEN) == expected
        (shelf.folder / f"{name}.json").unlink()
    assert shelf.injected(QWEN) is None


@pytest.mark.parametrize("model", [OTHER, None])
def test_default_profile_stands_in(model: ChatModel | None, shelf: Shelf) -> None:
    assert shelf.profiles.limits(model) == NO_LIMITS
    shelf.write("qwen3-14b", profile(4))
    assert shelf.profiles.limits(model) == NO_LIMITS
    shelf.write("default", profile(12))
    assert shelf.injected(model) == 12
    assert (shelf.injected(QWEN), shelf.injected(LOCAL)) == (4, 4)


def test_changes_are_seen_at_once_and_nothing_else_is_read(shelf: Shelf) -> None:
    """E-04: one that appears, is rewritten in place, is removed; an unchanged one is the same object."""
    path = shelf.write("default", profile(5))
    first = shelf.profiles.limits(QWEN)
    assert shelf.profiles.limits(QWEN) is first
    shelf.write("qwen3-14b", profile(6))
    assert shelf.injected(QWEN) == 6
    shelf.write("qwen3-14b", profile(7), second=2_000)
    assert shelf.injected(QWEN) == 7
    (shelf.folder / "qwen3-14b.json").unlink()
    assert shelf.injected(QWEN) == 5
    path.unlink()
    assert shelf.profiles.limits(QWEN) is NO_LIMITS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, NO_LIMITS),
        ({"memory": None}, NO_LIMITS),
        pytest.param(b'\xef\xbb\xbf{"memory": {"max_injected": 5}}', ProfileLimits(max_injected=5), id="some editors"),
        ({"memory": {"noise_discrimination": 0.5}, "other": [1]}, NO_LIMITS),
        ({"memory": {"max_injected": 1}}, ProfileLimits(max_injected=1)),
        ({"memory": {"max_injected": 100}}, ProfileLimits(max_injected=100)),
        ({"memory": {"similarity_threshold": 0}}, ProfileLimits(similarity_threshold=0.0)),
        ({"memory": {"similarity_threshold": 0.7}}, ProfileLimits(similarity_threshold=0.7)),
        ({"memory": {"similarity_threshold": 1}}, ProfileLimits(similarity_threshold=1.0)),
        ({"memory": {"disabled_domains": ["a"]}}, ProfileLimits(disabled_domains=frozenset("a"))),
        ({"disabled_domains": [" a "]}, ProfileLimits(disabled_domains=frozenset("a"))),
        (
            {"disabled_domains": ["a", "b"], "memory": {"disabled_domains": ["b", "c"], "max_injected": None}},
            ProfileLimits(disabled_domains=frozenset("abc")),
        ),
    ],
)
def test_what_a_profile_says(value: dict[str, Any], expected: ProfileLimits, shelf: Shelf) -> None:
    """E-04, E-04a: both places of the domains; what is not said leaves the configured value."""
    shelf.write("default", value)
    assert shelf.profiles.limits(QWEN) == expected
    assert shelf.told == []


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"memory": [1]}, "memory"),
        *(
            ({"memory": {"max_injected": one}}, "memory.max_injected")
            for one in (0, 101, -1, 6.0, True, "6", [6], 10**400)
        ),
        *(
            ({"memory": {"similarity_threshold": one}}, "memory.similarity_threshold")
            for one in (-0.1, 1.01, True, "0.7", {}, float("nan"), float("inf"), 10**400)
        ),
        ({"memory": {"disabled_domains": "a"}}, "memory.disabled_domains"),
        ({"disabled_domains": {"a": 1}}, "disabled_domains"),
        ({"disabled_domains": [" "]}, "disabled_domains[0]"),
        ({"memory": {"disabled_domains": [7]}}, "memory.disabled_domains[0]"),
    ],
)
def test_value_that_cannot_be_used_is_named_once_and_ignored(value: dict[str, Any], where: str, shelf: Shelf) -> None:
    """E-04: where, what was found, what is allowed; also when the file is read again."""
    path = shelf.write("default", value)
    assert shelf.profiles.limits(QWEN) == NO_LIMITS
    shelf.write("default", value, second=2_000)
    assert shelf.profiles.limits(QWEN) == NO_LIMITS
    (problem,) = shelf.told
    assert problem.where == f"{path}: {where}"
    assert problem.found and problem.allowed


def test_what_can_be_used_of_a_bad_profile_is(shelf: Shelf) -> None:
    """E-04: each value stands for itself; of a profile that does not hold nothing is said."""
    shelf.write("other", profile(0))
    shelf.write("default", {"memory": {"max_injected": 0, "similarity_threshold": 0.8, "disabled_domains": ["a", 7]}})
    assert shelf.profiles.limits(QWEN) == ProfileLimits(similarity_threshold=0.8, disabled_domains=frozenset("a"))
    assert {one.where.rpartition("memory.")[2] for one in shelf.told} == {"max_injected", "disabled_domains[1]"}


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"7", b"\xff", b"[" * 100_000, None])
def test_file_that_is_no_profile_is_as_if_it_were_not_there(data: bytes | None, shelf: Shelf) -> None:
    shelf.write("default", profile(5))
    if data is None:
        (shelf.folder / "qwen3-14b.json").mkdir()
    else:
        shelf.write("qwen3-14b", data)
    assert [shelf.injected(QWEN) for _ in range(3)] == [5, 5, 5]
    shelf.write("default", profile(6), second=2_000)
    assert shelf.injected(QWEN) == 6
    (problem,) = shelf.told
    assert (problem.where, problem.allowed) == (str(shelf.folder / "qwen3-14b.json"), "a JSON object")


@pytest.mark.parametrize("stem", ["qwen3-14b", "Qwen3-14B", "qwen3_14b", "qwen3:14b", "qwen-qwen3-14b", "mine"])
@pytest.mark.parametrize("named", [{"model": "Qwen/Qwen3-14B"}, {"name": "openrouter/qwen/qwen3-14b"}, {}])
def test_name_of_the_model_is_that_of_the_file_or_in_it(stem: str, named: dict[str, str], shelf: Shelf) -> None:
    """T-13: in any case, whatever a file name can hold between the parts, with the provider or without."""
    shelf.write(stem, profile(4, **named))
    assert shelf.injected(QWEN) == (None if stem == "mine" and not named else 4)
    assert shelf.injected(OTHER) is None


@pytest.mark.parametrize(
    ("stem", "model", "is_its"),
    [
        ("openrouter--qwen_qwen3 14b", QWEN, True),
        *((stem, QWEN, False) for stem in ("qwen3", "qwen3-14", "14b", "qwen3-14b-instruct", "qwen", "openrouter")),
        pytest.param("ollama-qwen3-14b", QWEN, False, id="of another provider"),
        *(("gpt-5", ChatModel(*names), True) for names in (("", "gpt-5"), (" ", "gpt-5"), ("openai", "openai/gpt-5"))),
    ],
)
def test_part_of_a_name_is_another_name(stem: str, model: ChatModel, is_its: bool, shelf: Shelf) -> None:
    """T-13: what the host does not say of the provider is left out."""
    shelf.write(stem, profile(4))
    assert shelf.injected(model) == (4 if is_its else None)
