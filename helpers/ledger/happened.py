"""What happened, in words: who did what to a memory, and why, as the lines of the journal tell. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from .authority import Actor

Line = Mapping[str, Any]

#: Who acts, in words.
WHO: Final = {
    Actor.RULE: "a rule",
    Actor.AGENT: "the agent",
    Actor.MESSAGE: "the user's message",
    Actor.PERSON: "a person",
}
#: What the agent may not do, and has tried; and whatever it only wished for.
REFUSE: Final = "refuse"
WISHES: Final = frozenset((REFUSE, "propose", "propose-both", "propose-record"))
#: What each line of the journal tells, in words.
DID: Final = {
    "supersede": "retired it",
    "partial": "retired a part of it",
    "withdraw": "retired it",
    "restore": "brought it back into use",
    "reinstate": "brought all of it back into use",
    "contest": "found it at odds with another one",
    "archive": "archived it",
    "unarchive": "reactivated it",
    "confirm": "confirmed it",
    "protect": "protected it",
    "reattribute": "corrected its source",
    "undo": "took a change back",
    "revert": "took a change back",
    "forget": "took it out of every recall",
    "suspend": "made it dormant",
    "rouse": "woke it",
    "purge": "deleted it for good",
    "replace": "deleted it, and saved another one in its place",
    "propose": "proposed to retire it",
    "propose-both": "proposed to keep both",
    "propose-record": "proposed to change it",
    REFUSE: "tried to retire it, and was refused",
    "dismiss": "kept both",
    "keep-in-use": "kept it in use",
    "refresh": "checked it",
    "act": "settled what it is at odds with",
    "relate": "linked it",
    "unrelate": "removed a link",
    "rule-on": "put it into every prompt",
    "rule-off": "left it out of every prompt",
}
#: The rules of what a person asks for, in lines from before each named its actor.
_PERSONS: Final = ("T-70", "Q-23")
#: What says no more than who it was.
_EMPTY: Final = ("a person ", "the agent ")


def actor_of(line: Line) -> Actor:
    """Return who did what a line of the journal tells."""
    by = str(line.get("by"))
    if by in [*Actor]:
        return Actor(by)
    return Actor.PERSON if line.get("rule") in _PERSONS else Actor.RULE


def tell(line: Line, why: str | None = None) -> str:
    """Return who did what and why ("the agent proposed to retire it: ..."); empty for what is no act.

    `why` stands for the reasons of the line, where somebody knows better.
    """
    did = DID.get(str(line.get("action")))
    if did is None:
        return ""
    reasons = line.get("reasons")
    because = why or "; ".join(map(str, reasons if isinstance(reasons, list) else ()))
    return f"{WHO[actor_of(line)]} {did}{f': {because}' if because and not because.startswith(_EMPTY) else ''}"


def retirements(lines: Iterable[Line]) -> dict[tuple[str, str], Line]:
    """Return the last line about each retirement, by the loser and the winner."""
    found = (one for one in lines if one.get("action") in ("supersede", "partial"))
    return {(str(one.get("memory")), str(one.get("winner"))): one for one in found}
