"""What is filed, where it stands, what fades, and what is left alone (M-17 ... M-22, M-54 ... M-64, M-68 ... M-73)."""

import json
from collections import Counter
from datetime import date, timedelta

import pytest
from case_tables import read_case, read_cases
from knowledge_tools.logs import tally_of
from knowledge_tools.shelf import ERRORS, NOW, WORK, Shelf, failed, handed, seen, use
from memory_ledger.knowledge.decisions import AGAIN, MORE, SKIPPED
from memory_ledger.knowledge.documents import FILES, Category, Place, decayed, parse_document, prompt_text
from memory_ledger.knowledge.filing import concerns_in, contradicted_by, forbidding_sentences, window_of
from memory_ledger.knowledge.insights import insight_of, render_summary, title_of
from memory_ledger.knowledge.patterns import ALL, GOOD, IN_VAIN, LONG_RUN, AnswerCounts, Family
from memory_ledger.knowledge.rates import claims_in, is_encouraging
from memory_ledger.knowledge.state import KnowledgeState, MemoryStateError, state_from_text
from memory_ledger.knowledge.words import OTHER_ERROR, ChainOutcome
from memory_ledger.privacy import Level, scan
from memory_ledger.texts import estimate_tokens

CASES = read_cases(__file__)


@pytest.mark.parametrize(("days", "left"), [(0, 0.85), (29, 0.85), (30, 0.77), (59, 0.77), (60, 0.69), (-5, 0.85)])
def test_confidence_fades_in_steps(days, left):
    assert decayed(0.85, NOW.date() - timedelta(days=days), NOW.date(), window_days=30) == left


def test_a_pattern_becomes_an_entry():
    """M-17, M-18, M-45: sources, confidence and dates; ten that agree are active."""
    shelf = Shelf()
    filing = shelf.run(*(failed(number) for number in range(10)))
    entry = shelf.entries(ERRORS)["TIMEOUT of action_agent"]
    assert (entry.confidence, entry.transactions, entry.category) == (0.77, 10, Category.ERROR_PREVENTION)
    assert entry.sources == ("txn_9", "txn_8", "txn_7", "txn_6", "txn_5")
    assert entry.first_observed == entry.last_confirmed == date(2026, 2, 26)
    assert entry.insight == ("action_agent failed with TIMEOUT in all 10 requests that used it since 2026-02-26.")
    assert shelf.rows(ERRORS) == [("ADDED", entry.id, "TIMEOUT of action_agent")]
    assert [(row.action, row.entry_id) for row in filing.changes[ERRORS]] == [("ADDED", entry.id)]
    assert filing.patterns == 1


@pytest.mark.parametrize(
    ("count", "name"), [(2, None), (3, f"staging/{ERRORS}"), (9, f"staging/{ERRORS}"), (10, ERRORS)]
)
def test_evidence_decides_where_a_new_entry_stands(count, name):
    """M-58, T-60, issue 23: fewer than three are no pattern; below ten cases nothing is advised, however sure."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(count)))
    assert list(shelf.texts) == ([] if name is None else [name])


def test_the_minimum_is_configurable_and_a_low_new_entry_waits():
    """M-68: at 1 it goes to staging, and a second run does not archive it."""
    shelf = Shelf(min_transactions=1)
    shelf.run(failed(1))
    assert shelf.entries(f"staging/{ERRORS}")["TIMEOUT of action_agent"].confidence == 0.25
    before = dict(shelf.texts)
    assert shelf.run().texts == {}
    assert shelf.texts == before


def test_only_the_window_makes_new_patterns():
    """M-11: three transactions within two weeks are no pattern of this week."""
    shelf = Shelf()
    shelf.run(failed(1), failed(2, days_ago=3), failed(3, days_ago=10))
    assert shelf.texts == {}
    shelf.run(failed(4, days_ago=2))
    assert shelf.entries(f"staging/{ERRORS}")["TIMEOUT of action_agent"].transactions == 4


def test_new_evidence_revises_and_promotes():
    """M-21, M-58, M-73, T-36: the same id, out of staging, the row says from what to what; first observed stays."""
    shelf = Shelf()
    shelf.run(*(failed(number, days_ago=3) for number in range(3)))
    first = shelf.entries(f"staging/{ERRORS}")["TIMEOUT of action_agent"]
    filing = shelf.run(*(failed(number) for number in range(10, 20)))
    entry = shelf.entries(ERRORS)["TIMEOUT of action_agent"]
    assert (entry.id, entry.transactions, entry.confidence) == (first.id, 13, 0.81)
    assert (entry.first_observed, entry.last_confirmed) == (date(2026, 2, 24), date(2026, 2, 26))
    assert shelf.entries(f"staging/{ERRORS}") == {}
    rows = shelf.rows(ERRORS) + shelf.rows(f"staging/{ERRORS}")
    changed = [row for row in rows if row[0] != "ADDED"]  # issue 23: a change is one row
    assert changed == [("RESTORED", entry.id, "TIMEOUT of action_agent: confidence from 0.50 to 0.81")]
    assert (filing.written(), filing.written(ERRORS)) == ((0, 1), (0, 1))


def test_what_nobody_confirms_fades_and_is_archived():
    """M-59, M-60: out of the prompt after a while, in the archive at last; the history stays, and it can come back."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    one = shelf.entries(ERRORS)["TIMEOUT of action_agent"].id
    places = []
    for days in range(0, 400, 10):
        shelf.run(now=NOW + timedelta(days=days))
        found = [name for name in FILES if "TIMEOUT of action_agent" in shelf.entries(name)]
        assert len(found) == 1
        places += found if places[-1:] != found else []
    assert places == [ERRORS, f"staging/{ERRORS}", f"archive/{ERRORS}"]
    assert shelf.entries(f"archive/{ERRORS}")["TIMEOUT of action_agent"].confidence < 0.4
    assert ("ADDED", one, "TIMEOUT of action_agent") in shelf.rows(ERRORS)
    late = NOW + timedelta(days=400)
    shelf.run(*(failed(100 + number, days_ago=-399) for number in range(10)), now=late)
    assert shelf.entries(ERRORS)["TIMEOUT of action_agent"].id == one


