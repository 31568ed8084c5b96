"""A maintenance run over a memory folder, without a host: its stages, its rests, and `memory-ledger maintain`."""

import ast
import json
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from full_disk import full_disk
from memory_ledger import cli
from memory_ledger.host.maintenance import run
from memory_ledger.host.maintenance.run import Job, Stage, StageReport, StageResult, run_stages
from memory_ledger.host.maintenance.stages import STAGES
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Archive, Purge, Supersede
from memory_ledger.maintenance.archival import decide_archival, decide_dormancy, decide_relevance
from memory_ledger.setting_groups import Deduplication
from memory_ledger.settings import Settings
from memory_ledger.store import deadline, files
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.deadline import Stopped, Throttle, give_way, go_on
from memory_ledger.store.tables import FolderState, write_counters

ROOT = Path(__file__).resolve().parents[2]


def make_job(box: Any, settings: Settings | None = None, *, stop: threading.Event | None = None, **options: Any) -> Job:
    log = CoRetrievalLog(box.folder.parent, box.store.database, box.store.memory_subdir, box.store.problems)
    throttle = Throttle(stop=stop, is_wanted=box.store.is_current, rests=False)
    cycle = options.pop("cycle", box.store.state.recall_cycle)
    return Job(
        store=box.store,
        settings=settings or Settings(),
        co_retrieval=log,
        throttle=throttle,
        cycle=cycle,
        at=box.clock(),
        **{"is_forced": True, **options},
    )


def maintain(box: Any, stages: tuple[Stage, ...] = STAGES, **settings: Any) -> StageReport:
    """Run everything once, whatever is due."""
    return run_stages(make_job(box, Settings(**settings)), stages)


def let_pass(box: Any, cycles: int) -> None:
    """Let so many recalls bring nothing."""
    for _ in range(cycles):
        box.store.count_recall([])


def make(box: Any, *texts: str, **axes: str) -> list[str]:
    """Store memories and give them a status."""
    box.store.sweep()
    ids = [box.insert(text) for text in texts]
    box.store.sweep()
    box.classify(*ids, **axes)
    return ids


def tag(box: Any, memory_id: str, *tags: str) -> None:
    one = box.read(memory_id)
    box.store.put(replace(one, classification=one.classification.model_copy(update={"tags": tags})))


def link_three_tags(box: Any, *texts: str) -> list[str]:
    """Store memories that share three tags, so that they are to be linked."""
    ids = make(box, *texts)
    for one in ids:
        tag(box, one, "a", "b", "c")
    return ids


def related(box: Any, memory_id: str) -> tuple[str, ...]:
    return box.read(memory_id).lineage.related_memory_ids


def utility(box: Any, memory_id: str) -> str:
    return box.read(memory_id).classification.utility.value


def supersede(box: Any, winner: str, loser: str) -> None:
    change = Supersede(
        winner_id=winner, loser_id=loser, at=box.clock(), cycle=box.store.state.recall_cycle, rule="C-47"
    )
    assert box.store.apply([change]) == 1


def actions(box: Any) -> list[tuple[str, str | None]]:
    return [(row["action"], row.get("memory")) for row in box.journal()]


def test_archives_what_fifty_recalls_have_passed_by(known: Any) -> None:
    """C-69, C-89: sealed, journalled, counted, in the columns; load_bearing stays, and so does what was recalled."""
    [idle, used] = make(known, "likes tea", "likes rye bread")
    [bearing] = make(known, "never deploy on Fridays", utility="load_bearing")
    let_pass(known, 49)
    known.store.count_recall([used])
    report = maintain(known)
    assert [utility(known, one) for one in (idle, used, bearing)] == ["archived", "tactical", "load_bearing"]
    assert report.outcomes["archive"].ids == {"archived": [idle]}
    assert is_sealed(known.store.key, known.read(idle))
    (row,) = [row for row in known.journal() if row["action"] == "archive"]
    assert (row["memory"], row["from"], row["to"], row["rule"]) == (idle, "tactical", "archived", "C-69")
    figures = known.journal()[-1]
    assert (figures["action"], figures["cycle"], figures["is_whole"]) == ("maintenance", 50, True)
    assert figures["counts"]["archive"] == {"archived": 1, "brought back": 0} and figures["seconds"] >= 0
    known.restart(is_saved=True)
    assert utility(known, idle) == "archived"


