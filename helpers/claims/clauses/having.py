"""Read whether a person has any child, pet or sibling, or any job (C-40).

"Has no pets" and "adopted a kitten" use no word in common; this table of kinds is what they have in common.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.tables import read_table, word_sets
from ...language.token import low_at, text_of
from ..grammar.subjects import USER, read_subject
from ..model import Claim, Modality, Tense, Value, ValueKind
from .ending_phrases import without_when
from .endings import lasts
from .predicates import Predicate, Tokens

_WORDS: Final = word_sets(read_table(__file__, "word_classes")["having"])

_KINDS: Final[dict[str, frozenset[str]]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "children": "child children kid kids son sons daughter daughters baby twins toddler",
        "pets": "pet pets dog dogs cat cats kitten kittens puppy puppies rabbit hamster goldfish parrot tortoise",
        "siblings": "sibling siblings brother brothers sister sisters",
        "job": "job",
        "car": "car cars",
        "house": "house",
        "garden": "garden",
        "bike": "bike bicycle",
        "piano": "piano",
    }.items()
}
_NONE_OF: Final = _WORDS["none_of"]
_GETTING: Final = frozenset("have own buy get adopt land find take start accept".split())
_DETERMINERS: Final = frozenset("a an one two three four five his her their".split())
_AFTER: Final = _WORDS["after"]
_OUT_OF_WORK: Final = frozenset(("unemployed", "jobless"))


def read_having(at: Predicate) -> list[Claim]:
    """Whether a person has something of a kind; nothing if the clause is not about one person, or not about now."""
    group, frame = at.group, at.frame
    if group.lemma != "be" and group.lemma not in _GETTING:
        return []
    if group.lemma == "be" and low_at(at.rest, 0) not in _OUT_OF_WORK:
        return []
    if group.modality is not Modality.FACT or frame.time.tense is not Tense.NOW or not lasts(_told(at)):
        return []
    subject = read_subject(at.subject, me=frame.me)
    if subject is None or not (subject.is_name or subject.text == USER) or subject.scope:
        return []
    if group.lemma == "be":
        is_now = not group.negated and not group.is_past
        return [_claim(at, subject.text, "job", has_any=False)] if is_now else []
    is_having = group.lemma in ("have", "own") and not group.is_past
    is_new = group.lemma not in ("have", "own") and (group.is_past or group.perfect) and not group.negated
    if not (is_having or is_new):
        return []
    is_none = is_having and (group.negated or low_at(at.rest, 0) == "no")
    kind = _kind(at.rest, is_none=is_none)
    return [_claim(at, subject.text, kind, has_any=not is_none)] if kind else []


def _told(at: Predicate) -> Tokens:
    return without_when(at.tokens) if at.group.is_past else at.tokens


def _kind(rest: Tokens, *, is_none: bool) -> str:
    """The kind of the head of the object, or an empty string."""
    for index, token in enumerate(rest[:5]):
        if token.low in PREPOSITIONS:
            return ""
        kind = next((kind for kind, words in _KINDS.items() if token.low in words), "")
        if not kind:
            continue
        following = low_at(rest, index + 1)
        if following and following not in _AFTER:
            return ""
        if is_none:
            is_plain = index == 0 or (index == 1 and rest[0].low in ("no", "any", "a"))
            return kind if is_plain and token.low in _NONE_OF and following in ("", ",", "and", "yet") else ""
        return kind if rest[0].low in _DETERMINERS else ""
    return ""


def _claim(at: Predicate, subject: str, kind: str, *, has_any: bool) -> Claim:
    return Claim(
        subject=subject,
        slot=f"any {kind}",
        value=Value(ValueKind.FLAG, text_of(at.tokens), (1.0,)),
        polarity=has_any,
        modality=at.frame.modality,
        correction=at.frame.correction,
        start=at.tokens[0].start,
        end=at.tokens[-1].end,
        single=False,
        change=at.group.is_past,
        loose=True,
    )
