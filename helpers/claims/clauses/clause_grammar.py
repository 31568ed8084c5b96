"""Read one clause: the first of `_READERS` that understands it answers, and all that read it in any order."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from ...language.lexicon import ASK_LEMMAS, POSSESSIVES, PREPOSITIONS, REPORT_LEMMAS, THINK_LEMMAS
from ...language.segment import PLURALS_TOO, is_finite
from ...language.tables import read_classes
from ...language.token import low_at
from ..grammar.subjects import OWNING, PEOPLE, USER, Subject, parse_attribute, parse_subject
from ..grammar.verb_groups import VerbGroup, parse_verb_group
from ..model import Claim, Modality
from ..slots.rows import TABLE, Slot
from .endings import parse_denial, parse_endings, parse_says
from .free_order import parse_free
from .open_values import parse_frame, parse_having, parse_open_place, parse_open_value, parse_use
from .phrased import parse_phrased
from .predicates import Predicate, Tokens, parse_rows, parse_slot_value, verb_keys
from .states import parse_states

_WORDS: Final = read_classes(__file__)
#: Participles before a place: "the head office is located in Oslo".
_LOCATED: Final = frozenset(("located", "based", "situated"))
_IN_ANY_ORDER: Final[tuple[Callable[[Predicate], list[Claim]], ...]] = (
    parse_states,
    parse_free,
    parse_denial,
    parse_endings,
    parse_says,
    parse_open_value,
    parse_open_place,
    parse_having,
    parse_use,
    parse_phrased,
)
REPORTING: Final = REPORT_LEMMAS | THINK_LEMMAS | ASK_LEMMAS
_NOUN_LINKS: Final = OWNING | {"from", "to", "with"}


def _parse_attribute(clause: Predicate) -> list[Claim]:
    """Read "The API's port is 8443"."""
    is_set = clause.group.lemma == "set" and clause.group.passive and low_at(clause.rest, 0) == "to"
    if clause.group.lemma != "be" and not is_set:
        return []
    attribute = parse_attribute(clause.subject, me=clause.frame.me)
    if attribute is None:
        return []
    first, second = low_at(clause.rest, 0), low_at(clause.rest, 1)
    index = 2 if (first, second) == ("set", "to") or (first in _LOCATED and second == "in") else 0
    index = index or int(is_set) or int(first == "in" and attribute.slot == "headquarters")
    return parse_rows(clause, attribute.subject, attribute.rows, index, name=attribute.slot, change=attribute.updated)


def _parse_verb_slot(clause: Predicate) -> list[Claim]:
    """Read "The API runs on port 8443", "User lives in Denver"."""
    subject = parse_subject(clause.subject, me=clause.frame.me)
    if subject is None:
        return []
    for key, count in verb_keys(clause):
        rows = (row for row in TABLE.verbs.get(key, ()) if _may_fill(row, clause.subject, subject))
        claims = parse_rows(clause, subject, rows, count, change=clause.group.ended)
        if claims:
            return claims
    return []


def _may_fill(row: Slot, tokens: Tokens, subject: Subject) -> bool:
    """Whether a verb may fill the slot of a row for a subject: of a person it may say only where they are now."""
    if (row.thing and _is_mover(tokens)) or (row.each and subject.is_kind):
        return False
    return not row.named or _is_named(tokens)


def _is_mover(tokens: Tokens) -> bool:
    """Whether a subject may be here today and there tomorrow: a person, or a name that may be one."""
    lows = [token.low.removesuffix("'s") for token in tokens]
    is_definite = lows[0] in ("the", "my", "our") or tokens[0].low.endswith("'s")
    return not is_definite or lows[-1] in {USER, *PEOPLE}


def _is_named(tokens: Tokens) -> bool:
    """Whether a subject is called by a name or a title ("The Witcher"), and not described ("the API", "my module")."""
    has_article = tokens[0].low == "the"
    words = [token.text for token in tokens[has_article:] if token.low not in PREPOSITIONS]
    if not words or tokens[0].low in POSSESSIVES or (has_article and words[-1].isupper()):
        return False
    return all(any(letter.isupper() or letter.isdigit() for letter in word) for word in (words[0], words[-1]))


def _parse_typed(clause: Predicate) -> list[Claim]:
    """Read "Ann is affiliated with the religion of Islam" like "Ann's religion is Islam"."""
    if clause.group.lemma not in _WORDS["typing_lemmas"]:
        return []
    index = 0
    while low_at(clause.rest, index) in _WORDS["typing_words"]:
        index += 1
    subject = parse_subject(clause.subject, me=clause.frame.me)
    if subject is None or low_at(clause.rest, index) != "the" or low_at(clause.rest, index + 2) != "of":
        return []
    rows = (row for row in TABLE.nouns.get(low_at(clause.rest, index + 1), ()) if row.typed)
    return parse_rows(clause, subject, rows, index + 3)


def _parse_bare_age(clause: Predicate) -> list[Claim]:
    """Read "Alice is 30": a whole number and nothing else, said of a person's name."""
    if clause.group.lemma != "be" or len(clause.rest) != 1 or not clause.rest[0].low.isdecimal():
        return []
    subject = parse_subject(clause.subject, me=clause.frame.me)
    if subject is None or not (subject.is_name or subject.text == clause.frame.me):
        return []
    return parse_slot_value(clause, subject, "age", Slot(name="age", reads=("age",)), 0)


