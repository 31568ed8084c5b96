"""Find the claims of two texts that contradict each other: one subject, slot, scope and time, both stated as facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ...language.lexicon import CALENDAR, DEICTIC_TIMES
from ...language.openers import closes_change, opens_change
from ...language.segment import tokenise
from ...language.token import place_of
from ...language.words import CONCEPTS, stem
from ..clauses.endings import ENDS_SLOT, SAYS_SLOT
from ..clauses.free_values import is_purpose
from ..clauses.open_values import OPEN_SLOT, USES_SLOT
from ..coreference.situations import (
    are_beside,
    are_elsewhere,
    are_of_two_topics,
    denies_in_part,
    recur_apart,
    stands_in,
)
from ..coreference.things import are_two_things, parse_which
from ..grammar.subjects import KIN
from ..model import Claim, Tense, ValueKind
from ..polarity.polar_claims import POLAR
from ..slots.rows import MOSTLY_ONE, OFTEN_SEVERAL
from ..values.agreement import Agreement, compare_values
from ..values.dates import BETWEEN_DAYS
from ..values.names import parse_job
from ..values.readers import parse_value
from .narrow import ends, may_change, may_end

#: The rule of a doubtful conflict, which retires neither.
IN_DOUBT: Final = "in doubt"
#: The rule of a text that denies a consequence of a condition in the other text.
IMPLICATION: Final = "implication"
#: The slots of claims that are compared by their words.
IN_WORDS: Final = frozenset((ENDS_SLOT, SAYS_SLOT))


#: Kinds of values that an elliptical correction cannot give.
_NOT_REREAD: Final = frozenset(
    (ValueKind.FREQUENCY, ValueKind.FLAG, ValueKind.PLACE, ValueKind.TEXT, ValueKind.PHRASE, ValueKind.STATEMENT)
) | frozenset((ValueKind.SCALAR, ValueKind.CODE, ValueKind.STREET, ValueKind.HOURS))
#: The readers of kinds whose reader has another name, or that have several.
_READERS_OF: Final = {ValueKind.VERSION: ("named version", "version"), ValueKind.PERSON: ("full name",)}
#: Kinds of values that name nothing; a time beside them says when they hold.
_UNNAMED: Final = frozenset((ValueKind.STATEMENT, ValueKind.FLAG))
_OF_ANY_TIME: Final = _UNNAMED | {ValueKind.TERM}

#: Kinds of values that name a place in a network or on a disk.
_ADDRESSES: Final = frozenset((ValueKind.URL, ValueKind.HOST, ValueKind.PATH))
_DAYS: Final = frozenset(stem(day) for day in (*CALENDAR, "weekday", "workday") if day.endswith("day"))


class ClaimConflict(NamedTuple):
    """The older claim that a newer one contradicts, and by which rule."""

    older: Claim
    newer: Claim
    rule: str


def find_pairs(before: Iterable[Claim], after: Iterable[Claim]) -> list[tuple[Claim, Claim]]:
    """Return the pairs of claims of one subject and slot that hold in the same scope at the same time."""
    by_key: dict[tuple[str, str], list[Claim]] = {}
    for claim in before:
        if claim.slot not in IN_WORDS and (claim.subject or (claim.slot and not claim.elliptical)):
            by_key.setdefault(claim.key, []).append(claim)
    return [
        (a, b)
        for b in after
        if not b.elliptical and b.slot not in IN_WORDS
        for a in by_key.get(b.key, ())
        if (a.topic is not None or a.scope == b.scope) and a.time == b.time and a.time.tense is not Tense.PAST
        if _may_be_one(a.subject, b.subject) and _is_one_thing(a, b) and not _are_named_apart(a, b)
    ]


def _may_be_one(subject: str, other: str) -> bool:
    """Whether two of one name may be the same: not "my brother Tom" and "my colleague Tom"."""
    own, others = (set(words.split()) & KIN for words in (subject, other))
    return not own or not others or own == others


def _are_named_apart(a: Claim, b: Claim) -> bool:
    """Whether two names belong to two things, such as a product and its repository."""
    return a.slot == "name" and not a.topic and bool(a.subject and b.subject) and stem(a.subject) != stem(b.subject)


def _is_one_thing(a: Claim, b: Claim) -> bool:
    """Whether at most one of two claims narrows the topic that they share."""
    if not (a.light or a.firm or b.light or b.firm):
        return True
    left, right = {*a.light, *a.firm}, {*b.light, *b.firm}
    if (left ^ right) & _DAYS and not b.change:
        return False  # "opens at 9", and "at 10 on Sundays"
    return set(a.firm) <= right and set(b.firm) <= left and (left <= right or right <= left)


def find_contradictions(pairs: Sequence[tuple[Claim, Claim]]) -> list[ClaimConflict]:
    affirmed = {id(a) for a, b in pairs if a.polarity is b.polarity and agree(a, b) is Agreement.SAME}
    several = _listed(a for a, _ in pairs) | _listed(b for _, b in pairs)
    return [
        ClaimConflict(a, b, rule)
        for a, b in pairs
        if (rule := _rule(a, b)) and id(a) not in affirmed and not (a.single and a.key in several)
    ]


def find_ended(before: Sequence[Claim], after: Sequence[Claim]) -> list[ClaimConflict]:
    """Return the conflicts of what one text says and the newer one ends or denies; a plain denial may be the older."""
    pairs = [*_ended_by(after, before, ends)] or [
        (end, saying) for end in before for saying in after if not end.change and not end.scope and ends(end, saying)
    ]
    return [ClaimConflict(*pair, _named(*pair, "negation")) for pair in pairs]


def _ended_by(
    after: Sequence[Claim], before: Sequence[Claim], is_ended: Callable[[Claim, Claim], bool]
) -> Iterator[tuple[Claim, Claim]]:
    """Yield each older claim that a newer one ends, with that one, unless the newer text still says it as well."""
    for end in after:
        if any(is_ended(end, kept) and not _same_clause(end, kept) for kept in after):
            continue
        for saying in before:
            if is_ended(end, saying) and not any(_is_given_up(end, known, saying) for known in before):
                yield saying, end


def find_doubtful(before: Sequence[Claim], after: Sequence[Claim]) -> list[ClaimConflict]:
    """Return the doubtful conflicts: what the newer text ends or changes may be less than the older one says."""
    pairs = [*_ended_by(after, before, may_end)] or [
        (a, b)
        for b in after
        if b.is_marked and not b.elliptical and b.slot not in IN_WORDS
        for a in before
        if a.slot == b.slot and may_change(b, a) and _rule(a, b)
        if not any(a.slot == c.slot and a.polarity is c.polarity and agree(a, c) is Agreement.SAME for c in after)
    ]
    return [ClaimConflict(*pair, IN_DOUBT) for pair in pairs]


def as_changed(hit: ClaimConflict, newer_text: str) -> ClaimConflict:
    """Return a conflict, as a change if the newer clause says so: "runs at 50 Hz now", "since Monday"."""
    newer = hit.newer
    if not newer_text or newer.correction or newer.change:
        return hit
    tokens = tokenise(newer_text[newer.start : newer.end])
    lows = [token.low for token in tokens]
    is_told = any(_tells_change(low, lows[:index], lows[index + 1 :]) for index, low in enumerate(lows))
    if not is_told and not opens_change(tokens) and not closes_change(tokens):
        return hit
    return hit._replace(newer=replace(newer, change=True), rule=_named(hit.older, newer, "state_change"))


def _tells_change(low: str, before: Sequence[str], after: Sequence[str]) -> bool:
    if low == "now":
        return before[-1:] not in (["until"], ["till"], ["for"], ["right"], ["by"])
    if low not in ("since", "from") or not after or not BETWEEN_DAYS.isdisjoint(after[1:3]):
        return False  # "from Monday to Friday"
    return after[0] in DEICTIC_TIMES or stem(after[0]) in _DAYS


def _is_given_up(end: Claim, known: Claim, saying: Claim) -> bool:
    """Whether the clause of `saying` itself ends the same thing: "uses pnpm rather than npm"."""
    return known.slot == ENDS_SLOT and known.value.norm == end.value.norm and _same_clause(known, saying)


def is_elsewhere(hit: ClaimConflict, older_text: str, newer_text: str) -> bool:
    """Whether two clauses speak of two things, or of other circumstances that are in no scope of their claims."""
    if not older_text or not newer_text or hit.newer.elliptical:
        return False
    spans = (hit.older.start, hit.older.end), (hit.newer.start, hit.newer.end)
    clauses = parse_which(older_text, spans[0]), parse_which(newer_text, spans[1])
    sentences = clauses[0].sentence, clauses[1].sentence
    kind, value_words = hit.newer.value.kind, _said_by(hit)
    is_of_another = (
        are_of_two_topics(older_text, newer_text, spans)
        or are_two_things(*clauses, value_words)
        or (kind in _OF_ANY_TIME and recur_apart(*sentences))
        or (not hit.newer.change and are_beside(*sentences))
        or stands_in(sentences[1])
        or _left_another(hit, newer_text)
        or denies_in_part(*sentences[::-1])
        or denies_in_part(*sentences)
    )
    slot = hit.older.slot
    is_held = hit.older.loose or hit.newer.loose or hit.newer.change or hit.newer.correction
    # A topic read in any order holds every phrase of its clause: what is left is what the sentence says beside it.
    is_told = slot in CONCEPTS or is_purpose(slot) or slot.startswith(POLAR)
    is_read = is_told and hit.older.loose and hit.newer.loose
    return is_of_another or (is_held and are_elsewhere(*sentences, spans, is_read=is_read))


def _said_by(hit: ClaimConflict) -> frozenset[str]:
    """Return the words of the slot and the values of two claims, which say nothing else."""
    values = (claim.value.text for claim in hit[:2] if claim.value.kind not in _UNNAMED)
    slot = hit.older.slot
    return frozenset((*map(stem, " ".join((slot, *values)).casefold().split()), *CONCEPTS.get(slot, ())))


def _left_another(hit: ClaimConflict, text: str) -> bool:
    """Whether a change names another old value than the older claim: "moved from Netlify to Vercel", after Vite."""
    older, newer = hit.older, hit.newer
    if not (older.slot.startswith(OPEN_SLOT) or newer.value.kind in _ADDRESSES):
        return False
    tokens = tokenise(text[newer.start : newer.end])
    begin = place_of(tokens, ("from",)) + 1
    end = place_of(tokens, ("to", "into"), begin)
    left = {stem(token.low) for token in tokens[begin : end if end < len(tokens) else 0]}
    known = {stem(token.low) for token in tokenise(older.value.text)}
    is_address = newer.value.kind in _ADDRESSES and any(letter in low for low in left for letter in "./:@")
    return bool(left) and left.isdisjoint(known) and not is_address


def _same_clause(a: Claim, b: Claim) -> bool:
    """Whether two claims are read from one clause: "sends to B instead of A" says A as well, and ends it."""
    return a.start < b.end and b.start < a.end


def _listed(claims: Iterable[Claim]) -> set[tuple[str, str]]:
    """Return the keys that one text fills with two different values: there, they are not single-valued."""
    first: dict[tuple[str, str], Claim] = {}
    affirmed = [claim for claim in claims if claim.single and claim.polarity]
    known = [first.setdefault(claim.key, claim) for claim in affirmed]
    values = zip(known, affirmed, strict=True)
    return {b.key for a, b in values if compare_values(a.value, b.value) is Agreement.DIFFERENT}


def agree(a: Claim, b: Claim) -> Agreement:
    if a.slot.startswith(OPEN_SLOT) and _are_apart(set(a.value.norm), set(b.value.norm)):
        return Agreement.DIFFERENT
    return compare_values(a.value, b.value)


def _are_apart(words: set[str | float], others: set[str | float]) -> bool:
    """Whether two open values share no word, or differ by one word each ("Hall B", "room 4", "Cafe Rouge")."""
    return words.isdisjoint(others) or len(words - others) == len(others - words) == 1


def _rule(a: Claim, b: Claim) -> str:
    """Return the rule by which two claims of one key contradict each other; empty if they do not."""
    if a.polarity is not b.polarity:
        denied, affirmed = (b, a) if a.polarity else (a, b)
        is_covered = a.slot == USES_SLOT and denied.value.norm == affirmed.value.norm[:2]  # whatever its version
        return _named(a, b, "negation") if is_covered or agree(a, b) is Agreement.SAME else ""
    if not a.polarity or agree(a, b) is not Agreement.DIFFERENT:
        return ""
    if a.slot.startswith(OPEN_SLOT):
        is_one = a.single and b.single
        return _named(a, b, IN_DOUBT if is_one else "") if b.correction or b.change or is_one else ""
    is_marked = a.is_marked or b.is_marked
    if a.single and b.single and a.slot in MOSTLY_ONE and not is_marked:
        return IN_DOUBT
    if a.single and b.single:
        is_one = a.value.kind is not ValueKind.PHRASE and a.slot not in OFTEN_SEVERAL
        return _named(a, b, "value") if is_marked or is_one else ""
    return _named(a, b, "") if is_marked and a.slot in ("name", USES_SLOT) else ""


def _named(a: Claim, b: Claim, rule: str) -> str:
    if a.correction or b.correction:
        return "correction"
    return "state_change" if a.change or b.change else rule


def find_elliptical(before: Sequence[Claim], after: Sequence[Claim]) -> list[ClaimConflict]:
    """Return the conflicts of corrections that name no subject: each means the one older claim that its value fits."""
    hits: list[ClaimConflict] = []
    for claim in after:
        if not claim.elliptical or not all(_same_clause(claim, other) for other in after):
            continue  # "it's May 3 - that's when the user was born" tells itself of what
        candidates = [a for a in before if _is_told_by(claim.scope, a, before)]
        fits = [(a, fit) for a in candidates if (fit := _fit(a, claim)) is not Agreement.INCOMPARABLE]
        fits = [(a, fit) for a, fit in fits if not a.loose] or fits
        if len({(a.value.kind, a.value.norm) for a, _ in fits}) == 1 and fits[0][1] is Agreement.DIFFERENT:
            hits.append(ClaimConflict(fits[0][0], claim, "correction" if claim.correction else "state_change"))
    return hits


def _is_told_by(verb: Sequence[str], claim: Claim, claims: Iterable[Claim]) -> bool:
    """Whether a claim is told by the verb of a correction, if that has one: "runs at 40 Hz", "it runs at 50 Hz"."""
    sayings = (other for other in claims if other.slot == SAYS_SLOT and _same_clause(other, claim))
    return not verb or any(verb[0] in saying.value.norm for saying in sayings)


def _fit(claim: Claim, correction: Claim) -> Agreement:
    """Return how the value of a correction agrees with that of a claim, read as the same kind of value."""
    kind = claim.value.kind
    is_held = claim.polarity and claim.time.tense is not Tense.PAST and (claim.single or claim.slot == USES_SLOT)
    is_any_name = kind in (ValueKind.NAME, ValueKind.PERSON) and claim.slot != "name"
    if claim.elliptical or not is_held or is_any_name or correction.slot not in ("", claim.slot):
        return Agreement.INCOMPARABLE
    tokens = tokenise(correction.value.text)
    reads = _READERS_OF.get(kind, (kind.value,)) if kind not in _NOT_REREAD else ()
    parsed = parse_job(tokens, 0) if claim.value.norm[:1] == ("job",) else parse_value(reads, tokens, 0)
    is_whole = parsed is not None and parsed.end == len(tokens)
    return compare_values(claim.value, parsed.value) if parsed and is_whole else Agreement.INCOMPARABLE
