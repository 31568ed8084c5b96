"""Whether a cost grows with the length of a text and no faster: a ratio of two measurements, never seconds."""

from collections.abc import Callable
from time import thread_time
from timeit import timeit

_TIMES = 4  # how much longer the long text is
_MOST = 8.0  # a linear reader costs 4 times as much, a quadratic one 16 times: the middle of the two
_FLOOR = 0.01  # seconds of processor time; what is less drowns in noise and keeps nobody waiting
_TRIES = 5


def grows_linearly(read: Callable[[int], object], longest: int) -> bool:
    """Whether a text of `longest` characters costs about four times as much as one of a quarter of that.

    `read` gets a length and reads a text of that length. One good try is enough, as other work on the machine can
    spoil a measurement but not better it; no try repeats a text, which might be kept from the last time.
    """
    return any(_grown(read, longest - attempt * _TIMES) < _MOST for attempt in range(_TRIES))


def _grown(read: Callable[[int], object], longest: int) -> float:
    short = _seconds(read, longest // _TIMES)
    return _seconds(read, longest) / max(short, _FLOOR)


def _seconds(read: Callable[[int], object], length: int) -> float:
    return timeit(lambda: read(length), timer=thread_time, number=1)  # and no garbage collector runs meanwhile
