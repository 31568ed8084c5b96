"""Realistic memories, what was said before each of them, and their vectors: made by crossing templates, seeded.

A memory is what the host's memorizers write: the user's own sentence, a third-person summary of it, what the agent
found out, what a tool printed, a solved problem, or a chunk of a knowledge file. Vectors stand for embeddings: memories
about one subject are near each other, as far as the host's recall threshold asks.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

DIMENSIONS = 384
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_STEP = timedelta(seconds=37)

_KINDS = """billing search inventory payment booking shipping ticket chat video photo music map weather news event
recipe fitness travel library museum school clinic garage bakery brewery garden farm harbour airport railway""".split()
_THINGS = """service app backend frontend gateway worker importer exporter dashboard scheduler crawler parser
indexer mailer notifier""".split()


@dataclass(frozen=True, slots=True)
class _Slot:
    """One thing that can be said of a subject `{s}`, with a value `{v}`: by the user, and in a summary."""

    said: str
    summary: str
    values: tuple[str, ...]


_SLOTS = (
    _Slot("My {s} uses {v}", "User's {s} uses {v}", ("Python 3.11", "Python 3.12", "Go 1.22", "Rust", "Node 20")),
    _Slot("The {s} runs on port {v}.", "The {s} runs on port {v}.", ("8080", "8443", "9000", "3000", "5432")),
    _Slot(
        "We host the {s} in {v} now.",
        "The {s} is hosted in {v}.",
        ("Frankfurt", "Dublin", "Oslo", "Montreal", "Singapore"),
    ),
    _Slot(
        "The deadline for the {s} is {v}.",
        "Deadline of the {s}: {v}",
        ("2026-03-14", "May 2nd", "next Friday", "2026-09-30", "the end of June"),
    ),
    _Slot(
        "Please never deploy the {s} on {v}, the on-call team is too small then.",
        "The {s} must never be deployed on {v} because the on-call team is small.",
        ("Fridays", "Sundays", "public holidays", "Mondays", "weekends"),
    ),
    _Slot(
        "I always want {v} in the {s}, that is a hard requirement.",
        "Requirement: the {s} always needs {v}.",
        ("structured logs", "type hints", "dark mode", "rate limits", "audit trails"),
    ),
    _Slot(
        "{v} owns the {s} at our company and reviews every change.",
        "{v} is the owner of the {s} and reviews every change to it.",
        ("Ingrid", "Tomasz", "Priya", "Mateo", "Aiko"),
    ),
    _Slot(
        "The {s} talks to {v}, and it retries three times with a backoff of two seconds.",
        "The {s} connects to {v} with three retries and a two second backoff.",
        ("PostgreSQL 15", "Redis", "RabbitMQ", "MongoDB", "Kafka"),
    ),
    _Slot(
        "Remember that the staging host of the {s} is {v}.",
        "Staging host of the {s} is {v}",
        ("node-7.lab.example", "10.0.4.17", "stage2.example.org", "node-9.lab.example", "10.0.9.3"),
    ),
    _Slot(
        "About {v} users open the {s} every day.", "The {s} has about {v} daily users.", ("400", "1,200", "35", "9,800")
    ),
    _Slot("I don't like {v} in the {s} at all.", "User dislikes {v} in the {s}.", ("YAML", "popups", "ORMs", "emails")),
    _Slot(
        "We moved the {s} from {v} to GitLab last week.",
        "The {s} was moved from {v} to GitLab.",
        ("GitHub", "Bitbucket", "Gitea", "SVN"),
    ),
)

_ASKS = (
    "Can you write a test for that?",
    "What would you change first?",
    "Please check the logs of yesterday evening and tell me whether anything looks odd.",
    "Thanks, go on.",
    "Could you draft a short note for the team?",
)
_REPLIES = (
    "I will take that into account. The change touches two files, and the tests pass.",
    "Done. I have updated the configuration and restarted the worker; the health check answers within 40 ms.",
    "Here is a draft for the team. Shall I shorten it?",
    "I looked at the logs of yesterday evening: 14 warnings, all of them about slow queries on the orders table.",
    "Two options: keep the present layout and add an index, or split the table by month. I would add the index.",
)
_TOOL_OUTPUTS = (
    "collected 48 items\n\ntests/test_api.py ........ [ 16%]\ntests/test_store.py ....F... [ 33%]\n1 failed, 47 passed",
    "total 24\n-rw-r--r-- 1 root root 1532 app.py\n-rw-r--r-- 1 root root  412 settings.toml\ndrwxr-xr-x 2 root tests",
    'HTTP/1.1 200 OK\ncontent-type: application/json\n\n{{"status": "ok", "queue": 12, "subject": "{s}"}}',
)
_FOUND_OUT = (
    "The {s} seems to lose connections under load because the pool is too small.",
    "Restarting the {s} takes about 40 seconds, most of it warming the cache.",
    "Exchange rates for the {s} as of 2026-02-11: 1 EUR = 1.09 USD, see https://rates.example.org/eur",
)
_SOLUTION = (
    "# Problem\nThe {s} returned 502 after the update.\n# Solution\n1. Stop the worker.\n2. Delete the stale lock in "
    "/var/run.\n3. Start the worker and wait for the health check.\n4. Watch the error rate for ten minutes."
)
_KNOWLEDGE = (
    "The {s} handbook, chapter 3. Operators start the {s} with `make run`. The default settings suit a machine with "
    "four cores; larger installations raise the number of workers. Backups are taken every night at 02:30 and kept for "
    "thirty days. A restore needs the last full backup and every later increment."
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One memory to be: its text and area, what the user, the agent and a tool said, and what it is about."""

    text: str
    area: str
    said: str
    reply: str
    tool: str
    subject: int
    is_knowledge: bool = False

    def metadata(self, memory_id: str, number: int) -> dict[str, Any]:
        """Return what the host stores beside the text of its `number`-th memory."""
        found: dict[str, Any] = {"area": self.area, "id": memory_id, "timestamp": written_at(number).isoformat()}
        return {**found, "knowledge_source": True, "source_path": "handbook.md"} if self.is_knowledge else found


