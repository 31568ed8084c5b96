"""What was said, by whom and when, prepared for many memories to be looked up in it; and what a person agrees with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, overload

from ..language.modality import Modality, is_question
from ..language.sentences import is_foreign, split_sentences
from ..language.vocabulary import QUESTION_OPENERS, one_of, read_patterns
from ..texts import regex
from .mentions import (
    HARD,
    SOFT,
    Item,
    MemorySentence,
    Mentions,
    is_negative,
    join,
    parse_clause,
    parse_items,
    parse_mentions,
    parse_words,
    without_rejected,
)
from .passages import Passage, accepts, is_of_it, parse_agreed, parse_passages
from .replaced import Spoken
from .spoken_values import find_spoken, is_among

_AGREEMENT: Final = read_patterns("confirmations")
# An answer of many sentences that asks nothing: agreeing with it agrees with its end.
_LAST_SENTENCES = 3
# Of two the "middle one" is none.
_FEWEST_OPTIONS = 2
_PLACES: Final = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
# "Shall I?" offers what stands before it.
_BARE_OFFER = 3


def confirms(text: str) -> bool:
    """Whether a person's message opens by agreeing with what was said just before, without taking it back."""
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


def _agreed_sentences(said: str, answer: str) -> list[str]:
    answer = answer.replace("\u2019", "'")
    opening = _opening(answer)
    if opening is None:
        return []
    sentences = _confirmable(split_sentences(said), is_plain=opening["short"] is None)
    agreed = tuple(passage for sentence in sentences for passage in parse_agreed(sentence))
    return sentences if _repeats(answer, opening, agreed) else []


def _confirmable(sentences: Sequence[str], *, is_plain: bool) -> list[str]:
    """Return the sentences that agreement can mean; a plain "yes" to "is it not ...?" may mean either."""
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


def _repeats(answer: str, opening: re.Match[str], agreed: tuple[Passage, ...]) -> bool:
    """Whether the words after the opening fit what is agreed with: no other number, and "right, ..." names it again."""
    rest = split_sentences(answer)[0][opening.end() :]
    added = [one for sentence in split_sentences(rest) for one in parse_agreed(sentence)]
    if any(one.clause.is_negated for one in added) and not any(one.clause.is_negated for one in agreed):
        return False
    numbers = [value for passage in agreed for value in find_spoken(passage.text)]
    if numbers and (said := find_spoken(rest)) and not any(is_among(one, numbers) for one in said):
        return False
    words = frozenset().union(*(one.clause.words for one in added))
    if opening["short"] is None or opening["short"].lower() != "right" or not words:
        return True
    return not words.isdisjoint(frozenset().union(*(one.clause.words for one in agreed)))


@lru_cache(maxsize=2_048)
def agreed_passages(said: str, answer: str) -> tuple[Passage, ...]:
    """Return what of the agent's message `said` the person's `answer` agrees with or orders, read as the person's own.

    An offer counts ("Shall I set it to 29?" - "yes, please do"), unless the answer names another value.
    """
    agreed = tuple(
        replace(passage, modality=Modality.FACT, is_answer=True)
        for sentence in _agreed_sentences(said, answer)
        for passage in parse_agreed(sentence)
        if passage.modality in (Modality.FACT, Modality.PLAN)
    )
    return agreed or _ordered(said, answer) or _picked(said, answer)


def _find_listing(said: str) -> str:
    return max(split_sentences(said), key=lambda sentence: sentence.count(","), default="")


def find_lead(said: str, answer: str) -> str:
    """Return what stands before the list that the user picks from ("I see three ways"), if anything is picked."""
    return _find_listing(said).rpartition(":")[0] if _AGREEMENT["pick"].match(answer) else ""


def _picked(said: str, answer: str) -> tuple[Passage, ...]:
    """Return what the user picks by its place from what the agent lists: "JSON, a blob, or SQLite" - "the last one"."""
    pick, listing = _AGREEMENT["pick"].match(answer), _find_listing(said)
    options = [one for one in _AGREEMENT["options"].split(listing.rpartition(":")[2]) if one.strip()]
    if pick is None or is_question(answer) or len(options) < _FEWEST_OPTIONS:
        return ()
    place = _PLACES.get(pick["place"].lower(), len(options) // 2)
    if place >= len(options):
        return ()
    return tuple(
        replace(passage, modality=Modality.FACT, about="", is_answer=True) for passage in parse_passages(options[place])
    )


def _ordered(said: str, answer: str) -> tuple[Passage, ...]:
    answer = answer.replace("\u2019", "'")
    acceptance = _AGREEMENT["acceptance"].match(answer)
    is_taken_up = _AGREEMENT["taken_up"].match(answer) is not None
    offer = _find_offer(split_sentences(said.replace("\u2019", "'")), is_taken_up=is_taken_up)
    if acceptance is None or not offer:
        return ()
    rest = answer[acceptance.end() :]
    if _AGREEMENT["refusal"].search(rest) or any(
        one.is_rival(other) and not one.is_same(other) for one in find_spoken(offer) for other in find_spoken(rest)
    ):
        return ()
    return tuple(
        replace(one, modality=Modality.PLAN, about="", is_order=True, is_answer=True) for one in parse_passages(offer)
    )


def _find_offer(sentences: Sequence[str], *, is_taken_up: bool) -> str:
    """Return what the agent offers at the end of what it says, or just before, if the end points to that."""
    last, before = [*reversed(sentences), "", ""][:2]
    is_asked = last.endswith("?") and not _AGREEMENT["open_question"].match(last)
    is_bare = len(last.split()) <= _BARE_OFFER
    if is_asked and (is_bare or _AGREEMENT["pointing"].search(last)) and _AGREEMENT["proposal"].match(before):
        return before
    is_offer = is_asked and (_AGREEMENT["offer"].search(last) is not None or is_foreign(last))
    if is_offer:
        return last
    return next((one for one in reversed(sentences) if _AGREEMENT["proposal"].search(one)), "") if is_taken_up else ""


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
        before = [utterance for utterance in self[:index] if utterance.chat == self[index].chat][-reach:]
        later = (utterance for utterance in self[index + 1 :] if utterance.chat == self[index].chat)
        after = [utterance.text for utterance in later if utterance.speaker is not Speaker.USER]
        answered = before[-1].text if before and before[-1].speaker is Speaker.AGENT else ""
        values = [(value, two) for value in find_spoken(answered) for two in find_spoken(said)]
        is_corrected = any(one.is_rival(two) and not one.is_same(two) for one, two in values)
        asked = [one for one in split_sentences(answered)[-1:] if is_question(one) and _OPEN_QUESTION.search(one)]
        others = [utterance.text for utterance in before if utterance.speaker is not Speaker.USER]
        own = [utterance.text for utterance in before if utterance.speaker is Speaker.USER]
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
        told = (utterance for utterance in self if utterance.speaker is not Speaker.USER)
        found = [one.speaker for one in told if is_told(map(parse_mentions(one.text).has, hard or unsaid))]
        return found[-1] if found else None


def _find_followed(utterances: Sequence[Utterance]) -> Iterator[tuple[int, str]]:
    """Yield the messages of the person's that follow one of the agent's in the same chat, each with that."""
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
        return any(item.weight >= SOFT and passage.rejects(item) and self.earlier.has(item) for item in said)


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
        is_proof_foreign = not self.proof or any(passage.is_other_language for passage in self.proof)
        return is_proof_foreign and is_foreign(self.conversation[self.index].text)
