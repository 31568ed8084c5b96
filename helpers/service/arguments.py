"""The arguments of every question and act, as data; anything else is refused. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)

from ..clock import parse_time
from ..errors import MemoryLedgerError, fault_in_words
from ..foreign import SURROGATE
from ..knowledge.documents import Place
from ..recall.eligibility import is_standing_rule
from ..records import Memory, Relevance, Source, Utility, Validity
from ..vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Origin, Tier

#: A filter for every validity but deprecated.
IN_USE = "in_use"
LONGEST_QUERY = 2_000
LONGEST_ID = 200
#: The id of a note is the path of its file.
_LONGEST_PATH = 4_096
MOST_AT_ONCE = 100
MOST_PAGES = 1_000_000


class ServiceError(MemoryLedgerError):
    """A question cannot be answered; the message is for the person who asks."""


def _to_moment(value: object) -> object:
    """Return the moment of a text; a day, or a time without an offset, is local time of the machine."""
    if value is None or value == "":
        return None
    moment = parse_time(value) if isinstance(value, str) else None
    if moment is None:
        raise ValueError("a day, such as 2026-03-01, or a time in ISO 8601")
    return moment


def _to_id(value: object) -> object:
    """Return an id that can be encoded; foreign metadata may hold other ones."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_PATH:
        raise ValueError("the id of a memory or a conflict")
    return value


Word = Annotated[StrictStr, BeforeValidator(lambda word: "" if word is None else word), Field(max_length=LONGEST_QUERY)]
AnyId = Annotated[Any, AfterValidator(_to_id)]
Time = Annotated[datetime | None, BeforeValidator(_to_moment)]
AnyRow = TypeVar("AnyRow")


class Question(BaseModel):
    """The arguments of every question: the memory folder; `context` is the chat that a person has open."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    folder: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)] = "default"
    context: Word = ""


class Filters(BaseModel):
    """The filters of a list; an empty value lets everything through. `since` and `until` limit when a memory was said.

    With `about` "changed", they limit when the agent or a rule changed it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    source: Literal["", *(source.value for source in Source)] | None = ""  # type: ignore[valid-type]
    validity: Literal["", IN_USE, *(validity.value for validity in Validity)] | None = ""  # type: ignore[valid-type]
    utility: Literal["", *(utility.value for utility in Utility)] | None = ""  # type: ignore[valid-type]
    relevance: Literal["", *(relevance.value for relevance in Relevance)] | None = ""  # type: ignore[valid-type]
    about: Literal["", "changed", "secrets", "empty", "unused"] | None = ""
    area: Word = ""
    domain: Word = ""
    role: Word = ""
    tag: Word = ""
    since: Time = None
    until: Time = None


