"""The model finds, loads and runs extensions as the contract says (sections 1 and 2)."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import ALL_GENERATIONS, FakeHost, HostTurnFailed, keep_between_hosts
from .probes import hook, seen

PLUGIN_GENERATIONS = ("B", "C", "C+")


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of each generation."""
    with FakeHost(request.param, tmp_path / "a0") as running:
        yield running


@pytest.fixture(params=PLUGIN_GENERATIONS)
def plugin_host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of each generation that has plugins."""
    with FakeHost(request.param, tmp_path / "a0") as running:
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


async def test_shims_that_import_their_class_are_one_file_to_the_host(host: FakeHost, tmp_path: Path) -> None:
    """Section 1: files are told apart by the class's own module, so two such shims collide and one is lost.

    A1 without files of a profile keeps both, because it does not compare names there.
    """
    (tmp_path / "a0/usr/shared_hooks.py").write_text(
        hook(host, "seen.append('one')", name="One") + hook(host, "seen.append('two')", name="Two")
    )
    for name in ("One", "Two"):
        host.write_extension(f"monologue_start/_55_{name.lower()}", f"from usr.shared_hooks import {name}\n")
    await host.turn("Hello")
    assert seen(host) == (["one", "two"] if host.generation == "A1" else ["one"])


async def test_files_run_in_the_order_of_their_names_whatever_their_source(host: FakeHost) -> None:
    """Section 1: plain string sort of the file names of all sources."""
    for name in ("_55_b", "_92_d", "_0_a", "_55_c"):
        host.write_extension(f"message_loop_prompts_after/{name}", hook(host, f"seen.append('{name}')"))
    host.write_extension(
        "message_loop_prompts_after/_70_profile", hook(host, "seen.append('profile')"), folder=profile_folder(host)
    )
    await host.turn("Hello")
    assert seen(host) == ["_0_a", "_55_b", "_55_c", "profile", "_92_d"]


def profile_folder(host: FakeHost) -> str:
    """Return where the profile agent0 has its extensions."""
    below = host.machine.traits.point_root if host.machine.traits.has_plugins else "extensions"
    return f"agents/agent0/{below}"


async def test_the_first_occurrence_of_a_file_name_wins(host: FakeHost) -> None:
    """Section 1: the profile's file replaces the core's of the same name."""
    text = hook(host, "seen.append('profile')")
    host.write_extension("message_loop_prompts_after/_50_recall_memories", text, folder=profile_folder(host))
    record = await host.turn("Hello")
    assert seen(host) == ["profile"]
    assert not any("Searching" in item.heading for item in host.log)
    assert record.response == "Done."


async def test_a_plugin_cannot_override_the_memory_plugin_but_the_user_folder_can(plugin_host: FakeHost) -> None:
    """Section 1 and trap 2: `_memory` sorts before every lower-case name."""
    file = "extensions/python/message_loop_prompts_after/_50_recall_memories.py"
    write_plugin(plugin_host, "aaa", {file: hook(plugin_host, "seen.append('plugin')")})
    await plugin_host.turn("Hello")
    assert seen(plugin_host) == []
    plugin_host.write_extension(
        "message_loop_prompts_after/_50_recall_memories", hook(plugin_host, "seen.append('user')")
    )
    await plugin_host.turn("Hello")
    assert seen(plugin_host) == ["user"]


async def test_a_switched_off_plugin_does_not_run(plugin_host: FakeHost) -> None:
    """Section 2, toggle: .toggle-0 switches off, a higher scope switches on again."""
    folder = write_plugin(
        plugin_host,
        "pack",
        {"extensions/python/monologue_start/_55_x.py": hook(plugin_host, "seen.append(1)"), ".toggle-0": ""},
    )
    await plugin_host.turn("Hello")
    assert seen(plugin_host) == []
    above = plugin_host.root / "usr/agents/agent0/plugins" / folder.name / ".toggle-1"
    above.parent.mkdir(parents=True)
    above.touch()
    plugin_host.notice_changes()
    await plugin_host.turn("Hello")
    assert seen(plugin_host) == [1]


async def test_awaiting_rule_of_asynchronous_points(host: FakeHost) -> None:
    """Section 1, trap: A awaits every result, so a plain `execute` is an error; B and C take both."""
    host.write_extension("message_loop_start/_55_sync", hook(host, "seen.append('ran')", is_async=False))
    if host.machine.traits.always_awaits:
        with pytest.raises(HostTurnFailed, match="await"):
            await host.turn("Hello")
    else:
        await host.turn("Hello")
    assert seen(host)[0] == "ran"


async def test_a_coroutine_at_a_synchronous_point_breaks_b_and_c(host: FakeHost) -> None:
    """Section 1 and trap 3: hist_add_before must not return an awaitable from B on; A awaits it."""
    host.write_extension("hist_add_before/_55_async", hook(host, "seen.append('ran')"))
    if host.machine.traits.always_awaits:
        await host.turn("Hello")
        assert seen(host) == ["ran", "ran"]
        return
    with pytest.raises(HostTurnFailed, match="returned awaitable in sync mode"):
        await host.turn("Hello")
    assert host.agent.history.output() == []


async def test_one_form_works_at_synchronous_points_everywhere(host: FakeHost) -> None:
    """Section 1: plain `execute` that works at once and returns a trivial awaitable only in A."""
    body = "seen.append(kwargs['content_data']['content'])\n"
    if host.machine.traits.always_awaits:
        body += "import asyncio\nreturn asyncio.sleep(0)"
    host.write_extension("hist_add_before/_55_plain", hook(host, body, is_async=False))
    await host.turn("Hello")
    assert seen(host)[0] == {"user_message": "Hello"}
    assert len(seen(host)) == 2


async def test_the_model_refuses_real_waiting_at_a_synchronous_point(tmp_path: Path) -> None:
    """A limit of the model, not of A: there nested loops would run it at an undefined time."""
    with FakeHost("A2", tmp_path) as host:
        host.write_extension("hist_add_before/_55_waits", hook(host, "import asyncio\nawait asyncio.sleep(1)"))
        with pytest.raises(HostTurnFailed, match="waits for the event loop"):
            await host.turn("Hello")


async def test_an_imported_extension_file_is_a_second_module(host: FakeHost) -> None:
    """Section 1, class loading: `_91` imports `_50` normally; that module is not the one the loader ran."""
    await host.turn("Hello")
    package = host.machine.traits.memory_point_root.replace("/", ".")
    imported = sys.modules[f"{package}.message_loop_prompts_after._50_recall_memories"]
    assert imported.DATA_NAME_TASK == "_recall_memories_task"
    ran = host.process.loader.classes("message_loop_prompts_after", host.agent)[0]
    assert ran.__name__ == "RecallMemories"
    assert ran is not imported.RecallMemories


async def test_one_broken_import_disables_the_whole_point(host: FakeHost) -> None:
    """Section 1 and trap 4: the error of any file comes out of the call, and none of the files runs."""
    host.write_extension("monologue_end/_55_fine", hook(host, "seen.append('ran')"))
    host.write_extension("monologue_end/helper", "import no_such_module\n")
    with pytest.raises(HostTurnFailed, match="no_such_module"):
        await host.turn("Hello")
    assert seen(host) == []


async def test_a_helper_file_without_an_extension_is_executed_and_ignored(host: FakeHost) -> None:
    """Section 1: every *.py of the folder is executed."""
    host.write_extension("monologue_end/helper", "import sys\nsys.executed_helper = True\n")
    await host.turn("Hello")
    assert sys.__dict__.pop("executed_helper")


async def test_changed_files_are_seen_after_a_restart_in_a_and_at_once_in_b_and_c(host: FakeHost) -> None:
    """Section 1, caching: A caches classes per folder for ever, B and C have watchdogs."""
    host.write_extension("monologue_start/_55_x", hook(host, "seen.append('old')"))
    await host.turn("Hello")
    host.write_extension("monologue_start/_55_x", hook(host, "seen.append('changed')"))
    await host.turn("Hello")
    assert seen(host)[1] == ("changed" if host.machine.traits.has_plugins else "old")
    await host.restart(keep_chats=False)
    await host.turn("Hello")
    assert seen(host) == ["changed"]


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


async def test_a_purge_of_built_in_plugins_brings_an_empty_memory_class(plugin_host: FakeHost) -> None:
    """Section 1, watchdogs: a new Memory with an empty index appears beside the old one."""
    await plugin_host.insert("a fact")
    old = plugin_host.memory_module.Memory
    plugin_host.purge_plugins(built_in=True)
    new = plugin_host.memory_module.Memory
    assert new is not old
    assert (len(old.index), len(new.index)) == (1, 0)


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


def test_what_the_test_process_had_under_a_host_name_comes_back(tmp_path: Path) -> None:
    """The repository has a package `helpers` of its own."""
    mine = sys.modules["helpers"] = type(sys)("helpers")
    try:
        with FakeHost("C", tmp_path):
            import helpers.extension  # type: ignore[import-not-found]

            assert sys.modules["helpers"] is not mine
            assert helpers.extension.Extension
        assert sys.modules["helpers"] is mine
    finally:
        del sys.modules["helpers"]


def test_only_one_host_at_a_time(host: FakeHost, tmp_path: Path) -> None:
    """Two hosts would fight over sys.modules."""
    with pytest.raises(RuntimeError, match="another FakeHost"):
        FakeHost("C", tmp_path / "second").start()


def test_plugin_configuration_is_never_merged(plugin_host: FakeHost) -> None:
    """Section 2 and trap 13: the first file found is used whole; the defaults only without any file."""
    import helpers.plugins as plugins  # type: ignore[import-not-found]

    default = plugins.get_plugin_config("_memory", plugin_host.agent)
    assert default["memory_recall_interval"] == 3
    plugin_host.write_plugin_config("_memory", {"memory_recall_enabled": False})
    assert plugins.get_plugin_config("_memory", plugin_host.agent) == {"memory_recall_enabled": False}
    assert plugins.get_plugin_config("no_such_plugin", plugin_host.agent) is None


def test_plugin_configuration_scopes(plugin_host: FakeHost) -> None:
    """Section 2: project and profile, project, profile, user; the first one that has a file."""
    import helpers.plugins as plugins  # type: ignore[import-not-found]

    agent = plugin_host.new_context(project="alpha", profile="coder").agent0
    scopes = [{}, {"profile": "coder"}, {"project": "alpha"}, {"project": "alpha", "profile": "coder"}]
    for number, scope in enumerate(scopes):
        plugin_host.write_plugin_config("_memory", {"number": number}, **scope)
        assert plugins.get_plugin_config("_memory", agent) == {"number": number}
    assert plugins.get_plugin_config("_memory", plugin_host.agent)["number"] == 3  # the first chat is that one


def test_plugin_hooks_may_answer_for_the_configuration(plugin_host: FakeHost) -> None:
    """Section 2, hooks.py: arguments are filtered by the signature."""
    import helpers.plugins as plugins  # type: ignore[import-not-found]

    hooks = "def get_plugin_config(default, agent):\n    return {**default, 'number': agent.number}\n"
    write_plugin(plugin_host, "pack", {"default_config.yaml": "enabled: true\n", "hooks.py": hooks})
    assert plugins.get_plugin_config("pack", plugin_host.agent) == {"enabled": True, "number": 0}


@pytest.mark.parametrize("how", ["link", "installer"])
async def test_a_pack_is_found_where_the_generation_looks(host: FakeHost, tmp_path: Path, how: str) -> None:
    """Section 1, portable layout: usr/plugins/<name>, plus files of its own in A."""
    pack = write_pack(host, tmp_path / "repository")
    host.install(pack, how=how)
    await host.turn("Hello")
    assert seen(host) == ["usr.plugins.memory_ledger.helpers.words"]
    if how == "link":
        host.uninstall()
        assert list((host.root / "usr/plugins").iterdir()) == []


def write_pack(host: FakeHost, pack: Path) -> Path:
    """Write a tiny pack with the usual layout and an installer that does what linking does."""
    body = "from usr.plugins.memory_ledger.helpers import words\nseen.append(words.__name__)"
    installer = (
        "import shutil, sys, pathlib\n"
        "here, root = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])\n"
        "shutil.copytree(here, root / 'usr/plugins/memory_ledger')\n"
    )
    if not host.machine.traits.has_plugins:
        points = host.machine.traits.user_point_root
        installer += f"target = root / {points!r} / 'monologue_start'\n"
        installer += "target.mkdir(parents=True, exist_ok=True)\n"
        installer += "shutil.copy(here / 'extensions/python/monologue_start/_55_ledger.py', target)\n"
    files = {
        "plugin.yaml": "name: memory_ledger\n",
        "helpers/words.py": "",
        "extensions/python/monologue_start/_55_ledger.py": hook(host, body),
        "install.py": installer,
    }
    for file, text in files.items():
        (pack / file).parent.mkdir(parents=True, exist_ok=True)
        (pack / file).write_text(text)
    return pack


async def test_tools_with_a_broken_import_are_passed_over_in_silence(host: FakeHost) -> None:
    """Section 2, tools: the import error is swallowed and the tool is unknown."""
    folder = host.root / host.machine.traits.user_tool_root
    folder.mkdir(parents=True, exist_ok=True)
    tool = (
        f"from {host.machine.traits.helpers}.tool import Response, Tool\n"
        "class Add(Tool):\n"
        "    async def execute(self, a=0, b=0, **kwargs):\n"
        "        return Response(str(a + b), break_loop=False)\n"
    )
    (folder / "add.py").write_text(tool)
    (folder / "broken.py").write_text(f"import no_such_module\n{tool}")
    await host.turn("Hello", tool_calls=[("add", {"a": 1, "b": 2}), ("broken", {})])
    results = [m["content"]["tool_result"] for m in host.agent.history.output() if "tool_result" in m["content"]]
    assert results == ["3", "Tool broken not found"]


async def test_a_web_handler_must_answer_in_plain_json(host: FakeHost) -> None:
    """Section 2, API: the response goes through json.dumps."""
    folder = host.root / ("usr/plugins/memory_ledger/api" if host.machine.traits.has_plugins else "python/api")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "echo.py").write_text(
        f"from {host.machine.traits.helpers}.api import ApiHandler\n"
        "class Echo(ApiHandler):\n"
        "    async def process(self, input, request):\n"
        "        return {'got': {1} if input.get('bad') else input}\n"
    )
    assert json.dumps(await host.call_api("echo", {"x": 1})) == '{"got": {"x": 1}}'
    with pytest.raises(TypeError):
        await host.call_api("echo", {"bad": True})
