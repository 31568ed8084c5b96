"""Read the public data sets for `make bench-contradictions`; nothing of them is part of this project.

A user puts them, gzipped, into the folder that MEMORY_LEDGER_BENCH_DATA names; `SOURCES` says where they come from.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

VARIABLE = "MEMORY_LEDGER_BENCH_DATA"
_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data"

#: folder -> (what it is, where it comes from, licence)
SOURCES = {
    "stsb": ("STS benchmark, dev and test", "https://github.com/PhilipMay/stsb-multi-mt", "CC BY-SA 4.0"),
    "breaking_nli": (
        "Breaking NLI, one-word substitutions",
        "https://github.com/BIU-NLP/Breaking_NLI",
        "CC BY-SA 4.0",
    ),
    "mquake_derived": (
        "pairs of an edited and a true fact, made from MQuAKE",
        "https://github.com/princeton-nlp/MQuAKE",
        "MIT",
    ),
    "locomo_open": ("LoCoMo conversations 0-4", "https://github.com/snap-research/locomo", "CC BY-NC 4.0"),
    "fact_consolidation": (
        "MemoryAgentBench FactConsolidation, single hop, 6k and 32k",
        "https://github.com/HUST-AI-HYZ/MemoryAgentBench",
        "MIT",
    ),
}


class Pair(NamedTuple):
    """Two texts, older first, what they are labelled, and the group and number by which a report names them."""

    older: str
    newer: str
    is_contradiction: bool
    group: str
    number: int


class Utterance(NamedTuple):
    """A memory of a conversation in the order in which it was said; `key` tells conversation and id."""

    key: str
    conversation: int
    kind: str
    speaker: str
    text: str
    order: int


class Consolidation(NamedTuple):
    """Facts in serial order, and questions with their accepted answers."""

    name: str
    facts: list[str]
    questions: list[str]
    answers: list[list[str]]


def data_folder(names: Collection[str] = tuple(SOURCES)) -> Path:
    """Return the folder of the data; raises SystemExit where a part of `names` is missing, and says where to get it."""
    folder = Path(os.environ.get(VARIABLE, _DEFAULT))
    missing = [name for name in names if not (folder / name).is_dir()]
    if missing:
        lines = [f"  {name}: {what}, {url} ({licence})" for name in names for what, url, licence in (SOURCES[name],)]
        raise SystemExit(
            f"{folder} has no {', '.join(missing)}. Put these data sets there, or name another folder in {VARIABLE}:\n"
            + "\n".join(lines)
        )
    return folder


def read_similar(folder: Path, half: str) -> list[Pair]:
    """Return the sentence pairs of one half of STS-B that people call alike: none of them is a contradiction."""
    with (folder / "stsb" / f"stsb-en-{half}.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    return [Pair(a, b, False, f"stsb {half}", n) for n, (a, b, score) in enumerate(rows, start=1) if float(score) >= 4]


def read_blind(part: str) -> list[Pair]:
    """Return the pairs of the repository that were written without sight of the rules."""
    path = Path(__file__).resolve().parents[1] / "tests" / "data" / "contradictions" / f"{part}.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Pair(row["older"], row["newer"], row["contradiction"], row["group"], number)
        for number, row in enumerate(rows, start=1)
    ]


def read_substitutions(folder: Path) -> list[Pair]:
    """Return the sentence pairs of Breaking NLI; the group is the label."""
    rows = read_lines(folder / "breaking_nli" / "dataset.jsonl.gz")
    return [
        Pair(row["sentence1"], row["sentence2"], row["gold_label"] == "contradiction", row["gold_label"], row["pairID"])
        for row in rows
    ]


def read_edits(folder: Path) -> list[Pair]:
    """Return true facts against edited ones, or against facts about something else; the group is the relation."""
    rows = _json(folder / "mquake_derived" / "contradict.json.gz")
    return [
        Pair(
            one["gold_generate"],
            one["retrieved_fact"],
            one["contradict"] == "contradict",
            relation_of(one["gold_generate"]),
            number,
        )
        for number, (one,) in enumerate(rows, start=1)
    ]


def read_conversations(folder: Path) -> list[Utterance]:
    """Return the memories of the open LoCoMo conversations, in the order in which they were said."""
    rows = read_lines(folder / "locomo_open" / "memories.jsonl.gz")
    return [
        Utterance(
            f"{row['conv']}/{row['id']}",
            row["conv"],
            row["kind"],
            row.get("speaker") or row["text"].partition(":")[0],
            row["text"],
            order,
        )
        for order, row in enumerate(rows)
    ]


def read_consolidation(folder: Path, size: str) -> Consolidation:
    """Return one FactConsolidation store, `6k` or `32k`."""
    found = _json(folder / "fact_consolidation" / f"sh_{size}.json.gz")
    return Consolidation(size, found["facts"], found["questions"], found["answers"])


#: What stands between subject and value, in these data sets; used to count by relation and to know what is stale.
_CONNECTIVES = (
    *(" is a citizen of ", " is married to ", " was born in the city of ", " died in the city of "),
    *(" worked in the city of ", " was founded in the city of ", " is located in the city of "),
    *(" is located in the continent of ", " is associated with the sport of ", " plays the position of "),
    *(" is affiliated with the religion of ", " speaks the language of ", " was written in the language of "),
    *(" was created in the country of ", " was founded by ", " was created by ", " was developed by "),
    *(" was performed by ", " is employed by ", " works in the field of ", " is famous for ", "'s child is "),
)
_RELATIONS = (
    *("The type of music that", "The company that produced", "The author of", "The capital of", "The director of"),
    *("The origianl broadcaster of", "The official language of", "The head coach of", "The chairperson of"),
    *("The chief executive officer of", "The name of the current head of state in", "The univeristy where"),
    *("The name of the current head of the", "The Prime Minister of", "The President of"),
)


def cut_fact(fact: str) -> tuple[str, str]:
    """Return (everything up to the value, value); equal beginnings speak of the same thing."""
    text = fact.removesuffix(".")
    marks = (" is ",) if text.startswith(_RELATIONS) and " is located in the city of " not in text else _CONNECTIVES
    for mark in marks:
        head, found, value = text.rpartition(mark)
        if found:
            return head + mark, value
    head, mark, value = text.rpartition(" is ")
    return head + mark, value


def relation_of(fact: str) -> str:
    """Return the words by which the relation of a fact is known in a report."""
    opening = next((one for one in _RELATIONS if fact.startswith(one)), "")
    if opening:
        return opening
    return next((mark.strip() for mark in _CONNECTIVES if mark in fact), "other")


def read_lines(path: Path) -> Iterator[Any]:
    """Yield the rows of a gzipped file of JSON Lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _json(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)
