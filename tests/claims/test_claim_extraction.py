"""Text to claims: subject, slot, value, polarity, modality, time, scope (C-39, C-40, T-46, T-49)."""

import pytest
from memory_ledger.claims import Modality, Tense, ValueKind, extract_claims, is_question


def _strict(text):
    """The claims that the grammar of subject, slot and value reads; what is read from the words alone is apart."""
    return [claim for claim in extract_claims(text) if not claim.loose]


def _first(text):
    return _strict(text)[0]


def _keys(text):
    return [(claim.subject, claim.slot, claim.value.text) for claim in _strict(text)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "🙂",
        "Mein Projekt verwendet Python 3.11.",
        "Die Stadt Berlin ist toll und ich wohne hier",
        "プロジェクトはPython 3.11を使用しています。",
        "المشروع يستخدم بايثون 3.11",
        "It runs on port 8080",
        "a b c",
        "Everyone's name is Bob",
        "Some users like tea",
    ],
)
def test_what_cannot_be_read_makes_no_claim(text):
    """C-42: German, Japanese, Arabic, fragments, and subjects that only the context resolves."""
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    ("texts", "key"),
    [
        pytest.param(
            ("My project uses Python 3.11", "User's project targets Python 3.11", "our project is on Python 3.11"),
            ("", "version of python"),
            id="C-39 the user's project",
        ),
        pytest.param(
            (
                "My name is Alice",
                "The user's name is Alice",
                "User is called Alice",
                "user's name: Alice",
                "Name: Alice",
            ),
            ("user", "name"),
            id="C-39 the user",
        ),
        pytest.param(
            ("I live in Denver", "The user said they live in Denver", "User: I live in Denver", "Lives in Denver"),
            ("user", "lives in"),
            id="C-39 reported by the user",
        ),
        pytest.param(
            ("My wife's name is Carol", "The user's wife is named Carol"), ("wife", "name"), id="C-39 the user's wife"
        ),
        pytest.param(("Bob: my name is Bob", "Bob's name is Bob"), ("bob", "name"), id="C-39 a labelled speaker"),
        pytest.param(
            ("The API's debug port is 9229", "The debug port of the API is 9229", "API debug port: 9229"),
            ("api debug", "port"),
            id="C-39 owner and modifiers",
        ),
        pytest.param(
            ("The number of replicas is 3", "number of replicas: 3"), ("", "count of replica"), id="C-39 counts"
        ),
        pytest.param(
            ("The maximum upload size is 5 MB", "The max upload size is 5 MB"), ("upload", "max size"), id="C-39 max"
        ),
        pytest.param(
            ("User prefers vim", "My preferred editor is vim", "I prefer vim over Emacs"),
            ("user", "preferred editor"),
            id="C-39 preferred",
        ),
        pytest.param(
            ("MAX_RETRIES=3", "MAX_RETRIES is set to 3", "MAX_RETRIES equals 3"),
            ("max_retries", "setting"),
            id="settings",
        ),
        pytest.param(
            ("Tom owns the billing service", "The billing service is owned by Tom"),
            ("bill", "owner"),
            id="C-39 owner, from either side",
        ),
    ],
)
def test_one_key_for_all_wordings(texts, key):
    assert {_first(text).key for text in texts} == {key}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        pytest.param(
            "My name is Alice and I live in Denver, Colorado",
            [("user", "name", "Alice"), ("user", "lives in", "Denver , Colorado")],
            id="two subjects",
        ),
        pytest.param(
            "The API runs on port 8080 and uses GraphQL",
            [("api", "port", "port 8080"), ("api", "uses", "GraphQL")],
            id="the subject is inherited",
        ),
        pytest.param(
            "We use Redis for caching",
            [("we", "uses", "Redis")],
            id="T-46 used for",
        ),
        pytest.param(
            "The app uses Python 3.9 and Django 4.2",
            [
                ("app", "version of python", "3.9"),
                ("app", "version of django", "4.2"),
            ],
            id="a list of versions of different things",
        ),
        pytest.param("Bob is 30", [("bob", "age", "30")], id="a bare age"),
        pytest.param(
            "The user, who lives in Rome, works at Acme", [("user", "works at", "Acme")], id="a relative clause"
        ),
        pytest.param(
            "The team that uses Slack has 5 members", [], id="a restrictive clause makes the subject unreadable"
        ),
        pytest.param("I changed my name to Bea", [("user", "name", "Bea")], id="a change of an attribute"),
        pytest.param("User has updated their email to a@b.de", [("user", "e-mail", "a@b.de")], id="their"),
        pytest.param("Bob changed his email to a@b.de", [("bob", "e-mail", "a@b.de")], id="his"),
        pytest.param("We upgraded Python from 3.9 to 3.12", [("we", "version of python", "3.12")], id="of the subject"),
        pytest.param(
            "The app moved from Python 3.9 to 3.12", [("app", "version of python", "3.12")], id="of the thing"
        ),
        pytest.param("my name is alice", [("user", "name", "alice")], id="a name in lower case"),
        pytest.param(
            "The user's deadline is May 3", [("", "deadline", "May 3")], id="the user's deadline is the deadline"
        ),
        pytest.param("This project uses Vim", [("project", "uses", "Vim")], id="this project is the project"),
        pytest.param("The API doesn’t use Redis", [("api", "uses", "Redis")], id="a curly apostrophe"),
        pytest.param("We use Redis for caching, queues", [("we", "uses", "Redis")], id="two purposes"),
        pytest.param("The server runs on localhost:3000", [("server", "port", "localhost:3000")], id="host and port"),
    ],
)
def test_claims_of_a_text(text, keys):
    """C-39."""
    assert _keys(text) == keys or (keys == [] and _first(text).slot == "states")


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("The API uses Redis", Modality.FACT),
        ("The user confirmed that the API uses Redis", Modality.FACT),
        ("Note: the API uses Redis", Modality.FACT),
        ("The pro plan uses Redis", Modality.FACT),
        ("Does the API use Redis?", Modality.QUESTION),
        ("does the API use Redis", Modality.QUESTION),
        ("which database does the API use", Modality.QUESTION),
        ("User asked whether the API uses Redis", Modality.HYPOTHESIS),
        ("User asked that the API uses Redis", Modality.QUESTION),
        ("Question: the API uses Redis", Modality.QUESTION),
        ("Bob said the API uses Redis", Modality.QUOTATION),
        ("The API uses Redis, Bob said", Modality.QUOTATION),
        ("According to Bob the API uses Redis", Modality.QUOTATION),
        ('"The API uses Redis"', Modality.QUOTATION),
        ("If all goes well the API uses Redis", Modality.HYPOTHESIS),
        ("When idle, the API uses Redis", Modality.HYPOTHESIS),
        ("The API may use Redis", Modality.HYPOTHESIS),
        ("The API will use Redis", Modality.PLAN),
        ("The API is going to use Redis", Modality.PLAN),
        ("The API is to use Redis", Modality.PLAN),
        ("The API plans to use Redis", Modality.PLAN),
        ("TODO: the API uses Redis", Modality.PLAN),
        ("The team is moving the API to Redis", Modality.PLAN),
        ("I think the API uses Redis", Modality.ESTIMATE),
        ("I did not say the API uses Redis", Modality.ESTIMATE),
        ("The API usually uses Redis", Modality.ESTIMATE),
        ("The API has about 5 nodes", Modality.ESTIMATE),
        ("I am not sure the API uses Redis", Modality.ESTIMATE),
        ("The API should use Redis", Modality.RECOMMENDATION),
        ("The API has to use Redis", Modality.RECOMMENDATION),
        ("Tip: the API uses Redis", Modality.RECOMMENDATION),
    ],
)
def test_modality(text, modality):
    """C-43: only facts are compared."""
    assert {claim.modality for claim in extract_claims(text)} <= {modality}
    assert extract_claims(text) or modality is not Modality.FACT


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("The API uses Redis", Tense.NOW),
        ("The API uses Redis since 2021", Tense.NOW),
        ("The API is now using Redis", Tense.NOW),
        ("The deadline is May 5", Tense.NOW),
        ("I was born in Rome", Tense.NOW),
        ("I moved to Rome last month", Tense.NOW),
        ("The API used Redis", Tense.PAST),
        ("The API had used Redis", Tense.PAST),
        ("The API has been using Redis", Tense.PAST),
        ("The API was using Redis", Tense.PAST),
        ("The API did not use Redis", Tense.PAST),
        ("The old API uses Redis", Tense.PAST),
        ("Last year the API uses Redis", Tense.PAST),
        ("This week, the API uses Redis", Tense.PAST),
        ("The API uses Redis until 2024", Tense.PAST),
        ("I moved to Rome 3 years ago", Tense.PAST),
        ("In 2023 the API uses Redis", Tense.DATED),
        ("As of March 2024, the API uses Redis", Tense.DATED),
        ("I moved to Rome in 2015", Tense.DATED),
    ],
)
def test_time(text, tense):
    """C-43: claims of different times are never compared."""
    assert _first(text).time.tense is tense


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("The API uses Redis", True),
        ("The API does not use Redis", False),
        ("The API doesn't use Redis", False),
        ("The API doesnt use Redis", False),
        ("The API is not using Redis", False),
        ("The API never uses Redis", False),
        ("The API no longer uses Redis", False),
        ("The API is no longer using Redis", False),
        ("The API uses Redis because it does not need Kafka", True),
    ],
)
def test_polarity(text, polarity):
    """C-40: negation counts only in the verb group."""
    assert _first(text).polarity is polarity


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("The API uses Redis", ()),
        ("The API uses Redis in the staging environment", ("staging",)),
        ("In prod, the API uses Redis", ("production",)),
        ("In prod the API uses Redis", ("production",)),
        ("The staging API uses Redis", ("staging",)),
        ("The API in staging uses Redis", ("staging",)),
        ("Staging: the API uses Redis", ("staging",)),
        ("The API uses Redis for caching in the EU region", ("caching", "eu region")),
        ("The API uses Redis without TLS", ("without tls",)),
        ("The API uses Redis (beta)", ("beta",)),
        ("The staging port of the API is 8080", ("staging",)),
        ("Our CI uses Redis", ()),
    ],
)
def test_scope(text, scope):
    """C-43: every qualifier that is not understood keeps claims apart."""
    assert _first(text).scope == scope


