"""The places of knowledge and logs, in a folder or behind fsspec; logs are read a line at a time."""

from __future__ import annotations

import importlib
import json
import platform
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from ...errors import StoreError, shorten
from ...inbox import Row
from ...knowledge.decisions import Transaction, TransactionSummary, decide
from ...knowledge.hops import LARGEST_RECORD, Hop, LogName, log_name_of, parse_hop, parse_log_name, read_records
from ...knowledge.words import told_id
from ...setting_groups import Knowledge
from ...store import files
from ...store.embedding import install_command
from ...store.lines import LineStore
from ...texts import regex

#: The only folder that knowledge is written to, below `knowledge_url`.
FOLDER = "context/memory"
#: The folder of the governance, which is only read.
GOVERNANCE_FOLDER = "context/governance"
#: The cache-refresh signal of a folder, and the lock of its writers: files of the pack, no knowledge.
SIGNAL_NAME = "cache_refresh.json"
LOCK_NAME = ".knowledge.lock"

_PART = regex(r"\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", re.ASCII)
_OWN = regex(r"cache_refresh\.json|\.knowledge\.lock|\..*\.tmp")
_MOST_PARTS = 4
_LONGEST_PART = 200
_ALLOWED = (
    f"a path below {FOLDER}/ of at most {_MOST_PARTS} parts, each of lower-case letters, digits, `_`, `-`, single dots"
)


class NameRefusedError(StoreError):
    """A name that could leave `context/memory/`, or that the pack reserves."""

    def __init__(self, name: object, allowed: str = _ALLOWED) -> None:
        super().__init__(f"knowledge file {shorten(name)} is refused; allowed: {allowed}")


class KnowledgeAwayError(StoreError):
    """The place of knowledge, or of the logs, cannot be used now; it may be again later."""


def is_name(name: object) -> bool:
    """Whether `name` is a valid name of a knowledge file."""
    parts = name.split("/") if isinstance(name, str) else []
    is_plain = all(len(part) <= _LONGEST_PART and _PART.fullmatch(part) for part in parts)
    return 0 < len(parts) <= _MOST_PARTS and is_plain and not _OWN.fullmatch(parts[-1])


def local_folder(url: str, home: Path) -> Path | None:
    """Return the folder of a path or a `file://` URL, None for any other URL; a relative path lies in `home`."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return home / url
    return home / unquote(rest) if scheme.lower() == "file" else None


def open_filesystem(url: str, seconds: float) -> tuple[Any, str]:
    """Return the fsspec file system of an address and the path in it.

    Raises KnowledgeAwayError where its library is missing.
    """
    options: dict[str, Any] = {"skip_instance_cache": True}
    if url.startswith(("s3://", "s3a://")):
        times = {"connect_timeout": seconds, "read_timeout": seconds, "retries": {"total_max_attempts": 1}}
        options |= {"use_listings_cache": False, "config_kwargs": times}
    try:
        filesystem, top = importlib.import_module("fsspec.core").url_to_fs(url, **options)
    except (ImportError, ValueError) as exc:
        command = install_command("s3fs")
        raise KnowledgeAwayError(f"{without_secrets(url)}: {exc}; for s3://, `{command}` brings it") from exc
    filesystem.retries = 1  # who waits for an answer waits no longer than the setting says
    return filesystem, str(top).rstrip("/")


def without_secrets(url: str) -> str:
    """Return a URL without user, password and query, so that it may be shown."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    parts = urlsplit(f"//{rest}")
    return f"{scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


_LONGEST_LINE = LARGEST_RECORD + 1_000
_BLOCK_BYTES = 4_194_304
#: The most bytes of logs that are read to show where an entry comes from.
_MOST_BYTES = 64_000_000
_DAY = timedelta(days=1)

#: Called between two lines by a thread of a running host (`Throttle.rest`).
Rest = Callable[[], None]


