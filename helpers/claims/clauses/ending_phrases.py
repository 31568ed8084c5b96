"""Find the words of a clause that name what ends, and those that say what it is about."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...language.lexicon import CALENDAR, DEICTIC_DAYS, DETERMINERS, PERIODS, PREPOSITIONS, SUBJECT_PRONOUNS
from ...language.tables import expand_wordings, read_classes, read_table
from ...language.token import Token, low_at, place_of
from ...language.verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS, is_verb, lemma_of, letters_of
from ..grammar.verb_groups import CHANGE_LEMMAS, DROP_LEMMAS, END_LEMMAS, SWAP_LEMMAS
from .predicates import CONTRASTS, Predicate, Tokens, end_of_phrase, up_to

_WORDS: Final = read_classes(__file__)
AUXILIARY: Final = BE_PAST | BE_PRESENT | HAVE_FORMS | DO_FORMS | {"be", "been", "being"}
AUXILIARY_WORDS: Final = AUXILIARY | {"got", "get", "no"}
#: Words that set one thing against another.
CONTRASTING: Final = _WORDS["contrasting"]
#: Nouns of posts, which somebody holds and hands over.
POSTS: Final = _WORDS["posts"]
_LEAVING: Final = frozenset(("laid", "fired", "dismissed"))
#: Words before a phrase that is set against another one.
_BEFORE_PHRASE: Final = (PREPOSITIONS - {"of"}) | AUXILIARY_WORDS | {",", ":"}
WHEN: Final = _WORDS["when"]
_TABLE: Final = read_table(__file__, "word_classes")["ending_phrases"]
_Particles = dict[str, tuple[tuple[str, ...], ...]]
#: Verbs that end their object without a particle.
DROPPING: Final = DROP_LEMMAS | _WORDS["ending"]
TAKING_PLACE: Final = SWAP_LEMMAS | _WORDS["replacing"]


def _phrasal(name: str) -> _Particles:
    """Return verb -> the small words of which some may follow it, the longest first."""
    particles_of: _Particles = {}
    for verb, *particles in sorted(expand_wordings(_TABLE[name]), key=lambda words: (-len(words), words)):
        particles_of[verb] = (*particles_of.get(verb, ()), tuple(particles))
    return particles_of


_ENDING: Final = _phrasal("phrasal")
_REMOVING: Final = _phrasal("removing")
#: Verb -> the first words of the particles with which it ends something.
PARTICLES: Final = {
    verb: frozenset(words[0] for words in (*_ENDING.get(verb, ()), *_REMOVING.get(verb, ())) if words)
    for verb in (*_ENDING, *_REMOVING)
}
ENDING: Final = END_LEMMAS | DROPPING | {"leave"} | frozenset(PARTICLES)
#: Verbs whose passive tells of an ending.
PASSIVES: Final = (ENDING | TAKING_PLACE) - _WORDS["only_active"]


class Ending(NamedTuple):
    """The end of something: the words for it (`gone`), the other words of the clause (`about`), and whether the subject
    takes its place."""

    gone: Tokens
    about: Tokens
    by_other: bool = False


def parse_contrast(clause: Predicate) -> Ending | None:
    """Read "B, not A", "B instead of A", "B rather than A"."""
    tokens, verb_end = clause.tokens, len(clause.tokens) - len(clause.rest)
    is_event = clause.group.is_past and clause.group.lemma not in CHANGE_LEMMAS
    if is_event or CONTRASTING.isdisjoint([token.low for token in tokens]):
        return None
    for index in range(1, len(tokens)):
        before, low, following = tokens[index - 1].low, tokens[index].low, low_at(tokens, index + 1)
        is_no_longer = (low, following) == ("no", "longer") and before in (",", "and")
        start = index + 1 + (is_no_longer or (low, following) in CONTRASTS)
        if start == index + 1 and not (low == "not" and before in (",", "and", ")")):
            continue
        if is_origin(tokens, start, clause.group.lemma):
            continue
        while low_at(tokens, start) in PREPOSITIONS:
            start += 1
        end = end_of_phrase(tokens, start, (",",))
        if end > start and _is_of_subject(clause, index, tokens[start]):
            return Ending(tokens[start:end], (*tokens[verb_end:index], *tokens[end:]), by_other=True)
        begin, after = _set_against(clause, index)
        if end > start:
            return Ending(tokens[start:end], (*tokens[:begin], *tokens[after:index], *tokens[end:]))
    return None


def is_origin(tokens: Tokens, start: int, lemma: str) -> bool:
    """Whether a denial says where somebody is not from, who may yet live or work there: "is not from Cork"."""
    is_person = lemma in ("be", "hail") or (lemma == "come" and bool({"user", "i"} & {t.low for t in tokens[:2]}))
    return is_person and low_at(tokens, start) == "from"


def _is_of_subject(clause: Predicate, index: int, other: Token) -> bool:
    """Whether a contrast sets a name against the subject: "Ann handles the books, not Bob"."""
    rest = clause.tokens[len(clause.tokens) - len(clause.rest) : index]
    is_named = bool(clause.subject) and clause.subject[-1].text[0].isupper() and clause.subject[0].low != "user"
    return is_named and other.text[0].isupper() and not any(token.text[0].isupper() for token in rest)


def _set_against(clause: Predicate, index: int) -> tuple[int, int]:
    """Return where the phrase begins and ends that a contrast at `index` sets against the other one.

    The object of the verb, if it has one ("uses Kafka for events, not Redis"), else what stands before the contrast
    ("is kept in docs/, not in notes/").
    """
    tokens, begin = clause.tokens, len(clause.tokens) - len(clause.rest)
    is_object = begin < index and tokens[begin].low not in PREPOSITIONS
    if is_object and "n" not in letters_of(tokens[begin].low):
        return begin, min(end_of_phrase(tokens, begin), index)
    begin = index
    while begin > 0 and tokens[begin - 1].low in (",", "and", "now"):
        begin -= 1
    while begin > 0 and tokens[begin - 1].low not in _BEFORE_PHRASE and not is_verb(tokens[begin - 1].low):
        begin -= 1
    return begin, index


def own_words(rest: Tokens) -> Tokens:
    """Return the words up to a second verb: "left Acme and work for Initech now"."""
    for index, token in enumerate(rest[:-1]):
        if token.low not in ("and", ",", "so", "then"):
            continue
        following = rest[index + 1]
        is_second_verb = is_verb(following.low) and following.text[0].islower()
        if following.low in SUBJECT_PRONOUNS or following.low == "it" or is_second_verb:
            return rest[:index]
    return rest


def parse_finished(clause: Predicate) -> Ending | None:
    """Read a change that is done, or a state in which something is no more."""
    group = clause.group
    if group.negated:
        return Ending(clause.subject, clause.rest) if group.lemma == "exist" and clause.subject else None
    gone = _parse_no_more(clause)
    if gone is not None or not clause.is_done:
        return gone
    lemma = lemma_of(low_at(clause.rest, 0))
    if group.lemma == "be" and lemma in PASSIVES and (lemma not in PARTICLES or parse_particle(lemma, clause.rest[1:])):
        clause = clause._replace(group=group._replace(lemma=lemma, passive=True, perfect=True), rest=clause.rest[1:])
    return _parse_change(clause, clause.group.lemma)


def _parse_change(clause: Predicate, lemma: str) -> Ending | None:
    """Read what a verb of change says that there is no more."""
    if lemma == "close" and [token.low for token in clause.rest] == ["down"]:
        return Ending(clause.subject, ())
    if lemma in TAKING_PLACE:
        return _swapped(clause)
    if lemma in _WORDS["leaving"] or (lemma == "be" and low_at(clause.rest, 0) in _LEAVING):
        is_thing = lemma == "retire" and (clause.group.passive or bool(clause.rest))
        return _left_post(clause) or (_ended(clause) if is_thing else None)
    ended = _ended(clause) if lemma in ENDING else None
    if ended is not None:
        return ended
    is_over = any(token.low == "over" for token in clause.rest)
    if lemma == "take" and any(token.low == "over" for token in clause.rest[:4]):
        taken = _after_from(tuple(token for token in clause.rest if token.low not in ("over", "it")), ())
        return taken._replace(by_other=True) if taken else None
    if lemma == "hand" and is_over:
        handed = up_to(clause.rest, ("to",))
        return Ending(clause.subject, tuple(token for token in handed if token.low not in POSTS | {"over", "it"}))
    if lemma in ("rename", "rebrand") and not any(token.low == "from" for token in clause.rest):
        named = clause.subject if clause.group.passive else up_to(clause.rest, ("to", "as", "into")) or clause.subject
        return Ending(named, ()) if holds_name(named) else None
    return _after_from(clause.rest, clause.subject) if lemma in CHANGE_LEMMAS else None


def holds_name(tokens: Tokens) -> bool:
    """Whether some words hold a name ("Atlas", "the Atlas service"), unlike "the service"."""
    is_bare = bool(tokens) and tokens[0].low not in DETERMINERS
    return is_bare or any(token.text != token.low or not token.low.isalpha() for token in tokens[1:])


def _parse_no_more(clause: Predicate) -> Ending | None:
    """Read "X is gone", "X is out", "X is deprecated in favour of Y", "X is now called Y"."""
    lemma, rest, first = clause.group.lemma, clause.rest, low_at(clause.rest, 0)
    if not clause.subject or not (lemma in ("be", "go") or (lemma == "call" and clause.group.passive)):
        return None
    is_past = lemma == "be" and clause.group.is_past
    is_off = first in ("cancelled", "canceled") if lemma == "be" else lemma == "call" and first == "off"
    if is_off and not is_past and len(rest) == 1:
        return Ending(clause.subject, ())
    if clause.group.is_past or lemma == "call":
        return None
    if first in ("called", "named"):
        is_named = clause.subject[-1].text[0].isupper() and "'" not in clause.subject[-1].low
        is_now = lemma == "be" and any(token.low == "now" for token in clause.tokens)
        return Ending(clause.subject, ()) if is_named and is_now else None
    if first == "off" and lemma == "be" and rest[1:] and rest[1].low not in _WORDS["not_taken"]:
        return Ending(rest[1:], clause.subject)  # "is off sugar"
    is_going = lemma == "go"
    word = clause.tokens[-len(rest) - 1].low if is_going and len(rest) < len(clause.tokens) else first
    after = rest if is_going else rest[1:]
    if low_at(after, 0) == "in" and low_at(after, 1)[:5] in ("favou", "favor"):
        after = ()
    is_more = bool(after) and (word == "out" or after[0].low not in PREPOSITIONS)
    return Ending(clause.subject, after) if word in _WORDS["no_more"] and not is_more else None


def _left_post(clause: Predicate) -> Ending | None:
    """Read "stepped down as lead of X", "was laid off from Acme", "retired from Acme"."""
    marks = ("as", "from", "at", "by") if low_at(clause.rest, 0) in _LEAVING else ("as", "from", "at")
    start = place_of(clause.rest, marks)
    if start == len(clause.rest) or not clause.subject or clause.rest[-1].low in marks[:3]:
        return None
    end = end_of_phrase(clause.rest, start + 1)
    return Ending(clause.rest[start + 1 : end], (*clause.subject, *clause.rest[end:]))


def _after_from(rest: Tokens, subject: Tokens) -> Ending | None:
    """Read "TARGET from A to B"."""
    start = place_of(rest, ("from",))
    if start == len(rest):
        return _after_out(rest, subject)
    end = place_of(rest, ("to", "into"), start + 1)
    if end == len(rest):
        if low_at(rest, 0) == "away":
            return Ending(rest[start + 1 : end_of_phrase(rest, start + 1, (",", "and"))], subject)
        return Ending(rest[start + 1 :], rest[:start]) if not subject else None
    return Ending(rest[start + 1 : end], (*subject, *rest[:start], *rest[end_of_phrase(rest, end + 1) :]))


def _after_out(rest: Tokens, subject: Tokens) -> Ending | None:
    """Read "TARGET out of A into B", "TARGET off A"."""
    for index, token in enumerate(rest):
        is_out = (token.low, low_at(rest, index + 1)) == ("out", "of")
        if token.low == "off" or is_out:
            start = index + 1 + is_out
            end = end_of_phrase(rest, start)
            after = end_of_phrase(rest, end + 1) if low_at(rest, end) in ("to", "into", "onto") else end
            return Ending(rest[start:end], (*subject, *rest[:index], *rest[after:]))
    return None


def _swapped(clause: Predicate) -> Ending:
    """Read "replaced A with B", "A was replaced by B", "B replaced A as ..."."""
    mark = place_of(clause.rest, ("with", "by") if clause.group.lemma == "replace" else ("with", "by", "for"))
    is_marked = mark < len(clause.rest)
    after = end_of_phrase(clause.rest, mark + 1)
    if clause.group.passive:
        return Ending(clause.subject, clause.rest[after:] if is_marked else clause.rest)
    if is_marked:
        return Ending(clause.rest[:mark], (*clause.subject, *clause.rest[after:]))
    cut = end_of_phrase(clause.rest, 0)
    return Ending(clause.rest[:cut], clause.rest[cut:], by_other=True)


def _ended(clause: Predicate) -> Ending | None:
    """Read "dropped A", "stopped using A", "A was removed"."""
    rest = parse_particle(clause.group.lemma, clause.rest) if clause.group.lemma in PARTICLES else clause.rest
    if rest is None:
        return None
    if clause.group.passive:
        marks = (i for i, t in enumerate(rest) if t.low in ("by", "in", "with") and low_at(rest, i + 1) != "the")
        about = rest[: next(marks, len(rest))] if low_at(rest, 0) != "from" else rest[1:]
        return Ending(clause.subject, up_to(about, (",",)))
    if clause.group.lemma in END_LEMMAS and "g" in letters_of(low_at(rest, 0)):
        return Ending(rest, clause.subject)
    end = end_of_phrase(rest, 0)
    noun, mark = rest[end - 1].low if end else "", low_at(rest, end)
    after = end_of_phrase(rest, end + 1)
    if noun in POSTS and mark in ("at", "with", "as"):
        return Ending(rest[end + 1 : after], clause.subject)  # "quit the job at Acme"
    is_favour = (mark, low_at(rest, end + 1)[:5]) == ("in", "favou") or low_at(rest, end + 1) == "favor"
    return Ending(rest[:end], (*clause.subject, *(() if is_favour else rest[end:])))


def without_when(tokens: Tokens) -> Tokens:
    """Return the words of a clause without those that only say when something happened."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        end = _end_of_when(tokens, index)
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
    start = index + 1
    while low_at(tokens, start) in _WORDS["when_fillers"]:
        start += 1
    end = start
    while _is_date_word(tokens, end):
        end += 1
    return end if end > start and low_at(tokens, start).isalnum() else index


def _is_date_word(tokens: Tokens, index: int) -> bool:
    low = low_at(tokens, index)
    is_year = len(low) == 4 and low[:2] in ("20", "19") and low.isdecimal()
    if is_year or low in PERIODS or (low in CALENDAR and not low.endswith("days")):
        return True
    is_day = low[:1].isdecimal() and len(low) <= 4 and low.rstrip("stndrh").isdecimal()
    return is_day and (low_at(tokens, index + 1) in CALENDAR or (index > 0 and tokens[index - 1].low in CALENDAR))


def parse_particle(lemma: str, rest: Tokens) -> Tokens | None:
    """Return what follows a verb without its particle, "took X out of Y" as "X of Y"; None if it has none."""
    for index, token in enumerate(rest):
        if token.low in PARTICLES[lemma]:
            end = index + 1 + (not index and low_at(rest, 1) in ("of", "with", "on"))
            return (*rest[:index], *rest[end:])
        if token.low in PREPOSITIONS:
            return None
    return None
