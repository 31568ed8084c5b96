"""A slot that a person adds holds in every path: adopter, first look, requests, and each command (C-37, C-39, C-51)."""

import io
import json
import sys

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.host.storage.problem_log import ProblemKind
from memory_ledger.host.storage.proposals import read_proposals
from memory_ledger.host.tools.beliefs import look_up
from memory_ledger.ledger.history import NameBook
from memory_ledger.quality.conflict_record import conflict_id
from memory_ledger.settings import Settings

INVESTOR = {"name": "investor", "nouns": ["investor"], "verbs": ["be represented by"], "value": "name"}
SLOTS = {"added_slots": [INVESTOR]}
OLD, NEW = "The investor of the team is Otto", "The investor of the team is Frieda"


def tell(box, text: str) -> str:
    """Let the person say `text`, a day later, and the host store it; return the id."""
    box.clock.advance(days=1)
    box.say(f"{text}.")
    return box.insert(text)


def noise(box, count: int = 3) -> None:
    """Store what is nearer to the newer memory than the older one is."""
    for number in range(count):
        tell(box, f"The investor of the team was shown in room {number} on the board of Frieda")


def test_without_the_slot_both_stay(known) -> None:
    """C-43: what nobody has declared holds several values."""
    old = tell(known, OLD)
    known.adopt()
    new = tell(known, NEW)
    known.adopt()
    assert (known.validity(old), known.validity(new)) == ("confirmed", "confirmed")


def test_what_was_read_before_the_slot_came_is_read_again(known) -> None:
    """C-37, C-39, T-06: the next adoption finds the old fact by subject and slot, far from the nearest neighbours."""
    old = tell(known, OLD)
    noise(known)
    known.adopt()
    new = tell(known, NEW)
    known.adopt(conflict_top_k=1, **SLOTS)
    assert known.read(old).lineage.superseded_by == new


def test_a_slot_that_was_taken_away_holds_no_more(known) -> None:
    """C-43, T-06: what the index holds of it is read again, too."""
    known.adopt(**SLOTS)
    old = tell(known, OLD)
    known.adopt(**SLOTS)
    new = tell(known, NEW)
    known.adopt()
    assert (known.validity(old), known.validity(new)) == ("confirmed", "confirmed")
    assert len(known.adopter.settler._claims) == 2


def test_nothing_new_is_adopted_before_all_is_read_again(known) -> None:
    """C-37: a slice at a time, as after any change of many memories; the host waits for no more than one."""
    old = tell(known, OLD)
    noise(known)
    known.adopt()
    new = tell(known, NEW)
    for left in (4, 3, 2, 1):
        adoption = known.adopt(1, conflict_top_k=1, **SLOTS)
        assert (adoption.remaining, adoption.is_done, known.adopter.has_work()) == (left, False, True)
        assert known.read(new).classification is None
    assert known.adopt(1, conflict_top_k=1, **SLOTS).is_done
    assert known.read(old).lineage.superseded_by == new
    assert not known.adopter.has_work()
    assert not known.adopt(1).is_done  # the slot has gone, and nothing is new
    assert known.adopter.has_work()


def test_the_same_slots_are_not_read_again(known) -> None:
    """T-06: equal settings, read anew at every turn, cost nothing."""
    tell(known, OLD)
    known.adopt(**SLOTS)
    claims = known.adopter.settler._claims
    known.adopt(added_slots=[dict(INVESTOR)])
    assert known.adopter.settler._claims is claims
    known.adopt()
    assert known.adopter.settler._claims is not claims


def test_what_is_retired_is_not_entered_again(known) -> None:
    """C-50: a retired memory stays no candidate when everything is read anew."""
    tell(known, "The port of the shop is 8080")
    known.adopt()
    tell(known, "The port of the shop is 8443")
    known.adopt()
    assert len(known.adopter.settler._claims) == 1
    known.adopt(**SLOTS)
    assert len(known.adopter.settler._claims) == 1


def test_first_look_proposes_by_the_slots_of_the_moment(box) -> None:
    """C-91, T-06: they may come while it goes on; nothing is retired all the same."""
    _, old = box.insert("Hm"), box.insert(OLD)
    box.clock.advance(days=1)
    new = box.insert(NEW)
    for _ in range(2):
        assert not box.adopt(1).is_done
    while not box.adopt(1, **SLOTS).is_done:
        assert box.store.is_first_look
    (proposal,) = read_proposals(box.folder)
    assert (proposal.loser, proposal.winner) == (old, new)
    assert box.validity(old) != "deprecated"


# --- at the terminal -------------------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"added_slots": [INVESTOR]}))
    return str(path)


def test_contradict(config, capsys, monkeypatch) -> None:
    """C-39: with the settings of `--config`."""
    row = json.dumps({"older": {"text": OLD}, "newer": {"text": NEW}})
    outcomes = []
    for options in ([], ["--config", config]):
        monkeypatch.setattr(sys, "stdin", io.StringIO(row))
        assert cli.main(["contradict", *options]) == 0
        outcomes.append(json.loads(capsys.readouterr().out)["outcome"])
    assert outcomes == ["coexist", "supersede"]


