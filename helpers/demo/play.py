"""Play a written conversation on the embedded host and return, scene by scene, what happened.

The clock is the conversation's own and ids are counted, so two plays of one script with one embedder are equal.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..clock import EPOCH
from ..ledger.changes import Contest, Supersede
from ..recall.eligibility import suppression
from ..records import Memory
from .process import Chat, ChatTopic, Message, Process
from .script import Exchange, MemorizerNote, Restart, Script

FOLDER_NAME = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A memory that arrived, and the reasons for its classification; `turn` is the turn that it is about."""

    memory: Memory
    why: dict[str, str]
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """A memory that enters the prompt of the bare host, of the pack, of both, or of neither under the present role.

    `reason` is why the pack leaves it out; `is_suppressed`: it belongs to another role's domain.
    """

    memory: Memory
    by_host: bool
    by_pack: bool
    is_suppressed: bool = False
    reason: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the bare host tells what was retired."""
        return self.by_host and self.memory.is_deprecated


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """The effects of an exchange, in the order of the fields."""

    number: int
    exchange: Exchange
    remembered: tuple[Remembered, ...]
    changes: tuple[Supersede | Contest, ...]
    prompt: tuple[Injected, ...]
    confirmed: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartReport:
    """The memories that the new process has read; accesses are counted before and after the restart."""

    restart: Restart
    memories: tuple[Memory, ...]
    accesses_before: int
    accesses_after: int


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """All turns of a conversation, and the memories at its end."""

    turns: tuple[TurnReport, ...]
    memories: dict[str, Memory]

    @property
    def wrong(self) -> Counter[str]:
        """The number of times that the bare host tells each retired memory, by id."""
        return Counter(entry.memory.id for turn in self.turns for entry in turn.prompt if entry.is_wrong)

    @property
    def prompts_with_wrong(self) -> int:
        """The number of the bare host's prompts that tell a retired memory."""
        return sum(any(entry.is_wrong for entry in turn.prompt) for turn in self.turns)

    @property
    def wrong_by_pack(self) -> int:
        """The number of times that the pack tells a retired memory."""
        return sum(entry.by_pack and entry.memory.is_deprecated for turn in self.turns for entry in turn.prompt)

    @property
    def retired(self) -> list[Memory]:
        """The memories out of use, the oldest first."""
        return [memory for memory in self.memories.values() if memory.is_deprecated]


