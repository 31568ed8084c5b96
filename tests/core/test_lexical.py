"""The search by words, against a plain BM25 over nothing but what may take part (T-66)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from case_tables import read_cases
from hypothesis import example, given, settings
from hypothesis import strategies as st
from memory_ledger.language.keys import chunk_keys, iter_tokens, spell_out
from memory_ledger.recall.lexical import LexicalIndex, Matches, parse_query, parse_terms

CASES = read_cases(__file__)

SATURATION, LENGTH_SHARE, UNSEEN, MOST_TERMS = 0.9, 0.3, 100, 48


class Shelf:
    """Texts by id, each at a place of its own; another mapping tells the places once one has moved."""

    def __init__(self, held: Mapping[str, Sequence[str]] | None = None) -> None:
        self.index = LexicalIndex()
        self.ids: list[str] = []
        self.places: dict[str, int] = {}
        for memory_id, terms in (held or {}).items():
            self.enter(memory_id, terms)

    def enter(self, memory_id: str, terms: Sequence[str]) -> None:
        if memory_id not in self.ids:
            self.place(memory_id)
        self.index.add(memory_id, terms)

    def place(self, memory_id: str) -> None:
        self.places[memory_id] = len(self.ids)
        self.ids.append(memory_id)

    def take_places(self, ids: Sequence[str]) -> None:
        self.ids = [*ids]
        self.places = {one: place for place, one in enumerate(ids)}

    def drop(self, memory_id: str) -> None:
        self.index.remove(memory_id)
        if memory_id in self.ids:
            self.take_places([one for one in self.ids if one != memory_id])

    def match(self, query: Sequence[str | tuple[str, ...]], out: frozenset[str] = frozenset()) -> Matches:
        groups = [(one,) if isinstance(one, str) else one for one in query]
        eligible = np.array([one not in out for one in self.ids], dtype=np.bool_)
        return self.index.match([groups], eligible, self.places)

    def found(
        self, query: Sequence[str | tuple[str, ...]], out: frozenset[str] = frozenset()
    ) -> dict[str, tuple[float, float]]:
        """Return score and coverage by id."""
        found = self.match(query, out)
        pairs = zip(found.scores[0].tolist(), found.coverage[0].tolist(), strict=True)
        return dict(zip(self.ids, pairs, strict=True))


def shelf_of(texts: Mapping[str, str]) -> Shelf:
    return Shelf({memory_id: parse_terms(text) for memory_id, text in texts.items()})


def plain_bm25(texts: Mapping[str, Sequence[str]], query: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return score and coverage of each text; nothing but `texts` decides."""
    mean = max(sum(map(len, texts.values())) / len(texts), 1.0) if texts else 1.0
    holders = {term: sum(term in terms for terms in texts.values()) for term in query}
    rarity = {term: math.log(1 + (UNSEEN + len(texts) - n + 0.5) / (n + 0.5)) for term, n in holders.items()}
    whole = sum(rarity[term] for term in query)
    answer = {}
    for memory_id, terms in texts.items():
        counts, norm = Counter(terms), SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * len(terms) / mean)
        score = sum(rarity[one] * counts[one] * (SATURATION + 1) / (counts[one] + norm) for one in query)
        held = sum(rarity[one] for one in query if one in counts)
        answer[memory_id] = (score, held / whole if whole else 0.0)
    return answer


def assert_equal(found: Mapping[str, tuple[float, float]], expected: Mapping[str, tuple[float, float]]) -> None:
    assert found.keys() == expected.keys()
    for memory_id, pair in expected.items():
        assert found[memory_id] == pytest.approx(pair, abs=1e-12), memory_id


def test_inflections_of_a_word_are_one() -> None:
    found = shelf_of({"a": "the servers were restarted"}).found(parse_query("restarting a server"))
    assert found["a"][0] > 0


def test_a_memory_is_found_by_the_day_of_its_writing() -> None:
    at = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    dated, undated = parse_terms("we met", at), parse_terms("we met")
    assert set(parse_terms("2026-03-01")) & set(dated)
    assert not set(parse_terms("2026-03-01")) & set(undated)
    assert set(parse_terms("in March 2026")) & set(dated) >= {"2026"}


NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PIECES = [
    *"cat|Cats.|May|may|it's|node-2|two-week|3-9|-5|3 pm|at 03:15 a.m.|$ 20|€5|20%|m²|8,443|v3.11.4".split("|"),
    *"2026-03-01|/var/log|http://a.b/c|C:\\x|k8s|Node.js|港口|na\u0308h|\0|\0\0|-|don’t|a_b|(ok)|ok?!|::".split("|"),
    *("C#", "1st", " ", "\n", "\t", "\x1f", "\u2003", "", "x" * 201),
]
written = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=9).map("".join) | st.text(max_size=40)
moments = st.integers(1_700_000_000, 1_800_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@settings(max_examples=300)
@given(written)
def test_a_text_is_found_by_the_keys_of_its_tokens(text) -> None:
    """T-66, issue 22: what stands between blanks is read piece by piece, and gives what the whole text gives."""
    chunks = spell_out(text).replace("\0", " ").split()  # no text has that mark by itself
    keys = [key for chunk in chunks for key in chunk_keys(chunk)]
    assert [term for term in parse_terms(text) if term[0] != " "] == keys
    assert [one[0] for one in parse_query(text)] == [key for token in iter_tokens(text) for key in token.keys]


@settings(max_examples=150)
@given(
    st.dictionaries(st.sampled_from([f"m{number}" for number in range(9)]), st.tuples(written, moments), max_size=9),
    st.lists(st.tuples(st.sampled_from(["m0", "m4", "late"]), st.none() | written), max_size=4),
    written,
    st.booleans(),
)
@example({"m0": ("cat \0 dog", NOON), "m1": ("bird \0\0", NOON)}, [], "bird", False)
def test_many_entered_at_once_are_found_as_one_by_one(held, later, query, is_packed) -> None:
    """Issue 22: a store that is opened for one question ranks as one that is kept; also after a change, and packed."""
    one_by_one, at_once = Shelf(), Shelf()
    for memory_id, (text, at) in held.items():
        one_by_one.enter(memory_id, parse_terms(text, at))
    at_once.index.add_all(held)
    at_once.take_places([*held])
    for shelf in (one_by_one, at_once):
        for memory_id, text in later:
            shelf.drop(memory_id) if text is None else shelf.enter(memory_id, parse_terms(text))
    if is_packed:
        at_once.index._pack()
    day = [one for _, at in held.values() for one in parse_terms("", at)]
    for terms in (parse_query(query), parse_query("cat node-2"), day):
        assert at_once.found(terms) == one_by_one.found(terms)


@pytest.mark.parametrize("spellings", CASES["same"])
def test_spellings_of_a_name_are_one(spellings: str) -> None:
    """T-66: whichever the memory has and whichever the message; and it covers the whole of the message."""
    names = spellings.split(" | ")
    for written, asked in ((written, asked) for written in names for asked in names):
        shelf = shelf_of({"this": f"So it is {written}, we think.", "other": "So it is something else, we think."})
        found = shelf.found(parse_query(asked))
        assert found["this"][1] == pytest.approx(1.0), (written, asked)
        assert found["other"] == (0.0, 0.0)


@pytest.mark.parametrize("names", CASES["other_names_stay_apart"])
def test_other_names_stay_apart(names: str) -> None:
    """T-66: what is written together is no reason to take two names for one."""
    one, other = names.split(" | ")
    for written, asked in ((one, other), (other, one)):
        assert shelf_of({"a": f"So it is {written}, we think."}).found(parse_query(asked))["a"] == (0.0, 0.0)


def test_a_word_counts_once_whatever_spellings_are_in_the_text() -> None:
    """T-66: the union of holders decides the rarity, the most frequent alternative the frequency."""
    shelf = Shelf({"a": ["x", "x", " y"], "b": [" y", "w", "v"], "c": ["z", "w"], "d": ["z", "x"]})
    one_word = {"a": ["x", "x"], "b": ["x", "w"], "c": ["z", "w"], "d": ["z", "x"]}
    found, expected = shelf.found([("x", " y", "unheard"), ("z",)]), plain_bm25(one_word, ["x", "z"])
    assert found["a"] == pytest.approx(expected["a"], abs=1e-12)
    assert {one: share for one, (_, share) in found.items()} == {
        one: pytest.approx(share) for one, (_, share) in expected.items()
    }


def test_words_that_stand_apart_have_to_be_there_all() -> None:
    """T-66: "OrderBook" is what has both words, as often as the rarer of them."""
    found = Shelf({"a": ["order", "book", "order"], "b": ["order"], "c": ["book"]}).found([("orderb", "order book")])
    assert found["a"][0] > 0
    assert found["b"] == found["c"] == (0.0, 0.0)


SENTENCES = st.sampled_from(CASES["sentences"])


@given(st.lists(SENTENCES, unique=True), SENTENCES, SENTENCES)
def test_plain_sentences_score_by_their_words_alone(held, one, other) -> None:
    """T-66: where nothing has a second spelling, spellings make no difference."""
    texts = {f"m{number}": text for number, text in enumerate(held)}
    query = f"{one} {other}"
    expected = plain_bm25({name: parse_terms(text) for name, text in texts.items()}, parse_terms(query))
    assert_equal(shelf_of(texts).found(parse_query(query)), expected)


WORDS = "cat dog bird fish tea milk red blue gate 8443 3.11".split()
texts = st.dictionaries(
    st.sampled_from([f"m{number}" for number in range(12)]), st.lists(st.sampled_from(WORDS), max_size=80), max_size=12
)
queries = st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=6)


