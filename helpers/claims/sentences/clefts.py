"""Bring a sentence that puts a value into relief into its plain order (C-39).

"The person Hugo reports to is Ann" is "Hugo reports to Ann"; "Netlify is where the site is hosted" is "the site is
hosted on Netlify"; "the phone the user carries is a Pixel" is "the user's phone is a Pixel"; "of all games the user
likes Go best" is "the user's favourite game is Go". What is no such sentence has no other order.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import CONJUNCTIONS, DEFINITE, DETERMINERS, NEUTRAL, PREPOSITIONS, RELATIVES
from ...language.nouns import singular
from ...language.segment import is_finite
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import BE_PRESENT, forms
from ..clauses.open_values import NOW_WORDS
from ..clauses.predicates import Tokens
from ..values.places import PLACE_NOUNS
from .limits import SPEAKERS

_WORDS: Final = read_classes(__file__)
_OPENERS: Final = (RELATIVES - {"that", "which"}) | {"what"}
#: Nouns that only say that it is somebody, something or somewhere.
_EMPTY_NOUNS: Final = _WORDS["empty_nouns"]
#: By these somebody has the one thing that is named.
_HAVING: Final = _WORDS["having"]
_SUPERLATIVES: Final = frozenset(("best", "most"))
_LIKING: Final = _WORDS["liking"]
#: Participle, or verb, -> the preposition by which its place is told.
_PLACING: Final = {
    **dict.fromkeys(_WORDS["placed_on"], "on"),
    **dict.fromkeys(_WORDS["placed_in"], "in"),
    **dict.fromkeys(("study", "employ"), "at"),
    "register": "with",
}
_PLACES: Final = PLACE_NOUNS | {"place"}
_NO_FORM: Final = ("", "")
_MAX_VALUE: Final = 5
_MAX_CLAUSE: Final = 12
_IS: Final = Token("is", "is", 0, 0)


def plain_order(tokens: Tokens) -> Tokens:
    """The plain order of a sentence; no tokens if it is in plain order."""
    copulas = [i for i, token in enumerate(tokens) if token.low in ("is", "are") and i]
    plain: Tokens = ()
    if copulas and low_at(tokens, 0) in ("the", "my", *_OPENERS):
        plain = _of_head(tokens, copulas[-1])
    if not plain and copulas and copulas[0] <= _MAX_VALUE:
        plain = _of_value(tokens, copulas[0])
    plain = plain or _of_superlative(tokens)
    is_now = plain and any(token.low in NOW_WORDS for token in tokens) and all(t.low not in NOW_WORDS for t in plain)
    return (*plain, _word("now", plain[-1])) if is_now else plain


def _of_head(tokens: Tokens, copula: int) -> Tokens:
    """Read "HEAD CLAUSE is VALUE"."""
    split = _split_head(tokens[:copula])
    value = _value(tokens[copula + 1 :]) if split else ()
    return _filled(*split, value) if split and value else ()


def _of_value(tokens: Tokens, copula: int) -> Tokens:
    """Read "VALUE is HEAD CLAUSE"."""
    end = next((i for i in range(copula + 1, len(tokens)) if tokens[i].low == ","), len(tokens))
    begin = copula + 1
    while low_at(tokens, begin) in NEUTRAL:
        begin += 1
    head = tokens[begin:end]
    value = _value(tokens[:copula]) if low_at(head, 0) in ("the", *_OPENERS) else ()
    if not value:
        return ()
    split = _split_head(head)
    plain = _filled(*split, value) if split else ()
    return (*plain, *tokens[end:]) if plain else ()


def _value(tokens: Tokens) -> Tokens:
    """A value: a few words with a name among them, or nothing."""
    end = next((i for i, token in enumerate(tokens) if token.low == "("), len(tokens))
    kept = tuple(token for token in tokens[:end] if token.low not in NEUTRAL)
    named = kept[bool(kept) and kept[0].low in DETERMINERS :]
    is_name = any(token.text[0].isupper() or not token.low.isalpha() for token in named)
    is_plain = all(token.low[0].isalnum() or token.low[0] in "#@/~." for token in kept)
    is_plain = is_plain and not any(token.low in CONJUNCTIONS or token.low == "not" for token in kept)
    return kept if is_name and is_plain and len(kept) <= _MAX_VALUE else ()


def _split_head(head: Tokens) -> tuple[Tokens, str, Tokens] | None:
    """(words of the noun, mark, clause) of "the person Hugo reports to", "what the team uses"."""
    if low_at(head, 0) in _OPENERS:
        noun, mark, clause = head[:0], head[0].low, head[1:]
    else:
        link = next((i for i in (2, 3) if low_at(head, i) in RELATIVES), 0)
        start = link or _gap(head)
        if not start:
            return None
        noun, mark, clause = head[1:start], low_at(head, link) if link else "", head[start + bool(link) :]
    has_verb = any(is_finite(clause, i) for i in range(len(clause)))
    if not has_verb or len(clause) > _MAX_CLAUSE or any(token.low in (",", ":") for token in clause):
        return None
    return noun, mark, clause


def _gap(head: Tokens) -> int:
    """Where the subject of a clause without a mark begins: "the phone | the user carries", "the boss | Hugo has"."""
    for index in (2, 3):
        low = low_at(head, index)
        if low in DEFINITE or low in SPEAKERS or (index < len(head) and head[index].text[0].isupper()):
            return index if head[index - 1].text[0].islower() and head[index - 1].low not in PREPOSITIONS else 0
    return 0


def _filled(noun: Tokens, mark: str, clause: Tokens, value: Tokens) -> Tokens:
    """The clause with the value in the place that it leaves open."""
    verb = next(i for i in range(len(clause)) if is_finite(clause, i))
    is_empty = not noun or singular(noun[-1].low) in _EMPTY_NOUNS
    if verb == 0:
        return (*value, *clause) if is_empty and mark != "where" else ()
    subject, (lemma, letters) = clause[:verb], forms().get(clause[verb].low, _NO_FORM)
    if not is_empty and "d" in letters:
        return ()  # what somebody had
    rest = tuple(token for token in clause[verb + 1 :] if token.low not in NEUTRAL)
    if noun and (lemma in _LIKING) and low_at(rest, 0) in (*_SUPERLATIVES, "") and (rest or lemma == "prefer"):
        adjective = "favourite" if rest else "preferred"
        return _owned(subject, (_word(adjective, noun[0]), *noun), value)
    if not is_empty:
        return _owned(subject, noun, value) if lemma in _HAVING and not rest and mark != "where" else ()
    if rest and rest[-1].low in PREPOSITIONS:
        return (*clause, *value)
    place = _placing(clause[verb:])
    if mark == "where" or (noun and singular(noun[-1].low) in _PLACES):
        return (*clause, _word(place, clause[-1]), *value) if place else ()
    return (*clause[: verb + 1], *value, *rest) if not place and clause[verb].low not in BE_PRESENT else ()


def _placing(verbs: Tokens) -> str:
    lemmas = (forms().get(token.low, _NO_FORM)[0] for token in reversed(verbs))
    return next((_PLACING[lemma] for lemma in lemmas if lemma in _PLACING), "")


def _owned(subject: Tokens, noun: Tokens, value: Tokens) -> Tokens:
    """ "SUBJECT's NOUN is VALUE"."""
    last = subject[-1]
    if last.low in ("i", "we"):
        owner = (*subject[:-1], last._replace(text="my", low="my"))
    else:
        owner = (*subject[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"))
    return (*owner, *noun, _IS, *value)


def _word(low: str, beside: Token) -> Token:
    return Token(low, low, beside.start, beside.start)


def _of_superlative(tokens: Tokens) -> Tokens:
    """Read "of all games, the user likes Go best", "the user likes Go best of all games"."""
    if _SUPERLATIVES.isdisjoint([token.low for token in tokens]):
        return ()
    verb = next((i for i, token in enumerate(tokens) if forms().get(token.low, _NO_FORM)[0] in _LIKING), 0)
    best = next((i for i in range(verb + 2, len(tokens)) if tokens[i].low in _SUPERLATIVES), 0) if verb else 0
    if not best:
        return ()
    lead, tail = _kinds(tokens[:verb]), _kinds(tokens[best + 1 :])
    kind = lead or tail
    subject = tokens[len(lead) + 2 + (low_at(tokens, len(lead) + 2) == ",") : verb] if lead else tokens[:verb]
    value = _value(tokens[verb + 1 : best])
    if not kind or not subject or not value:
        return ()
    last = kind[-1]
    noun = (*kind[:-1], last._replace(text=singular(last.text), low=singular(last.low)))
    return _owned(subject, (_word("favourite", last), *noun), value)


def _kinds(tokens: Tokens) -> Tokens:
    """The kind in "of all board games"."""
    if low_at(tokens, 0) not in ("of", "among") or low_at(tokens, 1) not in ("all", "the"):
        return ()
    end = next((i for i, token in enumerate(tokens) if token.low in (",", "the") and i > 1), 0) or len(tokens)
    for index in range(2, end):
        if tokens[index].low in ("user", "i") or tokens[index].text[0].isupper():
            end = index
            break
    return tokens[2:end] if 0 < end - 2 <= 3 else ()
