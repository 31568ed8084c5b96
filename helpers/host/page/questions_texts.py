"""What a page may ask about the vault, the notes and recalls, as data. Pure."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr

from ...service.arguments import LONGEST_QUERY, MOST_AT_ONCE, AnyId, Paged, Question, Word
from ...vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Tier

_LONGEST_PATH = 4_096


def _to_message(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST_QUERY:
        raise ValueError(f"a text of 1 to {LONGEST_QUERY} characters")
    return text.strip()


#: Longer than any gate lets pass, which says so.
Draft = Annotated[StrictStr, Field(max_length=100_000)]


class ListRecords(Paged):
    """Which records of the vault; those that are retired by themselves."""

    query: Word = ""
    scope: Word = ""
    tier: Literal["", *(tier.value for tier in STORED_TIERS)] | None = ""  # type: ignore[valid-type]
    retired: StrictBool = False


class ShowRecord(Question):
    """One record with all its versions."""

    id: AnyId


class PreviewVault(Question):
    """What an agent of this profile is shown; without a profile, the agent of the open chat."""

    agent: Word | None = None


class AddRecord(Question):
    """A text for the vault. The gate judges it and the rest, which may be anything."""

    text: Draft
    scope: Word = SHARED_SCOPE
    category: Word = "other"
    tier: Word = Tier.CANON.value
    topic: Word = ""
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()


class OneRecord(ShowRecord):
    """A record as a person saw it."""

    version: Annotated[StrictInt, Field(ge=1)]


class UpdateRecord(OneRecord):
    """What a record says from now on."""

    text: Draft
    category: Word
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()


class RevertRecord(OneRecord):
    """Which of its versions a record goes back to."""

    to: Annotated[StrictInt, Field(ge=1)]


class ListNotes(Paged):
    """Which notes: those that hold the query as it is written."""

    query: Word = ""


class ShowNote(Question):
    """One note, by the path of its file."""

    id: Annotated[StrictStr, Field(min_length=1, max_length=_LONGEST_PATH)]


class SearchNotes(Question):
    """A question, as the agent would ask the notes."""

    text: Annotated[StrictStr, AfterValidator(_to_message)]


class ShowRecall(Question):
    """One of the last recalls of the open chat, by the number that its list gives it."""

    number: Annotated[StrictInt, Field(ge=1)]


class AskRecall(Question):
    """A message, as a person would write it to the agent."""

    text: Annotated[StrictStr, AfterValidator(_to_message)]
