"""A memory folder is looked at and nothing in it is run, whatever its `index.pkl` asks for (T-69)."""

from __future__ import annotations

import datetime
import os
import pickle
import shutil
from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from command_desk import Desk
from command_table import TABLE
from fake_host import FixedClock, HashingEmbedder
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_core.documents import Document
from memory_ledger.errors import StoreError
from memory_ledger.host.installation import strip_metadata
from memory_ledger.store import docstore_file
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.embedded import EmbeddedMemory

MARK = "somebody-was-here"


class Runs:
    """Runs a command when it is unpickled, as anybody can have it."""

    def __init__(self, call: Any = os.system, *given: Any) -> None:
        self._made = call, given or (f"touch {MARK}",)

    def __reduce__(self) -> Any:
        return self._made


def saved(metadata: dict[str, Any], text: Any = "The shed is blue") -> bytes:
    document = Document.model_construct(id="m1", page_content=text, metadata=metadata)
    return pickle.dumps((InMemoryDocstore({"m1": document}), {0: "m1"}))


def calls(module: str, name: str, argument: str) -> bytes:
    """Return a pickle that calls a function, in the oldest form."""
    return f"c{module}\n{name}\n(S'{argument}'\ntR.".encode()


def _in_class(name: bytes) -> bytes:
    """Return a pickle that sets an attribute of one of the classes that a file may ask for."""
    return b"c" + name.replace(b" ", b"\n") + b"\n(N(dS'__new__'\nS'x'\nstb."