@pytest.mark.parametrize(
    ("text", "correction"),
    [
        ("Actually, the API uses Redis", True),
        ("The API uses Redis, actually", True),
        ("No, actually, the API uses Redis", True),
        ("No. The API uses Redis.", True),
        ("Correction: the API uses Redis", True),
        ("That's wrong, the API uses Redis", True),
        ("The API uses Redis instead of Kafka", True),
        ("The API uses Redis, not Kafka", True),
        ("No problem, the API uses Redis", False),
        ("The API actually uses Redis", False),
        ("Actually, the API also uses Redis", False),
    ],
)
def test_correction(text, correction):
    """C-41."""
    assert {claim.correction for claim in _strict(text)} == {correction}


@pytest.mark.parametrize(
    ("text", "kind", "slot"),
    [
        ("Actually it's 8443", ValueKind.PORT, ""),
        ("Sorry, it's GraphQL", ValueKind.TERM, ""),
        ("No, the correct answer is GraphQL", ValueKind.TERM, ""),
        ("The correct port is 8443", ValueKind.PORT, ""),
        ("I meant Python 3.12", ValueKind.VERSION, "version of python"),
        ("Correction: 2026-10-15", ValueKind.DATE, ""),
        ("I meant Alicia", ValueKind.NAME, ""),
    ],
)
def test_elliptical_corrections_carry_a_type(text, kind, slot):
    """C-41."""
    (claim,) = extract_claims(text)
    assert (claim.elliptical, claim.correction, claim.value.kind, claim.slot) == (True, True, kind, slot)


