"""Who may do what to whose word: one table, which the tool, the page, the terminal, the inbox and the rules pass. Pure.

What an agent is `asked` about waits for the user: a person settles it with one click, the user's next message in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

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
    """What the table says: it is done, the user is asked, or it is not done."""

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

#: What each kind of change amounts to, by the name that the journal has for it; any other one says nothing new.
_ACTS: Final = {
    **dict.fromkeys(("supersede", "partial"), Act.SUPERSEDE),
    **dict.fromkeys(("withdraw", "forget", "archive", "suspend", "purge"), Act.RETIRE),
    **dict.fromkeys(("restore", "reinstate", "undo", "unarchive", "rouse"), Act.BRING_BACK),
    **dict.fromkeys(("confirm", "protect", "reattribute"), Act.JUDGE),
}


def judge(actor: Actor, act: Act, word: Whose) -> Verdict:
    """Return what the table says; raises KeyError for an act on what it is not for."""
    return _VERDICTS[act, word, actor]


def act_of(action: str) -> Act:
    """Return what a kind of change amounts to, by its name in the journal."""
    return _ACTS.get(action, Act.NOTE)


def word_of(memory: Memory, *, is_record: bool) -> Whose:
    """Return whose word a memory is: a document is the user's, who gave it; what has no status yet is nobody's."""
    if is_record:
        return Whose.RECORD
    is_users = memory.classification is not None and memory.classification.source in _USERS
    return Whose.USERS if is_users else Whose.OTHERS
