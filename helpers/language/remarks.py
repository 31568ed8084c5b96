"""What of a sentence only tells that it is told: "It should be noted: ...", "..., as already discussed, ...".

C-41, T-67. Nothing of what a sentence states is lost without such a part. The words are data, with examples:
`openers.toml`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .openers import ANAPHORS
from .tables import read_table
from .token import Token, low_at

_MARKS: Final = frozenset((",", ":", ";", "(", ")", "-", "–", "—"))


class _Remark(NamedTuple):
    """One of `core` makes a part a remark, if no other words stand in it. `weakens`: the rest proves less beside it."""

    core: frozenset[str]
    words: frozenset[str]
    weakens: bool


class _Part(NamedTuple):
    """`mark` is what stands in front of it, `behind` the mark and the word that follow it; nothing at the ends."""

    mark: tuple[Token, ...]
    tokens: tuple[Token, ...]
    behind: tuple[str, str]


def _parse_remarks() -> Iterator[_Remark]:
    table = read_table(__file__, "openers")
    (any_words,) = (row["words"].split() for row in table["beside"])
    for row in table["telling"]:
        core, beside = row["core"].split(), row["beside"].split()
        words = frozenset((*core, *beside, *(() if row.get("is_label") else any_words)))
        yield _Remark(frozenset(core), words, row.get("weakens", False))


_REMARKS: Final = tuple(_parse_remarks())
_CORES: Final = frozenset().union(*(row.core for row in _REMARKS))


def without_remarks(tokens: Sequence[Token], *, also_weak: bool = False) -> list[Token]:
    """What is left of a sentence; a remark alone stays as it is, and, if not asked for, what weakens the rest."""
    if _CORES.isdisjoint([token.low for token in tokens]):
        return list(tokens)
    kept: list[Token] = []
    is_open = False
    for mark, part, behind in _parts(tokens):
        is_inner = (bool(mark) and mark[0].low == "that") or (behind[0] == "that" and bool(kept))
        if not is_inner and (also_weak or behind[1] not in ANAPHORS) and _is_remark(part, also_weak):
            is_open = bool(mark) and mark[0].low == "("
            continue
        is_begun = bool(kept) and not (is_open and mark[0].low == ")")
        kept.extend((*mark, *part) if is_begun else part)
        is_open = False
    return kept if any(token.low[0].isalnum() for token in kept) else list(tokens)


def _parts(tokens: Sequence[Token]) -> Iterator[_Part]:
    cuts = [place for place, token in enumerate(tokens) if token.low in _MARKS or token.low == "that"]
    for begin, end in zip((-1, *cuts), (*cuts, len(tokens)), strict=True):
        behind = low_at(tokens, end), low_at(tokens, end + 1)
        yield _Part(tuple(tokens[max(begin, 0) : begin + 1]), tuple(tokens[begin + 1 : end]), behind)


def _is_remark(tokens: Sequence[Token], also_weak: bool) -> bool:
    lows = {token.low.removesuffix("'s") for token in tokens if any(map(str.isalnum, token.low))}
    return any(
        not row.core.isdisjoint(lows) and row.words.issuperset(lows) for row in _REMARKS if also_weak or not row.weakens
    )
