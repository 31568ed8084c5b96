"""When something was said, and what that means for which of two memories is the newer one (C-47, C-41, T-01)."""

from datetime import UTC, datetime, timedelta

import pytest
from case_tables import read_cases
from core_tools import memory
from memory_ledger.claims import is_correction
from memory_ledger.ledger.attribution import Conversation, Speaker, Utterance, attribute
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.ledger.resolve import Party, decide_memories, name_winner
from memory_ledger.records import Source, Utility, Validity
from memory_ledger.settings import Settings

CASES = read_cases(__file__)

T0 = datetime(2026, 3, 1, 12, tzinfo=UTC)
USER, AGENT = Speaker.USER, Speaker.AGENT


def at(minutes: float) -> datetime:
    """Return a moment so many minutes after the first."""
    return T0 + timedelta(minutes=minutes)


def said(*words: tuple[Speaker | str, str]) -> list[Utterance]:
    """Return a conversation with a minute between any two messages."""
    return [Utterance(Speaker(speaker), text, at(number)) for number, (speaker, text) in enumerate(words)]


OLD, NEW = "The port of the shop is 8080.", "The port of the shop is 8443."


@pytest.mark.parametrize(("text", "words", "minute"), CASES["moment_at_which_a_memory_was_said"])
def test_moment_at_which_a_memory_was_said(text: str, words: list[tuple[Speaker, str]], minute: int | None) -> None:
    found = attribute(text, said(*words))
    assert (found.stated_at, found.stated_from) == ((at(minute),) * 2 if minute is not None else (None, None))


def test_sentences_of_one_message_follow_each_other() -> None:
    """C-47: "The port is 8080. Actually it is 8443." says two things, one after the other."""
    words = said((USER, f"{OLD} {NEW}"))
    assert attribute(OLD, words).stated_at < attribute(NEW, words).stated_at < at(0.01)


def test_memory_of_several_messages_was_said_over_a_time() -> None:
    """C-47: a summary of two messages is as new as the last, and as old as the first."""
    words = said((USER, OLD), (USER, "The shop sells tea and coffee."))
    found = attribute(f"{OLD} The shop sells tea and coffee.", words)
    assert (found.stated_from, found.stated_at) == (at(0), at(1))


def test_message_of_an_uncertain_time() -> None:
    """C-47, C-96: the ends of the time in which it was said are those of the memory."""
    found = attribute(OLD, [Utterance(USER, OLD, at(9), since=at(3))])
    assert (found.stated_from, found.stated_at) == (at(3), at(9))


@pytest.mark.parametrize(("written", "since", "until", "expected"), CASES["nothing_is_written_before_it_is_said"])
def test_nothing_is_written_before_it_is_said(
    written: float, since: float, until: float, expected: tuple[float, float | None] | None
) -> None:
    """C-47: a memory that was there already when the person said it again keeps its own time."""
    words = [Utterance(USER, OLD, at(until), since=None if since == until else at(since))]
    lineage = classify_memory(memory("m1", OLD, at=at(written)), words, Settings()).lineage
    found = (lineage.stated_at, lineage.stated_from)
    assert found == ((None, None) if expected is None else tuple(None if one is None else at(one) for one in expected))
    assert lineage.created_at == at(written)


def party(minute: float, since: float | None = None) -> Party:
    """Return one of two sides that differ in nothing but time."""
    began = None if since is None else at(since)
    return Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, at(minute), began)


@pytest.mark.parametrize(("older", "newer", "winner"), CASES["only_what_was_certainly_said_later_is_newer"])
def test_only_what_was_certainly_said_later_is_newer(
    older: tuple[float, ...], newer: tuple[float, ...], winner: str | None
) -> None:
    assert name_winner(party(*older), party(*newer))[:2] == (winner, "C-47" if winner else "C-96")


WITHIN = timedelta(microseconds=1861)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("written", "order", "winner"),
    [
        pytest.param(T0, ["said", "written"], None, id="perhaps after it"),
        pytest.param(T0 - SECOND, ["written", "said"], "newer", id="in the second before"),
        pytest.param(T0 + SECOND, ["said", "written"], None, id="in the second after"),
    ],
)
def test_what_was_written_in_the_second_of_the_users_word_may_be_newer(
    written: datetime, order: list[str], winner: str | None
) -> None:
    """C-44, C-96: the host's clock has whole seconds; nobody is known to have said the other one before the user."""
    user = memory("said", OLD, source=Source.USER_ASSERTED, lineage={"stated_at": T0 + WITHIN})
    other = memory("written", NEW, at=written, source=Source.AGENT_INFERRED, validity=Validity.INFERRED)
    older, newer, decision = decide_memories(user, other)
    assert ([older.id, newer.id], decision.winner, decision.rule) == (order, winner, "C-44")


def test_two_that_were_only_written_are_as_old_as_they_say() -> None:
    one, two = (memory(str(n), text, at=T0 + n * WITHIN) for n, text in enumerate((OLD, NEW)))
    assert decide_memories(two, one)[1].id == two.id


@pytest.mark.parametrize(("text", "expected"), CASES["sentence_that_is_a_correction"])
def test_sentence_that_is_a_correction(text: str, expected: bool) -> None:
    assert is_correction(text) is expected


@pytest.mark.parametrize(("words", "text", "expected"), CASES["memory_that_was_said_as_a_correction"])
def test_memory_that_was_said_as_a_correction(words: str, text: str, expected: bool) -> None:
    """C-41, C-80: what the person said counts, every sentence of it; not what a memorizer puts in front of it."""
    lineage = classify_memory(memory("m1", text, at=at(1)), said((USER, words)), Settings()).lineage
    assert lineage.is_correction is expected


def test_one_conversation_serves_many_memories() -> None:
    """C-25: what was read for one memory changes nothing for the next; a fresh reading gives the same."""
    words = said((USER, OLD), (AGENT, f"Noted: {NEW}"), (USER, "Yes, exactly. My shop sells tea."), (AGENT, "Good."))
    shared = Conversation(words)
    texts = [OLD, NEW, "The user's shop sells tea.", "The shop is closed.", f"{OLD} {NEW}", OLD]
    assert [attribute(text, shared) for text in texts] == [attribute(text, words) for text in texts]
    assert [attribute(text, shared).is_user for text in texts] == [True, True, True, False, True, True]
