"""The four quality commands at a terminal, and the page in a browser (Q-27, Q-28, Q-31, Q-33, Q-49, Q-54)."""

import json
import re
import shlex

import pytest
from conflict_tools import run
from memory_ledger import cli
from memory_ledger.store import files
from memory_ledger.store.requests import Inbox
from quality_tools import Bench, content


@pytest.fixture
async def bench(tmp_path) -> Bench:
    """A saved folder: an old fact, a preference that nobody vouches for, and two that contradict each other."""
    made = Bench(tmp_path)
    made.clock.advance(days=-400)
    async with made.open() as store:
        await store.remember({"content": {"text": "The cellar is wet"}, "source": "told"})
        made.clock.advance(days=395)
        await store.remember({"content": {"text": "User prefers tea"}, "source": "inferred"})
        for value in ("green", "amber"):
            await store.remember({"content": content("mood ring colour", value)})
    return made


@pytest.fixture(autouse=True)
def _now(bench, monkeypatch) -> None:
    monkeypatch.setattr("memory_ledger.service.place.system_clock", bench.clock)


def ids_of(bench) -> dict[str, str]:
    """Return the id of each text that was saved."""
    return {one.text: one.id for one in saved(bench)}


def saved(bench):
    from memory_ledger.store.docstore_file import read_memories

    return read_memories(bench.folder)


async def test_the_report_is_the_one_of_the_interface(bench, capsys) -> None:
    """Q-54, Q-56: to the number, read from the disk without anything remembered; the folder stays as it is."""
    before = {path.name: path.read_bytes() for path in bench.folder.iterdir()}
    status, out, _ = run(bench, capsys, "quality", "--json")
    assert status == 0 and {path.name: path.read_bytes() for path in bench.folder.iterdir()} == before
    async with bench.open() as store:
        assert json.loads(out) == await store.get_quality_report()
    _, out, _ = run(bench, capsys, "quality")
    assert out.startswith("Memories: 4\nof type preference: 1\nof type fact: 3\nAverage quality: ")
    assert '\n1 conflict is unresolved.\n  "' in out and not re.search("[a-z][A-Z][a-z]+: ", out)


def test_validate_names_what_is_wrong(bench, capsys) -> None:
    """Q-49, Q-31: memory by memory, chain and signatures too."""
    status, out, err = run(bench, capsys, "validate")
    assert (status, out) == (0, "") and "4 memories checked, 0 with errors; 4 in the chain of 4 lines" in err
    path = bench.folder / files.CHAIN_FILE
    path.write_bytes(path.read_bytes().replace(b'"type":"preference"', b'"type":"preferencf"'))
    status, out, err = run(bench, capsys, "validate")
    tea = ids_of(bench)["User prefers tea"]
    assert status == 1 and json.loads(out)["id"] == tea and f"chain, line 2 (memory {tea})" in err


async def test_a_broken_chain_is_signed_anew(bench, capsys) -> None:
    """Q-31: what is asked for is named first, and done at once; a dry run asks nothing."""
    path, asked = bench.folder / files.CHAIN_FILE, bench.folder / files.INBOX_FILE
    assert "after 0 breaks of the chain" in run(bench, capsys, "sign-anew")[2] and not asked.exists()
    path.write_bytes(path.read_bytes().replace(b'"type":"preference"', b'"type":"preferencf"'))
    tea = ids_of(bench)["User prefers tea"]
    status, out, err = run(bench, capsys, "sign-anew", "--dry-run")
    assert status == 0 and not asked.exists() and "would be signed anew after 1 break of the chain" in err
    found = json.loads(out)
    assert (found["line"], found["memory"]) == (2, tea) and "signature" in found["found"]
    done = run(bench, capsys, "sign-anew", "--because", "I know")
    assert done == (0, out, "all memories are signed anew; 1 break is on record\n")
    async with bench.open() as store:
        assert (await store.verify())["valid"]
    assert run(bench, capsys, "validate")[0] == 0
    (row,) = [row for row in files.read_lines(bench.folder / files.JOURNAL_FILE) if row["action"] == "sign-anew"]
    assert row["reasons"] == ["I know"]


def test_refresh_is_carried_out(bench, capsys) -> None:
    tea = ids_of(bench)["User prefers tea"]
    status, _, err = run(bench, capsys, "refresh", tea, "--verified", "--confidence", "0.97", "--dry-run")
    assert status == 0 and "would be refreshed" in err and not (bench.folder / files.INBOX_FILE).exists()
    assert run(bench, capsys, "refresh", tea, "--verified", "--confidence", "0.97")[2] == "1 memory refreshed\n"
    [found] = [one for one in saved(bench) if one.id == tea]
    [request] = Inbox(bench.folder).read()
    assert found.quality.confidence == 0.97 and found.quality.validated_at == request.at
    assert found.classification.validity == "confirmed"
    assert (request.kind, request.asked, request.answer.words) == ("refresh", None, "1 memory refreshed")
    status, _, err = run(bench, capsys, "refresh", "nobody")
    assert status == 1 and "no memory nobody" in err
    assert run(bench, capsys, "refresh", tea, "--confidence", "2")[0] == 2


