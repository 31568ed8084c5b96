"""The real Agent Zero agrees: scripted conversations on unmodified checkouts, with the pack and without.

Every run also asserts that no exception reached the host, that no two memories share metadata and that all of it is
JSON (`Run.assert_sound`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import long_chat
import planted_day
import pytest
from jsonschema import Draft202012Validator
from real_host_runs import LEDGER_KEYS, Player, Run, Turn

pytestmark = pytest.mark.real_host

ROOT = Path(__file__).resolve().parents[2]
PRIVATE = ("Anna", "Kowalska", "601 234", "hunter2", "shop.example", "abc123", "example.org")
USER = ("user_asserted", "confirmed")
AGENT = ("agent_inferred", "inferred")
EXTERNAL = ("external_retrieved", "inferred")
KNOWLEDGE = ("external_retrieved", "confirmed")

# A list as lineage, a score of 7 and a confidence in words: what `forged_save` passes that cannot be read.
FORGED = ("3 unreadable pieces of metadata; they were derived again",)

OLD_PORT = "The staging server listens on port 8080"
NEW_PORT = "The staging server listens on port 9090"
OLD_PYTHON = "The user's project uses Python 3.9"
NEW_PYTHON = "The user's project uses Python 3.11"


def assert_retired(turn: Turn, loser: str, winner: str) -> None:
    """Assert that `winner` has retired `loser` and that both still exist (C-48, C-49)."""
    old, new = turn.memory(loser), turn.memory(winner)
    assert old.status[1] == "deprecated"
    assert old.lineage["superseded_by"] == new.id
    assert not new.is_deprecated
    assert new.lineage["supersedes"] == old.id


def tool_answer(turn: Turn) -> str:
    """Return what the tool of a turn's first prompt gave back, as the second prompt holds it."""
    return str(json.loads(turn.data["prompts"][1]["history"][-1]["content"].split("\n[EXTRAS]")[0])["tool_result"])


def listed_rows(turn: Turn) -> list[dict]:
    """Return the rows that a command listed."""
    assert turn.result["rc"] == 0, turn.result
    return [json.loads(line) for line in turn.result["out"].splitlines() if line.startswith("{")]


# --- a fact and its correction --------------------------------------------------------------------------------------


def test_a_correction_retires_the_older_fact(player: Player) -> None:
    """C-37, C-48, C-49, C-79, C-86, C-65: the older one is deprecated, points at the newer one, and still exists."""
    run = player.play("correction")
    for name in ("same chat", "new chat"):
        assert_retired(run[name], OLD_PYTHON, NEW_PYTHON)
    assert run["same chat"].health["by_validity"]["deprecated"] == 1
    assert run["same chat"].health["conflicts_resolved_this_session"] == 1
    assert [one["action"] for one in run["same chat"].conflict_log] == ["supersede"]


def test_a_retired_fact_enters_no_later_prompt(player: Player) -> None:
    """C-50, C-55, C-81: not in the memories of the same chat, and nowhere in the prompt of another one."""
    run = player.play("correction")
    assert run["same chat"].recalled() == [NEW_PYTHON]
    assert run["new chat"].recalled() == [NEW_PYTHON]
    assert "Python 3.9" not in run["new chat"].whole_prompt()


def test_the_bare_host_would_have_injected_it(player: Player) -> None:
    """C-81: without the pack the same conversation brings both facts into the prompt."""
    run = player.play("correction", has_pack=False)
    assert set(run["same chat"].recalled()) == {OLD_PYTHON, NEW_PYTHON}
    assert set(run["new chat"].recalled()) == {OLD_PYTHON, NEW_PYTHON}
    assert not any(one.is_classified for turn in run.turns for one in turn.memories)


@pytest.mark.parametrize(
    ("script", "last", "texts"),
    [("correction", "new chat", (OLD_PYTHON, NEW_PYTHON)), ("history", "unreadable", (OLD_PORT, NEW_PORT))],
)
def test_access_is_counted_once_for_each_recall(player: Player, script: str, last: str, texts: tuple[str, str]) -> None:
    """C-60, C-88: a recall that put a memory into the prompt counts, and no question of the tool, nor what is past."""
    run = player.play(script)
    shown = [one.text for turn in run.turns if turn.data["kind"] == "chat" for one in turn.shown()]
    for text in texts:
        assert run[last].memory(text).lineage["access_count"] == shown.count(text) > 0


def test_the_user_outranks_the_agent_in_either_order(player: Player) -> None:
    """C-44, C-80, C-41: the agent's word loses, whether it comes first or last."""
    run = player.play("outranked")
    asked = run["ask port"]
    assert_retired(asked, "The API of the billing service uses REST", "The API of the billing service uses GraphQL")
    assert_retired(asked, OLD_PORT, NEW_PORT)
    assert run["ask api"].recalled() == ["The API of the billing service uses GraphQL"]
    assert asked.recalled() == [NEW_PORT]


def test_what_was_said_first_is_older_even_if_it_is_written_last(player: Player) -> None:
    """C-47, T-01: the memorizers of two quick messages overtake each other; the correction was still said later."""
    run = player.play("overlap")
    assert [one.text for one in run["question"].memories] == [NEW_PORT, OLD_PORT]
    assert run["question"].recalled() == [NEW_PORT]


def test_an_old_statement_extracted_again_does_not_retire_its_correction(player: Player) -> None:
    """C-41, C-47, T-68: a memorizer reads the whole history, so what was corrected comes back as a new memory."""
    run = player.play("stale_extraction")
    assert not run["question"].memory(NEW_PORT).is_deprecated
    assert run["question"].recalled() == [NEW_PORT]


# --- eighty turns ---------------------------------------------------------------------------------------------------


