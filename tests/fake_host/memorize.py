"""The host's memorizers, `_50_memorize_fragments` and `_51_memorize_solutions` (contract section 5).

They start at the end of a turn and finish later. Here "later" is a gate: each one waits in front of its
first request to the utility model until the test lets it go on.
"""

import asyncio
import json
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from . import config
from .consolidation import process_new_memory
from .script import SYSTEM_PROMPTS

if TYPE_CHECKING:
    from .process import Process

_PARK_SECONDS = 60
_LIMITS = {"fragments": (8, 4), "solutions": (6, 3)}
_HEADINGS = {"fragments": "Memorizing new information...", "solutions": "Memorizing successful solutions..."}


class Job:
    """One memorizer of one turn, held until `finish`."""

    def __init__(self) -> None:
        self.parked = threading.Event()
        self.running: asyncio.Task[None] | Future[None] | None = None
        self._gate: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._may_run = False

    async def hold(self) -> None:
        """Wait, on the memorizer's own loop, for `finish`."""
        if self._may_run:
            return
        self._loop = asyncio.get_running_loop()
        self._gate = asyncio.Event()
        self.parked.set()
        await self._gate.wait()

    async def finish(self) -> BaseException | None:
        """Let it run to its end; return what it raised."""
        self._may_run = True
        if self._loop is not None and self._gate is not None:
            self._loop.call_soon_threadsafe(self._gate.set)
        running = self.running
        waited = asyncio.wrap_future(running) if isinstance(running, Future) else running
        (result,) = await asyncio.gather(waited, return_exceptions=True)  # type: ignore[arg-type]
        return result

    def cancel(self) -> None:
        running = self.running
        if isinstance(running, asyncio.Task) and running.get_loop().is_closed():
            return
        if running is not None:
            running.cancel()


def start(agent: Any, kind: str) -> None:
    """Announce the memorizer in the chat and start it: on this loop in A1, on the thread from A2 on."""
    process: Process = agent.process
    settings = config.memory_settings(process.machine, agent)
    if not settings or not settings["memory_memorize_enabled"]:
        return
    log_item = agent.context.log.log(type="util", heading=_HEADINGS[kind])
    job = Job()
    process.jobs.append(job)
    if not process.traits.memorizes_in_background_thread:
        job.running = asyncio.create_task(_memorize(agent, kind, log_item, job))
        return
    job.running = process.background.submit(_reporting(agent, kind, log_item, job))
    job.running.add_done_callback(lambda _future: job.parked.set())
    if not job.parked.wait(_PARK_SECONDS):  # as far as it gets without the model, so that tests are repeatable
        raise RuntimeError(f"the memorizer of {kind} does not reach its first request to the model")


async def _reporting(agent: Any, kind: str, log_item: Any, job: Job) -> None:
    """A2 and later: an error becomes a warning in the chat."""
    try:
        await _memorize(agent, kind, log_item, job)
    except Exception as error:  # noqa: BLE001 - the host catches everything here
        text = f"{type(error).__name__}: {error}"
        agent.context.log.log(type="warning", heading=f"Memorize {kind} extension error", content=text)


async def _memorize(agent: Any, kind: str, log_item: Any, job: Job) -> None:
    settings = config.memory_settings(agent.process.machine, agent) or {}
    db = await agent.process.memory().Memory.get(agent)
    system = agent.read_prompt(SYSTEM_PROMPTS[kind])
    text = agent.history.output_text(human_label="user", ai_label="assistant")
    await job.hold()
    answer = await agent.call_utility_model(system=system, message=text, background=True)
    entries = _parse(answer, log_item)
    for entry in entries:
        content = _as_text(kind, entry)
        if settings["memory_memorize_consolidation"]:
            max_similar, max_shown = _LIMITS[kind]
            await process_new_memory(agent, content, kind, max_similar=max_similar, max_shown=max_shown)
        else:
            await _replace_similar(db, kind, content, settings["memory_memorize_replace_threshold"])
    if entries:
        log_item.update(heading=f"{len(entries)} entries memorized.", update_progress="none")


def _parse(answer: str, log_item: Any) -> list[Any]:
    """Return the extracted entries; a lone string or object counts as one, anything else as none."""
    if not answer.strip():
        log_item.update(heading="Empty response from utility model.")
        return []
    try:
        entries = json.loads(answer)
    except ValueError as error:
        log_item.update(heading=f"Failed to parse {error}")
        return []
    if isinstance(entries, str | dict):
        return [entries]
    if not isinstance(entries, list) or not entries:
        log_item.update(heading="No useful information to memorize.")
        return []
    return entries


def _as_text(kind: str, entry: Any) -> str:
    if kind == "fragments":
        return str(entry)
    if not isinstance(entry, dict):
        return f"# Solution\n {entry}"
    problem = entry.get("problem", "Unknown problem")
    return f"# Problem\n {problem}\n# Solution\n {entry.get('solution', 'Unknown solution')}"


async def _replace_similar(db: Any, kind: str, content: str, threshold: float) -> None:
    """Without consolidation: drop what is nearly the same, then insert."""
    if threshold > 0:
        await db.delete_documents_by_query(query=content, threshold=threshold, filter=f"area=='{kind}'")
    await db.insert_text(text=content, metadata={"area": kind})
