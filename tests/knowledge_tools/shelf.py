"""Files and memory over several runs of filing, and records of transactions to run it with."""

from datetime import UTC, datetime, timedelta

from memory_ledger.knowledge.decisions import DONE, TransactionSummary
from memory_ledger.knowledge.documents import parse_document
from memory_ledger.knowledge.filing import Filing, window_of
from memory_ledger.knowledge.patterns import FINE, Family, Observation
from memory_ledger.knowledge.shelving import RunReport
from memory_ledger.knowledge.state import KnowledgeState, LogCount, state_from_text, state_to_text
from memory_ledger.knowledge.words import ChainOutcome
from memory_ledger.setting_groups import Distillation

from knowledge_tools.logs import tally_of

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
ERRORS = "error_prevention.md"
WORK = "operational_heuristics.md"


def seen(number, *observations, days_ago=1, outcome=ChainOutcome.SUCCESS):
    """Return the record of a transaction with these observations: family, subject, answer."""
    at = NOW - timedelta(days=days_ago, seconds=100 - number)
    listed = tuple(Observation(*each) for each in observations)
    return TransactionSummary(f"txn_{number}", at.timestamp(), outcome, observations=listed)


def use(*names, **failures):
    """Return the observations of what was used; a failure is a code, and the remedy that worked after `>`."""
    ends = {**dict.fromkeys(names, FINE), **failures}
    return [
        *((Family.FAILURE, name, end) for name, end in ends.items()),
        *((Family.REJECTION, name, FINE) for name in ends),
    ]


def failed(number, agent="action_agent", error="TIMEOUT", *, days_ago=1):
    """Return the record of a transaction in which an agent failed."""
    return seen(number, *use(**{agent: f"{error}>"}), days_ago=days_ago, outcome=ChainOutcome.FAILURE)


def handed(number, end=DONE, *, days_ago=1, to="researcher"):
    """Return the record of a transaction in which a profile was given work, which ended so at the third try."""
    return seen(number, (Family.PROFILE, to, f"{end} 3"), days_ago=days_ago)


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
        return {entry.title: entry for entry in parse_document(self.texts.get(name, "")).entries}

    def rows(self, name):
        """Return the log of changes of a file: action and id."""
        text = self.texts.get(name, "")
        rows = text[text.index("|------|") :].splitlines()[1:] if "|------|" in text else []
        return [tuple(one.strip() for one in row.split("|")[2:5]) for row in rows]

    def edit(self, name, old, new):
        """Change a file as a person would."""
        assert old in self.texts[name]
        self.texts[name] = self.texts[name].replace(old, new, 1)