def test_a_contradiction_is_flagged_and_does_not_overwrite():
    """M-61, M-70: this week's outcome differs; the entry stays until there is more evidence, then it is revised."""
    shelf = Shelf()
    shelf.run(*(handed(number, days_ago=20) for number in range(10)), now=NOW - timedelta(days=19))
    entry = shelf.entries(WORK)["Work for researcher"]
    before = shelf.texts[WORK]
    filing = shelf.run(*(handed(20 + number, "TIMEOUT") for number in range(4)))
    assert shelf.texts[WORK].count(entry.insight) <= 1
    (conflict,) = [one for one in filing.flags if entry.id in one]
    assert "done 3" in conflict and "TIMEOUT 3" in conflict
    assert shelf.texts[WORK] == before
    filing = shelf.run(*(handed(40 + number, "TIMEOUT") for number in range(10)))
    assert filing.flags == []
    revised = next(one for name in FILES for one in shelf.entries(name).values() if one.id == entry.id)
    assert "ended with TIMEOUT" in revised.insight
    assert any("ore transactions say TIMEOUT 3 than done 3" in row[2] for name in FILES for row in shelf.rows(name))


def test_knowledge_keeps_within_its_tokens():
    """M-62, T-40: of what enters the prompt the least sure goes first, and does not come back by itself."""
    shelf = Shelf(token_limit=180)
    for at, agent in enumerate("abcdef"):
        shelf.run(*(handed(100 * at + number, to=f"{agent}_agent") for number in range(10 + at)))
    active = shelf.entries(WORK)
    assert active
    prompt = "".join(
        prompt_text(parse_document(shelf.texts[name])) for name in FILES if "/" not in name and name in shelf.texts
    )
    assert estimate_tokens(prompt) <= 162
    archived = shelf.entries(f"archive/{WORK}")
    assert archived
    assert min(one.confidence for one in active.values()) >= max(one.confidence for one in archived.values())
    assert any("over the token limit" in row[2] for row in shelf.rows(f"archive/{WORK}"))
    assert shelf.run().texts == {}


def test_nothing_is_archived_before_the_limit_is_near():
    """M-62, T-40: at nine tenths of the limit the first entry goes, not before, and not only beyond it."""

    def active(limit):
        shelf = Shelf(token_limit=limit)
        shelf.run(*(handed(number) for number in range(10)), *(failed(100 + number) for number in range(8)))
        texts = [text for name, text in shelf.texts.items() if "/" not in name]
        shown = "".join(prompt_text(parse_document(text)) for text in texts)
        return estimate_tokens(shown), sum(len(parse_document(text).blocks) for text in texts)

    used, count = active(10_000)
    assert active(round(used / 0.89)) == (used, count)
    assert active(round(used / 0.95))[1] == count - 1


