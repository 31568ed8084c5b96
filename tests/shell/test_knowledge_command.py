"""`memory-ledger knowledge`: status, distil, recall, approve, reject, archive (M-21, M-25, M-58 ... M-66)."""

import json
import re
from datetime import timedelta

import pytest
from knowledge_tools.logs import PRIVATE, chain, lines, message, write_todays_log
from memory_ledger import cli
from memory_ledger.clock import system_clock
from memory_ledger.host.knowledge.service import AGENT_FILE

ACTIVE, STAGING = "operational_heuristics.md", "staging/operational_heuristics.md"


class Terminal:
    """A folder of Agent Zero's user, and what a command prints."""

    def __init__(self, home, capsys):
        self.home, self._capsys = home, capsys

    def run(self, verb, *args, status=0):
        assert cli.main(["knowledge", verb, *map(str, args), "--home", str(self.home)]) == status
        printed = self._capsys.readouterr()
        self.told = printed.err
        return printed.out

    def files(self):
        """Return every file below the folder, the log apart."""
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes()
            for path in self.home.rglob("*")
            if path.is_file() and "logs" not in path.parts
        }

    def text(self, name):
        path = self.home / "context" / "memory" / name
        return path.read_text("utf-8") if path.is_file() else ""

    def entry(self):
        """Return the id of the entry about plans, as status shows it."""
        line = next(one for one in self.run("status").splitlines() if "Plan for requests" in one)
        return line.split()[0]

    def distilled(self):
        """Distil, and return the id of an entry that waits in staging."""
        self.run("distil")
        return self.entry()


@pytest.fixture
def terminal(tmp_path, capsys):
    """A terminal beside a log of four transactions: entries that wait."""
    terminal = Terminal(tmp_path / "usr", capsys)
    write_todays_log(terminal.home, 4)
    (terminal.home / "memory").mkdir()
    return terminal


def test_messages_that_belong_to_no_transaction_are_told(terminal):
    """M-03, M-06: nobody has to wonder where they went."""
    log = next((terminal.home / "system" / "logs").iterdir())
    late = message("goal_agent", number=2, request="req-late", session="sess-late", source="objective_agent")
    log.write_bytes(log.read_bytes() + lines([late])[0])
    assert "4 new transactions, 0 not ended yet, 1 message outside of any\n" in terminal.run("distil")


def test_the_logs_become_knowledge(terminal):
    printed = terminal.run("distil")
    assert "context/memory/staging/operational_heuristics.md: 1 added, 0 revised" in printed
    assert "1 log read: 12 messages, 0 malformed\n4 new transactions, 0 not ended yet\n" in printed
    before = terminal.files()
    assert "no new patterns identified" in terminal.run("distil")
    after = terminal.files()
    assert before.pop(f"memory/{AGENT_FILE}") != after.pop(f"memory/{AGENT_FILE}")
    assert after == before
    assert not [one for one in PRIVATE if one in str(after)]


def test_a_window_without_transactions_is_told_with_the_days_that_hold_logs(terminal):
    logs = terminal.home / "system" / "logs"
    old = system_clock() - timedelta(days=40)
    for path in logs.iterdir():
        path.unlink()
    for back in (0, 1, 3):
        day = old - timedelta(days=back)
        ended = 3 if back == 3 else 2
        messages = [one for at in range(10) for one in chain(f"req-{back}-{at}")[:ended]]
        for one in messages:
            one["timestamp"]["executed_at"] = day.isoformat()
        (logs / f"{day:%Y%m%d}.log").write_bytes(b"".join(lines(messages)))
    for options in (("--dry-run",), ()):
        assert "no new patterns identified" in terminal.run("distil", *options)
        assert f"there are logs of 3 days, from {old - timedelta(days=3):%Y-%m-%d} to {old:%Y-%m-%d}" in terminal.told
    (days,) = re.findall(r"--days (\d+)\n", terminal.told)
    assert "added, 0 revised" in terminal.run("distil", "--days", days)
    assert "(based on 10 transactions)" in terminal.text(STAGING)
    assert "--days" not in terminal.told


