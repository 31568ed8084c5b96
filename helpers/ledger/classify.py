"""Classify a memory: its four axes and its lineage, by rules alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from ..clock import HOST_RESOLUTION
from ..language.modality import is_question
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.vocabulary import read_patterns
from ..records import Classification, Lineage, Memory, Relevance, Source, Teller, Utility, Validity
from ..settings import Settings
from ..texts import regex
from .attribution import Attribution, Earlier, Known, Speaker, Utterance, attribute
from .changes import Classify
from .lifecycle import make_tags

_SAID = read_patterns("utterances")

# A keyword in these surroundings demands nothing.
_BEFORE = (
    r"(?<!\bnot )(?<!\bno )(?<!n't )(?<!\bno longer )(?<!\bnothing )(?<!\bas )(?<!\bnearly )(?<!\balmost )(?<!\bnon-)"
)
_AFTER = r"(?!\s+(?:mind|know|remember|recall|think|care)\b)(?!-)"
_DEMANDS = {"must", "never", "do not"}
_URL = regex(r"\bhttps?://\w|\bwww\.\w", re.IGNORECASE)
_DATE = regex(r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b", re.IGNORECASE)
_TELLERS: dict[Speaker | None, Teller] = {Speaker.AGENT: "agent", Speaker.TOOL: "tool"}
_NO_SIGNAL = "no sign of a constraint or a decision"
# The validity of a new memory by its source.
_DEFAULT_VALIDITY = {
    Source.USER_ASSERTED: Validity.CONFIRMED,
    Source.AGENT_INFERRED: Validity.INFERRED,
    Source.EXTERNAL_RETRIEVED: Validity.INFERRED,
    Source.BOOKSHELF_DOCUMENT: Validity.CONFIRMED,
}


def find_load_signal(text: str, settings: Settings, *, is_user: bool) -> str | None:
    """Return why `text` is load-bearing; None if it is not.

    A keyword counts as a whole word or phrase in a sentence that asks nothing; the form of a declaration
    ("our API is built with ...") counts only in what the user asserted.
    """
    keywords = _keyword_pattern(settings.load_bearing_keywords)
    for sentence in split_sentences(text[:LONGEST_TEXT].replace("\u2019", "'")):
        if is_question(sentence) or _asks(sentence):
            continue
        if keyword := keywords.search(sentence):
            return f'keyword "{keyword.group().lower()}"'
        for pattern in settings.structural_patterns if is_user else ():
            if form := re.search(pattern, sentence, re.IGNORECASE):
                return f'declaration "{form.group()}"'
    return None


def _asks(sentence: str) -> bool:
    """Whether a sentence reports that somebody asks something; two searches take linear time, one pattern would not."""
    asking = _SAID["asking_for"].search(sentence)
    return asking is not None and _SAID["asked"].search(sentence, asking.end()) is not None


@lru_cache(maxsize=16)
def _keyword_pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    if not keywords:
        return re.compile(r"(?!)")
    return re.compile("|".join(_one_keyword(keyword) for keyword in keywords), re.IGNORECASE)


def _one_keyword(keyword: str) -> str:
    phrase = r"\s+".join(re.escape(word) for word in keyword.replace("\u2019", "'").split())
    lowered = keyword.lower()
    if lowered == "do not":
        phrase = rf"(?:{phrase}|don't)"
    plural = "s?" if lowered.endswith(("requirement", "constraint")) else ""
    before = "" if lowered in _DEMANDS else _BEFORE
    return rf"(?<!\w){before}{phrase}{plural}(?!\w){_AFTER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The circumstances in which a memory was written: the role at work and the domain of the task."""

    role_id: str | None = None
    domain: str | None = None


NO_CIRCUMSTANCES = Circumstances()


