"""Who said what a memory says: the person, the agent or a tool (C-25, C-26, T-03).

The host's memorizers write in the third person, later, from the whole history, so the author is looked for in what
was really said, sentence by sentence. Words alone are too weak: every value must stand where its words stand, nothing
may be denied that was affirmed, a question or a guess asserts nothing, and what the agent added is the agent's. Of a
memory that says what an older one says but for a value, only the value need be the person's: nobody repeats what they
correct. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from ..claims import is_correction
from ..language.modality import Modality
from ..language.wordings import read_patterns
from .confirmations import confirms
from .conversation import Conversation, Speaker, Utterance
from .mentions import SOFT, Item, MemorySentence, parse_memory_text
from .objections import is_denied, is_of_the_clock
from .pairing import Sides
from .passages import Passage, parse_passages
from .replaced import Likeness, find_replacement
from .spoken import Spoken
from .whose import Retraction, UserProof, find_occurrence, find_rejection

__all__ = ["Attribution", "Conversation", "Speaker", "Utterance", "attribute", "confirms"]

_SAID: Final = read_patterns("utterances")
#: Who says so much of a memory's meaningful words tells when it was said (T-03).
_MOST: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the person said it; where (index of the utterance, None if nobody did), and why.

    `stated_at` is when the last of its sentences was said and `stated_from` when the first was (None where nobody
    knows); `is_correction`, whether the person said all of it as a correction ("Actually, ..."). `stated_by`, where the
    person did not say it, who is known to have: what the person never mentioned is found there. `rejected` is how the
    person took it back, or said that a value of it does not hold: then it is nobody's word any more.
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
    """The texts of the older memories that a new one may meet, nearest first; `own` are those of the person."""

    texts: Sequence[str] = ()
    own: Sequence[str] = ()


#: Looked for when they are needed.
Earlier = Callable[[], Known]


def attribute(
    text: str, utterances: Sequence[Utterance], earlier: Earlier = Known, likeness: Likeness | None = None
) -> Attribution:
    """Decide whether the memory `text` is the person's own statement; `utterances` are oldest first.

    It is, if every sentence of it is. `earlier` says which older memories it may meet, and `likeness`, if there is any,
    how like it is to the one that it may replace. For many memories, give the same `Conversation` with each.
    """
    sentences = parse_memory_text(text)
    if not sentences:
        return Attribution(is_user=False, index=None, reason="no words to look for")
    conversation, known = Conversation.of(utterances), earlier()
    proofs: list[UserProof] = []
    for sentence in sentences:
        proof = _find_proof(sentence, conversation, known, likeness)
        if isinstance(proof, str):
            rejection = find_rejection(sentence, conversation)
            if rejection is not None:
                return _rejected(rejection, None, conversation)
            return _not_the_persons(sentences, sentence, proof, conversation)
        if proof.taken_back is not None:
            return _rejected(proof.taken_back, proof, conversation)
        proofs.append(proof)
    return _the_persons(proofs, conversation)


def _rejected(rejection: Retraction, proof: UserProof | None, conversation: Conversation) -> Attribution:
    """Return the attribution of what the user has said and taken back (`proof`), or only ever rejected.

    It is as old as the user's word for it, or stands right before the rejection.
    """
    message, place = (rejection.message, -1) if proof is None else (proof.message, proof.place)
    since, at = conversation[message].moments(place)
    return Attribution(
        is_user=False,
        index=rejection.message,
        reason=f"the user rejected it: {_quote(rejection.said)}",
        stated_at=at,
        stated_from=since,
        rejected=conversation.spoken(rejection.message, rejection.said),
    )


def _find_proof(
    sentence: MemorySentence, conversation: Conversation, known: Known, likeness: Likeness | None
) -> UserProof | str:
    """Return what shows that the person said `sentence`; or why not."""
    swap = _find_swap(sentence, conversation, known.texts, likeness)
    return find_occurrence(sentence, conversation, known.own) if swap is None else swap


def _find_swap(
    sentence: MemorySentence, conversation: Conversation, earlier: Sequence[str], likeness: Likeness | None
) -> UserProof | None:
    """Return the last place where the person gives `sentence` of a memory as a change of one of the `earlier` ones."""
    rivals = [(one, come) for one in earlier if (come := _find_new(one, sentence.text))]
    for index in reversed(conversation.by_person) if rivals else ():
        heard = conversation.mentions(index)
        near = [(older, come) for older, come in rivals if any(map(heard.has, come))]
        for passage in conversation.passages(index) if near else ():
            if not _tells(passage, sentence):
                continue
            spoken = conversation.spoken(index, passage.sentence, is_order=passage.is_order)
            for older, come in near:
                if any(map(passage.has, come)) and _replaces(older, sentence.text, passage, spoken, likeness):
                    return UserProof(index, passage.place, passage.sentence, passage.is_order, older)
    return None


def _replaces(older: str, newer: str, passage: Passage, spoken: Spoken, likeness: Likeness | None) -> bool:
    """Whether `passage` gives another value of `older`, and does not deny it."""
    found = find_replacement(older, newer, spoken, likeness)
    return found is not None and all(
        passage.has(one) and not is_denied(one, passage) and not is_of_the_clock(one, passage.text, newer)
        for one in found.come
    )


def _find_new(older: str, newer: str) -> list[Item]:
    """Return what of `newer` may be another value than in `older`; nothing where they have nothing in common."""
    sides = Sides.of(older, newer)
    is_alike = any(one.weight >= SOFT for one in sides.kept) and any(one.weight >= SOFT for one in sides.gone)
    return [one for one in sides.come if one.weight >= SOFT] if is_alike else []


def _tells(passage: Passage, sentence: MemorySentence) -> bool:
    """Whether a passage tells something, or orders it, that a memory may report."""
    if not sentence.may_be_about(passage.about):
        return False
    if passage.modality is Modality.PLAN:
        is_done = _SAID["done"].search(passage.sentence) is not None
        return passage.is_order or is_done or sentence.accepts_modality(Modality.PLAN)
    modalities = {passage.modality, *(one.modality for one in parse_passages(passage.text))}
    return Modality.QUESTION not in modalities and not modalities.isdisjoint((Modality.FACT, Modality.PAST))


def _the_persons(proofs: Sequence[UserProof], conversation: Conversation) -> Attribution:
    latest = max(proofs, key=lambda one: one.message)
    moments = [conversation[one.message].moments(one.place) for one in proofs]
    return Attribution(
        is_user=True,
        index=latest.message,
        reason=f"the user said it: {_quote(latest.said)}",
        stated_at=max([at for _, at in moments if at is not None], default=None),
        stated_from=min([since for since, _ in moments if since is not None], default=None),
        is_correction=all(is_correction(one.said) for one in proofs),
        spoken=conversation.spoken(latest.message, latest.said, is_order=latest.is_order, replaces=latest.replaces),
    )


def _not_the_persons(
    sentences: Sequence[MemorySentence], doubtful: MemorySentence, reason: str, conversation: Conversation
) -> Attribution:
    """Return the attribution to whoever else said most of it, with the time where that is the `doubtful` sentence."""
    words = frozenset().union(*(one.words for one in sentences))
    index, told = conversation.best_other(words)
    since, at = (None, None) if index is None or told < _MOST * len(words) else conversation[index].moments(0)
    return Attribution(
        is_user=False,
        index=index,
        reason=reason,
        stated_at=at,
        stated_from=since,
        stated_by=conversation.find_teller(doubtful.text),
    )


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'
