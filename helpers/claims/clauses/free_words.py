"""Words that mean something only beside a value (see `free_topic`)."""

from __future__ import annotations

from typing import Final

from ...language.tables import read_classes, read_table, split_members, split_wordings
from ..grammar.verb_groups import CHANGE_LEMMAS

_TABLE: Final = read_table(__file__, "word_classes")["free_words"]
_WORDS: Final = read_classes(__file__)

GENERIC_VERBS: Final = _WORDS["generic_verbs"]
MAX_WORDS: Final = 10
GENERIC: Final = _WORDS["generic"]
LIMITS: Final = split_wordings(_TABLE["limits"].split("|"))
#: Of things of a kind these say what is in each of them.
HOLDING: Final = _WORDS["holding"]
LIGHT: Final = CHANGE_LEMMAS | _WORDS["light"]
NO_ADVERBS: Final = _WORDS["no_adverbs"]
#: Slot -> readers of the nouns that tell nothing alone beside such a value; of all other slots all nouns.
TELLING_READERS: Final = {
    "date": ("date",),
    **dict.fromkeys(("time", "hours", "days", "frequency"), ("clock", "date", "number")),
    "duration": ("number",),
}
SEVERAL_VERSIONS: Final = _WORDS["several_versions"]
#: How a change moves what it changes.
PASSING: Final = _WORDS["passing"]
#: Slot -> verbs by which a thing has several values: it may be translated into all languages.
SEVERAL_AT_ONCE: Final = {"human language": _WORDS["several_at_once"]}
#: Of these the user has one.
OWN: Final = _WORDS["own"]
_RATES: Final = split_members(_TABLE["rates"])
#: "Hourly" -> "hour", and the other way.
RATES: Final = {word: period for period, *words in _RATES for word in words}
RECURRING: Final = {ways[0]: ways[-1] for ways in (*_RATES, *split_members(_TABLE["recurring"]))}
#: Forms of verbs that stand as nouns behind one: "uses Jira" tells nothing, "has tickets" does.
NOUNS_TOO: Final = _WORDS["nouns_too"]
OPEN_LABELS: Final = _WORDS["open_labels"]
OPEN_WORDS: Final = _WORDS["open_words"]
