"""Verb forms: the lemma of a word, and which of its forms it is (base, third person, past, participle, -ing)."""

from __future__ import annotations

from functools import cache
from typing import Final

from .lexicon import AUXILIARIES
from .tables import read_table, split_wordings

_TABLE: Final = read_table(__file__, "verbs")
#: Lemma, third person, past, participle and -ing of the verbs that have forms of their own.
IRREGULAR: Final = split_wordings(_TABLE["irregular"].split("|"))
_DOUBLING: Final = frozenset(_TABLE["doubling"].split())

BE_PRESENT: Final = frozenset(("am", "is", "are"))
BE_PAST: Final = frozenset(("was", "were"))
HAVE_FORMS: Final = frozenset(("has", "have", "had"))
DO_FORMS: Final = frozenset(("do", "does", "did"))
MODALS: Final = AUXILIARIES - BE_PRESENT - BE_PAST - HAVE_FORMS - DO_FORMS


def _inflect(lemma: str) -> tuple[str, str, str, str]:
    """Return third person, past, participle and -ing form of a regular verb."""
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies", lemma[:-1] + "ied", lemma[:-1] + "ied", lemma + "ing"
    third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if lemma.endswith("e"):
        return third, lemma + "d", lemma + "d", lemma[:-1] + "ing"
    stem = lemma + lemma[-1] if lemma in _DOUBLING else lemma
    return third, stem + "ed", stem + "ed", stem + "ing"


@cache
def forms() -> dict[str, tuple[str, str]]:
    """Return each word with its lemma and the letters of its forms: b(ase), s, d (past), n (participle), g (-ing)."""
    table: dict[str, tuple[str, str]] = {}

    def enter(word: str, lemma: str, letter: str) -> None:
        known = table.get(word)
        table[word] = (known[0], known[1] + letter) if known and known[0] == lemma else (lemma, letter)

    regular = {lemma: _inflect(lemma) for lemma in _TABLE["regular"].split()}
    irregular = {lemma: (third, *others) for lemma, third, *others in IRREGULAR}
    for lemma, (third, past, participle, gerund) in {**regular, **irregular}.items():
        for word, letter in ((lemma, "b"), (third, "s"), (past, "d"), (participle, "n"), (gerund, "g")):
            enter(word, lemma, letter)
    for lemma in _TABLE["past_only"].split():
        _, past, participle, gerund = _inflect(lemma)
        for word, letter in ((past, "d"), (participle, "n"), (gerund, "g")):
            enter(word, lemma, letter)
    for lemma in _TABLE["british"].split():
        enter(f"{lemma}led", lemma, "dn")
        enter(f"{lemma}ling", lemma, "g")
    table["found"] = ("find", "dn")  # and "founded" is of "found"
    del table["die"]  # an article in German, which is not read; "died" is what memories say
    table |= dict.fromkeys(BE_PRESENT, ("be", "s")) | dict.fromkeys(BE_PAST, ("be", "d"))
    table |= {"be": ("be", "b"), "been": ("be", "n"), "being": ("be", "g")}
    return table


def inflection_of(word: str) -> tuple[str, str]:
    """Return the lemma of a verb form and the letters of its forms (see `forms`); two empty texts for no verb."""
    return forms().get(word, ("", ""))


def lemma_of(word: str) -> str:
    """Return the lemma of a verb form; empty for no verb."""
    return inflection_of(word)[0]


def letters_of(word: str) -> str:
    """Return the letters of the forms that a verb form is (see `forms`); empty for no verb."""
    return inflection_of(word)[1]


@cache
def participles() -> dict[str, tuple[str, ...]]:
    """Return for each lemma its past participles."""
    table: dict[str, tuple[str, ...]] = {}
    for word, (lemma, letters) in forms().items():
        if "n" in letters:
            table[lemma] = (*table.get(lemma, ()), word)
    return table


def is_verb(word: str) -> bool:
    """Whether a lower-case English word is a form of a verb that the grammar knows."""
    return word in forms()