def test_a_long_chat_never_shows_only_what_is_outdated(player: Player) -> None:
    """C-41, C-44, C-81: 60 mixed turns, three restarts, 15 of 25 facts changed in passing, one guessed wrongly."""
    run = player.play("long_chat")
    told = long_chat.told(run)
    assert len([turn for turn in run.turns if turn.data["kind"] == "chat"]) == 80
    assert [name for name, what in told.items() if what == long_chat.STALE_ALONE] == []


def test_a_long_chat_leaves_in_use_what_is_true(player: Player) -> None:
    """C-42, C-43: no fact that stayed, no fact of another person and no change is retired or marked."""
    last = player.play("long_chat")["ask walnuts"]
    assert long_chat.retired(last, (*long_chat.UNCHANGED, *long_chat.OF_OTHERS)) == []
    assert long_chat.retired(last, long_chat.CHANGED) == []


def test_a_long_chat_tells_more_than_the_bare_host(player: Player) -> None:
    """C-81, C-96: what holds is there at least as often, and less often unmarked beside what does not."""
    run, bare = player.play("long_chat"), player.play("long_chat", has_pack=False)
    sys.stdout.write(f"\n{player.host.tag}\n{long_chat.table(run, bare)}\n")
    told, untold = (list(long_chat.told(one).values()) for one in (run, bare))
    assert long_chat.count(told, long_chat.HOLDS_CURRENT) >= long_chat.count(untold, long_chat.HOLDS_CURRENT)
    assert long_chat.count(told, long_chat.BOTH_UNMARKED) < long_chat.count(untold, long_chat.BOTH_UNMARKED)


# --- who said it ----------------------------------------------------------------------------------------------------


def test_the_author_is_found(player: Player) -> None:
    """C-25, C-26, C-28, C-29, C-77, C-98, T-03: a summary is traced to the person, an echo or a guess is not."""
    last = player.play("provenance")["last"]
    expected = {
        "User's project currently targets Python 3.11": USER,
        "The user lives in Lisbon as of now, by default": USER,
        "The backup server runs Debian": USER,
        "The backup server runs Debian 12 on 16 cores by default": AGENT,
        "The mail relay server runs Postfix 3.8 by default": AGENT,
        "The weather service endpoint is https://api.example.org/v2 and returns JSON": EXTERNAL,
        "According to the status page the weather service runs since 2024-05-01": EXTERNAL,
    }
    assert {text: last.memory(text).status for text in expected} == expected
    assert last.memory("User's project currently targets Python 3.11").utility == "load_bearing"
    (solution,) = [one for one in last.memories if one.metadata["area"] == "solutions"]
    assert solution.status == AGENT


def test_an_answer_that_echoes_a_question_is_the_agents(player: Player) -> None:
    """C-13, C-16, C-26, T-03: it is inferred until the person agrees in so many words."""
    run = player.play("provenance")
    echo = "The project should use PostgreSQL as its database"
    assert run["more than said"].memory(echo).status == AGENT
    assert run["confirmed later"].memory(echo).status == ("agent_inferred", "confirmed")


@pytest.mark.parametrize("script", ["subordinate", "parallel"])
def test_a_subordinates_orders_are_not_the_persons_words(player: Player, script: str) -> None:
    """C-26, T-03: what a superior agent writes and is answered are the agents', also in a chat of its own (v2.4)."""
    last = player.play(script)["question"]
    assert last.memory(NEW_PORT).status == USER
    assert {one.status for one in last.memories if one.text != NEW_PORT} == {AGENT}


def test_memories_in_other_languages(player: Player) -> None:
    """C-42, C-43: German, Japanese and Arabic memories are classified and recalled, and nothing is retired wrongly."""
    run = player.play("languages")
    last = run["japanese question"]
    assert len(last.memories) == 9
    assert {one.status for one in last.memories} == {USER}
    assert "Der Testserver steht in München" in run["question"].recalled()
    assert {"サーバーは東京にあります", "サーバーは大阪にもあります"} <= set(last.recalled())


# --- from folder to folder, and back after a loss ---------------------------------------------------------------------

HERON = "The repository of Falcon lies on the server heron"


def test_an_archive_comes_into_a_project_with_its_history(player: Player) -> None:
    """T-70: status, pointers and ids are those of the folder that it came from; what is retired stays out."""
    run = player.play("transfer")
    brought = run["in falcon again"]
    assert_retired(brought, OLD_PORT, NEW_PORT)
    assert {one.id for one in brought.memories} == {one.id for one in run["before"].memories}
    assert brought.recalled() == [NEW_PORT]


def test_a_moved_memory_leaves_its_folder_when_the_other_one_has_it(player: Player) -> None:
    """T-70: at the next turn in either; the host's own vectors and texts agree in both."""
    run = player.play("transfer")
    moved = run["its turn"].memory(HERON)
    assert run["default again"].memory(HERON).id == moved.id
    assert run["default again"].memory(HERON).status == moved.status
    assert HERON in run["default again"].recalled()
    assert run["last"].texts == {OLD_PORT, NEW_PORT}


def test_a_wiped_store_comes_back_with_one_command(player: Player) -> None:
    """T-64: the chat names the command, and nothing is restored before somebody gives it."""
    run = player.play("restored", reports=None)
    assert run["after the wipe"].memories == []
    lost = len(run["before"].memories)
    assert lost > 12
    assert any(f"{lost} can be brought back" in one for one in run.reports)  # written at the end of a turn, in a thread
    before = {one.id: (one.text, one.status, one.lineage["seal"]) for one in run["before"].memories}
    after = {one.id: (one.text, one.status, one.lineage["seal"]) for one in run["restored"].memories}
    assert before == after
    assert OLD_PORT in run["restored"].recalled()


