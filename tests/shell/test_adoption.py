"""The adopter: what is new is classified, what it contradicts is settled, and what was there before is asked about."""

from dataclasses import replace
from datetime import timedelta

import pytest
from conflict_tools import accept, source
from memory_ledger.errors import StoreError
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Supersede
from memory_ledger.recall.selection import Candidate, join_texts
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.proposals import add_proposals, read_proposals
from memory_ledger.store.requests import Inbox
from remembering import know

OLD, NEW = "User's project uses Python 3.9", "User's project uses Python 3.11"


def kinds(adoption) -> list[str]:
    return [type(one).__name__ for one in adoption.changes]


def tell(box, text: str) -> str:
    """Let the user say something a day after the last time, and a note of it be adopted; return its id."""
    box.clock.advance(days=1)
    box.say(text)
    memory_id = box.insert(text)
    box.last = kinds(box.adopt())
    return memory_id


def test_author_is_found_in_the_ring(known) -> None:
    """C-25, C-26, T-01: the note comes turns later; the user's words and the agent's are told apart."""
    known.say("My project uses Python 3.11.", agent="The build probably fails because of the cache.")
    known.say("What is the weather?")
    users, agents = known.insert(NEW), known.insert("The build fails because of the cache")
    adoption = known.adopt()
    assert [one.memory_id for one in adoption.classified] == [users, agents]
    assert source(known, users) == ("user_asserted", "confirmed")
    assert source(known, agents) == ("agent_inferred", "inferred")
    assert all(set(one.why) == {"source", "validity", "utility"} for one in adoption.classified)


def test_domain_is_that_of_the_turn_in_which_it_was_said(known) -> None:
    """C-36, T-01: not of the turn in which the note was written; what nobody said belongs to the present turn."""
    known.say("My project uses Python 3.11.", domain="coding")
    known.say("What is the weather?", domain="smalltalk")
    said, unsaid = known.insert(NEW), know(known, "The office closes at noon")
    assert known.read(said).lineage.bst_domain == "coding"
    assert known.read(unsaid).lineage.bst_domain == "smalltalk"


def test_backlog_is_adopted_in_slices_oldest_first(known) -> None:
    """design.md (Storage): a hook waits for a few only; the rest is counted and taken up by the next run."""
    ids = [known.insert(f"note {number}") for number in range(10)]
    seen = []
    for expected in (6, 2, 0, 0):
        adoption = known.adopt(limit=4)
        seen += [one.memory_id for one in adoption.classified]
        assert adoption.remaining == expected
        assert known.adopter.has_work() == (expected > 0)
    assert seen == ids


class Unreadable(str):
    """A text in which a rule meets what it was not made for."""

    def strip(self, *_: object) -> str:
        raise IndexError("of a rule")

    split = splitlines = lower = casefold = strip


def test_a_text_that_no_rule_can_read_stops_no_other(known) -> None:
    """T-01, T-44: it stays in use as it is and is told; what comes after it is read and settled."""
    known.say("My project uses Python 3.9.")
    old, bad = known.insert(OLD), known.insert("some text")
    known.docs[bad].page_content = Unreadable("some text")
    known.say("My project uses Python 3.11 now.")
    new = know(known, NEW)
    assert known.validity(old) == "deprecated" and source(known, new) == ("user_asserted", "confirmed")
    assert known.read(bad).classification is None
    assert any(bad in one.where and "IndexError" in one.found for one in known.store.problems.take())


def test_memory_that_waits_is_searched_in_its_own_area(known) -> None:
    """Contract, trap 22: a backlog is recalled before it is adopted, and still nothing from another area."""
    areas = ("main", "solutions", "instruments", "fragments")
    for area in areas:
        known.insert("the same words", area=area)
    known.adopt(limit=1)
    columns = known.store.columns
    no_role = lambda role_id: frozenset()  # noqa: E731
    assert columns.eligible(0, None, no_role).tolist() == [True, False, False, True]
    assert columns.eligible(1, None, no_role).tolist() == [False, True, False, False]
    assert columns.count().total() == 1


