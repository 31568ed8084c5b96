"""What is true after `scripts/knowledge_day.json`: 30 requests in which known things happen (issue 23).

The search of the host times out in every third of them, and works when it is tried again; `researcher` needs three
tries; `developer` refuses; the user takes two answers back.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from knowledge_tools.planted import by_request, count_planted

PLANTED = {"used": 30, "late": 10, "mended": 10, "three tries": 10, "refused": 10, "taken back": 2, "all else": 30}
_TOLD = re.compile(r"^- (.+) \(MEM-\d+, confidence [\d.]+\): (.+) \([^()]+\)$", re.MULTILINE)
_ROW = re.compile(r"^\| ([^|]+) \| (\d+) \|(?: ([^|]+) \|)?$", re.MULTILINE)


def told_in(prompt: str) -> dict[str, str]:
    """Return what a system prompt says that agents have learned: each title with its sentence and its advice."""
    _, _, learned = prompt.partition("# Institutional knowledge\n")
    told = _TOLD.findall(learned)
    assert len(told) == prompt.count("(MEM-"), learned
    return dict(told)


def messages_in(files: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the raw messages of all audit logs."""
    logs = [text for name, text in sorted(files.items()) if name.startswith("system/logs/")]
    return [json.loads(line) for text in logs for line in text.splitlines()]


def counted_in(messages: list[dict[str, Any]]) -> Counter[str]:
    """Count what was planted, and in how many requests something else was used: the agent itself, in each."""
    counted = count_planted(messages, tool="search_engine", slow="researcher", refusing="developer")
    done = [one for one in messages if not one["output"]["content_type"].startswith("delegation")]
    pairs = {(one["metadata"]["request_id"], one["agent"]["name"]) for one in done}
    counted["all else"] = sum(name != "search_engine" for _, name in pairs)
    return counted


def sentences_for(counted: Mapping[str, int], since: str) -> dict[str, str]:
    """Return what the prompt is to say of these counts."""
    return {
        "TIMEOUT of search_engine": (
            f"search_engine failed with TIMEOUT in {counted['late']} of {counted['used']} requests that used it since"
            f" {since}, and in 0 of {counted['all else']} uses of all else; called again, it worked in"
            f" {counted['mended']} of these."
            " When search_engine fails with TIMEOUT, call it once more before anything else."
        ),
        "Work for researcher: compare data": (
            f"In all {counted['three tries']} requests in which researcher was given work to compare data since {since}"
            " it was done at try 3. Give researcher at once what its earlier tries lacked, or expect 3 tries."
        ),
        "Work for developer: run server": (
            f"In all {counted['refused']} requests in which developer was given work to run server since {since} it was"
            " rejected. Do not hand work to run server to developer: do it without one, or choose another profile."
        ),
    }


def rows_in(files: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Return the rows of the summaries, those of two days added up: what, how it went, in how many transactions."""
    rows: Counter[tuple[str, str]] = Counter()
    for name, text in files.items():
        if "session_summaries/" in name:
            for what, number, how in _ROW.findall(text):
                rows[(what, how.partition(":")[0])] += int(number)
    return rows


def taken_back_in(messages: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the messages of the requests of which the user took the answer back."""
    requests = by_request(messages)
    named = [one[0]["output"]["content"].get("corrects") for one in requests.values()]
    return [requests[one] for one in named if one]
