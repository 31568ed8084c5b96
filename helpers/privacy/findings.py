"""What the guard says of a text: what stands where, never what it is (V-39, V-56, T-22)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much counts as private: secrets alone, or what tells of a person as well (T-22)."""

    SECRETS = "secrets"
    STRICT = "strict"


class Kind(StrEnum):
    """The families of findings, the most specific first; a token of a known vendor bears the vendor's name."""

    PRESIGNED_URL = "presigned_url"
    PRIVATE_KEY = "private_key"
    TOKEN = "token"
    JWT = "jwt"
    CONNECTION_STRING = "connection_string"
    CREDIT_CARD = "credit_card"
    IBAN = "iban"
    SSN = "ssn"
    SEED_PHRASE = "seed_phrase"
    RECOVERY_CODE = "recovery_code"
    CARD_CODE = "card_code"
    BANK_ACCOUNT = "bank_account"
    IDENTITY_DOCUMENT = "identity_document"
    SESSION = "session"
    SECRET = "secret"
    PIN = "pin"
    PASSWORD = "password"
    EMAIL = "email"
    PHONE = "phone"
    PERSON_NAME = "person_name"
    USER_PATH = "user_path"
    URL_QUERY = "url_query"


_RANK = {kind: rank for rank, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something private at `start` up to `end` of a text; `type` is a kind, or the name of a vendor's token."""

    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RawFinding:
    """A finding before overlaps are settled; `name` says more than the kind where more is known."""

    kind: Kind
    start: int
    end: int
    name: str | None = None


def settle(candidates: Iterable[RawFinding]) -> tuple[Finding, ...]:
    """Return one finding for each secret, in the order of the text: where two overlap the more specific one stays."""
    ordered = sorted(set(candidates), key=lambda one: (_RANK[one.kind], one.start, -one.end, one.name or ""))
    starts: list[int] = []
    kept: list[RawFinding] = []
    for finding in ordered:
        at = bisect_left(starts, finding.start)
        touches_next = at < len(kept) and kept[at].start < finding.end
        touches_last = at > 0 and kept[at - 1].end > finding.start
        if finding.start < finding.end and not touches_next and not touches_last:
            starts.insert(at, finding.start)
            kept.insert(at, finding)
    return tuple(Finding(finding.name or finding.kind.value, finding.start, finding.end) for finding in kept)
