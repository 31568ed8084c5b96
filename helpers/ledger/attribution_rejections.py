"""Why a memory is not the person's although its words are: another value, a denial, other words (T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..language.keys import keys_of
from ..language.vocabulary import CONTRASTS, REVERSERS, WORDS
from .clause_contents import ClauseContents, Part, SuppliedValue, are_forms, covers
from .statements import Statement

GENERAL_KEYS = keys_of(WORDS["general"])


_ENDS = keys_of(REVERSERS) - keys_of(("like",))
#: Little words that stand in no other word's place.
_NEVER_IN_PLACE = keys_of(WORDS["never_in_place"])


def _rivals() -> dict[str, frozenset[str]]:
    """Return for each word of a contrast the others of its group."""
    rivals: dict[str, frozenset[str]] = {}
    for keys in (keys_of(group) for group in CONTRASTS):
        for key in keys:
            rivals[key] = rivals.get(key, frozenset()) | (keys - {key})
    return rivals


_RIVALS = _rivals()


def find_rejection(
    clauses: Sequence[ClauseContents], words: frozenset[str], used: Sequence[Statement], *, floor: float
) -> str | None:
    """Return why what was said in `used` is not what `clauses` report, or None.

    `words` are the meaningful words of the memory's sentence; a clause that alone holds the share `floor` of them is
    compared word by word.
    """
    said = [one.clause for one in used]
    if not all(_agrees(clause, said) for clause in clauses):
        return "the user said the opposite"
    parts = [part for clause in clauses for part in clause.parts]
    for part in parts:
        for value in part.values:
            fault = _misplaced(value, part, parts, words, used)
            if fault is not None:
                return fault
    if any(_is_reversed(clause, said) for clause in clauses):
        return "the user said it the other way round"
    spoken = frozenset().union(*(one.words for one in said))
    extra, others = words - spoken - GENERAL_KEYS, spoken - words - GENERAL_KEYS - _NEVER_IN_PLACE
    if contradicting(extra, others):
        return "the user said the opposite"
    close = [one for one in said if len(one.words & words) >= floor * len(words)]
    if extra and any(_is_substituted(clause, one, extra, others) for clause in clauses for one in close):
        return "the user used another word in its place"
    return None


def contradicting(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of `words` has another of its kind on the other side: "staging", "production"."""
    return any(word in _RIVALS and not others.isdisjoint(_RIVALS[word]) for word in words - others)


def _agrees(clause: ClauseContents, said: Sequence[ClauseContents]) -> bool:
    """Whether the person affirms what `clause` of a memory affirms, and denies what it denies."""
    if not (clause.is_negated or clause.denied or any([one.is_negated or one.denied for one in said])):
        return True
    near = [one for one in said if not one.words.isdisjoint(clause.words)]
    if not near or any(_end_alike(clause, one) for one in near):
        return True
    affirmed = frozenset().union(*(one.affirmed for one in near))
    if not clause.is_negated and any(one.is_elliptical and not one.words & clause.words <= affirmed for one in near):
        return False
    # One general word in common is no contact.
    weighty = [one for one in near if len(shared := one.words & clause.words) > 1 or not shared <= GENERAL_KEYS]
    denied = frozenset().union(*(one.denied for one in weighty))
    if clause.affirmed & (denied - affirmed) or clause.denied & (affirmed - denied):
        return False
    if clause.is_negated or clause.denied:
        return any(one.is_negated or not one.denied.isdisjoint(clause.words) for one in near)
    strongest = max(len(one.words & clause.words) for one in near)
    return any(
        not one.is_negated or not one.affirmed.isdisjoint(clause.words)
        for one in near
        if len(one.words & clause.words) == strongest
    )


def _end_alike(one: ClauseContents, other: ClauseContents) -> bool:
    """Whether one verb of an end is all that either denies by: "sold the table to a couple", "sold it to a couple"."""
    shared = one.words & other.words
    return bool(shared & _ENDS) and len(shared) > 1 and not (one.is_negated or other.is_negated)


