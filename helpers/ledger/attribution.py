"""Who said what a memory says: the person, the agent or a tool (C-25, C-26, T-03).

The host's memorizers write in the third person, later, from the whole history, so the author is looked for in what
was really said, sentence by sentence. Words alone are too weak: every value must stand where its words stand, nothing
may be denied that was affirmed, a question or a guess asserts nothing, and what the agent added is the agent's. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ..claims import is_correction
from .attribution_rejections import GENERAL_KEYS, find_rejection
from .confirmations import confirms
from .conversation import Conversation
from .in_context import Occurrence, find_in_context
from .likeness import Likeness
from .reports import is_variant
from .speakers import Speaker, Utterance
from .spoken import Spoken
from .statements import MemorySentence, Statement, parse_memory_text
from .swaps import find_swap
from .told_by_others import find_teller, is_explained, is_stray

__all__ = ["COVERAGE_FLOOR", "Attribution", "Conversation", "Speaker", "Utterance", "attribute", "confirms"]

# The share of a memory's meaningful words that its author must have said (T-03).
COVERAGE_FLOOR = 0.6

_TOO_FEW = "too few of its words are the user's"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the person said it; where (index of the utterance, None if nobody did), how much of it, and why.

    `stated_at` is when the last of its sentences was said and `stated_from` when the first was (None where nobody
    knows); `is_correction`, whether the person said all of it as a correction ("Actually, ..."). `stated_by`, where the
    person did not say it, who is known to have: what the person never mentioned is found there.
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


class Known(NamedTuple):
    """The texts of the older memories that a new one may meet, nearest first; `own` are those of the person."""

    texts: Sequence[str] = ()
    own: Sequence[str] = ()


#: Looked for when they are needed.
Earlier = Callable[[], Known]


class _Cover(NamedTuple):
    """Where the person's words cover a sentence: the latest message needed, the words and the clauses."""

    latest: int
    words: frozenset[str]
    used: tuple[Statement, ...]
    indexes: tuple[int, ...] = ()

    def best(self, words: frozenset[str]) -> Statement:
        """Return the clause that holds most of `words`, the last one of several."""
        return max(self.used, key=lambda one: (len(one.clause.words & words), one.place))


_NO_COVER = _Cover(0, frozenset(), ())


class _Proof(NamedTuple):
    """What shows that the person said a sentence: the message, the sentence of it, and how much of the words it has."""

    message: int
    place: int
    said: str
    share: float
    is_order: bool = False
    replaces: str = ""


def attribute(
    text: str,
    utterances: Sequence[Utterance],
    earlier: Earlier | None = Known,
    likeness: Likeness | None = None,
) -> Attribution:
    """Decide whether the memory `text` is the person's own statement; `utterances` are oldest first.

    It is, if every sentence of it is: in the person's own words, or read in the conversation (`in_context`), for which
    `earlier` says which older memories it may meet, if that matters (None: only the words themselves count), and
    `likeness`, if there is any, how like two texts are. For many memories, give the same `Conversation` with each.
    """
    sentences = parse_memory_text(text)
    if not sentences:
        return Attribution(is_user=False, index=None, coverage=0.0, reason="no words to look for")
    conversation = Conversation.of(utterances)
    known = None if earlier is None else earlier()
    proofs: list[_Proof] = []
    for sentence in sentences:
        proof, rejection, words = _find_proof(sentence, conversation, known, likeness)
        if proof is None:
            share = round((words or conversation.count_person(sentence.words)) / len(sentence.words), 3)
            return _not_the_persons(sentences, sentence, share, rejection, conversation, known)
        proofs.append(proof)
    return _the_persons(proofs, conversation)


