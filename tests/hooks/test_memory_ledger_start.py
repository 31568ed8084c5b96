"""monologue_start/_05_memory_ledger_start: the chat does not wait for our imports."""

import sys
import threading
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest
from fake_host import FakeHost

#: How a hook is found and started differs from one generation to the next.
pytestmark = pytest.mark.every_generation

CAT = "The cat sleeps on the printer."


class ImportLog:
    """Told of every module that is looked for; finds none."""

    def __init__(self) -> None:
        self.threads: dict[str, threading.Thread] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Note which thread imports a module of the pack's helpers."""
        if ".memory_ledger.helpers." in name:
            self.threads[name.rpartition(".memory_ledger.helpers.")[2]] = threading.current_thread()
        return None


@pytest.fixture
def imports() -> Iterator[ImportLog]:
    """What is imported from now on, and by which thread."""
    log = ImportLog()
    sys.meta_path.insert(0, log)
    yield log
    sys.meta_path.remove(log)


async def test_the_loop_imports_next_to_nothing(host: FakeHost, imports: ImportLog) -> None:
    """C-74: the first turn of a process loads the pack in a worker thread; the loop's own thread loads two modules."""
    host.purge_plugins()
    await host.turn("Where does the cat sleep?", fragments=[CAT])
    assert "host.hooks" in imports.threads and len(imports.threads) > 100
    here = {name for name, thread in imports.threads.items() if thread is threading.current_thread()}
    assert here == {"host", "host.extension"}


async def test_it_is_loaded_while_the_host_gets_ready(host: FakeHost, imports: ImportLog) -> None:
    """C-74: a thread begins with that as soon as there is an agent, so that the first turn finds it done."""
    host.purge_plugins()
    imports.threads.clear()
    await host.restart()
    await host.settle()
    assert imports.threads["host.hooks"].name == "memory-ledger-load"
    imports.threads.clear()
    await host.turn("Where does the cat sleep?", fragments=[CAT])
    assert imports.threads == {}


async def test_without_it_the_hooks_load_the_pack_themselves(host: FakeHost, imports: ImportLog) -> None:
    """C-07: each hook file works alone."""
    for path in host.root.rglob("_05_memory_ledger_start.py"):
        path.unlink()
    host.purge_plugins()
    await host.turn("The cat sleeps on the printer", fragments=[CAT])
    await host.finish_memorizing()
    assert CAT in (await host.turn("The cat sleeps on the what")).prompt.memories
