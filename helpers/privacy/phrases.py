"""Secrets beside a keyword, in the forms in which people and programs write them.

Every rule begins at a keyword and looks for the link to a value: a mark ("password: x", `KEY=x`), a verb ("the password
of the router is x", "changed my pin to x"), nothing ("password x"); or it looks back ("x is my password").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from ..language.vocabulary import read_patterns
from ..texts import regex
from .links import ValueLead, links_after, renewed_after
from .page import Kind, Page, RawFinding
from .values import (
    WORDS,
    KeywordValue,
    is_generated,
    is_mixed,
    is_opaque,
    is_password_after_is,
    is_password_after_mark,
    is_placeholder,
    is_reference,
    is_strong,
    parse_value,
    passphrase_tail,
)

_CALLED = read_patterns("keywords", __file__)
_WORDINGS = read_patterns("prose", __file__)
# A text without any of these is not searched for the name.
_OF_NETWORKS = ("wi", "wl", "wpa", "wep", "ssid", "network", "router", "hotspot", "netzwerk")
# The number of places after a keyword that are tried; a value stands at one of the first.
_MOST_LINKS = 5
# The number of characters before and after a keyword that rules read.
_BEHIND, _AHEAD = 200, 800
_Rule = Callable[[Page, re.Match[str]], Iterator[RawFinding]]
_OF_SESSIONS = ("sess", "sid", "remember", "auth", "__", "token", "xs", "li_at", "datr", "logged_in")


def find_phrases(page: Page) -> Iterator[RawFinding]:
    """Yield passwords, keys, tokens and sessions beside their keyword."""
    yield from _at_each(page, page.find_around(_CALLED["password_core"], _CALLED["password"]), _password_at)
    for word in page.find(_CALLED["network_key"], *_OF_NETWORKS):
        yield from _beside(page, word.end(), Kind.PASSWORD, _takes_password)
    yield from _at_each(page, page.find_around(_CALLED["secret_core"], _CALLED["secret"]), _secret_at)
    for word in page.find(_CALLED["session"], *_OF_SESSIONS):
        yield from _beside(page, word.end(), Kind.SESSION, _takes_session)


def _at_each(page: Page, words: Iterator[re.Match[str]], rule: _Rule) -> Iterator[RawFinding]:
    """Yield the findings of a rule at each keyword; a surrounding text without any is not tried twice."""
    empty: set[tuple[str, int, str]] = set()
    for word in words:
        start = max(0, word.start() - _BEHIND)
        around = (word[0], word.start() - start, page.text[start : word.end() + _AHEAD])
        findings = () if around in empty else tuple(rule(page, word))
        if not findings:
            empty.add(around)
        yield from findings


def _password_at(page: Page, word: re.Match[str]) -> Iterator[RawFinding]:
    end = word.end()
    is_variable = page.text[max(0, word.start() - 2) : word.start()] == "${"
    is_about = _CALLED["password_tail"].match(word["tail"]) and not page.match(_CALLED["password_topics"], end, 24)
    if is_variable or not is_about:
        return
    for position in renewed_after(page, end):
        renewed = parse_value(page, position)
        if renewed is not None and is_mixed(renewed.text):
            yield RawFinding(Kind.PASSWORD, renewed.start, renewed.end)
    before = page.before(word.start(), 80)
    denied = _CALLED["password_denied"].search(before)
    if not denied or re.search(r"(?i)reset", denied[0]):
        findings = list(_beside(page, end, Kind.PASSWORD, _takes_password, before=before, word=word))
        yield from findings
        if findings:
            return
    if not denied:
        yield from _value_before(page, word.start("word"), end)


def _takes_password(page: Page, link: ValueLead, value: KeywordValue) -> bool:
    rest = page.after(value.end + value.is_quoted, 90).split("\n", 1)[0]
    if link.verb == "to" or (link.verb == "mark" and link.is_ambiguous):
        return is_mixed(value.text) or (value.is_quoted and is_password_after_is(value, rest))
    if link.verb == "mark":
        return is_password_after_mark(value, rest, is_code=link.is_code)
    if link.verb == "is":
        return is_mixed(value.text) if link.is_ambiguous else is_password_after_is(value, rest)
    if link.verb == "named":
        return is_strong(value.text) and not value.text.isalnum() and any(map(str.isdigit, value.text))
    if link.verb == "loose":
        is_announced = page.before(link.end, 12).rstrip().lower().endswith(("it's", "it’s", "it is", "that's"))
        return is_mixed(value.text) and (is_announced or not value.text.isalnum())
    if link.is_code:  # an option of a command, a call, a line of a file of logins
        return not is_placeholder(value.text) and not is_reference(value.text) and len(value.text) > 3
    return is_mixed(value.text)


def _beside(
    page: Page,
    position: int,
    kind: Kind,
    takes: Callable[[Page, ValueLead, KeywordValue], bool],
    *,
    before: str = "",
    word: re.Match[str] | None = None,
) -> Iterator[RawFinding]:
    """Yield the first value after a keyword that `takes` accepts."""
    for link in islice(links_after(page, position, before=before, word=word), _MOST_LINKS):
        value = parse_value(page, link.end)
        if value is None:
            continue
        if kind is Kind.PASSWORD and link.verb == "mark":
            value = _behind_label(value)
        whole = _whole_line(page, value) if kind is Kind.PASSWORD and link.verb == "mark" and not link.is_code else None
        if whole is not None:
            yield RawFinding(kind, whole.start, whole.end)
            return
        if takes(page, link, value):
            tail = passphrase_tail(value.text, page.after(value.end, 90)) if kind is Kind.PASSWORD else 0
            yield RawFinding(kind, value.start, value.end + tail)
            return


_LABEL = regex(r"[A-Za-z]{2,20}[=:](?=[^\s=:/]{5})")


def _behind_label(value: KeywordValue) -> KeywordValue:
    """Return the value after "mail=" in "passwords: mail=..., bank=...", or the value as it is."""
    label = _LABEL.match(value.text)
    if label is None or value.is_quoted or is_placeholder(value.text) or not is_mixed(value.text[label.end() :]):
        return value
    return KeywordValue(value.text[label.end() :], value.start + label.end(), value.end, False)


_SEVERAL_WORDS = regex(r"[A-Z][^\s,;:=]{0,30}(?: [A-Z0-9][^\s,;:=]{0,30}){1,4}(?=[^\S\n]{0,3}(?:\n|$))")


def _whole_line(page: Page, value: KeywordValue) -> KeywordValue | None:
    """Return the rest of the line where "Password: My Dog Rex 2019!" is a password of several words."""
    line = None if value.is_quoted else page.match(_SEVERAL_WORDS, value.start, 120)
    if line is None:
        return None
    words = line[0].split()
    if is_mixed(words[0]) or words[0] in ("See", "Ask", "Use", "Check") or not any(map(is_mixed, words)):
        return None
    return KeywordValue(line[0], line.start(), line.end(), False)


def _value_before(page: Page, position: int, end: int) -> Iterator[RawFinding]:
    """Yield the value before "is the root password", "as password", "<- password"."""
    line = page.before(position, 100)
    words = [(word_match[0], word_match.start(), word_match.end()) for word_match in re.finditer(r"\S{1,64}", line)]
    while words and words[-1][0].lower().strip("'\"`*") in WORDS["fillers"]:
        words.pop()
    if len(words) > 2 and [word[0].lower() for word in words[-2:]] == ["that", "is"]:
        words.pop()
    if len(words) > 1 and words[-1][0].startswith("(") and page.text[end : end + 1] == ")":
        cut = words[-2][0].strip("\"'`*[],;:.")
        if words[-1][0].lower().strip("(") in WORDS["fillers"] | {""} and is_strong(cut):
            start = position - len(line) + words[-2][1] + words[-2][0].find(cut)
            yield RawFinding(Kind.PASSWORD, start, start + len(cut))
        return
    if len(words) < 2 or words[-1][0].lower() not in WORDS["back"]:
        return
    quoted = re.search(r"[\"'`“]([^\"'`“”\n]{3,60})[\"'`”]\s{0,2}$", line[: words[-1][1]])
    offset = position - len(line)
    if quoted is not None:
        if not is_placeholder(quoted[1]):
            yield RawFinding(Kind.PASSWORD, offset + quoted.start(1), offset + quoted.end(1))
        return
    text, start, _ = words[-2]
    cut = text.strip("\"'`*()[],;:.")
    if is_mixed(cut):
        start = start + text.find(cut)
        yield RawFinding(Kind.PASSWORD, offset + start, offset + start + len(cut))


def _secret_at(page: Page, word: re.Match[str]) -> Iterator[RawFinding]:
    if not _CALLED["secret_tail"].match(word["tail"]) or page.match(_CALLED["secret_topics"], word.end(), 24):
        return
    before = page.before(word.start("word"), 40)
    folded = word["word"].lower()
    is_weak = folded in WORDS["weak"] and not _WORDINGS["strong_head"].search(before + word["head"])
    if _CALLED["no_secret_head"].search(before) or re.match(r"(?i)csrf|xsrf", folded):
        return

    def takes(page: Page, link: ValueLead, value: KeywordValue) -> bool:
        if link.verb == "named":
            return False
        if link.verb == "mark" and not is_weak:
            return is_opaque(value.text, 12) or is_generated(value.text) or _is_short_secret(value, word[0])
        if link.verb == "mark" and folded.startswith("token"):
            return is_opaque(value.text, 16)
        if link.is_code and not is_weak:  # an option of a command
            return is_opaque(value.text, 16) or _is_short_secret(value, word[0])
        return is_opaque(value.text, 16 if link.verb != "bare" or not is_weak else 20)

    yield from _beside(page, word.end(), Kind.SECRET, takes, before=before, word=word)
    yield from _opaque_before(page, word.start("word"))


def _opaque_before(page: Page, position: int) -> Iterator[RawFinding]:
    """Yield the value before "is the private key of the wallet"."""
    link = page.behind(_WORDINGS["before_key"], position)
    words = page.before(link.start()).split() if link is not None else []
    value = words[-1].strip("\"'`*,.;:()") if words else ""
    if link is not None and is_opaque(value, 20):
        start = page.text.rindex(value, 0, link.start())
        yield RawFinding(Kind.SECRET, start, start + len(value))


_LONG_NUMBER = regex(r"(?<!\d)\d{2,3}(?!\d)|(?<!\d)(?!(?:19|20)\d\d)\d{4,6}(?!\d)")


def _is_short_secret(value: KeywordValue, word: str) -> bool:
    """Whether a value of eight characters and more beside "secret =" is one: a password rather than a key."""
    if " " not in word.strip("s") and "_" not in word and "-" not in word:
        is_chosen = False
    else:
        is_plain = value.text.replace("-", "").replace("_", "").isalnum()
        is_named = _WORDINGS["named_thing"].search(value.text) is not None
        is_chosen = is_plain and not is_named and _LONG_NUMBER.search(value.text) is not None
    if is_chosen and len(value.text) >= 12 and is_mixed(value.text):
        return True
    return len(value.text) >= 8 and is_mixed(value.text) and not re.search(r"[-_./:]", value.text)


def _takes_session(page: Page, link: ValueLead, value: KeywordValue) -> bool:
    if link.verb == "mark" and page.text[link.end - 1 : link.end] == "=":
        return is_opaque(value.text, 16)
    is_uuid = value.text.count("-") == 4 and len(value.text) == 36
    if link.verb == "bare":
        return not is_uuid and is_opaque(value.text, 24)
    return link.verb in ("mark", "is") and not is_uuid and is_opaque(value.text, 20)
