"""The whole interface of the quality layer over a store, its columns, and its one writer (Q-01 ... Q-71)."""

import json
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from fake_host import HashingEmbedder
from memory_ledger.cli.deciding import conflict_row
from memory_ledger.clock import format_time, parse_time
from memory_ledger.errors import MemoryLedgerError, StoreError
from memory_ledger.host.adoption.ingest import open_ingest
from memory_ledger.host.quality.quality_store import QualityStore
from memory_ledger.host.recall.search import recall
from memory_ledger.host.tools.conflicts import list_conflicts
from memory_ledger.ledger.changes import Qualify, Supersede
from memory_ledger.quality.conflict_record import ConflictVerdict, Resolver, Strategy, resolve
from memory_ledger.quality.kinds import STALENESS_RATES
from memory_ledger.quality.objects import (
    QualityError,
    RecallRequest,
    ValidationError,
    parse_duration,
    parse_options,
    with_defaults,
)
from memory_ledger.quality.scores import measure_memory
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.selection import join_texts
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.index import no_vectors
from memory_ledger.store.quality_columns import measure
from quality_tools import TIMEZONE, Bench, content, stored

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bench(tmp_path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
async def quality(bench):
    async with bench.open() as store:
        yield store


def ids(objects) -> list[str]:
    return [one["id"] for one in objects]


async def test_keys_of_a_memory(bench, quality) -> None:
    """Q-01 ... Q-04, Q-05, Q-63, Q-69, T-31: what `remember` returns is the stored object."""
    made = await quality.remember({**TIMEZONE, "confidence": 0.95, "source": "told", "tags": ["place"]})
    assert {key: made[key] for key in ("type", "content", "confidence", "source", "tags")} == {
        "type": "fact",
        "content": TIMEZONE["content"],
        "confidence": 0.95,
        "source": "told",
        "tags": ["place"],
    }
    assert made["quality"] == {
        "score": 0.95,
        "staleness": 0.0,
        "conflictRisk": 0.0,
        "validatedAt": format_time(bench.clock()),
        "validationErrors": [],
    }
    assert made["relationships"] == [] and made["metadata"] == {"accessCount": 0, "lastAccessed": None, "citedBy": []}
    assert {key: value for key, value in made.items() if key not in ("conflicts", "suggestions")} == (
        await quality.get(made["id"])
    )
    assert json.loads(json.dumps(made)) == made
    assert await quality.get("nobody") is None
    assert with_defaults({"id": "x", "confidence": 0.4})["quality"] == {
        **made["quality"],
        "score": 0.4,
        "validatedAt": None,
    }
    assert with_defaults({"quality": {"staleness": 0.5}})["quality"]["staleness"] == 0.5


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        *(("fact", "told"), ("preference", "experience"), ("lesson", "inferred"), ("relationship", "told")),
        *(("event", "experience"), ("decision", "inferred"), ("skill", "told")),
    ],
)
async def test_each_type_and_source_comes_back(quality, kind, source) -> None:
    """Q-01, Q-09, Q-60, T-25, T-26: stored is only what the text and the axis of the source do not say."""
    made = await quality.remember({"type": kind, "content": {"text": "The server room is cold"}, "source": source})
    assert (made["type"], made["source"]) == (kind, source)
    kept = stored(quality, made["id"])
    assert kept["classification"]["source"] == ("user_asserted" if source == "told" else "agent_inferred")
    assert kept.get("quality", {}).get("source") == ("experience" if source == "experience" else None)
    assert kept.get("quality", {}).get("type") == (None if kind == "fact" else kind)


async def test_scores_are_never_stored(bench, quality) -> None:
    """Q-57, T-27: computed when read, at the time of reading; `quality` holds only what was stated or checked."""
    made = await quality.remember(TIMEZONE, {"validate": False})
    assert "quality" in stored(quality, made["id"])
    assert not {"score", "staleness"} & stored(quality, made["id"])["quality"].keys()
    bench.clock.advance(days=90)
    assert (await quality.get(made["id"]))["quality"]["staleness"] == 0.55
    plain = await quality.remember({"content": {"text": "It rains"}, "source": "told"}, {"validate": False})
    assert "quality" not in stored(quality, plain["id"])


WRONGLY_STATED = (
    *({"tags": "a"}, {"expires": "soon"}, {"derivedFrom": "m1"}, {"derivedFrom": ["nobody"]}, {"mood": 1}),
    {"relationships": [{"type": "supports", "target": "nobody"}]},
    {"relationships": [{"type": "hates", "target": "nobody"}]},
    {"relationships": ["supports"]},
)
UNSTORABLE = [
    *({}, {"content": {}}, {"content": 3}, {"content": {"text": " "}}, "the cellar is wet", None),
    *({"content": {"text": "x"}, **stated} for stated in WRONGLY_STATED),
    *({"content": content("rate", value)} for value in (float("nan"), timedelta(1))),
]


async def test_what_cannot_be_stored_is_refused(quality) -> None:
    for memory in UNSTORABLE:
        with pytest.raises(MemoryLedgerError, match="allowed: "):
            await quality.remember(memory)
    assert await quality.recall() == [] and not quality._store.db.get_all_docs()


async def test_content_is_a_copy(quality) -> None:
    """Q-01, Q-57: what somebody changes in an object afterwards changes no memory."""
    given = {"content": {"subject": "Adam", "property": "tools", "value": ["saw"], 1: (2,)}}
    made = await quality.remember(given)
    given["content"]["value"].append("axe")
    found = await quality.get(made["id"])
    assert found["content"] == {"subject": "Adam", "property": "tools", "value": ["saw"], "1": [2]}


@pytest.mark.parametrize("value", ["no", 1, 0, []])
async def test_a_switch_is_on_or_off(quality, value) -> None:
    made = await quality.remember(TIMEZONE, {"validate": None})
    for call in (
        quality.remember(TIMEZONE, {"validate": value}),
        quality.remember(TIMEZONE, {"rejectInvalid": value}),
        quality.remember(TIMEZONE, {"detectConflicts": value}),
        quality.getConflicts({"unresolved": value}),
        quality.archiveStale({"threshold": 0.0, "olderThan": "0d", "dryRun": value}),
        quality.archiveStale({"threshold": 0.0, "olderThan": "0d", "force": value}),
        quality.refresh(made["id"], {"verified": value}),
        quality.getConflicts(value if value else "x"),
    ):
        with pytest.raises(QualityError, match="allowed"):
            await call
    assert ids(await quality.recall()) == [made["id"]]


ZONES = {
    "name": "timezone-format",
    "types": ["fact"],
    "validate": lambda mem: (
        {"valid": mem["content"]["value"] in ("MST", "EST"), "error": "Invalid timezone format"}
        if mem["content"].get("property") == "timezone"
        else {"valid": True}
    ),
}
INVALID = {"type": "fact", "content": content("timezone", "INVALID")}


