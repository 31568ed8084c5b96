"""Attribute a memory to its speaker: the user, the agent or a tool.

The host's memorizers write in the third person, later, from the whole history. So the author is looked for in the
conversation, sentence by sentence. Shared words alone prove little, because people do not repeat what they speak of:
the *value* must be the user's own, in whatever spelling, in a clause that asserts or demands it and does not set it
aside. The frame around the value may come from the conversation before it, or from an older memory. Nothing that only
the agent or a tool said may be in it. What proves a sentence is then held against the objections. Where a memory says
what an older one says but for one value, only the value need be the user's: nobody repeats what they correct. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from ..claims import is_correction
from ..language.keys import FRAME_KEYS
from ..language.modality import Modality
from ..language.verbs import is_verb
from ..language.vocabulary import read_patterns
from .conversation import Conversation, Speaker, Testimony, Utterance, confirms, items_in
from .memory_sentence import MemorySentence, parse_memory_text
from .mentions import (
    LIGHT,
    SOFT,
    Item,
    are_rivals,
    denies,
    is_negative,
    parse_items,
    parse_mentions,
)
from .objections import USER_KEYS, find_objection, is_denied, is_of_the_clock
from .pairing import Sides
from .passages import Passage, parse_passages
from .replaced import Spoken, find_replacement
from .spoken_values import is_among

__all__ = ["Attribution", "Conversation", "Speaker", "Utterance", "attribute", "confirms"]

_SAID: Final = read_patterns("utterances")
#: An utterance with this share of a memory's meaningful words says when the memory was said.
_MOST: Final = 0.6
#: The share of a memory that the user or the frame must supply; less if the user speaks another language.
_KNOWN_SHARE, _FOREIGN_SHARE = 0.5, 0.2
_TOO_LITTLE: Final = "the user said too little of it"
#: A longer name is spelled out.
_LONGEST_ACRONYM: Final = 4
_TELLING: Final = frozenset((Modality.FACT, Modality.PLAN))
#: What is only supposed, guessed or quoted frames nothing.
_UNSAID: Final = frozenset((Modality.HYPOTHESIS, Modality.ESTIMATE, Modality.QUOTATION))
#: A sentence of at most so many words says nothing but a value.
_SHORT: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the user said a memory, with the reason in words, and `index`: the utterance, None if nobody said it.

    `stated_from` and `stated_at` are when its first and its last sentence were said (None if unknown).
    `is_correction`: the user said all of it as a correction ("Actually, ..."). `stated_by` is who else is known to have
    said what the user never mentioned. `spoken` is how the user said it. `rejected` is how the user took it back, or
    said that a value of it does not hold: then it is nobody's word any more.
    """

    is_user: bool
    index: int | None
    reason: str
    stated_at: datetime | None = None
    stated_from: datetime | None = None
    is_correction: bool = False
    stated_by: Speaker | None = None
    spoken: Spoken | None = None
    rejected: Spoken | None = None


class Known(NamedTuple):
    """The texts of the older memories that a new one may meet, nearest first; `own` are those that the user said."""

    texts: Sequence[str] = ()
    own: Sequence[str] = ()


#: Returns the older memories; called only when they are needed.
Earlier = Callable[[], Known]


def attribute(text: str, utterances: Sequence[Utterance], earlier: Earlier = Known) -> Attribution:
    """Return whether the memory `text` is the user's own statement, which it is if every sentence of it is.

    `utterances` are oldest first. `earlier` returns the older memories that it may meet. To attribute many memories,
    pass one `Conversation` each time: it is read only once.
    """
    known = earlier()
    sentences = parse_memory_text(text, known.own)
    if not sentences:
        return Attribution(is_user=False, index=None, reason="no words to look for")
    conversation = utterances if isinstance(utterances, Conversation) else Conversation(utterances)
    proofs: list[UserProof] = []
    for sentence in sentences:
        proof = _find_swap(sentence, conversation, known.texts) or find_occurrence(sentence, conversation)
        if isinstance(proof, str):
            rejection = find_rejection(sentence, conversation)
            if rejection is not None:
                return _rejected(rejection, rejection, conversation)
            return _not_the_persons(sentences, sentence, proof, conversation)
        if proof.taken_back is not None:
            return _rejected(proof.taken_back, proof, conversation)
        proofs.append(proof)
    return _the_persons(proofs, conversation)


