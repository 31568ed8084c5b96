"""A memory read in its conversation: what the user said of it, what was spoken of before, what others brought (T-03).

People do not repeat what they speak of: "it", "that" and a bare value stand for what came before. So the *value* must
be the user's own, in whatever spelling, said in a clause that asserts or demands it; the frame may come from the
conversation before it or from an older memory; and nothing that only the agent or a tool said may be in it. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..language.keys import FRAME_KEYS, keys_of
from ..language.modality import Modality
from ..language.sentences import is_foreign
from .around import Around
from .bound import is_unbound
from .faults import find_fault, names_rival
from .likeness import LEAST, Alike, Likeness, find_alike
from .mentions import LIGHT, SOFT, Item
from .passages import Passage
from .reports import DENIAL, SentenceReport, denies, said_in
from .statements import MemorySentence

if TYPE_CHECKING:
    from .conversation import Conversation

#: How much of a memory must be known from the user or stand in the frame; less where the user speaks another language.
_KNOWN_SHARE, _FOREIGN_SHARE = 0.5, 0.2
_TOO_LITTLE: Final = "the user said too little of it"
_NOTHING: Final = "the user said nothing of it"
_OTHERS: Final = "somebody else brought some of it"
_ELSE: Final = "the user said it of something else"
#: Where words alone leave it open.
_OPEN: Final = frozenset((_TOO_LITTLE, _OTHERS))
#: So many utterances before an answer are what it answers.
_REACH: Final = 8

_USER_KEYS: Final = keys_of(("user",))


class Occurrence(NamedTuple):
    """Where the user said a sentence: the message, the passages that prove it, and how much of it is known (0 - 1)."""

    message: int
    passages: tuple[Passage, ...]
    share: float


def find_in_context(
    sentence: MemorySentence, conversation: Conversation, earlier: Sequence[str] = (), likeness: Likeness | None = None
) -> Occurrence | str:
    """Return where the user said `sentence` of a memory, read with what stands before it; or why nobody can say so.

    `earlier` are older memories that the new one may meet: what they speak of need not be said again. `likeness` is
    asked where the words leave it open.
    """
    memory = SentenceReport.of(sentence, earlier)
    known = [one for one in memory.items if one.weight >= SOFT and conversation.heard.has(one)]
    index = _find_message(memory, conversation) if known else None
    found = _NOTHING if index is None else _judge(memory, index, conversation)
    if likeness is None or isinstance(found, Occurrence) or found not in _OPEN:
        return found
    alike = find_alike(sentence.text, memory.words, conversation, memory.may_be, likeness)
    return found if alike is None else _judge_alike(memory, alike, conversation)


def _judge_alike(memory: SentenceReport, alike: Alike, conversation: Conversation) -> Occurrence | str:
    """Return whether what a memory is like makes it the user's: no value is missing, nothing denied, nothing added."""
    proof = (alike.passage,)
    own = said_in(memory.items, proof)
    weights = _weigh(memory, alike.message, own, proof, conversation.around(alike.message, _REACH), conversation)
    if isinstance(weights, str):
        return weights
    if weights["others"] > SOFT:
        return _OTHERS
    if denies(memory.sentence.text) != denies(alike.passage.sentence):
        return "the user said the opposite"
    return find_fault(memory, own, proof) or Occurrence(alike.message, proof, LEAST)


def _find_message(memory: SentenceReport, conversation: Conversation) -> int | None:
    """Return the user's latest message that adds a value to what was said before; else the one that says most of it."""
    fullest, latest, spoken = (0.0, -1), -1, set[Item]()
    is_denial = DENIAL.search(memory.sentence.text) is not None
    for index in conversation.by_person:
        if not any(map(conversation.mentions(index).has, memory.items)):
            continue
        passages = conversation.passages(index)
        if is_denial and not any(denies(one.sentence) or one.is_other_language for one in passages):
            continue
        used = memory.passages(passages)
        own = said_in(memory.items, used)
        new = [one for one in own if one not in spoken]
        spoken.update(said_in(memory.items, passages))
        fullest = max(fullest, (sum(one.weight for one in own), index))
        if any(one.is_hard for one in new) or _adds(new, own, used):
            latest = index
    if not fullest[0]:
        return None
    return latest if latest >= 0 else fullest[1]


