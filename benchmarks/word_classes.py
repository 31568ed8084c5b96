"""Which word classes decide anything: `python benchmarks/word_classes.py` empties one after the other.

Prints, class by class, of how many pairs the outcome changes without its words: contradictions and harmless pairs of
the own tables, contradictions of the development part, and of the parts that nobody reads (their number only). A class
that changes nothing is listed twice, or not needed, or a guard without an example. Minutes on two cores.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(_ROOT / folder) for folder in ("tests", "tests/claims")]

import memory_ledger  # noqa: E402
from contradictions_data import read_blind  # noqa: E402
from memory_ledger.language import tables  # noqa: E402

Class = tuple[Path, str, str]
_PARTS = ("contradictions", "harmless", "development", "unseen")
#: So many letters at the beginning tell which texts may hold a form of a word.
_ROOT_LETTERS = 4


def main() -> int:
    """Print a line for each class, those first that decide nothing."""
    classes = [
        (path.parent, section, name)
        for path in sorted((Path(memory_ledger.__file__).parent / "claims").glob("*/word_classes.toml"))
        for section, table in tomllib.loads(path.read_text("utf-8")).items()
        for name in _names(table)
    ]
    with get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        found = pool.imap(_changes, classes, chunksize=1)
        rows = [(sum(counts.values()), name, counts) for (_, *name), counts in zip(classes, found, strict=True)]
    for _, name, counts in sorted(rows, key=lambda row: row[:2]):
        print(".".join(name), *(f"{part} {counts[part]}" for part in _PARTS if counts[part]), sep="\t")
    return 0


def _names(table: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, part in table.items():
        if isinstance(part, str):
            yield f"{above}{key}"
        elif isinstance(part, dict) and key != "examples":
            yield from _names(part, f"{above}{key}.")


def _changes(one: Class) -> Counter[str]:
    """Return the parts of the pairs whose outcome changes; in a process of its own, which has read no table yet."""
    room, section, name = one
    table = tables._tables(room / tables.COMPILED)["word_classes"][section]
    *above, last = name.split(".")
    for key in above:
        table = table[key]
    words, table[last] = table[last], "-"
    without = _outcomes(words)
    tables._tables.cache_clear()
    for module in [module for module in sys.modules if module.startswith(f"{memory_ledger.__name__}.claims")]:
        del sys.modules[module]
    return Counter(part for part, *_ in {pair for pair, _ in _outcomes(words) ^ without})


def _outcomes(words: str) -> set[tuple[tuple[str, str, str], str]]:
    """Return what becomes of each pair that may hold one of the words."""
    from memory_ledger.claims import compare_texts
    from memory_ledger.language.verbs import forms
    from pair_tables import CONTRADICTIONS, HARMLESS

    known = _words_of(words)
    known |= {form for form, (lemma, _) in forms().items() if lemma in known}
    roots = {word[:_ROOT_LETTERS] for word in known}
    pairs = [("contradictions", *row[-2:]) for row in CONTRADICTIONS]
    pairs += [("harmless", *way) for row in HARMLESS for way in (row[-2:], row[:-3:-1])]
    for part, name in (("development", "development"), ("unseen", "held_out"), ("unseen", "kinds_held_out")):
        pairs += [(part, one.older, one.newer) for one in read_blind(name) if one.is_contradiction]
    held = [pair for pair in pairs if roots & {word[:_ROOT_LETTERS] for word in _words_of(*pair[1:])}]
    return {(pair, f"{found.relation} {found.is_open}") for pair in held for found in [compare_texts(*pair[1:])]}


def _words_of(*texts: str) -> set[str]:
    return set(re.findall(r"\w+", " ".join(texts).casefold()))


if __name__ == "__main__":
    sys.exit(main())