def test_archive_stale_is_carried_out(bench, capsys) -> None:
    """Q-28, T-27: what would be archived is listed first."""
    cellar = ids_of(bench)["The cellar is wet"]
    asked = ("archive-stale", "--threshold", "0.7", "--older-than", "300d")
    status, out, err = run(bench, capsys, *asked, "--dry-run")
    assert status == 0 and [json.loads(out)] == [{"id": cellar}] and "1 memory would be archived" in err
    assert not (bench.folder / files.INBOX_FILE).exists()
    assert run(bench, capsys, *asked)[2] == "1 memory archived\n"
    assert {one.id for one in saved(bench) if one.classification.utility == "archived"} == {cellar}
    [row] = [one for one in files.read_lines(bench.folder / files.JOURNAL_FILE) if one["action"] == "archive"]
    assert (row["memory"], row["rule"], row["reasons"], row["to"]) == (cellar, "Q-28", ["stale"], "archived")
    assert run(bench, capsys, *asked)[1] == ""
    assert run(bench, capsys, "archive-stale", "--older-than", "soon")[0] == 2


def test_a_person_reads_texts_and_runs_commands_as_they_are_printed(bench, capsys) -> None:
    """Issue 23, Q-71: the terminal names memories by what they say; each command is whole, and does its work."""
    bench.clock.advance(days=100)
    printed = run(bench, capsys, "quality")[1]
    for said in ("User prefers tea", "Adam mood ring colour: green", "Adam mood ring colour: amber"):
        assert f'"{said}"' in printed
    commands = [line.strip() for line in printed.splitlines() if line.startswith("    memory-ledger ")]
    assert {shlex.split(one)[1] for one in commands} == {"resolve", "refresh", "archive-stale"}
    for one in commands:
        assert cli.main(shlex.split(one)[1:]) == 0, capsys.readouterr().err
    capsys.readouterr()


async def test_an_unrecalled_memory_is_not_stale_for_being_true(tmp_path, capsys, monkeypatch) -> None:
    """Issue 23, Q-11, Q-71: what the user said or is confirmed only waits; a guess is stale."""
    made = Bench(tmp_path / "another")
    monkeypatch.setattr("memory_ledger.service.place.system_clock", made.clock)
    made.clock.advance(days=-400)
    async with made.open() as store:
        await store.remember({"content": {"text": "The cellar is wet"}, "source": "told"})
        guess = await store.remember({"content": {"text": "Ann works in the library"}, "source": "inferred"})
        checked = await store.remember({"content": {"text": "Trains to Bern leave at nine"}, "source": "inferred"})
        await store.refresh(checked["id"], {"verified": True})
        report = await store.get_quality_report()
        assert report["recommendations"] == []
        made.clock.advance(days=400)
        report = await store.get_quality_report()
    assert report["averageStaleness"] > 0.7
    assert [one.partition(" are stale")[0] for one in report["recommendations"]] == ["33.3% of the memories"]
    assert f"({guess['id']})" in report["recommendations"][0]
    waiting = "2 old memories have not been recalled for a while; you said or confirmed them, so they do not count as"
    assert waiting in run(made, capsys, "quality")[1]


async def test_what_was_replaced_is_not_to_be_refreshed(tmp_path, capsys, monkeypatch) -> None:
    """Issue 23, Q-14, Q-71: it is stale, and the advice says why, and what to do with it."""
    made = Bench(tmp_path / "another")
    monkeypatch.setattr("memory_ledger.service.place.system_clock", made.clock)
    made.clock.advance(days=-400)
    async with made.open() as store:
        for value in ("3.9", "3.11"):
            await store.remember({"content": {"text": f"User's project uses Python {value}"}, "source": "told"})
            made.clock.advance(days=200)
    printed = run(made, capsys, "quality")[1]
    assert "50% of the memories are stale, 1 because another one replaced it.\n  What" in printed
    assert "refresh" not in printed and "archive-stale --dry-run --folder" in printed
    [told] = json.loads(run(made, capsys, "quality", "--json")[1])["recommendations"]
    assert told.startswith("50% of the memories are stale, 1 because another one replaced it. What still holds")
