"""Prompt files: find, substitute, then expand include directives (contract trap 27).

The order is the point: a value that contains `{{ include 'x.md' }}` pulls that file into the prompt.
"""

import json
import re
from pathlib import Path
from typing import Any

_FENCES = re.compile(r"(```|~~~)(.*?\n)(.*?)(\1)", re.DOTALL)
_JSON_TEMPLATE = re.compile(r"\s*(```|~~~)\s*json\s*\n.*?\n\1\s*", re.DOTALL)
_INCLUDE = re.compile(r"{{\s*include\s*['\"](.*?)['\"]\s*}}")


def find_prompt(file: str, folders: list[str]) -> Path:
    """Return the first `file` in `folders`; raise FileNotFoundError otherwise."""
    for folder in folders:
        path = Path(folder, file)
        if path.is_file():
            return path
    raise FileNotFoundError(f"prompt {file!r} is in none of {folders}")


def is_json_template(text: str) -> bool:
    """Return whether the whole text is one fenced JSON block."""
    return bool(_JSON_TEMPLATE.fullmatch(text.strip()))


def without_fences(text: str) -> str:
    """Drop code fences, keep what they hold."""
    return _FENCES.sub(lambda match: match.group(3), text)


def parse_prompt(file: str, folders: list[str], values: dict[str, Any]) -> Any:
    """Return a dict for a JSON template, else text; only text expands includes."""
    raw = find_prompt(file, folders).read_text()
    content = without_fences(raw)
    if is_json_template(raw):
        for key, value in values.items():
            content = content.replace("{{" + key + "}}", json.dumps(value))
        return json.loads(content)
    return _include(_substitute(content, values), folders, values)


def read_prompt(file: str, folders: list[str], values: dict[str, Any], *, unfences_always: bool = False) -> str:
    """Return the text of a prompt; A1 strips code fences from every prompt, later only from templates."""
    content = _read(file, folders, values)
    return without_fences(content) if unfences_always or is_json_template(content) else content


def _read(file: str, folders: list[str], values: dict[str, Any]) -> str:
    raw = find_prompt(file, folders).read_text()
    return _include(_substitute(raw, values), folders, values)


def _substitute(content: str, values: dict[str, Any]) -> str:
    for key, value in values.items():
        content = content.replace("{{" + key + "}}", str(value))
    return content


def _include(content: str, folders: list[str], values: dict[str, Any]) -> str:
    def expand(match: re.Match[str]) -> str:
        if Path(match.group(1)).is_absolute():
            return match.group(0)
        try:
            return _read(match.group(1), folders, values)
        except FileNotFoundError:
            return match.group(0)

    return _INCLUDE.sub(expand, content)
