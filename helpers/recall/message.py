"""The sentences of a message that speak to the agent: each is a question of its own to the store (T-66). Pure.

A message holds a question behind chat, a letter, a log. Judged as a whole nothing is near it; so each sentence is asked
for itself, and a memory is judged by the sentence that it fits best. What is pasted is left out as far as it can be
told from speech.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from ..language.sentences import LONGEST_TEXT
from ..language.tables import read_table, word_sets
from ..ledger.passages import own_sentences
from ..patterns import regex

_WORDS: Final = word_sets(read_table(__file__, "message"))
#: So many sentences of a message are asked at most.
MOST_SENTENCES: Final = 16
#: A sentence is read up to here.
_LONGEST: Final = 400
#: More sentences than these between the first and the last paragraph are handed over, where one of these asks.
_MOST_BETWEEN: Final = 4
#: Lines of one shape that stand so often in a message are pasted.
_PASTED: Final = 3
_LEAST_LETTERS: Final = 0.75
_WORD = regex(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PARAGRAPH = regex(r"\n\s*\n")
_FENCE = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_SAYS = regex(r"\w")
_DIGITS = regex(r"\d+")
_LETTER_OR_BLANK = regex(r"[^\W\d_]|[ '’,.?!]")
#: Where a sentence begins, and nobody has marked the end of the last one: "what is its url It rained so hard".
_UNMARKED = regex(rf"(?<=[a-z0-9]) (?=(?:{'|'.join(map(str.title, sorted(_WORDS['opens'])))}) [a-z])")
_CLAUSE = regex(r"[,;:–—]\s+|\s-+\s")


class MessageSentence(NamedTuple):
    """A sentence of a message: whether it `asks` or orders, and whether its words speak of what is the user's own."""

    text: str
    asks: bool
    is_own: bool


@lru_cache(maxsize=256)
def split_message(text: str) -> tuple[MessageSentence, ...]:
    """Return the sentences of a message that speak to the agent, in their order, 16 at most.

    Of more than these, what asks comes first, then what stands near the beginning or the end. Of a text of several
    paragraphs that stands between a first and a last one that asks, nothing speaks to the agent.
    """
    paragraphs = _PARAGRAPH.split(_FENCE.sub("\n\n", text).strip())
    ends = [one for end in dict.fromkeys((paragraphs[0], paragraphs[-1])) for one in own_sentences(end)]
    found = list(dict.fromkeys(chain(*map(_UNMARKED.split, [*own_sentences(text), *ends]))))
    pasted = _pasted_lines(text)
    is_line = "\n" not in text.strip()
    spoken = [one for one in found if is_line or (one not in pasted and _is_prose(one))]
    if len(spoken) - len(ends) > _MOST_BETWEEN and any(map(_asks, ends)):
        spoken = [one for one in spoken if one in ends]
    read = [read_sentence(one) for one in spoken if _SAYS.search(one)]
    if len(read) > MOST_SENTENCES:
        last = len(read) - 1
        ranked = sorted(range(len(read)), key=lambda at: (not read[at].asks, min(at, last - at), at))
        read = [read[at] for at in sorted(ranked[:MOST_SENTENCES])]
    return tuple(read)


def read_sentence(text: str) -> MessageSentence:
    """Return one sentence, or a message that is asked as a whole."""
    return MessageSentence(text[:_LONGEST], _asks(text), _is_own(text))


def _pasted_lines(text: str) -> frozenset[str]:
    """Return the lines of a message that begin as others do: those of a log, of a listing."""
    lines = [line.strip() for line in text[:LONGEST_TEXT].splitlines()]
    shapes = Counter(map(_shape, lines))
    return frozenset(line for line in lines if shapes[_shape(line)] >= _PASTED)


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line.partition(" ")[0])


def _is_prose(sentence: str) -> bool:
    """Whether a sentence is written in words; one that is a single path, name or number is not."""
    if sentence.rstrip().endswith(("?", "？")):
        return True
    letters = len(_LETTER_OR_BLANK.findall(sentence))
    return letters >= _LEAST_LETTERS * len(sentence) and (" " in sentence or letters == len(sentence))


def _asks(sentence: str) -> bool:
    """Whether a sentence asks or orders: by its mark, or by what it or one of its clauses begins with."""
    if sentence.rstrip(" \"')”*_").endswith(("?", "？", "؟")):
        return True
    return any(_begins_asking(clause) for clause in _CLAUSE.split(sentence))


def _begins_asking(clause: str) -> bool:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(clause)]
    begins = next((word for word in words if word not in _WORDS["before"] or word in _WORDS["asks"]), "")
    return begins in _WORDS["asks"]


def _is_own(sentence: str) -> bool:
    return any(word.casefold().replace("’", "'") in _WORDS["own"] for word in _WORD.findall(sentence))
