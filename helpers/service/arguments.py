"""What can be asked for, as data, and what may be done about a memory: anything else is refused. Pure."""

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

#: Stands for every validity but deprecated.
IN_USE = "in_use"
LONGEST_QUERY = 2_000
LONGEST_ID = 200
_LONGEST_NAME = 60
MOST_AT_ONCE = 100
MOST_PAGES = 1_000_000


class ServiceError(MemoryLedgerError):
    """Somebody asks for what is not to be had; the words are for whoever asks."""


def _to_moment(value: object) -> object:
    """Return the time that a text names; a day or a time without an offset is the machine's."""
    if value is None or value == "":
        return None
    moment = parse_time(value) if isinstance(value, str) else None
    if moment is None:
        raise ValueError("a day, such as 2026-03-01, or a time in ISO 8601")
    return moment


def _to_id(value: object) -> object:
    """Return an id as it is: one of foreign metadata may be no text that can be encoded."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        raise ValueError("the id of a memory or a conflict")
    return value


Word = Annotated[
    StrictStr, BeforeValidator(lambda value: "" if value is None else value), Field(max_length=LONGEST_QUERY)
]
AnyId = Annotated[Any, AfterValidator(_to_id)]
Time = Annotated[datetime | None, BeforeValidator(_to_moment)]
AnyRow = TypeVar("AnyRow")


class Question(BaseModel):
    """What every question says: which memory folder it is about. `context` is the chat that a person has open."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    folder: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_ID)] = "default"
    context: Word = ""


class Filters(BaseModel):
    """What a list is narrowed to; empty stands for all. `since` and `until` are about when a memory was said.

    Where `about` is "changed", they are about when the agent or a rule did something to it.
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
    """One page of a list, the first one is 1."""

    page: Annotated[StrictInt, Field(ge=1, le=MOST_PAGES)] = 1
    size: Annotated[StrictInt, Field(ge=1, le=MOST_AT_ONCE)] = 50

    def cut(self, rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
        """Return those of all rows that stand on this page."""
        first = (self.paging(len(rows))["page"] - 1) * self.size
        return rows[first : first + self.size]

    def paging(self, count: int) -> dict[str, int]:
        """Return which page of how many it is, where there are `count` rows in all; for one too far the last."""
        pages = max(1, -(-count // self.size))
        return {"total": count, "page": min(self.page, pages), "pages": pages}


class FindMemories(Question):
    """Which memories, in which order; `by_meaning` asks the embedding model for the nearest."""

    query: Word = ""
    by_meaning: StrictBool = False
    filters: Filters = Filters()
    sort: Literal["newest", "oldest", "utility", "shown", "quality"] = "newest"


class ListMemories(Paged, FindMemories):
    """One page of what is found."""


class ShowMemory(Question):
    """One memory with all that is known of it."""

    id: AnyId


class Shown(BaseModel):
    """A memory as a person saw it: `stamp` is another one once its text or its status is."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: AnyId
    stamp: Annotated[StrictStr, Field(max_length=LONGEST_ID)]


class ChangeMemories(Question):
    """What is to be done about some memories; to erase needs to be `sure`."""

    memories: Annotated[tuple[Shown, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]
    sure: StrictBool = False


class ListInbox(Paged):
    """Which kinds of what needs a person, none stands for all; `thorough` verifies every line of the chain as well."""

    kinds: Annotated[tuple[Word, ...], Field(max_length=MOST_AT_ONCE)] = ()
    thorough: StrictBool = False


AnyQuestion = TypeVar("AnyQuestion", bound=Question)


def parse_question(kind: type[AnyQuestion], arguments: Mapping[str, Any]) -> AnyQuestion:
    """Return what somebody asks; raises ServiceError, which says what is wrong."""
    try:
        return kind.model_validate(arguments)
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    value = "missing" if fault["type"] == "missing" else shorten(fault.get("input"))
    allowed = "what this version knows" if fault["type"] == "extra_forbidden" else requirement_of(fault)
    raise ServiceError(f"{' '.join(where.split())[:_LONGEST_NAME]} is {value}; allowed: {allowed}")


class MemoryAction(StrEnum):
    """What a page can ask for about a memory."""

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
    """Return what may be done about a memory.

    What `is_record` of the vault is changed there alone, and what has no status yet can only be erased. What
    `is_left_out` a person has taken out of the standing rules.
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