def _rejected(rejection: UserProof, statement: UserProof, conversation: Conversation) -> Attribution:
    """Return the attribution of what the user said in a `statement`, and took back or only ever rejected."""
    since, until = conversation[statement.message].moments(statement.place)
    return Attribution(
        is_user=False,
        index=rejection.message,
        reason=f"the user rejected it: {_quote(rejection.sentence)}",
        stated_at=until,
        stated_from=since,
        rejected=conversation.spoken(rejection.message, rejection.sentence),
    )


def _find_swap(sentence: MemorySentence, conversation: Conversation, earlier: Sequence[str]) -> UserProof | None:
    """Return the user's last sentence that gives `sentence` of a memory as a change of one of the `earlier` ones."""
    rivals = [(older, come) for older in earlier if (come := _find_new(older, sentence.text))]
    for index in reversed(conversation.by_person) if rivals else ():
        heard = conversation.mentions(index)
        near = [(older, come) for older, come in rivals if any(map(heard.has, come))]
        for passage in conversation.passages(index) if near else ():
            if not _tells(passage, sentence):
                continue
            spoken = conversation.spoken(index, passage.sentence, is_order=passage.is_order)
            for older, come in near:
                if any(map(passage.has, come)) and _replaces(older, sentence.text, passage, spoken):
                    return UserProof(index, passage.sentence, passage.place, passage.is_order, older)
    return None


def _replaces(older: str, newer: str, passage: Passage, spoken: Spoken) -> bool:
    """Whether `passage` gives another value of `older`, and does not deny it."""
    replacement = find_replacement(older, newer, spoken)
    return replacement is not None and all(
        not is_denied(item, passage) and not is_of_the_clock(item, passage.text, newer) for item in replacement.come
    )


def _find_new(older: str, newer: str) -> list[Item]:
    """Return the words of `newer` that may be another value than in `older`; none if they have nothing in common."""
    sides = Sides.of(older, newer)
    is_alike = any(item.is_weighty for item in sides.kept) and any(item.is_weighty for item in sides.gone)
    return [item for item in sides.come if item.is_weighty] if is_alike else []


def _tells(passage: Passage, sentence: MemorySentence) -> bool:
    """Whether a passage states or orders something that `sentence` of a memory may report."""
    if not sentence.may_be_about(passage.about):
        return False
    if passage.modality is Modality.PLAN:
        is_done = _SAID["done"].search(passage.sentence) is not None
        return passage.is_order or is_done or sentence.accepts_modality(Modality.PLAN)
    modalities = {passage.modality, *(piece.modality for piece in parse_passages(passage.text))}
    return Modality.QUESTION not in modalities and not modalities.isdisjoint((Modality.FACT, Modality.PAST))


def _the_persons(proofs: Sequence[UserProof], conversation: Conversation) -> Attribution:
    latest = max(proofs, key=lambda proof: proof.message)
    moments = [conversation[proof.message].moments(proof.place) for proof in proofs]
    return Attribution(
        is_user=True,
        index=latest.message,
        reason=f"the user said it: {_quote(latest.sentence)}",
        stated_at=max([until for _, until in moments if until is not None], default=None),
        stated_from=min([since for since, _ in moments if since is not None], default=None),
        is_correction=all(is_correction(proof.sentence) for proof in proofs),
        spoken=conversation.spoken(latest.message, latest.sentence, is_order=latest.is_order, replaces=latest.replaces),
    )


def _not_the_persons(
    sentences: Sequence[MemorySentence], doubtful: MemorySentence, reason: str, conversation: Conversation
) -> Attribution:
    """Return the attribution to whoever says most of it, and as its teller to whoever said the `doubtful` sentence."""
    words = frozenset().union(*(sentence.words for sentence in sentences))
    index, count = conversation.best_other(words)
    since, until = (None, None) if index is None or count < _MOST * len(words) else conversation[index].moments(0)
    return Attribution(
        is_user=False,
        index=index,
        reason=reason,
        stated_at=until,
        stated_from=since,
        stated_by=conversation.find_teller(doubtful.text),
    )


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'


class UserProof(NamedTuple):
    """A sentence of the user: the index of the message, the sentence, and its `place` in the message.

    Of a sentence of a memory, `replaces` is the older memory of which it gives another value, and `taken_back` where
    the user takes it back later. The place of a rejection is before its message.
    """

    message: int
    sentence: str
    place: int = -1
    is_order: bool = False
    replaces: str = ""
    taken_back: UserProof | None = None


