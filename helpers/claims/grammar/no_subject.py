"""Read a denial that stands in the subject: "no deploys are announced", "nobody uses X", "none of the jobs" (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.tables import read_classes
from ...language.token import Token
from .verb_groups import VerbGroup

_WORDS: Final = read_classes(__file__)
NOBODY: Final = frozenset(("nobody", "nothing", "noone"))
#: The subject of what nobody does, and nothing.
NOBODY_AT_ALL: Final = "nobody"
#: With one of these, somebody or something does.
_EXCEPT: Final = _WORDS["except"]
_NO_NOUN: Final = _WORDS["no_noun"]


def parse_no_subject(tokens: tuple[Token, ...], group: VerbGroup) -> tuple[tuple[Token, ...], VerbGroup]:
    """The clause without the word that denies it, and its verb group as denied; as they are where there is no such.

    Where nothing else names the subject, the word stays: nobody at all does it.
    """
    size = _denying(tokens)
    if not size or group.negated or group.subject_end < size:
        return tokens, group
    if any(token.low in _EXCEPT for token in tokens):
        return tokens, group
    if group.subject_end == size:
        return (Token("nobody", NOBODY_AT_ALL, tokens[0].start, tokens[0].end), *tokens[size:]), group._replace(
            subject_end=1, rest=group.rest - size + 1, negated=True
        )
    rest, subject_end = group.rest - size, group.subject_end - size
    return tokens[size:], group._replace(subject_end=subject_end, rest=rest, negated=True)


def _denying(tokens: tuple[Token, ...]) -> int:
    """How many words of a clause deny it from in front of its subject."""
    lows = [token.low for token in tokens[:3]]
    if len(lows) < 3:
        return 0
    if lows[0] in NOBODY:
        return 1
    if lows[:2] == ["no", "one"] or lows[:2] == ["none", "of"]:
        return 2
    return int(lows[0] == "no" and lows[1].isalpha() and lows[1] not in _NO_NOUN)
