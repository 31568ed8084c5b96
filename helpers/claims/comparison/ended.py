"""Whether what one text ends is what another one says (C-40, C-41).

Everything that the ending is about must be in what is said; and what is said must be of the same subject, or every
word of it must stand beside the ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..clauses.endings import ENDS_SLOT, GIVES_SLOT, SAYS_SLOT
from ..grammar.no_subject import NOBODY_AT_ALL
from ..grammar.topics import join_topic, stem
from ..language.lexicon import ADDITIVE, CONJUNCTIONS, DETERMINERS, NEUTRAL, PERIODS, PREPOSITIONS, PRONOUNS
from ..language.segment import Token, tokens_of
from ..language.verbs import forms
from ..model import Claim, Tense
from ..values.dates import CALENDAR
from ..values.numbers import is_number_word
from .given_up import PERSONS, given_roots, given_words, gives_up, is_name_alone, roots

_Words = set[str | float]
#: Words that only say that something is in use, or what kind of thing it is.
_IN_USE: Final = frozenset(
    "use run store keep save manage host handle serve deploy build style write live sit stay locate go work send"
    " publish ship name call title operate rely base track maintain own lead responsible power hold process file"
    " subscribe pay member server tool user we team".split()
)
#: Who does one of these with a home need not own it.
_DWELLING: Final = frozenset("rent share live lease landlord landlady tenant flatmate rental stay".split())
_SOLD: Final = (" was sold", " has been sold", " got sold", " is sold")
_RENAMING_VERBS: Final = ("renam", "rebrand", "now called ", " called now")
_BUILDINGS: Final = frozenset("build tower house hall campus street road park hotel school wing island river".split())
_NAMING: Final = frozenset("name call title codename publish know label".split())
_RENAMING: Final = ("call", "name", "title", "known", "label", "publish", "brand")
#: Of these there are many, and a text speaks of the one that it has told of.
_ANY_OF_MANY: Final = frozenset(
    "file folder directory page document record entry item list line row table field message ticket number code"
    " one".split()
)
#: What one does with many things.
_OF_MANY_THINGS: Final = frozenset("play use work do go write read watch take make order visit learn study".split())
_ENDS_PHRASE: Final = (
    PREPOSITIONS | NEUTRAL | CONJUNCTIONS | ADDITIVE | PRONOUNS | frozenset(CALENDAR) | {f"{one}s" for one in PERIODS}
)
#: In front of a noun these say that there is another one.
_ONE_OF_TWO: Final = ("old", "second", "other", "spare", "extra", "former", "first", "third", "smaller", "bigger")
_PAYING: Final = frozenset("pay cost price fee bill charge membership subscription contract".split())
#: Who is one of these about a thing need not have it.
_MINDED: Final = frozenset(
    "allergic afraid scared interested debt worried fond tired proud sick curious excited keen".split()
)
_VISITING: Final = (" going", " visiting", " attending", " wearing", " playing", " using", " training")
_TODAY: Final = ("today", "tonight", "tomorrow", "yesterday", "this ", "next ", "last ")
_DAYS: Final = frozenset(stem(day) for day in CALENDAR)
#: Words that only say when an event is.
_EVENT: Final = frozenset("take place happen hold schedule plan start begin due".split()) | _DAYS
#: What only a thing does that there is, and that works.
_OPERATING: Final = frozenset(
    "run host serve handle sell process answer listen respond deliver stream index monitor sync offer accept train"
    " stand employ".split()
)
#: After these there is no such thing; what is deprecated, renamed, archived or cancelled is there all the same.
_FOR_GOOD: Final = ("decommission", "shut down", "closed down", "dismantl", "discontinu", "no longer exist")
#: What is done with, or by means of, a thing that is there.
_USING: Final = frozenset(
    "use write send push store cache build deploy host run publish track monitor log report save keep manage serve"
    " process index bundle lint test back copy sync stream mirror post connect authenticate scan route power print"
    " collect schedule orchestrate trigger generate render".split()
)
_OWN: Final = frozenset("the our my user user's we i all every each".split())
_EMPLOYERS: Final = frozenset("company firm organisation organization business startup".split())
_OURS: Final = _EMPLOYERS | {"we", "team", "user", "group"}
_POSTS: Final = frozenset(
    "head lead leader manager director ceo cto cfo coo owner maintainer contact engineer developer designer analyst"
    " architect administrator admin accountant secretary assistant representative officer boss supervisor".split()
)
_NAME_WORDS: Final = 3
_WORD_AND_PLACE: Final = 2


def ends(end: Claim, said: Claim) -> bool:
    """Whether `end` rules out what `said` says: all that ends is in it, and it speaks of all that `end` speaks of."""
    if said.slot != SAYS_SLOT or not ended_words(end) <= told_words(said):
        return False
    return gives_up(end, said) if end.slot == GIVES_SLOT else _rules_out(end, said)


def ended_words(end: Claim) -> frozenset[str]:
    """What must stand in whatever an ending ends (see `told_words`); nothing where it ends what is told otherwise."""
    if end.slot == GIVES_SLOT:
        return frozenset((*given_words(end), *given_roots(end)))
    gone = frozenset(map(str, end.value.norm))
    if gone <= _EMPLOYERS:
        return frozenset()  # who left the company has no post any more (`_left_all`)
    if end.scope:
        return gone | set(end.scope) - {"user"}
    return gone & set(join_topic(gone).split())  # the subject of `_is_all_over` lacks the others


def told_words(said: Claim) -> set[str]:
    """All the words of what a clause says, its subject's too, and their roots."""
    words = {*map(str, said.value.norm), *said.subject.split()}
    return words | roots(words)