def test_forged_status_hides_nothing_while_it_waits(known) -> None:
    known.insert("first")
    status = {"validity": "deprecated", "relevance": "active", "utility": "tactical", "source": "user_asserted"}
    forged = known.insert("second", classification=status, lineage={"created_at": "2026-01-01T00:00:00Z"})
    known.adopt(limit=1)
    assert known.store.columns.in_use().tolist() == [True, True]
    known.adopt()
    assert source(known, forged) == ("agent_inferred", "inferred")


def test_newer_sweep_wins_within_the_same_second(known) -> None:
    """C-47: the host's clock has whole seconds; what was adopted later is newer."""
    old = know(known, OLD)
    new = known.insert(NEW)
    adoption = known.adopt()
    assert [(type(one), one.loser_id, one.rule) for one in adoption.changes] == [(Supersede, old, "C-47")]
    assert (known.validity(old), known.validity(new)) == ("deprecated", "inferred")
    assert known.read(new).lineage.supersedes == old
    assert known.read(old).lineage.superseded_by == new
    assert known.read(new).lineage.created_at > known.read(old).lineage.created_at


def test_times_within_one_sweep_decide_whatever_the_order_of_insertion(known) -> None:
    earlier = (known.clock() - timedelta(seconds=5)).isoformat()
    new, old = known.insert(NEW), know(known, OLD, timestamp=earlier)
    assert (known.validity(old), known.validity(new)) == ("deprecated", "inferred")


@pytest.mark.parametrize(
    ("answer", "changes", "validity"),
    [
        pytest.param("Your project uses Python 3.11, I think.", ["Supersede"], "deprecated", id="the agent said it"),
        pytest.param(None, ["Contest"], "inferred", id="the turn was never seen, so the user may have said it"),
    ],
)
def test_users_word_of_long_ago_stays_against_the_newer_one(known, answer, changes, validity) -> None:
    """C-44: the new memory is the loser, and takes nobody with it; or the conflict is open."""
    known.say("My project uses Python 3.9.")
    users = know(known, OLD, days=30)
    if answer:
        known.say("Which version is current?", answer)
    newer = known.insert(NEW)
    assert kinds(known.adopt()) == changes
    assert (known.validity(users), known.validity(newer)) == ("confirmed", validity)
    assert known.read(newer).lineage.superseded_by == (users if answer else None)
    assert len(known.store.conflicts.get_conflicts(unresolved=True)) == (answer is None)


def test_loser_retires_no_further_memory(known) -> None:
    known.say("My project uses Python 3.9.")
    users = know(known, OLD, days=1)
    known.say("Which are there?", "There are 3.10, 3.11 and 3.12.")
    ids = [known.insert(f"User's project uses Python 3.{minor}") for minor in (10, 11, 12)]
    known.adopt()
    assert known.validity(users) == "confirmed"
    assert [known.read(one).lineage.superseded_by for one in ids] == [users] * 3


def test_elliptical_correction_of_one_memory(known) -> None:
    """C-41: "it" can only be the one port that is known."""
    known.say("The API listens on port 8080.")
    port, other = known.insert("The API listens on port 8080"), know(known, "User likes tea")
    known.say("Actually it's 8443.")
    known.insert("Actually it's 8443")
    assert kinds(known.adopt()) == ["Supersede"]
    assert (known.validity(port), known.validity(other)) == ("deprecated", "inferred")


@pytest.mark.parametrize(("top_k", "expected"), [(1, ["Supersede"]), (2, [])])
def test_a_correction_without_a_subject_is_compared_with_the_nearest(known, top_k: int, expected: list[str]) -> None:
    """C-37, C-43: `conflict_top_k` bounds the search; where two memories would fit, nobody can say which is meant."""
    known.insert("The port of the shop is 8080")
    known.insert("The port of the bakery is 9000")
    known.adopt()
    known.clock.advance(minutes=1)
    known.insert("Actually it's 8443")
    assert kinds(known.adopt(conflict_top_k=top_k)) == expected


