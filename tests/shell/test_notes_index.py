"""The index over the notes: built, taken up again, asked; and `memory-ledger notes` (V-04, V-05, V-09, V-11)."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest
from fake_host import FixedClock, HashingEmbedder
from jsonschema import Draft202012Validator
from memory_ledger import cli
from memory_ledger.errors import EmbeddingError, StoreError
from memory_ledger.host.notes import builder
from memory_ledger.host.notes.builder import BuildReport, NotesModel, build_index, compare_notes, forget_index
from memory_ledger.host.notes.notes_faiss import INDEX_FILE, INDEX_FOLDER, META_FILE, NotesFAISS
from memory_ledger.host.notes.sources import MOST_BYTES
from memory_ledger.notes import load_and_index
from memory_ledger.notes.chunker import SemanticChunker
from memory_ledger.notes.model import NoteError, NotesMeta
from memory_ledger.setting_groups import Notes
from memory_ledger.settings import Settings
from memory_ledger.store import embedding
from memory_ledger.store.embedding import HUB_NAME
from memory_ledger.store.erase import Trace
from memory_ledger.store.files import hold_folder

CUT = SemanticChunker(min_chars=20, max_chars=200)
PARAGRAPH = "The {0} stands in the water near {0} town and waits for the evening to come."


class Place:
    """A folder of notes, its index, and the model that embeds them."""

    def __init__(self, root: Path) -> None:
        self.notes, self.index = root / "user_notes", root / "faiss"
        self.notes.mkdir()
        self.embedder = HashingEmbedder(64)

    def write(self, name: str, text: str | bytes) -> None:
        path = self.notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def write_many(self, count: int) -> None:
        for number in range(count):
            self.write(f"n{number:04d}.md", f"### Bird {number}\n\n{PARAGRAPH.format(f'bird{number}')}\n")

    def build(self, *, chunker: SemanticChunker = CUT, name: str = "m", **more: Any) -> BuildReport:
        model = NotesModel(name, lambda: self.embedder, self.embedder.dimensions)
        return build_index(self.notes, self.index, model, chunker, FixedClock(), **more)

    def open(self) -> NotesFAISS:
        return NotesFAISS.open(self.index)

    def ask(self, query: str, **more: Any) -> list[str]:
        """Return the notes that answer, nearest first."""
        found = self.open().search(self.embedder.vector(query), **({"limit": 3} | more))
        return [one.note_id for one in found]

    def embedded(self) -> list[str]:
        """Return what the model was asked to embed, and forget it."""
        texts = [text for call in self.embedder.calls for text in call.texts]
        self.embedder.calls.clear()
        return texts


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_index_answers_with_note_section_and_line(place: Place) -> None:
    """V-04, V-11: two files of its own; pieces are found by what they say, with cosines."""
    place.write(
        "birds.md", f"# Birds\n\n### Heron\n{PARAGRAPH.format('heron')}\n\n### Coot\n{PARAGRAPH.format('coot')}"
    )
    place.write("deep/fish.md", f"### Carp\n{PARAGRAPH.format('carp')}")
    report = place.build()
    assert (report.notes, report.pieces, report.embedded, report.is_changed) == (2, 3, 3, True)
    assert sorted(path.name for path in place.index.iterdir()) == [INDEX_FILE, META_FILE]
    (hit,) = place.open().search(place.embedder.vector("coot town"), limit=1)
    assert (hit.note_id, hit.title, hit.chunk.section_path, hit.chunk.start_line) == (
        "birds.md",
        "Birds",
        "Birds > Coot",
        6,
    )
    index, vector = place.open(), place.embedder.vector(place.embedded()[0])
    next(iter(index.vectors().values()))[:] = 0  # what is handed out are copies
    assert index.search(vector, limit=1)[0].similarity == pytest.approx(1.0)


def test_index_is_flat_inner_products_of_unit_vectors(place: Place) -> None:
    """V-11, V-12, T-20: whatever the model returns, the vectors in the file have the length 1."""
    place.embedder = HashingEmbedder(64, unit_norm=False)
    place.write_many(3)
    place.build(name="provider/model")
    index = faiss.deserialize_index(np.frombuffer((place.index / INDEX_FILE).read_bytes(), dtype=np.uint8))
    assert type(index).__name__ == "IndexFlatIP"
    assert np.linalg.norm(index.reconstruct_n(0, 3), axis=1) == pytest.approx([1.0] * 3)
    meta = json.loads((place.index / META_FILE).read_text())
    assert (meta["model"], meta["dimension"], meta["index_type"]) == ("provider/model", 64, "IndexFlatIP")
    assert place.open().search(3 * np.array(place.embedder.vector("bird1")), limit=1)[0].similarity <= 1.0001


def test_filter_comes_before_the_search(place: Place) -> None:
    """V-11: one far note is found among many near ones; limits and unknown ids are no trouble."""
    for number in range(100):
        place.write(f"near{number}.md", f"### Heron\n\nheron heron heron {number}\n")
    place.write("far.md", "### Taxes\n\nreceipts are due in May\n")
    place.build()
    assert place.ask("heron", note_ids=["far.md"]) == ["far.md"]
    assert place.ask("heron", note_ids=["far.md", "near7.md", "gone.md"]) == ["near7.md", "far.md"]
    assert place.ask("heron", note_ids=["gone.md"]) == []
    assert place.ask("heron", note_ids=[]) == []
    assert len(place.ask("heron", limit=10_000)) == 101
    assert place.ask("heron", limit=0) == []


def test_only_what_changed_is_embedded(place: Place) -> None:
    """V-11: a changed, a new and a removed note; of a changed one the pieces that stayed are not embedded again."""
    place.write_many(4)
    place.build()
    place.embedded()
    first = (place.index / META_FILE).read_bytes()
    report = place.build()
    assert (report.embedded, report.is_changed, place.embedded()) == (0, False, [])
    assert (place.index / META_FILE).read_bytes() == first

    kept = f"### Bird 0\n\n{PARAGRAPH.format('bird0')}\n"
    place.write("n0000.md", f"{kept}\n### More\n\n{PARAGRAPH.format('wren')}\n")
    place.write("new.md", PARAGRAPH.format("owl"))
    (place.notes / "n0003.md").unlink()
    assert compare_notes(place.notes, place.open(), CUT) == {"new": 1, "changed": 1, "gone": 1}
    assert place.build().embedded == 2
    assert all("wren" in text or "owl" in text for text in place.embedded())
    assert place.ask("bird3 town", limit=9).count("n0003.md") == 0
    assert place.ask("wren", limit=1) == ["n0000.md"]
    os.utime(place.notes / "new.md", ns=(1, 1))
    assert (place.build().embedded, place.ask("owl", limit=1)) == (0, ["new.md"])


def test_a_length_that_nobody_announced(place: Place) -> None:
    """T-20: the same model's name with other vectors than before: what was there is embedded anew."""
    place.write_many(40)
    place.build()
    place.embedder = HashingEmbedder(16)
    place.write("new.md", PARAGRAPH.format("owl"))
    report = build_index(place.notes, place.index, NotesModel("m", lambda: place.embedder), CUT, FixedClock())
    assert (report.pieces, place.open().meta.dimension) == (41, 16)
    assert place.ask(place.embedded()[0], limit=1) == ["new.md"]
    assert place.build(name="other").embedded == 41
    assert place.build(name="other", chunker=SemanticChunker(min_chars=0, max_chars=40)).pieces > 41


