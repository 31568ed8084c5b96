"""The page of institutional knowledge: the entries, their sources, and a person's decisions about them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from ...clock import format_time
from ...errors import StoreError
from ...knowledge.answers import knowledge_prompt
from ...knowledge.decisions import TransactionSummary
from ...knowledge.documents import FILES, ROOT, Entry, EntryWords, Place, digest_of, entries_in, log_of, parse_document
from ...knowledge.shelving import EDIT, CurationError, CurationVerb
from ...knowledge.state import EntryUndo, MemoryStateError
from ...quality.conflict_record import Resolver
from ...service.arguments import DecideEntry, EditEntry, ListEntries, ServiceError, ShowOne, UndoDecision
from ...service.rows import Result
from .. import agent_zero
from ..knowledge.addresses import KnowledgeAwayError, find_chains, local_folder, log_folder, without_secrets
from ..knowledge.curation import Curator, EntryChangedError, decisions_in
from ..knowledge.places import KnowledgeFiles
from ..knowledge.service import AgentFile
from ..session import Folder

_log = logging.getLogger(__name__)

_MOST_CHARACTERS = 20_000
_MOST_DECISIONS = 10
_GONE = "This entry no longer exists."
_CHANGED = "This entry has changed in the meantime; nothing was done."
_AWAY = "The place where knowledge is stored is currently unreachable."
_UNUSABLE = "The knowledge files currently cannot be read or written; see the server log."
#: The place of an entry after each decision; None for a rejected one.
_LEADS_TO = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE, CurationVerb.REJECT: None}
#: Held while a person decides, so that the next person sees the result.
_one_at_a_time = threading.Lock()


class Standing(NamedTuple):
    """An entry and its file."""

    file: str
    entry: Entry

    @property
    def place(self) -> Place:
        """Whether the entry waits, is in use, or is archived."""
        return FILES[self.file][1]

    @property
    def stamp(self) -> str:
        """A text that changes with the entry's place and words."""
        return f"{self.file}:{digest_of(self.entry.text)}"


def list_entries(folder: Folder, asked: ListEntries) -> Result:
    """Return one page of the entries of a place, the section of a prompt, and the latest decisions; blocking."""
    with _in_sentences():
        texts = _read(folder)
        decisions = decisions_in(_files(folder))
    settings = folder.settings
    limit = settings.distillation.token_limit
    active = {name: text for name, text in texts.items() if FILES[name][1] is Place.ACTIVE}
    prompt = knowledge_prompt(active, token_limit=limit, count_tokens=agent_zero.count_tokens)
    standing, unreadable = standing_in(texts)
    wanted = [entry for entry in standing if entry.place is asked.place]
    wanted.sort(key=lambda entry: (-entry.entry.confidence, entry.entry.number))
    last_run = AgentFile(folder.knowledge.own_folder).scheduled_at
    return {
        "enabled": settings.knowledge.enabled,
        "where": _where(folder),
        "counts": {place.value: sum(entry.place is place for entry in standing) for place in Place},
        "place": asked.place.value,
        **asked.paging(len(wanted)),
        "rows": [brief(entry, prompt) for entry in asked.cut(wanted)],
        "unreadable": unreadable,
        "prompt": {"text": prompt, "tokens": agent_zero.count_tokens(prompt) if prompt else 0, "limit": limit},
        "decided": [to_row(*decision) for decision in reversed(decisions[-_MOST_DECISIONS:])],
        "last_run": None if last_run is None else format_time(last_run),
    }


def show_entry(folder: Folder, asked: ShowOne) -> Result:
    """Return one entry with the chains that it comes from and its history; blocking, for it reads the logs."""
    with _in_sentences():
        texts = _read(folder)
    standing = _find(texts, asked.id)
    entry = standing.entry
    chains = find_chains(
        log_folder(folder.settings.knowledge, folder.knowledge.home),
        entry.sources,
        first=entry.first_observed,
        last=entry.last_confirmed,
        hop_limit=folder.settings.distillation.hop_limit,
    )
    rows = [change for text in texts.values() for change in log_of(text) if change.entry_id == asked.id]
    history = {(row.day, row.action, who_did(row.description)): row for row in reversed(rows)}  # a move has two rows
    return {
        "entry": {
            **brief(standing, ""),
            "action": entry.action,
            "applicability": entry.applicability,
            "first_observed": entry.first_observed.isoformat(),
            "edited_on": None if entry.edited_on is None else entry.edited_on.isoformat(),
        },
        "chains": [chain_row(source, chains.get(source)) for source in entry.sources],
        "history": [
            {"day": day, "what": action.lower(), "by": actor, "why": change.description}
            for (day, action, actor), change in sorted(history.items(), key=lambda item: item[0][0], reverse=True)
        ],
    }


def decide_entry(folder: Folder, verb: str, asked: DecideEntry) -> Result:
    """Carry out a decision about an entry, a value of CurationVerb, if it stands as it was shown."""
    if verb == CurationVerb.REJECT and not asked.sure:
        raise ServiceError("A rejected entry does not come back on its own; allowed: with sure set to true.")
    return _act(folder, asked.id, asked.stamp, lambda curator: curator.decide(asked.id, CurationVerb(verb)))


