"""Questions that a person answers one after the other, each with a key, and may stop or go back at any time.

`Interview` is pure: what is asked now, and what a key means. `run_interview` reads the keys: from a terminal without
Enter, elsewhere a line for each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

import click

from ..errors import MemoryLedgerError, shorten
from .declaring import DONE, PROBLEMS, tell
from .lines import check_text, open_input
from .output import say

LATER, UNDO, QUIT, HELP = "l", "u", "q", "?"
#: The answers of every question, beside its own.
_ALWAYS: Final = {
    LATER: "later: skip it for now",
    UNDO: "undo your last answer",
    QUIT: "quit; your answers so far stay",
    HELP: "show this help",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyQuestion:
    """A question about memories: its lines by their names, and its answers by their keys.

    `retires` maps a key to the memory that it retires, which settles every other question about that memory. The
    answer of the key `final` cannot be undone: it is pressed twice.
    """

    title: str
    lines: Mapping[str, str]
    answers: Mapping[str, str]
    memories: tuple[str, ...]
    retires: Mapping[str, str] = field(default_factory=dict)
    final: str = ""


class Move(Enum):
    """The meaning of a key."""

    DECIDE = auto()
    SKIP = auto()
    TAKE_BACK = auto()
    NOTHING_TO_TAKE_BACK = auto()
    STOP = auto()
    EXPLAIN = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Interview:
    """The questions, and the answers so far: pairs of a question's number and a key, in the order of pressing."""

    questions: tuple[KeyQuestion, ...]
    pressed: tuple[tuple[int, str], ...] = ()

    @property
    def current(self) -> int | None:
        """The number of the next question; None when all are answered, skipped or settled."""
        passed = {number for number, _ in self.pressed}
        return next((number for number in self._unsettled if number not in passed), None)

    @property
    def _unsettled(self) -> list[int]:
        """The numbers of the questions that no answer to another question has settled."""
        retired = {self.questions[number].retires.get(key): number for number, key in self.pressed}
        return [
            number
            for number, question in enumerate(self.questions)
            if all(retired.get(memory, number) == number for memory in question.memories)
        ]

    @property
    def decided(self) -> tuple[tuple[int, str], ...]:
        """The answers without the skipped questions: pairs of a question's number and a key."""
        return tuple(answer for answer in self.pressed if answer[1] != LATER)

    @property
    def left_count(self) -> int:
        """The number of questions that are neither decided nor settled."""
        return len({*self._unsettled} - {number for number, _ in self.decided})

    def read(self, key: str) -> Move:
        """Return the meaning of a key at the current question."""
        if key == UNDO:
            return Move.TAKE_BACK if self.pressed else Move.NOTHING_TO_TAKE_BACK
        if key in (LATER, QUIT, HELP):
            return {LATER: Move.SKIP, QUIT: Move.STOP, HELP: Move.EXPLAIN}[key]
        current = self.current
        return Move.DECIDE if current is not None and key in self.questions[current].answers else Move.UNKNOWN

    def press(self, key: str) -> Interview:
        """Return the interview after an answer to the current question, or after skipping it."""
        return self if self.current is None else replace(self, pressed=(*self.pressed, (self.current, key)))

    def take_back(self) -> Interview:
        """Return the interview before the last answer, whose question is asked again."""
        return replace(self, pressed=self.pressed[:-1])


