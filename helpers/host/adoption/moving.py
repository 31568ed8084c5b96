"""Ask for memories to move from one memory folder to another: the requests, where the hosts of both find them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...inbox import Arguments, Arrive, Leave
from ...ledger.transfer import ArrivalPlan, Header
from ..storage.transfers import archive_name, put_archive, to_lines

#: Puts a request into the inbox of a memory folder, in somebody's name.
Ask = Callable[[Path, Arguments], None]


def ask_to_carry(source: Path, target: Path, header: Header, plan: ArrivalPlan, ask: Ask, *, leaves: bool) -> None:
    """Ask for what is planned to come into `target`, and where it `leaves`, to go from `source` once it is there.

    The arrival comes first, so that nothing ever leaves before it came.
    """
    lines = to_lines(header, plan.coming)
    if plan.coming:
        ask(target, Arrive(archive=put_archive(target, lines)))
    if leaves:
        memories = (*plan.present, *(one.id for one in plan.coming))
        place = os.path.relpath(target.resolve(), source.resolve())
        ask(source, Leave(target=place, archive=archive_name(lines), memories=memories))
