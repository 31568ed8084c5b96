"""What was said, by whom and when, prepared for many memories to be looked up in it (C-25, C-26, T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

from .around import Around, parse_around
from .confirmations import agreed_passages
from .mentions import Mentions, join, parse_mentions
from .passages import Passage, parse_passages
from .speakers import Speaker, Utterance
from .spoken import Spoken
from .statements import parse_words


class Conversation(Sequence[Utterance]):
    """Utterances, oldest first. Sentences are read when a memory has words in common with them, once."""

    def __init__(self, utterances: Iterable[Utterance]) -> None:
        self._utterances = tuple(utterances)
        self._follows = dict(_find_followed(self._utterances))

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

    @cached_property
    def by_person(self) -> tuple[int, ...]:
        """Where the person speaks, oldest first."""
        return tuple(index for index, one in enumerate(self._utterances) if one.speaker is Speaker.USER)

    @cached_property
    def heard(self) -> Mentions:
        """Everything that the person mentions or answers, whatever is meant by it."""
        return join(self.mentions(index) for index in self.by_person)

    @cached_property
    def heard_of_others(self) -> Mentions:
        """Everything that the agent and the tools mention."""
        return join(parse_mentions(one.text) for one in self._utterances if one.speaker is not Speaker.USER)

    def mentions(self, index: int) -> Mentions:
        """Return what the message at `index` mentions, with what it answers."""
        text, followed = self._utterances[index].text, self._follows.get(index)
        is_taken_up = followed is not None and bool(agreed_passages(followed, text))
        return parse_mentions(f"{text}\n{followed}" if is_taken_up else text)

    def passages(self, index: int) -> tuple[Passage, ...]:
        """Return the pieces of what the person says at `index`, with what they agree to there."""
        followed = self._follows.get(index)
        agreed = () if followed is None else agreed_passages(followed, self._utterances[index].text)
        return parse_passages(self._utterances[index].text) + agreed

    def passages_beside(self, index: int) -> Iterator[Passage]:
        """Yield what the person says elsewhere in the chat of the message at `index`."""
        chat = self._utterances[index].chat
        for other in self.by_person:
            if other != index and self._utterances[other].chat == chat:
                yield from self.passages(other)

    def answers_question(self, index: int) -> bool:
        """Return whether the message at `index` follows a question of the agent's."""
        return self._follows.get(index, "").rstrip().endswith("?")

    def before(self, index: int) -> tuple[str, ...]:
        """Return what the person said before the message at `index` in its chat, oldest first."""
        chat = self._utterances[index].chat
        return tuple(
            self._utterances[at].text for at in self.by_person if at < index and self._utterances[at].chat == chat
        )

    def spoken(self, index: int, sentence: str, *, is_order: bool = False, replaces: str = "") -> Spoken:
        """Return how the person said `sentence` in the message at `index`."""
        return Spoken(sentence, self.before(index), self._utterances[index].text, is_order, replaces)

    def around(self, index: int, reach: int) -> Around:
        """Return what was mentioned in the chat within `reach` utterances before the message at `index`, or later."""
        chat = self._utterances[index].chat
        near = [(at, one) for at, one in enumerate(self._utterances) if one.chat == chat]
        place = next(position for position, (at, _) in enumerate(near) if at == index)
        before = [one for _, one in near[max(0, place - reach) : place]]
        after = [one.text for _, one in near[place + 1 :] if one.speaker is not Speaker.USER]
        own = [one.text for one in before if one.speaker is Speaker.USER]
        others = [one.text for one in before if one.speaker is not Speaker.USER]
        answered = before[-1].text if before and before[-1].speaker is Speaker.AGENT else ""
        return parse_around(own, others, after, answered, self._utterances[index].text)

    def best_other(self, words: frozenset[str]) -> tuple[int | None, int]:
        """Return the last utterance not the person's that says most of `words`, and how many of them it says."""
        others = (at for at, one in enumerate(self._utterances) if one.speaker is not Speaker.USER)
        told, index = max(((len(words & parse_words(self[at].text)), at) for at in others), default=(0, 0))
        return (index, told) if told else (None, 0)


def _find_followed(utterances: Sequence[Utterance]) -> Iterator[tuple[int, str]]:
    """Yield the messages of the person's that follow one of the agent's in the same chat, each with that (C-16)."""
    before: dict[str, Utterance] = {}
    for index, one in enumerate(utterances):
        followed = before.get(one.chat)
        if one.speaker is Speaker.USER and followed is not None and followed.speaker is Speaker.AGENT:
            yield index, followed.text
        if one.speaker is not Speaker.TOOL:
            before[one.chat] = one