def find_occurrence(memory: MemorySentence, conversation: Conversation) -> UserProof | str:
    """Return where the user said a sentence of a memory, or the reason in words why that cannot be told."""
    known = [item for item in memory.items if item.is_weighty and conversation.heard.has(item)]
    index = _find_message(memory, conversation) if known else None
    if index is None:
        return "the user said nothing of it"
    testimony = Testimony.of(memory, conversation, index)
    reason = _doubt(testimony) or find_objection(testimony)
    if reason:
        return reason
    own, proof = testimony.own, testimony.proof
    best = max(proof, key=lambda passage: (sum(item.weight for item in items_in(own, [passage])), proof.index(passage)))
    is_order = any(passage.is_order for passage in proof)
    return UserProof(index, best.sentence, best.place, is_order, taken_back=_find_retraction(testimony))


def _find_message(memory: MemorySentence, conversation: Conversation) -> int | None:
    """Return the index of the user's latest message that says all of it or adds a value; else of the fullest one."""
    fullest, latest, spoken = (0.0, -1), -1, set[Item]()
    weighty = [item for item in memory.items if item.is_weighty]
    is_denial = is_negative(memory.text)
    for index in conversation.by_person:
        if not any(map(conversation.mentions(index).has, memory.items)):
            continue
        passages = conversation.passages(index)
        if is_denial and not any(denies(passage.sentence) or passage.is_other_language for passage in passages):
            continue
        used = memory.passages(passages)
        own = items_in(memory.items, used)
        new = [item for item in own if item not in spoken]
        spoken.update(items_in(memory.items, passages))
        fullest = max(fullest, (sum(item.weight for item in own), index))
        is_latest = all(item in own for item in weighty) or any(item.is_hard for item in new)
        if is_latest or (_adds(new, own, used) and not _names_rival(memory, own, used)):
            latest = index
    if not fullest[0]:
        return None
    return latest if latest >= 0 else fullest[1]


def _adds(new: Sequence[Item], own: Sequence[Item], used: Sequence[Passage]) -> bool:
    """Whether a message adds a word to what it speaks of, or to what it points to."""
    added = [item for item in new if item.is_weighty]
    holders = [passage for passage in used if items_in(added, [passage])]
    return bool(added) and (any(holder.points for holder in holders) or sum(item.is_weighty for item in own) >= 2)


def _names_rival(memory: MemorySentence, own: Sequence[Item], used: Sequence[Passage]) -> bool:
    """Whether a message gives another number in the place of one that the memory has."""
    missed = [item.number for item in memory.items if item.is_hard and item.number is not None and item not in own]
    others = [value for passage in used for value in passage.mentions.values if not is_among(value, memory.numbers)]
    return any(number.is_rival(other) for number in missed for other in others)


def _doubt(testimony: Testimony) -> str:
    """Return in words why a message does not say enough of the memory; empty if it does."""
    memory, own, proof = testimony.memory, testimony.own, testimony.proof
    weights = _weigh(testimony)
    if isinstance(weights, str):
        return weights
    if weights["others"] >= SOFT and testimony.text.isascii():
        return "somebody else brought some of it"
    is_whole = not (weights["others"] or weights["nobody"]) and all(
        item in own for item in memory.items if item.is_weighty or is_verb(item.text)
    )
    if not is_whole:
        is_answer = bool(testimony.around.asked.words) or (
            any(passage.points for passage in proof) and weights["frame"] + weights["beside"] > 0
        )
        if not any(item.is_hard for item in own) and sum(item.is_weighty for item in own) < (1 if is_answer else 2):
            return _TOO_LITTLE
        heaviest = max(item.weight for item in own)
        # What a summary often supplies counts half where the user said it too.
        known_words = memory.earlier.words.union(*(passage.mentions.words for passage in proof))
        alike = SOFT / 2 * len((memory.mentions.words & FRAME_KEYS & known_words) - USER_KEYS)
        more = weights["own"] - heaviest + weights["beside"] + weights["frame"] + alike
        least = min(SOFT, max(2 * LIGHT, sum(item.weight for item in memory.items) - heaviest) / 2)
        if more < least and not testimony.is_foreign:
            return _TOO_LITTLE
    share = 1 - weights["nobody"] / max(sum(weights.values()), SOFT)
    return _TOO_LITTLE if share < (_FOREIGN_SHARE if testimony.is_foreign else _KNOWN_SHARE) else ""


