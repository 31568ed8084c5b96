"""Read what a value is said of: the words around it, in any order.

Words that say no more than the type of the value (`CONCEPTS`) do not count, nor do verbs that only say that a thing has
it; a word for the kind of a thing beside its name ("the checkout service") may be missing on one side.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.tables import read_classes, read_table, split_members, split_wordings
from ...language.token import low_at
from ...language.verbs import is_verb, letters_of
from ...language.words import CONCEPTS, stem
from ..grammar.subjects import USER
from ..grammar.topics import CLASS_NOUNS, KINDS, NUMBERED, OUR_OWN, is_class_noun, is_modifier, join_topic
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..model import ValueKind
from ..slots.rows import TABLE
from .ending_phrases import WHEN
from .free_values import AUXILIARY, FoundValue, purpose_words, says_nothing
from .predicates import Predicate, Tokens

_TABLE: Final = read_table(__file__, "word_classes")["free_topic"]
_WORDS: Final = read_classes(__file__)
_MAX_WORDS: Final = 10
#: Words of a limit, which is a fact even with a modal: "can have at most 5", "may send up to 100".
_LIMITS: Final = split_wordings(_TABLE["limits"].split("|"))
_BOUNDS: Final = frozenset(words[-1] for words in _LIMITS)
#: Words that only say that a thing has the value, or got it.
_LIGHT: Final = CHANGE_LEMMAS | _WORDS["light"] | {"instead", "rather", "last"}
#: Slot -> readers whose nouns say nothing alone beside such a value; by default all nouns.
_TELLING_READERS: Final = {
    "date": ("date",),
    **dict.fromkeys(("time", "hours", "days", "frequency"), ("clock", "date", "number")),
    "duration": ("number",),
}
#: "Hourly" -> "hour".
_RATES: Final = {word: period for period, *words in split_members(_TABLE["rates"]) for word in words}
#: Words before a noun of known things, not of a kind.
_KNOWN: Final = (lexicon.DEFINITE - lexicon.THEIR) | {"all"}
_PER: Final = frozenset(("per", "each", "every"))
_SILENT: Final = AUXILIARY | lexicon.NEUTRAL | (lexicon.DEFINITE - {"my"}) | {"we", "us", "all"}
_PERIOD_WORDS: Final = (lexicon.PERIODS - {"time", "night", "morning"}) | lexicon.DEICTIC_DAYS | lexicon.ADDITIVE
#: Words before a period that only says when something holds.
_BEFORE_WHEN: Final = _PER | {"this", "last", "next"} | (lexicon.PREPOSITIONS - {"of"})
_CLASSES: Final = CLASS_NOUNS - KINDS
#: Words that say nothing alone, but tell which one in front of another noun.
_SAYS_WHICH: Final = KINDS | NUMBERED


def is_limited(rest: Tokens) -> bool:
    """Whether what follows a verb has a bound."""
    lows = [token.low for token in rest]
    return not _BOUNDS.isdisjoint(lows) and any(pair in _LIMITS for pair in pairwise(lows))


class SlotValues(NamedTuple):
    """The values of one slot in a clause, those that may stand beside them, and where what follows the verb begins."""

    clause: Predicate
    tokens: Tokens
    slot: str
    values: list[FoundValue]
    beside: list[FoundValue]
    is_change: bool
    begin: int


class Topic(NamedTuple):
    """The topic of a value: `name` must be the same; see `Claim` for the words that only narrow it."""

    name: str
    light: tuple[str, ...] = ()
    firm: tuple[str, ...] = ()


def is_bare_plural(tokens: Tokens) -> bool:
    """Whether a subject speaks of a kind of thing ("servers"), and not of some that are known."""
    if not tokens or tokens[0].low in _KNOWN or any(t.text[0].isupper() for t in tokens[1:]):
        return False
    return lexicon.singular(tokens[-1].low) != tokens[-1].low and "'" not in "".join(token.low for token in tokens)


def parse_topic_of(slot_values: SlotValues) -> Topic | None:
    """Return the topic that the words outside the values name; None if they do not say what has the value."""
    clause, tokens = slot_values.clause, slot_values.tokens
    if is_bare_plural(clause.subject) and (slot_values.slot == "port" or clause.group.lemma in _WORDS["holding"]):
        return None
    reader = _Reader(slot_values)
    if reader.purpose.tells and tokens[0].low in ("a", "an"):
        return None
    if not all(index in reader.inside or reader.takes(index) for index in range(len(tokens))):
        return None
    return reader.topic()


class _Reader:
    """Takes the words of a clause one by one.

    `owners` count only if nothing else names the thing. `light` and `firm` say what kind of thing it is, beside its
    name and elsewhere; `of_value` what the value says; `purposes` what a tool is for, `by_verb` the same as told by the
    verb, which counts if no noun tells.
    """

    def __init__(self, slot_values: SlotValues) -> None:
        self._clause, self._tokens, self._slot = slot_values.clause, slot_values.tokens, slot_values.slot
        self._is_change, self._value_kind = slot_values.is_change, slot_values.values[0].parsed.value.kind
        self._lows = {token.low for token in slot_values.tokens}
        values = (*slot_values.values, *slot_values.beside)
        self.inside = frozenset(i for value in values for i in range(value.begin, value.parsed.end))
        self.purpose = purpose_words(slot_values.slot)
        self._concepts = CONCEPTS.get(slot_values.slot, {})
        self._verb_index = slot_values.begin - 1
        is_term = self._value_kind is ValueKind.TERM
        self._verbs = {self._clause.group.lemma, self._participle} if is_term else set()
        scope = (word for phrase in self._clause.frame.scope for word in phrase.split())
        self._strong: list[str] = [word for word in scope if word not in self._lows]
        self._light: list[str] = []
        self._firm: list[str] = []
        self._owners: list[str] = []
        self._of_value: list[str] = []
        self._generic: list[str] = []
        self._purposes: list[str] = []
        self._by_verb: list[str] = []

    @cached_property
    def _is_limit(self) -> bool:
        return is_limited(self._clause.rest)

    @cached_property
    def _participle(self) -> str:
        low = low_at(self._clause.rest, 0)
        return stem(low) if "n" in letters_of(low) else ""

    def _before(self, index: int) -> str:
        return low_at(self._tokens, index - 1) if index else ""

    def takes(self, index: int) -> bool:
        """Take the word at `index`; False if beside it a value is said of nothing that is known."""
        token, after = self._tokens[index], low_at(self._tokens, index + 1)
        low = token.low.removesuffix("'s")
        if low == "most" and after in ("recent", "current"):
            return True
        if token.low in OUR_OWN or (self._slot == "date" and low in ("next", "coming")):
            return True
        if (self.purpose.tells and self._takes_purpose(index, low)) or low in _SILENT:
            return True
        if low in lexicon.FIRST_PERSON or low in ("my", USER):
            me = self._clause.frame.me
            (self._owners if me == USER else self._strong).append(me)
            return True
        if low in ("people", "members") and index - 1 in self.inside:
            return True
        is_of_several = self._slot == "human language" and stem(low) in _WORDS["several_at_once"]
        if (low in lexicon.PRONOUNS and low != "there") or is_of_several:
            return False
        if low in ("most", "least") and self._is_limit:
            self._strong.append(self._concepts.get("maximum", "maximum") if low == "most" else "minimum")
            return True
        if self._says_days(index, low) or self._says_rate(index, low) or self._joins(index, low):
            return True
        if self._is_open(index, low) or low in lexicon.CONJUNCTIONS or low in lexicon.PAST_WORDS:
            return False
        if low in ("each", "every"):
            # "Each user gets 2 GB": of one's own share, and not of a disk.
            self._strong += ["each"] if after == USER else []
            return True
        if low in _PERIOD_WORDS:
            return self._is_change or self._is_part_of_day(index, low) or self._names_period(index, low)
        if self._slot == "count" and low == "number" and after != "of":
            return False  # it names something, and counts nothing
        self._take_phrase(index, low)
        if (
            low not in lexicon.PREPOSITIONS
            and (low[0].isalnum() or low[0] in "#@/~.")
            and not self._is_passing(index, low)
        ):
            self._take_content(index, low)
        return True

    def _takes_purpose(self, index: int, low: str) -> bool:
        """Take a word that says what a tool is for, or no more than that it is one."""
        before, after = self._before(index), low_at(self._tokens, index + 1)
        if low == "work" and before == "at":
            self._strong.append("at-work")
            return True
        is_secret = low in ("password", "secret", "credential")
        if is_secret and is_verb(after) and not after.endswith("ing"):
            self._strong.append(low)  # one password, and not where all of them are
            return True
        purpose = self.purpose.tells.get(stem(low))
        if purpose:
            is_form = (is_verb(low) or low.endswith("ed")) and low not in _WORDS["nouns_too"]
            is_main_verb = is_form and index in (self._verb_index, self._verb_index + 1)
            (self._by_verb if is_main_verb or stem(low) in self.purpose.weak else self._purposes).append(purpose)
            return True
        is_own = low in lexicon.FIRST_PERSON or low in ("my", USER)
        return not is_own and says_nothing(self._tokens, index, self.purpose, self.inside)

    def _is_open(self, index: int, low: str) -> bool:
        """Whether a word makes the clause speak of any of many things."""
        if low not in lexicon.INDEFINITE or (low in ("each", "every") and (self._is_limit or not index)):
            return False
        if low not in ("a", "an"):
            return True
        is_one_of_many = not index and any(token.low == "of" for token in self._clause.subject)
        is_generic = self._clause.group.lemma in _WORDS["generic"] and not is_one_of_many
        return not index and not self._is_limit and not is_generic

    def _says_days(self, index: int, low: str) -> bool:
        """Whether a day stands beside a time: a light word, unless the time is what it was changed to."""
        if self._slot != "time" or self._clause.frame.scope:
            return False
        if low in ("every", "each") and _is_day(low_at(self._tokens, index + 1)):
            return True
        if _is_day(low) and not self._is_change:
            self._light.append(stem(low))
        return _is_day(low)

    def _says_rate(self, index: int, low: str) -> bool:
        """Whether an amount is told of a period: "100 mg a day", "the monthly rent"; a light word."""
        if self._slot not in ("mass", "price", "count"):
            return False
        if low in _PER and low_at(self._tokens, index + 1) in _RATES.values():
            return True
        is_phrase = low in _RATES.values() and low_at(self._tokens, index - 1) in _PER | {"a"}
        period = low if is_phrase else _RATES.get(low, "")
        if period:
            (self._strong if self._slot == "count" else self._light).append(f"per-{period}")
        return bool(period)

    def _joins(self, index: int, low: str) -> bool:
        """Whether a word joins two names ("the wedding of Clara and Nils"), or says that there are two of them."""
        tokens = self._tokens
        if low == "two" and low_at(tokens, index - 1) == "between":
            return True
        if low not in ("and", "&") or not 0 < index < self._verb_index:
            return False
        return tokens[index - 1].text[0].isupper() and tokens[index + 1].text[0].isupper()

    def _names_period(self, index: int, low: str) -> bool:
        """Whether a period is what the clause is about: "a sprint lasts", "sprint length", "the parents' evening"."""
        if low in lexicon.DEICTIC_DAYS or low in lexicon.ADDITIVE or not index < self._verb_index:
            return False
        if self._before(index) in _BEFORE_WHEN:
            return False
        self._strong.append(stem(low))
        return True

    def _is_part_of_day(self, index: int, low: str) -> bool:
        """Whether a part of the day only stands beside a time or a day: "in the evening at 6", "Mondays evening"."""
        if self._slot not in ("time", "weekday") or low not in ("afternoon", "evening"):
            return False
        return low_at(self._tokens, index - 1) in ("the", "in", "at") or index - 1 in self.inside

    def _take_phrase(self, index: int, low: str) -> None:
        """Take what two words say together: "until 6" closes, "up to 5" is a maximum."""
        if self._slot == "time" and low in ("until", "till") and "open" in self._lows:
            self._strong.append("close")
        if low == "by" and self._slot == "date" and index + 1 in self.inside:
            self._strong.append("deadline")
        if low == "up" and low_at(self._tokens, index + 1) == "to" and not self._is_change:
            self._strong.append(self._concepts.get("maximum", "maximum"))

    def _is_passing(self, index: int, low: str) -> bool:
        """Whether a word says only when something came to be so, or what its verb says already."""
        is_when = low in lexicon.CALENDAR and self._before(index) in WHEN | {"last", "this"}
        if self._is_change and (is_when or low in _WORDS["passing"]):
            return True
        word = stem(low)
        if self._slot == "time" and word in ("open", "stay") and not self._lows.isdisjoint(("until", "till")):
            return True
        return word in self._verbs and index >= self._verb_index

    def _take_content(self, index: int, low: str) -> None:
        word = stem(low)
        if self._slot == "count" and index - 1 in self.inside and word in KINDS:
            self._strong.append(f"{word}-count")  # what is counted, and not of what kind the owner is
            return
        if self._concepts.get(word) == "":
            self._of_value.append(word)
            return
        word = self._concepts.get(word, word)
        if word in _LIGHT:
            return
        if self._is_generic_verb(index, word):
            self._generic.append(word)
        elif self._is_light(index, low):
            self._light.append(word)
        else:
            is_firm = word in _CLASSES or (word in _SAYS_WHICH and is_modifier(self._tokens, index))
            (self._firm if is_firm else self._strong).append(word)

    def _is_generic_verb(self, index: int, word: str) -> bool:
        is_participle = index == self._verb_index + 1 and self._clause.group.lemma == "be"
        is_main_verb = index == self._verb_index or is_participle
        return is_main_verb and word in _WORDS["generic_verbs"] and not self._verbs

    def _is_light(self, index: int, low: str) -> bool:
        if low.endswith("ly") and low not in _WORDS["no_adverbs"]:
            return True
        if low == "new":
            return self._before(index) in ("a", "my", "our") or self._before(index).endswith("'s")
        return index - 1 not in self.inside and is_class_noun(self._tokens, index)

    def topic(self) -> Topic | None:
        """Return the topic that the words make; None if they name nothing."""
        clause, strong, light, firm = self._clause, self._strong, self._light, self._firm
        if self.purpose.tells:
            is_open = not clause.group.rest and not _WORDS["open_words"].isdisjoint(
                self._lows - {USER, "issue", "example", "language"}
            )
            return None if is_open else self._of_purpose()
        if self._slot == "version" and not _WORDS["several_versions"].isdisjoint((*strong, *self._generic, *light)):
            return None
        table_words = TABLE.words_for(_TELLING_READERS.get(self._slot))
        if not _names(join_topic(strong), table_words):
            strong, light, firm = [*strong, *light, *firm] or self._of_value or self._generic, [], []
        if all(word in table_words for word in strong):
            strong = [*strong, *self._owners]  # "my weight": no weight but the user's
        is_named = bool(self._strong or light or firm)
        is_own = self._slot in _WORDS["own"] and not is_named and bool(self._owners and self._of_value)
        topic = USER if is_own else join_topic(strong)
        if not clause.group.rest and self._is_label_of_several(topic):
            return None
        if topic == "users":
            topic = join_topic((*strong, clause.group.lemma, self._participle))
        rows = TABLE.nouns.get(" ".join(word for word in strong if word != USER), ())
        is_bare = any(row.bare or (row.person and USER in strong) for row in rows)
        if len(strong) > _MAX_WORDS or not (is_own or is_bare or _names(topic, table_words)):
            return None
        return Topic(topic, tuple(sorted(set(light))), tuple(sorted(set(firm))))

    def _is_label_of_several(self, topic: str) -> bool:
        """Whether a label speaks of one of several; beside an amount "user" says only whose it is."""
        is_amount = self._value_kind in (ValueKind.NUMBER, ValueKind.MONEY)
        lows = self._lows - {USER} if is_amount else self._lows
        return set(topic.split()) <= _WORDS["open_labels"] or not _WORDS["open_words"].isdisjoint(lows)

    def _of_purpose(self) -> Topic | None:
        """Return the topic of a tool: what it is for, and of what; None if that is not told."""
        purposes = self._purposes or self._by_verb
        whose = [] if self._strong or self._firm else self._owners
        topic = join_topic([*self._strong, *purposes, *whose])
        if not purposes or len(self._strong) > _MAX_WORDS:
            return None
        return Topic(topic, tuple(sorted(set(self._light))), tuple(sorted(set(self._firm))))


def _is_day(low: str) -> bool:
    return lexicon.singular(low) in ("weekday", "workday") or (
        lexicon.singular(low) in lexicon.CALENDAR and low.rstrip("s").endswith("day")
    )


def _names(topic: str, table_words: frozenset[str]) -> bool:
    """Whether a topic says which thing it is; "the limit is 5" does not say of what."""
    words = topic.split()
    own = [word for word in words if word != USER and word not in lexicon.EPHEMERAL and word not in table_words]
    return bool(own) and not own == ["maximum"] == words
