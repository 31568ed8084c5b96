"""Compare two typed values; a pair that no rule of its kind orders is not comparable, and never a contradiction."""

from __future__ import annotations

import math
from collections.abc import Callable
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

from ...language.lexicon import WIDER
from ...texts import regex
from ..model import Norm, Value, ValueKind
from .names import GENERIC, PARTICLES, is_known_place, nickname_groups

Rule = Callable[[Norm, Norm], "Agreement"]
#: In minutes; larger than any number of a weekday, so that no two weekdays are equal.
_HALF_DAY: Final = 720.0
#: The length of the norm of a known zone: its group and two offsets.
_ZONE_PARTS: Final = 3
#: The least length of a last name that is written out, and the least ratio of two spellings of one name.
_LAST_NAME: Final = 3
_ONE_NAME: Final = 0.7
_WORD_JOINTS: Final = regex(r"[\s-]+")
#: Levels of a place, the most precise first.
_LEVELS: Final = ("part", "city", "state", "country", "continent")


class Agreement(StrEnum):
    """What two values of one slot are to each other."""

    SAME = "same"
    COMPATIBLE = "compatible"
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


def _judge(is_same: bool, *, is_part: bool = False, is_unclear: bool = False) -> Agreement:
    """The same, one more precise than the other, or different where nothing leaves it open."""
    if is_same or is_part:
        return Agreement.SAME if is_same else Agreement.COMPATIBLE
    return Agreement.INCOMPARABLE if is_unclear else Agreement.DIFFERENT


def _in_part(is_part: Callable[[Norm, Norm], bool]) -> Rule:
    """Return a rule for values of which one may be a part of the other."""
    return lambda a, b: _judge(a == b, is_part=is_part(a, b) or is_part(b, a))


def _on_one_scale(rule: Rule) -> Rule:
    """Return a rule for values of which the first part is the scale, another one of which is not comparable."""
    return lambda a, b: rule(a[1:], b[1:]) if a[0] == b[0] else Agreement.INCOMPARABLE


def _numbers(a: Norm, b: Norm) -> Agreement:
    """Compare numbers of one dimension: a rounded number (3.14) agrees, and 5 GB with 5000 MB and with 5120 MB."""
    if a[0] != b[0]:
        bare_agrees = "" in (a[0], b[0]) and math.isclose(float(a[1]), float(b[1]))
        return Agreement.COMPATIBLE if bare_agrees else Agreement.INCOMPARABLE
    first, second = float(a[1]), float(b[1])
    if 3 in (a[2], b[2]) and math.isclose(min(first, second) * 1000, max(first, second)):
        return Agreement.INCOMPARABLE
    if math.isclose(first, second, rel_tol=1e-9):
        return Agreement.SAME
    if a[3:] != b[3:]:
        return Agreement.INCOMPARABLE  # so many a minute, and so many a day
    if a[2] != b[2]:
        decimals = int(a[2]), int(b[2])
        coarse, fine = (first, second) if decimals[0] < decimals[1] else (second, first)
        if math.isclose(round(fine, min(decimals)), coarse):
            return Agreement.COMPATIBLE
    small, large = sorted((first, second))
    if a[0] == "data" and any(math.isclose(large, small * 1.024**power) for power in (1, 2, 3, 4)):
        return Agreement.COMPATIBLE
    return Agreement.DIFFERENT


def _dates(a: Norm, b: Norm) -> Agreement:
    """Compare dates by the fields that both give; the one that leaves out a field is less precise."""
    if a == b:
        return Agreement.SAME
    if a[0] != "day" or b[0] != "day":
        return Agreement.DIFFERENT if a[0] == b[0] == "weekday" else Agreement.INCOMPARABLE
    shared = [(x, y) for x, y in zip(a[1:], b[1:], strict=True) if x and y]
    if not shared:
        return Agreement.INCOMPARABLE
    return _judge(False, is_part=all(x == y for x, y in shared))