def _rules_out(end: Claim, said: Claim) -> bool:
    if end.slot != ENDS_SLOT or said.time.tense is Tense.PAST:
        return False
    gone, words = set(end.value.norm), set(said.value.norm)
    subject, about = set(said.subject.split()), set(end.scope)
    if _is_of_others(end, said, gone, words - gone):
        return False
    if _has_new_name(end, words | subject):
        return False
    if end.single and gone - subject and gone - subject <= words and words - gone <= _NAMING and not end.scope:
        return True
    if end.single and gone == subject and words and _is_date(words, end.value.text) and not end.scope:
        return True
    if end.single and not end.scope and _is_all_over(end, said):
        return True
    if _is_out_of_use(end, said):
        return True
    if end.change and not about and gone == subject and " used " in said.value.text:
        return True
    if gone and gone <= _EMPLOYERS and _left_all(end, said):
        return True
    if end.subject == NOBODY_AT_ALL and not end.scope and gone <= words and gone & set(said.scope):
        return not _is_part_of_name(gone, said.value.text)
    if _is_nowhere(end, said, gone, words | subject):
        return True
    if not gone <= words | subject or (subject & PERSONS) - set(end.subject.split()) - about:
        return False
    if _is_part_of_name(gone, said.value.text):
        return False
    return _is_of_it(end, said, gone, about) or (bool(end.topic) and _is_beside(end, said, gone, about | _of_whom(end)))


def _is_of_others(end: Claim, said: Claim, gone: _Words, others: _Words) -> bool:
    """Whether an ending is of what the older text says only a part, or in another sense."""
    text = end.value.text.casefold()
    if len(gone) == 1 and gone <= _ANY_OF_MANY and not set(end.subject.split()) - gone and said.scope:
        return True  # "the file was deleted": which one, only its own text knows
    if gone <= _OF_MANY_THINGS and others - _NAMING:
        return True  # "does not play any more" ends no game by name
    if is_name_alone(said, set(map(str, others))) and not any(word in text for word in _RENAMING):
        return True  # who left Lumen did not rename it
    if "work" in gone and any(f" {mark} work" in said.value.text for mark in ("to", "from", "at", "for", "into")):
        return True  # who walks to work does something else than to work
    if others & _PAYING and any(word in text for word in _VISITING):
        return True  # who stopped going there may still pay
    if others & _MINDED:
        return True
    if any(f" {mark} {word}" in text for word in map(str, gone) for mark in _ONE_OF_TWO):
        return True  # who sold the old bike may have another
    if " old " in f" {text} " and " new " in f" {text} ":
        return True  # "the new API replaced the old API": there is one all the same
    if _is_another_matter(said, gone, others, text):
        return True
    return len(gone) == 1 and str(*gone).isalpha() and _is_described_by(str(*gone), said.value.text, text)


