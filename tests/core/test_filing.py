"""What is filed, where it stands, what fades, and what is left alone (M-17 ... M-22, M-54 ... M-64, M-68 ... M-73)."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from knowledge_tools.logs import PRIVATE, tally_of
from knowledge_tools.shelf import ERRORS, NOW, PATHS, Shelf, failed, walked
from memory_ledger.knowledge.categories import FILES, Category
from memory_ledger.knowledge.confidence import Place, confidence, decayed, place_of
from memory_ledger.knowledge.documents import parse_document, prompt_text
from memory_ledger.knowledge.filing import window_of
from memory_ledger.knowledge.governance import concerns_in, contradicted_by, forbidding_sentences
from memory_ledger.knowledge.insights import (
    CATEGORY_OF,
    UNFILED,
    insight_of,
    is_encouraging,
    is_worth_an_entry,
    title_of,
)
from memory_ledger.knowledge.memory import KnowledgeState, MemoryStateError, memory_from_text, memory_to_text
from memory_ledger.knowledge.outputs import Task
from memory_ledger.knowledge.partials import Folded
from memory_ledger.knowledge.patterns import (
    ALL,
    FINE,
    IN_VAIN,
    LONG_RUN,
    SEVERAL,
    UNKNOWN,
    AnswerCounts,
    Family,
)
from memory_ledger.knowledge.summaries import render_summary
from memory_ledger.knowledge.troubles import AGAIN, SKIPPED, STOPPED, FirstFailure
from memory_ledger.knowledge.words import ERROR_CODES, OTHER_ERROR, ChainOutcome
from memory_ledger.privacy import Level, scan
from memory_ledger.texts import estimate_tokens


@pytest.mark.parametrize(("agree", "count", "sure"), [(0.96, 23, 0.85), (1.0, 7, 0.7), (1.0, 3, 0.5), (0.5, 1, 0.12)])
def test_confidence_grows_with_evidence_and_consistency(agree, count, sure):
    """M-18, T-36: consistency x n / (n + 3)."""
    assert confidence(agree, count) == sure


@pytest.mark.parametrize(("days", "left"), [(0, 0.85), (29, 0.85), (30, 0.77), (59, 0.77), (60, 0.69), (-5, 0.85)])
def test_confidence_fades_in_steps(days, left):
    """M-59, T-36: base x 0.9 for each whole window without confirmation."""
    assert decayed(0.85, NOW.date() - timedelta(days=days), NOW.date(), window_days=30) == left


@pytest.mark.parametrize(
    ("value", "is_new", "place"),
    [
        (0.7, True, Place.ACTIVE),
        (0.69, False, Place.STAGING),
        (0.4, False, Place.STAGING),
        (0.39, False, Place.ARCHIVE),
        (0.39, True, Place.STAGING),
    ],
)
def test_places_follow_confidence(value, is_new, place):
    """M-58, M-60, M-68."""
    assert place_of(value, threshold=0.7, archive_below=0.4, is_new=is_new) is place


def test_a_pattern_becomes_an_entry():
    """M-17, M-18, M-45: sources, confidence and dates; ten that agree are active."""
    shelf = Shelf()
    filing = shelf.run(*(failed(number) for number in range(10)))
    entry = shelf.entries(ERRORS)["Failures of action_agent"]
    assert (entry.confidence, entry.transactions, entry.category) == (0.77, 10, Category.ERROR_PREVENTION)
    assert entry.sources == ("txn_9", "txn_8", "txn_7", "txn_6", "txn_5")
    assert entry.first_observed == entry.last_confirmed == date(2026, 2, 26)
    assert entry.insight == (
        "action_agent failed in all 10 requests that used it since 2026-02-26, with TIMEOUT in 10."
    )
    assert shelf.rows(ERRORS) == [("ADDED", entry.id, "Failures of action_agent")]
    assert filing.reports[ERRORS].added == [entry.id]
    assert filing.patterns == 1


@pytest.mark.parametrize(
    ("shown", "name", "category"),
    [
        pytest.param(
            {"intents": ("acquire video",), "goals": 2}, "domain_knowledge.md", "domain_knowledge", id="asked"
        ),
        pytest.param({"inputs": ("video from youtube",)}, "domain_knowledge.md", "domain_knowledge", id="input"),
        pytest.param({"path": ("a_agent", "b_agent")}, PATHS, "operational_heuristic", id="path"),
        pytest.param({"gaps": (("output_structured", "reasoning_agent"),)}, ERRORS, "error_prevention", id="gap"),
    ],
)
def test_each_pattern_is_filed_under_its_category(shown, name, category):
    """Issue 23, M-17, M-19: four categories, a file each; a gap is something to prevent, and stands nowhere else."""
    shelf = Shelf()
    shelf.run(*(replace(failed(number, error=""), **shown) for number in range(10)))
    assert set(shelf.texts) - {"quality_benchmarks.md"} == {name} - {"quality_benchmarks.md"}
    assert {str(entry.category) for entry in shelf.entries(name).values()} == {category}


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
    assert shelf.entries(f"staging/{ERRORS}")["Failures of action_agent"].confidence == 0.25
    before = dict(shelf.texts)
    assert shelf.run().texts == {}
    assert shelf.texts == before


def test_only_the_window_makes_new_patterns():
    """M-11: three transactions within two weeks are no pattern of this week."""
    shelf = Shelf()
    shelf.run(failed(1), failed(2, days_ago=3), failed(3, days_ago=10))
    assert shelf.texts == {}
    shelf.run(failed(4, days_ago=2))
    assert shelf.entries(f"staging/{ERRORS}")["Failures of action_agent"].transactions == 4


def test_a_second_run_over_the_same_changes_nothing():
    """M-64, T-58: no file, no memory."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(5)), *(walked(number) for number in range(10, 20)))
    before, memory = dict(shelf.texts), memory_to_text(shelf.memory)
    filing = shelf.run()
    assert (filing.texts, filing.reports, filing.conflicts) == ({}, {}, [])
    assert shelf.texts == before
    assert memory_to_text(shelf.memory) == memory


