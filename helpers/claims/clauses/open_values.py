"""Read what a thing is, has or is called, and where it is, if no table knows the values.

Two such values ("the course is held in Hall B") exclude each other only where the newer text changes or corrects the
older one, unless an article and a relative clause say which one: "the server that hosts the wiki is db-01".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ...language import lexicon
from ...language.modality import word_modality
from ...language.numerals import NUMBER_WORDS, ORDINALS
from ...language.openers import parse_opening
from ...language.tables import read_classes, read_table, split_members
from ...language.token import Token, low_at, place_of, text_of
from ...language.verbs import BE_PAST, BE_PRESENT, inflection_of
from ...language.vocabulary import TITLES
from ..grammar.corrections import is_additive
from ..grammar.subjects import USER, Attribute, parse_attribute, parse_subject
from ..grammar.topics import join_topic
from ..grammar.verb_groups import VerbGroup
from ..model import NOW, Claim, Modality, Tense, Value, ValueKind
from ..slots.rows import FRAME_WORDS, RELATIONS, USING, Slot
from ..values.names import parse_term
from ..values.numbers import Parsed, parse_version
from ..values.readers import SCALARS, parse_value
from .ending_phrases import CONTRASTING, without_when
from .endings import lasts, words_of
from .predicates import (
    Frame,
    Predicate,
    Tail,
    Tokens,
    end_of_phrase,
    make_claims,
    parse_slot_value,
    up_to,
    verb_keys,
)

_WORDS: Final = read_classes(__file__)
OPEN_SLOT: Final = "is now"
NOW_WORDS: Final = frozenset(("now", "nowadays", "meanwhile"))
_OF_LISTS: Final = lexicon.CONJUNCTIONS | lexicon.ADDITIVE | {"only"}
_NOT_PLAIN: Final = _OF_LISTS | lexicon.PAST_WORDS | {"both", "not"}
_AROUND: Final = lexicon.PREPOSITIONS | lexicon.NEUTRAL | {","}
_LANGUAGE: Final = frozenset(("human language",))
_HAPPENS: Final = ("take", "place")
_WORKS: Final = ("work", "at")
_MAX_VALUE: Final = 5
_MAX_WORDS: Final = 4
_DROPPED: Final = lexicon.ARTICLES | lexicon.NEUTRAL | {"any", "our"}
IDENTITY_SLOT: Final = "is"
_MARKS: Final = lexicon.RELATIVES | {"we", "i"}
#: The places of the mark of a relative clause: "the server that", "the type of music that".
_MARK_PLACES: Final = range(2, 6)
_MAX_DESCRIBED: Final = 14
#: Nouns of what is another thing in every conversation, or of a sentence.
_VAGUE: Final = lexicon.EPHEMERAL | _WORDS["vague"]
#: Verbs with several objects: "the city that I like" does not say that there is one.
_PLURAL_LEMMAS: Final = frozenset(relation.split()[0] for relation in RELATIONS - USING) - _WORDS["of_one"]
_DETERMINERS: Final = lexicon.THEIR | {"a", "an"} | NUMBER_WORDS.keys()
USES_SLOT: Final = "uses"
_AFTER_USED: Final = lexicon.PREPOSITIONS | lexicon.NEUTRAL | lexicon.CONJUNCTIONS | CONTRASTING
_NAMED: Final = (ValueKind.NAME, ValueKind.PERSON)
_ENDS: Final = lexicon.REASONS | _WORDS["ends"] | {","}
_NOT_NAMED: Final = lexicon.NEUTRAL | {"sole", "only"}
#: Words of a substitute, who does something for a while.
FOR_A_WHILE: Final = _WORDS["for_a_while"]
_OF_HAVING: Final = read_table(__file__, "word_classes")["open_values"]
_KINDS: Final = {kind[0]: frozenset(kind) for kind in split_members(_OF_HAVING["kinds"])}
#: The kinds that a kind is within: who has a son has children, but who has no son may have a daughter.
_WITHIN: Final = {kind: whole for whole, *kinds in split_members(_OF_HAVING["within"]) for kind in kinds}


def _claim(clause: Predicate, slot: str, topic: list[str], written: Tokens, words: tuple[str, ...]) -> list[Claim]:
    name = join_topic([*topic, *clause.frame.scope])
    value = Value(ValueKind.TEXT, text_of(written), tuple(sorted(set(words))))
    is_change = clause.group.lemma == "become" or any(token.low in NOW_WORDS for token in clause.tokens)
    return [replace(clause.claim(name, f"{OPEN_SLOT} {slot}".rstrip(), value), change=is_change)] if name else []


def parse_open_value(clause: Predicate) -> list[Claim]:
    """Return the claim of "the N is V" or "N: V" with a noun N and a name V; none for any other clause."""
    group = clause.group
    is_past = group.is_past and group.lemma == "be"
    if group.lemma not in ("be", "become") or group.negated or is_past or not clause.is_told_now:
        return []
    value, subject = _value(clause.rest), words_of(clause.subject, clause.frame.me)
    words = words_of(value, clause.frame.me)
    if not _is_described(clause.subject) or not words or not subject or set(subject) <= {USER}:
        return []
    is_label = low_at(clause.tokens, len(clause.subject)) in (":", "=", "→", "->")
    is_name = _is_name(clause.rest, value)
    if not (is_label or is_name or _is_quality(clause.subject, value)):
        return []
    rest = clause.rest[_end_of_value(clause.rest) :]
    around = (
        words_of(without_when(rest), clause.frame.me) if low_at(rest, 0) in lexicon.PREPOSITIONS - {"since"} else ()
    )
    claims = [] if around is None else _claim(clause, "" if is_name else "a word", [*subject, *around], value, words)
    return [
        replace(claim, single=is_name and _is_one(clause) and value[0].low not in lexicon.CALENDAR) for claim in claims
    ]


def _is_one(clause: Predicate) -> bool:
    """Whether a subject of several words names a unique thing: "the wake word"."""
    lows = [token.low for token in clause.subject]
    is_led = lows[0] in ("the", "my", "our") or lows[0].endswith("'s")
    is_plain = all(low.isalpha() for low in lows[is_led:]) and _WORDS["one_of_several"].isdisjoint(lows)
    is_known = parse_attribute(clause.subject, me=clause.frame.me) is not None or lexicon.singular(lows[-1]) != lows[-1]
    return len(lows) > 1 + is_led and (is_led or not clause.group.rest) and is_plain and not is_known


def _is_quality(subject: Tokens, value: Tokens) -> bool:
    """Whether a quality that has one value at a time is given as one word: "the tone is formal"."""
    nouns = {subject[-1].low, "_".join(token.low for token in subject[-2:])}
    return not nouns.isdisjoint(_WORDS["qualities"]) and len(value) == 1 and value[0].low.isalpha()


def _is_described(subject: Tokens) -> bool:
    """Whether a subject ends in a noun and so says what kind of thing it is."""
    if not subject or subject[0].low.removesuffix("'s") in lexicon.INDEFINITE:
        return False
    return subject[-1].text[0].islower() and all(token.low not in lexicon.PAST_WORDS for token in subject)


def _is_name(rest: Tokens, value: Tokens) -> bool:
    """Whether a value is written as a name; behind "a" or "an" its first word is enough."""
    if len(value) == 2 and value[1].low.isdecimal() and value[0].low.isalpha():
        return True
    named = value[:1] if any(token.low in ("a", "an") for token in rest[:2]) else value
    return all(_is_written_as_name(token.text) for token in named)


def _is_written_as_name(text: str) -> bool:
    """Whether a word is written as part of a name; "dog-friendly" and "SSL-only" are adjectives."""
    if text.rpartition("-")[2] in _WORDS["how"]:
        return False
    return text[0].isupper() or not (text.isalpha() or text[0].isdigit())


def _value(rest: Tokens) -> Tokens:
    """Return the words of the value; none if it is a list, a phrase of place or time, or somebody's."""
    begin = 0
    while low_at(rest, begin) in lexicon.ARTICLES | lexicon.NEUTRAL:
        begin += 1
    words = rest[begin : _end_of_value(rest)]
    value = tuple(token for token in words if token.low not in lexicon.NEUTRAL and token.low not in TITLES)
    is_amount = bool(value) and (value[0].low[0].isdigit() or value[0].low[0] in "$€£+-")
    is_list = is_amount or any(token.low in _OF_LISTS for token in rest)
    if len(value) > _MAX_VALUE or is_list or any("'" in token.low for token in value):
        return ()
    return value


