"""Who said what a memory says: the person, the agent or a tool (C-25, C-26, T-03).

The host's memorizers write in the third person, later, from the whole history, so the author is looked for in what
was really said, sentence by sentence. Words alone are too weak: every value must stand where its words stand, nothing
may be denied that was affirmed, a question or a guess asserts nothing, and what the agent added is the agent's. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ..claims import is_correction
from .confirmations import confirms
from .conversation import Conversation
from .replaced import Likeness
from .retractions import Retraction
from .speakers import STEP, Speaker, Utterance
from .spoken import Spoken
from .statements import MemorySentence, parse_memory_text
from .swaps import find_swap
from .tellers import find_teller
from .whose import find_occurrence, find_rejected

__all__ = ["COVERAGE_FLOOR", "Attribution", "Conversation", "Speaker", "Utterance", "attribute", "confirms"]

# The share of a memory's meaningful words that its author must have said (T-03).
COVERAGE_FLOOR = 0.6

_TOO_FEW = "too few of its words are the user's"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the person said it; where (index of the utterance, None if nobody did), how much of it, and why.

    `stated_at` is when the last of its sentences was said and `stated_from` when the first was (None where nobody
    knows); `is_correction`, whether the person said all of it as a correction ("Actually, ..."). `stated_by`, where the
    person did not say it, who is known to have: what the person never mentioned is found there. `rejected` is how the
    person took it back, or said that a value of it does not hold: then it is nobody's word any more.
    """

    is_user: bool
    index: int | None
    coverage: float
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


class _Proof(NamedTuple):
    """What shows that the person said a sentence: the message, the sentence of it, and how much of the words it has."""

    message: int
    place: int
    said: str
    share: float
    is_order: bool = False
    replaces: str = ""
    taken_back: Retraction | None = None


def attribute(
    text: str,
    utterances: Sequence[Utterance],
    earlier: Earlier | None = Known,
    likeness: Likeness | None = None,
) -> Attribution:
    """Decide whether the memory `text` is the person's own statement; `utterances` are oldest first.

    It is, if every sentence of it is. `earlier` says which older memories it may meet, if that matters (None: only what
    was said counts), and `likeness`, if there is any, how like it is to the one that it may replace. For many
    memories, give the same `Conversation` with each.
    """
    sentences = parse_memory_text(text)
    if not sentences:
        return Attribution(is_user=False, index=None, coverage=0.0, reason="no words to look for")
    conversation = Conversation.of(utterances)
    known = None if earlier is None else earlier()
    proofs: list[_Proof] = []
    for sentence in sentences:
        proof = _find_proof(sentence, conversation, known, likeness)
        if isinstance(proof, str):
            rejection = find_rejected(sentence, conversation)
            if rejection is not None:
                return _rejected(rejection, None, conversation)
            return _not_the_persons(sentences, sentence, proof, conversation, known)
        if proof.taken_back is not None:
            return _rejected(proof.taken_back, proof, conversation)
        proofs.append(proof)
    return _the_persons(proofs, conversation)


def _rejected(rejection: Retraction, proof: _Proof | None, conversation: Conversation) -> Attribution:
    """Return the attribution of what the user has said and taken back (`proof`), or only ever rejected.

    It is as old as the user's word for it, or stands right before the rejection.
    """
    since, at = conversation[rejection.message].moments(0)
    if proof is not None:
        since, at = conversation[proof.message].moments(proof.place)
    elif since is not None and at is not None:
        since, at = since - STEP, at - STEP
    return Attribution(
        is_user=False,
        index=rejection.message,
        coverage=0.0,
        reason=f"the user rejected it: {_quote(rejection.said)}",
        stated_at=at,
        stated_from=since,
        rejected=conversation.spoken(rejection.message, rejection.said),
    )


def _find_proof(
    sentence: MemorySentence, conversation: Conversation, known: Known | None, likeness: Likeness | None
) -> _Proof | str:
    """Return what shows that the person said `sentence`; or why not."""
    swap = None if known is None else find_swap(sentence, conversation, known.texts, likeness)
    if swap is not None:
        return _Proof(swap.message, swap.place, swap.sentence, 1.0, swap.is_order, swap.older)
    found = find_occurrence(sentence, conversation, () if known is None else known.own)
    if isinstance(found, str):
        return found
    latest = found.best
    is_order = any(one.is_order for one in found.passages)
    return _Proof(found.message, latest.place, latest.said, found.share, is_order, taken_back=found.taken_back)


def _the_persons(proofs: Sequence[_Proof], conversation: Conversation) -> Attribution:
    latest = max(proofs, key=lambda one: one.message)
    moments = [conversation[one.message].moments(one.place) for one in proofs]
    return Attribution(
        is_user=True,
        index=latest.message,
        coverage=round(sum(one.share for one in proofs) / len(proofs), 3),
        reason=f"the user said it: {_quote(latest.said)}",
        stated_at=max([at for _, at in moments if at is not None], default=None),
        stated_from=min([since for since, _ in moments if since is not None], default=None),
        is_correction=all(is_correction(one.said) for one in proofs),
        spoken=conversation.spoken(latest.message, latest.said, is_order=latest.is_order, replaces=latest.replaces),
    )


def _not_the_persons(
    sentences: Sequence[MemorySentence],
    doubtful: MemorySentence,
    reason: str,
    conversation: Conversation,
    known: Known | None,
) -> Attribution:
    """Return the attribution to whoever else said most of the `doubtful` sentence; it tells the time of a whole one."""
    index, told = conversation.best_other(doubtful.words)
    teller, words = index, doubtful.words
    if len(sentences) > 1:
        words = frozenset().union(*(one.words for one in sentences))
        teller, told = conversation.best_other(words)
    is_told = teller is not None and told >= COVERAGE_FLOOR * len(words)
    since, at = conversation[teller].moments(0) if teller is not None and is_told else (None, None)
    return Attribution(
        is_user=False,
        index=index,
        coverage=0.0,
        reason=reason,
        stated_at=at,
        stated_from=since,
        stated_by=None if known is None else find_teller(doubtful, conversation),
    )


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'
