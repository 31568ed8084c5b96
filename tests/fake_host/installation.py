"""The files of a host: its own extensions, tools, prompts and plugin folders, written below a root.

The host's extensions are real files, found by the same rules as those of a pack. Each only calls the model.
"""

from pathlib import Path

import yaml

from . import config
from .machine import Machine
from .tools import ToolCall

_EXTENSION = '''"""Stands for the host's own extension of this name."""

from {helpers}.extension import Extension

from {package} import {room}
{imports}

class {name}(Extension):
    {prefix}def execute(self, {arguments}**kwargs):
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

_LOOP = "loop_data=None, "
_RECALL_FILE = "message_loop_prompts_after._50_recall_memories"
_RECALL_NAMES = "from {package}.recall import ITERATION as DATA_NAME_ITER, TASK as DATA_NAME_TASK\n"
_RESULT_NAMES = """\
from {package}.recall import LOOP as DATA_NAME_LOOP, RESULT as DATA_NAME_RESULT, SCOPE as DATA_NAME_RESULT_SCOPE
from {package}.recall import apply_recall_result, get_recall_scope
"""

# file (point/name) -> class, room, call, arguments; those of the memory plugin first
_MEMORY_EXTENSIONS = {
    "monologue_start/_10_memory_init": ("MemoryInit", "core", "await core.open_memory(self.agent)", _LOOP),
    "message_loop_prompts_after/_50_recall_memories": (
        "RecallMemories",
        "recall",
        "await recall.start(self.agent, loop_data)",
        _LOOP,
    ),
    "message_loop_prompts_after/_91_recall_wait": (
        "RecallWait",
        "recall",
        "await recall.wait(self.agent, loop_data)",
        _LOOP,
    ),
    "monologue_end/_50_memorize_fragments": (
        "MemorizeMemories",
        "memorize",
        'memorize.start(self.agent, "fragments")',
        _LOOP,
    ),
    "monologue_end/_51_memorize_solutions": (
        "MemorizeSolutions",
        "memorize",
        'memorize.start(self.agent, "solutions")',
        _LOOP,
    ),
}
_CORE_EXTENSIONS = {
    "system_prompt/_10_system_prompt": (
        "SystemPrompt",
        "core",
        "core.add_system_prompt(self.agent, system_prompt)",
        "system_prompt=None, ",
    ),
    "message_loop_prompts_after/_60_include_current_datetime": (
        "IncludeCurrentDatetime",
        "core",
        "core.add_datetime(self.agent, loop_data)",
        _LOOP,
    ),
    "message_loop_end/_90_save_chat": ("SaveChat", "core", "core.save_chat(self.agent)", _LOOP),
    "monologue_end/_90_waiting_for_input_msg": (
        "WaitingForInputMsg",
        "core",
        "core.show_waiting(self.agent)",
        _LOOP,
    ),
}
_TOOLS = {"memory_save": "save", "memory_load": "load", "memory_delete": "delete", "memory_forget": "forget"}

_MEMORIES = "# Memories\n- they may not be relevant\n\n{{memories}}"
_SOLUTIONS = "# Solutions\n- they may not be relevant\n\n{{solutions}}"
_MEMORY_PROMPTS = {
    "agent.system.memories.md": _MEMORIES,
    "agent.system.solutions.md": _SOLUTIONS,
    "memory.recall_delay_msg.md": "Memories are being recalled and will come with the next message.",
    "memory.memories_query.sys.md": "Utility step: write a search query.",
    "memory.memories_query.msg.md": "Message:\n{{message}}\n\nHistory:\n{{history}}",
    "memory.memories_filter.sys.md": "Utility step: choose relevant memories.",
    "memory.memories_filter.msg.md": "Memories:\n{{memories}}\n\nMessage:\n{{message}}\n\nHistory:\n{{history}}",
    "memory.memories_sum.sys.md": "Utility step: extract facts.",
    "memory.solutions_sum.sys.md": "Utility step: extract solutions.",
    "memory.keyword_extraction.sys.md": "Utility step: extract keywords.",
    "memory.keyword_extraction.msg.md": "Memory:\n{{memory_content}}",
    "memory.consolidation.sys.md": "Utility step: consolidate.",
    "memory.consolidation.msg.md": (
        "Area {{area}}, new memory:\n{{new_memory}}\n\nIts metadata:\n{{new_memory_metadata}}\n\n"
        "Similar:\n{{similar_memories}}"
    ),
}
_CORE_PROMPTS = {
    "agent.system.main.md": "# System\nYou are a scripted agent.",
    "agent.system.datetime.md": "Now: {{date_time}}",
    "agent.context.extras.md": "[EXTRAS]\n{{extras}}",
    "agent.context.protocol.md": "[PROTOCOL]\n{{protocol}}",
    "fw.ai_response.md": "{{message}}",
    "fw.warning.md": '~~~json\n{\n  "system_warning": {{message}}\n}\n~~~',
    "fw.msg_critical_error.md": "An error happened: {{error_message}}. Go on if you can.",
    "fw.user_message.md": (
        '```json\n{\n  "system_message": {{system_message}},\n  "user_message": {{message}},\n'
        '  "attachments": {{attachments}}\n}\n```'
    ),
    "fw.msg_misformat.md": "No tool was called: answer with one JSON object.",
    "fw.msg_repeat.md": "That was said before: say something else.",
    "fw.msg_thoughts_fallback.md": "That was plain text: call a tool.",
    "fw.intervention.md": (
        '```json\n{\n  "system_message": {{system_message}},\n  "user_intervention": {{message}},\n'
        '  "attachments": {{attachments}}\n}\n```'
    ),
}


def write_host_files(machine: Machine, greeting: str) -> None:
    """Lay out a freshly installed host below the machine's root; files that exist are kept."""
    traits, root = machine.traits, machine.root
    folders = ["usr/projects", "agents/agent0", "agents/default", traits.memory_root]
    for folder in [*folders, "usr/plugins"] if traits.has_plugins else folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    _write_landmarks(machine)
    for file, parts in _MEMORY_EXTENSIONS.items():
        _write(root / traits.memory_point_root / f"{file}.py", _extension(machine, file, *parts))
    for file, parts in _CORE_EXTENSIONS.items():
        _write(root / traits.point_root / f"{file}.py", _extension(machine, file, *parts))
    if greeting:
        _write(root / "prompts/fw.initial_message.md", ToolCall("response", {"text": greeting}).as_model_output())
        text = _extension(machine, "", "InitialMessage", "core", "core.greet(self.agent)", "")
        _write(root / traits.point_root / "agent_init/_10_initial_message.py", text)
    for tool, function in _TOOLS.items():
        text = _TOOL.format(
            helpers=traits.helpers,
            package=__package__,
            name=tool.title().replace("_", ""),
            function=function,
        )
        _write(root / traits.memory_tool_root / f"{tool}.py", text)
    for file, text in _MEMORY_PROMPTS.items():
        _write(root / traits.memory_prompt_root / file, text)
    for file, text in _CORE_PROMPTS.items():
        _write(root / "prompts" / file, text)
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


def _extension(machine: Machine, file: str, name: str, room: str, call: str, arguments: str) -> str:
    """Return the text of an extension. In A every one is a coroutine; in B and C only those that await."""
    is_async = machine.traits.always_awaits or call.startswith("await ")
    return _EXTENSION.format(
        helpers=machine.traits.helpers,
        package=__package__,
        room=room,
        imports=_imports(machine, file).format(package=__package__),
        name=name,
        prefix="async " if is_async else "",
        arguments=arguments,
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
