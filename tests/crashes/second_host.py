"""Be a second host on a folder that another one works in: python second_host.py GENERATION ROOT TEXT (T-64)."""

import asyncio
import sys
from itertools import count
from pathlib import Path

from fake_host import FakeHost, RunningClock

FIRST_ID = 36**7  # an id is random in a real host: the two give out no id twice


async def main(generation: str, root: str, text: str) -> None:
    """Store one memory in a turn, and end in order."""
    with FakeHost(generation, Path(root), clock=RunningClock()) as host:
        host.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        host.machine._ids = count(FIRST_ID)
        await host.turn("Hello from over there.", fragments=[text])
        await host.finish_memorizing()
        await host.turn("And goodbye.")
        await host.settle()
        texts = sorted(document.page_content for document in host.docs.values())
        sys.stdout.write(f"{texts} {host.hook_errors}\n")


asyncio.run(main(*sys.argv[1:]))
