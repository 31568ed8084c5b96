"""Files and memory over several runs of filing, and records of transactions to run it with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory_ledger.knowledge.decisions import DONE, Delegation, FirstFailure, TransactionSummary
from memory_ledger.knowledge.documents import parse_document
from memory_ledger.knowledge.filing import Filing, window_of
from memory_ledger.knowledge.shelving import RunReport
from memory_ledger.knowledge.state import KnowledgeState, LogCount, state_from_text, state_to_text
from memory_ledger.knowledge.words import ChainOutcome
from memory_ledger.setting_groups import Distillation

from knowledge_tools.logs import tally_of

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
ERRORS = "error_prevention.md"
WORK = "operational_heuristics.md"


def failed(number, agent="action_agent", error="TIMEOUT", *, days_ago=1, path=None):
    """Return the record of a transaction that failed."""
    at = NOW - timedelta(days=days_ago, seconds=100 - number)
    return TransactionSummary(
        transaction_id=f"txn_{number}",
        day=at.date().isoformat(),
        at=at.timestamp(),
        outcome=ChainOutcome.FAILURE if error else ChainOutcome.SUCCESS,
        path=path or (),
        hops=3,
        seconds=20,
        objectives=0,
        goals=0,
        tasks=(),
        intents=(),
        inputs=(),
        failed_at=agent if error else "",
        error=error,
        escalation="",
        interventions=(),
        gaps=(),
        used=(agent,) if error else (),
        failures=(FirstFailure(agent, error, ""),) if error else (),
    )


def handed(number, end=DONE, *, days_ago=1, to="researcher"):
    """Return the record of a transaction in which a profile was given work, which ended so at the third try."""
    return replace(failed(number, error="", days_ago=days_ago), delegations=(Delegation(to, "", 3, end),))


class Shelf:
    """Files and memory over several runs; the memory goes through its text each time."""

    def __init__(self, governance=None, **options):
        self.texts, self.memory, self.runs = {}, KnowledgeState(), 0
        self.options = Distillation(**options)
        self.governance = governance or {}

    def run(self, *decisions, now=NOW):
        """Count some transactions, and file what they come to."""
        self.memory = state_from_text(state_to_text(self.memory))
        self.runs += 1
        for day in {one.day for one in decisions}:
            counted = tally_of([one for one in decisions if one.day == day])
            log = LogCount("x.log", day, days={day: counted}, transactions=len(decisions))
            self.memory.take({f"{self.runs} {day}": log})
        filing = RunReport(days=window_of(now, self.options.pattern_window_days))
        how = {"options": self.options, "now": now, "governance": self.governance}
        Filing(self.texts, self.memory, self.memory.days(), filing, **how).run()
        self.texts |= filing.texts
        return filing

    def entries(self, name):
        """Return the entries of a file by title."""
        blocks = parse_document(self.texts.get(name, "")).blocks
        return {block.entry.title: block.entry for block in blocks}

    def rows(self, name):
        """Return the log of changes of a file: action and id."""
        text = self.texts.get(name, "")
        rows = text[text.index("|------|") :].splitlines()[1:] if "|------|" in text else []
        return [tuple(one.strip() for one in row.split("|")[2:5]) for row in rows]

    def edit(self, name, old, new):
        """Change a file as a person would."""
        assert old in self.texts[name]
        self.texts[name] = self.texts[name].replace(old, new, 1)
