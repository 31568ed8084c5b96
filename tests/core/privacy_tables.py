"""The two tables of texts with secrets and of texts that only look so.

Every value is made up by a generator. A text lies in pieces, so that no scanner of a code host takes one for real.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from memory_ledger.privacy import Finding, Kind, Level

_FOLDER = Path(__file__).resolve().parents[1] / "data" / "privacy"
DEVELOPMENT, HELD_OUT = "development", "held_out"
#: How the tables name a family -> what the guard calls it; a vendor's token has a name of its own.
_NAMES = {"card": Kind.CREDIT_CARD, "document": Kind.IDENTITY_DOCUMENT}
_KINDS = frozenset(one.value for one in Kind)


@dataclass(frozen=True, slots=True)
class Secret:
    """What a text holds at one place."""

    start: int
    end: int
    family: str

    def is_met_by(self, finding: Finding) -> bool:
        return finding.start < self.end and finding.end > self.start


@dataclass(frozen=True, slots=True)
class Row:
    """A text, what it holds, and the level at which it is looked at."""

    text: str
    level: Level
    secrets: tuple[Secret, ...]


def read_table(part: str) -> list[Row]:
    """Return the rows of one table, those without a secret first."""
    rows = []
    for line in (_FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        secrets = tuple(Secret(start, end, _NAMES.get(name, name)) for start, end, name in row.get("secrets", ()))
        rows.append(Row("".join(row["text"]), Level(row.get("level", Level.SECRETS)), secrets))
    return rows


def family_of(finding: Finding) -> str:
    """Return the family of a finding: its own type, or "token" for that of a vendor."""
    return finding.type if finding.type in _KINDS else Kind.TOKEN.value


def joined(*pieces: str) -> str:
    """Return a made-up token that stands nowhere in one piece, so that no scanner of a code host takes it for real."""
    return "".join(pieces)
