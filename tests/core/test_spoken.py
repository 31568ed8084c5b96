"""Who said it, read in its conversation, and what becomes of a correction in passing (C-25, C-41, C-44, T-03)."""

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.attribution import Speaker
from memory_ledger.ledger.mentions import parse_mentions
from memory_ledger.ledger.pairing import Sides, pair_values
from memory_ledger.ledger.replaced import Spoken, find_replacement
from memory_ledger.ledger.spoken_values import find_spoken, is_among
from memory_ledger.records import Source
from spoken_cases import OTHER_MATTERS
from spoken_tools import Chat, is_users, play, read_rows, settle, stays

#: What the user says, after an older statement if there is one, and what the memorizer makes of it.
_FACTS = [
    ("The Falcon release is planned for May 2.", "The release of Falcon is planned for May 2."),
    ("We send all our mail through Mailgun.", "Mail goes out through Mailgun."),
    ("The worker pool has 12 processes.", "The worker pool has 12 processes."),
    ("We keep backups for 30 days.", "Backups are kept for 30 days."),
    ("The pump always runs at 40 Hz.", "The pump always runs at 40 Hz."),
    ("Contracts must be reviewed every 90 days.", "Contracts must be reviewed every 90 days."),
    ("We use Redis for the sessions.", "The team uses Redis for sessions."),
    ("I live in Bremen.", "User lives in Bremen."),
    ("My dentist is Dr. Sato.", "User's dentist is Dr. Sato."),
    ("i like my tea with honey", "User likes tea with honey."),
]
_CORRECTIONS = [
    ("It got pushed, we ship on the 9th.", "The release of Falcon is planned for May 9."),
    ("Swapped that for Postmark this morning.", "Mail goes out through Postmark."),
    ("I cut it to 8.", "The worker pool has 8 processes."),
    ("Legal asked for 60, done.", "Backups are kept for 60 days."),
    ("it runs at 50 Hz now", "The pump runs at 50 Hz."),
    ("Actually every 30 days.", "Contracts must be reviewed every 30 days."),
    ("we don't use Redis for that anymore", "The team does not use Redis for sessions."),
    ("we moved to Kiel last week btw", "User moved to Kiel."),
    ("Switched to Dr. Okafor, Sato retired. Can you find the number?", "User's dentist is Dr. Okafor."),
    ("i've switched to sugar though", "User likes tea with sugar."),
]


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize(("fact", "correction"), list(zip(_FACTS, _CORRECTIONS, strict=True)))
def test_the_users_latest_word_wins(fact: tuple[str, str], correction: tuple[str, str], repeats: bool) -> None:
    """C-41, C-44: said in passing, reworded by the memorizer, whether the agent repeats it or not."""
    chat = Chat([], [])
    chat.say(Speaker.USER, fact[0])
    older, _ = chat.write(fact[1])
    chat.say(Speaker.USER, "What is a good soup for a cold day?")
    chat.say(Speaker.AGENT, "Lentil soup.")
    chat.now += timedelta(minutes=5)
    chat.say(Speaker.USER, correction[0])
    chat.say(Speaker.AGENT, f"Noted: {correction[1]}" if repeats else "Thanks.")
    newer, change = chat.write(correction[1])
    assert newer.classification and newer.classification.source is Source.USER_ASSERTED, change.why
    assert settle(older, newer, change).winner == "newer"


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("staging only has 32 gigs", "User's staging machine has 32 GB of RAM."),
        ("don't call me before ten, ever", "User must not be called before 10:00."),
        ("écris les messages de commit en français stp", "User wants all commit messages in French."),
        ("can you book the hall, and also it's the 13th now", "The booking of the hall is for the 13th."),
        ("私のプロジェクトはPython 3.11を使っています。", "ユーザーのプロジェクトはPython 3.11を使っています"),
        ("I live in Lisbon.", "The user lives in Lisbon as of now, by default"),
    ],
)
def test_the_users_words_in_another_wording(said: str, memory: str) -> None:
    """C-25, T-03: units, times, other languages and scripts, a clause beside a request, what a summary supplies."""
    assert is_users({"turns": [{"role": "user", "text": said}], "memory": memory})


_PROPOSED = "I'd set the rate limit of the API to 40 requests a minute."