def test_new_evidence_revises_and_promotes():
    """M-21, M-58, M-73, T-36: the same id, out of staging, the row says from what to what; first observed stays."""
    shelf = Shelf()
    shelf.run(*(failed(number, days_ago=3) for number in range(3)))
    first = shelf.entries(f"staging/{ERRORS}")["Failures of action_agent"]
    filing = shelf.run(*(failed(number) for number in range(10, 20)))
    entry = shelf.entries(ERRORS)["Failures of action_agent"]
    assert (entry.id, entry.transactions, entry.confidence) == (first.id, 13, 0.81)
    assert (entry.first_observed, entry.last_confirmed) == (date(2026, 2, 24), date(2026, 2, 26))
    assert shelf.entries(f"staging/{ERRORS}") == {}
    rows = shelf.rows(ERRORS) + shelf.rows(f"staging/{ERRORS}")
    changed = [row for row in rows if row[0] != "ADDED"]  # issue 23: a change is one row
    assert changed == [("RESTORED", entry.id, "Failures of action_agent: confidence from 0.50 to 0.81")]
    assert filing.reports[f"staging/{ERRORS}"].revised == [entry.id]


def test_what_nobody_confirms_fades_and_is_archived():
    """M-59, M-60: out of the prompt after a while, in the archive at last; the history stays, and it can come back."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)))
    one = shelf.entries(ERRORS)["Failures of action_agent"].id
    places = []
    for days in range(0, 400, 10):
        shelf.run(now=NOW + timedelta(days=days))
        found = [name for name in FILES if "Failures of action_agent" in shelf.entries(name)]
        assert len(found) == 1
        places += found if places[-1:] != found else []
    assert places == [ERRORS, f"staging/{ERRORS}", f"archive/{ERRORS}"]
    assert shelf.entries(f"archive/{ERRORS}")["Failures of action_agent"].confidence < 0.4
    assert ("ADDED", one, "Failures of action_agent") in shelf.rows(ERRORS)
    late = NOW + timedelta(days=400)
    shelf.run(*(failed(100 + number, days_ago=-399) for number in range(10)), now=late)
    assert shelf.entries(ERRORS)["Failures of action_agent"].id == one


def test_fading_is_computed_from_the_base():
    """T-36: ten runs on a day fade no more than one."""
    often, once = Shelf(), Shelf()
    for shelf in (often, once):
        shelf.run(*(failed(number) for number in range(10)))
    for _ in range(10):
        often.run(now=NOW + timedelta(days=45))
    once.run(now=NOW + timedelta(days=45))
    assert often.texts == once.texts
    assert once.entries(f"staging/{ERRORS}")["Failures of action_agent"].confidence == 0.69


def test_what_was_sure_once_is_archived_when_it_fades():
    """M-60, M-68: that it began below the bound is forgotten once it has been above."""
    shelf = Shelf(min_transactions=1)
    shelf.run(failed(1))
    shelf.run(*(failed(number) for number in range(10, 20)))
    assert shelf.entries(ERRORS)
    shelf.run(now=NOW + timedelta(days=250))
    assert 0.25 < shelf.entries(f"archive/{ERRORS}")["Failures of action_agent"].confidence < 0.4


def test_a_contradiction_is_flagged_and_does_not_overwrite():
    """M-61, M-70: this week's outcome differs; the entry stays until there is more evidence, then it is revised."""
    shelf = Shelf()
    shelf.run(*(walked(number, days_ago=20) for number in range(10)), now=NOW - timedelta(days=19))
    entry = shelf.entries(PATHS)["Path a_agent → b_agent"]
    before = shelf.texts[PATHS]
    filing = shelf.run(*(walked(20 + number, ChainOutcome.FAILURE) for number in range(4)))
    assert shelf.texts[PATHS].count(entry.insight) <= 1
    (conflict,) = [one for one in filing.conflicts if entry.id in one]
    assert "SUCCESS" in conflict and "FAILURE" in conflict
    assert shelf.texts[PATHS] == before
    filing = shelf.run(*(walked(40 + number, ChainOutcome.FAILURE) for number in range(10)))
    assert filing.conflicts == []
    revised = next(one for name in FILES for one in shelf.entries(name).values() if one.id == entry.id)
    assert "FAILURE" in revised.insight
    assert any("ore transactions say FAILURE than SUCCESS" in row[2] for name in FILES for row in shelf.rows(name))