def test_an_index_that_disagrees_with_its_texts_is_repaired(player: Player) -> None:
    """T-64: two texts that stand nowhere, an id at two places, a vector without a text; no turn fails of it."""
    run = player.play("repaired", reports=None)
    assert OLD_PORT in run["before"].recalled() and run["damaged"].recalled() == []
    rows = [json.loads(line) for line in run["look"].data["result"]["out"].splitlines() if line.startswith("{")]
    assert [one["lacks"] for one in rows] == ["vector", "vector", "vector", "text"]
    assert run["repaired"].texts == run["damaged"].texts
    assert OLD_PORT in run["repaired"].recalled()
    assert "{" not in run["again"].data["result"]["out"]


def test_what_no_save_can_hold_costs_no_memory(player: Player) -> None:
    """T-64, T-69: an archive and an insert that nest 800 lists are named, and a restart finds every text."""
    run = player.play("nested", reports=None)
    assert "line 3: metadata.note is nested too deeply" in run["import"].result["out"]
    assert [one.partition(":")[0] for one in run.reports] == ["1 things that Agent Zero could not save as they were"]
    assert run["last"].texts == {OLD_PORT, "The deploy server of the team is called vulture"}


def test_an_erased_memory_is_in_no_file(player: Player) -> None:
    """T-64: neither its words nor its figure, and nothing brings it back."""
    run = player.play("restored", reports=None)
    assert OLD_PORT not in run["erased"].texts
    assert run["erased"].texts == run["last"].texts == run["restored"].texts - {OLD_PORT}
    assert run["look"].data["result"]["out"].split() == ["nowhere"]
    assert "0 memories deleted" in run["again"].data["result"]["out"]


# --- who sees it ----------------------------------------------------------------------------------------------------


def test_roles_see_their_own_domains(player: Player) -> None:
    """C-18, C-36, C-52, C-56, C-59, C-67, C-82, C-83, C-84, C-95, C-99a, T-41: suppressed, then back; rules always.

    Role and belief state are what the script set.
    """
    run = player.play("roles")
    rule = "The user's generated templates must always carry a licence header"
    habit = "The user prefers tabs in generated templates"
    for name, standing in (("bugfix", []), ("codegen", [habit]), ("docs", []), ("no organization", [habit])):
        assert (run[name].recalled(), run[name].rules()) == ([rule], standing)
    lineage = run["bugfix"].memory(habit).lineage
    assert (lineage["created_by_role"], lineage["bst_domain"]) == ("codegen_specialist", "codegen")
    assert run["bugfix"].memory(habit).metadata["classification"]["relevance"] == "active"
    assert run["bugfix"].data["org_attrs"] == {
        "_org_active_role": {"role_id": "bugfix_specialist"},
        "_bst_store": {"__bst_belief_state__": {"domain": "bugfix"}},
    }


def test_delayed_recall(player: Player) -> None:
    """C-55, C-60, T-02, T-42: the note first, what holds from the next prompt on, and never what is retired.

    A turn that ends before its delayed recall is shown has injected nothing, and counts nothing.
    """
    run = player.play("delayed")
    slow = run["slow"]
    assert slow.prompt_count == 5
    assert "memory_recall_delayed" in slow.data["prompts"][0]["extras_temporary"]
    shown = [1, 4] if player.host.hands_over_recall else [1, 2, 3, 4]
    assert [slow.recalled(iteration) for iteration in range(5)] == [[NEW_PORT] * (one in shown) for one in range(5)]
    assert run["at once"].recalled() == []
    before, after = (run[name].memory(NEW_PORT).lineage["access_count"] for name in ("slow", "at once"))
    assert after == before


def test_recall_interval(player: Player) -> None:
    """C-55, T-42: what was recalled stays until the next recall, which no longer has what was retired meanwhile.

    The newest hosts show it in one prompt.
    """
    run = player.play("interval")
    shown = [0, 3] if player.host.hands_over_recall else [*range(5)]
    expected = [[NEW_PORT] if iteration in shown else [] for iteration in range(5)]
    assert [run["long"].recalled(iteration) for iteration in range(5)] == expected
    saved = run["corrected by the agent's save"]
    assert saved.recalled(0) == [NEW_PORT]
    assert saved.recalled(3) == ["The staging server now listens on port 7070"]
    assert run["after"].recalled() == ["The staging server now listens on port 7070"]


def test_settings_apply_and_bad_keys_are_named_once(player: Player) -> None:
    """C-21, C-58, C-72, C-73: valid keys of the user's file hold, the others keep their defaults."""
    run = player.play("settings", reports=["2 settings that were not applied"])
    tabs = "The user's templates currently use tabs"
    assert run["again"].memory(tabs).utility == "load_bearing"
    assert run["question"].recalled() == [tabs]
    assert run["again"].recalled() == [tabs]


def test_project_and_profile_switch_in_mid_chat(player: Player) -> None:
    """T-06: each memory folder keeps its own truth; a correction in one retires nothing in another."""
    run = player.play("project")
    assert run["ask in falcon"].data["subdir"] == "projects/falcon"
    assert run["ask in falcon"].memory(NEW_PORT).status == USER
    assert run["ask in falcon"].recalled() == [NEW_PORT]
    for name in ("back in default", "ask as researcher"):
        assert run[name].data["subdir"] == "default"
        assert run[name].memory(OLD_PORT).status == USER
        assert run[name].recalled() == [OLD_PORT]
    # Up to v0.9.8 a chat keeps the folder that it began with.
    other = run["another folder"]
    assert (OLD_PORT in other.sections()) == (other.data["subdir"] == "default")


def test_template_directives_stay_text(player: Player) -> None:
    """T-62: what a memory says is shown, not carried out; the bare host puts a prompt file into the prompt."""
    bare = player.play("template", has_pack=False)["question"].sections()
    assert "include" not in bare
    assert len(bare) > 500
    shown = player.play("template")["question"].sections()
    assert shown.count("agent.system.main.role.md") == 3
    assert "{{" not in shown
    assert "}}" not in shown


