"""Whether what a tool has answered is a failure, and with which code; its text goes no further (T-22, T-35). Pure.

A host says so in a few fixed wordings, which a table lists with their meaning. What none of them fits is a result.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..patterns import regex
from .words import error_code

#: A text is looked at so far from its beginning and from its end; a failure is told at one of the two.
_HEAD, _TAIL, _TRACED = 400, 600, 20_000
#: After an exception there may be a prompt of the shell, or a note of the tool.
_LINES_AFTER = 4


class Wording(NamedTuple):
    """A wording that tells of a failure, which one, and texts that are and are not one."""

    code: str
    pattern: re.Pattern[str]
    example: str
    counterexample: str


#: At the beginning of an answer; the first that fits decides.
OPENINGS = (
    Wording(
        "TOOL_NOT_FOUND",
        regex(r"\ATool \S{1,80} not found(?:\.|\Z)"),
        "Tool web_serch not found. Available tools: ...",
        "Tool shops not found on the map: 3",
    ),
    Wording(
        "OUT_OF_SCOPE",
        regex(
            r"\A(?:error: )?(?:(?:rejected|refused|denied|(?:permission|access) denied|out of scope"
            r"|not (?:allowed|permitted|authorized))(?:[:.,]|\Z)|OUT_OF_SCOPE\b)",
            re.IGNORECASE,
        ),
        "Rejected: this profile does not write to production.",
        "Rejected offers are listed in the second table.",
    ),
    Wording(
        "TIMEOUT",
        regex(
            r"\A(?:error: )?(?:[\w-]+:? ){0,3}(?:time-?out|timed out)(?:[:.,]| after\b| waiting for\b| \(|\Z)",
            re.IGNORECASE,
        ),
        "Error: request timed out after 30 seconds",
        "The timeout of the server is 30 seconds.",
    ),
    Wording(
        "TIMEOUT",
        regex(r"\AReturning control to agent after \S+ seconds (?:of execution|with no output)\b"),
        "Returning control to agent after 180 seconds of execution. Process might be still running.",
        "Returning control to agent after 5 seconds since last output update.",
    ),
    Wording(
        "INVALID_INPUT",
        regex(
            r"\A(?:(?:Task|Skill|File) not found:|Invalid [\w ]{1,40}:|Unknown (?:method|action)\b"
            r"|[\w ]{1,40} (?:is required|argument missing)\.?\Z)"
        ),
        "Task UUID is required",
        "Unknown methods of payment are listed below.",
    ),
    Wording(
        "INVALID_INPUT",
        regex(r"\A\W{0,20}\"system_warning\"\s*:"),
        '{"system_warning": "The runtime is not supported"}',
        'The key "system_warning": what it means',
    ),
    Wording(
        "PROCESSING_ERROR",
        regex(r"\A\W{0,20}\"system_error\"\s*:"),
        '{"system_error": "it broke"}',
        'The key "system_error": what it means',
    ),
    Wording(
        "PROCESSING_ERROR",
        regex(
            r"\A(?:[\w-]+ chat )?error(?: (?:in|while|during|processing|executing|running|calling)\b[^:\n]{0,60})?:"
            r"|\AMCP Tool Exception\b",
            re.IGNORECASE,
        ),
        "Error: no such table; exit code 1",
        "Error handling: see chapter 3",
    ),
)
#: At the end of an answer, where a terminal tells how a command ended: the last lines, but for what follows them.
ENDINGS = (
    Wording(
        "PROCESSING_ERROR",
        regex(r"\bexit(?:ed)?(?: with)?(?: exit)? (?:code|status)[ :=]*-?[1-9]\d{0,9}\b", re.IGNORECASE),
        "make: done\nTerminal shell exited with exit code 2. The command has finished.",
        "Process exited with exit code 0",
    ),
    Wording(
        "DEPENDENCY_ERROR",
        regex(r"\A\S*\b(?:ba|z)?sh: .*(?:command not found|not found)\Z"),
        "bash: ffmpeg: command not found",
        "A bash: command not found error means that it is not installed.",
    ),
    Wording(
        "DEPENDENCY_ERROR",
        regex(r"\A(?:ModuleNotFoundError|ImportError)(?::|\Z)"),
        "Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'",
        "Install it, or a ModuleNotFoundError: follows",
    ),
    Wording(
        "TIMEOUT",
        regex(r"\A[\w.]*(?:Timeout|TimeoutError|TimeoutExpired)(?::|\Z)"),
        "Traceback (most recent call last):\nrequests.exceptions.ReadTimeout: read timed out",
        "A ReadTimeout: what to do about it",
    ),
    Wording(
        "PROCESSING_ERROR",
        regex(r"\A[A-Za-z_][\w.]*(?:Error|Exception)(?::|\Z)"),
        "Traceback (most recent call last):\nValueError: 3",
        "A ValueError: what it means",
    ),
)
_TRACEBACK = regex(r"^Traceback \(most recent call last\):", re.MULTILINE)
_TIMED_OUT = regex(r"\b(?:timed out|time-?out)\b", re.IGNORECASE)
#: What an agent that speaks in standard messages writes of its error.
_CODE = regex(r'"error_code"\s*:\s*"([A-Z][A-Z0-9_]{2,47})"')
#: An exception in a text is one that a program ended with only after its traceback.
_AFTER_TRACEBACK = ENDINGS[2:]


def failure_of(text: str) -> str:
    """Return the code of the failure that a tool's answer tells of; empty where it tells of none."""
    head = text[:_HEAD].strip()
    named = _CODE.search(head) if head.startswith("{") else None
    if named is not None:
        return error_code(named[1])
    for one in OPENINGS:
        if one.pattern.search(head):
            is_late = one.code == "PROCESSING_ERROR" and _TIMED_OUT.search(head) is not None
            return "TIMEOUT" if is_late else one.code
    has_traceback = _TRACEBACK.search(text[-_TRACED:]) is not None
    endings = ENDINGS if has_traceback else [one for one in ENDINGS if one not in _AFTER_TRACEBACK]
    for line in _last_lines(text):
        for one in endings:
            if one.pattern.search(line):
                return one.code
    return ""


def raised_in(text: str) -> str:
    """Return the code of the exception that a host tells a model of: named in the first line, or below its traceback.

    In the first line the host's own words come before the name.
    """
    words = text[:_HEAD].strip().partition("\n")[0].split(": ")
    openings = [": ".join(words[at:]) for at in range(len(words))]
    for line in [*openings, *_last_lines(text)]:
        for one in _AFTER_TRACEBACK:
            if one.pattern.search(line):
                return one.code
    return ""


def _last_lines(text: str) -> list[str]:
    """Return the last lines of a text that hold anything, the last one first."""
    lines = [line.strip() for line in text[-_TAIL:].splitlines() if line.strip()]
    return lines[: -_LINES_AFTER - 1 : -1]
