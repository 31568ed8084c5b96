"""Read what somebody or something has, is called, or is set to (C-39, C-40, C-43).

Three ways to say it: as the noun of an owner ("the user's bank is Nordlys", "deploy target: Vercel"), as the object of
a verb ("the API has port 8443", "Ann got a new phone number: ..."), and whether a person has any child, pet or job. A
noun in no table counts only where it can have one value: it is owned or made of two words, in the singular, and of no
kind of which one has several.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import CALENDAR, EPHEMERAL, INDEFINITE, NEUTRAL, PAST_WORDS, PREPOSITIONS, PRONOUNS, THEIR
from ...language.nouns import singular
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes, read_table, split_members
from ...language.terms import SERVING
from ...language.token import low_at, text_of
from ...language.verbs import forms
from ..grammar.subjects import OWNING, USER, Subject, parse_attribute, parse_subject
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..slots.table import TABLE
from ..values.names import end_of_name, parse_term
from ..values.numbers import Parsed
from ..values.readers import parse_value
from .ending_phrases import CONTRASTING, without_when
from .endings import lasts
from .predicates import Predicate, Tail, Tokens, make_claims, parse_slot_value, parse_tail

_TABLE: Final = read_table(__file__, "word_classes")["possession"]
_WORDS: Final = read_classes(__file__)

_SLOT: Final = "is"
_AFTER: Final = (OWNING - {"of"}) | CONTRASTING | NEUTRAL | {"as", "from", "since"}
#: Kinds of which one may have several, or of which there is always another one.
_SEVERAL: Final = EPHEMERAL | _WORDS["several"]
_ONE_EACH: Final = _WORDS["one_each"]
#: Endings of nouns that speak of a person, of whom there may be several ("the guest speaker").
_PERSONAL: Final = tuple(_TABLE["personal_endings"].split())


def parse_belonging(at: Predicate) -> list[Claim]:
    """The one claim of "X's NOUN is NAME", "TWO NOUNS: NAME"; none of any other clause."""
    if at.group.negated or at.group.lemma not in ("be", "") or at.group.is_past or not at.subject:
        return []
    if not _is_single(at) or parse_attribute(at.subject, me=at.frame.me) is not None:
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an"))
    term = parse_term(at.rest, begin)
    if term is not None and term.value.norm[0] not in SERVING - {"human language"}:
        return []  # what it is like, and not what it is called
    parsed = _with_model(at.rest, parse_value(("tool",), at.rest, begin))
    if parsed is None or parsed.value.kind is not ValueKind.NAME or parsed.value.norm[0] in CALENDAR:
        return []
    if (begin and len(parsed.value.norm) < 2) or not _is_name(at.rest, begin, parsed.end):
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None or subject.is_kind:
        return []
    tail = parse_tail(("tool",), at.rest, parsed)
    if tail.blocked or tail.others or tail.cut:
        return []
    values = [(parsed.value, True), *((other.value, False) for other in tail.denied)]
    return make_claims(
        at, _plain(subject), _SLOT, values, Tail(scope=tail.scope, time=tail.time, corrects=tail.corrects)
    )


def _with_model(tokens: Tokens, parsed: Parsed | None) -> Parsed | None:
    """A name with the number that ends it: "Fritzbox 7590"."""
    if parsed is None or parsed.value.kind is not ValueKind.NAME or not low_at(tokens, parsed.end)[:1].isdigit():
        return parsed
    number = tokens[parsed.end]
    value = replace(parsed.value, text=f"{parsed.value.text} {number.text}", norm=(*parsed.value.norm, number.low))
    return parsed._replace(value=value, end=parsed.end + 1)


def _plain(subject: Subject) -> Subject:
    """The subject without its owner, if that is the user, as in "the user's bike"."""
    words = [word for word in subject.text.split() if word not in (USER, "of")]
    return Subject(" ".join(words) or subject.text, subject.scope)


def _is_name(tokens: Tokens, begin: int, end: int) -> bool:
    """Whether a value is written with capitals, and what follows it does not go on with it."""
    following = low_at(tokens, end)
    return end_of_name(tokens, begin) > begin and (not following or not following[0].isalnum() or following in _AFTER)


def _is_single(at: Predicate) -> bool:
    """Whether the subject is one thing that is somebody's, or that two words describe."""
    lows = [token.low for token in at.subject]
    joint = next((i for i, low in enumerate(lows) if i and low in OWNING), len(lows))
    head = [low for low in lows[:joint] if low not in ("the", "my", "our") and low not in NEUTRAL]
    if not head or any(_is_open(low) for low in lows) or any(low in _WORDS["passing"] for low in head):
        return False
    noun = head[-1]
    owners = [low for low in head if low.endswith("'s")]
    words = [low for low in head if not low.endswith("'s")]
    if not words or singular(noun) != noun or noun in _SEVERAL or not noun.isalpha() or noun.endswith("'s"):
        return False
    if any(at.subject[i].text[0].isupper() for i in range(1, joint) if lows[i] == noun):
        return False  # a name of its own
    is_label = not at.group.rest
    is_owned = bool(owners) or lows[0] == "my" or low_at(at.subject, joint) == "of"
    is_the = lows[0] == "the" and not noun.endswith(_PERSONAL)
    is_compound = len(words) > 1 and ((is_label and noun in _ONE_EACH) or is_the)
    return (is_owned or is_compound) and all("g" not in forms().get(w, ("", ""))[1] for w in words)


