"""What was said, by whom and when, prepared for many memories to be looked up in it (C-25, C-26, T-03).

How the user said something, whether the words make it a change of what was said before (C-41), and what of another's
words the user agrees with: "yes", "right", "exactly" right after something that the agent said (C-16). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ..claims import is_correction
from ..language.modality import Modality, is_question
from ..language.sentences import is_foreign, split_sentences
from ..language.vocabulary import CHANGED, QUESTION_OPENERS, SWAPS, one_of
from ..language.wordings import read_patterns
from ..patterns import regex
from .mentions import SOFT, Item, Mentions, join, parse_items, parse_mentions, parse_words
from .passages import Passage, parse_agreed, parse_passages
from .spoken_values import find_spoken, is_among

_SAID: Final = read_patterns("utterances")


def _one_of(words: str) -> str:
    """Return a pattern for `words`, written as in `vocabulary`."""
    plain = (re.escape(one).replace("_", r"\s+").replace(r"\~", r"\w*") for one in words.split())
    inflected = (re.sub(r"(\w)\\\*$", r"\1\1?(?:e|es|ed|d|ing|s)?", one) for one in plain)
    return "|".join(rf"\b{one}\b" for one in inflected)


_CHANGED: Final = regex(_one_of(CHANGED) + r"|\bnot\s+\w+\s+but\b", re.IGNORECASE)
#: What was said last is looked at again for each memory that it may be about.
_LATEST: Final = 512
#: A word that puts what follows it into a place, and at most two words after it.
_SWAPPED: Final = regex(rf"(?:{_one_of(SWAPS)})[^\w.!?]+(?:\w+[^\w.!?]+){{0,2}}$", re.IGNORECASE)


@lru_cache(maxsize=_LATEST)
def is_change(text: str) -> bool:
    """Whether a word of change is in a text: "switched", "now", "no longer"."""
    return _CHANGED.search(text) is not None


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the user said something: the sentence, the user's own messages before it in the chat, oldest first, and the
    whole message, where it says more; `is_order` where the user orders it, or takes up what was offered; `replaces` is
    the older memory of which it is known to give another value.
    """

    sentence: str
    before: tuple[str, ...] = ()
    message: str = ""
    is_order: bool = False
    replaces: str = ""

    def narrowed(self, items: Sequence[Item]) -> Spoken:
        """Return it without the sentences beside it that mention none of `items`, or correct something themselves."""
        weighty = [one for one in items if one.weight >= SOFT]
        near = [one for one in parse_passages(self.message) if any(map(one.has, weighty))]
        kept = dict.fromkeys(one.sentence for one in near if not is_correction(one.sentence))
        return replace(self, message=" ".join(kept))

    @property
    def everything(self) -> str:
        """What the user told up to then."""
        return " ".join((self.told, *self.before))

    @property
    def told(self) -> str:
        """What the message tells: the sentence, and what else is asserted beside it."""
        return _told(self.sentence, self.message)

    @property
    def told_mentions(self) -> Mentions:
        """What it tells, as it is looked up."""
        return parse_mentions(self.told)

    @property
    def heard(self) -> str:
        """What the message mentions, whatever is meant by it."""
        return f"{self.sentence} {self.message}"

    @property
    def has_change(self) -> bool:
        """Whether a word of change is in what it tells."""
        return is_change(self.told)

    @property
    def is_change(self) -> bool:
        """Whether the user says it as a change or correction, or of what was spoken of before."""
        return self.has_change or (
            self.sentence.isascii()
            and not is_foreign(self.sentence)
            and any(one.points for one in parse_passages(self.sentence))
        )

    def is_addition(self, items: Sequence[Item] = ()) -> bool:
        """Whether the user says `items`, or all of it, as one more: "also", "as well", "another"."""
        passages = parse_passages(self.sentence) if items else ()
        holders = [one.text for one in passages if any(map(one.has, items))]
        return any(_SAID["in_addition"].search(one) for one in holders or [self.sentence])

    def puts_in_place(self, item: Item) -> bool:
        """Whether a value stands right after a word that puts it into a place: "switched to soy"."""
        place = re.search(rf"\b{re.escape(item.text)}", self.told, re.IGNORECASE)
        return place is not None and _SWAPPED.search(self.told[: place.start()]) is not None


@lru_cache(maxsize=_LATEST)
def _told(sentence: str, message: str) -> str:
    beside = (one.sentence for one in parse_passages(message) if one.modality is Modality.FACT)
    return " ".join(dict.fromkeys((sentence, *beside)))


_AGREED: Final = read_patterns("confirmations")
# An answer of many sentences that asks nothing: agreeing with it agrees with its end.
_LAST_SENTENCES = 3
_PLACES: Final = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
# "Shall I?" offers what stands before it.
_BARE_OFFER = 3