def _end_of_value(rest: Tokens) -> int:
    return place_of(rest, lexicon.PREPOSITIONS | {",", "(", "instead"})


def parse_open_place(clause: Predicate) -> list[Claim]:
    """Return the claim of "the printer is in Room 5", "the course is held in the barn"; none for any other clause."""
    group, rest, first = clause.group, clause.rest, low_at(clause.rest, 0)
    if group.negated or group.is_past or not clause.subject or not clause.is_told_now or not lasts(clause.tokens):
        return []
    lemma, letters = inflection_of(first)
    is_kept = "n" in letters and lemma in _WORDS["kept"] if group.lemma == "be" else (group.lemma, first) == _HAPPENS
    is_thing = clause.subject[-1].text[0].islower() and clause.subject[0].low in (*lexicon.DEFINITE, "user's")
    is_there = group.lemma == "be" and is_thing and clause.subject[-1].low != USER and _is_marked(rest[1:3])
    rest = rest[is_kept:]
    place = rest[1 : end_of_phrase(rest, 1, (",", "(", "and", "instead", "now"))]
    is_job = (
        (group.lemma, first) == _WORKS and low_at(rest, 1) == "the" and clause.subject[0].low not in lexicon.DEFINITE
    )
    is_job = is_job and len(place) == 2 and place[1].low in _WORDS["workplaces"]
    is_known = is_kept or is_there or is_job or group.lemma in _WORDS["staying"]
    if not is_known or low_at(rest, 0) not in _WORDS["places"]:
        return []
    around, lows = rest[1 + len(place) :], [token.low for token in place]
    is_place = bool(lows) and (lows[0] in (*lexicon.DEFINITE, "a", "an") or _is_marked(place))
    is_place = is_place and _WORDS["no_places"].isdisjoint(lows) and lows[0] not in lexicon.PRONOUNS
    is_when = any(
        low in lexicon.CALENDAR or low in lexicon.PERIODS or ":" in low or low.endswith(("am", "pm")) for low in lows
    )
    is_more = bool(around) and around[0].low not in _AROUND
    is_alone = len(place) == 1 and (lows[0].isdecimal() or parse_term(place, 0, _LANGUAGE) is not None)  # "in English"
    is_plain = not any(token.low in _NOT_PLAIN or token.low == "old" for token in clause.tokens)
    if not is_place or is_when or is_more or is_alone or not is_plain or clause.subject[0].low in lexicon.INDEFINITE:
        return []
    beside = words_of(without_when(up_to(around, ("since", "because", ","))), clause.frame.me)
    subject, words = words_of(clause.subject, clause.frame.me), words_of(place, clause.frame.me)
    if not subject or not words or beside is None or len(words) > _MAX_WORDS:
        return []
    claims = _claim(clause, "place", [*subject, *beside, *_WORKS[:is_job]], place, words)
    return [replace(claim, single=is_job) for claim in claims]


