"""What a person agrees with: "yes", "right", "exactly" right after something that the agent said (C-16, T-03). Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from ..patterns import regex
from .force import OPEN_QUESTION_WORDS, Force
from .passages import Passage, read_passages
from .spoken_values import find_spoken
from .statements import Statement, is_foreign, is_question, read_agreed, split_sentences

# An answer of many sentences that asks nothing: agreeing with it agrees with its end.
_LAST_SENTENCES = 3

# What stands before an agreement: an exclamation, a sign.
_EXCLAIMED = r"[^\w?]*(?:(?:oh|ah|aha|ha(?:ha)*|lol|wow|well|ok|okay|hm+|great|perfect|cool|nice|and)[,!.\s]+)*"
_OPENING = regex(
    rf"{_EXCLAIMED}(?:"
    r"(?:yes|yep|yeah|yup|indeed|that(?:'s|\s+is|\s+sounds)\s+(?:all\s+)?(?:right|correct|true|it|the\s+one)|"
    r"you(?:'re|\s+are)\s+(?:right|correct)|you\s+got\s+it|i\s+(?:can\s+)?confirm)\b(?![.-]\w)|"
    r"(?P<short>right|exactly|correct|absolutely|precisely|confirmed|affirmative|true)\b"
    r"(?=\s*(?:[,!.;:—–]|$|\n|[-(]\s|(?:that|this|it|you|thanks?|indeed|yes)\b)|\s+[^\w\s])(?![.-]\w)|"
    r"(?:ja|genau|richtig|stimmt|oui|exactement|s[íì]|si(?=\s*[,.!])|exacto|correcto|esatto|да|верно|نعم|صحيح|はい|そうです|"
    r"是的|对)(?!\w))",
    re.IGNORECASE,
)
# What takes an agreement back, turns it into an answer to an offer, or makes it depend on something.
_TAKEN_BACK = regex(
    r"\b(?:actually|wait|but|except|however|although|though|instead|rather|wrong|unless|if|or|"
    r"maybe|perhaps|probably|think|guess|suppose|believe|(?:kind|sort)\s+of|partly|mostly|almost|nearly|used\s+to|"
    r"please|go\s+ahead|do\s+(?:it|that|so)|aber|bitte|mais|pero|però|но)\b|でも|違|お願い|但|لكن",
    re.IGNORECASE,
)
_SECOND_THOUGHT = regex(
    r"\W*(?:no|nope|not|actually|wait|but|however|sorry|hm+|well|except|nein|aber|non|mais|pero)\b", re.IGNORECASE
)
_DENIED = regex(r"\W*(?:and\s+)?(?:no|not|nope|never|nicht|nein|pas|non)\b", re.IGNORECASE)
_OFFER = regex(
    r"\b(?:shall|should|can|could|may)\s+(?:i|we)\b|\bwould\s+you\s+(?:want|like|prefer|need|mind)\b|"
    r"\b(?:do|did)\s+you\s+(?:mind|like\s+me|(?:want|need)\s+(?:me|us|to|help|it|this|that|anything|more))\b|"
    r"\b(?:want|need)\s+me\s+to\b|\bhow\s+about\b|\bwhat\s+about\b|\bready\s+(?:to|for)\b|\bok(?:ay)?\s+(?:to|if)\b|"
    r"\banything\s+else\b|\bdoes\s+that\s+(?:help|work)\b|\bis\s+there\s+anything\b|\bsoll(?:en)?\s+(?:ich|wir)\b",
    re.IGNORECASE,
)
# An offer that asks nothing.
_PROPOSAL = regex(
    r"\W*(?:then\s+)?(?:i|we|you)(?:'d|\s+(?:could|can|would|might))\b|\W*(?:how\s+about|let's|i\s+suggest)\b", re.I
)
_POINTING = regex(r"\b(?:it|that|this|so)\b", re.IGNORECASE)
_TAKES_UP = (
    r"yes|yep|yeah|exactly|perfect|deal|agreed|👍|✅|please\s+do|do\s+(?:it|that|so)|go\s+(?:ahead|for\s+it|with\s+that)|"
    r"sounds\s+good|make\s+it\s+so|(?:i\s+)?(?:love|like)\s+(?:it|that)|that\s+works|works\s+for\s+(?:me|us)|"
    r"that's\s+(?:it|the\s+\w+)|let's\s+do\s+(?:it|that)|perfekt|genau\s+so|parfait|perfecto|perfetto"
)
# What takes up a proposal that asked nothing; "ok" only hears it.
_TAKEN_UP = regex(rf"{_EXCLAIMED}(?:{_TAKES_UP})(?!\w)", re.IGNORECASE)
# How a person takes up an offer, and what makes it none.
_ACCEPTANCE = regex(
    rf"{_EXCLAIMED}(?:{_TAKES_UP}|yup|sure|absolutely|definitely|ok|okay|please|confirm[ao]|isso|combinado|einverstanden|"
    r"ja|gerne|klar|mach\s+(?:das|mal|es)|oui|d'accord|vas-y|volontiers|s[íì]|si|claro|dale|vale|"
    r"quero|sim|va\s+bene|certo|volentieri|graag|evet|tamam|gärna|tak)(?!\w)",
    re.IGNORECASE,
)
_REFUSAL = regex(
    r"\b(?:no|not|nope|don't|maybe|perhaps|but|later|rather|instead|unless|if|wait|think\s+about|let\s+me|nein|nicht|aber|non|"
    r"pas|mais|pero|però|não|mas)\b|\?",
    re.IGNORECASE,
)
_DOUBT = regex(r"\b(?:not\s+sure|unsure|(?:don't|do\s+not)\s+know|no\s+idea|can't\s+tell|doubt)\b", re.IGNORECASE)
_OPEN_QUESTION = regex(rf"\W*(?:and\s+|so\s+)?(?:{OPEN_QUESTION_WORDS})\b", re.IGNORECASE)
_TAG_QUESTION = regex(
    r"\s*(?:is|was)\s+(?:that|this|it)\s+(?:so|right|correct|true|accurate)\W*$|\s*(?:right|correct|yes)\s*\?\W*$|"
    r"\s*did\s+i\s+(?:get|understand)\b.*$|\s*am\s+i\s+(?:right|correct)\W*$",
    re.IGNORECASE,
)


def confirms(text: str) -> bool:
    """Whether a person's message opens by agreeing with what was said just before, without taking it back (C-16)."""
    return _opening(text.replace("\u2019", "'")) is not None


