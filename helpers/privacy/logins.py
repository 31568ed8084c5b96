"""A name and a password side by side: "log in with a / b", "creds: a:b", "sign in as a with b" (V-39)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.words import STOPWORDS
from ..patterns import regex
from .findings import Kind, RawFinding
from .page import Page
from .values import is_mixed, is_placeholder, is_prose, is_reference, is_strong

_WORD = regex(
    r"(?i)(?<![\w-])(?:(?:user(?:name)?|login|account|id|u)\s?(?:/|&|and|\+)\s?p(?:ass(?:word|wd)?|wd?)?"
    r"|admin|log(?:ged|ging|s)? ?in|logon"
    r"|log on|login|sign(?:ed|ing|s)? ?in|sign-in|logins?|credentials?|creds|account|user(?:name)?|auth"
    r"|access|"
    r"zugangsdaten|anmelden|anmeldung|benutzer|identifiants?|connexion|credenciales|usuario"
    r"|utilisateur|einloggen|ssh|ftp|rdp|vpn|vnc|sftp|sqlplus|oracle|admin panel)(?:(?![\w-])|(?=to\b))"
)
_LEAD = (
    r"(?:[\"'`*]{0,3}\s{0,2}(?:for|to|into|on|at|in|of|the|my|our|your|that|this|für|zu|pour"
    r"|para) [^\n:;/|]{1,40}?(?!\w))?[\"'`*]{0,3}\s{0,2}(?:(?:with|w/|as|via|using|under|mit|als|avec|con|is"
    r"|are|sind|lauten|son|sont|[:=→]|->|-)\s{0,3}){0,2}"
    r"(?:the )?(?:user(?:name)?|account|login|credentials|creds|name|id|benutzer)?[:\s]{0,3}[\"'`*(]{0,3}"
)
_USER, _VALUE = r"(?P<user>[\w.+@-]{2,60})[\"'`*]{0,3}", r"[\"'`*]{0,3}(?P<value>[^\s\"'`*]{3,80})"
_JOINED = regex(_LEAD + _USER + r"(?P<mark>\s{0,2}[/:|]\s{0,2}|\s\+\s)(?!\S{2,60}\s[/|]\s\S)" + _VALUE)
_LOOSE = regex(
    _LEAD + _USER + r"(?P<mark>,?\s(?:and|with|und|mit|et|y|avec|con"
    r"|using)\s(?:the |das )?(?:pass(?:word|code)?|pw|pwd|code|key)?[:\s]{0,2}|,\s|\s)" + _VALUE
)
# Two halves without a word before them: an address, a colon, a password.
_ADDRESS = regex(
    r"(?<![\w.+-])[\w.+-]{1,64}+@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?P<mark>:|\s/\s)(?P<value>[^\s\"'`/]{5,64})"
)
# The accounts that every machine has need no word before them.
_KNOWN_USER = regex(
    r"(?i)(?<![\w./:@%-])(?:admin|administrator|root|sysadmin|superuser|operator|postgres|guest|ubuntu|sa)"
    r"(?::|\s/\s)(?P<value>[^\s\"'`/:$<{][^\s\"'`/:]{4,63})(?![/:])"
)
# What something is unlocked with is quoted, or looks like nothing but a password.
_OPENED = regex(
    r"(?i)\b(?:unlock(?:s|ed)?|decrypt(?:s|ed)?|unzip|extract|open(?:s|ed)?|encrypted|protected|log(?:ged)? ?in(?:to)?"
    r"|sign(?:ed)? ?in(?:to)?|get in(?:to)?|get on)\b"
    r"[^\n.;:\"'`]{0,50}?\s(?:with|using|by entering|by typing|enter|type)\s"
)
_OPENER = regex(r"(?P<quote>[\"'“‘])(?P<quoted>[^\n\"'“”‘’]{5,60})[\"'”’]|(?P<value>[^\s\"'`<>]{5,64})")
_SHORT_NAMES = regex(
    r"(?i)(?<![\w-])u(?:sr|ser)?\s?[:=]\s?[\w.+@-]{2,60}[,;]?\s{1,2}p(?:w|wd|ass)?\s?[:=]\s?(?P<value>[^\s\"'`]{5,64})"
)
# "the old forum: name / password", where the line ends.
_LABELLED = regex(
    r"[\w)]\s?[:=–-]\s(?P<user>[a-z0-9][a-z0-9_.@+-]{1,60})\s?(?://|\s/|\s\|)"
    r"\s(?P<value>[^\s\"'`/|]{8,64})[ \t]{0,3}(?=$|[\n.,;])"
)
_HOST_BEHIND = regex(r"@(?://|(?=[\w-]{1,60}\.[\w.-]{1,100}$))")
_NETWORK = regex(
    r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)(?:\s?[:=–-]\s?[\w.-]{2,40}(?P<mark>\s?[/|]\s)|\s[\w.-]{2,40}\s[/|]\s(?=[a-z]))"
    r"(?P<value>[^\s\"'`/|]{8,64})"
)
_NETWORK_WORD = regex(r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)\b")
# What the picture holds that a phone reads to join a network.
_NETWORK_CODE = regex(r"(?i)(?<![a-z])WIFI:(?:[A-OQ-Z]:[^;\n]{0,64};){0,5}P:(?P<value>[^;\n]{4,64});")
# A line of .pgpass: host, port, database, user, password.
_PASSWORD_FILE = regex(
    r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:(?P<value>[^\s:]{4,80})[ \t]{0,3}$"
)
# Digits in the places of letters.
_LEET = regex(r"[A-Za-z]\d[A-Za-z]{1,20}\d[A-Za-z]")
_HARD = regex(r"[!@#$%^&*?]")
_ENTERS = regex(r"(?i)log|sign|cred|zugang|anmeld|einlog|identifiant|connexion")
_DIRECT = regex(r"[\"'`*]{0,3}\s{0,2}(?:for [^\n:;/|]{1,40}|to [^\n:;/|]{1,40})?[:=]|[\"'`*]{0,3}\s(?:are|is|with)\b")
_END = regex(r"[\"'`*)]{0,3}\s{0,2}(?:$|[\n.,;])")


_BEFORE = regex(
    r"(?P<user>[\w.+@-]{2,40})\s?(?:[/:]|//)\s?(?P<value>[^\s/]{5,60})\s(?:are|is|as|to|for|sind|ist|est"
    r"|es)\s(?:[\w'-]{1,14}\s){0,4}$"
)


def find_logins(page: Page) -> Iterator[RawFinding]:
    """Yield the second half of a login, where the first stands before it."""
    for word in page.find(_WORD):
        if _ENTERS.match(word[0]):
            yield from _pair_before(page, word.start())
        joined = page.match(_JOINED, word.end())
        if joined is not None and _is_pair(page, joined, may_be_plain=_ENTERS.match(word[0]) is not None):
            yield _second_half(joined)
            continue
        loose = page.match(_LOOSE, word.end()) if _ENTERS.match(word[0]) else None
        if (
            loose is not None
            and _is_usable(loose)
            and not is_prose(loose["user"])
            and is_mixed(_cut(loose))
            and _is_password_like(_cut(loose))
        ):
            yield _second_half(loose)
    for pair in page.find(_NETWORK, "wi", "wlan", "ssid", "hotspot"):
        if is_mixed(_cut(pair)) and not _cut(pair).endswith("GHz"):
            yield _second_half(pair)
    for pattern in (_NETWORK_CODE, _PASSWORD_FILE):
        for line in page.find(pattern, ":"):
            if not is_placeholder(line["value"]) and (pattern is _NETWORK_CODE or is_mixed(line["value"])):
                yield RawFinding(Kind.PASSWORD, *line.span("value"))
    for pair in page.find(_SHORT_NAMES):
        if is_mixed(_cut(pair)):
            yield _second_half(pair)
    for pair in page.find(_ADDRESS, "@"):
        if is_strong(_cut(pair)) or (pair["mark"] == ":" and is_mixed(_cut(pair))):
            yield _second_half(pair)
    for opened in page.find(_OPENED, "with", "using", "enter", "typ"):
        is_network = _NETWORK_WORD.search(page.before(opened.start(), 80)) is not None
        yield from _opener_at(page, opened.end(), is_network=is_network)
    for pair in page.find(_LABELLED, "/", "|"):
        if is_strong(_cut(pair)) and ("//" in pair[0] or _HARD.search(_cut(pair))) and not is_prose(pair["user"]):
            yield _second_half(pair)
    for pair in page.find(_KNOWN_USER):
        if is_strong(_cut(pair)):
            yield _second_half(pair)


def _opener_at(page: Page, at: int, *, is_network: bool) -> Iterator[RawFinding]:
    """Yield what "unlock it with ..." names: mixed, or several words that make no sentence."""
    opener = page.match(_OPENER, at, 70)
    if opener is None:
        return
    if opener["quoted"] is None:
        value = opener["value"].rstrip(".,;:)]}")
        is_password = is_strong(value) and (not value.isalnum() or _LEET.search(value) is not None)
        if value[:1].isalnum() and (is_password or (is_network and is_mixed(value))):
            yield RawFinding(Kind.PASSWORD, at, at + len(value))
        return
    words = opener["quoted"].split()
    is_phrase = (
        len(words) > 2 and opener["quoted"].islower() and STOPWORDS.isdisjoint(words) and min(map(len, words)) > 3
    )
    if is_phrase or (len(words) == 1 and is_mixed(words[0])):
        yield RawFinding(Kind.PASSWORD, *opener.span("quoted"))


def _cut(pair: re.Match[str]) -> str:
    value = pair["value"].rstrip(".,;:)]}")
    if pair.groupdict().get("mark") not in (":", "/"):
        return value
    head = _HOST_BEHIND.split(value, maxsplit=1)[0]  # a:b@host
    return head if is_mixed(head) else value


def _second_half(pair: re.Match[str]) -> RawFinding:
    start = pair.start("value")
    return RawFinding(Kind.PASSWORD, start, start + len(_cut(pair)))


def _is_usable(pair: re.Match[str]) -> bool:
    value = _cut(pair)
    return not (is_placeholder(value) or is_reference(value) or is_placeholder(pair["user"]) or value.endswith("="))


def _is_pair(page: Page, pair: re.Match[str], *, may_be_plain: bool) -> bool:
    """Whether "a / b" is a login: b looks like a password, or nothing else stands on the line."""
    if not _is_usable(pair) or (":" in pair["mark"] and pair["user"].lower() in _LABELS):
        return False
    if is_mixed(_cut(pair)):
        return True
    return may_be_plain and "/" in pair["mark"] and bool(_DIRECT.match(pair[0])) and _is_plain_pair(page, pair)


def _pair_before(page: Page, at: int) -> Iterator[RawFinding]:
    """Yield what stands before "are the credentials of the old box"."""
    line = page.before(at, 90)
    words = len(line) - len(line.lstrip())
    for start in [words, *(one.end() for one in re.finditer(r"\s", line))]:
        pair = _BEFORE.match(line, start)
        if pair is not None and is_mixed(pair["value"]):
            offset = at - len(line)
            yield RawFinding(Kind.PASSWORD, offset + pair.start("value"), offset + pair.end("value"))
            return


_LABELS = frozenset(
    {
        "http",
        "https",
        "port",
        "host",
        "at",
        "url",
        "server",
        "key",
        "token",
        "id",
        "email",
        "mail",
        "name",
        "role",
        "since",
        "until",
        "provider",
        "module",
        "version",
        "type",
        "region",
        "profile",
        "status",
        "mode",
        "portal",
        "page",
        "link",
    }
)


def _has_symbol(value: str) -> bool:
    return not value.replace("-", "").replace(".", "").replace("_", "").isalnum()


def _is_password_like(value: str) -> bool:
    """Whether a value is mixed enough to stand beside a name without a mark between them."""
    return (_has_symbol(value) and any(map(str.isalpha, value))) or (
        any(map(str.isupper, value[1:])) and any(map(str.islower, value)) and any(map(str.isdigit, value))
    )


def _is_plain_pair(page: Page, pair: re.Match[str]) -> bool:
    """Whether "login: admin / swordfish" is all that a line says."""
    value = _cut(pair)
    is_plain = pair["user"].islower() and value.islower()
    return (
        is_plain
        and "@" not in value
        and value not in _LABELS
        and not is_prose(value)
        and not is_prose(pair["user"])
        and page.match(_END, pair.end(), 8) is not None
    )
