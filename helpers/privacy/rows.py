"""Secrets with a form of their own: each is a row of `rows.toml`, with the check that its value passes.

Tokens of vendors are rows of `tokens.toml`. Where the prefix of one is an ordinary word, the rest must look random.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping

from ..language.tables import read_table
from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import PERSONAL, Kind, Level, Page, RawFinding
from .values import WORDS, is_gap, is_mixed, is_opaque, is_placeholder, is_prose, is_reference

_PLAIN_LOGIN = regex(r"(?i)(?:user(?:name)?|login|name|postgres|root|admin|guest|test|usr|foo|u|me|myuser|dbuser)$")
_PLAIN_PASSWORD = regex(
    r"(?i)(?:pass(?:word|wd)?|pwd|pw|secret|postgres|root|guest|test|bar|p|mypassword|mypass"
    r"|dbpass(?:word)?|token|user(?:name)?|\*{2,200}|x{3,200}|\.{3})$"
)
# The first characters of a key in base64, which show what begins.
_WRAPPED_HEAD = 64


def is_given(value: str) -> bool:
    """Whether a value beside an option or in a call is a password, and no gap or name."""
    return not is_placeholder(value) and not is_reference(value) and not _PLAIN_PASSWORD.match(value)


def _is_encoded_login(value: str) -> bool:
    """Whether a text is "user:password" in base64."""
    try:
        login = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    user, mark, password = login.partition(":")
    return bool(user and mark and password) and login.isprintable() and not is_placeholder(password)


def _is_wrapped_key(value: str) -> bool:
    return b"PRIVATE KEY" in base64.b64decode(value[:_WRAPPED_HEAD] + "==")


def _is_of_url(url: re.Match[str]) -> bool:
    """Whether a URL holds a password, and is no template for one."""
    password, user = url["value"], url["user"]
    is_template = _PLAIN_PASSWORD.match(password) and (not user or _PLAIN_LOGIN.match(user) or user == password)
    return not is_placeholder(password) and not is_template and not is_gap(user)


def _is_address(address: re.Match[str]) -> bool:
    is_repository = address["user"] == "git" and address["colon"] == ":"
    return address["top"].lower() not in WORDS["file_endings"] and not is_repository


def _has_digits(least: int) -> Callable[[str], bool]:
    return lambda value: least <= sum(map(str.isdigit, value)) <= 15


#: The checks of values, and those of a whole match.
_VALUE_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "given": is_given,
    "given_mixed": lambda value: is_given(value) and is_mixed(value),
    "filled": lambda value: not is_placeholder(value),
    "filled_mixed": lambda value: not is_placeholder(value) and is_mixed(value),
    "opaque_16": is_opaque,
    "opaque_32": lambda value: is_opaque(value, 32),
    "bearer": lambda value: is_opaque(value) or (is_mixed(value) and len(value) >= 10),
    "signature": lambda value: not is_placeholder(value) and len(set(value)) > 6,
    "encoded_login": _is_encoded_login,
    "wrapped_key": _is_wrapped_key,
    "letters_and_digits": lambda value: any(map(str.isdigit, value)) and any(map(str.isalpha, value)),
    "digits_6": _has_digits(6),
    "digits_7": _has_digits(7),
    "name": lambda value: not is_prose(value.split()[0]),
    "account": lambda value: value.lower() not in WORDS["accounts"],
    "query": lambda value: "=" in value and not is_placeholder(value),
}
_MATCH_CHECKS: Mapping[str, Callable[[re.Match[str]], bool]] = {"of_url": _is_of_url, "email": _is_address}

_ROWS = read_table(__file__, "rows")["pattern"]
_PATTERNS = read_patterns("rows", __file__)


def find_rows(page: Page, level: Level) -> Iterator[RawFinding]:
    """Yield what the rows of the table find at this level."""
    for name, row in _ROWS.items():
        kind, takes, trim = Kind(row["kind"]), row.get("takes", ""), row.get("trim", "")
        if kind in PERSONAL and level is not Level.STRICT:
            continue
        for match in page.find(_PATTERNS[name], *row.get("needles", ())):
            check = _MATCH_CHECKS.get(takes)
            if check(match) if check else not takes or _VALUE_CHECKS[takes](match["value"]):
                group = "span" if "span" in match.groupdict() else "value"
                yield RawFinding(kind, match.start(group), match.start(group) + len(match[group].rstrip(trim)))


_KEY_BEGINS = regex(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = regex(
    r"(?:[\s\"'>|+,]|\\[nr])*+(?:(?:[A-Z][\w-]{1,30}: [^\n]{1,100}"
    r"|\\[nr])\s*+)*+(?P<body>[A-Za-z0-9+/=\s\\]{16,16000}+)"
)
_KEY_END = regex(r"[^-\n]{0,80}-----END[A-Z0-9 ]{1,40}-----")
_LONGEST_KEY = 16_400


def find_keys(page: Page) -> Iterator[RawFinding]:
    """Yield the blocks of private keys, with their end or cut off before it."""
    for begin in page.find(_KEY_BEGINS, "private key"):
        dashes = page.text.find("-----", begin.end())  # no key has them, so that no two blocks are read twice
        reach = _LONGEST_KEY if dashes < 0 else min(_LONGEST_KEY, dashes - begin.end())
        body = page.match(_KEY_BODY, begin.end(), reach)
        if body is None or len(re.sub(r"[\s\\]", "", body["body"])) < 32:
            continue
        end = page.match(_KEY_END, body.end(), 160)
        yield RawFinding(Kind.PRIVATE_KEY, begin.start(), body.end() if end is None else end.end())


_FORMS = read_table(__file__, "tokens")["forms"]
_NAMES = tuple(_FORMS)
_TOKEN = regex(r"(?<![A-Za-z0-9])(?:" + "|".join(f"({form})" for form in _FORMS.values()) + ")")
# The length of the shortest token; none has a gap.
_LONG_WORD = regex(r"[^\s\"'<>`,;()|]{19,}+")
_PREFIX = regex(r"[A-Za-z]{1,8}[_-](?:[a-z]{2,8}[_-])?")


def find_tokens(page: Page) -> Iterator[RawFinding]:
    """Yield the tokens of vendors."""
    for word in page.find(_LONG_WORD):
        for match in page.within(_TOKEN, *word.span()):
            if not _is_made_up(match[0]):
                yield RawFinding(Kind.TOKEN, *match.span(), _NAMES[(match.lastindex or 1) - 1])


def _is_made_up(token: str) -> bool:
    """Whether a token of the right form is an example: too few different characters, or words in it."""
    rest = _PREFIX.sub("", token, count=1)
    is_plain = rest.islower() or rest.isupper()
    return len(set(rest)) < 6 or (is_plain and not any(map(str.isdigit, rest))) or is_placeholder(rest)
