"""A name and a password side by side ("log in with a / b", "creds: a:b"), or in the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ..language.vocabulary import read_patterns
from ..language.words import STOPWORDS
from ..texts import regex
from .page import Kind, Page, RawFinding
from .values import WORDS, is_mixed, is_placeholder, is_prose, is_reference, is_strong

_WORDINGS = read_patterns("logins", __file__)
_OPENER = regex(r"(?P<quote>[\"'“‘])(?P<quoted>[^\n\"'“”‘’]{5,60})[\"'”’]|(?P<value>[^\s\"'`<>]{5,64})")
_HOST_BEHIND = regex(r"@(?://|(?=[\w-]{1,60}\.[\w.-]{1,100}$))")
# Digits in place of letters.
_LEET = regex(r"[A-Za-z]\d[A-Za-z]{1,20}\d[A-Za-z]")
_HARD = regex(r"[!@#$%^&*?]")
_END = regex(r"[\"'`*)]{0,3}\s{0,2}(?:$|[\n.,;])")

_PROSE = read_patterns("prose", __file__)
# Tables: Markdown, tab or comma separated.
_COLUMN_MARKS = ("|", "\t", ";", ",")
_TABLE_RULE = regex(r"[-:|+= \t]{3,300}")
_PIN_CELL = regex(r"\d{4,8}")
_LONGEST_LINE = 400
_MOST_ROWS = 60


_Takes = Callable[[re.Match[str], str], bool]


def _is_labelled(pair: re.Match[str], value: str) -> bool:
    return is_strong(value) and ("//" in pair[0] or bool(_HARD.search(value))) and not is_prose(pair["user"])


#: Two halves that need no word before them: what is in a text with one, and whether the second half is a password.
_PAIRS: Mapping[str, tuple[tuple[str, ...], _Takes]] = {
    "network": (("wi", "wlan", "ssid", "hotspot"), lambda _, value: is_mixed(value) and not value.endswith("GHz")),
    "short_names": ((), lambda _, value: is_mixed(value)),
    "address": (("@",), lambda pair, value: is_strong(value) or (pair["mark"] == ":" and is_mixed(value))),
    "labelled": (("/", "|"), _is_labelled),
    "known_user": ((), lambda _, value: is_strong(value)),
}


def find_logins(page: Page) -> Iterator[RawFinding]:
    """Yield the password after a user name, and the passwords of tables."""
    yield from _find_tables(page)
    for word in page.find(_WORDINGS["login"]):
        enters = _WORDINGS["enters"].match(word[0]) is not None
        if enters:
            yield from _pair_before(page, word.start())
        joined = page.match(_WORDINGS["joined"], word.end())
        if joined is not None and _is_pair(page, joined, may_be_plain=enters):
            yield _second_half(joined)
            continue
        loose = page.match(_WORDINGS["loose"], word.end()) if enters else None
        if loose is not None and _is_loose_pair(loose):
            yield _second_half(loose)
    for name, (needles, takes) in _PAIRS.items():
        for pair in page.find(_WORDINGS[name], *needles):
            if takes(pair, _cut(pair)):
                yield _second_half(pair)
    for opened in page.find(_WORDINGS["opened"], "with", "using", "enter", "typ"):
        is_network = _WORDINGS["network_word"].search(page.before(opened.start(), 80)) is not None
        yield from _opener_at(page, opened.end(), is_network=is_network)


def _is_loose_pair(pair: re.Match[str]) -> bool:
    value, is_name = _cut(pair), pair["user"] == "root" or not is_prose(pair["user"])
    return _is_usable(pair) and is_name and is_mixed(value) and _is_password_like(value)


def _opener_at(page: Page, position: int, *, is_network: bool) -> Iterator[RawFinding]:
    """Yield the value of "unlock it with ...": a mixed one, or several words that make no sentence."""
    opener = page.match(_OPENER, position, 70)
    if opener is None:
        return
    if opener["quoted"] is None:
        value = opener["value"].rstrip(".,;:)]}")
        is_password = is_strong(value) and (not value.isalnum() or _LEET.search(value) is not None)
        if value[:1].isalnum() and (is_password or (is_network and is_mixed(value))):
            yield RawFinding(Kind.PASSWORD, position, position + len(value))
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
    if not _is_usable(pair) or (":" in pair["mark"] and pair["user"].lower() in WORDS["labels"]):
        return False
    is_direct = may_be_plain and "/" in pair["mark"] and _WORDINGS["direct"].match(pair[0]) is not None
    return is_mixed(_cut(pair)) or (is_direct and _is_plain_pair(page, pair))


def _pair_before(page: Page, position: int) -> Iterator[RawFinding]:
    """Yield the value before "are the credentials of the old box"."""
    pair = page.behind(_WORDINGS["before"], position, 90)
    if pair is not None and is_mixed(pair["value"]):
        yield RawFinding(Kind.PASSWORD, *pair.span("value"))


def _is_password_like(value: str) -> bool:
    """Whether a value is mixed enough to stand beside a name without a mark between them."""
    has_symbol = not value.replace("-", "").replace(".", "").replace("_", "").isalnum()
    has_cases = any(map(str.isupper, value[1:])) and any(map(str.islower, value))
    return (has_symbol and any(map(str.isalpha, value))) or (has_cases and any(map(str.isdigit, value)))


def _is_plain_pair(page: Page, pair: re.Match[str]) -> bool:
    """Whether "login: admin / swordfish" is the whole line."""
    user, value = pair["user"], _cut(pair)
    if not (user.islower() and value.islower()) or "@" in value or value in WORDS["labels"]:
        return False
    return not is_prose(value) and not is_prose(user) and page.match(_END, pair.end(), 8) is not None


def _find_tables(page: Page) -> Iterator[RawFinding]:
    """Yield the cells below a heading that names a password; each line is read in one table only."""
    end = 0
    for heading in page.find(_PROSE["heading"], "pass", "pwd", "pw", "pin", "kennwort", "contraseña"):
        if heading.start() < end:
            continue
        start = heading.start() - len(page.before(heading.start(), _LONGEST_LINE))
        line = page.after(start, _LONGEST_LINE).split("\n", 1)[0]
        mark = next((mark for mark in _COLUMN_MARKS if mark in line), None)
        end = start + len(line) + 1
        if mark is None:
            continue
        kinds = [_kind_of(cell) for cell in line.split(mark)]
        for _ in range(_MOST_ROWS):
            row = page.after(end, _LONGEST_LINE).split("\n", 1)[0]
            if row.count(mark) != len(kinds) - 1:
                break
            if not _TABLE_RULE.fullmatch(row):
                yield from _cells(row, end, mark, kinds)
            end += len(row) + 1


def _kind_of(cell: str) -> Kind | None:
    name = _PROSE["cell"].fullmatch(cell)
    if name is None:
        return None
    return Kind.PIN if name["name"].lower().startswith("pin") else Kind.PASSWORD


def _cells(row: str, position: int, mark: str, kinds: list[Kind | None]) -> Iterator[RawFinding]:
    """Yield the secrets in the named columns of a row; as sentences have commas, those need a strong password."""
    is_password = is_strong if mark in (";", ",") else is_mixed
    for cell, kind in zip(row.split(mark), kinds, strict=True):
        value = cell.strip(" \"'*`\t\r")
        start = position + cell.find(value)
        if (kind is Kind.PASSWORD and is_password(value)) or (kind is Kind.PIN and _PIN_CELL.fullmatch(value)):
            yield RawFinding(kind, start, start + len(value))
        position += len(cell) + 1
