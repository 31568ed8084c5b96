"""What must always hold has a backup of its own: whatever happens to `vault.jsonl`, `restore` brings it back (T-64)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore
from memory_ledger.store import files
from memory_ledger.vault.record import VaultRecord, write_row
from test_backup import life, recorded  # noqa: F401 - fixtures
from test_erase import erase
from test_vault_mirror import Mirrored

TEXTS = ("Answer in French", "The greenhouse opens at nine", "Invoices leave on Mondays", "Bees come first")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def fill_with_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def delete(path: Path) -> None:
    path.unlink()


DAMAGES = [empty, cut_in_half, fill_with_zeros, delete]


@pytest.fixture
def vault(tmp_path: Path) -> VaultStore:
    """Four records: one of a second version, one in a topic, one deleted."""
    vault = VaultStore(tmp_path)
    first, *_, last = [vault.add_memory(text, "shared", "other").record for text in TEXTS]
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


def test_a_line_written_by_hand_is_backed_up_with_the_next_write(
    vault: VaultStore, capsys: pytest.CaptureFixture[str]
) -> None:
    vault.file.backup.path.unlink()
    known = next(iter(said(vault).values()))
    by_hand = write_row(known) | {"text": "Answer in Danish"}
    with vault.file.path.open("a") as stream:
        stream.write(json.dumps(by_hand) + "\n")
    before = said(vault) | {vault.add_memory("Otters hold hands", "shared", "other").record.id: None}
    empty(vault.file.path)
    restore(vault, capsys)
    assert said(vault).keys() == before.keys() and said(vault)[known.id].text == "Answer in Danish"


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
    gone, path = mirrored.ids[0], mirrored.vault.file.backup.path
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


def test_damaged_lines_stay_unless_they_go_themselves(vault: VaultStore) -> None:
    """C-75, T-64: through a compaction and an erasing; only what is asked for is left out."""
    path, (first, *_) = vault.file.backup.path, said(vault)
    with path.open("ab") as stream:
        stream.write(f'{{"torn": "other\n{{"torn": "{first}\n'.encode())
    vault.compact()
    assert path.read_bytes().count(b"torn") == 2
    vault.file.drop(lambda line, row: first.encode() in line)
    assert first not in path.read_text() and '{"torn": "other\n' in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_only_its_owner_reads_it(vault: VaultStore) -> None:
    """V-17: it is as private as the other backup."""
    path = vault.file.path.parent / files.VAULT_BACKUP_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    path.with_name("index.pkl").touch(0o664)  # whatever the host's index allows
    path.unlink()
    vault.add_memory("Otters hold hands", "shared", "other")
    assert path.stat().st_mode & 0o777 == 0o600
    vault.compact()
    assert path.stat().st_mode & 0o777 == 0o600
