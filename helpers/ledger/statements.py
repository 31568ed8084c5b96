"""What was said and what a memory says, clause by clause (T-03).

A text that is handed over to be worked on is not said by who hands it over. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, keys_of, parse_tokens, words_of
from ..language.modality import Modality, accepts, is_request, parse_modalities, split_clauses
from ..language.sentences import LETTERS, LONGEST_TEXT, split_sentences
from ..language.vocabulary import PEOPLE, TASKS, WORDS, one_of
from ..language.wordings import read_patterns
from ..language.words import STOPWORDS
from ..patterns import regex
from .clause_contents import ClauseContents, parse_clause

_SAID: Final = read_patterns("utterances")


# Longer sentences are read up to here.
LONGEST_SENTENCE = 1_000
# A sentence as short as this may open the next one: "No.", "Correction!"
_LONGEST_OPENER = 20
# A memory of more sentences is a document, not a statement.
_MOST_SENTENCES = 100


# A text that is handed over to be worked on: what follows the colon, what stands in quotes, what comes next.
_TASK = rf"(?:{one_of(TASKS)})"
_INDENT = r"[^\w\n]{0,9}"
_TASK_WITH_QUOTE = regex(rf"^{_INDENT}(?:please\s+)?{_TASK}\b[^\n]*?(\"[^\"\n]+\"|'[^'\n]+'|“[^“”\n]+”)", re.I | re.M)
# Four words or more in quotation marks.
_QUOTED = regex(r"[\"“„«](?:[^\s\"“”„«»]+\s+){3,}[^\s\"“”„«»]+\s?[\"”“»]|(?<!\w)'(?:[^\s']+\s+){3,}[^\s']+'(?!\w)")
# A line of a pasted conversation.
_SPEAKER = regex(
    rf"^{_INDENT}(?:\d[\d:.,/ -]{{0,40}}{_INDENT})?([A-Z]\w*(?: [A-Z]\w*)?): "
    r".*\b(?:[Ii]|[Mm]y|[Ww]e|[Yy]ou|[Oo]ur)\b.*$",
    re.M,
)
_FENCED = regex(r"(?s:```.*?(?:```|\Z))|^>[^\n]*$", re.MULTILINE)
# None of these patterns finds anything in a text without one of these marks.
_MAY_QUOTE = regex(r"[\n:>`\"'“„«]|--|forwarded", re.IGNORECASE)
_OWNER = regex(r"\b(?:the\s+)?user(?:'s|\u2019s)", re.IGNORECASE)
_USER = regex(r"\b(?:the\s+)?user\b", re.IGNORECASE)
_THIRD_PERSON = WORDS["third_person"]
_POSSESSIVES = frozenset("his her their".split())
PEOPLE_KEYS = keys_of(PEOPLE)
# Who says "I'm Mara" has said a name without the word.
_INTRODUCTION = regex(r"\b(?:[Ii]'m|[Ii] am|[Cc]all me|[Tt]his is)\s+[A-Z]\w|^\W*[A-Z]\w+(?: [A-Z]\w+)? here\b")
NAME_KEYS = keys_of(("name",))


class Statement(NamedTuple):
    """One clause and its modality; `about` says who it speaks of, if it is not the speaker.

    `said` is its sentence, after a short one that may open it ("No."); `place` counts the sentences before it.
    """

    clause: ClauseContents
    modality: Modality
    about: str = ""
    said: str = ""
    place: int = 0


class MemorySentence(NamedTuple):
    """One sentence of a memory and its meaningful words."""

    text: str
    words: frozenset[str]

    def accepts(self, statement: Statement) -> bool:
        """Whether `statement` can be what this sentence reports, by its modality and by whom it speaks of."""
        return self.accepts_modality(statement.modality) and self.may_be_about(statement.about)

    def accepts_modality(self, modality: Modality) -> bool:
        """Whether what is said with `modality` can be what this sentence reports."""
        return modality is Modality.FACT or accepts(self.text, modality)

    def clauses(self) -> list[ClauseContents]:
        """Return its clauses in order."""
        return [
            parse_clause(clause, opens_sentence=position == 0)
            for position, clause in enumerate(split_clauses(self.text))
        ]

    def may_be_about(self, somebody: str) -> bool:
        """Whether it can speak of `somebody`: not, if its subject is the person and nobody else is named."""
        subject = _SAID["about_user"].match(self.text)
        if not somebody or subject is None or not keys_of((somebody,)).isdisjoint(self.words):
            return True
        if somebody in _THIRD_PERSON and subject["own"] is not None:
            return True
        return somebody in _THIRD_PERSON | _POSSESSIVES and not PEOPLE_KEYS.isdisjoint(self.words)


def is_about_user(text: str) -> bool:
    """Whether the subject of a memory is the person: not "User's son", nor "the server"."""
    match = _SAID["about_user"].match(text)
    return match is not None and match["own"] is None


def in_first_person(text: str) -> str:
    """Return what the person would have said: "User's son skis" is "My son skis"."""
    return _USER.sub("I", _OWNER.sub("My", text))


@lru_cache(maxsize=2_048)
def parse_statements(text: str) -> tuple[Statement, ...]:
    """Return the clauses of one utterance of the person's, without the material that it hands over."""
    sentences = own_sentences(text)
    return tuple(
        one._replace(said=f"{before} {sentence}" if len(before) <= _LONGEST_OPENER else sentence, place=place)
        for place, (before, sentence) in enumerate(zip(("", *sentences), sentences, strict=False))
        for one in _parse_sentence(sentence)
    )


