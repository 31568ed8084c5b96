"""What an utterance states: its clauses, each with the words it is made of and whether it asserts anything (T-03).

A question, a guess, a hypothesis and a report of somebody else's words assert nothing of the speaker's. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ..texts import STOPWORDS, normalize_token, split_tokens, stem

# Longer utterances (pasted files, logs) are read up to here; longer sentences are read up to here.
_LONGEST_UTTERANCE = 20_000
_LONGEST_SENTENCE = 1_000

_SENTENCE_END = re.compile(r"(?<=[^.]\.)\s+|(?<=[!?؟])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = re.compile(r"[;,]\s+|\s[-–—]\s|\s(?=(?:but|because|whereas|although|unless|if|whether)\s)", re.IGNORECASE)
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|shall|may|isn't|aren't|don't|doesn't)"
)
_QUESTION_OPENING = re.compile(
    rf"\s*(?:(?:and|so|but|ok|okay|hey|hi|also|well|now|then|please)[,\s]+)*(?:"
    rf"(?:what|which|who|whose|where|when|why|how)(?:\s+\w+)?\s+(?:{_AUXILIARY}|about|many|much|to|come)\b|"
    rf"{_AUXILIARY}\s+(?:i|you|we|they|he|she|it|the|my|our|your|this|that|there|these|those|any|anyone)\b|"
    rf"(?:what|how)\s+(?:if|about)\b)",
    re.IGNORECASE,
)
_EMBEDDED_QUESTION = re.compile(
    r"\b(?:check|see|find\s+out|verify|figure\s+out|look\s+up|tell\s+me|test|determine|investigate|confirm|know|wonder|"
    r"wondering|ask|asking|remind\s+me|decide|curious|sure|explain|show\s+me|remember)\s+(?:\w+\s+){0,3}?"
    r"(?:if|whether|what|which|who|where|when|why|how)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|might|could\s+be|may\s+be|not\s+(?:\w+\s+)?sure|unsure|"
    r"uncertain|i\s+guess|i\s+suppose|suppose|supposing|imagine|assuming|assume|hypothetically|"
    r"let's\s+say|what\s+if|i\s+doubt|no\s+idea|(?:don't|do\s+not)\s+know|can't\s+remember|(?:don't|do\s+not)\s+remember|"
    r"seems?|apparently|i\s+forgot|would\s+be|would\s+have|(?:we|i)'d\s+(?!like\b|prefer\b|rather\b|love\b|want\b)|"
    r"if\s+\w+\s+(?:were|used|had|moved|switched|would))\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?!i\b|we\b|i've\b|we've\b)[\w']+\s+(?:(?:once|just|also|always|already)\s+)?"
    r"(?:said|says|told\s+(?:me|us)|claims?|claimed|thinks?|believes?|suggests?|suggested|recommends?|recommended|"
    r"reckons?|insists?|insisted|mentioned|argues?|argued|wrote|states?)\b|\baccording\s+to\b|\brumou?r",
    re.IGNORECASE,
)
# Who says "I'm Mara" has said a name without the word.
_INTRODUCTION = re.compile(r"\b(?:[Ii]'m|[Ii] am|[Cc]all me|[Tt]his is)\s+[A-Z]\w")
_CONDITION = re.compile(r"\s*(?:but\s+|and\s+|so\s+)?(?:if|whether|unless|in\s+case)\b", re.IGNORECASE)
_CONDITION_WORD = re.compile(r"\b(?:if|when|whenever|unless|in\s+case|before|after)\b", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|never|cannot|without|neither|nor|no\s+longer|no\s+more|avoids?|avoiding|forbids?|forbidden|prohibits?|"
    r"prohibited|refuses?|dislikes?|hates?|stopped|quit|instead\s+of|rather\s+than|allergic)\b|n't\b|"
    r"\bno\s+(?!problem|worries|one\b)\w",
    re.IGNORECASE,
)

# Words that say nothing about who spoke: the model that writes memories supplies them by itself.
_FRAME_WORDS = frozenset(
    normalize_token(word)
    for word in """
    user users agent assistant human person use run target be am is are has have having also currently now already still
    very really please well yes ok okay thing things note noted mention state said say tell told explicitly confirmed
    confirm want would like based build built called named set get got make made take etc via per don doesn isn aren
    ll re ve benutzer benutzers nutzer nutzers usuario utilisateur utente gebruiker المستخدم
    """.split()
)
_ENGLISH = re.compile(r"\b(?:the|is|are|a|an|of|to|in|on|at|and|for|with|has|uses)\b", re.IGNORECASE)
_UNIT = re.compile(r"v?(\d[\d.]*)(st|nd|rd|th|[a-z%]{1,3})?")
_NAME_AND_NUMBER = re.compile(r"([a-z]{2,})-?(\d[\d.]*)")
# A summary says "lives in" of somebody who said "I moved to"; for the search of the author they are one word.
_SAME_WORD = {
    stem(word): stem(group[0])
    for group in (
        "live lives moved resides reside located settled".split(),
        "work works employed".split(),
        "birthday born".split(),
        "child children kids kid".split(),
        "repository repo".split(),
        "database db".split(),
        "production prod".split(),
        "kubernetes k8s".split(),
        "deadline due".split(),
        "phone telephone mobile cell".split(),
        "email mail".split(),
        "colour color".split(),
        "favourite favorite".split(),
        "operating os".split(),
        "configuration config".split(),
    )
    for word in group
}
_MONTHS = "january february march april may june july august september october november december".split()
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_JOINTS = frozenset("./@_:#+")


_FRAME_KEYS = frozenset(word[:6] if word.isascii() else word for word in _FRAME_WORDS)


class Force(StrEnum):
    """What saying a clause does."""

    ASSERTED = "asserted"
    CONDITIONAL = "conditional"
    REPORTED = "reported"
    HEDGED = "hedged"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One clause: its meaningful words, every form of its values, and its force and polarity."""

    text: str
    words: frozenset[str]
    forms: frozenset[str]
    force: Force
    is_negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a memory says: its words, the values that must be covered, whether it is negated or conditional."""

    words: frozenset[str]
    values: tuple[str, ...]
    is_negated: bool
    is_conditional: bool
    is_report: bool


def is_question(sentence: str) -> bool:
    """Whether `sentence` asks something, with or without its question mark."""
    return sentence.rstrip(" \t\"')*_").endswith(("?", "？", "؟")) or _QUESTION_OPENING.match(sentence) is not None


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, each with its closing mark and plain apostrophes."""
    head = text[:_LONGEST_UTTERANCE].replace("\u2019", "'")
    return [sentence for part in _SENTENCE_END.split(head) if (sentence := part.strip())]


