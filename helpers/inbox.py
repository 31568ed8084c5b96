"""The requests of a person to a running host, and their answers, as data. Pure.

A request is a kind with its arguments, its author and its time; its answer stands in the same row. An unknown row is
left as it is: a later version may have written it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from .clock import format_time
from .quality.conflict_record import AGENT_REASONS, RANKING, REASONS, RequestKind, Resolver, Strategy, conflict_id
from .quality.relationships import RelationshipType
from .records import Moment, Source

Row = dict[str, Any]

_DIGEST_BYTES = 6
#: The number of latest answers that are kept; a decision about a conflict stays for good.
KEPT_ANSWERS = 20


class Arguments(BaseModel):
    """The arguments of a request. An unknown one is refused: half of a request is another request."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: ClassVar[str]
    #: Whether asking for it twice is asking for it once, whenever that is.
    is_timeless: ClassVar[bool] = False
    #: Whether it stays for good, as the last word about its memory.
    is_word: ClassVar[bool] = False

    @property
    def about(self) -> str | None:
        """Return the subject of which the last request counts, and stays for good; None if each is done once."""
        return f"{self.kind} {getattr(self, 'memories')[0]}" if self.is_word else None  # noqa: B009


class Refresh(Arguments):
    """Some memories still hold; `verified` if that was checked."""

    kind = "refresh"
    memories: tuple[str, ...]
    verified: bool = False
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


class ArchiveStale(Arguments):
    """Some memories are stale."""

    kind = "archive"
    memories: tuple[str, ...]


class Adopt(Arguments):
    """Retire these memories, as was proposed; the `excluded` ones are not proposed any more."""

    kind = "adopt"
    memories: tuple[str, ...]
    excluded: tuple[str, ...] = ()


class Retire(Arguments):
    """These memories hold no more, without a replacement."""

    kind = "retire"
    memories: tuple[str, ...]


class ProtectMemories(Arguments):
    """These memories bear load: maintenance leaves them as they are."""

    kind = "protect"
    memories: tuple[str, ...]


class SwitchRule(Arguments):
    """Whether a memory may be a standing rule of every prompt; only the last word about it counts."""

    kind = "standing-rule"
    is_word = True
    memories: tuple[str]
    is_on: bool


class NotSecret(Arguments):
    """A memory holds no secret, although a rule suspects one."""

    kind = "no-secret"
    is_word = True
    memories: tuple[str]


class WriteMemory(Arguments):
    """A memory with this text is the user's word from now on, in place of these memories or of none."""

    kind = "write"
    memories: tuple[str, ...]
    text: str


class CorrectSource(Arguments):
    """The source of these memories is `source`, whatever was found."""

    kind = "correct-source"
    memories: tuple[str, ...]
    source: Source


class TakeBack(Arguments):
    """Take back an act, or its effect on some `memories`; taking back a take-back redoes the act."""

    kind = "take-back"
    act: str
    memories: tuple[str, ...] | None = None


class Readmit(Arguments):
    """These memories, which were retired without a replacement, hold again."""

    kind = "readmit"
    memories: tuple[str, ...]


