"""A process that writes knowledge until it is told, or dies.

    python writer.py append URL ROOT MACHINE WHO COUNT    adds COUNT lines of its own to one file, by merging
    python writer.py die-at-fsync|die-at-rename URL ROOT MACHINE WHO COUNT   replaces once; killed there

Says "ready", and begins when a line comes in.
"""

import os
import signal
import sys
from pathlib import Path

from places import Place

NAME = "domain_knowledge.md"
HEADER, FOOTER = "# Domain Knowledge\n", "end\n"
LARGE = 400_000


def add_line(text: str | None, line: str) -> str:
    """Return `text` with one more line before its end, and its padding with every line."""
    body = HEADER if text is None else text.removesuffix(FOOTER)
    return f"{body}{line}{'.' * 2_000}\n{FOOTER}"


def large(letter: str) -> str:
    return f"{HEADER}{letter * LARGE}\n{FOOTER}"


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main(task: str, url: str, root: str, machine: str, who: str, count: str) -> None:
    files = Place(url, Path(root)).open(machine).files
    if task == "die-at-fsync":
        os.fsync = die  # type: ignore[assignment]
    if task == "die-at-rename":
        Path.replace = die  # type: ignore[assignment, method-assign]
    files.read(NAME)
    say("ready")
    sys.stdin.readline()
    for number in range(int(count)):
        if task == "append":
            files.update(NAME, lambda text, line=f"{who}-{number} ": add_line(text, line))  # type: ignore[misc]
        else:
            files.write(NAME, large("ab"[number % 2]))
            say("written")


if __name__ == "__main__":
    main(*sys.argv[1:])
