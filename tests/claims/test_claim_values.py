"""Typed values: how each kind is read and when two of them agree (C-39, C-43, issue 3 section 1)."""

import pytest
from memory_ledger.claims.model import Value, ValueKind
from memory_ledger.claims.values.agreement import Agreement, compare_values
from memory_ledger.claims.values.readers import READERS, parse_value
from memory_ledger.language.segment import tokenise

SAME, COMPATIBLE = Agreement.SAME, Agreement.COMPATIBLE
DIFFERENT, INCOMPARABLE = Agreement.DIFFERENT, Agreement.INCOMPARABLE


def _read(reader, text):
    return parse_value((reader,), tokenise(text), 0)


@pytest.mark.parametrize(
    ("reader", "a", "b", "agreement"),
    [
        ("version", "3.11", "3.11", SAME),
        ("version", "v3.11", "3.11.4", COMPATIBLE),
        ("version", "3.12.0-rc1", "3.12.0", COMPATIBLE),
        ("version", "3.9", "3.11", DIFFERENT),
        ("version", "20 LTS", "20", SAME),
        ("named version", "Python 3.11", "python3.11", SAME),
        ("number", "5 GB", "5000 MB", SAME),
        ("number", "5GB", "5 gigabytes", SAME),
        ("number", "5 GB", "5120 MB", COMPATIBLE),
        ("number", "1.5 h", "90 minutes", SAME),
        ("number", "1,000", "1k", SAME),
        ("number", "2 million", "2M", SAME),
        ("number", "five", "5", SAME),
        ("number", "twenty-five", "25", SAME),
        ("number", "two hundred", "200", SAME),
        ("money", "two thousand dollars", "$2,000", SAME),
        ("number", "3.14", "3.14159", COMPATIBLE),
        ("number", "3.14", "3.2", DIFFERENT),
        ("number", "1.000", "1000", INCOMPARABLE),
        ("number", "30", "30 seconds", COMPATIBLE),
        ("number", "30", "31 seconds", INCOMPARABLE),
        ("number", "30 MB", "30 seconds", INCOMPARABLE),
        ("number", "100 requests a minute", "5000 requests a day", INCOMPARABLE),
        ("number", "60 requests per minute", "1 request/s", SAME),
        ("number", "60 requests per minute", "3600 requests/hour", SAME),
        ("number", "60 requests per minute", "61 requests per minute", DIFFERENT),
        ("number", "5 MB/user", "5 MB per user", SAME),
        ("number", "0 MB", "5 MB", DIFFERENT),
        ("money", "$5,000", "5k USD", SAME),
        ("money", "€1.5 million", "1500000 euros", SAME),
        ("money", "€1,95", "1.95 euros", SAME),
        ("money", "€1,950", "1.95 euros", DIFFERENT),
        ("money", "20 USD/month", "$20 monthly", SAME),
        ("money", "$20 per month", "$25 a month", DIFFERENT),
        ("money", "$20 per month", "$240 per year", INCOMPARABLE),
        ("money", "20 USD", "20 EUR", INCOMPARABLE),
        ("date", "15 October 2026", "2026-10-15", SAME),
        ("date", "Oct 15th, 2026", "15.10.2026", SAME),
        ("date", "15th of October 2026", "10/15/2026", SAME),
        ("date", "2026-10-15T12:00:00Z", "2026/10/15", SAME),
        ("date", "Friday, October 16", "16 October", SAME),
        ("date", "October 2026", "15 October 2026", COMPATIBLE),
        ("date", "2026", "October 2026", COMPATIBLE),
        ("date", "October 15", "2026-10-15", COMPATIBLE),
        ("date", "October 15", "October 16", DIFFERENT),
        ("date", "Friday", "Monday", DIFFERENT),
        ("date", "Friday", "October 16", INCOMPARABLE),
        ("date", "1990", "March 3", INCOMPARABLE),
        ("date", "10/11/2026", "11/10/2026", INCOMPARABLE),
        ("date", "10/11/2026", "10/11/2026", SAME),
        ("clock", "9:30", "9:30 am", SAME),
        ("clock", "2pm", "14:00", SAME),
        ("clock", "noon", "12:00", SAME),
        ("clock", "midnight", "12am", SAME),
        ("clock", "at 9:30", "10:00", DIFFERENT),
        ("port", "port 8,443", "8443", SAME),
        ("port", "8080", "8443", DIFFERENT),
        ("host", "localhost", "127.0.0.1", SAME),
        ("host", "db-01", "db-01.example.com", COMPATIBLE),
        ("host", "db1.example.com:5432", "db1.example.com", SAME),
        ("host", "10.0.0.1", "db1.example.com", INCOMPARABLE),
        ("host", "10.0.0.1", "10.0.0.2", DIFFERENT),
        ("url", "https://X.example.com/a/", "https://x.example.com/a", SAME),
        ("url", "http://www.example.com", "https://example.com", COMPATIBLE),
        ("url", "https://example.com/a", "https://example.com/b", DIFFERENT),
        ("url", "s3://acme-backups", "s3://acme-archive", DIFFERENT),
        ("path", "/etc/app/", "/etc/app", SAME),
        ("path", "/var/log", "/var/log/app", COMPATIBLE),
        ("path", "./app.toml", "/etc/app.toml", COMPATIBLE),
        ("path", "~/app.toml", "/home/al/app.toml", INCOMPARABLE),
        ("path", "~/app.toml", "/etc/b.toml", DIFFERENT),
        ("path", "C:\\app\\a.ini", "C:\\app\\b.ini", DIFFERENT),
        ("email", "A@example.com", "a@example.com", SAME),
        ("email", "a@example.com", "b@example.com", DIFFERENT),
        ("phone", "+1 (555) 010-2000", "555 010 2000", COMPATIBLE),
        ("phone", "555 010 2000", "555-010-2000", SAME),
        ("phone", "555 010 2000", "555 010 3000", DIFFERENT),
        ("timezone", "MST", "America/Denver", SAME),
        ("timezone", "Mountain Time", "MDT", SAME),
        ("timezone", "UTC-7", "MST", INCOMPARABLE),
        ("timezone", "UTC + 1", "UTC+1", SAME),
        ("timezone", "UTC +2", "UTC+05:30", DIFFERENT),
        ("timezone", "MST", "PST", DIFFERENT),
        ("timezone", "Asia/Shanghai", "Asia/Singapore", INCOMPARABLE),
        ("timezone", "Antarctica/Troll", "MST", INCOMPARABLE),
        ("name", "Alice", "Alice Smith", COMPATIBLE),
        ("name", "José", "Jose", SAME),
        ("name", "Bob", "Robert", INCOMPARABLE),
        ("name", "Jo", "Joanna", INCOMPARABLE),
        ("name", "the Team Red", "Team Blue", DIFFERENT),
        ("name", "Acme Labs", "Acme Robotics", INCOMPARABLE),
        ("person", "Ann Chen", "Ann Chen-Kim", INCOMPARABLE),
        ("person", "Ann Chen", "Ann Lindqvist", DIFFERENT),
        ("person", "Ann Chen", "Ben Chen", DIFFERENT),
        ("named version", "Chrome v120", "Google Chrome 121.0", DIFFERENT),
        ("name", "Alice", "Carol", DIFFERENT),
        ("name", "release/2.1", "release/2.2", DIFFERENT),
        ("place", "Denver", "Denver, Colorado", COMPATIBLE),
        ("place", "NYC", "New York City", SAME),
        ("place", "Zürich", "Zurich", SAME),
        ("place", "Denver", "Colorado", INCOMPARABLE),
        ("place", "Kreuzberg", "Berlin", INCOMPARABLE),
        ("place", "Sloterdijk, Amsterdam", "Amsterdam", COMPATIBLE),
        ("place", "Denver, Colorado", "Denver, USA", INCOMPARABLE),
        ("place", "Washington", "Washington DC", INCOMPARABLE),
        ("place", "the Netherlands", "Spain", DIFFERENT),
        ("place", "Denver", "Seattle", DIFFERENT),
        ("place", "Mitte, Berlin, Saxony, Germany", "Berlin, Saxony", COMPATIBLE),
        ("place", "Hamburg", "Hamburg-Altona", INCOMPARABLE),
        ("place", "Denver, Colorado", "Boulder, Colorado", DIFFERENT),
        ("term", "Postgres", "PostgreSQL", SAME),
        ("term", "REST", "GraphQL", DIFFERENT),
        ("term", "REST", "Redis", INCOMPARABLE),
        ("job", "a backend developer", "a developer", COMPATIBLE),
        ("job", "a backend developer", "a software engineer", INCOMPARABLE),
        ("job", "backend developer", "the backend engineer", SAME),
        ("job", "a nurse", "a lawyer", DIFFERENT),
        ("truth", "true", "yes", SAME),
        ("truth", "on", "off", DIFFERENT),
        ("branch", "main", "develop", DIFFERENT),
        ("age", "34 years old", "34", SAME),
    ],
)
def test_values_of_one_kind(reader, a, b, agreement):
    """C-39, C-43; and the answer does not depend on the order."""
    first, second = _read(reader, a), _read(reader, b)
    assert first is not None
    assert second is not None
    assert compare_values(first.value, second.value) is agreement
    assert compare_values(second.value, first.value) is agreement


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        ("version", "3.x"),
        ("version", "3.11 or newer"),
        ("version", "3 GB"),
        ("named version", "memory 3.5 GB"),
        ("named version", "Room 12"),
        ("named version", "version 3"),
        ("named version", "Python"),
        ("named version", "python3.9 to python3.11"),
        ("number", "5 to 7"),
        ("number", "5-7"),
        ("number", "about 5"),
        ("number", "$5"),
        ("number", "5 MB per file"),
        ("number", "5 MB/file"),
        ("number", "5zz"),
        ("number", "ten+"),
        ("money", "$"),
        ("money", "5000"),
        ("money", "5 GB"),
        ("money", "5kg"),
        ("money", "$5 per dozen"),
        ("money", "$5 to $7"),
        ("date", "tomorrow"),
        ("date", "next Friday"),
        ("date", "2026-13-01"),
        ("date", "31.13.2026"),
        ("date", "45 October"),
        ("date", "12 apples"),
        ("date", "May 3 to May 5"),
        ("date", ""),
        ("clock", "9"),
        ("clock", "25:00"),
        ("clock", "9:30 to 10:00"),
        ("clock", "soon"),
        ("port", "70000"),
        ("port", "8000-8010"),
        ("named port", "80"),
        ("host", "example"),
        ("host", "config.yaml"),
        ("url", "example.com"),
        ("path", "etc"),
        ("path", ""),
        ("email", "a@b"),
        ("phone", "12345"),
        ("timezone", "soon"),
        ("timezone", ""),
        ("timezone", "est"),
        ("name", "away this week"),
        ("name", "German"),
        ("name", "Alice's"),
        ("first name", "a secret"),
        ("first name", "unknown"),
        ("first name", ""),
        ("place", "an apartment"),
        ("place", "MST"),
        ("term", "something"),
        ("job", "a father of two"),
        ("job", "in"),
        ("count", "5"),
        ("count", "5 years of experience"),
        ("count", "5.5 members"),
        ("count", "some members"),
        ("age", "200"),
        ("years old", "34"),
        ("age", "34 years young"),
        ("age", "34 or 35"),
        ("explicit version", "3"),
        ("preference", "window seats"),
        ("truth", "perhaps"),
        ("branch", "protected"),
    ],
)
def test_what_is_no_single_value(reader, text):
    """C-42, C-43: ranges, lists, relative dates and words of another type are not read."""
    assert _read(reader, text) is None


def test_every_kind_has_a_rule():
    """C-43: a kind without a rule could not be compared at all."""
    for kind in ValueKind:
        value = Value(kind, "x", ("x", 1.0, 1.0, 1.0))
        assert compare_values(value, value) is SAME


def test_values_of_two_kinds_are_not_comparable():
    assert compare_values(Value(ValueKind.PORT, "80", (80.0,)), Value(ValueKind.NAME, "x", ("x",))) is INCOMPARABLE


def test_readers_are_safe_past_the_end():
    for reader in READERS:
        assert _read(reader, "") is None
