"""Restate an elliptical correction or change as the plain sentence that it stands for.

"The router was replaced; it's a Unifi now" is "the router is a Unifi now". What cannot be turned stays as it is.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.openers import parse_opening
from ...language.segment import is_finite
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import low_at, place_of
from ...language.verbs import BE_PAST, BE_PRESENT, forms, lemma_of
from ..clauses.clause_grammar import parse_group
from ..clauses.ending_phrases import without_when
from ..clauses.predicates import Tokens
from ..coreference.situations import is_of_one_day, passes
from ..grammar.corrections import EARLIER, SOFT, parse_head
from ..grammar.subjects import KIN, parse_attribute
from ..grammar.verb_groups import CHANGE_LEMMAS, SWAP_LEMMAS, VerbGroup, of_participle
from ..model import Modality
from ..slots.rows import TABLE
from ..values.names import is_known_place, parse_term
from ..values.numbers import parse_version
from ..values.readers import parse_value
from .rewrites import SPEAKERS, rewrite, whose

_WORDS: Final = read_classes(__file__)
#: Verb -> the wordings of its result other than "is": "was renamed to V" is "is called V".
_WAYS: Final = {
    lemma: split_wordings(ways.split("|")) for lemma, ways in read_table(__file__, "word_classes")["restate"]["ways"]
}
_USES: Final = ("uses",)
_CHANGING: Final = _WORDS["setting"] | _WORDS["placing"] | SWAP_LEMMAS
_LEADING: Final = _CHANGING | _WAYS.keys()
_PRONOUNS: Final = frozenset(("it", "that")) | (lexicon.SUBJECT_PRONOUNS - {"i", "we", "you"})
_BE: Final = BE_PRESENT | BE_PAST
_MADE_NEW: Final = CHANGE_LEMMAS | _WORDS["made_new"]
_TELLING: Final = _MADE_NEW | _LEADING
#: The most words of a head; a longer one is a sentence of its own.
_MAX_HEAD: Final = 14


def _parse_results(tokens: Tokens, group: VerbGroup) -> tuple[Tokens, ...]:
    """Return the plain sentences of what holds since a change; none if the clause tells no change, or too little."""
    if group.negated or group.modality is not Modality.FACT or group.lemma not in _LEADING:
        return ()
    if not (group.is_past or group.perfect) or not _is_told(tokens, group):
        return ()
    subject, rest = tokens[: group.subject_end], tokens[group.rest :]
    marks = ("with", "by", "for") if group.lemma in SWAP_LEMMAS else ("to",)
    marks = ("to", "until", "till") if group.lemma in _WORDS["deferring"] else marks
    if subject and subject[-1].low in KIN and not group.passive and low_at(rest, 0) in (*marks, "from"):
        return ()  # what somebody's wife switched to is not who she is
    to = next((i for i, token in enumerate(rest) if token.low in marks), -1)
    if to < 0 or to + 1 >= len(rest) or any(token.low == "then" for token in rest[to + 1 :]):
        return ()  # "to 8000, then back to 8080"
    start = place_of(rest[:to], ("from",))
    held = tuple(token for token in rest[:start] if token.low not in lexicon.PARTICLES)
    if any(token.low in (",", ":", "that") for token in (*held, *subject)):
        return ()
    is_own = not held and not group.passive
    holder = subject if not held else () if group.passive or _is_led(subject) else _owned(held, subject)
    value, old = _value(rest[to + 1 :]), rest[start + 1 : to]
    if len(held) == 1 and held[0].low in lexicon.versioned_names() and parse_version(value, 0) is not None:
        holder, value = subject, (*held, *value)  # "we upgraded Python to 3.12"
    elif parse_version(value, 0) is not None and parse_value(("named version",), old, 0) is not None:
        value = (*old[:-1], *value)  # "from Kubernetes 1.27 to 1.30"
    if not holder or not value or any(token.low.endswith("ed") and token.low in _words_of_change() for token in value):
        return ()  # "and then changed back to 8080"
    ways = [words for words in _WAYS.get(group.lemma, ()) if _is_led_so(words, holder, group, value, is_own=is_own)]
    links = [_link(group, value)] if group.lemma in _CHANGING else []
    links += [tuple(value[0]._replace(text=word, low=word) for word in words) for words in ways]
    sentences = tuple((*holder, *link, *value) for link in links)
    return sentences + _as_ours(holder, value) if _USES in ways and not old else sentences


def _as_ours(holder: Tokens, value: Tokens) -> tuple[Tokens, ...]:
    """Read "we migrated to PostgreSQL" like "our database is PostgreSQL" as well."""
    term = parse_term(value, 0)
    noun = str(term.value.norm[0]).split()[-1] if term is not None and term.end == len(value) else ""
    if not noun or low_at(holder, 0) not in SPEAKERS or len(holder) > 1 or noun not in TABLE.nouns:
        return ()
    return ((*whose(holder), *(value[0]._replace(text=word, low=word) for word in (noun, "is")), *value),)


def _is_led_so(words: tuple[str, ...], holder: Tokens, group: VerbGroup, value: Tokens, *, is_own: bool) -> bool:
    """Whether a change led to what `words` would state: another home and not upstairs, a tool and no place."""
    if words == ("lives", "in"):
        is_somebody = holder[-1].low in SPEAKERS or (len(holder) == 1 and holder[0].text[0].isupper())
        place = parse_value(("place",), value, 0) if is_own and is_somebody else None
        return place is not None and (group.lemma == "relocate" or is_known_place(*map(str, place.value.norm[:2])))
    if words == ("is",):
        return _is_led(holder) or parse_attribute(holder) is not None
    is_versioned = parse_value(("named version", "named port"), value, 0) is not None
    if words == ("is", "on"):
        return is_versioned
    return words != _USES or (parse_term(value, 0) is not None and not is_versioned)


def _is_told(tokens: Tokens, group: VerbGroup) -> bool:
    """Whether a thing rose or fell by itself: "the rent went up to 980", but not "Ann went up to the roof"."""
    if group.lemma not in _WORDS["moving"] or group.passive:
        return True
    rest, subject = tokens[group.rest :], tokens[: group.subject_end]
    is_thing = bool(subject) and subject[-1].text[0].islower() and subject[-1].low != "user"
    to = next((i for i, token in enumerate(rest[:8]) if token.low == "to"), -1)
    is_amount = 0 <= to < len(rest) - 1 and (rest[to + 1].low[0].isdigit() or rest[to + 1].low[0] in "$€£")
    return is_thing and is_amount and (group.lemma != "go" or low_at(rest, 0) in ("up", "down"))


def _owned(held: Tokens, subject: Tokens) -> Tokens:
    """Return the object of a change with its owner: in "User changed their bank" and "User changed banks" the user."""
    first = held[0]
    if subject and first.low in lexicon.THEIR:
        return (*whose(subject), *held[1:])
    if first.low in lexicon.DETERMINERS or "'" in first.low or first.text[0].isupper() or not first.low.isalpha():
        return held
    return (*whose(subject), *held) if subject and subject[-1].low == "user" else held


def _is_led(subject: Tokens) -> bool:
    return bool(subject) and subject[0].low in lexicon.PREPOSITIONS


def _value(tokens: Tokens) -> Tokens:
    """Return the new value and its circumstances, without who brought it about."""
    return tokens[: place_of(tokens, ("by", "because", "so", ","), 1)]


def _link(group: VerbGroup, value: Tokens) -> Tokens:
    """Return the copula, and the preposition that a place or a time takes; a colon in front of a mere word."""
    low = value[int(value[0].low == "the" and len(value) > 1)].low
    if group.lemma in ("extend", "shorten") and any(token.low in lexicon.CALENDAR for token in value[:3]):
        return tuple(value[0]._replace(text=word, low=word) for word in ("ends", "on" if low[0].isdigit() else "in"))
    words = [":" if len(value) == 1 and low.isalpha() and group.lemma not in _WORDS["placing"] else "is"]
    if group.lemma in _WORDS["placing"] and low not in lexicon.PREPOSITIONS:
        is_clock = low[0].isdigit() and (":" in low or low.endswith(("am", "pm")))
        is_address = any(mark in low for mark in "/@") or "." in low.strip(".")
        is_day = low in lexicon.CALENDAR or low[0].isdigit()
        words.append("at" if is_clock or is_address else "on" if is_day else "in")
    return tuple(value[0]._replace(text=word, low=word) for word in words)


class Restated(NamedTuple):
    """The plain sentence, what a pronoun of the next one may mean, and what holds since a change."""

    tokens: Tokens
    change: bool = False
    correction: bool = False
    topic: Tokens = ()
    results: tuple[Tokens, ...] = ()


@cache
def _words_of_change() -> frozenset[str]:
    """Return all forms of the verbs that tell of a change."""
    return frozenset(word for word, (lemma, _) in forms().items() if lemma in _TELLING)


def restate(tokens: Tokens, before: Restated | None = None) -> Restated:
    """Return the plain form of a sentence; `before` is the sentence in front of it."""
    if before is not None and before.topic:
        rest = _of_topic(before.topic, tokens)
        if rest is not None:
            return Restated(rest, not before.correction, before.correction)
    taken = parse_head(tokens)
    if taken is not None:
        return _taken_back(taken.topic, tokens[taken.end :])
    meant = rewrite(tokens, "meant")
    if meant is not tokens:
        return Restated(meant, correction=True)
    may_change = not _words_of_change().isdisjoint([token.low for token in tokens])
    for index in range(min(len(tokens), _MAX_HEAD) + 1):
        if index < len(tokens) and tokens[index].low not in ("and", "so", *",:;—–-"):
            continue
        head, rest = tokens[:index], tokens[index + 1 :]
        wrong = _wrong_topic(head)
        if wrong is not None:
            plain = _of_topic(wrong, rest) if wrong else None
            if plain is None and any(token.low == "meant" for token in head):
                continue  # what was meant is the value itself
            return Restated(rest if plain is None else plain, correction=True, topic=wrong)
        changed = _changed_topic(head) if may_change else ()
        if changed:
            plain = _of_topic(changed, rest)
            if plain is not None:
                return Restated(plain, change=True)
            is_explained = low_at(tokens, index) == ":" and parse_group(rest) is not None
            return Restated(rest if is_explained else tokens, topic=changed)
    return _of_new(tokens) or Restated(tokens, results=_results(tokens) if may_change else ())


def _taken_back(topic: Tokens, rest: Tokens) -> Restated:
    """Return the plain sentence after the words by which something is taken back."""
    plain = _of_topic(topic, rest) if topic and rest else None
    if plain is None and topic and rest and parse_group(rest) is None:
        plain = (*topic, rest[0]._replace(text=":", low=":"), *rest)
    return Restated(rest if plain is None else plain, correction=True, topic=topic)


def _results(tokens: Tokens) -> tuple[Tokens, ...]:
    """Return what holds since the one change that a sentence tells of."""
    is_deferred = any(lemma_of(token.low) in _WORDS["deferring"] for token in tokens)
    if any(token.low in lexicon.MEANWHILE and not (is_deferred and token.low in ("until", "till")) for token in tokens):
        return ()
    begin = parse_opening(tokens).end
    whole = parse_group(tokens[begin:])
    if whole is not None and is_of_one_day(tokens[begin : begin + whole.subject_end]):
        return ()  # "the call on 3 May was moved to 11:00": that one call
    plain = rewrite(tokens[begin:] if passes(tokens) else without_when(tokens[begin:]), "asked")
    group = parse_group(plain) if plain else None
    if group is not None and group.lemma in _WORDS["moving"] and any(token.low in _WORDS["once"] for token in tokens):
        return ()
    results = _parse_results(plain, of_participle(plain, group)) if group is not None else ()
    subject = plain[: group.subject_end] if group is not None else ()
    if results and results[0][0].low == "the" and subject and subject[-1].low == "user":
        return (*results, *((*whose(subject), *result[1:]) for result in results))  # it may be the user's own
    return results


def _of_topic(topic: Tokens, rest: Tokens) -> Tokens | None:
    """Return the rest with the topic in the place of its pronoun: "it is V", "they should be V", "his lead is V"."""
    low, following = low_at(rest, 0), low_at(rest, 1)
    if low in lexicon.THEIR and len(rest) > 2:
        return (*whose(topic), *rest[1:])
    if low not in _PRONOUNS:
        return None
    if following not in _BE and low != "that" and is_finite(rest, 1):
        return (*topic, *rest[1:])
    if following in _BE:
        is_named = low_at(rest, 2) in ("called", "named") and topic[-1].low == "name"
        return (*topic, rest[1], *rest[2 + is_named :])
    return None


def _wrong_topic(head: Tokens) -> Tokens | None:
    """Return what a head says was wrong ("I got X wrong"); empty if it does not say, None for any other head."""
    while head and head[0].low in SOFT:
        head = head[1:]
    while head and head[-1].low in EARLIER:
        head = head[:-1]
    topic = rewrite(head, "wrong")
    return None if topic is head else topic


def _changed_topic(head: Tokens) -> Tokens:
    """Return the subject that a head says has changed; empty if it says more, or nothing has."""
    group = parse_group(head) if len(head) > 1 else None
    if group is None or group.negated or group.modality is not Modality.FACT or group.lemma not in _MADE_NEW:
        return ()
    is_done = group.perfect or group.is_past
    rest = without_when(head[group.rest :])
    return head[: group.subject_end] if is_done and not rest and head[0].low not in _PRONOUNS else ()


def _of_new(tokens: Tokens) -> Restated | None:
    """Read "New gate code: 9876" without "new", and "no, it's 5006, the debug port" like "the debug port is 5006"."""
    plain = rewrite(tokens, "changes")
    if plain is not tokens:
        return Restated(plain, change=True)
    begin = parse_opening(tokens).end
    plain = rewrite(tokens[begin:], "corrections") if begin else tokens
    return Restated(plain, correction=True) if begin and len(plain) != len(tokens) - begin else None