def test_brings_back_what_is_recalled_three_times(known: Any) -> None:
    """C-70, C-90: counted since the archival, also over a restart that was a crash."""
    [one, other] = make(known, "likes tea", "likes rye bread")
    let_pass(known, 60)
    maintain(known)
    known.restart(is_saved=True)
    known.store.sweep()
    for _ in range(3):
        known.store.count_recall([one])
    known.store.count_recall([other])
    known.restart()  # a crash: only the file beside the store knows of these recalls
    known.store.sweep()
    known.store.refresh_positions()
    report = maintain(known)
    assert report.outcomes["archive"].ids == {"brought back": [one]}
    assert [utility(known, each) for each in (one, other)] == ["tactical", "archived"]
    assert known.read(one).lineage.access_count == 3
    assert ("unarchive", one) in actions(known)


def test_pieces_of_knowledge_stay_however_long_nobody_asks(known: Any) -> None:
    """T-47: neither archived, nor retired as a duplicate, nor purged; the host would only import them again."""
    manual = known.folder.parent / "knowledge" / "manual.md"
    texts = ("The hatch is shut.", "The hatch is shut.", "The valve is old.")
    pieces = [known.insert(text, knowledge_source=True, source_path=str(manual)) for text in texts]
    listed = {str(manual): {"file": str(manual), "checksum": "", "ids": pieces}}
    (known.folder / "knowledge_import.json").write_text(json.dumps(listed))
    known.adopt()
    [said] = make(known, "The valve is new.")
    supersede(known, said, pieces[2])
    let_pass(known, 120)
    known.restart(is_saved=True)  # as at a terminal, nothing is swept or adopted before
    maintain(known, enable_purge=True, deduplication=Deduplication(divergence_guard=False))
    assert [known.validity(one) for one in pieces] == ["confirmed", "confirmed", "deprecated"]
    assert [utility(known, one) for one in (*pieces, said)] == ["tactical", "tactical", "tactical", "archived"]


def test_second_run_changes_nothing(known: Any) -> None:
    """C-68: every stage is idempotent; the second run writes its own line and no other."""
    link_three_tags(known, "likes tea", "likes rye bread", "likes oats")
    let_pass(known, 60)
    maintain(known)
    known.store.save()
    before = {one: dict(document.metadata) for one, document in known.docs.items()}
    lines = len(known.journal())
    report = maintain(known)
    assert report.is_whole and not any(outcome.ids for outcome in report.outcomes.values())
    assert {one: dict(document.metadata) for one, document in known.docs.items()} == before
    assert len(known.journal()) == lines + 1 and known.store.save() is False


def test_what_the_columns_name_is_what_the_rules_would_find(known: Any) -> None:
    """C-69, C-70, E-26: the columns leave out nothing that the rules change, whatever happened before."""
    ids = make(known, *(f"fact {number}" for number in range(20)))
    for cycle in range(60):
        known.store.count_recall([ids[n] for n in range(14) if n % 7 == cycle % 11])
    idle = [one for one in ids if known.read(one).lineage.access_count == 0]
    known.store.apply([Archive(memory_id=one, at=known.clock(), cycle=60, touched_cycle=0) for one in idle])
    known.delete(ids[1])
    known.store.sweep()
    for settings in ({}, {"archival_threshold_cycles": 3}, {"archival_threshold_cycles": 3, "auto_dormant": True}):
        job = make_job(known, Settings(**settings))
        run_stages(job, STAGES)
        for one in map(known.read, known.docs):
            assert decide_archival(one, job.settings, cycle=job.cycle, at=job.at) is None
            assert decide_dormancy(one, job.settings, cycle=job.cycle) is None
            assert decide_relevance(one, job.settings, cycle=job.cycle, at=job.at) is None
        places = [known.store.index.position(one) for one in known.docs]
        touched = [known.read(one).lineage.last_access_cycle or 0 for one in known.docs]
        assert known.store.columns.touched_cycle[places].tolist() == touched