#: What is read instead of run, each with a word of the sentence that names it.
HOSTILE: dict[str, tuple[bytes, str]] = {
    "instead of a store": (pickle.dumps(Runs()), "posix.system"),
    "in the metadata": (saved({"note": Runs()}), "posix.system"),
    "deep in the metadata": (saved({"a": [{"b": (Runs(),)}]}), "posix.system"),
    "as a text": (saved({}, Runs()), "posix.system"),
    "as a key": (saved({"note": {Runs(): 1}}), "posix.system"),
    "as the store": (pickle.dumps((Runs(), {})), "posix.system"),
    "as the positions": (pickle.dumps((InMemoryDocstore({}), Runs())), "posix.system"),
    "behind the store": (pickle.dumps((InMemoryDocstore({}), {}, Runs())), "posix.system"),
    "eval": (saved({"note": Runs(eval, "1 + 1")}), "builtins.eval"),
    "exec in the oldest form": (calls("builtins", "exec", f"open('{MARK}', 'w')"), "builtins.exec"),
    "python 2": (calls("__builtin__", "eval", "1"), "eval"),
    "getattr": (saved({"note": Runs(getattr, SimpleNamespace(a=1), "a")}), "asks for"),
    "a class of this pack": (calls("pathlib", "Path.write_text", MARK), "pathlib.Path"),
    "a name with dots": (b"\x80\x04\x8c\x08datetime\x8c\x0fsys.modules.get\x93.", "datetime.sys.modules.get"),
    "an import alone": (b"cantigravity\nfly\n.", "antigravity.fly"),
    "a class by its name": (calls("subprocess", "Popen", "true"), "subprocess.Popen"),
    "an object of old": (f"(S'touch {MARK}'\nios\nsystem\n.".encode(), "os.system"),
    "an array": (saved({"note": np.array([1.0])}), "numpy"),
    "an array of objects": (saved({"note": np.array([Runs()], dtype=object)}), "numpy"),
    "a foreign class": (saved({"note": OrderedDict(a=1)}), "collections.OrderedDict"),
    "a registered code": (b"\x82\x01.", "unregistered"),
    "a persistent name": (b"Psomebody\n.", "persistent"),
    "a class changed": (_in_class(b"langchain_core.documents.base Document"), "cannot be read"),
    "a docstore changed": (_in_class(b"langchain_community.docstore.in_memory InMemoryDocstore"), "cannot be read"),
    "a number changed": (_in_class(b"numpy._core.multiarray scalar"), "cannot be read"),
    "a time changed": (_in_class(b"datetime datetime"), "cannot be read"),
    "nothing": (b"", "is empty"),
    "cut off": (saved({})[:-20], "cannot be read"),
    "a list": (pickle.dumps([1, 2]), "cannot be read"),
    "other documents": (pickle.dumps((InMemoryDocstore({"m1": "text"}), {})), "cannot be read"),
    "texts that are none": (saved({}, 7), "cannot be read"),
    "other places": (pickle.dumps((InMemoryDocstore({}), {"0": ["m1"]})), "cannot be read"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_host_writes_is_named_and_not_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-69: by every reader of the pack, and what is there afterwards is as it was before."""
    monkeypatch.setattr(docstore_file, "_PAUSE", 0)
    monkeypatch.chdir(tmp_path)
    data, said = HOSTILE[name]
    (tmp_path / "index.pkl").write_bytes(data)
    classes = {one: dict(vars(one)) for one in docstore_file._READ_AS.values()}
    for read in (read_docstore, strip_metadata):
        with pytest.raises(StoreError, match="; allowed: a docstore that Agent Zero wrote") as found:
            read(tmp_path)
        assert said in str(found.value) and len(str(found.value)) < 500
    with pytest.raises(StoreError):
        EmbeddedMemory(tmp_path, HashingEmbedder(8), clock=FixedClock())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"index.pkl": data}
    assert {one: dict(vars(one)) for one in docstore_file._READ_AS.values()} == classes


#: The commands that read the index.
READING = (
    "list", "stats", "status", "show", "doctor", "quality", "validate", "scan", "export", "erase", "strip", "repair",
    "copy", "move", "restore", "ask", "history", "rules", "link", "unlink", "refresh",
    "resolve", "undo", "archive-stale",
)  # fmt: skip


@pytest.mark.parametrize("name", READING)
def test_no_command_runs_what_lies_in_a_folder(name: str, desk: Desk) -> None:
    """T-69: named with `--folder`, and standing in it; it says why, and changes nothing; erase looks further."""
    case = TABLE[name]
    for arguments in ("--folder bad", "--folder ." if name == "scan" else ""):
        desk.clear(case)
        bad = desk.home / "bad"
        shutil.copytree(desk.home / "usr/memory/default", bad)
        (bad / "index.pkl").write_bytes(HOSTILE["in the metadata"][0])
        home, before = desk.home, desk.files()
        desk.home = home if arguments.endswith("bad") else bad
        given = case.good if case.on_folder is None else case.on_folder
        ended = desk.run(name, f"{given} {arguments}", on_terminal=False)
        desk.home = home
        desk.check(ended, int(name != "erase"), on_terminal=False)  # which the backup tells of
        assert "it asks for 'posix.system'; nothing of it was run" in ended.said
        assert desk.files() == before and not Path(MARK).exists()


def test_what_hosts_write_is_read(tmp_path: Path) -> None:
    """T-69, contract 4: numpy's likeness up to v2.4, the area of v0.9.7, times, and what JSON knows; strip keeps it."""
    at = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
    plain = {"a": {"b": [1, 2.5, None, True, 2**80]}, "t": (1, 2), "at": at, "day": at.date(), "s": {1}, "by": b"x"}
    numbers = {str(one): one(1) for one in (np.float32, np.float64, np.float16, np.int64, np.uint8, np.bool_)}
    data = saved({**plain, **numbers, "lineage": {}, "area": "AREA"})
    area = b"\x8c\x15python.helpers.memory\x8c\x0bMemory.Area\x93\x8c\x04main\x85R"
    (tmp_path / "index.pkl").write_bytes(b"\x80\x04" + data[11:].replace(b"\x8c\x04AREA", area))
    expected = {**plain, **dict.fromkeys(numbers, 1), "lineage": {}, "area": "main"}
    assert read_docstore(tmp_path)[1]["m1"].metadata == expected
    assert strip_metadata(tmp_path) == (1, 1)
    by_host, positions = pickle.loads((tmp_path / "index.pkl").read_bytes())
    del expected["lineage"]
    assert (by_host._dict["m1"].metadata, by_host._dict["m1"].id, positions) == (expected, "m1", {0: "m1"})
