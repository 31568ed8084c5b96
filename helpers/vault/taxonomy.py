"""The words of the vault: tiers, origins, categories, and the thresholds of the write gate."""

from __future__ import annotations

from enum import StrEnum


class Tier(StrEnum):
    """The durability of a record; `log` is never stored."""

    CANON = "canon"
    REGISTER = "register"
    LOG = "log"


#: The tiers that may be stored, the most durable first.
STORED_TIERS = (Tier.CANON, Tier.REGISTER)


class Origin(StrEnum):
    """The writer of a record: the field `source` of a line. `tool` is the former name of `agent`."""

    CHAT = "chat"
    MANUAL = "manual"
    TOOL = "tool"
    OPERATOR = "operator"
    PROMOTION = "promotion"
    AGENT = "agent"


#: The scope that every agent sees.
SHARED_SCOPE = "shared"
#: In a list of scopes, the name of the agent that asks.
OWN_SCOPE = "<agent>"

#: Common categories; others are accepted as well.
CATEGORIES = tuple(
    "bio identity mission constraint governance preference project goal health self_state capability plan meta "
    "other".split()
)

#: The signals of a text that belongs into a journal and not into the vault.
JOURNAL_SIGNALS = tuple(
    "tick marker,runtime snapshot,check-in,heartbeat,no changes,nothing to report,status unchanged,routine scan,"
    "ephemeral".split(",")
)

MAX_TEXT_LENGTH = 1200
ID_LENGTH = 12

#: The thresholds of a duplicate.
DUPLICATE_OVERLAP = 0.6
DUPLICATE_RATIO = 0.7
#: With fewer words the overlap says nothing.
LEAST_WORDS = 3

#: The parts of a search score beside the overlap.
SUBSTRING_BONUS = 0.3
RATIO_WEIGHT = 0.4

#: A register that was not written for so many days is proposed for deletion.
STALE_DAYS = 180
