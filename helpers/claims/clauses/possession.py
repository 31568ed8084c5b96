"""Read what somebody or something has, is called, or is set to, and who fills a post (C-39, C-40, C-41, C-43).

Three ways to say it: as the noun of an owner ("the user's bank is Nordlys", "deploy target: Vercel"), as the object of
a verb ("the API has port 8443", "Ann got a new phone number: ..."), and whether a person has any child, pet or job. A
noun in no table counts only where it can have one value: it is owned or made of two words, in the singular, and of no
kind of which one has several.

"Ann is (no longer) the lead of Atlas", "Ann serves as lead of Atlas" and "the lead of Atlas is Ann" speak of one slot;
whoever is told to fill a post by another verb is read by `slots.phrases`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import (
    CALENDAR,
    DETERMINERS,
    EPHEMERAL,
    INDEFINITE,
    NEUTRAL,
    PAST_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    REASONS,
    THEIR,
)
from ...language.nouns import singular
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes, read_table, split_members
from ...language.terms import SERVING
from ...language.token import low_at, text_of
from ...language.verbs import forms
from ..grammar.subjects import OWNING, USER, Attribute, Subject, parse_attribute, parse_subject
from ..model import NOW, Claim, Modality, Tense, Value, ValueKind
from ..slots.rows import FRAME_WORDS, TABLE
from ..values.names import end_of_name, parse_term
from ..values.numbers import Parsed
from ..values.readers import parse_value
from .ending_phrases import CONTRASTING, without_when
from .endings import lasts
from .predicates import Predicate, Tail, Tokens, make_claims, parse_rows, parse_tail, place_of, up_to

_TABLE: Final = read_table(__file__, "word_classes")["possession"]
_WORDS: Final = read_classes(__file__)
_AFTER: Final = (OWNING - {"of"}) | CONTRASTING | NEUTRAL | {"as", "from", "since"}
#: Kinds of which one may have several, or of which there is always another one.
_SEVERAL: Final = EPHEMERAL | _WORDS["several"]
_OPEN: Final = INDEFINITE | PRONOUNS | PAST_WORDS | {"and", "or", ","}
_IN_FRONT: Final = NEUTRAL | {"the", "my", "our"}
#: Endings of nouns that speak of a person, of whom there may be several ("the guest speaker").
_PERSONAL: Final = tuple(_TABLE["personal_endings"].split())
_KINDS: Final = {kind[0]: frozenset(kind) for kind in split_members(_TABLE["kinds"])}
_DETERMINERS: Final = THEIR | {"a", "an"} | NUMBER_WORDS.keys()
_HAVING: Final = frozenset(("have", "own"))


def parse_belonging(at: Predicate) -> list[Claim]:
    """The one claim of "X's NOUN is NAME", "TWO NOUNS: NAME"; none of any other clause."""
    if at.denied or at.group.lemma not in ("be", "") or at.group.is_past or not at.subject or not _is_single(at):
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None or subject.is_kind or parse_attribute(at.subject, me=at.frame.me) is not None:
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an"))
    term = parse_term(at.rest, begin)
    if term is not None and term.value.norm[0] not in SERVING - {"human language"}:
        return []  # what it is like, and not what it is called
    parsed = _named(at.rest, begin)
    if parsed is None or (begin and len(parsed.value.norm) < 2):
        return []
    tail = parse_tail(("tool",), at.rest, parsed)
    if tail.blocked or tail.others or tail.cut:
        return []
    words = [word for word in subject.text.split() if word not in (USER, "of")]
    values = [(parsed.value, True), *((other.value, False) for other in tail.denied)]
    return make_claims(at, Subject(" ".join(words) or subject.text, subject.scope), "is", values, tail)


def _named(tokens: Tokens, begin: int) -> Parsed | None:
    """A name in capitals, with the number that ends it ("Fritzbox 7590"), if what follows does not go on with it."""
    parsed = parse_value(("tool",), tokens, begin)
    if parsed is None or parsed.value.kind is not ValueKind.NAME or parsed.value.norm[0] in CALENDAR:
        return None
    if low_at(tokens, parsed.end)[:1].isdigit():
        number, value = tokens[parsed.end], parsed.value
        value = replace(value, text=f"{value.text} {number.text}", norm=(*value.norm, number.low))
        parsed = parsed._replace(value=value, end=parsed.end + 1)
    following = low_at(tokens, parsed.end)
    is_whole = not following[:1].isalnum() or following in _AFTER
    return parsed if is_whole and end_of_name(tokens, begin) > begin else None


def _is_single(at: Predicate) -> bool:
    """Whether the subject is one thing that is somebody's, or that two words describe."""
    lows = [token.low for token in at.subject]
    joint = next((i for i, low in enumerate(lows) if i and low in OWNING), len(lows))
    head = [low for low in lows[:joint] if low not in _IN_FRONT]
    if not head or any(low.removesuffix("'s") in _OPEN for low in lows) or not _WORDS["passing"].isdisjoint(head):
        return False
    noun, words = head[-1], [low for low in head if not low.endswith("'s")]
    if not noun.isalpha() or singular(noun) != noun or noun in _SEVERAL:
        return False
    if any(at.subject[i].text[0].isupper() for i in range(1, joint) if lows[i] == noun):
        return False  # a name of its own
    is_owned = len(words) < len(head) or lows[0] == "my" or low_at(at.subject, joint) == "of"
    is_one_each = not at.group.rest and noun in _WORDS["one_each"]
    is_compound = len(words) > 1 and (is_one_each or (lows[0] == "the" and not noun.endswith(_PERSONAL)))
    return (is_owned or is_compound) and all("g" not in forms().get(w, ("", ""))[1] for w in words)


