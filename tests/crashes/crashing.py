"""Kill a host of its own at counted points of a written life, and look at what a fresh one finds (T-64, E-63).

    python crashing.py GENERATION FOLDER COUNT SEED

Everything is imported and the host is up before the first fork. A child lives the life and kills itself at one of the
points where something reaches the disk: before it, in the middle of it, or after it. The next child is a fresh host on
the same folder. Prints one JSON object.
"""

import asyncio
import builtins
import faulthandler
import importlib
import io
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from fake_host import FakeHost, RunningClock
from fake_host.langchain import Document, faiss

PACK_ROOT = Path(__file__).resolve().parents[2]
PROCESS = re.compile(r"^\.|\.\d+\.\d+\.tmp$")
HOW = ("before", "half", "after")
LIMIT_SECONDS = 60
#: What the names of some points hold: inside an insert, what is done, and the three files of the host's index.
SORTS = ("insert", "write ", "rename ", "commit ", ".sha256", ".faiss", ".pkl")
#: What the chat may name to a person.
COMMANDS = ("restore", "repair")
CLASSIFIER = "monologue_end/_55_memory_classifier"

OLD, NEW = "User's project uses Python 3.9", "User's project uses Python 3.11"
NOTE, EDITED = "the shop is painted blue", "the shop is painted green"

Point = tuple[str, int, str]


