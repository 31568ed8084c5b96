"""Outcomes, decision records, and patterns that are counted in any order (M-07 ... M-16, T-35, T-60)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from knowledge_tools.logs import chain, hops, message, tally_of
from memory_ledger.knowledge.decisions import Assembler, Transaction, TransactionSummary, decide
from memory_ledger.knowledge.hops import Task
from memory_ledger.knowledge.patterns import (
    ALL,
    FINE,
    MOST_SUBJECTS,
    SEVERAL,
    Family,
    Observation,
    merge_tally,
    worth_keeping,
)
from memory_ledger.knowledge.words import ChainOutcome

CHAIN = "objective_agent → goal_agent → planning_agent"


def decided(messages, *, hop_limit=10):
    """Return the decision record of the one transaction in `messages`."""
    (done,) = Assembler(hops(messages)).ended
    return decide(done, hop_limit=hop_limit)


def a_hop(agent="a_agent", **values):
    """Return a hop of a chain that goes well."""
    return hops([message(agent, following="b_agent")])[0]._replace(**{"objectives": 0, "intents": (), **values})


def record(*chained):
    """Return the decision record of these hops."""
    return decide(Transaction(chained), hop_limit=10)


PLANNED, FAILED, DONE = (a_hop(tasks=(Task("t", "", end),)) for end in ("planned", "failed", "complete"))


@pytest.mark.parametrize(
    ("chained", "outcome"),
    [
        pytest.param([a_hop(), a_hop()], "SUCCESS", id="nothing happened"),
        pytest.param([a_hop(has_error=True, error="TIMEOUT"), a_hop()], "SUCCESS", id="an error that was mended"),
        pytest.param([a_hop(), a_hop(has_error=True)], "FAILURE", id="an error at the end, whatever its status"),
        pytest.param([a_hop(), a_hop(status="failed")], "FAILURE", id="failed at the end, without an error"),
        pytest.param([a_hop(status="failed"), a_hop()], "SUCCESS", id="a failure that was mended"),
        pytest.param([a_hop(status="partial"), a_hop()], "PARTIAL", id="partial on the way"),
        pytest.param([a_hop(error="OUT_OF_SCOPE"), a_hop()], "REJECTED", id="out of scope on the way"),
        pytest.param([a_hop(is_policy=True), a_hop()], "REJECTED", id="rejected on the way"),
        pytest.param([a_hop(is_escalated=True), a_hop(status="failed")], "ESCALATED", id="escalated on the way"),
        pytest.param([a_hop()] * 10, "SUCCESS", id="at the limit"),
        pytest.param([a_hop()] * 10 + [a_hop(status="failed")], "ESCALATED", id="over the limit"),
        pytest.param([PLANNED], "SUCCESS", id="a task that was planned only"),
        pytest.param([FAILED, DONE], "SUCCESS", id="a task that succeeded when it was tried again"),
    ],
)
def test_what_happened_anywhere_in_a_chain_decides(chained, outcome):
    """M-13, M-16, T-35: rejection, escalation and parts anywhere; failure only at the end."""
    assert record(*chained).outcome == outcome


def test_a_record_tells_the_last_error_and_the_named_agents():
    """M-08, M-10, T-22: an agent without a name is on no path; of a long one the beginning is told."""
    first = a_hop(has_error=True, error="TIMEOUT", at=50.0)
    second = a_hop("b_agent", has_error=True, error="VALIDATION_ERROR", at=20.0)
    told = record(first, second, a_hop("no name at all", at=30.0))
    assert (told.error, told.failed_at) == ("VALIDATION_ERROR", "b_agent")
    assert told.path == ("a_agent", "b_agent")
    assert (told.at, told.seconds) == (50.0, 30)
    assert record(*(a_hop(f"agent_{at}") for at in range(8))).path == tuple(f"agent_{at}" for at in range(8))
    assert record(*(a_hop(f"agent_{at}") for at in range(9))).path[7:] == ("agent_7", "others")
    assert seen(record(a_hop(is_escalated=True), *[a_hop()] * 20))[Family.ESCALATION].subject == "model"


def test_results_of_tools_are_no_invocations_of_agents():
    """M-13, M-67: an agent may call many tools; the limit is about agents that call agents."""
    tools = [message("search_engine", number=at, following="agent0", content_type="task_result") for at in range(2, 30)]
    messages = [message("agent0", following="agent0"), *tools, message("agent0", number=30, content_type="response")]
    decision = decided(messages)
    assert (decision.outcome, decision.hops) == (ChainOutcome.SUCCESS, 30)


def dispatched(*states):
    """Return the messages of a chain whose tasks ended so."""
    how = {"following": "action_agent", "content_type": "task_result"}
    ends = [{"task_result": {"task_id": f"task_{at}", "status": state}} for at, state in enumerate(states, 1)]
    results = [message("action_agent", number=at, content=end, **how) for at, end in enumerate(ends, 4)]
    last = message("output_agent", number=6, content_type="workflow_complete")
    return [*chain("req-1", end={"following": "action_agent"}), *results, last]


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        (("complete", "complete"), ChainOutcome.SUCCESS),
        (("complete", "failed"), ChainOutcome.PARTIAL),
        (("complete", "skipped"), ChainOutcome.PARTIAL),
        (("complete", "blocked"), ChainOutcome.PARTIAL),
    ],
)
def test_a_failed_or_skipped_task_makes_a_transaction_partial(states, outcome):
    decision = decided(dispatched(*states))
    assert decision.outcome is outcome
    used = {one.subject: one.answer for one in decision.observations if one.family is Family.FAILURE}
    code = {"complete": FINE, "failed": "OTHER_ERROR>"}.get(states[1], "SKIPPED>")
    assert (used["CAP-ACQ-001"], used["CAP-AUD-001"]) == (FINE, code)


def judged(request, **assessment):
    """Return a request to acquire a video that succeeds, with what its reasoning agent makes of the result."""
    result = {"task_id": "task_1", "status": "complete", **assessment}
    more = {"content_type": "task_result", "content": {"task_result": result}}
    reasoning = message("reasoning_agent", number=2, request=request, following="output_agent", **more)
    last = message("output_agent", number=3, request=request, content_type="output")
    return [message(following="reasoning_agent", request=request, content=["Obtain the video"]), reasoning, last]


@pytest.mark.parametrize(
    ("assessment", "answer"),
    [
        pytest.param({"quality_checks": {"output_structured": True}}, "good", id="nothing found wanting"),
        pytest.param({"quality_checks": {"output_structured": False}}, "wanting", id="a check that failed"),
        pytest.param({"confidence_assessment": {"overall_confidence": "low"}}, "wanting", id="an unsure result"),
        pytest.param({"confidence_assessment": {"limitations": ["x"]}}, "wanting", id="limitations"),
    ],
)
def test_success_with_a_gap_is_no_benchmark(assessment, answer):
    """Issue 23, M-12, M-15: both succeed, and only what was reported without a gap is held up as good."""
    decision = decided(judged("r", **assessment))
    assert decision.outcome is ChainOutcome.SUCCESS
    gaps = {one.answer for one in decision.observations if one.family is Family.GAP}
    assert gaps == (set() if answer == "good" else {"reasoning_agent"})
    shown = seen(decision)[Family.BENCHMARK]
    assert (shown.answer, bool(shown.numbers)) == (answer, answer == "good")


def seen(decision):
    """Return what a decision shows, by family."""
    return {one.family: one for one in decision.observations}


def test_a_successful_transaction_shows_its_patterns():
    """M-07 ... M-09, M-12: intent and decomposition, pathway, input, benchmark."""
    shown = seen(decided(chain("r")))
    assert shown[Family.INTENT][1:3] == ("acquire video + transcribe audio", "2/3")
    assert shown[Family.PATH][1:3] == (CHAIN, "SUCCESS")
    assert shown[Family.INPUT][1:3] == ("video from youtube", "SUCCESS")
    assert shown[Family.BENCHMARK].answer == "good"
    assert dict(shown[Family.BENCHMARK].numbers) == {"hops": 3, "seconds": 7, "objectives": 2, "goals": 3}
    assert not {Family.ESCALATION, Family.GOVERNANCE, Family.GAP} & set(shown)


def test_a_failed_transaction_shows_its_patterns():
    end = {"error": "TIMEOUT", "status": "failed", "notes": "Blocked by policy"}
    shown = seen(decided(chain("r", end=end), hop_limit=2))
    assert shown[Family.FAILURE][1:3] == ("planning_agent", "ok")
    assert shown[Family.ESCALATION][1:3] == ("hops", CHAIN)
    assert shown[Family.GOVERNANCE][1:3] == ("planning_agent", "REJECTED")
    assert shown[Family.INPUT].answer == "REJECTED@planning_agent"
    assert shown[Family.BENCHMARK][2:4] == ("wanting", ())


_OBSERVATIONS = st.builds(
    Observation,
    family=st.sampled_from([Family.PATH, Family.FAILURE]),
    subject=st.sampled_from(["a_agent", "b_agent", "c_agent"]),
    answer=st.sampled_from([FINE, "TIMEOUT>", "OTHER_ERROR>again"]),
    numbers=st.sampled_from([(), (("hops", 3),), (("hops", 9), ("seconds", 40))]),
)
_DECISIONS = st.builds(
    TransactionSummary,
    transaction_id=st.sampled_from([f"txn_{number}" for number in range(9)]),
    at=st.integers(0, 3 * 86_400).map(float),
    outcome=st.just(ChainOutcome.SUCCESS),
    observations=st.lists(_OBSERVATIONS, max_size=4).map(tuple),
)


@given(st.lists(_DECISIONS, max_size=25), st.lists(st.integers(0, 3), max_size=25), st.randoms())
def test_any_split_in_any_order_gives_the_same(decisions, parts, chance):
    whole = tally_of(decisions)
    split = [
        [one for at, one in enumerate(decisions) if (parts[at] if at < len(parts) else 0) == part] for part in range(4)
    ]
    chance.shuffle(split)
    tallies = [tally_of(one) for one in split]
    while len(tallies) > 1:
        one = tallies.pop(chance.randrange(len(tallies)))
        merge_tally(tallies[chance.randrange(len(tallies))], one)
    assert tallies[0] == whole


def test_what_is_kept_of_a_day_is_bounded():
    """M-11: a log full of invented names does not fill the memory; the frequent ones stay."""
    decision = decided(chain("r"))
    paths = [Observation(Family.PATH, f"agent_{number}", "SUCCESS") for number in range(2 * MOST_SUBJECTS)]
    many = [decision] * 2 + [decision._replace(observations=(path,)) for path in paths]
    kept = worth_keeping(tally_of(many))
    assert len(kept[Family.PATH]) == MOST_SUBJECTS
    assert CHAIN in kept[Family.PATH]
    assert ALL in kept[Family.OUTCOME]


def test_what_asks_for_too_much_has_one_name():
    kinds = [f"{verb} video" for verb in ("acquire", "compare", "create", "find")]
    for intents, subject in ((kinds[:3], " + ".join(kinds[:3])), (kinds, SEVERAL)):
        assert seen(record(a_hop(objectives=1, intents=tuple(intents))))[Family.BENCHMARK].subject == subject


def test_a_transaction_is_measured_against_those_of_its_kind():
    """M-12: one whose intent the tables do not name is not called one of all."""
    decision = decided(chain("r"))
    assert seen(decision)[Family.BENCHMARK].subject == "acquire video + transcribe audio"
    unnamed = seen(record(a_hop(objectives=1)))
    assert Family.BENCHMARK not in unnamed  # issue 23: of no kind that a sentence names
    assert unnamed[Family.OUTCOME].subject == ALL


def test_figures_are_capped():
    """M-12: a chain of thousands, or of a month, takes no room of its own."""
    first = a_hop(objectives=500, goals=500, intents=("acquire video",))
    endless = record(first, *[a_hop(content="fault")] * 200, a_hop(at=first.at + 40 * 86_400))
    shown = dict(seen(endless)[Family.BENCHMARK].numbers)
    assert shown == {"hops": 99, "seconds": 86_400, "objectives": 99, "goals": 99}