def test_knowledge_keeps_within_its_tokens():
    """M-62, T-40: of what enters the prompt the least sure goes first, and does not come back by itself."""
    shelf = Shelf(token_limit=200)
    for at, agent in enumerate("abcdef"):
        path = (f"{agent}_agent", "z_agent")
        shelf.run(*(replace(walked(100 * at + number), path=path) for number in range(8 + at)))
    active = shelf.entries(PATHS)
    assert active
    prompt = "".join(
        prompt_text(parse_document(shelf.texts[name])) for name in FILES if "/" not in name and name in shelf.texts
    )
    assert estimate_tokens(prompt) <= 180
    archived = shelf.entries(f"archive/{PATHS}")
    assert archived
    assert min(one.confidence for one in active.values()) >= max(one.confidence for one in archived.values())
    assert any("over the token limit" in row[2] for row in shelf.rows(f"archive/{PATHS}"))
    assert shelf.run().texts == {}


def test_of_entries_that_are_as_sure_the_one_confirmed_first_goes():
    """T-40: and of those confirmed on one day the newer entry."""

    def paths(*days_ago):
        shelf = Shelf(token_limit=110)
        for at, days in enumerate(days_ago):
            one = (f"{'abc'[at]}_agent", "z_agent")
            shelf.run(*(replace(walked(100 * at + number, days_ago=days), path=one) for number in range(10)))
        return [title.split()[1] for title in shelf.entries(PATHS)]

    for days, kept in (((1, 4), "a_agent"), ((4, 1), "b_agent"), ((2, 2), "a_agent")):
        assert paths(*days) == [kept]


def test_nothing_is_archived_before_the_limit_is_near():
    """M-62, T-40: at nine tenths of the limit the first entry goes, not before, and not only beyond it."""

    def active(limit):
        shelf = Shelf(token_limit=limit)
        shelf.run(*(walked(number) for number in range(10)), *(failed(100 + number) for number in range(8)))
        texts = [text for name, text in shelf.texts.items() if "/" not in name]
        shown = "".join(prompt_text(parse_document(text)) for text in texts)
        return estimate_tokens(shown), sum(len(parse_document(text).blocks) for text in texts)

    used, count = active(10_000)
    assert active(round(used / 0.89)) == (used, count)
    assert active(round(used / 0.95))[1] == count - 1


