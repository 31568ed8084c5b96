"""The closed word classes by which the author of a memory is found: tables only, all lower case (T-03)."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _groups(*groups: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in groups)


# Words that say nothing about who spoke: the model that writes memories supplies them by itself.
FRAME_WORDS: Final = _words(
    """
    user users agent assistant human person use run target be am is are has have having also currently now already still
    very really please well yes ok okay thing things note noted mention state said say tell told explicitly confirmed
    confirm want would like based called named set get got make made take etc via per don doesn isn aren ll re ve
    mentioned explained clarified specified indicated requested asked expressed emphasized both
    myself yourself himself herself itself ourselves themselves yours hers ours theirs
    benutzer benutzers benutzerin nutzer nutzers nutzerin usuario usuaria utilisateur utilisatrice utente gebruiker
    gebruikster usuário usuária użytkownik użytkownika użytkowniczka uživatel kullanıcı kullanıcının användaren
    brukeren brugeren käyttäjä käyttäjän felhasználó utilizatorul пользователь пользователя пользователю المستخدم
    المستخدمة המשתמש המשתמשת उपयोगकर्ता 사용자 사용자는 사용자의 사용자가 χρήστης
    """
)
# General words of summaries: they count as words, but one in place of another changes nothing that is said.
GENERAL_WORDS: Final = _words(
    """
    own work do does did go come write written place deal require live keep store put give locate host show include
    contain belong relate concern describe start happen plan project engine serve exist consist involve provide love
    enjoy feel help need find see know think way people time good great nice try share support url ip id os pc
    """
)
# A summary says "lives in" of somebody who said "I moved to"; for the search of the author they are one word.
SAME_WORDS: Final = _groups(
    "live lives moved resides reside located settled",
    "work works employed",
    "birthday born",
    "child children kids kid",
    "repository repo",
    "database db",
    "production prod",
    "kubernetes k8s",
    "deadline due",
    "phone telephone mobile cell",
    "email mail",
    "colour color",
    "favourite favorite",
    "operating os",
    "configuration config",
    "like dislike",
    "day daily",
    "night nightly",
    "week weekly",
    "month monthly",
    "quarter quarterly",
    "year yearly annual annually",
    "hour hourly",
    "maximum max",
    "minimum min",
    "eur euro euros",
    "usd dollar dollars",
    "percent percentage",
    "neighbour neighbor",
    "bicycle bike",
    "kg kilo kilos kilogram kilograms",
    "mb megabyte megabytes",
    "gb gigabyte gigabytes",
    "km kilometre kilometres kilometer kilometers",
    "cm centimetre centimetres centimeter centimeters",
    "automobile car",
    "monitor screen",
    "physician doctor",
    "flat apartment",
    "mother mom mum",
    "father dad",
    "german deutsch allemand alemán tedesco duits",
    "french français französisch francés francese frans",
    "english englisch anglais inglés inglese engels",
    "spanish español spanisch espagnol spagnolo spaans",
    "italian italienisch italiano italien italiaans",
    "dutch niederländisch nederlands néerlandais",
    "portuguese português portugiesisch portugais portugués",
)
# Who says one of these instead of another says something else.
CONTRASTS: Final = _groups(
    "enable disable",
    "public private",
    "minimum maximum",
    "before after",
    "least most",
    "more less fewer",
    "left right",
    "north south east west",
    "first second third fourth fifth sixth seventh eighth ninth tenth last",
    "upper lower",
    "above below",
    "inside outside",
    "internal external",
    "open close",
    "true false",
    "success failure",
    "increase decrease",
    "big small large",
    "old new",
    "cheap expensive",
    "fast slow",
    "hot cold",
    "light dark",
    "early late",
    "earlier later",
    "morning noon afternoon evening midnight",
    "second minute hour day night week month quarter year",
    "once twice thrice",
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february march april june july august september october november december",
    "spring summer autumn winter",
    "black white red green blue yellow brown grey orange purple pink",
    "male female",
    "vegetarian vegan",
    "husband wife",
    "son daughter",
    "brother sister",
    "mother father",
    "uncle aunt",
    "single married divorced",
    "accept reject",
    "allow forbid",
    "import export",
    "push pull",
    "input output",
    "read write",
    "encode decode",
    "encrypt decrypt",
    "upload download",
    "start stop",
    "buy sell",
    "win lose",
    "online offline",
    "local remote",
    "primary secondary",
    "staging production development",
    "frontend backend",
    "required optional",
    "synchronous asynchronous",
)

# Grammatical denials: everything after one of them in its clause is denied.
DENIERS: Final = _words(
    """
    not never cannot neither nor nobody nothing none hardly barely rarely seldom no
    dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt
    nicht kein keine keinen keinem keiner keines nie niemals pas jamais aucun aucune nunca jamás sin não sem non senza
    niet geen nooit zonder inte ikke не нет никогда без لا لم ليس ليست لن بدون
    """
)
# What "no" and "not" do not deny.
NO_DENIAL: Final = _words(
    "only just merely necessarily problem problems worries worry doubt matter wonder mind wait forget"
)
# Words that deny by their meaning; a denial before them is undone by them.
REVERSERS: Final = _words(
    """
    avoid avoids avoided avoiding forbid forbids forbidden prohibit prohibits prohibited refuse refuses refused dislike
    dislikes disliked hate hates hated stop stops stopped quit quits replace replaces replaced replacing sold
    dropped drop removed remove deleted uninstalled abandoned ditched retired cancelled canceled lacks lack
    """
)
# Before one of these such a verb has no object: "the line stops when ...".
NO_OBJECT: Final = frozenset(("", *"when if at after before in on for because once as during until and".split()))
# After one of these its object stands before it: "Windows was replaced".
PASSIVES: Final = _words("is are was were be been being got")
# What comes after these is denied, what stands before them is not: "X instead of Y", "X without Y", "X than Y".
SETTERS_ASIDE: Final = _words("without except ohne sans")
CHANGES: Final = _words(
    """
    switch switched switches switching move moved moves moving migrate migrated migrates migrating change changed
    changes changing convert converted port ported transition transitioned upgrade upgraded rename renamed away
    """
)
# After a change these name what holds now.
# Words that change what a clause affirms or denies; "t" is what the tokeniser leaves of "n't".
POLARITY_WORDS: Final = (
    DENIERS
    | REVERSERS
    | SETTERS_ASIDE
    | CHANGES
    | frozenset("t than over instead from prefer prefers preferred".split())
)
# Of these a person or a thing may have several at once: a second one ends no first one.
MANY_AT_ONCE: Final = _words(
    """
    like likes liked love loves enjoy enjoys hate hates speak speaks know knows play plays own owns have has had visit
    visits visited read reads sell sells buy bought eat eats cook cooks study studies studied learn learns collect
    collects follow follows watch watches support supports teach teaches write writes allergic met meet need needs want
    wants won wrote sings sing recommend recommends knows includes include offers offer
    """
)
# In the next two "_" is a blank, "*" an ending of an English verb, "~" any ending: no "movie", "quite", "Dropbox".
# Words of change that put what follows them into the place of something.
SWAPS: Final = "switch* swap* replac* mov* migrat* chang* trad* umgestellt gewechselt passé~ cambi~ troc~ overgestapt"
# How people say that something has changed, or correct themselves.
CHANGED: Final = (
    """
    now instead no_longer any_more anymore from_now from_here from_today from_next from_this these_days since as_of
    switch* swap* mov* chang* bump* cut cuts cutting rais* lower* push* postpon* delay* upped updated update slash*
    trim* increas* reduc* replac* ditch* drop* binned scrap* renam* went_up went_down make_it make_that make_those sorry
    oops actually turns_out correction wait rather extend* new relocat* hiked veto* reschedul* rebook* adjourn*
    took_over takes_over taken_over taking_over ripped_out ripped_it_out over_it retir* cancel* resign* quit quits
    quitting upgrad* downgrad* tripl* doubl* halv* promot* went_with gone_with settled_on ended_up back_to stepped_down
    handed_over
    """,
    """
    jetzt jetz ab_sofort nicht_mehr statt stattdessen lieber doch nun neuerdings inzwischen mittlerweile künftig
    seit_gestern seit_heute seit_kurzem umgezogen umgestellt gewechselt verlegt verschoben geändert ersetzt übernimmt
    übernommen
    """,
    """
    maintenant désormais dorénavant finalement en_fait fini plutôt à_la_place du_coup décal~ déplac~ reporté~ remplac~
    changé~ passé~_à
    """,
    """
    ahora ya_no al_final mejor cambi~ en_vez_de en_lugar_de a_partir_de aplaz~ retras~ reemplaz~ sustitu~ finalmente
    """,
    "adesso ora ormai invece spost~ rinvi~ sostitu~ al_posto_di d'ora_in_poi deciso",
    "agora já_não mudou mudei mudamos mudaram troc~ adiad~ substitu~ afinal em_vez_de",
    "nu voortaan nou niet_meer gewisseld verplaatst verzet overgestapt overgenomen vervangen in_plaats_van",
)
ARRIVALS: Final = _words("to into onto with by")
SUBJECTS: Final = _words("i we you he she it they the my our a an this that these those")
JOINERS: Final = _words("and or und oder et ou y o e и или و")

# Spelling of a unit -> the unit.
UNITS: Final[dict[str, str]] = {
    spelling: names[0]
    for names in _groups(
        "kb kilobyte kilobytes",
        "mb megabyte megabytes",
        "gb gigabyte gigabytes",
        "tb terabyte terabytes",
        "kib",
        "mib",
        "gib",
        "tib",
        "ms millisecond milliseconds",
        "s sec secs second seconds",
        "min mins minute minutes",
        "h hr hrs hour hours",
        "day days",
        "week weeks",
        "month months",
        "year years yrs",
        "mm millimetre millimetres millimeter millimeters",
        "cm centimetre centimetres centimeter centimeters",
        "m metre metres meter meters",
        "km kilometre kilometres kilometer kilometers kms",
        "inch inches",
        "ft foot feet",
        "mile miles",
        "g gram grams",
        "mg milligram milligrams",
        "kg kilo kilos kilogram kilograms kgs",
        "lb lbs pound pounds gbp",
        "l litre litres liter liters",
        "ml millilitre millilitres milliliter milliliters",
        "c celsius",
        "f fahrenheit",
        "v volt volts",
        "w watt watts",
        "kw kilowatt kilowatts",
        "kwh",
        "hz hertz",
        "khz",
        "mhz",
        "ghz",
        "mbit",
        "gbit",
        "eur euro euros",
        "usd dollar dollars",
        "chf",
        "jpy yen",
        "percent",
        "px pixel pixels",
        "am",
        "pm",
        "minus",
        "k thousand",
        "million millions",
        "billion billions",
        "trillion",
        "square",
        "cubic",
    )
    for spelling in names
}
# Units that change the number itself: one side must not have them alone.
FACTORS: Final = _words("minus k million billion trillion square cubic")
SYMBOLS: Final = {"$": " usd", "€": " eur", "£": " gbp", "¥": " jpy", "%": " percent ", "°": " "}

MONTHS: Final = tuple("january february march april may june july august september october november december".split())
SHORT_NAMES: Final = {month[:3]: month for month in MONTHS if month != "may"} | {
    "sept": "september",
    **{day[:3]: day for day in "monday tuesday wednesday thursday friday saturday sunday".split()},
    **{"tues": "tuesday", "thur": "thursday", "thurs": "thursday"},
}
# Words that open a sentence without being its subject; adverbs in "-ly" are of the kind too.
OPENERS: Final = _words(
    """
    according during since while after before whenever despite instead although though because unless both each every
    most many several another other besides however therefore today yesterday tomorrow sometimes often usually
    """
)
# Endings of common nouns; what ends so and opens a sentence is hardly a name.
NOUN_ENDINGS: Final = tuple(
    "ment ments tion tions sion sions ing ings ity ities ness ance ances ence ences ship ships ups".split()
)
# Words that are names when they are written in capitals, whatever the list of stopwords says.
NAMES_LIKE_STOPWORDS: Final = frozenset(("US", "IT", "WHO", "May", "Will"))
NO_IDENTIFIERS: Final = frozenset(("e.g", "i.e", "and/or", "he/she", "w/o"))

# Endings that may differ between two spellings of one name, and between two forms of one word.
NAME_ENDINGS: Final = frozenset(("", "s", "es", "n", "an", "ian", "ese", "ish", "ql", "sql", "db"))
WORD_ENDINGS: Final = NAME_ENDINGS | frozenset(
    """
    e ed d ing ings er ers or ors r rs ment ments ion ions ation ations al ally ly ies ied ity able ible ance ence ive
    ist ists le ility en t
    """.split()
)

# Words of grammar by which a language is told; what several languages write alike is in neither.
ENGLISH_WORDS: Final = _words(
    "the are were it its to and or for from with at by my i you he she they our your that this "
    "not have has had does did will would can could please but so if just"
)
FOREIGN_WORDS: Final = (
    _words(
        "der die das den dem ein eine einen und ist sind wir ich nicht für mit auf zu vom zum im auch jetzt bitte hab "
        "habe le la les des du un une et est sont nous je pas pour sur dans avec chez que qui au aux ne ce mon "
        "ma mes s'appelle el los las y es son nosotros con para por una del al ya no se lo su mi como "
        "het een en zijn wij ik niet voor met van op ook nu ze "
        "il lo gli e che non per di della del sono ho ha mio mia "
        "o os um uma não com em da dos está meu minha sim "
        "och är att inte för på jag vi det som med "
        "ve bir bu için değil ile ben biz "
        "nie jest się na do jak ale dla"
    )
    - ENGLISH_WORDS
)

# Who is meant by "my ..." at the head of a clause, if it is not the speaker.
PEOPLE: Final = (
    "wife husband partner girlfriend boyfriend fiance fiancee spouse mother father mom mum dad parents sister brother "
    "siblings son daughter child children kids kid baby grandmother grandfather grandma grandpa aunt uncle cousin "
    "nephew niece friend friends roommate flatmate neighbour neighbor boss manager colleague colleagues coworker "
    "teammate supervisor professor teacher doctor therapist landlord tenant client customer ex student students "
    "dog cat horse"
).split()
# Verbs that begin something new after "and": what was denied before is not denied of it.
RESTARTS: Final = _words("am are have had do did can could will would get make go want need live work use like prefer")
# Verbs of which the subject is a person.
HUMAN_VERBS: Final = (
    "is was has lives works likes loves hates wants needs owns plays speaks studies prefers drives moved bought went "
    "lived worked got took uses"
).split()
