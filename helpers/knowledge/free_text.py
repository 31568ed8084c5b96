"""What free text says of escalation and policy, and does not deny; it is looked at for this alone (M-13, M-14).

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..patterns import regex

#: A denial stands this close before what it denies.
_LOOK_BACK = 60

_ESCALATION = regex(
    r"\bslm\s*(?:-?to-?|->|→)\s*llm\b|\bmodel\s+escalation\b"
    r"|\bescalat\w+\s+(?:[\w-]+\s+){0,4}?(?:llm|large(?:r)?\s+(?:language\s+)?model)\b",
    re.IGNORECASE,
)
_POLICY = regex(r"\b(?:polic(?:y|ies)|governance|compliance)\b", re.IGNORECASE)
_REJECTED = regex(
    r"\b(?:reject\w*|violat\w*|prohibit\w*|forbid\w*|forbidden|denied|block(?:ed|s)|conflict(?:s|ed|ing)?\s+with"
    r"|not\s+(?:permitted|allowed))\b",
    re.IGNORECASE,
)
_DENIED = regex(r"\b(?:no|not|without|never|none|nor|any)\b[^.;:]{0,40}\Z", re.IGNORECASE)


def tells_escalation(texts: Iterable[str]) -> bool:
    """Whether one of the texts tells of an escalation to a larger model (M-13)."""
    return any(_says(_ESCALATION, text) for text in texts if "scalat" in text.lower() or "slm" in text.lower())


def tells_intervention(notes: str) -> bool:
    """Whether a sentence of the notes tells that a policy has rejected something (M-14)."""
    return any(
        _POLICY.search(sentence) is not None and _says(_REJECTED, sentence) for sentence in re.split(r"[.;\n]", notes)
    )


def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text says so, and does not deny it."""
    return any(
        not _DENIED.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]) for found in pattern.finditer(text)
    )
