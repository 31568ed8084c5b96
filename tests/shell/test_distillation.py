"""From logs to knowledge files: read-only, anywhere, once, whatever became of a log (M-02, M-06, M-11, M-64, M-65)."""

import contextlib
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from knowledge_tools.files import DictFiles
from knowledge_tools.logs import PRIVATE, chain, daily_log, lines
from memory_ledger.host.knowledge import memory_agent
from memory_ledger.host.knowledge.addresses import KnowledgeAwayError, LogFolder
from memory_ledger.host.knowledge.memory_agent import DistillationError, Distiller
from memory_ledger.knowledge.documents import STATE_NAME
from memory_ledger.knowledge.patterns import ALL, Family, total_of
from memory_ledger.knowledge.state import state_from_text
from memory_ledger.setting_groups import Distillation

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
LOG = "20260226.log"


def write_log(folder, *chains, name=LOG, extra=b""):
    """Write chains, their messages in turns, as a log."""
    folder.mkdir(parents=True, exist_ok=True)
    mixed = [one for step in zip(*chains, strict=True) for one in step]
    (folder / name).write_bytes(b"".join(lines(mixed)) + extra)


def some_chains(count, first=0, **values):
    chains = [chain(f"req-{first + at}", seconds=10 * (first + at), **values) for at in range(count)]
    for at, one in enumerate(chains):
        for each in one:
            each["metadata"]["session_id"] = f"sess-{at % 5}"
    return chains


def distil(folder, files=None, now=NOW, how=None, **options):
    """Distil once; return the report and the files."""
    files = files or DictFiles()
    more = {"home": folder, **(how or {})}
    distiller = Distiller(logs=LogFolder(str(folder)), files=files, options=Distillation(**options), **more)
    return distiller.run(now), files


def counted(files):
    total = total_of(state_from_text(files.texts[STATE_NAME]).days().values()).get(Family.OUTCOME, {}).get(ALL)
    return 0 if total is None else total.total


@pytest.fixture
def logs(tmp_path):
    write_log(tmp_path / "logs", *some_chains(20))
    return tmp_path / "logs"


