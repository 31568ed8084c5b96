"""`duplicate`: whether two texts say the same, by the rules of maintenance, as a filter in a pipe."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..maintenance.duplicates import least_cosine
from ..settings import Settings
from ..similar.copies import SAME_TEXT, judge_pair
from .declaring import Argument, Options, declare
from .lines import answer_lines, answer_words, read_field, read_settings
from .options import FILTER_CONFIG

_DIGITS = 6


def run_duplicate(options: Options) -> int:
    """Answer each pair of texts as soon as it is read; the model is loaded once."""
    answer = partial(_answer, settings=read_settings(options.config), embedder=options.load())
    if options.other is None:
        return answer_lines(options.file, answer)
    return answer_words({"a": options.file, "b": options.other}, answer)


def _answer(row: dict[str, Any], settings: Settings, embedder: Any) -> dict[str, Any]:
    one, other = read_field(row, "a", str), read_field(row, "b", str)
    vectors = np.asarray(embedder.embed_documents([one, other]), dtype=np.float64)
    length = float(np.prod(np.linalg.norm(vectors, axis=1)))
    cosine = float(vectors[0] @ vectors[1]) / length if length else 0.0
    rules = settings.deduplication
    judgement = judge_pair(one, other)
    least = least_cosine(rules)
    is_duplicate, why = judgement.is_copy and (cosine > least or judgement.why == SAME_TEXT), judgement.why
    if judgement.is_copy and not is_duplicate:
        why = f"{judgement.why}, but the cosine is not above {least}"
    elif cosine > least and not rules.divergence_guard:
        is_duplicate, why = True, f"the cosine is above {rules.similarity_threshold}; divergence_guard is false"
    return {"duplicate": is_duplicate, "cosine": round(cosine, _DIGITS), "why": why}


COMMANDS = (
    declare(
        "duplicate",
        run_duplicate,
        Argument(
            "file",
            default="-",
            help='JSON Lines of {"a": ..., "b": ...}, - is standard input (the default); or a text',
        ),
        Argument("other", required=False, help="the other text, where the first is given"),
        FILTER_CONFIG,
        examples=(
            'memory-ledger duplicate "It takes ten minutes" "It takes 10 minutes"',
            "memory-ledger duplicate pairs.jsonl",
        ),
    ),
)
