"""The word classes of the language and of the claims are data with examples (T-03, T-67).

An example is keyed by the classes that it proves, and holds three texts or four. Of the words of grammar, names, slots
and claims the first two contradict each other; of those by which an author is found the second is a memory of the
first, in which a question of the agent's stands before "//". For the last two, or the first and last of three, it is
not so. Of six texts the first four are two sayings, each with its memory, of which the second replaces the first; the
last two in their place do not. Without a class one of them comes out otherwise.

Of modality the first text of an example is read as its class says, in a memory and, of a class that is spoken, in what
is said. The second one is a fact, and without the class the first one is a fact as well.
"""

import multiprocessing
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from decided_without import decide, decide_without
from memory_ledger.language import tables
from memory_ledger.language.modality import Modality
from rows import every_row

PACK = Path(memory_ledger.__file__).parent
ROOMS = {
    "frames": "claims/slots",
    "lexicon": "language",
    "multi_valued": "claims/slots",
    "names": "claims/values",
    "places": "claims/values",
    "polar_words": "claims/polarity",
    "vocabulary": "language",
}
#: Sections of which every member is tried (in `claims`: `test_alternatives`, `test_told_states`).
BY_MEMBER = ("zones", "levels", "kinds_of", "being", "telling", "done_to")


def _read(path):
    return tomllib.loads(path.read_text("utf-8"))


#: By where they lie, a room of the pack and the names that lead to them.
TABLES = {(PACK / room, (name,)): _read(PACK / room / f"{name}.toml") for name, room in ROOMS.items()} | {
    (path.parent, (path.stem, name)): section
    for path in sorted(PACK.glob("claims/*/word_classes.toml"))
    for name, section in _read(path).items()
}
EXAMPLES = [
    (room, names, keys, texts)
    for (room, names), table in TABLES.items()
    for keys, texts in table.get("examples", {}).items()
]


def _classes(table, only_texts, above=""):
    """Yield the names of the classes of a table; lists of a table of the claims are none."""
    for key, part in table.items():
        if isinstance(part, dict) and key != "examples":
            yield from () if key in BY_MEMBER else _classes(part, only_texts, f"{above}{key}.")
        elif isinstance(part, str) or not (only_texts or isinstance(part, dict)):
            yield f"{above}{key}"


def _decide_each_without(jobs):
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        return zip(jobs, pool.starmap(decide_without, jobs, chunksize=1), strict=True)


def test_every_class_has_an_example():
    proved = {(room, names, key) for room, names, keys, _ in EXAMPLES for key in keys.split()}
    assert proved == {
        (room, names, key)
        for (room, names), table in TABLES.items()
        for key in _classes(table, names[0] == "word_classes")
    }


@every_row((names[0], texts) for _, names, _, texts in EXAMPLES)
def test_an_example_shows_what_a_class_says_and_what_it_does_not(table, texts):
    assert [outcome != "not" for outcome in decide(texts, table)] == [True, False]


@pytest.mark.long
def test_without_a_class_its_example_comes_out_otherwise():
    jobs = [
        (room / tables.COMPILED, (*names, *key.split(".")), texts)
        for room, names, keys, texts in EXAMPLES
        for key in keys.split()
    ]
    assert [job[1] for job, found in _decide_each_without(jobs) if found == decide(job[2], job[1][0])] == []


MODALITY = PACK / "language" / "modality.toml"
SECTIONS = {name: table for name, table in _read(MODALITY).items() if name not in ("part", "pattern")}
#: The classes that are not called as what they say, in a memory.
IN_MEMORIES = {"condition": "hypothesis"} | dict.fromkeys(
    ("unsure", "nearly", "roughly", "about", "weakening"), "estimate"
)
#: Those that say something else where somebody speaks.
IN_SPEECH = {"recommendation": "plan", "nearly": "plan", "hypothesis": "estimate"}
OF_MODALITY = [
    (section, name, texts) for section, table in SECTIONS.items() for name, texts in table["examples"].items()
]


def _readings(section, found):
    """What is read of each text, of what only a memory says in a memory."""
    return found if section == "spoken" else found[::2]


def _meant(section, name):
    in_memory = Modality(IN_MEMORIES.get(name, name))
    return [in_memory, IN_SPEECH.get(name, in_memory)] if section == "spoken" else [in_memory]


@every_row(OF_MODALITY)
def test_every_word_of_a_class_of_modality_says_what_the_class_does(section, name, texts):
    assert SECTIONS[section].keys() - {"examples"} == SECTIONS[section]["examples"].keys()
    words = SECTIONS[section][name].split()
    (own,) = (word for word in texts[0].split() if word.lower() in words)
    facts = [Modality.FACT] * len(_meant(section, name))
    for word in words:
        read = decide([texts[0].replace(own, word), texts[1]], "modality")
        assert _readings(section, read) == [*_meant(section, name), *facts], word


@pytest.mark.long
def test_without_a_class_of_modality_its_example_is_a_fact():
    jobs = [(MODALITY.with_name(tables.COMPILED), ("modality", *names), texts) for *names, texts in OF_MODALITY]
    assert [job[1] for job, found in _decide_each_without(jobs) if set(_readings(job[1][1], found)) != {"fact"}] == []
