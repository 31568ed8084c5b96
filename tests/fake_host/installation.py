"""The files of a host: its own extensions, tools, prompts and plugin folders, written below a root.

The host's extensions are real files, found by the same rules as those of a pack. Each only calls the model.
"""

from pathlib import Path

import yaml

from . import config
from .machine import Machine

_EXTENSION = '''"""Stands for the host's own extension of this name."""

from {helpers}.extension import Extension

from {package} import core, memorize, recall
{imports}

class {name}(Extension):
    {prefix}def execute(self, loop_data=None, system_prompt=None, **kwargs):
        if self.agent:
            {call}
'''

_TOOL = '''"""Stands for the host's own tool of this name."""

from {helpers}.tool import Response, Tool

from {package} import memory_tools


class {name}(Tool):
    async def execute(self, **kwargs):
        return Response(await memory_tools.{function}(self.agent, **kwargs), break_loop=False)
'''

_RECALL_FILE = "message_loop_prompts_after._50_recall_memories"
_RECALL_NAMES = "from {package}.recall import ITERATION as DATA_NAME_ITER, TASK as DATA_NAME_TASK\n"
_RESULT_NAMES = """\
from {package}.recall import LOOP as DATA_NAME_LOOP, RESULT as DATA_NAME_RESULT, SCOPE as DATA_NAME_RESULT_SCOPE
from {package}.recall import apply_recall_result, get_recall_scope
"""

# point/name of a file -> what it calls; those of the memory plugin first
_MEMORY_EXTENSIONS = {
    "monologue_start/_10_memory_init": "await core.open_memory(self.agent)",
    "message_loop_prompts_after/_50_recall_memories": "await recall.start(self.agent, loop_data)",
    "message_loop_prompts_after/_91_recall_wait": "await recall.wait(self.agent, loop_data)",
    "monologue_end/_50_memorize_fragments": 'memorize.start(self.agent, "fragments")',
    "monologue_end/_51_memorize_solutions": 'memorize.start(self.agent, "solutions")',
}
_CORE_EXTENSIONS = {
    "system_prompt/_10_system_prompt": "core.add_system_prompt(self.agent, system_prompt)",
    "message_loop_prompts_after/_60_include_current_datetime": "core.add_datetime(self.agent, loop_data)",
    "message_loop_end/_90_save_chat": "core.save_chat(self.agent)",
}
_TOOLS = {"memory_save": "save", "memory_load": "load", "memory_delete": "delete", "memory_forget": "forget"}

#: The host's own prompts; those of its memory plugin are told by their names.
_PROMPTS = Path(__file__).with_name("prompt_files")
_OF_MEMORY = ("memory.", "agent.system.memories.", "agent.system.solutions.")


def write_host_files(machine: Machine) -> None:
    """Lay out a freshly installed host below the machine's root; files that exist are kept."""
    traits, root = machine.traits, machine.root
    folders = ["usr/projects", "agents/agent0", "agents/default", traits.memory_root]
    for folder in [*folders, "usr/plugins"] if traits.has_plugins else folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    _write_landmarks(machine)
    for point_root, extensions in (
        (traits.memory_point_root, _MEMORY_EXTENSIONS),
        (traits.point_root, _CORE_EXTENSIONS),
    ):
        for file, call in extensions.items():
            _write(root / point_root / f"{file}.py", _extension(machine, file, call))
    for tool, function in _TOOLS.items():
        name = tool.title().replace("_", "")
        text = _TOOL.format(helpers=traits.helpers, package=__package__, name=name, function=function)
        _write(root / traits.memory_tool_root / f"{tool}.py", text)
    for prompt in _PROMPTS.iterdir():
        folder = traits.memory_prompt_root if prompt.name.startswith(_OF_MEMORY) else "prompts"
        _write(root / folder / prompt.name, prompt.read_text().removesuffix("\n"))
    if traits.has_plugins:
        plugin = root / "plugins/_memory"
        _write(plugin / "plugin.yaml", yaml.safe_dump({"name": "_memory", "title": "Memory"}))
        _write(plugin / "default_config.yaml", yaml.safe_dump(config.shipped_plugin_config(machine)))


def _write_landmarks(machine: Machine) -> None:
    """Write files by which an installer tells a host and its generation; the model never reads them."""
    traits = machine.traits
    searches = "It finds folders through subagents.get_paths." if traits.searches_user_folders else ""
    modules = ["agent", "initialize", "models", "run_ui", traits.memory_module, f"{traits.helpers}.extension"]
    modules += [f"{traits.helpers}.plugins"] if traits.has_plugins else ["python.__init__"]
    for module in modules:
        _write(machine.root / f"{module.replace('.', '/')}.py", f'"""Stands for a file of the host. {searches}"""\n')


def _extension(machine: Machine, file: str, call: str) -> str:
    """Return the text of an extension. In A every one is a coroutine; in B and C only those that await."""
    is_async = machine.traits.always_awaits or call.startswith("await ")
    return _EXTENSION.format(
        helpers=machine.traits.helpers,
        package=__package__,
        imports=_imports(machine, file).format(package=__package__),
        name=file.partition("/_")[2][3:].title().replace("_", ""),
        prefix="async " if is_async else "",
        call=call,
    )


def _imports(machine: Machine, file: str) -> str:
    """Return what other code imports from the recall file, and the wait file's own import of it."""
    if file.endswith("_91_recall_wait"):
        package = machine.traits.memory_point_root.replace("/", ".")
        return f"from {package}.{_RECALL_FILE} import DATA_NAME_TASK\n"
    if not file.endswith("_50_recall_memories"):
        return ""
    return _RECALL_NAMES + (_RESULT_NAMES if machine.traits.recall_returns_result else "")


def _write(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