def _parse_holding(clause: Predicate) -> list[Claim]:
    """Read "X has port 8443", "X has a new URL: ...", "my new extension is ..." said with "have" or "get"."""
    is_got = clause.group.lemma in ("get", "receive") and clause.is_done
    subject = parse_subject(clause.subject, me=clause.frame.me) if clause.group.lemma == "have" or is_got else None
    if clause.denied or subject is None or subject.is_kind:
        return []
    begin = int(low_at(clause.rest, 0) in ("a", "an", "the"))
    is_new = low_at(clause.rest, begin) == "new"
    begin += is_new
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in clause.rest[begin : begin + count])
        value = begin + count
        while low_at(clause.rest, value) in (":", "of", "=", ","):
            value += 1
        for row in TABLE.nouns.get(noun, ()) if begin + count < len(clause.rest) else ():
            is_counted = row.reads == ("number",) and value == begin + count
            owner = subject if row.person or subject.text != USER else Subject("", subject.scope)
            name = row.name.replace("*", noun)
            claims = [] if is_counted else parse_rows(clause, owner, (row,), value, name=name, change=is_new)
            if claims:
                return claims
    return []


def _parse_setting(clause: Predicate) -> list[Claim]:
    """Read "NODE_ENV is production" like "NODE_ENV is set to production"."""
    is_identifier = bool(clause.subject) and "_" in clause.subject[-1].text and clause.subject[-1].text[0].isalpha()
    is_pointing = clause.group.lemma == "point" and low_at(clause.rest, 0) == "to"
    if clause.denied or not is_identifier or not (is_pointing or clause.group.lemma in ("be", "equal")):
        return []
    subject = parse_subject(clause.subject, me=clause.frame.me)
    return parse_rows(clause, subject, TABLE.verbs.get("be set to", ()), int(is_pointing)) if subject else []


_READERS: Final[tuple[Callable[[Predicate], list[Claim]], ...]] = (
    _parse_attribute,
    parse_frame,
    _parse_verb_slot,
    _parse_typed,
    _parse_bare_age,
    _parse_setting,
    _parse_holding,
)


def parse_predicate(clause: Predicate) -> list[Claim]:
    """Return the claims of the first slot reader that understands a clause, and of all that read it in any order."""
    slots = next((claims for reader in _READERS if (claims := reader(clause))), [])
    return [*slots, *(claim for reader in _IN_ANY_ORDER for claim in reader(clause))]


def is_reporting(group: VerbGroup, rest: Tokens) -> bool:
    """Whether the verb introduces what somebody says, thinks or asks; "reports to Ann" does not."""
    if group.lemma in _WORDS["also_doing"] and not any(
        is_finite(rest, i) for i in range(len(rest)) if not _is_object(rest, i)
    ):
        return low_at(rest, 0) == "that"  # "points to a path", "writes its logs to a file"
    return group.lemma in REPORTING


def _is_object(rest: Tokens, index: int) -> bool:
    """Whether a form stands as a plural noun behind its verb: "writes the release notes"."""
    after = low_at(rest, index + 1)
    return bool(index) and rest[index].low in PLURALS_TOO and (not after or after in _NOUN_LINKS)


def reports_speech(group: VerbGroup, rest: Tokens) -> bool:
    """Whether the clause only introduces what somebody said, thinks or asks."""
    if not is_reporting(group, rest):
        return False
    return any(is_finite(rest, index) for index in range(len(rest)))


def reported_modality(group: VerbGroup, subject: Subject | None, me: str) -> Modality:
    """Return the modality of what is reported: a fact only if the user states it."""
    if group.lemma in ASK_LEMMAS:
        return Modality.QUESTION
    if subject is None or subject.text != me:
        return Modality.QUOTATION
    if group.lemma in THINK_LEMMAS or group.negated:
        return Modality.ESTIMATE
    return Modality.FACT


@lru_cache(maxsize=8)
def parse_group(tokens: Tokens) -> VerbGroup | None:
    """Return the verb group of the first finite verb, or None."""
    begin = int(len(tokens) > 2 and tokens[0].low in PLURALS_TOO and is_finite(tokens, 1))
    for index in range(begin, len(tokens)):
        if is_finite(tokens, index):
            return parse_verb_group(tokens, index)
    return None
