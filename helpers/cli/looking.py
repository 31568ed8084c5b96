"""Look at memories: lists, a memory with its details, the standing rules, and the beliefs about a subject."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import format_time
from ..contents import content_in_words
from ..errors import StoreError
from ..inbox import SwitchRule, rules_left_out
from ..ledger.authority import Line, retirements
from ..ledger.authority import tell as tell_event
from ..ledger.history import Belief, believed_at, find_beliefs
from ..recall.eligibility import find_rules
from ..recall.selection import SOURCE_WORDS
from ..records import Source
from ..service.arguments import FindMemories, ShowOne, parse_question
from ..service.detail import show_memory
from ..service.rows import ID as ID_FIELD
from ..service.rows import entry_row, find_entries
from ..store.backup_file import BackupFile, id_digest
from ..store.docstore_file import read_documents, read_memories
from ..store.files import JOURNAL_FILE, read_lines_if_any
from ..store.requests import Inbox
from .declaring import DONE, Options, only_one, tell
from .options import order
from .output import ID, TEXT, Column, first_lines, is_for_person, show_object, show_rows, waiting, watched
from .saved import open_place

if TYPE_CHECKING:
    from ..store.quality_columns import QualityFilter

#: The options that filter by a memory's figures of quality.
_OF_QUALITY = ("min_quality", "max_staleness", "min_confidence", "exclude_conflicted")
#: The length of a list at a terminal, without --limit.
_MOST_SHOWN = 50


def _run_list(options: Options) -> None:
    filters = {
        "source": options.source,
        "validity": options.status,
        "utility": options.utility,
        "area": options.area,
        "since": options.since and format_time(options.since),
        "until": options.until and format_time(options.until),
    }
    asked = {"query": " ".join(options.words), "filters": filters, "sort": options.sort}
    place = open_place(options)
    entries = find_entries(place, parse_question(FindMemories, asked))
    wanted = _wanted_quality(options)
    figures = {} if wanted is None else place.grade(wanted)
    if wanted is not None:
        entries = [entry for entry in entries if entry[ID_FIELD] in figures]
    most = options.limit or (_MOST_SHOWN if is_for_person(options) else len(entries))
    rows = (entry_row(entry) | figures.get(entry[ID_FIELD], {}) for entry in entries[:most])
    show_rows(options, rows, _COLUMNS if wanted is None else (*_COLUMNS, _QUALITY))
    if most < len(entries) and not options.limit:
        tell(f"{most} of {len(entries):,} memories; --limit N shows more")
    elif not entries:
        tell("no memory is like that")


def _wanted_quality(options: Options) -> QualityFilter | None:
    """Return the wanted figures of the memories; None where no option names one."""
    asked = {name: getattr(options, name) for name in _OF_QUALITY}
    if all(value is None or value is False for value in asked.values()):
        return None
    from ..store.quality_columns import QualityFilter

    return QualityFilter(**asked)


def _standing(row: Any) -> str:
    return ", ".join(
        [row["said_at"][:10], *(row[key] for key in ("source", "validity", "utility", "area") if row[key])]
    )


_COLUMNS = (ID, Column("memory", lambda row: first_lines(row["text"]), note=_standing))
_QUALITY = Column("quality", lambda row: f"{row['quality']:.2f}", is_whole=True)


#: How much an id resembles one that is taken to be meant.
_ALIKE = 0.8
_MOST_NAMED = 5
_NOT_CLASSIFIED, _NOT_THERE = "not classified yet", "not in the store any more"


def _run_show(options: Options) -> None:
    place = open_place(options)
    memory_id = find_id(options.folder, place.documents(), options.id)
    memory = show_memory(place, ShowOne(id=memory_id))
    command = shlex.join(["memory-ledger", "undo", memory_id, "--folder", str(options.folder)])
    show_object(options, {**memory, "undo": command if "undo" in memory["can"] else None}, _FIELDS)


def complete(asked: str, known: Iterable[str]) -> str:
    """Return the only one of the `known` ids that begins with `asked`; else `asked` itself."""
    matches = {memory_id for memory_id in known if memory_id.startswith(asked)}
    return asked if asked in matches or len(matches) != 1 else matches.pop()


def find_id(folder: Path, known: Mapping[str, Any], asked: str) -> str:
    """Return the only known id that begins with `asked`.

    Raises StoreError, which names similar ids, or says whether that memory was deleted or erased.
    """
    if (named := complete(asked, known)) in known:
        return named
    if matches := [memory_id for memory_id in known if memory_id.startswith(asked)]:
        raise StoreError(f"{folder}: {asked} begins {len(matches):,} ids; allowed: one of them, {_name_some(matches)}")
    fate = _find_fate(folder, asked)
    near = difflib.get_close_matches(asked, known, cutoff=_ALIKE)
    meant = f"; did you mean {_name_some(near)}?" if near else "; allowed: an id that `memory-ledger list` shows"
    raise StoreError(f"{folder}: no memory {asked}{fate or meant}")


def _name_some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_MOST_NAMED]) + (", ..." if len(ids) > _MOST_NAMED else "")


def _find_fate(folder: Path, memory_id: str) -> str:
    """Return in words what the backup knows of a memory that is not in the store; empty if nothing."""
    contents = BackupFile(folder).read()
    if contents is None:
        return ""
    if id_digest(memory_id) in contents.erased:
        return " any more: it was erased"
    deleted = contents.deleted.get(memory_id)
    if deleted is not None:
        heir = f", and {deleted.replaced_by} replaced it" if deleted.replaced_by else ""
        return f" any more: it was deleted at {format_time(deleted.at)}{heir}"
    return ", but the backup has it: `memory-ledger restore` brings it back" if memory_id in contents.lines else ""


def _figures_in_words(row: Mapping[str, Any]) -> str:
    quality = row["quality"]
    checked = f", validated {quality['validatedAt']}" if quality["validatedAt"] else ""
    figures = {"staleness": quality["staleness"], "confidence": row["confidence"], "risk": quality["conflictRisk"]}
    return f"{quality['score']:.2f} ({', '.join(f'{name} {figure:.2f}' for name, figure in figures.items())}){checked}"


def _standing_in_words(row: Mapping[str, Any]) -> str:
    axes = [row[name] for name in ("validity", "relevance", "utility", "source")]
    return ", ".join(axes) if row["validity"] else _NOT_CLASSIFIED


def _link_in_words(row: Mapping[str, Any], link: Mapping[str, Any]) -> str:
    is_away = link["source"] == row["id"]
    direction = f"{link['type']} {link['target']}" if is_away else f"{link['source']} {link['type']} it"
    because = f" ({link['reason']})" if link["stated"] and link["reason"] else ""
    return f"{direction}: {link['text'] or _NOT_THERE}{because}"


def _event_in_words(row: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    about = f" [{event['id']}]" if event["id"] != row["id"] else ""
    line = f"{event['date'][:16].replace('T', ' ')}  {event['what']}{about}"
    return f"{line}\n  {event['text']}" if event["text"] else line


def _conflict_in_words(conflict: Mapping[str, Any]) -> str:
    outcome = f"resolved, {conflict['winner'] or 'both'} kept" if conflict["resolved"] else "unresolved"
    return f"{conflict['id']}  {outcome}\n  with {conflict['with']}: {conflict['text'] or _NOT_THERE}"


#: What is shown of one memory: its text, its fields, its links, its timeline and its conflicts.
_FIELDS = (
    Column("", "text", "bold"),
    ID,
    Column("area", "area"),
    Column("status", _standing_in_words),
    Column("because", lambda row: "; ".join(row["why"]) + (f" (rule {row['rule']})" if row["rule"] else "")),
    Column("said", lambda row: f"{row['said_at']}, recalled {row['shown']} times since"),
    Column("tags", lambda row: ", ".join(row["tags"])),
    Column("replaced by", "replaced_by"),
    Column("outdated", lambda row: "; ".join(row["outdated_parts"])),
    Column("type", "type"),
    Column("quality", _figures_in_words),
    Column("content", lambda row: row["content"] and content_in_words(row["content"])),
    Column("errors", lambda row: "; ".join(row["quality"]["validationErrors"])),
    Column("proof", lambda row: row["proof"] and f'"{row["proof"]}"'),
    Column("undo", "undo", is_whole=True),
    Column("links", lambda row: "\n".join(_link_in_words(row, link) for link in row["relationships"])),
    Column("timeline", lambda row: "\n".join(_event_in_words(row, event) for event in row["timeline"])),
    Column("conflicts", lambda row: "\n".join(map(_conflict_in_words, row["conflicts"]))),
)


def _run_rules(options: Options) -> int:
    only_one({"--leave-out": options.leave_out, "--put-in": options.put_in}, is_required=False)
    if asked := options.leave_out or options.put_in:
        memory_id, is_on = find_id(options.folder, read_documents(options.folder)[0], asked), options.leave_out is None
        change = f"{memory_id} {{}} be {'put into' if is_on else 'left out of'} the standing rules"
        return order(options, SwitchRule(memories=(memory_id,), is_on=is_on), change)
    left_out, rules = rules_left_out(Inbox(options.folder).read()), find_rules(read_memories(options.folder))
    rows = [{"id": rule.id, "text": rule.text, "shown": rule.id not in left_out} for rule in rules]
    show_rows(options, rows, (ID, TEXT, Column("in prompts", lambda row: "yes" if row["shown"] else "left out")))
    return DONE


def _run_history(options: Options) -> None:
    with waiting("reading the memories"):
        archive = open_place(options).archive()
    texts = watched(archive.texts, "looking through the memories", len([*archive.texts]))
    beliefs = find_beliefs(replace(archive, texts=texts), " ".join(options.query))
    if options.at is not None:
        beliefs = believed_at(beliefs, options.at)
    retired = retirements(read_lines_if_any(options.folder / JOURNAL_FILE))
    show_rows(options, (_belief_row(belief, retired) for belief in beliefs), _BELIEFS)


def _belief_row(belief: Belief, retired: Mapping[tuple[str, str], Line]) -> dict[str, object]:
    line = retired.get((belief.memory_id, belief.replaced_by or ""))
    subject, slot = belief.about
    return {
        "subject": subject,
        "slot": slot,
        "id": belief.memory_id,
        "text": belief.text,
        "part": belief.part,
        "since": format_time(belief.since),
        "until": None if belief.until is None else format_time(belief.until),
        "source": belief.source.value,
        "validity": belief.validity.value,
        "replaced_by": belief.replaced_by,
        "rule": belief.rule,
        "what": None if line is None else tell_event(line),
    }


_BELIEFS = (
    Column("since", lambda row: row["since"][:10], "dim", is_whole=True),
    Column("until", lambda row: (row["until"] or "now")[:10], "dim", is_whole=True),
    Column("what was believed", lambda row: row["part"] or row["text"]),
    Column("said by", lambda row: SOURCE_WORDS[Source(row["source"])]),
    Column("rule", "rule", "dim"),
    Column("what happened", "what", "dim"),
)
