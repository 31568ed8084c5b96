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
from ..errors import MemoryLedgerError, requirement_of, shorten
from ..recall.eligibility import is_standing_rule
from ..records import Memory, Relevance, Source, Utility, Validity

#: A filter for every validity but deprecated.
IN_USE = "in_use"
LONGEST_QUERY = 2_000
LONGEST_ID = 200
_LONGEST_NAME = 60
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
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
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


class ShowMemory(Question):
    """A memory with everything that is known of it."""

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


AnyQuestion = TypeVar("AnyQuestion", bound=Question)


def parse_question(kind: type[AnyQuestion], arguments: Mapping[str, Any]) -> AnyQuestion:
    """Return the arguments of a question; raises ServiceError, which says what is wrong."""
    try:
        return kind.model_validate(arguments)
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    value = "missing" if fault["type"] == "missing" else shorten(fault.get("input"))
    allowed = "what this version knows" if fault["type"] == "extra_forbidden" else requirement_of(fault)
    raise ServiceError(f"{' '.join(where.split())[:_LONGEST_NAME]} is {value}; allowed: {allowed}")


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
    can = [MemoryAction.ERASE]
    if can_undo:
        can.insert(0, MemoryAction.UNDO)
    if memory.is_deprecated:
        return [MemoryAction.RESTORE, *can]
    if is_standing_rule(memory):
        can.insert(0, MemoryAction.PUT_IN if is_left_out else MemoryAction.LEAVE_OUT)
    if not memory.is_knowledge:
        can.insert(0, MemoryAction.CORRECT)
    if axes.utility is not Utility.LOAD_BEARING:
        can.insert(0, MemoryAction.PROTECT)
    if axes.utility is not Utility.ARCHIVED and not memory.is_knowledge:
        can.insert(0, MemoryAction.ARCHIVE)
    if axes.validity is Validity.INFERRED:
        can.insert(0, MemoryAction.CONFIRM)
    return [MemoryAction.RETIRE, *can]
