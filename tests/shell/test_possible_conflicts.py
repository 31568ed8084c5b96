"""What only looks as if it contradicted something, or is structured content, retires nothing (C-96, Q-22, Q-62)."""

import json
from dataclasses import replace

import pytest
from conflict_tools import rows, run
from memory_ledger.errors import RequestError
from memory_ledger.host.recall.search import Audience
from memory_ledger.host.tools.conflicts import list_conflicts, settle
from memory_ledger.inbox import TakeBack
from memory_ledger.ledger.changes import Contest, Supersede
from memory_ledger.recall.selection import join_texts
from memory_ledger.store import files

SCHOOL = "User's daughter goes to Oakfield School."
MOVED = "User's daughter switched schools and is at Riverside now."
FORTY = "My gym membership costs 40 euros a month."
GYM = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."


def learn(box, older: str = SCHOOL, newer: str = MOVED, *, said: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """Two memories, the second a day later; `said` is what the user said before each."""
    ids = []
    for text, words in zip((older, newer), said, strict=True):
        if words:
            box.say(words)
        ids.append(box.insert(text))
        box.changes = box.adopt().changes
        box.clock.advance(days=1)
    box.store.save()
    return ids[0], ids[1]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("User likes tea", "User likes coffee"),
        ("User owns a bike", "User owns a car"),
        ("User has a brother called Tom", "User has a sister called Ida"),
        ("User visited Rome in May", "User visited Oslo in June"),
        ("The API has a health check", "The API has rate limits"),
        ("Meeting with Bob on Monday", "Meeting with Ann on Tuesday"),
        (SCHOOL, f"{MOVED} {'The teacher there is kind. ' * 14}"),  # too long to tell of what it speaks
    ],
)
def test_what_may_both_hold_is_not_marked(known, older: str, newer: str) -> None:
    learn(known, older, newer)
    assert (known.changes, rows(known)) == ([], [])


def test_what_is_said_in_addition_or_with_the_switch_off_is_not_marked(known) -> None:
    learn(known, *GYM, said=("", "The gym also put its monthly price up to 55 euros."))
    known.learn(SCHOOL)
    known.insert(MOVED)
    assert known.adopt(possible_conflicts=False).changes == []
    assert rows(known) == []


def test_two_that_look_at_odds_both_stay_side_by_side_and_no_figure_counts_them(known) -> None:
    """C-96, Q-22: one line on record, which the prompt and the agent's tool tell; all else is as before."""
    pair = learn(known)
    (row,) = rows(known)
    assert (row["memories"], row["possible"], row["resolution"]) == ([*pair], True, None)
    assert [known.validity(one) for one in pair] == ["inferred", "inferred"]
    assert [known.read(one).quality for one in pair] == [None, None]
    assert known.store.conflicts.get_open() == []
    assert known.journal()[-1]["action"] == "contest" and known.journal()[-1]["rule"] == "possible"
    known.restart(is_saved=True)
    known.adopt()
    assert len(rows(known)) == 1
    chosen = known.recall("Riverside", injected=8)
    shown = f"[at odds? 2026-03-01 agent] {SCHOOL}", f"[at odds? 2026-03-02 agent] {MOVED}"
    assert join_texts(chosen.memories, chosen).split("\n\n")[:2] == [*shown]
    told = list_conflicts(known.store)
    assert f'possibly at odds\n- "{SCHOOL}" 2026-03-01; source agent_inferred; id {pair[0]}\n- "{MOVED}"' in told
    assert told.splitlines()[0].startswith("1 pair of memories, older first.")
    known.store.conflicts.forget(pair[1])
    assert list_conflicts(known.store) == "No memories are at odds."


def test_what_is_only_possible_stands_before_the_users_word(known) -> None:
    learn(known, said=("My daughter goes to Oakfield School.", ""))
    chosen = known.recall("Riverside", injected=8)
    shown = join_texts(chosen.memories, chosen).split("\n\n")
    assert [line.split(" ", 3)[2] for line in shown] == ["agent]", "user]"]


