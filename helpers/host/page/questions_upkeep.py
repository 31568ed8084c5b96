"""What a page may ask about maintenance and the backup, as data. Pure."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .questions import AnyId, Paged, Question, Shown

_MOST_AT_ONCE = 100


class DecideProposals(Question):
    """Proposals to accept or to refuse, named by the memory that would be retired, as it was shown."""

    memories: Annotated[tuple[Shown, ...], Field(min_length=1, max_length=_MOST_AT_ONCE)]


class ListBackup(Paged):
    """What the store lacks of the backup, what was deleted from it, or what says something else in it."""

    which: Literal["missing", "deleted", "changed"] = "missing"


class RestoreMemories(Question):
    """Memories to bring back; none stands for all that are missing."""

    memories: Annotated[tuple[AnyId, ...], Field(max_length=_MOST_AT_ONCE)] = ()