class _Stop(Exception):
    """Somebody presses Ctrl-C."""


def _stop_at(count: int) -> Callable[[int, int], None]:
    def tell(done: int, every: int) -> None:
        if done >= count:
            raise _Stop

    return tell


def test_stopped_and_taken_up(place: Place) -> None:
    """V-11: what was embedded is not embedded again, and answers at once; what has not been yet answers as it was."""
    place.write_many(3)
    place.write("zoo.md", PARAGRAPH.format("zebra"))
    with pytest.raises(_Stop):
        place.build(tell=_stop_at(0))
    assert not (place.index / META_FILE).exists()  # which is no index without notes
    place.build()
    place.embedded()
    place.write_many(150)
    place.write("zoo.md", PARAGRAPH.format("okapi"))
    with pytest.raises(_Stop):
        place.build(tell=_stop_at(64))
    assert len(place.embedded()) == 64
    assert len(place.open().notes) == 3 + 64 + 1
    assert place.ask("zebra", limit=1) == ["zoo.md"]
    seen: list[tuple[int, int]] = []
    report = place.build(tell=lambda done, every: seen.append((done, every)))
    assert (report.embedded, len(place.embedded()), len(place.open().notes)) == (84, 84, 151)
    assert seen[0] == (0, 84) and seen[-1] == (84, 84)
    assert "okapi" in place.open().pieces("zoo.md")[0].text


