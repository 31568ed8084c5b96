"""The passages of a message of the user's: what each mentions, what saying it does, and what it is about. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from ..language.keys import keys_of, parse_tokens
from ..language.modality import CHOICE, Modality, is_request, parse_modalities, split_clauses
from ..language.numerals import MONTH_NUMBERS, SPANS, WEEKDAY_NUMBERS
from ..language.sentences import LETTERS, LONGEST_TEXT, is_foreign, split_sentences
from ..language.verbs import is_verb
from ..language.vocabulary import AUXILIARY_FORMS, TASKS, TIMES_OF_DAY, WORDS, one_of, read_patterns
from ..language.words import STOPWORDS
from ..texts import regex
from .mentions import ClauseContents, Item, Mentions, parse_clause, parse_mentions, without_rejected

_SAID: Final = read_patterns("utterances")
# Longer sentences are read up to here.
_LONGEST_SENTENCE: Final = 1_000
# A text in quotation marks that is handed over to be worked on.
_TASK = rf"(?:{one_of(TASKS)})"
_INDENT = r"[^\w\n]{0,9}"
_TASK_WITH_QUOTE = regex(rf"^{_INDENT}(?:please\s+)?{_TASK}\b[^\n]*?(\"[^\"\n]+\"|'[^'\n]+'|“[^“”\n]+”)", re.I | re.M)
# Four words or more in quotation marks.
_QUOTED = regex(r"[\"“„«](?:[^\s\"“”„«»]+\s+){3,}[^\s\"“”„«»]+\s?[\"”“»]|(?<!\w)'(?:[^\s']+\s+){3,}[^\s']+'(?!\w)")
# A line of a pasted conversation.
_CHAT_LINE: Final = regex(
    rf"^{_INDENT}(?:\d[\d:.,/ -]{{0,40}}{_INDENT})?([A-Z]\w*(?: [A-Z]\w*)?): "
    r".*\b(?:[Ii]|[Mm]y|[Ww]e|[Yy]ou|[Oo]ur)\b.*$",
    re.M,
)
_BARE: Final = regex(rf"\b(?:{one_of(WORDS['bare_contractions'])})\b", re.I)
_FENCED = regex(r"(?s:```.*?(?:```|\Z))|^>[^\n]*$", re.MULTILINE)
_FAR_FROM: Final = regex(r"\bfar\s+from\b", re.IGNORECASE)
#: What opens a clause before its subject, and what a subject ends at.
BEFORE_SUBJECT: Final = WORDS["before_subject"]
AUXILIARIES: Final = AUXILIARY_FORMS | {"be", "been"} | {"s", "re", "ve"}
PREPOSITIONS: Final = WORDS["subject_ends"]
_PRONOUNS: Final = WORDS["pointing_subjects"]
# Who says "I'm Mara" has said a name without the word.
_INTRODUCTION: Final = regex(r"\b(?:[Ii]'m|[Ii] am|[Cc]all me|[Tt]his is)\s+[A-Z]\w|^\W*[A-Z]\w+(?: [A-Z]\w+)? here\b")
#: At most so many words before a colon are a label.
_LONGEST_LABEL: Final = 5
#: Words for times, which tell no two things apart: times are compared as values.
TIME_KEYS: Final = keys_of((*SPANS, *TIMES_OF_DAY, *MONTH_NUMBERS, *WEEKDAY_NUMBERS))


@dataclass(frozen=True, eq=False)
class Passage:
    """A piece of what the user says, with its modality and whom it is about; the rest is read lazily.

    `kept` is its text with blanks for what it sets aside, `place` the number of its sentence in the message.
    `is_order`: the user orders it, or takes up an offer. `is_answer`: the words are those that the user agrees with.
    """

    text: str
    kept: str
    modality: Modality
    about: str
    is_order: bool
    place: int
    sentence: str
    is_other_language: bool
    is_answer: bool = False

    def has(self, item: Item) -> bool:
        """Whether it says `item`, in whatever spelling; if a memory sets `item` aside, whether it does so too."""
        if not item.is_aside:
            return self.mentions.has(item) or (item.is_denied and self.rejects(item))
        return parse_mentions(self.text).has(item) and (self.clause.is_negated or not self.mentions.has(item))

    def rejects(self, item: Item) -> bool:
        """Whether it names `item` only as what does not hold."""
        return self.kept != self.text and parse_mentions(self.text).has(item) and not self.mentions.has(item)

    @cached_property
    def mentions(self) -> Mentions:
        """The mentions that it does not set aside."""
        return parse_mentions(self.kept)

    @cached_property
    def clause(self) -> ClauseContents:
        """Its words, and what it affirms and denies."""
        return parse_clause(self.text)

    @property
    def subject(self) -> frozenset[str]:
        """The keys of the noun that it opens with."""
        return self._opening[0]

    @cached_property
    def points(self) -> bool:
        """Whether it needs a frame from elsewhere: it has a pronoun, is a bare value, or is an order."""
        is_fragment = self._opening[1]
        return self.is_answer or is_fragment or self.is_order or _SAID["pointing"].search(self.text) is not None

    @cached_property
    def _opening(self) -> tuple[frozenset[str], bool]:
        if self.is_answer or self.is_other_language:
            return frozenset(), True
        return parse_subject(self.text)


@lru_cache(maxsize=2_048)
def parse_passages(text: str) -> tuple[Passage, ...]:
    """Return the passages of a message of the user's, without the text that it hands over or quotes."""
    return tuple(
        passage
        for place, sentence in enumerate(own_sentences(text))
        for passage in _parse_sentence(sentence[:_LONGEST_SENTENCE], place)
    )


