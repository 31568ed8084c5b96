"""What a person has written, moved or taken away stays so (M-21, M-48, M-49, M-58, M-59, M-61)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from knowledge_tools.desk import ERRORS, NOW, PATHS, Desk, failed, walked
from memory_ledger.knowledge.confidence import Place
from memory_ledger.knowledge.curation import CurationError, CurationVerb, note_decision, plan_decision
from memory_ledger.knowledge.documents import parse_document
from memory_ledger.knowledge.memory import KnowledgeState
from memory_ledger.knowledge.words import ChainOutcome


def test_a_hand_edited_entry_is_kept_and_marked():
    """M-21: the words of a person stay through new evidence and contradiction; the entry and the log say so."""
    desk = Desk()
    desk.run(*(walked(number, days_ago=2) for number in range(10)))
    desk.edit(PATHS, "Keep to this path for such requests.", "Ask Tom first,  then go on.")
    desk.run()
    assert "Ask Tom first,  then go on." in desk.texts[PATHS]
    entry = desk.entries(PATHS)["Path a_agent → b_agent"]
    assert entry.edited_on == NOW.date()
    assert desk.rows(PATHS)[0] == ("EDITED", entry.id, "Edited by hand; kept as it is")
    before = dict(desk.texts)
    assert desk.run().texts == {}
    assert desk.texts == before
    desk.edit(PATHS, "Ask Tom first,  then go on.", "Ask Tom first,  then go on!")
    desk.run()
    desk.edit(PATHS, "then go on!", "then go on.")
    desk.run()
    desk.run(*(walked(100 + number) for number in range(5)))
    assert "Ask Tom first,  then go on." in desk.texts[PATHS]
    assert desk.entries(PATHS)["Path a_agent → b_agent"].sources[0] == "txn_104"
    assert desk.entries(PATHS)["Path a_agent → b_agent"].confidence == entry.confidence
    filing = desk.run(*(walked(200 + number, ChainOutcome.FAILURE) for number in range(40)))
    assert "Ask Tom first,  then go on." in desk.texts[PATHS]
    assert [entry.id in one for one in filing.conflicts if "decide by hand" in one] == [True]
    assert [row[0] for row in desk.rows(PATHS)].count("EDITED") == 1


def test_a_confidence_that_a_person_set_counts_from_that_day():
    """M-59: an edit confirms; it fades from there."""
    desk = Desk()
    desk.run(*(walked(number) for number in range(10)))
    late = NOW + timedelta(days=100)
    desk.edit(PATHS, "0.77 (based", "0.95 (based")
    desk.run(now=late)
    assert desk.entries(PATHS)["Path a_agent → b_agent"].confidence == 0.95
    desk.run(now=late + timedelta(days=31))
    assert desk.entries(PATHS)["Path a_agent → b_agent"].confidence == 0.85


def test_an_entry_that_a_person_wrote_is_taken_up():
    """M-49: with its id, which nobody else gets."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    theirs = desk.texts[ERRORS].replace("MEM-001", "MEM-040").replace("Error TIMEOUT", "Beware of Mondays")
    block = parse_document(theirs).blocks[0].text
    desk.edit(ERRORS, "## [CHANGE_LOG]", f"{block}## [CHANGE_LOG]")
    desk.run(*(walked(number) for number in range(20, 30)))
    assert set(desk.entries(ERRORS)) == {"Error TIMEOUT", "Beware of Mondays"}
    assert desk.entries(ERRORS)["Beware of Mondays"].edited_on == NOW.date()
    assert {one.number for one in desk.entries(PATHS).values()} <= {41, 42}
    assert desk.entries(PATHS)
    assert "[ENTRY_COUNT]: 2" in desk.texts[ERRORS]


def test_a_copy_of_an_entry_under_another_id_is_a_persons_own():
    """M-49, T-58: one entry for a pattern; the copy is kept, and gone when the person takes it away again."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    copy = parse_document(desk.texts[ERRORS]).blocks[0].text.replace("MEM-001", "MEM-007")
    desk.edit(ERRORS, "## [CHANGE_LOG]", f"{copy}## [CHANGE_LOG]")
    desk.run(failed(20))
    first, second = (block.entry for block in parse_document(desk.texts[ERRORS]).blocks)
    assert (first.id, first.transactions, first.edited_on) == ("MEM-001", 11, None)
    assert (second.id, second.transactions, second.edited_on) == ("MEM-007", 10, NOW.date())
    desk.edit(ERRORS, parse_document(desk.texts[ERRORS]).blocks[1].text, "")
    desk.run(failed(21))
    assert desk.texts[ERRORS].count("## Entry:") == 1


def test_an_entry_that_a_person_removed_does_not_come_back():
    """M-49: nor does its id."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    block = parse_document(desk.texts[ERRORS]).blocks[0].text
    desk.edit(ERRORS, block, "")
    desk.run(*(failed(50 + number) for number in range(5)))
    assert desk.entries(ERRORS) == {}
    assert desk.rows(ERRORS)[0] == ("REMOVED", "MEM-001", "Removed by hand; it does not come back")
    assert "[ENTRY_COUNT]: 0" in desk.texts[ERRORS]
    desk.run(*(walked(number) for number in range(20, 30)))
    assert {one.id for one in desk.entries(PATHS).values()} == {"MEM-002"}