def test_what_others_say_of_the_users_word_does_not_stand_without_it(known) -> None:
    """C-44: though the cap has left the user's own out, and nothing on record joins the two."""
    place = "The launch of Heron takes place at the harbour."
    learn(known, f"{place[:-1]}, guests bring lanterns.", place, said=("", place))
    chosen = known.recall("guests lanterns", injected=1)
    assert [one.memory.text[-9:] for one in chosen.memories] == ["lanterns.", " harbour."]
    assert (rows(known), chosen.contested) == ([], frozenset())


def test_a_rule_takes_the_place_of_what_was_only_possible(known) -> None:
    """T-46: what a rule says about the two is on record as any contradiction, and is never only possible again."""
    old, new = learn(known)
    told = [(row.get("possible"), row["resolution"]) for row in rows(known)]
    for rule in ("C-96", "possible"):
        known.store.apply([Contest(older_id=old, newer_id=new, at=known.clock(), rule=rule)])
        told += [(row.get("possible"), row["resolution"]) for row in rows(known)[len(told) :]]
    assert told == [(True, None), (None, None)]
    assert known.read(new).quality.conflict_risk > 0


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The forum runs on Discourse.", "The forum now runs on Flarum."),
        ("The search finds no match.", "The search finds 54 matches."),
    ],
)
def test_what_a_memory_tells_as_a_change_needs_no_claim(known, older: str, newer: str) -> None:
    """C-40, C-41: the words of both are the same but for a value."""
    first, last = learn(known, older, newer)
    assert [(one.loser_id, one.winner_id) for one in known.changes if isinstance(one, Supersede)] == [(first, last)]


def test_a_retirement_settles_what_was_only_possible(known) -> None:
    old, new = learn(known)
    known.store.apply([Supersede(winner_id=new, loser_id=old, at=known.clock(), cycle=0, rule="C-47")])
    assert (rows(known)[-1].get("possible"), rows(known)[-1]["resolution"]["strategy"]) == (None, "newer-wins")
    assert known.recall("Riverside").contested == frozenset()


def test_a_person_settles_it_at_the_terminal(known, capsys) -> None:
    """T-70: it is listed as possible; what a person has dismissed is not marked again."""
    pair = learn(known)
    assert run(known, capsys, "conflicts")[2] == "1 conflict, 1 unresolved (1 only possible: no rule says so)\n"
    conflict = rows(known)[0]["id"]
    assert run(known, capsys, "resolve", conflict, "--dismiss")[0] == 0
    known.adopt()
    assert rows(known)[-1]["resolution"]["resolvedBy"] == "operator"
    for one in pair:
        known.update(one, known.read(one).text)
    known.adopt()
    assert len(known.store.conflicts.get_conflicts(unresolved=True)) == 0
    assert known.recall("Riverside").contested == frozenset()


def test_the_agent_is_not_told_what_its_role_does_not_see(known) -> None:
    """C-56, C-96: a pair is listed where both sides may be shown, and settled there alone."""
    old, new = learn(known)
    memory = known.read(old)
    known.store.put(replace(memory, lineage=memory.lineage.model_copy(update={"bst_domain": "home"})))
    assert "1 pair of memories" in list_conflicts(known.store, Audience(allowed=frozenset({"home"})))
    others = Audience(allowed=frozenset({"work"}))
    assert list_conflicts(known.store, others) == "No memories are at odds."
    with pytest.raises(RequestError, match="none: no memories are at odds"):
        settle(known.store, rows(known)[0]["id"], new, others)


