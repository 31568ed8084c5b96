"""Points in time: aware, UTC, ISO 8601 with offset when stored.

The core takes `now` as an argument; only the shell calls `system_clock`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

Clock = Callable[[], datetime]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: The host's clock has whole seconds: a memory may be that much younger than its time.
HOST_RESOLUTION = timedelta(seconds=1)


def system_clock() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)


def format_time(moment: datetime) -> str:
    """Return `moment` as stored text: ISO 8601, UTC, seconds or finer as given."""
    return moment.astimezone(UTC).isoformat()


def parse_time(value: object, *, zone: tzinfo | None = None) -> datetime | None:
    """Return the moment of a stored or host timestamp; None for any other value.

    The host writes `YYYY-MM-DD HH:MM:SS` in its server's local time up to v1.15 and ISO 8601 with an offset from v1.16
    on. A naive time is taken to be in `zone` (default: this machine's).
    """
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    else:
        return None
    try:
        aware = moment.replace(tzinfo=zone) if moment.tzinfo is None and zone is not None else moment
        return aware if aware.tzinfo is UTC else aware.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return None
