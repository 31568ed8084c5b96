"""A knowledge file: its category, header, entries and log of changes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from ..clock import format_time
from ..texts import counted, regex

#: The confidence that is lost in each window without a confirmation.
_DECAY = 0.9
#: A pattern of so many transactions is half as sure as its consistency.
_HALF_SURE = 3


class Place(StrEnum):
    """The place of an entry: in the prompt, waiting for confirmation, or retired."""

    ACTIVE = "active"
    STAGING = "staging"
    ARCHIVE = "archive"


class Category(StrEnum):
    """The category of an entry, in the singular."""

    DOMAIN_KNOWLEDGE = "domain_knowledge"
    OPERATIONAL_HEURISTIC = "operational_heuristic"
    ERROR_PREVENTION = "error_prevention"
    QUALITY_BENCHMARK = "quality_benchmark"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The file of a category: `stem` names it, in the plural."""

    stem: str
    title: str
    description: str


SHELVES = {
    Category.DOMAIN_KNOWLEDGE: Shelf(
        "domain_knowledge", "Domain Knowledge", "What is asked for, and how it is usually taken apart; for every agent."
    ),
    Category.OPERATIONAL_HEURISTIC: Shelf(
        "operational_heuristics",
        "Operational Heuristics",
        "Which ways through the agents work, and what they cost; for every agent.",
    ),
    Category.ERROR_PREVENTION: Shelf(
        "error_prevention", "Error Prevention", "What is known to fail, and what prevents it; for every agent."
    ),
    Category.QUALITY_BENCHMARK: Shelf(
        "quality_benchmarks", "Quality Benchmarks", "What a successful transaction has looked like; for every agent."
    ),
}

#: The folder of the memory agent; the names of knowledge files are relative to it.
ROOT = "context/memory/"
STATE_NAME = ".state.json"
SUMMARIES = "session_summaries/"
_FOLDERS = {Place.ACTIVE: "", Place.STAGING: "staging/", Place.ARCHIVE: "archive/"}


def file_of(category: Category, place: Place) -> str:
    """Return the name of the file of a category and a place."""
    return f"{_FOLDERS[place]}{SHELVES[category].stem}.md"


#: Every knowledge file, with its category and place.
FILES = {file_of(category, place): (category, place) for place in Place for category in Category}


def summary_name(day: str) -> str:
    """Return the name of the summary of a day."""
    return f"{SUMMARIES}{day}_summary.md"


def confidence(consistency: float, transactions: int) -> float:
    """Return the confidence of so many transactions of which so many agree: 7 that all agree give 0.7."""
    return round(consistency * transactions / (transactions + _HALF_SURE), 2)


def decayed(base: float, confirmed: date, today: date, *, window_days: int) -> float:
    """Return what is left of a confidence; computed from its base, so that it fades once however often it is called."""
    windows = max(0, (today - confirmed).days) // window_days
    return round(base * _DECAY**windows, 2)


def place_of(value: float, *, threshold: float, archive_below: float, is_new: bool) -> Place:
    """Return the place of an entry of this confidence; a new one waits, however low it is."""
    if value >= threshold:
        return Place.ACTIVE
    return Place.STAGING if value >= archive_below or is_new else Place.ARCHIVE


_ID = regex(r"MEM-(\d{3,})\Z")
_TITLE = regex(r"## Entry:([^\n]*)")
_BULLET = regex(r"^- \*\*([^*:\n]+):\*\*([^\r\n]*)", re.MULTILINE)
_CONFIDENCE = regex(r"(0?\.\d+|[01](?:\.\d+)?)(?:\s*\(based on (\d+) transactions?\))?")
_SECTION = regex(r"^\*\*(Insight|Recommended Action|Applicability):\*\*[ \t]*\r?$", re.MULTILINE)
_RULE = regex(r"^---[ \t]*$", re.MULTILINE)
EDITED = "Edited By Hand"
_ENTRY = regex(r"^## Entry:", re.MULTILINE)
_CHANGES = regex(r"^## \[CHANGE_LOG\]", re.MULTILINE)
_RULE_OF_TABLE = regex(r"^\|[ \-:|]+\|[ \t]*\r?\n", re.MULTILINE)
_ROW = regex(r"^\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|(.*)\|[ \t]*\r?$", re.MULTILINE)
_NAMED = regex(r"\bMEM-\d{3,}\b")
_TABLE = "## [CHANGE_LOG]\n\n| Date | Action | Entry ID | Description |\n|------|--------|----------|-------------|\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWords:
    """The part of an entry that a person may word."""

    title: str
    insight: str
    action: str
    applicability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(EntryWords):
    """An entry; `edited_on` is set once a person has changed it, `text` is the entry in its file."""

    id: str
    confidence: float
    transactions: int
    first_observed: date
    last_confirmed: date
    sources: tuple[str, ...]
    category: Category
    edited_on: date | None = None
    text: str = field(default="", compare=False, repr=False)

    @property
    def number(self) -> int:
        """The number of its id."""
        return int(self.id.removeprefix("MEM-"))

    @property
    def words(self) -> EntryWords:
        """Its words alone."""
        return EntryWords(title=self.title, insight=self.insight, action=self.action, applicability=self.applicability)


