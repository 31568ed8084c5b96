"""Whose word one sentence of a memory is: what proves that the user said it, and what speaks against it (T-03).

People do not repeat what they speak of: "it", "that" and a bare value stand for what came before. So the *value* must
be the user's own, in whatever spelling, said in a clause that asserts or demands it and does not set it aside; the
frame may come from the conversation before it or from an older memory; and nothing that only the agent or a tool said
may be in it. What proves it is then held against the objections. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, keys_of
from ..language.modality import Modality
from ..language.verbs import is_verb
from ..language.wordings import read_patterns
from .conversation import Conversation
from .mentions import LIGHT, SOFT, Item, parse_items, parse_mentions
from .objections import find_objection
from .passages import Passage
from .statements import MemorySentence
from .testimony import DENIAL, SentenceReport, Testimony, are_rivals, denies, said_in

_SAID: Final = read_patterns("utterances")
#: How much of a memory must be known from the user or stand in the frame; less where the user speaks another language.
_KNOWN_SHARE, _FOREIGN_SHARE = 0.5, 0.2
_TOO_LITTLE: Final = "the user said too little of it"
_NOTHING: Final = "the user said nothing of it"
_OTHERS: Final = "somebody else brought some of it"
#: So many utterances before an answer are what it answers.
_REACH: Final = 8
#: What is only supposed, guessed or quoted is no frame for anything.
_UNSAID: Final = frozenset((Modality.HYPOTHESIS, Modality.ESTIMATE, Modality.QUOTATION))

_TELLING: Final = frozenset((Modality.FACT, Modality.PLAN))
#: So few words say nothing but a value.
_SHORT: Final = 4
_USER_KEYS: Final = keys_of(("user",))


class Retraction(NamedTuple):
    """Where the user rejects a value, or takes back what was said: the message, and its sentence."""

    message: int
    said: str


class Occurrence(NamedTuple):
    """Where the user said a sentence: the message, and the passages that prove it.

    `best` is the passage that says most of it, the last of several; `taken_back` where the user takes it back later.
    """

    message: int
    passages: tuple[Passage, ...]
    best: Passage
    taken_back: Retraction | None = None


def find_occurrence(
    sentence: MemorySentence, conversation: Conversation, earlier: Sequence[str] = ()
) -> Occurrence | str:
    """Return where the user said `sentence` of a memory, read with what stands before it; or why nobody can say so.

    `earlier` are older memories that the new one may meet: what they speak of need not be said again.
    """
    memory = SentenceReport.of(sentence, earlier)
    known = [one for one in memory.items if one.weight >= SOFT and conversation.heard.has(one)]
    index = _find_message(memory, conversation) if known else None
    return _NOTHING if index is None else _judge(Testimony.of(memory, conversation, index, _REACH))


def _find_message(memory: SentenceReport, conversation: Conversation) -> int | None:
    """Return the user's latest message that says all of it, or adds a value to it; else what says most."""
    fullest, latest, whole, spoken = (0.0, -1), -1, -1, set[Item]()
    weighty = [one for one in memory.items if one.weight >= SOFT]
    is_denial = DENIAL.search(memory.sentence.text) is not None
    for index in conversation.by_person:
        if not any(map(conversation.mentions(index).has, memory.items)):
            continue
        passages = conversation.passages(index)
        if is_denial and not any(
            denies(one.sentence) or one.is_other_language or one.clause.denied for one in passages
        ):
            continue
        used = memory.passages(passages)
        own = said_in(memory.items, used)
        new = [one for one in own if one not in spoken]
        spoken.update(said_in(memory.items, passages))
        whole = index if all(one in own for one in weighty) else whole
        fullest = max(fullest, (sum(one.weight for one in own), index))
        if any(one.is_hard for one in new) or _adds(new, own, used):
            latest = index
    if not fullest[0]:
        return None
    return max(whole, latest) if max(whole, latest) >= 0 else fullest[1]


def _adds(new: Sequence[Item], own: Sequence[Item], used: Sequence[Passage]) -> bool:
    """Whether a message adds a word to what it speaks of, or to what it points to."""
    added = [one for one in new if one.weight >= SOFT]
    holders = [one for one in used if said_in(added, [one])]
    return bool(added) and (any(one.points for one in holders) or sum(one.weight >= SOFT for one in own) >= 2)


def _judge(testimony: Testimony) -> Occurrence | str:
    """Return what a message proves; or why it does not make the memory the user's."""
    memory, own, proof = testimony.memory, testimony.own, testimony.proof
    weights = _weigh(testimony)
    if isinstance(weights, str):
        return weights
    if weights["others"] >= SOFT and testimony.text.isascii():
        return _OTHERS
    is_whole = not (weights["others"] or weights["nobody"]) and all(
        one in own for one in memory.items if one.weight >= SOFT or is_verb(one.text)
    )
    if not is_whole:
        is_answer = bool(testimony.around.asked.words) or (
            any(one.points for one in proof) and weights["frame"] + weights["beside"] > 0
        )
        if not any(item.is_hard for item in own) and sum(one.weight >= SOFT for one in own) < (1 if is_answer else 2):
            return _TOO_LITTLE
        heaviest = max(one.weight for one in own)
        more = weights["own"] - heaviest + weights["beside"] + weights["frame"] + _said_alike(memory, proof)
        least = min(SOFT, max(2 * LIGHT, sum(one.weight for one in memory.items) - heaviest) / 2)
        if more < least and not testimony.is_foreign:
            return _TOO_LITTLE
    share = 1 - weights["nobody"] / max(sum(weights.values()), SOFT)
    if share < (_FOREIGN_SHARE if testimony.is_foreign else _KNOWN_SHARE):
        return _TOO_LITTLE
    best = max(enumerate(proof), key=lambda one: (sum(two.weight for two in said_in(own, [one[1]])), one[0]))
    return find_objection(testimony) or Occurrence(testimony.index, proof, best[1], _find_retraction(testimony))


