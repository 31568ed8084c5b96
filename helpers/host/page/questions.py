"""What only a page asks for, as data: about memories, the backup, the vault, the notes, recalls and knowledge. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr

from ...foreign import SURROGATE
from ...knowledge.documents import Place, number_of
from ...service.arguments import (
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
from ...vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Tier

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
    """Return what a memory may say: something, and not without end."""
    if not value.strip() or len(value) > _LONGEST_TEXT or SURROGATE.search(value):
        raise ValueError(f"a text of at most {_LONGEST_TEXT:,} characters")
    return value.strip()


Text = Annotated[StrictStr, AfterValidator(_to_text)]
#: Longer than any gate lets pass, which says so.
Draft = Annotated[StrictStr, Field(max_length=100_000)]


class CorrectMemories(ChangeMemories):
    """Where some memories come from, as a person says; a knowledge file is none of the answers."""

    source: Literal["user_asserted", "agent_inferred", "external_retrieved"]


class WriteText(Question):
    """A text that is the user's word from now on, in the place of these memories or of none."""

    memories: Annotated[tuple[Shown, ...], Field(max_length=MOST_AT_ONCE)] = ()
    text: Text


class ImportFile(Question):
    """A file with memories: what an export holds, or whatever `ingest` reads."""

    file: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)]
    text: StrictStr


class TakeBackActs(Question):
    """Which acts are to be taken back, in the order in which they were done; all of each, or what was done `about`
    some memories and conflicts.
    """

    acts: Annotated[tuple[AnyId, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]
    about: Annotated[tuple[AnyId, ...], Field(max_length=MOST_AT_ONCE)] = ()


class MoveMemories(ChangeMemories):
    """Which memories are to be in which other folder."""

    target: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)]


class ExportMemories(FindMemories, Paged):
    """Some lines of what is found, or of the memories called `ids`."""

    ids: Annotated[tuple[AnyId, ...], Field(max_length=MOST_PAGES)] = ()
    size: Annotated[StrictInt, Field(ge=1, le=_MOST_EXPORTED)] = _MOST_EXPORTED


class AcceptProposals(Question):
    """All retirements that are proposed, of so many as the list showed; of one kind if one is given."""

    kind: Word = ""
    count: Annotated[StrictInt, Field(ge=1)]


class CheckSettings(Question):
    """Which of these values cannot be applied: a configuration as the host's settings dialog holds it."""

    settings: dict[str, Any]


class ListBackup(Paged):
    """What the store lacks of the backup, what was deleted from it, or what says something else in it."""

    which: Literal["missing", "deleted", "changed"] = "missing"


class RestoreMemories(Question):
    """Memories to bring back; none stands for all that are missing."""

    memories: Annotated[tuple[AnyId, ...], Field(max_length=MOST_AT_ONCE)] = ()


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


def _to_entry_id(value: str) -> str:
    if number_of(value) is None or value != value.strip():
        raise ValueError("the id of an entry, such as MEM-007")
    return value


EntryId = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP), AfterValidator(_to_entry_id)]
Stamp = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP)]


class ListEntries(Paged):
    """The entries that stand so."""

    place: Place = Place.STAGING


class ShowEntry(Question):
    """One entry with all that is known of it."""

    id: EntryId


class DecideEntry(Question):
    """An entry as a person saw it; to reject it needs to be `sure`."""

    id: EntryId
    stamp: Stamp
    sure: StrictBool = False


class EditEntry(Question):
    """An entry as a person saw it, and the words that it shall have."""

    id: EntryId
    stamp: Stamp
    title: Annotated[StrictStr, Field(min_length=1, max_length=_LONGEST_TITLE)]
    insight: Word
    recommended: Word
    applicability: Word


class UndoDecision(Question):
    """A decision that a page has shown."""

    decision: Stamp
