"""Find the runs of words that name a thing in a clause, in front of its verb and behind it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from ...language.lexicon import (
    CONJUNCTIONS,
    DETERMINERS,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PREPOSITIONS,
    PRONOUNS,
    singular,
)
from ...language.segment import is_finite
from ...language.token import Token
from ...language.words import stem
from ..grammar.topics import CLASS_NOUNS
from .situations import sentence_tokens

GRAMMAR: Final = DETERMINERS | NEUTRAL | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | FIRST_PERSON | INDEFINITE | {"not"}
#: An opening of at most so many words names nobody: "Correction:", "Since Monday,".
_OPENING_WORDS: Final = 2


class Run(NamedTuple):
    """Words that stand side by side and name one thing; the last one is its head. `is_led`: by "the" or "my"."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    is_led: bool
    before_of: bool

    @property
    def head(self) -> str:
        return self.words[-1]

    @property
    def is_name(self) -> bool:
        last = self.tokens[-1]
        if self.is_led and last.text.isupper() and last.text.isalpha():
            return False
        is_bare = len(self.words) == 1 and not self.is_led and singular(last.low) == last.low
        return is_bare or not last.low.isalpha() or (not last.text.islower() and self.head not in CLASS_NOUNS)


class ClauseInText(NamedTuple):
    """A clause of a text: its words, those before its verb and what they name, its sentences and their words."""

    tokens: tuple[Token, ...]
    subject: tuple[Token, ...]
    runs: tuple[Run, ...]
    sentence: tuple[Token, ...]
    known: frozenset[str]
    is_first: bool

    @property
    def topics(self) -> tuple[Run, ...]:
        """What the sentence of the clause begins with."""
        return tuple(_runs(self.sentence[: _end_of_subject(self.sentence)]))

    @property
    def objects(self) -> tuple[Run, ...]:
        """What stands behind the verb with an article: "moved the weekend standup"."""
        rest = self.tokens[len(self.subject) :]
        begins = (index for index in range(1, len(rest) - 1) if rest[index].low == "the")
        return tuple(
            run
            for index in begins
            if rest[index - 1].low not in PREPOSITIONS - {"over", "of", "in"}
            for run in islice(_runs(rest[index:]), 1)
        )

    @property
    def aims(self) -> tuple[Run, ...]:
        """What somebody does something for: "pays for the northern queue"."""
        return tuple(
            run
            for index in range(len(self.subject), len(self.tokens) - 1)
            if self.tokens[index].low == "for" and self.tokens[index + 1].low in DETERMINERS
            for run in islice(_runs(self.tokens[index + 1 :]), 1)
        )


@lru_cache(maxsize=256)
def parse_which(text: str, span: tuple[int, int]) -> ClauseInText:
    """Return the clause in a span of a text."""
    sentence = sentence_tokens(text, span)
    tokens = tuple(token for token in sentence if span[0] <= token.start < span[1])
    end = _end_of_subject(tokens) or _behind_name(tokens)
    known = frozenset(form_of(token) for token in sentence)
    is_first = len(text[: span[0]].split()) <= _OPENING_WORDS
    return ClauseInText(tokens, tokens[:end], tuple(_runs(tokens[:end])), sentence, known, is_first)


def _end_of_subject(tokens: Sequence[Token]) -> int:
    return next((index for index in range(1, len(tokens)) if is_finite(tokens, index)), 0)


def _behind_name(tokens: Sequence[Token]) -> int:
    """Return 1 if an unknown verb follows a bare name ("Pernilla learns Korean"), else 0."""
    is_told = len(tokens) > 1 and tokens[0].low not in GRAMMAR and tokens[0].text[0].isupper()
    return int(is_told and tokens[1].text.islower() and tokens[1].low.endswith("s") and "'" not in tokens[1].low)


def form_of(token: Token) -> str:
    """Return the form in which a word is compared."""
    return stem(token.low.removesuffix("'s").lstrip("#@"))


def _runs(subject: Sequence[Token]) -> Iterator[Run]:
    run: list[Token] = []
    for index in range(len(subject) + 1):
        token = subject[index] if index < len(subject) else None
        if token is not None and token.low not in GRAMMAR and (token.low[0].isalnum() or token.low[0] in "#@/~."):
            run.append(token)
            continue
        if run:
            before = subject[index - len(run) - 1].low if index > len(run) else ""
            is_before_of = token is not None and token.low == "of"
            yield Run(tuple(form_of(word) for word in run), tuple(run), before in DETERMINERS, is_before_of)
        run = []
