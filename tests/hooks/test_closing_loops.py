"""The host's loop ends, or lets go of a store, with work of ours left: no message, nothing half done or kept (C-74)."""

import gc
import weakref

from fake_host import FakeHost
from hook_tools import CLASSIFIER, axes, find, rest, settle, use_folder

ALL_HOOKS = (
    "message_loop_prompts_after/_55_memory_relevance_filter",
    "message_loop_prompts_after/_56_memory_enhancement",
    "before_main_llm_call/_05_memory_access_counter",
    CLASSIFIER,
    "monologue_end/_57_memory_maintenance",
    "monologue_end/_58_memory_ledger_audit_end",
    "monologue_end/_59_memory_ledger_knowledge",
)


async def test_a_loop_without_threads_ends_in_silence(host: FakeHost) -> None:
    """C-74: nothing is reported, what was not begun is begun by the next run, and what is known is saved."""
    await host.turn("I like tea.")
    await rest(host)
    await host.insert("The user likes tea")
    host.process.workers.shutdown(wait=True)
    for name in ALL_HOOKS:
        await host.run(name)
    assert not host.hook_errors
    assert not [one.heading for one in host.warnings]
    assert "classification" not in find(host, "likes tea").metadata
    await host.restart()
    await host.run(CLASSIFIER)
    assert axes(find(host, "likes tea"))[3] == "user_asserted"


async def test_a_store_that_the_host_dropped_is_kept_by_nobody(host: FakeHost) -> None:
    """C-74: no cache, thread or task of the pack holds a folder, or a host that is never restarted would fill up."""
    memory = await host.memory()
    await host.insert("User likes tea")
    await host.turn("What do I drink?", tool_calls=[("memory_load", {"query": "likes tea"})])
    await rest(host)
    await host.finish_memorizing()
    store = weakref.ref(memory.db)
    del memory
    use_folder(host, "another")
    await host.restart(hard=False)
    await host.turn("What do I drink?")
    await settle(host)
    gc.collect()
    assert store() is None
