"""The closed word classes that the grammar leans on, all lower case, and the singular of a noun.

The words are data: `lexicon.toml` says beside them what each class is for. A word that is in none of these tables is a
content word: it names something, or it blocks a comparison.
"""

from __future__ import annotations

from typing import Final

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
#: What stands in front of one thing that is known.
DEFINITE: Final = THEIR | {"the", "my", "our"}
#: Of several things, not all.
QUANTITIES: Final = WORDS["quantities"]
QUANTIFIERS: Final = WORDS["quantifiers"]
INDEFINITE: Final = WORDS["indefinite"]
PRONOUNS: Final = WORDS["pronouns"]
SUBJECT_PRONOUNS: Final = WORDS["subject_pronouns"]
FIRST_PERSON: Final = WORDS["first_person"]
PREPOSITIONS: Final = WORDS["prepositions"]
#: What begins a clause that describes a noun.
CONJUNCTIONS: Final = WORDS["conjunctions"]
EPHEMERAL: Final = WORDS["ephemeral"]
#: Where a thing goes, without a noun.
PARTICLES: Final = WORDS["particles"]
NEUTRAL: Final = WORDS["neutral"]
ADDITIVE: Final = WORDS["additive"]
REASONS: Final = WORDS["reasons"]
RELATIVES: Final = WORDS["relatives"]
#: Word sequences that change nothing either.
NEUTRAL_PHRASES: Final = split_wordings(_TABLE["neutral_phrases"].split("|"))

_MODALITY: Final = read_table(__file__, "modality")
#: Words that show how far a text stands behind what it says: those of any text, and those that count in a memory only.
SPOKEN: Final = word_sets(_MODALITY["spoken"])
WRITTEN: Final = word_sets(_MODALITY["written"])
CONDITIONS: Final = SPOKEN["condition"]
NEARLY: Final = SPOKEN["nearly"]
HYPOTHESIS_WORDS: Final = SPOKEN["hypothesis"] | CONDITIONS | WRITTEN["hypothesis"]
PLAN_WORDS: Final = SPOKEN["plan"] | WRITTEN["plan"]
RECOMMENDATION_WORDS: Final = SPOKEN["recommendation"] | WRITTEN["recommendation"]
ESTIMATE_WORDS: Final = SPOKEN["estimate"] | SPOKEN["unsure"] | NEARLY | WRITTEN["estimate"] | WRITTEN["roughly"]
#: Words that tell nothing where a capital makes them part of a name: "Will Tran", "One Nation", "A Passage to India".
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

#: What is told with one of these is so only as long as something else is.
MEANWHILE: Final = WORDS["meanwhile"]
PASSING: Final = WORDS["passing"] | MEANWHILE | CONDITIONS

#: How somebody told something.
TOLD: Final = WORDS["told"]
#: What somebody said was.
WRONG: Final = WORDS["wrong"]
REPORT_LEMMAS: Final = WORDS["report_lemmas"]
THINK_LEMMAS: Final = WORDS["think_lemmas"]
ASK_LEMMAS: Final = WORDS["ask_lemmas"]

#: Words for the environment that a thing runs in; taken out of a subject into the scope.
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
#: Plurals that no ending tells, or not only.
SINGULARS: Final[dict[str, str]] = dict(row.split("=") for row in _TABLE["nouns"]["plurals"].split())


def singular(word: str) -> str:
    """A plural noun without its ending; rough, but the same for the same word."""
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
