"""Compare what two texts claim: contradiction, refinement, duplicate, or nothing at all.

In doubt they coexist: a missed contradiction is clutter, a wrong one loses a memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal

from ...language.lexicon import CALENDAR
from ...language.modality import says
from ...language.segment import MAX_CHARACTERS, tokenise
from ...language.token import Token
from ..clauses.endings import SAYS_SLOT
from ..coreference.situations import sentence_tokens
from ..model import Claim, Comparison, Modality, Relation, ValueKind
from ..sentences.extract import extract_claims
from ..values.agreement import Agreement
from .conflicts import (
    IMPLICATION,
    IN_DOUBT,
    ClaimConflict,
    agree,
    as_changed,
    find_contradictions,
    find_doubtful,
    find_elliptical,
    find_ended,
    find_pairs,
    is_elsewhere,
)
from .reasons import explain, explain_agreement

_Texts = tuple[str, str]
_Spans = tuple[tuple[int, int], ...]
#: A text with at least so many words outside its contradicted claims says something else as well.
_OTHER_WORDS: Final = 3
#: Kinds of values that are no time: a time beside them says how long they hold.
_WITHOUT_TIME: Final = frozenset((ValueKind.TERM, ValueKind.NAME, ValueKind.PERSON, ValueKind.FLAG))


def compare_texts(older: str, newer: str) -> Comparison:
    """Return the relation of the text `newer` to the text `older`."""
    if _normal(older) == _normal(newer):
        return Comparison(Relation.DUPLICATES, "same text", ("both texts are the same",))
    claims = extract_claims(older), extract_claims(newer)
    return compare_claims(*claims, older_text=older, newer_text=newer)


def compare_claims(
    older: Sequence[Claim], newer: Sequence[Claim], *, older_text: str = "", newer_text: str = ""
) -> Comparison:
    """Return the relation of the claims of a newer text to those of an older one.

    With the texts, words that no claim covers count too: a memory that says more than its claims is never a duplicate,
    and its contradiction is partial. Structured claims are compared with each other, where the texts agree.
    """
    before, after = ([claim for claim in claims if not claim.structured] for claims in (older, newer))
    texts = older_text, newer_text
    comparison = _compare_read(before, after, texts)
    if comparison.relation is Relation.CONTRADICTS:
        return comparison
    return _structured_contradiction(older, newer) or _denied_consequence(before, after, texts) or comparison


def _open(hit: ClaimConflict, rule: str, texts: _Texts) -> Comparison:
    """Return a contradiction that retires neither text."""
    return Comparison(Relation.CONTRADICTS, rule, explain(hit._replace(rule=rule), *texts), is_open=True)


def _structured_contradiction(older: Iterable[Claim], newer: Iterable[Claim]) -> Comparison | None:
    before, after = ([claim for claim in claims if claim.structured] for claims in (older, newer))
    hits = find_contradictions(find_pairs(before, after))
    return _open(hits[0], "structured", ("", "")) if hits else None


def _denied_consequence(older: Sequence[Claim], newer: Sequence[Claim], texts: _Texts) -> Comparison | None:
    """Return an open contradiction if one text says that something follows, and the other that it is not so.

    The other way round there is nothing in it: who cycles to work need not cycle if it rains. Nor where a state is
    told that is another one now: the office that is open when Ann is there may be closed.
    """
    followed = [hit for hit in _hits(_implied(older), _facts(newer)) if not hit.newer.polarity]
    following = [hit for hit in _hits(_facts(older), _implied(newer)) if not hit.older.polarity]
    clauses = [(hit, _clause_only(hit.older, texts[0]), texts[1]) for hit in followed]
    clauses += [(hit, texts[0], _clause_only(hit.newer, texts[1])) for hit in following]
    denied = next((hit for hit, *both in clauses if not is_elsewhere(hit, *both)), None)
    return _open(denied, IMPLICATION, texts) if denied else None


def _facts(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.modality is Modality.FACT]


def _implied(claims: Iterable[Claim]) -> list[Claim]:
    """Return the affirmed consequences of conditions, as if they were facts."""
    return [replace(claim, modality=Modality.FACT) for claim in claims if claim.is_only_implied and claim.polarity]


def _hits(before: Sequence[Claim], after: Sequence[Claim]) -> list[ClaimConflict]:
    return find_contradictions(find_pairs(before, after)) or find_ended(before, after)


def _clause_only(claim: Claim, text: str) -> str:
    """Return a text with only the clause of a claim: its condition is none of its circumstances."""
    return " " * claim.start + text[claim.start : claim.end] if text else text


def _compare_read(older: Sequence[Claim], newer: Sequence[Claim], texts: _Texts) -> Comparison:
    before, after = _facts(older), _facts(newer)
    pairs = find_pairs(before, after)
    conflicts = [as_changed(hit, texts[1]) if hit.rule == IN_DOUBT else hit for hit in find_contradictions(pairs)]
    hits = [hit for hit in conflicts if hit.rule != IN_DOUBT]
    hits = hits or find_ended(before, after) or find_elliptical(before, after)
    hits = [as_changed(hit, texts[1]) for hit in hits if not is_elsewhere(hit, *texts)]
    lasting = [hit for hit in hits if not _is_for_a_while(hit, *texts)]
    if lasting:
        return _contradiction(lasting, before, after, texts)
    doubts = hits or [hit for hit in conflicts if hit.rule == IN_DOUBT] or find_doubtful(before, after)
    doubt = next((hit for hit in doubts if not is_elsewhere(hit, *texts)), None)
    if doubt:
        return Comparison(Relation.CONTRADICTS, IN_DOUBT, explain(doubt, *texts), is_open=True)
    return _agreement(older, newer, pairs, texts) if pairs else Comparison(Relation.COEXISTS)


def _is_for_a_while(hit: ClaimConflict, older_text: str, newer_text: str) -> bool:
    """Whether one of two claims holds only as long as something else does ("while", "until Friday", "as long as")."""
    sentence = sentence_tokens(older_text, (hit.older.start, hit.older.end))
    older = older_text[hit.older.start : max((token.end for token in sentence), default=0)]
    newer = newer_text[hit.newer.start :]
    steps = pairwise(token.low for token in tokenise(newer))
    is_until = any(low == "until" and following in CALENDAR for low, following in steps)
    is_timed = is_until and hit.newer.value.kind in _WITHOUT_TIME
    return is_timed or says("meanwhile", newer) or says("as_long", older)


def _normal(text: str) -> tuple[str, ...]:
    if len(text) > MAX_CHARACTERS:
        return (text,)
    return tuple(token.low for token in tokenise(text) if token.low[0] not in ".!\n,;")


def _contradiction(
    hits: Sequence[ClaimConflict], before: Sequence[Claim], after: Sequence[Claim], texts: _Texts
) -> Comparison:
    first = next((hit for hit in hits if hit.rule == "correction"), hits[0])
    older_spans, newer_spans = _spans(hit.older for hit in hits), _spans(hit.newer for hit in hits)
    return Comparison(
        Relation.CONTRADICTS,
        first.rule,
        explain(first, *texts),
        partial=_is_partial(older_spans, before, texts[0]),
        corrects=_corrector(first),
        elliptical=first.newer.elliptical,
        newer_partial=_is_partial(newer_spans, after, texts[1]),
        addable=all(map(_is_addable, hits)),
        older_spans=older_spans,
        newer_spans=newer_spans,
    )


def _is_addable(hit: ClaimConflict) -> bool:
    """Whether only the older text excludes the newer value, which may have come in addition since."""
    a, b = hit.older, hit.newer
    may_both_hold = not (a.single and b.single) or a.value.kind is ValueKind.PHRASE
    return may_both_hold and a.polarity is b.polarity and not (b.correction or b.change)


def _spans(claims: Iterable[Claim]) -> _Spans:
    return tuple(sorted({(claim.start, claim.end) for claim in claims}))


def _corrector(hit: ClaimConflict) -> Literal["older", "newer"] | None:
    """Return which of the two texts corrects or changes the other; None if neither or both do."""
    marks = (hit.older.correction, hit.newer.correction), (hit.older.change, hit.newer.change)
    return next(("newer" if newer else "older" for older, newer in marks if older is not newer), None)


def _is_partial(spans: _Spans, claims: Sequence[Claim], text: str) -> bool:
    """Whether a text says more than the claims that are contradicted, which stand in `spans`."""
    says_more = len(text) > MAX_CHARACTERS or any(_is_outside(claim, spans) for claim in claims)
    return says_more or _words_outside(text, spans) >= _OTHER_WORDS


def _is_outside(part: Claim | Token, spans: _Spans) -> bool:
    return all(part.end <= start or part.start >= end for start, end in spans)


def _words_outside(text: str, spans: _Spans) -> int:
    return sum(token.low[0].isalnum() and _is_outside(token, spans) for token in tokenise(text))


def _agreement(
    older: Sequence[Claim], newer: Sequence[Claim], pairs: Sequence[tuple[Claim, Claim]], texts: _Texts
) -> Comparison:
    """Return whether one text duplicates or refines the other, if they agree in everything that they say."""
    pairs = [(a, b) for a, b in pairs if not a.loose and not b.loose]
    agreed = [(pair, agree(*pair)) for pair in pairs if pair[0].polarity is pair[1].polarity]
    same, close = (
        {id(claim) for pair, agreement in agreed if agreement is wanted for claim in pair}
        for wanted in (Agreement.SAME, Agreement.COMPATIBLE)
    )
    if _names(older) != _names(newer):
        same -= {id(c) for pair in pairs for c in pair if c.value.kind is ValueKind.FLAG}
    if _covers_text(newer, same, texts[1]) and _covers_text(older, same, texts[0]):
        reason = explain_agreement(*pairs[0], *texts, is_same=True)
        return Comparison(Relation.DUPLICATES, "same claims", (reason,))
    refined = next((pair for pair in pairs if not {*map(id, pair)}.isdisjoint(close - same)), None)
    if refined:
        return Comparison(Relation.REFINES, "precision", (explain_agreement(*refined, *texts, is_same=False),))
    return Comparison(Relation.COEXISTS)


def _names(claims: Iterable[Claim]) -> frozenset[str]:
    """Return the names in what clauses say: "is encrypted with LUKS" says more than "is encrypted"."""
    return frozenset(name for claim in claims if claim.slot == SAYS_SLOT for name in claim.scope)


def _covers_text(claims: Sequence[Claim], matched: set[int], text: str) -> bool:
    """Whether every part of the text belongs to a claim that the other text makes too."""
    spans = _spans(claim for claim in claims if id(claim) in matched)
    strict = (claim for claim in claims if not claim.loose)
    are_inside = all(any(claim.start >= start and claim.end <= end for start, end in spans) for claim in strict)
    return bool(spans) and are_inside and len(text) <= MAX_CHARACTERS and not _words_outside(text, spans)
