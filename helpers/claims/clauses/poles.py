"""Read a state that does not stand right behind "is": in an object, an adverb, a verb or a noun (C-40).

"The blog has comments closed" is "comments on the blog are closed", "runs with debug logging turned off" is "debug
logging is off", "every refund needs manual approval" is "refunds are approved manually". The words beside the state
make the topic, in whatever order they stand.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DEFINITE, DETERMINERS, INDEFINITE, PREPOSITIONS, QUANTIFIERS
from ...language.token import Token
from ...language.verbs import forms
from ..grammar.subjects import USER
from ..grammar.topics import stem
from ..grammar.verb_groups import VerbGroup
from ..values.numbers import low_at
from .predicates import Predicate, Tokens
from .state_words import STATES, State

#: Verbs whose object is in a state; the second kind needs "with": "runs with debug logging off".
_KEEPING: Final = frozenset("have keep leave".split())
_RUNNING: Final = frozenset("run work start operate come ship deploy live stand do".split())
#: Beside these a state in an object still is one: "comments closed for guests".
_AFTER_STATE: Final = frozenset("in for at again since during on".split()) | {",", "so"}
_PARTICLES: Final = frozenset("on off up down out".split())
#: States that an adverb or "manual approval" says of a deed.
_OF_DEEDS: Final = frozenset(("mode", "timing", "place of work", "employment"))
_NEEDING: Final = frozenset("need require get undergo have take receive go".split())
#: Verbs that say no more than that a deed is done.
_DOING: Final = frozenset("do handle process perform run execute work operate carry manage happen make take".split())
_MAX_PHRASE: Final = 3
#: Endings of nouns of deeds, and what the verb has instead: "approval", "verification", "deployment", "renewal".
_OF_NOUNS: Final = (
    ("ication", "y"),
    ("isation", "ise"),
    ("ization", "ize"),
    ("ation", "e"),
    ("ation", "ate"),
    ("ation", ""),
    ("tion", "te"),
    ("tion", "t"),
    ("sion", "d"),
    ("sion", "se"),
    ("ment", ""),
    ("al", "e"),
    ("al", ""),
    ("ance", ""),
    ("ing", ""),
    ("ing", "e"),
)
#: Verb and what follows it -> the state that its subject is in.
_VERB_STATES: Final[dict[tuple[str, ...], State]] = {
    ("make", "a", "loss"): ("profit", "no"),
    ("make", "losses"): ("profit", "no"),
    ("lose", "money"): ("profit", "no"),
    ("make", "a", "profit"): ("profit", "yes"),
    ("make", "money"): ("profit", "yes"),
    ("turn", "a", "profit"): ("profit", "yes"),
    ("pass",): ("passing", "yes"),
    ("fail",): ("passing", "no"),
    ("accept", "writes"): ("writable", "yes"),
    ("allow", "writes"): ("writable", "yes"),
    ("take", "writes"): ("writable", "yes"),
    ("reject", "writes"): ("writable", "no"),
    ("ignore", "case"): ("case", "no"),
    ("stand", "empty"): ("filled up", "no"),
    ("sleep",): ("wakefulness", "no"),
}
_VERBS: Final = frozenset(words[0] for words in _VERB_STATES)
#: Verb -> the state that its object is in, as far as its subject goes: "the parser accepts X", "Marta opposes X".
_TOWARDS: Final[dict[str, State]] = {
    **dict.fromkeys("accept allow permit tolerate".split(), ("acceptance", "yes")),
    **dict.fromkeys("reject refuse forbid disallow prohibit decline ban deny block".split(), ("acceptance", "no")),
    **dict.fromkeys("favour favor endorse back support advocate".split(), ("support", "yes")),
    **dict.fromkeys(("oppose",), ("support", "no")),
    **dict.fromkeys(("rent", "lease"), ("tenure", "rented")),
    **dict.fromkeys(("own",), ("tenure", "owned")),
    **dict.fromkeys("include contain comprise".split(), ("inclusion", "yes")),
    **dict.fromkeys("exclude omit lack".split(), ("inclusion", "no")),
    **dict.fromkeys(("trust",), ("trust", "yes")),
    **dict.fromkeys(("distrust", "mistrust"), ("trust", "no")),
    **dict.fromkeys("verify validate check".split(), ("checking", "yes")),
    **dict.fromkeys("ignore skip bypass".split(), ("checking", "no")),
    **dict.fromkeys("preserve retain keep".split(), ("keeping", "yes")),
    **dict.fromkeys("discard".split(), ("keeping", "no")),
}
TOWARDS_SLOTS: Final = frozenset(slot for slot, _ in _TOWARDS.values())
#: After "is": the same in an adjective.
_BEING_TOWARDS: Final[dict[tuple[str, ...], State]] = {
    **dict.fromkeys((("in", "favour", "of"), ("in", "favor", "of"), ("all", "for")), ("support", "yes")),
    **dict.fromkeys((("against",), ("opposed", "to")), ("support", "no")),
}


_NO_SUBJECTS: Final = INDEFINITE - QUANTIFIERS


def verb_of_noun(word: str) -> str:
    """The stem of the verb that a noun names the deed of, or the stem of the noun itself."""
    low = stem(word)
    if low in forms():
        return forms()[low][0]
    for ending, verb in _OF_NOUNS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            lemma = forms().get(word.removesuffix(ending) + verb, ("", ""))
            if "b" in lemma[1]:
                return lemma[0]
    return low


#: First word of a state -> how many words it has at most.
_LENGTHS: Final[dict[str, int]] = {}
for _state in STATES:
    _words = _state.split()
    _LENGTHS[_words[0]] = min(max(_LENGTHS.get(_words[0], 0), len(_words)), _MAX_PHRASE)


#: The first words of how a deed is done.
_FIRST_OF_DEEDS: Final = frozenset(
    phrase.split()[0] for phrase, states in STATES.items() if any(slot in _OF_DEEDS for slot, _ in states)
)


def state_at(tokens: Tokens, index: int) -> tuple[tuple[State, ...], int]:
    """(the states that the words at `index` say, the index after them), the longest phrase first."""
    for size in range(
        min(_LENGTHS.get(tokens[index].low, 0) if index < len(tokens) else 0, len(tokens) - index), 0, -1
    ):
        states = STATES.get(" ".join(token.low for token in tokens[index : index + size]))
        if states:
            return states, index + size
    return (), index


Found = tuple[tuple[State, ...], str, Tokens]


def read_pole(at: Predicate) -> Found | None:
    """(states, their words, the words that they are said of) of a clause; None if it says none."""
    if not at.subject or at.group.is_past or at.subject[0].low in _NO_SUBJECTS:
        return None
    return _of_object(at) or _of_deed(at) or _of_needed_deed(at) or _of_verb(at)


def _of_object(at: Predicate) -> Found | None:
    """Read "the blog has comments closed", "runs with debug logging turned off", "leaves notifications on"."""
    is_with = low_at(at.rest, 0) == "with"
    if not (at.group.lemma in _KEEPING or (at.group.lemma in _RUNNING and is_with)):
        return None
    begin = int(is_with)
    for index in range(begin + 1, len(at.rest)):
        states, end = state_at(at.rest, index)
        if not states:
            continue
        before, following = at.rest[index - 1].low, low_at(at.rest, end)
        if before in DETERMINERS or before in PREPOSITIONS or (following and following not in _AFTER_STATE):
            return None
        if following == "on" and at.rest[index].low in _PARTICLES:
            return None
        return states, at.rest[index].low, (*at.subject, *at.rest[begin:index], *_until_clause(at.rest[end:]))
    return None


def _until_clause(rest: Tokens) -> Tokens:
    cut = next((i for i, token in enumerate(rest) if token.low in (",", "so", "because", "since", "as")), len(rest))
    return rest[:cut]


def _without_agent(rest: Tokens) -> Tokens:
    """What follows a deed, without who does it."""
    cut = next((i for i, token in enumerate(rest) if token.low in ("by", "from")), len(rest))
    return _until_clause(rest[:cut])


def _of_deed(at: Predicate) -> Found | None:
    """Read "refunds are approved automatically", "the crawler fetches pages synchronously"."""
    if _FIRST_OF_DEEDS.isdisjoint([token.low for token in at.rest]):
        return None
    for index in range(len(at.rest)):
        states, end = state_at(at.rest, index)
        if not states:
            continue
        deeds = tuple(state for state in states if state[0] in _OF_DEEDS)
        if not deeds or at.rest[index - 1].low in DETERMINERS:
            continue
        following = low_at(at.rest, end)
        if following and following not in PREPOSITIONS and following not in (",", "so"):
            return None
        verbs = [token for token in at.rest[:index] if _is_participle(token)] or [_token(at.group.lemma)]
        told = tuple(token for token in at.rest[:index] if token not in verbs)
        deed = tuple(token for token in verbs if stem(token.low) not in _DOING and token.low != "be")
        return deeds, at.rest[index].low, (*_plain(at.subject), *deed, *told, *_without_agent(at.rest[end:]))
    return None


def _is_participle(token: Token) -> bool:
    return "n" in forms().get(token.low, ("", ""))[1]


def _of_needed_deed(at: Predicate) -> Found | None:
    """Read "every refund needs manual approval by finance"."""
    if at.group.lemma not in _NEEDING:
        return None
    index = int(low_at(at.rest, 0) in ("a", "an", "through"))
    states, end = state_at(at.rest, index)
    deeds = tuple(state for state in states if state[0] in _OF_DEEDS)
    if not deeds or end >= len(at.rest):
        return None
    deed = verb_of_noun(at.rest[end].low)
    if deed not in forms():
        return None
    about = () if deed in _DOING else (_token(deed),)
    return deeds, at.rest[index].low, (*_plain(at.subject), *about, *_without_agent(at.rest[end + 1 :]))


def _plain(subject: Tokens) -> Tokens:
    return subject[1:] if subject[0].low in QUANTIFIERS else subject


def _token(low: str) -> Token:
    return Token(low, low, 0, 0)


def _of_verb(at: Predicate) -> Found | None:
    """Read "mobile builds pass", "Nordlicht is making a loss"; what stands in between is left to others."""
    if at.group.lemma not in _VERBS or at.group.passive or [token.low for token in at.subject] == [USER]:
        return None
    words = (at.group.lemma, *(token.low for token in at.rest[:2]))
    for size in range(len(words), 0, -1):
        state = _VERB_STATES.get(words[:size])
        rest = at.rest[size - 1 :]
        if state and (not rest or rest[0].low in PREPOSITIONS or rest[0].low == ","):
            return (state,), " ".join(words[:size]), (*at.subject, *_until_clause(rest))
    return None


def _is_list(tokens: Tokens) -> bool:
    return any(token.low in ("and", "or", "nor", ",", "&") for token in tokens)


def read_towards(at: Predicate) -> tuple[State, Tokens, Tokens] | None:
    """(state, who, what) of "the parser rejects trailing commas", "trailing commas are rejected by the parser"."""
    group: VerbGroup = at.group
    if group.is_past or group.perfect or not at.subject or at.subject[0].low in _NO_SUBJECTS:
        return None
    if group.lemma != "be" and group.lemma not in _TOWARDS:
        return None
    found = _read_towards(at)
    return None if found is None or _is_list(_until_clause(at.rest)) or _is_list(at.subject) else found


def _read_towards(at: Predicate) -> tuple[State, Tokens, Tokens] | None:
    group = at.group
    if group.lemma != "be":
        state = _TOWARDS.get(group.lemma)
        if state is None or not at.rest or (state[0] == "tenure" and at.rest[0].low not in _DEFINITE):
            return None
        return state, at.subject, _until_clause(at.rest)
    for size in (3, 2, 1):
        state = _BEING_TOWARDS.get(tuple(token.low for token in at.rest[:size]))
        if state and len(at.rest) > size:
            return state, at.subject, _until_clause(at.rest[size:])
    by = next((i for i, token in enumerate(at.rest) if token.low == "by"), 0)
    if by != 1 or by + 1 >= len(at.rest) or not _is_participle(at.rest[0]):
        return None
    state = _TOWARDS.get(forms()[at.rest[0].low][0])
    what = at.subject
    if state and stem(what[-1].low) in _CHECKED_DEEDS and len(what) > 1 and state[0] == "checking":
        what = what[:-1]  # "certificate verification is skipped by the client"
    return (state, _until_clause(at.rest[2:]), what) if state else None


#: Somebody may own one flat and rent another, but not the same.
_DEFINITE: Final = DEFINITE | {"this"}
_CHECKED_DEEDS: Final = frozenset("verification validation check checking checks verify validate".split())
