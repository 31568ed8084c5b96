"""Read who or what a clause is about, in one form for all wordings.

"My project", "our project" and "the project" are one subject; "the billing API" and "the API" are two. Subjects that
only the context resolves ("it", "a service") are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.lexicon import DEFINITE, ENVIRONMENTS, INDEFINITE, NEUTRAL, PREPOSITIONS, PRONOUNS, singular
from ...language.tables import read_classes
from ...language.token import Token, low_at, place_of
from ..slots.rows import CHOICE_READS, CHOICES, DISTINGUISHING, TABLE, Slot

_WORDS: Final = read_classes(__file__)
USER: Final = "user"
_LED: Final = DEFINITE | {"i"}
OURS: Final = frozenset(("we", "us")) | (DEFINITE - lexicon.THEIR - {"the"})
_MAX_WORDS: Final = 6
_BLOCKING: Final = PRONOUNS | {"not", "or", *",()[]:=/"}
_EPHEMERAL: Final = lexicon.EPHEMERAL | {"pull request", "merge request"}
_OUR_OWN: Final = frozenset(("our", "my", "user's"))
_UPDATED: Final = frozenset(("new", "updated"))
EMPTY_ADJECTIVES: Final = _WORDS["empty_adjectives"]
_SAYS_NOTHING: Final = _UPDATED | lexicon.PAST_WORDS | EMPTY_ADJECTIVES
#: What somebody is to somebody else, which says nothing more beside a name.
KIN: Final = _WORDS["related"] | _WORDS["served"]
#: Nouns of people, who may be elsewhere tomorrow.
PEOPLE: Final = _WORDS["related"] | _WORDS["people"]
_MAX_NAME: Final = 4
#: "The port of the API", "the tech lead on Osprey", "the contact at Acme".
OWNING: Final = _WORDS["owning"]
_COUNT: Final = Slot(name="count of {}", reads=("number",), bare=True)
_CHOICE: Final = Slot(name="choice", reads=CHOICE_READS, person=True, bare=True)


class Subject(NamedTuple):
    """`text` is the normal form, `scope` the environment taken out of it.

    `is_name`: a bare capitalised name. `is_kind`: a bare plural ("services"), which speaks of many things. `kin`: what
    the named one is to somebody ("sister" of "the user's sister Ana").
    """

    text: str
    scope: tuple[str, ...] = ()
    is_name: bool = False
    is_kind: bool = False
    kin: str = ""


class Attribute(NamedTuple):
    """A noun phrase that names a slot ("the API's debug port"), the rows it may name; `updated`: "the new deadline"."""

    subject: Subject
    slot: str
    rows: tuple[Slot, ...]
    updated: bool = False


def _possessor(low: str) -> str | None:
    """Return the owner in "alice's"; None if the word is no possessive."""
    return low[:-2] if low.endswith("'s") and len(low) > 2 else None


def _plain_words(tokens: Sequence[Token], me: str) -> list[str] | None:
    """Return the words of a noun phrase in normal form, or None if it does not name one definite thing."""
    words: list[str] = []
    for index, token in enumerate(tokens):
        owner = _possessor(token.low)
        low = token.low if owner is None else owner
        if owner is not None and (owner in PRONOUNS or owner in INDEFINITE):
            return None
        if low in lexicon.FIRST_PERSON:
            low = me
        elif low in OURS and me != USER:
            words.append(me)
        is_this_one = low == "this" and low_at(tokens, index + 1) in _WORDS["this_one"]
        if low in ("the", "my", "our") or low in NEUTRAL or is_this_one:
            continue
        if low in _BLOCKING or (low in INDEFINITE and not words) or (not low[0].isalnum() and low[0] not in "#$@.+"):
            return None
        words.append(low)
    return words[1:] if len(words) > 1 and words[0] == USER else words


def _take_environment(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Split environment names out of a subject: "staging api" -> api, (staging)."""
    environments = {ENVIRONMENTS[word] for word in words if word in ENVIRONMENTS}
    if not environments:
        return words, ()
    named = [word for word in words if word not in ENVIRONMENTS and word not in lexicon.ENVIRONMENT_NOUNS]
    return named, tuple(sorted(environments))


def _split_kin(tokens: Sequence[Token]) -> tuple[str, int]:
    """Return what somebody is to whom, and where the name begins: "the user's older sister Ana"; ("", 0) if neither."""
    index = place_of(tokens[:_MAX_NAME], KIN)
    named = tokens[index + 1 :]
    is_led = not index or tokens[0].low in ("the", "my", "our", USER) or tokens[0].low.endswith("'s")
    is_name = all(token.text[0].isupper() and "'" not in token.low for token in named)
    if not is_led or not is_name or index == _MAX_NAME or not 1 <= len(named) <= _MAX_NAME:
        return "", 0
    owners = [token.low for token in tokens[:index] if token.low.removesuffix("'s") not in ("the", "my", "our", USER)]
    return " ".join([*owners, tokens[index].low]), index + 1