async def test_the_example_of_the_specification(quality) -> None:
    """Q-33, Q-34, Q-35, Q-50, Q-69: stored with the error on it, unless that is to be rejected; of its types only."""
    quality.addValidator(ZONES)
    made = await quality.remember(INVALID, {"validate": True, "rejectInvalid": False, "detectConflicts": True})
    assert made["quality"]["validationErrors"] == ["timezone-format: Invalid timezone format"]
    assert stored(quality, made["id"])["quality"]["validationErrors"] == ["timezone-format: Invalid timezone format"]
    assert (await quality.remember(TIMEZONE))["quality"]["validationErrors"] == []
    assert (await quality.remember({**INVALID, "type": "event"}))["quality"]["validationErrors"] == []
    unchecked = await quality.remember({**INVALID, "content": content("timezone", "?", "Eve")}, {"validate": False})
    assert unchecked["quality"]["validationErrors"] == []
    with pytest.raises(ValidationError, match="timezone-format") as caught:
        await quality.remember(INVALID, {"rejectInvalid": True})
    told = ["timezone-format: Invalid timezone format"]
    assert caught.value.validationErrors == caught.value.validation_errors == told
    assert len(await quality.recall()) == 4


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("type", "mood"), ("type", 3), ("confidence", 2), ("confidence", "high")),
        *(("confidence", True), ("source", "rumour")),
    ],
)
async def test_what_is_stated_wrongly_is_an_error_of_the_memory(bench, key, value) -> None:
    """Issue 23, quality 2d, Q-34, Q-69: stored with the error, or refused with it; unchecked it is not stored."""
    given = {"content": {"text": "The server room is cold"}, key: value}
    async with bench.open() as quality:
        for options in ({"rejectInvalid": True}, {"validate": False}):
            with pytest.raises(ValidationError) as caught:
                await quality.remember(given, options)
            [error] = caught.value.validationErrors
            assert error.startswith(f"schema: {key} is ") and "allowed: " in error
        assert await quality.recall() == []
        made = await quality.remember(given)
        assert made["quality"]["validationErrors"] == [error] and made[key] != value
    async with bench.open() as quality:
        assert (await quality.get(made["id"]))["quality"]["validationErrors"] == [error]
        assert (await quality.get_quality_report())["validationErrorRate"] == 1.0


CROSSED = {"content": {**content("port", 9090, "the API"), "text": "The API listens on port 8080."}}
PORTS = "The API listens on port 8080. The API listens on port 9090."


@pytest.mark.parametrize("said", [CROSSED, {"content": {"text": PORTS}}, {"text": PORTS}])
async def test_a_memory_that_contradicts_itself(quality, said) -> None:
    """Q-32, Q-34, Q-49: its text itself, or its content; before it is stored, when, after, and where it is altered."""
    rule = "no-self-conflict: it contradicts itself: "
    [error] = [one for one in (await quality.validate(said))["errors"] if one.startswith("no-self")]
    assert error.startswith(rule)
    made = await quality.remember(said)
    assert made["quality"]["validationErrors"] == [error]
    assert (await quality.validate(made["id"]))["errors"] == [error]
    with pytest.raises(ValidationError, match="no-self-conflict"):
        await quality.remember(said, {"rejectInvalid": True})
    good = await quality.remember({"content": {"text": "It rains"}})
    altered = {**good, "content": made["content"]}
    assert (await quality.validate(altered))["errors"] == [error]
    assert (await quality.get(good["id"]))["quality"]["validationErrors"] == []


async def test_a_validator_that_raises_does_not_stop_the_write(quality) -> None:
    """Q-37: it is an error on that memory and nothing more; nor does one that writes into what it is shown."""
    quality.add_validator({"name": "broken", "validate": lambda mem: mem["nothing"]})
    quality.add_validator({"name": "leaving", "validate": lambda mem: sys.exit("no")})
    quality.add_validator({"name": "spoiling", "validate": lambda mem: mem["content"].clear() or {"valid": True}})
    quality.add_validator({"name": "odd", "validate": lambda mem: "yes"})
    made = await quality.remember(TIMEZONE)
    first, second, third = made["quality"]["validationErrors"]
    assert first.startswith("broken: raised KeyError") and third.startswith("odd: answered 'yes'")
    assert second == "leaving: raised SystemExit: 'no'" and made["content"] == TIMEZONE["content"]
    assert ids(await quality.recall()) == [made["id"]]


async def test_validate_a_memory(bench, quality) -> None:
    """Q-30, Q-49: stored or not; what is stored keeps its errors, and validation by itself refreshes nothing (Q-65)."""
    made = await quality.remember(TIMEZONE, {"validate": False})
    bench.clock.advance(days=90)
    assert await quality.validate(made["id"]) == {"valid": True, "errors": [], "notes": []}
    quality.add_validator({"name": "no", "validate": lambda mem: {"valid": False}})
    for part in (await quality.get(made["id"]), {"id": made["id"], "type": "fact"}):
        assert await quality.validate(part) == {"valid": False, "errors": ["no: not valid"], "notes": []}
    shown = await quality.get(made["id"])
    assert shown["quality"]["validationErrors"] == ["no: not valid"] and shown["quality"]["staleness"] == 0.55
    await quality.refresh(made["id"])
    assert (await quality.get(made["id"]))["quality"]["validationErrors"] == ["no: not valid"]
    await quality.refresh(made["id"], {"verified": True})
    assert (await quality.get(made["id"]))["quality"]["validationErrors"] == []
    assert (await quality.get_quality_report())["validationErrorRate"] == 0.0
    answer = await quality.validate({"id": "x", "type": "fact", "content": {"text": "x"}})
    assert "required-fields: created is missing" in answer["errors"] and answer["notes"] == ["not stored"]
    assert (await quality.validate({"id": made["id"], "text": "x"}))["notes"] == ["not stored"]
    with pytest.raises(QualityError, match="nobody"):
        await quality.validate("nobody")
    answer = await quality.validate({**await quality.get(made["id"]), "confidence": 7})  # of another object
    assert answer["errors"][0] == "schema: confidence is 7; allowed: at most 1"
    assert (await quality.get(made["id"]))["quality"]["validationErrors"] == []


async def test_what_was_never_signed(bench) -> None:
    async with bench.open() as store:
        store._memory.insert("It rains", {})
    for name in (files.CHAIN_FILE, files.CHAIN_HEAD_FILE):
        (bench.folder / name).unlink(missing_ok=True)
    async with bench.open() as store:
        [old] = await store.recall()
        answer = await store.validate(old["id"])
        assert answer["valid"] and "unsigned" in answer["notes"][0]
    async with bench.open(quality={"require_signature": True}) as store:
        assert (await store.validate(old["id"]))["errors"] == [
            "signature: unsigned: it was there before memories were signed"
        ]


@pytest.mark.parametrize("name", ["timezone", "shoe size", "mood ring colour"])
async def test_any_property_conflicts(bench, quality, name) -> None:
    """Q-17 ... Q-22, Q-43, Q-45, Q-62: found on `remember`, whatever the property is called; both stay in use."""
    one = await quality.remember({"content": content(name, "a1")})
    bench.clock.advance(days=1)
    other = await quality.remember({"content": content(name, "b2")})
    [conflict] = await quality.get_conflicts({"unresolved": True})
    assert conflict["memories"] == [one["id"], other["id"]] and conflict["resolution"] is None
    assert {*conflict} == {"id", "type", "memories", "detected", "resolution", "severity", "description"}
    assert one["id"] not in [each["target"] for each in other["suggestions"]]
    assert other["conflicts"] == [conflict] and other["quality"]["conflictRisk"] > 0
    assert (await quality.get(one["id"]))["quality"]["conflictRisk"] > 0
    assert await quality.detectConflicts() == [conflict]
    assert await quality.detect_conflicts(one) == await quality.detect_conflicts(other["id"]) == [conflict]
    assert {*ids(await quality.recall())} == {one["id"], other["id"]}


