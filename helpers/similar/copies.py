"""Decide whether one text says everything that another one says, in whatever words. Pure.

No table of wordings covers how people write, and cosine similarity cannot tell a copy from a correction. So trees weigh
what an alignment leaves over. Before they are asked, the pair is searched for what a copy must not lose or change: a
number, a path, how far a piece of work is. A text that is much longer than the other one covers nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from ..claims import Relation, compare_texts
from ..language.numerals import NUMBER_WORDS
from ..language.sentences import split_sentences
from ..language.vocabulary import OPPOSITE_PREPOSITIONS
from ..language.words import SCRIPT_WITHOUT_SPACES
from ..texts import normalize_text, regex
from .alignment import LONGEST_TEXT, AlignedWord, Alignment, WordKind, align, read, spelled, write_alike
from .features import MARKS, detector, features, read_stages

#: The name of the model among the weights.
MODEL: Final = "copies"
SAME_TEXT: Final = "the same text"
SAME_FACTS: Final = "the same facts in other words"
FULLER: Final = "everything that the other says, and more"

_ZERO_WIDTH = regex("[\u200b\u200c\u200d\ufeff]")
#: The kinds of words that no copy leaves out.
_KEPT: Final = {WordKind.NUMBER: "a number", WordKind.CODE: "a path or an identifier"}
_VALUES: Final = frozenset((*_KEPT, WordKind.DATE, WordKind.NAME))
#: The fuller text is at most so many times as long, and so many characters more.
_MOST_TIMES, _MOST_MORE = 3, 150
_LABEL = regex(r"[^.!?\n]{2,80}?(?:: | [-–—] |\n)")
_ENDED: Final = regex(r"(?i)\b(?:stopped|no longer|not any ?more|gave up|withdrawn)\b")
_OPPOSITES: Final = tuple(tuple(pair.split()) for pair in (*OPPOSITE_PREPOSITIONS, "to past"))
#: A sentence is unsaid in a text that has a smaller share of its words.
_LEAST_SAID: Final = 1 / 3
#: Two texts with at most so many words of their own are one wording, in which the order counts.
_MOST_LOOSE = 2
#: Two values of different kinds at most so far apart are one value, in either order: "11 May", "May 11".
_SIDE_BY_SIDE = 2
_SHOWN_WORDS = 4
_ENDS, _NOTHING = ".,;:!…", ("", "the", "The", "-", "•")


class Judgement(NamedTuple):
    """Whether a text is a copy of another one, and the reason in words."""

    is_copy: bool
    why: str


def same_text(text: str) -> str:
    """Return the form in which texts are compared: Unicode forms, white space and invisible marks do not count."""
    return normalize_text(_ZERO_WIDTH.sub("", text))


def judge_pair(text: str, other: str) -> Judgement:
    """Return whether one of two texts covers the other; symmetric, also in its reason."""
    first, second = sorted((text, other))
    if why := _find_other_numbers(second, first):
        return Judgement(False, f"divergent: {why}")
    ways = covers(first, second), covers(second, first)
    return next((judgement for judgement in ways if judgement.is_copy), ways[0])


@lru_cache(maxsize=8_192)
def covers(fuller: str, text: str) -> Judgement:
    """Return whether `fuller` says everything that `text` says."""
    if same_text(fuller) == same_text(text):
        return Judgement(True, SAME_TEXT)
    text, fuller = write_alike(text, fuller)
    alignment = align(text, fuller)
    if why := find_difference(alignment, text, fuller):
        return Judgement(False, f"divergent: {why}")
    if _is_same_wording(text, fuller):
        return Judgement(True, SAME_FACTS)
    if not detector(MODEL).accepts(features(alignment, text, fuller)):
        return Judgement(False, f"divergent: {_describe(alignment)}")
    if unsaid := next((sentence for sentence in split_sentences(text) if _is_unsaid(sentence, fuller)), None):
        return Judgement(False, f'divergent: only one of them says "{unsaid}"')
    comparison = compare_texts(text, fuller)
    if comparison.relation is Relation.CONTRADICTS:
        return Judgement(False, f"divergent: {comparison.reasons[0] if comparison.reasons else comparison.rule}")
    return Judgement(True, FULLER if alignment.newer.alone else SAME_FACTS)


def adds_nothing(text: str, fuller: str) -> bool:
    """Whether a text has no word that a fuller one lacks, so that it cannot report a change."""
    side = align(text, fuller).older
    return same_text(text) == same_text(fuller) or len(side.alone) == len(side.alike)


def _find_other_numbers(text: str, fuller: str) -> str:
    """Return in words the numbers that two texts have instead of each other's; a quick check that most pairs fail."""
    before, after = map(read, write_alike(text, fuller))
    sides = [
        [word for word in own.words if word.kind is WordKind.NUMBER and word.low.isalnum() and word.key not in known]
        for own, known in ((before, after.keys), (after, before.keys))
    ]
    return _tell(_KEPT[WordKind.NUMBER], *sides) if all(sides) and same_text(text) != same_text(fuller) else ""


