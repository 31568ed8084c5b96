"""What was said: the modality of a clause, the reach of a denial, values and their units, agreement."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.language.keys import keys_of
from memory_ledger.language.modality import Modality, is_question, parse_modalities, split_clauses
from memory_ledger.language.sentences import split_sentences
from memory_ledger.language.vocabulary import CONTRASTS
from memory_ledger.ledger.attribution import Speaker, Utterance, attribute
from memory_ledger.ledger.conversation import agreed_passages, confirms
from memory_ledger.ledger.mentions import (
    CONTRARY,
    are_forms,
    parse_clause,
    parse_items,
    parse_memory_text,
    parse_mentions,
    parse_words,
)
from memory_ledger.ledger.passages import parse_agreed, parse_passages
from rows import every_row
from spoken_cases import THE_USERS

A, Q, H, C, R = Modality.FACT, Modality.QUESTION, Modality.ESTIMATE, Modality.HYPOTHESIS, Modality.QUOTATION
W, P, X = Modality.PLAN, Modality.PAST, Modality.CHOICE


@pytest.mark.parametrize(
    ("sentence", "modalities"),
    [
        pytest.param("The port is 8443.", [A], id="told"),
        pytest.param("Is the port 8443?", [Q], id="asked"),
        pytest.param("does redis persist its data", [Q], id="asked without a mark"),
        pytest.param("Was super nervous last week.", [P], id="a telegram is no question"),
        pytest.param("The port is 8443, can you open it?", [A, Q], id="told, then asked"),
        pytest.param("The port is 8443, right?", [Q, Q], id="a tag question"),
        pytest.param("The host is tern, so check whether the port is open.", [A, Q, Q], id="told, then to be checked"),
        pytest.param("Just so you know, I'm allergic.", [A, A], id="so you know"),
        pytest.param("Maybe the port is 8443.", [H], id="maybe"),
        pytest.param("The host is tern, maybe the port is 8443.", [A, H], id="a guess covers what follows"),
        pytest.param("The port is 8443, I'm not sure.", [H, H], id="not sure covers what stands before"),
        pytest.param("The port is 8443, I think.", [H, H], id="I think, at the end"),
        pytest.param("Forget that I live in Oslo.", [H], id="taken back"),
        pytest.param("Don't forget that I live in Oslo.", [A], id="not to be forgotten"),
        pytest.param("Bob said the port is 8443.", [R], id="said by somebody"),
        pytest.param("I just said the port is 8443.", [A], id="said by the speaker"),
        pytest.param("I heard the port is 8443.", [R], id="hearsay"),
        pytest.param("We move if it rains.", [C, C], id="a condition covers what stands before it"),
        pytest.param("If it rains, we move.", [C, C], id="a condition covers what follows"),
        pytest.param("It is 39 degrees, if it rises, I call.", [A, C, C], id="not what a comma keeps apart"),
        pytest.param("It is 39 degrees, if it rises.", [C, C], id="unless nothing follows"),
        pytest.param("If possible, use A3.", [A, A], id="politeness is no condition"),
        pytest.param("I want to move to Oslo.", [W], id="a wish"),
        pytest.param("I wanted to tell you I moved.", [A], id="wanting to tell"),
        pytest.param("Find me a hotel in Oslo.", [W], id="a request"),
        pytest.param("Order number is 4711.", [A], id="a noun, not a request"),
        pytest.param("Make sure backups are encrypted.", [A], id="make sure"),
        pytest.param("I used to live in Oslo.", [P], id="over"),
        pytest.param("I'm used to rain.", [A], id="used to something"),
        pytest.param("The code was written in Rust.", [A], id="a passive is not over"),
        pytest.param("I use Vim or Emacs.", [X], id="one or the other"),
        pytest.param("It takes a day or so.", [A], id="or so"),
    ],
)
def test_force(sentence: str, modalities: list[Modality]) -> None:
    """C-12, T-03: only what is asserted outright can be the person's word as it stands."""
    assert parse_modalities(sentence, split_clauses(sentence)) == modalities


