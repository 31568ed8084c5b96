"""A name and a password side by side: "log in with a / b", "creds: a:b", "sign in as a with b" (V-39)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .findings import Candidate, Kind
from .page import Page
from .values import is_mixed, is_placeholder, is_prose, is_reference

_WORD = re.compile(
    r"(?i)(?<![\w-])(?:user(?:name)?\s?(?:/|&|and|\+)\s?pass(?:word)?|admin|log(?:ged|ging)? ?in|logon"
    r"|log on|login|sign(?:ed)? ?in|sign-in|logins?|credentials?|creds|account|user(?:name)?|auth"
    r"|access|"
    r"zugangsdaten|anmelden|anmeldung|benutzer|identifiants?|connexion|credenciales|usuario"
    r"|utilisateur|einloggen|ssh|ftp|rdp|vpn|vnc|sftp|admin panel)(?![\w-])"
)
_LEAD = (
    r"(?:[\"'`*]{0,3}\s{0,2}(?:for|to|into|on|at|in|of|für|zu|pour"
    r"|para) [^\n:;/|]{1,40}?)?[\"'`*]{0,3}\s{0,2}(?:(?:with|as|via|using|under|mit|als|avec|con|is"
    r"|are|sind|lauten|son|sont|[:=]|->|-)\s{0,3}){0,2}"
    r"(?:the )?(?:user(?:name)?|account|login|credentials|creds|name|id|benutzer)?[:\s]{0,3}[\"'`*(]{0,3}"
)
_USER, _VALUE = r"(?P<user>[\w.+@-]{2,60})[\"'`*]{0,3}", r"[\"'`*]{0,3}(?P<value>[^\s\"'`*]{3,80})"
_JOINED = re.compile(_LEAD + _USER + r"(?P<mark>\s{0,2}[/:|]\s{0,2})" + _VALUE)
_LOOSE = re.compile(
    _LEAD + _USER + r"(?P<mark>,?\s(?:and|with|und|mit|et|y|avec|con"
    r"|using)\s(?:the |das )?(?:pass(?:word|code)?|pw|pwd|code|key)?[:\s]{0,2}|,\s|\s)" + _VALUE
)
# Two halves without a word before them: an address, a colon, a password.
_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}+@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}:(?P<value>[^\s\"'`/]{5,64})"
)
_ENTERS = re.compile(r"(?i)log|sign|cred|zugang|anmeld|einlog|identifiant|connexion")
_DIRECT = re.compile(
    r"[\"'`*]{0,3}\s{0,2}(?:for [^\n:;/|]{1,40}|to [^\n:;/|]{1,40})?[:=]|[\"'`*]{0,3}\s(?:are|is|with)\b"
)
_END = re.compile(r"[\"'`*)]{0,3}\s{0,2}(?:$|[\n.,;])")


_BEFORE = re.compile(
    r"(?P<user>[\w.+@-]{2,40})\s?[/:]\s?(?P<value>[^\s/]{5,60})\s(?:are|is|as|to|for|sind|ist|est"
    r"|es)\s(?:[\w'-]{1,14}\s){0,4}$"
)


def find_logins(page: Page) -> Iterator[Candidate]:
    """Yield the second half of a login, where the first stands before it."""
    for word in page.find(_WORD):
        if _ENTERS.match(word[0]):
            yield from _pair_before(page, word.start())
        joined = page.match(_JOINED, word.end())
        if joined is not None and _is_pair(page, joined, may_be_plain=_ENTERS.match(word[0]) is not None):
            yield _second_half(joined)
            continue
        loose = page.match(_LOOSE, word.end()) if _ENTERS.match(word[0]) else None
        if loose is not None and _is_usable(loose) and is_mixed(_cut(loose)) and _is_password_like(_cut(loose)):
            yield _second_half(loose)
    for pair in page.find(_ADDRESS, "@"):
        if is_mixed(_cut(pair)):
            yield _second_half(pair)


def _cut(pair: re.Match[str]) -> str:
    return pair["value"].rstrip(".,;:)]}")


def _second_half(pair: re.Match[str]) -> Candidate:
    start = pair.start("value")
    return Candidate(Kind.PASSWORD, start, start + len(_cut(pair)))


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


def _pair_before(page: Page, at: int) -> Iterator[Candidate]:
    """Yield what stands before "are the credentials of the old box"."""
    line = page.before(at, 90)
    words = len(line) - len(line.lstrip())
    for start in [words, *(one.end() for one in re.finditer(r"\s", line))]:
        pair = _BEFORE.match(line, start)
        if pair is not None and is_mixed(pair["value"]):
            offset = at - len(line)
            yield Candidate(Kind.PASSWORD, offset + pair.start("value"), offset + pair.end("value"))
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
    }
)


def _is_password_like(value: str) -> bool:
    """Whether a value is mixed enough to stand beside a name without a mark between them."""
    has_symbol = not value.replace("-", "").replace(".", "").replace("_", "").isalnum()
    return (has_symbol and any(map(str.isalpha, value))) or (
        any(map(str.isupper, value[1:])) and any(map(str.islower, value)) and any(map(str.isdigit, value))
    )


def _is_plain_pair(page: Page, pair: re.Match[str]) -> bool:
    """Whether "login: admin / swordfish" is all that a line says."""
    value = _cut(pair)
    is_plain = pair["user"].islower() and value.islower()
    return (
        is_plain and not is_prose(value) and not is_prose(pair["user"]) and page.match(_END, pair.end(), 8) is not None
    )
