"""Read who does what: "releases are approved by Ann", "the approver of releases is Ann" (C-40, C-41, C-43).

Of what is done by somebody in the passive, of somebody's office, and of what lies in somebody's hands there is one at
a time; two who are each only said to do something may both do it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from ...language.lexicon import ADDITIVE, CALENDAR, CONJUNCTIONS, INDEFINITE, NEUTRAL, PERIODS, PREPOSITIONS, PRONOUNS
from ...language.terms import terms
from ...language.token import Token
from ...language.tools import tools
from ...language.verbs import forms
from ..grammar.subjects import USER, read_subject
from ..grammar.topics import join_topic, stem
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..values.numbers import low_at
from ..values.readers import read_value
from .endings import lasts
from .predicates import Predicate, Tokens

#: What is done, by its verb, by who does it, and by its noun.
_ACTIVITIES: Final[dict[str, str]] = {
    word: activity
    for activity, words in {
        "review": "review reviewer reviewing",
        "approve": "approve approver approval sign-off signoff",
        "maintain": "maintain maintainer maintenance upkeep",
        "moderate": "moderate moderator moderation facilitate facilitator facilitation",
        "audit": "audit auditor auditing",
        "translate": "translate translator translation localise localisation",
        "triage": "triage triaging",
        "administer": "administer administrator admin administration",
        "coordinate": "coordinate coordinator coordination",
        "deploy": "deploy deployment deployer",
        "release": "release",
        "test": "test tester testing qa",
        "write": "write writer author",
        "design": "design designer",
        "edit": "edit editor editing",
        "organise": "organise organize organiser organizer organisation",
        "supervise": "supervise supervisor supervision oversee",
        "curate": "curate curator curation",
        "handle": "handle handling handler",
        "monitor": "monitor monitoring",
        "chair": "chair chairman chairwoman chairperson",
        "document": "document documentation",
        "host": "host hosting",
        "onboard": "onboard onboarding",
        "recruit": "recruit recruiter recruiting recruitment hiring",
        "proofread": "proofread proofreader proofreading",
        "schedule": "schedule scheduler scheduling",
        "publish": "publish publisher publication",
        "invoice": "invoice invoicing",
        "budget": "budgeting",
        "plan": "plan planner planning",
        "train": "train trainer training",
        "clean": "clean cleaner cleaning",
        "answer": "answer answering",
        "check": "check checker checking",
        "verify": "verify verifier verification",
        "on-call": "on-call",
    }.items()
    for word in words.split()
}
#: Who holds an office, and no other noun for what is done.
_AGENTS: Final = frozenset(
    "reviewer approver maintainer moderator facilitator auditor translator administrator admin coordinator deployer"
    " tester author writer designer editor organiser organizer supervisor curator handler recruiter proofreader planner"
    " trainer cleaner verifier checker".split()
)
_NOUNS: Final = frozenset(
    "review approval sign-off signoff maintenance upkeep moderation facilitation audit translation localisation triage"
    " administration coordination deployment testing qa supervision curation handling monitoring documentation support"
    " hosting onboarding recruiting recruitment hiring proofreading scheduling publication invoicing budgeting planning"
    " training cleaning release design editing organisation verification deployments releases reviews approvals audits"
    " translations".split()
)
#: Verbs by which somebody does what a noun says.
_DOING: Final = frozenset("do run handle manage perform conduct carry".split())
_RECEIVED: Final = frozenset(
    stem(word)
    for word in (
        "bug issue incident vulnerability question complaint request ticket mail email e-mail escalation invoice alert"
        " report inquiry enquiry application feedback outage problem finding query claim receipt order bill call"
    ).split()
)
#: What is given so comes to one only.
_PASSED: Final = frozenset("reported escalated routed addressed directed".split())
_RESTING: Final = frozenset("be lie rest sit".split())
_PERSONS: Final = frozenset("person one engineer developer colleague firm company team member contact guy".split())
#: Without one of these nobody is told by the office.
_WORDS_OF_OFFICES: Final = _AGENTS | _PERSONS | {"on"}
_TEAMS: Final = frozenset("team guild squad crew".split())
_DEFINITE: Final = frozenset("the our my their".split())
_MAX_BEFORE: Final = 4
_BLOCKING: Final = (
    (CONJUNCTIONS | ADDITIVE | INDEFINITE | PRONOUNS | frozenset(CALENDAR) | frozenset(PERIODS))
    - {"one", "who", "that", "her", "his", "their", "its", "i", "we", "our", "my", "every", "each", "all", "a", "an"}
) | frozenset(
    "not no never only both usually mostly often sometimes partly together with without during until while if when"
    " once former old new next last this interim acting temporarily help helps besides except deputy second".split()
)
_MAX_WORDS: Final = 12


class _Told(NamedTuple):
    """Who does what of what; `active`: others may as well."""

    who: Tokens
    activity: str
    words: Tokens
    active: bool = False


def read_doers(at: Predicate) -> list[Claim]:
    """The one claim of a clause that says who does something; none of any other."""
    group, frame = at.group, at.frame
    if group.negated or group.modality is not Modality.FACT or frame.additive or not at.subject:
        return []
    if (group.is_past and not group.perfect) or frame.time.tense is not Tense.NOW or len(at.tokens) > _MAX_WORDS * 2:
        return []
    told = _passive(at) or _received(at) or _resting(at) or _office(at) or _active(at)
    if told is None or not lasts(at.tokens):
        return []
    if any(left.start > right.start for left, right in pairwise(at.tokens)):
        return []  # turned from "the person who wrote it", which tells what happened
    return _claim(at, told)


def _passive(at: Predicate) -> _Told | None:
    """Read "releases are approved by Ann", "the audit is carried out by Ann"."""
    mark = next((i for i, token in enumerate(at.rest) if token.low == "by"), 0)
    if not 0 < mark <= _MAX_BEFORE:
        return None
    who = _plain_end(at.rest[mark + 1 :])
    if not who:
        return None
    first = at.rest[mark - 1]
    verb = at.rest[mark - 2] if first.low in ("out", "off", "after") and mark > 1 else first
    lemma, letters = forms().get(verb.low, (stem(verb.low), "n" if verb.low.endswith("ed") else ""))
    if "n" not in letters or any(t.low not in ("to", "be", "get") for t in at.rest[: mark - 1] if t is not verb):
        return None
    if lemma == "sign" and first.low == "off":
        return _Told(who, "approve", at.subject)
    if lemma in _DOING:
        named = _of_noun(at.subject, _NOUNS)
        if named:
            return _Told(who, *named)
    activity = _ACTIVITIES.get(lemma, "")
    return _Told(who, activity, at.subject) if activity else None


def _received(at: Predicate) -> _Told | None:
    """Read "incidents are reported to Ann", "incidents go to Ann", "tickets land with Team Oak"."""
    mark = next((i for i, token in enumerate(at.rest) if token.low in ("to", "with") and i + 1 < len(at.rest)), -1)
    if mark < 0 or (at.rest[mark].low == "with") is not (at.group.lemma == "land"):
        return None
    is_going = mark == 0 and at.group.lemma in ("go", "land")
    is_passed = mark > 0 and at.rest[mark - 1].low in _PASSED and len(at.subject) > 0
    if not (is_going or is_passed) or not any(stem(token.low) in _RECEIVED for token in at.subject):
        return None
    who = _plain_end(at.rest[mark + 1 :])
    if not who:
        return None
    if any(token.low not in ("to", "be") for token in at.rest[: max(mark - 1, 0)]):
        return None
    return _Told(who, "receive", at.subject)


def _resting(at: Predicate) -> _Told | None:
    """Read "approval of releases lies with Ann", "triage is in Ann's hands"."""
    named = _of_noun(at.subject, _NOUNS) if at.group.lemma in _RESTING else None
    if not named:
        return None
    if low_at(at.rest, 0) == "with":
        return _Told(_plain_end(at.rest[1:]), *named)
    if low_at(at.rest, 0) == "in" and at.rest[-1].low in ("hands", "hand"):
        owner = at.rest[1:-1]
        if owner and owner[-1].low.endswith("'s"):
            return _Told((*owner[:-1], _bare(owner[-1])), *named)
    return None


def _office(at: Predicate) -> _Told | None:
    """Read "the approver of releases is Ann", "Ann is our approver", "the person approving releases is Ann"."""
    if at.group.lemma != "be" or _WORDS_OF_OFFICES.isdisjoint([token.low for token in (*at.subject, *at.rest)]):
        return None
    rest = tuple(token for token in at.rest if token.low not in NEUTRAL)
    for holder, who in ((at.subject, rest), (rest, at.subject)):
        if not _is_who(who):
            continue
        if [token.low for token in holder[:2]] == ["on", "call"]:
            return _Told(who, "on-call", holder[2:])
        if holder[:1] and holder[0].low in ("a", "an"):
            return None
        told = _of_noun(holder, _AGENTS) or _of_person(holder)
        if told:
            return _Told(who, *told)
    return None


def _of_person(holder: Tokens) -> tuple[str, Tokens] | None:
    """Read "the person approving releases", "the one who approves releases", "the on-call engineer for billing"."""
    head = next((i for i, token in enumerate(holder) if token.low in _PERSONS), -1)
    if head < 1:
        return None
    if any(token.low == "on-call" for token in holder[:head]):
        return "on-call", tuple(t for i, t in enumerate(holder) if i != head and t.low != "on-call")
    if holder[head - 1].low not in _DEFINITE:
        return None
    verb = head + 1 + (low_at(holder, head + 1) in ("who", "that"))
    low = low_at(holder, verb)
    if not low.endswith("ing" if verb == head + 1 else "s"):
        return None
    lemma = forms().get(low, (stem(low), ""))[0]
    if lemma in _DOING:
        return _of_noun(holder[verb + 1 :], _NOUNS)
    activity = _ACTIVITIES.get(lemma, "")
    return (activity, holder[verb + 1 :]) if activity else None


def _active(at: Predicate) -> _Told | None:
    """Read "Ann approves the releases", "Ann does the testing of the app"."""
    is_deed = at.group.lemma == "sign" or at.group.lemma in _DOING or at.group.lemma in _ACTIVITIES
    if not is_deed or not at.rest or not _is_who(at.subject):
        return None
    who = at.subject
    if at.group.lemma == "sign" and low_at(at.rest, 0) == "off":
        return _Told(who, "approve", at.rest[1:], active=True)
    if at.group.lemma in _DOING:
        named = _of_noun(at.rest[low_at(at.rest, 0) == "out" :], _NOUNS)
        if named:
            return _Told(who, *named, active=True)
    activity = _ACTIVITIES.get(at.group.lemma, "")
    return _Told(who, activity, at.rest, active=True) if activity else None


def _of_noun(phrase: Tokens, nouns: frozenset[str]) -> tuple[str, Tokens] | None:
    """What the head of a noun phrase says is done, and the other words of the phrase."""
    end = next((i for i, token in enumerate(phrase) if token.low in PREPOSITIONS), len(phrase))
    if not end or phrase[end - 1].low not in nouns:
        return None
    low = phrase[end - 1].low
    activity = _ACTIVITIES.get(low) or _ACTIVITIES.get(stem(low)) or _ACTIVITIES.get(low.removesuffix("s"), "")
    return (activity, (*phrase[: end - 1], *phrase[end:])) if activity else None


def _plain_end(tokens: Tokens) -> Tokens:
    """Who stands at the end of a clause, without "now" and "alone"."""
    end = next((i for i, t in enumerate(tokens) if t.low in NEUTRAL or t.low in (",", "alone", "instead")), len(tokens))
    return tokens[:end] if _is_who(tokens[:end]) else ()


def _bare(token: Token) -> Token:
    return token._replace(text=token.text[:-2], low=token.low[:-2])


def _is_team(who: Tokens) -> bool:
    return who[0].low in _TEAMS or who[-1].low in _TEAMS


def _is_who(who: Tokens) -> bool:
    """Whether words name a person or a team, and no tool."""
    if who and who[0].low == "the" and _is_team(who):
        who = who[1:]
    if not who or len(who) > 3 or any(not token.text[0].isalpha() or token.low in _DEFINITE for token in who):
        return False
    if _is_team(who):
        return len(who) > 1
    if tuple(t.low for t in who) in tools() or tuple(t.low for t in who) in terms() or who[0].low == USER:
        return False
    if not all(token.text[0].isupper() for token in who) or who[0].low in ("i", "we"):
        return False
    subject = read_subject(who)
    return subject is not None and subject.is_name


def _claim(at: Predicate, told: _Told) -> list[Claim]:
    who, activity, around, active = told
    if not who or not _is_who(who):
        return []
    words = []
    for token in around:
        low = token.low.removesuffix("'s")
        if low in _BLOCKING or token.low in (",", "("):
            return []
        if low not in NEUTRAL and low not in _DEFINITE and low[0].isalnum():
            words.append(low)
    topic = join_topic([*words, *at.frame.scope])
    is_team = _is_team(who)
    name = tuple(sorted({stem(t.low) for t in who if t.low not in _TEAMS and t.low != "the"}))
    parsed = None if is_team else read_value(("person",), who, 0)
    if not topic or len(words) > _MAX_WORDS or (parsed is None and not is_team):
        return []
    text = " ".join(token.text for token in who)
    value = parsed.value if parsed is not None else Value(ValueKind.TERM, text, ("team", *name))
    return [
        Claim(
            subject=topic,
            slot=f"{'team' if is_team else 'person'} that does: {activity}",
            value=value,
            modality=at.frame.modality,
            time=at.frame.time,
            correction=at.frame.correction,
            start=at.tokens[0].start,
            end=at.tokens[-1].end,
            topic=topic,
            light=(f"by-{'-'.join(name)}",) if active else (),
            loose=True,
        )
    ]
