"""A text made to be slow, or to hide something behind a cap, costs little and retires nothing."""

import pytest
from core_tools import LATER, memory
from growth import grows_linearly
from memory_ledger.claims import MAX_CHARACTERS, MAX_CLAIMS, extract_claims
from memory_ledger.claims.comparison.keys import asked_keys, entered_keys
from memory_ledger.language.sentences import LONGEST_TEXT
from memory_ledger.ledger.adopt import fingerprint
from memory_ledger.ledger.attribution import Conversation, Speaker, Utterance, confirms
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.ledger.resolve import Outcome, decide_memories
from memory_ledger.settings import Settings

_LONG = 250_000  # so long that whoever reads it in squares needs seconds for a quarter of it
NEW = "The port of the shop is 8443. "
OLD = "The port of the shop is 8080"


def _pumped(pump: str, length: int) -> str:
    return (pump * (length // len(pump) + 1))[:length]


def _say(text: str) -> None:
    said = (Utterance(Speaker.AGENT, text), Utterance(Speaker.USER, f"{text} I like green tea"))
    classify_memory(memory("m", "User likes green tea"), Conversation(said), Settings())


def test_what_grows_with_the_square_is_seen() -> None:
    assert not grows_linearly(lambda length: sum(range(length * length)), 4_000)


@pytest.mark.parametrize(
    ("head", "pump", "tail"),
    [
        ("From", " ", "\nI like green tea"),
        ("translate ", "“", "\nI like green tea"),
        ("", "```", "\nI like green tea"),
        ("my ", "``` ``` my ", "\nI like green tea"),
        ("\n", "edit below ", ""),
    ],
)
def test_what_somebody_hands_over_is_told_apart_in_linear_time(head: str, pump: str, tail: str) -> None:
    """T-03: each of these took seconds, up to minutes."""
    assert grows_linearly(lambda length: _say(head + _pumped(pump, length) + tail), LONGEST_TEXT - 100)


@pytest.mark.parametrize(
    "pump", ["ask ", "wonder what ", "wants ", "do ", "my  ", "the ", " ", "not  ", "?", "1,", "a\u0301 "]
)
def test_a_long_memory_is_classified_in_linear_time(pump: str) -> None:
    def classify(length: int) -> None:
        classify_memory(memory("m", _pumped(pump, length) + " you must stay"), (), Settings())

    assert grows_linearly(classify, LONGEST_TEXT - 100)
    assert grows_linearly(classify, _LONG)


@pytest.mark.parametrize("function", [fingerprint, confirms])
@pytest.mark.parametrize("pump", [" ", "\n", "oh, ", "a\u0301", "yes ", "1"])
def test_a_long_text_is_looked_at_in_linear_time(function, pump: str) -> None:
    assert grows_linearly(lambda length: function(_pumped(pump, length)), _LONG)


def test_a_memory_of_thousands_of_claims_has_few_keys() -> None:
    """C-37: what the claim index enters and asks is capped with the claims."""
    for text in ("The port of x{} is {}. ", "x{} uses Redis {}, Kafka {} and Go {}. "):
        claims = extract_claims("".join(text.replace("{}", str(number)) for number in range(10_000)))
        assert 0 < len(claims) <= MAX_CLAIMS
        assert sum(len(entered_keys(one)) + len(asked_keys(one)) for one in claims) <= 10 * MAX_CLAIMS


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param("x " * (MAX_CHARACTERS // 2), id="characters"),
        pytest.param("".join(f"The port of node-{number} is {9000 + number}. " for number in range(200)), id="claims"),
    ],
)
def test_what_is_not_read_whole_retires_nothing(rest: str) -> None:
    """C-41, C-43: behind the cap it may take back what it says; a memory that is read whole may retire a part of it."""
    old, new = memory("a", OLD), memory("b", NEW, at=LATER)
    assert decide_memories(old, new)[2].outcome is Outcome.SUPERSEDE
    cut = memory("b", f"{NEW}{rest}Actually, the port of the shop is 8080.", at=LATER)
    assert decide_memories(old, cut)[2].outcome is Outcome.COEXIST
    later = memory("c", "Actually, the port of the shop is 9000", at=LATER)
    assert decide_memories(cut, later)[2].outcome is Outcome.PARTIAL


def test_of_what_is_not_read_whole_and_does_not_hold_in_part_nothing_counts() -> None:
    text = NEW + "".join(f"The port of node-{number} is {9000 + number}. " for number in range(200))
    part = {"text": "The port of node-1 is 9001", "by": "z", "at": LATER}
    outdated = memory("b", text, at=LATER, lineage={"outdated_parts": [part]})
    assert decide_memories(memory("a", OLD), outdated)[2].outcome is Outcome.COEXIST