def _is_another_matter(said: Claim, gone: _Words, others: _Words, ending: str) -> bool:
    """Whether a sale ends no tenancy, a new name nothing but a name, a denied number none of something else."""
    if any(mark in ending for mark in _SOLD) and others & _DWELLING:
        return True  # whoever buys the flat, those who rent it may stay
    tokens = tokens_of(said.value.text)
    places = [index for index, token in enumerate(tokens) if stem(token.low) in gone]
    if any(word in ending for word in _RENAMING_VERBS) and places:
        is_named = any(not tokens[index].text.islower() and index for index in places) or not all(
            str(word).isalpha() for word in gone
        )
        if not is_named and not others & _NAMING:
            return True  # a product of a new name has the same owner
        if is_named and all(_is_before_thing(tokens, index) for index in places):
            return True  # "the Kestrel building"
    if all(str(word).isdecimal() for word in gone):
        counted = {stem(tokens[index + 1].low) for index in places if index + 1 < len(tokens)}
        return bool(counted) and _is_of_other_unit(counted, ending)
    return bool(places) and all(_is_kind(tokens, index, ending) for index in places)


def _is_before_thing(tokens: Sequence[Token], index: int) -> bool:
    """Whether a name stands in front of what bears it, and is no project or service: "the Kestrel building"."""
    after = tokens[index + 1].low if index + 1 < len(tokens) else "."
    return index > 0 and tokens[index - 1].low == "the" and stem(after) in _BUILDINGS


def _is_of_other_unit(counted: set[str], ending: str) -> bool:
    """Whether a number is denied of something else: "80 guests, not 60" says nothing of 60 days."""
    told = [token.low for token in tokens_of(ending)]
    after = [stem(low) for at, low in enumerate(told[1:]) if told[at].isdecimal() or is_number_word(told[at])]
    nouns = {word for word in after if word.isalpha() and word not in _ENDS_PHRASE}
    numbers = [index for index, low in enumerate(told) if low.isdecimal()]
    nouns |= {stem(low) for index in numbers for low in told[index + 1 : index + 3] if low.isalpha() and low != "not"}
    nouns -= _ENDS_PHRASE
    return bool(nouns) and nouns.isdisjoint(counted)


def _is_kind(tokens: Sequence[Token], index: int, ending: str) -> bool:
    """Whether a plural only says of what kind something is: "a licence for cars" is no car."""
    low = tokens[index].low
    is_bare = index > 0 and tokens[index - 1].low in ("for", "about", "of")
    return is_bare and tokens[index].text.islower() and stem(low) != low and low not in ending


def _is_described_by(word: str, text: str, ending: str) -> bool:
    """Whether a common word stands in a text only as what describes a noun: "the smoke detector", "the car repair"."""
    tokens = tokens_of(text)
    places = [index for index, token in enumerate(tokens) if index and stem(token.low) == word]
    known = {token.low for token in tokens_of(ending)}
    return bool(places) and all(_is_before_noun(tokens, index, word, known) for index in places)


def _is_before_noun(tokens: Sequence[Token], index: int, word: str, known: set[str]) -> bool:
    after = tokens[index + 1].low if index + 1 < len(tokens) else "."
    if not tokens[index].text.islower() or tokens[index].low != word:
        return False
    if word in forms() and tokens[index - 1].low in DETERMINERS:
        return True
    if not after.isalpha() or after in _ENDS_PHRASE or after in known or is_number_word(after):
        return False
    return not after.endswith("ly") and (after not in forms() or after.endswith("ing"))


def _has_new_name(end: Claim, everything: _Words) -> bool:
    """Whether what is renamed is told by its new name already."""
    text = end.value.text.casefold()
    new = {stem(word) for word in text.rpartition(" to ")[2].split()} if "renamed" in text else set()
    return bool(new) and new <= everything


def _is_nowhere(end: Claim, said: Claim, gone: _Words, everything: _Words) -> bool:
    """Whether it is denied that there is what is spoken of: "there is no lift in the annex".

    Of what is no more, whatever is said of it is over as well, if it is known by more than a word.
    """
    if end.subject or end.scope or end.polarity or not gone <= everything or _is_part_of_name(gone, said.value.text):
        return False
    is_ours = set(said.subject.split()) <= gone | _OURS
    is_known = len(gone) > _WORD_AND_PLACE or (len(gone) == _WORD_AND_PLACE and bool(set(said.scope) & gone))
    is_over = end.change and end.value.text.casefold().startswith("there ")
    return gone == everything or (is_over and is_known and is_ours)