def test_ids_are_unique_and_never_used_again():
    """M-49: over files, and when the memory of former runs is lost."""
    shelf = Shelf()
    shelf.run(*(failed(number) for number in range(10)), *(walked(number) for number in range(20, 24)))
    ids = [one.id for name in FILES for one in shelf.entries(name).values()]
    assert len(set(ids)) == len(ids) == 2
    shelf.memory = KnowledgeState()
    shelf.texts[ERRORS] = shelf.texts[ERRORS].replace("MEM-001 |", "MEM-900 |")
    shelf.run(*(failed(number, agent="other_agent") for number in range(50, 60)))
    assert shelf.entries(ERRORS)["Failures of other_agent"].id == "MEM-901"


def test_a_lost_memory_finds_its_entries_again():
    """M-64: counted anew from the logs, the same entries are the same."""
    shelf = Shelf()
    log = [failed(number) for number in range(10)]
    shelf.run(*log)
    before = dict(shelf.texts)
    shelf.memory = KnowledgeState()
    filing = shelf.run(*log)
    assert shelf.texts == before
    assert filing.reports == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', json.dumps({"version": 3, "next_number": "x"})])
def test_a_damaged_memory_stops_the_run(text):
    """M-64: to begin anew in silence would count everything twice."""
    with pytest.raises(MemoryStateError, match=r"state\.json"):
        memory_from_text(text)


def test_what_policy_rejects_often_is_a_concern_and_no_rule():
    """M-55: flagged, never filed."""
    shelf = Shelf()
    rejected = [
        replace(failed(number, error="VALIDATION_ERROR"), outcome=ChainOutcome.REJECTED, interventions=("rogue_agent",))
        for number in range(10)
    ]
    filing = shelf.run(*rejected)
    assert filing.concerns == ["Governance concern: policy rejected instructions of rogue_agent in 10 transactions."]
    assert not any("rogue_agent" in text for text in shelf.texts.values())
    assert concerns_in(tally_of(rejected[:2]), min_transactions=3) == []
    assert len(concerns_in(tally_of(rejected[:3]), min_transactions=3)) == 1


@pytest.mark.parametrize(
    ("rule", "is_kept_out"),
    [
        ("Agents must not download videos from Facebook.", True),
        ("Never acquire a video on facebook!", True),
        ("Agents may download videos from Facebook.", False),
        ("Agents must not download images from Facebook.", False),
        ("Agents must not sleep. Videos from Facebook are welcome.", False),
    ],
)
def test_an_entry_never_contradicts_governance(rule, is_kept_out):
    """M-55: what a sentence of a governance file forbids is not recommended, however often it worked."""
    shelf = Shelf({"context/governance/policy.md": f"# Policy\n\n{rule}\n"})
    worked = [replace(failed(number, error=""), inputs=("video from facebook",)) for number in range(10)]
    filing = shelf.run(*worked)
    title = "Input: video from facebook"
    assert (title in shelf.entries("domain_knowledge.md")) is not is_kept_out
    assert any("context/governance/policy.md" in one for one in filing.concerns) is is_kept_out


def test_what_governance_comes_to_forbid_leaves_the_prompt():
    """M-55: an entry that was filed before the rule; approved by hand or not. It is back when the rule is gone."""
    shelf = Shelf()
    shelf.run(*(replace(failed(number, error=""), inputs=("video from facebook",)) for number in range(10)))
    one = shelf.entries("domain_knowledge.md")["Input: video from facebook"].id
    shelf.memory.notes[one].chosen = Place.ACTIVE
    shelf.governance = {"policy.md": "Never acquire a video on facebook."}
    filing = shelf.run()
    assert shelf.entries("domain_knowledge.md") == {}
    assert filing.concerns == [
        f"Governance concern: {one} (Input: video from facebook) goes on although policy.md forbids it; it is retired."
    ]
    archive = "archive/domain_knowledge.md"
    assert ("ARCHIVED", one, "Input: video from facebook: forbidden by policy.md") in shelf.rows(archive)
    assert shelf.run().texts == {}
    shelf.governance = {}
    assert shelf.run().concerns == []
    assert shelf.entries("domain_knowledge.md")["Input: video from facebook"].id == one