def by_confidence(entry: Entry) -> tuple[float, int, int]:
    """Sort key: the surest entry first, of equally sure ones the one that was confirmed last."""
    return -entry.confidence, -entry.last_confirmed.toordinal(), entry.number


def entry_id(number: int) -> str:
    """Return the id with this number."""
    return f"MEM-{number:03d}"


def number_of(text: str) -> int | None:
    """Return the number of an id; None for any other text."""
    match = _ID.match(text.strip())
    return None if match is None else int(match[1])


def confidence_text(value: float, transactions: int) -> str:
    """Return the text of a confidence in an entry."""
    return f"{value:.2f} (based on {counted(transactions, 'transaction', 'transactions')})"


def rendered(entry: Entry) -> Entry:
    """Return an entry with its text, up to and with the rule that ends it."""
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
    sections = {"Insight": entry.insight, "Recommended Action": entry.action, "Applicability": entry.applicability}
    paragraphs = "".join(f"**{name}:**\n{text}\n\n" for name, text in sections.items())
    return replace(entry, text=f"## Entry: {entry.title}\n\n{listed}\n{paragraphs}---\n\n")


def parse_entry(text: str) -> Entry | None:
    """Return the entry of a text; None if it cannot be read, which changes nothing in the file."""
    original, text = text, text.replace("\r\n", "\n")
    title = _TITLE.match(text)
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
    texts = {name: text[start:end].strip() for name, start, end in _sections(text)}
    return Entry(
        id=bullets["ID"],
        title=title[1].strip(),
        confidence=min(1.0, float(sure[1])),
        transactions=int(sure[2] or 0),
        first_observed=first,
        last_confirmed=last,
        sources=tuple(source.strip() for source in bullets.get("Source Transactions", "").split(",") if source.strip()),
        category=Category(category),
        insight=texts.get("Insight", ""),
        action=texts.get("Recommended Action", ""),
        applicability=texts.get("Applicability", ""),
        edited_on=_day(bullets.get(EDITED)),
        text=original,
    )


def with_bullets(text: str, bullets: dict[str, str]) -> str:
    """Return the text of an entry with other values in some bullets; every other byte stays as it is.

    A missing bullet is added after the last one.
    """
    for name, value in bullets.items():
        listed = list(_BULLET.finditer(_bulleted(text)))
        bullet = next((match for match in listed if match[1] == name), None)
        if bullet is not None:
            text = f"{text[: bullet.start()]}- **{name}:** {value}{text[bullet.end() :]}"
            continue
        last = listed[-1].end() if listed else len(text.split("\n", 1)[0].rstrip("\r"))
        newline = "\r\n" if "\r\n" in text else "\n"
        text = f"{text[:last]}{newline}- **{name}:** {value}{text[last:]}"
    return text


def with_words(text: str, words: EntryWords) -> str:
    """Return the text of an entry with other words in its title and its sections; the rest stays as it is."""
    texts = {"Insight": words.insight, "Recommended Action": words.action, "Applicability": words.applicability}
    sections, end = _sections(text), _end_of(text)
    present = {name for name, _, _ in sections}
    missing = (f"**{name}:**\n{part}\n\n" for name, part in texts.items() if part and name not in present)
    text = text[:end] + "".join(missing) + text[end:]
    for name, start, end in reversed(sections):
        text = f"{text[:start]}\n{texts[name]}\n\n{text[end:]}"
    return _TITLE.sub(lambda _: f"## Entry: {words.title}", text, count=1)


def digest_of(text: str) -> str:
    """Return a digest that changes when somebody edits an entry; spacing and ends of lines do not count."""
    words = " ".join(text.split())
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _bulleted(text: str) -> str:
    """Return the part of an entry with its bullets; a list in a section is its writer's own."""
    first = _SECTION.search(text)
    return text if first is None else text[: first.start()]


def _sections(text: str) -> list[tuple[str, int, int]]:
    """Return the name of each section, and where its text begins and ends."""
    sections = list(_SECTION.finditer(text))
    ends = [*(section.start() for section in sections[1:]), _end_of(text)]
    return [(section[1], section.end(), end) for section, end in zip(sections, ends, strict=False)]


