"""Sentences that say a wording of a slot: for the documentation, and to try what a person adds."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ...language.verbs import forms
from .rows import SLOTS, Slot

#: Who a sentence is about: somebody, or something; and another of each.
PERSON: Final = "Ann"
OTHER_PERSON: Final = "Ruth"
THING: Final = "Heron"
OTHER_THING: Final = "Osprey"


def say_noun(noun: str, subject: str, value: str) -> str:
    """Return "The <noun> of <subject> is <value>"."""
    return f"The {noun} of {subject} is {value}"


def say_verb(verb: str, subject: str, value: str, *, past: bool = False) -> str:
    """Return "<subject> <verb> <value>" with the verb in its third person, or in the past."""
    lemma, *rest = verb.split()
    return " ".join((subject, inflected(lemma, past=past), *rest, value))


def say_state(state: str) -> str:
    """Return "<subject> is <state>"."""
    return f"{THING} is {state}"


@cache
def _inflections() -> dict[tuple[str, str], str]:
    table: dict[tuple[str, str], str] = {}
    for word, (lemma, letters) in forms().items():
        for letter in letters:
            table.setdefault((lemma, letter), word)
    return table | {("be", "s"): "is", ("be", "d"): "was"}


def inflected(lemma: str, *, past: bool = False) -> str:
    """Return the third person of a verb that the grammar knows, or its past; raises KeyError for another verb."""
    return _inflections().get((lemma, "d"), f"{lemma}d") if past else _inflections()[lemma, "s"]


def is_known_verb(verb: str) -> bool:
    """Whether `say_verb` can inflect a verb."""
    return (verb.split()[0], "s") in _inflections()


@cache
def _personal_names() -> frozenset[str]:
    return frozenset(row.name for row in SLOTS if row.person) - {"*"}


def is_personal(row: Slot) -> bool:
    """Whether a row is about people."""
    return row.person or row.name in _personal_names()


def wordings(row: Slot) -> tuple[list[str], list[str]]:
    """Return the nouns and the verbs of a row."""
    return [one for one in row.nouns.split("|") if one], [one for one in row.verbs.split("|") if one]


def say(row: Slot, wording: str, value: str, *, other: bool = False) -> str:
    """Return a sentence that gives `value` to the slot of `row` by one of its wordings; with `other`, of another."""
    personal, thing = (OTHER_PERSON, OTHER_THING) if other else (PERSON, THING)
    subject = f"the {thing} archive" if row.thing else personal if is_personal(row) else thing
    if wording in wordings(row)[0]:
        return say_noun(wording, subject, value)
    return say_verb(wording, subject, value, past=row.past)


class Amount(NamedTuple):
    """A sentence with one amount in it, `{}`; two amounts of its kind; and a word of it with another in its place."""

    said: str
    first: str
    second: str
    word: str = THING
    other: str = OTHER_THING


#: Slot that the kind of an amount gives (see `free_order`) -> how it is said.
AMOUNTS: Final[dict[str, Amount]] = {
    "duration": Amount("Backups of Heron are kept for {}", "30 days", "14 days"),
    "size": Amount("Uploads to the gallery are limited to {}", "5 MB", "10 MB", "gallery", "archive"),
    "price": Amount("We pay {} for the hall", "40 euros", "55 euros", "hall", "piano"),
    "rate": Amount(
        "The public API allows {}", "100 requests per minute", "500 requests per minute", "public", "partner"
    ),
    "percentage": Amount("The sales tax in Heron is {}", "7%", "9%"),
    "count": Amount("The parser of Heron retries {}", "3 times", "5 times"),
    "frequency": Amount("The backup of Heron runs {}", "every night", "every week"),
    "date": Amount("The lease of the office runs until {}", "5 March 2026", "9 April 2026", "office", "garage"),
    "time": Amount("The gym on the corner closes at {}", "21:30", "23:00", "corner", "square"),
    "timezone": Amount("The calendar of Heron is in {}", "UTC", "Europe/Berlin"),
    "e-mail": Amount("Complaints about Heron are handled at {}", "ann@example.org", "meier@example.net"),
    "url": Amount("The status page of Heron is {}", "https://heron.example.org", "https://osprey.example.org"),
    "host": Amount("The mails of Heron are stored on {}", "10.0.0.1", "10.0.0.2"),
    "path": Amount("The backups of Heron are kept in {}", "/srv/heron", "/opt/heron"),
    "hash": Amount("Passwords in Heron are hashed with {}", "bcrypt", "argon2"),
}


class Ending(NamedTuple):
    """What a text says, what ends it, and what ends something else."""

    said: str
    ends: str
    other: str


ENDINGS: Final = (
    Ending(
        "The shop sells gift cards",
        "The shop stopped selling gift cards",
        "The museum stopped selling gift cards",
    ),
    Ending(
        "The canteen serves fish on Fridays",
        "The canteen no longer serves fish on Fridays",
        "The canteen no longer serves fish on Mondays",
    ),
    Ending(
        "The gallery supports GIF uploads",
        "The gallery does not support GIF uploads",
        "The gallery does not support GIF downloads",
    ),
    Ending(
        "Meeting notes are kept in the red folder",
        "Meeting notes are kept in the blue folder, not in the red folder",
        "Invoices are kept in the blue folder, not in the red folder",
    ),
    Ending(
        "The office has a piano",
        "The piano was removed from the office",
        "The piano was removed from the lobby",
    ),
    Ending(
        "Greta leads the choir",
        "Otto took over the choir from Greta",
        "Otto took over the band from Greta",
    ),
)


class Reading(NamedTuple):
    """What a text says, what puts it out of use, and what is of something else; both fill `slot`."""

    slot: str
    said: str
    newer: str
    other: str


class Way(NamedTuple):
    """A way of reading that is no wording of a row: what it is called, what it takes, and texts that it reads."""

    title: str
    what: str
    readings: tuple[Reading, ...]


#: Ways that give a slot of their own, to what no row names.
OWN_WAYS: Final = (
    Way(
        "What something of somebody is called",
        "A noun that no row has gives a slot where the thing can have one name: it is somebody's, or two words say"
        " which it is, in the singular. Of a friend, a tool or a day there may be several, and both stay.",
        (
            Reading(
                "is",
                "The user's bank is Nordlys",
                "The user's bank is Fjordkredit",
                "The user's friend is Fjordkredit",
            ),
            Reading("is", "Deploy target: Vercel", "Deploy target: Netlify", "Deploy script: Netlify"),
        ),
    ),
    Way(
        "What a tool is for",
        "The purpose stands beside the tool, as a noun or as a verb, in whatever order (see the list of purposes).",
        (
            Reading(
                "for issue tracking",
                "Tickets are tracked in Jira",
                "Our issue tracker is YouTrack",
                "Our wiki is YouTrack's",
            ),
        ),
    ),
    Way(
        "Who does what",
        "Who reviews, approves, releases, writes or answers for a thing, where one person does.",
        (
            Reading(
                "reviewer",
                "The reviewer of the schema changes is Paul",
                "Schema changes are reviewed by Olga",
                "Style changes are reviewed by Olga",
            ),
        ),
    ),
    Way(
        "What stands",
        "A state, a permission, a duty or a wish, told of the same words in any order (see the list of what stands).",
        (
            Reading(
                "standing permission",
                "Interns may deploy to production",
                "Deploying to production is forbidden for interns",
                "Deploying to staging is forbidden for interns",
            ),
        ),
    ),
    Way(
        "What something is now",
        "Whatever the thing is: two names differ only where the newer text says that it has changed.",
        (
            Reading(
                "is now",
                "The guest room colour is Sand",
                "The guest room colour is Mint now",
                "The guest room colour is Mint",
            ),
        ),
    ),
    Way(
        "Whether somebody has any",
        "Children, pets, siblings or a job: who said that there are none, and has got one, has some.",
        (
            Reading("any pets", "Ann has no pets", "Ann adopted a kitten", "Ruth adopted a kitten"),
            Reading("any job", "Ann is unemployed", "Ann landed a job", "Ruth landed a job"),
        ),
    ),
    Way(
        "What is done",
        "What has not been done so far, and then was.",
        (
            Reading(
                "has done",
                "Otto has not visited the depot",
                "Otto visited the depot",
                "Otto visited the castle",
            ),
        ),
    ),
    Way(
        "Floors, rooms and levels",
        "The floor or the room where something is, and the level of somebody in a job.",
        (
            Reading(
                "floor",
                "The desk of Ann is on the third floor",
                "The desk of Ann is on the fifth floor",
                "The desk of Ruth is on the fifth floor",
            ),
            Reading(
                "level as designer",
                "Ann is a junior designer",
                "Ann is a senior designer",
                "Ruth is a senior designer",
            ),
        ),
    ),
)

#: Ways that say in other words what a row says.
OTHER_WORDS: Final = (
    Way(
        "The slot as an object",
        'What "has" a port, or "got" a new number, and what an identifier is.',
        (
            Reading("port", "The port of the API is 8080", "The API has port 8443", "The gateway has port 8443"),
            Reading("setting", "DEPLOY_ENV is production", "DEPLOY_ENV is staging", "BUILD_ENV is staging"),
            Reading("age", "Ann is 34", "Ann turned 35 yesterday", "Ruth turned 35 yesterday"),
        ),
    ),
    Way(
        "Labels and lists of facts",
        'One label and one value, whatever its words mean elsewhere; "Thing: one fact, another fact" says each of it.',
        (
            Reading("port", "API port: 8080", "API port: 8443", "Debug port: 8443"),
            Reading(
                "ip address",
                "The IP of the printer is 10.0.0.7",
                "Printer: IP 10.0.0.9, room 12",
                "Scanner: IP 10.0.0.9, room 12",
            ),
        ),
    ),
    Way(
        "A change that somebody made",
        "It says what holds since: who lowered the limit to 3 MB has said that it is 3 MB.",
        (
            Reading(
                "limit",
                "The upload limit is 5 MB",
                "Otto lowered the upload limit to 3 MB",
                "Otto lowered the download limit to 3 MB",
            ),
            Reading(
                "default search engine",
                "The default search engine is Solr",
                "Ann made Typesense the default search engine",
                "Ann made Typesense the default cache",
            ),
            Reading(
                "scheduled date",
                "The meeting is on Monday",
                "Otto moved the meeting to Thursday",
                "Otto moved the party to Thursday",
            ),
        ),
    ),
    Way(
        "A correction or a change cut short",
        "A head says what is wrong, new or replaced, and a pronoun or a bare value says what it is.",
        (
            Reading("age", "Ann is 30", "I got Ann's age wrong, she is 31", "I got Ruth's age wrong, she is 31"),
            Reading(
                "is now",
                "The router is a Fritzbox",
                "The router was replaced; it's a Unifi now",
                "The printer was replaced; it's a Unifi now",
            ),
            Reading(
                "phone",
                "Ann's phone number is +49 30 1234567",
                "Ann has a new phone number: +49 40 7654321",
                "Ruth has a new phone number: +49 40 7654321",
            ),
            Reading(
                "port",
                "The debug port is 5005",
                "Actually it's 5006, the debug port",
                "Actually it's 5006, the metrics port",
            ),
        ),
    ),
)
