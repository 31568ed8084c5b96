"""The changes of memories as data: each kind has its effect on a memory, and its line in the journal."""

from .change import Change, MemoryChange, Row, Ruling
from .rulings import Contest, Outdate, Reinstate, Restore, Retirement, Supersede
from .statements import EMPTY_RULE, Classify, Confirm, Forget, Protect, Qualify, Reattribute, Replace, Revert, Withdraw
from .upkeep import Archive, FlagDormancy, Link, Purge, Repoint, Rouse, Suspend, Unarchive

#: Every kind of change, by the name that the journal has for it.
KINDS: dict[str, type[Change]] = {
    kind.action: kind
    for kind in (
        *(Supersede, Restore, Contest, Outdate, Reinstate),
        *(Classify, Confirm, Qualify, Forget, Replace),
        *(Archive, Unarchive, FlagDormancy, Suspend, Rouse, Link, Repoint, Purge),
        *(Withdraw, Protect, Reattribute, Revert),
    )
}

__all__ = [
    "EMPTY_RULE",
    "KINDS",
    "Archive",
    "Change",
    "Classify",
    "Confirm",
    "Contest",
    "FlagDormancy",
    "Forget",
    "Link",
    "MemoryChange",
    "Outdate",
    "Protect",
    "Purge",
    "Qualify",
    "Reattribute",
    "Reinstate",
    "Replace",
    "Repoint",
    "Restore",
    "Retirement",
    "Revert",
    "Rouse",
    "Row",
    "Ruling",
    "Supersede",
    "Suspend",
    "Unarchive",
    "Withdraw",
]