def test_ids_are_unique_and_never_used_again():
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)), *(handed(number) for number in range(20, 24)))
    ids = [one.id for name in FILES for one in shelf.entries(name).values()]
    assert len(set(ids)) == len(ids) == 2
    shelf.memory = KnowledgeState()
    shelf.texts[ERRORS] = shelf.texts[ERRORS].replace("MEM-001 |", "MEM-900 |")
    shelf.run(*(failed(number, agent="other_agent") for number in range(50, 60)))
    assert shelf.entries(ERRORS)["TIMEOUT of other_agent"].id == "MEM-901"


def test_a_lost_memory_finds_its_entries_again():
    shelf = Shelf()
    log = [failed(number) for number in range(10)]
    shelf.run(*log)
    before = dict(shelf.texts)
    shelf.memory = KnowledgeState()
    filing = shelf.run(*log)
    assert shelf.texts == before
    assert filing.changes == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', json.dumps({"version": 3, "next_number": "x"})])
def test_a_damaged_memory_stops_the_run(text):
    with pytest.raises(MemoryStateError, match=r"state\.json"):
        state_from_text(text)


def test_what_policy_rejects_often_is_a_concern_and_no_rule():
    shelf = Shelf()
    rejected = [seen(number, (Family.GOVERNANCE, "rogue_agent", "REJECTED")) for number in range(10)]
    filing = shelf.run(*rejected)
    assert filing.flags == ["Governance concern: policy rejected instructions of rogue_agent in 10 transactions."]
    assert not any("rogue_agent" in text for text in shelf.texts.values())
    assert concerns_in(tally_of(rejected[:2]), min_transactions=3) == []
    assert len(concerns_in(tally_of(rejected[:3]), min_transactions=3)) == 1


ACQUIRED = [seen(number, (Family.INTENT, "acquire video", "0/2")) for number in range(10)]


@pytest.mark.parametrize(("rule", "is_kept_out"), CASES["an_entry_never_contradicts_governance"])
def test_an_entry_never_contradicts_governance(rule, is_kept_out):
    """M-55: what a sentence of a governance file forbids is not recommended, however often it worked."""
    shelf = Shelf({"context/governance/policy.md": f"# Policy\n\n{rule}\n"})
    filing = shelf.run(*ACQUIRED)
    title = "Requests to acquire video"
    assert (title in shelf.entries("domain_knowledge.md")) is not is_kept_out
    assert any("context/governance/policy.md" in one for one in filing.flags) is is_kept_out


def test_what_governance_comes_to_forbid_leaves_the_prompt():
    """M-55: an entry that was filed before the rule; approved by hand or not. It is back when the rule is gone."""
    shelf = Shelf()
    shelf.run(*ACQUIRED)
    one = shelf.entries("domain_knowledge.md")["Requests to acquire video"].id
    shelf.memory.notes[one].chosen = Place.ACTIVE
    shelf.governance = {"policy.md": "Never acquire a video."}
    filing = shelf.run()
    assert shelf.entries("domain_knowledge.md") == {}
    assert [concern for concern in filing.flags if one in concern] == [
        f"Governance concern: {one} (Requests to acquire video) goes on although policy.md forbids it; it is retired."
    ]
    archive = "archive/domain_knowledge.md"
    assert ("ARCHIVED", one, "Requests to acquire video: forbidden by policy.md") in shelf.rows(archive)
    assert shelf.run().texts == {}
    shelf.governance = {}
    assert shelf.run().flags == []
    assert shelf.entries("domain_knowledge.md")["Requests to acquire video"].id == one


def test_what_a_person_wrote_is_flagged_when_governance_forbids_it():
    shelf = Shelf()
    shelf.run(*ACQUIRED)
    shelf.edit(
        "domain_knowledge.md",
        "Begin with 0 objectives and 2 goals; say why where a request needs more or less.",
        "Do not accept it.",
    )
    shelf.governance = {"policy.md": "Never acquire a video."}
    filing = shelf.run()
    assert "Do not accept it." in shelf.texts["domain_knowledge.md"]
    assert [one.endswith("decide by hand.") for one in filing.flags if "Requests to" in one] == [True]