def test_one_build_at_a_time(place: Place) -> None:
    place.write_many(1)
    place.index.mkdir()
    with hold_folder(place.index) as is_held:
        assert is_held
        with pytest.raises(StoreError, match="another build"):
            place.build()
    assert place.build().is_changed


def test_asked_while_it_is_written(place: Place) -> None:
    place.write_many(40)
    place.build()
    is_done = threading.Event()
    faults: list[Exception] = []

    def read() -> None:
        while not is_done.is_set():
            try:
                assert len(place.open()) >= 40
            except StoreError as exc:
                assert "not of one build" in str(exc)
            except Exception as exc:  # noqa: BLE001 - told by the test
                faults.append(exc)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(8):
        place.write(f"more{number}.md", PARAGRAPH.format(number))
        place.build()
    is_done.set()
    reader.join()
    assert faults == []


def test_what_is_no_note_is_named_and_left_out(place: Place) -> None:
    """V-05: broken, huge, binary, unreadable, empty; the others are indexed, hidden files are nobody's."""
    place.write("good.md", PARAGRAPH.format("heron"))
    place.write("binary.md", b"\x00\x01\x02")
    place.write("latin.md", "caf\u00e9".encode("latin-1"))
    place.write("empty.md", "")
    place.write("broken.json", "{")
    place.write("picture.png", b"\x89PNG")
    place.write(".hidden.md", "x")
    place.write(".git/note.md", "x")
    with (place.notes / "huge.md").open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    (place.notes / "dangling.md").symlink_to("nowhere")
    os.mkfifo(place.notes / "pipe.md")
    report = place.build()
    assert [one.where for one in report.problems] == [
        "binary.md", "broken.json", "dangling.md", "empty.md", "huge.md", "latin.md", "pipe.md"
    ]  # fmt: skip
    assert all(one.found and one.allowed for one in report.problems)
    assert list(place.open().notes) == ["good.md"]
    assert [one.file for one in place.open().meta.skipped] == [one.where for one in report.problems]
    assert not place.build().is_changed


def test_names_that_no_other_note_should_suffer_from(place: Place) -> None:
    """V-05: line ends, bytes that are no text, names of two notes that make one id; each is indexed under its own."""
    for name in ("a\nb.md", "a\\nb.md", "a.md", "a.json", "a.JSON", "a.md.json", "a\u3000b.md", "folder.md/in.md"):
        text = PARAGRAPH.format(f"heron {name!r}")
        place.write(name, json.dumps({"text": text}) if name.lower().endswith("json") else text)
    (place.notes / os.fsdecode(b"caf\xe9.md")).write_text(PARAGRAPH.format("stork"))
    (place.notes / os.fsdecode(b"bad\xe9.md")).write_bytes(b"\0")
    report = place.build()
    assert [one.where for one in report.problems] == ["bad\\udce9.md"]
    assert list(place.open().notes) == [
        "a", "a.json", "a.md", "a.md.json", "a\\nb.md", "a\\nb.md~", "a\u3000b.md", "caf\\udce9.md", "folder.md/in.md"
    ]  # fmt: skip
    assert not place.build().is_changed
    assert place.ask("stork", note_ids=["caf\\udce9.md"]) == ["caf\\udce9.md"]


