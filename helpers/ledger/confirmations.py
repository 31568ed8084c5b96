"""What a person agrees with: "yes", "right", "exactly" right after something that the agent said (C-16, T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..language.modality import Modality, is_question
from ..language.sentences import is_foreign, split_sentences
from ..language.wordings import read_patterns
from .passages import Passage, parse_agreed, parse_passages
from .spoken_values import find_spoken, is_among

_SAID: Final = read_patterns("confirmations")
# An answer of many sentences that asks nothing: agreeing with it agrees with its end.
_LAST_SENTENCES = 3
# Of two the "middle one" is none.
_FEWEST_OPTIONS = 2
_PLACES: Final = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
# "Shall I?" offers what stands before it.
_BARE_OFFER = 3


def confirms(text: str) -> bool:
    """Whether a person's message opens by agreeing with what was said just before, without taking it back (C-16)."""
    return _opening(text.replace("\u2019", "'")) is not None


def _opening(text: str) -> re.Match[str] | None:
    opening = _SAID["opening"].match(text)
    if opening is None:
        return None
    first, second = [*split_sentences(text), "", ""][:2]
    rest = first[opening.end() :]
    if (
        is_question(first)
        or _SAID["denied"].match(rest)
        or _SAID["taken_back"].search(rest)
        or _SAID["second_thought"].match(second)
    ):
        return None
    return opening


def _agreed_sentences(said: str, answer: str) -> list[str]:
    answer = answer.replace("\u2019", "'")
    opening = _opening(answer)
    if opening is None:
        return []
    sentences = _confirmable(split_sentences(said), is_plain=opening["short"] is None)
    agreed = tuple(passage for sentence in sentences for passage in parse_agreed(sentence))
    return sentences if _repeats(answer, opening, agreed) else []


def _confirmable(sentences: Sequence[str], *, is_plain: bool) -> list[str]:
    """Return the sentences that agreement can mean; a plain "yes" to "is it not ...?" may mean either."""
    sentences = [sentence for sentence in sentences if not _SAID["doubt"].search(sentence)]
    if not sentences:
        return []
    last = sentences[-1]
    if not is_question(last):
        return [sentence for sentence in sentences[-_LAST_SENTENCES:] if not is_question(sentence)]
    if _SAID["tag_question"].match(last):
        return [sentence for sentence in sentences[:-1] if not is_question(sentence)]
    if _SAID["offer"].search(last) or _SAID["open_question"].match(last):
        return []
    is_denial = any(passage.clause.is_negated for passage in parse_agreed(last)[:1])
    return [] if is_denial and is_plain else [last]


def _repeats(answer: str, opening: re.Match[str], agreed: tuple[Passage, ...]) -> bool:
    """Whether the words after the opening fit what is agreed with: no other number, and "right, ..." names it again."""
    rest = split_sentences(answer)[0][opening.end() :]
    added = [one for sentence in split_sentences(rest) for one in parse_agreed(sentence)]
    if any(one.clause.is_negated for one in added) and not any(one.clause.is_negated for one in agreed):
        return False
    numbers = [value for passage in agreed for value in find_spoken(passage.text)]
    if numbers and (said := find_spoken(rest)) and not any(is_among(one, numbers) for one in said):
        return False
    words = frozenset().union(*(one.clause.words for one in added))
    if opening["short"] is None or opening["short"].lower() != "right" or not words:
        return True
    return not words.isdisjoint(frozenset().union(*(one.clause.words for one in agreed)))


@lru_cache(maxsize=2_048)
def agreed_passages(said: str, answer: str) -> tuple[Passage, ...]:
    """Return what of the agent's message `said` the person's `answer` agrees with or orders, read as the person's own.

    An offer counts ("Shall I set it to 29?" - "yes, please do"), unless the answer names another value.
    """
    agreed = tuple(
        replace(passage, modality=Modality.FACT, is_answer=True)
        for sentence in _agreed_sentences(said, answer)
        for passage in parse_agreed(sentence)
        if passage.modality in (Modality.FACT, Modality.PLAN)
    )
    return agreed or _ordered(said, answer) or _picked(said, answer)


def _find_listing(said: str) -> str:
    return max(split_sentences(said), key=lambda sentence: sentence.count(","), default="")


def find_lead(said: str, answer: str) -> str:
    """Return what stands before the list that the user picks from ("I see three ways"), if anything is picked."""
    return _find_listing(said).rpartition(":")[0] if _SAID["pick"].match(answer) else ""


def _picked(said: str, answer: str) -> tuple[Passage, ...]:
    """Return what the user picks by its place from what the agent lists: "JSON, a blob, or SQLite" - "the last one"."""
    pick, listing = _SAID["pick"].match(answer), _find_listing(said)
    options = [one for one in _SAID["options"].split(listing.rpartition(":")[2]) if one.strip()]
    if pick is None or is_question(answer) or len(options) < _FEWEST_OPTIONS:
        return ()
    place = _PLACES.get(pick["place"].lower(), len(options) // 2)
    if place >= len(options):
        return ()
    return tuple(
        replace(passage, modality=Modality.FACT, about="", is_answer=True) for passage in parse_passages(options[place])
    )


def _ordered(said: str, answer: str) -> tuple[Passage, ...]:
    answer = answer.replace("\u2019", "'")
    acceptance = _SAID["acceptance"].match(answer)
    is_taken_up = _SAID["taken_up"].match(answer) is not None
    offer = _find_offer(split_sentences(said.replace("\u2019", "'")), is_taken_up=is_taken_up)
    if acceptance is None or not offer:
        return ()
    rest = answer[acceptance.end() :]
    if _SAID["refusal"].search(rest) or any(
        one.is_rival(other) and not one.is_same(other) for one in find_spoken(offer) for other in find_spoken(rest)
    ):
        return ()
    return tuple(
        replace(one, modality=Modality.PLAN, about="", is_order=True, is_answer=True) for one in parse_passages(offer)
    )


def _find_offer(sentences: Sequence[str], *, is_taken_up: bool) -> str:
    """Return what the agent offers at the end of what it says, or just before, if the end points to that."""
    last, before = [*reversed(sentences), "", ""][:2]
    is_asked = last.endswith("?") and not _SAID["open_question"].match(last)
    is_bare = len(last.split()) <= _BARE_OFFER
    if is_asked and (is_bare or _SAID["pointing"].search(last)) and _SAID["proposal"].match(before):
        return before
    is_offer = is_asked and (_SAID["offer"].search(last) is not None or is_foreign(last))
    if is_offer:
        return last
    return next((one for one in reversed(sentences) if _SAID["proposal"].search(one)), "") if is_taken_up else ""