def test_memory_load_marks_what_is_retired(player: Player) -> None:
    """C-97, T-44: `[deprecated → id]` stands before the old fact, and no ledger metadata is printed."""
    turn = player.play("memory_load")["load"]
    winner = turn.memory(NEW_PORT)
    answer = tool_answer(turn)
    assert f"Content: [deprecated → {winner.id}] {OLD_PORT}" in answer
    assert f"Content: {NEW_PORT}" in answer
    assert not any(key in answer for key in (*LEDGER_KEYS, "user_asserted", "superseded_by"))


def test_the_agent_asks_what_was_believed_before(player: Player) -> None:
    """C-51: the tool is described to the agent, and names the old value, the new one and the reason."""
    run = player.play("history")
    old, new = (run["before"].memory(text) for text in (OLD_PORT, NEW_PORT))
    assert "### memory_ledger\n" in run["before"].data["prompts"][0]["system_text"]
    assert "hands over" not in run["before"].data["prompts"][0]["system_text"]
    answer = [line.strip() for line in tool_answer(run["before"]).splitlines()]
    at = answer.index(f'- NO LONGER IN USE: "{OLD_PORT}"')
    assert answer[at + 1].endswith(f"source user_asserted, deprecated; id {old.id}")
    assert answer[at + 2] == f'replaced by {new.id}: "{NEW_PORT}"'
    assert "an explicit correction supersedes what it corrects" in answer[at + 3]
    assert answer[at + 4] == f'- IN USE: "{NEW_PORT}"'
    assert tool_answer(run["when"]).startswith('Nothing was believed about "staging server port" at 2001-12-3')
    assert tool_answer(run["unreadable"]).startswith("time is 'once'; allowed: ISO 8601")


def test_what_the_agent_replaces_stays_one_line(player: Player) -> None:
    """T-43, C-51, T-64: by its tools in one turn, or memorized in the next; brought back it does not win."""
    run = player.play("replaced", reports=None)
    rows = [json.loads(line) for line in run["journal"].data["result"]["out"].splitlines()]
    texts = {one.id: one.text for name in ("before", "ask") for one in run[name].memories}
    assert [(texts[row["memory"]], texts[row["winner"]]) for row in rows if row["action"] == "replace"] == [
        (OLD_PORT, NEW_PORT),
        ("The default port of the wiki service is 7000", "The default port of the wiki service is 7001"),
    ]
    old, new = run["before"].memory(OLD_PORT), run["ask"].memory(NEW_PORT)
    answer = [line.strip() for line in tool_answer(run["ask"]).splitlines()]
    at = answer.index(f'- NO LONGER IN USE: "{OLD_PORT}"')
    assert answer[at + 2] == f'replaced by {new.id}: "{NEW_PORT}"'
    assert f"{old.id} was replaced by {new.id}, which stays in use" in run["restore"].data["result"]["out"]
    assert_retired(run["restored"], OLD_PORT, NEW_PORT)
    assert run["restored"].recalled()[0] == NEW_PORT and OLD_PORT not in run["restored"].recalled()


def test_what_the_user_rejected_is_not_what_the_user_said(player: Player) -> None:
    """C-26, C-41, C-44, T-67: values rejected, copied, made up and politely passed over; and after a restart."""
    run = player.play("rejected", reports=None)
    end = run["ask broker"]
    assert end.statuses("The user's gateway server uses port 8080") <= {("agent_inferred", "deprecated")}
    assert end.memory("The deploy server of the team is called vulture").status[0] != "user_asserted"
    assert end.memory("The deploy server uses the name eagle").status == USER
    assert USER not in end.statuses("The broker service listens on port 9100")
    for question, stale, holds in (
        ("ask gateway", "8080", "The gateway server listens on port 8443"),
        ("ask crane", "3.10", "The project Crane uses Python 3.12"),
        ("ask broker", "", "The broker service listens on port 9000"),
    ):
        lines = [line for line in run[question].sections(0).splitlines() if line and not line.startswith(("#", "- "))]
        about = [line for line in lines if question.split()[1] in line.casefold()]
        assert about[-1].endswith(holds), lines
        assert not stale or [line for line in lines if stale in line and f"[outdated: {stale}]" not in line] == []


def test_what_may_be_at_odds_stands_side_by_side(player: Player) -> None:
    """C-96: nothing is retired; both in the prompt, the older first, and the agent's tool lists them with their ids."""
    run = player.play("possible", reports=None)
    journal = run["journal"].data["result"]["out"]
    assert journal.count('"rule":"possible"') == 1, journal
    first, second = [one for one in run["asked"].sections(0).splitlines() if one.startswith("[at odds? ")]
    assert first.endswith(" user] The user's project staging uses the region us-west-2 for new buckets")
    assert second.endswith(" user] Project staging: new buckets are created in eu-north-1 by default now")
    assert ": possibly at odds" in tool_answer(run["asked"])
    assert tool_answer(run["settled"]).startswith("conflict is conflict_0; allowed: conflict_")


def test_no_call_of_the_agents_retires_what_the_user_said(player: Player) -> None:
    """C-44: two messages later it calls for colour in the place of allergy; no verb does that, and both hold."""
    run = player.play("users_word")
    allergy, colour = "User is currently allergic to penicillin.", "User's favourite colour is currently green."
    assert tool_answer(run["retired by the agent"]).startswith("verb is 'link'; allowed: history, ")
    assert {run["colour"].memory(text).status for text in (allergy, colour)} == {USER}
    assert (
        allergy in run["ask"].recalled() and allergy in run["after"].recalled() and colour in run["colour"].recalled()
    )