def test_logs_are_read_in_the_order_of_their_days(tmp_path):
    for name in ("20260227-1.md", "20260226-10.md", "20260226-2.md", "20260225.log", "notes.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "20260224.log").mkdir()
    in_order = ["20260225.log", "20260226-2.md", "20260226-10.md", "20260227-1.md"]
    assert [name.name for name in LogFolder(str(tmp_path)).sizes()] == in_order
    assert LogFolder(str(tmp_path / "nowhere")).sizes() == {}


def test_logs_become_files_that_hold_nothing_private(logs):
    """M-19, M-57: entries in their files, a summary of the day, and not a word of anybody."""
    report, files = distil(logs)
    assert (report.messages, report.transactions, report.malformed) == (60, 20, 0)
    names = {"domain_knowledge.md", "operational_heuristics.md", "quality_benchmarks.md"}
    assert set(files.texts) - {STATE_NAME} == {*names, "session_summaries/2026-02-26_summary.md"}
    assert "the plan was" in files.texts["operational_heuristics.md"]
    assert "became" not in files.texts["domain_knowledge.md"]
    assert "2 objectives and 3 goals" in files.texts["domain_knowledge.md"]
    for text in files.texts.values():
        for private in (*PRIVATE, "Anna", "shop.example", "token", "+48", "AKIA"):
            assert private not in text


def test_a_second_run_writes_nothing(logs):
    """M-64, M-71: the same logs twice."""
    _, files = distil(logs)
    before = dict(files.texts)
    files.written.clear()
    report, _ = distil(logs, files)
    assert (report.logs_read, report.transactions, report.texts, files.written) == (0, 0, {}, [])
    assert files.texts == before


@pytest.mark.parametrize("cut", [1, 500, 5_000, 20_001, -1])
def test_a_log_that_grows_is_counted_as_one(tmp_path, cut):
    """M-64: wherever the first run met its end, in a line or in a chain, the result is that of one run."""
    write_log(tmp_path / "whole", *some_chains(20))
    data = (tmp_path / "whole" / LOG).read_bytes()
    (tmp_path / "grown").mkdir()
    grown = tmp_path / "grown" / LOG
    grown.write_bytes(data[:cut])
    first, files = distil(tmp_path / "grown")
    assert first.malformed == 0
    grown.write_bytes(data)
    second, _ = distil(tmp_path / "grown", files)
    assert first.transactions + second.transactions == counted(files) == 20
    _, whole = distil(tmp_path / "whole")
    summary = "session_summaries/2026-02-26_summary.md"
    assert files.texts[summary] == whole.texts[summary]


def test_a_rejected_chain_that_goes_on_is_counted_once(tmp_path):
    """M-14, M-64: wherever the first run met the end of the log."""
    chains = some_chains(20)
    for one in chains:
        one[0]["next_agent"]["name"] = None
        one[0]["status"]["code"] = "failed"
        one[0]["error"] |= {"has_error": True, "error_code": "OUT_OF_SCOPE"}
    data = b"".join(lines(one for each in chains for one in each))
    for cut in (3_000, 20_001, -2_000):
        (tmp_path / LOG).write_bytes(data[:cut])
        _, files = distil(tmp_path)
        (tmp_path / LOG).write_bytes(data)
        distil(tmp_path, files)
        known = total_of(state_from_text(files.texts[STATE_NAME]).days().values())
        assert known[Family.REJECTION]["objective_agent"].answers == {"goal_agent": 20}


def renamed(folder):
    (folder / LOG).rename(folder / "20260226-7.log")


def copied(folder):
    (folder / "20260226-7.log").write_bytes((folder / LOG).read_bytes())


def cut_short(folder):
    (folder / LOG).write_bytes((folder / LOG).read_bytes()[:5_000])


def rotated(folder):
    renamed(folder)
    write_log(folder, *some_chains(5, first=20))


def deleted(folder):
    (folder / LOG).unlink()
    write_log(folder, *some_chains(5, first=20), name="20260227.log")


@pytest.mark.parametrize(
    ("change", "total"), [(renamed, 20), (copied, 20), (cut_short, 20), (rotated, 25), (deleted, 25)]
)
def test_whatever_becomes_of_a_log_it_counts_once(logs, change, total):
    """M-64: what happened has happened; restored, it adds nothing either."""
    data = (logs / LOG).read_bytes()
    _, files = distil(logs)
    change(logs)
    distil(logs, files)
    assert counted(files) == total
    assert distil(logs, files)[0].transactions == 0
    if change is not rotated:
        (logs / LOG).write_bytes(data)
        distil(logs, files)
        assert counted(files) == total


def test_a_log_that_cannot_be_read_keeps_no_other_from_being_read(logs, monkeypatch):
    write_log(logs, *some_chains(3, first=50), name="20260225.log")
    whole = LogFolder.lines

    def torn(self, name, **how):
        if name.name == "20260225.log":
            raise PermissionError(13, "Permission denied")
        return whole(self, name, **how)

    with monkeypatch.context() as patch:
        patch.setattr(LogFolder, "lines", torn)
        report, files = distil(logs)
    assert report.notices == ["20260225.log cannot be read (Permission denied); the other logs were"]
    assert counted(files) == 20
    distil(logs, files)
    assert counted(files) == 23


def test_only_the_logs_of_the_window_are_read(logs):
    """M-11: what was there for years before the pack keeps nobody waiting; another window finds it."""
    write_log(logs, *some_chains(3, first=50), name="20260101.log")
    report, files = distil(logs)
    assert (report.logs_read, report.transactions) == (1, 20)
    report, _ = distil(logs, files, pattern_window_days=90)
    assert (report.logs_read, report.transactions) == (1, 3)


def test_a_thread_rests_at_every_line(logs):
    """M-24: chats keep the interpreter."""
    calls = []
    distil(logs, how={"rest": lambda: calls.append(1)})
    assert len(calls) >= 60


def test_both_forms_are_distilled_together(tmp_path):
    """T-34: our own and the original's, which are only read (M-65)."""
    folder = tmp_path / "logs"
    write_log(folder, chain("req-1"))
    (folder / "20260226-1.md").write_text(daily_log(chain("req-2")))
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    report, _ = distil(folder)
    assert (report.logs_read, report.malformed, report.transactions) == (2, 0, 2)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


@pytest.mark.parametrize("fails_at", range(1, 7))
def test_a_run_that_dies_while_writing_is_finished_by_the_next(logs, fails_at):

    class Dying(DictFiles):
        def update(self, name, merge):
            if len(self.written) == fails_at - 1:
                raise OSError("the power went")
            return super().update(name, merge)

    dying = Dying()
    with contextlib.suppress(OSError):
        distil(logs, dying)
    files = DictFiles(dying.texts)
    distil(logs, files)
    _, calm = distil(logs)
    assert files.texts == calm.texts


def test_two_runs_at_once_count_nothing_twice(logs):
    """M-64: whoever is second begins anew with what the first has written."""

    class Raced(DictFiles):
        def update(self, name, merge):
            if name == STATE_NAME and not self.written:
                self.written.append("raced")
                distil(logs, other := DictFiles())
                self.texts |= other.texts
            return super().update(name, merge)

    raced = Raced()
    report, _ = distil(logs, raced)
    _, calm = distil(logs)
    assert report.transactions == 0
    assert raced.texts == calm.texts


def test_a_run_that_is_always_too_late_says_so(logs):

    class Busy(DictFiles):
        def update(self, name, merge):
            return merge("what somebody else wrote")

    with pytest.raises(DistillationError, match="other writers"):
        distil(logs, Busy())


def test_a_summary_that_a_person_edited_is_left_alone(logs):
    """M-21, M-23: new transactions of the day do not overwrite it."""
    _, files = distil(logs)
    name = "session_summaries/2026-02-26_summary.md"
    files.texts[name] += "\nA note.\n"
    write_log(logs, *some_chains(10, first=20), name="20260226-1.log")
    report, _ = distil(logs, files)
    assert report.transactions == 10
    assert files.texts[name].endswith("\nA note.\n")


@pytest.fixture
def many_logs(tmp_path):
    for at in range(8):
        write_log(tmp_path / "logs", *some_chains(5, first=5 * at), name=f"202602{18 + at}.log")
    return tmp_path / "logs"


class DaskCluster:
    """A local Dask cluster of two workers, each a process."""

    def __init__(self, process):
        self._process = process
        self.address = process.stdout.readline().strip()
        assert self.address.startswith("tcp://127.0.0.1")

    def kill_workers(self):
        self._process.stdin.write("kill\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "killed\n"


@pytest.fixture
def dask():
    pytest.importorskip("distributed", reason="Dask is not installed: the extra `dask`")
    code = (
        "import os, signal\n"
        "from distributed import LocalCluster, Status\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:\n"
        "        print(cluster.scheduler_address, flush=True)\n"
        "        while input():\n"
        "            for nanny in cluster.workers.values():\n"
        "                nanny.status = Status.failed\n"  # or it would start the worker again
        "                os.kill(nanny.pid, signal.SIGKILL)\n"
        "            print('killed', flush=True)\n"
    )
    command, pipe = [sys.executable, "-W", "ignore", "-c", code], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield DaskCluster(process)
        finally:
            process.communicate("\n", timeout=60)


def test_a_cluster_gives_what_one_process_gives_until_its_workers_are_dead(many_logs, dask, monkeypatch):
    """M-11, M-64: two workers, each a process; that they are dead is told, not waited out, and nothing is filed."""
    report, away = distil(many_logs, how={"cluster": dask.address}, pattern_window_days=30)
    _, here = distil(many_logs, pattern_window_days=30)
    assert (report.transactions, away.texts) == (40, here.texts)
    files = DictFiles()
    monkeypatch.setattr(memory_agent, "PATIENCE_SECONDS", 0.5)
    dask.kill_workers()
    with pytest.raises(KnowledgeAwayError, match=f"no Dask scheduler with a worker answers at {dask.address}"):
        distil(many_logs, files, how={"cluster": dask.address})
    assert files.texts == {}
    assert distil(many_logs, files, pattern_window_days=30)[0].transactions == 40


def test_a_cluster_that_is_not_there_is_named(many_logs, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: the extra `dask`")
    connect = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda address, timeout: connect(address, timeout=timeout / 20))
    with pytest.raises(KnowledgeAwayError, match=r"tcp://127\.0\.0\.1:9"):
        distil(many_logs, how={"cluster": "tcp://127.0.0.1:9"})


def test_what_a_person_writes_meanwhile_is_not_overwritten(logs):
    """M-21, M-64: a file that changed between reading and writing stays theirs; the next run adds what is missing."""
    name = "domain_knowledge.md"

    class Edited(DictFiles):
        def update(self, wanted, merge):
            if wanted == name and not self.texts.get(name):
                self.texts[name] = "# Domain Knowledge\n\nA person's own words.\n"
            return super().update(wanted, merge)

    edited = Edited()
    distil(logs, edited)
    assert edited.texts[name] == "# Domain Knowledge\n\nA person's own words.\n"
    distil(logs, edited)
    assert edited.texts[name].startswith("# Domain Knowledge\n\nA person's own words.\n")
    _, calm = distil(logs)
    for text in (edited.texts[name], calm.texts[name]):
        assert "## Entry: Requests to acquire video and transcribe audio\n" in text
