"""The contents of a prompt, and the results of the host's own recall."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...ledger.adopt import fingerprint
from ...records import Memory
from ...store.docstore import Store
from ..host_agent import HostAgent

SECTIONS = ("memories", "solutions")

_KEY = "_memory_ledger_injection"
_CONTENTS_KEY = "_memory_ledger_said"
_PLACEHOLDER = "\ue000"


@dataclass(slots=True, kw_only=True)
class Injection:
    """The result of one recall: by section the joined texts, the rendered sections, and the ids.

    The host decides whether it is ever shown.
    """

    store: Store
    texts: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_counted: bool = False


def remember_injection(agent: HostAgent, loop_data: Any, injection: Injection) -> None:
    """Keep the result of the last recall of `agent`, unless another turn has begun meanwhile."""
    if agent.loop_data is loop_data:
        agent.data[_KEY] = injection


def render_section(agent: HostAgent, key: str, text: str) -> str:
    """Return `text` in the host's own template, which a profile may override."""
    return str(agent.parse_prompt(f"agent.system.{key}.md", **{key: text}))


def read_section(agent: HostAgent, key: str, section: str) -> str:
    """Return the text inside a section that the host's template has made."""
    before, _, after = render_section(agent, key, _PLACEHOLDER).partition(_PLACEHOLDER)
    return section.removeprefix(before).removesuffix(after)


def take_sections(loop_data: Any) -> dict[str, str]:
    """Remove the sections of a recall from the extras, and return them."""
    extras = loop_data.extras_persistent
    return {key: extras.pop(key) for key in SECTIONS if key in extras}


def set_sections(loop_data: Any, sections: Mapping[str, str]) -> None:
    """Replace the host's recall sections in the extras."""
    take_sections(loop_data)
    loop_data.extras_persistent.update(sections)


async def count_shown(agent: HostAgent, loop_data: Any) -> None:
    """Count and note one access of each memory in the prompt that was just built, once for each recall.

    The first call after the prompt was built, so that the extras are those of the prompt. Counting runs in a worker
    thread, since a save of the index may hold the lock.
    """
    injection = unshown(agent, loop_data)
    if injection is not None:
        injection.is_counted = True
        ids = [memory_id for key in _shown_still(injection, loop_data) for memory_id in injection.ids[key]]
        injection.store.injected.note(agent.history.current, ids)
        await asyncio.to_thread(injection.store.count_accesses, ids)


def withhold_foreign(agent: HostAgent, loop_data: Any, memory_subdir: str) -> None:
    """Remove sections from the extras that were recalled from another folder than the present one."""
    injection = agent.data.get(_KEY)
    if type(injection) is Injection and injection.store.memory_subdir != memory_subdir:
        for key in _shown_still(injection, loop_data):
            del loop_data.extras_persistent[key]


def unshown(agent: HostAgent, loop_data: Any) -> Injection | None:
    """Return the last recall if a section of it is in the extras and was in no prompt before; else None."""
    injection = agent.data.get(_KEY)
    if type(injection) is not Injection or injection.is_counted:
        return None
    return injection if _shown_still(injection, loop_data) else None


def withhold_retired(injection: Injection, loop_data: Any) -> None:
    """Remove the sections of a recall from the extras that hold a memory retired or deleted since."""
    for key in _shown_still(injection, loop_data):
        memories = map(injection.store.read, injection.ids[key])
        if any(memory is None or memory.is_deprecated for memory in memories):
            del loop_data.extras_persistent[key]


def _shown_still(injection: Injection, loop_data: Any) -> list[str]:
    extras = loop_data.extras_persistent
    return [key for key, text in injection.sections.items() if extras.get(key) == text]


@dataclass(frozen=True, slots=True)
class PromptContents:
    """The ids of the memories in a prompt, and the fingerprints of their texts."""

    ids: frozenset[str] = frozenset()
    fingerprints: frozenset[str] = frozenset()

    def holds(self, text: str) -> bool:
        """Whether the prompt holds this very text."""
        return bool(self.fingerprints) and fingerprint(text) in self.fingerprints


NO_CONTENTS = PromptContents()


