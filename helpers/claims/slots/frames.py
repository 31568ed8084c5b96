"""The verbs, nouns and phrases by which somebody comes to fill a slot, has it or loses it, in all voices (C-39, C-41).

The nouns themselves ("lead", "owner") are those of the table of slots; here stands what says the same without them.
"""

from __future__ import annotations

from typing import Final


def _by_word(rows: dict[str, str]) -> dict[str, str]:
    return {word: slot for slot, words in rows.items() for word in words.split()}


#: Verb whose subject fills the slot of its object: "Ann heads the team", "the team is headed by Ann".
FILLING_VERBS: Final = _by_word(
    {
        "lead": "lead head",
        "owner": "own possess",
        "maintainer": "maintain",
        "manager": "manage supervise oversee",
        "chair": "chair",
        "director": "direct",
    }
)
#: What somebody has who fills the slot: "ownership of X went to Ann".
OFFICES: Final = _by_word(
    {
        "lead": "leadership lead headship",
        "owner": "ownership",
        "maintainer": "maintenance maintainership",
        "manager": "management supervision",
        "chair": "chairmanship chair",
        "mentor": "mentorship",
        "sponsor": "sponsorship",
        "director": "directorship",
    }
)
#: Verbs by which an office goes from one to another; the second kind has the giver, or nobody, for its subject.
PASSING_VERBS: Final = frozenset("pass go move transfer shift fall switch change".split())
HANDING_VERBS: Final = frozenset("pass hand give transfer move assign reassign turn cede entrust yield".split())
#: "Is (no longer) the N of X"; "serves as N of X".
BEING_VERBS: Final = frozenset(("be", "become"))
SERVING_VERBS: Final = frozenset("serve act work function".split())
#: "Was appointed N of X", "the board appointed Ann N of X".
APPOINTING_VERBS: Final = frozenset(
    "appoint name make elect promote choose hire announce nominate designate pick select list recruit install".split()
)
#: "Took over as N of X", "steps in as N".
ENTERING_VERBS: Final = frozenset("take start begin come join".split())
#: "Stepped down as N of X".
LEAVING_VERBS: Final = frozenset("step resign retire quit leave depart withdraw".split())
#: "Succeeded Ben as N of X".
FOLLOWING_VERBS: Final = frozenset("succeed replace follow".split())
#: Slot -> words of its owner that say no more than what kind of thing it is.
KINDS_OF: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(
        ("lead", "manager", "tech lead", "product owner", "project manager"),
        frozenset("team department group unit division squad crew user".split()),
    ),
    **dict.fromkeys(("owner", "maintainer", "contact", "assignee", "doctor", "coach"), frozenset(("user",))),
    "default branch": frozenset("repo repository git codebase".split()),
    "licence": frozenset(
        "library package repo repository crate gem module framework engine plugin codebase code source".split()
    ),
    "registrar": frozenset(("domain", "website")),
}


def plain_owner(slot: str, topic: str) -> str:
    """A topic without the words that say no more beside such a slot, if others are left."""
    dropped = KINDS_OF.get(slot)
    if dropped is None:
        return topic
    kept = [word for word in topic.split() if word not in dropped]
    return " ".join(kept) or topic
