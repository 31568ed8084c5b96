"""What recall brings for messages as people write them: a question behind chat, a log, a letter; nothing asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import Report, Table
from memory_ledger.clock import system_clock
from memory_ledger.host.docstore import minilm
from memory_ledger.host.recall.ask import GivenMemory, open_memories
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.settings import Settings

_DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "recall"
_WRITTEN = "2026-03-01T09:00:00+00:00"
#: A form of message: its name, and how a row of the questions is put into it.
FORMS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "alone": lambda row: row["question"],
    "behind one sentence": lambda row: " ".join((*row["chat"][:1], row["question"])),
    "behind four sentences": lambda row: " ".join((*row["chat"][:4], row["question"])),
    "behind eight sentences": lambda row: " ".join((*row["chat"], row["question"])),
    "before four sentences": lambda row: " ".join((row["question"], *row["chat"][:4])),
    "before a log": lambda row: f"{row['question']}\n\n{row['log']}",
    "behind a log": lambda row: f"{row['log']}\n\n{row['question']}",
    "behind a letter": lambda row: f"{row['letter']}\n\n{row['question']}",
    "behind code": lambda row: f"```\n{row['code']}\n```\n{row['question']}",
}


class Remembering:
    """An embedding model that embeds each text once."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._known: dict[str, list[float]] = {}

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text."""
        new = [one for one in dict.fromkeys(texts) if one not in self._known]
        self._known |= zip(new, self._model.embed_documents(new) if new else (), strict=True)
        return [self._known[one] for one in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        return self.embed_documents([text])[0]


class Asked(NamedTuple):
    """A message, and the id of the memory that it needs; none where it asks for nothing."""

    text: str
    needs: str | None


def run(_folder: Path) -> Report:
    """Ask all messages, with the pack and by dense search alone at the host's threshold."""
    model = Remembering(minilm.load_minilm(threads=2))
    questions, spellings = read_rows("questions"), read_rows("spellings")
    memories = [text for row in questions for text in (row["memory"], *row["distractors"])]
    spelled = [row["memory"] for row in spellings]
    report = Report()
    table = Table(
        "Messages",
        f"{len(questions)} questions and tasks over {len(memories)} memories, in forms in which people write them; the "
        f"even rows are held back. Found: the memory that answers is in the prompt; others: what else is, for each "
        f"message. Dense: what the host's search brings at its threshold of .70, the message as one text.",
        ("message", "part", "messages", "found", "others", "dense: found", "dense: others"),
    )
    for name, form in FORMS.items():
        for part, rows in (("tuned on", questions[::2]), ("held back", questions[1::2])):
            table.rows.append(
                (name, part, *_measure([Asked(form(row), row["memory"]) for row in rows], memories, model))
            )
    silent = [Asked(row["text"], None) for row in read_rows("silent")]
    for part, rows in (("tuned on", silent[::2]), ("held back", silent[1::2])):
        table.rows.append(("asks for nothing", part, *_measure(rows, memories, model)))
    spelling = [Asked(row["question"], row["memory"]) for row in spellings]
    for part, rows in (("tuned on", spelling[::2]), ("held back", spelling[1::2])):
        table.rows.append(("spelled otherwise", part, *_measure(rows, spelled, model)))
    report.tables.append(table)
    return report


def _measure(asked: Sequence[Asked], memories: Sequence[str], model: Any) -> tuple[str, str, str, str, str]:
    ours, dense = list(_ask(asked, memories, model)), list(_search(asked, memories, model))
    return (str(len(asked)), *_count(asked, ours), *_count(asked, dense))


def _count(asked: Sequence[Asked], brought: Sequence[Sequence[str]]) -> tuple[str, str]:
    pairs = list(zip(asked, brought, strict=True))
    found = sum(one.needs in texts for one, texts in pairs)
    others = sum(text != one.needs for one, texts in pairs for text in texts)
    return str(found), f"{others / len(pairs):.2f}"


def _ask(asked: Sequence[Asked], memories: Sequence[str], model: Any) -> Iterator[list[str]]:
    given = [GivenMemory(str(at), text, {"timestamp": _WRITTEN}) for at, text in enumerate(memories)]
    plans = [make_plan(one.text, Settings(), system_clock(), limits=RecallLimits()) for one in asked]
    with open_memories(given, model, clock=system_clock) as reader:
        for selection in reader.answer(plans):
            yield [one.memory.text for one in selection.chosen]


def _search(asked: Sequence[Asked], memories: Sequence[str], model: Any) -> Iterator[list[str]]:
    limits = RecallLimits()
    held = np.asarray(model.embed_documents(list(memories)), dtype=np.float32)
    for one in model.embed_documents([one.text for one in asked]):
        similar = (1.0 + held @ np.asarray(one, dtype=np.float32)) / 2.0
        best = np.argsort(-similar)[: limits.injected]
        yield [memories[at] for at in best if similar[at] >= limits.threshold]


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the tests."""
    return [json.loads(line) for line in (_DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
