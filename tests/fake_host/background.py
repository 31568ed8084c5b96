"""The host's threads: workers, and a second event loop on a thread called "Background" (contract section 4)."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from time import sleep
from typing import Any

_WAITING = ("worker", "Background", "asyncio", "memory-ledger-embed")
_STOP_SECONDS = 10


class Workers(ThreadPoolExecutor):
    """The worker threads of one host process; it knows what is under way on them."""

    def __init__(self) -> None:
        super().__init__(thread_name_prefix="worker")
        self.pending: set[Future[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads_before = set(threading.enumerate())
        #: What ran on the loop before the host did, such as the browser of a test.
        self.tasks_before: set[asyncio.Task[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future = super().submit(fn, *args, **kwargs)
        self.pending.add(future)
        future.add_done_callback(self.pending.discard)
        return future

    def serve_running_loop(self) -> None:
        """Become what the running loop uses for `to_thread` and the like."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            loop.set_default_executor(self)
            self._loop, self.tasks_before = loop, asyncio.all_tasks()

    def threads_of_packs(self) -> list[threading.Thread]:
        """Return what was started since, by whoever it was, except what waits for work of its own."""
        began = set(threading.enumerate()) - self._threads_before - {threading.current_thread()}
        return [thread for thread in began if not thread.name.startswith(_WAITING)]

    def stop(self) -> None:
        """What has not begun never happens; what has begun ends, at once where a thread can be cancelled."""
        self.shutdown(wait=True, cancel_futures=True)
        for thread in self.threads_of_packs():
            getattr(thread, "cancel", bool)()  # as at the exit of the interpreter, which a kill never reaches
            join(thread, _STOP_SECONDS)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))


def join(thread: threading.Thread, timeout: float | None = None) -> None:
    """Wait for the end of a thread, also of one that is just being started."""
    while not thread.is_alive() and thread in threading.enumerate():
        sleep(0)
    thread.join(timeout)


class Gate:
    """A place where a coroutine waits until the test opens it."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = asyncio.Event()

    async def hold(self) -> None:
        """Say that somebody is here, and wait."""
        self.reached.set()
        await self._opened.wait()

    def open(self) -> None:
        self._opened.set()


class BackgroundLoop:
    """An event loop on a thread of its own, started at the first use."""

    def __init__(self, thread_name: str = "Background") -> None:
        self._thread_name = thread_name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, coroutine: Coroutine[Any, Any, Any]) -> "Future[Any]":
        """Start a coroutine on the thread; the caller's context variables go with it."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name=self._thread_name, daemon=True)
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """End everything that still runs there, and the thread."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._cancel_all(), self._loop).result(_STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_STOP_SECONDS)
        self._loop.close()
        self._loop = self._thread = None

    @staticmethod
    async def _cancel_all() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.get_running_loop().shutdown_default_executor()
