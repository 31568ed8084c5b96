"""Read one clause of a sentence: its openings, its circumstances, who says it, then its verb or its label."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ...language.lexicon import AUXILIARIES, DEFINITE, MONTHS, NEUTRAL, PREPOSITIONS, SINCE, WEEKDAYS, singular
from ...language.modality import word_modality
from ...language.openers import parse_opening
from ...language.tables import read_classes, read_table
from ...language.token import Token, low_at
from ...language.verbs import letters_of
from ...language.vocabulary import one_of
from ...texts import regex
from ..clauses.clause_grammar import is_reporting, parse_group, parse_predicate, reported_modality, reports_speech
from ..clauses.endings import parse_endings, parse_says
from ..clauses.free_order import parse_free
from ..clauses.open_values import parse_open_value
from ..clauses.predicates import Frame, Predicate, Tokens, parse_slot_value
from ..clauses.states import STATES, parse_states
from ..grammar.corrections import is_additive, label_modality, without_phrases
from ..grammar.subjects import USER, Attribute, Subject, parse_attribute, parse_subject
from ..grammar.topics import parse_circumstances
from ..grammar.verb_groups import VerbGroup, parse_no_subject
from ..model import Claim, Modality, Value, ValueKind
from ..slots.rows import TABLE
from ..values.names import end_of_name
from ..values.readers import SCALARS, Reads, parse_value

_WORDS: Final = read_classes(__file__)
#: The values that an elliptical correction can give; names and places need a sentence that says whose they are.
_ELLIPTIC_READS: Final = (
    *("email", "url", "path", "named version", "money", "date", "clock", "named port", "number", "timezone", "term"),
    "version",
)
_NO_VERB: Final = VerbGroup("be", 0, 0)
#: Verbs that only a person does: a note without subject ("Prefers dark mode") is about the user.
_PERSONAL: Final = _WORDS["personal"]
_SUBJECT_STARTS: Final = DEFINITE | {"i", "we"}
#: What may stand between a reporting verb and the report.
_AFTER_REPORT: Final = _WORDS["after_report"] | frozenset(":,")
_NOTE_SUBJECT: Final = (Token("User", USER, 0, 0),)
#: A label, a day and another mark: what follows is about that day.
_DAY: Final = rf"(?:(?:{one_of(frozenset(MONTHS) | frozenset(WEEKDAYS))})\b\.?|\d{{4}}-\d\d-\d\d|\d{{1,2}}\.?\s)"
_DIARY: Final = regex(rf"[^:\n]{{1,40}}:\s*(?:as of\s+)?{_DAY}[^:\n]{{0,16}}:\s", re.IGNORECASE)
#: A text of several lines that opens with a heading.
_HEADED: Final = regex(r"\s*(?:#|\*\*|[^\n]{1,200}:\s*\n)")
_ITEM: Final = regex(r"^[ \t]*(?:[-*•]\s+)?\**[^:=\n]{1,40}\**\s?[:=]\s[^\n]*", re.MULTILINE)
LABEL_MARKS: Final = frozenset((":", "=", "->", "→"))
_MAX_LABEL: Final = 8
#: Words of a label that is about somebody, by default the user.
_PREFERENCES: Final = frozenset(("preferred", "favourite"))
_MY: Final = Token("my", "my", 0, 0)
#: The most words of a name that is a whole value.
_MAX_NAME: Final = 4
_IS: Final = Token("is", "is", 0, 0)
_MARK: Final = Token(":", ":", 0, 0)
_LISTED: Final = frozenset((ValueKind.PATH, ValueKind.TEXT, ValueKind.NAME, ValueKind.URL))
#: Values that never begin a sentence.
_TYPED: Final = ("hours", "frequency", "phone", *(reader for reader in SCALARS if reader != "name"))
#: Nouns that alone do not belong to the user.
_ANYBODYS: Final = frozenset(read_table(__file__, "word_classes")["one_clause"]["anybodys"].split(" | "))


def parse_elliptic(tokens: Tokens, group: VerbGroup | None, frame: Frame, corrects: bool) -> list[Claim] | None:
    """Read "it's 8443", "the correct answer is GraphQL", "8443": a correction that leaves out what it corrects.

    Its scope is the verb by which the value is told, if that is another than "is". None for any other clause.
    """
    index, lemma, changes = 0, "", False
    if group is not None:
        subject = [token.low for token in tokens[: group.subject_end]]
        is_pronoun = len(subject) == 1 and subject[0] in ("it", "that", "this")
        is_answer = (
            len(subject) == 3 and subject[1] in ("correct", "right", "actual") and subject[2] in _WORDS["answer_nouns"]
        )
        if group.negated or group.is_past or not (is_pronoun or is_answer):
            return None
        corrects, index = corrects or is_answer, group.rest
        if group.lemma != "be":
            lemma, index = group.lemma, index + (low_at(tokens, index) in PREPOSITIONS)
            changes = not corrects and any(token.low == "now" for token in tokens)
    while index < len(tokens) and tokens[index].low in NEUTRAL:
        index += 1
    if not (corrects or changes) or frame.modality is not Modality.FACT:
        return None
    parsed = parse_value(_ELLIPTIC_READS, tokens, index)
    value = parsed.value if parsed else _whole_name(tokens, index)
    end = parsed.end if parsed else len(tokens)
    if value is None or any(token.low not in NEUTRAL for token in tokens[end:]):
        return None
    slot = f"version of {parsed.name}" if parsed and parsed.name else ""
    claim = Claim("", slot, value, scope=(lemma,) if lemma else (), start=tokens[0].start, end=tokens[-1].end)
    return [replace(claim, correction=corrects, change=changes, elliptical=True)]


def _whole_name(tokens: Tokens, index: int) -> Value | None:
    """Return the name that the tokens from `index` on are, all of them: "I meant Alicia"; None if they are none."""
    parsed = parse_value(("name",), tokens, index)
    return parsed.value if parsed and parsed.end == len(tokens) and parsed.value.kind is ValueKind.NAME else None


def parse_fragment(tokens: Tokens, frame: Frame) -> list[Claim]:
    """Return the claims of a clause without a verb: "API port: 8443"."""
    cut = next((i for i, token in enumerate(tokens) if token.low in LABEL_MARKS), 0)
    if cut:
        clause = Predicate(tokens, tokens[:cut], _NO_VERB, tokens[cut + 1 :], frame)
        claims = _parse_slots(clause)
        if not claims and modality_of_label(clause.subject) not in (None, Modality.FACT):
            return []  # "Error: ...", "TODO: ..."
        if clause.rest:
            for reader in (parse_states, parse_free, parse_says, parse_open_value):
                claims += reader(clause)
            if claims:
                return _of_several(claims) if _is_plural(clause.subject) else claims
    clause = Predicate(tokens, (), _NO_VERB, tokens, frame)
    return parse_endings(clause) if frame.correction else []


def _of_several(claims: list[Claim]) -> list[Claim]:
    """Return claims of which names and paths are some of several: "Files created: a.md"."""
    return [replace(claim, single=False) if claim.value.kind in _LISTED else claim for claim in claims]


def _is_plural(label: Tokens) -> bool:
    """Whether a label is in the plural, as "Files" or "Files created"."""
    is_done = len(label) > 1 and "n" in letters_of(label[-1].low)
    head = label[-1 - is_done]
    return head.text[1:].islower() and singular(head.low) != head.low


def _parse_slots(clause: Predicate) -> list[Claim]:
    """Return the claims of the slot that a label names: "API port: 8443", "max_depth: 12"."""
    attribute = labelled_attribute(clause.subject, clause.frame) if clause.rest else None
    if attribute is not None:
        for row in attribute.rows:
            claims = parse_slot_value(clause, attribute.subject, attribute.slot, row, 0, change=attribute.updated)
            if claims:
                return claims
    is_key = len(clause.subject) == 1 and any(mark in clause.subject[0].text for mark in "_.")
    for row in TABLE.verbs.get("equal", ()) if is_key else ():
        claims = parse_slot_value(clause, Subject(clause.subject[0].low), row.name, row, 0)
        if claims:
            return claims
    return []


def parse_clause_claims(
    tokens: Tokens, frame: Frame, inherited: Tokens, *, is_label: bool = False
) -> tuple[list[Claim], Tokens, Frame]:
    """Return the claims, the subject for a clause that has none, and the frame for the clauses that follow."""
    whole = tokens
    tokens, ended = without_phrases(tokens)
    opening = parse_opening(tokens)
    tokens = tokens[opening.end :]
    correction = frame.correction or opening.correction
    if tokens and tokens[-1].low == "actually":
        tokens, correction = tokens[: -1 - (low_at(tokens, len(tokens) - 2) == ",")], True
    if not tokens:
        return [], inherited, frame._replace(correction=correction)
    modality = word_modality(tokens) if frame.modality is Modality.FACT else frame.modality
    inner = frame._replace(modality=modality, correction=correction, additive=is_additive(whole))
    group = None if is_label else parse_group(tokens)
    elliptic = parse_elliptic(tokens, group, inner, correction or opening.soft)
    if elliptic is not None:
        return elliptic, inherited, frame
    if group is None:
        return _spanned(parse_fragment(tokens, inner), whole), inherited, frame
    if group.modality is not Modality.FACT and inner.modality is Modality.FACT:
        inner = inner._replace(modality=group.modality)
    denied, group = parse_no_subject(tokens, group)
    if denied is not tokens:
        tokens, inherited = denied, ()
    clause, subject = _predicate(tokens, group, inner, inherited, ended)
    if reports_speech(group, clause.rest):
        return _parse_reported(clause, inner, frame)
    if is_reporting(group, clause.rest) and _modality_of(clause, frame) is not Modality.FACT:
        frame = frame._replace(modality=Modality.QUOTATION)
    return _spanned(parse_predicate(clause), whole), subject, frame


def _modality_of(clause: Predicate, frame: Frame) -> Modality:
    """Return the modality that a reporting clause gives to what it reports."""
    return reported_modality(clause.group, parse_subject(clause.subject, me=frame.me), frame.me)


def _spanned(claims: list[Claim], whole: Tokens) -> list[Claim]:
    """Return `claims` of which the first ones also span the words that open the clause."""
    first = min([claim.start for claim in claims], default=0)
    start = whole[0].start
    if first == start:
        return claims
    return [replace(claim, start=start) if claim.start == first else claim for claim in claims]


def _predicate(
    tokens: Tokens, group: VerbGroup, frame: Frame, inherited: Tokens, ended: bool
) -> tuple[Predicate, Tokens]:
    """Split a clause at its verb; words before the last comma in front of the subject are circumstances."""
    subject = tokens[: group.subject_end]
    comma = max((i for i, token in enumerate(subject) if token.low == ","), default=-1)
    intro, subject = subject[: max(comma, 0)], subject[comma + 1 :]
    if not subject:
        is_personal = group.lemma in _PERSONAL or (group.lemma == "work" and low_at(tokens, 1) in ("at", "for", "as"))
        subject = inherited or (_NOTE_SUBJECT if is_personal and not intro else ())
    start = group.rest
    while start < len(tokens) and (tokens[start].low in NEUTRAL or tokens[start].low == "always"):
        start += 1
    if ended:
        is_none = group.lemma in ("be", "have") and low_at(tokens, start) == "no"
        group = group._replace(ended=group.negated or is_none)
    subject, intro = _leading_circumstance(subject, intro)
    if intro:
        frame = _with_intro(intro, frame)
    return Predicate(tokens, subject, group, tokens[start:], frame), subject


def _leading_circumstance(subject: Tokens, intro: Tokens) -> tuple[Tokens, Tokens]:
    """Cut "in staging the API runs ..." in front of the article of the subject."""
    if not intro and subject and subject[0].low in _WORDS["intro_words"]:
        for index in range(1, len(subject)):
            if subject[index].low in _SUBJECT_STARTS and subject[index - 1].low not in PREPOSITIONS:
                return subject[index:], subject[:index]
    return subject, intro


def _with_intro(intro: Tokens, frame: Frame) -> Frame:
    is_dated = any(token.low[0].isdigit() for token in intro)
    if (intro[0].low in SINCE or intro[0].low == "to") and not is_dated:
        return frame  # it only says since when, or what for
    if intro[-1].low in _WORDS["on_whose_word"]:
        return frame  # it only says who brought it about
    scope, time = parse_circumstances(intro)
    return frame._replace(scope=tuple(sorted({*frame.scope, *scope})), time=time)


def _parse_reported(clause: Predicate, inner: Frame, frame: Frame) -> tuple[list[Claim], Tokens, Frame]:
    """Read "Bob said ...": what follows counts as far as the speaker does."""
    modality = _modality_of(clause, frame) if inner.modality is Modality.FACT else inner.modality
    rest = clause.rest
    while rest and rest[0].low in _AFTER_REPORT:
        if rest[0].low == "the" and parse_group(rest) is not None:
            break
        rest = rest[1:]
    if modality is Modality.FACT:
        rest = _in_first_person(rest)
    outer = frame if modality is Modality.FACT else frame._replace(modality=modality)
    corrects = inner.correction or clause.group.lemma == "correct"
    claims, subject, _ = parse_clause_claims(rest, inner._replace(modality=modality, correction=corrects), ())
    return [replace(c, start=clause.tokens[0].start) if c.start == rest[0].start else c for c in claims], subject, outer


def _in_first_person(tokens: Tokens) -> Tokens:
    """Return the tokens with "they" at their beginning read as the user: "the user said they live in Denver"."""
    swapped = {"they": "i", "their": "my"}.get(tokens[0].low) if tokens else None
    return (tokens[0]._replace(low=swapped), *tokens[1:]) if swapped else tokens


def find_entries(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text that are told of a day or of what a heading names."""
    entry = _DIARY.match(text)
    items = _ITEM.finditer(text) if "\n" in text.strip() and _HEADED.match(text) else ()
    return [match.span() for match in (*((entry,) if entry is not None else ()), *items)]