@dataclass(frozen=True)
class LogFolder:
    """The logs in a folder, or at an address of fsspec."""

    address: str
    seconds: float = 5.0

    def __str__(self) -> str:
        return without_secrets(self.address)

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine."""
        return "://" not in self.address

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        return open_filesystem(self.address, self.seconds)

    def sizes(self) -> dict[LogName, int]:
        """Return the sizes of the logs in bytes, the oldest first; files with other names are left out.

        Raises KnowledgeAwayError where the place cannot be used.
        """
        sizes = {parse_log_name(name): size for name, size in self._listed()}
        return {name: sizes[name] for name in sorted(name for name in sizes if name is not None)}

    def lines(self, name: LogName, *, end: int, rest: Rest | None = None) -> Iterator[bytes]:
        """Yield the lines of a log up to byte `end`; an overlong line in parts.

        A last line without its end may still be written, and is left out, except in Markdown. Raises OSError.
        """
        with self._open(name.name) as stream:
            offset = 0
            while offset < end and (line := stream.readline(min(end - offset, _LONGEST_LINE))):
                offset += len(line)
                if offset >= end and not line.endswith(b"\n") and not name.is_prose:
                    return
                if rest is not None:
                    rest()
                yield line

    def _listed(self) -> Iterator[tuple[str, int]]:
        if self.is_local:
            try:
                for path in Path(self.address).iterdir():
                    if path.is_file():
                        yield path.name, path.stat().st_size
            except FileNotFoundError:
                return
            return
        filesystem, top = self._opened
        try:
            listed = filesystem.ls(top, detail=True, refresh=True)
        except FileNotFoundError:
            return
        except Exception as exc:  # any exception of the storage's library
            raise KnowledgeAwayError(f"{self}: {type(exc).__name__}: {exc}") from exc
        for entry in listed:
            if entry.get("type") == "file":
                yield str(entry["name"]).rpartition("/")[2], int(entry.get("size") or 0)

    def _open(self, name: str) -> IO[bytes]:
        if self.is_local:
            return (Path(self.address) / name).open("rb", buffering=1 << 20)
        filesystem, top = self._opened
        opened: IO[bytes] = filesystem.open(f"{top}/{name}", "rb", block_size=_BLOCK_BYTES)
        return opened


class RemoteLines(LineStore):
    """The log of this machine at an address, which this machine alone appends to."""

    def __init__(self, folder: LogFolder, name: str) -> None:
        super().__init__(Path(folder.address) / name)
        self._folder, self._name = folder, name

    def append(self, rows: Iterable[Row], *, note_late: Callable[[], object] = bool) -> None:
        """Append rows. Raises OSError, also for any exception of the storage's library."""
        data = b"".join(files.to_bytes(files.to_line(row)) for row in rows)
        if not data:
            return
        try:
            filesystem, top = open_filesystem(self._folder.address, self._folder.seconds)
            with filesystem.open(f"{top}/{self._name}", "ab") as stream:
                stream.write(data)
        except Exception as exc:
            raise OSError(f"{type(exc).__name__}: {exc}") from exc


def log_folder(settings: Knowledge, home: Path) -> LogFolder:
    """Return the folder of the logs in the settings; a relative path lies in `home`."""
    local = local_folder(settings.log_url, home)
    return LogFolder(settings.log_url if local is None else str(local), settings.storage_timeout_seconds)


def own_log(folder: LogFolder, day: date) -> LineStore:
    """Return this machine's log of a day; in a place shared with others its name has a number."""
    if folder.is_local:
        return LineStore(Path(folder.address) / log_name_of(day), is_durable=False)
    number = zlib.crc32(platform.node().encode()) % 1_000_000
    return RemoteLines(folder, log_name_of(day, number))


def find_chains(
    folder: LogFolder, sources: Sequence[str], *, first: date, last: date, hop_limit: int
) -> dict[str, TransactionSummary]:
    """Return the outcomes of the chains that an entry comes from, by their ids; blocking.

    Reads a bounded part of the logs of those days, the latest first; chains outside of it are left out.
    """
    hops_by_chain: dict[str, list[Hop]] = {}
    budget = _MOST_BYTES
    for name, size in reversed(folder.sizes().items()):
        if not first - _DAY <= name.day <= last + _DAY or name.is_prose:
            continue
        budget -= size
        if budget < 0 or len(hops_by_chain) == len(set(sources)):
            break
        marks = [json.dumps(source)[1:-1].encode() for source in sources]
        lines = (line for line in folder.lines(name, end=size) if any(mark in line for mark in marks))
        hops = (parse_hop(record, day=name.day) for record in read_records(lines, is_prose=False) if record is not None)
        for hop in hops:
            chain = "" if hop is None else told_id(hop.transaction or hop.request or hop.session or hop.message)
            if hop is not None and chain in sources:
                hops_by_chain.setdefault(chain, []).append(hop)
    return {chain_id: decide(Transaction(tuple(hops)), hop_limit=hop_limit) for chain_id, hops in hops_by_chain.items()}
