"""The filters: JSON Lines in, JSON Lines out, or plain arguments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
from pydantic import Field, StrictStr

from ..claims import extract_claims
from ..clock import EPOCH
from ..formats.rows import text_key
from ..ledger.attribution import Speaker, Utterance
from ..ledger.classify import classify_memory, find_load_signal
from ..ledger.resolve import Party, decide
from ..ledger.settle import may_be_at_odds
from ..maintenance.duplicates import least_cosine
from ..privacy import Finding, Level, scan
from ..records import Source, Utility, Validity, parse_memory
from ..service.arguments import Time
from ..settings import Settings
from ..similar.copies import SAME_TEXT, judge_pair
from ..store.docstore_file import read_docstore
from ..texts import count_memories
from .declaring import DONE, Options, drop_default_folder, only_one
from .options import InputError, InputLine, answer_input, read_settings
from .output import ID, Column, Row, note, show_rows, watched


class _Side(InputLine):
    """A text of a pair, with its status; by default the user said it, and its utility follows from the text."""

    text: StrictStr
    source: Source = Source.USER_ASSERTED
    validity: Validity = Validity.CONFIRMED
    utility: Utility | None = None
    created_at: Time = None

    def to_party(self, settings: Settings, *, default_at: datetime) -> Party:
        """Return the status of this side."""
        signal = find_load_signal(self.text, settings, is_user=self.source is Source.USER_ASSERTED)
        default = Utility.TACTICAL if signal is None else Utility.LOAD_BEARING
        at = self.created_at or default_at
        return Party(source=self.source, validity=self.validity, utility=self.utility or default, at=at)


class _Turn(InputLine):
    role: Speaker
    text: StrictStr


class _Text(InputLine):
    """A memory, with the messages that it may come from: `turns` in order, or two lists without an order."""

    text: StrictStr
    metadata: dict[str, Any] = Field(default_factory=dict)
    area: StrictStr | None = None
    turns: tuple[_Turn, ...] = ()
    user_messages: tuple[StrictStr, ...] = ()
    agent_messages: tuple[StrictStr, ...] = ()

    def utterances(self) -> list[Utterance]:
        """Return what was said."""
        turns = [Utterance(turn.role, turn.text) for turn in self.turns]
        turns += [Utterance(Speaker.USER, text) for text in self.user_messages]
        return turns + [Utterance(Speaker.AGENT, text) for text in self.agent_messages]


class _Versions(InputLine):
    older: _Side
    newer: _Side


class _Pair(InputLine):
    a: StrictStr
    b: StrictStr


def _run_classify(options: Options) -> int:
    settings = read_settings(options.config)

    def answer(row: Row) -> Row:
        line = _Text.of(row)
        metadata = {**line.metadata, "area": line.area or line.metadata.get("area", "main")}
        memory, _ = parse_memory("line", line.text, metadata, inserted_at=EPOCH)
        change = classify_memory(memory, line.utterances(), settings, trusts_origin=True)
        axes = change.classification
        return {
            "classification": {axis: getattr(axes, axis) for axis in ("validity", "relevance", "utility", "source")},
            "tags": list(axes.tags),
            "why": change.why,
        }

    return answer_input(options.file, answer, {"text": options.file}, takes_text=True)


def _run_contradict(options: Options) -> int:
    settings = read_settings(options.config)

    def answer(row: Row) -> Row:
        line = _Versions.of(row)
        texts = line.older.text, line.newer.text
        older = line.older.to_party(settings, default_at=EPOCH)
        newer = line.newer.to_party(settings, default_at=max(older.at, EPOCH) + timedelta(seconds=1))
        claims = map(extract_claims, texts)
        decision = decide(older, newer, *claims, older_text=texts[0], newer_text=texts[1])
        return {
            "outcome": decision.outcome,
            "contradiction": decision.is_contradiction,
            **({"possible": True} if may_be_at_odds(*texts, decision) else {}),
            "winner": decision.winner,
            "why": {"rule": decision.rule, "basis": decision.basis, "reasons": list(decision.reasons)},
        }

    pair = {"older": {"text": options.file}, "newer": {"text": options.newer}}
    return answer_input(options.file, answer, pair, is_line=options.newer is not None)


_DIGITS = 6


def _run_duplicate(options: Options) -> int:
    """Answer each pair of texts as soon as it is read; the model is loaded once."""
    answer = partial(_judge_pair, settings=read_settings(options.config), embedder=options.load())
    return answer_input(
        options.file, answer, {"a": options.file, "b": options.other}, is_line=options.other is not None
    )


def _judge_pair(row: Row, settings: Settings, embedder: Any) -> Row:
    line = _Pair.of(row)
    text, other_text = line.a, line.b
    vectors = np.asarray(embedder.embed_documents([text, other_text]), dtype=np.float64)
    length = float(np.prod(np.linalg.norm(vectors, axis=1)))
    cosine = float(vectors[0] @ vectors[1]) / length if length else 0.0
    rules = settings.deduplication
    judgement = judge_pair(text, other_text)
    least = least_cosine(rules)
    is_duplicate, why = judgement.is_copy and (cosine > least or judgement.why == SAME_TEXT), judgement.why
    if judgement.is_copy and not is_duplicate:
        why = f"{judgement.why}, but the cosine is not above {least}"
    elif cosine > least and not rules.divergence_guard:
        is_duplicate, why = True, f"the cosine is above {rules.similarity_threshold}; divergence_guard is false"
    return {"duplicate": is_duplicate, "cosine": round(cosine, _DIGITS), "why": why}


def _run_scan(options: Options) -> int:
    level = Level(options.level)
    drop_default_folder(options, options.file)
    only_one({"FILE": options.file, "--folder": options.folder}, is_required=False)
    if options.folder is not None:
        return _scan_store(options, level)
    return answer_input(options.file or "-", partial(_scan_row, level=level), {"text": options.file}, takes_text=True)


def _scan_row(row: Row, level: Level) -> Row:
    text = row.get(text_key(row))
    if not isinstance(text, str):  # what it is instead may itself be a secret
        kind = type(text).__name__ if "text" in row else "missing"
        raise InputError(f"text is {kind}; allowed: a text")
    findings = scan(text, level)
    answer = {"findings": _to_rows(findings), "action": "reject" if findings else "allow"}
    return {"id": row["id"], **answer} if "id" in row else answer


def _to_rows(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [{"type": finding.type, "start": finding.start, "end": finding.end} for finding in findings]


def _scan_store(options: Options, level: Level) -> int:
    folder, documents = options.folder, read_docstore(options.folder)[1]
    rows = [
        {"id": memory_id, "findings": _to_rows(findings)}
        for memory_id, document in watched(documents.items(), "scanning", len(documents))
        if (findings := scan(document.page_content, level))
    ]
    show_rows(options, rows, (ID, Column("found", _in_words)))
    note(f"{count_memories(len(documents))}, {len(rows)} with findings")
    if rows:
        note(f"`memory-ledger erase ID --folder {folder}` permanently deletes one")
    return DONE


def _in_words(row: Mapping[str, Any]) -> str:
    """Return the kinds and the places of the findings, never their text."""
    return "\n".join(
        f"{finding['type']} (characters {finding['start']} to {finding['end']})" for finding in row["findings"]
    )
