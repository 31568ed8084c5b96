"""`classify` and `contradict`: what the rules decide on anybody's own data, as filters in a pipe."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ..claims import extract_claims
from ..clock import EPOCH, parse_time
from ..formats.rows import text_key
from ..ledger.attribution import Speaker, Utterance
from ..ledger.classify import classify_memory, find_load_signal
from ..ledger.resolve import Party, decide
from ..ledger.settle import may_be_at_odds
from ..records import Source, Utility, Validity, parse_memory
from ..settings import Settings
from .declaring import Argument, Options, declare
from .lines import InputError, answer_lines, answer_words, is_text, read_choice, read_field, read_objects, read_settings
from .options import FILTER_CONFIG


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
    """Return what was said: `turns` in order, or the two lists without an order between them."""
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
    """Return the status of one side; by default the user said it, and the text tells its utility."""
    source = read_choice(Source, row.get("source", Source.USER_ASSERTED), "source")
    signal = find_load_signal(read_field(row, "text", str), settings, is_user=source is Source.USER_ASSERTED)
    default_utility = Utility.TACTICAL if signal is None else Utility.LOAD_BEARING
    at = default_at
    if row.get("created_at") is not None:
        parsed = parse_time(row["created_at"])
        if parsed is None:
            raise InputError(f"created_at is {row['created_at']!r}; allowed: ISO 8601")
        at = parsed
    return Party(
        source=source,
        validity=read_choice(Validity, row.get("validity", Validity.CONFIRMED), "validity"),
        utility=read_choice(Utility, row.get("utility", default_utility), "utility"),
        at=at,
    )


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

COMMANDS = (
    declare(
        "classify",
        _run_classify,
        _TEXTS,
        FILTER_CONFIG,
        examples=('memory-ledger classify "Our API must stay stateless"', "memory-ledger classify memories.jsonl"),
    ),
    declare(
        "contradict",
        _run_contradict,
        _PAIRS,
        _NEWER,
        FILTER_CONFIG,
        examples=(
            'memory-ledger contradict "The API uses REST" "It now uses gRPC"',
            "memory-ledger contradict < pairs.jsonl",
        ),
    ),
)