def test_logs_of_the_window_are_not_to_be_searched_again_and_missing_ones_are_told(terminal):
    """Issue 23: all that the log of today holds has not ended yet; with the folder that was looked into."""
    (log,) = (terminal.home / "system" / "logs").iterdir()
    log.write_bytes(b"".join(lines(chain("req-1")[:2])))
    terminal.run("distil")
    assert terminal.told.endswith(f"there are logs of {system_clock():%Y-%m-%d}\n")
    log.unlink()
    terminal.run("distil")
    assert f"{log.parent} holds no log; name another folder with --logs DIR\n" in terminal.told


def test_a_dry_run_shows_the_difference_of_every_file(terminal):
    before = terminal.files()
    printed = terminal.run("distil", "--dry-run")
    assert terminal.files() == before
    assert "+++ b/context/memory/staging/operational_heuristics.md" in printed
    assert "+++ b/context/memory/session_summaries/" in printed
    assert "+# Operational Heuristics" in printed
    assert printed.endswith("(dry run: nothing was written)\n")
    terminal.run("distil")
    printed = terminal.run("distil", "--dry-run")
    assert "+++" not in printed
    write_todays_log(terminal.home, 4, first=4)
    printed = terminal.run("distil", "--dry-run")
    assert "-- **Confidence:** 0.57 (based on 4 transactions)" in printed
    assert "+- **Confidence:** 0.73 (based on 8 transactions)" in printed


def test_status_shows_what_is_known_and_what_waits(terminal):
    """M-58, M-62: entries by place with their confidence, tokens, logs, the last run."""
    printed = terminal.run("status")
    assert "active: 0 entries\nstaging: 0 entries\narchive: 0 entries\n" in printed
    assert "logs: 1, 1 with something to read\nlast scheduled distillation: never\n" in printed
    terminal.run("distil")
    printed = terminal.run("status")
    assert f"  0.57  Plan for requests to acquire video and transcribe audio  ({STAGING})" in printed
    assert "about 0 of 2000 tokens\nlogs: 1, 0 with something to read\n" in printed
    assert "distillation: never" not in printed


def test_an_entry_is_approved_and_stays_so(terminal):
    """M-58: from staging into every prompt; no later run takes it back, and every word of it is kept."""
    one = terminal.distilled()
    was = terminal.text(STAGING).split("## Entry:")[1].split("## [CHANGE_LOG]")[0]
    before = terminal.files()
    printed = terminal.run("approve", one, "--dry-run")
    assert f"+++ b/context/memory/{ACTIVE}" in printed and f"+++ b/context/memory/{STAGING}" in printed
    assert terminal.files() == before
    printed = terminal.run("approve", one)
    assert printed == "".join(f"context/memory/{name}: {one} was changed by approve\n" for name in (ACTIVE, STAGING))
    assert was in terminal.text(ACTIVE)
    assert f"| APPROVED | {one} | By hand, from {STAGING} |" in terminal.text(ACTIVE)
    assert f"**ID:** {one}" not in terminal.text(STAGING)
    before = terminal.text(ACTIVE)
    terminal.run("distil")
    assert terminal.text(ACTIVE) == before
    assert "active: 1 entry" in terminal.run("status")
    terminal.run("approve", one, status=1)
    assert "stands in operational_heuristics.md already" in terminal.told


@pytest.mark.parametrize("verb", ["reject", "archive"])
def test_what_was_taken_out_does_not_come_back(terminal, verb):
    """M-21, M-60, M-64: also when more transactions say the same, however sure it becomes."""
    one = terminal.distilled()
    terminal.run(verb, one)
    write_todays_log(terminal.home, 9, first=9)
    terminal.run("distil")
    everything = terminal.text(ACTIVE) + terminal.text(STAGING)
    assert f"**ID:** {one}" not in everything
    if verb == "reject":
        assert "Entry: Plan" not in everything
        assert f"| REJECTED | {one} | By hand; it does not come back |" in everything
    else:
        assert f"**ID:** {one}" in terminal.text("archive/operational_heuristics.md")


