"""Nothing takes more than linear time: what is read is capped, and no pattern can backtrack far (issue 3)."""

import re
import sys
from itertools import pairwise
from re import _constants as _sre
from re import _parser

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import MAX_CHARACTERS, MAX_CLAIMS, compare_texts, extract_claims
from memory_ledger.language.segment import MAX_SENTENCE_TOKENS, parse_sentences, tokenise
from memory_ledger.texts import Regex

CASES = read_cases(__file__)

_PIECES = ("a.", "/", "/a", "a@", "1", "1,234", "not ", "and ", "the port of ", "alice's ", '"', "C:\\", "$", ":", "a-")


@pytest.mark.parametrize("piece", _PIECES)
def test_a_text_of_a_megabyte_reads_like_its_beginning(piece):
    """The cap bounds the work by design, whatever stands behind it."""
    text = piece * (1_000_000 // len(piece))
    assert extract_claims(text) == extract_claims(text[: MAX_CHARACTERS + 1])
    assert compare_texts(text, text[:-1]).relation is not None


@pytest.mark.parametrize("piece", _PIECES)
def test_tokens_are_read_in_one_pass(piece):
    """Token starts only grow, and at most one token begins at each character (two for a contraction)."""
    tokens = tokenise(piece * 4_000)
    assert len(tokens) <= 2 * MAX_CHARACTERS
    assert all(a.start <= b.start for a, b in pairwise(tokens))
    assert not tokens or tokens[-1].end <= MAX_CHARACTERS


def test_a_sentence_that_the_cap_cuts_is_not_read():
    text = "x " * (MAX_CHARACTERS // 2 - 15) + "\nThe API runs on port 8443 in staging"
    assert extract_claims(text) == ()


def test_sentences_and_claims_are_capped():
    assert parse_sentences("word " * (MAX_SENTENCE_TOKENS + 1)) == ()
    assert len(parse_sentences("word " * MAX_SENTENCE_TOKENS)) == 1
    assert len(extract_claims("I like tea. " * 200)) == MAX_CLAIMS


def _calls(text):
    """Function calls inside the package while `text` is read: steps that do not depend on the machine."""
    count = 0

    def profile(frame, event, _arg):
        nonlocal count
        count += event == "call" and "claims" in frame.f_code.co_filename

    sys.setprofile(profile)
    try:
        extract_claims(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("sentence", CASES["twice_the_sentences_take_twice_the_steps"])
def test_twice_the_sentences_take_twice_the_steps(sentence):
    """Counted in calls, so that no clock is involved. Below the claim cap, growth is linear."""
    extract_claims(sentence)
    short, long = _calls(sentence * 12), _calls(sentence * 24)
    assert long < 2.1 * short


def _patterns():
    return [
        pytest.param(value, id=f"{name}.{key}")
        for name in sorted(sys.modules)
        if name.startswith("memory_ledger.claims.")
        for key, value in vars(sys.modules[name]).items()
        if isinstance(value, Regex)
    ]


def test_the_patterns_are_found():
    assert len(_patterns()) > 10


def _characters(node):
    """The ASCII characters that one node of a parsed pattern can match."""
    operator, value = node
    if operator is _sre.LITERAL:
        return {chr(value)}
    pattern = re.compile("")
    if operator is _sre.IN:
        found = set()
        for kind, item in value:
            if kind is _sre.LITERAL:
                found.add(chr(item))
            elif kind is _sre.RANGE:
                found |= {chr(code) for code in range(item[0], min(item[1], 127) + 1)}
            elif kind is _sre.CATEGORY:
                pattern = re.compile({_sre.CATEGORY_WORD: r"\w", _sre.CATEGORY_DIGIT: r"\d"}[item])
                found |= {chr(code) for code in range(128) if pattern.match(chr(code))}
        return found
    return None


def _repeats(nodes):
    """Every repeat of a parsed pattern as (most repetitions, its content), outer ones first."""
    for operator, value in nodes:
        if operator in (_sre.MAX_REPEAT, _sre.MIN_REPEAT):
            yield value[1], list(value[2])
            yield from _repeats(value[2])
        elif operator is _sre.SUBPATTERN:
            yield from _repeats(value[3])
        elif operator is _sre.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch)


@pytest.mark.parametrize("pattern", _patterns())
def test_a_repeat_inside_a_repeat_is_set_off_by_a_character_that_it_cannot_match(pattern):
    """So there is one way only to cut a text into repetitions, and no pattern needs more than linear time."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    for most, content in _repeats(tree):
        inner = [body for inner_most, body in _repeats(content) if inner_most > 1]
        if most <= 1 or not inner:
            continue
        edges = [characters for node in (content[0], content[-1]) if (characters := _characters(node))]
        for body in inner:
            repeated = _characters(body[0])
            assert any(edge.isdisjoint(repeated) for edge in edges), pattern.pattern