async def test_conflicts_of_a_memory_that_is_not_stored(bench, quality) -> None:
    made = await quality.remember({"content": content("mood ring colour", "green")})
    bench.clock.advance(days=1)
    [found] = await quality.detect_conflicts({"content": content("mood ring colour", "amber"), "source": "told"})
    assert found["memories"] == [made["id"], "(new)"] and found["type"] == "source"
    assert await quality.detect_conflicts({"id": "x", "content": content("mood ring colour", "green")}) == []
    assert await quality.get_conflicts() == [] and ids(await quality.recall()) == [made["id"]]
    for nothing in ("nobody", {}, 5):
        with pytest.raises(QualityError, match="allowed"):
            await quality.detect_conflicts(nothing)


async def conflicting(bench, quality, **stated):
    one = await quality.remember({"content": content("mood ring colour", "green"), **stated})
    bench.clock.advance(days=1)
    other = await quality.remember({"content": content("mood ring colour", "amber")})
    [conflict] = await quality.get_conflicts()
    return one["id"], other["id"], conflict["id"]


@pytest.mark.parametrize(
    ("strategy", "stated", "winner"),
    [
        ("newer-wins", {}, 1),
        ("higher-confidence", {"confidence": 0.99}, 0),
        ("source-priority", {"source": "told"}, 1),
        ("source-priority", {"source": "inferred"}, 1),
    ],
)
async def test_resolve_by_a_strategy(bench, quality, strategy, stated, winner) -> None:
    """Q-23, Q-24, Q-44, Q-70: the resolution is read again from the file as it was returned."""
    *pair, conflict_id = await conflicting(bench, quality, **stated)
    answer = await quality.resolveConflict(conflict_id, strategy)
    assert {key: value for key, value in answer["resolution"].items() if key != "resolvedAt"} == {
        "conflictId": conflict_id,
        "strategy": strategy,
        "winner": pair[winner],
        "resolution": "accepted",
        "resolvedBy": "agent",
    }
    assert await quality.get_conflicts() == [answer] and await quality.get_conflicts({"unresolved": True}) == []
    assert json.loads((bench.folder / files.CONFLICTS_FILE).read_text().splitlines()[-1]) == answer
    assert ids(await quality.recall()) == [pair[winner]]
    kept = await quality.get(pair[winner])
    assert kept["quality"]["conflictRisk"] == 0.0
    assert [(one["type"], one["target"]) for one in kept["relationships"]] == [("supersedes", pair[1 - winner])]
    assert (await quality.get(pair[1 - winner]))["quality"]["staleness"] >= 0.2


@pytest.mark.parametrize("strategy", ["manual", "merge", "higher-confidence"])
async def test_no_strategy_guesses(bench, quality, strategy) -> None:
    """Q-25: manual changes no memory; what cannot be merged, or ranks equal, stays open as well."""
    *pair, conflict_id = await conflicting(bench, quality)
    before = [await quality.get(one) for one in pair]
    answer = await quality.resolve_conflict(conflict_id, strategy)
    assert answer["resolution"] is None
    assert [await quality.get(one) for one in pair] == before
    with pytest.raises(QualityError, match="strategy"):
        await quality.resolve_conflict(conflict_id, "coin")
    with pytest.raises(QualityError, match="conflict_0"):
        await quality.resolve_conflict("conflict_0", "newer-wins")


def prompt_of(quality, question: str) -> str:
    """Return what a prompt shows of the memories for a question."""
    plan = make_plan(question, Settings(), quality._store.clock(), limits=RecallLimits(threshold=0.0))
    found = recall(quality._store, no_vectors(quality._store.db), plan)
    return join_texts(found.memories, found)


async def test_a_stated_contradiction_is_an_open_conflict(quality) -> None:
    """Q-22, Q-38: both stay in use, each with its mark, until somebody decides; what was decided is left alone."""
    texts = "The van is parked behind the harbour", "The van stands in the garage of the harbour"
    one, other = [(await quality.remember({"text": text}))["id"] for text in texts]
    assert await quality.get_conflicts({"unresolved": True}) == []
    await quality.add_relationship(one, {"type": "contradicts", "target": other, "reason": "one van, two places"})
    (conflict,) = await quality.get_conflicts({"unresolved": True})
    assert {*conflict["memories"]} == {one, other} and conflict["description"] == "one van, two places"
    shown = prompt_of(quality, "Where at the harbour is the van?")
    assert shown.count("[contested, ") == 2 and all(text in shown for text in texts)
    await quality.refresh(one, {"confidence": 0.9})
    await quality.resolve_conflict(conflict["id"], "higher-confidence")
    await quality.add_relationship(one, {"type": "contradicts", "target": other})
    assert await quality.get_conflicts({"unresolved": True}) == []


@pytest.mark.parametrize("kind", ["derived-from", "supports"])
async def test_what_is_linked_to_a_retired_memory_is_marked(kind: str, quality) -> None:
    """Q-41, Q-64: the prompt says that its ground is gone; it stays in use. The user's word stands without a mark."""
    texts = "User's project uses Python 3.9", "The wheels of the harbour tool carry the tag cp39"
    ground, derived = [(await quality.remember({"text": text}))["id"] for text in texts]
    own = await quality.remember({"text": "The shipping address is Quay 7", "source": "told"})
    for one in (own["id"], derived):
        await quality.add_relationship(one, {"type": kind, "target": ground})
    assert prompt_of(quality, "Which tag do the wheels carry?") == texts[1]
    await quality.remember({"text": "User's project uses Python 3.11"})
    marked = f"[outdated? {kind.replace('-', ' ')} what was replaced] {texts[1]}"
    assert prompt_of(quality, "Which tag do the wheels carry?") == marked
    assert prompt_of(quality, "Which shipping address?") == "The shipping address is Quay 7"


async def test_lists_that_differ_are_proposed_to_be_merged(quality) -> None:
    """Q-23, Q-25: nothing is retired until somebody merges them; then one memory holds all of both."""
    first = await quality.remember({"content": content("hobbies", ["chess", "go"])})
    await quality.remember({"content": content("hobbies", ["tennis"], "Bea")})
    same = await quality.remember({"content": content("hobbies", ["go", "chess"])}, {"detectConflicts": False})
    await quality.forget(same["id"])
    second = await quality.remember({"content": content("hobbies", ["go", "rowing"])})
    (conflict,) = await quality.get_conflicts({"unresolved": True})
    assert conflict["possible"] and {*conflict["memories"]} == {first["id"], second["id"]}
    assert second["conflicts"] == [conflict] and "merged, one memory holds all of both" in conflict["description"]
    assert (await quality.resolve_conflict(conflict["id"], "merge"))["resolution"]["resolution"] == "merged"
    (merged,) = [one for one in await quality.recall() if one["content"]["subject"] == "Adam"]
    assert merged["content"]["value"] == ["chess", "go", "rowing"]
    assert quality._store.read(merged["id"]).text == 'Adam hobbies: ["chess", "go", "rowing"]'


