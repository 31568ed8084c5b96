"""Read the wordings of `slots.rows`: who or what fills a slot, in any order of the words."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ...language.lexicon import ARTICLES, CALENDAR, NEUTRAL, PREPOSITIONS, REASONS, RELATIVES, THEIR, jobs
from ...language.tables import read_classes, read_table
from ...language.token import Token, low_at, place_of
from ...language.verbs import lemma_of
from ...language.vocabulary import TITLES, one_of
from ..coreference.situations import is_beside
from ..grammar.subjects import KIN, OWNING, PEOPLE, Subject, parse_subject
from ..grammar.topics import parse_circumstances
from ..model import Claim, Modality, Value, ValueKind
from ..slots.rows import OFTEN_SEVERAL, PHRASED, Phrased
from ..values.dates import parse_date
from ..values.marks import Choice
from ..values.readers import parse_value
from .ending_phrases import CONTRASTING, without_when
from .endings import lasts
from .open_values import FOR_A_WHILE, NOW_WORDS
from .predicates import Predicate, Tail, Tokens, make_claims, parse_tail, up_to

_WORDS: Final = read_classes(__file__)

_SOLELY: Final = frozenset(("sole", "solely", "exclusively"))
_LEFT_OUT: Final = (NEUTRAL | ARTICLES | _SOLELY | {"entire"}) - {"own"}
_OWN: Final = {"my": "i", "our": "we"}
_CUTS: Final = REASONS | (RELATIVES - {"that"}) | {"although", "though", "but"}
_FOR_A_WHILE: Final = FOR_A_WHILE | _WORDS["for_a_while"]
#: Words by which one of several things is the only one now.
_SINCE_NOW: Final = _SOLELY | NOW_WORDS | {"instead", "these", "only"}
_MAX_WORDS: Final = 40
_MAX_INTRO: Final = 8
_MAX_KIN: Final = 3
_WHERE: Final = (OWNING - {"for", "in"}) | {"from"}
#: The most plain words in front of a value.
_MAX_LOOSE: Final = 5
_JOBS: Final = tuple(word for word in jobs() if word not in ("student", "head"))
_ANY: Final = r"(?:\S+ )"
_ADJECTIVE: Final = rf"(?:(?!(?:{one_of(_WORDS['no_adjectives'])}) )\S+ )"
#: What may follow a clause, if nothing is left open.
_TAIL: Final = rf"(?P<T>(?:{one_of(_WORDS['opening_tails'])}) {_ANY}*)?$"
_TABLE: Final = read_table(__file__, "word_classes")["phrased"]
_SCHOOLS: Final = tuple(_TABLE["schools"].split())
_COMPANIES: Final = tuple(_TABLE["companies"].split())
#: Parts that stand for one of many words, which a clause must have.
_HOLDING: Final = {"SCHOOL": _SCHOOLS, "COMPANY": _COMPANIES, "JOB": _JOBS}
_PARTS: Final = {
    "S": rf"(?P<S>{_ANY}{{1,7}}?)",
    "V": rf"(?P<V>{_ANY}{{1,12}}?)",
    "W": rf"(?P<W>{_ANY}{{1,3}}?)",
    "~": rf"{_ANY}{{1,4}}?",
    "[~]": rf"{_ANY}{{0,4}}?",
    "SCHOOL": rf"(?P<V>(?=.*\b(?:{'|'.join(_SCHOOLS)})\b){_ANY}{{1,8}}?)",
    "COMPANY": rf"(?P<V>{_ANY}{{1,3}}?(?:{'|'.join(_COMPANIES)}) )",
    "JOB": rf"{_ANY}{{0,4}}?(?:{'|'.join(_JOBS)}) ",
    "their": r"(?:their |(?:i|we|user) 's )",
}


def parse_phrased(clause: Predicate) -> list[Claim]:
    """Return the claims of a clause that is worded as in `PHRASED`; none for any other clause."""
    is_plan = clause.group.modality is Modality.PLAN
    if not (is_plan or clause.group.modality is Modality.FACT) or not clause.subject or len(clause.tokens) > _MAX_WORDS:
        return []
    bare, intro = _without_intro(clause)
    tokens, words, places = _plain(clause, intro)
    known, is_change = set(words), _happened(clause)
    possible = {pattern.number: pattern for word in known for pattern in _by_word().get(word, ())}
    fitting = [
        pattern
        for _, pattern in sorted(possible.items())
        if pattern.is_change is is_change and not any(map(known.isdisjoint, pattern.needs))
        if not is_plan or _is_sure(clause, pattern.row)
    ]
    if not fitting or not lasts(clause.tokens) or _is_partly(clause):
        return []
    text, claims = f"{' '.join(words)} ", dict[Claim, None]()
    begin = _begin_of(text, places, len(tokens) - len(intro))
    for pattern in fitting:
        match = compiled(pattern.number).match(text)
        if match:
            claims |= dict.fromkeys(_claims(bare if _is_used(match, begin) else clause, pattern, match, tokens, places))
    return list(claims)


def _is_sure(clause: Predicate, row: Phrased) -> bool:
    """Whether a plan or a wish states a fact: "will be in Rome", "is to Rome", "wants to be called Al"."""
    if row.wish or not row.scheduled:
        return row.wish
    is_to = low_at(clause.rest, 0) == "to" and len(clause.rest) > 1 and clause.rest[1].text[0].isupper()
    return is_to or any(token.low in ("will", "'ll") for token in clause.tokens)


def _is_partly(clause: Predicate) -> bool:
    """Whether a clause holds for a while, at some times, or beside something else: "one day a week", "as a hobby"."""
    lows = [token.low for token in clause.tokens]
    is_letting = clause.group.lemma in ("rent", "let", "lease") and low_at(clause.rest, 0) == "out"  # to somebody else
    return is_letting or "(" in lows or not _FOR_A_WHILE.isdisjoint(lows) or is_beside(lows)


def _begin_of(text: str, places: list[int], number: int) -> int:
    """Return the position in `text` of the first word that stands for token `number` or a later one."""
    words = next((i for i, place in enumerate(places) if place >= number), len(places))
    return sum(len(word) + 1 for word in text.split(" ")[:words])


def _is_used(match: re.Match[str], begin: int) -> bool:
    """Whether the opening of a clause is outside the holes of the pattern, and so may only say where or when."""
    holes = match.groupdict()
    return not any(holes.get(hole) and match.end(hole) > begin for hole in ("V", "T") if hole in holes)


def _happened(clause: Predicate) -> bool:
    return clause.is_done and not any(token.low == "since" for token in clause.rest)


def _without_intro(clause: Predicate) -> tuple[Predicate, Tokens]:
    """Return a clause without its opening ("for therapy, ...", "as her dentist, ...") as a scope, and that opening."""
    if clause.tokens[0] is clause.subject[0]:
        return clause, ()
    end = next((i for i, token in enumerate(clause.tokens[:_MAX_INTRO]) if token is clause.subject[0]), 0)
    intro = tuple(token for token in clause.tokens[:end] if token.low != ",")
    if not intro or intro[0].low not in _WORDS["intros"]:
        return clause, ()
    of_intro, _ = parse_circumstances(intro)
    scope = tuple(phrase for phrase in clause.frame.scope if phrase not in of_intro)
    return clause._replace(frame=clause.frame._replace(scope=scope)), intro


def _plain(clause: Predicate, intro: Tokens = ()) -> tuple[Tokens, list[str], list[int]]:
    """Return the tokens of a clause, its words in their plain form, and the token that each word stands for."""
    rest = without_when(clause.rest) if _happened(clause) else clause.rest
    verb = Token(clause.group.lemma, clause.group.lemma, clause.tokens[0].start, clause.tokens[0].start)
    tokens = (*clause.subject, *_of_one(verb, up_to(rest, _CUTS)), *intro)
    plain = [
        (word, index)
        for index, token in enumerate(tokens)
        for word in _forms_of(token.low, is_verb=index > len(clause.subject))
    ]
    return tokens, [word for word, _ in plain], [index for _, index in plain]


def _of_one(verb: Token, rest: Tokens) -> Tokens:
    """Read "is the one supervising her" like "supervises her"."""
    begin = int(low_at(rest, 0) == "the")
    doing = low_at(rest, begin + 1)
    if verb.low != "be" or low_at(rest, begin) not in ("one", "person") or not doing.endswith("ing"):
        return (verb, *rest)
    lemma = lemma_of(doing) or doing
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
    return (lemma_of(low) or low if is_verb else low,)


def _claims(
    clause: Predicate, pattern: PhrasePattern, match: re.Match[str], tokens: Tokens, places: list[int]
) -> list[Claim]:
    row, named = pattern.row, match.groupdict()
    spans = {hole: _span(match, hole, tokens, places) for hole in ("S", "V", "W", "T") if named.get(hole)}
    held = _without_words(row, spans["V"]) if pattern.is_loose else spans["V"]
    read = _value(row, held, is_last=match.end("V") == len(match.string))
    subject = _subject(clause, row, spans.get("S", ()), spans.get("W", ())) if read else None
    if subject is None or read is None:
        return []
    value, tail = read
    if "T" in spans:  # "with 5 seats" only says more of it
        scope, time = parse_circumstances(up_to(spans["T"], CONTRASTING | {",", "with"}))
        tail = Tail(scope=scope, time=time)
    scope = tuple(phrase for phrase in tail.scope if not (phrase in _WORDS["no_scope"] or phrase.isdecimal()))
    tail = tail._replace(scope=scope)
    if clause.frame.modality is Modality.PLAN and _is_sure(clause, row):
        clause = clause._replace(frame=clause.frame._replace(modality=Modality.FACT))
    noun = str(value.norm[0]) if row.slots == ("built with",) else _noun(row, named.get("P") or "")
    is_new = pattern.is_change or clause.group.ended
    is_now = any(token.low in _SINCE_NOW for token in clause.tokens)
    claims: list[Claim] = []
    for slot in ("built with {}",) if row.slots == ("built with",) else row.slots:
        name = slot.replace("{}", noun)
        change = is_new or (is_now and name in OFTEN_SEVERAL)
        claims += make_claims(clause, subject, name, [(value, not (clause.denied or row.left))], tail, change=change)
    return claims


def _without_whereabouts(tokens: Tokens) -> Tokens:
    """Return a person without where to find them: "Dr. Klein at Charité", "Gwen Tarrant of Tarrant & Lowe"."""
    for index in range(1, len(tokens) - 1):
        if tokens[index].low in _WHERE and tokens[index - 1].text[0].isupper():
            begin = index + 1 + (tokens[index + 1].low == "the")
            is_place = begin < len(tokens) and tokens[begin].text[0].isupper() and parse_date(tokens, begin) is None
            return tokens[:index] if is_place else tokens
    return tokens


def _without_kin(tokens: Tokens) -> Tokens:
    """Return a person without what they are to somebody: "her brother Tomasz", "their friend Ana"."""
    index = next((i for i, token in enumerate(tokens[:_MAX_KIN]) if token.low in KIN), -1)
    is_led = index == 0 or (index > 0 and tokens[0].low in (*THEIR, *_OWN, "the"))
    is_named = is_led and index + 1 < len(tokens) and tokens[index + 1].text[0].isupper()
    return tokens[index + 1 :] if is_named else tokens


def _span(match: re.Match[str], hole: str, tokens: Tokens, places: list[int]) -> Tokens:
    """Return the tokens of a hole, with the articles between them."""
    begin = match.string.count(" ", 0, match.start(hole))
    end = match.string.count(" ", 0, match.end(hole))
    first, last = places[begin], places[end - 1]
    if first > 0 and tokens[first - 1].low in ("the", "a", "an"):
        first -= 1
    words = list(tokens[first : last + 1])
    if match.string.startswith("'s ", match.end(hole)) or (words and words[-1].low.endswith("'s") and hole != "V"):
        low = words[-1].low
        plain = _OWN.get(low, low.removesuffix("'s"))
        words[-1] = words[-1]._replace(text=words[-1].text.removesuffix("'s") if plain != "i" else "I", low=plain)
    return tuple(words)


def _subject(clause: Predicate, row: Phrased, tokens: Tokens, more: Tokens) -> Subject | None:
    """Return the subject of a clause with the words of `more`; None if the row does not apply to it."""
    own = [token.low for token in more if token.low not in _LEFT_OUT and token.low not in THEIR | set(_OWN)]
    if not tokens:
        return Subject(" ".join([clause.frame.me, *own])) if row.plain else Subject("")
    if row.plain and len(tokens) > 2 and tokens[1].low == "and" and tokens[0].low in (clause.frame.me, "i"):
        tokens = tokens[:1]  # what the user and somebody else have is the user's
    while len(tokens) > 1 and tokens[0].low in (*THEIR, "all", "of"):
        tokens = tokens[1:]
    lows = [token.low for token in tokens]
    is_known = lows[0] in ("the", *_OWN, *_OWN.values()) or any(low.endswith("'s") for low in lows)
    may_be_kind = row.person or tokens[0].start == clause.tokens[0].start  # "Servers run", but "the lead of Atlas"
    subject = Subject("we") if lows in (["we"], ["us"]) else parse_subject(tokens, me=clause.frame.me)
    is_kind = subject is not None and subject.is_kind and (may_be_kind or not subject.is_name)
    if subject is None or is_kind or (row.known and not (is_known and "and" not in lows)):
        return None
    if row.household and subject.text in _WORDS["household"] and not subject.scope:
        return Subject(clause.frame.me)
    is_person = subject.text == clause.frame.me or subject.is_name or tokens[-1].low in PEOPLE
    if (row.person and not is_person) or (row.thing and is_person and "." not in subject.text):
        return None
    words = [*subject.text.split(), *own]
    if len(words) > 1 and words[-1] in ("data", "everything"):
        words.pop()
    return subject._replace(text=" ".join(words))


def _without_words(row: Phrased, tokens: Tokens) -> Tokens:
    """Return a value without the plain words in front of it: "a hosted MongoDB cluster"."""
    for index, token in enumerate(tokens[:_MAX_LOOSE]):
        if parse_value(row.reads, tokens, index) is not None:
            return tokens[index:]
        if token.text[0].isupper() or token.low in PREPOSITIONS or token.low in CONTRASTING | {"and", "or"}:
            break
    return tokens


def _value(row: Phrased, tokens: Tokens, *, is_last: bool) -> tuple[Value, Tail] | None:
    """Return the value in a hole of the pattern with what follows it; None if it is one of several."""
    tokens = _without_kin(_without_whereabouts(tokens)) if row.plain and "person" in row.reads else tokens
    parsed = parse_value(row.reads, tokens, 0)
    is_model = row.reads == ("tool",) and low_at(tokens, 0) != "the"  # "a Samsung" may be any model
    if parsed is None and low_at(tokens, 0) in ("the", "a", "an") and not (row.plain and is_model):
        tokens = tokens[1:]
        parsed = parse_value(row.reads, tokens, 0)
    if parsed is None or (not is_last and parsed.end != len(tokens)):
        return None
    comma = place_of(tokens, (",",), parsed.end)
    tail = parse_tail(row.reads, tokens[: comma + 2], parsed)
    if tail.blocked or tail.others:
        return None
    tail = parse_tail(row.reads, tokens[:comma], parsed) if tail.cut else tail
    is_listed = low_at(tokens, parsed.end) in ("and", "or", "&", "/") or tail.cut
    is_month = row.plain and parsed.value.text.casefold() in CALENDAR  # "the wedding is in September"
    is_zone = row.reads == ("tool",) and "/" in parsed.value.text  # "Europe/Madrid" is no app
    if is_listed or is_month or is_zone:
        return None
    return _typed(row, parsed.value), Tail(scope=tail.scope, time=tail.time, corrects=tail.corrects)


def _typed(row: Phrased, value: Value) -> Value:
    """Return a value in the form in which the values of its slot are compared."""
    if row.slots == ("database",):
        return replace(value, norm=("database", *value.norm[1:]))
    if row.slots == ("form of address",):  # "Bob" and "Robert" are one man, but two forms
        return replace(value, kind=ValueKind.TERM, norm=("form of address", " ".join(map(str, value.norm))))
    if value.kind is ValueKind.PHRASE:
        return replace(value, kind=ValueKind.NAME)
    if row.plain and value.kind is ValueKind.PERSON:  # "Dr. Klein" may well be "Professor Klein"
        return replace(value, norm=tuple(word for word in value.norm if word not in TITLES) or value.norm)
    return value


def _noun(row: Phrased, written: str) -> str:
    """Return the noun that was written, in its first spelling; the first noun of the row if none was."""
    first = ways(row.nouns)
    words = tuple(written.split())
    if not words:
        return row.nouns.partition(" ")[0].partition("=")[0].replace("_", " ")
    begin = next((i for i in range(len(words)) if words[i:] in first), len(words) - 1)
    noun = first.get(words[begin:], words[-1])
    return " ".join([*words[:begin], noun])


class PhrasePattern(NamedTuple):
    """A clause of a row, and the words of which it needs one each."""

    number: int
    row: Phrased
    written: str
    is_change: bool
    is_loose: bool
    needs: tuple[frozenset[str], ...]

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.written.removeprefix("!").split())


@cache
def phrase_patterns() -> tuple[PhrasePattern, ...]:
    clauses = ((row, written) for row in PHRASED for written in row.clauses)
    return tuple(_clause(number, row, written) for number, (row, written) in enumerate(clauses))


@cache
def _by_word() -> dict[str, list[PhrasePattern]]:
    """Return the patterns by the longest words that they need, which are the rarest."""
    table: dict[str, list[PhrasePattern]] = {}
    for pattern in phrase_patterns():
        for word in max(pattern.needs, key=lambda words: min(map(len, words))):
            table.setdefault(word, []).append(pattern)
    return table


def _clause(number: int, row: Phrased, written: str) -> PhrasePattern:
    parts = tuple(written.removeprefix("!").split())
    named = [part for part in parts if part in _HOLDING or (part[0].islower() and part != "their")]
    words = [_HOLDING.get(part) or tuple(word.partition("_")[0] for word in _alternatives(part)) for part in named]
    if "P" in parts:
        words.append(tuple(form[-1] for form in ways(row.nouns)))
    needs = tuple(map(frozenset, words))
    return PhrasePattern(number, row, written, written.startswith("!"), "[~] V" in written, needs)


@cache
def compiled(number: int) -> re.Pattern[str]:
    """Return the pattern of a clause, made when it is first needed."""
    clause = phrase_patterns()[number]
    is_known = any(isinstance(reader, Choice) for reader in clause.row.reads)
    is_open = clause.parts[-1] == "SCHOOL" or (clause.parts[-1] == "V" and not is_known)
    return re.compile("".join(_pattern(part, clause.row) for part in clause.parts) + ("$" if is_open else _TAIL))


def _pattern(part: str, row: Phrased) -> str:
    choices = [reader for reader in row.reads if isinstance(reader, Choice)]
    if part == "V" and choices:
        members = sorted((" ".join(form) for reader in choices for form, _ in reader.names), key=len, reverse=True)
        return rf"(?P<V>(?:{'|'.join(map(re.escape, members))}) )"
    if part in _PARTS:
        return _PARTS[part]
    if part in ("P", "[P]"):
        words = "|".join(re.escape(" ".join(form)) for form in ways(row.nouns))
        return rf"(?P<P>{_ADJECTIVE}?(?:{words})) " if part == "P" else rf"(?:(?:{words}) )?"
    if part.startswith("["):
        return rf"(?:{_pattern(part[1:-1], row)})?"
    return f"(?:{'|'.join(re.escape(word.replace('_', ' ')) for word in _alternatives(part))}) "


@cache
def ways(nouns: str) -> dict[tuple[str, ...], str]:
    """Return each spelling of the nouns of a row, as it is and by its lemmas, with the noun it stands for."""
    spellings: dict[tuple[str, ...], str] = {}
    for noun in nouns.split():
        first, *others = (tuple(form.split("_")) for form in noun.split("="))
        for form in (first, *others):
            spellings[form] = " ".join(first)
            spellings[tuple(lemma_of(word) or word for word in form)] = " ".join(first)
    return spellings


def _alternatives(part: str) -> tuple[str, ...]:
    """Return the words of a part and their lemmas, in which form they follow a verb."""
    words = part.split("/")
    return tuple(dict.fromkeys((*words, *(lemma_of(word) or word for word in words))))
