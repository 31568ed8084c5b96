"""What the pack keeps of a folder ends with the host's own store of it."""

import gc
import weakref

from fake_host import FakeHost
from hook_tools import settle, use_folder


async def test_a_store_that_the_host_dropped_is_kept_by_nobody(host: FakeHost) -> None:
    """C-74: no cache, thread or task of the pack holds a folder, or a host that is never restarted would fill up."""
    memory = await host.memory()
    await host.insert("User likes tea")
    await host.turn("What do I drink?", tool_calls=[("memory_load", {"query": "likes tea"})])
    await settle(host)
    await host.settle()
    await host.finish_memorizing()
    store = weakref.ref(memory.db)
    del memory
    use_folder(host, "another")
    await host.restart(hard=False)
    await host.turn("What do I drink?")
    await settle(host)
    gc.collect()
    assert store() is None
