"""Long work for a page: restoring, repairing, and verifying the chain.

These are the requests of a terminal, carried out in a thread, one at a time for a folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from weakref import WeakKeyDictionary

from ...clock import format_time
from ...inbox import Arguments, BringBack, Repair, SignAnew
from ...quality.chain import Break
from ...quality.conflict_record import Resolver
from ...records import Memory
from ...service.arguments import Paged, Question, ServiceError
from ...service.inbox import SIGNED
from ...service.rows import Result
from ...store.deadline import Throttle
from ...store.files import CHAIN_FILE, file_stamp
from ..session import Folder

_log = logging.getLogger(__name__)

_MOST_CHARACTERS = 500
#: The breaks of each folder's chain, with the state of the chain and the memories that was verified.
_found: WeakKeyDictionary[Folder, tuple[object, Sequence[Break]]] = WeakKeyDictionary()

_KEY = "_memory_ledger_asked_order"
_BUSY = "An earlier request is being carried out; wait until it is done."
_FAILED = "it failed; see the server log, and the next turn tries again"
_MOST_PROBLEMS = 20
#: Held while an order is started, for two people may ask at the same time.
_starting = threading.Lock()


@dataclass(slots=True)
class OrderState:
    """The progress and the result of an order."""

    kind: str
    began: datetime
    done: int = 0
    total: int = 0
    ended: datetime | None = None
    words: str = ""
    problems: tuple[str, ...] = ()


class _Order(threading.Thread):
    def __init__(self, folder: Folder, kind: str) -> None:
        super().__init__(name="memory-ledger-orders", daemon=True)
        self._folder = folder
        self.state = OrderState(kind, folder.store.clock())

    def run(self) -> None:
        state, folder = self.state, self._folder
        try:
            answers = folder.orders.carry_out(self._tell)
            folder.end_turn()
            state.words = "; ".join(_plain(folder, answer.words) for answer in answers) or "there was nothing to do"
            state.problems = tuple(_plain(folder, problem) for answer in answers for problem in answer.problems)[
                :_MOST_PROBLEMS
            ]
        except Exception:  # noqa: BLE001 - the last stop of a thread; the next hook goes on with what is left
            _log.exception("an order was not carried out")
            state.words = _FAILED
        finally:
            state.ended = folder.store.clock()

    def _tell(self, done: int, total: int) -> None:
        self.state.done, self.state.total = done, total


def _plain(folder: Folder, words: str) -> str:
    """Return words without the path of the folder."""
    return words.replace(f"{folder.store.folder}/", "")


def start_order(folder: Folder, asked: Arguments) -> None:
    """Append an order to the inbox and carry it out in a thread; raises ServiceError while another one goes on."""
    with _starting:
        if folder.carrying_out is not None and folder.carrying_out.is_alive():
            raise ServiceError(_BUSY)
        folder.store.requests.inbox.append(asked, at=folder.store.clock(), by=Resolver.OPERATOR.value)
        thread = _Order(folder, asked.kind)
        folder.carrying_out = thread
        folder.store.db.__dict__[_KEY] = thread
        thread.start()


def order_row(folder: Folder) -> Result | None:
    """Return the progress and the result of the last order of a page; None without one."""
    thread = folder.store.db.__dict__.get(_KEY)
    if not isinstance(thread, _Order):
        return None
    state = thread.state
    return {
        "kind": state.kind,
        "began": format_time(state.began),
        "ended": None if state.ended is None else format_time(state.ended),
        "done": state.done,
        "total": state.total,
        "words": state.words,
        "problems": [*state.problems],
    }


def is_working(folder: Folder) -> bool:
    """Whether an order is being carried out, whoever started it."""
    return folder.carrying_out is not None and folder.carrying_out.is_alive()


def last_answers(folder: Folder) -> list[Result]:
    """Return the answers to earlier orders, the latest first."""
    rows = [
        {"kind": request.kind, "at": format_time(request.answer.at), "words": _plain(folder, request.answer.words)}
        for request in folder.store.requests.look()
        if request.answer is not None and request.kind in (BringBack.kind, Repair.kind)
    ]
    return sorted(rows, key=lambda row: str(row["at"]), reverse=True)


def find_breaks(folder: Folder) -> Sequence[Break]:
    """Return the breaks of the chain, the lowest line first; blocking, for it verifies every line, beside the chats."""
    store, throttle = folder.store, Throttle()
    state = (file_stamp(store.folder / CHAIN_FILE), store.version, len(store))
    cached = _found.get(folder)
    if cached is not None and cached[0] == state:
        return cached[1]

    def read(memory_id: str) -> Memory | None:
        throttle.rest()
        return store.read_as_found(memory_id)

    breaks = folder.chain.file.verify(read).in_order
    _found[folder] = state, breaks
    return breaks


def list_breaks(folder: Folder, asked: Paged) -> Result:
    """Return one page of the breaks, each with its memory, if there is one."""
    breaks = find_breaks(folder)
    return {**asked.paging(len(breaks)), "rows": [_row(folder, chain_break) for chain_break in asked.cut(breaks)]}


def sign_anew(folder: Folder, _: Question) -> Result:
    """Sign all memories anew; the journal keeps the breaks, as after `sign-anew`."""
    requests = folder.store.requests
    requests.inbox.append(SignAnew(reason=SIGNED), at=folder.store.clock(), by=Resolver.OPERATOR.value)
    return {"words": "; ".join(request_answer.words for request_answer in requests.run(SignAnew))}


def _row(folder: Folder, chain_break: Break) -> Result:
    memory = None if chain_break.memory_id is None else folder.store.read(chain_break.memory_id)
    text = "" if memory is None else memory.text[:_MOST_CHARACTERS]
    return {
        "line": chain_break.seq,
        "found": chain_break.reason,
        "memory": text and chain_break.memory_id,
        "text": text,
    }
