"""Read which words of a change name what is given up, what comes instead, and what both are about (C-40, C-41)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from ...language.lexicon import DETERMINERS, NEUTRAL, PARTICLES, PREPOSITIONS, PRONOUNS, SINCE, SUBJECT_PRONOUNS
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import BE_PAST, forms
from ..clauses.ending_phrases import DROPPING, PHRASAL, holds_name
from ..clauses.predicates import Tokens
from ..grammar.verb_groups import CHANGE_LEMMAS, DROP_LEMMAS, SWAP_LEMMAS, VerbGroup
from .phrases import COPULAS, Given, noun_phrases, phrase_end, shape, starts

_WORDS: Final = read_classes(__file__)

_CONTRACTS: Final = _WORDS["contracts"]
#: Between a contract and what it is of.
_OF_CONTRACT: Final = _WORDS["of_contract"]
_MOVING: Final = CHANGE_LEMMAS | _WORDS["moving"]
_REPLACING: Final = SWAP_LEMMAS | _WORDS["replacing"]
_GONE: Final = _WORDS["gone"]
_USING: Final = _WORDS["using"]
_DOING: Final = _WORDS["doing"]
_NAMED: Final = (("called",), ("named",), ("known", "as"), ("titled",))
_PERSONS: Final = SUBJECT_PRONOUNS | {"it"}
_SINCE: Final = SINCE | {"on", "as", "over"}
WHOLLY: Final = _WORDS["wholly"]
_OFFERS: Final = frozenset("with for by".split())


@cache
def _telling() -> frozenset[str]:
    """The words without one of which no change gives anything up."""
    lemmas = DROPPING | _MOVING | _REPLACING | frozenset(PHRASAL) | {"take"}
    verbs = {word for word, (lemma, _) in forms().items() if lemma in lemmas}
    return frozenset(verbs) | _GONE | _WORDS["telling"]


def may_give(lows: Iterable[str]) -> bool:
    """Whether a text may tell of a change; a quick look, before it is read."""
    return not _telling().isdisjoint(lows)


def parse_given(clause: Tokens, group: VerbGroup) -> Given | None:
    """Read a clause whose verb tells that something is given up."""
    if group.negated:
        return _denied(clause, group) if group.ended else None
    subject, around = _without_place(clause[: group.subject_end])
    rest = _own(clause[group.rest :])
    given = _parse_done(clause, group, subject, rest)
    return _headed(given._replace(about=(*given.about, *around))) if given else None


def _headed(given: Given) -> Given:
    """What is given up without the words that say where it was: "the timeout of the gateway", "the badge on it"."""
    cut = next((i for i, token in enumerate(given.gone) if i and token.low in PREPOSITIONS), 0)
    gone = given.gone[: cut or len(given.gone)]
    while len(gone) > 1 and (gone[-1].low in WHOLLY or gone[-1].low in NEUTRAL):
        gone = gone[:-1]
    return given._replace(gone=gone, about=(*given.about, *(given.gone[cut:] if cut else ())))


def _without_place(subject: Tokens) -> tuple[Tokens, Tokens]:
    """(subject, words in front of it): "in the dashboard moment.js", "since the move, the shop"."""
    comma = max((i for i, token in enumerate(subject) if token.low == ","), default=-1)
    if comma >= 0:
        return subject[comma + 1 :], () if subject[0].low in _SINCE else subject[:comma]
    if subject and subject[0].low in PREPOSITIONS:
        begin = next((i for i in range(1, len(subject)) if shape(subject[i : i + 1]) != "word"), 0)
        return (subject[begin:], subject[1:begin]) if begin > 1 else (subject, ())
    return subject, ()


def _renamed(subject: Tokens, rest: Tokens, is_passive: bool) -> Given | None:
    """Read "A was renamed (to) B", "we renamed A to B", "renamed S from A to B"; "the server" is no name of it."""
    moved = _moved(subject, rest, "move") if any(token.low == "from" for token in rest) else None
    if moved:
        return moved
    end = phrase_end(rest, 0)
    gone = subject if is_passive else rest[:end]
    start = 0 if is_passive and end else end + 1
    new = rest[start : phrase_end(rest, start)]
    return Given(gone, (), new, renamed=True) if holds_name(gone) and new else None


def _renamed_now(subject: Tokens, rest: Tokens, clause: Tokens) -> Given | None:
    """Read "#a is #b now", "A is called B now", "A is now known as B"."""
    is_now = any(token.low == "now" for token in clause)
    named = next((words for words in _NAMED if starts(rest, 0, words)), ())
    new = rest[len(named) :]
    new = tuple(token for token in new if token.low != "now")
    is_alike = len(subject) == len(new) == 1 and shape(new) == shape(subject) == "address"
    if not is_now or not new or len(new) > 3 or not (is_alike or (named and shape(new) != "word")):
        return None
    is_name = len(subject) < 3 and subject[0].low not in DETERMINERS and "'" not in subject[0].low
    return Given(subject, (), new, renamed=True) if is_name or is_alike else None


def _own(rest: Tokens) -> Tokens:
    """What belongs to the verb, without a second one: "left Acme and work for Initech now"."""
    for index, token in enumerate(rest[:-1]):
        if token.low not in ("and", ",", "so", "then"):
            continue
        following = rest[index + 1]
        letters = forms().get(following.low, ("", ""))[1]
        if following.low in _PERSONS or (letters and following.text[0].islower()) or following.low in COPULAS:
            return rest[:index]
    return rest


def _parse_done(clause: Tokens, group: VerbGroup, subject: Tokens, rest: Tokens) -> Given | None:
    lemma = group.lemma
    is_done = group.is_past or group.perfect or group.passive
    if lemma == "go" and clause[group.rest - 1].low == "gone" and subject and not group.is_past:
        return Given(subject, rest)
    if lemma == "be" and low_at(rest, 0) in _GONE and subject and not group.is_past:
        return Given(subject, rest[1:])
    if lemma == "be" and not group.is_past:
        return _renamed_now(subject, rest, clause)
    is_passive = group.passive
    if lemma == "be" and rest:
        lemma, letters = forms().get(rest[0].low, ("", ""))
        is_past_be = any(token.low in BE_PAST or token.low in ("been", "got") for token in clause[len(subject) :][:3])
        if "n" not in letters or not is_past_be:
            return None
        rest, is_passive, is_done = rest[1:], True, True
    if not is_done:
        return None
    if lemma in ("rename", "rebrand"):
        return _renamed(subject, rest, is_passive)
    if lemma in _REPLACING:
        return _replaced(subject, rest, is_passive)
    if lemma == "take" and (low_at(rest, 0), low_at(rest, 1), low_at(rest, 2)) == ("the", "place", "of"):
        end = phrase_end(rest, 3)
        return Given(rest[3:end], rest[end:], subject)
    if lemma == "take" and low_at(rest, 0) == "over":
        return None
    if is_passive:
        return _ended_thing(subject, rest, lemma)
    return _moved(subject, rest, lemma) or _ended_object(subject, rest, lemma)


def _replaced(subject: Tokens, rest: Tokens, is_passive: bool) -> Given | None:
    """Read "replaced A with B", "swapped A for B", "A was replaced by B", "B replaced A"."""
    mark = next((i for i, token in enumerate(rest) if token.low in _OFFERS), -1)
    if is_passive:
        end = phrase_end(rest, mark + 1) if mark >= 0 else 0
        new = rest[mark + 1 : end] if mark >= 0 else ()
        return Given(subject, (*rest[: max(mark, 0)], *rest[end:]), new)
    end = phrase_end(rest, 0)
    if mark == end and rest[mark].low == "for" and not _is_for_value(rest, mark, rest[:end]):
        mark = -1
    if mark == end:
        after = phrase_end(rest, mark + 1)
        return Given(rest[:end], (*subject, *rest[after:]), rest[mark + 1 : after])
    return Given(rest[:end], rest[end:], subject)


def _is_for_value(rest: Tokens, mark: int, gone: Tokens) -> bool:
    """Whether "for" tells for what something was swapped, and not for which purpose it was replaced."""
    after = rest[mark + 1 : phrase_end(rest, mark + 1)]
    return shape(after) == shape(gone)


def _moved(subject: Tokens, rest: Tokens, lemma: str) -> Given | None:
    """Read "S went from A to B", "moved S off A", "moved S out of A into B", "moved S away from A"."""
    if lemma not in _MOVING:
        return None
    for index, token in enumerate(rest):
        if token.low not in ("from", "off", "out") or (token.low == "out" and low_at(rest, index + 1) != "of"):
            continue
        start = index + 1 + (token.low == "out")
        end = phrase_end(rest, start)
        target = tuple(one for one in rest[:index] if one.low not in PARTICLES)
        new_end = phrase_end(rest, end + 1) if low_at(rest, end) in ("to", "into", "onto") else end
        return Given(rest[start:end], (*subject, *target, *rest[new_end:]), rest[end + 1 : new_end])
    return None


def _ended_thing(subject: Tokens, rest: Tokens, lemma: str) -> Given | None:
    """Read "A was decommissioned", "A has been switched off", "S was taken off A", "S was moved from A to B"."""
    particles = next((words for words in PHRASAL.get(lemma, ()) if words and starts(rest, 0, words)), ())
    particles = () if particles and particles[-1] in ("of", "from", "with") else particles
    if lemma in _MOVING and lemma not in DROPPING and not particles:
        is_removed = lemma in ("cut", "pull") and not any(token.low in ("to", "into") for token in rest)
        return Given(subject, rest) if is_removed and low_at(rest, 0) == "from" else _moved(subject, rest, lemma)
    if lemma in ("leave", "stop", "quit") or (lemma not in DROPPING and not particles):
        return None
    rest = rest[len(particles) :]
    by = next((i for i, token in enumerate(rest) if token.low == "by"), len(rest))
    return Given(subject, rest[:by])


def _ended_object(subject: Tokens, rest: Tokens, lemma: str) -> Given | None:
    """Read "we dropped A", "got rid of A", "sold the A", "left A for B", "switched A off"."""
    start = -1
    for words in PHRASAL.get(lemma, ()):
        if starts(rest, 0, words):
            start = len(words)
            break
        end = phrase_end(rest, 0)
        if len(words) == 1 and end and rest[end - 1].low == words[0]:
            rest = (*rest[: end - 1], *rest[end:])
            start = 0
            break
        if len(words) == 1 and low_at(rest, end) == words[0] and words[0] not in ("with", "from"):
            rest = (*rest[:end], *rest[end + 1 :])
            start = 0
            break
    if start < 0 and lemma in DROPPING:
        start = 0
    if start < 0:
        return None
    end = phrase_end(rest, start)
    gone = rest[start:end]
    if gone and gone[-1].low in _CONTRACTS and low_at(rest, end) in _OF_CONTRACT:
        begin, end = end + 1, phrase_end(rest, end + 1)
        gone = rest[begin:end]
    if len(gone) > 1 and gone[-1].low in _CONTRACTS:
        gone = gone[:-1]
    if lemma == "leave" and not _is_left(gone, rest[end:]):
        return None
    new: Tokens = ()
    if low_at(rest, end) == "for" and (lemma == "leave" or lemma in DROP_LEMMAS):
        after = phrase_end(rest, end + 1)
        if _is_for_value(rest, end, gone):
            new, end = rest[end + 1 : after], after
    return Given(gone, (*subject, *rest[end:]), new)


def _is_left(gone: Tokens, after: Tokens) -> bool:
    """Whether somebody left for good: a company or a place by name, and not the keys at home."""
    return shape(gone) == "name" and (not after or after[0].low in PREPOSITIONS or after[0].low in (",", "and", "last"))


def _denied(clause: Tokens, group: VerbGroup) -> Given | None:
    """Read "A isn't used for S any more", "S is no longer on A": the one name that the clause gives up."""
    subject, rest = clause[: group.subject_end], clause[group.rest :]
    lemma = group.lemma
    if lemma == "be" and forms().get(low_at(rest, 0), ("", ""))[1].count("n"):
        lemma, rest = forms()[rest[0].low][0], rest[1:]
        if lemma in _USING and subject and shape(subject) != "word":
            begins = shape(subject, begins=True) == "word" and len(subject) > 1
            if not begins and lemma in ("use", "employ", "need"):
                return Given(subject, rest)
    if lemma == "be" or lemma in _DOING:
        person = _person_denied(subject, rest, lemma)
        if person:
            return person
    if lemma not in _USING or not subject:
        return None
    named = [run for run in noun_phrases(rest) if shape(run) != "word"]
    if len(named) != 1:
        return None
    spans = {token.start for token in named[0]}
    return Given(named[0], (*subject, *(token for token in rest if token.start not in spans)))


def _person_denied(subject: Tokens, rest: Tokens, lemma: str) -> Given | None:
    """Read "Ann doesn't do it any more", "Ann isn't the S any more", "Ann doesn't own S any more"."""
    is_name = bool(subject) and len(subject) < 3 and shape(subject[:1]) == "name" and "'" not in subject[-1].low
    if not is_name or not rest or any(token.low in ("at", "for", "with") for token in rest):
        return None
    if rest[0].low in PRONOUNS or rest[0].low == "so":
        return Given(subject, ())
    if rest[0].low not in DETERMINERS and "'" not in rest[0].low:
        return None
    return Given(subject, rest)
