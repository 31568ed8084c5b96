"""C-47, T-01: of two facts the newer is the one that was said later, whenever the host's memorizers wrote it."""

from types import SimpleNamespace

import pytest
from conftest import Topic
from memory_ledger.host.turns import Turn
from memory_ledger.ledger.changes import Supersede
from memory_ledger.ledger.classify import Circumstances

OLD = "The staging server listens on port 8080"
NEW = "The staging server listens on port 9090"
AGAIN = "The user's staging server listens on port 8080"
SAID_OLD, SAID_NEW = f"{OLD}.", f"Correction: the {NEW[4:]}."


def assert_retired(box, loser: str, winner: str) -> None:
    """Assert that `winner` has retired `loser` and nothing else changed."""
    assert (box.validity(loser), box.validity(winner)) == ("deprecated", "confirmed")
    assert box.read(loser).lineage.superseded_by == winner


def test_memorizer_that_overtakes_another(known) -> None:
    """C-47: the correction was written first and said last."""
    known.say(SAID_OLD)
    known.say(SAID_NEW)
    new = known.learn(NEW)
    known.clock.advance(seconds=30)
    old = known.learn(OLD)
    assert_retired(known, old, new)


@pytest.mark.parametrize("is_same_sweep", [True, False])
def test_old_fact_that_is_written_again(known, is_same_sweep: bool) -> None:
    """C-47, T-68: a memorizer reads the whole history again; what was retired does not come back."""
    known.say(SAID_OLD)
    old = known.learn(OLD)
    known.clock.advance(minutes=1)
    known.say(SAID_NEW)
    new = known.insert(NEW)
    if not is_same_sweep:
        known.adopt()
        known.clock.advance(minutes=1)
        known.say("Which kinds of apples are there?", "Gala and Fuji.")
    again = known.learn(AGAIN)
    assert_retired(known, old, new)
    assert_retired(known, again, new)


def test_fact_that_holds_again_because_it_was_said_again(known) -> None:
    """C-47: the person went back to the old value; that is the newest truth."""
    for said, text in (
        (SAID_OLD, OLD),
        (SAID_NEW, NEW),
        ("Back again: the staging server listens on port 8080.", AGAIN),
    ):
        known.say(said)
        last = known.learn(text)
        known.clock.advance(minutes=1)
    assert known.validity(last) == "confirmed"
    assert known.validity("m0002") == "deprecated"


def test_both_facts_in_one_message(known) -> None:
    """C-41, C-47: the sentence that comes later counts, in whatever order the memorizer lists them."""
    known.say("The staging server listens on port 8080. No, wait. The staging server listens on port 9090.")
    new, old = known.insert(NEW), known.learn(OLD)
    assert_retired(known, old, new)


def test_old_fact_after_a_restart(known) -> None:
    """C-47, T-01: the moments of the person's messages survive; the chat is reopened and read again."""
    known.say(SAID_OLD)
    known.say(SAID_NEW)
    new = known.learn(NEW)
    known.restart(is_saved=True)
    known.clock.advance(days=1)
    known.reopen()
    again = known.learn(AGAIN)
    assert_retired(known, again, new)


def test_unseen_messages_of_a_reopened_chat_retire_nothing(known) -> None:
    """C-96: nobody knows when they were said, so neither is the newer one; both stay, whichever came first."""
    known.say(SAID_NEW.removeprefix("Correction: ").capitalize())
    new = known.learn(NEW)
    known.clock.advance(days=1)
    known.reopen(SAID_OLD)
    old = known.insert(OLD)
    adoption = known.adopt()
    assert not [one for one in adoption.changes if isinstance(one, Supersede)]
    assert (known.validity(old), known.validity(new)) == ("confirmed", "confirmed")


def test_memory_that_was_there_when_the_person_said_it_again(known) -> None:
    """C-47: what was written before it was said has its own time; what was said in between is newer."""
    old = known.insert(OLD)
    known.clock.advance(days=1)
    new = known.insert(NEW)
    known.clock.advance(days=1)
    known.say(f"As you know, {OLD[0].lower()}{OLD[1:]}. {NEW}.")
    known.adopt()
    assert known.read(old).lineage.stated_at is None
    assert_retired(known, old, new)


def test_first_look_orders_by_when_it_was_written(box) -> None:
    """C-47, C-91: an old chat that is open tells who said it, and not when."""
    box.reopen(SAID_OLD, f"{NEW}.")
    old = box.insert(OLD)
    box.clock.advance(days=1)
    new = box.insert(NEW)
    box.adopt(retire_existing=True)
    assert_retired(box, old, new)


def test_correction_whose_word_the_memorizer_drops(known) -> None:
    """C-41, C-80: "Actually" is in the message only; without it two things that are used are no contradiction."""
    known.say("Please look at billing.", "The API of the billing service uses REST.")
    agents = known.learn("The API of the billing service uses REST")
    known.say("Actually, the API of the billing service uses GraphQL.")
    users = known.learn("The API of the billing service uses GraphQL")
    assert known.read(users).lineage.is_correction
    assert_retired(known, agents, users)


@pytest.mark.parametrize(
    "said",
    [
        "The API of the billing service uses GraphQL.",
        "Actually, the API of the billing service also uses GraphQL.",
        "Actually, my name is Ada. The API of the billing service uses GraphQL.",
        "The API of the billing service uses GraphQL. Actually, never mind the rest.",
    ],
)
def test_what_was_not_said_as_a_correction_corrects_nothing(known, said: str) -> None:
    known.say("The API of the billing service uses REST.")
    old = known.learn("The API of the billing service uses REST")
    known.say(said)
    new = known.insert("The API of the billing service uses GraphQL")
    assert known.adopt().changes == []
    assert not known.read(new).lineage.is_correction
    assert (known.validity(old), known.validity(new)) == ("confirmed", "confirmed")


def test_answers_belong_to_their_own_chat(known) -> None:
    """C-16: "yes" in one chat agrees with nothing that the agent said in another."""
    known.say("What do you think of the port?", "The staging server listens on port 9090.", chat="first")
    known.say("Yes, exactly.", chat="second")
    other = known.learn(NEW)
    assert known.read(other).classification.source == "agent_inferred"
    topic, yes = Topic(), SimpleNamespace(ai=False, content={"user_message": "Yes, exactly."})
    known.turns.note(Turn(topic, (yes,), True, Circumstances(), "first"), known.clock())
    known.say("Which kinds of apples are there?", chat="third")
    answer = SimpleNamespace(ai=True, content="Good.")
    known.turns.note(Turn(topic, (yes, answer), True, Circumstances(), "first"), known.clock())
    assert [one.memory_id for one in known.adopter.confirm_recent()] == [other]
