"""A text that is made to be slow costs the privacy guard no more than its length."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from re import _constants as codes  # what a pattern is made of; there is no public way to look into one
from re import _parser as parser
from time import thread_time

import memory_ledger.privacy as room
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from memory_ledger.privacy import Level, Page, scan, scan_page
from memory_ledger.texts import Regex

_MOST_READ = 700  # characters looked at for each character of a text, at the very worst
#: Characters of a text, and seconds of a processor that twice as many take at most; `make test-long` takes longer ones.
_TIMES = [pytest.param(5_000, 1.0, id="5,000"), pytest.param(25_000, 6.0, id="25,000", marks=pytest.mark.long)]
PUMPS = [
    *("password ", "password: ", "the password is ", "pw ", "key=", "key_", "secret key token ", "pin ", "PIN is "),
    *("door code ", "login ", "login: a/b ", "user a, ", "1", "1 ", "1-", "4111 ", "4111-", "one ", "a", "a.", "a-"),
    *("a_", "a/", "-", "://", "a://b:", "http://a?"),
    *("http://a?sig=", "x@", "a@b.", "eyJ", "eyJa.", "abandon ", "DE89 "),
    *("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nA: b\n", "A: b\n", '"', "'", "`", "\n", " ", "\\n"),
    *("ssn ", "account ", "recovery codes: a1b2-c3d4 ", "Bearer ", "mysql -p"),
    *("mysql ", "sk-", "xoxb-", "+1 ", "is my "),
    *("unlock with ", "private key 0x", "u: a p: b "),
    *("root:a ", "612-40-7785 is my ssn ", "a@b.io / ", "passwords: a=b, "),
    *("-u a -p ", "-storepass ", "login('a', ", ": a / ", "session_secret = a-1", "password from ", "a1-"),
    *("pw a b c: ", "oracle: a/b@//", "wifi: a / ", "12 words: ", "net -U a%"),
    *("recovery codes for a ", "seed phrase: ", "the code word (", "password got reset to "),
    *("wifi ", "session=", "a is the password ", "password |", "my name is A", "/home/a", "\u0130", "password\u3000"),
]


def _patterns() -> Iterator[tuple[str, Regex]]:
    for module in iter_modules(room.__path__):
        for name, value in vars(import_module(f"{room.__name__}.{module.name}")).items():
            parts = value.items() if isinstance(value, dict) else [("", value)]
            for part, one in enumerate(value) if isinstance(value, tuple) else parts:
                if isinstance(one, Regex):
                    yield f"{module.name}.{name}.{part}", one


def _open_repeats(tree) -> Iterator[object]:
    """Yield every repetition without a bound that could be given back."""
    for code, argument in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and argument[1] is codes.MAXREPEAT:
            yield argument
        for part in argument if isinstance(argument, tuple) else (argument,):
            pieces = part if isinstance(part, list) else [part]
            for piece in pieces:
                if isinstance(piece, parser.SubPattern):
                    yield from _open_repeats(piece)


def test_no_pattern_repeats_without_a_bound() -> None:
    """V-39: what is not bounded is possessive, so that no pattern can try again and again."""
    patterns = dict(_patterns())
    assert len(patterns) > 140
    assert list(_open_repeats(parser.parse(r"(?:a+b)?"))) != []
    assert {
        name for name, one in patterns.items() if list(_open_repeats(parser.parse(one.pattern, one.flags)))
    } == set()


def _read(text: str) -> int:
    page = Page(text)
    scan_page(page, Level.STRICT)
    return page.characters_read


@pytest.mark.parametrize(("length", "seconds"), _TIMES)
@pytest.mark.parametrize("pump", PUMPS)
def test_twice_the_text_is_read_twice(pump: str, length: int, seconds: float) -> None:
    """V-39: counted in characters that were looked at; what happens inside one pattern shows in the time alone."""
    once = _read(pump * (length // len(pump)))
    start = thread_time()
    twice = _read(pump * (2 * length // len(pump)))
    assert thread_time() - start < seconds
    assert twice <= 2.2 * once
    assert twice <= _MOST_READ * 2 * length


_PIECES = st.sampled_from([*PUMPS, "is", ":", "=", " ", "\n", "the", "Kite&2211", "4111 1111 1111 1111", "<", "|", "$"])


@settings(max_examples=20)
@given(st.lists(_PIECES, min_size=1, max_size=6).map("".join), st.sampled_from(["", "password: ", "http://a?"]))
@example("key=", "")
def test_no_mixture_is_read_more_often(pump: str, head: str) -> None:
    once, twice = (_read(head + pump * (length // len(pump) + 1)) for length in (5_000, 10_000))
    assert twice <= 2.3 * once + 5_000
    assert twice <= _MOST_READ * (10_000 + len(pump) + len(head))


def test_what_stands_beside_one_keyword_is_not_hidden_by_another_like_it() -> None:
    """A keyword whose surroundings held nothing is not read again; one with a value beside it is, wherever it is."""
    text = "password is " * 500
    assert len(scan(f"{text}the password is Kite&2211. {text}the password is Kite&2211.")) == 2
