"""What one of several tools serves (see `tools`)."""

from __future__ import annotations

from typing import NamedTuple


class Purpose(NamedTuple):
    """`tells`: words of which one must stand beside a member; `a=b` are two of one meaning, each other is its own.

    Those that begin with `?` count only if no other tells. `beside`: words that say no more.
    """

    members: str
    tells: str
    beside: str = ""
