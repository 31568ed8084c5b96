"""Read the verb group of a clause: main verb, auxiliaries, tense, and negation, which counts nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...language import verbs
from ...language.lexicon import ADDITIVE, NEUTRAL
from ...language.segment import PAST_TOO
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import forms, inflection_of, lemma_of, letters_of
from ..model import Modality

_WORDS: Final = read_classes(__file__)
#: Verbs of change, whose past and perfect say what holds now.
CHANGE_LEMMAS: Final = _WORDS["change_lemmas"]
#: Verbs that put one thing in the place of another.
SWAP_LEMMAS: Final = _WORDS["swap_lemmas"]
#: Verbs that end what their object names.
END_LEMMAS: Final = frozenset("stop quit cease".split())
DROP_LEMMAS: Final = _WORDS["drop_lemmas"]

#: Verbs of lasting states: their perfect with "since" means now.
_LASTING: Final = _WORDS["lasting"]
_NEGATIONS: Final = frozenset(("not", "never"))
_OF_MODALS: Final = {
    **dict.fromkeys(("will", "shall"), Modality.PLAN),
    **dict.fromkeys(("should", "must"), Modality.RECOMMENDATION),
}
#: What may stand between a subject and its verb.
_BEFORE_VERB: Final = NEUTRAL | ADDITIVE | {"always", "ever", "never"}
#: The subject of a clause about nobody and nothing.
NOBODY_AT_ALL: Final = "nobody"


class VerbGroup(NamedTuple):
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


def parse_verb_group(tokens: Sequence[Token], index: int) -> VerbGroup:
    """Return the verb group whose first verb stands at `index`."""
    low, begin = tokens[index].low, index
    while begin and (tokens[begin - 1].low in _BEFORE_VERB or _is_no_longer(tokens, begin - 2)):
        begin -= 1 + _is_no_longer(tokens, begin - 2)
    group = _skip_adverbs(tokens, VerbGroup("", begin, begin))._replace(rest=index + 1)
    if low in verbs.MODALS:
        return _after_modal(tokens, _skip_adverbs(tokens, group), low)
    if low == "used" and low_at(tokens, index + 1) == "to" and "b" in letters_of(low_at(tokens, index + 2)):
        return group._replace(lemma=lemma_of(tokens[index + 2].low), rest=index + 3, ended=False, is_past=True)
    is_denied = _skip_adverbs(tokens, VerbGroup("", 0, index + 1)).negated
    after = _skip_adverbs(tokens, group)
    if low in verbs.DO_FORMS and tokens[after.rest - 1].low == "own":
        after = after._replace(rest=after.rest - 1)  # the verb, and not the adjective of "its own"
    following = low_at(tokens, after.rest)
    if low in verbs.DO_FORMS and following and (is_denied or "b" in letters_of(following)):
        lemma = lemma_of(following) or following
        return after._replace(lemma=lemma, rest=after.rest + 1, is_past=low == "did")
    if low in verbs.HAVE_FORMS:
        return _after_have(tokens, after._replace(lemma="have", is_past=low == "had"))
    if low in verbs.BE_PRESENT or low in verbs.BE_PAST:
        return _after_be(tokens, after._replace(lemma="be", is_past=low in verbs.BE_PAST))
    lemma, letters = forms().get(low) or (low.removesuffix("ed"), "d")
    is_past = "d" in letters and (low != lemma or low in PAST_TOO)
    if lemma == "get" and "n" in letters_of(following) and following not in verbs.HAVE_FORMS:
        group = _after_be(tokens, after._replace(lemma="be", is_past=is_past))
        return group._replace(perfect=group.perfect or is_past)
    return after._replace(lemma=lemma, rest=index + 1, is_past=is_past)


def of_participle(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """Return the verb group of the participle in "was resized"; any other group as it is."""
    lemma, letters = inflection_of(low_at(tokens, group.rest))
    if group.lemma != "be" or not group.is_past or "n" not in letters:
        return group
    return group._replace(lemma=lemma, rest=group.rest + 1, passive=True, perfect=True)


def _is_no_longer(tokens: Sequence[Token], index: int) -> bool:
    return index >= 0 and low_at(tokens, index) == "no" and low_at(tokens, index + 1) == "longer"


def _skip_adverbs(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """Return the group with the adverbs that follow it, which may deny it."""
    while group.rest < len(tokens):
        low = tokens[group.rest].low
        if _is_no_longer(tokens, group.rest):
            group = group._replace(negated=True, ended=True, rest=group.rest + 2)
        elif low in _NEGATIONS or low in _BEFORE_VERB:
            group = group._replace(negated=group.negated or low in _NEGATIONS, rest=group.rest + 1)
        else:
            break
    return group


def _after_modal(tokens: Sequence[Token], group: VerbGroup, modal: str) -> VerbGroup:
    following = low_at(tokens, group.rest)
    modality = _OF_MODALS.get(modal, Modality.HYPOTHESIS)
    return group._replace(lemma=lemma_of(following) or following, rest=group.rest + 1, ended=False, modality=modality)


def _after_have(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    following = low_at(tokens, group.rest)
    if following == "to":
        return group._replace(ended=False, is_past=False, modality=Modality.RECOMMENDATION)
    if following == "been":
        group = _skip_adverbs(tokens, group._replace(rest=group.rest + 1))
        lemma, letters = inflection_of(low_at(tokens, group.rest))
        if "n" in letters and "g" not in letters:
            return group._replace(lemma=lemma, rest=group.rest + 1, perfect=True, passive=True)
        is_verb = "g" in letters
        return group._replace(lemma=lemma if is_verb else "be", rest=group.rest + is_verb, is_past=True)
    if "n" in letters_of(following):
        lemma, after = lemma_of(following), group.rest + 1
        if lemma in _LASTING and any(token.low == "since" for token in tokens[group.rest :]) and not group.negated:
            return VerbGroup(lemma, group.subject_end, after)  # "has worked at Acme since 2020", and still does
        return group._replace(lemma=lemma, rest=after, is_past=True, perfect=True)
    return group


def _after_be(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    following = low_at(tokens, group.rest)
    lemma, letters = inflection_of(following)
    is_going = following == "going" and low_at(tokens, group.rest + 1) == "to"
    if is_going or following == "to":
        plan = group._replace(ended=False, is_past=False, modality=Modality.PLAN)
        return plan._replace(lemma="go", rest=group.rest + 2) if is_going else plan
    # "The line of business is Shipping"
    is_name = "g" in letters and tokens[group.rest].text[0].isupper() and tokens[group.rest - 1].text[0].islower()
    if "g" in letters and following != "being" and not is_name:
        modality = Modality.PLAN if lemma in CHANGE_LEMMAS or lemma in END_LEMMAS else Modality.FACT
        return group._replace(lemma=lemma, rest=group.rest + 1, modality=modality)
    if "n" in letters and lemma in CHANGE_LEMMAS | DROP_LEMMAS:
        return group._replace(lemma=lemma, rest=group.rest + 1, perfect=group.is_past, passive=True)
    return group


def parse_no_subject(tokens: tuple[Token, ...], group: VerbGroup) -> tuple[tuple[Token, ...], VerbGroup]:
    """Return the clause without a denying word in its subject, and its verb group as denied; else both unchanged.

    Where nothing else names the subject, the word stays: nobody at all does it.
    """
    size = _denying(tokens)
    excepts = any(token.low in _WORDS["except"] for token in tokens)
    if not size or group.negated or group.subject_end < size or excepts:
        return tokens, group
    nobody = (tokens[0]._replace(text="nobody", low=NOBODY_AT_ALL),) if group.subject_end == size else ()
    less = size - len(nobody)
    denied = group._replace(subject_end=group.subject_end - less, rest=group.rest - less, negated=True)
    return (*nobody, *tokens[size:]), denied


def _denying(tokens: tuple[Token, ...]) -> int:
    """Return how many words in front of the subject of a clause deny it."""
    if len(tokens) < 3:
        return 0
    first, second = tokens[0].low, tokens[1].low
    if (first, second) in (("no", "one"), ("none", "of")):
        return 2
    is_no_noun = first == "no" and second.isalpha() and second not in _WORDS["no_noun"]
    return int(is_no_noun or first in ("nobody", "nothing", "noone"))
