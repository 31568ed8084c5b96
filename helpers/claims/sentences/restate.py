"""Turn an elliptical correction or change round to the plain sentence that it stands for (C-41).

"The router was replaced; it's a Unifi now" is "the router is a Unifi now"; "I got Ann's age wrong, she is 31" is "Ann's
age is 31"; "Ann has a new phone number: 555 120" is "Ann's phone number is 555 120". What cannot be turned round stays
as it is.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ...language.lexicon import CALENDAR, MEANWHILE, SUBJECT_PRONOUNS, THEIR, TOLD, WRONG
from ...language.openers import parse_opening
from ...language.segment import is_finite
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import BE_PAST, BE_PRESENT, forms, participles
from ..clauses.clause_grammar import parse_group
from ..clauses.ending_phrases import without_when
from ..clauses.predicates import Tokens
from ..coreference.situations import is_of_one_day
from ..grammar.corrections import EARLIER, SOFT, parse_head
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..model import Modality
from .causatives import CHANGING, CHOOSING, DEFERRING, MOVING, parse_results
from .limits import SPEAKERS

_WORDS: Final = read_classes(__file__)
_MARKS: Final = frozenset(("and", "so", *",:;—–-"))
_PRONOUNS: Final = frozenset(("it", "that")) | (SUBJECT_PRONOUNS - {"i", "we", "you"})
_BE: Final = BE_PRESENT | BE_PAST
_SLIPS: Final = _WORDS["slips"]
_GAVE: Final = TOLD | _WORDS["gave"]
_GETS: Final = frozenset(("has", "have", "got"))
_MADE_NEW: Final = CHANGE_LEMMAS | _WORDS["made_new"]
#: What rose or fell then may be back by now.
_ONCE: Final = _WORDS["once"]
_ASKING: Final = _WORDS["asking"]
_ASKED: Final = _WORDS["asked"]
#: What there is one of at a time.
_RENEWABLE: Final = _WORDS["renewable"]
_TELLING: Final = _MADE_NEW | CHANGING | CHOOSING | {"make"}
_ERRORS: Final = WRONG | _SLIPS | {"typo", "meant"}
_NO_FORM: Final = ("", "")
#: Words of a head; a longer one is a sentence of its own.
_MAX_HEAD: Final = 14


class Restated(NamedTuple):
    """The plain sentence; whether it is a change, or a correction; what a pronoun of the next one may mean; and, of a
    sentence that tells of a change, what holds since.
    """

    tokens: Tokens
    change: bool = False
    correction: bool = False
    topic: Tokens = ()
    results: tuple[Tokens, ...] = ()


@cache
def _words_of_change() -> frozenset[str]:
    """All forms of the verbs that tell of a change."""
    return frozenset(word for word, (lemma, _) in forms().items() if lemma in _TELLING)


def restate(tokens: Tokens, before: Restated | None = None) -> Restated:
    """The plain form of a sentence; `before` is the sentence in front of it."""
    if before is not None and before.topic:
        rest = _of_topic(before.topic, tokens)
        if rest is not None:
            return Restated(rest, not before.correction, before.correction)
    taken = parse_head(tokens)
    if taken is not None:
        return _taken_back(taken.topic, tokens[taken.end :])
    lows = {token.low for token in tokens}
    meant = _of_meant(tokens) if "meant" in lows else None
    if meant is not None:
        return meant
    may_change = not _words_of_change().isdisjoint(lows)
    may_correct = not _ERRORS.isdisjoint(lows)
    if not may_change and not may_correct:
        return (
            (_of_new_label(tokens) or _of_new(tokens) if "new" in lows else None)
            or _of_apposition(tokens)
            or Restated(tokens)
        )
    for index in range(min(len(tokens), _MAX_HEAD) + 1):
        if index < len(tokens) and tokens[index].low not in _MARKS:
            continue
        head, rest = tokens[:index], tokens[index + 1 :]
        wrong = _wrong_topic(head) if may_correct else None
        if wrong is not None:
            said = _of_topic(wrong, rest) if wrong else None
            if said is None and any(token.low == "meant" for token in head):
                continue  # what was meant is the value itself
            return Restated(rest if said is None else said, correction=True, topic=wrong or head[:0])
        changed = _changed_topic(head) if may_change else ()
        if changed:
            said = _of_topic(changed, rest)
            if said is not None:
                return Restated(said, change=True)
            is_explained = low_at(tokens, index) == ":" and parse_group(rest) is not None
            return Restated(rest if is_explained else tokens, topic=changed)
    return _of_new(tokens) or _of_apposition(tokens) or Restated(tokens, results=_results(tokens))


def _of_meant(tokens: Tokens) -> Restated | None:
    """Read "sorry, I meant Sunday for Ann's party" like "Ann's party is on Sunday"."""
    begin = parse_opening(tokens).end
    if low_at(tokens, begin - 1) != "meant" or begin < 2:
        return None
    mark = next((i for i in range(begin + 1, min(begin + 5, len(tokens))) if tokens[i].low in ("for", "as")), 0)
    topic = tuple(token for token in tokens[mark + 1 :] if token.text not in ".,!") if mark else ()
    if not topic or parse_group(tokens[begin:]) is not None:
        return None
    value = tokens[begin:mark]
    is_day = any(token.low in CALENDAR for token in value) and value[0].low != "on"
    copula = [value[0]._replace(text=word, low=word) for word in ("is", "on")[: 1 + is_day]]
    return Restated((*topic, *copula, *value), correction=True, topic=topic)


def _taken_back(topic: Tokens, rest: Tokens) -> Restated:
    """What is so, after the words by which something said is taken back."""
    said = _of_topic(topic, rest) if topic and rest else None
    if said is None and topic and rest and parse_group(rest) is None:
        said = (*topic, rest[0]._replace(text=":", low=":"), *rest)
    return Restated(rest if said is None else said, correction=True, topic=topic)


def _results(tokens: Tokens) -> tuple[Tokens, ...]:
    """What holds since the one change that a sentence tells of."""
    is_deferred = any(forms().get(token.low, _NO_FORM)[0] in DEFERRING for token in tokens)
    if any(token.low in MEANWHILE and not (is_deferred and token.low in ("until", "till")) for token in tokens):
        return ()
    begin = parse_opening(tokens).end
    whole = parse_group(tokens[begin:])
    if whole is not None and is_of_one_day(tokens[begin : begin + whole.subject_end]):
        return ()  # "the call on 3 May was moved to 11:00": that one call
    plain = _as_done(without_when(tokens[begin:]))
    group = parse_group(plain) if plain else None
    if group is not None and group.lemma in MOVING and any(token.low in _ONCE for token in tokens):
        return ()
    return tuple(parse_results(plain, group)) if plain else ()


def _as_done(tokens: Tokens) -> Tokens:
    """Read "the user asked to switch X to Y" like "the user switched X to Y": what the user asks for is so."""
    ask = next((i for i in (1, 2) if low_at(tokens, i) in _ASKING), 0)
    if not ask or tokens[ask - 1].low not in SPEAKERS:
        return tokens
    verb = ask + 2 + (low_at(tokens, ask + 1) in _ASKED) + 2 * (low_at(tokens, ask + 2) in _ASKED)
    past = participles().get(low_at(tokens, verb), ()) if low_at(tokens, verb - 1) == "to" else ()
    if not past or low_at(tokens, verb) not in CHANGING:
        return tokens
    return (*tokens[:ask], tokens[verb]._replace(text=past[0], low=past[0]), *tokens[verb + 1 :])


def _of_topic(topic: Tokens, rest: Tokens) -> Tokens | None:
    """The rest with the topic in the place of its pronoun: "it is V", "they should be V", "his lead is V"."""
    low, following = low_at(rest, 0), low_at(rest, 1)
    if low in THEIR and len(rest) > 2:
        last = topic[-1]
        return (*topic[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"), *rest[1:])
    if low not in _PRONOUNS:
        return None
    if following == "should" and low_at(rest, 2) == "be":
        return (*topic, rest[2]._replace(text="is", low="is"), *rest[3:])
    if following not in _BE and low != "that" and is_finite(rest, 1):
        return (*topic, *rest[1:])
    if following in _BE:
        is_named = low_at(rest, 2) in ("called", "named") and topic[-1].low == "name"
        return (*topic, rest[1], *rest[2 + is_named :])
    return None


def _wrong_topic(head: Tokens) -> Tokens | None:
    """What a head says was told wrong ("I got X wrong"): empty if it does not say what, None if it is no such head."""
    while head and head[0].low in SOFT:
        head = head[1:]
    lows = [token.low for token in head]
    while lows and lows[-1] in EARLIER:
        lows.pop()
    if not lows:
        return None
    last = len(lows)
    if lows == ["typo"] or lows[1:] == ["typo"]:
        return ()
    if lows[:2] == ["i", "meant"]:
        return head[2:last] if 2 < last <= 5 else None
    if lows[0] in SPEAKERS and last > 1:
        if lows[1] in _SLIPS:
            return head[2:last] if last > 2 else ()
        if lows[1] in _GAVE and lows[-1] == "wrong":
            return tuple(token for token in head[2 : last - 1] if token.low not in ("it", "you", "that"))
        if lows[1] in _BE and lows[2:3] and lows[2] in WRONG:
            return head[4:last] if lows[3:4] == ["about"] else () if last == 3 else None
    if lows[-1] in WRONG and last > 2 and lows[-2] in _BE:
        return () if lows[0] in _PRONOUNS or lows[0] == "this" else head[: last - 2]
    return None


def _changed_topic(head: Tokens) -> Tokens:
    """What a head says has changed, and nothing more than that."""
    group = parse_group(head) if len(head) > 1 else None
    if group is None or group.negated or group.modality is not Modality.FACT or group.lemma not in _MADE_NEW:
        return ()
    is_done = group.perfect or group.is_past
    rest = without_when(head[group.rest :])
    return head[: group.subject_end] if is_done and not rest and head[0].low not in _PRONOUNS else ()


def _of_apposition(tokens: Tokens) -> Restated | None:
    """Read "actually it's 5006, the debug port" like "the debug port is 5006"."""
    begin = parse_opening(tokens).end
    is_pointing = begin and low_at(tokens, begin) in ("it", "that") and low_at(tokens, begin + 1) == "is"
    comma = next((i for i in range(begin + 3, min(begin + 6, len(tokens))) if tokens[i].low == ","), 0)
    if not is_pointing or not comma or low_at(tokens, comma + 1) not in ("the", "my", "our"):
        return None
    return Restated((*tokens[comma + 1 :], tokens[begin + 1], *tokens[begin + 2 : comma]), correction=True)


def _of_new_label(tokens: Tokens) -> Restated | None:
    """Read "New gate code: 9876" like "the gate code: 9876"."""
    mark = next((i for i, token in enumerate(tokens[:6]) if token.low == ":"), 0)
    if mark < 2 or tokens[0].low != "new" or tokens[mark - 1].low not in _RENEWABLE:
        return None
    return Restated(tokens[1:], change=True)


def _of_new(tokens: Tokens) -> Restated | None:
    """Read "Ann has a new phone number: 555 120" and "Ann got a new dog, Rex" like "Ann's phone number: 555 120"."""
    verb = next((i for i, token in enumerate(tokens[:6]) if token.low in _GETS), 0)
    start = verb + 1 + (low_at(tokens, verb + 1) == "got")
    if not verb or low_at(tokens, start) not in ("a", "an") or low_at(tokens, start + 1) != "new":
        return None
    mark = next((i for i in range(start + 3, min(start + 7, len(tokens))) if tokens[i].low in (":", ",", "—", "–")), 0)
    rest = tokens[mark + 1 :]
    if low_at(rest, 0) in _PRONOUNS and low_at(rest, 1) in _BE:
        rest = rest[2:]
    if not mark or not 1 <= len(rest) <= 6:
        return None
    owner = tokens[:verb]
    whose = "my" if owner[-1].low in ("i", "we") else f"{owner[-1].low}'s"
    holder = owner[-1]._replace(text=whose if whose == "my" else f"{owner[-1].text}'s", low=whose)
    colon = tokens[mark]._replace(text=":", low=":")
    return Restated((*owner[:-1], holder, *tokens[start + 2 : mark], colon, *rest), change=True)