def test_what_a_person_wrote_is_flagged_when_governance_forbids_it():
    """M-21, M-55: nobody but its writer knows what it says now."""
    shelf = Shelf()
    shelf.run(*(replace(failed(number, error=""), inputs=("video from facebook",)) for number in range(10)))
    shelf.edit("domain_knowledge.md", "Treat such input as well supported.", "Do not accept it.")
    shelf.governance = {"policy.md": "Never acquire a video on facebook."}
    filing = shelf.run()
    assert "Do not accept it." in shelf.texts["domain_knowledge.md"]
    assert [one.endswith("decide by hand.") for one in filing.concerns] == [True]


def test_what_is_found_in_old_logs_waits_for_a_person():
    """M-68, M-60: it never stood anywhere, so it is not archived; the next fading does that."""
    shelf = Shelf(pattern_window_days=62)
    late = NOW + timedelta(days=40)
    shelf.run(*(failed(number) for number in range(3)), now=late)
    assert shelf.entries(f"staging/{ERRORS}")["Failures of action_agent"].confidence == 0.45
    late = NOW + timedelta(days=95)
    shelf = Shelf(pattern_window_days=120)
    shelf.run(*(failed(number) for number in range(3)), now=late)
    assert shelf.entries(f"staging/{ERRORS}")["Failures of action_agent"].confidence == 0.36
    assert shelf.run(now=late).texts == {}
    shelf.run(now=late + timedelta(days=31))
    assert shelf.entries(f"archive/{ERRORS}")["Failures of action_agent"].confidence == 0.33


@pytest.mark.parametrize("rule", ["Never let planners call searchers.", "A planner must not call a searcher."])
def test_a_path_that_governance_forbids_is_not_recommended(rule):
    """M-55: in the plural or not."""
    shelf = Shelf({"policy.md": rule})
    shelf.run(*(replace(walked(number), path=("planner", "searcher")) for number in range(10)))
    assert shelf.entries(PATHS) == {}


def test_what_prevents_an_error_does_not_contradict_governance():
    """M-55: only what recommends to go on can."""
    forbidding = forbidding_sentences({"x.md": "TIMEOUT is forbidden."})
    assert contradicted_by((Family.FAILURE, "TIMEOUT"), forbidding) == "x.md"
    assert not is_encouraging((Family.FAILURE, "TIMEOUT"), "TIMEOUT>")
    shelf = Shelf({"x.md": "action_agent is forbidden."})
    assert shelf.run(*(failed(number) for number in range(10))).concerns == []
    assert shelf.entries(ERRORS)


def test_nothing_private_is_filed():
    """M-57, T-22: a name that is a secret is reported by its kind and kept out."""
    shelf = Shelf()
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    filing = shelf.run(*(failed(number, agent=secret) for number in range(10)))
    assert shelf.texts == {}
    assert len(filing.problems) == 1
    assert secret not in filing.problems[0]


def test_an_id_that_is_private_is_not_repeated():
    """M-57, T-22: a digest stands for it."""
    shelf = Shelf()
    shelf.run(
        *(replace(failed(number), transaction_id="ghp_16C7e42F292c6912E7710c838347Ae178B4a") for number in range(10))
    )
    assert shelf.entries(ERRORS)["Failures of action_agent"].sources[0].startswith("txn_")
    assert "ghp_" not in shelf.texts[ERRORS]


