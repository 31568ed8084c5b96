"""What joins a value to its keyword: a mark, a verb, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..patterns import regex
from .page import Page

_WINDOW = 110
_CLOSERS = r"[\"'`*_\])}]{0,5}[^\S\n]{0,8}"
_NOTE = r"(?:\([^()\n]{1,30}\)[^\S\n]{0,3})?"
_MARK = regex(
    _CLOSERS + _NOTE + r"(?P<closers>[*_`]{0,3})(?P<mark>(?<=[\"'])\s{1,3}value\s?="
    r"|(?<=[\"'])\s{1,3}\{[^{}]{0,40}?\b(?:default|value)\s?="
    r"|:=|=>|==|=|::|:|->|-->|→|⇒|—>|>(?!=)"
    r"|\||\(|,(?=\s{0,2}[\"'])|[—–-](?=\s))(?P<more>\s{0,1}\n[^\S\n]{0,12}(?:[-*>]\s)?)?"
)
_VERBS = (
    r"it's|it is|is|was|are|were|be|becomes|equals|being|reads|ist|war|lautet|lauten|sind|bleibt|heißt"
    r"|est|sont|es|era|son|é|è|são|remains|stays"
)
_ADVERBS = (
    r"(?:(?:now|still|just|simply|currently|again|actually|always|literally|probably|basically|only"
    r"|going to be|set to|set as|changed to|reset to|updated to|called|"
    r"jetzt|noch|nun|immer|nur|toujours|maintenant|ahora|todavía|sempre)[ ,]{1,2}){0,3}"
)
_VERB = regex(
    r"(?:['’]s\s|(?<![\w-])(?:"
    + _VERBS
    + r")(?![\w'’-]))[^\S\n]{0,3}:?[^\S\n]{0,3}"
    + _ADVERBS
    + r"(?:[:=][^\S\n]{0,3})?"
)
_COLON = regex(r"(?<=[\w)\"'`])[^\S\n]{0,2}[:=→][^\S\n]{1,3}|[^\S\n](?:->|→|=>)[^\S\n]{1,3}")
_QUALIFIER = regex(
    r"(?i)[\"'`)]{0,2}[,\s]{1,3}(?:\(|(?:for|of|to|on|at|in|we|i|you|they|he|she|from|that|which|with"
    r"|is|was|has|got|gets|had|just|should|will|would|4|starts|begins|ends|turned|turns|happens|seems|appears|might|could|changed|updated|rotated|reset|set|now|here|there|"
    r"für|zu|zum|zur|vom|von|am|im|der|des|den|die|das|pour|de|du|del|des|para|al|à|au|per|di|van|voor"
    r"|do|da|our|my|mein|meines|meiner|unser|unseres|unserer|mon|ma|mi|again|wifi|prod|staging|already|below|today|yesterday|please|btw|fürs|beim|ins)\b)"
)
_SENTENCE_END = regex(r"[\n;!?]|\.(?:\s|$)")
_TO = regex(r"[\"'`*]{0,2}[^\S\n]{1,3}(?:again )?(?:to|as|auf|en|à|a|into)[^\S\n]{1,3}:?")
_CHANGED = regex(
    r"(?i)\b(?:set|sets|change|changed|changes|changing|reset|resetting|setting|update|updated"
    r"|updating|rotating|rotated|made|make|switched|switch|geändert|ändere|gesetzt|cambié|changé"
    r"|mis)\b[^.;!?]{0,60}$"
)
_CHANGED_TO = regex(r"(?i) (?:changed|set|reset|updated|rotated|switched|geändert|gesetzt|zurückgesetzt) (?:to|auf) ")
# "PW <name of a thing>: ...".
_NAMED = regex(r"[^\S\n]{1,2}(?:[\w.-]{2,20}[^\S\n]{1,2}){0,2}[\w.-]{2,20}[^\S\n]{0,2}[:=][^\S\n]{1,3}")
_FROM = regex(r" (?:from|von) ")
_LOOSE = regex(r"(?i)[\"'`*]{0,2}[?,](?:[^\S\n]{1,2}(?:it's|it’s|it is|its|that's|namely|i think))?[^\S\n]{1,3}")
_SPACE = regex(r"[\"'`*]{0,2}(?:[^\S\n]{1,3}|\n?)(?:now |set |still |is |no\.? |number |nr\.? |nummer |# ?|code )?")
# "The pin x is wrong, the new one is y": `one` stands for the keyword.
_RENEWED = regex(r"(?i)\b(?:new|newer|current|right|correct|real|actual) one(?:['’]s| is now| is|:)\s{1,3}")
# Words that mean much else; a value beside them has to look like a password.
_AMBIGUOUS = frozenset({"pass", "clave", "parola"})


@dataclass(frozen=True, slots=True)
class ValueLead:
    """Where a value can begin, and what leads to it: "mark", "is", "to", "bare", "loose" or "named"."""

    verb: str
    end: int
    is_code: bool = False
    is_ambiguous: bool = False


def links_after(page: Page, at: int, *, before: str = "", word: re.Match[str] | None = None) -> Iterator[ValueLead]:
    """Yield the places after a keyword at which its value can begin, the likeliest first."""
    mark = page.match(_MARK, at, 60)
    head = "" if word is None else word[0]
    if mark is not None:
        is_tag = mark["mark"] == ">"
        if is_tag and page.text[mark.end() : mark.end() + 1] in ("@", ":", "/"):
            return  # the gaps of a URL: <user>:<password>@host
        if mark["mark"] == "," and page.text[max(0, at - len(head) - 2) : at - len(head) - 1] != "(":
            return  # a list of words, no call
        if not is_tag or page.text[max(0, at - len(head) - 1) : at - len(head)] in ("<", ":"):
            is_code = mark["mark"] in ("=", ":=", "=>", "==", "(", ",") or is_tag or "_" in head
            yield ValueLead("mark", mark.end(), is_code, head.lower() in _AMBIGUOUS)
        if mark["mark"] not in ("|", "-", "–", "—"):
            return
    elif head.startswith("--"):
        yield ValueLead("bare", at, True)
        return
    window = page.after(at, _WINDOW)
    end = _SENTENCE_END.search(window)
    sentence = window[: end.start()] if end is not None else window
    verb = _VERB.match(sentence) or _VERB.match(sentence, len(sentence) - len(sentence.lstrip(" \"'`*")))
    if verb is not None:
        yield ValueLead("is", at + verb.end())
    if _CHANGED.search(before):
        to = _TO.match(sentence)
        if to is not None:
            yield ValueLead("to", at + to.end())
    bare = page.match(_SPACE, at, 16)
    if bare is not None and bare.end() > at:
        yield ValueLead("bare", bare.end())
    loose = page.match(_LOOSE, at, 24)
    if loose is not None:
        yield ValueLead("loose", loose.end())
    named = _NAMED.match(sentence)
    if named is not None:
        yield ValueLead("named", at + named.end())
    if _QUALIFIER.match(sentence):
        for one in _VERB.finditer(sentence):
            yield ValueLead("is", at + one.end(), is_ambiguous=head.lower() in _AMBIGUOUS)
        for one in _FROM.finditer(sentence):
            yield ValueLead("loose", at + one.end())
        for one in _COLON.finditer(sentence):
            yield ValueLead("mark", at + one.end())
        if _CHANGED.search(before) or _CHANGED_TO.search(sentence):
            for one in re.finditer(r" (?:to|auf) ", sentence):
                yield ValueLead("to", at + one.end())


def renewed_after(page: Page, at: int) -> Iterator[int]:
    """Yield where a value begins that a later clause of the line gives for a keyword before."""
    for one in _RENEWED.finditer(page.after(at, _WINDOW).split("\n", 1)[0]):
        yield at + one.end()
