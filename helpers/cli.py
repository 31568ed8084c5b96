"""The same functions for a person at a terminal: JSON Lines in and out, one answer per line (issue: the terminal).

`classify` and `contradict` answer each line as soon as it is read, so that they serve as filters in a pipe.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, TypeVar

from .claims import extract_claims
from .clock import EPOCH, parse_time, system_clock
from .errors import MemoryLedgerError, Problem
from .host import proposals
from .host.files import read_settings_file
from .host.strip import strip_metadata
from .ledger.attribution import Speaker, Utterance
from .ledger.classify import classify_memory
from .ledger.resolve import Party, decide
from .ledger.utility import find_load_signal
from .records import Source, Utility, Validity, read_memory
from .settings import Settings, load_settings
from .texts import counted

_Option = TypeVar("_Option", bound=StrEnum)
Answer = Callable[[dict[str, Any]], dict[str, Any]]

DONE, PROBLEMS, MISUSE = 0, 1, 2


class InputError(MemoryLedgerError):
    """A line, or a field of it, is not of the documented form."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0 when done, 1 when some of the input or the store had problems, 2 on misuse."""
    options = _parser().parse_args(argv)
    try:
        status: int = options.run(options)
    except MemoryLedgerError as exc:
        print(f"memory-ledger: {exc}", file=sys.stderr)
        return PROBLEMS
    except BrokenPipeError:
        return PROBLEMS
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="memory-ledger", description="What the rules of Memory Ledger decide.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    classify = commands.add_parser("classify", help="say where memories come from and what they are worth")
    contradict = commands.add_parser("contradict", help="say what becomes of two memories that are compared")
    for command, run in ((classify, _run_classify), (contradict, _run_contradict)):
        command.add_argument("file", nargs="?", default="-", help="JSON Lines; - is standard input (the default)")
        command.add_argument("--config", type=Path, help="a classification_config.json to apply")
        command.set_defaults(run=run)

    adopt = commands.add_parser("adopt", help="show or accept what the first look at a full store would retire")
    adopt.add_argument("--folder", type=Path, required=True, help="a memory folder, such as usr/memory/default")
    choice = adopt.add_mutually_exclusive_group(required=True)
    choice.add_argument("--report", action="store_true", help="list what would be retired, as JSON Lines")
    choice.add_argument("--accept", action="store_true", help="let the running host retire it at its next turn")
    adopt.add_argument(
        "--except", dest="excluded", nargs="+", default=[], metavar="ID", help="memories to leave in use"
    )
    adopt.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    adopt.set_defaults(run=_run_adopt)

    strip = commands.add_parser("strip", help="remove the ledger's metadata from a store whose host is stopped")
    strip.add_argument("--folder", type=Path, required=True, help="a memory folder, such as usr/memory/default")
    strip.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    strip.add_argument(
        "--pointers-only", action="store_true", help="keep the rest; only unlink memories from each other"
    )
    strip.set_defaults(run=_run_strip)

    demo = commands.add_parser("demo", help="play a written conversation and show what the pack does with it")
    demo.add_argument("--folder", type=Path, help="keep the memory folder of the conversation in this new folder")
    demo.set_defaults(run=_run_demo)
    return parser


# --- classify --------------------------------------------------------------------------------------------------------


def _run_classify(options: argparse.Namespace) -> int:
    settings = _read_settings(options.config)
    return _answer_lines(options.file, lambda row: _answer_classify(row, settings))


def _answer_classify(row: dict[str, Any], settings: Settings) -> dict[str, Any]:
    metadata = _field(row, "metadata", dict, {})
    area = _field(row, "area", str, metadata.get("area", "main"))
    memory, _ = read_memory("line", _field(row, "text", str), {**metadata, "area": area}, inserted_at=EPOCH)
    change = classify_memory(memory, _read_utterances(row), settings, trusts_origin=True)
    axes = change.classification
    return {
        "classification": {
            "validity": axes.validity,
            "relevance": axes.relevance,
            "utility": axes.utility,
            "source": axes.source,
        },
        "tags": list(axes.tags),
        "why": change.why,
    }


def _read_utterances(row: dict[str, Any]) -> list[Utterance]:
    """Return what was said: `turns` in order, or the two lists without an order between them."""
    turns = [
        Utterance(_choice(Speaker, turn.get("role"), "turns.role"), _field(turn, "text", str))
        for turn in _objects(row, "turns")
    ]
    for key, speaker in (("user_messages", Speaker.USER), ("agent_messages", Speaker.AGENT)):
        for text in _field(row, key, list, []):
            if not isinstance(text, str):
                raise InputError(f"{key} holds {text!r}; allowed: texts")
            turns.append(Utterance(speaker, text))
    return turns


# --- contradict ------------------------------------------------------------------------------------------------------


def _run_contradict(options: argparse.Namespace) -> int:
    settings = _read_settings(options.config)
    return _answer_lines(options.file, lambda row: _answer_contradict(row, settings))


