"""The word classes of modality are data with examples: what every word of them makes of a sentence (T-03).

The first text of an example is read as its class says, in a memory and, of a class that is spoken, in what is said. The
second one is a fact, and without the class the first one is a fact as well.
"""

import multiprocessing
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from decided_without import decide, decide_without
from memory_ledger.language import tables
from memory_ledger.language.modality import Modality

ROOM = Path(memory_ledger.__file__).parent / "language"
SECTIONS = {
    name: table
    for name, table in tomllib.loads((ROOM / "modality.toml").read_text("utf-8")).items()
    if name not in ("part", "pattern")
}
#: The classes that are not called as what they say, in a memory.
IN_MEMORIES = {"condition": "hypothesis"} | dict.fromkeys(
    ("unsure", "nearly", "roughly", "about", "weakening"), "estimate"
)
#: Those that say something else where somebody speaks.
IN_SPEECH = {"recommendation": "plan", "nearly": "plan", "hypothesis": "estimate"}
EXAMPLES = [(section, name, texts) for section, table in SECTIONS.items() for name, texts in table["examples"].items()]
IDS = [f"{section}-{name}" for section, name, _ in EXAMPLES]


def _readings(section, texts, found):
    """What is read of each of the `texts`, of what only a memory says in a memory."""
    return found if section == "spoken" else found[::2]


def _meant(section, name):
    in_memory = Modality(IN_MEMORIES.get(name, name))
    return [in_memory, IN_SPEECH.get(name, in_memory)] if section == "spoken" else [in_memory]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_class_has_an_example(section):
    assert sorted(SECTIONS[section]["examples"]) == sorted(SECTIONS[section].keys() - {"examples"})


@pytest.mark.parametrize(("section", "name", "texts"), EXAMPLES, ids=IDS)
def test_every_word_of_a_class_says_what_the_class_does(section, name, texts):
    words = SECTIONS[section][name].split()
    own = [word for word in texts[0].split() if word.lower() in words]
    assert len(own) == 1
    for word in words:
        read = decide([texts[0].replace(own[0], word), texts[1]], "modality")
        facts = [Modality.FACT] * len(_meant(section, name))
        assert _readings(section, texts, read) == [*_meant(section, name), *facts], word


@pytest.mark.long
def test_without_a_class_its_example_is_a_fact():
    jobs = [(ROOM / tables.COMPILED, ("modality", section, name), texts) for section, name, texts in EXAMPLES]
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        found = pool.starmap(decide_without, jobs, chunksize=1)
    kept = [
        f"{section}.{name}"
        for (section, name, texts), one in zip(EXAMPLES, found, strict=True)
        if set(_readings(section, texts, one)) != {Modality.FACT}
    ]
    assert kept == []
