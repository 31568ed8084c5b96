"""What becomes of an echo at adoption, and what the folder knows of its latest prompts (T-68)."""

from types import SimpleNamespace

import pytest
from conflict_tools import run
from conftest import Topic
from memory_ledger.host.turns import Turn
from memory_ledger.ledger.changes import Contest
from memory_ledger.ledger.classify import Circumstances
from memory_ledger.store import files
from remembering import know

FACT = "The user's project uses Python 3.11"
ECHO = "User's project uses Python 3.11."


def show(box, *memory_ids: str, said: str = "What is new?") -> None:
    topic, message = Topic(), SimpleNamespace(ai=False, content={"user_message": said})
    box.turns.note(Turn(topic, (message,), True, Circumstances(), "chat"), box.clock())
    box.store.injected.note(topic, memory_ids)


@pytest.fixture
def fact(known) -> str:
    """A memory of the agent's, shown in the last prompt."""
    memory_id = know(known, FACT)
    show(known, memory_id)
    return memory_id


def test_echo_is_retired_once(known, fact) -> None:
    """T-68, C-93: one change, one line, one count; no conflict is recorded, and a second run does nothing."""
    echo = known.insert(ECHO)
    adoption = known.adopt()
    assert [type(one).__name__ for one in adoption.changes] == ["Supersede"]
    assert [one.memory_id for one in adoption.classified] == [echo]
    assert (known.validity(echo), known.validity(fact)) == ("deprecated", "inferred")
    lineage = known.read(echo).lineage
    assert (lineage.superseded_by, lineage.deprecated_reason) == (fact, "T-68")
    assert known.journal()[-1]["reasons"] == [
        "the older one had just been recalled into a prompt, and this restates it",
        "it is the same facts in other words",
    ]
    outcomes = known.store.outcomes
    assert (outcomes.echoes_retired, outcomes.conflicts_resolved, len(outcomes.conflict_log)) == (1, 0, 0)
    assert known.lines(files.CONFLICTS_FILE) == []
    assert known.adopt().changes == []
    assert known.store.outcomes.echoes_retired == 1


def test_without_the_guard_an_echo_is_a_memory_like_others(known, fact) -> None:
    """C-93, C-42: `echo_guard: false` retires nothing and counts nothing; switched on, a later echo goes again."""
    first = known.insert(ECHO)
    assert known.adopt(echo_guard=False).changes == []
    assert (known.validity(first), known.store.outcomes.echoes_retired) == ("inferred", 0)
    later = known.insert(f"- {ECHO}")
    show(known, fact)
    assert [one.loser_id for one in known.adopt().changes] == [later]


AGAIN = "Given that my project uses Python 3.11, which wheel do I need?"


@pytest.fixture
def own(known) -> str:
    """A memory of what the user said, which is still in the window."""
    known.say("My project uses Python 3.11.")
    memory_id = know(known, FACT)
    known.clock.advance(hours=1)
    return memory_id


@pytest.mark.parametrize("question", ["Which Python does my project use?", AGAIN])
@pytest.mark.parametrize("echo", [f"{FACT}.", FACT.replace("The user", "User"), f"{FACT}\u2026"])
def test_own_word_that_was_shown_is_not_kept_twice(known, own, question, echo) -> None:
    """T-68: the copy is traced to the user as well, and the original stands for it."""
    show(known, own, said=question)
    copy = know(known, echo)
    assert known.read(copy).classification.source == "user_asserted"
    assert (known.validity(copy), known.validity(own)) == ("deprecated", "confirmed")
    assert known.read(copy).lineage.deprecated_reason == "T-68"


def test_what_the_user_said_again_was_said_then(known, own) -> None:
    """T-68, C-47: the latest word wins, also against what was said in between and is written down last."""
    known.say("My project uses Python 3.12.")
    known.clock.advance(hours=1)
    show(known, own, said=AGAIN)
    known.insert(f"{FACT}.")
    known.adopt()
    between = know(known, "The user's project uses Python 3.12")
    assert known.read(between).lineage.superseded_by == own


