"""Pairs made by crossing every slot's wordings with another subject, environment, project, time and modality (C-43).

A family lists the wordings of one slot with `{S}` for the subject and `{V}` for the value. `contradictions` crosses the
wordings of one subject with two values; `harmless` changes one thing at a time that makes the pair harmless.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Family(NamedTuple):
    """Wordings of one slot, two subjects that differ, two values that differ, and one wording in the plain present."""

    slot: str
    wordings: tuple[str, ...]
    subjects: tuple[str, str]
    values: tuple[str, str]


FAMILIES = (
    Family("name", ("{S} name is {V}", "{S} name: {V}"), ("My", "Bob's"), ("Alice", "Carol")),
    Family("e-mail", ("{S} email is {V}", "{S} e-mail address is {V}"), ("My", "Bob's"), ("a@x.org", "b@x.org")),
    Family("phone", ("{S} phone number is {V}",), ("The user's", "Bob's"), ("555 010 2000", "555 010 3000")),
    Family("age", ("{S} is {V} years old",), ("The user", "Bob"), ("34", "37")),
    Family("birthday", ("{S} birthday is {V}",), ("My", "Bob's"), ("March 3", "4 April")),
    Family("timezone", ("{S} timezone is {V}", "{S} time zone is {V}"), ("My", "Bob's"), ("CET", "PST")),
    Family(
        "lives",
        ("{S} lives in {V}", "{S} is based in {V}", "{S} resides in {V}", "{S} now lives in the city of {V}"),
        ("The user", "Bob"),
        ("Denver", "Oslo"),
    ),
    Family(
        "works",
        ("{S} works at {V}", "{S} is employed at {V}", "{S} is employed by {V}", "{S} currently works at {V}"),
        ("The user", "Bob"),
        ("Siemens", "Bosch"),
    ),
    Family(
        "role", ("{S} works as a {V}", "{S} is employed as a {V}"), ("The user", "Bob"), ("nurse", "data scientist")
    ),
    Family(
        "version",
        ("{S} uses Python {V}", "{S} runs on Python {V}", "{S} targets Python {V}", "{S} is built with Python {V}"),
        ("The project", "The worker"),
        ("3.9", "3.12"),
    ),
    Family(
        "own version", ("The version of {S} is {V}", "{S} is at version {V}"), ("the API", "the CLI"), ("2.1", "3.0")
    ),
    Family(
        "port",
        ("{S} runs on port {V}", "{S} listens on port {V}", "{S} is exposed on port {V}", "The port of {S} is {V}"),
        ("the billing API", "the orders API"),
        ("8080", "9090"),
    ),
    Family(
        "host",
        ("The host of {S} is {V}", "{S} is hosted at {V}"),
        ("the database", "the cache"),
        ("db1.example.com", "db2.example.com"),
    ),
    Family(
        "url",
        ("{S} is available at {V}", "The URL of {S} is {V}"),
        ("the wiki", "the blog"),
        ("https://a.example.com", "https://b.example.com"),
    ),
    Family(
        "path",
        ("{S} is stored in {V}", "{S} is located in {V}", "{S} lives in {V}", "The path of {S} is {V}"),
        ("The config", "The license"),
        ("/etc/app", "/srv/app"),
    ),
    Family("branch", ("The default branch of {S} is {V}",), ("the app repo", "the docs repo"), ("main", "develop")),
    Family(
        "licence",
        ("{S} is licensed under {V}", "{S} is released under {V}", "The license of {S} is {V}"),
        ("The project", "The logo"),
        ("MIT", "Apache-2.0"),
    ),
    Family(
        "language",
        ("{S} is written in {V}", "{S} is implemented in {V}"),
        ("The backend", "The frontend"),
        ("Go", "Rust"),
    ),
    Family(
        "deadline",
        ("The deadline for {S} is {V}", "{S} is due on {V}"),
        ("the report", "the audit"),
        ("May 3, 2026", "2026-05-17"),
    ),
    Family(
        "start",
        ("{S} starts on {V}", "The start date of {S} is {V}"),
        ("the migration", "the audit"),
        ("May 3", "May 9"),
    ),
    Family("time", ("{S} is at {V}", "{S} starts at {V}"), ("The standup", "The retro"), ("9:30", "10:15")),
    Family("status", ("The status of {S} is {V}",), ("the migration", "the audit"), ("in progress", "done")),
    Family("owner", ("{S} is owned by {V}", "The owner of {S} is {V}"), ("the API", "the CLI"), ("Priya", "Tom")),
    Family(
        "count", ("{S} has {V} nodes", "{S} consists of {V} nodes"), ("The cluster", "The backup ring"), ("3", "five")
    ),
    Family("limit", ("The upload limit of {S} is {V}",), ("the API", "the CLI"), ("5 MB", "20 MB")),
    Family("timeout", ("The timeout of {S} is {V}",), ("the API", "the CLI"), ("30 seconds", "2 minutes")),
    Family(
        "price", ("{S} costs {V}", "The price of {S} is {V}"), ("the pro plan", "the basic plan"), ("$20", "25 USD")
    ),
    Family("budget", ("The budget of {S} is {V}",), ("the project", "the team"), ("$5,000", "$8,000")),
    Family("flag", ("{S} is {V}",), ("Caching", "Telemetry"), ("enabled", "disabled")),
    Family("preferred", ("{S} prefers {V}",), ("The user", "Bob"), ("dark mode", "light mode")),
    Family(
        "head office",
        ("{S} is headquartered in {V}", "The headquarters of {S} are in {V}", "{S}'s head office is located in {V}"),
        ("Acme", "Globex"),
        ("Denver", "Oslo"),
    ),
    Family(
        "ceo",
        ("The CEO of {S} is {V}", "{S}'s CEO is {V}", "The chief executive officer of {S} is {V}"),
        ("Acme", "Globex"),
        ("Priya Rao", "Tom Roy"),
    ),
    Family(
        "developer",
        ("{S} was developed by {V}", "The developer of {S} is {V}", "The company that developed {S} is {V}"),
        ("Atlas", "Orion"),
        ("Acme", "Globex"),
    ),
    Family("author", ("{S} was written by {V}", "The author of {S} is {V}"), ("Dune", "Emma"), ("Ann Lee", "Tom Roy")),
    Family(
        "religion",
        ("{S} is affiliated with the religion of {V}", "{S}'s religion is {V}"),
        ("Alice", "Bob"),
        ("Islam", "Judaism"),
    ),
    Family(
        "identity",
        ("The server that hosts {S} is {V}", "The server which hosts {S} is {V}"),
        ("the wiki", "the blog"),
        ("db-01", "db-02"),
    ),
    Family("default", ("The default timeout of {S} is {V}",), ("the API", "the CLI"), ("10 s", "30 s")),
)

#: What is said of the second value says nothing against the first. `{T}` is the sentence, `{t}` without its capital.
HARMLESS_FRAMES = (
    "{T}?",
    "Is it true that {t}?",
    "Bob said that {t}",
    "According to Bob, {t}",
    'The docs say "{t}"',
    "If {t}, we must act",
    "I think {t}",
    "Maybe {t}",
    "{T} in staging",
    "In the test lab, {t}",
    "{T} for the Tokyo office",
    "Suppose {t}",
    "For example, {t}",
    "It is not true that {t}",
    "Bob wonders whether {t}",
    "{T} according to an old ticket",
    "{T} (legacy setup)",
    "Until 2019, {t}",
    "As of March 2021, {t}",
    "Unless Bob objects, {t}",
    "TODO: make sure that {t}",
)


def _sentence(wording: str, subject: str, value: str) -> str:
    text = wording.format(S=subject, V=value)
    return text[0].upper() + text[1:]


def contradictions() -> Iterator[tuple[str, str, str]]:
    """(slot, older, newer): every wording against every wording, with another value."""
    for family in FAMILIES:
        subject = family.subjects[0]
        for first in family.wordings:
            for second in family.wordings:
                yield (
                    family.slot,
                    _sentence(first, subject, family.values[0]),
                    _sentence(second, subject, family.values[1]),
                )


def harmless() -> Iterator[tuple[str, str, str]]:
    """(slot, older, newer): the same crossing, with one thing changed that makes it harmless."""
    for family in FAMILIES:
        mine, other = family.subjects
        for wording in family.wordings:
            older = _sentence(wording, mine, family.values[0])
            newer = _sentence(wording, mine, family.values[1])
            for second in family.wordings:
                yield family.slot, older, _sentence(second, other, family.values[1])
                yield family.slot, older, _sentence(second, mine, family.values[0])
            small = newer if newer.startswith(("Bob", "I ")) else newer[0].lower() + newer[1:]
            for frame in HARMLESS_FRAMES:
                yield family.slot, older, frame.format(T=newer, t=small)