def test_folders_that_cannot_be_walked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-05: one that may not be read is named, and so is a link that leads round in a circle."""
    place.write("good.md", PARAGRAPH.format("heron"))
    place.write("closed/a.md", PARAGRAPH.format("stork"))
    (place.notes / "round.md").symlink_to("round.md")
    (place.notes / "up").symlink_to("..", target_is_directory=True)
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    report = place.build()
    assert [one.where for one in report.problems] == ["closed", "round.md"]
    assert list(place.open().notes) == ["good.md"]
    assert not place.build().is_changed


def test_json_notes_with_hostile_contents(place: Place) -> None:
    """V-05: half a character, a name that no file can have, nested beyond reading, one line without any break."""
    place.write("half.json", r"""{"title": "\ud83d", "text": "a \ud83d\ude00 heron \udc00 stands in the water"}""")
    place.write("deep.json", "[" * 100_000)
    place.write("long.md", "x" * 200_000)
    place.write("good.md", PARAGRAPH.format("stork"))
    report = place.build(chunker=SemanticChunker(min_chars=20, max_chars=100_000))
    assert [one.where for one in report.problems] == ["deep.json"]
    assert place.open().pieces("half")[0].text == "a \U0001f600 heron \ufffd stands in the water"
    assert place.open().notes["half"].title == "\ufffd"
    ids = ["half", "\0", "x" * 300, "\ud800"]
    place.write("index.json", json.dumps([{"id": one} for one in ids]))
    report = place.build()
    assert [one.where for one in report.problems] == ["\\ud800.json", "\\x00.json", f"{'x' * 300}.json"]
    assert list(place.open().notes) == ["good.md", "half", "long.md"]


@pytest.mark.parametrize("name", [INDEX_FILE, META_FILE])
def test_a_folder_in_the_place_of_a_file(place: Place, name: str) -> None:
    place.write_many(3)
    (place.index / name).mkdir(parents=True)
    assert place.build().is_changed and len(place.open()) == 3
    assert (place.index / f"{name}.damaged").is_dir()


def test_a_full_disk_leaves_the_index_before(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write_many(2)
    place.build()
    place.embedded()
    place.write("new.md", PARAGRAPH.format("heron"))
    fsync = os.fsync

    def full(descriptor: int) -> None:
        if META_FILE in str(Path(f"/proc/self/fd/{descriptor}").readlink()):
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        place.build()
    monkeypatch.undo()
    assert len(place.embedded()) == 1 and place.ask("bird1", limit=1) == ["n0001.md"]
    assert sorted(path.name for path in place.index.iterdir()) == sorted((INDEX_FILE, META_FILE))
    assert place.build().is_changed
    assert len(place.open()) == 3


def test_json_notes_with_their_list(place: Place) -> None:
    """V-05: what the list names, without the trash; no name leads out of the folder; what is missing is named."""
    place.write("index.json", json.dumps([{"id": "a"}, {"id": "b", "trashed": True}, {"id": "../x"}, {"id": "gone"}]))
    place.write("a.json", json.dumps({"title": "Soul", "content_html": f"<h3>Aim</h3><p>{PARAGRAPH.format('a')}</p>"}))
    for name in ("b.json", "c.json", "../x.json"):
        place.write(name, json.dumps({"title": "no", "content_html": f"<p>{PARAGRAPH.format('b')}</p>"}))
    place.write("plain.md", PARAGRAPH.format("md"))
    place.write("deep/a.json", json.dumps({"title": "Deep", "text": PARAGRAPH.format("d")}))
    report = place.build()
    titles = {one: note.title for one, note in place.open().notes.items()}
    assert titles == {"a": "Soul", "deep/a": "Deep", "plain.md": "plain"}
    assert [one.where for one in report.problems] == ["gone.json"]
    assert place.open().pieces("a")[0].section_path == "Aim"


def test_no_notes_at_all(place: Place) -> None:
    """V-11: an empty folder makes an empty index, that can be asked; nothing is loaded for it."""
    model = NotesModel("m", lambda: pytest.fail("loaded"))
    assert build_index(place.notes, place.index, model, CUT, FixedClock()).is_changed
    assert not build_index(place.notes, place.index, model, CUT, FixedClock()).is_changed
    assert place.ask("heron") == []


@pytest.mark.parametrize("answer", [[], [[1.0]], [[float("nan")] * 4] * 2, [[1.0], [1.0, 2.0]], None, [["x"], ["y"]]])
def test_a_model_that_returns_no_vectors(place: Place, answer: Any) -> None:
    place.write_many(2)

    class Broken:
        def embed_documents(self, texts: list[str]) -> Any:
            return answer

    with pytest.raises(EmbeddingError, match="m returned"):
        build_index(place.notes, place.index, NotesModel("m", Broken), CUT, FixedClock())
    assert place.build().embedded == 2


def test_a_question_of_another_length(place: Place) -> None:
    place.write_many(2)
    place.build()
    for vector in ([1.0] * 63, [float("inf")] * 64):
        with pytest.raises(EmbeddingError, match="allowed: 64"):
            place.open().search(vector, limit=1)


def test_which_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-12, T-20: the host's unless the settings name one; a command makes no index that the host cannot use."""
    assert builder.model_at_terminal(tmp_path, Notes()).name == f"huggingface/{HUB_NAME}"
    written = {"model_provider": "openai", "model_name": "text-embedding-3-small"}
    (tmp_path / "embedding.json").write_text(json.dumps(written))
    with pytest.raises(StoreError, match="openai/text-embedding-3-small"):
        builder.model_at_terminal(tmp_path, Notes())
    mpnet = builder.model_at_terminal(tmp_path, Notes(embedding_model="all-mpnet-base-v2"))
    assert mpnet.name == "huggingface/sentence-transformers/all-mpnet-base-v2"
    assert builder.named_model("intfloat/e5-small").name == "huggingface/intfloat/e5-small"

    class Database:
        embedding_function = HashingEmbedder(8)
        index = faiss.IndexFlatIP(8)

    db = Database()
    found = builder.model_of_host(tmp_path, Notes(), db)
    assert (found.name, found.dimension, found.load()) == ("openai/text-embedding-3-small", 8, db.embedding_function)
    (tmp_path / "embedding.json").unlink()
    assert builder.model_of_host(tmp_path, Notes(), db).name == "HashingEmbedder"
    assert builder.model_of_host(tmp_path, Notes(embedding_model="all-mpnet-base-v2"), db).name == mpnet.name


