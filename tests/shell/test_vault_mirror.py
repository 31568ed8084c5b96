"""The vault's mirror in a store, and its backup: searched, lost, damaged, erased, restored (V-03 ... V-62, T-64)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memory_ledger import cli
from memory_ledger.host.maintenance.duplicates import deduplicate
from memory_ledger.host.tools.loaded import mark_blocks
from memory_ledger.host.vault.folder_vault import FAISSMemory
from memory_ledger.host.vault.vault_store import VaultStore, Written, build_memory_block
from memory_ledger.ledger.changes import Archive, Forget, Outdate, Supersede, Suspend
from memory_ledger.setting_groups import Vault
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.erase import Trace
from memory_ledger.store.restore import OrderHandler
from memory_ledger.vault.record import VaultRecord, write_row
from test_backup import Life, life, recorded  # noqa: F401 - fixtures
from test_erase import erase
from test_maintenance import make_job

TEXTS = ("The greenhouse opens at nine", "Bees dance at noon", "Whales sing at night in June")


class Mirrored:
    """A box with a vault of three records, mirrored."""

    def __init__(self, box: Any) -> None:
        self.box = box
        settings = Vault(similarity_threshold=0.0)
        self.vault = VaultStore(box.folder, settings, scopes=("astraea",), clock=box.clock)
        self.ids = [self.vault.add_memory(text, "shared", "other").record.id for text in TEXTS]
        self.open()

    def open(self) -> None:
        self.mirror = FAISSMemory(self.box.store, self.vault.file, type(self.box.memory))

    def add(self, text: str, scope: str, category: str = "other", **fields: str) -> Written:
        return self.mirror.add(self.vault, text, scope, category, **fields)

    def search(self, query: str, scopes: str) -> dict[str, float]:
        return self.mirror.search(query, scopes, least=self.vault.settings.similarity_threshold)

    def restart(self) -> None:
        self.box.restart()
        self.open()


@pytest.fixture
def mirrored(box: Any) -> Mirrored:
    found = Mirrored(box)
    assert found.mirror.run() == 3
    return found


def test_the_vault_is_searched_by_meaning(mirrored: Mirrored) -> None:
    """V-03, V-10, V-63: add, update, delete, search; the floor is a cosine, and holds for these hits only."""
    search, ids = mirrored.search, mirrored.ids
    assert next(iter(search(TEXTS[1], "shared").items())) == (ids[1], pytest.approx(1.0, abs=1e-5))
    assert search(TEXTS[1], "astraea") == {}
    asked, of_two = (mirrored.box.embedder.vector(one) for one in (TEXTS[0], TEXTS[2]))
    product = sum(one * other for one, other in zip(asked, of_two, strict=True))
    assert search(TEXTS[0], "shared")[ids[2]] == pytest.approx(product, abs=1e-5)
    mirrored.vault.settings = Vault()  # the floor is 0.85
    assert [*search(TEXTS[1], "shared")] == [ids[1]]
    done = mirrored.add("Otters hold hands", "astraea", "other", source="operator")
    assert done and [*search("Otters hold hands", "astraea")] == [done.record.id]
    assert mirrored.add("heartbeat", "shared", "other").rejection.step == 1
    mirrored.mirror.update(mirrored.vault, ids[1], text="Bees sleep in winter")
    assert [*search("Bees sleep in winter", "shared")] == [ids[1]]
    mirrored.mirror.delete(mirrored.vault, ids[1])
    assert search("Bees sleep in winter", "shared") == {}
    near = search(TEXTS[0], "shared")
    assert TEXTS[0] in build_memory_block(mirrored.vault, "shared", "unrelated words", similarities=near)


def test_a_lost_index_is_made_anew_with_the_same_results(mirrored: Mirrored) -> None:
    """V-60: nothing of it was saved; after the rebuild every search answers as before."""
    asked = ("noon", "sing", TEXTS[0])
    before = [mirrored.search(one, "shared") for one in asked]
    mirrored.restart()
    assert mirrored.box.docs == {}
    assert mirrored.mirror.run() == 3
    assert [mirrored.search(one, "shared") for one in asked] == before != [{}] * 3
    assert mirrored.mirror.run() == 0


def test_what_was_saved_is_not_embedded_again(mirrored: Mirrored) -> None:
    """V-60: after a restart with a saved index there is nothing to do, and a compaction takes deleted ones away."""
    mirrored.box.restart(is_saved=True)
    mirrored.open()
    assert not mirrored.mirror.differences()
    mirrored.vault.delete_memory(mirrored.ids[0])
    mirrored.vault.compact()
    assert mirrored.mirror.run() == 1 and set(mirrored.box.docs) == set(mirrored.ids[1:])


def test_a_failing_model_costs_nothing(mirrored: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-18: the old document stays until its successor has a vector."""
    mirrored.vault.update_memory(mirrored.ids[0], text="The greenhouse opens at ten")
    monkeypatch.setattr(type(mirrored.box.embedder), "embed_documents", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        mirrored.mirror.run()
    assert mirrored.box.docs[mirrored.ids[0]].page_content == TEXTS[0]
    monkeypatch.undo()
    assert mirrored.mirror.run() == 1


def test_a_document_that_only_says_it_is_a_record_is_none(mirrored: Mirrored) -> None:
    """T-69: a model can write any metadata; it makes nothing a record, and nothing of it is deleted for that."""
    forged = mirrored.box.insert("Otters hold hands", vault_id=mirrored.ids[0], vault_version=7)
    assert mirrored.mirror.run() == 0 and forged in mirrored.box.docs
    assert forged not in mirrored.box.store.mirrored
    own = mirrored.box.memory.insert("Otters sleep on their backs", {"vault_id": "forged"}, memory_id="forged")
    mirrored.vault.delete_memory(mirrored.ids[2])
    assert mirrored.mirror.run() == 1 and {forged, own} <= set(mirrored.box.docs)


def test_an_access_goes_on_being_counted(mirrored: Mirrored) -> None:
    mirrored.box.store.count_accesses([mirrored.ids[0]])
    mirrored.vault.update_memory(mirrored.ids[0], text="The greenhouse opens at ten")
    assert mirrored.mirror.run() == 1
    memory = mirrored.box.read(mirrored.ids[0])
    assert memory.lineage.access_count == 1 and memory.text == "The greenhouse opens at ten"


def test_duplicates_of_a_record_are_left_to_the_gate(mirrored: Mirrored) -> None:
    """T-24: neither a record nor a memory of the same text is retired as the other's duplicate."""
    same = mirrored.box.insert(TEXTS[0])
    twins = [mirrored.box.insert("Otters hold hands") for _ in range(2)]
    mirrored.box.classify(same, *twins, source="agent_inferred", validity="inferred")
    mirrored.box.store.end_first_look()
    settings = Settings(retire_existing=True)
    report = deduplicate(make_job(mirrored.box, settings, cycle=1))
    assert report.retired == 1
    assert mirrored.box.validity(same) == "inferred" and mirrored.box.validity(mirrored.ids[0]) == "confirmed"


def test_another_agents_record_settles_nothing(mirrored: Mirrored) -> None:
    """V-62: a memory that everybody sees is compared with shared records, not with those of one agent."""
    mirrored.mirror.add(
        mirrored.vault, "The staging server listens on port 8080", "astraea", "project", source="operator"
    )
    mirrored.add("The mail server listens on port 25", "shared", "project", source="operator")
    mirrored.box.adopt()
    mirrored.box.store.end_first_look()
    for text in ("The staging server listens on port 9090", "The mail server listens on port 26"):
        mirrored.box.insert(text)
    mirrored.box.adopt()
    pairs = [set(one.memories) for one in mirrored.box.store.conflicts.get_conflicts()]
    private = mirrored.vault.list_active("astraea")[0].id
    assert len(pairs) == 1 and private not in pairs[0]


def test_what_the_user_says_against_a_record_is_put_to_a_person(mirrored: Mirrored) -> None:
    """T-18, C-96: the vault alone changes what it holds; the later word of the user is not lost, both are on record."""
    box = mirrored.box
    record = mirrored.mirror.add(
        mirrored.vault, "The mail server listens on port 25", "shared", "project", source="operator"
    ).record
    box.adopt()
    box.store.end_first_look()
    box.clock.advance(days=1)
    box.say("The mail server listens on port 26.")
    users = box.learn("The mail server listens on port 26")
    assert [set(one.memories) for one in box.store.conflicts.get_open()] == [{record.id, users}]
    assert (box.validity(record.id), box.validity(users)) == ("confirmed", "confirmed")


def test_a_deleted_record_that_comes_back_goes_again(mirrored: Mirrored) -> None:
    """T-18: a document out of a backup, of a record that the file has deleted, is nobody's and is taken away."""
    private = mirrored.add("Otters hold hands", "astraea", "other").record.id
    documents = {one: dict(mirrored.box.docs[one].metadata) for one in (private, mirrored.ids[0])}
    mirrored.mirror.delete(mirrored.vault, mirrored.ids[0])
    mirrored.box.memory.insert(TEXTS[0], documents[mirrored.ids[0]], memory_id=mirrored.ids[0])
    assert mirrored.mirror.differences().remove == [mirrored.ids[0]]
    assert mirrored.ids[0] in mirrored.box.store.hidden_from(("shared", "astraea"))
    assert mirrored.mirror.run() == 1 and mirrored.ids[0] not in mirrored.box.docs
    mirrored.mirror.delete(mirrored.vault, private)
    mirrored.vault.file.path.unlink()
    mirrored.mirror.run()
    mirrored.box.memory.insert("Otters hold hands", documents[private], memory_id=private)
    assert mirrored.mirror.run() == 0 and private in mirrored.box.docs
    assert private in mirrored.box.store.hidden_from(("shared",))


def test_a_damaged_file_takes_no_memory_away(mirrored: Mirrored) -> None:
    """V-59: a record whose line cannot be read stays among the memories, and is named once."""
    path = mirrored.vault.file.path
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(f"{lines[0][:40]}\n{''.join(lines[1:])}", "utf-8")
    assert mirrored.mirror.run() == 0 and mirrored.ids[0] in mirrored.box.docs
    [problem] = mirrored.box.store.problems.take(ProblemKind.VAULT)
    assert mirrored.ids[0] in problem.where and "missing or damaged" in problem.found
    path.write_text("".join(lines[1:]), "utf-8")
    assert mirrored.mirror.run() == 1 and mirrored.ids[0] not in mirrored.box.docs


def test_what_is_left_over_is_shown_to_nobody_else(mirrored: Mirrored) -> None:
    """V-52, V-62: a document without its line is its own agent's; one whose record was deleted is nobody's."""
    private = mirrored.add("Otters hold hands", "astraea", "other").record.id
    mirrored.vault.delete_memory(mirrored.ids[0])  # while the vault is switched off: nothing is mirrored
    mirrored.box.restart(is_saved=True)
    mirrored.open()
    mirrored.mirror.look()
    assert mirrored.box.store.hidden_from(("shared",)) == {private, mirrored.ids[0]}
    assert mirrored.box.store.hidden_from(("shared", "astraea")) == {mirrored.ids[0]}
    assert mirrored.box.store.hidden_from(None) == set()
    mirrored.vault.file.path.unlink()
    mirrored.mirror.look()
    assert mirrored.box.store.hidden_from(("shared",)) == {private}
    assert mirrored.mirror.run() == 0 and private in mirrored.box.docs


@pytest.mark.usefixtures("recorded")
def test_an_erased_record_is_gone_with_all_its_versions(life: Life) -> None:  # noqa: F811
    """T-64: no earlier version holds again, no mirror brings it back, and it is in no file any more."""
    mirrored = Mirrored(life.box)
    mirrored.vault.update_memory(mirrored.ids[0], text="The greenhouse opens at ten")
    mirrored.mirror.run()
    words = erase(life, mirrored.ids[0])
    assert "vault.jsonl 2" in words and "no file of the folder holds it any more" in words
    assert mirrored.mirror.run() == 0
    assert set(mirrored.box.docs) == set(mirrored.ids[1:])
    assert [one.id for one in mirrored.vault.list_active()] == mirrored.ids[1:]
    assert "greenhouse" not in mirrored.vault.file.path.read_text("utf-8")


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("rewrite", ["erase", "compact"])
def test_a_damaged_record_outlives_the_rewriting_of_its_file(life: Life, rewrite: str) -> None:  # noqa: F811
    """V-59, T-64: what another memory is erased for, or a compaction, takes away neither its line nor its memory."""
    mirrored = Mirrored(life.box)
    mirrored.mirror.run()
    other = life.box.insert("Otters hold hands")
    path = mirrored.vault.file.path
    whole = path.read_bytes()
    damaged = whole.replace(b'"id":', b'"id"', 1)
    path.write_bytes(damaged)
    for memory_id in (other, mirrored.ids[1]) if rewrite == "erase" else ():
        erase(life, memory_id)
    if rewrite == "compact":
        mirrored.vault.compact()
    assert damaged.splitlines()[0] in path.read_bytes().splitlines()
    assert mirrored.mirror.run() == 0 and mirrored.ids[0] in mirrored.box.docs
    path.write_bytes(path.read_bytes().replace(b'"id"', b'"id":').replace(b'"id"::', b'"id":'))
    assert mirrored.vault.get(mirrored.ids[0]).text == TEXTS[0]


@pytest.mark.usefixtures("recorded")
def test_a_damaged_line_of_what_is_erased_goes_as_well(life: Life) -> None:  # noqa: F811
    """T-64: whatever a line holds, if it gives the memory away; an id that is none stops nothing."""
    mirrored = Mirrored(life.box)
    mirrored.mirror.run()
    with mirrored.vault.file.path.open("a") as stream:
        stream.write(f'{{"id":"{mirrored.ids[0]}","te\n{{"id":["x"],"text":"{TEXTS[0]}"}}\n{{"id":["y"]}}\n')
    words = erase(life, mirrored.ids[0])
    assert "vault.jsonl 3" in words and "no file of the folder holds it any more" in words
    assert '{"id":["y"]}' in mirrored.vault.file.path.read_text("utf-8").splitlines()


@pytest.mark.usefixtures("recorded")
def test_every_version_of_a_record_is_forgotten(life: Life) -> None:  # noqa: F811
    """T-64: what was said of an earlier version as well, of a record that was never mirrored too.

    A record that says what an earlier version said is another one, and stays.
    """
    mirrored = Mirrored(life.box)
    asked: list[Trace] = []
    life.orders = OrderHandler(life.backup, lambda trace: asked.append(trace) or {})
    mirrored.vault.update_memory(mirrored.ids[0], text="The greenhouse opens at ten")
    twin = mirrored.vault.add_memory(TEXTS[0], "astraea", "other").record
    with mirrored.vault.file.path.open("a") as stream:  # by hand, past the gate
        stream.write('{"id":"bbbbbbbbbbbb","text":"The greenhouse opens at ten","scope":"astraea"}\n')
    assert mirrored.vault.get("b" * 12) is not None
    assert "still in vault.jsonl" in erase(life, mirrored.ids[0])
    assert mirrored.vault.get("b" * 12) is None
    assert {trace.texts for trace in asked} == {tuple(sorted((TEXTS[0], "The greenhouse opens at ten")))}
    assert mirrored.vault.get(mirrored.ids[0]) is None and mirrored.vault.get(twin.id) == twin


@pytest.mark.usefixtures("recorded")
def test_a_memory_of_the_same_words_takes_its_record_along(life: Life) -> None:  # noqa: F811
    """T-64: a record that says the same and nothing else goes too; one that says more is named."""
    mirrored = Mirrored(life.box)
    mirrored.mirror.run()
    twin, part = life.box.insert(TEXTS[1]), life.box.insert("Whales sing at night")
    assert "vault.jsonl 1" in erase(life, twin)
    assert mirrored.vault.get(mirrored.ids[1]) is None
    assert "still in" in erase(life, part) and mirrored.vault.get(mirrored.ids[2]) is not None


RECORDS = ("Answer in French", "The greenhouse opens at nine", "Invoices leave on Mondays", "Bees come first")


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES = [
    pytest.param(empty, id="empty"),
    pytest.param(lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), id="cut in half"),
    pytest.param(lambda path: path.write_bytes(bytes(path.stat().st_size)), id="zeros"),
    pytest.param(Path.unlink, id="deleted"),
]


