"""The page's door: a name and its arguments in, rows out; a failure becomes a sentence, never a traceback.

Without a name nothing is done: the host lets requests through whose body is empty (GET after the first POST).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from .door import find_fault
from .errors import RequestError, shorten
from .host import agent_zero
from .host.session import open_folder
from .service.arguments import ServiceError, parse_question
from .service.live import LivePlace
from .service.table import ACTS, Needs

_log = logging.getLogger(__name__)

_OFF = "Memory Ledger is switched off (enabled: false)."
_FAILED = "Memory Ledger could not do that; see the server log."


async def answer(question: object) -> dict[str, Any]:
    """Return the answer to a page's question, in plain JSON types; all work is done in a worker thread."""
    return await asyncio.to_thread(answer_now, question)


def answer_now(question: object) -> dict[str, Any]:
    """Return the answer to a page's question; blocking."""
    try:
        return {"ok": True, **_ask(question)}
    except (ServiceError, RequestError) as exc:
        return {"ok": False, "error": str(exc)}
    except Exception:  # noqa: BLE001 - the last stop before the host, which would show the whole traceback
        _log.exception("a page's question was not answered")
        return {"ok": False, "error": _FAILED}


def _ask(question: object) -> dict[str, Any]:
    name = question.get("name") if isinstance(question, Mapping) else None
    act = ACTS.get(name) if isinstance(name, str) else None
    if not isinstance(question, Mapping) or act is None:
        group = str(name).partition(".")[0] if isinstance(name, str) else ""
        known = [act_name for act_name in ACTS if act_name.startswith(f"{group}.")] or [*ACTS]
        raise ServiceError(f"name is {shorten(name) if name else 'missing'}; allowed: {', '.join(known)}")
    if fault := find_fault(question, "what is asked", is_own=True):
        raise ServiceError(str(fault))
    asked = parse_question(act.arguments, {key: value for key, value in question.items() if key != "name"})
    arguments = (act.fixed, asked) if act.fixed else (asked,)
    if act.needs == Needs.NOTHING:
        return act.run(*arguments)
    folders = agent_zero.memory_folders()
    if asked.folder not in folders:
        raise ServiceError(
            f"folder is {shorten(asked.folder)}; allowed: the name of a memory folder of this Agent Zero"
        )
    folder = open_folder(asked.folder)
    if folder is None:
        raise ServiceError(_OFF)
    place = LivePlace(folder) if act.needs == Needs.FOLDER else folder
    return {"folder": asked.folder, "folders": folders, **act.run(place, *arguments)}