def test_own_word_against_which_something_stands_is_kept(known, own) -> None:
    """T-68, C-96: the user says it again, which may settle the conflict."""
    rival = know(known, "The user's project uses Ruby")
    known.store.apply([Contest(older_id=own, newer_id=rival, at=known.clock(), rule="C-96", reasons=())])
    show(known, own, said=AGAIN)
    copy = know(known, f"{FACT}.")
    assert (known.validity(copy), known.store.outcomes.echoes_retired) == ("confirmed", 0)


def test_undo_brings_an_echo_back(known, fact, capsys) -> None:
    """T-68, T-70: as for any other retirement; it stays, whatever is recalled next, even if its metadata is lost."""
    echo = know(known, ECHO)
    known.store.save()
    assert run(known, capsys, "undo", echo)[0] == 0
    assert [type(one).__name__ for one in known.adopt().changes] == ["Restore"]
    show(known, fact)
    known.adopt()
    assert (known.validity(echo), known.validity(fact)) == ("inferred", "inferred")
    assert known.read(fact).lineage.supersedes is None
    known.update(echo, ECHO)
    assert [one.memory_id for one in known.adopt().classified] == [echo]
    assert known.validity(echo) == "inferred"


def test_original_that_is_retired_or_gone_has_no_echo(known, fact) -> None:
    other = know(known, "The user has a cat")
    show(known, other)
    known.classify(fact, validity="deprecated")
    known.delete(other)
    first, second = known.insert(ECHO), known.insert("User has a cat.")
    assert known.adopt().changes == []
    assert (known.validity(first), known.validity(second)) == ("inferred", "inferred")


def test_two_echoes_of_one_memory(known, fact) -> None:
    """T-68, T-09: both point to the original, not to each other."""
    echoes = [known.insert(ECHO), known.insert(f"- {FACT}")]
    known.adopt()
    assert [known.read(one).lineage.superseded_by for one in echoes] == [fact, fact]
    assert known.read(fact).lineage.supersedes_ids == tuple(echoes)
    assert known.store.outcomes.echoes_retired == 2


def test_memory_that_somebody_has_rewritten_is_no_echo(known, fact) -> None:
    """T-43, T-68: it was known in another text; whoever wrote the new one meant it."""
    other = know(known, "The user's project uses Ruby")
    metadata = dict(known.docs[other].metadata)
    known.update(other, ECHO, **{key: metadata[key] for key in ("classification", "lineage")})
    assert known.adopt().changes == []
    assert known.validity(other) == "inferred"


def test_echo_contradicts_nothing_any_more(known) -> None:
    """T-68, C-37: it goes before contradictions are settled, so that what is stale retires nothing."""
    old = know(known, "The API runs on port 8080")
    show(known, old)
    known.clock.advance(days=1)
    new = known.insert("API runs on port 8080.")
    rival = know(known, "Actually, the API runs on port 8443")
    assert [known.read(one).lineage.superseded_by for one in (old, new, rival)] == [rival, old, None]


def test_agreement_with_an_echo_confirms_the_original(known, fact) -> None:
    """T-68, C-16: the original was inferred long ago; the person agrees with what the agent said of it now."""
    known.adopter._recent_inferred.clear()
    known.insert(ECHO)
    known.adopt()
    known.say("And?", agent=f"{FACT}.")
    known.say("Yes, exactly.")
    assert [one.memory_id for one in known.adopter.confirm_recent()] == [fact]
    assert known.validity(fact) == "confirmed"


def test_first_look_retires_no_echo(box) -> None:
    """design.md (Storage): what was there before the pack is not retired without asking."""
    fact = box.insert(FACT)
    show(box, fact)
    echo = know(box, ECHO)
    assert box.validity(echo) == "inferred"
