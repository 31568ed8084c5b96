"""One week, played with and without each of the five systems: `python benchmarks/systems.py .` writes docs/systems.md.

No benchmark of speed: what stands in the prompt of the same question, line by line. The host is the fake one, its model
hashes words and its clock is the week's, so that every run writes the same page.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "core")]

from fake_host import FakeHost, HashingEmbedder  # noqa: E402
from memory_ledger import cli  # noqa: E402
from memory_ledger.host.knowledge.addresses import LogFolder  # noqa: E402
from memory_ledger.host.knowledge.memory_agent import Distiller  # noqa: E402
from memory_ledger.host.knowledge.places import open_files  # noqa: E402
from memory_ledger.settings import Settings  # noqa: E402

PAGE: Final = "docs/systems.md"
_HELPERS: Final = "usr.plugins.memory_ledger.helpers."
_SETTINGS_FILE: Final = "classification_config.json"
_START: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_DAYS: Final = 7
_SEARCHES_PER_DAY: Final = 2
_LATE, _RESULT = "Error: the request timed out after 30 seconds", "268 cm"
#: What is said on Monday and holds until Friday, if anybody says so.
_EXPIRING: Final = "The boathouse key hangs in the kitchen."
_EXPIRES: Final = _START + timedelta(days=4)
_MISSION: Final = "Heron must never send the same warning twice."
#: What is said on which day of the week, and what Agent Zero's memorizer makes of it.
_SAID: Final[Mapping[int, Sequence[tuple[str, str]]]] = {
    0: (
        ("My project Heron warns rowers. Heron uses Python 3.9.", "User's project Heron uses Python 3.9."),
        ("Backups of Heron's readings run at 02:30.", "The backups of Heron's readings run at 02:30."),
        ("Our boathouse key hangs in the kitchen.", _EXPIRING),
    ),
    1: (
        ("The coffee machine of the club was repaired by Tom.", "The coffee machine of the club was repaired by Tom."),
    ),
    2: (("The weir was painted green last summer.", "The weir was painted green last summer."),),
    3: (("We upgraded last night: Heron now runs on Python 3.12.", "User's project Heron runs on Python 3.12."),),
    4: (("The club's newsletter appears on Fridays.", "The club's newsletter appears on Fridays."),),
}
_OFF: Final = {"enabled": False}
_MEMORIES_ALONE: Final[Mapping[str, Any]] = {"vault": _OFF, "knowledge": _OFF}
_ENHANCEMENT_OFF: Final[Mapping[str, Any]] = dict.fromkeys(
    ("query_expansion", "temporal_decay", "related_memories", "co_retrieval", "deduplication"), _OFF
)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One of the five systems: the question that shows it, and how the week is played with and without it.

    `without` is None for Agent Zero by itself. A prompt is better for it if `wanted` stands in it, and `unwanted` does
    not. With `has_expiry`, a memory of the week gets the end of its validity where the system is played.
    """

    name: str
    question: str
    told: str
    with_it: Mapping[str, Any]
    without: Mapping[str, Any] | None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    has_expiry: bool = False


