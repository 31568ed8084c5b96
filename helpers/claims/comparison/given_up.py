"""Whether what a newer text gives up is what an older one says (C-40, C-41).

The older text must state the value that is given up, and both must share a word that says of what; everything that the
newer one says it is about must be in the older one, and so must, unless the value is seldom something else, the words
of the older one in the newer. A name that comes instead and is in the older text already makes it a paraphrase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..grammar.topics import stem
from ..language.lexicon import DEFINITE, PREPOSITIONS
from ..language.segment import Token, tokens_of
from ..language.verbs import forms
from ..model import Claim
from ..sentences.given_changes import ENDING
from ..sentences.given_up import RENAMED, is_exact
from ..values.dates import CALENDAR

_Words = set[str]
#: Words that only say that something is in use.
_IN_USE: Final = frozenset(
    "use run store keep save manage host handle serve deploy build style write live sit stay locate go work send base"
    " publish ship name call title operate rely track maintain own lead responsible power hold process subscribe pay"
    " drive take put place push pipe route post land come stand hang collect do execute perform provide supply back"
    " control rent buy order lease employ based bank insure belong make read have get drink eat wear ride commute print"
    " depend need require reachable available located accessible connect list reach respect respond listen answer exist"
    " happen occur point bundle release cover chair head preside moderate give out over up down".split()
)
#: What a thing does for what the newer text names: if it is given up for that, it does none of it there.
_FUNCTIONS: Final = frozenset(
    "orchestrate schedule execute render generate produce scrape monitor cache trigger index sync talk power drive"
    " shop train compile lint format test deliver track log collect fetch query controll control record implement"
    " develop design prepare process plan review edit measure store wire bake brew clean wash heat cool light".split()
)
#: Nouns that say no more than the name beside them.
KIND_NOUNS: Final = frozenset(
    "service server box machine host team project app application system tool page channel file directory folder repo"
    " department subscription name number person people company place site website thing version value figure"
    " position role job post stuff platform software program provider supplier member everything everybody all whole"
    " entire main new old current".split()
)
_OWNERS: Final = frozenset(("user", "we"))
#: Nouns that say what a value is: on one side alone they say no more than the value, on both they tell things apart.
_ATTRIBUTES: Final = frozenset(
    "interval size limit venue location endpoint strategy ownership owner language rate amount address username handle"
    " code extension lead leader leadership maintainer contact title date time day deadline registry tool framework"
    " library format unit colour color brand model duration length count speed price cost fee budget salary rent target"
    " source port url link path region zone timezone branch engine database backend editor vendor assignee assignment"
    " supervisor head boss manager employer bank doctor dentist school gym subject duty task supervision management"
    " hosting storage format brand network frequency cap quota maximum minimum threshold period stage level mode"
    " speaker author organiser organizer host sponsor tutor instructor trainer moderator"
    " hostname rule policy"
    " theme setting option default reviewer approver speciality schedule slot hour minute second week month".split()
)
#: Persons beside somebody, who do not do what that one does.
PERSONS: Final = frozenset(
    "wife husband partner spouse girlfriend boyfriend brother sister mother father parent son daughter child kid friend"
    " colleague neighbour neighbor uncle aunt cousin grandmother grandfather grandma grandpa family boss roommate"
    " flatmate mom mum dad sibling twin niece nephew".split()
)
_DAYS: Final = frozenset(stem(day) for day in CALENDAR)
_ROLES: Final = frozenset(
    "lead leader maintainer contact owner assignee supervisor head boss manager employer doctor dentist reviewer"
    " approver".split()
)
_SUFFIXES: Final = frozenset(
    (
        "",
        "e",
        "er",
        "or",
        "ed",
        "ing",
        "ion",
        "tion",
        "ation",
        "ment",
        "y",
        "i",
        "ie",
        "al",
        "ance",
        "r",
        "d",
        "s",
        "es",
        "ency",
        "ence",
    )
)
_CALLED: Final = frozenset(("name", "call", "title", "know", RENAMED))
_SHORTEST_ROOT: Final = 4
#: "Northwind" is "Northwind Insurance".
_OF_FIRMS: Final = frozenset(
    "insurance bank gmbh inc ltd llc ag corp group labs systems software energy airlines telecom mobile studio studios"
    " logistics partners media health foods consulting technologies cloud".split()
)
_PASSIVE: Final = frozenset("is are was were been be gets got by now".split())
_ENDS_NAME: Final = frozenset("and is was has had been were now".split())
_INWARDS: Final = frozenset("read receive import download fetch restore pull consume incoming inbound".split())
_OUTWARDS: Final = frozenset("write send export upload push publish outgoing outbound".split())


def gives_up(end: Claim, said: Claim) -> bool:
    """Whether `end` gives up what `said` says."""
    gone = given_words(end)
    subject = set(said.subject.split())
    words = {str(word) for word in said.value.norm} | subject
    new = set(end.subject.split()) - KIND_NOUNS
    if is_name_alone(said, words - gone) and RENAMED not in end.scope and not end.correction:
        return False  # who left Lumen did not rename it
    if not gone <= words or (new and new <= words) or words & ENDING:
        return False
    tokens = tokens_of(said.value.text)
    places = [index for index, token in enumerate(tokens) if stem(token.low.removesuffix("'s")) in gone]
    if not places or (_is_other_name(tokens, places, gone | new) and not _is_called(end, gone)):
        return False
    if end.scope == (RENAMED,):
        kinds = {str(word) for word in end.value.norm} & KIND_NOUNS
        return end.single and bool(words & _CALLED) and not gone <= subject and _is_of_kind(subject, kinds)
    own = gone | _phrase(tokens, places)
    context = set((end.topic or "").split()) - gone
    about = _apart(set(end.scope) - KIND_NOUNS - _OWNERS - (_IN_USE - _uses(end)), words)
    told = words - own - KIND_NOUNS
    named = (subject & context) - _OWNERS
    if subject & PERSONS and any(is_exact(token, first=False) for token in tokens if stem(token.low) in named):
        told, subject = told - PERSONS, subject - PERSONS  # "the user's son Max", and "Max"
    left = _apart(told - _IN_USE - (frozenset() if about else _FUNCTIONS), context)
    if gone <= _DAYS and not (told - _OWNERS) & context:
        return False  # who no longer works on Fridays may do something else then
    if about & _ROLES and subject <= _OWNERS:
        return False  # "the user's boss used to work there"
    if not about <= _ATTRIBUTES or _is_turned(words, context) or _is_swapped(end, said):
        return False
    if (about and left & _ATTRIBUTES) or (subject & left) - _OWNERS - _ATTRIBUTES:
        return False
    left -= _ATTRIBUTES
    shared = {word for word in told - _IN_USE - _OWNERS if not _apart({word}, context)}
    exact = end.single or any(is_exact(tokens[index], first=index == 0) for index in places)
    if said.single and left:
        return exact and len(shared) > len(left)
    if gone <= subject or not exact or len(shared) < 2:
        return not left and bool(
            shared or (exact and told & context & _OWNERS) or (exact and not told - _IN_USE - {"we"})
        )
    return len(left) <= len(shared)


def given_words(end: Claim) -> _Words:
    """The words of what is given up that must be in what says it."""
    words = {str(word) for word in end.value.norm}
    return words - KIND_NOUNS or words


def given_roots(end: Claim) -> _Words:
    """The roots of what the newer text is about that no word of the older one may lack, in whatever form."""
    return set() if end.scope == (RENAMED,) else roots(set(end.scope) - KIND_NOUNS - _OWNERS - _IN_USE - _ATTRIBUTES)


def roots(words: _Words) -> _Words:
    """How the parts of words begin: what `_is_known` finds in another form begins in the same way."""
    parts = {part for word in words for part in word.split("-")} - PREPOSITIONS
    return {f"{part[:_SHORTEST_ROOT]}-" for part in parts if part}


def _uses(end: Claim) -> _Words:
    """What something is used for, told by the noun of a verb: "isn't used for storage" leaves its other uses."""
    lows = (token.low for token in tokens_of(end.value.text))
    return {stem(low) for low in lows if low not in forms() and stem(low) in _IN_USE}


def is_name_alone(said: Claim, others: _Words) -> bool:
    """Whether what is said of a name is only that something has it: "the product is called Lumen"."""
    text = said.value.text.casefold()
    others = others - set(said.subject.split()) - (KIND_NOUNS - _CALLED)
    return bool(others) and others <= _CALLED and any(f" {word}" in text for word in ("called", "named", "name is"))


def _is_of_kind(subject: _Words, kinds: _Words) -> bool:
    """Whether what bears a name is what the newer text says that bears it: a cat is no project of the same name."""
    return not kinds or bool(kinds & subject) or subject <= _OWNERS


def _apart(words: _Words, others: _Words) -> _Words:
    """The words that the others have in no form."""
    return {word for word in words if word not in others and not _is_known(word, others)}


def _is_known(word: str, others: _Words) -> bool:
    """Whether a word is among others in another form: "classified" beside "classifies", "on-call" beside "call"."""
    if "-" in word.strip("-"):
        return all(part in others or part in PREPOSITIONS or not part for part in word.split("-"))
    if any("-" in other and word in other.split("-") for other in others):
        return True
    return len(word) > _SHORTEST_ROOT and word.isalpha() and any(_is_form(word, other) for other in others)


def _is_form(word: str, other: str) -> bool:
    pairs = zip(word, other, strict=False)
    size = next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(word), len(other)))
    return size >= _SHORTEST_ROOT and word[size:] in _SUFFIXES and other[size:] in _SUFFIXES


def _is_called(end: Claim, gone: _Words) -> bool:
    """Whether the newer text calls a thing by a part of its name: "the Skoda" for "a Skoda Octavia"."""
    tokens = tokens_of(end.value.text)
    for index, token in enumerate(tokens[1:], 1):
        if stem(token.low) in gone and tokens[index - 1].low in DEFINITE:
            following = tokens[index + 1].low if index + 1 < len(tokens) else "."
            return not following[0].isalnum() or following in PREPOSITIONS or following in _ENDS_NAME
    return False


def _is_turned(words: _Words, context: _Words) -> bool:
    """Whether one side reads where the other one writes."""
    return any(
        words & first and context & second and not words & second and not context & first
        for first, second in ((_INWARDS, _OUTWARDS), (_OUTWARDS, _INWARDS))
    )


def _is_swapped(end: Claim, said: Claim) -> bool:
    """Whether who does it and to whom it is done have changed places: "A calls B over X", "B calls A, not over X"."""
    if not said.subject or not _PASSIVE.isdisjoint((*said.value.text.split(), *end.value.text.split())):
        return False
    subject, told = set(said.subject.split()), {str(word) for word in said.value.norm} - _IN_USE
    words = [stem(token.low.removesuffix("'s")) for token in tokens_of(end.value.text)]
    gone = set(end.value.norm)
    first = next((word for word in words if (word in subject or word in told) and word not in gone), "")
    return first in told and first not in subject and subject <= set(words) and not subject <= _OWNERS | gone


def _phrase(tokens: Sequence[Token], places: Sequence[int]) -> _Words:
    """The words that stand right beside what is given up: "a 2014 Skoda Octavia"."""
    words: _Words = set()
    for place in places:
        for step in (-1, 1):
            index = place + step
            while 0 <= index < len(tokens) and _is_of_name(tokens[index], index):
                words.add(stem(tokens[index].low.removesuffix("'s")))
                index += step
    return words


def _is_of_name(token: Token, index: int) -> bool:
    return (token.text[0].isupper() and index > 0) or token.text[0].isdigit()


def _is_other_name(tokens: Sequence[Token], places: Sequence[int], gone: _Words) -> bool:
    """Whether what ends is only a part of what the older text names: "Azure" in "Azure DevOps"."""
    last = max(places)
    following = tokens[last + 1] if last + 1 < len(tokens) else None
    if following is not None and stem(following.low.removesuffix("'s")) in gone:
        following = None
    if following is not None and following.text[0].isupper() and following.low not in _OF_FIRMS:
        return True
    first = min(places)
    before = tokens[first - 1] if first > 1 else None
    if before is None or not before.text[0].isupper() or before.low in PREPOSITIONS:
        return False
    return len(gone) > 1 or (before.low.endswith("'s") is False and not tokens[first].text[0].isupper())
