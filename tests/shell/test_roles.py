"""Roles, belief state and configuration: what the surroundings say, in every form, and what is remembered of it."""

import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from memory_ledger.host import view
from memory_ledger.host.profiles import RoleBook, role_domains

NESTED = {"role_id": "coder", "capabilities": {"bst_domains": ["coding", "build"]}}
FLAT = {"id": "cook", "bst_domains": ["food"]}


def agent(**attributes: Any) -> SimpleNamespace:
    """Return an agent of the default profile with some attributes of a dispatcher."""
    return SimpleNamespace(config=SimpleNamespace(profile="default"), **attributes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two profiles, and files that are none."""
    folder = tmp_path / "roles"
    folder.mkdir()
    for name, data in (("coder", NESTED), ("cook", FLAT), ("nameless", {"bst_domains": ["x"]}), ("list", [1])):
        (folder / f"{name}.json").write_text(json.dumps(data))
    (folder / "broken.json").write_text("{")
    (folder / "binary.json").write_bytes(b"\xff\xfe")
    (folder / "notes.txt").write_text(json.dumps({"role_id": "notes", "bst_domains": ["y"]}))
    (folder / "folder.json").mkdir()
    return folder


def refreshed(folder: Path) -> RoleBook:
    """Return a book that has been read."""
    book = RoleBook(folder)
    book.refresh()
    return book


def test_profiles_nested_and_flat(folder: Path, caplog) -> None:
    """C-52, T-41: either place of the domains, either name of the id, the file's name where there is none."""
    book = refreshed(folder)
    assert book.domains_of("coder") == {"coding", "build"}
    assert book.domains_of("cook") == {"food"}
    assert book.domains_of("nameless") == {"x"}
    assert book.domains_of("notes") == book.domains_of("list") == book.domains_of("nobody") == frozenset()
    unreadable = {Path(record.args[0]).name for record in caplog.records}
    assert unreadable == {"broken.json", "binary.json", "folder.json"}


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ({}, set()),
        ({"capabilities": None, "bst_domains": ["a"]}, {"a"}),
        ({"capabilities": {"bst_domains": []}, "bst_domains": ["a"]}, {"a"}),
        ({"capabilities": {"bst_domains": ["b"]}, "bst_domains": ["a"]}, {"b"}),
        ({"bst_domains": ("a", 7)}, {"a", "7"}),
        ({"bst_domains": "coding"}, set()),
        ({"bst_domains": {"coding": 1}}, set()),
    ],
)
def test_domains_in_a_profile(profile: dict[str, Any], expected: set[str]) -> None:
    """C-52, T-41: a text is not a list of letters."""
    assert role_domains(profile) == expected


def test_changes_are_noticed_and_nothing_else_is_read(folder: Path, caplog) -> None:
    """C-52: a new profile, one written in place, one removed; an unchanged folder is not read again."""
    book = refreshed(folder)
    caplog.clear()
    book.refresh()
    assert caplog.records == []
    (folder / "pilot.json").write_text(json.dumps({"role_id": "pilot", "bst_domains": ["flying"]}))
    book.refresh()
    assert book.domains_of("pilot") == {"flying"}
    path = folder / "cook.json"
    later = path.stat().st_mtime_ns + 1_000_000_000
    path.write_text(json.dumps({"id": "cook", "bst_domains": ["baking"]}))
    os.utime(path, ns=(later, later))
    book.refresh()
    assert book.domains_of("cook") == {"baking"}
    path.unlink()
    book.refresh()
    assert book.domains_of("cook") == frozenset()
    for place, expected in ((folder.parent / "away", frozenset()), (folder, {"coding", "build"})):
        (folder if folder.exists() else folder.parent / "away").rename(place)
        book.refresh()
        assert book.domains_of("coder") == expected
    assert refreshed(folder.parent / "nowhere").domains_of("coder") == frozenset()


