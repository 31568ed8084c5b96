"""Every clause of the tables of phrases, with each of its alternatives, is read as its slot (T-03, C-39).

What is said is made of the clause as it is written: a verb in its third person or in the past, or a participle after
"be", and a value that its reader takes. So no clause stands there that no sentence comes to.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import extract_claims
from memory_ledger.claims.clauses.phrased import PhrasePattern, phrase_patterns, ways
from memory_ledger.claims.values.marks import Choice
from memory_ledger.language.lexicon import FAMILIES
from memory_ledger.language.verbs import forms
from value_types import VALUE_TYPES

CASES = read_cases(__file__)

FORMS = {(lemma, letter): word for word, (lemma, letters) in forms().items() for letter in letters}
FORMS |= {("be", "s"): "is", ("be", "d"): "was", ("have", "s"): "has"}
SUBJECTS = ("Ann", "Heron", "The user", "The Heron service")
FIXED = {"W": "orders", "~": "a cook", "SCHOOL": "Oakfield School", "COMPANY": "Acme Inc", "JOB": "a nurse"}
#: What is said otherwise: the value is the verb, or what is done stands behind "should be" and "is the one to".
OTHERWISE = {
    *("S V to work/office/job", "office", "job", "S should be call V", "S should be address as V"),
    *("in emergency V be [person/one] to call/contact/notify/ring for S", "contact", "notify", "ring"),
}
#: Clauses of slots with any noun that are not read, since no table has their verb: a whole statement had hidden that.
OTHERWISE |= {
    *("V clean S 's teeth", "V photograph S 's wedding", "V be best man when S marry", "P of S 's be V"),
    *("V clean [for] S 's home/flat/apartment/house/studio/room/place/unit", "V act/serve/work as S 's P"),
    *("V list S 's home/flat/apartment/house/studio/room/place/unit", "V act/serve/work as P of/for/to S"),
    "V be [person/one] to call/contact/notify/ring in/for emergency [for] S",
    "S buy/get [all/of] [weekly/main] groceries/food from/at V each/every week",
    *"file house place flat apartment service room unit look_after studio mind take_on get lift at to for".split(),
    *"photograph food workout seeing every".split(),
}
PATTERNS = phrase_patterns()


def values(pattern: PhrasePattern) -> Iterator[str]:
    """Yield what the readers of a clause take."""
    for reader in pattern.row.reads:
        if isinstance(reader, Choice):
            yield " ".join(reader.names[0][0])
        elif reader.startswith("term:"):
            yield FAMILIES[reader.removeprefix("term:")].split()[0].split("=")[0].replace("_", " ").title()
        else:
            yield VALUE_TYPES[reader].first if reader in VALUE_TYPES else "Otto Weber"


def sayings(pattern: PhrasePattern, place: int = -1, number: int = 0) -> Iterator[str]:
    """Yield sentences of a clause, with an alternative of the part at a place."""
    parts = pattern.written.removeprefix("!").split()
    for subject, value, letter, their, after in product(
        SUBJECTS, values(pattern), "sdb", ("their", "her"), ("", "be", "have")
    ):
        said: list[str] = []
        verb = before = ""
        for at, part in enumerate(parts):
            if part.startswith("["):
                continue
            ways_of = part.split("/")
            lemma, *rest = ways_of[number if at == place else 0].split("_")
            if part == "'s":
                said[-1] += "'s"
            elif part in FIXED or not part[0].islower():
                nouns = " ".join(next(iter(ways(pattern.row.nouns)), ()))
                said.append({"S": subject, "V": value, "P": nouns, **FIXED}[part])
            elif part == "their":
                said.append(their)
            elif after and verb == after and (lemma, "n") in FORMS and before not in ("to", "as"):
                said.append(" ".join([FORMS[lemma, "n"], *rest]))
            elif not verb and at and (lemma, letter) in FORMS and before not in ("'s", "to", "at", "in", "of"):
                verb = lemma
                said.append(" ".join([FORMS[lemma, letter], *rest]))
            else:
                said.append(" ".join([lemma, *rest]))
            before = part
        yield " ".join(said)[:1].upper() + " ".join(said)[1:]


def is_read(pattern: PhrasePattern, text: str) -> bool:
    slots = [re.escape(slot).replace(r"\{\}", ".+") + "( .+)?" for slot in pattern.row.slots]
    return any(
        not claim.loose and any(re.fullmatch(slot, claim.slot) for slot in slots) for claim in extract_claims(text)
    )


def unread(patterns: Sequence[PhrasePattern]) -> list[str]:
    found = []
    for pattern in patterns:
        parts = pattern.written.removeprefix("!").split()
        each = [
            (at, number)
            for at, one in enumerate(parts)
            if "/" in one and not one.startswith("[")
            for number in range(1, one.count("/") + 1)
        ]
        for at, number in [(-1, 0), *each]:
            if not any(is_read(pattern, text) for text in sayings(pattern, at, number)):
                found.append(parts[at].split("/")[number] if each and at >= 0 else pattern.written)
    return found


@pytest.mark.parametrize(("text", "slot"), CASES["what_is_said_otherwise_is_read"])
def test_what_is_said_otherwise_is_read(text: str, slot: str) -> None:
    assert slot in {claim.slot for claim in extract_claims(text)}


@pytest.mark.parametrize("step", [pytest.param(3, id="a third"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_every_alternative_of_a_clause_is_read(step: int) -> None:
    assert set(unread(PATTERNS[::step])) - OTHERWISE == set()
