"""Read which words of a clause name what ends, and which say what it is about (C-40, C-41).

"We replaced Jenkins with Drone for the nightly builds": what ends is Jenkins, about the nightly builds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...language.lexicon import CALENDAR, DEICTIC_DAYS, DETERMINERS, PERIODS, PREPOSITIONS
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS, forms
from ..grammar.verb_groups import CHANGE_LEMMAS, END_LEMMAS
from .ending_verbs import ENDING, PARTICLES, PASSIVES, TAKING_PLACE, parse_particle
from .predicates import CONTRASTS, Predicate, Tokens

_WORDS: Final = read_classes(__file__)
AUXILIARY: Final = BE_PAST | BE_PRESENT | HAVE_FORMS | DO_FORMS | {"be", "been", "being"}
AUXILIARY_WORDS: Final = AUXILIARY | {"got", "get", "no"}
#: They set one thing against another.
CONTRASTING: Final = _WORDS["contrasting"]
#: What is no more: "X is gone", "X is out".
_NO_MORE: Final = _WORDS["no_more"]
_RENAMING: Final = frozenset(("rename", "rebrand"))
#: Verbs by which a person gives up a post: "stepped down as lead", "was laid off from Acme".
_LEAVING: Final = _WORDS["leaving"]
#: What somebody holds at a firm, and hands over to somebody else.
POSTS: Final = _WORDS["posts"]
_FROM_POST: Final = frozenset(("as", "from", "at"))
#: Verbs of what there is; what "works without X" may use it all the same.
_MANAGING: Final = _WORDS["managing"]
_LACKING: Final = frozenset(("without", "off"))
#: "Is off work" says of no substance that one takes.
_NO_SUBSTANCE: Final = _WORDS["no_substance"]
#: "Cancelled the subscription to X": what ends is X, as far as the subject has it.
_CONTRACTS: Final = frozenset(("subscription", "membership", "account"))
#: Participles that say after the fact whom somebody follows: "Ann is the lead now, replacing Bob".
_FOLLOWING: Final = frozenset(("replacing", "succeeding"))


class Ending(NamedTuple):
    """What ends (`gone`), the other words of the clause (`about`), and whether the subject is what comes instead."""

    gone: Tokens
    about: Tokens
    by_other: bool = False


_OPENING: Final = CONTRASTING | _FOLLOWING


def parse_contrast(at: Predicate) -> Ending | None:
    """Read "B, not A", "B instead of A", "B rather than A"."""
    tokens = at.tokens
    if at.group.is_past and at.group.lemma not in CHANGE_LEMMAS:
        return None
    if _OPENING.isdisjoint([token.low for token in tokens]):
        return None
    for index in range(1, len(tokens)):
        pair = (tokens[index].low, low_at(tokens, index + 1))
        is_no_longer = pair == ("no", "longer") and tokens[index - 1].low in (",", "and")
        if is_no_longer or pair in CONTRASTS:
            start = index + 2
        elif pair[0] == "not" and tokens[index - 1].low in (",", "and", ")"):
            start = index + 1
        elif pair[0] in _FOLLOWING and pair[1] and tokens[index - 1].low in (",", "now"):
            about = tokens[len(tokens) - len(at.rest) : index]
            return Ending(tokens[index + 1 : _end_of_phrase(tokens, index + 1)], about, by_other=True)
        else:
            continue
        if is_origin(tokens, start, at.group.lemma):
            continue
        while low_at(tokens, start) in PREPOSITIONS:
            start += 1
        end = start
        while (
            end < len(tokens)
            and (tokens[end].low not in PREPOSITIONS or tokens[end].low == "of")
            and tokens[end].low != ","
        ):
            end += 1
        if end > start and _is_of_subject(at, index, tokens[start]):
            told = tokens[len(tokens) - len(at.rest) : index]
            return Ending(tokens[start:end], (*told, *tokens[end:]), by_other=True)
        begin, after = _set_against(at, index)
        if end > start:
            return Ending(tokens[start:end], (*tokens[:begin], *tokens[after:index], *tokens[end:]))
    return None


def is_origin(tokens: Tokens, start: int, lemma: str) -> bool:
    """Whether it is told where somebody does not come from, who may live or work there: "is not from Cork"."""
    is_person = lemma in ("be", "hail") or (lemma == "come" and bool({"user", "i"} & {t.low for t in tokens[:2]}))
    return is_person and low_at(tokens, start) == "from"


def _is_of_subject(at: Predicate, index: int, other: Token) -> bool:
    """Whether a contrast sets a name against the subject: "Ann handles the books, not Bob"."""
    told = at.tokens[len(at.tokens) - len(at.rest) : index]
    is_named = bool(at.subject) and at.subject[-1].text[0].isupper() and at.subject[0].low != "user"
    return is_named and other.text[0].isupper() and not any(token.text[0].isupper() for token in told)


def _set_against(at: Predicate, index: int) -> tuple[int, int]:
    """Where the phrase begins and ends that a contrast at `index` sets against the other one.

    The object of the verb, if it has one ("uses Kafka for events, not Redis"), else what stands before the contrast
    ("is kept in docs/, not in notes/").
    """
    tokens = at.tokens
    begin = len(tokens) - len(at.rest)
    is_object = begin < index and tokens[begin].low not in PREPOSITIONS
    if is_object and "n" not in forms().get(tokens[begin].low, ("", ""))[1]:
        return begin, min(_end_of_phrase(tokens, begin), index)
    begin = index
    while begin > 0 and tokens[begin - 1].low in (",", "and", "now"):
        begin -= 1
    while begin > 0:
        low = tokens[begin - 1].low
        if low in PREPOSITIONS - {"of"} or low in AUXILIARY_WORDS or low in forms() or low in (",", ":"):
            break
        begin -= 1
    return begin, index


def may_finish(at: Predicate) -> bool:
    """Whether the verb of a clause may tell of an ending; a quick look, before the clause is read."""
    group = at.group
    is_lacking = group.lemma in _MANAGING and low_at(at.rest, 0) in _LACKING
    return group.is_past or group.perfect or group.passive or is_lacking or group.lemma in ("be", "go", "exist")


def _parse_lacking(at: Predicate) -> Ending | None:
    """Read "the site does without X", "the user is off caffeine"."""
    lemma, low, following = at.group.lemma, low_at(at.rest, 0), low_at(at.rest, 1)
    is_off = lemma == "be" and low == "off" and len(at.rest) == 2 and following.isalpha()
    if not at.subject or not (is_off or (lemma in _MANAGING and low == "without")):
        return None
    if is_off and (following in _NO_SUBSTANCE or [token.low for token in at.subject] != ["user"]):
        return None
    end = _end_of_phrase(at.rest, 1)
    if at.rest[1:end] and "g" in forms().get(following, ("", ""))[1]:
        return None  # "runs without touching the disk"
    return Ending(at.rest[1:end], (*at.subject, *at.rest[end:]))


def parse_finished(at: Predicate) -> Ending | None:
    """Read a change that is done, or a state in which something is no more."""
    group = at.group
    if group.negated:
        return Ending(at.subject, at.rest) if group.lemma == "exist" and at.subject else None
    gone = _parse_no_more(at) or (None if group.is_past else _parse_lacking(at))
    if gone is not None or not (group.is_past or group.perfect):
        return gone
    lemma = forms().get(low_at(at.rest, 0), ("", ""))[0]
    if group.lemma == "be" and lemma in PASSIVES and (lemma not in PARTICLES or parse_particle(lemma, at.rest[1:])):
        at = at._replace(group=group._replace(lemma=lemma, passive=True, perfect=True), rest=at.rest[1:])
        group = at.group
    if group.lemma == "close" and low_at(at.rest, 0) == "down" and len(at.rest) == 1:
        return Ending(at.subject, ())
    if group.lemma in TAKING_PLACE:
        return _swapped(at)
    if group.lemma in _LEAVING or (group.lemma == "be" and low_at(at.rest, 0) in ("laid", "fired", "dismissed")):
        left = _left_post(at)
        is_thing = group.lemma == "retire" and (group.passive or bool(at.rest))
        return _ended(at) if left is None and is_thing else left
    ended = _ended(at) if group.lemma in ENDING else None
    if ended is not None:
        return ended
    if group.lemma == "take" and any(token.low == "over" for token in at.rest[:4]):
        taken = _after_from(tuple(token for token in at.rest if token.low not in ("over", "it")), ())
        return taken._replace(by_other=True) if taken else None
    if group.lemma == "hand" and any(token.low == "over" for token in at.rest):
        to = next((i for i, token in enumerate(at.rest) if token.low == "to"), len(at.rest))
        return Ending(at.subject, tuple(token for token in at.rest[:to] if token.low not in POSTS | {"over", "it"}))
    if group.lemma in _RENAMING and not any(token.low == "from" for token in at.rest):
        cut = next((i for i, token in enumerate(at.rest) if token.low in ("to", "as", "into")), len(at.rest))
        named = at.rest[:cut] if cut and not group.passive else at.subject
        return Ending(named, ()) if holds_name(named) else None
    if group.lemma in CHANGE_LEMMAS:
        return _after_from(at.rest, at.subject)
    return None


def holds_name(tokens: Tokens) -> bool:
    """Whether it is a name that goes, as of "Atlas" and "the Atlas service", and not of "the service"."""
    is_bare = bool(tokens) and tokens[0].low not in DETERMINERS
    return is_bare or any(token.text != token.low or not token.low.isalpha() for token in tokens[1:])


def _parse_no_more(at: Predicate) -> Ending | None:
    """Read "X is gone", "X is out", "X is deprecated in favour of Y"."""
    lemma, rest = at.group.lemma, at.rest
    if lemma == "be" and low_at(rest, 0) in ("called", "named") and _is_renamed(at):
        return Ending(at.subject, ())
    is_off = (lemma == "call" and at.group.passive and low_at(rest, 0) == "off") or (
        lemma == "be" and not at.group.is_past and low_at(rest, 0) in ("cancelled", "canceled")
    )
    if is_off and at.subject and len(rest) == 1:
        return Ending(at.subject, ())
    word = at.tokens[-len(rest) - 1].low if lemma == "go" and len(rest) < len(at.tokens) else low_at(rest, 0)
    if lemma not in ("be", "go") or at.group.is_past or word not in _NO_MORE or not at.subject:
        return None
    after = rest if lemma == "go" else rest[1:]
    if low_at(after, 0) == "in" and low_at(after, 1)[:5] in ("favou", "favor"):
        after = ()
    if after and (word == "out" or after[0].low not in PREPOSITIONS):
        return None
    return Ending(at.subject, after)


def _is_renamed(at: Predicate) -> bool:
    """Read "Kestrel is now called Merlin"."""
    is_named = bool(at.subject) and at.subject[-1].text[0].isupper() and "'" not in at.subject[-1].low
    return is_named and not at.group.is_past and any(token.low == "now" for token in at.tokens)


def _left_post(at: Predicate) -> Ending | None:
    """Read "stepped down as lead of X", "was laid off from Acme", "retired from Acme"."""
    rest = at.rest
    marks = (*_FROM_POST, "by") if low_at(rest, 0) in ("laid", "fired", "dismissed") else tuple(_FROM_POST)
    start = next((i for i, token in enumerate(rest) if token.low in marks), -1)
    if start < 0 or not at.subject or rest[-1].low in _FROM_POST:
        return None
    end = _end_of_phrase(rest, start + 1)
    return Ending(rest[start + 1 : end], (*at.subject, *rest[end:]))


def _after_from(rest: Tokens, subject: Tokens) -> Ending | None:
    """Read "TARGET from A to B"."""
    start = next((i for i, token in enumerate(rest) if token.low == "from"), -1)
    if start < 0:
        return _after_out(rest, subject)
    end = next((i for i in range(start + 1, len(rest)) if rest[i].low in ("to", "into")), -1)
    if end < 0:
        return Ending(rest[start + 1 :], rest[:start]) if not subject else None
    after = _end_of_phrase(rest, end + 1)
    return Ending(rest[start + 1 : end], (*subject, *rest[:start], *rest[after:]))


def _after_out(rest: Tokens, subject: Tokens) -> Ending | None:
    """Read "TARGET out of A into B", "TARGET off A"."""
    for index, token in enumerate(rest):
        start = index + 2 if (token.low, low_at(rest, index + 1)) == ("out", "of") else index + 1
        if token.low == "off" or start == index + 2:
            end = _end_of_phrase(rest, start)
            after = _end_of_phrase(rest, end + 1) if low_at(rest, end) in ("to", "into", "onto") else end
            return Ending(rest[start:end], (*subject, *rest[:index], *rest[after:]))
    return None


def _end_of_phrase(tokens: Tokens, index: int) -> int:
    while index < len(tokens) and (tokens[index].low not in PREPOSITIONS or tokens[index].low == "of"):
        index += 1
    return index


def _swapped(at: Predicate) -> Ending | None:
    """Read "replaced A with B", "A was replaced by B", "B replaced A as ..."."""
    marks = [i for i, token in enumerate(at.rest) if token.low in ("with", "by", "for")]
    if at.group.passive:
        rest = at.rest[_end_of_phrase(at.rest, marks[0] + 1) :] if marks else at.rest
        return Ending(at.subject, rest)
    cut = marks[0] if marks else _end_of_phrase(at.rest, 0)
    after = _end_of_phrase(at.rest, marks[0] + 1) if marks else cut
    is_other = not marks
    return Ending(at.rest[:cut], (*(() if is_other else at.subject), *at.rest[after:]), is_other)


def _ended(at: Predicate) -> Ending | None:
    """Read "dropped A", "stopped using A", "A was removed"."""
    rest = at.rest
    if at.group.lemma in PARTICLES:
        found = parse_particle(at.group.lemma, rest)
        if found is None:
            return None
        rest = found
    if at.group.passive:
        cut = next(
            (i for i, token in enumerate(rest) if token.low in ("by", "in", "with") and low_at(rest, i + 1) != "the"),
            len(rest),
        )
        about = rest[:cut] if low_at(rest, 0) != "from" else rest[1:]
        comma = next((i for i, token in enumerate(about) if token.low == ","), len(about))
        return Ending(at.subject, about[:comma])
    if at.group.lemma in END_LEMMAS and "g" in forms().get(low_at(rest, 0), ("", ""))[1]:
        return Ending(rest, at.subject)
    end = _end_of_phrase(rest, 0)
    if end and rest[end - 1].low in POSTS and low_at(rest, end) in ("at", "with", "as"):
        return Ending(rest[end + 1 : _end_of_phrase(rest, end + 1)], at.subject)  # "quit the job at Acme"
    if end and rest[end - 1].low in _CONTRACTS and low_at(rest, end) in ("to", "with", "at"):
        after = _end_of_phrase(rest, end + 1)
        return Ending(rest[end + 1 : after], (*at.subject, *rest[after:]))
    is_favour = (low_at(rest, end), low_at(rest, end + 1)[:5]) == ("in", "favou") or low_at(rest, end + 1) == "favor"
    return Ending(rest[:end], (*at.subject, *(() if is_favour else rest[end:])))


def without_when(tokens: Tokens) -> Tokens:
    """A clause that tells of a change, without the words that only say when it happened."""
    if _TELLING_WHEN.isdisjoint([token.low for token in tokens]):
        return tokens
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        end = _end_of_when(tokens, index) if tokens[index].low in _TELLING_WHEN else index
        if end == index:
            kept.append(tokens[index])
        index = max(end, index + 1)
    return tuple(kept)


def _end_of_when(tokens: Tokens, index: int) -> int:
    low, following = tokens[index].low, low_at(tokens, index + 1)
    if low == "yesterday" or low in DEICTIC_DAYS:
        return index + 1
    if low == "last" and (following in PERIODS or following in CALENDAR):
        return index + 2
    if low not in WHEN:
        return index
    if following in ("yesterday's", "today's"):
        return index + 3
    end = index + 1
    while low_at(tokens, end) in _WHEN_FILLERS:
        end += 1
    start = end
    while _is_date_word(tokens, end):
        end += 1
    return end if end > start and low_at(tokens, start).isalnum() else index


def _is_date_word(tokens: Tokens, index: int) -> bool:
    low = low_at(tokens, index)
    if (
        (low in CALENDAR and not low.endswith("days"))
        or low in PERIODS
        or (len(low) == 4 and low[:2] in ("20", "19") and low.isdecimal())
    ):
        return True
    is_day = low[:1].isdecimal() and len(low) <= 4 and low.rstrip("stndrh").isdecimal()
    return is_day and (low_at(tokens, index + 1) in CALENDAR or (index > 0 and tokens[index - 1].low in CALENDAR))


WHEN: Final = _WORDS["when"]
#: Only one of these begins the words that say when something happened.
_TELLING_WHEN: Final = WHEN | DEICTIC_DAYS | {"yesterday", "last"}
_WHEN_FILLERS: Final = _WORDS["when_fillers"]