def edit_entry(folder: Folder, asked: EditEntry) -> Result:
    """Reword an entry, if it stands as it was shown."""
    words = EntryWords(
        title=asked.title.strip(),
        insight=asked.insight.strip(),
        action=asked.recommended.strip(),
        applicability=asked.applicability.strip(),
    )
    return _act(folder, asked.id, asked.stamp, lambda curator: curator.edit(asked.id, words))


def undo_decision(folder: Folder, asked: UndoDecision) -> Result:
    """Undo one of the latest decisions, if the entry has not changed since."""
    with _in_sentences():
        decisions = decisions_in(_files(folder))
    entry_ids = [entry_id for entry_id, undo in decisions if _undo_id(entry_id, undo) == asked.decision]
    if not entry_ids:
        raise ServiceError("This decision can no longer be undone.")
    return _act(folder, entry_ids[0], None, lambda curator: curator.undo(entry_ids[0]))


def _act(folder: Folder, entry_id: str, stamp: str | None, act: Callable[[Curator], object]) -> Result:
    with _one_at_a_time, _in_sentences():
        if stamp is not None and _find(_read(folder), entry_id).stamp != stamp:
            raise ServiceError(_CHANGED)
        threshold = folder.settings.distillation.confidence_threshold
        act(Curator(_files(folder), now=folder.knowledge.clock(), threshold=threshold))
        undo = dict(decisions_in(_files(folder))).get(entry_id)
    return {"done": entry_id, "undo": "" if undo is None else _undo_id(entry_id, undo)}


def _undo_id(entry_id: str, undo: EntryUndo) -> str:
    return f"{entry_id} {undo.at}"


@contextmanager
def _in_sentences() -> Iterator[None]:
    """Turn the errors of the files into ServiceError with a sentence without paths of this machine."""
    try:
        yield
    except CurationError as exc:
        raise ServiceError(str(exc)) from exc
    except EntryChangedError as exc:
        raise ServiceError(_CHANGED) from exc
    except KnowledgeAwayError as exc:
        raise ServiceError(_AWAY) from exc
    except (StoreError, MemoryStateError) as exc:
        _log.warning("the page of knowledge: %s", exc)
        raise ServiceError(_UNUSABLE) from exc


def _read(folder: Folder) -> dict[str, str]:
    files = _files(folder)
    return {name: text for name in FILES if (text := files.read(name)) is not None}


def _files(folder: Folder) -> KnowledgeFiles:
    return folder.knowledge.open(folder.settings.knowledge).files


def _where(folder: Folder) -> str:
    """Return the place of knowledge in words without a path of this machine."""
    url = folder.settings.knowledge.knowledge_url
    is_here = local_folder(url, folder.knowledge.home) == folder.knowledge.home
    return f"{ROOT.rstrip('/')} in Agent Zero's user folder" if is_here else without_secrets(url)


def _find(texts: Mapping[str, str], entry_id: str) -> Standing:
    standing = next((entry for entry in standing_in(texts)[0] if entry.entry.id == entry_id), None)
    if standing is None:
        raise ServiceError(_GONE)
    return standing


def standing_in(texts: Mapping[str, str]) -> tuple[list[Standing], int]:
    """Return the entries of all files, and the number of unreadable ones."""
    standing = [Standing(*found) for found in entries_in(texts)]
    return standing, sum(len(parse_document(text).blocks) for text in texts.values()) - len(standing)


def brief(standing: Standing, prompt: str) -> Result:
    """Return an entry as a list shows it; `prompt` is the section of all entries in a prompt."""
    entry = standing.entry
    return {
        "id": entry.id,
        "stamp": standing.stamp,
        "place": standing.place.value,
        "category": entry.category.value,
        "title": entry.title[:_MOST_CHARACTERS],
        "insight": entry.insight[:_MOST_CHARACTERS],
        "confidence": entry.confidence,
        "transactions": entry.transactions,
        "confirmed": entry.last_confirmed.isoformat(),
        "is_edited": entry.edited_on is not None,
        "is_shown": f"({entry.id}, confidence " in prompt,
        "can": [*(verb.value for verb, place in _LEADS_TO.items() if place is not standing.place), EDIT],
    }


def chain_row(chain_id: str, summary: TransactionSummary | None) -> Result:
    """Return a chain as a row; only its id if no log has it."""
    if summary is None:
        return {"id": chain_id, "is_found": False}
    return {
        "id": chain_id,
        "is_found": True,
        "at": format_time(datetime.fromtimestamp(summary.at, UTC)),
        "path": [*summary.path],
        "hops": summary.hops,
        "seconds": summary.seconds,
        "outcome": summary.outcome.value,
        "failed_at": summary.failed_at,
        "error": summary.error,
    }


def who_did(description: str) -> str:
    """Return who made a row of a file's log of changes, by its description."""
    return "a person" if "by hand" in description.lower() else "distillation"


def to_row(entry_id: str, undo: EntryUndo) -> Result:
    """Return a decision that can be undone, as a list shows it."""
    return {
        "id": _undo_id(entry_id, undo),
        "at": undo.at,
        "by": Resolver.OPERATOR.value,
        "what": undo.what,
        "entry": entry_id,
        "title": undo.title[:_MOST_CHARACTERS],
    }
