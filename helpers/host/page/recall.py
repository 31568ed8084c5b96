"""The page of recalls: the last recalls of a chat with their reasons, and a trial recall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...clock import format_time
from ...recall.plan import RecallLimits, RecallPlan, make_plan
from ...recall.rank import ARCHIVED, NO_EVIDENCE, TOO_LITTLE
from ...recall.selection import INJECTED, explain
from ...service.arguments import AskInWords, Question, ServiceError, ShowRecall
from ...service.rows import MOST_CHARACTERS, Result
from ...settings import Settings
from ...store.embedding import MOST_SECONDS
from ...store.index import Matrix, check_length, no_vectors
from ...store.query_vectors import remember_queries
from .. import agent_zero
from ..recall.search import EVERYBODY, IN_PROMPT, REFUSED, recall
from ..session import Folder
from ..view import common_settings, current_view

_MOST_OF_A_MESSAGE = 2_000
_MOST_IN_A_LIST = 160
_GONE = "This recall is no longer available: only the last ones of a chat are kept, until the next restart."
_AWAY = "The embedding model does not answer, and lexical search is switched off (lexical.enabled: false)."
_CAP, _SOLUTION_CAP = "The maximum number of memories was reached.", "The maximum number of solutions was reached."
_RULES = {
    NO_EVIDENCE: "The noise gate: no memory is likely enough to bear on the message, by its meaning or its words.",
    TOO_LITTLE: "The noise gate: it has too little to do with the message, and the best memory is far better.",
    ARCHIVED: "It is archived, and another memory answers better.",
    REFUSED: "A model in Agent Zero's own recall has left it out.",
    IN_PROMPT: "It is already in the prompt, as a vault record or a standing rule.",
}


def list_recalls(folder: Folder, asked: Question) -> Result:
    """Return the last recalls of the chat that is open, the latest first."""
    return {
        "rows": [
            {"number": number, "agent": recent.agent, **_head(recent.plan, recent.explanation, _MOST_IN_A_LIST)}
            for number, recent in folder.recent.of_chat(asked.context).items()
        ]
    }


def _head(plan: RecallPlan, explanation: Mapping[str, Any], most: int) -> Result:
    return {"query": plan.query[:most], "date": format_time(plan.now), **count_outcomes(explanation)}


def show_recall(folder: Folder, asked: ShowRecall) -> Result:
    """Return one of the last recalls with every candidate. Raises ServiceError where it is not kept any more."""
    recent = folder.recent.of_chat(asked.context).get(asked.number)
    if recent is None:
        raise ServiceError(_GONE)
    return _to_detail(folder, recent.plan, recent.explanation)


def ask_recall(folder: Folder, asked: AskInWords) -> Result:
    """Return what a recall of a message would find now, without counting or changing anything. Blocking: it embeds.

    Settings are the present ones of the open chat; limits and audience are those of its last recall, else those of a
    terminal.
    """
    last = next(iter(folder.recent.of_chat(asked.context).values()), None)
    now, settings = folder.store.clock(), _present_settings(asked.context)
    if last is None:
        limits = RecallLimits(injected=settings.max_injected_memories)
        plan, audience = make_plan(asked.text, settings, now, limits=limits), EVERYBODY
    else:
        old, audience = last.plan, last.audience
        limits = old.limits
        if limits.injected == old.settings.max_injected_memories:  # no profile of a model limits it further
            limits = replace(limits, injected=settings.max_injected_memories)
        plan = make_plan(asked.text, settings, now, limits=limits, domain=old.domain, is_enhanced=old.is_enhanced)
    selection = recall(folder.store, _embed(folder, plan), plan, audience)
    return {**_to_detail(folder, plan, explain(plan, selection)), "as_chat": last is not None}


def _present_settings(chat: str) -> Settings:
    """Return the settings of a chat as they are now, also if they were changed after its last message."""
    agent = next((agent for agent in agent_zero.open_agents() if chat and agent.context.id == chat), None)
    return common_settings() if agent is None else current_view(agent).settings


def _embed(folder: Folder, plan: RecallPlan) -> Matrix:
    """Return the vectors of the plan's variants; none if the model is away and words may decide."""
    db = folder.store.db
    try:
        vectors = remember_queries(db).embed_now([variant.text for variant in plan.variants], seconds=MOST_SECONDS)
        check_length(db, vectors)
    except Exception as exc:
        if not plan.uses_words:
            raise ServiceError(_AWAY) from exc
        return no_vectors(db)
    return vectors


def _to_detail(folder: Folder, plan: RecallPlan, explanation: Mapping[str, Any]) -> Result:
    variants = [
        {"name": variant["name"], "text": variant["text"][:_MOST_OF_A_MESSAGE]}
        for variant in explanation["variants"]
        if variant["text"] != plan.query
    ]
    facts = ("domain", "uses_words", "uses_meaning", "ranking", "threshold", "limit", "solution_limit")
    return {
        **_head(plan, explanation, _MOST_OF_A_MESSAGE),
        "variants": variants,
        **{name: explanation[name] for name in facts},
        "rows": [_to_row(folder, candidate) for candidate in explanation["candidates"]],
    }


def _to_row(folder: Folder, candidate: Mapping[str, Any]) -> Result:
    memory = folder.store.read(candidate["id"])
    text = "" if memory is None else memory.text
    return {
        **candidate,
        "text": text[:MOST_CHARACTERS],
        "is_cut": len(text) > MOST_CHARACTERS,
        "is_gone": memory is None,
        "entered": candidate["outcome"] == INJECTED,
        "rule": rule_of(candidate["outcome"]),
    }


def count_outcomes(explanation: Mapping[str, Any]) -> dict[str, int]:
    """Return how many candidates of a recall entered the prompt, and how many were cut."""
    candidates = explanation["candidates"]
    entered = sum(candidate["outcome"] == INJECTED for candidate in candidates)
    return {"entered": entered, "cut": len(candidates) - entered}


def rule_of(outcome: str) -> str:
    """Return in plain words which rule has cut a candidate; empty for one that entered."""
    if outcome == INJECTED:
        return ""
    return _RULES.get(outcome) or (_SOLUTION_CAP if outcome.endswith("solutions") else _CAP)
