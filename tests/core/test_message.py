"""A message is read as what it is: the sentences that speak to the agent (T-66)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.plan import MOST_SENTENCES, split_message

LOG = "\n".join(f"2026-02-07 01:13:{number} DEBUG (node.{number}) heartbeat ok rssi=-39" for number in range(10, 40))
LETTER = (
    "Dear all,\n\nthe stairwell will be painted in a light ochre. The vote was close. The broken intercom is to be "
    "exchanged. The motion on laundry was rejected. The assembly closed at nine.\n\nKind regards,\nWim"
)
CHAT = "We walked along the river. It rained a lot. My shoes are wet."


def texts(message: str) -> list[str]:
    return [one.text for one in split_message(message)]


# --- what must not change ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["Which port has staging?", "deploy it", "passt die Farbe zu Jan?", "42"])
def test_one_sentence_is_the_message(message: str) -> None:
    """E-09: nothing else is asked then."""
    assert texts(message) == [message]


# --- what speaks to the agent --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(f"{CHAT} Which port has staging?", id="behind chat"),
        pytest.param(f"Which port has staging? {CHAT}", id="before chat"),
        pytest.param("Which port has staging The park was full of dogs.", id="before chat, without a mark"),
        pytest.param(f"{LOG}\n\nWhich port has staging?", id="behind a log"),
        pytest.param(f"Which port has staging?\n\n{LOG}", id="before a log"),
        pytest.param(f"here is the log:\n{LOG}\n\nWhich port has staging?", id="behind a log that is announced"),
        pytest.param(f"{LETTER}\n\nWhich port has staging?", id="behind a letter"),
        pytest.param("```\nport = 1\n```\nWhich port has staging?", id="behind code"),
        pytest.param("> Which port has prod?\n\nWhich port has staging?", id="behind a quote"),
    ],
)
def test_the_question_is_asked_for_itself(message: str) -> None:
    """T-66: whatever stands around it; what is pasted is not asked."""
    found = split_message(message)
    assert [one.text.rstrip("?") for one in found if one.asks] == ["Which port has staging"]
    assert len(found) <= 4


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param("which port has staging", True, id="a word that asks"),
        pytest.param("ok so which port has staging", True, id="behind words that say nothing"),
        pytest.param("the disk is full, who do we call", True, id="in its last clause"),
        pytest.param("write a mail to Ann", True, id="an order"),
        pytest.param("schreib Anna eine Mail", True, id="an order in another language"),
        pytest.param("the disk is full", False, id="a statement"),
        pytest.param("thanks, that was quick", False, id="thanks"),
    ],
)
def test_what_asks(sentence: str, expected: bool) -> None:
    """T-66: by its mark, or by what a clause begins with."""
    assert split_message(sentence)[0].asks is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("what is my dose?", True), ("wie hoch ist unsere Miete?", True), ("what is the capital of Laos?", False)],
)
def test_what_is_the_users_own(sentence: str, expected: bool) -> None:
    """T-66: a word for the speaker, in any of ten languages."""
    assert split_message(sentence)[0].is_own is expected


@pytest.mark.parametrize("message", ["", "   ", "👍", "```\nx = 1\n```", LOG])
def test_what_says_nothing_asks_nothing(message: str) -> None:
    """T-66: no sentence, so nothing can be evidence."""
    assert split_message(message) == ()


@given(st.lists(st.sampled_from(["It rains.", "Who calls?", "We left, and it was late."]), max_size=60))
def test_a_message_has_sixteen_sentences_at_most(parts: list[str]) -> None:
    """T-66: those of the message itself, in their order, each once."""
    message = " ".join(parts)
    found = texts(message)
    assert len(found) <= MOST_SENTENCES
    assert [message.find(one) for one in found] == sorted({message.find(one) for one in found})


def test_of_a_long_message_what_asks_stays() -> None:
    """T-66: then what stands near the beginning or the end."""
    message = " ".join([*(f"Day {number} was fine." for number in range(1, 31)), "Who calls?", "It rains."])
    found = texts(message)
    assert len(found) == MOST_SENTENCES
    assert "Who calls?" in found
    assert found[0] == "Day 1 was fine."
    assert found[-1] == "It rains."
