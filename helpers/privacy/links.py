"""What joins a value to its keyword: a mark, a verb, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import Page
from .values import WORDS

_WINDOW = 110
_SAID = read_patterns("links", __file__)
_ABROAD = read_patterns("keywords", __file__)["password_abroad"]
_SENTENCE_END = regex(r"[\n;!?]|\.(?:\s|$)")


@dataclass(frozen=True, slots=True)
class ValueLead:
    """Where a value can begin, and what leads to it: "mark", "is", "to", "bare", "loose" or "named"."""

    verb: str
    end: int
    is_code: bool = False
    is_ambiguous: bool = False


def links_after(page: Page, at: int, *, before: str = "", word: re.Match[str] | None = None) -> Iterator[ValueLead]:
    """Yield the places after a keyword at which its value can begin, the likeliest first."""
    mark = page.match(_SAID["mark"], at, 60)
    head = "" if word is None else word[0]
    is_abroad = word is not None and _ABROAD.match(word["word"]) is not None
    if mark is not None:
        is_tag = mark["mark"] == ">"
        if is_tag and page.text[mark.end() : mark.end() + 1] in ("@", ":", "/"):
            return  # the gaps of a URL: <user>:<password>@host
        if mark["mark"] == "," and page.text[max(0, at - len(head) - 2) : at - len(head) - 1] != "(":
            return  # a list of words, no call
        if not is_tag or page.text[max(0, at - len(head) - 1) : at - len(head)] in ("<", ":"):
            is_code = mark["mark"] in ("=", ":=", "=>", "==", "(", ",") or is_tag or "_" in head
            yield ValueLead("mark", mark.end(), is_code, head.lower() in WORDS["ambiguous"] or is_abroad)
        if mark["mark"] not in ("|", "-", "–", "—"):
            return
    elif head.startswith("--"):
        yield ValueLead("bare", at, True)
        return
    window = page.after(at, _WINDOW)
    end = _SENTENCE_END.search(window)
    sentence = window[: end.start()] if end is not None else window
    indent = len(sentence) - len(sentence.lstrip(" \"'`*"))
    verb = _SAID["verb"].match(sentence) or _SAID["verb"].match(sentence, indent)
    if verb is not None:
        yield ValueLead("is", at + verb.end(), is_ambiguous=is_abroad)
    if _SAID["changed"].search(before):
        to = _SAID["to"].match(sentence)
        if to is not None:
            yield ValueLead("to", at + to.end())
    bare = page.match(_SAID["space"], at, 16)
    if bare is not None and bare.end() > at:
        yield ValueLead("bare", bare.end())
    loose = page.match(_SAID["loose"], at, 24)
    if loose is not None:
        yield ValueLead("loose", loose.end())
    named = _SAID["named"].match(sentence)
    if named is not None:
        yield ValueLead("named", at + named.end())
    if _SAID["qualifier"].match(sentence):
        for one in _SAID["verb"].finditer(sentence):
            yield ValueLead("is", at + one.end(), is_ambiguous=head.lower() in WORDS["ambiguous"] or is_abroad)
        for one in _SAID["from"].finditer(sentence):
            yield ValueLead("loose", at + one.end())
        for one in _SAID["colon"].finditer(sentence):
            yield ValueLead("mark", at + one.end())
        if _SAID["changed"].search(before) or _SAID["changed_to"].search(sentence):
            for one in re.finditer(r" (?:to|auf) ", sentence):
                yield ValueLead("to", at + one.end())


def renewed_after(page: Page, at: int) -> Iterator[int]:
    """Yield where a value begins that a later clause of the line gives for a keyword before."""
    for one in _SAID["renewed"].finditer(page.after(at, _WINDOW).split("\n", 1)[0]):
        yield at + one.end()
