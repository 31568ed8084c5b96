"""What was mentioned around a message: before it, in what it answers or corrects, and after it (T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ..language.modality import is_question
from ..language.sentences import split_sentences
from ..language.vocabulary import QUESTION_OPENERS, one_of
from ..patterns import regex
from .confirmations import find_lead
from .mentions import Item, Mentions, join, parse_mentions
from .spoken_values import find_spoken

_OPEN_QUESTION: Final = regex(rf"\b(?:{one_of(QUESTION_OPENERS)})\b", re.IGNORECASE)


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


def parse_around(
    before_own: Sequence[str], before: Sequence[str], after: Sequence[str], answered: str, said: str
) -> Around:
    """Return what was mentioned around the message `said`, of the texts on either side of it.

    An open question that it answers is its frame, and so are the words of a statement of which it names another value.
    """
    asked = [one for one in split_sentences(answered)[-1:] if is_question(one) and _OPEN_QUESTION.search(one)]
    asked += [lead] if (lead := find_lead(answered, said)) else []
    values = [(one, two) for one in find_spoken(answered) for two in find_spoken(said)]
    is_corrected = any(one.is_rival(two) and not one.is_same(two) for one, two in values)
    questions = [one for text in before for one in split_sentences(text) if is_question(one)]
    return Around(
        join(map(parse_mentions, before_own)),
        join(map(parse_mentions, questions)),
        join(map(parse_mentions, asked)),
        parse_mentions(answered) if is_corrected else Mentions(),
        join(map(parse_mentions, before)),
        tuple(parse_mentions(one) for text in after for one in split_sentences(text)),
    )