@pytest.mark.parametrize(
    ("memory", "turns", "expected"),
    [
        # What must not change: heard, taken back, wished, weighed, quoted, explained by others.
        ("The rate limit of the API is 40 requests per minute.", (_PROPOSED, "ok"), False),
        ("The rate limit of the API is 40 requests per minute.", (_PROPOSED, "cool. how do I check the logs?"), False),
        ("The oral exam is open book.", ("", "The written exam is open book. The oral obviously isn't."), False),
        ("Tidewell sold customer data.", ("", "I read that we at Tidewell sold customer data. We did not."), False),
        ("User has 50,000 left.", ("", "Say I had 50k left, what would you do with it?"), False),
        ("User's builds take five minutes.", ("", "wish our builds took five minutes"), False),
        ("The user has a quintal.", ("", "Queria tanto ter um quintal."), False),
        ("User is moving to Valladolid.", ("", "Estamos dándole vueltas a mudarnos a Valladolid."), False),
        ("The user is allergic to penicillin.", ("", "Mi traduci? «Sono allergica alla penicillina e basta.»"), False),
        ("Svetlana refuses to sign the contract.", ("", "Svetlana sent the contract back."), False),
        # And what is the user's in other words.
        ("The rate limit of the API is 40 requests per minute.", (_PROPOSED, "perfect, do it that way"), True),
        ("The rate limit of the API is 40 requests per minute.", (_PROPOSED, "Yes please, print it big."), True),
        ("User's current number ends in 4471.", ("", "can you change my number to the one ending 4471?"), True),
        ("User sold the table to a couple from Ghent.", ("", "The table? I sold it to a couple from Ghent."), True),
        ("The party is for about 40 guests.", ("How many guests come to the party?", "forty-ish"), True),
    ],
)
def test_what_saying_it_does(memory: str, turns: tuple[str, str], expected: bool) -> None:
    """C-25, T-03: an agent's message, if there is one, and the user's answer."""
    said = [{"role": role, "text": text} for role, text in zip(("agent", "user"), turns, strict=True) if text]
    assert is_users({"turns": said, "memory": memory}) == expected


def test_a_reason_that_the_agent_gave_makes_a_memory_its_own() -> None:
    """C-26, T-03: the user said what happened, and the agent why."""
    turns = [
        {"role": "user", "text": "pods got restarted twice last night"},
        {"role": "agent", "text": "That could be an out-of-memory kill."},
    ]
    assert is_users({"turns": turns, "memory": "The pods were restarted twice last night."})
    assert not is_users({"turns": turns, "memory": "The pods were restarted twice last night due to a lack of memory."})


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("14 days", "two weeks"),
        ("50 minutes", "fifty minutes"),
        ("45 minutes", "three quarters of an hour"),
        ("04:00", "at 4 in the morning"),
        ("10:30", "half past ten"),
        ("20:00", "às 20h"),
        ("September 30", "30/9"),
        ("160", "one sixty"),
        ("Wednesday", "mercredi soir"),
        ("3,500 kg", "three and a half tonnes"),
        ("1998", "ninety-eight"),
        ("12", "a dozen"),
        ("36", "three dozen"),
        ("38.9 °C", "a hundred and two fahrenheit"),
        ("-18 °C", "zero Fahrenheit"),
        ("19 litres", "5 gallons"),
        ("180 cm", "five foot eleven"),
        ("110 minutes", "an hour fifty"),
        ("90 seconds", "a minute and a half"),
        ("15 years", "quince años"),
        ("25", "fünfundzwanzig"),
        ("35", "treinta y cinco"),
        ("17:30", "a las cinco y media"),
        ("14:30", "um halb drei"),
        ("9:30", "à neuf heures et demie"),
    ],
)
def test_one_value_in_two_spellings(memory: str, said: str) -> None:
    """T-03."""
    assert all(is_among(one, find_spoken(said)) for one in find_spoken(memory))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-20 degrees", "20 degrees"),
        ("4.1 billion euros", "4.1 million euros"),
        ("$21600", "€21600"),
        ("14 days", "14 weeks"),
        ("10:30", "half past eleven"),
        ("2 GB", "2 TB"),
        ("Tuesday", "Thursday"),
        ("18 °C", "20 °C"),
        ("20 °C", "60 fahrenheit"),
        ("100 kg", "101 kg"),
        ("175 cm", "five foot eleven"),
        ("15:30", "um halb drei"),
        ("in May", "nothing may be sent"),
    ],
)
def test_two_values_that_look_alike(one: str, other: str) -> None:
    """T-03: what must not count as said."""
    assert not all(is_among(value, find_spoken(other)) for value in find_spoken(one))


