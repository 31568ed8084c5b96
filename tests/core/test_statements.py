"""What was said: the modality of a clause, the reach of a denial, values and their units, agreement."""

import re

import pytest
from case_tables import read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.language.keys import keys_of
from memory_ledger.language.modality import Modality, is_question, parse_modalities, split_clauses
from memory_ledger.language.sentences import split_sentences
from memory_ledger.language.vocabulary import CONTRASTS
from memory_ledger.ledger.attribution import Speaker, Utterance, attribute
from memory_ledger.ledger.conversation import agreed_passages, confirms
from memory_ledger.ledger.memory_sentence import parse_memory_text
from memory_ledger.ledger.mentions import (
    CONTRARY,
    are_forms,
    parse_clause,
    parse_items,
    parse_mentions,
)
from memory_ledger.ledger.passages import parse_agreed, parse_passages
from rows import every_row
from spoken_cases import THE_USERS

CASES = read_cases(__file__)


@pytest.mark.parametrize(("sentence", "modalities"), CASES["force"])
def test_force(sentence: str, modalities: list[Modality]) -> None:
    """C-12, T-03: only what is asserted outright can be the person's word as it stands."""
    assert tuple(parse_modalities(sentence, split_clauses(sentence))) == modalities


@pytest.mark.parametrize(("clause", "affirmed", "denied"), CASES["reach_of_a_denial"])
def test_reach_of_a_denial(clause: str, affirmed: str, denied: str) -> None:
    read = parse_clause(clause)
    assert keys_of(affirmed.split()) <= read.affirmed
    assert read.denied >= keys_of(denied.split())
    assert not read.affirmed & read.denied
    assert not keys_of(denied.split()) & read.affirmed
    assert bool(denied) or not read.denied


def test_denial_in_a_script_without_spaces() -> None:
    for text in ("Redisを使っていません", "这个项目不使用Redis"):
        read = parse_clause(text)
        assert (read.is_negated, read.affirmed, read.denied) == (True, frozenset(), frozenset())


@pytest.mark.parametrize(("remembered", "said", "expected"), CASES["spelling_of_values"])
def test_spelling_of_values(remembered: str, said: str, expected: bool) -> None:
    """T-03: values must be covered, in whatever spelling; units, factors and signs belong to them."""
    values = [one for one in parse_items(f"it is {remembered}") if one.is_hard or one.number is not None]
    assert values
    assert all(map(parse_mentions(f"it is {said}").has, values)) is expected


@pytest.mark.parametrize(("one", "other", "expected"), CASES["forms_of_a_word"])
def test_forms_of_a_word(one: str, other: str, expected: bool) -> None:
    assert are_forms(one, other) is expected
    assert are_forms(other, one) is expected


@pytest.mark.parametrize(("message", "own", "handed_over"), CASES["text_that_is_handed_over"])
def test_text_that_is_handed_over(message: str, own: str, handed_over: str) -> None:
    words = frozenset().union(*(one.clause.words for one in parse_passages(message)))
    assert keys_of(own.split()) <= words
    assert not keys_of(handed_over.split()) & words


@every_row([*((answer, True) for answer in CASES["agreement"]), *((answer, False) for answer in CASES["no_agreement"])])
def test_agreement(answer: str, expected: bool) -> None:
    assert confirms(answer) is expected


@pytest.mark.parametrize(("said", "answer", "agreed"), CASES["what_is_agreed_with"])
def test_what_is_agreed_with(said: str, answer: str, agreed: str) -> None:
    words = frozenset().union(*(one.clause.words for one in agreed_passages(said, answer)))
    assert ("heron" in words) is bool(agreed)


@pytest.mark.parametrize(("said", "about"), CASES["of_whom_the_agent_speaks"])
def test_of_whom_the_agent_speaks(said: str, about: str) -> None:
    assert [one.about for one in parse_agreed(said)] == [about]


def test_every_contrast_works_both_ways() -> None:
    """T-03: who says one word of a group says none of the others; no word is its own rival."""
    for group in CONTRASTS:
        assert len(keys_of(group)) == len(group)
        for key in keys_of(group):
            assert keys_of(group) - {key} <= CONTRARY[key]
            assert key not in CONTRARY[key]


@pytest.mark.parametrize(("text", "sentences"), CASES["sentences"])
def test_sentences(text: str, sentences: list[str]) -> None:
    assert tuple(split_sentences(text)) == sentences


def test_document_is_no_statement() -> None:
    """C-25: what is too long to be looked for is not the person's word, even if the person pasted it."""
    for text in ("The port is 8443. " * 101, "word " * 4_001):
        assert parse_memory_text(text) == []
        assert not attribute(text, [Utterance(Speaker.USER, text)]).is_user


@given(st.text(max_size=200), st.text(max_size=100))
def test_any_text_is_read(text: str, answer: str) -> None:
    for one in (*parse_passages(text), *agreed_passages(text, answer)):
        assert one.clause.affirmed | one.clause.denied <= one.clause.words
        assert not one.clause.affirmed & one.clause.denied or one.clause.words
    for sentence in parse_memory_text(text):
        assert sentence.words
        assert sentence.words <= parse_mentions(text).words
    assert isinstance(is_question(text), bool)


STATED = [(text, said) for _, text, *said in THE_USERS]
NEGATIVE = re.compile(r"\b(?:not|no|never|cannot|nor|critical)\b|n't")
AFFIRMATIONS = [
    (" is ", " is not "),
    (" are ", " are not "),
    (" lives ", " no longer lives "),
    (" uses ", " never uses "),
]


def variants(text: str, said: list[str]) -> list[str]:
    """Return `text` with one number, one name or one assertion changed to what nobody said."""
    heard = " ".join(said)
    found = []
    for match in re.finditer(r"(?<![\d.,:-])\d{1,5}(?![\d.,:-]|\w*-\d)", text):
        other = str(int(match[0]) + 7)
        if other not in heard:
            found.append(f"{text[: match.start()]}{other}{text[match.end() :]}")
    for match in re.finditer(r"(?<=[a-z,;] )[A-Z][a-zA-Z]{2,}", text):
        found.append(f"{text[: match.start()]}Quillon{text[match.end() :]}")
    if not NEGATIVE.search(text):
        found += [text.replace(old, new, 1) for old, new in AFFIRMATIONS if old in text]
    return found


@every_row((other, said) for text, said in STATED for other in variants(text, said))
def test_one_change_makes_it_somebody_elses_word(text: str, said: list[str]) -> None:
    """T-03: every value and every denial counts, in every one of the statements that are the person's."""
    speakers = {"U:": Speaker.USER, "A:": Speaker.AGENT, "T:": Speaker.TOOL}
    heard = [Utterance(speakers[one[:2]], one[2:].lstrip(" ")) for one in said]
    assert not attribute(text, heard).is_user
