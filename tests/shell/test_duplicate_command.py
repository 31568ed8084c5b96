"""`memory-ledger duplicate`: pairs of texts in, answers out, one per line (T-67, E-78)."""

import json
from pathlib import Path

import numpy as np
import pytest
from memory_ledger import cli

NEAR, FAR = (1.0, 0.0), (0.0, 2.0)


class Given:
    """An embedder that knows two directions: what speaks of a cellar is far from the rest."""

    def embed_documents(self, texts: list[str]) -> list[tuple[float, float]]:
        return [FAR if "cellar" in text else NEAR for text in texts]


def answers(tmp_path: Path, capsys: pytest.CaptureFixture[str], *rows: object, config: object = None):
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    config_option = []
    if config is not None:
        path = tmp_path / "settings.json"
        path.write_text(json.dumps(config))
        config_option = ["--config", str(path)]
    status = cli.main(["duplicate", str(file), *config_option], load=Given)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


PORTS = {"a": "The API is on port 80.", "b": "The API is on port 81."}


def test_each_pair_is_answered_with_the_cosine_and_why(tmp_path, capsys):
    """T-67: what differs in a number is no duplicate at a cosine of 1, a rewording below the threshold neither."""
    status, found = answers(
        tmp_path,
        capsys,
        PORTS,
        {"a": "The user lives in Berlin.", "b": "User lives in Berlin"},
        {"a": "The cellar is big.", "b": "The  cellar is big."},
    )
    assert status == 0
    assert [one["duplicate"] for one in found] == [False, True, True]
    assert [one["cosine"] for one in found] == [1.0, 1.0, 1.0]
    assert found[0]["why"].startswith("divergent: ") and "80" in found[0]["why"] and "81" in found[0]["why"]


def test_a_rewording_that_is_far_is_no_duplicate(tmp_path, capsys, monkeypatch):
    """E-38, T-67: a rewording is as near as rewordings are; the same text is one at any time."""
    vectors = iter([NEAR, FAR, NEAR, FAR])
    monkeypatch.setattr(Given, "embed_documents", lambda self, texts: [next(vectors) for _ in texts])
    pairs = ({"a": "The hall is big.", "b": "hall is big"}, {"a": "The hall is big.", "b": "The hall is big. "})
    _, found = answers(tmp_path, capsys, *pairs)
    assert [(one["duplicate"], one["cosine"]) for one in found] == [(False, 0.0), (True, 0.0)]
    assert "not above 0.75" in found[0]["why"]


def test_a_bad_line_gets_an_error_and_the_rest_go_on(tmp_path, capsys):
    """C-72: the line that cannot be read is answered in its place, and the exit code says so."""
    status, found = answers(tmp_path, capsys, "{", {"a": 1, "b": "x"}, {"a": "x"}, PORTS)
    assert status == 1
    assert [sorted(one) for one in found] == [["error"]] * 3 + [["cosine", "duplicate", "why"]]


def test_the_settings_hold(tmp_path, capsys):
    """E-45, E-78: threshold and guard are those of the file."""
    _, (found,) = answers(tmp_path, capsys, PORTS, config={"deduplication": {"divergence_guard": False}})
    assert found["duplicate"] and "divergence_guard is false" in found["why"]
    far = {"deduplication": {"divergence_guard": False, "similarity_threshold": 1.0}}
    _, (found,) = answers(tmp_path, capsys, PORTS, config=far)
    assert not found["duplicate"]


def test_a_text_without_a_direction_is_near_to_nothing(tmp_path, capsys, monkeypatch):
    """T-15: a vector of zeros has no cosine."""
    monkeypatch.setattr(Given, "embed_documents", lambda self, texts: np.zeros((len(texts), 2)).tolist())
    _, (found,) = answers(tmp_path, capsys, PORTS)
    assert found["cosine"] == 0.0
