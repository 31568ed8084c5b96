"""From logs on a disk to knowledge files: read-only, in pieces, anywhere, once (M-02, M-06, M-11, M-64, M-65, T-58)."""

import contextlib
import json
import subprocess
import sys
import tracemalloc
from datetime import UTC, date, datetime, timedelta

import pytest
from knowledge_tools.files import DictFiles
from knowledge_tools.logs import PRIVATE, bracketed, chain, daily_log, event, lines
from memory_ledger.host.knowledge.distillation import DistillationError, Distiller
from memory_ledger.host.knowledge.log_files import (
    LogMark,
    LogPart,
    list_logs,
    mark_of,
    pieces_of,
    read_piece,
    unread_from,
)
from memory_ledger.host.knowledge.schedulers import PATIENCE_SECONDS, SchedulerError, open_scheduler
from memory_ledger.knowledge.categories import STATE_NAME
from memory_ledger.knowledge.log_names import log_name_of, parse_log_name
from memory_ledger.knowledge.options import Distillation

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
LOG = "20260226.log"


def write_log(folder, *chains, name=LOG, extra=b""):
    """Write chains, their messages in turns, as a log."""
    folder.mkdir(parents=True, exist_ok=True)
    mixed = [one for step in zip(*chains, strict=True) for one in step]
    (folder / name).write_bytes(b"".join(lines(mixed)) + extra)


def some_chains(count, first=0, **values):
    """Return so many chains, in five sessions."""
    chains = [chain(f"req-{first + at}", seconds=10 * (first + at), **values) for at in range(count)]
    for at, one in enumerate(chains):
        for each in one:
            each["metadata"]["session_id"] = f"sess-{at % 5}"
    return chains


def knowledge(files):
    """Return what a person reads: every file but the memory."""
    return {name: text for name, text in files.texts.items() if name != STATE_NAME}


def distil(folder, files=None, now=NOW, **options):
    """Distil once; return the report and the files."""
    files = files or DictFiles()
    return Distiller(folder, files, Distillation(**options)).run(now), files


@pytest.fixture
def logs(tmp_path):
    """A folder with a log of twenty transactions."""
    write_log(tmp_path / "logs", *some_chains(20))
    return tmp_path / "logs"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("20260226.log", (date(2026, 2, 26), 0, False)),
        ("20260226-3.md", (date(2026, 2, 26), 3, True)),
        ("26022026-1.md", (date(2026, 2, 26), 1, True)),
        ("20261302.log", None),
        ("99999999.log", None),
        ("20260226.txt", None),
        (".gitkeep", None),
        ("20260226.log.gz", None),
    ],
)
def test_logs_are_known_by_their_names(name, found):
    """T-34: three ways to write a day; other files are left alone."""
    read = parse_log_name(name)
    assert (None if read is None else (read.day, read.number, read.is_prose)) == found
    assert log_name_of(date(2026, 2, 26)) == LOG