def _find_proof(
    sentence: MemorySentence, conversation: Conversation, known: Known | None, likeness: Likeness | None
) -> tuple[_Proof | None, str, int]:
    """Return what shows that the person said `sentence`; or why not, and how many of its words are the person's."""
    if is_explained(sentence, conversation):
        return None, "somebody else gave the reason", 0
    swap = None if known is None else find_swap(sentence, conversation, known.texts, likeness)
    if swap is not None:
        return _Proof(swap.message, swap.place, swap.sentence, 1.0, swap.is_order, swap.older), "", 0
    cover, rejection = _find_cover(sentence, conversation)
    if rejection is None and not is_stray(sentence, conversation, cover.indexes):
        rest = sentence.words - cover.words
        if known is not None and conversation.adds_later(rest, cover.latest):
            found = find_in_context(sentence, conversation, known.own)
            if isinstance(found, Occurrence) and any(rest & one.mentions.words for one in found.passages):
                return _in_context(found), "", 0
        best = cover.best(sentence.words)
        return _Proof(cover.latest, best.place, best.said, len(cover.words) / len(sentence.words)), "", len(cover.words)
    if known is None:
        return None, rejection or _TOO_FEW, len(cover.words)
    is_open = rejection is None or rejection.startswith((_TOO_FEW, "the user never said"))
    if not is_open and not is_variant(sentence, known.own):
        return None, rejection or "", len(cover.words)
    found = find_in_context(sentence, conversation, known.own, likeness)
    if isinstance(found, str):
        return None, found, len(cover.words)
    return _in_context(found), "", 0


def _in_context(found: Occurrence) -> _Proof:
    latest = found.passages[-1]
    return _Proof(
        found.message, latest.place, latest.sentence, found.share, any(one.is_order for one in found.passages)
    )


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
    share: float,
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
        coverage=share,
        reason=reason,
        stated_at=at,
        stated_from=since,
        stated_by=None if known is None else find_teller(doubtful, conversation),
    )


def _accepted(sentence: MemorySentence, conversation: Conversation) -> dict[int, list[Statement]]:
    """Return, by message, what of the person's words can be what `sentence` reports."""
    found: dict[int, list[Statement]] = {}
    for index, one in conversation.statements(sentence.words):
        if sentence.accepts(one):
            found.setdefault(index, []).append(one)
    return found


def _find_cover(sentence: MemorySentence, conversation: Conversation) -> tuple[_Cover, str | None]:
    """Return where the person said `sentence`, the latest of several places, or the best place and what is wrong."""
    if conversation.count_person(sentence.words) < COVERAGE_FLOOR * len(sentence.words):
        return _NO_COVER, _TOO_FEW
    first: tuple[_Cover, str | None] | None = None
    for cover in _best_covers(sentence.words, _accepted(sentence, conversation)):
        rejection = _rejection(sentence, cover, conversation)
        if rejection is None:
            return cover, None
        first = first or (cover, rejection)
    return first or (_NO_COVER, _TOO_FEW)


def _best_covers(words: frozenset[str], said: dict[int, list[Statement]]) -> Iterator[_Cover]:
    """Yield the messages of the person's that cover `words` best, latest first, the first with what another adds."""
    covers = [
        _Cover(index, words & frozenset().union(*[one.clause.words for one in used]), tuple(used), (index,))
        for index, used in said.items()
    ]
    most = max([len(one.words) for one in covers], default=0)
    equals = [one for one in reversed(covers) if len(one.words) == most]
    if equals and most < len(words) and len(covers) > 1:
        best = equals[0]
        other = max(covers, key=lambda one: (len(one.words - best.words), one.latest))
        if len(other.words - best.words) >= 2:
            yield _Cover(
                max(best.latest, other.latest),
                best.words | other.words,
                best.used + other.used,
                best.indexes + other.indexes,
            )
            return
    yield from equals


def _rejection(sentence: MemorySentence, cover: _Cover, conversation: Conversation) -> str | None:
    """Return why the words that cover `sentence` do not make it the person's, or None."""
    if len(cover.words) < COVERAGE_FLOOR * len(sentence.words):
        return _TOO_FEW
    rejection = find_rejection(sentence.clauses(), sentence.words, cover.used, floor=COVERAGE_FLOOR)
    if rejection is not None:
        return rejection
    extra = sentence.words - cover.words - GENERAL_KEYS
    if extra:
        teller, count = conversation.best_other(sentence.words)
        if teller is not None and count > len(cover.words) and conversation.says(teller, extra):
            return "the agent said more of it"
    return None


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'
