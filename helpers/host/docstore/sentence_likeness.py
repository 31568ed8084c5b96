"""How like short texts are in meaning, by the host's own model: for what the words of a memory leave open (T-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...errors import Problem, shorten
from ..storage.problem_log import ProblemLog
from .query_vectors import model_of, remember_queries

#: So many texts one run of an adoption embeds at most: a small part of a second.
MOST_TEXTS: Final = 32
_MODEL: Final = "all-minilm-l6-v2"
_WHERE: Final = "the embedding model"
_ALLOWED: Final = "an answer; without it, who said a memory is read from its words"


class SentenceLikeness:
    """The cosines of one text to others, in -1..1, by the embedder of `db`; blocking, so never for an event loop.

    None for a model whose cosines nobody has measured here, for more than `MOST_TEXTS` texts in all, and where the
    model cannot be asked, which is told: then the words alone decide.
    """

    def __init__(self, db: Any, problems: ProblemLog) -> None:
        self._db = db
        self._problems = problems
        self._known: set[str] = set()

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float]:
        wanted = self._known | {text, *others}
        if not _is_known_model(self._db.embedding_function) or len(wanted) > MOST_TEXTS:
            return ()
        self._known = wanted
        try:
            vectors = remember_queries(self._db).embed_now([text, *others])
        except Exception as exc:  # noqa: BLE001 - whatever a host's embedder raises costs its evidence and nothing else
            found = f"away ({type(exc).__name__}: {shorten(str(exc))})"
            self._problems.tell(Problem(where=_WHERE, found=found, allowed=_ALLOWED))
            return ()
        self._problems.settle((_WHERE, _ALLOWED))
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        cosines: list[float] = (unit[1:] @ unit[0]).tolist()
        return cosines


def _is_known_model(embedder: Any) -> bool:
    model = model_of(embedder)
    return str(getattr(model, "model_name", "")).rpartition("/")[2].casefold() == _MODEL
