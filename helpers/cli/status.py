"""`status`: what waits to be done in a memory folder, what became of the latest requests, and how the folder stands."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..clock import format_time
from ..errors import shorten
from ..inbox import InboxRequest
from ..store.catalogue import without_content
from ..store.docstore_file import is_of_host, read_docstore
from ..store.requests import Inbox
from ..texts import counted
from .declaring import DONE, Options, declare
from .options import FOLDER, JSON, checked
from .output import is_for_person, say

_MOST_ANSWERS = 5
_LONGEST = 60
#: What each kind of request asks for.
WORDS: Final[Mapping[str, str]] = {
    "refresh": "confirm that it is still valid",
    "archive": "archive it as stale",
    "adopt": "retire what was proposed",
    "retire": "retire it",
    "protect": "protect it from maintenance",
    "standing-rule": "change whether it is a standing rule",
    "correct-source": "correct where it comes from",
    "take-back": "reverse the latest change",
    "readmit": "use it again",
    "decision": "resolve a conflict",
    "link": "link it to another",
    "unlink": "remove a link",
    "sign-anew": "sign all memories anew",
    "restore": "bring it back from the backup",
    "erase": "permanently delete it",
    "repair": "embed anew what has no vector of its own",
    "arrive": "take in memories of another folder",
    "leave": "let memories leave for another folder",
}


def _run_status(options: Options) -> int:
    found = read_status(options.folder)
    if is_for_person(options):
        for line in _lines(found):
            say(line, hang=len(line) - len(line.lstrip()) + 2)
    else:
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return DONE


def read_status(folder: Path) -> dict[str, Any]:
    """Return how a folder stands; nothing is changed. Raises StoreError where there is none."""
    from ..host.checks import compare_backup, count_secrets

    documents = read_docstore(checked(folder))[1]
    texts = {memory_id: one.page_content for memory_id, one in documents.items()}
    requests, backup = Inbox(folder).read(), compare_backup(folder)
    answered = sorted((request for request in requests if request.answer is not None), key=_answered_at, reverse=True)
    return {
        "folder": str(folder),
        "version": __version__,
        "agent_zero": is_of_host(folder),
        "memories": len(documents),
        "waiting": [_to_row(request, texts) for request in requests if request.answer is None],
        "answered": [_to_answer(one) for one in answered[:_MOST_ANSWERS]],
        "backup": None if backup is None else {"lost": len(backup.lost), "behind": len(backup.behind)},
        "possible_secrets": count_secrets(folder),
        "without_content": len(without_content(documents)),
    }


def _answered_at(one: InboxRequest) -> Any:
    assert one.answer is not None
    return one.answer.at, one.id


def _to_row(one: InboxRequest, texts: Mapping[str, str]) -> dict[str, Any]:
    memories = getattr(one.asked, "memories", ())
    about = [{"id": each, "text": shorten(texts[each], _LONGEST) if each in texts else None} for each in memories]
    return {**_name(one), "asked_at": format_time(one.at), "by": one.by, "memories": about}


def _name(one: InboxRequest) -> dict[str, Any]:
    return {"id": one.id, "kind": one.kind, "asks": WORDS[one.kind]}


def _to_answer(one: InboxRequest) -> dict[str, Any]:
    assert one.answer is not None
    answer = one.answer
    return {
        **_name(one),
        "at": format_time(answer.at),
        "outcome": answer.outcome.value,
        "words": answer.words,
        "problems": [*answer.problems],
    }


def _lines(found: Mapping[str, Any]) -> list[str]:
    whose = "of Agent Zero" if found["agent_zero"] else "stands alone"
    when = "Agent Zero's next turn" if found["agent_zero"] else "the next command that changes it"
    memories = counted(found["memories"], "memory", "memories")
    lines = [f"{found['folder']}: {memories}; {whose}; memory-ledger {found['version']}"]
    lines += [f"{counted(len(found['waiting']), 'request waits', 'requests wait')} for {when}"] * bool(found["waiting"])
    for one in found["waiting"]:
        lines.append(f"  {one['asks']} (asked {one['asked_at']} by {one['by'] or 'somebody'})")
        lines += [f"    {each['id']}: {each['text'] or 'not there'}" for each in one["memories"]]
    lines += [] if found["waiting"] else ["no request waits"]
    lines += [f"{one['outcome']} {one['at']}: {one['asks']}: {one['words']}" for one in found["answered"]]
    lines.append(_backup_line(found["backup"]))
    if found["possible_secrets"]:
        lines.append(f"{counted(found['possible_secrets'], 'memory', 'memories')} may hold a secret")
    if found["without_content"]:
        lines.append(f"{counted(found['without_content'], 'memory says', 'memories say')} nothing and are in no prompt")
    return lines


def _backup_line(backup: Mapping[str, int] | None) -> str:
    if backup is None:
        return "no backup"
    if not any(backup.values()):
        return "the backup holds every memory"
    return f"backup: {backup['lost']} not in the index, {backup['behind']} not in the backup yet"


COMMANDS = (declare("status", _run_status, FOLDER, JSON, examples=("memory-ledger status",), only_looks=True),)
