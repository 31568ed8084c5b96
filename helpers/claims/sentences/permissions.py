"""Read what is allowed and what is needed, who has access to what, and what is done without asking (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.nouns import singular
from ...language.token import Token
from ...language.verbs import forms
from ..clauses.predicates import Tokens
from .said_words import Pole, Said, find, phrases, topic_of

#: (value, phrases between who may and what he may).
_MAY: Final = (
    (
        "no",
        phrases(
            "may not|can not|must not|shall not|is not allowed to|is not permitted to|is forbidden to|is forbidden from"
            "|is prohibited from|is barred from|is banned from|is not authorised to|is not authorized to|not allow"
            "|is not entitled to|forbids|prohibits|bans|disallows|not allows|not permit|is not able to|is unable to"
            "|has no right to|has no permission to|is not supposed to|blocks|is blocked from|is excluded from"
            "|is not free to|not has permission to|not has the right to|is disallowed from|is not welcome to"
            "|is stopped from|forbid|prohibit|ban|disallow|is not meant to|is no longer allowed to"
        ),
    ),
    (
        "yes",
        phrases(
            "may|can|is allowed to|is permitted to|is free to|is welcome to|has permission to|has the right to"
            "|is authorised to|is authorized to|is entitled to|allows|permits|is able to|has the go-ahead to"
            "|is cleared to|was allowed to|was permitted to|was authorised to|was authorized to|lets|allow|permit"
            "|tolerates|is at liberty to|is empowered to|was given permission to|got permission to"
        ),
    ),
)
#: After what is done.
_IS_ALLOWED: Final = {
    "allowed": "yes",
    "permitted": "yes",
    "possible": "yes",
    "ok": "yes",
    "fine": "yes",
    "acceptable": "yes",
    "welcome": "yes",
    "authorised": "yes",
    "authorized": "yes",
    "tolerated": "yes",
    "legal": "yes",
    "forbidden": "no",
    "prohibited": "no",
    "banned": "no",
    "disallowed": "no",
    "blocked": "no",
    "impossible": "no",
    "off-limits": "no",
    "taboo": "no",
    "unwelcome": "no",
    "illegal": "no",
    "verboten": "no",
}
_NOBODY: Final = frozenset(("nobody", "noone"))
#: Verbs after "may" that tell of ability, and of what happens, rather than of leave.
_HAPPENING: Final = frozenset(
    "be have happen occur change vary take need lead cause help become differ fail mean".split()
)
_MUST: Final = (
    (
        "no",
        phrases(
            "not has to|need not|not need to|is not required to|is not obliged to|not needs to|is exempt from"
            "|is no longer required to|is not forced to|is under no obligation to|is excused from|not required to"
            "|can do without|can skip|may skip|is free of|manages without|gets by without|gets along without"
        ),
    ),
    (
        "yes",
        phrases(
            "must|has to|needs to|is required to|is obliged to|is bound to|need to|is obligated to|is forced to"
            "|is under an obligation to|is expected to"
        ),
    ),
)
_NO_NEED: Final = phrases("is no need to|is no need for|is no need of")
_NEEDED: Final = {
    **dict.fromkeys(
        (
            "required mandatory compulsory obligatory needed necessary essential indispensable prerequisite must"
            " requirement imperative unavoidable"
        ).split(),
        "yes",
    ),
    **dict.fromkeys("optional voluntary unnecessary superfluous dispensable needless waived unrequired".split(), "no"),
}
_NEEDS: Final = frozenset("needs requires need require demands wants".split())
_IN: Final = frozenset("gets get comes come enters enter logs log signs sign goes go passes pass".split())

_ACCESS: Final = frozenset("access permission permissions rights clearance privileges privilege".split())
_GIVEN: Final = frozenset(
    "has got gets granted given received receives obtained keeps gained restored regained".split()
)
_TAKEN: Final = frozenset(
    "no not lost revoked withdrawn removed denied lacks blocked refused stripped suspended cancelled expired rescinded"
    " without took".split()
)
_LEAVE: Final = "approval confirmation permission consent asking checking confirming approving ok go-ahead sign-off"
_WITHOUT_LEAVE: Final = frozenset((*_LEAVE.split(), "being", "prior", "first", "further", "explicit", "previous"))
_LEAVES: Final = frozenset((*_LEAVE.split(), "okay", "green", "blessing", "consultation", "review", "nod"))
_CONSENT_MARKS: Final = frozenset(("without", "before", "until"))
_ASKING: Final = frozenset("ask asks asked check checks consult consults confirm".split())
_CONSENTING: Final = frozenset(
    "approved confirmed agreed consented okayed ok'd ok reviewed authorised authorized".split()
)
#: What tells nothing in a rule of asking first.
_GENERIC: Final = frozenset(
    "anything something everything nothing whatever it them adding putting going making doing"
    " add put go straight item items first want wants asks ask asked check checks wait waits may can must should needs"
    " need is allowed permitted free always approval confirmation permission consent let want has right ahead own"
    " explicit prior go-ahead user assistant i me my you your to expects prefers agent claude just".split()
)


def read_permission(said: Said) -> list[Pole]:
    """Read "interns may deploy to production", "pushing to main is forbidden", "the team permits force pushes"."""
    words = said.words
    if words[0] in ("it",) or "only" in words or "just" in words:
        return []
    for value, table in _MAY:
        begin, end = find(words, table)
        if not end or end >= len(words):
            continue
        if words[begin:end] in (("may",), ("can",)) and not _is_person(said, begin):
            continue
        if words[end] in _HAPPENING or "should" in words or "was" in words[:begin]:
            return []
        none = words[0] in _NOBODY or words[:2] == ("no", "one")
        value = "no" if none else value
        subject = said.tokens[1 + (words[0] == "no") : begin] if none else said.tokens[:begin]
        return [Pole("permission", value, topic_of(said, subject, said.tokens[end:]))]
    if _IS_ALLOWED.keys().isdisjoint(words):
        return []
    for index in range(2, len(words)):
        value_of = _IS_ALLOWED.get(words[index])
        denied = words[index - 1] == "not"
        at = index - 1 - denied
        if value_of is None or words[at] not in ("is", "remains", "was", "stays", "becomes"):
            continue
        following = words[index + 1] if index + 1 < len(words) else ""
        if following and following not in PREPOSITIONS and following != ",":
            return []
        if words[index] == "blocked" and (following == "by" or not words[0].endswith("ing")):
            return []
        if words[at] == "was" and value_of == "yes" and words[index] not in ("allowed", "permitted", "authorised"):
            return []
        if words[0] == "no":
            denied, about = not denied, said.tokens[1:at]
        else:
            about = said.tokens[:at]
        return [Pole("permission", value_of, topic_of(said, about, said.tokens[index + 1 :]), denied)]
    return []


_PERSONS: Final = frozenset(
    "user assistant agent you we i intern contractor developer employee student pupil kid child guest visitor member"
    " admin administrator editor customer client freelancer engineer tester analyst designer manager maintainer"
    " reviewer contributor tenant resident volunteer trainee apprentice apprentices teacher nurse doctor driver player"
    " participant team staff everyone everybody anyone anybody colleague partner supplier vendor subscriber owner son"
    " daughter wife husband mother father brother sister people adult teenager teen patient passenger cyclist"
    " pedestrian parent neighbour flatmate roommate nobody noone bot children men women people consultant moderator"
    " operator newcomer junior senior viewer seller buyer grandchild grandchildren twin toddler baby girl boy claude"
    " contractor external outsider".split()
)


def _is_person(said: Said, end: int) -> bool:
    """Whether the subject before `end` is somebody, who may do something, and nothing that may happen."""
    subject = said.tokens[:end]
    cut = next((i for i, token in enumerate(subject) if i and token.low in PREPOSITIONS), end)
    head = subject[cut - 1]
    is_name = head.text[0].isupper() and head.text[1:].islower() and (cut == 1 or subject[0].text[0].isupper())
    return singular(head.low) in _PERSONS or head.low in _PERSONS or (is_name and not head.low.endswith("s"))


def read_need(said: Said) -> list[Pole]:
    """Read "Docker is required to run it", "the setup needs no Docker", "nobody gets in without a badge"."""
    words = said.words
    if "should" in words or "was" in words:
        return []
    without = words.index("without") if "without" in words else 0
    if words[0] in _NOBODY and without and words[1] in _IN:
        return [Pole("need", "yes", topic_of(said, said.tokens[2:without], said.tokens[without + 1 :]))]
    if words[0] == "you" and without and words[1] == "can":
        return [Pole("need", "no", topic_of(said, said.tokens[2:without], said.tokens[without + 1 :]))]
    for value, table in _MUST:
        begin, end = find(words, table)
        if not end or end >= len(words) or words[end] == "not":
            continue
        if words[0] in _NOBODY or words[:2] == ("no", "one") or (value == "yes" and not _is_person(said, begin)):
            return []
        return [Pole("need", value, topic_of(said, said.tokens[:begin], said.tokens[end:]))]
    end = find(words, _NO_NEED)[1] if words[0] == "there" else 0
    if end:
        return [Pole("need", "no", topic_of(said, said.tokens[end:]))]
    return _needed(said) or _needing(said)


def _needed(said: Said) -> list[Pole]:
    words = said.words
    if _NEEDED.keys().isdisjoint(words):
        return []
    for index in range(2, len(words)):
        value = _NEEDED.get(words[index])
        at = index - 1
        while at > 0 and words[at] in ("not", "a", "strictly", "an", "absolute"):
            at -= 1
        if value is None or words[at] not in ("is", "remains", "became", "becomes", "stays", "made"):
            continue
        following = words[index + 1] if index + 1 < len(words) else ""
        if following and following not in PREPOSITIONS and following != ",":
            return []
        denied = "not" in words[at:index] or words[0] == "no"
        about = said.tokens[int(words[0] == "no") : at]
        return [Pole("need", value, topic_of(said, about, said.tokens[index + 1 :]), denied)]
    return []


def _needing(said: Said) -> list[Pole]:
    words = said.words
    if _NEEDS.isdisjoint(words):
        return []
    index = next((i for i in range(1, len(words)) if words[i] in _NEEDS and words[i] != "wants"), 0)
    if not index or index + 1 >= len(words):
        return []
    denied = words[index - 1] == "not"
    none = words[index + 1] == "no"
    subject = said.tokens[: index - denied]
    return [Pole("need", "yes", topic_of(said, subject, said.tokens[index + 1 + none :]), denied or none)]


def read_access(said: Said) -> list[Pole]:
    """Read "contractors have read access to X", "access to X was revoked for contractors"."""
    words = said.words
    if _ACCESS.isdisjoint(words) or "only" in words:
        return []
    around = set(words)
    taken, given = around & _TAKEN, around & _GIVEN
    if not (taken or given) or ("was" in words and not taken | (given - {"has"})):
        return []
    told = tuple(
        token
        for word, token in zip(words, said.tokens, strict=True)
        if word not in _TAKEN | _GIVEN | {"was", "is", "rights", "permissions"} and word not in ("right", "full")
    )
    topic = topic_of(said, told)
    return [Pole("access", "no" if taken else "yes", topic, change="was" in words)] if len(topic.split()) > 1 else []


def read_consent(said: Said) -> list[Pole]:
    """Read "may commit without asking" and "ask before committing"."""
    words = said.words
    value, kept = _consent(said)
    if not value:
        return []
    told = tuple(token for token in kept if token.low not in _GENERIC)
    topic = topic_of(said, tuple(_base(token) for token in told))
    is_ours = words[0] in ("user", "assistant", "i", "the", "not", "ask", "always", "you", "we") or not topic
    return [Pole("asking first", value, topic)] if topic and (is_ours or words[0][:1].isalpha()) else []


def _base(token: Token) -> Token:
    lemma, letters = forms().get(token.low, ("", ""))
    return token._replace(low=lemma) if lemma and ("g" in letters or "b" in letters) else token


def _consent(said: Said) -> tuple[str, Tokens]:
    words, tokens = said.words, said.tokens
    if _CONSENT_MARKS.isdisjoint(words):
        return "", ()
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if word == "without" and (following in _WITHOUT_LEAVE or (words[index + 2 : index + 3] or ("",))[0] in _LEAVES):
            is_denied = not {"not", "nothing", "no"}.isdisjoint(words[:index])
            is_order = "b" in forms().get(words[0], ("", ""))[1] and said.tokens[0].text[0].isupper()
            if (
                not is_denied
                and not is_order
                and not {"may", "can", "allowed", "free", "straight", "go"} & set(words[:index])
            ):
                return "", ()
            return ("ask" if is_denied else "free"), tokens[:index]
        if word in ("before", "until") and _asks(words, index):
            if word == "until" or not _ASKING & set(words[:index]):
                return "ask", tokens[:index]
            if {"not", "no"} & set(words[:index]):
                return "free", tokens[index + 1 :]
            return "ask", (*tokens[:index], *tokens[index + 1 :])
    return "", ()


def _asks(words: tuple[str, ...], index: int) -> bool:
    """Whether somebody is asked before, or nothing is done until somebody has agreed."""
    before, after = set(words[:index]), set(words[index + 1 :])
    if words[index] == "until":
        return bool(before & {"not", "nothing"}) and bool(after & (_CONSENTING | {"approves", "agrees", "confirms"}))
    return bool(before & _ASKING) and not before & {"to", "asked"} - {"to"}
