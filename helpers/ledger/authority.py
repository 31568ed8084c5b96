"""The table of authority, which every door asks, and the lines of the journal in words. Pure.

What the table answers with `asked` waits for the user: a person settles it with one click, the user's next message in
words. The journal tells who did what to a memory, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from ..language.tables import read_table
from ..records import Memory, Source


class Actor(StrEnum):
    """The actor: a rule, the agent by its tool, the user's message in a chat, a person at the page or a terminal."""

    RULE = "rule"
    AGENT = "agent"
    MESSAGE = "message"
    PERSON = "person"


class Act(StrEnum):
    """An act on a memory, or on a record of the vault."""

    SUPERSEDE = "supersede"
    RETIRE = "retire"
    BRING_BACK = "bring back"
    JUDGE = "judge"
    DISMISS = "dismiss"
    NOTE = "note"
    CHANGE = "change"
    DELETE = "delete"


class Whose(StrEnum):
    """The owner of a word. A record is the user's where the agent has entered what the user said."""

    USERS = "user"
    OTHERS = "others"
    RECORD = "record"
    PERSONS_RECORD = "record of a person"
    USERS_RECORD = "record of the user"
    AGENTS_RECORD = "record of an agent"


class Verdict(StrEnum):
    """The answer of the table: the act is done, the user is asked, or it is not done."""

    ALLOWED = "allowed"
    ASKED = "asked"
    REFUSED = "refused"


_TABLES: Final = read_table(__file__, "authority")
#: The cells of each row: what is done, to whose word, and the verdict on each actor, in the order of `Actor`.
TABLE: Final = tuple(tuple(cell.strip() for cell in row.split("|")) for row in _TABLES["verdicts"]["rows"])
_VERDICTS: Final[Mapping[tuple[Act, Whose, Actor], Verdict]] = {
    (Act(act), Whose(word), actor): Verdict(verdict)
    for act, word, *verdicts in TABLE
    for actor, verdict in zip(Actor, verdicts, strict=True)
}
_USERS: Final = (Source.BOOKSHELF_DOCUMENT, Source.USER_ASSERTED)

#: The act that each kind of change amounts to, by its name in the journal; any other kind is a note.
_ACTS: Final = {action: Act(act) for act, actions in _TABLES["acts"].items() for action in actions.split()}


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
WHO: Final = {Actor(actor): words for actor, words in _TABLES["who"].items()}
#: What the agent tried and may not do; and all actions that are only wishes.
REFUSE: Final = "refuse"
WISHES: Final = frozenset((REFUSE, "propose", "propose-both", "propose-record"))
#: What was done, in words, by the action of a line of the journal.
DID: Final[Mapping[str, str]] = _TABLES["did"]
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