def confirms(text: str) -> bool:
    """Whether a person's message opens by agreeing with what was said just before, without taking it back (C-16)."""
    return _opening(text.replace("\u2019", "'")) is not None


def _opening(text: str) -> re.Match[str] | None:
    opening = _AGREED["opening"].match(text)
    if opening is None:
        return None
    first, second = [*split_sentences(text), "", ""][:2]
    rest = first[opening.end() :]
    is_withdrawn = _AGREED["denied"].match(rest) or _AGREED["taken_back"].search(rest)
    return None if is_question(first) or is_withdrawn or _AGREED["second_thought"].match(second) else opening


def _agreed_sentences(said: str, answer: str) -> list[str]:
    opening = _opening(answer)
    if opening is None:
        return []
    sentences = _confirmable(split_sentences(said), is_plain=opening["short"] is None)
    agreed = tuple(one for sentence in sentences for one in parse_agreed(sentence))
    return sentences if _repeats(answer, opening, agreed) else []


def _confirmable(sentences: Sequence[str], *, is_plain: bool) -> list[str]:
    """Return the sentences that agreement can mean; a plain "yes" to "is it not ...?" may mean either."""
    sentences = [one for one in sentences if not _AGREED["doubt"].search(one)]
    if not sentences:
        return []
    last = sentences[-1]
    if not is_question(last):
        return [one for one in sentences[-_LAST_SENTENCES:] if not is_question(one)]
    if _AGREED["tag_question"].match(last):
        return [one for one in sentences[:-1] if not is_question(one)]
    if _AGREED["offer"].search(last) or _AGREED["open_question"].match(last):
        return []
    is_denial = any(one.clause.is_negated for one in parse_agreed(last)[:1])
    return [] if is_denial and is_plain else [last]


def _repeats(answer: str, opening: re.Match[str], agreed: tuple[Passage, ...]) -> bool:
    """Whether the words after the opening fit what is agreed with: no other number, and "right, ..." names it again."""
    rest = split_sentences(answer)[0][opening.end() :]
    added = [one for sentence in split_sentences(rest) for one in parse_agreed(sentence)]
    if any(one.clause.is_negated for one in added) and not any(one.clause.is_negated for one in agreed):
        return False
    numbers = [one for passage in agreed for one in find_spoken(passage.text)]
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
    said, answer = said.replace("\u2019", "'"), answer.replace("\u2019", "'")
    agreed = tuple(
        replace(one, modality=Modality.FACT, is_answer=True)
        for sentence in _agreed_sentences(said, answer)
        for one in parse_agreed(sentence)
        if one.modality in (Modality.FACT, Modality.PLAN)
    )
    return agreed or _ordered(said, answer) or _picked(said, answer)


def _find_listing(said: str) -> str:
    return max(split_sentences(said), key=lambda one: one.count(","), default="")


def find_lead(said: str, answer: str) -> str:
    """Return what stands before the list that the user picks from ("I see three ways"), if anything is picked."""
    return _find_listing(said).rpartition(":")[0] if _AGREED["pick"].match(answer) else ""


