"""Where the work of reading logs is done: in this process, on all cores, or on a Dask cluster (M-11).

All three run the same pure functions over the same values and give the results in the same order.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

from ...errors import MemoryLedgerError
from ..storage.packages import install_command

Item = TypeVar("Item")
Result = TypeVar("Result")

#: What `--scheduler` says otherwise than the address of a cluster.
HERE, ALL_CORES = "here", "cores"


#: So long a cluster may be without a worker, which is looked for so often meanwhile.
PATIENCE_SECONDS = 30.0
_LOOKS = 10


class SchedulerError(MemoryLedgerError):
    """The work cannot be done where it should be."""


class Scheduler(Protocol):
    """Applies a function, importable by its name, to many items."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items."""
        ...


class Here:
    """One after the other, in this process."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results as they are asked for."""
        return map(function, items)


class Cores:
    """On all cores of this machine."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in order, as they are done."""
        return self._pool.map(function, items)


class Cluster:
    """On the workers of a Dask cluster, which see the logs under the same paths.

    Dask waits for ever for a worker; here it is an error if there is none for `patience_seconds`.
    """

    def __init__(self, client: Any, patience_seconds: float) -> None:
        self._client, self._patience_seconds = client, patience_seconds

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in order; a result leaves the cluster when it is yielded."""
        futures = self._client.map(function, items, pure=False)
        while futures:
            yield self._result_of(futures.pop(0))

    def _result_of(self, future: Any) -> Any:
        looks_without_worker = 0
        while looks_without_worker < _LOOKS:
            try:
                return future.result(timeout=self._patience_seconds / _LOOKS)
            except TimeoutError:
                if future.done():
                    return future.result()
                looks_without_worker = 0 if self._client.nthreads() else looks_without_worker + 1
        raise SchedulerError(
            f"the Dask scheduler at {self._client.scheduler.address} has had no worker for"
            f" {self._patience_seconds:g} seconds; start one, and run this again: nothing was counted twice or lost"
        )


@contextlib.contextmanager
def open_scheduler(where: str, *, patience_seconds: float = PATIENCE_SECONDS) -> Iterator[Scheduler]:
    """Open the scheduler that `where` names: `here`, `cores`, or the address of a Dask scheduler.

    A cluster without a worker for `patience_seconds` is an error.
    """
    if where == HERE:
        yield Here()
    elif where == ALL_CORES:
        # Not forked: the host's process has threads, which a fork would leave with their locks taken.
        with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
            yield Cores(pool)
    elif "://" in where:
        with _open_client(where) as client:
            yield Cluster(client, patience_seconds)
    else:
        raise SchedulerError(
            f"scheduler is {where!r}; allowed: {HERE}, {ALL_CORES}, or an address such as tcp://host:8786"
        )


@contextlib.contextmanager
def _open_client(address: str) -> Iterator[Any]:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as exc:
        raise SchedulerError(f"{address} needs Dask; `{install_command('distributed')}` brings it") from exc
    try:
        client = distributed.Client(address, timeout=10)
    except OSError as exc:
        raise SchedulerError(f"no Dask scheduler answers at {address}: {exc}") from exc
    with client:
        yield client


def in_order(scheduler: Scheduler, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield the results of `function`; a single item is not worth sending anywhere."""
    listed = list(items)
    return map(function, listed) if len(listed) < 2 else scheduler.map(function, listed)