def test_never_recalled_becomes_a_candidate_and_no_more(known: Any) -> None:
    """E-26, T-12: the relevance stays active; recalled once, it is no candidate at the next run; no journal line."""
    [one, other] = make(known, "likes tea", "likes rye bread")
    let_pass(known, 50)
    maintain(known)
    assert [known.read(each).lineage.dormancy_candidate for each in (one, other)] == [True, True]
    assert known.read(one).classification.relevance.value == "active"
    known.store.count_recall([one])
    maintain(known)
    assert [known.read(each).lineage.dormancy_candidate for each in (one, other)] == [False, True]
    assert {action for action, _ in actions(known)} == {"archive", "maintenance"}


def test_auto_dormant_puts_candidates_to_sleep_until_it_is_off(known: Any) -> None:
    """T-12: out of recall, on record, and back when the setting is."""
    [one] = make(known, "likes tea")
    let_pass(known, 50)
    assert known.recall("likes tea").ids == (one,)
    maintain(known, auto_dormant=True)
    assert known.recall("likes tea").ids == ()
    maintain(known)
    assert known.recall("likes tea").ids == (one,)
    assert [pair for pair in actions(known) if pair[0] in ("suspend", "rouse")] == [("suspend", one), ("rouse", one)]


def test_links_what_shares_three_tags(known: Any) -> None:
    """E-33, E-35, E-68: in each other's list; what shares two is left alone; no journal line each."""
    [one, other, third] = make(known, "first", "second", "third")
    tag(known, one, "domain:web", "nginx", "proxy", "port")
    tag(known, other, "domain:web", "nginx", "proxy")
    tag(known, third, "domain:web", "nginx", "apache")
    assert related(known, one) == ()
    report = maintain(known)
    assert (related(known, one), related(known, other), related(known, third)) == ((other,), (one,), ())
    assert report.outcomes["link"].counts == {"linked anew": 2}
    assert {action for action, _ in actions(known)} == {"maintenance"}
    known.restart(is_saved=True)
    assert related(known, one) == (other,)
    assert known.docs[third].metadata["lineage"]["related_memory_ids"] == []


def test_links_of_what_is_retired_go_at_the_rebuild(known: Any) -> None:
    ids = link_three_tags(known, "first", "second", "third")
    maintain(known)
    assert {one: set(related(known, one)) for one in ids} == {one: set(ids) - {one} for one in ids}
    supersede(known, ids[2], ids[0])
    known.store.sweep()
    assert set(related(known, ids[0])) == set(ids[1:])
    maintain(known)
    assert [related(known, one) for one in ids] == [(), (ids[2],), (ids[1],)]


def test_links_hold_ten_at_most(known: Any) -> None:
    """E-70: on both sides, also where a list of fifteen was made by hand."""
    ids = link_three_tags(known, *(f"fact {number}" for number in range(25)))
    one = known.read(ids[0])
    known.store.put(replace(one, lineage=one.lineage.model_copy(update={"related_memory_ids": tuple(ids[1:16])})))
    maintain(known)
    assert {len(related(known, one)) for one in ids} == {10, 2}  # twice eleven, and the three that are left
    assert all(one in related(known, other) for one in ids for other in related(known, one))


def test_links_that_are_not_due_wait(known: Any) -> None:
    """E-71, E-84: with maintenance every 25 loops and links every 50, a run in between leaves them."""
    [one, other, third] = link_three_tags(known, "first", "second", "third")
    seen = []
    for loops in (25, 50, 76, 101):
        known.store.state.loop_count = loops
        if loops == 76:
            tag(known, third, "x", "y", "z")
        settings = Settings(related_memories={"rebuild_interval_cycles": 50})
        run_stages(make_job(known, settings, is_forced=False), STAGES)
        seen.append(related(known, one))
    assert seen == [(), (other, third), (other, third), (other,)]
    assert run.are_links_due(FolderState(loop_count=126, linked_at_loop=101), Settings())


@pytest.mark.parametrize(
    ("state", "due"),
    [
        (FolderState(loop_count=24), False),
        (FolderState(loop_count=25), True),
        (FolderState(loop_count=49, maintained_at_loop=25), False),
        (FolderState(loop_count=90, maintained_at_loop=25), True),
        (FolderState(loop_count=3, maintained_at_loop=25), False),
        (FolderState(loop_count=25, maintained_at_loop=4000), True),
    ],
)
def test_when_a_run_is_due(state: FolderState, due: bool) -> None:
    """C-68, C-92: by loops; a counter that was lost and begins anew does not put it off for ever."""
    assert run.is_due(state, Settings()) is due


