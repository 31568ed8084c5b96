"""What people and agents read about the surfaces, written from their tables: the tool's prompt, and two tables of docs.

    python generators/surface_docs.py FOLDER

writes the prompt of the tool into FOLDER, and the tables of `docs/tools.md` and `docs/commands.md` there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from generating import write_files
from memory_ledger.cli import declaring
from memory_ledger.host.tools.verbs import VERBS
from memory_ledger.language.tables import read_table

PROMPT, TOOLS, COMMANDS = "prompts/agent.system.tool.memory_ledger.md", "docs/tools.md", "docs/commands.md"
_TOOL_HEADER: Final = "| `verb` | What it is for | More |"
_COMMANDS_HEADER: Final = "| Command | What it does | More |"
#: A host takes the heading for the name of the tool, and what stands in backticks for its arguments.
_BEGINNING: Final = """\
### memory_ledger
what memory says, said before, and why; what must not be forgotten
args: `verb`; then `query` few words, `time`, `memory_id`, `conflict`, `keep`, `action`, `text`, `id`, `tier`, \
`topic_id`, `category`, `scope`, `note_ids`
"""


def render_prompt() -> str:
    """Return the prompt that describes the tool, a line for each verb."""
    return _BEGINNING + "".join(f"{name}: {_line_of(row)}\n" for name, row in VERBS.items()).rstrip("\n")


def _line_of(verb: Mapping[str, Any]) -> str:
    return "; ".join(filter(None, (verb["says"], verb.get("example")))) + verb.get("also", "")


def render_verbs() -> list[str]:
    """Return the rows of the table of verbs."""
    return [f"| `{name}` | {row['about']} | {row['page']} |" for name, row in VERBS.items()]


def render_commands(commands: Mapping[str, Any]) -> list[str]:
    """Return the rows of the table of commands, in the order of the help."""
    rows = ((name, commands[name]) for names in declaring.SECTIONS.values() for name in names)
    return [f"| `{name}` | {row['help']} | {row['page']} |" for name, row in rows]


def with_rows(page: str, header: str, rows: Iterable[str]) -> str:
    """Return a page whose table under `header` has these rows."""
    pattern = re.compile(rf"({re.escape(header)}\n\|[-|]+\|\n)(?:\|.*\n)*")
    return pattern.sub(lambda match: match[1] + "".join(f"{row}\n" for row in rows), page, count=1)


def render(folder: Path) -> dict[str, str]:
    """Return the files, by their places in `folder`."""
    commands = read_table(declaring.__file__, "commands")
    pages = {name: (folder / name).read_text("utf-8") for name in (TOOLS, COMMANDS)}
    return {
        PROMPT: render_prompt(),
        TOOLS: with_rows(pages[TOOLS], _TOOL_HEADER, render_verbs()),
        COMMANDS: with_rows(pages[COMMANDS], _COMMANDS_HEADER, render_commands(commands)),
    }


if __name__ == "__main__":
    sys.exit(write_files(sys.argv[1:], __doc__, render))
