"""Say in plain words, quoting both texts, why two claims exclude each other or agree. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ...language.segment import MAX_CHARACTERS, tokens_of
from ...language.words import stem
from ..clauses.endings import ENDS_SLOT
from ..grammar.subjects import USER
from ..model import Claim, ValueKind
from .conflicts import IMPLICATION, IN_DOUBT, IN_WORDS, ClaimConflict

Span = tuple[int, int]
_OPEN_RULES: Final = (IN_DOUBT, IMPLICATION)
_GAP: Final = "…"
_SAME: Final = "the same thing"
#: At most so many other words may stand within the name of a subject: "the port of the API".
_WORDS_BETWEEN: Final = 2
_RULES: Final = {
    "value": "only one of the two can be true at a time",
    "negation": "one denies what the other says",
    IN_DOUBT: "the newer one ends or changes something, which need not be all that the older one says, or the same",
    IMPLICATION: "one says that it follows from something else, and the other that it is not so",
    "structured": "both are structured content, and one property has one value",
}


class Side(NamedTuple):
    """A claim, the text, and the clause of the claim as it is written; both are empty if the text is not known."""

    claim: Claim
    text: str = ""
    clause: str = ""

    @classmethod
    def of(cls, claim: Claim, text: str) -> Side:
        return cls(claim) if claim.structured else cls(claim, text[:MAX_CHARACTERS], text[claim.start : claim.end])

    @property
    def span(self) -> Span:
        """The span of the value in its clause; empty if the clause alone tells it."""
        if self.claim.slot in IN_WORDS or self.claim.value.kind in (ValueKind.FLAG, ValueKind.STATEMENT):
            return (0, 0)
        words = self.claim.value.text.casefold()
        begin = self.clause.casefold().rfind(words)
        return _find(words.split(), self.clause, between=0) or ((begin, begin + len(words)) if begin >= 0 else (0, 0))

    @property
    def quoted(self) -> str:
        """The quoted words of the text: the value, or the whole clause."""
        start, end = self.span
        is_denied = end and not self.claim.polarity
        return f'{"not " if is_denied else ""}"{self.clause[start:end] or self.clause or self.claim.value.text}"'

    @property
    def gap(self) -> str:
        """The clause with a gap in place of its value, and of what it says that; empty if the value is not written."""
        start, end = self.span
        if end - start in (0, len(self.clause)):
            return ""
        beside = "" if _quote(self.words, self.clause) else _quote(self.words, self.text)
        return f'"{self.clause[:start]}{_GAP}{self.clause[end:]}"{" for " * bool(beside)}{beside}'

    @property
    def subject(self) -> str:
        """The subject of the claim in the words of the text, in quotes; empty if the text has no words for it."""
        if self.words == [USER]:
            return "the user"
        if not self.clause:
            return f'"{" ".join(self.words)}"' if self.words else ""
        return _quote(self.words, self.clause) or _quote(self.words, self.text)

    @property
    def words(self) -> list[str]:
        return " ".join((self.claim.subject, *self.claim.scope)).split()


def explain(hit: ClaimConflict, older_text: str, newer_text: str) -> tuple[str, ...]:
    """Return in words what both texts speak of, what each says, and why that settles it."""
    sides = Side.of(hit.older, older_text), Side.of(hit.newer, newer_text)
    return (_about(sides), f"older: {sides[0].quoted}", f"newer: {sides[1].quoted}", _why(hit))


def explain_agreement(a: Claim, b: Claim, older_text: str, newer_text: str, *, is_same: bool) -> str:
    """Return in words where both texts agree, and whether one is more precise."""
    sides = Side.of(a, older_text), Side.of(b, newer_text)
    relation = "say the same" if is_same else "agree, one more precise"
    return f"{_about(sides)}: {sides[0].quoted} and {sides[1].quoted} {relation}"


def _why(hit: ClaimConflict) -> str:
    older, newer, rule = hit
    ending = next((claim for claim in (newer, older) if claim.slot == ENDS_SLOT), None)
    if ending is not None and rule not in _OPEN_RULES:
        why = f"the {'newer' if ending is newer else 'older'} one says that it is no longer so, or that it is not"
    elif rule == "correction":
        why = f"{_which(older.correction, newer.correction)} is an explicit correction"
    elif rule == "state_change":
        why = f"{_which(older.change, newer.change)} says that this has changed"
    else:
        why = _RULES[rule]
    return f"{why}; it does not say of what, and its value fits this alone" if newer.elliptical else why


def _which(is_older: bool, is_newer: bool) -> str:
    return "each" if is_older and is_newer else "the older one" if is_older else "the newer one"


def _about(sides: tuple[Side, Side]) -> str:
    """Return in words what two claims of one slot speak of."""
    claim = sides[0].claim
    subject = next((side.subject for side in sides if side.subject), "")
    if claim.structured:
        return f'both speak of the property "{claim.slot}" of {subject}'
    if claim.slot in IN_WORDS:
        return f"both speak of {_ended(sides) or _SAME}"
    plain_first = sorted(sides, key=lambda side: (not side.claim.polarity, side.claim.is_marked))
    gap = next(filter(None, (side.gap for side in plain_first)), "")
    return f"both fill in {gap}" if gap else f"both speak of {subject or _SAME}"


def _ended(sides: tuple[Side, Side]) -> str:
    """Return what a text says to have ended, quoted from the other text if it has it, else from itself."""
    ending = next(side.claim for side in sides if side.claim.slot == ENDS_SLOT)
    words = [str(word) for word in ending.value.norm]
    return next((run for side in sides if (run := _quote(words, side.clause))), "")


def _quote(words: Iterable[str], text: str, *, between: int = _WORDS_BETWEEN) -> str:
    start, end = _find(words, text, between=between) or (0, 0)
    return f'"{text[start:end]}"' if end else ""


def _find(words: Iterable[str], text: str, *, between: int) -> Span | None:
    """Return the span of the shortest run of tokens that has all words, in any form; None if none is short enough."""
    wanted = frozenset(stem(word.casefold()) for word in words)
    tokens = tokens_of(text) if wanted else ()
    runs: list[Span] = []
    for index, first in enumerate(tokens):
        missing = set(wanted)
        for token in tokens[index : index + len(wanted) + between]:
            owner = token.low.removesuffix("'s")
            missing -= {stem(token.low), stem(owner)}
            if not missing:
                runs.append((first.start, token.end - (len(token.low) - len(owner))))
                break
    return min(runs, key=lambda run: run[1] - run[0], default=None)
