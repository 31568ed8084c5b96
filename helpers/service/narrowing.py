"""Which entries a list is narrowed to, and in which order they stand (C-30, T-66)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from ..host.docstore.entries import PLACES
from ..host.docstore.entries import Row as Entry
from ..records import Utility, Validity
from .arguments import IN_USE, Filters

_UTILITIES = (Utility.LOAD_BEARING.value, Utility.TACTICAL.value, Utility.ARCHIVED.value, "")
ID = PLACES["id"]
_EQUAL = ("source", "validity", "utility", "relevance", "area", "domain", "role")


def narrow(entries: Sequence[Entry], filters: Filters) -> list[Entry]:
    """Return the entries that all filters let through."""
    is_in_use = filters.validity == IN_USE
    at, tags, validity = PLACES["at"], PLACES["tags"], PLACES["validity"]
    found = [one for one in entries if one[validity] != Validity.DEPRECATED] if is_in_use else [*entries]
    for name in _EQUAL:
        place, value = PLACES[name], getattr(filters, name)
        if value and not (is_in_use and name == "validity"):
            found = [one for one in found if one[place] == value]
    if filters.tag:
        found = [one for one in found if filters.tag in one[tags]]
    if filters.since is not None:
        since = filters.since.timestamp()
        found = [one for one in found if one[at] >= since]
    if filters.until is not None:
        until = filters.until.timestamp()
        found = [one for one in found if one[at] <= until]
    return found


def matching(entries: Sequence[Entry], query: str, worded: frozenset[str]) -> list[Entry]:
    """Return the entries that hold `query` as it is written, or are among the `worded`; all for no query."""
    plain, text = query.casefold(), PLACES["text"]
    return [one for one in entries if not plain or one[ID] in worded or plain in one[text].casefold()]


def order(entries: Sequence[Entry], sort: str, scores: Callable[[], Mapping[str, float]]) -> list[Entry]:
    """Return the entries in the order that is asked for; what is equal in it newest first.

    Sorting happens outside the interpreter, which a host's chats need meanwhile.
    """
    at, utility, shown = PLACES["at"], PLACES["utility"], PLACES["shown"]
    newest = _descending(entries[::-1], [one[at] for one in entries[::-1]])
    if sort == "oldest":
        return newest[::-1]
    if sort == "utility":
        return _descending(newest, [-_UTILITIES.index(one[utility]) for one in newest])
    if sort == "shown":
        return _descending(newest, [one[shown] for one in newest])
    if sort == "quality":
        known = scores()
        return _descending(newest, [known.get(one[ID], 0.0) for one in newest])
    return newest


def _descending(entries: Sequence[Entry], keys: Sequence[float]) -> list[Entry]:
    if all(one >= other for one, other in pairwise(keys)):
        return [*entries]
    import numpy as np  # a command that lists what was written in the order of time does without

    places = np.argsort(-np.array(keys, dtype=np.float64), kind="stable")
    return [entries[place] for place in places.tolist()]
