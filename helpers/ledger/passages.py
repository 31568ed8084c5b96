"""One utterance of the user's, piece by piece: what each piece mentions, does, is about and points to (T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from ..language.keys import keys_of, parse_tokens
from ..language.modality import CHOICE, Modality, is_hedged, is_request, parse_modalities, split_clauses
from ..language.numerals import MONTH_NUMBERS, WEEKDAY_NUMBERS
from ..language.sentences import is_foreign
from ..language.units import SPANS
from ..language.verbs import is_verb
from ..language.vocabulary import AUXILIARY_FORMS, TIMES_OF_DAY, WORDS
from ..language.wordings import read_patterns
from ..patterns import regex
from .clause_contents import ClauseContents, parse_clause
from .mentions import HARD, LIGHT_KEYS, Item, Mentions, parse_mentions
from .statements import LONGEST_SENTENCE, MemorySentence, in_first_person, own_sentences, somebody

_SAID: Final = read_patterns("utterances")


_SPEAKER: Final = frozenset(("i", "we", "you"))
_FAR_FROM: Final = regex(r"\bfar\s+from\b", re.IGNORECASE)
#: What opens a clause before its subject, and what a subject ends at.
BEFORE_SUBJECT: Final = WORDS["before_subject"]
AUXILIARIES: Final = AUXILIARY_FORMS | {"be", "been"} | {"s", "re", "ve"}
PREPOSITIONS: Final = WORDS["subject_ends"]
_OURS: Final = frozenset(("ours", "mine", "theirs"))
#: So many words before a colon are a label.
_LONGEST_LABEL: Final = 5


@dataclass(frozen=True, eq=False)
class Passage:
    """A piece of what the user says, with its modality and whom it is about; the rest is read when it is asked for.

    `is_order` where the user orders it, or takes up an offer; `is_answer` where the words are those of whom the user
    answers; `opens` where it opens its sentence.
    """

    text: str
    modality: Modality
    about: str
    is_order: bool
    place: int
    sentence: str
    opens: bool
    is_other_language: bool
    is_answer: bool = False

    def has(self, item: Item) -> bool:
        """Whether it says `item`, in whatever spelling."""
        return self.mentions.has(item)

    @cached_property
    def mentions(self) -> Mentions:
        """What it mentions."""
        return parse_mentions(self.text)

    @cached_property
    def clause(self) -> ClauseContents:
        """What it says."""
        return parse_clause(self.text, opens_sentence=self.opens)

    @cached_property
    def qualifiers(self) -> dict[str, str]:
        """The word before each word."""
        return parse_qualifiers(self.text)

    @property
    def subject(self) -> frozenset[str]:
        """The keys of the noun that it opens with."""
        return self._opening[0]

    @cached_property
    def points(self) -> bool:
        """Whether its frame stands elsewhere: a pronoun, a bare value, an order."""
        is_fragment = self._opening[1]
        return self.is_answer or is_fragment or self.is_order or _SAID["pointing"].search(self.text) is not None

    @cached_property
    def _opening(self) -> tuple[frozenset[str], bool]:
        if self.is_answer or self.is_other_language:
            return frozenset(), True
        return _parse_subject(self.text)


@lru_cache(maxsize=2_048)
def parse_passages(text: str) -> tuple[Passage, ...]:
    """Return the pieces of one utterance of the user's, without the material that it hands over or quotes."""
    return tuple(
        passage
        for place, sentence in enumerate(own_sentences(text))
        for passage in _parse_sentence(sentence[:LONGEST_SENTENCE], place)
    )


def _parse_sentence(sentence: str, place: int) -> Iterator[Passage]:
    sentence = _SAID["everything_but"].sub(r"\1 except", _SAID["tag"].sub(".", sentence)).replace(" ¿", ", ")
    sentence = _FAR_FROM.sub("not", sentence)
    clauses = tuple(
        [
            piece
            for clause in split_clauses(sentence)
            for part in _split_label(clause)
            for piece in _SAID["piece"].split(part)
        ]
    )
    is_asked_for, is_other_language = _SAID["asks_for"].search(sentence) is not None, is_foreign(sentence)
    for position, (text, modality) in enumerate(zip(clauses, parse_modalities(sentence, clauses), strict=True)):
        if modality is Modality.QUESTION and _is_told_beside(
            text, clauses[-1], position, len(clauses), is_asked_for, is_other_language
        ):
            modality = Modality.FACT
        about = "" if (about := somebody(text)) in _OURS else about
        is_order = _SAID["order"].match(_SAID["asked_to"].sub("", text)) is not None
        if is_order and modality is Modality.QUESTION and _SAID["asked_to"].match(text):
            modality = Modality.PLAN
        yield Passage(text, modality, about, is_order, place, sentence, position == 0, is_other_language)


