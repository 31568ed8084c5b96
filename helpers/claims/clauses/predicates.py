"""A clause after its verb was found, and the claims that its values make."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Final, NamedTuple

from ...language.lexicon import CONJUNCTIONS, OF_SEVERAL, PAST_WORDS, PREPOSITIONS
from ...language.token import Token, low_at, place_of
from ..grammar.subjects import USER, Subject
from ..grammar.topics import parse_circumstances, parse_topic
from ..grammar.verb_groups import VerbGroup
from ..model import NOW, PAST, Claim, ClaimTime, Modality, Tense, Value, ValueKind
from ..slots.rows import Slot, plain_owner
from ..values.numbers import Parsed
from ..values.readers import Reads, parse_value

Tokens = tuple[Token, ...]
CONTRASTS: Final = (("instead", "of"), ("rather", "than"))
_LIST_MARKS: Final = (CONJUNCTIONS - {"but", "so", "yet"}) | {",", "/"}


class Frame(NamedTuple):
    """The frame of a clause, by its sentence or an outer clause: how far it stands behind it, and who "I" is."""

    me: str = USER
    modality: Modality = Modality.FACT
    correction: bool = False
    scope: tuple[str, ...] = ()
    time: ClaimTime = NOW
    additive: bool = False


class Predicate(NamedTuple):
    """A clause after its verb group was read; `tokens` is the whole clause, `rest` what follows the verb."""

    tokens: Tokens
    subject: Tokens
    group: VerbGroup
    rest: Tokens
    frame: Frame

    @property
    def denied(self) -> bool:
        return self.group.negated

    @property
    def is_done(self) -> bool:
        """Whether it is in a past tense or in the perfect."""
        return self.group.is_past or self.group.perfect

    @property
    def is_told_now(self) -> bool:
        """Whether it is stated as a fact of now, and not as an addition."""
        is_fact = self.group.modality is Modality.FACT and not self.frame.additive
        return is_fact and self.frame.time.tense is Tense.NOW

    def claim(self, topic: str, slot: str, value: Value) -> Claim:
        """Return the loose claim of the whole clause that `topic` has `value`."""
        return Claim(
            subject=topic,
            slot=slot,
            value=value,
            modality=self.frame.modality,
            time=self.frame.time,
            correction=self.frame.correction,
            start=self.tokens[0].start,
            end=self.tokens[-1].end,
            single=False,
            topic=topic,
            loose=True,
        )


class Tail(NamedTuple):
    """The words behind a value.

    `blocked`: the value is one of a list or opens a range, so it is no single value. `others`: values of other slots in
    the same list, each with its index. `denied`: values that a contrast rules out, and `corrects` if it does so as a
    correction. `cut`: words after the value were not understood, so the claim ends with its value.
    """

    blocked: bool = False
    others: tuple[tuple[int, Parsed], ...] = ()
    denied: tuple[Parsed, ...] = ()
    corrects: bool = False
    cut: bool = False
    scope: tuple[str, ...] = ()
    time: ClaimTime = NOW


def up_to(tokens: Tokens, words: Container[str]) -> Tokens:
    """Return what stands in front of the first of the words."""
    return tokens[: place_of(tokens, words)]


def end_of_phrase(tokens: Sequence[Token], index: int, ends: Container[str] = ()) -> int:
    """Return where a noun phrase ends that begins at `index`: at a preposition but "of", or at one of `ends`."""
    while index < len(tokens) and (tokens[index].low not in PREPOSITIONS or tokens[index].low == "of"):
        if tokens[index].low in ends:
            break
        index += 1
    return index


def make_claims(
    clause: Predicate,
    subject: Subject,
    slot: str,
    values: Sequence[tuple[Value, bool]],
    tail: Tail,
    *,
    span: tuple[int, int] | None = None,
    single: bool = True,
    change: bool = False,
    holds: bool = False,
) -> list[Claim]:
    """Return one claim for each `(value, polarity)`, with what the clause says about all of them.

    `span` is the clause unless given. `holds`: the past tense of the verb says nothing about the past.
    """
    frame = clause.frame
    time = tail.time if frame.time is NOW else frame.time
    is_of_past = any(token.low in PAST_WORDS for token in clause.subject)
    is_past = is_of_past or (clause.group.is_past and not change)
    if is_past and not holds:
        time = PAST
    start, end = span or (clause.tokens[0].start, clause.tokens[-1].end)
    said_already = set(slot.split())
    phrases = {*frame.scope, *subject.scope, *tail.scope}
    scope = tuple(sorted(phrase for phrase in phrases if not said_already.issuperset(phrase.split())))
    # A name told of "the user's friend", "Ann's daughter" may be that of another one.
    is_of_several = slot == "name" and subject.text.rpartition(" ")[2] in OF_SEVERAL
    topic = plain_owner(slot, parse_topic(subject.text, scope))
    return [
        Claim(
            subject=f"{subject.kin} {subject.text}" if subject.kin else subject.text,
            slot=slot,
            value=value,
            polarity=polarity,
            modality=frame.modality,
            time=time,
            scope=scope,
            correction=(frame.correction and not frame.additive) or tail.corrects,
            start=start,
            end=end,
            single=single and not frame.additive and not is_of_several,
            change=change and not frame.additive,
            topic=topic,
        )
        for value, polarity in values
    ]


def start_of_contrast(tokens: Tokens, index: int, joints: Container[str] = (",", "and")) -> int:
    """Return where a contrast at `index` begins to rule something out: ", not X", "instead of X"; 0 if none does."""
    after = index + (low_at(tokens, index) in joints and low_at(tokens, index + 1) == "not")
    if low_at(tokens, after) == "not":
        return after + 1
    return index + 2 if (low_at(tokens, index), low_at(tokens, index + 1)) in CONTRASTS else 0


def parse_tail(reads: Reads, rest: Tokens, first: Parsed) -> Tail:
    """Return what follows the value that `reads` found in `rest`: contrasts, list items, circumstances."""
    index = first.end
    denied: list[Parsed] = []
    others: list[tuple[int, Parsed]] = []
    corrects = cut = False
    in_list = (*reads, "version") if first.value.kind is ValueKind.VERSION else reads
    while index < len(rest):
        low = rest[index].low
        is_choice = reads == ("preference",) and low in ("over", "to")
        start = start_of_contrast(rest, index)
        is_place = bool(start) and rest[start - 1].low == "not" and low_at(rest, start) in PREPOSITIONS
        start = start + is_place if start else index + is_choice
        contrast = parse_value(reads, rest, start) if start > index else None
        if contrast:
            denied.append(contrast)
            corrects, index = not is_choice, contrast.end
            continue
        if low not in _LIST_MARKS:
            break
        index += 2 if low_at(rest, index + 1) in ("and", "or") else 1
        item = parse_value(in_list, rest, index) if low not in ("or", "nor") else None
        if low in ("or", "nor") or (item and item.name in (first.name, "")):
            return Tail(blocked=True)
        if item is None:
            cut = True
            index = place_of(rest, PREPOSITIONS, index)
            break
        others.append((index, item))
        index = item.end
    scope, time = parse_circumstances(rest[index:]) if index < len(rest) else ((), NOW)
    return Tail(False, tuple(others), tuple(denied), corrects, cut, scope, time)


def parse_slot_value(
    clause: Predicate, subject: Subject, name: str, row: Slot, index: int, *, change: bool = False
) -> list[Claim]:
    """Return the claims of `row` for the value at `rest[index]`; none if it cannot be read as one value."""
    parsed = parse_value(row.reads, clause.rest, index)
    if parsed is None:
        return []
    tail = parse_tail(row.reads, clause.rest, parsed)
    if tail.blocked or (clause.denied and tail.denied):
        return []
    is_whole = not (tail.others or tail.cut)
    claims: list[Claim] = []
    for begin, item in ((0, parsed), *tail.others):
        values = [(item.value, not clause.denied), *((other.value, False) for other in tail.denied)]
        start = clause.rest[begin].start if begin else clause.tokens[0].start
        end = clause.tokens[-1].end if is_whole else clause.rest[item.end - 1].end
        slot = name.replace("{}", item.name)
        claims += make_claims(clause, subject, slot, values, tail, span=(start, end), change=change, holds=row.past)
    return claims


def parse_rows(
    clause: Predicate, subject: Subject, rows: Iterable[Slot], index: int, *, name: str = "", change: bool = False
) -> list[Claim]:
    """Return the claims of the first row that reads the value at `rest[index]`; `name` replaces the slot of the row."""
    for row in rows:
        claims = parse_slot_value(clause, subject, name or row.name, row, index, change=change)
        if claims:
            return claims
    return []


def verb_keys(clause: Predicate) -> list[tuple[str, int]]:
    """Return verb phrases with the number of words that they take from `rest`, longest first."""
    words = [token.low for token in clause.rest[:3]]
    lemma = clause.group.lemma
    return [(" ".join((lemma, *words[:count])), count) for count in range(len(words), -1, -1)]