def test_pairs_often_recalled_together_are_named_and_nothing_follows(known: Any) -> None:
    """E-31, E-32: more than `cluster_threshold` times; no memory changes."""
    [one, other, third] = make(known, "first", "second", "third")
    job = make_job(known)
    for number in range(6):
        ids = (one, other) if number else (one, other, third)
        at, settings = known.clock(), job.settings.co_retrieval
        job.co_retrieval.append(ids, settings, at=at, cycle=number, query_domain=None)
    before = {one: dict(document.metadata) for one, document in known.docs.items()}
    report = run_stages(job, STAGES)
    assert report.outcomes["cluster"].counts == {"pairs often recalled together": 1}
    assert {one: dict(document.metadata) for one, document in known.docs.items()} == before
    assert maintain(known, co_retrieval={"enabled": False}).outcomes["cluster"] == StageResult()
    assert maintain(known, co_retrieval={"cluster_threshold": 6}).outcomes["cluster"].counts == {
        "pairs often recalled together": 0
    }


def test_nothing_is_deleted_unless_a_person_switched_it_on(known: Any) -> None:
    [loser, winner] = make(known, "first", "second")
    supersede(known, winner, loser)
    let_pass(known, 500)
    maintain(known)
    assert loser in known.docs
    assert known.rows("SELECT * FROM purged") == []


def test_what_is_back_in_use_is_not_purged(known: Any) -> None:
    """C-71, T-08: it was retired when the rule saw it; whoever brought it back meanwhile keeps it."""
    [one] = make(known, "first")
    assert known.store.purge([Purge(memory_id=one, at=known.clock(), cycle=500)]) == []
    assert one in known.docs
    assert known.rows("SELECT * FROM purged") == []


def test_purge_leaves_a_tombstone_and_repairs_the_rest(known: Any) -> None:
    """C-71, T-08, T-43: only what is beyond its retention; a line without its text; nobody points at it any more."""
    [first, second, third, young] = make(known, "port is 1", "port is 2", "port is 3", "port is 4")
    supersede(known, second, first)
    let_pass(known, 10)
    supersede(known, third, second)
    let_pass(known, 95)
    supersede(known, third, young)
    report = maintain(known, enable_purge=True)
    assert report.outcomes["purge"].ids == {"deleted for good": [first]}
    assert set(known.docs) == {second, third, young}
    [(line,)] = known.rows("SELECT line FROM purged")
    stone = json.loads(line)
    assert (stone["memory"], stone["superseded_by"], stone["deprecated_at_cycle"]) == (first, second, 0)
    assert "port is 1" not in line
    assert known.read(second).lineage.supersedes is None
    let_pass(known, 10)
    maintain(known, enable_purge=True)
    assert set(known.docs) == {third, young}
    assert known.read(third).lineage.supersedes == young
    known.restart(is_saved=True)
    assert set(known.docs) == {third, young}


def test_winner_that_the_host_deleted_is_named_no_more(known: Any) -> None:
    [loser, winner] = make(known, "port is 1", "port is 2")
    supersede(known, winner, loser)
    known.delete(winner)
    known.store.sweep()
    report = maintain(known)
    assert report.outcomes["repair"].ids == {"repaired": [loser]}
    one = known.read(loser)
    assert one.lineage.superseded_by is None and one.is_deprecated
    (row,) = [row for row in known.journal() if row["action"] == "repair"]
    assert row["before"] == {"superseded_by": winner}


def test_the_stages_stand_in_their_order() -> None:
    """E-08, C-68: deduplication, links, clusters, dormancy; before them what may come back, after them what goes."""
    names = [stage.name for stage in STAGES]
    assert [one for one in names if one in ("deduplicate", "link", "cluster", "dormancy")] == names[1:5]
    assert (names[0], names[-1]) == ("archive", "backup")


def test_what_a_killed_rewriting_left_is_removed(known) -> None:
    """T-64: it holds what memories say."""
    left = [folder / ".ledger_backup.jsonl.4711.1.tmp" for folder in (known.folder, known.folder.parent)]
    for path in left:
        path.write_text("what a memory says")
        os.utime(path, (0, 0))
    assert maintain(known).outcomes["backup"].counts["files of a crash removed"] == 2
    assert not any(path.exists() for path in left)


