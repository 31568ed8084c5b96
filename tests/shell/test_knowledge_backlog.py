"""Logs of any length beside chats, and what is remembered of them: in batches, by days, at rest (M-02, M-64, T-58)."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
from knowledge_tools.files import DictFiles
from knowledge_tools.logs import START, chain, lines
from memory_ledger.host.knowledge.day_files import COUNTED_DAYS, KEPT_DAYS, KNOWN_DAYS, MOST_PENDING, DayFiles
from memory_ledger.host.knowledge.distillation import Distiller
from memory_ledger.host.knowledge.log_files import list_logs, pieces_of, read_piece
from memory_ledger.host.storage.throttle import Stopped, Throttle
from memory_ledger.knowledge.categories import STATE_NAME
from memory_ledger.knowledge.memory import MemoryStateError, memory_from_text
from memory_ledger.knowledge.options import Distillation

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
LOG = "20260226.log"
DAY = "2026-02-26"


def write_day(folder, day, count, *, first=0, mode="ab"):
    """Add so many chains of a day, counted from 2026-02-26, to its log."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{START + timedelta(days=day):%Y%m%d}.log").open(mode) as stream:
        for at in range(first, first + count):
            stream.writelines(lines(chain(f"req-{day}-{at}", seconds=86_400 * day + at)))


def distil(folder, files, now=NOW, **how):
    """Distil once; return the report."""
    return Distiller(folder, files, Distillation(), **how).run(now)


def for_people(files):
    """Return what a person reads."""
    return {name: text for name, text in files.texts.items() if not name.startswith(".")}


def counts_of(files):
    """Return the counts of all time, and of each day."""
    state = json.loads(files.texts[STATE_NAME])
    days = {name: json.loads(text) for name, text in files.texts.items() if name.startswith(".days/")}
    return state["known"], state["days"], days


@pytest.fixture
def logs(tmp_path):
    """A folder with the logs of two days, two hundred transactions each."""
    for day in (-1, 0):
        write_day(tmp_path / "logs", day, 200)
    return tmp_path / "logs"


@pytest.mark.parametrize("batch_bytes", [1_000, 7_777, 100_000, 10**9])
def test_batches_come_to_what_one_run_does(logs, batch_bytes):
    """M-64: however the logs are cut, for people and for the next run; the report counts all of it."""
    whole, files = DictFiles(), DictFiles()
    distil(logs, whole)
    report = distil(logs, files, batch_bytes=batch_bytes)
    assert (report.messages, report.transactions, report.malformed, report.unfinished) == (1_200, 400, 0, 0)
    assert for_people(files) == for_people(whole)
    assert counts_of(files) == counts_of(whole)
    assert set(report.before) == set(report.texts)


def test_a_run_that_is_stopped_is_taken_up_where_it_was(logs):
    """M-64: between two lines; what a batch has committed is not read again, and nothing is counted twice."""
    calm, files, calls = DictFiles(), DictFiles(), 0
    distil(logs, calm)

    def stop_at_last():
        nonlocal calls
        calls += 1
        if calls == 900:
            raise Stopped

    with pytest.raises(Stopped):
        distil(logs, files, rest=stop_at_last, batch_bytes=200_000)
    before = memory_from_text(files.texts[STATE_NAME])
    assert 0 < sum(map(len, before.tags.values())) < 400
    report = distil(logs, files, rest=lambda: None, batch_bytes=200_000)
    assert report.messages < 1_200
    assert report.repeated == 0
    assert for_people(files) == for_people(calm)
    assert counts_of(files) == counts_of(calm)


def test_a_thread_rests_at_every_line_and_between_boxes(logs):
    """M-24: also in the first run over logs that were there before the pack."""
    calls = []
    distil(logs, DictFiles(), rest=lambda: calls.append(threading.current_thread()))
    assert len(calls) > 1_200 + sum(path.stat().st_size for path in logs.iterdir()) // 65_536
    assert set(calls) == {threading.current_thread()}


def test_a_stopped_pace_ends_the_run(logs):
    """M-24: the host's stop is heard at the first line that follows."""
    throttle = Throttle()
    throttle.stop.set()
    files = DictFiles()
    with pytest.raises(Stopped):
        distil(logs, files, rest=throttle.rest)
    assert files.texts == {}


def test_what_is_remembered_does_not_grow_with_the_transactions(tmp_path):
    """T-58: after ten times as many, `.state.json` is as large, and a chain's end writes no file of a day anew."""
    sizes = []
    files = DictFiles()
    for first in (0, 1_000):
        write_day(tmp_path, 0, 1_000 if not first else 9_000, first=first)
        distil(tmp_path, files)
        sizes.append(len(files.texts[STATE_NAME]))
    assert sizes[1] < sizes[0] * 1.1
    assert len(files.texts[f".counted/{DAY}.txt"].split()) == 10_000
    files.written.clear()
    write_day(tmp_path, 0, 1, first=10_000)
    report = distil(tmp_path, files)
    assert report.transactions == 1
    assert not [name for name in files.written if name.startswith((".counted/", ".days/"))]


