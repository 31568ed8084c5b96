"""C-40, C-41, C-43: a text tells another value of one thing as a change, in the words of the older text."""

import pytest
from memory_ledger.claims import Relation
from memory_ledger.similar.changes import compare_memory_texts

SETTLED = [
    ("The wiki runs on Gollum.", "The wiki now runs on BookStack."),
    ("My scarf is green.", "My scarf is purple now."),
    ("We meet at Café Lune.", "We now meet at Café Soleil."),
    ("The parcels go to Heidi.", "The parcels go to Yara instead."),
    ("User's dance teacher is Mr. Okoro.", "User's new dance teacher is Ms. Lindqvist."),
    ("The kiosk closes at 5.", "The kiosk closes at 7 now."),
    ("The scan reports no finding.", "The scan reports 17 findings."),
    ("The queue holds 5 jobs.", "The queue holds no jobs."),
    ("12 of 40 modules are typed by now.", "Typing: 25 of 40 modules done, the rest in May."),
    ("The choir rehearses on Mondays.", "The choir rehearses on Thursdays now."),
    ("Bread comes from the bakery Alva, 3 loaves a week.", "Bread now comes from the bakery Timm, 3 loaves a week."),
]
KEPT = [
    ("no change is told", "The wiki runs on Gollum.", "The wiki runs on BookStack."),
    ("several at once", "User drinks Assam.", "User now drinks Darjeeling."),
    ("in addition", "The shop ships to Norway.", "The shop now also ships to Iceland."),
    ("what may be", "The tool can export to Excel.", "The tool can now export to Parquet."),
    ("what was", "User visited Rome.", "User has now visited Oslo."),
    ("part of the other", "User lives in Austria.", "User lives in Graz now."),
    ("another kind of value", "The car is a Fiat.", "The car is red now."),
    ("a way, no person", "Orders are packed by Dana.", "Orders are packed by hand now."),
    ("another relation", "The fern stands in the hall.", "The fern stands now by the door of the shed."),
    ("a noun of correction", "User buys ink from Staples.", "User buys correction tape from Amazon."),
    ("none of another thing", "The scan reports no finding.", "The scan reports 17 files."),
    ("none at another time", "The scan reported no finding.", "The scan reported 17 findings."),
    ("a question", "The kiosk closes at 5.", "The kiosk closes at 7 now?"),
    ("denied of both", "The kiosk does not close at 5.", "The kiosk does not close at 7 now."),
    ("two values", "The bar orders gin from Loder.", "The bar now orders rum from Castell."),
    ("of nothing that is named", "Actually it is Debian", "Actually it is Alpine"),
    ("another thing", "The kiosk closes at 5.", "The pool closes at 7 now."),
    ("more is said", "The kiosk closes at 5.", "In winter the kiosk closes at 4 now."),
    ("a count in another place", "12 of 40 tests pass.", "25 of 40 tests pass on Windows."),
    ("a series by date", "Backup: /backup/2026-03-14_2115", "Backup: /backup/2026-03-14_2148"),
    ("a list", "Servers (May): **:11440** — chat, 24 GB", "Servers (May): **:11450** — ranking, 6 GB"),
    ("a diary", "Standup: 3 June: 4 of 9 labels done", "Standup: 4 June: 5 of 9 labels done"),
    ("no such text", "", "now"),
]


@pytest.mark.parametrize(("older", "newer"), SETTLED)
def test_a_change_told_in_the_same_words_is_settled(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert (found.relation, found.is_open) == (Relation.CONTRADICTS, False)
    assert found.corrects in (None, "newer")


@pytest.mark.parametrize(("older", "newer"), SETTLED)
def test_the_older_text_changes_nothing_of_the_newer(older: str, newer: str) -> None:
    """C-43: what is told first as a change may be over by what is said later, but does not come after it."""
    assert compare_memory_texts(newer, older).corrects != "newer"


@pytest.mark.parametrize(("older", "newer"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_both_stay(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert found.relation is not Relation.CONTRADICTS or found.is_open
