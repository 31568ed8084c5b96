"""The one order into which two wordings of a sentence are brought; who does what to whom stays as it is (T-67). Pure.

Only what grammar makes free is moved: a clause or phrase in front ("In production, ..."), an adverb, the two phrases at
the end, the items of a plain list, a passive, "X of Y" and "Y's X", "X is the Y" and "the Y is X".
"""

from __future__ import annotations

from collections.abc import Sequence

from ...language.lexicon import ARTICLES, DETERMINERS, WEEKDAYS
from ...language.verbs import MODALS
from .reading import PAST, Word
from .words import CLASSES, SYNONYMS


def _with_synonyms(words: frozenset[str]) -> frozenset[str]:
    return words | {SYNONYMS.get(one, one) for one in words}


_PREPOSITIONS = _with_synonyms(CLASSES["prepositions"])
_SUBORDINATORS = _with_synonyms(CLASSES["subordinators"])
_FLOATING = _with_synonyms(CLASSES["floating"])
_NO_DOERS = CLASSES["no_doers"] | frozenset(WEEKDAYS)
_CLAUSE_WORDS = _SUBORDINATORS | {"but", "so", "then", "which", "who", "that"}
_BOUNDS = _PREPOSITIONS | _CLAUSE_WORDS | MODALS | {"and", "or", "be", "was", ",", "?", "not"}
_LEFT_OUT = ARTICLES | CLASSES["fillers"] | {"'s", ","}
_PHRASE_OPENERS = _PREPOSITIONS | CLASSES["times"]
_NO_OWNED = CLASSES["amounts"] | _BOUNDS
_OWNED_ENDS = _BOUNDS | DETERMINERS
_OWNED_BEGINS = _OWNED_ENDS | CLASSES["list_verbs"]
_NO_ITEMS = _OWNED_ENDS | CLASSES["scoped"] | CLASSES["pronouns"] | {"'s"}
_BEFORE_LISTS = _BOUNDS | ARTICLES | {"'s"}
_FIXED = (_BOUNDS | CLASSES["scoped"] | {"more-than", "less-than"}) - {"be", ","}
_DOER_ENDS = _PREPOSITIONS | _CLAUSE_WORDS | {"?"}
_WITH_ADVERBS = _CLAUSE_WORDS | {"and", "or", "not", "no", "never", "only"}
_WITH_PHRASES = _CLAUSE_WORDS | MODALS | {"be", "was", "?"}


def arrange(words: Sequence[Word]) -> tuple[str, ...]:
    """Return what a sentence says as keys in one order; equal for two wordings of one statement, as far as known."""
    found = _sort_lists(_front_last([one for one in words if one.key not in CLASSES["fillers"] or one.is_exact]))
    found = _with_possessors_first(_without_auxiliaries(found))
    found = [one for one in found if one.key not in _LEFT_OUT or one.is_exact]
    found = _active(_names_last(found))
    keys = _adverbs_last([one.key for one in found])
    return tuple(_two_phrases_sorted(keys))


def _without_auxiliaries(words: list[Word]) -> list[Word]:
    """Drop what carries no sense of its own: "does", "have" before a participle, "that" after a verb of saying.

    A progressive is the plain verb: "is using" says what "uses" says.
    """
    kept: list[Word] = []
    dropped = -1
    prefers = any(one.key.removesuffix(PAST) == "prefer" for one in words)
    for place, one in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        last = kept[-1] if kept else None
        if prefers and one.key == "of" and last is not None and last.key == "instead":
            kept[-1] = Word("over", one.low)
            continue
        if one.low in ("do", "does") and following is not None and following.key not in ARTICLES | {"?"}:
            continue
        if one.low in ("which", "that", "who") and following is not None and following.key == "be":
            behind = words[place + 2] if place + 2 < len(words) else None
            if last is not None and behind is not None and (behind.is_past or behind.key in _PREPOSITIONS):
                dropped = place + 1  # "the server that is in Oslo"
                continue
        if place == dropped:
            continue
        if one.low in ("get", "gets") and following is not None and following.is_past:
            one = Word("be", one.low)
        if one.low in ("have", "has") and following is not None and following.is_past:
            continue
        if one.low == "that" and last is not None and last.key.removesuffix(PAST) in CLASSES["saying"]:
            continue
        if last is not None and last.key == "be" and one.low.endswith("ing") and not one.key.endswith("ing"):
            kept.pop()
        kept.append(one)
    return kept


def _front_last(words: list[Word]) -> list[Word]:
    """Move a clause or phrase that stands in front behind the rest: "If X, Y" is "Y if X"."""
    if not words:
        return words
    first = words[0].key
    if first not in _PHRASE_OPENERS and first not in _SUBORDINATORS:
        return words
    end = next((place for place, one in enumerate(words) if one.key == ","), None)
    if end is None and first in _PHRASE_OPENERS:
        # "On Fridays the team ..." : the next article begins the subject.
        inner = range(2, len(words))
        end = next((n for n in inner if words[n].key in DETERMINERS and words[n - 1].key not in _BOUNDS), None)
    if end is None or end + 1 >= len(words):
        return words
    asks = [one for one in words[-1:] if one.key == "?"]
    rest = words[end:] if words[end].key != "," else words[end + 1 :]
    return [*(rest[:-1] if asks else rest), *words[:end], *asks]