@pytest.mark.parametrize("count", [1, MOST_PENDING, MOST_PENDING + 1])
def test_a_copied_log_is_known_wherever_its_digests_stand(tmp_path, count):
    """M-64, T-58: in the memory, or in the file of the day."""
    write_day(tmp_path, 0, count)
    files = DictFiles()
    distil(tmp_path, files)
    assert (f".counted/{DAY}.txt" in files.texts) is (count > MOST_PENDING)
    before = counts_of(files), for_people(files)
    (tmp_path / "20260226-1.log").write_bytes((tmp_path / LOG).read_bytes())
    report = distil(tmp_path, files)
    assert (report.transactions, report.repeated) == (0, count)
    assert (counts_of(files), for_people(files)) == before


def test_days_that_are_over_stand_in_files_of_their_own(tmp_path):
    """M-11, T-58: a window that reaches back holds them all the same; a late message brings a day back."""
    for day in range(-19, 1):
        write_day(tmp_path, day, 2)
    files = DictFiles()
    distil(tmp_path, files)
    memory = memory_from_text(files.texts[STATE_NAME])
    assert len(memory.days) == KEPT_DAYS
    assert sum(name.startswith(".days/") for name in files.texts) == 20 - KEPT_DAYS
    for first, last, days in (("2026-01-01", DAY, 20), ("2026-02-10", "2026-02-12", 3), (DAY, DAY, 1)):
        window = DayFiles(files).window(memory, first, last)
        assert sum(counts.total for key, counts in window.items() if key[0] == "outcome") == 2 * days
    write_day(tmp_path, -15, 1, first=2)
    distil(tmp_path, files)
    late = "2026-02-11"
    assert late not in memory_from_text(files.texts[STATE_NAME]).days
    tally = DayFiles(files).tally(late)
    assert sum(counts.total for key, counts in tally.items() if key[0] == "outcome") == 3
    assert "3 transactions" in files.texts[f"session_summaries/{late}_summary.md"]


def test_old_days_are_forgotten_and_their_summaries_stay(tmp_path):
    """M-23, T-58: the counts first, the digests much later; a part of a forgotten day overwrites no summary."""
    for day in (-COUNTED_DAYS - KEPT_DAYS - 30, *range(-KEPT_DAYS, 1)):
        write_day(tmp_path, day, 2)
    files = DictFiles()
    distil(tmp_path, files)
    old = f"{START - timedelta(days=COUNTED_DAYS + KEPT_DAYS + 30):%Y-%m-%d}"
    summary = files.texts[f"session_summaries/{old}_summary.md"]
    assert f".days/{old}.json" not in files.texts
    assert "2 transactions" in summary
    write_day(tmp_path, -COUNTED_DAYS - KEPT_DAYS - 30, 1, first=2)
    assert distil(tmp_path, files).transactions == 1
    assert files.texts[f"session_summaries/{old}_summary.md"] == summary
    days = DayFiles(files)
    files.texts |= {f".counted/{day}.txt": "x\n" for day in ("2025-01-01", "2026-02-01")}
    days.forget(f"{datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=KNOWN_DAYS + 1):%Y-%m-%d}")
    assert days.digests("2025-01-01") is None
    assert days.digests("2026-02-01") == {"x"}


def test_a_damaged_file_of_a_day_is_named(tmp_path):
    """M-64: it is not taken for an empty one."""
    with pytest.raises(MemoryStateError, match=r"\.days/2026-02-26\.json cannot be read .* Restore it"):
        DayFiles(DictFiles({f".days/{DAY}.json": "{"})).tally(DAY)


def rotated(path):
    """The same name, other transactions."""
    path.write_bytes(b"".join(line for at in range(3) for line in lines(chain(f"new-{at}", seconds=at))))


def cut(path):
    path.write_bytes(path.read_bytes()[:30_000])


def cut_and_written_on(path):
    """Cut in the middle, and longer than before: how it begins is what it was."""
    data = path.read_bytes()
    new = b"".join(line for at in range(400) for line in lines(chain(f"new-{at}", seconds=at)))
    path.write_bytes(data[: data.index(b"\n", 50_000) + 1] + new)


def emptied(path):
    path.write_bytes(b"")


@pytest.mark.parametrize(
    ("change", "new", "told"),
    [
        (rotated, 3, "was replaced or cut"),
        (cut, 0, "was replaced or cut"),
        (cut_and_written_on, 400, "was replaced or cut"),
        (emptied, 0, "was replaced or cut"),
        (lambda path: path.unlink(), 0, "is gone; what was counted of it stays"),
    ],
)
def test_a_log_that_is_no_longer_what_it_was(logs, change, new, told):
    """M-64, M-65: nothing is counted twice, nothing raised, it is told once; restored, it adds nothing either."""
    files = DictFiles()
    distil(logs, files)
    before = (logs / LOG).read_bytes()
    change(logs / LOG)
    report = distil(logs, files)
    assert (report.transactions, len(report.notices)) == (new, 1)
    assert LOG in report.notices[0] and told in report.notices[0]
    again = distil(logs, files)
    assert (again.notices, again.transactions, again.logs_read) == ([], 0, 0)
    (logs / LOG).write_bytes(before)
    assert distil(logs, files).transactions == 0


