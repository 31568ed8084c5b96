"""What happens before a prompt is built: what agents have learned together stands in it (M-20, M-51, T-21)."""

from __future__ import annotations

from .. import agent_zero
from ..session import Session


async def show_knowledge(session: Session, system_prompt: list[str]) -> None:
    """Append the section to the system prompt; tell once where the place of knowledge is away."""
    settings = session.settings
    if not settings.knowledge.enabled:
        return
    desk = session.folder.knowledge
    section = await desk.section(settings, agent_zero.count_tokens)
    if section:
        system_prompt.append(section)
    notice = desk.open(settings.knowledge).cache.take_notice()
    if notice is not None:
        session.agent.context.log.log(
            type="warning", heading="Memory Ledger: institutional knowledge is unreachable", content=notice
        )
