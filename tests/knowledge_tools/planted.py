"""What was planted in the raw lines of an audit log, counted anew: message by message, with nothing of the pack."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

LATE, REFUSED = "TIMEOUT", "OUT_OF_SCOPE"


def count_planted(messages: Iterable[dict[str, Any]], *, tool: str, slow: str, refusing: str) -> Counter[str]:
    """Count requests: those that used a tool, found it late and tried again; those that a profile needed three tries
    for, or refused; and those with which the user took an answer back.
    """
    counted: Counter[str] = Counter()
    for request in by_request(messages).values():
        agents = [(one["agent"]["name"], one["error"]["error_code"]) for one in request]
        results = [one for one in request if one["output"]["content_type"] == "delegation_result"]
        late = [at for at, one in enumerate(agents) if one == (tool, LATE)]
        counted["used"] += any(name == tool for name, _ in agents)
        counted["late"] += bool(late)
        counted["mended"] += bool(late) and (tool, None) in agents[late[0] :]
        counted["three tries"] += [one["agent"]["name"] for one in results] == [f"{slow}_1"] * 3
        counted["refused"] += (f"{refusing}_1", REFUSED) in [
            (one["agent"]["name"], one["error"]["error_code"]) for one in results
        ]
        counted["taken back"] += "corrects" in request[0]["output"]["content"]
    return counted


def by_request(messages: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the messages of each request, in order."""
    requests: dict[str, list[dict[str, Any]]] = {}
    for one in messages:
        requests.setdefault(one["metadata"]["request_id"], []).append(one)
    return requests
