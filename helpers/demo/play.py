"""Play a written conversation on the embedded host and return, scene by scene, what happened.

The clock is the conversation's own and ids are counted, so two plays of one script with one embedder are equal. Prints
nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ..clock import EPOCH
from ..ledger.changes import Change, Classify, Contest, Supersede
from ..recall.eligibility import suppression
from ..records import Classification, Memory, Validity
from ..settings import Settings
from .process import Chat, ChatTopic, Process, agent_message, person_message, tool_message
from .script import Exchange, MemorizerNote, Restart, Script

FOLDER_NAME = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A memory that arrived, its classification and the reasons; `turn` is the turn that it is about."""

    memory: Memory
    classification: Classification
    why: dict[str, str]
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """`loser` was retired in favour of `winner`."""

    loser: Memory
    winner: Memory
    rule: str
    reasons: tuple[str, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """The effects of an exchange, in the order of the fields."""

    number: int
    exchange: Exchange
    remembered: tuple[Remembered, ...]
    retired: tuple[Retired, ...]
    contested: tuple[Contest, ...]
    prompt: tuple[Injected, ...]
    confirmed: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartReport:
    """The new process's view of the disk; accesses are counted before and after the restart."""

    restart: Restart
    memories: int
    retired: int
    unclassified: int
    accesses_before: int
    accesses_after: int


@dataclass(slots=True)
class DemoFigures:
    """The outcome in numbers; prompts and injections are counted over the whole conversation."""

    memories: int = 0
    by_validity: dict[Validity, int] = field(default_factory=dict)
    confirmed: int = 0
    prompts: int = 0
    outdated_by_host: int = 0
    prompts_with_outdated: int = 0
    outdated_by_pack: int = 0
    kept_from_other_roles: int = 0


@dataclass(slots=True)
class _Due:
    """A memorizer's note on its way into the store."""

    note: MemorizerNote
    turn: int
    arrives_in: int


class Player:
    """Plays one script; `figures` grow while `play` runs."""

    def __init__(self, script: Script, embedder: Any, folder: Path, settings: Settings) -> None:
        self.figures = DemoFigures()
        self._script = script
        self._embedder = embedder
        self._folder = folder / FOLDER_NAME
        self._settings = settings
        self._now = EPOCH
        self._ids = (f"m{number:02}" for number in itertools.count(1))
        self._chats: dict[str, Chat] = {}
        self._due: list[_Due] = []
        self._turn_of: dict[str, int] = {}
        self._process = self._start()

    def play(self) -> Iterator[TurnReport | RestartReport]:
        """Yield the scenes; the process is stopped at the end."""
        number = 0
        for scene in self._script.scenes:
            self._now = scene.at
            if isinstance(scene, Restart):
                yield self._restart(scene)
                continue
            number += 1
            yield self._exchange(number, scene)
        self._count_status()
        self._process.stop(is_crash=False)

    def retired(self) -> list[Memory]:
        """Return the retired memories, oldest first, as they stand in the store."""
        return [memory for memory in self._memories() if memory.is_deprecated]

    def _start(self) -> Process:
        self._folder.mkdir(parents=True, exist_ok=True)
        return Process(
            self._folder,
            self._embedder,
            self._settings,
            self._script.roles,
            clock=self._clock,
            make_id=self._ids.__next__,
        )

    def _clock(self) -> datetime:
        return self._now

    def _restart(self, scene: Restart) -> RestartReport:
        """End the process and begin another; a note that has just been written is on disk, and no hook has seen it."""
        self._deliver()
        before = self._accesses()
        self._process.stop(is_crash=scene.is_crash)
        self._process = self._start()
        memories = self._memories()
        return RestartReport(
            restart=scene,
            memories=len(memories),
            retired=sum(memory.is_deprecated for memory in memories),
            unclassified=sum(memory.classification is None for memory in memories),
            accesses_before=before,
            accesses_after=self._accesses(),
        )

    def _exchange(self, number: int, exchange: Exchange) -> TurnReport:
        """Play a turn, in the order in which the host calls the hooks."""
        process, chat = self._process, self._chats.setdefault(exchange.chat, Chat(exchange.chat, self._clock()))
        message = person_message(exchange.says)
        chat.topics.append(ChatTopic([message]))
        self._deliver()
        process.note_turn(chat, exchange)
        adoption = process.adopt()
        prompt = self._compare(process.recall_bare(chat, message), exchange)
        self._count_prompt(prompt)
        self._answer(chat, exchange)
        process.note_turn(chat, exchange)
        changes = [*adoption.changes, *process.adopt().changes]
        confirmed = process.confirm()
        process.save()
        self._due += [_Due(note, number, note.turns_later) for note in exchange.notes]
        self.figures.confirmed += len(confirmed)
        return TurnReport(
            number=number,
            exchange=exchange,
            remembered=tuple(self._remembered(classify) for classify in adoption.classified),
            retired=self._retired(changes),
            contested=tuple(change for change in changes if isinstance(change, Contest)),
            prompt=prompt,
            confirmed=tuple(self._read(confirm.memory_id) for confirm in confirmed),
        )

    def _answer(self, chat: Chat, exchange: Exchange) -> None:
        if exchange.tool_result is not None:
            chat.topics[-1].messages.append(tool_message(exchange.tool_result))
        chat.topics[-1].messages.append(agent_message(exchange.answers))

    def _deliver(self) -> None:
        """Deliver the memorizers' notes that are due."""
        for due in self._due:
            due.arrives_in -= 1
            if due.arrives_in == 0:
                self._turn_of[self._process.memorize(due.note.text, due.note.area)] = due.turn
        self._due = [due for due in self._due if due.arrives_in > 0]

    def _compare(self, by_host: list[str], exchange: Exchange) -> tuple[Injected, ...]:
        """Return the memories of both prompts: the pack's in its order, then those that it leaves out."""
        selection = self._process.recall(exchange, exchange.role)
        without_role = self._process.recall(exchange, None).ids
        reasons = {candidate.memory.id: reason for candidate, reason in selection.left_out}
        self._process.count(selection)
        taken = [Injected(memory=self._read(name), by_host=name in by_host, by_pack=True) for name in selection.ids]
        left = [
            self._left_out(memory_id, memory_id in by_host, exchange, reasons.get(memory_id, "not among the best"))
            for memory_id in dict.fromkeys([*by_host, *without_role])
            if memory_id not in selection.ids
        ]
        return (*taken, *(injected for injected in left if injected.by_host or injected.is_suppressed))

    def _left_out(self, memory_id: str, by_host: bool, exchange: Exchange, weakness: str) -> Injected:
        memory = self._read(memory_id)
        allowed = exchange.role.domains if exchange.role else None
        suppressed = suppression(memory, allowed, self._process.domains_of)
        return Injected(
            memory=memory,
            by_host=by_host,
            by_pack=False,
            is_suppressed=suppressed is not None and not memory.is_deprecated,
            reason=_replaced(memory) or suppressed or weakness,
        )

    def _remembered(self, change: Classify) -> Remembered:
        memory = self._read(change.memory_id)
        return Remembered(
            memory=memory,
            classification=memory.classification or change.classification,
            why=change.why,
            turn=self._turn_of[change.memory_id],
        )

    def _retired(self, changes: Iterable[Change]) -> tuple[Retired, ...]:
        return tuple(
            Retired(
                loser=self._read(change.loser_id),
                winner=self._read(change.winner_id),
                rule=change.rule,
                reasons=change.reasons,
            )
            for change in changes
            if isinstance(change, Supersede)
        )

    def _count_prompt(self, prompt: tuple[Injected, ...]) -> None:
        outdated = sum(injected.by_host and injected.memory.is_deprecated for injected in prompt)
        self.figures.prompts += 1
        self.figures.outdated_by_host += outdated
        self.figures.prompts_with_outdated += outdated > 0
        self.figures.kept_from_other_roles += sum(injected.is_suppressed for injected in prompt)
        self.figures.outdated_by_pack += sum(injected.by_pack and injected.memory.is_deprecated for injected in prompt)

    def _count_status(self) -> None:
        memories = self._memories()
        self.figures.memories = len(memories)
        axes = (memory.classification for memory in memories)
        counts = Counter(classification.validity for classification in axes if classification is not None)
        self.figures.by_validity = {validity: counts[validity] for validity in Validity}

    def _accesses(self) -> int:
        return sum(memory.lineage.access_count for memory in self._memories() if memory.lineage is not None)

    def _memories(self) -> list[Memory]:
        return [self._read(memory_id) for memory_id in self._process.store.db.get_all_docs()]

    def _read(self, memory_id: str) -> Memory:
        memory = self._process.store.read(memory_id)
        if memory is None:
            raise KeyError(f"memory {memory_id} is not in the store; nothing deletes in this conversation")
        return memory


def _replaced(memory: Memory) -> str:
    """Return a sentence about the memory that retired this one; empty for a memory in use."""
    if not memory.is_deprecated or memory.lineage is None:
        return ""
    return f"retired, replaced by {memory.lineage.superseded_by}"