def parse_subject(tokens: Sequence[Token], *, me: str = USER) -> Subject | None:
    """Return the subject that a noun phrase names, or None if it names no definite thing.

    A preposition ends the name: "the API in staging" is `api` with the scope `staging`; "head of marketing" is one.
    """
    links = (
        index
        for index, token in enumerate(tokens)
        if index and token.low in PREPOSITIONS and token.low != "of" and token.text[0].islower()
    )
    end = next(links, len(tokens))
    kin, begin = _split_kin(tokens[:end])
    head = tokens[begin:end]
    words, rest = _plain_words(head, me), _plain_words(tokens[end + 1 :], me)
    if not words or rest is None or len(words) > _MAX_WORDS or " ".join(words) in _EPHEMERAL:
        return None
    named, scope = _take_environment(words)
    words, scope = (named, scope) if named else (words, ())
    where, more = _take_environment(rest)
    scope = tuple(sorted({*scope, *more, *filter(None, [" ".join(where)])}))
    text = " ".join(words)
    is_bare = bool(kin) or tokens[0].low not in _LED
    is_name = is_bare and all(token.text[0].isupper() for token in head)
    is_product = words[-1] in lexicon.versioned_names() or (words[-1],) in lexicon.terms()
    is_kind = is_bare and singular(text) != text and not is_product
    return Subject(text, scope, is_name, is_kind and not any(token.text[0].isupper() for token in head[1:]), kin)


def _split_owner(tokens: Sequence[Token]) -> tuple[list[Token], list[Token], bool]:
    """Return the owner, the rest, and whether "my" stands alone: "the API's port", "my port", "port of the API"."""
    for index, token in enumerate(tokens):
        if token.low in OWNING and 0 < index < len(tokens) - 1:
            before = tokens[index - 1].low
            if f"{before} {token.low} {tokens[index + 1].low}" in TABLE.nouns:
                continue
            is_noun = index > 1 and f"{tokens[index - 2].low} {before}" in TABLE.nouns
            if token.low == "of" and before in ("number", "place") and not is_noun:
                break
            inner, rest, _ = _split_owner(tokens[:index])
            return [*tokens[index + 1 :], *inner], rest, False
    cut = max((i for i, token in enumerate(tokens) if _possessor(token.low)), default=-1)
    if cut >= 0:
        return list(tokens[: cut + 1]), list(tokens[cut + 1 :]), False
    if tokens and tokens[0].low in ("my", "our", "the"):
        return [], list(tokens[1:]), tokens[0].low == "my"
    return [], list(tokens), False


def _match_noun(words: Sequence[str]) -> tuple[int, tuple[Slot, ...]]:
    """Return the number of words and the rows of the longest slot noun at the end of a phrase."""
    nouns = ((length, TABLE.nouns.get(" ".join(words[-length:]), ())) for length in range(min(4, len(words)), 0, -1))
    return next(((length, rows) for length, rows in nouns if rows), (0, ()))


def parse_attribute(tokens: Sequence[Token], *, me: str = USER) -> Attribute | None:
    """Return the slot and its owner that a noun phrase names, or None if it names no slot."""
    owner_tokens, rest, is_mine = _split_owner(tokens)
    words = [lexicon.AMERICAN.get(token.low, token.low) for token in rest if token.low not in NEUTRAL]
    if not words or any(word in _BLOCKING or word in lexicon.CONJUNCTIONS for word in words):
        return None
    updated = bool(_UPDATED & set(words))
    words = [
        word
        for word, following in zip(words, (*words[1:], ""), strict=True)
        if f"{word} {following}" in TABLE.nouns or word not in _SAYS_NOTHING
    ]
    length, rows = _match_noun(words)
    modifiers = words[: len(words) - length]
    slot = rows[0].name.replace("*", " ".join(words[len(modifiers) :])) if rows else ""
    if len(words) > 2 and words[:2] == ["number", "of"]:
        rows, slot, modifiers = (_COUNT,), " ".join(["count of", *words[2:-1], singular(words[-1])]), []
    choice = next((i for i, word in enumerate(modifiers) if word in CHOICES), None)
    if choice is not None:
        slot = " ".join([CHOICES[modifiers[choice]], *words[choice + 1 :]])
        if slot in CHOICES.values():
            return None
        rows = rows or (_CHOICE,)
        modifiers = modifiers[:choice]
    elif not rows:
        return None
    marks = [DISTINGUISHING[word] for word in modifiers if word in DISTINGUISHING]
    modifiers = [word for word in modifiers if word not in DISTINGUISHING]
    slot = " ".join([*marks, slot])
    if slot == "version" and modifiers and modifiers[-1] in lexicon.versioned_names():
        slot = f"version of {lexicon.versioned_names()[modifiers.pop()]}"
    subject = _attribute_owner(owner_tokens, modifiers, rows[0] if choice is None else _CHOICE, is_mine, me)
    is_ours = bool(tokens) and tokens[0].low in _OUR_OWN and rows[0].reads == ("person",) and not rows[0].person
    is_told = choice is not None or rows[0].bare or is_ours or slot.startswith("version of")
    if subject is None or not (subject.text or subject.scope or is_told):
        return None
    if subject.text in _EPHEMERAL and rows[0].reads != ("number",):
        return None
    return Attribute(subject, slot, rows, updated)


def _attribute_owner(owner: Sequence[Token], modifiers: list[str], row: Slot, is_mine: bool, me: str) -> Subject | None:
    """Return the subject of an attribute; an empty text if the phrase names no owner ("the deadline")."""
    is_my_own = is_mine and (me != USER or (row.person and not (row.things and modifiers)))
    named = parse_subject(owner, me=me) if owner else Subject(me if is_my_own else "")
    if named is None or any(word in INDEFINITE or word in PRONOUNS or word in PREPOSITIONS for word in modifiers):
        return None
    owned_by = "" if owner and named.text == USER and not row.person else named.text
    words, more = _take_environment([*owned_by.split(), *modifiers])
    return Subject(" ".join(words), tuple(sorted({*named.scope, *more})))
