"""Find what a text says has changed, in the very words of another: "opens at 8", "opens at 9 now". Pure.

This needs no claims: if all else that two texts say is the same, only the value has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from ..claims import RELATIONS, Claim, Comparison, Relation, compare_claims, extract_claims, has_count, is_question
from ..claims.comparison.conflicts import agree, find_pairs
from ..claims.model import ValueKind
from ..claims.values.agreement import Agreement
from ..language.lexicon import ADDITIVE, ARTICLES, terms
from ..language.numerals import MONTH_NUMBERS
from ..language.verbs import BE_PAST, MODALS, is_verb, lemma_of, letters_of
from ..language.vocabulary import AUXILIARY_FORMS, DENIERS
from ..texts import regex
from .alignment import CHANGE_WORDS, FILLERS, AlignedWord, Alignment, Reading, WordKind, Words, align, read, spelled
from .features import read_stages

#: The names of the rules: a change, something of which there was none, and the count of a whole.
CHANGE: Final = "state_change"
COUNT: Final = "negation"
PROGRESS: Final = "progress"
#: The number of words, the whole among them, that two counts of one work must share.
_FEWEST_SHARED: Final = 3
#: What follows a count and is no part of it.
_ADDITION: Final = regex(r"(?<=\d)([^,;]*?[\w)])(?:[,;](?!\d)|\. ).*", re.DOTALL)
_SLASH: Final = regex(r"(?<=\d)\s?/\s?(?=\d)")
_MONTH: Final = "|".join(MONTH_NUMBERS)
#: A name, or a path, that a date is a part of.
_DATED: Final = regex(r"(?=\S*[/_])\S*\d{4}-?\d\d-?\d\d\S*")
_DAY: Final = rf"\d{{4}}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?: ?(?:UTC|GMT|Z))?)?|(?:{_MONTH}) \d+|\d+\.? (?:{_MONTH})"
#: A heading that items share, and what tells them apart: a date, an address, a handle; a day in brackets; an hour.
_ENTRY: Final = regex(
    rf"(?P<heading>[^\n]*?:\W*?)(?P<item>(?::\d+|@\w+|{_DAY})(?=\W*?[:,|–—-])|\[[^\]\n]*\d{{4}}-\d\d-\d\d[^\]\n]*\]|"
    r"\d\d?:\d\d(?: ?[ap]m)?(?= [\w ]{1,40}: ))",
    re.IGNORECASE,
)
_TO_TICK: Final = regex(r"(?P<heading>[^\n]*?\[[ xX]\] )(?P<item>[^\n]+)")
#: A line that only opens what follows it: "New workflow:", "**Updated the notes with:**".
LIST_OPENING: Final = regex(r"[^\n]*:[\s*_]*")
#: A number of things as a word of grammar.
_NONE: Final = "no"
#: Words of denial and addition, without "no", which is a count.
_NOT_SO: Final = (DENIERS | ADDITIVE) - {_NONE}
#: Longer texts say more than one thing.
_LONGEST: Final = 400
#: The most words of one value.
_LONGEST_VALUE: Final = 3
#: The kinds of words of which a thing has one at a time.
_NAMED: Final = frozenset((WordKind.NAME, WordKind.CODE))
_TOLD_APART: Final = frozenset((WordKind.NUMBER, WordKind.DATE)) | _NAMED
_IDLE: Final = FILLERS - ARTICLES


def compare_memory_texts(older: str, newer: str) -> Comparison:
    """Return the relation of the newer text to the older one, by their claims or else by their words."""
    claims = extract_claims(older), extract_claims(newer)
    return compare_claims_or_words(*claims, older_text=older, newer_text=newer)


def compare_claims_or_words(
    older: Sequence[Claim], newer: Sequence[Claim], *, older_text: str, newer_text: str
) -> Comparison:
    """Return the relation of a newer text to an older one by their claims, or else by their words."""
    if are_of_one_series(older_text, newer_text) or LIST_OPENING.fullmatch(newer_text):
        return Comparison(Relation.COEXISTS)
    comparison = compare_claims(older, newer, older_text=older_text, newer_text=newer_text)
    if comparison.relation is not Relation.COEXISTS:
        return comparison
    change = find_change(older_text, newer_text)
    if change is not None and not _may_both_hold(older, newer):
        return change
    return find_progress(older_text, newer_text) or comparison


def may_tell_change(text: str, other: str) -> bool:
    """Whether one of two texts may say by its words alone that the other has changed."""
    return (has_count(text) and has_count(other)) or any(find_change(*pair) for pair in ((text, other), (other, text)))


def find_change(older: str, newer: str) -> Comparison | None:
    """Return the contradiction if the newer text gives another value of the same thing as a change; else None."""
    before, after = read(older), read(newer)
    if not (not CHANGE_WORDS.isdisjoint(after.lows) or (_NONE in before.lows) is not (_NONE in after.lows)):
        return None
    if max(len(older), len(newer)) > _LONGEST or is_question(older) or is_question(newer):
        return None
    frame = _find_frame(align(older, newer))
    if frame is None or not _is_told_now(frame) or not (_is_count(frame) or _has_one_value(frame)):
        return None
    reasons = (f'it was "{spelled(frame.older)}" and is "{spelled(frame.newer)}"', "all else that they say is the same")
    if _is_count(frame):
        return Comparison(Relation.CONTRADICTS, COUNT, reasons)
    return Comparison(Relation.CONTRADICTS, CHANGE, reasons, corrects="newer") if frame.is_change else None


def find_progress(older: str, newer: str) -> Comparison | None:
    """Return the contradiction if the newer text has another count of the same work, in whatever words; else None.

    The older text must say nothing beside its count that the newer one does not. What the newer one adds behind its
    count, after a comma, is no part of what is counted.
    """
    if not (has_count(older) and has_count(newer)):
        return None
    alignment = align(_SLASH.sub(" of ", older), _ADDITION.sub(r"\1", _SLASH.sub(" of ", newer)))
    sides, shared = (alignment.older, alignment.newer), [word.kind for word, _ in alignment.pairs]
    counts = [[word for word in side.alone if word.kind is WordKind.NUMBER] for side in sides]
    unlike = (word for side in sides for word in side.alone if word not in side.alike)
    rest = [word for word in unlike if word.kind is not WordKind.NUMBER]
    is_same_work = all(word.low in FILLERS or read_stages(word.low) for word in rest) and WordKind.NUMBER in shared
    if [len(side) for side in counts] != [1, 1] or not is_same_work or len(shared) < _FEWEST_SHARED:
        return None
    reason = f"the count was {spelled(counts[0])} and is {spelled(counts[1])}"
    return Comparison(Relation.CONTRADICTS, PROGRESS, (reason, "both speak of the same work"))


def are_of_one_series(older: str, newer: str) -> bool:
    """Whether two texts name two things of a series: "/backup/2026-03-14", or "Status: June 2: ..." and June 9."""
    items = [_TO_TICK.match(text) or _ENTRY.match(text) for text in (older, newer)]
    if items[0] and items[1] and items[0]["heading"] == items[1]["heading"]:
        return items[0]["item"].casefold() != items[1]["item"].casefold()
    if max(len(older), len(newer)) > _LONGEST or older == newer or not CHANGE_WORDS.isdisjoint(read(newer).lows):
        return False
    return _DATED.search(older) is not None and _DATED.sub("", older) == _DATED.sub("", newer)


def _may_both_hold(older: Sequence[Claim], newer: Sequence[Claim]) -> bool:
    """Whether claims of one slot can both hold: who lives in Freiburg now may still live in Germany."""
    read = ((a, b) for a, b in find_pairs(older, newer) if not a.loose and a.value.kind is not ValueKind.TEXT)
    return any(a.value.kind is b.value.kind and agree(a, b) is not Agreement.DIFFERENT for a, b in read)


def _is_told_now(frame: _Frame) -> bool:
    """Whether both texts state what is so in the same way: nothing past, possible, denied or additional."""
    words = {*frame.lead, *(word.low for word in frame.newer)}
    if frame.is_other_grammar or frame.older[0].marks != frame.newer[0].marks or frame.verb is None:
        return False
    was = any("d" in letters_of(low) for low in frame.lead if is_verb(low) and low not in AUXILIARY_FORMS)
    return not was and (BE_PAST | MODALS | _NOT_SO).isdisjoint(words)


def _is_count(frame: _Frame) -> bool:
    """Whether one text says that there is none of what the other counts: "finds no match", "finds 54 matches"."""
    sides = frame.older, frame.newer
    is_none = [side[0].low == _NONE for side in sides]
    return is_none[0] is not is_none[1] and all([word.kind for word in side] == [WordKind.NUMBER] for side in sides)


def _has_one_value(frame: _Frame) -> bool:
    """Whether a thing has one such value at a time."""
    older, newer = frame.older[-1], frame.newer[-1]
    if frame.verb in RELATIONS or frame.is_all:
        return False
    spans = [(side[-1].place - side[0].place + 1, len(side)) for side in (frame.older, frame.newer)]
    if any(span > _LONGEST_VALUE or span != size for span, size in spans):
        return False  # "antibodies from Corvus" are two values
    if older.kind is not newer.kind and not _NAMED.issuperset((older.kind, newer.kind)):
        return False
    families = {terms().get((word.low,), ("",))[0] for word in (older, newer)} - ({""} if frame.verb != "be" else set())
    return newer.kind in _TOLD_APART and older.unit == newer.unit and len(families) <= 1


class _Frame(NamedTuple):
    """The common words of two texts around a value, and the value of each.

    `is_all`: they say nothing else; `is_other_grammar`: only one of them has some word of grammar outside its value,
    articles left out; `lead`: the words in front of the newer value; `is_change`: the newer text tells one.
    """

    is_all: bool
    older: Words
    newer: Words
    is_other_grammar: bool
    lead: tuple[str, ...]
    is_change: bool

    @property
    def verb(self) -> str | None:
        """The lemma of the last verb in front of the values, ":" where a label has none; None without either."""
        verbs = [lemma_of(low) for low in self.lead[1:] if is_verb(low)]
        return verbs[-1] if verbs else ":" if ":" in self.lead else None


def _find_frame(alignment: Alignment) -> _Frame | None:
    """Return the frame of two texts that differ in exactly one value; None for any other two."""
    sides = alignment.older.reading, alignment.newer.reading
    before, after = (list(_count_none(reading)) for reading in sides)
    matcher = SequenceMatcher(None, [word.key for word in before], [word.key for word in after], autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    if len(steps) != 1 or steps[0][0] != "replace":
        return None
    _, start, end, begin, stop = steps[0]
    older, newer = tuple(before[start:end]), tuple(after[begin:stop])
    is_other_grammar = _outside(sides[0], older) != _outside(sides[1], newer)
    lead = sides[1].lows[: newer[0].place]
    is_change = not CHANGE_WORDS.isdisjoint(sides[1].lows)
    return _Frame(stop - begin == len(after), older, newer, is_other_grammar, lead, is_change)


def _count_none(reading: Reading) -> Iterator[AlignedWord]:
    """Yield the words of a text without fillers, with "no" in front of a word as the number 0."""
    for word in reading.words:
        if word.low in _IDLE:
            continue
        if word.marks[-1:] == (_NONE,) and reading.lows[word.place - 1] == _NONE:
            yield AlignedWord("0", _NONE, WordKind.NUMBER, word.place - 1, marks=word.marks[:-1])
            word = word._replace(marks=())
        yield word


def _outside(reading: Reading, value: Words) -> frozenset[str]:
    """Return the words of grammar of a text outside its value."""
    rest = [*reading.lows[: value[0].place], *reading.lows[value[-1].place + 1 :]]
    no_grammar = {word.low for word in reading.words} | FILLERS
    return frozenset(low for low in rest if low not in no_grammar and low[0].isalnum())
