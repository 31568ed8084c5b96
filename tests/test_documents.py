"""The README and the pages of `docs/` are held to the code: what there is they name, and what they name exists.

That what they show is true is proved by `test_document_examples.py`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import memory_ledger
import pytest
from documents import (
    ARCHITECTURE,
    CONTRIBUTING,
    PAGES,
    README,
    ROOT,
    anchors,
    blocks,
    documented_files,
    links,
    pages_with,
    table_rows,
)
from memory_ledger import cli
from memory_ledger.cli.app import SECTIONS
from memory_ledger.records import LEDGER_KEYS, Classification, Lineage, Quality, Relevance, Source, Utility, Validity
from memory_ledger.setting_form import list_sections
from memory_ledger.settings import list_settings
from surface_docs import render

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LONGEST_DEFAULT = 60
ELSEWHERE = "see `default_config.yaml`"
KEYS_HEADER = "| Key | Field | Values |"
COMMANDS = table_rows("docs/commands.md", "| Command | What it does | More |")
FIGURES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/benchmarks").glob("*.md"))
#: A newcomer reads so many lines, and not more.
LONGEST_README = 150
#: Every language of a block, and what holds it to the code.
LANGUAGES = {
    "console": "run", "bash-session": "run", "demo": "run", "answer": "run", "python": "run", "json": "read",
    "sh": "needs Agent Zero, Docker or a network; what it calls is looked at", "text": "the tree of the structure",
    "install": "run", "picture": "its names are looked for", "diff": "a change that was made",
}  # fmt: skip
SHELL_STARTS = ("make ", "python3 install.py ", "docker ", "/opt/venv-a0/bin/pip install ")
#: What a module writes or reads by name, as a JSON, key, lock or index file.
FILE_NAME = re.compile(r"[\w/.]*\w\.(?:jsonl?|key|lock|part|faiss|pkl)")
#: Named in the code, and not written by the pack where it runs.
NOT_WRITTEN = {
    "agent.json": "Agent Zero's, an agent profile",
    "config.json": "Agent Zero's, what its user has configured",
    "embedding.json": "Agent Zero's, which model embeds",
    "execute_record.json": "Agent Zero's, when Execute was pressed last, and how that ended",
    "index.faiss": "Agent Zero's, the vectors",
    "index.json": "SoulScript's, the list of notes",
    "knowledge_import.json": "Agent Zero's, which knowledge files are in",
    "settings.json": "Agent Zero's, its settings",
    "tables.json": "this project's, the tables of words",
    "weights.json": "this project's, what marks a pair as possibly at odds",
}


# --- settings and memories -------------------------------------------------------------------------------------------


def test_the_settings_table_is_settings():
    """C-72: every setting with its default and its description, in the same order."""
    wanted = []
    for name, field, value in list_settings():
        default = json.dumps(value, ensure_ascii=False)
        shown = f"`{default}`" if len(default) <= LONGEST_DEFAULT else ELSEWHERE
        wanted.append([f"`{name}`", shown, field.description])
    assert table_rows("docs/settings.md", "| Setting | Default | Meaning |") == wanted


@pytest.mark.parametrize("axis", [Validity, Relevance, Utility, Source])
def test_every_axis_value_is_explained(axis):
    rows = table_rows("docs/memories.md", KEYS_HEADER)
    row = next(row for row in rows if row[1] == f"`{axis.__name__.lower()}`")
    assert set(re.findall(r"`(\w+)`", row[2])) == {one.value for one in axis}


def test_every_stored_key_is_named_once():
    """The first cell stands for the rows below it that have none."""
    named: dict[str, list[str]] = {}
    key = ""
    for first, fields, _ in table_rows("docs/memories.md", KEYS_HEADER):
        key = first.strip("`") or key
        named.setdefault(key, []).extend(re.findall(r"`(\w+)`", fields))
    quality = [field.alias or name for name, field in Quality.model_fields.items()]
    wanted = dict(zip(LEDGER_KEYS, ([*Classification.model_fields], [*Lineage.model_fields], quality, []), strict=True))
    assert {key: sorted(fields) for key, fields in named.items()} == {
        key: sorted(fields) for key, fields in wanted.items()
    }


# --- files -----------------------------------------------------------------------------------------------------------


def test_every_file_that_the_code_names_has_its_undo():
    """Read from the code itself, so that a new file cannot be forgotten."""
    named = {
        Path(node.value).name
        for folder in ("helpers", "installer")
        for module in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and FILE_NAME.fullmatch(node.value)
    }
    assert len(named) > 30
    assert named - set(documented_files()) == set(NOT_WRITTEN)


@pytest.mark.parametrize(
    "name",
    [
        "damaged-*/",
        "ledger_transfers/",
        "faiss/",
        "context/memory/",
        "usr/system/logs/YYYYMMDD.log",
        "usr/plugins/memory_ledger/",
        *(path.name for folder in ("tools", "prompts") for path in sorted((ROOT / folder).glob("*.*"))),
    ],
)
def test_what_else_is_written_has_its_undo(name):
    assert name in documented_files()


# --- commands and tools ----------------------------------------------------------------------------------------------


def test_what_is_written_from_the_tables_is_up_to_date():
    """Issue 47: the tool's prompt, and the tables of its verbs and of the commands."""
    made = render(ROOT)
    assert {name: (ROOT / name).read_text("utf-8") for name in made} == made


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row[0].strip("`"))
def test_a_commands_page_names_its_verbs_and_options_and_shows_it(row, capsys):
    """Or the page of all commands does, for what they have in common."""
    command = row[0].strip("`")
    ((place, _),) = links(row[2])
    page = Path("docs", place or "commands.md").as_posix().replace("docs/../", "")
    text, common = PAGES[page], PAGES["docs/commands.md"].partition("## ")[2]
    assert re.search(rf"^\$ .*memory-ledger {command}\b", text, re.MULTILINE) or command == "demo"
    for verb in _named_in_help(capsys, [command]):
        assert re.search(rf"`{verb}`|\b{command} {verb}\b", text), verb
        for option in _options(capsys, [command, verb]):
            assert option in text or option in common, f"{verb} {option}"
    for option in _options(capsys, [command]):
        assert option in text or option in common, option


