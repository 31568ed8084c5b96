"""The closed vocabulary of knowledge: the parts of a message that may be repeated, and their words.

Everything that is not a code, a count or a name of a fixed form is reduced to one of the words in these tables. Free
text is only searched for escalation and policy, and left behind.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from ..language.tables import read_table
from ..privacy import Level, scan
from ..texts import regex

#: The name for everything that has not the form of a name.
UNNAMED = "unnamed"

_NAME = regex(r"[A-Za-z][A-Za-z0-9_-]{0,47}\Z")
_ID = regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}\Z")
_CODE = regex(r"[A-Z][A-Z0-9]{0,29}(?:_[A-Z0-9]{1,29}){0,7}\Z")
_CAPABILITY = regex(r"CAP-[A-Z]{3}-[A-Z]?\d{3}\Z")
_GOVERNANCE_FILE = regex(r"(?:context|agent)/(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.md\Z")
#: A word of its own: a reference such as `store_1` or `src-2` is none.
_WORD = regex(r"\b[a-z]+\b(?!-\d)")

#: The audit writer's codes of a failed hop, beside those of the message format.
TOOL_NOT_FOUND, MISFORMATTED, REPEATED_CALL = "TOOL_NOT_FOUND", "MISFORMATTED", "REPEATED_CALL"
INTERVENTION, NO_ANSWER = "INTERVENTION", "NO_ANSWER"
OUT_OF_SCOPE, PROCESSING_ERROR = "OUT_OF_SCOPE", "PROCESSING_ERROR"
INVALID_INPUT, DEPENDENCY_ERROR = "INVALID_INPUT", "DEPENDENCY_ERROR"
OTHER_ERROR = "OTHER_ERROR"
STATUS_CODES = frozenset("success partial failed pending".split())
_LONGEST_CODE = 48

#: The distance within which a denial stands before what it denies.
_LOOK_BACK = 60

_ESCALATION = regex(
    r"\bslm\s*(?:-?to-?|->|→)\s*llm\b|\bmodel\s+escalation\b"
    r"|\bescalat\w+\s+(?:[\w-]+\s+){0,4}?(?:llm|large(?:r)?\s+(?:language\s+)?model)\b",
    re.IGNORECASE,
)
_POLICY = regex(r"\b(?:polic(?:y|ies)|governance|compliance)\b", re.IGNORECASE)
_REJECTED = regex(
    r"\b(?:reject\w*|violat\w*|prohibit\w*|forbid\w*|forbidden|denied|block(?:ed|s)|conflict(?:s|ed|ing)?\s+with"
    r"|not\s+(?:permitted|allowed))\b",
    re.IGNORECASE,
)
_DENIED = regex(r"\b(?:no|not|without|never|none|nor|any)\b[^.;:]{0,40}\Z", re.IGNORECASE)

_TABLE = read_table(__file__, "words")


def _names(table: Mapping[str, str]) -> dict[str, str]:
    """Return the words of a table by their spellings."""
    return {word: name for name, words in table.items() for word in words.split()}


_VERB_OF, _THING_OF = _names(_TABLE["verbs"]), _names(_TABLE["things"])
TASK_ENDS = _names(_TABLE["task_ends"])
PLATFORMS, MEDIA_TYPES = frozenset(_TABLE["platforms"].split()), frozenset(_TABLE["media_types"].split())

#: The part of an objective that is read; what matters stands at its beginning.
_READ = 300


class ChainOutcome(StrEnum):
    """The end of a transaction."""

    SUCCESS = "SUCCESS"
    PARTIAL = "PARTIAL"
    FAILURE = "FAILURE"
    ESCALATED = "ESCALATED"
    REJECTED = "REJECTED"


def plain_name(value: object) -> str:
    """Return the name of an agent, a tool, a task or a kind of content.

    `unnamed` stands for a text of another form, and for somebody's secret.
    """
    return _plain_name(value) if isinstance(value, str) else UNNAMED


@lru_cache(maxsize=4_096)
def _plain_name(text: str) -> str:
    """Return the name in a text; cached, as a log repeats a few names many times."""
    name = text.strip().replace(".", "_").split(":", 1)[0]
    return name if _NAME.match(name) and not scan(name, Level.STRICT) else UNNAMED


def plain_id(value: object) -> str:
    """Return an id of a fixed form, or nothing."""
    return value if isinstance(value, str) and _ID.match(value) else ""


@lru_cache(maxsize=4_096)
def told_id(text: str) -> str:
    """Return an id as it may be shown and kept: its digest where it is somebody's secret."""
    if not scan(text, Level.STRICT):
        return text
    return "txn_" + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


@lru_cache(maxsize=4_096)
def error_code(text: str) -> str:
    """Return an error code, listed or not; OTHER_ERROR for a text of another form, or a private one."""
    code = text.strip().upper()
    is_code = len(code) <= _LONGEST_CODE and _CODE.match(code) is not None and not scan(code, Level.STRICT)
    return code if is_code else OTHER_ERROR


