"""One process that has loaded what is slow to load, and is forked for each `memory-ledger` that a test types.

Loading the model's libraries takes nine seconds of a processor. They, and what others have written, are loaded once for
all tests of a run; of the pack itself no more than its command line, so that a command imports what it needs in the
same order as always. A folder for the `PATH` holds the client, which hands over its arguments, place, environment and
streams, and ends as the command does.

    python terminal.py SOCKET
"""

from __future__ import annotations

import ast
import atexit
import fcntl
import gc
import importlib
import io
import os
import selectors
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

_LIBRARIES = ("numpy", "faiss", "pydantic", "langchain_core.embeddings", "langchain_core.documents", "yaml")
_KEEP = b"keep"
_MOST_BYTES = 1 << 20
_LOOK_SECONDS = 0.005
_CLIENT = """#!{python} -IS
import os, socket, sys
link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
link.connect({address!r})
asked = repr((sys.argv[1:], os.getcwd(), dict(os.environ))).encode()
link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {most})
socket.send_fds(link, [asked], [0, 1, 2])
sys.exit(int(link.recv(16)))
"""


@contextmanager
def open_terminal(folder: Path) -> Iterator[Path]:
    """Yield a folder for the `PATH` with a `memory-ledger` in it; the process behind it is that of the whole run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    address = str(Path(tempfile.gettempdir()) / f"memory-ledger-{run}.sock")
    client = folder / "memory-ledger"
    client.write_text(_CLIENT.format(python=sys.executable, address=address, most=_MOST_BYTES), "utf-8")
    client.chmod(client.stat().st_mode | stat.S_IXUSR)
    with _connect(address) as link:
        link.send(_KEEP)
        yield folder


def _connect(address: str) -> socket.socket:
    """Return a connection to the process of this run, which the first test that needs it starts."""
    with Path(f"{address}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            link.connect(address)
        except OSError:
            Path(address).unlink(missing_ok=True)
            _start(address)
            link.connect(address)
        return link


def _start(address: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", __file__, address],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n", "the process for the commands did not start"
    server.stdout.close()
    server.returncode = 0  # it ends when the last test of the run lets go of it; nobody waits


def _load() -> None:
    for name in _LIBRARIES:
        importlib.import_module(name)
    minilm = importlib.import_module("memory_ledger.store.embedding")
    if minilm.is_installed():
        model, weights = minilm.load_minilm(threads=1)._model, str(minilm.packaged_weights())
        library = importlib.import_module("sentence_transformers")
        make = library.SentenceTransformer
        library.SentenceTransformer = lambda name, **options: model if name == weights else make(name, **options)
    for name in [one for one in sys.modules if one.partition(".")[0] == "memory_ledger"]:
        del sys.modules[name]
    importlib.import_module("memory_ledger.cli")


def _serve(address: str) -> NoReturn:
    """Fork for each command until the last of those who keep this process has gone."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen(64)
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    running: dict[int, socket.socket] = {}
    keepers = 0
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    os.dup2(0, 1)  # nobody reads on
    while True:
        for key, _ in selector.select(_LOOK_SECONDS if running else None):
            if key.fileobj is not listener:  # a keeper has gone
                selector.unregister(key.fileobj)
                keepers -= 1
                if not keepers:
                    for name in (address, f"{address}.lock"):
                        Path(name).unlink(missing_ok=True)
                    os._exit(0)
                continue
            link, _ = listener.accept()
            asked, descriptors, *_ = socket.recv_fds(link, _MOST_BYTES, 3)
            if asked == _KEEP:
                selector.register(link, selectors.EVENT_READ)
                keepers += 1
                continue
            child = os.fork()
            if child == 0:
                _become(asked, descriptors)
                _run()
            for one in descriptors:
                os.close(one)
            running[child] = link
        _reap(running)


def _reap(running: dict[int, socket.socket]) -> None:
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with running.pop(child) as link, suppress(OSError):
            link.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(asked: bytes, descriptors: list[int]) -> None:
    arguments, place, environment = ast.literal_eval(asked.decode())
    for target, one in enumerate(descriptors):
        os.dup2(one, target)
        os.close(one)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["memory-ledger", *arguments]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.FileIO(number, "w"), encoding="utf-8", write_through=True) for number in (1, 2)
    )


def _run() -> NoReturn:
    """Run the command, and end without taking down what was loaded, which takes a second."""
    main: Any = sys.modules["memory_ledger.cli"].main
    try:
        status = main()
    except SystemExit as exc:
        status = exc.code
    except BaseException:  # noqa: BLE001 - told as the interpreter does
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    os._exit(status or 0)


if __name__ == "__main__":
    _load()
    gc.freeze()  # a forked process shares what it leaves alone
    _serve(sys.argv[1])
