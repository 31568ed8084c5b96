"""A conversation: who said what and when, read once for many memories, and what the user agrees with in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ..language.modality import Modality, is_question
from ..language.sentences import is_foreign, split_sentences
from ..language.vocabulary import QUESTION_OPENERS, one_of, read_patterns
from ..texts import regex
from .memory_sentence import MemorySentence
from .mentions import Item, Mentions, join, parse_items, parse_mentions
from .passages import Passage, parse_agreed, parse_passages
from .replaced import Spoken
from .spoken_values import find_spoken, gives_another, is_among

_AGREEMENT: Final = read_patterns("confirmations")
# Who agrees with a message of many sentences that asks nothing agrees with its end.
_LAST_SENTENCES = 3
# From so many options on something can be picked by its place.
_FEWEST_OPTIONS = 2
_PLACES: Final = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
# An offer of at most so many words ("Shall I?") means the sentence before it.
_BARE_OFFER = 3
_SAID: Final = read_patterns("utterances")
_OPEN_QUESTION: Final = regex(rf"\b(?:{one_of(QUESTION_OPENERS)})\b", re.IGNORECASE)
#: Each further sentence of a message counts as said so much later.
STEP = timedelta(microseconds=1)
#: So many utterances before an answer may be what it answers.
_REACH: Final = 8


def confirms(text: str) -> bool:
    """Whether a message of the user's opens by agreeing with the message before it, and does not take that back."""
    return _opening(text.replace("\u2019", "'")) is not None


def _opening(text: str) -> re.Match[str] | None:
    opening = _AGREEMENT["opening"].match(text)
    if opening is None:
        return None
    first, second = [*split_sentences(text), "", ""][:2]
    rest = first[opening.end() :]
    if (
        is_question(first)
        or _AGREEMENT["denied"].match(rest)
        or _AGREEMENT["taken_back"].search(rest)
        or _AGREEMENT["second_thought"].match(second)
    ):
        return None
    return opening


def _confirmable(sentences: Sequence[str], *, is_plain: bool) -> list[str]:
    """Return the sentences that an agreement can mean; none if a plain "yes" to "is it not ...?" may mean either."""
    sentences = [sentence for sentence in sentences if not _AGREEMENT["doubt"].search(sentence)]
    if not sentences:
        return []
    last = sentences[-1]
    if not is_question(last):
        return [sentence for sentence in sentences[-_LAST_SENTENCES:] if not is_question(sentence)]
    if _AGREEMENT["tag_question"].match(last):
        return [sentence for sentence in sentences[:-1] if not is_question(sentence)]
    if _AGREEMENT["offer"].search(last) or _AGREEMENT["open_question"].match(last):
        return []
    is_denial = any(passage.clause.is_negated for passage in parse_agreed(last)[:1])
    return [] if is_denial and is_plain else [last]


def _repeats(answer: str, opening: re.Match[str], agreed: Sequence[Passage]) -> bool:
    """Whether the words after the opening fit what is agreed with: no other number, and "right, ..." repeats a word."""
    rest = split_sentences(answer)[0][opening.end() :]
    added = [passage for sentence in split_sentences(rest) for passage in parse_agreed(sentence)]
    if any(passage.clause.is_negated for passage in added) and not any(passage.clause.is_negated for passage in agreed):
        return False
    numbers = [value for passage in agreed for value in find_spoken(passage.text)]
    if numbers and (values := find_spoken(rest)) and not any(is_among(value, numbers) for value in values):
        return False
    words = frozenset().union(*(passage.clause.words for passage in added))
    if opening["short"] is None or opening["short"].lower() != "right" or not words:
        return True
    return not words.isdisjoint(frozenset().union(*(passage.clause.words for passage in agreed)))


@lru_cache(maxsize=2_048)
def agreed_passages(message: str, answer: str) -> tuple[Passage, ...]:
    """Return the passages of the agent's `message` that the user's `answer` agrees with or orders, read as the user's.

    An offer counts ("Shall I set it to 29?" - "yes, please do"), unless the answer names another value.
    """
    answer = answer.replace("\u2019", "'")
    return _confirmed(message, answer) or _ordered(message, answer) or _picked(message, answer)


def _confirmed(message: str, answer: str) -> tuple[Passage, ...]:
    opening = _opening(answer)
    if opening is None:
        return ()
    sentences = _confirmable(split_sentences(message), is_plain=opening["short"] is None)
    agreed = [passage for sentence in sentences for passage in parse_agreed(sentence)]
    if not _repeats(answer, opening, agreed):
        return ()
    stated = (passage for passage in agreed if passage.modality in (Modality.FACT, Modality.PLAN))
    return tuple(replace(passage, modality=Modality.FACT, is_answer=True) for passage in stated)


def _find_listing(message: str) -> str:
    """Return the sentence with the most commas."""
    return max(split_sentences(message), key=lambda sentence: sentence.count(","), default="")