def _with_possessors_first(words: list[Word]) -> list[Word]:
    """Return "the port of the server" as "the server port"."""
    found = list(words)
    place = 1
    while place < len(found):
        owned = found[place - 1]
        if found[place].key == "of" and owned.key not in _NO_OWNED and not owned.is_exact:
            start = place - 1
            while start > 0 and found[start - 1].key not in _OWNED_BEGINS:
                start -= 1
            end = place + 1
            while end < len(found) and (found[end].key not in _OWNED_ENDS or end == place + 1):
                end += 1
            if end > place + 1 and found[place + 1].key not in _BOUNDS:
                found[start:end] = [*found[place + 1 : end], *found[start:place]]
                place = end - 1
        place += 1
    return found


def _sort_lists(words: list[Word]) -> list[Word]:
    """Sort the items of one plain list, each a single word; where order may count, it stays."""
    if not CLASSES["ordered"].isdisjoint(one.low for one in words):
        return words
    lists: list[tuple[list[int], int]] = []
    place = 0
    while place < len(words):
        items, end = _list_from(words, place)
        if len(items) > 1:
            lists.append((items, end))
        place = max(end, place + 1)
    if len(lists) != 1 or not _is_plain_list(words, *lists[0]):
        return words
    items, end = lists[0]
    joints = [one for one in words[items[0] : end] if one.key in ("and", "or")]
    if len({one.key for one in joints}) != 1:
        return words
    chosen = sorted((words[one] for one in items), key=lambda one: one.key)
    spread = [piece for one in chosen for piece in (one, joints[0])][:-1]
    return [*words[: items[0]], *spread, *words[end:]]


def _list_from(words: Sequence[Word], place: int) -> tuple[list[int], int]:
    """Return where the items of a list that begins at `place` stand, and where it ends; an "and" must be in it."""
    items, last = [], place
    has_joint = False
    while place < len(words) and words[place].key not in _NO_ITEMS:
        items.append(place)
        last = place + 1
        place += 1
        separators = 0
        while place < len(words) and words[place].key in (",", "and", "or") and separators < 2:
            has_joint = has_joint or words[place].key != ","
            separators += 1
            place += 1
        if separators and place < len(words) and words[place].key in ARTICLES:
            place += 1
        if not separators:
            break
    return (items, last) if has_joint and last == items[-1] + 1 else ([], 0)


def _is_plain_list(words: Sequence[Word], items: list[int], end: int) -> bool:
    """Whether nothing belongs to the first or the last item alone."""
    before = words[items[0] - 1] if items[0] else None
    behind = words[end] if end < len(words) else None
    if behind is not None and not (behind.key in _BOUNDS or behind.key in _FLOATING):
        return all(words[one].is_exact for one in items) and not behind.is_exact
    if before is None or before.key in _BEFORE_LISTS:
        return True
    return before.key.removesuffix(PAST) in CLASSES["list_verbs"] and not before.is_exact


def _names_last(words: list[Word]) -> list[Word]:
    """Return "8080 is the default port" as "default port is 8080"."""
    places = [place for place, one in enumerate(words) if one.key == "be"]
    if len(places) != 1 or any(one.key in _FIXED or one.is_past for one in words):
        return words
    left, right = words[: places[0]], words[places[0] + 1 :]
    if not left or not right or not _is_name(left) or _is_name(right) or len(right) < 2:
        return words
    return [*right, words[places[0]], *left]


def _is_name(words: Sequence[Word]) -> bool:
    return all(one.is_exact for one in words) or (len(words) == 1 and words[0].opens)


def _active(words: list[Word]) -> list[Word]:
    """Return "Y is used by X" as "X use Y"; what is between the two verbs stays with the verb."""
    be = next((place for place, one in enumerate(words) if one.key in ("be", "was")), None)
    if be is None or be == 0:
        return words
    verb = be + 1
    while verb < len(words) and words[verb].key in _FLOATING:
        verb += 1
    if verb + 2 >= len(words) or not words[verb].is_past or words[verb + 1].key != "by":
        return words
    end = verb + 2
    while end < len(words) and words[end].key not in _DOER_ENDS:
        end += 1
    doer = words[verb + 2 : end]
    subject = words[:be]
    held: list[Word] = []
    while subject and subject[-1].key in MODALS | {"not", "never"}:
        held.insert(0, subject.pop())
    if (
        not doer
        or not subject
        or doer[0].low in _NO_DOERS
        or doer[0].key[:1].isdecimal()
        or any(one.key in _CLAUSE_WORDS for one in subject)
    ):
        return words
    done = words[verb]
    key = done.key if words[be].key == "was" else done.key.removesuffix(PAST)
    return [*doer, *held, *words[be + 1 : verb], Word(key, done.low), *subject, *words[end:]]


def _adverbs_last(keys: list[str]) -> list[str]:
    """Move adverbs behind the only clause of a sentence."""
    if not _WITH_ADVERBS.isdisjoint(keys):
        return keys
    moved = [one for one in keys if one in _FLOATING]
    return [*(one for one in keys if one not in _FLOATING), *sorted(moved)] if moved else keys


def _two_phrases_sorted(keys: list[str]) -> list[str]:
    """Sort the last two phrases where there are exactly two, opened by two different prepositions."""
    places = [place for place, one in enumerate(keys) if one in _PREPOSITIONS]
    if len(places) != 2 or places[0] == 0 or not _WITH_PHRASES.isdisjoint(keys[places[0] :]):
        return keys
    first, second = keys[places[0] : places[1]], keys[places[1] :]
    if first[0] == second[0] or len(first) < 2 or len(second) < 2:
        return keys
    return [*keys[: places[0]], *min(first, second), *max(first, second)]