def written_at(number: int) -> datetime:
    """Return when the `number`-th memory was written."""
    return START + number * _STEP


def make_facts(count: int, *, seed: int = 2, owners: int = 0) -> list[Fact]:
    """Return `count` facts in an order that mixes subjects; the first ones are the same for every `count`.

    With `owners`, as many teams have a thing of each name, and each thing says whose it is.
    """
    choose = random.Random(seed)
    return list(itertools.islice(_endless_facts(choose, owners), count))


def _endless_facts(choose: random.Random, owners: int) -> Iterator[Fact]:
    subjects = [f"{kind} {thing}" for kind in _KINDS for thing in _THINGS]
    for turn in itertools.count(1):
        number = choose.randrange(len(subjects))
        subject, slot = subjects[number], choose.choice(_SLOTS)
        subject = f"team-{choose.randrange(owners)} {subject}" if owners else subject
        value = choose.choice(slot.values)
        said = slot.said.format(s=subject, v=value)
        reply = f"{choose.choice(_REPLIES)} I have noted step {turn} of the work on the {subject}."
        tool = f"$ step {turn}\n{choose.choice(_TOOL_OUTPUTS).format(s=subject)}"
        text, area, is_knowledge = said, "main", False
        match choose.choices(range(5), (3, 9, 3, 3, 2))[0]:
            case 1:
                text, area = slot.summary.format(s=subject, v=value), "fragments"
            case 2:
                text, area = choose.choice(_FOUND_OUT).format(s=subject), "fragments"
                reply = f"{text} {reply}"
            case 3:
                text, area = _SOLUTION.format(s=subject), "solutions"
            case 4:
                text, is_knowledge = _KNOWLEDGE.format(s=subject), True
        yield Fact(text, area, f"{said} {choose.choice(_ASKS)}", reply, tool, number, is_knowledge)


def agent_message(fact: Fact) -> str:
    """Return the agent's raw answer, which is JSON in the host's history."""
    return json.dumps(
        {
            "thoughts": ["The user told me something about a system.", "I should answer briefly."],
            "headline": "Answering",
            "tool_name": "response",
            "tool_args": {"text": fact.reply},
        }
    )


def make_vectors(facts: Sequence[Fact], *, seed: int = 3) -> Vectors:
    """Return one unit vector per fact, shape (n, 384): a cosine of about 0.6 within a subject, about 0 without."""
    draw = np.random.default_rng(seed)
    centers = _unit(draw.standard_normal((len(_KINDS) * len(_THINGS), DIMENSIONS), dtype=np.float32))
    own = _unit(draw.standard_normal((len(facts), DIMENSIONS), dtype=np.float32))
    weight = np.float32(np.sqrt(0.6))
    return _unit(weight * centers[[one.subject for one in facts]] + np.sqrt(1 - weight**2) * own)


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