def _opening(text: str) -> re.Match[str] | None:
    opening = _OPENING.match(text)
    if opening is None:
        return None
    first, second = [*split_sentences(text), "", ""][:2]
    rest = first[opening.end() :]
    if is_question(first) or _DENIED.match(rest) or _TAKEN_BACK.search(rest) or _SECOND_THOUGHT.match(second):
        return None
    return opening


@lru_cache(maxsize=2_048)
def agreed_statements(said: str, answer: str) -> tuple[Statement, ...]:
    """Return what of the agent's message `said` the person's `answer` to it agrees with."""
    return tuple(one for sentence in _agreed_sentences(said, answer) for one in read_agreed(sentence))


def _agreed_sentences(said: str, answer: str) -> list[str]:
    answer = answer.replace("\u2019", "'")
    opening = _opening(answer)
    if opening is None:
        return []
    sentences = _confirmable(split_sentences(said), is_plain=opening["short"] is None)
    agreed = tuple(one for sentence in sentences for one in read_agreed(sentence))
    return sentences if _repeats(answer, opening, agreed) else []


def _confirmable(sentences: list[str], *, is_plain: bool) -> list[str]:
    """Return the sentences that agreement can mean; a plain "yes" to "is it not ...?" may mean either."""
    sentences = [one for one in sentences if not _DOUBT.search(one)]
    if not sentences:
        return []
    last = sentences[-1]
    if not is_question(last):
        return [one for one in sentences[-_LAST_SENTENCES:] if not is_question(one)]
    if _TAG_QUESTION.match(last):
        return [one for one in sentences[:-1] if not is_question(one)]
    if _OFFER.search(last) or _OPEN_QUESTION.match(last):
        return []
    is_denial = any(one.clause.is_negated for one in read_agreed(last)[:1])
    return [] if is_denial and is_plain else [last]


def _repeats(answer: str, opening: re.Match[str], agreed: tuple[Statement, ...]) -> bool:
    """Whether the words after the opening fit what is agreed with: no other number, and "right, ..." names it again."""
    rest = split_sentences(answer)[0][opening.end() :]
    added = [one for sentence in split_sentences(rest) for one in read_agreed(sentence)]
    if any(one.clause.is_negated for one in added) and not any(one.clause.is_negated for one in agreed):
        return False
    numbers = _numbers(agreed)
    if numbers and (said := _numbers(added)) and said.isdisjoint(numbers):
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
        one._replace(force=Force.ASSERTED, about=_told_person(one.about), subject=frozenset(), points=True)
        for sentence in _agreed_sentences(said, answer)
        if any(one.force in (Force.ASSERTED, Force.WISHED) for one in read_agreed(sentence))
        for one in read_passages(sentence)
    )
    return agreed or _ordered(said, answer)


def accepts_offer(text: str) -> bool:
    """Whether a person's message opens by taking up what was offered."""
    return _ACCEPTANCE.match(text) is not None


def _ordered(said: str, answer: str) -> tuple[Passage, ...]:
    answer = answer.replace("\u2019", "'")
    acceptance = _ACCEPTANCE.match(answer)
    is_taken_up = _TAKEN_UP.match(answer) is not None
    offer = _find_offer(split_sentences(said.replace("\u2019", "'")), is_taken_up=is_taken_up)
    if acceptance is None or not offer:
        return ()
    rest = answer[acceptance.end() :]
    if _REFUSAL.search(answer) or any(
        one.is_rival(other) and not one.is_same(other) for one in find_spoken(offer) for other in find_spoken(rest)
    ):
        return ()
    return tuple(
        one._replace(force=Force.WISHED, about="", subject=frozenset(), points=True, is_order=True)
        for one in read_passages(offer)
    )


def _find_offer(sentences: list[str], *, is_taken_up: bool) -> str:
    """Return what the agent offers at the end of what it says, or just before, if the end points to that."""
    last, before = [*reversed(sentences), "", ""][:2]
    is_asked = last.endswith("?") and not _OPEN_QUESTION.match(last)
    if is_asked and _POINTING.search(last) and _PROPOSAL.match(before):
        return before
    is_offer = is_asked and (_OFFER.search(last) is not None or is_foreign(last))
    return last if is_offer or (is_taken_up and _PROPOSAL.match(last)) else ""


def _told_person(about: str) -> str:
    return "" if about in ("you", "your") else about


def _numbers(statements: tuple[Statement, ...] | list[Statement]) -> frozenset[str]:
    return frozenset(
        value.form for one in statements for part in one.clause.parts for value in part.values if value.is_number
    )