def _end_of(text: str) -> int:
    """Return the end of the last section: the rule after it, or the end of the text."""
    rules = list(_RULE.finditer(text))
    return rules[-1].start() if rules and not text[rules[-1].end() :].strip() else len(text)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip())
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A row of the log of changes."""

    day: str
    action: str
    entry_id: str
    description: str

    def row(self) -> str:
        """Return the row as it is written."""
        description = " ".join(self.description.replace("|", "/").split())  # a person's title may hold anything
        return f"| {self.day} | {self.action} | {self.entry_id} | {description} |\n"


@dataclass(frozen=True, slots=True)
class Document:
    """A knowledge file in its pieces; a block is the text of an entry, up to the next one."""

    head: str
    blocks: tuple[str, ...]
    tail: str

    @property
    def entries(self) -> list[Entry]:
        """The entries that can be read."""
        return [entry for block in self.blocks if (entry := parse_entry(block)) is not None]

    def render(self) -> str:
        """Return the text of the file."""
        return self.head + "".join(self.blocks) + self.tail

    def numbers(self) -> set[int]:
        """Return the numbers of all ids in the file, also in its log of changes."""
        return {number for id_text in _NAMED.findall(self.render()) if (number := number_of(id_text)) is not None}


def parse_document(text: str) -> Document:
    """Return a file in its pieces; `parse_document(text).render() == text` for every text."""
    changes = _CHANGES.search(text)
    body, tail = (text, "") if changes is None else (text[: changes.start()], text[changes.start() :])
    starts = [match.start() for match in _ENTRY.finditer(body)]
    blocks = tuple(body[start:end] for start, end in zip(starts, [*starts[1:], len(body)], strict=False))
    return Document(body[: starts[0]] if starts else body, blocks, tail)


def entries_in(texts: Mapping[str, str], place: Place | None = None) -> list[tuple[str, Entry]]:
    """Return the entries of the files, of one place or of all, each with the name of its file."""
    names = [name for name, (_, of_file) in FILES.items() if name in texts and place in (None, of_file)]
    return [(name, entry) for name in names for entry in parse_document(texts[name]).entries]


def log_of(text: str) -> list[EntryChange]:
    """Return the log of changes of a file, the latest first; rows without an entry are left out."""
    rows = [[cell.strip() for cell in row] for row in _ROW.findall(parse_document(text).tail)]
    return [EntryChange(*row) for row in rows if number_of(row[2]) is not None]


def new_document(category: Category, *, threshold: float) -> Document:
    """Return an empty file of a category."""
    shelf = SHELVES[category]
    head = (
        f"# {shelf.title}\n\n[LAST_UPDATED]: never\n[ENTRY_COUNT]: 0\n[CONFIDENCE_THRESHOLD]: {threshold:g}\n\n"
        f"## Description\n{shelf.description}\n\n---\n\n"
    )
    return Document(head, (), _TABLE)


def revise(
    document: Document, blocks: Iterable[str], changes: Iterable[EntryChange], *, now: datetime, threshold: float
) -> Document:
    """Return a file with these entries, and these changes at the top of its log."""
    kept = tuple(blocks)
    head = document.head
    values = {
        "LAST_UPDATED": format_time(now.replace(microsecond=0)).replace("+00:00", "Z"),
        "ENTRY_COUNT": str(len(kept)),
        "CONFIDENCE_THRESHOLD": f"{threshold:g}",
    }
    for name, value in values.items():
        head = re.sub(rf"^\[{name}\]:[^\r\n]*", f"[{name}]: {value}", head, count=1, flags=re.MULTILINE)
    rows = "".join(change.row() for change in changes)
    tail = document.tail or _TABLE
    rule = _RULE_OF_TABLE.search(tail)
    tail = tail + rows if rule is None else tail[: rule.end()] + rows + tail[rule.end() :]
    return replace(document, head=head, blocks=kept, tail=tail)


def marked(entry: Entry, bullets: dict[str, str]) -> Entry:
    """Return an entry with other values in some bullets of its text; every word of its sections stays."""
    return parse_entry(with_bullets(entry.text, bullets)) or entry


def prompt_text(document: Document) -> str:
    """Return the prompt's part of a file: its title, and the insight and the advice of each entry."""
    lines = []
    for entry in document.entries:
        parts = (entry.insight, entry.action, f"({entry.applicability})" if entry.applicability else "")
        words = " ".join(" ".join(part.split()) for part in parts if part)
        lines.append(f"- {entry.title} ({entry.id}, confidence {entry.confidence:.2f}): {words}")
    title = document.head.split("\n", 1)[0].strip()
    return "\n".join([title, *lines]) + "\n" if lines else ""
