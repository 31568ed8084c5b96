"""Look after a memory folder: its counts, requests and faults; maintain, accept proposals, strip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .. import __version__
from ..clock import format_time, system_clock
from ..errors import shorten
from ..host.installation import strip_metadata
from ..inbox import Adopt, InboxAnswer, InboxRequest
from ..language.tables import read_table
from ..service.inbox import kept_in_use
from ..store import proposals
from ..store.catalogue import PLACES, read_entries, without_content
from ..store.conflicts import ConflictFile
from ..store.database import Database
from ..store.docstore_file import is_of_host, read_docstore, read_documents
from ..store.files import file_stamp, files_below
from ..store.proposals import count_proposals
from ..store.requests import Inbox
from ..store.tables import find_state
from ..store.vault_file import VaultFile
from ..texts import count_memories, counted
from .declaring import DONE, PROBLEMS, Options, only_one, tell
from .looking import complete
from .options import checked, order, read_folder_settings, waiting_requests
from .output import Column, Row, is_for_person, note, progress, show_object, show_rows, write_json
from .saved import open_place

if TYPE_CHECKING:
    pass

_COUNTED = ("validity", "source", "utility", "relevance", "area")
_NOT_YET = "not classified yet"
_MEGABYTE = 1_000_000


def _run_stats(options: Options) -> None:
    """Print the counts of a folder as it is on disk."""
    folder: Path = options.folder
    entries = read_entries(*read_documents(folder))
    counts = {name: Counter(map(itemgetter(PLACES[name]), entries)) for name in _COUNTED}
    unresolved = ConflictFile(folder).get_conflicts(unresolved=True)
    state = find_state(folder)
    stats = {
        "memories": len(entries),
        **{name: {kind or _NOT_YET: count for kind, count in kinds.most_common()} for name, kinds in counts.items()},
        "conflicts": sum(not conflict.is_possible for conflict in unresolved),
        "possible_conflicts": sum(conflict.is_possible for conflict in unresolved),
        "proposals": count_proposals(Database(folder)),
        "waiting_requests": len(waiting_requests(folder)),
        "vault_records": len(VaultFile(folder).read().active),
        "turns": state.loop_count,
        "turns_since_maintenance": max(0, state.loop_count - state.maintained_at_loop),
    }
    size = sum(stamp[1] for path in files_below(folder) if (stamp := file_stamp(path)))
    if not is_for_person(options):
        write_json({**stats, "bytes": size})
        return
    groups = {name: value if isinstance(value, dict) else {"": value} for name, value in stats.items()}
    rows = [
        (name.replace("_", " "), kind, f"{count:,}") for name, kinds in groups.items() for kind, count in kinds.items()
    ]
    rows.append(("size on disk", "", f"{size / _MEGABYTE:,.1f} MB"))
    show_rows(options, [dict(zip(("what", "kind", "count"), row, strict=True)) for row in rows], _COUNTS)


_COUNTS = (Column("what", "what", "bold"), Column("", "kind"), Column("", "count"))


_MOST_ANSWERS = 5
_LONGEST = 60
#: The wish of each kind of request.
WORDS: Final[Mapping[str, str]] = read_table(__file__, "requests")


def _run_status(options: Options) -> None:
    """Print the state of a folder; nothing is changed."""
    from ..host.checks import compare_backup, count_secrets

    folder = checked(options.folder)
    documents = read_docstore(folder)[1]
    texts = {memory_id: document.page_content for memory_id, document in documents.items()}
    requests, backup = Inbox(folder).read(), compare_backup(folder)
    answered = [(request.answer, request) for request in requests if request.answer is not None]
    answered.sort(key=lambda pair: (pair[0].at, pair[1].id), reverse=True)
    status = {
        "folder": str(folder),
        "version": __version__,
        "agent_zero": is_of_host(folder),
        "memories": len(documents),
        "waiting": [_to_row(request, texts) for request in requests if request.answer is None],
        "answered": [_to_answer(request, answer) for answer, request in answered[:_MOST_ANSWERS]],
        "backup": None if backup is None else {"lost": len(backup.lost), "behind": len(backup.behind)},
        "possible_secrets": count_secrets(folder),
        "without_content": len(without_content(documents)),
    }
    show_object(options, status, (Column("", _status_in_words),))


def _to_row(request: InboxRequest, texts: Mapping[str, str]) -> dict[str, Any]:
    about = [
        {"id": memory_id, "text": shorten(texts[memory_id], _LONGEST) if memory_id in texts else None}
        for memory_id in getattr(request.asked, "memories", ())
    ]
    return {**_name(request), "asked_at": format_time(request.at), "by": request.by, "memories": about}


def _name(request: InboxRequest) -> dict[str, Any]:
    return {"id": request.id, "kind": request.kind, "asks": WORDS[request.kind]}


def _to_answer(request: InboxRequest, answer: InboxAnswer) -> dict[str, Any]:
    return {**_name(request), **answer.model_dump(mode="json"), "at": format_time(answer.at)}


_GAPS = {"lost": "not in the index", "behind": "not in the backup yet"}


def _status_in_words(status: Row) -> str:
    owner = "of Agent Zero" if status["agent_zero"] else "stands alone"
    when = "Agent Zero's next turn" if status["agent_zero"] else "the next command that changes it"
    waiting = counted(len(status["waiting"]), "request waits", "requests wait")
    lines = [f"{status['folder']}: {count_memories(status['memories'])}; {owner}; memory-ledger {status['version']}"]
    lines.append(f"{waiting} for {when}" if status["waiting"] else "no request waits")
    for request in status["waiting"]:
        lines.append(f"  {request['asks']} (asked {request['asked_at']} by {request['by'] or 'somebody'})")
        lines += [f"    {memory['id']}: {memory['text'] or 'not there'}" for memory in request["memories"]]
    lines += ["{outcome} {at}: {asks}: {words}".format_map(request) for request in status["answered"]]
    backup = status["backup"]
    gaps = [f"{backup[name]} {words}" for name, words in _GAPS.items() if backup and backup[name]]
    lines.append("no backup" if backup is None else f"backup: {', '.join(gaps) or 'holds every memory'}")
    if status["possible_secrets"]:
        lines.append(f"{count_memories(status['possible_secrets'])} may hold a secret")
    if status["without_content"]:
        lines.append(f"without content, and in no prompt: {count_memories(status['without_content'])}")
    return "\n".join(lines)


_LEVELS = {"ok": "fine", "warn": "look", "fail": "WRONG"}
#: The width of the words for the levels.
_MARGIN = 7
_FINDING = (
    Column("", lambda row: f"{_LEVELS[row['level']]:<{_MARGIN}}{row['text']}"),
    Column("", lambda row: row["command"] and f"{'':{_MARGIN}}{row['command']}", is_whole=True),
)


def _run_doctor(options: Options) -> int:
    from ..host.checks import FAIL, WARN, check_folder

    folder: Path = options.folder
    findings = [*check_folder(folder, read_folder_settings(folder, options.config), system_clock)]
    rows: list[Row] = [{"about": "folder", **finding._asdict()} for finding in findings]
    if is_of_host(folder):
        rows += _installation(folder)
    for row in rows:
        show_object(options, row, _FINDING)
    wrong, questionable = (sum(row["level"] == level for row in rows) for level in (FAIL, WARN))
    worth_a_look = f"; {counted(questionable, 'thing is', 'things are')} worth a look" if questionable else ""
    tell(f"{folder}: {counted(wrong, 'thing is', 'things are') if wrong else 'nothing is'} wrong{worth_a_look}")
    return PROBLEMS if wrong else DONE


def _installation(folder: Path) -> Iterator[Row]:
    """Yield the installer's findings about the Agent Zero that the folder belongs to, where both are there."""
    from ..host.installation import load_installer

    installer = load_installer()
    if installer is None:
        tell("the installation is not looked at: `python3 install.py doctor` in the plugin's folder does it")
        return
    for root in folder.absolute().parents:
        try:
            findings = installer.diagnose(installer.find_host(root))
        except installer.InstallError:
            continue
        yield from (
            {"about": "installation", "level": finding.level, "text": finding.text, "command": None}
            for finding in findings
        )
        return
    tell(f"no Agent Zero is above {folder}: no installation is looked at")