def _names(a: Norm, b: Norm) -> Agreement:
    """Compare names: a part agrees with the whole; short forms, and names that share a word, are not told apart."""
    if a == b:
        return Agreement.SAME
    first, second = set(a), set(b)
    if first <= second or second <= first:
        return Agreement.COMPATIBLE
    if first - GENERIC and second - GENERIC:
        first, second = first - GENERIC, second - GENERIC
    if _is_acronym(a, b) or _is_acronym(b, a):
        return Agreement.INCOMPARABLE
    if any(not str(word).isalpha() for word in first & second):
        return Agreement.INCOMPARABLE  # one model, of two names
    if first & second:
        is_last = first & second == {a[-1]} == {b[-1]}  # "Ana Silva", "Rui Silva"
        return Agreement.DIFFERENT if is_last and not _may_be_short(str(a[0]), str(b[0])) else Agreement.INCOMPARABLE
    if min(len(a), len(b)) == 1 and _may_be_short(str(a[0]), str(b[0])):
        return Agreement.INCOMPARABLE
    return Agreement.DIFFERENT


def _persons(a: Norm, b: Norm) -> Agreement:
    """Compare persons as names; two clearly different last names make two persons ("Ana Silva", "Ana Costa")."""
    agreement = _names(a, b)
    if agreement is not Agreement.INCOMPARABLE or set(a) & set(b) != {a[0]} or a[0] != b[0]:
        return agreement
    first, second = str(a[-1]), str(b[-1])
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    is_near = min(len(first), len(second)) < _LAST_NAME or ratio >= _ONE_NAME or _may_be_short(first, second)
    return Agreement.INCOMPARABLE if is_near else Agreement.DIFFERENT


def _is_acronym(short: Norm, long: Norm) -> bool:
    """Whether one word may stand for the first letters of several ("BBC")."""
    letters = str(short[0]).replace(".", "").replace("&", "")
    if len(short) > 1 or len(long) < 2:
        return False
    return letters in ("".join(str(word)[0] for word in long), "".join(str(w)[0] for w in long if w not in PARTICLES))


def _may_be_short(a: str, b: str) -> bool:
    groups = nickname_groups()
    return bool(groups.get(a, frozenset()) & groups.get(b, frozenset())) or a.startswith(b) or b.startswith(a)


def _places(a: Norm, b: Norm) -> Agreement:
    """Compare places on the most precise level that both name: a city with a city, a country with a country.

    Names that share a word may be one place ("Frankfurt am Main") unless the tables know both: "San Jose", "San Diego".
    """
    first, second = dict(zip(a[::2], a[1::2], strict=True)), dict(zip(b[::2], b[1::2], strict=True))
    if first == second:
        return Agreement.SAME
    shared = [level for level in _LEVELS if level in first and level in second]
    if not shared:
        return Agreement.INCOMPARABLE
    names = [(str(first[level]), str(second[level])) for level in shared]
    if all(x == y for x, y in names):
        is_nested = first.items() <= second.items() or second.items() <= first.items()
        return _judge(False, is_part=is_nested, is_unclear=True)
    are_known = all(is_known_place(str(shared[0]), name) for name in names[0])
    share_words = not set(_WORD_JOINTS.split(names[0][0])).isdisjoint(_WORD_JOINTS.split(names[0][1]))
    return _judge(False, is_unclear=share_words and not are_known)


def _hosts(a: Norm, b: Norm) -> Agreement:
    """Compare hosts: a short name agrees with the full one; an address and a name may be the same machine."""
    first, second = str(a[0]), str(b[0])
    is_part = first.startswith(f"{second}.") or second.startswith(f"{first}.")
    numeric = [name.replace(".", "").isdecimal() for name in (first, second)]
    return _judge(first == second, is_part=is_part, is_unclear=numeric[0] is not numeric[1])


def _is_same_url(a: Norm, b: Norm) -> bool:
    """Whether two addresses differ at most by their scheme and "www."."""
    bare, other = (str(norm[0]).partition("://")[2].removeprefix("www.") for norm in (a, b))
    return bare == other


def _paths(a: Norm, b: Norm) -> Agreement:
    """Compare paths: the end agrees with the whole, a folder with its contents; one below home may be either."""
    shorter, longer = sorted((str(norm[0]).removeprefix("./") for norm in (a, b)), key=len)
    is_part = longer.endswith(f"/{shorter}") or longer.startswith(f"{shorter}/")
    is_home = shorter.startswith("~") is not longer.startswith("~")
    tails = shorter.removeprefix("~"), longer.removeprefix("~")
    may_be_one = is_home and (tails[0].endswith(tails[1]) or tails[1].endswith(tails[0]))
    return _judge(a == b, is_part=is_part, is_unclear=may_be_one)


