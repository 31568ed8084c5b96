"""Read the verb group of a clause: main verb, auxiliaries, negation, tense (C-40).

Negation counts only here, and in the subject ("no deploys are announced", "nobody uses X"): "not" elsewhere in a clause
denies something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...language.lexicon import ADDITIVE, NEUTRAL
from ...language.segment import PAST_TOO
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS, MODALS, forms
from ..model import Modality

_WORDS: Final = read_classes(__file__)
#: Verbs by which something became what it is now; only their past and perfect say so.
CHANGE_LEMMAS: Final = _WORDS["change_lemmas"]
#: Verbs that put one thing in the place of another.
SWAP_LEMMAS: Final = _WORDS["swap_lemmas"]
#: Verbs that end what their object says.
END_LEMMAS: Final = frozenset("stop quit cease".split())
DROP_LEMMAS: Final = _WORDS["drop_lemmas"]

#: Verbs of what lasts: their perfect with "since" speaks of now.
_LASTING: Final = _WORDS["lasting"]
_NEGATIONS: Final = frozenset(("not", "never"))
_FREQUENCIES: Final = frozenset(("always", "ever"))
_NOBODY: Final = frozenset(("nobody", "nothing", "noone"))
#: The subject of what nobody does, and nothing.
NOBODY_AT_ALL: Final = "nobody"
#: With one of these, somebody or something does.
_EXCEPT: Final = _WORDS["except"]
_NO_NOUN: Final = _WORDS["no_noun"]


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
    """The verb group whose first verb stands at `index`."""
    subject_end, negated, ended = _parse_before(tokens, index)
    low = tokens[index].low
    if low in MODALS:
        return _after_modal(tokens, index, subject_end, negated)
    if low == "used" and low_at(tokens, index + 1) == "to" and "b" in _letters(low_at(tokens, index + 2)):
        lemma = forms()[tokens[index + 2].low][0]
        return VerbGroup(lemma, subject_end, index + 3, negated, is_past=True)
    end, adverb_negates, adverb_ends = _skip_adverbs(tokens, index + 1)
    negated, ended = negated or adverb_negates, ended or adverb_ends
    if low in DO_FORMS and tokens[end - 1].low == "own":
        end -= 1  # the verb, and not the adjective of "its own"
    following = low_at(tokens, end)
    if low in DO_FORMS and following and (adverb_negates or "b" in _letters(following)):
        lemma = forms().get(following, (following, ""))[0]
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, low == "did")
    if low in HAVE_FORMS:
        return _after_have(tokens, end, subject_end, negated, ended, low == "had")
    if low in BE_PRESENT or low in BE_PAST:
        return _after_be(tokens, end, subject_end, negated, ended, low in BE_PAST)
    lemma, letters = forms().get(low) or (low.removesuffix("ed"), "d")
    is_past = "d" in letters and (low != lemma or low in PAST_TOO)
    if lemma == "get" and "n" in _letters(following) and following not in HAVE_FORMS:
        group = _after_be(tokens, end, subject_end, negated, ended, is_past)
        return group._replace(perfect=group.perfect or is_past)
    return VerbGroup(lemma, subject_end, index + 1, negated, ended, is_past)


def of_participle(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """The group of "was resized" is that of its participle."""
    lemma, letters = forms().get(low_at(tokens, group.rest), ("", ""))
    if group.lemma != "be" or not group.is_past or "n" not in letters:
        return group
    return group._replace(lemma=lemma, rest=group.rest + 1, passive=True, perfect=True)


def _letters(word: str) -> str:
    return forms().get(word, ("", ""))[1]


def _parse_before(tokens: Sequence[Token], index: int) -> tuple[int, bool, bool]:
    """(end of the subject, negated, ended) from the adverbs between subject and verb."""
    end, negated, ended = index, False, False
    while end > 0:
        low = tokens[end - 1].low
        if low == "longer" and end > 1 and tokens[end - 2].low == "no":
            negated, ended, end = True, True, end - 2
        elif low == "never":
            negated, end = True, end - 1
        elif low in NEUTRAL or low in _FREQUENCIES or low in ADDITIVE:
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
        elif low in NEUTRAL or low in _FREQUENCIES or low in ADDITIVE:
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
        if lemma in _LASTING and any(token.low == "since" for token in tokens[end:]) and not negated:
            return VerbGroup(lemma, subject_end, end + 1)  # "has worked at Acme since 2020", and still does
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, True, perfect=True)
    return VerbGroup("have", subject_end, end, negated, ended, is_past)


def _is_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that could be a participle is written as a name: "the line of business is Shipping"."""
    return tokens[index].text[0].isupper() and tokens[index - 1].text[0].islower()


def _after_be(
    tokens: Sequence[Token], end: int, subject_end: int, negated: bool, ended: bool, is_past: bool
) -> VerbGroup:
    following = low_at(tokens, end)
    letters = _letters(following)
    if following == "going" and low_at(tokens, end + 1) == "to":
        return VerbGroup("go", subject_end, end + 2, negated, modality=Modality.PLAN)
    if following == "to":
        return VerbGroup("be", subject_end, end, negated, modality=Modality.PLAN)
    if "g" in letters and following != "being" and not _is_name(tokens, end):
        lemma = forms()[following][0]
        modality = Modality.PLAN if lemma in CHANGE_LEMMAS or lemma in END_LEMMAS else Modality.FACT
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, is_past, modality=modality)
    if "n" in letters and forms()[following][0] in CHANGE_LEMMAS | DROP_LEMMAS:
        lemma = forms()[following][0]
        return VerbGroup(lemma, subject_end, end + 1, negated, ended, is_past, perfect=is_past, passive=True)
    return VerbGroup("be", subject_end, end, negated, ended, is_past)


def parse_no_subject(tokens: tuple[Token, ...], group: VerbGroup) -> tuple[tuple[Token, ...], VerbGroup]:
    """The clause without the word that denies it, and its verb group as denied; as they are where there is no such.

    Where nothing else names the subject, the word stays: nobody at all does it.
    """
    size = _denying(tokens)
    if not size or group.negated or group.subject_end < size:
        return tokens, group
    if any(token.low in _EXCEPT for token in tokens):
        return tokens, group
    if group.subject_end == size:
        return (Token("nobody", NOBODY_AT_ALL, tokens[0].start, tokens[0].end), *tokens[size:]), group._replace(
            subject_end=1, rest=group.rest - size + 1, negated=True
        )
    rest, subject_end = group.rest - size, group.subject_end - size
    return tokens[size:], group._replace(subject_end=subject_end, rest=rest, negated=True)


def _denying(tokens: tuple[Token, ...]) -> int:
    """How many words of a clause deny it from in front of its subject."""
    lows = [token.low for token in tokens[:3]]
    if len(lows) < 3:
        return 0
    if lows[0] in _NOBODY:
        return 1
    if lows[:2] == ["no", "one"] or lows[:2] == ["none", "of"]:
        return 2
    return int(lows[0] == "no" and lows[1].isalpha() and lows[1] not in _NO_NOUN)
