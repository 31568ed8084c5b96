"""Where the chain of a folder does not hold, and signing anew after that (Q-31)."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from ...inbox import SignAnew
from ...quality.chain import Break
from ...quality.conflict_record import Resolver
from ...records import Memory
from ...service.arguments import Paged, Question
from ...service.inbox import SIGNED
from ...service.rows import Result
from ...store.deadline import Throttle
from ...store.files import CHAIN_FILE, file_stamp
from ..session import Folder

_MOST_CHARACTERS = 500
#: What does not hold, for as long as the chain and the memories are those that were verified.
_found: WeakKeyDictionary[Folder, tuple[object, Sequence[Break]]] = WeakKeyDictionary()


def find_breaks(folder: Folder) -> Sequence[Break]:
    """Return the breaks, the lowest line first; blocking, as long as verifying every line takes, beside the chats."""
    store, throttle = folder.store, Throttle()
    now_is = (file_stamp(store.folder / CHAIN_FILE), store.version, len(store))
    known = _found.get(folder)
    if known is not None and known[0] == now_is:
        return known[1]

    def read(memory_id: str) -> Memory | None:
        throttle.rest()
        return store.read_as_found(memory_id)

    breaks = folder.chain.file.verify(read).in_order
    _found[folder] = now_is, breaks
    return breaks


def list_breaks(folder: Folder, asked: Paged) -> Result:
    """Return one page of the breaks, each with the memory that it is about, if there is one."""
    breaks = find_breaks(folder)
    return {**asked.paging(len(breaks)), "rows": [_row(folder, one) for one in asked.cut(breaks)]}


def sign_anew(folder: Folder, _: Question) -> Result:
    """Sign all memories anew; the journal keeps what was broken, as after `sign-anew`."""
    requests = folder.store.requests
    requests.inbox.append(SignAnew(reason=SIGNED), at=folder.store.clock(), by=Resolver.OPERATOR.value)
    return {"words": "; ".join(one.words for one in requests.run(SignAnew))}


def _row(folder: Folder, one: Break) -> Result:
    memory = None if one.memory_id is None else folder.store.read(one.memory_id)
    text = "" if memory is None else memory.text[:_MOST_CHARACTERS]
    return {"line": one.seq, "found": one.reason, "memory": text and one.memory_id, "text": text}
