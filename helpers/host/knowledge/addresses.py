"""Where knowledge and logs are: a folder, or an address that fsspec has a file system for (T-32).

And the one guard of what is written as knowledge: a name that lies under `context/memory/`, whatever keeps it (M-53).
Only what is listed here is a name. So nothing has to be known of how a place reads `..`, `%2e%2e`, a backslash, a NUL,
another spelling of a letter or another case of it: none of them can occur.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import StoreError, shorten
from ...patterns import regex
from ..storage.packages import install_command

#: The only folder that knowledge is written to, below the place that `knowledge_url` names.
FOLDER = "context/memory"
#: What stands above knowledge; only ever read (M-53, M-54).
GOVERNANCE_FOLDER = "context/governance"
#: The cache-refresh signal of a folder, and the lock of its writers: the pack's own, never somebody's knowledge.
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
    """A name that could leave `context/memory/`, or that the pack keeps for itself."""

    def __init__(self, name: object, allowed: str = _ALLOWED) -> None:
        super().__init__(f"knowledge file {shorten(name)} is refused; allowed: {allowed}")


class KnowledgeAwayError(StoreError):
    """The place of knowledge, or of the logs, cannot be used now; it may be again later."""


def is_name(name: object) -> bool:
    """Whether `name` is one that knowledge may be kept under."""
    parts = name.split("/") if isinstance(name, str) else []
    is_plain = all(len(part) <= _LONGEST_PART and _PART.fullmatch(part) for part in parts)
    return 0 < len(parts) <= _MOST_PARTS and is_plain and not _OWN.fullmatch(parts[-1])


def local_folder(url: str, home: Path) -> Path | None:
    """Return the folder that a path or a `file://` URL names, None for any other URL; a relative one lies in `home`."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return home / url
    return home / unquote(rest) if scheme.lower() == "file" else None


def open_filesystem(url: str, seconds: float) -> tuple[Any, str]:
    """Return the file system of an address and the path in it; fsspec is loaded by whoever first needs it.

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
    """Return a URL as it may be shown: without a user, a password or a query."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    parts = urlsplit(f"//{rest}")
    return f"{scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
