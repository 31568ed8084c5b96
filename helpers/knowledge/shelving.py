"""The place of each entry after a run, and after a person's decision."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from ..clock import format_time
from ..errors import MemoryLedgerError
from ..setting_groups import Distillation
from ..texts import estimate_tokens
from .documents import (
    EDITED,
    FILES,
    SHELVES,
    Block,
    Category,
    Document,
    Entry,
    EntryChange,
    EntryWords,
    Place,
    confidence_text,
    decayed,
    digest_of,
    file_of,
    marked,
    new_document,
    parse_document,
    parse_entry,
    place_of,
    prompt_text,
    revise,
    with_words,
)
from .state import EntryRecord, EntryUndo

#: The share of the limit that is used before entries are archived for it.
_NEARLY_FULL = 0.9
#: The file under which governance concerns are flagged.
ERRORS = file_of(Category.ERROR_PREVENTION, Place.ACTIVE)


@dataclass(slots=True)
class FileReport:
    """The changes of a file."""

    added: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    changes: list[EntryChange] = field(default_factory=list)


@dataclass(slots=True)
class RunReport:
    """The result of a run; of a dry run, the changes that it would make."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    #: The numbers of messages that belong to no chain, and of chains that have not ended.
    stray: int = 0
    unfinished: int = 0
    #: The logs that cannot be read.
    notices: list[str] = field(default_factory=list)
    #: The first and the last day of the window for new patterns, and whether any transaction ended in it.
    days: tuple[str, str] = ("", "")
    has_window: bool = False
    #: The governance files that were read.
    consulted: tuple[str, ...] = ()
    #: The new texts of all files by name, also the summaries, and the former texts.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: The changes and the flags (conflicts and governance concerns) of each file.
    reports: dict[str, FileReport] = field(default_factory=dict)
    flagged: dict[str, list[str]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    concerns: list[str] = field(default_factory=list)
    #: Files that cannot be read or may not be written.
    problems: list[str] = field(default_factory=list)
    patterns: int = 0

    def tell(self, name: str, change: EntryChange) -> None:
        """Record a change of an entry in the log of the file with this name."""
        report = self.reports.setdefault(name, FileReport())
        report.changes.append(change)
        if change.action == "ADDED":
            report.added.append(change.entry_id)
        elif change.action == "REVISED":
            report.revised.append(change.entry_id)

    def flag_conflict(self, name: str, sentence: str) -> None:
        """Flag that transactions contradict an entry of this file."""
        self.conflicts.append(sentence)
        self.flagged.setdefault(name, []).append(sentence)

    def flag_concern(self, sentence: str) -> None:
        """Flag a contradiction to governance."""
        self.concerns.append(f"Governance concern: {sentence}")
        self.flagged.setdefault(ERRORS, []).append(self.concerns[-1])


@dataclass(slots=True)
class Held:
    """An entry during a run: its record, the file that it was read from, and its new place."""

    block: Block
    entry: Entry
    note: EntryRecord
    found_in: str
    place: Place
    is_new: bool = False
    #: The text that was read.
    original: str = ""
    #: The governance file that forbids what the entry recommends; empty if none does.
    forbidden_by: str = ""
    #: Whether its evidence is enough for advice; an entry of a person always is.
    is_ripe: bool = True


def shelve(
    held: Collection[Held],
    left: Mapping[str, list[Block]],
    report: RunReport,
    *,
    options: Distillation,
    today: date,
) -> None:
    """Let confidence fade, and give every entry its place; `left` are the blocks of each file that cannot be read."""
    for entry in held:
        _shelve_one(entry, report, options, today)
    _keep_within_limit(held, left, int(options.token_limit * _NEARLY_FULL))


def _shelve_one(held: Held, report: RunReport, options: Distillation, today: date) -> None:
    entry, note = held.entry, held.note
    since = max(entry.last_confirmed, entry.edited_on or entry.last_confirmed)
    value = decayed(note.base, since, today, window_days=options.decay_window_days)
    note.peak = value if held.is_new else max(note.peak, value)
    if value != entry.confidence:
        _fade(held, value, report, today)
    held.place = place_of(
        value,
        threshold=options.confidence_threshold,
        archive_below=options.archive_below,
        is_new=held.is_new or (value >= note.peak and note.peak < options.archive_below),
    )
    if held.place is Place.STAGING and note.place is Place.ARCHIVE and not held.is_new:
        held.place = Place.ARCHIVE  # what left comes back when it is sure again, and not from run to run
    if held.place is Place.ACTIVE and not held.is_ripe:
        held.place = Place.STAGING
    if held.forbidden_by:
        held.place = Place.ARCHIVE
    elif note.chosen is Place.ARCHIVE or (note.chosen is not None and held.place is not Place.ARCHIVE):
        held.place = note.chosen


def _fade(held: Held, value: float, report: RunReport, today: date) -> None:
    before, note = held.entry.confidence, held.note
    held.entry = replace(held.entry, confidence=value)
    if note.is_edited:
        held.block = marked(held.block, {"Confidence": confidence_text(value, held.entry.transactions)})
    else:
        held.block = Block("", None)
    if not held.is_new and f"{before:.2f}" != f"{value:.2f}" and value < note.base:
        sentence = f"Not confirmed since {held.entry.last_confirmed}; confidence from {before:.2f} to {value:.2f}"
        report.tell(held.found_in, EntryChange(today.isoformat(), "REVISED", held.entry.id, sentence))


def _keep_within_limit(entries: Iterable[Held], left: Mapping[str, list[Block]], limit: int) -> None:
    """Archive the least sure of the entries in use; of equally sure ones, the one that was confirmed first."""
    active = [held for held in entries if held.place is Place.ACTIVE]
    active.sort(key=lambda held: (held.entry.confidence, held.entry.last_confirmed, -held.entry.number))
    most = bisect.bisect_right(
        range(1, len(active) + 1), limit, key=lambda count: _tokens(active[len(active) - count :], left)
    )
    for held in active[: len(active) - most]:
        held.place = Place.ARCHIVE


def _tokens(active: Iterable[Held], left: Mapping[str, list[Block]]) -> int:
    blocks = {category: [*left.get(file_of(category, Place.ACTIVE), ())] for category in Category}
    for held in active:
        blocks[held.entry.category].append(Block("", held.entry))
    documents = (Document(f"# {SHELVES[category].title}\n", tuple(kept), "") for category, kept in blocks.items())
    return estimate_tokens("".join(map(prompt_text, documents)))


#: The decision of an edit, beside the verbs of the terminal.
EDIT = "edit"


class CurationVerb(StrEnum):
    """A decision of a person; the value is the verb of the command."""

    APPROVE = "approve"
    REJECT = "reject"
    ARCHIVE = "archive"


_PLACE_OF = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE}
_ACTION_OF = {CurationVerb.APPROVE: "APPROVED", CurationVerb.REJECT: "REJECTED", CurationVerb.ARCHIVE: "ARCHIVED"}


