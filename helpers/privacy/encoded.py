"""Secrets that are written in base64 or base32: wrapped keys, logins of registries, seeds of one-time codes (V-39)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from ..language.wordings import read_patterns
from ..patterns import regex
from .findings import Kind, RawFinding
from .page import Page
from .values import is_placeholder

# "-----BEGIN" in base64, as a kubeconfig holds its keys; the first 64 characters say what begins.
_WRAPPED = regex(r"(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/=]{50,16000}+")
_WRAPPED_HEAD = 64
# `auth` of Docker, `_auth` of npm: "user:password" in base64.
_LOGIN = regex(r"(?<![A-Za-z])_?auth[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<value>[A-Za-z0-9+/]{8,400}+={0,2})(?![\w+/=])")
_SAID = read_patterns("prose", __file__)
_SEED = regex(
    r"[^\n.;]{0,60}?(?<![A-Za-z0-9])(?P<value>(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}"
    r"|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})(?![A-Za-z0-9])"
)


def find_encoded(page: Page) -> Iterator[RawFinding]:
    """Yield keys and logins that a text holds in an encoding of their own."""
    for key in page.find(_WRAPPED, "ls0tls1crudjti"):
        if b"PRIVATE KEY" in base64.b64decode(key[0][:_WRAPPED_HEAD] + "=="):
            yield RawFinding(Kind.PRIVATE_KEY, *key.span())
    for login in page.find(_LOGIN, "auth"):
        if is_encoded_login(login["value"]):
            yield RawFinding(Kind.PASSWORD, *login.span("value"))
    for word in page.find(_SAID["one_time"]):
        seed = page.match(_SEED, word.end())
        if seed is not None and any(map(str.isdigit, seed["value"])) and any(map(str.isalpha, seed["value"])):
            yield RawFinding(Kind.SECRET, *seed.span("value"))


def is_encoded_login(value: str) -> bool:
    """Whether a text is "user:password" in base64."""
    try:
        login = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    user, mark, password = login.partition(":")
    return bool(user and mark and password) and login.isprintable() and not is_placeholder(password)
