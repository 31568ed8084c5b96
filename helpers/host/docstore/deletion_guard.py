"""Keep the host's deletes from following the ledger's own words and pointers (T-61).

From v1.14 on the host deletes, with a memory, every other one whose metadata holds its id, and `memory_forget` also
every one whose metadata holds the words asked for. Deleting an outdated memory would delete the one that replaced it.
The two methods that choose those victims are wrapped at run time, once per class, so that they see documents without
the ledger's keys; content and the host's own metadata are matched as ever. Older hosts have neither method.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from ...records import LEDGER_KEYS

_MARK = "_memory_ledger_guarded"
_CHOOSERS = ("_find_related_docs_by_ids", "_find_exact_query_docs")


def guard_deletes(module: ModuleType) -> None:
    """Wrap the host's two choosers of further victims, where it has them; a second call changes nothing."""
    for name in _CHOOSERS:
        chooser = getattr(module.Memory, name, None)
        if chooser is not None and not getattr(chooser, _MARK, False):
            wrapped = _without_ledger(chooser)
            setattr(wrapped, _MARK, True)
            setattr(module.Memory, name, wrapped)


def _without_ledger(chooser: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(chooser)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> list[Any]:
        live = dict(self.db.get_all_docs())
        chosen = chooser(_Bare(self, live), *args, **kwargs)
        return [live[one.ledger_id] for one in chosen]

    return wrapper


class _Bare:
    """The host's memory with documents that carry no ledger keys; everything else is the host's own."""

    def __init__(self, memory: Any, live: dict[str, Any]) -> None:
        self._memory = memory
        bare = {
            memory_id: SimpleNamespace(
                ledger_id=memory_id,
                page_content=document.page_content,
                metadata={key: value for key, value in document.metadata.items() if key not in LEDGER_KEYS},
            )
            for memory_id, document in live.items()
        }
        self.db = SimpleNamespace(get_all_docs=lambda: bare)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)