class Player:
    """Plays one script in a folder."""

    def __init__(self, script: Script, embedder: Any, folder: Path) -> None:
        self._script, self._embedder, self._folder = script, embedder, folder / FOLDER_NAME
        self._folder.mkdir(parents=True, exist_ok=True)
        self._now = EPOCH
        self._ids = (f"m{number:02}" for number in itertools.count(1))
        self._chats: dict[str, Chat] = {}
        #: The notes on their way into the store: the turn that they are about, and the turn in which they arrive.
        self._due: list[tuple[MemorizerNote, int, int]] = []
        self._turn_of: dict[str, int] = {}
        self._turns: list[TurnReport] = []
        self._process = self._start()

    def play(self) -> Iterator[TurnReport | RestartReport]:
        """Yield the scenes; the process is stopped at the end."""
        for scene in self._script.scenes:
            self._now = scene.at
            if isinstance(scene, Restart):
                yield self._restart(scene)
            else:
                self._turns.append(self._exchange(scene, len(self._turns) + 1))
                yield self._turns[-1]
        self._process.stop()

    def outcome(self) -> PlayOutcome:
        """Return what happened so far."""
        return PlayOutcome(tuple(self._turns), self._memories())

    def _start(self) -> Process:
        roles, ids = self._script.roles, self._ids
        return Process(self._folder, self._embedder, roles, clock=lambda: self._now, make_id=ids.__next__)

    def _restart(self, scene: Restart) -> RestartReport:
        """End the process and begin another; a note that has just been written is on disk, and no hook has seen it."""
        self._deliver(len(self._turns) + 1)
        before = self._accesses()
        self._process.stop(is_crash=scene.is_crash)
        self._process = self._start()
        return RestartReport(
            restart=scene,
            memories=tuple(self._memories().values()),
            accesses_before=before,
            accesses_after=self._accesses(),
        )

    def _exchange(self, exchange: Exchange, number: int) -> TurnReport:
        """Play a turn, in the order in which the host calls the hooks."""
        process, chat = self._process, self._chats.setdefault(exchange.chat, Chat(exchange.chat, self._now))
        messages = [Message(ai=False, content={"user_message": exchange.says})]
        chat.topics.append(ChatTopic(messages))
        self._deliver(number)
        process.note_turn(chat, exchange)
        adoption = process.adopt()
        prompt = self._compare(process.recall_bare(chat), exchange)
        if exchange.tool:
            messages.append(Message(False, {"tool_name": exchange.tool, "tool_result": exchange.tool_result}))
        answer = {"tool_name": "response", "tool_args": {"text": exchange.answers}}
        messages.append(Message(True, json.dumps(answer)))
        process.note_turn(chat, exchange)
        changes = [*adoption.changes, *process.adopt().changes]
        confirmed = process.confirm()
        process.save()
        self._due += [(note, number, number + note.turns_later) for note in exchange.notes]
        return TurnReport(
            number=number,
            exchange=exchange,
            remembered=tuple(
                Remembered(memory=self._read(change.memory_id), why=change.why, turn=self._turn_of[change.memory_id])
                for change in adoption.classified
            ),
            changes=tuple(change for change in changes if isinstance(change, Supersede | Contest)),
            prompt=prompt,
            confirmed=tuple(self._read(change.memory_id) for change in confirmed),
        )

    def _deliver(self, number: int) -> None:
        """Deliver the memorizers' notes that arrive in a turn."""
        for note, turn, arrives in self._due:
            if arrives <= number:
                self._turn_of[self._process.memorize(note.text, note.area)] = turn
        self._due = [due for due in self._due if due[2] > number]

    def _compare(self, by_host: list[str], exchange: Exchange) -> tuple[Injected, ...]:
        """Return the memories of both prompts: the pack's in its order, then those that it leaves out."""
        selection = self._process.recall(exchange, exchange.role)
        without_role = self._process.recall(exchange, None).ids
        reasons = {candidate.memory.id: reason for candidate, reason in selection.left_out}
        self._process.store.count_recall(selection.ids)
        taken = [Injected(memory=self._read(name), by_host=name in by_host, by_pack=True) for name in selection.ids]
        left = [
            self._left_out(memory_id, memory_id in by_host, exchange, reasons.get(memory_id, "not among the best"))
            for memory_id in dict.fromkeys([*by_host, *without_role])
            if memory_id not in selection.ids
        ]
        return (*taken, *(injected for injected in left if injected.by_host or injected.is_suppressed))

    def _left_out(self, memory_id: str, by_host: bool, exchange: Exchange, weakness: str) -> Injected:
        memory = self._read(memory_id)
        suppressed = suppression(memory, self._process.sees(exchange.role), self._process.domains_of)
        winner = memory.lineage.superseded_by if memory.is_deprecated and memory.lineage is not None else None
        return Injected(
            memory=memory,
            by_host=by_host,
            by_pack=False,
            is_suppressed=suppressed is not None and not memory.is_deprecated,
            reason=f"retired, replaced by {winner}" if winner else suppressed or weakness,
        )

    def _accesses(self) -> int:
        lineages = (memory.lineage for memory in self._memories().values())
        return sum(lineage.access_count for lineage in lineages if lineage is not None)

    def _memories(self) -> dict[str, Memory]:
        return {memory_id: self._read(memory_id) for memory_id in self._process.store.db.get_all_docs()}

    def _read(self, memory_id: str) -> Memory:
        memory = self._process.store.read(memory_id)
        if memory is None:
            raise KeyError(f"memory {memory_id} is not in the store; nothing deletes in this conversation")
        return memory