def _weigh(testimony: Testimony) -> dict[str, float] | str:
    """Return how much weighs as the user's own, beside it, framed, of others, of nobody; or what rules it out."""
    memory, own, proof, around = testimony.memory, testimony.own, testimony.proof, testimony.around
    unused = [passage for passage in testimony.heard if passage not in proof]
    strangers = [passage for passage in unused if passage.modality is Modality.FACT and not memory.passages([passage])]
    framing = [passage for passage in unused if passage.modality not in _UNSAID]
    conversation = testimony.conversation
    beside = conversation.own_beside(testimony.index)
    elsewhere = memory.passages(passage for index in beside for passage in conversation.passages(index))
    points = any(passage.points for passage in proof)
    names_rival = any(not is_among(value, memory.numbers) for passage in proof for value in passage.mentions.values)
    weights = dict.fromkeys(("own", "beside", "frame", "others", "nobody"), 0.0)
    for item in memory.items:
        # A summary may add the short name of a kind of thing: "RAM", "URL".
        is_acronym = len(item.text) <= _LONGEST_ACRONYM and item.text.upper() in testimony.text
        if item in own:
            place = "own"
        elif items_in([item], elsewhere):
            place = "beside"
        elif memory.earlier.has(item) or around.asked.has(item):
            place = "frame"
        elif item.is_weighty and items_in([item], strangers):
            return f"the user said {item.text} of something else"
        elif item.number is not None and (item.is_hard or names_rival):
            return f"the user never said {item.text}"
        elif around.corrected.has(item) or (points and (around.spoken_of.has(item) or items_in([item], framing))):
            place = "frame"
        elif around.others.has(item):
            place = "others"
        elif item.is_hard and not is_acronym:
            return f"the user never said {item.text}"
        else:
            place = "nobody"
        weights[place] += item.weight if place != "nobody" or item.is_weighty else 0.0
    return weights


def _find_retraction(testimony: Testimony) -> UserProof | None:
    """Return the later message of the chat that takes it back, or rejects a value of it: "no wait", "not Tuesday"."""
    conversation, index = testimony.conversation, testimony.index
    weighty = [item for item in testimony.own if item.is_weighty and not item.is_aside]
    later = [other for other in conversation.own_beside(index) if other > index]
    for message in later:
        text, passages = conversation[message].text, conversation.passages(message)
        rejecting = _find_rejecting(passages, weighty)
        if rejecting is not None:
            return UserProof(message, rejecting.sentence)
        is_next = message == later[0]
        if _SAID["retraction"].search(text) and (is_next or any(map(parse_mentions(text).has, weighty))):
            return UserProof(message, text)
        if is_next and not conversation.answers_question(message) and _gives_another(weighty, text, passages):
            return UserProof(message, text)
    return None


def find_rejection(sentence: MemorySentence, conversation: Conversation) -> UserProof | None:
    """Return the user's last message that names a value of `sentence` only as what does not hold."""
    items = [item for item in sentence.items if item.is_weighty and not item.is_aside]
    for index in reversed(conversation.by_person):
        passages = conversation.passages(index)
        rejecting = _find_rejecting(passages, items)
        if rejecting is not None and (any(passage.points for passage in passages) or items_in(items, passages)):
            return UserProof(index, rejecting.sentence)
    return None


def _find_rejecting(passages: Sequence[Passage], items: Sequence[Item]) -> Passage | None:
    """Return a passage that names one of `items` as what does not hold, if no other passage says that item."""
    rejected = [(passage, item) for passage in passages for item in items if passage.rejects(item)]
    return next((passage for passage, item in rejected if not items_in([item], passages)), None)


def _gives_another(items: Iterable[Item], text: str, passages: Sequence[Passage]) -> bool:
    """Whether a message only gives another number of the kind: "hmm, go 18"; a longer one makes its own statement."""
    heard = parse_mentions(text)
    numbers = [item for item in items if item.is_hard and item.number is not None and not heard.has(item)]
    return any(
        are_rivals(number, other) and other.is_hard
        for passage in passages
        if passage.modality in _TELLING and len(passage.text.split()) <= _SHORT
        for other in parse_items(passage.text)
        for number in numbers
    )
