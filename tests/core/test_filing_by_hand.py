"""What a person has written, moved or taken away stays so (M-21, M-48, M-49, M-58, M-59, M-61)."""

from datetime import timedelta

import pytest
from knowledge_tools.shelf import ERRORS, NOW, WORK, Shelf, failed, handed
from memory_ledger.knowledge.documents import Place, parse_document
from memory_ledger.knowledge.state import KnowledgeState


def test_a_hand_edited_entry_is_kept_and_marked():
    """M-21: the words of a person stay through new evidence and contradiction; the entry and the log say so."""
    shelf = Shelf()
    shelf.run(*(handed(number, days_ago=2) for number in range(10)))
    shelf.edit(
        WORK, "Give researcher at once what its earlier tries lacked, or expect 3 tries.", "Ask Tom first,  then go on."
    )
    shelf.run()
    assert "Ask Tom first,  then go on." in shelf.texts[WORK]
    entry = shelf.entries(WORK)["Work for researcher"]
    assert entry.edited_on == NOW.date()
    assert shelf.rows(WORK)[0] == ("EDITED", entry.id, "Edited by hand; kept as it is")
    before = dict(shelf.texts)
    assert shelf.run().texts == {}
    assert shelf.texts == before
    shelf.edit(WORK, "Ask Tom first,  then go on.", "Ask Tom first,  then go on!")
    shelf.run()
    shelf.edit(WORK, "then go on!", "then go on.")
    shelf.run()
    shelf.run(*(handed(100 + number) for number in range(5)))
    assert "Ask Tom first,  then go on." in shelf.texts[WORK]
    assert shelf.entries(WORK)["Work for researcher"].sources[0] == "txn_104"
    assert shelf.entries(WORK)["Work for researcher"].confidence == entry.confidence
    filing = shelf.run(*(handed(200 + number, "TIMEOUT") for number in range(40)))
    assert "Ask Tom first,  then go on." in shelf.texts[WORK]
    assert [entry.id in one for one in filing.flags if "decide by hand" in one] == [True]
    assert [row[0] for row in shelf.rows(WORK)].count("EDITED") == 1


def test_a_confidence_that_a_person_set_counts_from_that_day():
    shelf = Shelf()
    shelf.run(*(handed(number) for number in range(10)))
    late = NOW + timedelta(days=100)
    shelf.edit(WORK, "0.77 (based", "0.95 (based")
    shelf.run(now=late)
    assert shelf.entries(WORK)["Work for researcher"].confidence == 0.95
    shelf.run(now=late + timedelta(days=31))
    assert shelf.entries(WORK)["Work for researcher"].confidence == 0.85


def test_an_entry_that_a_person_wrote_is_taken_up():
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    theirs = shelf.texts[ERRORS].replace("MEM-001", "MEM-040").replace("TIMEOUT of action_agent", "Beware of Mondays")
    block = parse_document(theirs).blocks[0]
    shelf.edit(ERRORS, "## [CHANGE_LOG]", f"{block}## [CHANGE_LOG]")
    shelf.run(*(handed(number) for number in range(20, 30)))
    assert set(shelf.entries(ERRORS)) == {"TIMEOUT of action_agent", "Beware of Mondays"}
    assert shelf.entries(ERRORS)["Beware of Mondays"].edited_on == NOW.date()
    assert {one.number for one in shelf.entries(WORK).values()} <= {41, 42}
    assert shelf.entries(WORK)
    assert "[ENTRY_COUNT]: 2" in shelf.texts[ERRORS]


