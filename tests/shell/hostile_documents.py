"""Metadata as a model, another pack or a broken host may leave it: what the tests of hostile metadata draw from."""

import uuid
from collections import OrderedDict, UserDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from functools import partial
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from memory_ledger.errors import shorten

TEXTS = (
    "User's project uses Python 3.9",
    "User's project uses Python 3.11",
    "The port of the shop is 8080",
    "Actually, the port of the shop is 8443",
    "User likes green tea",
    "User does not like green tea",
    "",
    "half a character \ud83d and a nul \0",
    "名前は田中です",
    '{"subject": "shop", "property": "port", "value": 8080}',
    "x" * 20_000,
)


class Area(Enum):
    """What v0.9.7 stores for the area of a knowledge file."""

    MAIN = "main"


class Odd(Enum):
    """Members whose values are no text."""

    COMPLEX = 1 + 2j
    NESTED = ((1, 2), (3,))
    BYTES = b"\xff"


class Number(IntEnum):
    """A number that is a member."""

    ONE = 1


class Name(StrEnum):
    """A text that is a member."""

    CONFIRMED = "confirmed"


class Spiteful:
    """Raises wherever it is asked something that plain data answers."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __str__(self) -> str:
        raise RuntimeError("no str")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __hash__(self) -> int:
        return 7

    def __len__(self) -> int:
        raise RuntimeError("no length")


class SpitefulMapping(UserDict[str, Any]):
    """A mapping that does not let itself be looked at."""

    def __iter__(self) -> Any:
        raise RuntimeError("no keys")


class Counted(dict[str, Any]):
    """Counts how often one of its kind is looked through."""

    looks = 0

    def values(self) -> Any:
        Counted.looks += 1
        return super().values()

    def items(self) -> Any:
        Counted.looks += 1
        return super().items()

    @classmethod
    def in_many_places(cls, levels: int) -> "Counted":
        """Return a few of them that ten ways a level lead through; nothing is counted yet."""
        value = cls(end=1)
        for _ in range(levels):
            value = cls({str(number): value for number in range(10)})
        cls.looks = 0
        return value


def cycle_of_lists() -> list[Any]:
    """Return a list that holds itself."""
    value: list[Any] = [1]
    value.append(value)
    return value


def cycle_of_dicts() -> dict[str, Any]:
    """Return a dict that holds itself, two levels down."""
    value: dict[str, Any] = {"validity": "confirmed"}
    value["deeper"] = {"again": value}
    return value


def cycle_of_links() -> dict[str, Any]:
    """Return a record that is linked to itself."""
    value: dict[str, Any] = {"relationships": [], "supersedes": "m0001"}
    value["relationships"].append(value)
    return value


def nested(levels: int) -> Any:
    """Return so many lists in each other."""
    value: Any = "end"
    for number in range(levels):
        value = [value] if number % 2 else {"k": value}
    return value


def laughs(levels: int = 30, width: int = 10) -> Any:
    """Return a small object that is huge to whoever follows every path through it."""
    value: Any = "ha"
    for _ in range(levels):
        value = [value] * width
    return value


def laughing_dict(levels: int = 19) -> dict[str, Any]:
    """Return the same of dicts, no deeper than what is stored as plain data."""
    value: dict[str, Any] = {"ha": 1}
    for _ in range(levels):
        value = {str(number): value for number in range(10)}
    return value


def count_paths(value: Any, known: dict[int, int] | None = None) -> int:
    """Return how many values are met on all paths through `value`; what holds itself is met once, as in its repr."""
    known = {} if known is None else known
    if id(value) not in known:
        known[id(value)] = 1
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        known[id(value)] += sum(count_paths(one, known) for one in inner)
    return known[id(value)]


def _itself(value: Any) -> Any:
    return value


#: What nobody can change, so that documents may share it.
_FIXED: tuple[Any, ...] = (
    *(None, True, -1, 2**70, 10**5_000, 0.1, float("nan"), float("-inf"), 1 + 2j, Decimal("NaN"), Fraction(1, 3)),
    *("", "confirmed", "né", "m0001", "m:m0001", "\ud800", "nul \0 in it", "a" * 100_000, "[" * 50_000),
    '{"validity": "confirmed", "relevance": "active", "utility": "load_bearing", "source": "user_asserted"}',
    *('{"a": NaN, "b": 1e999}', "null", "2026-02-19T10:00:00Z", "0001-01-01T00:00:00+14:00"),
    *("9999-12-31T23:59:59-14:00", b"\xff\x00", datetime(2026, 1, 1)),  # noqa: DTZ001 - naive on purpose
    *(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), datetime(2026, 1, 1, tzinfo=UTC), date(2026, 1, 1)),
    *(time(12), timedelta(days=-1), uuid.UUID(int=7), PurePosixPath("/etc"), Area.MAIN, Odd.COMPLEX, Odd.NESTED),
    *(Odd.BYTES, Number.ONE, Name.CONFIRMED, np.float32(0.5), np.float64("nan"), np.int64(3), np.bool_(True)),
    *(np.datetime64("2026-01-01"), np.str_("confirmed"), frozenset(("a", "b")), (1, (2, (3,))), range(3), object),
    *(len, ...),
)
#: Each is made anew: an example may share it between two documents, never with another example.
ODDITIES: tuple[Callable[[], Any], ...] = (
    *(partial(_itself, one) for one in _FIXED),
    lambda: bytearray(b"\xff"),
    lambda: np.array([1.0, 2.0]),
    lambda: np.array([]),
    lambda: {1, 2},
    lambda: OrderedDict(validity="confirmed"),
    lambda: UserDict(validity="confirmed"),
    lambda: {1: 2, None: 3, ("a",): 4},
    lambda: {"\ud800": 1},
    lambda: {Spiteful(): 1},
    lambda: {10**5_000: 1},
    lambda: SimpleNamespace(value="main"),
    lambda: SimpleNamespace(value=Spiteful()),
    *(Spiteful, cycle_of_lists, cycle_of_dicts, cycle_of_links, laughs, laughing_dict),
    lambda: SpitefulMapping(validity="confirmed"),
    lambda: list(range(20_000)),
    lambda: {str(number): number for number in range(200)},
    *(partial(nested, levels) for levels in (15, 19, 150)),
    lambda: cycle_of_links()["relationships"],
)

_CLASSIFICATION = {
    "validity": ("confirmed", "inferred", "deprecated"),
    "relevance": ("active", "dormant"),
    "utility": ("load_bearing", "tactical", "archived"),
    "source": ("user_asserted", "agent_inferred", "bookshelf_document", "external_retrieved"),
}
_TIMES = ("2020-01-01T00:00:00+00:00", "2026-02-19T10:00:00Z", "2999-01-01T00:00:00Z")
_IDS = ("m0001", "m0002", "m0003", "m:m0002", "nobody")
_LINEAGE: dict[str, tuple[Any, ...]] = {
    "created_at": _TIMES,
    "created_by_role": ("root", "developer"),
    "supersedes": (*_IDS, ["m0001", "m0002"]),
    "superseded_by": _IDS,
    "access_count": (0, 7, 10**9),
    "last_accessed": _TIMES,
    "bst_domain": ("coding", "cooking"),
    "classified_at_cycle": (0, 10**9),
    "last_access_cycle": (0, 10**9),
    "deprecated_at": _TIMES,
    "deprecated_reason": ("forged",),
    "supersedes_ids": (list(_IDS),),
    "related_memory_ids": (list(_IDS), ["m0001"] * 50),
    "outdated_parts": ([{"text": "Python", "by": "m0001", "at": _TIMES[0]}],),
    "stated_at": _TIMES,
    "stated_from": _TIMES,
    "is_correction": (True,),
    "fingerprint": ("0123456789abcdef",),
    "seal": ("0123456789abcdef01234567", "", "seal", "né"),
    "voucher": ({"settles": True, "seal": "né"},),
}
_QUALITY: dict[str, tuple[Any, ...]] = {
    "score": (1.0,),
    "confidence": (1.0,),
    "conflictRisk": (0.0, 1.0),
    "conflict_risk": (0.5,),
    "validatedAt": _TIMES,
    "validationErrors": (["none"],),
    "relationships": ([{"type": "supports", "target": "m0001"}],),
    "citedBy": (list(_IDS),),
}
_FOREIGN_KEYS = (
    *"area timestamp origin source content knowledge_source source_path consolidation_action updated_from tags".split(),
    *("vault_id", "vault_version", "vault_scope", "vault_mark", "_consolidation_similarity", "", "\ud800"),
)

odd = st.sampled_from(ODDITIES).map(lambda make: make())


def _record(fields: dict[str, tuple[Any, ...]], *, is_whole: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a forged record: plausible values, and up to two oddities among them or beside them."""
    plausible = {name: st.sampled_from(values) for name, values in fields.items()}
    forged = st.fixed_dictionaries(plausible) if is_whole else st.fixed_dictionaries({}, optional=plausible)
    odd_fields = st.dictionaries(st.sampled_from((*fields, "other", "\ud800")), odd, max_size=2)
    return st.tuples(forged, odd_fields, st.booleans()).map(lambda one: one[0] | (one[1] if one[2] else {}))


LEDGER = st.fixed_dictionaries(
    {},
    optional={
        "classification": _record(_CLASSIFICATION, is_whole=True) | odd,
        "lineage": _record(_LINEAGE, is_whole=False) | odd,
        "quality": _record(_QUALITY, is_whole=False) | odd,
    },
)
FOREIGN = st.dictionaries(st.sampled_from(_FOREIGN_KEYS), odd, max_size=3)


@dataclass(frozen=True, slots=True)
class Row:
    """A document to insert; it may share the ledger's metadata of the one `back` rows before it."""

    text: str
    ledger: dict[str, Any]
    foreign: dict[str, Any]
    back: int

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Let a failing example be shown: what it holds may not bear being looked at."""
        parts = (shorten(self.text), shorten(self.ledger, 300), shorten(self.foreign, 200), str(self.back))
        printer.text(f"Row({', '.join(parts)})")


ROW = st.tuples(st.sampled_from(TEXTS), LEDGER, FOREIGN, st.sampled_from((0, 0, 0, 1, 2))).map(lambda one: Row(*one))