@pytest.mark.parametrize(
    "said",
    [
        "The movie starts at nine.",
        "Hiking clears my head.",
        "It is quite warm on the terrace.",
        "The files are in Dropbox.",
        "My aunt lives in Switzerland.",
        "The cutlery is in the drawer.",
        "A raisin cake takes an hour.",
    ],
)
def test_a_word_that_only_begins_like_a_change(said: str) -> None:
    """C-41: "moved", "hiked", "quit", "dropped" and "switched" are changes, what begins with them is none."""
    assert not Spoken(said).has_change


@pytest.mark.parametrize(
    "said", ["We moved.", "They hiked the rent.", "I quit.", "We're dropping it.", "I've switched."]
)
def test_a_word_of_change(said: str) -> None:
    """C-41: in every form of its verb."""
    assert Spoken(said).has_change


def test_an_addition_replaces_nothing() -> None:
    """C-43: "also" and "another" end nothing, and neither does what the user says of something else."""
    older = "The shop ships its parcels with Veloxpack."
    told = ("We ship our parcels with Veloxpack.",)
    newer = "The shop ships its parcels with Rutamar."
    assert find_replacement(older, newer, Spoken("We ship with Rutamar now.", told)) is not None
    assert find_replacement(older, newer, Spoken("We ship with Rutamar as well now.", told)) is None
    assert find_replacement(older, newer, Spoken("The parcels of the shop go with Rutamar.", told)) is None
    other = "The sister of the user ships her parcels with Rutamar."
    assert find_replacement(older, other, Spoken("My sister ships with Rutamar now.", told)) is None


@pytest.mark.parametrize(
    ("older", "told", "newer", "said"),
    [
        (
            "User lives in Tromsø.",
            "I live in Tromsø.",
            "User's team member Gudrun lives in Harstad.",
            "Gudrun bought herself a flat in Harstad last week and moved there.",
        ),
        (
            "The project Lantern uses the MPL licence.",
            "Lantern uses the MPL licence.",
            "Project Lantern now runs on Postgres.",
            "Lantern runs on Postgres now.",
        ),
        (
            "The billing service is written in Kotlin.",
            "The billing service is written in Kotlin.",
            "RabbitMQ was ripped out of the billing service and NATS took its place.",
            "We ripped RabbitMQ out of the billing service, NATS took its place.",
        ),
        (
            "The internal deployment tool is written in Go.",
            "Our internal deployment tool is written in Go.",
            "The internal deployment tool now goes by the name Slipway.",
            "The internal deployment tool goes by the name Slipway now.",
        ),
        (
            "User finds that Tomasz cooks an excellent goulash.",
            "Tomasz cooks an excellent goulash.",
            "Tomasz is now the user's ex-husband.",
            "Tomasz is my ex-husband now.",
        ),
        (
            "User's pottery exam lasts six hours.",
            "My pottery exam lasts six hours.",
            "User's pottery exam was moved from 14 April to 28 April.",
            "My pottery exam was moved from 14 April to 28 April.",
        ),
        (
            "The staging server runs Debian.",
            "The staging server runs Debian.",
            "The production server runs Debian.",
            "Staging stays, and the production server runs Debian now.",
        ),
    ],
)
def test_a_change_of_something_else_replaces_nothing(older: str, told: str, newer: str, said: str) -> None:
    """C-43: another person, another relation, another part of one thing."""
    assert find_replacement(older, newer, Spoken(said, (told,))) is None


@pytest.mark.parametrize(
    ("older", "told", "newer", "said"),
    [
        (
            "The jerseys of the volleyball team will be navy.",
            "The volleyball jerseys are going to be navy.",
            "The jerseys of the volleyball team will be burgundy.",
            "Coach vetoed navy, burgundy's ordered and paid.",
        ),
        (
            "Farida is on call for the payments team this week.",
            "Farida is on call for payments this week.",
            "Jonas is on call for the payments team this week.",
            "Farida's got the flu, so Jonas took over her on-call.",
        ),
        (
            "User takes oat milk in coffee.",
            "I take oat milk in coffee.",
            "User takes soy milk in coffee.",
            "I switched from oat to soy milk.",
        ),
    ],
)
def test_what_was_told_then_goes_for_what_is_told_now(older: str, told: str, newer: str, said: str) -> None:
    """C-41: a value of common words, and who does it where the user names both; verbs of the summaries are no value."""
    assert find_replacement(older, newer, Spoken(said, (told,))) is not None
    assert find_replacement(older, newer, Spoken(f"{said.rstrip('.')} as well.", (told,))) is None