def test_logs_are_read_in_the_order_of_their_days(tmp_path):
    """T-34: whatever their names sort like."""
    for name in ("27022026-1.md", "20260226-10.md", "20260226-2.md", "20260225.log", "notes.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "20260224.log").mkdir()
    assert [name.name for name, _ in list_logs(tmp_path)] == [
        "20260225.log",
        "20260226-2.md",
        "20260226-10.md",
        "27022026-1.md",
    ]
    assert list_logs(tmp_path / "nowhere") == []


def test_logs_become_files_that_hold_nothing_private(logs):
    """M-19, M-57: entries in their files, a summary of the day, and not a word of anybody."""
    report, files = distil(logs)
    assert (report.messages, report.transactions, report.malformed) == (60, 20, 0)
    assert set(knowledge(files)) == {
        "domain_knowledge.md",
        "operational_heuristics.md",
        "quality_benchmarks.md",
        "session_summaries/2026-02-26_summary.md",
    }
    assert "became" not in files.texts["domain_knowledge.md"]
    assert "2 objectives and 3 goals" in files.texts["domain_knowledge.md"]
    for text in files.texts.values():
        for private in (*PRIVATE, "Anna", "shop.example", "token", "+48", "AKIA"):
            assert private not in text


def test_logs_are_only_read(logs):
    """M-65: bytes and time of change are what they were, even where nobody may write."""
    path = logs / LOG
    before, status = path.read_bytes(), path.stat()
    path.chmod(0o444)
    distil(logs)
    assert path.read_bytes() == before
    assert (path.stat().st_mtime_ns, path.stat().st_size, path.stat().st_ino) == (
        status.st_mtime_ns,
        status.st_size,
        status.st_ino,
    )
    assert [one.name for one in logs.iterdir()] == [LOG]


def test_a_second_run_writes_nothing(logs):
    """M-64, M-71: the same logs twice."""
    _, files = distil(logs)
    before = dict(files.texts)
    files.written.clear()
    report, _ = distil(logs, files)
    assert (report.logs_read, report.transactions, report.texts, files.written) == (0, 0, {}, [])
    assert files.texts == before


def test_a_copy_of_a_log_changes_nothing(logs):
    """M-64, T-58: its transactions are known."""
    _, files = distil(logs)
    before = knowledge(files)
    (logs / "20260226-1.log").write_bytes((logs / LOG).read_bytes())
    report, _ = distil(logs, files)
    assert (report.transactions, report.repeated) == (0, 20)
    assert knowledge(files) == before


@pytest.mark.parametrize("cut", [1, 500, 5_000, 20_001, -1])
def test_a_log_that_grows_is_read_on(tmp_path, cut):
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
    assert first.messages + second.messages == 60
    _, whole = distil(tmp_path / "whole")
    memories = [json.loads(one.texts[STATE_NAME]) for one in (files, whole)]
    assert memories[0]["known"] == memories[1]["known"]
    assert memories[0]["tags"] == memories[1]["tags"]
    assert (
        files.texts["session_summaries/2026-02-26_summary.md"] == whole.texts["session_summaries/2026-02-26_summary.md"]
    )


def rejected_chains(count):
    """Return chains that are rejected at their first hop, and go on for two more."""
    chains = some_chains(count)
    for one in chains:
        one[0]["next_agent"]["name"] = None
        one[0]["status"]["code"] = "failed"
        one[0]["error"] |= {"has_error": True, "error_code": "OUT_OF_SCOPE"}
    return chains


@pytest.mark.parametrize("cut", [3_000, 20_001, 40_000, 65_000, -2_000, -1])
def test_a_rejected_chain_that_goes_on_is_counted_once(tmp_path, cut):
    """Issue 23, M-14, M-64: wherever the first run met the end of the log, and whatever was copied of it since."""
    (tmp_path / "whole").mkdir()
    data = b"".join(lines(one for each in rejected_chains(20) for one in each))
    (tmp_path / "whole" / LOG).write_bytes(data)
    whole_report, whole = distil(tmp_path / "whole")
    (tmp_path / "grown").mkdir()
    (tmp_path / "grown" / LOG).write_bytes(data[:cut])
    first, files = distil(tmp_path / "grown")
    (tmp_path / "grown" / LOG).write_bytes(data)
    second, _ = distil(tmp_path / "grown", files)
    assert first.transactions + second.transactions == whole_report.transactions == 20
    assert (first.repeated, second.repeated, whole_report.stray, second.stray) == (0, 0, 0, 0)
    memories = [json.loads(one.texts[STATE_NAME]) for one in (files, whole)]
    for part in ("known", "days", "rejected"):
        assert memories[0][part] == memories[1][part]
    rejections = next(row for row in memories[0]["known"] if row[:2] == ["rejection", "objective_agent"])
    assert rejections[2] == {"goal_agent": 20}
    (tmp_path / "grown" / "20260226-1.log").write_bytes(data)
    before = knowledge(files)
    third, _ = distil(tmp_path / "grown", files)
    assert third.transactions == 0
    assert knowledge(files) == before
    assert json.loads(files.texts[STATE_NAME])["known"] == memories[1]["known"]


def test_a_log_that_was_replaced_is_read_anew(logs):
    """M-64: and what was counted is not counted again."""
    _, files = distil(logs)
    write_log(logs, *some_chains(25, first=-5))
    report, _ = distil(logs, files)
    assert (report.messages, report.transactions, report.repeated) == (75, 5, 20)


def test_a_chain_of_a_log_that_is_gone_is_forgotten(tmp_path):
    """M-64: what had begun in it does not wait for an end that no log holds."""
    (tmp_path / LOG).write_bytes(b"".join(lines(chain("req-1")[:2])))
    report, files = distil(tmp_path)
    assert report.unfinished == 1
    (tmp_path / LOG).write_bytes(b"".join(lines(chain("req-2"))))
    report, _ = distil(tmp_path, files)
    assert (report.transactions, report.unfinished) == (1, 0)


def test_malformed_entries_are_counted(logs):
    """M-06: and everything else is read."""
    write_log(logs, *some_chains(4), extra=b'rubbish\n{"torn": \n\n\xff\xfe\n' + b"".join(lines(chain("req-z"))))
    report, _ = distil(logs)
    assert (report.malformed, report.transactions) == (3, 5)


def test_all_four_forms_are_distilled_together(tmp_path):
    """T-34: our own and the original's three, one transaction each."""
    folder = tmp_path / "logs"
    write_log(folder, chain("req-1"))
    text = "".join(bracketed("objective_agent", source="user", session="sess-9", number=at) for at in (1, 9))
    (folder / "20260225.log").write_text(text)
    (folder / "20260226-1.md").write_text(daily_log(chain("req-2")))
    over = {"task_states": {}, "dispatches": [{"targetAgent": "memory_agent", "body": {}}], "complete": True}
    whole = chain("req-3", end={"following": "dispatch_agent"})
    log = daily_log(whole) + event("dispatch_agent", over, name="workflow_completed", request="req-3")
    (folder / "26022026-2.md").write_text(log)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    report, _ = distil(folder)
    assert (report.logs_read, report.malformed, report.transactions) == (4, 0, 4)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_log_is_cut_where_records_begin(logs):
    """M-11: pieces of any size hold every record once."""
    ((name, path),) = list_logs(logs)
    for size in (100, 1_000, 7_777, 10**9):
        pieces = pieces_of(name, path, 0, size)
        assert sum(read_piece(piece, box_count=3).messages for piece in pieces) == 60
        assert [piece.start for piece in pieces][1:] == [piece.end for piece in pieces][:-1]
        assert (len(pieces) == 1) is (size == 10**9)
    prose = logs / "20260226-1.md"
    prose.write_text(daily_log(chain("req-2")))
    assert len(pieces_of(parse_log_name(prose.name), prose, 0, 100)) == 1


def test_a_piece_ends_with_its_last_whole_record(logs):
    """M-64: what is still being written is read when it is written."""
    ((name, path),) = list_logs(logs)
    whole = path.stat().st_size
    path.write_bytes(path.read_bytes() + b'{"message_id": "half')
    read = read_piece(LogPart(str(path), name, 0, path.stat().st_size), box_count=1)
    assert (read.whole_up_to, read.messages, read.malformed) == (whole, 60, 0)


def test_how_far_a_log_was_read(logs):
    """M-64: nothing, what was added, or all of it."""
    ((name, path),) = list_logs(logs)
    size = path.stat().st_size
    assert unread_from(name, path, None) == 0
    mark = mark_of(path, size, size)
    assert unread_from(name, path, mark) is None
    path.write_bytes(path.read_bytes() + b"x\n")
    assert unread_from(name, path, mark) == size
    assert unread_from(name, path, LogMark(size, size, "0" * 16)) == 0
    path.write_bytes(b"short\n")
    assert unread_from(name, path, mark) == 0
    path.write_bytes(b"")
    assert unread_from(name, path, None) is None


def test_a_large_log_is_read_in_little_memory(tmp_path):
    """M-02: a log ten times as long takes no more."""

    def peak(count):
        write_log(tmp_path / str(count), *some_chains(count))
        ((name, path),) = list_logs(tmp_path / str(count))
        piece = pieces_of(name, path, 0)[0]
        tracemalloc.start()
        read = read_piece(piece, box_count=4)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        packed = sum(len(box) for box in read.boxes.values())
        assert packed < path.stat().st_size / 20
        return most - 2 * packed

    peak(10)
    small, large = peak(700), peak(7_000)
    assert large < small * 1.5


def test_a_dry_run_writes_nothing(logs):
    """M-21: it says what it would write."""
    files = DictFiles()
    report = Distiller(logs, files, Distillation()).run(NOW, dry_run=True)
    assert (files.texts, files.written) == ({}, [])
    assert "domain_knowledge.md" in report.texts
    assert report.before["domain_knowledge.md"] is None


@pytest.mark.parametrize("fails_at", range(1, 7))
def test_a_run_that_dies_while_writing_is_finished_by_the_next(logs, fails_at):
    """M-64: after any of its writes, the next run leaves what an undisturbed one does."""

    class Dying(DictFiles):
        def write(self, name, text):
            if len(self.written) == fails_at - 1:
                raise OSError("the power went")
            super().write(name, text)

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
    """M-64: it does not write over what others wrote."""

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


def by_scheduler(logs, where):
    """Return the files that a scheduler leaves, the logs in many pieces."""
    files = DictFiles()
    with open_scheduler(where) as scheduler:
        report = Distiller(logs, files, Distillation(), scheduler=scheduler).run(NOW)
    return report, files


@pytest.fixture
def many_logs(tmp_path):
    """A folder with eight logs."""
    for at in range(8):
        write_log(tmp_path / "logs", *some_chains(5, first=5 * at), name=f"202602{18 + at}.log")
    return tmp_path / "logs"


def test_all_cores_give_what_one_gives(many_logs):
    """M-11: the same files, byte for byte."""
    report, here = by_scheduler(many_logs, "here")
    other, cores = by_scheduler(many_logs, "cores")
    assert report.transactions == other.transactions == 40
    assert here.texts == cores.texts


class DaskCluster:
    """A local Dask cluster of two workers, each a process."""

    def __init__(self, process):
        self._process = process
        self.address = process.stdout.readline().strip()
        assert self.address.startswith("tcp://127.0.0.1")

    def kill_workers(self):
        """Kill both workers at once; nobody starts them again."""
        self._process.stdin.write("kill\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "killed\n"


@pytest.fixture
def dask():
    """Yield the cluster."""
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
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield DaskCluster(process)
        finally:
            process.communicate("\n", timeout=60)


def test_a_cluster_gives_what_one_process_gives(many_logs, dask):
    """M-11: two workers of a local Dask cluster, each a process."""
    _, away = by_scheduler(many_logs, dask.address)
    _, here = by_scheduler(many_logs, "here")
    assert away.texts == here.texts


def test_a_cluster_whose_workers_are_dead_is_an_error(many_logs, dask):
    """Issue 23, M-11, M-64: it is told, not waited out; nothing was filed, and another run counts everything."""
    files = DictFiles()
    with (
        open_scheduler(dask.address, patience_seconds=0.5) as scheduler,
        pytest.raises(SchedulerError, match=rf"{dask.address} has had no worker for 0\.5 seconds"),
    ):
        dask.kill_workers()
        Distiller(many_logs, files, Distillation(), scheduler=scheduler).run(NOW)
    assert files.texts == {}
    assert distil(many_logs, files)[0].transactions == 40
    assert PATIENCE_SECONDS == 30


@pytest.mark.parametrize("where", ["somewhere", "", "dask"])
def test_an_unknown_scheduler_is_named(where):
    """M-11: what was found, what is allowed."""
    with pytest.raises(SchedulerError, match="allowed: here, cores, or an address"), open_scheduler(where):
        pass


def test_a_cluster_that_is_not_there_is_named():
    """M-11: at once, and by its address."""
    pytest.importorskip("distributed", reason="Dask is not installed: the extra `dask`")
    with pytest.raises(SchedulerError, match=r"tcp://127\.0\.0\.1:9"), open_scheduler("tcp://127.0.0.1:9"):
        pass


def test_a_month_later_everything_has_faded_once(logs):
    """M-59: the daily run without new logs lowers what nobody confirms."""
    _, files = distil(logs)
    report, _ = distil(logs, files, NOW + timedelta(days=31))
    assert report.filing.reports["quality_benchmarks.md"].revised
    before = dict(files.texts)
    distil(logs, files, NOW + timedelta(days=31))
    assert files.texts == before


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
    for title in ("Requests to acquire video and transcribe audio", "Input: video from youtube"):
        assert f"## Entry: {title}\n" in edited.texts[name]
        assert f"## Entry: {title}\n" in calm.texts[name]


def test_a_torn_entry_of_a_markdown_log_is_counted(tmp_path):
    """M-06: whatever was read before it stays read."""
    (tmp_path / "20260226-1.md").write_text(daily_log(chain("req-1")) + "\n```json\n{")
    report, _ = distil(tmp_path)
    assert (report.malformed, report.transactions) == (1, 1)