def classify_memory(
    memory: Memory,
    utterances: Sequence[Utterance],
    settings: Settings,
    *,
    circumstances: Sequence[Circumstances] = (),
    cycle: int = 0,
    trusts_origin: bool = False,
    earlier: Earlier | None = None,
    was_there: bool = False,
    ordered_at: datetime | None = None,
) -> Classify:
    """Return the change that classifies `memory`.

    `utterances` are oldest first; `circumstances` is empty, or has one entry for each of them, of which the last one
    counts for a memory that no utterance explains. `earlier` returns the older memories that it may meet, of which
    nothing need have been said again. `was_there`: it was there before the pack, and so was not said in this
    conversation. With `trusts_origin` an explicit origin is believed; otherwise it may only lower the status of a
    memory. `ordered_at` is its moment in the order of the folder, by default that of its creation.
    """
    known = Known if was_there or earlier is None else earlier
    source, why, attribution = _find_source(memory, utterances, known, trusts_origin=trusts_origin)
    validity = Validity.CONFIRMED if memory.is_knowledge else _DEFAULT_VALIDITY[source]
    validity_why = "knowledge files are trusted" if memory.is_knowledge else f"the default for {source}"
    is_users = source is Source.USER_ASSERTED
    signal = None if memory.is_knowledge else find_load_signal(memory.text, settings, is_user=is_users)
    utility = Utility.TACTICAL if signal is None else Utility.LOAD_BEARING
    no_signal = "knowledge files are reference material" if memory.is_knowledge else _NO_SIGNAL
    place = _elsewhere(attribution, circumstances)
    classification = Classification(
        validity=validity,
        relevance=Relevance.ACTIVE,
        utility=utility,
        source=source,
        tags=make_tags(memory.text, utility=utility, area=memory.area, domain=place.domain, role_id=place.role_id),
    )
    lineage = Lineage(
        created_at=memory.created_at,
        created_by_role=place.role_id,
        bst_domain=place.domain,
        classified_at_cycle=cycle,
        stated_by=_find_teller(memory, source, None if was_there else attribution),
        **_parse_statement(attribution, memory.created_at, ordered_at or memory.created_at),
    )
    return Classify(
        memory_id=memory.id,
        classification=classification,
        lineage=lineage,
        why={"source": why, "validity": validity_why, "utility": signal or no_signal},
        spoken=attribution.spoken if attribution is not None else None,
        rejected=attribution.rejected if attribution is not None else None,
    )


def _parse_statement(attribution: Attribution | None, created_at: datetime, written_at: datetime) -> dict[str, Any]:
    """Return the fields of the lineage that say when it was said, not after it was written, and if as a correction."""
    unsaid = {} if written_at == created_at else {"ordered_at": written_at}
    if attribution is None:
        return unsaid
    since, until = attribution.stated_from, attribution.stated_at
    if since is None or until is None:
        return {**unsaid, "is_correction": attribution.is_correction}
    if since > written_at + HOST_RESOLUTION:
        return unsaid
    if until > written_at + HOST_RESOLUTION:
        until = max(since, written_at)
    is_ahead = until > created_at + HOST_RESOLUTION
    return {
        "stated_at": created_at if is_ahead else until,
        "ordered_at": until if is_ahead else None,
        "stated_from": None if since == until else since,
        "is_correction": attribution.is_correction,
    }


def _find_teller(memory: Memory, source: Source, attribution: Attribution | None) -> Teller | None:
    """Return who is known to have said what the user did not: only such a memory loses to the user's earlier word."""
    if source is Source.USER_ASSERTED:
        return None
    if memory.is_knowledge:
        return "document"
    if memory.is_solution or memory.origin is not None:
        return "agent"
    return _TELLERS.get(attribution.stated_by) if attribution is not None else None


def _find_source(
    memory: Memory, utterances: Sequence[Utterance], earlier: Earlier, *, trusts_origin: bool
) -> tuple[Source, str, Attribution | None]:
    """Return the source, the reason and the attribution, if one was made; the first rule that applies decides."""
    if memory.is_knowledge:
        return Source.EXTERNAL_RETRIEVED, "imported from a knowledge file", None
    if memory.origin is not None and (trusts_origin or memory.origin is not Source.USER_ASSERTED):
        return memory.origin, "given with the memory", None
    attribution = attribute(memory.text, utterances, earlier) if utterances else None
    if memory.is_solution:
        return Source.AGENT_INFERRED, "a solution is the agent's work", attribution
    if attribution is not None and attribution.is_user:
        return Source.USER_ASSERTED, attribution.reason, attribution
    if _URL.search(memory.text):
        return Source.EXTERNAL_RETRIEVED, "contains a URL", attribution
    if _DATE.search(memory.text) and _SAID["comes_from_outside"].search(memory.text):
        return Source.EXTERNAL_RETRIEVED, "contains dated external data", attribution
    reason = "nothing said is known" if attribution is None else attribution.reason
    return Source.AGENT_INFERRED, reason, attribution


def _elsewhere(attribution: Attribution | None, circumstances: Sequence[Circumstances]) -> Circumstances:
    if not circumstances:
        return NO_CIRCUMSTANCES
    if attribution is not None and attribution.index is not None:
        return circumstances[attribution.index]
    return circumstances[-1]