@pytest.mark.parametrize(("older", "told", "newer", "said"), OTHER_MATTERS)
def test_what_is_told_of_something_else_ends_nothing(older: str, told: str, newer: str, said: str) -> None:
    """C-43: of what may hold several times at once nothing goes that the user does not name or put something for."""
    assert find_replacement(older, newer, Spoken(said, (told,), said)) is None


def test_of_several_pairs_none_is_chosen() -> None:
    """C-41, C-96: each may be what changed, and the first one is no better than the others."""
    said = parse_mentions("Heron keeps 6 copies for 60 days now.")
    both = Sides.of("Heron keeps 4 copies for 30 days.", "Heron keeps 6 copies for 60 days.")
    one = Sides.of("Heron keeps 4 copies for 60 days.", "Heron keeps 6 copies for 60 days.")
    assert pair_values(both, said, said) is None
    assert pair_values(one, said, said) is not None


def test_too_much_is_no_addition() -> None:
    """C-43: "too" adds at the end of a clause, and weighs before a word."""
    assert Spoken("We ship with Rutamar too.").is_addition()
    assert not Spoken("Back in Emacs, I missed it too much.").is_addition()


def test_when_is_no_other_value_than_what() -> None:
    """C-43: "on June 12" and "on Postgres" stand in one place, and are two things."""
    older, newer = "The launch of Lantern is on June 12.", "The launch of Lantern runs on Postgres."
    said = "Swapped MariaDB for Postgres now."
    assert find_replacement(older, newer, Spoken(said, ("Lantern's launch is on June 12.",), said)) is None


def test_a_change_beside_it_changes_nothing() -> None:
    """C-43: a message says many things; a change of another one is none of this."""
    told, said = "The docs of our team are in Word.", "The docs of our team are in Latex."
    older, newer = "The docs of the team are in Word.", "The docs of the team are in Latex."
    assert find_replacement(older, newer, Spoken(said, (told,), f"I moved to Kiel last week. {said}")) is None
    assert find_replacement(older, newer, Spoken(said, (told,), f"Word was scrapped. {said}")) is not None


def test_a_value_is_marked_as_a_whole() -> None:
    """C-43: "La Encina" goes, and not the "la" in "place"."""
    older = "The reunion takes place at the restaurant La Encina."
    said = Spoken("Al final nos vamos a la bodega Los Olmos.", ("La reunión será en el restaurante La Encina.",))
    found = find_replacement(older, "The reunion is held at the winery Los Olmos.", said)
    assert found is not None
    assert [older[start:end] for start, end in found.spans] == ["La Encina"]


def test_what_the_agent_assumed_is_not_the_users() -> None:
    """C-26: it speaks of the user's things, and brings a word of its own."""
    chat = Chat([], [])
    chat.say(Speaker.USER, "Before you touch git: the default branch of Lantern is called trunk over here.")
    chat.write("The default branch of the repository of Lantern is trunk.")
    chat.say(Speaker.USER, "Can you draft the command for a fresh clone of the repo?")
    chat.say(Speaker.AGENT, "Sure, I assume that the default branch is main: `git clone -b main lantern.git`.")
    guess, change = chat.write("The repository of Lantern uses main as its default branch.")
    assert guess.classification is not None
    assert guess.classification.source is Source.AGENT_INFERRED, change.why


def test_the_sentence_that_gives_the_value_proves_a_memory() -> None:
    """C-47, T-01: not an earlier one that has the rest of the words, or the newer memory would be as old as that."""
    chat = Chat([], [])
    chat.say(Speaker.USER, "The volleyball jerseys are going to be navy.")
    chat.write("The volleyball jerseys will be navy.")
    chat.say(Speaker.USER, "Coach vetoed navy. Burgundy jerseys are ordered and paid.")
    _, change = chat.write("The volleyball jerseys will be burgundy.")
    assert change.spoken is not None
    assert "urgundy" in change.spoken.sentence, change.why


