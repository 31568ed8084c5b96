"""Ways to recall from one conversation's memories: this pack's, by its own command's path, and the bare host's."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from typing import Any
from unittest.mock import patch

import numpy as np
from langchain_core.embeddings import Embeddings
from memory_ledger.clock import format_time
from memory_ledger.host.recall.folder_recall import GivenMemory, ReadOnlyStore, open_memories
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.recall.plan import RecallLimits, make_plan, widen
from memory_ledger.records import CLASSIFICATION_KEY, LINEAGE_KEY, parse_memory
from memory_ledger.settings import Settings
from recall_data import TURNS, Conversation, Question, Remembered

#: What the pack brings at most, the host, and a ranking that is measured.
INJECTED, HOST_INJECTED, MOST = 8, 5, 10
#: Long after a conversation every memory of it is equally old.
LONG_AFTER = timedelta(days=365)

_HOST_LEAST_COSINE = 0.4
_HOST_HISTORY_CHARACTERS = 10_000

#: Given the kind, the store's conversation and questions, yields the ids that each question brings, best first.
Answer = Callable[[str, Conversation, Sequence[Question]], Iterable[Sequence[str]]]
#: A module, a name of it, and what stands for that name meanwhile.
Replacement = tuple[Any, str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to recall; of each conversation's questions it is asked every `every`-th."""

    name: str
    answer: Answer
    every: int = 1


class RememberingModel(Embeddings):
    """An embedding model that embeds a text once; in memory alone, so that nothing of the data is left behind."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._vectors: dict[str, Any] = {}

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """Return one vector per text; what is new is embedded in the order in which it comes."""
        new = [one for one in dict.fromkeys(texts) if one not in self._vectors]
        if new:
            self._vectors |= zip(new, np.asarray(self._model.embed_documents(new), dtype=np.float32), strict=True)
            print(f"{len(self._vectors):,} texts embedded", file=sys.stderr, flush=True)
        return [self._vectors[one] for one in texts]

    def embed_query(self, text: str) -> Any:
        """Return the vector of one text."""
        return self.embed_documents([text])[0]


class Engine:
    """A store for each conversation and kind of memory, asked as `memory-ledger recall --k` asks; a context manager."""

    def __init__(self, model: RememberingModel, *, is_classified: bool = False) -> None:
        self._model = model
        self._give = _give_classified if is_classified else _give
        self._readers: dict[tuple[str, int], ReadOnlyStore] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_problem: object) -> None:
        self._stack.close()

    def _open(self, kind: str, store: Conversation) -> ReadOnlyStore:
        key = kind, store.number
        if key not in self._readers:
            reader = open_memories(self._give(store.memories[kind]), self._model, clock=lambda: store.ended_at)
            self._readers[key] = self._stack.enter_context(reader)
            self._readers[key]._store.rows.read()  # a chat knows all memories, whatever was asked before
        return self._readers[key]

    def way(
        self,
        name: str,
        changes: Mapping[str, Any] | None = None,
        *,
        limit: int = INJECTED,
        after: timedelta = LONG_AFTER,
        instead: Replacement | None = None,
    ) -> Way:
        """Return the pack's own way with `changes` to the settings, asked so long `after` the last session.

        It brings up to `limit` memories. What has no setting is switched off by what stands there `instead`.
        """
        settings = Settings.model_validate(changes or {})
        limits = widen(RecallLimits(), limit)

        def answer(kind: str, store: Conversation, questions: Sequence[Question]) -> list[list[str]]:
            now = store.ended_at + after
            plans = [make_plan(one.text, settings, now, limits=limits) for one in questions]
            with patch.object(*instead) if instead else nullcontext():
                return [
                    [one.memory.id for one in sorted(found.chosen, key=lambda one: (-one.score, one.memory.id))]
                    for found in self._open(kind, store).answer(plans)
                ]

        return Way(name=name, answer=answer)


def _give(memories: Iterable[Remembered]) -> list[GivenMemory]:
    return [GivenMemory(one.id, one.text, {"timestamp": format_time(one.at)}) for one in memories]


def _give_classified(memories: Iterable[Remembered]) -> list[GivenMemory]:
    """Return memories with the status that each gets by itself, where nobody knows who said what."""
    found = []
    for each, one in [(each, _give([each])[0]) for each in memories]:
        memory = parse_memory(one.id, one.text, one.metadata, inserted_at=each.at)[0]
        change = classify_memory(memory, (), Settings())
        status = {
            CLASSIFICATION_KEY: change.classification.model_dump(mode="json"),
            LINEAGE_KEY: change.lineage.model_dump(mode="json"),
        }
        found.append(one._replace(metadata={**one.metadata, **status}))
    return found


def host_way(
    name: str, model: RememberingModel, say: Callable[[Question], str] = attrgetter("text"), *, every: int = 1
) -> Way:
    """Return the bare host's way: the nearest to one vector, and no others; `say` makes the text that it embeds."""

    def answer(kind: str, store: Conversation, questions: Sequence[Question]) -> Iterator[list[str]]:
        ids = [one.id for one in store.memories[kind]]
        vectors = np.asarray(model.embed_documents([one.text for one in store.memories[kind]]))
        for asked in model.embed_documents([say(one) for one in questions]):
            cosines = vectors @ asked
            nearest = np.argsort(-cosines, kind="stable")[:HOST_INJECTED]
            yield [ids[one] for one in nearest if cosines[one] >= _HOST_LEAST_COSINE]

    return Way(name=name, answer=answer, every=every)


class ChatBefore:
    """Writes a message as the host asks with it: the message, then the end of the chat, which ends with the message.

    The chat is made of the last `turns` turns of the conversation's last session, None for all of that session: who
    speaks first in the session is the user, the other one the agent.
    """

    def __init__(self, conversations: Iterable[Conversation], turns: int | None) -> None:
        self._chats = {one.number: _chat(one, turns) for one in conversations}

    def __call__(self, question: Question) -> str:
        message = _user_line(question.text)
        history = "\n".join((*self._chats[question.conversation], message))
        return f"{message}\n\n{history[-_HOST_HISTORY_CHARACTERS:]}"


def _chat(conversation: Conversation, turns: int | None) -> list[str]:
    memories = conversation.memories[TURNS]
    session = [one for one in memories if one.session == memories[-1].session]
    user = session[0].text.partition(": ")[0]
    shown = session if turns is None else session[len(session) - turns :]
    return [_line(*one.text.partition(": ")[::2], user=user) for one in shown]


def _line(speaker: str, text: str, *, user: str) -> str:
    return (
        _user_line(text) if speaker == user else f"ai: {_dump({'tool_name': 'response', 'tool_args': {'text': text}})}"
    )


def _user_line(text: str) -> str:
    return f"user: {_dump({'user_message': text})}"


def _dump(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)
