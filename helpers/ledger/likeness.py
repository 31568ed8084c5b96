"""Which of the things said in a conversation a memory is most like, by its meaning (T-03). Pure.

Words differ where the meaning is the same: "the docs stay in Confluence", "Documentation remains in Confluence". So a
memory is held against each thing that the user says, and against all that it must not be taken from: what others say,
and what the user only asks, supposes or quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..language.sentences import split_sentences
from .mentions import Mentions, parse_mentions
from .passages import Passage
from .speakers import Speaker
from .statements import in_first_person

if TYPE_CHECKING:
    from .conversation import Conversation

#: The cosines of one text to each of several, as many as there are; none where nothing can tell.
Likeness = Callable[[str, Sequence[str]], Sequence[float]]

#: So like must a memory be to what the user said, and by so much less to everything else.
LEAST, MARGIN = 0.6, 0.08
#: A memory is held against so many of the user's passages, the last ones, and so much of what else was said.
_OWN, _OTHER = 10, 6


class Alike(NamedTuple):
    """What of the user's words a memory is like: the message, and the passage."""

    message: int
    passage: Passage


def find_alike(
    text: str,
    words: Mentions,
    conversation: Conversation,
    may_be: Callable[[Passage], bool],
    likeness: Likeness,
) -> Alike | None:
    """Return what of the user's words the memory `text` is like; None where something else is nearly as like it.

    `may_be` says of a passage whether it asserts what a memory may report.
    """
    said = [(index, one) for index in reversed(conversation.by_person) for one in conversation.passages(index)]
    own = [Alike(index, one) for index, one in said if may_be(one)][:_OWN]
    if not own:
        return None
    shown = [_shown(one.passage, own) for one in own]
    rest = [one.text for _, one in said if not may_be(one)]
    others = (one for at in conversation if at.speaker is not Speaker.USER for one in split_sentences(at.text))
    known = list(islice(_near(words, [*rest, *others]), _OTHER))
    cosines = likeness(in_first_person(text), [*shown, *known])
    if len(cosines) < len(shown) + len(known):
        return None
    best = max(range(len(own)), key=lambda at: (cosines[at], -at))
    highest = max(cosines[len(own) :], default=0.0)
    return own[best] if cosines[best] >= max(LEAST, highest + MARGIN) else None


def _shown(passage: Passage, own: Sequence[Alike]) -> str:
    """Return a passage, or its sentence, where that says nothing else."""
    pieces = [one.passage.text for one in own if one.passage.sentence == passage.sentence]
    return passage.sentence if sum(map(len, pieces)) >= len(passage.sentence) - 8 * len(pieces) else passage.text


def _near(words: Mentions, texts: Iterable[str]) -> list[str]:
    """Return those of `texts` that have a word in common, most of them first."""
    counted = [(len(words.words & parse_mentions(one).words), one) for one in dict.fromkeys(texts)]
    return [one for count, one in sorted(counted, key=lambda pair: -pair[0]) if count]
