"""The four quality commands at a terminal, and the page in a browser (Q-27, Q-28, Q-31, Q-33, Q-49, Q-54)."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from importlib.metadata import EntryPoint, EntryPoints
from itertools import pairwise

import pytest
from conflict_tools import run
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.host.docstore.embedded import EmbeddedMemory
from memory_ledger.host.docstore.store import Store
from memory_ledger.host.quality import checking
from memory_ledger.host.storage import damage, files
from memory_ledger.host.storage.inbox import Inbox
from memory_ledger.host.storage.line_store import LineStore
from memory_ledger.host.storage.problem_log import ProblemLog
from memory_ledger.host.storage.state import OwnState
from memory_ledger.host.turns.turn_ring import TurnRing
from memory_ledger.quality.page import render_page
from memory_ledger.quality.report import Charts
from memory_ledger.settings import Settings
from quality_tools import Bench, content

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


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
    monkeypatch.setattr("memory_ledger.cli.quality.system_clock", bench.clock)


def ids_of(bench) -> dict[str, str]:
    """Return the id of each text that was saved."""
    return {one.text: one.id for one in saved(bench)}


def saved(bench):
    from memory_ledger.host.docstore.docstore_file import read_memories

    return read_memories(bench.folder)


def next_turn(bench) -> None:
    """Let a process that holds the folder adopt, as the host does at its next turn."""
    memory = EmbeddedMemory(bench.folder, bench.embedder, clock=bench.clock)
    store = Store(memory, folder=bench.folder, states=OwnState(bench.folder), clock=bench.clock)
    while not Adopter(store, TurnRing(20)).run(Settings(), limit=100).is_done:
        pass
    store.save()
    memory.close()


async def test_the_report_is_the_one_of_the_interface(bench, capsys) -> None:
    """Q-54, Q-56: to the number, read from the disk without anything remembered; the folder stays as it is."""
    before = {path.name: path.read_bytes() for path in bench.folder.iterdir()}
    status, out, _ = run(bench, capsys, "quality", "--json")
    assert status == 0 and {path.name: path.read_bytes() for path in bench.folder.iterdir()} == before
    async with bench.open() as store:
        assert json.loads(out) == await store.get_quality_report()
    _, out, _ = run(bench, capsys, "quality")
    assert "totalMemories: 4\n" in out and "byType: " in out and "- 1 conflict is unresolved" in out


def test_validate_names_what_is_wrong(bench, capsys, monkeypatch) -> None:
    """Q-49, Q-31: memory by memory, chain and signatures too, and the validators of other distributions."""
    status, out, err = run(bench, capsys, "validate")
    assert (status, out) == (0, "") and "4 memories checked, 0 with errors; 4 in the chain of 4 lines" in err
    path = bench.folder / files.CHAIN_FILE
    path.write_bytes(path.read_bytes().replace(b'"type":"preference"', b'"type":"preferencf"'))
    status, out, err = run(bench, capsys, "validate")
    tea = ids_of(bench)["User prefers tea"]
    assert status == 1 and json.loads(out)["id"] == tea and f"chain, line 2 (memory {tea})" in err
    rule = EntryPoint(name="ours", value="quality_plugin:VALIDATORS", group=checking.ENTRY_POINT_GROUP)
    broken = EntryPoint(name="theirs", value="nowhere:NOTHING", group=checking.ENTRY_POINT_GROUP)
    monkeypatch.setattr(checking, "entry_points", lambda group: EntryPoints([rule, broken]).select(group=group))
    status, out, _ = run(bench, capsys, "validate")
    errors = {row["id"]: row["errors"] for row in map(json.loads, out.splitlines())}
    assert any(one == "no-tea: tea is refused" for one in errors[tea])


async def test_breaks_are_accepted_and_keys_replaced(bench, capsys) -> None:
    """Q-31: what is asked for is named first, and done at once; a dry run asks nothing."""
    path, asked = bench.folder / files.CHAIN_FILE, bench.folder / files.INBOX_FILE
    assert "allowed: none, the chain is intact" in run(bench, capsys, "accept-breaks", "2")[2]
    path.write_bytes(path.read_bytes().replace(b'"type":"preference"', b'"type":"preferencf"'))
    tea = ids_of(bench)["User prefers tea"]
    for given in ((), ("2", "--all")):
        assert "allowed: one of them" in run(bench, capsys, "accept-breaks", *given)[2]
    status, out, err = run(bench, capsys, "accept-breaks", "--all", "--dry-run")
    assert status == 0 and not asked.exists() and "1 break would be accepted" in err
    found = json.loads(out)
    assert (found["line"], found["memory"]) == (2, tea) and "signature" in found["found"]
    assert run(bench, capsys, "accept-breaks", "3")[0] == 1
    accepted = run(bench, capsys, "accept-breaks", "2", "--because", "I know")
    assert accepted == (0, out, "1 break accepted\n")
    assert "from now on" in run(bench, capsys, "rotate-key")[2]
    async with bench.open() as store:
        old = json.loads(path.read_text("utf-8").splitlines()[0])["signature"]["key"]
        assert (await store.verify())["valid"] and (await store.export())["identity"]["key"] != old
    assert run(bench, capsys, "validate")[0] == 0
    rows = list(files.read_lines(bench.folder / files.JOURNAL_FILE))[-2:]
    assert [(row["action"], row["reasons"]) for row in rows] == [
        ("accept-break", ["I know"]),
        ("rotate-key", ["a person asked for it"]),
    ]


@pytest.mark.parametrize("name", ["VALIDATORS", "ONE", "make"])
def test_another_distribution_brings_validators(monkeypatch, name) -> None:
    """Q-33: one, a list, or a function that makes them; what is none is a problem and stops nothing."""
    monkeypatch.setattr(checking, "notices", log := ProblemLog())
    good = EntryPoint(name="good", value=f"quality_plugin:{name}", group=checking.ENTRY_POINT_GROUP)
    bad = EntryPoint(name="bad", value="quality_plugin:NONSENSE", group=checking.ENTRY_POINT_GROUP)
    monkeypatch.setattr(checking, "entry_points", lambda group: EntryPoints([bad, good]).select(group=group))
    assert [one.name for one in checking.find_validators()] == ["no-tea"]
    [problem] = log.take()
    assert "bad" in problem.where and "'no validator' is no validator" in problem.found


def test_refresh_is_carried_out(bench, capsys) -> None:
    """Q-27, Q-65: at once where no host runs, and once; a dry run asks for nothing."""
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
    assert run(bench, capsys, "refresh", tea, "--confidence", "2")[0] == 1


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
    assert run(bench, capsys, "archive-stale", "--older-than", "soon")[0] == 1


async def test_archive_stale_lists_what_the_interface_would_archive(bench, capsys) -> None:
    """Q-28, Q-55: from the threshold on, and nothing that was forgotten."""
    cellar = ids_of(bench)["The cellar is wet"]
    async with bench.open() as store:
        bound = (await store.get(cellar))["quality"]["staleness"]
    asked = ("archive-stale", "--older-than", "300d", "--dry-run", "--threshold")
    assert json.loads(run(bench, capsys, *asked, str(bound))[1]) == {"id": cellar}
    assert run(bench, capsys, *asked, str(bound + 1e-4))[1] == ""
    async with bench.open() as store:
        await store.forget(cellar)
    assert run(bench, capsys, *asked, "0")[1] == ""


def test_a_line_that_is_no_request_is_left_out(bench) -> None:
    """Q-27: it stays, for the version that knows it, and is named; the others are carried out."""
    tea, at = ids_of(bench)["User prefers tea"], "2026-03-01T00:00:00+00:00"
    rows = [
        {"id": "1", "kind": "delete", "at": at, "arguments": {"memories": [tea]}},
        {"id": "2", "kind": "refresh", "at": at, "arguments": {"memories": [tea], "confidence": 7}},
        {"id": "3", "kind": "refresh", "at": at, "arguments": {"memories": [tea], "gently": True}},
        {"id": "4", "kind": "refresh", "at": at, "arguments": {"memories": ["nobody", tea]}},
    ]
    (bench.folder / files.INBOX_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    next_turn(bench)
    [found] = [one for one in saved(bench) if one.id == tea]
    assert found.quality.validated_at is not None and found.quality.confidence is None
    assert found.classification.validity == "inferred"  # nobody said that it was verified
    assert [row.get("id") for row in files.read_lines(bench.folder / files.INBOX_FILE)] == [None, "1", "2", "3", "4"]
    assert [one for one in damage.notices.take() if "('delete, refresh')" in one.found]


# --- the page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What stands on a page: the figures, and the bars of each chart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.figures: dict[str, str] = {}
        self.bars: dict[str, list[int]] = {}
        self.outside: list[str] = []
        self._figure = self._chart = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        given = dict(attrs)
        self.outside += [str(value) for key, value in attrs if key in ("src", "href", "data") or tag == "script"]
        if tag == "dd":
            self._figure = given["id"]
        elif tag == "svg":
            self._chart = given["id"].removeprefix("chart-")
            self.bars[self._chart] = []
        elif tag == "rect":
            self.bars[self._chart].append(int(given["data-count"]))

    def handle_data(self, data) -> None:
        if self._figure:
            self.figures[self._figure] = data
            self._figure = ""


def checked_page(text: str, bench, capsys) -> Page:
    """Hold a page against the report of the same moment."""
    report = json.loads(run(bench, capsys, "quality", "--json")[1])
    page = Page(text)
    for key in ("totalMemories", "averageQuality", "averageStaleness", "unresolvedConflicts", "validationErrorRate"):
        assert page.figures[key] == str(report[key])
    assert {key: page.figures[f"byType.{key}"] for key in report["byType"]} == {
        key: str(value) for key, value in report["byType"].items()
    }
    assert {*page.bars} == {"age", "staleness", "score", "source", "conflicts"}
    assert all(sum(page.bars[one]) == 4 for one in ("age", "staleness", "score", "source"))
    assert sum(page.bars["conflicts"]) == 1 and not page.outside
    return page


def test_the_page_says_what_the_report_says(bench, capsys, tmp_path) -> None:
    """Q-54: figures and charts, and nothing from outside."""
    status, out, _ = run(bench, capsys, "quality", "--html", str(tmp_path / "report.html"))
    assert (status, out) == (0, "")
    page = checked_page((tmp_path / "report.html").read_text(), bench, capsys)
    assert page.bars["age"] == [3, 0, 0, 0, 0, 0, 1, 0]


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_the_page_opens_in_a_browser_without_a_network(bench, capsys, tmp_path) -> None:
    """Q-54: what a real browser made of it, and drew."""
    run(bench, capsys, "quality", "--html", str(tmp_path / "report.html"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    command = [BROWSER, *options, f"--user-data-dir={tmp_path / 'browser'}", f"--screenshot={tmp_path / 'page.png'}"]
    url = (tmp_path / "report.html").as_uri()
    shown = subprocess.run([*command, "--dump-dom", url], capture_output=True, text=True, timeout=120, check=True)
    checked_page(shown.stdout, bench, capsys)
    subprocess.run([*command, url], capture_output=True, timeout=120, check=True)
    assert (tmp_path / "page.png").stat().st_size > 5_000


def test_every_month_has_its_bar(bench, capsys, tmp_path) -> None:
    """Q-54: an empty one as well, or time would look shorter than it was; what is old is counted together."""
    rows = list(files.read_lines(bench.folder / files.CONFLICTS_FILE))
    found = [("2019-05-01T00:00:00+00:00", "a"), ("2025-11-30T23:30:00-02:00", "b"), ("2026-02-01T00:00:00+00:00", "c")]
    for at, name in found:
        LineStore(bench.folder / files.CONFLICTS_FILE).append([{**rows[0], "id": f"conflict_{name}", "detected": at}])
    run(bench, capsys, "quality", "--html", str(tmp_path / "report.html"))
    text = (tmp_path / "report.html").read_text()
    table = re.findall(r"<tr><th>([^<]+)</th><td>(\d+)</td>", text.partition('id="table-conflicts"')[2])
    assert table[0] == ("earlier", "1") and len(table) == 37
    assert table[-4:] == [("2025-11", "0"), ("2025-12", "1"), ("2026-01", "0"), ("2026-02", "2")]
    labels = re.findall(r"<tr><th>([^<]+)</th>", text.partition('id="table-age"')[2].partition("</table>")[0])
    assert labels == ["&lt; 1", "1-6", "7-29", "30-89", "90-179", "180-364", "365-729", "730+"]


@pytest.mark.parametrize("count", [1, 3, 8, 12, 13, 36, 37])
def test_nothing_on_a_chart_overlaps_or_leaves_it(count) -> None:
    """Q-54: neither labels nor bars, however many; numbers stand over bars that have room for them."""
    counts = {f"2023-{number:02}": 1_234_567 + number for number in range(count)}
    page = render_page({**EMPTY, "recommendations": ["See `memory-ledger validate`."]}, Charts(age=counts), **PLACE)
    boxes = [tuple(map(float, one)) for one in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', page)]
    assert len(boxes) == count and all(x + width <= 640.5 for x, _, width in boxes)
    assert all(x + width <= later for (x, _, width), (later, _, _) in pairwise(boxes))
    texts = [(float(x), float(y), text) for x, y, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)">([^<]+)<', page)]
    rows: dict[float, list[tuple[float, float]]] = {}
    for x, y, text in texts:
        half = len(text) * 3.5  # a digit of 12 px is 6.7 wide
        assert x - half >= -1 and x + half <= 641 and y > 12
        rows.setdefault(y if y > 198 else 0.0, []).append((x - half, x + half))
    assert all(one[1] <= two[0] for row in rows.values() for one, two in pairwise(row))
    assert "<code>memory-ledger validate</code>" in page and "`" not in page.partition("</style>")[2]


EMPTY = {
    "totalMemories": 0,
    "byType": {},
    "averageQuality": 0.0,
    "averageStaleness": 0.0,
    "unresolvedConflicts": 0,
    "validationErrorRate": 0.0,
    "recommendations": [],
}
PLACE = {"where": "<i>x</i>", "at": "now"}


def test_what_stands_on_the_page_is_text() -> None:
    """Q-54: nothing that a memory or a folder is called becomes markup; an empty store has a page as well."""
    report = {**EMPTY, "recommendations": ["<script>alert(1)</script> `<b>`"]}
    page = render_page(report, Charts(source={'"><b>': 1}), **PLACE)
    assert not re.search(r"<(?:script|b|i)>", page) and page.count("Nothing to show") == 4