@pytest.mark.parametrize(
    ("said", "memory", "expected"),
    [
        ("My passport runs out in June.", "User's passport expires in June.", True),
        ("The bathroom is done, it has dark green tiles.", "User's bathroom has dark green tiles.", True),
        ("The archive box was never backed up.", "The archive box was never backed up.", True),
        ("Nadia gave me her old Brompton.", "User has an old Brompton from Nadia.", True),
        ("We water the roses twice a week.", "User waters the roses twice a week.", True),
        ("Driving licence runs out in June, passport is good for years.", "User's passport expires in June.", False),
        ("I tiled the kitchen dark green and the bathroom bores me.", "User's bathroom has dark green tiles.", False),
        ("Big news: Tilda broke her arm skating, and I am well.", "User broke an arm while skating.", False),
        ("I eat everything but olives.", "User eats olives.", False),
        ("I'm far from fluent in Danish.", "User is fluent in Danish.", False),
        ("We water the roses twice a week.", "User waters the roses twice a month.", False),
        ("Unser Keller hat 12 Grad, die Küche 21 Grad.", "User's kitchen has 12 degrees.", False),
    ],
)
def test_a_value_counts_for_what_its_own_clause_is_about(said: str, memory: str, expected: bool) -> None:
    """C-26, T-03: every word of it may be the user's, and yet be said of something or somebody else, or denied."""
    row = {"turns": [{"role": "user", "text": said}], "memory": memory}
    assert is_users(row) is expected


def test_a_word_that_is_said_later_of_something_else_proves_nothing() -> None:
    """T-01: a question that names the project again is not where its version was told."""
    chat = Chat([], [])
    chat.say(Speaker.USER, "We upgraded Heron last night: Heron now runs on Python 3.12.")
    chat.say(Speaker.USER, "The backups of Heron's readings run at 02:30.")
    chat.say(Speaker.USER, "Which Python version does my project Heron use?")
    _, change = chat.write("User's project Heron targets Python 3.12.")
    assert change.spoken is not None
    assert "3.12" in change.spoken.sentence, change.why


@pytest.mark.parametrize(
    ("older", "told", "newer", "said"),
    [
        # What must not change: another one of a kind, another time, an addition, somebody else's, only asked or denied.
        (
            "User's flight to Porto is on 11 May.",
            "I fly out 11 May",
            "User's return flight is on 19 May.",
            "now the 19th",
        ),
        (
            "The user takes the 7:12 train.",
            "I take the 7:12",
            "On Saturdays the user takes the 8:40 train.",
            "8:40 now",
        ),
        (
            "User's parents are in Bergen for Christmas.",
            "my folks do xmas in Bergen",
            "User is in Oslo for Christmas.",
            "Oslo now",
        ),
        ("The gateway limit is 25 MB.", "gateway takes 25 megs", "The gateway limit is 40 MB.", "is it 40 now?"),
        ("The gateway limit is 25 MB.", "gateway takes 25 megs", "The gateway limit is 40 MB.", "it's not 40, is it"),
        (
            "User's team meets on Monday.",
            "we meet mondays",
            "User's team meets on Thursday.",
            "on thursdays as well now",
        ),
        (
            "الخادم موجود في القاهرة",
            "الخادم موجود في القاهرة.",
            "الخادم موجود في دبي أيضا",
            "الخادم موجود في دبي أيضا.",
        ),
        ("Сервер стоит в Москве.", "Сервер стоит в Москве.", "Сервер стоит в Казани.", "Сервер стоит в Казани."),
        (
            "Der Server läuft auf Port 80.",
            "Der Server läuft auf Port 80.",
            "Der Server läuft auf Port 81.",
            "Der Server läuft auf Port 81.",
        ),
        (
            "The cat sleeps on the sofa.",
            "hi",
            "The cat sleeps on the printer.",
            "The cat sleeps on the sofa. The cat sleeps on the printer.",
        ),
        ("User likes jazz.", "I like jazz", "User likes folk.", "it's folk I listen to, jazz is for the car"),
    ],
)
def test_what_is_still_true_stays(older: str, told: str, newer: str, said: str) -> None:
    """C-43: however alike the two memories are."""
    assert stays({"older": older, "user_before": told, "newer": newer, "user_now": said})