def test_ingest(config, tmp_path, capsys) -> None:
    """C-37: a store of its own, through the same rules."""
    file = tmp_path / "facts.jsonl"
    file.write_text("".join(f"{json.dumps({'text': text, 'source': 'user_asserted'})}\n" for text in (OLD, NEW)))
    status = []
    for options in ([], ["--config", config]):
        store = tmp_path / f"store{len(options)}"
        command = ["ingest", "--store", str(store), str(file), *options]
        assert cli.main(command, load=lambda: HashingEmbedder(64)) == 0
        assert cli.main(["export", "--store", str(store)]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        status.append([row["metadata"]["classification"]["validity"] for row in rows])
    assert status == [["confirmed", "confirmed"], ["deprecated", "confirmed"]]


@pytest.mark.parametrize("command", [["history"], ["believed-at", "2027-01-01"]])
def test_history_and_believed_at(known, config, capsys, command) -> None:
    """C-51: the slot is named; by default with the settings beside the memory folders."""
    tell(known, "The team is represented by Otto")
    tell(known, "The investor is a secret")
    known.adopt(**SLOTS)
    known.memory.save()
    beside = known.folder.parent / "classification_config.json"
    slots = []
    for options, is_beside in (([], False), (["--config", config], False), ([], True)):
        if is_beside:
            beside.write_text(json.dumps({"added_slots": [INVESTOR]}))
        assert cli.main([*command, "investor", "--folder", str(known.folder), *options]) == 0
        slots.append([json.loads(line)["slot"] for line in capsys.readouterr().out.splitlines()])
    assert slots == [["states"], ["states", "investor"], ["states", "investor"]]


def test_two_memories_that_cannot_both_hold_are_not_merged(known, config, capsys) -> None:
    """Q-25, T-70: the command and the host refuse by the same slots."""
    old = tell(known, OLD)
    known.adopt(**SLOTS)
    tell(known, NEW)
    known.adopt(**SLOTS)
    known.memory.save()
    (conflict,) = known.store.conflicts.get_conflicts()
    merge = ["resolve", conflict.id, "--merge", "--folder", str(known.folder)]
    assert cli.main([*merge, "--config", config]) == 1
    assert "they cannot both hold" in capsys.readouterr().err
    assert cli.main(merge) == 0  # as a host without the slot would
    known.clock.advance(days=400)
    known.adopt(**SLOTS)
    assert [str(one) for one in known.store.problems.take(ProblemKind.DECISIONS)]
    assert known.validity(old) == "deprecated"


def both(box) -> tuple[str, str]:
    """Store both texts before the slot is known, and save; return their ids."""
    ids = tell(box, OLD), tell(box, NEW)
    box.adopt()
    box.memory.save()
    return ids


def test_conflicts_are_detected_with_the_slots_of_the_folder(known, config, capsys) -> None:
    """Q-43, C-39: at a terminal, by the file that is named or the one beside the memory folders."""
    ids = both(known)
    command = ["conflicts", "--detect", "--folder", str(known.folder)]
    found = []
    for options in ([], ["--config", config]):
        assert cli.main([*command, *options]) == 0
        found.append([json.loads(line)["memories"] for line in capsys.readouterr().out.splitlines()])
    (known.folder.parent / "classification_config.json").write_text(json.dumps(SLOTS))
    assert cli.main(command) == 0
    assert json.loads(capsys.readouterr().out)["memories"] == list(ids)
    assert found == [[], [list(ids)]]


def test_a_detected_conflict_is_decided_by_a_strategy(known, config, capsys) -> None:
    """Q-23, Q-43, T-70: the command finds it, and the host says why, with the slots of the person."""
    old, new = both(known)
    command = ["resolve", conflict_id(old, new), "--strategy", "newer-wins", "--folder", str(known.folder)]
    assert cli.main(command) == 1
    assert "no conflict" in capsys.readouterr().err
    assert cli.main([*command, "--config", config]) == 0
    known.clock.advance(days=400)
    known.adopt(**SLOTS)
    assert known.read(old).lineage.superseded_by == new
    assert 'both speak of the investor of "team"' in known.store.conflicts.of_pair(old, new).description


def test_the_agent_is_told_by_the_slots_of_the_moment(known) -> None:
    """C-51, C-39: a person's own name of a slot finds what was believed, and no more once it has gone."""
    names = NameBook()
    tell(known, "The team is represented by Otto")
    answers = []
    for settings in ({}, SLOTS, {}):
        known.adopt(**settings)
        answers.append("team: investor" in look_up(known.store, names, "investor").splitlines())
    assert answers == [False, True, False]


def test_the_part_that_no_longer_holds_is_found_by_the_slot(known) -> None:
    """C-51, C-43: a memory that lost in part tells which part was about a person's own slot."""
    tell(known, "The team is represented by Otto. The port of the shop is 8080")
    known.adopt(**SLOTS)
    tell(known, "The team is represented by Frieda")
    known.adopt(**SLOTS)
    assert 'no longer true: "The team is represented by Otto"' in look_up(known.store, NameBook(), "investor")


def test_structured_content_needs_no_slot(known) -> None:
    """Q-62, C-39: what the text says beside it is read with the slots of the person."""
    known.clock.advance(days=1)
    known.say(f"{OLD}.")
    content = {"subject": "Lamp", "property": "colour", "value": "red"}
    old = known.insert(OLD, content=content)
    known.adopt(**SLOTS)
    new = tell(known, NEW)
    known.adopt(**SLOTS)
    assert known.read(old).lineage.superseded_by == new


@pytest.mark.parametrize(("settings", "kind"), [({}, None), (SLOTS, "logical")])
def test_kind_of_a_conflict(known, settings, kind) -> None:
    """Q-16: what follows is read by the same slots as the contradiction."""
    for text in ("The vote was clear, so the investor of the team is Otto", NEW):
        tell(known, text)
        known.adopt(**settings)
    assert [one.type for one in known.store.conflicts.get_conflicts()] == ([kind] if kind else [])


def test_settings_have_no_slots_of_their_own() -> None:
    """C-72: the default is the built-in table, one object for all settings."""
    assert Settings().slots is Settings(conflict_top_k=7).slots
    assert Settings(**SLOTS).slots is not Settings().slots