def one_of(value: object, allowed: Iterable[str], other: str) -> str:
    """Return a word of a closed list, in its case; `other` for everything else."""
    text = value.strip().lower() if isinstance(value, str) else ""
    return text if text in allowed else other


def capabilities_in(values: object) -> tuple[str, ...]:
    """Return the ids of capabilities in a list."""
    items = values if isinstance(values, list) else []
    return tuple(sorted({item for item in items if isinstance(item, str) and _CAPABILITY.match(item)}))


def governance_files_in(values: object) -> tuple[str, ...]:
    """Return the root-relative Markdown files in a list."""
    items = values if isinstance(values, list) else []
    return tuple(sorted({item for item in items if isinstance(item, str) and _GOVERNANCE_FILE.match(item)}))


def intent_of(text: str) -> str:
    """Return the intent of an objective: one of the verbs and one of the things of the tables."""
    verb, thing = "", ""
    for word in _WORD.findall(text[:_READ].lower()):
        if not verb:
            verb = _VERB_OF.get(word, "")
        elif word in _THING_OF:
            thing = _THING_OF[word]
            break
    return f"{verb} {thing}".strip()


def is_intent(text: str) -> bool:
    """Whether a text is what `intent_of` may return: a verb of the tables, or a verb and a thing."""
    verb, _, thing = text.partition(" ")
    return verb in _TABLE["verbs"] and (not thing or thing in _TABLE["things"])


def word_family(word: str) -> tuple[str, ...]:
    """Return a word, and the verb or thing of the tables that it stands for."""
    known = _VERB_OF.get(word) or _THING_OF.get(word)
    return (word,) if known is None or known == word else (word, known)


def tells_escalation(texts: Iterable[str]) -> bool:
    """Whether one of the texts reports an escalation to a larger model."""
    return any(_says(_ESCALATION, text) for text in texts if "scalat" in text.lower() or "slm" in text.lower())


def tells_intervention(notes: str) -> bool:
    """Whether a sentence of the notes reports that a policy has rejected something."""
    return any(
        _POLICY.search(sentence) is not None and _says(_REJECTED, sentence) for sentence in re.split(r"[.;\n]", notes)
    )


def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern occurs in a text, and is not denied."""
    return any(
        not _DENIED.search(text[max(0, match.start() - _LOOK_BACK) : match.start()]) for match in pattern.finditer(text)
    )


# Hosts report failures in a few fixed wordings, which a table lists with their meaning. Every other answer is a result.

#: The parts of a text that are searched, from its beginning and from its end, in characters.
_HEAD, _TAIL, _TRACED = 400, 600, 20_000
#: The lines after an exception: a prompt of the shell, or a note of the tool.
_LINES_AFTER = 4


_WORDINGS = read_table(__file__, "failures")


def _wordings(name: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the code and the pattern of each row of a table."""
    rows = _WORDINGS[name]
    return [(row["code"], regex(row["finds"], re.IGNORECASE if "ignores_case" in row else 0)) for row in rows]


#: The wordings at the beginning of an answer (the first that fits decides), in its last lines, and below a traceback.
_OPENINGS, _ENDINGS, _RAISED = _wordings("openings"), _wordings("endings"), _wordings("raised")
_TRACEBACK = regex(r"^Traceback \(most recent call last\):", re.MULTILINE)
_TIMED_OUT = regex(r"\b(?:timed out|time-?out)\b", re.IGNORECASE)
#: The field of an error in a standard message.
_STATED_CODE = regex(r'"error_code"\s*:\s*"([A-Z][A-Z0-9_]{2,47})"')


def failure_of(text: str) -> str:
    """Return the code of the failure in a tool's answer; empty without a failure."""
    head = text[:_HEAD].strip()
    named = _STATED_CODE.search(head) if head.startswith("{") else None
    if named is not None:
        return error_code(named[1])
    for code, pattern in _OPENINGS:
        if pattern.search(head):
            return "TIMEOUT" if code == "PROCESSING_ERROR" and _TIMED_OUT.search(head) else code
    # An exception in a text ended the program only if a traceback stands before it.
    has_traceback = _TRACEBACK.search(text[-_TRACED:]) is not None
    return _code_in(_last_lines(text), [*_ENDINGS, *(_RAISED if has_traceback else ())])


def raised_in(text: str) -> str:
    """Return the code of the exception that a host reports to a model: in the first line, or below its traceback.

    In the first line the host's own words come before the name.
    """
    words = text[:_HEAD].strip().partition("\n")[0].split(": ")
    openings = [": ".join(words[start:]) for start in range(len(words))]
    return _code_in([*openings, *_last_lines(text)], _RAISED)


def _code_in(lines: Iterable[str], wordings: Sequence[tuple[str, re.Pattern[str]]]) -> str:
    return next((code for line in lines for code, pattern in wordings if pattern.search(line)), "")


def _last_lines(text: str) -> list[str]:
    """Return the last lines of a text that are not blank, the last one first."""
    lines = [line.strip() for line in text[-_TAIL:].splitlines() if line.strip()]
    return lines[: -_LINES_AFTER - 1 : -1]
