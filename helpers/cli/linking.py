"""`link` and `unlink`: what one memory is to another, as a person says."""

from __future__ import annotations

from pathlib import Path

import click

from ..clock import system_clock
from ..errors import StoreError
from ..inbox import LinkMemories, UnlinkMemories
from ..quality.relationships import RelationshipType, find_stated
from ..records import Memory
from ..service.place import MemoryPlace
from ..store.requests import Inbox
from .declaring import Argument, Options, declare, flag
from .options import WRITING
from .orders import order
from .resolving import plan_decision
from .saved import open_place
from .showing import find_id

#: Where a link comes from that follows from what is stored, and what ends it.
_FOLLOWS = "`undo` ends what follows from a replacement, `resolve` what follows from a conflict"


def _run_link(options: Options) -> int:
    place, source, target = _find_pair(options)
    if source.id == target.id:
        raise StoreError(f"{options.folder}: {source.id} is to be linked to itself; allowed: another memory")
    asked = LinkMemories(
        memories=(source.id, target.id),
        type=RelationshipType(options.type),
        reason=options.because,
        bidirectional=options.both_ways,
    )
    decision = asked.to_decision()
    if decision is not None:  # refused where `resolve --keep` would be
        plan_decision(place, decision, system_clock())
    return order(options, asked, f"the link {_in_words(asked)} {{}} be made")


def _run_unlink(options: Options) -> int:
    _, source, target = _find_pair(options)
    asked = UnlinkMemories(memories=(source.id, target.id), type=RelationshipType(options.type))
    if find_stated(source, asked.type, target.id) is None and not _is_asked(options.folder, asked):
        stated = source.quality.relationships if source.quality is not None else ()
        known = ", ".join(f"{source.id} {one.type} {one.target}" for one in stated) or "none was stated"
        raise StoreError(f"{options.folder}: nobody stated {_in_words(asked)}; allowed: {known} ({_FOLLOWS})")
    return order(options, asked, f"the link {_in_words(asked)} {{}} be removed")


def _find_pair(options: Options) -> tuple[MemoryPlace, Memory, Memory]:
    place = open_place(options)
    ids = [find_id(place.path, place.documents(), asked) for asked in (options.id, options.other)]
    source, target = (memory for memory_id in ids if (memory := place.read(memory_id)) is not None)
    return place, source, target


def _is_asked(folder: Path, asked: UnlinkMemories) -> bool:
    """Whether the link waits to be made."""
    waiting = (one.asked for one in Inbox(folder).read() if one.answer is None)
    links = (one for one in waiting if isinstance(one, LinkMemories))
    return any((link.memories, link.type) == (asked.memories, asked.type) for link in links)


def _in_words(asked: LinkMemories | UnlinkMemories) -> str:
    source, target = asked.memories
    return f"{source} {asked.type.value} {target}"


_TYPES = [one.value for one in RelationshipType]
_ENDS = (
    Argument("id", metavar="MEMORY", help="the memory"),
    Argument("type", metavar="TYPE", type=click.Choice(_TYPES), help=f"what it is to the other: {', '.join(_TYPES)}"),
    Argument("other", metavar="OTHER", help="the other memory"),
)

COMMANDS = (
    declare(
        "link",
        _run_link,
        *_ENDS,
        click.Option(["--because"], metavar="TEXT", help="the reason, kept with the link"),
        flag("--both-ways", "the other memory leads back to this one as well"),
        *WRITING,
        examples=('memory-ledger link MEMORY supports OTHER --because "the same invoice"',),
    ),
    declare("unlink", _run_unlink, *_ENDS, *WRITING, examples=("memory-ledger unlink MEMORY supports OTHER",)),
)