SYSTEMS: Final = (
    System(
        name="Classification",
        question="Which Python version does my project Heron use?",
        told=(
            "Without it, Agent Zero by itself: both versions stand in the prompt, and the model has to guess. With it,"
            " and the other four off, what you said on Thursday has retired what you said on Monday. The line about"
            " the backups is found by the name Heron; it does no harm."
        ),
        with_it={**_ENHANCEMENT_OFF, **_MEMORIES_ALONE},
        without=None,
        unwanted=("User's project Heron uses Python 3.9.",),
    ),
    System(
        name="Enhancement",
        question=(
            "Tom says hello, and the weir looks fine today. The rest of this message is small talk about the boathouse"
            " and the weather of last week. When do the backups of Heron's readings run?"
        ),
        told=(
            "Without it, the whole message is one query, and what shares words with the small talk comes along. With"
            " it, each sentence is asked by itself, and the answer stands alone."
        ),
        with_it=_MEMORIES_ALONE,
        without={**_ENHANCEMENT_OFF, **_MEMORIES_ALONE},
        unwanted=("The coffee machine of the club was repaired by Tom.", "The weir was painted green last summer."),
    ),
    System(
        name="Quality",
        question="Where does the boathouse key hang?",
        told=(
            "The memory holds until Friday (`expires`), which the quality layer was told on Sunday; without it, nobody"
            " can say so. What has expired, and what rules have found invalid without anybody vouching for it, stays in"
            " the store and enters no prompt. Otherwise Quality rates, warns and reports for people: of memories that"
            " fit equally well, the better one comes first, and `quality.ranking_weight` is 0, because on public"
            " conversations no weight has helped ([quality](quality.md))."
        ),
        with_it=_MEMORIES_ALONE,
        without=_MEMORIES_ALONE,
        unwanted=(_EXPIRING,),
        has_expiry=True,
    ),
    System(
        name="Vault",
        question="Write a short message to the members.",
        told=(
            "The question has no word but `the` in common with the constraint, so no search finds it. With the vault it"
            " is in every prompt."
        ),
        with_it={"knowledge": _OFF},
        without={"knowledge": _OFF, "vault": _OFF},
        wanted=(f"- [constraint] {_MISSION}",),
    ),
    System(
        name="Knowledge",
        question="Look up the gauge.",
        told=(
            "Since Tuesday each first search has timed out, and worked when it was called again. Without knowledge each"
            " agent finds that out for itself. With it, the prompt says what to do, with the figures."
        ),
        with_it={"vault": _OFF},
        without=_MEMORIES_ALONE,
        wanted=("- TIMEOUT of search_engine",),
    ),
)


class WeekClock:
    """The clock of the week: a second passes each time that somebody looks."""

    def __init__(self) -> None:
        self.now = _START

    def __call__(self) -> datetime:
        """Return the time, a second later than before."""
        self.now += timedelta(seconds=1)
        return self.now

    def advance(self, **delta: float) -> None:
        """Move by the keywords of timedelta."""
        self.now += timedelta(**delta)


async def prompt_of(settings: Mapping[str, Any] | None, question: str, *, has_expiry: bool = False) -> list[str]:
    """Play the week with these settings of the pack, or without the pack, and return what a question's prompt holds.

    That is every line of the recalled memories, and of what the pack adds to the system prompt.
    """
    clock = WeekClock()
    with TemporaryDirectory() as folder, contextlib.ExitStack() as after:
        root = Path(folder) / "a0"
        with FakeHost("C", root, embedder=HashingEmbedder(512), clock=clock) as host:
            host.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
            before = (await host.turn("Hello.")).prompt.system
            if settings is not None:
                host.install(ROOT)
                for room, name, value in (
                    ("clock", "system_clock", clock),
                    ("store.deadline", "MOST_SECONDS", 60.0),
                ):
                    module = importlib.import_module(f"{_HELPERS}{room}")
                    after.callback(setattr, module, name, getattr(module, name))
                    setattr(module, name, value)
                configure(host, {**settings, "knowledge": _OFF})  # distilled once, at the end
            await play(host, clock, has_pack=settings is not None)
            if has_expiry:
                await expire(host)
            if settings is not None:
                distil(root / "usr", clock())
                configure(host, settings)
            await host.restart(hard=False)
            prompt = (await host.turn(question)).prompt
            await host.settle()
            added = [line for line in prompt.system.splitlines() if line not in before.splitlines()]
    is_of_tool = next((at for at, line in enumerate(added) if line.startswith("### memory_ledger")), len(added))
    end = next((at for at, line in enumerate(added) if at > is_of_tool and line.startswith("# ")), len(added))
    lines = [*added[:is_of_tool], *added[end:], *prompt.memories.splitlines()[2:]]
    return [line for line in lines if line.strip()]


