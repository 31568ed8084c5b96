"""Who said what a memory says: the person, the agent or a tool (C-25, C-26, T-03).

The host's memorizers write in the third person, later, from the whole history, so the author is looked for in what was
really said. Words alone are too weak: every value must be covered too, a question or a guess asserts nothing, and
"no" is not "yes". Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .statements import (
    Content,
    Force,
    Statement,
    covers_value,
    is_question,
    read_content,
    read_statements,
    split_sentences,
)

# The share of a memory's meaningful words that its author must have said (T-03).
COVERAGE_FLOOR = 0.6


class Speaker(StrEnum):
    """Who produced an utterance. A superior agent's message is the agent's, not the person's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, or printed by a tool."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Whether the person said it; where (index of the utterance, None if nobody did), how much of it, and why."""

    is_user: bool
    index: int | None
    coverage: float
    reason: str


_CONFIRMATION = re.compile(
    r"\s*(?:(?:oh|ah|well|ok|okay|hm+|great|perfect|and)[,!.\s]+)*"
    r"(?:yes|yep|yeah|yup|right|exactly|correct|indeed|absolutely|precisely|confirmed|affirmative|true|"
    r"that(?:'s|\s+is|\s+sounds)\s+(?:all\s+)?(?:right|correct|true|it|the\s+one)|"
    r"you(?:'re|\s+are)\s+(?:right|correct)|you\s+got\s+it|i\s+(?:can\s+)?confirm)\b"
    r"(?!\s+(?:away|now|after|before|here|there|click|please|side|hand|how|the\s+(?:typo|spelling|error|mistake))\b)"
    r"(?!,?\s+please\b)(?!,?\s+but\b)|"
    r"\s*(?:ja|genau|richtig|stimmt|oui|exactement|s[ií]|exacto|correcto|esatto|да|верно|نعم|صحيح|はい|そうです|是的|对)"
    r"(?!\w)",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:shall|should|can|could|may)\s+(?:i|we)\b|\b(?:do|would|did)\s+you\s+(?:want|like|prefer|need|mind)\b|"
    r"\b(?:want|need)\s+me\s+to\b|\bhow\s+about\b|\bwhat\s+about\b|\bready\s+(?:to|for)\b|\bok(?:ay)?\s+(?:to|if)\b|"
    r"\banything\s+else\b|\bdoes\s+that\s+(?:help|work)\b|\bis\s+there\s+anything\b",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(
    r"\s*(?:is|was)\s+(?:that|this|it)\s+(?:so|right|correct|true|accurate)\W*$|\s*(?:right|correct|yes)\s*\?\W*$|"
    r"\s*did\s+i\s+(?:get|understand)\b.*$|\s*am\s+i\s+(?:right|correct)\W*$",
    re.IGNORECASE,
)


def attribute(text: str, utterances: Sequence[Utterance]) -> Attribution:
    """Decide whether the memory `text` is the person's own statement; `utterances` are oldest first."""
    content = read_content(text)
    if not content.words:
        return Attribution(is_user=False, index=None, coverage=0.0, reason="no words to look for")
    user_parts = [_user_statements(utterances, index) for index in range(len(utterances))]
    index, share, parts = _best_cover(content, user_parts)
    if index is None or share < COVERAGE_FLOOR:
        return _not_the_users(content, utterances, share, "too few of its words are the user's")
    said = [one for statements in user_parts for one in statements if _counts(one, content)]
    forms = frozenset(form for one in said for form in one.forms)
    missing = [value for value in content.values if not covers_value(value, forms)]
    if missing:
        return _not_the_users(content, utterances, share, f"the user never said {', '.join(missing[:3])}")
    if not _polarity_agrees(content, parts):
        return _not_the_users(content, utterances, share, "the user said the opposite")
    other, other_share = _best_other(content, utterances)
    if other is not None and other_share > share and other < index:
        return _not_the_users(content, utterances, share, "the agent said more of it, and first")
    return Attribution(
        is_user=True,
        index=index,
        coverage=round(share, 3),
        reason=f"the user said it: {_quote(utterances[index].text)}",
    )


def confirms(text: str) -> bool:
    """Whether a person's message opens by agreeing with what was said just before (C-16)."""
    return _CONFIRMATION.match(text) is not None