def every_pattern():
    """Yield a pattern of each family with each of its answers."""
    for outcome in ChainOutcome:
        yield Family.PATH, "a_agent → b_agent", outcome.value
        yield Family.INPUT, "video from youtube", outcome.value
    for code in (*sorted(ERROR_CODES), OTHER_ERROR):
        yield Family.FAILURE, "a_agent", f"{code}>"
    for then in (AGAIN, "other_tool"):
        yield Family.FAILURE, "search", f"TIMEOUT>{then}"
    yield Family.FAILURE, "CAP-ACQ-001", f"{SKIPPED}>"
    yield Family.REPEAT, "search", IN_VAIN
    yield Family.REJECTION, "a_agent", "b_agent"
    yield Family.REJECTION, "a_agent", STOPPED
    for end in ("done 1", "done 3", "OUT_OF_SCOPE 1", "TIMEOUT 2"):
        yield Family.PROFILE, "coder: create code", end
        yield Family.PROFILE, "coder", end
    yield Family.PLAN, "acquire video", "CAP-ACQ-001 → CAP-AUD-001"
    yield Family.LONG, "acquire video", LONG_RUN
    yield Family.LONG, ALL, LONG_RUN
    for answer in ("good", "wanting"):
        yield Family.BENCHMARK, "acquire video", answer
        yield Family.BENCHMARK, UNKNOWN, answer
    yield Family.INTENT, "acquire video", "1/4"
    yield Family.GAP, "low_confidence", "a_agent"


@pytest.mark.parametrize(("family", "subject", "answer"), list(every_pattern()))
def test_every_pattern_has_its_words(family, subject, answer):
    """M-17, T-22: title, insight, action and applicability from templates; the title from the subject alone."""
    figures = {name: {2: 1, 3: 4, 700: 1} for name in ("hops", "seconds", "objectives", "goals", "tasks")}
    counts = AnswerCounts(answers={answer: 5, "~other": 1}, numbers=figures)
    told = insight_of((family, subject), counts)
    assert told.category is CATEGORY_OF[family]
    assert told.title == title_of((family, subject))
    for text in (told.title, told.insight, told.action, told.applicability):
        assert text and "{" not in text and text == " ".join(text.split())
        assert not scan(text, Level.STRICT)
    assert told.insight.endswith(".") and told.action.endswith(".")


def told(family, subject, *answers):
    """Return what an entry says of these answers."""
    return insight_of((family, subject), AnswerCounts(answers=dict(answers)), 9)


@pytest.mark.parametrize(
    ("told", "insight"),
    [
        (
            told(Family.REJECTION, "a_agent", (FINE, 20), ("b_agent", 8), (STOPPED, 2)),
            "a_agent rejected 10 of 30 requests that reached it and have ended; 8 of 10 went on to b_agent all the"
            " same.",
        ),
        (
            told(Family.FAILURE, "search", (FINE, 20), ("TIMEOUT>again", 9), ("TIMEOUT>", 1)),
            "search failed in 10 of 30 requests that used it, with TIMEOUT in 10; called again, it worked in 9 of"
            " these.",
        ),
        (
            told(Family.FAILURE, "search", (FINE, 3), ("TIMEOUT>browser", 6)),
            "search failed in 6 of 9 requests that used it, with TIMEOUT in 6; browser was tried next and worked in 6"
            " of these.",
        ),
        (
            told(Family.PROFILE, "coder: create code", ("OUT_OF_SCOPE 1", 10)),
            "In all 10 requests in which coder was given work to create code it was rejected.",
        ),
        (
            told(Family.PROFILE, "coder", ("done 3", 10), ("done 1", 2)),
            "In 10 of 12 requests in which coder was given such work it was done at try 3.",
        ),
        (
            told(Family.GAP, "file_accessible", ("a_agent", 4)),
            "In 4 of 9 requests the check file_accessible failed; a_agent reported it in all 4.",
        ),
        (
            told(Family.GAP, "low_confidence", ("a_agent", 3), ("b_agent", 1)),
            "In 4 of 9 requests the confidence in a result was low; a_agent reported it in 3 of 4.",
        ),
    ],
)
def test_a_sentence_says_what_was_counted(told, insight):
    """M-17: a person who counts in the logs finds the same; an error may have been mended, an end be ignored."""
    assert told.insight == insight


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("acquire video", "Requests to acquire video"),
        ("acquire video + transcribe audio", "Requests to acquire video and transcribe audio"),
        (SEVERAL, "Requests for several things at once"),
    ],
)
def test_what_is_asked_for_is_told_in_words(subject, title):
    """M-07: no signs of a formula."""
    assert told(Family.INTENT, subject, ("1/2", 3)).title == title
    assert title.lower() in told(Family.INTENT, subject, ("1/2", 3)).applicability