def find_lead(message: str, answer: str) -> str:
    """Return what stands before the list that the user picks from ("I see three ways"); empty if nothing is picked."""
    return _find_listing(message).rpartition(":")[0] if _AGREEMENT["pick"].match(answer) else ""


def _picked(message: str, answer: str) -> tuple[Passage, ...]:
    """Return the option that the user picks by its place in a list: "JSON, a blob, or SQLite" - "the last one"."""
    pick, listing = _AGREEMENT["pick"].match(answer), _find_listing(message)
    options = [option for option in _AGREEMENT["options"].split(listing.rpartition(":")[2]) if option.strip()]
    if pick is None or is_question(answer) or len(options) < _FEWEST_OPTIONS:
        return ()
    place = _PLACES.get(pick["place"].lower(), len(options) // 2)
    if place >= len(options):
        return ()
    return tuple(
        replace(passage, modality=Modality.FACT, about="", is_answer=True) for passage in parse_passages(options[place])
    )


def _ordered(message: str, answer: str) -> tuple[Passage, ...]:
    """Return what the agent offers and the user accepts without another value; empty if nothing is accepted."""
    acceptance = _AGREEMENT["acceptance"].match(answer)
    is_taken_up = _AGREEMENT["taken_up"].match(answer) is not None
    offer = _find_offer(split_sentences(message.replace("\u2019", "'")), is_taken_up=is_taken_up)
    if acceptance is None or not offer:
        return ()
    rest = answer[acceptance.end() :]
    if _AGREEMENT["refusal"].search(rest) or gives_another(offer, rest):
        return ()
    return tuple(
        replace(passage, modality=Modality.PLAN, about="", is_order=True, is_answer=True)
        for passage in parse_passages(offer)
    )


def _find_offer(sentences: Sequence[str], *, is_taken_up: bool) -> str:
    """Return the agent's last sentence if it offers something, or the one before it that it points to; else empty."""
    last, before = [*reversed(sentences), "", ""][:2]
    is_asked = last.endswith("?") and not _AGREEMENT["open_question"].match(last)
    is_bare = len(last.split()) <= _BARE_OFFER
    if is_asked and (is_bare or _AGREEMENT["pointing"].search(last)) and _AGREEMENT["proposal"].match(before):
        return before
    is_offer = is_asked and (_AGREEMENT["offer"].search(last) is not None or is_foreign(last))
    if is_offer:
        return last
    proposals = [sentence for sentence in sentences if is_taken_up and _AGREEMENT["proposal"].search(sentence)]
    return proposals[-1] if proposals else ""


class Speaker(StrEnum):
    """The speaker of an utterance. A superior agent's message is the agent's, not the user's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message, or the output of a tool, and its chat.

    `at` is when it was said (aware, UTC; None if unknown); with `since`, it was said at some time between the two.
    `is_memory`: only a memory of it is left.
    """

    speaker: Speaker
    text: str
    at: datetime | None = None
    chat: str = ""
    since: datetime | None = None
    is_memory: bool = False

    def moments(self, place: int) -> tuple[datetime | None, datetime | None]:
        """Return the first and the last moment at which its sentence number `place` may have been said."""
        if self.at is None:
            return None, None
        return (self.since or self.at) + place * STEP, self.at + place * STEP


class Around(NamedTuple):
    """The mentions around a message.

    `spoken_of` is what a pronoun may stand for: what the user mentioned before it, or somebody asked for. `asked` is
    mentioned in the open question that it answers, `corrected` in the statement that it corrects, and `others` in what
    others said before or after it.
    """

    spoken_of: Mentions
    asked: Mentions
    corrected: Mentions
    others: Mentions


class Conversation(tuple[Utterance, ...]):
    """Utterances, oldest first; each sentence is read once, when a memory first has words in common with it."""

    @cached_property
    def _follows(self) -> dict[int, str]:
        """The agent's message before each of the user's in its chat, by the index of the user's."""
        before: dict[str, Utterance] = {}
        followed: dict[int, str] = {}
        for index, utterance in enumerate(self):
            last = before.get(utterance.chat)
            if utterance.speaker is Speaker.USER and last is not None and last.speaker is Speaker.AGENT:
                followed[index] = last.text
            if utterance.speaker is not Speaker.TOOL:
                before[utterance.chat] = utterance
        return followed

    @cached_property
    def by_person(self) -> tuple[int, ...]:
        """The indexes of the user's messages, oldest first."""
        return tuple(index for index, utterance in enumerate(self) if utterance.speaker is Speaker.USER)

    @cached_property
    def heard(self) -> Mentions:
        """Everything that the user mentions or answers, even in questions and denials."""
        return join(self.mentions(index) for index in self.by_person)

    def mentions(self, index: int) -> Mentions:
        """Return what the message at `index` mentions, with the message that it agrees with."""
        text, followed = self[index].text, self._follows.get(index)
        is_taken_up = followed is not None and bool(agreed_passages(followed, text))
        return parse_mentions(f"{text}\n{followed}" if is_taken_up else text)

    def passages(self, index: int) -> tuple[Passage, ...]:
        """Return the passages of the user's message at `index`, and those that the user agrees with there."""
        followed = self._follows.get(index)
        agreed = () if followed is None else agreed_passages(followed, self[index].text)
        return parse_passages(self[index].text) + agreed

    def own_beside(self, index: int) -> list[int]:
        """Return the indexes of the user's other messages in the chat of the message at `index`, oldest first."""
        return [other for other in self.by_person if other != index and self[other].chat == self[index].chat]

    def answers_question(self, index: int) -> bool:
        """Whether the message at `index` follows a question of the agent's."""
        return self._follows.get(index, "").rstrip().endswith("?")

    def spoken(self, index: int, sentence: str, *, is_order: bool = False, replaces: str = "") -> Spoken:
        """Return how the user said `sentence` in the message at `index`, with the user's messages before it."""
        before = tuple(self[other].text for other in self.own_beside(index) if other < index)
        return Spoken(sentence, before, self[index].text, is_order, replaces)

    def around(self, index: int) -> Around:
        """Return what was mentioned in the chat shortly before the message at `index`, or later."""
        message = self[index].text
        before = [utterance for utterance in self[:index] if utterance.chat == self[index].chat][-_REACH:]
        later = (utterance for utterance in self[index + 1 :] if utterance.chat == self[index].chat)
        after = [utterance.text for utterance in later if utterance.speaker is not Speaker.USER]
        answered = before[-1].text if before and before[-1].speaker is Speaker.AGENT else ""
        last = "".join(split_sentences(answered)[-1:])
        asked = [last] if last and is_question(last) and _OPEN_QUESTION.search(last) else []
        others = [utterance.text for utterance in before if utterance.speaker is not Speaker.USER]
        own = [utterance.text for utterance in before if utterance.speaker is Speaker.USER]
        questions = [sentence for text in others for sentence in split_sentences(text) if is_question(sentence)]
        return Around(
            join(map(parse_mentions, (*own, *questions))),
            join(map(parse_mentions, (*asked, find_lead(answered, message)))),
            parse_mentions(answered) if gives_another(answered, message) else Mentions(),
            join(parse_mentions(text) for text in (*others, *after)),
        )

    def best_other(self, words: frozenset[str]) -> tuple[int | None, int]:
        """Return the last of the others' utterances that has most of `words`, or None, and how many of them it has."""
        others = [index for index, utterance in enumerate(self) if utterance.speaker is not Speaker.USER]
        counts = ((len(words & parse_mentions(self[index].text).words), index) for index in others)
        count, index = max(counts, default=(0, 0))
        return (index, count) if count else (None, 0)

    def find_teller(self, text: str) -> Speaker | None:
        """Return who else said a memory: the last to say a value of it, or all its words, that the user never said.

        None if nobody did, or if the user mentioned them too, in whatever way: then it cannot be told.
        """
        items = [item for item in parse_items(text) if item.is_weighty]
        unsaid = [item for item in items if not self.heard.has(item)]
        hard = [item for item in unsaid if item.is_hard]
        if not unsaid or (not hard and any(item.is_hard for item in items)):
            return None
        is_told = any if hard else all
        others = (utterance for utterance in self if utterance.speaker is not Speaker.USER)
        tellers = [other for other in others if is_told(map(parse_mentions(other.text).has, hard or unsaid))]
        return tellers[-1].speaker if tellers else None


def items_in(items: Iterable[Item], passages: Sequence[Passage]) -> list[Item]:
    """Return those of `items` that one of `passages` says."""
    return [item for item in items if any(passage.has(item) for passage in passages)]


@dataclass(frozen=True, eq=False)
class Testimony:
    """A sentence of a memory beside the message of the user's, at `index`, that seems to say it.

    `heard` are all passages of the message, `own` the items of the memory that those which it may report say, and
    `proof` the passages that say them.
    """

    memory: MemorySentence
    conversation: Conversation
    index: int
    heard: tuple[Passage, ...]
    proof: tuple[Passage, ...]
    own: tuple[Item, ...]
    around: Around

    @classmethod
    def of(cls, memory: MemorySentence, conversation: Conversation, index: int) -> Testimony:
        """Read `memory` beside the message at `index` and what was said around it."""
        heard = conversation.passages(index)
        used = memory.passages(heard)
        own = tuple(items_in(memory.items, used))
        held = tuple(passage for passage in used if items_in(own, [passage]))
        return cls(memory, conversation, index, heard, held, own, conversation.around(index))

    @property
    def text(self) -> str:
        """The sentence of the memory."""
        return self.memory.text

    @property
    def is_foreign(self) -> bool:
        """Whether the user proves it in another language than English."""
        is_proof_foreign = not self.proof or any(passage.is_other_language for passage in self.proof)
        return is_proof_foreign and is_foreign(self.conversation[self.index].text)
