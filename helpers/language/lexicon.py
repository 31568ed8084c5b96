"""The closed word classes that the grammar leans on: tables only, all lower case.

A word that is in none of these tables is a content word: it names something, or it blocks a comparison.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Written forms that stand for two words. The tokens share the span of the form.
CONTRACTIONS: Final[dict[str, tuple[str, ...]]] = {
    **{f"{p}'m": (p, "am") for p in ("i",)},
    **{f"{p}'re": (p, "are") for p in ("we", "you", "they")},
    **{f"{p}'ve": (p, "have") for p in ("i", "we", "you", "they")},
    **{f"{p}'ll": (p, "will") for p in ("i", "we", "you", "they", "it", "he", "she", "that")},
    **{f"{p}'d": (p, "would") for p in ("i", "we", "you", "they", "it", "he", "she")},
    **{f"{p}'s": (p, "is") for p in ("it", "he", "she", "that", "this", "there", "what", "who", "where", "here")},
    **{
        f"{verb}n{mark}t": (verb, "not")
        for mark in ("'", "")
        for verb in (
            *("do", "does", "did", "is", "are", "was", "were", "has", "have", "had"),
            *("should", "would", "could", "must", "need"),
        )
    },
    "won't": ("will", "not"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "let's": ("let", "us"),
}

DETERMINERS: Final = _words("the my our this that these those a an its his her their your")
POSSESSIVES: Final = _words("my our his her their its your")
#: Whose it is, told of somebody who was named before.
THEIR: Final = frozenset(("their", "his", "her", "its"))
#: What stands in front of one thing that is known.
DEFINITE: Final = THEIR | {"the", "my", "our"}
QUANTIFIERS: Final = frozenset(("every", "each", "all", "any"))
#: A subject that starts with one of these is not one definite thing, so it carries no claim.
INDEFINITE: Final = _words(
    "a an some many most few several any each every another other others all both either neither no none nobody"
    " nothing noone everyone everybody someone somebody anyone anybody people one half various certain such"
)
#: Subjects that only the surrounding text resolves; resolving them would be a guess.
PRONOUNS: Final = _words(
    "it he she they this that these those there here who whom whose which what him her them his hers its their theirs"
    " himself herself itself themselves something anything everything one ones mine ours yours"
)
FIRST_PERSON: Final = _words("i me myself")
PREPOSITIONS: Final = _words(
    "in on at for with by from to of under over during within without into onto via through against between among"
    " inside outside near behind across per about after before until till since as than like except unless when while"
    " where whenever once if because using despite besides alongside around along upon toward towards"
)
CONJUNCTIONS: Final = _words("and or but nor plus & so yet")
#: Things of which every conversation has another one: "the PR", "the error" name nothing across memories.
EPHEMERAL: Final = _words(
    "pr mr commit error bug run call message email mail query request response result output step command session"
    " question answer link article video exception traceback issue ticket item screenshot attachment warning exercise"
    " example thing other problem patch diff appointment"
)
#: Adverbs that change neither what is said nor when it holds.
NEUTRAL: Final = _words(
    "now currently still already just recently officially actually presently again anyway indeed really"
    " finally please only simply explicitly basically definitely certainly always therefore thus thanks directly"
    " nowadays anymore specifically hereby own successfully"
)
#: Words that add a value to what is known: what they introduce excludes nothing.
ADDITIVE: Final = _words("also too additionally furthermore moreover both besides alternatively")
#: Word sequences that change nothing either.
NEUTRAL_PHRASES: Final = (
    ("as", "well"),
    ("at", "the", "moment"),
    ("at", "present"),
    ("right", "now"),
    ("these", "days"),
    ("any", "more"),
    ("any", "longer"),
    ("as", "of", "now"),
    ("as", "of", "today"),
    ("as", "of", "this", "week"),
    ("from", "now", "on"),
    *(
        (*words, period, *end)
        for words, end in ((("from", "this"), ("on",)), (("as", "of", "this"), ()))
        for period in ("month", "year", "sprint", "quarter", "semester")
    ),
    ("from", "this", "week", "on"),
    ("of", "course"),
    ("so", "far"),
    ("to", "be", "clear"),
)

#: Words that show how far the text stands behind what it says. Checked in this order.
HYPOTHESIS_WORDS: Final = _words(
    "if unless whether suppose supposing supposedly assuming assume assumes assumed hypothetically imagine would could"
    " might can wish wishes wished otherwise provided allegedly e.g eg example"
)
PLAN_WORDS: Final = _words(
    "will shall plan plans planned planning intend intends intended want wants wanted hope hopes hoping consider"
    " considers considered considering todo tbd goal eventually someday soon tomorrow upcoming wanna gonna aim aims"
    " aiming aspires proposes proposed proposal roadmap next try tries trying tried"
)
RECOMMENDATION_WORDS: Final = _words(
    "should ought must recommend recommends recommended recommending suggest suggests suggested advise advises advised"
    " better ideally shouldnt needs-to"
)
ESTIMATE_WORDS: Final = _words(
    "probably maybe perhaps possibly likely approximately roughly usually often sometimes typically generally mostly"
    " occasionally mainly seems seem seemed appears appear apparently presumably guess reckon unsure rarely seldom"
    " hardly barely scarcely normally frequently estimate estimated estimates almost nearly approx circa ~ essentially"
    " sort kinda unclear unknown partially partly"
)
#: Words that tell nothing where a capital makes them part of a name: "Will Tran", "One Nation", "A Passage to India".
IN_NAMES: Final = (
    INDEFINITE | PRONOUNS | HYPOTHESIS_WORDS | PLAN_WORDS | RECOMMENDATION_WORDS | ESTIMATE_WORDS
) - _words("next soon tomorrow someday eventually upcoming todo tbd this that these those")
#: "about 5", "around 3.11": a band, when a number follows.
BAND_WORDS: Final = _words("about around roughly approximately approx circa ~ nearly almost some over under ca")

PAST_WORDS: Final = _words(
    "previously formerly originally initially yesterday ago earlier previous former old original past historically"
)
#: People and animals of which somebody may have several: another name is another one of them.
OF_SEVERAL: Final = _words(
    "friend colleague coworker child kid baby son daughter brother sister sibling cousin uncle aunt niece nephew"
    " grandchild grandson granddaughter grandmother grandfather neighbour neighbor roommate flatmate teammate pet cat"
    " dog hamster bird horse rabbit client customer teacher student mentee intern employee"
)
#: Days that another text means otherwise.
DEICTIC_DAYS: Final = _words("today tonight tomorrow")
#: "last week", "this year": the word after "last" or "this".
PERIODS: Final = _words(
    "morning afternoon evening weekend week month year night summer winter spring autumn fall quarter sprint time"
    " decade century"
)

#: What is said under one of these does not last, or not always hold.
PASSING: Final = _words(
    "temporarily during while until till today tonight week weekend month if when unless would could might sometimes"
    " except"
)

#: Verbs that report speech: the speaker decides what the rest is worth.
REPORT_LEMMAS: Final = _words(
    "say tell mention state confirm note clarify claim report explain announce write specify indicate share warn joke"
    " argue insist add point reply answer admit promise show"
)
THINK_LEMMAS: Final = _words("think believe guess suspect feel doubt expect assume reckon remember recall imagine hear")
ASK_LEMMAS: Final = _words("ask wonder inquire question")

#: Words for the environment that a thing runs in; taken out of a subject into the scope.
ENVIRONMENTS: Final[dict[str, str]] = {
    "staging": "staging",
    "stage": "staging",
    "production": "production",
    "prod": "production",
    "live": "production",
    "development": "development",
    "dev": "development",
    "local": "local",
    "locally": "local",
    "localhost": "local",
    "qa": "qa",
    "uat": "uat",
    "sandbox": "sandbox",
    "preview": "preview",
    "canary": "canary",
    "ci": "ci",
}
#: Nouns that add nothing to the name of an environment.
ENVIRONMENT_NOUNS: Final = _words("environment environments env server servers cluster mode instance region")

#: Words by which a clause shows that it is English; without one it is not read.
ENGLISH: Final = _words(
    "the a an is are am was were be been has have had do does did not never always i my we our you your user user's and"
    " or of to in on at for with from by this that it he she they his her their after before every each within"
    " until now only its"
)
ABBREVIATIONS: Final = _words("e.g i.e vs approx etc dr mr mrs ms prof inc st jr sr no. ca cf")

QUESTION_OPENERS: Final = _words("what which who whom whose when where why how")
AUXILIARIES: Final = _words(
    "is are am was were do does did has have had can could will would should may might shall must"
)

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS: Final = {
    name + suffix: number
    for number, name in enumerate(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), start=1
    )
    for suffix in ("", "s")
}
CALENDAR: Final = frozenset(MONTHS) | frozenset(WEEKDAYS)
