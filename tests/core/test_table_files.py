"""Words are data: what is read at run time is what the TOML tables say, and it comes with the pack (C-74)."""

import tomllib
from pathlib import Path

import pytest
import table_files
from memory_ledger.language.tables import COMPILED, read_table

ROOT = Path(__file__).resolve().parents[2]
ROOMS = table_files.rooms(ROOT)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_compiled_tables_are_what_the_sources_say(room):
    assert (room / COMPILED).read_text("utf-8") == table_files.render_tables(room)


def test_the_command_writes_them(tmp_path):
    room = tmp_path / "helpers" / "room"
    room.mkdir(parents=True)
    source = 'words = """\n  a b\n  c\n"""\n[[row]]\nsays = "x"\nexamples = ["y"]\ncounterexamples = ["z"]\n'
    (room / "one.toml").write_text(source)
    assert table_files.main([str(tmp_path)]) == 0
    assert read_table(str(room / "module.py"), "one") == {"words": "a b c", "row": [{"says": "x"}]}
    assert table_files.main([]) == 2


def test_every_table_is_installed():
    """What `pip install` copies holds the compiled tables of every room, and no room has lost its own."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    names = [".".join(("memory_ledger", *room.relative_to(ROOT / "helpers").parts)) for room in ROOMS]
    assert sorted(name for name, data in listed.items() if COMPILED in data) == sorted(names)
    assert sorted(path.parent for path in (ROOT / "helpers").rglob(COMPILED)) == ROOMS
