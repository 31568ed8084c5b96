"""The words of states, permissions, duties and wishes; a clause in plain words, and what is left of it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.tables import read_classes, read_table, split_members, word_sets
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, BE_PRESENT, HAVE_FORMS, letters_of
from ...language.words import stem
from ..clauses.endings import words_of
from ..clauses.predicates import Tokens
from ..clauses.states import ACTS, STATES, by_words
from ..grammar.topics import join_topic

_TABLE: Final = read_table(__file__, "polar_words")
_OF_STATES: Final = word_sets(_TABLE["words"])

#: Verbs that tell a state without "is": what happened, or what goes on.
TELLING: Final = by_words(_TABLE["telling"])
#: Words after "is" -> (slot, value).
BEING: Final = {
    **STATES,
    **{
        words: tuple({**dict(STATES.get(words, ())), **dict(states)}.items())
        for words, states in by_words(_TABLE["being"]).items()
    },
}
#: Past forms after "we" or "the user" -> the state of their object.
DONE_TO: Final = {**{word: BEING.get(word, states) for word, states in ACTS.items()}, **by_words(_TABLE["done_to"])}
#: The lesser of two values -> the other one, which it denies.
GREATER: Final = {lesser: other for lesser, other in split_members(_TABLE["words"]["greater"])}
EARLIER: Final = _OF_STATES["earlier"]
#: Words of a topic with one meaning.
SYNONYMS: Final = {
    stem(form): stem(word) for word, *forms in split_members(_TABLE["words"]["synonyms"]) for form in forms
}
EMPTY: Final = _OF_STATES["empty"]
UNIVERSAL: Final = _OF_STATES["universal"]
OPEN: Final = _OF_STATES["open"]

_WORDS: Final = read_classes(__file__)
_ADVERBS: Final = (lexicon.NEUTRAL - {"own"}) | _WORDS["adverbs"]
_SAME: Final = dict.fromkeys(BE_PRESENT, "is") | dict.fromkeys(BE_PAST, "was") | {"never": "not", "okay": "ok"}
#: Two words that are one word, or none.
_PAIRS: Final = {("no", "longer"): "not"} | dict.fromkeys(
    (("any", "more"), ("any", "longer"), ("after", "all"), ("for", "good")), ""
)
_ENDED: Final = (("no", "longer"), ("any", "more"), ("any", "longer"))
#: The number of sides of a clause, each of which may have a name.
_MAX_PLACE: Final = 2
_NO_NAMES: Final = lexicon.DETERMINERS | lexicon.PRONOUNS | lexicon.INDEFINITE | lexicon.SUBJECT_PRONOUNS | {"user"}
_BEFORE_UNIVERSAL: Final = lexicon.DETERMINERS | {"of", "single", "other"}
_TIMES: Final = lexicon.PERIODS | lexicon.CALENDAR | lexicon.DEICTIC_DAYS
_EACH: Final = (lexicon.QUANTIFIERS - {"any"}) | {"everything", "everyone"}


Phrases = dict[str, list[tuple[str, ...]]]
_VERBS_OF_RULES: Final = lexicon.AUXILIARIES | {"need", "needs"}


def phrases(text: str) -> Phrases:
    """Return the phrases of a text that parts them by bars, by their first word, the longest first."""
    table: Phrases = {}
    for phrase in sorted((tuple(phrase.split()) for phrase in text.split("|")), key=len, reverse=True):
        table.setdefault(phrase[0], []).append(phrase)
    return table


def find(words: tuple[str, ...], known: Phrases) -> tuple[int, int]:
    """Return begin and end of the first phrase behind the first of the words; (0, 0) if none is there."""
    for index in range(1, len(words)):
        for phrase in known.get(words[index], ()):
            if words[index : index + len(phrase)] == phrase:
                return index, index + len(phrase)
    return 0, 0


def find_each(words: tuple[str, ...], rows: Iterable[tuple[str, Phrases]]) -> Iterator[tuple[str, int, int]]:
    """Yield value, begin and end of each row with a phrase that stands in the words, and not at their end."""
    for value, known in rows:
        begin, end = find(words, known)
        if end and end < len(words):
            yield value, begin, end


class PlainClause(NamedTuple):
    """The words of a clause in plain form, a token for each; `ended`: it tells of something "no longer" so."""

    words: tuple[str, ...]
    tokens: Tokens
    ended: bool
    me: str


class PolarValue(NamedTuple):
    """One value of a slot, as a clause tells it of a topic; `span` is where it does, if the clause tells others too."""

    slot: str
    value: str
    topic: str
    denied: bool = False
    change: bool = False
    span: tuple[int, int] | None = None

    def settled(self) -> tuple[str, bool]:
        """Return value and polarity: the lesser of two values is the denial of the other."""
        greater = GREATER.get(self.value)
        return (greater, self.denied) if greater else (self.value, not self.denied)


def plain_clause(tokens: Tokens, me: str) -> PlainClause | None:
    """Return the plain form of a clause: one word for "have been", "are" and "is", "no longer" as "not"."""
    tokens = _without_frame(tokens)
    if low_at(tokens, 0) == "the" and low_at(tokens, 1) == "user":
        tokens = tokens[1:]
    lows = [token.low for token in tokens]
    pairs = list(pairwise(lows))
    if ("used", "to") in pairs or any(low == "not" and following in _WORDS["weakening"] for low, following in pairs):
        return None
    ended = "anymore" in lows or any(pair in _ENDED for pair in pairs)
    plain: list[tuple[str, Token]] = []
    index = 0
    while index < len(tokens):
        size, word = _plain_word(tokens, index, plain[-1][0] if plain else "")
        if word:
            plain.append((word, tokens[index]))
        index += size
    while plain and plain[-1][0] in (".", ",", "!", "and"):
        plain.pop()
    words = tuple([word for word, _ in plain])
    if "not" in words and not _EACH.isdisjoint(words[words.index("not") :]):
        return None
    return PlainClause(words, tuple([token for _, token in plain]), ended, me) if plain else None


def _without_frame(tokens: Tokens) -> Tokens:
    """Return a clause without "the user says", without its reason, and with "when writing mails," at its end."""
    lows = [token.low for token in tokens]
    for cut in range(2, len(lows)):
        if lows[cut] in ("since", "because") or (lows[cut] in ("due", "thanks") and low_at(tokens, cut + 1) == "to"):
            tokens, lows = tokens[:cut], lows[:cut]
            break
    that = lows.index("that", 2) if "that" in lows[2:6] else 0
    if that and lows[that - 1] in _WORDS["showing"] and lows[0] in _WORDS["showers"]:
        tokens, lows = tokens[that + 1 :], lows[that + 1 :]
    begin = int(lows[:1] == ["the"])
    if lows[begin : begin + 1] in (["user"], ["i"]) and low_at(tokens, begin + 1) in _WORDS["saying"]:
        begin += 2 + (low_at(tokens, begin + 2) == "that")
        return tokens[begin:] if any(low in _VERBS_OF_RULES for low in lows[begin + 1 :]) else tokens
    if lows[:1] == ["when"] and low_at(tokens, 1).endswith("ing") and "," in lows:
        comma = lows.index(",")
        return (*tokens[comma + 1 :], *tokens[2:comma])
    return tokens


def _plain_word(tokens: Tokens, index: int, before: str) -> tuple[int, str]:
    """Return a number of tokens and the plain word for them, which is empty if they tell nothing."""
    low, following = tokens[index].low, low_at(tokens, index + 1)
    if (low, following) in _PAIRS:
        return 2, _PAIRS[low, following]
    if low in ("anymore", "!", ".") or (low in _ADVERBS and index):
        return 1, ""
    if low in ("do", "does") and following in ("not", "never"):
        return 1, ""
    if low in HAVE_FORMS:
        step = 2 if following in lexicon.NEUTRAL or following in ("not", "never", "since") else 1
        after = low_at(tokens, index + step)
        if after == "been":
            return (2, "was") if step == 1 or following != "not" else (1, "")
        if "n" in letters_of(after) and after != "had":
            return 1, ""
        return 1, "has"
    if low == "been":
        return 1, "was" if before == "not" else ""
    return 1, _SAME.get(low, low)


def topic_of(clause: PlainClause, *parts: Tokens) -> str:
    """Return the topic of the parts of a clause; empty if only the context tells what it is about."""
    meaning: list[str] = []
    for part in parts:
        if low_at(part, 0) == "work" and low_at(part, 1) == "on":
            part = part[2:]  # "work on the bridge has resumed"
        part = tuple(
            token for index, token in enumerate(part) if not (token.low == "this" and low_at(part, index + 1) == "user")
        )
        words = words_of(_without_version(without_universals(part)), clause.me)
        if words is None:
            return ""
        meaning += [SYNONYMS.get(word, word) for word in words if word not in EMPTY]
        meaning += [token.low for token in part if token.low in EARLIER or token.low in _TIMES]
    names = [{token.low for token in part if _is_name(token, part)} for part in parts]
    is_turned = len(names) == _MAX_PLACE and names[0] and names[1]
    topic = join_topic(meaning)
    if not topic:  # the user alone, where nothing else is told
        return "user" if any(token.low in ("user", "user's", "i", "my") for part in parts for token in part) else ""
    return f"{' '.join(sorted(names[0]))} > {topic}" if is_turned else topic


def after_copula(
    clause: PlainClause,
    slot: str,
    values: Mapping[str, str],
    copulas: Container[str],
    *,
    between: Container[str] = ("not",),
    is_open: bool = False,
) -> list[PolarValue]:
    """Return the value that a word of `values` tells behind a copula, as in "pushing to main is forbidden".

    A preposition may follow the word, or nothing; unless `is_open`, anything else makes it another word.
    """
    words, none = clause.words, clause.words[0] == "no"
    for index in range(2, len(words)):
        place = index - 1
        while place > 0 and words[place] in between:
            place -= 1
        if words[index] not in values or words[place] not in copulas:
            continue
        following = words[index + 1] if index + 1 < len(words) else ","
        if not is_open and following not in lexicon.PREPOSITIONS and following != ",":
            return []
        topic = topic_of(clause, clause.tokens[int(none) : place], clause.tokens[index + 1 :])
        return [PolarValue(slot, values[words[index]], topic, ("not" in words[place:index]) is not none)]
    return []


def _is_name(token: Token, part: Tokens) -> bool:
    is_first = not token.start and (len(part) > 1 or token.low.endswith("s"))
    return token.text[0].isupper() and not is_first and token.low not in _NO_NAMES


def _without_version(tokens: Tokens) -> Tokens:
    """Return a phrase without the version at its end in which something was done: "in 2.8.1"."""
    is_version = len(tokens) > 1 and tokens[-2].low in ("in", "since", "with") and tokens[-1].low[:1].isdigit()
    return tokens[:-2] if is_version and "." in tokens[-1].low else tokens


def without_universals(tokens: Tokens) -> Tokens:
    """Return a phrase without "for all users", "in every repo of", "of every kind"."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        low = tokens[index].low
        after = index + 1
        while low_at(tokens, after) in _BEFORE_UNIVERSAL:
            after += 1
        if (
            low in lexicon.QUANTIFIERS
            and kept
            and kept[-1].low in lexicon.PREPOSITIONS
            and low_at(tokens, after) in UNIVERSAL
        ):
            index = after + 1
            continue
        if low not in lexicon.QUANTIFIERS:
            kept.append(tokens[index])
        index += 1
    return tuple(kept)