def test_every_verb_of_the_installer_is_named():
    result = subprocess.run([sys.executable, ROOT / "install.py", "--help"], capture_output=True, text=True, check=True)
    for verb in ("install", "uninstall", "status", "doctor"):
        assert verb in result.stdout
        assert re.search(rf"\[?{verb}\]? FOLDER", PAGES["docs/install.md"])
    for option in set(re.findall(r"--[a-z][a-z-]+", result.stdout)) - {"--help"}:
        assert option in PAGES["docs/install.md"]


# --- pages, blocks and links -----------------------------------------------------------------------------------------


def test_the_readme_can_be_read():
    """How to install, and what that and the demo print, stand on its first screen, before any table."""
    lines = PAGES[README].splitlines()
    table = next(number for number, line in enumerate(lines) if line.startswith("|"))
    assert len(lines) <= LONGEST_README
    assert max(lines.index(f"```{language}") for language in ("sh", "install", "demo")) < min(table, 40)


def test_the_readme_leads_to_every_page():
    indexed = [place for row in table_rows(README, "| Page | What it covers |") for place, _ in links(row[0])]
    assert sorted(indexed) == sorted([*(set(PAGES) - {README, ARCHITECTURE, CONTRIBUTING}), "docs/benchmarks"])


@pytest.mark.parametrize("path", [*PAGES, "CHANGELOG.md", *FIGURES])
def test_links_lead_somewhere(path):
    """To a file or folder that is there, and to a heading that it has."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for place, anchor in links(text):
        target = (ROOT / path).parent / place if place else ROOT / path
        assert target.exists(), place
        assert not anchor or anchors(target.read_text(encoding="utf-8")).count(anchor) == 1, f"{place}#{anchor}"


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_left_alone(page):
    """A language that nobody knows would be shown, and run by nobody; so would a fence that is not closed."""
    assert {language for language, _ in blocks(page)} <= set(LANGUAGES)
    assert PAGES[page].count("```") == 2 * len(blocks(page))
    for _, block in blocks(page, "sh"):
        assert all(line.startswith(SHELL_STARTS) for line in block.splitlines())


def test_both_commands_stand_in_the_makefile():
    """And every other target that a page names."""
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"make demo", "make test"} <= {line for _, block in blocks(README, "sh") for line in block.splitlines()}
    named = {target for text in PAGES.values() for target in re.findall(r"\bmake ([a-z][a-z-]*)[`\n]", text)}
    assert {"demo", "test"} <= named <= set(targets)


def test_the_structure_tree_names_what_is_there():
    """Each line: names, two spaces or more, what they are; indented lines lie in the folder above them."""
    assert pages_with("text") == [ARCHITECTURE]
    ((_, tree),) = blocks(ARCHITECTURE, "text")
    folders = {0: ROOT}  # by the depth of the lines that lie in them
    for line in tree.splitlines():
        depth = len(line) - len(line.lstrip())
        *groups, _ = re.split(r"\s{2,}", f"{line.strip()}{'' if '  ' in line.strip() else '  '}")
        for name in " ".join(groups).split():
            assert list(folders[depth].glob(name.replace("<hook>", "*").rstrip("/"))), name
            folders[depth + 2] = folders[depth] / name


def test_the_picture_names_what_is_there():
    """Folders and files of the pack, most of them in `helpers/`."""
    assert pages_with("picture") == [ARCHITECTURE]
    ((_, picture),) = blocks(ARCHITECTURE, "picture")
    names = re.findall(r"[a-z_]+(?:/|\.py)(?=\s|$)", picture, re.MULTILINE)
    assert len(names) > 20
    assert [name for name in names if not any((ROOT / place / name).exists() for place in ("", "helpers"))] == []


@pytest.mark.parametrize(("path", "name"), re.findall(r"`([\w/]+\.(?:py|toml))(?:: (\w+))?`", PAGES[ARCHITECTURE]))
def test_a_file_of_the_architecture_is_there(path, name):
    """With the function or class that is named beside it."""
    (text,) = [(at / path).read_text(encoding="utf-8") for at in (ROOT / "helpers", ROOT) if (at / path).is_file()]
    assert not name or name in {getattr(node, "name", "") for node in ast.parse(text).body}


@pytest.mark.parametrize("page", sorted(set(PAGES) - {"docs/slots.md", "docs/systems.md"}))
def test_no_row_of_a_table_stands_twice(page):
    """The same row twice is the same fact twice; only the header of a table may be that of another one."""
    lines = [*PAGES[page].splitlines(), ""]
    rows = [line for line, below in pairwise(lines) if line.startswith("| ") and not below.startswith("|---")]
    assert len(set(rows)) == len(rows)


def test_versions_agree():
    assert f"Version {memory_ledger.__version__}." in PAGES[README]
    assert re.search(r"^## \[(.+?)\]", CHANGELOG, re.MULTILINE)[1] == memory_ledger.__version__


def _named_in_help(capsys, arguments: list[str]) -> list[str]:
    """Return the names of all commands, or of the verbs of one, from its own help."""
    assert cli.main([*arguments, "--help"]) == 0
    sections = re.findall(r"^(\w.*):\n((?:  .*\n)+)", capsys.readouterr().out, re.MULTILINE)
    named = (lines for title, lines in sections if title in SECTIONS or title == "Commands")
    return [one for lines in named for one in re.findall(r"^  ([a-z-]+)", lines, re.MULTILINE)]


def _options(capsys, arguments: list[str]) -> set[str]:
    assert cli.main([*arguments, "--help"]) == 0
    told = capsys.readouterr().out.partition("Examples:")[0]
    return set(re.findall(r"--[a-z][a-z-]+", told)) - {"--help"}


def test_every_number_that_a_user_sees_is_explained():
    """In the pages, the defaults and the schemas, and as the rule of a change; the page of settings shows none."""
    pages = [text for name, text in PAGES.items() if name != "docs/specification.md"]
    shown = [*pages, CHANGELOG, (ROOT / "default_config.yaml").read_text("utf-8")]
    shown += [path.read_text("utf-8") for folder in ("config", "webui", "prompts") for path in _files_in(folder)]
    numbers = {one for text in shown for one in re.findall(r"\b[CEQVMT]-\d{2}\b", text)}
    sources = [path.read_text("utf-8") for path in (ROOT / "helpers").rglob("*.py")]
    numbers |= {one for text in sources for one in re.findall(r'"([CEQVMT]-\d{2})"', text)}
    explained = [row[0] for row in table_rows("docs/specification.md", "| Number | What it says |")]
    assert sorted(explained) == sorted(numbers)
    assert not re.search(r"\b[CEQVMT]-\d{2}\b", json.dumps(list_sections()))


def _files_in(folder):
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in (".json", ".html", ".js", ".md")]