class CurationError(MemoryLedgerError):
    """There is no such entry, or nothing to decide about it."""


@dataclass(frozen=True, slots=True)
class Curation:
    """The result of a decision: files, in the order of writing, and a change of the entry's record."""

    texts: dict[str, str]
    note: Callable[[EntryRecord], None]


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes decisions into the texts of files, each with a row in its log of changes."""

    texts: Mapping[str, str]
    now: datetime
    threshold: float

    def decide(self, entry_id: str, verb: CurationVerb) -> Curation:
        """Return the changes of a decision.

        Raises CurationError where no file holds the entry, or it stands already where it should.
        """
        holders, block = self._find(entry_id)
        target = None if verb is CurationVerb.REJECT else file_of(FILES[holders[0]][0], _PLACE_OF[verb])
        if holders == [target]:
            raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")

        def note(record: EntryRecord) -> None:
            record.undo = self._undo_of(record, verb.value, holders[0], block, left=target or "")
            record.is_removed, record.is_filed = target is None, target is not None
            if target is not None:
                record.chosen = record.place = FILES[target][1]

        return Curation(self._move(entry_id, block, holders, target, _ACTION_OF[verb], "By hand"), note)

    def edit(self, entry_id: str, words: EntryWords) -> Curation:
        """Return the changes that give an entry other words, marked as a person's.

        Raises CurationError where there is no such entry, or the words hold what would end it or another one.
        """
        (name, *_), block = self._find(entry_id)
        new = marked(Block(with_words(block.text, words), None), {EDITED: f"{self.now:%Y-%m-%d}"})
        entry = new.entry
        if not words.title or entry is None or entry.words != words or entry.id != entry_id:
            raise CurationError("the words are refused; allowed: a title in one line, and no line that ends a section")
        changed = self._write(name, entry_id, new, "EDITED", "Edited by hand; kept as it is")
        former = [other.text for other in parse_document(self.texts[name]).blocks]
        texts = [new.text if text == block.text else text for text in former]
        if [other.text for other in parse_document(changed).blocks] != texts:
            raise CurationError("the words are refused; allowed: none that end an entry or begin another one")

        def note(record: EntryRecord) -> None:
            record.undo = self._undo_of(record, EDIT, name, block, left=digest_of(new.text))
            record.is_edited, record.digest, record.base = True, digest_of(new.text), entry.confidence

        return Curation({name: changed}, note)

    def undo(self, entry_id: str, undo: EntryUndo) -> Curation:
        """Return the changes that bring an entry back to its former place and words; what runs have learnt stays.

        Raises CurationError where somebody has changed it again.
        """
        description, before = f"By hand; {undo.what} was taken back", Block(undo.text, parse_entry(undo.text))
        is_there = any(f"**ID:** {entry_id}\n" in text for name, text in self.texts.items() if name in FILES)
        holders, block = self._find(entry_id) if undo.left or is_there else ([], before)
        stands = digest_of(block.text) if undo.what == EDIT else " ".join(holders)
        if stands != undo.left:
            raise CurationError(f"{entry_id} has changed since; allowed: what stands as that decision has left it")

        def note(record: EntryRecord) -> None:
            former, record.undo = undo.record, None
            record.place, record.chosen = former.place, former.chosen
            record.is_removed, record.is_filed = former.is_removed, former.is_filed
            if undo.what == EDIT:
                record.is_edited, record.digest, record.base = former.is_edited, former.digest, former.base

        if undo.what == EDIT:
            return Curation({holders[0]: self._write(holders[0], entry_id, before, "UNDONE", description)}, note)
        return Curation(self._move(entry_id, block, holders, undo.file, "UNDONE", description), note)

    def _find(self, entry_id: str) -> tuple[list[str], Block]:
        """Return the files that hold an entry, and its block in the first; raises CurationError where none does."""
        blocks = [(name, block) for name in FILES for block in parse_document(self.texts.get(name, "")).blocks]
        holders = [(name, block) for name, block in blocks if block.entry is not None and block.entry.id == entry_id]
        if not holders:
            known = ", ".join(sorted({block.entry.id for _, block in blocks if block.entry is not None})[:20])
            raise CurationError(f"no entry {entry_id}; allowed: {known or 'there is none yet'}")
        return list(dict.fromkeys(name for name, _ in holders)), holders[0][1]

    def _undo_of(self, record: EntryRecord, decision: str, file: str, block: Block, *, left: str) -> EntryUndo:
        return EntryUndo(
            at=format_time(self.now),
            what=decision,
            title="" if block.entry is None else block.entry.title,
            file=file,
            text=block.text,
            left=left,
            record=replace(record, undo=None),
        )

    def _move(
        self, entry_id: str, block: Block, holders: list[str], target: str | None, action: str, description: str
    ) -> dict[str, str]:
        changed = {}
        if target is not None and target not in holders:
            source = f", from {holders[0]}" if holders else ""
            changed[target] = self._write(target, entry_id, block, action, description + source)
        left = f", to {target}" if target is not None else "; it does not come back"
        for name in holders:
            if name != target:
                changed[name] = self._write(name, entry_id, None, action, description + left)
        return changed

    def _write(self, name: str, entry_id: str, block: Block | None, action: str, description: str) -> str:
        """Return the text of a file with this block for the entry, in its place or at the end; without it if None."""
        text = self.texts.get(name)
        document = new_document(FILES[name][0], threshold=self.threshold) if text is None else parse_document(text)
        is_it = [other.entry is not None and other.entry.id == entry_id for other in document.blocks]
        blocks = [block if mine else other for other, mine in zip(document.blocks, is_it, strict=True)]
        blocks += [] if any(is_it) else [block]
        change = EntryChange(f"{self.now:%Y-%m-%d}", action, entry_id, description)
        kept = [kept_block for kept_block in blocks if kept_block is not None]
        return revise(document, kept, [change], now=self.now, threshold=self.threshold).render()