def test_what_is_found_in_old_logs_waits_for_a_person():
    """M-68, M-60: it never stood anywhere, so it is not archived; the next fading does that."""
    shelf = Shelf(pattern_window_days=62)
    late = NOW + timedelta(days=40)
    shelf.run(*(failed(number) for number in range(3)), now=late)
    assert shelf.entries(f"staging/{ERRORS}")["TIMEOUT of action_agent"].confidence == 0.45
    late = NOW + timedelta(days=95)
    shelf = Shelf(pattern_window_days=120)
    shelf.run(*(failed(number) for number in range(3)), now=late)
    assert shelf.entries(f"staging/{ERRORS}")["TIMEOUT of action_agent"].confidence == 0.36
    assert shelf.run(now=late).texts == {}
    shelf.run(now=late + timedelta(days=31))
    assert shelf.entries(f"archive/{ERRORS}")["TIMEOUT of action_agent"].confidence == 0.33


@pytest.mark.parametrize("rule", ["Never hand work to searchers.", "A planner must not call a searcher."])
def test_a_profile_that_governance_forbids_is_not_recommended(rule):
    shelf = Shelf({"policy.md": rule})
    shelf.run(*(handed(number, to="searcher") for number in range(10)))
    assert shelf.entries(WORK) == {}


def test_what_prevents_an_error_does_not_contradict_governance():
    forbidding = forbidding_sentences({"x.md": "TIMEOUT is forbidden."})
    assert contradicted_by((Family.FAILURE, "TIMEOUT"), forbidding) == "x.md"
    assert not is_encouraging((Family.FAILURE, "x TIMEOUT"), "again")
    shelf = Shelf({"x.md": "action_agent is forbidden."})
    assert shelf.run(*(failed(number) for number in range(10))).flags == []
    assert shelf.entries(ERRORS)


def test_nothing_private_is_filed():
    """M-57, T-22: a name that is a secret is reported by its kind and kept out."""
    shelf = Shelf()
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    filing = shelf.run(*(failed(number, agent=secret) for number in range(10)))
    assert shelf.texts == {}
    assert len(filing.problems) == 1
    assert secret not in filing.problems[0]


def only_claim(family, subject, answers, numbers=None, **elsewhere):
    """Return the claim about a subject, of which so many answers were given; elsewhere, those of other subjects."""
    samples = {answer: [(NOW.timestamp(), "txn_1")] for answer in answers}
    counted = {subject: AnswerCounts(Counter(answers), numbers or {}, samples, "2026-02-26")}
    tally = {family: counted | {name: AnswerCounts(Counter(counts)) for name, counts in elsewhere.items()}}
    return next(iter(one for one in claims_in({"2026-02-26": tally}, tally).values() if one.answers[0] in answers))


def every_claim():
    """Yield what a claim of each family is made from, with each of its answers."""
    for outcome in list(ChainOutcome)[1:]:
        yield Family.INPUT, "video from youtube", f"{outcome}@a_agent"
    for code in ("TIMEOUT", "OUT_OF_SCOPE", "NO_ANSWER", OTHER_ERROR, "RESTRICTED_SOURCE"):
        yield Family.FAILURE, "a_agent", f"{code}>"
    for then in (AGAIN, "other_tool"):
        yield Family.FAILURE, "search", f"TIMEOUT>{then}"
    yield Family.FAILURE, "CAP-ACQ-001", f"{SKIPPED}>"
    yield Family.REPEAT, "search", IN_VAIN
    yield Family.REJECTION, "a_agent", "b_agent"
    for end in ("done 3", "OUT_OF_SCOPE 1", "TIMEOUT 2"):
        yield Family.PROFILE, "coder: create code", end
        yield Family.PROFILE, "coder", end
    yield Family.PLAN, "acquire video", f"CAP-ACQ-001 → CAP-AUD-001>{GOOD}"
    yield Family.PLAN, "acquire video", f"CAP-ACQ-001 → {MORE}>{GOOD}"
    yield Family.LONG, "acquire video", LONG_RUN
    yield Family.LONG, ALL, LONG_RUN
    yield Family.BENCHMARK, "acquire video", GOOD
    yield Family.INTENT, "acquire video", "1/4"
    yield Family.GAP, "low_confidence", "a_agent"
    yield Family.GAP, "output_structured", "a_agent"


@pytest.mark.parametrize(("family", "subject", "answer"), list(every_claim()))
def test_every_claim_has_its_words(family, subject, answer):
    """M-17, T-22: title, insight, action and applicability from templates; the title from the subject alone."""
    figures = {name: {2: 1, 3: 4, 700: 1} for name in ("hops", "seconds", "objectives", "goals", "tasks")}
    claim = only_claim(family, subject, {answer: 5}, figures)
    told = insight_of(claim)
    assert told.title == title_of(claim.key)
    for text in (told.title, told.insight, told.action, told.applicability):
        assert text and "{" not in text and text == " ".join(text.split())
        assert not scan(text, Level.STRICT)
    assert told.insight.endswith(".") and told.action.endswith(".")


