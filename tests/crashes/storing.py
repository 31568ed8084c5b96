"""Kill the one writer of a quality store at counted points of its life, and look at what the next one finds (Q-55).

    python storing.py FOLDER COUNT SEED

As `crashing.py`, without a host: a fork opens the store, changes it and kills itself; the next fork opens it. What a
method has returned is acknowledged. Prints one JSON object.
"""

import asyncio
import json
import os
import random
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from crashing import HOW, Counting, Point, in_child, kill_at_points, live_until

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shell"))
from quality_tools import Bench, content

#: What happens between these calls, and how often it is killed at least.
PHASES = ("fill", "change", "end")
TEXTS = [f"the shelf {number} holds jar {number}" for number in range(4)]
BEGUN = ["the fern is thirsty", "the heron sleeps at noon", "the otter holds a hand"]
EDITED = "the heron sleeps at night"


class Keeping:
    """A store that has a history, and what is done to it."""

    def __init__(self, root: Path, record: int, counting: Counting) -> None:
        self._bench = Bench(root)
        self._record = record
        self._counting = counting

    def _note(self, **row: Any) -> None:
        os.write(self._record, (json.dumps(row) + "\n").encode())

    async def begin(self) -> None:
        async with self._bench.open() as store:
            for text in BEGUN:
                await store.remember({"content": {"text": text}})

    async def live(self) -> None:
        self._counting.phase = "fill"
        async with self._bench.open() as store:
            ids = {one["content"]["text"]: one["id"] for one in await store.recall()}
            for text in TEXTS[:2]:
                made = await store.remember({"content": {"text": text}})
                self._note(did="remember", id=made["id"], text=text)
            await store.save()
            self._counting.phase = "change"
            self._note(did="updating", id=ids[BEGUN[1]])
            await store.update(ids[BEGUN[1]], {"text": EDITED})
            self._note(did="update", id=ids[BEGUN[1]])
            self._note(did="forgetting", id=ids[BEGUN[0]])
            await store.forget(ids[BEGUN[0]], "on purpose")
            self._note(did="forget", id=ids[BEGUN[0]])
            pair = [await store.remember({"content": content("mood ring", each)}) for each in ("green", "amber")]
            for made in pair:
                self._note(did="remember", id=made["id"], text=f"Adam mood ring: {made['content']['value']}")
            made = await store.remember({"content": {"text": TEXTS[2]}, "derivedFrom": [ids[BEGUN[2]]]})
            self._note(did="remember", id=made["id"], text=TEXTS[2])
            await store.refresh(ids[BEGUN[2]], {"confidence": 0.31})
            self._note(did="refresh", id=ids[BEGUN[2]])
            self._counting.phase = "end"
        self._note(did="close")


async def look(root: Path, said: list[dict[str, Any]]) -> list[str]:
    """Return what the next writer finds wrong, twice: opening it mends nothing by halves."""
    first = await _look_once(root, said)
    return first or [f"the second time: {one}" for one in await _look_once(root, said)]


async def _look_once(root: Path, said: list[dict[str, Any]]) -> list[str]:
    bench, did = Bench(root), Counter(row["did"] for row in said)
    async with bench.open() as store:
        found = {one["id"]: one for one in await store.recall({"includeDeleted": True})}
        wanted = {row["id"]: row["text"] for row in said if row["did"] == "remember"}
        texts = {one: document.page_content for one, document in store._store.db.get_all_docs().items()}
        wrong = [f"{text} is lost" for one, text in wanted.items() if texts.get(one) != text]
        wrong += [f"{text} is lost" for text in (BEGUN[0], BEGUN[2]) if text not in texts.values()]
        if did["updating"]:
            [edited] = [row["id"] for row in said if row["did"] == "updating"]
            allowed = (EDITED,) if did["update"] else (BEGUN[1], EDITED)
            wrong += [] if texts.get(edited) in allowed else [f"updated to {texts.get(edited)}"]
        if did["forget"]:
            [gone] = [row["id"] for row in said if row["did"] == "forget"]
            wrong += [] if found[gone]["deleted"] else [f"{gone} is not forgotten"]
        if did["refresh"]:
            [one] = [row["id"] for row in said if row["did"] == "refresh"]
            wrong += [] if found[one]["confidence"] == 0.31 else [f"{one} has confidence {found[one]['confidence']}"]
        db = store._store.db
        if not db.index.ntotal == len(texts) == len(db.index_to_docstore_id):
            wrong.append(f"{db.index.ntotal} vectors, {len(texts)} memories")
        for position, one in db.index_to_docstore_id.items():
            if not np.allclose(db.index.reconstruct(position), bench.embedder.embed_query(texts[one]), atol=1e-5):
                wrong.append(f"the vector of {one} is not that of its text")
        for conflict in await store.get_conflicts({"unresolved": True}):
            wrong += [f"{conflict['id']} is about {one}, which is not there" for one in conflict["memories"]
                      if one not in texts]  # fmt: skip
        verified = await store.verify()
        return wrong + verified["errors"]


class Scene:
    """The same history for every life."""

    def __init__(self, root: Path) -> None:
        self.root, self._begun, self._record = root / "life", root / "begun", root / "record.jsonl"
        asyncio.run(Keeping(self._begun, os.open(os.devnull, os.O_WRONLY), Counting(root, None)).begin())

    def live(self, fatal: Point | None) -> tuple[int, dict[str, int], list[dict[str, Any]]]:
        """Live the life up to a point; return how it ended, the points that it passed, and what was acknowledged."""
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self._begun, self.root)
        return live_until(fatal, self.root, self._record, lambda *given: Keeping(self.root, *given).live())

    def wrong(self, said: list[dict[str, Any]]) -> list[str]:
        """Return what the next writer finds wrong."""
        signalled, answer = in_child(lambda: asyncio.run(look(self.root, said)))
        found = [f"ended with {signalled}"] if signalled else json.loads(answer)
        return found if isinstance(found, list) else [found["raised"]]


def choose(seen: dict[str, int], count: int, seed: int) -> list[Point]:
    """Return so many points, of each phase as many, and the last moves of every save among them."""
    chooser = random.Random(seed)
    moves = [(name, seen[name], how) for name in sorted(seen) if name.startswith("rename index") for how in HOW]
    every = [(phase, number, how) for phase in PHASES for number in range(1, seen[phase] + 1) for how in HOW]
    left = [one for one in every if one not in moves]
    return [*moves, *chooser.sample(left, min(len(left), max(0, count - len(moves))))]


def main(root: str, count: str, seed: str) -> None:
    scene = Scene(Path(root))
    judge, points = (lambda said: ("by itself", scene.wrong(said))), (int(count), int(seed))
    sys.stdout.write(json.dumps(kill_at_points(scene.live, judge, lambda seen: choose(seen, *points))))


if __name__ == "__main__":
    main(*sys.argv[1:])