async def test_a_merge_makes_one_memory_of_two(bench) -> None:
    """Issue 23, Q-23, Q-24: texts, lists, tags and links of both, the lower confidence; both are kept as history.

    Whoever opens the store next finds it so.
    """
    speaks = {"subject": "Adam", "property": "speaks"}
    text = "The port of the shop is 8080. The shop of Adam is in Bergen and opens at nine in the morning."
    async with bench.open() as quality:
        link = await quality.remember({"content": {"text": "Bergen is in Norway"}})
        old = await quality.remember(
            {
                "text": text,
                "content": {**speaks, "value": ["en"], "at": {"work": "en"}},
                "tags": ["shop"],
                "confidence": 0.9,
                "relationships": [{"type": "supports", "target": link["id"]}],
            }
        )
        bench.clock.advance(days=1)
        new = await quality.remember(
            {"text": "The port of the shop is 8443.", "content": {**speaks, "value": ["en", "no"]}, "tags": ["port"]}
        )
        [conflict] = new["conflicts"]
        answer = await quality.resolve_conflict(conflict["id"], "merge")
        assert (answer["resolution"]["strategy"], answer["resolution"]["resolution"]) == ("merge", "merged")
        before = await quality.get(old["id"]), await quality.get(new["id"])
    async with bench.open() as quality:
        [merged] = [one for one in await quality.recall() if one["id"] != link["id"]]
        assert merged["content"] == {**speaks, "value": ["en", "no"], "at": {"work": "en"}}
        assert stored(quality, merged["id"])["content"] == merged["content"]
        assert quality._store.read(merged["id"]).text == f"{text}\nThe port of the shop is 8443."
        assert merged["tags"] == ["shop", "port"] and merged["confidence"] == min(0.9, new["confidence"])
        links = {(one["type"], one["target"]) for one in merged["relationships"]}
        assert links == {("supports", link["id"]), ("supersedes", old["id"]), ("supersedes", new["id"])}
        assert (await quality.get(old["id"]), await quality.get(new["id"])) == before
        assert await quality.get_conflicts({"unresolved": True}) == []
        assert (await quality.verify())["valid"]
        assert await quality.get_conflicts() == [answer]


async def test_severity_and_risk_follow_the_memories(bench) -> None:
    """Issue 23, quality 2a, Q-21, Q-22: what is stated later counts, on record as well."""
    async with bench.open() as quality:
        one, other = [
            (await quality.remember({"content": content("mood ring colour", each), "confidence": 0.3}))["id"]
            for each in ("green", "amber")
        ]
        seen = []
        for memory_id, changes in (
            (one, {"confidence": 0.9}),  # 0.6 * 0.95
            (other, {"confidence": 0.9}),
            (one, {"confidence": 0.0}),
        ):
            await quality.refresh(memory_id, changes)
            [conflict] = await quality.get_conflicts({"unresolved": True})
            risks = [(await quality.get(each))["quality"]["conflictRisk"] for each in (one, other)]
            assert risks[0] == risks[1]
            seen.append((conflict["severity"], risks[0]))
        assert seen == [("medium", 0.57), ("high", 0.855), ("medium", 0.4275)]
        await quality.update(other, {"confidence": 0.1})
    async with bench.open() as quality:
        [conflict] = await quality.get_conflicts({"unresolved": True})
        assert conflict["severity"] == "low"
        assert (await quality.get(one))["quality"]["conflictRisk"] == 0.0475


@pytest.mark.parametrize("place", [0, 1])
async def test_what_is_forgotten_is_at_odds_with_nothing(bench, quality, place) -> None:
    """Issue 23, quality 2e: its conflicts end, with the other side left; no risk, no figure, and nothing new opens."""
    *pair, _ = await conflicting(bench, quality)
    gone, left = pair[place], pair[1 - place]
    await quality.forget(gone)
    assert await quality.get_conflicts({"unresolved": True}) == await quality.detect_conflicts() == []
    [ended] = await quality.get_conflicts()
    found = {key: ended["resolution"][key] for key in ("winner", "resolution", "resolvedBy")}
    assert found == {"winner": left, "resolution": "accepted", "resolvedBy": "automatic"}
    assert (await quality.get(left))["quality"]["conflictRisk"] == 0.0
    assert (await quality.get_quality_report())["unresolvedConflicts"] == 0
    assert await quality.detect_conflicts(left) == await quality.detect_conflicts(gone) == []
    bench.clock.advance(days=1)
    made = await quality.remember({"content": content("mood ring colour", "violet")})
    assert [one["memories"] for one in made["conflicts"]] == [[left, made["id"]]]
    [possible] = await quality.detect_conflicts({"content": content("mood ring colour", "violet", "ADAM")})
    assert gone not in possible["memories"]


@pytest.mark.parametrize("strategy", ["newer-wins", "higher-confidence", "source-priority"])
async def test_nothing_is_retired_for_what_was_forgotten(bench, quality, strategy) -> None:
    """Issue 23, quality 2e: not even where the conflict was found, or was still open, before."""
    one = await quality.remember({"content": content("shoe size", 42), "source": "inferred", "confidence": 0.1})
    bench.clock.advance(days=1)
    newer = {"content": content("shoe size", 43), "source": "told", "confidence": 0.99}
    other = await quality.remember(newer, {"detectConflicts": False})
    [found] = await quality.detect_conflicts()
    await quality.resolve_conflict(found["id"], "manual")
    await quality.forget(other["id"])
    await quality.resolve_conflict(found["id"], strategy)
    assert ids(await quality.recall()) == [one["id"]]


async def test_archive_stale(bench, quality) -> None:
    """Q-28, Q-42a, Q-48, T-27, T-54: at least so stale and older; nothing is deleted; twice is as once."""
    one, other, conflict_id = await conflicting(bench, quality)
    await quality.resolve_conflict(conflict_id, "newer-wins")
    bench.clock.advance(days=60)
    assert await quality.archive_stale({"threshold": 0.6, "olderThan": "90d"}) == 0
    bench.clock.advance(days=60)
    assert await quality.archiveStale({"threshold": 0.8, "olderThan": "90d", "dryRun": True}) == 1
    assert stored(quality, one)["classification"]["utility"] == "tactical"
    assert await quality.archiveStale({"threshold": 0.8, "olderThan": "90d"}) == 1
    assert stored(quality, one)["classification"]["utility"] == "archived"
    assert stored(quality, other)["classification"]["utility"] == "tactical"
    assert await quality.archiveStale({"threshold": 0.8, "olderThan": "90d"}) == 0
    assert await quality.get(one) is not None
    bearing = await quality.remember({"content": {"text": "You must never deploy on a Friday"}, "source": "told"})
    bench.clock.advance(days=400)
    assert await quality.archive_stale({"threshold": 0.5, "olderThan": "1d"}) == 1
    assert stored(quality, bearing["id"])["classification"]["utility"] == "load_bearing"
    assert await quality.archive_stale({"threshold": 0.5, "olderThan": "1d", "force": True}) == 1
    assert stored(quality, bearing["id"])["classification"]["utility"] == "archived"


async def filled(bench, quality) -> dict[str, str]:
    """Return memories of one topic: an old one, a doubted pair, a sure one and an unsure one."""
    made = {"old": (await quality.remember({"content": {"text": "The printer stands in the blue room"}}))["id"]}
    bench.clock.advance(days=90)
    for name, value in (("one", "calm"), ("other", "wild")):
        made[name] = (await quality.remember({"content": content("room mood", value, "the blue printer")}))["id"]
    sure = {"content": {"text": "The blue printer has room for paper"}, "confidence": 0.99, "source": "experience"}
    made["sure"] = (await quality.remember(sure))["id"]
    unsure = {"content": {"text": "The blue printer room is small"}, "confidence": 0.1, "source": "inferred"}
    made["unsure"] = (await quality.remember(unsure))["id"]
    return made