def test_what_speaks_of_the_same_thing_is_found_however_it_is_worded(known) -> None:
    """C-37, C-39: by subject and slot, though every other memory is nearer; also after a restart."""
    known.say("The user lives in Oslo. The user moved to Lisbon.")
    home = know(known, "The user lives in Oslo")
    known.restart(is_saved=True)
    for number in range(20):
        known.insert(f"The user moved to another desk, desk number {number}")
    known.adopt()
    known.clock.advance(days=1)
    known.say("The user moved to Lisbon.")
    moved = known.insert("The user moved to Lisbon")
    known.adopt(conflict_top_k=1)
    assert known.read(home).lineage.superseded_by == moved


def test_what_waits_itself_is_compared_with_what_comes_before_it(known) -> None:
    """C-37: after a restart, the claim index lacks what has a status and waits still; the nearest are compared."""
    old = know(known, "The port of the shop is 8080", days=1)
    known.say("The port of the shop is 8443.")
    new = known.insert("The port of the shop is 8443")
    status = known.docs[old].metadata
    known.update(old, "The port of the shop is 8080", **status)
    known.restart(is_saved=True)
    assert kinds(known.adopt(limit=1)) == ["Supersede"]
    assert known.read(old).lineage.superseded_by == new


BOTH = "The shop is in Bergen. The port of the shop is 8080."


def test_of_a_memory_that_says_more_only_a_part_is_retired(known) -> None:
    """C-43: it stays in use with the outdated part named; the conflict is listed, once, and the next value too."""
    both = tell(known, BOTH)
    middle = tell(known, "The port of the shop is 8443.")
    assert known.last == ["Outdate"]
    last = tell(known, "The port of the shop is 9000.")
    assert known.last == ["Supersede"]
    lineage = known.read(both).lineage
    assert [(one.text, one.by) for one in lineage.outdated_parts] == [("The port of the shop is 8080", middle)]
    assert [known.validity(one) for one in (both, middle, last)] == ["confirmed", "deprecated", "confirmed"]
    assert lineage.superseded_by is None
    row = next(one for one in known.journal() if one["action"] == "partial")
    assert (row["memory"], row["winner"], row["parts"]) == (both, middle, ["The port of the shop is 8080"])
    assert any("8443" in reason for reason in row["reasons"])


def test_outdated_part_is_shown_as_such_and_decides_nothing(known) -> None:
    """C-43, T-62: in the prompt a person sees what no longer holds; what is outdated retires nothing in turn."""
    both = tell(known, BOTH)
    tell(known, "The port of the shop is 8443.")
    shown = join_texts([Candidate(memory=known.read(both), similarity=0.9)])
    assert shown == "The shop is in Bergen. [outdated: The port of the shop is 8080]."
    known.clock.advance(days=1)
    known.insert("The port of the shop is 8080")
    assert both not in {getattr(one, "memory_id", None) for one in known.adopt().changes}
    known.restart(is_saved=True)
    known.adopt()
    assert len(known.read(both).lineage.outdated_parts) == 1


def test_same_text_under_another_id_is_not_trusted(known) -> None:
    known.say("My project uses Python 3.9.")
    origin = know(known, OLD)
    known.turns._turns.clear()
    copied = {key: known.docs[origin].metadata[key] for key in ("classification", "lineage")}
    copy = know(known, OLD, **copied)
    assert source(known, copy) == ("agent_inferred", "inferred")


FORGED = {"validity": "confirmed", "relevance": "active", "utility": "load_bearing", "source": "user_asserted"}


def forge(box) -> str:
    """Let a model save a memory with a status of its own, two seconds later; the host saves at every insert."""
    box.clock.advance(seconds=2)
    memory_id = box.insert("likes tea", classification=FORGED, lineage={"created_at": "2026-01-01T00:00:00Z"})
    box.memory.save()
    return memory_id


@pytest.fixture
def sealed(known):
    """A saved folder in which the newer of two memories has retired the older one; `classified` has their status."""
    for text in (OLD, NEW):
        known.insert(text)
        known.adopt()
    known.store.save()
    known.classified = lambda: {one: known.docs[one].metadata["classification"] for one in ("m0001", "m0002")}
    return known