def confirmed_statements(utterances: Sequence[Utterance], index: int) -> tuple[Statement, ...]:
    """Return what of the agent's message before `index` the person's message at `index` agrees with."""
    if not confirms(utterances[index].text.replace("\u2019", "'")):
        return ()
    before = next((one for one in reversed(utterances[:index]) if one.speaker is not Speaker.TOOL), None)
    if before is None or before.speaker is not Speaker.AGENT:
        return ()
    sentences = split_sentences(before.text)
    if not sentences:
        return ()
    last = sentences[-1]
    if not is_question(last):
        chosen = [one for one in sentences if not is_question(one)]
    elif _OFFER.search(last):
        return ()
    elif _TAG_QUESTION.match(last):
        chosen = sentences[:-1]
    else:
        chosen = [last]
    return tuple(
        _as_asserted(one)
        for sentence in chosen
        for one in read_statements(sentence)
        if one.force is not Force.CONDITIONAL
    )


def _user_statements(utterances: Sequence[Utterance], index: int) -> tuple[Statement, ...]:
    """Return what the person asserts at `index`: own words, and the agent's words that these agree with."""
    if utterances[index].speaker is not Speaker.USER:
        return ()
    return read_statements(utterances[index].text) + confirmed_statements(utterances, index)


def _as_asserted(statement: Statement) -> Statement:
    return Statement(
        text=statement.text,
        words=statement.words,
        forms=statement.forms,
        force=Force.ASSERTED,
        is_negated=statement.is_negated,
    )


def _counts(statement: Statement, content: Content) -> bool:
    """Whether saying `statement` can be what `content` reports."""
    if statement.force is Force.ASSERTED:
        return True
    if statement.force is Force.CONDITIONAL:
        return content.is_conditional
    return statement.force is Force.REPORTED and content.is_report


def _best_cover(
    content: Content, parts: Sequence[tuple[Statement, ...]]
) -> tuple[int | None, float, tuple[Statement, ...]]:
    """Return where the person covers `content` best, how much, and by which clauses: one message, or two together."""
    found: list[tuple[float, int, frozenset[str], tuple[Statement, ...]]] = []
    for index, statements in enumerate(parts):
        used = tuple(one for one in statements if not one.words.isdisjoint(content.words) and _counts(one, content))
        if used:
            words = frozenset().union(*(one.words for one in used)) & content.words
            found.append((len(words) / len(content.words), index, words, used))
    if not found:
        return None, 0.0, ()
    share, index, words, used = max(found, key=lambda one: (one[0], one[1]))
    if share < 1.0:
        for _, other_index, other_words, other_used in found:
            joint = len(words | other_words) / len(content.words)
            if joint > share and len(other_words - words) >= 2:
                share, index, used = joint, max(index, other_index), used + other_used
                break
    return index, share, used


def _polarity_agrees(content: Content, used: Sequence[Statement]) -> bool:
    """Whether the clause that carries most of the memory is negated exactly if the memory is."""
    strongest = max(len(one.words & content.words) for one in used)
    carriers = [one for one in used if len(one.words & content.words) == strongest]
    return any(one.is_negated == content.is_negated for one in carriers) or (
        content.is_negated and any(one.is_negated for one in used)
    )


def _best_other(content: Content, utterances: Sequence[Utterance]) -> tuple[int | None, float]:
    """Return the first utterance not the person's that covers `content` best, and its share."""
    best: tuple[int | None, float] = (None, 0.0)
    for index, one in enumerate(utterances):
        if one.speaker is Speaker.USER:
            continue
        words = frozenset().union(*(part.words for part in read_statements(one.text))) if one.text else frozenset()
        share = len(words & content.words) / len(content.words)
        if share > best[1]:
            best = (index, share)
    return best


def _not_the_users(content: Content, utterances: Sequence[Utterance], share: float, why: str) -> Attribution:
    index, _ = _best_other(content, utterances)
    return Attribution(is_user=False, index=index, coverage=round(share, 3), reason=why)


def _quote(text: str, limit: int = 80) -> str:
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= limit else f'"{plain[: limit - 3]}..."'
