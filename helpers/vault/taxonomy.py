"""The words of the vault: tiers, origins, categories, and what the write-gate measures with."""

from __future__ import annotations

from enum import StrEnum


class Tier(StrEnum):
    """How durable a record is; `log` is never stored."""

    CANON = "canon"
    REGISTER = "register"
    LOG = "log"


#: What may be stored, the most durable first.
STORED_TIERS = (Tier.CANON, Tier.REGISTER)


class Origin(StrEnum):
    """Who wrote a record: the field `source` of a line. What the agent wrote was once called `tool`."""

    CHAT = "chat"
    MANUAL = "manual"
    TOOL = "tool"
    OPERATOR = "operator"
    PROMOTION = "promotion"
    AGENT = "agent"


#: The scope that every agent sees.
SHARED_SCOPE = "shared"
#: In a list of scopes it stands for the name of the agent that asks.
OWN_SCOPE = "<agent>"

#: Common categories; any other one is taken as well.
CATEGORIES = (
    "bio",
    "identity",
    "mission",
    "constraint",
    "governance",
    "preference",
    "project",
    "goal",
    "health",
    "self_state",
    "capability",
    "plan",
    "meta",
    "other",
)

#: What belongs into a journal and not into the vault.
JOURNAL_SIGNALS = (
    "tick marker",
    "runtime snapshot",
    "check-in",
    "heartbeat",
    "no changes",
    "nothing to report",
    "status unchanged",
    "routine scan",
    "ephemeral",
)

MAX_TEXT_LENGTH = 1200
ID_LENGTH = 12

#: From so much on two texts count as the same.
DUPLICATE_OVERLAP = 0.6
DUPLICATE_RATIO = 0.7
#: With fewer words than this the overlap says nothing.
LEAST_WORDS = 3

#: The parts of a search score beside the overlap.
SUBSTRING_BONUS = 0.3
RATIO_WEIGHT = 0.4

#: A register that nobody has written for so long is proposed for deletion.
STALE_DAYS = 180