def _is_date(words: _Words, ending: str) -> bool:
    """Whether what is said of an event is only when it is, and the ending tells of no other day."""
    if words <= _EVENT:
        return True
    is_day = bool(words & _DAYS) and all(word in _EVENT or str(word).isdecimal() for word in words)
    told = ending.lower()
    return is_day and not any(letter.isdigit() for letter in told) and not any(day in told for day in _TODAY)


def _is_all_over(end: Claim, said: Claim) -> bool:
    """Whether a thing that is no more is said to do what only a thing in operation does."""
    is_gone = said.subject == join_topic(str(word) for word in end.value.norm) != ""
    text = end.value.text.lower()
    is_over = any(word in text for word in _FOR_GOOD) or ("terminated" in text and "contract" in end.value.norm)
    is_over = is_over and " last " not in text  # "was shut down last night" is once
    is_running = bool(_OPERATING & set(said.value.norm)) or " in use" in said.value.text.lower()
    return is_gone and is_over and is_running


def _is_out_of_use(end: Claim, said: Claim) -> bool:
    """Whether something is said to be in use, by nobody with a name of his own, that is no more at all."""
    gone, names = set(map(str, end.value.norm)), set(said.scope)
    text = end.value.text.casefold()
    is_over = any(word in text for word in (*_FOR_GOOD, "retired", "scrapped"))
    everything = set(said.value.norm) | set(said.subject.split())
    if end.scope or not is_over or " last " in text or not gone or not gone == names <= everything:
        return False
    first = said.value.text.split()[0].casefold()
    is_ours = first in _OWN or len(said.subject.split()) > 1 or stem(first) != first
    return is_ours and bool(_USING & set(said.value.norm)) and not _is_part_of_name(set(gone), said.value.text)


def _left_all(end: Claim, said: Claim) -> bool:
    """Whether somebody who left the company is said to have a post in it."""
    person = set(end.subject.split())
    if not person or person <= {"user", "we"} or len(person) > _NAME_WORDS:
        return False
    told = set(said.value.norm) if said.subject == end.subject else set(said.subject.split())
    is_told = said.subject == end.subject or said.value.norm == tuple(sorted(person))
    return is_told and bool(told & _POSTS)


def _is_of_it(end: Claim, said: Claim, gone: _Words, about: set[str]) -> bool:
    words, subject = set(said.value.norm), set(said.subject.split())
    if gone <= subject:
        return bool(about) and about <= words
    if not end.scope and not end.change:
        is_telling = len(gone) > 1 or gone == words or any(not str(word).isalpha() for word in gone)
        return end.subject == said.subject and is_telling
    everything = words | subject
    holder = set(end.subject.split())
    is_open = holder <= {"user"} or holder <= gone
    return (about - {"user"}) <= everything and (
        said.subject == end.subject
        or (is_open and subject <= holder | about | gone)
        or (gone - subject == words and words <= set(said.scope) and holder <= {"user"} and holder <= subject)
    )


def _of_whom(end: Claim) -> set[str]:
    """Of whom a denial denies something; whoever brought an ending about is among what it is about already."""
    return set() if end.scope or set(end.subject.split()) & set(end.value.norm) else set(end.subject.split()) - {"we"}


def _is_beside(end: Claim, said: Claim, gone: _Words, about: set[str]) -> bool:
    """Whether an address is no more at all, or all that is said of it stands beside its ending."""
    said_subject = set(said.subject.split())
    everything = said_subject | set(said.value.norm)
    if not about - {"user"} <= everything:
        return False
    if end.single and any(_is_address(str(word)) for word in gone):
        return True
    if gone <= said_subject and not (about - {"user"}) & set(said.value.norm):
        return False
    return everything - gone - _IN_USE <= set((end.topic or "").split())


def _is_address(word: str) -> bool:
    """Whether a word names one thing whatever is said of it: an e-mail address, a path, a host, a channel."""
    return "@" in word or "/" in word or word[0] == "#" or ("." in word.strip(".") and not word[0].isdigit())


def _is_part_of_name(gone: _Words, text: str) -> bool:
    """Whether what ends is in what is said only as a part of a longer name: "Azure" in "Azure DevOps"."""
    tokens = tokens_of(text)
    for index, token in enumerate(tokens):
        if stem(token.low) not in gone or not token.text[0].isupper():
            continue
        around = [tokens[i] for i in (index - 1, index + 1) if 0 < i < len(tokens)]
        if any(
            near.text[0].isupper() and near.low != "the" and stem(near.low.removesuffix("'s")) not in gone
            for near in around
        ):
            return True
    return False
