"""Knowledge behind an fsspec URL: `s3://` for a fleet (extra `fleet`), and whatever else fsspec has a file system for.

One put replaces a whole object, so a reader never sees half of one. Two writers merge by conditional puts (`If-Match`)
on S3. A place without them is read, and not written: two writers would undo each other's work.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import secrets
import threading
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...errors import StoreError, shorten
from .backend import MOST_BYTES, KnowledgeAwayError, Stored
from .names import FOLDER, GOVERNANCE_FOLDER, is_name

_log = logging.getLogger(__name__)

_CONFLICT_CODES = {409, 412}
_PUT_KEY = "memory-ledger-put"
_NO_VERSION = '"none-has-this"'
# Refused by the guard, so nobody's knowledge; it stays only on a server that does not look at conditions.
_PROBE_NAME = ".If-Match"
# What a busy machine needs to read the descriptions of all of S3 once.
_SETUP_SECONDS = 20.0
_LOCAL_PROTOCOLS = {"file", "local", "dir"}
# fsspec's `memory://` belongs to one process, whose writers take turns.
_PROCESS_PROTOCOL = "memory"
_in_this_process = threading.Lock()


class RemoteBackend:
    """The objects under `URL/context/memory/`; no request takes longer than `seconds`."""

    def __init__(self, url: str, *, seconds: float, shown: str) -> None:
        self._shown = f"{shown.rstrip('/')}/{FOLDER}"
        self._seconds = seconds
        self._url = url
        self._limit_of_next = seconds + _SETUP_SECONDS
        self._lock = _in_this_process
        self._has_conditions: bool | None = None

    def __str__(self) -> str:
        return self._shown

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        """The file system and the path of `context/memory` in it; its library is loaded by whoever first needs it."""
        filesystem, top = _open(self._url, self._seconds)
        return filesystem, f"{top.rstrip('/')}/{FOLDER}"

    def read(self, name: str) -> Stored | None:
        """Return an object. The mark is asked for first: one that is changed in between fails the next swap."""
        path = self._path(name)
        try:
            info = self._do("info", path)
            if info.get("type") != "file":
                return None
            if info.get("size", 0) > MOST_BYTES:
                raise StoreError(f"{self}/{name} is larger than {MOST_BYTES} bytes")
            data: bytes = self._do("cat_file", path)
        except FileNotFoundError:
            return None
        return Stored(data, str(info.get("ETag") or hashlib.sha256(data).hexdigest()))

    def swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Replace exactly the version that was read."""
        with self._lock:
            if not self._is_of_this_process():
                self._check_conditions()
                return self._swap_if_match(name, data, expected)
            found = self.read(name)
            if (None if found is None else found.version) != expected:
                return False
            self._do("pipe_file", self._path(name), data)
        return True

    def put(self, name: str, data: bytes) -> None:
        """Replace whatever stands there."""
        with self._lock:
            if not self._is_of_this_process():
                self._check_conditions()
            self._do("pipe_file", self._path(name), data)

    def remove(self, name: str) -> None:
        """Take an object away."""
        try:
            self._do("rm_file", self._path(name))
        except FileNotFoundError:
            _log.debug("%s/%s was already gone", self, name)

    def versions(self) -> Mapping[str, str]:
        """Return the listing; a bucket that is not there is a place that cannot be used."""
        try:
            found = self._do("find", self._path(""), detail=True)
        except FileNotFoundError:
            return {}
        start = len(self._path("").strip("/")) + 1
        named = {path.strip("/")[start:]: _mark(info) for path, info in found.items()}
        return {name: mark for name, mark in named.items() if is_name(name)}

    def governance(self) -> Mapping[str, bytes]:
        """Return the governance objects beside the knowledge."""
        top = f"{self._opened[1].removesuffix(FOLDER)}{GOVERNANCE_FOLDER}"
        try:
            found = self._do("find", top, maxdepth=1, detail=True)
        except FileNotFoundError:
            return {}
        named = {path.rpartition("/")[2]: (path, info.get("size") or 0) for path, info in sorted(found.items())}
        for name, (_, size) in named.items():
            if size > MOST_BYTES:
                raise StoreError(f"{self._shown.removesuffix(FOLDER)}{GOVERNANCE_FOLDER}/{name} is too large")
        return {name: self._do("cat_file", path) for name, (path, _) in named.items() if name.endswith(".md")}

    def _swap_if_match(self, name: str, data: bytes, expected: str | None) -> bool:
        put_id = secrets.token_hex(8)
        condition = {"IfNoneMatch": "*"} if expected is None else {"IfMatch": expected}
        try:
            self._do("pipe_file", self._path(name), data, Metadata={_PUT_KEY: put_id}, **condition)
        except FileNotFoundError as exc:
            if expected is None:
                raise KnowledgeAwayError(f"{self}: {shorten(str(exc), 200)}") from exc
            return False  # it was taken away in between
        except _ConflictError:
            return self._put_id(name) == put_id
        return True

    def _put_id(self, name: str) -> object:
        """Return which put wrote an object. A library below may send one twice, and the second meets the first."""
        try:
            return self._do("metadata", self._path(name), refresh=True).get(_PUT_KEY)
        except FileNotFoundError:
            return None

    def _is_of_this_process(self) -> bool:
        return _PROCESS_PROTOCOL in _protocols(self._opened[0])

    def _check_conditions(self) -> None:
        """Ask once whether the server, and the client's library, looks at a condition that cannot hold.

        Raises KnowledgeAwayError where it does not.
        """
        if self._has_conditions is None:
            self._has_conditions = self._takes_conditions()
        if not self._has_conditions:
            raise KnowledgeAwayError(
                f"{self} takes no conditional puts, so that two writers would undo each other's work: it is read, and"
                " nothing is written there; allowed: a folder, or S3 that honours `If-Match`"
            )

    def _takes_conditions(self) -> bool:
        if "s3" not in _protocols(self._opened[0]):
            return False
        try:
            self._do("pipe_file", self._path(_PROBE_NAME), b"", IfMatch=_NO_VERSION)
        except (FileNotFoundError, _ConflictError):
            return True
        self.remove(_PROBE_NAME)
        return False

    def _path(self, name: str) -> str:
        return f"{self._opened[1]}/{name}".rstrip("/")

    def _limit(self) -> float:
        """Return how long one request may take; the first one sets up the client as well, whose own limits hold."""
        limit, self._limit_of_next = self._limit_of_next, self._seconds
        return limit

    def _do(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call the file system; FileNotFoundError, `_ConflictError`, or KnowledgeAwayError for everything else."""
        filesystem = self._opened[0]
        try:
            if filesystem.async_impl:
                sync, call = importlib.import_module("fsspec.asyn").sync, getattr(filesystem, f"_{method}")
                return sync(filesystem.loop, call, *args, timeout=self._limit(), **kwargs)
            return getattr(filesystem, method)(*args, **kwargs)
        except FileNotFoundError as exc:
            if _error(exc).get("Code") == "NoSuchBucket":
                raise KnowledgeAwayError(f"{self}: there is no such bucket") from exc
            raise
        except Exception as exc:  # whatever the library for some storage raises
            if isinstance(exc, FileExistsError) or _status(exc) in _CONFLICT_CODES:
                raise _ConflictError from exc
            reason = (
                f"{type(exc).__name__}: {shorten(str(exc), 200)}" if str(exc) else f"no answer in {self._seconds:g} s"
            )
            raise KnowledgeAwayError(f"{self}: {reason}") from exc


class _ConflictError(Exception):
    """Another writer was faster."""


def _open(url: str, seconds: float) -> tuple[Any, str]:
    options: dict[str, Any] = {"skip_instance_cache": True}
    if url.startswith(("s3://", "s3a://")):
        times = {"connect_timeout": seconds, "read_timeout": seconds, "retries": {"total_max_attempts": 1}}
        options |= {"use_listings_cache": False, "config_kwargs": times}
    try:
        filesystem, top = importlib.import_module("fsspec.core").url_to_fs(url, **options)
    except (ImportError, ValueError) as exc:
        raise KnowledgeAwayError(f"knowledge_url: {exc}; `s3://` needs the extra `fleet` (s3fs)") from exc
    if _protocols(filesystem) & _LOCAL_PROTOCOLS:
        raise KnowledgeAwayError(f"knowledge_url is {shorten(url)}; allowed: a path or `file://` for a folder")
    # A put that is sent again after its answer was lost would find its own version, and merge twice.
    filesystem.retries = 1
    return filesystem, str(top)


def _protocols(filesystem: Any) -> set[str]:
    found = filesystem.protocol
    return {found} if isinstance(found, str) else set(found)


def _mark(info: Mapping[str, Any]) -> str:
    keys = ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created", "size")
    return repr([info[key] for key in keys if key in info])


def _response(exc: BaseException) -> Mapping[str, Any]:
    found = getattr(exc.__cause__, "response", None)
    return found if isinstance(found, Mapping) else {}


def _error(exc: BaseException) -> Mapping[str, Any]:
    found = _response(exc).get("Error")
    return found if isinstance(found, Mapping) else {}


def _status(exc: BaseException) -> object:
    found = _response(exc).get("ResponseMetadata")
    return found.get("HTTPStatusCode") if isinstance(found, Mapping) else None