def label_end(tokens: Tokens) -> int:
    """Return the index of the mark after a label; 0 if the tokens do not begin with one."""
    cut = next((i for i, token in enumerate(tokens[: _MAX_LABEL + 1]) if token.low in LABEL_MARKS), 0)
    is_label = cut and cut + 1 < len(tokens)
    return cut if is_label and all(t.low not in AUXILIARIES and t.low != "," for t in tokens[:cut]) else 0


def labelled_attribute(label: Tokens, frame: Frame) -> Attribute | None:
    """Return the slot that a label names; without an owner it may be the user's."""
    if any(token.low in _WORDS["one_of_several"] for token in label):
        return None
    attribute = parse_attribute(label, me=frame.me)
    is_choice = attribute is not None and not attribute.subject.text and attribute.slot.split()[0] in _PREFERENCES
    if attribute is not None and not is_choice:
        return attribute
    if len(label) <= 2 and " ".join(token.low for token in label) in _ANYBODYS:
        return attribute
    return parse_attribute((_MY, *label), me=frame.me) or attribute


def modality_of_label(label: Tokens) -> Modality | None:
    """Return the modality that a label gives to the rest; None if it gives none ("deploy target" is no "target")."""
    return label_modality(label[-1].low) if len(label) == 1 or label[-1].low != "target" else None


