"""Read what something of somebody is called: "the user's bank is Nordlys", "deploy target: Vercel" (C-39, C-43).

The noun is in no table, so it counts only where it can have one value: it is owned or made of two words, in the
singular, and of no kind of which one has several (`_SEVERAL`). The value is a name and nothing else follows it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import CALENDAR, EPHEMERAL, INDEFINITE, NEUTRAL, PAST_WORDS, PRONOUNS
from ...language.nouns import singular
from ...language.tables import read_table, word_sets
from ...language.terms import SERVING
from ...language.token import low_at
from ...language.verbs import forms
from ..grammar.subjects import OWNING, USER, Subject, read_attribute, read_subject
from ..model import Claim, ValueKind
from ..values.names import end_of_name, read_term
from ..values.numbers import Parsed
from ..values.readers import read_value
from .predicates import Predicate, Tail, Tokens, make_claims, read_tail

_WORDS: Final = word_sets(read_table(__file__, "word_classes")["belongings"])

_SLOT: Final = "is"
#: Kinds of which one may have several, or of which there is always another one.
_SEVERAL: Final = EPHEMERAL | _WORDS["several"]
_PASSING: Final = frozenset("new next last first second third latest previous current guest temporary other".split())
_ONE_EACH: Final = _WORDS["one_each"]
#: Endings of nouns that speak of a person, of whom there may be several ("the guest speaker").
_PERSONAL: Final = ("er", "or", "ist", "ant", "man", "woman")


def read_belonging(at: Predicate) -> list[Claim]:
    """The one claim of "X's NOUN is NAME", "TWO NOUNS: NAME"; none of any other clause."""
    if at.group.negated or at.group.lemma not in ("be", "") or at.group.is_past or not at.subject:
        return []
    if not _is_single(at) or read_attribute(at.subject, at.frame.table, me=at.frame.me) is not None:
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an"))
    term = read_term(at.rest, begin)
    if term is not None and term.value.norm[0] not in SERVING - {"human language"}:
        return []  # what it is like, and not what it is called
    parsed = _with_model(at.rest, read_value(("tool",), at.rest, begin))
    if parsed is None or parsed.value.kind is not ValueKind.NAME or parsed.value.norm[0] in CALENDAR:
        return []
    if (begin and len(parsed.value.norm) < 2) or not _is_name(at.rest, begin, parsed.end):
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None or subject.is_kind:
        return []
    tail = read_tail(("tool",), at.rest, parsed)
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


_AFTER: Final = frozenset("now since for in at on as not instead rather these from".split())


def _is_single(at: Predicate) -> bool:
    """Whether the subject is one thing that is somebody's, or that two words describe."""
    lows = [token.low for token in at.subject]
    joint = next((i for i, low in enumerate(lows) if i and low in OWNING), len(lows))
    head = [low for low in lows[:joint] if low not in ("the", "my", "our") and low not in NEUTRAL]
    if not head or any(_is_open(low) for low in lows) or any(low in _PASSING for low in head):
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