@pytest.mark.parametrize("adopted", [0, 1, 100])
@pytest.mark.parametrize("is_index_saved", [False, True])
def test_crash_while_a_lost_key_is_replaced_changes_nothing(adopted: int, is_index_saved: bool, sealed) -> None:
    """T-69, C-91: before the first memory is sealed anew, half way, or just before the save: as if nothing had been."""
    before = sealed.classified()
    (sealed.folder / files.KEY_FILE).unlink()
    sealed.restart()
    sealed.adopt(limit=adopted)
    sealed.store.save_state()
    if is_index_saved:
        sealed.memory.save()
    forged = forge(sealed) if is_index_saved else None
    sealed.restart()
    adoption = sealed.adopt()
    assert [one.memory_id for one in adoption.classified] == ([forged] if forged else [])
    assert sealed.classified() == before
    assert all(is_sealed(sealed.store.key, sealed.read(one)) for one in before)
    sealed.store.save()
    sealed.restart()
    assert sealed.adopt().classified == []
    assert sealed.store.state.unsealed_until is None


def test_a_damaged_key_takes_nothing_from_the_user(sealed) -> None:
    """T-69: one flipped bit; the user's word stays the user's, what was retired stays retired."""
    before, path = sealed.classified(), sealed.folder / files.KEY_FILE
    first, *rest = path.read_bytes()
    path.write_bytes(bytes([first ^ 1, *rest]))
    sealed.restart()
    assert sealed.adopt().classified == [] and sealed.validity("m0001") == "deprecated"
    assert sealed.classified() == before


def test_key_that_is_lost_while_another_is_replaced(sealed) -> None:
    for _ in range(2):
        (sealed.folder / files.KEY_FILE).unlink()
        sealed.restart()
        sealed.adopt(limit=1)
        sealed.memory.save()
    sealed.restart()
    assert sealed.adopt().classified == []
    assert sealed.validity("m0001") == "deprecated"


@pytest.mark.parametrize("adopted", [0, 1, 100])
@pytest.mark.parametrize("is_index_saved", [False, True])
def test_crash_in_a_first_look_changes_nothing(adopted: int, is_index_saved: bool, box) -> None:
    """C-91, T-69: what was there is honoured and reported by the next process, what a model forged meanwhile is not."""
    day = timedelta(days=1)
    box.insert(OLD, timestamp=(box.clock() - 2 * day).isoformat())
    kept = box.insert(
        NEW,
        timestamp=(box.clock() - day).isoformat(),
        classification=FORGED | {"validity": "inferred"},
        lineage={"created_at": (box.clock() - day).isoformat(), "access_count": 3},
    )
    box.memory.save()
    box.adopt(limit=adopted)
    box.store.save_state()
    if is_index_saved:
        box.memory.save()
    forged = forge(box) if is_index_saved else None
    box.restart()
    adoption = box.adopt()
    assert (adoption.changes, retired(box)) == ([], [])
    assert [one.loser for one in read_proposals(box.store.database)] == ["m0001"]
    assert source(box, kept) == ("user_asserted", "inferred")
    assert box.read(kept).lineage.access_count == 3
    if forged is not None:
        assert source(box, forged) == ("agent_inferred", "inferred")
    box.store.save()
    box.restart()
    assert not box.store.is_first_look
    assert box.adopt().classified == []


