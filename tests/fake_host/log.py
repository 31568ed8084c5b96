"""The chat log an extension writes to (contract section 8, "Log")."""

import copy
import threading
from collections import OrderedDict
from typing import Any

_HEADING_LIMIT = 120
_CONTENT_LIMIT = 15_000


def _cut(text: str | None, limit: int) -> str:
    raw = "" if text is None else str(text)
    return raw if len(raw) <= limit else raw[: limit - 3] + "..."


class LogItem:
    """One line of the chat. `update` replaces; unknown keywords become kvps."""

    def __init__(self, no: int, type: str) -> None:
        self.no = no
        self.type = type
        self.heading = ""
        self.content = ""
        self.kvps: OrderedDict[str, Any] = OrderedDict()

    def update(
        self,
        type: str | None = None,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        update_progress: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Apply one change; values are deep-copied, so an object that cannot be copied raises."""
        self.type = type or self.type
        if heading is not None:
            self.heading = _cut(heading, _HEADING_LIMIT)
        if content is not None:
            self.content = _cut(content, _CONTENT_LIMIT)
        if kvps is not None:
            self.kvps = OrderedDict(copy.deepcopy(kvps))
        self.kvps.update(copy.deepcopy(kwargs))

    def __repr__(self) -> str:
        return f"LogItem({self.type}: {self.heading!r} {self.content!r})"


class Log:
    """The log of one chat."""

    def __init__(self) -> None:
        self.logs: list[LogItem] = []
        self._lock = threading.RLock()

    def log(
        self,
        type: str,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        update_progress: str | None = None,
        **kwargs: Any,
    ) -> LogItem:
        with self._lock:
            item = LogItem(len(self.logs), type)
            self.logs.append(item)
        item.update(type, heading, content, kvps, **kwargs)
        return item
