"""Words that mean something only beside a value (see `free_topic`)."""

from __future__ import annotations

from typing import Final

from ..grammar.verb_groups import CHANGE_LEMMAS

#: Verbs that say only that a thing has the value that stands beside them.
GENERIC_VERBS: Final = frozenset(
    "be have get go come take give make put set use allow let stand lie sit amount hold contain"
    " offer count total reach stay remain show read display mean equal feature provide assign allocate configure"
    " fix define specify schedule plan arrange support enforce apply calculate carry bring live work run accept"
    " serve receive include comprise consist become turn happen occur do limit restrict cap allow permit".split()
)
MAX_WORDS: Final = 10
#: What "a trial" does here, each trial does.
GENERIC: Final = frozenset(
    "last expire cost need require live be take have finish complete run weigh measure hold seat contain comprise"
    " consist cover".split()
)
LIGHT: Final = CHANGE_LEMMAS | frozenset(
    "be have do set configure get become make grow shrink total exactly only there maximum-of up down altogether"
    " overall precisely sharp approve agree allot grant whole entire".split()
)
#: Words in "-ly" that are no adverbs, and adverbs that say where or how often.
NO_ADVERBS: Final = frozenset(
    "family assembly supply reply anomaly ally rally belly jelly fly july italy early only daily weekly monthly yearly"
    " hourly nightly quarterly locally internally externally globally publicly privately remotely initially".split()
)
#: Slot -> readers of the nouns that tell nothing alone beside such a value; of all other slots all nouns.
TELLING_READERS: Final = {
    "date": ("date",),
    **dict.fromkeys(("time", "hours", "days", "frequency"), ("clock", "date", "number")),
    "duration": ("number",),
}
#: Beside a version these say what may hold of several.
SEVERAL_VERSIONS: Final = frozenset(
    "compatible available support supported test know release publish deprecate vulnerable affect introduce add include"
    " fix issue work install tag".split()
)
#: How a change moves what it changes.
PASSING: Final = frozenset("back out forward forwards ahead earlier later day days".split())
#: Slot -> verbs by which a thing has several values: it may be translated into all languages.
SEVERAL_AT_ONCE: Final = {"human language": frozenset("translate localise localize dub subtitle".split())}
#: Of these the user has one.
OWN: Final = frozenset(("mass", "length", "phone", "e-mail", "timezone"))
RATES: Final = {
    **{"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"},
    **dict.fromkeys(("yearly", "annual", "annually"), "year"),
}
RECURRING: Final = {
    **{"night": "nightly", "day": "daily", "week": "weekly", "month": "monthly"},
    **{"hour": "hourly", "year": "yearly", "quarter": "quarterly", "sprint": "sprint"},
}
#: Forms of verbs that stand as nouns behind one: "uses Jira" tells nothing, "has tickets" does.
NOUNS_TOO: Final = frozenset("logs tests builds reports messages calls exports uploads backups".split())
#: Labels of which a memory has several: "Topic: Kafka", "Topic: Redis".
OPEN_LABELS: Final = frozenset(
    "topic tag keyword note skill stack interest subject technology tech tool source reference link see example".split()
)
#: In a label these say that there may be more: "Supported browser: Chrome".
OPEN_WORDS: Final = frozenset(
    "supported used known related allowed available possible sample example test common popular dietary programming see"
    " side user optional recommended suggested issue language technology".split()
)