def test_state_says_first_what_a_new_key_has_not_sealed(box, monkeypatch) -> None:
    """T-69: the process ends between the two writes, and the next one still honours what was there."""
    kept = know(box, "likes tea", classification=FORGED, lineage={"created_at": "2026-01-01T00:00:00Z"})
    box.store.save()
    (box.folder / files.KEY_FILE).unlink()
    monkeypatch.setattr(files, "write_key", lambda folder, key: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        box.restart()
    monkeypatch.undo()
    files.write_key(box.folder, files.new_key())
    box.restart()
    assert box.adopt().classified == []
    assert source(box, kept) == ("user_asserted", "confirmed")


@pytest.fixture
def full(box):
    """A store from before the pack: two contradictions among five memories, all a day apart."""
    texts = (OLD, NEW, "The API listens on port 8080", "The API listens on port 8443", "User likes tea")
    for number, text in enumerate(texts):
        box.insert(text, timestamp=(box.clock() - timedelta(days=9 - number)).isoformat())
    return box


LOSERS = ["m0001", "m0003"]


def retired(box) -> list[str]:
    return [one for one in box.docs if box.read(one).is_deprecated]


def test_first_look_classifies_everything_and_retires_nothing(full) -> None:
    """design.md (Storage): what would be retired is listed, with the rule and the reasons."""
    adoption = full.adopt()
    assert len(adoption.classified) == 5
    assert adoption.changes == []
    assert retired(full) == []
    found = read_proposals(full.store.database)
    expected = [("m0001", "m0002", "C-47"), ("m0003", "m0004", "C-47")]
    assert [(one.loser, one.winner, one.rule) for one in found] == expected
    assert (found[0].loser_text, found[0].winner_text) == (OLD, NEW)
    assert all(one.reasons for one in found)
    assert full.store.state.first_seen == full.clock().isoformat()
    assert not full.adopter.has_work()
    assert full.adopt().changes == []


def test_accepted_report_is_carried_out_once(full) -> None:
    full.adopt()
    assert accept(full, at=full.clock()) == 2
    assert full.adopter.has_work()
    assert kinds(full.adopt()) == ["Supersede", "Supersede"]
    assert retired(full) == LOSERS
    assert [row["reasons"][-1] for row in full.journal()] == ["accepted", "accepted"]
    assert not full.adopter.has_work()
    accept(full, at=full.clock() + timedelta(days=1))
    assert full.adopt().changes == []
    full.store.save()
    full.restart()
    assert full.adopt().changes == []
    assert len(full.journal()) == 2


@pytest.mark.parametrize("is_winner_gone", [False, True])
def test_excluded_memories_stay_in_use(full, is_winner_gone) -> None:
    """T-43: another acceptance may include them, unless the host has deleted what would take their place."""
    full.adopt()
    assert accept(full, at=full.clock(), excluded=["m0001", "m0001"]) == 1
    full.adopt()
    assert retired(full) == ["m0003"]
    if is_winner_gone:
        full.delete("m0002")
    accept(full, at=full.clock())
    full.adopt()
    assert retired(full) == (["m0003"] if is_winner_gone else LOSERS)


def test_what_is_proposed_after_the_acceptance_is_not_accepted(full) -> None:
    """design.md (Storage): a person accepts what is listed; what maintenance adds before the next turn waits."""
    full.adopt()
    accept(full, at=full.clock(), excluded=["m0003"])
    later = replace(read_proposals(full.store.database)[0], loser="m0005", winner="m0004")
    add_proposals(full.store.database, [later], at=full.clock())
    full.adopt()
    assert retired(full) == ["m0001"]
    assert [one.loser for one in read_proposals(full.store.database)] == ["m0003", "m0005"]
    [request] = Inbox(full.folder).read()
    assert (request.kind, request.by, request.answer.words) == ("adopt", "rosa", "1 memory accepted as retired")


def test_an_acceptance_without_a_report_is_refused(full) -> None:
    full.adopt()
    accept(full, at=full.clock())
    (full.folder / files.DATABASE_FILE).unlink()
    assert full.adopt().changes == []
    [problem] = full.store.problems.take(ProblemKind.DECISIONS)
    assert "no report of proposals" in str(problem) and not full.adopter.has_work()
    assert Inbox(full.folder).read()[0].answer.outcome == "refused"


def test_exclusion_of_something_else_is_refused(full) -> None:
    full.adopt()
    with pytest.raises(StoreError, match=r"nobody not proposed; allowed: .*m0001.*m0003"):
        accept(full, at=full.clock(), excluded=["nobody", "m0001"])
    assert full.adopt().changes == []


def test_setting_retires_what_was_there_at_once(full) -> None:
    adoption = full.adopt(retire_existing=True)
    assert kinds(adoption) == ["Supersede", "Supersede"]
    assert retired(full) == LOSERS
    assert full.rows("SELECT * FROM proposal") == []
    full.adopt(retire_existing=True)
    assert len(full.journal()) == 2


def test_status_from_before_the_pack_is_honoured(box) -> None:
    """C-91: a store that another implementation of the same specification has written."""
    status = {"validity": "deprecated", "relevance": "active", "utility": "archived", "source": "user_asserted"}
    lineage = {"created_at": "2026-01-01T00:00:00Z", "access_count": 4, "supersedes": ["a", "b"]}
    memory_id = box.insert("likes tea", classification=status, lineage=lineage)
    assert box.adopt().classified == []
    memory = box.read(memory_id)
    assert (memory.classification.utility.value, memory.lineage.access_count) == ("archived", 4)
    assert memory.lineage.supersedes_ids == ("a", "b")
    assert is_sealed(box.store.key, memory)
    assert box.store.columns.in_use().tolist() == [False]


def say_and_infer(box, answer: str) -> str:
    """Let the agent say something, a note of it be adopted, and the person answer."""
    box.say("Which database does it use?", agent="Your service uses PostgreSQL.")
    memory_id = know(box, "User's service uses PostgreSQL")
    assert source(box, memory_id) == ("agent_inferred", "inferred")
    box.say(answer)
    return memory_id


def test_validation_confirms_what_the_agent_had_said(known) -> None:
    memory_id = say_and_infer(known, "Yes, exactly.")
    [change] = known.adopter.confirm_recent()
    assert (change.memory_id, change.evidence) == (memory_id, "Yes, exactly.")
    assert source(known, memory_id) == ("agent_inferred", "confirmed")
    assert known.adopter.confirm_recent() == []
    assert [row["action"] for row in known.journal()] == ["confirm"]


@pytest.mark.parametrize("answer", ["No.", "Thanks!", "Yes, but not any more.", "Right away please."])
def test_other_answers_confirm_nothing(answer: str, known) -> None:
    memory_id = say_and_infer(known, answer)
    assert known.adopter.confirm_recent() == []
    assert source(known, memory_id) == ("agent_inferred", "inferred")


@pytest.mark.parametrize("before", ["What about the port?", "Yes, exactly.", "My service uses PostgreSQL."])
def test_earlier_words_are_not_what_a_later_validation_says(before: str, known) -> None:
    """C-16: the newest message does not vouch for what only an older one bears out, nor is it the evidence for that."""
    memory_id = say_and_infer(known, before)
    known.say("And the port?", agent="The API listens on port 8080.")
    known.say("Right.")
    assert known.adopter.confirm_recent() == []
    assert source(known, memory_id) == ("agent_inferred", "inferred")


def test_deprecated_or_vanished_memory_is_not_confirmed(known) -> None:
    """C-16, C-50: validation brings nothing back into use."""
    memory_id = say_and_infer(known, "Yes, exactly.")
    known.classify(memory_id, validity="deprecated", source="agent_inferred")
    assert known.adopter.confirm_recent() == []
    known.delete(memory_id)
    assert known.adopter.confirm_recent() == []


OLD_PORT, NEW_PORT = "The API listens on port 8080.", "The API listens on port 8443."


def look_on(box, *texts: str) -> list[str]:
    """Begin a first look at many memories, the last ones with these texts; return the ids of those."""
    for number in range(30):
        box.insert(f"Shelf {number} holds folder {number}.")
    ids = []
    for text in texts:
        box.clock.advance(days=1)
        ids.append(box.insert(text))
    box.clock.advance(days=1)
    box.adopt(limit=1)
    return ids


@pytest.mark.parametrize("is_read", [False, True], ids=["while it reads", "while it compares"])
def test_what_is_new_in_a_first_look_is_settled_at_once(box, is_read) -> None:
    """design.md (Storage): nothing new is held up, however much of what was there waits; that is proposed as ever."""
    old, *pairs = look_on(box, OLD_PORT, *(f"The {one} uses Python 3.{n}." for one in ("shop", "mill") for n in (8, 9)))
    while is_read and box.adopt(limit=1).remaining:
        pass
    box.say("The API listens on port 8443 now.")
    new = box.insert(NEW_PORT)
    box.adopt(limit=2)
    assert box.store.is_first_look
    assert (box.validity(new), box.read(old).lineage.superseded_by) == ("confirmed", new)
    while not box.adopt(limit=5).is_done:
        pass
    found = [(one.loser, one.winner) for one in read_proposals(box.store.database)]
    assert found == [tuple(pairs[:2]), tuple(pairs[2:])]
    assert [row["memory"] for row in box.journal() if row["action"] == "supersede"] == [old]


def test_what_is_rewritten_in_a_first_look_is_new(box) -> None:
    """T-43: whoever wrote it anew meant it now; what it said before does not wait any more."""
    old, other = look_on(box, OLD_PORT, "The shop closes at 5.")
    box.update(other, NEW_PORT)
    box.adopt(limit=2)
    assert box.store.is_first_look
    assert box.read(old).lineage.superseded_by == other


def test_what_is_new_meets_what_is_read_after_it(box) -> None:
    far, _ = look_on(box, OLD_PORT, "The API listens on port 8443")
    new = box.insert(NEW_PORT)
    box.adopt(limit=2, conflict_top_k=1)
    assert not box.read(far).is_deprecated
    while not box.adopt(limit=5, conflict_top_k=1).is_done:
        pass
    assert box.read(far).lineage.superseded_by == new


def test_correction_that_names_nothing_waits_for_all_that_it_may_mean(box) -> None:
    """C-43: of two that fit, the one that is read first is not taken for the one that was meant."""
    ids = [box.insert(f"The {one} listens on port {number}.") for one, number in (("API", 8080), ("worker", 9000))]
    box.clock.advance(days=1)
    box.adopt(limit=0)
    box.insert("Actually it's port 7000.")
    box.adopt(limit=2)
    while not box.adopt(limit=5).is_done:
        pass
    assert [box.read(one).is_deprecated for one in ids] == [False, False]


def test_first_look_goes_on_in_slices(box) -> None:
    """C-91, T-01: no call looks at everything; what comes meanwhile is settled, and the rest is proposed."""
    for number in range(30):
        box.insert(f"User's {('project', 'shop', 'server')[number % 3]} uses Python 3.{number}")
        box.clock.advance(minutes=1)
    assert (box.adopt(limit=20).remaining, box.store.is_first_look) == (10, True)
    box.insert("User's project uses Python 3.30")
    left = []
    while not (adoption := box.adopt(limit=15)).is_done:
        assert box.store.is_first_look
        left.append(adoption.unreviewed)
    assert left == sorted(left, reverse=True) and len(left) > 0
    assert not box.store.is_first_look
    assert retired(box) == [f"m{number:04d}" for number in range(1, 29, 3)]
    assert {(one.loser, one.winner) for one in read_proposals(box.store.database)} == {
        (f"m{number:04d}", f"m{number + 3:04d}") for number in range(1, 28) if number % 3 != 1
    }


def found_by_words(known, question: str) -> set[str]:
    chosen = known.recall(question).chosen
    return {one.memory.text for one in chosen if one.lexical > 0}


def test_words_are_entered_once_adopted_and_follow_the_text(known) -> None:
    """T-66: what is new, what has another text, and what is gone."""
    first, second = known.insert("Heron listens on port 8443"), know(known, "Ann likes green tea")
    assert found_by_words(known, "port 8443") == {"Heron listens on port 8443"}
    known.update(first, "Heron listens on port 9000")
    known.adopt()
    assert found_by_words(known, "port 8443") == {"Heron listens on port 9000"}
    assert known.recall("8443").chosen[0].coverage == 0
    known.delete(second)
    known.adopt()
    assert found_by_words(known, "green tea") == set()
    assert len(known.store.lexical) == 1


def test_words_wait_until_nearly_all_are_entered(known) -> None:
    """E-80, T-66: a store that was just opened is asked by meaning alone, not by the words of some of it."""
    for number in range(20):
        known.insert(f"note {number} about tea")
    known.restart(is_saved=True)
    known.adopt(limit=10)
    assert known.adopter.enter_words(limit=7) == 3
    assert {one.lexical for one in known.recall("note 3 about tea").chosen} == {0.0}
    assert known.adopter.enter_words(limit=7) == 0
    assert found_by_words(known, "note 3 about tea") != set()
