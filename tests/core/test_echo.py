"""Echoes: a new memory that only restates one that was in the prompt; what must not change comes first (T-67, T-68)."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from core_tools import (
    AGENT,
    CONFIRMED,
    DEPRECATED,
    EXTERNAL,
    INFERRED,
    LATER,
    LOAD_BEARING,
    NOW,
    TACTICAL,
    USER,
    memory,
)
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.contents import Content
from memory_ledger.ledger.copies import find_echo
from memory_ledger.records import Memory, OutdatedPart
from memory_ledger.similar.copies import covers, judge_pair

DATA = Path(__file__).resolve().parents[1] / "data" / "contradictions"

# (kind, original, new): the new one says something else, or may; in most rows in either direction.
DIFFERENT = [
    (
        "words of its own",
        'Scheduling tool "Rota" has three roles: admin, planner, reader. Planners cannot delete shifts.',
        "In Rota planners may delete shifts up to a day ahead; roles remain admin, planner, reader.",
    ),
    ("added fact", "The user lives in Berlin", "The user lives in Berlin with two cats"),
    ("added fact", "The API uses Go", "The API uses Go and Redis"),
    ("added fact", "The user is allergic to nuts.", "The user is allergic to nuts. The user carries a pen."),
    ("added fact", "The wiki is public", "The wiki is public (since May)"),
    ("added fact", "The user drinks tea", "The user drinks tea: green, no sugar"),
    ("other number", "The API runs on port 8080", "The API runs on port 8081"),
    ("other number", "The team has five members", "The team has 6 members"),
    ("other number", "The factor is 3.14", "The factor is 3.141"),
    ("other number", "The server is in the 3rd rack", "The server is in the 3 rack"),
    ("other version", "The project uses Python 3.11", "The project uses Python 3.12"),
    ("other date", "The release is on 2026-05-01", "The release is on 2026-05-10"),
    ("other date", "The release is on May 1", "The release is on June 1"),
    ("other sign", "The freezer is at -18 C", "The freezer is at 18 C"),
    ("other unit", "The timeout is 30 seconds", "The timeout is 30 minutes"),
    ("other unit", "The link carries 100 MB", "The link carries 100 Mb"),
    ("other unit", "The parcel is 5 pounds", "The parcel is 5 gbp"),
    ("other unit", "The budget is $500", "The budget is €500"),
    ("other unit", "The screen is 27 inches", "The screen is 27"),
    ("other name", "The user's manager is Anna", "The user's manager is Anne"),
    ("other name", "The team uses Java", "The team uses JavaScript"),
    ("other path", "The log is in /var/log/app", "The log is in /var/log/App"),
    ("other path", "The settings are in .env", "The settings are in env"),
    ("other path", "The key is in ~/keys", "The key is in /keys"),
    ("other mark", "Deploy with --force", "Deploy with -force"),
    ("other mark", "The load must stay < 5", "The load must stay > 5"),
    ("other mark", "The status is ✓", "The status is ✗"),
    ("other subject", "The user lives in Berlin", "The user's sister lives in Berlin"),
    ("other subject", "The staging server runs Debian", "The build server runs Debian"),
    ("other subject", "Anna works at Siemens", "The user works at Siemens"),
    ("other subject", "The user's project uses Go", "The project uses Go"),
    ("other slot", "The read timeout is 5 s", "The write timeout is 5 s"),
    ("one or several", "Anna is the maintainer of Atlas", "Anna is a maintainer of Atlas"),
    ("one or several", "The API has few users", "The API has a few users"),
    ("negation", "The user eats meat", "The user does not eat meat"),
    ("negation", "The user does not eat meat", "The user eats meat"),
    ("negation", "The user always rebases", "The user never rebases"),
    ("negation", "Dark mode is on", "Dark mode is not on"),
    ("negation", "The user can't swim", "The user can swim"),
    ("negation", "The user uses Vim", "The user no longer uses Vim"),
    ("quantity", "The user uses Vim", "The user only uses Vim"),
    ("quantity", "The tests pass", "Most of the tests pass"),
    ("quantity", "All services use Go", "Some services use Go"),
    ("quantity", "A team owns every service", "Every service is owned by a team"),
    ("correction", "The API uses GraphQL", "Actually it's GraphQL"),
    ("change", "The team uses Redis", "The team switched to Redis"),
    ("tense", "The project uses Python 3.11", "The project used Python 3.11"),
    ("tense", "The user lives in Berlin", "The user lived in Berlin"),
    ("tense", "The user works at Siemens", "The user was working at Siemens"),
    ("tense", "The project used Vim", "The project uses Vim"),
    ("guess", "The user uses Vim", "The user might use Vim"),
    ("guess", "The user probably likes tea", "The user likes tea"),
    ("guess", "The user wants to use Rust", "The user uses Rust"),
    ("question", "The user's project uses Go", "Does the user's project use Go?"),
    ("question", "The project uses Go", "The project uses Go?"),
    ("condition", "Deploys need a review", "Deploys need a review if it is Friday"),
    ("hearsay", "The user lives in Berlin", "Anna said that the user lives in Berlin"),
    ("denied", "The user lives in Berlin", "The user never said that the user lives in Berlin"),
    ("environment", "The staging database port is 5433", "The production database port is 5433"),
    ("environment", "The staging database port is 5433", "The database port is 5433"),
    ("environment", "The API runs on port 8080 in staging", "The API runs on port 8080"),
    ("time", "The user prefers tea in the morning", "The user prefers tea"),
    ("time", "Backups run before midnight", "Backups run after midnight"),
    ("time", "The report is due on Friday", "The report is due by Friday"),
    ("roles", "Anna reports to Maria", "Maria reports to Anna"),
    ("roles", "The API calls the worker", "The worker calls the API"),
    ("roles", "Anna owns the deploy script", "Anna is owned by the deploy script"),
    ("roles", "Anna's manager is Maria", "Maria's manager is Anna"),
    ("roles", "Anna is the manager of Maria", "Maria is the manager of Anna"),
    ("roles", "The user prefers tea over coffee", "The user prefers coffee over tea"),
    ("direction", "Data is copied from Oslo to Rome", "Data is copied from Rome to Oslo"),
    ("more precise", "The project uses Python 3.11", "The project uses Python 3.11.4"),
    ("more precise", "The user lives in Germany", "The user lives in Berlin, Germany"),
    ("more precise", "The user likes tea", "The user likes green tea"),
    ("less precise", "The project uses Python 3.11", "The project uses Python"),
    ("less precise", "The user likes green tea", "The user likes tea"),
    ("list item", "The stack is Go, Redis", "The stack is Go, Redis, Kafka"),
    ("list item", "The user likes tea and coffee", "The user likes tea"),
    ("list item", "The user likes tea and coffee", "The user likes tea or coffee"),
    ("list order", "First lint, then test", "First test, then lint"),
    ("of a longer one", "The user lives in Rome. The port is 5433.", "The port is 5433."),
    ("of a longer one", "Staging is special: the port is 5433.", "The port is 5433."),
    ("reason of a denial", "The build is not slow because of Redis", "The build is not slow"),
    ("reason", "The team uses Go", "The team uses Go because of Anna"),
    ("same topic", "The user likes hiking", "The user went hiking last week"),
    ("same topic", "The build runs on GitHub Actions", "The build takes 12 minutes"),
    ("other code", "Run `echo $X` first", 'Run `echo "$X"` first'),
    ("other lines", "# Problem\nslow\n# Solution\nuse pip", "# Problem\nslow\n# Solution\nuse uv"),
    ("other lines", '# Solution\necho "$X"', "# Solution\necho $X"),
    ("another language", "Der Benutzer wohnt in Köln", "Der Benutzer wohnte in Köln"),
    ("another language", "ユーザーは東京に住んでいます", "ユーザーは大阪に住んでいます"),
    ("nothing", "", ""),
    ("nothing", "The user lives in Berlin", " \n"),
]

#: (original, new): the same text but for what no writer means by it.
ECHOES = [
    ("The user's project uses Python 3.11", "The user's project uses Python 3.11"),
    ("The user's project uses Python 3.11", "  The user's project  uses Python 3.11 "),
    ("The user's project uses Python 3.11", "- The user's project uses Python 3.11."),
    ("The user lives in Berlin", "User lives in Berlin ..."),
    ("Run {{ deploy }} first", "Run {\u200b{ deploy }\u200b} first"),
    ("# Problem\nslow\n# Solution\nuse uv", "# Problem\n slow\n# Solution\nuse uv\n"),
    ("Der Benutzer wohnt in Köln", "Der Benutzer wohnt in Köln."),
    ("Steps\nlint\ntest", "Steps lint test"),
]


@pytest.mark.parametrize(("kind", "original", "new"), DIFFERENT, ids=[f"{k}: {a} / {b}" for k, a, b in DIFFERENT])
def test_what_says_anything_else_is_no_echo(kind: str, original: str, new: str) -> None:
    """T-67, T-68: numbers, versions, dates, paths, names, polarity, roles, and every other addition."""
    assert find_echo(inferred(text=new), memory("old", original)) is None


@pytest.mark.parametrize(("original", "new"), ECHOES, ids=[f"{a} / {b}" for a, b in ECHOES])
def test_restatement_is_an_echo(original: str, new: str) -> None:
    """T-68: the reason is in words."""
    reason = find_echo(inferred(text=new), memory("old", original))
    assert reason is not None
    assert reason.startswith("it is the same ")


def test_contradictions_are_no_echoes() -> None:
    """T-67: in either order of the pairs that were written for the rules of contradiction."""
    lines = [line for part in ("development", "held_out") for line in (DATA / f"{part}.jsonl").read_text().splitlines()]
    pairs = [(row["older"], row["newer"]) for row in map(json.loads, lines) if row["contradiction"]]
    assert len(pairs) > 2_000
    assert sum(covers(*pair).is_copy for pair in pairs) <= 1
    assert sum(covers(*pair[::-1]).is_copy for pair in pairs) <= 2  # the newer one names the older value


# --- properties ----------------------------------------------------------------------------------------------------

PLAIN = [
    "The user's project uses Python 3.11",
    "The API listens on port 8080 in staging",
    "Anna owns the deploy script",
    "The timeout of the gateway is 30 seconds",
    "The user prefers tabs over spaces",
    "Vim is the user's favorite editor",
    "The user lives in Berlin. The user works at Siemens.",
]
# Words that turn a sentence, or narrow it.
DIVERGING = (
    "not never no without only rarely hardly formerly maybe might no-one unless almost most few some again "
    "another second 7 3.12 2026 staging Maria /tmp"
).split()


@given(st.sampled_from(PLAIN), st.sampled_from(DIVERGING), st.integers(0, 30))
def test_one_more_word_that_matters_is_no_echo(text: str, word: str, place: int) -> None:
    """T-67: wherever it is put in, and wherever it is left out."""
    words = text.split()
    place %= len(words) + 1
    changed = " ".join([*words[:place], word, *words[place:]])
    assert not judge_pair(changed, text).is_copy


@given(st.text(max_size=60), st.lists(st.sampled_from([" ", "  ", "\t"]), max_size=9))
@example("a\u0308 b", ["\t", " "])
def test_equal_normalised_texts_are_echoes(text: str, spaces: list[str]) -> None:
    """T-67, T-68: white space and composition aside, a text on one line is an echo of itself."""
    words = text.split()
    line = " ".join(words)
    spaced = "".join(word + space for word, space in zip(words, [*spaces, *[" "] * len(words)], strict=False))
    new, original = inferred(text=unicodedata.normalize("NFD", spaced)), memory("old", line)
    assert (find_echo(new, original) is not None) == bool(new.text.strip())


# --- status ------------------------------------------------------------------------------------------------------

TEXT = "The user's project uses Python 3.11"


def inferred(memory_id: str = "new", text: str = f"{TEXT}.", **given: object) -> Memory:
    """Return what the agent inferred."""
    return memory(memory_id, text, **{"source": AGENT, "validity": INFERRED, **given})


ORIGINAL = memory("old", TEXT)
AGENTS = memory("old", TEXT, source=AGENT, validity=CONFIRMED)
OUTDATED = OutdatedPart(text="Python 3.11", by="x", at=NOW)
PLACE = {"bst_domain": "coding", "created_by_role": "coder"}
CONTENT = Content(subject="project", property="language", value="Python")


@pytest.mark.parametrize(
    ("new", "original"),
    [
        pytest.param(inferred(source=USER), AGENTS, id="C-44 the user's own words, of the agent's"),
        pytest.param(inferred(source=USER), replace(AGENTS, is_knowledge=True), id="T-47 of a knowledge import"),
        pytest.param(
            inferred(source=USER), memory("old", TEXT, validity=INFERRED), id="C-16 of what the user has not confirmed"
        ),
        pytest.param(inferred(source=EXTERNAL), ORIGINAL, id="what was retrieved"),
        pytest.param(replace(inferred(), is_knowledge=True), ORIGINAL, id="T-47 a knowledge import"),
        pytest.param(inferred(validity=DEPRECATED), ORIGINAL, id="C-50 retired already"),
        pytest.param(replace(inferred(), classification=None), ORIGINAL, id="not classified"),
        pytest.param(replace(inferred(), lineage=None), ORIGINAL, id="no lineage"),
        pytest.param(inferred(lineage={"is_correction": True}), ORIGINAL, id="C-41 a correction"),
        pytest.param(inferred("old", TEXT), ORIGINAL, id="the memory itself"),
        pytest.param(inferred(), memory("old", TEXT, validity=DEPRECATED), id="the original is retired"),
        pytest.param(inferred(), replace(ORIGINAL, classification=None), id="the original is not classified"),
        pytest.param(inferred(), replace(ORIGINAL, lineage=None), id="the original has no lineage"),
        pytest.param(
            inferred(), memory("old", TEXT, lineage={"outdated_parts": (OUTDATED,)}), id="C-43 partly outdated"
        ),
        pytest.param(inferred(), memory("old", TEXT, at=LATER), id="the original came later"),
        pytest.param(inferred(area="solutions"), ORIGINAL, id="a solution and a fact"),
        pytest.param(inferred(utility=LOAD_BEARING), memory("old", TEXT, utility=TACTICAL), id="C-46 more weight"),
        pytest.param(inferred(), memory("old", TEXT, lineage=PLACE), id="C-18 the original is seen by one role"),
        pytest.param(replace(inferred(), content=CONTENT), ORIGINAL, id="Q-62 structured content"),
        pytest.param(inferred(text="The project is late"), ORIGINAL, id="another text"),
    ],
)
def test_what_must_stay(new: Memory, original: Memory) -> None:
    """T-68, C-44: a memory that has anything which the original has not is no echo of it."""
    assert find_echo(new, original) is None


@pytest.mark.parametrize(
    ("new", "original"),
    [
        pytest.param(inferred(), ORIGINAL, id="of the user's words"),
        pytest.param(inferred(source=USER, validity=CONFIRMED), ORIGINAL, id="the user's words, of the user's words"),
        pytest.param(inferred(), memory("old", TEXT, source=AGENT, validity=INFERRED), id="of the agent's words"),
        pytest.param(inferred(), replace(ORIGINAL, is_knowledge=True), id="of a knowledge import"),
        pytest.param(inferred(utility=LOAD_BEARING), memory("old", TEXT, utility=LOAD_BEARING), id="of equal weight"),
        pytest.param(inferred(lineage=PLACE), memory("old", TEXT, lineage=PLACE), id="in the same role"),
        pytest.param(inferred(lineage=PLACE), ORIGINAL, id="C-99 of what every role sees"),
        pytest.param(replace(inferred(), content=CONTENT), replace(ORIGINAL, content=CONTENT), id="of equal content"),
    ],
)
def test_what_is_an_echo(new: Memory, original: Memory) -> None:
    """T-68: a restatement of what is in use; the user's, where the original is the user's as well."""
    assert find_echo(new, original) is not None
