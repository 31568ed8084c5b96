"""The part of the knowledge files that reaches agents, and the answers of the memory agent."""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import Any

from ..language.words import content_words, split_tokens
from ..texts import counted, estimate_tokens, neutralize
from .documents import FILES, ROOT, SHELVES, Entry, Place, by_confidence, entries_in, parse_document, prompt_text
from .hops import MEMORY_AGENT
from .messages import POST_CHAIN, RETRIEVAL, SCHEDULED, ChainPosition, MessageError, standard_message
from .shelving import RunReport
from .words import plain_id, word_family

MOST_FOUND = 5
_HEADING = (
    "# Institutional knowledge\n"
    "What agents here have learned from their audit logs. Governance and what the user says come first.\n"
)


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that fits a query, and its file."""

    entry: Entry
    file: str


def find_entries(
    texts: Mapping[str, str], query: str, *, most: int = MOST_FOUND, place: Place = Place.ACTIVE
) -> list[FoundEntry]:
    """Return the entries of this place that share words with the query, the best first; rare words weigh more."""
    entries = [FoundEntry(entry, ROOT + name) for name, entry in entries_in(texts, place)]
    words = [_words(" ".join(map(str, (hit.entry.id, *astuple(hit.entry.words))))) for hit in entries]
    holders = Counter(word for entry_words in words for word in entry_words)
    asked = _words(query)
    scored = [
        (sum(math.log(1 + len(entries) / holders[word]) for word in asked & entry_words), entry)
        for entry, entry_words in zip(entries, words, strict=True)
    ]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].entry.confidence, pair[1].entry.number))
    return [entry for score, entry in scored[:most] if score > 0]


def _words(text: str) -> frozenset[str]:
    """Return the words of a text, and the verbs and things of the tables that they stand for."""
    words = split_tokens(text.replace("_", " ").lower())
    return content_words(" ".join(member for word in words for member in word_family(word)))


def knowledge_prompt(
    texts: Mapping[str, str], *, token_limit: int, count_tokens: Callable[[str], int] = estimate_tokens
) -> str:
    """Return the section of the prompt; empty without entries. The least sure entries are left out over the limit.

    `count_tokens` is called as seldom as possible: once where everything fits.
    """
    documents = [parse_document(text) for _, text in sorted(texts.items())]
    entries = sorted((entry for document in documents for entry in document.entries), key=by_confidence)

    def render(count: int) -> str:
        chosen = {entry.text for entry in entries[:count]}
        kept = (replace(document, blocks=tuple(filter(chosen.__contains__, document.blocks))) for document in documents)
        return neutralize(_HEADING + "".join(f"#{part}" for part in map(prompt_text, kept) if part)).rstrip("\n")

    section = render(len(entries)) if entries else ""
    if count_tokens(section) <= token_limit:
        return section
    counts = range(1, len(entries))
    fitting = bisect.bisect_right(counts, token_limit, key=lambda count: count_tokens(render(count)))
    return render(fitting) if fitting else ""


CONTENT_TYPE = "knowledge_update"
NOTHING_NEW = "no new patterns identified"
NO_CONFLICTS = "No governance conflicts detected."
#: The keys of the statistics, in this order.
_STATISTICS = ("transactions_processed", "patterns_identified", "decisions_catalogued", "knowledge_entries_written")
_MOST_CHANGES = 5


#: The action of each trigger, the end of the chain, and the status of the answer.
_ACTIONS = {
    POST_CHAIN: ("log_capture", "transaction captured from the audit log", "Audit log captured successfully"),
    SCHEDULED: (
        "distillation",
        "knowledge distillation cycle finished",
        "Knowledge distillation cycle completed successfully",
    ),
    RETRIEVAL: ("context_retrieval", "historical context returned", "Historical context returned"),
}
_REFUSED = "ERROR — the memory agent could not do what was asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of the agent: its input, its place in a chain, its time, and its number on that day."""

    received: object
    link: ChainPosition
    now: datetime
    number: int

    @property
    def words(self) -> tuple[str, str, str]:
        """The action, the end of the chain and the status of the answer; of `post_chain` for an unknown trigger."""
        trigger = self.received.get("trigger") if isinstance(self.received, Mapping) else None
        return _ACTIONS[trigger if isinstance(trigger, str) and trigger in _ACTIONS else POST_CHAIN]


def answer_distilled(call: Call, done: RunReport) -> dict[str, Any]:
    """Return the message about a run over the logs."""
    (added, revised), flagged = done.written(), done.flags
    standards = " per governance standards" if done.consulted else "; there is no governance file to consult"
    written = f"Knowledge files written to {ROOT}{standards}." if done.changes else "No file was changed."
    return _message(
        call,
        updates=_updates(done),
        counts=(done.transactions, done.patterns, done.transactions, added + revised),
        status_message=call.words[2] + ("" if added + revised else f": {NOTHING_NEW}"),
        notes=" ".join([written, *(flagged or [NO_CONFLICTS])]),
        reasoning=_reasoning(call, done, added, revised),
        consulted=done.consulted,
    )


