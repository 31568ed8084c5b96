"""Who said it: several hundred conversations, read against the specification by somebody trying to break the rules.

The dangerous direction comes first: what the person did not assert must never become the person's word.
"""

import pytest
from core_tools import NOW
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.attribution import Speaker, Utterance, attribute
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.records import Memory, Source, Validity
from memory_ledger.settings import Settings
from rows import Row, every_row
from spoken_cases import NOT_THE_USERS, THE_USERS

SETTINGS = Settings()
SPEAKERS = {"U:": Speaker.USER, "A:": Speaker.AGENT, "T:": Speaker.TOOL}


def read(rows: tuple[Row, ...]) -> list[tuple[str, str, list[Utterance]]]:
    """Return of each row the rule, the memory and what was said."""
    return [(group, text, [heard(one) for one in said]) for group, text, *said in rows]


def heard(line: str) -> Utterance:
    return Utterance(SPEAKERS[line[:2]], line[2:].lstrip(" "))


def note(text: str) -> Memory:
    return Memory(id="m", text=text, created_at=NOW, area="fragments")


@every_row(read(NOT_THE_USERS))
def test_never_the_persons_word(group: str, text: str, said: list[Utterance]) -> None:
    """C-12, C-13, C-16, C-25, C-26, C-78, T-03."""
    axes = classify_memory(note(text), said, SETTINGS).classification
    assert (axes.source, axes.validity) == (Source.AGENT_INFERRED, Validity.INFERRED)


@every_row(read(THE_USERS))
def test_the_persons_word(group: str, text: str, said: list[Utterance]) -> None:
    axes = classify_memory(note(text), said, SETTINGS).classification
    assert (axes.source, axes.validity) == (Source.USER_ASSERTED, Validity.CONFIRMED)


ASSERTED = [(text, said) for _, text, said in read(THE_USERS)]


@pytest.mark.parametrize("speaker", [Speaker.AGENT, Speaker.TOOL])
@every_row(ASSERTED)
def test_the_same_words_of_somebody_else(text: str, said: list[Utterance], speaker: Speaker) -> None:
    """C-26, T-03: a superior agent and a tool are not the person, whatever they say."""
    assert not attribute(text, [Utterance(speaker, one.text) for one in said]).is_user


@every_row(ASSERTED)
def test_an_evasive_answer_adds_nothing(text: str, said: list[Utterance]) -> None:
    """C-16: the agent says all of it, the person says neither yes nor no."""
    evasive = [Utterance(Speaker.AGENT, text), Utterance(Speaker.USER, "Hm. Let me look first.")]
    assert not attribute(text, evasive).is_user


@given(st.sampled_from(ASSERTED), st.lists(st.sampled_from(["Thanks.", "ok", "And now?", "Go on."]), max_size=3))
def test_small_talk_changes_nothing(case: tuple[str, list[Utterance]], talk: list[str]) -> None:
    """T-03, T-01: the author is found however many turns later the memory is written."""
    text, said = case
    later = [*said, *(Utterance(Speaker.USER, one) for one in talk)]
    assert attribute(text, later) == attribute(text, said)