def test_no_call_of_the_agents_changes_what_a_person_entered(player: Player) -> None:
    """V-26, V-52: update and delete become proposals, which the overview tells; each prompt has the rule as it was."""
    run = player.play("persons_rule")
    rule, opposite = "Never delete anything under /srv/prod without asking.", "Always delete everything under /srv/prod"
    assert run["entered"].result["record"]["source"] == "operator"
    for name, what in (("rewritten by the agent", "change"), ("deleted by the agent", "delete")):
        assert f"was entered by a person, so only the user may {what} it" in tool_answer(run[name])
    at = [turn.data["name"] for turn in run.turns].index("before")
    for turn in run.turns[at:]:
        for prompt in turn.data.get("prompts", ()):
            assert prompt["system_text"].count(f"- [constraint] {rule}") == 1 and opposite not in prompt["system_text"]
    page = run["page"].result
    (record,) = page["records"]
    assert (record["text"], record["version"], record["source"]) == (rule, 1, "operator")
    told = [one["what"] for one in page["lately"] if one["id"] == record["id"] and one["by"] == "agent"]
    begin = "the agent proposed to change it: "
    assert told == [f"{begin}delete", f"{begin}update: '{opposite} at once.'"]


def test_the_vault_holds_in_every_prompt(player: Player) -> None:
    """V-13, V-14, V-44, V-50, T-18, T-21: a canon record in every prompt from then on, a register updated in place."""
    run, canon = player.play("vault"), "The server of the project Falcon must never be restarted by day"
    assert "### memory_ledger\n" in run["canon"].data["prompts"][0]["system_text"]
    assert tool_answer(run["canon"]).startswith("added: ")
    assert tool_answer(run["state"]).startswith("added: ")
    assert " v2 register shared [project, falcon] Project Falcon: in production" in tool_answer(run["next state"])
    prompts = [one for turn in run.turns if turn.data["kind"] == "chat" for one in turn.data["prompts"]]
    shown = [one["system_text"].count(f"- [constraint] {canon}") for one in prompts]
    assert shown == [0, *[1] * (len(prompts) - 1)]
    for name in ("later", "after"):
        system = run[name].data["prompts"][0]["system_text"]
        assert "Project Falcon: in production" in system and "test phase" not in system
        assert canon not in run[name].recalled()
        assert run[name].memory(canon).status == USER and run[name].memory(canon).utility == "load_bearing"
        assert [one.text for one in run[name].memories if "vault_id" in one.metadata] == [
            canon,
            "Project Falcon: in production",
        ]


def test_a_password_is_rejected_in_words_to_act_on(player: Player) -> None:
    """V-39, V-43, V-56: the agent is told the step, the reason and the way out; the vault has nothing of it."""
    run = player.play("vault")
    answer = tool_answer(run["password"])
    assert answer.startswith("not stored, rejected at step 5 (privacy): the text holds password (characters 16 to 25).")
    assert "Leave the secret out" in answer and "Kite" not in answer
    assert not any("Kite" in one.text for one in run["after"].memories if "vault_id" in one.metadata)
    assert "Kite" not in run["after"].data["prompts"][0]["system_text"]


def test_a_day_becomes_knowledge_that_a_person_would_sign(player: Player) -> None:
    """Issue 23, M-02, M-10 ... M-14: every planted fact is told with the counts of the raw log, and nothing else."""
    run = player.play("knowledge_day")
    files = run["files"].result
    messages = planted_day.messages_in(files)
    counted = planted_day.counted_in(messages)
    assert counted == planted_day.PLANTED
    since = min(one["timestamp"]["executed_at"] for one in messages)[:10]
    sentences = planted_day.sentences_for(counted, since)
    system = run["ask"].data["prompts"][0]["system_text"]
    assert planted_day.told_in(system) == sentences
    assert sum(text.count("\n## Entry:") for text in files.values()) == len(sentences)
    for turn in run.turns:
        for prompt in turn.data.get("prompts", ()):
            assert planted_day.told_in(prompt["system_text"]).keys() <= sentences.keys(), turn.data["name"]
    assert "# Institutional knowledge" not in run["work0"].data["prompts"][0]["system_text"]
    known = tool_answer(run["ask"]).removeprefix("In the prompt already: ")
    assert f"- TIMEOUT of search_engine ({known}, confidence " in system


def test_the_answers_that_a_day_took_back_are_failures(player: Player) -> None:
    """Issue 23: the chains before, though the raw log ends both with success; two are no reason for advice."""
    files = player.play("knowledge_day")["files"].result
    taken_back = planted_day.taken_back_in(planted_day.messages_in(files))
    assert [one[0]["output"]["content"]["intent"] for one in taken_back] == ["summarise document"] * 2
    assert [one[-1]["status"]["code"] for one in taken_back] == ["success"] * 2
    rows = planted_day.rows_in(files)
    assert rows[("summarise document", "taken back")] == 2
    outcomes = ("SUCCESS", "PARTIAL", "FAILURE", "ESCALATED", "REJECTED")
    assert [rows[(one, "")] for one in outcomes] == [18, 0, 2, 0, 10]