@pytest.mark.parametrize("said", [(FORTY, ""), ("", GYM[1]), (FORTY, GYM[1])])
def test_the_agent_settles_nothing_against_the_word_of_the_user(known, said: tuple[str, str]) -> None:
    """C-44: no word of the user's loses to what the agent prefers, nor stands it beside what contradicts it."""
    old, new = learn(known, *GYM, said=said)
    agents = new if said[0] else old
    conflict = rows(known)[0]["id"]
    for _ in range(2):
        assert settle(known.store, conflict, agents).startswith("proposed, and not done: ")
        known.adopt()
    assert [known.read(one).is_deprecated for one in (old, new)] == [False, False]
    assert (rows(known)[-1]["proposal"]["keep"], rows(known)[-1]["resolution"]) == (agents, None)
    assert [(one["action"], one["by"]) for one in known.journal()[-2:]] == [("contest", "rule"), ("propose", "agent")]
    is_possible = rows(known)[0].get("possible", False)
    told = f"{conflict} is settled: no memory changes" if is_possible else "proposed, and not done: both hold."
    assert settle(known.store, conflict, "both").startswith(told)
    known.adopt()
    assert [known.read(one).is_deprecated for one in (old, new)] == [False, False]
    resolution = rows(known)[-1]["resolution"]
    assert (resolution and resolution["resolvedBy"]) == ("agent" if is_possible else None)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        pytest.param("", GYM[1], id="said again"),
        pytest.param("Did the gym put its monthly price up to 55 euros?", "Yes, exactly.", id="agreed with"),
    ],
)
def test_what_is_proposed_the_users_next_message_settles(known, asked: str, answer: str) -> None:
    """C-16, C-44, C-47: in words, as the user's own act, with the words as the reason."""
    old, new = learn(known, *GYM, said=(FORTY, GYM[1]))
    conflict = rows(known)[0]["id"]
    settle(known.store, conflict, new)
    known.adopt()
    known.say("What is the weather like?", asked)
    known.adopt()
    assert not known.read(old).is_deprecated
    known.clock.advance(seconds=60)
    known.say(answer)
    known.adopt()
    assert known.read(old).lineage.superseded_by == new
    line = known.journal()[-1]
    assert (line["by"], line["reasons"]) == ("message", [f'the user said: "{answer}"'])
    with pytest.raises(RequestError, match="none: no memories are at odds"):
        settle(known.store, conflict, new)


def test_what_was_proposed_and_settled_in_words_a_person_takes_back(known) -> None:
    """T-70, C-44: and no agent; the same message does not settle it again, and the proposal is taken back as well."""
    old, new = learn(known, *GYM, said=(FORTY, GYM[1]))
    settle(known.store, rows(known)[0]["id"], new)
    known.adopt()
    known.clock.advance(seconds=60)
    known.say(GYM[1])
    known.adopt()
    proposed, settled = (one["act"] for one in known.journal() if one["by"] in ("agent", "message") and "act" in one)
    for by, is_back in (("agent", False), ("operator", True)):
        known.clock.advance(seconds=1)
        known.store.requests.inbox.append(TakeBack(act=settled), at=known.clock(), by=by)
        for _ in range(2):
            known.adopt()
            assert known.read(old).is_deprecated is not is_back
    assert (rows(known)[-1]["proposal"]["keep"], rows(known)[-1]["resolution"]) == (new, None)
    known.store.requests.inbox.append(TakeBack(act=proposed), at=known.clock(), by="operator")
    known.adopt()
    assert "proposal" not in rows(known)[-1]
    assert [one["by"] for one in known.journal() if one["action"] == "undo"] == ["person", "person"]


@pytest.mark.parametrize("answer", ["No.", f"{FORTY} {GYM[1]}", FORTY])
def test_an_answer_that_names_the_other_one_or_both_settles_nothing(known, answer: str) -> None:
    old, new = learn(known, *GYM, said=(FORTY, GYM[1]))
    settle(known.store, rows(known)[0]["id"], new)
    known.adopt()
    known.say(answer)
    known.adopt()
    assert [known.read(one).is_deprecated for one in (old, new)] == [False, False]


