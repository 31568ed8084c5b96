"""What a person asks a running host for at a terminal, and what became of it, as data (T-64, T-70, Q-27, Q-31). Pure.

A request is a kind with its arguments, who asked and when; its answer stands in the same row. What this version does
not know as a request is left as it is: a later one may have written it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError, model_validator

from .clock import format_time, parse_time
from .quality.conflicts import Strategy, conflict_id
from .quality.requests import RANKING, RequestKind
from .quality.requests import Request as ConflictRequest

Row = dict[str, Any]

_DIGEST_BYTES = 6
#: So many answers are kept, the latest; but a decision about a conflict stays for good (T-70).
KEPT_ANSWERS = 20


class Asked(BaseModel):
    """The arguments of a request. One that is not known is refused: half of what was asked for is something else."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: ClassVar[str]

    @property
    def about(self) -> str | None:
        """Return what only the last request counts about, and stays for good; None where each is done once."""
        return None


class Refresh(Asked):
    """Some memories still hold; `verified` where that was checked (Q-27)."""

    kind = "refresh"
    memories: tuple[str, ...]
    verified: bool = False
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


class Archive(Asked):
    """Some memories are stale (Q-28)."""

    kind = "archive"
    memories: tuple[str, ...]


class Adopt(Asked):
    """Put these memories out of use, as was proposed; what is `excluded` is proposed no more (`design.md`)."""

    kind = "adopt"
    memories: tuple[str, ...]
    excluded: tuple[str, ...] = ()


class Decision(Asked):
    """What a person decides about two memories, of which one is to `keep` or a strategy prefers one (T-70, Q-23)."""

    kind = "decision"
    action: RequestKind
    memories: tuple[str, str]
    keep: str | None = None
    strategy: Strategy | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        is_kept, is_ranked = self.keep in self.memories, self.strategy in RANKING
        if (is_kept, is_ranked) != (self.action is RequestKind.KEEP, self.action is RequestKind.DECIDE):
            raise ValueError(f"keep is {self.keep}, strategy is {self.strategy}; allowed: what {self.action} needs")
        return self

    @property
    def about(self) -> str:
        """Return the conflict: the last decision about it counts, for good, so that no rule decides it again."""
        return conflict_id(*self.memories)

    def to_request(self, at: datetime) -> ConflictRequest:
        """Return the decision with its time."""
        return ConflictRequest(
            at=at, action=self.action, memories=self.memories, keep=self.keep, strategy=self.strategy
        )


class AcceptBreaks(Asked):
    """Live with the breaks of the chain in `lines`, or with all of them (Q-31)."""

    kind = "accept-break"
    reason: str
    lines: tuple[StrictInt, ...] | None = None


class RotateKey(Asked):
    """Sign with a new key from now on (Q-31)."""

    kind = "rotate-key"
    reason: str


class Restore(Asked):
    """Bring back memories from the backup, or all that is missing if none is named (T-64)."""

    kind = "restore"
    memories: tuple[str, ...] = ()


class Erase(Asked):
    """Make memories gone for good, and what was found to go with them once that has begun (T-64)."""

    kind = "erase"
    memories: tuple[str, ...]
    also: tuple[str, ...] = ()