def test_only_the_purge_deletes() -> None:
    """T-08, E-03, E-49: no rule deletes but the purge; the rest is asked for by id, in the vault by a tombstone."""
    names = ("delete", "adelete", "delete_documents_by_ids", "delete_documents_by_query", "remove_ids")
    sources = {path: path.read_text("utf-8") for path in sorted((ROOT / "helpers").rglob("*.py"))}
    calls = [
        (path.relative_to(ROOT).as_posix(), function.name)
        for path, source in sources.items()
        if any(f".{name}(" in source for name in names)
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
    ]
    allowed = [
        ("helpers/host/adoption/transfers.py", "_release"),
        ("helpers/store/erase.py", "_erase_from_store"),
        ("helpers/store/saving.py", "drop"),
        ("helpers/store/embedded.py", "_settle_lengths"),
        ("helpers/store/embedded.py", "_embed_and_insert"),
        ("helpers/store/embedded.py", "_recover"),
        ("helpers/store/docstore.py", "purge"),
        ("helpers/host/vault/folder_vault.py", "_remove"),
    ]
    assert sorted(calls) == sorted(allowed)


def failing(job: Job) -> StageResult:
    raise OSError(28, "No space left on device")


def test_stage_that_fails_stops_no_other(known: Any) -> None:
    """C-74: what failed is named in the report and in the journal; the run counts as done."""
    [one] = make(known, "likes tea")
    let_pass(known, 60)
    known.store.state.loop_count = 30
    report = maintain(known, (Stage("broken", "failing", failing), *STAGES))
    assert utility(known, one) == "archived"
    assert [name for name in report.failures] == ["broken"] and report.is_whole
    row = known.journal()[-1]
    assert row["failed"] == {"broken": "OSError: [Errno 28] No space left on device"}
    assert known.store.state.maintained_at_loop == 30


def test_run_stops_within_a_stage(known: Any) -> None:
    ids = make(known, *(f"fact {number}" for number in range(100)))
    let_pass(known, 60)
    stop = threading.Event()
    job = make_job(known, stop=stop)
    apply_each = known.store.apply_each

    def apply_and_stop(changes: Any) -> Any:
        stop.set()
        return apply_each(changes)

    known.store.apply_each = apply_and_stop
    known.store.state.loop_count = 30
    assert not run_stages(job, STAGES).is_whole and run.is_due(known.store.state, Settings())
    known.store.apply_each = apply_each
    archived = [one for one in ids if utility(known, one) == "archived"]
    assert 0 < len(archived) < 100
    assert len([pair for pair in actions(known) if pair[0] == "archive"]) == len(archived)
    maintain(known)
    assert [utility(known, one) for one in ids] == ["archived"] * 100


def test_memory_that_nobody_has_classified_yet_is_left_alone(known: Any) -> None:
    """C-08: it waits for its adoption, whatever it carries."""
    memory_id = known.insert("likes tea", classification={"utility": "tactical"}, lineage={"created_at": "2020-01-01"})
    let_pass(known, 60)
    maintain(known)
    assert known.docs[memory_id].metadata["classification"] == {"utility": "tactical"}


def test_maintenance_folds_the_access_counts_into_the_next_save(known: Any) -> None:
    """E-63, design: recalls alone write no index; after maintenance the host saves them, the rows go."""
    [one] = make(known, "likes tea")
    assert known.store.save() is True
    known.store.count_recall([one])
    assert known.store.save() is False
    maintain(known)
    assert known.store.save() is True
    assert known.rows("SELECT * FROM access") == []
    known.restart()
    assert known.read(one).lineage.access_count == 1


