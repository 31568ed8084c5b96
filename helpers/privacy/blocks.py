"""Secrets with a form of their own: key blocks, URLs, headers, options of commands, and encoded secrets."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import Kind, Page, RawFinding
from .values import is_gap, is_mixed, is_opaque, is_placeholder, is_reference

_KEY_BEGINS = regex(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = regex(
    r"(?:[\s\"'>|+,]|\\[nr])*+(?:(?:[A-Z][\w-]{1,30}: [^\n]{1,100}"
    r"|\\[nr])\s*+)*+(?P<body>[A-Za-z0-9+/=\s\\]{16,16000}+)"
)
_KEY_END = regex(r"[^-\n]{0,80}-----END[A-Z0-9 ]{1,40}-----")
_PUTTY = regex(r"Private-Lines: \d{1,3}\s{1,2}(?P<body>[A-Za-z0-9+/=\s]{40,4000}+)")
_LONGEST_KEY = 16_400

_LOGIN_URL = regex(
    r"(?<![A-Za-z0-9])(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,30})://(?P<user>[^\s:/?#@\"'<>`]{0,120}):"
    r"(?P<password>[^\s/\"'<>`]{1,200}?)@"
    r"(?P<rest>[\w.-][^\s\"'<>`)\]]{0,300})"
)
_PLAIN_LOGIN = regex(r"(?i)(?:user(?:name)?|login|name|postgres|root|admin|guest|test|usr|foo|u|me|myuser|dbuser)$")
_PLAIN_PASSWORD = regex(
    r"(?i)(?:pass(?:word|wd)?|pwd|pw|secret|postgres|root|guest|test|bar|p|mypassword|mypass"
    r"|dbpass(?:word)?|token|user(?:name)?|\*{2,200}|x{3,200}|\.{3})$"
)

# The key of a wallet in a sentence.
_HEX_KEY = regex(
    r"(?i)\bprivate key(?![^\n.;]{0,60}?(?:hash|fingerprint|sha|checksum|digest|public|address))[^\n.;]{0,60}?"
    r"(?<![0-9A-Za-z])(?P<key>(?:0x)?[0-9a-f]{64})(?![0-9A-Za-z])"
)
_URL_KEY = regex(r"(?i)https?://(?P<key>[0-9a-f]{32}|[A-Za-z0-9]{40,80})@[\w.-]{4,120}")

_URL_SIGNATURE = regex(
    r"(?i)https?://(?:[^\s\"'<>`?]{1,500}+)\?(?:[^\s\"'<>`]{0,1200}?[?&]|)(?:X-Amz-Signature"
    r"|X-Goog-Signature|Signature|sig|X-Amz-Security-Token|hmac|q-signature|OSSAccessKeyId)="
    r"(?P<signature>[A-Za-z0-9%+/=_~-]{16,1200}+)"
    r"|https?://[\w.-]{1,100}\.azurewebsites\.net/[^\s\"'<>`?]{0,300}+\?(?:[^\s\"'<>`]{0,300}?&)?code="
    r"(?P<code>[A-Za-z0-9%+/=_~-]{20,200}+)"
)

_HEADER = regex(
    r"(?i)\b(?:Bearer|Token|Basic|ApiKey|SSWS|Digest|Negotiate|GoogleLogin auth="
    r"|AWS4-HMAC-SHA256 Credential=)(?:[ \t]{1,3}|(?<==))(?:token=)?[\"']?(?P<value>[A-Za-z0-9._~+/=:-]{8,2000}+)"
)
_NAMED_HEADER = regex(
    r"(?i)\bauthorization[\"']{0,1}\s{0,3}[:=]\s{0,3}[\"']{0,1}(?P<value>[A-Za-z0-9._~+/=-]{16,2000}+)(?!\s\w)"
)

_QUOTE = r"(?P<q>[\"']?)"
_OPTIONS = (
    # A user with a password: curl -u a:b, --user a:b, --proxy-user a:b.
    regex(
        r"(?<!\S)(?:-u|--user|--proxy-user|--userpwd|--auth|-U)[ =]{1,2}"
        + _QUOTE
        + r"[^\s:\"'<>$]{1,80}:(?P<value>[^\s\"']{3,120})"
    ),
    # -pSECRET of the MySQL family; -p SECRET only where the command takes a password there.
    regex(
        r"\b(?:mysql|mysqldump|mysqladmin|mariadb|mysqlimport|mariadb-dump)\b[^\n|;]{0,120}?\s-p"
        + _QUOTE
        + r"(?P<value>[^\s\"']{3,80})"
    ),
    regex(
        r"\b(?:sshpass|docker login|podman login|helm registry login|az login|oc login|mongo|mongosh"
        r"|mongodump|mongorestore|sqlcmd|crane auth login|expect|plink|pscp|smbclient|vncviewer"
        r"|htpasswd -b|ldapsearch|bcp|7z|unrar)\b[^\n|;]{0,160}?\s-(?:p|P|w)[ =]?"
        + _QUOTE
        + r"(?P<value>[^\s\"'-][^\s\"']{2,80})"
    ),
    regex(r"\b(?:redis-cli|valkey-cli)\b[^\n|;]{0,100}?\s(?:-a|--pass)[ =]" + _QUOTE + r"(?P<value>[^\s\"']{3,120})"),
    regex(
        r"\b(?:smbclient|smbget|rpcclient|winexe|net)\b[^\n|;]{0,80}?\s-U[ ]?[\w.\\-]{1,40}%"
        + _QUOTE
        + r"(?P<value>[^\s\"']{4,80})"
    ),
    regex(r"\bhtpasswd\s-[A-Za-z]{0,4}b[A-Za-z]{0,4}\s\S{1,80}\s\S{1,40}\s" + _QUOTE + r"(?P<value>[^\s\"']{4,80})"),
    regex(r"\bzip\b[^\n|;]{0,60}?\s-P[ ]?" + _QUOTE + r"(?P<value>[^\s\"']{3,80})"),
    regex(r"\bopenssl\s[^\n|;]{0,100}?\s-k[ ]" + _QUOTE + r"(?P<value>[^\s\"']{4,80})"),
    regex(r"-pass(?:in|out)? pass:" + _QUOTE + r"(?P<value>[^\s\"']{3,120})"),
    regex(r"(?i)\bnet use\b[^\n]{0,120}?/user:\S{1,60}\s" + _QUOTE + r"(?P<value>[^\s\"'/]{3,80})"),
    regex(r"\becho\s(?:-n\s)?" + _QUOTE + r"(?P<value>[^\s\"'|]{3,80})(?P=q)\s?\|\s?sudo\s[^\n]{0,10}?-S"),
    regex(r"\becho\s(?:-n\s)?[\"']?\w{1,40}:(?P<q>)(?P<value>[^\s\"'|]{3,80})[\"']?\s?\|\s?(?:sudo\s)?chpasswd"),
    # A name and a password as two options of any command; the options of key stores and of Java.
    regex(
        r"(?<!\S)-(?:u|U)[ =]?[\"']?[^\s\"'-][^\s\"']{0,60}[\"']?\s(?:[^\n|;]{0,60}?\s)?-(?:p|P|w)[ =]?"
        + _QUOTE
        + r"(?P<value>(?=[^\s\"']{0,80}?[A-Za-z])(?=[^\s\"']{0,80}?[0-9!@#$%^&*])[^\s\"':/]{6,80})(?![^\s\"'])"
    ),
    regex(
        r"(?<!\S)-(?:(?:store|key|destkey|srckey|deststore|srcstore)?pass(?:word|wd|phrase)?[ =]|D[\w.]{0,40}password=)"
        + _QUOTE
        + r"(?P<value>[^\s\"'-][^\s\"']{3,80})"
    ),
    regex(r"(?i)\bidentified (?:with \w{1,40} )?by\s{1,2}" + _QUOTE + r"(?P<value>[^\s\"';]{3,120})"),
)


# A name and a password as two arguments of a call.
_CALL = regex(
    r"(?i)\b(?:auth\s?=\s?\(|(?:HTTP)?(?:Basic|Digest|NTLM)Auth\(|(?:log_?in|sign_?in|logon|authenticate|basic_?auth|credentials)\()"
    r"\s{0,2}(?P<q>[\"'])(?P<user>[^\s\"']{1,60})(?P=q),\s{0,2}(?P=q)(?P<value>[^\s\"']{4,80})(?P=q)"
)

# "-----BEGIN" in base64, as in a kubeconfig; the first 64 characters show what begins.
_WRAPPED = regex(r"(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/=]{50,16000}+")
_WRAPPED_HEAD = 64
# `auth` of Docker, `_auth` of npm: "user:password" in base64.
_ENCODED_LOGIN = regex(
    r"(?<![A-Za-z])_?auth[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<value>[A-Za-z0-9+/]{8,400}+={0,2})(?![\w+/=])"
)
_ONE_TIME_SEED = regex(
    r"[^\n.;]{0,60}?(?<![A-Za-z0-9])(?P<value>(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}"
    r"|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})(?![A-Za-z0-9])"
)
_WORDINGS = read_patterns("prose", __file__)


def find_blocks(page: Page) -> Iterator[RawFinding]:
    """Yield key blocks, URLs with access rights, headers, options of commands, and encoded secrets."""
    yield from _find_keys(page)
    yield from _find_urls(page)
    yield from _find_headers(page)
    yield from _find_encoded(page)
    for pattern in _OPTIONS:
        for option in page.find(pattern, " -", "-d", "pass", " by", "user:", "sudo"):
            if _is_given(option["value"]):
                yield RawFinding(Kind.PASSWORD, *option.span("value"))
    for call in page.find(_CALL, "auth", "log", "sign", "credentials"):
        if _is_given(call["value"]) and is_mixed(call["value"]):
            yield RawFinding(Kind.PASSWORD, *call.span("value"))


def _is_given(value: str) -> bool:
    return not is_placeholder(value) and not is_reference(value) and not _PLAIN_PASSWORD.match(value)


def _find_keys(page: Page) -> Iterator[RawFinding]:
    for begin in page.find(_KEY_BEGINS, "private key"):
        dashes = page.text.find("-----", begin.end())  # no key has them, so that no two blocks are read twice
        reach = _LONGEST_KEY if dashes < 0 else min(_LONGEST_KEY, dashes - begin.end())
        body = page.match(_KEY_BODY, begin.end(), reach)
        if body is None or len(re.sub(r"[\s\\]", "", body["body"])) < 32:
            continue
        end = page.match(_KEY_END, body.end(), 160)
        yield RawFinding(Kind.PRIVATE_KEY, begin.start(), body.end() if end is None else end.end())
    for key in page.find(_HEX_KEY, "private key"):
        yield RawFinding(Kind.SECRET, *key.span("key"))
    for lines in page.find(_PUTTY, "private-lines"):
        yield RawFinding(Kind.PRIVATE_KEY, *lines.span("body"))


def _find_urls(page: Page) -> Iterator[RawFinding]:
    for url in page.find(_URL_SIGNATURE, "sig", "security-token", "hmac", "ossaccess", "code="):
        signature = url["signature"] or url["code"]
        if not is_placeholder(signature) and len(set(signature)) > 6:
            yield RawFinding(Kind.PRESIGNED_URL, *url.span())
    for url in page.find(_URL_KEY, "@"):
        if is_opaque(url["key"], 32):
            yield RawFinding(Kind.SECRET, *url.span("key"))
    for url in page.find(_LOGIN_URL, "://"):
        password, user = url["password"], url["user"]
        is_template = _PLAIN_PASSWORD.match(password) and (not user or _PLAIN_LOGIN.match(user) or user == password)
        if not is_placeholder(password) and not is_template and not is_gap(user):
            yield RawFinding(Kind.CONNECTION_STRING, url.start(), url.start("rest") + len(url["rest"].rstrip(".,;")))


def _find_headers(page: Page) -> Iterator[RawFinding]:
    for header in page.find(
        _HEADER, "bearer", "token", "basic", "apikey", "ssws", "digest", "negotiate", "auth=", "credential="
    ):
        value = header["value"]
        scheme = header[0][:5].lower()
        if scheme == "basic":
            if _is_encoded_login(value):
                yield RawFinding(Kind.PASSWORD, *header.span("value"))
        elif is_opaque(value, 16) or (scheme == "beare" and is_mixed(value) and len(value) >= 10):
            yield RawFinding(Kind.SECRET, *header.span("value"))
    for header in page.find(_NAMED_HEADER, "authorization"):
        if is_opaque(header["value"], 16):
            yield RawFinding(Kind.SECRET, *header.span("value"))


def _find_encoded(page: Page) -> Iterator[RawFinding]:
    """Yield encoded keys and logins."""
    for key in page.find(_WRAPPED, "ls0tls1crudjti"):
        if b"PRIVATE KEY" in base64.b64decode(key[0][:_WRAPPED_HEAD] + "=="):
            yield RawFinding(Kind.PRIVATE_KEY, *key.span())
    for login in page.find(_ENCODED_LOGIN, "auth"):
        if _is_encoded_login(login["value"]):
            yield RawFinding(Kind.PASSWORD, *login.span("value"))
    for word in page.find(_WORDINGS["one_time"]):
        seed = page.match(_ONE_TIME_SEED, word.end())
        if seed is not None and any(map(str.isdigit, seed["value"])) and any(map(str.isalpha, seed["value"])):
            yield RawFinding(Kind.SECRET, *seed.span("value"))


def _is_encoded_login(value: str) -> bool:
    """Whether a text is "user:password" in base64."""
    try:
        login = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    user, mark, password = login.partition(":")
    return bool(user and mark and password) and login.isprintable() and not is_placeholder(password)
