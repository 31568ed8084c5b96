"""Issue 23, quality, point 3: links, structured content, filters and validators at a terminal."""

import json

import pytest
from conflict_tools import run
from memory_ledger.clock import system_clock
from memory_ledger.host.quality.quality_store import QualityStore
from memory_ledger.store import files
from quality_tools import Bench, content


@pytest.fixture
async def bench(tmp_path, monkeypatch) -> Bench:
    """A saved folder: an old fact, two that contradict each other, a guess, and one that was stored with an error."""
    made = Bench(tmp_path)
    monkeypatch.setattr("memory_ledger.service.place.system_clock", made.clock)
    made.clock.advance(days=-400)
    async with made.open() as store:
        made.ids = {"old": await remember(store, "The cellar is wet", source="told", confidence=0.9)}
        made.clock.advance(days=400)
        for name in ("green", "amber"):
            made.ids[name] = (await store.remember({"content": content("mood ring colour", name)}))["id"]
        made.ids["guess"] = await remember(store, "The attic may be dry", source="inferred", confidence=0.2)
        made.ids["wrong"] = await remember(store, "The tea is in the pantry", confidence=7)
    return made


async def remember(store: QualityStore, text: str, **stated: object) -> str:
    return str((await store.remember({"content": {"text": text}, **stated}))["id"])


def listed(bench, capsys, *options: str) -> list[dict]:
    status, out, _ = run(bench, capsys, "list", *options)
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def names(bench, rows) -> set[str]:
    known = {memory_id: name for name, memory_id in bench.ids.items()}
    return {known[row["id"]] for row in rows}


def shown(bench, capsys, name: str) -> dict:
    status, out, _ = run(bench, capsys, "show", bench.ids[name])
    assert status == 0
    return json.loads(out)


EVERY = {"old", "green", "amber", "guess", "wrong"}


NARROWED = {
    (): EVERY,
    ("--min-quality", "0"): EVERY,
    ("--max-staleness", "1"): EVERY,
    ("--min-confidence", "0"): EVERY,
    ("--max-staleness", "0.3"): EVERY - {"old"},
    ("--min-confidence", "0.5"): EVERY - {"guess"},
    ("--exclude-conflicted",): EVERY - {"green", "amber"},
    ("--exclude-conflicted", "--max-staleness", "0.3"): {"guess", "wrong"},
    ("--min-confidence", "0.5", "cellar"): {"old"},
}


def test_a_list_is_narrowed_by_quality(bench, capsys) -> None:
    """Issue 23, Q-51: each filter alone and with others; what is asked for stands in the row."""
    for options, expected in NARROWED.items():
        rows = listed(bench, capsys, *options)
        assert names(bench, rows) == expected, options
        assert all(("quality" in row) is bool(options) for row in rows)


async def test_one_memory_is_shown_with_its_quality_and_its_content(bench, capsys) -> None:
    """Issue 23, Q-01 ... Q-04: under the interface's names and to the number; a text alone is no content."""
    row = shown(bench, capsys, "green")
    async with bench.open() as store:
        known = await store.get(bench.ids["green"])
    assert {key: row[key] for key in ("type", "confidence", "content", "quality")} == {
        key: known[key] for key in ("type", "confidence", "content", "quality")
    }
    assert row["content"] == content("mood ring colour", "green") and row["quality"]["conflictRisk"] > 0
    (link,) = row["relationships"]
    assert (link["type"], link["target"], link["stated"]) == ("contradicts", bench.ids["amber"], False)
    assert shown(bench, capsys, "old")["content"] is None
    (error,) = shown(bench, capsys, "wrong")["quality"]["validationErrors"]
    assert error.startswith("schema: confidence is 7")