def _misplaced(
    value: SuppliedValue, part: Part, parts: Sequence[Part], words: frozenset[str], used: Sequence[Statement]
) -> str | None:
    """Return why `value`, which stands in `part` of a memory, is not the person's value there, or None."""
    if not value.keys.isdisjoint(GENERAL_KEYS) or (not value.is_certain and value.keys.isdisjoint(words)):
        return None
    sources: list[Statement] = []
    holders: list[Part] = []
    others: list[Part] = []
    for statement in used:
        for one in statement.clause.parts:
            if covers(one, value):
                sources.append(statement)
                holders.append(one)
            else:
                others.append(one)
    if not holders:
        is_counted = value.is_number and not value.is_certain
        is_known = is_counted and not any(said.is_number for one in others for said in one.values)
        return None if is_known else f"the user never said {value.form}"
    if (
        not any(_speaks_of_it(one, part, used) for one in sources)
        or _is_nearer(value, part, parts, words, holders, others)
        or _counts_something_else(value, holders, others)
    ):
        return f"the user said {value.form} of something else"
    return None


def _speaks_of_it(holder: Statement, part: Part, used: Sequence[Statement]) -> bool:
    """Whether `holder` has no subject of its own, or one that the memory has, or all that the memory says."""
    subject = keys_of((holder.about,)) if holder.about else None
    if not subject or not subject.isdisjoint(part.words):
        return True
    elsewhere = frozenset().union(*(one.clause.words for one in used if one is not holder)) - holder.clause.words
    return part.words.isdisjoint(elsewhere)


def _is_nearer(
    value: SuppliedValue,
    part: Part,
    parts: Sequence[Part],
    words: frozenset[str],
    holders: list[Part],
    others: list[Part],
) -> bool:
    """Whether the words around `value` stand with another value of its kind rather than with `value` itself.

    Another value is no rival if the memory has it too, in a place that fits as well.
    """
    rest = (part.words & words) - value.keys
    nearest = max(len(rest & one.words) for one in holders)
    for said in others:
        fit = len(rest & said.words)
        if fit <= nearest:
            continue
        for rival in said.values:
            if rival.is_number != value.is_number or not rival.is_certain or rival.form in part.forms:
                continue
            homes = [len((said.words & one.words) - rival.keys) for one in parts if rival.form in one.forms]
            if not homes or max(homes) < fit:
                return True
    return False


def _counts_something_else(value: SuppliedValue, holders: list[Part], others: list[Part]) -> bool:
    """Whether `value` counts one thing in the memory and another in what was said, where that has another number."""
    if not value.head or any(
        one.is_number and one.form == value.form and one.head in ("", value.head)
        for part in holders
        for one in part.values
    ):
        return False
    return any(one.is_number and one.head == value.head for part in (*holders, *others) for one in part.values)


def _is_reversed(clause: ClauseContents, said: Sequence[ClauseContents]) -> bool:
    """Whether two names stand on the other side of the word between them: "Anna reports to Maria"."""
    names = [key for part in clause.parts for one in part.values if not one.is_number for key in one.keys]
    if len(names) < 2:
        return False
    order, orders = clause.order, [one.order for one in said]
    return any(
        not _between(order, first, second).isdisjoint(_between(one, second, first))
        for first, second in pairwise(names)
        for one in orders
    )


def _between(order: Sequence[str], first: str, second: str) -> frozenset[str]:
    if first not in order or second not in order:
        return frozenset()
    return frozenset(order[order.index(first) + 1 : order.index(second)])


def _is_substituted(
    clause: ClauseContents, said: ClauseContents, extra: frozenset[str], others: frozenset[str]
) -> bool:
    """Whether one of the `extra` words stands between the same neighbours as one of the `others`, the person's."""
    places = {(left, right): word for left, word, right in _in_context(clause.order) if word in extra}
    return any(
        (left, right) in places and not are_forms(places[left, right], word)
        for left, word, right in _in_context(said.order)
        if word in others
    )


def _in_context(order: tuple[str, ...]) -> Iterable[tuple[str, str, str]]:
    return zip(order, order[1:], (*order[2:], ""), strict=False)