def test_a_path_tells_from_where_on_it_is_long():
    """M-08, M-12: nine in ten take no more."""
    counts = AnswerCounts(answers={"SUCCESS": 10}, numbers={"hops": {2: 4, 3: 4, 7: 1, 9: 1}, "seconds": {700: 10}})
    said = insight_of((Family.PATH, "a_agent → b_agent"), counts)
    assert said.insight.endswith("It usually takes 3 hops and about 11 minutes.")
    assert said.action.endswith("Look into one that takes more than 7 hops.")


def test_a_benchmark_tells_what_varies():
    """M-12: a spread only where there is one."""
    counts = AnswerCounts(answers={"good": 10}, numbers={"hops": {3: 9, 9: 1}, "goals": {2: 5, 4: 5}})
    said = insight_of((Family.BENCHMARK, UNKNOWN), counts).insight
    assert said == (
        "In all 10 requests of unknown kind the request succeeded without a gap. A good one has 3 hops and 2 goals (2"
        " to 4)."
    )


def test_what_merely_works_is_no_news():
    """M-17: no entry for tasks that succeed, benchmarks that nobody meets, or bare totals."""
    works = AnswerCounts(answers={FINE: 9})
    for family, subject, answers, is_worth in (
        (Family.PATH, "agent0", {"SUCCESS": 9}, False),
        (Family.PATH, "agent0 → b_agent", {"FAILURE": 9}, False),
        (Family.PATH, "agent0 → b_agent", {"SUCCESS": 9}, True),
        (Family.FAILURE, "x", {FINE: 9}, False),
        (Family.FAILURE, "x", {FINE: 9, "TIMEOUT>": 9}, False),
        (Family.FAILURE, "x", {FINE: 8, "TIMEOUT>": 9}, True),
        (Family.FAILURE, "x", {FINE: 20, "TIMEOUT>again": 9}, True),
        (Family.REPEAT, "x", {FINE: 9, IN_VAIN: 9}, False),
        (Family.REPEAT, "x", {FINE: 8, IN_VAIN: 9}, True),
        (Family.REJECTION, "x", {FINE: 1, STOPPED: 9}, False),
        (Family.PROFILE, "x", {"done 1": 9}, False),
        (Family.PROFILE, "x", {"done 3": 9}, True),
        (Family.BENCHMARK, "x", {"wanting": 9}, False),
        (Family.BENCHMARK, UNKNOWN, {"good": 9}, False),
        (Family.BENCHMARK, "x", {"good": 9}, True),
    ):
        assert is_worth_an_entry((family, subject), AnswerCounts(answers=answers)) is is_worth, (subject, answers)
    for family in UNFILED:
        assert not is_worth_an_entry((family, "x"), works)
        assert insight_of((family, "x"), works) is None
    assert set(CATEGORY_OF) | UNFILED == set(Family)


def test_the_summary_of_a_day_counts():
    """M-23, M-56: an H1, a description, the outcomes, and what was seen most."""
    decisions = [
        *(replace(walked(number), intents=("acquire video",), goals=4, objectives=1) for number in range(3)),
        replace(failed(9), tasks=(Task("task_1", "CAP-ACQ-001", "failed"),), escalation="hops"),
    ]
    text = render_summary("2026-02-26", tally_of(decisions))
    assert text.startswith("# Session Summary 2026-02-26\n\n## Description\n")
    assert "4 transactions ended on this day." in text
    assert "Half of them had 3 hops or fewer and took 20 seconds or less." in text
    for row in (
        "| SUCCESS | 3 |",
        "| FAILURE | 1 |",
        "| a_agent → b_agent | 3 | SUCCESS: 3 |",
        "| acquire video | 3 | 1 objective and 4 goals: 3 |",
        "| TIMEOUT | 1 | action_agent: 1 |",
        "| CAP-ACQ-001 | 1 | failed: 1 |",
    ):
        assert f"\n{row}\n" in text
    assert render_summary("2026-02-26", tally_of(reversed(decisions))) == text
    assert not any(one in text for one in PRIVATE)


