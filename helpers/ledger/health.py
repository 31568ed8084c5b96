"""The figures that a supervisor sees (C-61 ... C-64). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ..clock import format_time
from ..records import Source, Utility, Validity

# Sources that are always counted, even at zero; the others are named once there is one (C-61).
_ALWAYS_COUNTED = (Source.USER_ASSERTED, Source.AGENT_INFERRED)

_MOST_NAMED = 20


Status = tuple[Validity, Utility, Source]


class QualityHealth(NamedTuple):
    """How good the memories are all in all: averages and rates in 0..1, and what was retired as a repetition."""

    average_quality: float = 0.0
    average_staleness: float = 0.0
    unresolved_conflicts: int = 0
    validation_error_rate: float = 0.0
    echoes: int = 0
    duplicates: int = 0


def summarize_status(
    counts: Mapping[Status, int],
    *,
    conflicts_resolved: int,
    at: datetime,
    echoes_retired: int = 0,
    quality: QualityHealth | None = None,
    secrets: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Return what `agent._memory_health` holds; `counts` says how many memories have which status (C-61).

    Beside the specified figures stands how many echoes were retired in this session (T-68), and how good the memories
    are all in all, so that a supervisor sees decay (Q-56). `secrets` says in which memories there are kinds of secrets
    (T-22); an empty mapping is none, and none at all is not said.
    """
    validity: Counter[Validity] = Counter()
    utility: Counter[Utility] = Counter()
    source: Counter[Source] = Counter()
    for (one_validity, one_utility, one_source), count in counts.items():
        validity[one_validity] += count
        utility[one_utility] += count
        source[one_source] += count
    named = [one for one in Source if one in _ALWAYS_COUNTED or source[one]]
    return {
        "total_memories": sum(counts.values()),
        "by_validity": {one.value: validity[one] for one in Validity},
        "by_utility": {one.value: utility[one] for one in Utility},
        "by_source": {one.value: source[one] for one in named},
        "conflicts_resolved_this_session": conflicts_resolved,
        "echoes_retired_this_session": echoes_retired,
        **(quality._asdict() if quality is not None else {}),
        **({"secrets": _summarize_secrets(secrets)} if secrets is not None else {}),
        "last_classification_run": format_time(at),
    }


def _summarize_secrets(secrets: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    kinds = Counter(kind for secret in secrets.values() for kind in secret)
    return {"memories": len(secrets), "by_type": dict(sorted(kinds.items())), "ids": sorted(secrets)[:_MOST_NAMED]}
