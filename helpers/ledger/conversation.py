"""What was said, by whom and when, prepared for many memories to be looked up in it (C-25, C-26, T-03).

A testimony is a sentence of a memory beside the message of the user's that seems to say it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple, overload

from ..language.modality import is_question
from ..language.sentences import is_foreign, split_sentences
from ..language.vocabulary import QUESTION_OPENERS, one_of
from ..language.wordings import read_patterns
from ..patterns import regex
from .clause_contents import is_negative, parse_clause, without_rejected
from .confirmations import agreed_passages, find_lead
from .mentions import HARD, SOFT, Item, MemorySentence, Mentions, join, parse_items, parse_mentions, parse_words
from .passages import Passage, accepts, is_of_it, parse_passages
from .replaced import Spoken
from .spoken_values import find_spoken

_SAID: Final = read_patterns("utterances")
_OPEN_QUESTION: Final = regex(rf"\b(?:{one_of(QUESTION_OPENERS)})\b", re.IGNORECASE)
#: Of one message, what is said later counts as said so much later.
STEP = timedelta(microseconds=1)


class Speaker(StrEnum):
    """Who produced an utterance. A superior agent's message is the agent's, not the person's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, or printed by a tool, and in which chat.

    `at` is when (aware, UTC; None if nobody knows), or with `since` the end of the time in which it was said. It
    `is_memory` where only a memory of it is left.
    """

    speaker: Speaker
    text: str
    at: datetime | None = None
    chat: str = ""
    since: datetime | None = None
    is_memory: bool = False

    def moments(self, place: int) -> tuple[datetime | None, datetime | None]:
        """Return between which moments its sentence at `place` was said."""
        if self.at is None:
            return None, None
        return (self.since or self.at) + place * STEP, self.at + place * STEP


class Around(NamedTuple):
    """What was mentioned around a message.

    `spoken_of` is what a pronoun may stand for: what the user mentioned before it, or somebody asked for; `asked`, what
    is in the open question that it answers, `corrected` in the statement that it corrects, and `others` in what others
    said before or after it.
    """

    spoken_of: Mentions
    asked: Mentions
    corrected: Mentions
    others: Mentions


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
        return tuple(index for index, one in enumerate(self) if one.speaker is Speaker.USER)

    @cached_property
    def heard(self) -> Mentions:
        """Everything that the person mentions or answers, whatever is meant by it."""
        return join(self.mentions(index) for index in self.by_person)

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
        for other in self.own_beside(index):
            yield from self.passages(other)

    def own_beside(self, index: int) -> list[int]:
        """Return where else the person speaks in the chat of the message at `index`, oldest first."""
        return [at for at in self.by_person if at != index and self[at].chat == self[index].chat]

    def answers_question(self, index: int) -> bool:
        """Return whether the message at `index` follows a question of the agent's."""
        return self._follows.get(index, "").rstrip().endswith("?")

    def spoken(self, index: int, sentence: str, *, is_order: bool = False, replaces: str = "") -> Spoken:
        """Return how the person said `sentence` in the message at `index`, after what else in its chat."""
        before = tuple(self[at].text for at in self.own_beside(index) if at < index)
        return Spoken(sentence, before, self[index].text, is_order, replaces)

    def around(self, index: int, reach: int) -> Around:
        """Return what was mentioned in the chat within `reach` utterances before the message at `index`, or later.

        An open question that it answers is its frame, and so are the words of a statement of which it names another
        value.
        """
        said = self[index].text
        before = [one for one in self[:index] if one.chat == self[index].chat][-reach:]
        later = (one for one in self[index + 1 :] if one.chat == self[index].chat)
        after = [one.text for one in later if one.speaker is not Speaker.USER]
        answered = before[-1].text if before and before[-1].speaker is Speaker.AGENT else ""
        values = [(value, two) for value in find_spoken(answered) for two in find_spoken(said)]
        is_corrected = any(one.is_rival(two) and not one.is_same(two) for one, two in values)
        asked = [one for one in split_sentences(answered)[-1:] if is_question(one) and _OPEN_QUESTION.search(one)]
        others = [one.text for one in before if one.speaker is not Speaker.USER]
        own = [one.text for one in before if one.speaker is Speaker.USER]
        questions = [sentence for text in others for sentence in split_sentences(text) if is_question(sentence)]
        return Around(
            join(map(parse_mentions, (*own, *questions))),
            join(map(parse_mentions, (*asked, find_lead(answered, said)))),
            parse_mentions(answered) if is_corrected else Mentions(),
            join(parse_mentions(one) for one in (*others, *after)),
        )

    def best_other(self, words: frozenset[str]) -> tuple[int | None, int]:
        """Return the last utterance not the person's that says most of `words`, and how many of them it says."""
        others = (at for at, one in enumerate(self) if one.speaker is not Speaker.USER)
        told, index = max(((len(words & parse_words(self[at].text)), at) for at in others), default=(0, 0))
        return (index, told) if told else (None, 0)

    def find_teller(self, text: str) -> Speaker | None:
        """Return who else is known to have said a memory: its values, or most of its words, that the person never said.

        None where nobody did, or the person mentioned them too, whatever was meant by it: then nobody can tell.
        """
        items = [item for item in parse_items(text) if item.weight >= SOFT]
        unsaid = [item for item in items if not self.heard.has(item)]
        hard = [item for item in unsaid if item.is_hard]
        if not unsaid or (not hard and any(item.is_hard for item in items)):
            return None
        is_told = any if hard else all
        told = (one for one in self if one.speaker is not Speaker.USER)
        found = [one.speaker for one in told if is_told(map(parse_mentions(one.text).has, hard or unsaid))]
        return found[-1] if found else None