@pytest.mark.parametrize(
    ("older", "told", "newer", "said"),
    [
        (
            "The colloquium is in Room 3.07.",
            "it's in Room 3.07",
            "The colloquium is in Room B.12.",
            "they put us in B.12 instead",
        ),
        (
            "The weather project uses Postgres.",
            "it runs on Postgres",
            "The weather project uses DuckDB.",
            "Postgres was too fat, all on DuckDB",
        ),
        (
            "The export job has a timeout of 30 seconds.",
            "timeout's 30 s",
            "The timeout of the export job is 90 seconds.",
            "raised it to a minute and a half",
        ),
        (
            "Suresh is on call for billing this week.",
            "Suresh is on call",
            "Ilse is on call for billing.",
            "ask Ilse, she swapped with Suresh",
        ),
        (
            "The payment term is 15 days.",
            "payment term 15 days",
            "The payment term is 30 days.",
            "Procurement wanted 30, done",
        ),
        (
            "Camp is at Pine Ridge this year.",
            "camp's at Pine Ridge",
            "Camp is at Lake Tamsin this year.",
            "fire ban, so we had to relocate to Lake Tamsin",
        ),
        (
            "El equipo usa Trello para las tareas.",
            "usamos trello",
            "El equipo usa Linear para las tareas.",
            "dejamos trello, ahora todo está en linear",
        ),
    ],
)
def test_a_memory_that_differs_by_a_value_is_whose_the_value_is(older: str, told: str, newer: str, said: str) -> None:
    """C-25, C-41: of what has not changed nothing need be said again, whoever wrote it first."""
    assert not stays({"older": older, "user_before": told, "newer": newer, "user_now": said})


_WORDS = [
    "User",
    "the",
    "user's",
    "Straße",
    "İzmir",
    "Anna",
    "port",
    "8443",
    "5 p.m.",
    "May 3",
    "now",
    "a",
    "half",
    "-2",
    "x.",
    "14th",
    "5kg",
    "20h",
    "instead of",
    "not",
]
_TEXTS = st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join)


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_what_is_replaced_stands_in_the_older_text(older: str, newer: str, said: str, before: str) -> None:
    """C-43: whatever is laid beside each other, only words of the older memory are marked."""
    found = find_replacement(older, newer, Spoken(said, (before,), said))
    if found is not None:
        marked = " ".join(older[start:end].casefold() for start, end in found.spans)
        assert all(word in marked for word in found.older.split())


def test_a_value_without_a_place_of_its_own_marks_nothing() -> None:
    """C-43: "14" is no word of "the 14th", so nobody can say which words of the older memory go."""
    older, newer = (
        "The wedding of the user's friend Teo is on the 14th.",
        "The wedding of the user's friend is on the 28th.",
    )
    said = "The wedding is on the 28th, not the 14th."
    assert find_replacement(older, newer, Spoken(said, ("Teo marries on the 14th.",), said)) is None


@pytest.mark.parametrize("part", ["third", "fourth"])
def test_no_labelled_memory_that_is_still_true_goes(part: str) -> None:
    """C-43: written to look like what a change ends (docs/benchmarks/spoken.md)."""
    assert [row["id"] for row in read_rows(f"stays_{part}") if not stays(row)] == []


#: What was measured when this was written: no figure may get worse.
_MOST_WRONG = {
    "development": 1,
    "second": 0,
    "held_out": 3,
    "third": 4,
    "fourth": 3,
    "fifth": 10,
    "sixth": 3,
    "seventh": 3,
}
_LEAST_TRACED = {
    "development": 70,
    "second": 68,
    "held_out": 57,
    "third": 0,
    "fourth": 21,
    "fifth": 50,
    "sixth": 40,
    "seventh": 34,
}
_LEAST_RIGHT = {"development": 40, "second": 63, "held_out": 28, "third": 16, "fourth": 2}


@pytest.mark.parametrize("part", list(_MOST_WRONG))
def test_who_said_it_on_labelled_conversations(part: str) -> None:
    """C-25, C-26, T-03: nobody has tuned on the half that is held back (docs/benchmarks/spoken.md)."""
    found = Counter((row["who"], is_users(row)) for row in read_rows(f"who_{part}"))
    assert found["not", True] <= _MOST_WRONG[part]
    assert found["user", True] >= _LEAST_TRACED[part]


@pytest.mark.parametrize("part", ["development", "second", "held_out", "third", "fourth"])
def test_no_correction_in_passing_loses_to_what_it_corrects(part: str) -> None:
    """C-41, C-44: in doubt both stay."""
    found = Counter(play(row) for row in read_rows(f"corrections_{part}"))
    assert found["inverted"] == 0
    assert found["right"] >= _LEAST_RIGHT[part]
