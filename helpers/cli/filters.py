"""The filters: JSON Lines in, JSON Lines out, or plain arguments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import numpy as np

from ..claims import extract_claims
from ..clock import EPOCH, parse_time
from ..formats.rows import text_key
from ..ledger.attribution import Speaker, Utterance
from ..ledger.classify import classify_memory, find_load_signal
from ..ledger.resolve import Party, decide
from ..ledger.settle import may_be_at_odds
from ..maintenance.duplicates import least_cosine
from ..privacy import Finding, Level, scan
from ..records import Source, Utility, Validity, parse_memory
from ..settings import Settings
from ..similar.copies import SAME_TEXT, judge_pair
from ..store.docstore_file import read_docstore
from ..texts import count_memories
from .declaring import DONE, Argument, Options, choice, command, drop_default_folder, only_one
from .options import (
    FILTER_CONFIG,
    JSON,
    InputError,
    answer_lines,
    answer_words,
    folder_option,
    is_text,
    read_choice,
    read_field,
    read_objects,
    read_settings,
)
from .output import ID, Column, note, show_rows, watched

_TEXTS = Argument(
    "file",
    default="-",
    help='JSON Lines of {"text": ..., "user_messages": [...], "agent_messages": [...]}, - is standard input (the '
    "default); or a text",
)
_PAIRS = Argument(
    "file",
    default="-",
    help='JSON Lines of {"older": {"text": ...}, "newer": {"text": ...}}, - is standard input (the default); '
    "or the older text",
)
_NEWER = Argument("newer", required=False, help="the newer text, where the older one is given")
_LEVEL = choice(
    "--level",
    Level,
    "strict also finds e-mail addresses, phone numbers, names, users' folders and query strings of URLs",
    default=Level.SECRETS.value,
)


@command(
    _TEXTS,
    FILTER_CONFIG,
    examples='"Our API must stay stateless"\nmemories.jsonl',
)
def _run_classify(options: Options) -> int:
    answer = partial(_answer_classify, settings=read_settings(options.config))
    return answer_words({"text": options.file}, answer) if is_text(options.file) else answer_lines(options.file, answer)


def _answer_classify(row: dict[str, Any], settings: Settings) -> dict[str, Any]:
    metadata = read_field(row, "metadata", dict, {})
    area = read_field(row, "area", str, metadata.get("area", "main"))
    memory, _ = parse_memory("line", read_field(row, text_key(row), str), {**metadata, "area": area}, inserted_at=EPOCH)
    change = classify_memory(memory, _read_utterances(row), settings, trusts_origin=True)
    axes = change.classification
    return {
        "classification": {axis: getattr(axes, axis) for axis in ("validity", "relevance", "utility", "source")},
        "tags": list(axes.tags),
        "why": change.why,
    }


def _read_utterances(row: dict[str, Any]) -> list[Utterance]:
    """Return the utterances of a row: `turns` in order, or the two lists, which have no order between them."""
    turns = [
        Utterance(read_choice(Speaker, turn.get("role"), "turns.role"), read_field(turn, "text", str))
        for turn in read_objects(row, "turns")
    ]
    for key, speaker in (("user_messages", Speaker.USER), ("agent_messages", Speaker.AGENT)):
        for text in read_field(row, key, list, []):
            if not isinstance(text, str):
                raise InputError(f"{key} holds {text!r}; allowed: texts")
            turns.append(Utterance(speaker, text))
    return turns


@command(
    _PAIRS,
    _NEWER,
    FILTER_CONFIG,
    examples='"The API uses REST" "It now uses gRPC"\n< pairs.jsonl',
)
def _run_contradict(options: Options) -> int:
    answer = partial(_answer_contradict, settings=read_settings(options.config))
    if options.newer is None:
        return answer_lines(options.file, answer)
    return answer_words({"older": {"text": options.file}, "newer": {"text": options.newer}}, answer)


def _answer_contradict(row: dict[str, Any], settings: Settings) -> dict[str, Any]:
    older_row, newer_row = read_field(row, "older", dict), read_field(row, "newer", dict)
    older_text, newer_text = (read_field(side, text_key(side), str) for side in (older_row, newer_row))
    older = _read_party(older_row, settings, default_at=EPOCH)
    newer = _read_party(newer_row, settings, default_at=max(older.at, EPOCH) + timedelta(seconds=1))
    decision = decide(
        older,
        newer,
        extract_claims(older_text),
        extract_claims(newer_text),
        older_text=older_text,
        newer_text=newer_text,
    )
    possible = {"possible": True} if may_be_at_odds(older_text, newer_text, decision) else {}
    return {
        "outcome": decision.outcome,
        "contradiction": decision.is_contradiction,
        **possible,
        "winner": decision.winner,
        "why": {"rule": decision.rule, "basis": decision.basis, "reasons": list(decision.reasons)},
    }


def _read_party(row: dict[str, Any], settings: Settings, *, default_at: datetime) -> Party:
    """Return the status of a side; the default source is the user, and the default utility follows from the text."""
    source = read_choice(Source, row.get("source", Source.USER_ASSERTED), "source")
    signal = find_load_signal(read_field(row, text_key(row), str), settings, is_user=source is Source.USER_ASSERTED)
    default_utility = Utility.TACTICAL if signal is None else Utility.LOAD_BEARING
    said_at = default_at
    if row.get("created_at") is not None:
        parsed = parse_time(row["created_at"])
        if parsed is None:
            raise InputError(f"created_at is {row['created_at']!r}; allowed: ISO 8601")
        said_at = parsed
    return Party(
        source=source,
        validity=read_choice(Validity, row.get("validity", Validity.CONFIRMED), "validity"),
        utility=read_choice(Utility, row.get("utility", default_utility), "utility"),
        at=said_at,
    )


_DIGITS = 6


@command(
    Argument(
        "file",
        default="-",
        help='JSON Lines of {"a": ..., "b": ...}, - is standard input (the default); or a text',
    ),
    Argument("other", required=False, help="the other text, where the first is given"),
    FILTER_CONFIG,
    examples='"It takes ten minutes" "It takes 10 minutes"\npairs.jsonl',
)
def _run_duplicate(options: Options) -> int:
    """Answer each pair of texts as soon as it is read; the model is loaded once."""
    answer = partial(_judge_pair, settings=read_settings(options.config), embedder=options.load())
    if options.other is None:
        return answer_lines(options.file, answer)
    return answer_words({"a": options.file, "b": options.other}, answer)


def _judge_pair(row: dict[str, Any], settings: Settings, embedder: Any) -> dict[str, Any]:
    text, other_text = read_field(row, "a", str), read_field(row, "b", str)
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


@command(
    Argument(
        "file",
        required=False,
        help='JSON Lines of {"text": ..., "id": ...}, - is standard input (the default); or a text',
    ),
    _LEVEL,
    JSON,
    folder_option(is_found=False, help="list the memories of a store or a memory folder instead"),
    examples="--folder usr/memory/default --level strict\n< texts.jsonl",
)
def _run_scan(options: Options) -> int:
    level = Level(options.level)
    drop_default_folder(options, options.file)
    only_one({"FILE": options.file, "--folder": options.folder}, is_required=False)
    if options.folder is not None:
        return _scan_store(options, level)
    answer, file = partial(_scan_row, level=level), options.file or "-"
    return answer_words({"text": file}, answer) if is_text(file) else answer_lines(file, answer)


def _scan_row(row: dict[str, Any], level: Level) -> dict[str, Any]:
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