def is_label(tokens: Tokens, frame: Frame) -> bool:
    """Whether a sentence is one label with one value, whatever else its words may mean."""
    cut = label_end(tokens)
    if not cut:
        return False
    value = tokens[cut + 1 :]
    attribute = labelled_attribute(tokens[:cut], frame)
    if attribute is not None and any(_is_whole(row.reads, tokens, cut + 1) for row in attribute.rows):
        return True
    if attribute is None and len(value) <= _MAX_NAME and _is_name(value) and modality_of_label(tokens[:cut]) is None:
        return cut > 1
    is_plain = modality_of_label(tokens[:cut]) is None and all(not _is_verb(token) for token in tokens[:cut])
    if is_plain and " ".join(token.low for token in value) in STATES:
        return True
    return is_plain and _is_whole(_TYPED, tokens, cut + 1)


def _is_whole(reads: Reads, tokens: Tokens, begin: int) -> bool:
    parsed = parse_value(reads, tokens, begin)
    return parsed is not None and parsed.end == len(tokens)


def _is_verb(token: Token) -> bool:
    return "s" in letters_of(token.low)


def split_labels(tokens: Tokens, frame: Frame) -> list[Tokens]:
    """Return the facts of "Thing: one fact, another fact", each with its label; none for any other text."""
    cut = label_end(tokens)
    commas = [i for i, token in enumerate(tokens) if i > cut and token.low == ","] if cut else []
    if not commas or any(token.low in AUXILIARIES for token in tokens):
        return []
    label = tokens[:cut]
    if modality_of_label(label) is not None:
        return []
    ends = (cut, *commas, len(tokens))
    items = [tokens[begin + 1 : end] for begin, end in pairwise(ends)]
    if any(not item or _is_code(item) or _is_name(item) for item in items[1:]) or not items[0]:
        return []  # several values of one kind
    first = items[0]  # which one of a kind the list is about: "Flight: LH454, seat 12A", "Backup: nightly, ..."
    is_frequency = len(first) < _MAX_NAME and parse_value(("frequency",), first, 0) is not None
    if len(label) == 1 and (is_frequency or _is_code(first) or _is_name(first)):
        return [_fact(label, first, frame), *(_fact((*label, *first), item, frame) for item in items[1:])]
    return [_fact(label, item, frame) for item in items]


def _is_code(item: Tokens) -> bool:
    """Whether an item is a code or a handle: "LH454", "@anna"."""
    return all(token.low[0] in "@#" or any(letter.isdigit() for letter in token.low) for token in item)


def _is_name(item: Tokens) -> bool:
    """Whether an item is a name and no more, so that the list names several things of one kind."""
    return end_of_name(item, 0) == len(item)


def _fact(label: Tokens, item: Tokens, frame: Frame) -> Tokens:
    """Return an item as a sentence: "IP 10.0.0.7" as "LABEL IP: 10.0.0.7", "run on X" as "LABEL is run on X"."""
    if "n" in letters_of(item[0].low) and len(item) > 1:
        return (*label, _IS, *item)
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in item[:count])
        if len(item) > count and noun in TABLE.nouns:
            skip = count + (low_at(item, count) in ("of", "at"))
            return (*label, *item[:count], _MARK, *item[skip:])
    return (*label, _MARK, *item)