@pytest.mark.parametrize(
    ("clause", "affirmed", "denied"),
    [
        pytest.param("The shop uses Redis", "shop redis", "", id="nothing denied"),
        pytest.param("The shop does not use Redis", "", "redis", id="not: what stands before is open"),
        pytest.param("Redis it isn't", "", "", id="n't after it"),
        pytest.param("My flat has no balcony", "flat", "balcony", id="no: what stands before holds"),
        pytest.param("I never smoke and live in Graz", "live graz", "smoke", id="a new verb after and"),
        pytest.param("not only Redis", "redis", "", id="not only"),
        pytest.param("I quit my job", "", "job", id="a verb that turns round"),
        pytest.param("I didn't quit my job", "job", "", id="turned round twice"),
        pytest.param("Windows was replaced by Debian", "debian", "", id="passive: the subject is open"),
        pytest.param("We replaced Windows with Debian", "debian", "windows", id="replaced by"),
        pytest.param("The line stops when it is hot", "line hot", "", id="no object, nothing turned round"),
        pytest.param("We switched from Redis to Memcached", "memcached", "redis", id="from, to"),
        pytest.param("Memcached instead of Redis", "memcached", "redis", id="instead of"),
        pytest.param("Instead of Redis the shop uses Memcached", "shop memcached", "redis", id="instead of, first"),
        pytest.param("Postgres is faster than MySQL", "postgres", "mysql", id="than"),
        pytest.param("I prefer dark over light roast", "dark", "light roast", id="over"),
        pytest.param("more than 40 people", "40 people", "", id="than a number"),
        pytest.param("Das Projekt nutzt kein Redis", "", "redis", id="German"),
        pytest.param("Le projet n'utilise pas Redis", "", "redis", id="French"),
    ],
)
def test_reach_of_a_denial(clause: str, affirmed: str, denied: str) -> None:
    """T-03: which words are affirmed and which denied."""
    read = parse_clause(clause)
    assert keys_of(affirmed.split()) <= read.affirmed
    assert read.denied >= keys_of(denied.split())
    assert not read.affirmed & read.denied
    assert not keys_of(denied.split()) & read.affirmed
    assert bool(denied) or not read.denied


def test_denial_in_a_script_without_spaces() -> None:
    """T-03: a denial without words of its own leaves everything open."""
    for text in ("Redisを使っていません", "这个项目不使用Redis"):
        read = parse_clause(text)
        assert (read.is_negated, read.affirmed, read.denied) == (True, frozenset(), frozenset())