def _answer_contradict(row: dict[str, Any], settings: Settings) -> dict[str, Any]:
    older_row, newer_row = _field(row, "older", dict), _field(row, "newer", dict)
    older_text, newer_text = _field(older_row, "text", str), _field(newer_row, "text", str)
    older = _read_party(older_row, settings, default_at=EPOCH)
    newer = _read_party(newer_row, settings, default_at=max(older.at, EPOCH) + timedelta(seconds=1))
    decision = decide(
        older,
        newer,
        extract_claims(older_text),
        extract_claims(newer_text),
        older_text=older_text,
        newer_text=newer_text,
    )
    return {
        "outcome": decision.outcome,
        "contradiction": decision.is_contradiction,
        "winner": decision.winner,
        "why": {"rule": decision.rule, "basis": decision.basis, "reasons": list(decision.reasons)},
    }


def _read_party(row: dict[str, Any], settings: Settings, *, default_at: datetime) -> Party:
    """Return the standing of one side; by default the user said it, and the text tells its utility."""
    source = _choice(Source, row.get("source", Source.USER_ASSERTED), "source")
    signal = find_load_signal(_field(row, "text", str), settings, is_user=source is Source.USER_ASSERTED)
    default_utility = Utility.TACTICAL if signal is None else Utility.LOAD_BEARING
    at = default_at
    if row.get("created_at") is not None:
        parsed = parse_time(row["created_at"])
        if parsed is None:
            raise InputError(f"created_at is {row['created_at']!r}; allowed: ISO 8601")
        at = parsed
    return Party(
        source=source,
        validity=_choice(Validity, row.get("validity", Validity.CONFIRMED), "validity"),
        utility=_choice(Utility, row.get("utility", default_utility), "utility"),
        at=at,
    )


# --- adopt, strip, demo ----------------------------------------------------------------------------------------------


def _run_adopt(options: argparse.Namespace) -> int:
    found = proposals.read_proposals(options.folder)
    if options.report:
        for one in found:
            print(json.dumps(asdict(one), ensure_ascii=False))
        print(f"{_memories(len(found))} would be retired; nothing is until you accept it", file=sys.stderr)
        return DONE
    if options.dry_run:
        print(f"{_memories(len(found) - len(set(options.excluded)))} would be retired at the host's next turn")
        return DONE
    count = proposals.accept_proposals(options.folder, at=system_clock(), excluded=options.excluded)
    print(f"{_memories(count)} will be retired at the host's next turn")
    return DONE


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def _run_strip(options: argparse.Namespace) -> int:
    touched, total = strip_metadata(options.folder, only_pointers=options.pointers_only, is_dry_run=options.dry_run)
    done = "would be" if options.dry_run else "were"
    what = "the links to other memories" if options.pointers_only else "the ledger's metadata"
    print(f"{options.folder}: {what} {done} removed from {touched} of {_memories(total)}")
    return DONE


def _run_demo(options: argparse.Namespace) -> int:
    from .demo.command import run_demo  # it brings torch with it; the other commands load no model

    return DONE if run_demo(sys.stdout, options.folder) else PROBLEMS


# --- lines -----------------------------------------------------------------------------------------------------------


def _answer_lines(file: str, answer: Answer) -> int:
    """Answer every line of `file` in order, each as soon as it is read; a bad line gets an error and the rest go on."""
    failed = False
    with _open_input(file) as stream:
        for line in stream:
            if not line.strip():
                continue
            try:
                reply = answer(_read_row(line))
            except InputError as exc:
                failed = True
                reply = {"error": str(exc)}
            sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    return PROBLEMS if failed else DONE


@contextmanager
def _open_input(file: str) -> Iterator[IO[str]]:
    if file == "-":
        yield sys.stdin
        return
    if not Path(file).is_file():
        raise InputError(f"{file} is not a file; allowed: a JSON Lines file, or - for standard input")
    with Path(file).open(encoding="utf-8") as stream:
        yield stream


def _read_row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise InputError(f"not JSON: {exc}") from exc
    if not isinstance(row, dict):
        raise InputError(f"the line is {type(row).__name__}; allowed: a JSON object")
    return row


_MISSING: Any = object()


def _field(row: Mapping[str, Any], key: str, kind: type, default: Any = _MISSING) -> Any:
    """Return `row[key]` if it is of `kind`; the default where the key is absent or null."""
    value = row.get(key)
    if value is None and default is not _MISSING:
        return default
    if not isinstance(value, kind):
        found = "missing" if key not in row else repr(value)[:80]
        raise InputError(f"{key} is {found}; allowed: {_KIND_NAMES.get(kind, kind.__name__)}")
    return value


_KIND_NAMES: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


def _objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = _field(row, key, list, [])
    for one in found:
        if not isinstance(one, dict):
            raise InputError(f"{key} holds {one!r}; allowed: objects")
    return list(found)


def _choice(options: type[_Option], value: object, where: str) -> _Option:
    try:
        return options(str(value))
    except ValueError:
        allowed = ", ".join(one.value for one in options)
        raise InputError(f"{where} is {value!r}; allowed: {allowed}") from None


def _read_settings(path: Path | None) -> Settings:
    """Return the defaults, or the defaults with a settings file over them; what cannot be applied is named."""
    problems: list[Problem] = []
    layers = []
    if path is not None:
        found = read_settings_file(path, problems)
        if found is None and not problems:
            raise InputError(f"{path} is missing; allowed: a settings file")
        layers = [(str(path), found)] if found is not None else []
    settings, more = load_settings(layers)
    for problem in [*problems, *more]:
        print(f"memory-ledger: {problem}", file=sys.stderr)
    return settings


if __name__ == "__main__":
    sys.exit(main())
