"""How long one thing holds an event loop in one go, and how late the loop runs while it goes on."""

from __future__ import annotations

import asyncio
from asyncio import events
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter, thread_time
from typing import Any

_NAP_SECONDS = 0.0005


@dataclass(slots=True)
class Hold:
    """The longest step of the loop's thread in CPU and in wall-clock time, and how late a probe task came at most.

    Work in another thread makes the loop late as well, as far as it keeps the interpreter to itself.
    """

    cpu: float = 0.0
    wall: float = 0.0
    late: float = 0.0


@dataclass(slots=True)
class Interruptions:
    """When something else, that is not to count, was going on."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, whose calls do not count."""

        def noted(*arguments: Any, **options: Any) -> Any:
            start = perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self.spans.append((start, perf_counter()))

        return noted

    def meet(self, start: float, end: float) -> bool:
        """Whether one of them fell between two moments."""
        return any(begun <= end and ended >= start for begun, ended in self.spans)


async def watch(run: Callable[[], Awaitable[object]], apart: Interruptions | None = None) -> Hold:
    """Return how `run()` held the loop; what meets one of `apart` does not count for how late the loop came."""
    hold, late = Hold(), []
    probe = asyncio.create_task(_probe(late))
    await asyncio.sleep(2 * _NAP_SECONDS)
    late.clear()
    with _timed_steps(hold):
        await asyncio.ensure_future(run())
        await asyncio.sleep(0)
    await asyncio.sleep(2 * _NAP_SECONDS)
    probe.cancel()
    with suppress(asyncio.CancelledError):
        await probe
    hold.late = max((end - start for start, end in late if apart is None or not apart.meet(start, end)), default=0.0)
    return hold


async def _probe(late: list[tuple[float, float]]) -> None:
    while True:
        due = perf_counter() + _NAP_SECONDS
        await asyncio.sleep(_NAP_SECONDS)
        late.append((due, perf_counter()))


@contextmanager
def _timed_steps(hold: Hold) -> Iterator[None]:
    """Time every callback of the running loop: a step of a task, from one await to the next, is one."""
    original = events.Handle._run

    def run(handle: Any) -> None:
        wall, cpu = perf_counter(), thread_time()
        original(handle)
        hold.cpu = max(hold.cpu, thread_time() - cpu)
        hold.wall = max(hold.wall, perf_counter() - wall)

    events.Handle._run = run  # type: ignore[method-assign]
    try:
        yield
    finally:
        events.Handle._run = original  # type: ignore[method-assign]
