"""Read who fills a slot of what, whatever the order and the voice (C-39, C-41).

"The lead of Atlas is Ann", "Ann heads Atlas", "Ann took over as lead of Atlas from Ben", "leadership of Atlas went from
Ben to Ann" and "Ben is no longer the lead of Atlas" speak of one slot; the noun is one of the table of slots, the verb
one of `slots.frames`.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DEFINITE, DETERMINERS, NEUTRAL, PREPOSITIONS, REASONS
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import forms
from ..grammar.circumstances import parse_circumstances
from ..grammar.subjects import Attribute, parse_attribute, parse_subject
from ..model import Claim, Modality, Value, ValueKind
from ..slots.frames import FILLING_VERBS, FRAME_WORDS, OFFICES
from ..slots.table import TABLE
from ..values.readers import Reads, parse_value
from .ending_phrases import without_when
from .predicates import Predicate, Tail, Tokens, make_claims, place_of, up_to
from .relations import parse_items

_WORDS: Final = read_classes(__file__)
_NAMED: Final = (ValueKind.NAME, ValueKind.PERSON)
_ENDS: Final = REASONS | _WORDS["ends"] | {","}
_ITS: Final = DEFINITE | {"new"}
_NOT_NAMED: Final = NEUTRAL | {"sole", "only"}
#: Somebody does it in the place of somebody else, and for a while.
FOR_A_WHILE: Final = _WORDS["for_a_while"]
_PASSING: Final = FRAME_WORDS["passing_verbs"] | FRAME_WORDS["handing_verbs"]
#: The small words of such a verb: "handed over", "passed on".
_PARTS: Final = PREPOSITIONS | {"off", "back"}


def parse_frame(at: Predicate) -> list[Claim]:
    """The claims of a clause that says who fills a slot, or no longer does; none of any other clause."""
    if not at.subject or not FOR_A_WHILE.isdisjoint([token.low for token in at.tokens]):
        return []
    return _parse_filling(at) or _parse_event(at) or _parse_being(at)


def _parse_filling(at: Predicate) -> list[Claim]:
    """Read "Ann heads the team", "the team is headed by Ann"."""
    is_passive = at.group.lemma == "be" and low_at(at.rest, 1) == "by"
    slot = FILLING_VERBS.get(_main_lemma(at, at.rest) if is_passive else at.group.lemma, "")
    if not slot:
        return []
    reads = TABLE.nouns[slot][0].reads
    if is_passive:
        parsed = parse_value(reads, at.rest, 2)
        if parsed is None or parsed.value.kind not in _NAMED or low_at(at.rest, parsed.end) in ("and", "or", ",", "&"):
            return []
        holder, value, rest = at.subject, parsed.value, at.rest[parsed.end :]
    else:
        items, index = parse_items(at.rest)
        holder = at.rest[: items[0][1]] if len(items) == 1 else ()
        whole = _whole_value(reads, at.subject)
        if whole is None or not holder or not _is_definite(holder, slot):
            return []
        value, rest = whole, without_when(at.rest[index:])
    subject = parse_subject(holder, me=at.frame.me)
    if subject is None:
        return []
    scope, time = parse_circumstances(rest)
    return make_claims(at, subject, slot, [(value, not at.denied)], Tail(scope=scope, time=time))


def _is_definite(tokens: Tokens, slot: str) -> bool:
    """Whether an object is one known thing: "the team", "Ann's team", and of a project its name alone."""
    first = tokens[0].low
    return first in ("the", "our", "my") or first.endswith("'s") or (slot != "owner" and tokens[0].text[0].isupper())


def _whole_value(reads: Reads, tokens: Tokens) -> Value | None:
    """The name that the tokens are, and nothing more than that."""
    parsed = parse_value(reads, tokens, 0) if tokens else None
    is_whole = parsed is not None and parsed.end == len(tokens) and parsed.value.kind in _NAMED
    return parsed.value if parsed is not None and is_whole else None


def _post(at: Predicate, tokens: Tokens) -> Attribute | None:
    """The slot that "(the) N of X" names; "stepped down as CTO" is told of ours."""
    named = tuple(token for token in up_to(tokens, _ENDS) if token.low not in _NOT_NAMED)
    attribute = parse_attribute(named, me=at.frame.me) if named else None
    if attribute is None and named and named[0].low not in DETERMINERS:
        attribute = parse_attribute((named[0]._replace(text="our", low="our"), *named), me=at.frame.me)
    return None if attribute is None or attribute.rows[0].name in _WORDS["no_posts"] else attribute


def _tell(at: Predicate, post: Tokens, now: Tokens, gone: Tokens = (), *, change: bool = True) -> list[Claim]:
    """The claims that `now` fills the slot that `post` names, and that `gone` does no longer."""
    attribute = _post(at, post)
    if attribute is None:
        return []
    for row in attribute.rows:
        told = [(_whole_value(row.reads, now), True), (_whole_value(row.reads, gone), False)]
        values = [(value, polarity) for value, polarity in told if value is not None]
        if values and len(values) == bool(now) + bool(gone):
            is_change = change or (attribute.updated and not at.denied)
            return make_claims(at, attribute.subject, attribute.slot, values, Tail(), change=is_change)
    return []


def _parse_being(at: Predicate) -> list[Claim]:
    """Read "Ann is (no longer) the lead of Atlas", "Ann serves as lead of Atlas"."""
    lemma, rest = at.group.lemma, without_when(at.rest)
    if lemma in FRAME_WORDS["serving_verbs"] and low_at(rest, 0) == "as":
        rest = rest[1:]
    elif lemma not in FRAME_WORDS["being_verbs"] or low_at(rest, 0) in ("a", "an") or _is_appointed(at, rest):
        return []
    if at.denied:
        return _tell(at, rest, (), at.subject, change=at.group.ended) if lemma != "become" else []
    return _tell(at, rest, at.subject, change=lemma == "become")


def _parse_event(at: Predicate) -> list[Claim]:
    """Read what made somebody fill a slot, or leave it."""
    is_done = at.is_done or at.group.lemma == "be"
    if not is_done or at.denied or at.group.modality is not Modality.FACT:
        return []
    rest = without_when(at.rest)
    return _parse_passing(at, rest) or _parse_appointed(at, rest) or _parse_entered(at, rest)


def _parse_passing(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "ownership of X passed from Ann to Ben", "Ann handed the lead of X over to Ben"."""
    to = next((i for i in range(len(rest) - 1, -1, -1) if rest[i].low == "to"), -1)
    if to < 0 or _main_lemma(at, rest) not in _PASSING:
        return []
    office, gone = _office(at.subject), _after_from(rest[:to])
    if not office:
        inner = [i for i in range(to) if rest[i].low not in _PARTS]
        office, gone = _office(rest[inner[0] : inner[-1] + 1] if inner else ()), at.subject
    return _tell(at, office, up_to(rest[to + 1 :], _ENDS), gone)