class Outcome(StrEnum):
    """What can become of a request."""

    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a request, in words."""

    at: datetime
    outcome: Outcome
    words: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """At `at` somebody, `by` if that is known, `asked` for something; once it is answered that may be dropped."""

    id: str
    kind: str
    at: datetime
    by: str | None
    asked: Asked | None
    answer: Answer | None = None

    def to_row(self) -> Row:
        """Return the line of a request."""
        row: Row = {"id": self.id, "kind": self.kind, "at": format_time(self.at), "by": self.by}
        if self.asked is not None:
            row["arguments"] = self.asked.model_dump(mode="json", exclude_defaults=True)
        if self.answer is not None:
            one = self.answer
            row["answer"] = {"outcome": one.outcome.value, "at": format_time(one.at), "words": one.words}
            row["answer"] |= {"problems": list(one.problems)} if one.problems else {}
        return row


KINDS: Mapping[str, type[Asked]] = {
    one.kind: one for one in (Refresh, Archive, Adopt, Decision, AcceptBreaks, RotateKey, Restore, Erase)
}


def new_request(asked: Asked, *, at: datetime, by: str | None) -> Request:
    """Return a request; its id is that of what is asked for at that moment, so asking twice is asking once."""
    words = json.dumps([format_time(at), asked.kind, asked.model_dump(mode="json")])
    digest = blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    return Request(id=digest, kind=asked.kind, at=at, by=by, asked=asked)


def read_row(row: Mapping[str, Any]) -> Request | None:
    """Return the request of a line; None where it is none, or none that this version knows."""
    at, by, kind, one_id = parse_time(row.get("at")), row.get("by"), row.get("kind"), row.get("id")
    answer, asked = _read_answer(row.get("answer")), _read_asked(kind, row.get("arguments"))
    if at is None or not isinstance(kind, str) or not isinstance(one_id, str) or (asked is None and answer is None):
        return None
    return Request(id=one_id, kind=kind, at=at, by=by if isinstance(by, str) else None, asked=asked, answer=answer)


def _read_asked(kind: object, arguments: object) -> Asked | None:
    found = KINDS.get(kind) if isinstance(kind, str) else None
    try:
        return found.model_validate(arguments) if found is not None else None
    except ValidationError:
        return None


def _read_answer(row: object) -> Answer | None:
    if not isinstance(row, Mapping):
        return None
    at, problems = parse_time(row.get("at")), row.get("problems", [])
    if at is None or row.get("outcome") not in set(Outcome) or not isinstance(problems, list):
        return None
    outcome, words = Outcome(row["outcome"]), str(row.get("words", ""))
    return Answer(at=at, outcome=outcome, words=words, problems=tuple(map(str, problems)))


def read_old_row(row: Mapping[str, Any]) -> Request | None:
    """Return the request of a line that earlier versions wrote, each kind of request to a file of its own."""
    action, at = row.get("action"), parse_time(row.get("at"))
    kind = Decision.kind if action in set(RequestKind) else str(action)
    if kind not in KINDS or at is None:
        return None
    if "done" in row:
        return read_row({**row, "id": row["done"], "kind": kind, "answer": {**row, "outcome": Outcome.DONE}})
    found = {"memories": row.get("ids"), **row}
    asked = _read_asked(kind, {key: found[key] for key in KINDS[kind].model_fields if key in found})
    return None if asked is None else new_request(asked, at=at, by=None)


def without(row: Row, clean: Callable[[Any], Any]) -> Row | None:
    """Return the line of a request whose arguments are cleaned of a memory; None where nothing is asked for then."""
    left = {**row, "arguments": clean(row.get("arguments"))}
    request = read_row(left)
    return None if request is None or getattr(request.asked, "memories", None) == () else left


def in_force(requests: Iterable[Request]) -> list[Request]:
    """Return requests in their order, of those about one thing the last; one that is there twice once."""
    latest = {one.id: one for one in requests}
    about = {one.asked.about: one.id for one in latest.values() if one.asked is not None}
    return [
        one
        for one in latest.values()
        if one.asked is None or one.asked.about is None or about[one.asked.about] == one.id
    ]


def answered_rows(rows: Iterable[Row], answers: Mapping[str, Answer]) -> list[Row]:
    """Return rows with answers: what was asked for goes where it was done, and the oldest answers go altogether."""
    foreign, requests = list[Row](), list[Request]()
    for row in rows:
        request = read_row(row)
        requests += [request] if request is not None else []
        foreign += [row] if request is None else []
    found = [_answered(one, answers.get(one.id, one.answer)) for one in in_force(requests)]
    done = sorted((one.answer.at, one.id) for one in found if one.answer is not None and one.asked is None)
    dropped = {one_id for _, one_id in done[:-KEPT_ANSWERS]}
    return [*foreign, *(one.to_row() for one in found if one.id not in dropped)]


def _answered(request: Request, answer: Answer | None) -> Request:
    is_done = answer is not None and request.asked is not None and request.asked.about is None
    return replace(request, asked=None if is_done else request.asked, answer=answer)
