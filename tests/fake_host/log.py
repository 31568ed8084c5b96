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
    """One line of the chat. `update` replaces, `stream` appends; unknown keywords become kvps."""

    def __init__(self, log: "Log", no: int, type: str) -> None:
        self.log = log
        self.no = no
        self.type = type
        self.heading = ""
        self.content = ""
        self.kvps: OrderedDict[str, Any] = OrderedDict()
        self.update_progress: str | None = "persistent"
        self.id: str | None = None

    def update(
        self,
        type: str | None = None,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        update_progress: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.log.change(self, type, heading, content, kvps, update_progress, **kwargs)

    def stream(self, heading: str | None = None, content: str | None = None, **kwargs: Any) -> None:
        if heading is not None:
            self.update(heading=self.heading + heading)
        if content is not None:
            self.update(content=self.content + content)
        for key, value in kwargs.items():
            self.update(**{key: self.kvps.get(key, "") + value})

    def __repr__(self) -> str:
        return f"LogItem({self.type}: {self.heading!r} {self.content!r})"


class LogItemWithTemp(LogItem):
    """A1: `temp` is a field of its own, so it never becomes a kvp."""

    temp: bool = False

    def update(
        self,
        type: str | None = None,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        temp: bool | None = None,
        update_progress: str | None = None,
        **kwargs: Any,
    ) -> None:
        if temp is not None:
            self.temp = temp
        self.log.change(self, type, heading, content, kvps, update_progress, **kwargs)


class Log:
    """The log of one chat, A2 and later: a `temp=` keyword becomes a visible kvp."""

    item_class: type[LogItem] = LogItem

    def __init__(self) -> None:
        self.context: Any = None
        self.logs: list[LogItem] = []
        self.updates: list[int] = []
        self.progress = ""
        self._lock = threading.RLock()
        self.set_initial_progress()

    def log(
        self,
        type: str,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        update_progress: str | None = None,
        id: str | None = None,
        **kwargs: Any,
    ) -> LogItem:
        return self._append(type, heading, content, kvps, update_progress, id, **kwargs)

    def _append(
        self,
        type: str,
        heading: str | None,
        content: str | None,
        kvps: dict[str, Any] | None,
        update_progress: str | None,
        id: str | None,
        **kwargs: Any,
    ) -> LogItem:
        with self._lock:
            item = self.item_class(self, len(self.logs), type)
            self.logs.append(item)
        item.id = id
        self.change(item, type, heading, content, kvps, update_progress, **kwargs)
        return item

    def change(
        self,
        item: LogItem,
        type: str | None,
        heading: str | None,
        content: str | None,
        kvps: dict[str, Any] | None,
        update_progress: str | None,
        **kwargs: Any,
    ) -> None:
        """Apply one change; values are deep-copied, so an object that cannot be copied raises."""
        item.type = type or item.type
        item.update_progress = update_progress or item.update_progress
        if heading is not None:
            item.heading = _cut(heading, _HEADING_LIMIT)
        if content is not None:
            item.content = _cut(content, _CONTENT_LIMIT)
        if kvps is not None:
            item.kvps = OrderedDict(copy.deepcopy(kvps))
        item.kvps.update(copy.deepcopy(kwargs))
        self.updates.append(item.no)
        if item.heading and item.update_progress != "none":
            self.progress = item.heading

    def set_progress(self, progress: str, no: int = 0, active: bool = True) -> None:
        """Show `progress` in the status bar."""
        self.progress = progress

    def set_initial_progress(self) -> None:
        """Show that the host waits for the user."""
        self.set_progress("Waiting for input", 0, False)


class LogWithTemp(Log):
    """A1: `temp` sits before `update_progress`, also positionally."""

    item_class = LogItemWithTemp

    def log(
        self,
        type: str,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        temp: bool | None = None,
        update_progress: str | None = None,
        id: str | None = None,
        **kwargs: Any,
    ) -> LogItem:
        item = self._append(type, heading, content, kvps, update_progress, id, **kwargs)
        if temp is not None:
            item.update(temp=temp)
        return item