def _picked(said: str, answer: str) -> tuple[Passage, ...]:
    """Return what the user picks by its place from what the agent lists: "JSON, a blob, or SQLite" - "the last one"."""
    pick, listing = _AGREED["pick"].match(answer), _find_listing(said)
    options = [one for one in _AGREED["options"].split(listing.rpartition(":")[2]) if one.strip()]
    if pick is None or is_question(answer) or len(options) < 2:
        return ()
    place = _PLACES.get(pick["place"].lower(), len(options) // 2)
    if place >= len(options):
        return ()
    return tuple(
        replace(one, modality=Modality.FACT, about="", is_answer=True) for one in parse_passages(options[place])
    )


def _ordered(said: str, answer: str) -> tuple[Passage, ...]:
    acceptance = _AGREED["acceptance"].match(answer)
    is_taken_up = _AGREED["taken_up"].match(answer) is not None
    offer = _find_offer(split_sentences(said), is_taken_up=is_taken_up)
    if acceptance is None or not offer:
        return ()
    rest = answer[acceptance.end() :]
    if _AGREED["refusal"].search(rest) or any(
        one.is_rival(other) and not one.is_same(other) for one in find_spoken(offer) for other in find_spoken(rest)
    ):
        return ()
    return tuple(
        replace(one, modality=Modality.PLAN, about="", is_order=True, is_answer=True) for one in parse_passages(offer)
    )


def _find_offer(sentences: Sequence[str], *, is_taken_up: bool) -> str:
    """Return what the agent offers at the end of what it says, or just before, if the end points to that."""
    last, before = [*reversed(sentences), "", ""][:2]
    is_asked = last.endswith("?") and not _AGREED["open_question"].match(last)
    is_bare = len(last.split()) <= _BARE_OFFER
    if is_asked and (is_bare or _AGREED["pointing"].search(last)) and _AGREED["proposal"].match(before):
        return before
    is_offer = is_asked and (_AGREED["offer"].search(last) is not None or is_foreign(last))
    if is_offer:
        return last
    return next((one for one in reversed(sentences) if _AGREED["proposal"].search(one)), "") if is_taken_up else ""


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


class Conversation:
    """Utterances, oldest first. Sentences are read when a memory has words in common with them, once."""

    def __init__(self, utterances: Iterable[Utterance]) -> None:
        self._utterances = tuple(utterances)
        self._follows = dict(_find_followed(self._utterances))

    @classmethod
    def of(cls, utterances: Said) -> Conversation:
        """Return `utterances` as a conversation; one that is a conversation already, as it is."""
        return utterances if isinstance(utterances, Conversation) else cls(utterances)

    def __getitem__(self, index: int) -> Utterance:
        return self._utterances[index]

    def __iter__(self) -> Iterator[Utterance]:
        return iter(self._utterances)

    def __bool__(self) -> bool:
        return bool(self._utterances)

    @cached_property
    def by_person(self) -> tuple[int, ...]:
        """Where the person speaks, oldest first."""
        return tuple(index for index, one in enumerate(self._utterances) if one.speaker is Speaker.USER)

    @cached_property
    def heard(self) -> Mentions:
        """Everything that the person mentions or answers, whatever is meant by it."""
        return join(self.mentions(index) for index in self.by_person)

    def mentions(self, index: int) -> Mentions:
        """Return what the message at `index` mentions, with what it answers."""
        text, followed = self._utterances[index].text, self._follows.get(index, "")
        return parse_mentions(f"{text}\n{followed}" if agreed_passages(followed, text) else text)

    def passages(self, index: int) -> tuple[Passage, ...]:
        """Return the pieces of what the person says at `index`, with what they agree to there."""
        text, followed = self._utterances[index].text, self._follows.get(index, "")
        return parse_passages(text) + agreed_passages(followed, text)

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
        before = [one for one in self._utterances[:index] if one.chat == self[index].chat][-reach:]
        later = (one for one in self._utterances[index + 1 :] if one.chat == self[index].chat)
        after = [one.text for one in later if one.speaker is not Speaker.USER]
        answered = before[-1].text if before and before[-1].speaker is Speaker.AGENT else ""
        values = [(one, two) for one in find_spoken(answered) for two in find_spoken(said)]
        is_corrected = any(one.is_rival(two) and not one.is_same(two) for one, two in values)
        asked = [one for one in split_sentences(answered)[-1:] if is_question(one) and _OPEN_QUESTION.search(one)]
        others = [one.text for one in before if one.speaker is not Speaker.USER]
        own = [one.text for one in before if one.speaker is Speaker.USER]
        questions = [one for text in others for one in split_sentences(text) if is_question(one)]
        return Around(
            join(map(parse_mentions, (*own, *questions))),
            join(map(parse_mentions, (*asked, find_lead(answered, said)))),
            parse_mentions(answered) if is_corrected else Mentions(),
            join(parse_mentions(one) for one in (*others, *after)),
        )

    def best_other(self, words: frozenset[str]) -> tuple[int | None, int]:
        """Return the last utterance not the person's that says most of `words`, and how many of them it says."""
        others = (at for at, one in enumerate(self._utterances) if one.speaker is not Speaker.USER)
        told, index = max(((len(words & parse_words(self[at].text)), at) for at in others), default=(0, 0))
        return (index, told) if told else (None, 0)

    def find_teller(self, text: str) -> Speaker | None:
        """Return who else is known to have said a memory: its values, or most of its words, that the person never said.

        None where nobody did, or the person mentioned them too, whatever was meant by it: then nobody can tell.
        """
        items = [one for one in parse_items(text) if one.weight >= SOFT]
        unsaid = [one for one in items if not self.heard.has(one)]
        hard = [one for one in unsaid if one.is_hard]
        if not unsaid or (not hard and any(one.is_hard for one in items)):
            return None
        is_told = any if hard else all
        told = (one for one in self._utterances if one.speaker is not Speaker.USER)
        found = [one.speaker for one in told if is_told(map(parse_mentions(one.text).has, hard or unsaid))]
        return found[-1] if found else None


#: Utterances as they are, or prepared.
Said = Sequence[Utterance] | Conversation


def _find_followed(utterances: Sequence[Utterance]) -> Iterator[tuple[int, str]]:
    """Yield the messages of the person's that follow one of the agent's in the same chat, each with that (C-16)."""
    before: dict[str, Utterance] = {}
    for index, one in enumerate(utterances):
        followed = before.get(one.chat)
        if one.speaker is Speaker.USER and followed is not None and followed.speaker is Speaker.AGENT:
            yield index, followed.text
        if one.speaker is not Speaker.TOOL:
            before[one.chat] = one