def test_no_vector_of_an_erased_text_is_kept(place: Place) -> None:
    """T-64: the note that says it leaves the index until it is read again; the others answer meanwhile."""
    place.write_many(2)
    said = "the cellar key hangs behind the third barrel"
    place.write("said.md", f"### Cellar\n\n{said}\n\n### Coot\n{PARAGRAPH.format('coot')}")
    place.build()
    place.embedded()
    assert forget_index(place.index, Trace(("m1",), (said,)))
    assert not any(said.encode() in path.read_bytes() for path in place.index.iterdir())
    assert len(place.open()) == 2 and place.ask("bird1", limit=1) == ["n0001.md"]
    assert place.build().embedded == 2


def _alter(place: Place, change: Callable[[dict[str, Any]], object]) -> None:
    path = place.index / META_FILE
    meta = json.loads(path.read_text())
    change(meta)
    path.write_text(json.dumps(meta))


def _kill_between_the_files(place: Place) -> None:
    old = (place.index / META_FILE).read_bytes()
    place.write("new.md", PARAGRAPH.format("owl"))
    place.build()
    (place.index / META_FILE).write_bytes(old)


def _describe(data: bytes) -> Callable[[Place], object]:
    return lambda place: (place.index / META_FILE).write_bytes(data)


def _put_in_the_place_of_the_index(data: bytes) -> Callable[[Place], None]:
    """Write what is no index, and let the description fit."""

    def damage(place: Place) -> None:
        (place.index / INDEX_FILE).write_bytes(data)
        _alter(place, lambda meta: meta.update(index_sha256=hashlib.sha256(data).hexdigest()))

    return damage


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        pytest.param(_kill_between_the_files, "not of one build", id="killed between the two files"),
        *((_describe(data), META_FILE) for data in (b"", b"{", b"[]", b'{"format": 1}')),
        pytest.param(_describe(b'{"format": 2, "notes": {"a": {"text": "hunter2"}}}'), META_FILE, id="another format"),
        *(
            (_put_in_the_place_of_the_index(data), "the index of notes cannot be read")
            for data in (b"", b"no index", b"IxFI" + b"\0" * 9)
        ),
        pytest.param(
            lambda place: _alter(place, lambda meta: meta.update(dimension=65)),
            "2 vectors of 64 numbers do not fit",
            id="vectors of another length",
        ),
    ],
)
def test_a_damaged_index_is_named_and_built_anew(place: Place, damage: Callable[[Place], object], named: str) -> None:
    """V-11, V-60: said without what stands in it; nothing of it is used, and it is no reason to stop."""
    place.write_many(2)
    place.build()
    damage(place)
    with pytest.raises(StoreError, match=named) as raised:
        place.open()
    assert "hunter2" not in str(raised.value)
    assert place.build().is_changed and place.ask("bird1", limit=1) == ["n0001.md"]
    assert len(place.open().notes) == len(list(place.notes.iterdir()))


