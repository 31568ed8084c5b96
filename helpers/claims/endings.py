"""Read what a clause says no longer holds, and what a clause says at all, as words in any order (C-40, C-41).

"We replaced Jenkins with Drone for the nightly builds" ends "Jenkins", about the nightly builds; whatever says Jenkins
of them is contradicted, in whatever words. An ending counts only if the older text speaks of everything that the
newer one speaks of (`compare.ends`), so a narrower or another matter is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from .lexicon import (
    CONJUNCTIONS,
    DEICTIC_DAYS,
    EPHEMERAL,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PASSING,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
    PRONOUNS,
)
from .model import NOW, Claim, Modality, Tense, Value, ValueKind
from .numbers import low_at
from .predicates import Predicate, Tokens
from .segment import Token
from .topics import join_topic, stem
from .verb_groups import CHANGE_LEMMAS, DROP_LEMMAS, END_LEMMAS
from .verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS, forms

SAYS_SLOT: Final = "says"
ENDS_SLOT: Final = "ends"
_ENDING: Final = (
    END_LEMMAS | DROP_LEMMAS | frozenset("cancel delete give leave sell discontinue terminate shut".split())
)
_SWAPPING: Final = frozenset(("replace", "swap", "supersede"))
_AUXILIARY: Final = BE_PAST | BE_PRESENT | HAVE_FORMS | DO_FORMS | {"be", "been", "being", "got", "get", "no"}
_OWNERS: Final = frozenset(("their", "his", "her", "its", "ours", "mine", "theirs"))
_LIGHT: Final = frozenset(
    "be have do get go become make use new old whole entire favour favor instead rather there no".split()
)


#: A denial with one of these leaves some of it true.
_PARTIAL: Final = frozenset("all every each both instead rather than always only just merely alone".split())
#: Prepositions that turn round what a denial says.
_TELLING: Final = frozenset("without before after except within under over against".split())


_MOVING: Final = frozenset(("move", "relocate", "go"))


class _Ending(NamedTuple):
    """What ends (`gone`), the other words of the clause (`about`), and whether the subject is what comes instead."""

    gone: Tokens
    about: Tokens
    by_other: bool = False


def read_says(at: Predicate) -> list[Claim]:
    """What an affirmed clause in the present says: its subject, and its other words in one form each."""
    group = at.group
    if group.negated or group.is_past or group.modality is not Modality.FACT:
        return []
    lows = {token.low for token in at.tokens}
    if not lows.isdisjoint(PAST_WORDS) or not lows.isdisjoint(("no", "not", "never", "without")):
        return []
    read = _active(at)
    if read is None:
        return []
    subject, words = read
    return [_claim(at, SAYS_SLOT, subject, words, _names(at.tokens), polarity=True, change=False)]


def _names(tokens: Tokens) -> tuple[str, ...]:
    """The words by which an ending is found again: names, and whatever holds more than letters."""
    return tuple(
        stem(token.low.removesuffix("'s"))
        for index, token in enumerate(tokens)
        if (index and token.text[0].isupper() and token.low not in FIRST_PERSON)
        or (any(not letter.isalpha() for letter in token.low) and any(letter.isalnum() for letter in token.low))
        or any(letter.isupper() for letter in token.text[1:])
    )


def read_denial(at: Predicate) -> list[Claim]:
    """What a denied clause denies: "X no longer V", "X does not V", "there is no X in Y"."""
    group = at.group
    is_none = group.lemma in ("be", "have") and low_at(at.rest, 0) == "no" and not group.negated
    if group.is_past or group.modality is not Modality.FACT or not (group.negated or is_none):
        return []
    if not lasts(at.tokens) or any(token.low in _PARTIAL for token in at.tokens):
        return []
    read = _active(at)
    if read is None or read[0] in EPHEMERAL:
        return []
    subject, words = read
    return [_claim(at, ENDS_SLOT, subject, words, (), polarity=False, change=group.ended)]


def read_endings(at: Predicate) -> list[Claim]:
    """What a finished change or a contrast rules out, with what it is about."""
    if at.group.negated or at.group.modality is not Modality.FACT or at.frame.additive or not lasts(at.tokens):
        return []
    ending = _contrast(at) or _change(at)
    if ending is None or at.frame.time.tense is not Tense.NOW:
        return []
    gone = words_of(ending.gone, at.frame.me)
    about = words_of(ending.about, at.frame.me, keep_verbs=False)
    subject = "" if ending.by_other else read_subject_words(at.subject, at.frame.me)
    if not subject and not about and at.group.lemma in _MOVING:
        subject = "we"  # they moved, and nothing else did
    if (
        not gone
        or about is None
        or any(token.low in ("or", "and") for token in ending.gone)
        or any(token.low in INDEFINITE - {"one", "a", "an"} for token in ending.gone)
    ):
        return []
    return [_claim(at, ENDS_SLOT, subject or "", gone, about, polarity=False, change=True)]


def _claim(
    at: Predicate,
    slot: str,
    subject: str,
    words: Sequence[str],
    about: Sequence[str],
    *,
    polarity: bool,
    change: bool,
) -> Claim:
    text = " ".join(token.text for token in at.tokens)
    return Claim(
        subject=subject,
        slot=slot,
        value=Value(ValueKind.STATEMENT, text, tuple(sorted(set(words)))),
        polarity=polarity,
        modality=at.frame.modality,
        time=at.frame.time,
        scope=tuple(sorted(set(about))) if slot == SAYS_SLOT else tuple(join_topic((*about, *at.frame.scope)).split()),
        correction=at.frame.correction and not at.frame.additive,
        start=at.tokens[0].start,
        end=at.tokens[-1].end,
        single=False,
        change=change,
        loose=True,
    )


def _active(at: Predicate) -> tuple[str, tuple[str, ...]] | None:
    """(subject, other words) of a clause, the passive turned round: "X is supported by Y" as "Y supports X"."""
    holder, others = at.subject, at.rest
    by = next((i for i, token in enumerate(others) if token.low == "by"), 0)
    if by and at.group.lemma == "be" and "n" in forms().get(others[0].low, ("", ""))[1] and by + 1 < len(others):
        holder, others = others[by + 1 :], (*holder, *others[:by])
    words = words_of((*_verb(at), *others), at.frame.me)
    is_there = [token.low for token in holder] == ["there"]
    subject = "" if is_there else read_subject_words(holder, at.frame.me)
    return (subject, words) if words and subject is not None else None


def _verb(at: Predicate) -> Tokens:
    return (Token(at.group.lemma, at.group.lemma, 0, 0),) if at.group.lemma else ()


def lasts(tokens: Tokens) -> bool:
    """Whether nothing in a clause says that it holds for a while only."""
    return all(token.low not in PASSING for token in tokens)


def _contrast(at: Predicate) -> _Ending | None:
    """Read "B, not A", "B instead of A", "B rather than A"."""
    tokens = at.tokens
    if at.group.is_past and at.group.lemma not in CHANGE_LEMMAS:
        return None
    for index in range(1, len(tokens)):
        pair = (tokens[index].low, low_at(tokens, index + 1))
        if pair in (("instead", "of"), ("rather", "than")):
            start = index + 2
        elif pair[0] == "not" and tokens[index - 1].low in (",", "and", ")"):
            start = index + 1
        else:
            continue
        while low_at(tokens, start) in PREPOSITIONS:
            start += 1
        end = start
        while (
            end < len(tokens)
            and (tokens[end].low not in PREPOSITIONS or tokens[end].low == "of")
            and tokens[end].low != ","
        ):
            end += 1
        begin, after = _set_against(at, index)
        if end > start:
            return _Ending(tokens[start:end], (*tokens[:begin], *tokens[after:index], *tokens[end:]))
    return None


def _set_against(at: Predicate, index: int) -> tuple[int, int]:
    """Where the phrase begins and ends that a contrast at `index` sets against the other one.

    The object of the verb, if it has one ("uses Kafka for events, not Redis"), else what stands before the contrast
    ("is kept in docs/, not in notes/").
    """
    tokens = at.tokens
    begin = len(tokens) - len(at.rest)
    is_object = begin < index and tokens[begin].low not in PREPOSITIONS
    if is_object and "n" not in forms().get(tokens[begin].low, ("", ""))[1]:
        return begin, min(_end_of_phrase(tokens, begin), index)
    begin = index
    while begin > 0 and tokens[begin - 1].low in (",", "and", "now"):
        begin -= 1
    while begin > 0:
        low = tokens[begin - 1].low
        if low in PREPOSITIONS - {"of"} or low in _AUXILIARY or low in forms() or low in (",", ":"):
            break
        begin -= 1
    return begin, index


def _change(at: Predicate) -> _Ending | None:
    group = at.group
    if not (group.is_past or group.perfect):
        return None
    if group.lemma in _SWAPPING:
        return _swapped(at)
    if group.lemma in _ENDING:
        return _ended(at)
    if group.lemma == "take" and low_at(at.rest, 0) == "over":
        taken = _after_from(at.rest[1:], ())
        return taken._replace(by_other=True) if taken else None
    if group.lemma == "hand" and any(token.low == "over" for token in at.rest):
        to = next((i for i, token in enumerate(at.rest) if token.low == "to"), len(at.rest))
        return _Ending(at.subject, tuple(token for token in at.rest[:to] if token.low != "over"))
    if group.lemma in CHANGE_LEMMAS:
        return _after_from(at.rest, at.subject)
    return None


def _after_from(rest: Tokens, subject: Tokens) -> _Ending | None:
    """Read "TARGET from A to B"."""
    start = next((i for i, token in enumerate(rest) if token.low == "from"), -1)
    if start < 0:
        return None
    end = next((i for i in range(start + 1, len(rest)) if rest[i].low in ("to", "into")), -1)
    if end < 0:
        return _Ending(rest[start + 1 :], rest[:start]) if not subject else None
    after = _end_of_phrase(rest, end + 1)
    return _Ending(rest[start + 1 : end], (*subject, *rest[:start], *rest[after:]))


def _end_of_phrase(tokens: Tokens, index: int) -> int:
    while index < len(tokens) and (tokens[index].low not in PREPOSITIONS or tokens[index].low == "of"):
        index += 1
    return index


def _swapped(at: Predicate) -> _Ending | None:
    """Read "replaced A with B", "A was replaced by B", "B replaced A as ..."."""
    marks = [i for i, token in enumerate(at.rest) if token.low in ("with", "by", "for")]
    if at.group.passive:
        rest = at.rest[_end_of_phrase(at.rest, marks[0] + 1) :] if marks else at.rest
        return _Ending(at.subject, rest)
    cut = marks[0] if marks else _end_of_phrase(at.rest, 0)
    after = _end_of_phrase(at.rest, marks[0] + 1) if marks else cut
    is_other = not marks
    return _Ending(at.rest[:cut], (*(() if is_other else at.subject), *at.rest[after:]), is_other)


def _ended(at: Predicate) -> _Ending | None:
    """Read "dropped A", "stopped using A", "A was removed"."""
    rest = at.rest
    if at.group.lemma in ("give", "shut"):
        if low_at(rest, 0) not in ("up", "down"):
            return None
        rest = rest[1:]
    if at.group.passive:
        cut = next(
            (i for i, token in enumerate(rest) if token.low in ("by", "in", "with") and low_at(rest, i + 1) != "the"),
            len(rest),
        )
        return _Ending(at.subject, rest[:cut] if low_at(rest, 0) != "from" else rest[1:])
    if at.group.lemma in END_LEMMAS and "g" in forms().get(low_at(rest, 0), ("", ""))[1]:
        return _Ending(rest, at.subject)
    end = _end_of_phrase(rest, 0)
    is_favour = (low_at(rest, end), low_at(rest, end + 1)[:5]) == ("in", "favou") or low_at(rest, end + 1) == "favor"
    return _Ending(rest[:end], (*at.subject, *(() if is_favour else rest[end:])))


def read_subject_words(tokens: Tokens, me: str) -> str | None:
    """The topic that a subject names, or None if only the context tells."""
    words = words_of(tokens, me)
    if words is None or (tokens and tokens[0].low.removesuffix("'s") in INDEFINITE - {"all"}):
        return None
    return join_topic(words)


def words_of(tokens: Iterable[Token], me: str, *, keep_verbs: bool = True) -> tuple[str, ...] | None:
    """The words that carry meaning, each in one form; None if one of them points at something else in the text."""
    words: list[str] = []
    told = list(tokens)
    for index, token in enumerate(told):
        low = token.low.removesuffix("'s")
        if low in ("this", "last") and low_at(told, index + 1) in PERIODS:
            continue
        if low in FIRST_PERSON or low == "my":
            words.append(me)
            continue
        if low in ("we", "our", "us") or low in _OWNERS or low in _AUXILIARY or low in NEUTRAL:
            continue
        if low in PRONOUNS and low != "there":
            return None
        if (
            (low in PREPOSITIONS and low not in _TELLING)
            or low in CONJUNCTIONS
            or low in INDEFINITE
            or low in ("the", "not")
            or low in PAST_WORDS
        ):
            continue
        if low in DEICTIC_DAYS or low in PERIODS - {"time"} or not (low[0].isalnum() or low[0] in "#@/~.$€£"):
            continue
        word = stem(low)
        if word in _LIGHT or (not keep_verbs and (word in CHANGE_LEMMAS or (low in forms() and word in forms()))):
            continue
        words.append(word)
    return tuple(words)


__all__ = [
    "ENDS_SLOT",
    "NOW",
    "SAYS_SLOT",
    "lasts",
    "read_denial",
    "read_endings",
    "read_says",
    "words_of",
]