class Counting:
    """Counts the points of this process where something reaches the disk, and dies at one of them."""

    def __init__(self, root: Path, fatal: Point | None) -> None:
        self.seen: Counter[str] = Counter()
        self.phase = ""
        self._root = f"{root}/"
        self._fatal = fatal

    def is_ours(self, path: object) -> bool:
        return isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._root)

    def point(self, kind: str, path: object, do: Callable[[], Any], do_half: Callable[[], Any]) -> Any:
        """Do something that reaches the disk, unless this is where the process ends."""
        names = [f"{kind} {PROCESS.sub('', Path(os.fspath(path)).name)}"]  # type: ignore[call-overload]
        names += [self.phase] if self.phase else []
        fatal = ""
        for name in names:
            self.seen[name] += 1
            if self._fatal is not None and self._fatal[:2] == (name, self.seen[name]):
                fatal = self._fatal[2]
        if fatal == "before":
            die()
        if fatal == "half":
            do_half()
            die()
        result = do()
        if fatal:
            die()
        return result


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def install(counting: Counting) -> None:
    """Let everything that writes below the root be counted, in this process only."""
    real_open, real_fdopen, real_replace, real_fsync = io.open, os.fdopen, os.replace, os.fsync
    real_write_index, real_unlink, real_connect = faiss.write_index, os.unlink, sqlite3.connect

    class CountedFile(io.FileIO):
        path: str = ""

        def write(self, data: Any, /) -> int:
            size = len(data)
            write = super().write
            return int(
                counting.point("write", self.path, lambda: write(data), lambda: write(bytes(data)[: size // 2])) or 0
            )

        def truncate(self, size: int | None = None, /) -> int:
            truncate = super().truncate
            return int(counting.point("truncate", self.path, lambda: truncate(size), lambda: None) or 0)

    def wrap(file: Any, path: str, mode: str, encoding: Any, errors: Any, newline: Any) -> Any:
        def create() -> CountedFile:
            raw = CountedFile(file, mode.replace("b", "").replace("t", ""))
            raw.path = path
            return raw

        raw = create() if isinstance(file, int) else counting.point("open", path, create, create)
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)

    def counted_open(
        file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, errors: Any = None, newline: Any = None,
        closefd: bool = True, opener: Any = None,
    ) -> Any:  # fmt: skip
        if counting.is_ours(file) and set(mode) & set("wax+"):
            return wrap(os.fspath(file), os.fspath(file), mode, encoding, errors, newline)
        return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)

    def counted_fdopen(descriptor: int, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        if counting.is_ours(path) and set(mode) & set("wax+"):
            return wrap(descriptor, path, mode, kwargs.get("encoding"), None, None)
        return real_fdopen(descriptor, mode, *args, **kwargs)

    def counted_replace(source: Any, target: Any) -> None:
        if not counting.is_ours(target):
            return real_replace(source, target)
        return counting.point("rename", target, lambda: real_replace(source, target), lambda: None)

    def counted_unlink(path: Any, **kwargs: Any) -> None:
        if not counting.is_ours(path):
            return real_unlink(path, **kwargs)
        return counting.point("unlink", path, lambda: real_unlink(path, **kwargs), lambda: None)

    def counted_fsync(descriptor: int) -> None:
        path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        if counting.is_ours(path):
            return counting.point("fsync", path, lambda: None, lambda: None)  # a kill takes nothing from the kernel
        return real_fsync(descriptor)

    def counted_write_index(index: Any, path: str) -> None:
        def half() -> None:
            real_write_index(index, path)
            os.truncate(path, Path(path).stat().st_size // 2)

        counting.point("write", path, lambda: real_write_index(index, path), half)

    class CountedConnection(sqlite3.Connection):
        """Counts what SQLite commits; half of a commit is one that it takes back when it is opened again."""

        path = ""

        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            commit = super().execute
            if sql != "COMMIT" or not counting.is_ours(self.path):
                return commit(sql, *args)
            result: sqlite3.Cursor = counting.point("commit", self.path, lambda: commit(sql), lambda: None)
            return result

    def counted_connect(address: str, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real_connect(address, *args, factory=CountedConnection, **kwargs)
        connection.path = unquote(address.removeprefix("file://").partition("?")[0])  # type: ignore[attr-defined]
        return connection

    sqlite3.connect = counted_connect  # type: ignore[assignment]
    builtins.open = io.open = counted_open  # type: ignore[assignment]
    os.fdopen, os.replace, os.fsync = counted_fdopen, counted_replace, counted_fsync  # type: ignore[assignment]
    os.unlink = counted_unlink  # type: ignore[assignment]
    faiss.write_index = counted_write_index


class Life:
    """What the host is asked to do, and a record outside its folder of what it has acknowledged."""

    def __init__(self, host: FakeHost, record: int, counting: Counting) -> None:
        self._host = host
        self._record = record
        self._counting = counting

    def _note(self, **row: Any) -> None:
        os.write(self._record, (json.dumps(row) + "\n").encode())

    async def insert(self, text: str) -> str:
        self._counting.phase = "insert"
        memory_id = await self._host.insert(text, area="fragments")
        self._counting.phase = ""
        self._note(did="insert", id=memory_id, text=text)
        return memory_id

    async def delete(self, memory_id: str) -> None:
        self._note(did="delete", id=memory_id)
        await (await self._host.memory()).delete_documents_by_ids([memory_id])

    async def update(self, memory_id: str, text: str) -> None:
        memory = await self._host.memory()
        self._note(did="update", id=memory_id, text=text)
        metadata = dict(memory.db.get_by_ids(memory_id)[0].metadata)
        await memory.update_documents([Document(page_content=text, metadata=metadata)])

    async def turn(self, text: str) -> None:
        await self._host.turn(text)
        await self._host.settle()

    async def live(self) -> None:
        await self.turn("My project uses Python 3.9.")
        await self.insert(OLD)
        note = await self.insert(NOTE)
        gone = await self.insert("a note that nobody needs")
        await self.turn("My project uses Python 3.11.")
        await self.insert(NEW)
        await self.turn("Which Python does my project use?")
        await self.delete(gone)
        await self.update(note, EDITED)
        await self.turn("And which colour does the shop have?")
        await self.insert("the port of the shop is 8080")
        await self.turn("Thank you.")


async def look(host: FakeHost, said: list[dict[str, Any]], command: list[str] | None) -> dict[str, Any]:
    """Return what is wrong in a fresh host, after the `command` of a person, and which commands the chat named."""
    if command is not None:
        sys.stdout = sys.stderr = io.StringIO()
        status = importlib.import_module("usr.plugins.memory_ledger.helpers.cli").main(command)
        if status != 0:
            return {"wrong": [f"{command} ends with {status}: {sys.stderr.getvalue()}"]}
    await host.turn("Hello.")
    await host.settle()
    await host.run(CLASSIFIER)
    await host.settle()
    wrong = [f"a hook failed: {one}" for one in host.hook_errors]
    wrong += [f"{one.heading}: {one.content}" for one in host.warnings if "failed" in one.heading]
    told = "".join(one.content or "" for one in host.log)
    named = [one for one in COMMANDS if f"{one} --folder {host.memory_folder()}" in told]
    return {"wrong": wrong + compare(host, said), "named": named}


def compare(host: FakeHost, said: list[dict[str, Any]]) -> list[str]:
    """Return what the store lacks, holds wrongly, or points to wrongly."""
    texts: dict[str, set[str]] = {}
    deleted = {row["id"] for row in said if row["did"] == "delete"}
    for row in said:
        if row["did"] == "insert":
            texts[row["id"]] = {row["text"]}
        elif row["did"] == "update":
            texts[row["id"]] = texts[row["id"]] | {row["text"]}  # it may have ended in the middle of it
    updates = {row["id"]: row["text"] for row in said[:-1] if row["did"] == "update"}
    texts |= {one: {text} for one, text in updates.items()}
    docs = host.docs
    wrong = [f"{one} is lost: {texts[one]}" for one in texts if one not in docs and one not in deleted]
    wrong += [f"{one} says {docs[one].page_content!r}" for one in texts
              if one in docs and docs[one].page_content not in texts[one]]  # fmt: skip
    db = host.memory_module.Memory.index["default"]
    if not db.index.ntotal == len(docs) == len(db.index_to_docstore_id):
        return [*wrong, f"{db.index.ntotal} vectors, {len(docs)} memories, {len(db.index_to_docstore_id)} positions"]
    for position, one in db.index_to_docstore_id.items():
        if not np.allclose(db.index.reconstruct(position), host.embedder.vector(docs[one].page_content), atol=1e-5):
            wrong.append(f"the vector of {one} is not that of its text")
    for one, document in docs.items():
        if "classification" not in document.metadata:
            wrong.append(f"{one} is not classified")
        wrong += wrong_pointers(one, docs, deleted)
    return wrong


def wrong_pointers(one: str, docs: dict[str, Any], deleted: set[str]) -> list[str]:
    """Return which ids in a memory's lineage name something else than what the rules decided on."""
    lineage = docs[one].metadata.get("lineage", {})
    text = {memory_id: document.page_content for memory_id, document in docs.items()}
    wrong = []
    winner, loser = lineage.get("superseded_by"), lineage.get("supersedes")
    if winner is not None and (text[one], text.get(winner)) != (OLD, NEW):
        wrong.append(f"{one} ({text[one]}) is superseded by {winner} ({text.get(winner)})")
    if loser is not None and (text[one], text.get(loser)) != (NEW, OLD):
        wrong.append(f"{one} ({text[one]}) supersedes {loser} ({text.get(loser)})")
    related = lineage.get("related_memory_ids", ())
    return wrong + [f"{one} is related to {other}" for other in related if other not in docs and other not in deleted]


def in_child(work: Callable[[], Any]) -> tuple[int, str]:
    """Run `work` in a fork; return how that ended (0, or the signal), and what it returned or died of, as text."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        faulthandler.dump_traceback_later(LIMIT_SECONDS, exit=True)
        try:
            answer = json.dumps(work())
        except BaseException:  # noqa: BLE001 - told to the parent
            answer = json.dumps({"raised": traceback.format_exc()[-3_000:]})
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read().decode()
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), answer


def live_until(
    fatal: Point | None, root: Path, record: Path, life: Callable[[int, Counting], Any]
) -> tuple[int, dict[str, int], list[dict[str, Any]]]:
    """Live a life in a fork, up to a point.

    Returns how it ended (0, or the signal), the points that it passed, and the rows of `record`: what was acknowledged.
    """
    record.unlink(missing_ok=True)

    def work() -> dict[str, int]:
        descriptor = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        counting = Counting(root, fatal)
        install(counting)
        asyncio.run(life(descriptor, counting))
        return counting.seen

    signalled, answer = in_child(work)
    rows = record.read_text().splitlines() if record.exists() else []
    seen = json.loads(answer) if not signalled else {}
    if "raised" in seen:
        raise RuntimeError(seen["raised"])
    return signalled, seen, [json.loads(row) for row in rows]


class Scene:
    """One host that is up, forked for every life and every look at what a life left."""

    life: type[Life] = Life
    texts: tuple[str, ...] = (OLD, NEW, NOTE, EDITED)

    def __init__(self, generation: str, root: Path) -> None:
        self.host = FakeHost(generation, root / "a0", clock=RunningClock())
        self.record = root / "record.jsonl"
        self.host.start()
        self.host.install(PACK_ROOT)
        self.host.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        importlib.import_module("usr.plugins.memory_ledger.helpers.host.hooks")
        importlib.import_module("usr.plugins.memory_ledger.helpers.cli")
        self.folder = self.host.memory_folder()
        self.read_ahead()

    def read_ahead(self) -> None:
        """Let the core compile its patterns and tables here and not in every fork: it keeps nothing of a text."""
        core = "usr.plugins.memory_ledger.helpers."
        said = importlib.import_module(f"{core}ledger.attribution")
        claims = importlib.import_module(f"{core}claims")
        for text in self.texts:
            said.attribute(text, [said.Utterance(said.Speaker.USER, text)])
            claims.extract_claims(text)

    def clear(self) -> None:
        """Put the folder back to how it was before the first life."""
        shutil.rmtree(self.folder.parent, ignore_errors=True)
        self.folder.parent.mkdir(parents=True)
        config = {"maintenance_interval_loops": 2}
        (self.folder.parent / "classification_config.json").write_text(json.dumps(config))

    def live(self, fatal: Point | None) -> tuple[int, dict[str, int], list[dict[str, Any]]]:
        """Live the life up to a point; return how it ended, the points that it passed, and what was acknowledged."""
        self.clear()
        return live_until(fatal, self.host.root, self.record, lambda *given: self.life(self.host, *given).live())

    def look(self, said: list[dict[str, Any]], command: list[str] | None) -> dict[str, Any]:
        """Return what a fresh host finds wrong; with `raised` it does not even load the store, with `hung` no end."""
        signalled, answer = in_child(lambda: asyncio.run(look(self.host, said, command)))
        found: dict[str, Any] = {"hung": f"ended with {signalled}"} if signalled else json.loads(answer)
        return found

    def judge(self, said: list[dict[str, Any]]) -> tuple[str, list[str]]:
        """Return how all came back: by itself, or by a command; or what is lost for good."""
        first = self.look(said, None)
        if first.get("wrong") == []:
            return "by itself", []
        if "hung" in first:
            return "hung", [*first.values()]
        if not said and not (self.folder / "ledger_backup.jsonl").exists():
            return "nothing acknowledged yet", []  # the host ended while it made the empty store
        options = ["--set-aside"] if "raised" in first else []
        commands = ["restore"] if options else first["named"]
        if not commands:
            return "unnamed", ["the chat names no command", *first["wrong"]]
        for command in commands:
            second = self.look(said, [command, "--folder", str(self.folder), *options])
            if second.get("wrong") == []:
                return " ".join([command, *options]), []
        return "lost", [*first.values(), "-- and after the command:", *second.values()]


def least_of(sort: str, count: int) -> int:
    """Return how many of so many points are of a sort at least; what is cut off inside an insert does the most harm."""
    return 3 if sort == "insert" else min(3, (count - 3) // (len(SORTS) - 1))


def draw(seen: dict[str, int], count: int, seed: int) -> list[Point]:
    """Return so many points: some of each sort and of what happens inside an insert, the others from all."""
    chooser = random.Random(seed)
    every = [
        (name, number, how) for name, times in sorted(seen.items()) for number in range(1, times + 1) for how in HOW
    ]
    drawn: list[Point] = []
    for sort in SORTS:
        points = [one for one in every if sort in one[0]]
        drawn += chooser.sample(points, min(len(points), least_of(sort, count)))
    drawn = list(dict.fromkeys(drawn))
    left = [one for one in every if one not in drawn]
    while len(drawn) < count:
        drawn += chooser.sample(left, min(len(left), count - len(drawn)))
    return drawn


def kill_at_points(
    live: Callable[[Point | None], tuple[int, dict[str, int], list[dict[str, Any]]]],
    judge: Callable[[list[dict[str, Any]]], tuple[str, list[str]]],
    choose: Callable[[dict[str, int]], list[Point]],
) -> dict[str, Any]:
    """Live once to the end and once up to each chosen point; return how each ended, and what was lost."""
    signalled, seen, said = live(None)
    assert signalled == 0
    how, wrong = judge(said)
    lost: list[dict[str, Any]] = [{"point": "none", "wrong": wrong}] if wrong or how != "by itself" else []
    ends: Counter[str] = Counter()
    points = choose(seen)
    for point in points:
        signalled, _, said = live(point)
        how, wrong = judge(said)
        ends[how if signalled else "not reached"] += 1
        if wrong:
            lost.append({"point": point, "wrong": wrong, "said": said})
    return {"ends": ends, "lost": lost, "points": points, "seen": seen}


def main(generation: str, root: str, count: str, seed: str) -> None:
    scene = Scene(generation, Path(root))
    found = kill_at_points(scene.live, scene.judge, lambda seen: draw(seen, int(count), int(seed)))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
