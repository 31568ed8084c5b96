"""Read how somebody wants things done, and what he likes or cannot stand (C-40).

How answers are to look is a standing wish whoever it is told by: "prefers short replies", "keep replies brief", "asked
for brief replies". What somebody wants to have or to do some day is a plan, and none of these.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...language.lexicon import PREPOSITIONS
from ...language.verbs import forms
from ..clauses.clause_grammar import read_group
from ..clauses.predicates import Tokens
from .said_words import PlainClause, Pole, find, phrases, topic_of


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_REPLIES: Final = _set(
    "answer answers reply replies response responses explanation explanations message messages summary summaries"
    " output text texts write writing explain reply answered respond responding keep be comments feedback"
    " descriptions reports emails answering ones"
)


class _Way(NamedTuple):
    """Values that exclude each other, by their words, and the words of which one must stand beside them."""

    values: dict[str, frozenset[str]]
    beside: frozenset[str] = frozenset()


_WAYS: Final[dict[str, _Way]] = {
    "length": _Way(
        {
            "short": _set("short brief concise terse succinct compact crisp snappy briefly tersely concisely shorter"),
            "long": _set(
                "long detailed thorough in-depth verbose extensive elaborate comprehensive lengthy exhaustive longer"
                " wordy full-length detail depth thoroughly extensively"
            ),
        },
        _REPLIES,
    ),
    "layout": _Way(
        {
            "bullets": _set("bullet bullets bulleted bullet-point list lists"),
            "prose": _set("prose paragraph paragraphs sentences"),
        }
    ),
    "tone": _Way(
        {
            "formal": _set("formal formally"),
            "informal": _set("informal casual informally casually chatty relaxed colloquial"),
        }
    ),
    "look": _Way({"dark": _set("dark"), "light": _set("light bright")}, _set("mode theme themes scheme")),
    "seat": _Way({"window": _set("window"), "aisle": _set("aisle")}, _set("seat seats")),
    "units": _Way({"metric": _set("metric"), "imperial": _set("imperial")}),
    "degrees": _Way({"c": _set("celsius"), "f": _set("fahrenheit")}),
    "clock": _Way({"24": _set("24-hour 24h"), "12": _set("12-hour 12h am/pm")}),
    "milk": _Way({"black": _set("black"), "milk": _set("milk")}, _set("coffee tea")),
    "language": _Way(
        {
            name: _set(name)
            for name in (
                "english german french spanish italian dutch portuguese polish swedish danish norwegian finnish czech"
                " hungarian greek turkish russian ukrainian japanese chinese korean arabic hebrew hindi"
            ).split()
        },
        _set(
            "answer answers reply replies respond response responses answered addressed address spoken speak write"
            " written talk messages explanations"
        ),
    ),
}
_WISHING: Final = _set(
    "wants want prefers prefer likes like asked requested expects insists needs should must always keep use give write"
    " answer reply loves hates asks demands pick choose book be complained say said favours favors preference preferred"
    " respond please format address enjoys dislikes instructed told would required uses"
)
_WISHERS: Final = _set("user assistant i you the we my when answers replies responses explanations")
#: What tells nothing in a wish about replies.
_PLAIN: Final = (
    _WISHING
    | _REPLIES
    | _set(
        "points point form format style running flowing continuous plain too and from here on ones one them seat seats"
        " mode theme for with in user assistant pick booking only more background to not is of tone use written wish"
        " that very addressed spoken language speak talk answered flights planes flying flight flies when sits on"
        " everywhere apps app application everything get gets my plane every all device devices"
    )
)
_LIKES: Final = phrases(
    "likes|loves|enjoys|is fond of|is a fan of|is keen on|adores|appreciates|is into|is crazy about|is ok with|like"
    "|is fine with|is happy with|is a big fan of|love|enjoy|is enthusiastic about|is partial to|has a soft spot for"
    "|is fond|wants|prefers|asked for|has a taste for|is passionate about|welcomes|does like"
)
_DISLIKES: Final = phrases(
    "hates|dislikes|can not stand|can not bear|loathes|detests|despises|is not a fan of|is not fond of|not like"
    "|not likes|not enjoy|not want|not wants|hate|dislike|is not keen on|is sick of|is tired of|is no fan of|abhors"
    "|not care for|is averse to|can not abide|is fed up with|not appreciate|is not into|not love|not prefer"
    "|has an aversion to|went off|is allergic to the sight of|objects to|finds fault with|rejects"
)
_PLANS: Final = _set("to a an the some another more less his her new no")
_OF_WAYS: Final = frozenset(word for way in _WAYS.values() for told in way.values.values() for word in told)
_FIRST: Final = _WISHERS | _WISHING | {"not"}
_FIRST_OF_ORDERS: Final = _WISHING | {"not", "the", "when"}
_PARTIES: Final = frozenset(("user", "assistant", "i", "you", "my"))
_AFTER_LIKING: Final = _set("to it that this them him her")


def read_pole_of_wish(said: PlainClause) -> list[Pole]:
    """Read "wants bullet points", "keep replies short", "light mode is what the user prefers"."""
    words = set(said.words)
    if said.words[0] not in _FIRST or words.isdisjoint(_WISHING) or words.isdisjoint(_OF_WAYS):
        return []
    if words.isdisjoint(_PARTIES) and said.words[0] not in _FIRST_OF_ORDERS:
        return []
    poles = []
    for slot, way in _WAYS.items():
        found = {value: words & forms for value, forms in way.values.items() if words & forms}
        if len(found) != 1 or (way.beside and not words & way.beside):
            continue
        value, told = next(iter(found.items()))
        rest = tuple(
            token
            for word, token in zip(said.words, said.tokens, strict=True)
            if word not in told and word not in _PLAIN and token.low not in _PLAIN and word not in _OF_WAYS
        )
        topic = topic_of(said, rest) if rest else ""
        if slot == "seat" and "long" in words:
            topic = f"{topic} long".strip()  # "on long flights", which is no more than a part of them
        denied = "not" in words or "no" in words or "complained" in words or "without" in words
        span = _span(said, told)
        poles.append(Pole(f"wish {slot}", value, topic or "user", denied and value not in ("c", "f"), span=span))
    return poles if len(poles) > 1 else [pole._replace(span=None) for pole in poles]


def _span(said: PlainClause, told: frozenset[str] | set[str]) -> tuple[int, int]:
    """Where a clause tells a wish, with the preposition before it: "in Dutch"."""
    places = [index for index, word in enumerate(said.words) if word in told]
    first = places[0] - (said.words[places[0] - 1] in PREPOSITIONS)
    return said.tokens[max(first, 0)].start, said.tokens[places[-1]].end


def read_taste(said: PlainClause) -> list[Pole]:
    """Read "enjoys horror films", "can't stand horror films", "doesn't want comments in code"."""
    words = said.words
    for value, table in (("no", _DISLIKES), ("yes", _LIKES)):
        begin, end = find(words, table)
        if not end or end >= len(words):
            continue
        is_output = not _OUTPUTS.isdisjoint(words[end:])
        is_wish = not is_output and words[begin:end][-1] in ("wants", "want", "for", "prefers")
        if words[end] in _AFTER_LIKING or (is_wish and words[end] in _PLANS) or "was" in words[:begin]:
            return []
        if words[begin] in ("like", "love", "hate", "enjoy", "dislike") and begin != 1:
            return []
        if "over" in words or "than" in words or ("not" in words and value == "yes"):
            return []
        object_ = tuple(token for token in said.tokens[end:] if token.low not in _ANSWERS)
        who, what = topic_of(said, said.tokens[:begin]), topic_of(said, object_)
        return [Pole("taste", value, what if who in ("", "user") else f"{who} > {what}")] if what else []
    return _wanted(said)


#: What the assistant makes, so that wanting one is no plan of the user's.
_OUTPUTS: Final = _set(
    "summary reminder update report overview example recap digest notification briefing heads-up tl;dr"
)
_ANSWERS: Final = _set("answer answers reply replies response responses")
_USING: Final = _set("use include add insert put show give employ sprinkle send provide append attach prepare make")
_LEAVING_OUT: Final = _set("avoid omit skip stop drop")
_WELCOME: Final = {
    **dict.fromkeys(("welcome", "wanted", "appreciated", "fine", "ok", "desired"), "yes"),
    **dict.fromkeys(("unwelcome", "unwanted", "undesired"), "no"),
}


def _wanted(said: PlainClause) -> list[Pole]:
    """Read "never use emojis", "no emojis please", "emojis are welcome"."""
    words, tokens = said.words, said.tokens
    value = ""
    about: tuple[Tokens, ...] = ()
    denied = words[0] == "not"
    if len(words) > 1 + denied and words[int(denied)] in _USING:
        value, about = "no" if denied else "yes", (tokens[1 + denied :],)
    elif words[0] == "no" and len(words) > 1 and read_group(tokens) is None:
        value, about = "no", (tokens[1:],)
    elif words[0] in _LEAVING_OUT and len(words) > 1:
        value, about = "no", (tokens[1 + (words[1] in ("using", "adding", "including")) :],)
    else:
        for index in range(2, 2 if _WELCOME.keys().isdisjoint(words) else len(words)):
            is_not = words[index - 1] == "not"
            if (
                words[index] in _WELCOME
                and words[index + 1 : index + 2] != ("to",)
                and words[index - 1 - is_not] == "is"
            ):
                value = _WELCOME[words[index]]
                value = {"yes": "no", "no": "yes"}[value] if is_not else value
                about = (tokens[: index - 1 - is_not], tokens[index + 1 :])
                break
    if not value or words[0] in ("it", "there"):
        return []
    kept = tuple(tuple(token for token in part if token.low not in _ANSWERS) for part in about)
    return [Pole("taste", value, topic_of(said, *kept))]


def read_order(said: PlainClause) -> list[Pole]:
    """Read standing orders: "commit to main", "don't commit to main", "the assistant should never commit to main"."""
    words, tokens = said.words, said.tokens
    begin = 0
    denied = False
    if words[0] == "the" and words[1:2] == ("assistant",):
        words, tokens = words[1:], tokens[1:]
    if words[0] in ("assistant", "you") and words[1:2] in (("should",), ("must",)):
        begin = 2
    if begin < len(words) and words[begin] == "not":
        denied, begin = True, begin + 1
    end = find(("", *words), _NO_NEED)[1]
    if end:
        denied, begin = True, end - 1
    if begin + 1 >= len(words) or "b" not in forms().get(words[begin], ("", ""))[1] or words[begin] in _NO_ORDERS:
        return []
    if not begin and not _is_imperative(said):
        return []
    topic = topic_of(said, tokens[begin:])
    if len(topic.split()) <= 1:
        return []
    denial = [Pole("permission", "no", topic)] if denied and not end else []
    return [Pole("order", "no" if denied else "yes", topic), *denial]


_NO_NEED: Final = phrases("no need to|there is no need to|not necessary to|unnecessary to|it is unnecessary to")
_NO_ORDERS: Final = _set("be have let thank see need mind worry know think forget hope")


def _is_imperative(said: PlainClause) -> bool:
    """Whether a clause begins with its verb, and has no other one."""
    return read_group(said.tokens[1:]) is None and said.tokens[0].text[0].isupper() and "no" not in said.words
