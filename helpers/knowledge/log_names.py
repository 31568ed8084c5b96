"""What the name of a log file tells: the day, and which log of the day it is (T-34)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ..patterns import regex

#: `YYYYMMDD.log`, and what the original project also wrote: `YYYYMMDD-N.md` and `DDMMYYYY-N.md`.
_NAME = regex(r"(\d{8})(?:-(\d{1,6}))?\.(log|jsonl|md)\Z")
_YEARS = range(1990, 2200)


@dataclass(frozen=True, slots=True, order=True)
class LogName:
    """A log file in the order in which logs are read: by day, then by number, then by name."""

    day: date
    number: int
    name: str

    @property
    def is_prose(self) -> bool:
        """Whether it is Markdown, with messages in it."""
        return self.name.endswith(".md")


def parse_log_name(name: str) -> LogName | None:
    """Return what a file name tells; None if it is not that of a log."""
    found = _NAME.match(name)
    if found is None:
        return None
    digits = found[1]
    day = _day(digits[:4], digits[4:6], digits[6:]) or _day(digits[4:], digits[2:4], digits[:2])
    return None if day is None else LogName(day=day, number=int(found[2] or 0), name=name)


def log_name_of(day: date, number: int = 0) -> str:
    """Return the name of our own log of a day (T-34); with a number where several machines write one each."""
    return f"{day:%Y%m%d}-{number}.log" if number else f"{day:%Y%m%d}.log"


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if found.year in _YEARS else None