@pytest.mark.parametrize(("count", "to"), [(3, ERRORS), (10, f"archive/{ERRORS}")])
def test_an_entry_that_a_person_moved_stays_there(count, to):
    """M-58, M-61: approved out of staging, or archived, by hand."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(count)))
    (name,) = desk.texts
    block = parse_document(desk.texts[name]).blocks[0].text
    desk.edit(name, block, "")
    desk.texts[to] = f"# Error Prevention\n\n{block}"
    desk.run()
    desk.run(failed(90))
    assert set(desk.entries(to)) == {"Error TIMEOUT"}
    assert desk.entries(name) == {}
    assert "MOVED" in {row[0] for row in desk.rows(to)}


def test_what_cannot_be_read_is_left_in_its_file():
    """M-21, M-48: a broken entry and a second one of the same id stay, and are named."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    block = parse_document(desk.texts[ERRORS]).blocks[0].text
    desk.edit(ERRORS, "## [CHANGE_LOG]", f"{block}## Entry: broken\n\nno bullets\n\n---\n\n## [CHANGE_LOG]")
    filing = desk.run(failed(30))
    assert desk.texts[ERRORS].count("## Entry: Error TIMEOUT") == 2
    assert "## Entry: broken\n\nno bullets\n\n---\n" in desk.texts[ERRORS]
    assert [one.split("; ")[0] for one in filing.problems] == [
        f"{ERRORS}: an entry repeats the id MEM-001",
        f"{ERRORS}: an entry cannot be read",
    ]


def test_how_lines_end_and_are_spaced_is_no_edit():
    """M-21, M-48: an editor that writes other ends of lines has changed nothing."""
    desk = Desk()
    desk.run(*(walked(number) for number in range(10)))
    desk.texts[PATHS] = desk.texts[PATHS].replace("\n", "\r\n")
    before = dict(desk.texts)
    assert desk.run().texts == {}
    assert desk.texts == before


def test_the_order_that_a_person_gave_stays():
    """M-21, M-48: what is new stands after it."""
    desk = Desk()
    for at in "abc":
        desk.run(*(replace(walked(number), path=(f"{at}_agent", "z_agent")) for number in range(10)))
    first, second, third = (block.text for block in parse_document(desk.texts[PATHS]).blocks)
    desk.edit(PATHS, f"{first}{second}{third}", f"{third}{first}{second}")
    desk.run(*(replace(walked(50 + number), path=("d_agent", "z_agent")) for number in range(10)))
    assert [title.split()[1] for title in desk.entries(PATHS)] == ["c_agent", "a_agent", "b_agent", "d_agent"]


def test_what_a_person_approved_is_archived_in_the_end():
    """M-60, M-61: approval makes it wait for nothing; that nobody confirms it still counts."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    (one,) = (entry.id for entry in desk.entries(ERRORS).values())
    desk.memory.notes[one].chosen = Place.ACTIVE
    desk.run(now=NOW + timedelta(days=150))
    assert desk.entries(ERRORS)["Error TIMEOUT"].confidence < 0.7
    desk.run(now=NOW + timedelta(days=250))
    assert desk.entries(f"archive/{ERRORS}")["Error TIMEOUT"].confidence < 0.4


def test_an_edit_is_known_when_the_memory_is_lost():
    """M-21: its mark is in the file; the same recommendation does not make it ours again."""
    desk = Desk()
    log = [walked(number) for number in range(10)]
    desk.run(*log)
    desk.edit(PATHS, "the outcome was SUCCESS.", "all went well.")
    desk.run()
    desk.memory = KnowledgeState()
    desk.run(*log)
    desk.run(*(walked(50 + number) for number in range(30)))
    assert "all went well." in desk.texts[PATHS]


def test_what_was_observed_first_outlives_the_memory():
    """M-45: the logs of that day may be gone."""
    desk = Desk()
    desk.run(*(walked(number, days_ago=5) for number in range(10)))
    first = desk.entries(PATHS)["Path a_agent → b_agent"].first_observed
    desk.memory = KnowledgeState()
    desk.run(*(walked(50 + number) for number in range(20)))
    desk.run(*(walked(90 + number, days_ago=0) for number in range(20)), now=NOW + timedelta(days=1))
    entry = desk.entries(PATHS)["Path a_agent → b_agent"]
    assert (entry.first_observed, entry.transactions) == (first, 40)


def test_a_file_that_is_gone_frees_no_ids():
    """M-49: nor does its log of changes have to be there."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(10)))
    del desk.texts[ERRORS]
    desk.run(*(walked(20 + number) for number in range(10)))
    assert desk.entries(PATHS)
    assert 1 not in {entry.number for name in desk.texts for entry in desk.entries(name).values()}


def test_a_repeated_entry_takes_its_tokens_too():
    """M-62: the prompt shows it, so it counts."""
    desk = Desk(token_limit=130)
    desk.run(*(failed(number) for number in range(10)))
    assert desk.entries(ERRORS)
    copy = parse_document(desk.texts[ERRORS]).blocks[0].text
    desk.edit(ERRORS, "## [CHANGE_LOG]", f"{copy}## [CHANGE_LOG]")
    desk.run()
    assert desk.entries(f"archive/{ERRORS}")


def test_what_was_decided_stays_decided():
    """M-21, M-58, M-61: approved out of staging it is not put back there; one that changes nothing is refused."""
    desk = Desk()
    desk.run(*(failed(number) for number in range(3)))
    decided = plan_decision(desk.texts, "MEM-001", CurationVerb.APPROVE, now=NOW, threshold=0.7)
    desk.texts |= decided
    note_decision(desk.memory, "MEM-001", CurationVerb.APPROVE)
    with pytest.raises(CurationError, match=r"stands in error_prevention\.md already"):
        plan_decision(desk.texts, "MEM-001", CurationVerb.APPROVE, now=NOW, threshold=0.7)
    desk.run(failed(30))
    assert desk.entries(ERRORS)["Error TIMEOUT"].confidence < 0.7
    assert desk.memory.notes["MEM-001"].chosen is Place.ACTIVE
    assert "MOVED" not in {row[0] for row in desk.rows(ERRORS)}
