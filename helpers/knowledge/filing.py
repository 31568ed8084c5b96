"""From counts to knowledge files: entries are added, revised, moved, marked or left alone.

Pure: the texts of all files and the memory of former runs come in, the texts that change go out. The entries are
computed from the counts every time, so that a second run over the same counts changes nothing.

A sentence of a governance file that forbids something, and names everything that an entry recommends, keeps that entry
out; it is reported as a governance concern instead. When in doubt the entry stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta

from ..privacy import Level, scan
from ..setting_groups import Distillation
from ..texts import regex
from . import documents
from .documents import Entry, Place
from .insights import CATEGORY_OF, insight_of, title_of
from .patterns import MOST_SAMPLES, Family, Key, Tally, total_of
from .rates import EntryClaim, claims_in, is_encouraging
from .shelving import MOVED, Held, RunReport, shelve
from .state import EntryRecord, KnowledgeState
from .words import word_family

_FORBIDS = regex(
    r"\b(?:must\s+not|may\s+not|shall\s+not|should\s+not|cannot|can't|do\s+not|don't|never|prohibit\w*|forbid\w*|forbidden"
    r"|disallow\w*|not\s+(?:allowed|permitted|supported|acceptable)|refuse|reject)\b",
    re.IGNORECASE,
)
_SENTENCE = regex(r"(?<=[.!?])\s+|\n")
_WORD = regex(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_SMALL = frozenset("a all and at from kind of on once or request several the thing to unknown".split())
_WAITS = "the entry stays until there is more evidence"


class Filing:
    """Brings the files up to date with the counts of a day; `state` and `report` are changed as well.

    New patterns are looked for in the window of the report, from its first to its last day.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        state: KnowledgeState,
        days: Mapping[str, Tally],
        report: RunReport,
        *,
        options: Distillation,
        now: datetime,
        governance: Mapping[str, str],
    ) -> None:
        self._documents = {name: documents.parse_document(texts[name]) for name in documents.FILES if name in texts}
        self._state, self._report, self._options = state, report, options
        self._claims = claims_in(days, total_of(days.values()))
        recent = {day: tally for day, tally in days.items() if report.days[0] <= day <= report.days[1]}
        self._window = total_of(recent.values())
        self._recent = claims_in(recent, self._window)
        self._now, self._today = now, now.astimezone(UTC).date()
        self._forbidding = forbidding_sentences(governance)
        self._held: dict[str, Held] = {}
        #: Blocks that cannot be read; they stay where they are.
        self._left: dict[str, list[str]] = {}
        self._entries: dict[Key, str] = {}

    def run(self) -> None:
        """Read, mark, add, revise, place, write."""
        self._read()
        for concern in concerns_in(self._window, min_transactions=self._options.min_transactions):
            self._report.flag_concern(concern)
        self._notice_removed()
        self._entries = self._state.entries()
        for _, claim in sorted(self._claims.items()):
            self._distil(claim)
        self._check_governance()
        shelve(self._held.values(), self._report, options=self._options, today=self._today)
        self._write()

    def _read(self) -> None:
        """Read every entry, and what a person has changed, added or moved."""
        highest = 0
        for name, document in self._documents.items():
            highest = max(highest, *document.numbers(), 0)
            place = documents.FILES[name][1]
            for block in document.blocks:
                entry = documents.parse_entry(block)
                if entry is None or entry.id in self._held:
                    fault = "cannot be read" if entry is None else f"repeats the id {entry.id}"
                    self._report.problems.append(f"{name}: an entry {fault}; it was left as it is")
                    self._left.setdefault(name, []).append(block)
                    continue
                note = self._state.notes.get(entry.id) or self._adopt(entry, place)
                self._held[entry.id] = held = Held(entry, note, name, place, original=block)
                self._recognise(held, place)
        self._state.next_number = max(self._state.next_number, highest + 1)

    def _recognise(self, held: Held, place: Place) -> None:
        """Record the edits of a person since an entry was written."""
        entry, note = held.entry, held.note
        note.is_filed, note.is_removed = True, False
        if place is not note.place:
            note.chosen = place
            self._tell(held.found_in, "MOVED", entry.id, f"Moved to {place.value} by hand; it stays there")
            note.place = place
        if documents.digest_of(entry.text) != note.digest:
            note.base = entry.confidence
            is_first, note.is_edited = not note.is_edited, True
            if is_first or entry.edited_on is None:
                held.entry = documents.marked(entry, {documents.EDITED: self._today.isoformat()})
                self._tell(held.found_in, "EDITED", entry.id, "Edited by hand; kept as it is")
            note.digest = documents.digest_of(held.entry.text)

    def _adopt(self, entry: Entry, place: Place) -> EntryRecord:
        """Return a new record of an entry: a person wrote it, or the state was lost."""
        key = next((claim_key for claim_key in self._claims if title_of(claim_key) == entry.title), None)
        claim = None if key is None or key in self._state.entries() else self._claims[key]
        is_ours = claim is not None and insight_of(claim).action == entry.action and entry.edited_on is None
        note = EntryRecord(
            key=None if claim is None else claim.key,
            answer="" if claim is None else claim.answer,
            base=entry.confidence,
            peak=entry.confidence,
            total=entry.transactions,
            place=place,
            digest=documents.digest_of(entry.text) if is_ours else "",
        )
        self._state.notes[entry.id] = note
        return note

    def _notice_removed(self) -> None:
        for held_id, note in self._state.notes.items():
            if held_id not in self._held and note.is_filed and not note.is_removed:
                note.is_removed = True
                if note.key is not None and note.key[0] in CATEGORY_OF:
                    file = documents.file_of(CATEGORY_OF[note.key[0]], note.place)
                    self._tell(file, "REMOVED", held_id, "Removed by hand; it does not come back")

    def _distil(self, claim: EntryClaim) -> None:
        """Compare a claim with its entry, or add an entry for it."""
        known = self._entries.get(claim.key)
        held = None if known is None else self._held.get(known)
        recent = self._recent.get(claim.key)
        if recent is not None and recent.transactions < self._options.min_transactions:
            recent = None
        self._report.patterns += recent is not None and (known is not None or claim.is_worth)
        if held is not None:
            self._hold_against(held, claim, recent)
            return
        is_wanted = recent is not None and claim.is_worth if known is None else not self._state.notes[known].is_removed
        if is_wanted and self._may_be_filed(claim, insight := insight_of(claim)):
            self._add(known, claim, insight)

    def _check_governance(self) -> None:
        """Retire the entries that governance now forbids; an entry of a person is only flagged."""
        for held_id, held in self._held.items():
            note = held.note
            if note.key is None or not is_encouraging(note.key, note.answer):
                continue
            against = contradicted_by(note.key, self._forbidding)
            if against is None:
                continue
            what_now = "it was edited by hand: decide by hand" if note.is_edited else "it is retired"
            held.forbidden_by = "" if note.is_edited else against
            title = f"{held_id} ({held.entry.title})"
            self._report.flag_concern(f"{title} goes on although {against} forbids it; {what_now}.")

    def _may_be_filed(self, claim: EntryClaim, insight: documents.EntryWords) -> bool:
        """Whether neither governance nor the privacy guard keeps a pattern out."""
        key = claim.key
        against = contradicted_by(key, self._forbidding) if is_encouraging(key, claim.answer) else None
        if against is not None:
            self._report.flag_concern(f"'{insight.title}' goes on although {against} forbids it; no entry was written.")
            return False
        findings = scan("\n".join((insight.title, insight.insight, insight.action)), Level.STRICT)
        if findings:
            kinds = ", ".join(sorted({finding.type for finding in findings}))
            self._report.problems.append(f"a pattern of the kind {key[0].value} names what is private ({kinds})")
        return not findings

    def _add(self, known: str | None, claim: EntryClaim, insight: documents.EntryWords) -> None:
        if known is None:
            known = documents.entry_id(self._state.next_number)
            self._state.next_number += 1
        note = self._state.notes[known] = EntryRecord(
            key=claim.key,
            answer=claim.answer,
            base=claim.sureness,
            peak=claim.sureness,
            total=claim.cases,
            place=Place.STAGING,
            digest="",
            told_on=self._today.isoformat(),
        )
        entry = self._to_entry(known, claim, insight)
        self._held[known] = Held(entry, note, "", Place.STAGING, is_ripe=claim.is_ripe)

    def _hold_against(self, held: Held, claim: EntryClaim, recent: EntryClaim | None) -> None:
        """Confirm an entry, revise it, or flag the contradiction.

        An entry that most transactions contradict is flagged first, and revised when more of them confirm the new
        answer. Until then it stays where it is. `recent` is the claim of the window, if it has enough cases.
        """
        note = held.note
        latest = claim.answer if recent is None else recent.answer
        if not note.is_edited:
            held.is_ripe = {claim.answer, latest} != {note.answer} or claim.is_ripe
        if note.answer and claim.answer != note.answer:
            more = claim.cases - note.contested_total
            is_open = note.contested == claim.answer and not note.is_edited
            if not is_open or more < self._options.min_transactions:
                what_now = "it was edited by hand: decide by hand" if note.is_edited else _WAITS
                self._contest(held, claim.answer, claim.cases, what_now)
                return
            before, note.answer, note.contested = note.answer, claim.answer, ""
            self._renew(held, claim, f"More transactions say {claim.answer} than {before}")
        elif note.answer and latest != note.answer:
            self._contest(held, latest, claim.cases, _WAITS)
        else:
            note.contested = ""
            if self._is_news(held, claim):
                self._renew(held, claim, "")

    def _is_news(self, held: Held, claim: EntryClaim) -> bool:
        """Whether more transactions change the confidence, or confirm it for the first time on a day."""
        note, confirmed = held.note, held.entry.last_confirmed
        is_surer = claim.sureness != note.base and not note.is_edited
        is_later = note.told_on != self._today.isoformat() or _confirmed(claim) != confirmed
        is_more = claim.cases != note.total or _confirmed(claim) > confirmed
        return is_more and (is_surer or is_later)

    def _contest(self, held: Held, answer: str, total: int, what_now: str) -> None:
        note = held.note
        if note.contested != answer:
            note.contested, note.contested_total = answer, total
        title = f"{held.entry.id} ({held.entry.title})"
        sentence = f"{title} says {note.answer}, recent transactions say {answer}; {what_now}."
        self._report.flag(held.found_in, sentence)

    def _renew(self, held: Held, claim: EntryClaim, why: str) -> None:
        note, before = held.note, held.entry.confidence
        base = note.base if note.is_edited else claim.sureness
        new = self._to_entry(held.entry.id, claim, insight_of(claim))
        note.base, note.total, note.told_on = base, claim.cases, self._today.isoformat()
        if note.is_edited:
            bullets = {"Last Confirmed": new.last_confirmed.isoformat(), "Source Transactions": ", ".join(new.sources)}
            held.entry = documents.marked(held.entry, bullets)
        else:
            held.entry = documents.rendered(replace(new, first_observed=held.entry.first_observed))
        now = f"confidence from {before:.2f} to {base:.2f}" if f"{before:.2f}" != f"{base:.2f}" else ""
        confirmed = f"Confirmed by {claim.transactions} transactions"
        sentence = "; ".join(part for part in (why, now) if part) or confirmed
        self._tell(held.found_in, "REVISED", held.entry.id, sentence[0].upper() + sentence[1:])

    def _to_entry(self, held_id: str, claim: EntryClaim, insight: documents.EntryWords) -> Entry:
        entry = Entry(
            id=held_id,
            confidence=claim.sureness,
            transactions=claim.transactions,
            first_observed=date.fromisoformat(claim.counts.first),
            last_confirmed=_confirmed(claim),
            sources=tuple(dict.fromkeys(sample for _, sample in claim.samples))[:MOST_SAMPLES],
            category=CATEGORY_OF[claim.key[0]],
            **asdict(insight),
        )
        return documents.rendered(entry)

    def _write(self) -> None:
        """Put the entries into their files; an unchanged file is not written."""
        for held in self._by_number():
            note, held_id = held.note, held.entry.id
            target = documents.file_of(held.entry.category, held.place)
            if held.is_new:
                self._tell(target, "ADDED", held_id, held.entry.title)
            elif target != held.found_in:
                why = f"confidence {held.entry.confidence:.2f}"
                if held.forbidden_by:
                    why = f"forbidden by {held.forbidden_by}"
                elif held.place is Place.ARCHIVE and held.entry.confidence >= self._options.archive_below:
                    why += ", over the token limit" if note.chosen is None else ", by hand"
                revised = self._take_revision(held.found_in, held_id)
                self._tell(target, MOVED[held.place], held_id, f"{held.entry.title}: {revised or why}")
            elif held.entry.text != held.original:
                self._report.changes.setdefault(target, [])
            note.place, note.digest, note.is_filed = held.place, documents.digest_of(held.entry.text), True
        for name, (category, _) in documents.FILES.items():
            if name in self._report.changes:
                self._write_file(name, category)

    def _take_revision(self, name: str, held_id: str) -> str:
        """Remove the row of a revision from the log of the file that an entry leaves, and return its text."""
        changes = self._report.changes.setdefault(name, [])
        revisions = [change for change in changes if change.entry_id == held_id and change.action == "REVISED"]
        changes[:] = [change for change in changes if change not in revisions]
        revised = "; ".join(change.description for change in revisions)
        return revised[:1].lower() + revised[1:]

    def _write_file(self, name: str, category: documents.Category) -> None:
        former, threshold = self._documents.get(name), self._options.confidence_threshold
        document = former or documents.new_document(category, threshold=threshold)
        mine = [held for held in self._by_number() if documents.file_of(held.entry.category, held.place) == name]
        order = {entry.id: position for position, entry in enumerate(document.entries)}
        mine.sort(key=lambda held: order.get(held.entry.id, len(order)))  # new ones after those of the file
        blocks = [*(held.entry.text for held in mine), *self._left.get(name, [])]
        changes = self._report.changes[name]
        text = documents.revise(document, blocks, changes, now=self._now, threshold=threshold).render()
        if former is None or text != former.render():
            self._report.texts[name] = text

    def _by_number(self) -> list[Held]:
        return sorted(self._held.values(), key=lambda held: held.entry.number)

    def _tell(self, name: str, action: str, held_id: str, description: str) -> None:
        self._report.tell(name, documents.EntryChange(self._today.isoformat(), action, held_id, description))


