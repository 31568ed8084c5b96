"""message_loop_prompts_after/_56_memory_enhancement, alone and beside _55."""

import importlib
import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import PACK_ROOT, configure_pack, find, rest, use_folder

FILTER, ENHANCEMENT = "_55_memory_relevance_filter.py", "_56_memory_enhancement.py"
POINT = "message_loop_prompts_after"
CAT, DOG = "The cat sleeps on the printer", "The dog sleeps on the sofa"
QUESTION = "Where on earth sleeps the cat?"
NOTHING = "Quarterly revenue projections"


def leave_out(host: FakeHost, hook: str, tmp_path: Path) -> None:
    """Put in, instead of the pack, one that lacks the file of one hook."""
    pack = tmp_path / "pack"
    for file in PACK_ROOT.glob("extensions/python/*/*.py"):
        if file.name != hook:
            place = pack / file.relative_to(PACK_ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(file)
    for one in PACK_ROOT.iterdir():
        if one.name in ("helpers", "prompts", "tools", "plugin.yaml", "default_config.yaml", "hooks.py", "config"):
            (pack / one.name).symlink_to(one)
    host.uninstall()
    host.install(pack)


def explanation(host: FakeHost, agent: Any = None) -> dict[str, Any]:
    found: dict[str, Any] = (agent or host.agent).data["_memory_ledger_last_recall"]
    assert json.loads(json.dumps(found)) == found, "plain JSON values"
    return found


def variants(host: FakeHost) -> dict[str, str]:
    return {one["name"]: one["text"] for one in explanation(host)["variants"]}


async def folder_of(host: FakeHost, agent: Any = None) -> Any:
    """Return what the pack keeps of the folder of an agent."""
    return (await host.memory(agent)).db.__dict__["_memory_ledger_folder"]


async def entries(host: FakeHost) -> list[dict[str, Any]]:
    """Return the entries of the co-retrieval log, as the end of a turn writes them."""
    await rest(host)
    path = host.memory_folder().parent / "co_retrieval_log.json"
    return json.loads(path.read_text())["entries"] if path.exists() else []


def write_profile(host: FakeHost, **memory: Any) -> None:
    """Write what the model profile says; a file that has changed is seen whatever the clock's resolution."""
    path = host.root / "usr" / "model_profiles" / "default.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"memory": memory}))


@pytest.mark.parametrize("absent", ["", FILTER], ids=["both", "alone"])
async def test_one_recall_whichever_hooks_ask_for_it(host: FakeHost, tmp_path: Path, absent: str) -> None:
    """C-60, E-06, E-24, E-28, E-50, E-53, E-60, E-61, E-64, E-65, E-79, E-85, T-05: one call, one count, one entry."""
    if absent:
        leave_out(host, absent, tmp_path)
    ids = [await host.insert(text, area="fragments") for text in (CAT, DOG)]
    host.agent._bst_store = {"__bst_belief_state__": {"domain": "pets"}}
    calls, started = len(host.embedder.calls), datetime.now(UTC)
    record = await host.turn(QUESTION)
    asked = [call.texts for call in host.embedder.calls[calls:]]
    assert asked == [(QUESTION, "earth sleeps cat", "pets: earth sleeps cat")]
    assert record.prompt.memories.count(CAT) == 1
    folder = await folder_of(host)
    assert folder.store.state.recall_cycle == 1
    shown = [one for one in ids if host.docs[one].page_content in record.prompt.memories]
    for memory_id in ids:
        lineage = host.docs[memory_id].metadata["lineage"]
        assert lineage["access_count"] == (memory_id in shown)
        if memory_id in shown:
            accessed = datetime.fromisoformat(lineage["last_accessed"])
            assert started - timedelta(seconds=2) <= accessed <= datetime.now(UTC) + timedelta(seconds=2)
    host.agent._bst_store = {"domain": "finance"}
    assert (await host.turn(NOTHING)).prompt.memories == ""
    told = await entries(host)
    assert [one["cycle"] for one in told] == [1, 2]
    assert [one["query_domain"] for one in told] == ["pets", "finance"]
    assert [sorted(one["memory_ids"]) for one in told] == [sorted(shown), []]
    assert all(one["timestamp"].endswith("Z") for one in told)


async def test_the_filter_alone_orders_by_tier_and_count(host: FakeHost, tmp_path: Path) -> None:
    """C-57, C-94, E-07: without the enhancement no variant, no age, no words, and no entry; one count each."""
    leave_out(host, ENHANCEMENT, tmp_path)
    texts = ["The garden has a red gate", "The harbour has a blue crane", "The office must have a door"]
    red, blue, must = [await host.insert(text, area="fragments") for text in texts]
    await host.turn(NOTHING)
    host.docs[blue].metadata["lineage"]["access_count"] = 7
    calls = len(host.embedder.calls)
    question = "The garden has a gate. The harbour has a crane. The office must have a door"
    record = await host.turn(question)
    assert [call.texts for call in host.embedder.calls[calls:]] == [(question,)]
    positions = [record.prompt.memories.index(word) for word in ("must", "blue", "red")]
    assert positions == sorted(positions)
    assert explanation(host)["ranking"] == "classification"
    assert {one["recency"] for one in explanation(host)["candidates"]} == {1.0}
    counts = [host.docs[one].metadata["lineage"]["access_count"] for one in (red, blue, must)]
    assert counts == [1, 8, 1]
    assert await entries(host) == []


@pytest.mark.parametrize("every", [False, True])
async def test_a_recall_for_every_prompt_if_asked_for(host: FakeHost, every: bool) -> None:
    """T-42: by default the host's interval holds; with `run_every_iteration` each prompt has what is stored by then."""
    configure_pack(host, run_every_iteration=every)
    await host.insert(CAT, area="fragments")

    async def think(prompt: Any) -> None:
        if len(host.docs) == 1:
            await host.insert(f"{CAT} on Sundays", area="fragments")

    record = await host.turn(QUESTION, iterations=2, on_model_call=think)
    assert [f"{CAT} on Sundays" in prompt.memories for prompt in record.prompts] == [False, every]
    assert len(await entries(host)) == 1 + every


async def test_the_hosts_index_stays_what_it_is(host: FakeHost) -> None:
    """E-05, E-49: the same kind of index, the same vectors in the same order, nothing but the host's in its files."""
    before = type((await host.memory()).db.index)
    ids = [await host.insert(text, area="fragments") for text in (CAT, DOG)]
    await host.turn(QUESTION, iterations=2)
    db = (await host.memory()).db
    assert type(db.index) is before
    assert list(db.index_to_docstore_id.values()) == ids
    rows = [db.index.reconstruct(place).tolist() for place in range(2)]
    assert rows == [pytest.approx(host.embedder.vector(text), abs=1e-6) for text in (CAT, DOG)]


async def test_no_recall_where_the_host_has_none(host: FakeHost) -> None:
    """T-02: `run_every_iteration` does not switch on what the host's settings switch off."""
    configure_pack(host, run_every_iteration=True)
    host.configure(memory_recall_enabled=False)
    await host.insert(CAT, area="fragments")
    record = await host.turn(QUESTION, iterations=3)
    assert {prompt.memories for prompt in record.prompts} == {""}


async def test_no_domain_without_a_belief_state(host: FakeHost) -> None:
    """E-16, E-53, E-86, T-41: two questions without a domain, one without keywords; the pack runs no tracker."""
    await host.insert(CAT, area="fragments")
    await host.turn(QUESTION)
    assert variants(host) == {"original": QUESTION, "keywords": "earth sleeps cat"}
    host.agent._bst_store = {"domain": "pets"}
    await host.turn("What is it to us?")
    assert variants(host) == {"original": "What is it to us?"}
    configure_pack(host, query_expansion={"enabled": False})
    await host.turn(QUESTION)
    assert variants(host) == {"original": QUESTION}


async def test_the_model_profile_limits_the_number(host: FakeHost) -> None:
    """E-04, C-58, T-13: 4 gives 4, 12 gives 12, whatever is configured; without a profile the setting holds."""
    configure_pack(host, noise_gate={"enabled": False})
    for number in range(14):
        await host.insert(f"The shelf holds jar {number}", area="fragments")
    counts = []
    for injected in (None, 4, 12):
        if injected is not None:
            write_profile(host, max_injected=injected)
        counts.append((await host.turn("The shelf holds jar")).prompt.memories.count("The shelf holds jar"))
    assert counts == [8, 4, 12]


async def test_the_model_profile_sets_threshold_and_domains(host: FakeHost) -> None:
    """E-04a, T-13: stricter or looser than the host's 0.7; in a disabled domain nothing is searched or counted."""
    memory_id = await host.insert(CAT, area="fragments")
    write_profile(host, similarity_threshold=0.99)
    assert (await host.turn(QUESTION)).prompt.memories == ""
    host.configure(memory_recall_similarity_threshold=0.999)
    write_profile(host, similarity_threshold=0.6)
    assert CAT in (await host.turn(QUESTION)).prompt.memories
    assert explanation(host)["threshold"] == 0.6
    write_profile(host, similarity_threshold=0.6, disabled_domains=["codegen"])
    before = host.docs[memory_id].metadata["lineage"]["access_count"]
    host.agent._bst_store = {"domain": "codegen"}
    assert (await host.turn(QUESTION)).prompt.memories == ""
    assert explanation(host)["candidates"] == []
    assert host.docs[memory_id].metadata["lineage"]["access_count"] == before
    for state in ({"domain": "pets"}, {}):
        host.agent._bst_store = state
        assert CAT in (await host.turn(QUESTION)).prompt.memories


async def test_a_recall_that_fails_or_takes_too_long_costs_its_memories(
    host: FakeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-74, T-02: the enhancement alone; the chat goes on, nothing is counted or told of old; the next is fine."""
    leave_out(host, FILTER, tmp_path)
    memory_id = await host.insert(CAT, area="fragments")
    await host.turn(QUESTION)
    task = importlib.import_module("usr.plugins.memory_ledger.helpers.host.recall.recall_task")
    with monkeypatch.context() as patch:
        patch.setattr(task, "search", lambda *_: 1 / 0)
        record = await host.turn("The cat sleeps where?", reply="Fine.")
        assert (record.response, record.prompt.memories) == ("Fine.", "")
        assert "_memory_ledger_last_recall" not in host.agent.data
    with monkeypatch.context() as patch:
        configure_pack(host, recall_timeout_seconds=0.05)
        released = threading.Event()
        patch.setattr(task, "search", lambda *_: released.wait())
        record = await host.turn("The cat sleeps how?", reply="Well.")
        assert (record.response, record.prompt.memories) == ("Well.", "")
        released.set()
    host.expected_warnings = 2
    configure_pack(host)
    assert host.docs[memory_id].metadata["lineage"]["access_count"] == 1
    assert CAT in (await host.turn(QUESTION)).prompt.memories
    assert host.docs[memory_id].metadata["lineage"]["access_count"] == 2


async def test_a_subordinate_has_a_recall_of_its_own(host: FakeHost) -> None:
    """E-09, T-42: what its superior told it is asked; the superior's explanation stays its own."""
    memory_id = await host.insert(CAT, area="fragments")
    await host.turn(NOTHING)
    subordinate = host.subordinate()
    record = await host.turn(QUESTION, agent=subordinate)
    assert CAT in record.prompt.memories
    assert explanation(host, subordinate)["query"] == QUESTION
    assert explanation(host)["query"] == NOTHING
    assert host.docs[memory_id].metadata["lineage"]["access_count"] == 1
    assert [one["memory_ids"] for one in await entries(host)] == [[], [memory_id]]


async def test_profile_project_and_folder_may_change_between_two_turns(host: FakeHost) -> None:
    """T-06, T-42, E-27: each recall asks, counts and logs in the folder that is in use then."""
    memory_id = await host.insert(CAT, area="fragments")
    assert CAT in (await host.turn(QUESTION)).prompt.memories
    host.agent.config.profile = "researcher"
    assert CAT in (await host.turn(QUESTION)).prompt.memories
    use_folder(host, "elsewhere")
    assert (await host.turn(QUESTION)).prompt.memories == ""
    assert (await folder_of(host)).store.state.recall_cycle == 1
    use_folder(host, "default")
    assert CAT in (await host.turn(QUESTION)).prompt.memories
    other = host.new_context(project="falcon").agent0
    await host.insert(DOG, agent=other, area="fragments")
    record = await host.turn("Where on earth sleeps the dog?", agent=other)
    assert DOG in record.prompt.memories and CAT not in record.prompt.memories
    assert host.docs[memory_id].metadata["lineage"]["access_count"] == 3
    logged = [(one.get("memory_subdir"), len(one["memory_ids"])) for one in await entries(host)]
    assert (logged.count((None, 1)), logged.count(("elsewhere", 0)), len(logged)) == (3, 1, 5)
    assert [count for folder, count in logged if folder not in (None, "elsewhere")] == [1]


async def test_the_explanation_has_every_candidate_with_its_rule(host: FakeHost) -> None:
    """E-81, T-62, C-58, C-72: what entered, and each that did not with the rule; no template directive survives."""
    directive = "The shelf holds jar {{ include 'agent.system.main.md' }} {% raw %}"
    ids = [await host.insert(f"The shelf holds jar {number}", area="fragments") for number in range(5)]
    ids += [await host.insert(directive, area="fragments"), await host.insert(NOTHING, area="fragments")]
    configure_pack(host, max_injected_memories=3)
    record = await host.turn("The shelf holds jar include raw")
    told = explanation(host)
    assert told["query"] == "The shelf holds jar include raw"
    assert {one["id"] for one in told["candidates"]} == set(ids)
    outcomes = {one["id"]: one["outcome"] for one in told["candidates"]}
    assert sorted(outcomes.values()).count("injected") == told["limit"] == 3
    assert set(outcomes.values()) <= {"injected", "over the cap of 3", "too little to do with the message"}
    assert outcomes[ids[-1]] == "too little to do with the message"
    scores = [one["score"] for one in told["candidates"] if one["outcome"] == "injected"]
    assert scores[-1] == max(scores)  # they speak of one thing: what was said last stands last, and is nearest here
    assert min(scores) >= max(one["score"] for one in told["candidates"] if one["outcome"] != "injected")
    assert outcomes[find(host, "include").metadata["id"]] == "injected"
    memories = record.prompt.memories
    assert "scripted agent" not in memories
    assert "{{" not in memories and "{%" not in memories
    assert directive in memories.replace("\u200b", "")
