"""A memory read in its conversation: what the user said of it, what was spoken of before, what others brought (T-03).

People do not repeat what they speak of: "it", "that" and a bare value stand for what came before. So the *value* must
be the user's own, in whatever spelling, said in a clause that asserts or demands it; the frame may come from the
conversation before it or from an older memory; and nothing that only the agent or a tool said may be in it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from .force import Force
from .likeness import LEAST, Alike, Likeness, find_alike
from .mentions import HARD, LIGHT, LIGHT_KEYS, SOFT, Item, Mentions, join, read_items, read_mentions
from .objections import contradicting
from .passages import TIME_KEYS, Passage, accepts, is_of_it
from .speakers import Speaker
from .spoken_values import Spoken, find_spoken
from .statements import Sentence, is_foreign, is_question, split_sentences
from .tokens import FRAME_KEYS, Token, keys_of, read_tokens
from .vocabulary import DENIERS

if TYPE_CHECKING:
    from .conversation import Conversation

#: How much of a memory must be known from the user or stand in the frame; less where the user speaks another language.
_KNOWN_SHARE, _FOREIGN_SHARE = 0.5, 0.2
_TOO_LITTLE: Final = "the user said too little of it"
_NOTHING: Final = "the user said nothing of it"
_OTHERS: Final = "somebody else brought some of it"
#: Where words alone leave it open.
_OPEN: Final = frozenset((_TOO_LITTLE, _OTHERS))
#: So many utterances before an answer are what it answers.
_REACH: Final = 8

_OPEN_QUESTION: Final = re.compile(r"\b(?:what|which|who|whose|whom|where|when|how|why)\b", re.IGNORECASE)
_DENIAL: Final = re.compile(rf"\b(?:{'|'.join(sorted(DENIERS))})\b|n['\u2019]t\b", re.IGNORECASE)
#: Verbs that deny by their meaning, and are no other word for an end.
_REFUSAL: Final = re.compile(r"\b(?:avoid|forbid|prohibit|refus|dislik|reject|hat(?:es?|ed)\b)", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r"\b(?:without|except)\b", re.IGNORECASE)
#: A denial up to a limit: "nobody merges without my okay", "no more than three".
_LIMITED: Final = re.compile(
    r"\b(?:without|over|more|less|before|until|till|than|except|unless|only|above|below|after)\b", re.IGNORECASE
)


_REASON: Final = re.compile(r"\b(?:because(?:\s+of)?|due\s+to|owing\s+to|so\s+that)\s", re.IGNORECASE)
_USER_KEYS: Final = keys_of(("user",))
#: Values that count nothing.
_NO_COUNTS: Final = frozenset(("month", "weekday", "clock"))


class Found(NamedTuple):
    """Where the user said a sentence: the message, the passages that prove it, and how much of it is known (0 - 1)."""

    message: int
    passages: tuple[Passage, ...]
    share: float


class Around(NamedTuple):
    """What was mentioned around a message.

    `before` it by the user, in `questions` before it, in the open question `asked` that it answers, in the statement
    `corrected` by it, by `others` before it, and in the sentences of others `after` it.
    """

    before: Mentions
    questions: Mentions
    asked: Mentions
    corrected: Mentions
    others: Mentions
    after: tuple[Mentions, ...]

    def spoken_of(self, item: Item) -> bool:
        """Whether a pronoun may stand for `item`: the user mentioned it, or somebody asked for it."""
        return self.before.has(item) or self.questions.has(item)

    def without_echo(self, own: Iterable[Item]) -> Mentions:
        """Return what others mentioned, but for what repeats the user's number: that changes nothing."""
        hard = [one for one in own if one.is_hard and one.number is not None]
        return join((self.others, *(one for one in self.after if not any(map(one.has, hard)))))