@pytest.mark.parametrize(
    ("remembered", "said", "expected"),
    [
        pytest.param("27 kg", "27 kg", True, id="the same"),
        pytest.param("27 kg", "27kg", True, id="joined"),
        pytest.param("27 kg", "27 kilos", True, id="another name of the unit"),
        pytest.param("27 kg", "27", True, id="unit left out"),
        pytest.param("27 kg", "27 lb", False, id="another unit"),
        pytest.param("27 kg", "28 kg", False, id="another number"),
        pytest.param("4 million", "4", False, id="another factor"),
        pytest.param("-20 °C", "20 °C", False, id="another sign"),
        pytest.param("€50", "50 euros", True, id="a sign for a currency"),
        pytest.param("€50", "$50", False, id="another currency"),
        pytest.param("40 %", "40 percent", True, id="a sign for percent"),
        pytest.param("74 m²", "74 square metres", True, id="a raised figure"),
        pytest.param("four", "4", True, id="in words"),
        pytest.param("8443", "8,443", True, id="with a comma"),
        pytest.param("15:00", "3 pm", True, id="another clock"),
        pytest.param("15:00", "3 am", False, id="the other half of the day"),
        pytest.param("9:15", "09:15", True, id="padded"),
        pytest.param("2025-06-03", "3 June", True, id="a date in words"),
        pytest.param("2025-06-03", "3 June 2024", False, id="another year"),
        pytest.param("2025-06-03", "6 March", False, id="day and month exchanged"),
        pytest.param("12 am", "0:00", True, id="midnight"),
        pytest.param("19 pm", "19", True, id="no hour of that clock"),
        pytest.param("node-2", "node 2", True, id="a name with a number"),
        pytest.param("node-2", "node-3 with 2 disks", False, id="not put together from two"),
        pytest.param("chapter 3", "chapters 3-9", True, id="the end of a range"),
        pytest.param("of 555-0173", "555-0137", False, id="digits exchanged"),
        pytest.param("for PostgreSQL", "postgres", True, id="a short name"),
        pytest.param("for Node.js", "node", True, id="with and without .js"),
        pytest.param("for Kubernetes", "k8s", True, id="two names of one thing"),
        pytest.param("for Martin", "Martina", False, id="another name"),
        pytest.param("for Angular", "AngularJS", False, id="another product"),
        pytest.param("by Brazil", "Brazilian", True, id="a people and its country"),
        pytest.param("at /var/log/app", "/var/log/web", False, id="another path"),
        pytest.param("for iPhone", "iPad", False, id="a capital inside"),
        pytest.param("in May", "in June", False, id="a month that is a verb"),
        pytest.param("from the US", "from the EU", False, id="a country that is a pronoun"),
    ],
)
def test_spelling_of_values(remembered: str, said: str, expected: bool) -> None:
    """T-03: values must be covered, in whatever spelling; units, factors and signs belong to them."""
    values = [one for one in parse_items(f"it is {remembered}") if one.is_hard or one.number is not None]
    assert values
    assert all(map(parse_mentions(f"it is {said}").has, values)) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("wohnt", "wohne", True),
        ("mag", "magazi", True),
        ("일한다", "일해요", True),
        ("oboe", "cello", False),
        ("врач", "повар", False),
    ],
)
def test_forms_of_a_word(one: str, other: str, expected: bool) -> None:
    """T-03: an inflection is not another word."""
    assert are_forms(one, other) is expected
    assert are_forms(other, one) is expected


@pytest.mark.parametrize(
    ("message", "own", "handed_over"),
    [
        pytest.param("Translate this: I live in Oslo.", "", "oslo", id="after the colon"),
        pytest.param('Translate "I live in Oslo" for me', "", "oslo", id="in quotes"),
        pytest.param("Proofread the following text.\nI live in Oslo.", "proofread", "oslo", id="the following"),
        pytest.param("What is wrong?\n```\nport: 7070\n```\nIt is heron.", "heron", "7070", id="fenced"),
        pytest.param("Our config:\n```\nport: 7070\n```", "7070", "", id="fenced, but one's own"),
        pytest.param("> port 7070\nI don't get it on heron.", "heron", "7070", id="quoted lines"),
        pytest.param("Here is the readme: port 7070", "", "7070", id="here is the ..."),
        pytest.param("From: Bob\nI live in Oslo.", "", "oslo", id="a mail"),
        pytest.param("On Monday Bob wrote:\nI live in Oslo.", "monday", "oslo", id="... wrote:"),
        pytest.param("Alice: I live in Oslo\nBob: I live in Rome\nI'm on heron.", "heron", "oslo rome", id="a chat"),
        pytest.param("Update: I live in Oslo.", "oslo", "", id="a heading of one's own"),
        pytest.param("Edit: I live in Oslo.", "oslo", "", id="a correction of one's own"),
        pytest.param("The book is 'The Left Hand' in Oslo.", "left hand oslo", "", id="a title"),
    ],
)
def test_text_that_is_handed_over(message: str, own: str, handed_over: str) -> None:
    """C-12, C-25: a text to be worked on is not said by who hands it over."""
    words = frozenset().union(*(one.clause.words for one in parse_passages(message)))
    assert keys_of(own.split()) <= words
    assert not keys_of(handed_over.split()) & words


