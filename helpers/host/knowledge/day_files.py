"""What is remembered of single days beside `.state.json`, so that a chain's end pays for what is new (M-64, T-58).

`.counted/DAY.txt` holds the digests of the transactions that were counted, one a line; `.days/DAY.json` the counts of a
day that is over, for a window that reaches back. Both are written after `.state.json` and hold what stood in it: a
crash in between leaves to the next run what is still to be written.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from datetime import date, timedelta

from ...knowledge.files_protocol import KnowledgeFiles
from ...knowledge.memory import KnowledgeState, MemoryStateError
from ...knowledge.patterns import Tally, merge_tally, tally_from_json, tally_to_json

#: So many days with transactions stay in `.state.json`: the usual window and one more.
KEPT_DAYS = 8
#: So many transactions stay there before their digests go into the files of their days.
MOST_PENDING = 500
#: Counts of single days are kept so long; what is older is in the counts of all time.
COUNTED_DAYS = 62
#: Digests are kept so long; a log that is older, and was copied, is counted again.
KNOWN_DAYS = 400

_TALLIES, _DIGESTS = ".days/", ".counted/"


class DayFiles:
    """The files of single days in a place that keeps knowledge."""

    def __init__(self, files: KnowledgeFiles) -> None:
        self._files = files

    def digests(self, day: str) -> frozenset[str] | None:
        """Return which transactions of a day were counted; None if its file was never written."""
        text = self._files.read(_digests_name(day))
        return None if text is None else frozenset(text.split())

    def tally(self, day: str) -> Tally | None:
        """Return the counts of a day that is over; None where there is no file of it.

        Raises MemoryStateError where the file is damaged.
        """
        name = tally_name(day)
        text = self._files.read(name)
        if text is None:
            return None
        try:
            return tally_from_json(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as exc:
            raise MemoryStateError(
                f"{name} cannot be read ({type(exc).__name__}); allowed: what this pack wrote. Restore it from a copy,"
                " or delete it: the counts of all time stay"
            ) from exc

    def window(self, memory: KnowledgeState, first: str, last: str) -> Tally:
        """Return the counts of the days from `first` to `last`, those that `memory` holds no more among them (M-11)."""
        counted = memory.window(first, last)
        oldest = min(memory.days, default=first)
        if len(memory.days) >= KEPT_DAYS and first < oldest:
            end = min(date.fromisoformat(oldest) - timedelta(days=1), date.fromisoformat(last))
            for day in _days_up_to(end, date.fromisoformat(first)):
                merge_tally(counted, self.tally(day) or {})
        return counted

    def keep_digests(self, memory: KnowledgeState) -> None:
        """Move the digests out of `memory` once there are many; a second time changes nothing."""
        if sum(map(len, memory.tags.values())) <= MOST_PENDING:
            return
        for day, tags in sorted(memory.tags.items()):
            self._files.update(_digests_name(day), functools.partial(_joined, new=frozenset(tags)))
        memory.tags = {}

    def forget(self, latest: str) -> None:
        """Take away the files of days that lie too far before the latest one."""
        for prefix, kept in ((_TALLIES, COUNTED_DAYS), (_DIGESTS, KNOWN_DAYS)):
            oldest = (date.fromisoformat(latest) - timedelta(days=kept)).isoformat()
            for name in self._files.list(prefix):
                if name.removeprefix(prefix) < oldest:
                    self._files.delete(name)


def tally_name(day: str) -> str:
    """Return the name of the file that holds the counts of a day that is over."""
    return f"{_TALLIES}{day}.json"


def tally_to_text(tally: Tally) -> str:
    """Return what stands in that file."""
    return json.dumps(tally_to_json(tally), ensure_ascii=False, separators=(",", ":")) + "\n"


def days_that_are_over(memory: KnowledgeState) -> list[str]:
    """Return the days that `memory` need not hold any longer."""
    return sorted(memory.days)[:-KEPT_DAYS]


def _digests_name(day: str) -> str:
    return f"{_DIGESTS}{day}.txt"


def _joined(found: str | None, new: frozenset[str]) -> str:
    return "".join(f"{digest}\n" for digest in sorted(new.union((found or "").split())))


def _days_up_to(end: date, first: date) -> Iterable[str]:
    """Yield the days from `end` back to `first`, but no more than are kept."""
    for back in range(min(COUNTED_DAYS, (end - first).days + 1)):
        yield (end - timedelta(days=back)).isoformat()
