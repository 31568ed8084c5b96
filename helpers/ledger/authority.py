"""Who may do what to whose word: the table that every door asks, and the lines of the journal in words. Pure.

What the table answers with `asked` waits for the user: a person settles it with one click, the user's next message in
words. The journal tells who did what to a memory, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from ..records import Memory, Source


class Actor(StrEnum):
    """Who acts: a rule, the agent by its tool, what the user says in a chat, a person at the page or a terminal."""

    RULE = "rule"
    AGENT = "agent"
    MESSAGE = "message"
    PERSON = "person"


class Act(StrEnum):
    """What is done to a memory, or to a record of the vault."""

    SUPERSEDE = "supersede"
    RETIRE = "retire"
    BRING_BACK = "bring back"
    JUDGE = "judge"
    DISMISS = "dismiss"
    NOTE = "note"
    CHANGE = "change"
    DELETE = "delete"


class Whose(StrEnum):
    """Whose word it is done to. A record is the user's where the agent has entered what the user said."""

    USERS = "user"
    OTHERS = "others"
    RECORD = "record"
    PERSONS_RECORD = "record of a person"
    USERS_RECORD = "record of the user"
    AGENTS_RECORD = "record of an agent"


class Verdict(StrEnum):
    """What the table answers: the act is done, the user is asked, or it is not done."""

    ALLOWED = "allowed"
    ASKED = "asked"
    REFUSED = "refused"


#: What is done | to whose word | by a rule | by the agent | by the user's message | by a person.
TABLE: Final = """
supersede  | user               | allowed | asked   | allowed | allowed
supersede  | others             | allowed | allowed | allowed | allowed
supersede  | record             | refused | refused | refused | refused
retire     | user               | allowed | refused | refused | allowed
retire     | others             | allowed | allowed | refused | allowed
retire     | record             | refused | refused | refused | refused
bring back | user               | allowed | refused | allowed | allowed
bring back | others             | allowed | allowed | allowed | allowed
bring back | record             | allowed | refused | allowed | allowed
judge      | user               | allowed | refused | allowed | allowed
judge      | others             | allowed | refused | allowed | allowed
judge      | record             | allowed | refused | allowed | allowed
dismiss    | user               | refused | asked   | allowed | allowed
dismiss    | others             | refused | allowed | allowed | allowed
dismiss    | record             | refused | asked   | allowed | allowed
note       | user               | allowed | allowed | allowed | allowed
note       | others             | allowed | allowed | allowed | allowed
note       | record             | allowed | allowed | allowed | allowed
change     | record of a person | refused | refused | refused | allowed
change     | record of the user | refused | refused | allowed | allowed
change     | record of an agent | refused | allowed | allowed | allowed
delete     | record of a person | refused | refused | refused | allowed
delete     | record of the user | refused | refused | refused | allowed
delete     | record of an agent | refused | allowed | allowed | allowed
"""


def _read(table: str) -> Mapping[tuple[Act, Whose, Actor], Verdict]:
    rows = ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())
    return {
        (Act(act), Whose(word), actor): Verdict(verdict)
        for act, word, *verdicts in rows
        for actor, verdict in zip(Actor, verdicts, strict=True)
    }


_VERDICTS: Final = _read(TABLE)
_USERS: Final = (Source.BOOKSHELF_DOCUMENT, Source.USER_ASSERTED)

#: The act that each kind of change amounts to, by its name in the journal; any other kind is a note.
_ACTS: Final = {
    **dict.fromkeys(("supersede", "partial"), Act.SUPERSEDE),
    **dict.fromkeys(("withdraw", "forget", "archive", "suspend", "purge"), Act.RETIRE),
    **dict.fromkeys(("restore", "reinstate", "undo", "unarchive", "rouse"), Act.BRING_BACK),
    **dict.fromkeys(("confirm", "protect", "reattribute"), Act.JUDGE),
}


def judge(actor: Actor, act: Act, word: Whose) -> Verdict:
    """Return what the table answers; raises KeyError for a row that it does not have."""
    return _VERDICTS[act, word, actor]


def act_of(action: str) -> Act:
    """Return the act that a kind of change amounts to, by its name in the journal."""
    return _ACTS.get(action, Act.NOTE)


def is_users_word(memory: Memory) -> bool:
    """Whether the user said what a memory says."""
    return memory.classification is not None and memory.classification.source is Source.USER_ASSERTED


def word_of(memory: Memory, *, is_record: bool) -> Whose:
    """Return whose word a memory is: a document counts as the user's, an unclassified memory as others'."""
    if is_record:
        return Whose.RECORD
    is_users = memory.classification is not None and memory.classification.source in _USERS
    return Whose.USERS if is_users else Whose.OTHERS


Line = Mapping[str, Any]

#: Who acts, in words.
WHO: Final = {
    Actor.RULE: "a rule",
    Actor.AGENT: "the agent",
    Actor.MESSAGE: "the user's message",
    Actor.PERSON: "a person",
}
#: What the agent tried and may not do; and all actions that are only wishes.
REFUSE: Final = "refuse"
WISHES: Final = frozenset((REFUSE, "propose", "propose-both", "propose-record"))
#: What was done, in words, by the action of a line of the journal.
DID: Final = {
    **dict.fromkeys(("supersede", "withdraw"), "retired it"),
    "partial": "retired a part of it",
    "restore": "brought it back into use",
    "reinstate": "brought all of it back into use",
    "contest": "found it at odds with another one",
    "archive": "archived it",
    "unarchive": "reactivated it",
    "confirm": "confirmed it",
    "protect": "protected it",
    "reattribute": "corrected its source",
    **dict.fromkeys(("undo", "revert"), "took a change back"),
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
    "no-secret": "saw no secret in it",
    "write": "wrote it",
}
#: A reason that begins so only repeats who acted.
_EMPTY: Final = ("a person ", "the agent ")


def actor_of(line: Line) -> Actor:
    """Return who acted in a line of the journal."""
    by = str(line.get("by"))
    return Actor(by) if by in [*Actor] else Actor.RULE


def tell(line: Line, why: str | None = None) -> str:
    """Return who did what and why (`why`, else the reasons of the line); empty if the line tells no act."""
    did = DID.get(str(line.get("action")))
    if did is None:
        return ""
    reasons = line.get("reasons")
    because = why or "; ".join(map(str, reasons if isinstance(reasons, list) else ()))
    return f"{WHO[actor_of(line)]} {did}{f': {because}' if because and not because.startswith(_EMPTY) else ''}"


def retirements(lines: Iterable[Line]) -> dict[tuple[str, str], Line]:
    """Return the last line about each retirement, by the loser and the winner."""
    retiring = (line for line in lines if line.get("action") in ("supersede", "partial"))
    return {(str(line.get("memory")), str(line.get("winner"))): line for line in retiring}