def _adds(new: Sequence[Item], own: Sequence[Item], used: Sequence[Passage]) -> bool:
    """Whether a message adds a word to what it speaks of, or to what it points to."""
    added = [one for one in new if one.weight >= SOFT]
    holders = [one for one in used if said_in(added, [one])]
    return bool(added) and (any(one.points for one in holders) or sum(one.weight >= SOFT for one in own) >= 2)


def _judge(memory: SentenceReport, index: int, conversation: Conversation) -> Occurrence | str:
    """Return what the message at `index` proves; or why it does not make the memory the user's."""
    used = memory.passages(conversation.passages(index))
    own = said_in(memory.items, used)
    proof = tuple(one for one in used if said_in(own, [one]))
    around = conversation.around(index, _REACH)
    weights = _weigh(memory, index, own, proof, around, conversation)
    if isinstance(weights, str):
        return weights
    if weights["others"] >= SOFT:
        return _OTHERS
    is_answer = bool(around.asked.words) or (
        any(one.points for one in proof) and weights["frame"] + weights["beside"] > 0
    )
    if not any(item.is_hard for item in own) and sum(one.weight >= SOFT for one in own) < (1 if is_answer else 2):
        return _TOO_LITTLE
    is_other_language = is_foreign(conversation[index].text)
    heaviest = max(one.weight for one in own)
    more = weights["own"] - heaviest + weights["beside"] + weights["frame"] + _said_alike(memory, proof)
    least = min(SOFT, max(2 * LIGHT, sum(one.weight for one in memory.items) - heaviest) / 2)
    if more < least and not is_other_language:
        return _TOO_LITTLE
    share = 1 - weights["nobody"] / max(sum(weights.values()), SOFT)
    if share < (_FOREIGN_SHARE if is_other_language else _KNOWN_SHARE):
        return _TOO_LITTLE
    heard = conversation.passages(index)
    if not memory.is_variant and (_is_guess(memory, own, heard) if is_other_language else is_unbound(memory, proof)):
        return _ELSE
    return find_fault(memory, own, proof) or Occurrence(index, proof, share)


def _is_guess(memory: SentenceReport, own: Sequence[Item], heard: Sequence[Passage]) -> bool:
    """Whether words in another language give two values of the kind, of which a memory has one."""
    return any(one.number is not None and names_rival(one.number, heard, memory) for one in own)


def _weigh(
    memory: SentenceReport,
    index: int,
    own: Sequence[Item],
    proof: Sequence[Passage],
    around: Around,
    conversation: Conversation,
) -> dict[str, float] | str:
    """Return how much of a memory is the user's here, or beside, or in the frame, or others', or nobody's word.

    Or why that is no matter: a name or a number may be nobody's, and nothing the user's of something else.
    """
    unused = [one for one in conversation.passages(index) if one not in proof]
    strangers = [one for one in unused if one.modality is Modality.FACT and not memory.passages([one])]
    requests = [one for one in unused if one.modality is Modality.PLAN]
    elsewhere = memory.passages(conversation.passages_beside(index))
    others, points = around.without_echo(own), any(one.points for one in proof)
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
        elif item.number is not None and (item.is_hard or names_rival(item.number, proof, memory)):
            return f"the user never said {item.text}"
        elif around.corrected.has(item) or (points and (around.spoken_of(item) or said_in([item], unused))):
            place = "frame"
        elif others.has(item):
            place = "others"
        elif item.is_hard and not _is_acronym(item, memory, own):
            return f"the user never said {item.text}"
        elif item.weight < SOFT:
            continue
        else:
            place = "nobody"
        weights[place] += item.weight
    return weights


def _said_alike(memory: SentenceReport, proof: Sequence[Passage]) -> float:
    """Return what the words weigh that a summary often supplies, where the user said them too."""
    said = memory.earlier.words.union(*(one.mentions.words for one in proof))
    words = memory.words.words & FRAME_KEYS & said
    return SOFT / 2 * len(words - _USER_KEYS)


def _is_acronym(item: Item, memory: SentenceReport, own: Sequence[Item]) -> bool:
    """Whether a name is the short one of a kind of thing, which a summary may add to a number: "RAM", "VAT"."""
    short = item.text.upper()
    has_number = any(one.number is not None and one.is_hard for one in own)
    return has_number and short.isalpha() and len(short) <= 4 and short in memory.sentence.text