def test_the_window_ends_today():
    """M-11: seven days, today among them."""
    assert window_of(NOW, 7) == ("2026-02-21", "2026-02-27")


def test_the_memory_of_a_fleet_stays_small():
    """M-64, T-58: 200,000 transactions of one run take less than 4 MB, until they stand in the files of their days."""
    memory = KnowledgeState()
    digests = {f"{at:016x}": "FS"[at % 2] for at in range(200_000)}
    memory.take(Folded(tags={"2026-02-26": digests}))
    text = memory_to_text(memory)
    assert len(text) < 4_000_000
    assert memory_from_text(text).tags == memory.tags


def test_an_entry_is_not_written_anew_for_every_chain():
    """M-21, M-22: while neither its confidence nor its day changes; the log of changes stays one for people."""
    shelf = Shelf()
    shelf.run(*(walked(at) for at in range(700)))
    before = dict(shelf.texts)
    for at in range(700, 703):
        assert shelf.run(walked(at)).texts == {}
    assert shelf.texts == before
    assert shelf.memory.known[(Family.PATH, "a_agent → b_agent")].total == 703
    tomorrow = shelf.run(walked(703, days_ago=0), now=NOW + timedelta(days=1))
    assert "based on 704 transactions" in tomorrow.texts[PATHS]


def test_an_entry_that_flips_within_a_week_is_flagged_before_it_is_revised():
    """M-61, issue 23: twelve successes, then twenty failures; three more confirm them, and only then it is revised."""
    shelf = Shelf()
    shelf.run(*(walked(number, days_ago=3) for number in range(12)))
    before = shelf.entries(PATHS)["Path a_agent → b_agent"]
    filing = shelf.run(*(walked(20 + number, ChainOutcome.FAILURE) for number in range(20)))
    assert [before.id in one and "SUCCESS" in one and "FAILURE" in one for one in filing.conflicts] == [True]
    assert shelf.entries(PATHS)["Path a_agent → b_agent"].insight == before.insight
    for at in (50, 51):
        assert shelf.run(walked(at, ChainOutcome.FAILURE)).conflicts
    assert shelf.entries(PATHS)["Path a_agent → b_agent"].insight == before.insight
    assert shelf.run(walked(52, ChainOutcome.FAILURE)).conflicts == []
    assert "FAILURE" in shelf.entries(f"staging/{PATHS}")["Path a_agent → b_agent"].insight


def test_an_entry_does_not_move_from_run_to_run():
    """Issue 23: around the bound of the archive it leaves once; it comes back when it is sure."""
    shelf, places = Shelf(), []
    outcomes = [ChainOutcome.SUCCESS] * 4 + [ChainOutcome.PARTIAL, ChainOutcome.SUCCESS, ChainOutcome.FAILURE] * 12
    for number in range(0, len(outcomes), 2):
        shelf.run(*(walked(number + at, outcomes[number + at]) for at in range(2)))
        found = [name for name in FILES if "Path a_agent → b_agent" in shelf.entries(name)]
        places += found if places[-1:] != found else []
    assert places == [f"staging/{PATHS}", f"archive/{PATHS}"]
    rows = [row for name in FILES for row in shelf.rows(name) if row[0] in ("ARCHIVED", "STAGED", "RESTORED")]
    assert len(rows) == 1


def test_what_rests_on_no_majority_advises_nothing():
    """Issue 23: ten cases and more, of which the most frequent answer has half: it waits."""
    shelf = Shelf(confidence_threshold=0.3)
    half = [replace(failed(number), failures=(FirstFailure("action_agent", code, "again"),)) for number, code in
            enumerate(["TIMEOUT"] * 6 + ["INVALID_INPUT"] * 6)]  # fmt: skip
    shelf.run(*half)
    assert shelf.entries(ERRORS) == {}
    assert "Failures of action_agent" in shelf.entries(f"staging/{ERRORS}")
    shelf.run(*(replace(half[-1], transaction_id=f"txn_{number}") for number in (20, 21)))
    assert shelf.entries(ERRORS)