@pytest.mark.parametrize(
    "text", ["Actually it's a nice day", "I meant to ask about port 80", "Actually", "It's 8443", "No"]
)
def test_what_only_looks_like_an_elliptical_correction(text):
    """C-41."""
    assert not any(claim.elliptical for claim in extract_claims(text))


def test_spans_point_into_the_text():
    """A claim can be shown where it stands; items of a list have their own spans."""
    text = "FYI: the app uses Python 3.9, Django 4.2 and Node 20. I live in Rome."
    assert [text[claim.start : claim.end] for claim in _strict(text)] == [
        "FYI: the app uses Python 3.9",
        "Django 4.2",
        "Node 20",
        "I live in Rome",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What port does the API use?", True),
        ("Hi there! Which port is it?", True),
        ("can you help me", True),
        ("Do not use tabs", False),
        ("The API uses Redis. Does it scale?", False),
        ("When we deploy, the port is 80", False),
        ("The API uses Redis", False),
        ("", False),
    ],
)
def test_is_question(text, expected):
    """T-49."""
    assert is_question(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "The team was moved",
        "The price was raised by 10 to 20",
        "Redis was replaced by Memcached",
        "We replaced Redis",
        "The team moved from A to B and C",
        "It moved to Rome",
        "It switched from A to B",
        "The user stopped working",
        "It stopped using Redis",
        "It upgraded Python to 3.12",
        "We upgraded Python to the newest",
        "We dropped Redis or Kafka",
        "We renamed the app to something",
    ],
)
def test_changes_that_say_too_little(text):
    """C-42: a change without owner, target or value changes nothing."""
    assert all(claim.slot == "states" or claim.slot == "uses" for claim in _strict(text))
    assert not any(claim.change and claim.polarity for claim in _strict(text))


@pytest.mark.parametrize(
    "text",
    [
        "We changed the API port to something",
        "API port: soon",
        "MAX_SIZE = something else",
        "Tom owns the house and the car",
        "Tom maintains the issue",
        "The default is main",
        "The name of it is Bob",
        "We moved it from A to B",
        "The API does not use Redis instead of Kafka",
        "The timeout is not 5 s instead of 6 s",
    ],
)
def test_what_fits_no_slot_is_at_most_a_statement(text):
    """C-42."""
    assert all(claim.slot in ("states", "owns") for claim in _strict(text))
