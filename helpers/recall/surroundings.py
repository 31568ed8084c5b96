"""What stands around a memory: what was written just before and after it, and on the same occasion (T-66). Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64]

#: So far apart two memories still lend to each other.
REACH: Final = 2
#: What was written so close to a memory counts as its surroundings.
_AROUND: Final = 8
#: At most so many seconds lie between memories of one occasion.
OCCASION: Final = 3600.0
#: Similarities of what was found differ by so much at least, or their differences mean nothing.
_LEAST_SPAN: Final = 0.05


class Neighbourhood(NamedTuple):
    """What was written around a memory on one occasion, each as its relevance by the searches, in 0..1.

    Just `before` and `after` it, two away (`second`), up to eight away by words alone (`around`), before it where that
    is a question (`answered`), and the three best of the whole `occasion` by words; `lender` is the place of the best.
    """

    before: float = 0.0
    after: float = 0.0
    second: float = 0.0
    around: float = 0.0
    answered: float = 0.0
    occasion: float = 0.0
    lender: int | None = None


ALONE: Final = Neighbourhood()


def look_around(
    places: Sequence[int],
    occasions: npt.NDArray[np.int64],
    fused: Mapping[int, float],
    shares: Column,
    asks_at: Callable[[int], bool],
) -> list[Neighbourhood]:
    """Return what stands around each of `places`, as far as it was written on the same occasion.

    `occasions` numbers the occasion of each position of a store, shape (n,), in their order; `fused` is the relevance
    by both searches, in 0..1, of the places that were looked at, `shares` that by words alone of all, shape (n,).
    """
    found = []
    best_of: dict[tuple[int, int], float] = {}  # many candidates may be of one long occasion
    own = occasions[list(places)]
    firsts, lasts = (np.searchsorted(occasions, own, side).tolist() for side in ("left", "right"))
    for place, first, last in zip(places, firsts, lasts, strict=True):
        if (first, last) not in best_of:
            best_of[first, last] = float(np.sort(shares[first:last])[-3:].sum()) / 3.0
        low, high = max(first, place - _AROUND), min(last, place + _AROUND + 1)
        beside = {
            step: fused.get(place + step, 0.0)
            for step in range(-REACH, REACH + 1)
            if step and low <= place + step < high
        }
        around = np.concatenate([shares[low:place], shares[place + 1 : high]])
        best = max(beside, key=lambda step: (beside[step], step), default=0)
        before = beside.get(-1, 0.0)
        found.append(
            Neighbourhood(
                before=before,
                after=beside.get(1, 0.0),
                second=max(beside.get(-2, 0.0), beside.get(2, 0.0)),
                around=float(around.max(initial=0.0)),
                answered=before if before and asks_at(place - 1) else 0.0,
                occasion=best_of[first, last],
                lender=place + best if beside.get(best, 0.0) > 0.0 else None,
            )
        )
    return found


def fuse(similar: Column, shares: Column) -> Column:
    """Return the relevance by both searches, in 0..1: half of it by meaning, among what was found, half by words."""
    least = similar.min(initial=1.0)
    near = (similar - least) / max(similar.max(initial=0.0) - least, _LEAST_SPAN)
    return np.asarray(0.5 * near + 0.5 * shares)
