"""How like sentences are, by the host's model: few of them, only by a model that is known, and never at any price."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Box
from fake_host import HashingEmbedder
from memory_ledger.host.docstore.sentence_likeness import MOST_TEXTS, SentenceLikeness
from memory_ledger.host.storage.problem_log import ProblemLog


class KnownModel(HashingEmbedder):
    """The host's default model by name; it counts what it is asked, and may be away."""

    model_name = "all-MiniLM-L6-v2"
    is_away = False

    def embed_query(self, text: str) -> list[float]:
        if self.is_away:
            raise OSError("no model")
        return super().embed_query(text)


@pytest.fixture
def known(tmp_path: Path) -> Any:
    """A memory folder of the host's default model."""
    box = Box(tmp_path)
    box.memory.db.embedding_function = KnownModel(64)
    return box.memory.db


def test_one_text_to_several(known: Any) -> None:
    """T-03: the cosines, in the order of the texts."""
    problems = ProblemLog()
    cosines = SentenceLikeness(known, problems)("a red fox", ["a red fox", "an unrelated sentence"])
    assert cosines[0] == pytest.approx(1.0)
    assert cosines[1] < 0.9
    assert not problems.take()


def test_a_run_embeds_so_many_texts_and_no_more(known: Any) -> None:
    """T-03: at most 32, however many memories leave it open; what is known costs nothing."""
    likeness = SentenceLikeness(known, ProblemLog())
    others = [f"sentence {number}" for number in range(MOST_TEXTS - 1)]
    assert len(likeness("a red fox", others)) == len(others)
    assert likeness("another fox", others) == ()
    assert len(likeness("a red fox", others[:3])) == 3


def test_a_model_that_nobody_measured_says_nothing(tmp_path: Path) -> None:
    """T-03: another model's cosines are on another scale."""
    assert SentenceLikeness(Box(tmp_path).memory.db, ProblemLog())("a red fox", ["a red fox"]) == ()


def test_a_model_that_is_away_costs_its_evidence_and_is_told(known: Any) -> None:
    """T-03: where it fails, the words alone decide."""
    known.embedding_function.is_away = True
    problems = ProblemLog()
    assert SentenceLikeness(known, problems)("a red fox", ["a red fox"]) == ()
    assert [(one.where, one.found) for one in problems.take()] == [
        ("the embedding model", "away (OSError: 'no model')")
    ]


def test_a_model_that_is_away_is_asked_once_in_a_run(known: Any) -> None:
    """T-03, C-74: who classifies many memories waits for one answer at most; the next run asks again."""
    problems, model = ProblemLog(), known.embedding_function
    likeness = SentenceLikeness(known, problems)
    model.is_away = True
    assert likeness("a red fox", ["a grey owl"]) == ()
    model.is_away = False
    assert likeness("a red fox", ["a grey owl"]) == ()
    assert len(SentenceLikeness(known, problems)("a red fox", ["a grey owl"])) == 1
    assert len(problems.take()) == 1