class Paged(Question):
    """A page of a list, counted from 1."""

    page: Annotated[StrictInt, Field(ge=1, le=MOST_PAGES)] = 1
    size: Annotated[StrictInt, Field(ge=1, le=MOST_AT_ONCE)] = 50

    def cut(self, rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
        """Return the rows of this page."""
        first = (self.paging(len(rows))["page"] - 1) * self.size
        return rows[first : first + self.size]

    def paging(self, count: int) -> dict[str, int]:
        """Return the number of this page and of all pages of `count` rows; a page too far becomes the last one."""
        pages = max(1, -(-count // self.size))
        return {"total": count, "page": min(self.page, pages), "pages": pages}


class FindMemories(Question):
    """A search for memories and its order; `by_meaning` asks the embedding model for the nearest."""

    query: Word = ""
    by_meaning: StrictBool = False
    filters: Filters = Filters()
    sort: Literal["newest", "oldest", "utility", "shown", "quality"] = "newest"


class ListMemories(Paged, FindMemories):
    """A page of a search."""


class ShowOne(Question):
    """A memory, a record of the vault, a note or an entry of knowledge, with everything that is known of it."""

    id: AnyId


class Shown(BaseModel):
    """A memory as a person saw it: its `stamp` changes with its text or its status."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: AnyId
    stamp: Annotated[StrictStr, Field(max_length=LONGEST_ID)]


class ChangeMemories(Question):
    """A change to some memories; `sure` is required to erase them."""

    memories: Annotated[tuple[Shown, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]
    sure: StrictBool = False


class ListInbox(Paged):
    """The kinds of inbox items, none for all; `thorough` verifies every line of the chain as well."""

    kinds: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()
    thorough: StrictBool = False


_LONGEST_TEXT = 20_000
_MOST_EXPORTED = 1_000


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
    """The memories to move, and the target folder, which is made if it `is_new`."""

    target: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)]
    is_new: StrictBool = False


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
    """One page of the memories that the store lacks, or that were deleted."""

    which: Literal["missing", "deleted"] = "missing"


class RestoreMemories(Question):
    """Memories to bring back; none stands for all that are missing."""

    memories: Annotated[tuple[AnyId, ...], Field(max_length=MOST_AT_ONCE)] = ()


class ListRecords(Paged):
    """One page of the records of the vault; retired records have a list of their own."""

    query: Word = ""
    scope: Word = ""
    tier: Literal["", *(tier.value for tier in STORED_TIERS)] | None = ""  # type: ignore[valid-type]
    retired: StrictBool = False


class PreviewVault(Question):
    """The agent's profile whose snapshot is shown; None stands for the agent of the open chat."""

    agent: Word | None = None


class AddRecord(Question):
    """A new record of the vault; the gate judges all fields."""

    text: Draft
    scope: Word = SHARED_SCOPE
    category: Word = "other"
    tier: Word = Tier.CANON.value
    topic: Annotated[Word | None, AfterValidator(lambda topic: topic or None)] = Field(
        None, serialization_alias="topic_id"
    )
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()
    source: Literal[Origin.OPERATOR] = Origin.OPERATOR


class OneRecord(Question):
    """A record in the version that a person saw."""

    id: AnyId = Field(serialization_alias="memory_id")
    version: Annotated[StrictInt, Field(ge=1)]


class UpdateRecord(OneRecord):
    """The new text, category and tags of a record."""

    text: Draft
    category: Word
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()
    source: Literal[Origin.OPERATOR] = Origin.OPERATOR


class RevertRecord(OneRecord):
    """The version that a record goes back to."""

    to: Annotated[StrictInt, Field(ge=1)]


class ListNotes(Paged):
    """One page of the notes that contain a query literally."""

    query: Word = ""


class ShowRecall(Question):
    """One of the last recalls of the open chat, by the number that its list gives it."""

    number: Annotated[StrictInt, Field(ge=1)]


class AskInWords(Question):
    """A message, as a person would write it to the agent, or the agent would ask the notes."""

    text: Annotated[StrictStr, AfterValidator(_to_message)]


Stamp = Annotated[StrictStr, Field(max_length=LONGEST_ID)]


class ListEntries(Paged):
    """One page of the entries of a place."""

    place: Place = Place.STAGING


class DecideEntry(ShowOne):
    """An entry as a person saw it; a rejection needs `sure`."""

    stamp: Stamp
    sure: StrictBool = False


class EditEntry(ShowOne):
    """An entry as a person saw it, and its new words."""

    stamp: Stamp
    title: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    insight: Word
    recommended: Word
    applicability: Word


class UndoDecision(Question):
    """A decision that a page has shown."""

    decision: Stamp


AnyQuestion = TypeVar("AnyQuestion", bound=Question)


def parse_question(kind: type[AnyQuestion], arguments: Mapping[str, Any]) -> AnyQuestion:
    """Return the arguments of a question; raises ServiceError, which says what is wrong."""
    try:
        return kind.model_validate(arguments)
    except ValidationError as exc:
        raise ServiceError(fault_in_words(exc)) from None


class MemoryAction(StrEnum):
    """An action on a memory that the page offers."""

    RETIRE = "retire"
    RESTORE = "restore"
    CONFIRM = "confirm"
    ARCHIVE = "archive"
    PROTECT = "protect"
    LEAVE_OUT = "leave_out"
    PUT_IN = "put_in"
    CORRECT = "correct"
    ERASE = "erase"
    UNDO = "undo"


def allowed_actions(
    memory: Memory, *, can_undo: bool, is_record: bool, is_left_out: bool = False
) -> list[MemoryAction]:
    """Return the actions that are possible on a memory.

    A record of the vault (`is_record`) is changed only there, and a memory without a status can only be erased.
    `is_left_out`: a person has taken it out of the standing rules.
    """
    axes = memory.classification
    if is_record:
        return []
    if axes is None:
        return [MemoryAction.ERASE]
    is_used, is_rule, is_knowledge = not memory.is_deprecated, is_standing_rule(memory), memory.is_knowledge
    is_possible = {
        MemoryAction.RETIRE: is_used,
        MemoryAction.RESTORE: not is_used,
        MemoryAction.CONFIRM: is_used and axes.validity is Validity.INFERRED,
        MemoryAction.ARCHIVE: is_used and not is_knowledge and axes.utility is not Utility.ARCHIVED,
        MemoryAction.PROTECT: is_used and axes.utility is not Utility.LOAD_BEARING,
        MemoryAction.CORRECT: is_used and not is_knowledge,
        MemoryAction.LEAVE_OUT: is_used and is_rule and not is_left_out,
        MemoryAction.PUT_IN: is_used and is_rule and is_left_out,
        MemoryAction.UNDO: can_undo,
        MemoryAction.ERASE: True,
    }
    return [action for action, is_one in is_possible.items() if is_one]
