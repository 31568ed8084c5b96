"""Compare what two texts claim: contradiction, refinement, duplicate, or nothing at all (C-39 ... C-43).

Two claims are compared only with the same subject, slot, scope and time, both stated as facts. Whatever fails one of
these tests coexists: a missed contradiction is clutter, a wrong one loses a memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from ..clauses.endings import ENDING_SLOTS, SAYS_SLOT
from ..clauses.open_values import OPEN_SLOT
from ..clauses.purposes import is_purpose
from ..clauses.statements import STATES_SLOT
from ..grammar.elsewhere import are_elsewhere, recur_apart
from ..grammar.subjects import KIN
from ..grammar.topics import stem
from ..language.concepts import CONCEPTS
from ..language.segment import MAX_CHARACTERS, tokenise
from ..model import Claim, Comparison, Modality, Relation, Tense, ValueKind
from ..sentences.extract import extract_claims
from ..slots.multi_valued import COVERED, EXCLUDING
from ..slots.table import SlotTable
from ..values.agreement import Agreement, compare_values, covers
from ..values.names import read_job
from ..values.readers import read_value
from .ended import ends

#: What is told in the words of a clause or of a text.
_WORDS: Final = ENDING_SLOTS | {SAYS_SLOT}
#: Words outside every contradicted claim from which on the older text says something else as well.
_OTHER_WORDS: Final = 3
#: Readers that reread an elliptical value as the kind of the claim that it may correct.
_REREADS: Final[dict[ValueKind, tuple[str, ...]]] = {
    ValueKind.VERSION: ("named version", "version"),
    ValueKind.NUMBER: ("number",),
    ValueKind.MONEY: ("money",),
    ValueKind.DATE: ("date",),
    ValueKind.CLOCK: ("clock",),
    ValueKind.PORT: ("port",),
    ValueKind.HOST: ("host",),
    ValueKind.URL: ("url",),
    ValueKind.PATH: ("path",),
    ValueKind.EMAIL: ("email",),
    ValueKind.PHONE: ("phone",),
    ValueKind.TIMEZONE: ("timezone",),
    ValueKind.TERM: ("term",),
    ValueKind.NAME: ("name",),
    ValueKind.PERSON: ("full name",),
}
#: Values that are no time themselves, so that a time beside them says when they hold.
_OF_ANY_TIME: Final = frozenset((ValueKind.STATEMENT, ValueKind.FLAG, ValueKind.TERM))


class _Hit(NamedTuple):
    """The older claim that a newer one contradicts, and by which rule."""

    older: Claim
    newer: Claim
    rule: str


def compare_texts(older: str, newer: str, slots: SlotTable | None = None) -> Comparison:
    """What `newer` is to `older`; `slots` replaces the built-in table."""
    if _normal(older) == _normal(newer):
        return Comparison(Relation.DUPLICATES, "same text", ("both texts are the same",))
    claims = extract_claims(older, slots), extract_claims(newer, slots)
    return compare_claims(*claims, older_text=older, newer_text=newer)


def compare_claims(
    older: Sequence[Claim], newer: Sequence[Claim], *, older_text: str = "", newer_text: str = ""
) -> Comparison:
    """What the claims of a newer text are to those of an older one.

    With the texts, words that no claim covers count too: a memory that says more than its claims is never a duplicate,
    and its contradiction is partial. Structured claims are compared with each other, where the texts agree (Q-62).
    """
    found = _compare_read(_read(older), _read(newer), older_text, newer_text)
    if found.relation is Relation.CONTRADICTS:
        return found
    return _structured_contradiction(older, newer) or found


def _read(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if not claim.structured]


def _structured_contradiction(older: Iterable[Claim], newer: Iterable[Claim]) -> Comparison | None:
    before, after = ([claim for claim in claims if claim.structured] for claims in (older, newer))
    hits = _contradictions(_pairs(before, after))
    if not hits:
        return None
    reasons = _reasons(hits[0]._replace(rule="structured"))
    return Comparison(Relation.CONTRADICTS, "structured", reasons, structured=True)


def _compare_read(older: Sequence[Claim], newer: Sequence[Claim], older_text: str, newer_text: str) -> Comparison:
    before = [claim for claim in older if claim.modality is Modality.FACT]
    after = [claim for claim in newer if claim.modality is Modality.FACT]
    if not before or not after:
        return Comparison(Relation.COEXISTS)
    pairs = _pairs(before, after)
    hits = _contradictions(pairs)
    hits = hits or _ended_hits(before, after) or _elliptical_hits(before, after)
    hits = [hit for hit in hits if not _is_elsewhere(hit, older_text, newer_text)]
    if hits:
        return _contradiction(hits, before, after, older_text, newer_text)
    if not pairs:
        return Comparison(Relation.COEXISTS)
    return _agreement(older, newer, pairs, older_text, newer_text)


def _normal(text: str) -> tuple[str, ...]:
    if len(text) > MAX_CHARACTERS:
        return (text,)
    return tuple(token.low for token in tokenise(text) if token.low[0] not in ".!\n,;")


def _pairs(before: Iterable[Claim], after: Iterable[Claim]) -> list[tuple[Claim, Claim]]:
    """Claims of one subject and slot that hold in the same scope at the same time."""
    by_key: dict[tuple[str, str], list[Claim]] = {}
    for claim in before:
        if claim.slot not in _WORDS and (claim.subject or (claim.slot and not claim.elliptical)):
            by_key.setdefault(claim.key, []).append(claim)
    return [
        (a, b)
        for b in after
        if not b.elliptical and b.slot not in _WORDS
        for a in by_key.get(b.key, ())
        if (a.topic is not None or a.scope == b.scope) and a.time == b.time and a.time.tense is not Tense.PAST
        if _may_be_one(a.subject, b.subject) and _is_one_thing(a, b)
    ]


def _may_be_one(subject: str, other: str) -> bool:
    """Whether two of one name may be the same: not "my brother Tom" and "my colleague Tom"."""
    own, others = (set(words.split()) & KIN for words in (subject, other))
    return own == others or not own or not others


def _is_one_thing(a: Claim, b: Claim) -> bool:
    """Whether at most one of two claims narrows the topic that they share."""
    if not (a.light or a.firm or b.light or b.firm):
        return True
    left, right = {*a.light, *a.firm}, {*b.light, *b.firm}
    return set(a.firm) <= right and set(b.firm) <= left and (left <= right or right <= left)


def _contradictions(pairs: Sequence[tuple[Claim, Claim]]) -> list[_Hit]:
    affirmed = {id(a) for a, b in pairs if a.polarity is b.polarity and _agree(a, b) is Agreement.SAME}
    several = _listed(a for a, _ in pairs) | _listed(b for _, b in pairs)
    hits = []
    for a, b in pairs:
        rule = _rule(a, b)
        if rule and id(a) not in affirmed and not (a.single and a.key in several):
            hits.append(_Hit(a, b, rule))
    return hits


def _ended_hits(before: Sequence[Claim], after: Sequence[Claim]) -> list[_Hit]:
    """What the newer text ends or denies in the words of the older one; a plain denial counts in both orders."""
    kept = [said for said in after if said.slot == SAYS_SLOT]
    hits = [
        _Hit(said, end, _named(said, end, "negation"))
        for end in after
        if end.slot in ENDING_SLOTS and not any(ends(end, said) and not _same_clause(end, said) for said in kept)
        for said in before
        if ends(end, said)
    ]
    if hits:
        return hits
    return [
        _Hit(end, said, _named(end, said, "negation"))
        for end in before
        for said in after
        if not end.change and not end.scope and ends(end, said)
    ]


def _is_elsewhere(hit: _Hit, older_text: str, newer_text: str) -> bool:
    """Whether what was read without a grammar of scopes, or is a change, was said under other circumstances."""
    if not older_text or not newer_text or hit.newer.elliptical:
        return False
    spans = (hit.older.start, hit.older.end), (hit.newer.start, hit.newer.end)
    if hit.newer.value.kind in _OF_ANY_TIME and recur_apart(older_text, newer_text, spans):
        return True
    is_held = hit.older.loose or hit.newer.loose or hit.newer.change or hit.newer.correction
    # A topic read in any order holds every phrase of its clause: what is left is what the sentence says beside it.
    is_read = (hit.older.slot in CONCEPTS or is_purpose(hit.older.slot)) and hit.older.loose and hit.newer.loose
    return is_held and are_elsewhere(older_text, newer_text, spans, is_read=is_read)


def _same_clause(a: Claim, b: Claim) -> bool:
    """Whether two claims are read from one clause: "sends to B instead of A" says A as well, and ends it."""
    return a.start < b.end and b.start < a.end


def _listed(claims: Iterable[Claim]) -> set[tuple[str, str]]:
    """Slots that one text fills with two different values: there, they are not single-valued."""
    first: dict[tuple[str, str], Claim] = {}
    several: set[tuple[str, str]] = set()
    for claim in claims:
        if not claim.single or not claim.polarity:
            continue
        known = first.setdefault(claim.key, claim)
        if compare_values(known.value, claim.value) is Agreement.DIFFERENT:
            several.add(claim.key)
    return several


def _agree(a: Claim, b: Claim) -> Agreement:
    if a.slot == STATES_SLOT:
        return Agreement.SAME
    if a.slot.startswith(OPEN_SLOT) and _are_apart(set(a.value.norm), set(b.value.norm)):
        return Agreement.DIFFERENT
    return compare_values(a.value, b.value)


def _are_apart(words: set[str | float], others: set[str | float]) -> bool:
    """Whether two open values share no word, or only what their number or letter stands beside ("Hall B", "room 4")."""
    if not words & others:
        return True
    return all(len(own) == 1 and _is_mark(str(*own)) for own in (words - others, others - words))


def _is_mark(word: str) -> bool:
    return len(word) == 1 or word.isdecimal()


def _rule(a: Claim, b: Claim) -> str:
    """The rule by which two claims of one key contradict each other; empty if they do not."""
    if a.polarity is not b.polarity:
        denial, claim = (b, a) if a.polarity else (a, b)
        is_covered = a.slot in COVERED and covers(denial.value, claim.value)
        is_same = is_covered or _agree(a, b) is Agreement.SAME
        return _named(a, b, "negation") if is_same else ""
    if not a.polarity or _agree(a, b) is not Agreement.DIFFERENT:
        return ""
    if a.slot.startswith(OPEN_SLOT):
        return _named(a, b, "") if b.correction or b.change else ""
    is_marked = a.correction or b.correction or a.change or b.change
    if a.single and b.single:
        return _named(a, b, "value") if is_marked or a.value.kind is not ValueKind.PHRASE else ""
    return _named(a, b, "") if is_marked and (a.slot in EXCLUDING or a.slot == "name") else ""


def _named(a: Claim, b: Claim, rule: str) -> str:
    if a.correction or b.correction:
        return "correction"
    return "state_change" if a.change or b.change else rule


def _elliptical_hits(before: Sequence[Claim], after: Sequence[Claim]) -> list[_Hit]:
    """A correction that names no subject speaks of the one claim of the older text that its value fits."""
    hits: list[_Hit] = []
    for claim in after:
        if not claim.elliptical:
            continue
        fits = [(a, fit) for a in before if (fit := _fit(a, claim)) is not Agreement.INCOMPARABLE]
        fits = [(a, fit) for a, fit in fits if not a.loose] or fits
        if len({(a.value.kind, a.value.norm) for a, _ in fits}) == 1 and fits[0][1] is Agreement.DIFFERENT:
            hits.append(_Hit(fits[0][0], claim, "correction"))
    return hits


def _fit(claim: Claim, correction: Claim) -> Agreement:
    is_open = claim.single or (claim.slot in EXCLUDING and claim.value.kind is ValueKind.TERM)
    if claim.elliptical or not claim.polarity or claim.time.tense is Tense.PAST or not is_open:
        return Agreement.INCOMPARABLE
    if correction.slot and correction.slot != claim.slot:
        return Agreement.INCOMPARABLE
    if claim.value.kind in (ValueKind.NAME, ValueKind.PERSON) and claim.slot != "name":
        return Agreement.INCOMPARABLE
    if claim.value.kind is ValueKind.TERM and claim.value.norm[:1] == correction.value.norm[:1]:
        return compare_values(claim.value, correction.value)
    tokens = tokenise(correction.value.text)
    reads = _REREADS.get(claim.value.kind, ())
    parsed = read_job(tokens, 0) if claim.value.norm[:1] == ("job",) else read_value(reads, tokens, 0)
    if parsed is None or parsed.end != len(tokens):
        return Agreement.INCOMPARABLE
    return compare_values(claim.value, parsed.value)


def _contradiction(
    hits: Sequence[_Hit], before: Sequence[Claim], after: Sequence[Claim], older_text: str, newer_text: str
) -> Comparison:
    first = next((hit for hit in hits if hit.rule == "correction"), hits[0])
    return Comparison(
        Relation.CONTRADICTS,
        first.rule,
        _reasons(first),
        partial=_is_partial([hit.older for hit in hits], before, older_text),
        corrects=_corrector(first),
        elliptical=first.newer.elliptical,
        newer_partial=_is_partial([hit.newer for hit in hits], after, newer_text),
        addable=all(_is_addable(hit) for hit in hits),
        older_spans=_spans(hit.older for hit in hits),
        newer_spans=_spans(hit.newer for hit in hits),
    )


def _is_addable(hit: _Hit) -> bool:
    """Whether only the older text excludes the newer value, which may have come in addition since (C-43)."""
    a, b = hit.older, hit.newer
    may_both_hold = not (a.single and b.single) or a.value.kind is ValueKind.PHRASE
    return may_both_hold and a.polarity is b.polarity and not (b.correction or b.change)


def _spans(claims: Iterable[Claim]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({(claim.start, claim.end) for claim in claims}))


def _corrector(hit: _Hit) -> Literal["older", "newer"] | None:
    """Which of the two is the correction, or the change, of the other."""
    if hit.newer.correction is not hit.older.correction:
        return "newer" if hit.newer.correction else "older"
    if hit.newer.change is not hit.older.change:
        return "newer" if hit.newer.change else "older"
    return None


def _is_partial(contradicted: Sequence[Claim], claims: Sequence[Claim], text: str) -> bool:
    """Whether a text says more than what is contradicted in it."""
    spans = [(claim.start, claim.end) for claim in contradicted]
    if any(all(claim.end <= start or claim.start >= end for start, end in spans) for claim in claims):
        return True
    if len(text) > MAX_CHARACTERS:
        return True
    return _words_outside(text, spans) >= _OTHER_WORDS


def _words_outside(text: str, spans: Sequence[tuple[int, int]]) -> int:
    return sum(
        token.low[0].isalnum() and all(token.end <= start or token.start >= end for start, end in spans)
        for token in tokenise(text)
    )


def _agreement(
    older: Sequence[Claim],
    newer: Sequence[Claim],
    pairs: Sequence[tuple[Claim, Claim]],
    older_text: str,
    newer_text: str,
) -> Comparison:
    """Duplicate or refinement, if the two texts agree in everything that they say."""
    pairs = [(a, b) for a, b in pairs if not a.loose and not b.loose]
    same = {id(c) for a, b in pairs if a.polarity is b.polarity and _agree(a, b) is Agreement.SAME for c in (a, b)}
    close = {id(c) for a, b in pairs if a.polarity is b.polarity and _closer(a, b) for c in (a, b)}
    if _covers_text(newer, same, newer_text) and _covers_text(older, same, older_text):
        a, b = pairs[0]
        return Comparison(Relation.DUPLICATES, "same claims", (f"{_about(a)} is the same: {_said(a)} and {_said(b)}",))
    if close - same:
        a, b = next((a, b) for a, b in pairs if id(a) in close - same)
        reason = f"{_about(a)} agrees: {_said(a)} and {_said(b)}, one more precise"
        return Comparison(Relation.REFINES, "precision", (reason,))
    return Comparison(Relation.COEXISTS)


def _closer(a: Claim, b: Claim) -> bool:
    return _agree(a, b) is Agreement.COMPATIBLE


def _covers_text(claims: Sequence[Claim], matched: set[int], text: str) -> bool:
    """Whether every part of the text belongs to a claim that the other text makes too."""
    spans = [(claim.start, claim.end) for claim in claims if id(claim) in matched]
    if not spans:
        return False
    if not all(
        claim.loose or any(claim.start >= start and claim.end <= end for start, end in spans) for claim in claims
    ):
        return False
    return len(text) <= MAX_CHARACTERS and _words_outside(text, spans) == 0


def _about(claim: Claim) -> str:
    if claim.slot == STATES_SLOT:
        return f'the statement "{claim.subject}"'
    if claim.slot in _WORDS:
        return f'"{" ".join(word for word in claim.value.text.split() if stem(word.casefold()) in claim.value.norm)}"'
    subject = f' of "{claim.subject}"' if claim.subject else ""
    scope = f" ({', '.join(claim.scope)})" if claim.scope else ""
    return f'"{claim.slot}"{subject}{scope}'


def _said(claim: Claim) -> str:
    if claim.slot in _WORDS:
        return f'"{claim.value.text}"'
    return f'"{claim.value.text}"' if claim.polarity else f'not "{claim.value.text}"'


def _reasons(hit: _Hit) -> tuple[str, ...]:
    """Words that a person can check: what both speak of, what each says, why that settles it."""
    why = {
        "value": f"the slot holds one value at a time, and two {hit.older.value.kind} values differ",
        "negation": "one denies what the other says",
        "state_change": "one says that this has changed",
        "correction": "one is an explicit correction",
        "structured": "both are structured content, and one property has one value",
    }[hit.rule]
    ending = next((claim for claim in hit[:2] if claim.slot in ENDING_SLOTS), None)
    if ending is not None:
        about = ending
        why = f"the {'newer' if ending is hit.newer else 'older'} one says that it is no longer so, or that it is not"
    else:
        about = hit.older
    if hit.newer.elliptical:
        why += "; it names no subject, and its value fits this claim alone"
    return (f"both speak of {_about(about)}", f"older: {_said(hit.older)}", f"newer: {_said(hit.newer)}", why)
