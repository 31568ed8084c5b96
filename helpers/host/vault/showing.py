"""What happens before a prompt is built: the mirror is brought in step, the snapshot stands in the prompt (V-50, T-21).

A prompt before which nothing was written costs one stat call and a look at each record's document.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from ..recall.said import NOTHING_SAID, make_said, remember_said
from ..session import Session, report_problems

_log = logging.getLogger(__name__)

#: So many records are embedded while a prompt waits; more of them are left to a thread.
_EMBEDDED_AT_ONCE = 8


async def show_vault(session: Session, system_prompt: list[str]) -> None:
    """Append the snapshot to the system prompt, and remember what it says for recall and for echoes (T-68)."""
    vault, store, settings = session.folder.vault, session.folder.store, session.settings.vault
    said = NOTHING_SAID
    if settings.enabled:
        await keep_mirror(session)
        snapshot = vault.snapshot(settings, session.vault_scopes)
        if snapshot.text:
            system_prompt.append(snapshot.text)
            said = make_said((one.id, one.text) for one in snapshot.records)
            store.injected.note(session.agent.history.current, said.ids)
    if vault.has_changed():
        await asyncio.to_thread(vault.look_for_lost)
    remember_said(session.agent, store, said)
    report_problems(session.agent, "things about the vault", vault.take_problems())


async def keep_mirror(session: Session) -> None:
    """Bring the mirror in step, off the event loop; a prompt waits for a few records and not for many."""
    mirror = session.folder.vault.mirror
    found = mirror.differences()
    if not found:
        return
    work = asyncio.get_running_loop().run_in_executor(None, mirror.run)
    if len(found.embed) > _EMBEDDED_AT_ONCE:
        work.add_done_callback(_log_failure)
    else:
        await work


def _log_failure(work: Any) -> None:
    if not work.cancelled() and work.exception() is not None:
        _log.error("the vault was not mirrored; it is tried again at the next prompt", exc_info=work.exception())
