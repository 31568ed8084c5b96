"""The model finds, loads and runs extensions as the contract says (sections 1 and 2)."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import FakeHost, HostTurnFailed, keep_between_hosts
from .probes import hook, seen


@pytest.fixture
def plugin_host(tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of a generation that has plugins."""
    with FakeHost("C+", tmp_path / "a0") as running:
        yield running


def write_plugin(host: FakeHost, name: str, files: dict[str, str]) -> Path:
    """Write a plugin of the user."""
    folder = host.root / "usr/plugins" / name
    for file, text in {"plugin.yaml": f"name: {name}\n", **files}.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    host.notice_changes()
    return folder


async def test_the_last_class_by_name_runs_even_if_it_was_imported(host: FakeHost, tmp_path: Path) -> None:
    """Section 1, class loading: one class per file, members by name, in reverse; imported ones count."""
    (tmp_path / "a0/usr/shared_hooks.py").write_text(hook(host, "seen.append('imported')", name="Zebra"))
    own = hook(host, "seen.append('own')", name="Ant", above="from usr.shared_hooks import Zebra")
    host.write_extension("monologue_start/_55_mine", own)
    await host.turn("Hello")
    assert seen(host) == ["imported"]


async def test_an_extension_file_is_outside_of_any_package(host: FakeHost) -> None:
    """Section 1, class loading: not in sys.modules, bare file name as module, relative imports fail."""
    body = "import sys\nseen.append((type(self).__module__, type(self).__module__ in sys.modules))"
    host.write_extension("monologue_start/_55_mine", hook(host, body))
    host.write_extension("monologue_end/_55_mine", hook(host, "pass", above="from . import other"))
    with pytest.raises(HostTurnFailed, match="relative import"):
        await host.turn("Hello")
    assert seen(host) == [("_55_mine", False)]


async def test_awaiting_rule_of_asynchronous_points(host: FakeHost) -> None:
    """Section 1, trap: A awaits every result, so a plain `execute` is an error; B and C take both."""
    host.write_extension("message_loop_start/_55_sync", hook(host, "seen.append('ran')", is_async=False))
    if host.machine.traits.always_awaits:
        with pytest.raises(HostTurnFailed, match="await"):
            await host.turn("Hello")
    else:
        await host.turn("Hello")
    assert seen(host)[0] == "ran"


def test_a_coroutine_at_a_synchronous_point_breaks_b_and_c(host: FakeHost) -> None:
    """Section 1 and trap 3: agent_init must not return an awaitable from B on; A awaits it."""
    text = f"from {host.machine.traits.helpers}.extension import Extension\n\n\nclass Probe(Extension):\n"
    host.write_extension("agent_init/_56_async", f"{text}    async def execute(self, **kwargs):\n        pass\n")
    if host.machine.traits.always_awaits:
        assert host.new_context().agent0
        return
    with pytest.raises(ValueError, match="returned awaitable in sync mode"):
        host.new_context()


async def test_one_broken_import_disables_the_whole_point(host: FakeHost) -> None:
    """Section 1 and trap 4: the error of any file comes out of the call, and none of the files runs."""
    host.write_extension("monologue_end/_55_fine", hook(host, "seen.append('ran')"))
    host.write_extension("monologue_end/helper", "import no_such_module\n")
    with pytest.raises(HostTurnFailed, match="no_such_module"):
        await host.turn("Hello")
    assert seen(host) == []


async def test_a_purge_makes_a_second_copy_of_the_pack(plugin_host: FakeHost) -> None:
    """Section 1, watchdogs: `usr.plugins*` leaves sys.modules, state at module level exists twice."""
    write_plugin(plugin_host, "pack", {"helpers/state.py": "VALUES = []\n"})
    import usr.plugins.pack.helpers.state as first  # type: ignore[import-not-found]

    assert "usr.plugins.pack.helpers.state" in plugin_host.purge_plugins()
    import usr.plugins.pack.helpers.state as second

    assert first is not second


async def test_what_has_no_state_is_imported_once_for_all_hosts(plugin_host: FakeHost) -> None:
    """Until a purge, as in the host, or a file that says something else; its place is the host's that runs."""
    keep_between_hosts("usr.plugins.kept.stateless".__eq__)
    name, copies = "usr.plugins.kept.stateless", []
    for text in ("A = 1\n", "A = 1\n", "A = 22\n"):
        write_plugin(plugin_host, "kept", {"stateless/__init__.py": text, "stateless/part.py": "", "other.py": ""})
        copies.append((importlib.import_module(name), importlib.import_module("usr.plugins.kept.other")))
        assert importlib.import_module(f"{name}.part")
        await plugin_host.restart()
    (first, other), (second, another), (third, _) = copies
    assert first is second is not third
    assert (first.A, third.A, other is another) == (1, 22, False)
    again = importlib.import_module(name)
    assert again is third
    plugin_host.purge_plugins()
    assert importlib.import_module(name) is not third
    await plugin_host.restart()
    assert importlib.import_module(name) is third


def test_modules_come_and_go_with_the_host(host: FakeHost) -> None:
    """Section 1, import path: only this generation's names exist, and nothing stays afterwards."""
    foreign = "python" if host.machine.traits.has_plugins else "helpers"
    with pytest.raises(ModuleNotFoundError):
        __import__(foreign)
    before = host.memory_module
    assert before.Memory.__module__ == host.machine.traits.memory_module
    assert sys.path[0] == str(host.root)
    host.stop()
    assert not [n for n in sys.modules if n.split(".")[0] in ("usr", "plugins", "agent", "python")]
    assert str(host.root) not in sys.path