@lru_cache(maxsize=2_048)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Return the clauses of one utterance."""
    statements: list[Statement] = []
    for sentence in split_sentences(text):
        sentence = sentence[:_LONGEST_SENTENCE]
        clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause.strip()]
        asking = _first_asking(sentence, clauses)
        force = _sentence_force(", ".join(clauses[:asking]))
        for position, clause in enumerate(clauses):
            statements.append(_read_clause(clause, force if position < asking else Force.ASKED))
    return tuple(statements)


def _first_asking(sentence: str, clauses: list[str]) -> int:
    """Return where the question begins in `clauses`: what stands before "can you ...?" is not asked but told."""
    if not is_question(sentence):
        return len(clauses)
    return next((position for position, one in enumerate(clauses) if _QUESTION_OPENING.match(one)), 0)


def _sentence_force(sentence: str) -> Force:
    if _EMBEDDED_QUESTION.search(sentence):
        return Force.ASKED
    if _HEDGE.search(sentence):
        return Force.HEDGED
    return Force.REPORTED if _REPORT.search(sentence) else Force.ASSERTED


def _read_clause(clause: str, sentence_force: Force) -> Statement:
    force = sentence_force
    if force is Force.ASSERTED and _CONDITION.match(clause):
        force = Force.CONDITIONAL
    tokens = split_tokens(clause)
    words = {word for token in tokens for word in _words_of(token)}
    if _INTRODUCTION.search(clause):
        words.update(_words_of("name"))
    return Statement(
        text=clause.strip(),
        words=frozenset(words),
        forms=frozenset(form for token in tokens for form in _forms_of(token)),
        force=force,
        is_negated=_NEGATION.search(clause) is not None,
    )


def read_content(text: str) -> Content:
    """Return what must be found in somebody's words for `text` to be theirs."""
    words: set[str] = set()
    values: dict[str, None] = {}
    head = text[:_LONGEST_SENTENCE].replace("\u2019", "'")
    for sentence in split_sentences(head):
        for position, token in enumerate(split_tokens(sentence)):
            words.update(_words_of(token))
            if _is_value(token, starts_sentence=position == 0):
                values[token] = None
    meaningful = words - _FRAME_KEYS
    if not _ENGLISH.search(head):
        meaningful = {word for word in meaningful if len(word) > 3 or not word.islower()}
    return Content(
        words=frozenset(meaningful if len(meaningful) > 1 else words),
        values=tuple(values),
        is_negated=_NEGATION.search(head) is not None,
        is_conditional=re.search(r"\b(?:if|when|whenever|unless|in case|before|after)\b", head, re.IGNORECASE)
        is not None,
        is_report=_REPORT.search(head) is not None,
    )


