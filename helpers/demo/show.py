"""The play as plain text for a terminal, at most 100 columns wide; colour only where it is asked for. Pure."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..records import Memory, Validity
from .play import DemoFigures, Injected, Remembered, RestartReport, Retired, TurnReport

WIDTH = 100

_LEGEND = """\
A person talks to an agent that uses Agent Zero's memory: the same FAISS store, the same embedding
model, and notes that a memorizer writes in the background, one or two turns late. Each turn shows

  remembered   which notes arrived since the last turn, and how the pack classified each, and why
  retired      which memory was retired in favour of which, by which rule, and why
  prompt       which memories Agent Zero by itself ("alone") and with the pack ("pack") would have
               put into the prompt for this message; both columns are computed, side by side
"""


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours a text, or leaves it as it is."""

    is_on: bool = False

    def head(self, text: str) -> str:
        """A heading."""
        return self._paint("1", text)

    def good(self, text: str) -> str:
        """A success of the pack."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """A retired memory."""
        return self._paint("31", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.is_on else text


def show_opening(ink: Ink) -> str:
    """Return the text before the first scene."""
    return f"{ink.head('Memory Ledger: a conversation over three days, with two restarts')}\n\n{_LEGEND}"


def show_in_short(turns: Sequence[TurnReport], figures: DemoFigures, ink: Ink) -> str:
    """Return the outcome on one screen: the retired memories in the prompts of the bare host."""
    texts = {remembered.memory.id: remembered.memory.text for turn in turns for remembered in turn.remembered}
    injected = (entry for turn in turns for entry in turn.prompt if entry.by_host)
    seen = [entry.memory for entry in injected if entry.memory.is_deprecated]
    lines = [ink.head("Memory Ledger, on a conversation of three days with two restarts"), "", *_outcome(figures, ink)]
    lines += ["", "  Agent Zero alone would have told the agent:"]
    for memory_id, count in Counter(memory.id for memory in seen).items():
        lineage = next(memory.lineage for memory in seen if memory.id == memory_id)
        winner = lineage.superseded_by if lineage is not None else None
        lines += (ink.bad(line) for line in _wrap(_flat(texts[memory_id]), indent=4, label=f"{count} x    "))
        lines += (ink.good(line) for line in _wrap(_flat(texts[winner or ""]), indent=4, label="it is  "))
    out_of_use = figures.by_validity.get(Validity.DEPRECATED, 0)
    kept = (
        f"  {figures.memories} memories, none deleted; {out_of_use} out of use, each with its reason (--all shows it)"
    )
    return "\n".join([*lines, "", kept]) + "\n"


def show_turn(report: TurnReport, person: str, ink: Ink) -> str:
    """Return one turn."""
    exchange = report.exchange
    title = f"Turn {report.number}, {exchange.at:%A %H:%M}: {exchange.title}"
    lines = ["", ink.head(title), ink.head("-" * len(title))]
    if exchange.role is not None:
        domains = ", ".join(sorted(exchange.role.domains))
        lines.append(f"  role {exchange.role.id} (sees: {domains}); this task: {exchange.domain}")
    lines += _said(person, exchange.says)
    if report.remembered:
        lines += ["", "  remembered"]
        for remembered in report.remembered:
            lines += _remembered(remembered)
    if report.retired:
        lines += ["", "  retired"]
        for retired in report.retired:
            lines += _retired(retired, ink)
    for contest in report.contested:
        lines += ["", f"  contested: {contest.older_id} and {contest.newer_id} stay both, {contest.rule}"]
        lines += _wrap("; ".join(contest.reasons), indent=4)
    lines += ["", *_prompt(report.prompt, ink), ""]
    if exchange.tool_result is not None:
        lines += _said(exchange.tool_result.tool, exchange.tool_result.text)
    lines += _said("Agent", exchange.answers)
    for memory in report.confirmed:
        lines += ["", *_wrap(f"confirmed by the user: {_named(memory)} was inferred, and is confirmed now", indent=2)]
    return "\n".join(lines) + "\n"


def show_restart(report: RestartReport, ink: Ink) -> str:
    """Return one restart."""
    restart = report.restart
    lines = ["", ink.head(f"=== Restart, {restart.at:%A %H:%M}: {restart.cause}")]
    line = f"read again from disk: {report.memories} memories, {report.retired} of them retired"
    if report.unclassified:
        line += f"; {report.unclassified} were written in the last moment and are not classified yet"
    lines += _wrap(line, indent=4)
    lines += _wrap(
        f"recalls counted: {report.accesses_before} before, {report.accesses_after} after the restart", indent=4
    )
    return "\n".join(lines) + "\n"


def show_summary(figures: DemoFigures, retired: Iterable[Memory], ink: Ink) -> str:
    """Return the figures, and the replacement of each retired memory."""
    by_validity = ", ".join(f"{figures.by_validity.get(validity, 0)} {validity}" for validity in Validity)
    lines = ["", ink.head("Summary"), ink.head("-------")]
    lines.append(f"  {figures.memories} memories: {by_validity}; {figures.confirmed} was promoted by the user")
    lines += ["", "  Nothing was deleted. Out of use, and why:"]
    for memory in retired:
        lines += _fate(memory)
    lines += [
        "",
        *_outcome(figures, ink),
        f"  Memories of another role's domain that the pack kept out: {figures.kept_from_other_roles}",
    ]
    return "\n".join(lines) + "\n"


def _outcome(figures: DemoFigures, ink: Ink) -> list[str]:
    return [
        f"  {figures.prompts} prompts. Retired memories that entered them:",
        ink.bad(f"    {figures.outdated_by_host:3}  by Agent Zero alone, in {figures.prompts_with_outdated} prompts"),
        ink.good(f"    {figures.outdated_by_pack:3}  with the pack"),
    ]


def _said(who: str, text: str) -> list[str]:
    return _wrap(text, indent=2, label=f"{who:<9} ")


def _remembered(remembered: Remembered) -> list[str]:
    memory, axes = remembered.memory, remembered.classification
    area = ", a solution" if memory.is_solution else ""
    lines = _wrap(f"{_flat(memory.text)} (about turn {remembered.turn}{area})", indent=4, label=f"{memory.id}  ")
    for axis, value in (("source", axes.source), ("validity", axes.validity), ("utility", axes.utility)):
        lines += _wrap(remembered.why[axis], indent=9, label=f"{axis:<10}{value:<19}")
    return [*lines, f"{'':9}{'relevance':<10}{axes.relevance}"]


def _retired(retirement: Retired, ink: Ink) -> list[str]:
    loser, winner = retirement.loser, retirement.winner
    return [
        *(ink.bad(line) for line in _wrap(_flat(loser.text), indent=4, label=f"{loser.id}  ")),
        *(ink.good(line) for line in _wrap(_flat(winner.text), indent=4, label=f"by {winner.id}  ")),
        *_wrap("; ".join(retirement.reasons), indent=4, label=f"rule {retirement.rule}: "),
    ]


def _prompt(prompt: Iterable[Injected], ink: Ink) -> Iterator[str]:
    rows = list(prompt)
    if not rows:
        yield "  prompt    no memory, neither way"
        return
    yield "  prompt    alone  pack"
    for row in rows:
        marks = f"{'x' if row.by_host else '-':^5}  {'x' if row.by_pack else '-':^4}  {row.memory.id}  "
        text = _flat(row.memory.text)
        text = text if len(text) <= 60 else f"{text[:57]}..."
        reason = f" <- {row.reason}" if row.reason else ""
        paint = ink.bad if row.memory.is_deprecated else str
        for line in _wrap(f"{text}{reason}", indent=12, label=marks):
            yield paint(line)


def _fate(memory: Memory) -> list[str]:
    lineage = memory.lineage
    if lineage is None or lineage.deprecated_at is None:
        return []
    fate = f"since {lineage.deprecated_at:%A %H:%M}, by {lineage.superseded_by}, rule {lineage.deprecated_reason}"
    return _wrap(f"{_flat(memory.text)} ({fate})", indent=4, label=f"{memory.id}  ")


def _named(memory: Memory) -> str:
    return f'{memory.id} "{_flat(memory.text)}"'


def _flat(text: str) -> str:
    return " ".join(text.split())


def _wrap(text: str, *, indent: int, label: str = "") -> list[str]:
    """Return `text` after `label`, in lines of at most `WIDTH`, the later ones under the first."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent + label,
        subsequent_indent=" " * (indent + len(label)),
        break_on_hyphens=False,
    )