def _is_open(low: str) -> bool:
    word = low.removesuffix("'s")
    return word in INDEFINITE or word in PRONOUNS or word in PAST_WORDS or word in ("and", "or", ",")


_HAVING: Final = frozenset("have get receive".split())
_BEFORE_VALUE: Final = frozenset((":", "of", "=", ","))
_ASSIGNING: Final = frozenset(("be", "equal", "point"))


def parse_holding(at: Predicate) -> list[Claim]:
    """Read "X has port 8443", "X has a new URL: ...", "my new extension is ..." said with "have" or "get"."""
    group = at.group
    is_got = group.lemma in ("get", "receive") and (group.is_past or group.perfect)
    if group.lemma not in _HAVING or group.negated or not (group.lemma == "have" or is_got):
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an", "the"))
    is_new = low_at(at.rest, begin) == "new"
    begin += is_new
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None or subject.is_kind:
        return []
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in at.rest[begin : begin + count])
        rows = TABLE.nouns.get(noun, ())
        if not rows or begin + count >= len(at.rest):
            continue
        value = begin + count
        while low_at(at.rest, value) in _BEFORE_VALUE:
            value += 1
        for row in rows:
            owner = subject if row.person or subject.text != USER else Subject("", subject.scope)
            is_counted = row.reads == ("number",) and value == begin + count
            claims = [] if is_counted else parse_slot_value(at, owner, _slot(row.name, noun), row, value, change=is_new)
            if claims:
                return claims
    return []


def _slot(name: str, noun: str) -> str:
    return name.replace("*", noun)


def parse_setting(at: Predicate) -> list[Claim]:
    """Read "NODE_ENV is production" like "NODE_ENV is set to production"."""
    if at.group.lemma not in _ASSIGNING or at.group.negated or not _is_identifier(at.subject):
        return []
    index = int(at.group.lemma == "point" and low_at(at.rest, 0) == "to")
    if at.group.lemma == "point" and not index:
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None:
        return []
    for row in TABLE.verbs.get("be set to", ()):
        claims = parse_slot_value(at, subject, row.name, row, index)
        if claims:
            return claims
    return []


def _is_identifier(tokens: Tokens) -> bool:
    return bool(tokens) and "_" in tokens[-1].text and tokens[-1].text[0].isalpha()


def parse_age_change(at: Predicate) -> list[Claim]:
    """Read "User turned 35 yesterday": an age does not go back."""
    group = at.group
    if group.lemma != "turn" or not (group.is_past or group.perfect) or group.modality is not Modality.FACT:
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    parsed = parse_value(("age",), at.rest, 0)
    if subject is None or parsed is None or group.negated or not _is_recent(at.rest[parsed.end :]):
        return []
    return make_claims(at, subject, "age", [(parsed.value, True)], Tail(), holds=True, change=True)


def _is_recent(tokens: Tokens) -> bool:
    lows = [token.low for token in tokens]
    return not lows or lows[0] in ("yesterday", "today") or lows[0] in ("last", "this") or lows[0] == "on"


_KINDS: Final = {kind[0]: frozenset(kind) for kind in split_members(_TABLE["kinds"])}
_GETTING: Final = _WORDS["getting"]
_DETERMINERS: Final = THEIR | {"a", "an"} | NUMBER_WORDS.keys()
_AFTER_KIND: Final = _WORDS["after_kind"]
_OUT_OF_WORK: Final = frozenset(("unemployed", "jobless"))


def parse_having(at: Predicate) -> list[Claim]:
    """Whether a person has something of a kind; nothing if the clause is not about one person, or not about now."""
    group, frame = at.group, at.frame
    if group.lemma != "be" and group.lemma not in _GETTING:
        return []
    if group.lemma == "be" and low_at(at.rest, 0) not in _OUT_OF_WORK:
        return []
    if group.modality is not Modality.FACT or frame.time.tense is not Tense.NOW or not lasts(_told_by(at)):
        return []
    subject = parse_subject(at.subject, me=frame.me)
    if subject is None or not (subject.is_name or subject.text == USER) or subject.scope:
        return []
    if group.lemma == "be":
        is_now = not group.negated and not group.is_past
        return [_any_claim(at, subject.text, "job", has_any=False)] if is_now else []
    is_having = group.lemma in ("have", "own") and not group.is_past
    is_new = group.lemma not in ("have", "own") and (group.is_past or group.perfect) and not group.negated
    if not (is_having or is_new):
        return []
    is_none = is_having and (group.negated or low_at(at.rest, 0) == "no")
    kind = _kind(at.rest, is_none=is_none)
    return [_any_claim(at, subject.text, kind, has_any=not is_none)] if kind else []


def _told_by(at: Predicate) -> Tokens:
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
        if following and following not in _AFTER_KIND:
            return ""
        if is_none:
            is_plain = index == 0 or (index == 1 and rest[0].low in ("no", "any", "a"))
            return kind if is_plain and token.low in _WORDS["none_of"] and following in ("", ",", "and", "yet") else ""
        return kind if rest[0].low in _DETERMINERS else ""
    return ""


def _any_claim(at: Predicate, subject: str, kind: str, *, has_any: bool) -> Claim:
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


READERS_OF_POSSESSION: Final = (parse_setting, parse_holding, parse_age_change, parse_belonging)
