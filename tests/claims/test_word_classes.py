"""The word classes of the claims are data with examples: texts that show a class at work, and where it ends (T-03).

An example of a section is keyed by the classes that it proves, and holds three texts or four: the first two contradict
each other, the last two, or the first and the last of three, do not. Without a class one of them comes out otherwise.
"""

import multiprocessing
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from decided_without import decide, decide_without
from memory_ledger.language import tables

CLAIMS = Path(memory_ledger.__file__).parent / "claims"


def _classes(table, name=""):
    for key, part in table.items():
        if isinstance(part, dict) and key != "examples":
            yield from _classes(part, f"{name}{key}.")
        elif isinstance(part, str):
            yield f"{name}{key}"


SECTIONS = {
    (path.parent, name): section
    for path in sorted(CLAIMS.glob("*/word_classes.toml"))
    for name, section in tomllib.loads(path.read_text("utf-8")).items()
}
EXAMPLES = [
    (room, section, names, texts)
    for (room, section), table in SECTIONS.items()
    for names, texts in table.get("examples", {}).items()
]
IDS = [f"{section}-{names}" for _, section, names, _ in EXAMPLES]


def test_every_class_has_an_example():
    proved = {(room, section, name) for room, section, names, _ in EXAMPLES for name in names.split()}
    listed = {(room, section, name) for (room, section), table in SECTIONS.items() for name in _classes(table)}
    assert proved == listed


@pytest.mark.parametrize("texts", [texts for *_, texts in EXAMPLES], ids=IDS)
def test_an_example_shows_what_contradicts_and_what_does_not(texts):
    assert [outcome != "not" for outcome in decide(texts)] == [True, False]


@pytest.mark.long
def test_without_a_class_its_example_comes_out_otherwise():
    jobs = [
        (room / tables.COMPILED, ("word_classes", section, *name.split(".")), texts)
        for room, section, names, texts in EXAMPLES
        for name in names.split()
    ]
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        found = pool.starmap(decide_without, jobs, chunksize=1)
    assert [job[1] for job, decided in zip(jobs, found, strict=True) if decided == decide(job[2])] == []