def test_a_choice_that_names_neither_is_refused(known) -> None:
    old, new = learn(known)
    with pytest.raises(RequestError, match=f"{old}, {new}, both"):
        settle(known.store, rows(known)[0]["id"], "m9")


def content(value, *, subject: str = "Adam", name: str = "shoe size") -> dict:
    """Return structured content."""
    return {"subject": subject, "property": name, "value": value}


@pytest.mark.parametrize("where", ["metadata", "JSON in metadata", "text"])
def test_differing_scalars_open_one_conflict(where: str, known) -> None:
    """Q-22, Q-62: both stay in use, one conflict is open, both are in doubt; a restart adds nothing."""

    def insert(note: str, value) -> str:
        stated = content(value)
        if where == "text":
            return known.insert(json.dumps(stated))
        return known.insert(note, content=stated if where == "metadata" else json.dumps(stated))

    one = insert("About Adam's feet", 43)
    for number in range(10):
        known.insert(f"User likes tea number {number}")
    known.adopt()
    known.clock.advance(days=1)
    other = insert("Something else altogether", 44)
    changes = known.adopt(conflict_top_k=1).changes
    assert [type(change).__name__ for change in changes] == ["Contest"]
    (row,) = known.lines(files.CONFLICTS_FILE)
    assert (row["memories"], row["resolution"], row["type"]) == ([one, other], None, "direct")
    assert 'older: "43"; newer: "44"' in row["description"]
    assert {known.validity(one), known.validity(other)} == {"inferred"}
    assert known.read(one).quality.conflict_risk == known.read(other).quality.conflict_risk > 0
    known.restart(is_saved=True)
    known.adopt()
    assert len(known.lines(files.CONFLICTS_FILE)) == 1


def test_no_word_of_the_users_lets_it_retire(known) -> None:
    """Q-62, C-44: not even where the user's word would win."""
    known.learn("A note", content=content("red", name="colour"))
    known.say("The colour is blue for Adam, I must say.")
    known.clock.advance(days=1)
    known.insert("The colour is blue for Adam", content=content("blue", name="colour"))
    known.adopt(retire_existing=True)
    assert [row["action"] for row in known.journal()] == ["contest"]


@pytest.mark.parametrize("value", [["red"], {"a": 1}, None, "red"])
def test_no_scalar_and_no_difference_is_no_conflict(value, known) -> None:
    """Q-20, Q-62."""
    known.insert("A note", content=content("red", name="colour"))
    known.insert("Another note", content=content(value, name="colour"))
    known.learn("A third note", content=content("blue", name="colour", subject="Eve"))
    assert known.lines(files.CONFLICTS_FILE) == []


def test_hostile_content_disturbs_nothing(known) -> None:
    """Q-62, T-69: deep, huge or self-referring metadata is left alone, and what comes with it is adopted."""
    cycle: dict = content(1)
    cycle["value"] = cycle
    deep: dict = {}
    for _ in range(5_000):
        deep = {"content": deep}
    hostile = [cycle, deep, "[" * 200_000, {**content("x" * 1_000_000)}, {"subject": cycle}, b"\xff", {1: 2}]
    ids = [known.insert(f"Hostile note {number}", content=one) for number, one in enumerate(hostile)]
    assert len(known.adopt().classified) == len(hostile)
    assert [known.validity(one) for one in ids] == ["inferred"] * len(hostile)
    assert known.lines(files.CONFLICTS_FILE) == []


def test_a_flood_is_bounded(known) -> None:
    """Q-62, C-37: of many memories that state one property only the newest fifty are compared with a new one."""
    for number in range(60):
        known.insert(f"Flood note {number}", content=content(43))
    known.adopt()
    assert known.lines(files.CONFLICTS_FILE) == []
    known.insert("The last one", content=content(44))
    known.adopt(conflict_top_k=1)
    assert 50 <= len(known.lines(files.CONFLICTS_FILE)) <= 51