@lru_cache(maxsize=2_048)
def parse_agreed(sentence: str) -> tuple[Passage, ...]:
    """Return the passages that the user states by agreeing with `sentence`, even if it is a question or a guess."""
    is_own = _SAID["by_the_agent"].match(sentence) is not None and _SAID["to_the_person"].search(sentence) is None
    agreed = []
    for passage in _parse_sentence(sentence, 0, is_told=True):
        if passage.modality is not Modality.HYPOTHESIS:
            is_stated = passage.modality in (Modality.ESTIMATE, Modality.QUOTATION)
            modality = Modality.FACT if is_stated else passage.modality
            # "You" is the user, "I" the agent itself.
            about = "" if passage.about in ("you", "your") else passage.about or ("assistant" if is_own else "")
            agreed.append(replace(passage, modality=modality, about=about))
    return tuple(agreed)


def _parse_sentence(sentence: str, place: int, *, is_told: bool = False) -> Iterator[Passage]:
    sentence = _SAID["everything_but"].sub(r"\1 except", _SAID["tag"].sub(".", sentence)).replace(" ¿", ", ")
    sentence = _FAR_FROM.sub("not", sentence)
    parts = [part for clause in split_clauses(sentence) for part in _split_label(clause)]
    clauses = tuple([piece for part in parts for piece in _SAID["piece"].split(part)])
    is_other_language = is_foreign(sentence)
    kept, begin = without_rejected(sentence), 0
    modalities = parse_modalities(sentence, clauses, is_told=is_told)
    for position, (text, modality) in enumerate(zip(clauses, modalities, strict=True)):
        if modality is Modality.QUESTION and _is_told_beside(
            text, clauses[-1], position, len(clauses), is_other_language=is_other_language
        ):
            (alone,) = parse_modalities(text, (text,))
            modality = Modality.FACT if alone is Modality.QUESTION else alone
        if is_other_language and modality is Modality.FACT and _SAID["supposing"].match(sentence):
            modality = Modality.HYPOTHESIS
        about = "" if (about := somebody(text)) in ("ours", "mine", "theirs") else about
        is_order = _SAID["order"].match(_SAID["asked_to"].sub("", text)) is not None
        if is_order and modality is Modality.QUESTION and _SAID["asked_to"].match(text):
            modality = Modality.PLAN
        if is_order and modality is Modality.QUOTATION:
            (modality,) = parse_modalities(text, (text,))
        begin = max(begin, sentence.find(text, begin))
        asserted = kept[begin : begin + len(text)] + (" (name)" if _INTRODUCTION.search(text) else "")
        passage = Passage(text, asserted, modality, about, is_order, place, sentence, is_other_language)
        yield passage
        if modality is Modality.PLAN and is_request(text) and (own := _SAID["own_thing"].search(text)):
            # "Write a card for my wife Nadia" takes it for granted that there is a wife called Nadia.
            yield replace(passage, text=own[0], kept=f"{own[0]} (name)", modality=Modality.FACT, about="")
        begin += len(text)


def _is_told_beside(clause: str, last: str, position: int, count: int, *, is_other_language: bool) -> bool:
    """Whether a clause of a question states something: "can you book it, and it's the 13th now"."""
    if is_other_language:
        return position < count - 1 and not CHOICE.match(last)
    return _SAID["tells"].match(clause) is not None and not last.rstrip(")\"' ").endswith("?")