def _make_huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, _make_huge, lambda path: path.symlink_to("nowhere"), lambda path: path.write_text("{")],
    ids=["pipe", "folder", "huge", "dangling", "torn"],
)
def test_a_list_that_is_none_is_named(place: Place, make: Callable[[Path], object]) -> None:
    """V-05: it may say which notes are in the trash, so nothing is indexed without it; nobody waits for a pipe."""
    place.write("a.json", json.dumps({"text": PARAGRAPH.format("a")}))
    place.build()
    assert list(place.open().notes) == ["a"]
    place.write("b.json", json.dumps({"text": PARAGRAPH.format("b")}))
    make(place.notes / "index.json")
    with pytest.raises(NoteError, match=r"index\.json"):
        place.build()
    with pytest.raises(NoteError, match="cannot be read"):
        build_index(place.notes / "no", place.index, NotesModel("m", HashingEmbedder), CUT, FixedClock())
    assert list(place.open().notes) == ["a"]


ROOT = Path(__file__).resolve().parents[2]
LOCAL = f"huggingface/{embedding.HUB_NAME}"
needs_model = pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory folder with two notes that are indexed, and a file that is none."""
    notes = tmp_path / "default/user_notes"
    notes.mkdir(parents=True)
    (notes / "heron.md").write_text("# Heron\n\n### Deploy\n\nDeploys run on Fridays.\n")
    (notes / "taxes.md").write_text("### Receipts\n\nDue in May.\n")
    (notes / "picture.md").write_bytes(b"\0")
    model = NotesModel(LOCAL, lambda: HashingEmbedder(64))
    build_index(notes, notes.parent / INDEX_FOLDER, model, SemanticChunker(), FixedClock())
    return notes.parent


def run(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    status = cli.main(["notes", *map(str, argv)])
    return status, *capsys.readouterr()


def test_status(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """V-09, V-11: model, pieces, what has changed since, and what was left out and why; nothing is loaded."""
    (folder / "user_notes/new.md").write_text("owls")
    (folder / "user_notes/taxes.md").write_text("### Receipts\n\nDue in June.\n")
    (folder / "user_notes/heron.md").unlink()
    code, out, _ = run(capsys, "status", "--folder", folder)
    found = json.loads(out)
    assert code == 0
    assert {key: found[key] for key in ("model", "dimension", "pieces", "new", "changed", "gone")} == {
        "model": LOCAL, "dimension": 64, "pieces": 2, "new": 1, "changed": 1, "gone": 1
    }  # fmt: skip
    assert found["notes"] == {"heron.md": "Heron", "taxes.md": "taxes"}
    assert found["left_out"] == [{"file": "picture.md", "found": "binary data", "allowed": "a text in UTF-8"}]


@pytest.mark.parametrize(
    "start", [lambda *argv: cli.main(["notes", "index", *argv]), lambda *argv: load_and_index.main(argv)]
)
def test_index_without_news(folder: Path, capsys: pytest.CaptureFixture[str], start: Any) -> None:
    """V-05, V-11: the command and the module are one; the model is not loaded, what is no note is named."""
    before = (folder / INDEX_FOLDER / META_FILE).read_bytes()
    assert start("--folder", str(folder)) == 1
    out, err = capsys.readouterr()
    assert out == "2 notes unchanged: 2 pieces, 0 embedded now\n"
    assert err == "memory-ledger: left out: picture.md is binary data; allowed: a text in UTF-8\n"
    assert (folder / INDEX_FOLDER / META_FILE).read_bytes() == before
    (folder / "user_notes/picture.md").unlink()
    assert start("--folder", str(folder)) == 0


def test_the_module_runs_by_its_name(folder: Path) -> None:
    command = [sys.executable, "-m", "memory_ledger.notes.load_and_index", "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "2 notes unchanged: 2 pieces, 0 embedded now\n", done.stderr


def test_what_cannot_be_done_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv, said in (
        (("status", "--folder", tmp_path), "is missing; allowed: an index of notes"),
        (("search", "--folder", tmp_path, "x"), "is missing; allowed: an index of notes"),
        (("index", "--folder", folder, "--notes", tmp_path / "no"), "allowed: a folder of notes"),
        (("search", "--folder", folder, "x", "--note-id", "gone.md"), "no note gone.md; allowed"),
    ):
        code, out, err = run(capsys, *argv)
        assert (code, out) == (1, "") and said in err
    (folder / "embedding.json").write_text('{"model_provider": "openai", "model_name": "small"}')
    for action in (("index",), ("search", "x")):
        code, _, err = run(capsys, action[0], "--folder", folder, *action[1:])
        assert code == 1 and "openai/small" in err
    config = tmp_path / "config.json"
    config.write_text('{"notes": {"embedding_model": "all-mpnet-base-v2"}}')
    code, _, err = run(capsys, "search", "--folder", folder, "x", "--config", config)
    assert code == 1 and "asked with huggingface/sentence-transformers/all-mpnet-base-v2" in err


@pytest.mark.model
@needs_model
def test_a_model_that_is_not_there_is_named(folder: Path, tmp_path: Path, terminal: Path) -> None:
    """V-12, T-20: the setting is what is looked for; without a network that is said, and the old index stays."""
    config = tmp_path / "config.json"
    config.write_text('{"notes": {"embedding_model": "all-mpnet-base-v2"}}')
    before = (folder / INDEX_FOLDER / META_FILE).read_bytes()
    done = subprocess.run(
        [terminal / "memory-ledger", "notes", "index", "--folder", folder, "--config", config],
        env={**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "sentence-transformers/all-mpnet-base-v2: http://127.0.0.1:9 cannot be reached" in done.stderr
    assert (folder / INDEX_FOLDER / META_FILE).read_bytes() == before


def _strict(schema: Any) -> Any:
    """Return a JSON Schema by which nothing that it does not name is valid."""
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {**closed, **{key: _strict(one) for key, one in schema.items()}}


def test_schema_describes_settings_and_index(folder: Path) -> None:
    """V-09: every key of the settings group and of a real notes_meta.json, with its meaning."""
    schema = json.loads((ROOT / "config/faiss_schema.json").read_text())
    settings, described = schema["properties"]["notes"], schema["properties"]["notes_meta"]
    assert {key: one["default"] for key, one in settings["properties"].items()} == Settings().notes.model_dump(
        mode="json"
    )
    meta = json.loads((folder / INDEX_FOLDER / META_FILE).read_text())
    Draft202012Validator(_strict(described)).validate(meta)
    assert described["properties"]["index_type"]["const"] == "IndexFlatIP"
    assert set(described["required"]) == set(meta) == set(NotesMeta.model_fields)
    assert "$ref" not in json.dumps(schema)


@pytest.mark.model
@needs_model
def test_stopped_with_control_c_and_gone_on_with(tmp_path: Path, terminal: Path) -> None:
    """V-11: progress is shown, Ctrl-C ends it in order, and the next run embeds the rest only; then it is found."""
    notes = tmp_path / "default/user_notes"
    notes.mkdir(parents=True)
    for number in range(160):
        text = f"### Room {number}\n\nThe key of room {number} hangs on hook {number}.\n"
        (notes / f"n{number:03}.md").write_text(text)
    (notes / "last.md").write_text("### Tea\n\nThe kettle stands in the kitchen beside the window.\n")
    command = [sys.executable, "-m", "memory_ledger.cli", "notes", "index", "--folder", str(tmp_path / "default")]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    ) as process:
        assert process.stderr is not None
        said = [process.stderr.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate()
    assert said[:2] == ["memory-ledger: embedding: 32 of 161\n", "memory-ledger: embedding: 64 of 161\n"]
    assert process.returncode == 1 and rest.endswith(
        "stopped; what was embedded is kept, and the next run continues from there\n"
    )
    command = [str(terminal / "memory-ledger"), *command[3:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first = int(done.stderr.split(" of ", 2)[1].split()[0])
    assert 0 < first <= 161 - 64
    assert done.stdout == f"161 notes indexed: 161 pieces, {first} embedded now\n"
    search = [*command[:2], "search", *command[3:], "where is the water boiled?", "--limit", "1"]
    found = json.loads(subprocess.run(search, capture_output=True, text=True, check=True).stdout)
    assert (found["note_id"], found["section"], found["line"]) == ("last.md", "Tea", 1)