def _office(tokens: Tokens) -> Tokens:
    """The post that goes with what somebody has who fills it: "the lead of X" for "(the) leadership of X"."""
    start = int(low_at(tokens, 0) in DETERMINERS)
    noun = OFFICES.get(low_at(tokens, start), "")
    if not noun or low_at(tokens, start + 1) not in ("of", "for", "on"):
        return ()
    return (tokens[start]._replace(text=noun, low=noun), *tokens[start + 1 :])


def _main_lemma(at: Predicate, rest: Tokens) -> str:
    """The verb itself, of the passive too: "was handed"."""
    if at.group.lemma != "be":
        return at.group.lemma
    lemma, letters = forms().get(low_at(rest, 0), ("", ""))
    return lemma if "n" in letters else ""


def _is_appointed(at: Predicate, rest: Tokens) -> bool:
    return _main_lemma(at, rest) in FRAME_WORDS["appointing_verbs"]


def _after_from(tokens: Tokens) -> Tokens:
    return up_to(tokens[place_of(tokens, ("from",)) + 1 :], _ENDS)


def _parse_appointed(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "Ann was appointed (as) lead of X", "Acme named Ann its lead"."""
    if not _is_appointed(at, rest):
        return []
    if at.group.lemma == "be" or at.group.passive:
        begin = int(at.group.lemma == "be")
        begin += low_at(rest, begin) in ("as", "to")
        return _tell(at, rest[begin:], at.subject, _after_from(rest))
    mark = place_of(rest, _ITS | {"as"}, 1)
    start = mark + (low_at(rest, mark) == "as")
    while low_at(rest, start) in _ITS:
        start += 1
    post = up_to(rest[start:], _ENDS)
    if not post:
        return []
    if place_of(post, ("of", "for")) == len(post):
        last = at.subject[-1]
        post = (*at.subject[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"), *post)
    return _tell(at, post, rest[:mark])


def _parse_entered(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "Ann took over as lead of X from Ben", "Ann succeeded Ben as lead of X", "Ann stepped down as lead of X"."""
    if at.group.lemma == "be":
        return []
    mark = place_of(rest, ("as",))
    lemma, before, post = at.group.lemma, rest[:mark], rest[mark + 1 :]
    if lemma in FRAME_WORDS["leaving_verbs"] and (lemma != "step" or low_at(before, 0) in ("down", "back", "aside")):
        return _tell(at, post, (), at.subject)
    if lemma in FRAME_WORDS["following_verbs"] and before:
        return _tell(at, post, at.subject, before)
    is_over = low_at(before, 0) == "over" and lemma == "take"
    if is_over or (lemma in FRAME_WORDS["entering_verbs"] and len(before) <= 1):
        return _tell(at, post, at.subject, _after_from(rest))
    return []
