"""Read of what a value is said: the words around it, in whatever order they stand (C-39, C-43).

Words that say no more than the type of the value do not count (`CONCEPTS`), nor do verbs that say only that a thing has
it. All others must be the same for two values to be of one thing; but a word for the kind of a thing beside its name
("the checkout service", "room Curie") and an adverb may be missing on one side.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from ...language.lexicon import (
    ADDITIVE,
    CALENDAR,
    CONJUNCTIONS,
    DEFINITE,
    DEICTIC_DAYS,
    EPHEMERAL,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
    PRONOUNS,
    THEIR,
)
from ...language.nouns import singular
from ...language.stems import CONCEPTS, stem
from ...language.token import low_at
from ...language.verbs import forms
from ..grammar.subjects import USER
from ..grammar.topics import CLASS_NOUNS, KINDS, NUMBERED, OUR_OWN, is_class_noun, is_modifier, join_topic
from ..model import ValueKind
from ..slots.table import TABLE
from .ending_phrases import WHEN
from .free_values import AUXILIARY, FoundValue
from .free_words import (
    GENERIC,
    GENERIC_VERBS,
    HOLDING,
    LIGHT,
    LIMITS,
    MAX_WORDS,
    NO_ADVERBS,
    NOUNS_TOO,
    OPEN_LABELS,
    OPEN_WORDS,
    OWN,
    PASSING,
    RATES,
    RECURRING,
    SEVERAL_AT_ONCE,
    SEVERAL_VERSIONS,
    TELLING_READERS,
)
from .predicates import Predicate, Tokens
from .purposes import is_purpose, purpose_words, says_nothing

#: "Can have at most 5", "may send up to 100": what is possible has a limit, and that is a fact.
_BOUNDS: Final = frozenset(words[-1] for words in LIMITS)
#: Things that these stand in front of are no kind of thing.
_KNOWN: Final = (DEFINITE - THEIR) | {"all"}
_PER: Final = frozenset(("per", "each", "every"))
_SILENT: Final = AUXILIARY | NEUTRAL | (DEFINITE - {"my"}) | {"we", "us", "all"}
_WHEN: Final = PERIODS - {"time", "night", "morning"}
_PLACING: Final = PREPOSITIONS - {"of"}
_CLASSES: Final = CLASS_NOUNS - KINDS
#: What says nothing alone, and in front of another noun which one it is.
_SAYS_WHICH: Final = KINDS | NUMBERED


def is_limited(rest: Tokens) -> bool:
    """Whether what follows a verb has a bound."""
    lows = [token.low for token in rest]
    return not _BOUNDS.isdisjoint(lows) and any(pair in LIMITS for pair in pairwise(lows))


_ONE_SECRET: Final = frozenset(("password", "secret", "credential"))


class SlotValues(NamedTuple):
    """The values of one slot in a clause, and what of the clause belongs to them but is no word of their topic.

    `begin`: where in `tokens` stands what follows the verb.
    """

    at: Predicate
    tokens: Tokens
    slot: str
    found: list[FoundValue]
    beside: list[FoundValue]
    is_change: bool
    begin: int

    @property
    def inside(self) -> frozenset[int]:
        return frozenset(i for one in (*self.found, *self.beside) for i in range(one.begin, one.parsed.end))

    @property
    def is_limit(self) -> bool:
        return is_limited(self.at.rest)


class Topic(NamedTuple):
    """What a value is said of: `name` must be the same; see `Claim` for the words that only narrow it."""

    name: str
    light: tuple[str, ...] = ()
    firm: tuple[str, ...] = ()


class _Words(NamedTuple):
    """The words of a topic as they are read; `owners` count only if nothing else names the thing.

    `light` and `firm` say what kind of thing it is, beside its name and elsewhere; `of_value` what the value says;
    `purposes` what a tool is for, `by_verb` the same as told by the verb, which counts if no noun tells.
    """

    strong: list[str]
    light: list[str]
    firm: list[str]
    owners: list[str]
    of_value: list[str]
    generic: list[str]
    purposes: list[str]
    by_verb: list[str]


def is_bare_plural(tokens: Tokens) -> bool:
    """Whether a subject speaks of a kind of thing ("servers"), and not of some that are known."""
    if not tokens or tokens[0].low in _KNOWN or any(t.text[0].isupper() for t in tokens[1:]):
        return False
    return singular(tokens[-1].low) != tokens[-1].low and "'" not in "".join(token.low for token in tokens)


def parse_topic_of(said: SlotValues) -> Topic | None:
    """The words outside the values, in one form each; None if they do not say of what the value is said."""
    at, tokens, slot = said.at, said.tokens, said.slot
    is_kind = is_bare_plural(at.subject) and at.group.lemma in HOLDING
    if is_purpose(slot) and tokens[0].low in ("a", "an"):
        return None
    if is_kind or (slot == "port" and is_bare_plural(at.subject)):
        return None
    lows = {token.low for token in tokens}
    scope = [word for phrase in at.frame.scope for word in phrase.split() if word not in lows]
    words = _Words(scope, [], [], [], [], [], [], [])
    reader = _Reader(said, words, lows)
    for index in range(len(tokens)):
        if index not in reader.inside and not reader.takes(index):
            return None
    return _finished(said, words, lows)


class _Reader:
    """Takes the words of a clause one by one."""

    def __init__(self, said: SlotValues, words: _Words, lows: set[str]) -> None:
        self._said = said
        self._words = words
        self._lows = lows
        self.inside = said.inside
        self._concepts = CONCEPTS.get(said.slot, {})
        self._purpose = purpose_words(said.slot)
        is_term = said.found[0].parsed.value.kind is ValueKind.TERM
        first = low_at(said.at.rest, 0)
        self._verb_index = said.begin - 1
        self._verbs = {said.at.group.lemma, _participle(first)} if is_term else set()

    def takes(self, index: int) -> bool:
        """Take the word at `index`; False if beside it a value is said of nothing that is known."""
        said, words = self._said, self._words
        low = said.tokens[index].low.removesuffix("'s")
        if low == "most" and low_at(said.tokens, index + 1) in ("recent", "current"):
            return True
        if said.tokens[index].low in OUR_OWN or (said.slot == "date" and low in ("next", "coming")):
            return True
        if low == "us" and said.tokens[index].text.isupper():
            words.strong.append("usa")
            return True
        if self._purpose.tells and self._takes_purpose(index, low):
            return True
        if low in _SILENT:
            return True
        if low in FIRST_PERSON or low in ("my", USER):
            (words.owners if said.at.frame.me == USER else words.strong).append(said.at.frame.me)
            return True
        if low in ("people", "members") and index - 1 in self.inside:
            return True
        if (low in PRONOUNS and low != "there") or stem(low) in SEVERAL_AT_ONCE.get(said.slot, ()):
            return False
        if low in ("most", "least") and said.is_limit:
            words.strong.append(self._concepts.get("maximum", "maximum") if low == "most" else "minimum")
            return True
        if self._says_days(index, low) or self._says_rate(index, low):
            return True
        if self._joins_names(index, low) or (low == "two" and low_at(said.tokens, index - 1) == "between"):
            return True
        if self._is_open(index, low) or low in CONJUNCTIONS or low in PAST_WORDS:
            return False
        if low in ("each", "every"):
            if low_at(said.tokens, index + 1) == USER:
                words.strong.append("each")  # "each user gets 2 GB": of one's own share, and not of a disk
            return True
        if low in DEICTIC_DAYS or low in _WHEN or low in ADDITIVE:
            return said.is_change or self._is_part_of_day(index, low) or self._names_period(index, low)
        if said.slot == "count" and low == "number" and low_at(said.tokens, index + 1) != "of":
            return False  # it names something, and counts nothing
        self._parse_phrase(index, low)
        if low not in PREPOSITIONS and (low[0].isalnum() or low[0] in "#@/~.") and not self._is_passing(index, low):
            self._take_content(index, low)
        return True

    def _takes_purpose(self, index: int, low: str) -> bool:
        """Take a word that says what a tool is for, or no more than that it is one."""
        said = self._said
        before = low_at(said.tokens, index - 1) if index else ""
        if low in ("each", "every") and low_at(said.tokens, index + 1) in RECURRING:
            return True
        if low in RECURRING and before in ("each", "every"):
            self._words.strong.append(RECURRING[low])
            return True
        if low == "work" and before == "at":
            self._words.strong.append("at-work")
            return True
        after = low_at(said.tokens, index + 1)
        if low in _ONE_SECRET and after in forms() and not after.endswith("ing"):
            self._words.strong.append(low)  # one password, and not where all of them are
            return True
        told = self._purpose.tells.get(stem(low))
        if told:
            is_weak = stem(low) in self._purpose.weak or self._is_verb(index, low)
            (self._words.by_verb if is_weak else self._words.purposes).append(told)
            return True
        is_own = low in FIRST_PERSON or low in ("my", USER)
        return not is_own and says_nothing(said.tokens, index, self._purpose, self.inside)

    def _is_verb(self, index: int, low: str) -> bool:
        is_form = low in forms() or low.endswith("ed")
        return index in (self._verb_index, self._verb_index + 1) and is_form and low not in NOUNS_TOO

    def _is_open(self, index: int, low: str) -> bool:
        """Whether a word makes what is said of one thing be said of any of many."""
        if low not in INDEFINITE:
            return False
        said = self._said
        is_each = low in ("each", "every") and (said.is_limit or not index)
        is_open = not is_each and (low not in ("a", "an") or (not index and not said.is_limit))
        is_one_of_many = not index and any(token.low == "of" for token in said.at.subject)
        is_generic = low in ("a", "an") and said.at.group.lemma in GENERIC and not is_one_of_many
        return is_open and not is_generic

    def _says_days(self, index: int, low: str) -> bool:
        """Whether a day stands beside a time: a light word, unless the time is what it was changed to."""
        tokens = self._said.tokens
        if self._said.slot != "time" or self._said.at.frame.scope:
            return False
        is_every = low in ("every", "each") and _is_day(low_at(tokens, index + 1))
        if not is_every and not _is_day(low):
            return False
        if not is_every and not self._said.is_change:
            self._words.light.append(stem(low))
        return True

    def _says_rate(self, index: int, low: str) -> bool:
        """Whether an amount is told of a period: "100 mg a day", "the monthly rent"; a light word."""
        tokens = self._said.tokens
        if self._said.slot not in ("mass", "price", "count"):
            return False
        is_phrase = low in RATES.values() and low_at(tokens, index - 1) in _PER | {"a"}
        period = low if is_phrase else RATES.get(low, "")
        if low in _PER and low_at(tokens, index + 1) in RATES.values():
            return True
        if period:
            (self._words.strong if self._said.slot == "count" else self._words.light).append(f"per-{period}")
        return bool(period)

    def _joins_names(self, index: int, low: str) -> bool:
        """Whether "and" stands between two names that are one: "the wedding of Clara and Nils"."""
        tokens = self._said.tokens
        if low not in ("and", "&") or not 0 < index < self._verb_index:
            return False
        return tokens[index - 1].text[0].isupper() and tokens[index + 1].text[0].isupper()

    def _names_period(self, index: int, low: str) -> bool:
        """Whether a period is what the clause is about: "a sprint lasts", "sprint length", "the parents' evening"."""
        tokens = self._said.tokens
        if low in DEICTIC_DAYS or low in ADDITIVE or not index < self._verb_index:
            return False
        before = low_at(tokens, index - 1) if index else ""
        if before in _PER | {"this", "last", "next"} or before in _PLACING:
            return False
        self._words.strong.append(stem(low))
        return True

    def _is_part_of_day(self, index: int, low: str) -> bool:
        """Whether a part of the day only stands beside a time or a day: "in the evening at 6", "Mondays evening"."""
        tokens = self._said.tokens
        if self._said.slot not in ("time", "weekday") or low not in ("afternoon", "evening"):
            return False
        return low_at(tokens, index - 1) in ("the", "in", "at") or index - 1 in self.inside

    def _parse_phrase(self, index: int, low: str) -> None:
        """What two words say together: "until 6" closes, "up to 5" is a maximum."""
        strong = self._words.strong
        if self._said.slot == "time" and low in ("until", "till") and "open" in self._lows:
            strong.append("close")
        if low == "by" and self._said.slot == "date" and index + 1 in self.inside:
            strong.append("deadline")
        if low == "up" and low_at(self._said.tokens, index + 1) == "to" and not self._said.is_change:
            strong.append(self._concepts.get("maximum", "maximum"))

    def _is_passing(self, index: int, low: str) -> bool:
        """Whether a word says only when something came to be so, or what its verb says already."""
        said = self._said
        before = low_at(said.tokens, index - 1) if index else ""
        is_when = low in CALENDAR and before in WHEN | {"last", "this"}
        if said.is_change and (is_when or low in PASSING):
            return True
        word = stem(low)
        if said.slot == "time" and word in ("open", "stay") and not self._lows.isdisjoint(("until", "till")):
            return True
        return word in self._verbs and index >= self._verb_index

    def _take_content(self, index: int, low: str) -> None:
        said, words = self._said, self._words
        word = stem(low)
        if said.slot == "count" and index - 1 in self.inside and word in KINDS:
            words.strong.append(f"{word}-count")  # what is counted, and not of what kind the owner is
            return
        if self._concepts.get(word) == "":
            words.of_value.append(word)
            return
        word = self._concepts.get(word, word)
        if word in LIGHT or word in ("instead", "rather", "last"):
            return
        if self._is_generic_verb(index, word):
            words.generic.append(word)
        elif self._is_light(index, low):
            words.light.append(word)
        else:
            is_firm = word in _CLASSES or (word in _SAYS_WHICH and is_modifier(self._said.tokens, index))
            (words.firm if is_firm else words.strong).append(word)

    def _is_generic_verb(self, index: int, word: str) -> bool:
        if word not in GENERIC_VERBS or self._verbs:
            return False
        is_participle = index == self._verb_index + 1 and self._said.at.group.lemma == "be"
        return index == self._verb_index or is_participle

    def _is_light(self, index: int, low: str) -> bool:
        tokens = self._said.tokens
        if low.endswith("ly") and low not in NO_ADVERBS:
            return True
        if low == "new":
            before = low_at(tokens, index - 1) if index else ""
            return before in ("a", "my", "our") or before.endswith("'s")
        return index - 1 not in self.inside and is_class_noun(tokens, index)


def _whose(said: SlotValues) -> set[str]:
    """Beside an amount "user" says only whose it is: "daily dose of the user: 100 mg"."""
    is_amount = said.found[0].parsed.value.kind in (ValueKind.NUMBER, ValueKind.MONEY)
    return {USER} if is_amount else set()


def _is_day(low: str) -> bool:
    return singular(low) in ("weekday", "workday") or (singular(low) in CALENDAR and low.rstrip("s").endswith("day"))


def _participle(low: str) -> str:
    return stem(low) if "n" in forms().get(low, ("", ""))[1] else ""


def _finished(said: SlotValues, words: _Words, lows: set[str]) -> Topic | None:
    """The topic that the words make, if they name anything."""
    at, slot = said.at, said.slot
    table_words = TABLE.words_for(TELLING_READERS.get(slot))
    if slot == "version" and not SEVERAL_VERSIONS.isdisjoint((*words.strong, *words.generic, *words.light)):
        return None
    strong, light, firm = words.strong, words.light, words.firm
    if purpose_words(slot).tells:
        is_open = not at.group.rest and not OPEN_WORDS.isdisjoint(lows - {USER, "issue", "example", "language"})
        return None if is_open else _of_purpose(words)
    if not _names(join_topic(strong), table_words):
        strong, light, firm = [*strong, *light, *firm] or words.of_value or words.generic, [], []
    if all(word in table_words for word in strong):
        strong = [*strong, *words.owners]  # "my weight": no weight but the user's
    is_own = slot in OWN and not (words.strong or light or firm) and bool(words.owners and words.of_value)
    topic = USER if is_own else join_topic(strong)
    if not at.group.rest and (set(topic.split()) <= OPEN_LABELS or not OPEN_WORDS.isdisjoint(lows - _whose(said))):
        return None
    if topic == "users":
        topic = join_topic((*strong, at.group.lemma, _participle(low_at(at.rest, 0))))
    rows = TABLE.nouns.get(" ".join(word for word in strong if word != USER), ())
    is_told = is_own or _names(topic, table_words) or any(row.bare or (row.person and USER in strong) for row in rows)
    if not is_told or len(strong) > MAX_WORDS:
        return None
    return Topic(topic, tuple(sorted(set(light))), tuple(sorted(set(firm))))


def _of_purpose(words: _Words) -> Topic | None:
    """What a tool is for, and of what."""
    told = words.purposes or words.by_verb
    whose = [] if words.strong or words.firm else words.owners
    topic = join_topic([*words.strong, *told, *whose])
    if not told or len(words.strong) > MAX_WORDS:
        return None
    return Topic(topic, tuple(sorted(set(words.light))), tuple(sorted(set(words.firm))))


def _names(topic: str, table_words: frozenset[str]) -> bool:
    """Whether a topic says which thing it is; "the limit is 5" does not say of what."""
    words = topic.split()
    own = [word for word in words if word != USER and word not in EPHEMERAL and word not in table_words]
    return bool(own) and not own == ["maximum"] == words
