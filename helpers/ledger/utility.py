"""Whether a memory is load-bearing: keywords and the form of a project declaration (C-21, C-22, T-10, T-49). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..language.modality import is_question
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.wordings import read_patterns
from ..settings import Settings

_SAID = read_patterns("utterances")

# A keyword in these surroundings demands nothing.
_BEFORE = (
    r"(?<!\bnot )(?<!\bno )(?<!n't )(?<!\bno longer )(?<!\bnothing )(?<!\bas )(?<!\bnearly )(?<!\balmost )(?<!\bnon-)"
)
_AFTER = r"(?!\s+(?:mind|know|remember|recall|think|care)\b)(?!-)"
_DEMANDS = {"must", "never", "do not"}


def find_load_signal(text: str, settings: Settings, *, is_user: bool) -> str | None:
    """Return why `text` is load_bearing, or None.

    A keyword counts as a whole word or phrase in a sentence that asks nothing; the form of a declaration
    ("our API is built with ...") counts only in what the user asserted.
    """
    keywords = _keyword_pattern(settings.load_bearing_keywords)
    declarations = _declaration_patterns(settings.structural_patterns) if is_user else ()
    plain = text[:LONGEST_TEXT].replace("\u2019", "'")
    folded = plain.casefold()
    may_hold = any([word in folded for word in _first_words(settings.load_bearing_keywords)]) and keywords.search(plain)
    if not may_hold and not any(pattern.search(plain) for pattern in declarations):
        return None
    for sentence in split_sentences(plain):
        if is_question(sentence) or _asks(sentence):
            continue
        found = keywords.search(sentence)
        if found:
            return f'keyword "{found.group().lower()}"'
        for pattern in declarations:
            form = pattern.search(sentence)
            if form:
                return f'declaration "{form.group()}"'
    return None


def _asks(sentence: str) -> bool:
    """Whether a sentence tells that somebody asks something; two searches, where one pattern would start anew."""
    asking = _SAID["asking_for"].search(sentence)
    return asking is not None and _SAID["asked"].search(sentence, asking.end()) is not None


@lru_cache(maxsize=16)
def _first_words(keywords: tuple[str, ...]) -> tuple[str, ...]:
    """Return one word of each keyword: a text without any of them needs no closer look."""
    return tuple(dict.fromkeys(keyword.split()[0].casefold().replace("\u2019", "'") for keyword in keywords))


@lru_cache(maxsize=16)
def _keyword_pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    if not keywords:
        return re.compile(r"(?!)")
    return re.compile("|".join(_one_keyword(keyword) for keyword in keywords), re.IGNORECASE)


def _one_keyword(keyword: str) -> str:
    phrase = r"\s+".join(re.escape(word) for word in keyword.replace("\u2019", "'").split())
    lowered = keyword.lower()
    if lowered == "do not":
        phrase = rf"(?:{phrase}|don't)"
    plural = "s?" if lowered.endswith(("requirement", "constraint")) else ""
    before = "" if lowered in _DEMANDS else _BEFORE
    return rf"(?<!\w){before}{phrase}{plural}(?!\w){_AFTER}"


@lru_cache(maxsize=16)
def _declaration_patterns(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