def covers_value(value: str, forms: frozenset[str]) -> bool:
    """Whether a value of a memory stands in somebody's words, in the same or another spelling."""
    wanted = _forms_of(value)
    if any(form in forms for form in wanted[:1]):
        return True
    if len(wanted) > 1 and all(form in forms for form in wanted[1:]):
        return True
    date = _ISO_DATE.fullmatch(value)
    if date:
        return {str(int(date[3])), _MONTHS[(int(date[2]) - 1) % 12]} <= forms
    time = _TIME.fullmatch(value)
    if time:
        hour, minute = int(time[1]), time[2]
        spoken = str((hour - 1) % 12 + 1) + ("" if minute == "00" else f":{minute}")
        return {spoken, "pm" if hour >= 12 else "am"} <= forms
    folded = value.casefold()
    if folded.isalpha() and len(folded) >= 5:
        return any(one.startswith(folded) or (len(one) >= 5 and folded.startswith(one)) for one in forms)
    return False


@lru_cache(maxsize=16_384)
def _words_of(token: str) -> tuple[str, ...]:
    """Return the keys under which `token` counts as said; inflections and long derivations share one."""
    folded = token.casefold()
    if folded in STOPWORDS or (len(folded) == 1 and folded.isascii() and not folded.isdigit()):
        return ()
    if folded.isascii() and "-" in folded and folded.replace("-", "").isalpha():
        return tuple(word for part in folded.split("-") for word in _words_of(part))
    unit = _UNIT.fullmatch(folded)
    if unit and unit[2]:
        return (unit[1], *_words_of(unit[2]))
    normal = normalize_token(token)
    normal = _SAME_WORD.get(normal, normal)
    return (normal[:6] if normal.isalpha() and normal.isascii() else normal,)


@lru_cache(maxsize=16_384)
def _forms_of(token: str) -> tuple[str, ...]:
    """Return the spellings of a value; the first one alone, or all others together, identify it."""
    folded = normalize_token(token) if token[:1].isdigit() else token.casefold()
    unit = _UNIT.fullmatch(folded)
    if unit:
        return (folded, *(part for part in unit.groups() if part and part not in {"st", "nd", "rd", "th"}))
    compound = _NAME_AND_NUMBER.fullmatch(folded)
    if compound:
        return (folded, *compound.groups())
    number = normalize_token(folded)
    return (folded, number) if number != folded and number.isdigit() else (folded,)


def _is_value(token: str, *, starts_sentence: bool) -> bool:
    """Whether `token` is a number, an identifier or a name, which nobody may have supplied but its author."""
    if any(character.isdecimal() for character in token):
        return True
    if not token[:1].isalpha() or token.casefold() in STOPWORDS or normalize_token(token) in _FRAME_WORDS:
        return False
    if any(character in _JOINTS for character in token):
        return True
    return token[0].isupper() and not starts_sentence and len(token) > 1