def _is_marked(tokens: Tokens) -> bool:
    """Whether a place has a name or a number."""
    return any(token.text[0].isupper() or token.low[0].isdigit() or token.low in ORDINALS for token in tokens)


@lru_cache(maxsize=4096)
def _form(low: str) -> str:
    """Return the form in which a word is compared; empty if it carries no meaning."""
    if low in _DROPPED or not any(letter.isalnum() for letter in low):
        return ""
    if low in BE_PRESENT:
        return "be"
    lemma, letters = inflection_of(low)
    if "s" in letters or "b" in letters:
        return lemma
    return lexicon.singular(low) if low.isalpha() else low


def plain_phrase(tokens: Sequence[Token], me: str) -> list[str]:
    """Return the meaningful words of a phrase in the form in which they are compared."""
    own = dict.fromkeys(lexicon.FIRST_PERSON, me) | {"my": f"{me}'s"}
    return [word for token in tokens if (word := own.get(token.low) or _form(token.low))]


def parse_identity(tokens: Tokens, frame: Frame) -> list[Claim]:
    """Return the claim of a sentence that identifies what it describes; none for any other sentence."""
    opening = parse_opening(tokens)
    statement = tokens[opening.end :]
    mark = next((i for i in _MARK_PLACES if low_at(statement, i) in _MARKS), 0) if low_at(statement, 0) == "the" else 0
    copula = next((i for i in range(len(statement) - 1, mark + 1, -1) if statement[i].low == "is"), 0)
    if not mark or not mark + 1 < copula <= _MAX_DESCRIBED or not _is_clause(statement[mark + 1 : copula]):
        return []
    if any(token.low in _VAGUE for token in statement[1:mark]) or any(
        token.low in lexicon.PAST_WORDS for token in statement
    ):
        return []
    if (frame.modality is Modality.FACT and word_modality(statement) is not Modality.FACT) or is_additive(statement):
        return []
    start = copula + 1
    while low_at(statement, start) in lexicon.NEUTRAL:
        start += 1
    parsed = parse_value(SCALARS, statement, start)
    if parsed is None or parsed.end != len(statement):
        return []
    described = statement[mark + (statement[mark].low in ("that", "which")) : copula]
    words = plain_phrase((*statement[1:mark], *described), frame.me)
    clause = Predicate(tokens, (), VerbGroup("be", 0, 0), (), frame)
    claim = replace(clause.claim(" ".join(words), IDENTITY_SLOT, parsed.value), topic=None, loose=False, single=True)
    return [replace(claim, scope=frame.scope, correction=frame.correction or opening.correction)]


