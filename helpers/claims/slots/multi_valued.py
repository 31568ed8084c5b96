"""The table of multi-valued relations: only the denial of the same object contradicts them (C-40, T-46)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Relation:
    """A multi-valued slot. `denies`: the verb says the opposite of the slot ("hates" for "likes").

    `excludes`: an explicit correction to another member of the same family retires the first ("uses").
    """

    slot: str
    denies: bool = False
    excludes: bool = False


RELATIONS: Final[dict[str, Relation]] = {
    **{verb: Relation("uses", excludes=True) for verb in ("use", "employ", "be using")},
    **{
        verb: Relation(verb.replace("be ", ""), excludes=True)
        for verb in ("be built with", "be built on", "be based on", "be deployed on", "be hosted on", "run on")
    },
    **{verb: Relation("likes") for verb in ("like", "love", "enjoy")},
    **{verb: Relation("likes", denies=True) for verb in ("hate", "dislike")},
    **{verb: Relation("allows") for verb in ("allow", "permit")},
    **{verb: Relation("allows", denies=True) for verb in ("forbid",)},
    "accept": Relation("accepts"),
    "reject": Relation("accepts", denies=True),
    "include": Relation("includes"),
    "exclude": Relation("includes", denies=True),
    "support": Relation("supports"),
    "have": Relation("has"),
    "own": Relation("owns"),
    "need": Relation("needs"),
    "require": Relation("requires"),
    "depend on": Relation("depends on"),
    "rely on": Relation("relies on"),
    "know": Relation("knows"),
    "speak": Relation("speaks"),
    "play": Relation("plays"),
    "drink": Relation("drinks"),
    "eat": Relation("eats"),
    "drive": Relation("drives"),
    "read": Relation("reads"),
    "watch": Relation("watches"),
    "wear": Relation("wears"),
    "contain": Relation("contains"),
    "prefer": Relation("prefers"),
    "follow": Relation("follows"),
    "integrate with": Relation("integrates with"),
    "connect to": Relation("connects to"),
}
#: Of these one often has two, so that only a change or a correction says which one is over.
OFTEN_SEVERAL: Final = frozenset(("way to work", "work team"))
#: Slots that hold several values.
SEVERAL_VALUED: Final = frozenset(relation.slot for relation in RELATIONS.values())
EXCLUDING: Final = frozenset(relation.slot for relation in RELATIONS.values() if relation.excludes)
#: Relations in which the denial of a name denies each of its versions.
COVERED: Final = EXCLUDING | {"supports", "requires", "needs", "depends on"}
#: Verbs whose denial says less than the opposite: "does not love" is not "does not like".
WEAK_DENIAL: Final = frozenset(("love", "hate", "dislike", "forbid", "reject", "exclude", "enjoy"))
#: Families of which one member serves one purpose: "uses Redis for caching".
PURPOSE_FAMILIES: Final = frozenset(
    (
        *(
            "sql database",
            "document database",
            "cache",
            "queue",
            "web framework",
            "frontend framework",
            "ci",
            "bundler",
        ),
        *("cloud", "chat", "code host", "package manager", "test framework", "api style"),
    )
)