FILTERS = [
    ({}, {"old", "one", "other", "sure", "unsure"}),
    ({"maxStaleness": 0.3}, {"one", "other", "sure", "unsure"}),
    ({"minQuality": 0.62}, {"old", "one", "other", "sure"}),
    ({"excludeConflicted": True}, {"old", "sure", "unsure"}),
    ({"maxStaleness": 0.3, "excludeConflicted": True}, {"sure", "unsure"}),
    ({"minQuality": 0.62, "maxStaleness": 0.3, "excludeConflicted": True}, {"sure"}),
    ({"minQuality": 0.99}, set()),
    ({"minConfidence": 0.5}, {"old", "one", "other", "sure"}),
    ({"min_quality": 0.62, "exclude_conflicted": False}, {"old", "one", "other", "sure"}),
]


async def test_recall_without_a_question(bench, quality) -> None:
    fact = await quality.remember({"content": {"text": "The cellar is wet"}, "tags": ["house"]})
    bench.clock.advance(days=1)
    liked = await quality.remember({"content": {"text": "User prefers tea"}, "tags": ["kitchen"]})
    noon = format_time(bench.clock() - timedelta(hours=12))
    every = [liked["id"], fact["id"]]
    assert ids(await quality.recall()) == every
    assert ids(await quality.recall({"limit": 1})) == every[:1]
    assert ids(await quality.recall({"limit": 1, "offset": 1})) == every[1:]
    assert ids(await quality.recall({"type": "preference"})) == ids(await quality.recall({"since": noon})) == every[:1]
    assert ids(await quality.recall({"types": ["fact", "event"]})) == ids(await quality.recall({"until": noon}))
    assert (
        ids(await quality.recall({"tags": ["house", "x"]})) == ids(await quality.recall({"tags": "house"})) == every[1:]
    )


@pytest.mark.parametrize(
    "request_",
    [
        *({"minQuality": 2}, {"limit": -1}, {"type": "mood"}, {"mood": 1}, {"since": "x"}),
        *({"includeDeleted": 1}, {"type": 5}, {"types": [[]]}, {"tags": 5}, {"tags": [5]}),
        *({"type": "fact", "types": ["event"]}, {"limit": True}, "x", 5, []),
    ],
)
def test_what_is_no_request(request_) -> None:
    with pytest.raises(QualityError, match="allowed"):
        parse_options(RecallRequest, request_, "recall")


async def test_bounds_belong_to_what_is_asked_for(bench, quality) -> None:
    made = await quality.remember({"content": {"text": "The cellar is wet"}, "confidence": 0.6, "source": "told"})
    bench.clock.advance(days=30)
    shown = await quality.get(made["id"])
    score, staleness = (shown["quality"][one] for one in ("score", "staleness"))
    assert 0 < staleness < score < 1
    inside = {"minQuality": score, "maxStaleness": staleness, "minConfidence": 0.6}
    inside |= {"since": made["created"], "until": made["created"]}
    assert ids(await quality.recall(inside)) == [made["id"]]
    moment = parse_time(made["created"])
    for outside in (
        {"minQuality": score + 1e-4},
        {"maxStaleness": staleness - 1e-4},
        {"minConfidence": 0.6001},
        {"since": format_time(moment + timedelta(seconds=1))},
        {"until": format_time(moment - timedelta(seconds=1))},
    ):
        assert await quality.recall({**inside, **outside}) == []


async def test_what_was_forgotten_is_nowhere(bench, quality) -> None:
    """Q-55, Q-47, Q-53, Q-40, Q-28: neither stale, nor related, nor suggested, nor archived, nor in the report."""
    a, b, _ = await three(quality)
    quality.add_validator({"name": "no", "validate": lambda mem: {"valid": False}})
    await quality.validate(b)
    await quality.add_relationship(a, {"type": "causes", "target": b})
    bench.clock.advance(days=400)
    assert b in ids(await quality.get_stale(0.5)) and ids(await quality.get_related(a)) == [b]
    await quality.forget(b)
    assert b not in ids(await quality.get_stale(0.0)) and await quality.get_related(a) == []
    assert await quality.archive_stale({"threshold": 0.0, "olderThan": "1d", "dryRun": True}) == 2
    report = await quality.get_quality_report()
    assert (report["totalMemories"], report["validationErrorRate"]) == (2, 0.0)
    quality._settings = quality._settings.model_copy(
        update={"quality": quality._settings.quality.model_copy(update={"relationship_threshold": 0.5})}
    )
    made = await quality.remember({"content": {"text": "User prefers tea, mostly"}}, {"validate": False})
    assert b not in [one["target"] for one in made["suggestions"]]


@pytest.mark.parametrize("asked", ["id", "object"])
async def test_forget(bench, asked) -> None:
    """Q-55: a soft delete: out of every recall and report, on record, over a restart; the journal says why."""
    async with bench.open() as quality:
        made = await quality.remember(TIMEZONE)
        given = (made["id"], "moved") if asked == "id" else ({"id": made["id"], "reason": "moved"},)
        assert await quality.forget(*given)
        assert not await quality.forget(made["id"])
    async with bench.open() as quality:
        assert await quality.recall() == await quality.recall({"query": "Adam timezone"}) == []
        assert ids(await quality.recall({"includeDeleted": True})) == [made["id"]]
        shown = await quality.get(made["id"])
        assert (shown["deleted"], shown["deletedReason"]) == (True, "moved")
        assert (await quality.get_quality_report())["totalMemories"] == 0
        row = json.loads((bench.folder / files.JOURNAL_FILE).read_text().splitlines()[-1])
        assert (row["action"], row["rule"], row["reasons"]) == ("forget", "Q-55", ["moved"])


async def test_update(bench, quality) -> None:
    """Q-55, C-29: content is merged, the rest replaced, whoever said it stays; the chain goes on."""
    made = await quality.remember({**TIMEZONE, "source": "told", "confidence": 0.5})
    bench.clock.advance(days=1)
    shown = await quality.update(made["id"], {"content": {"value": "EST"}, "confidence": 0.8, "tags": ["t"]})
    assert shown["id"] == made["id"] and shown["content"] == content("timezone", "EST")
    assert (shown["confidence"], shown["tags"], shown["source"]) == (0.8, ["t"], "told")
    assert shown["updated"] == format_time(bench.clock())
    assert ids(await quality.recall({"query": "Adam timezone EST"})) == [made["id"]]
    assert (await quality.verify())["valid"]
    await quality.update(made["id"], {"content": {"value": "CET"}})
    kept = await quality.get(made["id"])
    assert (kept["content"]["value"], kept["confidence"], kept["tags"], kept["source"]) == ("CET", 0.8, ["t"], "told")
    await quality.update(made["id"], {"content": {"value": "EST"}})
    stated = await quality.update(made["id"], {"type": "skill"})
    assert stated["type"] == "skill" and stated["content"] == content("timezone", "EST")


