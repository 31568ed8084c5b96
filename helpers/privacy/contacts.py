"""Personal data, at the level `strict`: addresses, telephone numbers, names, folders, queries."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.vocabulary import read_patterns
from ..texts import regex
from .page import Kind, Page, RawFinding
from .values import WORDS, is_placeholder, is_prose

_EMAIL = regex(
    r"(?<![\w.+%-])(?P<user>[A-Za-z0-9][\w.+%'-]{0,63}+)@(?P<host>(?:[A-Za-z0-9-]{1,63}+\.){1,6}+"
    r"(?P<top>[A-Za-z]{2,24}))(?![\w@-])"
)
_WORDINGS = read_patterns("prose", __file__)

_PHONE = regex(
    r"(?<![\w.,/#+=-])(?<!\d )(?:"
    r"\+\d{1,3}[ .\-/]?(?:\(0?\d{1,4}\)[ .\-/]?)?\d{1,5}(?:[ .\-/]{1,3}\d{2,8}){0,5}+"
    r"|\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}"
    r"|(?:1[ .-])?[2-9]\d\d([ .-])[2-9]\d\d\1\d{4}"
    r"|00[1-9]\d{0,2}[ .\-/]?\d{2,5}(?:[ .\-/]\d{2,8}){1,4}+"
    r")(?![\w]|[-./:]\d)"
)

_USER_PATH = regex(
    r"(?<![\w/.])(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2}"
    r"|/mnt/[a-z]/Users/)(?P<user>[\w.-]{1,40}+)(?:[/\\][^\s\"'<>|:*?`]{0,300}+)?"
)
_URL_QUERY = regex(r"(?i)\bhttps?://[^\s\"'<>`?]{1,500}+\?(?P<query>[^\s\"'<>`)\]]{1,1000}+)")


def find_contacts(page: Page) -> Iterator[RawFinding]:
    """Yield personal data."""
    for match in page.find(_EMAIL):
        if match["top"].lower() not in WORDS["file_endings"] and not (
            match["user"] == "git" and page.text[match.end() : match.end() + 1] == ":"
        ):
            yield RawFinding(Kind.EMAIL, *match.span())
    for match in page.find(_WORDINGS["email_spoken"]):
        yield RawFinding(Kind.EMAIL, *match.span())
    for match in page.find(_PHONE):
        if 7 <= sum(map(str.isdigit, match[0])) <= 15:
            yield RawFinding(Kind.PHONE, *match.span())
    for match in page.find(_WORDINGS["phone_word"]):
        if 6 <= sum(map(str.isdigit, match["value"])) <= 15:
            yield RawFinding(Kind.PHONE, *match.span("value"))
    for match in page.find(_WORDINGS["name"]):
        if not is_prose(match["name"].split()[0]):
            yield RawFinding(Kind.PERSON_NAME, *match.span("name"))
    for match in page.find(_USER_PATH):
        if match["user"].lower() not in WORDS["accounts"]:
            yield RawFinding(Kind.USER_PATH, *match.span())
    for match in page.find(_URL_QUERY):
        if "=" in match["query"] and not is_placeholder(match["query"]):
            yield RawFinding(
                Kind.URL_QUERY, match.start("query"), match.start("query") + len(match["query"].rstrip(".,;:!"))
            )
