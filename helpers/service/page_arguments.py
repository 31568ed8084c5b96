"""The arguments of questions and acts that only pages have, as data models. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr

from ..foreign import SURROGATE
from ..knowledge.documents import Place, number_of
from ..vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Tier
from .arguments import (
    LONGEST_ID,
    LONGEST_QUERY,
    MOST_AT_ONCE,
    MOST_PAGES,
    AnyId,
    ChangeMemories,
    FindMemories,
    Paged,
    Question,
    Shown,
    Word,
)

_LONGEST_PATH = 4_096
_LONGEST_TEXT = 20_000
_MOST_EXPORTED = 1_000
_LONGEST_STAMP = 200
_LONGEST_TITLE = 200


def _to_message(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST_QUERY:
        raise ValueError(f"a text of 1 to {LONGEST_QUERY} characters")
    return text.strip()


def _to_text(value: str) -> str:
    """Return the stripped text of a memory; raises ValueError if it is empty or too long."""
    if not value.strip() or len(value) > _LONGEST_TEXT or SURROGATE.search(value):
        raise ValueError(f"a text of at most {_LONGEST_TEXT:,} characters")
    return value.strip()


Text = Annotated[StrictStr, AfterValidator(_to_text)]
#: Longer than the gate permits, so that the gate reports the length.
Draft = Annotated[StrictStr, Field(max_length=100_000)]


class CorrectMemories(ChangeMemories):
    """The correct source of some memories, which cannot be a knowledge file."""

    source: Literal["user_asserted", "agent_inferred", "external_retrieved"]


class WriteText(Question):
    """A text as the user's word, in place of these memories or of none."""

    memories: Annotated[tuple[Shown, ...], Field(max_length=MOST_AT_ONCE)] = ()
    text: Text


class ImportFile(Question):
    """A file with memories: an export, or any format that `ingest` reads."""

    file: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)]
    text: StrictStr


class TakeBackActs(Question):
    """The acts to take back, in the order in which they were done; `about` limits them to some memories."""

    acts: Annotated[tuple[AnyId, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]
    about: Annotated[tuple[AnyId, ...], Field(max_length=MOST_AT_ONCE)] = ()


class MoveMemories(ChangeMemories):
    """The memories to move, and the target folder."""

    target: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)]


class ExportMemories(FindMemories, Paged):
    """One page of an export of matching memories, or of the memories `ids`."""

    ids: Annotated[tuple[AnyId, ...], Field(max_length=MOST_PAGES)] = ()
    size: Annotated[StrictInt, Field(ge=1, le=_MOST_EXPORTED)] = _MOST_EXPORTED


class AcceptProposals(Question):
    """All proposed retirements, of one kind if it is given; `count` is their number in the list."""

    kind: Word = ""
    count: Annotated[StrictInt, Field(ge=1)]


class CheckSettings(Question):
    """A configuration to check, as in the host's settings dialog."""

    settings: dict[str, Any]


class ListBackup(Paged):
    """One page of the memories that the store lacks, that were deleted, or that differ in it."""

    which: Literal["missing", "deleted", "changed"] = "missing"


class RestoreMemories(Question):
    """Memories to bring back; none stands for all that are missing."""

    memories: Annotated[tuple[AnyId, ...], Field(max_length=MOST_AT_ONCE)] = ()


class ListRecords(Paged):
    """One page of the records of the vault; retired records have a list of their own."""

    query: Word = ""
    scope: Word = ""
    tier: Literal["", *(tier.value for tier in STORED_TIERS)] | None = ""  # type: ignore[valid-type]
    retired: StrictBool = False


class ShowRecord(Question):
    """One record with all its versions."""

    id: AnyId


class PreviewVault(Question):
    """The agent's profile whose snapshot is shown; None stands for the agent of the open chat."""

    agent: Word | None = None


class AddRecord(Question):
    """A new record of the vault; the gate judges all fields."""

    text: Draft
    scope: Word = SHARED_SCOPE
    category: Word = "other"
    tier: Word = Tier.CANON.value
    topic: Word = ""
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()


class OneRecord(ShowRecord):
    """A record in the version that a person saw."""

    version: Annotated[StrictInt, Field(ge=1)]


class UpdateRecord(OneRecord):
    """The new text, category and tags of a record."""

    text: Draft
    category: Word
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()


class RevertRecord(OneRecord):
    """The version that a record goes back to."""

    to: Annotated[StrictInt, Field(ge=1)]


class ListNotes(Paged):
    """One page of the notes that contain a query literally."""

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


def _to_entry_id(value: str) -> str:
    if number_of(value) is None or value != value.strip():
        raise ValueError("the id of an entry, such as MEM-007")
    return value


EntryId = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP), AfterValidator(_to_entry_id)]
Stamp = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP)]


class ListEntries(Paged):
    """One page of the entries of a place."""

    place: Place = Place.STAGING


class ShowEntry(Question):
    """One entry with its details."""

    id: EntryId


class DecideEntry(Question):
    """An entry as a person saw it; a rejection needs `sure`."""

    id: EntryId
    stamp: Stamp
    sure: StrictBool = False


class EditEntry(Question):
    """An entry as a person saw it, and its new words."""

    id: EntryId
    stamp: Stamp
    title: Annotated[StrictStr, Field(min_length=1, max_length=_LONGEST_TITLE)]
    insight: Word
    recommended: Word
    applicability: Word


class UndoDecision(Question):
    """A decision that a page has shown."""

    decision: Stamp
