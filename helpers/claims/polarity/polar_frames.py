"""Read permissions, needs, acts without a question, wishes, likings, and the existence of things."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import ARTICLES, DEFINITE, EPHEMERAL, FAMILIES, PREPOSITIONS, QUANTITIES, singular
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes, read_table, split_members, word_sets
from ...language.token import place_of
from ...language.verbs import lemma_of, letters_of
from ..clauses.clause_grammar import parse_group
from ..clauses.predicates import Tokens
from .plain_words import PlainClause, PolarValue, after_copula, find, find_each, phrases, topic_of

_TABLE: Final = read_table(__file__, "word_classes")["polar_frames"]
_WORDS: Final = read_classes(__file__)
_MAY: Final = [(value, phrases(written)) for value, written in _TABLE["may"].items()]
_MUST: Final = [(value, phrases(written)) for value, written in _TABLE["must"].items()]
_IS_ALLOWED, _NEEDED = (
    {word: value for value, words in _TABLE[name].items() for word in words.split()}
    for name in ("is_allowed", "needed")
)
#: The words of permission that still count after "was": a ban, and a leave that was given.
_WAS_ALLOWED: Final = {
    word: value
    for word, value in _IS_ALLOWED.items()
    if value == "no" or word in ("allowed", "permitted", "authorised")
}
_NOBODY: Final = frozenset(("nobody", "noone"))
_IS: Final = _WORDS["being"] - {"was"}
_MADE: Final = _WORDS["being"] | {"made"}
_BETWEEN: Final = ARTICLES | {"not", "absolute"}
_WITHOUT_LEAVE: Final = _WORDS["leave"] | _WORDS["without_leave"]
_LEAVES: Final = _WORDS["leave"] | _WORDS["leaves"]
_AGREEING: Final = _WORDS["consenting"] | {"approves", "agrees", "confirms"}
#: Slot -> words of which one must stand beside its values.
_BESIDE: Final = {"length": _WORDS["replies"]} | word_sets(_TABLE["beside"])
#: Slot -> values that exclude each other -> their words.
_WAYS: Final = {
    slot: {words[0]: frozenset(words) for words in split_members(members)}
    for slot, members in (*_TABLE["ways"].items(), ("language", FAMILIES["human language"]))
}
#: Words that say nothing in a wish about replies.
_PLAIN: Final = _WORDS["wishing"] | _WORDS["replies"] | _WORDS["plain"]
_TASTES: Final = (("no", phrases(_TABLE["words"]["dislikes"])), ("yes", phrases(_TABLE["words"]["likes"])))
_OF_WAYS: Final = frozenset(word for values in _WAYS.values() for forms in values.values() for word in forms)
_WELCOME: Final = {word: value for value, words in _TABLE["welcome"].items() for word in words.split()}
_NOT_NEEDED: Final = phrases(_TABLE["words"]["not_needed"])
_FIRST: Final = _WORDS["wishers"] | _WORDS["wishing"] | {"not"}
_HAS: Final = (("no", phrases(_TABLE["words"]["has_not"])), ("yes", phrases(_TABLE["words"]["has"])))
_THERE: Final = dict.fromkeys(_WORDS["is_there"], "yes") | dict.fromkeys(_WORDS["is_gone"], "no")
_OVER: Final = phrases(_TABLE["words"]["over"])
_NUMBERS: Final = QUANTITIES.union(NUMBER_WORDS)


def parse_permission(clause: PlainClause) -> list[PolarValue]:
    """Read "interns may deploy to production", "pushing to main is forbidden", "the team permits force pushes"."""
    words = clause.words
    if words[0] == "it" or "only" in words or "just" in words:
        return []
    for value, begin, end in find_each(words, _MAY):
        if words[begin:end] in (("may",), ("can",)) and not _is_person(clause, begin):
            continue
        if words[end] in _WORDS["happening"] or "should" in words or "was" in words[:begin]:
            return []
        none = _is_nobody(words)
        subject = clause.tokens[1 + (words[0] == "no") if none else 0 : begin]
        return [PolarValue("permission", "no" if none else value, topic_of(clause, subject, clause.tokens[end:]))]
    is_agent = ("blocked", "by") in pairwise(words) or not words[0].endswith("ing")
    leave, was_leave = (
        {word: value for word, value in table.items() if word != "blocked"} if is_agent else table
        for table in (_IS_ALLOWED, _WAS_ALLOWED)
    )
    return after_copula(clause, "permission", leave, _IS) or after_copula(clause, "permission", was_leave, ("was",))


def _is_nobody(words: tuple[str, ...]) -> bool:
    return words[0] in _NOBODY or words[:2] == ("no", "one")


def _is_person(clause: PlainClause, end: int) -> bool:
    """Whether the subject before `end` is a person, and not something that may happen."""
    subject = clause.tokens[:end]
    cut = place_of(subject, PREPOSITIONS, 1)
    head = subject[cut - 1]
    is_name = head.text[0].isupper() and head.text[1:].islower() and (cut == 1 or subject[0].text[0].isupper())
    return (
        singular(head.low) in _WORDS["persons"]
        or head.low in _WORDS["persons"]
        or (is_name and not head.low.endswith("s"))
    )


def parse_need(clause: PlainClause) -> list[PolarValue]:
    """Read "Docker is required to run it", "the setup needs no Docker", "nobody gets in without a badge"."""
    words = clause.words
    if "should" in words or "was" in words:
        return []
    without = words.index("without") if "without" in words else 0
    is_barred = words[0] in _NOBODY and words[1:2] and words[1] in _WORDS["in"]
    if without and (is_barred or words[:2] == ("you", "can")):
        topic = topic_of(clause, clause.tokens[2:without], clause.tokens[without + 1 :])
        return [PolarValue("need", "yes" if is_barred else "no", topic)]
    for value, begin, end in find_each(words, _MUST):
        if words[end] == "not":
            continue
        if _is_nobody(words) or (value == "yes" and not _is_person(clause, begin)):
            return []
        return [PolarValue("need", value, topic_of(clause, clause.tokens[:begin], clause.tokens[end:]))]
    return after_copula(clause, "need", _NEEDED, _MADE, between=_BETWEEN) or _needing(clause)


def _needing(clause: PlainClause) -> list[PolarValue]:
    words, needs = clause.words, _WORDS["needs"] - {"wants"}
    index = next((i for i in range(1, len(words) - 1) if words[i] in needs), 0)
    if not index:
        return []
    denied, none = words[index - 1] == "not", words[index + 1] == "no"
    subject = clause.tokens[: index - denied]
    return [PolarValue("need", "yes", topic_of(clause, subject, clause.tokens[index + 1 + none :]), denied or none)]


def parse_consent(clause: PlainClause) -> list[PolarValue]:
    """Read "may commit without asking" and "ask before committing"."""
    value, kept = _consent(clause)
    topic = topic_of(clause, tuple(token for token in kept if token.low not in _WORDS["generic"])) if value else ""
    return [PolarValue("asking first", value, topic)] if topic and clause.words[0][:1].isalpha() else []


def _consent(clause: PlainClause) -> tuple[str, Tokens]:
    words, tokens = clause.words, clause.tokens
    for index, word in enumerate(words):
        before = set(words[:index])
        first, second = words[index + 1 : index + 2], words[index + 2 : index + 3]
        is_leave = not (_WITHOUT_LEAVE.isdisjoint(first) and _LEAVES.isdisjoint(second))
        if word == "without" and is_leave:
            is_denied = not before.isdisjoint(("not", "nothing", "no"))
            is_order = "b" in letters_of(words[0]) and tokens[0].text[0].isupper()
            if not is_denied and not is_order and _WORDS["freely"].isdisjoint(before):
                return "", ()
            return ("ask" if is_denied else "free"), tokens[:index]
        if word == "until" and before & {"not", "nothing"} and not _AGREEING.isdisjoint(words[index + 1 :]):
            return "ask", tokens[:index]
        if word == "before" and before & _WORDS["asking"] and "asked" not in before:
            return "ask", (*tokens[:index], *tokens[index + 1 :])
    return "", ()


def parse_wish(clause: PlainClause) -> list[PolarValue]:
    """Read "wants bullet points", "keep replies short", "light mode is what the user prefers"."""
    words = set(clause.words)
    if clause.words[0] not in _FIRST or words.isdisjoint(_WORDS["wishing"]) or words.isdisjoint(_OF_WAYS):
        return []
    wishes = []
    for slot, values in _WAYS.items():
        matches = {value: words & forms for value, forms in values.items() if words & forms}
        if len(matches) != 1 or (slot in _BESIDE and words.isdisjoint(_BESIDE[slot])):
            continue
        value, written = next(iter(matches.items()))
        rest = tuple(
            token
            for word, token in zip(clause.words, clause.tokens, strict=True)
            if word not in written and word not in _PLAIN and token.low not in _PLAIN and word not in _OF_WAYS
        )
        topic = topic_of(clause, rest) if rest else ""
        if slot == "seat" and "long" in words:
            topic = f"{topic} long".strip()  # "on long flights", which is no more than a part of them
        denied = "not" in words or "no" in words or "complained" in words or "without" in words
        span = _span(clause, written)
        wishes.append(PolarValue(f"wish {slot}", value, topic or "user", denied and slot != "degrees", span=span))
    return wishes if len(wishes) > 1 else [polar._replace(span=None) for polar in wishes]


def _span(clause: PlainClause, wanted: frozenset[str] | set[str]) -> tuple[int, int]:
    """Return the span in the text where a clause tells a wish, with the preposition before it: "in Dutch"."""
    places = [index for index, word in enumerate(clause.words) if word in wanted]
    first = places[0] - (clause.words[places[0] - 1] in PREPOSITIONS)
    return clause.tokens[max(first, 0)].start, clause.tokens[places[-1]].end


def parse_taste(clause: PlainClause) -> list[PolarValue]:
    """Read "enjoys horror films", "can't stand horror films", "doesn't want comments in code"."""
    words = clause.words
    for value, begin, end in find_each(words, _TASTES):
        is_wish = (lemma_of(words[end - 1]) or words[end - 1]) in ("want", "prefer", "for")
        is_plan = is_wish and _WORDS["outputs"].isdisjoint(words[end:]) and words[end] in _WORDS["plans"]
        is_order = begin != 1 and "b" in letters_of(words[begin])
        if is_plan or is_order or "was" in words[:begin] or "over" in words or "than" in words:
            return []
        if "not" in words and value == "yes":
            return []
        who, thing = topic_of(clause, clause.tokens[:begin]), topic_of(clause, _without_answers(clause.tokens[end:]))
        return [PolarValue("taste", value, thing if who in ("", "user") else f"{who} > {thing}")] if thing else []
    return _wanted(clause)


def _without_answers(tokens: Tokens) -> Tokens:
    return tuple(token for token in tokens if token.low not in _WORDS["answers"])


def _wanted(clause: PlainClause) -> list[PolarValue]:
    """Read "never use emojis", "no emojis please", "emojis are welcome"."""
    words, denied = clause.words, clause.words[0] == "not"
    if words[0] in ("it", "there") or len(words) < 2:
        return []
    if words[int(denied)] in _WORDS["using"]:
        value, begin = "no" if denied else "yes", 1 + denied
    elif words[0] == "no" and parse_group(clause.tokens) is None:
        value, begin = "no", 1
    elif any(word in _WELCOME and following == "to" for word, following in pairwise(words)):
        return []  # "guests are welcome to stay"
    else:
        kept = [i for i, token in enumerate(clause.tokens) if token.low not in _WORDS["answers"]]
        plain = clause._replace(words=tuple(words[i] for i in kept), tokens=tuple(clause.tokens[i] for i in kept))
        return after_copula(plain, "taste", _WELCOME, ("is",)) if kept else []
    return [PolarValue("taste", value, topic_of(clause, _without_answers(clause.tokens[begin:])))]


def parse_order(clause: PlainClause) -> list[PolarValue]:
    """Read standing orders: "commit to main", "don't commit to main", "the assistant should never commit to main"."""
    words, tokens = clause.words, clause.tokens
    if words[:2] == ("the", "assistant"):
        words, tokens = words[1:], tokens[1:]
    begin = 2 if words[0] in ("assistant", "you") and words[1:2] in (("should",), ("must",)) else 0
    denied = begin < len(words) and words[begin] == "not"
    begin += denied
    end = find(("", *words), _NOT_NEEDED)[1]
    if end:
        denied, begin = True, end - 1
    if begin + 1 >= len(words) or not (begin or "b" in letters_of(words[begin])):
        return []
    # A bare order begins with its verb, and has no other one.
    is_bare = parse_group(clause.tokens[1:]) is None and clause.tokens[0].text[0].isupper() and "no" not in clause.words
    if words[begin] in _WORDS["no_orders"] or not (begin or is_bare):
        return []
    topic = topic_of(clause, tokens[begin:])
    if len(topic.split()) <= 1:
        return []
    denial = [PolarValue("permission", "no", topic)] if denied and not end else []
    return [PolarValue("order", "no" if denied else "yes", topic), *denial]


def parse_presence(clause: PlainClause) -> list[PolarValue]:
    """Read "the site has no banner", "a banner is shown on the site", "the contract with X ended"."""
    if "only" in clause.words or not _NUMBERS.isdisjoint(clause.words):
        return []
    topics = [(polar, frozenset(polar.topic.split())) for polar in _told(clause)]
    values = [polar for polar, topic in topics if not topic <= EPHEMERAL and topic.isdisjoint(_WORDS["no_thing"])]
    return [] if values and any(word[0].isdigit() for word in clause.words) else values


def _told(clause: PlainClause) -> list[PolarValue]:
    words = clause.words
    if words[0] == "there" and len(words) > 2 and words[1] in ("is", "was"):
        value = "no" if words[2] in ("no", "not") else "yes" if words[2] in ("a", "an") else ""
        is_now = value and words[1] == "is"
        return [PolarValue("presence", value, topic_of(clause, clause.tokens[3:]))] if is_now else []
    begin, end = find(words, _OVER)
    if end == len(words) and words[0] in DEFINITE:
        return [PolarValue("presence", "no", topic_of(clause, clause.tokens[:begin]), change=True)]
    return after_copula(clause, "presence", _THERE, ("is",), is_open=True) or _of_having(clause)


def _of_having(clause: PlainClause) -> list[PolarValue]:
    words = clause.words
    for value, begin, end in find_each(words, _HAS):
        is_losing = value == "no" and words[begin] in _WORDS["losing"]
        if value == "no" and not topic_of(clause, clause.tokens[end:]):
            return []  # "the phone has no case": what it has not, a topic does not tell
        if is_losing and (words[end] not in DEFINITE or "not" in words[:begin]):
            return []
        if value == "yes" and ("not" in words or "no" in words or words[end] in ("to", "has", "been")):
            return []
        topic = topic_of(clause, clause.tokens[:begin], clause.tokens[end:])
        return [PolarValue("presence", value, topic, change=is_losing)]
    return []
