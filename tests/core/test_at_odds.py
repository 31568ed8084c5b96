"""What is possibly at odds: alignment, features and marks; nothing here retires."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from core_tools import NOW, memory
from memory_ledger.claims import Relation
from memory_ledger.ledger.settle import find_possible
from memory_ledger.similar import at_odds
from memory_ledger.similar.alignment import WordKind, align, spelled
from memory_ledger.similar.at_odds import columns, cues, is_at_odds
from memory_ledger.similar.changes import compare_memory_texts
from memory_ledger.similar.features import WEIGHTS, Detector, features

PAIRS = Path(__file__).parents[1] / "data" / "contradictions"
MEMORIZED = PAIRS.with_name("memorized") / "held_out.jsonl"
STORED = Path(at_odds.__file__).with_name(WEIGHTS)


@pytest.mark.parametrize(
    ("older", "newer", "alone", "swaps"),
    [
        ("The port is 80.", "The port is now 8,443.", ("80", "8,443"), [("80", "8,443")]),
        ("User lives in Oslo.", "I moved to Bergen.", ("oslo", "bergen"), [("oslo", "bergen")]),
        ("The servers run Debian.", "The server runs on Debian", ("", ""), []),
        ("Standup is at 9 am.", "The standup is at 9:00.", ("", ""), []),
        ("Ann owns a cat.", "Ann owns a cat and a grey parrot.", ("", "grey parrot"), []),
        ("", "", ("", ""), []),
        ("你好", "Привет, мир", ("你好", "привет мир"), [("你好", "привет мир")]),
    ],
)
def test_alignment_leaves_what_differs(older, newer, alone, swaps) -> None:
    found = align(older, newer)
    assert (spelled(found.older.alone), spelled(found.newer.alone)) == alone
    assert [(spelled(one), spelled(other)) for one, other in found.swaps] == swaps


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The release is on Friday with 3 fixes", {"friday": WordKind.DATE, "3": WordKind.NUMBER}),
        ("The shop of Marek runs Redis", {"marek": WordKind.NAME, "redis": WordKind.NAME, "runs": WordKind.VERB}),
        ("The log is in /var/log", {"/var/log": WordKind.CODE}),
    ],
)
def test_words_have_a_kind(text: str, kinds: dict[str, WordKind]) -> None:
    found = {one.low: one.kind for one in align(text, "").older.alone}
    assert kinds.items() <= found.items()


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("The limit is 5 GB.", "The limit is 8 GB.", {"number swapped": 1, "shared": 2}),
        ("The cache is Redis.", "The cache is Memcached.", {"verb alike in front": 1, "one kind behind the front": 1}),
        ("Staging uses Redis.", "Production uses Redis.", {"alike in front": 0, "alike behind": 2}),
        ("User eats meat.", "User does not eat meat.", {"one denies": 1, "denied by the newer": 1, "newer: denial": 1}),
        ("User lives in Oslo.", "User now lives in Bergen.", {"newer: change": 1}),
        ("User plays chess.", "User also plays go.", {"newer: addition": 1, "newer: relations shared": 1}),
    ],
)
def test_features_say_what_differs(older: str, newer: str, expected: dict[str, float]) -> None:
    found = features(align(older, newer), older, newer)
    assert {name: float(found[name]) for name in expected} == {name: float(value) for name, value in expected.items()}


@pytest.mark.parametrize(
    ("older", "newer", "alike"),
    [
        ("The fix was deployed to /srv/app.", "Deployment of the fix: srv, app", "/srv/app"),
        ("User has 12 boxes.", "User has 13 boxes.", ""),
        ("1. buy tea\n2. call Ann", "buy tea, call Ann", ""),
    ],
)
def test_another_form_of_a_word_and_the_parts_of_a_path_are_alike(older: str, newer: str, alike: str) -> None:
    """C-40: a number is itself or another one; what numbers a list is no word."""
    assert spelled(align(older, newer).older.alike) == alike


def test_cues_tell_the_texts_apart() -> None:
    found = cues(align("The port is 80.", "The port is now 90."))
    assert {"b port", "n now", "n is now", "n now <number>", "o is <number>", "n ends = <number>"} <= found


def test_columns_are_the_same_for_every_pair() -> None:
    names = [tuple(columns(*pair, {})) for pair in (("", ""), ("The port is 80.", "User left Oslo."))]
    assert names[0] == names[1]


def test_a_tree_goes_left_up_to_its_bound() -> None:
    detector = Detector(("size",), 0.5, [[[0, 2.0, 1, 2], -1.0, 1.0]], 0.0)
    assert [detector.score({"size": size}) for size in (2.0, 2.1)] == [-0.5, 1.5]


def test_a_plain_change_is_marked_and_the_same_text_is_not() -> None:
    older = "The deadline of the grant application is on May 15."
    assert is_at_odds(older, "The deadline of the grant application was moved to May 29.")
    assert not is_at_odds(older, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The heating is set to 20 degrees by day.", "The heating is set to 17 degrees at night."),
        ("User's flight to Rome leaves on 3 June.", "User's flight back leaves on 10 June."),
        ("Ann reviews Heron's database changes.", "Ben reviews Heron's front-end changes."),
        ("User takes 5 mg of ramipril in the morning.", "User takes 10 mg of simvastatin at night."),
    ],
)
def test_what_a_small_store_has_side_by_side_is_not_marked(older: str, newer: str) -> None:
    """C-96: what shares no word but "the user", and what differs in part, purpose or time."""
    assert not is_at_odds(older, newer)
    assert not is_at_odds(newer, older)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("User is allergic to penicillin.", 'The user said: "I am not allergic to penicillin."'),
        ("User drinks coffee.", "User wrote: “I never drink coffee.”"),
        ("User lives in Oslo.", 'The user told me: "I live in Bergen now."'),
    ],
)
def test_what_is_quoted_is_at_odds_with_what_it_denies(said: str, quoted: str) -> None:
    """C-44, C-96: rules settle nothing by a quotation; in either order both are shown."""
    assert is_at_odds(said, quoted) and is_at_odds(quoted, said)
    assert not is_at_odds(said, quoted.replace("I", "We"))
    assert not is_at_odds("User likes tea.", quoted)


@pytest.mark.parametrize("text", ["", " ", "\0", "?" * 9_000, "a" * 9_000, "你好 " * 900, "1" * 5_000])
def test_no_text_breaks_it(text: str) -> None:
    for pair in ((text, "The port is 80."), ("The port is 80.", text), (text, text)):
        assert not is_at_odds(*pair)


def test_weights_are_small() -> None:
    assert STORED.stat().st_size <= 350_000


def test_few_harmless_pairs_are_marked_that_nobody_has_seen() -> None:
    count, marked = count_harmless("held_out", "kinds_held_out")
    assert marked <= 0.04 * count


def test_changes_that_a_memorizer_writes_are_marked() -> None:
    """C-40, C-96: half of the pairs of a writer that nobody has seen; few of what is true side by side."""
    rows = [json.loads(line) for line in MEMORIZED.read_text("utf-8").splitlines()]
    marked = Counter(row["kind"] for row in rows if is_at_odds(row["older"], row["newer"]))
    assert marked["change"] >= 0.5 * sum(row["kind"] == "change" for row in rows)
    assert marked["apart"] + marked["copy"] <= 0.04 * sum(row["kind"] != "change" for row in rows)


def test_most_of_what_has_gone_on_since_is_settled_or_marked() -> None:
    """C-40, C-96: what was a state or a count of one thing; the words of the held-out pairs are not known here."""
    rows = map(json.loads, (PAIRS.with_name("real") / "changes_held_out.jsonl").read_text("utf-8").splitlines())
    pairs = [(row["older"], row["newer"]) for row in rows if row["what"] == "snapshot"]
    found = [is_at_odds(*pair) or compare_memory_texts(*pair).relation is Relation.CONTRADICTS for pair in pairs]
    assert sum(found) >= 0.5 * len(pairs)


def count_harmless(*parts: str) -> tuple[int, int]:
    """Return how many harmless pairs there are and how many are marked: a failing test must not print these rows."""
    rows = [json.loads(line) for part in parts for line in (PAIRS / f"{part}.jsonl").read_text("utf-8").splitlines()]
    harmless = [(row["older"], row["newer"]) for row in rows if not row["contradiction"]]
    return len(harmless), sum(is_at_odds(*pair) for pair in harmless)


def test_what_a_rule_settles_is_never_only_possible() -> None:
    """C-96: the rules are asked about what looks at odds; a part that is over, and another order, change nothing."""
    older = memory("a", "The deadline of the grant application is on May 15.")
    settled = memory("b", "The deadline of the grant application was moved to May 29.", at=NOW + timedelta(days=1))
    assert is_at_odds(older.text, settled.text)
    assert find_possible(older, settled) is None
    gym = memory("c", "User's gym membership costs 40 euros a month.")
    price = memory("d", "The gym put its monthly price up to 55 euros.", at=NOW + timedelta(days=1))
    for pair in ((gym, price), (price, gym)):
        found = find_possible(*pair)
        assert found is not None and [one.id for one in found[:2]] == ["c", "d"]


def test_what_has_lost_a_part_already_is_never_only_possible() -> None:
    """C-96: what is marked as outdated is settled, so what is left of the memory is not put in doubt by its words."""
    part = {"text": "costs 40 euros a month", "by": "x", "at": NOW}
    gym = memory("c", "User's gym membership costs 40 euros a month.", lineage={"outdated_parts": [part]})
    price = memory("d", "The gym put its monthly price up to 55 euros.", at=NOW + timedelta(days=1))
    assert is_at_odds(gym.text, price.text)
    assert find_possible(gym, price) is None