def _weigh(testimony: Testimony) -> dict[str, float] | str:
    """Return how much of a memory is the user's here, or beside, or in the frame, or others', or nobody's word.

    Or why that is no matter: a name or a number may be nobody's, and nothing the user's of something else.
    """
    memory, own, proof, around = testimony.memory, testimony.own, testimony.proof, testimony.around
    unused = [one for one in testimony.heard if one not in proof]
    strangers = [one for one in unused if one.modality is Modality.FACT and not memory.passages([one])]
    requests = [one for one in unused if one.modality is Modality.PLAN]
    framing = [one for one in unused if one.modality not in _UNSAID]
    elsewhere = memory.passages(testimony.conversation.passages_beside(testimony.index))
    points = any(one.points for one in proof)
    weights = dict.fromkeys(("own", "beside", "frame", "others", "nobody"), 0.0)
    for item in memory.items:
        if item in own:
            place = "own"
        elif said_in([item], elsewhere):
            place = "beside"
        elif memory.earlier.has(item) or around.asked.has(item):
            place = "frame"
        elif item.weight >= SOFT and said_in([item], strangers):
            return f"the user said {item.text} of something else"
        elif item.number is None and said_in([item], requests):
            place = "frame"
        elif item.number is not None and (item.is_hard or _names_rival(item, proof, memory)):
            return f"the user never said {item.text}"
        elif around.corrected.has(item) or (points and (around.spoken_of(item) or said_in([item], framing))):
            place = "frame"
        elif around.others.has(item):
            place = "others"
        elif item.is_hard and not _is_acronym(item, memory, own):
            return f"the user never said {item.text}"
        elif item.weight < SOFT:
            continue
        else:
            place = "nobody"
        weights[place] += item.weight
    return weights


def _names_rival(item: Item, proof: Sequence[Passage], memory: SentenceReport) -> bool:
    """Whether the user names another number of the kind, which the memory has not."""
    known = [one.number for one in memory.items if one.number is not None]
    return item.number is not None and any(
        item.number.is_rival(one) and not any(one.is_same(other) for other in known)
        for passage in proof
        for one in passage.mentions.values
    )


def _said_alike(memory: SentenceReport, proof: Sequence[Passage]) -> float:
    """Return what the words weigh that a summary often supplies, where the user said them too."""
    said = memory.earlier.words.union(*(one.mentions.words for one in proof))
    words = memory.words.words & FRAME_KEYS & said
    return SOFT / 2 * len(words - _USER_KEYS)


def _is_acronym(item: Item, memory: SentenceReport, own: Sequence[Item]) -> bool:
    """Whether a name is the short one of a kind of thing, which a summary may add to a value: "RAM", "URL"."""
    short = item.text.upper()
    has_value = any(one.is_hard for one in own)
    return has_value and short.isalpha() and len(short) <= 4 and short in memory.sentence.text


def _find_retraction(testimony: Testimony) -> Retraction | None:
    """Return the later message of the chat that takes it back, or rejects a value of it: "no wait", "not Tuesday"."""
    conversation, index = testimony.conversation, testimony.index
    weighty = [one for one in testimony.own if one.weight >= SOFT and not one.is_aside]
    later = [
        one for one in conversation.by_person if one > index and conversation[one].chat == conversation[index].chat
    ]
    for at in later:
        text, passages = conversation[at].text, conversation.passages(at)
        rejecting = _find_rejecting(passages, weighty)
        if rejecting is not None:
            return Retraction(at, rejecting.said)
        is_next = at == later[0]
        if _SAID["retraction"].search(text) and (is_next or any(map(parse_mentions(text).has, weighty))):
            return Retraction(at, text)
        if is_next and not conversation.answers_question(at) and _gives_another(weighty, text, passages):
            return Retraction(at, text)
    return None


def find_rejection(sentence: MemorySentence, conversation: Conversation) -> Retraction | None:
    """Return the user's last message that names a value of `sentence` only as what does not hold."""
    items = [one for one in SentenceReport.of(sentence).items if one.weight >= SOFT and not one.is_aside]
    for index in reversed(conversation.by_person):
        passages = conversation.passages(index)
        rejecting = _find_rejecting(passages, items)
        if rejecting is not None and (any(one.points for one in passages) or said_in(items, passages)):
            return Retraction(index, rejecting.said)
    return None


def _find_rejecting(passages: Sequence[Passage], items: Sequence[Item]) -> Passage | None:
    """Return the passage that names one of `items` as what does not hold, where no other says it."""
    rejected = [(one, item) for one in passages for item in items if one.rejects(item)]
    return next((one for one, item in rejected if not said_in([item], passages)), None)


def _gives_another(items: Iterable[Item], text: str, passages: Sequence[Passage]) -> bool:
    """Whether a message only gives another number of the kind: "hmm, go 18"; a whole sentence is a word of its own."""
    heard = parse_mentions(text)
    numbers = [one for one in items if one.is_hard and one.number is not None and not heard.has(one)]
    return any(
        are_rivals(one, other) and other.is_hard
        for passage in passages
        if passage.modality in _TELLING and len(passage.text.split()) <= _SHORT
        for other in parse_items(passage.text)
        for one in numbers
    )