def test_a_day_leaves_no_word_of_anybody(player: Player) -> None:
    """M-20, M-24, M-26, M-57, T-21: neither in the logs nor in what is made of them, of which a message tells."""
    run = player.play("knowledge_day")
    files = run["files"].result
    assert not [one for one in PRIVATE if one in "".join(files.values())]
    assert all(one in json.dumps([turn.data.get("prompts") for turn in run.turns]) for one in PRIVATE)
    schema = json.loads((ROOT / "config" / "memory_agent_message.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(run["settled"].result)


def test_the_agent_reads_the_notes(player: Player) -> None:
    """V-04, V-11, V-50: indexed with the host's own embedder while it chats, told by its tool, one in every prompt."""
    run = player.play("notes")
    chats = [turn for turn in run.turns if turn.data["kind"] == "chat"]
    for turn in chats:
        system = turn.data["prompts"][0]["system_text"]
        assert "### memory_ledger\n" in system and "hands over" not in system
        assert "## Taxes (taxes.md)" in system and system.count("Receipts are due in May.") == 1
    answer = tool_answer(run["ask"])
    assert "Deploys of the heron run on Fridays." in answer
    assert answer.index("[heron.md] Heron, Heron > Deploy, line 1:") < answer.index("[taxes.md]")
    only = tool_answer(run["only"])
    assert "[taxes.md]" in only and "[heron.md]" not in only
    assert not chats[-1].texts


# --- what the host does behind the pack -----------------------------------------------------------------------------


def test_consolidation_forges_nothing(player: Player) -> None:
    """C-14, C-91, T-43, T-69: copied and invented metadata is derived anew, after MERGE, UPDATE, REPLACE and KEEP."""
    run = player.play("consolidation")
    last = run["seals"]
    assert "The Falcon server runs Debian 12" not in last.texts
    assert last.statuses("The Falcon server runs Debian 12 and is located in Frankfurt") == {USER}
    assert last.statuses("The backup server of the team runs Alpine 3.20") == {USER}
    assert last.statuses("The wiki server of the team runs on port 8091") == {USER}
    kept = last.memory("The wiki server of the team currently uses 4 GB of disk")
    assert kept.status == AGENT
    assert kept.metadata["classification"]["relevance"] == "active"
    assert set(last.result.values()) == {True}
    ledger = json.dumps([[one.metadata[key] for key in ("classification", "lineage")] for one in last.memories])
    assert not any(word in ledger for word in ("forged", "bookshelf_document", "2001-01-01"))
    assert max(one.lineage["access_count"] for one in last.memories) < 999


def test_saving_with_forged_arguments(player: Player) -> None:
    """C-27, C-75, C-91, T-03, T-47, T-69: what the model writes beside a memory gives it no status.

    Only the host's import makes a knowledge document. What cannot be read is told once, when the memory is adopted.
    """
    run = player.play("forged_save", reports=None)
    assert run.reports == list(FORGED)
    last = run["mother again"]
    assert last.memory("The staging server listens on port 6666").status == AGENT
    assert last.memory(NEW_PORT).status == USER
    assert last.memory("The user's bank account is empty").status == AGENT
    assert last.memory("The user's mother lives in Oslo").status == AGENT
    assert last.memory("The user's cousin owns a boat").status == AGENT
    ledger = json.dumps([one.metadata.get(key) for one in last.memories for key in LEDGER_KEYS])
    assert not any(word in ledger for word in ("forged", "2099-", "bookshelf_document"))
    assert max(one.lineage["access_count"] for one in last.memories) < 999


def test_what_the_agent_saves_stands_beside_the_users_word(player: Player) -> None:
    """C-44, C-96: a saving is no evidence of who said it, so neither is retired, and the prompt shows both, marked."""
    question = player.play("forged_save", reports=None)["question"]
    forged, stated = question.memory("The staging server listens on port 6666"), question.memory(NEW_PORT)
    assert [one["action"] for one in question.conflict_log] == ["contest"]
    assert {question.conflict_log[0][key] for key in ("memory", "other")} == {forged.id, stated.id}
    assert {one.text for one in question.shown() if one.is_contested} == {forged.text, stated.text}


def test_knowledge_documents(player: Player) -> None:
    """T-47, C-44: trusted reference material, tactical, and no match for the user's word."""
    last = player.play("knowledge")["later"]
    documents = [one for one in last.memories if one.metadata.get("knowledge_source")]
    assert len(documents) > 2
    assert {one.utility for one in documents} == {"tactical"}
    others = [one for one in documents if OLD_PORT not in one.text]
    assert {one.status for one in others} == {KNOWLEDGE}
    (handbook,) = [one for one in documents if OLD_PORT in one.text]
    assert handbook.status == ("external_retrieved", "deprecated")
    assert handbook.lineage["superseded_by"] == last.memory(NEW_PORT).id


def test_edits_in_the_dashboard(player: Player) -> None:
    """C-75, T-43, T-69: a new text is judged anew, and status that was typed in does not count."""
    run = player.play("edited")
    edited = run["question"].memory("The staging server listens on port 7070")
    assert edited.status == AGENT
    assert run["question"].recalled() == [edited.text]
    assert run["wiki"].memory("The wiki server runs Alpine").status == USER
    assert run["wiki"].recalled() == ["The wiki server runs Alpine"]


def test_deletes_stop_at_what_was_asked_for(player: Player) -> None:
    """T-61: deleting an outdated memory leaves the one that replaced it; words of the ledger's own match nothing.

    Turn by turn the same memories are left as without the pack.
    """
    run, bare = player.play("deletes"), player.play("deletes", has_pack=False)
    for name in ("forget", "delete", "forget by content", "after"):
        assert run[name].texts == bare[name].texts
    assert run["forget"].texts == run["question"].texts
    assert run["delete"].texts == run["question"].texts - {OLD_PORT}
    tabs = {"The team prefers tabs over spaces"} if player.host.deletes_related else set()
    assert run["after"].texts == run["delete"].texts - tabs
    assert run["after"].recalled() == [NEW_PORT]


def test_without_the_guard_the_same_metadata_would_be_fatal(player: Player) -> None:
    """T-61: on a bare host from v1.14 on, ledger metadata draws the winner, then everything, into a delete."""
    run = player.play("deletes_unguarded", has_pack=False)
    others = {"The team prefers tabs over spaces", "The wiki service runs Alpine by default"}
    assert run["insert"].texts == {OLD_PORT, NEW_PORT} | others
    if player.host.deletes_related:
        assert run["delete"].texts == others
        assert run["forget"].texts == set()
    else:
        assert run["delete"].texts == {NEW_PORT} | others


def test_no_link_of_the_ledgers_is_followed(player: Player) -> None:
    """T-61: whatever names another memory, in lineage and in quality; a bare host follows each one of them."""
    run, bare = (
        player.play_in_sequence(("links_seed", False), ("links_deleted", has_pack))[1] for has_pack in (True, False)
    )
    keepers = {text for text in run["look"].texts if text.startswith("Keeper of ")}
    assert len(keepers) == 6
    assert run["delete"].texts == keepers
    has_tool = player.host.deletes_related or player.host.release < (0, 9, 9)  # in between it could not be loaded
    forgotten = {"Keeper of lineage 1"} if has_tool else set()
    assert run["forget"].texts == run["forget words"].texts == keepers - forgotten
    assert bare["delete"].texts == (set() if player.host.deletes_related else keepers)


# --- restarts -------------------------------------------------------------------------------------------------------


def test_hard_restarts(player: Player) -> None:
    """C-48, C-60, C-88, T-06, T-69: status, counts and seals survive; what waited is traced afterwards."""
    run = player.play("restart")
    before = run["unadopted"]
    for text in (OLD_PORT, NEW_PORT):
        assert run["same chat"].memory(text).metadata == before.memory(text).metadata
    branch = "The default branch of the repository is called trunk"
    assert not run["same chat"].memory(branch).is_classified
    assert run["after"].memory(branch).status == USER
    last = run["in a new chat"]
    assert_retired(last, OLD_PORT, NEW_PORT)
    for text in (OLD_PORT, NEW_PORT):
        old, new = before.memory(text), last.memory(text)
        assert new.metadata["classification"] == old.metadata["classification"]
        assert new.lineage["seal"] == old.lineage["seal"]
    prompts = [turn.recalled() for turn in run.turns if turn.data["kind"] == "chat"]
    for memory in last.memories:
        assert memory.lineage["access_count"] == sum(memory.text in recalled for recalled in prompts)


@pytest.mark.parametrize(("script", "end"), [("restart_last_words", "new chat"), ("reload", "question")])
def test_a_correction_wins_whatever_the_host_drops(player: Player, script: str, end: str) -> None:
    """C-25, C-44, C-47: the host stops between memorizing and classifying, or drops its index object in mid-chat."""
    run = player.play(script)
    assert_retired(run[end], OLD_PORT, NEW_PORT)
    assert run[end].recalled() == [NEW_PORT]


def test_the_packs_modules_are_loaded_again(player: Player) -> None:
    """T-48, C-47: the host forgets a plugin's modules when a file of it changes; state and guards stay whole."""
    run = player.play("purge")
    assert run["purge"].result > 10
    assert_retired(run["question"], OLD_PORT, NEW_PORT)
    assert run["question"].recalled() == [NEW_PORT]
    assert "[deprecated → " in json.dumps(run["load"].data["prompts"][1]["history"], ensure_ascii=False)


# --- failures -------------------------------------------------------------------------------------------------------


def test_failures_cost_no_turn(player: Player) -> None:
    """C-74, T-02: no embedder, no query, no filter: the answer comes, what is retired or refused stays out."""
    run = player.play("failures", reports=["1 things that could not be used"])
    for name in ("no embedder", "mended", "query prep fails", "query prep", "post filter", "post filter fails"):
        assert run[name].recalled() == [NEW_PORT], name
    assert run["nothing passes the filter"].recalled() == []


def test_the_bare_host_loses_the_turn(player: Player) -> None:
    """C-74: without the pack a failing embedder ends the turn without an answer, or the answer knows no memory."""
    turn = player.play_bare_unsound("failures")["no embedder"]
    assert (bool(turn.data.get("response")), turn.recalled()) == (player.host.hands_over_recall, [])


def test_recall_after_the_hosts_own(player: Player) -> None:
    """C-55, T-02: `recall_mode: wrap` gives the same prompts, in every iteration."""
    run = player.play("wrapped")
    assert run["question"].recalled() == [NEW_PORT]
    shown = [0, 3] if player.host.hands_over_recall else [0, 1, 2, 3]
    assert [run["several"].recalled(iteration) for iteration in range(4)] == [
        [NEW_PORT] * (i in shown) for i in range(4)
    ]


def test_the_log_tells_what_entered_the_prompt(player: Player) -> None:
    """T-02: the host's own line about its recall names what was injected, also where the host has searched."""
    for name in ("interval", "wrapped"):
        turn = player.play(name)["long" if name == "interval" else "question"]
        assert NEW_PORT in turn.recall_reports
        assert OLD_PORT not in turn.recall_reports


def test_without_recall_the_ledger_is_kept_all_the_same(player: Player) -> None:
    """C-05, C-06, T-02: where the host's recall is off, memories are classified and settled, and none is injected."""
    run = player.play("recall_off")
    assert_retired(run["question"], OLD_PORT, NEW_PORT)
    assert [turn.recalled() for turn in run.turns] == [[]] * len(run.turns)


def test_switched_off(player: Player) -> None:
    """C-72: `enabled: false` writes nothing and leaves every prompt as the bare host makes it."""
    run, bare = player.play("disabled"), player.play("disabled", has_pack=False)
    for turn, same in zip(run.turns, bare.turns, strict=True):
        assert [one.text for one in turn.memories] == [one.text for one in same.memories]
        assert [set(one.metadata) for one in turn.memories] == [set(one.metadata) for one in same.memories]
        assert turn.prompt_count == same.prompt_count
        for iteration in range(turn.prompt_count):
            assert turn.sections(iteration) == same.sections(iteration)
        assert [path for path in turn.data["disk"] if "ledger" in path] == []


# --- a store from before the pack -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def adopted(player: Player) -> Run:
    """The pack's first days on a store that the bare host has filled."""
    return player.play_in_sequence(("existing_seed", False), ("existing_adopt", True))[1]


def test_the_first_look_retires_nothing(adopted: Run, player: Player) -> None:
    """C-91: everything is classified, the report names what the rules would retire, and nothing is retired."""
    for name in ("first look", "not accepted"):
        assert {one.status for one in adopted[name].memories} == {AGENT}
        assert set(adopted[name].recalled()) == {OLD_PORT, NEW_PORT}
    rows = listed_rows(adopted["report"])
    assert [(row["loser_text"], row["winner_text"]) for row in rows] == [(OLD_PORT, NEW_PORT)]


def test_an_accepted_report_is_carried_out(adopted: Run, player: Player) -> None:
    """C-48, C-50: the next turn retires what a person has accepted."""
    assert adopted["accept"].result["rc"] == 0
    for name in ("accepted", "later"):
        assert_retired(adopted[name], OLD_PORT, NEW_PORT)
        assert adopted[name].recalled() == [NEW_PORT]


# --- what a person decides about a contradiction --------------------------------------------------------------------


def test_what_no_rule_decides_stays_open(player: Player) -> None:
    """C-96, Q-22, Q-45, Q-62: two sources, or two structured contents; all stay in use and reach the prompt."""
    run = player.play("conflicts")
    turn = run["contest"]
    assert {one.status[1] for one in turn.memories} == {"inferred"}
    assert set(turn.recalled()) >= {OLD_PORT, NEW_PORT}
    found = {row["description"].partition(";")[0]: row for row in listed_rows(run["list"])}
    port = 'both fill in "The staging server listens on …"'
    assert set(found) == {port, 'both speak of the property "retention days" of "wiki"'}
    assert {row["resolution"] for row in found.values()} == {None}
    ids = {text: turn.memory(text).id for text in (OLD_PORT, NEW_PORT)}
    assert set(found[port]["memories"]) == set(ids.values())
    doubted = {one.id for one in turn.memories if one.metadata.get("quality", {}).get("conflictRisk")}
    assert doubted == {one_id for row in found.values() for one_id in row["memories"]}


def test_a_person_decides_between_two_turns(player: Player) -> None:
    """Q-23, Q-44, T-70: asked for at a terminal while the host runs, carried out at its next turn."""
    run = player.play("conflicts")
    assert run["resolve"].result["rc"] == 0, run["resolve"].result
    assert not run["contest"].memory(NEW_PORT).is_deprecated
    assert_retired(run["resolved"], NEW_PORT, OLD_PORT)
    assert run["resolved"].recalled() == [OLD_PORT]
    assert run["resolved"].conflict_log[-1]["rule"] == "Q-23"


def test_a_decision_is_undone_and_stays_so(player: Player) -> None:
    """T-70, Q-43: both are in use as before, also in another process, and what they are at odds about is open again."""
    run = player.play("conflicts")
    assert run["undo"].result["rc"] == 0, run["undo"].result
    before = {text: run["contest"].memory(text) for text in (OLD_PORT, NEW_PORT)}
    for name in ("undone", "after"):
        for text, one in before.items():
            found = run[name].memory(text)
            assert found.status == one.status
            for key in ("supersedes", "superseded_by", "deprecated_at"):
                assert found.lineage.get(key) == one.lineage.get(key)
        assert set(run[name].recalled()) >= {OLD_PORT, NEW_PORT}
    assert [row["resolution"] for row in listed_rows(run["detect"])] == [None, None]


# --- in and out -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def removed(player: Player) -> tuple[Run, Run]:
    """A run that ends with an uninstallation, and one without the pack on what it left."""
    first, second = player.play_in_sequence(("uninstall", True), ("after_uninstall", False))
    return first, second


def test_core_files_stay_as_they_are(removed: tuple[Run, Run], player: Player) -> None:
    """P-05, P-07: installing, running and uninstalling change no file of the host's; only v0.9.7 needs files there."""
    run, _ = removed
    needs_shims = player.host.release < (0, 9, 8)
    installed, used, removed_again = (
        run.data["tree_after_install"],
        run["used"].data["tree_total"],
        run["uninstall"].data["tree_total"],
    )
    for difference in (installed, used, removed_again):
        assert (difference["changed"], difference["removed"]) == ([], [])
    assert bool(installed["added"]) == needs_shims
    # The host itself writes its `.env` there.
    assert set(used["added"]) - {".env"} == set(installed["added"])
    assert set(removed_again["added"]) <= {".env"}


def test_uninstalling_leaves_data_only(removed: tuple[Run, Run], player: Player) -> None:
    """P-05: nothing of the pack is left under `usr` but what it keeps beside the memories."""
    run, _ = removed
    assert [run[name].result["rc"] for name in ("doctor", "again", "uninstall")] == [0, 0, 0]
    assert "nothing to change" in run["again"].result["out"]
    left = set(run["uninstall"].data["usr_files"]) - set(run.data["usr0"])
    assert [path for path in left if "ledger" in path and not path.startswith("usr/memory/")] == []
    assert [path for path in left if path.startswith("usr/extensions/")] == []
    assert [path for path in left if path.startswith("usr/plugins/") and not path.startswith("usr/plugins/_")] == []


def test_after_uninstalling_the_winner_survives_a_delete(removed: tuple[Run, Run], player: Player) -> None:
    """T-61: no pointer is left that the host's cascading deletes would follow."""
    _, bare = removed
    assert set(bare["question"].recalled()) == {OLD_PORT, NEW_PORT}
    assert bare["delete"].texts == {NEW_PORT}