@settings(max_examples=60)
@given(texts, queries, st.sets(st.sampled_from([f"m{number}" for number in range(12)])))
def test_score_is_bm25_over_what_may_take_part(held, query, out) -> None:
    """T-52, T-66: what may not take part changes nothing, neither by its words nor by its length."""
    shelf = Shelf(held)
    # Of a word that stands in a text more than 63 times no more are counted.
    expected = plain_bm25({one: terms for one, terms in held.items() if one not in out}, query)
    if all(count < 64 for terms in held.values() for count in Counter(terms).values()):
        assert_equal(shelf.found(query, frozenset(out)), {one: expected.get(one, (0.0, 0.0)) for one in held})
    assert all(0.0 <= share <= 1.0 for _, share in shelf.found(query, frozenset(out)).values())


def test_a_pasted_log_does_not_drown_the_question() -> None:
    """T-66: words that nobody has cost nothing, so they push out none that somebody has."""
    shelf = shelf_of({"a": "heron gate", "b": "cat"})
    noise = [f"0x{number:08d}" for number in range(200)]
    score, share = shelf.found([*parse_query("heron"), *noise])["a"]
    assert score == pytest.approx(shelf.found(parse_query("heron"))["a"][0])
    assert 0.0 < share < 0.02


def test_of_a_long_message_the_rarest_words_are_looked_for() -> None:
    """T-66: so that it costs no more than a question; the score is still that of BM25, over those words."""
    held = {f"m{number}": [f"w{n}" for n in range(60) if n % 7 <= number] for number in range(7)}
    shelf = Shelf(held)
    query = [f"w{n}" for n in range(60)]
    holders = {one: sum(one in terms for terms in held.values()) for one in query}
    rarest = sorted(sorted(query), key=lambda one: holders[one])[:MOST_TERMS]
    assert_equal(shelf.found(query), plain_bm25(held, rarest))


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=30), st.integers(0, 32), st.randoms())
def test_the_best_are_those_of_a_full_sort(scores, count, random) -> None:
    ids = [f"m{number:02d}" for number in range(len(scores))]
    random.shuffle(ids)
    matches = Matches(np.array([scores], dtype=np.float64), *np.zeros((3, 1, len(scores))))
    every = sorted((-score, one, place) for place, (score, one) in enumerate(zip(scores, ids, strict=True)) if score)
    assert matches.best(count, ids) == [[place for _, _, place in every][:count]]


steps = st.lists(
    st.tuples(
        st.sampled_from([f"m{number}" for number in range(8)]), st.none() | st.lists(st.sampled_from(WORDS), max_size=9)
    ),
    max_size=30,
)


@settings(max_examples=60)
@given(steps, queries, st.randoms())
def test_any_history_ends_in_the_index_of_what_is_left(history, query, random) -> None:
    """T-66: after any sequence of entering, entering anew and removing, asked in between, in whatever order."""
    shelf, left = Shelf(), {}
    for memory_id, terms in history:
        if terms is None:
            shelf.drop(memory_id)
            left.pop(memory_id, None)
        else:
            shelf.enter(memory_id, terms)
            left[memory_id] = terms
        if random.random() < 0.3:
            shelf.match(query)
    assert len(shelf.index) == len(left)
    assert all(one in shelf.index for one in left)
    assert_equal(shelf.found(query), plain_bm25(left, query))
    fresh, order = Shelf(), list(left)
    random.shuffle(order)
    for memory_id in order:
        fresh.enter(memory_id, left[memory_id])
    assert_equal(shelf.found(query), fresh.found(query))


def test_packing_changes_no_answer() -> None:
    """T-66: hundreds are entered anew and removed; the index does not grow with them, and says the same."""
    shelf, left = Shelf(), {}
    for number in range(600):
        memory_id = f"m{number % 150:03d}"
        left[memory_id] = [WORDS[(number + step) % len(WORDS)] for step in range(number % 5 + 1)]
        shelf.enter(memory_id, left[memory_id])
        if number % 97 == 0:
            shelf.match(["cat"])
    for number in range(0, 150, 2):
        shelf.drop(f"m{number:03d}")
        del left[f"m{number:03d}"]
    assert len(shelf.index._ids) < 300, "slots of what is gone are given back"
    assert_equal(shelf.found(["cat", "8443", "tea"]), plain_bm25(left, ["cat", "8443", "tea"]))


def test_a_memory_is_matched_once_it_has_a_place() -> None:
    """T-66: entered before the host's index is looked at again; nothing that has no place yet is in the way."""
    shelf = Shelf()
    shelf.index.add("late", ["cat"])
    shelf.enter("here", ["cat"])
    assert shelf.found(["cat"])["here"][0] > 0
    shelf.place("late")
    assert shelf.found(["cat"])["late"] == shelf.found(["cat"])["here"]
