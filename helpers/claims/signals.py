"""Words that change what a clause is worth: modality, time, negation, correction, change (C-40, C-41, T-49).

A bare "not" is no evidence: negation counts only inside the verb group (`read_verb_group`), a correction only where a
sentence opens with it ("correction fluid", "no problem" and "actually enjoys" are none).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .dates import read_date
from .lexicon import (
    AUXILIARIES,
    BAND_WORDS,
    ENVIRONMENT_NOUNS,
    ENVIRONMENTS,
    ESTIMATE_WORDS,
    HYPOTHESIS_WORDS,
    NEUTRAL,
    NEUTRAL_PHRASES,
    PAST_WORDS,
    PERIODS,
    PLAN_WORDS,
    PREPOSITIONS,
    QUESTION_OPENERS,
    RECOMMENDATION_WORDS,
)
from .model import NOW, PAST, ClaimTime, Modality, Tense
from .numbers import low_at
from .segment import Sentence, Token
from .verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS, MODALS, forms

#: Verbs by which something became what it is now; only their past and perfect say so.
CHANGE_LEMMAS: Final = frozenset(
    "switch move migrate change upgrade downgrade update rename replace transition convert bump raise lower increase"
    " reduce decrease relocate postpone reschedule push extend swap delay shift go set".split()
)
#: Verbs that end what their object says.
END_LEMMAS: Final = frozenset("stop quit cease".split())
DROP_LEMMAS: Final = frozenset("drop remove ditch abandon retire".split())

#: Openers of an explicit correction. A mark stands for a comma, colon, dash or full stop.
_MARK: Final = ","
_MARKS: Final = frozenset((",", ":", "-", "—", "–", ".", "!"))
_OPENERS: Final = (
    ("no", _MARK),
    ("nope", _MARK),
    ("correction", _MARK),
    ("actually",),
    ("in", "fact"),
    ("it", "turns", "out", "that"),
    ("it", "turns", "out"),
    ("turns", "out"),
    ("i", "meant"),
    ("that", "is", "wrong"),
    ("that", "is", "not", "right"),
    ("that", "is", "not", "correct"),
    ("that", "is", "incorrect"),
    ("that", "was", "wrong"),
    ("i", "was", "wrong"),
    ("i", "misspoke"),
    ("my", "mistake"),
    ("to", "correct", "myself"),
    ("scratch", "that"),
)
_SOFT_OPENERS: Final = (("sorry",), ("wait",), ("oops",), ("oh",), ("hm",), ("hmm",))
_INTERJECTIONS: Final = (
    *(("please", "note", "that"), ("note", "that"), ("remember", "that"), ("please", "remember", "that")),
    *(("for", "the", "record"), ("by", "the", "way"), ("just", "so", "you", "know"), ("keep", "in", "mind", "that")),
    *((w,) for w in ("fyi", "well", "ok", "okay", "yes", "yeah", "hi", "hello", "hey", "and", "so", "also", "that")),
    *((w,) for w in (",", ":", "-", "but", "then", "or", "plus", "additionally")),
)
_NEGATIONS: Final = frozenset(("not", "never"))
#: "not always" and the like deny less than the verb.
_WEAKENING: Final = frozenset("sure certain yet always all every everything necessarily really entirely quite very".split())
_FREQUENCIES: Final = frozenset(("always", "ever"))

_LABELS: Final[dict[str, Modality]] = {
    **dict.fromkeys(("todo", "plan", "goal", "idea", "proposal", "wish", "next", "roadmap", "target"), Modality.PLAN),
    **dict.fromkeys(("question", "q"), Modality.QUESTION),
    **dict.fromkeys(("example", "e.g", "hypothesis"), Modality.HYPOTHESIS),
    **dict.fromkeys(("quote", "error", "message", "log", "output"), Modality.QUOTATION),
    **dict.fromkeys(("recommendation", "suggestion", "tip", "advice"), Modality.RECOMMENDATION),
    **dict.fromkeys(
        ("note", "fyi", "update", "fact", "info", "reminder", "important", "user", "memory", "preference", "edit"),
        Modality.FACT,
    ),
}


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first words of a clause say: `end` is the index of the first word after them."""

    end: int = 0
    correction: bool = False
    soft: bool = False


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The main verb with its auxiliaries. `rest` is the index after it, `subject_end` that of the subject's end.

    `ended`: "no longer", "not any more". `perfect`: "has moved", "was moved". `passive`: the subject is the object.
    """

    lemma: str
    subject_end: int
    rest: int
    negated: bool = False
    ended: bool = False
    is_past: bool = False
    perfect: bool = False
    passive: bool = False
    modality: Modality = Modality.FACT


def label_modality(word: str) -> Modality | None:
    """The modality that a label ("TODO:") gives to what follows; None for a label that is none of these."""
    return _LABELS.get(word)


def _starts(tokens: Sequence[Token], index: int, words: Sequence[str]) -> bool:
    for offset, word in enumerate(words):
        low = low_at(tokens, index + offset)
        if low != word and not (word is _MARK and low in _MARKS):
            return False
    return True


def read_opening(tokens: Sequence[Token]) -> Opening:
    """Skip interjections and correction openers at the start of a clause."""
    index, correction, soft = 0, False, False
    while index < len(tokens):
        opener = next((o for o in _OPENERS if _starts(tokens, index, o)), None)
        if opener:
            correction = True
        else:
            opener = next((o for o in _SOFT_OPENERS if _starts(tokens, index, o)), None)
            soft = soft or opener is not None
            opener = opener or next((o for o in _INTERJECTIONS if _starts(tokens, index, o)), None)
        if opener is None:
            break
        index += len(opener)
    return Opening(index, correction, soft)


def is_bare_opener(sentence: Sentence) -> bool:
    """"No." or "Correction!" as a sentence of its own: the next sentence is the correction."""
    lows = [token.low for token in sentence.tokens]
    return lows in (["no"], ["nope"], ["correction"], ["wrong"], ["sorry", ",", "no"]) and not sentence.asks


def sentence_modality(sentence: Sentence) -> Modality:
    """What holds for every clause of a sentence: a question, a quotation, a condition."""
    lows = [token.low for token in sentence.tokens]
    if sentence.asks or is_inverted(lows):
        return Modality.QUESTION
    if sentence.quoted or "according" in lows or "reportedly" in lows:
        return Modality.QUOTATION
    if any(low in HYPOTHESIS_WORDS for low in lows) or lows[0] in ("when", "while", "once", "until", "before", "after"):
        return Modality.HYPOTHESIS
    return Modality.FACT


def is_inverted(lows: Sequence[str]) -> bool:
    """Whether a sentence without a question mark asks all the same: "does the API ...", "which port ..."."""
    first, second = lows[0], lows[1] if len(lows) > 1 else ""
    if first in AUXILIARIES and first not in ("may", "might") and second != "not":
        return second in ("i", "we", "you", "it", "he", "she", "they", "the", "my", "our", "this", "that", "there")
    return first in QUESTION_OPENERS and first not in ("when", "where") and (
        second in AUXILIARIES or (first in ("which", "what", "how") and any(low in AUXILIARIES for low in lows[2:5]))
    )


def word_modality(tokens: Sequence[Token]) -> Modality:
    """The modality that single words of a clause give it."""
    for index, token in enumerate(tokens):
        low = token.low
        if low in BAND_WORDS:
            following = low_at(tokens, index + 1)
            if following[:1].isdigit() or following[:1] in ("$", "€", "£", "a") or low == "~":
                return Modality.ESTIMATE
        if low in ESTIMATE_WORDS:
            return Modality.ESTIMATE
        if low in RECOMMENDATION_WORDS:
            return Modality.RECOMMENDATION
        if low in PLAN_WORDS and not _is_noun(tokens, index):
            return Modality.PLAN
    if any(tokens[i].low == "not" and low_at(tokens, i + 1) in _WEAKENING for i in range(len(tokens))):
        return Modality.ESTIMATE
    return Modality.FACT


def _is_noun(tokens: Sequence[Token], index: int) -> bool:
    """"the pro plan costs": a plan word in front of a verb, or capitalised inside a sentence, is a name."""
    if tokens[index].low in ("plan", "goal", "try", "next", "hope", "aim", "roadmap", "proposal"):
        following = low_at(tokens, index + 1)
        return following != "to" and index > 0
    return False


def read_verb_group(tokens: Sequence[Token], index: int) -> VerbGroup:
    """The verb group whose first verb stands at `index`."""
    subject_end, negated, ended = _read_before(tokens, index)
    low = tokens[index].low
    if low in MODALS:
        return _after_modal(tokens, index, subject_end, negated)
    if low == "used" and low_at(tokens, index + 1) == "to" and "b" in _letters(low_at(tokens, index + 2)):
        lemma = forms()[tokens[index + 2].low][0]
        return VerbGroup(lemma, subject_end, index + 3, negated, is_past=True)
    end, adverb_negates, adverb_ends = _skip_adverbs(tokens, index + 1)
    negated, ended = negated or adverb_negates, ended or adverb_ends
    following = low_at(tokens, end)
    if low in DO_FORMS and following and (adverb_negates or "b" in _letters(following)):
        lemma = forms().get(following, (following, ""))[0]
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, low == "did")
    if low in HAVE_FORMS:
        return _after_have(tokens, end, subject_end, negated, ended, low == "had")
    if low in BE_PRESENT or low in BE_PAST:
        return _after_be(tokens, end, subject_end, negated, ended, low in BE_PAST)
    lemma, letters = forms()[low]
    is_past = "d" in letters and low != lemma
    return VerbGroup(lemma, subject_end, index + 1, negated, ended, is_past)


def _letters(word: str) -> str:
    return forms().get(word, ("", ""))[1]


def _read_before(tokens: Sequence[Token], index: int) -> tuple[int, bool, bool]:
    """(end of the subject, negated, ended) from the adverbs between subject and verb."""
    end, negated, ended = index, False, False
    while end > 0:
        low = tokens[end - 1].low
        if low == "longer" and end > 1 and tokens[end - 2].low == "no":
            negated, ended, end = True, True, end - 2
        elif low == "never":
            negated, end = True, end - 1
        elif low in NEUTRAL or low in _FREQUENCIES:
            end -= 1
        else:
            break
    return end, negated, ended


def _skip_adverbs(tokens: Sequence[Token], index: int) -> tuple[int, bool, bool]:
    negated = ended = False
    while index < len(tokens):
        low = tokens[index].low
        if low in _NEGATIONS:
            negated, index = True, index + 1
        elif low == "no" and low_at(tokens, index + 1) == "longer":
            negated, ended, index = True, True, index + 2
        elif low in NEUTRAL or low in _FREQUENCIES:
            index += 1
        else:
            break
    return index, negated, ended


def _after_modal(tokens: Sequence[Token], index: int, subject_end: int, negated: bool) -> VerbGroup:
    modal = tokens[index].low
    end, negates, _ = _skip_adverbs(tokens, index + 1)
    lemma = forms().get(low_at(tokens, end), (low_at(tokens, end), ""))[0]
    if modal in ("will", "shall"):
        modality = Modality.PLAN
    elif modal in ("should", "must"):
        modality = Modality.RECOMMENDATION
    else:
        modality = Modality.HYPOTHESIS
    return VerbGroup(lemma, subject_end, end + 1, negated or negates, modality=modality)


def _after_have(
    tokens: Sequence[Token], end: int, subject_end: int, negated: bool, ended: bool, is_past: bool
) -> VerbGroup:
    following = low_at(tokens, end)
    if following == "to":
        return VerbGroup("have", subject_end, end, negated, modality=Modality.RECOMMENDATION)
    if following == "been":
        after, negates, ends = _skip_adverbs(tokens, end + 1)
        negated, ended = negated or negates, ended or ends
        letters = _letters(low_at(tokens, after))
        if "g" in letters:
            return VerbGroup(forms()[tokens[after].low][0], subject_end, after + 1, negated, ended, True)
        if "n" in letters:
            lemma = forms()[tokens[after].low][0]
            return VerbGroup(lemma, subject_end, after + 1, negated, ended, is_past, perfect=True, passive=True)
        return VerbGroup("be", subject_end, after, negated, ended, True)
    if "n" in _letters(following):
        lemma = forms()[following][0]
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, True, perfect=True)
    return VerbGroup("have", subject_end, end, negated, ended, is_past)


def _after_be(
    tokens: Sequence[Token], end: int, subject_end: int, negated: bool, ended: bool, is_past: bool
) -> VerbGroup:
    following = low_at(tokens, end)
    letters = _letters(following)
    if following == "going" and low_at(tokens, end + 1) == "to":
        return VerbGroup("go", subject_end, end + 2, negated, modality=Modality.PLAN)
    if following == "to":
        return VerbGroup("be", subject_end, end, negated, modality=Modality.PLAN)
    if "g" in letters and following != "being":
        lemma = forms()[following][0]
        modality = Modality.PLAN if lemma in CHANGE_LEMMAS or lemma in END_LEMMAS else Modality.FACT
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, is_past, modality=modality)
    if "n" in letters and forms()[following][0] in CHANGE_LEMMAS | DROP_LEMMAS:
        lemma = forms()[following][0]
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, is_past, perfect=is_past, passive=True)
    return VerbGroup("be", subject_end, end, negated, ended, is_past)


def without_phrases(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], bool]:
    """(tokens without neutral phrases, whether one of them was "any more")."""
    kept: list[Token] = []
    index, ended = 0, False
    while index < len(tokens):
        phrase = next((p for p in NEUTRAL_PHRASES if p[0] == tokens[index].low and _starts(tokens, index, p)), None)
        if phrase:
            ended = ended or phrase[0] == "any"
            index += len(phrase)
            continue
        ended = ended or tokens[index].low == "anymore"
        if tokens[index].low != "anymore":
            kept.append(tokens[index])
        index += 1
    return tuple(kept), ended


def read_circumstances(tokens: Sequence[Token]) -> tuple[tuple[str, ...], ClaimTime]:
    """(scope, time) of the words of a clause that belong to no slot: each phrase between prepositions is one."""
    phrases: list[list[Token]] = [[]]
    for token in tokens:
        if token.low in PREPOSITIONS or not (token.low[0].isalnum() or token.low[0] in "#$@.+/~"):
            phrases.append([])
        phrases[-1].append(token)
    scope: set[str] = set()
    time = NOW
    for phrase in filter(None, phrases):
        said = _phrase_time(phrase)
        if said is not None:
            time = said if said is not NOW else time
            continue
        text = _scope_text(phrase)
        if text:
            scope.add(text)
    return tuple(sorted(scope)), time


def _phrase_time(phrase: Sequence[Token]) -> ClaimTime | None:
    """The time that a phrase gives, or None if it is about something else."""
    lows = [token.low for token in phrase]
    if lows[0] == "since":
        return NOW
    if lows[0] == "until":
        return PAST if len(lows) > 1 and read_date(phrase, 1) else None
    if lows[0] in ("as", "of", "in", "on", "during", "from", "at") or lows[0][0].isdigit():
        parsed = read_date(phrase, int(lows[0] in PREPOSITIONS))
        if parsed and parsed.end == len(phrase) and parsed.value.norm[0] == "day":
            return ClaimTime(Tense.DATED, " ".join(str(part) for part in parsed.value.norm))
    if any(low in PAST_WORDS for low in lows) or any(
        low == "last" and low_at(phrase, i + 1) in PERIODS for i, low in enumerate(lows)
    ):
        return PAST
    return None


_FREE_PREPOSITIONS: Final = frozenset("in on at for during under of as".split())


def _scope_text(phrase: Sequence[Token]) -> str:
    words = [
        ENVIRONMENTS.get(token.low, token.low)
        for token in phrase
        if token.low not in ("the", "my", "our") and token.low not in NEUTRAL and token.low[0].isalnum()
    ]
    if words and words[0] in _FREE_PREPOSITIONS:
        words = words[1:]
    if any(word in ENVIRONMENTS.values() for word in words):
        words = [word for word in words if word not in ENVIRONMENT_NOUNS]
    return " ".join(words)