@pytest.fixture
def vault(tmp_path: Path) -> VaultStore:
    """Four records: one of a second version, one in a topic, one deleted."""
    vault = VaultStore(tmp_path)
    first, *_, last = [vault.add_memory(text, "shared", "other").record for text in RECORDS]
    vault.add_memory("Blue paint is ordered", "shared", "project", tier="register", topic_id="paint")
    vault.update_memory(first.id, text="Answer in Greek")
    vault.delete_memory(last.id)
    return vault


def restore(vault: VaultStore, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, str]]:
    capsys.readouterr()
    assert cli.main(["restore", "--folder", str(vault.file.path.parent), *options]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def said(vault: VaultStore) -> dict[str, VaultRecord]:
    return {one.id: one for one in VaultStore(vault.file.path.parent).list_active()}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_the_file_lost_comes_back(
    vault: VaultStore, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """V-17, V-18, T-64: as it was, by hand only; a dry run lists it, what was deleted stays so, twice is as once."""
    before, at_rest = said(vault), vault.file.path.read_bytes()
    assert restore(vault, capsys, "--dry-run") == []
    damage(vault.file.path)
    damaged = vault.file.path.read_bytes() if vault.file.path.exists() else None
    listed = restore(vault, capsys, "--dry-run")
    assert {"id", "text", "vault"} == listed[0].keys() and "Answer in Greek" in {one["text"] for one in listed}
    assert damaged == (vault.file.path.read_bytes() if vault.file.path.exists() else None) != at_rest
    for _ in range(2):
        restore(vault, capsys)
        assert said(vault) == before
    assert restore(vault, capsys, "--dry-run") == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_damage_is_not_copied(
    vault: VaultStore, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """V-34, T-64: neither a write nor a compaction that comes before anybody has noticed."""
    before = said(vault)
    damage(vault.file.path)
    vault = VaultStore(vault.file.path.parent)
    new = vault.add_memory("Otters hold hands", "shared", "other").record
    vault.compact()
    restore(vault, capsys)
    assert said(vault) == {**before, new.id: new}


@pytest.mark.parametrize("has_copy", [True, False])
def test_a_line_written_by_hand_is_kept_with_the_next_write(
    vault: VaultStore, has_copy: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """V-17: also another text under the version that is known."""
    if not has_copy:
        (vault.file.path.parent / files.DATABASE_FILE).unlink()
    known = next(iter(said(vault).values()))
    by_hand = write_row(known) | {"text": "Answer in Danish"}
    with vault.file.path.open("a") as stream:
        stream.write(json.dumps(by_hand) + "\n")
    before = said(vault) | {vault.add_memory("Otters hold hands", "shared", "other").record.id: None}
    empty(vault.file.path)
    restore(vault, capsys)
    assert said(vault).keys() == before.keys() and said(vault)[known.id].text == "Answer in Danish"


def test_the_copy_of_an_earlier_version_is_taken_over(vault: VaultStore, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64: what the file had lost before the update comes back, and the older file goes with the next write."""
    before, folder = said(vault), vault.file.path.parent
    vault.file.path.rename(folder / "vault_backup.jsonl")
    (folder / files.DATABASE_FILE).unlink()
    assert len(restore(vault, capsys, "--dry-run")) == len(before) and (folder / "vault_backup.jsonl").exists()
    restore(vault, capsys)
    assert said(vault) == before
    vault.add_memory("Otters hold hands", "shared", "other")
    assert not (folder / "vault_backup.jsonl").exists()


def test_one_record_comes_back_and_the_others_are_forgotten(
    vault: VaultStore, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = said(vault)
    empty(vault.file.path)
    restore(vault, capsys, "--id", first)
    assert list(said(vault)) == [first]
    restore(vault, capsys, "--dismiss", "--dry-run")
    assert len(restore(vault, capsys, "--dry-run")) == len(others)
    restore(vault, capsys, "--dismiss")
    assert restore(vault, capsys, "--dry-run") == [] and list(said(vault)) == [first]
    assert cli.main(["restore", "--folder", str(vault.file.path.parent), "--id", others[0]]) == 1


def test_a_deletion_holds_where_its_line_is_lost(vault: VaultStore, capsys: pytest.CaptureFixture[str]) -> None:
    """V-31: what a cut has made active again goes once more."""
    before, whole = said(vault), vault.file.path.read_bytes()
    vault.file.path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    assert len(said(vault)) == len(before) + 1
    assert [one["vault"] for one in restore(vault, capsys, "--dry-run")] == ["deleted"]
    restore(vault, capsys)
    assert said(vault) == before


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("is_lost", [False, True])
def test_what_was_erased_does_not_come_back(life, is_lost, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    """T-64: neither from the backup nor from an older copy of it; also what the vault had lost before."""
    mirrored = Mirrored(life.box)
    mirrored.mirror.run()
    gone, path = mirrored.ids[0], mirrored.vault.file.path.with_name(files.DATABASE_FILE)
    text, older = mirrored.vault.get(gone).text, path.read_bytes()
    if is_lost:
        empty(mirrored.vault.file.path)
    assert "no file of the folder holds it any more" in erase(life, gone)
    assert text.encode() not in path.read_bytes()
    path.write_bytes(older)
    empty(mirrored.vault.file.path)
    assert gone not in {one["id"] for one in restore(mirrored.vault, capsys, "--dry-run")}
    restore(mirrored.vault, capsys)
    assert said(mirrored.vault).keys() == {*mirrored.ids} - {gone}


@pytest.mark.parametrize("kind", [Supersede, Outdate, Archive, Suspend, Forget], ids=lambda one: one.__name__)
def test_no_change_retires_a_record(mirrored: Mirrored, kind: type) -> None:
    """T-18, V-59: whatever the rest of the pack wants of a record, it stays as it is; others are treated as ever."""
    other = mirrored.box.insert("Otters hold hands")
    mirrored.box.classify(other)
    record, now = mirrored.ids[0], mirrored.box.clock()

    def make(memory_id: str) -> Any:
        winner = {"winner_id": other if memory_id == record else record, "at": now, "rule": "C-41"}
        return {
            Supersede: lambda: Supersede(loser_id=memory_id, cycle=1, **winner),
            Outdate: lambda: Outdate(memory_id=memory_id, parts=("at",), **winner),
            Archive: lambda: Archive(memory_id=memory_id, at=now, cycle=1, touched_cycle=0, is_stale=True),
            Suspend: lambda: Suspend(memory_id=memory_id, at=now, cycle=1),
            Forget: lambda: Forget(memory_id=memory_id, at=now),
        }[kind]()

    before = dict(mirrored.box.docs[record].metadata)
    assert mirrored.box.store.apply([make(record)]) == 0
    assert mirrored.box.docs[record].metadata == before
    if kind is not Suspend:
        assert mirrored.box.store.apply([make(other)]) == 1


def test_what_memory_load_shows_of_other_scopes(mirrored: Mirrored) -> None:
    """V-62: the host's own search finds every document; of another agent's record nothing is shown."""

    class Printer:
        @staticmethod
        def format_docs_plain(documents: list[Any]) -> list[str]:
            return [f"id: {one.metadata.get('id')}\nContent: {one.page_content}" for one in documents]

    private = mirrored.add("Otters hold hands", "astraea", "other").record.id
    documents = [mirrored.box.docs[private], mirrored.box.docs[mirrored.ids[0]]]
    text = "\n\n".join(Printer.format_docs_plain(documents))
    shown = mark_blocks(text, mirrored.box.store, Printer, ("shared",))
    assert "Otters" not in shown and TEXTS[0] in shown
    assert "Otters" in mark_blocks(text, mirrored.box.store, Printer, ("shared", "astraea"))


@pytest.mark.parametrize("axis", ["validity", "relevance", "utility", "source"])
def test_every_axis_is_put_back(mirrored: Mirrored, axis: str) -> None:
    """T-18: the status that the file gives, with the seal as it was; scores of the earlier status go."""
    metadata = mirrored.box.docs[mirrored.ids[0]].metadata
    right = metadata["classification"]
    metadata["classification"] = {**right, axis: "other"}
    metadata["quality"] = {"stale": True}
    assert mirrored.mirror.run() == 1
    assert mirrored.box.docs[mirrored.ids[0]].metadata["classification"] == right
    assert "quality" not in mirrored.box.docs[mirrored.ids[0]].metadata
