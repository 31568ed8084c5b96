"""Read what a thing is, whatever the thing and the value are: "User's bank is Sparkasse" (C-40, C-41).

No table says that a bank is one; so two such values exclude each other only where the newer text says that it has
changed: "it's DKB now".
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import ADDITIVE, ARTICLES, CONJUNCTIONS, INDEFINITE, NEUTRAL, PAST_WORDS, PREPOSITIONS
from ...language.tables import read_classes
from ...language.token import text_of
from ...language.vocabulary import TITLES
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..model import Claim, Modality, Tense, Value, ValueKind
from .ending_phrases import without_when
from .endings import words_of
from .predicates import Predicate, Tokens

_WORDS: Final = read_classes(__file__)
OPEN_SLOT: Final = "is now"
#: What is joined to such a word describes a thing, and does not name one.
_HOW: Final = _WORDS["how"]
NOW_WORDS: Final = frozenset(("now", "nowadays", "meanwhile"))
#: Nouns of which the value is one word at a time, and any other is another value.
_QUALITIES: Final = _WORDS["qualities"]
_MAX_WORDS: Final = 5


def parse_open_value(at: Predicate) -> list[Claim]:
    """The one claim of "the N is V" or "N: V", where N is a noun and V a name; none of any other clause."""
    group, frame = at.group, at.frame
    if group.lemma not in ("be", "become") or group.negated or group.modality is not Modality.FACT or frame.additive:
        return []
    if (group.is_past and group.lemma == "be") or frame.time.tense is not Tense.NOW or not _is_described(at.subject):
        return []
    value = _value(at.rest)
    subject = words_of(at.subject, frame.me)
    if not value or not subject or set(subject) <= {USER}:
        return []
    words = words_of(value, frame.me)
    if not words:
        return []
    is_label = at.tokens[len(at.subject)].low in (":", "=", "→", "->") if len(at.subject) < len(at.tokens) else False
    has_article = any(token.low in ("a", "an") for token in at.rest[:2])
    is_numbered = len(value) == 2 and value[1].low.isdecimal() and value[0].low.isalpha()
    is_name = is_numbered or (_is_name(value[0].text) and (has_article or all(_is_name(token.text) for token in value)))
    if not (is_label or is_name or _is_quality(at.subject, value)):
        return []
    rest = at.rest[_end_of_value(at.rest) :]
    around = words_of(without_when(rest), frame.me) if rest and rest[0].low in PREPOSITIONS - {"since"} else ()
    topic = join_topic([*subject, *(around or ()), *frame.scope])
    if not topic or around is None:
        return []
    return [
        Claim(
            subject=topic,
            slot=OPEN_SLOT if is_name else f"{OPEN_SLOT} a word",
            value=Value(ValueKind.TEXT, text_of(value), tuple(sorted(set(words)))),
            modality=frame.modality,
            time=frame.time,
            correction=frame.correction,
            start=at.tokens[0].start,
            end=at.tokens[-1].end,
            single=False,
            change=group.lemma == "become" or any(token.low in NOW_WORDS for token in at.tokens),
            topic=topic,
            loose=True,
        )
    ]


def _is_quality(subject: Tokens, value: Tokens) -> bool:
    """Whether a noun of `_QUALITIES` is said to be one plain word: "the tone is formal"."""
    nouns = {subject[-1].low, "_".join(token.low for token in subject[-2:])}
    return not nouns.isdisjoint(_QUALITIES) and len(value) == 1 and value[0].low.isalpha()


def _is_described(subject: Tokens) -> bool:
    """Whether a subject ends in a noun and so says what kind of thing it is."""
    if not subject or subject[0].low.removesuffix("'s") in INDEFINITE:
        return False
    return subject[-1].text[0].islower() and all(token.low not in PAST_WORDS for token in subject)


def _is_name(text: str) -> bool:
    """Whether a word is written as a name; "dog-friendly" and "SSL-only" say how a thing is."""
    if text.rpartition("-")[2] in _HOW:
        return False
    return text[0].isupper() or not (text.isalpha() or text[0].isdigit())


def _value(rest: Tokens) -> Tokens:
    """The words of the value; none if it is a list, a phrase of place or time, or somebody's."""
    begin = 0
    while begin < len(rest) and (rest[begin].low in ARTICLES or rest[begin].low in NEUTRAL):
        begin += 1
    said = rest[begin : _end_of_value(rest)]
    value = tuple(token for token in said if token.low not in NEUTRAL and token.low not in TITLES)
    lows = {token.low for token in rest}
    is_amount = bool(value) and (value[0].low[0].isdigit() or value[0].low[0] in "$€£+-")
    is_list = is_amount or "only" in lows or not (lows.isdisjoint(CONJUNCTIONS) and lows.isdisjoint(ADDITIVE))
    if not value or len(value) > _MAX_WORDS or is_list or any("'" in token.low for token in value):
        return ()
    return value


def _end_of_value(rest: Tokens) -> int:
    ends = (i for i, token in enumerate(rest) if token.low in PREPOSITIONS or token.low in (",", "(", "instead"))
    return next(ends, len(rest))