@lru_cache(maxsize=2_048)
def parse_agreed(sentence: str) -> tuple[Statement, ...]:
    """Return what somebody asserts who agrees with `sentence`, be it a question or a guess."""
    return tuple(
        Statement(
            one.clause,
            Modality.FACT if one.modality in (Modality.ESTIMATE, Modality.QUOTATION) else one.modality,
            _somebody_agreed(one.about, sentence),
        )
        for one in _parse_sentence(sentence, is_told=True)
        if one.modality is not Modality.HYPOTHESIS
    )


@lru_cache(maxsize=2_048)
def parse_words(text: str) -> frozenset[str]:
    """Return every word of an utterance, whatever saying it does."""
    return frozenset().union(*(words_of(parse_tokens(one)) for one in split_sentences(text)))


def _somebody_agreed(about: str, sentence: str) -> str:
    """Return whom the agent speaks of: "you" is the person, and "I" without "you" is the agent itself."""
    if about in ("you", "your"):
        return ""
    is_own = _SAID["by_the_agent"].match(sentence) is not None and _SAID["to_the_person"].search(sentence) is None
    return about or ("assistant" if is_own else "")


def own_sentences(text: str) -> list[str]:
    """Return the sentences of an utterance, without what it hands over, quotes or takes back."""
    sentences = split_sentences(_own_words(text))
    kept = (
        one for one, after in zip(sentences, (*sentences[1:], ""), strict=False) if not _SAID["takes_back"].match(after)
    )
    return list(kept)


def _own_words(text: str) -> str:
    """Return `text` without fenced and quoted lines and without the text that it asks to translate, explain ..."""
    plain = text[:LONGEST_TEXT].replace("\u2019", "'")
    if not _MAY_QUOTE.search(plain):
        return plain
    own = _FENCED.sub(
        lambda match: match[0] if _SAID["own_thing"].search(_line_before(plain, match.start())) else "\n", plain
    )
    if len({match[1] for match in _SPEAKER.finditer(own)} - {"Me"}) >= 2:
        own = _SPEAKER.sub("\n", own)
    handed_over = _SAID["handed_over"].search(own)
    if handed_over:
        own = own[: handed_over.end()]
    return _QUOTED.sub(_keep_title, _TASK_WITH_QUOTE.sub(lambda match: match[0].replace(match[1], ""), own))


def _keep_title(quoted: re.Match[str]) -> str:
    """Return a title as it is, and nothing of what somebody said."""
    words = LETTERS.findall(quoted[0])
    return quoted[0] if 2 * sum(word[0].isupper() for word in words) >= len(words) else " "


def _line_before(text: str, position: int) -> str:
    return text[max(0, position - LONGEST_SENTENCE) : position].rstrip().rpartition("\n")[2]


def _parse_sentence(sentence: str, *, is_told: bool = False) -> Iterator[Statement]:
    sentence = sentence[:LONGEST_SENTENCE]
    clauses = split_clauses(sentence)
    modalities = parse_modalities(sentence, clauses, is_told=is_told)
    for position, (text, modality) in enumerate(zip(clauses, modalities, strict=True)):
        if modality is Modality.PLAN and is_request(text) and (own_thing := _SAID["own_thing"].search(text)):
            # "Write a card for my wife Nadia" takes it for granted that there is a wife called Nadia.
            text, modality = own_thing.group(), Modality.FACT
        clause = parse_clause(text, opens_sentence=position == 0)
        if _INTRODUCTION.search(text):
            clause = clause._replace(words=clause.words | NAME_KEYS)
        yield Statement(clause, modality, somebody(text))


def somebody(clause: str) -> str:
    """Return who the clause speaks of, if that is neither the speaker nor a thing."""
    match = _SAID["somebody"].match(clause)
    if match is None:
        return ""
    if match["person"] or match["pronoun"]:
        return (match["person"] or match["pronoun"]).lower()
    name = (match["thing"] or match["name"]).lower()
    return "" if name in STOPWORDS or name in WORDS["openers"] or name.endswith("ly") else name


def parse_memory_text(text: str) -> list[MemorySentence]:
    """Return the sentences of a memory that say something; none of a text that is too long to be read whole."""
    sentences = split_sentences(text)
    if len(text) > LONGEST_TEXT or len(sentences) > _MOST_SENTENCES:
        return []
    read = [words_of(parse_tokens(one)) for one in sentences]
    words = read[0] if len(read) == 1 else frozenset().union(*read)
    meaningful = words - FRAME_KEYS
    if not _SAID["english"].search(text):
        meaningful = frozenset(word for word in meaningful if len(word) > 3 or not word.islower())
    if len(meaningful) <= 1:
        meaningful = words
    return [
        MemorySentence(one, found) for one, said in zip(sentences, read, strict=True) if (found := said & meaningful)
    ]