def test_a_link_is_made_shown_at_both_ends_and_removed(bench, capsys) -> None:
    """Issue 23, Q-38, Q-39, Q-64: with its reason; a citation comes and goes with it."""
    pair = bench.ids["wrong"], "supports", bench.ids["guess"]
    dry = run(bench, capsys, "link", *pair, "--dry-run")
    assert dry[0] == 0 and "would be made" in dry[1] and not (bench.folder / files.INBOX_FILE).exists()
    assert run(bench, capsys, "link", *pair, "--because", "one house")[:2] == (0, f"link made: {' '.join(pair)}\n")
    for name, text in (("wrong", "The attic may be dry"), ("guess", "The tea is in the pantry")):
        (link,) = shown(bench, capsys, name)["relationships"]
        assert (link["source"], link["type"], link["target"]) == pair
        assert (link["text"], link["reason"], link["stated"]) == (text, "one house", True)
    assert cited_by(bench, "guess") == (bench.ids["wrong"],)
    assert run(bench, capsys, "unlink", *pair)[:2] == (0, f"link removed: {' '.join(pair)}\n")
    assert shown(bench, capsys, "wrong")["relationships"] == shown(bench, capsys, "guess")["relationships"] == []
    assert cited_by(bench, "guess") == ()


def cited_by(bench, name: str) -> tuple[str, ...]:
    from memory_ledger.store.docstore_file import read_memories

    (found,) = [one for one in read_memories(bench.folder) if one.id == bench.ids[name]]
    return found.quality.cited_by


def test_one_of_two_citations_leaves_the_other(bench, capsys) -> None:
    one, other = bench.ids["wrong"], bench.ids["guess"]
    for kind in ("supports", "derived-from"):
        run(bench, capsys, "link", one, kind, other)
    run(bench, capsys, "unlink", one, "supports", other)
    assert cited_by(bench, "guess") == (one,)


def test_what_replaces_another_puts_it_out_of_use(bench, capsys) -> None:
    run(bench, capsys, "link", bench.ids["wrong"], "supersedes", bench.ids["guess"])
    assert shown(bench, capsys, "guess")["validity"] == "deprecated"
    (link,) = shown(bench, capsys, "wrong")["relationships"]
    assert (link["type"], link["stated"]) == ("supersedes", False)
    status, _, err = run(bench, capsys, "link", bench.ids["guess"], "supersedes", bench.ids["old"])
    assert status == 1 and f"is replaced by {bench.ids['wrong']}" in err
    assert run(bench, capsys, "undo", bench.ids["guess"])[0] == 0
    assert shown(bench, capsys, "guess")["validity"] == "inferred"


def test_a_link_to_nothing_or_of_no_kind_is_refused(bench, capsys) -> None:
    one, other = bench.ids["wrong"], bench.ids["guess"]
    assert run(bench, capsys, "link", one, "supports", "gone!")[0] == 1
    assert "another memory" in run(bench, capsys, "link", one, "supports", one)[2]
    status, _, err = run(bench, capsys, "link", one, "likes", other)
    assert status == 2 and "part-of" in err
    status, _, err = run(bench, capsys, "unlink", bench.ids["green"], "contradicts", bench.ids["amber"])
    assert status == 1 and "nobody stated" in err and "`resolve`" in err
    assert not (bench.folder / files.INBOX_FILE).exists()


def test_validate_says_which_memory_in_its_words(bench, capsys, monkeypatch) -> None:
    """Issue 23, Q-34, Q-49: the text beside the errors; those on record count until somebody verifies the memory."""
    status, out, err = run(bench, capsys, "validate")
    (row,) = map(json.loads, out.splitlines())
    assert status == 1 and (row["id"], row["text"]) == (bench.ids["wrong"], "The tea is in the pantry")
    assert row["errors"][0].startswith("schema: confidence is 7") and "5 memories checked, 1 with errors" in err
    assert run(bench, capsys, "validate", bench.ids["old"])[:2] == (0, "")
    assert run(bench, capsys, "refresh", bench.ids["wrong"], "--verified")[0] == 0
    monkeypatch.setattr("memory_ledger.service.place.system_clock", system_clock)  # by which the refresh was dated
    assert run(bench, capsys, "validate")[:2] == (0, "")
