"""Whether what a tool has answered is a failure, and with which code; its text goes no further (T-22, T-35). Pure.

A host says so in a few fixed wordings, which a table lists with their meaning. What none of them fits is a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..language.tables import read_table
from ..patterns import regex
from .words import error_code

#: A text is looked at so far from its beginning and from its end; a failure is told at one of the two.
_HEAD, _TAIL, _TRACED = 400, 600, 20_000
#: After an exception there may be a prompt of the shell, or a note of the tool.
_LINES_AFTER = 4


_WORDINGS = read_table(__file__, "failures")


def _wordings(name: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the code of each row of the table, and the pattern that tells it."""
    rows = _WORDINGS[name]
    return [(one["code"], regex(one["finds"], re.IGNORECASE if "ignores_case" in one else 0)) for one in rows]


#: At the beginning of an answer, the first that fits decides; in its last lines; and there below a traceback.
_OPENINGS, _ENDINGS, _RAISED = _wordings("openings"), _wordings("endings"), _wordings("raised")
_TRACEBACK = regex(r"^Traceback \(most recent call last\):", re.MULTILINE)
_TIMED_OUT = regex(r"\b(?:timed out|time-?out)\b", re.IGNORECASE)
#: What an agent that speaks in standard messages writes of its error.
_CODE = regex(r'"error_code"\s*:\s*"([A-Z][A-Z0-9_]{2,47})"')


def failure_of(text: str) -> str:
    """Return the code of the failure that a tool's answer tells of; empty where it tells of none."""
    head = text[:_HEAD].strip()
    named = _CODE.search(head) if head.startswith("{") else None
    if named is not None:
        return error_code(named[1])
    for code, pattern in _OPENINGS:
        if pattern.search(head):
            return "TIMEOUT" if code == "PROCESSING_ERROR" and _TIMED_OUT.search(head) else code
    # An exception in a text is one that a program ended with only after its traceback.
    has_traceback = _TRACEBACK.search(text[-_TRACED:]) is not None
    return _code_in(_last_lines(text), [*_ENDINGS, *(_RAISED if has_traceback else ())])


def raised_in(text: str) -> str:
    """Return the code of the exception that a host tells a model of: named in the first line, or below its traceback.

    In the first line the host's own words come before the name.
    """
    words = text[:_HEAD].strip().partition("\n")[0].split(": ")
    openings = [": ".join(words[at:]) for at in range(len(words))]
    return _code_in([*openings, *_last_lines(text)], _RAISED)


def _code_in(lines: Iterable[str], wordings: Sequence[tuple[str, re.Pattern[str]]]) -> str:
    return next((code for line in lines for code, pattern in wordings if pattern.search(line)), "")


def _last_lines(text: str) -> list[str]:
    """Return the last lines of a text that hold anything, the last one first."""
    lines = [line.strip() for line in text[-_TAIL:].splitlines() if line.strip()]
    return lines[: -_LINES_AFTER - 1 : -1]