async def test_export(quality) -> None:
    """Q-55: manifest, key and memories, each with its signature; a digest over all of them."""
    made = await quality.remember(TIMEZONE)
    exported = await quality.export()
    assert {*exported} == {"manifest", "identity", "memories"} and exported["manifest"]["memoryCount"] == 1
    [shown] = exported["memories"]
    assert shown["id"] == made["id"] and {*shown["signature"]} == {"type", "key", "value"}
    assert "secret" not in json.dumps(exported) and exported["identity"]["key"] == shown["signature"]["key"]


def test_every_method_has_the_name_of_the_specification() -> None:
    for name in (
        "remember recall get forget update export verify validate refresh detectConflicts resolveConflict getConflicts "
        "refreshMemory getStale archiveStale addValidator addRelationship getRelated getQualityReport detect_conflicts "
        "resolve_conflict get_conflicts refresh_memory get_stale archive_stale add_validator add_relationship "
        "get_related get_quality_report"
    ).split():
        assert callable(getattr(QualityStore, name))


async def test_what_is_for_the_future_is_absent(bench, quality, monkeypatch) -> None:
    """Q-61: a long memory stays word for word, and no model takes part where a conflict is resolved."""
    said = " ".join(f"Shelf {number} of the cellar holds box {number}." for number in range(200))
    long = await quality.remember({"content": {"text": said}})
    one, other = [await quality.remember({"content": content("mood", value)}) for value in ("calm", "wild")]
    monkeypatch.setattr(type(bench.embedder), "embed_documents", lambda *_: 1 / 0)
    monkeypatch.setattr(type(bench.embedder), "embed_query", lambda *_: 1 / 0)
    [conflict] = await quality.get_conflicts({"unresolved": True})
    assert (await quality.resolve_conflict(conflict["id"], "newer-wins"))["resolution"]["winner"] == other["id"]
    assert (await quality.get(long["id"]))["content"] == {"text": said}
    assert stored(quality, one["id"])["classification"]["validity"] == "deprecated"
    imports = re.compile(r"^ *(?:from|import) (neo4j|networkx|sklearn|torch|openai|litellm)\b", re.MULTILINE)
    assert not [path for path in (ROOT / "helpers").rglob("*.py") if imports.search(path.read_text("utf-8"))]


async def three(quality) -> list[str]:
    return [
        (await quality.remember({"content": {"text": text}}, {"validate": False}))["id"]
        for text in ("The cellar is wet", "User prefers tea", "The kitchen is warm")
    ]


@pytest.mark.parametrize("kind", ["supports", "contradicts", "derived-from", "related-to", "causes", "part-of"])
async def test_each_type_of_link_is_kept_as_stated(bench, kind) -> None:
    """Q-03, Q-38, Q-39, Q-52, Q-57, Q-58, Q-63: inline, over a restart; a second time changes nothing."""
    given = {"type": kind, "target": "", "created": "2026-01-01T00:00:00+00:00", "reason": "so", "bidirectional": False}
    async with bench.open() as quality:
        a, b, _ = await three(quality)
        given["target"] = b
        for _ in range(2):
            await quality.addRelationship(a, given)
    async with bench.open() as quality:
        assert (await quality.get(a))["relationships"] == [given]
        assert len(stored(quality, a)["quality"]["relationships"]) == 1
        assert (await quality.verify())["valid"]


async def test_related_memories(quality) -> None:
    """Q-42, Q-53, Q-68, T-31: of one type or all, from the target only where it is bidirectional; so many steps."""
    a, b, c = await three(quality)
    await quality.add_relationship(a, {"type": "causes", "target": b})
    assert ids(await quality.get_related(a, depth=2)) == [b]
    await quality.add_relationship(b, {"type": "part-of", "target": c, "bidirectional": True})
    assert ids(await quality.getRelated(a)) == ids(await quality.get_related(a, "causes")) == [b]
    assert ids(await quality.get_related(a, "part-of")) == [] and ids(await quality.get_related(c)) == [b]
    assert ids(await quality.get_related(b)) == [c]
    assert ids(await quality.get_related(a, depth=2)) == [b, c]
    quality._memory.db.delete([c])
    assert ids(await quality.get_related(b)) == []
    with pytest.raises(QualityError, match="type"):
        await quality.get_related(a, "hates")
    for depth in (0, -1, True, "2"):
        with pytest.raises(QualityError, match="depth"):
            await quality.get_related(a, depth=depth)
    with pytest.raises(QualityError, match="nobody"):
        await quality.get_related("nobody")


@pytest.mark.parametrize("kind", ["derived-from", "supports"])
async def test_a_citation(bench, quality, kind) -> None:
    a, b, c = await three(quality)
    bench.clock.advance(days=90)
    assert (await quality.get(a))["quality"]["staleness"] == 0.55
    for _ in range(2):
        await quality.add_relationship(b, {"type": kind, "target": a})
    shown = await quality.get(a)
    assert shown["metadata"]["citedBy"] == [b] and shown["quality"]["staleness"] == 0.25
    before = await quality.get(a)
    await quality.add_relationship(c, {"type": "causes", "target": a})
    assert await quality.get(a) == before


async def test_what_no_rule_decides_is_put_before_a_person(bench) -> None:
    """Q-40: what the user said twice, in two wordings, waits in the list of conflicts; it raises no risk."""
    async with bench.open(quality={"relationship_threshold": 0.6}) as quality:
        told = [
            await quality.remember({"text": text, "source": "told"})
            for text in ("User likes tea a lot.", "The user likes tea a lot!", "User likes milk a lot")
        ]
        [asked] = await quality.get_conflicts({"unresolved": True})
        assert (
            asked["possible"] and asked["memories"] == ids(told[:2]) and "a person has to look" in asked["description"]
        )
        assert f"{asked['id']}: possibly at odds" in list_conflicts(quality._store)
        pair = [quality._store.read(one) for one in ids(told[:2])]
        assert conflict_row(quality._store.conflicts.get(asked["id"]), *pair)["why"] == [asked["description"]]
        assert (await quality.get(told[1]["id"]))["quality"]["conflictRisk"] == 0


async def test_the_report(bench, quality) -> None:
    """Q-54, Q-56, Q-71: seven keys; recommendations name memories and the command that acts on them."""
    empty = await quality.get_quality_report()
    assert empty == {
        "totalMemories": 0,
        "byType": {},
        "averageQuality": 0.0,
        "averageStaleness": 0.0,
        "unresolvedConflicts": 0,
        "validationErrorRate": 0.0,
        "recommendations": [],
    }
    one, _, conflict_id = await conflicting(bench, quality)
    quality.add_validator({"name": "no", "types": ["preference"], "validate": lambda mem: {"valid": False}})
    bad = await quality.remember({"content": {"text": "User prefers tea"}})
    bench.clock.advance(days=90)
    report = await quality.getQualityReport()
    shown = await quality.recall()
    assert report["totalMemories"] == 3 and report["byType"] == {"fact": 2, "preference": 1}
    for key, name in (("averageQuality", "score"), ("averageStaleness", "staleness")):
        assert report[key] == pytest.approx(sum(each["quality"][name] for each in shown) / 3, abs=1e-4)
    assert (report["unresolvedConflicts"], report["validationErrorRate"]) == (1, 0.3333)
    errors, conflicts, stale = report["recommendations"]
    assert bad["id"] in errors and "memory-ledger validate" in errors
    assert conflict_id in conflicts and "memory-ledger resolve" in conflicts
    assert one in stale and "memory-ledger archive-stale" in stale and "100% of the memories" in stale