@pytest.mark.parametrize(
    "answer",
    [
        "Yes.",
        "yes, it is",
        "Yep, every second Tuesday.",
        "ok, yes",
        "That\u2019s right!",
        "You're right, it is late blight.",
        "Exactly.",
        "exactly, 85",
        "Correct - thanks",
        "Right",
        "true, it's very sandy",
        "Sí, exacto.",
        "Ja, genau.",
        "Stimmt.",
        "はい、そうです。",
        "对。",
        "Right, it has none.",
    ],
)
def test_agreement(answer: str) -> None:
    """C-16, T-03."""
    assert confirms(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no",
        "Yes?",
        "Right?",
        "Absolutely not.",
        "Yeah, no.",
        "Yes and no.",
        "yes please",
        "Yes, go ahead.",
        "Yes, but only on Mondays",
        "Yes. Actually no.",
        "yes... wait",
        "Yes, I think so.",
        "Yes, if it rains",
        "exactly how long?",
        "exactly 90",
        "Correct the spelling first.",
        "Correct answer is Canberra.",
        "right away",
        "True or false",
        "Indeed.com has jobs",
        "Si tienes tiempo, revisa el correo.",
        "Stimmt nicht.",
        "Ja, aber nicht lange",
        "对不起",
        "I disagree",
    ],
)
def test_no_agreement(answer: str) -> None:
    """C-16, T-03: must not confirm."""
    assert not confirms(answer)


@pytest.mark.parametrize(
    ("said", "answer", "agreed"),
    [
        pytest.param("", "Yes.", "", id="nothing said"),
        pytest.param("The port is 8443.", "hm", "", id="no agreement"),
        pytest.param("The host is heron.", "Yes.", "heron", id="a statement"),
        pytest.param("The host is heron?", "Yes.", "heron", id="a question"),
        pytest.param("The host is heron. Is that right?", "Yes.", "heron", id="a tag question"),
        pytest.param("The host is heron. Shall I go on?", "Yes.", "", id="an offer"),
        pytest.param("The host is heron. Why does it fail?", "Right.", "", id="an open question"),
        pytest.param("I'm not sure whether it is heron.", "Yes.", "", id="a doubt"),
        pytest.param("Is it not heron?", "Yes.", "", id="a denial, and a plain yes"),
        pytest.param("It is not heron, is it?", "Right.", "heron", id="a denial, and right"),
        pytest.param("One. Two. Three. Four is heron. Five.", "Right.", "heron", id="the end of an answer"),
        pytest.param("One is heron. Two. Three. Four. Five.", "Right.", "", id="not its beginning"),
        pytest.param("One is heron. Two. Three. Four. Correct?", "Yes.", "heron", id="all of a summary"),
        pytest.param("It has 85 seats on heron.", "Yes, 90.", "", id="another number"),
        pytest.param("It has 85 seats on heron.", "Yes, 85.", "heron", id="the same number"),
        pytest.param("It is heron.", "Right, now let me look.", "", id="right, as a word to go on"),
        pytest.param("It is heron.", "Right, heron it is.", "heron", id="right, said again"),
        pytest.param("It is heron.", "Yes, it isn't slow.", "", id="a denial in the answer"),
        pytest.param("If it rains it is heron.", "Yes.", "", id="a condition"),
    ],
)
def test_what_is_agreed_with(said: str, answer: str, agreed: str) -> None:
    """C-16, T-03: what a "yes" can mean, and nothing else."""
    words = frozenset().union(*(one.clause.words for one in agreed_passages(said, answer)))
    assert ("heron" in words) is bool(agreed)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        pytest.param("Your server is heron.", "", id="you are the person"),
        pytest.param("I moved to heron.", "assistant", id="I am the agent"),
        pytest.param("I think your host is heron.", "", id="about the person all the same"),
        pytest.param("My brother is heron.", "brother", id="somebody else"),
        pytest.param("The host is heron.", "host", id="a thing"),
    ],
)
def test_of_whom_the_agent_speaks(said: str, about: str) -> None:
    """C-16, C-25: agreeing with "I did it" does not make it the person's deed."""
    assert [one.about for one in parse_agreed(said)] == [about]


