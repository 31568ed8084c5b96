"""The command `memory-ledger demo`: load the model, play the conversation, print it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ..errors import StoreError
from ..settings import Settings
from ..store.embedding import load_minilm
from .conversation import CONVERSATION
from .play import FOLDER_NAME, Player, TurnReport
from .show import Ink, show_in_short, show_opening, show_restart, show_summary, show_turn


def run_demo(
    out: TextIO, folder: Path | None, *, is_whole: bool = False, load_embedder: Callable[[], Any] | None = None
) -> bool:
    """Write the outcome, or the whole play, to `out`; return whether the pack kept every retired memory out.

    `folder` is made and kept; without it a temporary folder serves. Raises StoreError if it holds a play already.
    """
    ink = Ink(out.isatty() and "NO_COLOR" not in os.environ)
    with _open_folder(folder) as place:
        out.write(show_opening(ink) if is_whole else "")
        out.flush()
        player = Player(CONVERSATION, load_embedder() if load_embedder else load_minilm(threads=1), place, Settings())
        turns: list[TurnReport] = []
        for report in player.play():
            if isinstance(report, TurnReport):
                turns.append(report)
                shown = show_turn(report, CONVERSATION.person, ink)
            else:
                shown = show_restart(report, ink)
            out.write(shown if is_whole else "")
            out.flush()
        retired = player.retired()
        out.write(show_summary(player.figures, retired, ink) if is_whole else show_in_short(turns, player.figures, ink))
        if folder is not None:
            out.write(f"\nThe memory folder stays: {place / FOLDER_NAME}\n")
    figures = player.figures
    return figures.outdated_by_host > 0 and figures.outdated_by_pack == 0


@contextmanager
def _open_folder(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="memory-ledger-demo-") as temporary:
            yield Path(temporary)
        return
    if (folder / FOLDER_NAME).exists():
        raise StoreError(f"{folder / FOLDER_NAME} exists; allowed: a folder without an earlier play")
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