def _is_told_beside(
    clause: str, last: str, position: int, count: int, is_asked_for: bool, is_other_language: bool
) -> bool:
    """Whether a clause of a question tells something: "can you book it, and it's the 13th now"."""
    if is_other_language:
        return position < count - 1 and not _SAID["supposing"].match(clause) and not CHOICE.match(last)
    if not _SAID["tells"].match(clause):
        return False
    return (position > 0 and (is_asked_for or not last.rstrip(")\"' ").endswith("?"))) or (
        position < count - 1 and _SAID["asks_more"].match(last) is not None
    )


def _split_label(clause: str) -> list[str]:
    """Split at a colon what is a clause of its own before it: "the calendar came: paper's picked up on Fridays"."""
    label, mark, rest = clause.partition(": ")
    has_verb = any(is_verb(word) for word in label.casefold().split()[1:])
    return [label, rest] if mark and rest and has_verb else [clause]


def _parse_subject(piece: str) -> tuple[frozenset[str], bool]:
    """Return the keys of the noun that a clause opens with, none of a pronoun; and whether it lacks a verb."""
    label, mark, _ = piece.partition(": ")
    is_label = bool(mark) and len(label.split()) <= _LONGEST_LABEL
    tokens = parse_tokens(label if is_label else piece)
    opens = (at for at, token in enumerate(tokens) if token.low not in BEFORE_SUBJECT and not token.low.endswith("ly"))
    begin = next(opens, len(tokens))
    lows = [token.low for token in tokens[begin:]]
    if not lows:
        return frozenset(), True
    verb = next((at for at, low in enumerate(lows) if low in AUXILIARIES or (at and is_verb(low))), None)
    if lows[0] in _SPEAKER or _SAID["to_us"].search(piece):
        return frozenset(), False
    if _SAID["pointing"].fullmatch(lows[0]) or _SAID["order"].match(piece) or (verb is None and is_verb(lows[0])):
        return frozenset(), verb is None
    if is_verb(lows[0]) and (_SAID["pointing"].fullmatch(lows[1]) or lows[1] in BEFORE_SUBJECT | PREPOSITIONS):
        return frozenset(), True  # "gave it six", "found the keys", "lands on Friday and stays"
    end = verb if verb is not None else next((at for at, low in enumerate(lows) if low in PREPOSITIONS), None)
    if end is None and not is_label:
        return frozenset(), True
    named = [key for token in tokens[begin:][:end] if not (token.number or token.unit) for key in token.keys]
    return frozenset(named), verb is None and not is_label


def accepts(sentence: MemorySentence, passage: Passage, items: Sequence[Item]) -> bool:
    """Whether `passage` can be what `sentence` of a memory reports, by its modality and by whom it speaks of.

    What is ordered or agreed to with its value may be reported as done.
    """
    if not sentence.may_be_about(passage.about):
        return False
    if passage.modality is Modality.PLAN and passage.is_order:
        has_value = any(one.is_hard and passage.has(one) for one in items)
        return has_value or _SAID["order"].match(passage.text) is not None or sentence.accepts_modality(Modality.PLAN)
    if passage.modality is Modality.PLAN and is_request(passage.text):
        return False
    if passage.modality is Modality.ESTIMATE:
        return is_hedged(sentence.text)
    return sentence.accepts_modality(passage.modality)


def is_of_it(passage: Passage, text: str, words: Mentions, items: Sequence[Item]) -> bool:
    """Whether the subject of `passage` is one that the memory `text` of these `words` and `items` has."""
    if not passage.subject:
        return True
    if any(words.knows(key) for key in passage.subject) or _is_done_to_it(passage, text):
        return not _is_qualified_apart(passage, words, items)
    return sum(one.weight == HARD and one.number is not None and passage.has(one) for one in items) >= 2


def _is_done_to_it(passage: Passage, text: str) -> bool:
    """Whether all that a memory opens with is in the passage: "the landlord raised the rent", "the rent was raised"."""
    opening = _parse_subject(in_first_person(text))[0]
    return bool(opening) and all(map(passage.mentions.knows, opening))


def _is_qualified_apart(passage: Passage, words: Mentions, items: Sequence[Item]) -> bool:
    """Whether the two speak of two things of one kind: "the invoice database", "the booking database"."""
    said, told = passage.qualifiers, _qualifiers([key for item in items for key in item.keys])
    return any(
        key in passage.subject and key in told and not words.knows(before) and not passage.mentions.knows(told[key])
        for key, before in said.items()
    )


def parse_qualifiers(text: str) -> dict[str, str]:
    """Return the word before each word of a text, by their keys."""
    return _qualifiers([key for token in parse_tokens(text) for key in token.keys])


def _qualifiers(keys: Sequence[str]) -> dict[str, str]:
    """Return the word before each word."""
    return {key: before for before, key in pairwise(keys) if before not in LIGHT_KEYS and before.isalpha()}


#: Words for times tell nothing apart: as values they are compared as such, and beside a value that does.
TIME_KEYS: Final = keys_of(
    (
        *SPANS,
        *TIMES_OF_DAY,
        *MONTH_NUMBERS,
        *WEEKDAY_NUMBERS,
    )
)