def answer_found(call: Call, query: str, entries_found: Sequence[FoundEntry]) -> dict[str, Any]:
    """Return the message with the entries that fit a query."""
    entries = [
        {"id": hit.entry.id, "file": hit.file, "confidence": hit.entry.confidence, "insight": hit.entry.insight}
        for hit in entries_found
    ]
    count = f"{counted(len(entries), 'entry', 'entries')} found"
    return _message(
        call,
        recalled={"query": query, "entries": entries},
        status_message=count,
        notes=f"Knowledge files were only read. {NO_CONFLICTS}",
        reasoning=f"Searched the knowledge files in use by words: {count}. Nothing was distilled, nothing was written.",
    )


def answer_refused(call: Call, code: str, why: str, *, recoverable: bool = True) -> dict[str, Any]:
    """Return the message about a call that failed."""
    return _message(
        call,
        status_message=f"Nothing was done: {NOTHING_NEW}",
        notes=f"No file was changed: {why}. {NO_CONFLICTS}",
        reasoning=f"The call ended with {code}: {why}.",
        error=MessageError(code=code, message=why, recoverable=recoverable),
    )


def _message(
    call: Call,
    *,
    status_message: str,
    notes: str,
    reasoning: str,
    updates: Sequence[Mapping[str, Any]] = (),
    recalled: Mapping[str, Any] | None = None,
    counts: Sequence[int] = (0, 0, 0, 0),
    consulted: Iterable[str] = (),
    error: MessageError | None = None,
) -> dict[str, Any]:
    day = f"{call.now:%Y%m%d}"
    link = replace(
        call.link,
        session_id=call.link.session_id or f"sess_{day}",
        request_id=call.link.request_id or f"req_memory_batch_{call.number:03d}",
    )
    return standard_message(
        message_id=f"msg-memo-{day}-{call.number:03d}",
        now=call.now.replace(microsecond=0),
        agent=MEMORY_AGENT,
        link=link,
        received=call.received if isinstance(call.received, Mapping) else None,
        content_type=CONTENT_TYPE,
        content={
            "action_taken": call.words[0],
            "knowledge_updates": list(updates),
            "recall_result": recalled,
            "statistics": dict(zip(_STATISTICS, counts, strict=True)),
        },
        following=None,
        reason=_REFUSED if error else f"COMPLETE — {call.words[1]}",
        status_message=status_message,
        error=error,
        compliance_notes=notes,
        reasoning=reasoning,
        consulted=consulted,
    )


def _updates(done: RunReport) -> list[dict[str, Any]]:
    """Return an item for each file that was changed or flagged."""
    flags = {name: done.flagged.get(name, []) for name in FILES if done.flagged.get(name) or name in done.changes}
    if not flags:
        flags = {name: [f"{NOTHING_NEW.capitalize()}."] for name, (_, place) in FILES.items() if place is Place.ACTIVE}
    updates = []
    for name, flagged in flags.items():
        (added, revised), changes = done.written(name), done.changes.get(name, [])
        rows = [f"{row.action} {row.entry_id}: {row.description}" for row in changes[:_MOST_CHANGES]]
        rows += [f"and {len(changes) - _MOST_CHANGES} more"] if len(changes) > _MOST_CHANGES else []
        summary = [f"{'; '.join(rows)}."] if rows else []
        updates.append(
            {
                "file": ROOT + name,
                "category": SHELVES[FILES[name][0]].stem,
                "entries_added": added,
                "entries_revised": revised,
                "summary": " ".join([*summary, *flagged]) or "Brought up to date.",
            }
        )
    return updates


def _reasoning(call: Call, done: RunReport, added: int, revised: int) -> str:
    received = call.received if isinstance(call.received, Mapping) else {}
    transaction = plain_id(received.get("transaction_id"))
    parts = [
        f"Captured the audit log after transaction {transaction}." if transaction else "",
        f"Processed {counted(done.transactions, 'new completed transaction', 'new completed transactions')}"
        f" and looked for patterns from {done.days[0]} to {done.days[1]}.",
        f"Skipped {counted(done.malformed, 'malformed log entry', 'malformed log entries')}." if done.malformed else "",
        f"Identified {counted(done.patterns, 'recurring pattern', 'recurring patterns')}.",
        f"Distilled {counted(added, 'new knowledge entry', 'new knowledge entries')} and revised {revised}."
        if added + revised
        else f"{NOTHING_NEW.capitalize()}.",
        f"Left as they are: {'; '.join(done.problems)}." if done.problems else "",
    ]
    return " ".join(part for part in parts if part)