async def test_the_report_names_three_and_counts_the_others(bench) -> None:
    """Q-59, Q-71: and says that much is stale, or that the store is large, only above what is configured."""
    for count, more in ((3, ""), (4, " and 1 more")):
        bench.folder = bench.folder.with_name(f"store{count}")
        async with bench.open() as quality:
            quality.add_validator({"name": "no", "validate": lambda mem: {"valid": False}})
            made = [
                (await quality.remember({"content": {"text": f"The cellar {number} is wet"}}))["id"]
                for number in range(count)
            ]
            [advice] = (await quality.get_quality_report())["recommendations"]
            assert f"({', '.join(made[:3])}{more})." in advice
    for size, told in ((3, ["4 memories are more than 3"]), (4, [])):
        async with bench.open(quality={"stale_share": 1.0, "stale_from": 0.0, "large_store": size}) as quality:
            recommendations = (await quality.get_quality_report())["recommendations"]
            assert not [one for one in recommendations if "memories are stale" in one]
            assert [one[:26] for one in recommendations if "more than" in one] == told


async def test_what_a_person_decided_is_not_decided_again(bench, quality) -> None:
    one, other, conflict_id = await conflicting(bench, quality)
    conflict = quality._store.conflicts.get(conflict_id)
    at = bench.clock()
    answer = resolve(conflict, Strategy.MANUAL, ConflictVerdict.REJECTED, winner=None, at=at, by=Resolver.OPERATOR)
    quality._store.conflicts.record(answer)
    found = await quality.resolve_conflict(conflict_id, "newer-wins")
    assert found["resolution"]["resolvedBy"] == "operator" and found["resolution"]["resolution"] == "rejected"
    assert {*ids(await quality.recall())} == {one, other}


@pytest.mark.parametrize("what", ["text", "signature"])
async def test_what_was_altered_is_an_error_of_its_memory(bench, what) -> None:
    """Q-31, Q-55, T-30: found by `validate` and by `verify`, and named; it is not fatal."""
    async with bench.open() as store:
        made, other = await store.remember(TIMEZONE), await store.remember({"content": {"text": "It rains"}})
        whole = {"valid": True, "chainIntact": True, "signaturesValid": True, "memoryCount": 2, "errors": []}
        assert await store.verify() == whole
        if what == "text":
            store._store.db.get_all_docs()[made["id"]].page_content = "Adam timezone: EST"
        else:
            path = bench.folder / files.CHAIN_FILE
            value = json.loads(path.read_text().splitlines()[0])["signature"]["value"]
            path.write_text(path.read_text().replace(value, value[::-1]))
        verified = await store.verify()
        assert not verified["valid"] and not verified["chainIntact"]
        assert verified["signaturesValid"] is (what == "text")
        errors = (await store.validate(made["id"]))["errors"]
        # What the content says still is not what the text says any more.
        rules = ["chain", "no-self-conflict"] if what == "text" else ["signature", "chain"]
        assert [one.split(":")[0] for one in errors] == rules
        assert f"chain: line 1 (memory {made['id']}): " in "".join(errors)
        assert (await store.validate(other["id"]))["valid"]


async def test_what_was_not_detected_is_found_later_and_can_be_resolved(bench, quality) -> None:
    """Q-36, Q-43, Q-44: by the id that detection names."""
    await quality.remember({"content": content("shoe size", 42)})
    bench.clock.advance(days=1)
    made = await quality.remember({"content": content("shoe size", 43)}, {"detectConflicts": False})
    assert made["conflicts"] == await quality.get_conflicts() == []
    [found] = await quality.detect_conflicts()
    assert (await quality.resolve_conflict(found["id"], "manual"))["resolution"] is None
    assert len(await quality.get_conflicts({"unresolved": True})) == 1
    assert (await quality.resolve_conflict(found["id"], "newer-wins"))["resolution"]["resolution"] == "accepted"


@pytest.mark.parametrize("name", ["refresh", "refreshMemory", "refresh_memory"])
@pytest.mark.parametrize(
    ("options", "validity", "confidence"),
    [({"verified": True, "confidence": 0.97}, "confirmed", 0.97), ({}, "inferred", 0.5)],
)
async def test_refresh(bench, quality, name, options, validity, confidence) -> None:
    """Q-27, Q-46, Q-65, T-29: staleness 0, the time and a confidence stored; only what was verified is confirmed."""
    made = await quality.remember({"content": {"text": "It is cold"}, "source": "inferred", "confidence": 0.5})
    bench.clock.advance(days=400)
    await getattr(quality, name)(made["id"], options)
    shown = await quality.get(made["id"])
    assert shown["quality"]["staleness"] == 0.0 and shown["quality"]["validatedAt"] == format_time(bench.clock())
    assert (shown["confidence"], stored(quality, made["id"])["classification"]["validity"]) == (confidence, validity)
    for wrong in ({"confidence": 2}, {"verified": "yes"}, {"mood": 1}):
        with pytest.raises(QualityError, match="allowed"):
            await quality.refresh(made["id"], wrong)
    with pytest.raises(QualityError, match="nobody"):
        await quality.refresh("nobody")


def test_durations() -> None:
    for text, hours in {"90d": 2160, "12h": 12, "2w": 336, "1.5d": 36, "30 m": 0.5, "1y": 8760, "5s": 5 / 3600}.items():
        assert parse_duration(text) == timedelta(hours=hours)


async def test_filters_alone_and_together(bench) -> None:
    """Q-26, Q-51: with a question and without one; who may take part is decided before the search."""
    async with bench.open(noise_gate={"enabled": False}) as quality:
        made = await filled(bench, quality)
        for wanted, names in FILTERS:
            for query in (None, "blue printer room"):
                found = await quality.recall({"query": query, **wanted})
                assert {*ids(found)} == {made[one] for one in names}, (wanted, query)


async def test_filters_narrow_the_search_itself_and_pages_go_on(bench) -> None:
    asked = {"query": "blue printer room"}
    async with bench.open(noise_gate={"enabled": False}) as quality:
        for number in range(30):
            unsure = {"content": {"text": f"blue printer room {number}"}, "confidence": 0.1}
            await quality.remember(unsure, {"detectConflicts": False})
        every = ids(await quality.recall({**asked, "limit": 30}))
        pages = [ids(await quality.recall({**asked, "limit": 12, "offset": at})) for at in (0, 12, 24, 36)]
        assert len({*every}) == 30 and [one for page in pages for one in page] == every
        assert [len(page) for page in pages] == [12, 12, 6, 0]
        good = await quality.remember({"content": {"text": "a printer"}, "confidence": 1.0, "source": "told"})
        assert ids(await quality.recall({**asked, "limit": 1, "minQuality": 0.9})) == [good["id"]]
        assert ids(await quality.recall({**asked, "limit": 1})) == every[:1]
        assert await quality.recall({**asked, "limit": 0}) == []


async def test_a_stated_supersession_is_a_supersession(bench, quality) -> None:
    """Q-14, Q-24, Q-52, T-31: it retires as any rule does and settles the conflict; it is not stored a second time."""

    async def links() -> list[tuple[str, str]]:
        return [(each["type"], each["target"]) for each in (await quality.get(one))["relationships"]]

    one, other, _ = await conflicting(bench, quality)
    assert await links() == [("contradicts", other)]
    await quality.add_relationship(one, {"type": "supersedes", "target": other, "reason": "newer"})
    assert await links() == [("supersedes", other)]
    assert "relationships" not in stored(quality, one).get("quality", {})
    [conflict] = await quality.get_conflicts()
    assert conflict["resolution"]["winner"] == one
    assert stored(quality, other)["classification"]["validity"] == "deprecated"
    assert (await quality.get(other))["quality"]["staleness"] == 0.2
    assert ids(await quality.get_related(other, "supersedes")) == [one]


