"""The write gate: its eight steps in order, and the message of a rejection.

Pure. No message repeats a secret that the privacy guard found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Any

from ..errors import shorten
from ..ledger.authority import Act, Actor, Verdict, Whose, judge
from ..privacy import scan
from .record import VaultContents, VaultRecord
from .similarity import near_duplicates
from .taxonomy import MAX_TEXT_LENGTH, STORED_TIERS, Origin, Tier

#: The names of the steps by their numbers.
STEPS = {
    1: "journal noise",
    2: "tier log",
    3: "length",
    4: "fields",
    5: "privacy",
    6: "register upsert",
    7: "duplicate",
    8: "capacity",
}

PRIVACY_STEP = 5

_MOST_TAGS = 20
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """The step of the gate that rejected a text, the reason, and the advice."""

    step: int
    why: str
    advice: str

    @property
    def gate(self) -> str:
        """The name of the step."""
        return STEPS[self.step]

    def __str__(self) -> str:
        return f"rejected at step {self.step} ({self.gate}): {self.why}. {self.advice}"

    def to_row(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"step": self.step, "gate": self.gate, "why": self.why, "advice": self.advice}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text to store with its fields; nothing of it is checked yet, and it may be of any type."""

    text: Any
    scope: Any
    category: Any
    tier: Any = Tier.CANON
    topic_id: Any = None
    tags: Any = None
    source: Any = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The measures of the gate: the valid scopes, the signals of noise, and the maximum of active records."""

    scopes: frozenset[str]
    signals: tuple[str, ...]
    most_active: int


def check_draft(draft: Draft, rules: Rules) -> Rejection | None:
    """Return the rejection of a draft by the steps 1 to 5, which look at the draft alone; None if it passes."""
    faults = _faults(draft, rules)
    return next((Rejection(step=step, why=why, advice=advice) for step, why, advice in faults), None)


def _faults(draft: Draft, rules: Rules) -> Iterator[tuple[int, str, str]]:
    """Yield the step, the reason and the advice of each rejection of a draft by itself, in the order of the steps."""
    text = draft.text
    signal = find_signal(text, rules.signals) if isinstance(text, str) else None
    if signal is not None:
        advice = "Do not store what is true for a moment only; if it is lasting, say it in other words"
        yield 1, f'the text holds "{signal}", which belongs into a journal', advice
    if isinstance(draft.tier, str) and draft.tier.strip().lower() == Tier.LOG:
        advice = "Store what lasts as canon, or the state of a topic as register; leave the rest out"
        yield 2, "tier log is never stored", advice
    advice = f"Compress it, or split it into texts of 1 to {MAX_TEXT_LENGTH} characters"
    if not isinstance(text, str):
        yield 3, f"the text is {type(text).__name__}", advice
    elif not text.strip() or len(text) > MAX_TEXT_LENGTH:
        yield 3, f"the text has {len(text)} characters" if text.strip() else "the text is empty", advice
    for why, allowed in _wrong_fields(draft, rules):
        yield 4, why, f"Allowed: {allowed}"
    secret = find_secret(draft)
    if secret is not None:
        yield PRIVACY_STEP, secret, "Leave the secret out, and store where it is kept instead"


def find_upsert(draft: Draft, contents: VaultContents) -> VaultRecord | None:
    """Return the register that step 6 updates instead of adding a record."""
    if draft.tier != Tier.REGISTER or draft.topic_id is None:
        return None
    return contents.find_topic(draft.topic_id, draft.scope)


def check_place(draft: Draft, contents: VaultContents, rules: Rules) -> Rejection | None:
    """Return the rejection of a new record by the steps 7 and 8; None if it passes."""
    return _check_duplicate(draft, contents) or _check_capacity(contents, rules)


def check_rewrite(draft: Draft, known: VaultRecord, contents: VaultContents, rules: Rules) -> Rejection | None:
    """Return the rejection of a record's next version by the steps 6 to 8; None if it passes.

    A deleted record that comes back takes a place, and may find its topic taken.
    """
    register = find_upsert(draft, contents)
    if register is not None and register.id != known.id:
        why = f"{register.id} is the register of {show_name(draft.topic_id)} in scope {draft.scope}"
        return Rejection(step=6, why=why, advice=f"Update {register.id} instead, or delete it first")
    rejection = _check_duplicate(draft, contents, known)
    return rejection if rejection is not None or known.is_active else _check_capacity(contents, rules)


def _check_duplicate(draft: Draft, contents: VaultContents, known: VaultRecord | None = None) -> Rejection | None:
    """Return the rejection of a draft by step 7; a record is no duplicate of itself."""
    records = [record for record in contents.in_scopes((draft.scope,)) if known is None or record.id != known.id]
    twin = next(compress(records, near_duplicates(draft.text, [record.text for record in records])), None)
    if twin is None:
        return None
    why = f"{twin.id} says nearly the same in scope {draft.scope}: {show_name(twin.text)}"
    return Rejection(step=7, why=why, advice=f"Update {twin.id} instead, or say only what is new")


def find_owner(record: VaultRecord, actor: Actor, act: Act) -> str | None:
    """Return the rejection of a change by somebody who does not own the record; None if the change is allowed."""
    if judge(actor, act, record.whose) is Verdict.ALLOWED:
        return None
    is_users = record.whose is Whose.USERS_RECORD
    why = "holds what the user said" if is_users else "was entered by a person"
    words = ", or says in the chat what holds now" if is_users and act is Act.CHANGE else ""
    return (
        f"record {record.id} {why}, so only the user may {act.value} it; nothing was done. Tell the user, who does it "
        f"on the page Vault or with memory-ledger vault{words}."
    )


def show_name(value: object) -> str:
    """Return the text of a scope, tier, source or text; never a secret that stands there by mistake."""
    if isinstance(value, str) and scan(value):
        return "a secret"
    return shorten(value)


def find_signal(text: str, signals: tuple[str, ...]) -> str | None:
    """Return the first journal-only signal in a text, as whole words in any case; None without one."""
    if not signals:
        return None
    match = _signal_pattern(signals).search(text)
    return None if match is None else " ".join(match[0].lower().split())


@lru_cache(maxsize=16)
def _signal_pattern(signals: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(r"\s+".join(map(re.escape, signal.split())) for signal in signals)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _wrong_fields(draft: Draft, rules: Rules) -> Iterable[tuple[str, str]]:
    if not isinstance(draft.scope, str) or draft.scope not in rules.scopes:
        yield f"scope is {show_name(draft.scope)}", f"{', '.join(sorted(rules.scopes))}"
    if not isinstance(draft.tier, str) or draft.tier not in STORED_TIERS:
        yield f"tier is {show_name(draft.tier)}", ", ".join(STORED_TIERS)
    if draft.source is not None and not (isinstance(draft.source, str) and draft.source in set(Origin)):
        yield f"source is {show_name(draft.source)}", f"{', '.join(Origin)}, or none"
    for name, value, may_be_none in (("category", draft.category, False), ("topic_id", draft.topic_id, True)):
        is_name = isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_NAME
        if not is_name and not (may_be_none and value is None):
            yield f"{name} is {show_name(value)}", f"a text of 1 to {_LONGEST_NAME} characters"
    tags = draft.tags
    if tags is not None and not (
        isinstance(tags, list | tuple)
        and len(tags) <= _MOST_TAGS
        and all(isinstance(tag, str) and 0 < len(tag) <= _LONGEST_NAME for tag in tags)
    ):
        yield "tags are not a list of short texts", f"at most {_MOST_TAGS} texts of 1 to {_LONGEST_NAME} characters"


def find_secret(record: Draft | VaultRecord) -> str | None:
    """Return what the guard finds in a draft, or in a line that was written by hand; None if nothing."""
    tags = ((f"tag {number}", tag) for number, tag in enumerate(record.tags or (), 1))
    fields = (("text", record.text), ("category", record.category), ("topic_id", record.topic_id), *tags)
    for name, value in fields:
        if findings := scan(value) if value else ():
            places = ", ".join(f"{found.type} (characters {found.start} to {found.end})" for found in findings)
            return f"the {name} holds {places}"
    return None


def _check_capacity(contents: VaultContents, rules: Rules) -> Rejection | None:
    count = len(contents.active)
    if count < rules.most_active:
        return None
    return Rejection(
        step=8,
        why=f"the vault holds {count} active records of {rules.most_active}",
        advice="Merge what consolidation proposes, or delete a record that is not needed any more",
    )
