"""Kill a host at counted points of what people order: vault, erase, restore, import, move, maintenance, knowledge.

    python working.py GENERATION FOLDER COUNT SEED [PHASE ...]

As `crashing.py`, over a store that has a history: a memory that the host has updated, one that was deleted, records of
the vault. Prints one JSON object.
"""

import asyncio
import contextlib
import importlib
import io
import json
import os
import random
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from crashing import HOW, Counting, Life, Point, Scene, in_child, kill_at_points
from fake_host import FakeHost

PHASES = ("vault", "compact", "erase", "restore", "import", "move", "maintenance", "knowledge")
SAID_FIRST, SAID_THEN = "User's PIN of the shed is 7391", "User's PIN of the shed is 8462"
KEPT = [f"the shelf {number} holds jar {number}" for number in range(4)]
DELETED, ARRIVING, LEAVING = "the fern was thirsty", "the heron sleeps at noon", "the owl sleeps on the roof"
RULES = ["Answer in Latin", "Bees come first", "Otters hold hands"]
ERASED_RULE = "The shed key hangs in the kitchen"


def run_command(*words: str) -> str:
    """Run a command of the pack's; return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = importlib.import_module("usr.plugins.memory_ledger.helpers.cli").main(list(words))
    if status != 0:
        raise RuntimeError(f"{words} ends with {status}: {printed.getvalue()}")
    return printed.getvalue()


def rows_of(*words: str) -> list[dict[str, Any]]:
    """Run a command; return the JSON Lines that it printed."""
    return [json.loads(line) for line in run_command(*words).splitlines() if line.startswith("{")]


def records(folder: Path) -> dict[str, str]:
    """Return the active records of the vault, ids by text."""
    return {row["text"]: row["id"] for row in rows_of("vault", "list", "--json", "--folder", str(folder))}


async def prepare(host: FakeHost) -> None:
    """Give the store its history."""
    folder, other = host.memory_folder(), host.memory_folder("elsewhere")
    life = Life(host, os.open(os.devnull, os.O_WRONLY), Counting(host.root, None))
    for text in (LEAVING, ARRIVING):
        host.configure(agent_memory_subdir="elsewhere")
        if not host.machine.traits.has_plugins:
            host.agent.context.config = host.process.new_config(host.agent.config.profile)
        await life.turn("Hello.")
        await life.insert(text)
    await life.turn("Thank you.")
    run_command("export", "--folder", str(other), "--out", str(host.root / "archive.jsonl"))
    host.configure(agent_memory_subdir="default")
    if not host.machine.traits.has_plugins:
        host.agent.context.config = host.process.new_config(host.agent.config.profile)
    await life.turn("Hello.")
    for text in (*KEPT, DELETED, SAID_FIRST):
        await life.insert(text)
    await life.turn("Go on.")
    ids = {document.page_content: one for one, document in host.docs.items()}
    memory = await host.memory()
    await asyncio.create_task(memory.delete_documents_by_ids([ids[DELETED]]))
    metadata = dict(memory.db.get_by_ids(ids[SAID_FIRST])[0].metadata)
    await memory.delete_documents_by_ids([ids[SAID_FIRST]])
    await memory.insert_text(SAID_THEN, {**metadata, "updated_from": ids[SAID_FIRST], "consolidation_action": "update"})
    for text in (RULES[0], ERASED_RULE):
        run_command("vault", "add", text, "--folder", str(folder))
    await life.turn("Thank you.")


class Work(Life):
    """What people order of the host, and a record of what was acknowledged."""

    async def live(self) -> None:
        host, folder = self._host, str(self._host.memory_folder())
        self._begin("vault")
        for text in RULES[1:]:
            run_command("vault", "add", text, "--folder", folder)
            self._note(did="add", text=text)
        await self.turn("What holds?")
        ids = {document.page_content: one for one, document in host.docs.items()}
        self._begin("erase")
        for one in (ids[SAID_THEN], records(Path(folder))[ERASED_RULE]):
            run_command("erase", "--folder", folder, one)
            self._note(did="erase")
        await self.turn("Hello.")
        self._begin("restore")
        deleted = rows_of("restore", "--folder", folder, "--deleted")
        gone = [row["id"] for row in deleted if row["text"] == DELETED]
        run_command("restore", "--folder", folder, *(word for one in gone for word in ("--id", one)))
        self._note(did="order", text=DELETED)
        await self.turn("Hello.")
        self._begin("import")
        run_command("import", "--folder", folder, str(host.root / "archive.jsonl"))
        self._note(did="order", text=ARRIVING)
        await self.turn("Hello.")
        self._begin("move")
        run_command("move", "--folder", str(host.memory_folder("elsewhere")), "--to", folder, "--all")
        await self.turn("Hello.")
        self._begin("compact")
        run_command("vault", "compact", "--folder", folder)
        self._begin("maintenance")
        await self.turn("Hello.")
        await self.turn("Hello.")
        self._begin("knowledge")
        await self.turn("Thank you.")

    def _begin(self, phase: str) -> None:
        self._counting.phase = phase


def files_that_say(root: Path, texts: list[str]) -> list[str]:
    """Return every file below a folder that holds one of the texts."""
    paths = [path for path in root.rglob("*") if path.is_file()]
    return [str(path.relative_to(root)) for path in paths if any(text.encode() in path.read_bytes() for text in texts)]


async def look(host: FakeHost, said: list[dict[str, Any]], *, sets_aside: bool) -> list[str]:
    """Return what is wrong in a fresh host, where it cannot load its index after the command of a person."""
    folder, acts = host.memory_folder(), Counter(row["did"] for row in said)
    secrets = [SAID_FIRST, SAID_THEN, ERASED_RULE]
    waiting = {one for row in orders(folder) for one in (*row["memories"], *row.get("also", ()))}
    before = files_that_say(folder.parent, secrets)
    if sets_aside:
        run_command("restore", "--folder", str(folder), "--set-aside")
    for _ in range(3):
        await host.turn("Hello.")
        await host.settle()
    texts = [document.page_content for document in host.docs.values()]
    wanted = [*KEPT, *(row["text"] for row in said if row["did"] == "order")]
    if any(text not in texts for text in wanted) or any(text not in records(folder) for text in RULES[:1]):
        run_command("restore", "--folder", str(folder))
        for _ in range(3):
            await host.turn("Hello.")
            await host.settle()
    texts = [document.page_content for document in host.docs.values()]
    wrong = [f"{text} is lost" for text in wanted if text not in texts]
    rules = [RULES[0], *(row["text"] for row in said if row["did"] == "add")]
    wrong += [f"the record {text} is lost" for text in rules if text not in records(folder)]
    wrong += [f"{text} is there {texts.count(text)} times" for text in wanted if texts.count(text) > 1]
    left = files_that_say(folder.parent, secrets)
    if acts["erase"] == 2:
        wrong += [f"erased, and still in {one}" for one in left]
        if before and not waiting:
            wrong.append(f"nobody knows that the erasure was cut off; {before}")
    elif not acts["erase"] and left and SAID_THEN in texts and "would be erased" not in named(host):
        wrong.append(f"undone and not named: {left}")
    wrong += [f"a hook failed: {one}" for one in host.hook_errors]
    return wrong


def named(host: FakeHost) -> str:
    [one] = [one for one, document in host.docs.items() if document.page_content == SAID_THEN]
    return run_command("erase", "--folder", str(host.memory_folder()), one, "--dry-run")


def orders(folder: Path) -> list[dict[str, Any]]:
    """Return the orders to erase that wait."""
    path = folder / "ledger_inbox.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []
    return [row["arguments"] for row in rows if row.get("kind") == "erase" and "answer" not in row]


class WorkScene(Scene):
    """The same host and the same history for every life."""

    life = Work

    def __init__(self, generation: str, root: Path) -> None:
        super().__init__(generation, root)
        self._begun = root / "begun"
        super().clear()
        signalled, answer = in_child(lambda: asyncio.run(prepare(self.host)))
        if signalled or "raised" in (answer or ""):
            raise RuntimeError(answer)
        shutil.copytree(self.folder.parent, self._begun)

    def clear(self) -> None:
        super().clear()
        shutil.rmtree(self.folder.parent)
        shutil.copytree(self._begun, self.folder.parent)

    def wrong(self, said: list[dict[str, Any]]) -> list[str]:
        """Return what a fresh host finds wrong."""
        found: Any = []
        for sets_aside in (False, True):
            signalled, answer = in_child(lambda how=sets_aside: asyncio.run(look(self.host, said, sets_aside=how)))
            found = [f"ended with {signalled}"] if signalled else json.loads(answer)
            if isinstance(found, list):
                return found
        return [found["raised"][-2_000:]]


def spread(seen: dict[str, int], count: int, seed: int, phases: tuple[str, ...]) -> list[Point]:
    """Return so many points, of each phase as many; the seed says with which phase they begin."""
    chooser = random.Random(seed)
    turns = (phases[(seed + number) % len(phases)] for number in range(count))
    return [(phase, chooser.randint(1, seen[phase]), chooser.choice(HOW)) for phase in turns]


def main(generation: str, root: str, count: str, seed: str, *phases: str) -> None:
    scene = WorkScene(generation, Path(root))

    def choose(seen: dict[str, int]) -> list[Point]:
        return spread(seen, int(count), int(seed), phases or PHASES)

    found = kill_at_points(scene.live, lambda said: ("by itself", scene.wrong(said)), choose)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