def _find_followed(utterances: Sequence[Utterance]) -> Iterator[tuple[int, str]]:
    """Yield the messages of the person's that follow one of the agent's in the same chat, each with that (C-16)."""
    before: dict[str, Utterance] = {}
    for index, one in enumerate(utterances):
        followed = before.get(one.chat)
        if one.speaker is Speaker.USER and followed is not None and followed.speaker is Speaker.AGENT:
            yield index, followed.text
        if one.speaker is not Speaker.TOOL:
            before[one.chat] = one


class SentenceReport(NamedTuple):
    """One sentence of a memory, what it says, and the older memories that it may meet.

    `is_variant` where it says what one of them says but for a value: then who asked for that is no matter ("Legal asked
    for 60").
    """

    sentence: MemorySentence
    items: tuple[Item, ...]
    words: Mentions
    earlier: Mentions
    is_variant: bool

    @classmethod
    def of(cls, sentence: MemorySentence, earlier: Sequence[str] = ()) -> SentenceReport:
        known = [parse_mentions(one) for one in earlier]
        kept, items = parse_mentions(without_rejected(sentence.text)), parse_items(sentence.text)
        parts = [one for one in _SAID["parting"].split(sentence.text) if is_negative(one)]
        denied = frozenset[str]().union(*(parse_clause(part).denied for part in parts))
        return cls(
            sentence,
            tuple(one._replace(is_aside=not kept.has(one), is_denied=not one.keys.isdisjoint(denied)) for one in items),
            parse_mentions(sentence.text),
            join(known),
            any(sum(item.weight for item in items if not mentions.has(item)) <= 2 * HARD for mentions in known),
        )

    def passages(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return those of the user's passages that can be what it reports."""
        return [passage for passage in passages if self._may_report(passage)]

    def _may_report(self, passage: Passage) -> bool:
        if self._is_corrected_by(passage):
            return accepts(self.sentence, replace(passage, about=""), self.items)
        is_its = self.is_variant or is_of_it(passage, self.sentence.text, self.words, self.items)
        return is_its and accepts(self.sentence, passage, self.items)

    def _is_corrected_by(self, passage: Passage) -> bool:
        """Whether a passage puts a value in the place of what an older memory has: "the Boathouse, not the Inn"."""
        said = parse_items(passage.text) if passage.kept != passage.text else ()
        return any(one.weight >= SOFT and passage.rejects(one) and self.earlier.has(one) for one in said)


def said_in(items: Iterable[Item], passages: Sequence[Passage]) -> list[Item]:
    return [item for item in items if any(passage.has(item) for passage in passages)]


@dataclass(frozen=True, eq=False)
class Testimony:
    """A sentence of a memory beside the message of the user's, at `index`, that seems to say it.

    `heard` is all that the message says, `proof` what of it the memory may report, `own` what of the memory is there.
    """

    memory: SentenceReport
    conversation: Conversation
    index: int
    heard: tuple[Passage, ...]
    proof: tuple[Passage, ...]
    own: tuple[Item, ...]
    around: Around

    @classmethod
    def of(cls, memory: SentenceReport, conversation: Conversation, index: int, reach: int) -> Testimony:
        """Read `memory` beside the message at `index` and `reach` utterances before it."""
        heard = conversation.passages(index)
        used = memory.passages(heard)
        own = tuple(said_in(memory.items, used))
        held = tuple(one for one in used if said_in(own, [one]))
        return cls(memory, conversation, index, heard, held, own, conversation.around(index, reach))

    @property
    def text(self) -> str:
        """The sentence of the memory."""
        return self.memory.sentence.text

    @property
    def is_foreign(self) -> bool:
        """Whether the user speaks another language in what proves it."""
        is_proof_foreign = not self.proof or any(one.is_other_language for one in self.proof)
        return is_proof_foreign and is_foreign(self.conversation[self.index].text)