def test_every_contrast_works_both_ways() -> None:
    """T-03: who says one word of a group says none of the others; no word is its own rival."""
    for group in CONTRASTS:
        assert len(keys_of(group)) == len(group)
        for key in keys_of(group):
            assert keys_of(group) - {key} <= CONTRARY[key]
            assert key not in CONTRARY[key]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" One ", ["One"], id="one"),
        pytest.param("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"], id="four"),
        pytest.param(
            "Ask Dr. Kim, e.g. now. Or St. Ives.", ["Ask Dr. Kim, e.g. now.", "Or St. Ives."], id="abbreviations"
        ),
        pytest.param(
            "Due Sept. 30, etc. The shop of the dept. Paris is shut.",
            ["Due Sept. 30, etc.", "The shop of the dept. Paris is shut."],
            id="abbreviation at an end",
        ),
        pytest.param(
            "Ask J. R. Kim in the U.S. office. Plan B. It works.",
            ["Ask J. R. Kim in the U.S. office.", "Plan B.", "It works."],
            id="initials",
        ),
        pytest.param(
            "Die Prüfung ist am 12. März. Frei ab 3. mai",
            ["Die Prüfung ist am 12. März.", "Frei ab 3. mai"],
            id="a day",
        ),
        pytest.param("v1.2 is out\nnow", ["v1.2 is out", "now"], id="lines"),
        pytest.param("一。二！三", ["一。", "二！", "三"], id="full-width marks"),
        pytest.param("That\u2019s it", ["That's it"], id="apostrophe"),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert list(split_sentences(text)) == sentences


def test_document_is_no_statement() -> None:
    """C-25: what is too long to be looked for is not the person's word, even if the person pasted it."""
    for text in ("The port is 8443. " * 101, "word " * 4_001):
        assert parse_memory_text(text) == []
        assert not attribute(text, [Utterance(Speaker.USER, text)]).is_user


@given(st.text(max_size=200), st.text(max_size=100))
def test_any_text_is_read(text: str, answer: str) -> None:
    """No text breaks the reading; what is read is what was said."""
    for one in (*parse_passages(text), *agreed_passages(text, answer)):
        assert one.clause.affirmed | one.clause.denied <= one.clause.words
        assert not one.clause.affirmed & one.clause.denied or one.clause.words
    for sentence in parse_memory_text(text):
        assert sentence.words
        assert sentence.words <= parse_words(text)
    assert isinstance(is_question(text), bool)


STATED = [(text, said) for _, text, *said in THE_USERS]
NEGATIVE = re.compile(r"\b(?:not|no|never|cannot|nor|critical)\b|n't")
AFFIRMATIONS = [
    (" is ", " is not "),
    (" are ", " are not "),
    (" lives ", " no longer lives "),
    (" uses ", " never uses "),
]


def variants(text: str, said: list[str]) -> list[str]:
    """Return `text` with one number, one name or one assertion changed to what nobody said."""
    heard = " ".join(said)
    found = []
    for match in re.finditer(r"(?<![\d.,:-])\d{1,5}(?![\d.,:-]|\w*-\d)", text):
        other = str(int(match[0]) + 7)
        if other not in heard:
            found.append(f"{text[: match.start()]}{other}{text[match.end() :]}")
    for match in re.finditer(r"(?<=[a-z,;] )[A-Z][a-zA-Z]{2,}", text):
        found.append(f"{text[: match.start()]}Quillon{text[match.end() :]}")
    if not NEGATIVE.search(text):
        found += [text.replace(old, new, 1) for old, new in AFFIRMATIONS if old in text]
    return found


@every_row((other, said) for text, said in STATED for other in variants(text, said))
def test_one_change_makes_it_somebody_elses_word(text: str, said: list[str]) -> None:
    """T-03: every value and every denial counts, in every one of the statements that are the person's."""
    speakers = {"U:": Speaker.USER, "A:": Speaker.AGENT, "T:": Speaker.TOOL}
    heard = [Utterance(speakers[one[:2]], one[2:].lstrip(" ")) for one in said]
    assert not attribute(text, heard).is_user