def test_a_copy_of_an_entry_under_another_id_is_a_persons_own():
    """M-49, T-58: one entry for a pattern; the copy is kept, and gone when the person takes it away again."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    copy = parse_document(shelf.texts[ERRORS]).blocks[0].replace("MEM-001", "MEM-007")
    shelf.edit(ERRORS, "## [CHANGE_LOG]", f"{copy}## [CHANGE_LOG]")
    shelf.run(failed(20))
    first, second = parse_document(shelf.texts[ERRORS]).entries
    assert (first.id, first.transactions, first.edited_on) == ("MEM-001", 11, None)
    assert (second.id, second.transactions, second.edited_on) == ("MEM-007", 10, NOW.date())
    shelf.edit(ERRORS, parse_document(shelf.texts[ERRORS]).blocks[1], "")
    shelf.run(failed(21))
    assert shelf.texts[ERRORS].count("## Entry:") == 1


def test_an_entry_that_a_person_removed_does_not_come_back():
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    block = parse_document(shelf.texts[ERRORS]).blocks[0]
    shelf.edit(ERRORS, block, "")
    shelf.run(*(failed(50 + number) for number in range(5)))
    assert shelf.entries(ERRORS) == {}
    assert shelf.rows(ERRORS)[0] == ("REMOVED", "MEM-001", "Removed by hand; it does not come back")
    assert "[ENTRY_COUNT]: 0" in shelf.texts[ERRORS]
    shelf.run(*(handed(number) for number in range(20, 30)))
    assert {one.id for one in shelf.entries(WORK).values()} == {"MEM-002"}


@pytest.mark.parametrize(("count", "to"), [(3, ERRORS), (10, f"archive/{ERRORS}")])
def test_an_entry_that_a_person_moved_stays_there(count, to):
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(count)))
    (name,) = shelf.texts
    block = parse_document(shelf.texts[name]).blocks[0]
    shelf.edit(name, block, "")
    shelf.texts[to] = f"# Error Prevention\n\n{block}"
    shelf.run()
    shelf.run(failed(90))
    assert set(shelf.entries(to)) == {"TIMEOUT of action_agent"}
    assert shelf.entries(name) == {}
    assert "MOVED" in {row[0] for row in shelf.rows(to)}


def test_what_cannot_be_read_is_left_in_its_file():
    """M-21, M-48: a broken entry and a second one of the same id stay, and are named."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    block = parse_document(shelf.texts[ERRORS]).blocks[0]
    shelf.edit(ERRORS, "## [CHANGE_LOG]", f"{block}## Entry: broken\n\nno bullets\n\n---\n\n## [CHANGE_LOG]")
    filing = shelf.run(failed(30))
    assert shelf.texts[ERRORS].count("## Entry: TIMEOUT of action_agent") == 2
    assert "## Entry: broken\n\nno bullets\n\n---\n" in shelf.texts[ERRORS]
    assert [one.split("; ")[0] for one in filing.problems] == [
        f"{ERRORS}: an entry repeats the id MEM-001",
        f"{ERRORS}: an entry cannot be read",
    ]


def test_how_lines_end_and_are_spaced_is_no_edit():
    """M-21, M-48: an editor that writes other ends of lines has changed nothing."""
    shelf = Shelf()
    shelf.run(*(handed(number) for number in range(10)))
    shelf.texts[WORK] = shelf.texts[WORK].replace("\n", "\r\n")
    before = dict(shelf.texts)
    assert shelf.run().texts == {}
    assert shelf.texts == before


def test_the_order_that_a_person_gave_stays():
    shelf = Shelf()
    for at in "abc":
        shelf.run(*(handed(number, to=f"{at}_agent") for number in range(10)))
    first, second, third = parse_document(shelf.texts[WORK]).blocks
    shelf.edit(WORK, f"{first}{second}{third}", f"{third}{first}{second}")
    shelf.run(*(handed(50 + number, to="d_agent") for number in range(10)))
    assert [title.split()[-1] for title in shelf.entries(WORK)] == ["c_agent", "a_agent", "b_agent", "d_agent"]


def test_what_a_person_approved_is_archived_in_the_end():
    """M-60, M-61: approval makes it wait for nothing; that nobody confirms it still counts."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    (one,) = (entry.id for entry in shelf.entries(ERRORS).values())
    shelf.memory.notes[one].chosen = Place.ACTIVE
    shelf.run(now=NOW + timedelta(days=150))
    assert shelf.entries(ERRORS)["TIMEOUT of action_agent"].confidence < 0.7
    shelf.run(now=NOW + timedelta(days=250))
    assert shelf.entries(f"archive/{ERRORS}")["TIMEOUT of action_agent"].confidence < 0.4


def test_an_edit_is_known_when_the_memory_is_lost():
    """M-21: its mark is in the file; the same recommendation does not make it ours again."""
    shelf = Shelf()
    log = [handed(number) for number in range(10)]
    shelf.run(*log)
    shelf.edit(WORK, "it was done at try 3.", "all went well.")
    shelf.run()
    shelf.memory = KnowledgeState()
    shelf.run(*log)
    shelf.run(*(handed(50 + number) for number in range(30)))
    assert "all went well." in shelf.texts[WORK]


def test_what_was_observed_first_outlives_the_memory():
    shelf = Shelf()
    shelf.run(*(handed(number, days_ago=5) for number in range(10)))
    first = shelf.entries(WORK)["Work for researcher"].first_observed
    shelf.memory = KnowledgeState()
    shelf.run(*(handed(50 + number) for number in range(20)))
    shelf.run(*(handed(90 + number, days_ago=0) for number in range(20)), now=NOW + timedelta(days=1))
    entry = shelf.entries(WORK)["Work for researcher"]
    assert (entry.first_observed, entry.transactions) == (first, 40)


def test_a_file_that_is_gone_frees_no_ids():
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    del shelf.texts[ERRORS]
    shelf.run(*(handed(20 + number) for number in range(10)))
    assert shelf.entries(WORK)
    assert 1 not in {entry.number for name in shelf.texts for entry in shelf.entries(name).values()}