def _run_maintain(options: Options) -> int:
    """Print the changes of each stage: the number of memories, and their ids."""
    from ..host.alone import maintain_store, try_maintenance

    run = try_maintenance if options.dry_run else maintain_store
    settings = read_folder_settings(options.folder, options.config)
    with progress("reading the memories") as advance:

        def enter(stage: str) -> None:
            tell(stage)
            advance(0, work=stage)

        advance(0)
        report = run(options.folder, settings, clock=system_clock, tell=enter, progress=advance)
    for name, outcome in report.outcomes.items():
        show_object(options, {"stage": name, "counts": outcome.counts, "ids": outcome.ids}, (_stage(name),))
    for name, failure in report.failures.items():
        tell(f"{name} failed: {type(failure).__name__}: {failure}")
    tell("nothing was changed" if options.dry_run else report.summary())
    return PROBLEMS if report.failures else DONE


def _stage(name: str) -> Column:
    """Return the field with the changes of a stage, its memories below them."""

    def show(row: Row) -> str:
        counts = [f"{count:,} {action}" for action, count in row["counts"].items() if count]
        return "\n".join(
            [", ".join(counts) or "nothing", *(f"{action}: {', '.join(ids)}" for action, ids in row["ids"].items())]
        )

    return Column(name, show)


def _run_adopt(options: Options) -> int:
    only_one({"--report": options.report, "--accept": options.accept})
    proposed = proposals.read_proposals(Database(options.folder))
    excluded = [complete(prefix, (proposal.loser for proposal in proposed)) for prefix in options.excluded]
    chosen = proposals.choose_proposals(Database(options.folder), excluded=excluded)
    kept = kept_in_use(open_place(options)).union(excluded)
    losers = [loser for loser in chosen if loser not in kept]
    if options.report:
        shown = [proposal for proposal in proposed if proposal.loser not in kept]
        rows = ({key: value for key, value in asdict(proposal).items() if key != "accepted_at"} for proposal in shown)
        show_rows(options, rows, _COLUMNS)
        note(f"{count_memories(len(shown))} would be retired; nothing is until you accept it")
        return DONE
    asked = Adopt(memories=tuple(losers), excluded=tuple(sorted(kept)))
    return order(options, asked, f"{count_memories(len(losers))} {{}} be retired")


def _run_strip(options: Options) -> None:
    touched, total = strip_metadata(options.folder, only_pointers=options.pointers_only, is_dry_run=options.dry_run)
    removed, verb = (
        ("the links to other memories", "were") if options.pointers_only else ("the ledger's metadata", "was")
    )
    done = "would be" if options.dry_run else verb
    print(f"{options.folder}: {removed} {done} removed from {touched} of {count_memories(total)}")


def _reasons(row: Row) -> str:
    because = f"because of: {row['winner_text']}\n" if row["winner"] else ""
    return f"{because}why: {'; '.join(row['reasons'])}"


_COLUMNS = (Column("id", "loser", "bold", is_whole=True), Column("would be retired", "loser_text", note=_reasons))