def test_an_interrupted_decision_is_finished_by_giving_it_again(terminal):
    one = terminal.distilled()
    was = terminal.text(STAGING)
    terminal.run("approve", one)
    (terminal.home / "context" / "memory" / STAGING).write_text(was, "utf-8")
    terminal.run("approve", one)
    assert terminal.text(ACTIVE).count(f"**ID:** {one}") == 1
    assert f"**ID:** {one}" not in terminal.text(STAGING)


def test_an_entry_that_no_run_has_seen_is_distilled_first(terminal):
    """M-58: what the next run would take for its own is not approved before it."""
    terminal.run("distil")
    path = terminal.home / "context" / "memory" / STAGING
    path.write_text(path.read_text("utf-8").replace("MEM-00", "MEM-10"), "utf-8")
    one = terminal.entry()
    terminal.run("approve", one, status=1)
    assert f"{one} was written by hand, and no run has seen it yet; distil first" in terminal.told
    terminal.run("distil")
    terminal.run("approve", one)
    terminal.run("distil")
    assert f"**ID:** {one}" in terminal.text(ACTIVE)


def entries_of(text):
    return text.partition("## [CHANGE_LOG]")[0].split("## Entry:")[1:]


@pytest.mark.parametrize("verb", ["approve", "reject", "archive"])
def test_what_was_decided_is_taken_back(terminal, verb):
    """M-21: it stands where it stood, and no run moves it again; a second time there is nothing to take back."""
    terminal.run("distil")
    before = terminal.text(STAGING)
    one = terminal.entry()
    terminal.run(verb, one)
    assert f"{one} was changed: {verb} was taken back" in terminal.run("undo", one)
    assert sorted(entries_of(before)) == sorted(entries_of(terminal.text(STAGING)))
    terminal.run("distil")
    assert f"**ID:** {one}" in terminal.text(STAGING)
    assert f"**ID:** {one}" not in terminal.text(ACTIVE) + terminal.text(f"archive/{ACTIVE}")
    terminal.run("undo", one, status=1)
    assert "nothing was decided here" in terminal.told


@pytest.mark.parametrize("verb", ["approve", "reject", "archive"])
def test_an_entry_that_is_not_there_is_named(terminal, verb):
    terminal.run(verb, "MEM-099", status=1)
    assert "no entry MEM-099; allowed: there is none yet" in terminal.told
    terminal.run("distil")
    terminal.run(verb, "MEM-099", status=1)
    assert "allowed: MEM-001, " in terminal.told


def test_what_is_known_is_found(terminal):
    write_todays_log(terminal.home, 20, first=20)
    terminal.run("distil")
    before = terminal.files()
    found = [json.loads(line) for line in terminal.run("recall", "which", "plan").splitlines()]
    assert found[0]["file"] == f"context/memory/{ACTIVE}"
    assert "found" in terminal.told
    message = json.loads(terminal.run("recall", "plan", "--json"))
    assert message["output"]["content"]["recall_result"]["query"] == "plan"
    assert terminal.run("recall", "kettle") == ""
    assert terminal.files() == before


def test_the_whole_message_is_printed(terminal):
    """M-31, M-63: also of what failed."""
    message = json.loads(terminal.run("distil", "--json"))
    assert message["output"]["content"]["statistics"]["transactions_processed"] == 4
    (terminal.home / "context" / "memory" / ".state.json").write_text("{")
    message = json.loads(terminal.run("distil", "--json", status=1))
    assert message["error"]["has_error"]
    terminal.run("distil", status=1)
    assert "state.json cannot be read" in terminal.told


@pytest.mark.parametrize("place", ["memory/default", "projects/heron/.a0proj/memory"])
def test_the_logs_are_found_from_a_memory_folder(terminal, capsys, monkeypatch, place):
    """Issue 22: without `--home`, from within a memory folder of Agent Zero, a project's own too."""
    folder = terminal.home / place
    folder.mkdir(parents=True)
    (folder / "index.faiss").touch()
    monkeypatch.chdir(folder)
    assert cli.main(["knowledge", "distil"]) == 0
    assert "1 log read: 12 messages" in capsys.readouterr().out
