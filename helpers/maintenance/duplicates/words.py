"""The closed word classes by which two wordings of one statement are told from two statements: tables only (T-67).

What is not in here means itself: a word in the place of another one is another statement.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES: Final = _words("the a an")
#: Words without which a sentence says the same.
FILLERS: Final = _words(
    "please currently presently now still already also really very quite basically simply indeed just too actually "
    "kindly both hereby"
)
#: A denial or a limit reaches what follows it: these stand where they stand.
SCOPED: Final = _words("not never no only nor neither none nothing nobody without hardly barely rarely seldom except")
DEMONSTRATIVES: Final = _words("this that these those")
POSSESSIVES: Final = _words("my your his her its our their")
PRONOUNS: Final = _words("i you he she it we they me him us them who what")
BE: Final = {
    **dict.fromkeys(("is", "are", "am", "be", "been", "being"), "be"),
    **dict.fromkeys(("was", "were"), "was"),
}
MODALS: Final = _words("must should can may will would could might shall")
#: Prepositions: what stands behind one belongs to it.
PREPOSITIONS: Final = _words(
    "in on at to of for with by from about into onto over under between among through during against within behind "
    "beside near above below across along around toward per via despite until since after before"
)
#: What was done by one of these was done by then, or so: it is nobody who did it.
NO_DOERS: Final = frozenset(
    "default hand mistake accident chance then now noon midnight monday tuesday wednesday thursday friday saturday "
    "sunday tomorrow tonight".split()
)
#: A clause that one of these opens may stand in front or behind.
SUBORDINATORS: Final = _words(
    "if when because since although though while after before unless until once whenever whereas where"
)
CONJUNCTIONS: Final = _words("and or but so then which who that")
#: What makes the order of a list count.
ORDERED: Final = _words("respectively then first second third next before after between from former latter versus vs")
#: Adverbs that stand anywhere in their clause.
FLOATING: Final = _words(
    "always usually often sometimes typically generally normally frequently occasionally regularly automatically "
    "manually daily nightly weekly monthly yearly hourly today tomorrow yesterday tonight together mostly mainly "
    "primarily largely"
)
#: Behind one of these "of" is no possessive.
AMOUNTS: Final = _words(
    "lot lots number one two three some all most many none each any part half kind sort type couple few majority out "
    "instead because made consist composed aware capable fond afraid version copy set pair range"
)
#: Verbs that are followed by a list of things.
LIST_VERBS: Final = _words(
    "use like love hate need have want support require include contain provide offer know speak eat drink own play "
    "prefer accept allow visit teach learn study write read buy sell see enjoy cover store keep send own maintain"
)
#: Such words end in "s", "ing" or "ed" and are no inflection of what is left without it.
NOT_INFLECTED: Final = _words(
    "news always lens glasses goods customs arms savings headquarters jeans pants shorts thanks its his this us as "
    "has does was is yes perhaps besides means series species kubernetes redis aws dns css https sales pros bus plus "
    "status analysis basis during string nothing something anything everything embed hundred shed need speed feed "
    "seed indeed exceed proceed succeed instead ahead bed red"
)

#: Past forms and participles, with what they are of.
IRREGULAR_PAST: Final = {
    form: base
    for base, forms in {
        "begin": "began begun", "break": "broke broken", "bring": "brought", "build": "built", "buy": "bought",
        "catch": "caught", "choose": "chose chosen", "come": "came", "do": "done", "draw": "drew drawn",
        "drink": "drank drunk", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen",
        "feel": "felt", "fight": "fought", "find": "found", "fly": "flew flown", "forget": "forgot forgotten",
        "get": "got gotten", "give": "gave given", "go": "went gone", "grow": "grew grown", "hear": "heard",
        "hold": "held", "keep": "kept", "know": "knew known", "lead": "led", "lend": "lent", "lose": "lost",
        "make": "made", "mean": "meant", "meet": "met", "pay": "paid", "ride": "rode ridden", "rise": "rose risen",
        "run": "ran", "say": "said", "see": "saw seen", "sell": "sold", "send": "sent", "show": "shown",
        "sing": "sang sung", "sleep": "slept", "speak": "spoke spoken", "spend": "spent", "steal": "stole stolen",
        "take": "took taken", "teach": "taught", "tell": "told", "think": "thought", "throw": "threw thrown",
        "understand": "understood", "wear": "wore worn", "win": "won", "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip
IRREGULAR_FORMS: Final = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "indices": "index", "indexes": "index", "matrices": "matrix", "vertices": "vertex",
    "criteria": "criterion", "analyses": "analysis", "wives": "wife", "lives": "live", "knives": "knife",
    "shelves": "shelf", "leaves": "leave", "goes": "go", "does": "do", "has": "have", "caches": "cache",
    "caching": "cache", "cached": "cache",
}  # fmt: skip

#: Phrases that one word, or none, stands for; in lower case, longest first.
PHRASES: Final = {
    tuple(found.split()): tuple(meant.split())
    for found, meant in {
        "in order to": "to", "so as to": "to", "as well as": "and", "along with": "and", "due to": "because of",
        "owing to": "because of", "on account of": "because of", "at the moment": "", "at present": "",
        "right now": "", "as of now": "", "these days": "", "nowadays": "", "for now": "",
        "make use of": "use", "makes use of": "uses", "made use of": "used",
        "is located in": "is in", "is situated in": "is in", "is located at": "is at", "are located in": "are in",
        "is located on": "is on", "are stored in": "are in", "is found in": "is in", "can be found in": "is in",
        "is able to": "can", "are able to": "can", "am able to": "can", "be able to": "can",
        "has to": "must", "have to": "must", "needs to": "must", "need to": "must", "is required to": "must",
        "are required to": "must", "had to": "must ~past", "has got to": "must", "is supposed to": "should",
        "ought to": "should", "is going to": "will", "are going to": "will", "am going to": "will",
        "has got": "has", "have got": "have", "would like to": "want to", "would like": "want",
        "is called": "is named", "are called": "are named", "goes by the name of": "is named",
        "prior to": "before", "subsequent to": "after", "on top of": "on", "next to": "beside", "close to": "near",
        "rather than": "instead of", "in place of": "instead of", "each and every": "every",
        "every day": "daily", "each day": "daily", "once a day": "daily", "per day": "daily", "a day": "daily",
        "a week": "weekly", "a month": "monthly", "a year": "yearly", "an hour": "hourly",
        "every week": "weekly", "each week": "weekly", "once a week": "weekly", "per week": "weekly",
        "every month": "monthly", "each month": "monthly", "once a month": "monthly", "per month": "monthly",
        "every year": "yearly", "each year": "yearly", "once a year": "yearly", "per year": "yearly",
        "every hour": "hourly", "each hour": "hourly", "once an hour": "hourly", "per hour": "hourly",
        "every night": "nightly", "each night": "nightly", "on a daily basis": "daily", "on a weekly basis": "weekly",
        "on a monthly basis": "monthly", "on a regular basis": "regularly", "at all times": "always",
        "all the time": "always", "most of the time": "usually", "as a rule": "usually", "from time to time":
        "sometimes", "by means of": "with", "with the help of": "with",
        "with the aid of": "with", "by using": "with", "a lot of": "many", "lots of": "many", "plenty of": "many",
        "a large number of": "many", "a number of": "several", "a couple of": "2", "a dozen": "12",
        "as soon as": "once", "in case": "if", "provided that": "if", "even though": "although",
        "in spite of": "despite", "with regard to": "about", "with respect to": "about", "in regard to": "about",
        "take care of": "handle", "takes care of": "handles", "is in charge of": "manages",
        "is responsible for": "is responsible for", "consists of": "comprises", "is composed of": "comprises",
        "is made up of": "comprises", "turn off": "disable", "turn on": "enable", "switch off": "disable",
        "switch on": "enable", "turned off": "disabled", "turned on": "enabled", "switched off": "disabled",
        "switched on": "enabled", "turns off": "disables", "turns on": "enables", "set up": "configure",
        "sets up": "configures", "carry out": "perform", "carries out": "performs", "carried out": "performed",
        "find out": "discover", "get rid of": "remove", "is fond of": "likes", "is keen on": "likes",
        "log in": "login", "sign in": "login", "logs in": "login", "signs in": "login", "get in touch with":
        "contact", "gets in touch with": "contacts", "look for": "seek", "looks for": "seeks", "there is": "is",
        "there are": "are", "no one": "nobody", "any more": "anymore", "no longer": "no-longer",
        "does not any longer": "no-longer", "at least": "at-least", "at most": "at-most", "up to": "at-most",
        "no more than": "at-most", "not more than": "at-most", "no less than": "at-least", "no fewer than": "at-least",
        "more than": "more-than", "less than": "less-than", "fewer than": "less-than", "greater than": "more-than",
        "not yet": "not-yet", "used to": "used-to", "such as": "like", "in the event that": "if",
        "the same as": "same-as", "identical to": "same-as", "together with": "and",
        "is employed by": "works at", "is employed at": "works at",
        "is working for": "works at", "works for": "works at",
        "name is": "is named", "has a preference for": "prefers", "make sure to": "",
        "be sure to": "", "remember to": "", "does not have any": "has no", "do not have any": "have no",
        "does not have a": "has no", "do not have a": "have no", "e mail": "email", "e mails": "emails",
        "all of": "all", "both of": "both",
    }.items()
}  # fmt: skip
#: The word that a phrase begins with -> how long such phrases are, the longest first.
PHRASE_LENGTHS: Final = {
    first: sorted({len(one) for one in PHRASES if one[0] == first}, reverse=True)
    for first in {one[0] for one in PHRASES}
}
