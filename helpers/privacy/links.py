"""The link between a keyword and its value: a mark, a verb, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import Page
from .values import WORDS

_WINDOW = 110
_WORDINGS = read_patterns("links", __file__)
_ABROAD = read_patterns("keywords", __file__)["password_abroad"]
_SENTENCE_END = regex(r"[\n;!?]|\.(?:\s|$)")


@dataclass(frozen=True, slots=True)
class ValueLead:
    """A place where a value can begin, and its link: "mark", "is", "to", "bare", "loose" or "named"."""

    verb: str
    end: int
    is_code: bool = False
    is_ambiguous: bool = False


def links_after(
    page: Page, position: int, *, before: str = "", word: re.Match[str] | None = None
) -> Iterator[ValueLead]:
    """Yield the places after a keyword at which its value can begin, the likeliest first."""
    mark = page.match(_WORDINGS["mark"], position, 60)
    head = "" if word is None else word[0]
    is_abroad = word is not None and _ABROAD.match(word["word"]) is not None
    if mark is not None:
        is_tag = mark["mark"] == ">"
        if is_tag and page.text[mark.end() : mark.end() + 1] in ("@", ":", "/"):
            return  # the gaps of a URL: <user>:<password>@host
        if mark["mark"] == "," and page.text[max(0, position - len(head) - 2) : position - len(head) - 1] != "(":
            return  # a list of words, no call
        if not is_tag or page.text[max(0, position - len(head) - 1) : position - len(head)] in ("<", ":"):
            is_code = mark["mark"] in ("=", ":=", "=>", "==", "(", ",") or is_tag or "_" in head
            yield ValueLead("mark", mark.end(), is_code, head.lower() in WORDS["ambiguous"] or is_abroad)
        if mark["mark"] not in ("|", "-", "–", "—"):
            return
    elif head.startswith("--"):
        yield ValueLead("bare", position, True)
        return
    window = page.after(position, _WINDOW)
    end = _SENTENCE_END.search(window)
    sentence = window[: end.start()] if end is not None else window
    indent = len(sentence) - len(sentence.lstrip(" \"'`*"))
    verb = _WORDINGS["verb"].match(sentence) or _WORDINGS["verb"].match(sentence, indent)
    if verb is not None:
        yield ValueLead("is", position + verb.end(), is_ambiguous=is_abroad)
    if _WORDINGS["changed"].search(before):
        to = _WORDINGS["to"].match(sentence)
        if to is not None:
            yield ValueLead("to", position + to.end())
    bare = page.match(_WORDINGS["space"], position, 16)
    if bare is not None and bare.end() > position:
        yield ValueLead("bare", bare.end())
    loose = page.match(_WORDINGS["loose"], position, 24)
    if loose is not None:
        yield ValueLead("loose", loose.end())
    named = _WORDINGS["named"].match(sentence)
    if named is not None:
        yield ValueLead("named", position + named.end())
    if _WORDINGS["qualifier"].match(sentence):
        for match in _WORDINGS["verb"].finditer(sentence):
            yield ValueLead("is", position + match.end(), is_ambiguous=head.lower() in WORDS["ambiguous"] or is_abroad)
        for match in _WORDINGS["from"].finditer(sentence):
            yield ValueLead("loose", position + match.end())
        for match in _WORDINGS["colon"].finditer(sentence):
            yield ValueLead("mark", position + match.end())
        if _WORDINGS["changed"].search(before) or _WORDINGS["changed_to"].search(sentence):
            for match in re.finditer(r" (?:to|auf) ", sentence):
                yield ValueLead("to", position + match.end())


def renewed_after(page: Page, position: int) -> Iterator[int]:
    """Yield the places where a later clause of the line gives a new value for an earlier keyword."""
    for match in _WORDINGS["renewed"].finditer(page.after(position, _WINDOW).split("\n", 1)[0]):
        yield position + match.end()
