"""The quality interface over the memory folder that an agent works in (Q-43 ... Q-55)."""

from __future__ import annotations

from ...clock import Clock, system_clock
from .. import agent_zero
from ..host_agent import HostAgent
from ..session import Session, open_session
from .quality_store import QualityStore
from .service import QualityService


async def open_agent_quality(agent: HostAgent, *, clock: Clock = system_clock) -> QualityStore | None:
    """Return the quality store of an agent's folder, as it is now; None while the pack is switched off.

    It shares everything with the hooks, and the host saves what it changes at the end of the turn.
    """
    session = await open_session(agent, clock=clock)
    return None if session is None else open_session_quality(session)


def open_session_quality(session: Session) -> QualityStore:
    """Return the quality store of the folder that a session is about."""
    folder = session.folder
    memory = agent_zero.memory_module().Memory(folder.store.db, folder.store.memory_subdir)
    return QualityStore(memory, QualityService(folder.store, folder.adopter, session.settings, folder.chain))
