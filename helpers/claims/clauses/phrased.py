"""Read the clauses of `slots.phrases`: who or what fills a slot, in whatever order it is told (C-39, C-41, C-43)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ...language.lexicon import ARTICLES, CALENDAR, NEUTRAL, PREPOSITIONS, REASONS, RELATIVES, THEIR
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import forms
from ...language.vocabulary import TITLES
from ..coreference.situations import is_beside
from ..grammar.subjects import KIN, OWNING, PEOPLE, Subject, parse_subject
from ..grammar.topics import parse_circumstances
from ..model import NOW, Claim, ClaimTime, Modality, Value, ValueKind
from ..slots.multi_valued import OFTEN_SEVERAL
from ..slots.phrases import Phrased
from ..values.dates import parse_date
from ..values.readers import parse_value
from .ending_phrases import CONTRASTING, without_when
from .endings import lasts
from .frames import FOR_A_WHILE
from .open_values import NOW_WORDS
from .phrase_patterns import PhrasePattern, by_word, compiled, phrase_patterns, ways
from .predicates import Predicate, Tail, Tokens, make_claims, parse_tail

_WORDS: Final = read_classes(__file__)

_SOLELY: Final = frozenset(("sole", "solely", "exclusively"))
_LEFT_OUT: Final = (NEUTRAL | ARTICLES | _SOLELY | {"entire"}) - {"own"}
_OWN: Final = {"my": "i", "our": "we"}
_CUTS: Final = REASONS | (RELATIVES - {"that"}) | {"although", "though", "but"}
_FOR_A_WHILE: Final = FOR_A_WHILE | _WORDS["for_a_while"]
#: What one has several of is told as the one that there is now with one of these.
_SINCE_NOW: Final = _SOLELY | NOW_WORDS | {"instead", "these", "only"}
#: "Rents out", "lets out": to somebody else.
_LETTING: Final = frozenset(("rent", "let", "lease"))
_MAX_WORDS: Final = 40
#: What stands in front of a clause, and could as well stand behind it.
_INTROS: Final = _WORDS["intros"]
_MAX_INTRO: Final = 8
_MAX_KIN: Final = 3
_WHERE: Final = (OWNING - {"for", "in"}) | {"from"}
#: What follows a value and says nothing of where or when.
_NO_SCOPE: Final = _WORDS["no_scope"]
#: Words that may stand in front of a value.
_MAX_LOOSE: Final = 5
#: Words that say no more of what stands before them than that it is there: "the shop's data".
_EMPTY_WORDS: Final = frozenset(("data", "everything"))


def parse_phrased(at: Predicate) -> list[Claim]:
    """The claims of a clause that stands in `PHRASED`; none of any other."""
    group = at.group
    is_open = group.modality not in (Modality.FACT, Modality.PLAN)
    if is_open or not at.subject or len(at.tokens) > _MAX_WORDS:
        return []
    bare, intro = _without_intro(at)
    tokens, words, places = _plain(at, intro)
    known, table, patterns = set(words), by_word(_happened(at)), phrase_patterns()
    numbers = sorted({number for word in known if word in table for number in table[word]})
    fitting = [patterns[number] for number in numbers if not any(map(known.isdisjoint, patterns[number].needs))]
    if group.modality is Modality.PLAN:
        is_set = _is_set(at)
        fitting = [clause for clause in fitting if clause.row.wish or (clause.row.scheduled and is_set)]
    if not fitting or not lasts(at.tokens):
        return []
    if _is_partly(at):
        return []
    text = f"{' '.join(words)} "
    found = ((clause, compiled(clause.number).match(text)) for clause in fitting)
    begin = _begin_of(text, places, len(tokens) - len(intro))
    claims = (
        claim
        for clause, match in found
        if match
        for claim in _claims(bare if _is_used(match, begin) else at, clause, match, tokens, places)
    )
    return list(dict.fromkeys(claims))


def _is_partly(at: Predicate) -> bool:
    """Whether a clause holds for a while, at some times, or beside something else: "one day a week", "as a hobby"."""
    lows = [token.low for token in at.tokens]
    if not _FOR_A_WHILE.isdisjoint(lows) or "(" in lows or (at.group.lemma in _LETTING and low_at(at.rest, 0) == "out"):
        return True
    return is_beside(lows)


def _begin_of(text: str, places: list[int], number: int) -> int:
    """Where the words of a token begin in the text of a clause."""
    words = next((i for i, place in enumerate(places) if place >= number), len(places))
    return sum(len(word) + 1 for word in text.split(" ")[:words])


def _is_used(match: re.Match[str], begin: int) -> bool:
    """Whether what stood in front of a clause is a part of what is told, and not only where or when it holds."""
    holes = match.groupdict()
    return not any(holes.get(hole) and match.end(hole) > begin for hole in ("V", "T") if hole in holes)


def _is_set(at: Predicate) -> bool:
    """Whether a plan is told as what will be: "will be in Rome", "is to Rome"."""
    is_to = low_at(at.rest, 0) == "to" and len(at.rest) > 1 and at.rest[1].text[0].isupper()
    return is_to or any(token.low in ("will", "'ll") for token in at.tokens)


def _happened(at: Predicate) -> bool:
    return (at.group.is_past or at.group.perfect) and not any(token.low == "since" for token in at.rest)


def _without_intro(at: Predicate) -> tuple[Predicate, Tokens]:
    """A clause, and what is told in front of it ("for therapy, ...", "as her dentist, ..."), which is no scope then."""
    if at.tokens[0] is at.subject[0]:
        return at, ()
    end = next((i for i, token in enumerate(at.tokens[:_MAX_INTRO]) if token is at.subject[0]), 0)
    intro = tuple(token for token in at.tokens[:end] if token.low != ",")
    if not intro or intro[0].low not in _INTROS:
        return at, ()
    of_intro, _ = parse_circumstances(intro)
    scope = tuple(phrase for phrase in at.frame.scope if phrase not in of_intro)
    return at._replace(frame=at.frame._replace(scope=scope)), intro


def _plain(at: Predicate, intro: Tokens = ()) -> tuple[Tokens, list[str], list[int]]:
    """The tokens of a clause, its words in their plain form, and the token that each word stands for."""
    rest = without_when(at.rest) if _happened(at) else at.rest
    cut = next((i for i, token in enumerate(rest) if token.low in _CUTS), len(rest))
    verb = Token(at.group.lemma, at.group.lemma, at.tokens[0].start, at.tokens[0].start)
    tokens = (*at.subject, *_of_one(verb, rest[:cut]), *intro)
    words: list[str] = []
    places: list[int] = []
    for index, token in enumerate(tokens):
        for word in _forms_of(token.low, is_verb=index > len(at.subject)):
            words.append(word)
            places.append(index)
    return tokens, words, places


def _of_one(verb: Token, rest: Tokens) -> Tokens:
    """Read "is the one supervising her" like "supervises her"."""
    begin = int(low_at(rest, 0) == "the")
    doing = low_at(rest, begin + 1)
    if verb.low != "be" or low_at(rest, begin) not in ("one", "person") or not doing.endswith("ing"):
        return (verb, *rest)
    lemma = forms().get(doing, (doing, ""))[0]
    return (verb._replace(text=lemma, low=lemma), *rest[begin + 2 :])


@lru_cache(maxsize=4096)
def _forms_of(low: str, *, is_verb: bool) -> tuple[str, ...]:
    if low in _LEFT_OUT:
        return ()
    if low in _OWN:
        return (_OWN[low], "'s")
    if low in THEIR:
        return ("their",)
    if low.endswith("'s") and len(low) > 2:
        return (low[:-2], "'s")
    if low.endswith("s'") and len(low) > 2:
        return (low[:-1], "'s")
    return (forms().get(low, (low, ""))[0] if is_verb else low,)


def _claims(
    at: Predicate, clause: PhrasePattern, match: re.Match[str], tokens: Tokens, places: list[int]
) -> list[Claim]:
    row, named = clause.row, match.groupdict()
    spans = {hole: _span(match, hole, tokens, places) for hole in ("S", "V", "W") if named.get(hole)}
    told = _without_words(row, spans["V"]) if clause.is_loose else spans["V"]
    found = _value(row, told, is_last=match.end("V") == len(match.string))
    subject = _subject(at, row, spans.get("S", ()), spans.get("W", ())) if found else None
    if subject is None or found is None:
        return []
    scope, time = _circumstances(_span(match, "T", tokens, places)) if named.get("T") else ((), NOW)
    tail = found[1] if not named.get("T") else Tail(scope=scope, time=time)
    tail = tail._replace(
        scope=tuple(phrase for phrase in tail.scope if not (phrase in _NO_SCOPE or phrase.isdecimal()))
    )
    noun = _noun(row, named.get("P") or "")
    values = [(found[0], not at.denied)]
    if (row.wish or (row.scheduled and _is_set(at))) and at.frame.modality is Modality.PLAN:
        at = at._replace(frame=at.frame._replace(modality=Modality.FACT))
    slots = [slot.replace("{}", noun) for slot in row.slots]
    if row.slots == ("built with",):
        slots = [f"built with {found[0].norm[0]}"]
    is_change, is_new = clause.is_change or at.group.ended, not _SINCE_NOW.isdisjoint(t.low for t in at.tokens)
    return [
        claim
        for slot in slots
        for claim in make_claims(
            at, subject, slot, values, tail, change=is_change or (slot in OFTEN_SEVERAL and is_new)
        )
    ]


def _without_whereabouts(tokens: Tokens) -> Tokens:
    """A person without where to find them: "Dr. Klein at Charité", "Gwen Tarrant of Tarrant & Lowe"."""
    for index in range(1, len(tokens) - 1):
        if tokens[index].low in _WHERE and tokens[index - 1].text[0].isupper():
            begin = index + 1 + (tokens[index + 1].low == "the")
            is_place = begin < len(tokens) and tokens[begin].text[0].isupper() and parse_date(tokens, begin) is None
            return tokens[:index] if is_place else tokens
    return tokens


def _without_kin(tokens: Tokens) -> Tokens:
    """A person without what they are to somebody: "her brother Tomasz", "their friend Ana"."""
    index = next((i for i, token in enumerate(tokens[:_MAX_KIN]) if token.low in KIN), -1)
    is_led = index == 0 or (index > 0 and tokens[0].low in (*THEIR, *_OWN, "the"))
    is_named = is_led and index + 1 < len(tokens) and tokens[index + 1].text[0].isupper()
    return tokens[index + 1 :] if is_named else tokens


def _circumstances(tokens: Tokens) -> tuple[tuple[str, ...], ClaimTime]:
    """Where and when it holds; "with 5 seats" only says more of it."""
    cut = next((i for i, token in enumerate(tokens) if token.low in CONTRASTING | {",", "with"}), len(tokens))
    return parse_circumstances(tokens[:cut])


def _span(match: re.Match[str], hole: str, tokens: Tokens, places: list[int]) -> Tokens:
    """The tokens of a hole, with the articles between them."""
    begin = match.string.count(" ", 0, match.start(hole))
    end = match.string.count(" ", 0, match.end(hole))
    first, last = places[begin], places[end - 1]
    if first > 0 and tokens[first - 1].low in ("the", "a", "an"):
        first -= 1
    told = list(tokens[first : last + 1])
    if match.string.startswith("'s ", match.end(hole)) or (told and told[-1].low.endswith("'s") and hole != "V"):
        low = told[-1].low
        plain = _OWN.get(low, low.removesuffix("'s"))
        told[-1] = told[-1]._replace(text=told[-1].text.removesuffix("'s") if plain != "i" else "I", low=plain)
    return tuple(told)


def _subject(at: Predicate, row: Phrased, tokens: Tokens, more: Tokens) -> Subject | None:
    """What a clause is about; with `more` of its words."""
    said = [token.low for token in more if token.low not in _LEFT_OUT and token.low not in THEIR | set(_OWN)]
    if not tokens:
        return Subject(" ".join([at.frame.me, *said])) if row.plain else Subject("")
    if row.plain and len(tokens) > 2 and tokens[1].low == "and" and tokens[0].low in (at.frame.me, "i"):
        tokens = tokens[:1]  # what the user and somebody else have is the user's
    while len(tokens) > 1 and tokens[0].low in (*THEIR, "all", "of"):
        tokens = tokens[1:]
    lows = [token.low for token in tokens]
    if lows in (["we"], ["us"]):
        subject: Subject | None = Subject("we")
    else:
        subject = parse_subject(tokens, me=at.frame.me)
    if subject is None or subject.is_kind:
        return None
    if row.household and subject.text in _HOUSEHOLD and not subject.scope:
        return Subject(at.frame.me)
    is_person = _is_person(tokens, subject, at.frame.me)
    if (row.person and not is_person) or (row.thing and is_person and "." not in subject.text):
        return None
    words = [*subject.text.split(), *said]
    if len(words) > 1 and words[-1] in _EMPTY_WORDS:
        words.pop()
    return subject._replace(text=" ".join(words))


#: What is the user's, if nobody else is named.
_HOUSEHOLD: Final = _WORDS["household"]


def _is_person(tokens: Tokens, subject: Subject, me: str) -> bool:
    return subject.text == me or subject.is_name or tokens[-1].low in PEOPLE


def _without_words(row: Phrased, tokens: Tokens) -> Tokens:
    """A value without the plain words in front of it: "a hosted MongoDB cluster"."""
    for index, token in enumerate(tokens[:_MAX_LOOSE]):
        if parse_value(row.reads, tokens, index) is not None:
            return tokens[index:]
        if token.text[0].isupper() or token.low in PREPOSITIONS or token.low in CONTRASTING | {"and", "or"}:
            break
    return tokens


def _value(row: Phrased, tokens: Tokens, *, is_last: bool) -> tuple[Value, Tail] | None:
    """The value that stands in a hole, with what follows it; None if it is one of several."""
    tokens = _without_kin(_without_whereabouts(tokens)) if row.plain and "person" in row.reads else tokens
    parsed = parse_value(row.reads, tokens, 0)
    is_model = row.reads == ("tool",) and low_at(tokens, 0) != "the"  # "a Samsung" may be any model
    if parsed is None and low_at(tokens, 0) in ("the", "a", "an") and not (row.plain and is_model):
        tokens = tokens[1:]
        parsed = parse_value(row.reads, tokens, 0)
    if parsed is None or (not is_last and parsed.end != len(tokens)):
        return None
    comma = next((i for i in range(parsed.end, len(tokens)) if tokens[i].low == ","), len(tokens))
    tail = parse_tail(row.reads, tokens[: comma + 2] if comma < len(tokens) else tokens, parsed)
    if tail.blocked or tail.others:
        return None
    if tail.cut:
        tail = parse_tail(row.reads, tokens[:comma], parsed)
    if low_at(tokens, parsed.end) in ("and", "or", "&", "/") or tail.cut:
        return None
    value = parsed.value
    if row.plain and value.text.casefold() in CALENDAR:  # "the wedding is in September"
        return None
    if row.reads == ("tool",) and "/" in value.text:  # "Europe/Madrid" is no app
        return None
    if row.slots == ("database",):
        value = replace(value, norm=("database", *value.norm[1:]))
    if value.kind is ValueKind.PHRASE:
        value = replace(value, kind=ValueKind.NAME)
    if row.slots == ("form of address",):  # "Bob" and "Robert" are one man, but two forms
        value = replace(value, kind=ValueKind.TERM, norm=("form of address", " ".join(map(str, value.norm))))
    if row.plain and value.kind is ValueKind.PERSON:  # "Dr. Klein" may well be "Professor Klein"
        value = replace(value, norm=tuple(word for word in value.norm if word not in TITLES) or value.norm)
    return value, Tail(scope=tail.scope, time=tail.time, corrects=tail.corrects)


def _noun(row: Phrased, told: str) -> str:
    """The noun that was told, by the first way to write it; without one it is the first noun of the row."""
    first = ways(row.nouns)
    words = tuple(told.split())
    if not words:
        return row.nouns.partition(" ")[0].partition("=")[0].replace("_", " ")
    begin = next((i for i in range(len(words)) if words[i:] in first), len(words) - 1)
    noun = first.get(words[begin:], words[-1])
    return " ".join([*words[:begin], noun])