@pytest.mark.parametrize(
    ("role", "expected"),
    [(NESTED, "coder"), (FLAT, "cook"), ({}, None), ({"role_id": 7}, None), (None, None), ("coder", None)],
)
def test_id_of_the_active_role(role: object, expected: str | None, folder: Path) -> None:
    assert refreshed(folder).read_role_id(agent(_org_active_role=role)) == expected
    assert refreshed(folder).read_role_id(agent()) is None


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"__bst_belief_state__": {"domain": "coding"}}, "coding"),
        ({"domain": "coding"}, "coding"),
        ({"__bst_belief_state__": {"domain": "coding"}, "domain": "food"}, "coding"),
        ({"__bst_belief_state__": {}, "domain": "food"}, "food"),
        ({"__bst_belief_state__": "x", "domain": ""}, None),
        ({"domain": 7}, None),
        ({}, None),
        (None, None),
        ("coding", None),
    ],
)
def test_domain_of_the_belief_state(state: object, expected: str | None, folder: Path) -> None:
    assert refreshed(folder).read_domain(agent(_bst_store=state)) == expected
    assert refreshed(folder).read_domain(agent()) is None


@pytest.mark.parametrize(
    ("attributes", "profile", "expected"),
    [
        pytest.param({}, {}, None, id="C-59 nothing restricts"),
        pytest.param({"_org_active_role": NESTED}, {}, {"coding", "build"}, id="C-52 the role's own domains"),
        pytest.param({"_org_active_role": {"role_id": "cook"}}, {}, {"food"}, id="C-52 the profile on disk"),
        pytest.param({"_org_active_role": {"role_id": "nobody"}}, {}, None, id="C-59 a role without domains"),
        pytest.param({"_org_active_role": {}}, {"default": ("x",)}, None, id="T-63 a role beats the profile's map"),
        pytest.param({}, {"default": ("x", "y")}, {"x", "y"}, id="T-63 the profile stands in"),
        pytest.param({}, {"default": ()}, None, id="T-63 an empty list restricts nothing"),
        pytest.param({}, {"other": ("x",)}, None, id="T-63 another profile"),
        pytest.param({"_org_active_role": "coder"}, {"default": ("x",)}, {"x"}, id="T-63 what is no role"),
    ],
)
def test_allowed_domains(attributes, profile, expected, folder: Path) -> None:
    before = json.dumps(attributes)
    assert RoleBook(folder).allowed_domains(agent(**attributes), profile) == expected
    assert json.dumps(attributes) == before


class Host:
    """The few functions of a host that the configuration is read through; counts the questions."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, *, has_plugins: bool) -> None:
        self.config: dict[str, Any] | None = None
        self.questions = 0
        self.subdir = "default"
        self.interval = 3
        self.root = root
        name = "plugins._memory.helpers.memory" if has_plugins else "python.helpers.memory"
        modules = {
            name: {
                "abs_db_dir": lambda subdir: str(root / "usr" / "memory" / subdir),
                "get_agent_memory_subdir": lambda agent: self.subdir,
            },
            "helpers.plugins": {
                "get_plugin_config": self.plugin_config,
                "determine_plugin_asset_path": self.plugin_place,
            },
            "python.helpers.settings": {
                "get_settings": lambda: {"memory_recall_interval": self.interval},
                "SETTINGS_FILE": str(root / "usr" / "settings.json"),
            },
        }
        for one, attributes in modules.items():
            module = ModuleType(one)
            vars(module).update(attributes)
            monkeypatch.setitem(sys.modules, one, module)
        self.file = root / "usr" / "memory" / "classification_config.json"
        self.file.parent.mkdir(parents=True)
        data: dict[str, Any] = {}
        context = SimpleNamespace(get_data={}.get)
        self.agent = SimpleNamespace(data=data, context=context, config=SimpleNamespace(profile="default"))

    def plugin_config(self, plugin_name: str, agent: object) -> dict[str, Any] | None:
        """Answer as the host does: what was saved, or nothing."""
        self.questions += 1
        return self.config if plugin_name == "memory_ledger" else {"memory_recall_interval": self.interval}

    def plugin_place(self, plugin_name: str, project_name: str, agent_profile: str, *below: str) -> str:
        """Answer where the settings dialog saves for a scope."""
        return str(
            self.root.joinpath("usr", *filter(None, (project_name, agent_profile)), "plugins", plugin_name, *below)
        )

    def write(self, text: str, second: int) -> None:
        """Write the user's settings file at a certain second."""
        self.file.write_text(text)
        os.utime(self.file, (second, second))


@pytest.fixture
def host(tmp_path: Path, monkeypatch) -> Host:
    """A host with plugins."""
    return Host(tmp_path, monkeypatch, has_plugins=True)


