"""How like short texts are in meaning, by the host's own model: for what the words of a memory leave open (T-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..storage.problem_log import ProblemLog
from .asking import MOST_SECONDS, tell_failure
from .query_vectors import model_of, remember_queries

#: So many texts one run of an adoption embeds at most: a small part of a second.
MOST_TEXTS: Final = 32
_MODEL: Final = "all-minilm-l6-v2"


class SentenceLikeness:
    """The cosines of one text to others, in -1..1, by the embedder of `db`; blocking, so never for an event loop.

    None for a model whose cosines nobody has measured here, for more than `MOST_TEXTS` texts in all, and once the model
    could not be asked, which is told: then the words alone decide.
    """

    def __init__(self, db: Any, problems: ProblemLog) -> None:
        self._db = db
        self._problems = problems
        self._known: set[str] = set()
        self._is_away = False

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float]:
        wanted = self._known | {text, *others}
        if self._is_away or not _is_known_model(self._db.embedding_function) or len(wanted) > MOST_TEXTS:
            return ()
        self._known = wanted
        queries = remember_queries(self._db)
        try:
            vectors = queries.embed_now([text, *others], seconds=MOST_SECONDS)
        except Exception:  # noqa: BLE001 - whatever a host's embedder raises costs its evidence and nothing else
            self._is_away = True
            return ()
        finally:
            tell_failure(self._problems, queries.failure)
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        cosines: list[float] = (unit[1:] @ unit[0]).tolist()
        return cosines


def _is_known_model(embedder: Any) -> bool:
    model = model_of(embedder)
    return str(getattr(model, "model_name", "")).rpartition("/")[2].casefold() == _MODEL
