"""What was said, by whom and when, prepared for many memories to be looked up in it (C-25, C-26, T-03). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from heapq import nlargest
from itertools import chain
from typing import overload

from .agreement import agreed_statements, confirms
from .statements import NAME_KEYS, Statement, read_statements, read_words

# Of one message, what is said later counts as said so much later.
_STEP = timedelta(microseconds=1)


# Word -> the indexes of the utterances that have it, oldest first.
_Places = dict[str, list[int]]


class Speaker(StrEnum):
    """Who produced an utterance. A superior agent's message is the agent's, not the person's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, or printed by a tool, and in which chat.

    `at` is when (aware, UTC; None if nobody knows), or with `since` the end of the time in which it was said.
    """

    speaker: Speaker
    text: str
    at: datetime | None = None
    chat: str = ""
    since: datetime | None = None

    def moments(self, place: int) -> tuple[datetime | None, datetime | None]:
        """Return between which moments its sentence at `place` was said."""
        if self.at is None:
            return None, None
        return (self.since or self.at) + place * _STEP, self.at + place * _STEP


class Conversation(Sequence[Utterance]):
    """Utterances, oldest first. Sentences are read when a memory has words in common with them, once."""

    def __init__(self, utterances: Iterable[Utterance]) -> None:
        self._utterances = tuple(utterances)
        self._statements: dict[int, tuple[Statement, ...]] = {}
        self._answered = dict(_find_answers(self._utterances))

    @classmethod
    def of(cls, utterances: Sequence[Utterance]) -> Conversation:
        """Return `utterances` as a conversation; one that is a conversation already, as it is."""
        return utterances if isinstance(utterances, cls) else cls(utterances)

    @overload
    def __getitem__(self, index: int) -> Utterance: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Utterance, ...]: ...
    def __getitem__(self, index: int | slice) -> Utterance | tuple[Utterance, ...]:
        return self._utterances[index]

    def __len__(self) -> int:
        return len(self._utterances)

    def statements(self, words: frozenset[str]) -> Iterator[tuple[int, Statement]]:
        """Yield what the person says with any of `words`, and where: own words, and what they confirm."""
        for index in sorted(_count(words, self._person_places)):
            for statement in self._read(index):
                if not statement.clause.words.isdisjoint(words):
                    yield index, statement

    def _read(self, index: int) -> tuple[Statement, ...]:
        if index not in self._statements:
            text, answered = self._utterances[index].text, self._answered.get(index)
            agreed = () if answered is None else agreed_statements(answered, text)
            self._statements[index] = read_statements(text) + agreed
        return self._statements[index]

    def count_person(self, words: frozenset[str]) -> int:
        """Return how many of `words` two messages of the person's have at most, whatever they mean by them."""
        counts = _count(words, self._person_places).values()
        return min(sum(nlargest(2, counts)), len(words)) if counts else 0

    def best_other(self, words: frozenset[str]) -> tuple[int | None, int]:
        """Return the last utterance not the person's that says most of `words`, and how many of them it says."""
        best = max(_count(words, self._other_places).items(), key=_by_count_then_place, default=None)
        return (None, 0) if best is None else best

    def says(self, index: int, words: frozenset[str]) -> bool:
        """Whether the utterance at `index` has any of `words`."""
        return not read_words(self._utterances[index].text).isdisjoint(words)

    @cached_property
    def _person_places(self) -> _Places:
        """Where each word may be the person's: at least every word of what they state or agree with."""
        said = ((index, one) for index, one in enumerate(self._utterances) if one.speaker is Speaker.USER)
        return _find_places(
            (index, read_words(one.text) | NAME_KEYS | read_words(self._answered.get(index, ""))) for index, one in said
        )

    @cached_property
    def _other_places(self) -> _Places:
        """Where anybody but the person says each word."""
        said = ((index, one) for index, one in enumerate(self._utterances) if one.speaker is not Speaker.USER)
        return _find_places((index, read_words(one.text)) for index, one in said)


def _find_places(said: Iterable[tuple[int, frozenset[str]]]) -> _Places:
    places: _Places = {}
    for index, words in said:
        for word in words:
            places.setdefault(word, []).append(index)
    return places


def _count(words: frozenset[str], places: _Places) -> Counter[int]:
    """Return how many of `words` stand in each place."""
    return Counter(chain.from_iterable([places[word] for word in words if word in places]))


def _by_count_then_place(found: tuple[int, int]) -> tuple[int, int]:
    return found[1], found[0]


def _find_answers(utterances: Sequence[Utterance]) -> Iterator[tuple[int, str]]:
    """Yield the messages by which the person agrees with what the agent said just before in the same chat (C-16)."""
    before: dict[str, Utterance] = {}
    for index, one in enumerate(utterances):
        if one.speaker is Speaker.USER:
            answered = before.get(one.chat)
            if answered is not None and answered.speaker is Speaker.AGENT and confirms(one.text):
                yield index, answered.text
        if one.speaker is not Speaker.TOOL:
            before[one.chat] = one
