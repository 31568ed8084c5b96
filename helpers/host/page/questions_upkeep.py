"""What a page may ask about maintenance and the backup, as data. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .questions import Question, Shown

_MOST_AT_ONCE = 100


class DecideProposals(Question):
    """Proposals to accept or to refuse, named by the memory that would go out of use, as it was shown."""

    memories: Annotated[tuple[Shown, ...], Field(min_length=1, max_length=_MOST_AT_ONCE)]