async def test_another_text_has_other_errors(quality) -> None:
    """Q-34: an update that mends a memory takes its error away, and one that spoils it brings one."""
    quality.add_validator(ZONES)
    made = await quality.remember(INVALID)
    assert made["quality"]["validationErrors"]
    for value, count in (("EST", 0), ("XYZ", 1)):
        shown = await quality.update(made["id"], {"content": {"value": value}})
        assert len(shown["quality"]["validationErrors"]) == count
    for changes in ({"mood": 1}, {"source": "told"}, "x", {"confidence": 2}):
        with pytest.raises(QualityError, match="allowed"):
            await quality.update(made["id"], changes)


async def test_stale_memories(bench, quality) -> None:
    old = await quality.remember({"content": {"text": "The server room is cold"}})
    bench.clock.advance(days=30)
    middle = await quality.remember({"content": {"text": "The kitchen is warm"}})
    bench.clock.advance(days=60)
    new = await quality.remember({"content": {"text": "The cellar is wet"}})
    assert ids(await quality.getStale(0.0)) == [old["id"], middle["id"], new["id"]]
    assert ids(await quality.get_stale()) == [old["id"]]
    assert ids(await quality.get_stale(0.9)) == []


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "1x", None, 90, "9" * 400 + "d", "999999999y"])
def test_what_is_no_duration(text) -> None:
    with pytest.raises(QualityError, match="olderThan"):
        parse_duration(text)


async def test_derived_from_on_remember(quality) -> None:
    a, b, _ = await three(quality)
    made = await quality.remember({"content": {"text": "Damp makes tea cold"}, "derivedFrom": [a, b]})
    assert [(one["type"], one["target"]) for one in made["relationships"]] == [("derived-from", a), ("derived-from", b)]
    assert (await quality.get(a))["metadata"]["citedBy"] == [made["id"]]


async def test_suggestions(bench) -> None:
    """Q-40, Q-67: a newer, similar memory suggests `supersedes`; it is not applied; the threshold is configurable."""
    async with bench.open(quality={"relationship_threshold": 0.8}) as quality:
        old = await quality.remember({"content": {"text": "The cellar under the house is wet"}})
        new = await quality.remember({"content": {"text": "The cellar under the house is often wet"}})
        assert [(one["type"], one["target"]) for one in new["suggestions"]] == [("supersedes", old["id"])]
        near = {"content": {"text": "The cellar under the house is wet now"}, "derivedFrom": [old["id"]]}
        linked = [one["target"] for one in (await quality.remember(near))["suggestions"]]
        assert old["id"] not in linked and new["id"] in linked
        await quality.forget((await quality.recall({"limit": 1}))[0]["id"])
        assert old["suggestions"] == [] and (await quality.get(new["id"]))["relationships"] == []
        assert {*ids(await quality.recall())} == {old["id"], new["id"]}
    async with bench.open(quality={"relationship_threshold": 1.0}) as quality:
        again = await quality.remember({"content": {"text": "The cellar under the house is frequently wet"}})
        assert again["suggestions"] == []


async def test_what_is_in_conflict_is_not_suggested_as_well(bench) -> None:
    """Q-40: a newer similar memory suggests `supersedes`, or is detected as a conflict."""
    async with bench.open(quality={"relationship_threshold": 0.3}) as quality:
        old = await quality.remember({"content": content("mood", "glad today")})
        other = await quality.remember({"content": content("hat", "glad today")})
        new = await quality.remember({"content": content("mood", "sad today")})
        assert [one["memories"] for one in new["conflicts"]] == [[old["id"], new["id"]]]
        assert [one["target"] for one in new["suggestions"]] == [other["id"]]


def of_several_types(box) -> list[str]:
    """Return memories of several types and ages."""
    ids = []
    for text in ("The cellar is wet", "User prefers tea", "Lesson: avoid the stairs", "We met on 2026-01-03"):
        ids.append(box.insert(text))
        box.adopt()
        box.clock.advance(days=20)
    return ids


def measured(box):
    return measure(box.store.columns, box.clock(), STALENESS_RATES)


def check(box) -> None:
    """Hold every row against its memory."""
    found = measured(box)
    for position, memory_id in enumerate(box.store.index.ids):
        one = measure_memory(box.read(memory_id), box.clock())
        assert (found.staleness[position], found.score[position]) == one


def test_rows_follow_the_memories(known) -> None:
    ids = of_several_types(known)
    check(known)
    before = measured(known).staleness[0]
    known.store.count_recall(ids[:1])
    assert measured(known).staleness[0] < before
    check(known)
    known.store.apply([Qualify(memory_id=ids[1], stated={"confidence": 0.1, "validated_at": known.clock()})])
    known.store.apply([Supersede(winner_id=ids[2], loser_id=ids[3], at=known.clock(), cycle=0, rule="Q-52")])
    check(known)
    known.delete(ids[0])
    known.learn("The kitchen is warm")
    check(known)
    known.restart(is_saved=True)
    known.adopt()
    check(known)


OTHER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from quality_tools import Bench, content

async def main():
    async with Bench(Path(sys.argv[1])).open() as store:
        await store.remember({"type": "fact", "content": content("birds", "owls")})

asyncio.run(main())
"""


def open_over_there(root: Path) -> subprocess.CompletedProcess[str]:
    """Let another process open the store of a bench, and store one memory."""
    tests = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-W", "ignore", "-c", OTHER, str(root), str(tests / "shell")]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tests), "OMP_NUM_THREADS": "1"}
    )


async def test_a_second_process_is_refused(tmp_path: Path) -> None:
    """Q-55: in words that say what to do; once that has ended, it is let in, and has everything."""
    bench = Bench(tmp_path)
    async with bench.open() as store:
        for number in range(3):
            await store.remember({"type": "fact", "content": content(f"hobby {number}", "chess")})
        refused = open_over_there(tmp_path)
        assert refused.returncode == 1
        last = refused.stderr.strip().splitlines()[-1]
        assert "StoreError" in last and "is open elsewhere; allowed: one writer at a time" in last
        await store.remember(TIMEZONE)
    async with bench.open() as store:
        assert len(await store.recall()) == 4


async def test_neither_a_second_opening_nor_an_ingest_gets_in(tmp_path: Path) -> None:
    """T-48: also in the same process; a folder is free again however its holder ends, and nothing is lost."""
    bench = Bench(tmp_path)
    with pytest.raises(RuntimeError, match="on purpose"):
        async with bench.open() as store:
            await store.remember(TIMEZONE)
            with pytest.raises(StoreError, match="one writer at a time"):
                async with bench.open():
                    pass
            with (
                pytest.raises(StoreError, match="one writer at a time"),
                open_ingest(bench.folder, HashingEmbedder(64), Settings(), clock=bench.clock),
            ):
                pass
            raise RuntimeError("on purpose")
    async with bench.open() as store:
        assert [one["content"] for one in await store.recall()] == [TIMEZONE["content"]]