def _tell(kind: str, *sides: Sequence[AlignedWord]) -> str:
    return f"{kind}: {' / '.join(spelled(side[:_SHOWN_WORDS]) or '-' for side in sides)}"


def find_difference(alignment: Alignment, text: str, fuller: str) -> str:
    """Return in words what keeps two texts apart, whatever the trees say; empty if nothing does."""
    if SCRIPT_WITHOUT_SPACES.search(text) or SCRIPT_WITHOUT_SPACES.search(fuller):
        return "in a script without spaces only the same text counts"
    if max(len(text), len(fuller)) > LONGEST_TEXT or len(fuller) > _MOST_TIMES * len(text) + _MOST_MORE:
        return "too long, and not the same text"
    missing, more = (
        [word for word in side.alone if word.kind in _KEPT and word not in side.alike]
        for side in (alignment.older, alignment.newer)
    )
    if missing:
        return _tell(_KEPT[missing[0].kind], missing, more)
    before, after = read_stages(text), read_stages(fuller)
    if before and after and (before.isdisjoint(after) or "done" in before ^ after):
        return f"how far it is: {', '.join(sorted(before))} / {', '.join(sorted(after))}"
    ticked, others = Counter(MARKS.findall(text)), Counter(MARKS.findall(fuller))
    if others and ticked - others:
        return "how many items are ticked off"
    if _ENDED.search(fuller) and not _ENDED.search(text):
        return "what only one of them says is over"
    if _are_of_two_labels(alignment, text, fuller):
        return "what they are about, by their labels"
    if _are_opposed(alignment):
        return "before or after, with or without, from or to"
    return "the order of the values, and so which belongs to what" if _is_reordered(alignment) else ""


def _are_opposed(alignment: Alignment) -> bool:
    """Whether each text has a preposition that the other lacks, of two that are opposites: "ten to six", "ten past"."""
    before, after = (frozenset(side.reading.lows) for side in (alignment.older, alignment.newer))
    old, new = before - after, after - before
    return any((word in old and opposite in new) or (word in new and opposite in old) for word, opposite in _OPPOSITES)


def _are_of_two_labels(alignment: Alignment, *texts: str) -> bool:
    """Whether both texts open with a label, and each label has a word of its own: "KISS: ...", "DRY: ..."."""
    labels = [_LABEL.match(text) for text in texts]
    sides = (alignment.older, alignment.newer)
    return all(
        label is not None and any(word.low in label[0].casefold() for word in side.alone if word not in side.alike)
        for label, side in zip(labels, sides, strict=True)
    )


def _is_same_wording(first: str, second: str) -> bool:
    """Whether two texts differ only in "the", in how numbers and ends of sentences are written, and in a capital."""
    words, others = (
        [str(NUMBER_WORDS.get(word, word)) for piece in text.split() if (word := piece.rstrip(_ENDS)) not in _NOTHING]
        for text in (first, second)
    )
    return bool(words) and [words[0].lower(), *words[1:]] == [others[0].lower() if others else "", *others[1:]]


def _is_reordered(alignment: Alignment) -> bool:
    """Whether two names or numbers of nearly the same words have changed places: "80 to 8080", "Ann owes Ben"."""
    if max(len(alignment.older.alone), len(alignment.newer.alone)) > _MOST_LOOSE:
        return False
    values = [pair for pair in alignment.pairs if _VALUES & {pair[0].kind, pair[1].kind}]
    return any(
        (a.place - b.place) * (c.place - d.place) < 0
        for (a, c), (b, d) in combinations(values, 2)
        if a.kind is b.kind or max(abs(a.place - b.place), abs(c.place - d.place)) > _SIDE_BY_SIDE
    )


def _is_unsaid(sentence: str, fuller: str) -> bool:
    """Whether `fuller` has next to no words of a sentence of two words or more."""
    side = align(sentence, fuller).older
    size = len(side.reading.words)
    return size > 1 and len(side.shared) + len(side.alike) < _LEAST_SAID * size


def _describe(alignment: Alignment) -> str:
    """Return in words what two texts differ in."""
    sides = alignment.older.alone, alignment.newer.alone
    return _tell("words", *sides) if any(sides) else "the order of the words"