class _Memory(NamedTuple):
    """One sentence of a memory, what it says, and the older memories that it may meet.

    `is_swap` where it says what one of them says but for a value: then who asked for that is no matter ("Legal asked
    for 60").
    """

    sentence: Sentence
    items: tuple[Item, ...]
    words: Mentions
    earlier: Mentions
    is_swap: bool

    @classmethod
    def of(cls, sentence: Sentence, earlier: Sequence[str] = ()) -> _Memory:
        known = [read_mentions(one) for one in earlier]
        return cls(
            sentence,
            read_items(sentence.text),
            read_mentions(sentence.text),
            join(known),
            is_swap(sentence, earlier),
        )

    def may_be(self, passage: Passage) -> bool:
        """Whether it may report a passage of the user's, by its force and by whom that speaks of."""
        return accepts(self.sentence, passage, self.items)

    def passages(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return those of the user's passages that can be what it reports."""
        return [
            one
            for one in passages
            if self.may_be(one) and (self.is_swap or is_of_it(one, self.sentence.text, self.words, self.items))
        ]


def is_swap(sentence: Sentence, earlier: Sequence[str]) -> bool:
    """Whether `sentence` says what one of the `earlier` memories says but for a value."""
    items = read_items(sentence.text)
    known = map(read_mentions, earlier)
    return any(sum(item.weight for item in items if not one.has(item)) <= 2 * HARD for one in known)


def find_in_context(
    sentence: Sentence, conversation: Conversation, earlier: Sequence[str] = (), likeness: Likeness | None = None
) -> Found | str:
    """Return where the user said `sentence` of a memory, read with what stands before it; or why nobody can say so.

    `earlier` are older memories that the new one may meet: what they speak of need not be said again. `likeness` is
    asked where the words leave it open.
    """
    memory = _Memory.of(sentence, earlier)
    known = [one for one in memory.items if one.weight >= SOFT and conversation.heard.has(one)]
    index = _find_message(memory, conversation) if known else None
    found = _NOTHING if index is None else _judge(memory, index, conversation)
    if likeness is None or isinstance(found, Found) or found not in _OPEN:
        return found
    alike = find_alike(sentence.text, memory.words, conversation, memory.may_be, likeness)
    return found if alike is None else _judge_alike(memory, alike, conversation)


def _judge_alike(memory: _Memory, alike: Alike, conversation: Conversation) -> Found | str:
    """Return whether what a memory is like makes it the user's: no value is missing, nothing denied, nothing added."""
    proof = (alike.passage,)
    own = _said(memory.items, proof)
    weights = _weigh(memory, alike.message, own, proof, conversation.around(alike.message, _REACH), conversation)
    if isinstance(weights, str):
        return weights
    if weights["others"] > SOFT:
        return _OTHERS
    if _denies(memory.sentence.text) != _denies(alike.passage.sentence):
        return "the user said the opposite"
    return _objection(memory, own, proof) or Found(alike.message, proof, LEAST)


def _find_message(memory: _Memory, conversation: Conversation) -> int | None:
    """Return the user's latest message that adds a value to what was said before; else the one that says most of it."""
    fullest, latest, spoken = (0.0, -1), -1, set[Item]()
    is_denial = _DENIAL.search(memory.sentence.text) is not None
    for index in conversation.by_person:
        if not any(map(conversation.mentions(index).has, memory.items)):
            continue
        passages = conversation.passages(index)
        if is_denial and not any(_denies(one.sentence) or is_foreign(one.sentence) for one in passages):
            continue
        used = memory.passages(passages)
        own = _said(memory.items, used)
        new = [one for one in own if one not in spoken]
        spoken.update(_said(memory.items, passages))
        fullest = max(fullest, (sum(one.weight for one in own), index))
        if any(one.is_hard for one in new) or _adds(new, own, used):
            latest = index
    if not fullest[0]:
        return None
    return latest if latest >= 0 else fullest[1]


def _adds(new: Sequence[Item], own: Sequence[Item], used: Sequence[Passage]) -> bool:
    """Whether a message adds a word to what it speaks of, or to what it points to."""
    added = [one for one in new if one.weight >= SOFT]
    holders = [one for one in used if _said(added, [one])]
    return bool(added) and (any(one.points for one in holders) or sum(one.weight >= SOFT for one in own) >= 2)


def _said(items: Iterable[Item], passages: Sequence[Passage]) -> list[Item]:
    return [one for one in items if any(passage.has(one) for passage in passages)]


def _judge(memory: _Memory, index: int, conversation: Conversation) -> Found | str:
    """Return what the message at `index` proves; or why it does not make the memory the user's."""
    used = memory.passages(conversation.passages(index))
    own = _said(memory.items, used)
    proof = tuple(one for one in used if _said(own, [one]))
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
    return _objection(memory, own, proof) or Found(index, proof, share)


def _weigh(
    memory: _Memory,
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
    strangers = [one for one in unused if one.force is Force.ASSERTED and not memory.passages([one])]
    requests = [one for one in unused if one.force is Force.WISHED]
    elsewhere = memory.passages(conversation.passages_beside(index))
    others, points = around.without_echo(own), any(one.points for one in proof)
    weights = dict.fromkeys(("own", "beside", "frame", "others", "nobody"), 0.0)
    for item in memory.items:
        if item in own:
            place = "own"
        elif _said([item], elsewhere):
            place = "beside"
        elif memory.earlier.has(item) or around.asked.has(item):
            place = "frame"
        elif item.weight >= SOFT and _said([item], strangers):
            return f"the user said {item.text} of something else"
        elif item.number is None and _said([item], requests):
            place = "frame"
        elif item.number is not None and (item.is_hard or _names_rival(item.number, proof, memory)):
            return f"the user never said {item.text}"
        elif around.corrected.has(item) or (points and (around.spoken_of(item) or _said([item], unused))):
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


def _said_alike(memory: _Memory, proof: Sequence[Passage]) -> float:
    """Return what the words weigh that a summary often supplies, where the user said them too."""
    said = memory.earlier.words.union(*(one.mentions.words for one in proof))
    words = memory.words.words & FRAME_KEYS & said
    return SOFT / 2 * len(words - _USER_KEYS)


def _is_acronym(item: Item, memory: _Memory, own: Sequence[Item]) -> bool:
    """Whether a name is the short one of a kind of thing, which a summary may add to a number: "RAM", "VAT"."""
    short = item.text.upper()
    has_number = any(one.number is not None and one.is_hard for one in own)
    return has_number and short.isalpha() and len(short) <= 4 and short in memory.sentence.text


def _objection(memory: _Memory, own: Sequence[Item], proof: Sequence[Passage]) -> str | None:
    tokens = list(read_tokens(memory.sentence.text))
    is_denial, is_turned = _denies(memory.sentence.text), any(token.has_polarity for token in tokens)
    for item in own:
        holders = [one for one in proof if one.has(item)]
        denied = [one for one in holders if item.keys & one.clause.denied and not _is_limited(one.text)]
        if not is_turned and len(denied) == len(holders) and not memory.earlier.has(item):
            return f"the user denied {item.text}"
        if item.number is not None and item.is_hard and not any(_is_value_of_it(item, one, memory) for one in holders):
            return f"the user said {item.text} of something else"
    denied_first = _denied_first(memory) if is_denial else None
    if is_denial and not any(_denies(one.sentence) or is_foreign(one.sentence) for one in proof):
        return "the user denied nothing"
    if denied_first is not None and denied_first not in own and not any(is_foreign(one.sentence) for one in proof):
        return f"the user did not deny {denied_first.text}"
    said = frozenset().union(*(one.mentions.words for one in proof))
    words = memory.words.words - TIME_KEYS
    return "the user said another thing" if contradicting(words, said - words - TIME_KEYS) else None


def _is_value_of_it(item: Item, passage: Passage, memory: _Memory) -> bool:
    """Whether the number of a passage is the memory's: it counts nothing else, and stands nearest to what both say."""
    if item.number is None or item.number.dimension in _NO_COUNTS:
        return True
    tokens = list(read_tokens(passage.text))
    shared = [at for at, token in enumerate(tokens) if any(memory.words.knows(key) for key in token.keys)]
    shared = [at for at in shared if not tokens[at].number]
    values = [(at, find_spoken(token.low)) for at, token in enumerate(tokens) if token.number]
    own = [at for at, found in values if any(map(item.number.is_same, found))]
    if not shared and not passage.points and not passage.subject:
        return not any(_is_counted(tokens, at) for at in own)
    known = [one.number for one in memory.items if one.number is not None]
    rivals = [at for at, found in values if found and not any(one.is_same(two) for one in known for two in found)]
    if not own or not rivals or not shared:
        return True
    return min(abs(at - one) for at in own for one in shared) <= min(abs(at - one) for at in rivals for one in shared)


def _is_counted(tokens: Sequence[Token], at: int) -> bool:
    """Whether the number at `at` counts what stands right after it."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and not after.unit and not after.number and bool(set(after.keys) - LIGHT_KEYS)


def _names_rival(number: Spoken, proof: Sequence[Passage], memory: _Memory) -> bool:
    """Whether the user names another number of the kind, which the memory has not."""
    known = [one.number for one in memory.items if one.number is not None]
    return any(
        number.is_rival(one) and not any(one.is_same(other) for other in known)
        for passage in proof
        for one in passage.mentions.values
    )


def _is_limited(text: str) -> bool:
    return _LIMITED.search(text) is not None and _DENIAL.search(text) is not None


def is_explained(sentence: Sentence, conversation: Conversation) -> bool:
    """Whether `sentence` gives a reason that somebody else brought, and the user said nothing of."""
    for reason in _REASON.split(sentence.text)[1:]:
        items = [one for one in read_items(reason) if one.weight >= SOFT]
        if any(map(conversation.heard_of_others.has, items)) and not any(map(conversation.heard.has, items)):
            return True
    return False


def _denies(text: str) -> bool:
    return _DENIAL.search(text) is not None or _EXCEPTION.search(text) is not None or _REFUSAL.search(text) is not None


def _denied_first(memory: _Memory) -> Item | None:
    """Return the first word that a memory denies."""
    denial = _DENIAL.search(memory.sentence.text)
    rest = memory.sentence.text[denial.end() :].casefold() if denial else ""
    found = [one for one in memory.items if one.weight >= SOFT and one.number is None and one.text in rest]
    return min(found, key=lambda one: rest.index(one.text), default=None)


def find_teller(sentence: Sentence, conversation: Conversation) -> Speaker | None:
    """Return who else is known to have said `sentence`: its values, or most of its words, that the user never said.

    None where nobody did, or the user mentioned them too, whatever was meant by it, or took them up: then nobody can
    tell.
    """
    items = read_items(sentence.text)
    unsaid = [one for one in items if one.weight >= SOFT and not conversation.heard.has(one)]
    hard = [one for one in unsaid if one.is_hard]
    others = conversation.heard_of_others
    if not any(map(others.has, hard)) and (any(one.is_hard for one in items) or not all(map(others.has, unsaid))):
        return None
    for index in reversed(range(len(conversation))):
        if conversation[index].speaker is not Speaker.USER:
            said = read_mentions(conversation[index].text)
            if any(map(said.has, hard)) or (unsaid and not hard and all(map(said.has, unsaid))):
                return None if conversation.is_taken_up(index) else conversation[index].speaker
    return None


def is_stray(sentence: Sentence, conversation: Conversation, indexes: Iterable[int]) -> bool:
    """Whether the user's words at `indexes` say a part of `sentence` only of something else, or in a quotation."""
    memory = _Memory.of(sentence)
    items = tuple(one for one in memory.items if one.weight >= SOFT)
    for index in indexes:
        if conversation.is_agreement(index):
            continue
        passages = conversation.passages(index)
        if any(is_foreign(one.sentence) for one in passages):
            return False
        others = [one for one in passages if not one.points and not is_of_it(one, sentence.text, memory.words, items)]
        used = [one for one in passages if one not in others]
        if set(_said(items, others)) - set(_said(items, used)) and _said(items, used):
            return True
        said = read_mentions(conversation[index].text)
        if any(said.has(one) for one in items) and not _said(items, passages):
            return True
        if _is_exchanged(memory, [one for one in passages if _said(items, [one])], conversation):
            return True
    return False


def _is_exchanged(memory: _Memory, proof: Sequence[Passage], conversation: Conversation) -> bool:
    """Whether a word of the memory is only the agent's or a tool's, and the user's words have another beside it."""
    others, heard = conversation.heard_of_others, conversation.heard
    if not memory.sentence.text.isascii() or not any(others.has(one) and not heard.has(one) for one in memory.items):
        return False
    said = frozenset().union(*(one.mentions.words for one in proof)) - FRAME_KEYS - LIGHT_KEYS
    return any(not memory.words.knows(key) for key in said)


def read_around(
    before_own: Sequence[str], before: Sequence[str], after: Sequence[str], answered: str, said: str
) -> Around:
    """Return what was mentioned around the message `said`, of the texts on either side of it.

    An open question that it answers is its frame, and so are the words of a statement of which it names another value.
    """
    asked = [one for one in split_sentences(answered)[-1:] if is_question(one) and _OPEN_QUESTION.search(one)]
    values = [(one, two) for one in find_spoken(answered) for two in find_spoken(said)]
    is_corrected = any(one.is_rival(two) and not one.is_same(two) for one, two in values)
    questions = [one for text in before for one in split_sentences(text) if is_question(one)]
    return Around(
        join(map(read_mentions, before_own)),
        join(map(read_mentions, questions)),
        join(map(read_mentions, asked)),
        read_mentions(answered) if is_corrected else Mentions(),
        join(map(read_mentions, before)),
        tuple(read_mentions(one) for text in after for one in split_sentences(text)),
    )
