"""What the chats of one memory folder share of institutional knowledge: its open place, and its section of the prompt.

It hangs on the folder of a session, and so lives as long as the host's own index object.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...clock import Clock
from ...knowledge.prompting import knowledge_prompt
from ...setting_groups import Knowledge
from ...settings import Settings
from ...texts import estimate_tokens
from .agent_file import AgentFile
from .opening import OpenKnowledge, open_knowledge


class KnowledgeService:
    """`home` is the user's folder of Agent Zero, `own_folder` the pack's beside the memory folders."""

    def __init__(self, home: Path, own_folder: Path, clock: Clock) -> None:
        self.home, self.own_folder, self.clock = home, own_folder, clock
        self.memory = AgentFile(own_folder)
        #: Until when no chain's end is distilled, by the monotonic clock; the next one brings everything.
        self.rests_until = 0.0
        self._opened: tuple[Knowledge, OpenKnowledge] | None = None
        self._shown: tuple[OpenKnowledge, int, int] | None = None
        self._section = ""

    def open(self, settings: Knowledge) -> OpenKnowledge:
        """Return the place that the settings name; another one when they change."""
        if self._opened is None or self._opened[0] != settings:
            self._opened = (
                settings,
                open_knowledge(settings, home=self.home, clock=self.clock),
            )
        return self._opened[1]

    async def section(self, settings: Settings, count_tokens: Callable[[str], int] = estimate_tokens) -> str:
        """Return what is included in every prompt; made anew, and counted, when a file has changed (M-52, T-40)."""
        opened, limit = self.open(settings.knowledge), settings.distillation.token_limit
        snapshot = await opened.cache.current()
        wanted = (opened, snapshot.generation, limit)
        if wanted != self._shown:
            self._section = knowledge_prompt(snapshot.texts, token_limit=limit, count_tokens=count_tokens)
            self._shown = wanted
        return self._section
