"""Which memories say nothing: junk of a memorizer, which is kept, and in no prompt. Pure."""

from __future__ import annotations

from typing import Final

from ..language.emptiness import find_emptiness
from ..records import Memory, Source, Validity

#: Whose memories a memorizer writes; what the user said, and what a person gave, is theirs, whatever it says.
_OTHERS: Final = (Source.AGENT_INFERRED, Source.EXTERNAL_RETRIEVED)


def why_empty(memory: Memory) -> str | None:
    """Return in words why a memory says nothing; None where it says anything, or somebody vouches for it.

    So somebody does for the user's word, what was confirmed, a piece of a knowledge file, and structured content.
    """
    axes = memory.classification
    if axes is None or axes.source not in _OTHERS or axes.validity is not Validity.INFERRED:
        return None
    return None if memory.is_knowledge or memory.content is not None else find_emptiness(memory.text)
