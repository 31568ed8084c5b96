"""The command `memory-ledger demo`: play the conversation, and print it or its outcome, at most 100 columns wide."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

import click

from ..errors import StoreError
from ..ledger.changes import Supersede
from ..records import Validity
from ..store.embedding import load_minilm
from .play import FOLDER_NAME, Injected, Player, PlayOutcome, RestartReport, TurnReport
from .script import read_script

WIDTH = 100
_OPENING = """\
Memory Ledger: a conversation over three days, with two restarts

A person talks to an agent that uses Agent Zero's memory: the same FAISS store, the same embedding
model, and notes that a memorizer writes in the background, one or two turns late. Each turn shows

  remembered   which notes arrived since the last turn, how the pack classified each, and why
  retired      which memory was retired in favour of which, by which rule, and why
  prompt       which memories Agent Zero by itself ("alone") and with the pack ("pack") would have
               put into the prompt for this message; both columns are computed, side by side
"""


def run_demo(
    out: TextIO, folder: Path | None, *, is_whole: bool = False, load_embedder: Callable[[], Any] | None = None
) -> bool:
    """Write the outcome, or the whole play, to `out`; return whether the pack kept every retired memory out.

    `folder` is made and kept; without it a temporary folder serves. Raises StoreError if it holds a play already.
    """
    is_plain = not out.isatty() or "NO_COLOR" in os.environ

    def write(text: str) -> None:
        out.write(click.unstyle(text) if is_plain else text)
        out.flush()

    with ExitStack() as stack:
        if folder is not None and (folder / FOLDER_NAME).exists():
            raise StoreError(f"{folder / FOLDER_NAME} exists; allowed: a folder without an earlier play")
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memory-ledger-demo-")))
        write(_OPENING if is_whole else "")
        player = Player(read_script(), load_embedder() if load_embedder else load_minilm(threads=1), place)
        for report in player.play():
            shown = show_turn(report) if isinstance(report, TurnReport) else show_restart(report)
            write(shown if is_whole else "")
        outcome = player.outcome()
        write((_show_summary if is_whole else show_in_short)(outcome))
        if folder is not None:
            write(f"\nThe memory folder stays: {folder / FOLDER_NAME}\n")
    return bool(outcome.wrong) and not outcome.wrong_by_pack


def show_in_short(outcome: PlayOutcome) -> str:
    """Return the deciding figures, and what the bare host's prompts would have said wrong."""
    lines = [_figures(outcome), "Agent Zero alone would have told the agent:"]
    for memory_id, count in outcome.wrong.items():
        memory = outcome.memories[memory_id]
        winner = outcome.memories[memory.lineage.superseded_by or ""] if memory.lineage is not None else memory
        lines += _wrap(memory.text, f"  {count} x    ", fg="red") + _wrap(winner.text, "  it is  ", fg="green")
    lines.append(
        f"{len(outcome.memories)} memories, none deleted; {len(outcome.retired)} out of use, each with its reason"
        " (--all shows it)"
    )
    return "\n".join(lines) + "\n"


def show_turn(report: TurnReport) -> str:
    """Return one turn."""
    exchange, script = report.exchange, read_script()
    lines = _heading(f"Turn {report.number}, {exchange.at:%A %H:%M}: {exchange.title}")
    if exchange.role is not None:
        domains = ", ".join(sorted(script.roles[exchange.role]))
        lines.append(f"  role {exchange.role} (sees: {domains}); this task: {exchange.domain}")
    lines += _wrap(exchange.says, f"  {script.person:<9} ")
    lines += ["", "  remembered"] if report.remembered else []
    for remembered in report.remembered:
        memory, why = remembered.memory, remembered.why
        lines += _wrap(f"{memory.text} (about turn {remembered.turn})", f"    {memory.id}  ")
        for axis in ("source", "validity", "utility") if memory.classification is not None else ():
            lines += _wrap(why[axis], f"{'':9}{axis:<10}{getattr(memory.classification, axis):<19}")
    for change in report.changes:
        if isinstance(change, Supersede):
            ids = f"{change.loser_id} by {change.winner_id}, rule {change.rule}"
            lines += ["", *_wrap(ids, "  retired    ", fg="red")]
        else:
            ids = f"{change.older_id} and {change.newer_id}, rule {change.rule}"
            lines += ["", *_wrap(ids, "  contested  ")]
        lines += _wrap("; ".join(change.reasons), f"{'':13}")
    lines += ["", *_prompt(report.prompt), ""]
    lines += _wrap(exchange.tool_result, f"  {exchange.tool:<9} ")
    lines += _wrap(exchange.answers, f"  {'Agent':<9} ")
    for memory in report.confirmed:
        lines += ["", *_wrap(f'{memory.id} "{memory.text}" was inferred', "  confirmed by the user: ")]
    return "\n".join(lines) + "\n"