def configure(host: FakeHost, settings: Mapping[str, Any]) -> None:
    """Write the user's settings file."""
    own = host.memory_folder().parent
    own.mkdir(parents=True, exist_ok=True)
    (own / _SETTINGS_FILE).write_text(json.dumps(settings), "utf-8")


async def play(host: FakeHost, clock: WeekClock, *, has_pack: bool) -> None:
    """Play the week: what is said and remembered, a constraint for the vault, and searches of which many are late."""
    for day in range(_DAYS):
        clock.now = _START + timedelta(days=day)
        for said, memory in _SAID.get(day, ()):
            await host.turn(said, reply="Noted.", fragments=[memory])
            await host.finish_memorizing()
            await host.settle()
            clock.advance(seconds=90)
        for number in range(_SEARCHES_PER_DAY):
            search, run = (
                ("search_engine", {"query": f"gauge {day}.{number}"}),
                ("code_execution_tool", {"code": f"{day}"}),
            )
            late = [(*search, _LATE)] if day else []
            await host.turn("Look up the gauge.", tool_calls=[*late, (*search, _RESULT), (*run, f"{day}{number}")])
            await host.settle()
            clock.advance(seconds=90)
    if has_pack:
        words = ["vault", "add", _MISSION, "--category", "constraint", "--folder", str(host.memory_folder())]
        with contextlib.redirect_stdout(io.StringIO()):
            if cli.main(words):
                raise RuntimeError("the constraint was not added to the vault")


async def expire(host: FakeHost) -> None:
    """Tell the quality layer until when a memory of the week holds."""
    module = importlib.import_module(f"{_HELPERS}host.quality.quality_store")
    quality = await module.open_agent_quality(host.agent)
    memory_id = next(key for key, document in host.docs.items() if document.page_content == _EXPIRING)
    await quality.update(memory_id, {"expires": _EXPIRES.isoformat()})
    await quality.save()


def distil(home: Path, now: datetime) -> None:
    """Distil the logs of the week into the knowledge files beside them."""
    settings = Settings()
    files = open_files(settings.knowledge, home=home)
    logs = LogFolder(str(home / settings.knowledge.log_url))
    Distiller(logs=logs, files=files, options=settings.distillation, home=home).run(now)


async def compare(system: System) -> tuple[list[str], list[str]]:
    """Return the lines of the prompt with a system, and those without it."""
    with_it = await prompt_of(system.with_it, system.question, has_expiry=system.has_expiry)
    return with_it, await prompt_of(system.without, system.question)


def render(system: System, with_it: Sequence[str], without: Sequence[str]) -> str:
    """Return the section of a system: the question, each line of either prompt, and why that is better."""
    lines = list(dict.fromkeys([*with_it, *without]))
    rows = "".join(
        f"| {line.replace('|', '&#124;')} | {'yes' if line in with_it else ''} | {'yes' if line in without else ''} |\n"
        for line in lines
    )
    table = f"| In the prompt | with | without |\n|---|---|---|\n{rows}"
    told = textwrap.fill(system.told, 120, break_long_words=False, break_on_hyphens=False)
    question = textwrap.fill(system.question, 120, initial_indent="> ", subsequent_indent="> ")
    return f"## {system.name}\n\n{question}\n\n{table}\n{told}\n"


_HEAD: Final = """\
# The five systems, with and without

Written by `python benchmarks/systems.py .`; a test plays the week again and compares. A written week is played on a
model of Agent Zero, once with a system and once without it: seven days, seven facts, a constraint in the vault, and 14
requests with a search. Then a new chat asks one question. The tables show every line that the recalled memories, the
vault and knowledge put into its prompt; the last two systems are off where they are not what is shown. The model that
embeds only hashes words here, so that every machine writes this page.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page into the folder that is named."""
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1:
        print("usage: systems.py FOLDER", file=sys.stderr)
        return 2
    sections = [render(system, *asyncio.run(compare(system))) for system in SYSTEMS]
    (Path(arguments[0]) / PAGE).write_text("\n".join([_HEAD, *sections]), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
