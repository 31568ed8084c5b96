"""The word classes of the language tables are data with examples, as those of the claims are (T-03, T-67).

An example holds three texts or four, keyed by the classes that it proves. Of the words of grammar, names and slots the
first two texts contradict each other; of those by which an author is found the second is a memory of the first, in
which a question of the agent's stands before "//". For the last two, or the first and the last of three, it is not so.
Of six texts the first four are two sayings, each with its memory, of which the second replaces the first; the last two
in their place do not.
"""

import multiprocessing
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from decided_without import decide, decide_without
from memory_ledger.language import tables

PACK = Path(memory_ledger.__file__).parent
ROOMS = {
    "frames": PACK / "claims" / "slots",
    "lexicon": PACK / "language",
    "multi_valued": PACK / "claims" / "slots",
    "names": PACK / "claims" / "values",
    "places": PACK / "claims" / "values",
    "polar_words": PACK / "claims" / "polarity",
    "vocabulary": PACK / "language",
}
#: Sections of which every member is tried (in `claims`: `test_alternatives`, `test_state_words`, `test_told_states`).
BY_MEMBER = ("zones", "levels", "kinds_of", "being", "telling", "done_to")
TABLES = {name: tomllib.loads((room / f"{name}.toml").read_text("utf-8")) for name, room in ROOMS.items()}
EXAMPLES = [(name, keys, texts) for name, table in TABLES.items() for keys, texts in table["examples"].items()]


def _classes(table, above=""):
    for key, part in table.items():
        if isinstance(part, dict) and key != "examples":
            yield from () if key in BY_MEMBER else _classes(part, f"{above}{key}.")
        elif not isinstance(part, dict):
            yield f"{above}{key}"


@pytest.mark.parametrize("name", TABLES)
def test_every_class_has_an_example(name):
    proved = {key for table, keys, _ in EXAMPLES if table == name for key in keys.split()}
    listed = set(_classes(TABLES[name]))
    assert proved == listed


@pytest.mark.parametrize(("name", "keys", "texts"), EXAMPLES, ids=[f"{name}-{keys}" for name, keys, _ in EXAMPLES])
def test_an_example_shows_what_a_class_says_and_what_it_does_not(name, keys, texts):
    assert [outcome != "not" for outcome in decide(texts, name)] == [True, False]


@pytest.mark.long
def test_without_a_class_its_example_comes_out_otherwise():
    jobs = [
        (ROOMS[name] / tables.COMPILED, (name, *key.split(".")), texts)
        for name, keys, texts in EXAMPLES
        for key in keys.split()
    ]
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        found = pool.starmap(decide_without, jobs, chunksize=1)
    assert [job[1] for job, one in zip(jobs, found, strict=True) if one == decide(job[2], job[1][0])] == []
