"""What of the files is included in every prompt: the entries in use, within the token limit (M-20, M-51, M-62).

Pure. Every entry is on one line and neutralised, so that neither a template's directive nor a heading of the prompt can
come out of a file that somebody has edited (T-62).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping
from dataclasses import replace

from ..marks import neutralize
from ..texts import estimate_tokens
from .documents import Block, Document, parse_document, prompt_text

_HEADING = (
    "# Institutional knowledge\n"
    "What agents here have learned from their audit logs. Governance and what the user says come first.\n"
)


def knowledge_prompt(
    texts: Mapping[str, str], *, token_limit: int, count_tokens: Callable[[str], int] = estimate_tokens
) -> str:
    """Return the section; empty if nothing is known. What is least sure is left out where the limit is exceeded.

    `count_tokens` is asked as seldom as can be: once where everything fits (T-40).
    """
    documents = [parse_document(text) for _, text in sorted(texts.items())]
    kept = [block for document in documents for block in document.blocks if block.entry is not None]
    kept.sort(key=_sureness, reverse=True)
    section = _render(documents, kept) if kept else ""
    if count_tokens(section) <= token_limit:
        return section
    fitting = bisect.bisect_right(
        range(1, len(kept)), token_limit, key=lambda count: count_tokens(_render(documents, kept[:count]))
    )
    return _render(documents, kept[:fitting]) if fitting else ""


def _render(documents: list[Document], kept: list[Block]) -> str:
    chosen = {id(block) for block in kept}
    parts = [
        prompt_text(replace(document, blocks=tuple(block for block in document.blocks if id(block) in chosen)))
        for document in documents
    ]
    return neutralize(_HEADING + "".join(f"#{part}" for part in parts if part)).rstrip("\n")


def _sureness(block: Block) -> tuple[float, str, int]:
    entry = block.entry
    return (entry.confidence, entry.last_confirmed.isoformat(), -entry.number) if entry is not None else (0.0, "", 0)
