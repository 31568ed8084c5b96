"""A stand-in for a running Agent Zero: what dies with the process, and the host's own recall beside the pack's.

The pack's side takes the path of the hooks (`host.hooks`): note the turn, adopt new memories, recall, note the answer,
adopt again, confirm, save.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from ..clock import Clock
from ..host.adoption.adopter import Adopter, Adoption
from ..host.recall.search import Audience, recall
from ..host.turns import KeptTurns, Turn, TurnRing
from ..ledger.changes import Confirm
from ..ledger.classify import Circumstances
from ..recall.plan import RecallLimits, make_plan
from ..recall.selection import Selection
from ..settings import Settings
from ..store.docstore import Store
from ..store.embedded import EmbeddedMemory
from .script import Exchange

# The limits of the host's own recall: characters of the history, nearest memories, areas with the number shown of each.
_HISTORY_CHARACTERS = 10_000
_NEAREST = 20
_HOST = RecallLimits()
_HOST_SEARCHES = ((("main", "fragments"), _HOST.searched_memories, 5), (("solutions",), _HOST.searched_solutions, 3))
_GREETING = {
    "thoughts": ["A new conversation begins, I should greet the user and say that I am ready to help."],
    "headline": "Greeting user and starting conversation",
    "tool_name": "response",
    "tool_args": {"text": "Hello! I'm Agent Zero, your AI assistant. How can I help you today?"},
}


@dataclass(frozen=True, slots=True)
class Message:
    """An entry of the host's history, in its form."""

    ai: bool
    content: Any

    def __str__(self) -> str:
        text = self.content if isinstance(self.content, str) else json.dumps(self.content, ensure_ascii=False)
        return f"{'ai' if self.ai else 'user'}: {text}"


@dataclass(slots=True, weakref_slot=True, eq=False)
class ChatTopic:
    """An exchange: a message of the person, and its answer."""

    messages: list[Message]


@dataclass(slots=True, eq=False)
class Chat:
    """A chat of the person, and its beginning. The host keeps chats on disk, so they outlive the process."""

    name: str
    began_at: datetime
    topics: list[ChatTopic] = field(default_factory=list)

    def history_text(self) -> str:
        """Return the chat as the host passes it to its own recall."""
        messages = [message for topic in self.topics for message in topic.messages]
        return "\n".join(map(str, [Message(True, _GREETING), *messages]))


class Process:
    """A run of the host over a memory folder; a restart makes a new one. `roles` have the domains that they handle."""

    def __init__(
        self,
        folder: Path,
        embedder: Any,
        roles: Mapping[str, frozenset[str]],
        *,
        clock: Clock,
        make_id: Callable[[], str],
    ) -> None:
        self._embedder, self._roles, self._settings = embedder, roles, Settings()
        self._memory = EmbeddedMemory(folder, embedder, clock=clock, make_id=make_id)
        self.store = Store(self._memory, folder=folder, clock=clock)
        self._turns = TurnRing(self._settings.turn_window, self.store.order)
        self._kept_turns = KeptTurns(self.store.database, self._turns)
        self._kept_turns.load()
        self._adopter = Adopter(self.store, self._turns)
        self._seen_chats: list[Chat] = []

    def memorize(self, text: str, area: str) -> str:
        """Insert a memorizer's note and save, as the host does; return the id."""
        memory_id = self._memory.insert(text, {"area": area})
        self._memory.save()
        return memory_id

    def recall_bare(self, chat: Chat) -> list[str]:
        """Return the ids that the host by itself would put into the prompt for the latest message.

        It searches with the message and the history, of which the embedder sees 256 tokens, and filters by area only
        after the 20 nearest of all areas.
        """
        query = f"{chat.topics[-1].messages[0]}\n\n{chat.history_text()[-_HISTORY_CHARACTERS:]}"
        recalled_ids: list[str] = []
        for areas, searched, shown in _HOST_SEARCHES:
            hits = self._memory.db.similarity_search_with_relevance_scores(
                query, k=searched, fetch_k=_NEAREST, filter=lambda metadata, areas=areas: metadata["area"] in areas
            )
            recalled_ids += [hit.metadata["id"] for hit, score in hits if float(score) >= _HOST.threshold][:shown]
        return recalled_ids

    def stop(self, *, is_crash: bool = False) -> None:
        """End the process: an orderly end saves, a crash does not."""
        if not is_crash:
            self.store.save()
        self._memory.close()

    def note_turn(self, chat: Chat, exchange: Exchange) -> None:
        """Record the newest turn; in a chat new to this process, also the earlier ones."""
        if chat not in self._seen_chats:
            self._seen_chats.append(chat)
            earlier = [self._turn(chat, topic, Circumstances()) for topic in chat.topics[:-1]]
            self._turns.take_up(earlier, chat.began_at, self.store.clock())
        circumstances = Circumstances(role_id=exchange.role, domain=exchange.domain)
        self._turns.note(self._turn(chat, chat.topics[-1], circumstances), self.store.clock())

    @staticmethod
    def _turn(chat: Chat, topic: ChatTopic, circumstances: Circumstances) -> Turn:
        return Turn(topic, tuple(topic.messages), True, circumstances, chat.name)

    def adopt(self) -> Adoption:
        """Adopt the new memories."""
        return self._adopter.run(self._settings, limit=100)

    def confirm(self) -> list[Confirm]:
        """Confirm the memories that the person has just agreed with."""
        return self._adopter.confirm_recent() if self._turns.ends_in_agreement() else []

    def recall(self, exchange: Exchange, role: str | None) -> Selection:
        """Return the pack's selection for a message under a role; changes nothing."""
        limits = RecallLimits(injected=self._settings.max_injected_memories)
        plan = make_plan(exchange.says, self._settings, self.store.clock(), limits=limits, domain=exchange.domain)
        texts = [variant.text for variant in plan.variants]
        vectors = np.asarray(self._embedder.embed_documents(texts), dtype=np.float32)
        return recall(self.store, vectors, plan, Audience(allowed=self.sees(role), role_domains=self.domains_of))

    def sees(self, role: str | None) -> frozenset[str] | None:
        """Return the domains of a role; None without one, which sees all."""
        return None if role is None else self._roles[role]

    def domains_of(self, role: str) -> frozenset[str]:
        """Return the domains that a role handles; none for an unknown role."""
        return self._roles.get(role, frozenset())

    def save(self) -> None:
        """Save as at the end of every turn: the index if a status changed, the counters always."""
        if not self.store.save():
            self.store.save_state()
        self._kept_turns.save()