def _ends_alike(a: Norm, b: Norm) -> bool:
    """Whether a number ends as another one does, without its beginning: "INV-5561" and "5561"."""
    return str(a[0]).lstrip("0").endswith(str(b[0]).lstrip("0"))


def _zones(a: Norm, b: Norm) -> Agreement:
    """Compare time zones: named ones by their standard time, a plain offset with standard and daylight time."""
    overlap = a[1:2] == b[1:2] if a[0] and b[0] else bool(set(a[1:]) & set(b[1:]))
    is_unclear = overlap or len(a) < _ZONE_PARTS or len(b) < _ZONE_PARTS
    return _judge(a == b or bool(a[0] and a[0] == b[0]), is_unclear=is_unclear)


def _terms(a: Norm, b: Norm) -> Agreement:
    """Compare members of one family; details behind the member only make it more precise."""
    if a[0] != b[0]:
        is_wider = b[0] in WIDER.get(str(a[0]), ()) or a[0] in WIDER.get(str(b[0]), ())
        return _judge(False, is_part=is_wider)
    first, second = frozenset(a[1:]), frozenset(b[1:])
    return _judge(first == second, is_part=first <= second or second <= first, is_unclear=True)


def _streets(a: Norm, b: Norm) -> Agreement:
    """Compare addresses by house number and street."""
    first, second = set(a[1:]), set(b[1:])
    if first & second:
        return _judge(a == b, is_part=a[0] == b[0])
    return _judge(a == b, is_unclear=any(_may_be_short(str(x), str(y)) for x in first for y in second))


def _hours(a: Norm, b: Norm) -> Agreement:
    """Compare hours; "2 to 4" may be in either half of the day."""
    return _judge(all(float(x) % _HALF_DAY == float(y) % _HALF_DAY for x, y in zip(a, b, strict=True)))


def _frequencies(a: Norm, b: Norm) -> Agreement:
    """Compare frequencies; "every second Friday" may be "every two weeks"."""
    is_unclear = str(a[0]).endswith("weeks") is not str(b[0]).endswith("weeks")
    return _judge(a == b, is_unclear=is_unclear)


def _texts(a: Norm, b: Norm) -> Agreement:
    return _judge(a == b, is_unclear=True)


#: The rules by kind; values of any other kind agree only if they are equal.
_RULES: Final[dict[ValueKind, Rule]] = {
    ValueKind.VERSION: _in_part(lambda a, b: b[: len(a)] == a),  # 3.11 covers 3.11.4
    ValueKind.NUMBER: _numbers,
    ValueKind.MONEY: _on_one_scale(lambda a, b: _judge(math.isclose(float(a[0]), float(b[0])))),
    ValueKind.DATE: _dates,
    ValueKind.FREQUENCY: _frequencies,
    ValueKind.HOST: _hosts,
    ValueKind.URL: _in_part(_is_same_url),
    ValueKind.PATH: _paths,
    ValueKind.PHONE: _in_part(_ends_alike),
    ValueKind.TIMEZONE: _zones,
    ValueKind.NAME: _names,
    ValueKind.PERSON: _persons,
    ValueKind.PLACE: _places,
    ValueKind.TERM: _on_one_scale(_terms),
    ValueKind.TEXT: _texts,
    ValueKind.PHRASE: _names,
    ValueKind.STATEMENT: _texts,
    ValueKind.CODE: _in_part(_ends_alike),
    ValueKind.STREET: _streets,
    ValueKind.HOURS: _on_one_scale(_hours),
}


def _plain_name(value: Value) -> Norm:
    """The words of a name, whether a family knows it or not."""
    return tuple(str(value.norm[1]).split()) if value.kind is ValueKind.TERM else value.norm


def compare_values(a: Value, b: Value) -> Agreement:
    """How two values of the same slot agree; symmetric."""
    if a.kind is not b.kind:
        if {a.kind, b.kind} == {ValueKind.TERM, ValueKind.NAME}:
            return _names(_plain_name(a), _plain_name(b))
        return Agreement.INCOMPARABLE
    rule = _RULES.get(a.kind)
    return rule(a.norm, b.norm) if rule else _judge(a.norm == b.norm)