def test_a_benchmark_tells_what_varies():
    claim = only_claim(Family.BENCHMARK, "plan", {GOOD: 10}, {"hops": {3: 9, 9: 1}, "goals": {2: 5, 4: 5}})
    assert insight_of(claim).insight == (
        "All 10 requests to plan since 2026-02-26 succeeded without a gap. A good one has 3 hops and 2 goals (2 to 4)."
    )


def test_the_summary_of_a_day_counts():
    shape = (("hops", 3), ("seconds", 20))
    path, intent = (Family.PATH, "a_agent → b_agent", "SUCCESS"), (Family.INTENT, "acquire video", "1/4")
    decisions = [seen(at, (Family.OUTCOME, ALL, "SUCCESS", shape), path, intent) for at in range(3)]
    escalated = (Family.ESCALATION, "hops", "unnamed")
    failure = Family.FAILURE, "action_agent", "TIMEOUT>"
    decisions.append(seen(9, (Family.OUTCOME, ALL, "FAILURE", shape), failure, escalated))
    text = render_summary("2026-02-26", tally_of(decisions))
    assert text == read_case(__file__, "session_summary.md")
    assert render_summary("2026-02-26", tally_of(reversed(decisions))) == text


def test_the_window_ends_today():
    assert window_of(NOW, 7) == ("2026-02-21", "2026-02-27")


def test_an_entry_is_not_written_anew_for_every_chain():
    """M-21, M-22: while neither its confidence nor its day changes; the log of changes stays one for people."""
    shelf = Shelf()
    shelf.run(*(handed(at) for at in range(700)))
    before = dict(shelf.texts)
    for at in range(700, 703):
        assert shelf.run(handed(at)).texts == {}
    assert shelf.texts == before
    tomorrow = shelf.run(handed(703, days_ago=0), now=NOW + timedelta(days=1))
    assert "based on 704 transactions" in tomorrow.texts[WORK]


def test_a_rate_is_said_where_it_is_no_chance_and_waits_below_ten_cases():
    """M-18, M-58: ten time-outs of thirty are no majority, and far more than elsewhere; so are seven of fourteen."""
    shelf = Shelf()
    shelf.run(
        *(seen(number, *use("x_agent", "y_agent")) for number in range(20)),
        *(seen(number, *use("y_agent", x_agent="TIMEOUT>")) for number in range(20, 30)),
    )
    (said,) = shelf.entries(ERRORS).values()
    assert said.insight.startswith("x_agent failed with TIMEOUT in 10 of 30 requests that used it")
    assert said.insight.endswith("and in 0 of 30 uses of all else.")
    shelf = Shelf()
    shelf.run(
        *(seen(number, *use("x_agent", "y_agent")) for number in range(7)),
        *(seen(number, *use("y_agent", x_agent="INVALID_INPUT>")) for number in range(7, 14)),
    )
    assert list(shelf.texts) == [f"staging/{ERRORS}"]
    assert "INVALID_INPUT of x_agent" in shelf.entries(f"staging/{ERRORS}")


def test_what_is_as_frequent_elsewhere_is_not_said():
    shelf = Shelf()
    shelf.run(*(failed(at, f"{name}_agent") for name in "abc" for at in range(20)))
    shelf.run(*(seen(at, *use(f"{name}_agent")) for name in "abc" for at in range(60)))
    assert shelf.entries(ERRORS) == {}


def rows_of(text, title):
    """Return the rows of a table."""
    table = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines() if row.startswith("| ")][1:]


def test_a_table_has_the_ten_most_frequent():
    """M-23: the most frequent first."""
    paths = [seen(0, (Family.PATH, f"{chr(97 + at)}_agent", "SUCCESS")) for at in range(12) for _ in range(at + 1)]
    text = render_summary("2026-02-26", tally_of(paths))
    assert rows_of(text, "Agent pathways") == [f"{chr(97 + at)}_agent" for at in range(11, 1, -1)]


def test_a_row_has_the_three_most_frequent_answers():
    many = [
        failed(10 * at + number, error=f"CODE_{name}") for at, name in enumerate("DCBA") for number in range(at + 1)
    ]
    text = render_summary("2026-02-26", tally_of(many))
    assert "| action_agent | 10 | CODE_A: 4, CODE_B: 3, CODE_C: 2 |\n" in text