def parse_holding(at: Predicate) -> list[Claim]:
    """Read "X has port 8443", "X has a new URL: ...", "my new extension is ..." said with "have" or "get"."""
    is_got = at.group.lemma in ("get", "receive") and at.is_done
    subject = parse_subject(at.subject, me=at.frame.me) if at.group.lemma == "have" or is_got else None
    if at.denied or subject is None or subject.is_kind:
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an", "the"))
    is_new = low_at(at.rest, begin) == "new"
    begin += is_new
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in at.rest[begin : begin + count])
        value = begin + count
        while low_at(at.rest, value) in (":", "of", "=", ","):
            value += 1
        for row in TABLE.nouns.get(noun, ()) if begin + count < len(at.rest) else ():
            is_counted = row.reads == ("number",) and value == begin + count
            owner = subject if row.person or subject.text != USER else Subject("", subject.scope)
            name = row.name.replace("*", noun)
            claims = [] if is_counted else parse_rows(at, owner, (row,), value, name=name, change=is_new)
            if claims:
                return claims
    return []


def parse_setting(at: Predicate) -> list[Claim]:
    """Read "NODE_ENV is production" like "NODE_ENV is set to production"."""
    is_identifier = bool(at.subject) and "_" in at.subject[-1].text and at.subject[-1].text[0].isalpha()
    is_pointing = at.group.lemma == "point" and low_at(at.rest, 0) == "to"
    if at.denied or not is_identifier or not (is_pointing or at.group.lemma in ("be", "equal")):
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    return parse_rows(at, subject, TABLE.verbs.get("be set to", ()), int(is_pointing)) if subject else []


def parse_having(at: Predicate) -> list[Claim]:
    """Whether a person has something of a kind; nothing if the clause is not about one person, or not about now."""
    group = at.group
    is_jobless = group.lemma == "be" and low_at(at.rest, 0) in ("unemployed", "jobless")
    is_getting = group.lemma in _WORDS["getting"]
    if not (is_jobless or is_getting) or group.modality is not Modality.FACT or at.frame.time.tense is not Tense.NOW:
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None or not (subject.is_name or subject.text == USER) or subject.scope:
        return []
    if not lasts(without_when(at.tokens) if group.is_past else at.tokens):
        return []
    is_having = group.lemma in _HAVING
    if group.is_past if is_having or is_jobless else not at.is_done:
        return []
    if is_jobless or not is_having:
        kind = "" if at.denied else "job" if is_jobless else _kind(at.rest)
        return _any_claim(at, subject.text, kind, has_any=is_getting)
    is_none = at.denied or low_at(at.rest, 0) == "no"
    return _any_claim(at, subject.text, _no_kind(at.rest) if is_none else _kind(at.rest), has_any=not is_none)


