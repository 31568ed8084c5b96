"""The closed word classes that the grammar leans on, and families of names of which two exclude each other."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from .tables import read_table, split_members, split_wordings, word_sets

_TABLE: Final = read_table(__file__, "lexicon")
WORDS: Final = word_sets(_TABLE["words"])

#: Written forms that stand for two words. The tokens share the span of the form.
CONTRACTIONS: Final[dict[str, tuple[str, ...]]] = {
    **{
        f"{word}{ending}": (word, second)
        for ending, second, *words in split_wordings(_TABLE["contractions"])
        for word in words
    },
    **{f"{verb}n{mark}t": (verb, "not") for mark in ("'", "") for verb in _TABLE["negated"].split()},
    **{form: tuple(" ".join(words).split()) for form, *words in split_members(_TABLE["irregular_contractions"])},
}
#: One word in its spellings, the first of which stands for all.
_BY_COUNTRY: Final = split_members(_TABLE["by_country"])
AMERICAN: Final = {british: american for american, *others in _BY_COUNTRY for british in others}
SPELLINGS: Final = [*_BY_COUNTRY, *split_members(_TABLE["spellings"])]
SAME_TOPICS: Final = split_members(_TABLE["same_topics"])
ARTICLES: Final = WORDS["articles"]
DETERMINERS: Final = WORDS["determiners"]
POSSESSIVES: Final = WORDS["possessives"]
THEIR: Final = WORDS["their"]
#: Words in front of one known thing.
DEFINITE: Final = THEIR | {"the", "my", "our"}
#: Words for several things, but not all.
QUANTITIES: Final = WORDS["quantities"]
QUANTIFIERS: Final = WORDS["quantifiers"]
INDEFINITE: Final = WORDS["indefinite"]
PRONOUNS: Final = WORDS["pronouns"]
SUBJECT_PRONOUNS: Final = WORDS["subject_pronouns"]
FIRST_PERSON: Final = WORDS["first_person"]
PREPOSITIONS: Final = WORDS["prepositions"]
CONJUNCTIONS: Final = WORDS["conjunctions"]
EPHEMERAL: Final = WORDS["ephemeral"]
#: Words for where a thing goes, without a noun.
PARTICLES: Final = WORDS["particles"]
NEUTRAL: Final = WORDS["neutral"]
ADDITIVE: Final = WORDS["additive"]
REASONS: Final = WORDS["reasons"]
#: Words that begin a clause which describes a noun.
RELATIVES: Final = WORDS["relatives"]
#: Sequences of words that change nothing either.
NEUTRAL_PHRASES: Final = split_wordings(_TABLE["neutral_phrases"].split("|"))
_MODALITY: Final = read_table(__file__, "modality")
#: Words of modality: those of any text, and those that count in a memory only.
SPOKEN: Final = word_sets(_MODALITY["spoken"])
WRITTEN: Final = word_sets(_MODALITY["written"])
CONDITIONS: Final = SPOKEN["condition"]
NEARLY: Final = SPOKEN["nearly"]
HYPOTHESIS_WORDS: Final = SPOKEN["hypothesis"] | CONDITIONS | WRITTEN["hypothesis"]
PLAN_WORDS: Final = SPOKEN["plan"] | WRITTEN["plan"]
RECOMMENDATION_WORDS: Final = SPOKEN["recommendation"] | WRITTEN["recommendation"]
ESTIMATE_WORDS: Final = SPOKEN["estimate"] | SPOKEN["unsure"] | NEARLY | WRITTEN["estimate"] | WRITTEN["roughly"]
#: Words that mean nothing as part of a capitalised name: "Will Tran", "One Nation", "A Passage to India".
IN_NAMES: Final = (
    INDEFINITE | PRONOUNS | HYPOTHESIS_WORDS | PLAN_WORDS | RECOMMENDATION_WORDS | ESTIMATE_WORDS
) - frozenset(_TABLE["not_in_names"].split())
BAND_WORDS: Final = WRITTEN["about"] | WRITTEN["roughly"] | NEARLY
PAST_WORDS: Final = WORDS["past_words"]
SINCE: Final = REASONS | {"after"}
OF_SEVERAL: Final = WORDS["of_several"]
DEICTIC_DAYS: Final = WORDS["deictic_days"]
TIME_OPENERS: Final = WORDS["time_openers"]
DEICTIC_TIMES: Final = WORDS["deictic_times"]
PERIODS: Final = WORDS["periods"]
#: Words of what holds only as long as something else does.
MEANWHILE: Final = WORDS["meanwhile"]
PASSING: Final = WORDS["passing"] | MEANWHILE | CONDITIONS
#: Past forms of verbs of telling.
#: Words for what turned out to be false.
WRONG: Final = WORDS["wrong"]
REPORT_LEMMAS: Final = WORDS["report_lemmas"]
THINK_LEMMAS: Final = WORDS["think_lemmas"]
ASK_LEMMAS: Final = WORDS["ask_lemmas"]
#: Words for the environment that a thing runs in, which are moved from a subject to the scope.
ENVIRONMENTS: Final = {word: ways[0] for ways in split_members(_TABLE["environments"]) for word in ways}
ENVIRONMENT_NOUNS: Final = WORDS["environment_nouns"]
ENGLISH: Final = WORDS["english"]
ABBREVIATIONS: Final = WORDS["abbreviations"]
AUXILIARIES: Final = WORDS["auxiliaries"]
MONTHS: Final = {
    name: number for number, names in enumerate(_TABLE["months"].split("|"), start=1) for name in names.split()
}
WEEKDAYS: Final = {
    name + suffix: number for number, name in enumerate(_TABLE["weekdays"].split(), start=1) for suffix in ("", "s")
}
CALENDAR: Final = frozenset(MONTHS) | frozenset(WEEKDAYS)
#: Words that only look like a plural, or like a form of a verb.
UNINFLECTED: Final = frozenset(_TABLE["nouns"]["uninflected"].split())
#: Plurals that their ending does not tell.
SINGULARS: Final[dict[str, str]] = dict(row.split("=") for row in _TABLE["nouns"]["plurals"].split())
_FAMILIES: Final = read_table(__file__, "terms")
#: family -> members; `a=b` writes the same member in several ways, `_` stands for a space.
FAMILIES: Final[dict[str, str]] = _FAMILIES["families"]
#: Families of which one member serves one purpose ("files are encrypted with AES-256").
SERVING: Final = frozenset(family.strip() for family in _FAMILIES["serving"].split("|"))
#: Member -> narrower members, which agree with it and are more precise.
WIDER: Final[dict[str, frozenset[str]]] = {
    name: frozenset(member for (member,) in split_members(members)) for name, members in _FAMILIES["wider"].items()
}
#: Head nouns of jobs; what stands before the head is a detail ("backend developer", "software engineer").
JOBS: Final[str] = _FAMILIES["jobs"]
#: Names that may carry a bare whole number as their version ("Node 18"); others need a dot, a "v" or "version".
VERSIONED: Final[str] = _FAMILIES["versioned"]
#: Canonical name of a member -> the other families that it belongs to.
ALSO: Final[dict[str, tuple[str, ...]]] = {name: tuple(also.split("|")) for name, also in _FAMILIES["also"].items()}
#: Family -> families whose members can do the same work.
_WIDER_FAMILY: Final[dict[str, tuple[str, ...]]] = {
    family: tuple(wider.split("|")) for family, wider in _FAMILIES["wider_family"].items()
}
_FORMS: Final = read_table(__file__, "tools")
_PLAIN_WORDS: Final = frozenset(_FORMS["plain_words"].split())
_OF_PLAIN_WORDS: Final = frozenset(_FORMS["of_plain_words"].split("|"))


def singular(word: str) -> str:
    """Return a plural noun without its ending; rough, but the same for the same word."""
    if word in SINGULARS and word.endswith("s"):
        return SINGULARS[word]
    if word in UNINFLECTED:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _members(text: str) -> dict[tuple[str, ...], str]:
    """Return each written form, as a sequence of words, with the canonical name."""
    return {tuple(form.split()): ways[0] for ways in split_members(text) for form in ways}


@cache
def terms() -> dict[tuple[str, ...], tuple[str, str]]:
    """Return for each sequence of words its family and canonical name."""
    table: dict[tuple[str, ...], tuple[str, str]] = {}
    for family, members in FAMILIES.items():
        table |= {words: (family, name) for words, name in _members(members).items()}
    licensed = {words: term for words, term in table.items() if term[0] == "licence" and len(words) == 1}
    return table | {(f"{words[0]}-licensed",): term for words, term in licensed.items()}


def further_families(norm: tuple[str | float, ...]) -> tuple[str, ...]:
    """Return the families that a member belongs to beside its own."""
    wider = _WIDER_FAMILY.get(str(norm[0]), ()) if norm else ()
    return (*wider, *(ALSO.get(str(norm[1]), ()) if len(norm) > 1 else ()))


@cache
def jobs() -> dict[str, str]:
    """Return for each head noun of a job its class."""
    return {words[0]: name for words, name in _members(JOBS).items()}


@cache
def versioned_names() -> dict[str, str]:
    """Return each name of something that has versions with the canonical name."""
    return {words[0]: name for words, name in _members(VERSIONED).items() if len(words) == 1}


class Purpose(NamedTuple):
    """`tells`: words of which one must stand beside a member; `a=b` are two of one meaning, each other is its own.

    Those that begin with `?` count only if no other tells. `beside`: words that say no more.
    """

    members: str
    tells: str
    beside: str = ""


PURPOSES: Final[dict[str, Purpose]] = {
    family: Purpose(**row)
    for name in ("tools_running", "tools_code", "tools_office", "tools_styles")
    for family, row in read_table(__file__, name).items()
}


class Tool(NamedTuple):
    """One written form: its families with its name in each, and whether it counts only with a capital letter."""

    names: tuple[tuple[str, str], ...]
    is_plain: bool


@cache
def tools() -> dict[tuple[str, ...], Tool]:
    """Return for each sequence of words the tool that it names."""
    table: dict[tuple[str, ...], Tool] = {}
    for family, purpose in PURPOSES.items():
        for written in split_members(purpose.members):
            if family == "naming":  # "snake_case" is one word
                written += [name.replace(" ", "_") for name in written if " " in name]
            for form in written:
                words = tuple(form.split())
                is_plain = form in _PLAIN_WORDS and family not in _OF_PLAIN_WORDS
                names = table[words].names if words in table else ()
                table[words] = Tool((*names, (family, written[0])), is_plain)
    return table