def test_view_is_remembered_while_no_file_has_changed(host: Host) -> None:
    """design.md: reading the configuration costs milliseconds; what shows in no file is seen once a turn."""
    first = view.current_view(host.agent)
    questions = host.questions
    assert view.current_view(host.agent) is first
    assert host.questions == questions
    assert (first.memory_subdir, first.memory_settings) == ("default", {"memory_recall_interval": 3})
    host.config = {"max_injected_memories": 3}
    assert view.current_view(host.agent) is first
    view.refresh_view(host.agent)
    assert view.current_view(host.agent).settings.max_injected_memories == 3


@pytest.mark.parametrize(("project", "profile"), [("", ""), ("", "default"), ("x", ""), ("x", "default")])
@pytest.mark.parametrize("plugin", ["_memory", "_model_config", "memory_ledger"])
def test_a_saved_configuration_is_seen_at_once(plugin: str, project: str, profile: str, host: Host) -> None:
    """T-06, contract section 2: in whichever of its scopes it appears, is rewritten or is removed."""
    host.agent.context.get_data = {"project": "x"}.get
    path = Path(host.plugin_place(plugin, project, profile, "config.json"))
    path.parent.mkdir(parents=True)
    for action in (lambda: path.write_text("{}"), lambda: os.utime(path, (1_000, 1_000)), path.unlink):
        before = view.current_view(host.agent)
        assert view.current_view(host.agent) is before
        host.interval += 1
        action()
        assert view.current_view(host.agent).memory_settings == {"memory_recall_interval": host.interval}


@pytest.mark.parametrize("plugin", ["_memory", "_model_config", "memory_ledger"])
def test_a_configuration_in_a_folder_that_was_not_there_is_seen(plugin: str, host: Host) -> None:
    """T-06: of files that are not there."""
    path = Path(host.plugin_place(plugin, "", "default", "config.json"))
    view.current_view(host.agent)
    path.parent.parent.mkdir(parents=True)
    view.current_view(host.agent)
    path.parent.mkdir()
    host.interval += 1
    path.write_text("{}")
    assert view.current_view(host.agent).memory_settings == {"memory_recall_interval": host.interval}


def test_settings_are_validated_only_when_a_layer_has_changed(host: Host) -> None:
    assert view.current_view(host.agent).settings.conflict_top_k == 5
    host.write('{"conflict_top_k": 7, "colour": "red"}', 1_000)
    first = view.current_view(host.agent)
    again = view.refresh_view(host.agent)
    assert again.settings is first.settings
    assert (first.settings.conflict_top_k, [one.where for one in first.problems]) == (
        7,
        ["classification_config.json: setting colour"],
    )
    host.write('{"conflict_top_k": 8}', 2_000)
    changed = view.refresh_view(host.agent)
    assert (changed.settings.conflict_top_k, changed.problems) == (8, ())
    assert changed.source != first.source


def test_defaults_saved_by_the_dialog_do_not_override_the_users_file(host: Host) -> None:
    """T-16: the dialog saves every key; only what differs from the defaults is a decision."""
    host.write('{"conflict_top_k": 7, "max_injected_memories": 3}', 1_000)
    host.config = {"conflict_top_k": 5, "max_injected_memories": 4, "no_such": 1}
    found = view.refresh_view(host.agent)
    assert (found.settings.conflict_top_k, found.settings.max_injected_memories) == (7, 4)
    assert [one.where for one in found.problems] == ["plugin configuration: setting no_such"]


def test_a_change_on_a_host_without_plugins_is_seen_at_once(tmp_path: Path, monkeypatch) -> None:
    host = Host(tmp_path, monkeypatch, has_plugins=False)
    before = view.current_view(host.agent)
    assert view.current_view(host.agent) is before and host.questions == 0
    assert (before.memory_settings, before.settings.enabled) == ({"memory_recall_interval": 3}, True)
    host.interval = 4
    (tmp_path / "usr" / "settings.json").write_text("{}")
    assert view.current_view(host.agent).memory_settings == {"memory_recall_interval": 4}
    host.subdir = "elsewhere"
    assert view.current_view(host.agent).memory_subdir == "elsewhere"


def test_another_project_or_profile_is_seen_at_once(host: Host) -> None:
    """Contract, trap 18: the folder changes in the middle of a chat."""
    assert view.current_view(host.agent).memory_subdir == "default"
    host.subdir = "projects/x"
    host.agent.context.get_data = {"project": "x"}.get
    assert view.current_view(host.agent).memory_subdir == "projects/x"
    host.subdir = "coder"
    host.agent.config.profile = "coder"
    assert view.current_view(host.agent).memory_subdir == "coder"
