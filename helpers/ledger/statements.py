"""What was said and what a memory says, clause by clause (T-03).

A text that is handed over to be worked on is not said by who hands it over. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, keys_of, parse_tokens, words_of
from ..language.modality import Modality, accepts
from ..language.sentences import LETTERS, LONGEST_TEXT, split_sentences
from ..language.vocabulary import PEOPLE, TASKS, WORDS, one_of
from ..language.wordings import read_patterns
from ..language.words import STOPWORDS
from ..patterns import regex

_SAID: Final = read_patterns("utterances")


# Longer sentences are read up to here.
LONGEST_SENTENCE = 1_000
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
_BARE: Final = regex(rf"\b(?:{one_of(WORDS['bare_contractions'])})\b", re.I)
_FENCED = regex(r"(?s:```.*?(?:```|\Z))|^>[^\n]*$", re.MULTILINE)
# None of these patterns finds anything in a text without one of these marks.
_MAY_QUOTE = regex(r"[\n:>`\"'“„«]|--|forwarded", re.IGNORECASE)
_OWNER = regex(r"\b(?:the\s+)?user(?:'s|\u2019s)", re.IGNORECASE)
_USER = regex(r"\b(?:the\s+)?user\b", re.IGNORECASE)
_THIRD_PERSON = WORDS["third_person"]
PEOPLE_KEYS = keys_of(PEOPLE)
NAME_KEYS = keys_of(("name",))


class MemorySentence(NamedTuple):
    """One sentence of a memory and its meaningful words."""

    text: str
    words: frozenset[str]

    def accepts_modality(self, modality: Modality) -> bool:
        """Whether what is said with `modality` can be what this sentence reports."""
        return modality is Modality.FACT or accepts(self.text, modality)

    def may_be_about(self, somebody: str) -> bool:
        """Whether it can speak of `somebody`: not, if its subject is the person and nobody else is named."""
        subject = _SAID["about_user"].match(self.text)
        if not somebody or subject is None or not keys_of((somebody,)).isdisjoint(self.words):
            return True
        return somebody in _THIRD_PERSON and subject["own"] is not None


def is_about_user(text: str) -> bool:
    """Whether the subject of a memory is the person: not "User's son", nor "the server"."""
    match = _SAID["about_user"].match(text)
    return match is not None and match["own"] is None


def in_first_person(text: str) -> str:
    """Return what the person would have said: "User's son skis" is "My son skis"."""
    return _USER.sub("I", _OWNER.sub("My", text))


@lru_cache(maxsize=2_048)
def parse_words(text: str) -> frozenset[str]:
    """Return every word of an utterance, whatever saying it does."""
    return frozenset().union(*(words_of(parse_tokens(one)) for one in split_sentences(text)))


def own_sentences(text: str) -> list[str]:
    """Return the sentences of an utterance, without what it hands over, quotes or takes back."""
    sentences = split_sentences(_own_words(text))
    kept = (
        one for one, after in zip(sentences, (*sentences[1:], ""), strict=False) if not _SAID["takes_back"].match(after)
    )
    return list(kept)


def _own_words(text: str) -> str:
    """Return `text` without fenced and quoted lines and without the text that it asks to translate, explain ..."""
    plain = _BARE.sub(_with_apostrophe, text[:LONGEST_TEXT].replace("\u2019", "'"))
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


def _with_apostrophe(bare: re.Match[str]) -> str:
    """Return a contraction as it is written: "dont" is "don't", "Im" is "I'm"."""
    word = bare[0]
    ending = next((one for one in ("re", "ve", "ll") if word.endswith(one)), word[-1])
    return f"{word[: -len(ending)]}'{ending}"


def _keep_title(quoted: re.Match[str]) -> str:
    """Return a title as it is, and nothing of what somebody said."""
    words = LETTERS.findall(quoted[0])
    return quoted[0] if 2 * sum(word[0].isupper() for word in words) >= len(words) else " "


def _line_before(text: str, position: int) -> str:
    return text[max(0, position - LONGEST_SENTENCE) : position].rstrip().rpartition("\n")[2]


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
    meaningful = meaningful if len(meaningful) > 1 else words
    return [
        MemorySentence(one, found) for one, said in zip(sentences, read, strict=True) if (found := said & meaningful)
    ]