def _split_label(clause: str) -> list[str]:
    """Split a clause at its colon if the part before has a verb: "the calendar came: paper's picked up on Fridays"."""
    label, mark, rest = clause.partition(": ")
    has_verb = any(is_verb(word) for word in label.casefold().split()[1:])
    return [label, rest] if mark and rest and has_verb else [clause]


def parse_subject(piece: str) -> tuple[frozenset[str], bool]:
    """Return the keys of the noun that a clause opens with (none for a pronoun), and whether it lacks a verb."""
    label, mark, _ = piece.partition(": ")
    is_label = bool(mark) and len(label.split()) <= _LONGEST_LABEL
    tokens = parse_tokens(label if is_label else piece)
    is_opener = [token.low in BEFORE_SUBJECT or token.low.endswith("ly") for token in tokens]
    begin = is_opener.index(False) if False in is_opener else len(tokens)
    lows = [token.low for token in tokens[begin:]]
    if not lows:
        return frozenset(), True
    verb = next((i for i, low in enumerate(lows) if low in AUXILIARIES or (i and is_verb(low))), None)
    if lows[0] in ("i", "we", "you") or _SAID["to_us"].search(piece):
        return frozenset(), False
    if _SAID["pointing"].fullmatch(lows[0]) or _SAID["order"].match(piece) or (verb is None and is_verb(lows[0])):
        return frozenset(), verb is None
    following = lows[1] if len(lows) > 1 else ""
    if is_verb(lows[0]) and following in BEFORE_SUBJECT | PREPOSITIONS:
        return frozenset(), True  # "gave it six", "found the keys", "lands on Friday and stays"
    if not is_label and not _PRONOUNS.isdisjoint(lows[:verb]):
        return frozenset(), verb is None
    end = verb if verb is not None else next((i for i, low in enumerate(lows) if low in PREPOSITIONS), None)
    if end is None and not is_label:
        return frozenset(), True
    named = [key for token in tokens[begin:][:end] if not token.number for key in token.keys]
    return frozenset(named), verb is None and not is_label


def own_sentences(text: str) -> list[str]:
    """Return the sentences of a message, without those that it hands over, quotes or takes back."""
    sentences = split_sentences(_own_words(text))
    pairs = zip(sentences, (*sentences[1:], ""), strict=False)
    return [sentence for sentence, after in pairs if not _SAID["takes_back"].match(after)]


def _own_words(text: str) -> str:
    """Return `text` without fenced and quoted lines, and without a text that is to be translated or explained."""
    plain = _BARE.sub(_with_apostrophe, text[:LONGEST_TEXT].replace("\u2019", "'"))
    own = _FENCED.sub(
        lambda match: match[0] if _SAID["own_thing"].search(_line_before(plain, match.start())) else "\n", plain
    )
    if len({match[1] for match in _CHAT_LINE.finditer(own)} - {"Me"}) >= 2:
        own = _CHAT_LINE.sub("\n", own)
    handed_over = _SAID["handed_over"].search(own)
    if handed_over:
        own = own[: handed_over.end()]
    return _QUOTED.sub(_keep_title, _TASK_WITH_QUOTE.sub(lambda match: match[0].replace(match[1], ""), own))


def _with_apostrophe(bare: re.Match[str]) -> str:
    """Return a contraction with its apostrophe: "dont" is "don't", "Im" is "I'm"."""
    word = bare[0]
    ending = next((suffix for suffix in ("re", "ve", "ll") if word.endswith(suffix)), word[-1])
    return f"{word[: -len(ending)]}'{ending}"


def _keep_title(quoted: re.Match[str]) -> str:
    """Return a quoted title as it is, and a blank for a quoted statement."""
    words = LETTERS.findall(quoted[0])
    return quoted[0] if 2 * sum(word[0].isupper() for word in words) >= len(words) else " "


def _line_before(text: str, position: int) -> str:
    return text[max(0, position - _LONGEST_SENTENCE) : position].rstrip().rpartition("\n")[2]


def somebody(clause: str) -> str:
    """Return whom a clause speaks of, in lower case; empty if that is the speaker or a thing."""
    match = _SAID["somebody"].match(clause)
    if match is None:
        return ""
    if match["person"] or match["pronoun"]:
        return (match["person"] or match["pronoun"]).lower()
    name = (match["thing"] or match["name"]).lower()
    return "" if name in STOPWORDS or name in WORDS["openers"] or name.endswith("ly") else name
