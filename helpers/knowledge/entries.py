"""One entry of a knowledge file: from its text and back (M-44 ... M-46). Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date

from ..patterns import regex
from ..texts import counted
from .categories import Category

_ID = regex(r"MEM-(\d{3,})\Z")
_TITLE = regex(r"## Entry:([^\n]*)")
_BULLET = regex(r"^- \*\*([^*:\n]+):\*\*([^\r\n]*)", re.MULTILINE)
_CONFIDENCE = regex(r"(0?\.\d+|[01](?:\.\d+)?)(?:\s*\(based on (\d+) transactions?\))?")
_SECTION = regex(r"^\*\*(Insight|Recommended Action|Applicability):\*\*[ \t]*\r?$", re.MULTILINE)
_RULE = regex(r"^---[ \t]*$", re.MULTILINE)
EDITED = "Edited By Hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWords:
    """What of an entry a person may word."""

    title: str
    insight: str
    action: str
    applicability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an entry says; `edited_on` is set once a person has changed it."""

    id: str
    title: str
    confidence: float
    transactions: int
    first_observed: date
    last_confirmed: date
    sources: tuple[str, ...]
    category: Category
    insight: str
    action: str
    applicability: str
    edited_on: date | None = None

    @property
    def number(self) -> int:
        """The number of its id."""
        return int(self.id.removeprefix("MEM-"))

    @property
    def words(self) -> EntryWords:
        """What it says, without where that comes from."""
        return EntryWords(title=self.title, insight=self.insight, action=self.action, applicability=self.applicability)


def entry_id(number: int) -> str:
    """Return the id with this number (M-45)."""
    return f"MEM-{number:03d}"


def number_of(text: str) -> int | None:
    """Return the number of an id; None if it is none."""
    found = _ID.match(text.strip())
    return None if found is None else int(found[1])


def confidence_text(value: float, transactions: int) -> str:
    """Return how a confidence stands in an entry (M-45)."""
    return f"{value:.2f} (based on {counted(transactions, 'transaction', 'transactions')})"


def render_entry(entry: Entry) -> str:
    """Return the text of an entry, up to and with the rule that ends it."""
    bullets = {
        "ID": entry.id,
        "Confidence": confidence_text(entry.confidence, entry.transactions),
        "First Observed": entry.first_observed.isoformat(),
        "Last Confirmed": entry.last_confirmed.isoformat(),
        "Source Transactions": ", ".join(entry.sources),
        "Category": entry.category.value,
    }
    if entry.edited_on is not None:
        bullets[EDITED] = entry.edited_on.isoformat()
    listed = "".join(f"- **{name}:** {value}".rstrip() + "\n" for name, value in bullets.items())
    sections = {
        "Insight": entry.insight,
        "Recommended Action": entry.action,
        "Applicability": entry.applicability,
    }
    told = "".join(f"**{name}:**\n{text}\n\n" for name, text in sections.items())
    return f"## Entry: {entry.title}\n\n{listed}\n{told}---\n\n"


def parse_entry(text: str) -> Entry | None:
    """Read the text of an entry; None if what a person made of it cannot be read, which changes nothing in the file."""
    text = text.replace("\r\n", "\n")
    title = _TITLE.match(text)
    sections = list(_SECTION.finditer(text))
    bullets = {name: value.strip() for name, value in _BULLET.findall(_bulleted(text))}
    sure = _CONFIDENCE.match(bullets.get("Confidence", ""))
    first, last = _day(bullets.get("First Observed")), _day(bullets.get("Last Confirmed"))
    category = bullets.get("Category", "").strip("[] ")
    if (
        title is None
        or sure is None
        or first is None
        or last is None
        or number_of(bullets.get("ID", "")) is None
        or category not in list(Category)
    ):
        return None
    ends = [*(one.start() for one in sections[1:]), _end_of(text)]
    told = {one[1]: text[one.end() : end].strip() for one, end in zip(sections, ends, strict=False)}
    return Entry(
        id=bullets["ID"],
        title=title[1].strip(),
        confidence=min(1.0, float(sure[1])),
        transactions=int(sure[2] or 0),
        first_observed=first,
        last_confirmed=last,
        sources=tuple(one.strip() for one in bullets.get("Source Transactions", "").split(",") if one.strip()),
        category=Category(category),
        insight=told.get("Insight", ""),
        action=told.get("Recommended Action", ""),
        applicability=told.get("Applicability", ""),
        edited_on=_day(bullets.get(EDITED)),
    )


def with_bullets(text: str, bullets: dict[str, str]) -> str:
    """Return the text of an entry with other values in some of its bullets; every other byte stays as it is.

    A bullet that is not there is added after the last one.
    """
    for name, value in bullets.items():
        listed = list(_BULLET.finditer(_bulleted(text)))
        found = next((one for one in listed if one[1] == name), None)
        if found is not None:
            text = f"{text[: found.start()]}- **{name}:** {value}{text[found.end() :]}"
            continue
        last = listed[-1].end() if listed else len(text.split("\n", 1)[0].rstrip("\r"))
        newline = "\r\n" if "\r\n" in text else "\n"
        text = f"{text[:last]}{newline}- **{name}:** {value}{text[last:]}"
    return text


def with_words(text: str, words: EntryWords) -> str:
    """Return the text of an entry in other words; what stands beside its title and its sections stays as it is."""
    told = {"Insight": words.insight, "Recommended Action": words.action, "Applicability": words.applicability}
    sections = list(_SECTION.finditer(text))
    ends = [*(one.start() for one in sections[1:]), _end_of(text)]
    missing = {name: one for name, one in told.items() if one and name not in {found[1] for found in sections}}
    end = _end_of(text)
    text = text[:end] + "".join(f"**{name}:**\n{one}\n\n" for name, one in missing.items()) + text[end:]
    for found, end in reversed(list(zip(sections, ends, strict=False))):
        text = f"{text[: found.end()]}\n{told[found[1]]}\n\n{text[end:]}"
    return _TITLE.sub(lambda _: f"## Entry: {words.title}", text, count=1)


def digest_of(text: str) -> str:
    """Return what tells whether somebody has changed an entry; how its lines are spaced and end is not its text."""
    words = " ".join(text.split())
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _bulleted(text: str) -> str:
    """Return the part of an entry in which its bullets stand; a list in a section is its writer's own."""
    first = _SECTION.search(text)
    return text if first is None else text[: first.start()]


def _end_of(text: str) -> int:
    """Return where the last section ends: at the rule after it, or with the text."""
    rules = list(_RULE.finditer(text))
    return rules[-1].start() if rules and not text[rules[-1].end() :].strip() else len(text)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip())
    except ValueError:
        return None