def _kind_at(rest: Tokens, index: int) -> str:
    """The kind of the noun at `index`, if no other noun follows it; else an empty string."""
    if low_at(rest, index + 1) not in _WORDS["after_kind"] | {""}:
        return ""
    return next((kind for kind, words in _KINDS.items() if low_at(rest, index) in words), "")


def _kind(rest: Tokens) -> str:
    """The kind of the head of an object: "a small dog"."""
    index = next((i for i, token in enumerate(rest[:5]) if any(token.low in words for words in _KINDS.values())), 0)
    is_head = index and rest[0].low in _DETERMINERS and place_of(rest[:index], PREPOSITIONS) == index
    return _kind_at(rest, index) if is_head else ""


def _no_kind(rest: Tokens) -> str:
    """The kind of which there is none: "no dog", "any children"."""
    index = int(low_at(rest, 0) in ("no", "any", "a"))
    is_none = low_at(rest, index) in _WORDS["none_of"] and low_at(rest, index + 1) in ("", ",", "and", "yet")
    return _kind_at(rest, index) if is_none else ""


def _any_claim(at: Predicate, subject: str, kind: str, *, has_any: bool) -> list[Claim]:
    value = Value(ValueKind.FLAG, text_of(at.tokens), (1.0,))
    claim = replace(at.claim(subject, f"any {kind}", value), topic=None, time=NOW)
    return [replace(claim, polarity=has_any, change=at.group.is_past)] if kind else []


READERS_OF_POSSESSION: Final = (parse_setting, parse_holding, parse_belonging)


_NAMED: Final = (ValueKind.NAME, ValueKind.PERSON)
_ENDS: Final = REASONS | _WORDS["ends"] | {","}
_NOT_NAMED: Final = NEUTRAL | {"sole", "only"}
#: Somebody does it in the place of somebody else, and for a while.
FOR_A_WHILE: Final = _WORDS["for_a_while"]


def parse_frame(at: Predicate) -> list[Claim]:
    """Read "Ann is (no longer) the lead of Atlas", "Ann serves as lead of Atlas"; `slots.phrases` read the rest."""
    lemma, rest = at.group.lemma, without_when(at.rest)
    is_serving = lemma in FRAME_WORDS["serving_verbs"] and low_at(rest, 0) == "as"
    if not (is_serving or (lemma in FRAME_WORDS["being_verbs"] and low_at(rest, 0) not in ("a", "an"))):
        return []
    if (at.denied and lemma == "become") or not FOR_A_WHILE.isdisjoint([token.low for token in at.tokens]):
        return []
    attribute = _post(at, rest[is_serving:])
    for row in attribute.rows if attribute is not None else ():
        parsed = parse_value(row.reads, at.subject, 0) if at.subject else None
        is_whole = parsed is not None and parsed.end == len(at.subject) and parsed.value.kind in _NAMED
        if attribute is not None and parsed is not None and is_whole:
            change = lemma == "become" or (at.group.ended if at.denied else attribute.updated)
            told = [(parsed.value, not at.denied)]
            return make_claims(at, attribute.subject, attribute.slot, told, Tail(), change=change)
    return []


def _post(at: Predicate, tokens: Tokens) -> Attribute | None:
    """The slot that "(the) N of X" names; "CTO" alone is told of ours."""
    named = tuple(token for token in up_to(tokens, _ENDS) if token.low not in _NOT_NAMED)
    attribute = parse_attribute(named, me=at.frame.me) if named else None
    if attribute is None and named and named[0].low not in DETERMINERS:
        attribute = parse_attribute((named[0]._replace(text="our", low="our"), *named), me=at.frame.me)
    return None if attribute is None or attribute.rows[0].name in _WORDS["no_posts"] else attribute