def test_logs_whose_folder_is_away_are_not_gone(logs):
    """M-64: a disk that is not mounted says nothing about a log."""
    files = DictFiles()
    distil(logs, files)
    logs.rename(logs.parent / "away")
    assert distil(logs, files).notices == []
    (logs.parent / "away").rename(logs)
    assert (distil(logs, files).logs_read, distil(logs, files).notices) == (0, [])


def test_a_log_that_cannot_be_read_keeps_no_other_from_being_read(logs):
    """M-06: it is named, and read as soon as it can be."""
    broken = logs / "20260101.log"
    broken.symlink_to("/proc/self/mem")
    files = DictFiles()
    report = distil(logs, files)
    assert report.transactions == 400
    assert report.notices == ["20260101.log cannot be read (Input/output error); the other logs were"]
    broken.unlink()
    broken.write_bytes(b"".join(lines(chain("req-x"))))
    assert distil(logs, files).transactions == 1


def test_what_is_written_while_a_log_is_read_is_read_by_the_next_run(logs):
    """M-64: a line that came between the reading and the marking waits, and is not taken for read."""
    files, late = DictFiles(), [lambda: write_day(logs, 0, 1, first=900)]

    def write_late(what, done, total):
        if what == "logs read" and done == total and late:
            late.pop()()

    assert distil(logs, files, progress=write_late).transactions == 400
    assert distil(logs, files).transactions == 1


def test_what_has_not_ended_is_the_same_in_every_run(tmp_path):
    """M-03, M-64: in the first run, in one with nothing new, and in one over a day more."""
    write_day(tmp_path, 0, 3)
    with (tmp_path / LOG).open("ab") as stream:
        stream.writelines(lines(chain("req-open")[:2]))
    files = DictFiles()
    assert [distil(tmp_path, files, NOW + timedelta(days=at)).unfinished for at in (0, 0, 30)] == [1, 1, 1]
    write_day(tmp_path, 1, 1)
    assert distil(tmp_path, files).unfinished == 1


@pytest.mark.parametrize(("days", "unfinished"), [(7, 1), (8, 0)])
def test_a_chain_that_waits_too_long_is_given_up_by_the_days_of_the_logs(tmp_path, days, unfinished):
    """M-03, T-58: whenever it is read; so `.state.json` does not hold it for ever."""
    (tmp_path / LOG).write_bytes(b"".join(lines(chain("req-open")[:2])))
    at_once, day_by_day = DictFiles(), DictFiles()
    distil(tmp_path, day_by_day)
    write_day(tmp_path, days, 1)
    for files in (at_once, day_by_day):
        assert distil(tmp_path, files).unfinished == unfinished
    assert len(memory_from_text(at_once.texts[STATE_NAME]).open_rows) == 2 * unfinished


def test_a_line_without_an_end_holds_no_batch_up(tmp_path):
    """M-06: a block that never ends, longer than a batch, is counted and left behind."""
    block = b"[TIMESTAMP: 10:00:00]\n[AGENT: x]\n" + b"rubbish\n" * 3_000
    (tmp_path / LOG).write_bytes(block + b"".join(lines(chain("req-1"))) + b'{"message_id": "half')
    report = distil(tmp_path, DictFiles(), batch_bytes=1_000)
    assert report.transactions == 1
    assert report.malformed == 1


def test_the_pieces_of_a_batch_end_where_a_record_begins(logs):
    """M-11, M-64: all batches together hold every record once."""
    (_, (name, path)) = list_logs(logs)
    start, messages = 0, 0
    while start < path.stat().st_size:
        pieces = pieces_of(name, path, start, 3_000, most_bytes=10_000)
        read = [read_piece(piece, box_count=1) for piece in pieces]
        assert [one.whole_up_to for one in read] == [piece.end for piece in pieces]
        messages += sum(one.messages for one in read)
        start = pieces[-1].end
    assert messages == 600
    assert pieces[-1].is_last


def test_a_dry_run_over_many_batches_tells_what_the_run_does(logs):
    """M-21: text for text; and nothing is written, also not what a run that died had begun."""
    files = DictFiles()
    trial = Distiller(logs, files, Distillation(), batch_bytes=50_000).run(NOW, dry_run=True)
    assert files.texts == {}
    real = Distiller(logs, files, Distillation(), batch_bytes=50_000).run(NOW)
    assert (trial.texts, trial.before) == (real.texts, real.before)
    state = json.loads(files.texts[STATE_NAME])
    state["writing"] = {"domain_knowledge.md": ["", "begun"]}
    files.texts[STATE_NAME] = json.dumps(state)
    del files.texts["domain_knowledge.md"]
    before = dict(files.texts)
    Distiller(logs, files, Distillation()).run(NOW, dry_run=True)
    assert files.texts == before
