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
from .names import GENERIC, PARTICLES, is_known_place, may_be_short

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
    """The agreement of two values of one slot."""

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
    (small, rough), (large, fine) = sorted((float(norm[1]), int(norm[2])) for norm in (a, b))
    if a[0] != b[0]:
        return _judge(False, is_part="" in (a[0], b[0]) and math.isclose(small, large), is_unclear=True)
    is_thousand = 3 in (rough, fine) and math.isclose(small * 1000, large)
    if is_thousand or (a[3:] != b[3:] and not math.isclose(small, large)):
        return Agreement.INCOMPARABLE  # so many a minute, and so many a day
    coarse, exact = (small, large) if rough < fine else (large, small)
    is_rounded = rough != fine and math.isclose(round(exact, min(rough, fine)), coarse)
    is_power = a[0] == "data" and any(math.isclose(large, small * 1.024**power) for power in (1, 2, 3, 4))
    return _judge(math.isclose(small, large), is_part=is_rounded or is_power)


def _dates(a: Norm, b: Norm) -> Agreement:
    """Compare dates by the fields that both give; the one that leaves out a field is less precise."""
    if a[0] != "day" or b[0] != "day":
        return _judge(a == b, is_unclear=not a[0] == b[0] == "weekday")
    shared = [x == y for x, y in zip(a[1:], b[1:], strict=True) if x and y]
    return _judge(a == b, is_part=bool(shared) and all(shared), is_unclear=not shared)


def _names(a: Norm, b: Norm) -> Agreement:
    """Compare names: a part agrees with the whole; short forms, and names that share a word, are not told apart."""
    first, second = set(a), set(b)
    if first <= second or second <= first:
        return _judge(a == b, is_part=True)
    if first - GENERIC and second - GENERIC:
        first, second = first - GENERIC, second - GENERIC
    shared = first & second
    is_one_model = any(not str(word).isalpha() for word in shared)
    is_last = shared == {a[-1]} == {b[-1]}  # "Ana Silva", "Rui Silva"
    are_alike = (is_last or min(len(a), len(b)) == 1) and may_be_short(str(a[0]), str(b[0]))
    is_unclear = _is_acronym(a, b) or _is_acronym(b, a) or is_one_model or are_alike
    return _judge(False, is_unclear=is_unclear or bool(shared and not is_last))


def _persons(a: Norm, b: Norm) -> Agreement:
    """Compare persons as names; two clearly different last names make two persons ("Ana Silva", "Ana Costa")."""
    agreement = _names(a, b)
    if agreement is not Agreement.INCOMPARABLE or set(a) & set(b) != {a[0]} or a[0] != b[0]:
        return agreement
    first, second = str(a[-1]), str(b[-1])
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    is_near = min(len(first), len(second)) < _LAST_NAME or ratio >= _ONE_NAME or may_be_short(first, second)
    return _judge(False, is_unclear=is_near)


def _is_acronym(short: Norm, long: Norm) -> bool:
    """Whether one word may stand for the first letters of several ("BBC")."""
    letters = str(short[0]).replace(".", "").replace("&", "")
    initials = ["".join(str(word)[:1] for word in words) for words in (long, [w for w in long if w not in PARTICLES])]
    return len(short) == 1 and len(long) > 1 and letters in initials


def _places(a: Norm, b: Norm) -> Agreement:
    """Compare places on the most precise level that both name: a city with a city, a country with a country.

    Names that share a word may be one place ("Frankfurt am Main") unless the tables know both: "San Jose", "San Diego".
    """
    first, second = dict(zip(a[::2], a[1::2], strict=True)), dict(zip(b[::2], b[1::2], strict=True))
    shared = [level for level in _LEVELS if level in first and level in second]
    if not shared or all(first[level] == second[level] for level in shared):
        is_nested = bool(shared) and (first.items() <= second.items() or second.items() <= first.items())
        return _judge(first == second, is_part=is_nested, is_unclear=True)
    names = str(first[shared[0]]), str(second[shared[0]])
    are_known = all(is_known_place(shared[0], name) for name in names)
    share_words = not set(_WORD_JOINTS.split(names[0])).isdisjoint(_WORD_JOINTS.split(names[1]))
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
    shares_street = not set(a[1:]).isdisjoint(b[1:])
    is_unclear = not shares_street and any(may_be_short(str(x), str(y)) for x in a[1:] for y in b[1:])
    return _judge(a == b, is_part=shares_street and a[0] == b[0], is_unclear=is_unclear)


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


def compare_values(a: Value, b: Value) -> Agreement:
    """Return the agreement of two values of the same slot; symmetric."""
    if {a.kind, b.kind} == {ValueKind.TERM, ValueKind.NAME}:
        first, second = (str(v.norm[1]).split() if v.kind is ValueKind.TERM else v.norm for v in (a, b))
        return _names(tuple(first), tuple(second))
    if a.kind is not b.kind:
        return Agreement.INCOMPARABLE
    rule = _RULES.get(a.kind)
    return rule(a.norm, b.norm) if rule else _judge(a.norm == b.norm)