#: Carries out an answer: the number of a question, and a key. Raises MemoryLedgerError if that is not possible.
Act = Callable[[int, str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewEnd:
    """The end of an interview: whether every key had a meaning, and whether Ctrl-C broke it off."""

    interview: Interview
    is_clean: bool
    is_broken_off: bool = False


def run_interview(questions: Sequence[KeyQuestion], *, decide: Act, take_back: Act) -> InterviewEnd:
    """Ask until every question is answered, a person stops, or the input ends."""
    shell = _Shell(Interview(tuple(questions)), decide, take_back, is_piped=not sys.stdin.isatty())
    is_broken_off = False
    try:
        shell.ask_all()
    except KeyboardInterrupt:
        is_broken_off = True
        say("")
    return InterviewEnd(interview=shell.interview, is_clean=shell.is_clean, is_broken_off=is_broken_off)


def say_end(ending: InterviewEnd, goes_on: str) -> int:
    """Print how many questions are decided and left, and the command that goes on; return the exit code."""
    decided, left = len(ending.interview.decided), ending.interview.left_count
    say(f"{decided} decided, {left} left" + (f"; {goes_on} goes on" if left else ""))
    return DONE if ending.is_clean and not ending.is_broken_off else PROBLEMS


def show_question(question: KeyQuestion) -> None:
    """Print the title and the lines of a question."""
    say(question.title, "bold")
    width = max(map(len, question.lines)) + 2
    for name, line in question.lines.items():
        say(f"  {f'{name}:':<{width}}{line}", hang=width + 2)


class _Shell:
    """Reads the keys of an interview and prints its questions.

    Each line of a pipe belongs to one question. A line that is no answer, or that cannot be carried out, is named by
    its number and leaves its question for later: the next line is the answer to the next question.
    """

    def __init__(self, interview: Interview, decide: Act, take_back: Act, *, is_piped: bool) -> None:
        self.interview = interview
        self.is_clean = True
        self._decide, self._take_back = decide, take_back
        self._is_piped = is_piped
        #: The number of the question whose final answer was pressed once.
        self._armed: int | None = None

    def ask_all(self) -> None:
        shown: int | None = None
        for where, key in self._keys():
            if not self._obey(where, key):
                return
            current = self.interview.current
            if current is None:
                return
            if current != shown or key in (HELP, UNDO):
                self._show(current)
            shown = current

    def _keys(self) -> Iterator[tuple[str, str]]:
        """Yield each key with its place in the input; the first key is empty, so that the first question is shown."""
        yield "", ""
        if not self._is_piped:
            while True:
                try:
                    key = click.getchar()
                except EOFError:
                    return
                yield "", key
        with open_input("-") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"line {number}: ", line.strip()

    def _obey(self, where: str, key: str) -> bool:
        """Carry out a key; return whether to go on."""
        if not key:
            return True
        current, armed, self._armed = self.interview.current, self._armed, None
        if current is not None and armed == current and key.lower() in ("y", "yes"):
            key = self.interview.questions[current].final
        move = self.interview.read(key)
        try:
            if current is None or move is Move.STOP:
                return False
            if move is Move.DECIDE and key == self.interview.questions[current].final and armed != current:
                self._armed = current
                say(f"this cannot be undone: {key} again, or yes, does it")
            elif move is Move.DECIDE:
                self._decide(current, key)
                self.interview = self.interview.press(key)
            elif move is Move.SKIP:
                self.interview = self.interview.press(LATER)
            elif move is Move.TAKE_BACK:
                self._go_back()
            elif move is Move.EXPLAIN:
                self._explain(current)
            elif move is Move.NOTHING_TO_TAKE_BACK:
                say("there is no answer to undo yet")
            else:
                keys = ", ".join((*self.interview.questions[current].answers, *_ALWAYS))
                self._refuse(f"{where}{shorten(check_text(key))} is no answer; allowed: {keys}")
        except MemoryLedgerError as exc:
            self._refuse(f"{where}{exc}")
        return True

    def _go_back(self) -> None:
        number, key = self.interview.pressed[-1]
        if key != LATER:
            self._take_back(number, key)
        self.interview = self.interview.take_back()

    def _refuse(self, why: str) -> None:
        tell(why)
        if self._is_piped:
            self.is_clean = False
            self.interview = self.interview.press(LATER)

    def _explain(self, current: int) -> None:
        for key, meaning in {**self.interview.questions[current].answers, **_ALWAYS}.items():
            say(f"  {key}  {meaning}")

    def _show(self, current: int) -> None:
        question = self.interview.questions[current]
        show_question(question)
        say("  " + ", ".join(f"{key} {meaning}" for key, meaning in question.answers.items()) + f", {HELP} more", "dim")
