"""Cases as data, and the tests that read a whole table of them.

A file of cases is JSON Lines, a row of texts on each line; an object tells what the rows after it are about.
"""

import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

Row = tuple[str, ...]
#: Of pairs of data/duplicates: what differs is that one of the two says more, and covers the other.
SAYS_MORE = ("extra information", "more said", "quantifier, more said")


def read_rows(*paths: Path) -> tuple[Row, ...]:
    """Return the rows of all files, without what tells about them."""
    lines = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return tuple(tuple(line) for line in lines if isinstance(line, list))


def every_row(rows: Iterable[Sequence[Any]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let one test check every row of a table, which comes as its first arguments; it names each row that fails.

    A thousand rows as a thousand tests would cost more than what is checked.
    """
    table = [tuple(row) for row in rows]
    assert table, "a table without rows proves nothing"

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        @wraps(check)
        def test(**fixtures: Any) -> None:
            failed = [f"{row}\n{error}" for row in table if (error := _error_of(check, row, fixtures))]
            assert not failed, f"{len(failed)} of {len(table)} rows:\n" + "\n".join(failed)

        names = list(inspect.signature(check).parameters.values())[len(table[0]) :]
        test.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
        return test

    return decorate


def _error_of(check: Callable[..., None], row: tuple[Any, ...], fixtures: dict[str, Any]) -> str:
    try:
        check(*row, **fixtures)
    except Exception as error:  # noqa: BLE001 - whatever it is, the rows after it are checked as well
        return f"    {type(error).__name__}: {error}"
    return ""