def show_restart(report: RestartReport) -> str:
    """Return one restart."""
    memories = report.memories
    retired, new = (
        sum(memory.is_deprecated for memory in memories),
        sum(not memory.classification for memory in memories),
    )
    line = f"read again from disk: {len(memories)} memories, {retired} of them retired"
    line += f"; {new} were written in the last moment and are not classified yet" if new else ""
    accesses = f"recalls counted: {report.accesses_before} before, {report.accesses_after} after the restart"
    title = f"Restart, {report.restart.at:%A %H:%M}: {report.restart.cause}"
    return "\n".join([*_heading(title), *_wrap(line, "    "), *_wrap(accesses, "    ")]) + "\n"


def _show_summary(outcome: PlayOutcome) -> str:
    """Return the figures, and the replacement of each retired memory."""
    axes = [memory.classification for memory in outcome.memories.values()]
    counts = Counter(classification.validity for classification in axes if classification is not None)
    by_validity = ", ".join(f"{counts[validity]} {validity}" for validity in Validity)
    lines = [*_heading("Summary"), f"  {len(outcome.memories)} memories: {by_validity}", ""]
    lines.append("  Nothing was deleted. Out of use, and why:")
    for memory in outcome.retired:
        lineage = memory.lineage
        if lineage is not None and lineage.deprecated_at is not None:
            since = f"{lineage.deprecated_at:%A %H:%M}"
            fate = f"since {since}, by {lineage.superseded_by}, rule {lineage.deprecated_reason}"
            lines += _wrap(f"{memory.text} ({fate})", f"    {memory.id}  ")
    suppressed = sum(entry.is_suppressed for turn in outcome.turns for entry in turn.prompt)
    lines += ["", f"  {_figures(outcome)}", f"  Memories of another role's domain that the pack kept out: {suppressed}"]
    return "\n".join(lines) + "\n"


def _figures(outcome: PlayOutcome) -> str:
    alone = click.style(f"{outcome.wrong.total()} by Agent Zero alone", fg="red")
    pack = click.style(f"{outcome.wrong_by_pack} with Memory Ledger", fg="green")
    prompts = f"(in {outcome.prompts_with_wrong} of {len(outcome.turns)})"
    return f"Retired memories in prompts: {alone} {prompts}, {pack}"


def _prompt(prompt: tuple[Injected, ...]) -> Iterator[str]:
    yield "  prompt    alone  pack" if prompt else "  prompt    no memory, neither way"
    for row in prompt:
        marks = f"{'':12}{'x' if row.by_host else '-':^5}  {'x' if row.by_pack else '-':^4}  {row.memory.id}  "
        text = textwrap.shorten(row.memory.text, 60, placeholder="...") + (f" <- {row.reason}" if row.reason else "")
        yield from _wrap(text, marks, fg="red" if row.memory.is_deprecated else None)


def _heading(title: str) -> list[str]:
    return ["", click.style(title, bold=True), click.style("-" * len(title), bold=True)]


def _wrap(text: str, label: str, *, fg: str | None = None) -> list[str]:
    """Return a text after a label, in lines of at most `WIDTH`, the later ones under the first."""
    lines = textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )
    return [click.style(line, fg=fg) if fg else line for line in lines]