def make_contents(texts: Iterable[tuple[str, str]], known: PromptContents = NO_CONTENTS) -> PromptContents:
    """Return the contents made of memories, pairs of id and text, added to the `known` contents."""
    pairs = list(texts)
    return PromptContents(
        known.ids.union(memory_id for memory_id, _ in pairs),
        known.fingerprints.union(fingerprint(text) for _, text in pairs),
    )


def remember_contents(agent: HostAgent, store: Store, contents: PromptContents) -> None:
    """Keep the contents of the prompt that is being built, and their store."""
    agent.data[_CONTENTS_KEY] = (store, contents)


def contents_of_prompt(agent: HostAgent, store: Store) -> PromptContents:
    """Return the contents of the prompt that is being built, for a store."""
    known_store, contents = agent.data.get(_CONTENTS_KEY) or (None, NO_CONTENTS)
    return contents if known_store is store and type(contents) is PromptContents else NO_CONTENTS


# The host's headings of failures from v0.9.7 on; a failure has a log item of its own, or renames the first.
_FAILURES = ("Recall memories", "Memory recall")
_FOUND_NOTHING = "No memories or solutions found"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallVerdict:
    """The result of the models in the host's recall: a query, if one was made, and the admitted texts by section.

    Without `kept`, every text is admitted.
    """

    query: str = ""
    kept: Mapping[str, str] | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether nothing at all may enter the prompt."""
        return self.kept is not None and not any(self.kept.values())

    def admits(self, memory: Memory) -> bool:
        """Whether the host would have shown `memory`: its text is a block in the section of its area."""
        if self.kept is None:
            return True
        kept = self.kept.get("solutions" if memory.is_solution else "memories", "")
        return f"\n\n{memory.text.strip()}\n\n" in f"\n\n{kept.strip()}\n\n"


def uses_model(config: Mapping[str, Any]) -> bool:
    """Whether a model takes part in the host's recall."""
    return bool(config.get("memory_recall_query_prep") or config.get("memory_recall_post_filter"))


def read_verdict(
    agent: HostAgent, log_item: Any, sections: Mapping[str, str], config: Mapping[str, Any]
) -> RecallVerdict:
    """Return the verdict of a finished recall of the host, by its log item, if known, and its `sections`."""
    if not uses_model(config) or _has_failed(agent, log_item):
        return RecallVerdict()
    query = str((log_item.kvps or {}).get("query", "")).strip() if log_item is not None else ""
    if config.get("memory_recall_post_filter"):
        return RecallVerdict(query=query, kept={key: read_section(agent, key, text) for key, text in sections.items()})
    has_searched = bool(sections) or (log_item is not None and log_item.heading == _FOUND_NOTHING)
    return RecallVerdict(query=query) if has_searched else RecallVerdict(kept={})


def tell_log(log_item: Any, heading: str, texts: Mapping[str, str]) -> None:
    """Update the host's log item, if known, to the texts that enter the prompt."""
    if log_item is not None:
        other_values = {key: value for key, value in (log_item.kvps or {}).items() if key not in SECTIONS}
        log_item.update(heading=heading, kvps=other_values, **texts)


def read_log_item(task: Any) -> Any:
    """Return the host's log item of a pending recall task; None if it is unknown."""
    frames = [task.get_coro().cr_frame, *(coroutine.cr_frame for coroutine in _inner(task))]
    return next((frame.f_locals["log_item"] for frame in frames if frame and "log_item" in frame.f_locals), None)


def has_begun(task: Any) -> bool:
    """Whether a pending task has run already."""
    return inspect.getcoroutinestate(task.get_coro()) != inspect.CORO_CREATED


def discard(task: Any) -> None:
    """Cancel a task that has not begun, and close the coroutine that it would have awaited."""
    inner = _inner(task)
    task.cancel()
    for coroutine in inner:
        coroutine.close()


def _inner(task: Any) -> list[Any]:
    """Return the coroutines that a pending task wraps."""
    return [local for local in task.get_coro().cr_frame.f_locals.values() if inspect.iscoroutine(local)]


def _has_failed(agent: HostAgent, log_item: Any) -> bool:
    """Whether the host has logged a failure of its recall since its log item."""
    if log_item is None:
        return False
    later = list(agent.context.log.logs)[log_item.no + 1 :]
    return any(str(item.heading).startswith(_FAILURES) for item in (log_item, *later))
