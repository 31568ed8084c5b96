"""The common steps of commands: read settings, answer lines of input, and put requests to a running host."""

from __future__ import annotations

import getpass
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from ..clock import system_clock
from ..door import parse_line
from ..errors import MemoryLedgerError, Problem, StoreError, fault_in_words
from ..formats.rows import name_fields
from ..inbox import AnswerOutcome, Arguments, InboxRequest
from ..settings import Settings, load_settings
from ..store.docstore_file import is_of_host
from ..store.files import CONFIG_FILE, read_settings_file
from ..store.requests import Inbox
from .declaring import DONE, PROBLEMS, Options, tell
from .output import Row, progress, say, write_json

Answer = Callable[[Row], Row]


class InputError(MemoryLedgerError):
    """A line of input, or a field of it, has another form than the documented one."""


def answer_input(
    file: str, answer: Answer, given: Mapping[str, Any], *, is_line: bool | None = None, takes_text: bool = False
) -> int:
    """Answer what was `given` as arguments, or each line of `file` on a line of its own, as soon as it is read.

    `is_line` says whether the arguments are to be answered; by default, where the file is a text. With `takes_text` a
    line may be a text in place of an object. The answer of a bad line is an error with its number, that of a blank line
    is blank. Returns the exit code.
    """
    if is_line or (is_line is None and " " in file and not Path(file).exists()):
        write_json(answer(given))
        return DONE
    failed = False
    with open_input(file) as stream:
        for number, line in enumerate(stream, 1):
            try:
                if takes_text and line.lstrip()[:1] not in ("", "{", "["):
                    write_json(answer({"text": check_text(line.rstrip("\n"))}))
                elif line.strip():
                    write_json(answer(read_row(line)))
                else:
                    print()
            except InputError as exc:
                failed = True
                write_json({"error": f"line {number}: {exc}"})
            sys.stdout.flush()
    return PROBLEMS if failed else DONE


@contextmanager
def open_input(file: str) -> Iterator[IO[str]]:
    """Open a file, a pipe or standard input, to read it line by line; `read_row` refuses lines that are not UTF-8."""
    if file == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield sys.stdin
        return
    if not (Path(file).is_file() or Path(file).is_fifo()):
        raise InputError(f"{file} is not a file; allowed: a JSON Lines file, a pipe, or - for standard input")
    with Path(file).open(encoding="utf-8", errors="surrogateescape") as stream:
        yield stream


def check_text(line: str) -> str:
    """Return `line`; raises InputError if its bytes were not UTF-8."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError as exc:
        byte = ord(line[exc.start]) - 0xDC00
        raise InputError(f"not UTF-8: byte {byte:#04x} at character {exc.start + 1}; allowed: UTF-8 text") from exc
    return line


def read_row(line: str, number: int = 1) -> dict[str, Any]:
    """Return the JSON object of a line of input; raises InputError."""
    row = parse_line(check_text(line), number)
    if isinstance(row, Problem):
        raise InputError(str(row))
    return row


class InputLine(BaseModel):
    """The fields of a line of input; what is null counts as missing, and unknown keys are left alone."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, row: Any) -> Any:
        if not isinstance(row, Mapping):
            return row
        return {name: value for name, value in name_fields(row).items() if value is not None}

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Return the fields of a row; raises InputError."""
        try:
            return cls.model_validate(row)
        except ValidationError as exc:
            raise InputError(fault_in_words(exc)) from None


def read_folder_settings(folder: Path, path: Path | None) -> Settings:
    """Return the settings of the file at `path`; without one, of the host's own file beside `folder`, if any."""
    beside = folder.absolute().parent / CONFIG_FILE
    return read_settings(path or (beside if beside.is_file() else None))


def read_settings(path: Path | None) -> Settings:
    """Return the defaults with the values of a settings file, if any; say which values cannot be applied."""
    problems: list[Problem] = []
    layers = []
    if path is not None:
        values = read_settings_file(path, problems)
        if values is None and not problems:
            raise InputError(f"{path} is missing; allowed: a settings file")
        layers = [(str(path), values)] if values is not None else []
    settings, more = load_settings(layers)
    for problem in [*problems, *more]:
        tell(problem)
    return settings


def checked(folder: Path) -> Path:
    """Return `folder`; raises StoreError if it is not a folder."""
    if not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; allowed: a memory folder, such as usr/memory/default")
    return folder


#: When a host carries out a request.
NEXT_TURN = "at Agent Zero's next turn"


def when(folder: Path, moment: str = NEXT_TURN) -> str:
    """Return when a request is carried out, with a space before the words; empty where that is at once."""
    return f" {moment}" if is_of_host(folder) else ""


def waiting_requests(folder: Path) -> list[InboxRequest]:
    """Return the requests that no host has answered yet."""
    return [request for request in Inbox(folder).read() if request.answer is None]


def put(folder: Path, asked: Arguments, *, now: datetime) -> None:
    """Put a request, made `now`, into the inbox of a folder, in the name of the terminal's user."""
    try:
        by = getpass.getuser()
    except (OSError, KeyError):  # a container may run as somebody who has no name
        by = None
    Inbox(folder).append(asked, at=now, by=by)


def order(
    options: Options,
    asked: Arguments,
    sentence: str,
    *,
    now: datetime | None = None,
    after: str | None = None,
    say: Callable[[str], object] = say,
    is_due: bool = True,
) -> int:
    """Put a request into the inbox, or in a dry run, or where none is due, say what it would do; return the exit code.

    `sentence` has `{}` in the place of "would" or "will"; `after` follows it, by default when the request is carried
    out. Where no host runs, it is carried out at once, and the outcome is said.
    """
    after = when(options.folder) if after is None else after
    if options.dry_run or not is_due:
        say(sentence.format("would") + after)
        return DONE
    put(options.folder, asked, now=now or system_clock())
    if is_of_host(options.folder):
        say(sentence.format("will") + after)
        return DONE
    done, failed = settle(options, options.folder)
    for words in (*done, *failed):
        say(words)
    return PROBLEMS if failed else DONE


def settle(options: Options, folder: Path) -> tuple[list[str], list[str]]:
    """Carry out the requests of a store that no host runs on; return the outcomes and the failures, in words."""
    from ..host.alone import carry_out

    settings = read_folder_settings(folder, getattr(options, "config", None))
    done, failed = list[str](), list[str]()
    with progress(f"writing into {folder.name}") as advance:
        answered = carry_out(folder, settings, load=options.load, clock=system_clock, tell=tell, advance=advance)
    for request in answered:
        if request.answer is None:
            failed.append(
                f"`{request.kind}` could not be done and waits: the next command on this store tries it again"
            )
            continue
        (failed if request.answer.outcome is AnswerOutcome.REFUSED else done).append(request.answer.words)
        failed += request.answer.problems
    return done, failed