def _confirmed(claim: EntryClaim) -> date:
    """Return the day of the latest transaction that agrees."""
    return datetime.fromtimestamp(claim.samples[0][0], UTC).date()


def window_of(now: datetime, days: int) -> tuple[str, str]:
    """Return the first and the last day of the window that ends now."""
    today = now.astimezone(UTC).date()
    return (today - timedelta(days=days - 1)).isoformat(), today.isoformat()


def forbidding_sentences(texts: Mapping[str, str]) -> list[tuple[str, frozenset[str]]]:
    """Return the words of every sentence that forbids something, with its file."""
    return [
        (name, frozenset(_stems(sentence)))
        for name, text in sorted(texts.items())
        for sentence in _SENTENCE.split(text)
        if _FORBIDS.search(sentence)
    ]


def contradicted_by(key: Key, forbidding: Iterable[tuple[str, frozenset[str]]]) -> str | None:
    """Return the governance file that forbids the pattern; None if there is none."""
    named = frozenset(_stems(key[1])) - _SMALL
    if not named:
        return None
    return next((name for name, words in forbidding if named <= words), None)


def concerns_in(tally: Tally, *, min_transactions: int) -> list[str]:
    """Return the violations that have become common, for a person to look at."""
    return [
        f"policy rejected instructions of {agent} in {counts.total} transactions."
        for agent, counts in sorted(tally.get(Family.GOVERNANCE, {}).items())
        if counts.total >= min_transactions
    ]


def _stems(text: str) -> Iterable[str]:
    """Yield the words of a text without the ending of a plural, and the table words that they stand for."""
    for word in _WORD.findall(text.lower()):
        for member in word_family(word):
            yield member.removesuffix("s") if len(member) > 3 else member