class ConflictDecision(Arguments):
    """A decision of a person or the agent about two memories: the one to `keep`, or the one that `strategy` prefers."""

    kind = "decision"
    action: RequestKind
    memories: tuple[str, str]
    keep: str | None = None
    strategy: Strategy | None = None
    by: Resolver = Resolver.OPERATOR
    #: The text of a merge that replaces both, as a person wrote it.
    text: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        is_kept, is_ranked = self.keep in self.memories, self.strategy in RANKING
        if (is_kept, is_ranked) != (self.action is RequestKind.KEEP, self.action is RequestKind.DECIDE):
            raise ValueError(f"keep is {self.keep}, strategy is {self.strategy}; allowed: what {self.action} needs")
        return self

    @property
    def about(self) -> str | None:
        """Return the conflict: a person's last decision about it counts, for good, so that no rule decides it again."""
        return None if self.by is Resolver.AGENT else self.conflict_id

    @property
    def conflict_id(self) -> str:
        """Return the id of the conflict."""
        return conflict_id(*self.memories)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why the memories change, in words."""
        return REASONS if self.by is Resolver.OPERATOR else AGENT_REASONS


class LinkMemories(Arguments):
    """The first of two memories is linked to the second; `bidirectional` if both lead to each other."""

    kind = "link"
    memories: tuple[str, str]
    type: RelationshipType
    reason: str | None = None
    bidirectional: bool = False
    by: Resolver = Resolver.OPERATOR

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.memories[0] == self.memories[1]:
            raise ValueError(f"memories is {self.memories[0]} twice; allowed: two memories")
        return self

    def to_decision(self) -> ConflictDecision | None:
        """Return the decision of a link: one that supersedes retires a memory, and may do no more than a decision."""
        if self.type is not RelationshipType.SUPERSEDES:
            return None
        return ConflictDecision(action=RequestKind.KEEP, memories=self.memories, keep=self.memories[0], by=self.by)


class UnlinkMemories(Arguments):
    """The stated link from the first of two memories to the second holds no more."""

    kind = "unlink"
    memories: tuple[str, str]
    type: RelationshipType


class SignAnew(Arguments):
    """Chain and sign all memories as they are now, since the chain is broken."""

    kind = "sign-anew"
    reason: str


class BringBack(Arguments):
    """Bring back memories from the backup; without ids, all that are missing."""

    kind = "restore"
    memories: tuple[str, ...] = ()


class Erase(Arguments):
    """Permanently delete memories, and what was found to go with them once that has begun."""

    kind = "erase"
    memories: tuple[str, ...]
    also: tuple[str, ...] = ()


class Repair(Arguments):
    """Give each text the one vector of its own."""

    kind = "repair"


class Arrive(Arguments):
    """Take in the memories of an archive, which waits in the database and is named by its content."""

    kind = "arrive"
    is_timeless = True
    archive: str


class Leave(Arguments):
    """Let memories go once `target` holds them, which an archive there ensures: both or one, never neither.

    `target` is relative to the folder that they leave: a container may know both under another root.
    """

    kind = "leave"
    is_timeless = True
    target: str
    archive: str
    memories: tuple[str, ...]


#: The requests outside the table of authority: nobody makes them in an agent's name.
_FOR_PERSONS = (Adopt, SwitchRule, NotSecret, WriteMemory, SignAnew, BringBack, Erase, Repair, Arrive, Leave)


class AnswerOutcome(StrEnum):
    """The outcome of a request."""

    DONE = "done"
    REFUSED = "refused"


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class InboxAnswer(_Written):
    """The answer to a request, in words."""

    at: Moment
    outcome: AnswerOutcome
    words: str = ""
    problems: tuple[str, ...] = ()


KINDS: Mapping[str, type[Arguments]] = {subclass.kind: subclass for subclass in Arguments.__subclasses__()}


class InboxRequest(_Written):
    """A request, made `at` that time, `by` somebody if known; `asked` may be dropped once it is answered."""

    id: str
    kind: str
    at: Moment
    by: str | None = None
    asked: SerializeAsAny[Arguments] | None = Field(None, alias="arguments")
    answer: InboxAnswer | None = None

    @field_validator("asked", mode="before")
    @classmethod
    def _read_asked(cls, value: object, info: ValidationInfo) -> object:
        kind = str(info.data.get("kind"))
        if value is not None and kind not in KINDS:
            raise ValueError(f"kind is {kind}; allowed: {', '.join(KINDS)}")
        return value if value is None or isinstance(value, Arguments) else KINDS[kind].model_validate(value)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.asked is None and self.answer is None:
            raise ValueError("neither arguments nor an answer")
        if self.by == Resolver.AGENT and isinstance(self.asked, _FOR_PERSONS):
            raise ValueError("by is an agent; allowed: a person")
        return self

    def to_row(self) -> Row:
        """Return the line of a request."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def new_request(asked: Arguments, *, at: datetime, by: str | None) -> InboxRequest:
    """Return a request; its id is made of its arguments and the moment, so asking twice is asking once."""
    words = json.dumps([None if asked.is_timeless else format_time(at), asked.kind, asked.model_dump(mode="json")])
    digest = blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    return InboxRequest(id=digest, kind=asked.kind, at=at, by=by, asked=asked)


def read_row(row: Mapping[str, Any]) -> InboxRequest | None:
    """Return the request of a line; None for a line of another version, or a damaged one."""
    try:
        return InboxRequest.model_validate(row)
    except ValidationError:
        return None


def without(row: Row, clean: Callable[[Any], Any]) -> Row | None:
    """Return the line of a request whose arguments are cleaned of a memory; None if nothing is left of them."""
    left = {**row, "arguments": clean(row.get("arguments"))}
    request = read_row(left)
    return None if request is None or getattr(request.asked, "memories", None) == () else left


def in_force(requests: Iterable[InboxRequest]) -> list[InboxRequest]:
    """Return requests in their order, of those about one subject the last; one that is there twice once."""
    latest = {request.id: request for request in requests}
    about = {request.id: request.asked.about for request in latest.values() if request.asked is not None}
    last = {topic: request_id for request_id, topic in about.items()}
    return [request for name, request in latest.items() if (topic := about.get(name)) is None or last[topic] == name]


def rules_left_out(requests: Iterable[InboxRequest]) -> frozenset[str]:
    """Return the memories that a person has taken out of the standing rules, done or not."""
    asked = (request.asked for request in requests)
    return frozenset(switch.memories[0] for switch in asked if isinstance(switch, SwitchRule) and not switch.is_on)


def not_secret(requests: Iterable[InboxRequest]) -> frozenset[str]:
    """Return the memories in which a person sees no secret."""
    return frozenset(request.asked.memories[0] for request in requests if isinstance(request.asked, NotSecret))


def answered_rows(rows: Iterable[Row], answers: Mapping[str, InboxAnswer]) -> list[Row]:
    """Return rows with answers: the arguments go where a request was done, and the oldest answers go altogether."""
    read = [(row, read_row(row)) for row in rows]
    known = in_force(request for _, request in read if request is not None)
    requests = [_answered(request, answers) for request in known]
    finished = (request for request in requests if request.asked is None)
    done = sorted((request.answer.at, request.id) for request in finished if request.answer is not None)
    dropped = {request_id for _, request_id in done[:-KEPT_ANSWERS]}
    unknown = (row for row, request in read if request is None)
    return [*unknown, *(request.to_row() for request in requests if request.id not in dropped)]


def with_word(rows: Iterable[Row], about: str, word: Row | None) -> list[Row]:
    """Return rows in which `word` is the last one about a subject; with None, nothing about it is left."""
    read = ((row, read_row(row)) for row in rows)
    left = [row for row, request in read if request is None or request.asked is None or request.asked.about != about]
    return left if word is None else [*left, word]


def _answered(request: InboxRequest, answers: Mapping[str, InboxAnswer]) -> InboxRequest:
    answer = answers.get(request.id, request.answer)
    is_done = answer is not None and request.asked is not None and request.asked.about is None
    return request.model_copy(update={"asked": None if is_done else request.asked, "answer": answer})
