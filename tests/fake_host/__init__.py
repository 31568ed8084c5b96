"""A small model of Agent Zero for tests: six generations, one facade.

It is not a mock of the pack's own calls: extensions are found and run by the host's rules, memories live in a
real FAISS index on disk, memorizing finishes late, and what an extension breaks is broken here too. "Contract"
in the docstrings below is the host contract of this project, a description of the real host.

    with FakeHost("C", tmp_path) as host:
        host.install(pack_root)
        record = await host.turn("My project uses Python 3.11", reply="Noted.",
                                 fragments=["User's project targets Python 3.11"])
        await host.finish_memorizing()          # until then the memory does not exist
        record = await host.turn("Which Python?")
        record.prompt.memories                  # what was recalled into the prompt
        assert host.warnings == []

Generations: "A1" v0.9.7, "A2" v0.9.8, "B" v1.14, "C" v2.4, "C+" after v2.6, "D" v2.13 (ALL_GENERATIONS).

Chats and turns
    agent                    agent 0 of the first chat; new_context(project=, profile=, type=) opens another
    subordinate(profile=)    makes an agent below; a tool call "call_subordinate" lets one work
    await turn(text, ...)    a whole turn; a TurnRecord with prompts, points and the response
    HostTurnFailed           raised by turn() when the host ends it with an error; .record.error is the cause
    await settle()           waits for what packs left running on this loop and on threads
    await finish_memorizing(), await release_recall(), fail_recall(error)

Extensions
    install(pack_root, name=, how=), uninstall(), write_extension("point/_55_x", text)
    await run("point/_55_x"), await fire(point, agent=..., **kwargs), await call_api(handler, data)
    notice_changes()         B and C see changed files (A only after a restart)
    purge_plugins(built_in=) what the watchdog does to sys.modules

Memory
    docs, docs_of(subdir), await insert(text, **metadata), await memory(agent), memory_module
    saves                    list of IndexWrite(folder, thread_name)
    memory_folder(subdir), await change_embedder(embedder), await restart(hard=, keep_chats=)

Settings: configure(**memory settings), write_plugin_config(plugin, values), write_knowledge(name, text)
Seen: log, warnings, hook_errors, background_errors, utility_calls

Ids are a counter, time is the injected clock, vectors are hashes of words; nothing sleeps. The main loop is the
test's own loop, memorizing from A2 on runs on a real thread "Background".
"""

from .embedder import CachedEmbedder, HashingEmbedder, LiteLLMEmbeddingWrapper
from .generations import ALL_GENERATIONS
from .host import FakeHost
from .machine import FixedClock, RunningClock
from .modules import keep_between_hosts
from .monologue import HostTurnFailed, TurnRecord

__all__ = [
    "ALL_GENERATIONS",
    "CachedEmbedder",
    "FakeHost",
    "FixedClock",
    "HashingEmbedder",
    "HostTurnFailed",
    "LiteLLMEmbeddingWrapper",
    "RunningClock",
    "TurnRecord",
    "keep_between_hosts",
]