class Waiting(threading.Event):
    """A stop that nobody sets: whoever waits for it moves the clock, and `meanwhile` happens."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.meanwhile: Callable[[], object] = bool

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        self.meanwhile()
        return self.is_set()


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """Let the clock of the module be one that only waiting moves; no prompt is prepared."""
    one = Waiting()
    monkeypatch.setattr(deadline, "perf_counter", lambda: one.now)
    go_on()
    return one


def rest(waiting: Waiting, worked: float, *, share: float = 1.0, rests: bool = True) -> float:
    """Return how long work of so many seconds rests."""
    one = Throttle(share, stop=waiting, rests=rests)
    waiting.now += worked
    begun = waiting.now
    one.rest()
    return waiting.now - begun


@pytest.mark.parametrize(("worked", "share", "rested"), [(0.004, 1.0, 0.0), (0.1, 1.0, 0.1), (0.1, 3.0, 0.3)])
def test_it_rests_for_a_share_of_its_work(waiting: Waiting, worked: float, share: float, rested: float) -> None:
    assert rest(waiting, worked, share=share) == pytest.approx(rested)


def test_a_terminal_does_not_rest(waiting: Waiting) -> None:
    """C-74: nobody chats there."""
    give_way()
    assert rest(waiting, 0.1, rests=False) == 0.0


def test_chats_without_end_do_not_keep_it_for_ever(waiting: Waiting) -> None:
    """C-74: a busy host gets its work done as well."""
    waiting.meanwhile = give_way
    assert rest(waiting, 0.1) == pytest.approx(deadline._LONGEST_REST, abs=2 * deadline._GLANCE_SECONDS)


def test_it_stops_while_it_rests(waiting: Waiting) -> None:
    """C-68: whoever is asked to end does not wait for a prompt."""
    give_way()
    waiting.meanwhile = waiting.set
    with pytest.raises(Stopped):
        rest(waiting, 0.1)
    assert waiting.now == pytest.approx(100.2)


@pytest.fixture
def stored(known: Any) -> Any:
    """A store with two memories that nobody has recalled for sixty cycles, as `ingest` leaves it."""
    ids = [known.insert(f"The nginx proxy of the harbour, part {number}") for number in (1, 2)]
    known.adopt()
    known.store.save()
    assert [known.read(one).classification.utility.value for one in ids] == ["tactical"] * 2
    known.store.state.recall_cycle = 60
    write_counters(known.store.database, known.store.state)
    known.memory.close()
    return known


def maintain_at_terminal(capsys: pytest.CaptureFixture[str], box: Any, *options: str) -> dict[str, Any]:
    """Run the command; return what it said of each stage."""
    status = cli.main(["maintain", "--store", str(box.folder), *options])
    out, err = capsys.readouterr()
    assert status == 0, err
    assert "memory-ledger: looking for memories that have long been unused" in err
    return {row["stage"]: row for row in map(json.loads, out.splitlines())}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_what_is_done_is_named_first_saved_and_done_once(stored: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before, ids = content(stored.folder), sorted(stored.docs)
    said = maintain_at_terminal(capsys, stored, "--dry-run")
    assert said["archive"]["counts"] == {"archived": 2, "brought back": 0}
    assert sorted(said["archive"]["ids"]["archived"]) == sorted(said["link"]["ids"]["linked anew"]) == ids
    assert content(stored.folder) == before
    said = maintain_at_terminal(capsys, stored)
    stored.open()
    (one, other) = stored.docs
    assert [stored.read(each).classification.utility.value for each in (one, other)] == ["archived"] * 2
    assert stored.read(one).lineage.related_memory_ids == (other,)
    stored.memory.close()
    assert said["archive"]["counts"]["archived"] == 2
    assert not any(row["ids"] for row in maintain_at_terminal(capsys, stored).values())


def test_folder_of_agent_zero_is_only_looked_at(stored: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64: its host would wipe an index that somebody else has changed."""
    (stored.folder / "embedding.json").write_text("{}")
    before = content(stored.folder)
    assert cli.main(["maintain", "--store", str(stored.folder)]) == 1
    assert "embedding.json of Agent Zero" in capsys.readouterr().err
    assert maintain_at_terminal(capsys, stored, "--dry-run")["archive"]["counts"]["archived"] == 2
    assert content(stored.folder) == before


def test_stage_that_fails_is_named(stored: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"enable_purge": True}))
    with full_disk(stored.folder / files.DATABASE_FILE):
        assert cli.main(["maintain", "--store", str(stored.folder), "--config", str(config)]) == 1
    out, err = capsys.readouterr()
    assert "deduplicate failed: OSError" in err
    assert "link" in [json.loads(line)["stage"] for line in out.splitlines()]


def test_links_switched_off_are_left_as_they_are(known: Any) -> None:
    """E-83: `related_memories.enabled: false` skips exactly that stage."""
    [one, _] = link_three_tags(known, "first", "second")
    let_pass(known, 60)
    report = maintain(known, related_memories={"enabled": False})
    assert related(known, one) == ()
    assert report.outcomes["archive"].counts["archived"] == 2