def _is_clause(tokens: Tokens) -> bool:
    """Whether a relative clause holds still, as a finished event does ("was educated"); not what somebody used once."""
    lows = [token.low for token in tokens]
    has_verb = False
    for low, before in zip(lows, ("", *lows[:-1]), strict=True) if "," not in lows else ():
        lemma, letters = inflection_of(low)
        is_participle = before in BE_PAST and (low.endswith("ed") or "n" in letters)
        is_past = "d" in letters and low != lemma and low not in BE_PAST
        if lemma in _PLURAL_LEMMAS or (not is_participle and (is_past or before in BE_PAST)):
            return False
        has_verb = has_verb or bool(lemma) or is_participle
    return has_verb


def parse_use(clause: Predicate) -> list[Claim]:
    """Read "the API uses REST": it may use others beside, so only what denies or corrects that speaks against it."""
    begin = next((count for verb, count in verb_keys(clause) if verb in USING), -1)
    subject = parse_subject(clause.subject, me=clause.frame.me) if begin >= 0 else None
    claims = parse_slot_value(clause, subject, USES_SLOT, _USES, begin, change=clause.group.ended) if subject else []
    return [replace(claim, single=False) for claim in claims]


def _parse_used(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a tool, with its version if one is told; norm: (family, name, version)."""
    index += low_at(tokens, index) in lexicon.ARTICLES
    term = parse_term(tokens, index)
    version = parse_version(tokens, term.end) if term is not None else None
    end = version.end if version is not None else term.end if term is not None else index
    is_part = low_at(tokens, end)[:1].isalpha() and low_at(tokens, end) not in _AFTER_USED  # "Redis Cluster"
    if term is None or is_part:
        return None
    norm = term.value.norm if version is None else (*term.value.norm, version.value.text)
    return Parsed.of(ValueKind.TERM, tokens, index, end, norm)


_USES: Final = Slot(name=USES_SLOT, reads=(_parse_used,))


def parse_having(clause: Predicate) -> list[Claim]:
    """Return the claim whether a person has something of a kind; none for several persons, or another time than now."""
    group = clause.group
    is_jobless = group.lemma == "be" and low_at(clause.rest, 0) in ("unemployed", "jobless")
    is_getting = group.lemma in _WORDS["getting"]
    is_now = group.modality is Modality.FACT and clause.frame.time.tense is Tense.NOW
    if not (is_jobless or is_getting) or not is_now:
        return []
    subject = parse_subject(clause.subject, me=clause.frame.me)
    if subject is None or not (subject.is_name or subject.text == USER) or subject.scope:
        return []
    if not lasts(without_when(clause.tokens) if group.is_past else clause.tokens):
        return []
    is_having = group.lemma in ("have", "own")
    if group.is_past if is_having or is_jobless else not clause.is_done:
        return []
    if is_jobless or not is_having:
        kind = "" if clause.denied else "job" if is_jobless else _kind(clause.rest)
        return _any_claim(clause, subject.text, kind, has_any=is_getting)
    is_none = clause.denied or low_at(clause.rest, 0) == "no"
    kind = _no_kind(clause.rest) if is_none else _kind(clause.rest)
    return _any_claim(clause, subject.text, kind, has_any=not is_none)


def _kind_at(rest: Tokens, index: int) -> str:
    """Return the kind of the noun at `index`, if no other noun follows it; else an empty string."""
    if low_at(rest, index + 1) not in _WORDS["after_kind"] | {""}:
        return ""
    return next((kind for kind, words in _KINDS.items() if low_at(rest, index) in words), "")


def _kind(rest: Tokens) -> str:
    """Return the kind of the head of an object: "a small dog"."""
    index = next((i for i, token in enumerate(rest[:5]) if any(token.low in words for words in _KINDS.values())), 0)
    is_head = index and rest[0].low in _DETERMINERS and place_of(rest[:index], lexicon.PREPOSITIONS) == index
    return _kind_at(rest, index) if is_head else ""


def _no_kind(rest: Tokens) -> str:
    """Return the kind of which a person has none ("no dog", "any children"); empty if none is named."""
    index = int(low_at(rest, 0) in ("no", "any", "a"))
    is_none = low_at(rest, index) in _WORDS["none_of"] and low_at(rest, index + 1) in ("", ",", "and", "yet")
    return _kind_at(rest, index) if is_none else ""


def _any_claim(clause: Predicate, subject: str, kind: str, *, has_any: bool) -> list[Claim]:
    value = Value(ValueKind.FLAG, text_of(clause.tokens), (1.0,))
    kinds = [*filter(None, (kind, _WITHIN.get(kind, "") if has_any else ""))]
    claims = [replace(clause.claim(subject, f"any {name}", value), topic=None, time=NOW) for name in kinds]
    return [replace(claim, polarity=has_any, change=clause.group.is_past) for claim in claims]


def parse_frame(clause: Predicate) -> list[Claim]:
    """Read "Ann is (no longer) the lead of Atlas", "Ann serves as lead of Atlas"; `slots.rows` read the rest."""
    lemma, rest = clause.group.lemma, without_when(clause.rest)
    is_serving = lemma in FRAME_WORDS["serving_verbs"] and low_at(rest, 0) == "as"
    if not (is_serving or (lemma in FRAME_WORDS["being_verbs"] and low_at(rest, 0) not in ("a", "an"))):
        return []
    if (clause.denied and lemma == "become") or not FOR_A_WHILE.isdisjoint([token.low for token in clause.tokens]):
        return []
    attribute = _post(clause, rest[is_serving:])
    for row in attribute.rows if attribute is not None else ():
        parsed = parse_value(row.reads, clause.subject, 0) if clause.subject else None
        is_whole = parsed is not None and parsed.end == len(clause.subject) and parsed.value.kind in _NAMED
        if attribute is not None and parsed is not None and is_whole:
            change = lemma == "become" or (clause.group.ended if clause.denied else attribute.updated)
            values = [(parsed.value, not clause.denied)]
            return make_claims(clause, attribute.subject, attribute.slot, values, Tail(), change=change)
    return []


def _post(clause: Predicate, tokens: Tokens) -> Attribute | None:
    """Return the slot that "(the) N of X" names; "CTO" alone means our own."""
    named = tuple(token for token in up_to(tokens, _ENDS) if token.low not in _NOT_NAMED)
    attribute = parse_attribute(named, me=clause.frame.me) if named else None
    if attribute is None and named and named[0].low not in lexicon.DETERMINERS:
        attribute = parse_attribute((named[0]._replace(text="our", low="our"), *named), me=clause.frame.me)
    return None if attribute is None or attribute.rows[0].name in _WORDS["no_posts"] else attribute
